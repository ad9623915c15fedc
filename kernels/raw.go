package kernels

import (
	"reflect"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// A Raw is a Tensor whose element type is known at run time, as for the tensors of a model file.
// Each operator has a function for Raws whose name ends in Raw: the same operator with the same
// errors, 10 to 20 ns slower a call. Shape, Strides and Offset are those of a Tensor and count
// elements.
//
// Data may begin at any address. Where the machine cannot load and store there, unaligned operands
// are copied for the call. Bytes behind the last whole element are ignored. So are Strings of other
// types than DTypeString, and Data of DTypeString. NewRaw makes a Raw of zeros, RawOf makes one of
// a Tensor, and TensorOf a Tensor of a Raw.
//
// dst, data (or table), updates and weights have one type. indices have one of the eight integer
// types, offsets that of indices, a condition or a mask DTypeBool. Otherwise the call returns a
// TypeError, as it does for an unknown type.
type Raw struct {
	Data    []byte // elements in the machine's byte order, of every type but strings
	Shape   []int
	Strides []int // in elements; nil: contiguous, row-major
	Offset  int   // which element of Data, or Strings, [0, 0, …] is
	Type    DType
	Strings []string // of DTypeString
}

// RawOf returns t as a Raw over the same memory. Its type is the ONNX type of the underlying kind
// of T (int has 32 or 64 bits); half types are recognized as Reduction says. For any other T the
// error is a TypeError. Where an int has 32 bits, 2 GiB and more are a ShapeError.
func RawOf[T any](t Tensor[T]) (Raw, error) {
	typ := reflect.TypeFor[T]()
	d, reason := dtypeOf(typ, halfOf[T])
	if reason != "" {
		return Raw{}, &TypeError{Op: "RawOf", Type: typ.String(), Reason: reason}
	}
	r := Raw{Type: d, Shape: t.Shape, Strides: t.Strides, Offset: t.Offset}
	if p := unsafe.Pointer(unsafe.SliceData(t.Data)); d == DTypeString {
		r.Strings = unsafe.Slice((*string)(p), len(t.Data))
	} else {
		bytes, ok := mulInt(len(t.Data), d.Size())
		if !ok {
			return Raw{}, &ShapeError{Op: "RawOf", Tensor: "Data", Shape: []int{len(t.Data)}, Reason: "has more bytes than an int can count"}
		}
		r.Data = unsafe.Slice((*byte)(p), bytes)
	}
	return r, nil
}

// GatherElementsRaw is GatherElements on tensors whose types are known at run time.
func GatherElementsRaw(dst, data, indices Raw, axis int, opts ...Option) error {
	const op = gatherElementsOp
	s := begin(op, opts)
	var e elem
	d, f, x := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole)
	if err := rawIndexed(op, &e, &d, &f, &x); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return gatherElements(&s, &e, &d, &f, &x, axis) }, &d, &f, &x))
}

// GatherNDRaw is GatherND on tensors whose types are known at run time.
func GatherNDRaw(dst, data, indices Raw, batchDims int, opts ...Option) error {
	const op = gatherNDOp
	s := begin(op, opts)
	var e elem
	d, f, x := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole)
	if err := rawIndexed(op, &e, &d, &f, &x); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return gatherND(&s, &e, &d, &f, &x, batchDims) }, &d, &f, &x))
}

// GatherRaw is Gather on tensors whose types are known at run time.
func GatherRaw(dst, data, indices Raw, axis, batchDims int, opts ...Option) error {
	const op = gatherOp
	s := begin(op, opts)
	var e elem
	d, f, x := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole)
	if err := rawIndexed(op, &e, &d, &f, &x); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return gather(&s, &e, &d, &f, &x, axis, batchDims) }, &d, &f, &x))
}

// ScatterElementsUpdateRaw is ScatterElementsUpdate on tensors whose types are
// known at run time.
func ScatterElementsUpdateRaw(dst, data, indices, updates Raw, axis int, attrs ScatterAttrs, opts ...Option) error {
	const op = scatterOp
	s := begin(op, opts)
	var e elem
	d, f, x, u := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole), updates.view(updatesRole)
	if err := rawReduced(op, &e, &d, &f, &x, &u, attrs.Reduction); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return scatterElementsUpdate(&s, &e, &d, &f, &x, &u, axis, attrs) }, &d, &f, &x, &u))
}

// ScatterNDUpdateRaw is ScatterNDUpdate on tensors whose types are known at run time.
func ScatterNDUpdateRaw(dst, data, indices, updates Raw, attrs ScatterAttrs, opts ...Option) error {
	const op = scatterNDOp
	s := begin(op, opts)
	var e elem
	d, f, x, u := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole), updates.view(updatesRole)
	if err := rawReduced(op, &e, &d, &f, &x, &u, attrs.Reduction); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return scatterNDUpdate(&s, &e, &d, &f, &x, &u, attrs) }, &d, &f, &x, &u))
}

// TensorScatterRaw is TensorScatter on tensors whose types are known at run time. The zero
// Raw stands for no indices.
func TensorScatterRaw(dst, data, updates, indices Raw, axis int, mode CacheMode, opts ...Option) error {
	const op = tensorScatterOp
	s := begin(op, opts)
	if indices.Type == 0 && len(indices.Data) == 0 && len(indices.Shape) == 0 {
		indices.Data, indices.Type = nil, DTypeInt64
	}
	var e elem
	d, f, u, x := dst.view(dstRole), data.view(dataRole), updates.view(updatesRole), indices.view(indicesRole)
	if err := rawReduced(op, &e, &d, &f, &x, &u, None); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return tensorScatter(&s, &e, &d, &f, &u, &x, axis, mode) }, &d, &f, &u, &x))
}

// GeneralGatherRaw is GeneralGather on tensors whose types are known at run time.
func GeneralGatherRaw(dst, operand, startIndices Raw, dims GatherDims, opts ...Option) error {
	const op = generalGatherOp
	s := begin(op, opts)
	var e elem
	d, f, x := dst.view(dstRole), operand.view(operandRole), startIndices.view(startIndicesRole)
	if err := rawIndexed(op, &e, &d, &f, &x); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return generalGather(&s, &e, &d, &f, &x, &dims) }, &d, &f, &x))
}

// GeneralScatterRaw is GeneralScatter on tensors whose types are known at run time.
func GeneralScatterRaw(dst, input, scatterIndices, updates Raw, dims ScatterDims, attrs ScatterAttrs, opts ...Option) error {
	const op = generalScatterOp
	s := begin(op, opts)
	var e elem
	d, f, x, u := dst.view(dstRole), input.view(inputRole), scatterIndices.view(scatterIndicesRole), updates.view(updatesRole)
	if err := rawReduced(op, &e, &d, &f, &x, &u, attrs.Reduction); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return generalScatter(&s, &e, &d, &f, &x, &u, &dims, attrs) }, &d, &f, &x, &u))
}

// EmbeddingBagRaw is EmbeddingBag on tensors whose types are known at run time.
// dst, table and weights have one type, indices and offsets one of integers. The zero
// Raw stands for no weights.
func EmbeddingBagRaw(dst, table, indices, offsets, weights Raw, attrs BagAttrs, opts ...Option) error {
	const op = embeddingBagOp
	s := begin(op, opts)
	if weights.Type == 0 && len(weights.Data) == 0 {
		weights.Data, weights.Type = nil, table.Type
	}
	var e elem
	d, t, x, o, w := dst.view(dstRole), table.view(tableRole), indices.view(indicesRole), offsets.view(offsetsRole), weights.view(weightsRole)
	if err := rawBag(&e, &d, &t, &x, &o, &w, attrs.Reduction); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return embeddingBag(&s, &e, &d, &t, &x, &o, &w, attrs) }, &d, &t, &x, &o, &w))
}

// CompressRaw is Compress on tensors whose type is known at run time. condition
// has DTypeBool.
func CompressRaw(dst, data, condition Raw, axis int, opts ...Option) error {
	const op = compressOp
	s := begin(op, opts)
	var e elem
	d, f, m := dst.view(dstRole), data.view(dataRole), condition.view(conditionRole)
	if err := rawMasked(op, &e, &d, &f, &m); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return compress(&s, &e, &d, &f, &m, axis) }, &d, &f, &m))
}

// CompressShapeRaw is CompressShape with a condition of DTypeBool. Any other type is a TypeError.
func CompressShapeRaw(data []int, condition Raw, axis int) ([]int, error) {
	m := condition.view(conditionRole)
	if err := m.truth(compressOp); err != nil {
		return nil, err
	}
	return compressShape(nil, data, &m, axis)
}

// TakeRaw is Take on tensors whose type is known at run time. mask has DTypeBool.
func TakeRaw(dst, data, mask Raw, opts ...Option) error {
	const op = takeOp
	s := begin(op, opts)
	var e elem
	d, f, m := dst.view(dstRole), data.view(dataRole), mask.view(maskRole)
	if err := rawMasked(op, &e, &d, &f, &m); err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return take(&s, &e, &d, &f, &m) }, &d, &f, &m))
}

// TakeShapeRaw is TakeShape with a mask of DTypeBool. Any other type is a TypeError.
func TakeShapeRaw(data []int, mask Raw) ([]int, error) {
	m := mask.view(maskRole)
	if err := m.truth(takeOp); err != nil {
		return nil, err
	}
	return takeShape(data, &m)
}

// StridedSliceRaw is StridedSlice on tensors whose type is known at run time.
func StridedSliceRaw(dst, data Raw, spec SliceSpec, opts ...Option) error {
	return slicedRaw(&dst, &data, slicing{spec: &spec}, opts)
}

// SliceRaw is Slice on tensors whose type is known at run time.
func SliceRaw(dst, data Raw, r Ranges, opts ...Option) error {
	return slicedRaw(&dst, &data, slicing{ranges: &r}, opts)
}

// SliceScatterRaw is SliceScatter on tensors whose type is known at run time.
func SliceScatterRaw(dst, data, updates Raw, spec SliceSpec, opts ...Option) error {
	const op = sliceScatterOp
	s := begin(op, opts)
	var e elem
	d, f, u := dst.view(dstRole), data.view(dataRole), updates.view(updatesRole)
	err := rawElem(op, &e, &d, &f)
	if err == nil {
		err = u.like(op, &f)
	}
	if err != nil {
		return s.done(err)
	}
	return s.done(realign(op, func() error { return sliceScatter(&s, &e, &d, &f, &u, &spec) }, &d, &f, &u))
}

func slicedRaw(dst, data *Raw, by slicing, opts []Option) error {
	s := begin(by.op(), opts)
	var e elem
	d, f := dst.view(dstRole), data.view(dataRole)
	if err := rawElem(by.op(), &e, &d, &f); err != nil {
		return s.done(err)
	}
	return s.done(realign(by.op(), func() error { return copyPart(&s, &e, &d, &f, by) }, &d, &f))
}

// SliceViewRaw is SliceView on a tensor whose type is known at run time. An unknown type is a
// TypeError.
func SliceViewRaw(data Raw, spec SliceSpec) (Raw, error) {
	return slicedViewRaw(data, slicing{spec: &spec})
}

// RangesViewRaw is RangesView on a tensor whose type is known at run time. An unknown type is a
// TypeError.
func RangesViewRaw(data Raw, r Ranges) (Raw, error) {
	return slicedViewRaw(data, slicing{ranges: &r})
}

func slicedViewRaw(data Raw, by slicing) (Raw, error) {
	r := data
	v := data.view(dataRole)
	if err := rawElem(by.op(), new(elem), &v, &v); err != nil {
		return Raw{}, err
	}
	shape, strides, offset, err := v.sliced(by)
	if err != nil {
		return Raw{}, err
	}
	r.Shape, r.Strides, r.Offset = shape, strides, offset
	return r, nil
}

// rawElem sets e to the elem of data, and checks that dst has the same type.
func rawElem(op string, e *elem, dst, data *view) error {
	t := data.dtype()
	if !t.known() {
		return data.typeError(op, "which is none of ONNX's types")
	}
	t.elem(e)
	return dst.like(op, data)
}

// rawIndexed is rawElem of an operator with indices.
func rawIndexed(op string, e *elem, dst, data, indices *view) error {
	if err := rawElem(op, e, dst, data); err != nil {
		return err
	}
	if !indices.kind.Integer() {
		return indices.typeError(op, "which is no type of integers")
	}
	return nil
}

// rawReduced is rawIndexed of a scatter.
func rawReduced(op string, e *elem, dst, data, indices, updates *view, r Reduction) error {
	if err := rawIndexed(op, e, dst, data, indices); err != nil {
		return err
	}
	if err := updates.like(op, data); err != nil {
		return err
	}
	return data.dtype().reduced(op, e, r)
}

// rawBag is rawIndexed of an EmbeddingBag.
func rawBag(e *elem, dst, table, indices, offsets, weights *view, r Reduction) error {
	const op = embeddingBagOp
	if err := rawIndexed(op, e, dst, table, indices); err != nil {
		return err
	}
	if err := offsets.like(op, indices); err != nil {
		return err
	}
	if err := weights.like(op, table); err != nil {
		return err
	}
	return table.dtype().reduced(op, e, r)
}

// rawMasked is rawElem of an operator with a mask.
func rawMasked(op string, e *elem, dst, data, mask *view) error {
	if err := rawElem(op, e, dst, data); err != nil {
		return err
	}
	return mask.truth(op)
}

// truth checks that a mask has DTypeBool.
func (v *view) truth(op string) error {
	if v.dtype() != DTypeBool {
		return v.typeError(op, "which is not bool")
	}
	return nil
}

// like checks that a tensor has data's type.
func (v *view) like(op string, data *view) error {
	if v.dtype() != data.dtype() {
		return v.typeError(op, data.role.String()+" has "+data.dtype().String())
	}
	return nil
}

func (v *view) typeError(op, reason string) error {
	return &TypeError{Op: op, Type: v.dtype().String(), Reason: v.role.String() + " has it, " + reason}
}

// view returns the view of a tensor, which is used up: its Data counts elements then. Of an unknown
// type it is only good for dtype and typeError.
func (r *Raw) view(role role) view {
	size, kind := 1, lanes.KindX8
	if int(r.Type) < len(dtypes) {
		kind = dtypes[r.Type].number
		size = kind.Width()
	}
	return view{tensor: r.tensor(size), role: role, size: size, kind: kind}
}

// tensor returns an operator's argument as a tensor, whose fields are a Raw's first ones.
func (r *Raw) tensor(size int) *tensor {
	var t *tensor = (*tensor)(unsafe.Pointer(r)) // its type is written for TestLayers
	if r.Type == DTypeString {
		t.ptr, t.len = unsafe.Pointer(unsafe.SliceData(r.Strings)), len(r.Strings)
	} else {
		t.len /= size
	}
	return t
}

// dtype returns the type of a Raw's view.
func (v *view) dtype() DType { return (*Raw)(unsafe.Pointer(v.tensor)).Type }
