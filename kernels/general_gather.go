package kernels

import "slices"

const generalGatherOp = "GeneralGather"

// GatherDims are the dimension numbers of a GeneralGather, by StableHLO's names.
type GatherDims struct {
	OffsetDims               []int // axes of the result that go along a slice, ascending
	CollapsedSliceDims       []int // axes of operand that the result does not have, ascending
	OperandBatchingDims      []int // axes of operand that follow axes of startIndices, ascending
	StartIndicesBatchingDims []int // the axes of startIndices that they follow
	StartIndexMap            []int // the axis of operand for each component of a start
	IndexVectorDim           int   // the axis of startIndices along which components are; its rank if starts have one component and no such axis
	SliceSizes               []int // of a slice, on each axis of operand
}

// gatherNames are the attributes of a GeneralGather as errors have them.
var gatherNames = [6]string{"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims", "start_index_map", "index_vector_dim"}

// GeneralGather takes slices of operand from starts that startIndices name. It is StableHLO's and
// XLA's gather:
//
//	dst[B…, O…] = operand[start(B…) + batch(B…) + O…]
//
// where the axes O of dst are dims.OffsetDims and go along a slice, and B are the others, in order,
// and go along startIndices without the axis dims.IndexVectorDim. Component i of a start counts
// along axis dims.StartIndexMap[i] of operand; on other axes slices start at 0. Along
// dims.OperandBatchingDims operand follows the axes dims.StartIndicesBatchingDims of startIndices.
//
// A start is clamped so that the slice fits, to [0, d-s] for an axis of size d and slices of size
// s; a negative one does not count from the end. [Indices] sets another meaning, where an index is
// one into the d-s+1 places for a start: with Skip dst is 0 along a slice that does not fit, with
// RangeError that is an IndexError, and a negative index, where it counts from the end, counts from
// the last place.
//
// GeneralGatherShape returns the shape of dst. dst may have any strides under which no two
// coordinates share an element, and shares no memory with operand or startIndices. Failures before
// anything is written are a ShapeError, an AttributeError that names one of the dimension numbers,
// and an OverlapError. When dst is empty, no index is read.
//
// A size of 0 in dims.SliceSizes on a collapsed or batching axis, which StableHLO's constraints
// allow, counts as 1, the size that its formula has.
//
// Source: StableHLO's gather, version 1. Its indices_are_sorted only promises.
func GeneralGather[T any, I Index](dst, operand Tensor[T], startIndices Tensor[I], dims GatherDims, opts ...Option) error {
	s := begin(generalGatherOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&operand), role: operandRole, size: elementSize(&operand)}
	x := view{tensor: tensorOf(&startIndices), role: startIndicesRole, size: elementSize(&startIndices), kind: kindOf[I]()}
	var e elem
	elemOf[T](&e)
	return s.done(generalGather(&s, &e, &d, &f, &x, &dims))
}

// GeneralGatherShape returns the shape of GeneralGather's output, or the error that the call would
// return for these shapes.
func GeneralGatherShape(operand, startIndices []int, dims GatherDims) ([]int, error) {
	w := dims.windows()
	return w.gatherShape(nil, operand, startIndices, dims.SliceSizes)
}

func (g *GatherDims) windows() windows {
	return windows{
		op: generalGatherOp, names: &gatherNames,
		along: g.OffsetDims, collapsed: g.CollapsedSliceDims, batching: g.OperandBatchingDims, indexBatching: g.StartIndicesBatchingDims,
		starts: g.StartIndexMap, vector: g.IndexVectorDim,
	}
}

// gatherShape appends the output's shape to buf.
func (w *windows) gatherShape(buf, operand, indices, sizes []int) ([]int, error) {
	if err := checkShape(w.op, operandRole, operand); err != nil {
		return nil, err
	}
	if err := checkShape(w.op, startIndicesRole, indices); err != nil {
		return nil, err
	}
	if err := w.check(operand, indices, startIndicesRole); err != nil {
		return nil, err
	}
	bad := func(reason string) error {
		return &AttributeError{Op: w.op, Attribute: "slice_sizes", Value: ints(sizes), Reason: reason}
	}
	if len(sizes) != len(operand) {
		return nil, bad("want one for each of " + itoa(len(operand)) + " axes")
	}
	for d, n := range sizes {
		most := operand[d]
		if !w.kept(d) {
			most = min(most, 1)
		}
		if n < 0 || n > most {
			return nil, bad(itoa(n) + " on axis " + itoa(d) + " is " + outside(0, most))
		}
	}
	var axes [maxLoops]windowAxis
	shape := buf
	for _, a := range w.axes(axes[:0], len(indices)) {
		if a.index >= 0 {
			shape = append(shape, indices[a.index])
		} else {
			shape = append(shape, sizes[a.operand])
		}
	}
	if err := checkShape(w.op, dstRole, shape); err != nil {
		return nil, err
	}
	if !slices.Contains(shape, 0) {
		starts := lookIn(w.starts, len(operand))
		for _, d := range w.collapsed {
			if operand[d] == 0 && starts.index(d) < 0 {
				return nil, shapeError(w.op, operandRole, operand, "it has no elements, and the result has")
			}
		}
	}
	return shape, nil
}

func generalGather(s *settings, e *elem, dst, operand, indices *view, dims *GatherDims) error {
	const op = generalGatherOp
	w := dims.windows()
	var buf [maxLoops]int
	shape, err := w.gatherShape(buf[:0], operand.shape, indices.shape, dims.SliceSizes)
	if err != nil {
		return err
	}
	if err := operand.check(op); err != nil {
		return err
	}
	if err := indices.check(op); err != nil {
		return err
	}
	if err := checkDst(op, dst, shape, operand, indices); err != nil {
		return err
	}
	if err := w.apart(dst); err != nil {
		return err
	}
	if dst.covers(dims.SliceSizes) {
		return &AttributeError{Op: op, Attribute: "slice_sizes", Value: ints(dims.SliceSizes), Reason: "it lies in the memory of dst"}
	}
	if !s.given {
		s.policy = IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: Clamp}
	}
	if err := s.policy.check(op); err != nil {
		return err
	}
	if dst.count == 0 {
		return nil
	}
	places := w.places(operand.shape, dims.SliceSizes)
	if operand.count == 0 || e.size == 0 { // no start is good, or there is nothing to move
		if !checkTuples(s, indices, w.vector, places) {
			return w.firstBad(s.policy, indices, operand.shape, places, dims.SliceSizes)
		}
		return clearView(e, dst)
	}

	var by axes
	starts := w.index(&by, operand, indices, e.units, places)
	var array [maxLoops]loop
	loops := array[:0]
	var axes [maxLoops]windowAxis
	for d, a := range w.axes(axes[:0], len(indices.shape)) {
		loops = append(loops, w.loop(a, shape[d], dst.stride(d), operand, indices, e.units, srcOp))
	}
	small := s.small(e, dst.count) && s.clean(indices, w.vector, places)
	if !gatherNamed(s, e, dst, operand, starts, &by, e.addUnits(loops), small) {
		return w.firstBad(s.policy, indices, operand.shape, places, dims.SliceSizes)
	}
	return nil
}
