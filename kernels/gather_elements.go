package kernels

import "slices"

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
// shorter indices those of ONNX Runtime 1.32 and PyTorch 2.15.
func GatherElements[T any, I Index](dst, data Tensor[T], indices Tensor[I], axis int, opts ...Option) error {
	s := begin(gatherElementsOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: kindOf[I]()}
	var e elem
	elemOf[T](&e)
	return s.done(gatherElements(&s, &e, &d, &f, &x, axis))
}

// GatherElementsShape returns the shape of GatherElements' output, or the
// error that the call would return for these shapes.
func GatherElementsShape(data, indices []int, axis int) ([]int, error) {
	if err := checkShapes(gatherElementsOp, data, indices); err != nil {
		return nil, err
	}
	if _, err := checkElementwise(gatherElementsOp, data, indices, axis); err != nil {
		return nil, err
	}
	return slices.Clone(indices), nil
}

func gatherElements(s *settings, e *elem, dst, data, indices *view, axis int) error {
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

	var array [maxLoops]loop
	loops := addAxes(array[:0], dst.shape)
	dst.steps(loops, dstOp, 0, e.units)
	data.steps(loops, srcOp, 0, e.units)
	indices.steps(loops, idxOp, 0, 1)
	by := axes{size: data.shape[axis], step: loops[axis].s[srcOp]}
	loops[axis].s[srcOp] = 0 // the index moves data here
	loops = e.addUnits(loops)
	if s.small(e, dst.count) && s.clean(indices, 0, data.shape[axis:axis+1]) {
		if !moveSmall(e, dst, data, indices, &by, loops, srcOp) {
			return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
		}
		return nil
	}

	rows := data.denseAlong(s, e, axis, indices)
	if rows != nil {
		defer buffers.Put(rows)
	}
	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.elem = gatherWork, *s, *e
	c.axes.assign(&by)
	c.operands(dst, data, indices)
	if rows != nil {
		c.step = rowsAlong(loops, axis, c.size)
	}
	c.gatherLoops(loops, dst)
	c.small = isSmall(e, dst.count)
	if !c.runElements() {
		return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
	}
	return nil
}

// runElements runs the gather. It is apart because of its defer: with many returns in one function,
// each call pays for defers that it does not reach.
func (c *call) runElements() bool {
	if c.small {
		return c.runGather()
	}
	if !c.tiles && c.compacts() && c.constantRows() {
		if buffer := c.compact(); buffer != nil {
			defer buffers.Put(buffer)
		}
	}
	c.strip = c.stripOf(srcOp)
	return c.runGather()
}

// rowsAlong sets the steps of src to those of a row-major table that the loops go through, which
// has size elements along an axis. It returns the step of that axis.
func rowsAlong(loops []loop, axis, size int) (step int) {
	units := 1 // the loop over those of an element is the innermost one
	for d := len(loops) - 1; d >= 0; d-- {
		l, n := &loops[d], loops[d].n
		if d == axis {
			step, n = units, size
		} else {
			l.s[srcOp] = units
		}
		units *= n
	}
	return step
}

// gatherLoops sets the loops of a gather, given over the coordinates of dst: it orders them by dst,
// merges and arranges them.
func (c *call) gatherLoops(loops []loop, dst *view) {
	if c.tiles = c.gathersTiles(loops, dst); c.tiles {
		c.set(pad(rowsAsInDst(collapse(loops), c.elem.kind.Width()), 3))
		c.stream = c.streams(dst.count)
		return
	}
	if !dst.contiguous() {
		loops = sequential(loops, &c.at)
	}
	c.set(arrange(collapse(loops), leastRun))
	if c.widen() && c.last(1).n == 1 { // a long loop of such units is a run, as one of elements is
		loops = c.loops()
		loops = loops[:len(loops)-1]
		if l := &loops[least(loops, dstOp)]; l.s[idxOp] == 0 && l.runs(leastRun) {
			c.set(arrange(sequential(loops, &c.at), leastRun))
		}
	}
	c.stream = c.streams(dst.count)
	var array [maxLoops]loop
	if columns := c.byColumns(array[:0], dst); columns != nil {
		c.tiles = true
		c.set(pad(columns, 3))
	}
}
