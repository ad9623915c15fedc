package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// fills reports whether cells that are updated lose their initial value.
func (c *call) fills() bool { return c.attrs.IgnoreInit && c.attrs.Reduction != None }

// leastRun is from how many elements on a run is combined as such: vectors combine
// runs of 16 bytes, and shorter ones are faster as single elements.
func (c *call) leastRun() int {
	if c.elem.reduces() && c.attrs.Reduction != Mean {
		return max(leastRun, 16/c.elem.kind.Width())
	}
	return leastRun
}

// fill sets a run of cells at each offset to the reduction's identity.
func (c *call) fill(at, col int, offsets []int, cols int) {
	lanes.ScatterRaw(c.dst, at, col, offsets, c.identityWindow(), cols)
}

// fillNamed sets the cells that the indices name to the identity, as a scatter of updates that are all
// the same: some of them lie side by side, as bodies take them.
func (c *call) fillNamed(n *nest) bool {
	buffer, same := bufferFor(blockLen, c.elem.kind)
	defer buffers.Put(buffer)
	lanes.CopyRaw(lanes.Window{Memory: same, Col: 1}, c.identityWindow(), 1, same.Len)
	if c.fusesUpdates(n) {
		row, line := n.last(3), n.last(2)
		return n.each(3, func(at [3]int) bool {
			for left := line.n; left > 0; left -= blockLen {
				cols := min(left, blockLen)
				if lanes.ScatterIndexedRaw(window(c.dst, dstOp, &at, row, line, false), c.size, c.step, window(c.idx, idxOp, &at, row, line, false),
					lanes.Window{Memory: same, Col: 1}, row.n, cols) >= 0 {
					return false
				}
				at = line.after(at, cols)
			}
			return true
		})
	}
	f := n.withoutUpdates()
	return c.blocks(&f, dstOp, func(base int, offsets []int, _ lanes.Window, run loop) {
		if col := run.s[dstOp]; run.n <= 8 {
			for j := range run.n {
				lanes.ScatterRaw(c.dst, base+j*col, 1, offsets, lanes.Window{Memory: same, Row: 1}, 1)
			}
		} else {
			c.fill(base, col, offsets, run.n)
		}
	})
}

// withoutUpdates is a scatter's nest for a pass over its indices alone, whose blocks no updates need to follow.
func (n *nest) withoutUpdates() nest {
	f := n.part(0, 0, 1)
	f.at[srcOp] = 0
	loops := f.loops()
	for i := range loops {
		loops[i].s[srcOp] = 0
	}
	return f
}

// identityWindow is the reduction's identity, as updates of any shape.
func (c *call) identityWindow() lanes.Window {
	return lanes.Window{Memory: lanes.Memory{Ptr: unsafe.Pointer(&c.identity), Len: 1, Kind: c.elem.kind}}
}

// op is the reduction as primitives name it.
func (c *call) op() lanes.Op {
	return [...]lanes.Op{Sum: lanes.Sum, Prod: lanes.Prod, Min: lanes.Min, Max: lanes.Max, Mean: lanes.Sum, Sub: lanes.Sub}[c.attrs.Reduction]
}

// update combines a run of updates into the cells at each offset; without a
// reduction the last one stays.
func (c *call) update(at, col int, offsets []int, updates lanes.Window, cols int) {
	switch {
	case cols == 1:
		c.updateRuns(c.dst, at, col, offsets, updates, cols)
	case c.adds() && col == 1 && updates.Col == 1 && len(offsets) <= blockLen:
		c.addParts(at, offsets, updates, cols)
	case c.shortRun(col, cols) && leastColumn <= len(offsets) && len(offsets) <= blockLen:
		c.updateColumns(at, col, offsets, updates, cols)
	default:
		c.updateRuns(c.dst, at, col, offsets, updates, cols)
	}
}

func (c *call) updateRuns(dst lanes.Memory, at, col int, offsets []int, updates lanes.Window, cols int) {
	if c.elem.reduces() {
		lanes.ScatterReduceRaw(c.op(), dst, at, col, offsets, updates, cols)
	} else {
		lanes.ScatterRaw(dst, at, col, offsets, updates, cols)
	}
}

// leastColumn is from how many runs on a column of them is worth its copy.
const leastColumn = 16

// shortRun reports whether runs are updated column by column: where no vector
// combines a run, or to begin one takes longer than its elements do. (Zen 4, ns an element, run by run and column
// by column: sums of float16 in twos 10.4 and 2.5, of uint8 in twos 2.3 and 1.2, of eight 1.0 and 1.0; none of
// uint8 in twos 2.8 and 1.2.)
func (c *call) shortRun(col, cols int) bool {
	if cols <= 8 && (col != 1 || cols*c.elem.kind.Width() < 16) {
		return true
	}
	if !c.elem.reduces() {
		return cols <= 4 && col == 1
	}
	return col != 1
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

// fresh returns data for the call to copy to dst itself, part by part, so that
// a part is in the cache when it is updated: a strip of columns, or a slab of the
// outermost loop. It returns nothing if those are not all that dst and data hold.
func (c *call) fresh(dst, data *view) lanes.Memory {
	m, at := c.elem.memory(data)
	m.Len /= max(c.elem.together, 1)
	if c.elem.refs != nil || !dst.contiguous() || !data.contiguous() || at != 0 || c.at[dstOp] != 0 {
		return lanes.Memory{}
	}
	outer := &c.loops()[0]
	copied := outer.s[dstOp] * outer.n
	if c.strip > 0 {
		copied = c.size
		for _, l := range c.loops() {
			if l.own() {
				copied *= l.n
			}
		}
	}
	if copied != c.dst.Len || outer.s[dstOp] < 0 {
		return lanes.Memory{}
	}
	return m
}

// scatter runs a part of a scatter, which owns every cell that it updates.
func (c *call) scatter(n *nest) bool {
	if n.high > 0 {
		return c.owned(n)
	}
	if c.data.Len == 0 || c.strip > 0 {
		return c.updates(n)
	}
	p, slab := n.part(0, 0, 1), n.loops()[0]
	cut := &p.loops()[0]
	step := max(1, dispatch.Default.SlabBytes/(slab.s[dstOp]*c.elem.kind.Width()))
	for left := slab.n; left > 0; left -= step { // the nest itself, cut to one slab after the other
		cut.n = min(step, left)
		at := p.at[dstOp]
		whole := cut.n * slab.s[dstOp]
		lanes.CopyRaw(lanes.Window{Memory: c.dst, At: at, Col: 1}, lanes.Window{Memory: c.data, At: at, Col: 1}, 1, whole)
		if !c.updates(&p) {
			return false
		}
		p.at = slab.after(p.at, step)
	}
	return true
}

// updates runs the updates of a part.
func (c *call) updates(n *nest) bool {
	if c.attrs.Reduction == Mean {
		c.note("scatter, mean")
		return c.mean(n)
	}
	return c.combine(n)
}

// combine runs the updates of a part, but for means.
func (c *call) combine(n *nest) bool {
	switch {
	case c.strip > 0:
		return c.scatterStrips(n)
	case c.elem.refs != nil:
		return c.blocks(n, dstOp, func(base int, offsets []int, updates lanes.Window, run loop) {
			at := updates.At
			for _, o := range offsets {
				c.moveRun(base+o, at, &run)
				at += updates.Row
			}
		})
	}
	if c.small {
		c.noteBlocks(n)
		if !c.elem.reduces() {
			return c.moveSmall(n, dstOp)
		}
		return c.updateSmall(n)
	}
	if c.fills() && !c.fillNamed(n) {
		return false
	}
	if c.fusesUpdates(n) {
		c.note("scatter, fused")
		row, line := n.last(3), n.last(2)
		return n.each(3, func(at [3]int) bool {
			return c.scatterRows(window(c.dst, dstOp, &at, row, line, false), c.step, window(c.src, srcOp, &at, row, line, false), &at, row, line, line.n)
		})
	}
	return c.blocks(n, dstOp, func(base int, offsets []int, updates lanes.Window, run loop) {
		c.update(base, run.s[dstOp], offsets, updates, run.n)
	})
}

// fusesUpdates is fuses for updates that are combined.
func (c *call) fusesUpdates(n *nest) bool {
	line, _ := n.inner()
	return c.fuses(n) && line.s[srcOp] == 1 && (!c.elem.reduces() || lanes.KindI8 <= c.elem.kind && c.elem.kind <= lanes.KindF64)
}

// packs returns how many columns of dst a scatter packs at a time, 0 for none.
func (c *call) packs() int {
	if !dispatch.ScatterPacks() || !c.fusesUpdates(&c.nest) || c.attrs.Reduction == Mean {
		return 0
	}
	return c.stripOf(dstOp)
}

// scatterRows combines updates into cells, whose elements are step apart, by
// the indices of cols of the line.
func (c *call) scatterRows(cells lanes.Window, step int, updates lanes.Window, at *[3]int, row, line *loop, cols int) bool {
	indices := window(c.idx, idxOp, at, row, line, false)
	if c.elem.reduces() {
		return lanes.ScatterReduceIndexedRaw(c.op(), cells, c.size, step, indices, updates, row.n, cols) < 0
	}
	return lanes.ScatterIndexedRaw(cells, c.size, step, indices, updates, row.n, cols) < 0
}

// scatterStrips packs one strip of columns after the other of dst, updates it,
// and puts it back. The row of a strip is the axis, so that all its updates come after
// the initial values.
//
//	for each strip
//		for k := range size { buffer[k] = the strip of dst's row k }
//		for i := range rows { buffer[indices(i, j)][j] = updates(i, j), for j in the strip }
//		for k := range size { the strip of dst's row k = buffer[k] }
func (c *call) scatterStrips(n *nest) bool {
	c.note("scatter, packed strips")
	buffer, packed := bufferFor(c.size*c.strip, c.elem.kind)
	defer buffers.Put(buffer)
	row, line := n.last(3), n.last(2)
	return n.each(3, func(at [3]int) bool {
		for left := line.n; left > 0; {
			cols := min(left, c.strip)
			own := lanes.Window{Memory: c.dst, At: at[dstOp], Row: c.step, Col: 1}
			from := own
			if c.data.Len > 0 {
				from.Memory = c.data
			}
			cells := lanes.Window{Memory: packed, Row: cols, Col: 1}
			table := lanes.Window{Memory: packed, Col: 1}
			lanes.CopyRaw(cells, from, c.size, cols)
			if c.fills() && lanes.ScatterIndexedRaw(table, c.size, cols, window(c.idx, idxOp, &at, row, line, false), c.identityWindow(), row.n, cols) >= 0 {
				return false
			}
			if !c.scatterRows(table, cols, window(c.src, srcOp, &at, row, line, false), &at, row, line, cols) {
				return false
			}
			lanes.CopyRaw(own, cells, c.size, cols)
			at = line.after(at, cols)
			left -= cols
		}
		return true
	})
}

// splitScatter shares a scatter out. It is never cut along its axis, where
// parts would meet in the same cells. A part of a loop inside the axis resolves all
// indices again, so that there are then no more parts than workers.
func (c *call) splitScatter(parts int) split {
	switch {
	case c.strip > 0: // so that each strip is packed once
		return c.splitLoop(len(c.loops())-2, c.workers)
	case c.data.Len > 0: // a part copies what it owns
		return c.splitLoop(0, parts)
	}
	k := c.longest(0, len(c.loops()), true)
	if (k < 0 || c.loops()[k].n < c.workers) && c.owns() {
		return split{by: byRange, parts: c.workers}
	}
	if k >= 0 {
		parts = c.columnParts(k, parts)
	}
	return c.splitLoop(k, parts)
}

// cacheLine is the bytes of a cache line.
var cacheLine = 64

// columnParts returns into how many parts to cut loop k of a scatter. Within the
// axis each part works on columns of all rows: two in one cache line would take it from each other with
// each update, and lines cut short cost more than a second core gains. (Two cores of a Zen 4, ns an
// update of 22516 rows of 64 float32: in 16 parts 5.0 to 15, in two 1.7, in one 3.1.)
func (c *call) columnParts(k, parts int) int {
	loops := c.loops()
	inside := false
	for _, l := range loops[:k] {
		inside = inside || !l.own() && l.n > 1
	}
	if !inside {
		return parts
	}
	l := &loops[k]
	line := max(1, cacheLine/(max(l.s[dstOp], -l.s[dstOp])*c.elem.kind.Width())) // columns of it
	most := l.n / max(line, cutLine)
	if l.s[idxOp] == 0 { // and each part resolves all indices again
		return min(parts, c.workers, l.n/line)
	}
	return min(parts, max(l.n/max(line, fusedLine), min(c.workers, most)))
}
