package generic

import (
	"math"
	"slices"
)

// Flattened is the axis of Compress for data that is taken as one row.
const Flattened = math.MinInt

// Compress defines kernels.Compress, here for axis 1 of three:
//
//	dst[i][j][k] = data[i][true places of condition[j]][k]
//
// and dst[i] = the element of data that is behind as many others, in row-major
// order, for axis Flattened.
func Compress[T any](dst []T, dv View, data []T, sv View, condition []bool, cv View, axis int) {
	places := truePlaces(condition, cv)
	if axis == Flattened {
		n, chosen := 0, 0
		for c := range Coordinates(sv.Shape) {
			if chosen < len(places) && n == places[chosen][0] {
				dst[dv.Address([]int{chosen})] = data[sv.Address(c)]
				chosen++
			}
			n++
		}
		return
	}
	axis = fromFront(axis, len(sv.Shape))
	for p := range Coordinates(dv.Shape) {
		from := slices.Clone(p)
		from[axis] = places[p[axis]][0]
		dst[dv.Address(p)] = data[sv.Address(from)]
	}
}

// truePlaces returns the coordinates of what is true in a mask, in row-major order.
func truePlaces(mask []bool, mv View) (places [][]int) {
	for c := range Coordinates(mv.Shape) {
		if mask[mv.Address(c)] {
			places = append(places, slices.Clone(c))
		}
	}
	return places
}
