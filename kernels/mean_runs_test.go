package kernels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestMeanOfRuns: the cells of a run share a counter, also where other cells lie between them.
func TestMeanOfRuns(t *testing.T) {
	for _, ignoreInit := range []bool{false, true} {
		for _, strides := range [][]int{nil, {0, 1}} { // the same index in each row: written out, and broadcast
			meanOfRuns(t, strides, ignoreInit, func(v int) float32 { return float32(v) })
			meanOfRuns(t, strides, ignoreInit, func(v int) int64 { return int64(v) })
			meanOfRuns(t, strides, ignoreInit, func(v int) int8 { return int8(v) })
		}
	}
}

func meanOfRuns[T any](t *testing.T, strides []int, ignoreInit bool, value func(int) T) {
	const rows, cols = 15, 2
	var data, updates, want []T
	for i := range rows {
		data = append(data, value(4*i), value(7))
		updates = append(updates, value(100))
		if ignoreInit {
			want = append(want, value(100), value(7))
		} else {
			want = append(want, value(50+2*i), value(7))
		}
	}
	indices := kernels.Tensor[int64]{Data: make([]int64, rows), Shape: []int{rows, 1}, Strides: strides}
	attrs := kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: ignoreInit}
	x, u := kernels.New(data, rows, cols), kernels.New(updates, rows, 1)
	dst := kernels.New(make([]T, len(data)), rows, cols)
	require.NoError(t, kernels.ScatterElementsUpdate(dst, x, indices, u, 1, attrs))
	require.Equal(t, want, dst.Data)

	dst = kernels.New(make([]T, len(data)), rows, cols)
	plan, err := kernels.NewScatterPlan[T](x.Shape, indices, 1) // which keeps one index of equal ones
	require.NoError(t, err)
	require.NoError(t, plan.Run(dst, x, u, attrs))
	require.Equal(t, want, dst.Data)
}

// TestMeanLeavesScratchClean: a mean leaves no sums for the next call.
func TestMeanLeavesScratchClean(t *testing.T) {
	clean := kernels.FreshMeanScratch(t)
	dst := kernels.New(make([]int64, 30), 15, 2)
	x := kernels.Tensor[int64]{Data: make([]int64, 15), Shape: []int{15, 1}, Strides: []int{0, 1}}
	u := kernels.New([]int64{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 15, 1)
	require.NoError(t, kernels.ScatterElementsUpdate(dst, dst, x, u, 1, kernels.ScatterAttrs{Reduction: kernels.Mean}, kernels.Workers(1)))
	_, _, ok := clean()
	require.True(t, ok)
}
