package kernels_test

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestHuge: data of more than 2^31 elements, and indices past 2^31, for each
// operator. It needs 2 GiB, and 64 bits: LANES_HUGE=1.
func TestHuge(t *testing.T) {
	if os.Getenv("LANES_HUGE") == "" {
		kernels.LeaveOut(t, "needs 2 GiB of memory: LANES_HUGE=1")
	}
	if math.MaxInt == math.MaxInt32 {
		t.Fatal("no slice is that long here")
	}
	n := math.MaxInt32
	n += 1 << 20
	data := make([]uint8, n)
	places := []int{0, 1, math.MaxInt32 - 1, math.MaxInt32, n - 1<<20 + 1, n - 4097, n - 2, n - 1}
	for i, p := range places {
		data[p] = uint8(i + 1)
	}
	const count = 4096 // past what is done one by one
	indices, want := make([]int64, count), make([]uint8, count)
	for i := range indices {
		k := i * 5 % len(places)
		indices[i], want[i] = int64(places[k]), uint8(k+1)
		if i%3 == 0 {
			indices[i] -= int64(n)
		}
	}
	dst := make([]uint8, count)
	x := kernels.New(data, n)

	t.Run("GatherElements", func(t *testing.T) {
		require.NoError(t, kernels.GatherElements(kernels.New(dst, count), x, kernels.New(indices, count), 0))
		require.Equal(t, want, dst)
		outside := append([]int64(nil), indices...)
		outside[count-1] = int64(n)
		require.ErrorIs(t, kernels.GatherElements(kernels.New(dst, count), x, kernels.New(outside, count), 0), kernels.ErrIndex)
	})
	t.Run("GatherND", func(t *testing.T) {
		clear(dst)
		require.NoError(t, kernels.GatherND(kernels.New(dst, count), x, kernels.New(indices, count, 1), 0))
		require.Equal(t, want, dst)
		// Of rows and columns whose product is past 2^31.
		const cols = 1 << 12
		rows := n / cols
		tuples := make([]int64, 0, 2*count)
		clear(want)
		for i := range count {
			p := places[i%len(places)]
			if p >= rows*cols {
				p = 0
			}
			tuples = append(tuples, int64(p/cols), int64(p%cols)-cols*int64(i&1))
			want[i] = data[p]
		}
		require.NoError(t, kernels.GatherND(kernels.New(dst, count), kernels.New(data[:rows*cols], rows, cols), kernels.New(tuples, count, 2), 0))
		require.Equal(t, want, dst)
	})
	t.Run("Gather", func(t *testing.T) {
		clear(dst)
		for i := range want {
			want[i] = data[places[i*5%len(places)]]
		}
		require.NoError(t, kernels.Gather(kernels.New(dst, count), x, kernels.New(indices, count), 0, 0))
		require.Equal(t, want, dst)
		require.NoError(t, kernels.Gather(kernels.New(dst[:1]), x, kernels.New(indices[count-1:]), 0, 0))
		require.Equal(t, want[count-1], dst[0])
	})
	t.Run("EmbeddingBag", func(t *testing.T) {
		sums, starts := make([]uint8, count/4), make([]int64, count/4)
		for b := range starts {
			starts[b] = int64(4 * b)
		}
		attrs := kernels.BagAttrs{Reduction: kernels.Sum}
		require.NoError(t, kernels.EmbeddingBag(kernels.New(sums, count/4), x, kernels.New(indices, count), kernels.New(starts, count/4), kernels.Tensor[uint8]{}, attrs))
		for b, sum := range sums {
			for i := range 4 {
				sum -= data[places[(4*b+i)*5%len(places)]]
			}
			require.Zero(t, sum, "bag %d", b)
		}
	})
	t.Run("ScatterElementsUpdate", func(t *testing.T) {
		for _, reduction := range reductions {
			updates := make([]uint8, count)
			for i := range updates {
				updates[i] = uint8(i)
			}
			// The same cells in a small tensor.
			small, near := make([]uint8, len(places)), make([]int64, count)
			for i, p := range places {
				small[i] = data[p]
			}
			for i := range near {
				near[i] = int64(i * 5 % len(places))
			}
			attrs := kernels.ScatterAttrs{Reduction: reduction}
			require.NoError(t, kernels.ScatterElementsUpdate(x, x, kernels.New(indices, count), kernels.New(updates, count), 0, attrs))
			y := kernels.New(small, len(places))
			require.NoError(t, kernels.ScatterElementsUpdate(y, y, kernels.New(near, count), kernels.New(updates, count), 0, attrs))
			for i, p := range places {
				require.Equal(t, small[i], data[p], "%v at %d", reduction, p)
			}
		}
	})
	t.Run("ScatterNDUpdate", func(t *testing.T) {
		const cols = 1 << 12
		rows := n / cols
		tuples := make([]int64, 0, 2*len(places))
		updates, want := make([]uint8, len(places)), make([]uint8, len(places))
		for i, p := range places {
			p = min(p, rows*cols-1-len(places)+i)
			places[i] = p
			tuples = append(tuples, int64(p/cols)-int64(rows*(i&1)), int64(p%cols))
			updates[i], want[i] = uint8(i+1), data[p]-uint8(i+1)
		}
		y := kernels.New(data[:rows*cols], rows, cols)
		require.NoError(t, kernels.ScatterNDUpdate(y, y, kernels.New(tuples, len(places), 2), kernels.New(updates, len(places)), kernels.ScatterAttrs{Reduction: kernels.Sub}))
		for i, p := range places {
			require.Equal(t, want[i], data[p], "at %d", p)
		}
	})
	t.Run("StridedSlice", func(t *testing.T) {
		part := make([]uint8, 4099)
		spec := kernels.SliceSpec{Begin: []int64{-1}, End: []int64{int64(n) - 1 - int64(len(part))}, Strides: []int64{-1}}
		require.NoError(t, kernels.StridedSlice(kernels.New(part, len(part)), x, spec))
		for i, v := range part {
			require.Equal(t, data[n-1-i], v)
		}
		far := make([]uint8, 2)
		require.NoError(t, kernels.StridedSlice(kernels.New(far, 2), x, kernels.SliceSpec{Begin: []int64{1}, End: []int64{math.MaxInt64}, Strides: []int64{math.MaxInt32 - 1}}))
		require.Equal(t, []uint8{data[1], data[math.MaxInt32]}, far)
	})
}
