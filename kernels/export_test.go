package kernels

import (
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// CutSmall makes small calls do what only large ones do otherwise: they are
// cut into parts for several goroutines, a mean has few counters at a time,
// and wide ones, columns are packed, data is copied in slabs, short rows of
// equal indices are found, and outputs go past the caches.
func CutSmall(t *testing.T) {
	table, limit, counted := dispatch.Default, stackLimit, mostCounted
	t.Cleanup(func() { dispatch.Default, stackLimit, mostCounted = table, limit, counted })
	dispatch.Default.FewElements = 0
	dispatch.Default.TaskElements, dispatch.Default.TaskBytes = 2, 8
	dispatch.Default.MeanCells, dispatch.Default.MeanSparse = 6, 1
	dispatch.Default.StripTable, dispatch.Default.StripBytes = 0, 256
	dispatch.Default.StreamBytes, dispatch.Default.SlabBytes = 0, 16
	dispatch.Default.ConstantRow = 2
	dispatch.Default.OwnedTable = 0
	stackLimit, mostCounted = -1, 3
}

// Ways runs a test with calls on few elements as they are, run directly, and
// then as if they were on many.
func Ways(t *testing.T, test func(t *testing.T)) {
	few := dispatch.Default.FewElements
	t.Cleanup(func() { dispatch.Default.FewElements = few })
	t.Run("few", test)
	dispatch.Default.FewElements = 0
	t.Run("many", test)
}

// MaxStackVariable is what the compiler is taken to put on a stack at most.
const MaxStackVariable = maxStackVariable
