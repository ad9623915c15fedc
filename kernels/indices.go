package kernels

import (
	"math"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// kindOf returns the kind of an index type.
func kindOf[I Index]() lanes.Kind {
	var z I
	k := lanes.KindI8 + lanes.Kind(2*bits.TrailingZeros(uint(unsafe.Sizeof(z))))
	if z-1 > 0 {
		k += lanes.KindU8 - lanes.KindI8
	}
	return k
}

// resolvable reports whether primitives resolve indices of a kind as they are.
// Others are widened first, a block at a time.
func resolvable(k lanes.Kind) bool { return k == lanes.KindI32 || k == lanes.KindI64 }

// wideMemory returns widened indices as primitives take them.
func wideMemory(wide []int64) lanes.Memory {
	return lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(wide)), Len: len(wide), Kind: lanes.KindI64}
}

// tuples are the axes that the components of a GatherND tuple index.
type tuples struct {
	sizes []int // of the operand's axes
	steps [maxLoops]int
	long  []int // the steps, if they are more
	step  int   // from one component to the next, in indices
}

// set makes these the steps of the tuples' axes.
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

// indexing says how tuples of k components lead into an operand, from its axis b on.
func (c *call) indexing(operand, indices *view, b, k int) {
	if k == 1 {
		c.size, c.step = operand.shape[b], operand.stride(b)*c.elem.units
		return
	}
	t := &c.tuples
	t.sizes, t.step = operand.shape[b:b+k], indices.stride(len(indices.shape)-1)
	if k > maxLoops {
		t.long = make([]int, k)
	}
	for d := range k {
		t.set(d, operand.stride(b+d)*c.elem.units)
	}
}

// resolveTuples resolves tuples that lie row apart to the sums of their
// components' offsets, or by a pattern, and adds another pattern if there is one. Where that is faster, and of
// kinds that have to be widened, a component of all tuples is laid side by side and
// resolved along what those before it came to:
//
//	for d := range sizes {
//		for i := range offsets { offsets[i] = tuples(i, d)*steps[d] + pattern[i] }
//		pattern = offsets
//	}
func (c *call) resolveTuples(b *block, offsets []int, at, row int, indices, pattern []int) bool {
	t, n := &c.tuples, len(offsets)
	if indices == nil && resolvable(c.idx.Kind) && !dispatch.SplitsTuples() {
		if lanes.ResolveTuplesRaw(offsets, lanes.Window{Memory: c.idx, At: at, Row: row, Col: t.step}, t.sizes, t.all(), 0) >= 0 {
			return false
		}
		if pattern != nil {
			for j, o := range pattern[:n] {
				offsets[j] += o
			}
		}
		return true
	}
	for d, size := range t.sizes {
		bad := 0
		if x, from := c.sideBySide(b, n, at+d*t.step, row, indices); pattern == nil {
			bad = lanes.ResolveRaw(offsets, x, from, 1, size, t.all()[d], 0)
		} else {
			bad = lanes.ResolvePatternRaw(offsets, x, from, size, t.all()[d], pattern[:n])
		}
		if bad >= 0 {
			return false
		}
		pattern = offsets
	}
	return true
}

// check checks the indices along the last loop, for every step of the others,
// or tuples along the last but one.
func (c *call) check(n *nest) bool {
	c.note("index check")
	if len(c.tuples.sizes) > 0 {
		return c.blocks(n, dstOp, func(int, []int, lanes.Window, loop) {})
	}
	line := n.last(1)
	return n.each(1, func(at [3]int) bool {
		return checkLine(c.idx, at[idxOp], line.s[idxOp], line.n, c.size)
	})
}

// checkLine reports whether n indices that lie step apart are in range.
func checkLine(x lanes.Memory, at, step, n, size int) bool {
	if resolvable(x.Kind) {
		return lanes.CheckRaw(x, at, step, n, size) < 0
	}
	var wide [64]int64
	for n > 0 {
		block := wide[:min(n, len(wide))]
		lanes.WidenRaw(block, x, at, step)
		if lanes.CheckRaw(wideMemory(block), 0, 1, len(block), size) >= 0 {
			return false
		}
		at, n = at+len(block)*step, n-len(block)
	}
	return true
}

// checkIndices reports whether all indices of a view are in range of an axis.
func checkIndices(s settings, indices *view, size int) bool {
	if indices.count == 0 || indices.checked {
		return true
	}
	if indices.count <= mostSmall && indices.contiguous() {
		x := lanes.Memory{Ptr: indices.ptr, Len: indices.len, Kind: indices.kind}
		for i := range indices.count {
			if k := indexAt(x, indices.offset+i); k >= int64(size) || k < -int64(size) {
				return false
			}
		}
		return true
	}
	c := call{work: checkWork, settings: s, size: size}
	c.idx, c.at[idxOp] = indices.memory(indices.kind, 1)
	c.set(pad(collapse(c.indexLoops(indices, len(indices.shape))), 1))
	return c.run()
}

// checkDense is checkIndices for indices side by side.
func checkDense(s settings, indices lanes.Memory, size int) bool {
	c := call{work: checkWork, settings: s, size: size, idx: indices}
	c.set(append(c.array[:0], loop{indices.Len, [3]int{idxOp: 1}}))
	return c.run()
}

// checkTuples reports whether all components of tuples are in range of their axes.
func checkTuples(s settings, indices *view, sizes []int) bool {
	if len(sizes) == 1 {
		return checkIndices(s, indices, sizes[0])
	}
	if indices.count == 0 {
		return true
	}
	last := len(indices.shape) - 1
	c := call{work: checkWork, settings: s}
	c.tuples.sizes, c.tuples.step = sizes, indices.stride(last) // of steps that lead nowhere
	if len(sizes) > maxLoops {
		c.tuples.long = make([]int, len(sizes))
	}
	c.idx, c.at[idxOp] = indices.memory(indices.kind, 1)
	c.set(pad(append(collapse(c.indexLoops(indices, last)), one), 2))
	return c.run()
}

// indexLoops returns the loops over the first axes of indices. Where a stride is
// 0, the same indices once are enough.
func (c *call) indexLoops(indices *view, axes int) []loop {
	loops := c.array[:0]
	for d, n := range indices.shape[:axes] {
		if s := indices.stride(d); s != 0 {
			loops = append(loops, loop{n, [3]int{idxOp: s}})
		}
	}
	return loops
}

// firstBad returns the error of the first index, in row-major order, that is
// outside its axis. A pass that met a bad one only says so, whatever order it
// works in; this finds the one that every run reports. Component c of
// a tuple belongs to axis axis+c, of size sizes[c]; without tuples there is one size.
func firstBad(op string, indices *view, axis int, sizes []int) error {
	x := lanes.Memory{Ptr: indices.ptr, Len: indices.len, Kind: indices.kind}
	position := make([]int, len(indices.shape))
	last := len(position) - 1
	type axisLoop struct{ axis, n, stride int }
	var loops []axisLoop
	for d, n := range indices.shape {
		if s := indices.stride(d); n > 1 && (s != 0 || d == last && len(sizes) > 1) { // the same indices once are enough
			loops = append(loops, axisLoop{d, n, s})
		}
	}
	for at := indices.offset; ; {
		c := 0
		if len(sizes) > 1 {
			c = position[last]
		}
		if !checkLine(x, at, 1, 1, sizes[c]) {
			return &IndexError{Op: op, Position: position, Value: indexText(x, at), Axis: axis + c, Size: sizes[c]}
		}
		i := len(loops) - 1
		for ; i >= 0; i-- {
			l := &loops[i]
			if position[l.axis]++; position[l.axis] < l.n {
				at += l.stride
				break
			}
			position[l.axis] = 0
			at -= (l.n - 1) * l.stride
		}
		if i < 0 { // only if another goroutine mended it in the meantime
			return &IndexError{Op: op, Position: []int{}, Value: "(changed during the call)", Axis: axis, Size: sizes[0]}
		}
	}
}

// indexAt returns an index. One above math.MaxInt64 becomes that, which no axis has an
// element for.
func indexAt(x lanes.Memory, at int) int64 {
	p := unsafe.Add(x.Ptr, at*x.Kind.Width()) // of a checked view
	switch x.Kind {
	case lanes.KindI64:
		return *(*int64)(p)
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
