package kernels

import (
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// Primitives count a negative index from the end, and stop at one that is out of range. A pass with
// another policy for indices goes in parts of some thousand indices. A part whose indices all mean
// the same by default runs as by default. Otherwise it goes block by block, where offsets are
// resolved by the policy, one by one:
//
//	a gather sets the elements of indices that are skipped to zero afterwards
//	a scatter leaves out their updates

// policyPart is how many indices of a fused pass are looked at at a time. They stay in the
// second-level cache.
var policyPart = 32 << 10

// eachPart runs rows × lines of indices in parts: with run, which returns the first index that is
// out of range, or -1, and with resolved, on a nest of their own. A scatter's updates keep their
// order, since a part is some whole rows or a piece of one.
func (c *call) eachPart(at position, row, line *loop, run func(at position, row, line *loop) int, resolved func(n *nest) bool) bool {
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	n := &b.part
	n.rank, n.long = 3, nil
	n.array[0], n.array[1], n.array[2] = *row, *line, one
	rows, cols := &n.array[0], &n.array[1]
	most := max(1, policyPart/line.n)
	for i := 0; i < row.n; i += most {
		for j := 0; j < line.n; j += policyPart {
			rows.n, cols.n = min(most, row.n-i), min(policyPart, line.n-j)
			n.at = line.after(row.after(at, i), j)
			done := 0                 // indices of a scatter before the first bad one
			if c.work == gatherWork { // it can start again, and brings the indices into the cache
				if run(n.at, rows, cols) < 0 && !c.countsDown(n) {
					continue
				}
			} else if !c.countsDown(n) {
				if done = run(n.at, rows, cols); done < 0 {
					continue
				}
			}
			if c.policy.fails() || !n.from(done, resolved) {
				return false
			}
		}
	}
	return true
}

// from calls f with the positions of two loops from one on: with those that are left of its row,
// and with the rows after it.
func (n *nest) from(done int, f func(n *nest) bool) bool {
	rows, cols := &n.array[0], &n.array[1]
	n.at = rows.after(n.at, done/cols.n)
	rows.n -= done / cols.n
	if done %= cols.n; done > 0 {
		at, left, all := n.at, rows.n-1, cols.n
		n.at, rows.n, cols.n = cols.after(at, done), 1, all-done
		if !f(n) {
			return false
		}
		n.at, rows.n, cols.n = rows.after(at, 1), left, all
	}
	return rows.n == 0 || f(n)
}

// countsDown reports whether an index of a part of rows of neighbouring indices is negative and
// would count from the end, which is not what the policy says.
func (c *call) countsDown(n *nest) bool {
	if !c.policy.NegativeIsOutOfRange {
		return false
	}
	row, line, at := n.last(3), n.last(2), n.at.idx
	rows, cols := row.n, line.n
	switch {
	case row.s[idxOp] == 0:
		rows = 1
	case row.s[idxOp] == cols:
		rows, cols = 1, rows*cols
	}
	for range rows {
		if negative(c.idx, at, cols) {
			return true
		}
		at += row.s[idxOp]
	}
	return false
}

// negative reports whether one of n neighbouring indices of 32 or 64 bits is negative.
func negative(x lanes.Memory, at, n int) bool {
	if x.Kind == lanes.KindI64 {
		return signs(slice[int64](&x)[at:][:n]) < 0
	}
	s := slice[int32](&x)[at:][:n]
	some := int32(0)
	for len(s) == 1 || len(s) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(s)))%8 != 0 {
		some, s = some|s[0], s[1:]
	}
	if len(s) == 0 { // an address behind the last index is not one of a pair
		return some < 0
	}
	if len(s)%2 != 0 {
		some |= s[len(s)-1]
	}
	pairs := signs(unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(s))), len(s)/2))
	return some < 0 || pairs < 0 || int32(pairs) < 0
}

// signs returns a number with each bit that one of the numbers has.
func signs(s []int64) int64 {
	var a, b, c, d int64
	for ; len(s) >= 8; s = s[8:] {
		a |= s[0] | s[1]
		b |= s[2] | s[3]
		c |= s[4] | s[5]
		d |= s[6] | s[7]
	}
	for _, k := range s {
		a |= k
	}
	return a | b | c | d
}

// resolveDirty is resolveBlock by the call's policy, one index by one. It marks the positions that
// are skipped, whose offsets are those of index 0, and returns how many others there are. Nothing
// branches by an index: to guess wrong would take longer than all the rest.
func (c *call) resolveDirty(b *block, offsets []int, at, step int, indices, pattern []int) (named int) {
	n, skip := len(offsets), b.skip[:len(offsets)]
	clear(offsets)
	copy(offsets, pattern)
	clear(skip)
	single := [2]int{c.size, c.step}
	sizes, steps := single[:1], single[1:]
	if len(c.tuples.sizes) > 0 {
		sizes, steps = c.tuples.sizes, c.tuples.all()
	}
	clamp, drop := int64(-1), uint8(0)
	if c.policy.OutOfRange == Skip {
		clamp, drop = 0, 1
	}
	for d, size := range sizes {
		x, from := c.sideBySide(b, n, at+d*c.tuples.step, step, indices)
		if x.Kind != lanes.KindI64 {
			lanes.WidenRaw(b.wide[:n], x, from, 1)
			x, from = wideMemory(b.wide[:n]), 0
		}
		scale, end, wrap := steps[d], int64(size), int64(size)
		if c.policy.NegativeIsOutOfRange {
			wrap = 0
		}
		for i, k := range slice[int64](&x)[from:][:n] {
			k += wrap & (k >> 63)
			_, inside := bits.Sub64(uint64(k), uint64(end), 0)
			nearest := (end - 1) &^ (k >> 63) & clamp
			mask := -int64(inside)
			k = k&mask | nearest&^mask
			skip[i] |= drop &^ uint8(inside)
			offsets[i] += int(k) * scale
		}
	}
	if drop == 0 {
		return n
	}
	for _, s := range skip {
		named += 1 - int(s)
	}
	return named
}

// useDirty calls use with a block of resolveDirty. pattern is where the elements of the other
// operand are, or nil if they are evenly spaced.
func (c *call) useDirty(b *block, w lanes.Window, base int, offsets, pattern []int, named int, run *loop, use func(base int, offsets []int, other lanes.Window, run loop)) {
	n := len(offsets)
	switch {
	case named == n || c.work == gatherWork:
		if pattern == nil {
			use(base, offsets, w, *run)
		} else {
			c.useDense(b, w, base, offsets, pattern[:n], use)
		}
		if named < n {
			c.clear(w.At, b.placed(1, n, w.Row, pattern), run)
		}
	case c.elem.refs == nil && run.n == 1:
		if named > 0 {
			left := 0
			for i, o := range offsets {
				offsets[left] = o
				left += 1 - int(b.skip[i])
			}
			c.useDense(b, w, base, offsets[:named], b.placed(0, n, w.Row, pattern), use)
		}
	default: // runs, which are evenly spaced
		for i := 0; i < n; {
			from := i
			for i < n && b.skip[i] == 0 {
				i++
			}
			if part := w; i > from {
				part.At += from * w.Row
				use(base, offsets[from:i], part, *run)
			}
			i++
		}
	}
}

// placed returns where the other operand's elements are whose mark is skip: step apart, or at the
// positions of a pattern.
func (b *block) placed(skip uint8, n, step int, pattern []int) []int {
	left := 0
	for i, s := range b.skip[:n] {
		at := i * step
		if pattern != nil {
			at = pattern[i]
		}
		b.places[left] = at
		left += 1 - int(s^skip)
	}
	return b.places[:left]
}

// clear sets a run of dst at each offset to the zero value. The call's identity is 0.
func (c *call) clear(at int, offsets []int, run *loop) {
	if c.elem.refs == nil {
		c.fill(at, run.s[dstOp], offsets, run.n)
		return
	}
	for _, o := range offsets {
		for j := range run.n {
			c.elem.refs.clear(c.dst, at+o+j*run.s[dstOp])
		}
	}
}
