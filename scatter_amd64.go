//go:build !purego && !noasm

package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

func selectScatter[T Elem](dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	var z T
	width, n := int(unsafe.Sizeof(z)), len(offsets)
	if dispatch.Active() >= dispatch.AVX2 && cols == 1 && updates.Row == 1 && n >= minIndices &&
		holds(&updates, n, 1) && offsetsInside(offsets, at, len(dst)) {
		scatterElements(width, elem(dst, 0), at*width, offsets, elem(updates.Data, updates.At))
		if raceEnabled {
			touchScatter(dst, at, offsets, updates, cols, false)
		}
		return
	}
	switch width {
	case 1:
		generic.Scatter(slice[uint8](dst), at, col, offsets, as[uint8](updates), cols)
	case 2:
		generic.Scatter(slice[uint16](dst), at, col, offsets, as[uint16](updates), cols)
	case 4:
		generic.Scatter(slice[uint32](dst), at, col, offsets, as[uint32](updates), cols)
	case 8:
		generic.Scatter(slice[uint64](dst), at, col, offsets, as[uint64](updates), cols)
	default:
		generic.Scatter(slice[X128](dst), at, col, offsets, as[X128](updates), cols)
	}
}

// scatterElements sets dst[offsets[j]] to update j, piece by piece.
func scatterElements(width int, dst *byte, at int, offsets []int, updates *byte) {
	for len(offsets) > 0 {
		n := min(len(offsets), pieceElements)
		scatterPiece(width, dst, at, &offsets[0], updates, n)
		if offsets = offsets[n:]; len(offsets) > 0 {
			updates = add(updates, n*width)
		}
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

// arithmetic is a type and an operation: the keys of the switches below.
type arithmetic uint16

const (
	kindI8 arithmetic = iota << 3
	kindU8
	kindI16
	kindU16
	kindI32
	kindU32
	kindI64
	kindU64
	kindF32
	kindF64
	kindF16
	kindBF16

	opSum  = arithmetic(Sum)
	opProd = arithmetic(Prod)
	opMin  = arithmetic(Min)
	opMax  = arithmetic(Max)
)

// kindOf tells types apart by what they compute, so that named ones work too.
func kindOf[T Number]() arithmetic {
	var z T
	one := T(1)
	switch width := unsafe.Sizeof(z); {
	case one/2 != 0 && width == 4:
		return kindF32
	case one/2 != 0:
		return kindF64
	default:
		k := [...]arithmetic{1: kindI8, 2: kindI16, 4: kindI32, 8: kindI64}[width]
		if z-1 > 0 {
			k += kindU8
		}
		return k
	}
}

func selectScatterReduce[T Number](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	if !combine(kindOf[T]()|arithmetic(op), dst, at, col, offsets, updates, cols) {
		generic.ScatterReduce(op, dst, at, col, offsets, updates, cols)
	}
}

func selectScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	kind := kindF16
	if h == Brain16 {
		kind = kindBF16
	}
	if !combine(kind|arithmetic(op), dst, at, col, offsets, updates, cols) {
		generic.ScatterReduceHalf(op, h, dst, at, col, offsets, updates, cols)
	}
}

// combine reports whether there is a body for this call, and has run it.
func combine[T Number](key arithmetic, dst []T, at, col int, offsets []int, updates Plane[T], cols int) bool {
	var z T
	width, n := int(unsafe.Sizeof(z)), len(offsets)
	if dispatch.Active() < dispatch.AVX2 || n == 0 || cols < 1 || !holds(&updates, n, cols) {
		return false
	}
	c := combineCall{key: key, width: width, offsets: offsets, cols: cols, row: updates.Row * width}
	switch {
	case cols == 1 && updates.Row == 1 && n >= minIndices:
	case cols > 1 && col == 1 && updates.Col == 1 && cols*width >= minRowBytes && cols*width <= pieceBytes:
	default:
		return false
	}
	if !offsetsInside(offsets, at, len(dst)-cols+1) {
		return false
	}
	c.dst, c.at, c.updates = elem(dst, 0), at*width, elem(updates.Data, updates.At)
	done := c.run()
	if raceEnabled && done {
		touchScatter(dst, at, offsets, updates, cols, true)
	}
	return done
}

// minRowBytes is from where rows are combined by vectors.
const minRowBytes = 16

// A combineCall is what the bodies that combine take. row is in bytes.
type combineCall struct {
	key          arithmetic
	dst, updates *byte
	at           int // of the cells, in bytes
	offsets      []int
	width        int
	row, cols    int
}

// run combines piece by piece.
func (c combineCall) run() bool {
	offsets, updates := c.offsets, c.updates // assignments through c would make them escape
	for len(offsets) > 0 {
		var ok bool
		n := len(offsets)
		switch {
		case c.cols > 1:
			n = min(n, max(1, pieceBytes/(c.cols*c.width)))
			if avx512() {
				ok = combineRows512(c.key, c.dst, c.at, &offsets[0], updates, n, c.row, c.cols)
			} else {
				ok = combineRows(c.key, c.dst, c.at, &offsets[0], updates, n, c.row, c.cols)
			}
		default:
			n = min(n, pieceElements)
			ok = combineCells(c.key, c.dst, c.at, &offsets[0], updates, n)
		}
		if !ok { // at once, or never
			return false
		}
		if offsets = offsets[n:]; len(offsets) > 0 {
			updates = add(updates, n*c.row)
		}
	}
	return true
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
func combineRows(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n, row, cols int) bool {
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

//go:noinline
func combineRows512(key arithmetic, dst *byte, at int, offsets *int, updates *byte, n, row, cols int) bool {
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
