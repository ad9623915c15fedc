package generic

import "slices"

// ScatterElementsUpdate defines kernels.ScatterElementsUpdate. The update at
// [i][j][k] belongs, for axis 1 of three, to the cell [i][indices[i][j][k]][k]:
//
//	dst[cell] = data[cell] reduced with the cell's updates, in row-major order of indices
//
// and data[cell] itself where there is no update. An index that names nothing has none. dst and
// data may be the same memory. Every index is checked before anything is written; a bad one is a
// *BadIndex. A T that has no such reduction is a *BadType.
func ScatterElementsUpdate[T any, I AnyIndex](dst []T, dv View, data []T, sv View, indices []I, xv View, updates []T, uv View, axis int, op Op, ignoreInit bool, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{})
	axis = fromFront(axis, len(sv.Shape))
	reduce, err := reduction[T](op, ignoreInit)
	if err != nil {
		return err
	}
	if err := check(by, indices, xv, sv.Shape, func([]int) int { return axis }); err != nil {
		return err
	}

	number := View{Shape: sv.Shape}.Address // of a cell, in row-major order
	updatesOf := make(map[int][]T)
	for p := range Coordinates(xv.Shape) {
		cell := slices.Clone(p)
		k, named, _ := elementBy(by, indices[xv.Address(p)], sv.Shape[axis])
		if cell[axis] = k; named {
			n := number(cell)
			updatesOf[n] = append(updatesOf[n], updates[uv.Address(p)])
		}
	}
	reduceCells(dst, dv, data, sv, updatesOf, reduce)
	return nil
}

// reduceCells writes every cell: data reduced with the updates that it has, by
// its number in row-major order, or data itself.
func reduceCells[T any](dst []T, dv View, data []T, sv View, updatesOf map[int][]T, reduce func(init T, updates []T) T) {
	number := View{Shape: sv.Shape}.Address
	for cell := range Coordinates(sv.Shape) {
		v := data[sv.Address(cell)]
		if u := updatesOf[number(cell)]; len(u) > 0 {
			v = reduce(v, u)
		}
		dst[dv.Address(cell)] = v
	}
}
