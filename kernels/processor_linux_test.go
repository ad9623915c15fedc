package kernels

import (
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLeaveProcessor: a thread is on another processor after it has left one, if there are several, and may run
// where it might before.
func TestLeaveProcessor(t *testing.T) {
	if processor() < 0 {
		require.False(t, getcpu() != 0 && mayMove())
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	may := func() (p processors) {
		require.True(t, p.call(syscall.SYS_SCHED_GETAFFINITY))
		return p
	}
	before, one, moved := may(), processors{}, false
	one[processor()/64] = 1 << (processor() % 64)
	for range 100 { // or it comes back before it is asked
		here := processor()
		leaveProcessor(here)
		moved = moved || processor() != here
	}
	require.Equal(t, before != one, moved)
	leaveProcessor(-1)
	leaveProcessor(1 << 20)
	require.Equal(t, before, may())

	one = processors{}
	one[processor()/64] = 1 << (processor() % 64)
	require.True(t, one.call(syscall.SYS_SCHED_SETAFFINITY))
	defer before.call(syscall.SYS_SCHED_SETAFFINITY)
	leaveProcessor(processor())
	require.Equal(t, one, may(), "there is no other")
}
