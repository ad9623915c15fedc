//go:build (amd64 || arm64) && !purego && !noasm

package lanes

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

// What a primitive runs on ports with assembly. These functions see to it that
// a body can rely on its arguments: what a call reaches lies in its slices, and
// there is something to do. A call without a body, or that reaches outside, goes
// to package generic, where it panics as Go does. bodies_<arch>.go has the bodies.
//
// Assembly can't be pre-empted, so that it works on pieces.
const (
	pieceElements = 8 << 10   // moved one by one
	pieceBytes    = 256 << 10 // moved in rows
	blockOffsets  = 512       // resolved at a time, on the stack
	soonBytes     = 4 << 10   // prefetched ahead in a run of indices
)

// pieceRows returns how many rows of so many bytes are a piece. Short ones may lie far apart, each
// a miss of the caches.
func pieceRows(bytes int) int { return max(1, min(pieceBytes/bytes, pieceElements)) }

// Calls shorter than these stay with package generic: what a body costs to
// reach is some 5 ns.
const (
	minIndices = 16
	minRow     = 4
)

// elem is the address of an element of a plane, as bodies take it.
func elem[T any](s []T, at int) *byte {
	var z T
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), at*int(unsafe.Sizeof(z))))
}

// inside reports whether at and all that lies up to (rows-1)*row, (cols-1)*col
// and (size-1)*step from it is in a slice of n elements. rows, cols and size are at least 1.
func inside(n, at, row, rows, col, cols, step, size int) bool {
	low, high, ok := reach(row, rows-1, n)
	l, h, ok1 := reach(col, cols-1, n)
	m, i, ok2 := reach(step, size-1, n)
	return ok && ok1 && ok2 && uint(at) < uint(n) && l+low+m <= at && h+high+i < n-at
}

// reach returns how far last steps lead down and up, if that is no further
// than n. (n is a length, so that sums of three are far from overflowing.)
func reach(step, last, n int) (down, up int, ok bool) {
	far, extent := bits.Mul(uint(max(step, -step)), uint(last))
	if step < 0 {
		return int(extent), 0, far == 0 && extent <= uint(n)
	}
	return 0, int(extent), far == 0 && extent <= uint(n)
}

func holds[T any](p *Plane[T], rows, cols int) bool {
	return inside(len(p.Data), p.At, p.Row, rows, p.Col, cols, 0, 1)
}

func selectCheck[I Index](indices []I, at, step, n, size int) int {
	var z I
	width := int(unsafe.Sizeof(z))
	if !vectors() || step != 1 || n < minIndices || size < 0 || width == 4 && size > math.MaxInt32 {
		return generic.Check(indices, at, step, n, size)
	}
	indices = indices[at : at+n : len(indices)]
	if raceEnabled {
		touchIndices(indices, 0, n)
	}
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

func selectResolve[I Index](offsets []int, indices []I, at, step, size, scale, col int) int {
	return resolve(offsets, indices, at, step, size, scale, nil, col, soonBytes)
}

func selectResolvePattern[I Index](offsets []int, indices []I, at, size, scale int, pattern []int) int {
	return resolve(offsets, indices, at, 1, size, scale, pattern[:len(offsets):len(pattern)], 0, soonBytes)
}

// resolve resolves along a pattern, or without one along j*col. soon is how far
// indices are prefetched, in bytes.
func resolve[I Index](offsets []int, indices []I, at, step, size, scale int, pattern []int, col, soon int) int {
	n := len(offsets)
	var z I
	width := int(unsafe.Sizeof(z))
	if !vectors() || step != 1 || n < minIndices || uint(size) > math.MaxUint32 || uint(scale) > math.MaxUint32 || width == 4 && size > math.MaxInt32 {
		if pattern != nil {
			return generic.ResolvePattern(offsets, indices, at, size, scale, pattern)
		}
		return generic.Resolve(offsets, indices, at, step, size, scale, col)
	}
	indices = indices[at : at+n : len(indices)]
	if raceEnabled {
		touchIndices(indices, 0, n)
		touchIndices(pattern, 0, len(pattern))
	}
	for j := 0; j < n; {
		whole := min(n-j, pieceElements) &^ 7
		if whole > 0 {
			var even [evenLanes]int
			from, move := &even[0], 0
			if pattern != nil {
				from, move = &pattern[j], 1
			} else {
				for l := range even {
					even[l] = (j + l) * col
				}
			}
			bad := resolvePiece(&offsets[j], elem(indices, j), width, whole, size, scale, from, move, col, soon)
			if bad < 0 {
				j += whole
				continue
			}
			j += bad
		}
		if pattern != nil {
			bad := generic.ResolvePattern(offsets[j:], indices, j, size, scale, pattern[j:])
			return after(offsets[j:], bad, j, 0)
		}
		return resolveRest(offsets, indices, j, size, scale, col)
	}
	return -1
}

// evenLanes is the most lanes that a step of a body resolves.
const evenLanes = 8

// resolveRest resolves from position j on.
func resolveRest[I Index](offsets []int, indices []I, j, size, scale, col int) int {
	rest := offsets[j:]
	bad := generic.Resolve(rest, indices, j, 1, size, scale, col)
	return after(rest, bad, j, j*col)
}

// after adds base to the offsets before a bad one, of those from position j on,
// and returns the position of that.
func after(rest []int, bad, j, base int) int {
	if bad >= 0 {
		rest = rest[:bad]
		bad += j
	}
	if base != 0 {
		for k := range rest {
			rest[k] += base
		}
	}
	return bad
}

func selectResolveTuples[I Index](offsets []int, tuples Plane[I], sizes, strides []int, col int) int {
	n, k := len(offsets), len(sizes)
	whole := n &^ 7
	if !vectors() || whole < minIndices || k == 0 || !holds(&tuples, n, k) || !short(sizes) || !short(strides[:k:len(strides)]) {
		return generic.ResolveTuples(offsets, tuples, sizes, strides, col)
	}
	var z I
	width := int(unsafe.Sizeof(z))
	if raceEnabled {
		for i := range n {
			for t := range k {
				touchIndices(tuples.Data, tuples.At+i*tuples.Row+t*tuples.Col, 1)
			}
		}
	}
	done := 0
	for done < whole {
		piece := min(whole-done, max(8, pieceElements/k&^7))
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
	return after(offsets[done:], bad, done, done*col)
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

// apart reports whether offsets are not what is written: bodies follow them after
// all were looked at, and would follow what they have written themselves.
func apart[T any](dst []T, offsets []int) bool {
	var z T
	d, o := uintptr(unsafe.Pointer(unsafe.SliceData(dst))), uintptr(unsafe.Pointer(unsafe.SliceData(offsets)))
	return d+uintptr(len(dst))*unsafe.Sizeof(z) <= o || o+uintptr(len(offsets))*unsafe.Sizeof(offsets[0]) <= d
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
	oneByOne                    // a table a row, by loads of single elements
	resolved                    // offsets first, then elements one by one
)

func selectGather[T Elem, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) int {
	var z T
	var x I
	e, i := int(unsafe.Sizeof(z)), int(unsafe.Sizeof(x))
	if !vectors() || rows <= 0 || cols < minRow || size <= 0 || size > math.MaxInt32 ||
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
	if c.form = c.choose(src.Col); c.form == resolved && uint(step) > math.MaxUint32 {
		return genericGather(dst, src, size, step, indices, rows, cols)
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
	if c.form == oneByOne {
		return c.each()
	}
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

// each gathers from tables by indices as they are. The body stops at one that
// is negative or bad; the block that begins there is resolved.
func (c *gatherCall) each() int {
	bytes := c.size * c.elem
	ahead := c.tableRow != 0 && c.size <= 4*c.cols && leastAhead <= bytes && bytes <= mostAhead
	for i := range c.rows {
		table := add(c.table, i*c.tableRow)
		if ahead && i+1 < c.rows {
			prefetchPiece(add(table, c.tableRow), bytes)
		}
		for j := 0; j < c.cols; {
			d, x := add(c.dst, i*c.dstRow+j*c.elem), add(c.indices, i*c.indicesRow+j*c.index)
			n := gatherEachPiece(c.elem, c.index, d, table, x, c.size, min(c.cols-j, pieceElements))
			if n == 0 {
				n = min(c.cols-j, blockOffsets)
				block := gatherCall{dst: d, table: table, indices: x, size: c.size, step: 1, rows: 1, cols: n, elem: c.elem, index: c.index}
				if bad := block.resolved(0); bad >= 0 {
					return i*c.cols + j + bad
				}
			}
			j += n
		}
	}
	return -1
}

// prefetchedAhead is how much is prefetched of short rows to come, in bytes, at least.
// Rows of strips lie a page and more apart, where nothing is fetched by itself: in
// strips of 64 columns W3 takes 12 ms and without this 22 (Zen 3).
const prefetchedAhead = 2 << 10

// resolved gathers what no fused body does.
//
//go:noinline
func (c *gatherCall) resolved(col int) int {
	var block [blockOffsets]int
	ahead, soon := 0, soonBytes
	if bytes := c.cols * (c.index + c.elem); c.rows > 1 && bytes < prefetchedAhead {
		ahead = min(1+prefetchedAhead/bytes, 8)
		soon = ahead * c.indicesRow
	}
	for i := range c.rows {
		if ahead > 0 && i+ahead < c.rows {
			prefetchPiece(add(c.dst, (i+ahead)*c.dstRow), c.cols*c.elem)
		}
		for j := 0; j < c.cols; {
			d, x := add(c.dst, i*c.dstRow+j*c.elem), add(c.indices, i*c.indicesRow+j*c.index)
			n := min(c.cols-j, blockOffsets)
			bad := -1
			if c.index == 4 {
				bad = resolve(block[:n], unsafe.Slice((*int32)(unsafe.Pointer(x)), n), 0, 1, c.size, c.step, nil, col, soon)
			} else {
				bad = resolve(block[:n], unsafe.Slice((*int64)(unsafe.Pointer(x)), n), 0, 1, c.size, c.step, nil, col, soon)
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

func selectGatherRows[T Elem](dst Plane[T], src []T, at, col int, offsets []int, cols int) {
	var z T
	width, n := int(unsafe.Sizeof(z)), len(offsets)
	rows := cols > 1 && col == 1 && dst.Col == 1 && cols*width <= pieceBytes
	if vectors() && n > 0 && (rows || cols == 1 && dst.Row == 1 && n >= minIndices) &&
		holds(&dst, n, cols) && apart(dst.Data, offsets) && offsetsInside(offsets, at, len(src)-cols+1) {
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
		n := min(len(offsets), pieceRows(bytes))
		gatherRowsPiece(dst, src, at, &offsets[0], n, shift, bytes, dstRow, stream)
		if offsets = offsets[n:]; len(offsets) == 0 {
			return
		}
		dst = add(dst, n*dstRow)
	}
}
