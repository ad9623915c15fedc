package kernels

import (
	"slices"

	"github.com/lanes-go/lanes"
)

const tensorScatterOp = "TensorScatter"

// CacheMode says what TensorScatter does at the end of an axis.
type CacheMode uint8

// The modes of TensorScatter.
const (
	Linear   CacheMode = iota // updates end where the axis ends, or before
	Circular                  // after the last position of the axis comes the first
)

// String returns the mode as ONNX spells it.
func (m CacheMode) String() string {
	switch m {
	case Linear:
		return "linear"
	case Circular:
		return "circular"
	}
	return "CacheMode(" + itoa(int(m)) + ")"
}

// TensorScatter writes rows into a cache, such as the keys and values of new tokens: dst is a
// copy of data, with the updates of each batch b at indices[b] and the positions after it.
//
//	dst = data
//	dst[b, …, indices[b] + i, …] = updates[b, …, i, …]    (the position stands on axis)
//
// With Circular a position is taken modulo the size d of the axis.
//
// data has rank r ≥ 2, and its axis 0 is the batch. axis is in [-r, r-1] and another one; ONNX's
// default is -2. updates has the shape of data, but on axis its length n is at most d.
// indices has the shape [data.Shape[0]]; the zero Tensor stands for zeros. An index is in
// [0, d-n], and with Circular any that is not negative: none counts from the end. [Indices] sets
// another meaning. dst has the shape of data.
//
// It works in place when equal coordinates of dst and data are the same memory; then it
// writes the updates alone, and costs their bytes. Otherwise dst shares no memory with an
// input. It may have any strides under which no two coordinates share an element. Every failure
// is found before anything is written: a ShapeError, an AttributeError (axis, mode), an
// OverlapError, or an IndexError, whose Length is n if the mode is Linear.
//
// Source: ONNX TensorScatter-24, where data is called past_cache, updates update, indices
// write_indices, and dst present_cache. It leaves open what a negative index means; here that is an
// error, as in ONNX Runtime.
func TensorScatter[T any, I Index](dst, data, updates Tensor[T], indices Tensor[I], axis int, mode CacheMode, opts ...Option) error {
	s := begin(tensorScatterOp, opts)
	d := view{tensor: tensorOf(&dst), role: dstRole, size: elementSize(&dst)}
	f := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	u := view{tensor: tensorOf(&updates), role: updatesRole, size: elementSize(&updates)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: kindOf[I]()}
	var e elem
	elemOf[T](&e)
	return s.done(tensorScatter(&s, &e, &d, &f, &u, &x, axis, mode))
}

// TensorScatterShape returns the shape of TensorScatter's output, which is data's, or the
// error that the call would return for these shapes. indices that are nil are left out.
func TensorScatterShape(data, updates, indices []int, axis int) ([]int, error) {
	if _, err := checkTensorScatter(data, updates, indices, indices != nil, axis); err != nil {
		return nil, err
	}
	return slices.Clone(data), nil
}

// checkTensorScatter returns axis counted from 0.
func checkTensorScatter(data, updates, indices []int, given bool, axis int) (int, error) {
	const op = tensorScatterOp
	if err := checkShape(op, dataRole, data); err != nil {
		return 0, err
	}
	if err := checkShape(op, updatesRole, updates); err != nil {
		return 0, err
	}
	if len(data) < 2 {
		return 0, shapeError(op, dataRole, data, "needs at least two axes")
	}
	as := axis // as given
	axis, err := checkAxis(op, axis, len(data))
	if err != nil {
		return 0, err
	}
	if axis == 0 {
		return 0, &AttributeError{Op: op, Attribute: "axis", Value: itoa(as), Reason: "axis 0 is the batch"}
	}
	fits := len(updates) == len(data) && updates[axis] <= data[axis]
	for d := 0; fits && d < len(data); d++ {
		fits = d == axis || updates[d] == data[d]
	}
	if !fits {
		return 0, shapeError(op, updatesRole, updates, "want data's shape "+ints(data)+", or less on axis "+itoa(axis))
	}
	if given && (len(indices) != 1 || indices[0] != data[0]) {
		return 0, shapeError(op, indicesRole, indices, "want shape "+ints(data[:1]))
	}
	return axis, nil
}

func tensorScatter(s *settings, e *elem, dst, data, updates, indices *view, axis int, mode CacheMode) error {
	const op = tensorScatterOp
	if mode > Circular {
		return &AttributeError{Op: op, Attribute: "mode", Value: mode.String(), Reason: "there is no such mode"}
	}
	given := !indices.none()
	axis, err := checkTensorScatter(data.shape, updates.shape, indices.shape, given, axis)
	if err != nil {
		return err
	}
	others := [...]*view{updates, indices}
	n := len(others)
	if !given {
		n--
	}
	inPlace, err := checkScattered(op, dst, data, others[:n]...)
	if err != nil {
		return err
	}
	if err := s.policy.check(op); err != nil {
		return err
	}
	policy := s.policy
	if !s.given {
		policy.NegativeIsOutOfRange = true
	}
	size, length := data.shape[axis], updates.shape[axis]
	w := cacheWrite{axis: axis, size: size, length: length, circular: mode == Circular, policy: policy}
	if given {
		w.indices, w.at = indices.memory(indices.kind, 1)
		w.step = indices.stride(0)
	}
	batches := data.shape[0]
	if err := w.check(batches); err != nil {
		return err
	}
	if !inPlace && (updates.count < dst.count || policy.OutOfRange == Skip) { // else updates take the place of everything
		copyView(s, e, dst, data, true)
	}
	if updates.count == 0 || e.size == 0 {
		return nil
	}
	w.copy(s, e, dst, updates, batches)
	return nil
}

// A cacheWrite is where the updates of a TensorScatter go.
type cacheWrite struct {
	indices  lanes.Memory // of no length: all are 0
	at, step int          // in indices
	axis     int
	size     int // of the axis
	length   int // of updates on it
	circular bool
	policy   IndexPolicy
}

// first returns where the updates of a batch begin on the axis, whether they are written, and
// whether their index is allowed.
func (w *cacheWrite) first(b int) (first int, written, allowed bool) {
	if w.indices.Len == 0 {
		return 0, true, true
	}
	at := w.at + b*w.step
	k := indexAt(w.indices, at)
	if !w.policy.NegativeIsOutOfRange && k < 0 {
		k += int64(w.size)
	}
	switch last := w.size - w.length; {
	case k >= 0 && w.circular && w.size == 0:
		return 0, true, true
	case k >= 0 && w.circular && w.indices.Kind == lanes.KindU64: // which may be past what indexAt returns
		return int(slice[uint64](&w.indices)[at] % uint64(w.size)), true, true
	case k >= 0 && w.circular:
		return int(k % int64(w.size)), true, true
	case k >= 0 && k <= int64(last):
		return int(k), true, true
	case w.policy.OutOfRange == Clamp && k < 0:
		return 0, true, true
	case w.policy.OutOfRange == Clamp:
		return last, true, true
	}
	return 0, false, w.policy.OutOfRange == Skip
}

// check returns an error for the first bad index.
func (w *cacheWrite) check(batches int) error {
	if w.indices.Len == 0 {
		return nil
	}
	if w.step == 0 { // the same index once is enough: there may be more batches than memory
		batches = min(batches, 1)
	}
	for b := range batches {
		if _, _, ok := w.first(b); ok {
			continue
		}
		e := &IndexError{Op: tensorScatterOp, Position: []int{b}, Value: indexText(w.indices, w.at+b*w.step), Axis: w.axis, Size: w.size}
		if !w.circular {
			e.Length = w.length
		}
		return e
	}
	return nil
}

// copy copies the updates to dst. Neighbouring batches whose updates begin at the same
// position are copied together: all of them, where no index is given.
func (w *cacheWrite) copy(s *settings, e *elem, dst, updates *view, batches int) {
	var dims [3 * maxLoops]int
	lists, axis := dims[:0], 0
	kept := func(d int) bool { return d == 0 || d == w.axis || updates.shape[d] != 1 } // else each batch takes time by the rank
	for d, n := range updates.shape {
		if kept(d) {
			if d == w.axis {
				axis = len(lists)
			}
			lists = append(lists, n)
		}
	}
	rank := len(lists)
	for _, v := range [...]*view{dst, updates} {
		for d := range updates.shape {
			if kept(d) {
				lists = append(lists, v.stride(d))
			}
		}
	}
	here, there := *dst.tensor, *updates.tensor
	whole, source := *dst.tensor, *updates.tensor // which copyParts moves; dst itself stays as it is, for realign
	here.shape, here.strides = lists[:rank:rank], lists[rank:2*rank:2*rank]
	there.shape, there.strides = here.shape, lists[2*rank:]
	to, from := dst.by(&here), updates.by(&there)
	all, of := dst.by(&whole), updates.by(&source)
	others := updates.count / (batches * w.length) // elements of a batch at one position

	for b := 0; b < batches; {
		first, written, _ := w.first(b)
		n := 1
		for b+n < batches {
			if next, also, _ := w.first(b + n); next != first || also != written {
				break
			}
			n++
		}
		if !written {
			b += n
			continue
		}
		to.shape[0] = n
		for done := 0; done < w.length; {
			rows := min(w.length-done, w.size-first)
			to.shape[axis], to.count = rows, n*rows*others
			from.count = to.count
			to.offset = dst.offset + b*to.strides[0] + first*to.strides[axis]
			from.offset = updates.offset + b*from.strides[0] + done*from.strides[axis]
			copyParts(s, e, &all, &to, &of, &from, true)
			done, first = done+rows, 0
		}
		b += n
	}
}
