package kernels

import "github.com/lanes-go/lanes"

// What an index names may be large and not lie dense, as in a view that is cut. Blocks go through all
// indices for each run of it, from one part of memory to the next. So each index's part is copied by
// itself:
//
//	for i := range indices {
//		o := index(i)*step
//		for j, k := range the plane { dst[i, j, k] = src[o + j, k] } // or the other way round
//	}
//
// (Zen 5, 80 planes of 5544 rows of 8 int32, cut out of 12: 9.0 ms in blocks, 0.6 so.)

// leastPlane is from how many steps on a plane is copied by itself.
var leastPlane = 2048

// planeOf returns the loops that one index serves, and whether they are many: what an index names is then
// large, and does not lie dense. Blocks would go through all indices for each run of it, from one part of
// memory to the next.
func (c *call) planeOf(n *nest) (plane nest, many bool) {
	if n.long != nil || !c.policy.usual() || n.last(1).n == 1 {
		return plane, false
	}
	steps, loops := 1, plane.array[:0]
	for _, l := range n.loops() {
		if l.s[idxOp] == 0 && l.disjoint() && l.n > 1 {
			loops = append(loops, l)
			steps *= l.n
		}
	}
	plane.rank = len(loops)
	return plane, plane.rank > 1 && steps >= leastPlane
}

// movePlanes moves what each index names by itself, as a copy.
func (c *call) movePlanes(n, plane *nest, indexed int) bool {
	outer := nest{at: n.at}
	loops := outer.array[:0]
	for _, l := range n.loops() {
		if l.s[idxOp] != 0 || !l.disjoint() {
			loops = append(loops, l)
		}
	}
	outer.set(pad(append(loops, loop{n: 2}), 3)) // a run: planes lie evenly apart
	copies := *c
	copies.observer = nil
	return c.eachBlock(&outer, indexed, func(base int, offsets []int, other lanes.Window, _ loop) {
		at := other.At
		for _, o := range offsets {
			if plane.at = (position{dst: at, src: base + o}); indexed == dstOp {
				plane.at = position{dst: base + o, src: at}
			}
			copies.copy(plane)
			at += other.Row
		}
	})
}
