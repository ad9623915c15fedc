package kernels

import (
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// A windows is the dimension numbers that a general gather and a general scatter share, in the
// words of the gather. Both see the operand as axes of starts, where a window fits, and the window
// axes behind them, over the same strides.
type windows struct {
	op    string
	names *[6]string // of the attributes, as errors have them

	along         []int // axes of the result, or of updates, that go along a window
	collapsed     []int // axes of the operand without one
	batching      []int // axes of the operand that follow axes of indices
	indexBatching []int // these axes of indices
	starts        []int // the axis of the operand for each component of a start
	vector        int   // the axis of indices along which components are; their rank: there is one
}

// Which of the names an attribute has.
const (
	alongName = iota
	collapsedName
	batchingName
	indexBatchingName
	startsName
	vectorName
)

func (w *windows) bad(name int, value []int, reason string) error {
	return &AttributeError{Op: w.op, Attribute: w.names[name], Value: ints(value), Reason: reason}
}

// apart checks that dst has no list of the dimension numbers in its memory.
func (w *windows) apart(dst *view) error {
	for name, list := range [...][]int{alongName: w.along, collapsedName: w.collapsed, batchingName: w.batching, indexBatchingName: w.indexBatching, startsName: w.starts} {
		if dst.covers(list) {
			return w.bad(name, list, "it lies in the memory of dst")
		}
	}
	return nil
}

// check checks the dimension numbers but for the sizes of windows: StableHLO's C1 to C19 of gather,
// C2 and C7 to C22 of scatter. The shapes are valid by themselves.
func (w *windows) check(operand, indices []int, r role) error {
	rank, q := len(operand), len(indices)
	if n := len(w.along) + len(w.collapsed) + len(w.batching); n != rank {
		return w.bad(alongName, w.along, "with "+w.names[collapsedName]+" and "+w.names[batchingName]+" want "+itoa(rank)+" axes, have "+itoa(n))
	}
	if w.vector < 0 || w.vector > q {
		return &AttributeError{Op: w.op, Attribute: w.names[vectorName], Value: itoa(w.vector), Reason: outside(0, q)}
	}
	k := 1
	if w.vector < q {
		k = indices[w.vector]
	}
	if len(w.starts) != k {
		return w.bad(startsName, w.starts, "want one axis for each of the "+itoa(k)+" components of a start")
	}
	if len(w.batching) != len(w.indexBatching) {
		return w.bad(indexBatchingName, w.indexBatching, "want as many axes as "+w.names[batchingName]+", "+itoa(len(w.batching)))
	}
	for _, l := range [...]struct {
		name      int
		axes      []int
		rank      int
		ascending bool
	}{
		{alongName, w.along, w.positions(q) + len(w.along), true}, {collapsedName, w.collapsed, rank, true}, {batchingName, w.batching, rank, true},
		{indexBatchingName, w.indexBatching, q, false}, {startsName, w.starts, rank, false},
	} {
		found := lookIn(l.axes, l.rank)
		for i, d := range l.axes {
			switch {
			case d < 0 || d >= l.rank:
				return w.bad(l.name, l.axes, "axis "+itoa(d)+" is "+outside(0, l.rank-1))
			case l.ascending && i > 0 && d <= l.axes[i-1]:
				return w.bad(l.name, l.axes, "want ascending axes")
			case found.index(d) < i:
				return w.bad(l.name, l.axes, "axis "+itoa(d)+" occurs twice")
			}
		}
	}
	starts := lookIn(w.starts, rank)
	for i, d := range w.batching {
		s := w.indexBatching[i]
		switch {
		case has(w.collapsed, d):
			return w.bad(batchingName, w.batching, "axis "+itoa(d)+" is in "+w.names[collapsedName]+" too")
		case starts.index(d) >= 0:
			return w.bad(startsName, w.starts, "axis "+itoa(d)+" is in "+w.names[batchingName]+" too")
		case s == w.vector:
			return w.bad(indexBatchingName, w.indexBatching, "axis "+itoa(s)+" is "+w.names[vectorName])
		case operand[d] != indices[s]:
			return shapeError(w.op, r, indices, "its axis "+itoa(s)+" has to have the size of batching axis "+itoa(d)+", "+itoa(operand[d]))
		}
	}
	return nil
}

// positions returns how many axes of indices are not that of the components.
func (w *windows) positions(q int) int {
	if w.vector < q {
		return q - 1
	}
	return q
}

// kept reports whether windows keep axis d of the operand.
func (w *windows) kept(d int) bool {
	return !has(w.collapsed, d) && !has(w.batching, d)
}

// has reports whether an axis is in an ascending list.
func has(axes []int, d int) bool {
	_, ok := slices.BinarySearch(axes, d)
	return ok
}

// A lookUp finds axes in a list without order. A long one has places: to search it for each axis
// would take quadratic time.
type lookUp struct{ axes, places []int }

// lookIn returns the lookUp of a list for axes in [0, rank).
func lookIn(axes []int, rank int) (l lookUp) {
	if l.axes = axes; len(axes) > maxLoops {
		l.places = make([]int, rank)
		for i, d := range slices.Backward(axes) {
			if 0 <= d && d < rank {
				l.places[d] = i + 1
			}
		}
	}
	return l
}

// index returns the first place of an axis in the list, or -1.
func (l *lookUp) index(d int) int {
	if l.places != nil {
		return l.places[d] - 1
	}
	return slices.Index(l.axes, d)
}

// A windowAxis is what an axis of the result, or of updates, goes along: an axis of windows on the
// operand, or one of the indices, and of the operand if it is a batching axis. -1 is none.
type windowAxis struct{ operand, index int }

// axes appends what each axis of the result goes along, for indices of rank q.
func (w *windows) axes(buf []windowAxis, q int) []windowAxis {
	o, x := 0, 0
	batching := lookIn(w.indexBatching, q)
	for d := range w.positions(q) + len(w.along) {
		if has(w.along, d) {
			for !w.kept(o) {
				o++
			}
			buf = append(buf, windowAxis{o, -1})
			o++
			continue
		}
		if x == w.vector {
			x++
		}
		a := windowAxis{-1, x}
		if i := batching.index(x); i >= 0 {
			a.operand = w.batching[i]
		}
		buf = append(buf, a)
		x++
	}
	return buf
}

// places returns how many starts there are for each component: so many that the window fits. They
// are those of the operand's own axes where they can be, or an allocation. sizes are those of a
// window, on each axis of the operand.
func (w *windows) places(operand, sizes []int) []int {
	k := len(w.starts)
	plain := k > 0
	for i, d := range w.starts {
		plain = plain && d == w.starts[0]+i && sizes[d] <= 1
	}
	if plain {
		return operand[w.starts[0]:][:k]
	}
	places := make([]int, k)
	for i, d := range w.starts {
		places[i] = operand[d] - max(sizes[d], 1) + 1
	}
	return places
}

// firstBad returns the error of the first start that the policy does not allow.
func (w *windows) firstBad(p IndexPolicy, indices *view, operand, places, sizes []int) error {
	err := firstBadAlong(w.op, p, indices, w.vector, 0, places)
	if bad, ok := err.(*IndexError); ok {
		bad.Axis = w.starts[bad.Axis]
		if bad.Size = operand[bad.Axis]; sizes[bad.Axis] > 1 {
			bad.Length = sizes[bad.Axis]
		}
	}
	return err
}

// index sets the axes that starts move the indexed operand along, and returns the indices.
func (w *windows) index(by *axes, operand, indices *view, units int, places []int) *view {
	switch len(w.starts) {
	case 0: // every start is 0
		by.size = 1
		return &noStarts
	case 1:
		by.size, by.step = places[0], operand.stride(w.starts[0])*units
	default:
		by.tuples.of(places, indices.stride(w.vector))
		for i, d := range w.starts {
			by.tuples.set(i, operand.stride(d)*units)
		}
	}
	return indices
}

// noStarts is the index of calls whose starts have no components.
var noStarts = view{tensor: &tensor{ptr: unsafe.Pointer(new(int64)), len: 1}, size: 8, kind: lanes.KindI64, count: 1}

// loop returns the loop along an axis of the result, or of updates: n steps, which the other
// operand goes in steps of s. indexed is the operand that windows are in, of the two.
func (w *windows) loop(a windowAxis, n, s int, operand, indices *view, units, indexed int) loop {
	l := loop{n: n}
	l.s[srcOp+dstOp-indexed] = s * units
	if a.operand >= 0 {
		l.s[indexed] = operand.stride(a.operand) * units
	}
	if a.index >= 0 && len(w.starts) > 0 {
		l.s[idxOp] = indices.stride(a.index)
	}
	return l
}
