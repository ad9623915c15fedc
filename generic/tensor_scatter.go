package generic

import "slices"

// TensorScatter defines kernels.TensorScatter: dst is data, with updates[b, …, i, …] at
// indices[b]+i of the axis, which with circular is taken modulo the axis's size. indices that are
// nil are all 0. They are checked before anything is written; a bad one is a *BadIndex. Clamped, it
// is the nearest that is allowed; skipped, its batch is left as it is. Without a policy a negative
// one is out of range.
func TensorScatter[T any, I AnyIndex](dst []T, dv View, data []T, sv View, updates []T, uv View, indices []I, xv View, axis int, circular bool, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{NegativeIsOutOfRange: true})
	axis = fromFront(axis, len(sv.Shape))
	size, length := sv.Shape[axis], uv.Shape[axis]
	first, written := make([]uint64, sv.Shape[0]), make([]bool, sv.Shape[0])
	if indices != nil {
		for b := range first {
			k := indices[xv.Address([]int{b})]
			at, low := uint64(k), k < 0
			if low && !by.NegativeIsOutOfRange && int64(k) >= -int64(size) {
				at, low = uint64(int64(k)+int64(size)), false
			}
			high := !low && !circular && at > uint64(size-length)
			switch {
			case !low && !high:
				first[b], written[b] = at, true
			case by.OutOfRange == RangeError:
				return &BadIndex{[]int{b}, decimal(k), axis, size}
			case by.OutOfRange == Clamp && low:
				written[b] = true
			case by.OutOfRange == Clamp:
				first[b], written[b] = uint64(size-length), true
			}
		}
	} else {
		for b := range written {
			written[b] = true
		}
	}
	for c := range Coordinates(sv.Shape) {
		dst[dv.Address(c)] = data[sv.Address(c)]
	}
	for c := range Coordinates(uv.Shape) {
		if !written[c[0]] {
			continue
		}
		to := slices.Clone(c)
		to[axis] = int((first[c[0]]%uint64(size) + uint64(c[axis])) % uint64(size)) // without circular it is less than size
		dst[dv.Address(to)] = updates[uv.Address(c)]
	}
	return nil
}
