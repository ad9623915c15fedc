package kernels

import (
	"slices"
	"unsafe"
)

// The Data of a Raw may begin at any address, as the tensors in a file do. Most processors load and
// store there. On the others, unaligned operands are copied to aligned memory, and dst is copied
// back.

// strictAlignment says that loads and stores need aligned addresses. Tests set it on other ports.
var strictAlignment = !unalignedAccess

// alignment returns what the address of an element of a size has to be a multiple of.
func alignment(size int) uintptr { return min(uintptr(size&-size), unsafe.Alignof(uint64(0))) }

// realign runs a call with aligned copies of unaligned operands. If an operand is invalid it copies
// nothing: the operator finds the error before it loads any element.
func realign(op string, call func() error, dst *view, inputs ...*view) error {
	if !strictAlignment || dst.check(op) != nil {
		return call()
	}
	var inPlace *view // the input that is the same memory as dst
	for _, in := range inputs {
		if in.none() {
			continue // weights that were not given
		}
		if in.check(op) != nil {
			return call()
		}
		if dst.overlaps(in) {
			if inPlace = in; !slices.Equal(dst.shape, in.shape) || !dst.same(in) {
				return call()
			}
		}
	}
	for _, in := range inputs {
		if in != inPlace && !in.none() {
			in.align()
		}
	}
	t := *dst.tensor
	was := dst.by(&t)
	if !dst.align() {
		return call()
	}
	if inPlace != nil {
		inPlace.ptr, inPlace.len, inPlace.offset = dst.ptr, dst.len, inPlace.offset-inPlace.lo
	}
	err := call()
	if err == nil {
		copyBytes(&was, dst)
	}
	return err
}

// align copies what a checked view reaches to new memory if it is unaligned, and reports whether it
// has.
func (v *view) align() bool {
	if uintptr(v.ptr)&(alignment(v.size)-1) == 0 || v.count == 0 {
		return false
	}
	n := (v.hi - v.lo + 1) * v.size
	copied := make([]uint64, (n+7)/8)
	t := tensor{ptr: unsafe.Pointer(&copied[0]), shape: []int{n}}
	u := t
	u.ptr = unsafe.Add(v.ptr, v.lo*v.size)
	to, from := view{tensor: &t, size: 1, count: n, hi: n - 1}, view{tensor: &u, size: 1, count: n, hi: n - 1}
	copyBytes(&to, &from)
	v.ptr, v.len, v.offset, v.lo, v.hi = to.ptr, v.hi-v.lo+1, v.offset-v.lo, 0, v.hi-v.lo
	return true
}

// copyBytes is copyView byte by byte, which needs no alignment.
func copyBytes(dst, src *view) {
	copyView(&settings{workers: 1}, &elem{size: dst.size, units: dst.size}, dst, src, false)
}
