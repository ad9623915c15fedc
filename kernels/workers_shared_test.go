//go:build !race

// The race detector makes calls many times as long as they are taken for.

package kernels_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestWorkIsCountedInTime: how many workers a call is for depends on what its elements cost.
func TestWorkIsCountedInTime(t *testing.T) {
	costs, table := dispatch.Costs, dispatch.Default
	defer func() { dispatch.Costs, dispatch.Default = costs, table }()
	dispatch.Costs = dispatch.Work{Byte: 0.1, Run: 10, Strided: 2, Check: 3, Gather: 4, Resolve: 5, Scatter: 6, Reduce: 7, Combine: 0.8, Half: 9, Mean: 30, Divide: 11, Mask: 0.4, Compact: 0.6}
	dispatch.Default.WorkerTime, dispatch.Default.PartTime = 1000, 100
	const side, n = 100, 10_000
	data, dst, updates := zeros[float32](side, side), zeros[float32](side, side), zeros[float32](side, side)
	x, narrow := zeros[int32](side, side), zeros[int16](side, side)
	rows := kernels.Tensor[int32]{Data: x.Data, Shape: []int{side, side}, Strides: []int{1, 0}}
	halves := zeros[kernels.Float16](side, side)
	half := kernels.New(numbers[float32](n/2), side, side/2)
	whole := kernels.New(repeat(n, true), side, side)
	tuples := zeros[int32](side, side, 2)
	every := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{1, 2}, BeginMask: []bool{true, true}, EndMask: []bool{true, true}}
	few, flip := every, every
	few.Strides, flip.Strides = []int64{1, 10}, []int64{1, -1}
	tenth := kernels.New(numbers[float32](n/10), side, side/10)
	crop := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{side, side / 2}, Strides: []int64{1, 1}}
	attrs := func(r kernels.Reduction) kernels.ScatterAttrs { return kernels.ScatterAttrs{Reduction: r} }
	const copied = 4 * n / 10
	for _, c := range []struct {
		name string
		ns   []int // of its passes that go to an Executor
		call func(o kernels.Option) error
	}{
		{"copy", []int{10*side + 4*n/2/10}, func(o kernels.Option) error { return kernels.StridedSlice(half, data, crop, o) }},
		{"flip", []int{10*side + 2*copied}, func(o kernels.Option) error { return kernels.StridedSlice(dst, data, flip, o) }},
		{"copy of every second", []int{10 + 4*copied/2}, func(o kernels.Option) error { return kernels.StridedSlice(half, data, every, o) }},
		{"copy of every tenth", []int{n / 10 * 2}, func(o kernels.Option) error { return kernels.StridedSlice(tenth, data, few, o) }},
		{"gather", []int{4 * n}, func(o kernels.Option) error { return kernels.GatherElements(dst, data, x, 1, o) }},
		{"gather by int16", []int{9 * n}, func(o kernels.Option) error { return kernels.GatherElements(dst, data, narrow, 1, o) }},
		{"gather by tuples", []int{14 * n}, func(o kernels.Option) error { return kernels.GatherND(dst, data, tuples, 0, o) }},
		{"rows", []int{10*side + copied}, func(o kernels.Option) error { return kernels.GatherElements(dst, data, rows, 0, o) }},
		{"scatter", []int{6*n + copied}, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, attrs(none), o)
		}},
		{"scatter in place", []int{3 * n, 6 * n}, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, dst, x, updates, 1, attrs(none), o)
		}},
		{"sum", []int{7*n + copied}, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, attrs(sum), o)
		}},
		{"sum of halves", []int{16*n + copied/2}, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(zeros[kernels.Float16](side, side), halves, x, halves, 1, attrs(sum), o)
		}},
		{"mean", []int{41*n + copied}, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, attrs(mean), o)
		}},
		{"mask", []int{n}, func(o kernels.Option) error {
			return kernels.Take(kernels.New(dst.Data, n), data, whole, o)
		}},
	} {
		var told []int
		require.NoError(t, c.call(kernels.Executor(1<<20, func(workers int, task func(i int)) { told = append(told, workers) })), c.name)
		var want []int
		for _, ns := range c.ns {
			if c.name != "gather by tuples" { // whose loops are one
				ns = min(ns, side*1000) // no loop is longer, nor has more parts
			}
			want = append(want, ns/1000)
		}
		require.Equal(t, want, told, c.name)
	}
}

// TestCallsAreShared: a lone small call is its caller's, and not cut; calls in close
// succession are shared, and those that are long enough; none with one worker.
func TestCallsAreShared(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	small, large := gathering(t, 100<<10), gathering(t, 2<<20) // some 45 µs and 0.9 ms
	workers := func(call func(opts ...kernels.Option) error, opts ...kernels.Option) int {
		f := facts(t, func(o kernels.Option) error { return call(append(opts, o)...) })
		require.NoError(t, f.Err)
		return f.Workers
	}
	for range 20 {
		time.Sleep(time.Millisecond)
		require.Equal(t, 1, workers(small), "a lone call")
	}
	shared, passive := 0, kernels.Spinning(false)
	for range 10_000 {
		if workers(small) == 4 {
			shared++
		}
		if shared > 20 {
			break
		}
	}
	require.Greater(t, shared, 20, "calls in close succession")
	for range 1000 { // until the helpers have ended, which takes long where others use the processors
		if time.Sleep(5 * time.Millisecond); workers(small, passive) == 1 {
			break
		}
	}
	for range 100 {
		require.Equal(t, 1, workers(small, passive), "without spinning")
		require.Equal(t, 1, workers(large, kernels.Workers(1)))
	}
	shared = 0
	for range 1000 {
		time.Sleep(time.Millisecond)
		if workers(large) > 1 && workers(large, passive) > 1 {
			shared++
		}
		if shared > 3 {
			break
		}
	}
	require.Greater(t, shared, 3, "lone large calls")
	runtime.GOMAXPROCS(1)
	for range 100 {
		require.Equal(t, 1, workers(large, kernels.Workers(4)), "one processor")
	}
}

// gathering returns a call that gathers so many elements.
func gathering(t *testing.T, n int) func(opts ...kernels.Option) error {
	dst, data, x := zeros[float32](n/1024, 1024), zeros[float32](n/1024, 1024), randomTensor[int32](1024, n/1024, 1024)
	return func(opts ...kernels.Option) error { return kernels.GatherElements(dst, data, x, 1, opts...) }
}
