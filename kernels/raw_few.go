package kernels

import "unsafe"

// A fewRaw is a call on tensors of run-time types that may have few elements.
// Then an operator's typed way does it, in elements of the same width: for six widths, of
// which one is of strings, and two types of indices. Other indices are widened first.
//
// Its fields are assigned one by one. A composite literal is built elsewhere and copied in
// larger words than it was written in, which the loads of the copy have to wait for: 10 ns.
type fewRaw struct {
	op                          fewRawOp
	dst, data, indices, updates *Raw // no indices or updates: nil
	axis, batchDims             int
	by                          slicing
	attrs                       ScatterAttrs
}

// A fewRawOp is an operator of a fewRaw.
type fewRawOp uint8

const (
	gatherElementsFewRaw fewRawOp = iota
	gatherNDFewRaw
	gatherFewRaw
	scatterFewRaw
	scatterNDFewRaw
	slicedFewRaw
)

// done reports whether the call has been done. What is not as it should be is
// left to the ordinary way.
func (c *fewRaw) done() bool {
	t := c.data.Type
	if c.dst.Type != t || c.updates != nil && c.updates.Type != t || !t.known() {
		return false
	}
	if strictAlignment && !(c.dst.aligned() && c.data.aligned() && c.indices.aligned() && c.updates.aligned()) {
		return false
	}
	if t == DTypeString {
		return fewRawOf[string](c)
	}
	switch shifts[t] {
	case 0:
		return fewRawOf[uint8](c)
	case 1:
		return fewRawOf[uint16](c)
	case 2:
		return fewRawOf[uint32](c)
	case 3:
		return fewRawOf[uint64](c)
	default:
		return fewRawOf[[2]uint64](c)
	}
}

func fewRawOf[T any](c *fewRaw) bool {
	d, s := tensorOf[T](c.dst), tensorOf[T](c.data)
	if c.indices == nil {
		return slicedFew(d, s, c.by)
	}
	switch c.indices.Type {
	case DTypeInt64:
		return fewRawBy(c, d, s, tensorOf[int64](c.indices))
	case DTypeInt32:
		return fewRawBy(c, d, s, tensorOf[int32](c.indices))
	}
	var room [maxFew]int64
	var x Tensor[int64]
	x.Data, x.Shape, x.Strides, x.Offset = room[:], c.indices.Shape, c.indices.Strides, c.indices.Offset
	return c.widen(&x) && apart(d.Data, c.indices.bytes()) && fewRawBy(c, d, s, &x)
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
	if !ok || count > min(len(c.indices.Data), len(x.Data)) || !x.plain() {
		return false
	}
	from := indexSource{memory{ptr: unsafe.Pointer(unsafe.SliceData(c.indices.Data)), n: count}, kind}
	from.widen(x.Data[:count], 0, 1)
	x.Data = x.Data[:count]
	return true
}

func fewRawBy[T any, I Index](c *fewRaw, dst, data *Tensor[T], indices *Tensor[I]) bool {
	switch c.op {
	case gatherElementsFewRaw:
		return gatherElementsFew(dst, data, indices, c.axis)
	case gatherNDFewRaw:
		return gatherNDFew(dst, data, indices, c.batchDims)
	case gatherFewRaw:
		return gatherFew(dst, data, indices, c.axis, c.batchDims)
	case scatterNDFewRaw:
		return scatterNDFew(dst, data, indices, tensorOf[T](c.updates), c.attrs, c.data.Type.number)
	default:
		return scatterFew(dst, data, indices, tensorOf[T](c.updates), c.axis, c.attrs, c.data.Type.number)
	}
}

// bytes returns the memory of numbers in elements.
func (r *Raw) bytes() []byte {
	return unsafe.Slice(unsafe.SliceData(r.Data), len(r.Data)<<shifts[r.Type])
}

// tensorOf takes a Raw in elements for a tensor of elements of their width.
func tensorOf[T any](r *Raw) *Tensor[T] { return (*Tensor[T])(unsafe.Pointer(r)) }
