package kernels

import "slices"

const sliceScatterOp = "SliceScatter"

// SliceScatter makes dst a copy of data, with updates in the part that spec
// names: it is StridedSlice the other way round. On an axis of which spec takes elements from
// first on, step apart:
//
//	dst = data
//	dst[…, first + j*step, …] = updates[…, j, …]
//
// updates has the shape StridedSliceShape(data.Shape, spec), so that it has an axis of size
// 1 where spec inserts one, and none where spec shrinks one. dst has the shape of data, which
// may have any rank, 0 too. No element is named twice.
//
// It works in place when equal coordinates of dst and data are the same
// memory; then it writes the part alone. Otherwise dst shares no memory with an input. It may
// have any strides under which no two coordinates share an element. Every failure is found
// before anything is written: an AttributeError (as StridedSlice has them), an IndexError with
// a nil Position (the begin of a shrunk axis), a ShapeError or an OverlapError.
//
// Sources: OpenVINO SliceScatter-15, which names the part as Slice-8 does. Ranges.Spec
// says that as a SliceSpec, whose masks and new axes are those of StridedSlice-1. Its NumPy
// snippet clamps a start below -d otherwise for a negative step; here it is as in Slice.
func SliceScatter[T any](dst, data, updates Tensor[T], spec SliceSpec, opts ...Option) error {
	s := begin(sliceScatterOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	u := view{tensor: tensorOf(&updates), role: updatesRole, size: elementSize(&updates)}
	var e elem
	elemOf[T](&e)
	return s.done(sliceScatter(&s, &e, &d, &f, &u, &spec))
}

// SliceScatterShape returns the shape of SliceScatter's output, which is
// data's, or the error that the call would return for these shapes.
func SliceScatterShape(data, updates []int, spec SliceSpec) ([]int, error) {
	const op = sliceScatterOp
	if err := checkShape(op, dataRole, data); err != nil {
		return nil, err
	}
	var (
		buf  [maxLoops]cut
		dims [maxLoops]int
	)
	cuts, err := spec.cuts(op, buf[:0], data)
	if err != nil {
		return nil, err
	}
	if err := checkSliceUpdates(updates, shapeOf(dims[:0], cuts)); err != nil {
		return nil, err
	}
	return slices.Clone(data), nil
}

// checkSliceUpdates checks the shape of updates against the one that a spec leaves of data.
func checkSliceUpdates(updates, part []int) error {
	if slices.Equal(updates, part) {
		return nil
	}
	return shapeError(sliceScatterOp, updatesRole, updates, "want shape "+ints(part))
}

// Spec returns as a SliceSpec what r says of data of a rank: an entry for each axis, whose
// masks take those whole that r does not name. It is how SliceScatter is called with OpenVINO's
// start, stop, step and axes. The error is an AttributeError, as Slice has it, or for the rank.
func (r Ranges) Spec(rank int) (SliceSpec, error) {
	if most := mostMemory / 64; rank < 0 || rank > most { // what follows takes 40 bytes for an axis
		return SliceSpec{}, &AttributeError{Op: sliceOp, Attribute: "rank", Value: itoa(rank), Reason: outside(0, most)}
	}
	cuts, err := r.cuts(make([]cut, 0, rank), make([]int, rank))
	if err != nil {
		return SliceSpec{}, err
	}
	s := SliceSpec{
		Begin: make([]int64, rank), End: make([]int64, rank), Strides: make([]int64, rank),
		BeginMask: make([]bool, rank), EndMask: make([]bool, rank),
	}
	for axis, c := range cuts {
		s.Strides[axis], s.BeginMask[axis], s.EndMask[axis] = 1, !c.named, !c.named
	}
	for i, start := range r.Starts {
		axis := i
		if len(r.Axes) > 0 {
			if axis = int(r.Axes[i]); axis < 0 {
				axis += rank
			}
		}
		s.Begin[axis], s.End[axis] = start, r.Ends[i]
		if len(r.Steps) > 0 {
			s.Strides[axis] = r.Steps[i]
		}
	}
	return s, nil
}

func sliceScatter(s *settings, e *elem, dst, data, updates *view, spec *SliceSpec) error {
	const op = sliceScatterOp
	inPlace, err := checkScattered(op, dst, data, updates)
	if err != nil {
		return err
	}
	var (
		buf  [maxLoops]cut
		dims [2 * maxLoops]int
		t    = *dst.tensor
	)
	cuts, err := spec.cuts(op, buf[:0], data.shape)
	if err != nil {
		return err
	}
	whole := *dst.tensor // dst itself stays as it is, for realign
	t.shape, t.strides, t.offset = dst.part(cuts, dims[:0])
	part, to := dst.by(&t), dst.by(&whole)
	if err := checkSliceUpdates(updates.shape, part.shape); err != nil {
		return err
	}
	if err := part.check(op); err != nil {
		return err
	}
	if !inPlace && part.count < dst.count { // else updates take the place of everything
		copyView(s, e, dst, data, true)
	}
	copyParts(s, e, &to, &part, updates, updates, true)
	return nil
}
