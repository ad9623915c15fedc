package kernels

import "github.com/lanes-go/lanes/dispatch"

// Where indices are equal along a row, the row is copied or combined as a run, several times as
// fast as element by element. arrange sees it from a stride of 0. Frameworks without views write
// the indices out, as for graphs. Such rows are compared once, and one index of each is kept.

// So many rows are sampled, of so many indices, before all are compared.
const sampledRows, sampledIndices = 16, 256

// constantRows reports whether sampled rows of an arranged nest have equal indices. A row is the
// nest's line.
func (c *call) constantRows() bool {
	row, line, run := c.last(3), c.last(2), c.last(1)
	if run.n > 1 || line.n < dispatch.Default.ConstantRow || row.n < 2 || line.s[idxOp] != 1 || line.s[dstOp] != 1 || line.s[srcOp] != 1 ||
		c.elem.refs != nil {
		return false
	}
	for i := range min(row.n, sampledRows) {
		first := row.after(c.at, share(row.n-1, i, sampledRows)).idx
		last := first + line.n - 1
		if !equalIndices(c.idx, first, min(line.n, sampledIndices)) || indexAt(c.idx, first) != indexAt(c.idx, last) {
			return false
		}
	}
	return true
}

// compacts reports whether a gather of rows with equal indices is faster by rows.
func (c *call) compacts() bool {
	width := c.elem.kind.Width()
	return dispatch.GatherCompacts(c.last(2).n, c.size*width, c.src.Len*width)
}

// compact keeps one index of each row and makes them the call's indices, if every row has equal
// ones. It returns the buffer that holds them, which the caller puts back to buffers after the
// call, or nil if it changed nothing.
func (c *call) compact() (buffer *[]uint64) {
	loops := c.loops()
	k := len(loops) - 2
	x := call{work: equalWork, settings: c.settings, idx: c.idx}
	x.set(loops[:k+1])
	x.at.idx = c.at.idx
	rowLoops := x.loops()
	rows := 1
	for i := k - 1; i >= 0; i-- {
		if l := &rowLoops[i]; l.s[idxOp] == 0 { // the loop repeats rows
			l.n, l.s[dstOp] = 1, 0
		} else {
			l.s[dstOp] = rows
			rows *= l.n
		}
	}
	if rows > c.idx.Len { // a view that repeats rows needs no buffer of this size
		return nil
	}
	rowLoops[k].s[dstOp] = 0
	buffer, x.dst = bufferFor(rows, c.idx.Kind)
	if !x.runEqual() {
		buffers.Put(buffer)
		return nil
	}
	for i := range k {
		loops[i].s[idxOp] = rowLoops[i].s[dstOp]
	}
	loops[k].s[idxOp] = 0
	c.idx, c.at.idx = x.dst, 0
	c.set(arrange(collapse(loops), leastRun))
	return buffer
}
