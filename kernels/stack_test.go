package kernels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestMaxStackVariable watches the compiler's limit: an array that is larger
// must not be on a stack, because other goroutines may be given its address.
func TestMaxStackVariable(t *testing.T) {
	require.NotZero(t, testing.AllocsPerRun(10, func() {
		var array [kernels.MaxStackVariable + 1]byte
		touch(array[:])
	}), "Go now keeps larger variables on the stack: raise maxStackVariable")
	require.NotZero(t, testing.AllocsPerRun(10, func() {
		touch(make([]byte, kernels.MaxStackVariable+1))
	}))
}

//go:noinline
func touch(b []byte) { b[0], b[len(b)-1] = 1, 1 }
