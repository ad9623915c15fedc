package stack

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

var (
	global [8]byte
	kept   []byte
)

// holds is Holds of what does not escape by it.
func holds[T any](p *T) bool { return Holds(unsafe.Pointer(p), int(unsafe.Sizeof(*p))) }

func TestHolds(t *testing.T) {
	var local [100]byte
	require.True(t, holds(&local))
	require.True(t, holds(&local[99]))
	require.False(t, Holds(unsafe.Pointer(&local), 0))
	require.False(t, holds(&global))
	kept = make([]byte, 1<<20)
	if low, high := bounds(); Exact || uintptr(unsafe.Pointer(&kept[0])) < low || high-low < 1<<20 {
		require.False(t, Holds(unsafe.Pointer(&kept[0]), 1<<20))
	}

	// Operands of any size, on a stack that has grown for them.
	done := make(chan bool)
	go func() { done <- parameter([300 << 10]byte{}) && result()[5] == 1 }()
	require.True(t, <-done)
}

//go:noinline
func parameter(a [300 << 10]byte) bool { return holds(&a) }

//go:noinline
func result() (a [300 << 10]byte) {
	if holds(&a) {
		a[5] = 1
	}
	return a
}
