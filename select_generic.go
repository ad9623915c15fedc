//go:build !(amd64 || arm64) || purego || noasm

package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

// Which body a primitive runs, for ports without assembly.
//
// The switches are on the width alone, which the compiler knows in each
// instantiation, so that nothing of them is left when the program runs. They
// are switches and not tables of functions because a call through a table
// makes the callers' slices escape to the heap.

func selectCheck[I Index](indices []I, at, step, n, size int) int {
	return generic.Check(indices, at, step, n, size)
}

func selectResolve[I Index](offsets []int, indices []I, at, step, size, scale, col int) int {
	return generic.Resolve(offsets, indices, at, step, size, scale, col)
}

func selectResolvePattern[I Index](offsets []int, indices []I, at, size, scale int, pattern []int) int {
	return generic.ResolvePattern(offsets, indices, at, size, scale, pattern)
}

func selectResolveTuples[I Index](offsets []int, tuples Plane[I], sizes, strides []int, col int) int {
	return generic.ResolveTuples(offsets, tuples, sizes, strides, col)
}

func selectGather[T Elem, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) int {
	var z T
	switch unsafe.Sizeof(z) {
	case 1:
		return generic.Gather(as[uint8](dst), as[uint8](src), size, step, indices, rows, cols)
	case 2:
		return generic.Gather(as[uint16](dst), as[uint16](src), size, step, indices, rows, cols)
	case 4:
		return generic.Gather(as[uint32](dst), as[uint32](src), size, step, indices, rows, cols)
	case 8:
		return generic.Gather(as[uint64](dst), as[uint64](src), size, step, indices, rows, cols)
	default:
		return generic.Gather(as[X128](dst), as[X128](src), size, step, indices, rows, cols)
	}
}

func selectGatherRows[T Elem](dst Plane[T], src []T, at, col int, offsets []int, cols int) {
	var z T
	switch unsafe.Sizeof(z) {
	case 1:
		generic.GatherRows(as[uint8](dst), slice[uint8](src), at, col, offsets, cols)
	case 2:
		generic.GatherRows(as[uint16](dst), slice[uint16](src), at, col, offsets, cols)
	case 4:
		generic.GatherRows(as[uint32](dst), slice[uint32](src), at, col, offsets, cols)
	case 8:
		generic.GatherRows(as[uint64](dst), slice[uint64](src), at, col, offsets, cols)
	default:
		generic.GatherRows(as[X128](dst), slice[X128](src), at, col, offsets, cols)
	}
}

func selectCopy[T Elem](dst, src Plane[T], rows, cols int) {
	var z T
	switch unsafe.Sizeof(z) {
	case 1:
		generic.Copy(as[uint8](dst), as[uint8](src), rows, cols)
	case 2:
		generic.Copy(as[uint16](dst), as[uint16](src), rows, cols)
	case 4:
		generic.Copy(as[uint32](dst), as[uint32](src), rows, cols)
	case 8:
		generic.Copy(as[uint64](dst), as[uint64](src), rows, cols)
	default:
		generic.Copy(as[X128](dst), as[X128](src), rows, cols)
	}
}

func selectScatter[T Elem](dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	var z T
	switch unsafe.Sizeof(z) {
	case 1:
		generic.Scatter(slice[uint8](dst), at, col, offsets, as[uint8](updates), cols)
	case 2:
		generic.Scatter(slice[uint16](dst), at, col, offsets, as[uint16](updates), cols)
	case 4:
		generic.Scatter(slice[uint32](dst), at, col, offsets, as[uint32](updates), cols)
	case 8:
		generic.Scatter(slice[uint64](dst), at, col, offsets, as[uint64](updates), cols)
	default:
		generic.Scatter(slice[X128](dst), at, col, offsets, as[X128](updates), cols)
	}
}

func selectScatterReduce[T Number](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	generic.ScatterReduce(op, dst, at, col, offsets, updates, cols)
}

func selectScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	generic.ScatterReduceHalf(op, h, dst, at, col, offsets, updates, cols)
}

func selectScatterIndexed[T Elem, I Index](dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	return genericScatterIndexed(dst, size, step, indices, updates, rows, cols)
}

func selectScatterReduceIndexed[T Number, I Index](op Op, dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	return generic.ScatterReduceIndexed(op, dst, size, step, indices, updates, rows, cols)
}
