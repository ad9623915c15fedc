package kernels

// Tensor is a view of a flat slice: Shape says how many elements there are
// along each axis and Strides how far apart they lie.
//
// The element at coordinates c is Data[Offset + Σ c[d]*Strides[d]]. Strides,
// like Offset, count elements, not bytes. They may be zero (a broadcast axis)
// or negative (a reversed one) in every input; in a destination, any under which no
// two coordinates share an element. Strides that are nil or of length 0 mean
// contiguous, row-major. Every element that a view reaches must lie inside
// Data; a view with an axis of size 0 reaches none.
//
// Where an int has 32 bits, a view reaches across less than 2 GiB - 16 MiB.
//
// A Tensor of rank 0 is a scalar and needs one element, so the zero Tensor is not a valid
// argument. There are two exceptions: EmbeddingBag takes it as no weights, and TensorScatter
// as indices that are zero.
//
// Operators read Shape and Strides during the call and never keep or change them.
type Tensor[T any] struct {
	Data    []T
	Shape   []int
	Strides []int // in elements; nil: contiguous, row-major
	Offset  int   // where in Data element [0, 0, …] is
}

// New returns a contiguous row-major Tensor over data, which it does not
// copy. It checks nothing: an operator that is given a Tensor whose shape
// needs more elements than data has returns a ShapeError.
func New[T any](data []T, shape ...int) Tensor[T] {
	return Tensor[T]{Data: data, Shape: shape}
}

// Index is the set of types that indices may have: every Go integer type but
// uintptr. Values are read as the full 64-bit integers that they are: nothing
// is narrowed, so that 1<<32 + 1 is out of range and not 1.
type Index interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}
