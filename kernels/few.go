package kernels

import (
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// Calls on few elements. To describe the tensors to an operator's body, shape
// its loops and reach a primitive takes a few hundred nanoseconds, in which some
// hundred elements could have been moved. So a call on contiguous tensors with few
// elements runs its definition on the caller's own slices instead. Whatever is not as it
// should be, a bad index too, is left to the ordinary way, which finds it again
// and says what is wrong.

// maxFew bounds dispatch.Default.FewElements where offsets need a room.
const maxFew = 64

// A fewLoops is the form of an element operator on contiguous tensors: indices
// are outer × n × inner, and the operand that is indexed outer × size × inner.
type fewLoops struct{ outer, n, inner, size, count int }

// fewOf returns the loops of an element operator whose indices have that
// shape, if there are few, on an operand of a shape that is equal on other axes
// and has its elements in a slice of that length.
func fewOf(operand, indices []int, axis, length int) (f fewLoops, ok bool) {
	rank := len(operand)
	if axis < 0 {
		axis += rank
	}
	if len(indices) != rank || uint(axis) >= uint(rank) {
		return f, false
	}
	limit := dispatch.Default.FewElements
	f = fewLoops{1, indices[axis], 1, operand[axis], 1}
	for d, n := range indices {
		if n < 1 || n > limit || n != operand[d] && d != axis {
			return f, false
		}
		if f.count *= n; f.count > limit {
			return f, false
		}
		switch {
		case d < axis:
			f.outer *= n
		case d > axis:
			f.inner *= n
		}
	}
	return f, f.size > 0 && f.size <= length/(f.outer*f.inner)
}

// plain reports whether the tensor is contiguous from its first element on.
func (t *Tensor[T]) plain() bool { return len(t.Strides) == 0 && t.Offset == 0 }

// apart reports whether two slices share no memory.
func apart[A, B any](a []A, b []B) bool {
	var x A
	var y B
	p, q := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return p+uintptr(len(a))*unsafe.Sizeof(x) <= q || q+uintptr(len(b))*unsafe.Sizeof(y) <= p
}

// fewIndex returns an index as a position on an axis, and whether it is one.
func fewIndex[I Index](v I, size int) (int, bool) {
	k := int64(v)
	if v < 0 {
		k += int64(size)
	}
	return int(k), uint64(k) < uint64(size)
}

// gatherElementsFew is GatherElements of few elements. It reports whether it has done it.
func gatherElementsFew[T any, I Index](dst, data *Tensor[T], indices *Tensor[I], axis int) bool {
	if !dst.plain() || !data.plain() || !indices.plain() || !slices.Equal(dst.Shape, indices.Shape) {
		return false
	}
	f, ok := fewOf(data.Shape, indices.Shape, axis, len(data.Data))
	if !ok || len(dst.Data) < f.count || len(indices.Data) < f.count {
		return false
	}
	d, s, x := dst.Data[:f.count], data.Data[:f.outer*f.size*f.inner], indices.Data[:f.count]
	if !apart(d, s) || !apart(d, x) {
		return false
	}
	for i := 0; len(s) > 0; s = s[f.size*f.inner:] {
		for range f.n {
			for j := range f.inner {
				k, ok := fewIndex(x[i], f.size)
				if !ok {
					return false
				}
				d[i] = s[k*f.inner+j]
				i++
			}
		}
	}
	return true
}

// scatterFew is ScatterElementsUpdate of few elements, but for means: numberIn
// says what they are reduced as. It reports whether it has done it.
func scatterFew[T any, I Index](dst, data *Tensor[T], indices *Tensor[I], updates *Tensor[T], axis int, attrs ScatterAttrs, numberIn func() (number, string)) bool {
	if !dst.plain() || !data.plain() || !indices.plain() || !updates.plain() || attrs.Reduction >= Mean ||
		!slices.Equal(dst.Shape, data.Shape) || !slices.Equal(updates.Shape, indices.Shape) {
		return false
	}
	f, ok := fewOf(data.Shape, indices.Shape, axis, min(len(dst.Data), len(data.Data)))
	if !ok || f.count > maxFew || len(updates.Data) < f.count || len(indices.Data) < f.count {
		return false
	}
	cells := f.outer * f.size * f.inner
	d, s, x, u := dst.Data[:cells], data.Data[:cells], indices.Data[:f.count], updates.Data[:f.count]
	inPlace := unsafe.SliceData(d) == unsafe.SliceData(s)
	if !inPlace && (cells > dispatch.Default.FewElements || !apart(d, s)) || !apart(d, x) || !apart(d, u) {
		return false
	}
	var room [maxFew]int
	offsets := room[:f.count]
	for i, start := 0, 0; i < len(offsets); start += f.size * f.inner {
		for range f.n {
			for j := range f.inner {
				k, ok := fewIndex(x[i], f.size)
				if !ok {
					return false
				}
				offsets[i] = start + k*f.inner + j
				i++
			}
		}
	}
	return updateFew(d, s, u, offsets, 1, attrs, numberIn)
}

// updateFew makes d a copy of s, if it is not the same, and updates runs of its cells at
// offsets. It reports whether it has done it: not if T has no such reduction.
func updateFew[T any](d, s, u []T, offsets []int, run int, attrs ScatterAttrs, numberIn func() (number, string)) bool {
	r := reducer{attrs: attrs}
	if attrs.Reduction != None {
		var reason string
		if r.number, reason = numberIn(); reason != "" || r.number.allows(attrs.Reduction) != "" {
			return false
		}
	}
	if unsafe.SliceData(d) != unsafe.SliceData(s) {
		copy(d, s)
	}
	if attrs.Reduction == None {
		for i, o := range offsets {
			if run == 1 {
				d[o] = u[i]
			} else {
				copy(d[o:o+run], u[i*run:])
			}
		}
		return true
	}
	r.dst = memory{ptr: unsafe.Pointer(unsafe.SliceData(d)), n: len(d)}
	r.src = memory{ptr: unsafe.Pointer(unsafe.SliceData(u)), n: len(u)}
	line, cells := dim{len(offsets), [3]int{srcOp: run}}, dim{run, [3]int{1, 1}}
	if attrs.IgnoreInit {
		r.number.identity(attrs.Reduction, unsafe.Pointer(&r.identity))
		r.fill(0, offsets, &cells)
	}
	r.combine(&[3]int{}, offsets, &line, &cells)
	return true
}

// scatterNDFew is ScatterNDUpdate of few elements: numberIn says what they are
// reduced as. It reports whether it has done it.
func scatterNDFew[T any, I Index](dst, data *Tensor[T], indices *Tensor[I], updates *Tensor[T], attrs ScatterAttrs, numberIn func() (number, string)) bool {
	if !dst.plain() || !data.plain() || !indices.plain() || !updates.plain() || attrs.Reduction == Mean || attrs.Reduction > Sub ||
		!slices.Equal(dst.Shape, data.Shape) {
		return false
	}
	f, ok := fewTuplesOf(updates.Shape, data.Shape, indices.Shape, 0)
	if !ok || f.n > maxFew || len(updates.Data) < f.n*f.run || len(indices.Data) < f.n*f.k || min(len(dst.Data), len(data.Data)) < f.table {
		return false
	}
	d, s, x, u := dst.Data[:f.table], data.Data[:f.table], indices.Data[:f.n*f.k], updates.Data[:f.n*f.run]
	inPlace := unsafe.SliceData(d) == unsafe.SliceData(s)
	if !inPlace && (f.table > dispatch.Default.FewElements || !apart(d, s)) || !apart(d, x) || !apart(d, u) {
		return false
	}
	var room [maxFew]int
	offsets := room[:f.n]
	for i := range offsets {
		at := 0
		for c, size := range data.Shape[:f.k] {
			k, ok := fewIndex(x[c], size)
			if !ok {
				return false
			}
			at = at*size + k
		}
		offsets[i], x = at*f.run, x[f.k:]
	}
	return updateFew(d, s, u, offsets, f.run, attrs, numberIn)
}

// gatherNDFew is GatherND of few elements. It reports whether it has done it.
func gatherNDFew[T any, I Index](dst, data *Tensor[T], indices *Tensor[I], b int) bool {
	if !dst.plain() || !data.plain() || !indices.plain() {
		return false
	}
	f, ok := fewTuplesOf(dst.Shape, data.Shape, indices.Shape, b)
	if !ok || len(dst.Data) < f.batches*f.n*f.run || len(indices.Data) < f.batches*f.n*f.k || f.table > len(data.Data)/f.batches {
		return false
	}
	d, s, x := dst.Data[:f.batches*f.n*f.run], data.Data[:f.batches*f.table], indices.Data[:f.batches*f.n*f.k]
	if !apart(d, s) || !apart(d, x) {
		return false
	}
	sizes := data.Shape[b : b+f.k]
	for ; len(s) > 0; s = s[f.table:] {
		for range f.n {
			at := 0
			for c, size := range sizes {
				k, ok := fewIndex(x[c], size)
				if !ok {
					return false
				}
				at = at*size + k
			}
			copy(d[:f.run], s[at*f.run:])
			d, x = d[f.run:], x[f.k:]
		}
	}
	return true
}

// A fewTuples is the form of a GatherND on contiguous tensors: for each of the
// batches, n tuples of k components take runs from a part of data, the table.
type fewTuples struct{ batches, n, k, run, table int }

func fewTuplesOf(dst, data, indices []int, b int) (f fewTuples, ok bool) {
	q, r := len(indices), len(data)
	if q == 0 || b < 0 || b >= min(q, r) || !slices.Equal(data[:b], indices[:b]) {
		return f, false
	}
	k := indices[q-1]
	if k < 1 || k > r-b || len(dst) != q-1+r-b-k || !slices.Equal(dst[:q-1], indices[:q-1]) || !slices.Equal(dst[q-1:], data[b+k:]) {
		return f, false
	}
	count, limit := 1, dispatch.Default.FewElements
	f = fewTuples{1, 1, k, 1, 1}
	for d, n := range dst {
		if n < 1 || n > limit {
			return f, false
		}
		if count *= n; count > limit {
			return f, false
		}
		switch {
		case d < b:
			f.batches *= n
		case d < q-1:
			f.n *= n
		default:
			f.run *= n
		}
	}
	for _, n := range data[b:] {
		var fits bool
		if f.table, fits = mulInt(f.table, n); !fits || n < 1 {
			return f, false
		}
	}
	return f, true
}

// gatherFew is Gather of few elements. It reports whether it has done it.
func gatherFew[T any, I Index](dst, data *Tensor[T], indices *Tensor[I], axis, b int) bool {
	if !dst.plain() || !data.plain() || !indices.plain() {
		return false
	}
	f, ok := fewSlicesOf(dst.Shape, data.Shape, indices.Shape, axis, b)
	if !ok || len(dst.Data) < f.batches*f.outer*f.n*f.run || len(indices.Data) < f.batches*f.n || f.size > len(data.Data)/(f.batches*f.outer*f.run) {
		return false
	}
	d, s, x := dst.Data[:f.batches*f.outer*f.n*f.run], data.Data[:f.batches*f.outer*f.size*f.run], indices.Data[:f.batches*f.n]
	if !apart(d, s) || !apart(d, x) {
		return false
	}
	for ; len(x) > 0; x = x[f.n:] {
		for range f.outer {
			for _, v := range x[:f.n] {
				k, ok := fewIndex(v, f.size)
				if !ok {
					return false
				}
				if f.run == 1 {
					d[0] = s[k]
				} else {
					copy(d[:f.run], s[k*f.run:])
				}
				d = d[f.run:]
			}
			s = s[f.size*f.run:]
		}
	}
	return true
}

// A fewSlices is the form of a Gather on contiguous tensors: data is batches ×
// outer × size × run and indices batches × n.
type fewSlices struct{ batches, outer, n, run, size int }

func fewSlicesOf(dst, data, indices []int, axis, b int) (f fewSlices, ok bool) {
	q, r := len(indices), len(data)
	if axis < 0 {
		axis += r
	}
	if axis < 0 || axis >= r || b < 0 || b > min(q, axis) || len(dst) != r+q-b-1 {
		return f, false
	}
	last := axis + q - b
	if !slices.Equal(dst[:axis], data[:axis]) || !slices.Equal(dst[:b], indices[:b]) || !slices.Equal(dst[axis:last], indices[b:]) || !slices.Equal(dst[last:], data[axis+1:]) {
		return f, false
	}
	count, limit := 1, dispatch.Default.FewElements
	f = fewSlices{1, 1, 1, 1, data[axis]}
	for d, n := range dst {
		if n < 1 || n > limit {
			return f, false
		}
		if count *= n; count > limit {
			return f, false
		}
		switch {
		case d < b:
			f.batches *= n
		case d < axis:
			f.outer *= n
		case d < last:
			f.n *= n
		default:
			f.run *= n
		}
	}
	return f, f.size > 0 && limit > 0
}

// slicedFew is sliced of few elements. It reports whether it has done it.
func slicedFew[T any](dst, data *Tensor[T], by slicing) bool {
	if !dst.plain() || !data.plain() {
		return false
	}
	var (
		room [maxFewAxes]cut
		dims [2 * maxFewAxes]int
	)
	count, ok := fewElements(dst.Shape)
	if !ok || len(data.Shape) > maxFewAxes || len(dst.Shape) > maxFewAxes || len(dst.Data) < count || !fewFits(data.Shape, len(data.Data)) {
		return false
	}
	cuts, err := by.cuts(room[:0], data.Shape)
	if err != nil {
		return false
	}
	v := view{shape: data.Shape}
	shape, strides, at := v.part(cuts, dims[:0])
	if !slices.Equal(dst.Shape, shape) {
		return false
	}
	d, s := dst.Data[:count], data.Data
	if !apart(d, s) {
		return false
	}
	if len(shape) == 0 {
		d[0] = s[at]
		return true
	}
	var position [maxFewAxes]int
	last := len(shape) - 1
	for step := strides[last]; ; {
		for j := range shape[last] {
			d[j] = s[at+j*step]
		}
		if d = d[shape[last]:]; len(d) == 0 {
			return true
		}
		for k := last - 1; ; k-- { // there is a next row, or d would be empty
			at += strides[k]
			if position[k]++; position[k] < shape[k] {
				break
			}
			at -= shape[k] * strides[k]
			position[k] = 0
		}
	}
}

// maxFewAxes is the largest rank of a slice that few elements are taken of directly.
const maxFewAxes = 8

// fewElements returns the product of a shape, and whether it is one of few, but some, elements.
func fewElements(shape []int) (count int, ok bool) {
	count = 1
	for _, n := range shape {
		if n < 1 || n > dispatch.Default.FewElements {
			return 0, false
		}
		if count *= n; count > dispatch.Default.FewElements {
			return 0, false
		}
	}
	return count, dispatch.Default.FewElements > 0
}

// fewFits reports whether a slice of some length has an element for each coordinate of a shape.
func fewFits(shape []int, length int) bool {
	count, reason := elements(shape)
	return reason == "" && count <= length
}
