package kernels_test

import (
	"bytes"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// The fuzz targets read a call out of bytes: its shapes, strides, offsets,
// attributes and indices may be anything. No call may panic, write outside dst or
// change an input; one that succeeds gives what its definition gives, and the
// others fail with a documented error and leave dst as it was, save that a gather may have begun.

func FuzzGatherElements(f *testing.F)        { fuzz(f, hostileOperators.hostileGatherElements) }
func FuzzGatherND(f *testing.F)              { fuzz(f, hostileOperators.hostileGatherND) }
func FuzzGather(f *testing.F)                { fuzz(f, hostileOperators.hostileGather) }
func FuzzScatterElementsUpdate(f *testing.F) { fuzz(f, hostileOperators.hostileScatter) }
func FuzzScatterNDUpdate(f *testing.F)       { fuzz(f, hostileOperators.hostileScatterND) }
func FuzzStridedSlice(f *testing.F)          { fuzz(f, hostileOperators.hostileStridedSlice) }

// hostileOperators are the calls on one element type.
type hostileOperators interface {
	hostileGatherElements(*testing.T, *hostileInput)
	hostileGatherND(*testing.T, *hostileInput)
	hostileGather(*testing.T, *hostileInput)
	hostileScatter(*testing.T, *hostileInput)
	hostileScatterND(*testing.T, *hostileInput)
	hostileStridedSlice(*testing.T, *hostileInput)
	hostileCompress(*testing.T, *hostileInput)
	hostileTake(*testing.T, *hostileInput)
	hostileSlice(*testing.T, *hostileInput)
	hostileEmbeddingBag(*testing.T, *hostileInput)
	hostileSliceScatter(*testing.T, *hostileInput)
	hostileTensorScatter(*testing.T, *hostileInput)
	hostileGeneralGather(*testing.T, *hostileInput)
	hostileGeneralScatter(*testing.T, *hostileInput)
}

func fuzz(f *testing.F, run func(hostileOperators, *testing.T, *hostileInput)) {
	f.Add([]byte{})
	for seed := range byte(len(elementRows)) { // ordinary calls on each element type, mostly
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		input := []byte{seed, seed, seed}
		for range 60 {
			input = append(input, byte(r.IntN(200)))
		}
		f.Add(input)
		f.Add(append([]byte{seed + inParts}, input[1:]...))
	}
	f.Add(bytes.Repeat([]byte{0xFF}, 80)) // nothing but extremes
	f.Add(bytes.Repeat([]byte{7, 0xF0, 0x80, 1}, 30))
	f.Fuzz(func(t *testing.T, input []byte) {
		in := newHostileInput(t, input)
		elem := elementRows[int(in.next())%len(elementRows)]
		in.index = int(in.next())
		run(elem.(hostileOperators), t, in)
	})
}

// mostElements bounds the work of an input.
const mostElements = 1 << 14

// A hostileInput turns bytes into the parts of a call. The values of elements,
// which decide nothing, come from a generator that one byte seeds.
type hostileInput struct {
	*randomCall
	rest []byte
}

// inParts is the least seed whose call is cut into parts, as only large ones are otherwise.
const inParts = 128

func newHostileInput(t *testing.T, input []byte) *hostileInput {
	in := &hostileInput{rest: input}
	seed := in.next()
	if seed >= inParts {
		kernels.CutSmall(t)
	}
	in.randomCall = &randomCall{Rand: rand.New(rand.NewPCG(uint64(seed), 0))}
	return in
}

func (in *hostileInput) next() byte {
	if len(in.rest) == 0 {
		return 0
	}
	b := in.rest[0]
	in.rest = in.rest[1:]
	return b
}

// rare is true for few bytes.
func (in *hostileInput) rare() bool { return in.next() >= 230 }

var extremes = [...]int64{
	math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1,
	1 << 32, 1<<32 + 1, -1 << 32, 1 << 62, -1 << 62, 46341, 1 << 16, -100, 0x1337,
}

func (in *hostileInput) int64() int64 {
	if b := in.next(); b < 224 {
		return int64(b%16) - 6
	} else if b < 240 {
		return int64(int8(in.next()))
	} else {
		return extremes[b-240]
	}
}

func (in *hostileInput) int() int { return int(in.int64()) }

// list returns n numbers, rarely another number of them.
func (in *hostileInput) list(n int, next func() int64) []int64 {
	if in.rare() {
		n = int(in.next() % 8)
	}
	l := make([]int64, n)
	for i := range l {
		l[i] = next()
	}
	return l
}

// dims returns a shape: small sizes, or anything.
func (in *hostileInput) dims() []int {
	s := make([]int, in.next()%6)
	for d := range s {
		s[d] = int(in.next() % 5)
		if in.rare() {
			s[d] = in.int()
		}
	}
	return s
}

// or returns shape, or now and then another one.
func (in *hostileInput) or(shape []int) []int {
	switch {
	case in.rare():
		return in.dims()
	case in.rare() && len(shape) > 0:
		shape = slices.Clone(shape)
		shape[int(in.next())%len(shape)] = in.int()
	}
	return shape
}

// axisOf returns an axis, rarely one that there is not, and a shape for
// indices along it.
func (in *hostileInput) axisOf(data []int) (axis int, indices []int) {
	r := len(data)
	if r == 0 || in.rare() {
		return in.int(), in.or(data)
	}
	axis = int(in.next())%(2*r) - r
	indices = slices.Clone(data)
	indices[(axis+r)%r] = int(in.next() % 9)
	return axis, indices
}

// layout returns a view of that shape, and a length that may not be enough for it.
func (in *hostileInput) layout(shape []int, dst bool) (generic.View, int) {
	if n, ok := volume(shape); ok && n <= 512 && !in.rare() {
		v, length := in.view(shape, dst)
		if in.rare() {
			length = max(length+in.int()%8, 0)
		}
		return v, min(length, mostElements)
	}
	v := generic.View{Shape: shape}
	if in.next()%2 == 0 {
		v.Strides = make([]int, len(shape))
		if in.rare() {
			v.Strides = make([]int, in.next()%8)
		}
		for d := range v.Strides {
			v.Strides[d] = in.int()
		}
	}
	if in.rare() {
		v.Offset = in.int()
	} else {
		v.Offset = int(in.next() % 32)
	}
	return v, 2 * int(in.next())
}

// volume returns the number of elements; ok is false if a dim is negative or
// the number does not fit an int.
func volume(shape []int) (n int, ok bool) {
	n = 1
	for _, d := range shape {
		if d < 0 {
			return 0, false
		}
		high, low := bits.Mul64(uint64(n), uint64(d))
		if high != 0 || low > math.MaxInt {
			return 0, slices.Contains(shape, 0)
		}
		n = int(low)
	}
	return n, true
}

// tooMuch is true of a shape that an operator may accept, since its strides
// may be 0, but that takes too long.
func tooMuch(shape []int) bool {
	n, ok := volume(shape)
	return ok && n > mostElements
}

func (e *elementRow[T]) hostilePlacement(in *hostileInput, shape []int, dst bool) placement[T] {
	v, length := in.layout(shape, dst)
	array := make([]T, 3+length+3)
	for i := range array {
		array[i] = e.value(in.randomCall, false)
	}
	return placementOf(array, 3, length, v)
}

// hostileIndices are indices of that shape; its storage may be too short.
func (in *hostileInput) hostileIndices(shape []int) randomIndices {
	v, length := in.layout(shape, false)
	x := randomIndices{view: v, storage: make([]uint64, length)}
	wild := in.rare()
	if in.next()%3 == 0 {
		x.policy = in.policy()
		wild = wild || in.next()%2 == 0
	}
	for i := range x.storage {
		if x.storage[i] = uint64(in.next() % 2); wild {
			x.storage[i] = uint64(in.int64())
		}
	}
	return x
}

// policy reads a policy for indices, rarely one that there is not.
func (in *hostileInput) policy() *kernels.IndexPolicy {
	p := &kernels.IndexPolicy{NegativeIsOutOfRange: in.next()%2 == 0, OutOfRange: kernels.OutOfRange(in.next() % 3)}
	if in.rare() {
		p.OutOfRange = kernels.OutOfRange(in.next())
	}
	return p
}

// placeInto gives dst, mostly, memory of its own, else that of one of the inputs.
func (e *elementRow[T]) placeInto(in *hostileInput, shape []int, inputs ...placement[T]) placement[T] {
	dst := e.hostilePlacement(in, shape, true)
	if b := in.next(); b >= 160 {
		shared := inputs[int(b)%len(inputs)]
		if b >= 200 {
			return placementOf(shared.array, shared.at, len(shared.Data), shared.View()) // in place, if that is allowed
		}
		if len(dst.Data) <= len(shared.array) {
			return placementOf(shared.array, len(shared.array)-len(dst.Data), len(dst.Data), dst.View())
		}
	}
	return dst
}

func (e *elementRow[T]) hostileGatherElements(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	data := e.hostilePlacement(in, in.dims(), false)
	axis, part := in.axisOf(data.Shape)
	x := in.hostileIndices(in.or(part))
	if tooMuch(x.view.Shape) {
		return
	}
	dst := e.placeInto(in, in.or(x.view.Shape), data)
	shape, shapeErr := kernels.GatherElementsShape(data.Shape, x.view.Shape, axis)
	e.attempt(t, hostileTrial[T]{
		op: "GatherElements", dst: dst, inputs: []placement[T]{data}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.gatherElements(dst, inputs[0], x, axis, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineGatherElements(dst, inputs[0], x, axis)
		},
	})
}

func (e *elementRow[T]) hostileGatherND(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	data := e.hostilePlacement(in, in.dims(), false)
	r := len(data.Shape)
	b := int(in.next()) % max(r, 1)
	k := 1 + int(in.next())%max(r-b, 1)
	outer := slices.Concat(data.Shape[:min(b, r)], in.dims())
	if in.rare() {
		b, k = in.int(), in.int()
	}
	x := in.hostileIndices(in.or(append(outer, k)))
	if tooMuch(x.view.Shape) {
		return
	}
	shape, shapeErr := kernels.GatherNDShape(data.Shape, x.view.Shape, b)
	if tooMuch(shape) {
		return
	}
	dst := e.placeInto(in, in.or(shape), data)
	e.attempt(t, hostileTrial[T]{
		op: "GatherND", dst: dst, inputs: []placement[T]{data}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.gatherND(dst, inputs[0], x, b, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineGatherND(dst, inputs[0], x, b)
		},
	})
}

func (e *elementRow[T]) hostileGather(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	data := e.hostilePlacement(in, in.dims(), false)
	r := len(data.Shape)
	axis := int(in.next()) % max(r, 1)
	b := int(in.next()) % (axis + 1)
	indices := slices.Concat(data.Shape[:min(b, r)], in.dims())
	switch {
	case in.rare():
		axis, b = in.int(), in.int()
	case in.next()%4 == 0:
		axis, b = axis-r, b-len(indices)
	}
	x := in.hostileIndices(in.or(indices))
	if tooMuch(x.view.Shape) {
		return
	}
	shape, shapeErr := kernels.GatherShape(data.Shape, x.view.Shape, axis, b)
	if tooMuch(shape) {
		return
	}
	dst := e.placeInto(in, in.or(shape), data)
	e.attempt(t, hostileTrial[T]{
		op: "Gather", dst: dst, inputs: []placement[T]{data}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.gather(dst, inputs[0], x, axis, b, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineGather(dst, inputs[0], x, axis, b)
		},
	})
}

func (e *elementRow[T]) hostileScatter(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	data := e.hostilePlacement(in, in.dims(), in.next()%2 == 0)
	axis, part := in.axisOf(data.Shape)
	x := in.hostileIndices(in.or(part))
	if tooMuch(x.view.Shape) {
		return
	}
	updates := e.hostilePlacement(in, in.or(x.view.Shape), false)
	dst := e.placeInto(in, in.or(data.Shape), data, data, updates)
	attrs := kernels.ScatterAttrs{Reduction: kernels.Reduction(in.next() % 6), IgnoreInit: in.next()%2 == 0}
	if in.rare() {
		attrs.Reduction = kernels.Reduction(in.next())
	}
	shape, shapeErr := kernels.ScatterElementsUpdateShape(data.Shape, x.view.Shape, updates.Shape, axis)
	e.attempt(t, hostileTrial[T]{
		op: "ScatterElementsUpdate", dst: dst, inputs: []placement[T]{data, updates}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.scatter(dst, inputs[0], x, inputs[1], axis, attrs, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineScatter(dst, inputs[0], x, inputs[1], axis, generic.Op(attrs.Reduction), attrs.IgnoreInit)
		},
	})
}

func (e *elementRow[T]) hostileScatterND(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	data := e.hostilePlacement(in, in.dims(), in.next()%2 == 0)
	k := 1 + int(in.next())%max(len(data.Shape), 1)
	tuples := in.dims()
	x := in.hostileIndices(in.or(append(slices.Clone(tuples), k)))
	if tooMuch(x.view.Shape) || tooMuch(data.Shape) {
		return
	}
	shape := slices.Concat(tuples, data.Shape[min(k, len(data.Shape)):])
	if in.rare() {
		shape = slices.Repeat([]int{1}, int(in.next()%4))
	}
	if tooMuch(shape) {
		return
	}
	updates := e.hostilePlacement(in, in.or(shape), false)
	dst := e.placeInto(in, in.or(data.Shape), data, data, updates)
	attrs := kernels.ScatterAttrs{Reduction: ndReductions[int(in.next())%len(ndReductions)], IgnoreInit: in.next()%2 == 0}
	if in.rare() {
		attrs.Reduction = kernels.Reduction(in.next())
	}
	want, shapeErr := kernels.ScatterNDUpdateShape(data.Shape, x.view.Shape, updates.Shape)
	e.attempt(t, hostileTrial[T]{
		op: "ScatterNDUpdate", dst: dst, inputs: []placement[T]{data, updates}, shape: want, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.scatterND(dst, inputs[0], x, inputs[1], attrs, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineScatterND(dst, inputs[0], x, inputs[1], generic.Op(attrs.Reduction), attrs.IgnoreInit)
		},
	})
}

// spec reads a specification of a slice.
func (in *hostileInput) spec() kernels.SliceSpec {
	n := int(in.next() % 6)
	list := func() []int64 { return in.list(n, in.int64) }
	mask := func(percent byte) []bool {
		m := make([]bool, in.next()%8)
		for i := range m {
			m[i] = in.next()%100 < percent
		}
		return m
	}
	spec := kernels.SliceSpec{Begin: list(), End: list()}
	if in.next()%2 == 0 {
		spec.Strides = list()
	}
	spec.BeginMask, spec.EndMask, spec.NewAxisMask, spec.ShrinkAxisMask, spec.EllipsisMask = mask(30), mask(30), mask(20), mask(20), mask(12)
	return spec
}

func (e *elementRow[T]) hostileStridedSlice(t *testing.T, in *hostileInput) {
	data := e.hostilePlacement(in, in.dims(), false)
	spec := in.spec()
	shape, shapeErr := kernels.StridedSliceShape(data.Shape, spec)
	view, viewErr := e.sliceViewBy(data.Tensor, spec)
	if tooMuch(shape) {
		return
	}
	if viewErr == nil {
		require.NoError(t, shapeErr, "SliceView succeeded")
		require.True(t, slices.Equal(shape, view.Shape), "shape %v of SliceView, want %v", view.Shape, shape)
		require.NoError(t, checkView("StridedSlice", data.Tensor, view, nil, generic.Slice(spec), shape, nil, nil))
	} else {
		documented(t, "StridedSlice", viewErr)
	}
	dst := e.placeInto(in, in.or(shape), data)
	e.attempt(t, hostileTrial[T]{
		op: "StridedSlice", dst: dst, inputs: []placement[T]{data}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return e.stridedSliceBy(dst, inputs[0], spec, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			v := func(x kernels.Tensor[T]) generic.View {
				return generic.View{Shape: x.Shape, Strides: x.Strides, Offset: x.Offset}
			}
			return generic.StridedSlice(dst.Data, v(dst), inputs[0].Data, v(inputs[0]), generic.Slice(spec))
		},
	})
}

// checksFirst are the operators that find every failure before they write.
var checksFirst = map[string]bool{"StridedSlice": true, "SliceScatter": true, "TensorScatter": true}

// A hostileTrial is one call. It runs on the arrays themselves, which dst and an
// input may share; the definition runs on copies, where they never do.
type hostileTrial[T any] struct {
	op       string
	dst      placement[T]
	inputs   []placement[T]
	shape    []int
	shapeErr error
	run      func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error
	define   func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error
}

func (e *elementRow[T]) attempt(t *testing.T, h hostileTrial[T]) {
	was := slices.Clone(h.dst.array)
	var inputs, copies []kernels.Tensor[T]
	var inputsWere [][]T
	for _, p := range h.inputs {
		inputs = append(inputs, p.Tensor)
		inputsWere = append(inputsWere, slices.Clone(p.array))
		copies = append(copies, p.in(slices.Clone(p.array)))
	}
	err := h.run(h.dst.Tensor, inputs)

	for i, p := range h.inputs {
		if &p.array[0] != &h.dst.array[0] {
			require.True(t, bytes.Equal(asBytes(inputsWere[i]), asBytes(p.array)), "input %d has changed; error %v", i, err)
		}
	}
	want := was
	if err == nil {
		require.NoError(t, h.shapeErr, "the call succeeded, its shape function did not")
		require.True(t, slices.Equal(h.shape, h.dst.Shape), "dst of shape %v was accepted, want %v", h.dst.Shape, h.shape)
		want = slices.Clone(was)
		require.NoError(t, h.define(h.dst.in(want), copies), "the call succeeded, its definition did not")
	} else {
		documented(t, h.op, err)
		if errors.Is(err, kernels.ErrIndex) { // found by the right rule, now that the shapes are known to be valid
			defined := h.define(h.dst.in(slices.Clone(was)), copies)
			var noType *generic.BadType
			if !errors.As(defined, &noType) {
				require.NoError(t, sameError(h.op, err, defined, nil))
			}
			var offset *kernels.OffsetError
			if mayHaveBegun := !checksFirst[h.op] && !errors.As(err, &offset) && !samePlaces(h.dst, h.inputs[0]); mayHaveBegun {
				want = slices.Clone(was)
				for i, reached := range h.dst.reached() {
					if reached {
						want[i] = h.dst.array[i]
					}
				}
			}
		}
	}
	if bytes.Equal(asBytes(h.dst.array), asBytes(want)) { // the element that differs is looked for only if there is one
		return
	}
	for i, got := range h.dst.array {
		same := bytes.Equal(asBytes(h.dst.array[i:i+1]), asBytes(want[i:i+1])) ||
			err == nil && e.sameNumber != nil && e.sameNumber(got, want[i])
		require.True(t, same, "dst.Data[%d] is %v, want %v, was %v; error %v", i-h.dst.at, got, want[i], was[i], err)
	}
}

// samePlaces is true of a dst that is data in place: it has the same memory
// at the same coordinates. Beside data in one array it is like any other.
func samePlaces[T any](dst, data placement[T]) bool {
	if &dst.array[0] != &data.array[0] || !slices.Equal(dst.Shape, data.Shape) {
		return false
	}
	for c := range generic.Coordinates(dst.Shape) {
		if dst.at+dst.View().Address(c) != data.at+data.View().Address(c) {
			return false
		}
	}
	return true
}

// documented requires an error of one of the five kinds, with its type.
func documented(t *testing.T, op string, err error) {
	t.Helper()
	var (
		index     *kernels.IndexError
		offset    *kernels.OffsetError
		shape     *kernels.ShapeError
		attribute *kernels.AttributeError
		noType    *kernels.TypeError
		overlap   *kernels.OverlapError
		got       string
	)
	switch {
	case errors.Is(err, kernels.ErrIndex) && errors.As(err, &index):
		got = index.Op
	case errors.Is(err, kernels.ErrIndex) && errors.As(err, &offset):
		got = offset.Op
	case errors.Is(err, kernels.ErrShape) && errors.As(err, &shape):
		got = shape.Op
	case errors.Is(err, kernels.ErrAttribute) && errors.As(err, &attribute):
		got = attribute.Op
	case errors.Is(err, kernels.ErrType) && errors.As(err, &noType):
		got = noType.Op
	case errors.Is(err, kernels.ErrOverlap) && errors.As(err, &overlap):
		got = overlap.Op
	default:
		t.Fatalf("an error of no documented kind: %#v", err)
	}
	require.Equal(t, op, got, "the operator that the error names")
}
