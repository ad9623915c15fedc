package lanes_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
)

// TestCapacity: what lies between the length of a slice and its capacity is not the primitive's.
func TestCapacity(t *testing.T) {
	one := []int{0}
	for _, c := range []struct {
		name string
		call func(extra *bool)
	}{
		{"ResolveOwned", func(extra *bool) {
			offsets := make([]int, 40)
			defer func() { *extra = offsets[4] != 0 }()
			indices := make([]int64, 32)
			for i := range indices {
				indices[i] = 5
			}
			lanes.ResolveOwned(offsets[:4], make([]uint32, 32), indices, make([]uint32, 32), 10, 1, 0, 10)
		}},
		{"ScatterSums", func(extra *bool) {
			sums := make([]int64, 8)
			defer func() { *extra = sums[2] != 0 }()
			scatterSums(sums[:2], 0, 0, 1, one, lanes.Plane[int32]{Data: []int32{1, 1, 1, 1}, Row: 4, Col: 1}, 4)
		}},
		{"ScatterSums, exact", func(extra *bool) {
			sums := make([]generic.Exact, 8)
			defer func() { *extra = sums[2] != generic.Exact{} }()
			scatterSums(sums[:2], 0, 0, 1, one, lanes.Plane[int64]{Data: []int64{1, 1, 1, 1}, Row: 4, Col: 1}, 4)
		}},
		{"Divide", func(extra *bool) {
			dst, at := []float32{9, 9, 9, 9}, lanes.Place{Offsets: []int{0, 1, 2, 3}[:2], Col: 1}
			defer func() { *extra = dst[2] != 9 }()
			divide(generic.Cells[float32, float32, uint32]{Dst: dst, Sums: []float32{4, 4, 4, 4}, Counts: []uint32{0, 0, 2, 2},
				DstAt: at, SumsAt: at, CountsAt: at, Rows: 4, Cols: 1})
		}},
	} {
		extra := false
		require.Panics(t, func() { c.call(&extra) }, c.name)
		require.False(t, extra, c.name)
	}
}

// TestNoHalf: a Half that is none has no wider elements to be found in 16-bit memory.
func TestNoHalf(t *testing.T) {
	for n := range 3 {
		h := lanes.Half(len(lanes.Halves) + n)
		all := make([]uint16, 256)
		require.Panics(t, func() {
			lanes.ScatterReduceHalf(lanes.Sum, h, all[:2:2], 0, 1, []int{1}, lanes.Plane[uint16]{Data: all[128:130:130], Row: 1}, 1)
		}, h)
	}
}

// TestOneTable: of one row the distance to the next one means nothing.
func TestOneTable(t *testing.T) {
	const size, cols = 2048, 16384
	indices, updates := make([]int64, cols), make([]float32, cols)
	for i := range indices {
		indices[i], updates[i] = int64(i*389%2039), 1
	}
	dst, want := make([]float32, 32<<20), make([]float32, size)
	for _, k := range indices {
		want[k]++
	}
	lanes.ScatterReduceIndexed(lanes.Sum, lanes.Plane[float32]{Data: dst, Row: math.MinInt}, size, 1,
		lanes.Plane[int64]{Data: indices, Row: cols, Col: 1}, lanes.Plane[float32]{Data: updates, Row: cols, Col: 1}, 1, cols)
	require.Equal(t, want, dst[:size])
}
