package main

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// pictures is every picture of docs/.
var pictures = []picture{
	{
		name: "gather_elements", title: "GatherElements, axis 1",
		data: []int{2, 3}, dst: []int{2, 4}, show: []int{0, 6},
		indices: kernels.New([]int64{
			2, 0, -1, -1,
			1, 1, 0, 2,
		}, 2, 4),
		call: func(dst, data, indices, _ tensor) error { return kernels.GatherElements(dst, data, indices, 1) },
	},
	{
		name: "gather_elements_shorter", title: "GatherElements, axis 0, indices shorter than data",
		data: []int{3, 4}, dst: []int{2, 3}, show: []int{0, 5},
		indices: kernels.New([]int64{
			2, 0, 1,
			0, 0, -1,
		}, 2, 3),
		call: func(dst, data, indices, _ tensor) error { return kernels.GatherElements(dst, data, indices, 0) },
	},
	{
		name: "gather_nd_rows", title: "GatherND, tuples of one index name rows",
		data: []int{3, 2}, dst: []int{4, 2}, show: []int{0, 1},
		indices: kernels.New([]int64{2, 0, 2, -2}, 4, 1),
		call:    func(dst, data, indices, _ tensor) error { return kernels.GatherND(dst, data, indices, 0) },
	},
	{
		name: "gather_nd_elements", title: "GatherND, tuples of two indices name elements",
		data: []int{3, 4}, dst: []int{3}, show: []int{0, 2},
		indices: kernels.New([]int64{
			0, 1,
			2, -1,
			1, 0,
		}, 3, 2),
		call: func(dst, data, indices, _ tensor) error { return kernels.GatherND(dst, data, indices, 0) },
	},
	{
		name: "gather_nd_batch", title: "GatherND, batch_dims = 1: each batch has tuples of its own",
		data: []int{2, 3, 2}, dst: []int{2, 2, 2}, show: []int{0, 6},
		indices: kernels.New([]int64{
			2, 0,
			1, 2,
		}, 2, 2, 1),
		call: func(dst, data, indices, _ tensor) error { return kernels.GatherND(dst, data, indices, 1) },
	},
	{
		name: "gather", title: "Gather, axis 1: indices of any shape stand in for the axis",
		data: []int{2, 4}, dst: []int{2, 3}, show: []int{0, 5},
		indices: kernels.New([]int64{3, 0, -2}, 3),
		call:    func(dst, data, indices, _ tensor) error { return kernels.Gather(dst, data, indices, 1, 0) },
	},
	{
		name: "gather_batch", title: "Gather, axis 1, batch_dims = 1: each row has indices of its own",
		data: []int{2, 4}, dst: []int{2, 2}, show: []int{0, 2},
		indices: kernels.New([]int64{
			2, 0,
			1, -1,
		}, 2, 2),
		call: func(dst, data, indices, _ tensor) error { return kernels.Gather(dst, data, indices, 1, 1) },
	},
	{
		name: "embedding_bag", title: "EmbeddingBag, sum: bags of two, no and three rows",
		data: []int{4, 2}, dst: []int{3, 2}, show: []int{4}, indexed: "indices, in bags from 0, 2, 2 on",
		indices: kernels.New([]int64{1, 0, 3, -2, 0}, 5),
		call: func(dst, table, indices, _ tensor) error {
			bags := kernels.New([]int64{0, 2, 2}, 3)
			return kernels.EmbeddingBag(dst, table, indices, bags, tensor{}, kernels.BagAttrs{Reduction: kernels.Sum})
		},
	},
	{
		name: "scatter_elements_update_none", title: "ScatterElementsUpdate, axis 0, none: the last update wins",
		data: []int{3, 3}, updates: []int{2, 3}, dst: []int{3, 3}, show: []int{0, 5},
		indices: kernels.New([]int64{
			0, 1, 2,
			0, 2, 1,
		}, 2, 3),
		call: scatterElements(0, kernels.ScatterAttrs{}),
	},
	{
		name: "scatter_elements_update_sum", title: "ScatterElementsUpdate, axis 0, sum",
		data: []int{4}, updates: []int{6}, dst: []int{4}, show: []int{0},
		indices: kernels.New([]int64{1, 0, 0, -2, -1, 2}, 6),
		call:    scatterElements(0, kernels.ScatterAttrs{Reduction: kernels.Sum}),
	},
	{
		name: "scatter_elements_update_init", title: "the same without the initial values (use_init_val = false)",
		data: []int{4}, updates: []int{5}, dst: []int{4}, show: []int{0},
		indices: kernels.New([]int64{1, 0, 0, -2, 2}, 5),
		call:    scatterElements(0, kernels.ScatterAttrs{Reduction: kernels.Sum, IgnoreInit: true}),
	},
	{
		name: "scatter_nd_update_rows", title: "ScatterNDUpdate, tuples of one index name rows, sum",
		data: []int{3, 2}, updates: []int{3, 2}, dst: []int{3, 2}, show: []int{5},
		indices: kernels.New([]int64{2, 0, -1}, 3, 1),
		call:    scatterND(kernels.ScatterAttrs{Reduction: kernels.Sum}),
	},
	{
		name: "scatter_nd_update_elements", title: "ScatterNDUpdate, tuples of two indices name elements",
		data: []int{2, 4}, updates: []int{3}, dst: []int{2, 4}, show: []int{1, 4, 7},
		indices: kernels.New([]int64{
			1, 0,
			0, 1,
			-1, -1,
		}, 3, 2),
		call: scatterND(kernels.ScatterAttrs{}),
	},
	{
		name: "compress", title: "Compress, axis 1",
		data: []int{2, 4}, dst: []int{2, 2}, show: []int{0, 3},
		indices: kernels.New([]int64{0, 1, 0, 1}, 4), indexed: "condition", truths: true,
		call: func(dst, data, indices, _ tensor) error { return kernels.Compress(dst, data, mask(indices), 1) },
	},
	{
		name: "take", title: "Take, a mask over the first two of three axes",
		data: []int{2, 3, 2}, dst: []int{3, 2}, show: []int{0, 4},
		indices: kernels.New([]int64{
			1, 0, 1,
			0, 1, 0,
		}, 2, 3), indexed: "mask", truths: true,
		call: func(dst, data, indices, _ tensor) error { return kernels.Take(dst, data, mask(indices)) },
	},
	{
		name: "slice", title: "Slice, axis -1 from 3 down to 0 in steps of -2",
		data: []int{2, 4}, dst: []int{2, 2}, show: []int{0, 3},
		call: func(dst, data, _, _ tensor) error {
			return kernels.Slice(dst, data, kernels.Ranges{Starts: []int64{3}, Ends: []int64{math.MinInt64}, Axes: []int64{-1}, Steps: []int64{-2}})
		},
	},
	{
		name: "strided_slice", title: "StridedSlice, data[::-1, 1::2]",
		data: []int{3, 4}, dst: []int{3, 2}, show: []int{0, 5},
		call: slice(kernels.SliceSpec{
			Begin: []int64{0, 1}, End: []int64{0, 0}, Strides: []int64{-1, 2},
			BeginMask: []bool{true}, EndMask: []bool{true, true},
		}),
	},
	{
		name: "strided_slice_masks", title: "StridedSlice, data[..., newaxis, 1]",
		data: []int{2, 2, 2}, dst: []int{2, 2, 1}, show: []int{0, 3},
		call: slice(kernels.SliceSpec{
			Begin: []int64{0, 0, 1}, End: []int64{0, 0, 0},
			EllipsisMask: []bool{true}, NewAxisMask: []bool{false, true}, ShrinkAxisMask: []bool{false, false, true},
		}),
	},
	{
		name: "tensor_scatter", title: "TensorScatter, axis 1, circular",
		data: []int{2, 4}, updates: []int{2, 2}, dst: []int{2, 4}, show: []int{0, 5},
		indices: kernels.New([]int64{3, 1}, 2),
		call: func(dst, data, indices, updates tensor) error {
			return kernels.TensorScatter(dst, data, updates, indices, 1, kernels.Circular)
		},
	},
	{
		name: "slice_scatter", title: "SliceScatter, data[::2, 1:3] = updates",
		data: []int{3, 4}, updates: []int{2, 2}, dst: []int{3, 4}, show: []int{1, 10},
		call: func(dst, data, _, updates tensor) error {
			return kernels.SliceScatter(dst, data, updates, kernels.SliceSpec{
				Begin: []int64{0, 1}, End: []int64{0, 3}, Strides: []int64{2, 1}, EndMask: []bool{true},
			})
		},
	},
}

func scatterElements(axis int, attrs kernels.ScatterAttrs) func(dst, data, indices, updates tensor) error {
	return func(dst, data, indices, updates tensor) error {
		return kernels.ScatterElementsUpdate(dst, data, indices, updates, axis, attrs)
	}
}

func scatterND(attrs kernels.ScatterAttrs) func(dst, data, indices, updates tensor) error {
	return func(dst, data, indices, updates tensor) error {
		return kernels.ScatterNDUpdate(dst, data, indices, updates, attrs)
	}
}

// mask takes numbers for truths.
func mask(t tensor) kernels.Tensor[bool] {
	m := kernels.New(make([]bool, len(t.Data)), t.Shape...)
	for i, v := range t.Data {
		m.Data[i] = v != 0
	}
	return m
}

func slice(spec kernels.SliceSpec) func(dst, data, indices, updates tensor) error {
	return func(dst, data, _, _ tensor) error { return kernels.StridedSlice(dst, data, spec) }
}
