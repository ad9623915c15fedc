package lanes

import (
	"math/bits"

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
	ScatterReduceRaw(op, memoryOf(KindOf[T](), dst), at, col, offsets, windowOf(KindOf[T](), &updates), cols)
}

// ScatterReduceHalf is ScatterReduce for 16-bit floating-point numbers in the
// format h. Each step is the float32 operation, rounded to nearest even; Min
// and Max compare the values and keep the bits.
func ScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	ScatterReduceRaw(op, memoryOf(HalfKind(h), dst), at, col, offsets, windowOf(HalfKind(h), &updates), cols)
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
	if Sum <= op && op <= Max && (dst.Kind.Real() || dst.Kind == KindC64 && op == Sum) && combine(op, &dst, at, col, offsets, updates, cols) {
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
	if cols == 1 && n >= 8*dispatch.Near.Runs && combineRuns(op, dst, at, offsets, updates, runLength(on, dst.Kind)) {
		return true
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

// combineDistance is fetchRows for rows that are combined: the shorter they are, the more are on
// the way. (BenchmarkReadFirst. Zen 4, sums of float32 into 192 MiB, ns a row with 8, 16, 24 and 32
// rows, of 16 bytes 13.9 10.7 10.9 10.5, of 64 14.4 11.4 11.5 11.7, of 128 20.0 18.5 18.1 18.5. Of
// 256 and 512 bytes 16 rows are 0.9 times as fast as 8.)
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

// runLength returns from how many updates of one cell that follow each other on these are combined
// in Go, and 0 if they never are. A body stores a cell and loads it again for each update, and waits
// for it: not as long for integers of 32 and 64 bits, and halves take as long in Go, where they are
// converted. (BenchmarkRuns, with runLength changed by hand, ns an update by a body and in Go. Zen 4:
// sums of float32 in runs of 16 1.6 and 2.0, of 32 2.2 and 1.3, of 64 2.7 and 1.3, of 1024 3.5 and
// 1.2, of uint8 of 64 1.4 and 0.9, of 1024 1.75 and 0.6, of int32 0.8 and 1.0, 0.6 and 0.8; minima of
// float64 of 64 2.4 and 0.9, of 1024 3.3 and 0.6. Call 3500001.293 of bench, sums of float32 by
// tuples in runs of 14,255: 4.5 and 2.35. Emerald Rapids: sums of int32 of 32 1.5 and 2.5, of 64 1.7
// and 1.7, of 1024 2.5 and 1.2, of int64 1.7 and 2.4, 1.6 and 1.6, 2.5 and 1.0, maxima of int32 1.8
// and 2.9, 2.1 and 1.8, 2.8 and 1.5.)
func runLength(on isa, kind Kind) int {
	_, half := kind.Half()
	switch {
	case !on.bodies():
		return 16
	case half:
		return 0
	case kind.Integer() && kind.Width() >= 4:
		return 128
	}
	return 16
}

// combineRuns combines updates in Go if most offsets are in runs of such a length that name one cell,
// and reports whether it has:
//
//	for each run of equal offsets o { dst[at+o] = dst[at+o] op its updates, one after the other }
func combineRuns(op Op, dst *Memory, at int, offsets []int, updates *Window, length int) bool {
	if !inRuns(offsets, length) {
		return false
	}
	for line := (Window{Memory: updates.Memory, At: updates.At, Col: updates.Row}); len(offsets) > 0; {
		n := equal(offsets)
		reduceGeneric(op, dst, at, 0, offsets[:1], &line, n)
		offsets, line.At = offsets[n:], line.At+n*line.Col
	}
	return true
}

// inRuns reports whether most indices or offsets are equal to those up to length behind them, judged
// by a sample.
func inRuns[I int | int32 | int64](x []I, length int) bool {
	const samples = 16
	apart, equal := min(length, len(x)/2), 0
	last := len(x) - 1 - apart
	if last <= 0 || length == 0 {
		return false
	}
	for k := range samples {
		if at := x[last/samples*k:]; at[0] == at[1] && at[0] == at[apart] {
			equal++
		}
	}
	return equal >= samples/2
}

// equal returns how many of the first indices or offsets are equal.
func equal[I int | int32 | int64](x []I) int {
	n, k := 1, x[0]
	for ; n+8 <= len(x); n += 8 {
		y := x[n : n+8]
		if (y[0]^k)|(y[1]^k)|(y[2]^k)|(y[3]^k)|(y[4]^k)|(y[5]^k)|(y[6]^k)|(y[7]^k) != 0 {
			break
		}
	}
	for n < len(x) && x[n] == k {
		n++
	}
	return n
}
