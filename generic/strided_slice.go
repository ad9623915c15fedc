package generic

import (
	"errors"
	"strconv"
)

// Slice says which part of a tensor StridedSlice takes, as kernels.SliceSpec does.
type Slice struct {
	Begin, End, Strides                                           []int64
	BeginMask, EndMask, NewAxisMask, ShrinkAxisMask, EllipsisMask []bool
}

// ErrSlice is the error of a Slice that is not allowed.
var ErrSlice = errors.New("invalid slice")

// StridedSlice defines kernels.StridedSlice: each axis of data is read from
// its begin on, in steps of its stride; see Slice.read.
func StridedSlice[T any](dst []T, dv View, data []T, sv View, s Slice) error {
	shape, axes, err := s.read(sv.Shape)
	if err != nil {
		return err
	}
	for c := range Coordinates(shape) {
		dst[dv.Address(c)] = data[sv.Address(read(axes, c))]
	}
	return nil
}

// StridedSliceShape returns the shape of the output. Its errors are ErrSlice,
// and a *BadIndex for the leftmost shrunk begin that names no element.
func StridedSliceShape(shape []int, s Slice) ([]int, error) {
	out, _, err := s.read(shape)
	return out, err
}

// source says where an output's coordinate c reads on one axis of data: at
// begin + c[along]*stride, or at begin alone if the axis is shrunk.
type source struct {
	begin, stride int64
	along         int // an axis of the output
}

const shrunk = -1

// read returns the coordinates in data that the output's coordinates c are read at.
func read(axes []source, c []int) []int {
	from := make([]int, len(axes))
	for d, a := range axes {
		from[d] = int(a.begin)
		if a.along != shrunk {
			from[d] = int(a.begin + int64(c[a.along])*a.stride)
		}
	}
	return from
}

// read returns the output's shape, and for each axis of data how it is read.
func (s Slice) read(data []int) (shape []int, axes []source, err error) {
	n := len(s.Begin)
	if len(s.End) != n || len(s.Strides) != 0 && len(s.Strides) != n {
		return nil, nil, ErrSlice
	}
	ellipses, missing := 0, len(data)
	for i := range n {
		switch {
		case set(s.EllipsisMask, i):
			ellipses++
		case set(s.NewAxisMask, i):
		default:
			missing--
		}
	}
	if ellipses > 1 || missing < 0 {
		return nil, nil, ErrSlice
	}

	take := func(begin, stride, size int64) {
		axes = append(axes, source{begin, stride, len(shape)})
		shape = append(shape, int(size))
	}
	whole := func() { take(0, 1, int64(data[len(axes)])) }
	for i := range n {
		switch {
		case set(s.EllipsisMask, i):
			for range missing {
				whole()
			}
		case set(s.NewAxisMask, i):
			shape = append(shape, 1)
		case set(s.ShrinkAxisMask, i):
			begin, axis := s.Begin[i], len(axes)
			if set(s.BeginMask, i) {
				begin = 0
			}
			x, ok := element(begin, data[axis])
			if !ok {
				return nil, nil, &BadIndex{nil, strconv.FormatInt(begin, 10), axis, data[axis]}
			}
			axes = append(axes, source{int64(x), 0, shrunk})
		default:
			begin, stride, size, err := s.span(i, int64(data[len(axes)]))
			if err != nil {
				return nil, nil, err
			}
			take(begin, stride, size)
		}
	}
	for len(axes) < len(data) {
		whole()
	}
	return shape, axes, nil
}

// span returns where entry i begins on an axis of size d, its stride, and how
// many elements it takes.
func (s Slice) span(i int, d int64) (begin, stride, size int64, err error) {
	stride = 1
	if len(s.Strides) != 0 {
		stride = s.Strides[i]
	}
	fromEnd := func(x int64) int64 {
		if x < 0 {
			return x + d
		}
		return x
	}
	clamp := func(x, least, most int64) int64 { return min(max(x, least), most) }
	switch {
	case stride == 0:
		return 0, 0, 0, ErrSlice
	case d == 0:
		return 0, stride, 0, nil
	case stride > 0:
		begin, end := int64(0), d
		if !set(s.BeginMask, i) {
			begin = clamp(fromEnd(s.Begin[i]), 0, d)
		}
		if !set(s.EndMask, i) {
			end = clamp(fromEnd(s.End[i]), 0, d)
		}
		if begin < end {
			size = 1 + (end-begin-1)/stride
		}
		return begin, stride, size, nil
	default:
		begin, end := d-1, int64(-1)
		if !set(s.BeginMask, i) {
			begin = clamp(fromEnd(s.Begin[i]), 0, d-1)
		}
		if !set(s.EndMask, i) {
			end = clamp(fromEnd(s.End[i]), -1, d-1)
		}
		if begin > end {
			// The quotient is negative: the least int64 has no opposite to divide by.
			size = 1 - (begin-end-1)/stride
		}
		return begin, stride, size, nil
	}
}

// set reports a mask's bit; those that a mask lacks are 0.
func set(mask []bool, i int) bool { return i < len(mask) && mask[i] }
