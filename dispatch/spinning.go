package dispatch

import (
	"io"
	"os"
)

// Spinning reports whether LANES_SPINNING allows goroutines to poll for work before they end or
// sleep. It is "on" or "off".
func Spinning() bool { return spinning }

var spinning = spins(os.Getenv("LANES_SPINNING"), os.Stderr)

func spins(setting string, warn io.Writer) bool {
	switch setting {
	case "", "on":
		return true
	case "off":
		return false
	}
	warning(warn, "LANES_SPINNING="+setting+": neither on nor off; on")
	return true
}
