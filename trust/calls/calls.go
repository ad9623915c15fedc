// Package calls makes calls of package kernels whose element types are known
// only while the program runs: they come from a file, or go to another library.
package calls

import (
	"bytes"
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
	SliceScatter          Op = "SliceScatter"
	TensorScatter         Op = "TensorScatter"
	Compress              Op = "Compress"
	EmbeddingBag          Op = "EmbeddingBag"
	GeneralGather         Op = "GeneralGather"
	GeneralScatter        Op = "GeneralScatter"
)

// Ops is every operator.
var Ops = []Op{GatherElements, GatherND, Gather, ScatterElementsUpdate, ScatterNDUpdate, StridedSlice, Slice, SliceScatter, TensorScatter, Compress, EmbeddingBag, GeneralGather, GeneralScatter}

// Scatters reports whether it updates a copy of data, which can be data itself.
func (o Op) Scatters() bool {
	return o == ScatterElementsUpdate || o == ScatterNDUpdate || o == SliceScatter || o == TensorScatter || o == GeneralScatter
}

// Indexes reports whether it has indices.
func (o Op) Indexes() bool {
	return o != StridedSlice && o != Slice && o != SliceScatter && o != Compress
}

// A Tensor is contiguous and row-major. Its elements lie in little-endian order, as they do in the
// memory of the machines that this runs on: a complex number is its real part and its imaginary
// part, and a string stands for itself as 8 bytes, of which it is the decimal digits.
type Tensor struct {
	Type  kernels.DType
	Shape []int
	Data  []byte
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
	Mode      kernels.CacheMode
	Gather    kernels.GatherDims
	Scatter   kernels.ScatterDims
	Policy    kernels.IndexPolicy // the zero value: the operator's own

	Data      Tensor // EmbeddingBag's table
	Indices   Tensor // of 32 or 64 bits, signed
	Updates   Tensor // EmbeddingBag's weights, where it has some
	Condition Tensor // of truths
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
	if err := c.check(inPlace); err != nil {
		return Tensor{}, err
	}
	shape, err := c.Shape()
	if err != nil {
		return Tensor{}, err
	}
	data, indices, updates, offsets := c.Data.raw(), c.Indices.raw(), c.Updates.raw(), c.Offsets.raw()
	dst := data
	if !inPlace {
		dst = kernels.Raw{Type: c.Data.Type, Shape: shape}
		if n := count(shape); dst.Type == kernels.DTypeString {
			dst.Strings = slices.Repeat([]string{"untouched"}, n)
		} else {
			dst.Data = bytes.Repeat([]byte{0xA5}, n*Size(dst.Type))
		}
	}
	if c.Policy != (kernels.IndexPolicy{}) {
		opts = append(slices.Clip(opts), kernels.Indices(c.Policy))
	}
	switch c.Op {
	case GatherElements:
		err = kernels.GatherElementsRaw(dst, data, indices, c.Axis, opts...)
	case GatherND:
		err = kernels.GatherNDRaw(dst, data, indices, c.BatchDims, opts...)
	case Gather:
		err = kernels.GatherRaw(dst, data, indices, c.Axis, c.BatchDims, opts...)
	case ScatterElementsUpdate:
		err = kernels.ScatterElementsUpdateRaw(dst, data, indices, updates, c.Axis, c.Attrs, opts...)
	case ScatterNDUpdate:
		err = kernels.ScatterNDUpdateRaw(dst, data, indices, updates, c.Attrs, opts...)
	case StridedSlice:
		err = kernels.StridedSliceRaw(dst, data, c.Spec, opts...)
	case Slice:
		err = kernels.SliceRaw(dst, data, c.Ranges, opts...)
	case TensorScatter:
		err = kernels.TensorScatterRaw(dst, data, updates, indices, c.Axis, c.Mode, opts...)
	case SliceScatter:
		err = kernels.SliceScatterRaw(dst, data, updates, c.Spec, opts...)
	case Compress:
		err = kernels.CompressRaw(dst, data, c.Condition.raw(), c.Axis, opts...)
	case GeneralGather:
		err = kernels.GeneralGatherRaw(dst, data, indices, c.Gather, opts...)
	case GeneralScatter:
		err = kernels.GeneralScatterRaw(dst, data, indices, updates, c.Scatter, c.Attrs, opts...)
	case EmbeddingBag:
		err = kernels.EmbeddingBagRaw(dst, data, indices, offsets, updates, c.Bag, opts...)
	}
	if err != nil {
		return Tensor{}, err
	}
	return tensorOf(dst), nil
}

// check returns an ErrCall if the tensors' bytes or types do not fit.
func (c *Call) check(inPlace bool) error {
	type operand struct {
		Tensor
		types []kernels.DType
	}
	own, index := []kernels.DType{c.Data.Type}, []kernels.DType{kernels.DTypeInt32, kernels.DTypeInt64}
	operands := []operand{{c.Data, Types}}
	if c.Op.Indexes() {
		operands = append(operands, operand{c.Indices, index})
	}
	if c.Op.Scatters() || c.Op == EmbeddingBag && c.Updates.Type != 0 {
		operands = append(operands, operand{c.Updates, own})
	}
	if c.Op == Compress {
		operands = append(operands, operand{c.Condition, []kernels.DType{kernels.DTypeBool}})
	}
	if c.Op == EmbeddingBag {
		operands = append(operands, operand{c.Offsets, []kernels.DType{c.Indices.Type}})
	}
	for _, t := range operands {
		if !slices.Contains(t.types, t.Type) {
			return fmt.Errorf("%w: %v where it must be one of %v", ErrCall, t.Type, t.types)
		}
		if want := t.Count() * Size(t.Type); len(t.Data) != want {
			return fmt.Errorf("%w: %v of shape %v has %d bytes and needs %d", ErrCall, t.Type, t.Shape, len(t.Data), want)
		}
	}
	if inPlace && !c.Op.Scatters() {
		return fmt.Errorf("%w: %s in place", ErrCall, c.Op)
	}
	return nil
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
	case TensorScatter:
		return kernels.TensorScatterShape(c.Data.Shape, c.Updates.Shape, c.Indices.Shape, c.Axis)
	case SliceScatter:
		return kernels.SliceScatterShape(c.Data.Shape, c.Updates.Shape, c.Spec)
	case Compress:
		return kernels.CompressShapeRaw(c.Data.Shape, c.Condition.raw(), c.Axis)
	case GeneralGather:
		return kernels.GeneralGatherShape(c.Data.Shape, c.Indices.Shape, c.Gather)
	case GeneralScatter:
		return kernels.GeneralScatterShape(c.Data.Shape, c.Indices.Shape, c.Updates.Shape, c.Scatter)
	case EmbeddingBag:
		return kernels.EmbeddingBagShape(c.Data.Shape, c.Indices.Shape, c.Offsets.Shape)
	}
	return nil, fmt.Errorf("%w: operator %q", ErrCall, c.Op)
}
