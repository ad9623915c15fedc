package kernels

import (
	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// fresh returns data for the call to copy to dst itself, part by part, so that
// a part is in the cache when it is updated: a strip of columns, or a slab of the
// outermost loop. It returns nothing if those are not all that dst and data hold.
func (c *call) fresh(dst, data *view) memory {
	m, at := c.elem.operand(data)
	if c.elem.refs || !dst.contiguous() || !data.contiguous() || at != 0 || c.at[dstOp] != 0 {
		return memory{}
	}
	outer := &c.dims[0]
	copied := outer.s[dstOp] * outer.n
	if c.strip > 0 {
		copied = c.size
		for _, d := range c.dims {
			if d.s[dstOp] != 0 {
				copied *= d.n
			}
		}
	}
	if copied != c.dst.n || outer.s[dstOp] < 0 {
		return memory{}
	}
	return m
}

// scatter runs a part of a scatter, which owns every cell that it updates.
func (c *call) scatter(n *nest) bool {
	if n.high > 0 {
		return c.owned(n)
	}
	if c.data.n == 0 || c.strip > 0 {
		return c.updates(n)
	}
	slab := n.dims[0]
	var buf [maxDims]dim
	dims := append(buf[:0], n.dims...) // mean changes the nest's own
	step := max(1, dispatch.Default.SlabBytes/(slab.s[dstOp]*c.elem.width))
	ok := true
	for left := slab.n; ok && left > 0; left -= step { // the nest itself, cut to one slab after the other
		copy(n.dims, dims)
		n.dims[0].n = min(step, left)
		at := n.at[dstOp]
		copyTable(c.elem.width, table{&c.dst, at, 0}, table{&c.data, at, 0}, 1, n.dims[0].n*slab.s[dstOp])
		ok = c.updates(n)
		for op, s := range slab.s {
			n.at[op] += step * s
		}
	}
	return ok
}

// A table is rows of a memory that lie step apart.
type table struct {
	*memory
	at, step int
}

// copyTable copies rows of a width.
func copyTable(width int, dst, src table, rows, cols int) {
	switch width {
	case 1:
		copyRows[uint8](dst, src, rows, cols)
	case 2:
		copyRows[uint16](dst, src, rows, cols)
	case 4:
		copyRows[uint32](dst, src, rows, cols)
	case 8:
		copyRows[uint64](dst, src, rows, cols)
	case 16:
		copyRows[lanes.X128](dst, src, rows, cols)
	}
}

func copyRows[T lanes.Elem](dst, src table, rows, cols int) {
	lanes.Copy(lanes.Plane[T]{Data: slice[T](dst.memory), At: dst.at, Row: dst.step, Col: 1},
		lanes.Plane[T]{Data: slice[T](src.memory), At: src.at, Row: src.step, Col: 1}, rows, cols)
}

// updates runs the updates of a part.
func (c *call) updates(n *nest) bool {
	switch {
	case c.attrs.Reduction == Mean:
		c.note("scatter, mean")
		return c.mean(n)
	case c.strip > 0:
		return c.fused(n)
	}
	if c.fills() {
		if !c.blocks(n, dstOp, func(at [3]int, offsets []int, _, run dim) { c.fill(at[dstOp], offsets, &run) }) {
			return false
		}
	}
	if c.fuses() {
		return c.fused(n)
	}
	return c.blocks(n, dstOp, func(at [3]int, offsets []int, line, run dim) { c.update(&at, offsets, &line, &run) })
}

// update combines a run of updates into the cells at each offset.
func (c *call) update(at *[3]int, offsets []int, line, run *dim) {
	if c.number == noNumber {
		c.replace(at, offsets, line, run)
	} else {
		c.combine(at, offsets, line, run)
	}
}

// replace lets the last update to a cell win.
func (c *call) replace(at *[3]int, offsets []int, line, run *dim) {
	switch {
	case c.elem.refs:
		s := at[srcOp]
		for _, o := range offsets {
			c.moveRun(at[dstOp]+o, s, run)
			s += line.s[srcOp]
		}
	case c.elem.width == 1:
		replaceCells[uint8](c, at, offsets, line, run)
	case c.elem.width == 2:
		replaceCells[uint16](c, at, offsets, line, run)
	case c.elem.width == 4:
		replaceCells[uint32](c, at, offsets, line, run)
	case c.elem.width == 8:
		replaceCells[uint64](c, at, offsets, line, run)
	case c.elem.width == 16:
		replaceCells[lanes.X128](c, at, offsets, line, run)
	}
}

func replaceCells[T lanes.Elem](c *call, at *[3]int, offsets []int, line, run *dim) {
	lanes.Scatter(slice[T](&c.dst), at[dstOp], run.s[dstOp], offsets, plane[T](&c.src, srcOp, at, line, run), run.n)
}
