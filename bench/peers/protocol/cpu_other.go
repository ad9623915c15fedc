//go:build !unix

package protocol

import "time"

// cpuTime is 0: this system has no call for it.
func cpuTime() time.Duration { return 0 }
