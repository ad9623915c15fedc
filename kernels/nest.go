package kernels

import "slices"

// A loop is one loop of a nest: n steps, and how far each operand moves with one.
type loop struct {
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
func (l *loop) after(at [3]int, n int) [3]int {
	for op, s := range l.s {
		at[op] += n * s
	}
	return at
}

// maxLoops is how many loops a nest holds itself: 8 axes, an element's units,
// and the padding of arrange.
const maxLoops = 12

// A nest is a loop nest, outermost loop first, and where its operands start.
// It is the canonical form that operators bring their tensors into:
//
//	for i0 := range loops[0].n {
//		for i1 := range loops[1].n {
//			…
//			dst[at[0] + i0*loops[0].s[0] + i1*loops[1].s[0] + …] = src[at[1] + i0*loops[0].s[1] + …]
//		}
//	}
//
// The indexed axis is a loop like any other; only that the indexed operand
// stands still along it (its s is 0) and is moved by the index instead.
//
// The loops are an array, so that a copy of a nest shares nothing with it.
type nest struct {
	array [maxLoops]loop
	rank  int    // loops in the array
	long  []loop // the loops, if they are too many for the array; else nil
	at    [3]int

	// The range of the indexed axis whose cells the nest owns, of a part of a
	// scatter whose parts share all loops; or the rows that a part of a mask
	// chooses. It owns all if high is 0.
	low, high int
}

// loops returns the nest's own loops. They can be changed in place.
func (n *nest) loops() []loop {
	if n.long != nil {
		return n.long
	}
	return n.array[:n.rank]
}

// set makes these the nest's loops. They may be the array's own.
func (n *nest) set(loops []loop) {
	if len(loops) > maxLoops {
		n.long = slices.Clone(loops)
		return
	}
	n.rank, n.long = copy(n.array[:], loops), nil
}

// last returns the k-th loop from the end, 1 being the innermost.
func (n *nest) last(k int) *loop {
	loops := n.loops()
	return &loops[len(loops)-k]
}

// inner returns the last two loops of an arranged nest.
func (n *nest) inner() (line, run *loop) { return n.last(2), n.last(1) }

// each runs leaf for every step of the loops outside of the last few, and stops
// when it returns false.
func (n *nest) each(inner int, leaf func(at [3]int) bool) bool {
	loops := n.loops()
	return each(loops[:len(loops)-inner], n.at, leaf)
}

// each runs leaf for every step of the loops, and stops when it returns false.
func each(loops []loop, at [3]int, leaf func(at [3]int) bool) bool {
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
	for _, l := range n.loops() {
		p *= l.n
	}
	return p
}

// part returns the i-th of parts of a nest that is cut along loop k.
func (n *nest) part(k, i, parts int) nest {
	p := *n
	p.long = slices.Clone(n.long)
	l := &p.loops()[k]
	lo, hi := share(l.n, i, parts), share(l.n, i+1, parts)
	p.at = l.after(p.at, lo)
	l.n = hi - lo
	return p
}

// share returns n*i/parts, for n*i that may not fit an int, with fewer than 2^32 parts.
func share(n, i, parts int) int { return n/parts*i + int(uint64(n%parts)*uint64(i)/uint64(parts)) }

// The functions that shape a nest take its loops and return them, as append does.

// collapse drops loops of one step and merges neighbours that every operand
// walks through evenly.
func collapse(loops []loop) []loop {
	k := -1
	for i := range loops {
		l := &loops[i]
		if l.n == 1 {
			continue
		}
		n := l.n
		if k >= 0 && evenly(&loops[k], l) {
			n *= loops[k].n
		} else {
			k++
		}
		loops[k].assign(n, l)
	}
	return loops[:k+1]
}

// assign makes the loop one of n steps that go as far as another's. It copies each
// field by itself: as a whole they would be read in larger words than they were just
// written in, which a processor has to wait for.
func (l *loop) assign(n int, as *loop) {
	l.n = n
	l.s[0] = as.s[0]
	l.s[1] = as.s[1]
	l.s[2] = as.s[2]
}

// add appends a loop.
func add(loops []loop, n, dst, src, idx int) []loop {
	if len(loops) == cap(loops) {
		return append(loops, loop{n, [3]int{dst, src, idx}})
	}
	loops = loops[:len(loops)+1]
	l := &loops[len(loops)-1]
	l.n = n
	l.s[dstOp] = dst
	l.s[srcOp] = src
	l.s[idxOp] = idx
	return loops
}

func evenly(outer, inner *loop) bool {
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
func sequential(loops []loop, at *[3]int) {
	for i := range loops {
		l := &loops[i]
		if l.s[dstOp] < 0 {
			for k := range l.s {
				at[k] += (l.n - 1) * l.s[k]
				l.s[k] = -l.s[k]
			}
		}
	}
	slices.SortStableFunc(loops, func(a, b loop) int { return b.s[dstOp] - a.s[dstOp] })
}

// one is a loop of one step, for places in a nest that nothing needs.
var one = loop{n: 1}

// arrange orders the loops of a collapsed nest with indices as the passes take
// them. The last three become
//
//	… row, line, run
//
// run is the innermost loop when indices stand still along it, so that one
// index is good for a run of elements; else it has one step. line is the
// innermost loop along which indices move, or if that is short the innermost one but run. Every loop keeps its direction,
// which is all that a scatter's order of updates needs: those of one cell differ
// along the axis alone.
func arrange(loops []loop, least int) []loop {
	last := len(loops) - 1
	if last < 0 || loops[last].s[idxOp] != 0 || !loops[last].runs(least) { // it is the line
		return pad(add(pad(loops, 2), 1, 0, 0, 0), 3)
	}
	line, run := one, loops[last]
	loops = loops[:last]
	for k := last - 1; k >= 0; k-- {
		if loops[k].s[idxOp] != 0 {
			if loops[k].n < evenBlocks { // blocks need dst to lie evenly more than a line of several indices
				k = last - 1
			}
			line = loops[k]
			loops = slices.Delete(loops, k, k+1)
			break
		}
	}
	return pad(append(loops, line, run), 3)
}

// arrangeTuples is arrange for a scatter whose tuples dst stands still along:
// line is the innermost loop of those, though its indices may stand still too, and run
// the innermost of what a tuple names. Tuples keep their order, in which updates of
// a cell may come from any two of them.
func arrangeTuples(loops []loop) []loop {
	line, run := one, one
	if k := len(loops) - 1; k >= 0 && loops[k].own() {
		run, loops = loops[k], loops[:k]
	}
	for k := len(loops) - 1; k >= 0; k-- {
		if !loops[k].own() {
			line = loops[k]
			loops = slices.Delete(loops, k, k+1)
			break
		}
	}
	return pad(append(loops, line, run), 3)
}

// runs reports whether the loop is worth being moved as a run: of neighbours, at
// least so many, or of so many elements that their strides don't matter.
func (l *loop) runs(least int) bool {
	const long = 64
	return l.n >= long || l.n >= least && l.s[dstOp] == 1 && l.s[srcOp] == 1
}

// own reports whether the cells of a loop's steps are different ones.
func (l *loop) own() bool { return l.s[dstOp] != 0 }

// pad puts loops of one step in front until there are k.
func pad(loops []loop, k int) []loop {
	missing := k - len(loops)
	if missing <= 0 {
		return loops
	}
	for range missing {
		loops = add(loops, 1, 0, 0, 0)
	}
	for i := len(loops) - 1; i >= missing; i-- {
		loops[i].assign(loops[i-missing].n, &loops[i-missing])
	}
	for i := range missing {
		loops[i].assign(1, &one)
	}
	return loops
}
