package lanes

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// ScatterIndexed sets, in ascending order of i < rows and then of j < cols,
//
//	dst.Data[dst.At + i*dst.Row + j*dst.Col + k*step] = updates(i, j)
//
// where k = indices(i, j), with size added when it is negative: Gather the
// other way round. An index outside [-size, size-1] ends the loop: ScatterIndexed
// returns i*cols+j of the first one, and -1 when there is none. rows*cols has to fit an
// int. The updates before it have been applied then, and no others.
func ScatterIndexed[T Elem, I Index](dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	return ScatterIndexedRaw(windowOf(moved[T](), &dst), size, step, windowOf(KindOf[I](), &indices), windowOf(moved[T](), &updates), rows, cols)
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
	return ScatterReduceIndexedRaw(op, windowOf(KindOf[T](), &dst), size, step, windowOf(KindOf[I](), &indices), windowOf(KindOf[T](), &updates), rows, cols)
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
	if Sum <= op && op <= Max && dst.Kind.Real() && t.inside() {
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

// resolved sets or combines cells by offsets. Short rows that follow each other are resolved
// several at a time, along the pattern of their columns; other rows by themselves, in parts.
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
				lo, hi := t.size*j/cols, t.size*(j+n)/cols // no overflow: such a table is small
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

// fetches reports whether tables are prefetched. Fewer are than of a gather, whose rows need a
// fourth of the indices, because many lie in a cache since data was copied to them. (With twice as
// many, call 510002.246 of bench takes 1.16 times as long on Zen 4.)
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
	if t.dst.Col != 0 || t.step != 1 || raceEnabled || combineEachRuns(t.on) && t.eights() {
		return 0, false
	}
	rows := max(1, pieceElements/t.cols)
	ahead, pace := 0, 0
	switch table := t.size * width; {
	case t.op != generic.Replace || table < leastCellTable:
		ahead, pace = prefetched(t.fetches(), table, t.dst.Row*width, t.cols)
	case table <= mostCellTable:
		pace = farPace
	}
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

// leastCellTable and mostCellTable are the least and the largest table, in bytes, of which each
// cell that is set is prefetched, and nothing else of the table. Stores leave in order, so that one
// which waits for its line holds up those behind it; a sum's loads do not. In a larger table each
// cell is on a page that the core looks up, and a prefetch would look it up once more.
// (BenchmarkCells, the two changed by hand. Emerald Rapids, ns an element of float32, without and
// with it: into one row of 32 KB 0.82 0.63, 256 KB 1.44 1.22, 1.5 MB 2.4 1.6, 3 MB 3.7 1.9, 8 MB
// 5.0 2.7, 12 MB 5.4 3.7; 16 MB 4.8 5.7, 64 MB 9.2 11.1. As many elements as cells, with the row's
// table prefetched as a whole before and so: rows of 16 KB 1.0 1.3, of 40 KB 1.2 0.74, of 64 KB 1.7
// 1.2, of 80 KB 1.6 1.1.)
const leastCellTable, mostCellTable = 32 << 10, manyPages

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

// eights reports whether halves are better combined by offsets, of which bodies take eight at a
// time if these differ.
func (t *tables) eights() bool {
	if _, half := t.dst.Kind.Half(); !half || t.op == generic.Replace || t.op == Prod || t.cols < leastEights {
		return false
	}
	if t.indices.Kind == KindI32 {
		return differ[int32](t)
	}
	return differ[int64](t)
}

// leastEights is the least number of columns of such a row, and leastDiffer of indices in all.
const leastEights, leastDiffer = 16, 1024

// differ reports whether eight indices that follow each other differ, judged by a sample.
func differ[I int32 | int64](t *tables) bool {
	const samples, eight = 6, 8
	x, n := planeOf[I](t.indices), t.cols
	if t.indices.Row == n {
		n *= t.rows
	}
	if n < leastDiffer {
		return false
	}
	for k := range samples {
		w := x.Data[x.At+(n-eight)/(samples-1)*k:][:eight]
		for i := range w {
			if slices.Contains(w[:i], w[i]) {
				return false
			}
		}
	}
	return true
}
