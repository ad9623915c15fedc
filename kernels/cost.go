package kernels

import "github.com/lanes-go/lanes/dispatch"

// cost estimates what the call takes on one core, in ns, by dispatch.Costs.
func (c *call) cost() int {
	t := &dispatch.Costs
	inner, n := c.last(1), float64(c.steps())
	runs, bytes := n/float64(max(inner.n, 1)), n*float64(c.elem.kind.Width())
	neighbours := inner.n > 1 && inner.s[dstOp] == 1 && inner.s[srcOp] == 1 && inner.s[idxOp] == 0

	var ns float64
	switch c.work {
	case checkWork, equalWork:
		ns = n * (t.Check + t.Resolve*float64(max(len(c.tuples.sizes)-1, 0)))
	case copyWork:
		if ns = n * t.Strided; inner.s[dstOp] == 1 {
			read := 1. // elements for each that is written
			if step := inner.s[srcOp]; step != 1 {
				read = 2 * float64(max(step, -step, 1)) // in vectors, which shuffle them
			}
			ns = min(ns, runs*t.Run+bytes*t.Byte*read) // rows of a few elements move in blocks
		}
	case maskWork:
		scanned, moved := c.trues.work(c.loops())
		if ns = scanned*t.Mask + moved*t.Compact; neighbours {
			ns = scanned*t.Mask + moved/float64(inner.n)*t.Run + moved*float64(c.elem.kind.Width())*t.Byte
		}
	case bagWork:
		n *= float64(c.bags.count) / float64(max(c.bags.n, 1))
		ns = n/float64(max(inner.n, 1))*t.Run + n*float64(c.elem.kind.Width())*(t.Byte+t.Combine)
	default:
		ns = c.indexed(n, runs, neighbours)
	}
	return int(min(ns, 1<<30)) // fits an int of 32 bits, and exceeds every threshold
}

// indexed is cost for gathers and scatters of n elements in so many runs. With neighbours, a run
// lies side by side in both operands.
func (c *call) indexed(n, runs float64, neighbours bool) (ns float64) {
	t, bytes := &dispatch.Costs, n*float64(c.elem.kind.Width())
	indices := n
	if neighbours {
		indices = runs
	}
	if k := len(c.tuples.sizes); k > 0 {
		ns = indices * t.Resolve * float64(k)
	} else if !resolvable(c.idx.Kind) {
		ns = indices * t.Resolve
	}
	switch {
	case c.work == gatherWork && neighbours:
		ns += runs*t.Run + bytes*t.Byte
	case c.work == gatherWork:
		ns += n * t.Gather
	case c.attrs.Reduction == Mean:
		ns += n*t.Mean + float64(c.dst.Len)*t.Divide
	case !c.elem.reduces() && neighbours:
		ns += runs*t.Run + bytes*t.Byte
	case !c.elem.reduces():
		ns += n * t.Scatter
	case neighbours:
		ns += runs*t.Run + bytes*t.Combine
	default:
		ns += n * t.Reduce
	}
	if c.work == scatterWork {
		if _, half := c.elem.kind.Half(); half {
			ns += n * t.Half
		}
		ns += float64(c.data.Len*c.elem.kind.Width()) * t.Byte
	}
	return ns
}

// work returns how many elements of a mask a call with these loops scans, and how many elements it
// moves.
func (t *trues) work(loops []loop) (scanned, moved float64) {
	scanned, moved = 1, float64(t.total())
	for k := range loops {
		if k < t.loops {
			scanned *= float64(loops[k].n)
		} else {
			moved *= float64(loops[k].n)
		}
	}
	return scanned, moved
}
