package lanes_test

import (
	"fmt"
	"testing"
)

// Columns of few entries, all of which are loaded, where a row has a vector at least: sizes and lengths around what vectors hold,
// tables with gaps and backwards, and a bad index anywhere.
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
