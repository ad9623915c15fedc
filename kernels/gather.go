package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// fusedLine is from how many steps on a line of single elements is moved by a
// primitive that resolves its indices on the way; shorter ones go in blocks. Where all
// of a line leads into one row of a table, it is from a third of that on. (Zen 4, ns an
// element, of float32: columns of 48 0.87 and in blocks 0.71, of 96 0.66 and 0.74; rows of
// 12 0.89 and 0.73, of 24 0.63 and 0.72.)
var fusedLine = 64

// cutLine is the same of lines that don't follow each other evenly.
var cutLine = 16

// leastRun is from how many elements on a run that one index is good for is moved as such.
const leastRun = 2

// gatherLoops brings a gather's loops over the coordinates of dst into the
// form that passes take: units added, dst in ascending order, merged, arranged.
func (c *call) gatherLoops(loops []loop, dst *view) {
	loops = c.elem.addUnits(loops)
	if !dst.contiguous() {
		sequential(loops, &c.at)
	}
	c.set(arrange(collapse(loops), leastRun))
	c.widen()
	c.stream = c.streams()
}

// gather runs a part of a gather.
func (c *call) gather(n *nest) bool {
	switch {
	case c.elem.refs != nil:
		return c.blocks(n, srcOp, func(base int, offsets []int, dst lanes.Window, run loop) {
			at := dst.At
			for _, o := range offsets {
				c.moveRun(at, base+o, &run)
				at += dst.Row
			}
		})
	case c.small:
		c.noteBlocks(n)
		return c.moveSmall(n, srcOp)
	case c.strip > 0:
		return c.gatherStrips(n)
	case c.fuses(n):
		c.note("gather")
		row, line := n.last(3), n.last(2)
		return n.each(3, func(at [3]int) bool {
			return lanes.GatherRaw(window(c.dst, dstOp, &at, row, line, c.stream), window(c.src, srcOp, &at, row, line, false), c.size, c.step,
				window(c.idx, idxOp, &at, row, line, false), row.n, line.n) < 0
		})
	}
	return c.blocks(n, srcOp, func(base int, offsets []int, dst lanes.Window, run loop) {
		lanes.GatherRowsRaw(dst, c.src, base, run.s[srcOp], offsets, run.n)
	})
}

// fuses reports whether primitives take single elements along the line of an
// arranged nest and their indices as they are.
func (c *call) fuses(n *nest) bool {
	line, run := n.inner()
	least, indexed, other := fusedLine, srcOp, dstOp
	if c.work == scatterWork {
		indexed, other = dstOp, srcOp
	}
	if line.s[indexed] == 0 && c.step == 1 {
		least /= 3
	}
	if row := n.last(3); row.n > 1 && (row.s[idxOp] != line.n*line.s[idxOp] || row.s[other] != line.n*line.s[other]) {
		least = min(least, cutLine) // a block would have one row, or go through copies
	}
	return run.n == 1 && line.n >= least && len(c.tuples.sizes) == 0 && c.elem.refs == nil && resolvable(c.idx.Kind) &&
		line.s[idxOp] == 1
}

// window returns an operand as primitives take it.
func window(m lanes.Memory, op int, at *[3]int, row, col *loop, stream bool) lanes.Window {
	return lanes.Window{Memory: m, At: at[op], Row: row.s[op], Col: col.s[op], Stream: stream}
}

// part returns n elements of a memory from one on.
func part(m lanes.Memory, at, n int) lanes.Memory {
	if n == 0 { // no pointer may lead past the end
		return lanes.Memory{Kind: m.Kind}
	}
	return lanes.Memory{Ptr: unsafe.Add(m.Ptr, at*m.Kind.Width()), Len: n, Kind: m.Kind}
}

func slice[T any](m *lanes.Memory) []T { return unsafe.Slice((*T)(m.Ptr), m.Len) }

// buffers are for packed strips, compact indices and the like.
var buffers = sync.Pool{New: func() any { return new([]uint64) }}

// bufferFor returns a buffer, which goes back to buffers, with n elements of a kind.
func bufferFor(n int, kind lanes.Kind) (*[]uint64, lanes.Memory) {
	buffer := buffers.Get().(*[]uint64)
	if len(*buffer)*8 < n*kind.Width() {
		*buffer = make([]uint64, (n*kind.Width()+7)/8)
	}
	return buffer, lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(*buffer)), Len: n, Kind: kind}
}

// stripOf returns how many columns of an arranged gather or scatter to pack at
// a time, 0 for none. Packing pays when all rows lead into one large table whose own
// rows lie apart, and there are enough of them. indexed is the operand that is the table.
func (c *call) stripOf(indexed int) int {
	row, line := c.last(3), c.last(2)
	if !c.fuses(&c.nest) || row.s[indexed] != 0 || line.s[srcOp] != 1 || line.s[dstOp] != 1 || line.n < 2 || row.n < c.size/2 {
		return 0
	}
	width := c.elem.kind.Width()
	table := c.size * width // a column of it
	if table == 0 || table*max(c.step, -c.step) < dispatch.Default.StripTable {
		return 0
	}
	strip := min(line.n, dispatch.Default.StripBytes/table)
	if strip*width < 64 && strip < line.n { // less than a cache line of a row
		return 0
	}
	return strip
}

// gatherStrips gathers in columns from a table that is copied to a dense buffer,
// a strip of columns at a time:
//
//	for each strip
//		for k := range size { buffer[k] = the strip of the table's row k }
//		for i := range rows { dst(i, j) = buffer[indices(i, j)][j], for j in the strip }
func (c *call) gatherStrips(n *nest) bool {
	c.note("gather, packed strips")
	buffer, packed := bufferFor(c.size*c.strip, c.elem.kind)
	defer buffers.Put(buffer)
	row, line := n.last(3), n.last(2)
	return n.each(3, func(at [3]int) bool {
		for left := line.n; left > 0; {
			cols := min(left, c.strip)
			lanes.CopyRaw(lanes.Window{Memory: packed, Row: cols, Col: 1}, lanes.Window{Memory: c.src, At: at[srcOp], Row: c.step, Col: 1}, c.size, cols)
			if lanes.GatherRaw(window(c.dst, dstOp, &at, row, line, c.stream), lanes.Window{Memory: packed, Col: 1}, c.size, cols,
				window(c.idx, idxOp, &at, row, line, false), row.n, cols) >= 0 {
				return false
			}
			at = line.after(at, cols)
			left -= cols
		}
		return true
	})
}
