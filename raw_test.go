package lanes_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
)

// memoryOf returns a slice as run-time typed entries take it.
func memoryOf[T any](kind lanes.Kind, s []T) lanes.Memory {
	return lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(s)), Len: len(s), Kind: kind}
}

func windowOf[T any](kind lanes.Kind, p lanes.Plane[T]) lanes.Window {
	return lanes.Window{Memory: memoryOf(kind, p.Data), At: p.At, Row: p.Row, Col: p.Col, Stream: p.Stream}
}

func TestKindWidth(t *testing.T) {
	for kind, want := range map[lanes.Kind]int{lanes.KindX8: 1, lanes.KindX128: 16, lanes.KindI16: 2, lanes.KindF16: 2, lanes.KindC64: 8, lanes.KindBool: 1} {
		require.Equal(t, want, kind.Width())
	}
}

func TestRaw(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		indices := memoryOf(lanes.KindI32, []int32{2, -1, 0, 1})
		offsets := make([]int, 4)
		require.Equal(t, -1, lanes.ResolveRaw(offsets, indices, 0, 1, 3, 10, 1))
		require.Equal(t, []int{20, 21, 2, 13}, offsets)
		require.Equal(t, -1, lanes.ResolvePatternRaw(offsets, indices, 0, 3, 10, []int{5, 0, -3, 100}))
		require.Equal(t, []int{25, 20, -3, 110}, offsets)
		require.Equal(t, 0, lanes.CheckRaw(indices, 0, 1, 4, 2))
		wide := make([]int64, 4)
		lanes.WidenRaw(wide, indices, 0, 1)
		require.Equal(t, []int64{2, -1, 0, 1}, wide)

		cells := []bool{false, true, true}
		updates := windowOf(lanes.KindBool, lanes.Plane[bool]{Data: []bool{true, true, false}, Row: 1, Col: 1})
		lanes.ScatterReduceRaw(lanes.Sub, memoryOf(lanes.KindBool, cells), 0, 1, []int{0, 1, 2}, updates, 1)
		require.Equal(t, []bool{true, false, true}, cells)

		dst := make([]float32, 4)
		src := windowOf(lanes.KindF32, lanes.Plane[float32]{Data: []float32{1.5, 2.5, 3.5}})
		require.Equal(t, -1, lanes.GatherRaw(windowOf(lanes.KindX32, lanes.Plane[float32]{Data: dst, Col: 1}), src, 3, 1, lanes.Window{Memory: indices, Col: 1}, 1, 4))
		require.Equal(t, []float32{3.5, 3.5, 1.5, 2.5}, dst)
	})
}

// Of the bytes 0 and 1, sums are OR, products AND, and differences XOR.
func TestRawBool(t *testing.T) {
	ops := []struct {
		op   lanes.Op
		want func(a, b bool) bool
	}{
		{lanes.Sum, func(a, b bool) bool { return a || b }}, {lanes.Max, func(a, b bool) bool { return a || b }},
		{lanes.Prod, func(a, b bool) bool { return a && b }}, {lanes.Min, func(a, b bool) bool { return a && b }},
		{lanes.Sub, func(a, b bool) bool { return a != b }}, {lanes.Xor, func(a, b bool) bool { return a != b }},
	}
	eachLevel(t, func(t *testing.T) {
		const n = 40
		var updates [n]bool
		var offsets [n]int
		var indices [n]int32
		for j := range n {
			updates[j], offsets[j], indices[j] = j%3 == 0, j/4, int32(j/4)
		}
		from := windowOf(lanes.KindBool, lanes.Plane[bool]{Data: updates[:], Row: 1, Col: 1})
		for _, o := range ops {
			var want, got, indexed [n / 4]bool
			for j := range want {
				want[j], got[j], indexed[j] = j%2 == 0, j%2 == 0, j%2 == 0
			}
			for j, u := range updates {
				want[offsets[j]] = o.want(want[offsets[j]], u)
			}
			lanes.ScatterReduceRaw(o.op, memoryOf(lanes.KindBool, got[:]), 0, 0, offsets[:], from, 1)
			require.Equal(t, want, got, "op %d", o.op)
			bad := lanes.ScatterReduceIndexedRaw(o.op, windowOf(lanes.KindBool, lanes.Plane[bool]{Data: indexed[:]}), len(indexed), 1,
				windowOf(lanes.KindI32, lanes.Plane[int32]{Data: indices[:], Col: 1}), from, 1, n)
			require.Equal(t, -1, bad)
			require.Equal(t, want, indexed, "op %d, indexed", o.op)
		}
	})
}

// TestRawKinds calls primitives with Kinds that they have no loop for, or that do not fit each
// other: a wider one would lead out of the memory.
func TestRawKinds(t *testing.T) {
	const noKind, otherWidth = "lanes: the primitive has no such Kind", "lanes: the operands' Kinds differ in width"
	m, narrow := memoryOf(lanes.KindX32, make([]uint32, 64)), memoryOf(lanes.KindX8, make([]uint8, 64))
	w, thin := lanes.Window{Memory: m, Row: 1, Col: 1}, lanes.Window{Memory: narrow, Row: 1, Col: 1}
	indices := memoryOf(lanes.KindI32, make([]int32, 64))
	x := lanes.Window{Memory: indices, Row: 1, Col: 1}
	counts, offsets := memoryOf(lanes.KindU32, make([]uint32, 64)), make([]int, 64)
	wide := make([]int64, 64)
	sizes := []int{1}
	i32, f32 := memoryOf(lanes.KindI32, make([]int32, 64)), memoryOf(lanes.KindF32, make([]float32, 64))
	i64 := memoryOf(lanes.KindI64, wide)
	exact := memoryOf(lanes.KindX128, make([]generic.Exact, 32))
	for _, c := range []struct {
		name, want string
		call       func()
	}{
		{"Widen", noKind, func() { lanes.WidenRaw(wide, m, 0, 1) }},
		{"Check", noKind, func() { lanes.CheckRaw(m, 0, 1, 64, 1) }},
		{"Resolve", noKind, func() { lanes.ResolveRaw(offsets, narrow, 0, 1, 1, 1, 1) }},
		{"ResolvePattern", noKind, func() { lanes.ResolvePatternRaw(offsets, narrow, 0, 1, 1, offsets) }},
		{"ResolveTuples", noKind, func() { lanes.ResolveTuplesRaw(offsets, thin, sizes, sizes, 1) }},
		{"ResolveOwned", noKind, func() { lanes.ResolveOwnedRaw(offsets, m, narrow, m, 1, 1, 0, 1) }},
		{"ResolveOwned", otherWidth, func() { lanes.ResolveOwnedRaw(offsets, m, indices, narrow, 1, 1, 0, 1) }},
		{"Gather", noKind, func() { lanes.GatherRaw(w, w, 1, 1, w, 1, 64) }},
		{"Gather", otherWidth, func() { lanes.GatherRaw(w, thin, 1, 1, x, 1, 64) }},
		{"GatherPattern", noKind, func() { lanes.GatherPatternRaw(m, 0, m, 0, narrow, 0, 1, 1, make([]int32, 1)) }},
		{"GatherPattern", noKind, func() { lanes.GatherPatternRaw(m, 0, m, 0, f32, 0, 1, 1, make([]int32, 32)) }},
		{"GatherPattern", otherWidth, func() { lanes.GatherPatternRaw(m, 0, narrow, 0, indices, 0, 1, 1, make([]int32, 1)) }},
		{"GatherTuples", noKind, func() { lanes.GatherTuplesRaw(w, m, 0, thin, sizes, sizes, 1) }},
		{"GatherTuples", noKind, func() {
			floats := lanes.Window{Memory: f32, Row: 2, Col: 1}
			lanes.GatherTuplesRaw(w, m, 0, floats, []int{1, 1}, []int{1, 1}, 32)
		}},
		{"GatherTuples", otherWidth, func() { lanes.GatherTuplesRaw(w, narrow, 0, x, sizes, sizes, 1) }},
		{"GatherRows", otherWidth, func() { lanes.GatherRowsRaw(w, narrow, 0, 1, offsets, 1) }},
		{"Copy", noKind, func() {
			lanes.CopyRaw(lanes.Window{Memory: lanes.Memory{Kind: 99}}, lanes.Window{Memory: lanes.Memory{Kind: 98}}, 1, 1)
		}},
		{"Copy", otherWidth, func() { lanes.CopyRaw(w, thin, 1, 64) }},
		{"CopyVectors", otherWidth, func() { lanes.CopyVectorsRaw(w, thin, 1, 64) }},
		{"Compact", otherWidth, func() { lanes.CompactRaw(m, narrow, make([]bool, 64)) }},
		{"Scatter", noKind, func() {
			lanes.ScatterRaw(lanes.Memory{Kind: 99}, 0, 1, offsets, lanes.Window{Memory: lanes.Memory{Kind: 98}}, 1)
		}},
		{"Scatter", otherWidth, func() { lanes.ScatterRaw(m, 0, 1, offsets, thin, 1) }},
		{"ScatterReduce", noKind, func() { lanes.ScatterReduceRaw(lanes.Sum, m, 0, 0, offsets, w, 1) }},
		{"ScatterReduce", otherWidth, func() { lanes.ScatterReduceRaw(lanes.Sum, i32, 0, 0, offsets, thin, 1) }},
		{"ScatterIndexed", noKind, func() { lanes.ScatterIndexedRaw(w, 1, 1, thin, w, 1, 64) }},
		{"ScatterIndexed", otherWidth, func() { lanes.ScatterIndexedRaw(w, 1, 1, x, thin, 1, 64) }},
		{"ScatterReduceIndexed", noKind, func() { lanes.ScatterReduceIndexedRaw(lanes.Sum, w, 1, 1, x, w, 1, 64) }},
		{"ScatterReduceIndexed", otherWidth, func() { lanes.ScatterReduceIndexedRaw(lanes.Sum, x, 1, 1, x, thin, 1, 64) }},
		{"ScatterSums", noKind, func() { lanes.ScatterSumsRaw(i64, 0, 0, 0, offsets, w, 1) }},
		{"ScatterSums", noKind, func() { lanes.ScatterSumsRaw(i64, 0, 0, 0, offsets, lanes.Window{Memory: i64, Row: 1}, 1) }},
		{"ScatterSums", noKind, func() { lanes.ScatterSumsRaw(i32, 0, 0, 0, offsets, x, 1) }},
		{"ScatterSums", noKind, func() { lanes.ScatterSumsRaw(exact, 0, 0, 0, offsets, w, 1) }},
		{"ScatterSums", noKind, func() { lanes.ScatterSumsRaw(exact, 40, 0, 0, offsets, x, 1) }},
		{"ScatterSums", noKind, func() { lanes.ScatterSumsRaw(i64, 40, 0, 0, offsets, lanes.Window{Memory: i64, Row: 1}, 1) }},
		{"Count", noKind, func() { lanes.CountRaw(m, 0, offsets, 1) }},
		{"Divide", noKind, func() { lanes.DivideRaw(lanes.CellsRaw{Dst: m, Sums: i64, Counts: counts, Rows: 1, Cols: 64}) }},
		{"Divide", noKind, func() { lanes.DivideRaw(lanes.CellsRaw{Dst: i32, Sums: m, Counts: counts, Rows: 1, Cols: 64}) }},
		{"Divide", noKind, func() { lanes.DivideRaw(lanes.CellsRaw{Dst: i32, Sums: i64, Counts: m, Rows: 1, Cols: 64}) }},
		{"Divide", noKind, func() { lanes.DivideRaw(lanes.CellsRaw{Dst: i64, Sums: i64, Shift: 40, Rows: 1, Cols: 64}) }},
		{"Divide", noKind, func() {
			lanes.DivideRaw(lanes.CellsRaw{Dst: f32, Sums: f32, Counts: counts, Shift: 40, Rows: 1, Cols: 64})
		}},
		{"Divide", noKind, func() {
			lanes.DivideRaw(lanes.CellsRaw{Dst: i32, Sums: exact, Shift: 40, Rows: 1, Cols: 32})
		}},
		{"Divide", otherWidth, func() {
			lanes.DivideRaw(lanes.CellsRaw{Dst: f32, Sums: narrow, Counts: counts, Rows: 1, Cols: 64})
		}},
	} {
		require.PanicsWithValue(t, c.want, c.call, c.name)
	}
}

// TestNoAllocations calls every primitive with operands on the stack, of lengths that bodies take
// and that they leave to package generic.
func TestNoAllocations(t *testing.T) {
	if checksPointers {
		t.Skip("the race detector allocates")
	}
	eachLevel(t, func(t *testing.T) {
		for _, n := range []int{3, 64} {
			allocs := testing.AllocsPerRun(20, func() {
				var dst, src [200]float32
				var halves, more [64]uint16
				var numbers [64]complex64
				var x32 [64]int32
				var x64, wide [64]int64
				var offsets, pattern [64]int
				var places [64]int32
				var mask [64]bool
				var exact [64]generic.Exact
				var counts [64]uint32
				sizes, strides := [2]int{4, 4}, [2]int{4, 1}
				d, s := lanes.Plane[float32]{Data: dst[:], Row: 1, Col: 1}, lanes.Plane[float32]{Data: src[:], Row: 1, Col: 1}
				table := lanes.Plane[float32]{Data: src[:]}
				i32, i64 := lanes.Plane[int32]{Data: x32[:], Col: 1}, lanes.Plane[int64]{Data: x64[:], Col: 1}
				lanes.Gather(d, table, 64, 1, i32, 1, n)
				lanes.Gather(d, s, 2, 64, i64, 1, n)
				lanes.GatherTuples(d, src[:], 0, lanes.Plane[int32]{Data: x32[:], Row: 2, Col: 1}, sizes[:], strides[:], n/2)
				lanes.GatherTuples(d, src[:], 0, lanes.Plane[int64]{Data: x64[:], Row: 1, Col: 0}, sizes[:], strides[:], n)
				lanes.GatherPattern(dst[:], 0, src[:], 0, x32[:], 0, 64, 1, places[:n])
				lanes.GatherPattern(dst[:], 0, src[:], 0, x64[:], 0, 64, 1, places[:n])
				lanes.GatherRows(d, src[:], 0, 1, offsets[:n], 1)
				lanes.GatherRows(d, src[:], 0, 1, offsets[:n], 8)
				lanes.Widen(wide[:n], x32[:], 0, 1)
				lanes.Check(x64[:], 0, 1, n, 64)
				lanes.Resolve(offsets[:n], x32[:], 0, 1, 64, 1, 0)
				lanes.ResolvePattern(offsets[:n], x64[:], 0, 64, 1, pattern[:])
				lanes.ResolveTuples(offsets[:n/2], lanes.Plane[int64]{Data: x64[:], Row: 2, Col: 1}, sizes[:], strides[:], 0)
				lanes.ResolveOwned(offsets[:], dst[:], x32[:n], src[:], 64, 1, 0, 64)
				lanes.Scatter(dst[:], 0, 1, offsets[:n], s, 1)
				lanes.ScatterReduce(lanes.Sum, dst[:], 0, 1, offsets[:n], s, 1)
				lanes.ScatterReduce(lanes.Max, dst[:], 0, 1, offsets[:n], s, 8)
				lanes.ScatterReduceHalf(lanes.Prod, lanes.Brain16, halves[:], 0, 1, offsets[:n], lanes.Plane[uint16]{Data: more[:], Row: 1}, 1)
				lanes.ScatterReduceComplex(lanes.Prod, numbers[:], 0, 1, offsets[:n], lanes.Plane[complex64]{Data: numbers[:], Row: 1}, 1)
				lanes.ScatterIndexed(lanes.Plane[float32]{Data: dst[:]}, 64, 1, i32, s, 1, n)
				lanes.ScatterReduceIndexed(lanes.Min, lanes.Plane[float32]{Data: dst[:]}, 64, 1, i64, s, 1, n)
				lanes.Copy(lanes.Plane[float32]{Data: dst[:], Row: n, Col: 1}, lanes.Plane[float32]{Data: src[:], Row: n, Col: 2}, 1, n)
				lanes.Copy(lanes.Plane[float32]{Data: dst[:], Row: 3, Col: 1}, lanes.Plane[float32]{Data: src[:], At: 2, Row: 3, Col: -1}, n, 3)
				lanes.Compact(dst[:n], src[:n], mask[:n])
				lanes.Positions(offsets[:], mask[:], 0, 1, n, 0, 1)
				count(counts[:], 0, offsets[:n], 1)
				scatterSums(wide[:], 0, 0, 0, offsets[:n], lanes.Plane[int32]{Data: x32[:], Row: 1}, 1)
				scatterWords(wide[:], 48, 0, offsets[:n], lanes.Plane[int32]{Data: x32[:], Row: 1})
				scatterSums(exact[:], 0, 0, 0, offsets[:n], lanes.Plane[int64]{Data: x64[:], Row: 1}, 1)
				at := lanes.Place{Col: 1, Offsets: pattern[:1]}
				divide(generic.Cells[float32, float32, uint32]{Dst: dst[:], Sums: src[:], Counts: counts[:], DstAt: at, SumsAt: at, CountsAt: at, Rows: 1, Cols: n})
				divideWords(generic.Cells[int32, int64, uint32]{Dst: x32[:], Sums: wide[:], DstAt: at, SumsAt: at, Rows: 1, Cols: n}, 48)
				divide(generic.Cells[int32, int64, uint32]{Dst: x32[:], Sums: wide[:], Counts: counts[:], DstAt: at, SumsAt: at, CountsAt: at, Rows: 1, Cols: n})
			})
			require.Zero(t, allocs, "n=%d", n)
		}
	})
}
