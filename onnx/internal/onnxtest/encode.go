// Package onnxtest writes what tests read: models and their parts, encoded apart
// from the tables that decode them.
package onnxtest

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
)

// Message encodes fields, each a number and a value: an int, an int64, a float32, a string, or bytes.
func Message(fields ...any) []byte {
	var b []byte
	for i := 0; i < len(fields); i += 2 {
		number := protowire.Number(fields[i].(int))
		switch v := fields[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v))
		case int64:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v))
		case float32:
			b = protowire.AppendFixed32(protowire.AppendTag(b, number, protowire.Fixed32Type), math.Float32bits(v))
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), v)
		case []byte:
			b = protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
		default:
			panic(fmt.Sprintf("%T", v))
		}
	}
	return b
}

// Packed encodes varints as a packed list.
func Packed(values ...uint64) (b []byte) {
	for _, v := range values {
		b = protowire.AppendVarint(b, v)
	}
	return b
}

// Model encodes a model.
func Model(m *onnx.Model) []byte {
	var g []byte
	for i := range m.Graph.Nodes {
		g = append(g, Message(1, Node(&m.Graph.Nodes[i]))...)
	}
	g = append(g, Message(2, m.Graph.Name)...)
	for i := range m.Graph.Initializers {
		g = append(g, Message(5, Tensor(m.Graph.Initializers[i]))...)
	}
	for i, values := range [][]onnx.Value{m.Graph.Inputs, m.Graph.Outputs, m.Graph.Values} {
		for _, v := range values {
			g = append(g, Message(11+i, Value(v))...)
		}
	}
	return Message(1, m.IRVersion, 2, m.Producer, 7, g, 8, Message(2, m.Opset))
}

// Node encodes a node.
func Node(n *onnx.Node) (b []byte) {
	for _, name := range n.Inputs {
		b = append(b, Message(1, name)...)
	}
	for _, name := range n.Outputs {
		b = append(b, Message(2, name)...)
	}
	b = append(b, Message(3, n.Name, 4, n.Op, 7, n.Domain)...)
	for _, a := range n.Attributes {
		b = append(b, Message(5, Attribute(a))...)
	}
	return b
}

// Attribute encodes an attribute.
func Attribute(a onnx.Attribute) []byte {
	b := Message(1, a.Name, 20, int(a.Type))
	switch a.Type {
	case onnx.AttributeFloat:
		b = append(b, Message(2, a.Float)...)
	case onnx.AttributeInt:
		b = append(b, Message(3, a.Int)...)
	case onnx.AttributeString:
		b = append(b, Message(4, a.String)...)
	case onnx.AttributeTensor:
		b = append(b, Message(5, Tensor(*a.Tensor))...)
	case onnx.AttributeFloats:
		for _, f := range a.Floats {
			b = append(b, Message(7, f)...)
		}
	case onnx.AttributeInts:
		for _, n := range a.Ints {
			b = append(b, Message(8, n)...)
		}
	case onnx.AttributeStrings:
		for _, s := range a.Strings {
			b = append(b, Message(9, s)...)
		}
	}
	return b
}

// Value encodes what a model says of a value.
func Value(v onnx.Value) []byte {
	t := Message(1, int(v.Type.Elem))
	if v.Type.Dims != nil {
		var shape []byte
		for _, d := range v.Type.Dims {
			dim := Message(2, d.Name)
			if d.Size >= 0 {
				dim = Message(1, d.Size)
			}
			shape = append(shape, Message(1, dim)...)
		}
		t = append(t, Message(2, shape)...)
	}
	return Message(1, v.Name, 2, Message(1, t))
}

// Tensor encodes a contiguous tensor, whose elements are in the machine's order, which
// has to be the file's.
func Tensor(t onnx.Tensor) (b []byte) {
	for _, d := range t.Shape {
		b = append(b, Message(1, d)...)
	}
	b = append(b, Message(2, int(t.Type), 8, t.Name)...)
	for _, s := range t.Strings {
		b = append(b, Message(6, s)...)
	}
	if t.Type != kernels.DTypeString {
		b = append(b, Message(9, little(t.Raw))...)
	}
	return b
}

// little returns the elements as they are in files.
func little(t kernels.Raw) []byte {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return t.Data
	}
	part := t.Type.Size()
	if t.Type == kernels.DTypeComplex64 || t.Type == kernels.DTypeComplex128 {
		part /= 2
	}
	b := make([]byte, len(t.Data))
	for i := range b {
		b[i] = t.Data[i/part*part+part-1-i%part]
	}
	return b
}

// Raw returns a tensor of Go values.
func Raw[T any](values []T, shape ...int) kernels.Raw {
	r, err := kernels.RawOf(kernels.New(values, shape...))
	if err != nil {
		panic(err)
	}
	return r
}
