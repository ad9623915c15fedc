package lanes

import "github.com/lanes-go/lanes/generic"

// A mean takes three steps: the updates of each cell are summed (by
// ScatterReduce into the cell itself, or exactly by ScatterExact), counted (by
// ScatterReduce of ones into counters), and divided.

// Exact is a sum of integers that can't wrap; the zero value is 0.
type Exact = generic.Exact

// Cells addresses the cells of a mean, and the counters that belong to them.
type Cells[T any] = generic.Cells[T]

// ScatterExact adds updates(i, j) to sums[at + offsets[i] + j*col] for every
// i < len(offsets) and j < cols.
func ScatterExact[T Integer](sums []Exact, at, col int, offsets []int, updates Plane[T], cols int) {
	generic.ScatterExact(sums, at, col, offsets, updates, cols)
}

// Divide divides each counted cell, which holds a sum, by its count converted
// to T, and sets the counter to 0, so that a cell that is named again is left alone.
func Divide[T float32 | float64](c *Cells[T]) { generic.Divide(c) }

// DivideHalf is Divide for the format h: in float32, rounded once.
func DivideHalf(h Half, c *Cells[uint16]) { generic.DivideHalf(h, c) }

// DivideComplex is Divide for each component.
func DivideComplex[T complex64 | complex128](c *Cells[T]) { generic.DivideComplex(c) }

// DivideExact sets each counted cell to the exact mean of the numbers that
// sums holds for it and, when c.Init is 1, of the cell's own value, rounded toward
// minus infinity. It sets counters and sums to 0. sums lie like the counters.
func DivideExact[T Integer](c *Cells[T], sums []Exact) { generic.DivideExact(c, sums) }
