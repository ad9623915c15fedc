package kernels

import (
	"fmt"
	"slices"
	"unsafe"
)

const scatterOp = "ScatterElementsUpdate"

// Reduction is how ScatterElementsUpdate and ScatterNDUpdate combine updates
// with a cell, and EmbeddingBag the rows of a bag.
//
// Integers wrap and floats round at each step, in the element type, except for
// a mean of integers, which is the exact one rounded toward minus infinity.
// Half types take each step in float32 and round to nearest even. Min is cell < update ? cell
// : update and Max cell > update ? cell : update, for NaN and zeros too. A sum of
// bool is OR, a product AND, Sub XOR, Min AND, Max OR; complex numbers have Sum, Sub, Prod and
// Mean. No reduction fuses a multiplication and an addition, so results are the same
// on every port, but for the sign and payload of a NaN that arithmetic makes.
//
// Types are reduced as their underlying kind. A named type of kind uint16 with a
// method Float32() float32 is another library's half type: binary16 if the
// method takes 0x3C00 for 1, bfloat16 if it takes 0x3F80. Types without
// arithmetic (strings, structs, arrays, uintptr, …) have None alone.
type Reduction uint8

// The reductions, None first: the zero value.
const (
	None Reduction = iota // the last update wins
	Sum
	Prod
	Min
	Max
	Mean // of the updates, and the initial value when it counts
	Sub  // of ScatterNDUpdate alone
)

var reductionNames = [...]string{None: "none", Sum: "sum", Prod: "prod", Min: "min", Max: "max", Mean: "mean", Sub: "sub"}

// String returns the reduction as OpenVINO spells it.
func (r Reduction) String() string {
	if int(r) < len(reductionNames) {
		return reductionNames[r]
	}
	return fmt.Sprintf("Reduction(%d)", uint8(r))
}

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
// one counts from the end.
//
// It works in place when equal coordinates of dst and data are the same
// memory. Otherwise dst shares no memory with an input; it may have any strides
// under which no two coordinates share an element. Failures before anything is
// written are a ShapeError, an AttributeError (axis, reduction), a TypeError (no such
// reduction of T) and an OverlapError. An index out of range is an IndexError: in place,
// nothing has been written then; another dst may have been partly written.
//
// Sources: OpenVINO ScatterElementsUpdate-12; with Mean aside, ONNX ScatterElements-18.
func ScatterElementsUpdate[T any, I Index](dst, data Tensor[T], indices Tensor[I], updates Tensor[T], axis int, attrs ScatterAttrs, opts ...Option) error {
	w := watching(scatterOp, opts)
	if scatterFew(&dst, &data, &indices, &updates, axis, attrs, numberIn[T]) {
		return w.few(opts, sizeOf[T](), indices.Shape)
	}
	d, s, x, u := viewOf(dstRole, &dst), viewOf(dataRole, &data), viewOf(indicesRole, &indices), viewOf(updatesRole, &updates)
	e, num, err := reducedAs[T](scatterOp, attrs.Reduction)
	if err != nil {
		return w.done(opts, err)
	}
	return w.done(opts, scatterElementsUpdate(e, num, &d, &s, &x, &u, kindOf[I](), axis, attrs, settle(opts, w), func(to, from, n int) {
		copy(dst.Data[to:to+n], data.Data[from:from+n])
	}, func(to, from, n int) {
		copy(dst.Data[to:to+n], updates.Data[from:from+n])
	}))
}

// reducedAs returns what a reduction's elements and numbers are.
func reducedAs[T any](op string, r Reduction) (e elem, num number, err error) {
	e = elemOf[T]()
	num, reason := e.reduced(r, numberIn[T])
	if reason != "" {
		err = &TypeError{Op: op, Type: e.typ.String(), Reason: reason}
	}
	return e, num, err
}

// reduced makes the elements those of a reduction, and returns the number that
// they are, or why they have no such reduction.
func (e *elem) reduced(r Reduction, numberIn func() (number, string)) (num number, reason string) {
	if r == None {
		return noNumber, ""
	}
	if num, reason = numberIn(); reason == "" {
		reason = num.allows(r)
	}
	if reason != "" {
		return num, r.String() + ": " + reason
	}
	e.width, e.units = e.size, 1 // arithmetic is on elements, not on units
	return num, ""
}

// ScatterElementsUpdateShape returns the shape of ScatterElementsUpdate's
// output, which is data's, or the error that the call would return for these shapes.
func ScatterElementsUpdateShape(data, indices, updates []int, axis int) ([]int, error) {
	if _, err := checkScatter(data, indices, updates, axis); err != nil {
		return nil, err
	}
	return slices.Clone(data), nil
}

func checkScatter(data, indices, updates []int, axis int) (int, error) {
	if err := checkShape(scatterOp, dataRole, data); err != nil {
		return 0, err
	}
	if err := checkShape(scatterOp, indicesRole, indices); err != nil {
		return 0, err
	}
	if !slices.Equal(updates, indices) {
		return 0, &ShapeError{Op: scatterOp, Tensor: updatesRole.String(), Shape: slices.Clone(updates), Reason: "indices has shape " + ints(indices)}
	}
	return checkElementwise(scatterOp, data, indices, axis)
}

// checkScattered checks the operands of a scatter whose shapes go together, and
// reports whether dst is data.
func checkScattered(op string, dst, data, indices, updates *view) (inPlace bool, err error) {
	for _, v := range [...]*view{data, indices, updates} {
		if err := v.check(op); err != nil {
			return false, err
		}
	}
	if err := checkDst(op, dst, data.shape, indices, updates); err != nil {
		return false, err
	}
	inPlace = dst.overlaps(data)
	if inPlace && !dst.same(data) {
		return false, &OverlapError{Op: op, Tensor: dataRole.String()}
	}
	return inPlace, nil
}

func scatterElementsUpdate(e elem, num number, dst, data, indices, updates *view, kind indexKind, axis int, attrs ScatterAttrs, o settings,
	moveData, moveUpdates func(dst, src, n int)) error {
	const op = scatterOp
	if attrs.Reduction > Mean {
		return &AttributeError{Op: op, Attribute: "reduction", Value: attrs.Reduction.String(), Reason: "there is no such reduction"}
	}
	axis, err := checkScatter(data.shape, indices.shape, updates.shape, axis)
	if err != nil {
		return err
	}
	inPlace, err := checkScattered(op, dst, data, indices, updates)
	if err != nil {
		return err
	}

	size := data.shape[axis]
	if indices.count == 0 || data.count == 0 || e.size == 0 { // no index is good, or there is nothing to move
		if !checkIndices(o, indices, kind, size) {
			return firstBad(op, indices, kind, axis, data.shape[axis:axis+1])
		}
		if !inPlace {
			copyView(o, &e, dst, data, true, moveData)
		}
		return nil
	}

	var buf [maxDims]dim
	c := bind(scatterBody, &e, o, dst, updates, indices, kind, moveUpdates)
	c.size, c.step, c.number, c.attrs = size, dst.stride(axis)*e.units, num, attrs
	c.dims = buf[:0]
	for d, n := range indices.shape {
		loop := dim{n, [3]int{dst.stride(d) * e.units, updates.stride(d) * e.units, indices.stride(d)}}
		if d == axis {
			loop.s[dstOp] = 0 // the index moves dst here
		}
		c.dims = append(c.dims, loop)
	}
	c.dims = arrange(collapse(e.addUnits(c.dims)))
	if attrs.Reduction != None {
		num.identity(attrs.Reduction, unsafe.Pointer(&c.identity))
	}
	unchecked := indices
	if c.constantRows() {
		loops, kept, room := c.compact(c.dims)
		if c.dims = loops; room != nil {
			defer rooms.Put(room)
			rows := [1]int{kept.len}
			kept.shape = rows[:]
			unchecked = &kept
		}
	}
	if inPlace && !checkIndices(o, unchecked, kind, size) { // the caller's data must survive a bad index
		return firstBad(op, indices, kind, axis, data.shape[axis:axis+1])
	}
	c.strip = c.packs()
	if !inPlace {
		if c.data = c.fresh(dst, data); c.data.n == 0 {
			copyView(o, &e, dst, data, true, moveData)
		}
	}
	if !c.run() {
		return firstBad(op, indices, kind, axis, data.shape[axis:axis+1])
	}
	return nil
}
