package kernels

import (
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// Lines of a table that no cache holds take longer one by one, each at an address that an index
// names, than in sequence. So a table of which a gather or a scatter needs most lines is read from
// start to end first, if the caches hold it then:
//
//	for each few tables { for each of their cache lines { read a byte }; gather from them }
//
// Indices may choose rows, in whose columns elements are gathered (Zen 4, ns an element from 200 to
// 500 MB, one worker and two, otherwise and so: float32, 128 of 453 rows of 196 3.7 and 1.6, 2.3
// and 0.95; bfloat16, 13 of 102 rows of 384 4.2 and 1.3, 1.9 and 0.8; sums into 9523 rows of 12
// float16, 3110 of each 5.2 and 1.6, 2.8 and 0.9; a few rows the hardware prefetches by itself: 3
// of 6 rows of 1024 int32, in place, 1.8 and 2.1), or elements and rows as a whole
// (BenchmarkReadFirst).

// leastRead is the least number of bytes of a table in whose columns elements are moved, and
// leastRows of its rows.
var leastRead, leastRows = 1 << 10, 8

// leastAlong is the least number of bytes of a table of elements or of rows that are moved as a
// whole. Of elements gathers prefetch smaller ones. Longer rows than longRow are prefetched as
// well. (BenchmarkReadFirst. Zen 4, tables of 64 KB, 256 KB, 1 MB, 2 MB, 4 MB and 6 MB, two lines
// asked for each that there is, ns an element or a row, not read first and so, one worker: gathers
// of float32 2.9 3.2 4.6 4.8 4.8 5.3 and 3.1 3.9 2.7 3.2 3.6 4.6, of 64 bytes 9.7 9.3 9.1 9.7 9.8
// 10.4 and 6.1 5.6 5.3 6.9 7.9 10.1; sums into float32 5.8 5.9 5.8 5.9 6.3 6.2 and 3.5 3.5 3.0 3.7
// 4.5 6.1, into rows of 16 bytes 14 15 15.5 12.7 12.4 12.3 and 6.7 6.7 7.0 7.3 9.1 10.7. Two
// workers: gain as much up to 2 MB, and nothing with 4.)
var leastAlong = 64 << 10

const longRow = 128

// gaps is how many times as far as its elements the rows of a table lie apart, at most: what is
// between them is read, too, if a core's cache holds that. (Zen 3, call 8010001.294 of bench, the
// speedup: 2.6, with two workers 2.9.)
const gaps = 2

// A tableRead says what is read at each step of the loops around so many inner ones, all of which
// lead into one table: its bytes, 0 if nothing is.
type tableRead struct {
	inner, bytes int
	across       bool // indices choose rows, in whose columns elements are moved
}

// readFirst returns what is read of an operand of an arranged nest, which indices move, before it
// is gathered from or updated: tables, dense or nearly so, that are small enough, of operands larger
// than a cache, where indices, judged by a sample, lead to most lines.
func (c *call) readFirst(n *nest, op int) tableRead {
	line, run := n.inner()
	loops, width := n.loops(), c.elem.kind.Width()
	row := run.n * width
	k, lines := len(loops)-1, max(1, row/cacheLine) // that are asked for, at most
	reach, second := int64(max(dispatch.Default.StreamReach, dispatch.Default.StreamBytes)), dispatch.Near.Second
	least, most, size := leastAlong, int(reach/4), sizeOf(*c.operand(op))
	far := c.far(op)
	wide := run.n // elements of a row of the table
	across := far && run.n == 1 && line.s[op] == 1 && c.size >= leastRows && line.n > 1
	if across {
		wide = line.n
	}
	table := ((c.size-1)*c.step + wide) * width
	sets := c.work == scatterWork && !c.elem.reduces()
	switch {
	case c.step < wide || c.step > gaps*wide:
		return tableRead{}
	case across:
		k, lines, least, most = k-1, line.n, leastRead, int(reach/2)
	case run.n > 1 && run.s[op] != 1 || row > longRow || sets && row > longRow/4:
		return tableRead{}
	case c.work == gatherWork && row <= 8:
		least = max(least, dispatch.Near.OwnTable)
	}
	for k > 0 && loops[k-1].s[op] == 0 {
		k--
		lines *= loops[k].n
	}
	if !far {
		lines /= 2
	}
	if !far || c.step > wide {
		most = min(most, second)
	}
	if run.n > 1 && c.elem.reduces() { // a masked store waits for its line
		lines *= 4
	}
	t := tableRead{len(loops) - k, table, across}
	switch {
	case table < least || table > most || table/cacheLine > lines || size < 2*int64(second):
		return tableRead{}
	case c.data.Len > 0 || c.tables.steps > 0: // a copy of data has just brought the table, or a strip holds it
		return tableRead{}
	case c.work == scatterWork && c.attrs.fills(): // which reads it, and does so once for all updates of a cell
		return tableRead{}
	case !c.scatters(n, &t):
		return tableRead{}
	}
	return t
}

// far reports whether no cache holds the operand that indices lead into, or not all operands.
func (c *call) far(op int) bool {
	reach := int64(max(dispatch.Default.StreamReach, dispatch.Default.StreamBytes))
	return sizeOf(*c.operand(op)) >= reach || sizeOf(c.dst)+sizeOf(c.src)+sizeOf(c.idx) >= 2*reach
}

// scatters reports whether the indices of one table lead, judged by a sample, to different cache
// lines, and not to the same row all along one of several cache lines, which the hardware
// prefetches.
func (c *call) scatters(n *nest, t *tableRead) bool {
	const samples = 32
	var seen [samples]int
	distinct, equal := seen[:0], 0
	line, inner := n.last(2), n.loops()[len(n.loops())-t.inner:]
	rows := inner[:max(0, len(inner)-2)]
	long := t.across && line.n > max(1, cacheLine/c.elem.kind.Width())
	for k := range samples {
		j := share(line.n-1, k, samples)
		x := n.at.idx + j*line.s[idxOp]
		for i := range rows {
			x += share(rows[i].n-1, 7*k%samples, samples) * rows[i].s[idxOp]
		}
		index := indexAt(c.idx, x)
		if long && index == indexAt(c.idx, x+line.s[idxOp]) { // j is not the last
			equal++
		}
		row, _ := wrapped(index, c.size)
		place := row * c.step
		if t.across {
			place += j
		}
		if place = place * c.elem.kind.Width() / cacheLine; !slices.Contains(distinct, place) {
			distinct = append(distinct, place)
		}
	}
	return equal <= samples/2 && 2*len(distinct) > min(samples, t.bytes/cacheLine)
}

// eachTable calls use for each few tables with the part of a nest that leads into them, after it
// has read them.
func (c *call) eachTable(n *nest, op int, t tableRead, use func(part nest) bool) bool {
	part := n.clone()
	loops := part.loops()
	outer := len(loops) - t.inner
	for i := range loops[:outer] {
		loops[i].n = 1
	}
	if outer == 0 {
		touch(c.operand(op), n.at.of(op), t.bytes)
		return use(part)
	}
	tables := &n.loops()[outer-1]
	few := max(1, tablesRead/t.bytes)
	return n.each(t.inner+1, func(at position) bool {
		for left := tables.n; left > 0; left -= few {
			loops[outer-1].n = min(left, few)
			part.at = at
			for range loops[outer-1].n {
				touch(c.operand(op), at.of(op), t.bytes)
				at = tables.after(at, 1)
			}
			if !use(part) {
				return false
			}
		}
		return true
	})
}

// tablesRead is the bytes of small tables that are read together: blocks make one pattern of
// offsets for all of them. (Zen 3, calls of bench, the speedup over one table at a time:
// 4600001.196 1.9, 4700002.7128 1.5, 4700002.521 1.37.)
var tablesRead = 32 << 10

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
