package lanes

import "github.com/lanes-go/lanes/generic"

// Scatter sets, in ascending order of i < len(offsets) and then of j < cols,
//
//	dst[at + offsets[i] + j*col] = updates(i, j)
//
// so that the last update to a cell wins.
func Scatter[T Elem](dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	selectScatter(dst, at, col, offsets, updates, cols)
}

// ScatterReduce combines, in ascending order of i < len(offsets) and then of
// j < cols, updates(i, j) into the cell dst[at + offsets[i] + j*col], with one
// rounding a step for floats and wrapping for integers.
func ScatterReduce[T Number](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	selectScatterReduce(op, dst, at, col, offsets, updates, cols)
}

// ScatterReduceHalf is ScatterReduce for 16-bit floating-point numbers in the
// format h. Each step is the float32 operation, rounded to nearest even; Min
// and Max compare the values and keep the bits.
func ScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	selectScatterReduceHalf(op, h, dst, at, col, offsets, updates, cols)
}

// ScatterReduceComplex is ScatterReduce for complex numbers; op is Sum or
// Prod. A product rounds each of its four products before it adds them, never
// fused; complex64 is computed in float64 and rounded once a component.
func ScatterReduceComplex[T complex64 | complex128](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	generic.ScatterReduceComplex(op, dst, at, col, offsets, updates, cols)
}
