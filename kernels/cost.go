package kernels

import "github.com/lanes-go/lanes/dispatch"

// What a pass costs is estimated on one core, in ns, by dispatch.Costs. Each pass adds up its own;
// here is what they share.

// runsCost is for so many elements that move in runs, with so much for each byte.
func (c *call) runsCost(elements, byteCost float64) float64 {
	runs := elements / float64(max(c.last(1).n, 1))
	return runs*dispatch.Costs.Run + elements*float64(c.elem.kind.Width())*byteCost
}

// indexCost is for turning the indices of so many elements into offsets, where that is a pass of
// its own. One index serves a run of neighbours.
func (c *call) indexCost(elements float64) float64 {
	if run := c.last(1); run.neighbours() {
		elements /= float64(run.n)
	}
	if k := len(c.tuples.sizes); k > 0 {
		return elements * dispatch.Costs.Resolve * float64(k)
	} else if !resolvable(c.idx.Kind) {
		return elements * dispatch.Costs.Resolve
	}
	return 0
}
