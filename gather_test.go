package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
)

// A source makes the choices of a call: random numbers, or the bytes of a fuzz input.
type source interface{ IntN(n int) int }

func pick[T any](s source, of ...T) T { return of[s.IntN(len(of))] }

// The sizes of tables, around what registers and vectors hold.
var tableSizes = []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 5000}

// planeSteps returns the steps between the rows and the columns of a plane.
// distinct says that its elements must be: it is written in any order.
func planeSteps(s source, rows, cols int, distinct bool) (row, col int) {
	kinds := 9
	if !distinct {
		kinds = 13
	}
	gap := 1 + s.IntN(17)
	switch s.IntN(kinds) {
	case 0, 1, 2:
		return cols, 1
	case 3:
		return cols + gap, 1
	case 4:
		return -cols - gap, 1
	case 5:
		col = 2 + s.IntN(3)
		return col * cols, col
	case 6:
		return cols, -1
	case 7:
		return -2*cols - gap, -2
	case 8:
		return 1, rows // turned
	case 9:
		return 0, 1
	case 10:
		return gap, 0
	case 11:
		return 0, 0
	default:
		return gap, pick(s, -3, -1, 1, 2, 17)
	}
}

// The orders that indices come in.
var patterns = []string{"equal", "runs", "sorted", "reversed", "random", "extremes", "front", "random"}

// patternIndex returns the index at place j of n, into an axis of the given size,
// that a pattern has; negative ones count from the end.
func patternIndex(r *rand.Rand, pattern string, j, n, size int) int {
	switch pattern {
	case "equal":
		return n % size
	case "runs":
		return j / 5 * 7 % size
	case "sorted":
		return int(uint64(j) * uint64(size) / uint64(max(n, 1)) % uint64(size))
	case "reversed":
		return -1 - j%size
	case "extremes":
		return [...]int{0, size - 1, -1, -size}[r.IntN(4)]
	case "front": // few cells, so that they come again
		return r.IntN(min(size, 4))
	default:
		k := r.IntN(size)
		if r.IntN(2) == 0 {
			k -= size
		}
		return k
	}
}

// badIndices are the indices just outside an axis of a size, and those that
// wrap to one inside when they lose bits or signs.
func badIndices[I lanes.Index](size int) []I {
	var z I
	bits := 8 * int(unsafe.Sizeof(z))
	largest, smallest := int64(math.MaxInt64)>>(64-bits), int64(math.MinInt64)>>(64-bits)
	var bad []I
	for _, v := range []int64{int64(size), -int64(size) - 1, largest, smallest, 1 << 31, -1<<31 - 1, 1 << 32, -1 << 32, 1<<32 - 1, smallest + 1} {
		inside := v >= -int64(size) && v < int64(size)
		if v >= smallest && v <= largest && !inside {
			bad = append(bad, I(v))
		}
	}
	return bad
}

// gatherArgs is a call of Gather.
type gatherArgs struct {
	Rows, Cols, Size, Step                         int
	DstRow, DstCol, SrcRow, SrcCol, IdxRow, IdxCol int
	DstPad, SrcPad, IdxPad                         int // elements before the planes
	Pattern                                        string
	Bad, Value                                     int // the place of a bad index, -1 for none, and which one
}

func gatherCall[T lanes.Elem, I lanes.Index](r *rand.Rand, e elem, a gatherArgs) *call {
	var x I
	dst, dstLen := fit(a.Rows, a.Cols, a.DstRow, a.DstCol, a.DstPad)
	idx, idxLen := fit(a.Rows, a.Cols, a.IdxRow, a.IdxCol, a.IdxPad)
	src, srcLen := fit(max(a.Rows, 1), max(a.Cols, 1), a.SrcRow, a.SrcCol, a.SrcPad)
	if reach := max(a.Size-1, 0) * a.Step; reach < 0 {
		src.at, srcLen = src.at-reach, srcLen-reach
	} else {
		srcLen += reach
	}
	if a.Size == 0 && a.Rows <= 1 {
		srcLen = src.at // a table without elements
	}
	c := &call{
		op: "Gather", args: &a, output: true, partial: true, rows: a.Rows, cols: a.Cols,
		buffers: []buffer{newBuffer("dst", dstLen, e.width), newBuffer("src", srcLen, e.width), newBuffer("indices", idxLen, int(unsafe.Sizeof(x)))},
		layouts: []layout{dst, src, idx},
	}
	c.layouts[0].stream = r.IntN(2) == 0
	randomBytes(r, c.buffers[0].data)
	e.fill(r, c.buffers[1].data)
	fillIndices[I](r, c.buffers[2].data, idx, a.Rows, a.Cols, a.Pattern, a.Bad, a.Value, func(int) int { return a.Size })
	size, step := a.Size, a.Step
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		dst, src, idx := plane[T](mem[0], c.layouts[0]), plane[T](mem[1], c.layouts[1]), plane[I](mem[2], c.layouts[2])
		if oracle {
			return generic.Gather(dst, src, size, step, idx, c.rows, c.cols)
		}
		return lanes.Gather(dst, src, size, step, idx, c.rows, c.cols)
	}
	return c
}

// fillIndices sets the indices of a plane, and what is not in the plane to bad
// ones, which nobody may look at.
func fillIndices[I lanes.Index](r *rand.Rand, b []byte, l layout, rows, cols int, pattern string, bad, value int, size func(j int) int) {
	out := elems[I](b)
	for i := range out {
		out[i] = math.MinInt32
	}
	for i := range rows {
		for j := range cols {
			out[l.at+i*l.row+j*l.col] = 0
			if d := size(j); d > 0 {
				out[l.at+i*l.row+j*l.col] = I(patternIndex(r, pattern, i*cols+j, rows*cols, d))
			}
		}
	}
	if bad >= 0 {
		values := badIndices[I](size(bad % cols))
		if len(values) > 0 { // an axis may be so large that no index is outside
			out[l.at+bad/cols*l.row+bad%cols*l.col] = values[value%len(values)]
		}
	}
}

// randomGather chooses all but the columns.
func randomGather(s source, cols int) gatherArgs {
	a := gatherArgs{Rows: 1, Cols: cols, Size: pick(s, tableSizes...), Step: 1, Pattern: pick(s, patterns...), Bad: -1,
		DstPad: s.IntN(17), SrcPad: s.IntN(17), IdxPad: s.IntN(17)}
	if s.IntN(2) == 0 {
		a.Rows = pick(s, 0, 2, 3, 4, 5, 9)
	}
	a.DstRow, a.DstCol, a.IdxRow, a.IdxCol = cols, 1, cols, 1
	if s.IntN(3) == 0 {
		a.DstRow, a.DstCol = planeSteps(s, a.Rows, cols, true)
	}
	if s.IntN(3) == 0 {
		a.IdxRow, a.IdxCol = planeSteps(s, a.Rows, cols, false)
	}
	switch gap := s.IntN(5); s.IntN(8) {
	case 0, 1, 2: // a table, the same for all rows or one a row
		a.SrcRow = pick(s, 0, a.Size, a.Size+gap, -a.Size-gap)
	case 3, 4: // columns
		a.SrcCol, a.Step, a.SrcRow = 1, max(cols+gap, 1), pick(s, 0, cols, -cols)
	case 5: // columns backwards
		a.SrcCol, a.Step = pick(s, 1, -1), -max(cols+gap, 1)
	case 6: // a table with gaps
		a.Step, a.SrcRow = pick(s, 2, 3, -1, -2, 17), gap
	default:
		a.SrcRow, a.SrcCol, a.Step = s.IntN(5)-2, s.IntN(7)-3, s.IntN(9)-4
	}
	if s.IntN(16) == 0 {
		a.Size = 0 // every index is bad
	}
	if s.IntN(16) == 0 {
		// An axis of any size fits where steps are 0.
		a.Step, a.Size = 0, pick(s, 1<<31-1, min(1<<40, math.MaxInt), math.MaxInt)
	}
	for a.Size*max(a.Step, -a.Step) > 1<<13 {
		a.Size /= 2
	}
	if n := a.Rows * cols; n > 0 {
		if s.IntN(4) == 0 || a.Size == 0 {
			a.Bad, a.Value = s.IntN(n), s.IntN(16)
		}
	}
	return a
}

// moves is a row for each width and index type: what picks a body for movement.
var moves = []struct {
	elem
	idx    string
	gather func(*rand.Rand, elem, gatherArgs) *call
}{
	{elem{name: "x8", width: 1, parts: 1}, "i32", gatherCall[uint8, int32]},
	{elem{name: "x8", width: 1, parts: 1}, "i64", gatherCall[uint8, int64]},
	{elem{name: "x16", width: 2, parts: 1, exp: 5}, "i32", gatherCall[uint16, int32]},
	{elem{name: "x16", width: 2, parts: 1, exp: 8}, "i64", gatherCall[uint16, int64]},
	{elem{name: "x32", width: 4, parts: 1, exp: 8}, "i32", gatherCall[float32, int32]},
	{elem{name: "x32", width: 4, parts: 1, exp: 8}, "i64", gatherCall[float32, int64]},
	{elem{name: "x64", width: 8, parts: 1, exp: 11}, "i32", gatherCall[float64, int32]},
	{elem{name: "x64", width: 8, parts: 1, exp: 11}, "i64", gatherCall[float64, int64]},
	{elem{name: "x128", width: 16, parts: 1}, "i32", gatherCall[lanes.X128, int32]},
	{elem{name: "x128", width: 16, parts: 1}, "i64", gatherCall[lanes.X128, int64]},
}

// lengthsOf returns every length to beyond four vectors.
func lengthsOf(width int) []int {
	last := 4*64/width + min(64/width, 17) + 1
	n := make([]int, last+1)
	for i := range n {
		n[i] = i
	}
	return n
}

// repeated is how often a random call of each length is made.
func repeated(short, full int) int {
	if testing.Short() {
		return short
	}
	return full
}

func TestGather(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				for _, n := range lengthsOf(m.width) {
					t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
						r := seeded(t, 0)
						for range repeated(4, 12) {
							c := m.gather(r, m.elem, randomGather(r, n))
							oftenWithoutCaches(r, func() { c.check(t, false, c.somewhere(r)) })
						}
					})
				}
			})
		}
	})
}

// Every size of table with every pattern, as a table and as columns.
func TestGatherTables(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				vector := 64 / m.width
				for _, size := range tableSizes {
					for _, pattern := range patterns {
						for _, n := range []int{vector + r.IntN(vector), 4*vector + r.IntN(2*vector), 300 + r.IntN(100)}[:repeated(2, 3)] {
							a := gatherArgs{Rows: 1 + r.IntN(3), Cols: n, Size: size, Step: 1, DstRow: n, DstCol: 1, IdxRow: n, IdxCol: 1,
								DstPad: r.IntN(17), SrcPad: r.IntN(17), IdxPad: r.IntN(17), Pattern: pattern, Bad: -1}
							c := m.gather(r, m.elem, a)
							c.check(t, false, flush[0], c.somewhere(r))
							if size <= 128 {
								a.SrcCol, a.Step = 1, n+r.IntN(3)
								c := m.gather(r, m.elem, a)
								c.check(t, false, c.somewhere(r))
							}
						}
					}
				}
			})
		}
	})
}

// Rows that may be shorter than what comes before an aligned store, which must not reach into the
// next.
func TestGatherShortRows(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				vector := 64 / m.width
				for cols := 1; cols <= vector+1; cols++ {
					for pad := 0; pad < vector; pad += repeated(1+vector/8, 1) {
						for way := range 4 { // rows that end inside of a line are streamed if there is one
							srcCol := way % 2
							a := gatherArgs{Rows: 1 + way/2*2, Cols: cols, Size: 9, Step: 1, DstRow: cols, DstCol: 1, IdxRow: cols, IdxCol: 1, DstPad: pad, Pattern: "random", Bad: -1}
							if srcCol == 1 {
								a.SrcCol, a.Step = 1, cols
							}
							c := m.gather(r, m.elem, a)
							c.layouts[0].stream = true
							c.check(t, false, c.somewhere(r), flush[0])
						}
					}
				}
			})
		}
	})
}

// A bad index at every place, the first of two included: the position that is returned is exact.
func TestGatherBadIndex(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				vector := 64 / m.width
				for _, rows := range []int{1, 3} {
					cols := (2*vector + 5) / rows
					for bad := range rows * cols {
						for value := range 8 {
							a := gatherArgs{Rows: rows, Cols: cols, Size: tableSizes[(bad+value)%22], Step: 1, DstRow: cols + 1, DstCol: 1, IdxRow: cols, IdxCol: 1,
								DstPad: r.IntN(17), IdxPad: r.IntN(17), Pattern: "random", Bad: bad, Value: value}
							if r.IntN(3) == 0 {
								a.SrcCol, a.Step = 1, cols
							}
							c := m.gather(r, m.elem, a)
							if r.IntN(2) == 0 { // another one, before or after it
								other := m.gather(r, m.elem, a).buffers[2].data
								width := c.buffers[2].width
								at := (c.layouts[2].at + r.IntN(rows*cols)) * width
								copy(c.buffers[2].data[at:at+width], other[(c.layouts[2].at+bad)*width:])
							}
							c.check(t, false, c.somewhere(r))
						}
					}
				}
			})
		}
	})
}

// Long calls, which run in pieces, with a bad index in one of them or none.
func TestGatherLong(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range moves {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range []int{4095, 4097, 8191, 8192, 8193, 20011}[repeated(3, 0):] {
					for _, bad := range []int{-1, 4096, 8192, n - 1} {
						a := gatherArgs{Rows: 1, Cols: n, Size: pick(r, tableSizes...), Step: 1, DstRow: n, DstCol: 1, IdxRow: n, IdxCol: 1,
							DstPad: r.IntN(17), IdxPad: r.IntN(17), Pattern: pick(r, patterns...), Bad: min(bad, n-1)}
						if a.Size <= 16 && r.IntN(2) == 0 {
							a.SrcCol, a.Step = r.IntN(2), 1+r.IntN(2)
						}
						if r.IntN(4) == 0 { // many short rows
							a.Rows, a.Cols = n/7, 7
							a.Bad = min(a.Bad, a.Rows*a.Cols-1)
							a.DstRow, a.IdxRow = 7+r.IntN(2), 7
						}
						c := m.gather(r, m.elem, a)
						c.check(t, false, c.somewhere(r))
					}
				}
			})
		}
	})
}

// An index of 64 bits counts whole: what is good but for its upper half is bad, at every
// position of a step. Size and length are those of tables in registers, too.
func testUpperHalves[T lanes.Elem](t *testing.T) {
	const size, cols = 64, 300
	dst, src, x := make([]T, cols), make([]T, size), make([]int64, cols)
	for j := range x {
		x[j] = int64(j%(2*size) - size)
	}
	gather := func() int {
		return lanes.Gather(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src}, size, 1, lanes.Plane[int64]{Data: x, Col: 1}, 1, cols)
	}
	require.Equal(t, -1, gather())
	for j := 100; j < 164; j++ {
		for _, far := range []int64{1 << 32, -1 << 32, 1 << 31, 1 << 63 >> 1, -1 << 63} {
			x[j] += far
			require.Equal(t, j, gather(), "index %d", x[j])
			x[j] -= far
		}
	}
}

func TestGatherUpperHalves(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		t.Run("elem=x8", testUpperHalves[uint8])
		t.Run("elem=x16", testUpperHalves[uint16])
		t.Run("elem=x32", testUpperHalves[uint32])
		t.Run("elem=x64", testUpperHalves[uint64])
		t.Run("elem=x128", testUpperHalves[lanes.X128])
	})
}

func init() {
	for _, m := range moves {
		fenced = append(fenced, fence{"Gather", m.name, m.idx, m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomGather(r, n)
			a.Size = min(a.Size, 256) // copying the table must not take most of the time
			if plain {
				a.Rows, a.DstRow, a.DstCol, a.IdxRow, a.IdxCol, a.Bad = 1, n, 1, n, 1, -1
				a.SrcRow, a.SrcCol, a.Step, a.Size = 0, 0, 1, pick(r, 1, 3, 8, 16, 40, 128, 130)
			}
			if a.Step != 0 && a.Size*a.Step*m.width > 1<<13 {
				a.Size = 7
			}
			a.DstPad, a.SrcPad, a.IdxPad = offset, (offset+n)%16, offset*3%16
			return m.gather(r, m.elem, a)
		}})
	}
}
