package lanes

import (
	"math/bits"
	"unsafe"
)

// The guards check what a body relies on: all that a call reaches lies in its memory, and there is
// something to do. A call that no body serves, or that leaves its memory, goes to package generic,
// where it panics as Go does.

// Assembly cannot be pre-empted, so bodies work on pieces of at most:
const (
	pieceElements = 8 << 10   // moved one by one
	pieceBytes    = 256 << 10 // moved in rows
	blockOffsets  = 512       // resolved at a time, on the stack
)

// pieceRows returns how many rows of so many bytes are a piece. Short rows count as elements,
// because each may be a cache miss.
func pieceRows(bytes int) int { return max(1, min(pieceBytes/bytes, pieceElements)) }

const line = 64 // bytes of a cache line

// wholeLines reports whether rows of so many bytes are whole cache lines, or long. Stores past the
// caches cost more than others where a row ends inside of a line, which is then read and written by
// itself. (Zen 4, ms for 20 MB from a table of 16 KB, past the caches and into them: rows of 256
// bytes 0.6 and 1.3, of 400 2.4 and 1.2, of 800 1.0 and 1.1, of 4000 0.8 and 1.6.) Ordinary stores
// to rows that lie apart leave lines written in part, too. (40 MB copied to rows of 516 bytes that
// are 772 apart 4.9 and 4.7, of 772 bytes 4.8 and 5.5, of 1028 4.3 and 5.8; of 1028 that follow
// each other 4.0 and 3.3.)
func wholeLines(dst *byte, dstRow, bytes int) bool {
	const long, longApart = 2 << 10, 768
	least := long
	if max(dstRow, -dstRow)-bytes >= line {
		least = longApart
	}
	return bytes >= least || (uintptr(unsafe.Pointer(dst))|uintptr(dstRow)|uintptr(bytes))%line == 0
}

// Shorter calls stay with package generic: reaching a body costs some 5 ns.
const (
	minIndices = 16
	minRow     = 4
)

// elem returns the address of an element.
func (m *Memory) elem(at int) *byte { return (*byte)(unsafe.Add(m.Ptr, at*m.Kind.Width())) }

func add(p *byte, n int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), n)) }

// has reports whether n elements from at on are in m.
func (m *Memory) has(at, n int) bool { return uint(at) <= uint(m.Len) && uint(n) <= uint(m.Len-at) }

// from returns the rest of m from element at on.
func (m *Memory) from(at int) Memory {
	rest := Memory{Len: m.Len - at, Kind: m.Kind}
	if rest.Len > 0 { // a pointer past the end is not allowed
		rest.Ptr = unsafe.Pointer(m.elem(at))
	}
	return rest
}

// holds reports whether rows × cols of w are in its memory. rows and cols are at least 1.
func (w *Window) holds(rows, cols int) bool {
	return inside(w.Len, w.At, w.Row, rows, w.Col, cols, 0, 1)
}

// inside reports whether all elements at + i*row + j*col + k*step, for i < rows, j < cols and k <
// size, are in a slice of n elements. rows, cols and size are at least 1.
func inside(n, at, row, rows, col, cols, step, size int) bool {
	low, high, ok := reach(row, rows-1, n)
	l, h, ok1 := reach(col, cols-1, n)
	m, i, ok2 := reach(step, size-1, n)
	return ok && ok1 && ok2 && uint(at) < uint(n) && l+low+m <= at && h+high+i < n-at
}

// reach returns how far last steps lead down and up, and whether that is at most n, so that sums of
// three do not overflow.
func reach(step, last, n int) (down, up int, ok bool) {
	far, extent := bits.Mul(uint(max(step, -step)), uint(last))
	if step < 0 {
		return int(extent), 0, far == 0 && extent <= uint(n)
	}
	return 0, int(extent), far == 0 && extent <= uint(n)
}

// apart reports whether offsets do not overlap m. Bodies use offsets after all have been checked,
// so a store must not change them.
func (m *Memory) apart(offsets []int) bool {
	d, o := uintptr(m.Ptr), uintptr(unsafe.Pointer(unsafe.SliceData(offsets)))
	return d+uintptr(m.Len*m.Kind.Width()) <= o || o+uintptr(len(offsets))*unsafe.Sizeof(offsets[0]) <= d
}

// offsetsInside reports whether every at+offset is in [0, limit).
func offsetsInside(on isa, offsets []int, at, limit int) bool {
	if limit <= 0 {
		return false
	}
	for len(offsets) >= checkOffsetsStep {
		n := min(len(offsets), pieceElements) &^ (checkOffsetsStep - 1)
		in, ok := checkOffsetsPiece(on, &offsets[0], n, at, limit)
		if !ok {
			break
		}
		if !in {
			return false
		}
		offsets = offsets[n:]
	}
	for _, o := range offsets {
		if uint(at+o) >= uint(limit) {
			return false
		}
	}
	return true
}
