package kernels

import (
	"reflect"
	"unsafe"
)

// A Raw is a Tensor whose element type is known at run time, as for the tensors of a model file.
// Each operator has a function for Raws whose name ends in Raw: the same operator with the same
// errors, some 100 ns slower a call. Shape, Strides and Offset are those of a Tensor and count
// elements.
//
// Data may begin at any address. Where the machine cannot load and store there, unaligned operands
// are copied for the call. Bytes behind the last whole element are ignored. So are Strings of other
// types than DTypeString, and Data of DTypeString. NewRaw makes a Raw of zeros, RawOf makes one of a
// Tensor, and TensorOf a Tensor of a Raw.
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
	e, err := rawIndexed(op, &dst, &data, &indices)
	if err != nil {
		return s.done(err)
	}
	d, f, x := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), indices.view(new(tensor), indicesRole)
	return s.done(realign(op, func() error { return gatherElements(&s, &e, &d, &f, &x, axis) }, &d, &f, &x))
}

// GatherNDRaw is GatherND on tensors whose types are known at run time.
func GatherNDRaw(dst, data, indices Raw, batchDims int, opts ...Option) error {
	const op = gatherNDOp
	s := begin(op, opts)
	e, err := rawIndexed(op, &dst, &data, &indices)
	if err != nil {
		return s.done(err)
	}
	d, f, x := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), indices.view(new(tensor), indicesRole)
	return s.done(realign(op, func() error { return gatherND(&s, &e, &d, &f, &x, batchDims) }, &d, &f, &x))
}

// GatherRaw is Gather on tensors whose types are known at run time.
func GatherRaw(dst, data, indices Raw, axis, batchDims int, opts ...Option) error {
	const op = gatherOp
	s := begin(op, opts)
	e, err := rawIndexed(op, &dst, &data, &indices)
	if err != nil {
		return s.done(err)
	}
	d, f, x := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), indices.view(new(tensor), indicesRole)
	return s.done(realign(op, func() error { return gather(&s, &e, &d, &f, &x, axis, batchDims) }, &d, &f, &x))
}

// ScatterElementsUpdateRaw is ScatterElementsUpdate on tensors whose types are
// known at run time.
func ScatterElementsUpdateRaw(dst, data, indices, updates Raw, axis int, attrs ScatterAttrs, opts ...Option) error {
	const op = scatterOp
	s := begin(op, opts)
	e, err := rawReduced(op, &dst, &data, &indices, &updates, attrs.Reduction)
	if err != nil {
		return s.done(err)
	}
	d, f, x, u := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), indices.view(new(tensor), indicesRole), updates.view(new(tensor), updatesRole)
	return s.done(realign(op, func() error { return scatterElementsUpdate(&s, &e, &d, &f, &x, &u, axis, attrs) }, &d, &f, &x, &u))
}

// ScatterNDUpdateRaw is ScatterNDUpdate on tensors whose types are known at run time.
func ScatterNDUpdateRaw(dst, data, indices, updates Raw, attrs ScatterAttrs, opts ...Option) error {
	const op = scatterNDOp
	s := begin(op, opts)
	e, err := rawReduced(op, &dst, &data, &indices, &updates, attrs.Reduction)
	if err != nil {
		return s.done(err)
	}
	d, f, x, u := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), indices.view(new(tensor), indicesRole), updates.view(new(tensor), updatesRole)
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
	e, err := rawIndexed(op, &dst, &data, &indices)
	if err == nil {
		err = updates.like(op, updatesRole, &data)
	}
	if err != nil {
		return s.done(err)
	}
	d, f, u, x := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), updates.view(new(tensor), updatesRole), indices.view(new(tensor), indicesRole)
	return s.done(realign(op, func() error { return tensorScatter(&s, &e, &d, &f, &u, &x, axis, mode) }, &d, &f, &u, &x))
}

// GeneralGatherRaw is GeneralGather on tensors whose types are known at run time.
func GeneralGatherRaw(dst, operand, startIndices Raw, dims GatherDims, opts ...Option) error {
	const op = generalGatherOp
	s := begin(op, opts)
	e, err := rawIndexedAs(op, &dst, &operand, operandRole, &startIndices, startIndicesRole)
	if err != nil {
		return s.done(err)
	}
	d, f, x := dst.view(new(tensor), dstRole), operand.view(new(tensor), operandRole), startIndices.view(new(tensor), startIndicesRole)
	return s.done(realign(op, func() error { return generalGather(&s, &e, &d, &f, &x, &dims) }, &d, &f, &x))
}

// GeneralScatterRaw is GeneralScatter on tensors whose types are known at run time.
func GeneralScatterRaw(dst, input, scatterIndices, updates Raw, dims ScatterDims, attrs ScatterAttrs, opts ...Option) error {
	const op = generalScatterOp
	s := begin(op, opts)
	e, err := rawReducedAs(op, &dst, &input, inputRole, &scatterIndices, scatterIndicesRole, &updates, attrs.Reduction)
	if err != nil {
		return s.done(err)
	}
	d, f, x, u := dst.view(new(tensor), dstRole), input.view(new(tensor), inputRole), scatterIndices.view(new(tensor), scatterIndicesRole), updates.view(new(tensor), updatesRole)
	return s.done(realign(op, func() error { return generalScatter(&s, &e, &d, &f, &x, &u, &dims, attrs) }, &d, &f, &x, &u))
}

// EmbeddingBagRaw is EmbeddingBag on tensors whose types are known at run time.
// dst, table and weights have one type, indices and offsets one of integers. The zero
// Raw stands for no weights.
func EmbeddingBagRaw(dst, table, indices, offsets, weights Raw, attrs BagAttrs, opts ...Option) error {
	const op = embeddingBagOp
	s := begin(op, opts)
	e, err := rawBag(&dst, &table, &indices, &offsets, &weights, attrs.Reduction)
	if err != nil {
		return s.done(err)
	}
	d, t, x, o, w := dst.view(new(tensor), dstRole), table.view(new(tensor), tableRole), indices.view(new(tensor), indicesRole), offsets.view(new(tensor), offsetsRole), weights.view(new(tensor), weightsRole)
	return s.done(realign(op, func() error { return embeddingBag(&s, &e, &d, &t, &x, &o, &w, attrs) }, &d, &t, &x, &o, &w))
}

// CompressRaw is Compress on tensors whose type is known at run time. condition
// has DTypeBool.
func CompressRaw(dst, data, condition Raw, axis int, opts ...Option) error {
	const op = compressOp
	s := begin(op, opts)
	e, err := rawElem(op, &dst, &data)
	if err == nil {
		err = condition.truth(op, conditionRole)
	}
	if err != nil {
		return s.done(err)
	}
	d, f, m := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), condition.view(new(tensor), conditionRole)
	return s.done(realign(op, func() error { return compress(&s, &e, &d, &f, &m, axis) }, &d, &f, &m))
}

// CompressShapeRaw is CompressShape with a condition of DTypeBool. Any other type is a TypeError.
func CompressShapeRaw(data []int, condition Raw, axis int) ([]int, error) {
	if err := condition.truth(compressOp, conditionRole); err != nil {
		return nil, err
	}
	m := condition.view(new(tensor), conditionRole)
	return compressShape(nil, data, &m, axis)
}

// TakeRaw is Take on tensors whose type is known at run time. mask has DTypeBool.
func TakeRaw(dst, data, mask Raw, opts ...Option) error {
	const op = takeOp
	s := begin(op, opts)
	e, err := rawElem(op, &dst, &data)
	if err == nil {
		err = mask.truth(op, maskRole)
	}
	if err != nil {
		return s.done(err)
	}
	d, f, m := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), mask.view(new(tensor), maskRole)
	return s.done(realign(op, func() error { return take(&s, &e, &d, &f, &m) }, &d, &f, &m))
}

// TakeShapeRaw is TakeShape with a mask of DTypeBool. Any other type is a TypeError.
func TakeShapeRaw(data []int, mask Raw) ([]int, error) {
	if err := mask.truth(takeOp, maskRole); err != nil {
		return nil, err
	}
	m := mask.view(new(tensor), maskRole)
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
	e, err := rawElem(op, &dst, &data)
	if err == nil {
		err = updates.like(op, updatesRole, &data)
	}
	if err != nil {
		return s.done(err)
	}
	d, f, u := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole), updates.view(new(tensor), updatesRole)
	return s.done(realign(op, func() error { return sliceScatter(&s, &e, &d, &f, &u, &spec) }, &d, &f, &u))
}

func slicedRaw(dst, data *Raw, by slicing, opts []Option) error {
	s := begin(by.op(), opts)
	e, err := rawElem(by.op(), dst, data)
	if err != nil {
		return s.done(err)
	}
	d, f := dst.view(new(tensor), dstRole), data.view(new(tensor), dataRole)
	return s.done(realign(by.op(), func() error { return copyPart(&s, &e, &d, &f, by) }, &d, &f))
}

// SliceViewRaw is SliceView on a tensor whose type is known at run time. An unknown type is a TypeError.
func SliceViewRaw(data Raw, spec SliceSpec) (Raw, error) {
	return slicedViewRaw(data, slicing{spec: &spec})
}

// RangesViewRaw is RangesView on a tensor whose type is known at run time. An unknown type is a TypeError.
func RangesViewRaw(data Raw, r Ranges) (Raw, error) {
	return slicedViewRaw(data, slicing{ranges: &r})
}

func slicedViewRaw(data Raw, by slicing) (Raw, error) {
	if _, err := rawElem(by.op(), &data, &data); err != nil {
		return Raw{}, err
	}
	v := data.view(new(tensor), dataRole)
	shape, strides, offset, err := v.sliced(by)
	if err != nil {
		return Raw{}, err
	}
	data.Shape, data.Strides, data.Offset = shape, strides, offset
	return data, nil
}

// rawIndexed checks the types of an operator with indices. It returns the elem of data.
func rawIndexed(op string, dst, data, indices *Raw) (elem, error) {
	return rawIndexedAs(op, dst, data, dataRole, indices, indicesRole)
}

// rawIndexedAs is rawIndexed for data and indices of other roles.
func rawIndexedAs(op string, dst, data *Raw, as role, indices *Raw, x role) (elem, error) {
	e, err := rawElemAs(op, as, dst, data)
	if err == nil {
		err = indices.integer(op, x)
	}
	return e, err
}

// rawReduced checks the types of a scatter. It returns the elem of data.
func rawReduced(op string, dst, data, indices, updates *Raw, r Reduction) (elem, error) {
	return rawReducedAs(op, dst, data, dataRole, indices, indicesRole, updates, r)
}

// rawReducedAs is rawReduced for data and indices of other roles.
func rawReducedAs(op string, dst, data *Raw, as role, indices *Raw, x role, updates *Raw, r Reduction) (elem, error) {
	if _, err := rawIndexedAs(op, dst, data, as, indices, x); err != nil {
		return elem{}, err
	}
	if err := updates.likeAs(op, updatesRole, data, as); err != nil {
		return elem{}, err
	}
	return data.Type.reduced(op, r)
}

// rawBag checks the types of an EmbeddingBag. It returns the elem of table.
func rawBag(dst, table, indices, offsets, weights *Raw, r Reduction) (elem, error) {
	const op = embeddingBagOp
	if _, err := rawIndexedAs(op, dst, table, tableRole, indices, indicesRole); err != nil {
		return elem{}, err
	}
	if err := offsets.likeAs(op, offsetsRole, indices, indicesRole); err != nil {
		return elem{}, err
	}
	if weights.Type == 0 && len(weights.Data) == 0 {
		weights.Data, weights.Type = nil, table.Type
	}
	if err := weights.likeAs(op, weightsRole, table, tableRole); err != nil {
		return elem{}, err
	}
	return table.Type.reduced(op, r)
}

// truth checks that a mask has DTypeBool.
func (r *Raw) truth(op string, role role) error {
	if r.Type != DTypeBool {
		return r.typeError(op, role, "which is not bool")
	}
	return nil
}

// integer checks that indices are integers.
func (r *Raw) integer(op string, role role) error {
	if r.Type.known() {
		if _, ok := r.Type.indexKind(); ok {
			return nil
		}
	}
	return r.typeError(op, role, "which is no type of integers")
}

// rawElem returns the elem of data, and checks that dst has the same type.
func rawElem(op string, dst, data *Raw) (elem, error) { return rawElemAs(op, dataRole, dst, data) }

// rawElemAs is rawElem for data of another role.
func rawElemAs(op string, r role, dst, data *Raw) (elem, error) {
	if !data.Type.known() {
		return elem{}, data.typeError(op, r, "which is none of ONNX's types")
	}
	return data.Type.elem(), dst.likeAs(op, dstRole, data, r)
}

// like checks that a tensor has data's type.
func (r *Raw) like(op string, role role, data *Raw) error { return r.likeAs(op, role, data, dataRole) }

// likeAs is like for data of another role.
func (r *Raw) likeAs(op string, role role, data *Raw, as role) error {
	if r.Type != data.Type {
		return r.typeError(op, role, as.String()+" has "+data.Type.String())
	}
	return nil
}

func (r *Raw) typeError(op string, role role, reason string) error {
	return &TypeError{Op: op, Type: r.Type.String(), Reason: role.String() + " has it, " + reason}
}

// view returns the view of a tensor of a known type, in elements, by way of t.
func (r *Raw) view(t *tensor, role role) view {
	v := view{tensor: t, role: role, size: r.Type.width()}
	t.shape, t.strides, t.offset = r.Shape, r.Strides, r.Offset
	if r.Type == DTypeString {
		t.ptr, t.len = unsafe.Pointer(unsafe.SliceData(r.Strings)), len(r.Strings)
	} else {
		t.ptr, t.len = unsafe.Pointer(unsafe.SliceData(r.Data)), len(r.Data)/v.size
		v.kind = dtypes[r.Type].number
	}
	return v
}
