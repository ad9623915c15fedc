package kernels

import (
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// A dim is one loop of a nest: n steps, and how far each operand moves with one.
type dim struct {
	n int
	s [3]int
}

// The operands of a nest. A gather reads src at an index, a scatter writes dst
// at one; a copy has no indices.
const (
	dstOp = iota
	srcOp
	idxOp
)

// after returns where the operands are after n steps.
func (d *dim) after(at [3]int, n int) [3]int {
	for op, s := range d.s {
		at[op] += n * s
	}
	return at
}

// A nest is a loop nest, outermost loop first, and where its operands start.
// It is the canonical form that operators bring their tensors into:
//
//	for i0 := range dims[0].n {
//		for i1 := range dims[1].n {
//			…
//			dst[at[0] + i0*dims[0].s[0] + i1*dims[1].s[0] + …] = src[at[1] + i0*dims[0].s[1] + …]
//		}
//	}
//
// The indexed axis is a loop like any other; only that the indexed operand
// stands still along it (its s is 0) and is moved by the index instead.
type nest struct {
	dims []dim
	at   [3]int

	// The range of the indexed axis whose cells the nest owns, of a part of a
	// scatter whose parts share all loops; or the rows that a part of a mask chooses. It
	// owns all if high is 0.
	low, high int
}

// The functions that shape a nest take its loops and return them, as append
// does, and work in the same room. (A method that set n.dims would make the room escape.)

// collapse drops loops of one step and merges neighbours that every operand
// walks through evenly.
func collapse(dims []dim) []dim {
	out := dims[:0]
	for _, d := range dims {
		if d.n == 1 {
			continue
		}
		if k := len(out) - 1; k >= 0 && evenly(&out[k], &d) {
			out[k] = dim{out[k].n * d.n, d.s}
		} else {
			out = append(out, d)
		}
	}
	return out
}

func evenly(outer, inner *dim) bool {
	for k, s := range inner.s {
		if outer.s[k] != inner.n*s {
			return false
		}
	}
	return true
}

// sequential turns and orders the loops, in place, so that dst is written in
// ascending order, as far as its strides allow; at moves to where the turned
// loops start. It is for nests whose order is free.
func sequential(dims []dim, at *[3]int) {
	for i := range dims {
		d := &dims[i]
		if d.s[dstOp] < 0 {
			for k := range d.s {
				at[k] += (d.n - 1) * d.s[k]
				d.s[k] = -d.s[k]
			}
		}
	}
	slices.SortStableFunc(dims, func(a, b dim) int { return b.s[dstOp] - a.s[dstOp] })
}

// one is a loop of one step, for places in a nest that nothing needs.
var one = dim{n: 1}

// arrange orders the loops of a collapsed nest with indices as its primitives
// take them. The last three become
//
//	… row, line, run
//
// run is the innermost loop when indices stand still along it, so that one
// index is good for a run of elements; else it has one step. line is the
// innermost loop along which indices move. Every loop keeps its direction,
// which is all that a scatter's order of updates needs: those of one cell differ
// along the axis alone.
func arrange(dims []dim) []dim {
	line, run := one, one
	if k := len(dims) - 1; k >= 0 && dims[k].s[idxOp] == 0 {
		run, dims = dims[k], dims[:k]
	}
	for k := len(dims) - 1; k >= 0; k-- {
		if dims[k].s[idxOp] != 0 {
			line = dims[k]
			dims = slices.Delete(dims, k, k+1)
			break
		}
	}
	return pad(append(dims, line, run), 3)
}

// arrangeTuples is arrange for a scatter whose tuples dst stands still along:
// line is the innermost loop of those, though its indices may stand still too, and run
// the innermost of what a tuple names. Tuples keep their order, in which updates of
// a cell may come from any two of them.
func arrangeTuples(dims []dim) []dim {
	line, run := one, one
	if k := len(dims) - 1; k >= 0 && dims[k].own() {
		run, dims = dims[k], dims[:k]
	}
	for k := len(dims) - 1; k >= 0; k-- {
		if !dims[k].own() {
			line = dims[k]
			dims = slices.Delete(dims, k, k+1)
			break
		}
	}
	return pad(append(dims, line, run), 3)
}

// pad puts loops of one step in front until there are k.
func pad(dims []dim, k int) []dim {
	for len(dims) < k {
		dims = slices.Insert(dims, 0, one)
	}
	return dims
}

// each runs leaf for every step of the loops, and stops when it returns false.
func each(loops []dim, at [3]int, leaf func(at [3]int) bool) bool {
	if len(loops) == 0 {
		return leaf(at)
	}
	for range loops[0].n {
		if !each(loops[1:], at, leaf) {
			return false
		}
		for k, s := range loops[0].s {
			at[k] += s
		}
	}
	return true
}

// steps returns the product of the loops.
func (n *nest) steps() int {
	p := 1
	for _, d := range n.dims {
		p *= d.n
	}
	return p
}

// part returns the i-th of parts of a nest that is cut along loop k. Its loops
// are written to buf.
func (n *nest) part(buf []dim, k, i, parts int) nest {
	p := nest{dims: append(buf, n.dims...), at: n.at}
	d := &p.dims[k]
	lo, hi := share(d.n, i, parts), share(d.n, i+1, parts)
	for op, s := range d.s {
		p.at[op] += lo * s
	}
	d.n = hi - lo
	return p
}

// share returns n*i/parts, for n*i that may not fit an int, with fewer than 2^32 parts.
func share(n, i, parts int) int { return n/parts*i + int(uint64(n%parts)*uint64(i)/uint64(parts)) }

// memory is what a view reaches, from its lowest element to its highest: a
// flat slice without its type, n numbers of a width that the user knows.
type memory struct {
	ptr    unsafe.Pointer
	n      int
	dense  bool // the view reaches all of them
	stream bool // to be written past the caches
}

// operand returns what a view reaches, and where in it element [0, 0, …] is,
// both in units. Of types with pointers, only their move knows the slices.
func (e *elem) operand(v *view) (m memory, at int) {
	if e.refs {
		return memory{}, v.offset
	}
	return v.memory(e.units)
}

// memory is operand for a type of the given number of units.
func (v *view) memory(units int) (m memory, at int) {
	if v.count == 0 {
		return memory{}, 0
	}
	return memory{ptr: unsafe.Add(v.ptr, v.lo*v.size), n: (v.hi - v.lo + 1) * units, dense: v.dense()}, (v.offset - v.lo) * units
}

// part returns n numbers of a width from one on.
func (m *memory) part(width, at, n int) memory {
	return memory{ptr: unsafe.Add(m.ptr, at*width), n: n, dense: true}
}

func slice[T any](m *memory) []T { return unsafe.Slice((*T)(m.ptr), m.n) }

// plane returns an operand as primitives take it.
func plane[T any](m *memory, op int, at *[3]int, row, col *dim) lanes.Plane[T] {
	return lanes.Plane[T]{Data: slice[T](m), At: at[op], Row: row.s[op], Col: col.s[op], Stream: m.stream}
}

// inner returns the last two loops of an arranged nest.
func (n *nest) inner() (line, run *dim) {
	k := len(n.dims) - 2
	return &n.dims[k], &n.dims[k+1]
}
