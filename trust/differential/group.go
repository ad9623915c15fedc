package main

import (
	"math/rand/v2"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// groupSize is how many calls share a model in the libraries that need one.
const groupSize = 32

// contested are the operators that are compared.
var contested = slices.DeleteFunc(slices.Clone(calls.Ops), func(op calls.Op) bool {
	return op == calls.TensorScatter // none of the workers has it
})

// A group is calls of one operator with the same types, ranks, attributes and
// masks, so that a library that compiles them does so once.
type group struct {
	number int
	cases  []calls.Call
}

// shared returns a call with all that the group shares. There is always one call.
func (g *group) shared() *calls.Call { return &g.cases[0] }

// newGroup makes the group of that number, which with the seed decides all of it.
func newGroup(seed uint64, number int) *group {
	r := &random{rand.New(rand.NewPCG(seed, uint64(number)))}
	g := &group{number: number, cases: make([]calls.Call, 0, groupSize)}
	next := generators[number%len(generators)](r)
	for range groupSize {
		g.cases = append(g.cases, next())
	}
	return g
}

// generators return what makes the calls of a group, having chosen what they share.
var generators = []func(*random) func() calls.Call{
	(*random).gatherElements,
	(*random).gatherND,
	(*random).scatter,
	(*random).scatter, // with six reductions there is twice as much to see
	(*random).slice,
	(*random).scatter,
	(*random).gather,
	(*random).scatterND,
	(*random).scatterND,
	(*random).ranges,
	(*random).compress,
	(*random).bag,
	(*random).bag,
	(*random).generalGather,
	(*random).generalScatter,
	(*random).intoRanges,
}

// random chooses.
type random struct{ *rand.Rand }

// oneIn reports true once in n times.
func (r *random) oneIn(n int) bool { return r.IntN(n) == 0 }

func pick[T any](r *random, list ...T) T { return list[r.IntN(len(list))] }

// size returns a dimension: mostly small, sometimes 0 or past the width of vectors.
func (r *random) size() int {
	switch r.IntN(40) {
	case 0:
		return 0
	case 1, 2, 3, 4:
		return 1
	case 5:
		return 7 + r.IntN(70)
	}
	return 2 + r.IntN(5)
}

// maxElements bounds a tensor, so that a run is about many calls and not about large ones.
const maxElements = 3000

func (r *random) shape(rank int) []int {
	shape := make([]int, rank)
	for total := 1; ; total = 1 {
		for d := range shape {
			shape[d] = r.size()
			total *= max(shape[d], 1)
		}
		if rank > 0 && r.oneIn(12) {
			d := r.IntN(rank)
			total = total / max(shape[d], 1)
			shape[d] = 20 + r.IntN(280)
			total *= shape[d]
		}
		if total <= maxElements {
			return shape
		}
	}
}

func (r *random) rank() int { return pick(r, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6) }

// axis returns an axis, sometimes counted from the end.
func (r *random) axis(rank int) int { return r.IntN(2*rank) - rank }

// fromFront returns the axis counted from 0.
func fromFront(axis, rank int) int {
	if axis < 0 {
		return axis + rank
	}
	return axis
}

// elementwise returns the shape of indices for data and an axis: any length along
// it, and elsewhere data's, or no more than that.
func (r *random) elementwise(data []int, axis int) []int {
	shorter := r.oneIn(3)
	for {
		shape, total := make([]int, len(data)), 1
		for d, n := range data {
			switch {
			case d == axis:
				n = r.size()
				if r.oneIn(8) {
					n = 20 + r.IntN(580)
				}
			case shorter:
				n = r.IntN(n + 1)
			}
			shape[d] = n
			total *= max(n, 1)
		}
		if total <= maxElements {
			return shape
		}
	}
}

func (r *random) gatherElements() func() calls.Call {
	rank, typ, index := r.rank(), pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64)
	axis := r.axis(rank)
	return func() calls.Call {
		data := r.shape(rank)
		c := calls.Call{Op: calls.GatherElements, Axis: axis, Data: r.tensor(typ, data)}
		d := fromFront(axis, rank)
		c.Indices = r.indices(index, r.elementwise(data, d), func(int) int { return data[d] })
		return c
	}
}

func (r *random) gatherND() func() calls.Call {
	rank, typ, index := r.rank(), pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64, kernels.DTypeInt64, kernels.DTypeInt64)
	q := 1 + r.IntN(4)
	batch := 0
	if n := min(q, rank); n > 1 && r.oneIn(2) {
		batch = r.IntN(n)
	}
	k := 1 + r.IntN(rank-batch)
	return func() calls.Call {
		for {
			data := r.shape(rank)
			shape := append(append(append([]int{}, data[:batch]...), r.shape(q-1-batch)...), k)
			out, err := kernels.GatherNDShape(data, shape, batch)
			if err == nil && product(out) <= maxElements && product(shape) <= maxElements {
				return calls.Call{Op: calls.GatherND, BatchDims: batch, Data: r.tensor(typ, data),
					Indices: r.indices(index, shape, func(i int) int { return data[batch+i%k] })}
			}
		}
	}
}

func (r *random) gather() func() calls.Call {
	rank, typ, index := r.rank(), pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64)
	q, axis, batch := r.IntN(4), r.axis(rank), 0
	d := fromFront(axis, rank)
	if n := min(q, d); n > 0 && r.oneIn(2) {
		batch = 1 + r.IntN(n)
	}
	var policy kernels.IndexPolicy
	if r.oneIn(4) { // OpenVINO's Gather-8 has zeros for an index out of range
		policy.OutOfRange = kernels.Skip
	}
	return func() calls.Call {
		for {
			data := r.shape(rank)
			shape := append(append([]int{}, data[:batch]...), r.shape(q-batch)...)
			out, err := kernels.GatherShape(data, shape, axis, batch)
			if err == nil && product(out) <= maxElements && product(shape) <= maxElements {
				c := calls.Call{Op: calls.Gather, Axis: axis, BatchDims: batch, Policy: policy, Data: r.tensor(typ, data),
					Indices: r.indices(index, shape, func(int) int { return data[d] })}
				if policy.OutOfRange == kernels.Skip && data[d] > 0 {
					for i := range c.Indices.Count() {
						if r.oneIn(5) {
							copy(c.Indices.Data[i*calls.Size(index):], appendIndex(nil, index, int64(pick(r, 1, -1)*(data[d]+1+r.IntN(1000)))))
						}
					}
				}
				return c
			}
		}
	}
}

// product returns the number of elements, with 1 for the axes that have none.
func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= max(d, 1)
	}
	return n
}

var reductions = []kernels.Reduction{kernels.None, kernels.Sum, kernels.Prod, kernels.Min, kernels.Max, kernels.Mean}

func (r *random) scatter() func() calls.Call {
	rank, typ, index := r.rank(), pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64)
	attrs := kernels.ScatterAttrs{Reduction: pick(r, reductions...), IgnoreInit: r.oneIn(3)}
	for !reduces(typ, attrs.Reduction) {
		attrs.Reduction = pick(r, reductions...)
	}
	if attrs.Reduction == kernels.None {
		attrs.IgnoreInit = false
	}
	axis := r.axis(rank)
	return func() calls.Call {
		data := r.shape(rank)
		d := fromFront(axis, rank)
		shape := r.elementwise(data, d)
		if attrs.Reduction == kernels.Mean && r.oneIn(8) {
			shape = r.long(data, d)
		}
		v := r.flavour() // one for both, so that sums of plain numbers stay plain
		c := calls.Call{Op: calls.ScatterElementsUpdate, Axis: axis, Attrs: attrs, Data: r.tensorOf(typ, data, v), Updates: r.tensorOf(typ, shape, v)}
		c.Indices = r.indices(index, shape, func(int) int { return data[d] })
		return c
	}
}

var reductionsND = []kernels.Reduction{kernels.None, kernels.Sum, kernels.Sub, kernels.Prod, kernels.Min, kernels.Max}

func (r *random) scatterND() func() calls.Call {
	rank, typ, index := r.rank(), pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64, kernels.DTypeInt64)
	attrs := kernels.ScatterAttrs{Reduction: pick(r, reductionsND...)}
	for !reduces(typ, attrs.Reduction) {
		attrs.Reduction = pick(r, reductionsND...)
	}
	q, k := 1+r.IntN(3), 1+r.IntN(rank)
	return func() calls.Call {
		for {
			data := r.shape(rank)
			tuples := r.shape(q - 1)
			indices, updates := append(tuples[:q-1:q-1], k), append(tuples[:q-1:q-1], data[k:]...)
			if product(indices) > maxElements || product(updates) > maxElements {
				continue
			}
			v := r.flavour()
			return calls.Call{Op: calls.ScatterNDUpdate, Attrs: attrs, Data: r.tensorOf(typ, data, v), Updates: r.tensorOf(typ, updates, v),
				Indices: r.indices(index, indices, func(i int) int { return data[i%k] })}
		}
	}
}

var reductionsBag = []kernels.Reduction{kernels.Sum, kernels.Sum, kernels.Mean, kernels.Max}

func (r *random) bag() func() calls.Call {
	rank, typ, index := pick(r, 1, 2, 2, 2, 3, 4), pick(r, calls.Types...), pick(r, kernels.DTypeInt32, kernels.DTypeInt64)
	if r.oneIn(2) {
		typ = kernels.DTypeFloat32 // the libraries have few others
	}
	attrs := kernels.BagAttrs{Reduction: pick(r, reductionsBag...), HasDefault: r.oneIn(2)}
	for !reduces(typ, attrs.Reduction) {
		typ, attrs.Reduction = pick(r, calls.Types...), pick(r, reductionsBag...)
	}
	weighted := attrs.Reduction == kernels.Sum && r.oneIn(2)
	if attrs.HasDefault {
		attrs.DefaultIndex = r.IntN(3) - 1
	}
	fromStart := r.oneIn(2)
	return func() calls.Call {
		for {
			table, n, bags := r.shape(rank), r.size()*pick(r, 1, 1, 8), r.size()
			offsets := make([]int, bags)
			for i := range offsets {
				offsets[i] = r.IntN(n + 1)
			}
			slices.Sort(offsets)
			if fromStart && bags > 0 {
				offsets[0] = 0
			}
			out, err := kernels.EmbeddingBagShape(table, []int{n}, []int{bags})
			if err != nil || product(out) > maxElements || attrs.HasDefault && attrs.DefaultIndex >= table[0] {
				continue
			}
			v := r.flavour()
			c := calls.Call{Op: calls.EmbeddingBag, Bag: attrs, Data: r.tensorOf(typ, table, v), Offsets: calls.Tensor{Type: index, Shape: []int{bags}},
				Indices: r.indices(index, []int{n}, func(int) int { return table[0] })}
			for _, o := range offsets {
				c.Offsets.Data = appendIndex(c.Offsets.Data, index, int64(o))
			}
			if weighted {
				c.Updates = r.tensorOf(typ, []int{n}, v)
			}
			return c
		}
	}
}

func (r *random) compress() func() calls.Call {
	rank, typ := r.rank(), pick(r, calls.Types...)
	axis := r.axis(rank)
	if r.oneIn(3) {
		axis = kernels.Flattened
	}
	return func() calls.Call {
		c := calls.Call{Op: calls.Compress, Axis: axis, Data: r.tensor(typ, r.shape(rank))}
		n := c.Data.Count()
		if axis != kernels.Flattened {
			n = c.Data.Shape[fromFront(axis, rank)]
		}
		if r.oneIn(3) {
			n = r.IntN(n + 1)
		}
		c.Condition = calls.Tensor{Type: kernels.DTypeBool, Shape: []int{n}}
		often := pick(r, 1, 2, 10)
		for range n {
			var b byte
			if r.oneIn(often) {
				b = 1
			}
			c.Condition.Data = append(c.Condition.Data, b)
		}
		return c
	}
}

// long returns the shape of indices that go to a cell or two some hundred times.
func (r *random) long(data []int, axis int) []int {
	shape := make([]int, len(data))
	for d, n := range data {
		shape[d] = min(n, 1)
	}
	shape[axis] = 300 + r.IntN(700)
	return shape
}

// reduces reports whether the type has the reduction.
func reduces(t kernels.DType, reduction kernels.Reduction) bool {
	switch t {
	case kernels.DTypeString:
		return reduction == kernels.None
	case kernels.DTypeBool:
		return reduction != kernels.Mean
	case kernels.DTypeComplex64, kernels.DTypeComplex128:
		return reduction != kernels.Min && reduction != kernels.Max
	}
	return true
}
