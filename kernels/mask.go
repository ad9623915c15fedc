package kernels

import (
	"sync"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A trues has how many elements of a mask are true. They are counted once, before anything is
// written, for parts that different goroutines can run.
type trues struct {
	loops  int // over the mask: the first loops of a call's nest
	parts  int // of the outermost loop
	before [mostMaskParts + 1]int
}

const mostMaskParts = 64

var truesPool = sync.Pool{New: func() any { return new(trues) }}

func (t *trues) total() int { return t.before[t.parts] }

// masked runs a part of a Compress or a Take. The loops over the mask come first in the nest. The
// loops after them are over what one element of the mask chooses; the innermost is a run.
func (c *call) masked(n *nest) {
	loops, k, run := n.loops(), c.trues.loops, n.last(1)
	line := &loops[k-1]
	switch {
	case c.elem.refs != nil:
		c.note("compact, pointers")
		c.chosen(n, func(at position, offsets []int) {
			for _, o := range offsets {
				c.moveRun(at.dst, at.src+o, run)
				at.dst += c.step
			}
		})
	case run.n == 1 && len(loops) == k+1 && line.s[srcOp] == 1 && line.s[idxOp] == 1 && c.step == 1:
		c.note("compact")
		low, high := c.rows(n)
		dst, bools := part(c.dst, n.at.dst+low, high-low), slice[bool](&c.idx)
		n.each(2, func(at position) bool {
			set := lanes.CompactRaw(dst, part(c.src, at.src, line.n), bools[at.idx:at.idx+line.n])
			dst = part(dst, set, dst.Len-set)
			return true
		})
	default:
		c.note("compact rows")
		c.chosen(n, func(at position, offsets []int) {
			lanes.GatherRowsRaw(lanes.Window{Memory: c.dst, At: at.dst, Row: c.step, Col: run.s[dstOp], Stream: c.stream}, c.src, at.src, run.s[srcOp], offsets, run.n)
		})
	}
}

// rows returns which of the chosen rows a part writes.
func (c *call) rows(n *nest) (low, high int) {
	if n.high == 0 {
		return 0, c.trues.total()
	}
	return n.low, n.high
}

// chosen finds the true elements of a part of the mask, block by block. It calls use for each step
// of the loops between mask and run, with the positions of the next row of dst and of data, and
// with the block's offsets in data.
func (c *call) chosen(n *nest, use func(at position, offsets []int)) {
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	loops, k, offsets, bools := n.loops(), c.trues.loops, b.offsets[:], slice[bool](&c.idx)
	line, rest := &loops[k-1], loops[k:len(loops)-1]
	low, high := c.rows(n)
	at, found := n.at, 0
	at.dst += low * c.step
	move := func() {
		block := offsets[:min(found, high-low)] // no more than were counted, even if the mask has changed
		each(rest, at, func(at position) bool {
			use(at, block)
			return true
		})
		at.dst += len(block) * c.step
		low, found = low+len(block), 0
	}
	each(loops[:k-1], position{idx: n.at.idx}, func(from position) bool {
		for j := 0; j < line.n; {
			here := line.after(from, j)
			more, next := lanes.Positions(offsets[found:], bools, here.idx, line.s[idxOp], line.n-j, here.src, line.s[srcOp])
			if found, j = found+more, j+next; found == len(offsets) {
				move()
			}
		}
		return true
	})
	move()
}

// splitMask splits a call with a mask: along the loops inside the mask, or into parts of the mask
// itself.
func (c *call) splitMask(parts int) split {
	if c.trues.parts < 2*c.workers {
		if k := c.longest(c.trues.loops, len(c.loops()), false); k >= 0 {
			return c.splitLoop(k, parts)
		}
	}
	return split{ownParts, c.trues.parts}
}

// maskPart returns the i-th part of a call with a mask.
func (p *pass) maskPart(i int) nest {
	if p.split.loop != ownParts {
		return p.partOf(i)
	}
	n := p.nest.part(0, i, p.split.parts)
	if n.low, n.high = p.trues.before[i], p.trues.before[i+1]; n.low == n.high {
		n.loops()[0].n = 0 // because high == 0 means all
	}
	return n
}

// maskCost estimates what a call with a mask takes.
func (c *call) maskCost() float64 {
	t, moved := &dispatch.Costs, float64(c.chosenElements())
	ns := t.Mask
	for _, l := range c.loops()[:c.trues.loops] {
		ns *= float64(l.n)
	}
	if c.last(1).neighbours() {
		return ns + c.runsCost(moved, t.Byte)
	}
	return ns + moved*t.Compact
}

// chosenElements returns how many elements a call with a mask moves.
func (c *call) chosenElements() int {
	n := c.trues.total()
	for _, l := range c.loops()[c.trues.loops:] {
		n *= l.n
	}
	return n
}
