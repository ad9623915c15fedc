// Package backend reads the ONNX project's backend node tests as they are
// shipped: a model.onnx and a test_data_set_0 of .pb files for each, in the
// wheels of PyPI's onnx. Its tests run those of the operators that lanes has.
package backend

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// A Case is a node test.
type Case struct {
	Name   string
	Op     string // the node's, as ONNX names it
	Opset  int64
	Call   calls.Call
	Output calls.Tensor
}

// errOther is the error of a model that is not one node of an operator that lanes has.
var errOther = errors.New("another operator")

// operators is how each of ONNX's is called here, by its inputs in order.
var operators = map[string]func(*Case, message, []*calls.Tensor) error{
	"GatherElements":  gather(calls.GatherElements),
	"GatherND":        gather(calls.GatherND),
	"Gather":          gather(calls.Gather), // without batch_dims, which ONNX doesn't have
	"ScatterND":       scatter(calls.ScatterNDUpdate),
	"ScatterElements": scatter(calls.ScatterElementsUpdate),
	"Scatter":         scatter(calls.ScatterElementsUpdate), // what ScatterElements was called before version 11
	"Slice":           slice,                                // with bounds as inputs, since version 10
}

// operatorOf returns the one node of a model, its graph and its version.
func operatorOf(model []byte) (graph, node message, opset int64, err error) {
	m, err := decode("Model", model)
	if err != nil {
		return message{}, message{}, 0, err
	}
	if !m.has("graph") {
		return message{}, message{}, 0, errors.New("a model without a graph")
	}
	graph = asMessage(m.get("graph"))
	nodes := list(graph, "node", asMessage)
	if len(nodes) != 1 {
		return message{}, message{}, 0, errOther
	}
	node = nodes[0]
	if operators[node.text("op_type")] == nil || node.text("domain") != "" {
		return message{}, message{}, 0, errOther
	}
	for _, set := range list(m, "opset_import", asMessage) {
		if set.text("domain") == "" {
			opset = set.get("version").Int()
		}
	}
	if opset == 0 {
		return message{}, message{}, 0, errors.New("a model without the version of its operators")
	}
	return graph, node, opset, nil
}

// caseOf reads a test from its files. The error is errOther for a model of
// other operators.
func caseOf(name string, file func(name string) ([]byte, error)) (*Case, error) {
	model, err := file("model.onnx")
	if err != nil {
		return nil, err
	}
	graph, node, opset, err := operatorOf(model)
	if err != nil {
		return nil, err
	}
	c := &Case{Name: name, Op: node.text("op_type"), Opset: opset}
	if len(list(graph, "initializer", asMessage)) > 0 || len(list(graph, "output", asMessage)) != 1 {
		return nil, errors.New("initializers, or not one output")
	}
	tensor := func(name string) (t calls.Tensor, err error) {
		b, err := file("test_data_set_0/" + name)
		if err == nil {
			t, err = tensorOf(b)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return t, err
	}
	given := map[string]*calls.Tensor{}
	for i, v := range list(graph, "input", asMessage) {
		t, err := tensor(fmt.Sprintf("input_%d.pb", i))
		if err != nil {
			return nil, err
		}
		given[v.text("name")] = &t
	}
	var inputs []*calls.Tensor
	for _, name := range list(node, "input", asText) {
		if name != "" && given[name] == nil {
			return nil, fmt.Errorf("no input %q", name)
		}
		inputs = append(inputs, given[name]) // nil: an optional one that is left out
	}
	if c.Output, err = tensor("output_0.pb"); err != nil {
		return nil, err
	}
	return c, operators[c.Op](c, node, inputs)
}

// attributes calls set with each attribute; one that it does not know would
// make the case a lie.
func attributes(node message, set func(name string, i int64, s string) (known bool)) error {
	for _, a := range list(node, "attribute", asMessage) {
		if !set(a.text("name"), a.get("i").Int(), string(a.get("s").Bytes())) {
			return fmt.Errorf("attribute %s", a.text("name"))
		}
	}
	return nil
}

// need copies inputs to where the call has them; all must be there.
func need(inputs []*calls.Tensor, to ...*calls.Tensor) error {
	if len(inputs) != len(to) || slices.Contains(inputs, nil) {
		return fmt.Errorf("%d inputs", len(inputs))
	}
	for i, t := range inputs {
		*to[i] = *t
	}
	return nil
}

func gather(op calls.Op) func(*Case, message, []*calls.Tensor) error {
	return func(c *Case, node message, inputs []*calls.Tensor) error {
		c.Call.Op = op
		if err := need(inputs, &c.Call.Data, &c.Call.Indices); err != nil {
			return err
		}
		return attributes(node, func(name string, i int64, _ string) bool {
			switch {
			case name == "axis" && op != calls.GatherND:
				c.Call.Axis = int(i)
			case name == "batch_dims" && op == calls.GatherND:
				c.Call.BatchDims = int(i)
			default:
				return false
			}
			return true
		})
	}
}

// Reductions are ONNX's names for them.
var Reductions = map[string]kernels.Reduction{"none": kernels.None, "add": kernels.Sum, "mul": kernels.Prod, "min": kernels.Min, "max": kernels.Max}

func scatter(op calls.Op) func(*Case, message, []*calls.Tensor) error {
	return func(c *Case, node message, inputs []*calls.Tensor) error {
		c.Call.Op = op
		if err := need(inputs, &c.Call.Data, &c.Call.Indices, &c.Call.Updates); err != nil {
			return err
		}
		return attributes(node, func(name string, i int64, s string) (known bool) {
			switch {
			case name == "axis" && op == calls.ScatterElementsUpdate:
				c.Call.Axis, known = int(i), true
			case name == "reduction":
				c.Call.Attrs.Reduction, known = Reductions[s]
			}
			return known
		})
	}
}
