//go:build !race

// The race detector allocates on its own account.

package kernels_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// requireNoAllocs runs a call some times, after once to warm up.
func requireNoAllocs(t *testing.T, name string, call func() error) {
	t.Helper()
	var err error
	allocs := testing.AllocsPerRun(5, func() { err = call() })
	require.NoError(t, err, name)
	require.Zero(t, allocs, "%s allocates", name)
}

// TestNoAllocations: calls on one goroutine, contiguous and of rank ≤ 8, leave
// nothing for the collector.
func TestNoAllocations(t *testing.T) {
	noAllocs[float32, int64](t)
	noAllocs[float32, int32](t)
	noAllocs[float32, uint8](t)
	noAllocs[kernels.Float16, int64](t)
	noAllocs[kernels.Float16, int32](t)
	noAllocs[kernels.Float16, uint8](t)
	noAllocs[string, int64](t)
	noAllocs[string, int32](t)
	noAllocs[string, uint8](t)
	noAllocs[int8, int64](t)
	noAllocs[uint64, int32](t)
	noAllocs[complex64, int64](t)
	noAllocs[rgb, int64](t)
	noAllocs[bool, uint8](t)
}

func noAllocs[T any, I kernels.Index](t *testing.T) {
	kind := reflect.TypeFor[T]().Kind()
	t.Run(fmt.Sprintf("%v/%v", reflect.TypeFor[T](), reflect.TypeFor[I]()), func(t *testing.T) {
		for _, shape := range [][]int{
			{8}, {2, 4}, {2, 2, 2}, {2, 1, 2, 2}, {2, 1, 2, 1, 2}, {2, 2, 1, 2, 2, 1}, {2, 2, 1, 2, 2, 1, 3}, {2, 2, 1, 2, 2, 1, 3, 2}, // ranks 1 … 8
			{1000}, {64, 100}, {20, 3, 70}, {40, 500},
		} {
			n, rank := need(shape), len(shape)
			dst, data, updates, indices := make([]T, n), make([]T, n), make([]T, n), make([]I, n)
			one, single, column := make([]I, 1), []int{1}, []int{shape[0], 1}
			tuple := append(append([]int(nil), shape...), rank) // indices of whole tuples
			tuples := make([]I, n*rank)
			row := shape[1:]
			step := kernels.SliceSpec{Begin: make([]int64, rank), End: make([]int64, rank), Strides: repeat(rank, int64(-1)),
				BeginMask: repeat(rank, true), EndMask: repeat(rank, true)}
			firstRow := kernels.SliceSpec{Begin: make([]int64, 1), End: make([]int64, 1), ShrinkAxisMask: repeat(1, true)}
			reversed := kernels.Ranges{Starts: repeat(rank, int64(math.MaxInt64)), Ends: repeat(rank, int64(math.MinInt64)), Steps: repeat(rank, int64(-1))}
			for _, opts := range [][]kernels.Option{{kernels.Workers(1)}, nil} {
				if opts == nil && n > 10_000 {
					continue // more goroutines may pay
				}
				name := func(op string) string { return fmt.Sprintf("%s of shape %v, %d options", op, shape, len(opts)) }
				for axis := range shape {
					requireNoAllocs(t, name("GatherElements"), func() error {
						return kernels.GatherElements(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(indices, shape...), axis, opts...)
					})
					for _, r := range reductions {
						if r != none && (kind == reflect.String || kind == reflect.Struct || kind == reflect.Bool && r == mean || kind == reflect.Complex64 && (r == low || r == high)) {
							continue
						}
						for _, attrs := range []kernels.ScatterAttrs{{Reduction: r}, {Reduction: r, IgnoreInit: true}} {
							requireNoAllocs(t, name("ScatterElementsUpdate "+r.String()), func() error {
								return kernels.ScatterElementsUpdate(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(indices, shape...), kernels.New(updates, shape...), axis, attrs, opts...)
							})
							requireNoAllocs(t, name("ScatterElementsUpdate in place "+r.String()), func() error {
								return kernels.ScatterElementsUpdate(kernels.New(dst, shape...), kernels.New(dst, shape...), kernels.New(indices, shape...), kernels.New(updates, shape...), axis, attrs, opts...)
							})
						}
					}
				}
				requireNoAllocs(t, name("GatherND of a row"), func() error {
					return kernels.GatherND(kernels.New(dst, row...), kernels.New(data, shape...), kernels.New(one, single...), 0, opts...)
				})
				requireNoAllocs(t, name("GatherND of elements"), func() error {
					return kernels.GatherND(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(tuples, tuple...), 0, opts...)
				})
				for axis := range shape {
					behind := append(append([]int(nil), shape[:axis]...), shape[axis+1:]...)
					requireNoAllocs(t, name("Gather"), func() error {
						return kernels.Gather(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(indices[:shape[axis]], shape[axis:axis+1]...), axis, 0, opts...)
					})
					requireNoAllocs(t, name("Gather of one index"), func() error {
						return kernels.Gather(kernels.New(dst, behind...), kernels.New(data, shape...), kernels.New(one), axis, 0, opts...)
					})
					requireNoAllocs(t, name("Gather in batches"), func() error {
						return kernels.Gather(kernels.New(dst, shape[:axis+1]...), kernels.New(data, shape[:axis+1]...), kernels.New(indices, shape[:axis+1]...), axis, axis, opts...)
					})
				}
				for _, r := range ndReductions {
					if r != none && (kind == reflect.String || kind == reflect.Struct || kind == reflect.Complex64 && (r == low || r == high)) {
						continue
					}
					attrs := kernels.ScatterAttrs{Reduction: r}
					requireNoAllocs(t, name("ScatterNDUpdate of a row "+r.String()), func() error {
						return kernels.ScatterNDUpdate(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(one, single...), kernels.New(updates, row...), attrs, opts...)
					})
					requireNoAllocs(t, name("ScatterNDUpdate of elements in place "+r.String()), func() error {
						return kernels.ScatterNDUpdate(kernels.New(dst, shape...), kernels.New(dst, shape...), kernels.New(tuples, tuple...), kernels.New(updates, shape...), attrs, opts...)
					})
					requireNoAllocs(t, name("ScatterNDUpdate of rows in place "+r.String()), func() error {
						return kernels.ScatterNDUpdate(kernels.New(dst, shape...), kernels.New(dst, shape...), kernels.New(indices[:shape[0]], column...), kernels.New(updates, shape...), attrs, opts...)
					})
				}
				requireNoAllocs(t, name("StridedSlice reversed"), func() error {
					return kernels.StridedSlice(kernels.New(dst, shape...), kernels.New(data, shape...), step, opts...)
				})
				requireNoAllocs(t, name("Slice reversed"), func() error {
					return kernels.Slice(kernels.New(dst, shape...), kernels.New(data, shape...), reversed, opts...)
				})
				requireNoAllocs(t, name("SliceScatter reversed"), func() error {
					return kernels.SliceScatter(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(updates, shape...), step, opts...)
				})
				requireNoAllocs(t, name("SliceScatter of a row in place"), func() error {
					return kernels.SliceScatter(kernels.New(dst, shape...), kernels.New(dst, shape...), kernels.New(updates, row...), firstRow, opts...)
				})
				for axis := 1; axis < rank; axis++ {
					for _, mode := range []kernels.CacheMode{kernels.Linear, kernels.Circular} {
						requireNoAllocs(t, name("TensorScatter"), func() error {
							return kernels.TensorScatter(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(updates, shape...), kernels.New(indices[:shape[0]], shape[:1]...), axis, mode, opts...)
						})
						requireNoAllocs(t, name("TensorScatter in place"), func() error {
							return kernels.TensorScatter(kernels.New(dst, shape...), kernels.New(dst, shape...), kernels.New(updates, shape...), kernels.Tensor[I]{}, axis, mode, opts...)
						})
					}
				}
				requireNoAllocs(t, name("StridedSlice of nothing but a copy"), func() error {
					return kernels.StridedSlice(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.SliceSpec{}, opts...)
				})
			}
		}
	})
}

// TestDecodeStep: one token written into a cache of keys allocates nothing, though nothing is
// said of workers, and writes its own bytes alone.
func TestDecodeStep(t *testing.T) {
	const batches, heads, positions, width = 8, 32, 256, 128
	cache := kernels.New(make([]float32, batches*heads*positions*width), batches, heads, positions, width)
	token := kernels.New(repeat(batches*heads*width, float32(1)), batches, heads, 1, width)
	at := kernels.New([]int64{0, 255, 1, 1, 1, 77, 78, 12}, batches)
	for _, mode := range []kernels.CacheMode{kernels.Linear, kernels.Circular} {
		requireNoAllocs(t, mode.String(), func() error { return kernels.TensorScatter(cache, cache, token, at, -2, mode) })
		requireNoAllocs(t, mode.String()+" on one goroutine", func() error {
			return kernels.TensorScatter(cache, cache, token, at, -2, mode, kernels.Workers(1))
		})
	}
	for i, v := range cache.Data {
		if b, p := i/(heads*positions*width), i/width%positions; (int64(p) == at.Data[b]) != (v == 1) {
			require.FailNow(t, "another position was written", "batch %d, position %d: %v", b, p, v)
		}
	}
}

// TestAllocationsAsWritten has everything in the call itself, as a user writes
// it: each tensor whose shape is written there costs one small slice, and nothing else
// does. (A scalar's shape is empty.)
func TestAllocationsAsWritten(t *testing.T) {
	dst, data, updates := make([]float32, 8), make([]float32, 8), make([]float32, 8)
	hdst, hdata, hupdates := make([]kernels.Float16, 8), make([]kernels.Float16, 8), make([]kernels.Float16, 8)
	sdst, sdata, supdates := make([]string, 8), make([]string, 8), make([]string, 8)
	i64, i32, u8 := make([]int64, 8), make([]int32, 8), make([]uint8, 8)
	for _, c := range []struct {
		name string
		call func() error
	}{
		{"GatherElements float32", func() error {
			return kernels.GatherElements(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(i64, 2, 4), 1)
		}},
		{"GatherElements float32, Workers(1)", func() error {
			return kernels.GatherElements(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(i32, 2, 4), 0, kernels.Workers(1))
		}},
		{"GatherElements Float16", func() error {
			return kernels.GatherElements(kernels.New(hdst, 8), kernels.New(hdata, 8), kernels.New(u8, 8), 0)
		}},
		{"GatherElements string", func() error {
			return kernels.GatherElements(kernels.New(sdst, 2, 2, 2), kernels.New(sdata, 2, 2, 2), kernels.New(i64, 2, 2, 2), -1)
		}},
		{"GatherElements of rank 8", func() error {
			return kernels.GatherElements(kernels.New(dst, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(data, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(i64, 2, 1, 2, 1, 2, 1, 1, 1), 4)
		}},
		{"GatherND float32", func() error {
			return kernels.GatherND(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(i64, 2, 1), 0)
		}},
		{"GatherND float32, elements", func() error {
			return kernels.GatherND(kernels.New(dst, 4), kernels.New(data, 2, 4), kernels.New(i32, 4, 2), 0, kernels.Workers(1))
		}},
		{"GatherND Float16, batch", func() error {
			return kernels.GatherND(kernels.New(hdst, 2, 4), kernels.New(hdata, 2, 4), kernels.New(u8, 2, 4, 1), 1)
		}},
		{"GatherND string", func() error {
			return kernels.GatherND(kernels.New(sdst, 2, 4), kernels.New(sdata, 2, 4), kernels.New(u8, 2, 1), 0)
		}},
		{"GatherND, a scalar", func() error {
			return kernels.GatherND(kernels.New(dst), kernels.New(data, 2, 4), kernels.New(i64, 2), 0)
		}},
		{"GatherND of rank 8", func() error {
			return kernels.GatherND(kernels.New(dst, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(data, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(i64, 2, 1), 0)
		}},
		{"Gather float32", func() error {
			return kernels.Gather(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(i64, 2), 0, 0)
		}},
		{"Gather float32, columns, Workers(1)", func() error {
			return kernels.Gather(kernels.New(dst, 2, 2, 2), kernels.New(data, 2, 4), kernels.New(i32, 2, 2), -1, 0, kernels.Workers(1))
		}},
		{"Gather Float16, batch", func() error {
			return kernels.Gather(kernels.New(hdst, 2, 4), kernels.New(hdata, 2, 4), kernels.New(u8, 2, 4), 1, -1)
		}},
		{"Gather string", func() error {
			return kernels.Gather(kernels.New(sdst, 2, 4), kernels.New(sdata, 2, 4), kernels.New(u8, 2), 0, 0)
		}},
		{"Gather, a scalar", func() error {
			return kernels.Gather(kernels.New(dst, 4), kernels.New(data, 2, 4), kernels.New(i64), 0, 0)
		}},
		{"Gather of rank 8", func() error {
			return kernels.Gather(kernels.New(dst, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(data, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(i64, 2), 2, 0)
		}},
		{"ScatterElementsUpdate float32", func() error {
			return kernels.ScatterElementsUpdate(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(i64, 2, 4), kernels.New(updates, 2, 4), 1, kernels.ScatterAttrs{})
		}},
		{"ScatterElementsUpdate float32 mean in place, Workers(1)", func() error {
			return kernels.ScatterElementsUpdate(kernels.New(dst, 2, 4), kernels.New(dst, 2, 4), kernels.New(i32, 2, 4), kernels.New(updates, 2, 4), 0,
				kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: true}, kernels.Workers(1))
		}},
		{"ScatterElementsUpdate Float16 sum", func() error {
			return kernels.ScatterElementsUpdate(kernels.New(hdst, 8), kernels.New(hdata, 8), kernels.New(u8, 8), kernels.New(hupdates, 8), 0, kernels.ScatterAttrs{Reduction: kernels.Sum})
		}},
		{"ScatterElementsUpdate string", func() error {
			return kernels.ScatterElementsUpdate(kernels.New(sdst, 2, 2, 2), kernels.New(sdata, 2, 2, 2), kernels.New(i32, 2, 2, 2), kernels.New(supdates, 2, 2, 2), 1, kernels.ScatterAttrs{})
		}},
		{"ScatterElementsUpdate of rank 8", func() error {
			return kernels.ScatterElementsUpdate(kernels.New(dst, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(data, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(i64, 2, 1, 2, 1, 2, 1, 1, 1),
				kernels.New(updates, 2, 1, 2, 1, 2, 1, 1, 1), 2, kernels.ScatterAttrs{Reduction: kernels.Max})
		}},
		{"ScatterNDUpdate float32", func() error {
			return kernels.ScatterNDUpdate(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(i64, 3, 1), kernels.New(make([]float32, 12), 3, 4), kernels.ScatterAttrs{})
		}},
		{"ScatterNDUpdate Float16 sub in place, Workers(1)", func() error {
			return kernels.ScatterNDUpdate(kernels.New(hdst, 2, 4), kernels.New(hdst, 2, 4), kernels.New(u8, 4, 2), kernels.New(hupdates, 4), kernels.ScatterAttrs{Reduction: kernels.Sub}, kernels.Workers(1))
		}},
		{"ScatterNDUpdate string", func() error {
			return kernels.ScatterNDUpdate(kernels.New(sdst, 2, 4), kernels.New(sdata, 2, 4), kernels.New(i32, 2, 1), kernels.New(supdates, 2, 4), kernels.ScatterAttrs{})
		}},
		{"ScatterNDUpdate, a scalar", func() error {
			return kernels.ScatterNDUpdate(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(i64, 2), kernels.New(updates), kernels.ScatterAttrs{Reduction: kernels.Max})
		}},
		{"StridedSlice float32", func() error {
			return kernels.StridedSlice(kernels.New(dst, 2, 2), kernels.New(data, 2, 4), kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{2, 4}, Strides: []int64{1, 2}})
		}},
		{"Slice float32", func() error {
			return kernels.Slice(kernels.New(dst, 2, 2), kernels.New(data, 2, 4), kernels.Ranges{Starts: []int64{-2}, Ends: []int64{4}, Axes: []int64{1}})
		}},
		{"Slice string of rank 8, Workers(1)", func() error {
			return kernels.Slice(kernels.New(sdst, 1, 1, 2, 1, 2, 1, 1, 1), kernels.New(sdata, 2, 1, 2, 1, 2, 1, 1, 1),
				kernels.Ranges{Starts: []int64{1}, Ends: []int64{2}, Axes: []int64{-8}, Steps: []int64{3}}, kernels.Workers(1))
		}},
		{"StridedSlice Float16, masks, Workers(1)", func() error {
			return kernels.StridedSlice(kernels.New(hdst, 1, 4), kernels.New(hdata, 2, 4), kernels.SliceSpec{
				Begin: []int64{0, 1, 0}, End: []int64{0, 2, 0}, Strides: []int64{1, 1, -1},
				BeginMask: []bool{false, false, true}, EndMask: []bool{false, false, true}, NewAxisMask: []bool{true}, ShrinkAxisMask: []bool{false, true}}, kernels.Workers(1))
		}},
		{"StridedSlice string, ellipsis", func() error {
			return kernels.StridedSlice(kernels.New(sdst, 2, 2, 1), kernels.New(sdata, 2, 2, 2), kernels.SliceSpec{
				Begin: []int64{0, 1}, End: []int64{0, 2}, EllipsisMask: []bool{true}})
		}},
		{"SliceScatter float32", func() error {
			return kernels.SliceScatter(kernels.New(dst, 2, 4), kernels.New(data, 2, 4), kernels.New(updates, 2, 2), kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{2, 4}, Strides: []int64{1, 2}})
		}},
		{"TensorScatter float32", func() error {
			return kernels.TensorScatter(kernels.New(dst, 2, 2, 2), kernels.New(data, 2, 2, 2), kernels.New(updates, 2, 1, 2), kernels.New(i64, 2), 1, kernels.Circular)
		}},
		{"SliceScatter string of rank 8 in place, Workers(1)", func() error {
			return kernels.SliceScatter(kernels.New(sdst, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(sdst, 2, 1, 2, 1, 2, 1, 1, 1), kernels.New(supdates, 1, 1, 2, 1, 2, 1, 1, 1),
				kernels.SliceSpec{Begin: []int64{1}, End: []int64{2}}, kernels.Workers(1))
		}},
		{"StridedSlice of a scalar", func() error { return kernels.StridedSlice(kernels.New(dst), kernels.New(data), kernels.SliceSpec{}) }},
		{"StridedSlice of rank 8", func() error {
			return kernels.StridedSlice(kernels.New(dst, 1, 1, 2, 1, 2, 1, 1, 1), kernels.New(data, 2, 1, 2, 1, 2, 1, 1, 1), kernels.SliceSpec{Begin: []int64{1}, End: []int64{2}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tensors := 3 // dst, data and indices
			switch {
			case strings.HasPrefix(c.name, "Scatter"), strings.HasPrefix(c.name, "TensorScatter"):
				tensors = 4
			case strings.HasPrefix(c.name, "SliceScatter"): // dst, data and updates
			case strings.Contains(c.name, "Slice"):
				tensors = 2
			}
			if strings.Contains(c.name, "scalar") {
				tensors--
			}
			if c.name == "StridedSlice of a scalar" {
				tensors = 0
			}
			if c.name == "ScatterNDUpdate float32" {
				tensors++ // its updates are made there
			}
			require.NoError(t, c.call())
			require.LessOrEqual(t, testing.AllocsPerRun(5, func() { _ = c.call() }), float64(tensors))
		})
	}
}

// TestNoAllocationsRaw is TestNoAllocations on tensors whose types are known
// at run time, small and larger, whose shapes are kept.
func TestNoAllocationsRaw(t *testing.T) {
	for d := kernels.DTypeFloat32; int(d) < len(rawRows); d++ {
		for _, index := range indexDTypes {
			for _, n := range []int{2, 40} {
				square, half, lower, column := []int{2 * n, 2 * n}, []int{2 * n, n}, []int{n, 2 * n}, []int{n, 1}
				dst, data, updates := make([]byte, 4*n*n*16), make([]byte, 4*n*n*16), make([]byte, 4*n*n*16)
				sdst, sdata, supdates := make([]string, 4*n*n), make([]string, 4*n*n), make([]string, 4*n*n)
				x := make([]byte, 4*n*n*8)
				name := fmt.Sprintf("%s by %s, n=%d: ", d, index, n)
				requireNoAllocs(t, name+"GatherElementsRaw", func() error {
					return kernels.GatherElementsRaw(
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: square},
						kernels.Raw{Type: d, Data: data, Strings: sdata, Shape: square},
						kernels.Raw{Type: index, Data: x, Shape: square}, 1, kernels.Workers(1))
				})
				requireNoAllocs(t, name+"GatherNDRaw", func() error {
					return kernels.GatherNDRaw(
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: lower},
						kernels.Raw{Type: d, Data: data, Strings: sdata, Shape: square},
						kernels.Raw{Type: index, Data: x, Shape: column}, 0, kernels.Workers(1))
				})
				r := kernels.Max
				if d == kernels.DTypeString || d == kernels.DTypeComplex64 || d == kernels.DTypeComplex128 {
					r = kernels.None
				}
				requireNoAllocs(t, name+"ScatterElementsUpdateRaw", func() error {
					return kernels.ScatterElementsUpdateRaw(
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: square},
						kernels.Raw{Type: d, Data: data, Strings: sdata, Shape: square},
						kernels.Raw{Type: index, Data: x, Shape: square},
						kernels.Raw{Type: d, Data: updates, Strings: supdates, Shape: square}, 0, kernels.ScatterAttrs{Reduction: r}, kernels.Workers(1))
				})
				requireNoAllocs(t, name+"SliceRaw", func() error {
					return kernels.SliceRaw(
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: half},
						kernels.Raw{Type: d, Data: data, Strings: sdata, Shape: square},
						kernels.Ranges{Starts: []int64{0}, Ends: []int64{int64(2 * n)}, Axes: []int64{1}, Steps: []int64{2}}, kernels.Workers(1))
				})
				requireNoAllocs(t, name+"TensorScatterRaw", func() error {
					return kernels.TensorScatterRaw(
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: square},
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: square},
						kernels.Raw{Type: d, Data: updates, Strings: supdates, Shape: half},
						kernels.Raw{Type: index, Data: x, Shape: square[:1]}, 1, kernels.Linear, kernels.Workers(1))
				})
				requireNoAllocs(t, name+"SliceScatterRaw", func() error {
					return kernels.SliceScatterRaw(
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: square},
						kernels.Raw{Type: d, Data: data, Strings: sdata, Shape: square},
						kernels.Raw{Type: d, Data: updates, Strings: supdates, Shape: half},
						kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{int64(2 * n), int64(2 * n)}, Strides: []int64{1, 2}}, kernels.Workers(1))
				})
				requireNoAllocs(t, name+"StridedSliceRaw", func() error {
					return kernels.StridedSliceRaw(
						kernels.Raw{Type: d, Data: dst, Strings: sdst, Shape: half},
						kernels.Raw{Type: d, Data: data, Strings: sdata, Shape: square},
						kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{int64(2 * n), int64(2 * n)}, Strides: []int64{1, 2}}, kernels.Workers(1))
				})
			}
		}
	}
	whole := kernels.New(make([]float32, 8), 2, 4)
	requireNoAllocs(t, "RawOf", func() error {
		r, err := kernels.RawOf(whole)
		return errors.Join(err, kernels.StridedSliceRaw(r, kernels.Raw{Type: r.Type, Data: sourceOfRaw[:], Shape: whole.Shape}, kernels.SliceSpec{}))
	})
}

var sourceOfRaw [32]byte

// TestObserveManyPasses: the names of the passes take memory, and time, as they are long, and not
// by the square of their number.
func TestObserveManyPasses(t *testing.T) {
	const batches = 10_000
	cache, starts := zeros[float32](batches, 2), zeros[int8](batches)
	for b := range starts.Data {
		starts.Data[b] = int8(b % 2) // no two neighbours are written together
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := facts(t, func(o kernels.Option) error {
		return kernels.TensorScatter(cache, cache, zeros[float32](batches, 1), starts, 1, kernels.Linear, o)
	})
	runtime.ReadMemStats(&after)
	require.Len(t, f.Kernel, len("copy")*batches+len(" + ")*(batches-1))
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
}
