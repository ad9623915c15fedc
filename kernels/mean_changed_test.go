//go:build !race

package kernels_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestMeanOfChangingIndices: who writes indices during a mean gets any result, but does not spoil
// the counters that later means find.
func TestMeanOfChangingIndices(t *testing.T) {
	const n, m = 20000, 600
	data, dst := kernels.New(make([]float64, n), n), kernels.New(make([]float64, n), n)
	x, u := kernels.New(make([]int64, m), m), kernels.New(make([]float64, m), m)
	for i := range x.Data {
		x.Data[i], u.Data[i] = int64(i), 1
	}
	mean := func(x kernels.Tensor[int64]) {
		require.NoError(t, kernels.ScatterElementsUpdate(dst, data, x, u, 0, kernels.ScatterAttrs{Reduction: kernels.Mean}, kernels.Workers(1)))
	}
	var stop atomic.Bool
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := int64(0); !stop.Load(); i++ {
			for j := range x.Data {
				x.Data[j] = int64(j) + 1000*(i&7)
			}
		}
	})
	for range 10_000 {
		mean(x)
	}
	stop.Store(true)
	writer.Wait()
	good := kernels.New(make([]int64, m), m)
	for k := range 8 {
		for i := range good.Data {
			good.Data[i] = int64(i + 1000*k)
		}
		mean(good)
		for i := range good.Data {
			require.Equal(t, 0.5, dst.Data[i+1000*k])
		}
	}
}
