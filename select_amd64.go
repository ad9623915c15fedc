//go:build !purego && !noasm

package lanes

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// Which body a primitive runs on amd64. A call that has no body here, or that
// reaches outside a slice, goes to package generic, where it panics as Go does.
//
// The switches are static: a call through a table of functions would make the
// callers' slices escape to the heap. Assembly can't be pre-empted, so that it
// works on pieces, and each piece is called by a function that is not inlined
// and has a frame: its prologue is where a goroutine stops.
const (
	pieceElements = 8 << 10   // moved one by one
	pieceBytes    = 256 << 10 // moved in rows
	blockOffsets  = 512       // resolved at a time, on the stack
)

// Calls shorter than these stay with package generic: what a body costs to
// reach is some 5 ns.
const (
	minIndices = 16
	minRow     = 4
)

func avx512() bool { return dispatch.Active() == dispatch.AVX512 }

// elem is the address of an element of a plane, as bodies take it.
func elem[T any](s []T, at int) *byte {
	var z T
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), at*int(unsafe.Sizeof(z))))
}

// inside reports whether at and all that lies up to (rows-1)*row, (cols-1)*col
// and (size-1)*step from it is in a slice of n elements. rows, cols and size are at least 1.
func inside(n, at, row, rows, col, cols, step, size int) bool {
	low, high := uint(at), uint(at)
	for _, d := range [...][2]int{{row, rows}, {col, cols}, {step, size}} {
		far, extent := bits.Mul(uint(max(d[0], -d[0])), uint(d[1]-1))
		if far != 0 || extent > uint(n) {
			return false
		}
		if d[0] < 0 {
			low -= extent
		} else {
			high += extent
		}
	}
	return at >= 0 && low <= uint(at) && high < uint(n)
}

func holds[T any](p *Plane[T], rows, cols int) bool {
	return inside(len(p.Data), p.At, p.Row, rows, p.Col, cols, 0, 1)
}

func selectCheck[I Index](indices []I, at, step, n, size int) int {
	var z I
	width := int(unsafe.Sizeof(z))
	if dispatch.Active() < dispatch.AVX2 || step != 1 || n < minIndices || size < 0 || width == 4 && size > math.MaxInt32 {
		return generic.Check(indices, at, step, n, size)
	}
	indices = indices[at : at+n : len(indices)]
	for j := 0; j < n; {
		whole := min(n-j, pieceElements) &^ 15
		if whole > 0 {
			if bad := checkPiece(elem(indices, j), width, whole, size); bad < 0 {
				j += whole
				continue
			} else {
				j += bad
			}
		}
		if bad := generic.Check(indices, j, 1, n-j, size); bad >= 0 {
			return j + bad
		}
		break
	}
	return -1
}

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

func selectResolve[I Index](offsets []int, indices []I, at, step, size, scale, col int) int {
	n := len(offsets)
	if dispatch.Active() < dispatch.AVX2 || step != 1 || n < minIndices || uint(size) > math.MaxUint32 || uint(scale) > math.MaxUint32 {
		return generic.Resolve(offsets, indices, at, step, size, scale, col)
	}
	var z I
	indices = indices[at : at+n : len(indices)]
	for j := 0; j < n; {
		whole := min(n-j, pieceElements) &^ 7
		if whole > 0 {
			bad := resolvePiece(&offsets[j], elem(indices, j), int(unsafe.Sizeof(z)), whole, size, scale, col, j*col)
			if bad < 0 {
				j += whole
				continue
			}
			j += bad
		}
		return resolveRest(offsets, indices, j, size, scale, col)
	}
	return -1
}

// resolveRest resolves from position j on.
func resolveRest[I Index](offsets []int, indices []I, j, size, scale, col int) int {
	rest := offsets[j:]
	bad := generic.Resolve(rest, indices, j, 1, size, scale, col)
	if base := j * col; base != 0 {
		for k := range rest {
			rest[k] += base
		}
	}
	if bad >= 0 {
		bad += j
	}
	return bad
}

//go:noinline
func resolvePiece(offsets *int, indices *byte, width, n, size, scale, col, start int) int {
	switch {
	case width == 4 && avx512():
		return resolveI32AVX512(offsets, indices, n, size, scale, col, start)
	case width == 4:
		return resolveI32AVX2(offsets, indices, n, size, scale, col, start)
	case avx512():
		return resolveI64AVX512(offsets, indices, n, size, scale, col, start)
	default:
		return resolveI64AVX2(offsets, indices, n, size, scale, col, start)
	}
}

func selectResolveTuples[I Index](offsets []int, tuples Plane[I], sizes, strides []int, col int) int {
	n, k := len(offsets), len(sizes)
	whole := n &^ 7
	if dispatch.Active() < dispatch.AVX2 || whole < minIndices || k == 0 || !has(dispatch.FastGather) || !holds(&tuples, n, k) || !short(sizes) || !short(strides[:k:len(strides)]) {
		return generic.ResolveTuples(offsets, tuples, sizes, strides, col)
	}
	var z I
	width := int(unsafe.Sizeof(z))
	done := 0
	for done < whole {
		piece := min(whole-done, pieceElements)
		bad := resolveTuplesPiece(&offsets[done], elem(tuples.Data, tuples.At+done*tuples.Row), width, tuples.Row*width, tuples.Col*width, piece,
			&sizes[0], &strides[0], k, col, done*col)
		if bad >= 0 {
			done += bad
			break
		}
		done += piece
	}
	rest := tuples
	rest.At += done * tuples.Row
	bad := generic.ResolveTuples(offsets[done:], rest, sizes, strides, col)
	if base := done * col; base != 0 {
		for i := range offsets[done:] {
			offsets[done+i] += base
		}
	}
	if bad >= 0 {
		bad += done
	}
	return bad
}

//go:noinline
func resolveTuplesPiece(offsets *int, tuples *byte, width, row, next, n int, sizes, strides *int, k, col, start int) int {
	switch {
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

// short reports whether all numbers are in [0, 2³²).
func short(s []int) bool {
	for _, n := range s {
		if uint(n) > math.MaxUint32 {
			return false
		}
	}
	return true
}

// offsetsInside reports whether every at+offset is in [0, limit).
func offsetsInside(offsets []int, at, limit int) bool {
	if limit <= 0 {
		return false
	}
	for len(offsets) >= 8 {
		whole := min(len(offsets), pieceElements) &^ 7
		if !checkOffsetsPiece(&offsets[0], whole, at, limit) {
			return false
		}
		offsets = offsets[whole:]
	}
	for _, o := range offsets {
		if uint(at+o) >= uint(limit) {
			return false
		}
	}
	return true
}

//go:noinline
func checkOffsetsPiece(offsets *int, n, at, limit int) bool {
	if avx512() {
		return checkOffsetsAVX512(offsets, n, at, limit)
	}
	return checkOffsetsAVX2(offsets, n, at, limit)
}

// A gatherCall is what the fused bodies of a gather take. Rows are in bytes.
type gatherCall struct {
	dst, table, indices          *byte
	dstRow, tableRow, indicesRow int
	size, step, rows, cols       int
	elem, index                  int // bytes
	form                         gatherForm
	stream                       bool
}

type gatherForm uint8

const (
	inRow     gatherForm = iota // a table a row
	inColumns                   // a table a column
	inTable                     // a table a row, small enough for registers
	resolved                    // offsets first, then elements one by one
)

// tableEntries is how many entries fit in registers, by the logarithm of their width.
var tableEntries = [...]int{256, 128, 128, 64, 0}

func selectGather[T Elem, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) int {
	var z T
	var x I
	e, i := int(unsafe.Sizeof(z)), int(unsafe.Sizeof(x))
	if dispatch.Active() < dispatch.AVX2 || rows <= 0 || cols < minRow || size <= 0 || size > math.MaxInt32 ||
		dst.Col != 1 || indices.Col != 1 ||
		!holds(&dst, rows, cols) || !holds(&indices, rows, cols) ||
		!inside(len(src.Data), src.At, src.Row, rows, src.Col, cols, step, size) {
		return genericGather(dst, src, size, step, indices, rows, cols)
	}
	c := gatherCall{
		dst: elem(dst.Data, dst.At), table: elem(src.Data, src.At), indices: elem(indices.Data, indices.At),
		dstRow: dst.Row * e, tableRow: src.Row * e, indicesRow: indices.Row * i,
		size: size, step: step, rows: rows, cols: cols, elem: e, index: i,
	}
	switch log := bits.TrailingZeros(uint(e)); {
	case src.Col == 0 && step == 1 && avx512() && size <= tableEntries[log] && cols >= 2*size && (e > 1 || has(dispatch.VBMI)):
		c.form = inTable
	case src.Col == 0 && step == 1 && (e == 4 || e == 8 || e < 4 && size >= 4/e) && has(dispatch.FastGather):
		c.form = inRow
	case src.Col == 1 && (e == 4 || e == 8) && has(dispatch.FastGather) && 0 <= step && step < 1<<31 && (i == 8 || (size-1)*step+cols <= math.MaxInt32):
		c.form = inColumns
	case uint(step) > math.MaxUint32:
		return genericGather(dst, src, size, step, indices, rows, cols)
	default:
		c.form = resolved
	}
	c.stream = dst.Stream && uintptr(unsafe.Pointer(c.dst))%uintptr(e) == 0
	bad := c.run(src.Col)
	if raceEnabled {
		touchGather(dst, src, size, step, indices, rows, cols)
	}
	if bad >= 0 { // met in that step or a later one of the row
		row, j := bad/cols, bad%cols
		bad += generic.Check(indices.Data, indices.At+row*indices.Row+j, 1, cols-j, size)
	}
	return bad
}

func genericGather[T Elem, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) int {
	var z T
	switch unsafe.Sizeof(z) {
	case 1:
		return generic.Gather(as[uint8](dst), as[uint8](src), size, step, indices, rows, cols)
	case 2:
		return generic.Gather(as[uint16](dst), as[uint16](src), size, step, indices, rows, cols)
	case 4:
		return generic.Gather(as[uint32](dst), as[uint32](src), size, step, indices, rows, cols)
	case 8:
		return generic.Gather(as[uint64](dst), as[uint64](src), size, step, indices, rows, cols)
	default:
		return generic.Gather(as[X128](dst), as[X128](src), size, step, indices, rows, cols)
	}
}

// run gathers piece by piece: some rows, or a part of one.
func (c *gatherCall) run(tableCol int) int {
	rows := max(1, pieceElements/c.cols)
	p := *c
	for i := 0; i < c.rows; i += rows {
		p.rows = min(rows, c.rows-i)
		p.dst = add(c.dst, i*c.dstRow)
		p.table = add(c.table, i*c.tableRow)
		p.indices = add(c.indices, i*c.indicesRow)
		for j := 0; j < c.cols; j += p.cols {
			p.cols = min(c.cols-j, pieceElements)
			bad := 0
			if c.form == resolved {
				bad = p.resolved(tableCol)
			} else {
				bad = p.piece()
			}
			if bad >= 0 {
				return i*c.cols + bad/p.cols*c.cols + j + bad%p.cols
			}
			if j+p.cols < c.cols { // of one row
				p.dst = add(p.dst, p.cols*c.elem)
				p.table = add(p.table, p.cols*tableCol*c.elem)
				p.indices = add(p.indices, p.cols*c.index)
			}
		}
	}
	return -1
}

func add(p *byte, n int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), n)) }

// resolved gathers what no fused body does.
//
//go:noinline
func (c *gatherCall) resolved(col int) int {
	var block [blockOffsets]int
	for i := range c.rows {
		for j := 0; j < c.cols; {
			d, x := add(c.dst, i*c.dstRow+j*c.elem), add(c.indices, i*c.indicesRow+j*c.index)
			n := min(c.cols-j, blockOffsets)
			bad := -1
			if c.index == 4 {
				bad = selectResolve(block[:n], unsafe.Slice((*int32)(unsafe.Pointer(x)), n), 0, 1, c.size, c.step, col)
			} else {
				bad = selectResolve(block[:n], unsafe.Slice((*int64)(unsafe.Pointer(x)), n), 0, 1, c.size, c.step, col)
			}
			if bad >= 0 {
				return i*c.cols + j + bad
			}
			gatherOffsetsPiece(c.elem, d, c.table, i*c.tableRow+j*col*c.elem, &block[0], n)
			j += n
		}
	}
	return -1
}

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

func selectGatherRows[T Elem](dst Plane[T], src []T, at, col int, offsets []int, cols int) {
	var z T
	width, n := int(unsafe.Sizeof(z)), len(offsets)
	rows := cols > 1 && col == 1 && dst.Col == 1 && cols*width <= pieceBytes
	if dispatch.Active() >= dispatch.AVX2 && n > 0 && (rows || cols == 1 && dst.Row == 1 && n >= minIndices) &&
		holds(&dst, n, cols) && offsetsInside(offsets, at, len(src)-cols+1) {
		if cols == 1 {
			gatherElements(width, elem(dst.Data, dst.At), elem(src, 0), at*width, offsets)
		} else {
			moveRows(elem(dst.Data, dst.At), elem(src, 0), at*width, offsets, width, cols*width, dst.Row*width, dst.Stream)
		}
		if raceEnabled {
			touchRows(dst, src, at, offsets, cols)
		}
		return
	}
	switch width {
	case 1:
		generic.GatherRows(as[uint8](dst), slice[uint8](src), at, col, offsets, cols)
	case 2:
		generic.GatherRows(as[uint16](dst), slice[uint16](src), at, col, offsets, cols)
	case 4:
		generic.GatherRows(as[uint32](dst), slice[uint32](src), at, col, offsets, cols)
	case 8:
		generic.GatherRows(as[uint64](dst), slice[uint64](src), at, col, offsets, cols)
	default:
		generic.GatherRows(as[X128](dst), slice[X128](src), at, col, offsets, cols)
	}
}

func gatherElements(width int, dst, src *byte, at int, offsets []int) {
	for {
		n := min(len(offsets), pieceElements)
		gatherOffsetsPiece(width, dst, src, at, &offsets[0], n)
		if offsets = offsets[n:]; len(offsets) == 0 {
			return
		}
		dst = add(dst, n*width)
	}
}

func moveRows(dst, src *byte, at int, offsets []int, width, bytes, dstRow int, stream bool) {
	shift := bits.TrailingZeros(uint(width))
	for {
		n := min(len(offsets), max(1, pieceBytes/bytes))
		gatherRowsPiece(dst, src, at, &offsets[0], n, shift, bytes, dstRow, stream)
		if offsets = offsets[n:]; len(offsets) == 0 {
			return
		}
		dst = add(dst, n*dstRow)
	}
}

//go:noinline
func gatherRowsPiece(dst, src *byte, at int, offsets *int, n, shift, bytes, dstRow int, stream bool) {
	if avx512() {
		gatherRowsAVX512(dst, src, at, offsets, n, shift, bytes, dstRow, stream)
	} else {
		gatherRowsAVX2(dst, src, at, offsets, n, shift, bytes, dstRow, stream)
	}
}
