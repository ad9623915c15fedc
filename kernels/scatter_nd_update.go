package kernels

import "slices"

const scatterNDOp = "ScatterNDUpdate"

// ScatterNDUpdate makes dst a copy of data, with a slice of updates combined
// into the part that each tuple of indices names. With k = indices.Shape[len-1], a
// tuple names an element of each of the first k axes:
//
//	cell := &dst[indices[N…, 0], …, indices[N…, k-1], S…]
//	*cell = reduction(*cell, updates[N…, S…])
//
// in row-major order of tuples. The result is one exact bit pattern for any
// number of workers and any instruction set.
//
// data has rank r ≥ 1 and indices rank q ≥ 1; 1 ≤ k ≤ r; updates has the shape indices.Shape[:q-1]
// ++ data.Shape[k:], or any of one element where that is a scalar's; dst has that of data. A
// component is in [-d, d-1] for its axis of size d; a negative one counts from the end. [Indices]
// sets another meaning.
//
// The reductions are None, Sum, Sub, Prod, Min and Max; there is no Mean.
// IgnoreInit works as in ScatterElementsUpdate, though no document has it here.
//
// It works in place when equal coordinates of dst and data are the same memory. Otherwise dst
// shares no memory with an input; it may have any strides under which no two coordinates share an
// element. Failures before anything is written are a ShapeError, an AttributeError (reduction), a
// TypeError (no such reduction of T) and an OverlapError. An index out of range is an IndexError:
// in place, nothing has been written then; another dst may have been partly written.
//
// Sources: ONNX ScatterND-11, -13, -16 and -18, OpenVINO ScatterNDUpdate-3 and -15. They
// leave the order of updates open that meet in a cell; that of NumPy's loop in
// OpenVINO's document, and in ONNX's, is the one here.
func ScatterNDUpdate[T any, I Index](dst, data Tensor[T], indices Tensor[I], updates Tensor[T], attrs ScatterAttrs, opts ...Option) error {
	s := begin(scatterNDOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: kindOf[I]()}
	u := view{tensor: tensorOf(&updates), role: updatesRole, size: elementSize(&updates)}
	e, err := reducedAs[T](scatterNDOp, attrs.Reduction)
	if err == nil {
		err = scatterNDUpdate(&s, &e, &d, &f, &x, &u, attrs)
	}
	return s.done(err)
}

// ScatterNDUpdateShape returns the shape of ScatterNDUpdate's output, which is
// data's, or the error that the call would return for these shapes.
func ScatterNDUpdateShape(data, indices, updates []int) ([]int, error) {
	const op = scatterNDOp
	if err := checkShapes(op, data, indices); err != nil {
		return nil, err
	}
	if _, err := checkScatterND(data, indices, updates); err != nil {
		return nil, err
	}
	if err := checkShape(op, updatesRole, updates); err != nil {
		return nil, err
	}
	return slices.Clone(data), nil
}

// checkScatterND returns the length of a tuple, for data and indices that are valid by themselves.
func checkScatterND(data, indices, updates []int) (k int, err error) {
	const op = scatterNDOp
	r, q := len(data), len(indices)
	if r == 0 {
		return 0, shapeError(op, dataRole, data, "needs at least one axis")
	}
	if q == 0 {
		return 0, shapeError(op, indicesRole, indices, "needs at least one axis")
	}
	if k = indices[q-1]; k < 1 || k > r {
		return 0, shapeError(op, indicesRole, indices, "its last dimension, the length of a tuple, is "+outside(1, r))
	}
	tuples, part := indices[:q-1], data[k:]
	fits := len(updates) == len(tuples)+len(part) && slices.Equal(updates[:q-1], tuples) && slices.Equal(updates[q-1:], part)
	if len(tuples)+len(part) == 0 {
		n, reason := elements(updates)
		fits = n == 1 && reason == ""
	}
	if !fits {
		return 0, shapeError(op, updatesRole, updates, "want shape "+ints(slices.Concat(tuples, part)))
	}
	return k, nil
}

func scatterNDUpdate(s *settings, e *elem, dst, data, indices, updates *view, attrs ScatterAttrs) error {
	const op = scatterNDOp
	if r := attrs.Reduction; r == Mean || r > Sub {
		return &AttributeError{Op: op, Attribute: "reduction", Value: r.String(), Reason: "there is no such reduction"}
	}
	inPlace, err := checkScattered(op, dst, data, indices, updates)
	if err != nil {
		return err
	}
	k, err := checkScatterND(data.shape, indices.shape, updates.shape)
	if err != nil {
		return err
	}

	if err := s.policy.check(op); err != nil {
		return err
	}

	if updates.count > 0 && e.size > 0 && (dst.rowsAside(e, k, updates.count) || inPlace && s.policy.fails() && dst.lighter(e, indices)) {
		t := *dst.tensor
		rows := dst.by(&t)
		buffer := rows.rowMajor(e)
		defer buffers.Put(buffer)
		if err := scatterNDUpdate(s, e, &rows, data, indices, updates, attrs); err != nil {
			return err
		}
		copyView(s, e, dst, &rows, false)
		return nil
	}

	last := len(indices.shape) - 1
	small := s.small(e, updates.count) && s.clean(indices, last, data.shape[:k])
	collects := small && attrs.Reduction != None                 // its cells, before one is updated
	idle := indices.count == 0 || data.count == 0 || e.size == 0 // no tuple is good, or there is nothing to move
	if (idle || inPlace && !collects) && !checkTuples(s, indices, last, data.shape[:k]) {
		return firstBad(op, s.policy, indices, 0, data.shape[:k])
	}
	if !inPlace {
		copyView(s, e, dst, data, true)
	}
	if idle {
		return nil
	}

	var by axes
	by.index(dst, indices, e.units, 0, k)
	var array [maxLoops]loop
	loops := addAxes(addAxes(array[:0], indices.shape[:last]), data.shape[k:])
	dst.steps(loops[last:], dstOp, k, e.units) // the tuple moves dst along the axes before
	updates.steps(loops, srcOp, 0, e.units)
	indices.steps(loops[:last], idxOp, 0, 1)
	loops = e.addUnits(loops)
	if small {
		if !attrs.scatterSmall(e, dst, updates, indices, &by, loops) {
			return firstBad(op, s.policy, indices, 0, data.shape[:k])
		}
		return nil
	}

	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.elem, c.attrs = scatterWork, *s, *e, attrs
	c.axes.assign(&by)
	c.operands(dst, updates, indices)
	c.small = isSmall(e, updates.count)
	c.set(arrangeTuples(collapse(loops)))
	if !e.reduces() {
		c.widen()
	}
	c.identity = attrs.identity(e.kind)
	if inPlace && s.policy.fails() {
		c.policy = IndexPolicy{} // the indices were checked: they mean the same by default
	}
	if !c.runScatter() {
		return firstBad(op, s.policy, indices, 0, data.shape[:k])
	}
	return nil
}
