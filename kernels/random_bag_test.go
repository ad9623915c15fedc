package kernels_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

var bagReductions = []kernels.Reduction{kernels.Sum, kernels.Mean, kernels.Max}

// offsets are those of n bags of count indices: even ones, some empty, or one
// that has most. Sometimes one is bad.
func (c *randomCall) offsets(limits indexLimits, n, count int) (x randomIndices, bad bool) {
	v, length := c.view([]int{n}, false)
	most := int(min(uint64(count), limits.greatest))
	starts := make([]int, n)
	switch pattern := c.IntN(4); pattern {
	case 0, 1:
		for b := range starts {
			starts[b] = c.IntN(most + 1)
		}
		if slices.Sort(starts); n > 0 && pattern == 0 {
			starts[0] = 0
		}
	case 2:
		for b := range starts {
			starts[b] = b * most / n
		}
	case 3: // the bag in the middle
		for b := range starts {
			if starts[b] = c.IntN(most/20 + 1); b > n/2 {
				starts[b] = most - starts[b]
			}
		}
		slices.Sort(starts)
	}
	x = randomIndices{view: v, storage: make([]uint64, length)}
	for i := range x.storage {
		x.storage[i] = c.Uint64()
	}
	for b, start := range starts {
		x.storage[v.Address([]int{b})] = uint64(start)
	}
	if n > 0 && c.chance(8) {
		b := c.IntN(n)
		k := pick(c, uint64(count+1), limits.greatest, math.MaxUint64, uint64(1)<<63, uint64(c.IntN(count+1)), uint64(1)<<32)
		if fits := k <= limits.greatest || limits.least < 0 && int64(k) < 0 && int64(k) >= limits.least; fits {
			x.storage[v.Address([]int{b})] = k
			c.tell("offset %d at %d", int64(k), b)
		}
	}
	last := int64(0)
	for _, o := range x.values() {
		bad = bad || o < last || o > int64(count)
		last = o
	}
	c.tell("offsets: strides %v offset %d of %d: %v", v.Strides, v.Offset, length, x.values()[:min(n, 40)])
	return x, bad
}

// bagged marks the elements of dst's array whose bags have indices: there a
// NaN is an arithmetic one.
func bagged[T any](dst placement[T], offsets randomIndices, count int) []bool {
	marks, starts := make([]bool, len(dst.array)), append(offsets.values(), int64(count))
	for c := range generic.Coordinates(dst.Shape) {
		marks[dst.at+dst.View().Address(c)] = starts[c[0]] < starts[c[0]+1]
	}
	return marks
}

func (e *elementRow[T]) embeddingBag(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	table := e.place(c, "table", c.shape(c.rank()), false)
	rows, row := table.Shape[0], table.Shape[1:]
	count, bags := c.IntN(2)*c.dim()+c.IntN(20), c.dim()
	if c.large {
		count = c.longDim()
		if bags = c.IntN(40); c.chance(30) {
			bags = c.longDim()
		}
	}
	for int64(max(count, bags))*int64(elements(row)) > int64(4*c.budget()) { // which an int of 32 bits does not count
		count, bags = (count+1)/2, (bags+1)/2
	}
	indices := c.indices(by.limits, []int{count}, func([]int) int { return rows })
	offsets, bad := c.offsets(by.limits, bags, count)
	dst := e.place(c, "dst", append([]int{bags}, row...), true)
	attrs := kernels.BagAttrs{Reduction: pick(c, bagReductions...), HasDefault: c.chance(50)}
	if attrs.DefaultIndex = c.IntN(99); attrs.HasDefault {
		attrs.DefaultIndex = c.IntN(rows+1) - 1
	}
	inputs, weights := []placement[T]{table}, kernels.Tensor[T]{}
	if attrs.Reduction == kernels.Sum && c.chance(40) {
		w := e.place(c, "weights", []int{count}, false)
		inputs, weights = append(inputs, w), w.Tensor
	}
	c.tell("%+v, indices %s", attrs, by.name)

	shape, err := kernels.EmbeddingBagShape(table.Shape, indices.view.Shape, offsets.view.Shape)
	if err != nil || !slices.Equal(shape, dst.Shape) {
		return fmt.Errorf("EmbeddingBagShape: %v, %v", shape, err)
	}
	trial := trial[T]{
		dst: dst, inputs: inputs, unchangedOnError: bad,
		define: func(array []T) error {
			return by.defineEmbeddingBag(dst.in(array), table.Tensor, indices, offsets, weights, attrs)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.embeddingBag(dst.in(array), table.Tensor, indices, offsets, weights, attrs, opts)
		},
	}
	if e.sameNumber != nil && attrs.Reduction != kernels.Max && !bad {
		trial.reduced = bagged(dst, offsets, count)
	}
	return e.compare(c, trial)
}
