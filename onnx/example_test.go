package onnx_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
)

// A model may be built by hand; LoadModel reads one from a file.
func Example() {
	m := &onnx.Model{Opset: 18, Graph: onnx.Graph{
		Inputs: []onnx.Value{{Name: "data"}, {Name: "indices"}},
		Nodes: []onnx.Node{
			{Op: "GatherElements", Inputs: []string{"data", "indices"}, Outputs: []string{"found"},
				Attributes: []onnx.Attribute{{Name: "axis", Type: onnx.AttributeInt, Int: 1}}},
		},
		Outputs: []onnx.Value{{Name: "found"}},
	}}
	s, err := onnx.NewSession(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers := []float32{
		1, 2, 3,
		4, 5, 6,
	}
	data, _ := kernels.RawOf(kernels.New(numbers, 2, 3))
	indices, _ := kernels.RawOf(kernels.New([]int64{2, 0, -1, 1}, 2, 2))
	outputs, err := s.Run(map[string]kernels.Raw{"data": data, "indices": indices})
	if err != nil {
		fmt.Println(err)
		return
	}
	found := outputs["found"]
	fmt.Println(found.Type, found.Shape, floats(found))
	// Output: float [2 2] [3 1 6 5]
}

// A model with an operator that is not here: the caller has a function for it.
func ExampleNewSessionWith() {
	m := &onnx.Model{Opset: 18, Graph: onnx.Graph{
		Inputs: []onnx.Value{{Name: "table"}, {Name: "rows"}},
		Nodes: []onnx.Node{
			{Op: "Gather", Inputs: []string{"table", "rows"}, Outputs: []string{"found"}},
			{Op: "Neg", Inputs: []string{"found"}, Outputs: []string{"negated"}},
		},
		Outputs: []onnx.Value{{Name: "negated"}},
	}}
	negate := func(_ *onnx.Node, in []kernels.Raw, _ ...kernels.Option) ([]kernels.Raw, error) {
		x, err := kernels.TensorOf[float32](in[0]) // what Gather makes is contiguous
		if err != nil {
			return nil, err
		}
		y := make([]float32, len(x.Data))
		for i, v := range x.Data {
			y[i] = -v
		}
		out, err := kernels.RawOf(kernels.New(y, x.Shape...))
		return []kernels.Raw{out}, err
	}
	s, err := onnx.NewSessionWith(m, onnx.Implementations{{Op: "Neg"}: negate})
	if err != nil {
		fmt.Println(err)
		return
	}
	table, _ := kernels.RawOf(kernels.New([]float32{1, 2, 3, 4}, 2, 2))
	rows, _ := kernels.RawOf(kernels.New([]int64{1}, 1))
	outputs, err := s.Run(map[string]kernels.Raw{"table": table, "rows": rows})
	fmt.Println(floats(outputs["negated"]), err)
	// Output: [-3 -4] <nil>
}

// What an opset did not have yet is an error that says since when there is.
func ExampleBind() {
	node := &onnx.Node{Op: "ScatterElements", Attributes: []onnx.Attribute{{Name: "reduction", Type: onnx.AttributeString, String: "add"}}}
	_, err := onnx.Bind(node, 15)
	fmt.Println(err)
	fmt.Println(errors.Is(err, kernels.ErrAttribute))

	o, err := onnx.Bind(node, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := kernels.RawOf(kernels.New([]float32{1, 2, 3}, 3))
	indices, _ := kernels.RawOf(kernels.New([]int64{1, 1}, 2))
	updates, _ := kernels.RawOf(kernels.New([]float32{10, 20}, 2))
	sum, err := o.Run([]kernels.Raw{data, indices, updates})
	fmt.Println(floats(sum), err)
	// Output:
	// onnx: ScatterElements-13: attribute reduction: unknown: it came with version 16
	// true
	// [1 32 3] <nil>
}

func ExampleParseTensor() {
	data, _ := kernels.RawOf(kernels.New([]float32{1, 2, 3}, 3))
	b, err := onnx.AppendTensor(nil, onnx.Tensor{Name: "data", Raw: data})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := onnx.ParseTensor(b, onnx.Config{})
	fmt.Println(t.Name, t.Type, t.Shape, floats(t.Raw), err)
	_, err = onnx.ParseTensor(b[:len(b)-1], onnx.Config{})
	fmt.Println(err)
	// Output:
	// data float [3] [1 2 3] <nil>
	// onnx: raw_data: unexpected EOF (malformed)
}

// floats returns the elements of a contiguous tensor of float32.
func floats(t kernels.Raw) (values []float32) {
	for b := t.Data; len(b) > 0; b = b[4:] {
		values = append(values, math.Float32frombits(binary.NativeEndian.Uint32(b)))
	}
	return values
}
