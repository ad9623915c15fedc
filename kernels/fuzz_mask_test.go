package kernels_test

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

func FuzzCompress(f *testing.F) { fuzz(f, hostileOperators.hostileCompress) }
func FuzzTake(f *testing.F)     { fuzz(f, hostileOperators.hostileTake) }

// hostileMask is a mask of that shape; its storage may be too short.
func (in *hostileInput) hostileMask(shape []int) kernels.Tensor[bool] {
	v, length := in.layout(shape, false)
	m := kernels.Tensor[bool]{Data: make([]bool, length), Shape: v.Shape, Strides: v.Strides, Offset: v.Offset}
	on := in.next() // 0 is never, 255 is mostly
	for i := range m.Data {
		m.Data[i] = byte(in.IntN(255)) < on
	}
	return m
}

func (e *elementRow[T]) hostileCompress(t *testing.T, in *hostileInput) {
	data := e.hostilePlacement(in, in.dims(), false)
	axis, length := kernels.Flattened, int(in.next()%16)
	if r := len(data.Shape); r > 0 && in.next() < 160 {
		along := int(in.next()) % r
		axis, length = along-int(in.next()%2)*r, data.Shape[along]
	}
	if in.rare() {
		axis = in.int()
	}
	condition := in.hostileMask(in.or([]int{length}))
	if tooMuch(data.Shape) || tooMuch(condition.Shape) {
		return
	}
	shape, shapeErr := kernels.CompressShape(data.Shape, condition, axis)
	dst := e.placeInto(in, in.or(shape), data)
	was := slices.Clone(condition.Data)
	e.attempt(t, hostileTrial[T]{
		op: "Compress", dst: dst, inputs: []placement[T]{data}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return e.compressBy(dst, inputs[0], condition, axis, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			generic.Compress(dst.Data, viewOf(dst), inputs[0].Data, viewOf(inputs[0]), was, viewOf(condition), axis)
			return nil
		},
	})
}

func (e *elementRow[T]) hostileTake(t *testing.T, in *hostileInput) {
	data := e.hostilePlacement(in, in.dims(), false)
	q := int(in.next()) % (len(data.Shape) + 1)
	mask := in.hostileMask(in.or(data.Shape[:q]))
	if tooMuch(data.Shape) || tooMuch(mask.Shape) {
		return
	}
	shape, shapeErr := kernels.TakeShape(data.Shape, mask)
	dst := e.placeInto(in, in.or(shape), data)
	was := slices.Clone(mask.Data)
	e.attempt(t, hostileTrial[T]{
		op: "Take", dst: dst, inputs: []placement[T]{data}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return e.takeBy(dst, inputs[0], mask, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			generic.Take(dst.Data, viewOf(dst), inputs[0].Data, viewOf(inputs[0]), was, viewOf(mask))
			return nil
		},
	})
}
