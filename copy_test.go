package lanes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
)

// copyArgs is a call of Copy.
type copyArgs struct {
	Rows, Cols                     int
	DstRow, DstCol, SrcRow, SrcCol int
	DstPad, SrcPad                 int
}

func copyCall[T lanes.Elem](r *rand.Rand, e elem, a copyArgs) *call {
	dst, dstLen := fit(a.Rows, a.Cols, a.DstRow, a.DstCol, a.DstPad)
	src, srcLen := fit(a.Rows, a.Cols, a.SrcRow, a.SrcCol, a.SrcPad)
	c := &call{
		op: "Copy", args: &a, output: true, rows: a.Rows, cols: a.Cols,
		buffers: []buffer{newBuffer("dst", dstLen, e.width), newBuffer("src", srcLen, e.width)},
		layouts: []layout{dst, src},
	}
	c.layouts[0].stream = r.IntN(2) == 0
	randomBytes(r, c.buffers[0].data)
	e.fill(r, c.buffers[1].data)
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		dst, src := plane[T](mem[0], c.layouts[0]), plane[T](mem[1], c.layouts[1])
		if oracle {
			generic.Copy(dst, src, c.rows, c.cols)
		} else {
			lanes.Copy(dst, src, c.rows, c.cols)
		}
		return -1
	}
	return c
}

// randomCopy chooses all but the columns.
func randomCopy(s source, cols int) copyArgs {
	a := copyArgs{Rows: 1, Cols: cols, DstPad: s.IntN(17), SrcPad: s.IntN(17)}
	if s.IntN(2) == 0 {
		a.Rows = pick(s, 0, 2, 3, 4, 5, 9, 17, 70)
	}
	if cols > 1000 {
		a.Rows = min(a.Rows, 4) // of 17 elements a step and 16 bytes each: there are fences for 64 MiB
	}
	a.DstRow, a.DstCol = cols, 1
	if s.IntN(3) == 0 {
		a.DstRow, a.DstCol = planeSteps(s, a.Rows, cols, true)
	}
	switch s.IntN(4) {
	case 0:
		a.SrcRow, a.SrcCol = planeSteps(s, a.Rows, cols, false)
	default:
		a.SrcCol = (1 + s.IntN(10)) * pick(s, 1, -1)
		if a.SrcCol == 10 || a.SrcCol == -10 {
			a.SrcCol = a.SrcCol / 10 * 17
		}
		a.SrcRow = pick(s, cols*a.SrcCol, cols*a.SrcCol+s.IntN(9), -cols, 1)
	}
	return a
}

// shortRows turns n elements into rows of a few, most of them reversed as
// pixels' channels are.
func shortRows(s source, n int) copyArgs {
	cols := pick(s, 2, 3, 4, 5, 7)
	a := copyArgs{Rows: n / cols, Cols: cols, DstRow: cols, DstCol: 1, SrcRow: cols, SrcCol: pick(s, -1, -1, 1, 2, -2),
		DstPad: s.IntN(17), SrcPad: s.IntN(17)}
	switch s.IntN(6) {
	case 0:
		a.DstRow += 1 + s.IntN(3)
	case 1:
		a.SrcRow += 1 + s.IntN(3)
	case 2: // planes apart
		a.DstRow, a.DstCol = 1, a.Rows
	case 3:
		a.SrcRow, a.SrcCol = 1, a.Rows
	}
	return a
}

// rowsArgs is a call of a primitive that takes offsets of rows.
type rowsArgs struct {
	Rows, Cols, Row, Col, Pad int    // the plane, one row of it for each offset
	Step                      int    // what the offsets' slice is at, col
	StepPad                   int    // elements before what the offsets reach
	Cells, Gap, Base          int    // the offsets are those of Cells rows, Gap apart, from -Base on
	Pattern                   string // of the cells
	Op                        lanes.Op
	Half                      lanes.Half
}

// offsetsOf returns the offsets, and the at and the length of the slice that they are into.
func (a rowsArgs) offsetsOf(r *rand.Rand, name string) (offsets buffer, at, length int) {
	lo, hi := 0, 0
	for _, last := range [...]int{max(a.Cells-1, 0) * a.Gap, max(a.Cols-1, 0) * a.Step} {
		lo, hi = lo+min(last, 0), hi+max(last, 0)
	}
	at, length = a.StepPad-lo+a.Base, a.StepPad+hi-lo+1
	offsets = newBuffer(name, a.Rows, wordBytes)
	for i, out := 0, elems[int](offsets.data); i < a.Rows; i++ {
		k := patternIndex(r, a.Pattern, i, a.Rows, a.Cells)
		if k < 0 {
			k += a.Cells
		}
		out[i] = k*a.Gap - a.Base
	}
	return offsets, at, length
}

const wordBytes = 4 << (^uint(0) >> 63)

// randomRows chooses all but the number of rows and columns.
func randomRows(s source, rows, cols int, distinct bool) rowsArgs {
	a := rowsArgs{Rows: rows, Cols: cols, Row: cols, Col: 1, Pad: s.IntN(17), Step: 1, StepPad: s.IntN(17),
		Cells: 1 + s.IntN(40), Gap: pick(s, cols, cols, cols, cols+s.IntN(9), -cols, 1, 3), Pattern: pick(s, patterns...)}
	if s.IntN(3) == 0 {
		a.Row, a.Col = planeSteps(s, rows, cols, distinct)
	}
	if s.IntN(3) == 0 {
		a.Step = pick(s, 2, -1, 0, 3, -2, 17)
	}
	if s.IntN(3) == 0 {
		a.Cells = pick(s, tableSizes...)
	}
	for a.Cells > 1 && a.Cells*max(a.Gap, -a.Gap) > 1<<13 {
		a.Cells /= 2
	}
	if s.IntN(3) == 0 {
		a.Base = s.IntN(1000) - 300
	}
	return a
}

func gatherRowsCall[T lanes.Elem](r *rand.Rand, e elem, a rowsArgs) *call {
	dst, dstLen := fit(a.Rows, a.Cols, a.Row, a.Col, a.Pad)
	offsets, at, srcLen := a.offsetsOf(r, "offsets")
	c := &call{
		op: "GatherRows", args: &a, output: true, rows: a.Rows, cols: a.Cols,
		buffers: []buffer{newBuffer("dst", dstLen, e.width), newBuffer("src", srcLen, e.width), offsets},
		layouts: []layout{dst, {at: at, col: a.Step}},
	}
	c.layouts[0].stream = r.IntN(2) == 0
	randomBytes(r, c.buffers[0].data)
	e.fill(r, c.buffers[1].data)
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		dst, src := plane[T](mem[0], c.layouts[0]), plane[T](mem[1], c.layouts[1])
		if oracle {
			generic.GatherRows(dst, src.Data, src.At, src.Col, elems[int](mem[2]), c.cols)
		} else {
			lanes.GatherRows(dst, src.Data, src.At, src.Col, elems[int](mem[2]), c.cols)
		}
		return -1
	}
	return c
}

// widths is a row for each width, for primitives that take no indices.
var widths = []struct {
	elem
	copy                func(*rand.Rand, elem, copyArgs) *call
	gatherRows, scatter func(*rand.Rand, elem, rowsArgs) *call
}{
	{elem{name: "x8", width: 1, parts: 1}, copyCall[uint8], gatherRowsCall[uint8], scatterCall[uint8]},
	{elem{name: "x16", width: 2, parts: 1, exp: 5}, copyCall[uint16], gatherRowsCall[uint16], scatterCall[uint16]},
	{elem{name: "x32", width: 4, parts: 1, exp: 8}, copyCall[float32], gatherRowsCall[float32], scatterCall[float32]},
	{elem{name: "x64", width: 8, parts: 1, exp: 11}, copyCall[float64], gatherRowsCall[float64], scatterCall[float64]},
	{elem{name: "x128", width: 16, parts: 1}, copyCall[lanes.X128], gatherRowsCall[lanes.X128], scatterCall[lanes.X128]},
}

func TestCopy(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				for _, n := range lengthsOf(w.width) {
					t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
						r := seeded(t, 0)
						for range repeated(8, 30) {
							c := w.copy(r, w.elem, randomCopy(r, n))
							c.check(t, false, c.somewhere(r))
							c = w.copy(r, w.elem, shortRows(r, n))
							c.check(t, false, c.somewhere(r))
						}
					})
				}
			})
		}
	})
}

// Every step of the source, dense and with gaps, and every short row reversed.
func TestCopySteps(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				r := seeded(t, 0)
				vector := 64 / w.width
				for _, step := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 64, 1000} {
					for n := 0; n <= 5*vector; n += 1 + r.IntN(vector/2+1)*repeated(3, 1) {
						for _, step := range []int{step, -step} {
							for _, dstStep := range []int{1, 1, 2, 3, -1} {
								a := copyArgs{Rows: 1 + r.IntN(3), Cols: n, DstRow: n*max(dstStep, 1) + r.IntN(3), DstCol: dstStep,
									SrcRow: r.IntN(2) * (n*step + 1), SrcCol: step, DstPad: r.IntN(17), SrcPad: r.IntN(17)}
								if dstStep == -1 {
									a.DstRow = n
								}
								c := w.copy(r, w.elem, a)
								c.check(t, false, flush[r.IntN(2)], c.somewhere(r))
							}
						}
					}
				}
				for _, cols := range []int{2, 3, 4, 5, 6, 7, 8, 9} {
					for rows := 0; rows <= 3*vector+2; rows += repeated(1+vector/4, 1) {
						for _, step := range []int{-1, 1} {
							a := copyArgs{Rows: rows, Cols: cols, DstRow: cols, DstCol: 1, SrcRow: cols, SrcCol: step, DstPad: r.IntN(17), SrcPad: r.IntN(17)}
							c := w.copy(r, w.elem, a)
							c.check(t, false, flush[r.IntN(2)], c.somewhere(r))
						}
					}
				}
			})
		}
	})
}

// Some MiB, past which stores may bypass the caches, from unaligned starts.
func TestCopyLarge(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				r := seeded(t, 0)
				n := (3<<20 + 12345) / w.width
				forms := []copyArgs{
					{Rows: 1, Cols: n, DstCol: 1, SrcCol: 1},
					{Rows: 1, Cols: n, DstCol: 1, SrcCol: -1},
					{Rows: 1, Cols: n, DstCol: 1, SrcCol: pick(r, 2, 4)},
					{Rows: 1, Cols: n, DstCol: 1, SrcCol: 3},
					{Rows: 1, Cols: n, DstCol: 1, SrcCol: -2},
					{Rows: 3, Cols: n / 3, DstRow: n/3 + 5, DstCol: 1, SrcRow: n/3 + 1, SrcCol: 1},
					{Rows: n / 1001, Cols: 1001, DstRow: 1003, DstCol: 1, SrcRow: 1002, SrcCol: 1},
					{Rows: n / 3, Cols: 3, DstRow: 3, DstCol: 1, SrcRow: 3, SrcCol: -1},
					{Rows: n / 4, Cols: 4, DstRow: 4, DstCol: 1, SrcRow: 4, SrcCol: -1},
					{Rows: 3, Cols: n / 3, DstRow: n / 3, DstCol: 1, SrcRow: 1, SrcCol: 3},
					{Rows: n / 3, Cols: 3, DstRow: 3, DstCol: 1, SrcRow: 1, SrcCol: n / 3},
					{Rows: 1003, Cols: n / 700, DstRow: n/700 + 3, DstCol: 1, SrcRow: 1, SrcCol: 1005},
				}
				if testing.Short() {
					forms = []copyArgs{forms[r.IntN(2)*5], forms[1+r.IntN(4)]}
				}
				for _, a := range forms {
					a.DstPad, a.SrcPad = r.IntN(17), r.IntN(17)
					c := w.copy(r, w.elem, a)
					c.check(t, false, c.somewhere(r))
				}
			})
		}
	})
}

// TestCopyAcross: rows that share cache lines of src, next to each other, which tiles exchange with
// columns, also if there are fewer rows, and with gaps, by way of a buffer or so that as many
// columns are copied at a time as a cache holds. There are tiles, pieces and blocks of them, runs
// that go past the caches, and some more or fewer rows and columns.
func TestCopyAcross(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				r := seeded(t, 0)
				for _, rows := range []int{16, 32, 64, 80, 200, 273, 276, 1100} {
					for _, cols := range []int{3, 6, 8 / w.width, 16 / w.width, 32 / w.width, 64 / w.width, 512 / w.width, 520 / w.width, 1100 / w.width,
						2048 / w.width, 2048/w.width + min(16/w.width, 8), 4200 / w.width} {
						for range repeated(1, 5) {
							a := copyArgs{Rows: max(0, rows/w.width+r.IntN(3)-1), Cols: max(0, cols+r.IntN(3)-1), DstCol: 1, SrcRow: 1,
								DstPad: r.IntN(17), SrcPad: r.IntN(17)}
							a.DstRow = a.Cols + r.IntN(2)*r.IntN(20)
							a.SrcCol = (a.Rows + r.IntN(2)*r.IntN(20)) * pick(r, 1, 1, -1)
							c := w.copy(r, w.elem, a)
							c.check(t, false, flush[r.IntN(2)], c.somewhere(r))
						}
					}
				}
				for rows := 1; rows < 16/w.width; rows++ { // fewer than those of a tile
					for _, cols := range []int{60, 64, 66, 256 / w.width, 272/w.width + 1, 700} {
						gap := pick(r, 0, 1, 4, 20, 300)
						a := copyArgs{Rows: rows, Cols: cols + r.IntN(3), DstCol: 1, SrcRow: 1, SrcCol: rows + gap, DstPad: r.IntN(17), SrcPad: r.IntN(17)}
						a.DstRow = a.Cols + r.IntN(2)*r.IntN(20)
						c := w.copy(r, w.elem, a)
						c.check(t, false, flush[r.IntN(2)], c.somewhere(r))
					}
				}
				for _, rows := range []int{63, 64, 65, 130, 513 / w.width, 1100 / w.width} {
					for _, cols := range []int{7, 8, 20, 64, 65, 72, 130} {
						gap := pick(r, 2, 3, 5, 16/w.width)
						a := copyArgs{Rows: rows, Cols: cols, DstRow: cols + r.IntN(2)*r.IntN(20), DstCol: 1, SrcRow: gap * pick(r, 1, -1),
							SrcCol: (rows*gap + r.IntN(2)*r.IntN(20)) * pick(r, 1, -1), DstPad: r.IntN(17), SrcPad: r.IntN(17)}
						c := w.copy(r, w.elem, a)
						c.check(t, false, flush[r.IntN(2)], c.somewhere(r))
					}
				}
				for _, cols := range []int{512, 513, 575, 576, 640, 641, 1500} {
					for range repeated(2, 8) {
						gap := pick(r, 2, 3, 5, 63/w.width, 64/w.width)
						a := copyArgs{Rows: 1 + r.IntN(6), Cols: cols, DstRow: cols + r.IntN(3), DstCol: 1, SrcRow: gap * pick(r, 1, -1),
							SrcCol: max(64/w.width, 6*gap) * pick(r, 1, -1), DstPad: r.IntN(17), SrcPad: r.IntN(17)}
						c := w.copy(r, w.elem, a)
						c.check(t, false, flush[r.IntN(2)], c.somewhere(r))
					}
				}
			})
		}
	})
}

// TestCopyLong: runs of about a piece and of some, aligned and not, also onto themselves: what dst
// and src share is copied before it is overwritten, within a piece. Nothing beside them changes.
func TestCopyLong(t *testing.T) {
	const piece, pad = 256 << 10, 130
	eachLevel(t, func(t *testing.T) {
		for _, n := range []int{63, 64, 65, 127, 128, piece - 1, piece, piece + 63, piece + 64, 2*piece + 63, 2*piece + 64} {
			for _, apart := range []int{0, 1, 63, -1, -64, n + 1, -n - 1} { // of src, from dst
				if n > piece && apart < 0 && apart > -n {
					continue // a later piece is overwritten by one before it
				}
				for _, at := range []int{0, 1, 63} {
					memory := make([]byte, 3*n+2*pad)
					for i := range memory {
						memory[i] = byte(i * 7 >> 3)
					}
					want := slices.Clone(memory)
					dst := n + pad + at
					copy(want[dst:dst+n], memory[dst+apart:dst+apart+n])
					lanes.Copy(lanes.Plane[byte]{Data: memory, At: dst, Col: 1}, lanes.Plane[byte]{Data: memory, At: dst + apart, Col: 1}, 1, n)
					if !slices.Equal(memory, want) {
						t.Fatalf("%d bytes from %d, %d from dst: differ", n, at, apart)
					}
				}
			}
		}
	})
}

func TestGatherRows(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				for cols := 1; cols <= max(300/w.width, 33); cols++ { // to 300 bytes
					t.Run(fmt.Sprintf("cols=%d", cols), func(t *testing.T) {
						r := seeded(t, 0)
						for range repeated(8, 20) {
							c := w.gatherRows(r, w.elem, randomRows(r, r.IntN(20), cols, true))
							c.check(t, false, c.somewhere(r))
						}
					})
				}
				for _, n := range lengthsOf(w.width) { // single elements
					t.Run(fmt.Sprintf("cols=1/n=%d", n), func(t *testing.T) {
						r := seeded(t, 0)
						for range repeated(4, 10) {
							c := w.gatherRows(r, w.elem, randomRows(r, n, 1, true))
							c.check(t, false, c.somewhere(r))
						}
					})
				}
				for _, cols := range []int{0, 1, 2, 3, 5, 300, 1000}[repeated(4, 0):] {
					t.Run(fmt.Sprintf("large/cols=%d", cols), func(t *testing.T) {
						r := seeded(t, 0)
						a := randomRows(r, (1<<20+r.IntN(5000))/w.width/max(cols, 1), cols, true)
						if a.Col > 3 || a.Row > 3*cols+17 {
							a.Row, a.Col = cols, 1
						}
						c := w.gatherRows(r, w.elem, a)
						c.check(t, false, c.somewhere(r))
					})
				}
			})
		}
	})
}

func init() {
	for _, w := range widths {
		fenced = append(fenced, fence{"Copy", w.name, "none", w.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomCopy(r, n)
			if r.IntN(4) == 0 {
				a = shortRows(r, n)
			}
			if plain {
				a = copyArgs{Rows: 1, Cols: n, DstCol: 1, SrcCol: pick(r, 1, 1, -1, 2, 3, 4, -2)}
			}
			a.DstPad, a.SrcPad = offset, (offset+n)%16
			return w.copy(r, w.elem, a)
		}})
		rows := func(r *rand.Rand, n, offset int, plain, distinct bool) rowsArgs {
			a := randomRows(r, r.IntN(4), n, distinct)
			switch {
			case plain && offset%2 == 0:
				a = rowsArgs{Rows: 2, Cols: n, Row: n, Col: 1, Step: 1, Cells: 2, Gap: n, Pattern: "random"}
			case plain:
				a = rowsArgs{Rows: n, Cols: 1, Row: 1, Col: 1, Step: 1, Cells: 1 + r.IntN(33), Gap: 1, Pattern: "random"}
			}
			a.Cells = min(a.Cells, 64)
			a.Pad, a.StepPad = offset, (offset+n)%16
			return a
		}
		fenced = append(fenced, fence{"GatherRows", w.name, "offset", w.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			return w.gatherRows(r, w.elem, rows(r, n, offset, plain, true))
		}})
		fenced = append(fenced, fence{"Scatter", w.name, "offset", w.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			return w.scatter(r, w.elem, rows(r, n, offset, plain, false))
		}})
	}
}

// TestStreamedStepsAlign: a single row is written past the caches from an aligned address on,
// upwards and downwards, wherever it begins.
func TestStreamedStepsAlign(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		testStreamedSteps[uint8](t)
		testStreamedSteps[uint16](t)
		testStreamedSteps[uint32](t)
		testStreamedSteps[uint64](t)
	})
}

func testStreamedSteps[T uint8 | uint16 | uint32 | uint64](t *testing.T) {
	const most = 600
	src := make([]T, 6*most)
	for i := range src {
		src[i] = T(i)
	}
	for _, step := range []int{-3, -2, -1, 2, 3} {
		for _, cols := range []int{150, 257, most} {
			for at := range 70 {
				dst := make([]T, at+most)
				lanes.Copy(lanes.Plane[T]{Data: dst, At: at, Col: 1, Stream: true}, lanes.Plane[T]{Data: src, At: 3 * most, Col: step}, 1, cols)
				for j, x := range dst[at : at+cols] {
					if want := src[3*most+j*step]; x != want {
						t.Fatalf("%T, step %d, %d columns, at %d: %v at %d, want %v", dst, step, cols, at, x, j, want)
					}
				}
			}
		}
	}
}

// TestKeptPermutations: a copy does not take the permutations of one before it, which differs in
// one respect.
func TestKeptPermutations(t *testing.T) {
	const rows, row = 1000, 8
	src := make([]uint8, rows*row)
	for i := range src {
		src[i] = uint8(i)
	}
	check := func(t *testing.T, cols int) {
		dst := make([]uint8, rows*cols)
		lanes.Copy(lanes.Plane[uint8]{Data: dst, Row: cols, Col: 1}, lanes.Plane[uint8]{Data: src, At: row - 1, Row: row, Col: -1}, rows, cols)
		for i, x := range dst {
			require.Equal(t, src[i/cols*row+row-1-i%cols], x, "element %d of rows of %d", i, cols)
		}
	}
	eachLevel(t, func(t *testing.T) {
		for _, cols := range []int{5, 6, 7, 5, 7, 6, 5} {
			check(t, cols)
		}
	})
	for range 2 { // levels in turn
		for _, cols := range []int{5, 6, 7} {
			eachLevel(t, func(t *testing.T) { check(t, cols) })
		}
	}
}
