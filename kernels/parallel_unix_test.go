//go:build unix

package kernels_test

import (
	"syscall"
	"time"
)

// processorTime returns what all threads of the process have spent.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
