package kernels

import (
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A call is one pass over an operator's elements in canonical form: all that
// the pass needs, and nothing of the tensors that it came from. A copy of it
// shares only the operands' memory with it, so that other goroutines can have one.
type call struct {
	work work
	elem elem
	settings
	nest

	dst, src, idx lanes.Memory
	stream        bool // dst is too large for the caches
	small         bool // see small.go

	// Of passes with indices:
	size   int    // of the indexed axis
	step   int    // of the operand that is indexed, from one element of that axis to the next
	tuples tuples // instead of size and step, when sizes are given
	strip  int    // columns to pack at a time, of calls in columns; 0: none

	// Of scatters and bags:
	attrs    ScatterAttrs
	identity [2]uint64    // what a reduction starts from, an element's bytes
	data     lanes.Memory // to be copied to dst first, slab by slab, if it has anything

	trues *trues // of calls with a mask, which is where indices are
	bags  *bags  // of an EmbeddingBag
}

// work is what a pass does on each part of its nest.
type work uint8

const (
	copyWork    work = iota // copy.go
	gatherWork              // gather.go
	scatterWork             // scatter.go
	maskWork                // mask.go
	bagWork                 // bags.go
	checkWork               // indices.go
	equalWork               // constant_rows.go
)

// exec runs a part of the call, and reports whether every index was in range.
func (c *call) exec(n *nest) bool {
	switch c.work {
	case copyWork:
		c.copy(n)
		return true
	case gatherWork:
		return c.gather(n)
	case scatterWork:
		return c.scatter(n)
	case maskWork:
		c.masked(n)
		return true
	case bagWork:
		return c.reduceBags(n)
	case checkWork:
		return c.check(n)
	default:
		return c.keepEqual(n)
	}
}

// operands makes these the call's operands, which have no loops yet.
func (c *call) operands(dst, src, indices *view) {
	c.dst, c.at[dstOp] = c.elem.memory(dst)
	c.src, c.at[srcOp] = c.elem.memory(src)
	if indices != nil {
		c.idx, c.at[idxOp] = indices.memory(indices.kind, 1)
	}
}

// widen makes the units of a run that moves as wide as it divides into: neighbours that move together, such
// as rows of four float32, are one unit of 16 bytes if all that the loops, the index and
// the operands' starts are apart is a number of them. It reports whether there was such a run. (Zen 4, ns an element: rows of two float32 gathered
// 1.1 and so 0.19, of four 0.56 and 0.17, scattered 3.0 and 0.31, 1.6 and 0.24.)
func (c *call) widen() bool {
	run := c.last(1)
	if run.n < 2 || !unalignedAccess || c.elem.refs != nil || c.elem.units > 1 || run.s[dstOp] != 1 || run.s[srcOp] != 1 || run.s[idxOp] != 0 {
		return false
	}
	width := c.elem.kind.Width()
	n := min(run.n&-run.n, 16/width) // a power of two
	if n < 2 {
		return false
	}
	bytes := n * width
	if (c.at[dstOp]|c.at[srcOp]|c.step)&(n-1) != 0 {
		return false
	}
	for _, step := range c.tuples.all() {
		if step&(n-1) != 0 {
			return false
		}
	}
	loops := c.loops()
	loops = loops[:len(loops)-1]
	for i := range loops {
		if (loops[i].s[dstOp]|loops[i].s[srcOp])&(n-1) != 0 {
			return false
		}
	}
	kind := lanes.KindX8 + lanes.Kind(bits.TrailingZeros(uint(bytes)))
	c.elem.kind, c.elem.together = kind, n
	c.dst.Kind, c.dst.Len = kind, c.dst.Len/n
	c.src.Kind, c.src.Len = kind, c.src.Len/n
	c.at[dstOp] /= n
	c.at[srcOp] /= n
	c.step /= n
	for d, step := range c.tuples.all() {
		c.tuples.set(d, step/n)
	}
	for i := range loops {
		loops[i].s[dstOp] /= n
		loops[i].s[srcOp] /= n
	}
	if run.n /= n; run.n == 1 {
		*run = one
	}
	return true
}

// streams reports whether an output is better written past the caches: it is
// large, and the caches don't hold it beside what the call reads.
func (c *call) streams() bool {
	out := sizeOf(c.dst)
	return out >= int64(dispatch.Default.StreamBytes) && out+sizeOf(c.src)+sizeOf(c.idx) >= int64(dispatch.Default.StreamReach)
}

// sizeOf returns the bytes of an operand.
func sizeOf(m lanes.Memory) int64 { return int64(m.Len) * int64(m.Kind.Width()) }

// run runs the call, on more than one goroutine if that pays, and reports
// whether every index was in range. Parts own disjoint cells of dst and work
// through them in one order, so the result is the same for any number of them.
func (c *call) run() bool {
	if c.watch != nil {
		c.watch.pass(c)
	}
	if c.small || c.workers == 1 || c.elem.refs != nil {
		return c.exec(&c.nest)
	}
	cost := c.cost()
	limit := cost / max(dispatch.Default.WorkerTime, 1)
	if limit <= 1 {
		return c.exec(&c.nest)
	}
	if c.workers <= 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	c.workers = min(c.workers, limit)
	if c.workers == 1 {
		return c.exec(&c.nest)
	}
	if c.runTasks == nil {
		defer helpers.leave()
		if !helpers.enter(c.workers, cost, c.awake()) && !cutAlone {
			return c.exec(&c.nest)
		}
	}
	if s := c.split(cost); s.parts > 1 {
		return c.spread(s)
	}
	return c.exec(&c.nest)
}

// cutAlone is for tests: a call is cut into parts though nobody may help.
var cutAlone = false

// A split says how a call is shared out: into parts of a loop, of the range of
// the indexed axis, or of a mask.
type split struct {
	by    splitBy
	loop  int
	parts int
}

type splitBy uint8

const (
	byLoop  splitBy = iota
	byRange         // parts share all loops and own ranges of the indexed axis
	byMask          // parts of the mask, as its true elements were counted
)

// split returns how to share the call out to its workers. One part means that
// it can't be.
func (c *call) split(cost int) split {
	parts := min(c.workers*dispatch.Default.TasksPerWorker, max(c.workers, cost/max(dispatch.Default.PartTime, 1)))
	switch c.work {
	case scatterWork:
		return c.splitScatter(parts)
	case maskWork:
		return c.splitMask(parts)
	case bagWork:
		return c.splitBags(parts)
	case equalWork: // a row is compared whole
		return c.splitLoop(c.longest(0, len(c.loops())-1, false), parts)
	}
	if c.strip > 0 { // across the columns, so that each strip is packed once
		return c.splitLoop(len(c.loops())-2, parts)
	}
	return c.splitLoop(c.longest(0, len(c.loops()), false), parts)
}

// splitLoop is a split along a loop into some parts; there is none if the loop is negative.
func (c *call) splitLoop(loop, parts int) split {
	if loop < 0 {
		return split{parts: 1}
	}
	return split{byLoop, loop, min(parts, c.loops()[loop].n)}
}

// longest returns the outermost of the loops from first up to end that gives
// every worker two parts, or else the longest; -1 if there is none to cut. If owned,
// only loops whose steps have cells of their own are.
func (c *call) longest(first, end int, owned bool) int {
	longest, loops := -1, c.loops()
	for k := first; k < end; k++ {
		l := &loops[k]
		if l.n < 2 || owned && !l.own() {
			continue
		}
		if l.n >= 2*c.workers {
			return k
		}
		if longest < 0 || l.n > loops[longest].n {
			longest = k
		}
	}
	return longest
}

// partOf returns the i-th part of a split.
func (c *call) partOf(s split, i int) nest {
	switch s.by {
	case byRange:
		p := c.nest
		p.low, p.high = share(c.size, i, s.parts), share(c.size, i+1, s.parts)
		return p
	case byMask:
		p := c.part(0, i, s.parts)
		if p.low, p.high = c.trues.before[i], c.trues.before[i+1]; p.low == p.high {
			p.loops()[0].n = 0 // or none, at the very beginning, would be taken for all
		}
		return p
	}
	return c.part(s.loop, i, s.parts)
}

// spread runs the parts of a split on several goroutines. What these share is
// on the heap.
func (c *call) spread(s split) bool {
	p := &pass{call: *c, split: s}
	workers := min(c.workers, s.parts)
	if w := p.watch; w != nil {
		w.facts.Workers, w.facts.Parts = workers, s.parts
		defer w.relabel()
	}
	j := newJob(p, s.parts, workers-1)
	if p.runTasks != nil {
		p.runTasks(workers, func(int) { j.help() })
		j.run(false)
	} else {
		helpers.offer(j, p.awake())
	}
	return !p.bad.Load()
}

// A pass is the task of a call's parts.
type pass struct {
	call
	split split
	bad   atomic.Bool // an index, in some part
}

func (p *pass) part(i int) {
	if carryOn || !p.bad.Load() {
		if part := p.partOf(p.split, i); !p.exec(&part) {
			p.bad.Store(true)
		}
	}
}

func (p *pass) leave() { p.watch.unlabel() }

// carryOn is for tests: every part runs, as it may when it began before another met
// a bad index. Otherwise what a part does then depends on time.
var carryOn = false
