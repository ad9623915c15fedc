package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
)

// An ahead fetches the table that the next row of indices updates while one
// row is worked on, a share with each block of indices. They name the table's
// cache lines in no order that the processor could foresee.
type ahead struct {
	memory      []byte
	width       int // of an element
	next, bytes int // from one table to the next, and the size of one
	line        int // indices in a row
}

// Tables of these sizes are fetched: of more than a few cache lines, and
// no larger than half a first-level cache.
const leastAhead, mostAhead = 512, 24 << 10

// ahead returns how to fetch the tables of a loop over rows of indices, if
// they are fit for it: without gaps, not copied just now, and most of each
// will be named.
func (c *call) ahead(row, line, run *dim) ahead {
	width := c.elem.width
	bytes := c.size * width
	if row.n == 1 || c.data.n > 0 || line.own() || run.n > 1 || c.step != 1 || c.size > 4*line.n || bytes < leastAhead || bytes > mostAhead {
		return ahead{}
	}
	return ahead{unsafe.Slice((*byte)(c.dst.ptr), c.dst.n*width), width, row.s[dstOp] * width, bytes, line.n}
}

// fetch fetches the share of the next table that belongs to n indices, done of
// the row's being behind. The row's own table begins at at.
func (a *ahead) fetch(at, done, n int) {
	if a.bytes == 0 {
		return
	}
	lo, hi := a.bytes*done/a.line, a.bytes*(done+n)/a.line
	lanes.Prefetch(a.memory, at*a.width+a.next+lo, hi-lo)
}
