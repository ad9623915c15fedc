package kernels

import "unsafe"

// A fewRaw is a call on tensors of run-time types that may have few elements.
// Then an operator's typed way does it, in elements of the same width: for six widths, of
// which one is of strings, and two types of indices. Other indices are widened first.
type fewRaw struct {
	op                          fewRawOp
	dst, data, indices, updates *Raw // no indices or updates: nil
	axis                        int  // or batch dims
	spec                        *SliceSpec
	attrs                       ScatterAttrs
}

// A fewRawOp is an operator of a fewRaw.
type fewRawOp uint8

const (
	gatherElementsFewRaw fewRawOp = iota
	gatherNDFewRaw
	scatterFewRaw
	stridedSliceFewRaw
)

// done reports whether the call has been done. What is not as it should be is
// left to the ordinary way.
func (c *fewRaw) done() bool {
	if c.dst.Type != c.data.Type || c.updates != nil && c.updates.Type != c.data.Type || !c.data.Type.known() {
		return false
	}
	if strictAlignment && !(c.dst.aligned() && c.data.aligned() && c.indices.aligned() && c.updates.aligned()) {
		return false
	}
	switch c.data.Type.Size() {
	case 1:
		return fewRawOf[uint8](c)
	case 2:
		return fewRawOf[uint16](c)
	case 4:
		return fewRawOf[uint32](c)
	case 8:
		return fewRawOf[uint64](c)
	case 16:
		return fewRawOf[[2]uint64](c)
	default:
		return fewRawOf[string](c)
	}
}

func fewRawOf[T any](c *fewRaw) bool {
	d, s := rawTensor[T](c.dst), rawTensor[T](c.data)
	if c.indices == nil {
		return stridedSliceFew(&d, &s, c.spec)
	}
	switch c.indices.Type {
	case DTypeInt64:
		x := rawTensor[int64](c.indices)
		return fewRawBy(c, &d, &s, &x)
	case DTypeInt32:
		x := rawTensor[int32](c.indices)
		return fewRawBy(c, &d, &s, &x)
	}
	var room [maxFew]int64
	x := Tensor[int64]{Data: room[:], Shape: c.indices.Shape, Strides: c.indices.Strides, Offset: c.indices.Offset}
	return c.widen(&x) && fewRawBy(c, &d, &s, &x)
}

// widen copies the indices to x, whose Data has the room for few, and reports
// whether they are few.
func (c *fewRaw) widen(x *Tensor[int64]) bool {
	if !c.indices.Type.known() {
		return false
	}
	kind, ok := c.indices.Type.indexKind()
	if !ok {
		return false
	}
	count, ok := fewElements(x.Shape)
	p, n, _ := c.indices.memory()
	if !ok || count > min(n, len(x.Data)) || !x.plain() || !apart(c.dst.Data, c.indices.Data) {
		return false
	}
	from := indexSource{memory{ptr: p, n: n}, kind}
	from.widen(x.Data[:count], 0, 1)
	x.Data = x.Data[:count]
	return true
}

func fewRawBy[T any, I Index](c *fewRaw, dst, data *Tensor[T], indices *Tensor[I]) bool {
	switch c.op {
	case gatherElementsFewRaw:
		return gatherElementsFew(dst, data, indices, c.axis)
	case gatherNDFewRaw:
		return gatherNDFew(dst, data, indices, c.axis)
	default:
		u := rawTensor[T](c.updates)
		return scatterFew(dst, data, indices, &u, c.axis, c.attrs, c.data.Type.number)
	}
}

// rawTensor returns a tensor of a known type with elements of the same width.
func rawTensor[T any](r *Raw) Tensor[T] {
	p, n, _ := r.memory()
	return Tensor[T]{Data: unsafe.Slice((*T)(p), n), Shape: r.Shape, Strides: r.Strides, Offset: r.Offset}
}
