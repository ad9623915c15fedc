package kernels

import (
	"sync"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A mask is what Compress and Take choose by: bools, and the loops over them
// and over what they stand for in data, in row-major order.
type mask struct {
	lanes.Memory
	nest
	first, end int // the axes of data that it covers
}

// trues is how many elements of a mask are true. They are counted once, before
// anything is written, in parts that different goroutines can take.
type trues struct {
	loops  int // over the mask, which come first in a call's nest
	parts  int // of the outermost of them
	before [mostMaskParts + 1]int
}

const mostMaskParts = 64

var truesPool = sync.Pool{New: func() any { return new(trues) }}

func (t *trues) total() int { return t.before[t.parts] }

// countTrue returns how many elements of a checked mask are true.
func (v *view) countTrue() int {
	var m mask
	m.Memory, m.at[idxOp] = v.memory(lanes.KindBool, 1)
	loops := m.array[:0]
	for d, n := range v.shape {
		loops = append(loops, loop{n, [3]int{idxOp: v.stride(d)}})
	}
	m.set(pad(collapse(loops), 1))
	return m.countPart(&m.nest)
}

// countPart returns how many elements of a part of the mask are true.
func (m *mask) countPart(part *nest) (n int) {
	if m.Len == 0 { // however long its other axes are
		return 0
	}
	line, bools := part.last(1), slice[bool](&m.Memory)
	part.each(1, func(at [3]int) bool {
		n += lanes.CountTrue(bools, at[idxOp], line.s[idxOp], line.n)
		return true
	})
	return n
}

// count counts what is true in each of parts.
func (m *mask) count(t *trues, parts int) {
	t.loops, t.parts = len(m.loops()), parts
	for i := range parts {
		part := m.nest
		if parts > 1 {
			part = m.part(0, i, parts)
		}
		t.before[i+1] = t.before[i] + m.countPart(&part)
	}
}

// take writes the elements that the mask chooses from checked data to dst.
func (m *mask) take(op string, s settings, e *elem, dst, data, by *view) error {
	parts := 1
	// As many parts as may be of use: how much there is to move is not known yet.
	if work := int(min(float64(data.count)*dispatch.Costs.Compact, 1<<30)) / max(dispatch.Default.PartTime, 1); work > 1 && s.workers != 1 && e.refs == nil {
		parts = min(mostMaskParts, m.loops()[0].n, work)
	}
	t := truesPool.Get().(*trues)
	defer truesPool.Put(t)
	m.count(t, max(parts, 1))

	var buf [maxLoops]int
	shape := append(append(append(buf[:0], data.shape[:m.first]...), t.total()), data.shape[m.end:]...)
	if err := checkShape(op, dstRole, shape); err != nil {
		return err
	}
	if err := checkDst(op, dst, shape, data, by); err != nil {
		return err
	}
	if dst.count == 0 || e.size == 0 {
		return nil
	}
	c := call{work: maskWork, settings: s, elem: *e, trues: t}
	c.operands(dst, data, nil)
	c.idx, c.at[idxOp] = m.Memory, m.at[idxOp]
	c.step = dst.stride(m.first) * e.units
	c.stream = c.streams()
	loops := append(c.array[:0], m.loops()...)

	var rest [maxLoops]loop
	outer := rest[:0]
	for d, n := range shape[:m.first] {
		outer = append(outer, loop{n, [3]int{dst.stride(d) * e.units, data.stride(d) * e.units}})
	}
	loops = append(loops, collapse(outer)...)
	inner := rest[:0]
	for d := m.end; d < len(data.shape); d++ {
		inner = append(inner, loop{data.shape[d], [3]int{dst.stride(d-m.end+m.first+1) * e.units, data.stride(d) * e.units}})
	}
	inner = e.addUnits(inner)
	if !dst.contiguous() {
		sequential(inner, &c.at)
	}
	c.set(append(loops, pad(collapse(inner), 1)...))
	c.run()
	return nil
}

// splitMask shares a call with a mask out: by the loops over what each of its
// elements stands for, or by the mask itself.
func (c *call) splitMask(parts int) split {
	if c.trues.parts < 2*c.workers {
		if k := c.longest(c.trues.loops, len(c.loops()), false); k >= 0 {
			return c.splitLoop(k, parts)
		}
	}
	return split{by: byMask, parts: c.trues.parts}
}

// masked runs a part of a Compress or a Take. Behind the loops over the mask
// come those over what each of its elements stands for, the last of them in rows.
func (c *call) masked(n *nest) {
	loops, k, run := n.loops(), c.trues.loops, n.last(1)
	line := &loops[k-1]
	switch {
	case c.elem.refs != nil:
		c.note("compact, pointers")
		c.chosen(n, func(at [3]int, offsets []int) {
			for _, o := range offsets {
				c.moveRun(at[dstOp], at[srcOp]+o, run)
				at[dstOp] += c.step
			}
		})
	case run.n == 1 && len(loops) == k+1 && line.s[srcOp] == 1 && line.s[idxOp] == 1 && c.step == 1: // single elements
		c.note("compact")
		low, high := c.rows(n)
		dst, bools := part(c.dst, n.at[dstOp]+low, high-low), slice[bool](&c.idx)
		n.each(2, func(at [3]int) bool {
			set := lanes.CompactRaw(dst, part(c.src, at[srcOp], line.n), bools[at[idxOp]:at[idxOp]+line.n])
			dst = part(dst, set, dst.Len-set)
			return true
		})
	default:
		c.note("compact rows")
		c.chosen(n, func(at [3]int, offsets []int) {
			lanes.GatherRowsRaw(lanes.Window{Memory: c.dst, At: at[dstOp], Row: c.step, Col: run.s[dstOp], Stream: c.stream}, c.src, at[srcOp], run.s[srcOp], offsets, run.n)
		})
	}
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
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	loops, k, offsets, bools := n.loops(), c.trues.loops, b.offsets[:], slice[bool](&c.idx)
	line, rest := &loops[k-1], loops[k:len(loops)-1]
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
	each(loops[:k-1], [3]int{idxOp: n.at[idxOp]}, func(from [3]int) bool {
		for j := 0; j < line.n; {
			here := line.after(from, j)
			more, next := lanes.Positions(offsets[found:], bools, here[idxOp], line.s[idxOp], line.n-j, here[srcOp], line.s[srcOp])
			if found, j = found+more, j+next; found == len(offsets) {
				move()
			}
		}
		return true
	})
	move()
}
