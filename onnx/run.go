package onnx

import (
	"encoding/binary"
	"fmt"

	"github.com/lanes-go/lanes/kernels"
)

// What the operators come to: the dims of each output, and the call of package
// kernels. Where all shapes are known, kernels' own shape functions check them.

// dimsBy returns the output's dims by exact, if the shapes of all inputs are known,
// and otherwise by whatever is known.
func (c *call) dimsBy(exact func(shapes [][]int) ([]int, error), partly func() ([]Dim, error)) ([]Dim, error) {
	shapes, known := make([][]int, len(c.in)), true
	for i, k := range c.in {
		if k != nil {
			var fixed bool
			shapes[i], fixed = sizes(k.Dims)
			known = known && fixed
		}
	}
	if known {
		return dimsOf(exact(shapes))
	}
	return partly()
}

// sizes returns the shape that dims are, if all are known.
func sizes(dims []Dim) (shape []int, known bool) {
	known = dims != nil
	shape = make([]int, len(dims))
	for i, d := range dims {
		shape[i] = d.Size
		known = known && d.Size >= 0
	}
	return shape, known
}

func dimsOf(shape []int, err error) ([]Dim, error) {
	dims := make([]Dim, len(shape))
	for i, n := range shape {
		dims[i].Size = n
	}
	return dims, err
}

// concat joins dims; the result is not nil.
func concat(lists ...[]Dim) []Dim {
	all := []Dim{}
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func gatherElementsDims(c *call) ([]Dim, error) {
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.GatherElementsShape(s[0], s[1], c.int("axis"))
	}, func() ([]Dim, error) { return c.in[1].Dims, nil })
}

func runGatherElements(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.GatherElementsRaw(dst, *c.in[0].Value, *c.in[1].Value, c.int("axis"), opts...)
}

func gatherNDDims(c *call) ([]Dim, error) {
	b := c.int("batch_dims")
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.GatherNDShape(s[0], s[1], b)
	}, func() ([]Dim, error) {
		data, indices := c.in[0].Dims, c.in[1].Dims
		if data == nil || indices == nil {
			return nil, nil
		}
		q := len(indices)
		if b < 0 || b >= min(q, len(data)) {
			return nil, c.attributeRule("batch_dims", fmt.Sprint(b), fmt.Sprintf("data has rank %d and indices %d", len(data), q))
		}
		k := indices[q-1].Size
		switch {
		case k < 0:
			return nil, nil
		case k == 0 || k > len(data)-b:
			return nil, c.rule("input indices", "", fmt.Sprintf("tuples of %d, and data has %d axes after %d of batches", k, len(data)-b, b), kernels.ErrShape)
		}
		return concat(indices[:q-1], data[b+k:]), nil
	})
}

func runGatherND(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.GatherNDRaw(dst, *c.in[0].Value, *c.in[1].Value, c.int("batch_dims"), opts...)
}

func scatterElementsDims(c *call) ([]Dim, error) {
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.ScatterElementsUpdateShape(s[0], s[1], s[2], c.int("axis"))
	}, func() ([]Dim, error) { return c.in[0].Dims, nil })
}

// reductions are ONNX's names.
var reductions = map[string]kernels.Reduction{
	"none": kernels.None, "add": kernels.Sum, "mul": kernels.Prod, "min": kernels.Min, "max": kernels.Max,
}

func (c *call) reduction() kernels.ScatterAttrs {
	if a := c.attributes["reduction"]; a != nil {
		return kernels.ScatterAttrs{Reduction: reductions[a.String]}
	}
	return kernels.ScatterAttrs{}
}

func runScatterElements(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.ScatterElementsUpdateRaw(dst, *c.in[0].Value, *c.in[1].Value, *c.in[2].Value, c.int("axis"), c.reduction(), opts...)
}

func identityDims(c *call) ([]Dim, error) {
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.StridedSliceShape(s[0], kernels.SliceSpec{})
	}, func() ([]Dim, error) { return c.in[0].Dims, nil })
}

func runIdentity(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.StridedSliceRaw(dst, *c.in[0].Value, kernels.SliceSpec{}, opts...)
}

func constantDims(c *call) ([]Dim, error) { return dimsOf(c.value.Shape, nil) }

func runConstant(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.StridedSliceRaw(dst, c.value, kernels.SliceSpec{}, opts...)
}

// constantOf returns the value of a Constant, from the one attribute that it has.
func constantOf(o *Operator) (kernels.Raw, error) {
	if len(o.attributes) != 1 {
		return kernels.Raw{}, o.rule("attributes", fmt.Sprint(len(o.attributes)), "a constant has one", kernels.ErrAttribute)
	}
	for name, a := range o.attributes {
		switch name {
		case "value":
			return o.constantTensor(a.Tensor)
		case "value_float":
			return kernels.RawOf(kernels.New([]float32{a.Float}))
		case "value_floats":
			return kernels.RawOf(kernels.New(a.Floats, len(a.Floats)))
		case "value_int":
			return kernels.RawOf(kernels.New([]int64{a.Int}))
		case "value_ints":
			return kernels.RawOf(kernels.New(a.Ints, len(a.Ints)))
		case "value_string":
			return kernels.RawOf(kernels.New([]string{a.String}))
		case "value_strings":
			return kernels.RawOf(kernels.New(a.Strings, len(a.Strings)))
		}
	}
	return kernels.Raw{}, o.rule("attribute sparse_value", "", "sparse tensors are not among the values here", ErrUnsupported)
}

func (o *Operator) constantTensor(t *Tensor) (kernels.Raw, error) {
	switch {
	case t == nil:
		return kernels.Raw{}, o.attributeRule("value", "", "missing")
	case !o.version.output.has(t.Type):
		return kernels.Raw{}, o.rule("attribute value", t.Type.String(), "not one of "+o.version.output.String()+
			o.op.other(o.version, func(v *version) bool { return v.output.has(t.Type) }), kernels.ErrType)
	}
	return contiguous(t.Raw)
}

// integersOf returns the elements of a tensor of integers as a list that is not nil.
func integersOf(t *kernels.Raw) ([]int64, error) {
	r, err := contiguous(*t)
	if err != nil {
		return nil, err
	}
	list := make([]int64, 0, count(r.Shape))
	for b := r.Data; len(b) > 0; b = b[r.Type.Size():] {
		if r.Type == kernels.DTypeInt32 {
			list = append(list, int64(int32(binary.NativeEndian.Uint32(b))))
		} else {
			list = append(list, int64(binary.NativeEndian.Uint64(b)))
		}
	}
	return list, nil
}
