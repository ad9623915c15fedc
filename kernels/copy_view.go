package kernels

import (
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// copyView copies data to dst of the same shape. updated says that dst is updated next, so that it
// should stay in the caches, unless it has updatedPast bytes.
func copyView(s *settings, e *elem, dst, data *view, updated bool) {
	copyParts(s, e, dst, dst, data, data, updated)
}

// updatedPast is the least size, in bytes, of a dst that is updated next and yet goes past the
// caches. (BenchmarkFreshRows. Emerald Rapids, ms into the caches and past them, sums of a 64th as
// many rows of 64 float32 as dst has, of a quarter, and of as many: 8 MB 0.74 0.60, 0.92 0.94, 1.5
// 2.0; 16 MB 1.4 1.2, 1.9 2.2, 5.0 5.5; 24 MB 4.1 1.9, 5.3 3.9, 9.6 8.4; 32 MB 7.2 3.0, 8.3 6.3,
// 12.8 12.0; 256 MB 52 32, 76 53, 123 95.)
var updatedPast = 24 << 20

// clearView sets dst to zeros. It returns nil, as the error of a gather whose indices name nothing.
func clearView(e *elem, dst *view) error {
	if dst.count == 0 || e.size == 0 {
		return nil
	}
	var c call // set field by field: a literal would be built elsewhere and copied
	c.elem = *e
	c.dst, c.at.dst = e.memory(dst)
	loops := addAxes(c.array[:0], dst.shape)
	dst.steps(loops, dstOp, 0, e.units)
	c.set(pad(collapse(e.addUnits(loops)), 1))
	run := c.last(1)
	c.each(1, func(at position) bool {
		c.clear(at.dst, []int{0}, run)
		return true
	})
	return nil
}

// copiedAtOnce is the most bytes that lie side by side for which no call is set up. (Zen 4, ns, a
// ScatterElementsUpdate of 128 float32 by way of a call and so: 460 and 322.)
var copiedAtOnce = 16 << 10

// atOnce reports whether so many elements side by side are copied as bytes, which pointers must not
// be.
func (e *elem) atOnce(elements int) bool { return e.refs == nil && elements <= copiedAtOnce/e.size }

// copyLongBytes is copy, but copies the first few bytes by themselves where memmove would go the slow
// way that uneven of package lanes describes. (BenchmarkUnevenBytes. Emerald Rapids, ns a slice by
// copy and so: 2.4 KB 350 190, 4 KB 530 170, 8 KB 550 250, 16 KB 1050 400.)
func copyLongBytes(dst, src []byte) {
	if len(dst) >= leastUneven && uintptr(unsafe.Pointer(&dst[0]))%16 == 0 {
		if head := -uintptr(unsafe.Pointer(&src[0])) % 8; head > 0 {
			copy(dst[:head], src)
			dst, src = dst[head:], src[head:]
		}
	}
	copy(dst, src)
}

var leastUneven = 2 << 10

// copyParts copies part from of data to part to of dst, both checked. It overwrites the offset,
// bounds and count of dst and data. Other goroutines never see the parts' shapes and strides, which
// may be on the stack.
func copyParts(s *settings, e *elem, dst, to, data, from *view, updated bool) {
	dst.offset, dst.lo, dst.hi, dst.count = to.offset, to.lo, to.hi, to.count
	data.offset, data.lo, data.hi, data.count = from.offset, from.lo, from.hi, from.count
	if to.count == 0 || e.size == 0 {
		return
	}
	dense := to.contiguous() && from.contiguous()
	if dense && s.observer == nil && e.atOnce(to.count) {
		copyLongBytes(to.bytes(), from.bytes())
		return
	}
	var array [maxLoops]loop
	loops := array[:0]
	if dense {
		loops = add(loops, to.count, e.units, e.units, 0)
	} else {
		loops = addAxes(loops, to.shape)
		to.steps(loops, dstOp, 0, e.units)
		from.steps(loops, srcOp, 0, e.units)
	}
	loops = e.addUnits(loops)
	if s.small(e, to.count) {
		if len(loops) > maxLoops { // copyLines calls itself for each
			loops = collapse(loops)
		}
		copySmall(e, dst, data, loops)
		return
	}

	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.elem = copyWork, *s, *e
	c.operands(dst, data, nil)
	if !to.contiguous() {
		loops = sequential(loops, &c.at)
	}
	c.copyLoops(loops)
	c.stream = c.streamsCopy(to.count, updated)
	c.runCopy()
}

// streamsCopy is streams for a copy of so many elements, which may be updated next.
func (c *call) streamsCopy(elements int, updated bool) bool {
	return (!updated || elements >= updatedPast/c.elem.size) && c.streams(elements)
}

// dense copies a transposed table to a row-major buffer, from which rows of its axes from first on
// are gathered, count elements in all, if copiesTable says so. It returns the buffer, which the
// caller puts back to buffers after the call, or nil if it changed nothing. (Zen 4, calls of bench,
// the speedup: 110062.3426 2.8, 110062.865 2.5, 110062.2707 1.3; of larger tables 110062.2159 0.4
// and 110062.1427 0.9.)
func (v *view) dense(s *settings, e *elem, count, first, tuple int) (buffer *[]uint64) {
	if !v.copiesTable(e, v.count, count, first, &copiedForRows, &copiedFarRows) || tuple == 1 && v.packs(e, count, first-1) {
		return nil
	}
	last := len(v.shape) - 1
	for v.shape[last] == 1 { // an axis before is longer: the view is transposed
		last--
	}
	if s := v.strides[last]; last < first || s == 1 || s == -1 { // single elements, or its rows are dense as they are
		return nil
	}
	t := *v.tensor
	from := v.by(&t)
	buffer = v.rowMajor(e)
	copyParts(s, e, v, v, &from, &from, true)
	return buffer
}

// packs reports whether rows of the table along an axis, so many elements in all, are gathered
// faster from packed strips (see table_strips.go): if there are not many more than the table has,
// or if strips are wide, because a worker then reads what it has packed itself.
// (BenchmarkTransposedTables, twice as many rows as the table. Emerald Rapids, ns an element by a
// copy of the table and from strips, one worker and two: of 45 × 33,747 uint16 0.22 0.20, 0.38
// 0.11, of 64 × 300 × 100 float32 0.88 0.44, 0.27 0.22, of 500 × 1000 uint64 1.0 1.0, 0.58 0.71, of
// 20,000 × 100 uint8 0.15 0.35, 0.09 0.40.)
func (v *view) packs(e *elem, gathered, axis int) bool {
	table, _ := elements(v.shape[axis:])
	l2, _ := dispatch.L2()
	step := v.stride(axis) * e.size
	return v.count > l2/2/e.size && v.count/rowsPerIndex <= gathered && table > packedTable/e.size &&
		v.shape[axis] <= packedRows(e.size) && table >= packedColumns*v.shape[axis] && max(step, -step) < cacheLine && (v.count > gathered/2 || v.shape[axis] <= packedBytes/(3*cacheLine))
}

// denseAlong is dense for a gather of single elements along the last axis, where these lie farther
// from each other than in row-major order, and the first-level cache does not hold the rows. It
// copies only the rows that indices reach, and leaves the table's shape as it is. (Zen 4, calls of
// bench, the speedup: 411001.122 10.7, 420002.1320 2.7, 420002.1756 1.4; along other axes 0.7 and
// 0.8, of 6 KB 0.8.)
func (v *view) denseAlong(s *settings, e *elem, axis int, indices *view) (buffer *[]uint64) {
	if inner, _ := elements(v.shape[axis+1:]); v.contiguous() || inner > 1 || len(v.shape) > maxLoops || !v.farther(axis) {
		return nil
	}
	var shape [maxLoops]int
	narrow, t := *v.tensor, *v.tensor
	narrow.shape = append(shape[:0], indices.shape...)
	narrow.shape[axis] = v.shape[axis]
	from, rows := v.by(&t), v.by(&narrow)
	near, far := &copiedForElements, &copiedFarElements
	if v.shape[axis] > nearTable/cacheLine { // no first-level cache holds the lines of a row for the next one
		near = &copiedForLongRows
	}
	if l2, _ := dispatch.L2(); v.shape[axis] > l2/4/cacheLine { // nor does that of the second level
		far = &copiedFarRows
	}
	if rows.count, _ = elements(rows.shape); rows.count*e.size < nearTable || !v.copiesTable(e, rows.count, indices.count, axis, near, far) {
		return nil
	}
	buffer, memory := bufferFor(rows.count*e.units, e.kind)
	v.ptr, v.len, v.strides, v.offset, v.lo, v.hi, v.count = memory.Ptr, rows.count, nil, 0, 0, rows.count-1, rows.count
	dense := *v.tensor
	dense.shape = narrow.shape
	table := v.by(&dense)
	copyParts(s, e, v, &table, &from, &rows, true)
	return buffer
}

// copiesTable reports whether so many elements of a table are copied to a buffer before some are
// gathered, which lie along the axes from first on. near and far are the most for each that is
// gathered, by their width, of a table in the second-level cache, and of one that no cache holds,
// where those that are gathered are in cache lines of their own. (Zen 3, random calls with
// transposed tables, the speedup of copies of 1.05 to 1.5 times the elements: 16 calls 1.0 to 4.5;
// of twice to four times 0.4 to 3.9.)
func (v *view) copiesTable(e *elem, elements, gathered, first int, near, far *[4]float64) bool {
	if e.refs != nil || gathered < leastTransposed || !v.transposed() {
		return false
	}
	most := 1.0
	switch l2, _ := dispatch.L2(); {
	case elements <= l2/2/e.size:
		most = near[e.narrow()]
	case !v.apart(e, first):
	case elements <= dispatch.Default.StreamReach/e.size:
		most = 1.5
	default:
		most = far[e.narrow()]
	}
	return float64(elements) <= most*float64(gathered)
}

// narrow returns which of four widths an element has: 1, 2, 4, or 8 bytes and more.
func (e *elem) narrow() int { return min(bits.Len(uint(e.size)), 4) - 1 }

// apart reports whether elements along the axes from first on lie in cache lines of their own.
func (v *view) apart(e *elem, first int) bool {
	for d := first; d < len(v.shape); d++ {
		if s := v.strides[d] * e.size; v.shape[d] > 1 && max(s, -s) < cacheLine {
			return false
		}
	}
	return true
}

// nearTable is the least number of bytes that the first-level cache does not hold.
var nearTable = 32 << 10

// The most elements of such a table for each that is gathered, of 1, 2, 4, and 8 or more bytes:
// narrow ones are copied faster.
//
// In a cache, in rows or by itself along short and long ones. (BenchmarkTurned. Emerald Rapids, the
// time without a copy over that with one, of rows out of twice, four and eight times as many: uint8
// 3.8 to 4.7, 2.4 to 3.1, 1.0 to 1.7, uint16 2.3 to 3.0, 1.2 to 1.9, 0.6 to 1.1, uint32 1.06 to
// 1.5, 0.6 to 1.07, 0.4 to 0.6, uint64 0.5 to 1.1, 0.3 to 0.6; of elements out of as many and twice
// as many: uint8 3.1, 1.9 to 2.5, uint16 1.4 to 2.3, 1.1 to 1.6, uint32 0.8 to 1.5, 0.8 to 0.9,
// uint64 0.7 to 1.1, 0.4 to 0.6, and out of half as many 0.9 to 1.2; rows of 1915 elements, of
// twice, four and eight times as many: uint8 2.3 1.7 1.1, uint16 2.2 1.7 1.0, uint32 1.25 0.67
// 0.42.)
//
// In no cache, in rows and elements along rows whose lines the second-level cache does not hold, or
// elements along others. (BenchmarkTurnedFar. Emerald Rapids, the same of rows out of twice, four
// and eight times as many: uint8 3.6 to 10, 3.5 to 6.4, 2.1 to 4.4, uint16 2.9 to 6.7, 2.2 to 4.3,
// 1.6 to 2.4, uint32 2.1 to 3.4, 1.2 to 2.5, 0.7 to 1.5, uint64 1.4 to 2.2, 1.0 to 1.4, 0.6 to 0.8;
// where indices are sorted, out of twice and four times as many, uint8 0.7 to 1.6, 0.6 to 1.3,
// uint32 0.4 to 0.7, 0.3 to 0.5. Elements along rows of 10,000 and more uint8 3.3, 2.3, 1.2, uint32
// 2.3, 1.0 to 1.4, 0.8, uint64 0.7 to 1.6, 0.7 to 1.1; along rows of 100 and 1000 uint8 0.9, 0.5 to
// 0.8, uint32 0.6 to 1.0, 0.6.)
var (
	copiedForRows     = [4]float64{8, 5, 2.5, 1}
	copiedForElements = [4]float64{3, 2, 1, 0.5}
	copiedForLongRows = [4]float64{6, 4, 2, 1}
	copiedFarRows     = [4]float64{8, 5, 2.5, 1.5}
	copiedFarElements = [4]float64{1.5, 1.5, 1.5, 1.5}
)

// rowMajor makes v a row-major view of a buffer, which the caller puts back to buffers.
func (v *view) rowMajor(e *elem) (buffer *[]uint64) {
	buffer, memory := bufferFor(v.count*e.units, e.kind)
	v.ptr, v.len, v.strides, v.offset, v.lo, v.hi = memory.Ptr, v.count, nil, 0, 0, v.count-1
	if len(v.shape) > maxLoops {
		v.strides = rowMajor(v.shape) // or stride would take quadratic time
	}
	return buffer
}

// cellsUpdated is the most cells for an update with which a scatter into a dst that is transposed
// goes to a row-major copy of it, which is copied back. (Zen 4, calls of bench, the speedup: rows,
// 110060.3323 10, 110061.9141 17, 110061.21653 1.1; single elements 110060.699 1.6, 110060.1577
// 2.3.)
const cellsUpdated = 2

// scattersAside reports whether so many updates of so many cells of v go to a row-major copy.
func (v *view) scattersAside(e *elem, cells, updates int) bool {
	return e.refs == nil && cells/cellsUpdated <= updates && v.transposed()
}

// Rows are scattered aside from setAside updates on, or combinedAside if they are combined.
// (BenchmarkRowsAside. Emerald Rapids, µs as they lie and aside: 16 rows of 20 into 4, set 1.5 1.7,
// added 5.0 1.8; 16 of 64 into 12, set 1.8 2.3, added 14 2.1; 16 of 256 into 6, set 5.8 3.0, added
// 46 3.3; 64 of 12 into 64, set 2.6 2.1, added 4.9 2.5; 4 of 20 into 4, added 0.8 1.06.)
var setAside, combinedAside = 1024, 256

// rowsAside reports whether so many updates, of rows of the axes from the first on, go to a
// row-major copy, because dst has no dense rows.
func (v *view) rowsAside(e *elem, first, updates int) bool {
	least := setAside
	if e.reduces() {
		least = combinedAside
	}
	return first < len(v.shape) && updates >= least && v.scattersAside(e, v.count, updates)
}

// elementsAside reports whether so many updates of single elements along an axis, of so many cells
// that they reach, go to a row-major copy: where that has the axis closer together, or where there
// are many updates for each cell. In place a narrow element is worth it for one update. (Zen 4,
// calls of bench, the speedup, with many updates: 570003.1183 10, 550001.96 4.7, 570003.147, 2.8
// for a cell, 1.4; 570006.485, 2.3 for a cell, 0.87. Zen 3, narrow ones in place, with 1 to 1.7 for
// a cell: 8020001.4650 2.4, .3274 1.7, 8020002.16415 1.3, .11931 1.4, .12681 1.3; wide ones .3082
// 0.7.)
func (v *view) elementsAside(e *elem, axis, cells, updates int, inPlace bool) bool {
	many := updates/5 >= cells/2
	worth := !inPlace || e.size <= 4 && updates >= cells
	return cells >= leastTransposed && (many || worth && v.farther(axis)) && v.scattersAside(e, cells, updates)
}

// Indices of leastChecked bytes or more, of lighterBy times those of dst, are not checked before a
// scatter in place: the scatter goes to a copy of dst, which is copied back if all were good.
// (Calls of bench, Zen 4, the speedup over a check: of 83 with six times and more 1.12, with two
// workers 1.10, float32 sums of 2^20 updates into 1000 cells 1.3; of 76 with two to four times 0.98
// and 0.93; of fewer bytes 1.0 and 0.8.)
var leastChecked = 1 << 20

const lighterBy = 6

// lighter reports whether v is so much smaller than indices that would be checked before v is
// updated in place.
func (v *view) lighter(e *elem, indices *view) bool {
	read := min(indices.count, indices.hi-indices.lo+1) * indices.size
	return e.refs == nil && !indices.checked && read >= leastChecked && v.count*e.size <= read/lighterBy
}

// farther reports whether the elements along an axis are farther from each other than in row-major
// order.
func (v *view) farther(axis int) bool {
	inner, _ := elements(v.shape[axis+1:])
	return max(v.stride(axis), -v.stride(axis)) > inner
}
