package lanes

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// Copy sets dst(i, j) = src(i, j) for every i < rows and j < cols.
func Copy[T Elem](dst, src Plane[T], rows, cols int) {
	CopyRaw(windowOf(moved[T](), &dst), windowOf(moved[T](), &src), rows, cols)
}

// CopyRaw is Copy for elements of dst's width.
func CopyRaw(dst, src Window, rows, cols int) {
	if !copyWindow(&dst, &src, rows, cols) {
		copyGeneric(&dst, &src, rows, cols)
	}
}

// CopyVectorsRaw is CopyRaw where assembly has a way to copy such rows, and reports whether it
// has. A caller that knows another way than one element after the other can then take that.
func CopyVectorsRaw(dst, src Window, rows, cols int) bool {
	return copyWindow(&dst, &src, rows, cols)
}

// ExchangesRows reports whether there are bodies that exchange rows and columns.
func ExchangesRows() bool { return copyTransposedRuns(active()) }

// copyWindow copies with bodies where it can. They move runs of bytes, or they permute: where the
// destination is dense, each step loads windows of the source, combines the wanted bytes in one
// vector, and stores that as a whole. It reports whether there is a body for the call.
func copyWindow(dst, src *Window, rows, cols int) bool {
	on, width := active(), dst.Kind.Width()
	src.Kind.needWidth(width)
	if !on.bodies() || dst.Col != 1 || rows <= 0 || cols <= 0 || !dst.holds(rows, cols) || !src.holds(rows, cols) {
		return false
	}
	var c copyCall // set field by field: a literal would be built elsewhere and copied
	c.on, c.dst, c.src, c.width = on.with(dispatch.VBMI), dst.elem(dst.At), src.elem(src.At), width
	c.dstRow, c.srcRow, c.step, c.rows, c.cols = dst.Row, src.Row, src.Col, rows, cols
	c.stream = dst.Stream && uintptr(unsafe.Pointer(c.dst))%uintptr(width) == 0
	if c.srcRow*width <= -leastUpward && max(c.step, -c.step) > 1 {
		last := rows - 1
		c.dst, c.src = add(c.dst, last*c.dstRow*width), add(c.src, last*c.srcRow*width)
		c.dstRow, c.srcRow = -c.dstRow, -c.srcRow
	}
	if !c.run() {
		return false
	}
	if raceEnabled {
		touchCopy(dst, src, rows, cols)
	}
	return true
}

func copyGeneric(dst, src *Window, rows, cols int) {
	switch dst.Kind.Width() {
	case 1:
		generic.Copy(planeOf[uint8](dst), planeOf[uint8](src), rows, cols)
	case 2:
		generic.Copy(planeOf[uint16](dst), planeOf[uint16](src), rows, cols)
	case 4:
		generic.Copy(planeOf[uint32](dst), planeOf[uint32](src), rows, cols)
	case 8:
		generic.Copy(planeOf[uint64](dst), planeOf[uint64](src), rows, cols)
	case 16:
		generic.Copy(planeOf[X128](dst), planeOf[X128](src), rows, cols)
	default:
		panic(noKind)
	}
}

// A copyCall is a copy to dense rows. Distances are in elements.
type copyCall struct {
	on                   isa
	dst, src             *byte
	dstRow, srcRow, step int
	rows, cols, width    int
	stream               bool
}

// run runs the copy if there is a body, and reports whether there is.
func (c *copyCall) run() bool {
	bytes := c.cols * c.width
	if c.step == 1 || c.cols == 1 {
		c.step = 1
		if c.rows == 1 || c.dstRow == c.cols && c.srcRow == c.cols {
			bytes *= c.rows
			return c.stream && c.runs(1, bytes) || c.long(1, bytes) || c.uneven(1, bytes) && c.runs(1, bytes)
		}
		return !c.stream && c.long(c.rows, bytes) || c.short() && c.periods() || (c.stream || bytes <= maxRun || c.uneven(c.rows, bytes)) && c.runs(c.rows, bytes)
	}
	if c.srcRow == 1 && c.transposed() || c.compacted() {
		return true
	}
	if c.rows > 1 && max(c.srcRow, -c.srcRow)*c.width < line {
		step := max(c.step, -c.step) * c.width
		if step >= line && c.cols > leastCrossed || line > step && step > c.width && c.cols*step > max(2*crossedBytes, dispatch.Near.Second/4) {
			return c.crossed(max(crossedColumns, crossedBytes/step))
		}
	}
	switch { // the first way that suits and has a body
	case c.shortReversed() && c.periods():
	case copySpacedRuns(c.on) && c.strides():
	case c.short() && c.periods():
	case c.rows*bytes >= minPermuted && (c.steps() || c.periods() || c.shortSteps()):
	default:
		return c.loose()
	}
	return true
}

// uneven reports whether memmove would copy some of so many runs by REP MOVSQ from a src that is not
// at a whole word: on amd64 it does so from 2 KiB on, to a dst of whole 16 bytes. (Go 1.26.
// BenchmarkUneven. Emerald Rapids, GB/s by memmove and by vectors: a run of 3 KB 12 21, of 12 KB 16
// 60, of 240 KB 19 37, of 1.5 MB 10 15; rows of 6 KB, 60 of them 17 36, 500 9.8 12.7.)
func (c *copyCall) uneven(runs, bytes int) bool {
	dst, src := uintptr(unsafe.Pointer(c.dst))%16 == 0, uintptr(unsafe.Pointer(c.src))%8 != 0
	if runs > 1 {
		dst, src = dst || c.dstRow*c.width%16 != 0, src || c.srcRow*c.width%8 != 0
	}
	return runtime.GOARCH == "amd64" && bytes >= leastUneven && dst && src && !shared(c.dst, c.src, bytes)
}

// shared reports whether runs of so many bytes have some in common, which memmove keeps.
func shared(dst, src *byte, bytes int) bool {
	apart := int(uintptr(unsafe.Pointer(dst)) - uintptr(unsafe.Pointer(src)))
	return max(apart, -apart) < bytes
}

var leastUneven = 2 << 10

// leastUpward is the least distance, in bytes, of rows of src that are copied from the last to the
// first so that src is read upwards, as the hardware prefetches. (Zen 4, calls of bench, the
// speedup: 291001.151, rows of 640 bytes, every fifth float32, 25 MB, 2.2; rows of 100 bytes,
// 302001.100, 0.83; rows of 36 bytes without a step, of which as much is written as read,
// 301001.210, 0.85.)
const leastUpward = 256

// short reports whether rows are so short that one vector should hold several.
func (c *copyCall) short() bool {
	return (c.cols <= maxShort || c.cols*c.width <= maxShortBytes) && c.rows*c.cols*c.width >= minPermuted
}

// shortReversed is short for rows in reverse, which vectors of 32 bytes copy fast, too.
// (BenchmarkReversed. Zen 4, ns an element of float32 in rows that follow each other, by
// permutations of 64 bytes and in reverse, rows of 20 bytes 0.11 and 0.19, 32 0.09 and 0.11, 48
// 0.10 and 0.11, 56 0.11 and 0.11, 64 0.14 and 0.085; by those of 32 bytes 0.68 and 0.20, 0.26 and
// 0.11, 0.30 and 0.11.)
func (c *copyCall) shortReversed() bool {
	_, vector, _ := permuterOf(c.on, c.width)
	bytes := c.cols * c.width
	return c.step == -1 && (bytes == 16 || vector == 64 && bytes < leastReversed) && c.rows*bytes >= minPermuted
}

// transposed exchanges rows and columns. A piece is a few cache lines of rows, and a block of
// columns. All rows of a block come before the next block: its columns are few pages, and are read
// on from there. It reports whether there is a body, for as many rows and columns. (Zen 4, ns an
// element of float32 without and with it: 1000 × 1000 0.62 and 0.13, 4096 × 4096 3.9 and 0.81.
// BenchmarkTransposed. Zen 3, the same by narrow tiles of columns that all came in one block, and
// in blocks of one line: uint8, 2000 × 384 0.071 and 0.060, × 4096 0.65 and 0.34; float32, 500 ×
// 384 0.24 and 0.20, × 4096 1.0 and 0.54; float64, 250 × 384 0.47 and 0.38, × 4096 2.3 and 1.2.)
func (c *copyCall) transposed() bool {
	step := max(c.step, -c.step)
	if c.width > 8 || step < 2 || !copyTransposedRuns(c.on) {
		return false
	}
	rows := 16 / c.width // of a tile
	cols := min(rows, 8)
	if c.rows < rows {
		return c.separated(rows)
	}
	if c.cols < cols {
		return c.dstRow == c.cols && c.rows*c.cols*c.width >= minPermuted && c.interleaved(cols)
	}
	lines, run, ahead := transposedLines, transposedBlock, 0
	pitch, together := c.dstRow*c.width, false // of a piece: from row to row, and whether these are one run
	var buffer *[pastBuffer]byte
	switch large := c.rows*c.cols*c.width >= transposedLarge; {
	case c.transposedPast():
		buffer = pastBuffers.Get().(*[pastBuffer]byte)
		defer pastBuffers.Put(buffer)
		run = transposedRun(c.width)
		if together = c.dstRow == c.cols && pitch <= run; !together {
			pitch = run + transposedPad
		}
	case large:
		lines, ahead = 1, line // the next piece
	default: // a set of the first-level cache has as many lines as a narrow tile
		if pitch%1024 == 0 {
			lines = 1 // few sets get all rows of dst
		}
		if c.width <= 2 && step*c.width%4096 == 0 {
			ahead = -1 // one gets all columns
		}
	}
	high, block := lines*line/c.width, run/c.width
	for j, m := 0, 0; j < c.cols; j += m {
		if m = c.cols - j; m >= block+cols {
			m = block
		}
		for i, n := 0, 0; i < c.rows; i += n {
			if n = c.rows - i; n >= high+rows {
				n = high
			}
			piece := add(c.dst, (i*c.dstRow+j)*c.width)
			to := piece
			if buffer != nil {
				to = &buffer[:(n-1)*pitch+m*c.width][0]
			}
			if !copyTransposedPiece(c.on, c.width, to, add(c.src, (i+j*c.step)*c.width), pitch, c.step*c.width, n, m, ahead) {
				return false
			}
			lines, bytes := n, m*c.width
			if together {
				lines, bytes = 1, n*bytes
			}
			if buffer != nil && !copyRowsPiece(c.on, piece, to, c.dstRow*c.width, pitch, lines, bytes, 0, true) {
				return false
			}
		}
	}
	return true
}

// transposedBlock is the bytes of dst's rows in such a block, and transposedLines the lines of
// src's columns in a piece. transposedLarge is from how many bytes on no second-level cache holds
// the columns: a piece has one line then, and the next one is prefetched. (Zen 3, ns an element
// with 1 and 4 lines, and 1 and a prefetch: float32, 1024 × 384 0.25 0.21 0.23, × 1000 0.26 0.18
// 0.24, 2000 × 900 0.50 0.45 0.34; float64, 512 × 384 0.51 0.42 0.49, 1000 × 900 0.50 0.49 0.41, ×
// 1000 2.2 1.4 1.1; uint16, 2000 × 1000 0.10 0.08 0.10, 4000 × 900 0.27 0.19 0.19; uint8, 2000 ×
// 2000 0.07 0.07 0.07, 8000 × 900 0.33 0.29 0.23; where rows of dst lie 4 KB apart, float32 1024 ×
// 1024 0.41 0.69 0.43, uint16 2048 × 2048 0.38 0.55 0.38. In blocks of 64, 256, 512 and 2048 bytes,
// 3000 × 1500 float32 0.84 0.80 0.83 1.07, 2353 × 9514 uint8 0.36 0.34 0.28 0.26. With columns a
// page apart, by narrow and wide tiles: uint8, × 384 0.092 and 0.11, × 4096 0.65 and 0.38.)
const transposedBlock, transposedLines, transposedLarge = 512, 4, 4 << 20

// transposedPast reports whether rows and columns are exchanged past the caches, by way of a buffer:
// stores past them should be whole cache lines, and many of a row together. So a block is a long
// run of columns. Rows that have no more than a run, and follow each other, are one run.
// (BenchmarkPast. Emerald Rapids, ns an element into the caches and so, with pieces of 32 rows at
// most: uint8, 224 rows of 149,800 0.84 0.35, 18,725 of 1792 0.48 0.44, of 616 0.34 0.16; uint16,
// 224 of 74,900 1.1 0.44, 18,725 of 896 0.72 0.45; float32, 224 of 37,450 2.2 0.94, 18,725 of 448
// 1.35 0.84; float64, 224 of 18,725 4.9 1.9, 18,725 of 224 2.6 1.7, of 77 1.36 1.12, 40,000 of 24
// 0.88 1.64.)
func (c *copyCall) transposedPast() bool {
	bytes := c.cols * c.width
	return streams && c.stream && (bytes >= transposedRun(c.width)/2 || bytes >= leastPast && c.dstRow == c.cols)
}

// transposedRun returns the bytes of a run, of elements of so many bytes: as many as a core's cache
// holds beside the columns. (Zen 3, ns an element with pieces of one line, of 32 rows at most, and
// runs of 2 KB, and of four lines with runs of 512 bytes, 1 and 2 KB: float32, 2910 × 1024 2.0 0.91
// 0.86 0.95, 3000 × 1500 2.0 1.4 1.2 1.1; float64, 1500 × 2000 3.0 2.0 1.9 1.8; uint16, 3000 × 2000
// 0.87 0.65 0.60 0.61; uint8, 3000 × 3000 0.56 0.34 0.29 0.26.)
func transposedRun(width int) int { return min(2, width) << 10 }

// What pastBuffer has beside such runs: what a run may be longer, and a cache line, so that rows
// fall into different sets of a cache. leastPast is the least bytes of a row.
const (
	transposedPad = 128
	pastBuffer    = (transposedLines*line + 16) * (1<<10 + transposedPad) // of single bytes, the most
	leastPast     = 512
)

var pastBuffers = sync.Pool{New: func() any { return new([pastBuffer]byte) }}

// interleaved exchanges rows and columns where a tile has more columns, as many as across, and dst
// is dense. Columns go to a buffer first, which has room for those that lack. What a tile's row has
// too much, the next row overwrites; the last rows are left to single elements.
// (BenchmarkTransposed. Emerald Rapids, ns an element of 4000 rows of 2, 3, 5 and 7, without and
// with it: uint8 0.72 0.71 0.76 0.53 and 0.23 0.16 0.10 0.084, uint16 0.72 0.71 0.73 0.51 and 0.35
// 0.26 0.19 0.14; of 2 and 3 float32 0.74 0.73 and 0.43 0.32.)
func (c *copyCall) interleaved(across int) bool {
	const column, tile = 256, 16 // bytes
	var buffer [8 * (column + tile)]byte
	rows := c.rows - (across-1)/c.cols // more than a tile has, as the call has minPermuted bytes
	for i, n := 0, 0; i < rows; i += n {
		if n = rows - i; n >= (column+tile)/c.width {
			n = column / c.width
		}
		for j := range c.cols {
			copyRow(&buffer[j*(column+tile)], add(c.src, (i+j*c.step)*c.width), n*c.width)
		}
		if !copyTransposedPiece(c.on, c.width, add(c.dst, i*c.cols*c.width), &buffer[0], c.cols*c.width, column+tile, n, across, 0) {
			return false
		}
	}
	c.elements(&pattern{c.cols, 1, c.step}, rows*c.cols, c.rows*c.cols)
	return true
}

// separated exchanges rows and columns where a tile has more rows, as many as high. They go to a
// buffer first, with what follows in src in place of those that lack. The last columns, behind which
// src may end, are left to single elements. (BenchmarkSeparated. Zen 3, ns an element one by one and
// so, 64, 768 and 4000 columns: 5 rows of uint8 1.6 0.77 0.78 and 1.6 0.31 0.24, 12 1.07 0.74 0.78
// and 0.58 0.15 0.12; 5 of uint16 1.23 0.76 0.80 and 0.96 0.26 0.21; 3 of float32 1.58 0.81 0.68 and
// 1.58 0.51 0.50; with columns 300 elements apart 3 of float32 1.5 1.3 1.5 and 1.6 0.58 0.54.)
func (c *copyCall) separated(high int) bool {
	const run, tile = 256, 16 // bytes
	if c.rows < leastSeparated || c.step < max(c.rows, c.leastSpaced()) || c.cols < separatedColumns {
		return false
	}
	var buffer [16 * (run + tile)]byte
	cols := c.cols - (high-c.rows-1)/c.step - 1
	for j, m := 0, 0; j < cols; j += m {
		if m = cols - j; m >= (run+tile)/c.width {
			m = run / c.width
		}
		if !copyTransposedPiece(c.on, c.width, &buffer[0], add(c.src, j*c.step*c.width), run+tile, c.step*c.width, high, m, 0) ||
			!copyRowsPiece(c.on, add(c.dst, j*c.width), &buffer[0], c.dstRow*c.width, run+tile, c.rows, m*c.width, 0, false) {
			return false
		}
	}
	for i := range c.rows {
		for j := cols; j < c.cols; j++ {
			copyRow(add(c.dst, (i*c.dstRow+j)*c.width), add(c.src, (i+j*c.step)*c.width), c.width)
		}
	}
	return true
}

var leastSeparated, separatedColumns = 3, 64

// compacted exchanges rows and columns where rows lie a few elements apart in src. Some of some
// columns go to a buffer first, where they follow each other:
//
//	for each block of rows and columns {
//		for j := range block { buffer[j] = src(block, j) }
//		for i := range block { dst(i, block) = buffer[block][i] }
//	}
//
// It reports whether there are bodies, for enough rows. (BenchmarkCompacted. Emerald Rapids, ns an
// element without and with it, of uint8, uint16 and float32: every third of 1000 rows of 80 0.47
// 0.13, 0.44 0.29, 0.70 0.43, every second of 10,655 0.71 0.16, 0.89 0.36, 1.04 0.63; every fourth of
// 300 of 8 0.54 0.17, 0.63 0.30, 0.54 0.57; every third of 40 rows 0.46 0.36, 0.45 0.31, 0.46 0.58,
// every seventh of 200 0.51 0.21, 0.54 0.33, 0.50 0.62. Float64 loses up to a half, by hand.)
func (c *copyCall) compacted() bool {
	apart := max(c.srcRow, -c.srcRow) * c.width
	if c.width > 4 || apart == c.width || apart > mostCompacted || c.rows < leastCompacted || c.cols < 8 || max(c.step, -c.step)*c.width < 64 || !copyTransposedRuns(c.on) {
		return false
	}
	buffer := compactBuffers.Get().(*[compactColumns * compactPitch]byte)
	defer compactBuffers.Put(buffer)
	var in, out copyCall
	block := evenly(c.rows, compactRun/c.width)
	for i := 0; i < c.rows; i += block {
		for j := 0; j < c.cols; j += compactColumns {
			in, out = *c, *c // which run changes
			out.rows, out.cols = min(block, c.rows-i), min(compactColumns, c.cols-j)
			out.dst, out.src, out.srcRow, out.step, out.stream = add(c.dst, (i*c.dstRow+j)*c.width), &buffer[0], 1, compactPitch/c.width, false
			in.rows, in.cols = out.cols, out.rows
			in.dst, in.dstRow = &buffer[0], out.step
			in.src, in.srcRow, in.step, in.stream = add(c.src, (i*c.srcRow+j*c.step)*c.width), c.step, c.srcRow, false
			if !in.run() || !out.run() {
				return false
			}
		}
	}
	return true
}

// evenly returns how many of n to take at a time, at most so many, so that the last ones are about
// as many.
func evenly(n, most int) int {
	parts := (n-1)/most + 1
	return (n-1)/parts + 1
}

// What a block has: so many columns, of so many bytes. A pitch takes columns to different sets of a
// cache.
const (
	compactColumns           = 64
	compactRun, compactPitch = 512, 512 + 64
)

// leastCompacted is the least rows, and mostCompacted the most bytes from row to row of src.
// Benchmarks change them.
var leastCompacted, mostCompacted = 64, 16

var compactBuffers = sync.Pool{New: func() any { return new([compactColumns * compactPitch]byte) }}

// crossed copies rows that have cache lines of src in common, so many columns at a time: a cache
// keeps their lines until all rows have been through them. (BenchmarkTransposed. Zen 3, ns an
// element of 128 rows of 1561 elements, five elements from row to row, at once and 64, 128 and 256
// columns at a time: uint8 0.78 0.74 0.62 0.50, float32 2.1 0.9 1.4 1.4, float64 3.2 1.6 1.7 1.8; of
// 5 rows of 27,048 float32 1.4 0.78 0.75 0.79; of 40 of 300, of float32 0.45 0.48 0.67 0.52. Calls
// of bench, Emerald Rapids, the speedup where columns have lines in common, too: 6510001.27757 1.9,
// .10612 1.6, .2021 1.9, 6410001.110 1.5.)
func (c *copyCall) crossed(cols int) bool {
	part := *c
	for j := 0; j < c.cols; j += part.cols {
		if part.cols = c.cols - j; part.cols >= 2*cols {
			part.cols = cols
		}
		part.dst, part.src = add(c.dst, j*c.width), add(c.src, j*c.step*c.width)
		if !part.run() {
			return false
		}
	}
	return true
}

// Rows of more than leastCrossed elements in lines of their own have more lines than the first-level
// cache. So many columns, or bytes, are taken at a time.
const leastCrossed, crossedColumns, crossedBytes = 512, 64, 8 << 10

const (
	// maxRun is the longest row of bytes that a body copies without streaming: it prefetches the rows
	// to come, and memmove is as fast on longer ones. (Zen 5, rows of 2400 bytes 1.30 and 1.08 ms, of
	// 2680 21 and 18 µs.)
	maxRun = 4 << 10
	// leastDistance is the least prefetch distance forward, in bytes. (Zen 5, calls of bench, the
	// speedup over a distance of four rows: 96001.85, rows of 68 bytes out of 152, 1.2; 98101.116, of
	// 100 bytes backward, 0.83.)
	leastDistance = 3 << 9
	// maxShort is the length of the longest short row, in elements, and maxShortBytes that in bytes.
	// (BenchmarkShortCopies. Emerald Rapids, ns a byte of rows in reverse order, one by one and
	// several in a vector: of 5 bytes 0.17 and 0.07, 6 0.11 0.08, 8 0.07 0.06; beyond the caches 0.16
	// 0.05, 0.13 0.05, 0.11 0.03; by those of 32 bytes 0.23 0.10, 0.14 0.09, 0.12 0.07; of 12 and 16
	// bytes half as fast to 1.5 times.)
	maxShort, maxShortBytes = 4, 8
	// minPermuted is the least number of bytes for which making a permutation pays.
	minPermuted = 512
	// leastReversed is the least number of bytes of a row in reverse that a vector of 64 should not
	// hold several of.
	leastReversed = 56
)

// leastGap is the least number of bytes between rows that are prefetched, and leastBackward the
// least distance of such rows that are gone through backward. Nearer ones the hardware prefetches.
// (BenchmarkGaps. Zen 4, 4 and 32 MB, the time with a prefetch over that without: rows of 200 bytes
// with gaps of 20 1.2 and 1.3, of 160 1.1 and 1.2, of 256 1.0 and 1.2, of 400 0.9 and 1.0, of 512
// 0.83; rows of 1800 bytes 1.06 and 1.25, 1.07 and 1.14, 1.07 and 1.14, 1.0 and 1.08, 0.98 and
// 0.89. Backward with gaps of 64 rows of 200 bytes 1.1, of 400 0.95 and 0.98, of 900 0.96 and
// 0.87.)
var leastGap, leastBackward = 384, 450

// copyPieces cuts rows of bytes into pieces: some rows, or a part of one. What is left of a row is
// enough for a step. It has no pointers, because pointers stored through a pointer escape.
type copyPieces struct {
	rows, bytes int
	single      bool // elements are moved one by one
	i, j        int  // where the next piece begins

	dst, src int // where this piece begins, in bytes
	n, size  int // its rows, and their bytes
}

func (p *copyPieces) next(c *copyCall) bool {
	if p.i >= p.rows {
		return false
	}
	p.n, p.size = min(pieceRows(p.bytes), p.rows-p.i), p.bytes-p.j
	most := pieceBytes
	if p.single {
		most = pieceElements * c.width
		p.n = min(p.n, max(1, most/p.bytes))
	}
	if p.size > most+128 {
		p.size = most
	}
	p.dst, p.src = p.i*c.dstRow*c.width+p.j, p.i*c.srcRow*c.width+p.j*c.step
	if p.j += p.size; p.j == p.bytes {
		p.i, p.j = p.i+p.n, 0
	}
	return true
}

// runs copies rows of bytes.
func (c *copyCall) runs(rows, bytes int) bool {
	distance, apart := 0, c.srcRow*c.width
	if rows > 1 && bytes <= maxRun && (apart-bytes >= leastGap || -apart >= leastBackward) {
		if distance = rowDistance * apart; distance > 0 {
			distance = max(distance, leastDistance)
		}
	}
	stream := c.stream && (rows == 1 || wholeLines(c.dst, c.dstRow*c.width, bytes))
	for p := (copyPieces{rows: rows, bytes: bytes}); p.next(c); {
		if !copyRowsPiece(c.on, add(c.dst, p.dst), add(c.src, p.src), c.dstRow*c.width, c.srcRow*c.width, p.n, p.size, distance, stream) {
			return false
		}
	}
	return true
}

// long copies long runs of bytes, and reports whether there is a body.
func (c *copyCall) long(rows, bytes int) bool {
	on, ok := movs(c.on, bytes, rows*bytes)
	if !ok {
		return false
	}
	for i := range rows {
		for j, n := 0, 0; j < bytes; j += n {
			if n = bytes - j; n >= pieceBytes+64 { // what is left is enough for the body
				n = pieceBytes
			}
			d, s := add(c.dst, i*c.dstRow*c.width+j), add(c.src, i*c.srcRow*c.width+j)
			if shared(d, s, n) {
				copyRow(d, s, n)
			} else {
				copyLongPiece(on, d, s, n)
			}
		}
	}
	return true
}

// longRows copies long rows, which lie evenly apart in w, to their offsets in m or from there, and
// reports whether they are long.
func longRows(on isa, w *Window, m *Memory, at int, offsets []int, cols int, toOffsets bool) bool {
	bytes := cols * w.Kind.Width()
	if _, long := movs(on, bytes, len(offsets)*bytes); !long && bytes <= pieceBytes {
		return false
	}
	row, other := Window{Memory: w.Memory, Col: 1, Stream: w.Stream}, Window{Memory: *m, Col: 1}
	dst, src := &row, &other
	if toOffsets {
		dst, src = src, dst
	}
	for i, o := range offsets {
		row.At, other.At = w.At+i*w.Row, at+o
		CopyRaw(*dst, *src, 1, cols)
	}
	return true
}

// movs reports whether REP MOVSB copies runs of so many bytes, of a call that copies so many in
// all. It returns on with the trait that decides.
func movs(on isa, run, whole int) (isa, bool) {
	if run < dispatch.Near.Long || whole < leastCalibrated && !dispatch.Known(dispatch.FastMovs) {
		return on, false
	}
	on = on.with(dispatch.FastMovs)
	return on, copyLongRuns(on)
}

// A stride is a way to copy elements that lie a step apart, without a permutation.
type stride uint8

const (
	noStride stride = iota
	every           // second, third or fourth element
	reversed        // a step of -1
	threes          // rows of three that follow each other, each reversed
	spaced          // any step, one element at a time
)

// minStrided is the least number of bytes for which a body for a stride pays.
const minStrided = 64

// stride returns the way that suits the call. noStride stands for permutations, where few windows
// hold a vector's bytes, and for calls on which no way here is faster.
func (c *copyCall) stride() stride {
	bytes, step, dense := c.cols*c.width, max(c.step, -c.step), c.dstRow == c.cols
	switch {
	case c.width == 16 || c.rows*bytes < minStrided:
		return noStride
	case c.cols >= minSpaced && (step == 0 || step >= c.leastSpaced()) && !c.far():
		return spaced
	case c.step == -1 && c.cols == 3 && c.width < 8 && dense && c.srcRow == 3:
		return threes
	case c.step == -1 && bytes >= 16 && !(streams && c.pastCaches()):
		return reversed
	case 2 <= c.step && c.step <= 4 && c.width < 8 && bytes > 16:
		return every
	}
	return noStride
}

// far reports whether rows of src lie beyond a core's cache, where permutations, which prefetch the
// rows to come, are faster than single elements. (BenchmarkFarRows. Emerald Rapids, ns an element
// one at a time and permuted, every sixth float32 in rows of 8, 32 and 100: of 4 MB 1.30 1.25, 1.18
// 1.13, 1.08 0.99, of 16 MB 1.46 1.02, 1.51 1.15, 1.39 1.03; with 400 bytes between rows, of 64 MB
// 6.9 2.1, 5.5 2.2, 3.6 2.2. Of 1 MB it loses up to a half.)
func (c *copyCall) far() bool {
	return c.rows*max(c.srcRow, -c.srcRow)*c.width > leastFar*dispatch.Near.Second && c.rowsAhead() != 0
}

// leastFar is how many times as large as such a cache far rows are together. Benchmarks change it.
var leastFar = 2

// pastCaches reports whether rows of elements with a step are stored past the caches, as a whole or
// in whole cache lines.
func (c *copyCall) pastCaches() bool {
	bytes := c.cols * c.width
	return c.stream && bytes >= 128 && (c.rows == 1 || wholeLines(c.dst, c.dstRow*c.width, bytes))
}

// minSpaced is the least length of rows whose elements are copied one at a time, in elements. (Zen
// 4, 160 unseen slices whose rows have 5 to 7, the speedup over 8: 1.04, AVX2 1.07; rows of 3 and 4
// lose, 0.62 to 1.0.)
const minSpaced = 5

// leastSpaced is the least step from which on to copy one element at a time, where a vector of a
// permutation would hold few: by their width, 1 to 8 bytes. (BenchmarkSpaced. Zen 4, ns an element,
// one at a time and permuted, rows of 100 elements of 1 byte, step 8 0.31 and 0.16, 16 0.31 and
// 0.28; of 2, step 8 0.31 and 0.28, 12 0.31 and 0.37; of 4, step 4 0.31 and 0.28, 6 0.31 and 0.38,
// 8 0.33 and 0.53; of 8, step 2 0.31 and 0.33, 3 0.32 and 0.39, 4 0.37 and 0.56. With AVX2 of 4
// bytes, step 2 0.34 and 0.25, 3 0.31 and 0.46; of 8, step 3 0.32 and 0.45, 4 0.37 and 0.88. Step 5
// of 4 bytes gains in the caches, 0.31 and 0.36, and loses beyond them: 0.78, call 301001.351 of
// bench.)
func (c *copyCall) leastSpaced() int {
	by, _, _ := permuterOf(c.on, c.width)
	return leastSpaced[by][bits.TrailingZeros(uint(c.width))]
}

var leastSpaced = [...][4]int{
	shuffleBytes:  {5, 5, 3, 3},
	permuteBytes:  {0: 20, 1: 12}, // of elements of 1 and 2 bytes
	permuteDwords: {2: 6, 3: 3},   // of 4 and 8
	lookUpBytes:   {5, 5, 5, 2},
}

// loose copies one element at a time what no permutation takes. (Zen 4, 40 rows of 24 uint8, step
// 5, 0.38 ns an element, and 0.76 by package generic.)
func (c *copyCall) loose() bool {
	return c.width < 16 && c.cols >= minSpaced && c.rows*c.cols*c.width >= minStrided && copySpacedRuns(c.on) && c.stridesBy(spaced)
}

// strides copies by the stride that suits the call, and reports whether there is a body.
func (c *copyCall) strides() bool {
	by := c.stride()
	return by != noStride && c.stridesBy(by)
}

// stridesBy copies by a stride.
func (c *copyCall) stridesBy(by stride) bool {
	dr, sr := c.dstRow*c.width, c.srcRow*c.width
	for p := (copyPieces{rows: c.rows, bytes: c.cols * c.width, single: by == spaced}); p.next(c); {
		ok, d, s := false, add(c.dst, p.dst), add(c.src, p.src)
		switch by {
		case every:
			ok = copyEveryPiece(c.on, c.step, c.width, d, s, dr, sr, p.n, p.size)
		case reversed:
			ok = copyReversedPiece(c.on, c.width, d, add(s, c.width-p.size), dr, sr, p.n, p.size)
		case threes:
			ok = copyThreesPiece(c.on, c.width, d, add(s, -2*c.width), p.n)
		case spaced:
			ok = copySpacedPiece(c.on, c.width, d, s, dr, sr, p.n, p.size, c.step*c.width)
		}
		if !ok {
			return false
		}
	}
	return true
}

// A permuter is an instruction set's way to permute.
type permuter uint8

const (
	shuffleBytes  permuter = iota // AVX2: 32 bytes from four windows of 16
	permuteBytes                  // AVX-512 with VBMI: 64 bytes from two windows of 64
	permuteDwords                 // AVX-512
	lookUpBytes                   // NEON: 16 bytes from up to four windows of 16
)

// A permutation is what a step of copySteps and copyPeriods does: where its windows are, in bytes
// from the source, and which of their bytes, or dwords, form the result.
type permutation struct {
	windows [4]int
	places  [64]byte
}

// entry is a permutation as bodies take it.
func (m *permutation) entry() *byte { return (*byte)(unsafe.Pointer(m)) }

// span returns the bytes of the source that elements come from: [low, high).
func span(from []int, width int) (low, high int) {
	low, high = from[0], from[0]
	for _, s := range from {
		low, high = min(low, s), max(high, s)
	}
	return low, high + width
}

// fill sets the permutation for made bytes from element o on, and reports whether the windows reach
// all of them. No window leaves the span of the wanted bytes.
func (m *permutation) fill(by permuter, p *pattern, o, made, width int) bool {
	var buf [64]int
	from := buf[:made/width]
	p.fill(from, o, width)
	switch by {
	case lookUpBytes:
		return m.fillLookUp(from, width)
	case permuteBytes, permuteDwords:
		return m.fillTwo(by, from, width)
	}
	for i := range m.places {
		m.places[i] = 0x80 // leaves the byte to another shuffle
	}
	if made == 16 { // four windows for one vector of 16
		return m.fillShuffle(from, width, []int{0, 1, 2, 3})
	}
	return m.fillShuffle(from[:16/width], width, []int{0, 1}) && m.fillShuffle(from[16/width:], width, []int{2, 3})
}

func (m *permutation) fillTwo(by permuter, from []int, width int) bool {
	const window = 64
	low, high := span(from, width)
	if high-low < window || high-low > 2*window {
		return false
	}
	m.windows = [4]int{low, high - window}
	unit := 0 // 1<<unit bytes
	if by == permuteDwords {
		unit = 2
	}
	for k, s := range from {
		for b := 0; b < width; b += 1 << unit {
			place := s + b - low
			if place >= window {
				place += window - (high - window - low)
			}
			m.places[(k*width+b)&63] = byte(place >> unit) // the lowest byte of a lane
		}
	}
	return true
}

// shuffles has the places of each window's bytes: the low and high halves of two vectors.
var shuffles = [4]int{0, 32, 16, 48}

// fillShuffle sets 16 bytes from some of the windows of 16.
func (m *permutation) fillShuffle(from []int, width int, windows []int) bool {
	const window = 16
	low, high := span(from, width)
	if high-low < window || high-low > len(windows)*window {
		return false
	}
	for k, w := range windows {
		m.windows[w] = min(low+k*window, high-window)
	}
	for i := range len(from) * width {
		s := from[i/width] + i%width
		for _, w := range windows {
			if k := s - m.windows[w]; k < window {
				m.places[shuffles[w]+i] = byte(k)
				break
			}
		}
	}
	return true
}

// fillLookUp sets 16 bytes from windows of 16 that form one table. The last window is repeated
// where fewer are enough.
func (m *permutation) fillLookUp(from []int, width int) bool {
	const window = 16
	low, high := span(from, width)
	if high-low < window || high-low > len(m.windows)*window {
		return false
	}
	for i := range m.windows {
		m.windows[i] = min(low+i*window, high-window)
	}
	for k, s := range from {
		for b := range width {
			i := (s + b - low) / window
			m.places[k*width+b] = byte(i*window + s + b - m.windows[i])
		}
	}
	return true
}

// distinct returns the number of windows without repetitions of the last.
func (m *permutation) distinct() int {
	n := 1
	for n < len(m.windows) && m.windows[n] != m.windows[n-1] {
		n++
	}
	return n
}

// steps copies rows with one step between their elements.
func (c *copyCall) steps() bool {
	by, vector, ok := permuterOf(c.on, c.width)
	return ok && c.stepsBy(by, vector)
}

// shortSteps is steps for rows that are too short for windows of 64 bytes, by windows of 16: rows
// of 16 bytes in steps of 2 take 0.12 ns a byte, and 0.32 one by one (Zen 4).
func (c *copyCall) shortSteps() bool {
	by, _, ok := permuterOf(c.on, c.width)
	return ok && (by == permuteBytes || by == permuteDwords) && c.stepsBy(shuffleBytes, 32)
}

// stepsBy is steps by a permuter. A row in reverse is written upwards, too, if a cache holds what is
// read: stores that are not aligned are slower downwards. (BenchmarkReversed at f027382,
// downwards, and here. Emerald Rapids, ns an element of float32 in one row of 256 KB that begins at
// element 1: step -2 0.34 0.18, -3 0.39 0.24; of uint8 0.089 0.053, 0.107 0.063; of 3 MB the same.)
func (c *copyCall) stepsBy(by permuter, vector int) bool {
	kept := permutationsKept.Get().(*permutations)
	defer permutationsKept.Put(kept)
	fill := func(made int) bool {
		return kept.set(permutationsKey{by: by, pattern: pattern{cols: math.MaxInt, step: c.step}, vector: made, width: c.width}, 1)
	}
	made, bytes := vector, c.cols*c.width
	switch by {
	case lookUpBytes:
	case shuffleBytes:
		if bytes < made || !fill(made) {
			made = 16
		}
	default:
		distance := max(c.step, -c.step) * c.width
		if distance == 0 || distance > 64 {
			return false
		}
		made = min(made, ((128-c.width)/distance+1)*c.width) // a masked store takes any number
		if made < minMade*c.width {
			return false
		}
	}
	if bytes < made || !fill(made) {
		return false
	}
	dstRow, srcRow := c.dstRow*c.width, c.srcRow*c.width
	stream := made == vector && c.pastCaches()
	distance := c.rowsAhead()
	m, windows := &kept.entries[0], kept.windows
	down := c.step < 0 && c.rows*bytes*-c.step > dispatch.Near.Second
	for p := (copyPieces{rows: c.rows, bytes: bytes}); p.next(c); {
		first, move := 0, made
		if down { // so that src is read upwards
			first, move = p.size-made, -made
		}
		copyStepsPiece(c.on, by, add(c.dst, p.dst+first), add(c.src, p.src+first*c.step), dstRow, srcRow, p.n, p.size, c.step, m.entry(), windows, made, move, distance, stream)
	}
	return true
}

// rowsAhead returns the prefetch distance in src where enough rows lie near each other, or 0.
func (c *copyCall) rowsAhead() (distance int) {
	row := c.srcRow * c.width
	far := max(row, -row)
	if far == 0 || far > dispatch.Near.Copy {
		return 0
	}
	ahead := dispatch.Near.Copy / 2 / far
	if 2*ahead >= c.rows { // most rows have none so far ahead
		return 0
	}
	return row * ahead
}

// minMade is the least number of elements of a step that are worth its loads.
const minMade = 4

// maxPeriod bounds the permutations of a period.
const maxPeriod = 8

// permutations are those of a period. They are kept, as the planes of a copy have the same. (Zen 4,
// planes of 48 reversed rows of 12 float16, call 110001.4 of bench: 170 µs with permutations made
// for each plane, 59 with these.)
type permutations struct {
	key     permutationsKey
	usable  bool
	entries [maxPeriod]permutation
	windows int // the most of an entry
}

// A permutationsKey is what the permutations of a period depend on.
type permutationsKey struct {
	by                  permuter
	pattern             pattern
	head, vector, width int // vector is the bytes of a step
}

var permutationsKept = sync.Pool{New: func() any { return new(permutations) }}

// set sets the permutations unless they are as the key says, and reports whether they can be used.
func (k *permutations) set(key permutationsKey, period int) bool {
	if k.key != key {
		k.key, k.usable = key, k.fill(&key, period)
	}
	return k.usable
}

// fill sets the permutations, and reports whether windows reach all elements and cost less than the
// rows as they are.
func (k *permutations) fill(key *permutationsKey, period int) bool {
	k.windows = 0
	for v := range period {
		e := &k.entries[v]
		if !e.fill(key.by, &key.pattern, key.head+v*key.vector/key.width, key.vector, key.width) {
			return false
		}
		k.windows = max(k.windows, e.distinct())
		if key.by == lookUpBytes && key.pattern.step == 1 && key.pattern.cols*key.width >= 8 && e.distinct() > 2 {
			return false
		}
	}
	return true
}

// periods copies short rows that follow each other in dst, such as RGB to BGR. A row is no whole
// number of vectors, and a vector no whole number of rows, but cols vectors hold a whole number of
// rows.
func (c *copyCall) periods() bool {
	by, vector, ok := permuterOf(c.on, c.width)
	if !ok { // only where TestGains leaves bodies out: every level has one
		return false
	}
	each := vector / c.width
	p := pattern{c.cols, c.srcRow, c.step}
	period := c.cols / min(c.cols&-c.cols, each) // each is a power of two
	total := c.rows * c.cols
	if c.dstRow != c.cols || period > maxPeriod || total < 4*period*each {
		return false
	}
	head := 0
	if c.stream {
		head = int(-uintptr(unsafe.Pointer(c.dst))&63) / c.width
	}
	kept := permutationsKept.Get().(*permutations)
	defer permutationsKept.Put(kept)
	if !kept.set(permutationsKey{by, p, head, vector, c.width}, period) {
		return false
	}
	entries, windows := &kept.entries, kept.windows
	steps := (total - head) / each
	advance := period * each / c.cols * c.srcRow * c.width
	c.elements(&p, 0, head)
	for done := 0; done < steps; {
		n := min(steps-done, pieceBytes/vector/period*period)
		d, s := add(c.dst, head*c.width+done*vector), add(c.src, done/period*advance)
		if by == lookUpBytes && windows <= 2 && period&^2 == 1 && n >= 3 {
			three, gain := triple(entries[:period], advance)
			copyTriplesPiece(c.on, d, s, n/3, three[0].entry(), gain)
			done += n / 3 * 3
			continue
		}
		copyPeriodsPiece(c.on, by, d, s, n, entries[0].entry(), windows, period, advance, c.stream)
		done += n
	}
	c.elements(&p, head+steps*each, total)
	return true
}

// elements copies the elements from o up to end, one by one.
func (c *copyCall) elements(p *pattern, o, end int) {
	for ; o < end; o++ {
		d, s := add(c.dst, o*c.width), add(c.src, p.from(o)*c.width)
		copy(unsafe.Slice(d, c.width), unsafe.Slice(s, c.width))
	}
}

// triple returns the entries of three vectors, for a period of three or one, and how far they
// advance.
func triple(entries []permutation, advance int) (three [3]permutation, on int) {
	if copy(three[:], entries) == 3 {
		return three, advance
	}
	for v := range three {
		three[v] = entries[0]
		for i := range three[v].windows {
			three[v].windows[i] += v * advance
		}
	}
	return three, 3 * advance
}
