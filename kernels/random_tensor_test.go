package kernels_test

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// budget bounds the elements of a random tensor. A fifth of the large calls
// are large enough to be cut into several tasks by the ordinary thresholds.
func (c *randomCall) budget() int {
	switch {
	case c.ranked:
		return 9_000
	case c.several:
		return 3_000
	case c.huge:
		return 150_000
	case c.large:
		return 24_000
	default:
		return 250
	}
}

// rank returns a rank. A few are so high that nests have more loops, and tuples more components,
// than arrays hold.
func (c *randomCall) rank() int {
	if c.IntN(1000) < 4 {
		c.ranked = true
		return 12 + c.IntN(6)
	}
	if c.chance(6) {
		return 6 + c.IntN(5)
	}
	return 1 + c.IntN(5)
}

func (c *randomCall) dim() int {
	switch p := c.IntN(100); {
	case p < 3:
		return 0
	case p < 20:
		return 1
	case c.ranked:
		return 2
	case p < 23: // long enough to be a run of any strides
		return 8 + c.IntN(12)
	default:
		return 2 + c.IntN(6)
	}
}

// longDim is about the size of a block, or some of them.
func (c *randomCall) longDim() int {
	if c.huge && c.chance(70) {
		return pick(c, 40_000, 65_537, 131_072, 140_001)
	}
	return pick(c, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8193, 20_000)
}

func (c *randomCall) shape(rank int) []int {
	s := make([]int, rank)
	for d := range s {
		s[d] = c.dim()
	}
	if rank == 0 {
		return s
	}
	long := c.IntN(rank)
	if c.large {
		s[long] = c.longDim()
	}
	if c.several && c.chance(60) {
		s[long] = c.blockDim()
	}
	c.fit(s, long)
	return s
}

// blockDim returns a dim of some elements, or of one or several blocks, and one more or less.
func (c *randomCall) blockDim() int {
	if c.chance(50) {
		return 8 + c.IntN(100)
	}
	return pick(c, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 1100, 2049)
}

// fit makes dims smaller, the one to keep last, until the budget is met, by
// those beside an empty one too: they may come together in another tensor.
func (c *randomCall) fit(s []int, keep int) {
	for {
		others := int64(1)
		for d, size := range s {
			if d != keep {
				others *= int64(max(size, 1))
			}
		}
		if others*int64(max(s[keep], 1)) <= int64(c.budget()) {
			return
		}
		switch d := c.IntN(len(s)); {
		case others == 1:
			s[keep] = c.budget()
		case d != keep && s[d] > 1:
			s[d] = (s[d] + 1) / 2
		}
	}
}

func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// axis returns an axis as a caller may spell it, and counted from 0.
func (c *randomCall) axis(rank int) (axis, along int) {
	along = c.IntN(rank)
	return along - c.IntN(2)*rank, along
}

// partOf returns a shape for indices into data of that shape: any size along
// the axis, no larger elsewhere.
func (c *randomCall) partOf(data []int, along int) []int {
	s := slices.Clone(data)
	for d, size := range s {
		if d != along && c.chance(40) {
			s[d] = c.IntN(size + 1)
			if s[d] == 0 && c.chance(80) {
				s[d] = min(size, 1)
			}
		}
	}
	switch {
	case c.large && c.chance(60):
		s[along] = c.longDim()
	case c.several && c.chance(50):
		s[along] = c.blockDim()
	case c.chance(60):
		s[along] = c.dim()
	}
	c.fit(s, along)
	return s
}

// tuples returns the dims of GatherND's indices between the batch dims and
// the tuples themselves, or of Gather's behind the batch dims; each tuple takes as many elements.
func (c *randomCall) tuples(batches, each int) []int {
	s := make([]int, c.IntN(4))
	for d := range s {
		s[d] = c.dim()
	}
	long := 0
	if c.large && len(s) > 0 {
		long = c.IntN(len(s))
		s[long] = c.longDim()
	}
	if c.several && len(s) > 0 && c.chance(60) {
		long = c.IntN(len(s))
		s[long] = c.blockDim()
	}
	for len(s) > 0 && int64(elements(s))*int64(max(batches, 1))*int64(max(each, 1)) > int64(c.budget()) {
		if d := c.IntN(len(s)); d == long || s[d] > 1 {
			s[d] = max(s[d]*2/3, 1)
		}
		if elements(s) == 1 {
			break
		}
	}
	return s
}

// view returns a layout of that shape and how long a slice it needs. No two
// coordinates of a dst share an element; those of an input may.
func (c *randomCall) view(shape []int, dst bool) (v generic.View, length int) {
	v.Shape = shape
	empty := elements(shape) == 0
	if c.chance(35) {
		v.Strides = pick(c, nil, []int{})
		if empty {
			v.Offset, length = c.IntN(9)-3, c.IntN(4) // reaches nothing, so it may point anywhere
		} else {
			v.Offset = c.IntN(2) * c.IntN(6)
			length = v.Offset + elements(shape) + c.IntN(3)
		}
		return v, length
	}

	// The innermost first: rows in some order of axes, with gaps.
	v.Strides = make([]int, len(shape))
	order := c.Perm(len(shape))
	if c.chance(50) {
		slices.Sort(order)
		slices.Reverse(order)
	}
	step := pick(c, 1, 1, 1, 2, 3)
	for _, d := range order {
		v.Strides[d] = step
		step *= max(shape[d], 1)
		if c.chance(25) {
			step += c.IntN(3)
		}
		switch {
		case c.chance(15):
			v.Strides[d] *= -1 // reversed
		case !dst && c.chance(12):
			v.Strides[d] = 0 // broadcast
		}
	}
	if c.chance(10) && elements(shape) <= 250 { // windows that overlap; in a dst, strides that interleave
		unusual := generic.View{Shape: shape, Strides: make([]int, len(shape))}
		for d := range shape {
			unusual.Strides[d] = c.IntN(19) - 9
		}
		if !dst || injective(unusual) {
			v.Strides = unusual.Strides
		}
	}
	if len(shape) > 1 && elements(shape) <= 3_000 && c.chance(15) { // two axes interleave: 3 elements 4 apart, 4 that are 3 apart
		inner, next := order[0], order[1]
		step := v.Strides[inner]
		v.Strides[inner] *= shape[next]
		if dst && !injective(v) {
			v.Strides[inner] = step
		}
	}
	for d, size := range shape {
		if size <= 1 && c.chance(30) { // no coordinate uses it
			v.Strides[d] = pick(c, 0, -1, math.MaxInt, math.MinInt)
		}
	}
	if empty {
		v.Offset, length = c.IntN(9)-3, c.IntN(4)
		return v, length
	}
	first, last := 0, 0
	for d, size := range shape {
		end := (size - 1) * v.Strides[d]
		first, last = first+min(end, 0), last+max(end, 0)
	}
	v.Offset = -first + c.IntN(2)*c.IntN(6)
	return v, v.Offset + last + 1 + c.IntN(3)
}

func injective(v generic.View) bool {
	seen := make(map[int]bool)
	for p := range generic.Coordinates(v.Shape) {
		a := v.Address(p)
		if seen[a] {
			return false
		}
		seen[a] = true
	}
	return true
}

// A placement is a tensor in the middle of an array, whose other elements are
// canaries: those before and after Data, and those that the view leaves out.
type placement[T any] struct {
	kernels.Tensor[T]
	array []T
	at    int // of Data in array
}

func placementOf[T any](array []T, at, length int, v generic.View) placement[T] {
	p := placement[T]{Tensor: kernels.Tensor[T]{Shape: v.Shape, Strides: v.Strides, Offset: v.Offset}, array: array, at: at}
	p.Data = array[at : at+length : at+length]
	return p
}

// place lays out a tensor of random values.
func (e *elementRow[T]) place(c *randomCall, name string, shape []int, dst bool) placement[T] {
	v, length := c.view(shape, dst)
	at, wild := c.IntN(5), c.chance(35)
	array := make([]T, at+length+c.IntN(5))
	for i := range array {
		array[i] = e.value(c, wild)
	}
	c.tell("%s: shape %v strides %v offset %d of %d", name, shape, v.Strides, v.Offset, length)
	return placementOf(array, at, length, v)
}

// in returns the tensor at the same place of a copy of its array.
func (p placement[T]) in(array []T) kernels.Tensor[T] {
	return placementOf(array, p.at, len(p.Data), p.View()).Tensor
}

func (p placement[T]) View() generic.View {
	return generic.View{Shape: p.Shape, Strides: p.Strides, Offset: p.Offset}
}

// reached marks the elements of the array that the view reaches.
func (p placement[T]) reached() []bool {
	marks := make([]bool, len(p.array))
	for c := range generic.Coordinates(p.Shape) {
		marks[p.at+p.View().Address(c)] = true
	}
	return marks
}

// respelled returns the same elements in other words: its slice begins
// later, and its strides are given.
func (p placement[T]) respelled(c *randomCall) placement[T] {
	if elements(p.Shape) == 0 {
		return p
	}
	cut := c.IntN(1 + slices.Index(p.reached()[p.at:], true))
	v := generic.View{Shape: p.Shape, Strides: make([]int, len(p.Shape)), Offset: p.Offset - cut}
	for d, size := range p.Shape {
		next := make([]int, len(p.Shape))
		if next[d] = 1; size > 1 {
			v.Strides[d] = p.View().Address(next) - p.Offset
		} else {
			v.Strides[d] = c.IntN(9) - 4
		}
	}
	return placementOf(p.array, p.at+cut, len(p.Data)-cut, v)
}

// indexLimits are the range of an index type.
type indexLimits struct {
	least    int64
	greatest uint64
}

// randomIndices are indices in the storage of a view, as 64 bits that any index type
// cuts down to its own.
type randomIndices struct {
	view    generic.View
	storage []uint64

	policy *kernels.IndexPolicy // nil: the option is not given
}

// options are a call's options with the policy of its indices.
func (x *randomIndices) options(opts []kernels.Option) []kernels.Option {
	if x.policy == nil {
		return opts
	}
	return append(slices.Clip(opts), kernels.Indices(*x.policy))
}

// policies are the same as definitions have it.
func (x *randomIndices) policies() []generic.IndexPolicy {
	if x.policy == nil {
		return nil
	}
	return []generic.IndexPolicy{{NegativeIsOutOfRange: x.policy.NegativeIsOutOfRange, OutOfRange: generic.OutOfRange(x.policy.OutOfRange)}}
}

// setPolicy sets the policy of the indices, of a third of the calls.
func (x *randomIndices) setPolicy(c *randomCall) {
	if c.chance(33) {
		x.policy = &kernels.IndexPolicy{NegativeIsOutOfRange: c.chance(50), OutOfRange: pick(c, kernels.RangeError, kernels.Clamp, kernels.Clamp, kernels.Skip, kernels.Skip)}
		c.tell("%+v", *x.policy)
	}
}

// indices returns indices of that shape for axes whose size depends on the
// coordinate. Sometimes a few are bad; those that the view leaves out mostly are.
func (c *randomCall) indices(limits indexLimits, shape []int, size func(p []int) int) randomIndices {
	v, length := c.view(shape, false)
	x := randomIndices{view: v, storage: make([]uint64, length)}
	x.setPolicy(c)
	for i := range x.storage {
		x.storage[i] = c.Uint64()
	}
	positive := x.policy != nil && x.policy.NegativeIsOutOfRange && c.chance(70)
	total, n, pattern, fixed, inner := elements(shape), 0, c.IntN(10), c.Float64(), c.IntN(len(shape)+1)
	for p := range generic.Coordinates(shape) {
		d := size(p)
		least, most := max(-int64(d), limits.least), min(uint64(max(d, 1)-1), limits.greatest)
		if positive {
			least = 0
		}
		span := int64(most) - least + 1
		var k int64
		switch pattern {
		case 0, 1:
			k = least + c.Int64N(span)
		case 2:
			k = c.Int64N(int64(most) + 1)
		case 3: // all equal
			k = least + int64(fixed*float64(span))
		case 4: // sorted
			k = least + span*int64(n)/int64(total)
		case 5: // and the other way round
			k = least + span*int64(total-1-n)/int64(total)
		case 6: // from the end
			k = least + c.Int64N(max(-least, 1))
		case 7: // few
			k = least + (span-1)*c.Int64N(3)/2
		case 8: // constant along the inner axes
			k = least + int64(generic.View{Shape: shape}.Address(append(slices.Clone(p[:inner]), make([]int, len(p)-inner)...)))%span
		case 9: // one after the other
			k = int64(n) % (int64(most) + 1)
		}
		x.storage[v.Address(p)] = uint64(k)
		n++
	}
	few, percent := 1+c.IntN(3), 12
	if x.policy != nil && x.policy.OutOfRange != kernels.RangeError {
		if percent = 70; c.chance(50) {
			few += total / pick(c, 1, 2, 100)
		}
	}
	if total > 0 && c.chance(percent) {
		for n := range few {
			p := make([]int, len(shape))
			for i := range p {
				p[i] = c.IntN(shape[i])
			}
			if k, ok := c.badIndex(limits, size(p)); ok {
				if x.storage[v.Address(p)] = k; n < 4 {
					c.tell("bad index %d at %v", int64(k), p)
				}
			}
		}
	}
	c.tell("indices: shape %v strides %v offset %d of %d, pattern %d", shape, v.Strides, v.Offset, length, pattern)
	if total <= 32 {
		c.tell("indices in row-major order: %v", x.values())
	}
	return x
}

// badIndex returns a value outside [-d, d-1], if the type has such: just
// outside, far outside, or one that a narrower integer would take for a valid one.
func (c *randomCall) badIndex(limits indexLimits, d int) (uint64, bool) {
	size := int64(d)
	valid := c.Int64N(2*size+1) - size
	k := uint64(pick(c, size, -size-1, size+c.Int64N(100), -size-1-c.Int64N(100), limits.least, math.MinInt64, math.MaxInt64))
	switch c.IntN(4) {
	case 0:
		k = limits.greatest
	case 1:
		k = uint64(valid) + 1<<pick(c, 8, 16, 24, 31, 32, 33, 48, 62, 63)
	}
	if limits.least == 0 {
		return k, k <= limits.greatest && k >= uint64(size)
	}
	signed := int64(k)
	fits := signed >= limits.least && signed <= int64(limits.greatest)
	return k, fits && (signed < -size || signed >= size)
}

func (x randomIndices) values() []int64 {
	var values []int64
	for p := range generic.Coordinates(x.view.Shape) {
		values = append(values, int64(x.storage[x.view.Address(p)]))
	}
	return values
}

// tensorOf returns the indices as a tensor of the index type I.
func tensorOf[I kernels.Index](x randomIndices) kernels.Tensor[I] {
	data := make([]I, len(x.storage))
	for i, k := range x.storage {
		data[i] = I(k)
	}
	return kernels.Tensor[I]{Data: data, Shape: x.view.Shape, Strides: x.view.Strides, Offset: x.view.Offset}
}

// An indexedRow is the operators for elements of type T and one index type,
// and their definitions.
type indexedRow[T any] struct {
	name   string
	limits indexLimits

	gatherElements func(dst, data kernels.Tensor[T], x randomIndices, axis int, opts []kernels.Option) error
	gatherND       func(dst, data kernels.Tensor[T], x randomIndices, batchDims int, opts []kernels.Option) error
	scatterND      func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], attrs kernels.ScatterAttrs, opts []kernels.Option) error
	gather         func(dst, data kernels.Tensor[T], x randomIndices, axis, batchDims int, opts []kernels.Option) error
	scatter        func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], axis int, attrs kernels.ScatterAttrs, opts []kernels.Option) error

	tensorScatter func(dst, data, updates kernels.Tensor[T], x *randomIndices, axis int, mode kernels.CacheMode, opts []kernels.Option) error

	embeddingBag func(dst, table kernels.Tensor[T], x, offsets randomIndices, weights kernels.Tensor[T], attrs kernels.BagAttrs, opts []kernels.Option) error

	generalGather  func(dst, operand kernels.Tensor[T], x randomIndices, dims kernels.GatherDims, opts []kernels.Option) error
	generalScatter func(dst, input kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], dims kernels.ScatterDims, attrs kernels.ScatterAttrs, opts []kernels.Option) error

	gatherPlan  func(data []int, x randomIndices, axis int) (*kernels.GatherPlan[T], error)
	scatterPlan func(data []int, x randomIndices, axis int) (*kernels.ScatterPlan[T], error)

	definitions[T]
}

// An indexKind is one index type.
type indexKind struct {
	name     string
	limits   indexLimits
	raw      func(x randomIndices) kernels.Raw
	signed   func(x randomIndices) []int64 // of a type with a sign
	unsigned func(x randomIndices) []uint64
}

func indexKindOf[I kernels.Index]() indexKind {
	var zero I
	k := indexKind{name: fmt.Sprintf("%T", zero), limits: indexLimits{greatest: uint64(^zero)}, raw: func(x randomIndices) kernels.Raw { return rawOf(tensorOf[I](x)) }}
	if ^zero < 0 {
		k.limits.least = -1 << (8*unsafe.Sizeof(zero) - 1)
		k.limits.greatest = uint64(-(k.limits.least + 1))
		k.signed = widened[I, int64]
	} else {
		k.unsigned = widened[I, uint64]
	}
	return k
}

// rowBy returns what has no type of indices: their names, and the definitions.
func rowBy[T any](k indexKind) indexedRow[T] {
	if k.signed != nil {
		return indexedRow[T]{name: k.name, limits: k.limits, definitions: definedBy[T](k.signed)}
	}
	return indexedRow[T]{name: k.name, limits: k.limits, definitions: definedBy[T](k.unsigned)}
}

func indexedBy[T any, I kernels.Index]() indexedRow[T] {
	// unchanged makes the call and looks at the indices again.
	unchanged := func(x randomIndices, run func(kernels.Tensor[I]) error) error {
		indices := tensorOf[I](x)
		err := run(indices)
		if !slices.Equal(indices.Data, tensorOf[I](x).Data) {
			return fmt.Errorf("indices have changed; error %v", err)
		}
		return err
	}
	row := rowBy[T](indexKindOf[I]())
	row.gatherElements = func(dst, data kernels.Tensor[T], x randomIndices, axis int, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return kernels.GatherElements(dst, data, indices, axis, x.options(opts)...)
		})
	}
	row.gatherND = func(dst, data kernels.Tensor[T], x randomIndices, batchDims int, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return kernels.GatherND(dst, data, indices, batchDims, x.options(opts)...)
		})
	}
	row.gather = func(dst, data kernels.Tensor[T], x randomIndices, axis, batchDims int, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return kernels.Gather(dst, data, indices, axis, batchDims, x.options(opts)...)
		})
	}
	row.scatterND = func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], attrs kernels.ScatterAttrs, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return kernels.ScatterNDUpdate(dst, data, indices, updates, attrs, x.options(opts)...)
		})
	}
	row.scatter = func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], axis int, attrs kernels.ScatterAttrs, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return kernels.ScatterElementsUpdate(dst, data, indices, updates, axis, attrs, x.options(opts)...)
		})
	}
	row.tensorScatter = func(dst, data, updates kernels.Tensor[T], x *randomIndices, axis int, mode kernels.CacheMode, opts []kernels.Option) error {
		if x == nil {
			return kernels.TensorScatter(dst, data, updates, kernels.Tensor[I]{}, axis, mode, opts...)
		}
		return unchanged(*x, func(indices kernels.Tensor[I]) error {
			return kernels.TensorScatter(dst, data, updates, indices, axis, mode, x.options(opts)...)
		})
	}
	row.generalGather = func(dst, operand kernels.Tensor[T], x randomIndices, dims kernels.GatherDims, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return kernels.GeneralGather(dst, operand, indices, dims, x.options(opts)...)
		})
	}
	row.generalScatter = func(dst, input kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], dims kernels.ScatterDims, attrs kernels.ScatterAttrs, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return kernels.GeneralScatter(dst, input, indices, updates, dims, attrs, x.options(opts)...)
		})
	}
	row.embeddingBag = func(dst, table kernels.Tensor[T], x, offsets randomIndices, weights kernels.Tensor[T], attrs kernels.BagAttrs, opts []kernels.Option) error {
		return unchanged(x, func(indices kernels.Tensor[I]) error {
			return unchanged(offsets, func(offsets kernels.Tensor[I]) error {
				return kernels.EmbeddingBag(dst, table, indices, offsets, weights, attrs, x.options(opts)...)
			})
		})
	}
	row.gatherPlan, row.scatterPlan = plansBy[T, I]()
	return row
}

// widened returns the indices' storage as one of two types, for each of which
// there are definitions.
func widened[I kernels.Index, W int64 | uint64](x randomIndices) []W {
	data := make([]W, len(x.storage))
	for i, k := range x.storage {
		data[i] = W(I(k))
	}
	return data
}

// definitions are those of the operators on elements of type T.
type definitions[T any] struct {
	defineGatherElements func(dst, data kernels.Tensor[T], x randomIndices, axis int) error
	defineGatherND       func(dst, data kernels.Tensor[T], x randomIndices, batchDims int) error
	defineGather         func(dst, data kernels.Tensor[T], x randomIndices, axis, batchDims int) error
	defineScatter        func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], axis int, op generic.Op, ignoreInit bool) error
	defineScatterND      func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], op generic.Op, ignoreInit bool) error
	defineMarksND        func(marks []bool, v generic.View, x randomIndices, updates []bool, uv generic.View) error
	defineEmbeddingBag   func(dst, table kernels.Tensor[T], x, offsets randomIndices, weights kernels.Tensor[T], attrs kernels.BagAttrs) error
	defineTensorScatter  func(dst, data, updates kernels.Tensor[T], x *randomIndices, axis int, mode kernels.CacheMode) error
	defineGeneralGather  func(dst, operand kernels.Tensor[T], x randomIndices, dims kernels.GatherDims) error
	defineGeneralScatter func(dst, input kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], dims kernels.ScatterDims, op generic.Op, ignoreInit bool) error
	defineGeneralMarks   func(marks []bool, v generic.View, x randomIndices, updates []bool, uv generic.View, dims kernels.ScatterDims) error
	defineMarks          func(marks []bool, v generic.View, x randomIndices, updates []bool, uv generic.View, axis int) error
}

func definedBy[T any, W int64 | uint64](values func(x randomIndices) []W) definitions[T] {
	viewOf := func(x kernels.Tensor[T]) generic.View {
		return generic.View{Shape: x.Shape, Strides: x.Strides, Offset: x.Offset}
	}
	return definitions[T]{
		defineGatherElements: func(dst, data kernels.Tensor[T], x randomIndices, axis int) error {
			return generic.GatherElements(dst.Data, viewOf(dst), data.Data, viewOf(data), values(x), x.view, axis, x.policies()...)
		},
		defineGatherND: func(dst, data kernels.Tensor[T], x randomIndices, batchDims int) error {
			return generic.GatherND(dst.Data, viewOf(dst), data.Data, viewOf(data), values(x), x.view, batchDims, x.policies()...)
		},
		defineGather: func(dst, data kernels.Tensor[T], x randomIndices, axis, batchDims int) error {
			return generic.GatherSlices(dst.Data, viewOf(dst), data.Data, viewOf(data), values(x), x.view, axis, batchDims, x.policies()...)
		},
		defineScatter: func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], axis int, op generic.Op, ignoreInit bool) error {
			return generic.ScatterElementsUpdate(dst.Data, viewOf(dst), data.Data, viewOf(data), values(x), x.view,
				updates.Data, viewOf(updates), axis, op, ignoreInit, x.policies()...)
		},
		defineScatterND: func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], op generic.Op, ignoreInit bool) error {
			return generic.ScatterNDUpdate(dst.Data, viewOf(dst), data.Data, viewOf(data), values(x), x.view, updates.Data, viewOf(updates), op, ignoreInit, x.policies()...)
		},
		defineMarksND: func(marks []bool, v generic.View, x randomIndices, updates []bool, uv generic.View) error {
			return generic.ScatterNDUpdate(marks, v, marks, v, values(x), x.view, updates, uv, generic.Replace, false, x.policies()...)
		},
		defineEmbeddingBag: func(dst, table kernels.Tensor[T], x, offsets randomIndices, weights kernels.Tensor[T], attrs kernels.BagAttrs) error {
			row := -1
			if attrs.HasDefault {
				row = attrs.DefaultIndex
			}
			return generic.EmbeddingBag(dst.Data, viewOf(dst), table.Data, viewOf(table), values(x), x.view, values(offsets), offsets.view,
				weights.Data, viewOf(weights), generic.Op(attrs.Reduction), row, x.policies()...)
		},
		defineTensorScatter: func(dst, data, updates kernels.Tensor[T], x *randomIndices, axis int, mode kernels.CacheMode) error {
			var indices []W
			if x == nil {
				x = &randomIndices{}
			} else if indices = values(*x); indices == nil {
				indices = []W{}
			}
			return generic.TensorScatter(dst.Data, viewOf(dst), data.Data, viewOf(data), updates.Data, viewOf(updates), indices, x.view, axis, mode == kernels.Circular, x.policies()...)
		},
		defineGeneralGather: func(dst, operand kernels.Tensor[T], x randomIndices, dims kernels.GatherDims) error {
			return generic.GeneralGather(dst.Data, viewOf(dst), operand.Data, viewOf(operand), values(x), x.view, generic.GatherDims(dims), x.policies()...)
		},
		defineGeneralScatter: func(dst, input kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], dims kernels.ScatterDims, op generic.Op, ignoreInit bool) error {
			return generic.GeneralScatter(dst.Data, viewOf(dst), input.Data, viewOf(input), values(x), x.view, updates.Data, viewOf(updates),
				generic.ScatterDims(dims), op, ignoreInit, x.policies()...)
		},
		defineGeneralMarks: func(marks []bool, v generic.View, x randomIndices, updates []bool, uv generic.View, dims kernels.ScatterDims) error {
			return generic.GeneralScatter(marks, v, marks, v, values(x), x.view, updates, uv, generic.ScatterDims(dims), generic.Replace, false, x.policies()...)
		},
		defineMarks: func(marks []bool, v generic.View, x randomIndices, updates []bool, uv generic.View, axis int) error {
			return generic.ScatterElementsUpdate(marks, v, marks, v, values(x), x.view, updates, uv, axis, generic.Replace, false, x.policies()...)
		},
	}
}
