package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

// Which body a primitive runs, for ports without assembly: all of them today.
// select_amd64.go and select_arm64.go, each with its kernels_<arch>.s, will
// take this file's place there, with a case for each level of package dispatch
// inside the cases for widths.
//
// The switches are on the width alone, which the compiler knows in each
// instantiation, so that nothing of them is left when the program runs. They
// are switches and not tables of functions because a call through a table
// makes the callers' slices escape to the heap.

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

// slice returns s as elements of a type of the same width.
func slice[U, T any](s []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

func as[U, T any](p Plane[T]) Plane[U] {
	return Plane[U]{Data: slice[U](p.Data), At: p.At, Row: p.Row, Col: p.Col}
}
