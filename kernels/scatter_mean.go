package kernels

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A mean needs a sum, a count and a division. A part of a scatter with Mean goes tile by tile: a
// tile is the updates of as many cells as have counters in the caches. One pass over its indices
// sums and counts the updates. Then the cells are divided.
//
// Counters are in the order of the tile's cells in dst, but dense. Cells of a run share one. Where
// dst is dense too, one offset serves for the cell, its sum and its counter.
type meanPart struct {
	means
	nest nest // of the tile, whose loops are cut to it

	tile     [maxLoops]tileLoop
	longTile []tileLoop // of more loops than that
	axisStep int        // how far the counter moves along the axis
	cells    int        // counters of a tile
	runs     int        // sums of a counter, if they are in the scratch
	flat     bool       // a cell's offset is its counter's, times scale
	scale    int
	even     bool // flat, and the sum is in the cell

	low, window int    // the part of the axis whose cells are counted: all of it, unless it is long
	sparse      bool   // divide the cells that the indices name
	open        uint64 // a checksum of counters, 0 if those that were divided are those that were counted
}

// A tileLoop says how many steps of a loop a tile has, and how far the counter moves with a step.
type tileLoop struct{ n, counter int }

// A means says where the sums and counts of a mean are.
type means struct {
	c     call
	sums  sumKind
	many  bool   // counters have 64 bits
	most  int    // updates of a cell
	held  int    // sums in the scratch
	large uint64 // OR of the magnitudes so far, whose top bit says how many sumWide can sum
	*meanScratch
}

// A sumKind says where sums are, and of which type. Floats that start from their cells' values are
// summed in the cells, with one rounding a step. All other sums start from 0 in the scratch: floats
// without initial values, and integers, exactly.
type sumKind uint8

const (
	sumInCell sumKind = iota
	sumElem           // the element type, in the scratch
	sumWords          // int64, in the scratch, with its count in the bits above; of single integers of 32 bits or fewer
	sumWide           // int64, in the scratch; of 64-bit integers, as long as all are small enough
	sumExact          // generic.Exact, in the scratch
)

// A meanScratch is scratch that stays allocated between calls. Between calls all counters and sums
// are 0.
type meanScratch struct {
	counters, totals []uint64
	cell, id, sum    [blockLen]int
	rows             [blockLen]int
}

var meanScratches = sync.Pool{New: func() any { return new(meanScratch) }}

// mostCounted is how many updates a counter of 32 bits can count, and how many numbers of 32 bits
// an int64 can sum. Tests make it smaller.
var mostCounted = math.MaxInt32

// choose chooses the sums and counters for up to most updates of a cell. single says that each cell
// has a counter of its own.
func (m *means) choose(most int, single bool) {
	m.most, m.many = most, most >= mostCounted
	switch num := m.c.elem.kind; {
	case num.Integer() && m.many:
		m.sums = sumExact
	case num.Integer() && single && num.Width() <= 4 && bits.Len(uint(most)) <= wordCount(num):
		m.sums = sumWords
	case num.Integer():
		m.sums = sumWide
	case m.c.attrs.IgnoreInit:
		m.sums = sumElem
	}
}

// counterBytes returns the bytes of a counter, 0 where the sums count.
func (m *means) counterBytes() int {
	switch {
	case m.sums == sumWords:
		return 0
	case m.many:
		return 8
	}
	return 4
}

// counts returns the counters as primitives take them.
func (m *means) counts() lanes.Memory {
	if m.many {
		return words(m.counters, lanes.KindU64)
	}
	return words(m.counters, lanes.KindU32)
}

// shift returns how many bits the sum has, with its sign, in a word that also counts, or 0.
func (m *means) shift() int {
	if m.sums != sumWords {
		return 0
	}
	return 64 - wordCount(m.c.elem.kind)
}

// wordCount returns how many bits of a word that also sums are the count. The others hold the sum
// of as many numbers as these can count, with its sign.
func wordCount(kind lanes.Kind) int { return (63 - 8*kind.Width()) / 2 }

// kind is the kind of the sums.
func (m *means) kind() lanes.Kind {
	return [...]lanes.Kind{sumInCell: m.c.elem.kind, sumElem: m.c.elem.kind, sumWords: lanes.KindI64, sumWide: lanes.KindI64, sumExact: lanes.KindX128}[m.sums]
}

// sumsIn returns the memory that has the sums.
func (m *means) sumsIn() lanes.Memory {
	if m.sums == sumInCell {
		return m.c.dst
	}
	return words(m.totals, m.kind())
}

// words returns scratch as elements of a kind.
func words(s []uint64, kind lanes.Kind) lanes.Memory {
	return lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(s)), Len: len(s) * 8 / kind.Width(), Kind: kind}
}

// grow allocates counters, and sums that are not in the cells.
func (m *means) grow(counters, sums int) {
	if words := (counters*m.counterBytes() + 7) / 8; len(m.counters) < words {
		m.counters = make([]uint64, words)
	}
	if m.sums == sumInCell {
		return
	}
	m.held = sums
	if words := (sums*m.kind().Width() + 7) / 8; len(m.totals) < words {
		m.totals = make([]uint64, words)
	}
}

// sum adds updates to the sums at some offsets.
func (m *means) sum(at, col int, offsets []int, updates lanes.Window, cols int) {
	if m.sums == sumWide && m.c.elem.kind.Width() == 8 {
		m.sumLong(at, col, offsets, updates, cols)
		return
	}
	if m.sums == sumInCell || m.sums == sumElem {
		lanes.ScatterReduceRaw(lanes.Sum, m.sumsIn(), at, col, offsets, updates, cols)
	} else {
		lanes.ScatterSumsRaw(m.sumsIn(), m.shift(), at, col, offsets, updates, cols)
	}
}

// sumLong adds integers of 64 bits, as many at a time as fit the first-level cache. Most are far
// from overflow, and sums of 64 bits are exact. Before one may not be, all sums become
// generic.Exact.
func (m *means) sumLong(at, col int, offsets []int, updates lanes.Window, cols int) {
	step := max(1, longSums/cols)
	for len(offsets) > 0 {
		n := min(step, len(offsets))
		m.large |= magnitudes(&updates, n, cols)
		if bits.Len64(m.large)+bits.Len(uint(m.most)) > mostBits {
			m.widen()
			m.sum(at, col, offsets, updates, cols)
			return
		}
		lanes.ScatterReduceRaw(lanes.Sum, m.sumsIn(), at, col, offsets[:n], updates, cols)
		offsets, updates.At = offsets[n:], updates.At+n*updates.Row
	}
}

// longSums is how many integers sumLong adds at a time. The magnitude of a sum that cannot wrap has
// at most mostBits bits.
const longSums, mostBits = 2048, 63

// magnitudes joins numbers of 64 bits by OR, the negative ones inverted.
func magnitudes(w *lanes.Window, rows, cols int) (all uint64) {
	numbers, signed := slice[uint64](&w.Memory), uint64(0)
	if w.Kind == lanes.KindI64 {
		signed = 1
	}
	step := w.Col
	if cols == 1 {
		rows, cols, step = 1, rows, w.Row
	}
	for i := range rows {
		at := w.At + i*w.Row
		if step == 1 {
			for _, v := range numbers[at:][:cols] {
				all |= v ^ -(v >> 63 & signed)
			}
			continue
		}
		for range cols {
			v := numbers[at]
			all |= v ^ -(v >> 63 & signed)
			at += step
		}
	}
	return all
}

// widen makes sums of 64 bits exact, where they are.
func (m *means) widen() {
	m.sums = sumExact
	have := m.totals
	if len(have) < 2*m.held {
		m.totals = make([]uint64, 2*m.held)
	}
	for i := m.held - 1; i >= 0; i-- { // no copy, which is not pre-empted: these may be 10 MB
		s := have[i]
		m.totals[2*i], m.totals[2*i+1] = -(s >> 63), s // as the fields of generic.Exact are
	}
}

// divide divides rows × cols cells.
func (m *means) divide(dst, sums, counts lanes.Place, rows, cols int) {
	init := 1
	if m.c.attrs.IgnoreInit {
		init = 0
	}
	lanes.DivideRaw(lanes.CellsRaw{
		Dst: m.c.dst, Sums: m.sumsIn(), Counts: m.counts(),
		DstAt: dst, SumsAt: sums, CountsAt: counts, Rows: rows, Cols: cols, Init: init, Shift: m.shift(),
	})
}

// tileCells bounds the cells of a tile: these, their sums and their counters fit the second-level
// cache. Inside of the axis a tile has tileColumns steps of a loop at least, so that rows of
// updates are read in runs. (BenchmarkMeanTiles. Zen 4, ns an update, 1000 rows of 1000 into as
// many, and with tiles of a million cells: uint8 3.9 and 11.7, int32 5.0 and 13.7, int64 10 and 36,
// float32 without initial values 4.1 and 7.5. With 64 columns 6.1, 7.4, 10 and 5.0.)
const tileCells, tileColumns = 32 << 10, 256

// mean runs a part of a scatter-mean.
func (c *call) mean(n *nest) bool {
	m := meanPart{means: means{c: *c}, nest: n.clone()}
	loops := m.nest.loops()
	most := 1 // updates of a cell
	for i := range loops {
		if !loops[i].disjoint() {
			most *= loops[i].n
		}
	}
	run := &loops[len(loops)-1]
	m.choose(most, run.n == 1)
	scratch := meanScratches.Get().(*meanScratch)
	m.meanScratch = scratch
	if len(loops) > maxLoops {
		m.longTile = make([]tileLoop, len(loops))
	}
	updates := m.cut(loops)
	m.layOut(loops, updates)
	m.grow(m.cells+outsiders, (m.cells+outsiders)*m.runs)
	ok := m.tiles(0)
	if limit := 4 * dispatch.Default.MeanCells; ok && m.open == 0 && len(scratch.counters) <= limit && len(scratch.totals) <= limit {
		meanScratches.Put(scratch) // else counters and sums are too many to keep, or not all 0
	}
	return ok
}

// tileLoops returns what a tile has of each loop, for any number of loops.
func (m *meanPart) tileLoops() []tileLoop {
	if m.longTile != nil {
		return m.longTile
	}
	return m.tile[:]
}

// cut chooses how many steps of each loop a tile has, and how much of the axis. It returns how many
// indices that are.
func (m *meanPart) cut(loops []loop) (updates int) {
	last, size := len(loops)-1, m.c.size
	run := &loops[last]
	m.runs, m.window = 1, size
	tile := m.tileLoops()
	for i := range loops {
		tile[i].n = 1
	}
	tile[last].n = run.n
	if run.disjoint() && m.sums != sumInCell {
		m.runs = min(run.n, max(1, m.mostCells()/size))
		tile[last].n = m.runs
	}
	axis := -1
	for i := range loops[:last] {
		if !loops[i].disjoint() && loops[i].n > 1 {
			axis = i
			tile[i].n = loops[i].n
		}
	}
	updates = 1
	if axis >= 0 {
		updates = loops[axis].n
	}
	limit := max(m.mostCells(), 1)
	if size > limit { // some columns of cells, a window of them at a time
		m.window = meanWindow(size, updates)
		columns, most := 1, max(1, min(windowColumns, limit/m.window))
		for i := last - 1; i > axis; i-- {
			tile[i].n = min(loops[i].n, most/columns)
			columns *= tile[i].n
		}
		m.window = max(limit/columns, m.window)
		return updates * columns
	}
	cells := size * m.runs
	for i := last - 1; i >= 0; i-- { // the innermost loops first
		steps := min(tileCells, limit) / cells
		if i > axis {
			steps = max(steps, min(tileColumns, limit/cells))
		}
		if i == axis || steps < 2 {
			continue
		}
		tile[i].n = min(loops[i].n, steps)
		cells *= tile[i].n
		updates *= tile[i].n
		if tile[i].n < loops[i].n && i < axis { // those outside are taken step by step
			break
		}
	}
	return updates
}

// mostCells returns how many cells the scratch that MeanCells allows is for.
func (m *means) mostCells() int {
	bytes := m.counterBytes()
	switch {
	case m.sums == sumWide && m.c.elem.kind.Width() == 8:
		bytes += lanes.KindX128.Width() // they may become exact
	case m.sums != sumInCell:
		bytes += m.kind().Width()
	}
	return dispatch.Default.MeanCells * largestCell / bytes
}

// largestCell is the bytes of scratch for a cell with a counter of 64 bits and an exact sum.
const largestCell = 24

// windowColumns is the most columns of a long axis that are counted together, so that each cache
// line of updates is read less often. (Zen 4, call 120001.434 of bench, 17 columns of 7 million
// cells: 3.6 s column by column, 1.5 with these.)
const windowColumns = 8

// meanWindow returns how much of an axis is summed and counted in one pass over its updates. Eight
// passes are enough for the axis, unless that is more than four cells for each update: memory then
// grows with the updates. The bytes of a window fit an int of 32 bits.
func meanWindow(size, updates int) int {
	return min((size-1)/8+1, 4+4*min(updates, size/8), math.MaxInt/64)
}

// layOut chooses the order of the counters: as the cells lie in dst, the nearest first. If a
// multiple of the counters' distance is that of the cells, one offset serves for both, even if that
// leaves gaps.
func (m *meanPart) layOut(loops []loop, updates int) {
	last := len(loops) - 1
	type cells struct{ loop, n, step int }
	var buf [maxLoops]cells
	axis := cells{-1, m.window, m.c.step}
	order := append(buf[:0], axis)
	for i := range loops[:last] {
		if loops[i].disjoint() && m.tileLoops()[i].n > 1 {
			order = append(order, cells{i, m.tileLoops()[i].n, loops[i].s[dstOp]})
		}
	}
	ascending(order, func(c cells) int { return max(c.step, -c.step) })
	if m.window < m.c.size { // a window of it is a run of counters
		order = append(slices.DeleteFunc(order, func(c cells) bool { return c.loop < 0 }), axis)
	}
	m.scale = max(order[0].step, 1)
	dense, span := 1, 1
	m.flat = true
	for _, o := range order {
		m.flat = m.flat && o.step%m.scale == 0 && o.step/m.scale >= span
		dense, span = dense*o.n, o.step/m.scale*o.n
	}
	if m.sparse = m.sparseIn(updates, dense); m.sums == sumInCell && m.window == m.c.size {
		m.flat = m.flat && span <= mostGaps*dense
	} else {
		m.flat = m.flat && span == dense
	}
	stride := 1
	for _, o := range order {
		at := stride
		if m.flat {
			at = o.step / m.scale
		}
		if o.loop < 0 {
			m.axisStep = at
		} else {
			m.tileLoops()[o.loop].counter = at
		}
		stride = at * o.n
	}
	m.cells = stride
	m.even = m.flat && m.sums == sumInCell && m.window == m.c.size
}

// mostGaps is the most counters for each that is used, where counters lie as the cells do.
const mostGaps = 4

// vectorCells is how many cells vectors divide in the time of one.
const vectorCells = 8

// sparseIn reports whether to divide only the cells that updates name, of so many updates and
// cells.
func (m *meanPart) sparseIn(updates, cells int) bool {
	least := max(dispatch.Default.MeanSparse, 1)
	k := m.c.elem.kind
	if _, half := k.Half(); m.scale == 1 && !m.many && (k == lanes.KindF32 || k == lanes.KindF64 || half || m.sums == sumWords || m.sums == sumWide) {
		least *= vectorCells
	}
	return updates < cells/least
}

// tiles runs the tiles along the loops from i on.
func (m *meanPart) tiles(i int) bool {
	loops := m.nest.loops()
	if i == len(loops) {
		return m.run()
	}
	l, n, at := &loops[i], loops[i].n, m.nest.at
	for left := n; left > 0; left -= m.tileLoops()[i].n {
		l.n = min(left, m.tileLoops()[i].n)
		if !m.tiles(i + 1) {
			return false
		}
		m.nest.at = l.after(m.nest.at, l.n)
	}
	l.n, m.nest.at = n, at
	return true
}

// run takes the mean of a tile's cells, one window of the axis after the other.
func (m *meanPart) run() bool {
	for m.low = 0; m.low < m.c.size; m.low += m.window {
		if !m.add() {
			return false
		}
		if m.sparse {
			if !m.divideNamed() {
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

// outsiders is how many counters, and sums, take the indices outside of the window. With one, each
// addition would wait for the one before.
const outsiders = 64

// clearOutside clears the outsiders.
func (m *meanPart) clearOutside() {
	if m.counterBytes() > 0 {
		counts := part(m.counts(), m.cells, outsiders)
		clear(unsafe.Slice((*byte)(counts.Ptr), counts.Len*counts.Kind.Width()))
	}
	if m.sums != sumInCell {
		sums := part(m.sumsIn(), m.cells*m.runs, outsiders*m.runs)
		clear(unsafe.Slice((*byte)(sums.Ptr), sums.Len*sums.Kind.Width()))
	}
}

// counting returns a scatter of the tile's updates to its counters.
func (m *meanPart) counting() call {
	c := call{work: scatterWork, settings: settings{policy: m.c.policy}, elem: m.c.elem, src: m.c.src, idx: m.c.idx, axes: axes{size: m.c.size, step: m.axisStep}}
	loops, all := c.array[:0], m.nest.loops()
	for i := range all {
		l := &all[i]
		loops = add(loops, l.n, m.tileLoops()[i].counter, l.s[srcOp], l.s[idxOp])
	}
	last := len(loops) - 1
	run := loops[last]
	c.set(append(pad(collapse(loops[:last]), 1), run))
	c.at.src, c.at.idx = m.nest.at.src, m.nest.at.idx
	return c
}

// add sums and counts the updates of the tile.
func (m *meanPart) add() bool {
	c := m.counting()
	all := m.nest.loops()
	run := &all[len(all)-1]
	n := 1 // updates that an index counts
	if !run.disjoint() {
		n = run.n
	}
	beside := m.sums == sumInCell && !m.even // the cells need offsets of their own
	if beside && m.low == 0 {
		s := m.c
		s.nest, s.attrs.Reduction = m.nest.clone(), Sum
		loops := s.loops()
		s.set(pad(append(collapse(loops[:len(all)-1]), *run), 3))
		if !s.combine(&s.nest) {
			return false
		}
	}
	counted := c.nest
	if beside {
		counted = c.withoutUpdates()
	}
	return c.eachBlock(&counted, dstOp, func(base int, offsets []int, updates lanes.Window, r loop) {
		if m.window < m.c.size {
			base -= m.low * m.axisStep
			for j, k := range offsets {
				offsets[j] = int(min(uint(base+k), uint(m.cells+j%outsiders)))
			}
			base = 0
		}
		if m.sparse { // if indices change during the call, counters may be left that later calls would find
			m.open += m.sumOf(base, offsets)
		}
		if m.counterBytes() > 0 {
			lanes.CountRaw(m.counts(), base, offsets, n)
		}
		switch {
		case beside:
		case m.even:
			m.sum(m.nest.at.dst+base*m.scale, run.s[dstOp], m.scaled(offsets, m.scale), updates, r.n)
		default:
			col := 1
			if !run.disjoint() {
				col = 0
			}
			m.sum(base*m.runs, col, m.scaled(offsets, m.runs), updates, r.n)
		}
	})
}

// sumOf returns a checksum of the counters at some offsets, without outsiders: the sum of hashes, as
// that of numbers may stay the same when several change.
func (m *meanPart) sumOf(base int, offsets []int) (sum uint64) {
	all := m.window == m.c.size
	for _, o := range offsets {
		if o += base; all || o < m.cells {
			h := uint64(o+1) * 0x9E3779B97F4A7C15 // Fibonacci hashing
			sum += h ^ h>>32
		}
	}
	return sum
}

// scaled returns offsets times a number.
func (m *meanPart) scaled(offsets []int, by int) []int {
	if by == 1 {
		return offsets
	}
	scaled := m.meanScratch.sum[:len(offsets)]
	for j, o := range offsets {
		scaled[j] = o * by
	}
	return scaled
}

// divideNamed divides the cells in the window that the tile's indices name.
func (m *meanPart) divideNamed() bool {
	c := m.counting()
	all := m.nest.loops()
	run := &all[len(all)-1]
	cols, col := 1, 0
	if run.disjoint() {
		cols, col = run.n, 1
	}
	n := c.withoutUpdates()
	return c.eachBlock(&n, dstOp, func(base int, offsets []int, _ lanes.Window, _ loop) {
		ids, cells := m.named(base, offsets)
		m.open -= m.sumOf(0, ids)
		sums := lanes.Place{At: m.nest.at.dst, Col: run.s[dstOp], Offsets: cells}
		if m.sums != sumInCell {
			sums = lanes.Place{Col: col, Offsets: m.scaled(ids, m.runs)}
		}
		m.divide(lanes.Place{At: m.nest.at.dst, Col: run.s[dstOp], Offsets: cells}, sums, lanes.Place{Offsets: ids}, len(ids), cols)
	})
}

// named returns the counters at some offsets that are in the window, and their cells.
func (m *meanPart) named(base int, offsets []int) (ids, cells []int) {
	ids = m.id[:len(offsets)]
	base -= m.low * m.axisStep
	if m.window == m.c.size {
		for i, o := range offsets {
			ids[i] = base + o
		}
	} else {
		n := 0
		for _, o := range offsets {
			if ids[n] = base + o; uint(base+o) < uint(m.cells) {
				n++
			}
		}
		ids = ids[:n]
	}
	cells = m.cell[:len(ids)]
	if m.flat {
		at := m.low * m.c.step
		for i, id := range ids {
			cells[i] = id*m.scale + at
		}
	} else {
		for i, id := range ids {
			cells[i] = m.cellOf(id)
		}
	}
	return ids, cells
}

// cellOf returns where in dst, from the tile's first cell, the cell of a counter is.
func (m *meanPart) cellOf(id int) int {
	all := m.nest.loops()
	o := (id/m.axisStep%m.window + m.low) * m.c.step
	for i := range all[:len(all)-1] {
		if s := m.tileLoops()[i].counter; s != 0 {
			o += id / s % m.tileLoops()[i].n * all[i].s[dstOp]
		}
	}
	return o
}

// divideAll divides the cells of the window, in order.
func (m *meanPart) divideAll() {
	all := m.nest.loops()
	last := len(all) - 1
	var d nest // its operands are dst, the sums and the counters
	d.at.dst = m.nest.at.dst + m.low*m.c.step
	loops := add(d.array[:0], min(m.window, m.c.size-m.low), m.c.step, m.axisStep*m.runs, m.axisStep)
	for i := range all[:last] {
		if s := m.tileLoops()[i].counter; s != 0 {
			loops = add(loops, all[i].n, all[i].s[dstOp], s*m.runs, s)
		}
	}
	if run := &all[last]; run.disjoint() {
		loops = add(loops, run.n, run.s[dstOp], 1, 0)
	}
	if m.sums == sumInCell {
		d.at.src = d.at.dst
		for i := range loops {
			loops[i].s[srcOp] = loops[i].s[dstOp]
		}
	}
	loops = sequential(loops, &d.at)
	ascending(loops, func(l loop) int { // the run last: its cells share a counter, which is 0 once they are divided
		if l.s[idxOp] == 0 {
			return 1
		}
		return 0
	})
	d.set(pad(collapse(loops), 2))
	row, col := d.inner()
	d.each(2, func(at position) bool {
		m.divide(lanes.Place{At: at.dst, Row: row.s[0], Col: col.s[0]}, lanes.Place{At: at.src, Row: row.s[1], Col: col.s[1]},
			lanes.Place{At: at.idx, Row: row.s[2], Col: col.s[2]}, row.n, col.n)
		return true
	})
}
