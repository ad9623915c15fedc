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

// Integer is the element types whose mean is exact.
type Integer = generic.Integer

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

// slice returns s as elements of a type of the same width.
func slice[U, T any](s []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

func as[U, T any](p Plane[T]) Plane[U] {
	return Plane[U]{Data: slice[U](p.Data), At: p.At, Row: p.Row, Col: p.Col, Stream: p.Stream}
}
