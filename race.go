//go:build race

package lanes

import (
	"runtime"
	"unsafe"
)

// The race detector does not see what assembly reads and writes. These functions
// report it, element by element where a body touches single elements.
const raceEnabled = true

func touch(f func(unsafe.Pointer, int), m *Memory, at, n int) {
	if n > 0 {
		width := m.Kind.Width()
		f(unsafe.Add(m.Ptr, at*width), n*width)
	}
}

// touchMemory tells that n elements are read.
func touchMemory(m *Memory, at, n int) { touch(runtime.RaceReadRange, m, at, n) }

// touchInts tells that numbers are read.
func touchInts(s []int) {
	runtime.RaceReadRange(unsafe.Pointer(unsafe.SliceData(s)), len(s)*int(unsafe.Sizeof(s[0])))
}

// touchGather tells what Gather reads up to a bad index, and writes.
func touchGather(dst, src *Window, size, step int, indices *Window, rows, cols int) {
	for i := range rows {
		for j := range cols {
			x := indices.At + i*indices.Row + j
			touch(runtime.RaceReadRange, &indices.Memory, x, 1)
			k := 0
			if indices.Kind == KindI32 {
				k = int(typed[int32](&indices.Memory)[x])
			} else {
				k = int(typed[int64](&indices.Memory)[x])
			}
			if k < 0 {
				k += size
			}
			if uint(k) >= uint(size) {
				return
			}
			touch(runtime.RaceReadRange, &src.Memory, src.At+i*src.Row+j*src.Col+k*step, 1)
			touch(runtime.RaceWriteRange, &dst.Memory, dst.At+i*dst.Row+j, 1)
		}
	}
}

func touchRows(dst *Window, src *Memory, at int, offsets []int, cols int) {
	for i, o := range offsets {
		touch(runtime.RaceReadRange, src, at+o, cols)
		touch(runtime.RaceWriteRange, &dst.Memory, dst.At+i*dst.Row, cols)
	}
}

// touchScatter tells what Scatter and ScatterReduce do on rows of cols elements.
func touchScatter(dst *Memory, at int, offsets []int, updates *Window, cols int, reads bool) {
	for i, o := range offsets {
		touch(runtime.RaceReadRange, &updates.Memory, updates.At+i*updates.Row, cols)
		if reads {
			touch(runtime.RaceReadRange, dst, at+o, cols)
		}
		touch(runtime.RaceWriteRange, dst, at+o, cols)
	}
}

func touchCounters(counts *Memory, at int, offsets []int) {
	for _, o := range offsets {
		touch(runtime.RaceWriteRange, counts, at+o, 1)
	}
}

// touchCells tells what Divide does with n cells of a row that begins at these places.
func touchCells(c *CellsRaw, dst, sums, counts, n int) {
	touch(runtime.RaceWriteRange, &c.Dst, dst, n)
	touch(runtime.RaceWriteRange, &c.Sums, sums, n)
	if c.Shift == 0 {
		touch(runtime.RaceWriteRange, &c.Counts, counts, 1+(n-1)*c.CountsAt.Col)
	}
}

// touchCopy tells what Copy does.
func touchCopy(dst, src *Window, rows, cols int) {
	for i := range rows {
		for j := range cols {
			touch(runtime.RaceReadRange, &src.Memory, src.At+i*src.Row+j*src.Col, 1)
		}
		touch(runtime.RaceWriteRange, &dst.Memory, dst.At+i*dst.Row, cols)
	}
}

// touchOwned tells what ResolveOwned reads and writes, at most.
func touchOwned(offsets []int, own, indices, updates *Memory) {
	n := indices.Len
	touch(runtime.RaceReadRange, indices, 0, n)
	touch(runtime.RaceReadRange, updates, 0, n)
	runtime.RaceWriteRange(unsafe.Pointer(unsafe.SliceData(offsets)), n*int(unsafe.Sizeof(offsets[0])))
	touch(runtime.RaceWriteRange, own, 0, n)
}
