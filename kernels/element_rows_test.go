package kernels_test

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// elementRows are the element types of the random calls. A new one is a row.
var elementRows = []randomElement{
	row("bool", func(c *randomCall, _ bool) bool { return c.chance(50) }, nil),
	row("int8", integer[int8], nil),
	row("int16", integer[int16], nil),
	row("int32", integer[int32], nil),
	row("int64", integer[int64], nil),
	row("int", integer[int], nil),
	byAnyIndex(row("uint8", integer[uint8], nil)),
	row("uint16", integer[uint16], nil),
	row("uint32", integer[uint32], nil),
	row("uint64", integer[uint64], nil),
	row("uint", integer[uint], nil),
	row("uintptr", integer[uintptr], nil),
	row("Float16", half16[kernels.Float16], bothNaN(kernels.Float16.Float32)),
	row("BFloat16", halfB16[kernels.BFloat16], bothNaN(kernels.BFloat16.Float32)),
	row("foreignFloat16", half16[foreignFloat16], bothNaN(foreignFloat16.Float32)),
	row("foreignBFloat16", halfB16[foreignBFloat16], bothNaN(foreignBFloat16.Float32)),
	row("foreignFixed16", integer[foreignFixed16], nil),
	byAnyIndex(row("float32", single[float32], bothNaN(func(v float32) float32 { return v }))),
	row("float64", double[float64], func(a, b float64) bool { return a != a && b != b }),
	row("complex64", complexSingle, func(a, b complex64) bool {
		return sameOrBothNaN(real(a), real(b)) && sameOrBothNaN(imag(a), imag(b))
	}),
	row("complex128", complexDouble, func(a, b complex128) bool {
		return sameOrBothNaN(real(a), real(b)) && sameOrBothNaN(imag(a), imag(b))
	}),
	byAnyIndex(row("string", func(c *randomCall, _ bool) string { return letters[c.IntN(26):][:c.IntN(27)] }, nil)),
	row("pointers", func(c *randomCall, _ bool) withPointer { return withPointer{&targets[c.IntN(len(targets))], c.Int()} }, nil),
	row("slices", func(c *randomCall, _ bool) []int { return targets[c.IntN(8):][:c.IntN(9)] }, nil),
	byAnyIndex(row("12bytes", func(c *randomCall, _ bool) point { return point{c.Int32(), c.Float32(), c.Uint32()} }, nil)),
	row("3bytes", func(c *randomCall, _ bool) [3]uint8 {
		return [3]uint8{integer[uint8](c, true), 7, integer[uint8](c, true)}
	}, nil),
	row("24bytes", func(c *randomCall, _ bool) [3]uint64 { return [3]uint64{c.Uint64(), c.Uint64(), c.Uint64()} }, nil),
	row("0bytes", func(*randomCall, bool) struct{} { return struct{}{} }, nil),
	row("namedFloat32", single[namedFloat32], bothNaN(func(v namedFloat32) float32 { return float32(v) })),
	row("namedInt64", integer[namedInt64], nil),
}

// A randomElement is an element type of random calls.
type randomElement interface {
	fmt.Stringer
	randomOperators
}

type (
	foreignFloat16  uint16 // as other libraries have them
	foreignBFloat16 uint16
	foreignFixed16  uint16 // looks like a half type, but is in neither format
	namedFloat32    float32
	namedInt64      int64
	namedIndex      int16
	point           struct {
		x int32
		y float32
		z uint32
	}
	withPointer struct {
		p *int
		n int
	}
)

func (h foreignFloat16) Float32() float32  { return generic.Float16ToFloat32(uint16(h)) }
func (h foreignBFloat16) Float32() float32 { return generic.BFloat16ToFloat32(uint16(h)) }
func (h foreignFixed16) Float32() float32  { return float32(h) / 256 }

// String is not how an error spells an index.
func (namedIndex) String() string { return "a name" }

const letters = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"

var targets [16]int

// An elementRow is one element type. Its values are compared by their bits.
type elementRow[T any] struct {
	name       string
	value      func(c *randomCall, wild bool) T
	sameNumber func(a, b T) bool // whether two results differ in nothing but the bits of NaNs; nil: none do
	indexed    []indexedRow[T]
	raw        bool // the calls are made on Raw

	stridedSliceBy func(dst, data kernels.Tensor[T], spec kernels.SliceSpec, opts []kernels.Option) error
	sliceScatterBy func(dst, data, updates kernels.Tensor[T], spec kernels.SliceSpec, opts []kernels.Option) error
	sliceViewBy    func(data kernels.Tensor[T], spec kernels.SliceSpec) (kernels.Tensor[T], error)
	sliceBy        func(dst, data kernels.Tensor[T], r kernels.Ranges, opts []kernels.Option) error
	rangesViewBy   func(data kernels.Tensor[T], r kernels.Ranges) (kernels.Tensor[T], error)
	compressBy     func(dst, data kernels.Tensor[T], condition kernels.Tensor[bool], axis int, opts []kernels.Option) error
	takeBy         func(dst, data kernels.Tensor[T], mask kernels.Tensor[bool], opts []kernels.Option) error
}

func (e *elementRow[T]) String() string { return e.name }

func row[T any](name string, value func(c *randomCall, wild bool) T, sameNumber func(a, b T) bool) *elementRow[T] {
	return &elementRow[T]{name: name, value: value, sameNumber: sameNumber, indexed: []indexedRow[T]{indexedBy[T, int64](), indexedBy[T, int32]()},
		stridedSliceBy: func(dst, data kernels.Tensor[T], spec kernels.SliceSpec, opts []kernels.Option) error {
			return kernels.StridedSlice(dst, data, spec, opts...)
		},
		sliceScatterBy: func(dst, data, updates kernels.Tensor[T], spec kernels.SliceSpec, opts []kernels.Option) error {
			return kernels.SliceScatter(dst, data, updates, spec, opts...)
		},
		sliceViewBy: kernels.SliceView[T],
		sliceBy: func(dst, data kernels.Tensor[T], r kernels.Ranges, opts []kernels.Option) error {
			return kernels.Slice(dst, data, r, opts...)
		},
		rangesViewBy: kernels.RangesView[T],
		compressBy: func(dst, data kernels.Tensor[T], condition kernels.Tensor[bool], axis int, opts []kernels.Option) error {
			return kernels.Compress(dst, data, condition, axis, opts...)
		},
		takeBy: func(dst, data kernels.Tensor[T], mask kernels.Tensor[bool], opts []kernels.Option) error {
			return kernels.Take(dst, data, mask, opts...)
		},
	}
}

// byAnyIndex adds calls by each other index type. It is for a few rows: what a call does to indices
// and what to elements does not meet before both have lost their Go types, and rows of both took
// two minutes to compile, for each port.
func byAnyIndex[T any](e *elementRow[T]) *elementRow[T] {
	e.indexed = append(e.indexed, indexedBy[T, int](), indexedBy[T, int16](), indexedBy[T, int8](),
		indexedBy[T, uint64](), indexedBy[T, uint32](), indexedBy[T, uint](), indexedBy[T, uint16](), indexedBy[T, uint8](),
		indexedBy[T, namedIndex]())
	return e
}

// asBytes returns the memory of s.
func asBytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

func bothNaN[T any](value func(T) float32) func(a, b T) bool {
	return func(a, b T) bool { return value(a) != value(a) && value(b) != value(b) }
}

func sameOrBothNaN[F float32 | float64](a, b F) bool {
	return a != a && b != b || a == b && math.Signbit(float64(a)) == math.Signbit(float64(b))
}

func integer[T ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr](c *randomCall, wild bool) T {
	if wild {
		return T(c.Uint64()) >> c.IntN(int(8*unsafe.Sizeof(T(0))))
	}
	return T(c.IntN(9) - 4)
}

// oddFloats are the float32 that arithmetic treats in its own way.
var oddFloats = []uint32{
	0, 1 << 31, // zeros
	0x7F800000, 0xFF800000, // infinities
	0x7FC00000, 0xFFC12345, 0x7F800001, 0xFFA54321, // NaNs, the last two signalling
	1, 0x807FFFFF, 0x00800000, // subnormals, the smallest normal
	0x7F7FFFFF, 0xFF7FFFFF, // the largest
}

func single[T ~float32](c *randomCall, wild bool) T {
	switch {
	case wild && c.chance(20):
		return T(math.Float32frombits(pick(c, oddFloats...)))
	case wild && c.chance(20):
		return T(math.Float32frombits(c.Uint32()))
	case c.chance(30):
		return T(c.IntN(9) - 4)
	default:
		return T(math.Ldexp(c.Float64()*2-1, c.IntN(12)-4))
	}
}

func double[T ~float64](c *randomCall, wild bool) T {
	switch {
	case wild && c.chance(20):
		odd := pick(c, oddFloats...)
		return T(math.Float64frombits(uint64(odd)<<32 | uint64(odd&1)))
	case wild && c.chance(20):
		return T(math.Float64frombits(pick(c, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000001, 0xFFF8000000000123, 1, c.Uint64())))
	case c.chance(30):
		return T(c.IntN(9) - 4)
	default:
		return T(math.Ldexp(c.Float64()*2-1, c.IntN(12)-4))
	}
}

// The components are set bit by bit: building a complex number from two variables
// may quiet a signalling NaN.
func complexSingle(c *randomCall, wild bool) (z complex64) {
	parts := (*[2]float32)(unsafe.Pointer(&z))
	parts[0], parts[1] = single[float32](c, wild), single[float32](c, wild)
	return z
}

func complexDouble(c *randomCall, wild bool) (z complex128) {
	parts := (*[2]float64)(unsafe.Pointer(&z))
	parts[0], parts[1] = double[float64](c, wild), double[float64](c, wild)
	return z
}

func half16[T ~uint16](c *randomCall, wild bool) T {
	if wild && c.chance(40) {
		return T(pick(c, 0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFD01, 1, 0x83FF, 0x7BFF, uint16(c.Uint32())))
	}
	return T(generic.Float16FromFloat32(single[float32](c, false)))
}

func halfB16[T ~uint16](c *randomCall, wild bool) T {
	if wild && c.chance(40) {
		return T(pick(c, 0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0xFF81, 1, 0x807F, 0x7F7F, uint16(c.Uint32())))
	}
	return T(generic.BFloat16FromFloat32(single[float32](c, false)))
}
