package kernels

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes"
)

const compressOp = "Compress"

// Flattened is the axis of Compress for data that is taken as one row, in
// row-major order: the attribute axis left out.
const Flattened = math.MinInt

// Compress keeps the slices of data along axis for which condition is true:
//
//	dst[…, i, …] = data[…, k[i], …]    (i and k[i] stand on axis)
//
// where k[0] < k[1] < … are the positions of what is true in condition. With
// axis Flattened, data is taken as one row and dst has rank 1.
//
// data has rank r ≥ 1, axis is in [-r, r-1] or Flattened, and condition has
// rank 1 and is no longer than the axis, or than data has elements; what
// it does not reach is left out. dst has the shape of data, but for the axis: there it
// is as long as condition has elements that are true (CompressShape counts them), and with
// Flattened it is of that length alone.
//
// dst may have any strides under which no two coordinates share an element,
// and shares no memory with data or condition. Every failure is found before
// anything is written: a ShapeError, an AttributeError (axis) or an OverlapError.
//
// Sources: ONNX Compress-9 and -11 (which has negative axes). ONNX Runtime
// ignores what a longer condition has behind the axis; NumPy refuses it when it is true; here it is a ShapeError.
func Compress[T any](dst, data Tensor[T], condition Tensor[bool], axis int, opts ...Option) error {
	w := watching(compressOp, opts)
	d, s, m := viewOf(dstRole, &dst), viewOf(dataRole, &data), viewOf(conditionRole, &condition)
	return w.done(opts, compress(elemOf[T](), &d, &s, &m, axis, settle(opts, w), func(to, from, n int) {
		copy(dst.Data[to:to+n], data.Data[from:from+n])
	}))
}

// CompressShape returns the shape of Compress' output, or the error that the
// call would return for these arguments. It counts what is true in condition.
func CompressShape(data []int, condition Tensor[bool], axis int) ([]int, error) {
	m := viewOf(conditionRole, &condition)
	return compressShape(nil, data, &m, axis)
}

// checkCompress checks shapes and the axis, which it returns counted from 0.
func checkCompress(data []int, condition *view, axis int) (int, error) {
	const op = compressOp
	count, reason := elements(data)
	if reason == "" && len(data) == 0 {
		reason = "it needs one axis at least"
	}
	if reason != "" {
		return 0, &ShapeError{Op: op, Tensor: dataRole.String(), Shape: slices.Clone(data), Reason: reason}
	}
	if axis != Flattened {
		var err error
		if axis, err = checkAxis(op, axis, len(data)); err != nil {
			return 0, err
		}
		count = data[axis]
	}
	if err := condition.check(op); err != nil {
		return 0, err
	}
	if len(condition.shape) != 1 {
		return 0, condition.shapeError(op, "its rank is not 1")
	}
	if condition.count > count {
		return 0, condition.shapeError(op, fmt.Sprintf("it is longer than the %d elements that it chooses from", count))
	}
	return axis, nil
}

// compressShape appends the output's shape to buf.
func compressShape(buf, data []int, condition *view, axis int) ([]int, error) {
	axis, err := checkCompress(data, condition, axis)
	if err != nil {
		return nil, err
	}
	count := condition.countTrue()
	if axis == Flattened {
		return append(buf, count), nil
	}
	shape := append(buf, data...)
	shape[len(shape)-len(data)+axis] = count
	return shape, nil
}

func compress(e elem, dst, data, condition *view, axis int, o settings, move func(dst, src, n int)) error {
	axis, err := checkCompress(data.shape, condition, axis)
	if err != nil {
		return err
	}
	if err := data.check(compressOp); err != nil {
		return err
	}
	var buf [maxDims]dim
	m := mask{dims: buf[:0], first: axis, end: axis + 1}
	m.memory, m.at = condition.memory(1)
	if axis == Flattened {
		m.first, m.end = 0, len(data.shape)
		var length int
		if m.dims, length = flattened(m.dims, &e, data, condition); length > condition.count {
			if length > mostKept {
				return condition.shapeError(compressOp, "so long a condition on rows of data that don't merge fits no memory")
			}
			room, padded := roomFor(length, 1)
			defer rooms.Put(room)
			clear(slice[bool](&padded)[condition.count:])
			lanes.Copy(lanes.Plane[bool]{Data: slice[bool](&padded), Col: 1},
				lanes.Plane[bool]{Data: slice[bool](&m.memory), At: m.at, Col: condition.stride(0)}, 1, condition.count)
			m.memory, m.at = padded, 0
		}
	} else {
		m.dims = append(m.dims, dim{condition.count, [3]int{srcOp: data.stride(axis) * e.units, idxOp: condition.stride(0)}})
	}
	return m.take(compressOp, &e, o, dst, data, condition, move)
}

// flattened returns the loops of a condition over all elements of data in
// row-major order, as far as it reaches, and how many elements they need it to have. That is
// more than it has where it ends within a row of loops that don't merge; the loops are
// then over a contiguous copy.
func flattened(dims []dim, e *elem, data, condition *view) ([]dim, int) {
	length, left := condition.count, data.count
	if length == 0 {
		return append(dims, dim{}), 0
	}
	for d, n := range data.shape {
		left /= n
		dims = append(dims, dim{n, [3]int{srcOp: data.stride(d) * e.units, idxOp: left}})
	}
	dims = pad(collapse(dims), 1)
	inner := data.count / dims[0].n // elements of a step of the outermost loop
	for len(dims) > 1 && length <= inner {
		dims = dims[1:]
		inner /= dims[0].n
	}
	outer := &dims[0]
	outer.n = (length-1)/inner + 1
	if outer.n*inner == length {
		for i := range dims {
			dims[i].s[idxOp] *= condition.stride(0)
		}
	}
	return dims, outer.n * inner
}
