package lanes_test

import (
	"fmt"
	"testing"
)

// Rows that follow each other, and so do their tables, which are so short that several are in registers at once: sizes
// around what registers hold, rows shorter than a vector and longer, rows that are left over, and a bad index anywhere.
func TestGatherShortTables(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for _, size := range []int{1, 2, 3, 5, 8, 13, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128} {
					for _, cols := range []int{2, 3, 4, 5, 7, 8, 15, 16, 17, 33, 64, 65, 130} {
						rows := 2 + r.IntN(min(2000/cols, 150))
						if testing.Short() && (size+cols+rows)%2 != 0 {
							continue
						}
						a := gatherArgs{Rows: rows, Cols: cols, Size: size, Step: 1, SrcRow: size, DstRow: cols, DstCol: 1, IdxRow: cols, IdxCol: 1,
							DstPad: r.IntN(17), IdxPad: r.IntN(17), Pattern: pick(r, patterns...), Bad: -1}
						m.gather(r, m.elem, a).check(t, false, flush...)
						a.IdxRow = 0 // the same indices for each row
						m.gather(r, m.elem, a).check(t, false, flush...)
						a.IdxRow = cols * r.IntN(2)
						a.Bad, a.Value = r.IntN(rows*cols), r.IntN(16)
						m.gather(r, m.elem, a).check(t, false, flush...)
						a.Bad, a.IdxRow = -1, cols
						*pick(r, &a.DstRow, &a.SrcRow, &a.IdxRow)++ // rows of an operand are apart
						m.gather(r, m.elem, a).check(t, false, flush...)
					}
				}
			})
		}
	})
}
