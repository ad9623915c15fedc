package kernels

// StridedSlice and Slice share this file. Both specify, in different terms, which elements of each
// axis to take; either comes to one cut for each axis.

// A slicing specifies a part of a tensor. One of its pointers is set: methods of an interface would
// make their arguments escape.
type slicing struct {
	spec   *SliceSpec // StridedSlice's
	ranges *Ranges    // Slice's
}

func (by slicing) op() string {
	if by.spec != nil {
		return stridedSliceOp
	}
	return sliceOp
}

// cuts appends one cut for each axis of the result, in order.
func (by slicing) cuts(buf []cut, shape []int) ([]cut, error) {
	if by.spec != nil {
		return by.spec.cuts(stridedSliceOp, buf, shape)
	}
	return by.ranges.cuts(buf, shape)
}

// shape returns the shape of the result for data of a shape.
func (by slicing) shape(data []int) ([]int, error) {
	if err := checkShape(by.op(), dataRole, data); err != nil {
		return nil, err
	}
	var buf [maxLoops]cut
	cuts, err := by.cuts(buf[:0], data)
	if err != nil {
		return nil, err
	}
	return shapeOf(make([]int, 0, len(cuts)), cuts), nil
}

// shapeOf appends the shape that cuts result in.
func shapeOf(dims []int, cuts []cut) []int {
	for _, c := range cuts {
		if !c.shrunk {
			dims = append(dims, c.n)
		}
	}
	return dims
}

// A cut is n elements of an axis, from begin on, step apart.
type cut struct {
	axis           int // of data; -1 for a new axis
	begin, step, n int
	shrunk         bool // the axis goes
	named          bool // one of Ranges' axes
}

// part returns the shape, strides and offset of the part of a view that cuts take. Shape and
// strides are appended to dims.
func (v *view) part(cuts []cut, dims []int) (shape, strides []int, offset int) {
	dims = shapeOf(dims, cuts)
	rank := len(dims)
	offset = v.offset
	for _, c := range cuts {
		stride := 0
		if c.axis >= 0 {
			stride = v.stride(c.axis)
			offset += c.begin * stride
		}
		if !c.shrunk {
			dims = append(dims, c.step*stride)
		}
	}
	return dims[:rank:rank], dims[rank:], offset
}

// sliced copies a part of data to dst.
func sliced[T any](dst, data Tensor[T], by slicing, opts []Option) error {
	s := begin(by.op(), opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	var e elem
	elemOf[T](&e)
	return s.done(copyPart(&s, &e, &d, &f, by))
}

func copyPart(s *settings, e *elem, dst, data *view, by slicing) error {
	op := by.op()
	if err := data.check(op); err != nil {
		return err
	}
	var (
		buf  [maxLoops]cut
		dims [2 * maxLoops]int
		t    = *data.tensor
	)
	cuts, err := by.cuts(buf[:0], data.shape)
	if err != nil {
		return err
	}
	t.shape, t.strides, t.offset = data.part(cuts, dims[:0])
	part := data.by(&t)
	if err := part.check(op); err != nil {
		return err
	}
	if err := checkDst(op, dst, part.shape, data); err != nil {
		return err
	}
	copyParts(s, e, dst, dst, data, &part, false)
	return nil
}

// slicedView returns a part of data without copying it.
func slicedView[T any](data Tensor[T], by slicing) (Tensor[T], error) {
	v := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	shape, strides, offset, err := v.sliced(by)
	if err != nil {
		return Tensor[T]{}, err
	}
	return Tensor[T]{Data: data.Data, Shape: shape, Strides: strides, Offset: offset}, nil
}

// sliced checks a view and returns the shape, strides and offset of a part of it, in new slices.
func (v *view) sliced(by slicing) (shape, strides []int, offset int, err error) {
	if err := v.check(by.op()); err != nil {
		return nil, nil, 0, err
	}
	var buf [maxLoops]cut
	cuts, err := by.cuts(buf[:0], v.shape)
	if err != nil {
		return nil, nil, 0, err
	}
	shape, strides, offset = v.part(cuts, nil)
	return shape, strides, offset, nil
}

// slicedRange returns the elements of an axis of size d that a begin, an end and a stride other
// than 0 name: n of them, from first on, step apart. No argument makes it overflow.
func slicedRange(d, begin, end, stride int64, beginMask, endMask bool) (first, step, n int) {
	// The positions from low to high are where a walk can be: [0, d] forward,
	// [-1, d-1] backward, where it begins on an element.
	low, high, last := int64(0), d, d
	if stride < 0 {
		low, high, last = -1, d-1, d-1
	}
	if begin < 0 {
		begin += d
	}
	if end < 0 {
		end += d
	}
	begin, end = min(max(begin, 0), last), min(max(end, low), high)
	if beginMask {
		begin = 0
		if stride < 0 {
			begin = last
		}
	}
	if endMask {
		end = high
		if stride < 0 {
			end = low
		}
	}
	distance, stepSize := end-begin, uint64(stride)
	if stride < 0 {
		distance, stepSize = begin-end, -uint64(stride)
	}
	if d == 0 || distance <= 0 {
		return 0, 1, 0
	}
	n = int(uint64(distance-1)/stepSize) + 1
	if n == 1 {
		return int(begin), 1, 1 // the stride may not fit an int
	}
	return int(begin), int(stride), n
}
