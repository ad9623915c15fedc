package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// Single elements are scattered in one fused loop when primitives take their
// type and their indices as they are. Everything else is resolved to offsets first.

// fuses reports whether there is such a loop for an arranged scatter.
func (c *call) fuses() bool {
	_, run := c.inner()
	return run.n == 1 && len(c.tuples.sizes) == 0 && !c.elem.refs && c.attrs.Reduction != Mean && (c.idx.kind == kindInt32 || c.idx.kind == kindInt64) &&
		(c.number == noNumber || numInt8 <= c.number && c.number <= numFloat64)
}

// packs returns how many columns of dst a scatter packs at a time, 0 for none.
func (c *call) packs() int {
	if !dispatch.ScatterPacks() || !c.fuses() {
		return 0
	}
	return c.stripOf(dstOp)
}

// fused runs the updates of a part, on packed strips if there are to be such.
// Without strips cells hold their initial values already.
func (c *call) fused(n *nest) bool {
	switch c.number {
	case noNumber:
		switch c.elem.width {
		case 1:
			return moveFused[uint8](c, n)
		case 2:
			return moveFused[uint16](c, n)
		case 4:
			return moveFused[uint32](c, n)
		case 8:
			return moveFused[uint64](c, n)
		default:
			return moveFused[lanes.X128](c, n)
		}
	case numInt8:
		return reduceFused[int8](c, n)
	case numInt16:
		return reduceFused[int16](c, n)
	case numInt32:
		return reduceFused[int32](c, n)
	case numInt64:
		return reduceFused[int64](c, n)
	case numUint8:
		return reduceFused[uint8](c, n)
	case numUint16:
		return reduceFused[uint16](c, n)
	case numUint32:
		return reduceFused[uint32](c, n)
	case numUint64:
		return reduceFused[uint64](c, n)
	case numFloat32:
		return reduceFused[float32](c, n)
	default:
		return reduceFused[float64](c, n)
	}
}

// moveFused sets the cells. With strips, it packs one after the other of dst,
// updates it, and puts it back:
//
//	for each strip
//		for k := range size { room[k] = the strip of dst's row k }
//		for i := range rows { room[indices(i, j)][j] = updates(i, j), for j in the strip }
//		for k := range size { the strip of dst's row k = room[k] }
func moveFused[T lanes.Elem](c *call, n *nest) bool {
	k := len(n.dims) - 3
	row, line := &n.dims[k], &n.dims[k+1]
	if c.strip == 0 {
		c.note("scatter, fused")
		return each(n.dims[:k], n.at, func(at [3]int) bool {
			return moveTables(c, plane[T](&c.dst, dstOp, &at, row, line), c.step, plane[T](&c.src, srcOp, &at, row, line), &at, row, line, line.n)
		})
	}
	c.note("scatter, packed strips")
	room, packed := c.packed()
	defer rooms.Put(room)
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for j := 0; j < line.n; j += c.strip {
			cols := min(line.n-j, c.strip)
			own, cells, from := packStrip[T](c, &packed, at, line, j, cols)
			lanes.Copy(cells, from, c.size, cols)
			at := line.after(at, j)
			table := lanes.Plane[T]{Data: cells.Data, Col: 1}
			if !moveTables(c, table, cols, plane[T](&c.src, srcOp, &at, row, line), &at, row, line, cols) {
				return false
			}
			lanes.Copy(own, cells, c.size, cols)
		}
		return true
	})
}

// moveTables sets cells of tables, whose elements are step apart, by the
// indices of cols of the line.
func moveTables[T lanes.Elem](c *call, cells lanes.Plane[T], step int, updates lanes.Plane[T], at *[3]int, row, line *dim, cols int) bool {
	if c.idx.kind == kindInt32 {
		return lanes.ScatterIndexed(cells, c.size, step, plane[int32](&c.idx.memory, idxOp, at, row, line), updates, row.n, cols) < 0
	}
	return lanes.ScatterIndexed(cells, c.size, step, plane[int64](&c.idx.memory, idxOp, at, row, line), updates, row.n, cols) < 0
}

// reduceFused is moveFused with updates combined. The row of a strip is the
// axis, so that all its updates come after the initial values.
func reduceFused[T lanes.Number](c *call, n *nest) bool {
	k := len(n.dims) - 3
	row, line := &n.dims[k], &n.dims[k+1]
	if c.strip == 0 {
		c.note("scatter, fused")
		return each(n.dims[:k], n.at, func(at [3]int) bool {
			return reduceTables(c, plane[T](&c.dst, dstOp, &at, row, line), c.step, &at, row, line, line.n)
		})
	}
	identity := (*[1]T)(unsafe.Pointer(&c.identity))
	c.note("scatter, packed strips")
	room, packed := c.packed()
	defer rooms.Put(room)
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for j := 0; j < line.n; j += c.strip {
			cols := min(line.n-j, c.strip)
			own, cells, from := packStrip[T](c, &packed, at, line, j, cols)
			lanes.Copy(cells, from, c.size, cols)
			at := line.after(at, j)
			table := lanes.Plane[T]{Data: cells.Data, Col: 1}
			if c.fills() && !moveTables(c, table, cols, lanes.Plane[T]{Data: identity[:]}, &at, row, line, cols) ||
				!reduceTables(c, table, cols, &at, row, line, cols) {
				return false
			}
			lanes.Copy(own, cells, c.size, cols)
		}
		return true
	})
}

func reduceTables[T lanes.Number](c *call, cells lanes.Plane[T], step int, at *[3]int, row, line *dim, cols int) bool {
	updates := plane[T](&c.src, srcOp, at, row, line)
	if c.idx.kind == kindInt32 {
		return lanes.ScatterReduceIndexed(c.op(), cells, c.size, step, plane[int32](&c.idx.memory, idxOp, at, row, line), updates, row.n, cols) < 0
	}
	return lanes.ScatterReduceIndexed(c.op(), cells, c.size, step, plane[int64](&c.idx.memory, idxOp, at, row, line), updates, row.n, cols) < 0
}

// packStrip returns columns of dst from j on: where they are, where they are
// packed, and where their first values come from.
func packStrip[T lanes.Elem](c *call, packed *memory, at [3]int, line *dim, j, cols int) (own, cells, from lanes.Plane[T]) {
	own = lanes.Plane[T]{Data: slice[T](&c.dst), At: at[dstOp] + j*line.s[dstOp], Row: c.step, Col: 1}
	if from = own; c.data.n > 0 {
		from.Data = slice[T](&c.data)
	}
	return own, lanes.Plane[T]{Data: slice[T](packed), Row: cols, Col: 1}, from
}
