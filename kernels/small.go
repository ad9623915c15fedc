package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A small call takes less time than the setup of a block, and about as much as that of a call: some
// 900 bytes are set to zero, at 16 in each cycle. So plain loops run over it, as the operator lists
// them. What they read and write was checked with the views, and each index is checked where it is
// used. (BenchmarkSmall, 16 elements, Zen 4, ns by way of a call and so: GatherElements 138 and
// 102, ScatterNDUpdate 262 and 139, a slice 183 and 143.)

// mostSmall bounds dispatch.Default.SmallElements, because the scratch for offsets is an array.
const mostSmall = 128

// isSmall reports whether a call that moves so many elements is small.
func isSmall(e *elem, elements int) bool {
	return elements <= mostSmall && elements*e.units <= min(dispatch.Default.SmallElements, mostSmall) && e.refs == nil
}

// small reports whether a call that moves so many elements is small, and not observed. It runs
// without a call then, if primitives read its indices as the policy has it.
func (s *settings) small(e *elem, elements int) bool {
	return isSmall(e, elements) && s.observer == nil
}

// A small has the operands of a small call.
type small struct {
	dst, src, idx lanes.Memory
	by            *axes
	run           loop // the elements of one index
	op            int  // the operand that indices move
}

// moveSmall runs a small gather or scatter on checked views, and reports whether every index was in
// range. op is the operand that indices move. The loops stand in the order of the definition.
func moveSmall(e *elem, dst, src, indices *view, by *axes, loops []loop, op int) bool {
	var m small
	m.by, m.op = by, op // not in operands: what is stored through a pointer goes to the heap
	at := m.operands(e, dst, src, indices)
	return m.move(loops, at)
}

// operands sets the operands, field by field: a literal would be built elsewhere and copied.
func (m *small) operands(e *elem, dst, src, indices *view) (at position) {
	m.dst, at.dst = dst.memory(e.kind, e.units)
	m.src, at.src = src.memory(e.kind, e.units)
	m.idx, at.idx = indices.memory(indices.kind, 1)
	return at
}

// split takes the run of one index from the end of the loops, and returns the others, one at least.
// To merge two loops would take longer than it saves.
func (m *small) split(loops []loop) []loop {
	if len(loops) > 2 {
		loops = collapse(loops)
	}
	m.run.n = 1
	if k := len(loops) - 1; k >= 0 && loops[k].s[idxOp] == 0 {
		m.run.assign(loops[k].n, &loops[k])
		loops = loops[:k]
	}
	if len(loops) == 0 {
		loops = append(loops, one)
	}
	return loops
}

// move runs the loops of a small gather, or of a small scatter without a reduction.
func (m *small) move(loops []loop, at position) bool {
	loops = m.split(loops)
	switch m.dst.Kind.Width() {
	case 1:
		return moveLines[uint8](m, loops, at.dst, at.src, at.idx)
	case 2:
		return moveLines[uint16](m, loops, at.dst, at.src, at.idx)
	case 4:
		return moveLines[uint32](m, loops, at.dst, at.src, at.idx)
	case 8:
		return moveLines[uint64](m, loops, at.dst, at.src, at.idx)
	default:
		return moveLines[[2]uint64](m, loops, at.dst, at.src, at.idx)
	}
}

// moveLines runs loops over indices, with the operands at d, s and x. All arguments are in
// registers. Addresses are in bounds: the views were checked, and each index just before it is
// used. (One loop for gathers and scatters, with a step of the index for each operand, takes 110 ns
// instead of 103 for a GatherElements of 16 elements, Zen 4.)
func moveLines[T any](m *small, loops []loop, d, s, x int) bool {
	line := &loops[0]
	if len(loops) > 1 {
		for range line.n {
			if !moveLines[T](m, loops[1:], d, s, x) {
				return false
			}
			d, s, x = d+line.s[dstOp], s+line.s[srcOp], x+line.s[idxOp]
		}
		return true
	}
	if !resolvable(m.idx.Kind) || len(m.by.tuples.sizes) > 0 || m.run.n > 1 {
		return moveRuns[T](m, line, d, s, x)
	}
	width := sizeOfType[T]()
	dst, src, indices := m.dst.Ptr, m.src.Ptr, m.idx.Ptr
	size, step, wide := m.by.size, m.by.step, m.idx.Kind == lanes.KindI64
	if m.op == srcOp {
		for range line.n {
			k, ok := wrapped(wideOr32(indices, x, wide), size)
			if !ok {
				return false
			}
			*(*T)(unsafe.Add(dst, d*width)) = *(*T)(unsafe.Add(src, (s+k*step)*width))
			d, s, x = d+line.s[dstOp], s+line.s[srcOp], x+line.s[idxOp]
		}
		return true
	}
	for range line.n {
		k, ok := wrapped(wideOr32(indices, x, wide), size)
		if !ok {
			return false
		}
		*(*T)(unsafe.Add(dst, (d+k*step)*width)) = *(*T)(unsafe.Add(src, s*width))
		d, s, x = d+line.s[dstOp], s+line.s[srcOp], x+line.s[idxOp]
	}
	return true
}

// wideOr32 returns the index at x, of 64 bits or of 32.
func wideOr32(indices unsafe.Pointer, x int, wide bool) int64 {
	if wide {
		return *(*int64)(unsafe.Add(indices, x*8))
	}
	return int64(*(*int32)(unsafe.Add(indices, x*4)))
}

// moveRuns moves a line with indices of any type, with tuples, and with runs of more than one
// element.
func moveRuns[T any](m *small, line *loop, d, s, x int) bool {
	width := sizeOfType[T]()
	dst, src, run := m.dst.Ptr, m.src.Ptr, &m.run
	for range line.n {
		offset, ok := m.by.offset(m.idx, x)
		if !ok {
			return false
		}
		to, of := d, s
		if m.op == dstOp {
			to += offset
		} else {
			of += offset
		}
		for range run.n {
			*(*T)(unsafe.Add(dst, to*width)) = *(*T)(unsafe.Add(src, of*width))
			to, of = to+run.s[dstOp], of+run.s[srcOp]
		}
		d, s, x = d+line.s[dstOp], s+line.s[srcOp], x+line.s[idxOp]
	}
	return true
}

// offset returns how far the index or the tuple at x moves the operand, and whether it is in range.
func (a *axes) offset(indices lanes.Memory, x int) (offset int, ok bool) {
	if len(a.tuples.sizes) > 0 {
		return a.tuples.offset(indices, x)
	}
	offset, ok = wrapped(indexAt(indices, x), a.size)
	return offset * a.step, ok
}

// offset is the same for a tuple.
func (t *tuples) offset(indices lanes.Memory, x int) (offset int, ok bool) {
	for d, step := range t.all() {
		k, ok := wrapped(indexAt(indices, x+d*t.step), t.sizes[d])
		if !ok {
			return 0, false
		}
		offset += k * step
	}
	return offset, true
}

// wrapped returns an index as a position on an axis, and whether it is in range.
func wrapped(k int64, size int) (int, bool) {
	if k < 0 {
		k += int64(size)
	}
	return int(k), uint64(k) < uint64(size)
}

// copySmall makes a small copy of checked views.
func copySmall(e *elem, dst, src *view, loops []loop) {
	var m small // set field by field: a literal would be built elsewhere and copied
	var at position
	m.dst, at.dst = dst.memory(e.kind, e.units)
	m.src, at.src = src.memory(e.kind, e.units)
	switch e.kind.Width() {
	case 1:
		copyLines[uint8](&m, loops, at.dst, at.src)
	case 2:
		copyLines[uint16](&m, loops, at.dst, at.src)
	case 4:
		copyLines[uint32](&m, loops, at.dst, at.src)
	case 8:
		copyLines[uint64](&m, loops, at.dst, at.src)
	default:
		copyLines[[2]uint64](&m, loops, at.dst, at.src)
	}
}

// copyLines runs loops of a copy, with the operands at d and s.
func copyLines[T any](m *small, loops []loop, d, s int) {
	line, width := &one, sizeOfType[T]()
	if len(loops) > 0 {
		line = &loops[0]
	}
	if len(loops) > 1 {
		for range line.n {
			copyLines[T](m, loops[1:], d, s)
			d, s = d+line.s[dstOp], s+line.s[srcOp]
		}
		return
	}
	dst, src := m.dst.Ptr, m.src.Ptr
	for range line.n {
		*(*T)(unsafe.Add(dst, d*width)) = *(*T)(unsafe.Add(src, s*width))
		d, s = d+line.s[dstOp], s+line.s[srcOp]
	}
}

// scatterSmall is moveSmall for a scatter, but not of a mean.
func (a *ScatterAttrs) scatterSmall(e *elem, dst, updates, indices *view, by *axes, loops []loop) bool {
	if a.Reduction == None {
		return moveSmall(e, dst, updates, indices, by, loops, dstOp)
	}
	var m small
	m.by, m.op = by, dstOp
	at := m.operands(e, dst, updates, indices)
	return m.update(a, loops, at)
}

// update combines the updates of a small scatter with their cells. It changes nothing if an index
// is bad.
func (m *small) update(a *ScatterAttrs, loops []loop, at position) bool {
	loops = m.split(loops)
	var array [mostSmall]int
	cells, ok := m.collect(array[:0], loops, at.dst, at.idx)
	if !ok {
		return false
	}
	if a.fills() {
		identity := a.identity(m.dst.Kind)
		lanes.ScatterRaw(m.dst, 0, m.run.s[dstOp], cells, identityWindow(&identity, m.dst.Kind), m.run.n)
	}
	m.combine(a.op(), cells, loops, at.src)
	return true
}

// collect appends the cells that indices lead to, and reports whether every index was in range.
func (m *small) collect(cells []int, loops []loop, d, x int) (_ []int, ok bool) {
	line := &loops[0]
	if len(loops) > 1 {
		for range line.n {
			if cells, ok = m.collect(cells, loops[1:], d, x); !ok {
				return nil, false
			}
			d, x = d+line.s[dstOp], x+line.s[idxOp]
		}
		return cells, true
	}
	k, usual, wide := len(cells), resolvable(m.idx.Kind) && len(m.by.tuples.sizes) == 0, m.idx.Kind == lanes.KindI64
	cells = cells[:k+line.n]
	for i := range cells[k:] {
		var offset int
		if usual {
			offset, ok = wrapped(wideOr32(m.idx.Ptr, x, wide), m.by.size)
			offset *= m.by.step
		} else {
			offset, ok = m.by.offset(m.idx, x)
		}
		if !ok {
			return nil, false
		}
		cells[k+i] = d + offset
		d, x = d+line.s[dstOp], x+line.s[idxOp]
	}
	return cells, true
}

// combine combines updates with the first of these cells, by one primitive if the updates lie
// evenly. It returns the cells that are left.
func (m *small) combine(op lanes.Op, cells []int, loops []loop, s int) []int {
	n, row, even := 1, loops[len(loops)-1].s[srcOp], true
	for i := len(loops) - 1; i >= 0; i-- {
		even = even && loops[i].s[srcOp] == n*row
		n *= loops[i].n
	}
	if even {
		updates := lanes.Window{Memory: m.src, At: s, Row: row, Col: m.run.s[srcOp]}
		lanes.ScatterReduceRaw(op, m.dst, 0, m.run.s[dstOp], cells[:n], updates, m.run.n)
		return cells[n:]
	}
	for range loops[0].n {
		cells = m.combine(op, cells, loops[1:], s)
		s += loops[0].s[srcOp]
	}
	return cells
}
