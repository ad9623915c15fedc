package kernels

import (
	"slices"

	"github.com/lanes-go/lanes"
)

const takeOp = "Take"

// Take keeps the parts of data for which mask is true, which covers the
// leading axes:
//
//	dst[i, …] = data[k[i]…, …]
//
// where k[0], k[1], … are the coordinates of what is true in mask, in
// row-major order. It is data[mask] of NumPy, torch.masked_select where mask has
// data's shape, and tf.boolean_mask.
//
// mask has rank q ≤ r = rank(data) and the shape data.Shape[:q]; dst has the
// shape [n] ++ data.Shape[q:], where n is how many elements of mask are true
// (TakeShape counts them).
//
// dst may have any strides under which no two coordinates share an element,
// and shares no memory with data or mask. Every failure is found before
// anything is written: a ShapeError or an OverlapError.
//
// Sources: NumPy's boolean array indexing (2.x), which a mask of rank 0 is allowed by.
func Take[T any](dst, data Tensor[T], mask Tensor[bool], opts ...Option) error {
	s := begin(takeOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	m := view{tensor: tensorOf(&mask), role: maskRole, size: elementSize(&mask)}
	var e elem
	elemOf[T](&e)
	return s.done(take(&s, &e, &d, &f, &m))
}

// TakeShape returns the shape of Take's output, or the error that the call
// would return for these arguments. It counts what is true in mask.
func TakeShape(data []int, mask Tensor[bool]) ([]int, error) {
	m := view{tensor: tensorOf(&mask), role: maskRole, size: elementSize(&mask)}
	return takeShape(data, &m)
}

func takeShape(data []int, m *view) ([]int, error) {
	if err := checkTake(data, m); err != nil {
		return nil, err
	}
	shape := append([]int{m.countTrue()}, data[len(m.shape):]...)
	if err := checkShape(takeOp, dstRole, shape); err != nil {
		return nil, err
	}
	return shape, nil
}

func checkTake(data []int, mask *view) error {
	if err := checkShape(takeOp, dataRole, data); err != nil {
		return err
	}
	if err := mask.check(takeOp); err != nil {
		return err
	}
	if q := len(mask.shape); q > len(data) || !slices.Equal(mask.shape, data[:q]) {
		return mask.shapeError(takeOp, "want the leading dimensions of data, "+ints(data))
	}
	return nil
}

func take(s *settings, e *elem, dst, data, by *view) error {
	if err := checkTake(data.shape, by); err != nil {
		return err
	}
	if err := data.check(takeOp); err != nil {
		return err
	}
	m := mask{end: len(by.shape)}
	m.Memory, m.at.idx = by.memory(lanes.KindBool, 1)
	loops := m.array[:0]
	for d, n := range by.shape {
		loops = append(loops, loop{n, [3]int{srcOp: data.stride(d) * e.units, idxOp: by.stride(d)}})
	}
	m.set(pad(collapse(loops), 1))
	return m.take(takeOp, s, e, dst, data, by)
}
