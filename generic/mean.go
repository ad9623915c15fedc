package generic

import (
	"math"
	"math/bits"
)

// Integer is the element types whose mean is exact.
type Integer interface {
	ShortInteger | ~int | ~int64 | ~uint | ~uint64
}

// ShortInteger is the integers of 32 bits or fewer.
type ShortInteger interface {
	~int8 | ~int16 | ~int32 | ~uint8 | ~uint16 | ~uint32
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
	data, start := updates.Data, updates.At
	if cols == 1 {
		for _, o := range offsets {
			sum := &sums[at+o]
			*sum = plus(*sum, data[start])
			start += updates.Row
		}
		return
	}
	for _, o := range offsets {
		if d, u := at+o, start; col == 1 && updates.Col == 1 {
			row := cut(sums, d, cols)
			for j, v := range cut(data, u, cols) {
				row[j] = plus(row[j], v)
			}
		} else {
			for range cols {
				sum := &sums[d]
				*sum = plus(*sum, data[u])
				d, u = d+col, u+updates.Col
			}
		}
		start += updates.Row
	}
}

// ScatterWide is ScatterExact with sums of 64 bits, which fewer than 1<<31
// numbers of 32 bits do not wrap.
func ScatterWide[T ShortInteger](sums []int64, at, col int, offsets []int, updates Plane[T], cols int) {
	data, start := updates.Data, updates.At
	if cols == 1 {
		for _, o := range offsets {
			sums[at+o] += int64(data[start])
			start += updates.Row
		}
		return
	}
	for _, o := range offsets {
		if d, u := at+o, start; col == 1 && updates.Col == 1 {
			row := cut(sums, d, cols)
			for j, v := range cut(data, u, cols) {
				row[j] += int64(v)
			}
		} else {
			for range cols {
				sums[d] += int64(data[u])
				d, u = d+col, u+updates.Col
			}
		}
		start += updates.Row
	}
}

// ScatterWords adds updates(i, 0) to words[at + offsets[i]], and 1<<shift to count it: a word holds
// a sum of fewer than shift-1 bits and a sign, and above it how many numbers were added.
func ScatterWords[T ShortInteger](words []int64, shift, at int, offsets []int, updates Plane[T]) {
	data, start, unit := updates.Data, updates.At, int64(1)<<shift
	for _, o := range offsets {
		words[at+o] += int64(data[start]) + unit
		start += updates.Row
	}
}

// Counter is the types of a mean's counters. One of 32 bits counts to
// math.MaxInt32, with the initial value.
type Counter interface{ ~uint32 | ~uint64 }

// Count adds n to counts[at + o] for every offset o.
func Count[C Counter](counts []C, at int, offsets []int, n int) {
	for _, o := range offsets {
		counts[at+o] += C(n)
	}
}

// A Place is where in a slice the elements of rows × cols are: (i, j) is at
// At + Offsets[i] + j*Col, or without offsets at At + i*Row + j*Col.
type Place struct {
	At, Row, Col int
	Offsets      []int
}

// Start returns where row i begins.
func (p *Place) Start(i int) int {
	if p.Offsets != nil {
		return p.At + p.Offsets[i]
	}
	return p.At + i*p.Row
}

// Cells is rows × cols cells of a mean, with a sum and a counter each. The sums
// may be in the cells themselves, or elsewhere. The cells of a row may share
// a counter, with a Col of 0.
type Cells[T, S any, C Counter] struct {
	Dst        []T
	Sums       []S
	Counts     []C
	DstAt      Place
	SumsAt     Place
	CountsAt   Place
	Rows, Cols int
	Init       int // what the initial value adds to a count: 1 when it is part of the mean, else 0
}

// A batch is some cells that have been counted. It is filled without a branch and
// then divided, which takes half the time of a branch on each counter: random updates,
// as many as cells, leave every third cell without any.
type batch struct {
	row, col  int // that come next
	len       int
	dst, sums [64]int
	counts    [64]int64
}

// next fills the batch with the next cells that have been counted. It sets
// their counters to 0, so that a cell that is named again is left alone and the
// counters are clean for their next use. It returns false at the end.
func (c *Cells[T, S, C]) next(b *batch) bool {
	counts, ds, ss, ks, init := c.Counts, c.DstAt.Col, c.SumsAt.Col, c.CountsAt.Col, int64(c.Init)
	b.len = 0
	if c.Cols == 1 && c.DstAt.Offsets != nil && c.SumsAt.Offsets != nil && c.CountsAt.Offsets != nil {
		return c.nextNamed(b)
	}
	for ; b.row < c.Rows; b.row, b.col = b.row+1, 0 {
		d, s, k := c.DstAt.Start(b.row)+b.col*ds, c.SumsAt.Start(b.row)+b.col*ss, c.CountsAt.Start(b.row)+b.col*ks
		if ks == 0 && counts[k] == 0 {
			continue
		}
		j, left := b.len, c.Cols-b.col
		for ; left > 0 && j < len(b.counts); left-- {
			n := counts[k]
			b.dst[j], b.sums[j], b.counts[j] = d, s, int64(n)+init
			if n != 0 {
				j++
			}
			if ks != 0 {
				counts[k] = 0
			}
			d, s, k = d+ds, s+ss, k+ks
		}
		b.len = j
		if left > 0 {
			b.col = c.Cols - left
			return true
		}
		if ks == 0 { // the row shares it
			counts[k] = 0
		}
	}
	return b.len > 0
}

// nextNamed is next for single cells.
func (c *Cells[T, S, C]) nextNamed(b *batch) bool {
	counts, init, j := c.Counts, int64(c.Init), 0
	n := min(c.Rows-b.row, len(b.counts))
	ds, ss := cut(c.DstAt.Offsets, b.row, n), cut(c.SumsAt.Offsets, b.row, n)
	for i, k := range cut(c.CountsAt.Offsets, b.row, n) {
		k += c.CountsAt.At
		count := counts[k]
		counts[k] = 0
		b.dst[j&63], b.sums[j&63], b.counts[j&63] = c.DstAt.At+ds[i], c.SumsAt.At+ss[i], int64(count)+init
		if count != 0 {
			j++
		}
	}
	b.row, b.len = b.row+n, j
	return j > 0 || b.row < c.Rows
}

// Divide sets each counted cell to its sum divided by its count, and the sum and
// the counter to 0.
func Divide[T float32 | float64, C Counter](c Cells[T, T, C]) {
	var b batch
	for c.next(&b) {
		for j, d := range b.dst[:b.len] {
			s := b.sums[j]
			sum := c.Sums[s]
			c.Sums[s] = 0
			c.Dst[d] = sum / T(b.counts[j])
		}
	}
}

// DivideHalf is Divide for a 16-bit floating-point format: in float32, rounded
// once. A loop for each format, because a choice for each cell costs as much as its division.
func DivideHalf[C Counter](h Half, c Cells[uint16, uint16, C]) {
	var b batch
	for c.next(&b) {
		if h == Brain16 {
			for j, d := range b.dst[:b.len] {
				s := b.sums[j]
				sum := c.Sums[s]
				c.Sums[s] = 0
				c.Dst[d] = BFloat16FromFloat32(BFloat16ToFloat32(sum) / float32(b.counts[j]))
			}
			continue
		}
		for j, d := range b.dst[:b.len] {
			s := b.sums[j]
			sum := c.Sums[s]
			c.Sums[s] = 0
			f := float32(0)
			if exp := sum & 0x7C00; exp != 0 && exp != 0x7C00 { // Float16ToFloat32 of a normal number
				f = math.Float32frombits(uint32(sum&0x8000)<<16 | uint32(sum&0x7FFF)<<13 + 112<<23)
			} else {
				f = Float16ToFloat32(sum)
			}
			f /= float32(b.counts[j])
			if bits := math.Float32bits(f); bits&0x7FFFFFFF-0x38800000 < 0x47800000-0x38800000 { // Float16FromFloat32 of a normal number
				c.Dst[d] = uint16(bits>>16)&0x8000 | uint16((bits&0x7FFFFFFF-112<<23+0xFFF+bits>>13&1)>>13)
			} else {
				c.Dst[d] = Float16FromFloat32(f)
			}
		}
	}
}

// DivideComplex divides each component by the count.
func DivideComplex[T complex64 | complex128, C Counter](c Cells[T, T, C]) {
	var b batch
	for c.next(&b) {
		for j, d := range b.dst[:b.len] {
			s := b.sums[j]
			sum, n := complex128(c.Sums[s]), float64(b.counts[j])
			c.Sums[s] = 0
			c.Dst[d] = T(complex(real(sum)/n, imag(sum)/n))
		}
	}
}

// DivideExact sets each counted cell to the exact mean, rounded toward minus
// infinity, of what its sum holds and, when it counts, the cell's initial value.
func DivideExact[T Integer, C Counter](c Cells[T, Exact, C]) {
	var b batch
	for c.next(&b) {
		for j, d := range b.dst[:b.len] {
			s := b.sums[j]
			sum := c.Sums[s]
			if c.Init != 0 {
				sum = plus(sum, c.Dst[d])
			}
			c.Sums[s] = Exact{}
			c.Dst[d] = T(sum.floorDiv(uint64(b.counts[j])))
		}
	}
}

// DivideWide is DivideExact with sums of 64 bits.
func DivideWide[T Integer, C Counter](c Cells[T, int64, C]) {
	var b batch
	for c.next(&b) {
		for j, d := range b.dst[:b.len] {
			s, n := b.sums[j], b.counts[j]
			sum := c.Sums[s]
			c.Sums[s] = 0
			if c.Init != 0 {
				cell := int64(c.Dst[d])
				with := sum + cell
				if (sum^with)&(cell^with) < 0 || cell < 0 != (c.Dst[d] < 0) { // it wraps
					c.Dst[d] = T(plus(plus(Exact{}, sum), c.Dst[d]).floorDiv(uint64(n)))
					continue
				}
				sum = with
			}
			q := sum / n
			if q*n > sum { // rounded up
				q--
			}
			c.Dst[d] = T(q)
		}
	}
}

// DivideWords is DivideWide for the words of ScatterWords, which stand in for sums and counters.
func DivideWords[T Integer](c Cells[T, int64, uint32], shift int) {
	half, init, keep := int64(1)<<(shift-1), int64(c.Init), -int64(c.Init)
	for i := range c.Rows {
		d, s := c.DstAt.Start(i), c.SumsAt.Start(i)
		for range c.Cols {
			word := c.Sums[s]
			c.Sums[s] = 0
			count := int64(uint64(word+half) >> shift)
			old := c.Dst[d]
			sum, n := word-count<<shift+int64(old)&keep, max(count+init, 1)
			q := sum / n
			if q*n > sum { // rounded up
				q--
			}
			if v := T(q); count != 0 { // no branch, which would be guessed wrong
				old = v
			}
			c.Dst[d] = old
			d, s = d+c.DstAt.Col, s+c.SumsAt.Col
		}
	}
}
