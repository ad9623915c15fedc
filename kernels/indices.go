package kernels

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// kindOf returns the kind of an index type.
func kindOf[I Index]() lanes.Kind { return lanes.KindOf[I]() }

// resolvable reports whether primitives take indices of a kind. Others are widened first, block by
// block.
func resolvable(k lanes.Kind) bool { return k == lanes.KindI32 || k == lanes.KindI64 }

// wideMemory returns widened indices as primitives take them.
func wideMemory(wide []int64) lanes.Memory {
	return lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(wide)), Len: len(wide), Kind: lanes.KindI64}
}

// An axes is what indices lead to: an axis of the operand that is indexed, or several.
type axes struct {
	size   int    // of the axis
	step   int    // of the operand, from one element of that axis to the next
	tuples tuples // instead of size and step, when sizes are given
}

// assign sets what b has, field by field: a copy of the whole has to wait for the stores that made
// it.
func (a *axes) assign(b *axes) {
	a.size, a.step = b.size, b.step
	if len(b.tuples.sizes) > 0 {
		a.tuples = b.tuples
	}
}

// tuples are the axes that the components of a GatherND tuple index.
type tuples struct {
	sizes []int // of the operand's axes
	steps [maxLoops]int
	long  []int // the steps, if they are more
	step  int   // from one component to the next, in indices
}

// of sets the sizes of the axes, with steps of 0, and how far components lie apart.
func (t *tuples) of(sizes []int, step int) {
	t.sizes, t.step = sizes, step
	if len(sizes) > maxLoops {
		t.long = make([]int, len(sizes))
	}
}

// set sets the step of axis d.
func (t *tuples) set(d, step int) {
	if t.long != nil {
		t.long[d] = step
	} else {
		t.steps[d] = step
	}
}

// all returns the steps.
func (t *tuples) all() []int {
	if t.long != nil {
		return t.long
	}
	return t.steps[:len(t.sizes)]
}

// index sets the sizes and steps of the k axes of an operand, from axis b on, that tuples index.
func (a *axes) index(operand, indices *view, units, b, k int) {
	if k == 1 {
		a.size, a.step = operand.shape[b], operand.stride(b)*units
		return
	}
	t := &a.tuples
	t.of(operand.shape[b:b+k], indices.stride(len(indices.shape)-1))
	for d := range k {
		t.set(d, operand.stride(b+d)*units)
	}
}

// indexAt returns an index. A uint64 above math.MaxInt64 becomes math.MaxInt64, which is out of
// range for every axis.
func indexAt(x lanes.Memory, at int) int64 {
	if x.Kind == lanes.KindI64 {
		return *(*int64)(unsafe.Add(x.Ptr, at*8)) // in bounds: the view was checked
	}
	p := unsafe.Add(x.Ptr, at*x.Kind.Width())
	switch x.Kind {
	case lanes.KindI32:
		return int64(*(*int32)(p))
	case lanes.KindI16:
		return int64(*(*int16)(p))
	case lanes.KindI8:
		return int64(*(*int8)(p))
	case lanes.KindU8:
		return int64(*(*uint8)(p))
	case lanes.KindU16:
		return int64(*(*uint16)(p))
	case lanes.KindU32:
		return int64(*(*uint32)(p))
	}
	return int64(min(*(*uint64)(p), math.MaxInt64))
}

// indexText returns the index as it was given.
func indexText(x lanes.Memory, at int) string {
	if x.Kind == lanes.KindU64 {
		return strconv.FormatUint(slice[uint64](&x)[at], 10)
	}
	var v [1]int64
	lanes.WidenRaw(v[:], x, at, 1)
	return strconv.FormatInt(v[0], 10)
}
