//go:build !purego && !noasm

package lanes

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// Which body runs a piece on arm64; see bodies_amd64.go. There is one level, and
// stores go through the caches: what is streamed elsewhere is not here.

// vectors reports whether this process runs the bodies at all.
func vectors() bool { return dispatch.Active() == dispatch.NEON }

// choose returns the form of a gather. col is how far the table moves with an element.
func (c *gatherCall) choose(col int) gatherForm {
	switch {
	case col == 0 && c.step == 1 && c.elem == 1 && leastTable <= c.size && c.size <= mostTable>>(c.index>>3) && c.cols >= 2*mostTable:
		return inTable
	case col == 0 && c.step == 1:
		return inRow
	case col == 1 && 0 <= c.step && c.step <= math.MaxUint32/c.elem:
		return inColumns
	}
	return resolved
}

// A table in registers is a vector at least, and eight at most: four where indices
// of 64 bits take longer to narrow.
const leastTable, mostTable = 16, 128

//go:noinline
func checkPiece(indices *byte, width, n, size int) int {
	if width == 4 {
		return checkI32NEON(indices, n, size)
	}
	return checkI64NEON(indices, n, size)
}

//go:noinline
func resolvePiece(offsets *int, indices *byte, width, n, size, scale int, pattern *int, move, col, soon int) int {
	if width == 4 {
		return resolveI32NEON(offsets, indices, n, size, scale, pattern, move, col, soon)
	}
	return resolveI64NEON(offsets, indices, n, size, scale, pattern, move, col, soon)
}

//go:noinline
func resolveTuplesPiece(offsets *int, tuples *byte, width, row, next, n int, sizes, strides *int, k, col, start int) int {
	if width == 4 {
		return resolveTuplesI32NEON(offsets, tuples, row, next, n, sizes, strides, k, col, start)
	}
	return resolveTuplesI64NEON(offsets, tuples, row, next, n, sizes, strides, k, col, start)
}

//go:noinline
func checkOffsetsPiece(offsets *int, n, at, limit int) bool {
	return checkOffsetsNEON(offsets, n, at, limit)
}

//go:noinline
func gatherOffsetsPiece(width int, dst, src *byte, at int, offsets *int, n int) {
	switch width {
	case 1:
		gatherOffsetsX8NEON(dst, src, at, offsets, n)
	case 2:
		gatherOffsetsX16NEON(dst, src, at, offsets, n)
	case 4:
		gatherOffsetsX32NEON(dst, src, at, offsets, n)
	case 8:
		gatherOffsetsX64NEON(dst, src, at, offsets, n)
	case 16:
		gatherOffsetsX128NEON(dst, src, at, offsets, n)
	}
}

// The keys of the switch below: a form, and the widths of an element and an index.
const (
	keyI64 = 1 << iota
	keyColumns
	keyTable
	keyX8   = 0 << 3
	keyX16  = 1 << 3
	keyX32  = 2 << 3
	keyX64  = 3 << 3
	keyX128 = 4 << 3
)

//go:noinline
func (c *gatherCall) piece() int {
	key := bits.TrailingZeros(uint(c.elem)) << 3
	if c.index == 8 {
		key |= keyI64
	}
	switch c.form {
	case inColumns:
		key |= keyColumns
	case inTable:
		key |= keyTable
	}
	d, t, x, dr, tr, xr, n, rows, cols := c.dst, c.table, c.indices, c.dstRow, c.tableRow, c.indicesRow, c.size, c.rows, c.cols
	switch key {
	case keyX8:
		return gatherX8I32NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX8 | keyI64:
		return gatherX8I64NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16:
		return gatherX16I32NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16 | keyI64:
		return gatherX16I64NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX32:
		return gatherX32I32NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX32 | keyI64:
		return gatherX32I64NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX64:
		return gatherX64I32NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX64 | keyI64:
		return gatherX64I64NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX128:
		return gatherX128I32NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX128 | keyI64:
		return gatherX128I64NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX8 | keyColumns:
		return gatherColumnsX8I32NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX8 | keyI64 | keyColumns:
		return gatherColumnsX8I64NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX16 | keyColumns:
		return gatherColumnsX16I32NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX16 | keyI64 | keyColumns:
		return gatherColumnsX16I64NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX32 | keyColumns:
		return gatherColumnsX32I32NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX32 | keyI64 | keyColumns:
		return gatherColumnsX32I64NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX64 | keyColumns:
		return gatherColumnsX64I32NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX64 | keyI64 | keyColumns:
		return gatherColumnsX64I64NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX128 | keyColumns:
		return gatherColumnsX128I32NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX128 | keyI64 | keyColumns:
		return gatherColumnsX128I64NEON(d, t, x, dr, tr, xr, n, c.step*c.elem, rows, cols)
	case keyX8 | keyTable:
		return gatherTableX8I32NEON(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX8 | keyI64 | keyTable:
		return gatherTableX8I64NEON(d, t, x, dr, tr, xr, n, rows, cols)
	}
	panic("lanes: no such body")
}

//go:noinline
func gatherRowsPiece(dst, src *byte, at int, offsets *int, n, shift, bytes, dstRow int, _ bool) {
	if spread(unsafe.Slice(offsets, n))<<shift > nearBytes {
		gatherRowsAheadNEON(dst, src, at, offsets, n, shift, bytes, dstRow)
	} else {
		gatherRowsNEON(dst, src, at, offsets, n, shift, bytes, dstRow)
	}
}

// nearBytes is how far apart rows may lie for the caches to have them, or to fetch them
// by themselves: those of the first level have 64 KiB, and prefetches take turns with loads.
const nearBytes = 64 << 10

// spread returns how far apart offsets are, by some of them.
func spread(offsets []int) int {
	low, high := offsets[0], offsets[0]
	for i := 0; i < len(offsets); i += 1 + len(offsets)/16 {
		low, high = min(low, offsets[i]), max(high, offsets[i])
	}
	return high - low
}

//go:noinline
func scatterPiece(width int, dst *byte, at int, offsets *int, updates *byte, n int) {
	switch width {
	case 1:
		scatterX8NEON(dst, at, offsets, updates, n)
	case 2:
		scatterX16NEON(dst, at, offsets, updates, n)
	case 4:
		scatterX32NEON(dst, at, offsets, updates, n)
	case 8:
		scatterX64NEON(dst, at, offsets, updates, n)
	case 16:
		scatterX128NEON(dst, at, offsets, updates, n)
	}
}

// gatherEachPiece, scatterEachPiece and combineEachPiece have no bodies here: they are done with nothing.
func gatherEachPiece(_, _ int, _, _, _ *byte, _, _ int) int { return 0 }

func scatterEachPiece(_, _ int, _, _, _ *byte, _, _ int) int { return 0 }

func combineEachPiece(arithmetic, int, *byte, *byte, *byte, int, int) int { return 0 }

// combinesCells reports whether combineCells has a body for columns of cells: for
// every number but halves.
func combinesCells(key arithmetic) bool { return key < kindF16 && opSum <= key&7 && key&7 <= opMax }

//go:noinline
func combineCells(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n int) bool {
	switch key {
	case kindF32 | opSum:
		scatterSumF32NEON(dst, at, offsets, updates, n)
	case kindF32 | opProd:
		scatterProdF32NEON(dst, at, offsets, updates, n)
	case kindF32 | opMin:
		scatterMinF32NEON(dst, at, offsets, updates, n)
	case kindF32 | opMax:
		scatterMaxF32NEON(dst, at, offsets, updates, n)
	case kindF64 | opSum:
		scatterSumF64NEON(dst, at, offsets, updates, n)
	case kindF64 | opProd:
		scatterProdF64NEON(dst, at, offsets, updates, n)
	case kindF64 | opMin:
		scatterMinF64NEON(dst, at, offsets, updates, n)
	case kindF64 | opMax:
		scatterMaxF64NEON(dst, at, offsets, updates, n)
	case kindI8 | opSum, kindU8 | opSum:
		scatterSumI8NEON(dst, at, offsets, updates, n)
	case kindI8 | opProd, kindU8 | opProd:
		scatterProdI8NEON(dst, at, offsets, updates, n)
	case kindI8 | opMin:
		scatterMinI8NEON(dst, at, offsets, updates, n)
	case kindI8 | opMax:
		scatterMaxI8NEON(dst, at, offsets, updates, n)
	case kindU8 | opMin:
		scatterMinU8NEON(dst, at, offsets, updates, n)
	case kindU8 | opMax:
		scatterMaxU8NEON(dst, at, offsets, updates, n)
	case kindI16 | opSum, kindU16 | opSum:
		scatterSumI16NEON(dst, at, offsets, updates, n)
	case kindI16 | opProd, kindU16 | opProd:
		scatterProdI16NEON(dst, at, offsets, updates, n)
	case kindI16 | opMin:
		scatterMinI16NEON(dst, at, offsets, updates, n)
	case kindI16 | opMax:
		scatterMaxI16NEON(dst, at, offsets, updates, n)
	case kindU16 | opMin:
		scatterMinU16NEON(dst, at, offsets, updates, n)
	case kindU16 | opMax:
		scatterMaxU16NEON(dst, at, offsets, updates, n)
	case kindI32 | opSum, kindU32 | opSum:
		scatterSumI32NEON(dst, at, offsets, updates, n)
	case kindI32 | opProd, kindU32 | opProd:
		scatterProdI32NEON(dst, at, offsets, updates, n)
	case kindI32 | opMin:
		scatterMinI32NEON(dst, at, offsets, updates, n)
	case kindI32 | opMax:
		scatterMaxI32NEON(dst, at, offsets, updates, n)
	case kindU32 | opMin:
		scatterMinU32NEON(dst, at, offsets, updates, n)
	case kindU32 | opMax:
		scatterMaxU32NEON(dst, at, offsets, updates, n)
	case kindI64 | opSum, kindU64 | opSum:
		scatterSumI64NEON(dst, at, offsets, updates, n)
	case kindI64 | opProd, kindU64 | opProd:
		scatterProdI64NEON(dst, at, offsets, updates, n)
	case kindI64 | opMin:
		scatterMinI64NEON(dst, at, offsets, updates, n)
	case kindI64 | opMax:
		scatterMaxI64NEON(dst, at, offsets, updates, n)
	case kindU64 | opMin:
		scatterMinU64NEON(dst, at, offsets, updates, n)
	case kindU64 | opMax:
		scatterMaxU64NEON(dst, at, offsets, updates, n)
	case kindF16 | opSum:
		scatterSumF16NEON(dst, at, offsets, updates, n)
	case kindF16 | opProd:
		scatterProdF16NEON(dst, at, offsets, updates, n)
	case kindF16 | opMin:
		scatterMinF16NEON(dst, at, offsets, updates, n)
	case kindF16 | opMax:
		scatterMaxF16NEON(dst, at, offsets, updates, n)
	case kindBF16 | opSum:
		scatterSumBF16NEON(dst, at, offsets, updates, n)
	case kindBF16 | opProd:
		scatterProdBF16NEON(dst, at, offsets, updates, n)
	case kindBF16 | opMin:
		scatterMinBF16NEON(dst, at, offsets, updates, n)
	case kindBF16 | opMax:
		scatterMaxBF16NEON(dst, at, offsets, updates, n)
	default:
		return false
	}
	return true
}

//go:noinline
func combineRows(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n, row, cols int) bool {
	switch key {
	case kindF32 | opSum:
		scatterSumRowsF32NEON(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opProd:
		scatterProdRowsF32NEON(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opMin:
		scatterMinRowsF32NEON(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opMax:
		scatterMaxRowsF32NEON(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opSum:
		scatterSumRowsF64NEON(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opProd:
		scatterProdRowsF64NEON(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opMin:
		scatterMinRowsF64NEON(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opMax:
		scatterMaxRowsF64NEON(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opSum, kindU8 | opSum:
		scatterSumRowsI8NEON(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opProd, kindU8 | opProd:
		scatterProdRowsI8NEON(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opMin:
		scatterMinRowsI8NEON(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opMax:
		scatterMaxRowsI8NEON(dst, at, offsets, updates, n, row, cols)
	case kindU8 | opMin:
		scatterMinRowsU8NEON(dst, at, offsets, updates, n, row, cols)
	case kindU8 | opMax:
		scatterMaxRowsU8NEON(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opSum, kindU16 | opSum:
		scatterSumRowsI16NEON(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opProd, kindU16 | opProd:
		scatterProdRowsI16NEON(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opMin:
		scatterMinRowsI16NEON(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opMax:
		scatterMaxRowsI16NEON(dst, at, offsets, updates, n, row, cols)
	case kindU16 | opMin:
		scatterMinRowsU16NEON(dst, at, offsets, updates, n, row, cols)
	case kindU16 | opMax:
		scatterMaxRowsU16NEON(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opSum, kindU32 | opSum:
		scatterSumRowsI32NEON(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opProd, kindU32 | opProd:
		scatterProdRowsI32NEON(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opMin:
		scatterMinRowsI32NEON(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opMax:
		scatterMaxRowsI32NEON(dst, at, offsets, updates, n, row, cols)
	case kindU32 | opMin:
		scatterMinRowsU32NEON(dst, at, offsets, updates, n, row, cols)
	case kindU32 | opMax:
		scatterMaxRowsU32NEON(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opSum, kindU64 | opSum:
		scatterSumRowsI64NEON(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opProd, kindU64 | opProd:
		scatterProdRowsI64NEON(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opMin:
		scatterMinRowsI64NEON(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opMax:
		scatterMaxRowsI64NEON(dst, at, offsets, updates, n, row, cols)
	case kindU64 | opMin:
		scatterMinRowsU64NEON(dst, at, offsets, updates, n, row, cols)
	case kindU64 | opMax:
		scatterMaxRowsU64NEON(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opSum:
		scatterSumRowsF16NEON(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opProd:
		scatterProdRowsF16NEON(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opMin:
		scatterMinRowsF16NEON(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opMax:
		scatterMaxRowsF16NEON(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opSum:
		scatterSumRowsBF16NEON(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opProd:
		scatterProdRowsBF16NEON(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opMin:
		scatterMinRowsBF16NEON(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opMax:
		scatterMaxRowsBF16NEON(dst, at, offsets, updates, n, row, cols)
	default:
		return false
	}
	return true
}

//go:noinline
func prefetchPiece(p *byte, bytes int) { prefetchNEON(p, bytes) }

//go:noinline
func copyRowsPiece(dst, src *byte, dstRow, srcRow, rows, bytes int, _ bool) {
	copyRowsNEON(dst, src, dstRow, srcRow, rows, bytes)
}

// A stride is a way to copy elements that lie a step apart, without a permutation.
type stride uint8

const (
	noStride stride = iota
	every           // second, third or fourth element
	reversed        // a step of -1
	threes          // rows of three that follow each other, each reversed
	spaced          // any step, one element at a time
)

// minStrided is from how many bytes on a stride is worth its call.
const minStrided = 64

// stride returns the way that suits the call. A vector's bytes are looked up where
// those it comes from are few enough, and where no way here is faster.
func (c *copyCall) stride() stride {
	bytes, step, dense := c.cols*c.width, max(c.step, -c.step), c.dstRow == c.cols
	switch {
	case c.width == 16 || c.rows*bytes < minStrided:
		return noStride
	case c.step == -1 && c.cols == 3 && c.width < 8 && dense && c.srcRow == 3:
		return threes
	case c.step == -1 && (bytes > 16 || bytes == 16 && !dense):
		return reversed
	case 2 <= c.step && c.step <= 4 && c.width < 8 && bytes > 16:
		return every
	case c.cols >= 8 && (step == 0 || step > 4 || step == 4 && c.width == 4 || step > 1 && c.width == 8):
		return spaced
	}
	return noStride
}

// strides reports whether there is a way for the call, and has made it.
func (c *copyCall) strides() bool {
	by := c.stride()
	if by == noStride {
		return false
	}
	for p := (copyPieces{rows: c.rows, bytes: c.cols * c.width, single: by == spaced}); p.next(c); {
		copyStridePiece(by, c.width, c.step, add(c.dst, p.dst), add(c.src, p.src), c.dstRow*c.width, c.srcRow*c.width, p.n, p.size)
	}
	return true
}

//go:noinline
func copyStridePiece(by stride, width, step int, d, s *byte, dr, sr, rows, bytes int) {
	switch {
	case by == every:
		copyEveryPiece(width, step, d, s, dr, sr, rows, bytes)
	case by == reversed && width == 1:
		copyReversedX8NEON(d, add(s, width-bytes), dr, sr, rows, bytes)
	case by == reversed && width == 2:
		copyReversedX16NEON(d, add(s, width-bytes), dr, sr, rows, bytes)
	case by == reversed && width == 4:
		copyReversedX32NEON(d, add(s, width-bytes), dr, sr, rows, bytes)
	case by == reversed:
		copyReversedX64NEON(d, add(s, width-bytes), dr, sr, rows, bytes)
	case by == threes && width == 1:
		copyThreesX8NEON(d, add(s, -2*width), rows)
	case by == threes && width == 2:
		copyThreesX16NEON(d, add(s, -2*width), rows)
	case by == threes:
		copyThreesX32NEON(d, add(s, -2*width), rows)
	case width == 1:
		copySpacedX8NEON(d, s, dr, sr, rows, bytes, step*width)
	case width == 2:
		copySpacedX16NEON(d, s, dr, sr, rows, bytes, step*width)
	case width == 4:
		copySpacedX32NEON(d, s, dr, sr, rows, bytes, step*width)
	default:
		copySpacedX64NEON(d, s, dr, sr, rows, bytes, step*width)
	}
}

func copyEveryPiece(width, step int, d, s *byte, dr, sr, rows, bytes int) {
	switch {
	case step == 2 && width == 1:
		copyEvery2X8NEON(d, s, dr, sr, rows, bytes)
	case step == 2 && width == 2:
		copyEvery2X16NEON(d, s, dr, sr, rows, bytes)
	case step == 2:
		copyEvery2X32NEON(d, s, dr, sr, rows, bytes)
	case step == 3 && width == 1:
		copyEvery3X8NEON(d, s, dr, sr, rows, bytes)
	case step == 3 && width == 2:
		copyEvery3X16NEON(d, s, dr, sr, rows, bytes)
	case step == 3:
		copyEvery3X32NEON(d, s, dr, sr, rows, bytes)
	case width == 1:
		copyEvery4X8NEON(d, s, dr, sr, rows, bytes)
	case width == 2:
		copyEvery4X16NEON(d, s, dr, sr, rows, bytes)
	default:
		copyEvery4X32NEON(d, s, dr, sr, rows, bytes)
	}
}

func (c *copyCall) permuter() permuter { return lookUpBytes }

//go:noinline
func copyStepsPiece(_ permuter, dst, src *byte, dstRow, srcRow, rows, bytes, step int, m *permutation, _, move, _ int, _ bool) {
	copyStepsX8NEON(dst, src, dstRow, srcRow, rows, bytes, step, (*byte)(unsafe.Pointer(m)), m.distinct(), move)
}

//go:noinline
func copyPeriodsPiece(_ permuter, dst, src *byte, steps int, entries *permutation, period, advance int, _ bool) {
	windows, all := 0, unsafe.Slice(entries, period)
	for i := range all {
		windows = max(windows, all[i].distinct())
	}
	if n := steps / 3; windows <= 2 && period&^2 == 1 && n > 0 {
		three, on := triple(all, advance)
		copyTriplesX8NEON(dst, src, n, (*byte)(unsafe.Pointer(&three)), on)
		dst, src, steps = add(dst, 48*n), add(src, n*on), steps%3
	}
	if steps > 0 {
		copyPeriodsX8NEON(dst, src, steps, (*byte)(unsafe.Pointer(entries)), windows, period, advance)
	}
}

// triple returns the entries of a period of three, which are those of one three times, and
// how far it advances.
func triple(entries []permutation, advance int) (three [3]permutation, on int) {
	if copy(three[:], entries) == 3 {
		return three, advance
	}
	for v := range three {
		three[v] = entries[0]
		for i := range three[v].windows {
			three[v].windows[i] += v * advance
		}
	}
	return three, 3 * advance
}
