package kernels

import (
	"fmt"
	"slices"
)

const stridedSliceOp = "StridedSlice"

// SliceSpec says which part of a tensor StridedSlice and SliceView take, as
// OpenVINO StridedSlice-1 does. The entries i = 0 … len(Begin)-1 are read from
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
// Axes left over at the end are taken whole. In the last case a negative bound has d added;
// then a Begin and End for a positive stride are clamped to [0, d], for a
// negative one to [0, d-1] and [-1, d-1]. BeginMask[i] and EndMask[i] take the
// whole range on their side, in the direction of the stride. Bounds and strides
// are full 64-bit numbers, math.MinInt64 and math.MaxInt64 too.
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
	w := watching(stridedSliceOp, opts)
	if stridedSliceFew(&dst, &data, &spec) {
		return w.few(opts, sizeOf[T](), dst.Shape)
	}
	d, s := viewOf(dstRole, &dst), viewOf(dataRole, &data)
	return w.done(opts, stridedSlice(elemOf[T](), &d, &s, &spec, settle(opts, w), func(to, from, n int) {
		copy(dst.Data[to:to+n], data.Data[from:from+n])
	}))
}

// SliceView returns the part of data that spec names without copying it: a
// Tensor over the same Data, with its own Shape and Strides. It fails as
// StridedSlice does.
func SliceView[T any](data Tensor[T], spec SliceSpec) (Tensor[T], error) {
	part := viewOf(dataRole, &data)
	shape, strides, offset, err := part.sliced(&spec)
	if err != nil {
		return Tensor[T]{}, err
	}
	return Tensor[T]{Data: data.Data, Shape: shape, Strides: strides, Offset: offset}, nil
}

// sliced is slice of a view that is still to be checked. What it returns is its own.
func (v *view) sliced(spec *SliceSpec) (shape, strides []int, offset int, err error) {
	if err := v.check(stridedSliceOp); err != nil {
		return nil, nil, 0, err
	}
	var cuts [maxDims]cut
	return v.slice(spec, cuts[:0], nil)
}

// StridedSliceShape returns the shape of StridedSlice's output, or the error
// that the call would return for this shape.
func StridedSliceShape(data []int, spec SliceSpec) ([]int, error) {
	if err := checkShape(stridedSliceOp, dataRole, data); err != nil {
		return nil, err
	}
	var buf [maxDims]cut
	cuts, err := spec.cuts(buf[:0], data)
	if err != nil {
		return nil, err
	}
	shape := make([]int, 0, len(cuts))
	for _, c := range cuts {
		if !c.shrunk {
			shape = append(shape, c.n)
		}
	}
	return shape, nil
}

func stridedSlice(e elem, dst, data *view, spec *SliceSpec, o settings, move func(dst, src, n int)) error {
	if err := data.check(stridedSliceOp); err != nil {
		return err
	}
	var (
		cuts [maxDims]cut
		dims [2 * maxDims]int
		part = *data
	)
	var err error
	if part.shape, part.strides, part.offset, err = data.slice(spec, cuts[:0], dims[:0]); err != nil {
		return err
	}
	if err := part.check(stridedSliceOp); err != nil {
		return err
	}
	if err := checkDst(stridedSliceOp, dst, part.shape, data); err != nil {
		return err
	}
	copyView(o, &e, dst, &part, false, move)
	return nil
}

// slice returns the part of a checked view that spec names, as a view of the
// same data. Its shape and strides are appended to dims.
func (v *view) slice(spec *SliceSpec, buf []cut, dims []int) (shape, strides []int, offset int, err error) {
	cuts, err := spec.cuts(buf, v.shape)
	if err != nil {
		return nil, nil, 0, err
	}
	for _, c := range cuts {
		if !c.shrunk {
			dims = append(dims, c.n)
		}
	}
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
	return dims[:rank:rank], dims[rank:], offset, nil
}

// A cut is what an entry of a SliceSpec comes to for an axis: n elements from
// begin on, step apart.
type cut struct {
	axis           int // of data; -1 for a new axis
	begin, step, n int
	shrunk         bool // the axis goes
}

// cuts appends what spec makes of each axis of a shape, in order.
func (spec *SliceSpec) cuts(cuts []cut, shape []int) ([]cut, error) {
	const op = stridedSliceOp
	bad := func(attribute, value, reason string) ([]cut, error) {
		return nil, &AttributeError{Op: op, Attribute: attribute, Value: value, Reason: reason}
	}
	n := len(spec.Begin)
	if len(spec.End) != n {
		return bad("end", fmt.Sprintf("of length %d", len(spec.End)), "begin has length "+itoa(n))
	}
	if len(spec.Strides) != n && len(spec.Strides) != 0 {
		return bad("strides", fmt.Sprintf("of length %d", len(spec.Strides)), "begin has length "+itoa(n))
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
		return bad("ellipsis_mask", fmt.Sprintf("with %d bits", ellipses), "at most one is allowed")
	}
	if consumed > len(shape) {
		return bad("begin", fmt.Sprintf("of length %d", n), fmt.Sprintf("it takes %d axes, data has %d", consumed, len(shape)))
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
				return nil, &IndexError{Op: op, Value: fmt.Sprint(begin), Axis: axis, Size: shape[axis]}
			}
			cuts = append(cuts, cut{axis: axis, begin: int(k), step: 1, n: 1, shrunk: true})
			axis++
		default:
			stride := int64(1)
			if len(spec.Strides) > 0 {
				stride = spec.Strides[i]
			}
			if stride == 0 {
				return bad("strides", fmt.Sprint(slices.Clone(spec.Strides)), "the stride of axis "+itoa(axis)+" is 0")
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

// slicedRange returns the elements of an axis of size d that a begin, an end and a
// stride other than 0 name: n of them from begin on, step apart. Nothing
// overflows, whatever the numbers.
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
		return int(begin), 1, 1 // a stride that is never taken may not fit an int
	}
	return int(begin), int(stride), n
}
