package lanes

import (
	"sync"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// TestCalibrate: goroutines that make their first calls at once measure one after the other, and
// know the traits then.
func TestCalibrate(t *testing.T) {
	const traits = dispatch.FastGather | dispatch.FastMovs
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { calibrate(traits) })
	}
	all.Wait()
	if !dispatch.Known(traits) {
		t.Error("the traits are unknown")
	}
	if !calibrates.TryLock() {
		t.Fatal("still locked")
	}
	calibrates.Unlock()
}
