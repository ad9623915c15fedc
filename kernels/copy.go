package kernels

import (
	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// copy runs a part of a copy, two loops at a time.
func (c *call) copy(n *nest) {
	if c.elem.refs != nil {
		c.note("copy, pointers")
		line := n.last(1)
		n.each(1, func(at position) bool {
			c.moveRun(at.dst, at.src, line)
			return true
		})
		return
	}
	c.note("copy")
	c.copyLarge(n)
}

// copyLarge copies numbers, more than a few.
func (c *call) copyLarge(n *nest) {
	if c.tiles && n.long == nil {
		c.copyTiles(n)
		return
	}
	row, col := n.inner()
	if c.exchanges(row, col) {
		c.copyPlanes(n)
		return
	}
	runs := col.s[dstOp] == 1 && col.s[srcOp] == 1 && row.n <= fewRows && col.n*c.elem.kind.Width() <= fewRowsBytes
	if (runs || row.n*col.n <= shortPlane) && len(n.loops()) > 2 && (c.copyReversed(n) || c.copyBlocks(n, false)) {
		return
	}
	vectors := n.each(2, func(at position) bool { // all planes, or not even the first
		return lanes.CopyVectorsRaw(window(c.dst, dstOp, at, row, col, c.stream), window(c.src, srcOp, at, row, col, false), row.n, col.n)
	})
	if vectors || col.n < shortRow && c.copyBlocks(n, false) {
		return
	}
	c.copyPlanes(n)
}

// exchanges reports whether a primitive exchanges rows and columns of a plane that is small.
func (c *call) exchanges(row, col *loop) bool {
	width := c.elem.kind.Width()
	return width <= 8 && row.s[srcOp] == 1 && col.s[dstOp] == 1 && row.n >= bodyRows(width) && col.n >= bodyColumns(width) &&
		row.n*col.n >= leastExchanged && lanes.ExchangesRows()
}

// copyReversed copies planes of a few short rows in reverse by way of a buffer:
//
//	for each few planes
//		for each row { buffer[row] = src[row] }
//		for each row { dst[row] = reversed buffer[row] }    // in one call
//
// It reports whether that is what the nest copies.
func (c *call) copyReversed(n *nest) bool {
	loops, width := n.loops(), c.elem.kind.Width()
	last := len(loops) - 1
	if loops[last].s[dstOp] != 1 || loops[last].s[srcOp] != -1 || width > 4 || n.long != nil || n.steps() < leastReversed || !dispatch.ReversesRows() {
		return false
	}
	var box tile
	for k := range loops {
		box[k] = 1
	}
	buffer, memory := bufferFor(box.extend(loops, dstOp, reversedTile/width), c.elem.kind)
	defer buffers.Put(buffer)
	fetched, turned := *c, *c
	fetched.dst, fetched.stream, turned.src = memory, false, memory
	return box.each(loops, n.at, func(at position, box *tile) bool {
		in, out := box.buffered(loops)
		in[last].s[srcOp], out[last].s[srcOp] = 1, -1
		end := box[last] - 1
		fetched.at, turned.at = position{0, at.src - end, 0}, position{at.dst, end, 0}
		fetched.set(pad(collapse(in[:len(loops)]), 2))
		fetched.copyLarge(&fetched.nest)
		turned.set(pad(collapse(out[:len(loops)]), 2))
		turned.copyPlanes(&turned.nest)
		return true
	})
}

// leastReversed is the least number of elements of such a copy, and reversedTile the bytes of a
// tile. (BenchmarkReversedRows. Zen 3, ns an element by a pattern and by a buffer, planes of 2, 6
// and 20 rows of 2 to 24 elements: uint8 0.64 and 0.11 to 0.32, uint16 0.64 and 0.20 to 0.38,
// uint32 0.68 and 0.41 to 0.57; variants of it for uint64 0.4 to 0.8 and 0.3 to 1.5, and for uint16
// in steps of -2 0.68 and 0.46 to 1.5. Call 8100001.184 of bench, the speedup: 7.9, two workers
// 2.9.)
var leastReversed, reversedTile = 512, 8 << 10

// copyPlanes copies two loops at a time.
func (c *call) copyPlanes(n *nest) {
	row, col := n.inner()
	n.each(2, func(at position) bool {
		lanes.CopyRaw(window(c.dst, dstOp, at, row, col, c.stream), window(c.src, srcOp, at, row, col, false), row.n, col.n)
		return true
	})
}

// copyLoops sets the loops of a copy, which are in the order of dst.
func (c *call) copyLoops(loops []loop) {
	loops = collapse(loops)
	if c.tiles = c.scattered(loops); !c.tiles {
		exchange(loops, &c.at)
		c.lengthen(loops)
	}
	c.set(pad(loops, 2))
	if run := c.last(1); run.n*c.elem.kind.Width() <= 16 && c.widen() {
		c.set(pad(collapse(c.loops()), 2))
	}
}

// lengthen moves the longest loop next to a line whose elements lie apart in src, if the loop that
// is there is short: vectors permute many such lines at a time, and a call takes as long as some
// 500 elements. (Zen 4, calls of bench, the speedup: 2 lines of 128 float32, 170002.99, 3.7; 2 of
// 256, 210002.71, 2.2; 4 of 128 in steps of 4, 170002.60, 1.4. Beyond the caches it costs more than
// it saves: 3 lines of 212 float64, 240003.527, 0.77.)
func (c *call) lengthen(loops []loop) {
	last, k := len(loops)-1, 0
	if last < 2 || loops[last].s[dstOp] != 1 || loops[last].s[srcOp] == 1 || loops[last-1].s[srcOp] == 1 ||
		loops[last].n*c.elem.kind.Width() < leastLine || loops[last-1].n*loops[last].n*c.elem.kind.Width() > fewLines {
		return
	}
	for i := range loops[:last] {
		if loops[i].n > loops[k].n {
			k = i
		}
	}
	if loops[k].n >= 2*loops[last-1].n {
		beside(loops, k)
	}
}

// leastLine is the least number of bytes of such a line, and fewLines the most bytes of those that
// are there.
const leastLine, fewLines = 64, 4 << 10

// scattered reports whether a copy with these loops goes in tiles: another loop than the innermost
// moves src least, and their rows and columns are not long enough to be exchanged as they are, or
// rows lie a little apart.
func (c *call) scattered(loops []loop) bool {
	last, line := len(loops)-1, max(1, cacheLine/c.elem.kind.Width())
	if last < 1 || last >= maxLoops || loops[last].s[dstOp] != 1 || c.elem.refs != nil {
		return false
	}
	k := least(loops, srcOp)
	if k == last {
		return false
	}
	rows, cols := &loops[k], &loops[last]
	switch far := cols.distance(srcOp) > line; {
	case 1 < rows.distance(srcOp) && rows.distance(srcOp) < line && far && cols.n >= line && steps(loops)*rows.distance(srcOp)*c.elem.kind.Width() > dispatch.Near.Second:
		return true
	case rows.s[srcOp] == -1 && cols.n < bodyColumns(c.elem.kind.Width()) && rows.s[dstOp] == cols.n:
		return true
	default:
		return last > 1 && (cols.n < line || rows.n < line && far)
	}
}

// shortRow is the most elements of a row that blocks of many rows copy faster than a call for each
// row, where no vectors copy it. (Zen 4, ns an element of every second row and element, row by row
// and in blocks: of 5 uint8 1.5 and 0.44, of 5 float64 1.5 and 0.6, of 12 float32 1.5 and 0.65.)
const shortRow = 64

// shortPlane is the most elements of two loops that are too short to be copied alone, if there are
// more loops.
const shortPlane = 256

// fewRows and fewRowsBytes bound planes of whole rows that blocks copy, too: they prefetch rows of
// the next plane, where a primitive prefetches what lies behind this one. (BenchmarkPlanesOfRows.
// Zen 3, the time by planes over that in blocks, of planes of 16, 32, 64 and 128 rows: in the
// second-level cache 0.9 to 2.6, 0.9 to 1.6, 0.8 to 1.04, 0.6 to 0.85; 4 MB 1.1 to 3.1, 1.0 to
// 1.8, 0.9 to 1.3, 0.75 to 1.0; 64 MB, by two workers, 1.1 to 3.3, 1.0 to 2.0, 1.0 to 1.3, 0.8 to
// 1.3. Planes that are farther apart gain more: 64 rows of 96 bytes 43 KB apart, 6710001.106, 1.3,
// by two workers 2.2.)
var fewRows, fewRowsBytes = 64, 4 << 10

// copyBlocks copies short loops block by block, by a pattern of offsets in src (see blocks.go). It
// reports whether a block has more than one step of a loop, or has to be, and has copied them then.
func (c *call) copyBlocks(n *nest, must bool) bool {
	loops, run, inner := n.loops(), n.last(1), 1
	if run.s[dstOp] != 1 || run.s[srcOp] != 1 || run.n < shortRun && run.n*c.elem.kind.Width() < 16 {
		inner, run = 0, &one
	}
	loops = loops[:len(loops)-inner]
	shape := blockingOf(loops, srcOp, [3]bool{dstOp: true})
	if !must && shape.loop == len(loops)-1 {
		return false
	}
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	pattern := fill(&shape, b.patterns[srcOp][:], loops, srcOp)
	last, cut := &loops[len(loops)-1], &loops[shape.loop]
	n.each(len(loops)-shape.loop+inner, func(at position) bool {
		for left := cut.n; left > 0; left -= shape.chunk {
			count := min(left, shape.chunk) * shape.inner
			lanes.GatherRowsRaw(lanes.Window{Memory: c.dst, At: at.dst, Row: last.s[dstOp], Col: 1, Stream: c.stream}, c.src, at.src, 1, pattern[:count], run.n)
			at = cut.after(at, shape.chunk)
		}
		return true
	})
	return true
}

// shortRun is the least number of elements of a run of less than 16 bytes that is not copied element
// by element. (Emerald Rapids, ns an element of runs far apart, by elements and by runs: uint8 of 3
// 0.54 0.50, 5 0.46 0.32, 7 0.49 0.22, 12 0.44 0.14; uint16 of 3 0.54 0.56, 5 0.47 0.32, 7 0.48
// 0.25. BenchmarkShortRuns.)
const shortRun = 5

// pieceRefs bounds one move of elements with pointers, as pieceBytes does.
const pieceRefs = 8 << 10

// moveRun moves elements with pointers along one loop.
func (c *call) moveRun(d, s int, run *loop) {
	if run.s[dstOp] == 1 && run.s[srcOp] == 1 {
		most := max(1, min(pieceRefs, pieceBytes/c.elem.size))
		for left := run.n; left > 0; {
			n := min(left, most)
			c.elem.refs.move(c.dst, c.src, d, s, n)
			d, s, left = d+n, s+n, left-n
		}
		return
	}
	for range run.n {
		c.elem.refs.move(c.dst, c.src, d, s, 1)
		d, s = d+run.s[dstOp], s+run.s[srcOp]
	}
}

// copyCost estimates what a copy takes. Rows of a few elements move in blocks.
func (c *call) copyCost() float64 {
	t, inner, n := &dispatch.Costs, c.last(1), float64(c.steps())
	if inner.s[dstOp] != 1 {
		return n * t.Strided
	}
	read := 1. // elements for each that is written
	if inner.s[srcOp] != 1 {
		read = 2 * float64(max(inner.distance(srcOp), 1)) // in vectors, which shuffle them
	}
	return min(n*t.Strided, c.runsCost(n, t.Byte*read))
}

// splitCopy splits a copy.
func (c *call) splitCopy(parts int) split {
	if c.tiles {
		return c.splitTiles(parts)
	}
	return c.splitLoop(c.longest(0, len(c.loops()), false), parts)
}
