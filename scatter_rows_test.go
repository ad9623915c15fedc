package lanes_test

import (
	"fmt"
	"testing"
)

// Rows without gaps of every length to two vectors and more, which end with every number of
// elements that a vector leaves over, with none, and with a whole one.
func TestScatterReduceRows(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range reductions {
			for _, op := range allOps[:m.ops] {
				t.Run(fmt.Sprintf("elem=%s/op=%s", m.name, opNames[op]), func(t *testing.T) {
					r := seeded(t, 0)
					for cols := 1; cols <= 2*64/m.width+2; cols++ {
						a := rowsArgs{Rows: 1 + r.IntN(3), Cols: cols, Row: cols + r.IntN(2), Col: 1, Pad: r.IntN(17),
							Step: 1, StepPad: r.IntN(17), Cells: 3, Gap: cols, Pattern: "random", Op: op}
						c := m.call(r, m.elem, a)
						c.check(t, false, flush[cols%2], c.somewhere(r))
					}
				})
			}
		}
	})
}

// TestScatterReduceLongRows has rows of more than a piece, which are combined some columns at a
// time.
func TestScatterReduceLongRows(t *testing.T) {
	const most = 256 << 10 // bytes of a piece
	eachLevel(t, func(t *testing.T) {
		for _, m := range reductions {
			t.Run("elem="+m.name, func(t *testing.T) {
				r := seeded(t, 0)
				for k, cols := range []int{most/m.width - 1, most / m.width, most/m.width + 1, 2*most/m.width + 5, most/m.width + 2} {
					if testing.Short() && k%2 == 1 {
						continue // for the time it takes
					}
					gap := cols
					if k == 4 { // rows that overlap in part
						gap = 1000
					}
					a := rowsArgs{Rows: 3, Cols: cols, Row: cols + r.IntN(2), Col: 1, Pad: r.IntN(17),
						Step: 1, StepPad: r.IntN(17), Cells: 2, Gap: gap, Pattern: "random", Op: allOps[r.IntN(m.ops)]}
					c := m.call(r, m.elem, a)
					c.check(t, false, flush[cols%2], c.somewhere(r))
				}
			})
		}
	})
}
