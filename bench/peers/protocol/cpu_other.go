//go:build !unix

package protocol

import "time"

// CPUTime is 0: this system has no call for it.
func CPUTime() time.Duration { return 0 }
