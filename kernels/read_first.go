package kernels

import (
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// Elements of a table that no cache holds are waited for line by line, each at an address of its
// own. Lines that follow each other arrive in less time. So a table in whose columns a gather or a
// scatter needs most lines is read from start to end first, if the caches hold it then:
//
//	for each table { for each of its cache lines { read a byte }; gather from it }
//
// (Zen 4, ns an element from 200 to 500 MB, one worker and two, otherwise and so: float32, 128 of
// 453 rows of 196 3.7 and 1.6, 2.3 and 0.95; bfloat16, 13 of 102 rows of 384 4.2 and 1.3, 1.9 and
// 0.8; sums into 9523 rows of 12 float16, 3110 of each 5.2 and 1.6, 2.8 and 0.9. A few rows the
// hardware prefetches by itself: 3 of 6 rows of 1024 int32, in place, 1.8 and 2.1.)

// leastRead is the least number of bytes of such a table, and leastRows of its rows.
var leastRead, leastRows = 1 << 10, 8

// readFirst returns how many bytes of the operand that indices move are read at each step of the
// loops around an arranged nest's rows, or 0 for none. The operand is larger than a cache. All rows
// lead into one dense table, which is small enough. Indices, judged by a sample, lead to most of
// its lines.
func (c *call) readFirst(n *nest, op int) (bytes int) {
	row, line := n.last(3), n.last(2)
	reach := max(dispatch.Default.StreamReach, dispatch.Default.StreamBytes)
	switch bytes = c.tableBytes(); {
	case c.data.Len > 0 || sizeOf(*c.operand(op)) < int64(reach): // a copy of data has just brought the table
		return 0
	case row.s[op] != 0 || line.s[op] != 1 || c.step != line.n || c.size < leastRows:
		return 0
	case bytes < leastRead || bytes > reach/2 || bytes/cacheLine > row.n*line.n:
		return 0
	case !c.scattersIn(n.at, row, line, bytes):
		return 0
	}
	return bytes
}

// scattersIn reports whether the indices at a position lead to different cache lines of a table of
// so many bytes, judged by a sample. A row of several cache lines all of whose indices are the same
// is read in sequence as it is.
func (c *call) scattersIn(at position, row, line *loop, bytes int) bool {
	const samples = 32
	var seen [samples]int
	distinct, equal, long := seen[:0], 0, line.n > max(1, cacheLine/c.elem.kind.Width())
	for k := range samples {
		i, j := share(row.n-1, 7*k%samples, samples), share(line.n-1, k, samples)
		x := at.idx + i*row.s[idxOp] + j*line.s[idxOp]
		index := indexAt(c.idx, x)
		if long && index == indexAt(c.idx, x+line.s[idxOp]) { // j is not the last
			equal++
		}
		row, _ := wrapped(index, c.size)
		if place := (row*c.step + j) * c.elem.kind.Width() / cacheLine; !slices.Contains(distinct, place) {
			distinct = append(distinct, place)
		}
	}
	return equal <= samples/2 && 2*len(distinct) > min(samples, bytes/cacheLine)
}

// touch reads a byte of each cache line of an operand from an element on. It is not inlined, and
// returns their sum, or the compiler would leave that out.
//
//go:noinline
func touch(m *lanes.Memory, at, bytes int) (sum byte) {
	p := unsafe.Add(m.Ptr, at*m.Kind.Width())
	for i := 0; i < bytes; i += cacheLine {
		sum += *(*byte)(unsafe.Add(p, i))
	}
	return sum
}
