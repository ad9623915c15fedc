package lanes_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// TestTablesAhead: tables that no cache holds are prefetched while those before them are gathered
// from or scattered into, with as many indices or fewer, in rows that follow each other or lie
// apart, and past indices that are negative or bad.
func TestTablesAhead(t *testing.T) {
	defer func(near dispatch.Caches) { dispatch.Near = near }(dispatch.Near)
	dispatch.Near.Second, dispatch.Near.Last = 0, 0
	r := rand.New(rand.NewPCG(1, 2))
	for _, table := range []struct{ size, row int }{{40, 40}, {71, 71}, {71, 300}, {1500, 1500}, {6000, 6100}} {
		for _, cols := range []int{table.size/8 + 16, table.size, 8<<10 + 77} {
			for _, wrong := range []int32{0, -1, int32(table.size)} {
				const rows = 5
				x := make([]int32, rows*cols)
				for k := range x {
					x[k] = r.Int32N(int32(table.size))
				}
				if wrong != 0 {
					x[3*cols+cols/2] = wrong
				}
				values := make([]float32, max(rows*table.row, rows*cols))
				for k := range values {
					values[k] = float32(k + 1)
				}
				tables, indices := lanes.Plane[float32]{Data: values, Row: table.row}, lanes.Plane[int32]{Data: x, Row: cols, Col: 1}
				got, want := make([]float32, rows*cols), make([]float32, rows*cols)
				bad := lanes.Gather(lanes.Plane[float32]{Data: got, Row: cols, Col: 1}, tables, table.size, 1, indices, rows, cols)
				wantBad := generic.Gather(lanes.Plane[float32]{Data: want, Row: cols, Col: 1}, tables, table.size, 1, indices, rows, cols)
				require.Equal(t, wantBad, bad, "%+v, %d columns, index %d", table, cols, wrong)
				require.True(t, bad >= 0 || slices.Equal(want, got), "gather, %+v, %d columns, index %d", table, cols, wrong)

				updates := lanes.Plane[float32]{Data: values, Row: cols, Col: 1}
				for _, sum := range []bool{false, true} {
					got, want := make([]float32, rows*table.row), make([]float32, rows*table.row)
					a, b := lanes.Plane[float32]{Data: got, Row: table.row}, lanes.Plane[float32]{Data: want, Row: table.row}
					if sum {
						lanes.ScatterReduceIndexed(lanes.Sum, a, table.size, 1, indices, updates, rows, cols)
						generic.ScatterReduceIndexed(generic.Sum, b, table.size, 1, indices, updates, rows, cols)
					} else {
						lanes.ScatterIndexed(a, table.size, 1, indices, updates, rows, cols)
						generic.ScatterIndexed(b, table.size, 1, indices, updates, rows, cols)
					}
					require.True(t, slices.Equal(want, got), "sum %t, %+v, %d columns, index %d", sum, table, cols, wrong)
				}
			}
		}
	}
}
