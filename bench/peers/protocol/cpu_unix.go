//go:build unix

package protocol

import (
	"syscall"
	"time"
)

// CPUTime returns how long CPUs have worked for this process.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
