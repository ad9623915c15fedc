package generic

import (
	"fmt"
	"slices"
	"strconv"
)

// AnyIndex is the set of types that an operator's indices may have.
type AnyIndex interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// BadIndex is the error of an index that names no element.
type BadIndex struct {
	Position   []int  // in indices, the first bad one in row-major order; nil for a shrunk begin
	Value      string // the index as given
	Axis, Size int    // of data
}

func (e *BadIndex) Error() string {
	return fmt.Sprintf("index %s at %v is out of range for axis %d of size %d", e.Value, e.Position, e.Axis, e.Size)
}

// element returns which element of an axis of size d the index k names, and
// whether there is one: k in [-d, d-1], negative ones counted from the end.
func element[I AnyIndex](k I, d int) (int, bool) {
	if k < 0 {
		return int(int64(k) + int64(d)), int64(k) >= -int64(d)
	}
	return int(k), uint64(k) < uint64(d)
}

// check returns a *BadIndex for the first index that the policy does not allow. axis says to which
// axis of data the index at p belongs.
func check[I AnyIndex](by IndexPolicy, indices []I, xv View, data []int, axis func(p []int) int) error {
	for p := range Coordinates(xv.Shape) {
		k, a := indices[xv.Address(p)], axis(p)
		if _, _, ok := elementBy(by, k, data[a]); !ok {
			return &BadIndex{slices.Clone(p), decimal(k), a, data[a]}
		}
	}
	return nil
}

// decimal writes the number that k is, whatever methods a named type has.
func decimal[I AnyIndex](k I) string {
	if k < 0 {
		return strconv.FormatInt(int64(k), 10)
	}
	return strconv.FormatUint(uint64(k), 10)
}

// fromFront returns axis counted from 0, where a negative one counts from the end.
func fromFront(axis, rank int) int {
	if axis < 0 {
		return axis + rank
	}
	return axis
}
