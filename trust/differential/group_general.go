package main

import (
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// generalDims are random shapes and dimension numbers of a general gather that fit. Those of a
// scatter are the same by other names, where the result is the updates.
type generalDims struct {
	operand, indices, result []int
	dims                     kernels.GatherDims
}

// general draws them.
func (r *random) general() generalDims {
	for {
		if g := r.anyGeneral(); product(g.indices) <= maxElements && product(g.result) <= maxElements {
			return g
		}
	}
}

func (r *random) anyGeneral() (g generalDims) {
	g.operand, g.indices, g.result = r.shape(r.IntN(6)), []int{}, []int{} // which nil would leave out
	for d := range g.operand {
		g.operand[d] = max(g.operand[d], 1)
	}
	d := &g.dims
	var others, kept []int
	for axis, n := range g.operand {
		size := 1
		switch r.IntN(5) {
		case 0:
			d.OperandBatchingDims = append(d.OperandBatchingDims, axis)
		case 1, 2:
			d.CollapsedSliceDims = append(d.CollapsedSliceDims, axis)
		default:
			if size = 1 + r.IntN(n); r.oneIn(3) {
				size = n
			}
			kept = append(kept, size)
		}
		d.SliceSizes = append(d.SliceSizes, size)
		if !slices.Contains(d.OperandBatchingDims, axis) {
			others = append(others, axis)
		}
	}
	r.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	d.StartIndexMap = others[:r.IntN(len(others)+1)]

	// The positions: batching axes and others in any order, the axis of the components among them.
	type position struct{ n, batching int }
	var positions []position
	for i, axis := range d.OperandBatchingDims {
		positions = append(positions, position{g.operand[axis], i})
	}
	for range r.IntN(4) {
		positions = append(positions, position{max(r.size(), 1), -1})
	}
	r.Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
	d.StartIndicesBatchingDims = make([]int, len(d.OperandBatchingDims))
	d.IndexVectorDim = r.IntN(len(positions) + 1)
	explicit := len(d.StartIndexMap) != 1 || !r.oneIn(3)
	if !explicit {
		d.IndexVectorDim = len(positions)
	}
	var sizes []int
	for i, p := range positions {
		if i == d.IndexVectorDim {
			g.indices = append(g.indices, len(d.StartIndexMap))
		}
		if p.batching >= 0 {
			d.StartIndicesBatchingDims[p.batching] = len(g.indices)
		}
		g.indices, sizes = append(g.indices, p.n), append(sizes, p.n)
	}
	if explicit && d.IndexVectorDim == len(positions) {
		g.indices = append(g.indices, len(d.StartIndexMap))
	}
	for len(sizes)+len(kept) > 0 { // windows stand anywhere among the positions
		if len(kept) > 0 && (len(sizes) == 0 || r.oneIn(2)) {
			d.OffsetDims = append(d.OffsetDims, len(g.result))
			g.result, kept = append(g.result, kept[0]), kept[1:]
		} else {
			g.result, sizes = append(g.result, sizes[0]), sizes[1:]
		}
	}
	return g
}

// starts are indices of which some do not fit: in half of the calls few, in the others many.
func (r *random) starts(t kernels.DType, g *generalDims) calls.Tensor {
	d, wide := &g.dims, r.IntN(2)
	inner := product(g.indices[min(d.IndexVectorDim+1, len(g.indices)):])
	return r.indices(t, g.indices, func(i int) int {
		axis := d.StartIndexMap[0]
		if d.IndexVectorDim < len(g.indices) {
			axis = d.StartIndexMap[i/inner%len(d.StartIndexMap)]
		}
		return g.operand[axis] - d.SliceSizes[axis] + 1 + wide
	})
}

func (r *random) generalGather() func() calls.Call {
	typ, index := pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64)
	return func() calls.Call {
		g := r.general()
		return calls.Call{Op: calls.GeneralGather, Gather: g.dims, Data: r.tensor(typ, g.operand), Indices: r.starts(index, &g)}
	}
}

func (r *random) generalScatter() func() calls.Call {
	typ, index := pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64)
	attrs := kernels.ScatterAttrs{Reduction: pick(r, kernels.None, kernels.Sum, kernels.Prod, kernels.Min, kernels.Max)}
	for !jaxHas(&calls.Call{Op: calls.GeneralScatter, Data: calls.Tensor{Type: typ}, Attrs: attrs}) {
		typ, attrs.Reduction = pick(r, calls.Types...), pick(r, kernels.None, kernels.Sum, kernels.Prod, kernels.Min, kernels.Max)
	}
	return func() calls.Call {
		g := r.general()
		d, v := &g.dims, r.flavour()
		return calls.Call{Op: calls.GeneralScatter, Attrs: attrs, Data: r.tensorOf(typ, g.operand, v), Updates: r.tensorOf(typ, g.result, v), Indices: r.starts(index, &g),
			Scatter: kernels.ScatterDims{UpdateWindowDims: d.OffsetDims, InsertedWindowDims: d.CollapsedSliceDims, InputBatchingDims: d.OperandBatchingDims,
				ScatterIndicesBatchingDims: d.StartIndicesBatchingDims, ScatterDimsToOperandDims: d.StartIndexMap, IndexVectorDim: d.IndexVectorDim}}
	}
}
