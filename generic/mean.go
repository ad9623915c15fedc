package generic

import "math/bits"

// Integer is the element types whose mean is exact.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Exact is a sum of integers that can't wrap: a 128-bit two's complement number.
type Exact struct{ Hi, Lo uint64 }

// plus returns a + v. (A function with a type parameter is inlined where the
// loops are instantiated; a method is not.)
func plus[T Integer](a Exact, v T) Exact {
	sign := uint64(0)
	if v < 0 {
		sign = ^uint64(0)
	}
	lo, carry := bits.Add64(a.Lo, uint64(v), 0) // uint64 extends the sign
	hi, _ := bits.Add64(a.Hi, sign, carry)
	return Exact{hi, lo}
}

// floorDiv returns a/n rounded toward minus infinity. The quotient is the mean of
// n numbers of 64 bits or fewer, so that it fits.
func (a Exact) floorDiv(n uint64) uint64 {
	if int64(a.Hi) >= 0 {
		q, _ := bits.Div64(a.Hi, a.Lo, n)
		return q
	}
	// floor(-m/n) = -((m+n-1)/n)
	lo, borrow := bits.Sub64(n-1, a.Lo, 0)
	hi, _ := bits.Sub64(0, a.Hi, borrow)
	q, _ := bits.Div64(hi, lo, n)
	return -q
}

// ScatterExact adds updates(i, j) to sums[at + offsets[i] + j*col] for every j < cols.
func ScatterExact[T Integer](sums []Exact, at, col int, offsets []int, updates Plane[T], cols int) {
	for i, o := range offsets {
		d, u := at+o, updates.row(i)
		for range cols {
			sums[d] = plus(sums[d], updates.Data[u])
			d, u = d+col, u+updates.Col
		}
	}
}

// Cells addresses the cells of a mean: those of the destination, and the
// counters (and exact sums) that belong to them.
type Cells[T any] struct {
	Dst     []T
	At, Col int
	Offsets []int // cell (i, j) is Dst[At + Offsets[i] + j*Col]

	Counts            []int
	CountAt, CountCol int
	CountOffsets      []int // its counter is Counts[CountAt + CountOffsets[i] + j*CountCol]

	Cols int
	Init int // what the initial value adds to a count: 1 when it is part of the mean, else 0
}

// finish sets each cell that has been counted to mean(cell, its counter,
// its count) and its counter to 0, so that a cell that comes again is left
// alone and the counters are clean for their next use.
func (c *Cells[T]) finish(mean func(cell T, counter, count int) T) {
	for i, o := range c.Offsets {
		d, k := c.At+o, c.CountAt+c.CountOffsets[i]
		for range c.Cols {
			if n := c.Counts[k]; n != 0 {
				c.Dst[d] = mean(c.Dst[d], k, n+c.Init)
				c.Counts[k] = 0
			}
			d, k = d+c.Col, k+c.CountCol
		}
	}
}

// Divide divides each counted cell, which holds a sum, by its count.
func Divide[T float32 | float64](c *Cells[T]) {
	c.finish(func(sum T, _, n int) T { return sum / T(n) })
}

// DivideHalf is Divide for a 16-bit floating-point format: in float32, rounded once.
func DivideHalf(h Half, c *Cells[uint16]) {
	c.finish(func(sum uint16, _, n int) uint16 { return h.Round(h.Float32(sum) / float32(n)) })
}

// DivideComplex divides each component by the count.
func DivideComplex[T complex64 | complex128](c *Cells[T]) {
	c.finish(func(sum T, _, n int) T {
		z := complex128(sum)
		return T(complex(real(z)/float64(n), imag(z)/float64(n)))
	})
}

// DivideExact sets each counted cell to the exact mean, rounded toward minus
// infinity, of what sums hold and, when it counts, the cell's initial value; the
// sums are set to 0.
func DivideExact[T Integer](c *Cells[T], sums []Exact) {
	c.finish(func(cell T, k, n int) T {
		sum := sums[k]
		if c.Init != 0 {
			sum = plus(sum, cell)
		}
		sums[k] = Exact{}
		return T(sum.floorDiv(uint64(n)))
	})
}
