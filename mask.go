package lanes

import "github.com/lanes-go/lanes/generic"

// CountTrue returns how many of mask[at+j*step], for j < n, are true. Here
// and below a bool is true when its byte is not 0.
func CountTrue(mask []bool, at, step, n int) int { return generic.CountTrue(mask, at, step, n) }

// Positions finds the j < n at which mask[at+j*step] is true, in ascending
// order, and sets offsets[i] = base + j*scale for the i-th of them, until offsets
// is full. It returns how many it has found, and the first j that it has not
// read. Elements of offsets from found on are unspecified.
func Positions(offsets []int, mask []bool, at, step, n, base, scale int) (found, next int) {
	return generic.Positions(offsets, mask, at, step, n, base, scale)
}

// Compact sets dst[i] to the element of src at the i-th place where mask,
// which is as long as src, is true, until dst is full. It returns how many it
// has set. Elements of dst from there on are unspecified.
func Compact[T Elem](dst, src []T, mask []bool) int {
	return CompactRaw(memoryOf(moved[T](), dst), memoryOf(moved[T](), src), mask)
}

// CompactRaw is Compact for elements of dst's width.
func CompactRaw(dst, src Memory, mask []bool) int {
	width := dst.Kind.Width()
	src.Kind.needWidth(width)
	switch width {
	case 1:
		return generic.Compact(typed[uint8](&dst), typed[uint8](&src), mask)
	case 2:
		return generic.Compact(typed[uint16](&dst), typed[uint16](&src), mask)
	case 4:
		return generic.Compact(typed[uint32](&dst), typed[uint32](&src), mask)
	case 8:
		return generic.Compact(typed[uint64](&dst), typed[uint64](&src), mask)
	case 16:
		return generic.Compact(typed[X128](&dst), typed[X128](&src), mask)
	default:
		panic(noKind)
	}
}
