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
	axis, line, run dim // axis has one step when it is the line or the run
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
	ahead
	*meanRoom
}

// A sumKind is where sums are, and as what.
type sumKind uint8

const (
	sumInCell sumKind = iota
	sumElem           // the element type, in the room
	sumWide           // int64, in the room
	sumExact          // lanes.Exact, in the room
)

// A meanRoom is what means keep from call to call. Outside calls all its
// counters and sums are 0.
type meanRoom struct {
	counters, sums []uint64
	dst, id, sum   [blockLen]int
	places
	block
}

var meanRooms = sync.Pool{New: func() any { return new(meanRoom) }}

// mostCounted is what a counter of 32 bits counts to, and how many numbers of
// 32 bits an int64 holds the sum of; but for tests.
var mostCounted = math.MaxInt32

// mean runs a part of a scatter-mean.
func (c *call) mean(n *nest) bool {
	line, run := n.inner()
	m := meanPart{c: c, axis: one, line: *line, run: *run}
	outer := m.takeAxis(n.dims[:len(n.dims)-2])
	m.chooseSums()
	lineStep, runStep := m.layOut()
	if k := len(outer) - 1; k >= 0 && m.axis.n == 1 {
		m.ahead = c.ahead(&outer[k], line, run)
	}
	kept := m.room()
	m.meanRoom = (*meanRoom)(noescape(unsafe.Pointer(kept))) // or the call would escape with it

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
		meanRooms.Put(kept) // else they are too many to keep, or not all 0
	}
	return ok
}

// takeAxis removes the axis from the loops outside the line, if it is one of
// them: it comes next to the line.
func (m *meanPart) takeAxis(outer []dim) []dim {
	for i, d := range outer {
		if d.n > 1 && d.s[dstOp] == 0 {
			m.axis = d
			copy(outer[1:i+1], outer[:i])
			return outer[1:]
		}
	}
	return outer
}

// own reports whether the cells of a loop's steps are different ones.
func (d *dim) own() bool { return d.s[dstOp] != 0 }

// chooseSums settles where and as what to sum and to count.
func (m *meanPart) chooseSums() {
	most := m.axis.n // updates of a cell
	for _, d := range [...]*dim{&m.line, &m.run} {
		if !d.own() {
			most *= d.n
		}
	}
	m.many = most >= mostCounted
	switch num := m.c.number; {
	case num == numInt64 || num == numUint64 || num.integer() && m.many:
		m.sums = sumExact
	case num.integer():
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

// room returns a room for a window, with one cell more for what is outside.
func (m *meanPart) room() *meanRoom {
	cells := (m.window + 1) * m.lines
	r := meanRooms.Get().(*meanRoom)
	grow(&r.counters, cells*m.counterWidth())
	grow(&r.sums, cells*m.runs*m.sumWidth())
	return r
}

func grow(s *[]uint64, bytes int) {
	if words := (bytes + 7) / 8; len(*s) < words {
		*s = make([]uint64, words)
	}
}

func (m *meanPart) counterWidth() int {
	if m.many {
		return 8
	}
	return 4
}

func (m *meanPart) sumWidth() int {
	return [...]int{sumInCell: 0, sumElem: m.c.elem.width, sumWide: 8, sumExact: 16}[m.sums]
}

// slots returns a room's words as numbers of another type.
func slots[T any](words []uint64) []T {
	var z T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8/int(unsafe.Sizeof(z)))
}

// cells takes the mean of the part's cells, a window of the axis at a time.
func (m *meanPart) cells() bool {
	for left := m.c.size; left > 0; left -= min(left, m.window) {
		m.low = m.c.size - left
		if !m.pass(m.add) {
			return false
		}
		if m.sparse {
			if !m.pass(m.divideNamed) {
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
	for _, cells := range [...]struct {
		words []uint64
		width int
	}{{m.counters, m.counterWidth()}, {m.meanRoom.sums, m.sumWidth()}} {
		clear(slots[byte](cells.words)[m.window*cells.width:][:cells.width])
	}
}

// places is where the cells of some indices are, or all cells of the part, and
// what belongs to them.
type places struct{ dst, sum, counter lanes.Place }

// pass resolves the part's indices in order and calls use with blocks of them;
// at is where the block's updates are.
func (m *meanPart) pass(use func(at [3]int, p *places)) bool {
	r := (*meanRoom)(noescape(unsafe.Pointer(m.meanRoom))) // use doesn't keep the places
	start := m.at
	for range m.axis.n {
		at := start
		for done := 0; done < m.line.n; {
			n := min(m.line.n-done, blockLen)
			if !m.resolve(r, at, done, n) {
				return false
			}
			use(at, &r.places)
			m.fetch(at[dstOp], done, n)
			at = m.line.after(at, n)
			done += n
		}
		start = m.axis.after(start, 1)
	}
	return true
}

// resolve sets the places of n indices, done steps along the line.
func (m *meanPart) resolve(r *meanRoom, at [3]int, done, n int) bool {
	c, p, s := m.c, &r.places, r.block.scratch()
	step := 0 // of counters along the line
	if m.line.own() {
		step = 1
	}
	ids, cells := r.id[:n], r.id[:n]
	if m.window == c.size {
		if !c.resolve(&s, ids, at[idxOp], &m.line, m.lines, step) {
			return false
		}
	} else {
		if !c.resolve(&s, ids, at[idxOp], &m.line, 1, 0) {
			return false
		}
		for j, k := range ids {
			ids[j] = int(min(uint(k-m.low), uint(m.window)))
		}
	}
	if m.window != c.size || m.lines != c.step || step != m.line.s[dstOp] {
		cells = r.dst[:n]
		if !c.resolve(&s, cells, at[idxOp], &m.line, c.step, m.line.s[dstOp]) {
			return false
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
	return true
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
	if m.many {
		lanes.Count(slots[uint64](m.counters), p.counter.At, p.counter.Offsets, n)
	} else {
		lanes.Count(slots[uint32](m.counters), p.counter.At, p.counter.Offsets, n)
	}
	if m.low > 0 && m.sums == sumInCell {
		return // the first window's pass has summed all
	}
	m.sum(at, &p.sum)
}

// sum adds a block of updates to the sums at p.
func (m *meanPart) sum(at [3]int, p *lanes.Place) {
	switch num := m.c.number; num {
	case numInt8:
		sumShort[int8](m, at, p)
	case numInt16:
		sumShort[int16](m, at, p)
	case numInt32:
		sumShort[int32](m, at, p)
	case numInt64:
		sumLong[int64](m, at, p)
	case numUint8:
		sumShort[uint8](m, at, p)
	case numUint16:
		sumShort[uint16](m, at, p)
	case numUint32:
		sumShort[uint32](m, at, p)
	case numUint64:
		sumLong[uint64](m, at, p)
	case numFloat32:
		lanes.ScatterReduce(lanes.Sum, sumsOf[float32](m), p.At, p.Col, p.Offsets, updatesOf[float32](m, at), m.run.n)
	case numFloat64:
		lanes.ScatterReduce(lanes.Sum, sumsOf[float64](m), p.At, p.Col, p.Offsets, updatesOf[float64](m, at), m.run.n)
	case numFloat16, numBFloat16:
		lanes.ScatterReduceHalf(lanes.Sum, num.half(), sumsOf[uint16](m), p.At, p.Col, p.Offsets, updatesOf[uint16](m, at), m.run.n)
	case numComplex64:
		lanes.ScatterReduceComplex(lanes.Sum, sumsOf[complex64](m), p.At, p.Col, p.Offsets, updatesOf[complex64](m, at), m.run.n)
	case numComplex128:
		lanes.ScatterReduceComplex(lanes.Sum, sumsOf[complex128](m), p.At, p.Col, p.Offsets, updatesOf[complex128](m, at), m.run.n)
	}
}

func sumShort[T lanes.ShortInteger](m *meanPart, at [3]int, p *lanes.Place) {
	if m.sums == sumExact {
		sumLong[T](m, at, p)
	} else {
		lanes.ScatterWide(slots[int64](m.meanRoom.sums), p.At, p.Col, p.Offsets, updatesOf[T](m, at), m.run.n)
	}
}

func sumLong[T lanes.Integer](m *meanPart, at [3]int, p *lanes.Place) {
	lanes.ScatterExact(slots[lanes.Exact](m.meanRoom.sums), p.At, p.Col, p.Offsets, updatesOf[T](m, at), m.run.n)
}

func updatesOf[T any](m *meanPart, at [3]int) lanes.Plane[T] {
	return plane[T](&m.c.src, srcOp, &at, &m.line, &m.run)
}

// sumsOf returns what sums of the element type are in.
func sumsOf[T any](m *meanPart) []T {
	if m.sums == sumInCell {
		return slice[T](&m.c.dst)
	}
	return slots[T](m.meanRoom.sums)
}

// divideNamed divides the cells that a block of indices names, in the window.
func (m *meanPart) divideNamed(_ [3]int, p *places) {
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
	switch num := m.c.number; num {
	case numInt8:
		divideShort[int8](m, p, rows, cols)
	case numInt16:
		divideShort[int16](m, p, rows, cols)
	case numInt32:
		divideShort[int32](m, p, rows, cols)
	case numInt64:
		divideLong[int64](m, p, rows, cols)
	case numUint8:
		divideShort[uint8](m, p, rows, cols)
	case numUint16:
		divideShort[uint16](m, p, rows, cols)
	case numUint32:
		divideShort[uint32](m, p, rows, cols)
	case numUint64:
		divideLong[uint64](m, p, rows, cols)
	default:
		if m.many {
			divideFloats[uint64](m, p, rows, cols)
		} else {
			divideFloats[uint32](m, p, rows, cols)
		}
	}
}

func divideShort[T lanes.ShortInteger](m *meanPart, p *places, rows, cols int) {
	if m.many {
		lanes.DivideExact(cellsOf[T, lanes.Exact, uint64](m, p, rows, cols))
	} else {
		lanes.DivideWide(cellsOf[T, int64, uint32](m, p, rows, cols))
	}
}

func divideLong[T lanes.Integer](m *meanPart, p *places, rows, cols int) {
	if m.many {
		lanes.DivideExact(cellsOf[T, lanes.Exact, uint64](m, p, rows, cols))
	} else {
		lanes.DivideExact(cellsOf[T, lanes.Exact, uint32](m, p, rows, cols))
	}
}

func divideFloats[C lanes.Counter](m *meanPart, p *places, rows, cols int) {
	switch num := m.c.number; num {
	case numFloat32:
		lanes.Divide(cellsOf[float32, float32, C](m, p, rows, cols))
	case numFloat64:
		lanes.Divide(cellsOf[float64, float64, C](m, p, rows, cols))
	case numFloat16, numBFloat16:
		lanes.DivideHalf(num.half(), cellsOf[uint16, uint16, C](m, p, rows, cols))
	case numComplex64:
		lanes.DivideComplex(cellsOf[complex64, complex64, C](m, p, rows, cols))
	case numComplex128:
		lanes.DivideComplex(cellsOf[complex128, complex128, C](m, p, rows, cols))
	}
}

func cellsOf[T, S any, C lanes.Counter](m *meanPart, p *places, rows, cols int) lanes.Cells[T, S, C] {
	init := 1
	if m.c.attrs.IgnoreInit {
		init = 0
	}
	return lanes.Cells[T, S, C]{
		Dst: slice[T](&m.c.dst), Sums: sumsOf[S](m), Counts: slots[C](m.counters),
		DstAt: p.dst, SumsAt: p.sum, CountsAt: p.counter, Rows: rows, Cols: cols, Init: init,
	}
}
