//go:build !purego && !noasm

package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

func selectCopy[T Elem](dst, src Plane[T], rows, cols int) {
	genericCopy(dst, src, rows, cols)
}

func genericCopy[T Elem](dst, src Plane[T], rows, cols int) {
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
