package kernels

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

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

// TestSandboxLater: a program that sets a filter of system calls, which ends it for those that move a thread, lives on.
func TestSandboxLater(t *testing.T) {
	const inside = "LANES_SANDBOXED"
	if runtime.GOARCH != "amd64" {
		return // the numbers below are those of amd64
	}
	if os.Getenv(inside) == "" {
		c := exec.Command(os.Args[0], "-test.run=^TestSandboxLater$")
		c.Env = append(os.Environ(), inside+"=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	runtime.LockOSThread() // of a thread that ends with the test
	type instruction struct {
		code   uint16
		jt, jf uint8
		k      uint32
	}
	program := []instruction{
		{0x20, 0, 0, 0}, // load the number of the call
		{0x15, 1, 0, uint32(getcpu())}, {0x15, 0, 1, syscall.SYS_SCHED_SETAFFINITY},
		{0x06, 0, 0, 0x8000_0000}, // end the process
		{0x06, 0, 0, 0x7FFF_0000}, // allow
	}
	filter := struct {
		n    uint16
		list *instruction
	}{uint16(len(program)), &program[0]}
	const noNewPrivileges, seccomp, setFilter, allThreads = 38, 317, 1, 1
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); e != 0 {
		return // this machine has no filters
	}
	if _, _, e := syscall.RawSyscall(seccomp, setFilter, allThreads, uintptr(unsafe.Pointer(&filter))); e != 0 {
		return
	}
	require.Equal(t, -1, processor())
}
