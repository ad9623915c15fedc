package kernels

import (
	"math"

	"github.com/lanes-go/lanes"
)

// What an index names may be large and not lie dense, as in a view that is cut. Blocks go through
// all indices for each run of it, from one part of memory to the next. So each index's part is
// copied by itself:
//
//	for i := range indices {
//		o := index(i)*step
//		for j, k := range the plane { dst[i, j, k] = src[o + j, k] } // or the other way round
//	}
//
// (Zen 5, 80 planes of 5544 rows of 8 int32, cut out of 12: 9.0 ms in blocks, 0.6 so. Zen 3, 8
// planes of 10,018 rows of 32 bytes, call 3910001.154 of bench: 0.20 and 0.10 ms. BenchmarkCut,
// eight indices, the speedup of 64 rows of 6 and 120 bytes 1.7 and 1.3, of 24 rows of 112 0.7.)

// leastPlane is the least number of steps of two loops that are copied by themselves, and planeRows
// is how many rows are enough. (BenchmarkCut. Zen 4, rows of int16 that are two elements apart, out
// of 1 and 43 MB, the speedup over blocks: 64 of 3 1.4 and 2.0, 96 of 14 1.6 and 3.6, 24 of 12 0.7
// and 1.2, 24 of 56 0.75 and 2.5, 8 of 121 0.7 and 1.06, 4 of 200 0.5 and 0.65.)
var leastPlane, planeRows = 2048, 64

// planeOf returns the loop that makes a plane with the run of an arranged nest, or -1 if there is
// none. One index serves both, each step has elements of its own, and the plane lies in what an
// index names. In the other operand a plane ends before the next one begins. A gather also takes
// planes that interleave in dst if they are transposed: elements of src share cache lines along the
// loop, and not along the run. (Zen 4, call 2830001.374 of bench, planes of 768 × 32 float32, ns an
// element in blocks and in planes: 5.4 and 1.1.)
func (c *call) planeOf(n *nest, indexed int) int {
	loops, line, run := n.loops(), n.last(2), n.last(1)
	if n.long != nil || run.n == 1 || !c.policy.usual() {
		return -1
	}
	step, other := max(c.step, -c.step), srcOp+dstOp-indexed
	for d, s := range c.tuples.all() {
		if s = max(s, -s); d == 0 || s < step {
			step = s
		}
	}
	for k := len(loops) - 2; k >= 0; k-- {
		l, next, least := &loops[k], line, leastPlane
		if k == len(loops)-2 { // the line itself, if the indices are so few that theirs is a loop around it
			next, least = &loops[k-1], math.MaxInt // blocks go row by row, too
		}
		transposed := c.work == gatherWork && l.distance(srcOp)*c.elem.kind.Width() < cacheLine && run.distance(srcOp) >= l.spans(srcOp)
		if l.s[idxOp] == 0 && l.disjoint() && l.n > 1 && (l.n >= planeRows || l.n*run.n >= least) && l.spans(indexed) <= step && (l.spans(other) <= next.distance(other) || transposed) {
			return k
		}
	}
	return -1
}

// movePlanes moves the plane of loop k for each index.
func (c *call) movePlanes(n *nest, k, indexed int) bool {
	row, run := n.loops()[k], *n.last(1)
	outer := *n
	loops := outer.loops()
	copy(loops[k:], loops[k+1:])
	loops[len(loops)-2] = loop{n: 2} // stands for a run, whose elements lie evenly
	outer.rank--
	return c.eachBlock(&outer, indexed, func(base int, offsets []int, other lanes.Window, _ loop) {
		at := other.At
		for _, o := range offsets {
			to := position{dst: at, src: base + o}
			if indexed == dstOp {
				to = position{dst: base + o, src: at}
			}
			lanes.CopyRaw(window(c.dst, dstOp, to, &row, &run, c.stream), window(c.src, srcOp, to, &row, &run, false), row.n, run.n)
			at += other.Row
		}
	})
}
