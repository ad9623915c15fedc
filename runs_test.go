package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// TestReduceRuns: updates whose indices are equal in runs are combined in order, in one cell after
// the other, whatever the runs' lengths, and up to the first bad index.
func TestReduceRuns(t *testing.T) {
	for _, v := range dispatch.Variants() {
		t.Run("impl="+v.String(), func(t *testing.T) {
			defer v.Use()()
			testReduceRuns[float32, int32](t, []float32{-7.5, 0.3, 1e30})
			testReduceRuns[float32, int64](t, []float32{3, -1e-40})
			testReduceRuns[float64, int32](t, []float64{1.7, -1e300})
			testReduceRuns[float64, int64](t, []float64{-0.1, 2, 1e-320})
			testReduceRuns[int8, int32](t, []int8{-128, 127, 3})
			testReduceRuns[uint8, int64](t, []uint8{255, 128, 3})
			testReduceRuns[int16, int64](t, []int16{-1 << 15, 1<<15 - 1, 3})
			testReduceRuns[uint16, int32](t, []uint16{1<<16 - 1, 1 << 15, 3})
			testReduceRuns[int32, int64](t, []int32{-1 << 31, 1<<31 - 1, 3})
			testReduceRuns[uint64, int32](t, []uint64{1<<64 - 1, 1 << 63, 3})
		})
	}
}

func testReduceRuns[T Number, I int32 | int64](t *testing.T, extra []T) {
	const rows, cols, size, step, gap = 3, 2000, 37, 2, 5
	r := rand.New(rand.NewPCG(1, 2))
	values := append(extra, 0, 1)
	switch floats := any(&values).(type) {
	case *[]float32:
		*floats = append(*floats, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 0.7, -0.7, 0.9)
	case *[]float64:
		*floats = append(*floats, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 0.7, -0.7, 0.9)
	}
	some := func(n int) []T {
		s := make([]T, n)
		for i := range s {
			s[i] = values[r.IntN(len(values))]
		}
		return s
	}
	indices := Plane[I]{Data: make([]I, rows*(cols+gap)), At: 2, Row: cols + gap - 1, Col: 1}
	updates := Plane[T]{Data: some(rows * (cols + gap)), At: 1, Row: cols + 1, Col: 1}
	before := some(4 + rows*(size*step+3))
	for at, left, k := 0, 0, I(0); at < len(indices.Data); at, left = at+1, left-1 {
		if left == 0 { // of every length from 1 to 9, and longer ones
			left, k = 1+r.IntN(9), I(r.IntN(2*size)-size)
			if r.IntN(2) == 0 {
				left += 40 + r.IntN(100)
			}
		}
		indices.Data[at] = k
	}
	require.True(t, inRuns(indices.Data[2:][:cols], 16), "the indices are no runs")
	cell := func(dst []T) Plane[T] { return Plane[T]{Data: dst, At: 4, Row: size*step + 3} }
	same := func(a, b T) bool {
		return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
	}
	if !active().bodies() { // then there is no other way than runs
		dst := cell(slices.Clone(before))
		to, x, u := windowOf(KindOf[T](), &dst), windowOf(KindOf[I](), &indices), windowOf(KindOf[T](), &updates)
		some := tables{on: active(), op: Sum, dst: &to, indices: &x, updates: &u, size: size, step: step, rows: rows, cols: cols}
		_, ok := some.scatter()
		require.True(t, ok, "combined otherwise")
	}
	for _, op := range []Op{Sum, Prod, Min, Max} {
		for _, bad := range []int{-1, 0, 1, 777, cols - 1, cols, 2*cols + 99, rows*cols - 1} {
			x := indices
			if x.Data = slices.Clone(x.Data); bad >= 0 {
				x.Data[2+bad/cols*x.Row+bad%cols] = []I{size, -size - 1}[bad%2]
			}
			want, got := slices.Clone(before), slices.Clone(before)
			require.Equal(t, bad, generic.ScatterReduceIndexed(op, cell(want), size, step, x, updates, rows, cols))
			require.Equal(t, bad, ScatterReduceIndexed(op, cell(got), size, step, x, updates, rows, cols))
			require.True(t, slices.EqualFunc(want, got, same), "op %d, the bad index is %d", op, bad)
		}
	}
}

// TestCombineRuns: updates whose offsets are equal in runs are combined in order, in one cell after
// the other, of float32 by themselves and not by a body.
func TestCombineRuns(t *testing.T) {
	const n, cells = 1000, 37
	r := rand.New(rand.NewPCG(3, 4))
	offsets := make([]int, n)
	for i, left, o := 0, 0, 0; i < n; i, left = i+1, left-1 {
		if left == 0 {
			left, o = 1+r.IntN(120), 2*r.IntN(cells)
		}
		offsets[i] = o
	}
	updates := Plane[float32]{Data: make([]float32, 1+n), At: 1, Row: 1}
	for i := range updates.Data {
		updates.Data[i] = float32(r.NormFloat64())
	}
	before := make([]float32, 3+2*cells)
	for i := range before {
		before[i] = float32(r.NormFloat64())
	}
	for _, v := range dispatch.Variants() {
		t.Run("impl="+v.String(), func(t *testing.T) {
			defer v.Use()()
			for _, op := range []Op{Sum, Prod, Min, Max} {
				want, got, alone := slices.Clone(before), slices.Clone(before), slices.Clone(before)
				generic.ScatterReduce(op, want, 3, 1, offsets, updates, 1)
				ScatterReduce(op, got, 3, 1, offsets, updates, 1)
				require.Equal(t, want, got)
				to, u := memoryOf(KindF32, alone), windowOf(KindF32, &updates)
				require.True(t, combineRuns(op, &to, 3, offsets, &u, 16))
				require.Equal(t, want, alone)
			}
		})
	}
	if active().bodies() {
		for kind, want := range map[Kind]int{KindF32: 16, KindU8: 16, KindI32: 128, KindU64: 128, KindF16: 0} {
			require.Equal(t, want, runLength(active(), kind))
		}
	}
}

// TestInRuns: indices are in runs if most of those looked at are equal to those around them.
func TestInRuns(t *testing.T) {
	runs := func(n, run int) []int32 {
		x := make([]int32, n)
		for i := range x {
			x[i] = int32(i / run)
		}
		return x
	}
	require.True(t, inRuns(runs(3, 20), 16))
	require.False(t, inRuns(runs(2, 20), 16), "too few indices")
	require.False(t, inRuns(runs(100, 100), 0), "no run is long enough")
	require.True(t, inRuns(runs(10_000, 64), 16))
	require.False(t, inRuns(runs(10_000, 64), 128))
	require.True(t, inRuns(runs(10_000, 512), 128))
	require.False(t, inRuns(runs(10_000, 16), 16))
	x := runs(10_000, 20_000)
	for i := 1; i < len(x); i += 2 {
		x[i] = 1
	}
	require.False(t, inRuns(x, 16), "neighbours differ")
}

// TestEights: halves are combined by offsets if there are many indices, in rows that are not short,
// and eight that follow each other differ.
func TestEights(t *testing.T) {
	const n = 4 * leastDiffer
	x := make([]int32, n)
	dst := windowOf(KindF16, &Plane[uint16]{Data: make([]uint16, n), Row: n, Col: 1})
	eights := func(op Op, kind Kind, rows, cols int) bool {
		indices, dst := windowOf(KindI32, &Plane[int32]{Data: x, Row: cols, Col: 1}), dst
		dst.Kind = kind
		t := tables{op: op, dst: &dst, indices: &indices, rows: rows, cols: cols}
		return t.eights()
	}
	for i := range x {
		x[i] = int32(i*7 - n)
	}
	for _, kind := range []Kind{KindF16, KindBF16} {
		require.True(t, eights(Sum, kind, 1, n))
		require.True(t, eights(Max, kind, leastDiffer/leastEights, leastEights))
		require.False(t, eights(generic.Replace, kind, 1, n), "nothing is converted")
		require.False(t, eights(Prod, kind, 1, n), "products go by offsets in any case")
		require.False(t, eights(Sum, kind, n/15, 15), "short rows")
		require.False(t, eights(Sum, kind, 1, leastDiffer-1), "few indices")
	}
	require.False(t, eights(Sum, KindU16, 1, n))
	for i := range x {
		x[i] = int32(i * 5 / 6)
	}
	require.False(t, eights(Sum, KindF16, 1, n), "two of eight are equal")
	for i := range x {
		x[i] = int32(i % 8)
	}
	require.True(t, eights(Sum, KindF16, 1, n))
}
