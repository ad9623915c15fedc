//go:build race

package lanes

import (
	"runtime"
	"unsafe"
)

// The race detector doesn't see what assembly reads and writes. These
// functions tell it, element by element where a body touches single ones.
const raceEnabled = true

func touch[T any](f func(unsafe.Pointer, int), s []T, at, n int) {
	var z T
	if n > 0 {
		f(unsafe.Pointer(&s[at]), n*int(unsafe.Sizeof(z)))
	}
}

// touchGather tells what Gather reads up to a bad index, and writes.
func touchGather[T any, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) {
	for i := range rows {
		for j := range cols {
			x := indices.At + i*indices.Row + j
			touch(runtime.RaceReadRange, indices.Data, x, 1)
			k := int(indices.Data[x])
			if k < 0 {
				k += size
			}
			if uint(k) >= uint(size) {
				return
			}
			touch(runtime.RaceReadRange, src.Data, src.At+i*src.Row+j*src.Col+k*step, 1)
			touch(runtime.RaceWriteRange, dst.Data, dst.At+i*dst.Row+j, 1)
		}
	}
}

func touchRows[T any](dst Plane[T], src []T, at int, offsets []int, cols int) {
	for i, o := range offsets {
		touch(runtime.RaceReadRange, src, at+o, cols)
		touch(runtime.RaceWriteRange, dst.Data, dst.At+i*dst.Row, cols)
	}
}

// touchScatter tells what Scatter and ScatterReduce do on rows of cols elements.
func touchScatter[T any](dst []T, at int, offsets []int, updates Plane[T], cols int, reads bool) {
	for i, o := range offsets {
		touch(runtime.RaceReadRange, updates.Data, updates.At+i*updates.Row, cols)
		if reads {
			touch(runtime.RaceReadRange, dst, at+o, cols)
		}
		touch(runtime.RaceWriteRange, dst, at+o, cols)
	}
}

func touchCounters[C Counter](counts []C, at int, offsets []int) {
	for _, o := range offsets {
		touch(runtime.RaceWriteRange, counts, at+o, 1)
	}
}

// touchCells tells what Divide does with n cells of a row.
func touchCells[T, S any, C Counter](c *Cells[T, S, C], n int) {
	touch(runtime.RaceWriteRange, c.Dst, c.DstAt.At, n)
	touch(runtime.RaceWriteRange, c.Sums, c.SumsAt.At, n)
	touch(runtime.RaceWriteRange, c.Counts, c.CountsAt.At, 1+(n-1)*c.CountsAt.Col)
}

// touchCopy tells what Copy does.
func touchCopy[T any](dst, src Plane[T], rows, cols int) {
	for i := range rows {
		for j := range cols {
			touch(runtime.RaceReadRange, src.Data, src.At+i*src.Row+j*src.Col, 1)
		}
		touch(runtime.RaceWriteRange, dst.Data, dst.At+i*dst.Row, cols)
	}
}

// touchOwned tells what ResolveOwned reads and writes, at most.
func touchOwned[T any, I Index](offsets []int, own []T, indices []I, updates []T) {
	n := len(indices)
	touch(runtime.RaceReadRange, indices, 0, n)
	touch(runtime.RaceReadRange, updates, 0, n)
	touch(runtime.RaceWriteRange, offsets, 0, n)
	touch(runtime.RaceWriteRange, own, 0, n)
}

func touchIndices[I any](indices []I, at, n int) { touch(runtime.RaceReadRange, indices, at, n) }
