package generic

import "slices"

// Take defines kernels.Take. With k[0], k[1], … the coordinates of what is
// true in mask, in row-major order:
//
//	dst[i, c...] = data[k[i]..., c...]
func Take[T any](dst []T, dv View, data []T, sv View, mask []bool, mv View) {
	places := truePlaces(mask, mv)
	for c := range Coordinates(dv.Shape) {
		dst[dv.Address(c)] = data[sv.Address(slices.Concat(places[c[0]], c[1:]))]
	}
}
