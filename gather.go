package lanes

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// Gather sets, for every i < rows and j < cols,
//
//	dst(i, j) = src.Data[address of src(i, j) + k*step]
//
// where k = indices(i, j), with size added when it is negative. An index
// outside [-size, size-1] ends the loop: Gather returns i*cols+j of the first
// one, and -1 when there is none. rows*cols has to fit an int. dst may have been
// partly written by then.
//
// The usual cases are a table for each row (src.Col 0, step 1) and columns (src.Col
// 1, step the distance of the table's rows).
func Gather[T Elem, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) int {
	return GatherRaw(windowOf(moved[T](), &dst), windowOf(moved[T](), &src), size, step, windowOf(KindOf[I](), &indices), rows, cols)
}

// GatherRaw is Gather for elements of dst's width; indices are KindI32 or KindI64.
func GatherRaw(dst, src Window, size, step int, indices Window, rows, cols int) int {
	return gather(&dst, &src, size, step, &indices, rows, cols)
}

func gather(dst, src *Window, size, step int, indices *Window, rows, cols int) int {
	on, width, index := active(), dst.Kind.Width(), indices.Kind.Width()
	src.Kind.needWidth(width)
	indices.Kind.needIndices()
	if on.bodies() && rows > 0 && cols > 1 && 0 < size && size <= math.MaxInt32 &&
		dst.Col == 1 && indices.Col == 1 && dst.holds(rows, cols) && indices.holds(rows, cols) &&
		inside(src.Len, src.At, src.Row, rows, src.Col, cols, step, size) {
		var c gatherCall // set field by field: a literal would be built elsewhere and copied
		c.on = on.with(dispatch.FastGather | dispatch.VBMI)
		c.dst, c.table, c.indices = dst.elem(dst.At), src.elem(src.At), indices.elem(indices.At)
		c.dstRow, c.tableRow, c.indicesRow = dst.Row*width, src.Row*width, indices.Row*index
		c.size, c.step, c.col, c.rows, c.cols, c.width, c.index = size, step, src.Col, rows, cols, width, index
		c.tables = src.Len * width
		if c.col == 0 && size*width > manyPages {
			c.on.traits &^= dispatch.FastGather
		}
		c.stream = dst.Stream && uintptr(unsafe.Pointer(c.dst))%uintptr(width) == 0 && (rows == 1 || wholeLines(c.dst, c.dstRow, cols*width))
		if bad, ok := c.run(); ok {
			if raceEnabled {
				touchGather(dst, src, size, step, indices, rows, cols)
			}
			for at := bad; 0 <= at && at/cols < rows; { // the first bad index is here or later, of joined rows maybe in another row
				row, j := at/cols, at%cols
				if k := checkGeneric(&indices.Memory, indices.At+row*indices.Row+j, 1, cols-j, size); k >= 0 {
					return at + k
				}
				at += cols - j
			}
			return bad
		}
	}
	switch width {
	case 1:
		return gatherGeneric[uint8](dst, src, size, step, indices, rows, cols)
	case 2:
		return gatherGeneric[uint16](dst, src, size, step, indices, rows, cols)
	case 4:
		return gatherGeneric[uint32](dst, src, size, step, indices, rows, cols)
	case 8:
		return gatherGeneric[uint64](dst, src, size, step, indices, rows, cols)
	case 16:
		return gatherGeneric[X128](dst, src, size, step, indices, rows, cols)
	default:
		panic(noKind)
	}
}

func gatherGeneric[T Elem](dst, src *Window, size, step int, indices *Window, rows, cols int) int {
	d, s := planeOf[T](dst), planeOf[T](src)
	if indices.Kind == KindI32 {
		return generic.Gather(d, s, size, step, planeOf[int32](indices), rows, cols)
	}
	return generic.Gather(d, s, size, step, planeOf[int64](indices), rows, cols)
}

// A gatherCall has the arguments of the fused bodies of a gather. Rows are in bytes.
type gatherCall struct {
	on                           isa
	dst, table, indices          *byte
	dstRow, tableRow, indicesRow int
	size, step, col              int // col is how far the table moves with an element
	rows, cols                   int
	width, index                 int // bytes of an element, and of an index
	tables                       int // bytes of all rows' tables
	stream                       bool

	// Of tables in registers: the entries that are loaded at a time. Joined rows add the numbers of
	// pattern to their indices, which have advance bytes each; otherwise it is nil, and advance 0.
	entries int
	pattern *byte
	advance int
}

// A gatherForm is a way to gather a piece.
type gatherForm uint8

const (
	inRegisters gatherForm = iota // a table for each row, kept in registers
	inRow                         // a table for each row
	amongFew                      // a table for each column, of few entries
	inColumns                     // a table for each column
	oneByOne                      // elements one by one
	resolved                      // the same, by offsets
)

// run gathers in the first form that has a body, and reports whether there is one.
func (c *gatherCall) run() (bad int, ok bool) {
	switch {
	case c.col == 0 && c.step == 1:
		if gatherTableRuns(c.on) {
			if n := c.joins(); n > 1 {
				bad, ok = c.joined(n)
			} else if n == 1 {
				c.entries = c.size
				bad, ok = c.pieces(inRegisters)
			}
			if ok {
				return bad, true
			}
		}
		if gatherRuns(c.on) {
			if bad, ok = c.pieces(inRow); ok {
				return bad, true
			}
		}
		if gatherEachRuns(c.on) {
			if bad, ok = c.pieces(oneByOne); ok {
				return bad, true
			}
		}
	case c.col == 1:
		if gatherFewRuns(c.on) && c.few() {
			if bad, ok = c.pieces(amongFew); ok {
				return bad, true
			}
		}
		if gatherColumnsRuns(c.on) {
			if bad, ok = c.pieces(inColumns); ok {
				return bad, true
			}
		}
		if gatherEachColumnsRuns(c.on) {
			if bad, ok = c.pieces(oneByOne); ok {
				return bad, true
			}
		}
	}
	return c.pieces(resolved)
}

// aligned returns the first address from p on where a cache line begins: a vector in two lines
// takes two loads. (BenchmarkShortTables. Zen 4, the time of joined rows with a pattern that is not
// over that with one that is: 1.0 to 1.2, of all 1.04.)
func aligned(p *byte) *byte { return add(p, int(-uintptr(unsafe.Pointer(p))%line)) }

// manyPages is the bytes of a table from which on a core looks up the page of nearly each element.
// Loads one by one then have more misses on the way than gather instructions, where these are fast,
// too. (Emerald Rapids, ns an element by instructions and one by one, int64 indices: float32 from 4
// MB 1.9 1.8, 8 MB 2.5 2.45, 16 MB 6.3 5.4, 64 MB 12.0 11.8, 256 MB 19.5 18.7; uint64 1.7 2.1, 2.4
// 2.7, 6.5 5.9, 12.6 12.0, 19.8 18.7. BenchmarkPages and W8 of bench, 44.0
// and 41.6 ms, with and without LANES_TRAITS=-fastgather.)
const manyPages = 12 << 20

// patternBytes is the most bytes of the pattern of rows that are joined, and sharedBytes of the
// indices that all of them have.
const patternBytes, sharedBytes = 2 << 10, 4 << 10

const _ = uint(pieceElements - patternBytes) // a piece never cuts joined rows, whose pattern would begin anew

// few reports whether all entries of a column are loaded, and the one that an index names is kept.
// They are few: fewBytes at most, or farFew where the second-level cache does not hold their rows.
// (BenchmarkFewEntries. Zen 4, ns an element in rows of 1000, one by one and so, int64 indices into
// 2, 4, 8 and 16 entries: of 1 byte 0.65 and 0.16, 0.62 and 0.18, 0.63 and 0.25, 0.45 and 0.32; of
// 4 bytes 0.44 and 0.16, 0.65 and 0.27, 0.52 and 0.44, 0.53 and 0.83. Call 1202001.329 of bench, 5
// entries of 4 bytes in 10 MB, 0.88 times as fast.) Where gather instructions are fast, they load
// more than half as many at least as fast, by the count of instructions: that was not measured.
func (c *gatherCall) few() bool {
	entries, most := c.size*c.width, fewBytes
	if c.on.traits&dispatch.FastGather != 0 && c.width >= 4 {
		most /= 2
	}
	return c.cols*c.width >= 64 && (entries <= farFew || entries <= most && entries*c.cols <= dispatch.Near.Second/2)
}

var fewBytes, farFew = 32, 8

// joins returns how many rows are gathered as one from tables in registers: 1 if each by itself, 0
// if registers do not hold tables. Rows that follow each other are joined where one is too short
// for a body. (BenchmarkShortTables. Zen 4, ns an element, not in registers and so, rows of 7 int32
// indices in tables of 16: elements of 1 byte 0.50 and 0.11, 2 bytes 0.50 and 0.15, 4 bytes 0.52
// and 0.26, 8 bytes 0.55 and 0.50; of 24 in 40, 0.37 and 0.12, 0.39 and 0.15, 0.49 and 0.29. Rows
// by themselves, of 48 in 110: 2 bytes 0.36 and 0.17, 4 bytes 0.42 and 0.34; of 24 in 110, 4 bytes
// 0.47 and 0.48.)
func (c *gatherCall) joins() int {
	n, lanes, most := 1, 64/c.width, registerEntries[bits.TrailingZeros(uint(c.width))]
	switch {
	case loadedEntries > 0: // as many are loaded of any table
		if c.cols < 2*max(c.size, loadedEntries) {
			return 0
		}
		return 1
	case c.size > most:
		return 0
	case c.cols < 2*max(c.size, lanes) && c.tableRow == c.size*c.width && c.dstRow == c.cols*c.width && (c.indicesRow == c.cols*c.index || c.indicesRow == 0):
		if n = 2 * lanes / c.size; n*c.cols < 2*lanes && (c.width < 8 || c.cols < lanes) { // two registers have too few
			n = most / c.size
		}
		n = min(n, c.rows, patternBytes/c.dstRow)
		if c.indicesRow == 0 {
			n = min(n, sharedBytes/(c.cols*c.index))
		}
	}
	if n*c.cols < lanes || n == 1 && 4*c.cols < c.size {
		return 0
	}
	return n
}

// registerEntries is the most entries of tables in registers, by an element's width.
var registerEntries = [...]int{256, 128, 128, 64, 0}

// joined gathers from tables in registers, n rows at a time.
//
//go:noinline
func (c *gatherCall) joined(n int) (bad int, ok bool) {
	var buffer [patternBytes + 8 + line]byte
	first := aligned(&buffer[0])
	pattern := unsafe.Slice(first, patternBytes+8)
	every := ^uint64(0) / (1<<(8*c.width) - 1) // elements of 8 bytes
	for row := range n {
		word, to := uint64(row*c.size)*every, pattern[row*c.dstRow:]
		for k := 0; k < c.dstRow; k += 8 { // the next row overwrites what is too long
			binary.LittleEndian.PutUint64(to[k:], word)
		}
	}
	some := *c
	some.rows, some.cols, some.entries = c.rows/n, n*c.cols, n*c.size
	some.dstRow, some.tableRow, some.indicesRow = n*c.dstRow, n*c.tableRow, n*c.indicesRow
	some.pattern, some.advance = first, c.width
	if c.indicesRow == 0 {
		var shared [sharedBytes]byte
		row := c.cols * c.index
		for i := range n {
			copy(shared[i*row:], unsafe.Slice(c.indices, row))
		}
		some.indices = &shared[0]
	}
	if bad, ok = some.pieces(inRegisters); !ok || bad >= 0 {
		return bad, ok
	}
	left := c.rows % n
	if left == 0 {
		return -1, true
	}
	left = max(left, (64/c.width-1)/c.cols+1) // enough for a step: some are gathered again
	done := c.rows - left
	some.dst, some.table = add(c.dst, done*c.dstRow), add(c.table, done*c.tableRow)
	some.rows, some.cols, some.entries = 1, left*c.cols, left*c.size
	if c.indicesRow > 0 {
		some.indices = add(c.indices, done*c.indicesRow)
	}
	if bad, ok = some.pieces(inRegisters); bad >= 0 {
		bad += done * c.cols
	}
	return bad, ok
}

// mostLanes is the most elements that a row needs for a body that keeps its table in registers.
const mostLanes = 64

// pieces gathers piece by piece: some rows, or a part of one. What is left of a row is enough
// for each body.
func (c *gatherCall) pieces(form gatherForm) (bad int, ok bool) {
	rows := max(1, pieceElements/c.cols)
	p := *c
	for i := 0; i < c.rows; i += rows {
		p.rows = min(rows, c.rows-i)
		p.dst = add(c.dst, i*c.dstRow)
		p.table = add(c.table, i*c.tableRow)
		p.indices = add(c.indices, i*c.indicesRow)
		for j := 0; j < c.cols; j += p.cols {
			if p.cols = c.cols - j; p.cols > pieceElements+mostLanes {
				p.cols = pieceElements
			}
			switch form {
			case inRegisters:
				bad, ok = gatherTablePiece(c.on, c.width, c.index, p.dst, p.table, p.indices, c.dstRow, c.tableRow, c.indicesRow, c.size, p.rows, p.cols, c.entries, c.pattern, c.advance)
			case inRow:
				bad, ok = gatherPiece(c.on, c.width, c.index, p.dst, p.table, p.indices, c.dstRow, c.tableRow, c.indicesRow, c.size, p.rows, p.cols, c.stream)
			case amongFew:
				bad, ok = gatherFewPiece(c.on, c.width, c.index, p.dst, p.table, p.indices, c.dstRow, c.tableRow, c.indicesRow, c.size, c.step*c.width, p.rows, p.cols)
			case inColumns:
				bad, ok = gatherColumnsPiece(c.on, c.width, c.index, p.dst, p.table, p.indices, c.dstRow, c.tableRow, c.indicesRow, c.size, c.step, p.rows, p.cols, c.stream)
			case oneByOne:
				bad, ok = p.each()
			default:
				bad, ok = p.resolved()
			}
			if !ok {
				return 0, false
			}
			if bad >= 0 {
				return i*c.cols + bad/p.cols*c.cols + j + bad%p.cols, true
			}
			if j+p.cols < c.cols { // of one row
				p.dst = add(p.dst, p.cols*c.width)
				p.table = add(p.table, p.cols*c.col*c.width)
				p.indices = add(p.indices, p.cols*c.index)
			}
		}
	}
	return -1, true
}

// each gathers a piece without resolving indices first. The body stops at an index that is bad.
func (c *gatherCall) each() (bad int, ok bool) {
	row, indicesRow, n := c.cols*c.width, c.cols*c.index, 0
	if c.col == 0 {
		fetch := c.tableRow != 0 && fetches(c.size, c.width, c.cols, c.tables) && !repeats(c.indices, c.index, c.cols)
		ahead, pace := prefetched(fetch, c.size*c.width, c.tableRow, c.cols)
		n, ok = gatherEachPiece(c.on, c.width, c.index, c.dst, c.table, c.indices, c.dstRow-row, c.tableRow, c.indicesRow-indicesRow, c.size, c.rows, c.cols, ahead, pace)
	} else {
		ahead, dstAhead := indexDistance, 0
		if rows := c.rowsAhead(); rows > 0 {
			ahead, dstAhead = rows*c.indicesRow, rows*c.dstRow
		}
		n, ok = gatherEachColumnsPiece(c.on, c.width, c.index, c.dst, c.table, c.indices, c.dstRow-row, c.tableRow-row, c.indicesRow-indicesRow, c.size, c.step*c.width, c.rows, c.cols, ahead, dstAhead)
	}
	if !ok || n == c.rows*c.cols {
		return -1, ok
	}
	return n, true
}

// fetchedBytes is the least size, in bytes, of the short rows that are prefetched. Rows of strips
// lie a page and more apart, where the hardware prefetches nothing: in strips of 64 columns, a
// gather of 4096 × 1024 elements along axis 0 takes 12 ms, without prefetches 22 ms (Zen 3).
const fetchedBytes = 2 << 10

// rowsAhead returns the prefetch distance, in rows, of short rows that lie apart, or 0.
func (c *gatherCall) rowsAhead() int {
	bytes := c.cols * (c.index + c.width)
	if c.rows < 2 || bytes >= fetchedBytes || c.dstRow == c.cols*c.width {
		return 0
	}
	return min(1+fetchedBytes/bytes, 8)
}

// resolved gathers in two steps where there is no fused body.
//
//go:noinline
func (c *gatherCall) resolved() (bad int, ok bool) {
	if !resolves(c.on, c.size, c.step) {
		return 0, false
	}
	if c.rows > 1 && 2*c.cols <= blockOffsets && c.dstRow == c.cols*c.width && c.indicesRow == c.cols*c.index {
		return c.resolvedRows()
	}
	var block [blockOffsets]int
	rows, distance := c.rowsAhead(), indexDistance      // the prefetch distances, in rows and of indices
	same := c.indicesRow == 0 && c.cols <= blockOffsets // the offsets of each row are those of the first
	if rows > 0 {
		distance = rows * c.indicesRow
	}
	for i := range c.rows {
		if rows > 0 && i+rows < c.rows {
			prefetchPiece(c.on, add(c.dst, (i+rows)*c.dstRow), c.cols*c.width)
		}
		for j := 0; j < c.cols; {
			n := min(c.cols-j, blockOffsets)
			if i == 0 || !same {
				if bad := resolveRun(c.on, c.index, block[:n], add(c.indices, i*c.indicesRow+j*c.index), c.size, c.step, nil, c.col, distance); bad >= 0 {
					return i*c.cols + j + bad, true
				}
			}
			if !gatherOffsetsPiece(c.on, c.width, add(c.dst, i*c.dstRow+j*c.width), c.table, i*c.tableRow+j*c.col*c.width, &block[0], n) {
				return 0, false
			}
			j += n
		}
	}
	return -1, true
}

// resolvedRows is resolved for short rows that follow each other: a block has several, along the
// pattern of their columns. (Zen 4, float32, rows of 12 columns, half of the indices negative: 0.9
// ns an element, and 1.4 row by row.)
//
//go:noinline
func (c *gatherCall) resolvedRows() (bad int, ok bool) {
	var block, along [blockOffsets]int
	rows := min(blockOffsets/c.cols, c.rows)
	p := pattern{c.cols, c.tableRow / c.width, c.col}
	p.fill(along[:rows*c.cols], 0, 1)
	for i := 0; i < c.rows; i += rows {
		n := min(rows, c.rows-i) * c.cols
		if bad := resolveRun(c.on, c.index, block[:n], add(c.indices, i*c.indicesRow), c.size, c.step, along[:n], 0, indexDistance); bad >= 0 {
			return i*c.cols + bad, true
		}
		if !gatherOffsetsPiece(c.on, c.width, add(c.dst, i*c.dstRow), c.table, i*c.tableRow, &block[0], n) {
			return 0, false
		}
	}
	return -1, true
}

// GatherTuples sets, for every i < n,
//
//	dst(i, 0) = src[at + Σ over t of k[t]*strides[t]]
//
// where k[t] = tuples(i, t), with sizes[t] added when it is negative. A component outside
// [-sizes[t], sizes[t]-1] ends the loop: GatherTuples returns the first i with one, and -1 when
// there is none. The elements before it have been set then, and no others.
func GatherTuples[T Elem, I Index](dst Plane[T], src []T, at int, tuples Plane[I], sizes, strides []int, n int) int {
	return GatherTuplesRaw(windowOf(moved[T](), &dst), memoryOf(moved[T](), src), at, windowOf(KindOf[I](), &tuples), sizes, strides, n)
}

// GatherTuplesRaw is GatherTuples for elements of dst's width; tuples are KindI32 or KindI64.
func GatherTuplesRaw(dst Window, src Memory, at int, tuples Window, sizes, strides []int, n int) int {
	return gatherTuples(&dst, &src, at, &tuples, sizes, strides, n)
}

func gatherTuples(dst *Window, src *Memory, at int, tuples *Window, sizes, strides []int, n int) int {
	on, width, index, done := active(), dst.Kind.Width(), tuples.Kind.Width(), 0
	src.Kind.needWidth(width)
	tuples.Kind.needIndices()
	if on.bodies() && !raceEnabled && gatherPairsRuns(on) && n >= gatherPairsStep && dst.Row == 1 && tuples.Col == 1 && len(sizes) == 2 && len(strides) >= 2 &&
		upTo(math.MaxInt32, sizes) && upTo(math.MaxUint32, strides[:2]) && dst.holds(n, 1) && tuples.holds(n, 2) &&
		inside(src.Len, at, strides[0], sizes[0], 0, 1, strides[1], sizes[1]) {
		size, stride := [2]int(sizes), [2]int(strides) // dst may overlap those that were checked
		last := (size[0]-1)*stride[0] + (size[1]-1)*stride[1]
		// (Emerald Rapids, calls of bench, the speedup by gather instructions: 5800001.23 1.8, .97 1.6,
		// 6000001.126 1.6, 6430001.3004 1.5, .2469 1.7.)
		if on = on.with(dispatch.FastGather); src.Len*width > manyPages {
			on.traits &^= dispatch.FastGather
		}
		for done < n {
			piece := min(n-done, pieceElements) &^ (gatherPairsStep - 1)
			if piece == 0 { // the last ones once more, with what is left (BenchmarkPairLines. Zen 4, lines of 50, ns a tuple: by offsets 4.3, so 2.1)
				done, piece = n-gatherPairsStep, gatherPairsStep
			}
			bad, ok := gatherPairsPiece(on, width, index, dst.elem(dst.At+done), src.elem(0), at*width, tuples.elem(tuples.At+done*tuples.Row), tuples.Row*index, piece, &size[0], &stride[0], last)
			if !ok {
				break
			}
			if bad >= 0 {
				done += bad
				break
			}
			done += piece
		}
	}
	if done == n {
		return -1
	}
	return gatherResolved(dst, src, at, tuples, sizes, strides, done, n)
}

// gatherResolved is gatherTuples in two steps, from a tuple on.
//
//go:noinline
func gatherResolved(dst *Window, src *Memory, at int, tuples *Window, sizes, strides []int, done, n int) int {
	var block [blockOffsets]int
	to, from := *dst, *tuples
	for done < n {
		some := min(n-done, blockOffsets)
		to.At, from.At = dst.At+done*dst.Row, tuples.At+done*tuples.Row
		bad := resolveTuples(block[:some], &from, sizes, strides, nil, 0)
		if bad >= 0 {
			some = bad
		}
		gatherRows(&to, *src, at, 1, block[:some], 1)
		if done += some; bad >= 0 {
			return done
		}
	}
	return -1
}

// GatherRows sets, for every i < len(offsets) and j < cols,
//
//	dst(i, j) = src[at + offsets[i] + j*col]
//
// It copies whole rows when cols is their length and col is 1, and gathers
// single elements when cols is 1. The offsets come from Resolve or ResolveTuples.
func GatherRows[T Elem](dst Plane[T], src []T, at, col int, offsets []int, cols int) {
	GatherRowsRaw(windowOf(moved[T](), &dst), memoryOf(moved[T](), src), at, col, offsets, cols)
}

// GatherRowsRaw is GatherRows for elements of dst's width.
func GatherRowsRaw(dst Window, src Memory, at, col int, offsets []int, cols int) {
	gatherRows(&dst, src, at, col, offsets, cols)
}

func gatherRows(dst *Window, src Memory, at, col int, offsets []int, cols int) {
	on := active()
	width, n := dst.Kind.Width(), len(offsets)
	src.Kind.needWidth(width)
	rows := cols > 1 && col == 1 && dst.Col == 1
	if rows && longRows(on, dst, &src, at, offsets, cols, false) {
		return
	}
	if on.bodies() && n > 0 && (rows || cols == 1 && dst.Row == 1 && n >= minIndices) &&
		dst.holds(n, cols) && dst.apart(offsets) && offsetsInside(on, offsets, at, src.Len-cols+1) {
		ok := false
		if cols == 1 {
			ok = gatherElements(on, width, dst.elem(dst.At), src.elem(0), at*width, offsets)
		} else {
			ok = gatherWhole(on, dst, src.elem(0), at*width, offsets, cols)
		}
		if ok {
			if raceEnabled {
				touchRows(dst, &src, at, offsets, cols)
			}
			return
		}
	}
	switch width {
	case 1:
		generic.GatherRows(planeOf[uint8](dst), typed[uint8](&src), at, col, offsets, cols)
	case 2:
		generic.GatherRows(planeOf[uint16](dst), typed[uint16](&src), at, col, offsets, cols)
	case 4:
		generic.GatherRows(planeOf[uint32](dst), typed[uint32](&src), at, col, offsets, cols)
	case 8:
		generic.GatherRows(planeOf[uint64](dst), typed[uint64](&src), at, col, offsets, cols)
	case 16:
		generic.GatherRows(planeOf[X128](dst), typed[X128](&src), at, col, offsets, cols)
	default:
		panic(noKind)
	}
}

// gatherElements gathers single elements piece by piece, and reports whether there is a body.
func gatherElements(on isa, width int, dst, src *byte, at int, offsets []int) bool {
	for done := 0; done < len(offsets); {
		n := min(len(offsets)-done, pieceElements)
		if !gatherOffsetsPiece(on, width, add(dst, done*width), src, at, &offsets[done], n) {
			return false
		}
		done += n
	}
	return true
}

// gatherWhole copies whole rows piece by piece, and reports whether there is a body. Rows that are
// no whole cache lines go past the caches by way of a buffer, if dst is large.
func gatherWhole(on isa, dst *Window, src *byte, at int, offsets []int, cols int) bool {
	width := dst.Kind.Width()
	bytes, dstRow, shift, d := cols*width, dst.Row*width, bits.TrailingZeros(uint(width)), dst.elem(dst.At)
	stream, ahead, most := dst.Stream && wholeLines(d, dstRow, bytes), fetchRows(bytes), pieceRows(bytes)
	var buffer *[pastBuffer]byte
	if streams && dst.Stream && !stream && dstRow == bytes && bytes >= line && dst.Len >= leastBuffered/width {
		buffer = pastBuffers.Get().(*[pastBuffer]byte)
		defer pastBuffers.Put(buffer)
		most = min(most, gatheredRun/bytes)
	}
	for done, n := 0, 0; done < len(offsets); done += n {
		n = min(len(offsets)-done, most)
		piece := add(d, done*dstRow)
		to := piece
		if buffer != nil {
			to = &buffer[:n*bytes][0]
		}
		far := !nearRows || spread(offsets[done:done+n])<<shift > dispatch.Near.Rows
		if !gatherRowsPiece(on, far, to, src, at, &offsets[done], n, shift, bytes, dstRow, ahead, stream) ||
			buffer != nil && !copyRowsPiece(on, piece, to, 0, 0, 1, n*bytes, 0, true) {
			return false
		}
	}
	return true
}

// leastBuffered is the least number of bytes of a dst whose rows go past the caches by way of a
// buffer, and gatheredRun what goes at once. (BenchmarkUnevenRows. Emerald Rapids, ns an element of
// float32 into the caches, and in runs of 32 and 16 KB past them, out of 4 MB: 5 MB of rows of 200
// bytes 0.41 0.47 0.45, of 784 0.37 0.40 0.43; 32 MB of 28 0.95 0.82 0.92, of 100 0.88 0.52 0.49,
// of 200 0.66 0.46 0.45, of 784 0.65 0.44 0.41, of 1500 0.62 0.39 0.37; out of 32 MB, 12 MB of 784
// 0.51 0.48 0.50, 16 MB 0.56 0.51 0.49, 24 MB 0.74 0.49 0.49.)
const leastBuffered, gatheredRun = 16 << 20, 16 << 10
