package kernels

import (
	"bytes"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// Indices that are the same along a row name whole rows, and rows are copied or
// combined whole, several times as fast as element by element. Where a stride of 0 says
// so, arrange has seen it. Indices that were written out, as frameworks without
// views do it for graphs, have to be looked at.

// sampledRows is how many rows decide whether all are looked at.
const sampledRows = 16

// constantRows reports whether the indices of some rows, spread over the nest,
// are the same along each. The rows are the line of an arranged nest; the loop
// outside it is the one that indices move along.
func (c *call) constantRows() bool {
	k := len(c.dims) - 3
	row, line, run := &c.dims[k], &c.dims[k+1], &c.dims[k+2]
	if run.n > 1 || line.n < dispatch.Default.ConstantRow || row.n < 2 || line.s[idxOp] != 1 || line.s[dstOp] != 1 || line.s[srcOp] != 1 ||
		len(c.tuples.sizes) > 0 || c.attrs.Reduction == Mean || c.elem.refs {
		return false
	}
	for i := range min(row.n, sampledRows) {
		if at := row.after(c.at, share(row.n-1, i, sampledRows)); !c.idx.constant(at[idxOp], line.n) {
			return false
		}
	}
	return true
}

// constant reports whether n neighbouring indices are the same: each equal to
// the next.
func (x *indexSource) constant(at, n int) bool {
	width := x.kind.width()
	row := unsafe.Slice((*byte)(unsafe.Add(x.ptr, at*width)), n*width)
	return bytes.Equal(row[:width], row[len(row)-width:]) && bytes.Equal(row[width:], row[:len(row)-width])
}

// byRows is blocks for a part whose rows, or most of them, have constant
// indices: those go to use with the row and the line as line and run.
func (c *call) byRows(s scratch, n *nest, indexed int, use func(at [3]int, offsets []int, line, run dim)) bool {
	k := len(n.dims) - 3
	row, line := &n.dims[k], &n.dims[k+1]
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for i := 0; i < row.n; {
			start, same, other := row.after(at, i), 0, 0
			for i+same < row.n && same < len(s.offsets) && c.idx.constant(start[idxOp]+same*row.s[idxOp], line.n) {
				same++
			}
			if same > 0 {
				if !c.resolve(&s, s.offsets[:same], start[idxOp], row, c.step, row.s[indexed]) {
					return false
				}
				use(start, s.offsets[:same], *row, *line)
				i += same
				continue
			}
			for other++; i+other < row.n && !c.idx.constant(start[idxOp]+other*row.s[idxOp], line.n); {
				other++
			}
			part := nest{[]dim{{other, row.s}, *line, one}, start}
			if !c.blocksIn(s, &part, indexed, use) {
				return false
			}
			i += other
		}
		return true
	})
}
