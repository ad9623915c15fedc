package kernels

import "github.com/lanes-go/lanes/dispatch"

// Indices that are the same along a row name whole rows, and rows are copied or
// combined whole, several times as fast as element by element. Where a stride of 0 says
// so, arrange has seen it. Indices that were written out, as frameworks without
// views do it for graphs, have to be compared: once, and one of each row is kept.

// sampledRows is how many rows decide whether all are compared.
const sampledRows = 16

// constantRows reports whether the indices of some rows, spread over an
// arranged nest, are the same along each. The rows are its line; the loop outside it
// is the one that indices move along.
func (c *call) constantRows() bool {
	row, line, run := c.last(3), c.last(2), c.last(1)
	if run.n > 1 || line.n < dispatch.Default.ConstantRow || row.n < 2 || line.s[idxOp] != 1 || line.s[dstOp] != 1 || line.s[srcOp] != 1 ||
		c.elem.refs != nil {
		return false
	}
	for i := range min(row.n, sampledRows) {
		if at := row.after(c.at, share(row.n-1, i, sampledRows)); !equalIndices(c.idx, at[idxOp], line.n) {
			return false
		}
	}
	return true
}

// compact keeps one index of each row, if the indices are the same along every
// one, and makes them the call's. It returns the buffer that they are in, which goes
// back to buffers after the call. Without such rows it returns nil.
func (c *call) compact() (buffer *[]uint64) {
	loops := c.loops()
	k := len(loops) - 2
	x := call{work: equalWork, settings: c.settings, idx: c.idx}
	x.set(loops[:k+1])
	x.at[idxOp] = c.at[idxOp]
	rowLoops := x.loops()
	rows := 1
	for i := k - 1; i >= 0; i-- {
		if l := &rowLoops[i]; l.s[idxOp] == 0 { // the same rows once are enough
			l.n, l.s[dstOp] = 1, 0
		} else {
			l.s[dstOp] = rows
			rows *= l.n
		}
	}
	if rows > c.idx.Len { // a view that repeats rows: they are not worth the buffer
		return nil
	}
	rowLoops[k].s[dstOp] = 0
	buffer, x.dst = bufferFor(rows, c.idx.Kind)
	packed := x.dst
	if !x.run() {
		buffers.Put(buffer)
		return nil
	}
	for i := range k {
		loops[i].s[idxOp] = rowLoops[i].s[dstOp]
	}
	loops[k].s[idxOp] = 0
	c.idx, c.at[idxOp] = packed, 0
	c.set(arrange(collapse(loops), leastRun))
	return buffer
}
