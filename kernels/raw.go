package kernels

import (
	"reflect"
	"unsafe"
)

// A Raw is a Tensor whose element type is known at run time, as those of a
// model that was read from a file are. Each operator has a function on it, whose
// name ends in Raw: the same operator, with the same errors, some 10 ns slower a call. Shape,
// Strides and Offset are a Tensor's, and count elements.
//
// Data may begin at any address; where the machine's loads and stores can't,
// what lies askew is copied for the call. Bytes behind the last whole element are
// ignored, as are Strings of another type than DTypeString and Data of that.
//
// dst, data (or table), updates and weights have one type, indices one of the eight
// types of integers, offsets that of indices, and a condition or a mask DTypeBool: else the
// call is a TypeError, and so is a type that is none.
type Raw struct {
	Data    []byte // elements in the machine's byte order, of every type but strings
	Shape   []int
	Strides []int // in elements; nil: contiguous, row-major
	Offset  int   // which element of Data, or Strings, [0, 0, …] is
	Type    DType
	Strings []string // of DTypeString
}

// A Raw begins as a Tensor does, so that it can be taken for one once its Data
// counts elements.
var (
	_ [unsafe.Offsetof(Raw{}.Data)]struct{}    = [unsafe.Offsetof(Tensor[byte]{}.Data)]struct{}{}
	_ [unsafe.Offsetof(Raw{}.Shape)]struct{}   = [unsafe.Offsetof(Tensor[byte]{}.Shape)]struct{}{}
	_ [unsafe.Offsetof(Raw{}.Strides)]struct{} = [unsafe.Offsetof(Tensor[byte]{}.Strides)]struct{}{}
	_ [unsafe.Offsetof(Raw{}.Offset)]struct{}  = [unsafe.Offsetof(Tensor[byte]{}.Offset)]struct{}{}
)

// inElements makes Data's length count elements, in an operator's own copy of a
// Raw. Strings become Data, too.
func (r *Raw) inElements() {
	if r.Type == DTypeString {
		r.Data = unsafe.Slice((*byte)(noescape(unsafe.Pointer(unsafe.SliceData(r.Strings)))), len(r.Strings)) // r is all that keeps it
	} else if r.Type.known() {
		n := len(r.Data) >> shifts[r.Type]
		r.Data = r.Data[:n:n]
	}
}

// RawOf returns t as a Raw over the same memory. A type of Go is the one of
// ONNX that its underlying kind is (int has 32 or 64 bits), and half types are told
// apart as Reduction says. If it is none of them the error is a
// TypeError; where an int has 32 bits, a ShapeError for 2 GiB and more.
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
			return Raw{}, &ShapeError{Op: "RawOf", Tensor: "Data", Shape: []int{len(t.Data)}, Reason: "it has more bytes than an int can count"}
		}
		r.Data = unsafe.Slice((*byte)(p), bytes)
	}
	return r, nil
}

// GatherElementsRaw is GatherElements on tensors whose types are known at run time.
func GatherElementsRaw(dst, data, indices Raw, axis int, opts ...Option) error {
	w := watching(gatherElementsOp, opts)
	dst.inElements()
	data.inElements()
	indices.inElements()
	var few fewRaw
	few.op, few.dst, few.data, few.indices, few.axis = gatherElementsFewRaw, &dst, &data, &indices, axis
	if few.done() {
		return w.fewRaw(opts, &data, dst.Shape)
	}
	return w.done(opts, gatherElementsRaw(&dst, &data, &indices, axis, settle(opts, w)))
}

func gatherElementsRaw(dst, data, indices *Raw, axis int, o settings) error {
	const op = gatherElementsOp
	e, kind, err := rawTypes(op, dst, data, indices)
	if err != nil {
		return err
	}
	d, s, x := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole)
	return realign(op, func() error {
		return gatherElements(e, &d, &s, &x, kind, axis, o, func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) })
	}, &d, &s, &x)
}

// GatherNDRaw is GatherND on tensors whose types are known at run time.
func GatherNDRaw(dst, data, indices Raw, batchDims int, opts ...Option) error {
	w := watching(gatherNDOp, opts)
	dst.inElements()
	data.inElements()
	indices.inElements()
	var few fewRaw
	few.op, few.dst, few.data, few.indices, few.batchDims = gatherNDFewRaw, &dst, &data, &indices, batchDims
	if few.done() {
		return w.fewRaw(opts, &data, dst.Shape)
	}
	return w.done(opts, gatherNDRaw(&dst, &data, &indices, batchDims, settle(opts, w)))
}

func gatherNDRaw(dst, data, indices *Raw, batchDims int, o settings) error {
	const op = gatherNDOp
	e, kind, err := rawTypes(op, dst, data, indices)
	if err != nil {
		return err
	}
	d, s, x := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole)
	return realign(op, func() error {
		return gatherND(e, &d, &s, &x, kind, batchDims, o, func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) })
	}, &d, &s, &x)
}

// GatherRaw is Gather on tensors whose types are known at run time.
func GatherRaw(dst, data, indices Raw, axis, batchDims int, opts ...Option) error {
	w := watching(gatherOp, opts)
	dst.inElements()
	data.inElements()
	indices.inElements()
	var few fewRaw
	few.op, few.dst, few.data, few.indices, few.axis, few.batchDims = gatherFewRaw, &dst, &data, &indices, axis, batchDims
	if few.done() {
		return w.fewRaw(opts, &data, dst.Shape)
	}
	return w.done(opts, gatherRaw(&dst, &data, &indices, axis, batchDims, settle(opts, w)))
}

func gatherRaw(dst, data, indices *Raw, axis, batchDims int, o settings) error {
	const op = gatherOp
	e, kind, err := rawTypes(op, dst, data, indices)
	if err != nil {
		return err
	}
	d, s, x := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole)
	return realign(op, func() error {
		return gather(e, &d, &s, &x, kind, axis, batchDims, o, func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) })
	}, &d, &s, &x)
}

// ScatterElementsUpdateRaw is ScatterElementsUpdate on tensors whose types are
// known at run time.
func ScatterElementsUpdateRaw(dst, data, indices, updates Raw, axis int, attrs ScatterAttrs, opts ...Option) error {
	w := watching(scatterOp, opts)
	dst.inElements()
	data.inElements()
	indices.inElements()
	updates.inElements()
	var few fewRaw
	few.op, few.dst, few.data, few.indices, few.updates, few.axis, few.attrs = scatterFewRaw, &dst, &data, &indices, &updates, axis, attrs
	if few.done() {
		return w.fewRaw(opts, &data, indices.Shape)
	}
	return w.done(opts, scatterElementsUpdateRaw(&dst, &data, &indices, &updates, axis, attrs, settle(opts, w)))
}

func scatterElementsUpdateRaw(dst, data, indices, updates *Raw, axis int, attrs ScatterAttrs, o settings) error {
	const op = scatterOp
	e, num, kind, err := rawReduced(op, dst, data, indices, updates, attrs.Reduction)
	if err != nil {
		return err
	}
	d, s, x, u := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole), updates.view(updatesRole)
	return realign(op, func() error {
		return scatterElementsUpdate(e, num, &d, &s, &x, &u, kind, axis, attrs, o,
			func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) },
			func(to, from, n int) { copy(dst.Strings[to:to+n], updates.Strings[from:from+n]) })
	}, &d, &s, &x, &u)
}

// ScatterNDUpdateRaw is ScatterNDUpdate on tensors whose types are known at run time.
func ScatterNDUpdateRaw(dst, data, indices, updates Raw, attrs ScatterAttrs, opts ...Option) error {
	w := watching(scatterNDOp, opts)
	dst.inElements()
	data.inElements()
	indices.inElements()
	updates.inElements()
	var few fewRaw
	few.op, few.dst, few.data, few.indices, few.updates, few.attrs = scatterNDFewRaw, &dst, &data, &indices, &updates, attrs
	if few.done() {
		return w.fewRaw(opts, &data, updates.Shape)
	}
	return w.done(opts, scatterNDUpdateRaw(&dst, &data, &indices, &updates, attrs, settle(opts, w)))
}

func scatterNDUpdateRaw(dst, data, indices, updates *Raw, attrs ScatterAttrs, o settings) error {
	const op = scatterNDOp
	e, num, kind, err := rawReduced(op, dst, data, indices, updates, attrs.Reduction)
	if err != nil {
		return err
	}
	d, s, x, u := dst.view(dstRole), data.view(dataRole), indices.view(indicesRole), updates.view(updatesRole)
	return realign(op, func() error {
		return scatterNDUpdate(e, num, &d, &s, &x, &u, kind, attrs, o,
			func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) },
			func(to, from, n int) { copy(dst.Strings[to:to+n], updates.Strings[from:from+n]) })
	}, &d, &s, &x, &u)
}

// EmbeddingBagRaw is EmbeddingBag on tensors whose types are known at run time.
// dst, table and weights have one type, indices and offsets one of integers. The zero
// Raw stands for no weights.
func EmbeddingBagRaw(dst, table, indices, offsets, weights Raw, attrs BagAttrs, opts ...Option) error {
	w := watching(embeddingBagOp, opts)
	return w.done(opts, embeddingBagRaw(&dst, &table, &indices, &offsets, &weights, attrs, settle(opts, w)))
}

func embeddingBagRaw(dst, table, indices, offsets, weights *Raw, attrs BagAttrs, s settings) error {
	const op = embeddingBagOp
	if !table.Type.known() {
		return table.typeError(op, tableRole, "which is none of ONNX's types")
	}
	if dst.Type != table.Type {
		return dst.typeError(op, dstRole, "table has "+table.Type.String())
	}
	kind, err := indices.index(op)
	if err != nil {
		return err
	}
	if offsets.Type != indices.Type {
		return offsets.typeError(op, offsetsRole, "indices has "+indices.Type.String())
	}
	if weights.Type == 0 && len(weights.Data) == 0 {
		weights.Data, weights.Type = nil, table.Type
	} else if weights.Type != table.Type {
		return weights.typeError(op, weightsRole, "table has "+table.Type.String())
	}
	for _, r := range [...]*Raw{dst, table, indices, offsets, weights} {
		r.inElements()
	}
	e := table.Type.elem()
	num, reason := e.reduced(attrs.Reduction, table.Type.number)
	if reason != "" {
		return &TypeError{Op: op, Type: table.Type.String(), Reason: reason}
	}
	d, t, x, o, w := dst.view(dstRole), table.view(tableRole), indices.view(indicesRole), offsets.view(offsetsRole), weights.view(weightsRole)
	return realign(op, func() error {
		return embeddingBag(e, num, &d, &t, &x, &o, &w, kind, attrs, s)
	}, &d, &t, &x, &o, &w)
}

// CompressRaw is Compress on tensors whose type is known at run time. condition
// has DTypeBool.
func CompressRaw(dst, data, condition Raw, axis int, opts ...Option) error {
	w := watching(compressOp, opts)
	return w.done(opts, compressRaw(&dst, &data, &condition, axis, settle(opts, w)))
}

func compressRaw(dst, data, condition *Raw, axis int, o settings) error {
	e, err := rawMasked(compressOp, dst, data, condition, conditionRole)
	if err != nil {
		return err
	}
	d, s, m := dst.view(dstRole), data.view(dataRole), condition.view(conditionRole)
	return realign(compressOp, func() error {
		return compress(e, &d, &s, &m, axis, o, func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) })
	}, &d, &s, &m)
}

// CompressShapeRaw is CompressShape with a condition of DTypeBool.
func CompressShapeRaw(data []int, condition Raw, axis int) ([]int, error) {
	if err := condition.truth(compressOp, conditionRole); err != nil {
		return nil, err
	}
	m := condition.view(conditionRole)
	return compressShape(nil, data, &m, axis)
}

// TakeRaw is Take on tensors whose type is known at run time. mask has DTypeBool.
func TakeRaw(dst, data, mask Raw, opts ...Option) error {
	w := watching(takeOp, opts)
	return w.done(opts, takeRaw(&dst, &data, &mask, settle(opts, w)))
}

func takeRaw(dst, data, mask *Raw, o settings) error {
	e, err := rawMasked(takeOp, dst, data, mask, maskRole)
	if err != nil {
		return err
	}
	d, s, m := dst.view(dstRole), data.view(dataRole), mask.view(maskRole)
	return realign(takeOp, func() error {
		return take(e, &d, &s, &m, o, func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) })
	}, &d, &s, &m)
}

// TakeShapeRaw is TakeShape with a mask of DTypeBool.
func TakeShapeRaw(data []int, mask Raw) ([]int, error) {
	if err := mask.truth(takeOp, maskRole); err != nil {
		return nil, err
	}
	m := mask.view(maskRole)
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

func slicedRaw(dst, data *Raw, by slicing, opts []Option) error {
	w := watching(by.op(), opts)
	dst.inElements()
	data.inElements()
	var few fewRaw
	few.op, few.dst, few.data, few.by = slicedFewRaw, dst, data, by
	if few.done() {
		return w.fewRaw(opts, data, dst.Shape)
	}
	return w.done(opts, copyPartRaw(dst, data, by, settle(opts, w)))
}

func copyPartRaw(dst, data *Raw, by slicing, o settings) error {
	e, err := rawElem(by.op(), dst, data)
	if err != nil {
		return err
	}
	d, s := dst.view(dstRole), data.view(dataRole)
	return realign(by.op(), func() error {
		return copyPart(e, &d, &s, by, o, func(to, from, n int) { copy(dst.Strings[to:to+n], data.Strings[from:from+n]) })
	}, &d, &s)
}

// SliceViewRaw is SliceView on a tensor whose type is known at run time.
func SliceViewRaw(data Raw, spec SliceSpec) (Raw, error) {
	return slicedViewRaw(data, slicing{spec: &spec})
}

// RangesViewRaw is RangesView on a tensor whose type is known at run time.
func RangesViewRaw(data Raw, r Ranges) (Raw, error) {
	return slicedViewRaw(data, slicing{ranges: &r})
}

func slicedViewRaw(data Raw, by slicing) (Raw, error) {
	if _, err := rawElem(by.op(), &data, &data); err != nil {
		return Raw{}, err
	}
	whole := data
	whole.inElements()
	v := whole.view(dataRole)
	shape, strides, offset, err := v.sliced(by)
	if err != nil {
		return Raw{}, err
	}
	data.Shape, data.Strides, data.Offset = shape, strides, offset
	return data, nil
}

// rawTypes returns what the elements of data, and of dst, and the indices are.
func rawTypes(op string, dst, data, indices *Raw) (e elem, kind indexKind, err error) {
	if e, err = rawElem(op, dst, data); err == nil {
		kind, err = indices.index(op)
	}
	return e, kind, err
}

// rawReduced returns, besides, what number the elements are reduced as. updates have their type.
func rawReduced(op string, dst, data, indices, updates *Raw, r Reduction) (e elem, num number, kind indexKind, err error) {
	if e, kind, err = rawTypes(op, dst, data, indices); err == nil {
		err = updates.like(op, updatesRole, data)
	}
	if err != nil {
		return e, num, kind, err
	}
	num, reason := e.reduced(r, data.Type.number)
	if reason != "" {
		err = &TypeError{Op: op, Type: data.Type.String(), Reason: reason}
	}
	return e, num, kind, err
}

// rawMasked returns what the elements of data, and of dst, are in a call with a mask.
func rawMasked(op string, dst, data, mask *Raw, role role) (elem, error) {
	dst.inElements()
	data.inElements()
	e, err := rawElem(op, dst, data)
	if err == nil {
		err = mask.truth(op, role)
	}
	return e, err
}

// truth checks that a mask is one.
func (r *Raw) truth(op string, role role) error {
	if r.Type != DTypeBool {
		return r.typeError(op, role, "which is not bool")
	}
	return nil
}

// rawElem returns what the elements of data are, which dst's are to be too.
func rawElem(op string, dst, data *Raw) (elem, error) {
	if !data.Type.known() {
		return elem{}, data.typeError(op, dataRole, "which is none of ONNX's types")
	}
	return data.Type.elem(), dst.like(op, dstRole, data)
}

// like checks that a tensor has the type of data.
func (r *Raw) like(op string, role role, data *Raw) error {
	if r.Type != data.Type {
		return r.typeError(op, role, "data has "+data.Type.String())
	}
	return nil
}

// index returns the kind of indices.
func (r *Raw) index(op string) (indexKind, error) {
	if r.Type.known() {
		if kind, ok := r.Type.indexKind(); ok {
			return kind, nil
		}
	}
	return 0, r.typeError(op, indicesRole, "which is no type of integers")
}

func (r *Raw) typeError(op string, role role, reason string) error {
	return &TypeError{Op: op, Type: r.Type.String(), Reason: role.String() + " has it, " + reason}
}

// view describes a tensor of a known type, in elements.
func (r *Raw) view(role role) view {
	return view{role: role, ptr: unsafe.Pointer(unsafe.SliceData(r.Data)), len: len(r.Data), size: r.Type.width(),
		shape: r.Shape, strides: r.Strides, offset: r.Offset}
}
