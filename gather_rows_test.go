package lanes_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
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

// TestGatherRowsStreamed: rows that are long enough to be written past the caches wherever they
// begin.
func TestGatherRowsStreamed(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				r := seeded(t, 0)
				for pad := range 70 {
					cols := (2<<10)/w.width + r.IntN(200)
					c := w.gatherRows(r, w.elem, rowsArgs{Rows: 3, Cols: cols, Row: cols + pad%3, Col: 1, Pad: pad, Step: 1, StepPad: r.IntN(17), Cells: 4, Gap: cols, Pattern: "random"})
					c.layouts[0].stream = true
					c.check(t, false, c.somewhere(r))
				}
			})
		}
	})
}

// TestSameIndices: rows with the same indices, a row of which is one block of offsets or more.
// Negative ones are resolved to offsets.
func TestSameIndices(t *testing.T) {
	const rows, size = 5, 300
	src := make([]uint32, rows*size)
	for i := range src {
		src[i] = uint32(i)
	}
	eachLevel(t, func(t *testing.T) {
		for _, cols := range []int{16, 511, 512, 513, 1000, 2000} {
			indices, dst := make([]int64, cols), make([]uint32, rows*cols)
			for j := range indices {
				indices[j] = int64(j*7%size - size*(j%2))
			}
			bad := lanes.Gather(lanes.Plane[uint32]{Data: dst, Row: cols, Col: 1}, lanes.Plane[uint32]{Data: src, Row: size},
				size, 1, lanes.Plane[int64]{Data: indices, Col: 1}, rows, cols)
			require.Equal(t, -1, bad)
			for i, x := range dst {
				require.Equal(t, uint32(i/cols*size+i%cols*7%size), x, "element %d of %d columns", i, cols)
			}
		}
	})
}
