package generic

import "slices"

// ScatterDims are kernels.ScatterDims: the dimension numbers of a general scatter, by StableHLO's
// names.
type ScatterDims struct {
	UpdateWindowDims, InsertedWindowDims, InputBatchingDims, ScatterIndicesBatchingDims, ScatterDimsToOperandDims []int
	IndexVectorDim                                                                                                int
}

// GeneralScatter defines kernels.GeneralScatter, as the text of StableHLO does:
//
//	result_index = full_start_index + full_batching_index + full_window_index
//	dst[result_index] = input[result_index] reduced with the updates that it has
//
// in row-major order of scatter indices, and of the elements of a window. Without a policy a
// negative start is out of range, and a window that does not fit is skipped whole. dst and input
// may be the same memory. Every start is checked before anything is written; a bad one is a
// *BadIndex. A T that has no such reduction is a *BadType.
func GeneralScatter[T any, I AnyIndex](dst []T, dv View, input []T, iv View, starts []I, xv View, updates []T, uv View,
	dims ScatterDims, op Op, ignoreInit bool, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: Skip})
	reduce, err := reduction[T](op, ignoreInit)
	if err != nil {
		return err
	}
	window, i := make([]int, len(iv.Shape)), 0 // the size of one on each axis
	for d := range window {
		window[d] = 1
		if !slices.Contains(dims.InsertedWindowDims, d) && !slices.Contains(dims.InputBatchingDims, d) {
			window[d] = uv.Shape[dims.UpdateWindowDims[i]]
			i++
		}
	}
	if err := checkStarts(by, starts, xv, dims.IndexVectorDim, dims.ScatterDimsToOperandDims, iv.Shape, window); err != nil {
		return err
	}
	var batches, windows []int // the shape of updates, taken apart
	for d, n := range uv.Shape {
		if slices.Contains(dims.UpdateWindowDims, d) {
			windows = append(windows, n)
		} else {
			batches = append(batches, n)
		}
	}
	number := View{Shape: iv.Shape}.Address
	updatesOf := make(map[int][]T)
	for batch := range Coordinates(batches) {
		for inside := range Coordinates(windows) {
			full, named := startOf(by, starts, xv, dims.IndexVectorDim, dims.ScatterDimsToOperandDims, iv.Shape, window, batch)
			addBatching(full, dims.InputBatchingDims, dims.ScatterIndicesBatchingDims, dims.IndexVectorDim, batch)
			addWindow(full, dims.InsertedWindowDims, dims.InputBatchingDims, inside)
			for d, c := range full {
				named = named && c < iv.Shape[d] // an axis of size 0 may have no start
			}
			if !named {
				continue
			}
			var at []int
			b, w := 0, 0
			for d := range uv.Shape {
				if slices.Contains(dims.UpdateWindowDims, d) {
					at, w = append(at, inside[w]), w+1
				} else {
					at, b = append(at, batch[b]), b+1
				}
			}
			n := number(full)
			updatesOf[n] = append(updatesOf[n], updates[uv.Address(at)])
		}
	}
	reduceCells(dst, dv, input, iv, updatesOf, reduce)
	return nil
}
