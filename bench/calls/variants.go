package calls

import "slices"

// Other calls that should be as fast as a call.

// wideInner is an innermost axis on which loops run long.
const wideInner = 256

// Wide returns the call with its longest axis innermost, if that is long and the innermost one is
// not. It is for operators with an index an element, and for slices.
func (c Call) Wide() (wide Call, ok bool) {
	last := len(c.Moved) - 1
	if c.Operator == GatherND || c.Operator == Gather || c.Operator == ScatterNDUpdate || c.Moved[last] >= wideInner {
		return c, false
	}
	longest := -1
	for d, n := range c.Moved[:last] {
		if (c.Slices() || d != c.Axis) && (longest < 0 || n > c.Moved[longest]) {
			longest = d
		}
	}
	if longest < 0 || c.Moved[longest] < wideInner {
		return c, false
	}
	swap := func(x []int) []int {
		if x != nil {
			x = slices.Clone(x)
			x[longest], x[last] = x[last], x[longest]
		}
		return x
	}
	c.Moved, c.Data, c.Indices = swap(c.Moved), swap(c.Data), swap(c.Indices)
	if c.Slices() {
		c.Cuts = slices.Clone(c.Cuts)
		c.Cuts[longest], c.Cuts[last] = c.Cuts[last], c.Cuts[longest]
	} else if c.Axis == last {
		c.Axis = longest
	}
	return c, true
}

// Forward returns the call with every negative step reversed, if there is one.
func (c Call) Forward() (forward Call, ok bool) {
	c.Cuts = slices.Clone(c.Cuts)
	for i, x := range c.Cuts {
		if x.Step < 0 {
			c.Cuts[i], ok = Cut{x.Begin + (x.Count-1)*x.Step, x.Count, -x.Step}, true
		}
	}
	return c, ok
}

// OtherStrides returns the call with nil strides written out, or the other way round, if it has
// either.
func (c Call) OtherStrides() (other Call, ok bool) {
	switch c.Strides {
	case NilStrides:
		c.Strides = WrittenStrides
	case WrittenStrides:
		c.Strides = NilStrides
	default:
		return c, false
	}
	return c, true
}
