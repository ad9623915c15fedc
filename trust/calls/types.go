package calls

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/lanes-go/lanes/kernels"
)

// Type is an element type, numbered as ONNX's TensorProto.DataType does.
//
// In a Tensor's bytes an element has its own width, little-endian; a Bool is a
// byte, a complex number its real part and its imaginary part. A String stands
// for itself as 8 bytes: it is the decimal digits of the uint64 there.
type Type uint8

// The element types.
const (
	Float32    Type = 1
	Uint8      Type = 2
	Int8       Type = 3
	Uint16     Type = 4
	Int16      Type = 5
	Int32      Type = 6
	Int64      Type = 7
	String     Type = 8
	Bool       Type = 9
	Float16    Type = 10
	Float64    Type = 11
	Uint32     Type = 12
	Uint64     Type = 13
	Complex64  Type = 14
	Complex128 Type = 15
	BFloat16   Type = 16
)

// Types is every element type.
var Types = []Type{Float32, Uint8, Int8, Uint16, Int16, Int32, Int64, String, Bool, Float16, Float64, Uint32, Uint64, Complex64, Complex128, BFloat16}

// types is what is known of each; its first row is of no type.
var types = [...]struct {
	name string
	size int // bytes
	part int // bytes of the floating-point numbers that an element consists of; 0: it consists of none
	run  func(c *Call, inPlace bool, opts []kernels.Option) (Tensor, error)
}{
	Float32:    {"float32", 4, 4, run(fixed[float32](-77))},
	Uint8:      {"uint8", 1, 0, run(fixed[uint8](0xA5))},
	Int8:       {"int8", 1, 0, run(fixed[int8](-77))},
	Uint16:     {"uint16", 2, 0, run(fixed[uint16](0xA5A5))},
	Int16:      {"int16", 2, 0, run(fixed[int16](-7777))},
	Int32:      {"int32", 4, 0, run(fixed[int32](-7777))},
	Int64:      {"int64", 8, 0, run(fixed[int64](-7777))},
	String:     {"string", 8, 0, run(digits())},
	Bool:       {"bool", 1, 0, run(fixed(true))},
	Float16:    {"float16", 2, 2, run(fixed[kernels.Float16](0xA5A5))},
	Float64:    {"float64", 8, 8, run(fixed[float64](-77))},
	Uint32:     {"uint32", 4, 0, run(fixed[uint32](0xA5A5A5A5))},
	Uint64:     {"uint64", 8, 0, run(fixed[uint64](0xA5A5A5A5))},
	Complex64:  {"complex64", 8, 4, run(pairs())},
	Complex128: {"complex128", 16, 8, run(fixed[complex128](-77))},
	BFloat16:   {"bfloat16", 2, 2, run(fixed[kernels.BFloat16](0xA5A5))},
}

// Known reports whether there is such a type.
func (t Type) Known() bool { return int(t) < len(types) && types[t].run != nil }

// String returns the type's name as NumPy spells it.
func (t Type) String() string {
	if !t.Known() {
		return fmt.Sprintf("Type(%d)", uint8(t))
	}
	return types[t].name
}

// Size returns how many bytes an element has in a Tensor.
func (t Type) Size() int { return types[t].size }

// Part returns how many bytes a floating-point number has that an element
// consists of, and 0 if it is not made of any.
func (t Type) Part() int { return types[t].part }

// NaN reports whether the little-endian bytes of a part are those of a NaN.
func (t Type) NaN(part []byte) bool {
	var bits, inf uint64
	switch {
	case t == BFloat16:
		bits, inf = uint64(binary.LittleEndian.Uint16(part)), 0x7F80
	case len(part) == 2:
		bits, inf = uint64(binary.LittleEndian.Uint16(part)), 0x7C00
	case len(part) == 4:
		bits, inf = uint64(binary.LittleEndian.Uint32(part)), 0x7F80_0000
	default:
		bits, inf = binary.LittleEndian.Uint64(part), 0x7FF<<52
	}
	sign := uint64(1) << (8*len(part) - 1)
	return bits&^sign > inf
}

// A codec turns bytes into Go values and back.
type codec[T any] struct {
	size   int
	decode func([]byte) ([]T, error)
	encode func([]T) []byte
	other  T // what an output holds before the call
}

// truths is the codec of Bool.
var truths = fixed(true)

// fixed is the codec of a type of fixed size.
func fixed[T any](other T) codec[T] {
	size := binary.Size(other)
	return codec[T]{
		size: size,
		decode: func(b []byte) ([]T, error) {
			values := make([]T, len(b)/size)
			_, err := binary.Decode(b, binary.LittleEndian, values)
			return values, err
		},
		encode: func(values []T) []byte {
			b, err := binary.Append(nil, binary.LittleEndian, values)
			if err != nil {
				panic(err) // T is one of the types of this file
			}
			return b
		},
		other: other,
	}
}

// pairs is the codec of complex64. Reflection, which fixed would go through,
// makes a signalling NaN quiet.
func pairs() codec[complex64] {
	parts := fixed[float32](0)
	return codec[complex64]{
		size: 2 * parts.size,
		decode: func(b []byte) ([]complex64, error) {
			p, err := parts.decode(b)
			values := make([]complex64, len(p)/2)
			for i := range values {
				values[i] = complex(p[2*i], p[2*i+1])
			}
			return values, err
		},
		encode: func(values []complex64) []byte {
			p := make([]float32, 0, 2*len(values))
			for _, v := range values {
				p = append(p, real(v), imag(v))
			}
			return parts.encode(p)
		},
		other: -77,
	}
}

// digits is the codec of String.
func digits() codec[string] {
	numbers := fixed[uint64](0)
	return codec[string]{
		size: numbers.size,
		decode: func(b []byte) ([]string, error) {
			values, err := numbers.decode(b)
			texts := make([]string, len(values))
			for i, v := range values {
				texts[i] = strconv.FormatUint(v, 10)
			}
			return texts, err
		},
		encode: func(texts []string) []byte {
			values := make([]uint64, len(texts))
			for i, s := range texts {
				v, err := strconv.ParseUint(s, 10, 64)
				if err != nil {
					v = ^uint64(0) // a string that was never put in shows as such
				}
				values[i] = v
			}
			return numbers.encode(values)
		},
		other: "untouched",
	}
}
