package kernels

import (
	"math"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A meanPart is a scatter-mean on as many cells as there are counters for:
// along the indexed axis (or a window of it), the line and the run. One pass
// over the indices sums and counts the updates. Then the cells are divided, all of
// them in order, or where updates are few those that the indices name.
//
// Floats that start from their cells' values are summed in the cells, one
// rounding a step. Other sums start from 0 and are beside the counters: of
// floats without the initial values, and of integers, exact.
type meanPart struct {
	c               *call
	axis, line, run loop // axis has one step when it is the line or the run
	at              [3]int

	// The cell of index k, i steps along the line and j along the run, has the counter
	// (k-low)*lines + i, shared along the run, and its sum, if that is not in the cell, is
	// number ((k-low)*lines + i)*runs + j. A loop that is the axis has no cells
	// of its own: then i, or j, is 0.
	low, window int
	lines, runs int

	sums   sumKind
	many   bool // counters have 64 bits
	sparse bool // divide the cells that the indices name
	prefetch
	*meanScratch
}

// A sumKind is where sums are, and as what.
type sumKind uint8

const (
	sumInCell sumKind = iota
	sumElem           // the element type, in the scratch
	sumWide           // int64, in the scratch
	sumExact          // lanes.Exact, in the scratch
)

// A meanScratch is what means keep from call to call. Outside calls all its
// counters and sums are 0.
type meanScratch struct {
	counters, sums []uint64
	dst, id, sum   [blockLen]int
	block
}

var meanScratches = sync.Pool{New: func() any { return new(meanScratch) }}

// mostCounted is what a counter of 32 bits counts to, and how many numbers of
// 32 bits an int64 holds the sum of; but for tests.
var mostCounted = math.MaxInt32

// mean runs a part of a scatter-mean.
func (c *call) mean(n *nest) bool {
	line, run := n.inner()
	m := meanPart{c: c, axis: one, line: *line, run: *run}
	p := n.part(0, 0, 1) // whose loops are changed
	loops := p.loops()
	outer := m.takeAxis(loops[:len(loops)-2])
	m.chooseSums()
	lineStep, runStep := m.layOut()
	if k := len(outer) - 1; k >= 0 && m.axis.n == 1 {
		m.prefetch = c.prefetchTables(&outer[k], line, run)
	}
	kept := m.scratch()
	m.meanScratch = kept

	ok := each(outer, n.at, func(at [3]int) bool {
		for i := 0; i < line.n; i += lineStep {
			for j := 0; j < run.n; j += runStep {
				m.line.n, m.run.n = min(lineStep, line.n-i), min(runStep, run.n-j)
				for op := range m.at {
					m.at[op] = at[op] + i*line.s[op] + j*run.s[op]
				}
				if !m.cells() {
					return false
				}
			}
		}
		return true
	})
	if limit := 32 * dispatch.Default.MeanCells; ok && 8*len(kept.counters) <= limit && 8*len(kept.sums) <= limit {
		meanScratches.Put(kept) // else they are too many to keep, or not all 0
	}
	return ok
}

// takeAxis removes the axis from the loops outside the line, if it is one of
// them: it comes next to the line.
func (m *meanPart) takeAxis(outer []loop) []loop {
	for i, d := range outer {
		if d.n > 1 && !d.own() {
			m.axis = d
			copy(outer[1:i+1], outer[:i])
			return outer[1:]
		}
	}
	return outer
}

// chooseSums settles where and as what to sum and to count.
func (m *meanPart) chooseSums() {
	most := m.axis.n // updates of a cell
	for _, d := range [...]*loop{&m.line, &m.run} {
		if !d.own() {
			most *= d.n
		}
	}
	m.many = most >= mostCounted
	switch num := m.c.elem.kind; {
	case num == lanes.KindI64 || num == lanes.KindU64 || integer(num) && m.many:
		m.sums = sumExact
	case integer(num):
		m.sums = sumWide
	case m.c.attrs.IgnoreInit:
		m.sums = sumElem
	}
}

// layOut settles how counters and sums lie, and returns how much of the line
// and of the run they are good for. A loop that is the axis is not cut, nor a run that needs no sums.
func (m *meanPart) layOut() (lineStep, runStep int) {
	limit, size := max(dispatch.Default.MeanCells, 1), m.c.size
	m.lines, m.runs, lineStep, runStep = 1, 1, m.line.n, m.run.n
	if m.run.own() && m.sums != sumInCell {
		m.runs = min(m.run.n, max(1, limit/size))
		runStep = m.runs
	}
	if m.line.own() {
		m.lines = min(m.line.n, max(1, limit/size/m.runs))
		lineStep = m.lines
	}
	m.window = size
	if size > limit {
		m.window = max(limit, meanWindow(size, m.axis.n*lineStep))
	}
	m.sparse = m.axis.n*lineStep < size*m.lines/max(dispatch.Default.MeanSparse, 1)
	return lineStep, runStep
}

// meanWindow returns how much of an axis is counted and summed in a pass over its updates: so much that
// eight passes do, but no more than four cells for each update, so that memory grows with these, nor more than an int
// of 32 bits can count the bytes of.
func meanWindow(size, updates int) int {
	return min((size-1)/8+1, 4+4*min(updates, size/8), math.MaxInt/64)
}

// scratch returns the scratch for a window, with one cell more for what is outside.
func (m *meanPart) scratch() *meanScratch {
	cells := (m.window + 1) * m.lines
	r := meanScratches.Get().(*meanScratch)
	grow(&r.counters, cells*m.counterKind().Width())
	grow(&r.sums, cells*m.runs*m.sumWidth())
	return r
}

func grow(s *[]uint64, bytes int) {
	if words := (bytes + 7) / 8; len(*s) < words {
		*s = make([]uint64, words)
	}
}

func (m *meanPart) counterKind() lanes.Kind {
	if m.many {
		return lanes.KindU64
	}
	return lanes.KindU32
}

// sumKind is the kind of the sums.
func (m *meanPart) sumKind() lanes.Kind {
	return [...]lanes.Kind{sumInCell: m.c.elem.kind, sumElem: m.c.elem.kind, sumWide: lanes.KindI64, sumExact: lanes.KindX128}[m.sums]
}

// sumWidth returns the bytes of a sum in the scratch.
func (m *meanPart) sumWidth() int {
	if m.sums == sumInCell {
		return 0
	}
	return m.sumKind().Width()
}

// counts returns the counters as primitives take them.
func (m *meanPart) counts() lanes.Memory { return words(m.counters, m.counterKind()) }

// sumsIn returns what the sums are in.
func (m *meanPart) sumsIn() lanes.Memory {
	if m.sums == sumInCell {
		return m.c.dst
	}
	return words(m.meanScratch.sums, m.sumKind())
}

// words returns a scratch's words as elements of a kind.
func words(s []uint64, kind lanes.Kind) lanes.Memory {
	return lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(s)), Len: len(s) * 8 / kind.Width(), Kind: kind}
}

// cells takes the mean of the part's cells, a window of the axis at a time.
func (m *meanPart) cells() bool {
	for left := m.c.size; left > 0; left -= min(left, m.window) {
		m.low = m.c.size - left
		if !m.pass(false) {
			return false
		}
		if m.sparse {
			if !m.pass(true) {
				return false
			}
		} else {
			m.divideAll()
		}
		if m.window < m.c.size {
			m.clearOutside()
		}
	}
	return true
}

// clearOutside sets to 0 what indices outside the window have counted and summed.
func (m *meanPart) clearOutside() {
	counts := m.counts()
	outside := part(counts, m.window*m.lines, m.lines)
	clear(unsafe.Slice((*byte)(outside.Ptr), outside.Len*outside.Kind.Width()))
	if m.sums != sumInCell {
		outside = part(m.sumsIn(), m.window*m.lines*m.runs, m.lines*m.runs)
		clear(unsafe.Slice((*byte)(outside.Ptr), outside.Len*outside.Kind.Width()))
	}
}

// places is where the cells of some indices are, or all cells of the part, and
// what belongs to them.
type places struct{ dst, sum, counter lanes.Place }

// pass resolves the part's indices in order, and divides the cells that they name,
// or adds the updates to them.
func (m *meanPart) pass(divides bool) bool {
	start := m.at
	for range m.axis.n {
		at := start
		for done := 0; done < m.line.n; {
			n := min(m.line.n-done, blockLen)
			p, ok := m.resolve(at, done, n)
			if !ok {
				return false
			}
			if divides {
				m.divideNamed(&p)
			} else {
				m.add(at, &p)
			}
			m.fetch(at[dstOp], done, n)
			at = m.line.after(at, n)
			done += n
		}
		start = m.axis.after(start, 1)
	}
	return true
}

// resolve sets the places of n indices, done steps along the line.
func (m *meanPart) resolve(at [3]int, done, n int) (p places, ok bool) {
	c, r := m.c, m.meanScratch
	step := 0 // of counters along the line
	if m.line.own() {
		step = 1
	}
	ids, cells := r.id[:n], r.id[:n]
	if m.window == c.size {
		if !c.resolveLine(&r.block, ids, at[idxOp], &m.line, m.lines, step) {
			return p, false
		}
	} else {
		if !c.resolveLine(&r.block, ids, at[idxOp], &m.line, 1, 0) {
			return p, false
		}
		for j, k := range ids {
			ids[j] = int(min(uint(k-m.low), uint(m.window)))
		}
	}
	if m.window != c.size || m.lines != c.step || step != m.line.s[dstOp] {
		cells = r.dst[:n]
		if !c.resolveLine(&r.block, cells, at[idxOp], &m.line, c.step, m.line.s[dstOp]) {
			return p, false
		}
	}
	p.counter.At, p.counter.Offsets = done*step, ids
	p.dst.At, p.dst.Col, p.dst.Offsets = at[dstOp], m.run.s[dstOp], cells
	p.sum.At, p.sum.Col, p.sum.Offsets = at[dstOp], m.run.s[dstOp], cells
	if m.sums != sumInCell {
		p.sum.At, p.sum.Col, p.sum.Offsets = done*step*m.runs, m.sumCol(), ids
		if m.runs > 1 {
			p.sum.Offsets = r.sum[:n]
			for j, id := range ids {
				r.sum[j] = id * m.runs
			}
		}
	}
	return p, true
}

// sumCol is how far apart the sums of a run are, if they are in the room.
func (m *meanPart) sumCol() int {
	if m.run.own() {
		return 1
	}
	return 0
}

// add sums and counts the updates of a block.
func (m *meanPart) add(at [3]int, p *places) {
	n := 1 // updates that an index counts
	if !m.run.own() {
		n = m.run.n
	}
	lanes.CountRaw(m.counts(), p.counter.At, p.counter.Offsets, n)
	if m.low > 0 && m.sums == sumInCell {
		return // the first window's pass has summed all
	}
	m.sum(at, &p.sum)
}

// sum adds a block of updates to the sums at p.
func (m *meanPart) sum(at [3]int, p *lanes.Place) {
	updates, sums := window(m.c.src, srcOp, &at, &m.line, &m.run, false), m.sumsIn()
	switch m.sums {
	case sumWide:
		lanes.ScatterWideRaw(slice[int64](&sums), p.At, p.Col, p.Offsets, updates, m.run.n)
	case sumExact:
		lanes.ScatterExactRaw(slice[lanes.Exact](&sums), p.At, p.Col, p.Offsets, updates, m.run.n)
	default:
		lanes.ScatterReduceRaw(lanes.Sum, sums, p.At, p.Col, p.Offsets, updates, m.run.n)
	}
}

// divideNamed divides the cells that a block of indices names, in the window.
func (m *meanPart) divideNamed(p *places) {
	rows, cols := len(p.counter.Offsets), 1
	if m.run.own() {
		cols = m.run.n
	}
	if m.window < m.c.size {
		ids, cells := p.counter.Offsets, p.dst.Offsets
		rows = 0
		for j, id := range ids {
			ids[rows], cells[rows] = id, cells[j]
			if id < m.window {
				rows++
			}
		}
	}
	m.divide(p, rows, cols)
}

// A cellLoop is a loop over a part's cells: its steps, and how far apart they
// and what belongs to them are.
type cellLoop struct{ n, dst, sum, counter int }

// divideAll divides the cells of the window, in order.
func (m *meanPart) divideAll() {
	c, at, sumAt := m.c, m.at[dstOp]+m.low*m.c.step, 0
	loops := [...]cellLoop{
		{min(m.window, c.size-m.low), c.step, m.lines * m.runs, m.lines},
		{m.line.n, m.line.s[dstOp], m.runs, 1},
		{m.run.n, m.run.s[dstOp], 1, 0},
	}
	if m.sums == sumInCell {
		sumAt = at
	}
	// Loops of more than one step of their own, innermost last.
	nest := [...]cellLoop{{n: 1}, {n: 1}, {n: 1}}
	k := len(nest)
	for i := len(loops) - 1; i >= 0; i-- {
		l := loops[i]
		if l.n == 1 || l.dst == 0 {
			continue
		}
		if m.sums == sumInCell {
			l.sum = l.dst
		}
		k--
		nest[k] = l
	}
	outer, row, col := &nest[0], &nest[1], &nest[2]
	for i := range outer.n {
		m.divide(&places{
			dst:     lanes.Place{At: at + i*outer.dst, Row: row.dst, Col: col.dst},
			sum:     lanes.Place{At: sumAt + i*outer.sum, Row: row.sum, Col: col.sum},
			counter: lanes.Place{At: i * outer.counter, Row: row.counter, Col: col.counter},
		}, row.n, col.n)
	}
}

// divide divides rows × cols cells.
func (m *meanPart) divide(p *places, rows, cols int) {
	init := 1
	if m.c.attrs.IgnoreInit {
		init = 0
	}
	lanes.DivideRaw(lanes.CellsRaw{
		Dst: m.c.dst, Sums: m.sumsIn(), Counts: m.counts(),
		DstAt: p.dst, SumsAt: p.sum, CountsAt: p.counter, Rows: rows, Cols: cols, Init: init,
	})
}

// resolveLine turns indices along a line into offsets index*scale + j*col.
func (c *call) resolveLine(b *block, offsets []int, at int, line *loop, scale, col int) bool {
	n := len(offsets)
	if step := line.s[idxOp]; step != 1 || !resolvable(c.idx.Kind) {
		lanes.WidenRaw(b.wide[:n], c.idx, at, step)
		return lanes.ResolveRaw(offsets, wideMemory(b.wide[:n]), 0, 1, c.size, scale, col) < 0
	}
	return lanes.ResolveRaw(offsets, c.idx, at, 1, c.size, scale, col) < 0
}

// A prefetch is of the table that the next row of indices updates, while one
// row is worked on, a share with each block of indices. They name the table's
// cache lines in no order that the processor could foresee.
type prefetch struct {
	memory      []byte
	width       int // of an element
	next, bytes int // from one table to the next, and the size of one
	steps       int // indices in a row
}

// Tables of these sizes are prefetched: of more than a few cache lines, and
// no larger than half a first-level cache.
const leastPrefetch, mostPrefetch = 512, 24 << 10

// prefetchTables returns how to prefetch the tables of a loop over rows of
// indices, if they are fit for it: without gaps, not copied just now, and most of each
// will be named.
func (c *call) prefetchTables(row, line, run *loop) prefetch {
	width := c.elem.kind.Width()
	bytes := c.size * width
	if row.n == 1 || c.data.Len > 0 || line.own() || run.n > 1 || c.step != 1 || c.size > 4*line.n || bytes < leastPrefetch || bytes > mostPrefetch {
		return prefetch{}
	}
	return prefetch{unsafe.Slice((*byte)(c.dst.Ptr), c.dst.Len*width), width, row.s[dstOp] * width, bytes, line.n}
}

// fetch prefetches the share of the next table that belongs to n indices, done of
// the row's being behind. The row's own table begins at at.
func (p *prefetch) fetch(at, done, n int) {
	if p.bytes == 0 {
		return
	}
	lo, hi := p.bytes*done/p.steps, p.bytes*(done+n)/p.steps
	lanes.Prefetch(p.memory, at*p.width+p.next+lo, hi-lo)
}
