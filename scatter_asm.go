//go:build amd64 && !purego && !noasm

package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

func selectScatter[T Elem](dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	var z T
	width, n := int(unsafe.Sizeof(z)), len(offsets)
	if vectors() && cols == 1 && updates.Row == 1 && n >= minIndices &&
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
	if !vectors() || n == 0 || cols < 1 || !holds(&updates, n, cols) {
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
			ok = combineRows(c.key, c.dst, c.at, &offsets[0], updates, n, c.row, c.cols)
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
