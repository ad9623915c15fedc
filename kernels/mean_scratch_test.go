package kernels_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestMeanWindows: a long axis is counted in windows of some columns, with as many counters as
// MeanCells allows, and the scratch is left clean.
func TestMeanWindows(t *testing.T) {
	t.Run("elem=f32", func(t *testing.T) { testMeanWindows[float32](t, 900, 400*24/4, 4, 0) })
	t.Run("elem=i32", func(t *testing.T) { testMeanWindows[int32](t, 900, 400*24/8, 0, 8) })
	t.Run("elem=i32/many", func(t *testing.T) { testMeanWindows[int32](t, 40000, 400*24/12, 4, 8) })
	t.Run("elem=i64", func(t *testing.T) { testMeanWindows[int64](t, 900, 400*24/20, 4, 8) })
}

func testMeanWindows[T float32 | int32 | int64](t *testing.T, rows, cells, counter, sum int) {
	const size, cols, spare = 4000, 9, 64 // spare: for indices outside of the window
	data, updates, x := zeros[T](size, cols), zeros[T](rows, cols), randomTensor[int64](size, rows, cols)
	for i := range updates.Data {
		updates.Data[i] = T(i % 100)
	}
	want, got := zeros[T](size, cols), zeros[T](size, cols)
	attrs := kernels.ScatterAttrs{Reduction: kernels.Mean}
	require.NoError(t, kernels.ScatterElementsUpdate(want, data, x, updates, 0, attrs, kernels.Workers(1)))
	table := dispatch.Default
	defer func() { dispatch.Default = table }()
	dispatch.Default.MeanCells = 400
	scratch := kernels.FreshMeanScratch(t)
	require.NoError(t, kernels.ScatterElementsUpdate(got, data, x, updates, 0, attrs, kernels.Workers(1)))
	require.Equal(t, want, got)
	columns := max(1, min(8, cells/(size/8)))
	window := max(cells/columns, size/8)
	counters, sums, clean := scratch()
	require.Equal(t, (columns*window+spare)*counter/8, counters, "words")
	require.Equal(t, (columns*window+spare)*sum/8, sums, "words")
	require.True(t, clean)
}

// TestMeanWords: means of as many numbers of the largest magnitude as a word can sum and count, and
// of one more, which have counters.
func TestMeanWords(t *testing.T) {
	t.Run("elem=i32", func(t *testing.T) { testMeanWords[int32](t, 1<<15-1, math.MinInt32, math.MaxInt32) })
	t.Run("elem=u32", func(t *testing.T) { testMeanWords[uint32](t, 1<<15-1, 0, math.MaxUint32) })
	t.Run("elem=i16", func(t *testing.T) { testMeanWords[int16](t, 1<<23-1, math.MinInt16, math.MaxInt16) })
	t.Run("elem=u16", func(t *testing.T) { testMeanWords[uint16](t, 1<<23-1, 0, math.MaxUint16) })
}

func testMeanWords[T int16 | uint16 | int32 | uint32](t *testing.T, most int, values ...T) {
	for _, n := range []int{most, most + 1} {
		updates, x := zeros[T](n), zeros[int8](n)
		for _, v := range values {
			for i := range updates.Data {
				updates.Data[i] = v
			}
			scratch := kernels.FreshMeanScratch(t)
			dst := kernels.New([]T{v, 7}, 2)
			require.NoError(t, kernels.ScatterElementsUpdate(dst, dst, x, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Mean}, kernels.Workers(1)))
			require.Equal(t, []T{v, 7}, dst.Data, "%d updates", n)
			counters, _, clean := scratch()
			require.Equal(t, n > most, counters > 0, "%d updates", n)
			require.True(t, clean)
		}
	}
}
