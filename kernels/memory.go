package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
)

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

// buffers holds the memory of packed strips and compact indices.
var buffers = sync.Pool{New: func() any { return new([]uint64) }}

// bufferFor returns a buffer with n elements of a kind. The caller puts it back to buffers.
func bufferFor(n int, kind lanes.Kind) (*[]uint64, lanes.Memory) {
	buffer := buffers.Get().(*[]uint64)
	if len(*buffer)*8 < n*kind.Width() {
		*buffer = make([]uint64, (n*kind.Width()+7)/8)
	}
	return buffer, lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(*buffer)), Len: n, Kind: kind}
}
