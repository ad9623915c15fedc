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

// gathersTuples reports whether the components of tuples are to be gathered.
func gathersTuples() bool { return true }

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
func resolvePiece(offsets *int, indices *byte, width, n, size, scale, col, start, _ int) int {
	switch {
	case width == 8:
		return resolveI64NEON(offsets, indices, n, size, scale, col, start)
	case size <= math.MaxInt32:
		return resolveI32NEON(offsets, indices, n, size, scale, col, start)
	default:
		return 0 // no step was made, and package generic goes on
	}
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
	gatherRowsNEON(dst, src, at, offsets, n, shift, bytes, dstRow)
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

// combinesCells reports whether combineCells has a body: for numbers of 4 and
// 8 bytes, with each operation.
func combinesCells(key arithmetic) bool {
	return kindI32 <= key && key < kindF16 && opSum <= key&7 && key&7 <= opMax
}

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

func (c *copyCall) permuter() permuter { return lookUpBytes }

//go:noinline
func copyStepsPiece(_ permuter, dst, src *byte, dstRow, srcRow, rows, bytes, step int, m *permutation, _, move, _ int, _ bool) {
	copyStepsX8NEON(dst, src, dstRow, srcRow, rows, bytes, step, (*byte)(unsafe.Pointer(m)), m.distinct(), move)
}

//go:noinline
func copyPeriodsPiece(_ permuter, dst, src *byte, steps int, entries *permutation, period, advance int, _ bool) {
	windows := 0
	for i := range period {
		windows = max(windows, unsafe.Slice(entries, period)[i].distinct())
	}
	copyPeriodsX8NEON(dst, src, steps, (*byte)(unsafe.Pointer(entries)), windows, period, advance)
}

// distinct returns how many windows there are, but for repetitions of the last.
func (m *permutation) distinct() int {
	n := 1
	for n < len(m.windows) && m.windows[n] != m.windows[n-1] {
		n++
	}
	return n
}
