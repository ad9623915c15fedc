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
	first := func(b int) (at uint64, written bool, err error) { // where updates[b] begins
		if indices == nil {
			return 0, true, nil
		}
		k := indices[xv.Address([]int{b})]
		at, low := uint64(k), k < 0
		if low && !by.NegativeIsOutOfRange && int64(k) >= -int64(size) {
			at, low = uint64(int64(k)+int64(size)), false
		}
		high := !low && !circular && at > uint64(size-length)
		switch {
		case !low && !high:
			return at, true, nil
		case by.OutOfRange == RangeError:
			return 0, false, &BadIndex{[]int{b}, decimal(k), axis, size}
		case by.OutOfRange == Clamp && low:
			return 0, true, nil
		case by.OutOfRange == Clamp:
			return uint64(size - length), true, nil
		}
		return 0, false, nil
	}
	if indices != nil {
		for b := range sv.Shape[0] {
			if _, _, err := first(b); err != nil {
				return err
			}
		}
	}
	for c := range Coordinates(sv.Shape) {
		dst[dv.Address(c)] = data[sv.Address(c)]
	}
	for c := range Coordinates(uv.Shape) {
		at, written, _ := first(c[0])
		if !written {
			continue
		}
		to := slices.Clone(c)
		to[axis] = int((at%uint64(size) + uint64(c[axis])) % uint64(size)) // without circular it is less than size
		dst[dv.Address(to)] = updates[uv.Address(c)]
	}
	return nil
}
