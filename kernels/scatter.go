package kernels

import (
	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// leastRun is the least number of elements that are combined as a run: 16 bytes, which fill a
// vector. Single elements are faster below that.
func (c *call) leastRun() int {
	if c.elem.reduces() && c.attrs.Reduction != Mean {
		return max(leastRun, 16/c.elem.kind.Width())
	}
	return leastRun
}

// fresh returns data if the call can copy it to dst part by part, so that each part is in the cache
// when it is updated: a strip of columns, or a slab of the outermost loop. It returns nothing if
// the parts do not cover all of dst and data.
func (c *call) fresh(dst, data *view) lanes.Memory {
	m, at := c.elem.memory(data)
	if c.elem.refs != nil || !dst.contiguous() || !data.contiguous() || at != 0 || c.at[dstOp] != 0 {
		return lanes.Memory{}
	}
	outer := &c.loops()[0]
	copied := outer.s[dstOp] * outer.n
	if c.strip > 0 {
		copied = c.size
		for _, l := range c.loops() {
			if l.disjoint() {
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

// combine runs the updates of a part with a reduction other than Mean.
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
	if c.fills() {
		if !c.blocks(n, dstOp, func(base int, offsets []int, _ lanes.Window, run loop) {
			c.fill(base, run.s[dstOp], offsets, run.n)
		}) {
			return false
		}
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

// scatterRows combines updates into cells by the indices of cols of the line. The cells along the
// axis are step apart.
func (c *call) scatterRows(cells lanes.Window, step int, updates lanes.Window, at *[3]int, row, line *loop, cols int) bool {
	indices := window(c.idx, idxOp, at, row, line, false)
	if c.elem.reduces() {
		return lanes.ScatterReduceIndexedRaw(c.op(), cells, c.size, step, indices, updates, row.n, cols) < 0
	}
	return lanes.ScatterIndexedRaw(cells, c.size, step, indices, updates, row.n, cols) < 0
}

// scatterStrips packs dst strip by strip, updates the strip, and copies it back. A row of the
// packed strip is an element of the axis, so all updates of a strip come after its initial values:
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
