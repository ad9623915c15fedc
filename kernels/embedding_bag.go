package kernels

import (
	"slices"
	"sync"

	"github.com/lanes-go/lanes"
)

const embeddingBagOp = "EmbeddingBag"

// BagAttrs are the attributes of EmbeddingBag.
type BagAttrs struct {
	// Reduction is Sum, Mean or Max; the others are an AttributeError, None too.
	Reduction Reduction

	// With HasDefault, an empty bag is row DefaultIndex of table, and zeros
	// when that is -1. Rows are not counted from the end here. Without HasDefault it is
	// zeros, also of Max.
	HasDefault   bool
	DefaultIndex int
}

// EmbeddingBag reduces rows of a table, bag by bag:
//
//	dst[b, …] = reduction(table[indices[i], …] for i from offsets[b] up to offsets[b+1])
//
// where the last bag ends with indices. Rows are taken in the order of indices, each step rounded
// to the element type as Reduction says, so that the result is one exact bit pattern for any number
// of workers: a sum begins with +0, a mean is the sum divided once by the number of rows (of
// integers the exact one, rounded toward minus infinity). With weights, which Sum alone takes, row
// i is multiplied by weights[i] first: the product is rounded, then added. The zero Tensor stands
// for no weights.
//
// table has rank r ≥ 1, indices and offsets have rank 1, and weights, if any, the
// shape of indices; dst has the shape [len(offsets)] ++ table.Shape[1:]. An
// index is in [-d, d-1] for a table of d rows; a negative one counts from the end. [Indices] sets
// another meaning, where a bag of which nothing is left is an empty one.
// Offsets are not counted from the end: they ascend, though not strictly, and are in
// [0, len(indices)]. Indices before the first belong to no bag and are not read.
//
// dst may have any strides under which no two coordinates share an element, and shares no memory
// with an input. Failures before anything is written are a ShapeError, an AttributeError
// (reduction, default_index, weights), a TypeError (no such reduction of T), an OverlapError and an
// OffsetError. An index out of range is an IndexError; dst may have been partly written by then.
// When dst is empty, no index and no offset is read.
//
// Sources: OpenVINO EmbeddingBagOffsets-15 (Sum, Mean) and EmbeddingBagOffsetsSum-3, whose numeric
// types, offsets and default index these are; nn.EmbeddingBag of PyTorch 2.15 for Max and what it
// gives for empty bags. Negative indices are NumPy's, in which the document of OpenVINO has its
// formula, though OpenVINO itself refuses them.
func EmbeddingBag[T any, I Index](dst, table Tensor[T], indices, offsets Tensor[I], weights Tensor[T], attrs BagAttrs, opts ...Option) error {
	s := begin(embeddingBagOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	t := view{tensor: tensorOf(&table), role: tableRole, size: elementSize(&table)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: kindOf[I]()}
	o := view{tensor: tensorOf(&offsets), role: offsetsRole, size: elementSize(&offsets), kind: kindOf[I]()}
	w := view{tensor: tensorOf(&weights), role: weightsRole, size: elementSize(&weights)}
	e, err := reducedAs[T](embeddingBagOp, attrs.Reduction)
	if err == nil {
		err = embeddingBag(&s, &e, &d, &t, &x, &o, &w, attrs)
	}
	return s.done(err)
}

// EmbeddingBagShape returns the shape of EmbeddingBag's output, or the error
// that the call would return for these shapes.
func EmbeddingBagShape(table, indices, offsets []int) ([]int, error) {
	return embeddingBagShape(nil, table, indices, offsets)
}

// embeddingBagShape appends the output's shape to buf.
func embeddingBagShape(buf, table, indices, offsets []int) ([]int, error) {
	const op = embeddingBagOp
	for i, shape := range [...][]int{table, indices, offsets} {
		if err := checkShape(op, [...]role{tableRole, indicesRole, offsetsRole}[i], shape); err != nil {
			return nil, err
		}
	}
	switch {
	case len(table) == 0:
		return nil, shapeError(op, tableRole, table, "needs at least one axis")
	case len(indices) != 1:
		return nil, shapeError(op, indicesRole, indices, "want rank 1")
	case len(offsets) != 1:
		return nil, shapeError(op, offsetsRole, offsets, "want rank 1")
	}
	shape := append(append(buf, offsets[0]), table[1:]...)
	if err := checkShape(op, dstRole, shape); err != nil {
		return nil, err
	}
	return shape, nil
}

// checkBag checks the arguments but the offsets' and the indices' values, and sets a default index
// that there is not.
func checkBag(s *settings, dst, table, indices, offsets, weights *view, attrs *BagAttrs) error {
	const op = embeddingBagOp
	if r := attrs.Reduction; r != Sum && r != Mean && r != Max {
		return &AttributeError{Op: op, Attribute: "reduction", Value: r.String(), Reason: "want sum, mean or max"}
	}
	var buf [maxLoops]int
	shape, err := embeddingBagShape(buf[:0], table.shape, indices.shape, offsets.shape)
	if err != nil {
		return err
	}
	for _, v := range [...]*view{table, indices, offsets} {
		if err := v.check(op); err != nil {
			return err
		}
	}
	rows := table.shape[0]
	if !attrs.HasDefault {
		attrs.DefaultIndex = -1
	} else if d := attrs.DefaultIndex; d < -1 || d >= rows {
		return &AttributeError{Op: op, Attribute: "default_index", Value: itoa(d), Reason: outside(-1, rows-1)}
	}
	if !weights.none() {
		if attrs.Reduction != Sum {
			return &AttributeError{Op: op, Attribute: "weights", Value: "of shape " + ints(weights.shape), Reason: "only sum takes weights, have " + attrs.Reduction.String()}
		}
		if !slices.Equal(weights.shape, indices.shape) {
			return weights.shapeError(op, "want indices' shape "+ints(indices.shape))
		}
		if err := weights.check(op); err != nil {
			return err
		}
	}
	if err := s.policy.check(op); err != nil {
		return err
	}
	return checkDst(op, dst, shape, table, indices, offsets, weights)
}

func embeddingBag(s *settings, e *elem, dst, table, indices, offsets, weights *view, attrs BagAttrs) error {
	if err := checkBag(s, dst, table, indices, offsets, weights, &attrs); err != nil {
		return err
	}
	if dst.count == 0 {
		return nil
	}

	rows := table.shape[0]
	b := bagsPool.Get().(*bags)
	defer func() {
		*b = bags{} // which must not keep the caller's memory
		bagsPool.Put(b)
	}()
	*b = bags{n: offsets.count, step: offsets.stride(0), count: indices.count, indexStep: indices.stride(0), defaultRow: attrs.DefaultIndex}
	b.offsets, b.at = offsets.memory(offsets.kind, 1)
	if !weights.none() {
		b.weights, b.weightAt = e.memory(weights)
		b.weightStep = weights.stride(0)
	}
	if err := b.check(); err != nil {
		return err
	}
	if rows == 0 && b.first < b.count && s.policy.OutOfRange != Skip { // no index is good, and there is nothing that a part could begin to read
		return b.firstBad(s.policy, indices, rows)
	}
	if !s.policy.usual() { // else the pass finds what is bad
		read := b.read(new(tensor), indices)
		if b.dirty = !s.checkClean(&read, 0, table.shape[:1]); b.dirty && s.policy.fails() {
			return b.firstBad(s.policy, indices, rows)
		}
	}

	c := call{work: bagWork, settings: *s, elem: *e, bags: b, attrs: ScatterAttrs{Reduction: attrs.Reduction, IgnoreInit: true}}
	c.operands(dst, table, indices)
	c.size, c.step = rows, table.stride(0)
	b.indexAt, c.at.idx = c.at.idx, 0 // where bags are counted
	c.identity = c.attrs.identity(e.kind)
	inner := c.array[:0]
	for d, n := range table.shape[1:] {
		inner = append(inner, loop{n, [3]int{dst.stride(d + 1), table.stride(d + 1)}})
	}
	if !dst.contiguous() {
		inner = sequential(inner, &c.at)
	}
	c.set(slices.Insert(pad(collapse(inner), 1), 0, loop{b.n, [3]int{dstOp: dst.stride(0), idxOp: 1}}))
	if !c.runBags() {
		return b.firstBad(s.policy, indices, rows)
	}
	return nil
}

// check checks the offsets, and sets first and longest.
func (b *bags) check() error {
	var wide [offsetsRead]int64
	last := 0
	for i := 0; i < b.n; i += len(wide) {
		block := wide[:min(b.n-i, len(wide))]
		lanes.WidenRaw(block, b.offsets, b.at+i*b.step, b.step)
		for j, o := range block {
			if o < int64(last) || o > int64(b.count) {
				return &OffsetError{Op: embeddingBagOp, Position: []int{i + j}, Value: indexText(b.offsets, b.at+(i+j)*b.step), Least: last, Most: b.count}
			}
			if i+j == 0 {
				b.first = int(o)
			} else {
				b.longest = max(b.longest, int(o)-last)
			}
			last = int(o)
		}
	}
	b.longest = max(b.longest, b.count-last)
	return nil
}

// read returns the indices that are in bags, by way of t.
func (b *bags) read(t *tensor, indices *view) view {
	*t = *indices.tensor
	b.axis = [2]int{b.count - b.first, b.indexStep}
	t.shape, t.strides, t.offset = b.axis[:1], b.axis[1:], indices.offset+b.first*b.indexStep
	read := indices.by(t)
	read.count = b.count - b.first
	return read
}

// firstBad returns the error of the first bad index that is in a bag.
func (b *bags) firstBad(p IndexPolicy, indices *view, size int) error {
	read := b.read(new(tensor), indices)
	err := firstBad(embeddingBagOp, p, &read, 0, []int{size})
	if bad, ok := err.(*IndexError); ok && len(bad.Position) == 1 {
		bad.Position[0] += b.first
	}
	return err
}

var bagsPool = sync.Pool{New: func() any { return new(bags) }}

// none reports whether the view is that of the zero Tensor.
func (v *view) none() bool {
	return v.ptr == nil && v.len == 0 && len(v.shape) == 0 && len(v.strides) == 0 && v.offset == 0
}
