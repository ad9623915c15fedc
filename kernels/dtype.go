package kernels

import (
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// A DType is an element type that is known at run time: one of the 16 of ONNX,
// by its number in TensorProto.DataType.
type DType uint8

// The 16 types of ONNX.
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

// dtypes says of each type how ONNX spells it and what it is as a number. All
// else follows from that.
var dtypes = [...]struct {
	name   string
	number number
}{
	DTypeFloat32:    {"float", numFloat32},
	DTypeUint8:      {"uint8", numUint8},
	DTypeInt8:       {"int8", numInt8},
	DTypeUint16:     {"uint16", numUint16},
	DTypeInt16:      {"int16", numInt16},
	DTypeInt32:      {"int32", numInt32},
	DTypeInt64:      {"int64", numInt64},
	DTypeString:     {"string", noNumber},
	DTypeBool:       {"bool", numBool},
	DTypeFloat16:    {"float16", numFloat16},
	DTypeFloat64:    {"double", numFloat64},
	DTypeUint32:     {"uint32", numUint32},
	DTypeUint64:     {"uint64", numUint64},
	DTypeComplex64:  {"complex64", numComplex64},
	DTypeComplex128: {"complex128", numComplex128},
	DTypeBFloat16:   {"bfloat16", numBFloat16},
}

// shifts are the logarithms of how many bytes an element takes, a string without its letters.
var shifts = [...]uint8{
	DTypeString:  2 + uint8(unsafe.Sizeof(uintptr(0))/4), // 8 bytes or 16
	DTypeFloat32: 2, DTypeInt32: 2, DTypeUint32: 2, DTypeFloat64: 3, DTypeInt64: 3, DTypeUint64: 3, DTypeComplex64: 3, DTypeComplex128: 4,
	DTypeFloat16: 1, DTypeBFloat16: 1, DTypeInt16: 1, DTypeUint16: 1,
}

// ParseDType returns the type of a name: as String spells it, or the same in
// capitals, as TensorProto.DataType has it. Any other is a TypeError.
func ParseDType(name string) (DType, error) {
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
	return "DType(" + strconv.Itoa(int(t)) + ")"
}

// Size returns the bytes of an element in a Raw's Data. It is 0 for strings,
// which are not there, and for numbers that are no type.
func (t DType) Size() int {
	if t.known() {
		return dtypes[t].number.width()
	}
	return 0
}

// width returns the bytes of an element of a known type, in Data or Strings.
func (t DType) width() int { return 1 << shifts[t] }

func (t DType) known() bool { return 0 < t && int(t) < len(dtypes) }

// elem returns what the bodies of the operators know of a known type.
func (t DType) elem() elem {
	if t == DTypeString {
		return elem{size: t.width(), units: 1, refs: true}
	}
	n := &numbers[dtypes[t].number]
	width := unitWidth(n.width, n.part)
	return elem{size: n.width, width: width, units: n.width / width}
}

// number returns how elements of a known type are reduced, or why they are not.
func (t DType) number() (number, string) {
	n := dtypes[t].number
	if n == noNumber {
		return n, notReduced
	}
	return n, ""
}

// indexKind returns the kind of indices of a known type, and whether it is a type of indices.
func (t DType) indexKind() (indexKind, bool) {
	switch n := dtypes[t].number; {
	case numInt8 <= n && n <= numInt64:
		return kindInt8 + indexKind(2*(n-numInt8)), true
	case numUint8 <= n && n <= numUint64:
		return kindUint8 + indexKind(2*(n-numUint8)), true
	}
	return 0, false
}

// dtypeOf returns the type that a Go type is, or why it is none.
func dtypeOf(typ reflect.Type, half func() (number, string)) (DType, string) {
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
