package lanes

// The entries whose types are known at run time. Each is the primitive of its
// name without Raw. Movement goes by the width of the destination's Kind;
// indices are KindI32 or KindI64 unless it says otherwise.

// WidenRaw is Widen, of KindI8 to KindU64.
func WidenRaw(out []int64, indices Memory, at, step int) {
	switch indices.Kind {
	case KindI8:
		Widen(out, typed[int8](&indices), at, step)
	case KindU8:
		Widen(out, typed[uint8](&indices), at, step)
	case KindI16:
		Widen(out, typed[int16](&indices), at, step)
	case KindU16:
		Widen(out, typed[uint16](&indices), at, step)
	case KindI32:
		Widen(out, typed[int32](&indices), at, step)
	case KindU32:
		Widen(out, typed[uint32](&indices), at, step)
	case KindI64:
		Widen(out, typed[int64](&indices), at, step)
	case KindU64:
		Widen(out, typed[uint64](&indices), at, step)
	default:
		panic(noKind)
	}
}

const noKind = "lanes: no such kind here"

// CheckRaw is Check.
func CheckRaw(indices Memory, at, step, n, size int) int {
	if indices.Kind == KindI32 {
		return Check(typed[int32](&indices), at, step, n, size)
	}
	return Check(typed[int64](&indices), at, step, n, size)
}

// ResolveRaw is Resolve.
func ResolveRaw(offsets []int, indices Memory, at, step, size, scale, col int) int {
	if indices.Kind == KindI32 {
		return Resolve(offsets, typed[int32](&indices), at, step, size, scale, col)
	}
	return Resolve(offsets, typed[int64](&indices), at, step, size, scale, col)
}

// ResolvePatternRaw is ResolvePattern.
func ResolvePatternRaw(offsets []int, indices Memory, at, size, scale int, pattern []int) int {
	if indices.Kind == KindI32 {
		return ResolvePattern(offsets, typed[int32](&indices), at, size, scale, pattern)
	}
	return ResolvePattern(offsets, typed[int64](&indices), at, size, scale, pattern)
}

// ResolveTuplesRaw is ResolveTuples.
func ResolveTuplesRaw(offsets []int, tuples Window, sizes, strides []int, col int) int {
	if tuples.Kind == KindI32 {
		return ResolveTuples(offsets, planeOf[int32](&tuples), sizes, strides, col)
	}
	return ResolveTuples(offsets, planeOf[int64](&tuples), sizes, strides, col)
}

// ResolveOwnedRaw is ResolveOwned.
func ResolveOwnedRaw(offsets []int, own, indices, updates Memory, size, scale, low, high int) (kept, bad int) {
	switch own.Kind.Width() {
	case 1:
		return ownedOf[uint8](offsets, &own, &indices, &updates, size, scale, low, high)
	case 2:
		return ownedOf[uint16](offsets, &own, &indices, &updates, size, scale, low, high)
	case 4:
		return ownedOf[uint32](offsets, &own, &indices, &updates, size, scale, low, high)
	case 8:
		return ownedOf[uint64](offsets, &own, &indices, &updates, size, scale, low, high)
	}
	return ownedOf[X128](offsets, &own, &indices, &updates, size, scale, low, high)
}

func ownedOf[T Elem](offsets []int, own, indices, updates *Memory, size, scale, low, high int) (kept, bad int) {
	if indices.Kind == KindI32 {
		return ResolveOwned(offsets, typed[T](own), typed[int32](indices), typed[T](updates), size, scale, low, high)
	}
	return ResolveOwned(offsets, typed[T](own), typed[int64](indices), typed[T](updates), size, scale, low, high)
}

// GatherRaw is Gather.
func GatherRaw(dst, src Window, size, step int, indices Window, rows, cols int) int {
	switch dst.Kind.Width() {
	case 1:
		return gatherOf[uint8](&dst, &src, size, step, &indices, rows, cols)
	case 2:
		return gatherOf[uint16](&dst, &src, size, step, &indices, rows, cols)
	case 4:
		return gatherOf[uint32](&dst, &src, size, step, &indices, rows, cols)
	case 8:
		return gatherOf[uint64](&dst, &src, size, step, &indices, rows, cols)
	}
	return gatherOf[X128](&dst, &src, size, step, &indices, rows, cols)
}

func gatherOf[T Elem](dst, src *Window, size, step int, indices *Window, rows, cols int) int {
	if indices.Kind == KindI32 {
		return Gather(planeOf[T](dst), planeOf[T](src), size, step, planeOf[int32](indices), rows, cols)
	}
	return Gather(planeOf[T](dst), planeOf[T](src), size, step, planeOf[int64](indices), rows, cols)
}

// GatherRowsRaw is GatherRows.
func GatherRowsRaw(dst Window, src Memory, at, col int, offsets []int, cols int) {
	switch dst.Kind.Width() {
	case 1:
		GatherRows(planeOf[uint8](&dst), typed[uint8](&src), at, col, offsets, cols)
	case 2:
		GatherRows(planeOf[uint16](&dst), typed[uint16](&src), at, col, offsets, cols)
	case 4:
		GatherRows(planeOf[uint32](&dst), typed[uint32](&src), at, col, offsets, cols)
	case 8:
		GatherRows(planeOf[uint64](&dst), typed[uint64](&src), at, col, offsets, cols)
	default:
		GatherRows(planeOf[X128](&dst), typed[X128](&src), at, col, offsets, cols)
	}
}

// ScatterRaw is Scatter.
func ScatterRaw(dst Memory, at, col int, offsets []int, updates Window, cols int) {
	switch dst.Kind.Width() {
	case 1:
		Scatter(typed[uint8](&dst), at, col, offsets, planeOf[uint8](&updates), cols)
	case 2:
		Scatter(typed[uint16](&dst), at, col, offsets, planeOf[uint16](&updates), cols)
	case 4:
		Scatter(typed[uint32](&dst), at, col, offsets, planeOf[uint32](&updates), cols)
	case 8:
		Scatter(typed[uint64](&dst), at, col, offsets, planeOf[uint64](&updates), cols)
	default:
		Scatter(typed[X128](&dst), at, col, offsets, planeOf[X128](&updates), cols)
	}
}

// ScatterReduceRaw is ScatterReduce, ScatterReduceHalf or ScatterReduceComplex,
// by the Kind of dst, which is one of numbers. Of KindBool, whose bytes are 0 and
// 1, Sum and Max are OR, Prod and Min AND, and Sub and Xor XOR.
func ScatterReduceRaw(op Op, dst Memory, at, col int, offsets []int, updates Window, cols int) {
	switch dst.Kind {
	case KindI8:
		ScatterReduce(op, typed[int8](&dst), at, col, offsets, planeOf[int8](&updates), cols)
	case KindI16:
		ScatterReduce(op, typed[int16](&dst), at, col, offsets, planeOf[int16](&updates), cols)
	case KindI32:
		ScatterReduce(op, typed[int32](&dst), at, col, offsets, planeOf[int32](&updates), cols)
	case KindI64:
		ScatterReduce(op, typed[int64](&dst), at, col, offsets, planeOf[int64](&updates), cols)
	case KindU8:
		ScatterReduce(op, typed[uint8](&dst), at, col, offsets, planeOf[uint8](&updates), cols)
	case KindU16:
		ScatterReduce(op, typed[uint16](&dst), at, col, offsets, planeOf[uint16](&updates), cols)
	case KindU32:
		ScatterReduce(op, typed[uint32](&dst), at, col, offsets, planeOf[uint32](&updates), cols)
	case KindU64:
		ScatterReduce(op, typed[uint64](&dst), at, col, offsets, planeOf[uint64](&updates), cols)
	case KindF32:
		ScatterReduce(op, typed[float32](&dst), at, col, offsets, planeOf[float32](&updates), cols)
	case KindF64:
		ScatterReduce(op, typed[float64](&dst), at, col, offsets, planeOf[float64](&updates), cols)
	case KindF16:
		ScatterReduceHalf(op, Binary16, typed[uint16](&dst), at, col, offsets, planeOf[uint16](&updates), cols)
	case KindBF16:
		ScatterReduceHalf(op, Brain16, typed[uint16](&dst), at, col, offsets, planeOf[uint16](&updates), cols)
	case KindC64:
		ScatterReduceComplex(op, typed[complex64](&dst), at, col, offsets, planeOf[complex64](&updates), cols)
	case KindC128:
		ScatterReduceComplex(op, typed[complex128](&dst), at, col, offsets, planeOf[complex128](&updates), cols)
	case KindBool:
		ScatterReduce(boolOps[op], typed[uint8](&dst), at, col, offsets, planeOf[uint8](&updates), cols)
	default:
		panic(noKind)
	}
}

// boolOps is an operation on truths as one on the bytes 0 and 1.
var boolOps = [...]Op{Sum: Max, Prod: Min, Min: Min, Max: Max, Sub: Xor, Xor: Xor}

// ScatterIndexedRaw is ScatterIndexed.
func ScatterIndexedRaw(dst Window, size, step int, indices, updates Window, rows, cols int) int {
	switch dst.Kind.Width() {
	case 1:
		return scatterIndexedOf[uint8](&dst, size, step, &indices, &updates, rows, cols)
	case 2:
		return scatterIndexedOf[uint16](&dst, size, step, &indices, &updates, rows, cols)
	case 4:
		return scatterIndexedOf[uint32](&dst, size, step, &indices, &updates, rows, cols)
	case 8:
		return scatterIndexedOf[uint64](&dst, size, step, &indices, &updates, rows, cols)
	}
	return scatterIndexedOf[X128](&dst, size, step, &indices, &updates, rows, cols)
}

func scatterIndexedOf[T Elem](dst *Window, size, step int, indices, updates *Window, rows, cols int) int {
	if indices.Kind == KindI32 {
		return ScatterIndexed(planeOf[T](dst), size, step, planeOf[int32](indices), planeOf[T](updates), rows, cols)
	}
	return ScatterIndexed(planeOf[T](dst), size, step, planeOf[int64](indices), planeOf[T](updates), rows, cols)
}

// ScatterReduceIndexedRaw is ScatterReduceIndexed, of KindI8 to KindF64.
func ScatterReduceIndexedRaw(op Op, dst Window, size, step int, indices, updates Window, rows, cols int) int {
	switch dst.Kind {
	case KindI8:
		return reduceIndexedOf[int8](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindI16:
		return reduceIndexedOf[int16](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindI32:
		return reduceIndexedOf[int32](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindI64:
		return reduceIndexedOf[int64](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindU8:
		return reduceIndexedOf[uint8](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindU16:
		return reduceIndexedOf[uint16](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindU32:
		return reduceIndexedOf[uint32](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindU64:
		return reduceIndexedOf[uint64](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindF32:
		return reduceIndexedOf[float32](op, &dst, size, step, &indices, &updates, rows, cols)
	case KindF64:
		return reduceIndexedOf[float64](op, &dst, size, step, &indices, &updates, rows, cols)
	}
	panic(noKind)
}

func reduceIndexedOf[T Number](op Op, dst *Window, size, step int, indices, updates *Window, rows, cols int) int {
	if indices.Kind == KindI32 {
		return ScatterReduceIndexed(op, planeOf[T](dst), size, step, planeOf[int32](indices), planeOf[T](updates), rows, cols)
	}
	return ScatterReduceIndexed(op, planeOf[T](dst), size, step, planeOf[int64](indices), planeOf[T](updates), rows, cols)
}

// CopyRaw is Copy.
func CopyRaw(dst, src Window, rows, cols int) {
	switch dst.Kind.Width() {
	case 1:
		Copy(planeOf[uint8](&dst), planeOf[uint8](&src), rows, cols)
	case 2:
		Copy(planeOf[uint16](&dst), planeOf[uint16](&src), rows, cols)
	case 4:
		Copy(planeOf[uint32](&dst), planeOf[uint32](&src), rows, cols)
	case 8:
		Copy(planeOf[uint64](&dst), planeOf[uint64](&src), rows, cols)
	default:
		Copy(planeOf[X128](&dst), planeOf[X128](&src), rows, cols)
	}
}

// CompactRaw is Compact.
func CompactRaw(dst, src Memory, mask []bool) int {
	switch dst.Kind.Width() {
	case 1:
		return Compact(typed[uint8](&dst), typed[uint8](&src), mask)
	case 2:
		return Compact(typed[uint16](&dst), typed[uint16](&src), mask)
	case 4:
		return Compact(typed[uint32](&dst), typed[uint32](&src), mask)
	case 8:
		return Compact(typed[uint64](&dst), typed[uint64](&src), mask)
	}
	return Compact(typed[X128](&dst), typed[X128](&src), mask)
}

// CountRaw is Count; counts are KindU32 or KindU64.
func CountRaw(counts Memory, at int, offsets []int, n int) {
	if counts.Kind == KindU32 {
		Count(typed[uint32](&counts), at, offsets, n)
	} else {
		Count(typed[uint64](&counts), at, offsets, n)
	}
}

// ScatterWideRaw is ScatterWide, of KindI8 to KindU32.
func ScatterWideRaw(sums []int64, at, col int, offsets []int, updates Window, cols int) {
	switch updates.Kind {
	case KindI8:
		ScatterWide(sums, at, col, offsets, planeOf[int8](&updates), cols)
	case KindI16:
		ScatterWide(sums, at, col, offsets, planeOf[int16](&updates), cols)
	case KindI32:
		ScatterWide(sums, at, col, offsets, planeOf[int32](&updates), cols)
	case KindU8:
		ScatterWide(sums, at, col, offsets, planeOf[uint8](&updates), cols)
	case KindU16:
		ScatterWide(sums, at, col, offsets, planeOf[uint16](&updates), cols)
	case KindU32:
		ScatterWide(sums, at, col, offsets, planeOf[uint32](&updates), cols)
	default:
		panic(noKind)
	}
}

// ScatterExactRaw is ScatterExact, of KindI8 to KindU64.
func ScatterExactRaw(sums []Exact, at, col int, offsets []int, updates Window, cols int) {
	switch updates.Kind {
	case KindI8:
		ScatterExact(sums, at, col, offsets, planeOf[int8](&updates), cols)
	case KindI16:
		ScatterExact(sums, at, col, offsets, planeOf[int16](&updates), cols)
	case KindI32:
		ScatterExact(sums, at, col, offsets, planeOf[int32](&updates), cols)
	case KindI64:
		ScatterExact(sums, at, col, offsets, planeOf[int64](&updates), cols)
	case KindU8:
		ScatterExact(sums, at, col, offsets, planeOf[uint8](&updates), cols)
	case KindU16:
		ScatterExact(sums, at, col, offsets, planeOf[uint16](&updates), cols)
	case KindU32:
		ScatterExact(sums, at, col, offsets, planeOf[uint32](&updates), cols)
	case KindU64:
		ScatterExact(sums, at, col, offsets, planeOf[uint64](&updates), cols)
	default:
		panic(noKind)
	}
}

// CellsRaw is Cells without its types. The Kinds say what the sums are: of
// floats and complex numbers they have the Kind of Dst; of integers they are
// int64 (KindI64) or Exact (KindX128). Counts are KindU32 or KindU64.
type CellsRaw struct {
	Dst, Sums, Counts       Memory
	DstAt, SumsAt, CountsAt Place
	Rows, Cols              int
	Init                    int
}

// DivideRaw is Divide, DivideHalf, DivideComplex, DivideWide or DivideExact, by
// the Kinds of Dst and Sums.
func DivideRaw(c CellsRaw) {
	if c.Counts.Kind == KindU32 {
		divideOf[uint32](&c)
	} else {
		divideOf[uint64](&c)
	}
}

func divideOf[C Counter](c *CellsRaw) {
	switch c.Dst.Kind {
	case KindF32:
		Divide(cellsOf[float32, float32, C](c))
	case KindF64:
		Divide(cellsOf[float64, float64, C](c))
	case KindF16:
		DivideHalf(Binary16, cellsOf[uint16, uint16, C](c))
	case KindBF16:
		DivideHalf(Brain16, cellsOf[uint16, uint16, C](c))
	case KindC64:
		DivideComplex(cellsOf[complex64, complex64, C](c))
	case KindC128:
		DivideComplex(cellsOf[complex128, complex128, C](c))
	case KindI8:
		divideShort[int8, C](c)
	case KindI16:
		divideShort[int16, C](c)
	case KindI32:
		divideShort[int32, C](c)
	case KindU8:
		divideShort[uint8, C](c)
	case KindU16:
		divideShort[uint16, C](c)
	case KindU32:
		divideShort[uint32, C](c)
	case KindI64:
		DivideExact(cellsOf[int64, Exact, C](c))
	case KindU64:
		DivideExact(cellsOf[uint64, Exact, C](c))
	default:
		panic(noKind)
	}
}

func divideShort[T ShortInteger, C Counter](c *CellsRaw) {
	if c.Sums.Kind == KindI64 {
		DivideWide(cellsOf[T, int64, C](c))
	} else {
		DivideExact(cellsOf[T, Exact, C](c))
	}
}

func cellsOf[T, S any, C Counter](c *CellsRaw) Cells[T, S, C] {
	return Cells[T, S, C]{
		Dst: typed[T](&c.Dst), Sums: typed[S](&c.Sums), Counts: typed[C](&c.Counts),
		DstAt: c.DstAt, SumsAt: c.SumsAt, CountsAt: c.CountsAt, Rows: c.Rows, Cols: c.Cols, Init: c.Init,
	}
}
