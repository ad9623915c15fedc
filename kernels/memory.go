package kernels

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// operand returns the memory of dst or src.
func (c *call) operand(op int) *lanes.Memory {
	if op == dstOp {
		return &c.dst
	}
	return &c.src
}

// window returns an operand of two loops as primitives take it.
func window(m lanes.Memory, op int, at position, row, col *loop, stream bool) lanes.Window {
	return lanes.Window{Memory: m, At: at.of(op), Row: row.s[op], Col: col.s[op], Stream: stream}
}

// part returns the n elements of a memory from position at.
func part(m lanes.Memory, at, n int) lanes.Memory {
	if n == 0 { // a pointer past the end is not allowed
		return lanes.Memory{Kind: m.Kind}
	}
	return lanes.Memory{Ptr: unsafe.Add(m.Ptr, at*m.Kind.Width()), Len: n, Kind: m.Kind}
}

// slice returns a memory as a slice of T.
func slice[T any](m *lanes.Memory) []T { return unsafe.Slice((*T)(m.Ptr), m.Len) }

// buffers holds large scratch: packed strips, compact indices, tiles, copies of operands.
var buffers = sync.Pool{New: func() any { return new([]uint64) }}

// bufferFor returns a buffer with n elements of a kind. The caller puts it back to buffers.
func bufferFor(n int, kind lanes.Kind) (*[]uint64, lanes.Memory) {
	buffer := buffers.Get().(*[]uint64)
	if len(*buffer)*8 < n*kind.Width() {
		*buffer = make([]uint64, (n*kind.Width()+7)/8)
	}
	return buffer, lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(*buffer)), Len: n, Kind: kind}
}

// clearBytes sets bytes to 0, in pieces. The goroutine can be stopped in the prologue of
// clearPiece.
func clearBytes(s []byte) {
	for len(s) > 0 {
		n := min(len(s), pieceBytes)
		clearPiece(s[:n])
		s = s[n:]
	}
}

//go:noinline
func clearPiece(s []byte) { clear(s) }

// pieceBytes bounds what is cleared, compared or copied at once, because that is not pre-empted.
const pieceBytes = 256 << 10

// sizeOf returns the bytes of an operand.
func sizeOf(m lanes.Memory) int64 { return int64(m.Len) * int64(m.Kind.Width()) }

// widen joins neighbours that move together into one unit of up to 16 bytes, such as rows of four
// float32. All steps and starts must be multiples of the new unit. It reports whether it has joined
// any. (Zen 4, ns an element before and after: rows of two float32 gathered 1.1 and 0.19, of four
// 0.56 and 0.17, scattered 3.0 and 0.31, 1.6 and 0.24.)
func (c *call) widen() bool {
	run := c.last(1)
	if run.n < 2 || !unalignedAccess || c.elem.refs != nil || c.elem.units > 1 || run.s[dstOp] != 1 || run.s[srcOp] != 1 || run.s[idxOp] != 0 {
		return false
	}
	width := c.elem.kind.Width()
	n := min(run.n&-run.n, 16/width) // a power of two
	if n < 2 {
		return false
	}
	bytes := n * width
	if (c.at.dst|c.at.src|c.step)&(n-1) != 0 {
		return false
	}
	for _, step := range c.tuples.all() {
		if step&(n-1) != 0 {
			return false
		}
	}
	loops := c.loops()
	loops = loops[:len(loops)-1]
	for i := range loops {
		if (loops[i].s[dstOp]|loops[i].s[srcOp])&(n-1) != 0 {
			return false
		}
	}
	kind := lanes.BitsOf(bytes)
	c.elem.kind, c.elem.together = kind, n
	c.dst.Kind, c.dst.Len = kind, c.dst.Len/n
	c.src.Kind, c.src.Len = kind, c.src.Len/n
	c.at.dst /= n
	c.at.src /= n
	c.step /= n
	c.tuples.long = slices.Clone(c.tuples.long) // which copies of the call share
	for d, step := range c.tuples.all() {
		c.tuples.set(d, step/n)
	}
	for i := range loops {
		loops[i].s[dstOp] /= n
		loops[i].s[srcOp] /= n
	}
	if run.n /= n; run.n == 1 {
		*run = one
	}
	return true
}
