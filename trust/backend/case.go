// Package backend reads the ONNX project's backend node tests as they are
// shipped: a model.onnx and a test_data_set_0 of .pb files for each, in the
// wheels of PyPI's onnx. Its tests run those of the operators that package onnx has.
package backend

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
)

// A Case is a node test.
type Case struct {
	Name      string
	Op        string // the node's, as ONNX names it
	Opset     int64
	Reduction string // the attribute
	Output    onnx.Tensor

	session  *onnx.Session
	operator *onnx.Operator
	inputs   map[string]kernels.Raw
	operands []kernels.Raw // the node's inputs in order; the zero Raw: one that is left out
}

// errOther is the error of a model that is not one node of an operator that is tested.
var errOther = errors.New("another operator")

// Operators are those that are tested.
var Operators = []string{"GatherElements", "GatherND", "Gather", "ScatterElements", "Scatter", "ScatterND", "TensorScatter", "Slice", "Compress", "Identity", "Constant"}

// caseOf reads a test from its files. The error is errOther for a model of
// other operators.
func caseOf(name string, file func(name string) ([]byte, error)) (*Case, error) {
	b, err := file("model.onnx")
	if err != nil {
		return nil, err
	}
	model, err := onnx.ParseModel(b, onnx.Config{})
	if errors.Is(err, onnx.ErrUnsupported) {
		return nil, errOther // values that are no tensors, or of types that lanes does not have
	}
	if err != nil {
		return nil, err
	}
	g := &model.Graph
	if len(g.Nodes) != 1 || g.Nodes[0].Domain != "" || !slices.Contains(Operators, g.Nodes[0].Op) {
		return nil, errOther
	}
	node := &g.Nodes[0]
	c := &Case{Name: name, Op: node.Op, Opset: model.Opset, inputs: map[string]kernels.Raw{}}
	if len(g.Initializers) > 0 || len(g.Outputs) != 1 {
		return nil, errors.New("initializers, or not one output")
	}
	if c.session, err = onnx.NewSession(model); err != nil {
		return nil, err
	}
	if c.operator, err = onnx.Bind(node, model.Opset); err != nil {
		return nil, err
	}
	tensor := func(name string) (t onnx.Tensor, err error) {
		b, err := file("test_data_set_0/" + name)
		if err == nil {
			t, err = onnx.ParseTensor(b, onnx.Config{})
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return t, err
	}
	for i, v := range g.Inputs {
		t, err := tensor(fmt.Sprintf("input_%d.pb", i))
		if err != nil {
			return nil, err
		}
		c.inputs[v.Name] = t.Raw
	}
	for _, name := range node.Inputs {
		c.operands = append(c.operands, c.inputs[name])
	}
	for _, a := range node.Attributes {
		if a.Name == "reduction" {
			c.Reduction = a.String
		}
	}
	c.Output, err = tensor("output_0.pb")
	return c, err
}
