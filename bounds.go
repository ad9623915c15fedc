package lanes

import (
	"math/bits"
	"unsafe"
)

// The guards see to it that a body can rely on its arguments: what a call reaches lies in its
// memory, and there is something to do. A call without a body, or that reaches outside, goes
// to package generic, where it panics as Go does.

// Assembly can't be pre-empted, so that it works on pieces.
const (
	pieceElements = 8 << 10   // moved one by one
	pieceBytes    = 256 << 10 // moved in rows
	blockOffsets  = 512       // resolved at a time, on the stack
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

// elem is the address of an element, as bodies take it.
func (m *Memory) elem(at int) *byte { return (*byte)(unsafe.Add(m.Ptr, at*m.Kind.Width())) }

func add(p *byte, n int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), n)) }

// has reports whether n elements from at on are in m.
func (m *Memory) has(at, n int) bool { return uint(at) <= uint(m.Len) && uint(n) <= uint(m.Len-at) }

// from returns what is left of m from at on, which is in it or its end.
func (m *Memory) from(at int) Memory {
	rest := Memory{Len: m.Len - at, Kind: m.Kind}
	if rest.Len > 0 { // else a pointer would be to what lies behind
		rest.Ptr = unsafe.Pointer(m.elem(at))
	}
	return rest
}

// holds reports whether rows × cols of w are in its memory. rows and cols are at least 1.
func (w *Window) holds(rows, cols int) bool {
	return inside(w.Len, w.At, w.Row, rows, w.Col, cols, 0, 1)
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

// apart reports whether offsets are not what is written: bodies follow them after
// all were looked at, and would follow what they have written themselves.
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
