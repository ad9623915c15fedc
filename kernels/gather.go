package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// gatherLoops brings a gather's loops over the coordinates of dst into the
// form that its bodies take: units added, dst in ascending order, merged, arranged.
func gatherLoops(dims []dim, at *[3]int, e *elem, dst *view) []dim {
	dims = e.addUnits(dims)
	if !dst.contiguous() {
		sequential(dims, at)
	}
	return arrange(collapse(dims))
}

// gather runs a part of a gather.
func (c *call) gather(n *nest) bool {
	switch {
	case c.elem.refs:
		return c.blocks(n, srcOp, func(at [3]int, offsets []int, line, run dim) {
			for _, o := range offsets {
				c.moveRun(at[dstOp], at[srcOp]+o, &run)
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
	if _, run := n.inner(); run.n == 1 && len(c.tuples.sizes) == 0 {
		switch c.idx.kind {
		case kindInt32:
			return gatherFused[T, int32](c, n)
		case kindInt64:
			return gatherFused[T, int64](c, n)
		}
	}
	return c.blocks(n, srcOp, func(at [3]int, offsets []int, line, run dim) {
		lanes.GatherRows(plane[T](&c.dst, dstOp, &at, &line, &run), slice[T](&c.src), at[srcOp], run.s[srcOp], offsets, run.n)
	})
}

func gatherFused[T lanes.Elem, I lanes.Index](c *call, n *nest) bool {
	k := len(n.dims) - 3
	row, line := &n.dims[k], &n.dims[k+1]
	if c.strip > 0 {
		c.note("gather, packed strips")
		room, packed := c.packed()
		defer rooms.Put(room)
		return each(n.dims[:k], n.at, func(at [3]int) bool { return gatherStrips[T, I](c, at, row, line, slice[T](&packed)) })
	}
	c.note("gather")
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		return lanes.Gather(plane[T](&c.dst, dstOp, &at, row, line), plane[T](&c.src, srcOp, &at, row, line), c.size, c.step,
			plane[I](&c.idx.memory, idxOp, &at, row, line), row.n, line.n) < 0
	})
}

// rooms are for packed strips and compact indices.
var rooms = sync.Pool{New: func() any { return new([]uint64) }}

// packed returns a room for a strip, and the strip as memory.
func (c *call) packed() (*[]uint64, memory) {
	return roomFor(c.size*c.strip, c.elem.width)
}

// roomFor returns a room for n numbers of a width.
func roomFor(n, width int) (*[]uint64, memory) {
	room := rooms.Get().(*[]uint64)
	if len(*room)*8 < n*width {
		*room = make([]uint64, (n*width+7)/8)
	}
	return room, memory{ptr: unsafe.Pointer(unsafe.SliceData(*room)), n: n, dense: true}
}

// stripOf returns how many columns of an arranged gather or scatter to pack at
// a time, 0 for none. Packing pays when all rows lead into one large table whose own
// rows lie apart, and there are enough of them. indexed is the operand that is the table.
func (c *call) stripOf(indexed int) int {
	k := len(c.dims) - 3
	row, line, run := &c.dims[k], &c.dims[k+1], &c.dims[k+2]
	if c.elem.refs || run.n > 1 || row.s[indexed] != 0 || line.s[srcOp] != 1 || line.s[dstOp] != 1 || line.n < 2 || row.n < c.size/2 {
		return 0
	}
	table := c.size * c.elem.width // a column of it
	if table == 0 || table*max(c.step, -c.step) < dispatch.Default.StripTable {
		return 0
	}
	strip := min(line.n, dispatch.Default.StripBytes/table)
	if strip*c.elem.width < 64 && strip < line.n { // less than a cache line of a row
		return 0
	}
	return strip
}

// gatherStrips gathers in columns from a table that is copied to a dense room,
// a strip of columns at a time:
//
//	for each strip
//		for k := range size { room[k] = the strip of the table's row k }
//		for i := range rows { dst(i, j) = room[indices(i, j)][j], for j in the strip }
func gatherStrips[T lanes.Elem, I lanes.Index](c *call, at [3]int, row, line *dim, room []T) bool {
	for left := line.n; left > 0; {
		cols := min(left, c.strip)
		lanes.Copy(lanes.Plane[T]{Data: room, Row: cols, Col: 1},
			lanes.Plane[T]{Data: slice[T](&c.src), At: at[srcOp], Row: c.step, Col: 1}, c.size, cols)
		if lanes.Gather(plane[T](&c.dst, dstOp, &at, row, line), lanes.Plane[T]{Data: room, Col: 1}, c.size, cols,
			plane[I](&c.idx.memory, idxOp, &at, row, line), row.n, cols) >= 0 {
			return false
		}
		for op, s := range line.s {
			at[op] += cols * s
		}
		left -= cols
	}
	return true
}

// blocks resolves the indices along the line of an arranged nest, a block at a
// time, and calls use with each block's offsets, which add to where the
// indexed operand is. It reports whether every index was in range.
func (c *call) blocks(n *nest, indexed int, use func(at [3]int, offsets []int, line, run dim)) bool {
	c.noteBlocks(n)
	// use doesn't keep the offsets, which escape analysis can't tell.
	if n.dims[len(n.dims)-2].n <= fewLen {
		var room fewBlock
		return c.blocksIn((*fewBlock)(noescape(unsafe.Pointer(&room))).scratch(), n, indexed, use)
	}
	room := blockRooms.Get().(*block)
	defer blockRooms.Put(room)
	return c.blocksIn((*block)(noescape(unsafe.Pointer(room))).scratch(), n, indexed, use)
}

func (c *call) blocksIn(s scratch, n *nest, indexed int, use func(at [3]int, offsets []int, line, run dim)) bool {
	k := len(n.dims) - 2
	line, run := n.inner()
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for left := line.n; left > 0; {
			offsets := s.offsets[:min(left, len(s.offsets))]
			if !c.resolve(&s, offsets, at[idxOp], line, c.step, line.s[indexed]) {
				return false
			}
			use(at, offsets, *line, *run)
			at = line.after(at, len(offsets))
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
	return c.idx.resolve(offsets, s.wide, at, line.s[idxOp], c.size, scale, col)
}
