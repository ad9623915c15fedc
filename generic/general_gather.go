package generic

import "slices"

// GatherDims are kernels.GatherDims: the dimension numbers of a general gather, by StableHLO's
// names.
type GatherDims struct {
	OffsetDims, CollapsedSliceDims, OperandBatchingDims, StartIndicesBatchingDims, StartIndexMap []int
	IndexVectorDim                                                                               int
	SliceSizes                                                                                   []int
}

// GeneralGather defines kernels.GeneralGather, as the text of StableHLO does:
//
//	dst[result_index] = operand[full_start_index + full_batching_index + full_offset_index]
//
// On an axis of size d with slices of size s, a start is an index into the d-s+1 places where a
// slice fits. Without a policy a negative one is out of range, and what is out of range is clamped.
// A collapsed or batching axis has slices of size 1, even where they are said to have size 0. Where
// a start names nothing, dst is the zero value. Every start is checked before anything is written;
// a bad one is a *BadIndex. An empty dst reads none.
func GeneralGather[T any, I AnyIndex](dst []T, dv View, operand []T, ov View, starts []I, xv View, dims GatherDims, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: Clamp})
	if slices.Contains(dv.Shape, 0) {
		return nil
	}
	if err := checkStarts(by, starts, xv, dims.IndexVectorDim, dims.StartIndexMap, ov.Shape, dims.SliceSizes); err != nil {
		return err
	}
	for result := range Coordinates(dv.Shape) {
		var batch, offset []int
		for d, c := range result {
			if slices.Contains(dims.OffsetDims, d) {
				offset = append(offset, c)
			} else {
				batch = append(batch, c)
			}
		}
		full, named := startOf(by, starts, xv, dims.IndexVectorDim, dims.StartIndexMap, ov.Shape, dims.SliceSizes, batch)
		addBatching(full, dims.OperandBatchingDims, dims.StartIndicesBatchingDims, dims.IndexVectorDim, batch)
		addWindow(full, dims.CollapsedSliceDims, dims.OperandBatchingDims, offset)
		var v T
		if named {
			v = operand[ov.Address(full)]
		}
		dst[dv.Address(result)] = v
	}
	return nil
}

// vectorOf returns where the start of a batch index has its component c: it is inserted at
// index_vector_dim, if that is one of the axes.
func vectorOf(xv View, vectorDim int, batch []int, c int) []int {
	p := slices.Clone(batch)
	if vectorDim < len(xv.Shape) {
		p = slices.Insert(p, vectorDim, c)
	}
	return p
}

// places is how many starts there are on an axis where a window fits.
func places(size, window int) int { return size - max(window, 1) + 1 }

// checkStarts returns a *BadIndex for the first start that the policy does not allow.
func checkStarts[I AnyIndex](by IndexPolicy, starts []I, xv View, vectorDim int, axes, shape, window []int) error {
	for p := range Coordinates(xv.Shape) {
		c := 0
		if vectorDim < len(xv.Shape) {
			c = p[vectorDim]
		}
		k, axis := starts[xv.Address(p)], axes[c]
		if _, _, ok := elementBy(by, k, places(shape[axis], window[axis])); !ok {
			return &BadIndex{slices.Clone(p), decimal(k), axis, shape[axis]}
		}
	}
	return nil
}

// startOf returns full_start_index, and whether every component names a place.
func startOf[I AnyIndex](by IndexPolicy, starts []I, xv View, vectorDim int, axes, shape, window, batch []int) (full []int, named bool) {
	full, named = make([]int, len(shape)), true
	for c, axis := range axes {
		k := starts[xv.Address(vectorOf(xv, vectorDim, batch, c))]
		x, ok, _ := elementBy(by, k, places(shape[axis], window[axis]))
		full[axis], named = x, named && ok
	}
	return full, named
}

// addBatching adds full_batching_index.
func addBatching(full, operandDims, indicesDims []int, vectorDim int, batch []int) {
	for i, d := range operandDims {
		start := indicesDims[i]
		if start > vectorDim {
			start--
		}
		full[d] += batch[start]
	}
}

// addWindow adds full_offset_index, or full_window_index.
func addWindow(full, dropped, batching, window []int) {
	i := 0
	for d := range full {
		if !slices.Contains(dropped, d) && !slices.Contains(batching, d) {
			full[d] += window[i]
			i++
		}
	}
}
