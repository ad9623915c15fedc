//go:build !unix

package lanes_test

import "unsafe"

// newYard returns memory with room for canaries on both sides, in place of
// fences. Its start is aligned as a page's.
func newYard(size int, _ bool) (*yard, error) {
	const page = 4096
	size = (size + page - 1) / page * page
	b := make([]byte, size+2*page)
	shift := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	b = b[shift : shift+size : shift+size]
	return &yard{write: b, seen: b}, nil
}
