package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

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
// rounding a step for floats and wrapping for integers. op is Sum, Prod, Min, Max, Sub or
// Xor; what another one makes of these cells is not specified.
func ScatterReduce[T Number](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	selectScatterReduce(op, dst, at, col, offsets, updates, cols)
}

// ScatterReduceHalf is ScatterReduce for 16-bit floating-point numbers in the
// format h. Each step is the float32 operation, rounded to nearest even; Min
// and Max compare the values and keep the bits.
func ScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	selectScatterReduceHalf(op, h, dst, at, col, offsets, updates, cols)
}

// ScatterReduceComplex is ScatterReduce for complex numbers; op is Sum, Sub or
// Prod. A product rounds each of its four products before it adds them, never
// fused; complex64 is computed in float64 and rounded once a component.
func ScatterReduceComplex[T complex64 | complex128](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	generic.ScatterReduceComplex(op, dst, at, col, offsets, updates, cols)
}

// ScatterIndexed sets, in ascending order of i < rows and then of j < cols,
//
//	dst.Data[dst.At + i*dst.Row + j*dst.Col + k*step] = updates(i, j)
//
// where k = indices(i, j), with size added when it is negative: Gather the
// other way round. An index outside [-size, size-1] ends the loop: ScatterIndexed
// returns i*cols+j of the first one, and -1 when there is none. dst may have been
// partly written by then.
func ScatterIndexed[T Elem, I Index](dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	return selectScatterIndexed(dst, size, step, indices, updates, rows, cols)
}

// ScatterReduceIndexed is ScatterIndexed with updates combined into the cells.
func ScatterReduceIndexed[T Number, I Index](op Op, dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	return selectScatterReduceIndexed(op, dst, size, step, indices, updates, rows, cols)
}

func genericScatterIndexed[T Elem, I Index](dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	var z T
	switch unsafe.Sizeof(z) {
	case 1:
		return generic.ScatterIndexed(as[uint8](dst), size, step, indices, as[uint8](updates), rows, cols)
	case 2:
		return generic.ScatterIndexed(as[uint16](dst), size, step, indices, as[uint16](updates), rows, cols)
	case 4:
		return generic.ScatterIndexed(as[uint32](dst), size, step, indices, as[uint32](updates), rows, cols)
	case 8:
		return generic.ScatterIndexed(as[uint64](dst), size, step, indices, as[uint64](updates), rows, cols)
	default:
		return generic.ScatterIndexed(as[X128](dst), size, step, indices, as[X128](updates), rows, cols)
	}
}
