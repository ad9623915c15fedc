package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
)

// gather runs a part of a gather.
func (c *call) gather(n *nest) bool {
	switch {
	case c.elem.refs:
		line, run := n.inner()
		return c.blocks(n, srcOp, func(at [3]int, offsets []int) {
			for _, o := range offsets {
				c.moveRun(at[dstOp], at[srcOp]+o, run)
				at[dstOp] += line.s[dstOp]
			}
		})
	case c.elem.width == 1:
		return gatherPlanes[uint8](c, n)
	case c.elem.width == 2:
		return gatherPlanes[uint16](c, n)
	case c.elem.width == 4:
		return gatherPlanes[uint32](c, n)
	case c.elem.width == 8:
		return gatherPlanes[uint64](c, n)
	default:
		return gatherPlanes[lanes.X128](c, n)
	}
}

// gatherPlanes gathers single elements in one fused loop when primitives take
// their indices as they are. Everything else is resolved to offsets first.
func gatherPlanes[T lanes.Elem](c *call, n *nest) bool {
	line, run := n.inner()
	if run.n == 1 && len(c.tuples.sizes) == 0 {
		switch c.idx.kind {
		case kindInt32:
			return gatherFused[T, int32](c, n)
		case kindInt64:
			return gatherFused[T, int64](c, n)
		}
	}
	return c.blocks(n, srcOp, func(at [3]int, offsets []int) {
		lanes.GatherRows(plane[T](&c.dst, dstOp, &at, line, run), slice[T](&c.src), at[srcOp], run.s[srcOp], offsets, run.n)
	})
}

func gatherFused[T lanes.Elem, I lanes.Index](c *call, n *nest) bool {
	k := len(n.dims) - 3
	row, line := &n.dims[k], &n.dims[k+1]
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		return lanes.Gather(plane[T](&c.dst, dstOp, &at, row, line), plane[T](&c.src, srcOp, &at, row, line), c.size, c.step,
			plane[I](&c.idx.memory, idxOp, &at, row, line), row.n, line.n) < 0
	})
}

// blocks resolves the indices along the line of an arranged nest, a block at a
// time, and calls use with each block's offsets, which add to where the
// indexed operand is. It reports whether every index was in range.
func (c *call) blocks(n *nest, indexed int, use func(at [3]int, offsets []int)) bool {
	var room scratch
	s := (*scratch)(noescape(unsafe.Pointer(&room))) // use doesn't keep the offsets
	k := len(n.dims) - 2
	line := &n.dims[k]
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for left := line.n; left > 0; {
			offsets := s.offsets[:min(left, blockLen)]
			if !c.resolve(s, offsets, at[idxOp], line, c.step, line.s[indexed]) {
				return false
			}
			use(at, offsets)
			for op, step := range line.s {
				at[op] += len(offsets) * step
			}
			left -= len(offsets)
		}
		return true
	})
}

// resolve turns indices along a line into offsets index*scale + j*col, or
// tuples into theirs.
func (c *call) resolve(s *scratch, offsets []int, at int, line *dim, scale, col int) bool {
	if len(c.tuples.sizes) > 0 {
		return c.idx.resolveTuples(offsets, s, &c.tuples, at, line.s[idxOp], col)
	}
	return c.idx.resolve(offsets, &s.wide, at, line.s[idxOp], c.size, scale, col)
}
