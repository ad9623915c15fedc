package generic

import "slices"

// ScatterNDUpdate defines kernels.ScatterNDUpdate. A coordinate of updates is that of a tuple of
// indices, o, followed by that of a cell in the part which the tuple names, s:
//
//	cell = [indices[o..., 0], …, indices[o..., k-1], s...]
//	dst[cell] = data[cell] reduced with the cell's updates, in row-major order of tuples
//
// and data[cell] itself where there is no update. A tuple of which one component names nothing has
// none. Where that leaves updates no axis, it may have any of size 1. dst and data may be the same
// memory. Every index is checked before anything is written; a bad one is a *BadIndex. A T that has
// no such reduction is a *BadType.
func ScatterNDUpdate[T any, I AnyIndex](dst []T, dv View, data []T, sv View, indices []I, xv View, updates []T, uv View, op Op, ignoreInit bool, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{})
	reduce, err := reduction[T](op, ignoreInit)
	if err != nil {
		return err
	}
	q := len(xv.Shape) - 1 // the length of o
	k := xv.Shape[q]
	if err := check(by, indices, xv, sv.Shape, func(p []int) int { return p[q] }); err != nil {
		return err
	}
	if q == 0 && k == len(sv.Shape) {
		uv = View{Offset: uv.Offset}
	}

	number := View{Shape: sv.Shape}.Address // of a cell, in row-major order
	updatesOf := make(map[int][]T)
	for o := range Coordinates(xv.Shape[:q]) {
		var tuple []int
		whole := true
		for j := range k {
			x, named, _ := elementBy(by, indices[xv.Address(slices.Concat(o, []int{j}))], sv.Shape[j])
			tuple, whole = append(tuple, x), whole && named
		}
		if !whole {
			continue
		}
		for s := range Coordinates(sv.Shape[k:]) {
			n := number(slices.Concat(tuple, s))
			updatesOf[n] = append(updatesOf[n], updates[uv.Address(slices.Concat(o, s))])
		}
	}
	reduceCells(dst, dv, data, sv, updatesOf, reduce)
	return nil
}
