package kernels

import "github.com/lanes-go/lanes"

// checkIndices reports whether all indices of a view are in range of an axis.
func checkIndices(s *settings, indices *view, size int) bool {
	if indices.count == 0 || indices.checked {
		return true
	}
	if !s.policy.fails() {
		return s.policy.allowsAny(size)
	}
	if indices.count <= mostSmall && indices.contiguous() {
		return checkLine(indices.all(), indices.offset, 1, indices.count, size, s.policy)
	}
	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.size = checkWork, *s, size
	c.idx, c.at.idx = indices.memory(indices.kind, 1)
	c.set(pad(collapse(c.indexLoops(indices, -1)), 1))
	return c.runCheck()
}

// checkSmall checks contiguous tuples one by one, which have a component for each of sizes.
func checkSmall(indices *view, sizes []int, p IndexPolicy) bool {
	x, d := indices.all(), 0
	for i := range indices.count {
		k := indexAt(x, indices.offset+i)
		if _, ok := wrapped(k, sizes[d]); !ok || k < 0 && p.NegativeIsOutOfRange {
			return false
		}
		if d++; d == len(sizes) {
			d = 0
		}
	}
	return true
}

// checkDense is checkIndices for contiguous memory.
func checkDense(s *settings, indices lanes.Memory, size int) bool {
	var c call
	c.work, c.settings, c.size, c.idx = checkWork, *s, size, indices
	c.set(append(c.array[:0], loop{indices.Len, [3]int{idxOp: 1}}))
	return c.runCheck()
}

// checkTuples reports whether all components of tuples, which lie along an axis of indices, vector,
// are in range of their axes.
func checkTuples(s *settings, indices *view, vector int, sizes []int) bool {
	if len(sizes) == 1 {
		return checkIndices(s, indices, sizes[0])
	}
	if indices.count == 0 {
		return true
	}
	if !s.policy.fails() {
		return s.policy.allowsAny(sizes...)
	}
	if indices.count <= mostSmall && indices.contiguous() && vector == len(indices.shape)-1 {
		return checkSmall(indices, sizes, s.policy)
	}
	var c call
	c.work, c.settings = checkWork, *s
	c.tuples.of(sizes, indices.stride(vector)) // only the check counts
	c.idx, c.at.idx = indices.memory(indices.kind, 1)
	c.set(pad(append(collapse(c.indexLoops(indices, vector)), one), 2))
	return c.runCheck()
}

// indexLoops returns the loops over the axes of indices but one. It leaves out axes with a stride
// of 0, too, which repeat indices.
func (c *call) indexLoops(indices *view, but int) []loop {
	loops := c.array[:0]
	for d, n := range indices.shape {
		if s := indices.stride(d); s != 0 && d != but {
			loops = append(loops, loop{n, [3]int{idxOp: s}})
		}
	}
	return loops
}

// clean reports whether all indices mean the same by default as by the policy.
func (s *settings) clean(indices *view, vector int, sizes []int) bool {
	return s.policy.usual() || s.checkClean(indices, vector, sizes)
}

// checkClean is clean for a policy that is not the default. It is not inlined, because other calls
// would pay for its copy of the settings.
//
//go:noinline
func (s *settings) checkClean(indices *view, vector int, sizes []int) bool {
	as := *s
	as.policy.OutOfRange = RangeError
	return checkTuples(&as, indices, vector, sizes)
}

// firstBad returns the error of the first index in row-major order that the policy does not allow.
// Passes only report that there is one, whatever their order; this search makes the error the same
// for every run. Component c of a tuple indexes axis axis+c of size sizes[c]; without tuples there
// is one size.
func firstBad(op string, p IndexPolicy, indices *view, axis int, sizes []int) error {
	return firstBadAlong(op, p, indices, len(indices.shape)-1, axis, sizes)
}

// firstBadAlong is firstBad for tuples whose components lie along an axis of indices, vector.
func firstBadAlong(op string, p IndexPolicy, indices *view, vector, axis int, sizes []int) error {
	x := indices.all()
	position := make([]int, len(indices.shape))
	type axisLoop struct{ axis, n, stride int }
	var loops []axisLoop
	for d, n := range indices.shape {
		if s := indices.stride(d); n > 1 && (s != 0 || d == vector && len(sizes) > 1) { // an axis of stride 0 repeats indices
			loops = append(loops, axisLoop{d, n, s})
		}
	}
	for at := indices.offset; ; {
		c := 0
		if len(sizes) > 1 {
			c = position[vector]
		}
		if _, _, ok := p.place(indexAt(x, at), sizes[c]); !ok {
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
		if i < 0 { // another goroutine has changed the bad index
			return &IndexError{Op: op, Position: []int{}, Value: "(changed during the call)", Axis: axis, Size: sizes[0]}
		}
	}
}
