package kernels_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestHugeRank: the time that a rank costs grows with it, not with its square.
func TestHugeRank(t *testing.T) {
	shape := make([]int, 200_000)
	for d := range shape {
		shape[d] = 1
	}
	shape[100_000] = 2
	data, dst := kernels.New([]int16{7, 9}, shape...), kernels.New(make([]int16, 2), shape...)
	indices := kernels.New([]int8{-1, 0}, shape...)
	start := time.Now()
	require.NoError(t, kernels.GatherElements(dst, data, indices, 100_000))
	require.Equal(t, []int16{9, 7}, dst.Data)
	require.NoError(t, kernels.ScatterElementsUpdate(data, data, indices, dst, 100_000, kernels.ScatterAttrs{Reduction: kernels.Sum}))
	require.Equal(t, []int16{14, 18}, data.Data)
	require.NoError(t, kernels.StridedSlice(dst, data, kernels.SliceSpec{}))
	tuples := make([]int32, len(shape))
	tuples[100_000] = 1
	require.NoError(t, kernels.GatherND(kernels.New(dst.Data[:1]), data, kernels.New(tuples, len(shape)), 0))
	require.Equal(t, []int16{18, 18}, dst.Data)
	require.NoError(t, kernels.Gather(dst, data, kernels.New([]int8{1, 0}, 2), 100_000, 0))
	require.NoError(t, kernels.Gather(kernels.New(dst.Data[:1], slices.Delete(slices.Clone(shape), 100_000, 100_001)...), data, kernels.New([]int8{-1}), 100_000, 0))
	tuples[100_000] = -1
	cell := kernels.New(data.Data[1:], 1)
	require.NoError(t, kernels.ScatterNDUpdate(kernels.New(make([]int16, 2), shape...), data, kernels.New(tuples, len(shape)), cell, kernels.ScatterAttrs{}))
	rows := kernels.New(tuples[:100_001], 100_001)
	require.NoError(t, kernels.ScatterNDUpdate(data, data, rows, kernels.New([]int16{5}, shape[100_001:]...), kernels.ScatterAttrs{Reduction: kernels.Sub}))
	require.Equal(t, []int16{14, 13}, data.Data)
	indices.Data[1] = 2
	require.ErrorIs(t, kernels.GatherElements(dst, data, indices, 100_000), kernels.ErrIndex)
	require.Less(t, time.Since(start), 30*time.Second) // an emulated CPU takes up to 6
}
