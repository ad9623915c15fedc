// Command gorgonia serves gorgonia.org/tensor as a peer of bench.
package main

import (
	"gorgonia.org/tensor"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

func main() { protocol.Main("gorgonia.org/tensor", prepare) }

func prepare(c protocol.Call) ([]protocol.Way, error) {
	switch {
	case c.Operator == protocol.StridedSlice:
		return slice(c)
	case c.Operator == protocol.GatherND && c.BatchDims == 0 && c.Indices.Shape[1] == 1:
		return rows(c)
	case c.Operator == protocol.GatherElements && len(c.Data.Shape) == 1:
		return rows(c)
	}
	return nil, protocol.Lacks("%s; ByIndices takes whole rows, or elements of a vector", c.Operator)
}

func rows(c protocol.Call) ([]protocol.Way, error) {
	data, err := load(c.Data)
	if err != nil {
		return nil, err
	}
	k, err := protocol.Load[int64](*c.Indices)
	if err != nil {
		return nil, err
	}
	ints := make([]int, len(k))
	for i, x := range k {
		ints[i] = int(x)
	}
	indices := tensor.New(tensor.WithShape(len(ints)), tensor.WithBacking(ints))
	var output tensor.Tensor
	return []protocol.Way{{
		Used: "ByIndices(data, indices, 0), allocates", // WithReuse has no effect on it
		Run: func() (err error) {
			output, err = tensor.ByIndices(data, indices, 0)
			return err
		},
		Result: func() []byte { return protocol.Bytes(output.Data().([]float32)) },
	}}, nil
}

// A cut is gorgonia's slice of an axis.
type cut protocol.Cut

func (c cut) Start() int { return c.Begin }
func (c cut) End() int   { return protocol.Cut(c).End() }
func (c cut) Step() int  { return c.Stride }

func slice(c protocol.Call) ([]protocol.Way, error) {
	var cuts []tensor.Slice
	for d, x := range c.Cuts {
		switch {
		case x.Stride < 0:
			return nil, protocol.Lacks("slices with negative steps")
		case x.Count == c.Data.Shape[d] && !x.Shrunk:
			cuts = append(cuts, nil)
		default:
			cuts = append(cuts, cut(x))
		}
	}
	data, err := load(c.Data)
	if err != nil {
		return nil, err
	}
	var output tensor.Tensor
	return []protocol.Way{{
		Used: "data.Slice(…).Materialize(), allocates",
		Run: func() error {
			view, err := data.Slice(cuts...)
			if err != nil {
				return err
			}
			output = view.Materialize()
			return nil
		},
		Result: func() []byte {
			if v, ok := output.Data().([]float32); ok {
				return protocol.Bytes(v)
			}
			return output.Data().([]uint8)
		},
	}}, nil
}

func load(t protocol.Tensor) (*tensor.Dense, error) {
	var backing any
	var err error
	if t.Type == "uint8" {
		backing, err = protocol.Load[uint8](t)
	} else {
		backing, err = protocol.Load[float32](t)
	}
	if err != nil {
		return nil, err
	}
	return tensor.New(tensor.WithShape(t.Shape...), tensor.WithBacking(backing)), nil
}
