//go:build !windows

package protocol

import "time"

var began = time.Now()

// Clock returns the time since some moment.
func Clock() time.Duration { return time.Since(began) }
