package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// update combines a run of updates into the cells at each offset. Without a reduction the last
// update stays.
func (c *call) update(at, col int, offsets []int, updates lanes.Window, cols int) {
	switch short := cols > 1 && c.shortRun(col, cols); {
	case short && cols >= leastCells && c.nearer(col):
		c.updateApart(at, col, offsets, updates, cols)
	case cols > 1 && c.adds() && col == 1 && updates.Col == 1 && len(offsets) <= blockLen:
		c.addParts(at, offsets, updates, cols)
	case short && leastColumn <= len(offsets) && len(offsets) <= blockLen:
		c.updateColumns(at, col, offsets, updates, cols)
	default:
		c.updateRuns(c.dst, at, col, offsets, updates, cols)
	}
}

func (c *call) updateRuns(dst lanes.Memory, at, col int, offsets []int, updates lanes.Window, cols int) {
	if c.elem.reduces() {
		lanes.ScatterReduceRaw(c.attrs.op(), dst, at, col, offsets, updates, cols)
	} else {
		lanes.ScatterRaw(dst, at, col, offsets, updates, cols)
	}
}

// leastColumn is the least number of runs for which a column of them is worth its copy.
const leastColumn = 16

// shortRun reports whether runs are updated column by column: where no vector combines a run, or to
// begin one takes longer than its elements do. (Zen 4, ns an element, run by run and column by
// column: sums of float16 in twos 10.4 and 2.5, of uint8 in twos 2.3 and 1.2, of eight 1.0 and
// 1.0.)
func (c *call) shortRun(col, cols int) bool {
	if !c.elem.reduces() {
		return col != 1 && cols <= 8
	}
	return col != 1 || cols <= 8 && !c.combinesRows(cols)
}

// combinesRows reports whether vectors combine runs of so many elements, of which there are
// products of wider integers alone.
func (c *call) combinesRows(cols int) bool {
	kind := c.elem.kind
	_, half := kind.Half()
	return dispatch.CombinesRows(cols, kind.Width()) && (c.attrs.Reduction != Prod || kind.Width() > 2 || half || kind == lanes.KindBool)
}

// updateColumns is update a column at a time, of updates that are side by side
// then. The cells of two columns are different ones, so each keeps its order of updates.
//
//	for j := range cols {
//		for i, o := range offsets { dst[at+j*col+o] += updates(i, j) }
//	}
func (c *call) updateColumns(at, col int, offsets []int, updates lanes.Window, cols int) {
	var scratch [blockLen][2]uint64
	dense := lanes.Window{Memory: lanes.Memory{Ptr: unsafe.Pointer(&scratch), Len: len(offsets), Kind: updates.Kind}, Row: 1, Col: 1}
	column := lanes.Window{Memory: updates.Memory, At: updates.At, Col: updates.Row}
	for range cols {
		lanes.CopyRaw(dense, column, 1, len(offsets))
		c.updateRuns(c.dst, at, 1, offsets, dense, 1)
		at += col
		column.At += updates.Col
	}
}

// leastCells is the least number of cells that lie apart for which they are updated run by run, and
// not column by column. (BenchmarkCellsApart. Zen 3, ns an element by columns and by runs, of 32
// cells: float64 4.6 and 4.6, int16 2.6 and 3.1; of 64 5.5 and 3.1, 2.6 and 1.9; of 200 6.1 and
// 1.6, 4.1 and 2.1.)
var leastCells = 48

// nearer reports whether cells so far apart are nearer than those that two indices name.
func (c *call) nearer(col int) bool {
	step := c.step
	if n := len(c.tuples.sizes); n > 0 {
		step = c.tuples.all()[n-1]
	}
	return max(col, -col) < max(step, -step)
}

// updateApart is update for runs of cells that lie apart, run by run. Where they lie is the same for
// each run, and the offsets of single cells.
//
//	for i, o := range offsets {
//		for j := range cols { dst[at+o+j*col] += updates(i, j) }
//	}
func (c *call) updateApart(at, col int, offsets []int, updates lanes.Window, cols int) {
	var pattern [blockLen]int
	n := min(cols, blockLen)
	for j := range n {
		pattern[j] = j * col
	}
	for _, o := range offsets {
		cells := updates
		cells.Row, cells.Col = updates.Col, 1
		for j := 0; j < cols; j += n {
			m := min(n, cols-j)
			c.updateRuns(c.dst, at+o+j*col, 1, pattern[:m], cells, 1)
			cells.At += m * updates.Col
		}
		updates.At += updates.Row
	}
}

// adds reports whether elements are complex numbers that are added.
func (c *call) adds() bool {
	return (c.attrs.Reduction == Sum || c.attrs.Reduction == Sub) && (c.elem.kind == lanes.KindC64 || c.elem.kind == lanes.KindC128)
}

// addParts is update for a run of complex numbers that are added, which is one of
// twice as many floats.
func (c *call) addParts(at int, offsets []int, updates lanes.Window, cols int) {
	var scratch [blockLen]int
	twice := scratch[:len(offsets)]
	for i, o := range offsets {
		twice[i] = 2 * o
	}
	dst, kind := c.dst, c.elem.kind-lanes.KindC64+lanes.KindF32
	dst.Kind, dst.Len = kind, 2*dst.Len
	updates.Kind, updates.Len, updates.At, updates.Row = kind, 2*updates.Len, 2*updates.At, 2*updates.Row
	c.updateRuns(dst, 2*at, 1, twice, updates, 2*cols)
}

// op is the reduction as primitives name it.
func (a *ScatterAttrs) op() lanes.Op {
	return [...]lanes.Op{Sum: lanes.Sum, Prod: lanes.Prod, Min: lanes.Min, Max: lanes.Max, Mean: lanes.Sum, Sub: lanes.Sub}[a.Reduction]
}

// fills reports whether updated cells start from the identity and not from their data.
func (a *ScatterAttrs) fills() bool { return a.IgnoreInit && a.Reduction != None }

// fillBytes is how many bytes of the identity lie side by side, for rows.
const fillBytes = 2 << 10

// fill sets a run of cells at each offset to the reduction's identity. Rows are set from several
// identities, side by side.
func (c *call) fill(at, col int, offsets []int, cols int) {
	identity, width := identityWindow(&c.identity, c.elem.kind), c.elem.kind.Width()
	if col != 1 || cols == 1 {
		lanes.ScatterRaw(c.dst, at, col, offsets, identity, cols)
		return
	}
	var scratch [fillBytes / 16][2]uint64
	row := lanes.Window{Memory: lanes.Memory{Ptr: unsafe.Pointer(&scratch), Len: min(cols, fillBytes/width), Kind: c.elem.kind}, Col: 1}
	lanes.CopyRaw(row, identity, 1, row.Len)
	for cols > 0 {
		n := min(cols, row.Len)
		lanes.ScatterRaw(c.dst, at, 1, offsets, row, n)
		at, cols = at+n, cols-n
	}
}

// identityWindow returns an identity as updates: with steps of 0 it serves for any shape.
func identityWindow(identity *[2]uint64, kind lanes.Kind) lanes.Window {
	return lanes.Window{Memory: lanes.Memory{Ptr: unsafe.Pointer(identity), Len: 1, Kind: kind}}
}
