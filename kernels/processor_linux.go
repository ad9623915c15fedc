package kernels

import (
	"bytes"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Linux may wake a helper's thread on the processor of its caller though another is idle: to a virtual
// machine an idle processor looks like one that the host has taken away. The two share a processor then
// until the scheduler balances, for milliseconds, and the caller stands still meanwhile. So a helper
// that begins beside its caller moves. (BenchmarkAfterPause. Zen 4, a virtual machine of 2 processors,
// the third call after the pause, µs by two workers where helpers stay and where they move: of 100 rows
// 260 and 153, of 300 1221 and 654. A caller that lets the helper run by sched_yield gains in no median,
// and loses milliseconds where other programs run.)

// mayMove says that threads may say where they run: a filter of system calls might end the process for it.
var mayMove = sync.OnceValue(func() bool {
	status, err := os.ReadFile("/proc/self/status")
	return err == nil && bytes.Contains(status, []byte("\nSeccomp:\t0\n"))
})

// processor returns the number of the processor that the goroutine runs on, or -1.
func processor() int {
	var n uint32
	if !mayMove() {
		return -1
	}
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&n)), 0, 0); e != 0 {
		return -1
	}
	return int(n)
}

// leaveProcessor moves the goroutine's thread to another processor, if it may use one. The thread is
// free to come back.
func leaveProcessor(n int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all unix.CPUSet
	if unix.SchedGetaffinity(0, &all) != nil {
		return
	}
	others := all
	if others.Clear(n); others.Count() > 0 && unix.SchedSetaffinity(0, &others) == nil {
		unix.SchedSetaffinity(0, &all) //nolint:errcheck // what was allowed before
	}
}
