package kernels

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestLeaveProcessor: a thread is on another processor after it has left one, if there are several, and may run
// where it might before.
func TestLeaveProcessor(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &before))
	moved := false
	for range 100 { // or it comes back before it is asked
		here := processor()
		if here < 0 {
			require.False(t, mayMove())
			return
		}
		leaveProcessor(here)
		moved = moved || processor() != here
	}
	require.Equal(t, before.Count() > 1, moved)
	leaveProcessor(-1)
	leaveProcessor(1 << 20)
	require.NoError(t, unix.SchedGetaffinity(0, &after))
	require.Equal(t, before, after)

	one := unix.CPUSet{}
	one.Set(processor())
	require.NoError(t, unix.SchedSetaffinity(0, &one))
	defer unix.SchedSetaffinity(0, &before) //nolint:errcheck // it was so
	leaveProcessor(processor())
	require.NoError(t, unix.SchedGetaffinity(0, &after))
	require.Equal(t, one, after, "there is no other")
}
