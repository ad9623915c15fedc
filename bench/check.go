package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/lanes-go/lanes/generic"
)

// Every result is compared with the definition in package generic before it is timed. If that takes
// more than about a second, parts of it are compared, which the definition computes from views of
// the full tensors. So the workload's own call is checked, and never a smaller one that may take
// another path.
const (
	wholeUpTo  = 1 << 20 // elements
	inParts    = 1 << 18 // elements compared, of larger results
	partsUpTo  = 1 << 12
	spotChecks = 1 << 11 // elements compared with the formulas as written here
)

// verify runs a job in each setup and checks what it wrote.
func verify(j job, setups []setup, rng *rand.Rand) error {
	if plain := j.plain(); plain != nil {
		if err := plain(); err != nil {
			return fmt.Errorf("hand-written loop: %w", err)
		}
	}
	for _, s := range setups {
		j.reset()
		err := s.run(j)
		if err == nil {
			err = j.check(rng)
		}
		if err != nil {
			return fmt.Errorf("%s, %d workers: %w", s.level, s.workers, err)
		}
	}
	j.reset()
	return nil
}

// A mismatch is an element that is not what it should be.
type mismatch struct {
	at        []int
	got, want any
	by        string // who says so
}

func (m mismatch) Error() string {
	return fmt.Sprintf("dst%v is %v; %s gives %v", m.at, m.got, m.by, m.want)
}

// A box is a part of a tensor: shape elements along the axes from at on.
type box struct{ at, shape []int }

// of returns the box's elements of a tensor.
func (b box) of(v generic.View) generic.View {
	return generic.View{Shape: b.shape, Strides: v.Strides, Offset: v.Address(b.at)}
}

// stretched returns the box with the whole of an axis of size n.
func (b box) stretched(axis, n int) box {
	return box{along(slices.Clone(b.at), axis, 0), along(slices.Clone(b.shape), axis, n)}
}

// boxes yields the whole of a tensor if it is small, or else boxes of the
// given grain: the first, the last, where tails are, and random ones.
func boxes(rng *rand.Rand, shape, grain []int) iter.Seq[box] {
	return func(yield func(box) bool) {
		if size(shape) <= wholeUpTo {
			yield(box{make([]int, len(shape)), shape})
			return
		}
		for i := range min(max(inParts/size(grain), 3), partsUpTo) {
			at := make([]int, len(shape))
			for d := range at {
				switch last := shape[d] - grain[d]; i {
				case 0:
				case 1:
					at[d] = last
				default:
					at[d] = rng.IntN(last + 1)
				}
			}
			if !yield(box{at, grain}) {
				return
			}
		}
	}
}

// compare compares a box of a result with what the definition gives there.
// Values are finite and not zero, so that equal ones have equal bits.
func compare[T element](dst []T, v generic.View, b box, want []T) error {
	part, i := b.of(v), 0
	for c := range generic.Coordinates(b.shape) {
		if got := dst[part.Address(c)]; got != want[i] {
			at := slices.Clone(b.at)
			for d := range at {
				at[d] += c[d]
			}
			return mismatch{at, got, want[i], "the definition"}
		}
		i++
	}
	return nil
}

// spotCheck compares random elements of a contiguous result with a formula.
func spotCheck[T element](rng *rand.Rand, dst []T, shape []int, formula func(c []int) T) error {
	c := make([]int, len(shape))
	for range spotChecks {
		for d := range c {
			c[d] = rng.IntN(shape[d])
		}
		if got, want := dst[flat(shape, c)], formula(c); got != want {
			return mismatch{c, got, want, "the formula"}
		}
	}
	return nil
}

// compareAll compares a result with the hand-written loop's, if there is one.
func compareAll[T element](dst []T, shape []int, hand []T) error {
	if hand == nil || slices.Equal(dst, hand) {
		return nil
	}
	for c := range generic.Coordinates(shape) {
		if i := flat(shape, c); dst[i] != hand[i] {
			return mismatch{slices.Clone(c), dst[i], hand[i], "the hand-written loop"}
		}
	}
	return nil
}

// contiguous returns the row-major view of a shape, with its strides.
func contiguous(shape []int) generic.View {
	strides, n := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		strides[d] = n
		n *= shape[d]
	}
	return generic.View{Shape: shape, Strides: strides}
}

// flat returns the row-major number of the element at c.
func flat(shape, c []int) int {
	at := 0
	for d, n := range shape {
		at = at*n + c[d]
	}
	return at
}

func ones(n int) []int { return slices.Repeat([]int{1}, n) }

// along sets the value of an axis and returns the changed slice.
func along(x []int, axis, value int) []int {
	x[axis] = value
	return x
}
