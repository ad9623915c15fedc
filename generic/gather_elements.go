package generic

import "slices"

// GatherElements defines kernels.GatherElements, here for axis 1 of three:
//
//	dst[i][j][k] = data[i][indices[i][j][k]][k]
//
// Where an index names nothing, dst is the zero value. Every index is checked before anything is
// written; a bad one is a *BadIndex.
func GatherElements[T any, I AnyIndex](dst []T, dv View, data []T, sv View, indices []I, xv View, axis int, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{})
	axis = fromFront(axis, len(sv.Shape))
	if err := check(by, indices, xv, sv.Shape, func([]int) int { return axis }); err != nil {
		return err
	}
	for p := range Coordinates(xv.Shape) {
		from := slices.Clone(p)
		k, named, _ := elementBy(by, indices[xv.Address(p)], sv.Shape[axis])
		var v T
		if from[axis] = k; named {
			v = data[sv.Address(from)]
		}
		dst[dv.Address(p)] = v
	}
	return nil
}
