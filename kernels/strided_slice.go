package kernels

// SliceSpec says which part of a tensor StridedSlice takes, as OpenVINO
// StridedSlice-1 does.
type SliceSpec struct {
	Begin, End, Strides                                           []int64
	BeginMask, EndMask, NewAxisMask, ShrinkAxisMask, EllipsisMask []bool
}

func StridedSlice[T any](dst, data Tensor[T], spec SliceSpec, opts ...Option) error { panic("pending") }

func SliceView[T any](data Tensor[T], spec SliceSpec) (Tensor[T], error) { panic("pending") }

func StridedSliceShape(data []int, spec SliceSpec) ([]int, error) { panic("pending") }
