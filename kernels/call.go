package kernels

import (
	"runtime"
	"sync/atomic"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A call describes one pass over an operator's elements in canonical form. It refers to no tensor:
// only the operands' memory is shared with a copy of it, so that every goroutine can have its own
// copy.
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

	trues *trues // of calls with a mask, whose memory is idx
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
	checkWork               // index_passes.go
	equalWork               // index_passes.go
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

// operands sets the memory of the call's operands and where they start. It sets no loops.
func (c *call) operands(dst, src, indices *view) {
	c.dst, c.at[dstOp] = c.elem.memory(dst)
	c.src, c.at[srcOp] = c.elem.memory(src)
	if indices != nil {
		c.idx, c.at[idxOp] = indices.memory(indices.kind, 1)
	}
}

// streams reports whether stores should bypass the caches: the output is large, and the caches do
// not hold it beside what the call reads.
func (c *call) streams() bool {
	out := sizeOf(c.dst)
	return out >= int64(dispatch.Default.StreamBytes) && out+sizeOf(c.src)+sizeOf(c.idx) >= int64(dispatch.Default.StreamReach)
}

// sizeOf returns the bytes of an operand.
func sizeOf(m lanes.Memory) int64 { return int64(m.Len) * int64(m.Kind.Width()) }

// run runs the call, on more than one goroutine if that pays, and reports whether every index was
// in range. Parts own disjoint cells of dst and update them in one order, so the result is the same
// for any number of goroutines.
func (c *call) run() bool {
	if c.observer != nil {
		c.observed()
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

// observed tells the call's observer that a pass begins, and what it moves.
func (c *call) observed() {
	w := c.observer
	w.passed()
	w.facts.Workers, w.facts.Parts, w.facts.Strip = 1, 1, c.strip
	if c.work != checkWork && c.work != equalWork {
		units := c.steps()
		if c.work == maskWork {
			units = c.trues.total()
			for _, l := range c.loops()[c.trues.loops:] {
				units *= l.n
			}
		}
		w.facts.Elements = units / c.elem.units
		w.facts.Bytes = w.facts.Elements * c.elem.size
	}
	if c.data.Len > 0 {
		w.kernel = "copy on the way"
		w.passed()
	}
}

// cutAlone is for tests: calls are cut into parts even where no helper can run one.
var cutAlone = false

// spread runs the parts of a split on several goroutines. What they share is on the heap.
func (c *call) spread(s split) bool {
	p := &pass{call: *c, split: s}
	workers := min(c.workers, s.parts)
	if w := p.observer; w != nil {
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

// A pass is the task that runs the parts of a call.
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

func (p *pass) leave() { p.observer.unlabel() }

// carryOn is for tests: all parts run, also after one has met a bad index. Otherwise it depends on
// timing which parts have begun by then.
var carryOn = false
