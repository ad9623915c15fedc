package kernels

import (
	"math/bits"
	"strconv"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// An indexKind is the width and the signedness of an index type: twice the
// logarithm of its bytes, plus one when it is unsigned.
type indexKind uint8

const (
	kindInt8 indexKind = iota
	kindUint8
	kindInt16
	kindUint16
	kindInt32
	kindUint32
	kindInt64
	kindUint64
)

func kindOf[I Index]() indexKind {
	var z I
	k := indexKind(2 * bits.TrailingZeros(uint(unsafe.Sizeof(z))))
	if z-1 > 0 {
		k++
	}
	return k
}

// width returns the bytes of an index.
func (k indexKind) width() int { return 1 << (k / 2) }

// An indexSource is where a call reads its indices. at and step are positions in it.
type indexSource struct {
	memory
	kind indexKind
}

// Indices are resolved a block at a time: enough of them that what a block
// costs disappears and memory is read in long runs (W12: 256 at a time take 1.2
// times as long), few enough that they stay in the first-level cache.
const (
	blockLen = 512
	fewLen   = 64 // where a block is on the stack, which is cleared each time
)

// A scratch is the room that a body resolves a block in.
type scratch struct {
	offsets, part []int
	wide          []int64
}

type (
	block struct {
		offsets, part [blockLen]int
		wide          [blockLen]int64
	}
	fewBlock struct {
		offsets, part [fewLen]int
		wide          [fewLen]int64
	}
)

func (b *block) scratch() scratch    { return scratch{b.offsets[:], b.part[:], b.wide[:]} }
func (b *fewBlock) scratch() scratch { return scratch{b.offsets[:], b.part[:], b.wide[:]} }

var blockRooms = sync.Pool{New: func() any { return new(block) }}

// widen reads len(out) indices that lie step apart.
func (x *indexSource) widen(out []int64, at, step int) {
	switch x.kind {
	case kindInt8:
		lanes.Widen(out, slice[int8](&x.memory), at, step)
	case kindUint8:
		lanes.Widen(out, slice[uint8](&x.memory), at, step)
	case kindInt16:
		lanes.Widen(out, slice[int16](&x.memory), at, step)
	case kindUint16:
		lanes.Widen(out, slice[uint16](&x.memory), at, step)
	case kindInt32:
		lanes.Widen(out, slice[int32](&x.memory), at, step)
	case kindUint32:
		lanes.Widen(out, slice[uint32](&x.memory), at, step)
	case kindInt64:
		lanes.Widen(out, slice[int64](&x.memory), at, step)
	case kindUint64:
		lanes.Widen(out, slice[uint64](&x.memory), at, step)
	}
}

// resolve turns len(offsets) ≤ blockLen indices that lie step apart into
// offsets k*scale + j*col, and reports whether all are in range.
func (x *indexSource) resolve(offsets []int, wide []int64, at, step, size, scale, col int) bool {
	switch x.kind {
	case kindInt32:
		return lanes.Resolve(offsets, slice[int32](&x.memory), at, step, size, scale, col) < 0
	case kindInt64:
		return lanes.Resolve(offsets, slice[int64](&x.memory), at, step, size, scale, col) < 0
	}
	x.widen(wide[:len(offsets)], at, step)
	return lanes.Resolve(offsets, wide, 0, 1, size, scale, col) < 0
}

// check reports whether n indices that lie step apart are in range.
func (x *indexSource) check(at, step, n, size int) bool {
	switch x.kind {
	case kindInt32:
		return lanes.Check(slice[int32](&x.memory), at, step, n, size) < 0
	case kindInt64:
		return lanes.Check(slice[int64](&x.memory), at, step, n, size) < 0
	}
	var wide [fewLen]int64
	for n > 0 {
		block := wide[:min(n, fewLen)]
		x.widen(block, at, step)
		if lanes.Check(block, 0, 1, len(block), size) >= 0 {
			return false
		}
		at, n = at+len(block)*step, n-len(block)
	}
	return true
}

// tuples are the axes that the components of a GatherND tuple index.
type tuples struct {
	sizes, steps []int // of data's axes
	step         int   // from one component to the next, in indices
}

// resolveTuples is resolve for len(offsets) tuples, whose offsets are the sums
// over their components.
func (x *indexSource) resolveTuples(offsets []int, s *scratch, t *tuples, at, step, col int) bool {
	switch x.kind {
	case kindInt32:
		return lanes.ResolveTuples(offsets, lanes.Plane[int32]{Data: slice[int32](&x.memory), At: at, Row: step, Col: t.step}, t.sizes, t.steps, col) < 0
	case kindInt64:
		return lanes.ResolveTuples(offsets, lanes.Plane[int64]{Data: slice[int64](&x.memory), At: at, Row: step, Col: t.step}, t.sizes, t.steps, col) < 0
	}
	part := s.part[:len(offsets)]
	for j := range offsets {
		offsets[j] = j * col
	}
	for c, size := range t.sizes {
		if !x.resolve(part, s.wide, at+c*t.step, step, size, t.steps[c], 0) {
			return false
		}
		for j := range offsets {
			offsets[j] += part[j]
		}
	}
	return true
}

// firstBad returns the error of the first index, in row-major order, that is
// outside its axis. A body that met a bad one only says so, whatever order it
// works in; this finds the one that every run reports. Component c of
// a tuple belongs to axis axis+c, of size sizes[c]; without tuples there is one size.
func firstBad(op string, indices *view, kind indexKind, axis int, sizes []int) error {
	x := indexSource{memory{ptr: indices.ptr, n: indices.len}, kind}
	position := make([]int, len(indices.shape))
	last := len(position) - 1
	type loop struct{ axis, n, stride int }
	var loops []loop
	for d, n := range indices.shape {
		if s := indices.stride(d); n > 1 && (s != 0 || d == last && len(sizes) > 1) { // the same indices once are enough
			loops = append(loops, loop{d, n, s})
		}
	}
	for at := indices.offset; ; {
		c := 0
		if len(sizes) > 1 {
			c = position[last]
		}
		if !x.check(at, 1, 1, sizes[c]) {
			return &IndexError{Op: op, Position: position, Value: x.text(at), Axis: axis + c, Size: sizes[c]}
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

// text returns the index as it was given.
func (x *indexSource) text(at int) string {
	if x.kind == kindUint64 {
		return strconv.FormatUint(slice[uint64](&x.memory)[at], 10)
	}
	var v [1]int64
	x.widen(v[:], at, 1)
	return strconv.FormatInt(v[0], 10)
}
