package protocol

import (
	"syscall"
	"time"
	"unsafe"
)

var (
	kernel32  = syscall.NewLazyDLL("kernel32.dll")
	counter   = kernel32.NewProc("QueryPerformanceCounter")
	frequency = func() (hz int64) {
		kernel32.NewProc("QueryPerformanceFrequency").Call(uintptr(unsafe.Pointer(&hz)))
		return hz
	}()
)

// Clock returns the time since some moment. That of package time goes in steps of 0.5 ms and more here,
// longer than a sample.
func Clock() time.Duration {
	var n int64
	counter.Call(uintptr(unsafe.Pointer(&n)))
	return time.Duration(n/frequency)*time.Second + time.Duration(n%frequency*int64(time.Second)/frequency)
}
