//go:build !purego && !noasm

package lanes

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// Which body runs a piece on amd64. The switches are static: a call through a
// table of functions would make the callers' slices escape to the heap. None of these
// functions is inlined, and each has a frame: its prologue is where a goroutine
// that has been asked to stop does so.

// vectors reports whether this process runs the bodies at all.
func vectors() bool { return dispatch.Active() >= dispatch.AVX2 }

// choose returns the form of a gather. col is how far the table moves with an element.
func (c *gatherCall) choose(col int) gatherForm {
	log := bits.TrailingZeros(uint(c.elem))
	inTables := col == 0 && c.step == 1
	switch {
	case inTables && avx512() && c.size <= tableEntries[log] && c.cols >= 2*c.size && (c.elem > 1 || has(dispatch.VBMI)):
		return inTable
	case inTables && (c.elem == 4 || c.elem == 8 || c.elem < 4 && c.size >= 4/c.elem) && has(dispatch.FastGather):
		return inRow
	case inTables && c.elem <= 8:
		return oneByOne
	case col == 1 && (c.elem == 4 || c.elem == 8) && has(dispatch.FastGather) && 0 <= c.step && c.step < 1<<31 &&
		(c.elem == 8 && c.index == 8 || (c.size-1)*c.step+c.cols <= math.MaxInt32):
		return inColumns
	}
	return resolved
}

func avx512() bool { return dispatch.Active() == dispatch.AVX512 }

//go:noinline
func checkPiece(indices *byte, width, n, size int) int {
	switch {
	case width == 4 && avx512():
		return checkI32AVX512(indices, n, size)
	case width == 4:
		return checkI32AVX2(indices, n, size)
	case avx512():
		return checkI64AVX512(indices, n, size)
	default:
		return checkI64AVX2(indices, n, size)
	}
}

//go:noinline
func resolvePiece(offsets *int, indices *byte, width, n, size, scale int, pattern *int, move, col, soon int) int {
	switch {
	case width == 4 && avx512():
		return resolveI32AVX512(offsets, indices, n, size, scale, pattern, move, col, soon)
	case width == 4:
		return resolveI32AVX2(offsets, indices, n, size, scale, pattern, move, col, soon)
	case avx512():
		return resolveI64AVX512(offsets, indices, n, size, scale, pattern, move, col, soon)
	default:
		return resolveI64AVX2(offsets, indices, n, size, scale, pattern, move, col, soon)
	}
}

//go:noinline
func resolveOwnedPiece(offsets *int, own, indices, updates *byte, width, index, n, size, scale, low, high int) (kept, bad int) {
	switch {
	case width == 4 && index == 4:
		return resolveOwnedX32I32AVX512(offsets, own, indices, updates, n, size, scale, low, high)
	case width == 4:
		return resolveOwnedX32I64AVX512(offsets, own, indices, updates, n, size, scale, low, high)
	case index == 4:
		return resolveOwnedX64I32AVX512(offsets, own, indices, updates, n, size, scale, low, high)
	default:
		return resolveOwnedX64I64AVX512(offsets, own, indices, updates, n, size, scale, low, high)
	}
}

//go:noinline
func resolveTuplesPiece(offsets *int, tuples *byte, width, row, next, n int, sizes, strides *int, k, col, start int) int {
	switch {
	case width == 4 && !has(dispatch.FastGather):
		return resolveTuplesEachI32AVX2(offsets, tuples, row, next, n, sizes, strides, k, col, start)
	case !has(dispatch.FastGather):
		return resolveTuplesEachI64AVX2(offsets, tuples, row, next, n, sizes, strides, k, col, start)
	case width == 4 && avx512():
		return resolveTuplesI32AVX512(offsets, tuples, row, next, n, sizes, strides, k, col, start)
	case width == 4:
		return resolveTuplesI32AVX2(offsets, tuples, row, next, n, sizes, strides, k, col, start)
	case avx512():
		return resolveTuplesI64AVX512(offsets, tuples, row, next, n, sizes, strides, k, col, start)
	default:
		return resolveTuplesI64AVX2(offsets, tuples, row, next, n, sizes, strides, k, col, start)
	}
}

//go:noinline
func checkOffsetsPiece(offsets *int, n, at, limit int) bool {
	if avx512() {
		return checkOffsetsAVX512(offsets, n, at, limit)
	}
	return checkOffsetsAVX2(offsets, n, at, limit)
}

// tableEntries is how many entries fit in registers, by the logarithm of their width.
var tableEntries = [...]int{256, 128, 128, 64, 0}

//go:noinline
func gatherOffsetsPiece(width int, dst, src *byte, at int, offsets *int, n int) {
	switch width {
	case 1:
		gatherOffsetsX8AVX2(dst, src, at, offsets, n)
	case 2:
		gatherOffsetsX16AVX2(dst, src, at, offsets, n)
	case 4:
		gatherOffsetsX32AVX2(dst, src, at, offsets, n)
	case 8:
		gatherOffsetsX64AVX2(dst, src, at, offsets, n)
	case 16:
		gatherOffsetsX128AVX2(dst, src, at, offsets, n)
	}
}

// gatherEachPiece gathers from a table until it meets an index that is not below size, and
// returns how many elements it is done with.
//
//go:noinline
func gatherEachPiece(width, index int, dst, table, indices *byte, size, n int) int {
	switch width<<4 | index {
	case 1<<4 | 4:
		return gatherEachX8I32AVX2(dst, table, indices, size, n)
	case 1<<4 | 8:
		return gatherEachX8I64AVX2(dst, table, indices, size, n)
	case 2<<4 | 4:
		return gatherEachX16I32AVX2(dst, table, indices, size, n)
	case 2<<4 | 8:
		return gatherEachX16I64AVX2(dst, table, indices, size, n)
	case 4<<4 | 4:
		return gatherEachX32I32AVX2(dst, table, indices, size, n)
	case 4<<4 | 8:
		return gatherEachX32I64AVX2(dst, table, indices, size, n)
	case 8<<4 | 4:
		return gatherEachX64I32AVX2(dst, table, indices, size, n)
	case 8<<4 | 8:
		return gatherEachX64I64AVX2(dst, table, indices, size, n)
	}
	return 0
}

// The keys of the switch below: a form, the widths of an element and an index,
// and the level.
const (
	keyAVX512 = 1 << iota
	keyI64
	keyColumns
	keyTable
	keyX8  = 0 << 4
	keyX16 = 1 << 4
	keyX32 = 2 << 4
	keyX64 = 3 << 4
)

//go:noinline
func (c *gatherCall) piece() int {
	key := bits.TrailingZeros(uint(c.elem)) << 4
	if c.index == 8 {
		key |= keyI64
	}
	switch c.form {
	case inColumns:
		key |= keyColumns
	case inTable:
		key |= keyTable
	}
	if avx512() {
		key |= keyAVX512
	}
	d, t, x, dr, tr, xr, n, rows, cols := c.dst, c.table, c.indices, c.dstRow, c.tableRow, c.indicesRow, c.size, c.rows, c.cols
	switch key {
	case keyX8:
		return gatherX8I32AVX2(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX8 | keyAVX512:
		return gatherX8I32AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX8 | keyI64:
		return gatherX8I64AVX2(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX8 | keyI64 | keyAVX512:
		return gatherX8I64AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16:
		return gatherX16I32AVX2(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16 | keyAVX512:
		return gatherX16I32AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16 | keyI64:
		return gatherX16I64AVX2(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16 | keyI64 | keyAVX512:
		return gatherX16I64AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX32:
		return gatherX32I32AVX2(d, t, x, dr, tr, xr, n, rows, cols, c.stream)
	case keyX32 | keyAVX512:
		return gatherX32I32AVX512(d, t, x, dr, tr, xr, n, rows, cols, c.stream)
	case keyX32 | keyI64:
		return gatherX32I64AVX2(d, t, x, dr, tr, xr, n, rows, cols, c.stream)
	case keyX32 | keyI64 | keyAVX512:
		return gatherX32I64AVX512(d, t, x, dr, tr, xr, n, rows, cols, c.stream)
	case keyX64:
		return gatherX64I32AVX2(d, t, x, dr, tr, xr, n, rows, cols, c.stream)
	case keyX64 | keyAVX512:
		return gatherX64I32AVX512(d, t, x, dr, tr, xr, n, rows, cols, c.stream)
	case keyX64 | keyI64:
		return gatherX64I64AVX2(d, t, x, dr, tr, xr, n, rows, cols, c.stream)
	case keyX64 | keyI64 | keyAVX512:
		return gatherX64I64AVX512(d, t, x, dr, tr, xr, n, rows, cols, c.stream)

	case keyX32 | keyColumns:
		return gatherColumnsX32I32AVX2(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)
	case keyX32 | keyColumns | keyAVX512:
		return gatherColumnsX32I32AVX512(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)
	case keyX32 | keyColumns | keyI64:
		return gatherColumnsX32I64AVX2(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)
	case keyX32 | keyColumns | keyI64 | keyAVX512:
		return gatherColumnsX32I64AVX512(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)
	case keyX64 | keyColumns:
		return gatherColumnsX64I32AVX2(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)
	case keyX64 | keyColumns | keyAVX512:
		return gatherColumnsX64I32AVX512(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)
	case keyX64 | keyColumns | keyI64:
		return gatherColumnsX64I64AVX2(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)
	case keyX64 | keyColumns | keyI64 | keyAVX512:
		return gatherColumnsX64I64AVX512(d, t, x, dr, tr, xr, n, c.step, rows, cols, c.stream)

	case keyX8 | keyTable | keyAVX512:
		return gatherTableX8I32AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX8 | keyTable | keyI64 | keyAVX512:
		return gatherTableX8I64AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16 | keyTable | keyAVX512:
		return gatherTableX16I32AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX16 | keyTable | keyI64 | keyAVX512:
		return gatherTableX16I64AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX32 | keyTable | keyAVX512:
		return gatherTableX32I32AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX32 | keyTable | keyI64 | keyAVX512:
		return gatherTableX32I64AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX64 | keyTable | keyAVX512:
		return gatherTableX64I32AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	case keyX64 | keyTable | keyI64 | keyAVX512:
		return gatherTableX64I64AVX512(d, t, x, dr, tr, xr, n, rows, cols)
	}
	panic("lanes: no such body")
}

//go:noinline
func gatherRowsPiece(dst, src *byte, at int, offsets *int, n, shift, bytes, dstRow int, stream bool) {
	if avx512() {
		gatherRowsAVX512(dst, src, at, offsets, n, shift, bytes, dstRow, stream)
	} else {
		gatherRowsAVX2(dst, src, at, offsets, n, shift, bytes, dstRow, stream)
	}
}

//go:noinline
func scatterPiece(width int, dst *byte, at int, offsets *int, updates *byte, n int) {
	switch width {
	case 1:
		scatterX8AVX2(dst, at, offsets, updates, n)
	case 2:
		scatterX16AVX2(dst, at, offsets, updates, n)
	case 4:
		scatterX32AVX2(dst, at, offsets, updates, n)
	case 8:
		scatterX64AVX2(dst, at, offsets, updates, n)
	case 16:
		scatterX128AVX2(dst, at, offsets, updates, n)
	}
}

// scatterEachPiece sets elements of a table until it meets an index that is not below size,
// and returns how many updates it is done with: none if there is no body.
//
//go:noinline
func scatterEachPiece(width, index int, dst, indices, updates *byte, size, n int) int {
	switch width<<4 | index {
	case 1<<4 | 4:
		return scatterEachX8I32AVX2(dst, indices, updates, size, n)
	case 1<<4 | 8:
		return scatterEachX8I64AVX2(dst, indices, updates, size, n)
	case 2<<4 | 4:
		return scatterEachX16I32AVX2(dst, indices, updates, size, n)
	case 2<<4 | 8:
		return scatterEachX16I64AVX2(dst, indices, updates, size, n)
	case 4<<4 | 4:
		return scatterEachX32I32AVX2(dst, indices, updates, size, n)
	case 4<<4 | 8:
		return scatterEachX32I64AVX2(dst, indices, updates, size, n)
	case 8<<4 | 4:
		return scatterEachX64I32AVX2(dst, indices, updates, size, n)
	case 8<<4 | 8:
		return scatterEachX64I64AVX2(dst, indices, updates, size, n)
	}
	return 0
}

// combinesCells reports whether combineCells has a body for columns of cells: for
// every number but halves.
func combinesCells(key arithmetic) bool { return key < kindF16 && opSum <= key&7 && key&7 <= opMax }

// combineEachPiece is scatterEachPiece with updates combined.
//
//go:noinline
func combineEachPiece(key arithmetic, index int, dst, indices, updates *byte, size, n int) int {
	switch key {
	case kindF32 | opSum:
		if index == 4 {
			return scatterSumEachF32I32AVX2(dst, indices, updates, size, n)
		}
		return scatterSumEachF32I64AVX2(dst, indices, updates, size, n)
	case kindF32 | opMin:
		if index == 4 {
			return scatterMinEachF32I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMinEachF32I64AVX2(dst, indices, updates, size, n)
	case kindF32 | opMax:
		if index == 4 {
			return scatterMaxEachF32I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMaxEachF32I64AVX2(dst, indices, updates, size, n)
	case kindF64 | opSum:
		if index == 4 {
			return scatterSumEachF64I32AVX2(dst, indices, updates, size, n)
		}
		return scatterSumEachF64I64AVX2(dst, indices, updates, size, n)
	case kindF64 | opMin:
		if index == 4 {
			return scatterMinEachF64I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMinEachF64I64AVX2(dst, indices, updates, size, n)
	case kindF64 | opMax:
		if index == 4 {
			return scatterMaxEachF64I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMaxEachF64I64AVX2(dst, indices, updates, size, n)
	case kindI32 | opSum, kindU32 | opSum:
		if index == 4 {
			return scatterSumEachI32I32AVX2(dst, indices, updates, size, n)
		}
		return scatterSumEachI32I64AVX2(dst, indices, updates, size, n)
	case kindI32 | opMin:
		if index == 4 {
			return scatterMinEachI32I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMinEachI32I64AVX2(dst, indices, updates, size, n)
	case kindI32 | opMax:
		if index == 4 {
			return scatterMaxEachI32I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMaxEachI32I64AVX2(dst, indices, updates, size, n)
	case kindI64 | opSum, kindU64 | opSum:
		if index == 4 {
			return scatterSumEachI64I32AVX2(dst, indices, updates, size, n)
		}
		return scatterSumEachI64I64AVX2(dst, indices, updates, size, n)
	case kindI64 | opMin:
		if index == 4 {
			return scatterMinEachI64I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMinEachI64I64AVX2(dst, indices, updates, size, n)
	case kindI64 | opMax:
		if index == 4 {
			return scatterMaxEachI64I32AVX2(dst, indices, updates, size, n)
		}
		return scatterMaxEachI64I64AVX2(dst, indices, updates, size, n)
	}
	return 0
}

//go:noinline
func combineCells(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n int) bool {
	switch key {
	case kindF32 | opSum:
		scatterSumF32AVX2(dst, at, offsets, updates, n)
	case kindF32 | opProd:
		scatterProdF32AVX2(dst, at, offsets, updates, n)
	case kindF32 | opMin:
		scatterMinF32AVX2(dst, at, offsets, updates, n)
	case kindF32 | opMax:
		scatterMaxF32AVX2(dst, at, offsets, updates, n)
	case kindF64 | opSum:
		scatterSumF64AVX2(dst, at, offsets, updates, n)
	case kindF64 | opProd:
		scatterProdF64AVX2(dst, at, offsets, updates, n)
	case kindF64 | opMin:
		scatterMinF64AVX2(dst, at, offsets, updates, n)
	case kindF64 | opMax:
		scatterMaxF64AVX2(dst, at, offsets, updates, n)
	case kindI8 | opSum, kindU8 | opSum:
		scatterSumI8AVX2(dst, at, offsets, updates, n)
	case kindI8 | opProd, kindU8 | opProd:
		scatterProdI8AVX2(dst, at, offsets, updates, n)
	case kindI8 | opMin:
		scatterMinI8AVX2(dst, at, offsets, updates, n)
	case kindI8 | opMax:
		scatterMaxI8AVX2(dst, at, offsets, updates, n)
	case kindU8 | opMin:
		scatterMinU8AVX2(dst, at, offsets, updates, n)
	case kindU8 | opMax:
		scatterMaxU8AVX2(dst, at, offsets, updates, n)
	case kindI16 | opSum, kindU16 | opSum:
		scatterSumI16AVX2(dst, at, offsets, updates, n)
	case kindI16 | opProd, kindU16 | opProd:
		scatterProdI16AVX2(dst, at, offsets, updates, n)
	case kindI16 | opMin:
		scatterMinI16AVX2(dst, at, offsets, updates, n)
	case kindI16 | opMax:
		scatterMaxI16AVX2(dst, at, offsets, updates, n)
	case kindU16 | opMin:
		scatterMinU16AVX2(dst, at, offsets, updates, n)
	case kindU16 | opMax:
		scatterMaxU16AVX2(dst, at, offsets, updates, n)
	case kindI32 | opSum, kindU32 | opSum:
		scatterSumI32AVX2(dst, at, offsets, updates, n)
	case kindI32 | opProd, kindU32 | opProd:
		scatterProdI32AVX2(dst, at, offsets, updates, n)
	case kindI32 | opMin:
		scatterMinI32AVX2(dst, at, offsets, updates, n)
	case kindI32 | opMax:
		scatterMaxI32AVX2(dst, at, offsets, updates, n)
	case kindU32 | opMin:
		scatterMinU32AVX2(dst, at, offsets, updates, n)
	case kindU32 | opMax:
		scatterMaxU32AVX2(dst, at, offsets, updates, n)
	case kindI64 | opSum, kindU64 | opSum:
		scatterSumI64AVX2(dst, at, offsets, updates, n)
	case kindI64 | opProd, kindU64 | opProd:
		scatterProdI64AVX2(dst, at, offsets, updates, n)
	case kindI64 | opMin:
		scatterMinI64AVX2(dst, at, offsets, updates, n)
	case kindI64 | opMax:
		scatterMaxI64AVX2(dst, at, offsets, updates, n)
	case kindU64 | opMin:
		scatterMinU64AVX2(dst, at, offsets, updates, n)
	case kindU64 | opMax:
		scatterMaxU64AVX2(dst, at, offsets, updates, n)
	case kindF16 | opSum:
		scatterSumF16AVX2(dst, at, offsets, updates, n)
	case kindF16 | opMin:
		scatterMinF16AVX2(dst, at, offsets, updates, n)
	case kindF16 | opMax:
		scatterMaxF16AVX2(dst, at, offsets, updates, n)
	case kindBF16 | opSum:
		scatterSumBF16AVX2(dst, at, offsets, updates, n)
	case kindBF16 | opMin:
		scatterMinBF16AVX2(dst, at, offsets, updates, n)
	case kindBF16 | opMax:
		scatterMaxBF16AVX2(dst, at, offsets, updates, n)
	default:
		return false
	}
	return true
}

//go:noinline
func countPiece(counts *byte, at int, offsets *int, n, by int) {
	countX32AVX2(counts, at, offsets, n, by)
}

//go:noinline
func dividePiece(width int, dst, sums *byte, n, count int) {
	if width == 4 {
		divideF32AVX2(dst, sums, n, count)
	} else {
		divideF64AVX2(dst, sums, n, count)
	}
}

//go:noinline
func divideCountedPiece(width int, dst, sums, counts *byte, n, init int) {
	if width == 4 {
		divideCountedF32AVX2(dst, sums, counts, n, init)
	} else {
		divideCountedF64AVX2(dst, sums, counts, n, init)
	}
}

//go:noinline
func combineRows(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n, row, cols int) bool {
	if avx512() {
		return combineRowsAVX512(key, dst, at, offsets, updates, n, row, cols)
	}
	return combineRowsAVX2(key, dst, at, offsets, updates, n, row, cols)
}

func combineRowsAVX2(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n, row, cols int) bool {
	switch key {
	case kindF32 | opSum:
		scatterSumRowsF32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opProd:
		scatterProdRowsF32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opMin:
		scatterMinRowsF32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opMax:
		scatterMaxRowsF32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opSum:
		scatterSumRowsF64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opProd:
		scatterProdRowsF64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opMin:
		scatterMinRowsF64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opMax:
		scatterMaxRowsF64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opSum, kindU8 | opSum:
		scatterSumRowsI8AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opMin:
		scatterMinRowsI8AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opMax:
		scatterMaxRowsI8AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU8 | opMin:
		scatterMinRowsU8AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU8 | opMax:
		scatterMaxRowsU8AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opSum, kindU16 | opSum:
		scatterSumRowsI16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opMin:
		scatterMinRowsI16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opMax:
		scatterMaxRowsI16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU16 | opMin:
		scatterMinRowsU16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU16 | opMax:
		scatterMaxRowsU16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opSum, kindU32 | opSum:
		scatterSumRowsI32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opProd, kindU32 | opProd:
		scatterProdRowsI32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opMin:
		scatterMinRowsI32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opMax:
		scatterMaxRowsI32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU32 | opMin:
		scatterMinRowsU32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU32 | opMax:
		scatterMaxRowsU32AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opSum, kindU64 | opSum:
		scatterSumRowsI64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opProd, kindU64 | opProd:
		scatterProdRowsI64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opMin:
		scatterMinRowsI64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opMax:
		scatterMaxRowsI64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU64 | opMin:
		scatterMinRowsU64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindU64 | opMax:
		scatterMaxRowsU64AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opSum:
		scatterSumRowsF16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opMin:
		scatterMinRowsF16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opMax:
		scatterMaxRowsF16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opSum:
		scatterSumRowsBF16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opMin:
		scatterMinRowsBF16AVX2(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opMax:
		scatterMaxRowsBF16AVX2(dst, at, offsets, updates, n, row, cols)
	default:
		return false
	}
	return true
}

func combineRowsAVX512(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n, row, cols int) bool {
	switch key {
	case kindF32 | opSum:
		scatterSumRowsF32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opProd:
		scatterProdRowsF32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opMin:
		scatterMinRowsF32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF32 | opMax:
		scatterMaxRowsF32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opSum:
		scatterSumRowsF64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opProd:
		scatterProdRowsF64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opMin:
		scatterMinRowsF64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF64 | opMax:
		scatterMaxRowsF64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opSum, kindU8 | opSum:
		scatterSumRowsI8AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opMin:
		scatterMinRowsI8AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI8 | opMax:
		scatterMaxRowsI8AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU8 | opMin:
		scatterMinRowsU8AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU8 | opMax:
		scatterMaxRowsU8AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opSum, kindU16 | opSum:
		scatterSumRowsI16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opMin:
		scatterMinRowsI16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI16 | opMax:
		scatterMaxRowsI16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU16 | opMin:
		scatterMinRowsU16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU16 | opMax:
		scatterMaxRowsU16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opSum, kindU32 | opSum:
		scatterSumRowsI32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opProd, kindU32 | opProd:
		scatterProdRowsI32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opMin:
		scatterMinRowsI32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI32 | opMax:
		scatterMaxRowsI32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU32 | opMin:
		scatterMinRowsU32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU32 | opMax:
		scatterMaxRowsU32AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opSum, kindU64 | opSum:
		scatterSumRowsI64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opProd, kindU64 | opProd:
		scatterProdRowsI64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opMin:
		scatterMinRowsI64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindI64 | opMax:
		scatterMaxRowsI64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU64 | opMin:
		scatterMinRowsU64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindU64 | opMax:
		scatterMaxRowsU64AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opSum:
		scatterSumRowsF16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opMin:
		scatterMinRowsF16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindF16 | opMax:
		scatterMaxRowsF16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opSum:
		scatterSumRowsBF16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opMin:
		scatterMinRowsBF16AVX512(dst, at, offsets, updates, n, row, cols)
	case kindBF16 | opMax:
		scatterMaxRowsBF16AVX512(dst, at, offsets, updates, n, row, cols)
	default:
		return false
	}
	return true
}

//go:noinline
func prefetchPiece(p *byte, bytes int) { prefetchAVX2(p, bytes) }

//go:noinline
func copyRowsPiece(dst, src *byte, dstRow, srcRow, rows, bytes int, stream bool) {
	soon := 0
	if rows > 1 && bytes <= maxRun { // where nothing is fetched by itself
		soon = rowsAhead * srcRow
	}
	if avx512() {
		copyRowsAVX512(dst, src, dstRow, srcRow, rows, bytes, soon, stream)
	} else {
		copyRowsAVX2(dst, src, dstRow, srcRow, rows, bytes, soon, stream)
	}
}

// strides reports whether a body has copied rows in steps without a permutation: there is none.
func (c *copyCall) strides() bool { return false }

func (c *copyCall) permuter() permuter {
	switch {
	case avx512() && c.width >= 4:
		return permuteDwords
	case avx512() && has(dispatch.VBMI):
		return permuteBytes
	default:
		return shuffleBytes
	}
}

//go:noinline
func copyStepsPiece(by permuter, dst, src *byte, dstRow, srcRow, rows, bytes, step int, m *permutation, made, move, soon int, stream bool) {
	entry := (*byte)(unsafe.Pointer(m))
	switch by {
	case shuffleBytes:
		copyStepsX8AVX2(dst, src, dstRow, srcRow, rows, bytes, step, entry, made, move, soon, stream)
	case permuteBytes:
		copyStepsX8AVX512(dst, src, dstRow, srcRow, rows, bytes, step, entry, made, move, soon, stream)
	case permuteDwords:
		copyStepsX32AVX512(dst, src, dstRow, srcRow, rows, bytes, step, entry, made, move, soon, stream)
	}
}

//go:noinline
func copyPeriodsPiece(by permuter, dst, src *byte, steps int, entries *permutation, period, advance int, stream bool) {
	e := (*byte)(unsafe.Pointer(entries))
	switch by {
	case shuffleBytes:
		copyPeriodsX8AVX2(dst, src, steps, e, period, advance, stream)
	case permuteBytes:
		copyPeriodsX8AVX512(dst, src, steps, e, period, advance, stream)
	case permuteDwords:
		copyPeriodsX32AVX512(dst, src, steps, e, period, advance, stream)
	}
}
