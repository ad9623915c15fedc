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
