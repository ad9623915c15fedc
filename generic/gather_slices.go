package generic

import "slices"

// GatherSlices defines kernels.Gather, whose name the flat loop has here. A coordinate of dst is
// that of data before axis, p, then that of an index without its batch dims, i, then that of data
// behind axis, s:
//
//	dst[p..., i..., s...] = data[p..., indices[p[:batchDims]..., i...], s...]
//
// Where an index names nothing, dst is the zero value. Every index is checked before anything is
// written; a bad one is a *BadIndex.
// An empty dst reads no index.
func GatherSlices[T any, I AnyIndex](dst []T, dv View, data []T, sv View, indices []I, xv View, axis, batchDims int, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{})
	axis, batchDims = fromFront(axis, len(sv.Shape)), fromFront(batchDims, len(xv.Shape))
	if slices.Contains(dv.Shape, 0) {
		return nil
	}
	if err := check(by, indices, xv, sv.Shape, func([]int) int { return axis }); err != nil {
		return err
	}
	last := axis + len(xv.Shape) - batchDims
	for c := range Coordinates(dv.Shape) {
		p, i, s := c[:axis], c[axis:last], c[last:]
		k, named, _ := elementBy(by, indices[xv.Address(slices.Concat(p[:batchDims], i))], sv.Shape[axis])
		var v T
		if named {
			v = data[sv.Address(slices.Concat(p, []int{k}, s))]
		}
		dst[dv.Address(c)] = v
	}
	return nil
}
