package kernels

import "github.com/lanes-go/lanes/dispatch"

// work estimates what the call takes on one core, in ns, by dispatch.Costs.
func (c *call) work() int {
	t := &dispatch.Costs
	last := len(c.dims) - 1
	inner := &c.dims[last]
	n := float64(c.steps())
	runs, bytes := n/float64(max(inner.n, 1)), n*float64(c.elem.width)
	neighbours := inner.n > 1 && inner.s[dstOp] == 1 && inner.s[srcOp] == 1 && inner.s[idxOp] == 0

	var ns float64
	switch c.body {
	case checkBody, compactBody:
		ns = (n * (t.Check + t.Resolve*float64(max(len(c.tuples.sizes)-1, 0))))
	case copyBody:
		if ns = n * t.Strided; inner.s[dstOp] == 1 && inner.s[srcOp] == 1 {
			ns = runs*t.Run + bytes*t.Byte
		}
	case maskBody:
		looks, moves := c.trues.work(c.dims)
		if ns = looks*t.Mask + moves*t.Compact; neighbours {
			ns = looks*t.Mask + moves/float64(inner.n)*t.Run + moves*float64(c.elem.width)*t.Byte
		}
	case bagBody:
		n *= float64(c.bags.count) / float64(max(c.bags.n, 1))
		ns = (n/float64(max(inner.n, 1))*t.Run + n*float64(c.elem.width)*(t.Byte+t.Combine))
	default:
		ns = c.indexed(n, runs, neighbours)
	}
	return int(min(ns, 1<<30)) // nothing asks for more, and an int may have 32 bits
}

// indexed is work for gathers and scatters of n elements in so many runs.
func (c *call) indexed(n, runs float64, neighbours bool) (ns float64) {
	t, bytes := &dispatch.Costs, n*float64(c.elem.width)
	indices := n
	if neighbours {
		indices = runs
	}
	if k := len(c.tuples.sizes); k > 0 {
		ns = indices * t.Resolve * float64(k)
	} else if c.idx.kind != kindInt32 && c.idx.kind != kindInt64 {
		ns = indices * t.Resolve
	}
	switch {
	case c.body == gatherBody && neighbours:
		ns += runs*t.Run + bytes*t.Byte
	case c.body == gatherBody:
		ns += n * t.Gather
	case c.attrs.Reduction == Mean:
		ns += n*t.Mean + float64(c.dst.n)*t.Divide
	case c.number == noNumber && neighbours:
		ns += runs*t.Run + bytes*t.Byte
	case c.number == noNumber:
		ns += n * t.Scatter
	case neighbours:
		ns += runs*t.Run + bytes*t.Combine
	default:
		ns += n * t.Reduce
	}
	if c.body == scatterBody {
		if c.number == numFloat16 || c.number == numBFloat16 {
			ns += n * t.Half
		}
		ns += float64(c.data.n*c.elem.width) * t.Byte
	}
	return ns
}

// work returns how many elements a call with these loops looks at and moves.
func (t *trues) work(dims []dim) (looks, moves float64) {
	looks, moves = 1, float64(t.total())
	for k, d := range dims {
		if k < t.loops {
			looks *= float64(d.n)
		} else {
			moves *= float64(d.n)
		}
	}
	return looks, moves
}
