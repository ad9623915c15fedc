package kernels

import "slices"

const scatterOp = "ScatterElementsUpdate"

// ScatterAttrs are the attributes of ScatterElementsUpdate and ScatterNDUpdate.
// The zero value is the operators' default.
type ScatterAttrs struct {
	Reduction Reduction

	// IgnoreInit is use_init_val = false: a cell that is updated starts from the
	// reduction's identity (0, 1, the largest or the smallest value, for floats ±Inf) and not
	// from data. A cell that is not updated keeps its data. None ignores it.
	IgnoreInit bool
}

// ScatterElementsUpdate makes dst a copy of data, with updates combined into
// the cells that indices name along axis:
//
//	cell := &dst[…, indices[…, i, …], …]    (the index stands on axis)
//	*cell = reduction(*cell, updates[…, i, …])
//
// in row-major order of indices. The result is one exact bit pattern for any
// number of workers and any instruction set.
//
// data and indices have the same rank r ≥ 1, axis is in [-r, r-1], and on
// every other axis indices is no longer than data; updates has the shape of
// indices, dst that of data. An index is in [-d, d-1] for an axis of size d; a negative
// one counts from the end. [Indices] sets another meaning.
//
// It works in place when equal coordinates of dst and data are the same memory. Otherwise dst
// shares no memory with an input; it may have any strides under which no two coordinates share an
// element. Failures before anything is written are a ShapeError, an AttributeError (axis,
// reduction), a TypeError (no such reduction of T) and an OverlapError. An index out of range is an
// IndexError: in place, nothing has been written then; another dst may have been partly written.
//
// Sources: OpenVINO ScatterElementsUpdate-12; with Mean aside, ONNX ScatterElements-18.
func ScatterElementsUpdate[T any, I Index](dst, data Tensor[T], indices Tensor[I], updates Tensor[T], axis int, attrs ScatterAttrs, opts ...Option) error {
	s := begin(scatterOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: kindOf[I]()}
	u := view{tensor: tensorOf(&updates), role: updatesRole, size: elementSize(&updates)}
	e, err := reducedAs[T](scatterOp, attrs.Reduction)
	if err == nil {
		err = scatterElementsUpdate(&s, &e, &d, &f, &x, &u, axis, attrs)
	}
	return s.done(err)
}

// ScatterElementsUpdateShape returns the shape of ScatterElementsUpdate's
// output, which is data's, or the error that the call would return for these shapes.
func ScatterElementsUpdateShape(data, indices, updates []int, axis int) ([]int, error) {
	if err := checkShapes(scatterOp, data, indices); err != nil {
		return nil, err
	}
	if _, err := checkScatter(data, indices, updates, axis); err != nil {
		return nil, err
	}
	return slices.Clone(data), nil
}

// checkScatter checks shapes that are valid by themselves, and returns the axis counted from 0.
func checkScatter(data, indices, updates []int, axis int) (int, error) {
	if !slices.Equal(updates, indices) {
		return 0, shapeError(scatterOp, updatesRole, updates, "want indices' shape "+ints(indices))
	}
	return checkElementwise(scatterOp, data, indices, axis)
}

// checkScattered checks the operands of a scatter whose shapes match, and reports whether it is in
// place. dst shares no memory with the others.
func checkScattered(op string, dst, data *view, others ...*view) (inPlace bool, err error) {
	if err := data.check(op); err != nil {
		return false, err
	}
	for _, v := range others {
		if err := v.check(op); err != nil {
			return false, err
		}
	}
	if err := checkDst(op, dst, data.shape, others...); err != nil {
		return false, err
	}
	to := dst.extent()
	inPlace = to.meets(data.extent())
	if inPlace && !dst.same(data) {
		return false, &OverlapError{Op: op, Tensor: data.role.String()}
	}
	return inPlace, to.hasLists(op, data)
}

func scatterElementsUpdate(s *settings, e *elem, dst, data, indices, updates *view, axis int, attrs ScatterAttrs) error {
	const op = scatterOp
	switch r := attrs.Reduction; {
	case r == Sub:
		return &AttributeError{Op: op, Attribute: "reduction", Value: r.String(), Reason: "only ScatterNDUpdate and GeneralScatter support it"}
	case r > Sub:
		return &AttributeError{Op: op, Attribute: "reduction", Value: r.String(), Reason: "there is no such reduction"}
	}
	inPlace, err := checkScattered(op, dst, data, indices, updates)
	if err != nil {
		return err
	}
	if err := s.policy.check(op); err != nil {
		return err
	}
	if axis, err = checkScatter(data.shape, indices.shape, updates.shape, axis); err != nil {
		return err
	}

	size := data.shape[axis]
	if indices.count == 0 || data.count == 0 || e.size == 0 { // no index is good, or there is nothing to move
		if !checkIndices(s, indices, size) {
			return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
		}
		if !inPlace {
			copyView(s, e, dst, data, true)
		}
		return nil
	}

	var array [maxLoops]loop
	loops := addAxes(array[:0], indices.shape)
	dst.steps(loops, dstOp, 0, e.units)
	updates.steps(loops, srcOp, 0, e.units)
	indices.steps(loops, idxOp, 0, 1)
	by := axes{size: size, step: loops[axis].s[dstOp]}
	loops[axis].s[dstOp] = 0 // the index moves dst here
	loops = e.addUnits(loops)
	if attrs.Reduction != Mean && s.small(e, indices.count) && s.clean(indices, 0, data.shape[axis:axis+1]) {
		good := !inPlace || attrs.Reduction != None || checkIndices(s, indices, size)
		if good && !inPlace {
			copyView(s, e, dst, data, true)
		}
		if !good || !attrs.scatterSmall(e, dst, updates, indices, &by, loops) {
			return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
		}
		return nil
	}

	cells := dst.count
	if inPlace { // the others stay as they are
		cells = indices.count / indices.shape[axis] * size
	}
	if dst.elementsAside(e, axis, cells, indices.count, inPlace) {
		return scatterAside(s, e, dst, data, indices, updates, axis, attrs, inPlace)
	}

	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.elem, c.attrs = scatterWork, *s, *e, attrs
	c.axes.assign(&by)
	c.operands(dst, updates, indices)
	c.small = isSmall(e, indices.count)
	c.set(arrange(collapse(loops), c.leastRun()))
	if !e.reduces() {
		c.widen()
	}
	c.identity = attrs.identity(e.kind)
	kept := false
	if !c.small && c.constantRows() {
		if buffer := c.compact(); buffer != nil {
			defer buffers.Put(buffer)
			kept = true
		}
	}
	good := !inPlace || !s.policy.fails() // else the caller's data must survive a bad index
	switch {
	case good:
	case kept:
		good = indices.checked || checkDense(s, c.idx, size)
	case dst.lighter(e, indices):
		return scatterAside(s, e, dst, data, indices, updates, axis, attrs, inPlace)
	default:
		good = checkIndices(s, indices, size)
	}
	if !good {
		return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
	}
	if inPlace && s.policy.fails() {
		c.policy = IndexPolicy{} // the indices were checked: they mean the same by default
	}
	if !c.small {
		c.strip = c.packs()
	}
	if !inPlace {
		if c.data = c.fresh(dst, data); c.data.Len == 0 {
			copyView(s, e, dst, data, true)
		}
	}
	if !c.runScatter() {
		return firstBad(op, s.policy, indices, axis, data.shape[axis:axis+1])
	}
	return nil
}

// scatterAside is scatterElementsUpdate by way of a row-major copy of dst; in place, of the cells
// that indices may reach.
func scatterAside(s *settings, e *elem, dst, data, indices, updates *view, axis int, attrs ScatterAttrs, inPlace bool) error {
	var shape [maxLoops]int
	td := *dst.tensor
	to := dst.by(&td)
	if inPlace && dst.strides != nil { // nil stands for those of the whole shape
		td.shape = append(shape[:0], indices.shape...)
		td.shape[axis] = dst.shape[axis]
		if err := to.check(scatterOp); err != nil {
			return err
		}
		data = &to
	}
	t := td
	rows := to.by(&t)
	buffer := rows.rowMajor(e)
	defer buffers.Put(buffer)
	err := scatterElementsUpdate(s, e, &rows, data, indices, updates, axis, attrs)
	if err == nil { // else dst keeps what it had
		copyView(s, e, &to, &rows, false)
	}
	return err
}
