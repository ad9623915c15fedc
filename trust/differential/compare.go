package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// How an outcome differs from ours.
const (
	crashes  = "crashes"
	refuses  = "refuses"  // an error, and we have a result
	accepts  = "accepts"  // a result, and we have an error
	reshapes = "reshapes" // a result of another shape
	differs  = "differs"  // elements
)

// A mismatch is a call on which a library and lanes do not agree.
type mismatch struct {
	library       string
	number, place int // of the group, and in it
	call          *calls.Call
	ours, theirs  outcome
	kind          string
	elements      []int // that differ, in row-major order
}

// compare returns how the outcomes differ, and "" if they don't. Errors agree
// with errors, whatever their words.
func compare(c *calls.Call, ours, theirs outcome) (kind string, elements []int) {
	switch {
	case theirs.crashed:
		return crashes, nil
	case ours.failed() && theirs.failed():
		return "", nil
	case ours.failed():
		return accepts, nil
	case theirs.failed():
		return refuses, nil
	case !slices.Equal(ours.result.Shape, theirs.result.Shape) || len(ours.result.Data) != len(theirs.result.Data):
		return reshapes, nil
	}
	size := calls.Size(c.Data.Type)
	for i := range ours.result.Count() {
		if !equal(c, ours.result.Data[i*size:][:size], theirs.result.Data[i*size:][:size]) {
			elements = append(elements, i)
		}
	}
	if elements != nil {
		return differs, elements
	}
	return "", nil
}

// equal compares elements: bit for bit, but that a NaN which arithmetic may
// have made is as good as another.
func equal(c *calls.Call, a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	t, reduction := c.Data.Type, c.Reduction()
	arithmetic := reduction == kernels.Sum || reduction == kernels.Sub || reduction == kernels.Prod || reduction == kernels.Mean
	part := calls.Part(t)
	if !arithmetic || part == 0 {
		return false
	}
	for i := 0; i < len(a); i += part {
		x, y := a[i:i+part], b[i:i+part]
		if !bytes.Equal(x, y) && !(calls.NaN(t, x) && calls.NaN(t, y)) {
			return false
		}
	}
	return true
}

// signature says what a mismatch is about, so that those alike stand together.
func (m *mismatch) signature() string {
	s := fmt.Sprintf("%s %s: %s of %v", m.library, m.kind, m.call.Op, m.call.Data.Type)
	if m.call.Op.Scatters() || m.call.Op == calls.EmbeddingBag {
		s += ", " + m.call.Reduction().String()
		if m.call.Attrs.IgnoreInit {
			s += " without the initial value"
		}
	}
	return s
}

// size orders mismatches: the smallest is the one to show.
func (m *mismatch) size() int {
	return len(m.call.Data.Data) + len(m.call.Indices.Data) + len(m.call.Updates.Data) + 8*len(m.call.Data.Shape)
}

// String shows the call and what came of it.
func (m *mismatch) String() string {
	c := m.call
	var b bytes.Buffer
	fmt.Fprintf(&b, "case %d/%d: %s\n  data %s\n", m.number, m.place, m.signature(), show(c.Data))
	switch {
	case c.Op == calls.StridedSlice:
		fmt.Fprintf(&b, "  %+v\n", c.Spec)
	case c.Op == calls.Slice || c.Op == calls.SliceScatter:
		fmt.Fprintf(&b, "  %+v\n", c.Ranges)
	case c.Op == calls.Compress:
		fmt.Fprintf(&b, "  axis %d, condition %s\n", c.Axis, show(c.Condition))
	case c.Op == calls.GeneralGather:
		fmt.Fprintf(&b, "  %+v\n  indices %s\n", c.Gather, show(c.Indices))
	case c.Op == calls.GeneralScatter:
		fmt.Fprintf(&b, "  %+v\n  indices %s\n", c.Scatter, show(c.Indices))
	case c.Op == calls.EmbeddingBag:
		fmt.Fprintf(&b, "  %+v\n  indices %s\n  offsets %s\n", c.Bag, show(c.Indices), show(c.Offsets))
	default:
		fmt.Fprintf(&b, "  axis %d, batch_dims %d\n  indices %s\n", c.Axis, c.BatchDims, show(c.Indices))
	}
	if c.Updates.Type != 0 {
		fmt.Fprintf(&b, "  updates %s\n", show(c.Updates))
	}
	fmt.Fprintf(&b, "  lanes: %s\n  %s: %s\n", m.ours, m.library, m.theirs)
	if m.elements != nil {
		fmt.Fprintf(&b, "  elements that differ: %v\n", m.elements[:min(len(m.elements), 12)])
	}
	return b.String()
}

func (o outcome) String() string {
	if o.failed() {
		return o.err
	}
	return show(o.result)
}

// show writes a tensor, shortened where it is long. Floating-point numbers are shown as bits.
func show(t calls.Tensor) string {
	const most = 40
	s := fmt.Sprintf("%v%v [", t.Type, t.Shape)
	size := calls.Size(t.Type)
	for i := range len(t.Data) / size {
		if i == most {
			return s + " …]"
		}
		e := t.Data[i*size:][:size]
		if calls.Part(t.Type) == 0 && t.Type != kernels.DTypeUint64 && t.Type != kernels.DTypeString {
			s += fmt.Sprintf(" %d", integer(t.Type, e))
			continue
		}
		e = slices.Clone(e)
		slices.Reverse(e)
		s += fmt.Sprintf(" %x", e)
	}
	return s + "]"
}

// integer returns an integer or truth value, uint64 aside.
func integer(t kernels.DType, e []byte) int64 {
	var v uint64
	for i, x := range e {
		v |= uint64(x) << (8 * i)
	}
	switch t {
	case kernels.DTypeInt8, kernels.DTypeInt16, kernels.DTypeInt32:
		shift := 64 - 8*len(e)
		return int64(v) << shift >> shift
	}
	return int64(v)
}
