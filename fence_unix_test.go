//go:build unix

package lanes_test

import (
	"os"

	"golang.org/x/sys/unix"
)

// newYard maps memory between two pages that can't be touched. The memory is
// mapped twice, so that inputs can be written through one mapping, and the
// primitive sees another, which is read-only, without a system call between.
func newYard(size int, input bool) (*yard, error) {
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	f, err := os.CreateTemp("", "lanes")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(size + 2*page)); err != nil {
		return nil, err
	}
	fenced := func(prot int) ([]byte, error) {
		b, err := unix.Mmap(int(f.Fd()), 0, size+2*page, prot, unix.MAP_SHARED)
		if err != nil {
			return nil, err
		}
		for _, fence := range [][]byte{b[:page], b[page+size:]} {
			if err := unix.Mprotect(fence, unix.PROT_NONE); err != nil {
				return nil, err
			}
		}
		return b[page : page+size : page+size], nil
	}
	y := &yard{fenced: true}
	if y.write, err = fenced(unix.PROT_READ | unix.PROT_WRITE); err != nil {
		return nil, err
	}
	y.seen = y.write
	if input {
		y.seen, err = fenced(unix.PROT_READ)
	}
	return y, err
}
