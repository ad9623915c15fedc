// Package calls makes calls of package kernels whose element types are known
// only while the program runs: they come from a file, or go to another library.
package calls

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/kernels"
)

// Op is an operator.
type Op string

// The operators, by the names that they have in package kernels.
const (
	GatherElements        Op = "GatherElements"
	GatherND              Op = "GatherND"
	Gather                Op = "Gather"
	ScatterElementsUpdate Op = "ScatterElementsUpdate"
	ScatterNDUpdate       Op = "ScatterNDUpdate"
	StridedSlice          Op = "StridedSlice"
	Slice                 Op = "Slice"
	Compress              Op = "Compress"
	EmbeddingBag          Op = "EmbeddingBag"
)

// Ops is every operator.
var Ops = []Op{GatherElements, GatherND, Gather, ScatterElementsUpdate, ScatterNDUpdate, StridedSlice, Slice, Compress, EmbeddingBag}

// Scatters reports whether it updates a copy of data, which can be data itself.
func (o Op) Scatters() bool { return o == ScatterElementsUpdate || o == ScatterNDUpdate }

// Indexes reports whether it has indices.
func (o Op) Indexes() bool { return o != StridedSlice && o != Slice && o != Compress }

// A Tensor is contiguous and row-major.
type Tensor struct {
	Type  Type
	Shape []int
	Data  []byte // see Type
}

// Count returns how many elements the shape has.
func (t Tensor) Count() int { return count(t.Shape) }

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// A Call is an operator with its attributes and tensors. Only those fields
// that the operator has are read.
type Call struct {
	Op        Op
	Axis      int
	BatchDims int
	Attrs     kernels.ScatterAttrs
	Spec      kernels.SliceSpec
	Ranges    kernels.Ranges
	Bag       kernels.BagAttrs

	Data      Tensor // EmbeddingBag's table
	Indices   Tensor // Int32 or Int64
	Updates   Tensor // EmbeddingBag's weights, where it has some
	Condition Tensor // Bool
	Offsets   Tensor // of the type of Indices
}

// Reduction returns how the call combines elements, None if it moves them.
func (c *Call) Reduction() kernels.Reduction {
	if c.Op == EmbeddingBag {
		return c.Bag.Reduction
	}
	return c.Attrs.Reduction
}

// ErrCall is the error of a call that no Go program could write: tensors
// whose bytes or types do not fit. It is never an error of package kernels.
var ErrCall = errors.New("not a call")

// Run makes the call into a fresh output, which holds other values before.
func (c *Call) Run(opts ...kernels.Option) (Tensor, error) { return c.run(false, opts) }

// RunInPlace makes the call, which is a scatter, with a copy of data as its output.
func (c *Call) RunInPlace(opts ...kernels.Option) (Tensor, error) { return c.run(true, opts) }

func (c *Call) run(inPlace bool, opts []kernels.Option) (Tensor, error) {
	t := c.Data.Type
	if !t.Known() {
		return Tensor{}, fmt.Errorf("%w: element type %d", ErrCall, t)
	}
	return types[t].run(c, inPlace, opts)
}

// Shape returns the output's shape.
func (c *Call) Shape() ([]int, error) {
	switch c.Op {
	case GatherElements:
		return kernels.GatherElementsShape(c.Data.Shape, c.Indices.Shape, c.Axis)
	case GatherND:
		return kernels.GatherNDShape(c.Data.Shape, c.Indices.Shape, c.BatchDims)
	case Gather:
		return kernels.GatherShape(c.Data.Shape, c.Indices.Shape, c.Axis, c.BatchDims)
	case ScatterElementsUpdate:
		return kernels.ScatterElementsUpdateShape(c.Data.Shape, c.Indices.Shape, c.Updates.Shape, c.Axis)
	case ScatterNDUpdate:
		return kernels.ScatterNDUpdateShape(c.Data.Shape, c.Indices.Shape, c.Updates.Shape)
	case StridedSlice:
		return kernels.StridedSliceShape(c.Data.Shape, c.Spec)
	case Slice:
		return kernels.SliceShape(c.Data.Shape, c.Ranges)
	case Compress:
		condition, err := read(c.Condition, truths)
		if err != nil {
			return nil, err
		}
		return kernels.CompressShape(c.Data.Shape, condition, c.Axis)
	case EmbeddingBag:
		return kernels.EmbeddingBagShape(c.Data.Shape, c.Indices.Shape, c.Offsets.Shape)
	}
	return nil, fmt.Errorf("%w: operator %q", ErrCall, c.Op)
}

// run makes the call with elements that are Ts.
func run[T any](code codec[T]) func(*Call, bool, []kernels.Option) (Tensor, error) {
	return func(c *Call, inPlace bool, opts []kernels.Option) (Tensor, error) {
		if !c.Op.Indexes() {
			return runIndexed[T, int64](c, inPlace, opts, code)
		}
		switch c.Indices.Type {
		case Int32:
			return runIndexed[T, int32](c, inPlace, opts, code)
		case Int64:
			return runIndexed[T, int64](c, inPlace, opts, code)
		}
		return Tensor{}, fmt.Errorf("%w: indices of type %v", ErrCall, c.Indices.Type)
	}
}

func runIndexed[T any, I kernels.Index](c *Call, inPlace bool, opts []kernels.Option, code codec[T]) (Tensor, error) {
	data, err := read(c.Data, code)
	if err != nil {
		return Tensor{}, err
	}
	shape, err := c.Shape()
	if err != nil {
		return Tensor{}, err
	}
	dst := kernels.New(slices.Repeat([]T{code.other}, count(shape)), shape...)
	if inPlace {
		if !c.Op.Scatters() {
			return Tensor{}, fmt.Errorf("%w: %s in place", ErrCall, c.Op)
		}
		dst = data
	}
	var indices, offsets kernels.Tensor[I]
	var updates kernels.Tensor[T]
	var condition kernels.Tensor[bool]
	if c.Op.Indexes() {
		if indices, err = read(c.Indices, fixed[I](0)); err != nil {
			return Tensor{}, err
		}
	}
	switch c.Op {
	case Compress:
		condition, err = read(c.Condition, truths)
	case EmbeddingBag:
		if c.Offsets.Type != c.Indices.Type {
			return Tensor{}, fmt.Errorf("%w: offsets of %v beside indices of %v", ErrCall, c.Offsets.Type, c.Indices.Type)
		}
		offsets, err = read(c.Offsets, fixed[I](0))
	}
	if err != nil {
		return Tensor{}, err
	}
	if c.Op.Scatters() || c.Op == EmbeddingBag && c.Updates.Type != 0 {
		if c.Updates.Type != c.Data.Type {
			return Tensor{}, fmt.Errorf("%w: updates of %v into data of %v", ErrCall, c.Updates.Type, c.Data.Type)
		}
		if updates, err = read(c.Updates, code); err != nil {
			return Tensor{}, err
		}
	}
	switch c.Op {
	case GatherElements:
		err = kernels.GatherElements(dst, data, indices, c.Axis, opts...)
	case GatherND:
		err = kernels.GatherND(dst, data, indices, c.BatchDims, opts...)
	case Gather:
		err = kernels.Gather(dst, data, indices, c.Axis, c.BatchDims, opts...)
	case ScatterElementsUpdate:
		err = kernels.ScatterElementsUpdate(dst, data, indices, updates, c.Axis, c.Attrs, opts...)
	case ScatterNDUpdate:
		err = kernels.ScatterNDUpdate(dst, data, indices, updates, c.Attrs, opts...)
	case StridedSlice:
		err = kernels.StridedSlice(dst, data, c.Spec, opts...)
	case Slice:
		err = kernels.Slice(dst, data, c.Ranges, opts...)
	case Compress:
		err = kernels.Compress(dst, data, condition, c.Axis, opts...)
	case EmbeddingBag:
		err = kernels.EmbeddingBag(dst, data, indices, offsets, updates, c.Bag, opts...)
	}
	if err != nil {
		return Tensor{}, err
	}
	return Tensor{c.Data.Type, shape, code.encode(dst.Data)}, nil
}

// read makes a tensor of Go values.
func read[T any](t Tensor, code codec[T]) (kernels.Tensor[T], error) {
	if want := t.Count() * code.size; len(t.Data) != want {
		return kernels.Tensor[T]{}, fmt.Errorf("%w: %v of shape %v has %d bytes and needs %d", ErrCall, t.Type, t.Shape, len(t.Data), want)
	}
	values, err := code.decode(t.Data)
	return kernels.New(values, t.Shape...), err
}
