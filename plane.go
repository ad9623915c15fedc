package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

// Plane is a rows × cols window on a flat slice: element (i, j) is
// Data[At + i*Row + j*Col]. At, Row and Col count elements; steps may be zero
// or negative. Stream is a hint, for a plane that is written, that it is too
// large to stay in the caches.
type Plane[T any] = generic.Plane[T]

// Elem is the element types that primitives move: those without pointers that
// are 1, 2, 4, 8 or 16 bytes wide. Wider ones are rows of these.
type Elem = generic.Elem

// X128 is 16 bytes that only move.
type X128 = generic.X128

// Number is the element types whose sum, product and order are the
// processor's own.
type Number = generic.Number

// Index is the set of index types that primitives take. Others go through
// Widen first, a block at a time.
type Index = generic.Index

// AnyIndex is every Go integer type but uintptr.
type AnyIndex = generic.AnyIndex

// Op is how ScatterReduce combines an update with what the cell holds.
type Op = generic.Op

// The ways to combine. Min and Max are a compare and select with the cell as
// first operand, cell < update ? cell : update, as MINPS and MAXPS do it: of a
// NaN and anything, and of two zeros, the update remains.
const (
	Sum  = generic.Sum
	Prod = generic.Prod
	Min  = generic.Min
	Max  = generic.Max
	Sub  = generic.Sub // in Go on every port
	Xor  = generic.Xor // of truths; in Go on every port
)

// Half is a 16-bit floating-point format.
type Half = generic.Half

// The half formats: IEEE 754 binary16, and the upper half of a float32.
const (
	Binary16 = generic.Binary16
	Brain16  = generic.Brain16
)

// Halves are all half formats.
var Halves = generic.Halves

// HalfOf returns the format of a type whose bits decode converts: the one whose 1 is 1.
func HalfOf(decode func(bits uint16) float32) (Half, bool) { return generic.HalfOf(decode) }

// Kind is what the elements of a flat memory are: bits that only move, or
// numbers.
type Kind uint8

// The kinds. Names follow those of the bodies: X for bits that only move, I and
// U for integers, F and BF for floats, C for complex numbers, with their bits.
const (
	KindX8 Kind = iota
	KindX16
	KindX32
	KindX64
	KindX128
	KindI8
	KindU8
	KindI16
	KindU16
	KindI32
	KindU32
	KindI64
	KindU64
	KindF32
	KindF64
	KindF16  // IEEE 754 binary16; the half formats are in the order of Half
	KindBF16 // the upper half of a float32
	KindC64
	KindC128
	KindBool
)

// A class is what elements are, without their width.
type class uint8

const (
	bitsClass class = iota // which only move
	intClass
	uintClass
	floatClass
	halfClass
	complexClass
	boolClass
)

// Both are as long as Kind has values, so that no bounds are checked.
var (
	kindWidths = [256]uint8{
		KindX8: 1, KindX16: 2, KindX32: 4, KindX64: 8, KindX128: 16,
		KindI8: 1, KindU8: 1, KindI16: 2, KindU16: 2, KindI32: 4, KindU32: 4, KindI64: 8, KindU64: 8,
		KindF32: 4, KindF64: 8, KindF16: 2, KindBF16: 2, KindC64: 8, KindC128: 16, KindBool: 1,
	}
	kindClasses = [256]class{ // those that are missing only move
		KindI8: intClass, KindI16: intClass, KindI32: intClass, KindI64: intClass,
		KindU8: uintClass, KindU16: uintClass, KindU32: uintClass, KindU64: uintClass,
		KindF32: floatClass, KindF64: floatClass, KindF16: halfClass, KindBF16: halfClass,
		KindC64: complexClass, KindC128: complexClass, KindBool: boolClass,
	}
)

// Width returns the bytes of an element.
func (k Kind) Width() int { return int(kindWidths[k]) }

// Number reports whether the elements are numbers or bools, which reductions take, and not bits
// that only move.
func (k Kind) Number() bool { return kindClasses[k] != bitsClass }

// Real reports whether the elements are integers or floating-point numbers: their reductions have
// bodies that take indices as they are.
func (k Kind) Real() bool {
	switch kindClasses[k] {
	case intClass, uintClass, floatClass, halfClass:
		return true
	}
	return false
}

// Integer reports whether the elements are integers.
func (k Kind) Integer() bool { return kindClasses[k] == intClass || k.unsigned() }

func (k Kind) unsigned() bool { return kindClasses[k] == uintClass }

// Memory is a flat slice without its type: Len elements of Kind from Ptr on.
// Elements of 16 bytes need the alignment of a uint64 only.
type Memory struct {
	Ptr  unsafe.Pointer
	Len  int
	Kind Kind
}

// Window is a Plane without its type.
type Window struct {
	Memory
	At, Row, Col int
	Stream       bool
}

// The exported generic function of a primitive erases the types and calls the same function as its
// …Raw does, which has the guard and the choice of a body. Types come back where that calls package
// generic.

// memoryOf erases the type of a slice.
func memoryOf[T any](kind Kind, s []T) Memory {
	return Memory{Ptr: unsafe.Pointer(unsafe.SliceData(s)), Len: len(s), Kind: kind}
}

// windowOf erases the type of a plane.
func windowOf[T any](kind Kind, p *Plane[T]) (w Window) {
	w.Ptr, w.Len, w.Kind = unsafe.Pointer(unsafe.SliceData(p.Data)), len(p.Data), kind
	w.At, w.Row, w.Col, w.Stream = p.At, p.Row, p.Col, p.Stream
	return w
}

// BitsOf returns the kind of elements that only move, of 1, 2, 4, 8 or 16 bytes.
func BitsOf(width int) Kind {
	return [...]Kind{1: KindX8, 2: KindX16, 4: KindX32, 8: KindX64, 16: KindX128}[width]
}

// moved returns the kind of an element that only moves.
func moved[T any]() Kind {
	var z T
	return BitsOf(int(unsafe.Sizeof(z)))
}

// KindOf returns the kind of a number by what it computes, so that named types work too.
func KindOf[T Number]() Kind {
	var z T
	switch width := unsafe.Sizeof(z); {
	case T(1)/2 != 0:
		return floatKinds[width]
	case z-1 > 0:
		return uintKinds[width]
	default:
		return intKinds[width]
	}
}

// Kinds by their width.
var (
	intKinds   = [...]Kind{1: KindI8, 2: KindI16, 4: KindI32, 8: KindI64}
	uintKinds  = [...]Kind{1: KindU8, 2: KindU16, 4: KindU32, 8: KindU64}
	floatKinds = [...]Kind{4: KindF32, 8: KindF64}
)

// HalfKind returns the kind of a half format. Both are in the same order.
func HalfKind(h Half) Kind {
	if int(h) >= len(Halves) {
		panic(noKind)
	}
	return KindF16 + Kind(h)
}

// Half returns the half format of a Kind, if it is one.
func (k Kind) Half() (h Half, ok bool) { return Half(k - KindF16), kindClasses[k] == halfClass }

// complexKind returns the kind of a complex type.
func complexKind[T complex64 | complex128]() Kind {
	var z T
	if unsafe.Sizeof(z) == 8 {
		return KindC64
	}
	return KindC128
}

// typed returns the elements of m as a slice.
func typed[T any](m *Memory) []T { return unsafe.Slice((*T)(m.Ptr), m.Len) }

// planeOf returns w as a Plane.
func planeOf[T any](w *Window) Plane[T] {
	return Plane[T]{Data: typed[T](&w.Memory), At: w.At, Row: w.Row, Col: w.Col, Stream: w.Stream}
}

// noKind is the panic of a primitive that has no loop for a Kind; otherWidth is the panic where
// operands differ in width.
const (
	noKind     = "lanes: the primitive has no such Kind"
	otherWidth = "lanes: the operands' Kinds differ in width"
)

// needIndices panics unless primitives take indices of this Kind.
func (k Kind) needIndices() {
	if k != KindI32 && k != KindI64 {
		panic(noKind)
	}
}

// needWidth panics if a Kind has another width.
func (k Kind) needWidth(width int) {
	if k.Width() != width {
		panic(otherWidth)
	}
}
