package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A mask is what Compress and Take choose by: bools, and the loops over them
// and over what they stand for in data, in row-major order.
type mask struct {
	memory
	at         int
	dims       []dim
	first, end int // the axes of data that it covers
	trues
}

// trues is how many elements of a mask are true. They are counted once, before
// anything is written, in parts that different goroutines can take.
type trues struct {
	loops  int // over the mask, which come first in a call's nest
	parts  int // of the outermost of them
	before [mostMaskParts + 1]int
}

const mostMaskParts = 64

func (t *trues) total() int { return t.before[t.parts] }

// countTrue returns how many elements of a checked mask are true.
func (v *view) countTrue() int {
	var buf [maxDims]dim
	m := mask{dims: buf[:0]}
	m.memory, m.at = v.memory(1)
	for d, n := range v.shape {
		m.dims = append(m.dims, dim{n, [3]int{idxOp: v.stride(d)}})
	}
	m.dims = pad(collapse(m.dims), 1)
	m.count(1)
	return m.total()
}

// count counts what is true in each of parts.
func (m *mask) count(parts int) {
	m.loops, m.parts = len(m.dims), parts
	if m.n == 0 { // however long its other axes are
		return
	}
	whole := nest{dims: m.dims, at: [3]int{idxOp: m.at}}
	last := len(m.dims) - 1
	for i := range parts {
		part := whole
		if parts > 1 {
			var buf [maxDims]dim
			part = whole.part(buf[:0], 0, i, parts)
		}
		n, line := 0, part.dims[last]
		each(part.dims[:last], part.at, func(at [3]int) bool {
			n += lanes.CountTrue(slice[bool](&m.memory), at[idxOp], line.s[idxOp], line.n)
			return true
		})
		m.before[i+1] = m.before[i] + n
	}
}

// take writes the elements that the mask chooses from checked data to dst.
func (m *mask) take(op string, e *elem, s settings, dst, data, by *view, move func(dst, src, n int)) error {
	parts := 1
	// As many parts as may be of use: how much there is to move is not known yet.
	if work := int(min(float64(data.count)*dispatch.Costs.Compact, 1<<30)) / max(dispatch.Default.PartTime, 1); work > 1 && s.workers != 1 && !e.refs {
		parts = min(mostMaskParts, m.dims[0].n, work)
	}
	m.count(max(parts, 1))

	var room [maxDims]int
	shape := append(append(append(room[:0], data.shape[:m.first]...), m.total()), data.shape[m.end:]...)
	if err := checkShape(op, dstRole, shape); err != nil {
		return err
	}
	if err := checkDst(op, dst, shape, data, by); err != nil {
		return err
	}
	if dst.count == 0 || e.size == 0 {
		return nil
	}
	var buf [maxDims]dim
	c := call{body: maskBody, elem: *e, settings: s, move: move, trues: &m.trues}
	c.dst, c.at[dstOp] = e.operand(dst)
	c.src, c.at[srcOp] = e.operand(data)
	c.idx, c.at[idxOp] = indexSource{m.memory, kindUint8}, m.at
	c.step = dst.stride(m.first) * e.units
	c.dims = append(buf[:0], m.dims...)

	var rest [maxDims]dim
	outer := rest[:0]
	for d, n := range shape[:m.first] {
		outer = append(outer, dim{n, [3]int{dst.stride(d) * e.units, data.stride(d) * e.units}})
	}
	c.dims = append(c.dims, collapse(outer)...)
	inner := rest[:0]
	for d := m.end; d < len(data.shape); d++ {
		inner = append(inner, dim{data.shape[d], [3]int{dst.stride(d-m.end+m.first+1) * e.units, data.stride(d) * e.units}})
	}
	inner = e.addUnits(inner)
	if !dst.contiguous() {
		sequential(inner, &c.at)
	}
	c.dims = append(c.dims, pad(collapse(inner), 1)...)
	c.run()
	return nil
}

// masked runs a part of a Compress or a Take. Behind the loops over the mask
// come those over what each of its elements stands for, the last of them in rows.
func (c *call) masked(n *nest) bool {
	switch {
	case c.elem.refs:
		c.note("compact, pointers")
		run := &n.dims[len(n.dims)-1]
		c.chosen(n, func(at [3]int, offsets []int) {
			for _, o := range offsets {
				c.moveRun(at[dstOp], at[srcOp]+o, run)
				at[dstOp] += c.step
			}
		})
	case c.elem.width == 1:
		maskedPlanes[uint8](c, n)
	case c.elem.width == 2:
		maskedPlanes[uint16](c, n)
	case c.elem.width == 4:
		maskedPlanes[uint32](c, n)
	case c.elem.width == 8:
		maskedPlanes[uint64](c, n)
	default:
		maskedPlanes[lanes.X128](c, n)
	}
	return true
}

func maskedPlanes[T lanes.Elem](c *call, n *nest) {
	k := c.trues.loops
	line, run := n.dims[k-1], n.dims[len(n.dims)-1]
	if run.n == 1 && len(n.dims) == k+1 && line.s[srcOp] == 1 && line.s[idxOp] == 1 && c.step == 1 { // single elements
		c.note("compact")
		low, high := c.rows(n)
		dst, src, mask := slice[T](&c.dst)[n.at[dstOp]+low:n.at[dstOp]+high], slice[T](&c.src), slice[bool](&c.idx.memory)
		each(n.dims[:k-1], n.at, func(at [3]int) bool {
			dst = dst[lanes.Compact(dst, src[at[srcOp]:at[srcOp]+line.n], mask[at[idxOp]:at[idxOp]+line.n]):]
			return true
		})
		return
	}
	c.note("compact rows")
	row := dim{s: [3]int{dstOp: c.step}}
	c.chosen(n, func(at [3]int, offsets []int) {
		lanes.GatherRows(plane[T](&c.dst, dstOp, &at, &row, &run), slice[T](&c.src), at[srcOp], run.s[srcOp], offsets, run.n)
	})
}

// rows returns which of the rows that are chosen a part writes.
func (c *call) rows(n *nest) (low, high int) {
	if n.high == 0 {
		return 0, c.trues.total()
	}
	return n.low, n.high
}

// chosen finds what is true in a part of the mask, a block at a time, and calls
// use for each step of the loops that choose nothing, with where dst's next row and data are,
// and the block's offsets in data.
func (c *call) chosen(n *nest, use func(at [3]int, offsets []int)) {
	// use doesn't keep the offsets, which escape analysis can't tell.
	if c.trues.total() <= fewLen {
		var room [fewLen]int
		c.chosenIn((*[fewLen]int)(noescape(unsafe.Pointer(&room)))[:], n, use)
		return
	}
	room := blockRooms.Get().(*block)
	defer blockRooms.Put(room)
	c.chosenIn((*block)(noescape(unsafe.Pointer(room))).offsets[:], n, use)
}

func (c *call) chosenIn(offsets []int, n *nest, use func(at [3]int, offsets []int)) {
	k := c.trues.loops
	line, rest := n.dims[k-1], n.dims[k:len(n.dims)-1]
	low, high := c.rows(n)
	at, found := n.at, 0
	at[dstOp] += low * c.step
	move := func() {
		block := offsets[:min(found, high-low)] // no more than were counted, should somebody write to the mask
		each(rest, at, func(at [3]int) bool {
			use(at, block)
			return true
		})
		at[dstOp] += len(block) * c.step
		low, found = low+len(block), 0
	}
	each(n.dims[:k-1], [3]int{idxOp: n.at[idxOp]}, func(from [3]int) bool {
		for j := 0; j < line.n; {
			here := line.after(from, j)
			more, next := lanes.Positions(offsets[found:], slice[bool](&c.idx.memory), here[idxOp], line.s[idxOp], line.n-j, here[srcOp], line.s[srcOp])
			if found, j = found+more, j+next; found == len(offsets) {
				move()
			}
		}
		return true
	})
	move()
}
