package main

import (
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/kernels"
)

// The limit of a workload is the time that its compulsory traffic takes at the
// best streaming rate measured in the same run: over the same footprint, with
// the same mix of reads and writes, on as many threads. Where single elements
// come from a table larger than L2, it is the time of as many random reads of
// a table of that size, if that is longer.

// traffic is what a call cannot but move, in bytes: indices, updates and
// output, and the cache lines of data that the indices at hand touch, once each.
type traffic struct {
	Read   int `json:"read"`
	Again  int `json:"again"`  // of Read, read once more: the indices that are checked before the first write
	Write  int `json:"write"`  // to a destination of its own
	Update int `json:"update"` // read and written in place
}

func (t traffic) bytes() int { return t.Read + t.Again + t.Write + 2*t.Update }

const cacheLine = 64

// A lineSet counts the cache lines of a buffer that are touched. The buffer
// starts on a line, as every large Go allocation does.
type lineSet struct {
	lines []uint64 // a bit each
	elem  int
}

func newLineSet(elements int, elem uintptr) lineSet {
	lines := elements*int(elem)/cacheLine + 1
	return lineSet{make([]uint64, lines/64+1), int(elem)}
}

// add touches n elements from at on.
func (s lineSet) add(at, n int) {
	for line := at * s.elem / cacheLine; line <= ((at+n)*s.elem-1)/cacheLine; line++ {
		s.lines[line/64] |= 1 << (line % 64)
	}
}

func (s lineSet) bytes() int {
	n := 0
	for _, w := range s.lines {
		n += bits.OnesCount64(w)
	}
	return n * cacheLine
}

// linesTouched returns the bytes in the lines of data that indices name along
// axis. Tensors are contiguous and their other axes equal.
func linesTouched[I kernels.Index](data, indices []int, axis int, values []I, elem uintptr) int {
	touched := newLineSet(size(data), elem)
	outer, inner := size(data[:axis]), size(data[axis+1:])
	for o := range outer {
		for j := range indices[axis] {
			at := (o*indices[axis] + j) * inner
			for i, k := range values[at : at+inner] {
				touched.add((o*data[axis]+int(k))*inner+i, 1)
			}
		}
	}
	return touched.bytes()
}

func bytesOf[T any](s []T) int {
	var z T
	return len(s) * int(unsafe.Sizeof(z))
}
