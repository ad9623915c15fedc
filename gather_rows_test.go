package lanes_test

import (
	"fmt"
	"testing"
	"unsafe"

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

// TestUnevenRowsStreamed: rows of a large dst that are no whole cache lines, which follow each other
// or do not, several runs of them, from any address on. Nothing beside them changes.
func TestUnevenRowsStreamed(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		testUnevenRows[uint8](t)
		testUnevenRows[uint16](t)
		testUnevenRows[uint32](t)
		testUnevenRows[uint64](t)
	})
}

func testUnevenRows[T uint8 | uint16 | uint32 | uint64](t *testing.T) {
	const bytes, pad = 16 << 20, 300
	width := int(unsafe.Sizeof(T(0)))
	dst, src := make([]T, bytes/width), make([]T, 10_000/width)
	for i := range src {
		src[i] = T(i*7+i>>8) | 1
	}
	r := seeded(t, 0)
	for _, cols := range []int{64 / width, 65/width + 1, 500 / width, 2040 / width} {
		for _, gap := range []int{0, 1} {
			for _, n := range []int{1, 3, 150} {
				row, at := cols+gap, pad+r.IntN(64)
				offsets := make([]int, n)
				for i := range offsets {
					offsets[i] = r.IntN(len(src) - cols)
				}
				lanes.GatherRows(lanes.Plane[T]{Data: dst, At: at, Row: row, Col: 1, Stream: true}, src, 0, 1, offsets, cols)
				want := make([]T, at+n*row+pad)
				for i, o := range offsets {
					copy(want[at+i*row:], src[o:o+cols])
				}
				require.Equal(t, want, dst[:len(want)], "%d rows of %d %T, gaps of %d, at %d", n, cols, T(0), gap, at)
				clear(dst[:len(want)])
			}
		}
	}
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
