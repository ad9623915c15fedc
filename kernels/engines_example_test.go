package kernels_test

import (
	"fmt"

	"github.com/lanes-go/lanes/kernels"
)

// The code of docs/engines.md.

// A node of an ONNX graph, in an engine whose tensors are bytes with a type that is a number.
func ExampleGatherRaw_onnx() {
	type tensor struct { // the engine's own
		elem  int // TensorProto.DataType
		shape []int
		bytes []byte
	}
	raw := func(t tensor) kernels.Raw {
		return kernels.Raw{Type: kernels.DType(t.elem), Shape: t.shape, Data: t.bytes} // elem: 1 to 16
	}
	table := tensor{2, []int{3, 2}, []byte{1, 2, 3, 4, 5, 6}} // uint8
	rows := tensor{3, []int{2}, []byte{2, 0}}                 // int8

	shape, err := kernels.GatherShape(table.shape, rows.shape, 0, 0) // to plan memory with
	if err != nil {
		fmt.Println(err)
		return
	}
	out := tensor{table.elem, shape, make([]byte, 4)}
	err = kernels.GatherRaw(raw(out), raw(table), raw(rows), 0, 0)
	fmt.Println(out.shape, out.bytes, err)
	// Output: [2 2] [5 6 1 2] <nil>
}

// One index for each row, along all other axes: a stride of 0.
func ExampleScatterElementsUpdate_rows() {
	dest := kernels.New([]float32{
		0, 0,
		10, 10,
	}, 2, 2)
	src := kernels.New([]float32{
		1, 2,
		3, 4,
		5, 6,
	}, 3, 2)
	index := kernels.Tensor[int32]{Data: []int32{1, 0, 1}, Shape: src.Shape, Strides: []int{1, 0}}
	err := kernels.ScatterElementsUpdate(dest, dest, index, src, 0, kernels.ScatterAttrs{Reduction: kernels.Sum})
	fmt.Println(dest.Data, err)
	// Output: [3 4 16 18] <nil>
}

// x.scatter_reduce_(1, index, src, "amax", include_self=False)
func ExampleScatterElementsUpdate_includeSelf() {
	x := kernels.New([]float32{
		9, 9, 9,
		9, 9, 9,
	}, 2, 3)
	index := kernels.New([]int64{
		0, 0, 2,
		1, 1, 1,
	}, 2, 3)
	src := kernels.New([]float32{
		1, 2, 3,
		4, 6, 5,
	}, 2, 3)
	err := kernels.ScatterElementsUpdate(x, x, index, src, 1, kernels.ScatterAttrs{Reduction: kernels.Max, IgnoreInit: true})
	fmt.Println(x.Data, err)
	// Output: [2 9 3 9 6 9] <nil>
}
