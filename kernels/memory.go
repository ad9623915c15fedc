package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// window returns an operand as primitives take it.
func window(m lanes.Memory, op int, at *[3]int, row, col *loop, stream bool) lanes.Window {
	return lanes.Window{Memory: m, At: at[op], Row: row.s[op], Col: col.s[op], Stream: stream}
}

// part returns n elements of a memory from one on.
func part(m lanes.Memory, at, n int) lanes.Memory {
	if n == 0 { // no pointer may lead past the end
		return lanes.Memory{Kind: m.Kind}
	}
	return lanes.Memory{Ptr: unsafe.Add(m.Ptr, at*m.Kind.Width()), Len: n, Kind: m.Kind}
}

func slice[T any](m *lanes.Memory) []T { return unsafe.Slice((*T)(m.Ptr), m.Len) }

// buffers are for packed strips, compact indices and the like.
var buffers = sync.Pool{New: func() any { return new([]uint64) }}

// bufferFor returns a buffer, which goes back to buffers, with n elements of a kind.
func bufferFor(n int, kind lanes.Kind) (*[]uint64, lanes.Memory) {
	buffer := buffers.Get().(*[]uint64)
	if len(*buffer)*8 < n*kind.Width() {
		*buffer = make([]uint64, (n*kind.Width()+7)/8)
	}
	return buffer, lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(*buffer)), Len: n, Kind: kind}
}
