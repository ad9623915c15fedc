package kernels

import (
	"runtime"
	"slices"
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
	tiles         bool // see tiles.go
	entered       bool // it is counted in team.callers

	// Of passes with indices:
	axes
	strip  int // columns at a time, of calls in packed strips; 0: none
	tables tableStrip

	// Of scatters and bags:
	attrs    ScatterAttrs
	identity [2]uint64    // what a reduction starts from, an element's bytes
	data     lanes.Memory // to be copied to dst first, slab by slab, if it has anything

	trues *trues // of calls with a mask, whose memory is idx
	bags  *bags  // of an EmbeddingBag
}

// work is what a pass does on each part of its nest. run.go has a function that runs each.
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

// operands sets the memory of the call's operands and where they start. It sets no loops.
func (c *call) operands(dst, src, indices *view) {
	c.dst, c.at.dst = c.elem.memory(dst)
	c.src, c.at.src = c.elem.memory(src)
	if indices != nil {
		c.idx, c.at.idx = indices.memory(indices.kind, 1)
	}
}

// streams reports whether stores of so many elements should bypass the caches. The output is large,
// and the last-level cache does not hold it beside what the call reads. That is counted as the
// bytes that it writes, or whole cache lines where elements lie apart, but no more than all of src.
// (A reversed slice of 6 MB of an array of 177 MB, Zen 4: 1.1 ms past the caches, 0.25 into them.)
//
// Stores past the caches are as fast from this much of that cache on. (Several workers reach the
// limit of memory. REP MOVSB reads no line that it writes.)
//
//	                        one worker  several
//	elements or short runs  1/2         3/4
//	long runs               3/4         3/2
//	runs by REP MOVSB       1           3/2
//
// (BenchmarkStores. Zen 4 with 32 MiB. The time past the caches over that into them, for 12, 16,
// 20, 24, 28 and 32 MiB read and written: runs of 10 KB, one worker 1.4 1.4 1.1 0.9 0.8 0.7, two
// 1.5 1.4 1.4 1.4 1.3 1.25; reversed rows of 1 KB, one 1.1 0.9 0.7 0.7 0.7 0.7, two 1.2 1.2 1.1 1.0
// 0.9 0.8; rows of 512 bytes 1.1 0.9 0.7 0.8 0.6 0.6, 1.2 1.2 1.15 1.1 1.0 0.9. In an hour when
// others used that cache, for 16 and 24 MiB: runs 1.35 0.84, two 2.4 1.5, reversed rows 0.76 0.67,
// 1.13 0.72.)
//
// (REP MOVSB. Zen 5, from 4 MiB into 16, 24 and 64 MiB, GB/s, past the caches and by REP MOVSB: 41
// and 52, 40 and 45, 42 and 39.)
func (c *call) streams(elements int) bool {
	out := int64(elements) * int64(c.elem.size)
	if out < int64(dispatch.Default.StreamBytes) {
		return false
	}
	apart, run, width := cacheLine, c.last(1), c.elem.kind.Width()
	if run.s[idxOp] == 0 && run.n > 1 {
		apart = max(run.s[srcOp], -run.s[srcOp], 1)
	}
	lines := out * int64(max(1, min(apart, cacheLine/width)))
	long := apart == 1 && run.s[srcOp] == 1 && run.s[dstOp] == 1 && run.n*width >= longRun
	several := c.workers != 1 && runtime.GOMAXPROCS(0) > 1
	eighths := int64(4) // of the last-level cache
	switch {
	case several && long:
		eighths = 12
	case long && run.n*width >= dispatch.Near.Long && dispatch.Has(dispatch.FastMovs):
		eighths = 8
	case several || long:
		eighths = 6
	}
	read := min(sizeOf(c.src), lines)
	if c.fewPlaces() {
		read = 0
	}
	return (out+read+sizeOf(c.idx))/eighths >= int64(dispatch.Default.StreamReach/4)
}

// fewPlaces reports whether a gather reads the same few places of src again and again, judged by a
// sample. (Zen 4, 22,008 rows of 512 bytes, 8 of them distinct: 0.44 ms past the caches and 0.18
// into them.)
func (c *call) fewPlaces() bool {
	if c.work != gatherWork {
		return false
	}
	const samples = 32
	var seen [samples]int
	few, loops := seen[:0], c.loops()
	for k := range samples {
		x, place := c.at.idx, 0
		for i, l := range loops {
			j := share(l.n-1, k*(2*i+5)%samples, samples)
			x += j * l.s[idxOp]
			if i < len(loops)-1 { // a run is read as a whole
				place += j * l.s[srcOp]
			}
		}
		offset, _ := c.offset(c.idx, x)
		if place += offset; !slices.Contains(few, place) {
			few = append(few, place)
		}
	}
	return len(few) <= samples/2
}

// longRun is the least length, in bytes, of a run that the hardware prefetches well.
const longRun = 4 << 10

// cut returns how the call is shared out: into parts for spread, or into none, because it is short
// or no helper is free.
func (c *call) cut() (s split) {
	if c.small && c.observer == nil {
		return s
	}
	return c.cutLong()
}

func (c *call) cutLong() (s split) {
	c.tables = c.tableStrip()
	if c.observer != nil {
		c.observed()
	}
	if c.small || c.workers == 1 || c.elem.refs != nil {
		return s
	}
	cost := c.cost()
	limit := cost / max(dispatch.Default.WorkerTime, 1)
	if limit <= 1 {
		return s
	}
	if c.workers <= 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	c.workers = min(c.workers, limit)
	if c.workers == 1 {
		return s
	}
	each := cost / max(dispatch.Default.PartTime, 1) / c.workers // parts of a worker, as many as of any other
	whole := c.split(c.workers * max(1, min(dispatch.Default.TasksPerWorker, each)))
	if whole.parts <= 1 { // no helper is started for it (Zen 4, calls in a row: 10.9 µs and 14.9 with one)
		return s
	}
	if c.runTasks == nil {
		c.entered = true
		if !helpers.enter(c.workers, cost, c.awake()) && !cutAlone {
			return s
		}
	}
	return whole
}

// observed tells the call's observer that a pass begins, and what it moves.
func (c *call) observed() {
	elements := -1
	if units := c.moved(); units >= 0 {
		elements = units / c.elem.units * max(c.elem.together, 1)
	}
	c.observer.pass(elements, c.elem.size, max(c.strip, c.tables.elements), c.data.Len > 0)
}

// cutAlone is for tests: calls are cut into parts even where no helper can run one.
var cutAlone = false

// spread runs the parts of a split on several goroutines, and reports whether every index was in
// range. Parts own disjoint cells of dst and update them in one order, so the result is the same
// for any number of goroutines.
func (c *call) spread(s split, run func(p *pass, i int) bool) bool {
	if c.entered {
		defer helpers.leave()
	}
	p := &pass{call: *c, split: s, run: run}
	workers := min(c.workers, s.parts)
	if w := p.observer; w != nil {
		w.shared(workers, s.parts)
		defer w.relabel()
	}
	j := newJob(p, s.parts, workers-1)
	if p.runTasks != nil {
		func() {
			defer j.run(false) // also if runTasks panics: no part may run after the call
			p.runTasks(workers, func(int) { j.help() })
		}()
		if j.lost.Load() {
			panic("kernels: a part has panicked on a goroutine of the Executor")
		}
	} else {
		helpers.offer(j, p.awake())
	}
	return !p.bad.Load()
}

// A pass is the task that runs the parts of a call.
type pass struct {
	call
	split split
	run   func(p *pass, i int) bool // runs part i
	bad   atomic.Bool               // an index, in some part
}

func (p *pass) part(i int) {
	if (carryOn || !p.bad.Load()) && !p.run(p, i) {
		p.bad.Store(true)
	}
}

func (p *pass) leave() {
	if p.observer != nil {
		p.observer.unlabel()
	}
}

// carryOn is for tests: all parts run, also after one has met a bad index. Otherwise it depends on
// timing which parts have begun by then.
var carryOn = false
