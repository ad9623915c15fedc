package kernels

import (
	"math"
	"runtime"
	"syscall"
	"unsafe"
)

// Linux may wake a helper's thread on the processor of its caller though another is idle: to a
// virtual machine an idle processor looks like one that the host has taken away. The two share a
// processor then until the scheduler balances, for milliseconds, and the caller stands still
// meanwhile. So a helper that begins beside its caller moves. (Zen 4, a virtual machine of 2
// processors. BenchmarkBegin: after a pause of 10 ms 95 of 100 begin there, 1.8 ms late.
// BenchmarkAfterPause, the third call, µs by two workers where helpers stay and where they move: of
// 100 rows 297 and 234, of 300 1084 and 741.)

// getcpu returns the number of a system call that package syscall lacks, on ports where helpers
// move; else 0. (Package unix has it, and makes a program with one gather 220 KB larger.)
func getcpu() uintptr {
	switch runtime.GOARCH {
	case "amd64":
		return 309
	case "arm64":
		return 168
	}
	return 0
}

// mayMove says that the thread may say where it runs: a filter of system calls might end the
// process for it. It asks anew each time, as a program may set a filter at any time. (The runtime
// itself calls prctl.)
func mayMove() bool {
	const getSeccomp = 21
	mode, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, getSeccomp, 0, 0)
	return e == 0 && mode == 0
}

// processor returns the number of the processor that the goroutine runs on, or -1.
func processor() int {
	var n uint32
	if getcpu() == 0 || !mayMove() {
		return -1
	}
	if _, _, e := syscall.RawSyscall(getcpu(), uintptr(unsafe.Pointer(&n)), 0, 0); e != 0 {
		return -1
	}
	return int(n)
}

// leaveProcessor moves the goroutine's thread to another processor, if it may use one. The thread
// is free to come back.
func leaveProcessor(n int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all processors
	if !all.call(syscall.SYS_SCHED_GETAFFINITY) || n < 0 || n >= 64*len(all) {
		return
	}
	others := all
	if others[n/64] &^= 1 << (n % 64); others == (processors{}) || !others.call(syscall.SYS_SCHED_SETAFFINITY) {
		return
	}
	// Any is what a thread has that nobody bound to some: it follows the process when that gets
	// more.
	var any, now processors
	for i := range any {
		any[i] = math.MaxUint64
	}
	if !any.call(syscall.SYS_SCHED_SETAFFINITY) || !now.call(syscall.SYS_SCHED_GETAFFINITY) || now != all {
		all.call(syscall.SYS_SCHED_SETAFFINITY) // somebody did
	}
}

// processors are where a thread may run: a bit each, in the words of ports with little-endian
// memory.
type processors [16]uint64

// call gets or sets those of the thread, and reports whether that was allowed.
func (p *processors) call(number uintptr) bool {
	_, _, e := syscall.RawSyscall(number, 0, unsafe.Sizeof(*p), uintptr(unsafe.Pointer(p)))
	return e == 0
}
