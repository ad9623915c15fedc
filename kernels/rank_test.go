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

// TestHugeTransposedRank: so it does for a transposed table, which is copied to be row-major.
func TestHugeTransposedRank(t *testing.T) {
	const rank, n = 200_000, 64
	shape, strides := slices.Repeat([]int{1}, rank), make([]int, rank)
	shape[0], shape[rank-1], strides[0], strides[rank-1] = n, n, 1, n
	data := kernels.Tensor[float32]{Data: make([]float32, n*n), Shape: shape, Strides: strides}
	for i := range data.Data {
		data.Data[i] = float32(i)
	}
	tuples := kernels.Tensor[int8]{Data: make([]int8, n), Shape: []int{n, rank - 1}, Strides: []int{1, 0}}
	dst := kernels.New(make([]float32, n*n), n, n)
	start := time.Now()
	require.NoError(t, kernels.GatherND(dst, data, tuples, 0))
	require.Less(t, time.Since(start), 8*time.Second) // 17 with a time of the rank's square
	for i, v := range dst.Data {
		require.Equal(t, float32(i%n*n), v)
	}
}
