package generic

import (
	"iter"
	"slices"
)

// View says how a tensor lies in a flat slice: the element at coordinates c is
// at Offset + Σ c[d]*Strides[d]. Strides that are nil or of length 0 mean
// contiguous, row-major.
//
// The operators of this package are definitions: written for the reader, and
// for the tests that compare everything fast with them. They assume shapes,
// views and attributes that kernels has accepted, and check indices alone.
type View struct {
	Shape, Strides []int
	Offset         int
}

// Address returns where in the flat slice the element at coordinates c is.
func (v View) Address(c []int) int {
	at := 0
	for d, size := range v.Shape {
		if len(v.Strides) == 0 {
			at = at*size + c[d]
		} else {
			at += c[d] * v.Strides[d]
		}
	}
	return v.Offset + at
}

// Coordinates yields the coordinates of a tensor of that shape in row-major
// order: one, of length 0, for a scalar; none for an empty tensor. The slice
// is the iteration's own; what is kept of it must be cloned.
func Coordinates(shape []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if slices.Contains(shape, 0) {
			return // at once, however large the other axes are
		}
		c := make([]int, len(shape))
		var axes func(d int) bool
		axes = func(d int) bool {
			if d == len(shape) {
				return yield(c)
			}
			for c[d] = 0; c[d] < shape[d]; c[d]++ {
				if !axes(d + 1) {
					return false
				}
			}
			return true
		}
		axes(0)
	}
}
