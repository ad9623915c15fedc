package lanes

import (
	"sync"
	"testing"
)

// TestCalibrate: goroutines that make their first calls at once measure one after the other.
func TestCalibrate(t *testing.T) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(calibrate)
	}
	all.Wait()
	if !calibrates.TryLock() {
		t.Fatal("still locked")
	}
	calibrates.Unlock()
}
