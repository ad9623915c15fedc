package kernels

import (
	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A mask is what Compress and Take choose by: the memory of the bools, and the loops over them and
// over what they choose in data, in row-major order.
type mask struct {
	lanes.Memory
	nest
	first, end int // the axes of data that it covers
}

// take writes the elements that the mask chooses from checked data to dst.
func (m *mask) take(op string, s *settings, e *elem, dst, data, by *view) error {
	parts := 1
	// How many elements are true is not known yet: count for as many parts as the call may need.
	if work := int(min(float64(data.count)*(dispatch.Costs.Mask+dispatch.Costs.Compact), 1<<30)) / max(dispatch.Default.WorkerTime, 1); work > 1 && s.workers != 1 && e.refs == nil {
		parts = min(mostMaskParts, m.loops()[0].n, work)
	}
	t := truesPool.Get().(*trues)
	defer truesPool.Put(t)
	m.count(t, max(parts, 1))

	var buf [maxLoops]int
	shape := append(append(append(buf[:0], data.shape[:m.first]...), t.total()), data.shape[m.end:]...)
	if err := checkShape(op, dstRole, shape); err != nil {
		return err
	}
	if err := checkDst(op, dst, shape, data, by); err != nil {
		return err
	}
	if dst.count == 0 || e.size == 0 {
		return nil
	}
	var c call // set field by field: a literal would be built elsewhere and copied
	c.work, c.settings, c.elem, c.trues = maskWork, *s, *e, t
	c.operands(dst, data, nil)
	c.idx, c.at.idx = m.Memory, m.at.idx
	c.step = dst.stride(m.first) * e.units
	loops := append(c.array[:0], m.loops()...)

	var rest [maxLoops]loop
	outer := rest[:0]
	for d, n := range shape[:m.first] {
		outer = append(outer, loop{n, [3]int{dst.stride(d) * e.units, data.stride(d) * e.units}})
	}
	loops = append(loops, collapse(outer)...)
	inner := rest[:0]
	for d := m.end; d < len(data.shape); d++ {
		inner = append(inner, loop{data.shape[d], [3]int{dst.stride(d-m.end+m.first+1) * e.units, data.stride(d) * e.units}})
	}
	inner = e.addUnits(inner)
	if !dst.contiguous() {
		inner = sequential(inner, &c.at)
	}
	c.set(append(loops, pad(collapse(inner), 1)...))
	c.stream = c.streams(dst.count)
	c.runMask()
	return nil
}

// count counts the true elements of each of some parts.
func (m *mask) count(t *trues, parts int) {
	t.loops, t.parts = len(m.loops()), parts
	for i := range parts {
		part := m.nest
		if parts > 1 {
			part = m.part(0, i, parts)
		}
		t.before[i+1] = t.before[i] + m.countPart(&part)
	}
}

// countPart returns how many elements of a part of the mask are true. Those that a step of 0
// repeats are read once: they may be more than a call has time to look at.
func (m *mask) countPart(part *nest) (n int) {
	if m.Len == 0 { // though its other axes may be long
		return 0
	}
	once, times := nest{at: part.at}, 1
	loops := once.array[:0]
	for _, l := range part.loops() {
		if l.s[idxOp] == 0 {
			times *= l.n
		} else {
			loops = append(loops, l)
		}
	}
	once.set(pad(loops, 1))
	line, bools := once.last(1), slice[bool](&m.Memory)
	once.each(1, func(at position) bool {
		n += lanes.CountTrue(bools, at.idx, line.s[idxOp], line.n)
		return true
	})
	return n * times
}

// countTrue returns how many elements of a checked mask are true.
func (v *view) countTrue() int {
	var m mask
	m.Memory, m.at.idx = v.memory(lanes.KindBool, 1)
	loops := m.array[:0]
	for d, n := range v.shape {
		loops = append(loops, loop{n, [3]int{idxOp: v.stride(d)}})
	}
	m.set(pad(collapse(loops), 1))
	return m.countPart(&m.nest)
}
