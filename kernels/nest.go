package kernels

import "slices"

// A loop is one loop of a nest: n steps, each of which moves operand i by s[i].
type loop struct {
	n int
	s [3]int
}

// The operands of a nest. A gather reads src at an index, a scatter writes dst at one; a copy has
// no indices.
const (
	dstOp = iota
	srcOp
	idxOp
)

// A position is where the operands are, in elements. It is a struct because the compiler keeps an
// array in memory, where a copy of it waits for the numbers that were just written: 17 ns for each
// step of two loops instead of 5 (Zen 4).
type position struct{ dst, src, idx int }

// of returns the position of an operand.
func (p position) of(op int) int {
	switch op {
	case dstOp:
		return p.dst
	case srcOp:
		return p.src
	default:
		return p.idx
	}
}

// after returns where the operands are after n steps.
func (l *loop) after(at position, n int) position {
	return position{at.dst + n*l.s[dstOp], at.src + n*l.s[srcOp], at.idx + n*l.s[idxOp]}
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
//			dst[at.dst + i0*loops[0].s[0] + i1*loops[1].s[0] + …] = src[at.src + i0*loops[0].s[1] + …]
//		}
//	}
//
// The indexed axis is a loop like the others. Its step of the indexed operand is 0, because the
// index moves that operand. The loops are in an array, so a copy of a nest shares nothing with it.
type nest struct {
	array [maxLoops]loop
	rank  int    // loops in the array
	long  []loop // the loops, if they are too many for the array; else nil
	at    position

	// What a part owns if its parts share all loops: of a scatter, the cells in [low, high) of the
	// indexed axis; of a mask, the rows of dst from low up to high. high == 0 means all.
	low, high int
}

// loops returns the nest's loops, which the caller may change.
func (n *nest) loops() []loop {
	if n.long != nil {
		return n.long
	}
	return n.array[:n.rank]
}

// set sets the nest's loops. They may be in its own array.
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

// each calls leaf for every step of the loops outside of the innermost ones, and stops when leaf
// returns false.
func (n *nest) each(inner int, leaf func(at position) bool) bool {
	loops := n.loops()
	return each(loops[:len(loops)-inner], n.at, leaf)
}

// each calls leaf for every step of the loops, and stops when leaf returns false.
func each(loops []loop, at position, leaf func(at position) bool) bool {
	if len(loops) == 0 {
		return leaf(at)
	}
	for range loops[0].n {
		if !each(loops[1:], at, leaf) {
			return false
		}
		at = loops[0].after(at, 1)
	}
	return true
}

// steps returns the product of the loops.
func (n *nest) steps() int { return steps(n.loops()) }

func steps(loops []loop) int {
	p := 1
	for i := range loops {
		p *= loops[i].n
	}
	return p
}

// clone returns a copy that shares nothing with the nest.
func (n *nest) clone() nest {
	c := *n
	c.long = slices.Clone(n.long)
	return c
}

// part returns the i-th of parts of a nest that is cut along loop k.
func (n *nest) part(k, i, parts int) nest {
	p := n.clone()
	l := &p.loops()[k]
	lo, hi := share(l.n, i, parts), share(l.n, i+1, parts)
	p.at = l.after(p.at, lo)
	l.n = hi - lo
	return p
}

// pieces calls use for pieces of so many steps of loop k, one after the other, until it returns
// false.
func (n *nest) pieces(k, steps int, use func(piece nest) bool) bool {
	p, whole := n.clone(), n.loops()[k]
	for left := whole.n; left > 0; left -= steps {
		if p.loops()[k].n = min(left, steps); !use(p) {
			return false
		}
		p.at = whole.after(p.at, steps)
	}
	return true
}

// share returns n*i/parts, for n*i that may not fit an int, with fewer than 2^32 parts.
func share(n, i, parts int) int { return n/parts*i + int(uint64(n%parts)*uint64(i)/uint64(parts)) }

// The functions below take loops and return loops, as append does.

// collapse drops loops of one step. It merges neighbours where every operand walks through both in
// even steps.
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

// assign sets the loop to n steps as long as those of another. It copies field by field: a copy of
// the whole struct loads wider words than were just stored, and has to wait for the stores.
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

// addAxes appends a loop along each axis of a shape, with steps of 0.
func addAxes(loops []loop, shape []int) []loop {
	for _, n := range shape {
		loops = add(loops, n, 0, 0, 0)
	}
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

// sequential collapses loops, reverses and sorts them so that dst is written in ascending order, as
// far as its strides allow. It moves at to where reversed loops start. It is only for nests whose
// order does not matter.
func sequential(loops []loop, at *position) []loop {
	loops = collapse(loops)
	for i := range loops {
		if loops[i].s[dstOp] < 0 {
			loops[i].reverse(at)
		}
	}
	ascending(loops, func(l loop) int { return -l.s[dstOp] })
	return loops
}

// reverse turns a loop around, and moves at to where it starts then.
func (l *loop) reverse(at *position) {
	*at = l.after(*at, l.n-1)
	for k := range l.s {
		l.s[k] = -l.s[k]
	}
}

// ascending sorts a few items by a key, and keeps the order of equal ones. (Package slices brings
// its sorts for many items to every program, 20 KB for a type.)
func ascending[T any](items []T, key func(T) int) {
	for i := 1; i < len(items); i++ {
		for k := i; k > 0 && key(items[k]) < key(items[k-1]); k-- {
			items[k], items[k-1] = items[k-1], items[k]
		}
	}
}

// distance is how far a step of the loop moves an operand, and spans how far all steps do.
func (l *loop) distance(op int) int { return max(l.s[op], -l.s[op]) }
func (l *loop) spans(op int) int    { return l.n * l.distance(op) }

// least returns the loop that moves an operand least, of those that move it.
func least(loops []loop, op int) int {
	k := len(loops) - 1
	for i := range loops {
		if d := loops[i].distance(op); loops[i].n > 1 && 0 < d && d < loops[k].distance(op) {
			k = i
		}
	}
	return k
}

// exchange moves the loop along which src is dense next to the innermost one, along which it is
// not, so that a copy can exchange rows and columns. If it goes backwards in src, it is reversed.
// It is only for nests whose order does not matter.
func exchange(loops []loop, at *position) {
	last, k := len(loops)-1, least(loops, srcOp)
	if last < 1 || k == last || loops[last].s[dstOp] != 1 || loops[k].distance(srcOp) != 1 {
		return
	}
	if loops[k].s[srcOp] < 0 {
		loops[k].reverse(at)
	}
	beside(loops, k)
}

// beside moves a loop next to the innermost one.
func beside(loops []loop, k int) {
	l, last := loops[k], len(loops)-1
	copy(loops[k:], loops[k+1:last])
	loops[last-1] = l
}

// one is a loop of one step, which fills places in a nest.
var one = loop{n: 1}

// arrange orders the loops of a collapsed nest with indices as the passes take them. The last three
// become
//
//	… row, line, run
//
// The run is the innermost loop if its indices have a step of 0, so that one index serves a run of
// elements; otherwise it has one step. The line is the innermost loop along which indices change,
// or the innermost but the run if that is short. No loop changes its direction. That keeps the
// order of a scatter's updates, because the updates of one cell differ along the axis alone.
func arrange(loops []loop, least int) []loop {
	last := len(loops) - 1
	if last < 0 || loops[last].s[idxOp] != 0 || !loops[last].runs(least) { // the innermost loop is the line
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

// arrangeTuples is arrange for a scatter with tuples. The line is the innermost loop along which
// dst does not move, even if indices have a step of 0 there; the run is the innermost loop of what
// a tuple names. The order of tuples stays, because any two of them may update one cell. Along a
// batching axis of a general scatter both dst and indices move: such tuples have cells of their
// own.
func arrangeTuples(loops []loop) []loop {
	line, run := one, one
	if k := len(loops) - 1; k >= 0 && loops[k].disjoint() && loops[k].s[idxOp] == 0 {
		run, loops = loops[k], loops[:k]
	}
	k := len(loops) - 1
	for k >= 0 && loops[k].disjoint() {
		k--
	}
	if k < 0 { // every tuple has cells of its own: its place among the loops does not matter
		for k = len(loops) - 1; k >= 0 && loops[k].s[idxOp] == 0; k-- {
		}
	}
	if k >= 0 {
		line = loops[k]
		loops = slices.Delete(loops, k, k+1)
	}
	return pad(append(loops, line, run), 3)
}

// runs reports whether the loop should be moved as a run: it has neighbours and at least so many of
// them, or is so long that its strides do not matter. (Zen 4, ns an element of rows of 24 float32,
// position by position and as runs: gathered from a transposed table 1.2 and 0.5, into a transposed
// dst 1.65 and 0.6, summed from transposed updates 1.7 and 0.86; of 8, 1.4 and 0.8, 1.7 and 0.8,
// 1.7 and 1.0.)
func (l *loop) runs(least int) bool {
	return l.n >= longLoop || l.n >= least && l.s[dstOp] == 1 && l.s[srcOp] == 1
}

// neighbours reports whether the loop moves neighbours, with one index if there are any.
func (l *loop) neighbours() bool {
	return l.n > 1 && l.s[dstOp] == 1 && l.s[srcOp] == 1 && l.s[idxOp] == 0
}

// longLoop is the least number of steps of a run of any strides.
var longLoop = 8

// continues reports whether each step of l begins where the line of the step before ends, in the
// indices and in an operand.
func (l *loop) continues(line *loop, operand int) bool {
	return l.n == 1 || l.s[idxOp] == line.n*line.s[idxOp] && l.s[operand] == line.n*line.s[operand]
}

// disjoint reports whether the loop's steps have different cells.
func (l *loop) disjoint() bool { return l.s[dstOp] != 0 }

// pad puts loops of one step in front until there are k loops.
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
