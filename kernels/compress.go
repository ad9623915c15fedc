package kernels

import (
	"math"

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
// data has rank r ≥ 1, axis is in [-r, r-1] or Flattened, and condition has rank 1 and is no longer
// than the axis, or than data has elements; what it does not reach is left out. dst has the shape
// of data, but for the axis: there it is as long as condition has elements that are true
// (CompressShape counts them), and with Flattened it is of that length alone.
//
// dst may have any strides under which no two coordinates share an element,
// and shares no memory with data or condition. Every failure is found before
// anything is written: a ShapeError, an AttributeError (axis) or an OverlapError.
//
// Sources: ONNX Compress-9 and -11 (which has negative axes). ONNX Runtime ignores what a longer
// condition has behind the axis; NumPy refuses it when it is true; here it is a ShapeError.
func Compress[T any](dst, data Tensor[T], condition Tensor[bool], axis int, opts ...Option) error {
	s := begin(compressOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	m := view{tensor: tensorOf(&condition), role: conditionRole, size: elementSize(&condition)}
	var e elem
	elemOf[T](&e)
	return s.done(compress(&s, &e, &d, &f, &m, axis))
}

// CompressShape returns the shape of Compress' output, or the error that the
// call would return for these arguments. It counts what is true in condition.
func CompressShape(data []int, condition Tensor[bool], axis int) ([]int, error) {
	m := view{tensor: tensorOf(&condition), role: conditionRole, size: elementSize(&condition)}
	return compressShape(nil, data, &m, axis)
}

// checkCompress checks shapes and the axis, which it returns counted from 0.
func checkCompress(data []int, condition *view, axis int) (int, error) {
	const op = compressOp
	count, reason := elements(data)
	if reason == "" && len(data) == 0 {
		reason = "needs at least one axis"
	}
	if reason != "" {
		return 0, shapeError(op, dataRole, data, reason)
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
		return 0, condition.shapeError(op, "want rank 1")
	}
	if condition.count > count {
		return 0, condition.shapeError(op, "it is longer than the "+itoa(count)+" elements that it chooses from")
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

func compress(s *settings, e *elem, dst, data, condition *view, axis int) error {
	axis, err := checkCompress(data.shape, condition, axis)
	if err != nil {
		return err
	}
	if err := data.check(compressOp); err != nil {
		return err
	}
	m := mask{first: axis, end: axis + 1}
	m.Memory, m.at.idx = condition.memory(lanes.KindBool, 1)
	if axis != Flattened {
		m.set(append(m.array[:0], loop{condition.count, [3]int{srcOp: data.stride(axis) * e.units, idxOp: condition.stride(0)}}))
		return m.take(compressOp, s, e, dst, data, condition)
	}
	m.first, m.end = 0, len(data.shape)
	loops, length := flattened(m.array[:0], e, data, condition)
	m.set(loops)
	if length > condition.count {
		// A condition that repeats may be longer than there is memory. dst has as much, or nothing
		// is padded.
		err := checkDst(compressOp, dst, []int{condition.countTrue()}, data, condition)
		if err != nil || dst.count == 0 || e.size == 0 {
			return err
		}
		if length > mostKept {
			return condition.shapeError(compressOp, "the padded condition exceeds the memory")
		}
		buffer, padded := bufferFor(length, lanes.KindBool)
		defer buffers.Put(buffer)
		clearBytes(slice[byte](&padded)[condition.count:])
		lanes.CopyRaw(lanes.Window{Memory: padded, Col: 1}, lanes.Window{Memory: m.Memory, At: m.at.idx, Col: condition.stride(0)}, 1, condition.count)
		m.Memory, m.at.idx = padded, 0
	}
	return m.take(compressOp, s, e, dst, data, condition)
}

// flattened returns the loops of a condition over all elements of data in row-major order, as far
// as it reaches, and the length that the condition needs for them. That is more than it has if it
// ends within a row of loops that do not merge; the loops are then over a padded, contiguous copy.
func flattened(loops []loop, e *elem, data, condition *view) ([]loop, int) {
	length, left := condition.count, data.count
	if length == 0 {
		return append(loops, loop{}), 0
	}
	for d, n := range data.shape {
		left /= n
		loops = append(loops, loop{n, [3]int{srcOp: data.stride(d) * e.units, idxOp: left}})
	}
	loops = pad(collapse(loops), 1)
	inner := data.count / loops[0].n // elements of a step of the outermost loop
	for len(loops) > 1 && length <= inner {
		loops = loops[1:]
		inner /= loops[0].n
	}
	outer := &loops[0]
	outer.n = (length-1)/inner + 1
	if outer.n*inner == length {
		for i := range loops {
			loops[i].s[idxOp] *= condition.stride(0)
		}
	}
	return loops, outer.n * inner
}
