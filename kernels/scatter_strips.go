package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// packs returns how many columns of dst a scatter packs at a time, 0 for none.
func (c *call) packs() int {
	if !dispatch.ScatterPacks() || c.attrs.Reduction == Mean || c.idx.kind != kindInt32 && c.idx.kind != kindInt64 ||
		c.number != noNumber && (c.number < numInt8 || c.number > numFloat64) {
		return 0
	}
	return c.stripOf(dstOp)
}

// strips runs the updates of a part on packed strips, one after the other.
func (c *call) strips(n *nest) bool {
	switch c.number {
	case noNumber:
		switch c.elem.width {
		case 1:
			return moveStrips[uint8](c, n)
		case 2:
			return moveStrips[uint16](c, n)
		case 4:
			return moveStrips[uint32](c, n)
		case 8:
			return moveStrips[uint64](c, n)
		default:
			return moveStrips[lanes.X128](c, n)
		}
	case numInt8:
		return reduceStrips[int8](c, n)
	case numInt16:
		return reduceStrips[int16](c, n)
	case numInt32:
		return reduceStrips[int32](c, n)
	case numInt64:
		return reduceStrips[int64](c, n)
	case numUint8:
		return reduceStrips[uint8](c, n)
	case numUint16:
		return reduceStrips[uint16](c, n)
	case numUint32:
		return reduceStrips[uint32](c, n)
	case numUint64:
		return reduceStrips[uint64](c, n)
	case numFloat32:
		return reduceStrips[float32](c, n)
	default:
		return reduceStrips[float64](c, n)
	}
}

// moveStrips packs strip after strip of dst, updates it, and puts it back.
//
//	for each strip
//		for k := range size { room[k] = the strip of dst's row k }
//		for i := range rows { room[indices(i, j)][j] = updates(i, j), for j in the strip }
//		for k := range size { the strip of dst's row k = room[k] }
func moveStrips[T lanes.Elem](c *call, n *nest) bool {
	k := len(n.dims) - 3
	row, line := &n.dims[k], &n.dims[k+1]
	room, packed := c.packed()
	defer rooms.Put(room)
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for j := 0; j < line.n; j += c.strip {
			cols := min(line.n-j, c.strip)
			own, cells, from := packStrip[T](c, &packed, at, line, j, cols)
			lanes.Copy(cells, from, c.size, cols)
			at := line.after(at, j)
			updates := plane[T](&c.src, srcOp, &at, row, line)
			bad := 0
			if c.idx.kind == kindInt32 {
				bad = lanes.ScatterIndexed(cells, c.size, plane[int32](&c.idx.memory, idxOp, &at, row, line), updates, row.n, cols)
			} else {
				bad = lanes.ScatterIndexed(cells, c.size, plane[int64](&c.idx.memory, idxOp, &at, row, line), updates, row.n, cols)
			}
			if bad >= 0 {
				return false
			}
			lanes.Copy(own, cells, c.size, cols)
		}
		return true
	})
}

// reduceStrips is moveStrips with updates combined.
func reduceStrips[T lanes.Number](c *call, n *nest) bool {
	k := len(n.dims) - 3
	row, line := &n.dims[k], &n.dims[k+1]
	room, packed := c.packed()
	defer rooms.Put(room)
	return each(n.dims[:k], n.at, func(at [3]int) bool {
		for j := 0; j < line.n; j += c.strip {
			cols := min(line.n-j, c.strip)
			own, cells, from := packStrip[T](c, &packed, at, line, j, cols)
			lanes.Copy(cells, from, c.size, cols)
			at := line.after(at, j)
			updates := plane[T](&c.src, srcOp, &at, row, line)
			ok := false
			if c.idx.kind == kindInt32 {
				ok = reduceStrip(c, cells, plane[int32](&c.idx.memory, idxOp, &at, row, line), updates, row.n, cols)
			} else {
				ok = reduceStrip(c, cells, plane[int64](&c.idx.memory, idxOp, &at, row, line), updates, row.n, cols)
			}
			if !ok {
				return false
			}
			lanes.Copy(own, cells, c.size, cols)
		}
		return true
	})
}

func reduceStrip[T lanes.Number, I lanes.Index](c *call, cells lanes.Plane[T], indices lanes.Plane[I], updates lanes.Plane[T], rows, cols int) bool {
	if c.attrs.IgnoreInit {
		identity := (*[1]T)(unsafe.Pointer(&c.identity))
		if lanes.ScatterIndexed(cells, c.size, indices, lanes.Plane[T]{Data: identity[:]}, rows, cols) >= 0 {
			return false
		}
	}
	return lanes.ScatterReduceIndexed(c.op(), cells, c.size, indices, updates, rows, cols) < 0
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
