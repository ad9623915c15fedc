package kernels

import "slices"

const gatherOp = "Gather"

// Gather takes a slice of data for each of indices, which names its place on
// axis. With b = batchDims, both counted from 0:
//
//	dst[B…, P…, I…, S…] = data[B…, P…, indices[B…, I…], S…]
//
// where B are the b batch axes, P the other axes of data before axis, I the
// other axes of indices and S the axes of data behind axis.
//
// data has rank r ≥ 1 and indices rank q ≥ 0; axis is in [-r, r-1] and counts from the end when
// negative; batchDims is in [-min(q, r), min(q, r)], with q added when negative, and no larger than
// axis; the first b dimensions of data and indices are equal. dst has the shape data.Shape[:axis]
// ++ indices.Shape[b:] ++ data.Shape[axis+1:], so that a scalar of indices makes the axis go. An
// index is in [-d, d-1] for an axis of size d; a negative one counts from the end. [Indices] sets
// another meaning.
//
// dst may have any strides under which no two coordinates share an element, and shares no memory
// with data or indices. Failures before anything is written are a ShapeError, an AttributeError
// (axis, batch_dims) and an OverlapError. An index out of range is an IndexError; dst may have been
// partly written by then. When dst is empty, no index is read.
//
// Sources: ONNX Gather-1, -11 and -13 (b = 0; negative indices are those of -11), OpenVINO
// Gather-8, which writes zeros for an index out of range, where ONNX has an error: here that is
// Indices(IndexPolicy{OutOfRange: Skip}).
func Gather[T any, I Index](dst, data Tensor[T], indices Tensor[I], axis, batchDims int, opts ...Option) error {
	s := begin(gatherOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: kindOf[I]()}
	var e elem
	elemOf[T](&e)
	return s.done(gather(&s, &e, &d, &f, &x, axis, batchDims))
}

// GatherShape returns the shape of Gather's output, or the error that the call
// would return for these shapes.
func GatherShape(data, indices []int, axis, batchDims int) ([]int, error) {
	const op = gatherOp
	if err := checkShapes(op, data, indices); err != nil {
		return nil, err
	}
	shape, _, _, err := gatherShape(nil, data, indices, axis, batchDims)
	if err == nil {
		err = checkShape(op, dstRole, shape)
	}
	if err != nil {
		return nil, err
	}
	return shape, nil
}

// gatherShape appends the output's shape to buf, for shapes that are valid by themselves, and
// returns the axis and the batch dims counted from 0.
func gatherShape(buf, data, indices []int, axis, batchDims int) (shape []int, a, b int, err error) {
	const op = gatherOp
	r, q := len(data), len(indices)
	if r == 0 {
		return nil, 0, 0, shapeError(op, dataRole, data, "needs at least one axis")
	}
	if a, err = checkAxis(op, axis, r); err != nil {
		return nil, 0, 0, err
	}
	bad := func(reason string) error {
		return &AttributeError{Op: op, Attribute: "batch_dims", Value: itoa(batchDims), Reason: reason}
	}
	most := min(q, r)
	if batchDims < -most || batchDims > most {
		return nil, 0, 0, bad(outside(-most, most))
	}
	if b = batchDims; b < 0 {
		b += q
	}
	if b > a {
		return nil, 0, 0, bad("more than the " + itoa(a) + " axes before the indexed one")
	}
	if !slices.Equal(data[:b], indices[:b]) {
		return nil, 0, 0, shapeError(op, indicesRole, indices, "its first "+itoa(b)+" dimensions have to be data's, "+ints(data[:b]))
	}
	return append(append(append(buf, data[:a]...), indices[b:]...), data[a+1:]...), a, b, nil
}

func gather(s *settings, e *elem, dst, data, indices *view, axis, batchDims int) error {
	const op = gatherOp
	if err := data.check(op); err != nil {
		return err
	}
	if err := indices.check(op); err != nil {
		return err
	}
	var buf [maxLoops]int
	shape, axis, b, err := gatherShape(buf[:0], data.shape, indices.shape, axis, batchDims)
	if err != nil {
		return err
	}
	if err := checkDst(op, dst, shape, data, indices); err != nil {
		return err
	}
	if err := s.policy.check(op); err != nil {
		return err
	}
	if dst.count == 0 {
		return nil
	}
	size := data.shape[axis]
	last := axis + len(indices.shape) - b // of dst's axes, the first that is data's behind axis
	bad := func() error { return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1]) }
	if data.count == 0 || e.size == 0 { // no index is good, or there is nothing to move
		if !checkIndices(s, indices, size) {
			return bad()
		}
		return clearView(e, dst)
	}
	if indices.count == 1 { // which names one part of data: a copy
		k, named, ok := s.policy.place(indexAt(indices.all(), indices.offset), size)
		if !ok {
			return bad()
		}
		if !named {
			return clearView(e, dst)
		}
		var strides [maxLoops]int
		t := *data.tensor
		t.shape, t.strides, t.offset = shape, strides[:0], data.offset+k*data.stride(axis)
		for d := range shape {
			stride := 0 // of an axis of indices
			if d < axis {
				stride = data.stride(d)
			} else if d >= last {
				stride = data.stride(d - last + axis + 1)
			}
			t.strides = append(t.strides, stride)
		}
		part := data.by(&t)
		if err := part.check(op); err != nil {
			return err
		}
		copyParts(s, e, dst, dst, data, &part, false)
		return nil
	}

	if buffer := data.dense(s, e, dst.count, axis+1, 1); buffer != nil {
		defer buffers.Put(buffer)
	}
	by := axes{size: size, step: data.stride(axis) * e.units}
	var array [maxLoops]loop
	loops := addAxes(array[:0], shape)
	dst.steps(loops, dstOp, 0, e.units)
	data.steps(loops[:axis], srcOp, 0, e.units)
	data.steps(loops[last:], srcOp, axis+1, e.units)
	indices.steps(loops[:b], idxOp, 0, 1)
	indices.steps(loops[axis:last], idxOp, b, 1)
	small := s.small(e, dst.count) && s.clean(indices, 0, data.shape[axis:axis+1])
	if !gatherNamed(s, e, dst, data, indices, &by, e.addUnits(loops), small) {
		return bad()
	}
	return nil
}

// gatherNamed gathers what the indices of Gather, or the tuples of GatherND and of GeneralGather,
// name, on checked views and with loops over the coordinates of dst. It reports whether every index
// was in range.
func gatherNamed(s *settings, e *elem, dst, data, indices *view, by *axes, loops []loop, small bool) bool {
	if small {
		return moveSmall(e, dst, data, indices, by, loops, srcOp)
	}
	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.elem = gatherWork, *s, *e
	c.axes.assign(by)
	c.operands(dst, data, indices)
	c.gatherLoops(loops, dst)
	c.small = isSmall(e, dst.count)
	return c.runGather()
}
