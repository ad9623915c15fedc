package onnx

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/lanes-go/lanes/kernels"
)

// Config says what reading a model may do. The zero Config is a sensible one.
type Config struct {
	// External is where the files of tensors that a model keeps outside of itself
	// are. A file that it opens is an io.ReaderAt, as those of os.DirFS are. Without
	// it such a tensor is an error.
	External fs.FS
	// MaxBytes is how many bytes the tensors of a model may take in all. ≤ 0: DefaultMaxBytes.
	MaxBytes int64
}

// DefaultMaxBytes is what tensors may take where nothing else is said: 4 GiB.
const DefaultMaxBytes = 1 << 32

// A Model is a graph of operators and the version of them that it means: a
// ModelProto of onnx.proto, as far as models of this package's operators use it.
// It may be built by hand as well.
type Model struct {
	IRVersion int64
	Producer  string // and its version
	Opset     int64  // of ONNX's own domain
	Graph     Graph
}

// A Graph is nodes in an order in which they can run, and the names and tensors that they start
// from.
type Graph struct {
	Name         string
	Nodes        []Node
	Inputs       []Value // also of initializers that a caller may give instead
	Outputs      []Value
	Values       []Value // what is known of others
	Initializers []Tensor
}

// A Node is an operator with its attributes, and the names of its tensors.
type Node struct {
	Name       string
	Op         string
	Domain     string   // "" and "ai.onnx" are ONNX's own
	Inputs     []string // "": an optional one that is left out
	Outputs    []string
	Attributes []Attribute
}

// An Attribute is a name and the one field that Type says.
type Attribute struct {
	Name    string
	Type    AttributeType
	Float   float32
	Int     int64
	String  string
	Tensor  *Tensor
	Floats  []float32
	Ints    []int64
	Strings []string
}

// AttributeType is numbered as AttributeProto.AttributeType is. Attributes of
// other types than these are read, and no operator here has any.
type AttributeType uint8

// The types of attributes.
const (
	AttributeFloat        AttributeType = 1
	AttributeInt          AttributeType = 2
	AttributeString       AttributeType = 3
	AttributeTensor       AttributeType = 4
	AttributeFloats       AttributeType = 6
	AttributeInts         AttributeType = 7
	AttributeStrings      AttributeType = 8
	AttributeSparseTensor AttributeType = 11
)

var attributeTypes = map[AttributeType]string{AttributeFloat: "FLOAT", AttributeInt: "INT", AttributeString: "STRING", AttributeTensor: "TENSOR",
	AttributeFloats: "FLOATS", AttributeInts: "INTS", AttributeStrings: "STRINGS", AttributeSparseTensor: "SPARSE_TENSOR"}

// String returns the name that onnx.proto has for it.
func (t AttributeType) String() string {
	if name, known := attributeTypes[t]; known {
		return name
	}
	return "AttributeType(" + strconv.Itoa(int(t)) + ")"
}

// A Value is what a model says of a tensor by name.
type Value struct {
	Name string
	Type Type
}

// A Type is what is known of a tensor before there is one.
type Type struct {
	Elem kernels.DType // 0: not known
	Dims []Dim         // nil: the rank is not known; of length 0: a scalar
}

// A Dim is the size of an axis: a number, or a name that stands for one, or neither.
type Dim struct {
	Size int // -1: not known
	Name string
}

// String returns the size, the name, or "?".
func (d Dim) String() string {
	switch {
	case d.Size >= 0:
		return strconv.Itoa(d.Size)
	case d.Name != "":
		return d.Name
	}
	return "?"
}

// LoadModel reads a .onnx file, and those that it keeps tensors in: c.External is
// the file's folder unless it is set, and nothing outside of it is opened.
func LoadModel(path string, c Config) (*Model, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if c.External == nil {
		root, err := os.OpenRoot(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		defer root.Close()
		c.External = root.FS()
	}
	return ParseModel(b, c)
}

// ParseModel reads a ModelProto, and keeps no reference to b.
//
// No bytes make it panic, and it allocates memory in proportion to b and to what Config allows.
// Only NewSession reads the names of nodes and values.
func ParseModel(b []byte, c Config) (*Model, error) {
	return decode(&decoder{Config: c}, modelMessage, b)
}

func itself[S any](_ *decoder, s *S) (S, error) { return *s, nil }

type modelProto struct {
	ir                int64
	producer, version string
	opsets            []opsetProto
	graph             *Graph
}

var modelMessage = message[modelProto, *Model]{map[number]field[modelProto]{
	1: {"ir_version", integer(func(m *modelProto) *int64 { return &m.ir })},
	2: {"producer_name", text(func(m *modelProto) *string { return &m.producer })},
	3: {"producer_version", text(func(m *modelProto) *string { return &m.version })},
	7: {"graph", one(graphMessage, func(m *modelProto) **Graph { return &m.graph })},
	8: {"opset_import", list(opsetMessage, func(m *modelProto) *[]opsetProto { return &m.opsets })},
}, func(_ *decoder, m *modelProto) (*Model, error) {
	if m.graph == nil {
		return nil, malformed("a model without a graph")
	}
	model := &Model{IRVersion: m.ir, Producer: m.producer, Graph: *m.graph}
	if m.version != "" {
		model.Producer += " " + m.version
	}
	if m.ir < 3 && len(m.opsets) == 0 {
		model.Opset = 1 // opset_import came with IR version 3
	}
	for i, s := range m.opsets {
		if !ownDomain(s.domain) {
			continue
		}
		if model.Opset != 0 || s.version < 1 {
			return nil, in(fmt.Sprintf("opset_import[%d]", i), malformed("version %d of ONNX's own domain, after %d", s.version, model.Opset))
		}
		model.Opset = s.version
	}
	return model, nil
}}

// ownDomain reports whether a domain is ONNX's own.
func ownDomain(domain string) bool { return domain == "" || domain == "ai.onnx" }

type opsetProto struct {
	domain  string
	version int64
}

var opsetMessage = message[opsetProto, opsetProto]{map[number]field[opsetProto]{
	1: {"domain", text(func(s *opsetProto) *string { return &s.domain })},
	2: {"version", integer(func(s *opsetProto) *int64 { return &s.version })},
}, itself[opsetProto]}

var graphMessage = message[Graph, Graph]{map[number]field[Graph]{
	1:  {"node", list(nodeMessage, func(g *Graph) *[]Node { return &g.Nodes })},
	2:  {"name", text(func(g *Graph) *string { return &g.Name })},
	5:  {"initializer", list(tensorMessage, func(g *Graph) *[]Tensor { return &g.Initializers })},
	11: {"input", list(valueMessage, func(g *Graph) *[]Value { return &g.Inputs })},
	12: {"output", list(valueMessage, func(g *Graph) *[]Value { return &g.Outputs })},
	13: {"value_info", list(valueMessage, func(g *Graph) *[]Value { return &g.Values })},
	15: {"sparse_initializer", func(*decoder, *Graph, wire) error { return unsupported("sparse tensors") }},
}, itself[Graph]}

var nodeMessage = message[Node, Node]{map[number]field[Node]{
	1: {"input", texts(func(n *Node) *[]string { return &n.Inputs })},
	2: {"output", texts(func(n *Node) *[]string { return &n.Outputs })},
	3: {"name", text(func(n *Node) *string { return &n.Name })},
	4: {"op_type", text(func(n *Node) *string { return &n.Op })},
	5: {"attribute", list(attributeMessage, func(n *Node) *[]Attribute { return &n.Attributes })},
	7: {"domain", text(func(n *Node) *string { return &n.Domain })},
}, itself[Node]}

type attributeProto struct {
	Attribute
	kind      int64
	reference string
	given     uint32 // a bit for each type that there is a value of
}

// given reads a value and takes down of which type it is.
func given(t AttributeType, read reader[attributeProto]) reader[attributeProto] {
	return func(d *decoder, a *attributeProto, v wire) error {
		a.given |= 1 << t
		return read(d, a, v)
	}
}

// passed is the reader of what no operator here has.
func passed(*decoder, *attributeProto, wire) error { return nil }

var attributeMessage = message[attributeProto, Attribute]{map[number]field[attributeProto]{
	1:  {"name", text(func(a *attributeProto) *string { return &a.Name })},
	2:  {"f", given(AttributeFloat, float(func(a *attributeProto) *float32 { return &a.Float }))},
	3:  {"i", given(AttributeInt, integer(func(a *attributeProto) *int64 { return &a.Int }))},
	4:  {"s", given(AttributeString, text(func(a *attributeProto) *string { return &a.String }))},
	5:  {"t", given(AttributeTensor, one(tensorMessage, func(a *attributeProto) **Tensor { return &a.Tensor }))},
	6:  {"g", given(5, passed)},
	7:  {"floats", given(AttributeFloats, floats(func(a *attributeProto) *[]float32 { return &a.Floats }))},
	8:  {"ints", given(AttributeInts, integers(func(a *attributeProto) *[]int64 { return &a.Ints }))},
	9:  {"strings", given(AttributeStrings, texts(func(a *attributeProto) *[]string { return &a.Strings }))},
	10: {"tensors", given(9, passed)},
	11: {"graphs", given(10, passed)},
	14: {"tp", given(13, passed)},
	15: {"type_protos", given(14, passed)},
	20: {"type", integer(func(a *attributeProto) *int64 { return &a.kind })},
	21: {"ref_attr_name", text(func(a *attributeProto) *string { return &a.reference })},
	22: {"sparse_tensor", given(AttributeSparseTensor, passed)},
	23: {"sparse_tensors", given(12, passed)},
}, func(_ *decoder, a *attributeProto) (Attribute, error) {
	// What a writer of proto3 leaves out: 0, "" and empty lists.
	absent := uint32(1<<AttributeFloat | 1<<AttributeInt | 1<<AttributeString | 1<<AttributeFloats | 1<<AttributeInts | 1<<AttributeStrings | 1<<9 | 1<<10 | 1<<12 | 1<<14)
	bit := uint32(0)
	if a.kind > 0 && a.kind < 16 {
		bit = 1 << a.kind
	}
	switch {
	case a.Name == "":
		return Attribute{}, in("name", malformed("none"))
	case a.reference != "":
		return Attribute{}, in("ref_attr_name", malformed("outside of a function"))
	case bit == 0:
		return Attribute{}, in("type", malformed("%d", a.kind))
	case a.given != bit && (a.given != 0 || bit&absent == 0):
		return Attribute{}, in("type", malformed("%v, and the values of attribute %q are of others", AttributeType(a.kind), a.Name))
	}
	a.Type = AttributeType(a.kind)
	return a.Attribute, nil
}}

type valueProto struct {
	name string
	kind *Type
}

var valueMessage = message[valueProto, Value]{map[number]field[valueProto]{
	1: {"name", text(func(v *valueProto) *string { return &v.name })},
	2: {"type", one(typeMessage, func(v *valueProto) **Type { return &v.kind })},
}, func(_ *decoder, v *valueProto) (Value, error) {
	if v.kind == nil {
		v.kind = &Type{}
	}
	return Value{v.name, *v.kind}, nil
}}

type typeProto struct{ tensor *Type }

func otherType(name string) field[typeProto] {
	return field[typeProto]{name, func(*decoder, *typeProto, wire) error { return unsupported("values other than tensors") }}
}

var typeMessage = message[typeProto, Type]{map[number]field[typeProto]{
	1: {"tensor_type", one(tensorTypeMessage, func(t *typeProto) **Type { return &t.tensor })},
	4: otherType("sequence_type"),
	5: otherType("map_type"),
	7: otherType("opaque_type"),
	8: otherType("sparse_tensor_type"),
	9: otherType("optional_type"),
}, func(_ *decoder, t *typeProto) (Type, error) {
	if t.tensor == nil {
		return Type{}, nil
	}
	return *t.tensor, nil
}}

type tensorTypeProto struct {
	elem int64
	dims *[]Dim
}

var tensorTypeMessage = message[tensorTypeProto, Type]{map[number]field[tensorTypeProto]{
	1: {"elem_type", integer(func(t *tensorTypeProto) *int64 { return &t.elem })},
	2: {"shape", one(shapeMessage, func(t *tensorTypeProto) **[]Dim { return &t.dims })},
}, func(_ *decoder, t *tensorTypeProto) (made Type, err error) {
	if t.elem != 0 {
		if made.Elem, err = elementType(t.elem); err != nil {
			return made, in("elem_type", err)
		}
	}
	if t.dims != nil {
		made.Dims = *t.dims
	}
	return made, nil
}}

type shapeProto struct{ dims []Dim }

var shapeMessage = message[shapeProto, []Dim]{map[number]field[shapeProto]{
	1: {"dim", list(dimMessage, func(s *shapeProto) *[]Dim { return &s.dims })},
}, func(_ *decoder, s *shapeProto) ([]Dim, error) { return append([]Dim{}, s.dims...), nil }}

type dimProto struct {
	size  int64
	known bool
	name  string
}

var dimMessage = message[dimProto, Dim]{map[number]field[dimProto]{
	1: {"dim_value", func(d *decoder, s *dimProto, v wire) error {
		s.known = true
		return integer(func(s *dimProto) *int64 { return &s.size })(d, s, v)
	}},
	2: {"dim_param", text(func(s *dimProto) *string { return &s.name })},
}, func(_ *decoder, s *dimProto) (Dim, error) {
	switch {
	case !s.known:
		return Dim{-1, s.name}, nil
	case s.size < 0 || s.size > math.MaxInt:
		return Dim{}, in("dim_value", malformed("%d", s.size))
	}
	return Dim{Size: int(s.size)}, nil
}}
