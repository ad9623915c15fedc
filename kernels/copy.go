package kernels

import "github.com/lanes-go/lanes"

// copyView copies data to dst, whose shapes are equal, by the shortest nest
// that walks through both. updated says that dst is updated next.
func copyView(s settings, e *elem, dst, data *view, updated bool, move func(dst, src, n int)) {
	if dst.count == 0 || e.size == 0 {
		return
	}
	var buf [maxDims]dim
	c := call{body: copyBody, elem: *e, settings: s, updated: updated, move: move}
	c.dst, c.at[dstOp] = e.operand(dst)
	c.src, c.at[srcOp] = e.operand(data)
	c.dims = buf[:0]
	for d, n := range dst.shape {
		c.dims = append(c.dims, dim{n, [3]int{dst.stride(d) * e.units, data.stride(d) * e.units}})
	}
	c.dims = e.addUnits(c.dims)
	if !dst.contiguous() {
		sequential(c.dims, &c.at)
	}
	c.dims = pad(collapse(c.dims), 2)
	c.run()
}

// addUnits appends the loop of an element's units.
func (e *elem) addUnits(dims []dim) []dim {
	if e.units > 1 {
		dims = append(dims, dim{e.units, [3]int{1, 1, 0}})
	}
	return dims
}

func (c *call) copy(n *nest) bool {
	switch {
	case c.elem.refs:
		c.note("copy, pointers")
		k := len(n.dims) - 1
		line := n.dims[k]
		each(n.dims[:k], n.at, func(at [3]int) bool {
			c.moveRun(at[dstOp], at[srcOp], &line)
			return true
		})
	case c.elem.width == 1:
		copyPlanes[uint8](c, n)
	case c.elem.width == 2:
		copyPlanes[uint16](c, n)
	case c.elem.width == 4:
		copyPlanes[uint32](c, n)
	case c.elem.width == 8:
		copyPlanes[uint64](c, n)
	case c.elem.width == 16:
		copyPlanes[lanes.X128](c, n)
	}
	return true
}

// copyPlanes copies the last two loops at a time.
func copyPlanes[T lanes.Elem](c *call, n *nest) {
	c.note("copy")
	k := len(n.dims) - 2
	row, col := n.dims[k], n.dims[k+1]
	each(n.dims[:k], n.at, func(at [3]int) bool {
		lanes.Copy(plane[T](&c.dst, dstOp, &at, &row, &col), plane[T](&c.src, srcOp, &at, &row, &col), row.n, col.n)
		return true
	})
}

// pieceRefs bounds how many elements with pointers one move copies, and their bytes,
// because a copy can't be pre-empted.
const pieceRefs, pieceRefBytes = 8 << 10, 256 << 10

// moveRun moves elements with pointers along one loop.
func (c *call) moveRun(d, s int, run *dim) {
	if run.s[dstOp] == 1 && run.s[srcOp] == 1 {
		most := max(1, min(pieceRefs, pieceRefBytes/c.elem.size))
		for left := run.n; left > 0; {
			n := min(left, most)
			c.move(d, s, n)
			d, s, left = d+n, s+n, left-n
		}
		return
	}
	for range run.n {
		c.move(d, s, 1)
		d, s = d+run.s[dstOp], s+run.s[srcOp]
	}
}
