package kernels

import (
	"fmt"
	"slices"
	"unsafe"
)

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
// data has rank r ≥ 1 and indices rank q ≥ 1; 1 ≤ k ≤ r; updates has the shape
// indices.Shape[:q-1] ++ data.Shape[k:], or any of one element where that is a scalar's; dst has
// that of data. A component is in [-d, d-1] for its axis of size d; a negative
// one counts from the end.
//
// The reductions are None, Sum, Sub, Prod, Min and Max; there is no Mean.
// IgnoreInit works as in ScatterElementsUpdate, though no document has it here.
//
// It works in place when equal coordinates of dst and data are the same
// memory. Otherwise dst shares no memory with an input; it may have any strides
// under which no two coordinates share an element. Failures before anything is
// written are a ShapeError, an AttributeError (reduction), a TypeError (no such reduction of
// T) and an OverlapError. An index out of range is an IndexError: in place, nothing
// has been written then; another dst may have been partly written.
//
// Sources: ONNX ScatterND-11, -13, -16 and -18, OpenVINO ScatterNDUpdate-3 and -15. They
// leave the order of updates open that meet in a cell; that of NumPy's loop in
// OpenVINO's document, and in ONNX's, is the one here.
func ScatterNDUpdate[T any, I Index](dst, data Tensor[T], indices Tensor[I], updates Tensor[T], attrs ScatterAttrs, opts ...Option) error {
	w := watching(scatterNDOp, opts)
	if scatterNDFew(&dst, &data, &indices, &updates, attrs, numberIn[T]) {
		return w.few(opts, sizeOf[T](), updates.Shape)
	}
	d, s, x, u := viewOf(dstRole, &dst), viewOf(dataRole, &data), viewOf(indicesRole, &indices), viewOf(updatesRole, &updates)
	e, num, err := reducedAs[T](scatterNDOp, attrs.Reduction)
	if err != nil {
		return w.done(opts, err)
	}
	return w.done(opts, scatterNDUpdate(e, num, &d, &s, &x, &u, kindOf[I](), attrs, settle(opts, w), func(to, from, n int) {
		copy(dst.Data[to:to+n], data.Data[from:from+n])
	}, func(to, from, n int) {
		copy(dst.Data[to:to+n], updates.Data[from:from+n])
	}))
}

// ScatterNDUpdateShape returns the shape of ScatterNDUpdate's output, which is
// data's, or the error that the call would return for these shapes.
func ScatterNDUpdateShape(data, indices, updates []int) ([]int, error) {
	if _, err := checkScatterND(data, indices, updates); err != nil {
		return nil, err
	}
	return slices.Clone(data), nil
}

// checkScatterND returns the length of a tuple.
func checkScatterND(data, indices, updates []int) (k int, err error) {
	const op = scatterNDOp
	if err := checkShape(op, dataRole, data); err != nil {
		return 0, err
	}
	if err := checkShape(op, indicesRole, indices); err != nil {
		return 0, err
	}
	bad := func(r role, shape []int, reason string) (int, error) {
		return 0, &ShapeError{Op: op, Tensor: r.String(), Shape: slices.Clone(shape), Reason: reason}
	}
	r, q := len(data), len(indices)
	if r == 0 {
		return bad(dataRole, data, "it needs one axis at least")
	}
	if q == 0 {
		return bad(indicesRole, indices, "it needs one axis at least")
	}
	if k = indices[q-1]; k < 1 || k > r {
		return bad(indicesRole, indices, fmt.Sprintf("its last dimension, the length of a tuple, is outside [1, %d]", r))
	}
	tuples, part := indices[:q-1], data[k:]
	fits := len(updates) == len(tuples)+len(part) && slices.Equal(updates[:q-1], tuples) && slices.Equal(updates[q-1:], part)
	if len(tuples)+len(part) == 0 {
		n, reason := elements(updates)
		fits = n == 1 && reason == ""
	}
	if !fits {
		return bad(updatesRole, updates, "it is not "+ints(tuples)+", the tuples, and "+ints(part)+", what each names")
	}
	return k, checkShape(op, updatesRole, updates)
}

func scatterNDUpdate(e elem, num number, dst, data, indices, updates *view, kind indexKind, attrs ScatterAttrs, s settings,
	moveData, moveUpdates func(dst, src, n int)) error {
	const op = scatterNDOp
	if r := attrs.Reduction; r == Mean || r > Sub {
		return &AttributeError{Op: op, Attribute: "reduction", Value: r.String(), Reason: "there is no such reduction"}
	}
	k, err := checkScatterND(data.shape, indices.shape, updates.shape)
	if err != nil {
		return err
	}
	inPlace, err := checkScattered(op, dst, data, indices, updates)
	if err != nil {
		return err
	}

	idle := indices.count == 0 || data.count == 0 || e.size == 0 // no tuple is good, or there is nothing to move
	if (idle || inPlace) && !checkTuples(s, indices, kind, data.shape[:k]) {
		return firstBad(op, indices, kind, 0, data.shape[:k])
	}
	if !inPlace {
		copyView(s, &e, dst, data, true, moveData)
	}
	if idle {
		return nil
	}

	var (
		buf   [maxDims]dim
		steps [maxDims]int
	)
	c := bind(scatterBody, &e, s, dst, updates, indices, kind, moveUpdates)
	c.size, c.step, c.tuples = indexing(dst, indices, e.units, 0, k, steps[:0])
	c.number, c.attrs = num, attrs
	c.dims = buf[:0]
	last := len(indices.shape) - 1
	for d, n := range indices.shape[:last] { // the tuple moves dst here
		c.dims = append(c.dims, dim{n, [3]int{srcOp: updates.stride(d) * e.units, idxOp: indices.stride(d)}})
	}
	for d, n := range data.shape[k:] {
		c.dims = append(c.dims, dim{n, [3]int{dst.stride(k+d) * e.units, updates.stride(last+d) * e.units}})
	}
	c.dims = arrangeTuples(collapse(e.addUnits(c.dims)))
	if attrs.Reduction != None {
		num.identity(attrs.Reduction, unsafe.Pointer(&c.identity))
	}
	if !c.run() {
		return firstBad(op, indices, kind, 0, data.shape[:k])
	}
	return nil
}

// indexing returns how tuples of k components lead into an operand, from its
// axis b on, as a call has it. The steps are appended to a room.
func indexing(operand, indices *view, units, b, k int, room []int) (size, step int, t tuples) {
	if k == 1 {
		return operand.shape[b], operand.stride(b) * units, t
	}
	t = tuples{operand.shape[b : b+k], room, indices.stride(len(indices.shape) - 1)}
	for d := b; d < b+k; d++ {
		t.steps = append(t.steps, operand.stride(d)*units)
	}
	return 0, 0, t
}
