package lanes_test

import (
	"fmt"
	"testing"
)

// registerTable is the most bytes of a table that some body keeps in registers.
const registerTable = 512

// Tables that fit into registers, with rows so long that they are kept there: each
// size around a whole register, every entry looked up, and the table flush against a fence.
func TestGatherRegisterTables(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				entries := min(registerTable/m.width, 256)
				for size := 1; size <= entries+1; size++ {
					if each := max(16/m.width, 1); testing.Short() && (size+1)%each > 2 {
						continue
					}
					for _, pattern := range []string{"sorted", "extremes", "random"} {
						n := 2*size + r.IntN(70)
						a := gatherArgs{Rows: 1 + r.IntN(2), Cols: n, Size: size, Step: 1, SrcRow: size, DstRow: n, DstCol: 1, IdxRow: n, IdxCol: 1,
							DstPad: r.IntN(17), IdxPad: r.IntN(17), Pattern: pattern, Bad: -1}
						c := m.gather(r, m.elem, a)
						c.check(t, false, flush...)
					}
				}
			})
		}
	})
}

// Rows that follow each other, and so do their tables, which are so short that several are in
// registers at once: sizes around what registers hold, rows shorter than a vector and longer, rows
// that are left over, and a bad index anywhere.
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

// Columns of few entries, all of which are loaded, where a row has a vector at least: sizes and
// lengths around what vectors hold, tables with gaps and backwards, and a bad index anywhere.
func TestGatherFewEntries(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for size := 1; size <= 34; size++ {
					for _, cols := range []int{7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130} {
						if testing.Short() && (size+cols)%2 != 0 {
							continue
						}
						rows := 1 + r.IntN(4)
						a := gatherArgs{Rows: rows, Cols: cols, Size: size, Step: cols + r.IntN(2), SrcRow: cols * r.IntN(2), SrcCol: 1, DstRow: cols, DstCol: 1, IdxRow: cols * r.IntN(2), IdxCol: 1,
							DstPad: r.IntN(17), IdxPad: r.IntN(17), Pattern: pick(r, patterns...), Bad: -1}
						if r.IntN(3) == 0 {
							a.Step = -a.Step
						}
						m.gather(r, m.elem, a).check(t, false, flush...)
						a.Bad, a.Value = r.IntN(rows*cols), r.IntN(16)
						m.gather(r, m.elem, a).check(t, false, flush...)
					}
				}
			})
		}
	})
}
