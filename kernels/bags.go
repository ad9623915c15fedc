package kernels

import (
	"sync"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A bags describes the bags of an EmbeddingBag. The outermost loop of the call's nest is over the
// bags; its idx operand is the number of the bag.
type bags struct {
	n        int // bags
	offsets  lanes.Memory
	at, step int // in offsets

	count              int // indices
	indexAt, indexStep int
	axis               [2]int // extent and stride of those in bags

	weights              lanes.Memory // empty without weights
	weightAt, weightStep int

	defaultRow int // row of empty bags; -1 for zeros
	first      int // the first index that is in a bag
	longest    int // indices of the longest bag

	dirty bool // some indices mean something else by the policy than to primitives
}

// offsetsRead is how many offsets are read at a time.
const offsetsRead = 64

// The rows of a bag may lie anywhere in the table. They are gathered block by block, with
// prefetches, and reduced from the block, all bags of a block in one call. For rows of 256 to 512
// bytes in a table of 256 MiB that takes a third of the time that reducing them in place does; for
// a table in a cache, two thirds.
//
// A block has 64 KiB, and at least 32 rows; wide rows are taken in parts. (With blocks of 32 KiB,
// bags of 20 rows of 512 bytes take 1.1 times as long; with 128 KiB, as long.) They are variables
// for tests.
var (
	bagBlock   = 64 << 10
	leastBlock = 32
	bagRow     = 4 << 10 // bytes of a row that are taken at once
)

// weightBytes is how often a weight is repeated, in bytes, so that whole vectors of a row are
// multiplied by it.
const weightBytes = 64

// A bagPart is a part of the bags, on some of their columns. It gathers blocks of rows to a
// scratch, multiplies them by their weights there, and reduces them to the cells of their bags.
type bagPart struct {
	call
	table   call         // to the scratch
	rows    call         // from there to dst
	mean    means        // of them
	weights lanes.Memory // written out, beside the rows
	wide    int          // elements that a weight is repeated for

	run      loop     // the columns
	at       position // where dst's first bag and the table's first row are
	bagStep  int      // in dst
	cols     int      // of a row in the scratch
	most     int      // rows of a block
	mostBags int      // of a block

	first, end int                // bags of the part
	bag        int                // the one that is next
	taken, p   int                // rows of it that were taken, and which of the indices is next
	starts     [offsetsRead]int64 // offsets of the bags from low up to high
	low, high  int

	named *block // of dirty indices: in wide the rows that they name, in places which of the indices they are
}

var bagParts = sync.Pool{New: func() any { return new(bagPart) }}

// reduceBags runs a part of an EmbeddingBag.
func (c *call) reduceBags(n *nest) bool {
	c.note("bags")
	loops := n.loops()
	k, width, b := len(loops)-1, c.elem.kind.Width(), c.bags
	run := loops[k]
	m := bagParts.Get().(*bagPart)
	defer func() {
		*m = bagPart{} // which must not keep the caller's memory
		bagParts.Put(m)
	}()
	*m = bagPart{call: *c, bagStep: loops[0].s[dstOp], first: n.at.idx, end: n.at.idx + loops[0].n, mostBags: blockLen}
	m.cols = min(run.n, max(1, bagRow/width))
	m.most = max(1, min(blockLen, b.count, max(leastBlock, bagBlock/(m.cols*width))))
	if b.dirty {
		m.named = blocks.Get().(*block)
		defer blocks.Put(m.named)
	}
	if b.weights.Len > 0 {
		m.wide = min(m.cols, weightBytes/width)
	}
	buffer, all := bufferFor(m.most*(m.cols+m.wide), c.elem.kind)
	defer buffers.Put(buffer)
	rows := part(all, 0, m.most*m.cols)
	if m.wide > 0 { // else that is past the end
		m.weights = part(all, rows.Len, m.most*m.wide)
	}
	m.table = call{work: gatherWork, elem: c.elem, idx: c.idx, axes: axes{size: c.size, step: c.step}, dst: rows, src: c.src}
	m.rows = call{work: scatterWork, elem: c.elem, dst: c.dst, src: rows, attrs: c.attrs, identity: c.identity}

	kept := meanScratches.Get().(*meanScratch)
	m.mean = means{c: m.rows, meanScratch: kept}
	if c.attrs.Reduction == Mean {
		if m.mean.choose(b.longest, false); m.mean.sums == sumElem {
			m.mean.sums = sumInCell // which is 0 when its bag begins
		} else {
			m.mostBags = 1 // whose sums are in the scratch
		}
		m.mean.grow(blockLen, m.cols)
	}
	ok := each(loops[1:k], n.at, func(at position) bool {
		for j := 0; j < run.n; j += m.cols {
			m.run, m.at = run, run.after(at, j)
			m.run.n = min(m.cols, run.n-j)
			if !m.reduce() {
				return false
			}
		}
		return true
	})
	if ok { // else not all sums may be 0
		meanScratches.Put(kept)
	}
	return ok
}

// reduce reduces all bags of the part, and reports whether every index was in range.
func (m *bagPart) reduce() bool {
	m.bag, m.p, m.low, m.high = m.first, 0, 0, 0
	m.p, m.taken = m.offset(m.first), 0
	for m.bag < m.end {
		if !m.block() {
			return false
		}
	}
	return true
}

// offset returns where a bag begins in indices, not before what is done.
func (m *bagPart) offset(bag int) int {
	b := m.bags
	if bag == b.n {
		return b.count
	}
	if bag < m.low || bag >= m.high {
		m.low, m.high = bag, min(bag+len(m.starts), b.n)
		lanes.WidenRaw(m.starts[:m.high-m.low], b.offsets, b.at+bag*b.step, b.step)
	}
	return min(max(int(m.starts[bag-m.low]), m.p), b.count) // clamped: another goroutine may have changed the offsets
}

// block reduces the rows that come next, of as many bags as they fill.
func (m *bagPart) block() bool {
	scratch, first, from := m.mean.meanScratch, m.bag, m.p
	cells, begun, empty := scratch.cell[:0], scratch.id[:0], scratch.sum[:0] // of rows, of bags that begin here, of those without rows
	for len(cells) < m.most && m.bag < m.end && m.bag-first < m.mostBags {
		end, cell := m.offset(m.bag+1), (m.bag-m.first)*m.bagStep
		rows := m.rowsOf(end, len(cells))
		if m.taken == 0 && rows > 0 {
			begun = append(begun, cell)
		}
		for range rows {
			cells = append(cells, cell)
		}
		if m.taken += rows; m.p < end {
			break
		}
		if m.taken == 0 {
			empty = append(empty, cell)
		}
		m.count(m.bag-first, m.taken)
		m.bag, m.taken = m.bag+1, 0
	}
	m.rows.fill(m.at.dst, m.run.s[dstOp], begun, m.run.n)
	m.leaveOut(empty)
	if len(cells) > 0 && !m.take(from, cells) {
		return false
	}
	if m.attrs.Reduction == Mean {
		m.divide(first)
	}
	return true
}

// rowsOf returns how many rows to take from the indices up to end, for a block that has some
// already, and moves p behind them.
func (m *bagPart) rowsOf(end, have int) int {
	if m.named == nil {
		rows := min(end-m.p, m.most-have)
		m.p += rows
		return rows
	}
	b, n := m.bags, have
	for ; m.p < end && n < m.most; m.p++ {
		if row, ok, _ := m.policy.place(indexAt(m.idx, b.indexAt+m.p*b.indexStep), m.size); ok {
			m.named.wide[n], m.named.places[n] = int64(row), m.p
			n++
		}
	}
	return n - have
}

// leaveOut writes bags without rows.
func (m *bagPart) leaveOut(cells []int) {
	c := call{elem: m.elem, dst: m.dst} // whose identity is zero
	if d := m.bags.defaultRow; d >= 0 {
		row := lanes.Window{Memory: m.src, At: m.at.src + d*m.step, Col: m.run.s[srcOp]}
		lanes.ScatterRaw(c.dst, m.at.dst, m.run.s[dstOp], cells, row, m.run.n)
		return
	}
	c.fill(m.at.dst, m.run.s[dstOp], cells, m.run.n)
}

// take gathers the rows of indices from one on and reduces them to their cells.
func (m *bagPart) take(from int, cells []int) bool {
	b, n := m.bags, len(cells)
	at, step := b.indexAt+from*b.indexStep, b.indexStep
	if m.named != nil {
		m.table.idx, at, step = wideMemory(m.named.wide[:n]), 0, 1
	}
	nest := nest{at: position{src: m.at.src, idx: at}}
	nest.set([]loop{one, {n, [3]int{dstOp: m.cols, idxOp: step}}, {m.run.n, [3]int{dstOp: 1, srcOp: m.run.s[srcOp]}}})
	if !m.table.gather(&nest) {
		return false
	}
	if b.weights.Len > 0 {
		m.weigh(from, n)
	}
	updates := lanes.Window{Memory: m.rows.src, Row: m.cols, Col: 1}
	if m.mean.sums == sumInCell {
		m.rows.update(m.at.dst, m.run.s[dstOp], cells, updates, m.run.n)
	} else {
		m.mean.sum(-cells[0], 1, cells, updates, m.run.n) // of one bag
	}
	return true
}

// weigh multiplies n rows of the scratch by the weights from one on.
func (m *bagPart) weigh(from, n int) {
	b, rows := m.bags, m.mean.rows[:n]
	to := lanes.Window{Memory: m.weights, Row: m.wide, Col: 1}
	if m.named == nil {
		lanes.CopyRaw(to, lanes.Window{Memory: b.weights, At: b.weightAt + from*b.weightStep, Row: b.weightStep}, n, m.wide)
	} else {
		for i, p := range m.named.places[:n] {
			rows[i] = p * b.weightStep
		}
		lanes.GatherRowsRaw(to, b.weights, b.weightAt, 0, rows, m.wide)
	}
	for i := range rows {
		rows[i] = i * m.cols
	}
	for j := 0; j < m.run.n; j += m.wide {
		lanes.ScatterReduceRaw(lanes.Prod, m.table.dst, j, 1, rows, to, min(m.wide, m.run.n-j))
	}
}

// count keeps the number of rows of a block's i-th bag.
func (m *bagPart) count(i, rows int) {
	if m.attrs.Reduction != Mean {
		return
	}
	if counts := m.mean.counts(); m.mean.many {
		slice[uint64](&counts)[i] = uint64(rows)
	} else {
		slice[uint32](&counts)[i] = uint32(rows)
	}
}

// divide divides the sums of the bags from first on that have ended.
func (m *bagPart) divide(first int) {
	at := lanes.Place{At: m.at.dst + (first-m.first)*m.bagStep, Row: m.bagStep, Col: m.run.s[dstOp]}
	sums := at
	if m.mean.sums != sumInCell {
		sums = lanes.Place{Col: 1}
	}
	m.mean.divide(at, sums, lanes.Place{Row: 1}, m.bag-first, m.run.n)
}

// splitBags splits an EmbeddingBag into bags, or into columns where one bag has more than half of
// all rows: workers with other bags would wait for it.
func (c *call) splitBags(parts int) split {
	last := len(c.loops()) - 1
	if c.bags.longest > c.bags.count/2 && c.loops()[last].n >= 2*c.workers {
		return c.splitLoop(last, parts)
	}
	return c.splitLoop(c.longest(0, last+1, false), parts)
}

// bagCost estimates what an EmbeddingBag takes.
func (c *call) bagCost() float64 {
	t := &dispatch.Costs
	return c.runsCost(float64(c.steps())*float64(c.bags.count)/float64(max(c.bags.n, 1)), t.Byte+t.Combine)
}
