package kernels

import (
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/stack"
)

// A call is one pass over an operator's elements in canonical form: all that a
// body needs, and nothing of the tensors that it came from.
type call struct {
	body body
	elem elem
	settings

	reducer // dst and src, in units of elem.width; the rest is of scatters
	idx     indexSource
	size    int    // of the indexed axis
	step    int    // of the operand that is indexed, from one element of that axis to the next
	tuples  tuples // instead of size and step, when sizes are given
	strip   int    // columns to pack at a time, of calls in columns
	nest

	updated bool // dst is updated by another call, right after this copy

	// move moves n neighbours of a type with pointers; dst and src are positions.
	move func(dst, src, n int)

	// Of scatters:
	data memory // to be copied to dst first, slab by slab, if it has anything

	// Of calls with a mask, which is where indices are:
	trues *trues

	// Of an EmbeddingBag:
	bags *bags
}

// A body is what a call runs on each part of its nest.
type body uint8

const (
	copyBody body = iota
	maskBody
	gatherBody
	scatterBody
	bagBody
	checkBody
	compactBody
)

// bind returns a call on these operands, still without loops.
func bind(b body, e *elem, s settings, dst, src, indices *view, kind indexKind, move func(dst, src, n int)) call {
	c := call{body: b, elem: *e, settings: s, move: move}
	c.dst, c.at[dstOp] = e.operand(dst)
	c.src, c.at[srcOp] = e.operand(src)
	c.idx.kind = kind
	c.idx.memory, c.at[idxOp] = indices.memory(1)
	return c
}

// exec runs the call's body on a part of its nest, and reports whether every
// index was in range.
func (c *call) exec(n *nest) bool {
	switch c.body {
	case copyBody:
		return c.copy(n)
	case maskBody:
		return c.masked(n)
	case gatherBody:
		return c.gather(n)
	case scatterBody:
		return c.scatter(n)
	case bagBody:
		return c.reduceBags(n)
	case checkBody:
		c.note("index check")
		return c.check(n)
	default:
		c.note("equal indices")
		return c.compactRows(n)
	}
}

// run runs the call, on more than one goroutine if that pays, and reports
// whether every index was in range. Parts own disjoint cells of dst and work
// through them in one order, so the result is the same for any number of them.
func (c *call) run() bool {
	c.dst.stream = c.body <= gatherBody && !c.updated && c.dst.n*c.elem.width >= dispatch.Default.StreamBytes
	if c.watch != nil {
		c.look().pass(c)
	}
	work := c.work()
	limit := work / max(dispatch.Default.WorkerTime, 1)
	if limit <= 1 || c.workers == 1 || c.elem.refs {
		return c.exec(&c.nest)
	}
	if c.workers <= 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	if c.workers = min(c.workers, limit); c.runTasks != nil {
		return c.split(work)
	}
	defer helpers.leave()
	if c.workers == 1 || !helpers.enter(c.workers, work, c.awake()) && !cutAlone {
		return c.exec(&c.nest)
	}
	return c.split(work)
}

// cutAlone is for tests: a call is cut into parts though nobody may help.
var cutAlone = false

// split cuts the call into parts, if it can be, and runs them.
func (c *call) split(work int) bool {
	loop := c.cut()
	if (loop == noLoop || loop >= 0 && c.dims[loop].n < c.workers) && c.owns() {
		loop = byRange
	}
	if c.workers == 1 || loop == noLoop || !c.leavesStack() {
		return c.exec(&c.nest)
	}
	return c.spread(loop, work)
}

// What stands for a loop to cut a nest along.
const (
	noLoop  = -1
	byRange = -2 // parts share all loops and own ranges of the indexed axis
	byMask  = -3 // parts of the mask, as its true elements were counted
)

// cut returns the loop to cut the nest along: the outermost that gives every
// worker two parts, or else the longest; noLoop if there is none to cut. A scatter
// is never cut along its axis, where parts would meet in the same cells.
func (c *call) cut() int {
	last := len(c.dims) - 1
	switch {
	case c.strip > 0: // across the columns, so that each strip is packed once
		return last - 1
	case c.data.n > 0: // a part copies what it owns
		return 0
	case c.trues != nil && c.trues.parts >= 2*c.workers:
		return byMask
	case c.bags != nil && c.bags.longest > c.bags.count/2 && c.dims[last].n >= 2*c.workers: // one would wait for the other
		return last
	}
	loops := c.dims
	if c.body == compactBody { // a row is looked at whole
		loops = loops[:last]
	}
	longest := noLoop
	for k, d := range loops {
		if d.n < 2 || c.body == scatterBody && d.s[dstOp] == 0 || c.trues != nil && k < c.trues.loops {
			continue
		}
		if d.n >= 2*c.workers {
			return k
		}
		if longest == noLoop || d.n > c.dims[longest].n {
			longest = k
		}
	}
	if longest == noLoop && c.trues != nil && c.trues.parts > 1 {
		return byMask
	}
	return longest
}

// spread runs the parts of the nest on several goroutines.
//
//go:noinline
func (c *call) spread(loop, work int) bool {
	p := &pass{call: c.onHeap(), loop: loop}
	h := p.call
	p.parts = min(h.workers*dispatch.Default.TasksPerWorker, max(h.workers, work/max(dispatch.Default.PartTime, 1)))
	if h.body == scatterBody && (loop < 0 || h.strip > 0 || h.dims[loop].s[idxOp] == 0) {
		p.parts = h.workers // each part of a loop inside the axis resolves all indices again
	}
	switch loop {
	case byRange:
	case byMask:
		p.parts = h.trues.parts
	default:
		p.parts = min(p.parts, h.dims[loop].n)
	}
	workers := min(h.workers, p.parts)
	if c.watch != nil {
		w := c.look()
		w.facts.Workers, w.facts.Parts = workers, p.parts
		defer w.relabel()
	}
	j := newJob(p, p.parts, workers-1)
	if c.runTasks != nil {
		c.runTasks(workers, func(int) { j.help() })
		j.run(false)
	} else {
		helpers.offer(j, c.awake())
	}
	if h.dst.ptr != c.dst.ptr { // a copy of one on the stack
		n := c.dst.n * c.elem.width
		copy(unsafe.Slice((*byte)(c.dst.ptr), n), unsafe.Slice((*byte)(h.dst.ptr), n))
	}
	return !p.bad.Load()
}

// A pass is the task of a call's parts.
type pass struct {
	call  *call // on the heap
	loop  int
	parts int
	bad   atomic.Bool // an index, in some part
}

func (p *pass) part(i int) {
	if carryOn || !p.bad.Load() {
		var buf [maxDims]dim
		part := p.call.partOf(buf[:0], p.loop, i, p.parts)
		if !p.call.exec(&part) {
			p.bad.Store(true)
		}
	}
}

func (p *pass) leave() { p.call.watch.unlabel() }

// carryOn is for tests: every part runs, as it may when it began before another met
// a bad index. Otherwise what a part does then depends on time.
var carryOn = false

// partOf returns the i-th of parts, along a loop, by range or by mask.
func (c *call) partOf(buf []dim, loop, i, parts int) nest {
	switch loop {
	case byRange:
		return nest{append(buf, c.dims...), c.at, share(c.size, i, parts), share(c.size, i+1, parts)}
	case byMask:
		p := c.part(buf, 0, i, parts)
		if p.low, p.high = c.trues.before[i], c.trues.before[i+1]; p.low == p.high {
			p.dims[0].n = 0 // or none, at the very beginning, would be taken for all
		}
		return p
	}
	return c.part(buf, loop, i, parts)
}

// maxDims is how many loops fit on the stack: 8 axes, an element's units, and
// the padding of arrange. A nest of more goes to the heap.
const maxDims = 12

// leavesStack reports whether no operand needs to lie on a goroutine's stack.
//
// Escape analysis follows variables, not their fields. If a Tensor's Data
// could reach another goroutine its Shape would escape with it, and each
// New(data, 2, 4) in a call would be an allocation. So onHeap hides the
// operands from the analysis, which may then leave a caller's array on the
// caller's stack; and a stack moves when it grows or shrinks. So operands
// that are on it are copied, and such a dst copied back, unless they have gaps that somebody else may be
// writing to.
func (c *call) leavesStack() bool {
	if b := c.bags; b != nil && !(b.offsets.movable(b.offsets.kind.width()) && b.weights.movable(c.elem.width)) {
		return false
	}
	return c.dst.movable(c.elem.width) && c.src.movable(c.elem.width) && c.idx.movable(c.idx.kind.width()) && c.data.movable(c.elem.width)
}

func (m *memory) movable(width int) bool { return m.dense || !stack.Holds(m.ptr, m.n*width) }

// onHeap returns a copy of the call that other goroutines may use. It holds
// nothing that may lie on a stack; a pointer to one, in the heap, would outlive it.
func (c *call) onHeap() *call {
	h := *(*call)(noescape(unsafe.Pointer(c)))
	h.dims = slices.Clone(h.dims)
	h.tuples.sizes = slices.Clone(h.tuples.sizes)
	h.tuples.steps = slices.Clone(h.tuples.steps)
	h.move, h.runTasks = nil, nil // closures, which the parts don't need
	if h.trues != nil {
		counted := *h.trues
		h.trues = &counted
	}
	if h.bags != nil {
		b := *h.bags
		b.offsets.leaveStack(b.offsets.kind.width())
		b.weights.leaveStack(h.elem.width)
		h.bags = &b
	}
	h.dst.leaveStack(h.elem.width)
	h.src.leaveStack(h.elem.width)
	h.data.leaveStack(h.elem.width)
	h.idx.leaveStack(h.idx.kind.width())
	heap := new(call)
	*heap = h
	return heap
}

// leaveStack replaces memory that may be on the stack by a copy on the heap.
func (m *memory) leaveStack(width int) {
	if bytes := m.n * width; m.dense && stack.Holds(m.ptr, bytes) {
		room := make([]uint64, (bytes+7)/8)
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&room[0])), bytes), unsafe.Slice((*byte)(m.ptr), bytes))
		m.ptr = unsafe.Pointer(&room[0])
	}
}

// noescape hides a pointer from escape analysis. While the address is a
// number, a stack that it is on must not grow: nothing may be called, not even the
// check of pointers that -race builds insert.
//
//go:nosplit
//go:nocheckptr
func noescape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}

// check checks the indices along the last loop, for every step of the others,
// or tuples along the last but one.
func (c *call) check(n *nest) bool {
	if len(c.tuples.sizes) > 0 {
		return c.blocks(n, dstOp, func([3]int, []int, dim, dim) {})
	}
	k := len(n.dims) - 1
	line := n.dims[k]
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		return c.idx.check(at[idxOp], line.s[idxOp], line.n, c.size)
	})
}

// checkIndices reports whether all indices of a view are in range of an axis.
func checkIndices(s settings, indices *view, kind indexKind, size int) bool {
	if indices.count == 0 || indices.checked {
		return true
	}
	var buf [maxDims]dim
	c := call{body: checkBody, settings: s, size: size}
	c.dims = buf[:0]
	c.idx.kind = kind
	c.idx.memory, c.at[idxOp] = indices.memory(1)
	for d, n := range indices.shape {
		if s := indices.stride(d); s != 0 { // the same indices once are enough
			c.dims = append(c.dims, dim{n, [3]int{idxOp: s}})
		}
	}
	c.dims = pad(collapse(c.dims), 1)
	return c.run()
}

// checkTuples reports whether all components of tuples are in range of their axes.
func checkTuples(s settings, indices *view, kind indexKind, sizes []int) bool {
	if len(sizes) == 1 {
		return checkIndices(s, indices, kind, sizes[0])
	}
	if indices.count == 0 {
		return true
	}
	var (
		buf  [maxDims]dim
		room [maxDims]int
	)
	last := len(indices.shape) - 1
	c := call{body: checkBody, settings: s}
	c.tuples = tuples{sizes, room[:], indices.stride(last)} // of steps that lead nowhere
	if len(sizes) > maxDims {
		c.tuples.steps = make([]int, len(sizes))
	}
	c.dims = buf[:0]
	c.idx.kind = kind
	c.idx.memory, c.at[idxOp] = indices.memory(1)
	for d, n := range indices.shape[:last] {
		if s := indices.stride(d); s != 0 { // the same tuples once are enough
			c.dims = append(c.dims, dim{n, [3]int{idxOp: s}})
		}
	}
	c.dims = pad(append(collapse(c.dims), one), 2)
	return c.run()
}
