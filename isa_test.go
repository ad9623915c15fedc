package lanes

import (
	"sync"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// TestCalibrate: goroutines that make their first calls at once measure one after the other.
func TestCalibrate(t *testing.T) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { calibrate(dispatch.FastGather | dispatch.FastMovs) })
	}
	all.Wait()
	if !calibrates.TryLock() {
		t.Fatal("still locked")
	}
	calibrates.Unlock()
}
