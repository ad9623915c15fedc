package generic

import "slices"

// GatherElements defines kernels.GatherElements, here for axis 1 of three:
//
//	dst[i][j][k] = data[i][indices[i][j][k]][k]
//
// Every index is checked before anything is written; a bad one is a *BadIndex.
func GatherElements[T any, I AnyIndex](dst []T, dv View, data []T, sv View, indices []I, xv View, axis int) error {
	axis = fromFront(axis, len(sv.Shape))
	if err := check(indices, xv, sv.Shape, func([]int) int { return axis }); err != nil {
		return err
	}
	for p := range Coordinates(xv.Shape) {
		from := slices.Clone(p)
		from[axis] = wrapped(indices[xv.Address(p)], sv.Shape[axis])
		dst[dv.Address(p)] = data[sv.Address(from)]
	}
	return nil
}
