package generic

// Plane is a rows × cols window on a flat slice: element (i, j) is
// Data[At + i*Row + j*Col]. At, Row and Col count elements; steps may be zero
// or negative.
type Plane[T any] struct {
	Data         []T
	At, Row, Col int

	// Stream says that a plane which is written is too large to stay in the
	// caches, so that it pays to write past them. It is a hint.
	Stream bool
}

// row returns the index in Data of element (i, 0).
func (p Plane[T]) row(i int) int { return p.At + i*p.Row }

// Index is the set of index types that primitives take. Others are widened
// to int64 first, a block at a time.
type Index interface{ ~int32 | ~int64 }

// Number is the element types whose sum, product and order are the
// processor's own.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Op is how a scatter combines an update with what the cell holds.
type Op uint8

// The ways to combine.
const (
	Replace Op = iota // the update
	Sum               // cell + update
	Prod              // cell * update
	Min               // cell < update ? cell : update
	Max               // cell > update ? cell : update
	Mean              // of the operator's definition alone: no primitive takes it
	Sub               // cell - update
	Xor               // of truths, false being 0: cell == update ? 0 : 1
)

// X128 is 16 bytes that only move.
type X128 struct{ Lo, Hi uint64 }

// Elem is the element types that primitives move: those without pointers that
// are 1, 2, 4, 8 or 16 bytes wide. Wider ones are rows of these.
type Elem interface {
	Number | ~bool | ~complex64 | ~complex128 | X128
}

// cut is s[at:at+n], where what lies between s's length and its capacity is
// outside too.
func cut[T any](s []T, at, n int) []T { return s[at : at+n : len(s)] }
