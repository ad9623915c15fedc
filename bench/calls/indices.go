package calls

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// newIndices makes the indices of a call.
//
// A tuple, or an index, is drawn as one number below the product of the axes' sizes that its
// components go into. There are lines of numbers, each number stands rep times in a row, and those
// of a line are inner apart:
//
//	values[(outer*line + i)*inner + j] is number i of line (outer, j)
func newIndices[I int32 | int64](d draw, c Call) kernels.Tensor[I] {
	sizes, k := c.Indexed()
	shape := c.Indices
	if c.Operator == GatherND || c.Operator == ScatterNDUpdate {
		shape = shape[:len(shape)-1]
	}
	// The axis along which numbers are sorted, and behind which they are constant.
	first, last := c.BatchDims, c.BatchDims
	if c.Operator == GatherElements || c.Operator == ScatterElementsUpdate {
		first, last = c.Axis, c.Axis
	} else if c.Pattern != Constant && c.Pattern != Stride0 {
		last = len(shape) - 1 // all of them, one line a batch
	}
	outer, line, inner := product(shape[:first]), product(shape[first:last+1]), product(shape[last+1:])
	rep := 1
	if c.Pattern == Constant || c.Pattern == Stride0 {
		inner, rep = 1, inner
	}

	n := outer * line * inner
	values := make([]I, n*k)
	choose(values, n, outer, line, inner, sizes, c)
	t := kernels.Tensor[I]{Data: values, Shape: c.Indices}
	switch {
	case rep > 1 && c.Pattern == Stride0:
		t.Strides = make([]int, len(c.Indices))
		step := 1
		if k := len(c.Indices); k > len(shape) {
			t.Strides[k-1], step = 1, c.Indices[k-1]
		}
		for i := last; i >= 0; i-- {
			t.Strides[i] = step
			step *= shape[i]
		}
	case rep > 1:
		t.Data = make([]I, 0, n*k*rep)
		for i := range n {
			for range rep {
				t.Data = append(t.Data, values[i*k:(i+1)*k]...)
			}
		}
	}
	if c.Strides == WrittenStrides && t.Strides == nil {
		t.Strides = newTensor[struct{}](d, c.Indices, WrittenStrides, "", "").Strides
	}
	return t
}

// Indexed returns the sizes of the axes that the components of an index go into.
func (c Call) Indexed() (sizes []int, k int) {
	switch c.Operator {
	case GatherND, ScatterNDUpdate:
		k = c.Indices[len(c.Indices)-1]
		return c.Data[c.BatchDims : c.BatchDims+k], k
	default:
		return c.Data[c.Axis : c.Axis+1], 1
	}
}

// choose chooses n numbers and stores their components.
func choose[I int32 | int64](values []I, n, outer, line, inner int, sizes []int, c Call) {
	s, d, k := newSource(c, forIndices), product(sizes), len(sizes)
	store := func(at, x int) {
		for i := k - 1; i > 0; i-- {
			values[at*k+i] = I(x % sizes[i])
			x /= sizes[i]
		}
		values[at*k] = I(x)
	}
	switch c.Pattern {
	case Skewed:
		// Number x of Zipf's ranks is more likely than x+1; a permutation takes them apart.
		apart := spread(d)
		for i := range n {
			rank := int(math.Exp(s.float(i)*math.Log(float64(d)+1))) - 1
			store(i, int(uint64(min(rank, d-1))*apart%uint64(d)))
		}
	case Sorted:
		// Sums of exponentially distributed steps lie as sorted uniform numbers do.
		sums := make([]float64, line)
		for o := range outer {
			for j := range inner {
				at, sum := o*line*inner+j, 0.
				for i := range sums {
					sum -= math.Log(s.float(at + i*inner))
					sums[i] = sum
				}
				scale := float64(d) / (sum - math.Log(s.float(n+o*inner+j)))
				for i, x := range sums {
					store(at+i*inner, min(int(x*scale), d-1))
				}
			}
		}
	case Equal:
		x := s.below(0, d)
		for i := range n {
			store(i, x)
		}
	default:
		for i := range n {
			store(i, s.below(i, d))
		}
	}
	if c.Pattern == Negative {
		for i := range values {
			if s.at(n+i)&1 == 1 {
				values[i] -= I(sizes[i%k])
			}
		}
	}
}

// spread returns a number without a divisor in common with d.
func spread(d int) uint64 {
	for _, prime := range []uint64{2654435761, 1000000007} {
		if uint64(d)%prime != 0 {
			return prime
		}
	}
	return 1
}
