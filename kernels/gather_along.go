package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
)

// mostPlaces is the most elements of a table that bodies gather from along a pattern.
const mostPlaces = 1 << 30

// gathersAlong reports whether blocks of an arranged gather are gathered along the pattern in one
// step: single elements, with indices that the policy reads as primitives do.
func (c *call) gathersAlong(n *nest) bool {
	return c.work == gatherWork && alongLine > 0 && n.last(1).n == 1 && len(c.tuples.sizes) == 0 && c.elem.refs == nil &&
		c.elem.kind.Width() <= 8 && c.step >= 0 && c.src.Len <= mostPlaces && c.policy.usual() && lanes.GathersPatterns()
}

// gatherAlong gathers block by block, in one step. It reports whether every index was in range.
//
//	for p := range block { dst[at+p] = src[base + index(p)*step + pattern[p]] }
func (c *call) gatherAlong(n *nest) bool {
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	all := n.loops()
	loops := all[:len(all)-1]
	shape := blockingOf(loops, srcOp, [3]bool{})
	last, cut := &loops[len(loops)-1], &loops[shape.loop]
	along := fill(&shape, b.along[:], loops, srcOp)
	var patterns [3][]int // nil where an operand is evenly spaced
	for _, op := range [...]int{dstOp, idxOp} {
		if !shape.even[op] || op == dstOp && last.s[dstOp] != 1 {
			patterns[op] = fill(&shape, b.patterns[op][:], loops, op)
		}
	}
	return n.each(len(loops)-shape.loop+1, func(at position) bool {
		for left := cut.n; left > 0; left -= shape.chunk {
			if !c.gatherBlock(b, at, last, along[:min(left, shape.chunk)*shape.inner], &patterns) {
				return false
			}
			at = cut.after(at, shape.chunk)
		}
		return true
	})
}

// gatherBlock gathers a block of gatherAlong.
func (c *call) gatherBlock(b *block, at position, line *loop, along []int32, patterns *[3][]int) bool {
	indices, from := c.sideBySide(b, len(along), at.idx, line.s[idxOp], patterns[idxOp])
	if patterns[dstOp] == nil {
		return lanes.GatherPatternRaw(c.dst, at.dst, c.src, at.src, indices, from, c.size, c.step, along) < 0
	}
	dense := lanes.Memory{Ptr: unsafe.Pointer(&b.moved), Len: len(along), Kind: c.dst.Kind}
	if lanes.GatherPatternRaw(dense, 0, c.src, at.src, indices, from, c.size, c.step, along) >= 0 {
		return false
	}
	lanes.ScatterRaw(c.dst, at.dst, 1, patterns[dstOp][:len(along)], lanes.Window{Memory: dense, Row: 1, Col: 1}, 1)
	return true
}

// alongPattern reports whether the lines of a gather go in blocks along a pattern, where there is a
// body for that: lines that would leave more than a quarter of a body's vectors empty, that no body
// takes as they are, or of narrow elements in columns, which would go one by one. Those into a few
// entries have a body of their own, and of a large table strips are packed. (BenchmarkAlong.
// Emerald Rapids, the time otherwise over that in such blocks, lines of 5, 8, 13, 17, 24, 33, 40 and
// 72 elements: columns of float32 4.0 1.9 1.3 1.7 0.8 1.15 1.0 1.0, of float64 2.2 1.0 0.9 1.2 0.85
// 1.1 1.4 0.85, of uint8 1.5 2.1 1.2 1.5 1.6 1.0 0.95 1.5, of uint16 1.7 1.6 1.1 1.1 1.3 1.0 0.95
// 1.0; rows of float32 3.0 1.6 1.0 1.25 1.2 0.9 1.0 0.9, of uint16 2.9 2.3 1.1 2.1 1.3 1.3 0.9 1.0.
// Columns of 200 and 1000 of uint8 and uint16, by another run, 0.9 to 1.35 and 0.8 to 0.9.)
//
// The pattern of a block has to be made first, so calls of fewer elements than leastPattern
// go so only in lines of shortLine at most.
func (c *call) alongPattern(n *nest, line *loop) bool {
	width, column, few := c.elem.kind.Width(), line.s[srcOp], fewEntries
	if width >= 4 {
		few /= 2
	}
	step := min(16, 64/width)
	switch {
	case c.stream || c.tableBytes() >= c.leastTable(srcOp) && line.n >= stripLine || line.n > shortLine && n.steps() < leastPattern:
		return false
	case column != 0 && column != 1 || column == 0 && c.step != 1:
		return true
	case column == 1 && c.size*width <= few && line.n*width >= cacheLine:
		return false
	case column == 1 && width < 4:
		return line.n < alongLine
	}
	return 3*((line.n-1)/step+1)*step > 4*line.n
}

// alongLine is the least length of lines of narrow elements that go one by one, and fewEntries the
// most bytes of few entries, about as the primitive has it.
var alongLine, leastPattern = 128, 1024

const fewEntries = 32
