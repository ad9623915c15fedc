package kernels

import (
	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// leastRun returns the least number of elements of a run, which is updated as a whole: the fewest
// that vectors combine. Fewer are combined faster one by one.
func (c *call) leastRun() int {
	if !c.elem.reduces() || c.attrs.Reduction == Mean {
		return leastRun
	}
	least := max(leastRun, 16/c.elem.kind.Width())
	for least > leastRun && c.combinesRows(least-1) {
		least--
	}
	return least
}

// fillNamed sets the cells that the indices name to the identity. It is a scatter whose updates are
// all the same. A block of them lies side by side, as bodies take updates.
func (c *call) fillNamed(n *nest) bool {
	buffer, same := bufferFor(blockLen, c.elem.kind)
	defer buffers.Put(buffer)
	lanes.CopyRaw(lanes.Window{Memory: same, Col: 1}, identityWindow(&c.identity, same.Kind), 1, same.Len)
	blocks := func(n *nest) bool { return c.fillBlocks(n, same) }
	row, line := n.last(3), n.last(2)
	if c.fusesUpdates(n) && (line.n >= fusedLine || line.s[dstOp] == 0 && line.n >= cutLine) { // each line of updates starts at same[0]
		fused := func(at position, row, line *loop) (bad int) {
			for left := line.n; left > 0; left -= blockLen {
				cols := min(left, blockLen)
				if lanes.ScatterIndexedRaw(window(c.dst, dstOp, at, row, line, false), c.size, c.step, window(c.idx, idxOp, at, row, line, false),
					lanes.Window{Memory: same, Col: 1}, row.n, cols) >= 0 {
					return 0 // from the start again: to fill a cell twice does no harm
				}
				at = line.after(at, cols)
			}
			return -1
		}
		return n.each(3, func(at position) bool {
			if c.policy.usual() {
				return fused(at, row, line) < 0
			}
			return c.eachPart(at, row, line, fused, blocks)
		})
	}
	c.noteBlocks(n)
	return blocks(n)
}

// fillBlocks is fillNamed by offsets, block by block. same is a block of identities.
func (c *call) fillBlocks(n *nest, same lanes.Memory) bool {
	f := n.withoutUpdates()
	return c.eachBlock(&f, dstOp, func(base int, offsets []int, _ lanes.Window, run loop) {
		if col := run.s[dstOp]; run.n == 1 || col != 1 && len(offsets) > run.n { // column by column
			for j := range run.n {
				lanes.ScatterRaw(c.dst, base+j*col, 1, offsets, lanes.Window{Memory: same, Row: 1}, 1)
			}
		} else {
			c.fill(base, col, offsets, run.n)
		}
	})
}

// withoutUpdates returns a scatter's nest for a pass over its indices alone. No loop moves the
// updates, so that any loops can make a block.
func (n *nest) withoutUpdates() nest {
	f := n.clone()
	f.at.src = 0
	loops := f.loops()
	for i := range loops {
		loops[i].s[srcOp] = 0
	}
	return f
}

// fresh returns data if the call can copy it to dst part by part, so that each part is in the cache
// when it is updated. A part is a strip of columns, or a slab of the outermost loop. It returns
// nothing if the parts do not cover all of dst and data. Nor does it for a small call, which runs
// on one goroutine, with more than one slab. (Zen 4, two workers, 64 updates of float32 [64,16384],
// a copy by itself and slabs: 54 and 98 µs.)
func (c *call) fresh(dst, data *view) lanes.Memory {
	if c.elem.refs != nil || !dst.contiguous() || !data.contiguous() {
		return lanes.Memory{}
	}
	m, _ := c.elem.memory(data)
	m.Len /= max(c.elem.together, 1)
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
	if copied != c.dst.Len || c.small && sizeOf(m) > int64(dispatch.Default.SlabBytes) {
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
	outer := n.loops()[0].s[dstOp]
	return n.pieces(0, max(1, dispatch.Default.SlabBytes/(outer*c.elem.kind.Width())), func(slab nest) bool {
		at, elements := slab.at.dst, slab.loops()[0].n*outer
		lanes.CopyRaw(lanes.Window{Memory: c.dst, At: at, Col: 1}, lanes.Window{Memory: c.data, At: at, Col: 1}, 1, elements)
		return c.updates(&slab)
	})
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
	if c.strip > 0 {
		return c.scatterStrips(n)
	}
	first := c.readFirst(n, dstOp)
	if first.bytes == 0 && c.tables.steps == 0 {
		return c.combineWhole(n)
	}
	part := *c
	part.observer = nil
	use := func(table nest) bool { return part.combineWhole(&table) }
	if first.bytes > 0 {
		c.note("scatter, tables read first")
		return c.eachTable(n, dstOp, first, use)
	}
	c.note("scatter, strips")
	return n.pieces(c.tables.loop, c.tables.steps, use)
}

// combineWhole is combine for all of a part, or a strip of it.
func (c *call) combineWhole(n *nest) bool {
	if c.elem.refs != nil {
		c.noteBlocks(n)
		return c.eachBlock(n, dstOp, func(base int, offsets []int, updates lanes.Window, run loop) {
			at := updates.At
			for _, o := range offsets {
				c.moveRun(base+o, at, &run)
				at += updates.Row
			}
		})
	}
	if c.attrs.fills() {
		return n.pieces(0, c.filledSteps(n), func(piece nest) bool { return c.fillNamed(&piece) && c.combineFilled(&piece) })
	}
	return c.combineFilled(n)
}

// filledSteps returns how many steps of the outermost loop have their cells filled, and then
// combined while a core's cache holds them, their indices and updates: all, if the caches hold the
// whole, if the steps share cells, or if the cells of one are so few that the hardware prefetches
// them. (Zen 3, calls of bench, ns an update, all at once and so: 8310001.46, tables of 33 KB, 12
// and 3.9; 8350001.1172, 383 KB, 22 and 13; .5010, 984 bytes, 20 and 17; six calls with tables below
// 512 bytes take 1.02 to 1.4 times as long.)
func (c *call) filledSteps(n *nest) int {
	loops := n.loops()
	width, step := c.elem.kind.Width(), int(absInt(loops[0].s[dstOp]))
	if step*width < 8*cacheLine || !c.far(dstOp) {
		return loops[0].n
	}
	updates := 1
	for i := range loops[1:] {
		updates *= loops[1+i].n
	}
	return max(1, dispatch.Default.SlabBytes/(width+c.idx.Kind.Width())/(step+updates))
}

// combineFilled is combineWhole for cells that have what their reduction starts from.
func (c *call) combineFilled(n *nest) bool {
	if c.fusesUpdates(n) {
		c.note("scatter, fused")
		row, line := n.last(3), n.last(2)
		return n.each(3, func(at position) bool { return c.scatterLines(at, row, line) })
	}
	c.noteBlocks(n)
	if k := c.planeOf(n, dstOp); k >= 0 && !c.elem.reduces() {
		return c.movePlanes(n, k, dstOp)
	}
	return c.scatterBlocks(n)
}

// scatterBlocks combines updates by offsets, block by block.
func (c *call) scatterBlocks(n *nest) bool {
	return c.eachBlock(n, dstOp, func(base int, offsets []int, updates lanes.Window, run loop) {
		c.update(base, run.s[dstOp], offsets, updates, run.n)
	})
}

// scatterLines combines rows of a line with the fused primitives, where the policy allows it.
func (c *call) scatterLines(at position, row, line *loop) bool {
	if c.policy.usual() {
		return c.scatterFused(at, row, line) < 0
	}
	return c.eachPart(at, row, line, c.scatterFused, c.scatterBlocks)
}

func (c *call) scatterFused(at position, row, line *loop) (bad int) {
	cells, updates := window(c.dst, dstOp, at, row, line, false), window(c.src, srcOp, at, row, line, false)
	indices := window(c.idx, idxOp, at, row, line, false)
	if c.elem.reduces() {
		return lanes.ScatterReduceIndexedRaw(c.attrs.op(), cells, c.size, c.step, indices, updates, row.n, line.n)
	}
	return lanes.ScatterIndexedRaw(cells, c.size, c.step, indices, updates, row.n, line.n)
}

// fusesUpdates is fuses for a scatter. Updates lie side by side along the line, and are of a kind
// that has fused bodies.
func (c *call) fusesUpdates(n *nest) bool {
	return c.fuses(n) && n.last(2).s[srcOp] == 1 && !c.waits(n) &&
		(c.elem.kind.Real() || !c.elem.reduces())
}

// waits reports whether a fused scatter would wait for stores, so that blocks are faster: its lines
// are short, lead into the columns of a table far beyond a core's cache, and do not follow each
// other. Then each store misses the cache, and the store buffer fills up. Blocks, with fewer other
// stores between two lines, keep more misses in flight. (BenchmarkColumns. Zen 4, ns an update of
// float32, fused and in blocks: lines of 24 into 2 MB 2.9 and 3.3, into 16 MB 12 and 7.7, into 64
// MB 17 and 12.)
func (c *call) waits(n *nest) bool {
	line := n.last(2)
	return line.s[dstOp] != 0 && line.n < 3*cutLine && !n.last(3).continues(line, srcOp) && c.tableBytes()/2 >= dispatch.Default.StripTable
}

// packs returns how many columns of dst a scatter packs at a time, 0 for none.
func (c *call) packs() int {
	if !dispatch.ScatterPacks() || c.attrs.Reduction == Mean {
		return 0
	}
	return c.stripOf(dstOp)
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
	table := *c // whose dst is the strip
	table.dst, table.strip, table.observer = packed, 0, nil
	part := nest{rank: 3}
	return n.each(3, func(at position) bool {
		for left := line.n; left > 0; {
			cols := min(left, c.strip)
			own := lanes.Window{Memory: c.dst, At: at.dst, Row: c.step, Col: 1}
			from := own
			if c.data.Len > 0 {
				from.Memory = c.data
			}
			cells := lanes.Window{Memory: packed, Row: cols, Col: 1}
			lanes.CopyRaw(cells, from, c.size, cols)
			part.array[0], part.array[1], part.array[2] = *row, loop{cols, line.s}, one
			part.at = position{0, at.src, at.idx}
			if table.step = cols; !table.combineWhole(&part) {
				return false
			}
			lanes.CopyRaw(own, cells, c.size, cols)
			at = line.after(at, cols)
			left -= cols
		}
		return true
	})
}
