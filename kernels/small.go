package kernels

import (
	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A small call takes less time than the setup of a block, so one plain loop runs over its nest.
// What it reads and writes was checked with the views, and each index is read once.

// mostSmall bounds dispatch.Default.SmallElements, because the scratch for offsets is an array.
const mostSmall = 64

// isSmall reports whether a call that moves so many elements is small.
func (c *call) isSmall(elements int) bool {
	return elements*c.elem.units <= min(dispatch.Default.SmallElements, mostSmall) && c.elem.refs == nil
}

// setSmall sets the loops of a small call as they are given, in the order of the definition, with a run of one
// index at the end. To merge and arrange them takes longer than it saves.
func (c *call) setSmall(loops []loop) {
	if k := len(loops) - 1; k < 0 || loops[k].s[idxOp] != 0 {
		loops = add(loops, 1, 0, 0, 0)
	}
	c.set(pad(loops, 2))
}

// moveSmall runs a small gather, or a small scatter without a reduction, and
// reports whether every index was in range.
func (c *call) moveSmall(n *nest, indexed int) bool {
	switch c.elem.kind.Width() {
	case 1:
		return moveSmall[uint8](c, n, indexed)
	case 2:
		return moveSmall[uint16](c, n, indexed)
	case 4:
		return moveSmall[uint32](c, n, indexed)
	case 8:
		return moveSmall[uint64](c, n, indexed)
	default:
		return moveSmall[[2]uint64](c, n, indexed)
	}
}

func moveSmall[T any](c *call, n *nest, indexed int) bool {
	var m smallMove[T] // set field by field: a literal is made apart, and copied
	m.call, m.indexed = c, indexed
	m.dst, m.src = slice[T](&c.dst), slice[T](&c.src)
	if c.idx.Kind == lanes.KindI64 && len(c.tuples.sizes) == 0 {
		m.wide = slice[int64](&c.idx)
	}
	return m.run(n.loops(), n.at.dst, n.at.src, n.at.idx)
}

// A smallMove moves single elements by index.
type smallMove[T any] struct {
	call     *call
	dst, src []T
	wide     []int64 // the indices, if they are these
	indexed  int     // the operand that is
}

// run runs the loops, the last of which is a run of one index, with the
// operands at these elements.
func (m *smallMove[T]) run(loops []loop, d, s, x int) bool {
	if len(loops) > 3 {
		l := &loops[0]
		for range l.n {
			if !m.run(loops[1:], d, s, x) {
				return false
			}
			d, s, x = d+l.s[dstOp], s+l.s[srcOp], x+l.s[idxOp]
		}
		return true
	}
	row, line, run := &one, &loops[0], &loops[len(loops)-1]
	if len(loops) == 3 {
		row, line = line, &loops[1]
	}
	still := srcOp + dstOp - m.indexed // the operand that no index moves
	if m.wide == nil || run.n > 1 || line.s[still] != 1 || line.s[idxOp] != 1 {
		return m.runs(row, line, run, d, s, x)
	}
	// What nearly all calls are:
	for range row.n {
		ok, indices := false, m.wide[x:x+line.n]
		if still == dstOp {
			ok = m.line(m.dst[d:d+line.n], m.src, indices, s, line.s[srcOp])
		} else {
			ok = m.line(m.src[s:s+line.n], m.dst, indices, d, line.s[dstOp])
		}
		if !ok {
			return false
		}
		d, s, x = d+row.s[dstOp], s+row.s[srcOp], x+row.s[idxOp]
	}
	return true
}

// line moves a line of neighbours to or from elements of the indexed operand, from at on and along further for each.
func (m *smallMove[T]) line(line, indexed []T, indices []int64, at, along int) bool {
	size, step, gathers := m.call.size, m.call.step, m.indexed == srcOp
	line = line[:len(indices)]
	for i, k := range indices {
		k, ok := wrapped(k, size)
		if !ok {
			return false
		}
		if gathers {
			line[i] = indexed[at+k*step]
		} else {
			indexed[at+k*step] = line[i]
		}
		at += along
	}
	return true
}

// runs is run for indices of any type, for tuples, and for runs of more than one element.
func (m *smallMove[T]) runs(row, line, run *loop, d, s, x int) bool {
	c, tuples := m.call, len(m.call.tuples.sizes) > 0
	for range row.n {
		at, from, index := d, s, x
		for range line.n {
			var offset int
			var ok bool
			if tuples {
				offset, ok = c.tupleOffset(index)
			} else {
				offset, ok = wrapped(indexAt(c.idx, index), c.size)
				offset *= c.step
			}
			if !ok {
				return false
			}
			to, of := at, from
			if m.indexed == dstOp {
				to += offset
			} else {
				of += offset
			}
			for range run.n {
				m.dst[to] = m.src[of]
				to, of = to+run.s[dstOp], of+run.s[srcOp]
			}
			at, from, index = at+line.s[dstOp], from+line.s[srcOp], index+line.s[idxOp]
		}
		d, s, x = d+row.s[dstOp], s+row.s[srcOp], x+row.s[idxOp]
	}
	return true
}

// tupleOffset returns how far the tuple at x moves the indexed operand, and whether it is in range.
func (c *call) tupleOffset(x int) (offset int, ok bool) {
	t := &c.tuples
	for d, step := range t.all() {
		k, ok := wrapped(indexAt(c.idx, x+d*t.step), t.sizes[d])
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

// copySmall runs a small copy.
func (c *call) copySmall(n *nest) {
	loops, d, s := n.loops(), n.at.dst, n.at.src
	switch c.elem.kind.Width() {
	case 1:
		copySmall(slice[uint8](&c.dst), slice[uint8](&c.src), loops, d, s)
	case 2:
		copySmall(slice[uint16](&c.dst), slice[uint16](&c.src), loops, d, s)
	case 4:
		copySmall(slice[uint32](&c.dst), slice[uint32](&c.src), loops, d, s)
	case 8:
		copySmall(slice[uint64](&c.dst), slice[uint64](&c.src), loops, d, s)
	default:
		copySmall(slice[[2]uint64](&c.dst), slice[[2]uint64](&c.src), loops, d, s)
	}
}

func copySmall[T any](dst, src []T, loops []loop, d, s int) {
	l := &loops[0]
	for range l.n {
		if len(loops) > 1 {
			copySmall(dst, src, loops[1:], d, s)
		} else {
			dst[d] = src[s]
		}
		d, s = d+l.s[dstOp], s+l.s[srcOp]
	}
}

// updateSmall runs a small scatter with a reduction other than Mean.
func (c *call) updateSmall(n *nest) bool {
	var offsets, from [mostSmall]int
	loops := n.loops()
	last := len(loops) - 1
	count := c.resolveSmall(offsets[:0], from[:0], loops[:last], n.at.dst, n.at.src, n.at.idx)
	if count < 0 {
		return false
	}
	run, row := &loops[last], loops[last-1].s[srcOp]
	if c.fills() {
		c.fill(0, run.s[dstOp], offsets[:count], run.n)
	}
	for i, end := 0, 0; i < count; i = end { // as many at a time as lie evenly
		for end = i + 1; end < count && from[end]-from[end-1] == row; end++ {
		}
		c.update(0, run.s[dstOp], offsets[i:end], lanes.Window{Memory: c.src, At: from[i], Row: row, Col: run.s[srcOp]}, run.n)
	}
	return true
}

// resolveSmall appends the cell of each index in dst, and the position of its updates. It returns
// how many there are, or -1 if an index is out of range.
func (c *call) resolveSmall(offsets, from []int, loops []loop, d, s, x int) int {
	l := &loops[0]
	for range l.n {
		if len(loops) > 1 {
			n := c.resolveSmall(offsets, from, loops[1:], d, s, x)
			if n < 0 {
				return -1
			}
			offsets, from = offsets[:n], from[:n]
		} else {
			var offset int
			var ok bool
			if len(c.tuples.sizes) > 0 {
				offset, ok = c.tupleOffset(x)
			} else {
				offset, ok = wrapped(indexAt(c.idx, x), c.size)
				offset *= c.step
			}
			if !ok {
				return -1
			}
			offsets, from = append(offsets, d+offset), append(from, s)
		}
		d, s, x = d+l.s[dstOp], s+l.s[srcOp], x+l.s[idxOp]
	}
	return len(offsets)
}
