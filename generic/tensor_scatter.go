package generic

import "slices"

// TensorScatter defines kernels.TensorScatter: dst is data, with updates[b, …, i, …] at
// indices[b]+i of the axis, which with circular is taken modulo the axis's size. indices that are
// nil are all 0. They are checked before anything is written; a bad one is a *BadIndex.
func TensorScatter[T any, I AnyIndex](dst []T, dv View, data []T, sv View, updates []T, uv View, indices []I, xv View, axis int, circular bool) error {
	axis = fromFront(axis, len(sv.Shape))
	size, length := sv.Shape[axis], uv.Shape[axis]
	first := make([]uint64, sv.Shape[0])
	if indices != nil {
		for b := range first {
			k := indices[xv.Address([]int{b})]
			if k < 0 || !circular && uint64(k) > uint64(size-length) {
				return &BadIndex{[]int{b}, decimal(k), axis, size}
			}
			first[b] = uint64(k)
		}
	}
	for c := range Coordinates(sv.Shape) {
		dst[dv.Address(c)] = data[sv.Address(c)]
	}
	for c := range Coordinates(uv.Shape) {
		to := slices.Clone(c)
		to[axis] = int((first[c[0]]%uint64(size) + uint64(c[axis])) % uint64(size)) // without circular it is less than size
		dst[dv.Address(to)] = updates[uv.Address(c)]
	}
	return nil
}
