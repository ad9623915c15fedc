package kernels_test

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestNegativePairs: an even number of negative dimensions has a product that is positive.
func TestNegativePairs(t *testing.T) { kernels.Ways(t, testNegativePairs) }

func testNegativePairs(t *testing.T) {
	for _, cols := range []int{1, 4, 64} {
		data := kernels.Tensor[float32]{Data: make([]float32, 6*cols), Shape: []int{-2, -3, cols}}
		part := kernels.New(make([]float32, cols), 1, cols)
		for _, at := range [][]int64{{0, 0}, {5, 0}, {-1, -1}} {
			tuple := kernels.New(at, 1, 2)
			require.ErrorIs(t, kernels.GatherND(part, data, tuple, 0), kernels.ErrShape)
			for _, r := range []kernels.Reduction{kernels.None, kernels.Sum, kernels.Max} {
				require.ErrorIs(t, kernels.ScatterNDUpdate(data, data, tuple, part, kernels.ScatterAttrs{Reduction: r}), kernels.ErrShape)
			}
		}
	}
}

// Views that repeat a few indices more often than a memory has bytes, or a call has time to look at
// each.

func TestPlansOfRepeatedIndices(t *testing.T) {
	const big = math.MaxInt / 8
	repeated := func(indices ...int64) kernels.Tensor[int64] {
		return kernels.Tensor[int64]{Data: indices, Shape: []int{big, len(indices)}, Strides: []int{0, 1}}
	}
	shape := []int{big, 4}
	_, err := kernels.NewGatherPlan[float32](shape, repeated(0, 3, -4), 1)
	require.NoError(t, err)
	_, err = kernels.NewScatterPlan[float32](shape, repeated(0, 3, -4), 1)
	require.NoError(t, err)
	columns := kernels.Tensor[int64]{Data: []int64{0, 9}, Shape: []int{2, big}, Strides: []int{1, 0}}
	_, err = kernels.NewGatherPlan[float32]([]int{4, big}, columns, 0) // and the first bad one is found at once
	var bad *kernels.IndexError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, []int{1, 0}, bad.Position)
	require.Equal(t, "9", bad.Value)

	const side = 1 << (bits.UintSize * 10 / 32)
	sliding := kernels.Tensor[int8]{Data: make([]int8, 3*side), Shape: []int{side, side, side}, Strides: []int{1, 1, 1}}
	_, err = kernels.NewGatherPlan[float32]([]int{side, side, side}, sliding, 0)
	require.ErrorIs(t, err, kernels.ErrShape)
}

func TestCompressOfRepeatedConditions(t *testing.T) {
	const big = math.MaxInt / 4
	data := kernels.Tensor[int8]{Data: []int8{1, 2}, Shape: []int{2, big}, Strides: []int{1, 0}}
	never := kernels.Tensor[bool]{Data: []bool{false}, Shape: []int{big + 1}, Strides: []int{0}}
	require.NoError(t, kernels.Compress(kernels.New([]int8{}, 0), data, never, kernels.Flattened))
}

// TestRepeatedRows: rows of equal indices that a stride of 0 repeats are kept once, and not each
// for itself.
func TestRepeatedRows(t *testing.T) {
	const rows, cols = 1 << 20, 64
	dst := kernels.New(make([]uint8, 4*cols), 4, cols)
	view := []int{0, 1}
	x := kernels.Tensor[int64]{Data: make([]int64, cols), Shape: []int{rows, cols}, Strides: view}
	ones := kernels.Tensor[uint8]{Data: repeat(cols, uint8(1)), Shape: []int{rows, cols}, Strides: view}
	ones.Data[3] = 3
	data := kernels.New(make([]uint8, 4*cols), 4, cols)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, kernels.ScatterElementsUpdate(dst, data, x, ones, 0, kernels.ScatterAttrs{Reduction: kernels.Max}, kernels.Workers(1)))
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	require.Equal(t, uint8(1), dst.Data[0])
	require.Equal(t, uint8(3), dst.Data[3])
	require.Zero(t, dst.Data[cols])
}

// TestCompressOfLongConditions: a length that is near the largest int is rounded up to whole rows
// without a wrap.
func TestCompressOfLongConditions(t *testing.T) {
	const third = math.MaxInt / 3
	data := kernels.Tensor[int8]{Data: []int8{1, 2, 3}, Shape: []int{3, third}, Strides: []int{1, 0}}
	for _, more := range []int{2, 3} {
		always := kernels.Tensor[bool]{Data: []bool{true}, Shape: []int{2*third + more}, Strides: []int{0}}
		require.ErrorIs(t, kernels.Compress(kernels.New([]int8{}, 0), data, always, kernels.Flattened), kernels.ErrShape)
	}
}

// TestReach: where an int has 32 bits, it counts the bytes of all that a view reaches. Nothing here
// is read.
func TestReach(t *testing.T) {
	if bits.UintSize != 32 {
		t.Skip("an int counts all bytes of this machine")
	}
	var one float32
	data := kernels.Tensor[float32]{Data: unsafe.Slice(&one, 550_000_000), Shape: []int{550_000, 1000}}
	_, err := kernels.RawOf(data)
	require.ErrorIs(t, err, kernels.ErrShape)
	dst, x := kernels.New(make([]float32, 600), 2, 300), kernels.New(make([]int32, 600), 2, 300)
	require.ErrorIs(t, kernels.ScatterElementsUpdate(data, data, x, dst, 1, kernels.ScatterAttrs{Reduction: kernels.Mean}), kernels.ErrShape)
	require.ErrorIs(t, kernels.GatherElements(dst, data, x, 1), kernels.ErrShape)
	var units [3]byte
	triples := kernels.New(unsafe.Slice(&units, 715_000_000), 715_000_000)
	require.ErrorIs(t, kernels.GatherElements(kernels.New(make([][3]byte, 200), 200), triples, kernels.New(make([]int32, 200), 200), 0), kernels.ErrShape)
}

// TestLongRanks: the work grows with the rank. If it grew with the square, these calls would take
// minutes.
func TestLongRanks(t *testing.T) {
	const rank = 200_000
	ones, all := make([]int, rank), make([]int, rank)
	for i := range rank {
		ones[i], all[i] = 1, i
	}
	began := time.Now()
	x, dst := kernels.New([]float32{1}, ones...), make([]float32, 1)
	origin, one := kernels.New(make([]int64, rank), rank), kernels.New([]int64{0}, ones...)
	require.NoError(t, kernels.GeneralGather(kernels.New(dst), x, origin, kernels.GatherDims{CollapsedSliceDims: all, StartIndexMap: all, SliceSizes: ones}))
	require.NoError(t, kernels.GeneralGather(kernels.New(dst, ones...), x, origin, kernels.GatherDims{OffsetDims: all, StartIndexMap: all, SliceSizes: ones}))
	require.NoError(t, kernels.GeneralGather(kernels.New(dst, ones...), x, one, kernels.GatherDims{
		OperandBatchingDims: all[1:], StartIndicesBatchingDims: all[1:], CollapsedSliceDims: all[:1], StartIndexMap: all[:1], IndexVectorDim: rank, SliceSizes: ones,
	}))
	require.NoError(t, kernels.GeneralScatter(kernels.New(dst, ones...), x, origin, x, kernels.ScatterDims{UpdateWindowDims: all, ScatterDimsToOperandDims: all}, kernels.ScatterAttrs{}))
	require.NoError(t, kernels.GatherElements(kernels.New(dst, ones...), x, one, 1))
	require.NoError(t, kernels.GatherND(kernels.New(dst), x, origin, 0))

	long := slices.Concat([]int{rank}, ones[1:]) // an axis with elements, and many without
	indices := kernels.New(make([]int32, rank), long...)
	gather, err := kernels.NewGatherPlan[float32](long, indices, 0)
	require.NoError(t, err)
	table, values := kernels.New(slices.Repeat([]float32{3}, rank), long...), kernels.New(make([]float32, rank), long...)
	require.NoError(t, gather.Run(values, table))
	require.Equal(t, table.Data[:9], values.Data[rank-9:])
	scatter, err := kernels.NewScatterPlan[float32](long, indices, 0)
	require.NoError(t, err)
	require.NoError(t, scatter.Run(values, table, table, kernels.ScatterAttrs{}))

	starts := make([]int8, rank) // no two neighbours are equal: each batch is written by itself
	for i := range starts {
		starts[i] = int8(i % 2)
	}
	cache := kernels.New(make([]float32, 2*rank), slices.Concat([]int{rank, 2}, ones[2:])...)
	require.NoError(t, kernels.TensorScatter(cache, cache, table, kernels.New(starts, rank), 1, kernels.Linear))
	require.Equal(t, []float32{3, 0, 0, 3}, cache.Data[2*rank-4:])
	require.Less(t, time.Since(began), time.Minute)
}

// TestDeepRanks: no function calls itself for each axis, which would end the program where the
// stack ends.
func TestDeepRanks(t *testing.T) {
	if bits.UintSize < 64 || testing.Short() {
		kernels.LeaveOut(t, "it takes 0.5 GB")
	}
	ones := slices.Repeat([]int{1}, 8<<20)
	x, dst, index := kernels.New([]float32{3}, ones...), kernels.New([]float32{1}, ones...), kernels.New([]int32{0}, ones...)
	require.NoError(t, kernels.ScatterElementsUpdate(dst, x, index, x, 0, kernels.ScatterAttrs{Reduction: kernels.Sum}))
	require.Equal(t, float32(6), dst.Data[0])
	plan, err := kernels.NewGatherPlan[float32](ones, index, 0)
	require.NoError(t, err)
	require.NoError(t, plan.Run(dst, x))
	require.Equal(t, float32(3), dst.Data[0])
}
