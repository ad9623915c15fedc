// Command born serves the CPU backend of born as a peer of bench.
//
// It knows int32 indices alone. It gets them as such, converted before any
// time is taken, and it allocates its outputs.
package main

import (
	"os"

	"github.com/born-ml/born/backend/cpu"
	born "github.com/born-ml/born/tensor"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

func main() { protocol.Main("github.com/born-ml/born", prepare) }

func prepare(c protocol.Call) ([]protocol.Way, error) {
	backend := cpu.New()
	var call func(data, indices, updates *born.RawTensor) *born.RawTensor
	var used string
	switch {
	case c.Operator == protocol.GatherElements:
		used = "Gather"
		call = func(data, indices, _ *born.RawTensor) *born.RawTensor { return backend.Gather(data, c.Axis, indices) }
	case c.Operator == protocol.GatherND && c.BatchDims == 0 && c.Indices.Shape[1] == 1 && len(c.Data.Shape) == 2:
		used = "Embedding"
		c.Indices.Shape = c.Indices.Shape[:1]
		call = func(data, indices, _ *born.RawTensor) *born.RawTensor { return backend.Embedding(data, indices) }
	case c.Operator == protocol.GatherND:
		return nil, protocol.Lacks("GatherND but of the rows of a matrix")
	case c.Operator == protocol.ScatterElementsUpdate && c.InPlace:
		return nil, protocol.Lacks("nothing scatters in place")
	case c.Operator == protocol.ScatterElementsUpdate && c.Reduction != "sum":
		return nil, protocol.Lacks("no reduction %s", c.Reduction)
	case c.Operator == protocol.ScatterElementsUpdate && c.Indices.Strides != nil: // an index a row
		used = "SelectAdd"
		c.Indices.Shape, c.Indices.Strides = c.Indices.Shape[:1], nil
		call = func(data, indices, updates *born.RawTensor) *born.RawTensor {
			return backend.SelectAdd(data, c.Axis, indices, updates)
		}
	case c.Operator == protocol.ScatterElementsUpdate:
		used = "ScatterAdd"
		call = func(data, indices, updates *born.RawTensor) *born.RawTensor {
			return backend.ScatterAdd(data, c.Axis, indices, updates)
		}
	default:
		return nil, protocol.Lacks("%s", c.Operator)
	}

	data, err := load(c.Data)
	if err != nil {
		return nil, err
	}
	indices, err := int32s(*c.Indices)
	if err != nil {
		return nil, err
	}
	var updates *born.RawTensor
	if c.Updates != nil {
		if updates, err = load(*c.Updates); err != nil {
			return nil, err
		}
	}
	var output *born.RawTensor
	return []protocol.Way{{
		Used: "cpu " + used + " of int32 indices, allocates",
		Run: func() error {
			output = call(data, indices, updates)
			return nil
		},
		Result: func() []byte { return output.Data() },
	}}, nil
}

func load(t protocol.Tensor) (*born.RawTensor, error) {
	typ := map[string]born.DataType{"float32": born.Float32, "uint8": born.Uint8}[t.Type]
	raw, err := born.NewRaw(born.Shape(t.Shape), typ, born.CPU)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(t.File)
	copy(raw.Data(), b)
	return raw, err
}

func int32s(t protocol.Tensor) (*born.RawTensor, error) {
	raw, err := born.NewRaw(born.Shape(t.Shape), born.Int32, born.CPU)
	if err != nil {
		return nil, err
	}
	if t.Type == "int32" {
		v, err := protocol.Written[int32](t)
		copy(raw.AsInt32(), v)
		return raw, err
	}
	v, err := protocol.Written[int64](t)
	if err != nil {
		return nil, err
	}
	to := raw.AsInt32()
	for i, k := range v {
		to[i] = int32(k)
	}
	return raw, nil
}
