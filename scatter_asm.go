//go:build (amd64 || arm64) && !purego && !noasm

package lanes

import (
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

func selectScatter[T Elem](dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	var z T
	width, n := int(unsafe.Sizeof(z)), len(offsets)
	if vectors() && cols == 1 && updates.Row == 1 && n >= minIndices &&
		holds(&updates, n, 1) && apart(dst, offsets) && offsetsInside(offsets, at, len(dst)) {
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
	if op > Max || !combine(kindOf[T]()|arithmetic(op), dst, at, col, offsets, updates, cols) {
		generic.ScatterReduce(op, dst, at, col, offsets, updates, cols)
	}
}

func selectScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	kind := kindF16
	if h == Brain16 {
		kind = kindBF16
	}
	if op > Max || !combine(kind|arithmetic(op), dst, at, col, offsets, updates, cols) {
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
	if !apart(dst, offsets) || !offsetsInside(offsets, at, len(dst)-cols+1) {
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
			n = min(n, pieceRows(c.cols*c.width))
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

func selectScatterIndexed[T Elem, I Index](dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	if !tablesInside(&dst, size, step, &indices, &updates, rows, cols) {
		return genericScatterIndexed(dst, size, step, indices, updates, rows, cols)
	}
	return scatterTables(0, &dst, size, step, &indices, &updates, rows, cols)
}

func selectScatterReduceIndexed[T Number, I Index](op Op, dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	key := kindOf[T]() | arithmetic(op)
	if op > Max || !combinesCells(key) || !tablesInside(&dst, size, step, &indices, &updates, rows, cols) {
		return generic.ScatterReduceIndexed(op, dst, size, step, indices, updates, rows, cols)
	}
	return scatterTables(key, &dst, size, step, &indices, &updates, rows, cols)
}

// tablesInside reports whether there are bodies for planes like these, and all
// that the call reaches lies in its slices.
func tablesInside[T Elem, I Index](dst *Plane[T], size, step int, indices *Plane[I], updates *Plane[T], rows, cols int) bool {
	return vectors() && rows > 0 && cols >= minIndices && 0 < size && size <= math.MaxInt32 && uint(step) <= math.MaxUint32 &&
		indices.Col == 1 && updates.Col == 1 && holds(indices, rows, cols) && holds(updates, rows, cols) &&
		inside(len(dst.Data), dst.At, dst.Row, rows, dst.Col, cols, step, size)
}

// rowsAhead is how many rows are prefetched ahead when they are short, and far
// from each other.
const rowsAhead = 4

// Tables that a row of indices has for itself are prefetched while the row
// before is worked on: its indices name their cache lines in no order that the processor
// could foresee. They are of more than a few lines, and fit into half a first-level cache.
const leastAhead, mostAhead = 512, 24 << 10

// mostDirect is how large a table may be whose cells are not prefetched, in bytes.
const mostDirect = 256 << 10

// scatterTables resolves a part of a row at a time and combines it, or without
// a key sets it.
//
//go:noinline
func scatterTables[T Elem, I Index](key arithmetic, dst *Plane[T], size, step int, indices *Plane[I], updates *Plane[T], rows, cols int) int {
	var z T
	var x I
	var block [blockOffsets]int
	width, index := int(unsafe.Sizeof(z)), int(unsafe.Sizeof(x))
	cells := elem(dst.Data, 0)
	short, soon := cols < blockOffsets, soonBytes
	if short {
		soon = rowsAhead * indices.Row * index
	}
	direct := dst.Col == 0 && step == 1 && size*width <= mostDirect && !raceEnabled
	own := dst.Col == 0 && step == 1 && dst.Row != 0 && size <= 4*cols && leastAhead <= size*width && size*width <= mostAhead
	var even [evenLanes]int
	for l := range even {
		even[l] = l * dst.Col
	}
	for i := range rows {
		for j := 0; j < cols; {
			n := min(cols-j, blockOffsets)
			if own && i+1 < rows {
				lo, hi := size*j/cols, size*(j+n)/cols // size is small
				prefetchPiece(elem(dst.Data, dst.At+(i+1)*dst.Row+lo), (hi-lo)*width)
			}
			at := indices.At + i*indices.Row + j
			if direct { // the next block is resolved if it begins with a negative index
				done, to, by, from := 0, elem(dst.Data, dst.At+i*dst.Row), elem(indices.Data, at), elem(updates.Data, updates.At+i*updates.Row+j)
				if key == 0 {
					done = scatterEachPiece(width, index, to, by, from, size, n)
				} else {
					done = combineEachPiece(key, index, to, by, from, size, n)
				}
				if done > 0 {
					j += done
					continue
				}
			}
			bad := -1
			whole := n &^ 7
			if whole > 0 {
				bad = resolvePiece(&block[0], elem(indices.Data, at), index, whole, size, step, &even[0], 0, dst.Col, soon)
			}
			if bad < 0 && whole < n {
				if bad = generic.Resolve(block[whole:n], indices.Data, at+whole, 1, size, step, dst.Col); bad < 0 {
					for k := range block[whole:n] {
						block[whole+k] += whole * dst.Col
					}
				} else {
					bad += whole
				}
			}
			if bad >= 0 {
				return i*cols + j + bad + generic.Check(indices.Data, at+bad, 1, n-bad, size)
			}
			from := updates.At + i*updates.Row + j
			if next := i + rowsAhead; short && next < rows {
				prefetchPiece(elem(updates.Data, from+rowsAhead*updates.Row), n*width)
			}
			to := dst.At + i*dst.Row + j*dst.Col
			if key == 0 {
				scatterPiece(width, cells, to*width, &block[0], elem(updates.Data, from), n)
			} else {
				combineCells(key, cells, to*width, &block[0], elem(updates.Data, from), n)
			}
			if raceEnabled {
				touchIndices(indices.Data, at, n)
				touchScatter(dst.Data, to, block[:n], Plane[T]{Data: updates.Data, At: from, Row: 1}, 1, key != 0)
			}
			j += n
		}
	}
	return -1
}
