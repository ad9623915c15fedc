package generic

// Plane is a rows × cols window on a flat slice: element (i, j) is
// Data[At + i*Row + j*Col]. At, Row and Col count elements; steps may be zero
// or negative.
type Plane[T any] struct {
	Data         []T
	At, Row, Col int
}

// Index is the set of index types that primitives take. Others are widened
// to int64 first, a block at a time.
type Index interface{ ~int32 | ~int64 }

// Op is how a scatter combines an update with what the cell holds.
type Op uint8

const (
	Replace Op = iota // the update
	Sum               // cell + update
	Prod              // cell * update
	Min               // cell < update ? cell : update
	Max               // cell > update ? cell : update
)
