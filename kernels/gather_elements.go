package kernels

import (
	"slices"

	"github.com/lanes-go/lanes/dispatch"
)

const gatherElementsOp = "GatherElements"

// GatherElements takes one element of data for each of indices, which names
// it along axis:
//
//	dst[…, i, …] = data[…, indices[…, i, …], …]    (the index stands on axis)
//
// data and indices have the same rank r ≥ 1, axis is in [-r, r-1], and on
// every other axis indices is no longer than data; dst has the shape of indices.
// An index is in [-d, d-1] for an axis of size d; a negative one counts from the end.
// [Indices] sets another meaning.
//
// dst may have any strides under which no two coordinates share an element, and shares no memory
// with data or indices. Failures before anything is written are a ShapeError, an AttributeError
// (axis) and an OverlapError. An index out of range is an IndexError; dst may have been partly
// written by then. When dst is empty, no index is read.
//
// Sources: ONNX GatherElements-11 and -13, OpenVINO GatherElements-6. Negative
// indices are ONNX's (the text of OpenVINO-6 has none, OpenVINO takes them since 2025),
// shorter indices ONNX Runtime's and PyTorch's.
func GatherElements[T any, I Index](dst, data Tensor[T], indices Tensor[I], axis int, opts ...Option) error {
	s := begin(gatherElementsOp, opts)
	var d, f, x view
	describe(&d, dstRole, &dst)
	describe(&f, dataRole, &data)
	describeIndices(&x, indicesRole, &indices)
	var e elem
	elemOf[T](&e)
	return s.done(gatherElements(s, &e, &d, &f, &x, axis))
}

// GatherElementsShape returns the shape of GatherElements' output, or the
// error that the call would return for these shapes.
func GatherElementsShape(data, indices []int, axis int) ([]int, error) {
	if _, err := checkGatherElements(data, indices, axis); err != nil {
		return nil, err
	}
	return slices.Clone(indices), nil
}

func checkGatherElements(data, indices []int, axis int) (int, error) {
	if err := checkShape(gatherElementsOp, dataRole, data); err != nil {
		return 0, err
	}
	if err := checkShape(gatherElementsOp, indicesRole, indices); err != nil {
		return 0, err
	}
	return checkElementwise(gatherElementsOp, data, indices, axis)
}

func gatherElements(s settings, e *elem, dst, data, indices *view, axis int) error {
	const op = gatherElementsOp
	if err := data.check(op); err != nil {
		return err
	}
	if err := indices.check(op); err != nil {
		return err
	}
	axis, err := checkElementwise(op, data.shape, indices.shape, axis)
	if err != nil {
		return err
	}
	if err := s.policy.check(op); err != nil {
		return err
	}
	if err := checkDst(op, dst, indices.shape, data, indices); err != nil {
		return err
	}
	if dst.count == 0 {
		return nil
	}
	if data.count == 0 || e.size == 0 { // no index is good, or there is nothing to move
		if !checkIndices(s, indices, data.shape[axis]) {
			return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
		}
		return clearView(e, dst)
	}

	var c call // set field by field: a literal is made apart, and copied
	c.work, c.settings, c.elem = gatherWork, s, *e
	c.operands(dst, data, indices)
	c.size, c.step = data.shape[axis], data.stride(axis)*e.units
	loops := c.array[:0]
	for d, n := range dst.shape {
		from := data.stride(d) * e.units
		if d == axis {
			from = 0 // the index moves data here
		}
		loops = add(loops, n, dst.stride(d)*e.units, from, indices.stride(d))
	}
	c.gatherLoops(loops, dst)
	if c.small = c.isSmall(dst.count); c.small {
		if !c.runGather() {
			return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
		}
		return nil
	}
	if dispatch.GatherCompacts() && c.constantRows() {
		if buffer := c.compact(); buffer != nil {
			defer buffers.Put(buffer)
		}
	}
	if c.strip = c.stripOf(srcOp); c.strip > 0 && c.constantRows() {
		c.strip = 0 // the rows of the table are read as they lie
	}
	if !c.runGather() {
		return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
	}
	return nil
}

// gatherLoops sets the loops of a gather, given over the coordinates of dst: it adds units, orders
// them by dst, merges and arranges them.
func (c *call) gatherLoops(loops []loop, dst *view) {
	loops = c.elem.addUnits(loops)
	if !dst.contiguous() && c.prefersSequential(loops) {
		loops = sequential(loops, &c.at)
	}
	c.set(arrange(collapse(loops), leastRun))
	c.widen()
	c.stream = c.streams(dst.count)
}

// prefersSequential reports whether dst should be written in ascending order: the loop along which
// it is dense reaches across less memory than the innermost one, of all operands together.
// Otherwise elements go in the order of the indices, in which a table is used up before the next
// one. (Zen 4, float32 [3118, 7, 40] along axis 1, the first two axes of dst exchanged: 7.7 ns an
// element in the order of dst, 1.8 in that of the indices.)
func (c *call) prefersSequential(loops []loop) bool {
	var inner, dense *loop
	for i := range loops {
		if l := &loops[i]; l.n > 1 {
			inner = l
			if s := l.s[dstOp]; dense == nil || max(s, -s) < max(dense.s[dstOp], -dense.s[dstOp]) {
				dense = l
			}
		}
	}
	return inner != dense && c.reach(dense) <= c.reach(inner)
}

// reach returns the bytes that a loop's operands reach across, in pages where steps are longer.
func (c *call) reach(l *loop) int {
	const page = 4096
	bytes, width := 0, c.elem.kind.Width()
	for op, s := range l.s {
		if op == idxOp {
			width = c.idx.Kind.Width()
		}
		bytes += l.n * min(max(s, -s)*width, page)
	}
	return bytes
}
