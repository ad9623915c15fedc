package kernels

import "github.com/lanes-go/lanes/dispatch"

// A split says how a call is shared out: into parts of a loop, of the range of
// the indexed axis, or of a mask.
type split struct {
	by    splitBy
	loop  int
	parts int
}

// A splitBy is what parts divide among them.
type splitBy uint8

const (
	byLoop  splitBy = iota
	byRange         // parts share all loops and own ranges of the indexed axis
	byMask          // parts of the mask, as its true elements were counted
)

// split returns how to share the call out to its workers. One part means that it cannot be split.
func (c *call) split(cost int) split {
	each := cost / max(dispatch.Default.PartTime, 1) / c.workers // parts of a worker, as many as of any other
	parts := c.workers * max(1, min(dispatch.Default.TasksPerWorker, each))
	switch c.work {
	case scatterWork:
		return c.splitScatter(parts)
	case maskWork:
		return c.splitMask(parts)
	case bagWork:
		return c.splitBags(parts)
	case equalWork: // a row is compared whole
		return c.splitLoop(c.longest(0, len(c.loops())-1, false), parts)
	}
	if c.strip > 0 {
		return c.splitStrips(parts)
	}
	if c.tiles {
		return c.splitTiles(parts)
	}
	if c.work == gatherWork {
		if c.tables.packed {
			return c.splitPacked(parts)
		} else if k := c.planeOf(&c.nest, srcOp); k >= 0 {
			return c.splitOther(k, parts)
		} else if c.tables.steps > 0 {
			return c.splitLoop(c.tables.loop, parts)
		}
	}
	return c.splitLoop(c.longest(0, len(c.loops()), false), parts)
}

// splitTiles splits a call along the outermost loop with two tiles for every worker, or else along
// that with the most tiles, so that no part has narrower tiles. If these are too few it splits
// another loop than that along which dst is dense.
func (c *call) splitTiles(parts int) split {
	loops := c.loops()
	box, _ := c.box(loops)
	k, most := -1, 0
	for i := 0; i < len(loops) && most < 2*c.workers; i++ {
		if tiles := (loops[i].n-1)/box[i] + 1; tiles > most {
			k, most = i, tiles
		}
	}
	if most >= c.workers {
		return c.splitLoop(k, min(parts, most))
	}
	return c.splitOther(least(loops, dstOp), parts)
}

// splitPacked splits a gather from packed strips of tables along a loop over tables that has two
// for every worker, or else into strips.
func (c *call) splitPacked(parts int) split {
	k, loops := c.tables.loop, c.loops()
	for i, l := range loops[:k] {
		if l.s[srcOp] != 0 && l.n >= 2*c.workers {
			return c.splitLoop(i, parts)
		}
	}
	return c.splitLoop(k, max(c.workers, min(parts, loops[k].n/c.tables.steps)))
}

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

// splitScatter splits a scatter. It never cuts the axis, where parts would meet in the same cells.
func (c *call) splitScatter(parts int) split {
	switch {
	case c.strip > 0:
		return c.splitStrips(c.workers)
	case c.data.Len > 0: // a part copies what it owns
		return c.splitLoop(0, parts)
	}
	k := c.longest(0, len(c.loops()), true)
	if k >= 0 {
		parts = c.columnParts(k, parts)
	}
	if (k < 0 || parts <= 1 || c.loops()[k].n < c.workers) && c.owns() {
		return split{by: byRange, parts: c.workers}
	}
	return c.splitLoop(k, parts)
}

// splitStrips splits a call that packs strips by its tables, or across their columns, so that each
// strip is packed once.
func (c *call) splitStrips(parts int) split {
	columns := len(c.loops()) - 2
	if k := c.longest(0, columns-1, false); k >= 0 && c.loops()[k].n >= 2*c.workers {
		return c.splitLoop(k, max(parts, 2*c.workers))
	}
	if parts = min(parts, c.loops()[columns].n/c.strip); parts < 2*c.workers { // no part is narrower than a strip
		parts = c.workers
	}
	return c.splitLoop(columns, parts)
}

// cacheLine is the bytes of a cache line.
var cacheLine = 64

// columnParts returns into how many parts to cut loop k of a scatter, inside of which there may be
// more loops over columns. Within the axis each part works on columns of all rows. Two parts in one
// cache line would take it from each other with each update, and short lines cost more. Where a
// cache holds the table, that is more than a second core gains. (Zen 4, ns an update, one worker
// and two: sums of 48 columns into 115 KB 1.1 and 2.0, of 100 into 240 KB 1.3 and 1.5, of 160 1.1
// and 1.0. BenchmarkColumns: of 24 into 8 MB 2.4 and 3.1, into 16 MB 6.7 and 4.3, into 64 MB 10 and
// 6.4.)
//
// A prefetcher takes lines beyond the end of a part, too, from the worker at the next one, so two
// parts are not enough. (Sums of 640 columns into 16 rows, µs: one worker 119, two with two parts
// 165, with four 86, with twelve 87.)
//
// If one index serves a row, every part resolves all indices again. A second worker then helps only
// where memory limits the call, and not where one index after another names the same row, which
// stays in a cache. (Rows of 64 columns into 2 MB 0.31 and 0.84, of 128 into 16 MB 0.32 and 0.83,
// into 64 MB 0.91 and 0.44. 1000 rows into 256, µs: of 1024 columns 102 and 116, of 2048 213 and
// 116. Of 100 columns into 94 MB, each row 512 times in turn, ms: 1.6 and 4.7.)
//
// Rows of a transposed table are such columns, too, though their lines are no shorter for the cut.
// (BenchmarkTransposedRows. Zen 4, ns an update, one worker and two: 12 rows of 917 0.9 and 1.9, 32
// 0.9 and 1.0, 64 0.9 and 0.6; 12 of 100,000 1.4 and 1.0.)
func (c *call) columnParts(k, parts int) int {
	loops := c.loops()
	inside := false
	for _, l := range loops[:k] {
		inside = inside || !l.disjoint() && l.n > 1
	}
	l, width := &loops[k], c.elem.kind.Width()
	if !inside && l.distance(dstOp) >= max(c.step, -c.step) {
		return parts
	}
	columns, apart := 1, l.distance(dstOp) // of one step of the loop
	for _, inner := range loops[k+1:] {
		if inner.disjoint() {
			columns, apart = columns*inner.n, min(apart, inner.distance(dstOp))
		}
	}
	line := max(1, cacheLine/(apart*width))                                               // columns of a cache line
	steps := max(1, cacheLine/(l.distance(dstOp)*width))                                  // of the loop, in one
	partsOf := func(least int) int { return l.n / max(steps, (least+columns-1)/columns) } // so many columns, at least
	table := c.dst.Len * width
	cache, _ := dispatch.L2()
	switch {
	case !inside && table > cache:
		return parts
	case !inside:
		return min(parts, partsOf(2*line))
	case l.s[idxOp] == 0 && (table <= dispatch.Default.StreamReach || c.repeats(&loops[k-1])):
		return min(parts, c.workers, partsOf(64*line))
	case l.s[idxOp] == 0:
		return min(parts, c.workers, partsOf(3*line))
	case c.tableBytes()/4 >= dispatch.Default.StripTable && partsOf(line) < 2 && (c.owns() || c.nearby(c.last(3), c.last(2))):
		return 1 // to share cache lines takes longer: see owns
	case c.tableBytes()/4 >= dispatch.Default.StripTable:
		return min(parts, max(partsOf(fusedLine), min(c.workers, l.n)))
	case table <= cache:
		if parts = min(parts, 2*c.workers, partsOf(cachedColumns)); parts < 4 {
			return 1
		}
		return parts
	}
	return min(parts, max(partsOf(fusedLine), min(c.workers, partsOf(fusedLine/2))))
}

// repeats reports whether each index names the row of the one before it, judged by a sample along a
// loop.
func (c *call) repeats(l *loop) bool {
	const samples = 8
	for i := range min(samples, l.n-1) {
		before := c.at.idx + share(l.n-1, i, samples)*l.s[idxOp]
		for d := range max(1, len(c.tuples.sizes)) {
			if at := before + d*c.tuples.step; indexAt(c.idx, at) != indexAt(c.idx, at+l.s[idxOp]) {
				return false
			}
		}
	}
	return true
}

// cachedColumns is the least number of columns of a part of a scatter into a table that a core's
// cache holds.
var cachedColumns = 80

// splitMask splits a call with a mask: along the loops inside the mask, or into parts of the mask
// itself.
func (c *call) splitMask(parts int) split {
	if c.trues.parts < 2*c.workers {
		if k := c.longest(c.trues.loops, len(c.loops()), false); k >= 0 {
			return c.splitLoop(k, parts)
		}
	}
	return split{by: byMask, parts: c.trues.parts}
}

// splitBags splits an EmbeddingBag into bags, or into columns where one bag has more than half of
// all rows: workers with other bags would wait for it.
func (c *call) splitBags(parts int) split {
	last := len(c.loops()) - 1
	if c.bags.longest > c.bags.count/2 && c.loops()[last].n >= 2*c.workers {
		return c.splitLoop(last, parts)
	}
	return c.splitLoop(c.longest(0, last+1, false), parts)
}

// splitLoop splits along a loop. A negative loop gives one part.
func (c *call) splitLoop(loop, parts int) split {
	if loop < 0 {
		return split{parts: 1}
	}
	return split{byLoop, loop, min(parts, c.loops()[loop].n)}
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

// partOf returns the i-th part of a split.
func (p *pass) partOf(i int) nest {
	s := &p.split
	switch s.by {
	case byRange:
		n := p.nest
		n.low, n.high = share(p.size, i, s.parts), share(p.size, i+1, s.parts)
		return n
	case byMask:
		n := p.nest.part(0, i, s.parts)
		if n.low, n.high = p.trues.before[i], p.trues.before[i+1]; n.low == n.high {
			n.loops()[0].n = 0 // because high == 0 means all
		}
		return n
	}
	return p.nest.part(s.loop, i, s.parts)
}
