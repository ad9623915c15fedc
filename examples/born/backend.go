package main

import (
	"slices"

	"github.com/born-ml/born/backend/cpu"
	"github.com/born-ml/born/tensor"

	"github.com/lanes-go/lanes/kernels"
)

// A Backend is born's CPU backend, but for the eight operations of tensor.Backend
// that move elements, or add them up where they meet: those are lanes'.
//
// What they compute is the same, bit for bit. A call whose shapes, axes or indices born would
// refuse goes to born, which says in its own way what is wrong. Element types that born refuses,
// such as bool in Gather, are taken.
type Backend struct {
	*cpu.Backend
	options []kernels.Option
}

var _ tensor.Backend = (*Backend)(nil)

// New returns a Backend whose operations run with these options.
func New(options ...kernels.Option) *Backend {
	return &Backend{cpu.New(), options}
}

// Name returns the backend's name.
func (b *Backend) Name() string { return "CPU, lanes" }

// Gather takes elements along an axis: GatherElements.
func (b *Backend) Gather(x *tensor.RawTensor, axis int, index *tensor.RawTensor) *tensor.RawTensor {
	if indexes(index) && equalBut(axis, x.Shape(), index.Shape()) {
		out := empty(x.DType(), index.Shape())
		if kernels.GatherElementsRaw(of(out), of(x), of(index), axis, b.options...) == nil {
			return out
		}
	}
	return b.Backend.Gather(x, axis, index)
}

// Embedding takes rows of a table: GatherND, where a tuple is a single index.
func (b *Backend) Embedding(table, index *tensor.RawTensor) *tensor.RawTensor {
	if indexes(index) && len(table.Shape()) == 2 {
		tuples := of(index)
		tuples.Shape = append(slices.Clone(tuples.Shape), 1)
		out := empty(table.DType(), append(slices.Clone(index.Shape()), table.Shape()[1]))
		if kernels.GatherNDRaw(of(out), of(table), tuples, 0, b.options...) == nil {
			return out
		}
	}
	return b.Backend.Embedding(table, index)
}

// SelectAdd adds slices of src to those of dest that index names along an axis:
// ScatterElementsUpdate, where an index serves a whole slice by a stride of 0 along all other axes.
func (b *Backend) SelectAdd(dest *tensor.RawTensor, axis int, index, src *tensor.RawTensor) *tensor.RawTensor {
	if d, ok := fromStart(axis, src.Shape()); ok && slices.Equal(index.Shape(), src.Shape()[d:d+1]) {
		slice := of(index)
		slice.Shape, slice.Strides = src.Shape(), make([]int, len(src.Shape()))
		slice.Strides[d] = 1
		if out := b.add(dest, d, index, slice, src); out != nil {
			return out
		}
	}
	return b.Backend.SelectAdd(dest, axis, index, src)
}

// ScatterAdd adds the elements of src to those of dest that index names along an
// axis: ScatterElementsUpdate.
func (b *Backend) ScatterAdd(dest *tensor.RawTensor, axis int, index, src *tensor.RawTensor) *tensor.RawTensor {
	if slices.Equal(index.Shape(), src.Shape()) {
		if out := b.add(dest, axis, index, of(index), src); out != nil {
			return out
		}
	}
	return b.Backend.ScatterAdd(dest, axis, index, src)
}

// add adds src to the elements of dest that at, a view of index, names. It returns nil if born
// would refuse to.
func (b *Backend) add(dest *tensor.RawTensor, axis int, index *tensor.RawTensor, at kernels.Raw, src *tensor.RawTensor) *tensor.RawTensor {
	if !indexes(index) || !equalBut(axis, dest.Shape(), src.Shape()) {
		return nil
	}
	out := empty(dest.DType(), dest.Shape())
	sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
	if kernels.ScatterElementsUpdateRaw(of(out), of(dest), at, of(src), axis, sum, b.options...) != nil {
		return nil
	}
	return out
}

// Transpose copies x as seen with its axes in another order.
func (b *Backend) Transpose(x *tensor.RawTensor, axes ...int) *tensor.RawTensor {
	from := strided(x)
	shape, strides := from.Shape, from.Strides
	if len(axes) == 0 {
		for d := range shape {
			axes = append(axes, len(shape)-1-d)
		}
	}
	order := slices.Sorted(slices.Values(axes))
	if len(order) != len(shape) {
		return b.Backend.Transpose(x, axes...)
	}
	for d, a := range order {
		if d != a {
			return b.Backend.Transpose(x, axes...)
		}
	}
	from.Shape, from.Strides = nil, nil
	for _, a := range axes {
		from.Shape, from.Strides = append(from.Shape, shape[a]), append(from.Strides, strides[a])
	}
	out := empty(x.DType(), from.Shape)
	b.copy(of(out), from)
	return out
}

// Expand copies x as seen with a stride of 0 along axes of size 1.
func (b *Backend) Expand(x *tensor.RawTensor, shape tensor.Shape) *tensor.RawTensor {
	from, more := strided(x), len(shape)-len(x.Shape())
	if more < 0 {
		return b.Backend.Expand(x, shape)
	}
	for d, n := range from.Shape {
		switch n {
		case shape[more+d]:
		case 1:
			from.Strides[d] = 0
		default:
			return b.Backend.Expand(x, shape)
		}
	}
	from.Shape, from.Strides = shape, append(make([]int, more), from.Strides...)
	out := empty(x.DType(), shape)
	b.copy(of(out), from)
	return out
}

// Cat copies tensors into their parts of the output.
func (b *Backend) Cat(tensors []*tensor.RawTensor, axis int) *tensor.RawTensor {
	if len(tensors) == 0 {
		return b.Backend.Cat(tensors, axis)
	}
	first, size := tensors[0], 0
	d, ok := fromStart(axis, first.Shape())
	for _, t := range tensors {
		if !ok || t.DType() != first.DType() || !equalBut(d, first.Shape(), t.Shape()) {
			return b.Backend.Cat(tensors, axis)
		}
		size += t.Shape()[d]
	}
	shape := slices.Clone(first.Shape())
	shape[d] = size
	out := empty(first.DType(), shape)
	to := strided(out)
	for _, t := range tensors {
		to.Shape = t.Shape()
		b.copy(to, of(t))
		to.Offset += to.Shape[d] * to.Strides[d]
	}
	return out
}

// Chunk copies n equal parts of x.
func (b *Backend) Chunk(x *tensor.RawTensor, n, axis int) []*tensor.RawTensor {
	d, ok := fromStart(axis, x.Shape())
	if !ok || n <= 0 || x.Shape()[d]%n != 0 {
		return b.Backend.Chunk(x, n, axis)
	}
	from := strided(x)
	from.Shape = slices.Clone(from.Shape)
	from.Shape[d] /= n
	chunks := make([]*tensor.RawTensor, n)
	for i := range chunks {
		chunks[i] = empty(x.DType(), from.Shape)
		b.copy(of(chunks[i]), from)
		from.Offset += from.Shape[d] * from.Strides[d]
	}
	return chunks
}

// empty returns a new tensor, all zeros.
func empty(typ tensor.DataType, shape tensor.Shape) *tensor.RawTensor {
	t, err := tensor.NewRaw(shape, typ, tensor.CPU)
	if err != nil {
		panic(err) // as born does
	}
	return t
}

// copy copies a view that is known to fit: an empty SliceSpec takes everything.
func (b *Backend) copy(dst, src kernels.Raw) {
	if err := kernels.StridedSliceRaw(dst, src, kernels.SliceSpec{}, b.options...); err != nil {
		panic(err)
	}
}

// indexes reports whether t's elements are indices as born takes them: int32,
// and none that lanes would count from the end.
func indexes(t *tensor.RawTensor) bool {
	if t.DType() != tensor.Int32 {
		return false
	}
	signs := int32(0)
	for _, k := range t.AsInt32() {
		signs |= k
	}
	return signs >= 0
}

// fromStart returns an axis, which may be counted from the end, from the start, and whether shape
// has it.
func fromStart(axis int, shape tensor.Shape) (int, bool) {
	if axis < 0 {
		axis += len(shape)
	}
	return axis, 0 <= axis && axis < len(shape)
}

// equalBut reports whether shapes are equal but along an axis, which they have.
func equalBut(axis int, a, b tensor.Shape) bool {
	d, ok := fromStart(axis, a)
	return ok && len(a) == len(b) && slices.Equal(a[:d], b[:d]) && slices.Equal(a[d+1:], b[d+1:])
}

// types are born's types as lanes calls them.
var types = map[tensor.DataType]kernels.DType{
	tensor.Float32: kernels.DTypeFloat32,
	tensor.Float64: kernels.DTypeFloat64,
	tensor.Int32:   kernels.DTypeInt32,
	tensor.Int64:   kernels.DTypeInt64,
	tensor.Uint8:   kernels.DTypeUint8,
	tensor.Bool:    kernels.DTypeBool,
}

// of is a tensor of born as one of lanes, over the same memory.
func of(t *tensor.RawTensor) kernels.Raw {
	return kernels.Raw{Type: types[t.DType()], Data: t.Data(), Shape: t.Shape()}
}

// strided is of with the strides written out.
func strided(t *tensor.RawTensor) kernels.Raw {
	r := of(t)
	r.Strides = t.Shape().ComputeStrides()
	return r
}
