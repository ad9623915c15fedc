package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A meanPart is a scatter-mean on as many cells as there are counters for:
// along the indexed axis (or a window of it), the line and the run. It takes
// three passes over the indices: sum and count, after setting the cells to 0 when
// their initial value doesn't count, and divide.
//
// Floats are summed in the cells themselves, one rounding a step; integers in
// 128 bits, beside the counters.
type meanPart struct {
	c               *call
	axis, line, run dim // axis has one step when it is the line or the run
	at              [3]int

	// The counter of a cell is at k*axisCells + (its step on the line)*lineCell + (on the run)*runCell,
	// where k is the index less low.
	low, window                  int
	axisCells, lineCell, runCell int
	*meanRoom
}

// A meanRoom is what means keep from call to call. Outside calls all its
// counters and sums are 0.
type meanRoom struct {
	counts []int
	sums   []lanes.Exact
	ids    [blockLen]int
	block
}

var meanRooms = sync.Pool{New: func() any { return new(meanRoom) }}

// room returns a room of so many counters, and sums if they are asked for.
func room(cells int, sums bool) *meanRoom {
	r := meanRooms.Get().(*meanRoom)
	if len(r.counts) < cells {
		r.counts = make([]int, cells)
	}
	if sums && len(r.sums) < cells {
		r.sums = make([]lanes.Exact, cells)
	}
	return r
}

// mean runs a part of a scatter-mean.
func (c *call) mean(n *nest) bool {
	line, run := n.inner()
	m := meanPart{c: c, axis: one, line: *line, run: *run}
	outer := n.dims[:len(n.dims)-2]
	for i, d := range outer {
		if d.n > 1 && d.s[dstOp] == 0 { // the axis comes next to the line
			m.axis = d
			copy(outer[1:i+1], outer[:i])
			outer = outer[1:]
			break
		}
	}

	// As much of the run and the line at a time as the counters allow. A loop
	// that is the axis itself has no cells of its own, and is not cut.
	limit := max(dispatch.Default.MeanCells, 1)
	strip := func(d *dim, cells int) (n, own int) {
		if d.s[dstOp] == 0 {
			return d.n, 1
		}
		n = min(d.n, max(1, limit/max(cells, 1)))
		return n, n
	}
	runStep, runCells := strip(run, c.size)
	lineStep, lineCells := strip(line, c.size*runCells)
	m.window = c.size
	if c.size > limit {
		m.window = max(limit, (c.size+7)/8) // at most eight passes
	}
	m.axisCells = lineCells * runCells
	if line.s[dstOp] != 0 {
		m.lineCell = runCells
	}
	if run.s[dstOp] != 0 {
		m.runCell = 1
	}
	kept := room(m.window*m.axisCells, c.number.integer())
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
	if ok && len(kept.counts) <= 4*limit { // else counters may be left over, or are too many to keep
		meanRooms.Put(kept)
	}
	return ok
}

// cells takes the mean of the part's cells, a window of the axis at a time.
func (m *meanPart) cells() bool {
	integers := m.c.number.integer()
	for m.low = 0; m.low == 0 || m.low < m.c.size; m.low += m.window {
		if m.c.attrs.IgnoreInit && !integers && !m.pass(m.zero) {
			return false
		}
		if !m.pass(m.add) || !m.pass(m.divide) {
			return false
		}
	}
	return true
}

// pass resolves the part's indices in order and calls use with blocks of them:
// the cells' offsets from at, and their counters' ids from id.
func (m *meanPart) pass(use func(at [3]int, id int, offsets, ids []int)) bool {
	c, step := m.c, m.line.s
	r := (*meanRoom)(noescape(unsafe.Pointer(m.meanRoom))) // use doesn't keep offsets and ids
	s := r.block.scratch()
	start := m.at
	for range m.axis.n {
		at, id := start, 0
		for left := m.line.n; left > 0; {
			keys := r.part[:min(left, blockLen)]
			if !c.resolve(&s, keys, at[idxOp], &m.line, 1, 0) {
				return false
			}
			if m.window == c.size {
				for j, k := range keys {
					r.offsets[j] = k*c.step + j*step[dstOp]
					r.ids[j] = k*m.axisCells + j*m.lineCell
				}
				use(at, id, r.offsets[:len(keys)], r.ids[:len(keys)])
			} else {
				m.inWindow(r, at, id, keys, use)
			}
			for op, s := range step {
				at[op] += len(keys) * s
			}
			id += len(keys) * m.lineCell
			left -= len(keys)
		}
		for op, s := range m.axis.s {
			start[op] += s
		}
	}
	return true
}

// inWindow calls use for each key in the window, one at a time: axes of so
// many cells are rare.
func (m *meanPart) inWindow(r *meanRoom, at [3]int, id int, keys []int, use func(at [3]int, id int, offsets, ids []int)) {
	for j, k := range keys {
		if k >= m.low && k-m.low < m.window {
			a := at
			for op, s := range m.line.s {
				a[op] += j * s
			}
			r.offsets[0] = k * m.c.step
			r.ids[0] = (k-m.low)*m.axisCells + j*m.lineCell
			use(a, id, r.offsets[:1], r.ids[:1])
		}
	}
}

func (m *meanPart) zero(at [3]int, _ int, offsets, _ []int) {
	m.c.fill(at[dstOp], offsets, &m.run)
}

var ones = [1]int{1}

func (m *meanPart) add(at [3]int, id int, offsets, ids []int) {
	lanes.ScatterReduce(lanes.Sum, m.counts, id, m.runCell, ids, lanes.Plane[int]{Data: ones[:]}, m.run.n)
	switch m.c.number {
	case numInt8:
		addExact[int8](m, &at, id, ids)
	case numInt16:
		addExact[int16](m, &at, id, ids)
	case numInt32:
		addExact[int32](m, &at, id, ids)
	case numInt64:
		addExact[int64](m, &at, id, ids)
	case numUint8:
		addExact[uint8](m, &at, id, ids)
	case numUint16:
		addExact[uint16](m, &at, id, ids)
	case numUint32:
		addExact[uint32](m, &at, id, ids)
	case numUint64:
		addExact[uint64](m, &at, id, ids)
	default:
		m.c.update(&at, offsets, &m.line, &m.run)
	}
}

func addExact[T lanes.Integer](m *meanPart, at *[3]int, id int, ids []int) {
	lanes.ScatterExact(m.sums, id, m.runCell, ids, plane[T](&m.c.src, srcOp, at, &m.line, &m.run), m.run.n)
}

func (m *meanPart) divide(at [3]int, id int, offsets, ids []int) {
	switch num := m.c.number; num {
	case numInt8:
		lanes.DivideExact(cellsOf[int8](m, at, id, offsets, ids), m.sums)
	case numInt16:
		lanes.DivideExact(cellsOf[int16](m, at, id, offsets, ids), m.sums)
	case numInt32:
		lanes.DivideExact(cellsOf[int32](m, at, id, offsets, ids), m.sums)
	case numInt64:
		lanes.DivideExact(cellsOf[int64](m, at, id, offsets, ids), m.sums)
	case numUint8:
		lanes.DivideExact(cellsOf[uint8](m, at, id, offsets, ids), m.sums)
	case numUint16:
		lanes.DivideExact(cellsOf[uint16](m, at, id, offsets, ids), m.sums)
	case numUint32:
		lanes.DivideExact(cellsOf[uint32](m, at, id, offsets, ids), m.sums)
	case numUint64:
		lanes.DivideExact(cellsOf[uint64](m, at, id, offsets, ids), m.sums)
	case numFloat32:
		lanes.Divide(cellsOf[float32](m, at, id, offsets, ids))
	case numFloat64:
		lanes.Divide(cellsOf[float64](m, at, id, offsets, ids))
	case numFloat16, numBFloat16:
		lanes.DivideHalf(num.half(), cellsOf[uint16](m, at, id, offsets, ids))
	case numComplex64:
		lanes.DivideComplex(cellsOf[complex64](m, at, id, offsets, ids))
	case numComplex128:
		lanes.DivideComplex(cellsOf[complex128](m, at, id, offsets, ids))
	}
}

func cellsOf[T any](m *meanPart, at [3]int, id int, offsets, ids []int) *lanes.Cells[T] {
	init := 1
	if m.c.attrs.IgnoreInit {
		init = 0
	}
	return &lanes.Cells[T]{
		Dst: slice[T](&m.c.dst), At: at[dstOp], Col: m.run.s[dstOp], Offsets: offsets,
		Counts: m.counts, CountAt: id, CountCol: m.runCell, CountOffsets: ids,
		Cols: m.run.n, Init: init,
	}
}
