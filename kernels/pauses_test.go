package kernels_test

import (
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestPauses: the world stops in less than a millisecond while an operator
// moves 256 MiB. Neither assembly nor copy can be pre-empted, so that a piece that
// is too large shows here: a plain copy of as much takes tens of milliseconds.
//
// Other programs on the machine hold up a stop too, now and then. A large
// piece would hold up most of them. So half of them have to be that short, in one of some
// attempts; with LANES_PAUSES=all each one has to.
func TestPauses(t *testing.T) {
	if testing.Short() {
		kernels.LeaveOut(t, "moves 256 MiB many times")
	}
	const (
		bytes    = 256 << 20
		cols     = 4096
		rows     = bytes / 4 / cols
		attempts = 20
		pauses   = 40
		bar      = time.Millisecond
	)
	data, dst := make([]float32, rows*cols), make([]float32, rows*cols)
	indices := make([]int64, rows*cols/8)
	for i := range indices {
		indices[i] = int64(i * 7919 % cols)
	}
	few := []int{rows / 8, cols}
	rowIndices := make([]int64, rows)
	for i := range rowIndices {
		rowIndices[i] = int64(i * 31 % rows)
	}
	narrow, narrowDst := make([]uint8, 1<<18*1008), make([]uint8, 1<<18*2)
	const tuples = 4096
	components, ones := make([]int64, tuples*2000), repeat(2000, 1)
	large, largeDst := make([][1024]string, 4096), make([][1024]string, 4096) // 64 MiB
	const long = 128 << 20
	condition := make([]bool, long+1) // ends within the second of two rows, which do not merge, and is padded
	condition[5] = true
	repeated := kernels.New(make([]int8, 2*long/8), 2, long/8) // two equal rows
	repeated.Data[5], repeated.Data[5+long/8] = 1, 1
	whole := kernels.New(data, rows, cols)
	all := []bool{true, true}
	for _, move := range []struct {
		name string
		call func() error
	}{
		{"copy", func() error {
			return kernels.StridedSlice(kernels.New(dst, rows, cols), whole, kernels.SliceSpec{}, kernels.Workers(1))
		}},
		{"reversed", func() error {
			return kernels.StridedSlice(kernels.New(dst, rows, cols), whole,
				kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{1, -1}, BeginMask: all, EndMask: all}, kernels.Workers(1))
		}},
		{"one long row", func() error {
			return kernels.StridedSlice(kernels.New(dst, rows*cols), kernels.New(data, rows*cols), kernels.SliceSpec{}, kernels.Workers(1))
		}},
		{"rows", func() error {
			return kernels.GatherND(kernels.New(dst, rows, cols), whole, kernels.New(rowIndices, rows, 1), 0, kernels.Workers(1))
		}},
		{"gather", func() error {
			return kernels.GatherElements(kernels.New(dst[:len(indices)], few...), whole, kernels.New(indices, few...), 1, kernels.Workers(1))
		}},
		{"scatter into a copy", func() error {
			return kernels.ScatterElementsUpdate(kernels.New(dst, rows, cols), whole, kernels.New(indices, few...), kernels.New(data[:len(indices)], few...), 1,
				kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(1))
		}},
		{"narrow rows", func() error { // each a miss of the caches
			return kernels.StridedSlice(kernels.New(narrowDst, 1<<18, 2), kernels.New(narrow, 1<<18, 1008),
				kernels.SliceSpec{Begin: []int64{0, 5}, End: []int64{0, 7}, EndMask: []bool{true}}, kernels.Workers(1))
		}},
		{"long tuples", func() error {
			return kernels.GatherND(kernels.New(dst[:tuples], tuples), kernels.Tensor[float32]{Data: data, Shape: ones}, kernels.New(components, tuples, 2000), 0, kernels.Workers(1))
		}},
		{"large elements", func() error {
			return kernels.StridedSlice(kernels.New(largeDst, 4096), kernels.New(large, 4096), kernels.SliceSpec{}, kernels.Workers(1))
		}},
		{"padded condition", func() error {
			return kernels.Compress(kernels.New(narrowDst[:1], 1), kernels.Tensor[uint8]{Data: narrow, Shape: []int{2, long}, Strides: []int{0, 1}},
				kernels.New(condition, long+1), kernels.Flattened, kernels.Workers(1))
		}},
		{"plan", func() error {
			_, err := kernels.NewGatherPlan[float32](repeated.Shape, repeated, 1)
			return err
		}},
		{"mean", func() error {
			return kernels.ScatterElementsUpdate(kernels.New(dst, rows, cols), whole, kernels.New(indices, few...), kernels.New(data[:len(indices)], few...), 1,
				kernels.ScatterAttrs{Reduction: kernels.Mean}, kernels.Workers(1))
		}},
	} {
		t.Run(move.name, func(t *testing.T) {
			judged := pauses / 2
			if os.Getenv("LANES_PAUSES") == "all" {
				judged = pauses - 1
			}
			var best []time.Duration
			for range attempts {
				took := pausesOf(t, pauses, move.call)
				if slices.Sort(took); best == nil || took[judged] < best[judged] {
					best = took
				}
				if best[judged] < bar {
					break
				}
			}
			t.Logf("stops of the world: median %v, nine in ten %v, longest %v of %d", best[pauses/2], best[pauses*9/10], best[pauses-1], pauses)
			require.Less(t, best[judged], bar)
		})
	}
}

// pausesOf stops the world some times while a goroutine makes calls, and returns how long each stop
// took.
func pausesOf(t *testing.T, n int, call func() error) []time.Duration {
	t.Helper()
	var done, failed atomic.Bool
	started, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		close(started)
		for !done.Load() && !failed.Load() {
			failed.Store(call() != nil)
		}
	}()
	<-started
	took := make([]time.Duration, n)
	var stats runtime.MemStats
	for i := range took {
		time.Sleep(time.Millisecond)
		begin := time.Now()
		runtime.ReadMemStats(&stats) // stops the world
		took[i] = time.Since(begin)
	}
	done.Store(true)
	<-ended
	require.False(t, failed.Load(), "the call failed")
	return took
}
