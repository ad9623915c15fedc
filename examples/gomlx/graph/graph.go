// Package graph compiles one operation of gomlx to a program, and runs it.
package graph

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/gotype"
	"github.com/gomlx/compute/shapes"
)

// An Input is a tensor: a slice, and its shape.
type Input struct {
	Flat  any
	Shape shapes.Shape
}

// In returns an Input.
func In[T gotype.Supported](flat []T, shape ...int) Input {
	return Input{flat, shapes.Make(dtypes.FromGenericsType[T](), shape...)}
}

// A Program is an operation on inputs, compiled.
type Program struct {
	run    compute.Executable
	inputs []compute.Buffer
}

// Compile compiles what operation makes of the inputs.
func Compile(b compute.Backend, inputs []Input, operation func(f compute.Function, x []compute.Value) (compute.Value, error)) (p Program, err error) {
	builder := b.Builder("program")
	f := builder.Main()
	var x []compute.Value
	for i, in := range inputs {
		v, err := f.Parameter(fmt.Sprint("x", i), in.Shape, nil)
		if err != nil {
			return p, err
		}
		buffer, err := b.BufferFromFlatData(0, in.Flat, in.Shape)
		if err != nil {
			return p, err
		}
		x, p.inputs = append(x, v), append(p.inputs, buffer)
	}
	v, err := operation(f, x)
	if err != nil {
		return p, err
	}
	if err := f.Return([]compute.Value{v}, nil); err != nil {
		return p, err
	}
	p.run, err = builder.Compile()
	return p, err
}

// Run runs the program, and returns the output. The caller finalizes it. With donate the first input is
// the program's, which may then write to it; the program cannot be run again.
func (p Program) Run(donate bool) (compute.Buffer, error) {
	given := make([]bool, len(p.inputs))
	given[0] = donate
	outputs, err := p.run.Execute(p.inputs, given, 0)
	if err != nil {
		return nil, err
	}
	return outputs[0], nil
}
