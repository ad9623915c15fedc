package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// Short loops would cut the work into short rows, which cost more to begin than to do. So a gather
// or a scatter goes block by block, where a block has up to blockLen positions of several loops, in
// two steps:
//
//	for p := range block { offsets[p] = index(p)*step + pattern[p] }
//	for p := range block { dst[at+p] = src[base+offsets[p]] }        // or the other way, or combined
//
// pattern[p] is how far the loops have moved the indexed operand at position p. It is the same for
// all blocks, whose base moves with the outer loops. An operand whose elements are not evenly spaced
// along a block goes through a dense copy, by a pattern for that operand. A gather takes both steps
// at once where there is a body for that (see gatherAlong).

// blockLen is how many positions a block has. They are enough that the cost of a block disappears
// and memory is read in long runs: with 256, a scatter-sum of 1024 × 4096 elements takes 1.2 times
// as long. They are few enough that the scratch stays in the first-level cache.
const blockLen = 512

// A block is the scratch of a part's blocks.
type block struct {
	offsets  [blockLen]int    // of the indexed operand, from its base
	patterns [3][blockLen]int // of each operand
	narrow   [blockLen]int64  // indices of any kind, side by side
	wide     [blockLen]int64  // the same as int64
	moved    [blockLen][2]uint64
	along    [blockLen]int32 // the pattern of a table, of a gather in one step

	part nest // of a fused pass: see eachPart

	// Of blocks with indices that the policy reads in another way than primitives do:
	skip   [blockLen]uint8 // 1: the index names nothing
	places [blockLen]int   // in the other operand
}

var blocks = sync.Pool{New: func() any { return new(block) }}

// A blocking says which positions a block has: chunk steps of a loop, and all of the loops inside
// it.
type blocking struct {
	loop, chunk int
	inner       int // positions of one step of the loop
	even        [3]bool
}

// evenBlocks is how many positions make a block long enough. Another loop is then not added if it
// would make an operand uneven.
var evenBlocks = 64

// blockingOf chooses the blocks for these loops over positions. indexed is the operand that the
// pattern is for. Of the others, those in must have to be evenly spaced.
func blockingOf(loops []loop, indexed int, must [3]bool) blocking {
	k := len(loops) - 1
	b := blocking{loop: k, inner: 1, even: [3]bool{true, true, true}}
	for ; k > 0; k-- {
		n := b.inner * loops[k].n
		if 2*n > blockLen {
			break
		}
		even := b.even
		good := true
		for op := range even {
			if op != indexed && loops[k-1].s[op] != loops[k].s[op]*loops[k].n {
				even[op] = false
				good = good && !must[op] && n < evenBlocks
			}
		}
		if !good {
			break
		}
		b.loop, b.inner, b.even = k-1, n, even
	}
	n := loops[b.loop].n
	parts := (n*b.inner-1)/blockLen + 1
	b.chunk = max(1, (n-1)/parts+1)
	if b.chunk*b.inner > blockLen {
		b.chunk = blockLen / b.inner
	}
	return b
}

// fill sets the pattern of an operand: how far it has moved at each position of a block. What there
// is of it is copied as a whole, moved on, so that few loops are short. (BenchmarkShortLines, in
// blocks. Emerald Rapids, 384 elements in lines of 2, 3 and 6, the time step by step over that so:
// gathers 1.2 to 1.4, sums 1.2 to 1.3.)
func fill[T int | int32](b *blocking, pattern []T, loops []loop, op int) []T {
	n := 1
	pattern[0] = 0
	for k := len(loops) - 1; k >= b.loop; k-- {
		steps, moved := loops[k].n, T(loops[k].s[op])
		if k == b.loop {
			steps = b.chunk
		}
		for whole := n * steps; n < whole; moved *= 2 {
			next := pattern[n:min(2*n, whole)]
			for i, o := range pattern[:len(next)] {
				next[i] = o + moved
			}
			n += len(next)
		}
	}
	return pattern[:n]
}

// eachBlock resolves the indices of an arranged nest block by block. It calls use with each block's
// base and offsets in the indexed operand, and with the elements of the other operand, or their
// rows. It reports whether every index was in range.
func (c *call) eachBlock(n *nest, indexed int, use func(base int, offsets []int, other lanes.Window, run loop)) bool {
	b := blocks.Get().(*block)
	defer blocks.Put(b)

	other := srcOp + dstOp - indexed
	all, run := n.loops(), n.last(1)
	loops := all[:len(all)-1]
	must := [3]bool{dstOp: run.n > 1 || c.elem.refs != nil}
	must[srcOp] = must[dstOp]
	shape := blockingOf(loops, indexed, must)
	last := &loops[len(loops)-1]
	moves := false // the indexed operand, within a block
	for k := shape.loop; k < len(loops); k++ {
		moves = moves || loops[k].s[indexed] != 0
	}
	var patterns [3][]int // nil where an operand moves evenly, or not at all
	for op := range patterns {
		if op == indexed && moves || op != indexed && !shape.even[op] {
			patterns[op] = fill(&shape, b.patterns[op][:], loops, op)
		}
	}
	outer, cut := len(loops)-shape.loop+1, &loops[shape.loop]
	same := c.work == gatherWork // all blocks have the same indices, and so the same offsets
	for i := range loops[:shape.loop+1] {
		same = same && loops[i].s[idxOp] == 0
	}
	resolved := 0
	return n.each(outer, func(at position) bool {
		for left := cut.n; left > 0; left -= shape.chunk {
			count := min(left, shape.chunk) * shape.inner
			offsets, good := b.offsets[:count], true
			if !same || count > resolved {
				good = c.resolveBlock(b, offsets, at.idx, last.s[idxOp], patterns[idxOp], patterns[indexed])
				resolved = count
			}
			if !good && c.policy.fails() {
				return false
			}
			w := window(*c.operand(other), other, at, last, run, c.stream)
			if !good {
				resolved = 0
				named := c.resolveDirty(b, offsets, at.idx, last.s[idxOp], patterns[idxOp], patterns[indexed])
				c.useDirty(b, w, at.of(indexed), offsets, patterns[other], named, run, use)
			} else if shape.even[other] {
				use(at.of(indexed), offsets, w, *run)
			} else {
				c.useDense(b, w, at.of(indexed), offsets, patterns[other][:count], use)
			}
			at = cut.after(at, shape.chunk)
		}
		return true
	})
}

// useDense is use for an operand whose elements are not evenly spaced: through a dense copy.
func (c *call) useDense(b *block, w lanes.Window, base int, offsets, pattern []int, use func(base int, offsets []int, other lanes.Window, run loop)) {
	dense := lanes.Window{Memory: lanes.Memory{Ptr: unsafe.Pointer(&b.moved), Len: len(offsets), Kind: w.Kind}, Row: 1, Col: 1}
	if c.work == scatterWork {
		lanes.GatherRowsRaw(dense, w.Memory, w.At, 1, pattern, 1)
		use(base, offsets, dense, one)
	} else {
		use(base, offsets, dense, one)
		lanes.ScatterRaw(w.Memory, w.At, 1, pattern, dense, 1)
	}
}

// resolveBlock sets the offsets of a block. Its indices start at at and are step apart, or at the
// positions of a pattern. The indexed operand moves along another, if at all.
func (c *call) resolveBlock(b *block, offsets []int, at, step int, indices, pattern []int) bool {
	if len(c.tuples.sizes) > 0 {
		return c.resolveTuples(b, offsets, at, step, indices, pattern)
	}
	x, at := c.sideBySide(b, len(offsets), at, step, indices)
	if c.policy.NegativeIsOutOfRange && negative(x, at, len(offsets)) {
		return false
	}
	if pattern == nil {
		return lanes.ResolveRaw(offsets, x, at, 1, c.size, c.step, 0) < 0
	}
	return lanes.ResolvePatternRaw(offsets, x, at, c.size, c.step, pattern[:len(offsets)]) < 0
}

// sideBySide returns n indices as primitives take them, and where they begin. They lie step apart
// from at on, or at the positions of a pattern.
func (c *call) sideBySide(b *block, n, at, step int, pattern []int) (lanes.Memory, int) {
	x := c.idx
	if pattern != nil {
		x = lanes.Memory{Ptr: unsafe.Pointer(&b.narrow), Len: n, Kind: c.idx.Kind}
		lanes.GatherRowsRaw(lanes.Window{Memory: x, Row: 1, Col: 1}, c.idx, at, 1, pattern[:n], 1)
		at, step = 0, 1
	}
	if step != 1 || !resolvable(x.Kind) {
		lanes.WidenRaw(b.wide[:n], x, at, step)
		x, at = wideMemory(b.wide[:n]), 0
	}
	return x, at
}

// resolveTuples resolves tuples to the sums of their components' offsets, and adds a pattern if
// there is one. The tuples lie row apart, or at the positions in indices. It goes component by
// component for kinds that have to be widened, and where components do not follow each other and
// that is faster. Each is laid side by side and resolved along the sums of those before it.
//
//	for d := range sizes {
//		for i := range offsets { offsets[i] = tuples(i, d)*steps[d] + pattern[i] }
//		pattern = offsets
//	}
func (c *call) resolveTuples(b *block, offsets []int, at, row int, indices, pattern []int) bool {
	t, n := &c.tuples, len(offsets)
	signed := c.policy.NegativeIsOutOfRange
	if signed && indices == nil && resolvable(c.idx.Kind) && t.step == 1 && row == len(t.sizes) {
		if negative(c.idx, at, n*row) {
			return false
		}
		signed = false
	}
	whole := t.step == 1 || !dispatch.SplitsTuples()
	if indices == nil && resolvable(c.idx.Kind) && !signed && whole {
		tuples := lanes.Window{Memory: c.idx, At: at, Row: row, Col: t.step}
		if pattern != nil {
			return lanes.ResolveTuplesPatternRaw(offsets, tuples, t.sizes, t.all(), pattern) < 0
		}
		return lanes.ResolveTuplesRaw(offsets, tuples, t.sizes, t.all(), 0) < 0
	}
	for d, size := range t.sizes {
		bad := 0
		if x, from := c.sideBySide(b, n, at+d*t.step, row, indices); signed && negative(x, from, n) {
			return false
		} else if pattern == nil {
			bad = lanes.ResolveRaw(offsets, x, from, 1, size, t.all()[d], 0)
		} else {
			bad = lanes.ResolvePatternRaw(offsets, x, from, size, t.all()[d], pattern[:n])
		}
		if bad >= 0 {
			return false
		}
		pattern = offsets
	}
	return true
}

// noteBlocks notes the kernel of a part that resolves its indices block by block.
func (c *call) noteBlocks(n *nest) {
	if c.observer == nil {
		return
	}
	kernel := "gather"
	if c.work == scatterWork {
		kernel = "scatter"
	}
	switch _, run := n.inner(); {
	case c.elem.refs != nil:
		kernel += ", pointers"
	case run.n > 1:
		kernel += " rows"
	default:
		kernel += ", resolved indices"
	}
	c.note(kernel)
}
