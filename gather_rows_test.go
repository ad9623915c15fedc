package lanes_test

import (
	"fmt"
	"testing"
)

// Rows that lie far apart: more than the first-level cache's size.
func TestGatherRowsFar(t *testing.T) {
	const apart = 300 << 10
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				r := seeded(t, 0)
				for bytes := w.width; bytes <= 200; bytes += w.width * repeated(1+r.IntN(3), 1) {
					for _, rows := range []int{2, 3, 8, 9, 10, 40} {
						cols := bytes / w.width
						a := rowsArgs{Rows: rows, Cols: cols, Row: cols + r.IntN(3), Col: 1, Pad: r.IntN(17), Step: 1, StepPad: r.IntN(17),
							Cells: 7, Gap: apart / 6 / w.width * pick(r, 1, -1), Pattern: pick(r, "random", "sorted", "reversed")}
						c := w.gatherRows(r, w.elem, a)
						c.note = fmt.Sprintf(", rows=%d", rows)
						c.check(t, false, flush[r.IntN(2)], c.somewhere(r))
					}
				}
			})
		}
	})
}
