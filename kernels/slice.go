package kernels

const sliceOp = "Slice"

// Ranges says which part of a tensor Slice and RangesView take, as ONNX's Slice
// does: of axis Axes[i] the elements Starts[i], Starts[i]+Steps[i], … up to
// Ends[i], which is not among them; of the other axes all.
//
// A negative start or end has d added, for an axis of size d; then a start and end for a positive
// step are clamped to [0, d], for a negative one to [0, d-1] and [-1, d-1]. So math.MaxInt64 and
// math.MinInt64, as well as math.MaxInt32 and math.MinInt32 for an axis that is no longer, are all
// of it on their side. Starts, ends and steps are full 64-bit numbers.
//
// Starts and Ends have the same length. Axes has it too, or length 0, which means 0, 1, …; an axis
// is in [-r, r-1] for data of rank r, and occurs once. Steps has it too, or length 0, which means
// all 1; no step is 0.
type Ranges struct {
	Starts, Ends, Axes, Steps []int64
}

// Slice copies the part of data that r names to dst, whose shape is
// SliceShape(data.Shape, r). data may have any rank, 0 too.
//
// dst may have any strides under which no two coordinates share an element, and shares no memory
// with data. Every failure is found before anything is written: an AttributeError (starts, ends,
// axes, steps), a ShapeError or an OverlapError.
//
// Sources: ONNX Slice-1 (whose lists are attributes), -10 (steps), -11 (negative axes) and
// -13, OpenVINO Slice-8. ONNX leaves open what an axis means that occurs twice; here it is an
// error, as in OpenVINO and in ONNX Runtime. A negative step clamps as ONNX's text says, where
// NumPy has nothing for a start below -d.
func Slice[T any](dst, data Tensor[T], r Ranges, opts ...Option) error {
	return sliced(dst, data, slicing{ranges: &r}, opts)
}

// RangesView returns the part of data that r names without copying it: a
// Tensor over the same Data, with its own Shape and Strides. It fails as Slice does.
func RangesView[T any](data Tensor[T], r Ranges) (Tensor[T], error) {
	return slicedView(data, slicing{ranges: &r})
}

// SliceShape returns the shape of Slice's output, or the error that the call
// would return for this shape.
func SliceShape(data []int, r Ranges) ([]int, error) {
	return slicing{ranges: &r}.shape(data)
}

// cuts appends what r makes of each axis of a shape, in order.
func (r *Ranges) cuts(cuts []cut, shape []int) ([]cut, error) {
	bad := func(attribute, value, reason string) ([]cut, error) {
		return nil, &AttributeError{Op: sliceOp, Attribute: attribute, Value: value, Reason: reason}
	}
	n, rank := len(r.Starts), len(shape)
	if len(r.Ends) != n {
		return bad("ends", "of length "+itoa(len(r.Ends)), "starts has length "+itoa(n))
	}
	if len(r.Axes) != n && len(r.Axes) != 0 {
		return bad("axes", "of length "+itoa(len(r.Axes)), "starts has length "+itoa(n))
	}
	if len(r.Steps) != n && len(r.Steps) != 0 {
		return bad("steps", "of length "+itoa(len(r.Steps)), "starts has length "+itoa(n))
	}
	if len(r.Axes) == 0 && n > rank {
		return bad("starts", "of length "+itoa(n), "data has "+itoa(rank)+" axes")
	}
	for axis, size := range shape {
		cuts = append(cuts, cut{axis: axis, step: 1, n: size})
	}
	own := cuts[len(cuts)-rank:]
	for i, start := range r.Starts {
		axis := i
		if len(r.Axes) > 0 {
			named := r.Axes[i]
			if named < -int64(rank) || named >= int64(rank) {
				return bad("axes", ints(r.Axes), "axis "+itoa(named)+" is "+outside(-rank, rank-1))
			}
			if axis = int(named); axis < 0 {
				axis += rank
			}
		}
		c := &own[axis]
		if c.named {
			return bad("axes", ints(r.Axes), "axis "+itoa(axis)+" occurs twice")
		}
		step := int64(1)
		if len(r.Steps) > 0 {
			step = r.Steps[i]
		}
		if step == 0 {
			return bad("steps", ints(r.Steps), "the step of axis "+itoa(axis)+" is 0")
		}
		c.named = true
		c.begin, c.step, c.n = slicedRange(int64(shape[axis]), start, r.Ends[i], step, false, false)
	}
	return cuts, nil
}
