package generic

import "slices"

// GatherND defines kernels.GatherND. A coordinate of dst is that of an index
// tuple, o, followed by that of an element in the slice which the tuple names, s:
//
//	dst[o..., s...] = data[o[:batchDims]..., indices[o..., 0], …, indices[o..., k-1], s...]
//
// Where a component names nothing, dst is the zero value. Every index is checked before anything is
// written; a bad one is a *BadIndex.
// An empty dst reads no index.
func GatherND[T any, I AnyIndex](dst []T, dv View, data []T, sv View, indices []I, xv View, batchDims int, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{})
	q := len(xv.Shape) - 1 // the length of o
	k := xv.Shape[q]
	if slices.Contains(dv.Shape, 0) {
		return nil
	}
	if err := check(by, indices, xv, sv.Shape, func(p []int) int { return batchDims + p[q] }); err != nil {
		return err
	}
	for c := range Coordinates(dv.Shape) {
		o, s := c[:q], c[q:]
		from, whole := slices.Clone(o[:batchDims]), true
		for j := range k {
			index := indices[xv.Address(slices.Concat(o, []int{j}))]
			x, named, _ := elementBy(by, index, sv.Shape[batchDims+j])
			from, whole = append(from, x), whole && named
		}
		var v T
		if whole {
			v = data[sv.Address(append(from, s...))]
		}
		dst[dv.Address(c)] = v
	}
	return nil
}
