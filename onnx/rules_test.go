package onnx_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
	"github.com/lanes-go/lanes/onnx/internal/onnxtest"
)

// raw is a tensor of Go values, a vector unless a shape is given; scalar one of rank 0.
func raw[T any](values []T, shape ...int) kernels.Raw {
	if len(shape) == 0 {
		shape = []int{len(values)}
	}
	return onnxtest.Raw(values, shape...)
}

func scalar[T any](value T) kernels.Raw { return onnxtest.Raw([]T{value}) }

func intAttr(name string, n int64) onnx.Attribute {
	return onnx.Attribute{Name: name, Type: onnx.AttributeInt, Int: n}
}

func intsAttr(name string, n ...int64) onnx.Attribute {
	return onnx.Attribute{Name: name, Type: onnx.AttributeInts, Ints: n}
}

func textAttr(name, s string) onnx.Attribute {
	return onnx.Attribute{Name: name, Type: onnx.AttributeString, String: s}
}

// runNode runs a node by itself.
func runNode(op string, opset int64, attributes []onnx.Attribute, in ...kernels.Raw) (kernels.Raw, error) {
	o, err := onnx.Bind(&onnx.Node{Op: op, Attributes: attributes}, opset)
	if err != nil {
		return kernels.Raw{}, err
	}
	return o.Run(in)
}

var (
	list    = []float32{1, 2, 3, 4, 5, 6}
	matrix  = raw(list, 2, 3)
	axis1   = []onnx.Attribute{intAttr("axis", 1)}
	leftOut kernels.Raw
)

func reduce(name string) []onnx.Attribute { return []onnx.Attribute{textAttr("reduction", name)} }

// What each version of an operator allows, and what comes of it.
func TestRules(t *testing.T) {
	i64 := func(n ...int64) kernels.Raw { return raw(n) }
	i32 := func(n ...int32) kernels.Raw { return raw(n) }
	f := func(n ...float32) kernels.Raw { return raw(n) }
	bf16, c64 := raw([]kernels.BFloat16{1, 2, 3}), raw([]complex64{1, 2i, 3})
	words := raw([]string{"a", "b", "c"})
	halves := raw([]kernels.Float16{1, 2, 3})
	two := func(n ...float32) kernels.Raw { return raw(n, 2, len(n)/2) }
	for _, r := range []struct {
		name  string
		op    string
		opset int64
		attrs []onnx.Attribute
		in    []kernels.Raw
		want  kernels.Raw
	}{
		{"", "GatherElements", 11, axis1, []kernels.Raw{matrix, raw([]int64{2, -3}, 2, 1)}, raw([]float32{3, 4}, 2, 1)},
		{"default axis, int32", "GatherElements", 27, nil, []kernels.Raw{matrix, raw([]int32{1, -1, 0}, 1, 3)}, raw([]float32{4, 5, 3}, 1, 3)},
		{"bfloat16", "GatherElements", 13, nil, []kernels.Raw{bf16, i64(2)}, raw([]kernels.BFloat16{3})},
		{"strings", "GatherElements", 11, nil, []kernels.Raw{words, i64(2, 0)}, raw([]string{"c", "a"})},
		{"complex64", "GatherElements", 11, nil, []kernels.Raw{c64, i64(1)}, raw([]complex64{2i})},

		{"", "Gather", 1, nil, []kernels.Raw{matrix, i64(1)}, raw([]float32{4, 5, 6}, 1, 3)},
		{"negative axis", "Gather", 10, []onnx.Attribute{intAttr("axis", -1)}, []kernels.Raw{matrix, i32(0, 2)}, two(1, 3, 4, 6)},
		{"negative index", "Gather", 11, axis1, []kernels.Raw{matrix, i64(-1)}, raw([]float32{3, 6}, 2, 1)},
		{"scalar index", "Gather", 11, axis1, []kernels.Raw{matrix, scalar(int64(-1))}, raw([]float32{3, 6}, 2)},
		{"scalar of a vector", "Gather", 13, nil, []kernels.Raw{bf16, scalar(int32(1))}, scalar(kernels.BFloat16(2))},
		{"no index", "Gather", 1, nil, []kernels.Raw{matrix, raw([]int64{}, 0, 2)}, raw([]float32{}, 0, 2, 3)},

		{"", "GatherND", 11, nil, []kernels.Raw{matrix, raw([]int64{0, -1, 1, 0}, 2, 2)}, f(3, 4)},
		{"batch dims", "GatherND", 12, []onnx.Attribute{intAttr("batch_dims", 1)}, []kernels.Raw{matrix, raw([]int64{2, 0}, 2, 1)}, f(3, 4)},
		{"bfloat16", "GatherND", 13, nil, []kernels.Raw{bf16, raw([]int64{1}, 1, 1)}, raw([]kernels.BFloat16{2})},

		{"", "Scatter", 9, nil, []kernels.Raw{f(1, 2, 3), i64(1), f(9)}, f(1, 9, 3)},
		{"", "Scatter", 10, []onnx.Attribute{intAttr("axis", -1)}, []kernels.Raw{f(1, 2, 3), i32(1), f(9)}, f(1, 9, 3)},
		{"negative index", "ScatterElements", 11, nil, []kernels.Raw{f(1, 2, 3), i64(-1), f(9)}, f(1, 2, 9)},
		{"bfloat16", "ScatterElements", 13, nil, []kernels.Raw{bf16, i64(0), raw([]kernels.BFloat16{9})}, raw([]kernels.BFloat16{9, 2, 3})},
		{"none", "ScatterElements", 16, reduce("none"), []kernels.Raw{f(1, 2, 3), i64(0, 0), f(8, 9)}, f(9, 2, 3)},
		{"add", "ScatterElements", 16, reduce("add"), []kernels.Raw{f(1, 2, 3), i64(0, 0), f(8, 9)}, f(18, 2, 3)},
		{"mul", "ScatterElements", 16, reduce("mul"), []kernels.Raw{f(1, 2, 3), i64(1, 1), f(8, 9)}, f(1, 144, 3)},
		{"min", "ScatterElements", 18, reduce("min"), []kernels.Raw{f(1, 2, 3), i64(2, 2), f(8, -9)}, f(1, 2, -9)},
		{"max", "ScatterElements", 18, append(reduce("max"), intAttr("axis", 0)), []kernels.Raw{f(1, 2, 3), i64(2, 2), f(8, -9)}, f(1, 2, 8)},
		{"halves", "ScatterElements", 18, reduce("max"), []kernels.Raw{halves, i64(0), raw([]kernels.Float16{0x3C00})}, raw([]kernels.Float16{0x3C00, 2, 3})},
		{"strings", "ScatterElements", 18, nil, []kernels.Raw{words, i64(0), raw([]string{"z"})}, raw([]string{"z", "b", "c"})},
		{"complex", "ScatterElements", 16, reduce("mul"), []kernels.Raw{c64, i64(1), raw([]complex64{2i})}, raw([]complex64{1, -4, 3})},

		{"", "ScatterND", 11, nil, []kernels.Raw{matrix, raw([]int64{-1}, 1, 1), raw([]float32{7, 8, 9}, 1, 3)}, raw([]float32{1, 2, 3, 7, 8, 9}, 2, 3)},
		{"bfloat16", "ScatterND", 13, nil, []kernels.Raw{bf16, raw([]int64{0}, 1, 1), raw([]kernels.BFloat16{9})}, raw([]kernels.BFloat16{9, 2, 3})},
		{"add", "ScatterND", 16, reduce("add"), []kernels.Raw{matrix, raw([]int64{0, 0, 0, 0}, 2, 2), f(8, 9)}, raw([]float32{18, 2, 3, 4, 5, 6}, 2, 3)},
		{"mul", "ScatterND", 17, reduce("mul"), []kernels.Raw{matrix, raw([]int64{0, 1}, 1, 2), f(8)}, raw([]float32{1, 16, 3, 4, 5, 6}, 2, 3)},
		{"min", "ScatterND", 18, reduce("min"), []kernels.Raw{matrix, raw([]int64{0, 1}, 1, 2), f(-8)}, raw([]float32{1, -8, 3, 4, 5, 6}, 2, 3)},
		{"max", "ScatterND", 18, reduce("max"), []kernels.Raw{matrix, raw([]int64{0, 1}, 1, 2), f(8)}, raw([]float32{1, 8, 3, 4, 5, 6}, 2, 3)},
		{"none", "ScatterND", 27, reduce("none"), []kernels.Raw{matrix, raw([]int64{0, 1}, 1, 2), f(8)}, raw([]float32{1, 8, 3, 4, 5, 6}, 2, 3)},

		{"attributes", "Slice", 1, []onnx.Attribute{intsAttr("starts", 0, -2), intsAttr("ends", 1, math.MaxInt32)}, []kernels.Raw{matrix}, raw([]float32{2, 3}, 1, 2)},
		{"attributes with axes", "Slice", 9, []onnx.Attribute{intsAttr("axes", 1), intsAttr("starts", 1), intsAttr("ends", -1)}, []kernels.Raw{matrix}, raw([]float32{2, 5}, 2, 1)},
		{"inputs", "Slice", 10, nil, []kernels.Raw{matrix, i64(0, 1), i64(1, 3)}, raw([]float32{2, 3}, 1, 2)},
		{"steps", "Slice", 10, nil, []kernels.Raw{matrix, i32(-1), i32(math.MinInt32), i32(1), i32(-2)}, two(3, 1, 6, 4)},
		{"steps without axes", "Slice", 10, nil, []kernels.Raw{matrix, i64(0, 0), i64(9, 9), leftOut, i64(1, 2)}, two(1, 3, 4, 6)},
		{"negative axes", "Slice", 11, nil, []kernels.Raw{matrix, i64(1), i64(2), i64(-2)}, raw([]float32{4, 5, 6}, 1, 3)},
		{"no axes", "Slice", 11, nil, []kernels.Raw{matrix, i64(), i64(), i64(), i64()}, matrix},
		{"bfloat16", "Slice", 13, nil, []kernels.Raw{bf16, i64(0), i64(1)}, raw([]kernels.BFloat16{1})},

		{"", "Compress", 9, axis1, []kernels.Raw{matrix, raw([]bool{true, false, true})}, two(1, 3, 4, 6)},
		{"short", "Compress", 9, []onnx.Attribute{intAttr("axis", 0)}, []kernels.Raw{matrix, raw([]bool{true})}, raw([]float32{1, 2, 3}, 1, 3)},
		{"flattened", "Compress", 10, nil, []kernels.Raw{matrix, raw([]bool{false, true, false, true})}, f(2, 4)},
		{"negative axis", "Compress", 11, []onnx.Attribute{intAttr("axis", -1)}, []kernels.Raw{matrix, raw([]bool{false, true})}, raw([]float32{2, 5}, 2, 1)},
		{"none", "Compress", 27, nil, []kernels.Raw{words, raw([]bool{})}, raw([]string{})},
		{"bfloat16", "Compress", 28, nil, []kernels.Raw{bf16, raw([]bool{false, true})}, raw([]kernels.BFloat16{2})},

		{"", "TensorScatter", 24, nil, []kernels.Raw{raw(list, 1, 3, 2), raw([]float32{8, 9}, 1, 1, 2), i64(1)}, raw([]float32{1, 2, 8, 9, 5, 6}, 1, 3, 2)},
		{"a matrix", "TensorScatter", 28, axis1, []kernels.Raw{matrix, raw([]float32{8, 9}, 2, 1), i64(2, 0)}, raw([]float32{1, 2, 8, 9, 5, 6}, 2, 3)},
		{"without indices", "TensorScatter", 24, axis1, []kernels.Raw{matrix, raw([]float32{8, 9}, 2, 1)}, raw([]float32{8, 2, 3, 9, 5, 6}, 2, 3)},
		{"indices left out", "TensorScatter", 24, axis1, []kernels.Raw{matrix, raw([]float32{8, 9}, 2, 1), leftOut}, raw([]float32{8, 2, 3, 9, 5, 6}, 2, 3)},
		{"linear", "TensorScatter", 24, []onnx.Attribute{intAttr("axis", -1), textAttr("mode", "linear")}, []kernels.Raw{matrix, raw([]float32{8, 9}, 2, 1), i64(0, 2)},
			raw([]float32{8, 2, 3, 4, 5, 9}, 2, 3)},
		{"circular", "TensorScatter", 27, []onnx.Attribute{intAttr("axis", 1), textAttr("mode", "circular")},
			[]kernels.Raw{matrix, raw([]float32{7, 8, 9, 10}, 2, 2), i64(2, 31)}, raw([]float32{8, 2, 7, 4, 9, 10}, 2, 3)},
		{"strings", "TensorScatter", 24, axis1, []kernels.Raw{raw([]string{"a", "b"}, 1, 2), raw([]string{"z"}, 1, 1), i64(1)}, raw([]string{"a", "z"}, 1, 2)},

		{"", "Identity", 1, nil, []kernels.Raw{words}, words},
		{"bfloat16", "Identity", 13, nil, []kernels.Raw{bf16}, bf16},
		{"", "Constant", 1, []onnx.Attribute{{Name: "value", Type: onnx.AttributeTensor, Tensor: &onnx.Tensor{Raw: halves}}}, nil, halves},
		{"", "Constant", 9, []onnx.Attribute{{Name: "value", Type: onnx.AttributeTensor, Tensor: &onnx.Tensor{Raw: words}}}, nil, words},
		{"", "Constant", 13, []onnx.Attribute{{Name: "value", Type: onnx.AttributeTensor, Tensor: &onnx.Tensor{Raw: bf16}}}, nil, bf16},
		{"", "Constant", 12, []onnx.Attribute{{Name: "value_float", Type: onnx.AttributeFloat, Float: 0.5}}, nil, scalar(float32(0.5))},
		{"", "Constant", 12, []onnx.Attribute{{Name: "value_floats", Type: onnx.AttributeFloats, Floats: []float32{0.5}}}, nil, f(0.5)},
		{"", "Constant", 12, []onnx.Attribute{intAttr("value_int", -5)}, nil, scalar(int64(-5))},
		{"", "Constant", 27, []onnx.Attribute{intsAttr("value_ints")}, nil, i64()},
		{"", "Constant", 12, []onnx.Attribute{textAttr("value_string", "s")}, nil, scalar("s")},
		{"", "Constant", 12, []onnx.Attribute{{Name: "value_strings", Type: onnx.AttributeStrings, Strings: []string{"s", ""}}}, nil, raw([]string{"s", ""})},
	} {
		got, err := runNode(r.op, r.opset, r.attrs, r.in...)
		require.NoError(t, err, "%s, opset %d: %s", r.op, r.opset, r.name)
		requireSame(t, r.want, got, "%s, opset %d: %s", r.op, r.opset, r.name)
	}
}

func requireSame(t *testing.T, want, got kernels.Raw, about ...any) {
	t.Helper()
	require.Equal(t, want.Type, got.Type, about...)
	require.Equal(t, append([]int{}, want.Shape...), append([]int{}, got.Shape...), about...)
	require.Equal(t, append([]byte{}, want.Data...), append([]byte{}, got.Data...), about...)
	require.Equal(t, append([]string{}, want.Strings...), append([]string{}, got.Strings...), about...)
}

// What each version refuses, by what error, in what words.
func TestRefusals(t *testing.T) {
	i64 := func(n ...int64) kernels.Raw { return raw(n) }
	data, bf16 := raw([]float32{1, 2, 3}), raw([]kernels.BFloat16{1, 2, 3})
	value := func(v kernels.Raw) []onnx.Attribute {
		return []onnx.Attribute{{Name: "value", Type: onnx.AttributeTensor, Tensor: &onnx.Tensor{Raw: v}}}
	}
	for _, r := range []struct {
		op    string
		opset int64
		attrs []onnx.Attribute
		in    []kernels.Raw
		kind  error
		text  string
	}{
		{"Gather", 0, nil, nil, onnx.ErrUnsupported, "onnx: Gather: opset 0, and those from 1 to 28 are known"},
		{"Gather", 29, nil, nil, onnx.ErrUnsupported, "onnx: Gather: opset 29, and those from 1 to 28 are known"},
		{"Add", 13, nil, nil, onnx.ErrUnsupported, "onnx: Add: not one of the operators that are here"},
		{"GatherElements", 10, nil, nil, onnx.ErrUnsupported, "onnx: GatherElements: came with opset 11, and this is opset 10"},
		{"Scatter", 8, nil, nil, onnx.ErrUnsupported, "onnx: Scatter: came with opset 9, and this is opset 8"},
		{"TensorScatter", 23, nil, nil, onnx.ErrUnsupported, "onnx: TensorScatter: came with opset 24, and this is opset 23"},
		{"Scatter", 11, nil, nil, onnx.ErrUnsupported, "onnx: Scatter-11: deprecated: ScatterElements has taken its place"},

		// Inputs.
		{"Gather", 13, nil, []kernels.Raw{data}, onnx.ErrInput, "onnx: Gather-13: input indices: missing"},
		{"Gather", 13, nil, []kernels.Raw{leftOut, i64(1)}, onnx.ErrInput, "onnx: Gather-13: input data: missing"},
		{"Gather", 13, nil, []kernels.Raw{data, i64(1), i64(1)}, onnx.ErrInput, "onnx: Gather-13: inputs 3: more than 2"},
		{"Slice", 9, []onnx.Attribute{intsAttr("starts", 0), intsAttr("ends", 1)}, []kernels.Raw{data, i64(0), i64(1)}, onnx.ErrInput,
			"onnx: Slice-1: inputs 3: more than 1: it came with version 10"},
		{"Slice", 10, nil, []kernels.Raw{data, i64(0), leftOut, i64(0)}, onnx.ErrInput, "onnx: Slice-10: input ends: missing"},

		// Types.
		{"Gather", 11, nil, []kernels.Raw{bf16, i64(1)}, kernels.ErrType, "onnx: Gather-11: input data bfloat16: not one of " +
			"float, uint8, int8, uint16, int16, int32, int64, string, bool, float16, double, uint32, uint64, complex64, complex128: it came with version 13"},
		{"GatherElements", 12, nil, []kernels.Raw{bf16, i64(1)}, kernels.ErrType, "it came with version 13"},
		{"GatherND", 12, nil, []kernels.Raw{bf16, raw([]int64{1}, 1, 1)}, kernels.ErrType, "it came with version 13"},
		{"Scatter", 10, nil, []kernels.Raw{bf16, i64(1), bf16}, kernels.ErrType, "Scatter-9: input data bfloat16"},
		{"ScatterElements", 12, nil, []kernels.Raw{bf16, i64(1), bf16}, kernels.ErrType, "it came with version 13"},
		{"ScatterND", 12, nil, []kernels.Raw{bf16, i64(1), bf16}, kernels.ErrType, "it came with version 13"},
		{"Slice", 12, nil, []kernels.Raw{bf16, i64(0), i64(1)}, kernels.ErrType, "it came with version 13"},
		{"Compress", 27, nil, []kernels.Raw{bf16, raw([]bool{true})}, kernels.ErrType, "onnx: Compress-11: input input bfloat16: not one of float, uint8, int8, uint16, int16, int32, int64, string, bool, " +
			"float16, double, uint32, uint64, complex64, complex128: it came with version 28"},
		{"Identity", 12, nil, []kernels.Raw{bf16}, kernels.ErrType, "it came with version 13"},
		{"Constant", 12, value(bf16), nil, kernels.ErrType, "onnx: Constant-12: attribute value bfloat16: not one of"},
		{"Constant", 8, value(i64(1)), nil, kernels.ErrType, "onnx: Constant-1: attribute value int64: not one of float, float16, double: it came with version 9"},
		{"Gather", 13, nil, []kernels.Raw{data, raw([]int16{1})}, kernels.ErrType, "onnx: Gather-13: input indices int16: not one of int32, int64"},
		{"GatherElements", 13, nil, []kernels.Raw{data, raw([]uint64{1})}, kernels.ErrType, "input indices uint64: not one of int32, int64"},
		{"GatherND", 13, nil, []kernels.Raw{data, raw([]int32{1}, 1, 1)}, kernels.ErrType, "onnx: GatherND-13: input indices int32: not one of int64"},
		{"ScatterND", 18, nil, []kernels.Raw{data, raw([]int32{1}, 1, 1), raw([]float32{1})}, kernels.ErrType, "onnx: ScatterND-18: input indices int32: not one of int64"},
		{"ScatterElements", 18, nil, []kernels.Raw{data, i64(0), raw([]float64{1})}, kernels.ErrType, "onnx: ScatterElements-18: input updates double: data is float"},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), raw([]int32{1})}, kernels.ErrType, "onnx: Slice-13: input ends int32: starts is int64"},
		{"Compress", 11, nil, []kernels.Raw{data, raw([]uint8{1})}, kernels.ErrType, "onnx: Compress-11: input condition uint8: not one of bool"},
		{"Identity", 13, nil, []kernels.Raw{{Type: 255, Shape: []int{0}}}, kernels.ErrType, "input input DType(255)"},

		// Attributes.
		{"Gather", 13, []onnx.Attribute{intAttr("axes", 0)}, nil, kernels.ErrAttribute, "onnx: Gather-13: attribute axes: unknown"},
		{"Gather", 13, []onnx.Attribute{intAttr("axis", 0), intAttr("axis", 0)}, nil, kernels.ErrAttribute, "onnx: Gather-13: attribute axis: given twice"},
		{"Gather", 13, []onnx.Attribute{textAttr("axis", "0")}, nil, kernels.ErrAttribute, "onnx: Gather-13: attribute axis: STRING, and not INT"},
		{"GatherND", 11, []onnx.Attribute{intAttr("batch_dims", 0)}, nil, kernels.ErrAttribute, "onnx: GatherND-11: attribute batch_dims: unknown: it came with version 12"},
		{"ScatterND", 18, nil, []kernels.Raw{data, i64(1), raw([]float32{1}, 1, 1, 1)}, kernels.ErrShape,
			"onnx: ScatterND-18: input updates: of rank 3, and tuples of 1 into data of rank 1 want rank 0"},
		{"Identity", 13, nil, []kernels.Raw{{Type: f32, Shape: []int{-1}}}, kernels.ErrShape, "onnx: Identity-13: input input: of shape [-1]"},
		{"GatherElements", 13, nil, []kernels.Raw{data, {Type: kernels.DTypeInt64, Shape: []int{-1}}}, kernels.ErrShape, "onnx: GatherElements-13: input indices: of shape [-1]"},
		{"ScatterND", 11, reduce("none"), nil, kernels.ErrAttribute, "onnx: ScatterND-11: attribute reduction: unknown: it came with version 16"},
		{"ScatterND", 15, reduce("add"), nil, kernels.ErrAttribute, "onnx: ScatterND-13: attribute reduction: unknown: it came with version 16"},
		{"ScatterND", 16, reduce("max"), nil, kernels.ErrAttribute, `onnx: ScatterND-16: attribute reduction "max": unknown: it came with version 18`},
		{"ScatterND", 18, reduce("mean"), nil, kernels.ErrAttribute, `onnx: ScatterND-18: attribute reduction "mean": unknown`},
		{"ScatterND", 18, reduce("sub"), nil, kernels.ErrAttribute, `onnx: ScatterND-18: attribute reduction "sub": unknown`},
		{"ScatterElements", 11, reduce("none"), nil, kernels.ErrAttribute, "onnx: ScatterElements-11: attribute reduction: unknown: it came with version 16"},
		{"ScatterElements", 13, reduce("add"), nil, kernels.ErrAttribute, "it came with version 16"},
		{"ScatterElements", 17, reduce("min"), nil, kernels.ErrAttribute, `onnx: ScatterElements-16: attribute reduction "min": unknown: it came with version 18`},
		{"ScatterElements", 27, reduce("mean"), nil, kernels.ErrAttribute, `onnx: ScatterElements-18: attribute reduction "mean": unknown`},
		{"ScatterElements", 18, reduce("sum"), nil, kernels.ErrAttribute, `attribute reduction "sum": unknown`},
		{"ScatterElements", 18, reduce(""), nil, kernels.ErrAttribute, `attribute reduction "": unknown`},
		{"TensorScatter", 24, []onnx.Attribute{textAttr("mode", "wrap")}, nil, kernels.ErrAttribute, `onnx: TensorScatter-24: attribute mode "wrap": unknown`},
		{"TensorScatter", 24, reduce("add"), nil, kernels.ErrAttribute, "onnx: TensorScatter-24: attribute reduction: unknown"},
		{"TensorScatter", 24, nil, []kernels.Raw{matrix}, onnx.ErrInput, "onnx: TensorScatter-24: input update: missing"},
		{"TensorScatter", 24, nil, []kernels.Raw{matrix, bf16}, kernels.ErrType, "onnx: TensorScatter-24: input update bfloat16: past_cache is float"},
		{"TensorScatter", 24, axis1, []kernels.Raw{matrix, matrix, raw([]int32{0, 0})}, kernels.ErrType, "onnx: TensorScatter-24: input write_indices int32: not one of int64"},
		{"Scatter", 9, reduce("add"), nil, kernels.ErrAttribute, "onnx: Scatter-9: attribute reduction: unknown"},
		{"Slice", 9, []onnx.Attribute{intsAttr("starts", 0)}, nil, kernels.ErrAttribute, "onnx: Slice-1: attribute ends: missing"},
		{"Slice", 10, []onnx.Attribute{intsAttr("starts", 0)}, nil, kernels.ErrAttribute, "onnx: Slice-10: attribute starts: unknown: it went after version 1"},
		{"Slice", 1, []onnx.Attribute{intsAttr("axes", -1), intsAttr("starts", 0), intsAttr("ends", 1)}, nil, kernels.ErrAttribute,
			"onnx: Slice-1: attribute axes -1: negative: it came with version 11"},
		{"Compress", 10, []onnx.Attribute{intAttr("axis", -1)}, nil, kernels.ErrAttribute, "onnx: Compress-9: attribute axis -1: negative: it came with version 11"},
		{"Constant", 12, nil, nil, kernels.ErrAttribute, "onnx: Constant-12: attributes 0: a constant has one"},
		{"Constant", 12, append(value(data), intAttr("value_int", 1)), nil, kernels.ErrAttribute, "onnx: Constant-12: attributes 2: a constant has one"},
		{"Constant", 11, []onnx.Attribute{intAttr("value_int", 1)}, nil, kernels.ErrAttribute, "onnx: Constant-11: attribute value_int: unknown: it came with version 12"},
		{"Constant", 9, []onnx.Attribute{{Name: "sparse_value", Type: onnx.AttributeSparseTensor}}, nil, kernels.ErrAttribute, "unknown: it came with version 11"},
		{"Constant", 11, []onnx.Attribute{{Name: "sparse_value", Type: onnx.AttributeSparseTensor}}, nil, onnx.ErrUnsupported, "onnx: Constant-11: attribute sparse_value: sparse tensors are not among the values here"},
		{"Constant", 11, []onnx.Attribute{{Name: "value", Type: onnx.AttributeTensor}}, nil, kernels.ErrAttribute, "onnx: Constant-11: attribute value: missing"},

		// Values.
		{"Gather", 10, nil, []kernels.Raw{data, raw([]int64{0, 1, 2, -1}, 2, 2)}, kernels.ErrIndex, "onnx: Gather-1: input indices -1 at [1 1]: negative: it came with version 11"},
		{"Scatter", 10, nil, []kernels.Raw{data, raw([]int32{-3}), raw([]float32{1})}, kernels.ErrIndex, "onnx: Scatter-9: input indices -3 at [0]: negative"},
		{"Slice", 10, nil, []kernels.Raw{data, i64(0), i64(1), i64(-1)}, kernels.ErrIndex, "onnx: Slice-10: input axes -1 at [0]: negative: it came with version 11"},
		{"Gather", 1, nil, []kernels.Raw{data, i64(3)}, kernels.ErrIndex, "index 3"},
		{"Gather", 11, nil, []kernels.Raw{data, i64(-4)}, kernels.ErrIndex, "index -4"},
		{"GatherElements", 11, nil, []kernels.Raw{data, i64(3)}, kernels.ErrIndex, "index 3 at [0]"},
		{"GatherND", 11, nil, []kernels.Raw{data, raw([]int64{-4}, 1, 1)}, kernels.ErrIndex, "index -4"},
		{"ScatterElements", 11, nil, []kernels.Raw{data, i64(-4), raw([]float32{1})}, kernels.ErrIndex, "index -4"},
		{"ScatterND", 11, nil, []kernels.Raw{data, raw([]int64{3}, 1, 1), raw([]float32{1})}, kernels.ErrIndex, "index 3"},
		{"TensorScatter", 24, axis1, []kernels.Raw{matrix, matrix, i64(0, 1)}, kernels.ErrIndex, "index 1 at [1] is out of range for axis 1 of size 3, of which 3"},
		{"TensorScatter", 24, append(axis1[:1:1], textAttr("mode", "circular")), []kernels.Raw{matrix, matrix, i64(-1, 1)}, kernels.ErrIndex, "index -1 at [0]"},

		// Shapes and the attributes that depend on them.
		{"Gather", 13, []onnx.Attribute{intAttr("axis", 1)}, []kernels.Raw{data, i64(0)}, kernels.ErrAttribute, "axis 1"},
		{"Gather", 13, nil, []kernels.Raw{scalar(float32(1)), i64(0)}, kernels.ErrShape, "data"},
		{"GatherElements", 13, nil, []kernels.Raw{data, raw([]int64{0}, 1, 1)}, kernels.ErrShape, "indices of shape [1 1]"},
		{"GatherND", 13, nil, []kernels.Raw{data, raw([]int64{0, 0}, 1, 2)}, kernels.ErrShape, "indices"},
		{"GatherND", 13, []onnx.Attribute{intAttr("batch_dims", 1)}, []kernels.Raw{data, raw([]int64{0}, 1, 1)}, kernels.ErrAttribute, "batch_dims"},
		{"ScatterElements", 13, nil, []kernels.Raw{data, i64(0, 1), raw([]float32{1})}, kernels.ErrShape, "updates"},
		{"ScatterND", 13, nil, []kernels.Raw{data, i64(0), raw([]float32{1, 2})}, kernels.ErrShape, "updates"},
		{"Slice", 13, nil, []kernels.Raw{data, raw([]int64{0}, 1, 1), i64(1)}, kernels.ErrShape, "onnx: Slice-13: input starts: of rank 2, and not 1"},
		{"Slice", 13, nil, []kernels.Raw{data, scalar(int64(0)), i64(1)}, kernels.ErrShape, "onnx: Slice-13: input starts: of rank 0, and not 1"},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), i64(1, 2)}, kernels.ErrAttribute, "ends"},
		{"Slice", 13, nil, []kernels.Raw{matrix, i64(0, 0), i64(1, 1), i64(0)}, kernels.ErrAttribute, "axes"},
		{"Slice", 13, nil, []kernels.Raw{matrix, i64(0, 0), i64(1, 1), i64(1, -1)}, kernels.ErrAttribute, "axes"},
		{"Slice", 1, []onnx.Attribute{intsAttr("axes", 1, 1), intsAttr("starts", 0, 0), intsAttr("ends", 1, 1)}, []kernels.Raw{matrix}, kernels.ErrAttribute, "axes"},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0, 0), i64(1, 1)}, kernels.ErrAttribute, ""},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), i64(1), i64(1)}, kernels.ErrAttribute, "axes"},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), i64(1), i64()}, kernels.ErrAttribute, "onnx: Slice-13: input axes: of length 0, and starts has length 1"},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), i64(1), leftOut, i64()}, kernels.ErrAttribute, "onnx: Slice-13: input steps: of length 0, and starts has length 1"},
		{"Slice", 1, []onnx.Attribute{intsAttr("axes"), intsAttr("starts", 0), intsAttr("ends", 1)}, []kernels.Raw{matrix}, kernels.ErrAttribute,
			"onnx: Slice-1: attribute axes: of length 0, and starts has length 1"},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), i64(1), i64(0), i64(0)}, kernels.ErrAttribute, "steps"},
		{"TensorScatter", 24, nil, []kernels.Raw{matrix, matrix}, kernels.ErrAttribute, "axis 0 is the batch"}, // -2
		{"TensorScatter", 24, []onnx.Attribute{intAttr("axis", 2)}, []kernels.Raw{matrix, matrix}, kernels.ErrAttribute, "axis 2"},
		{"TensorScatter", 24, axis1, []kernels.Raw{matrix, data}, kernels.ErrShape, "updates of shape [3]"},
		{"TensorScatter", 24, axis1, []kernels.Raw{matrix, matrix, scalar(int64(0))}, kernels.ErrShape, "indices of shape []"},
		{"TensorScatter", 24, axis1, []kernels.Raw{matrix, matrix, i64(0)}, kernels.ErrShape, "indices of shape [1]"},
		{"Compress", 13, axis1, []kernels.Raw{data, raw([]bool{true})}, kernels.ErrAttribute, "axis 1"},
		{"Compress", 13, []onnx.Attribute{intAttr("axis", math.MinInt64)}, []kernels.Raw{data, raw([]bool{true})}, kernels.ErrAttribute, "axis -9223372036854775808"},
		{"Compress", 13, nil, []kernels.Raw{data, raw([]bool{true}, 1, 1)}, kernels.ErrShape, "condition"},
		{"Compress", 13, nil, []kernels.Raw{data, raw([]bool{false, false, false, false})}, kernels.ErrShape, "condition"},
		{"ScatterElements", 18, reduce("max"), []kernels.Raw{raw([]complex64{1}), i64(0), raw([]complex64{1})}, kernels.ErrType, "complex64"},
		{"ScatterElements", 18, reduce("add"), []kernels.Raw{raw([]string{"a"}), i64(0), raw([]string{"b"})}, kernels.ErrType, "string"},
		{"ScatterND", 18, reduce("add"), []kernels.Raw{raw([]string{"a"}), raw([]int64{0}, 1, 1), raw([]string{"b"})}, kernels.ErrType, "string"},

		// Tensors that are none.
		{"Identity", 13, nil, []kernels.Raw{{Type: kernels.DTypeFloat32, Shape: []int{2}, Data: make([]byte, 7)}}, kernels.ErrShape, ""},
		{"Gather", 10, nil, []kernels.Raw{data, {Type: kernels.DTypeInt64, Shape: []int{2}, Data: make([]byte, 8)}}, kernels.ErrShape, ""},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), {Type: kernels.DTypeInt64, Shape: []int{1}}}, kernels.ErrShape, ""},
		{"Slice", 13, nil, []kernels.Raw{data, i64(0), {Type: kernels.DTypeInt64, Shape: []int{-1}}}, kernels.ErrShape, ""},
		{"Compress", 13, nil, []kernels.Raw{data, {Type: kernels.DTypeBool, Shape: []int{1}}}, kernels.ErrShape, ""},
		{"Identity", 13, nil, []kernels.Raw{{Type: kernels.DTypeInt8, Shape: []int{math.MaxInt, math.MaxInt}}}, kernels.ErrShape, ""},
	} {
		_, err := runNode(r.op, r.opset, r.attrs, r.in...)
		require.ErrorIs(t, err, r.kind, "%s, opset %d: %s", r.op, r.opset, r.text)
		require.ErrorContains(t, err, r.text)
		var rule *onnx.RuleError
		if errors.As(err, &rule) {
			require.Equal(t, r.op, rule.Op)
			require.Equal(t, r.opset, rule.Opset)
			require.LessOrEqual(t, rule.Version, r.opset)
		}
	}
	_, err := onnx.Bind(&onnx.Node{Op: "Gather", Domain: "com.example"}, 13)
	require.ErrorIs(t, err, onnx.ErrUnsupported)
	require.EqualError(t, err, `onnx: Gather: domain "com.example"`)
	_, err = new(onnx.Operator).Run(nil)
	require.ErrorIs(t, err, onnx.ErrUnsupported)
}

// A value says its type, too.
func TestInferValues(t *testing.T) {
	slice, err := onnx.Bind(&onnx.Node{Op: "Slice"}, 13)
	require.NoError(t, err)
	gather, err := onnx.Bind(&onnx.Node{Op: "Gather"}, 9)
	require.NoError(t, err)
	small, negative := raw([]int8{1}), raw([]int64{-1})
	for _, elem := range []kernels.DType{0, i64} {
		bound := &onnx.Known{Type: onnx.Type{Elem: elem}, Value: &small}
		_, err = slice.Infer([]*onnx.Known{{Type: typed(f32, 5)}, bound, bound})
		require.ErrorIs(t, err, kernels.ErrType)
		_, err = gather.Infer([]*onnx.Known{{Type: typed(f32, 5)}, {Type: onnx.Type{Elem: elem}, Value: &negative}})
		require.ErrorIs(t, err, kernels.ErrIndex)
	}
}

// The inputs may be views.
func TestViews(t *testing.T) {
	transposed := matrix
	transposed.Shape, transposed.Strides = []int{3, 2}, []int{1, 3}
	got, err := runNode("Identity", 13, nil, transposed)
	require.NoError(t, err)
	requireSame(t, raw([]float32{1, 4, 2, 5, 3, 6}, 3, 2), got)

	indices := raw([]int32{-1, 7, 0})
	indices.Shape, indices.Strides, indices.Offset = []int{2}, []int{-2}, 2
	got, err = runNode("GatherElements", 13, nil, raw([]int8{1, 2, 3}), indices)
	require.NoError(t, err)
	requireSame(t, raw([]int8{1, 3}), got)
	_, err = runNode("Scatter", 9, nil, raw([]int8{1, 2, 3}), indices, raw([]int8{1, 2}))
	require.ErrorContains(t, err, "-1 at [1]")

	// Of a row that is repeated each index is looked at once, and nothing is written out.
	repeated := raw([]int64{0, 2, -1})
	repeated.Shape, repeated.Strides = []int{math.MaxInt / 8, 3}, []int{0, 1}
	gather, err := onnx.Bind(&onnx.Node{Op: "Gather"}, 10)
	require.NoError(t, err)
	_, err = gather.Infer([]*onnx.Known{{Type: typed(kernels.DTypeInt8, 3)}, {Value: &repeated}})
	require.ErrorContains(t, err, "-1 at [0 2]")
	_, err = runNode("Gather", 10, nil, raw([]float32{1, 2, 3}), repeated)
	require.ErrorIs(t, err, onnx.ErrLimit)
	got, err = runNode("Gather", 10, nil, raw([]int8{}, 3, 0), repeated)
	require.NoError(t, err, "no index is read")
	require.Empty(t, got.Data)
	column := raw([]int64{0, 2, 1})
	column.Shape, column.Strides, column.Offset = []int{3, 2}, []int{-1, 0}, 2
	got, err = runNode("Gather", 10, nil, raw([]int8{1, 2, 3}), column)
	require.NoError(t, err)
	requireSame(t, raw([]int8{2, 2, 3, 3, 1, 1}, 3, 2), got)
}

// A scatter works in place where it is told to, and only there.
func TestRunInto(t *testing.T) {
	o, err := onnx.Bind(&onnx.Node{Op: "ScatterElements"}, 13)
	require.NoError(t, err)
	require.EqualValues(t, 13, o.Version())
	data, indices, updates := raw([]int32{1, 2, 3}), raw([]int64{2}), raw([]int32{9})
	dst := raw([]int32{0, 0, 0})
	require.NoError(t, o.RunInto(dst, []kernels.Raw{data, indices, updates}))
	requireSame(t, raw([]int32{1, 2, 9}), dst)
	requireSame(t, raw([]int32{1, 2, 3}), data)
	require.NoError(t, o.RunInto(data, []kernels.Raw{data, indices, updates}))
	requireSame(t, raw([]int32{1, 2, 9}), data)
	require.ErrorIs(t, o.RunInto(raw([]int32{0, 0}), []kernels.Raw{data, indices, updates}), kernels.ErrShape)
	require.ErrorIs(t, o.RunInto(raw([]int64{0, 0, 0}), []kernels.Raw{data, indices, updates}), kernels.ErrType)
	require.ErrorIs(t, o.RunInto(dst, nil), onnx.ErrInput)
}

// What is inferred of an output of which something is known.
func TestInfer(t *testing.T) {
	one, three := raw([]int64{1}), raw([]int64{3})
	dims := func(all ...any) []onnx.Dim {
		d := []onnx.Dim{}
		for _, v := range all {
			switch v := v.(type) {
			case int:
				d = append(d, onnx.Dim{Size: v})
			case string:
				d = append(d, onnx.Dim{Size: -1, Name: v})
			}
		}
		return d
	}
	typed := func(elem kernels.DType, d []onnx.Dim) *onnx.Known {
		return &onnx.Known{Type: onnx.Type{Elem: elem, Dims: d}}
	}
	known := func(r kernels.Raw) *onnx.Known { return onnx.KnownOf(&r) }
	const f32, i64 = kernels.DTypeFloat32, kernels.DTypeInt64
	nothing := &onnx.Known{}
	for _, r := range []struct {
		op    string
		attrs []onnx.Attribute
		in    []*onnx.Known
		elem  kernels.DType
		want  []onnx.Dim
	}{
		{"GatherElements", nil, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims("M", 4))}, f32, dims("M", 4)},
		{"GatherElements", nil, []*onnx.Known{nothing, typed(i64, dims(3))}, 0, dims(3)},
		{"GatherElements", nil, []*onnx.Known{typed(f32, nil), nothing}, f32, nil},
		{"GatherElements", nil, []*onnx.Known{typed(f32, dims(5, 4)), typed(i64, dims(7, 4))}, f32, dims(7, 4)},
		{"Gather", axis1, []*onnx.Known{typed(f32, dims("N", 4, "K")), typed(i64, dims("A", "B"))}, f32, dims("N", "A", "B", "K")},
		{"Gather", nil, []*onnx.Known{typed(f32, dims(2, 4)), typed(i64, dims())}, f32, dims(4)},
		{"GatherND", nil, []*onnx.Known{typed(f32, dims("N", 4, "K")), typed(i64, dims("A", 2))}, f32, dims("A", "K")},
		{"GatherND", []onnx.Attribute{intAttr("batch_dims", 1)}, []*onnx.Known{typed(f32, dims("N", 4, "K")), typed(i64, dims("N", 2))}, f32, dims("N")},
		{"GatherND", nil, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims(3, "k"))}, f32, nil},
		{"ScatterElements", nil, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims(3, 4)), typed(f32, dims(3, 4))}, f32, dims("N", 4)},
		{"ScatterND", nil, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims("k", 1)), nothing}, f32, dims("N", 4)},
		{"ScatterND", nil, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims("k", 1)), typed(f32, dims("k", 4))}, f32, dims("N", 4)},
		{"Slice", nil, []*onnx.Known{typed(f32, dims(5, 4)), known(raw([]int64{1})), known(raw([]int64{3}))}, f32, dims(2, 4)},
		{"Slice", nil, []*onnx.Known{typed(f32, dims("N", 4)), known(raw([]int64{1})), known(raw([]int64{3})), known(raw([]int64{-1}))}, f32, dims("N", "")},
		{"Slice", nil, []*onnx.Known{typed(f32, dims(5, 4)), typed(i64, dims(1)), known(raw([]int64{3})), known(raw([]int64{0}))}, f32, dims("", 4)},
		{"Slice", nil, []*onnx.Known{typed(f32, dims(5, 4)), typed(i64, dims(1)), typed(i64, dims(1))}, f32, dims("", "")},
		{"Slice", nil, []*onnx.Known{typed(f32, nil), typed(i64, dims(1)), typed(i64, dims(1))}, f32, nil},
		{"Compress", axis1, []*onnx.Known{typed(f32, dims("N", 4)), known(raw([]bool{true}))}, f32, dims("N", "")},
		{"Compress", axis1, []*onnx.Known{typed(f32, dims(3, 4)), known(raw([]bool{true, true}))}, f32, dims(3, 2)},
		{"Compress", axis1, []*onnx.Known{typed(f32, dims(3, 4)), nothing}, f32, dims(3, "")},
		{"Compress", axis1, []*onnx.Known{typed(f32, nil), nothing}, f32, nil},
		{"Slice", nil, []*onnx.Known{typed(f32, dims(5)), {Type: onnx.Type{Elem: i64}, Value: &one}, {Type: onnx.Type{Elem: i64}, Value: &three}}, f32, dims(2)}, // dims by the value
		{"Compress", nil, []*onnx.Known{typed(f32, nil), nothing}, f32, dims("")},
		{"Identity", nil, []*onnx.Known{typed(f32, dims("N"))}, f32, dims("N")},
		{"Constant", []onnx.Attribute{intsAttr("value_ints", 1, 2)}, nil, i64, dims(2)},
	} {
		o, err := onnx.Bind(&onnx.Node{Op: r.op, Attributes: r.attrs}, 13)
		require.NoError(t, err)
		got, err := o.Infer(r.in)
		require.NoError(t, err, r.op)
		require.Equal(t, onnx.Type{Elem: r.elem, Dims: r.want}, got, r.op)
	}

	// What can be seen to be wrong before there are tensors.
	for text, r := range map[string]struct {
		op    string
		attrs []onnx.Attribute
		in    []*onnx.Known
		kind  error
	}{
		"attribute axis 2: outside [-2, 1]":    {"Gather", []onnx.Attribute{intAttr("axis", 2)}, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims(1))}, kernels.ErrAttribute},
		"attribute axis -3: outside [-2, 1]":   {"Compress", []onnx.Attribute{intAttr("axis", -3)}, []*onnx.Known{typed(f32, dims("N", 4)), nothing}, kernels.ErrAttribute},
		"attribute batch_dims 2":               {"GatherND", []onnx.Attribute{intAttr("batch_dims", 2)}, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims("M", 1))}, kernels.ErrAttribute},
		"input indices: tuples of 3":           {"GatherND", nil, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims(3))}, kernels.ErrShape},
		"input indices: tuples of 0":           {"GatherND", nil, []*onnx.Known{typed(f32, dims("N", 4)), typed(i64, dims(0))}, kernels.ErrShape},
		"input starts: of rank 2":              {"Slice", nil, []*onnx.Known{typed(f32, nil), typed(i64, dims("N", 1)), nothing}, kernels.ErrShape},
		"input indices float: not one of":      {"GatherElements", nil, []*onnx.Known{typed(f32, nil), typed(f32, nil)}, kernels.ErrType},
		"indices of shape [4]":                 {"GatherElements", nil, []*onnx.Known{typed(f32, dims(2, 2)), typed(i64, dims(4))}, kernels.ErrShape},
		"input updates double: data is float":  {"ScatterElements", nil, []*onnx.Known{typed(f32, nil), nothing, typed(kernels.DTypeFloat64, nil)}, kernels.ErrType},
		"ScatterElements-13: input updates: m": {"ScatterElements", nil, []*onnx.Known{typed(f32, nil), nothing, nil}, onnx.ErrInput},
	} {
		o, err := onnx.Bind(&onnx.Node{Op: r.op, Attributes: r.attrs}, 13)
		require.NoError(t, err)
		_, err = o.Infer(r.in)
		require.ErrorIs(t, err, r.kind, text)
		require.ErrorContains(t, err, text)
	}
}

// No index of an empty output is read, by any of the ways; the axes of a Slice are no indices.
func TestEmptyOutputs(t *testing.T) {
	empty, negative := raw([]float32{}, 3, 0), raw([]int64{-1})
	o, err := onnx.Bind(&onnx.Node{Op: "Gather"}, 9)
	require.NoError(t, err)
	in := []kernels.Raw{empty, negative}
	y, err := o.Run(in)
	require.NoError(t, err)
	require.NoError(t, o.RunInto(y, in))
	m := graph([]onnx.Value{{Name: "x", Type: typed(f32, 3, 0)}}, []onnx.Tensor{{Name: "i", Raw: negative}}, []string{"y"}, node("Gather", "y", "x", "i"))
	m.Opset = 9
	session(t, m)

	for _, end := range []int64{1, 0} {
		_, err := runNode("Slice", 10, nil, raw([]float32{1, 2}, 1, 2), raw([]int64{0}), raw([]int64{end}), raw([]int64{-1}))
		require.ErrorIs(t, err, kernels.ErrIndex, "end %d", end)
	}
	require.Zero(t, (&onnx.Operator{}).Version())
}
