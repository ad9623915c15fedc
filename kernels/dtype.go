package kernels

import (
	"math/bits"
	"reflect"
	"strings"

	"github.com/lanes-go/lanes"
)

// A DType is an element type that is known at run time: one of the 16 of ONNX
// with the numbers 1 to 16 in TensorProto.DataType.
type DType uint8

// The types 1 to 16 of ONNX.
const (
	DTypeFloat32 DType = iota + 1
	DTypeUint8
	DTypeInt8
	DTypeUint16
	DTypeInt16
	DTypeInt32
	DTypeInt64
	DTypeString
	DTypeBool // a byte, 0 or 1; any other is true as well, and moves as it is
	DTypeFloat16
	DTypeFloat64
	DTypeUint32
	DTypeUint64
	DTypeComplex64
	DTypeComplex128
	DTypeBFloat16
)

// dtypes has ONNX's name of each type, and the kind that it is as a number; of strings, one as
// wide. All else follows from these.
var dtypes = [...]struct {
	name   string
	number lanes.Kind
}{
	DTypeFloat32:    {"float", lanes.KindF32},
	DTypeUint8:      {"uint8", lanes.KindU8},
	DTypeInt8:       {"int8", lanes.KindI8},
	DTypeUint16:     {"uint16", lanes.KindU16},
	DTypeInt16:      {"int16", lanes.KindI16},
	DTypeInt32:      {"int32", lanes.KindI32},
	DTypeInt64:      {"int64", lanes.KindI64},
	DTypeString:     {"string", lanes.KindX64 + bits.UintSize/64},
	DTypeBool:       {"bool", lanes.KindBool},
	DTypeFloat16:    {"float16", lanes.KindF16},
	DTypeFloat64:    {"double", lanes.KindF64},
	DTypeUint32:     {"uint32", lanes.KindU32},
	DTypeUint64:     {"uint64", lanes.KindU64},
	DTypeComplex64:  {"complex64", lanes.KindC64},
	DTypeComplex128: {"complex128", lanes.KindC128},
	DTypeBFloat16:   {"bfloat16", lanes.KindBF16},
}

// ParseDType returns the type of a name: as String spells it, the same in capitals, as
// TensorProto.DataType has it ("FLOAT", "BFLOAT16"), or the one of Go and NumPy ("float32",
// "float64"). Any other is a TypeError.
func ParseDType(name string) (DType, error) {
	switch name {
	case "float32", "FLOAT32":
		return DTypeFloat32, nil
	case "float64", "FLOAT64":
		return DTypeFloat64, nil
	}
	for t := range dtypes {
		if own := dtypes[t].name; t > 0 && (name == own || name == strings.ToUpper(own)) {
			return DType(t), nil
		}
	}
	return 0, &TypeError{Op: "ParseDType", Type: strings.Clone(name), Reason: "ONNX has no type of that name"}
}

// String returns the type as the type constraints of ONNX's operators spell it
// between the parentheses of tensor(…): "float", "double", "int64", "bfloat16", ….
func (t DType) String() string {
	if t.known() {
		return dtypes[t].name
	}
	return "DType(" + itoa(int(t)) + ")"
}

// Size returns the bytes of an element in a Raw's Data. It is 0 for strings,
// which are not there, and for numbers that are no type.
func (t DType) Size() int {
	if t.known() && t != DTypeString {
		return dtypes[t].number.Width()
	}
	return 0
}

// width returns the bytes of an element of a known type, in Data or Strings.
func (t DType) width() int { return dtypes[t].number.Width() }

func (t DType) known() bool { return 0 < t && int(t) < len(dtypes) }

// elem sets e to the elem of a known type.
func (t DType) elem(e *elem) {
	e.size, e.units = t.width(), 1
	if t == DTypeString {
		e.refs = moverOf[string]{}
	} else {
		e.split(numbers[dtypes[t].number].part)
	}
}

// reduced sets the elem of a known type to that of a reduction, or returns a TypeError.
func (t DType) reduced(op string, e *elem, r Reduction) error {
	if r == None {
		return nil
	}
	n, reason := t.number()
	if reason = e.reduce(r, n, reason); reason != "" {
		return &TypeError{Op: op, Type: t.String(), Reason: reason}
	}
	return nil
}

// number returns the kind that elements of a known type are reduced as, or why they are not.
func (t DType) number() (lanes.Kind, string) {
	if t == DTypeString {
		return 0, notReduced
	}
	return dtypes[t].number, ""
}

// dtypeOf returns the type of a Go type, or why it has none.
func dtypeOf(typ reflect.Type, half func() (lanes.Kind, string)) (DType, string) {
	if typ.Kind() == reflect.String {
		return DTypeString, ""
	}
	n, reason := numberOf(typ, half)
	if reason != "" {
		return 0, "it is none of ONNX's"
	}
	for t := range dtypes {
		if dtypes[t].number == n {
			return DType(t), ""
		}
	}
	return 0, ""
}
