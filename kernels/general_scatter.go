package kernels

import "slices"

const generalScatterOp = "GeneralScatter"

// ScatterDims are the dimension numbers of a GeneralScatter, by StableHLO's names.
type ScatterDims struct {
	UpdateWindowDims           []int // axes of updates that go along a window, ascending
	InsertedWindowDims         []int // axes of input that windows do not have, ascending
	InputBatchingDims          []int // axes of input that follow axes of scatterIndices, ascending
	ScatterIndicesBatchingDims []int // the axes of scatterIndices that they follow
	ScatterDimsToOperandDims   []int // the axis of input for each component of a start
	IndexVectorDim             int   // the axis of scatterIndices along which components are; its rank if starts have one component and no such axis
}

// scatterNames are the attributes of a GeneralScatter as errors have them.
var scatterNames = [6]string{"update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims", "scatter_dims_to_operand_dims", "index_vector_dim"}

// GeneralScatter makes dst a copy of input, with windows of updates combined into it from starts on
// that scatterIndices name. It is StableHLO's and XLA's scatter:
//
//	cell := &dst[start(S…) + batch(S…) + W…]
//	*cell = reduction(*cell, updates[S…, W…])
//
// where the axes W of updates are dims.UpdateWindowDims and go along a window, and S are the
// others, in order, and go along scatterIndices without the axis dims.IndexVectorDim. Component i
// of a start counts along axis dims.ScatterDimsToOperandDims[i] of input; on other axes windows
// start at 0. Along dims.InputBatchingDims input follows the axes dims.ScatterIndicesBatchingDims
// of scatterIndices.
//
// Windows may overlap. The updates of a cell are applied in row-major order of S, so that the
// result is one exact bit pattern for any number of workers. A call whose windows can overlap in
// part, with more than one element on an axis that starts count along, applies its updates on the
// caller's goroutine.
//
// A window that does not fit is skipped whole, as XLA's CPU backend does (JAX 0.10.2); StableHLO's
// text would write the part of it that is inside. A negative start does not count from the end.
// [Indices] sets another meaning, where an index is one into the d-s+1 places where a window of
// size s fits on an axis of size d, as for GeneralGather.
//
// The reductions are None, Sum, Sub, Prod, Min and Max; there is no Mean. IgnoreInit works as in
// ScatterElementsUpdate, though StableHLO has no such thing.
//
// updates has the axes S and W, where a window is no longer than input; dst has the shape of input.
// It works in place when equal coordinates of dst and input are the same memory. Otherwise dst
// shares no memory with an input; it may have any strides under which no two coordinates share an
// element. Failures before anything is written are a ShapeError, an AttributeError that names one
// of the dimension numbers, a TypeError (no such reduction of T) and an OverlapError.
//
// Source: StableHLO's scatter, version 1, with one input. Its indices_are_sorted and unique_indices
// only promise.
func GeneralScatter[T any, I Index](dst, input Tensor[T], scatterIndices Tensor[I], updates Tensor[T], dims ScatterDims, attrs ScatterAttrs, opts ...Option) error {
	s := begin(generalScatterOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&input), role: inputRole, size: elementSize(&input)}
	x := view{tensor: tensorOf(&scatterIndices), role: scatterIndicesRole, size: elementSize(&scatterIndices), kind: kindOf[I]()}
	u := view{tensor: tensorOf(&updates), role: updatesRole, size: elementSize(&updates)}
	e, err := reducedAs[T](generalScatterOp, attrs.Reduction)
	if err == nil {
		err = generalScatter(&s, &e, &d, &f, &x, &u, &dims, attrs)
	}
	return s.done(err)
}

// GeneralScatterShape returns the shape of GeneralScatter's output, which is input's, or the error
// that the call would return for these shapes.
func GeneralScatterShape(input, scatterIndices, updates []int, dims ScatterDims) ([]int, error) {
	w := dims.windows()
	if _, err := w.checkScatter(nil, input, scatterIndices, updates); err != nil {
		return nil, err
	}
	return slices.Clone(input), nil
}

func (g *ScatterDims) windows() windows {
	return windows{
		op: generalScatterOp, names: &scatterNames,
		along: g.UpdateWindowDims, collapsed: g.InsertedWindowDims, batching: g.InputBatchingDims, indexBatching: g.ScatterIndicesBatchingDims,
		starts: g.ScatterDimsToOperandDims, vector: g.IndexVectorDim,
	}
}

// checkScatter checks the shapes, and appends the sizes of windows to buf.
func (w *windows) checkScatter(buf, input, indices, updates []int) (sizes []int, err error) {
	if err := checkShape(w.op, inputRole, input); err != nil {
		return nil, err
	}
	if err := checkShape(w.op, scatterIndicesRole, indices); err != nil {
		return nil, err
	}
	if err := checkShape(w.op, updatesRole, updates); err != nil {
		return nil, err
	}
	if err := w.check(input, indices, scatterIndicesRole); err != nil {
		return nil, err
	}
	var array [maxLoops]windowAxis
	axes := w.axes(array[:0], len(indices))
	if len(updates) != len(axes) {
		return nil, shapeError(w.op, updatesRole, updates, "want "+itoa(len(axes))+" axes: of scatter_indices, and of windows")
	}
	for range input {
		buf = append(buf, 1)
	}
	for d, a := range axes {
		switch {
		case a.index < 0 && updates[d] > input[a.operand]:
			return nil, shapeError(w.op, updatesRole, updates, "a window of "+itoa(updates[d])+" on axis "+itoa(d)+" is longer than the "+itoa(input[a.operand])+" of input")
		case a.index < 0:
			buf[a.operand] = updates[d]
		case updates[d] != indices[a.index]:
			return nil, shapeError(w.op, updatesRole, updates, "want "+itoa(indices[a.index])+" on axis "+itoa(d)+", as many as scatter_indices has")
		}
	}
	return buf, nil
}

func generalScatter(s *settings, e *elem, dst, input, indices, updates *view, dims *ScatterDims, attrs ScatterAttrs) error {
	const op = generalScatterOp
	if r := attrs.Reduction; r == Mean || r > Sub {
		return &AttributeError{Op: op, Attribute: "reduction", Value: r.String(), Reason: "there is no such reduction"}
	}
	w := dims.windows()
	var buf [maxLoops]int
	sizes, err := w.checkScatter(buf[:0], input.shape, indices.shape, updates.shape)
	if err != nil {
		return err
	}
	inPlace, err := checkScattered(op, dst, input, indices, updates)
	if err != nil {
		return err
	}
	if err := w.apart(dst); err != nil {
		return err
	}
	if !s.given {
		s.policy = IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: Skip}
	}
	if err := s.policy.check(op); err != nil {
		return err
	}

	places := w.places(input.shape, sizes)
	idle := updates.count == 0 || input.count == 0 || e.size == 0 // no start is good, or there is nothing to move
	if (idle || inPlace) && !checkTuples(s, indices, w.vector, places) {
		return w.firstBad(s.policy, indices, input.shape, places, sizes)
	}
	if !inPlace {
		copyView(s, e, dst, input, true)
	}
	if idle {
		return nil
	}

	var by axes
	starts := w.index(&by, dst, indices, e.units, places)
	var array [maxLoops]loop
	loops := e.addUnits(w.updateLoops(array[:0], dst, indices, updates, e.units))
	if s.small(e, updates.count) && s.clean(indices, w.vector, places) {
		if !attrs.scatterSmall(e, dst, updates, starts, &by, loops) {
			return w.firstBad(s.policy, indices, input.shape, places, sizes)
		}
		return nil
	}

	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.elem, c.attrs = scatterWork, *s, *e, attrs
	if inPlace && s.policy.fails() {
		c.policy = IndexPolicy{} // the indices were checked: they mean the same by default
	}
	c.axes.assign(&by)
	c.operands(dst, updates, starts)
	w.arrange(&c, loops, sizes)
	if !e.reduces() {
		c.widen()
	}
	c.identity = attrs.identity(e.kind)
	c.small = isSmall(e, updates.count)
	if !c.runScatter() {
		return w.firstBad(s.policy, indices, input.shape, places, sizes)
	}
	return nil
}

// updateLoops appends the loops of a scatter: along starts first, then along windows.
func (w *windows) updateLoops(loops []loop, dst, indices, updates *view, units int) []loop {
	var array [maxLoops]windowAxis
	axes := w.axes(array[:0], len(indices.shape))
	for d, a := range axes {
		if a.index >= 0 {
			loops = append(loops, w.loop(a, updates.shape[d], updates.stride(d), dst, indices, units, dstOp))
		}
	}
	for d, a := range axes {
		if a.index < 0 {
			loops = append(loops, w.loop(a, updates.shape[d], updates.stride(d), dst, indices, units, dstOp))
		}
	}
	return loops
}

// arrange sets the loops of a scatter. Windows that can overlap in part keep all loops in order and
// on one goroutine, where one update comes after the other: only the innermost axis of a window may
// be a run, if no starts count along it, because the elements of a run are other cells whatever the
// starts are.
func (w *windows) arrange(c *call, loops []loop, sizes []int) {
	overlap := false
	for _, d := range w.starts {
		overlap = overlap || sizes[d] > 1
	}
	if !overlap {
		c.set(arrangeTuples(collapse(loops)))
		return
	}
	c.workers, c.runTasks = 1, nil
	last := len(sizes) - 1 // axis of a window
	for last >= 0 && !w.kept(last) {
		last--
	}
	run := one
	if k := len(loops) - 1; c.elem.units > 1 || !slices.Contains(w.starts, last) {
		run, loops = loops[k], loops[:k]
	}
	c.set(pad(append(collapse(loops), run), 3))
}
