package kernels

import "github.com/lanes-go/lanes/dispatch"

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
		return split{ownParts, c.workers}
	}
	return c.splitLoop(k, parts)
}

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
// 0.9 and 1.0, 64 0.9 and 0.6; 12 of 100,000 1.4 and 1.0.) Few of them share all lines, which two
// workers take from each other where indices meet: each worker has a range of the axis then.
// (Emerald Rapids, call 5000001.125 of bench, 3 rows of 4.2 MB, skewed indices, ms: one worker 0.69,
// two 1.7 and so 0.69.)
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
	case !inside && table > cache && partsOf(line) < 2 && (table <= 2*dispatch.Default.OwnedTable || c.owns()):
		return 1
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

// scatterCost estimates what a scatter takes.
func (c *call) scatterCost() float64 {
	t, n, neighbours := &dispatch.Costs, float64(c.steps()), c.last(1).neighbours()
	ns := c.indexCost(n) + float64(c.data.Len*c.elem.kind.Width())*t.Byte
	if _, half := c.elem.kind.Half(); half {
		ns += n * t.Half
	}
	switch reduces := c.elem.reduces(); {
	case c.attrs.Reduction == Mean:
		ns += n*t.Mean + float64(c.dst.Len)*t.Divide
	case neighbours && reduces:
		ns += c.runsCost(n, t.Combine)
	case neighbours:
		ns += c.runsCost(n, t.Byte)
	case reduces:
		ns += n * t.Reduce
	default:
		ns += n * t.Scatter
	}
	return ns
}
