package lanes

import "github.com/lanes-go/lanes/generic"

// A mean takes three steps: the updates of each cell are summed (by
// ScatterReduce, or exactly by ScatterWide or ScatterExact), counted, and divided.

// Exact is a sum of integers that can't wrap; the zero value is 0.
type Exact = generic.Exact

// ShortInteger is the integers of 32 bits or fewer.
type ShortInteger = generic.ShortInteger

// Counter is the types of a mean's counters. One of 32 bits counts to
// math.MaxInt32, with the initial value.
type Counter = generic.Counter

// Count adds n to counts[at + o] for every offset o.
func Count[C Counter](counts []C, at int, offsets []int, n int) { selectCount(counts, at, offsets, n) }

// A Place is where in a slice the elements of rows × cols are: (i, j) is at
// At + Offsets[i] + j*Col, or without offsets at At + i*Row + j*Col.
type Place = generic.Place

// Cells is rows × cols cells of a mean, with a sum and a counter each. The sums
// may be in the cells themselves, or elsewhere. The cells of a row may share
// a counter, with a Col of 0.
type Cells[T, S any, C Counter] = generic.Cells[T, S, C]

// ScatterExact adds updates(i, j) to sums[at + offsets[i] + j*col] for every
// i < len(offsets) and j < cols.
func ScatterExact[T Integer](sums []Exact, at, col int, offsets []int, updates Plane[T], cols int) {
	generic.ScatterExact(sums, at, col, offsets, updates, cols)
}

// ScatterWide is ScatterExact with sums of 64 bits, which fewer than 1<<31
// numbers of 32 bits do not wrap.
func ScatterWide[T ShortInteger](sums []int64, at, col int, offsets []int, updates Plane[T], cols int) {
	generic.ScatterWide(sums, at, col, offsets, updates, cols)
}

// Divide sets each counted cell to its sum divided by its count converted to
// T, and the sum and the counter to 0, so that a cell that is named again is
// left alone.
func Divide[T float32 | float64, C Counter](c Cells[T, T, C]) { selectDivide(c) }

// DivideHalf is Divide for the format h: in float32, rounded once.
func DivideHalf[C Counter](h Half, c Cells[uint16, uint16, C]) { generic.DivideHalf(h, c) }

// DivideComplex is Divide for each component.
func DivideComplex[T complex64 | complex128, C Counter](c Cells[T, T, C]) { generic.DivideComplex(c) }

// DivideExact sets each counted cell to the exact mean of the numbers whose
// sum is in Sums and, when c.Init is 1, of the cell's own value, rounded toward
// minus infinity; and the sum and the counter to 0.
func DivideExact[T Integer, C Counter](c Cells[T, Exact, C]) { generic.DivideExact(c) }

// DivideWide is DivideExact with sums of 64 bits.
func DivideWide[T ShortInteger, C Counter](c Cells[T, int64, C]) { generic.DivideWide(c) }
