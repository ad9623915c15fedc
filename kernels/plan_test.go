package kernels_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// planCase is indices of some shape on data of some shape, in ways that plans tell apart.
type planCase struct {
	name          string
	data, indices []int
	axis          int
	index         func(r *rand.Rand, c []int, size int) int // the index at a coordinate
}

func planCases() []planCase {
	anyIndex := func(r *rand.Rand, _ []int, size int) int { return r.IntN(2*size) - size }
	perRow := func(_ *rand.Rand, c []int, size int) int { return c[0]*7%(2*size) - size }
	perColumn := func(_ *rand.Rand, c []int, size int) int { return c[len(c)-1] * 5 % size }
	same := func(*rand.Rand, []int, int) int { return 1 }
	return []planCase{
		{"rank 1", []int{50}, []int{300}, 0, anyIndex},
		{"rank 1, one cell", []int{5}, []int{100}, -1, same},
		{"one column", []int{700, 1}, []int{900, 1}, 0, anyIndex},
		{"one row", []int{1, 40}, []int{1, 90}, 1, anyIndex},
		{"many", []int{70_000}, []int{140_000}, 0, anyIndex},
		{"rows", []int{6, 40}, []int{6, 30}, 1, anyIndex},
		{"columns", []int{40, 6}, []int{70, 6}, 0, anyIndex},
		{"constant rows", []int{10, 33}, []int{80, 33}, 0, perRow},
		{"constant columns", []int{10, 33}, []int{10, 33}, 1, perColumn},
		{"constant, three axes", []int{4, 5, 6}, []int{20, 5, 6}, 0, perRow},
		{"shorter", []int{7, 8, 9}, []int{3, 20, 4}, 1, anyIndex},
		{"no indices", []int{3, 4}, []int{0, 4}, 0, anyIndex},
		{"no data elsewhere", []int{3, 0}, []int{5, 0}, 0, anyIndex},
	}
}

func (c planCase) fill(r *rand.Rand) []int64 {
	out := make([]int64, need(c.indices))
	at := make([]int, len(c.indices))
	axis := (c.axis + len(c.data)) % len(c.data)
	for i := range out {
		for d, rest := len(at)-1, i; d >= 0; d-- {
			at[d], rest = rest%c.indices[d], rest/c.indices[d]
		}
		out[i] = int64(c.index(r, at, c.data[axis]))
	}
	return out
}

// TestPlans: a plan computes what the call does, for any number of workers.
func TestPlans(t *testing.T) {
	for _, c := range planCases() {
		for _, inParts := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/parts=%v", c.name, inParts), func(t *testing.T) {
				if inParts {
					kernels.CutSmall(t)
				}
				r := rand.New(rand.NewPCG(3, 3))
				indices := kernels.New(c.fill(r), c.indices...)
				planned[float32](t, c, indices, r)
				if testing.Short() && len(indices.Data) > 1<<16 {
					return // for the time it takes
				}
				planned[uint8](t, c, indices, r)
				planned[kernels.Float16](t, c, indices, r)
				planned[float64](t, c, indices, r)
				planned[complex128](t, c, indices, r)
			})
		}
	}
}

func planned[T any](t *testing.T, c planCase, indices kernels.Tensor[int64], r *rand.Rand) {
	elements := func(n int) []T {
		s := make([]T, n)
		for i := range s {
			switch p := any(&s[i]).(type) {
			case *float32:
				*p = r.Float32()
			case *uint8:
				*p = uint8(r.Uint32())
			case *kernels.Float16:
				*p = kernels.NewFloat16(r.Float32())
			case *float64:
				*p = r.Float64()
			case *complex128:
				*p = complex(r.Float64(), r.Float64())
			}
		}
		return s
	}
	kept := append([]int64(nil), indices.Data...)
	gather, err := kernels.NewGatherPlan[T](c.data, kernels.New(kept, c.indices...), c.axis)
	require.NoError(t, err)
	scatter, err := kernels.NewScatterPlan[T](c.data, kernels.New(kept, c.indices...), c.axis)
	require.NoError(t, err)
	clear(kept) // the plans have their own
	data := kernels.New(elements(need(c.data)), c.data...)
	updates := kernels.New(elements(need(c.indices)), c.indices...)
	for _, workers := range []int{1, 2, 7} {
		opt := kernels.Workers(workers)
		if len(data.Data) > 0 || len(indices.Data) == 0 {
			want, got := kernels.New(make([]T, need(c.indices)), c.indices...), kernels.New(make([]T, need(c.indices)), c.indices...)
			require.NoError(t, kernels.GatherElements(want, data, indices, c.axis, kernels.Workers(1)))
			require.NoError(t, gather.Run(got, data, opt))
			require.True(t, bytes.Equal(asBytes(want.Data), asBytes(got.Data)), "gather")
		}
		for _, reduction := range reductions {
			for _, ignore := range []bool{false, true} {
				attrs := kernels.ScatterAttrs{Reduction: reduction, IgnoreInit: ignore}
				want, got := kernels.New(make([]T, need(c.data)), c.data...), kernels.New(make([]T, need(c.data)), c.data...)
				err := kernels.ScatterElementsUpdate(want, data, indices, updates, c.axis, attrs, kernels.Workers(1))
				if err != nil { // no such reduction of the type
					require.Equal(t, err, scatter.Run(got, data, updates, attrs, opt))
					continue
				}
				require.NoError(t, scatter.Run(got, data, updates, attrs, opt))
				require.True(t, bytes.Equal(asBytes(want.Data), asBytes(got.Data)), "scatter, %v", attrs)
				copy(got.Data, data.Data)
				require.NoError(t, scatter.Run(got, got, updates, attrs, opt))
				require.True(t, bytes.Equal(asBytes(want.Data), asBytes(got.Data)), "scatter in place, %v", attrs)
			}
		}
	}
}

// TestPlanErrors: what is wrong with the indices is found when the plan is
// made, what is wrong with the rest when it runs.
func TestPlanErrors(t *testing.T) {
	x := kernels.New([]int8{1})
	for _, err := range []error{
		new(kernels.GatherPlan[int8]).Run(x, x), (*kernels.GatherPlan[int8])(nil).Run(x, x),
		new(kernels.ScatterPlan[int8]).Run(x, x, x, kernels.ScatterAttrs{}), (*kernels.ScatterPlan[int8])(nil).Run(x, x, x, kernels.ScatterAttrs{}),
	} {
		require.ErrorIs(t, err, kernels.ErrShape)
		require.ErrorContains(t, err, "the plan is the zero value")
	}
	_, err := kernels.NewGatherPlan[float32]([]int{3}, kernels.New([]int8{0, -4}, 2), 0)
	var bad *kernels.IndexError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, kernels.IndexError{Op: "GatherElements", Position: []int{1}, Value: "-4", Axis: 0, Size: 3}, *bad)
	_, err = kernels.NewScatterPlan[float32]([]int{3}, kernels.New([]uint64{1 << 63}, 1), 0)
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "9223372036854775808", bad.Value)
	_, err = kernels.NewGatherPlan[float32]([]int{0}, kernels.New([]int64{0}, 1), 0)
	require.ErrorIs(t, err, kernels.ErrIndex)
	_, err = kernels.NewGatherPlan[float32]([]int{3}, kernels.New([]int64{0}, 1), 1)
	require.ErrorIs(t, err, kernels.ErrAttribute)
	for _, indices := range []kernels.Tensor[int64]{{}, kernels.New([]int64{0}, 1, 1), kernels.New([]int64{0}, 2), kernels.New([]int64{}, -1)} {
		_, err = kernels.NewScatterPlan[float32]([]int{3}, indices, 0)
		require.ErrorIs(t, err, kernels.ErrShape)
	}
	_, err = kernels.NewScatterPlan[float32]([]int{-3}, kernels.New([]int64{0}, 1), 0)
	require.ErrorIs(t, err, kernels.ErrShape)

	gather, err := kernels.NewGatherPlan[float32]([]int{3}, kernels.New([]int64{0, 2}, 2), 0)
	require.NoError(t, err)
	scatter, err := kernels.NewScatterPlan[float32]([]int{3}, kernels.New([]int64{0, 2}, 2), 0)
	require.NoError(t, err)
	vector := func(n int) kernels.Tensor[float32] { return kernels.New(make([]float32, n), n) }
	require.ErrorIs(t, gather.Run(vector(2), vector(4)), kernels.ErrShape)
	require.ErrorIs(t, gather.Run(vector(3), vector(3)), kernels.ErrShape)
	require.ErrorIs(t, scatter.Run(vector(4), vector(4), vector(2), kernels.ScatterAttrs{}), kernels.ErrShape)
	require.ErrorIs(t, scatter.Run(vector(3), vector(3), vector(3), kernels.ScatterAttrs{}), kernels.ErrShape)
	require.ErrorIs(t, scatter.Run(vector(3), vector(3), vector(2), kernels.ScatterAttrs{Reduction: 9}), kernels.ErrAttribute)
	d := vector(5)
	require.ErrorIs(t, gather.Run(kernels.New(d.Data[:2], 2), kernels.New(d.Data[1:4], 3)), kernels.ErrOverlap)
	texts, err := kernels.NewScatterPlan[string]([]int{3}, kernels.New([]int64{0, 2, 0}, 3), 0)
	require.NoError(t, err)
	words := kernels.New([]string{"a", "b", "c"}, 3)
	require.ErrorIs(t, texts.Run(words, words, words, kernels.ScatterAttrs{Reduction: kernels.Sum}), kernels.ErrType)
	got := kernels.New(make([]string, 3), 3)
	require.NoError(t, texts.Run(got, words, kernels.New([]string{"x", "y", "z"}, 3), kernels.ScatterAttrs{}))
	require.Equal(t, []string{"z", "b", "y"}, got.Data)
}

// TestPlanOfLongAxis: along an axis that int32 does not reach, a plan does not hold the memory of
// indices that it leaves out.
func TestPlanOfLongAxis(t *testing.T) {
	if bits.UintSize == 32 {
		t.Skip("no axis is that long")
	}
	const rows, cols = 4, 1 << 20
	x := zeros[int64](rows, cols)
	for i := range x.Data {
		x.Data[i] = 1<<31 + int64(i/cols)
	}
	size := 1 << 30
	size <<= 2 // a constant would not fit an int of 32 bits
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	plan, err := kernels.NewGatherPlan[float32]([]int{size, cols}, x, 0)
	require.NoError(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(cols))
	runtime.KeepAlive(x)
	table, dst := kernels.Tensor[float32]{Data: repeat(cols, float32(3)), Shape: []int{size, cols}, Strides: []int{0, 1}}, zeros[float32](rows, cols)
	require.NoError(t, plan.Run(dst, table))
	require.Equal(t, float32(3), dst.Data[rows*cols-1])
}

// TestPlansRunConcurrently: goroutines share a plan, also for the first time
// that it is sorted.
func TestPlansRunConcurrently(t *testing.T) {
	kernels.CutSmall(t)
	c := planCases()[0]
	indices := kernels.New(c.fill(rand.New(rand.NewPCG(1, 1))), c.indices...)
	updates, data := kernels.New(numbers[float32](300), 300), kernels.New(numbers[float32](50), 50)
	want := kernels.New(make([]float32, 50), 50)
	attrs := kernels.ScatterAttrs{Reduction: kernels.Sum}
	require.NoError(t, kernels.ScatterElementsUpdate(want, data, indices, updates, 0, attrs))
	plan, err := kernels.NewScatterPlan[float32](c.data, indices, c.axis)
	require.NoError(t, err)
	var left sync.WaitGroup
	for range 8 {
		left.Go(func() {
			got := kernels.New(make([]float32, 50), 50)
			for range 50 {
				assert.NoError(t, plan.Run(got, data, updates, attrs, kernels.Workers(3)))
				assert.Equal(t, want.Data, got.Data)
			}
		})
	}
	left.Wait()
}
