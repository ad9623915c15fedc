package kernels_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// FuzzRaw reads calls on Raw out of bytes: any types, Data of any length and at
// any address, any shape, strides and offset. No call may panic, write anything
// but elements of dst or change an input; one that succeeds gives what its
// definition gives for the Go types, and the others fail with a documented error.
func FuzzRaw(f *testing.F) {
	f.Add([]byte{})
	for op := range byte(len(rawFuzzOps)) {
		for d := range byte(len(rawRows)) { // ordinary calls on each type, mostly
			r := rand.New(rand.NewPCG(uint64(d), uint64(op)))
			input := []byte{0, op, d}
			for range 60 {
				input = append(input, byte(r.IntN(200)))
			}
			f.Add(input)
			f.Add(append([]byte{inParts}, input[1:]...))
		}
	}
	f.Add(bytes.Repeat([]byte{0xFF}, 80))
	f.Fuzz(func(t *testing.T, input []byte) {
		in := newHostileInput(t, input)
		op := rawFuzzOps[int(in.next())%len(rawFuzzOps)]
		c := &rawFuzzCall{in: in, elem: kernels.DType(in.next() % byte(len(rawRows)+1)), index: kernels.DTypeInt64}
		if in.next()%2 == 0 {
			c.index = indexDTypes[int(in.next())%len(indexDTypes)]
		}
		if in.next()%3 == 0 {
			c.policy = in.policy()
		}
		if op.make(c) { // else it is too much work
			c.attempt(t, op)
		}
	})
}

// A rawFuzzCall is one call: its operands, and where they lie.
type rawFuzzCall struct {
	in                          *hostileInput
	elem, index                 kernels.DType
	dst, data, indices, updates kernels.Raw
	mask, offsets               kernels.Raw
	places                      []rawPlace
	axis, batchDims             int
	circular                    bool
	policy                      *kernels.IndexPolicy
	attrs                       kernels.ScatterAttrs
	bag                         kernels.BagAttrs
	spec                        kernels.SliceSpec
	ranges                      kernels.Ranges
}

// A rawPlace is the memory round a Raw's Data and Strings, now and as it was.
type rawPlace struct {
	array, was     []byte
	strings, named []string
	at, n, words   int // Data is n bytes from at on, Strings as many words from 1 on
	dst            bool
}

// A rawFuzzOp is an operator: how its operands are made, false if they are too
// large, and the call.
type rawFuzzOp struct {
	name string
	make func(c *rawFuzzCall) bool
	run  func(c *rawFuzzCall, opts []kernels.Option) error
}

var rawFuzzOps = []rawFuzzOp{
	{"GatherElements", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		axis, part := c.in.axisOf(c.data.Shape)
		c.axis, c.indices = axis, c.indexTensor(c.in.or(part))
		c.dst = c.tensor(c.elem, c.in.or(c.indices.Shape), true)
		return !tooMuch(c.indices.Shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.GatherElementsRaw(c.dst, c.data, c.indices, c.axis, opts...)
	}},
	{"GatherND", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		r := len(c.data.Shape)
		c.batchDims = int(c.in.next()) % max(r, 1)
		k := 1 + int(c.in.next())%max(r-c.batchDims, 1)
		c.indices = c.indexTensor(c.in.or(append(slices.Concat(c.data.Shape[:c.batchDims], c.in.dims()), k)))
		shape, _ := kernels.GatherNDShape(c.data.Shape, c.indices.Shape, c.batchDims)
		c.dst = c.tensor(c.elem, c.in.or(shape), true)
		return !tooMuch(c.indices.Shape) && !tooMuch(shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.GatherNDRaw(c.dst, c.data, c.indices, c.batchDims, opts...)
	}},
	{"Gather", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		r := len(c.data.Shape)
		c.axis = int(c.in.next())%max(2*r, 1) - r
		c.batchDims = int(c.in.next()) % (max((c.axis+r)%max(r, 1), 0) + 1)
		c.indices = c.indexTensor(c.in.or(slices.Concat(c.data.Shape[:c.batchDims], c.in.dims())))
		shape, _ := kernels.GatherShape(c.data.Shape, c.indices.Shape, c.axis, c.batchDims)
		c.dst = c.tensor(c.elem, c.in.or(shape), true)
		return !tooMuch(c.indices.Shape) && !tooMuch(shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.GatherRaw(c.dst, c.data, c.indices, c.axis, c.batchDims, opts...)
	}},
	{"ScatterElementsUpdate", func(c *rawFuzzCall) bool {
		inPlace := c.in.next()%2 == 0
		c.data = c.tensor(c.elem, c.in.dims(), inPlace)
		axis, part := c.in.axisOf(c.data.Shape)
		c.axis, c.indices = axis, c.indexTensor(c.in.or(part))
		c.updates = c.tensor(c.elem, c.in.or(c.indices.Shape), false)
		if c.dst = c.data; inPlace {
			c.places[0].dst = true
		} else {
			c.dst = c.tensor(c.elem, c.in.or(c.data.Shape), true)
		}
		c.attrs = kernels.ScatterAttrs{Reduction: kernels.Reduction(c.in.next() % 7), IgnoreInit: c.in.next()%2 == 0}
		return !tooMuch(c.indices.Shape) && !tooMuch(c.data.Shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.ScatterElementsUpdateRaw(c.dst, c.data, c.indices, c.updates, c.axis, c.attrs, opts...)
	}},
	{"ScatterNDUpdate", func(c *rawFuzzCall) bool {
		inPlace := c.in.next()%2 == 0
		c.data = c.tensor(c.elem, c.in.dims(), inPlace)
		k := 1 + int(c.in.next())%max(len(c.data.Shape), 1)
		tuples := c.in.dims()
		c.indices = c.indexTensor(c.in.or(append(slices.Clone(tuples), k)))
		c.updates = c.tensor(c.elem, c.in.or(slices.Concat(tuples, c.data.Shape[min(k, len(c.data.Shape)):])), false)
		if c.dst = c.data; inPlace {
			c.places[0].dst = true
		} else {
			c.dst = c.tensor(c.elem, c.in.or(c.data.Shape), true)
		}
		c.attrs = kernels.ScatterAttrs{Reduction: kernels.Reduction(c.in.next() % 8), IgnoreInit: c.in.next()%2 == 0}
		return !tooMuch(c.indices.Shape) && !tooMuch(c.updates.Shape) && !tooMuch(c.data.Shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.ScatterNDUpdateRaw(c.dst, c.data, c.indices, c.updates, c.attrs, opts...)
	}},
	{"EmbeddingBag", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		c.indices = c.indexTensor(c.in.or([]int{int(c.in.next() % 8)}))
		c.offsets = c.indexTensor(c.in.or([]int{int(c.in.next() % 4)}))
		c.bag = kernels.BagAttrs{Reduction: bagReductions[int(c.in.next())%len(bagReductions)], HasDefault: c.in.next()%2 == 0, DefaultIndex: int(c.in.next()%2) - 1}
		if c.in.next()%2 == 0 {
			c.updates = c.tensor(c.elem, c.in.or(c.indices.Shape), false)
		}
		shape, _ := kernels.EmbeddingBagShape(c.data.Shape, c.indices.Shape, c.offsets.Shape)
		c.dst = c.tensor(c.elem, c.in.or(shape), true)
		return !tooMuch(c.indices.Shape) && !tooMuch(shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.EmbeddingBagRaw(c.dst, c.data, c.indices, c.offsets, c.updates, c.bag, opts...)
	}},
	{"StridedSlice", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		for range c.in.next() % 4 {
			c.spec.Begin, c.spec.End = append(c.spec.Begin, c.in.int64()), append(c.spec.End, c.in.int64())
			c.spec.Strides = append(c.spec.Strides, c.in.int64())
			c.spec.ShrinkAxisMask = append(c.spec.ShrinkAxisMask, c.in.next()%5 == 0)
		}
		shape, _ := kernels.StridedSliceShape(c.data.Shape, c.spec)
		c.dst = c.tensor(c.elem, c.in.or(shape), true)
		return !tooMuch(shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.StridedSliceRaw(c.dst, c.data, c.spec, opts...)
	}},
	{"TensorScatter", func(c *rawFuzzCall) bool {
		inPlace := c.in.next()%2 == 0
		c.data = c.tensor(c.elem, c.in.dims(), inPlace)
		r := len(c.data.Shape)
		c.axis, c.circular = int(c.in.next())%max(2*r, 1)-r, c.in.next()%2 == 0
		shape := slices.Clone(c.data.Shape)
		if r > 0 {
			shape[(c.axis+r)%r] = int(c.in.next() % 4)
		}
		if tooMuch(shape) || tooMuch(c.data.Shape) {
			return false
		}
		c.updates = c.tensor(c.elem, c.in.or(shape), false)
		if c.in.next()%4 > 0 {
			c.indices = c.indexTensor(c.in.or(c.data.Shape[:min(r, 1)]))
		}
		if c.dst = c.data; inPlace {
			c.places[0].dst = true
		} else {
			c.dst = c.tensor(c.elem, c.in.or(c.data.Shape), true)
		}
		return true
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.TensorScatterRaw(c.dst, c.data, c.updates, c.indices, c.axis, c.mode(), opts...)
	}},
	{"SliceScatter", func(c *rawFuzzCall) bool {
		inPlace := c.in.next()%2 == 0
		c.data = c.tensor(c.elem, c.in.dims(), inPlace)
		c.spec = c.in.spec()
		shape, _ := kernels.StridedSliceShape(c.data.Shape, c.spec)
		if tooMuch(shape) || tooMuch(c.data.Shape) {
			return false
		}
		c.updates = c.tensor(c.elem, c.in.or(shape), false)
		if c.dst = c.data; inPlace {
			c.places[0].dst = true
		} else {
			c.dst = c.tensor(c.elem, c.in.or(c.data.Shape), true)
		}
		return true
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.SliceScatterRaw(c.dst, c.data, c.updates, c.spec, opts...)
	}},
	{"Slice", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		c.ranges = c.in.ranges(len(c.data.Shape))
		shape, _ := kernels.SliceShape(c.data.Shape, c.ranges)
		c.dst = c.tensor(c.elem, c.in.or(shape), true)
		return !tooMuch(shape)
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.SliceRaw(c.dst, c.data, c.ranges, opts...)
	}},
	{"Compress", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		length := int(c.in.next() % 16)
		if r := len(c.data.Shape); r > 0 && c.in.next() < 160 {
			c.axis = int(c.in.next())%(2*r) - r
			length = c.data.Shape[(c.axis+r)%r]
		} else {
			c.axis = kernels.Flattened
		}
		c.mask = c.maskTensor(c.in.or([]int{length}))
		if tooMuch(c.data.Shape) || tooMuch(c.mask.Shape) {
			return false
		}
		shape, _ := kernels.CompressShapeRaw(c.data.Shape, c.mask, c.axis)
		c.dst = c.tensor(c.elem, c.in.or(shape), true)
		return true
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.CompressRaw(c.dst, c.data, c.mask, c.axis, opts...)
	}},
	{"Take", func(c *rawFuzzCall) bool {
		c.data = c.tensor(c.elem, c.in.dims(), false)
		q := int(c.in.next()) % (len(c.data.Shape) + 1)
		c.mask = c.maskTensor(c.in.or(c.data.Shape[:q]))
		if tooMuch(c.data.Shape) || tooMuch(c.mask.Shape) {
			return false
		}
		shape, _ := kernels.TakeShapeRaw(c.data.Shape, c.mask)
		c.dst = c.tensor(c.elem, c.in.or(shape), true)
		return true
	}, func(c *rawFuzzCall, opts []kernels.Option) error {
		return kernels.TakeRaw(c.dst, c.data, c.mask, opts...)
	}},
}

func (c *rawFuzzCall) mode() kernels.CacheMode {
	if c.circular {
		return kernels.Circular
	}
	return kernels.Linear
}

// tensor returns an operand of a type, rarely of another one or of none.
func (c *rawFuzzCall) tensor(d kernels.DType, shape []int, dst bool) kernels.Raw {
	in := c.in
	if in.rare() {
		d = kernels.DType(in.next())
	}
	v, length := in.layout(shape, dst)
	p := rawPlace{at: int(in.next() % 16), n: length * d.Size(), dst: dst}
	if in.rare() {
		p.n = max(0, p.n-int(in.next()%20))
	}
	p.array = make([]byte, p.at+p.n+16)
	for i := range p.array {
		if p.array[i] = byte(in.Uint32()); d == kernels.DTypeBool {
			p.array[i] &= 1 // what a bool of Go may be
		}
	}
	if d == kernels.DTypeString {
		p.words = length
	}
	p.strings = make([]string, 1+p.words+1)
	for i := range p.strings {
		p.strings[i] = letters[in.IntN(26):][:in.IntN(27)]
	}
	p.was, p.named = slices.Clone(p.array), slices.Clone(p.strings)
	c.places = append(c.places, p)
	return kernels.Raw{Type: d, Data: p.array[p.at:][:p.n:p.n], Strings: p.strings[1:][:p.words:p.words],
		Shape: v.Shape, Strides: v.Strides, Offset: v.Offset}
}

// indexTensor returns indices, mostly 0 and 1.
func (c *rawFuzzCall) indexTensor(shape []int) kernels.Raw {
	r := c.tensor(c.index, shape, false)
	if size := r.Type.Size(); size > 0 && !c.in.rare() {
		clear(r.Data)
		for low := bytes.IndexByte(binary.NativeEndian.AppendUint64(nil, 1), 1) * (size - 1) / 7; low < len(r.Data); low += size {
			r.Data[low] = c.in.next() % 2
		}
		p := &c.places[len(c.places)-1]
		p.was = slices.Clone(p.array)
	}
	return r
}

// maskTensor returns a mask, of any bytes.
func (c *rawFuzzCall) maskTensor(shape []int) kernels.Raw {
	r := c.tensor(kernels.DTypeBool, shape, false)
	if c.in.next()%2 == 0 {
		for i := range r.Data {
			r.Data[i] *= c.in.next()
		}
		p := &c.places[len(c.places)-1]
		p.was = slices.Clone(p.array)
	}
	return r
}

func (c *rawFuzzCall) attempt(t *testing.T, op rawFuzzOp) {
	was := *c
	for _, r := range []*kernels.Raw{&was.dst, &was.data, &was.indices, &was.updates, &was.mask, &was.offsets} {
		r.Data, r.Strings = slices.Clone(r.Data), slices.Clone(r.Strings)
	}
	err := op.run(c, (&randomIndices{policy: c.policy}).options(c.in.options()[0]))
	if err == nil {
		elem := c.data.Type // c.elem, or rarely another that both have
		require.Equal(t, elem, c.dst.Type, "other types than data's were accepted")
		require.NoError(t, rawRows[elem].checkRaw(op.name, &was, c.dst), "%s of %s by %s", op.name, elem, c.indices.Type)
	} else {
		documented(t, op.name, err)
	}
	inPlace := c.places[0].dst // where a scatter's data lies
	for _, p := range c.places {
		if p.dst && (err == nil || errors.Is(err, kernels.ErrIndex) && !inPlace) { // its own elements may have changed
			copy(p.was[p.at:][:p.n], p.array[p.at:])
			copy(p.named[1:][:p.words], p.strings[1:])
		}
		require.True(t, bytes.Equal(p.array, p.was) && slices.Equal(p.strings, p.named), "%s of %s wrote where it may not; error %v", op.name, c.elem, err)
	}
}

// checkRaw compares dst of a call that succeeded with the call's definition.
func (e *elementRow[T]) checkRaw(op string, c *rawFuzzCall, got kernels.Raw) error {
	dst, data, updates := typedOf[T](c.dst), typedOf[T](c.data), typedOf[T](c.updates)
	mask := typedOf[bool](truths(c.mask))
	x := randomIndices{view: generic.View{Shape: c.indices.Shape, Strides: c.indices.Strides, Offset: c.indices.Offset}, policy: c.policy}
	by := e.indexed[0]
	if i := slices.Index(indexDTypes, c.indices.Type); i >= 0 {
		by = e.indexed[i]
		x.storage = storedIndices[i](c.indices)
	}
	var err error
	switch op {
	case "GatherElements":
		err = by.defineGatherElements(dst, data, x, c.axis)
	case "GatherND":
		err = by.defineGatherND(dst, data, x, c.batchDims)
	case "Gather":
		err = by.defineGather(dst, data, x, c.axis, c.batchDims)
	case "ScatterElementsUpdate":
		err = by.defineScatter(dst, data, x, updates, c.axis, generic.Op(c.attrs.Reduction), c.attrs.IgnoreInit)
	case "ScatterNDUpdate":
		err = by.defineScatterND(dst, data, x, updates, generic.Op(c.attrs.Reduction), c.attrs.IgnoreInit)
	case "EmbeddingBag":
		o := randomIndices{view: generic.View{Shape: c.offsets.Shape, Strides: c.offsets.Strides, Offset: c.offsets.Offset}}
		o.storage = storedIndices[slices.Index(indexDTypes, c.indices.Type)](c.offsets)
		if c.updates.Type == 0 {
			updates.Data = nil
		}
		err = by.defineEmbeddingBag(dst, data, x, o, updates, c.bag)
	case "StridedSlice":
		err = generic.StridedSlice(dst.Data, viewOf(dst), data.Data, viewOf(data), generic.Slice(c.spec))
	case "TensorScatter":
		indices := &x
		if c.indices.Type == 0 {
			indices = nil
		}
		err = by.defineTensorScatter(dst, data, updates, indices, c.axis, c.mode())
	case "SliceScatter":
		err = generic.SliceScatter(dst.Data, viewOf(dst), data.Data, viewOf(data), updates.Data, viewOf(updates), generic.Slice(c.spec))
	case "Slice":
		err = generic.SliceRanges(dst.Data, viewOf(dst), data.Data, viewOf(data), generic.Ranges(c.ranges))
	case "Compress":
		generic.Compress(dst.Data, viewOf(dst), data.Data, viewOf(data), mask.Data, viewOf(mask), c.axis)
	case "Take":
		generic.Take(dst.Data, viewOf(dst), data.Data, viewOf(data), mask.Data, viewOf(mask))
	}
	if err != nil {
		return fmt.Errorf("the call succeeded, its definition did not: %w", err)
	}
	for i, v := range typedOf[T](got).Data {
		if want := dst.Data[i]; !sameElement(v, want) && (e.sameNumber == nil || !e.sameNumber(v, want)) {
			return fmt.Errorf("element %d is %v, want %v", i, v, want)
		}
	}
	return nil
}

// truths returns a mask whose bytes are 0 and 1.
func truths(mask kernels.Raw) kernels.Raw {
	mask.Data = slices.Clone(mask.Data)
	for i, b := range mask.Data {
		mask.Data[i] = min(b, 1)
	}
	return mask
}

func sameElement[T any](a, b T) bool {
	if s, ok := any(a).(string); ok {
		return s == any(b).(string)
	}
	return bytes.Equal(asBytes([]T{a}), asBytes([]T{b}))
}

// typedOf returns a copy of a Raw with elements of type T.
func typedOf[T any](r kernels.Raw) kernels.Tensor[T] {
	t := kernels.Tensor[T]{Shape: r.Shape, Strides: r.Strides, Offset: r.Offset}
	if r.Type == kernels.DTypeString {
		t.Data, _ = any(slices.Clone(r.Strings)).([]T)
		return t
	}
	t.Data = make([]T, len(r.Data)/int(widthOf[T]()))
	copy(asBytes(t.Data), r.Data)
	return t
}

// storedIndices read indices of the types of indexDTypes, which are those of
// the rows of a rawRow.
var storedIndices = []func(r kernels.Raw) []uint64{
	stored[int8], stored[int16], stored[int32], stored[int64], stored[uint8], stored[uint16], stored[uint32], stored[uint64],
}

func stored[I kernels.Index](r kernels.Raw) (s []uint64) {
	for _, v := range typedOf[I](r).Data {
		s = append(s, uint64(v))
	}
	return s
}
