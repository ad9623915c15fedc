package kernels

import (
	"bytes"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// Indices that are the same along a row name whole rows, and rows are copied or
// combined whole, several times as fast as element by element. Where a stride of 0 says
// so, arrange has seen it. Indices that were written out, as frameworks without
// views do it for graphs, have to be looked at: once, and one of each row is kept.

// sampledRows is how many rows decide whether all are looked at.
const sampledRows = 16

// constantRows reports whether the indices of some rows, spread over an
// arranged nest, are the same along each. The rows are its line; the loop outside it
// is the one that indices move along.
func (c *call) constantRows() bool {
	k := len(c.dims) - 3
	row, line, run := &c.dims[k], &c.dims[k+1], &c.dims[k+2]
	if run.n > 1 || line.n < dispatch.Default.ConstantRow || row.n < 2 || line.s[idxOp] != 1 || line.s[dstOp] != 1 || line.s[srcOp] != 1 || c.elem.refs {
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
	for len(row) > pieceCompared { // because a comparison can't be pre-empted
		if !bytes.Equal(row[width:pieceCompared], row[:pieceCompared-width]) {
			return false
		}
		row = row[pieceCompared-width:]
	}
	return bytes.Equal(row[width:], row[:len(row)-width])
}

const pieceCompared = 256 << 10

// compact keeps one index of each row, if the indices are the same along every one,
// and returns the arranged loops over them, and a view of them in a room that
// goes back to rooms after the call. Without such rows it returns nil.
func (c *call) compact(dims []dim) (loops []dim, kept view, room *[]uint64) {
	var buf [maxDims]dim
	k := len(dims) - 2
	x := call{body: compactBody, settings: c.settings, idx: c.idx}
	x.elem.width = c.idx.kind.width()
	x.dims = append(buf[:0], dims[:k+1]...)
	x.at[idxOp] = c.at[idxOp]
	rows := 1
	for i := k - 1; i >= 0; i-- {
		if d := &x.dims[i]; d.s[idxOp] == 0 { // the same rows once are enough
			d.n, d.s[dstOp] = 1, 0
		} else {
			d.s[dstOp] = rows
			rows *= d.n
		}
	}
	if rows > c.idx.n { // a view that repeats rows: they are not worth the room
		return dims, kept, nil
	}
	x.dims[k].s[dstOp] = 0
	room, packed := roomFor(rows, x.elem.width)
	x.dst = packed
	if !x.run() {
		rooms.Put(room)
		return dims, kept, nil
	}
	for i := range k {
		dims[i].s[idxOp] = x.dims[i].s[dstOp]
	}
	dims[k].s[idxOp] = 0
	c.idx.memory, c.at[idxOp] = packed, 0 // not x.dst: x would escape
	kept = view{role: indicesRole, ptr: packed.ptr, len: rows, size: c.idx.kind.width(), count: rows, hi: rows - 1}
	return arrange(collapse(dims)), kept, room
}

// compactRows runs a part of a compaction: the last loop is a row.
func (c *call) compactRows(n *nest) bool {
	switch c.idx.kind.width() {
	case 1:
		return compactOf[uint8](c, n)
	case 2:
		return compactOf[uint16](c, n)
	case 4:
		return compactOf[uint32](c, n)
	default:
		return compactOf[uint64](c, n)
	}
}

func compactOf[T uint8 | uint16 | uint32 | uint64](c *call, n *nest) bool {
	k := len(n.dims) - 2
	line, row := n.dims[k], n.dims[k+1].n
	kept, indices := slice[T](&c.dst), slice[T](&c.idx.memory)
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for range line.n {
			first := indices[at[idxOp]]
			if first != indices[at[idxOp]+row-1] || !c.idx.constant(at[idxOp], row) {
				return false
			}
			kept[at[dstOp]] = first
			at = line.after(at, 1)
		}
		return true
	})
}
