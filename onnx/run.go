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

// axis returns the attribute, counted from 0.
func (c *call) axis(rank int) (int, error) {
	a := c.int("axis")
	if a < -rank || a >= rank {
		return 0, c.attributeRule("axis", fmt.Sprint(a), fmt.Sprintf("outside [%d, %d]", -rank, rank-1))
	}
	if a < 0 {
		a += rank
	}
	return a, nil
}

func gatherElementsDims(c *call) ([]Dim, error) {
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.GatherElementsShape(s[0], s[1], c.int("axis"))
	}, func() ([]Dim, error) { return c.in[1].Dims, nil })
}

func runGatherElements(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.GatherElementsRaw(dst, *c.in[0].Value, *c.in[1].Value, c.int("axis"), opts...)
}

func gatherDims(c *call) ([]Dim, error) {
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.GatherShape(s[0], s[1], c.int("axis"), 0)
	}, func() ([]Dim, error) {
		data, indices := c.in[0].Dims, c.in[1].Dims
		if data == nil || indices == nil {
			return nil, nil
		}
		axis, err := c.axis(len(data))
		if err != nil {
			return nil, err
		}
		return concat(data[:axis], indices, data[axis+1:]), nil
	})
}

func runGather(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.GatherRaw(dst, *c.in[0].Value, *c.in[1].Value, c.int("axis"), 0, opts...)
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

func scatterNDDims(c *call) ([]Dim, error) {
	data, indices, updates := c.in[0].Dims, c.in[1].Dims, c.in[2].Dims
	if data != nil && updates != nil && len(indices) > 0 { // OpenVINO, and package kernels, take any one element for a scalar
		q := len(indices)
		if k := indices[q-1].Size; 1 <= k && k <= len(data) && len(updates) != q-1+len(data)-k {
			return nil, c.rule("input updates", "", fmt.Sprintf("of rank %d, and tuples of %d into data of rank %d want rank %d",
				len(updates), k, len(data), q-1+len(data)-k), kernels.ErrShape)
		}
	}
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.ScatterNDUpdateShape(s[0], s[1], s[2])
	}, func() ([]Dim, error) { return c.in[0].Dims, nil })
}

func runScatterND(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.ScatterNDUpdateRaw(dst, *c.in[0].Value, *c.in[1].Value, *c.in[2].Value, c.reduction(), opts...)
}

// cacheAxis is the attribute of a TensorScatter, and its default.
func (c *call) cacheAxis() int {
	if c.attributes["axis"] == nil {
		return -2
	}
	return c.int("axis")
}

func tensorScatterDims(c *call) ([]Dim, error) {
	return c.dimsBy(func(s [][]int) ([]int, error) {
		return kernels.TensorScatterShape(s[0], s[1], s[2], c.cacheAxis())
	}, func() ([]Dim, error) { return c.in[0].Dims, nil })
}

func runTensorScatter(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	mode, indices := kernels.Linear, kernels.Raw{}
	if a := c.attributes["mode"]; a != nil && a.String == "circular" {
		mode = kernels.Circular
	}
	if c.in[2] != nil {
		indices = *c.in[2].Value
	}
	return kernels.TensorScatterRaw(dst, *c.in[0].Value, *c.in[1].Value, indices, c.cacheAxis(), mode, opts...)
}

var boundNames = [...]string{"starts", "ends", "axes", "steps"}

// ranges reads those of a Slice, as far as they are known, from attributes (version 1) or
// inputs. What is left out is known, too.
func (c *call) ranges() (r kernels.Ranges, known [4]bool, err error) {
	byAttributes := len(c.in) == 1
	kind := "input "
	if byAttributes {
		kind = "attribute "
	}
	lists := [...]*[]int64{&r.Starts, &r.Ends, &r.Axes, &r.Steps}
	for i, name := range boundNames {
		bad := func(reason string, err error) error { return c.rule(kind+name, "", reason, err) }
		given := false
		known[i] = true
		if byAttributes {
			if a := c.attributes[name]; a != nil {
				*lists[i], given = a.Ints, true
			}
		} else if k := c.in[i+1]; k != nil {
			switch {
			case k.Dims != nil && len(k.Dims) != 1:
				return r, known, bad(fmt.Sprintf("of rank %d, and not 1", len(k.Dims)), kernels.ErrShape)
			case k.Value == nil || c.in[0].Dims == nil:
				known[i] = false
				continue
			case k.Dims[0].Size > len(c.in[0].Dims):
				return r, known, bad(fmt.Sprintf("of length %d, and data has rank %d", k.Dims[0].Size, len(c.in[0].Dims)), kernels.ErrAttribute)
			}
			if *lists[i], err = integersOf(k.Value); err != nil {
				return r, known, err
			}
			given = true
		}
		// To package kernels a list of no length is one that is left out.
		if n := len(r.Starts); given && known[0] && len(*lists[i]) != n {
			return r, known, bad(fmt.Sprintf("of length %d, and starts has length %d", len(*lists[i]), n), kernels.ErrAttribute)
		}
	}
	return r, known, nil
}

func sliceDims(c *call) ([]Dim, error) {
	r, known, err := c.ranges()
	if err != nil || c.in[0].Dims == nil {
		return nil, err
	}
	dims := concat(c.in[0].Dims)
	if shape, fixed := sizes(dims); fixed && known == [4]bool{true, true, true, true} {
		return dimsOf(kernels.SliceShape(shape, r))
	}
	if !known[2] || len(r.Axes) == 0 { // axes are unknown, or the first ones
		for d := range dims {
			dims[d] = Dim{Size: -1}
		}
	}
	for _, axis := range r.Axes {
		if axis < 0 {
			axis += int64(len(dims))
		}
		if 0 <= axis && axis < int64(len(dims)) {
			dims[axis] = Dim{Size: -1}
		}
	}
	return dims, nil
}

func runSlice(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	r, _, err := c.ranges()
	if err != nil {
		return err
	}
	return kernels.SliceRaw(dst, *c.in[0].Value, r, opts...)
}

// compressAxis is the attribute, and flattened where it is absent.
func (c *call) compressAxis() int {
	if c.attributes["axis"] == nil {
		return kernels.Flattened
	}
	return c.int("axis")
}

func compressDims(c *call) ([]Dim, error) {
	data, condition := c.in[0], c.in[1]
	dims, axis := []Dim{{}}, 0
	if c.attributes["axis"] != nil {
		if data.Dims == nil {
			return nil, nil
		}
		var err error
		dims = concat(data.Dims)
		if axis, err = c.axis(len(dims)); err != nil {
			return nil, err
		}
	}
	if shape, known := sizes(data.Dims); known && condition.Value != nil {
		return dimsOf(kernels.CompressShapeRaw(shape, *condition.Value, c.compressAxis()))
	}
	dims[axis] = Dim{Size: -1}
	return dims, nil
}

func runCompress(c *call, dst kernels.Raw, opts ...kernels.Option) error {
	return kernels.CompressRaw(dst, *c.in[0].Value, *c.in[1].Value, c.compressAxis(), opts...)
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
	list := make([]int64, count(r.Shape))
	for i := range list {
		list[i] = integerAt(&r, i)
	}
	return list, nil
}

// integerAt returns an element of int32 or int64.
func integerAt(t *kernels.Raw, at int) int64 {
	if t.Type == kernels.DTypeInt32 {
		return int64(int32(binary.NativeEndian.Uint32(t.Data[4*at:])))
	}
	return int64(binary.NativeEndian.Uint64(t.Data[8*at:]))
}
