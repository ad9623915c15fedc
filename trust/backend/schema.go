package backend

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A field of a message. kind is a scalar type or the name of a message.
type field struct {
	number   int32
	name     string
	kind     any
	repeated bool
}

const (
	float   = descriptorpb.FieldDescriptorProto_TYPE_FLOAT
	double  = descriptorpb.FieldDescriptorProto_TYPE_DOUBLE
	integer = descriptorpb.FieldDescriptorProto_TYPE_INT64
	short   = descriptorpb.FieldDescriptorProto_TYPE_INT32
	natural = descriptorpb.FieldDescriptorProto_TYPE_UINT64
	text    = descriptorpb.FieldDescriptorProto_TYPE_STRING
	octets  = descriptorpb.FieldDescriptorProto_TYPE_BYTES
)

// schema is the part of ONNX's messages that models of one node and their
// tensors need, with ONNX's numbers. What a file holds beyond it stays
// in unknown fields.
var schema = map[string][]field{
	"Model": {
		{1, "ir_version", integer, false},
		{7, "graph", "Graph", false},
		{8, "opset_import", "OperatorSet", true},
	},
	"OperatorSet": {
		{1, "domain", text, false},
		{2, "version", integer, false},
	},
	"Graph": {
		{1, "node", "Node", true},
		{2, "name", text, false},
		{5, "initializer", "Tensor", true},
		{11, "input", "Value", true},
		{12, "output", "Value", true},
	},
	"Value": {
		{1, "name", text, false},
	},
	"Node": {
		{1, "input", text, true},
		{2, "output", text, true},
		{3, "name", text, false},
		{4, "op_type", text, false},
		{5, "attribute", "Attribute", true},
		{7, "domain", text, false},
	},
	"Attribute": {
		{1, "name", text, false},
		{3, "i", integer, false},
		{4, "s", octets, false},
		{20, "type", short, false},
	},
	"Tensor": {
		{1, "dims", integer, true},
		{2, "data_type", short, false},
		{4, "float_data", float, true},
		{5, "int32_data", short, true},
		{6, "string_data", octets, true},
		{7, "int64_data", integer, true},
		{8, "name", text, false},
		{9, "raw_data", octets, false},
		{10, "double_data", double, true},
		{11, "uint64_data", natural, true},
	},
}

var messages = describe()

// describe returns the descriptors of the messages. A mistake in the table is
// one in this program.
func describe() protoreflect.MessageDescriptors {
	file := &descriptorpb.FileDescriptorProto{Name: proto.String("onnx"), Syntax: proto.String("proto2")}
	for name, fields := range schema {
		message := &descriptorpb.DescriptorProto{Name: proto.String(name)}
		for _, f := range fields {
			d := &descriptorpb.FieldDescriptorProto{
				Name:   proto.String(f.name),
				Number: proto.Int32(f.number),
				Label:  descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			}
			if f.repeated {
				d.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
			}
			switch kind := f.kind.(type) {
			case string:
				d.Type, d.TypeName = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), proto.String("."+kind)
			case descriptorpb.FieldDescriptorProto_Type:
				d.Type = kind.Enum()
			}
			message.Field = append(message.Field, d)
		}
		file.MessageType = append(file.MessageType, message)
	}
	described, err := protodesc.NewFile(file, nil)
	if err != nil {
		panic(err)
	}
	return described.Messages()
}

// A message is a decoded message of the schema.
type message struct{ protoreflect.Message }

// decode reads a message.
func decode(name string, b []byte) (message, error) {
	m := dynamicpb.NewMessage(messages.ByName(protoreflect.Name(name)))
	err := proto.Unmarshal(b, m)
	return message{m}, err
}

func (m message) get(name string) protoreflect.Value {
	return m.Get(m.Descriptor().Fields().ByName(protoreflect.Name(name)))
}

func (m message) has(name string) bool {
	return m.Has(m.Descriptor().Fields().ByName(protoreflect.Name(name)))
}

func (m message) text(name string) string { return m.get(name).String() }

// list returns the elements of a repeated field, as read makes them.
func list[T any](m message, name string, read func(protoreflect.Value) T) []T {
	values := m.get(name).List()
	var all []T
	for i := range values.Len() {
		all = append(all, read(values.Get(i)))
	}
	return all
}

func asText(v protoreflect.Value) string     { return v.String() }
func asInt(v protoreflect.Value) int64       { return v.Int() }
func asNatural(v protoreflect.Value) uint64  { return v.Uint() }
func asFloat(v protoreflect.Value) float64   { return v.Float() }
func asMessage(v protoreflect.Value) message { return message{v.Message()} }
