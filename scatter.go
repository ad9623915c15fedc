package lanes

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// Scatter sets, in ascending order of i < len(offsets) and then of j < cols,
//
//	dst[at + offsets[i] + j*col] = updates(i, j)
//
// so that the last update to a cell wins.
func Scatter[T Elem](dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	ScatterRaw(memoryOf(moved[T](), dst), at, col, offsets, windowOf(moved[T](), &updates), cols)
}

// ScatterRaw is Scatter for elements of dst's width.
func ScatterRaw(dst Memory, at, col int, offsets []int, updates Window, cols int) {
	scatter(dst, at, col, offsets, &updates, cols)
}

func scatter(dst Memory, at, col int, offsets []int, updates *Window, cols int) {
	on := active()
	width, n := dst.Kind.Width(), len(offsets)
	updates.Kind.needWidth(width)
	if on.bodies() && cols == 1 && updates.Row == 1 && n >= minIndices &&
		updates.holds(n, 1) && dst.apart(offsets) && offsetsInside(on, offsets, at, dst.Len) &&
		scatterElements(on, width, dst.elem(0), at*width, offsets, updates.elem(updates.At)) {
		if raceEnabled {
			touchScatter(&dst, at, offsets, updates, cols, false)
		}
		return
	}
	rows := col == 1 && updates.Col == 1
	if rows && longRows(on, updates, &dst, at, offsets, cols, true) {
		return
	}
	if on.bodies() && n > 0 && rows && cols > 1 &&
		updates.holds(n, cols) && dst.apart(offsets) && offsetsInside(on, offsets, at, dst.Len-cols+1) &&
		scatterWhole(on, dst.elem(0), at*width, offsets, updates.elem(updates.At), bits.TrailingZeros(uint(width)), cols*width, updates.Row*width) {
		if raceEnabled {
			touchScatter(&dst, at, offsets, updates, cols, false)
		}
		return
	}
	switch width {
	case 1:
		generic.Scatter(typed[uint8](&dst), at, col, offsets, planeOf[uint8](updates), cols)
	case 2:
		generic.Scatter(typed[uint16](&dst), at, col, offsets, planeOf[uint16](updates), cols)
	case 4:
		generic.Scatter(typed[uint32](&dst), at, col, offsets, planeOf[uint32](updates), cols)
	case 8:
		generic.Scatter(typed[uint64](&dst), at, col, offsets, planeOf[uint64](updates), cols)
	case 16:
		generic.Scatter(typed[X128](&dst), at, col, offsets, planeOf[X128](updates), cols)
	default:
		panic(noKind)
	}
}

// scatterWhole copies whole rows piece by piece, and reports whether there is a body. (Zen 4, ns a
// row, element by element and whole, into 64 MB: of 7 bytes 19 and 14; of 21 bytes 51 and 13; of 60
// bytes 46 and 16.)
func scatterWhole(on isa, dst *byte, at int, offsets []int, updates *byte, shift, bytes, updatesRow int) bool {
	ahead := fetchRows(bytes)
	for done := 0; done < len(offsets); {
		n := min(len(offsets)-done, pieceRows(bytes))
		if !scatterRowsPiece(on, dst, at, &offsets[done], add(updates, done*updatesRow), n, shift, bytes, updatesRow, ahead) {
			return false
		}
		done += n
	}
	return true
}

// copyRow copies a row of up to pieceBytes. A goroutine can be stopped in its prologue, but not
// within copy.
//
//go:noinline
func copyRow(dst, src *byte, bytes int) { copy(unsafe.Slice(dst, bytes), unsafe.Slice(src, bytes)) }

// scatterElements sets dst[at+offsets[j]] to update j piece by piece, and reports whether there is
// a body.
func scatterElements(on isa, width int, dst *byte, at int, offsets []int, updates *byte) bool {
	for done := 0; done < len(offsets); {
		n := min(len(offsets)-done, pieceElements)
		if !scatterPiece(on, width, dst, at, &offsets[done], add(updates, done*width), n) {
			return false
		}
		done += n
	}
	return true
}

// ScatterReduce combines, in ascending order of i < len(offsets) and then of
// j < cols, updates(i, j) into the cell dst[at + offsets[i] + j*col], with one
// rounding a step for floats and wrapping for integers. op is Sum, Prod, Min, Max, Sub or
// Xor; the result of any other op is not specified.
func ScatterReduce[T Number](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	ScatterReduceRaw(op, memoryOf(numberKind[T](), dst), at, col, offsets, windowOf(numberKind[T](), &updates), cols)
}

// ScatterReduceHalf is ScatterReduce for 16-bit floating-point numbers in the
// format h. Each step is the float32 operation, rounded to nearest even; Min
// and Max compare the values and keep the bits.
func ScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	ScatterReduceRaw(op, memoryOf(halfKind(h), dst), at, col, offsets, windowOf(halfKind(h), &updates), cols)
}

// ScatterReduceComplex is ScatterReduce for complex numbers; op is Sum, Sub or
// Prod. A product rounds each of its four products before it adds them, never
// fused; complex64 is computed in float64 and rounded once a component.
func ScatterReduceComplex[T complex64 | complex128](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	ScatterReduceRaw(op, memoryOf(complexKind[T](), dst), at, col, offsets, windowOf(complexKind[T](), &updates), cols)
}

// ScatterReduceRaw is ScatterReduce, ScatterReduceHalf or ScatterReduceComplex,
// by the Kind of dst, which is one of numbers. Of KindBool, whose bytes are 0 and
// 1, Sum and Max are OR, Prod and Min AND, and Sub and Xor XOR.
func ScatterReduceRaw(op Op, dst Memory, at, col int, offsets []int, updates Window, cols int) {
	scatterReduce(op, dst, at, col, offsets, &updates, cols)
}

func scatterReduce(op Op, dst Memory, at, col int, offsets []int, updates *Window, cols int) {
	updates.Kind.needWidth(dst.Kind.Width())
	if dst.Kind == KindBool {
		op, dst.Kind = boolOps[op], KindU8
	}
	if Sum <= op && op <= Max && (dst.Kind < KindC64 || dst.Kind == KindC64 && op == Sum) && combine(op, &dst, at, col, offsets, updates, cols) {
		return
	}
	reduceGeneric(op, &dst, at, col, offsets, updates, cols)
}

func reduceGeneric(op Op, dst *Memory, at, col int, offsets []int, updates *Window, cols int) {
	switch dst.Kind {
	case KindI8:
		generic.ScatterReduce(op, typed[int8](dst), at, col, offsets, planeOf[int8](updates), cols)
	case KindU8:
		generic.ScatterReduce(op, typed[uint8](dst), at, col, offsets, planeOf[uint8](updates), cols)
	case KindI16:
		generic.ScatterReduce(op, typed[int16](dst), at, col, offsets, planeOf[int16](updates), cols)
	case KindU16:
		generic.ScatterReduce(op, typed[uint16](dst), at, col, offsets, planeOf[uint16](updates), cols)
	case KindI32:
		generic.ScatterReduce(op, typed[int32](dst), at, col, offsets, planeOf[int32](updates), cols)
	case KindU32:
		generic.ScatterReduce(op, typed[uint32](dst), at, col, offsets, planeOf[uint32](updates), cols)
	case KindI64:
		generic.ScatterReduce(op, typed[int64](dst), at, col, offsets, planeOf[int64](updates), cols)
	case KindU64:
		generic.ScatterReduce(op, typed[uint64](dst), at, col, offsets, planeOf[uint64](updates), cols)
	case KindF32:
		generic.ScatterReduce(op, typed[float32](dst), at, col, offsets, planeOf[float32](updates), cols)
	case KindF64:
		generic.ScatterReduce(op, typed[float64](dst), at, col, offsets, planeOf[float64](updates), cols)
	case KindC64:
		generic.ScatterReduceComplex(op, typed[complex64](dst), at, col, offsets, planeOf[complex64](updates), cols)
	case KindC128:
		generic.ScatterReduceComplex(op, typed[complex128](dst), at, col, offsets, planeOf[complex128](updates), cols)
	default:
		h, ok := dst.Kind.Half()
		if !ok {
			panic(noKind)
		}
		generic.ScatterReduceHalf(op, h, typed[uint16](dst), at, col, offsets, planeOf[uint16](updates), cols)
	}
}

// boolOps is an operation on truths as one on the bytes 0 and 1.
var boolOps = [...]Op{Sum: Max, Prod: Min, Min: Min, Max: Max, Sub: Xor, Xor: Xor}

// combine runs the call if there is a body, and reports whether there is.
func combine(op Op, dst *Memory, at, col int, offsets []int, updates *Window, cols int) bool {
	on := active()
	width, n := dst.Kind.Width(), len(offsets)
	if !on.bodies() || n == 0 || cols < 1 || !updates.holds(n, cols) {
		return false
	}
	piece := pieceElements
	switch {
	case cols == 1 && updates.Row == 1 && n >= minIndices:
	case cols > 1 && col == 1 && updates.Col == 1 && dispatch.CombinesRows(cols, width):
		piece = pieceRows(cols * width)
	default:
		return false
	}
	if !dst.apart(offsets) || !offsetsInside(on, offsets, at, dst.Len-cols+1) {
		return false
	}
	if most := pieceBytes / width; cols > most {
		return combineLong(op, dst, at, col, offsets, updates, cols, most)
	}
	if cols > 1 {
		on = rowLevel(on, dst.Kind, cols, offsets)
	}
	cells, from, row, by := dst.elem(0), updates.elem(updates.At), updates.Row*width, uint8(op)
	switch {
	case op == Min && dst.Kind.unsigned():
		by = unsignedMin
	case op == Max && dst.Kind.unsigned():
		by = unsignedMax
	}
	ahead := combineDistance(cols*width, n)
	for done := 0; done < n; done += piece {
		ok, o, u, n := false, &offsets[done], add(from, done*row), min(n-done, piece)
		if cols == 1 {
			ok = combinePiece(on, op, dst.Kind, cells, at*width, o, u, n)
		} else {
			ok = combineRowsPiece(on, op, dst.Kind, cells, at*width, o, u, n, row, cols, ahead, by)
		}
		if !ok { // false at the first piece or never
			return false
		}
	}
	if raceEnabled {
		touchScatter(dst, at, offsets, updates, cols, true)
	}
	return true
}

// combineDistance is fetchRows for rows that are combined: of short ones more are on the way.
// (BenchmarkReadFirst. Zen 4, sums of float32 into 192 MiB, ns a row with 8, 16, 24 and 32 rows, of 16
// bytes 13.9 10.7 10.9 10.5, of 64 14.4 11.4 11.5 11.7, of 128 20.0 18.5 18.1 18.5. Of 256 and 512 bytes
// 16 rows are 0.9 times as fast as 8.)
func combineDistance(bytes, rows int) int {
	return min(max(8, min(2<<10/bytes, rows/4)), 32, 8<<10/bytes)
}

// rowLevel returns the level of the body that combines rows of so many columns into cells at these
// offsets. AVX-512 stores the rest of a row, less than a vector, by a mask. Such a store waits for
// the cache line, and a load from there waits for the store. AVX2 stores the rest in parts, each
// whole, which do not wait but take time by themselves, those of less than 4 bytes most.
// (BenchmarkRows. Zen 4, ns a row, AVX2 and AVX-512, float64: of 32 bytes into 256 KB 2.5 and 2.6,
// into 8 MB 5.2 and 9.7, into 64 MB 13 and 24; of 96 3.9 3.7, 6.7 6.6, 13 17; of 200 7.3 7.1, 11
// 12, 21 23. BenchmarkShortRows. Into 4, 14 and 64 MB, float32 of 8 bytes 3.1 4.1, 4.5 8.7, 6.2 11;
// of 12 4.8 4.2, 5.9 7.0, 8.9 14; int16 of 12 bytes 6.6 4.1, 7.1 7.1, 9.5 14, of 14 9.1 4.1, 9.9
// 9.2, 13 12; float16 of 8 bytes 3.1 4.2, 4.1 5.6, 6.9 6.7, of 18 4.5 3.8, 6.2 5.9, 7.9 8.2. With
// sorted indices, each row 11 times, float32: of 16 bytes 2.9 and 8.5, of 28 5.7 and 8.8, of 32 2.9
// and 8.2, of 200 6.7 and 9.9; float16, of 24 bytes 4.9 and 11.)
func rowLevel(on isa, kind Kind, cols int, offsets []int) isa {
	width, vector, short := kind.Width(), line, 128
	if _, half := kind.Half(); half { // widened to twice the bytes
		vector, short = line/2, 18
	}
	bytes := cols * width
	if on.level < dispatch.AVX512 || bytes%vector == 0 {
		return on
	}
	parts := bits.OnesCount(uint(bytes % (vector / 2))) // stores of AVX2 for what is less than its vector
	if bytes < 256 && parts <= 3 && recur(offsets) || bytes < short && parts <= partsApart(width, offsets) {
		on.level = dispatch.AVX2
	}
	return on
}

// partsApart is the most parts of a row that take less time than to wait for its cache line, for
// rows at these offsets.
func partsApart(width int, offsets []int) int {
	switch table := spread(offsets) * width; {
	case table <= dispatch.Near.Second:
		return -1
	case table <= dispatch.Near.Last:
		return 1
	case width < 4:
		return 2
	}
	return 3
}

// recur reports whether many offsets are those of one or two positions before, judged by a sample.
func recur(offsets []int) bool {
	same, asked := 0, 0
	for i := 2; i < len(offsets); i += 1 + len(offsets)/16 {
		if o := offsets[i]; o == offsets[i-1] || o == offsets[i-2] {
			same++
		}
		asked++
	}
	return 4*same > asked
}

// combineLong is combine for rows of more columns than a piece may have: up to most columns at a
// time, of all rows, or of one row after the other where rows may overlap in part and updates would
// come in another order. (Zen 4, call 7202.47 of bench, a mean of three rows of 5.7 MB of float16:
// 16 ms, with rows combined one by one in Go 98, both before halves were divided in vectors.)
func combineLong(op Op, dst *Memory, at, col int, offsets []int, updates *Window, cols, most int) bool {
	if !apartOrEqual(offsets, cols) {
		row := *updates
		for i := range offsets {
			if !combineLong(op, dst, at, col, offsets[i:i+1], &row, cols, most) {
				return false // at the first row or never
			}
			row.At += row.Row
		}
		return true
	}
	part := *updates
	for parts := (cols-1)/most + 1; parts > 0; parts-- {
		n := cols / parts // of the columns left
		if !combine(op, dst, at, col, offsets, &part, n) {
			return false // at the first part or never
		}
		at, part.At, cols = at+n, part.At+n, cols-n
	}
	return true
}

// apartOrEqual reports whether any two rows of so many columns are the same or apart, by the
// greatest common divisor of their distances.
func apartOrEqual(offsets []int, cols int) bool {
	step := 0
	for _, o := range offsets {
		for d := max(o-offsets[0], offsets[0]-o); d != 0; step, d = d, step%d {
		}
	}
	return step == 0 || step >= cols
}

// ScatterIndexed sets, in ascending order of i < rows and then of j < cols,
//
//	dst.Data[dst.At + i*dst.Row + j*dst.Col + k*step] = updates(i, j)
//
// where k = indices(i, j), with size added when it is negative: Gather the
// other way round. An index outside [-size, size-1] ends the loop: ScatterIndexed
// returns i*cols+j of the first one, and -1 when there is none. rows*cols has to fit an
// int. The updates before it have been applied then, and no others.
func ScatterIndexed[T Elem, I Index](dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	return ScatterIndexedRaw(windowOf(moved[T](), &dst), size, step, windowOf(numberKind[I](), &indices), windowOf(moved[T](), &updates), rows, cols)
}

// ScatterIndexedRaw is ScatterIndexed for elements of dst's width; indices are KindI32 or KindI64.
func ScatterIndexedRaw(dst Window, size, step int, indices, updates Window, rows, cols int) int {
	return scatterIndexed(&dst, size, step, &indices, &updates, rows, cols)
}

func scatterIndexed(dst *Window, size, step int, indices, updates *Window, rows, cols int) int {
	updates.Kind.needWidth(dst.Kind.Width())
	indices.Kind.needIndices()
	var t tables // set field by field: a literal would be built elsewhere and copied
	t.on, t.dst, t.indices, t.updates = active(), dst, indices, updates
	t.size, t.step, t.rows, t.cols = size, step, rows, cols
	if t.inside() {
		if bad, ok := t.scatter(); ok {
			return bad
		}
	}
	switch dst.Kind.Width() {
	case 1:
		return indexedGeneric[uint8](&t)
	case 2:
		return indexedGeneric[uint16](&t)
	case 4:
		return indexedGeneric[uint32](&t)
	case 8:
		return indexedGeneric[uint64](&t)
	case 16:
		return indexedGeneric[X128](&t)
	default:
		panic(noKind)
	}
}

func indexedGeneric[T Elem](t *tables) int {
	if t.indices.Kind == KindI32 {
		return generic.ScatterIndexed(planeOf[T](t.dst), t.size, t.step, planeOf[int32](t.indices), planeOf[T](t.updates), t.rows, t.cols)
	}
	return generic.ScatterIndexed(planeOf[T](t.dst), t.size, t.step, planeOf[int64](t.indices), planeOf[T](t.updates), t.rows, t.cols)
}

// ScatterReduceIndexed is ScatterIndexed with updates combined into the cells.
func ScatterReduceIndexed[T Number, I Index](op Op, dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	return ScatterReduceIndexedRaw(op, windowOf(numberKind[T](), &dst), size, step, windowOf(numberKind[I](), &indices), windowOf(numberKind[T](), &updates), rows, cols)
}

// ScatterReduceIndexedRaw is ScatterReduceIndexed for KindI8 to KindBF16, and KindBool
// as ScatterReduceRaw has it; indices are KindI32 or KindI64.
func ScatterReduceIndexedRaw(op Op, dst Window, size, step int, indices, updates Window, rows, cols int) int {
	return scatterReduceIndexed(op, &dst, size, step, &indices, &updates, rows, cols)
}

func scatterReduceIndexed(op Op, dst *Window, size, step int, indices, updates *Window, rows, cols int) int {
	updates.Kind.needWidth(dst.Kind.Width())
	indices.Kind.needIndices()
	if dst.Kind == KindBool {
		bytes := *dst
		op, bytes.Kind, dst = boolOps[op], KindU8, &bytes
	}
	var t tables
	t.on, t.op, t.dst, t.indices, t.updates = active(), op, dst, indices, updates
	t.size, t.step, t.rows, t.cols = size, step, rows, cols
	if Sum <= op && op <= Max && dst.Kind < KindC64 && t.inside() {
		if bad, ok := t.scatter(); ok {
			return bad
		}
	}
	switch dst.Kind {
	case KindI8:
		return reduceIndexedGeneric[int8](&t)
	case KindU8:
		return reduceIndexedGeneric[uint8](&t)
	case KindI16:
		return reduceIndexedGeneric[int16](&t)
	case KindU16:
		return reduceIndexedGeneric[uint16](&t)
	case KindI32:
		return reduceIndexedGeneric[int32](&t)
	case KindU32:
		return reduceIndexedGeneric[uint32](&t)
	case KindI64:
		return reduceIndexedGeneric[int64](&t)
	case KindU64:
		return reduceIndexedGeneric[uint64](&t)
	case KindF32:
		return reduceIndexedGeneric[float32](&t)
	case KindF64:
		return reduceIndexedGeneric[float64](&t)
	}
	h, ok := dst.Kind.Half()
	switch {
	case !ok:
		panic(noKind)
	case t.indices.Kind == KindI32:
		return generic.ScatterReduceIndexedHalf(op, h, planeOf[uint16](dst), size, step, planeOf[int32](indices), planeOf[uint16](updates), rows, cols)
	}
	return generic.ScatterReduceIndexedHalf(op, h, planeOf[uint16](dst), size, step, planeOf[int64](indices), planeOf[uint16](updates), rows, cols)
}

func reduceIndexedGeneric[T Number](t *tables) int {
	if t.indices.Kind == KindI32 {
		return generic.ScatterReduceIndexed(t.op, planeOf[T](t.dst), t.size, t.step, planeOf[int32](t.indices), planeOf[T](t.updates), t.rows, t.cols)
	}
	return generic.ScatterReduceIndexed(t.op, planeOf[T](t.dst), t.size, t.step, planeOf[int64](t.indices), planeOf[T](t.updates), t.rows, t.cols)
}

// tables has the arguments of a ScatterIndexed or, with an operation, of a ScatterReduceIndexed.
type tables struct {
	on                    isa
	op                    Op
	dst, indices, updates *Window
	size, step            int
	rows, cols            int
}

// inside reports whether such windows may have bodies, and all that the call reaches lies in its
// memory.
func (t *tables) inside() bool {
	return t.rows > 0 && t.cols >= minRow && 0 < t.size && t.size <= math.MaxInt32 && uint(t.step) <= math.MaxUint32 &&
		t.indices.Col == 1 && t.updates.Col == 1 && t.indices.holds(t.rows, t.cols) && t.updates.holds(t.rows, t.cols) &&
		inside(t.dst.Len, t.dst.At, t.dst.Row, t.rows, t.dst.Col, t.cols, t.step, t.size)
}

// rowDistance is the prefetch distance, in rows, where they are short and far from each other.
const rowDistance = 4

// scatter sets or combines cells, and reports whether there is a way to: in runs, or by bodies that
// take indices as they are, or offsets.
func (t *tables) scatter() (bad int, ok bool) {
	if bad, ok = t.runs(); ok || !t.on.bodies() {
		return bad, ok
	}
	if bad, ok = t.direct(); ok {
		return bad, true
	}
	return t.resolved()
}

// resolved sets or combines cells by offsets: those of several short rows that
// follow each other at a time, along the pattern of their columns, or of a part of a row.
func (t *tables) resolved() (bad int, ok bool) {
	rows := min(blockOffsets/t.cols, t.rows)
	if rows < 2 || t.rows*t.cols < dispatch.Near.Grouped || t.indices.Row != t.cols || t.updates.Row != t.cols {
		return t.blocks(1, nil)
	}
	var along [blockOffsets]int
	p := pattern{t.cols, t.dst.Row, t.dst.Col}
	p.fill(along[:rows*t.cols], 0, 1)
	return t.blocks(rows, along[:])
}

// blocks is resolved for groups of rows. A group of several has a pattern.
//
//go:noinline
func (t *tables) blocks(group int, pattern []int) (bad int, ok bool) {
	var block [blockOffsets]int
	on, dst, indices, updates, rows, cols := t.on, t.dst, t.indices, t.updates, t.rows, t.cols
	width, index := dst.Kind.Width(), indices.Kind.Width()
	short, distance := cols < blockOffsets, indexDistance
	if short && group == 1 {
		distance = rowDistance * indices.Row * index
	}
	fetch := t.fetches() && (group == 1 || t.size <= dst.Row && dst.Row <= 2*t.size) // no gaps
	for i := 0; i < rows; i += group {
		end := min(group, rows-i) * cols
		for j := 0; j < end; {
			n := min(end-j, blockOffsets)
			if next := i + group; fetch && next < rows {
				lo, hi := t.size*j/cols, t.size*(j+n)/cols // size is small
				if group > 1 {
					lo, hi = 0, min((min(group, rows-next)-1)*dst.Row+t.size, pieceBytes/width)
				}
				prefetchPiece(on, dst.elem(dst.At+next*dst.Row+lo), (hi-lo)*width)
			}
			at, from, to := indices.At+i*indices.Row+j, updates.At+i*updates.Row+j, dst.At+i*dst.Row
			if group == 1 {
				to += j * dst.Col
				bad = resolveRun(on, index, block[:n], indices.elem(at), t.size, t.step, nil, dst.Col, distance)
			} else {
				bad = resolveRun(on, index, block[:n], indices.elem(at), t.size, t.step, pattern[j:j+n], 0, distance)
			}
			if bad == 0 {
				return i*cols + j, true
			}
			if bad > 0 { // those before it are applied
				n = bad
			}
			if next := i + rowDistance; short && next < rows {
				prefetchPiece(on, updates.elem(from+rowDistance*updates.Row), n*width)
			}
			if t.op != generic.Replace {
				ok = combinePiece(on, t.op, dst.Kind, dst.elem(0), to*width, &block[0], updates.elem(from), n)
			} else {
				ok = scatterPiece(on, width, dst.elem(0), to*width, &block[0], updates.elem(from), n)
			}
			if !ok { // false at the first piece or never
				return 0, false
			}
			if raceEnabled {
				touchMemory(&indices.Memory, at, n)
				touchScatter(&dst.Memory, to, block[:n], &Window{Memory: updates.Memory, At: from, Row: 1}, 1, t.op != generic.Replace)
			}
			if j += n; bad > 0 {
				return i*cols + j, true
			}
		}
	}
	return -1, true
}

// fetches reports whether tables are prefetched. Fewer are than by a gather, because many lie in a
// cache since data was copied to them. (With twice as many, call 510002.246 of bench takes 1.16
// times as long on Zen 4.)
func (t *tables) fetches() bool {
	width := t.dst.Kind.Width()
	return t.dst.Col == 0 && t.step == 1 && t.dst.Row != 0 && fetches(t.size, width, t.cols/4, t.dst.Len*width) &&
		!repeats(t.indices.elem(t.indices.At), t.indices.Kind.Width(), t.cols)
}

// direct sets or combines cells without resolving indices first, where each row has one table. It
// reports whether there is a body. (Zen 4, calls of bench, the speedup over offsets with a prefetch
// of each cell: int32 into 0.7 MB, 170001.23, 1.23; float16 into 1.6 MB, 170001.34, 1.17; sums of
// float64 in 0.6 MB, 170001.178, 1.21.)
func (t *tables) direct() (bad int, ok bool) {
	width := t.dst.Kind.Width()
	if t.dst.Col != 0 || t.step != 1 || raceEnabled {
		return 0, false
	}
	rows := max(1, pieceElements/t.cols)
	ahead, pace := prefetched(t.fetches(), t.size*width, t.dst.Row*width, t.cols)
	for i := 0; i < t.rows; i += rows {
		n := min(rows, t.rows-i)
		for j, cols := 0, 0; j < t.cols; j += cols {
			cols = min(t.cols-j, pieceElements)
			done, ok := t.each(i, j, n, cols, ahead, pace)
			if !ok || done < n*cols {
				return (i+done/cols)*t.cols + j + done%cols, ok
			}
		}
	}
	return -1, true
}

// each runs a body of direct on some rows from row i and column j on.
func (t *tables) each(i, j, rows, cols, ahead, pace int) (done int, ok bool) {
	width, index := t.dst.Kind.Width(), t.indices.Kind.Width()
	dst, indices, updates := t.dst.elem(t.dst.At+i*t.dst.Row), t.indices.elem(t.indices.At+i*t.indices.Row+j), t.updates.elem(t.updates.At+i*t.updates.Row+j)
	row, indicesGap, updatesGap := t.dst.Row*width, (t.indices.Row-cols)*index, (t.updates.Row-cols)*width
	if t.op != generic.Replace {
		return combineEachPiece(t.on, t.op, t.dst.Kind, index, dst, indices, updates, row, indicesGap, updatesGap, t.size, rows, cols, ahead, pace)
	}
	return scatterEachPiece(t.on, width, index, dst, indices, updates, row, indicesGap, updatesGap, t.size, rows, cols, ahead, pace)
}
