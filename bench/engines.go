package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// engineWorkloads are the workloads of the operators that engines write caches and windows with.
var engineWorkloads = []workload{
	{"W32", "", "a decode step: one token into each cache", tokens(8, 32, 512, 128)},
	{"W33", "", "a patch written back", patched(2048, 2048)},
	{"W34", "", "windows of a sequence", windowsOf(4096, 512, 4096, 16)},
}

// defineWhole sets the definition of a job whose result has no parts that are defined alone.
func (j *siblingsJob) defineWhole(define func(dst []f32) error) {
	var all []f32
	j.define = func(dst []f32, from, rows int) error {
		if all == nil {
			all = make([]f32, size(j.out))
			if err := define(all); err != nil {
				return err
			}
		}
		row := size(j.out[1:])
		copy(dst, all[from*row:(from+rows)*row])
		return nil
	}
}

// tokens is a TensorScatter, in place, of one position into caches.
func tokens(batches, heads, length, width int) siblings {
	return siblings{"TensorScatter", fmt.Sprintf("[%d,%d,1,%d] into [%d,%d,%d,%d], in place", batches, heads, width, batches, heads, length, width), func(rng *rand.Rand, j *siblingsJob) {
		j.out = dims{batches, heads, length, width}
		updates, by, indices := values[f32](rng, batches*heads*width), dims{batches, heads, 1, width}, uniform[i64](rng, batches, length)
		j.initial, j.count = values[f32](rng, size(j.out)), len(updates)
		j.moved = traffic{Read: bytesOf(updates) + bytesOf(indices), Write: bytesOf(updates)}
		j.call = func(dst []f32, workers int) error {
			cache := kernels.New(dst, j.out...)
			return kernels.TensorScatter(cache, cache, kernels.New(updates, by...), kernels.New(indices, batches), 2, kernels.Linear, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error {
			for row := range batches * heads {
				copy(dst[(row*length+int(indices[row/heads]))*width:], updates[row*width:(row+1)*width])
			}
			return nil
		}
		j.defineWhole(func(dst []f32) error {
			v := contiguous(j.out)
			return generic.TensorScatter(dst, v, j.initial, v, updates, contiguous(by), indices, generic.View{Shape: dims{batches}}, 2, false)
		})
	}}
}

// patched is a SliceScatter, in place, of every other row and column in the middle.
func patched(rows, cols int) siblings {
	spec := kernels.SliceSpec{Begin: []int64{20, 20}, End: []int64{-20, -20}, Strides: []int64{2, 2}}
	return siblings{"SliceScatter", fmt.Sprintf("[20:-20:2,20:-20:2] of [%d,%d], in place", rows, cols), func(rng *rand.Rand, j *siblingsJob) {
		j.out = dims{rows, cols}
		by := dims{(rows - 40) / 2, (cols - 40) / 2}
		updates := values[f32](rng, size(by))
		j.initial, j.count = values[f32](rng, rows*cols), len(updates)
		lines := (rows - 40) / 2 * (cols - 40) * 4
		j.moved = traffic{Read: bytesOf(updates) + lines, Write: lines}
		j.call = func(dst []f32, workers int) error {
			data := kernels.New(dst, j.out...)
			return kernels.SliceScatter(data, data, kernels.New(updates, by...), spec, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error {
			for i := range by[0] {
				row := dst[(20+2*i)*cols+20:]
				for k, u := range updates[i*by[1] : (i+1)*by[1]] {
					row[2*k] = u
				}
			}
			return nil
		}
		j.defineWhole(func(dst []f32) error {
			v := contiguous(j.out)
			return generic.SliceScatter(dst, v, j.initial, v, updates, contiguous(by), generic.Slice(spec))
		})
	}}
}

// windowsOf is a GeneralGather of windows of some rows.
func windowsOf(rows, cols, starts, length int) siblings {
	gd := kernels.GatherDims{OffsetDims: []int{1, 2}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{length, cols}}
	return siblings{"GeneralGather", fmt.Sprintf("%d windows [%d,%d] of [%d,%d]", starts, length, cols, rows, cols), func(rng *rand.Rand, j *siblingsJob) {
		data, shape, indices := values[f32](rng, rows*cols), dims{rows, cols}, uniform[i64](rng, starts, rows-length+1)
		j.out = dims{starts, length, cols}
		j.count = size(j.out)
		j.moved = traffic{Read: bytesOf(data) + bytesOf(indices), Write: j.count * 4}
		j.call = func(dst []f32, workers int) error {
			return kernels.GeneralGather(kernels.New(dst, j.out...), kernels.New(data, shape...), kernels.New(indices, starts, 1), gd, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error {
			window := length * cols
			for i, k := range indices {
				copy(dst[i*window:(i+1)*window], data[int(k)*cols:])
			}
			return nil
		}
		j.define = func(dst []f32, from, n int) error {
			return generic.GeneralGather(dst, generic.View{Shape: dims{n, length, cols}}, data, contiguous(shape),
				indices[from:from+n], generic.View{Shape: dims{n, 1}}, generic.GatherDims(gd))
		}
	}}
}
