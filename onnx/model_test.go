package onnx_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
	"github.com/lanes-go/lanes/onnx/internal/onnxtest"
)

var message, packed = onnxtest.Message, onnxtest.Packed

// sample has something in every field that is read.
func sample() *onnx.Model {
	return &onnx.Model{IRVersion: 8, Producer: "test", Opset: 13, Graph: onnx.Graph{
		Name: "sample",
		Nodes: []onnx.Node{
			{Name: "first", Op: "GatherElements", Inputs: []string{"x", "i"}, Outputs: []string{"a"}, Attributes: []onnx.Attribute{
				{Name: "axis", Type: onnx.AttributeInt, Int: -1},
			}},
			{Op: "Constant", Domain: "ai.onnx", Outputs: []string{"c"}, Attributes: []onnx.Attribute{
				{Name: "value", Type: onnx.AttributeTensor, Tensor: &onnx.Tensor{Raw: onnxtest.Raw([]string{"", "p"}, 2)}},
			}},
			{Op: "Slice", Inputs: []string{"a", "s", "e", "", "t"}, Outputs: []string{"y"}},
			{Op: "Other", Attributes: []onnx.Attribute{
				{Name: "f", Type: onnx.AttributeFloat, Float: -0.5},
				{Name: "s", Type: onnx.AttributeString, String: "add"},
				{Name: "fs", Type: onnx.AttributeFloats, Floats: []float32{1, 2}},
				{Name: "is", Type: onnx.AttributeInts, Ints: []int64{math.MinInt64, 2}},
				{Name: "none", Type: onnx.AttributeInts},
				{Name: "ss", Type: onnx.AttributeStrings, Strings: []string{"", "t"}},
			}},
		},
		Inputs: []onnx.Value{
			{Name: "x", Type: onnx.Type{Elem: kernels.DTypeFloat32, Dims: []onnx.Dim{{Size: 2}, {Size: -1, Name: "N"}, {Size: -1}, {Size: 0}}}},
			{Name: "i", Type: onnx.Type{Elem: kernels.DTypeInt64}},
		},
		Outputs:      []onnx.Value{{Name: "y", Type: onnx.Type{Elem: kernels.DTypeFloat32, Dims: []onnx.Dim{}}}},
		Values:       []onnx.Value{{Name: "a"}},
		Initializers: []onnx.Tensor{{Name: "s", Raw: onnxtest.Raw([]int64{0, -1}, 2)}, {Name: "e", Raw: onnxtest.Raw([]complex128{1 + 2i})}},
	}}
}

func TestParseModel(t *testing.T) {
	m := sample()
	got, err := onnx.ParseModel(onnxtest.Model(m), onnx.Config{})
	require.NoError(t, err)
	got.Graph.Initializers[1].Shape = m.Graph.Initializers[1].Shape // nil or of length 0
	require.Equal(t, m, got)
}

// Other fields than those that are read are passed over, whatever they hold; the
// version goes to the producer.
func TestParseModelPassesOver(t *testing.T) {
	graph := message(1, message(4, "Identity", 6, "doc", 9, message(1, "key")), 10, "doc", 14, message(1, "q"), 99, 5)
	m, err := onnx.ParseModel(message(2, "p", 3, "1.2", 5, 7, 8, message(1, "com.example", 2, 3), 8, message(1, "ai.onnx", 2, 9), 7, graph, 25, message(1, "f")), onnx.Config{})
	require.NoError(t, err)
	require.Equal(t, "p 1.2", m.Producer)
	require.EqualValues(t, 9, m.Opset)
	require.Equal(t, []onnx.Node{{Op: "Identity"}}, m.Graph.Nodes)

	m, err = onnx.ParseModel(message(1, 2, 7, graph), onnx.Config{}) // before there were opset imports
	require.NoError(t, err)
	require.EqualValues(t, 1, m.Opset)
}

// graphOf is a model of these fields of a graph.
func graphOf(fields ...any) []byte { return message(1, 8, 8, message(2, 13), 7, message(fields...)) }

// nodeOf is a model of a node with an attribute.
func nodeOf(attribute ...any) []byte {
	return graphOf(1, message(4, "Other"), 1, message(4, "Other", 5, message(attribute...)))
}

// typeOf is a model of an input of a type.
func typeOf(fields ...any) []byte {
	return graphOf(11, message(1, "x", 2, message(fields...)))
}

func TestBadModels(t *testing.T) {
	long := message(1, 8, 8, message(2, 13), 7, message(2, "graph"))
	for _, r := range []struct {
		name  string
		model []byte
		field string
		kind  error
	}{
		{"empty", nil, "", onnx.ErrFormat},
		{"not protobuf", []byte("onnx"), "field 13", onnx.ErrFormat},
		{"truncated", long[:len(long)-1], "graph", onnx.ErrFormat},
		{"field 0", []byte{0}, "", onnx.ErrFormat},
		{"end of a group", []byte{12}, "ir_version", onnx.ErrFormat},
		{"a group that does not end", []byte{99<<3&0x7F | 3 | 0x80, 6}, "field 99", onnx.ErrFormat},
		{"no graph", message(1, 8, 8, message(2, 13)), "", onnx.ErrFormat},
		{"two graphs", message(7, message(2, "a"), 7, message(2, "b")), "graph", onnx.ErrFormat},
		{"graph is a number", message(7, 5), "graph", onnx.ErrFormat},
		{"node is a number", graphOf(1, 5), "graph.node", onnx.ErrFormat},
		{"version is a string", message(1, "8"), "ir_version", onnx.ErrFormat},
		{"name is a number", graphOf(2, 5), "graph.name", onnx.ErrFormat},
		{"two opsets", message(8, message(2, 13), 8, message(1, "ai.onnx", 2, 14), 7, message(2, "g")), "opset_import[1]", onnx.ErrFormat},
		{"opset 0", message(8, message(2, 0), 7, message(2, "g")), "opset_import[0]", onnx.ErrFormat},
		{"opset -1", message(8, message(2, -1), 7, message(2, "g")), "opset_import[0]", onnx.ErrFormat},
		{"sparse initializer", graphOf(15, message(3, 1)), "graph.sparse_initializer", onnx.ErrUnsupported},
		{"sequence", typeOf(4, message(1, message())), "graph.input[0].type.sequence_type", onnx.ErrUnsupported},
		{"map", typeOf(5, message()), "graph.input[0].type.map_type", onnx.ErrUnsupported},
		{"optional", typeOf(9, message()), "graph.input[0].type.optional_type", onnx.ErrUnsupported},
		{"element type 17", typeOf(1, message(1, 17)), "graph.input[0].type.tensor_type.elem_type", onnx.ErrUnsupported},
		{"element type -1", typeOf(1, message(1, -1)), "graph.input[0].type.tensor_type.elem_type", onnx.ErrFormat},
		{"negative dimension", typeOf(1, message(1, 1, 2, message(1, message(1, 4), 1, message(1, -1)))), "graph.input[0].type.tensor_type.shape.dim[1].dim_value", onnx.ErrFormat},
		{"two shapes", typeOf(1, message(2, message(), 2, message())), "graph.input[0].type.tensor_type.shape", onnx.ErrFormat},
		{"attribute without a name", nodeOf(3, 1, 20, 2), "graph.node[1].attribute[0].name", onnx.ErrFormat},
		{"attribute without a type", nodeOf(1, "a", 3, 1), "graph.node[1].attribute[0].type", onnx.ErrFormat},
		{"attribute of type 99", nodeOf(1, "a", 3, 1, 20, 99), "graph.node[1].attribute[0].type", onnx.ErrFormat},
		{"attribute of type -1", nodeOf(1, "a", 3, 1, 20, -1), "graph.node[1].attribute[0].type", onnx.ErrFormat},
		{"attribute without a value", nodeOf(1, "a", 20, 4), "graph.node[1].attribute[0].type", onnx.ErrFormat},
		{"attribute of another type", nodeOf(1, "a", 2, float32(1), 20, 2), "graph.node[1].attribute[0].type", onnx.ErrFormat},
		{"attribute of two types", nodeOf(1, "a", 2, float32(1), 3, 1, 20, 2), "graph.node[1].attribute[0].type", onnx.ErrFormat},
		{"attribute of two tensors", nodeOf(1, "a", 5, message(2, 1, 1, 0), 5, message(2, 1, 1, 0), 20, 4), "graph.node[1].attribute[0].t", onnx.ErrFormat},
		{"attribute of a function", nodeOf(1, "a", 20, 2, 21, "b"), "graph.node[1].attribute[0].ref_attr_name", onnx.ErrFormat},
		{"tensor in an attribute", nodeOf(1, "a", 5, message(2, 1, 1, -4), 20, 4), "graph.node[1].attribute[0].t.dims", onnx.ErrFormat},
		{"ints cut short", nodeOf(1, "a", 8, []byte{0x80}, 20, 7), "graph.node[1].attribute[0].ints", onnx.ErrFormat},
		{"ints of fixed size", nodeOf(1, "a", 8, float32(1), 20, 7), "graph.node[1].attribute[0].ints", onnx.ErrFormat},
		{"floats cut short", nodeOf(1, "a", 7, []byte{0, 0, 0}, 20, 6), "graph.node[1].attribute[0].floats", onnx.ErrFormat},
	} {
		_, err := onnx.ParseModel(r.model, onnx.Config{})
		require.ErrorIs(t, err, r.kind, r.name)
		var bad *onnx.FormatError
		require.ErrorAs(t, err, &bad, r.name)
		require.Equal(t, r.field, bad.Field, "%s: %v", r.name, err)
		require.NotEmpty(t, bad.Reason, r.name)
		require.Contains(t, err.Error(), "onnx: "+r.field, r.name)
	}
}

// tensorRow is a TensorProto with dims, each in a field of its own.
func tensorRow(kind kernels.DType, dims []int, fields ...any) []byte {
	var b []byte
	for _, d := range dims {
		b = append(b, message(1, d)...)
	}
	return append(append(b, message(2, int(kind))...), message(fields...)...)
}

// native turns little-endian numbers of a size into the machine's.
func native(size int, b ...byte) []byte {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		for at := b; len(at) > 0; at = at[size:] {
			for i := range size / 2 {
				at[i], at[size-1-i] = at[size-1-i], at[i]
			}
		}
	}
	return b
}

// Elements are raw, or numbers of a field of their own, narrow types in wider ones, packed or not.
func TestParseTensor(t *testing.T) {
	float := binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5))
	double := binary.LittleEndian.AppendUint64(nil, math.Float64bits(-1.5))
	one := []int{1}
	for name, r := range map[string]struct {
		kind   kernels.DType
		shape  []int
		fields []any
		want   []byte
	}{
		"float":                {kernels.DTypeFloat32, one, []any{4, float}, native(4, float...)},
		"float, unpacked":      {kernels.DTypeFloat32, one, []any{4, float32(1.5)}, native(4, float...)},
		"complex64":            {kernels.DTypeComplex64, one, []any{4, append(bytes.Clone(float), float...)}, native(4, append(bytes.Clone(float), float...)...)},
		"complex64, raw":       {kernels.DTypeComplex64, one, []any{9, append(bytes.Clone(float), float...)}, native(4, append(bytes.Clone(float), float...)...)},
		"double":               {kernels.DTypeFloat64, one, []any{10, double}, native(8, double...)},
		"complex128":           {kernels.DTypeComplex128, one, []any{10, append(bytes.Clone(double), double...)}, native(8, append(bytes.Clone(double), double...)...)},
		"int8":                 {kernels.DTypeInt8, one, []any{5, packed(math.MaxUint64)}, []byte{0xFF}},
		"int8, 32 bits":        {kernels.DTypeInt8, one, []any{5, packed(math.MaxUint32)}, []byte{0xFF}},
		"uint8":                {kernels.DTypeUint8, []int{2}, []any{5, packed(0, 255)}, []byte{0, 255}},
		"int16":                {kernels.DTypeInt16, []int{2}, []any{5, packed(math.MaxUint64, 32767)}, native(2, 255, 255, 255, 127)},
		"uint16":               {kernels.DTypeUint16, one, []any{5, packed(65535)}, []byte{255, 255}},
		"int32":                {kernels.DTypeInt32, one, []any{5, packed(258)}, native(4, 2, 1, 0, 0)},
		"float16":              {kernels.DTypeFloat16, []int{2}, []any{5, packed(0x3C00, 0xFC00)}, native(2, 0, 0x3C, 0, 0xFC)},
		"bfloat16":             {kernels.DTypeBFloat16, one, []any{5, packed(0x3F80)}, native(2, 0x80, 0x3F)},
		"bool":                 {kernels.DTypeBool, []int{2}, []any{5, packed(1, 0)}, []byte{1, 0}},
		"bool, raw":            {kernels.DTypeBool, []int{3}, []any{9, []byte{1, 0, 7}}, []byte{1, 0, 1}},
		"int64":                {kernels.DTypeInt64, one, []any{7, packed(258)}, native(8, 2, 1, 0, 0, 0, 0, 0, 0)},
		"int64, raw":           {kernels.DTypeInt64, one, []any{9, []byte{2, 1, 0, 0, 0, 0, 0, 0}}, native(8, 2, 1, 0, 0, 0, 0, 0, 0)},
		"uint32":               {kernels.DTypeUint32, one, []any{11, packed(258)}, native(4, 2, 1, 0, 0)},
		"uint64, unpacked":     {kernels.DTypeUint64, one, []any{11, 258}, native(8, 2, 1, 0, 0, 0, 0, 0, 0)},
		"uint64, both":         {kernels.DTypeUint64, []int{2}, []any{11, 258, 11, packed(1)}, native(8, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)},
		"scalar":               {kernels.DTypeBool, nil, []any{5, packed(1)}, []byte{1}},
		"empty":                {kernels.DTypeInt64, []int{3, 0}, nil, nil},
		"empty, raw":           {kernels.DTypeInt64, []int{3, 0}, []any{9, ""}, nil},
		"empty, of large axes": {kernels.DTypeInt64, []int{math.MaxInt, 0, 1}, nil, nil},
	} {
		got, err := onnx.ParseTensor(tensorRow(r.kind, r.shape, append(r.fields, 8, "name")...), onnx.Config{})
		require.NoError(t, err, name)
		require.Equal(t, "name", got.Name)
		require.Equal(t, r.kind, got.Type, name)
		require.Equal(t, append([]int{}, r.shape...), got.Shape, name)
		require.Equal(t, append([]byte{}, r.want...), append([]byte{}, got.Data...), name)
		require.Empty(t, got.Strings)

		// And what is written is read again.
		b, err := onnx.AppendTensor([]byte{}, got)
		require.NoError(t, err, name)
		again, err := onnx.ParseTensor(b, onnx.Config{})
		require.NoError(t, err, name)
		require.Equal(t, append([]byte{}, got.Data...), append([]byte{}, again.Data...), name)
		again.Data = got.Data
		require.Equal(t, got, again, name)
	}
}

func TestStrings(t *testing.T) {
	b := tensorRow(kernels.DTypeString, []int{3}, 6, "a", 6, "", 6, "\xFF\x00")
	got, err := onnx.ParseTensor(b, onnx.Config{})
	require.NoError(t, err)
	want := onnx.Tensor{Raw: kernels.Raw{Type: kernels.DTypeString, Strings: []string{"a", "", "\xFF\x00"}, Shape: []int{3}}}
	require.Equal(t, want, got)
	again, err := onnx.AppendTensor(nil, want)
	require.NoError(t, err)
	require.Equal(t, b, again)
}

// A view is written as it reads; one that leaves its slice is not.
func TestAppendTensorViews(t *testing.T) {
	v := onnxtest.Raw([]int16{1, 2, 3, 4, 5, 6}, 3, 2)
	v.Strides, v.Offset = []int{-2, 1}, 4
	b, err := onnx.AppendTensor(nil, onnx.Tensor{Raw: v})
	require.NoError(t, err)
	got, err := onnx.ParseTensor(b, onnx.Config{})
	require.NoError(t, err)
	require.Equal(t, onnxtest.Raw([]int16{5, 6, 3, 4, 1, 2}, 3, 2), got.Raw)

	_, err = onnx.AppendTensor(nil, onnx.Tensor{Raw: kernels.Raw{Type: kernels.DTypeString, Shape: []int{1}, Data: make([]byte, 16)}})
	require.ErrorIs(t, err, kernels.ErrShape, "strings are not in Data")

	v.Offset = 5
	_, err = onnx.AppendTensor(nil, onnx.Tensor{Raw: v})
	require.ErrorIs(t, err, kernels.ErrShape)
	_, err = onnx.AppendTensor(nil, onnx.Tensor{Raw: kernels.Raw{Type: 17, Shape: []int{1}, Data: []byte{1}}})
	require.ErrorIs(t, err, onnx.ErrUnsupported)
	_, err = onnx.AppendTensor(nil, onnx.Tensor{Raw: kernels.Raw{Type: kernels.DTypeUint8, Shape: []int{1}}})
	require.ErrorIs(t, err, kernels.ErrShape)
}

func TestBadTensors(t *testing.T) {
	const f32, i8, str = kernels.DTypeFloat32, kernels.DTypeInt8, kernels.DTypeString
	one := []int{1}
	for _, r := range []struct {
		name   string
		tensor []byte
		field  string
		kind   error
	}{
		{"no type", message(1, 0), "data_type", onnx.ErrFormat},
		{"float8", tensorRow(17, []int{0}), "data_type", onnx.ErrUnsupported},
		{"type -5", message(2, -5), "data_type", onnx.ErrFormat},
		{"dimension -1", tensorRow(f32, []int{-1}), "dims", onnx.ErrFormat},
		{"too many elements", tensorRow(f32, []int{math.MaxInt}), "dims", onnx.ErrFormat},
		{"too many elements, multiplied", tensorRow(i8, []int{math.MaxInt, math.MaxInt}), "dims", onnx.ErrFormat},
		{"too many elements, but for a 0", tensorRow(i8, []int{math.MaxInt, 0, math.MaxInt}), "dims", onnx.ErrFormat},
		{"no data", tensorRow(f32, []int{2, 2}), "data", onnx.ErrFormat},
		{"raw, short", tensorRow(f32, one, 9, "abc"), "raw_data", onnx.ErrFormat},
		{"raw, long", tensorRow(f32, one, 9, "abcde"), "raw_data", onnx.ErrFormat},
		{"raw, a number", tensorRow(i8, one, 9, 5), "raw_data", onnx.ErrFormat},
		{"raw, twice", tensorRow(i8, one, 9, "a", 9, "a"), "raw_data", onnx.ErrFormat},
		{"raw strings", tensorRow(str, one, 9, "a"), "data_type", onnx.ErrFormat},
		{"two fields", tensorRow(f32, one, 9, "abcd", 4, "abcd"), "float_data", onnx.ErrFormat},
		{"another field", tensorRow(f32, one, 5, 1), "data_type", onnx.ErrFormat},
		{"more numbers", tensorRow(i8, one, 5, 1, 5, 1), "data", onnx.ErrFormat},
		{"fewer numbers", tensorRow(i8, []int{3}, 5, packed(1, 2)), "data", onnx.ErrFormat},
		{"half a complex number", tensorRow(kernels.DTypeComplex64, one, 4, float32(1)), "data", onnx.ErrFormat},
		{"numbers cut short", tensorRow(f32, one, 4, "abc"), "data", onnx.ErrFormat},
		{"numbers of another kind", tensorRow(i8, one, 5, float32(1)), "data", onnx.ErrFormat},
		{"strings that are numbers", tensorRow(str, one, 6, 1), "string_data", onnx.ErrFormat},
		{"fewer strings", tensorRow(str, []int{2}, 6, "a"), "string_data", onnx.ErrFormat},
		{"int8 128", tensorRow(i8, one, 5, 128), "data", onnx.ErrFormat},
		{"int8 -129", tensorRow(i8, one, 5, -129), "data", onnx.ErrFormat},
		{"uint8 -1", tensorRow(kernels.DTypeUint8, one, 5, -1), "data", onnx.ErrFormat},
		{"uint32 2^32", tensorRow(kernels.DTypeUint32, one, 11, int64(1)<<32), "data", onnx.ErrFormat},
		{"uint32 2^64-1", tensorRow(kernels.DTypeUint32, one, 11, -1), "data", onnx.ErrFormat},
		{"float16 of 17 bits", tensorRow(kernels.DTypeFloat16, one, 5, 1<<16), "data", onnx.ErrFormat},
		{"bool 2", tensorRow(kernels.DTypeBool, one, 5, 2), "data", onnx.ErrFormat},
		{"segment", tensorRow(i8, one, 3, message(1, 0)), "segment", onnx.ErrUnsupported},
		{"location 2", tensorRow(i8, one, 14, 2), "data_location", onnx.ErrFormat},
		{"external and raw", tensorRow(i8, one, 14, 1, 9, "a"), "data_location", onnx.ErrFormat},
		{"external strings", tensorRow(str, one, 14, 1), "data_location", onnx.ErrFormat},
		{"external without a file system", tensorRow(i8, one, 14, 1, 13, message(1, "location", 2, "f")), "external_data", onnx.ErrUnsupported},
		{"a gigabyte of nothing", tensorRow(i8, []int{1 << 30}), "data", onnx.ErrFormat},
		{"more than the limit", tensorRow(i8, []int{math.MaxInt}), "dims", onnx.ErrLimit},
	} {
		_, err := onnx.ParseTensor(r.tensor, onnx.Config{})
		require.ErrorIs(t, err, r.kind, r.name)
		var bad *onnx.FormatError
		require.ErrorAs(t, err, &bad, r.name)
		require.Equal(t, r.field, bad.Field, "%s: %v", r.name, err)
	}
	_, err := onnx.ParseTensor(tensorRow(i8, []int{9}, 9, "123456789"), onnx.Config{MaxBytes: 8})
	require.ErrorIs(t, err, onnx.ErrLimit)
	_, err = onnx.ParseTensor(tensorRow(str, one, 6, strings.Repeat("s", 100)), onnx.Config{MaxBytes: 99})
	require.ErrorIs(t, err, onnx.ErrLimit)
	// The limit is on all tensors together.
	two := graphOf(5, tensorRow(i8, []int{5}, 9, "12345"), 5, tensorRow(i8, []int{5}, 9, "12345"))
	_, err = onnx.ParseModel(two, onnx.Config{MaxBytes: 9})
	require.ErrorIs(t, err, onnx.ErrLimit)
	require.ErrorContains(t, err, "initializer[1]")
	_, err = onnx.ParseModel(two, onnx.Config{MaxBytes: 10})
	require.NoError(t, err)
}

// external is a tensor of 4 uint8 that is elsewhere.
func external(entries ...string) []byte {
	b := tensorRow(kernels.DTypeUint8, []int{4}, 14, 1)
	for i := 0; i < len(entries); i += 2 {
		b = append(b, message(13, message(1, entries[i], 2, entries[i+1]))...)
	}
	return b
}

func TestExternalData(t *testing.T) {
	files := fstest.MapFS{"data.bin": {Data: []byte("0123456789")}, "folder/f": {Data: []byte("abcd")}, "big": {Data: make([]byte, 8)}}
	c := onnx.Config{External: files}
	for want, entries := range map[string][]string{
		"0123": {"location", "data.bin", "checksum", "any"},
		"2345": {"location", "data.bin", "offset", "2"},
		"6789": {"location", "data.bin", "offset", "6", "length", "4"},
		"abcd": {"location", "folder/f"},
	} {
		got, err := onnx.ParseTensor(external(entries...), c)
		require.NoError(t, err, want)
		require.Equal(t, want, string(got.Data))
	}
	for name, entries := range map[string][]string{
		"no location":     {},
		"no file":         {"location", "other"},
		"folder":          {"location", "folder"},
		"outside":         {"location", "../data.bin"},
		"absolute":        {"location", "/data.bin"},
		"itself":          {"location", "."},
		"past the end":    {"location", "data.bin", "offset", "7"},
		"far past it":     {"location", "data.bin", "offset", "9223372036854775807"},
		"negative offset": {"location", "data.bin", "offset", "-1"},
		"no number":       {"location", "data.bin", "offset", "x"},
		"another length":  {"location", "data.bin", "length", "5"},
		"negative length": {"location", "data.bin", "length", "-2"},
	} {
		_, err := onnx.ParseTensor(external(entries...), c)
		require.ErrorIs(t, err, onnx.ErrFormat, name)
		require.ErrorContains(t, err, "external_data", name)
	}
	for _, kind := range []fs.FileMode{fs.ModeNamedPipe, fs.ModeDevice, fs.ModeSocket} { // to open one may never return
		never := neverOpened{fstest.MapFS{"data.bin": {Data: []byte("0123456789"), Mode: kind}}}
		_, err := onnx.ParseTensor(external("location", "data.bin"), onnx.Config{External: never})
		require.ErrorIs(t, err, onnx.ErrFormat)
	}
	_, err := onnx.ParseTensor(external("location", "data.bin"), onnx.Config{External: opaque{files}})
	require.ErrorIs(t, err, onnx.ErrUnsupported)
	// A file that is far shorter than the shape is seen before anything is allocated.
	_, err = onnx.ParseTensor(append(tensorRow(kernels.DTypeUint8, []int{1 << 29}, 14, 1), message(13, message(1, "location", 2, "big"))...), c)
	require.ErrorIs(t, err, onnx.ErrFormat)
	// Bytes of the file's order.
	got, err := onnx.ParseTensor(append(tensorRow(kernels.DTypeUint32, []int{1}, 14, 1), message(13, message(1, "location", 2, "folder/f"))...), c)
	require.NoError(t, err)
	require.Equal(t, native(4, 'a', 'b', 'c', 'd'), got.Data)
}

type neverOpened struct{ fstest.MapFS }

func (neverOpened) Open(string) (fs.File, error) { panic("opened") }

// opaque is a file system whose files can be read from their start alone.
type opaque struct{ fs.FS }

func (o opaque) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	return struct{ fs.File }{f}, err
}

func TestLoadModel(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "model")
	require.NoError(t, os.Mkdir(inner, 0o777))
	write := func(path string, b []byte) { require.NoError(t, os.WriteFile(filepath.Join(dir, path), b, 0o666)) }
	write("secret", []byte("1234"))
	write("model/weights", []byte("5678"))
	write("model/m.onnx", graphOf(5, external("location", "weights")))
	m, err := onnx.LoadModel(filepath.Join(inner, "m.onnx"), onnx.Config{})
	require.NoError(t, err)
	require.Equal(t, "5678", string(m.Graph.Initializers[0].Data))

	_, err = onnx.LoadModel(filepath.Join(inner, "none.onnx"), onnx.Config{})
	require.ErrorIs(t, err, fs.ErrNotExist)

	// A link that leads out of the folder is not followed.
	if err := os.Symlink(filepath.Join("..", "secret"), filepath.Join(inner, "link")); err != nil {
		t.Logf("links: NOT RUN: %v", err)
		return
	}
	write("model/m.onnx", graphOf(5, external("location", "link")))
	_, err = onnx.LoadModel(filepath.Join(inner, "m.onnx"), onnx.Config{})
	require.ErrorIs(t, err, onnx.ErrFormat)
}

// What a few bytes can ask for is bounded.
func TestHostileModels(t *testing.T) {
	empty := func(n int, number int) []byte { return bytes.Repeat(message(number, ""), n) }
	deep := message(2, "x")
	for range 1000 {
		deep = message(7, deep)
	}
	for name, r := range map[string]struct {
		model []byte
		kind  error
	}{
		"many nodes":   {message(8, message(2, 13), 7, empty(1<<20+1, 1)), onnx.ErrLimit},
		"many inputs":  {message(8, message(2, 13), 7, empty(1<<20+1, 11)), onnx.ErrLimit},
		"many dims":    {typeOf(1, message(2, empty(1<<20+1, 1))), onnx.ErrLimit},
		"many strings": {graphOf(5, tensorRow(kernels.DTypeString, []int{1 << 20}, 6, "")), onnx.ErrFormat},
		"deep":         {deep, nil},
		"attributes":   {graphOf(1, empty(1<<20+1, 5)), onnx.ErrFormat},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := onnx.ParseModel(r.model, onnx.Config{})
		runtime.ReadMemStats(&after)
		if r.kind != nil {
			require.ErrorIs(t, err, r.kind, name)
		}
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<30), "%s: %v", name, err)
	}
}

// A model that is cut anywhere, or has a byte that is another, is read or refused.
func TestSpoiledModels(t *testing.T) {
	b := onnxtest.Model(sample())
	refused := 0
	for i := range b {
		for _, spoiled := range [][]byte{b[:i], spoil(b, i, 0xFF), spoil(b, i, b[i]+1), spoil(b, i, b[i]^0x80)} {
			if m, err := onnx.ParseModel(spoiled, onnx.Config{MaxBytes: 1 << 20}); err != nil {
				refused++
				require.True(t, strings.HasPrefix(err.Error(), "onnx: "), err)
			} else {
				_, _ = onnx.NewSession(m)
			}
		}
	}
	require.Greater(t, refused, len(b))
}

func spoil(b []byte, i int, v byte) []byte {
	b = bytes.Clone(b)
	b[i] = v
	return b
}

// What a writer of proto3 leaves out is 0, and a location is brought into its shortest form, as ONNX does.
func TestLeftOut(t *testing.T) {
	n := message(1, "x", 1, "i", 2, "y", 4, "Gather", 5, message(1, "axis", 20, 2))
	m, err := onnx.ParseModel(graphOf(1, n), onnx.Config{})
	require.NoError(t, err)
	require.Equal(t, onnx.Attribute{Name: "axis", Type: onnx.AttributeInt}, m.Graph.Nodes[0].Attributes[0])

	files := fstest.MapFS{"data.bin": {Data: []byte("0123456789")}}
	for _, location := range []string{"./data.bin", "folder/../data.bin", ".//data.bin"} {
		_, err := onnx.ParseTensor(external("location", location), onnx.Config{External: files})
		require.NoError(t, err, location)
	}
}
