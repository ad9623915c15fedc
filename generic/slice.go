package generic

// Ranges says which part of a tensor kernels.Slice takes, as kernels.Ranges does.
type Ranges struct{ Starts, Ends, Axes, Steps []int64 }

// SliceRanges defines kernels.Slice: it is StridedSlice of what r says. Its error is ErrSlice.
func SliceRanges[T any](dst []T, dv View, data []T, sv View, r Ranges) error {
	s, err := r.Slice(len(sv.Shape))
	if err != nil {
		return err
	}
	return StridedSlice(dst, dv, data, sv, s)
}

// SliceRangesShape returns the shape of the output.
func SliceRangesShape(shape []int, r Ranges) ([]int, error) {
	s, err := r.Slice(len(shape))
	if err != nil {
		return nil, err
	}
	return StridedSliceShape(shape, s)
}

// Slice says in StridedSlice's terms what r says of data of a rank: an entry for
// each axis, which both masks leave whole where r doesn't name it.
func (r Ranges) Slice(rank int) (Slice, error) {
	n := len(r.Starts)
	if len(r.Ends) != n || len(r.Axes) != 0 && len(r.Axes) != n || len(r.Steps) != 0 && len(r.Steps) != n {
		return Slice{}, ErrSlice
	}
	s := Slice{Begin: make([]int64, rank), End: make([]int64, rank), Strides: make([]int64, rank),
		BeginMask: make([]bool, rank), EndMask: make([]bool, rank)}
	for d := range rank {
		s.Strides[d], s.BeginMask[d], s.EndMask[d] = 1, true, true
	}
	for i := range n {
		named := int64(i)
		if len(r.Axes) > 0 {
			named = r.Axes[i]
		}
		d, ok := element(named, rank)
		if !ok || !s.BeginMask[d] {
			return Slice{}, ErrSlice // no such axis, or one that occurs twice
		}
		s.Begin[d], s.End[d], s.BeginMask[d], s.EndMask[d] = r.Starts[i], r.Ends[i], false, false
		if len(r.Steps) > 0 {
			s.Strides[d] = r.Steps[i]
		}
	}
	return s, nil
}
