package main

import (
	"unsafe"

	"github.com/born-ml/born/tensor"

	"github.com/lanes-go/lanes/kernels"
)

// A view is a kernels.Tensor of a type that is known at run time: memory of a born tensor.
type view struct {
	typ            tensor.DataType
	data           []byte
	shape, strides []int // strides nil: contiguous
	offset         int
}

func of(t *tensor.RawTensor) view {
	return view{typ: t.DType(), data: t.Data(), shape: t.Shape()}
}

// strided is of with the strides written out.
func strided(t *tensor.RawTensor) view {
	v := of(t)
	v.strides = t.Shape().ComputeStrides()
	return v
}

// as is the view as a kernels.Tensor; nothing is copied.
func as[T any](v view) kernels.Tensor[T] {
	var z T
	first := (*T)(unsafe.Pointer(unsafe.SliceData(v.data)))
	return kernels.Tensor[T]{
		Data:    unsafe.Slice(first, len(v.data)/int(unsafe.Sizeof(z))),
		Shape:   v.shape,
		Strides: v.strides,
		Offset:  v.offset,
	}
}

// operators has the operators of lanes for each type that born has.
var operators = map[tensor.DataType]operatorsOf{
	tensor.Float32: forType[float32](),
	tensor.Float64: forType[float64](),
	tensor.Int32:   forType[int32](),
	tensor.Int64:   forType[int64](),
	tensor.Uint8:   forType[uint8](),
	tensor.Bool:    forType[bool](),
}

type operatorsOf struct {
	gatherElements func(dst, data, indices view, axis int, options []kernels.Option) error
	gatherND       func(dst, data, indices view, options []kernels.Option) error
	scatterAdd     func(dst, data, indices, updates view, axis int, options []kernels.Option) error
	copy           func(dst, src view, options []kernels.Option) error
}

func forType[T any]() operatorsOf {
	return operatorsOf{
		gatherElements: func(dst, data, indices view, axis int, options []kernels.Option) error {
			return kernels.GatherElements(as[T](dst), as[T](data), as[int32](indices), axis, options...)
		},
		gatherND: func(dst, data, indices view, options []kernels.Option) error {
			return kernels.GatherND(as[T](dst), as[T](data), as[int32](indices), 0, options...)
		},
		scatterAdd: func(dst, data, indices, updates view, axis int, options []kernels.Option) error {
			sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
			return kernels.ScatterElementsUpdate(as[T](dst), as[T](data), as[int32](indices), as[T](updates), axis, sum, options...)
		},
		copy: func(dst, src view, options []kernels.Option) error {
			return kernels.StridedSlice(as[T](dst), as[T](src), kernels.SliceSpec{}, options...)
		},
	}
}
