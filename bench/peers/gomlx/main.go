// Command gomlx serves the Go backend of gomlx/compute as a peer of bench:
// gomlx THREADS.
//
// Its gathers and scatters are XLA's, which take the coordinates of an element
// as a vector. Where an operator has them in its position, they are written
// out before any time is taken.
package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

func main() {
	// It prints a line, so it is made once the answers have their own file.
	backend := sync.OnceValues(func() (compute.Backend, error) { return gobackend.New("parallelism=" + os.Args[1]) })
	protocol.Main("github.com/gomlx/compute", func(c protocol.Call) ([]protocol.Way, error) {
		b, err := backend()
		if err != nil {
			return nil, err
		}
		p := &program{backend: b, call: c}
		used, err := builders[c.Operator](p)
		if err != nil {
			return nil, err
		}
		way, err := p.way(used)
		return []protocol.Way{way}, err
	})
}

var types = map[string]dtypes.DType{
	"float32": dtypes.Float32,
	"uint8":   dtypes.Uint8,
	"int32":   dtypes.Int32,
	"int64":   dtypes.Int64,
}

var builders = map[string]func(*program) (used string, err error){
	protocol.GatherElements:        gatherElements,
	protocol.GatherND:              gatherND,
	protocol.ScatterElementsUpdate: scatter,
	protocol.StridedSlice:          slice,
}

// A program is a call with the graph that makes it.
type program struct {
	backend compute.Backend
	call    protocol.Call
	inputs  []input // data is the first
	graph   func(f compute.Function, inputs []compute.Value) (compute.Value, error)
}

type input struct {
	flat  any
	shape shapes.Shape
}

func (p *program) add(flat any, typ string, shape ...int) {
	p.inputs = append(p.inputs, input{flat, shapes.Make(types[typ], shape...)})
}

// way compiles the program.
func (p *program) way(used string) (w protocol.Way, err error) {
	builder := p.backend.Builder("call")
	f := builder.Main()
	var values []compute.Value
	var buffers []compute.Buffer
	for i, in := range p.inputs {
		v, err := f.Parameter(fmt.Sprint("x", i), in.shape, nil)
		if err != nil {
			return w, err
		}
		b, err := p.backend.BufferFromFlatData(0, in.flat, in.shape)
		if err != nil {
			return w, err
		}
		values, buffers = append(values, v), append(buffers, b)
	}
	v, err := p.graph(f, values)
	if err != nil {
		return w, err
	}
	if err := f.Return([]compute.Value{v}, nil); err != nil {
		return w, err
	}
	run, err := builder.Compile()
	if err != nil {
		return w, err
	}

	var output compute.Buffer
	donate := make([]bool, len(buffers))
	donate[0] = p.call.InPlace
	w.Used = used + ", its pool has the output's buffer"
	if p.call.InPlace {
		w.Used = used + ", data donated"
	}
	w.Run = func() error {
		if output != nil && !p.call.InPlace {
			output.Finalize()
		}
		outputs, err := run.Execute(buffers, donate, 0)
		if err != nil {
			return err
		}
		output = outputs[0]
		if p.call.InPlace {
			buffers[0] = output
		}
		return nil
	}
	w.Result = func() []byte {
		flat, err := output.Data()
		if err != nil {
			panic(err)
		}
		switch v := flat.(type) {
		case []float32:
			return protocol.Bytes(v)
		case []uint8:
			return v
		}
		panic(fmt.Sprintf("output of %T", flat))
	}
	if p.call.InPlace {
		w.Reset = func() {
			b, err := p.backend.BufferFromFlatData(0, p.inputs[0].flat, p.inputs[0].shape)
			if err != nil {
				panic(err)
			}
			buffers[0].Finalize()
			buffers[0] = b
		}
	}
	return w, nil
}

func (p *program) load(t protocol.Tensor) error {
	flat, err := loadAny(t)
	if err == nil {
		p.add(flat, t.Type, t.Shape...)
	}
	return err
}

func loadAny(t protocol.Tensor) (any, error) {
	switch t.Type {
	case "float32":
		return protocol.Written[float32](t)
	case "uint8":
		return protocol.Written[uint8](t)
	case "int32":
		return protocol.Written[int32](t)
	default:
		return protocol.Written[int64](t)
	}
}

// coordinates adds an input of the coordinates of every element that indices
// name along axis.
func (p *program) coordinates(axis int) error {
	t := *p.call.Indices
	flat, err := loadAny(t)
	if err != nil {
		return err
	}
	shape := append(append([]int(nil), t.Shape...), len(t.Shape))
	switch v := flat.(type) {
	case []int32:
		p.add(writeCoordinates(v, t.Shape, axis), t.Type, shape...)
	case []int64:
		p.add(writeCoordinates(v, t.Shape, axis), t.Type, shape...)
	}
	return nil
}

func writeCoordinates[I int32 | int64](indices []I, shape []int, axis int) []I {
	rank := len(shape)
	out := make([]I, 0, len(indices)*rank)
	at := make([]I, rank)
	for _, k := range indices {
		for d, i := range at {
			if d == axis {
				i = k
			}
			out = append(out, i)
		}
		for d := rank - 1; d >= 0; d-- {
			if at[d]++; int(at[d]) < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return out
}

func axes(from, to int) []int {
	var a []int
	for d := from; d < to; d++ {
		a = append(a, d)
	}
	return a
}

func gatherElements(p *program) (string, error) {
	rank := len(p.call.Data.Shape)
	if err := p.load(p.call.Data); err != nil {
		return "", err
	}
	if err := p.coordinates(p.call.Axis); err != nil {
		return "", err
	}
	sizes := make([]int, rank)
	for d := range sizes {
		sizes[d] = 1
	}
	p.graph = func(f compute.Function, x []compute.Value) (compute.Value, error) {
		return f.Gather(x[0], x[1], rank, nil, axes(0, rank), axes(0, rank), sizes, false)
	}
	return "Gather, all coordinates written out beforehand", nil
}

func gatherND(p *program) (string, error) {
	c := p.call
	rank, last := len(c.Data.Shape), len(c.Indices.Shape)-1
	k := c.Indices.Shape[last]
	if err := p.load(c.Data); err != nil {
		return "", err
	}
	used := "Gather"
	if c.BatchDims == 0 {
		if err := p.load(*c.Indices); err != nil {
			return "", err
		}
	} else {
		used = "Gather, batch coordinates written out beforehand"
		flat, err := protocol.Load[int64](*c.Indices)
		if err != nil {
			return "", err
		}
		per := len(flat) / c.Data.Shape[0]
		var tuples []int64
		for i, x := range flat {
			tuples = append(tuples, int64(i/per), x)
		}
		k++
		p.add(tuples, c.Indices.Type, append(append([]int(nil), c.Indices.Shape[:last]...), k)...)
	}
	sizes := append([]int(nil), c.Data.Shape...)
	for d := range k {
		sizes[d] = 1
	}
	p.graph = func(f compute.Function, x []compute.Value) (compute.Value, error) {
		return f.Gather(x[0], x[1], last, axes(last, last+rank-k), axes(0, k), axes(0, k), sizes, false)
	}
	return used, nil
}

func scatter(p *program) (string, error) {
	c := p.call
	if c.Reduction != "sum" && c.Reduction != "max" {
		return "", protocol.Lacks("scatters have the reductions sum, min and max, not %s", c.Reduction)
	}
	if err := p.load(c.Data); err != nil {
		return "", err
	}
	rank := len(c.Data.Shape)
	window, inserted, used := []int(nil), axes(0, rank), "all coordinates written out beforehand"
	if c.Indices.Strides != nil { // an index a row
		rows := c.Indices.Shape[0]
		column := protocol.Tensor{File: c.Indices.File, Type: c.Indices.Type, Shape: []int{rows, 1}}
		if err := p.load(column); err != nil {
			return "", err
		}
		window, inserted, used = []int{1}, []int{0}, "an index a row"
	} else if err := p.coordinates(c.Axis); err != nil {
		return "", err
	}
	if err := p.load(*c.Updates); err != nil {
		return "", err
	}
	p.graph = func(f compute.Function, x []compute.Value) (compute.Value, error) {
		op := f.ScatterSum
		if c.Reduction == "max" {
			op = f.ScatterMax
		}
		vector := p.inputs[1].shape.Rank() - 1
		return op(x[0], x[1], x[2], vector, window, inserted, inserted, false, false)
	}
	return map[string]string{"sum": "ScatterSum, ", "max": "ScatterMax, "}[c.Reduction] + used, nil
}

func slice(p *program) (string, error) {
	if err := p.load(p.call.Data); err != nil {
		return "", err
	}
	var starts, limits, strides, back []int
	sliced, used := false, ""
	for d, cut := range p.call.Cuts {
		n := p.call.Data.Shape[d]
		if cut.Stride < 0 {
			if cut.Stride != -1 || cut.Count != n {
				return "", protocol.Lacks("Slice has no negative strides; Reverse turns whole axes")
			}
			back = append(back, d)
			cut = protocol.Cut{Count: n, Stride: 1}
		}
		sliced = sliced || cut.Count != n
		starts, limits, strides = append(starts, cut.Begin), append(limits, cut.End()), append(strides, cut.Stride)
	}
	if sliced {
		used += "Slice"
	}
	if back != nil {
		used += "Reverse"
	}
	p.graph = func(f compute.Function, x []compute.Value) (v compute.Value, err error) {
		v = x[0]
		if sliced {
			if v, err = f.Slice(v, starts, limits, strides); err != nil {
				return nil, err
			}
		}
		if back != nil {
			if v, err = f.Reverse(v, back...); err != nil {
				return nil, err
			}
		}
		return f.Reshape(v, p.call.Output.Shape...)
	}
	return used, nil
}
