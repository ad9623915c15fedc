package kernels

import "slices"

const gatherNDOp = "GatherND"

// GatherND takes a slice of data for each tuple of indices. With b =
// batchDims and k = indices.Shape[len-1], a tuple names an element of each of
// the k axes that follow the b batch axes:
//
//	dst[B…, N…, S…] = data[B…, indices[B…, N…, 0], …, indices[B…, N…, k-1], S…]
//
// data has rank r ≥ 1 and indices rank q ≥ 1; 0 ≤ b < min(q, r); their first b
// dimensions are equal; 1 ≤ k ≤ r-b. dst has the shape indices.Shape[:q-1] ++
// data.Shape[b+k:]. A component is in [-d, d-1] for its axis of size d; a negative
// one counts from the end. [Indices] sets another meaning.
//
// dst may have any strides under which no two coordinates share an element, and shares no memory
// with data or indices. Failures before anything is written are a ShapeError, an AttributeError
// (batch_dims) and an OverlapError. An index out of range is an IndexError; dst may have been
// partly written by then. When dst is empty, no index is read.
//
// Sources: ONNX GatherND-11 (b = 0), -12 and -13, OpenVINO GatherND-8.
// (GatherND-5 merges the batch axes of the output; this does not.)
func GatherND[T any, I Index](dst, data Tensor[T], indices Tensor[I], batchDims int, opts ...Option) error {
	s := begin(gatherNDOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: kindOf[I]()}
	var e elem
	elemOf[T](&e)
	return s.done(gatherND(&s, &e, &d, &f, &x, batchDims))
}

// GatherNDShape returns the shape of GatherND's output, or the error that the
// call would return for these shapes.
func GatherNDShape(data, indices []int, batchDims int) ([]int, error) {
	const op = gatherNDOp
	if err := checkShapes(op, data, indices); err != nil {
		return nil, err
	}
	shape, err := gatherNDShape(nil, data, indices, batchDims)
	if err == nil {
		err = checkShape(op, dstRole, shape)
	}
	if err != nil {
		return nil, err
	}
	return shape, nil
}

// gatherNDShape appends the output's shape to buf, for shapes that are valid by themselves.
func gatherNDShape(buf, data, indices []int, batchDims int) ([]int, error) {
	const op = gatherNDOp
	r, q, b := len(data), len(indices), batchDims
	if r == 0 {
		return nil, shapeError(op, dataRole, data, "needs at least one axis")
	}
	if q == 0 {
		return nil, shapeError(op, indicesRole, indices, "needs at least one axis")
	}
	if b < 0 || b >= min(q, r) {
		return nil, &AttributeError{Op: op, Attribute: "batch_dims", Value: itoa(b), Reason: outside(0, min(q, r)-1)}
	}
	if !slices.Equal(data[:b], indices[:b]) {
		return nil, shapeError(op, indicesRole, indices, "its first "+itoa(b)+" dimensions have to be data's, "+ints(data[:b]))
	}
	k := indices[q-1]
	if k < 1 || k > r-b {
		return nil, shapeError(op, indicesRole, indices, "its last dimension, the length of a tuple, is "+outside(1, r-b))
	}
	return append(append(buf, indices[:q-1]...), data[b+k:]...), nil
}

func gatherND(s *settings, e *elem, dst, data, indices *view, b int) error {
	const op = gatherNDOp
	if err := data.check(op); err != nil {
		return err
	}
	if err := indices.check(op); err != nil {
		return err
	}
	var buf [maxLoops]int
	shape, err := gatherNDShape(buf[:0], data.shape, indices.shape, b)
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
	q := len(indices.shape)
	k := indices.shape[q-1]
	if data.count == 0 || e.size == 0 { // no tuple is good, or there is nothing to move
		if !checkTuples(s, indices, q-1, data.shape[b:b+k]) {
			return firstBad(op, s.policy, indices, b, data.shape[b:b+k])
		}
		return clearView(e, dst)
	}

	if buffer := data.dense(s, e, dst.count, b+k, k); buffer != nil {
		defer buffers.Put(buffer)
	}
	var by axes
	by.index(data, indices, e.units, b, k)
	var array [maxLoops]loop
	loops := addAxes(array[:0], shape)
	dst.steps(loops, dstOp, 0, e.units)
	data.steps(loops[:b], srcOp, 0, e.units) // the tuple moves data along the next axes
	data.steps(loops[q-1:], srcOp, b+k, e.units)
	indices.steps(loops[:q-1], idxOp, 0, 1)
	small := s.small(e, dst.count) && s.clean(indices, q-1, data.shape[b:b+k])
	if !gatherNamed(s, e, dst, data, indices, &by, e.addUnits(loops), small) {
		return firstBad(op, s.policy, indices, b, data.shape[b:b+k])
	}
	return nil
}
