package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// slabs returns data for the call to copy to dst itself, a slab of the
// outermost loop at a time, so that the slab is in the cache when it is updated. It
// returns nothing if the loop's steps are not equal parts of all that dst and data hold.
func (c *call) slabs(dst, data *view) memory {
	outer := &c.dims[0]
	m, at := c.elem.operand(data)
	if c.elem.refs || !dst.contiguous() || !data.contiguous() || at != 0 || c.at[dstOp] != 0 ||
		outer.s[dstOp] <= 0 || outer.s[dstOp]*outer.n != c.dst.n {
		return memory{}
	}
	return m
}

// scatter runs a part of a scatter, which owns every cell that it updates.
func (c *call) scatter(n *nest) bool {
	if c.data.n == 0 {
		return c.updates(n)
	}
	slab := n.dims[0]
	var buf [maxDims]dim
	dims := append(buf[:0], n.dims...) // mean changes the nest's own
	step := max(1, dispatch.Default.SlabBytes/(slab.s[dstOp]*c.elem.width))
	ok := true
	for left := slab.n; ok && left > 0; left -= step { // the nest itself, cut to one slab after the other
		copy(n.dims, dims)
		n.dims[0].n = min(step, left)
		c.copySlab(n.at[dstOp], n.dims[0].n*slab.s[dstOp])
		ok = c.updates(n)
		for op, s := range slab.s {
			n.at[op] += step * s
		}
	}
	return ok
}

func (c *call) copySlab(at, n int) {
	switch c.elem.width {
	case 1:
		copyRun[uint8](c, at, n)
	case 2:
		copyRun[uint16](c, at, n)
	case 4:
		copyRun[uint32](c, at, n)
	case 8:
		copyRun[uint64](c, at, n)
	case 16:
		copyRun[lanes.X128](c, at, n)
	}
}

func copyRun[T lanes.Elem](c *call, at, n int) {
	lanes.Copy(lanes.Plane[T]{Data: slice[T](&c.dst), At: at, Col: 1}, lanes.Plane[T]{Data: slice[T](&c.data), At: at, Col: 1}, 1, n)
}

// updates runs the updates of a part.
func (c *call) updates(n *nest) bool {
	switch {
	case c.attrs.Reduction == Mean:
		return c.mean(n)
	case c.strip > 0:
		return c.strips(n)
	}
	if c.attrs.IgnoreInit && c.attrs.Reduction != None {
		if !c.blocks(n, dstOp, func(at [3]int, offsets []int, _, run dim) { c.fill(at[dstOp], offsets, &run) }) {
			return false
		}
	}
	return c.blocks(n, dstOp, func(at [3]int, offsets []int, line, run dim) { c.update(&at, offsets, &line, &run) })
}

// fill sets a run of cells at each offset to the reduction's identity.
func (c *call) fill(at int, offsets []int, run *dim) {
	switch c.elem.width {
	case 1:
		fillCells[uint8](c, at, offsets, run)
	case 2:
		fillCells[uint16](c, at, offsets, run)
	case 4:
		fillCells[uint32](c, at, offsets, run)
	case 8:
		fillCells[uint64](c, at, offsets, run)
	case 16:
		fillCells[lanes.X128](c, at, offsets, run)
	}
}

func fillCells[T lanes.Elem](c *call, at int, offsets []int, run *dim) {
	identity := (*[1]T)(unsafe.Pointer(&c.identity))
	lanes.Scatter(slice[T](&c.dst), at, run.s[dstOp], offsets, lanes.Plane[T]{Data: identity[:]}, run.n)
}

// op is the reduction as primitives name it.
func (c *call) op() lanes.Op {
	return [...]lanes.Op{Sum: lanes.Sum, Prod: lanes.Prod, Min: lanes.Min, Max: lanes.Max, Mean: lanes.Sum}[c.attrs.Reduction]
}

// update combines a run of updates into the cells at each offset.
func (c *call) update(at *[3]int, offsets []int, line, run *dim) {
	op := c.op()
	switch c.number {
	case noNumber:
		c.replace(at, offsets, line, run)
	case numInt8:
		updateCells[int8](c, op, at, offsets, line, run)
	case numInt16:
		updateCells[int16](c, op, at, offsets, line, run)
	case numInt32:
		updateCells[int32](c, op, at, offsets, line, run)
	case numInt64:
		updateCells[int64](c, op, at, offsets, line, run)
	case numUint8:
		updateCells[uint8](c, op, at, offsets, line, run)
	case numUint16:
		updateCells[uint16](c, op, at, offsets, line, run)
	case numUint32:
		updateCells[uint32](c, op, at, offsets, line, run)
	case numUint64:
		updateCells[uint64](c, op, at, offsets, line, run)
	case numFloat32:
		updateCells[float32](c, op, at, offsets, line, run)
	case numFloat64:
		updateCells[float64](c, op, at, offsets, line, run)
	case numFloat16, numBFloat16:
		lanes.ScatterReduceHalf(op, c.number.half(), slice[uint16](&c.dst), at[dstOp], run.s[dstOp], offsets, plane[uint16](&c.src, srcOp, at, line, run), run.n)
	case numComplex64:
		lanes.ScatterReduceComplex(op, slice[complex64](&c.dst), at[dstOp], run.s[dstOp], offsets, plane[complex64](&c.src, srcOp, at, line, run), run.n)
	case numComplex128:
		lanes.ScatterReduceComplex(op, slice[complex128](&c.dst), at[dstOp], run.s[dstOp], offsets, plane[complex128](&c.src, srcOp, at, line, run), run.n)
	case numBool: // of the bytes 0 and 1, the larger is OR and the smaller AND
		op = [...]lanes.Op{Sum: lanes.Max, Prod: lanes.Min, Min: lanes.Min, Max: lanes.Max}[c.attrs.Reduction]
		updateCells[uint8](c, op, at, offsets, line, run)
	}
}

func updateCells[T lanes.Number](c *call, op lanes.Op, at *[3]int, offsets []int, line, run *dim) {
	lanes.ScatterReduce(op, slice[T](&c.dst), at[dstOp], run.s[dstOp], offsets, plane[T](&c.src, srcOp, at, line, run), run.n)
}

// replace lets the last update to a cell win.
func (c *call) replace(at *[3]int, offsets []int, line, run *dim) {
	switch {
	case c.elem.refs:
		s := at[srcOp]
		for _, o := range offsets {
			c.moveRun(at[dstOp]+o, s, run)
			s += line.s[srcOp]
		}
	case c.elem.width == 1:
		replaceCells[uint8](c, at, offsets, line, run)
	case c.elem.width == 2:
		replaceCells[uint16](c, at, offsets, line, run)
	case c.elem.width == 4:
		replaceCells[uint32](c, at, offsets, line, run)
	case c.elem.width == 8:
		replaceCells[uint64](c, at, offsets, line, run)
	case c.elem.width == 16:
		replaceCells[lanes.X128](c, at, offsets, line, run)
	}
}

func replaceCells[T lanes.Elem](c *call, at *[3]int, offsets []int, line, run *dim) {
	lanes.Scatter(slice[T](&c.dst), at[dstOp], run.s[dstOp], offsets, plane[T](&c.src, srcOp, at, line, run), run.n)
}
