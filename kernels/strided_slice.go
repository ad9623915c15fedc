package kernels

const stridedSliceOp = "StridedSlice"

// SliceSpec says which part of a tensor StridedSlice and SliceView take, and SliceScatter
// writes, as OpenVINO StridedSlice-1 does. The entries i = 0 … len(Begin)-1 are read from
// the left, and each does one thing, the first of these that is set:
//
//   - EllipsisMask[i] takes as many whole axes as the other entries leave over,
//     perhaps none. At most one entry may be an ellipsis.
//   - NewAxisMask[i] inserts an axis of size 1 and consumes none.
//   - ShrinkAxisMask[i] takes the element Begin[i] of the next axis, and the axis
//     goes. Begin[i] is in [-d, d-1] for an axis of size d; with BeginMask[i] it is element 0.
//   - otherwise, the elements Begin[i], Begin[i]+Strides[i], … of the next
//     axis up to End[i], which is not among them.
//
// Axes left over at the end are taken whole. In the last case a negative bound has d added; then a
// Begin and End for a positive stride are clamped to [0, d], for a negative one to [0, d-1] and
// [-1, d-1]. BeginMask[i] and EndMask[i] take the whole range on their side, in the direction of
// the stride. Bounds and strides are full 64-bit numbers, math.MinInt64 and math.MaxInt64 too.
//
// Begin and End have the same length; Strides has it too, or length 0, which
// means all 1. A mask that is shorter is padded with false; what is longer is ignored.
type SliceSpec struct {
	Begin, End, Strides                                           []int64
	BeginMask, EndMask, NewAxisMask, ShrinkAxisMask, EllipsisMask []bool
}

// StridedSlice copies the part of data that spec names to dst, whose shape is
// StridedSliceShape(data.Shape, spec). data may have any rank, 0 too.
//
// dst may have any strides under which no two coordinates share an element,
// and shares no memory with data. Every failure is found before anything is
// written: an AttributeError (lengths of lists, a stride of 0, more than one ellipsis,
// more entries than axes), an IndexError with a nil Position (the begin of a shrunk
// axis), a ShapeError or an OverlapError.
//
// Sources: OpenVINO StridedSlice-1, with ONNX Slice-10's clamping of negative
// strides; NumPy's differs for a begin below -d.
func StridedSlice[T any](dst, data Tensor[T], spec SliceSpec, opts ...Option) error {
	return sliced(dst, data, slicing{spec: &spec}, opts)
}

// SliceView returns the part of data that spec names without copying it: a
// Tensor over the same Data, with its own Shape and Strides. It fails as
// StridedSlice does.
func SliceView[T any](data Tensor[T], spec SliceSpec) (Tensor[T], error) {
	return slicedView(data, slicing{spec: &spec})
}

// StridedSliceShape returns the shape of StridedSlice's output, or the error
// that the call would return for this shape.
func StridedSliceShape(data []int, spec SliceSpec) ([]int, error) {
	return slicing{spec: &spec}.shape(data)
}

// cuts appends what spec makes of each axis of a shape, in order.
func (spec *SliceSpec) cuts(op string, cuts []cut, shape []int) ([]cut, error) {
	bad := func(attribute, value, reason string) ([]cut, error) {
		return nil, &AttributeError{Op: op, Attribute: attribute, Value: value, Reason: reason}
	}
	n := len(spec.Begin)
	if len(spec.End) != n {
		return bad("end", "of length "+itoa(len(spec.End)), "begin has length "+itoa(n))
	}
	if len(spec.Strides) != n && len(spec.Strides) != 0 {
		return bad("strides", "of length "+itoa(len(spec.Strides)), "begin has length "+itoa(n))
	}
	consumed, ellipses := 0, 0
	for i := range n {
		switch {
		case bit(spec.EllipsisMask, i):
			ellipses++
		case !bit(spec.NewAxisMask, i):
			consumed++
		}
	}
	if ellipses > 1 {
		return bad("ellipsis_mask", "with "+itoa(ellipses)+" bits", "at most one is allowed")
	}
	if consumed > len(shape) {
		return bad("begin", "of length "+itoa(n), "it takes "+itoa(consumed)+" axes, data has "+itoa(len(shape)))
	}

	axis := 0
	whole := func(count int) {
		for range count {
			cuts = append(cuts, cut{axis: axis, step: 1, n: shape[axis]})
			axis++
		}
	}
	for i := range n {
		switch {
		case bit(spec.EllipsisMask, i):
			whole(len(shape) - consumed)
		case bit(spec.NewAxisMask, i):
			cuts = append(cuts, cut{axis: -1, step: 1, n: 1})
		case bit(spec.ShrinkAxisMask, i):
			begin := spec.Begin[i]
			if bit(spec.BeginMask, i) {
				begin = 0
			}
			k, d := begin, int64(shape[axis])
			if k < 0 {
				k += d
			}
			if k < 0 || k >= d {
				return nil, &IndexError{Op: op, Value: itoa(begin), Axis: axis, Size: shape[axis]}
			}
			cuts = append(cuts, cut{axis: axis, begin: int(k), step: 1, n: 1, shrunk: true})
			axis++
		default:
			stride := int64(1)
			if len(spec.Strides) > 0 {
				stride = spec.Strides[i]
			}
			if stride == 0 {
				return bad("strides", ints(spec.Strides), "the stride of axis "+itoa(axis)+" is 0")
			}
			begin, step, n := slicedRange(int64(shape[axis]), spec.Begin[i], spec.End[i], stride, bit(spec.BeginMask, i), bit(spec.EndMask, i))
			cuts = append(cuts, cut{axis: axis, begin: begin, step: step, n: n})
			axis++
		}
	}
	whole(len(shape) - axis)
	return cuts, nil
}

// bit returns mask[i], false past its end.
func bit(mask []bool, i int) bool { return i < len(mask) && mask[i] }
