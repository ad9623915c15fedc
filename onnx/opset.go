package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/kernels"
)

// NewestOpset is the newest opset whose rules this package knows: that of onnx 1.23.
const NewestOpset = 28

// An operator has its versions, oldest first, and what runs them. All have one output, of the type
// of the first input.
type operator struct {
	versions []version
	dims     func(*call) ([]Dim, error)                                   // of the output, as far as they follow from what is known
	run      func(c *call, dst kernels.Raw, opts ...kernels.Option) error // dst has the shape that dims says
	constant func(*Operator) (kernels.Raw, error)                         // the output, of an operator without inputs
	inPlace  bool                                                         // dst may be the first input
	same     bool                                                         // the output is the first input
}

// A version is what ONNX's Changelog says of an operator as of an opset.
type version struct {
	since      int64
	deprecated string // why an opset that has it can't use it
	inputs     []formal
	attributes []formalAttribute
	output     types    // of an operator without inputs
	fromZero   []string // inputs and attributes that count from the start alone: no negative values
}

// A formal is an input as a version declares it.
type formal struct {
	name     string
	variable string // inputs of one type variable are of one type
	types    types
	optional bool
}

type formalAttribute struct {
	name     string
	kind     AttributeType
	required bool
	values   []string // of a STRING; nil: any
}

// types is a set of element types.
type types uint32

func setOf(list ...kernels.DType) (s types) {
	for _, t := range list {
		s |= 1 << t
	}
	return s
}

func (s types) has(t kernels.DType) bool { return s>>t&1 != 0 }

func (s types) String() string {
	var names []string
	for t := range kernels.DType(len(elements)) {
		if s.has(t) {
			names = append(names, t.String())
		}
	}
	return strings.Join(names, ", ")
}

// The sets that type constraints name.
var (
	with13  = types(1<<len(elements) - 2) // the 16 types
	until12 = with13 &^ setOf(kernels.DTypeBFloat16)
	int64s  = setOf(kernels.DTypeInt64)
	ints    = setOf(kernels.DTypeInt32, kernels.DTypeInt64)
	bools   = setOf(kernels.DTypeBool)
	floats1 = setOf(kernels.DTypeFloat16, kernels.DTypeFloat32, kernels.DTypeFloat64) // what opset 1 had for Constant
)

// The inputs of several operators, by the set of types of their data.
func dataAlone(t types) []formal { return []formal{{"data", "T", t, false}} }
func gathered(t, indices types) []formal {
	return []formal{{"data", "T", t, false}, {"indices", "Tind", indices, false}}
}
func scattered(t, indices types) []formal {
	return append(gathered(t, indices), formal{"updates", "T", t, false})
}
func sliced(t types) []formal {
	return []formal{{"data", "T", t, false}, {"starts", "Tind", ints, false}, {"ends", "Tind", ints, false},
		{"axes", "Tind", ints, true}, {"steps", "Tind", ints, true}}
}
func cached(t types) []formal {
	return []formal{{"past_cache", "T", t, false}, {"update", "T", t, false}, {"write_indices", "tensor(int64)", int64s, true}}
}
func compressed(t types) []formal {
	return []formal{{"input", "T", t, false}, {"condition", "T1", bools, false}}
}

var (
	axis        = []formalAttribute{{name: "axis", kind: AttributeInt}}
	batchDims   = []formalAttribute{{name: "batch_dims", kind: AttributeInt}}
	reduction16 = formalAttribute{name: "reduction", kind: AttributeString, values: []string{"none", "add", "mul"}}
	reduction18 = formalAttribute{name: "reduction", kind: AttributeString, values: []string{"none", "add", "mul", "max", "min"}}
	cache24     = append(axis[:1:1], formalAttribute{name: "mode", kind: AttributeString, values: []string{"linear", "circular"}})
	slice1      = []formalAttribute{{name: "starts", kind: AttributeInts, required: true}, {name: "ends", kind: AttributeInts, required: true}, {name: "axes", kind: AttributeInts}}
	constant1   = []formalAttribute{{name: "value", kind: AttributeTensor}}
	constant11  = append(constant1[:1:1], formalAttribute{name: "sparse_value", kind: AttributeSparseTensor})
	constant12  = append(constant11[:2:2], []formalAttribute{
		{name: "value_float", kind: AttributeFloat}, {name: "value_floats", kind: AttributeFloats},
		{name: "value_int", kind: AttributeInt}, {name: "value_ints", kind: AttributeInts},
		{name: "value_string", kind: AttributeString}, {name: "value_strings", kind: AttributeStrings}}...)
)

// operators is what ONNX's Changelog says. Versions that differ in types this package
// does not have (float8, int4 and narrower) are left out: they are as the version before.
var operators map[string]*operator

func init() {
	operators = map[string]*operator{
		"GatherElements": {dims: gatherElementsDims, run: runGatherElements, versions: []version{
			{since: 11, inputs: gathered(until12, ints), attributes: axis},
			{since: 13, inputs: gathered(with13, ints), attributes: axis},
		}},
		"Gather": {dims: gatherDims, run: runGather, versions: []version{
			{since: 1, inputs: gathered(until12, ints), attributes: axis, fromZero: []string{"indices"}},
			{since: 11, inputs: gathered(until12, ints), attributes: axis},
			{since: 13, inputs: gathered(with13, ints), attributes: axis},
		}},
		"GatherND": {dims: gatherNDDims, run: runGatherND, versions: []version{
			{since: 11, inputs: gathered(until12, int64s)},
			{since: 12, inputs: gathered(until12, int64s), attributes: batchDims},
			{since: 13, inputs: gathered(with13, int64s), attributes: batchDims},
		}},
		"Scatter": {dims: scatterElementsDims, run: runScatterElements, inPlace: true, versions: []version{
			{since: 9, inputs: scattered(until12, ints), attributes: axis, fromZero: []string{"indices"}},
			{since: 11, deprecated: "ScatterElements has taken its place"},
		}},
		"ScatterElements": {dims: scatterElementsDims, run: runScatterElements, inPlace: true, versions: []version{
			{since: 11, inputs: scattered(until12, ints), attributes: axis},
			{since: 13, inputs: scattered(with13, ints), attributes: axis},
			{since: 16, inputs: scattered(with13, ints), attributes: append(axis[:1:1], reduction16)},
			{since: 18, inputs: scattered(with13, ints), attributes: append(axis[:1:1], reduction18)},
		}},
		"ScatterND": {dims: scatterNDDims, run: runScatterND, inPlace: true, versions: []version{
			{since: 11, inputs: scattered(until12, int64s)},
			{since: 13, inputs: scattered(with13, int64s)},
			{since: 16, inputs: scattered(with13, int64s), attributes: []formalAttribute{reduction16}},
			{since: 18, inputs: scattered(with13, int64s), attributes: []formalAttribute{reduction18}},
		}},
		"Slice": {dims: sliceDims, run: runSlice, versions: []version{
			{since: 1, inputs: dataAlone(until12), attributes: slice1, fromZero: []string{"axes"}},
			{since: 10, inputs: sliced(until12), fromZero: []string{"axes"}},
			{since: 11, inputs: sliced(until12)},
			{since: 13, inputs: sliced(with13)},
		}},
		"Compress": {dims: compressDims, run: runCompress, versions: []version{
			{since: 9, inputs: compressed(until12), attributes: axis, fromZero: []string{"axis"}},
			{since: 11, inputs: compressed(until12), attributes: axis},
			{since: 28, inputs: compressed(with13), attributes: axis},
		}},
		"TensorScatter": {dims: tensorScatterDims, run: runTensorScatter, inPlace: true, versions: []version{
			{since: 24, inputs: cached(with13), attributes: cache24},
		}},
		"Constant": {constant: constantOf, dims: constantDims, run: runConstant, versions: []version{
			{since: 1, output: floats1, attributes: constant1},
			{since: 9, output: until12, attributes: constant1},
			{since: 11, output: until12, attributes: constant11},
			{since: 12, output: until12, attributes: constant12},
			{since: 13, output: with13, attributes: constant12},
		}},
		"Identity": {dims: identityDims, run: runIdentity, same: true, versions: []version{
			{since: 1, inputs: []formal{{"input", "T", until12, false}}},
			{since: 13, inputs: []formal{{"input", "T", with13, false}}},
		}},
	}
}

// at returns the version that an opset has.
func (op *operator) at(opset int64) (*version, bool) {
	i := len(op.versions) - 1
	for i >= 0 && op.versions[i].since > opset {
		i--
	}
	if i < 0 {
		return nil, false
	}
	return &op.versions[i], true
}

// other says which other version allows what this one does not: ": it came with version 13".
func (op *operator) other(v *version, allows func(*version) bool) string {
	for i := range op.versions {
		w := &op.versions[i]
		if w.since > v.since && allows(w) {
			return fmt.Sprintf(": it came with version %d", w.since)
		}
	}
	for _, w := range slices.Backward(op.versions) {
		if w.since < v.since && allows(&w) {
			return fmt.Sprintf(": it went after version %d", w.since)
		}
	}
	return ""
}

func (v *version) attribute(name string) *formalAttribute {
	for i := range v.attributes {
		if v.attributes[i].name == name {
			return &v.attributes[i]
		}
	}
	return nil
}
