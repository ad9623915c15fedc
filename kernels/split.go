package kernels

// A split says how a call is cut: along a loop of its nest, or into what its work divides itself.
type split struct{ loop, parts int }

// ownParts is the loop of a split whose parts share all loops: they own cells of a scatter's axis,
// or parts of a mask.
const ownParts = -1

// splitOther splits a call along another loop than k, if one has a step for every worker.
func (c *call) splitOther(k, parts int) split {
	loops := c.loops()
	for _, other := range []int{c.longest(0, k, false), c.longest(k+1, len(loops), false)} {
		if other >= 0 && loops[other].n >= c.workers {
			return c.splitLoop(other, parts)
		}
	}
	return c.splitLoop(c.longest(0, len(loops), false), parts)
}

// cacheLine is the bytes of a cache line.
var cacheLine = 64

// splitLoop splits along a loop. A negative loop gives one part.
func (c *call) splitLoop(loop, parts int) split {
	if loop < 0 {
		return split{parts: 1}
	}
	return split{loop, min(parts, c.loops()[loop].n)}
}

// longest returns the outermost of the loops in [first, end) that gives every worker two parts. If
// there is none it returns the longest loop, or -1 if no loop can be cut. With disjoint it
// considers only loops whose steps have different cells.
func (c *call) longest(first, end int, disjoint bool) int {
	longest, loops := -1, c.loops()
	for k := first; k < end; k++ {
		l := &loops[k]
		if l.n < 2 || disjoint && !l.disjoint() {
			continue
		}
		if l.n >= 2*c.workers {
			return k
		}
		if longest < 0 || l.n > loops[longest].n {
			longest = k
		}
	}
	return longest
}

// partOf returns the i-th part of a pass that is split along a loop.
func (p *pass) partOf(i int) nest { return p.nest.part(p.split.loop, i, p.split.parts) }
