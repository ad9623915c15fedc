package kernels

import (
	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// fusedLine is the least number of steps of a line of single elements that a fused primitive moves;
// shorter lines go in blocks. Where the line leads into one row of a table, a quarter of that is
// enough. (Zen 4, ns an element of float32, fused and in blocks: columns of 48 0.87 and 0.71, of 96
// 0.66 and 0.74; rows of 12 0.89 and 0.73, of 24 0.63 and 0.72; of 17 into tables that registers
// hold 0.39 and 0.69.)
var fusedLine = 64

// shortLine is fusedLine for a gather whose primitive moves fusedPlane elements or more, in several
// lines. (Zen 4, columns of float32, ns an element, fused and in blocks: 300 lines of 8 0.78 and
// 1.3, of 48 0.76 and 1.2; 8 lines of 24 1.0 and 0.95, of 48 0.75 and 0.93.)
var shortLine, fusedPlane = 8, 384

// eachLine is the shortest line for bodies that read indices directly and take several lines in a
// call. These have eachPlane elements or more, unless the nest has no other loops: a call takes
// some 60 ns. (BenchmarkShortLines. Zen 4, ns in all, float32, by such bodies and otherwise:
// columns of 4, 80 elements 265 and 378, 384 429 and 764, 30,000 16.8 and 19.7 µs; rows of 8 247
// and 367, 376 and 771, 14.7 and 20.3 µs; set in place 413 and 588, 547 and 1001, 20.1 and 31.9 µs;
// sums 431 and 616, 652 and 1061, 24.8 and 38.4 µs.)
var eachLine, eachPlane = 4, 192

// joinedLine is fusedLine for lines into rows of so few entries that registers hold several rows.
// (BenchmarkShortLines. Zen 4, float32 from rows of 16, so and in blocks: lines of 2, 384 elements
// 780 and 1520 ns, 30,000 22.6 and 42 µs; of 3, 820 and 1420 ns, 15.3 and 28.4 µs.)
var joinedLine = 2

// shortUpdates is fusedLine for a scatter of updatesPlane elements or more whose lines follow each
// other. The primitive resolves several at a time, as blocks do, and checks no offsets. It makes
// the pattern of their columns for each call, which takes as long as it gains on 3000 updates. (Zen
// 5, ns an update of float32, fused and in blocks: rows of 4 to 15, set 0.40-0.47 and 0.6, added
// 0.56-0.63 and 0.68; columns of 4 to 60 0.58-0.67 and 0.66-0.75.)
const shortUpdates, updatesPlane = 4, 4096

// fusedPlanes are the least numbers of elements of several lines that a fused primitive moves, if
// there are more loops: a call takes some 60 ns. (BenchmarkPlanes. Zen 4, ns an element of float32,
// fused and in blocks: gathers, 2 lines of 16 2.0 and 1.1, of 24 1.5 and 1.1, of 32 1.2 and 2.0;
// sums, 2 lines of 16 2.3 and 1.0, of 48 1.2 and 1.05, of 64 1.07 and 1.03, 4 of 32 1.09 and 1.02.)
var fusedPlanes = [...]int{gatherWork: 56, scatterWork: 128}

// cutLine is fusedLine for lines that do not follow each other: a block would have one of them, or
// go through dense copies.
var cutLine = 16

// leastRun is the least number of elements, with one index, that are moved as a run.
const leastRun = 2

// gather runs a part of a gather.
func (c *call) gather(n *nest) bool {
	switch {
	case c.elem.refs != nil:
		c.noteBlocks(n)
		return c.eachBlock(n, srcOp, func(base int, offsets []int, dst lanes.Window, run loop) {
			at := dst.At
			for _, o := range offsets {
				c.moveRun(at, base+o, &run)
				at += dst.Row
			}
		})
	case c.tiles:
		c.note("gather, tiles")
		return c.gatherTiles(n)
	case c.strip > 0:
		return c.gatherStrips(n)
	case c.tables.packed:
		return c.gatherPacked(n)
	}
	first := c.readFirst(n, srcOp)
	if first.bytes == 0 && c.tables.steps == 0 {
		return c.gatherWhole(n)
	}
	part := *c
	part.observer = nil
	use := func(table nest) bool { return part.gatherWhole(&table) }
	if first.bytes > 0 {
		c.note("gather, tables read first")
		return c.eachTable(n, srcOp, first, use)
	}
	c.note("gather, strips")
	return n.pieces(c.tables.loop, c.tables.steps, use)
}

// gatherWhole gathers a part, or a strip of it.
func (c *call) gatherWhole(n *nest) bool {
	switch {
	case c.gathersTuples(n):
		c.note("gather")
		line := n.last(2)
		return n.each(2, func(at position) bool { return c.gatherTuples(at, line) })
	case c.fuses(n):
		c.note("gather")
		row, line := n.last(3), n.last(2)
		if c.rowsOf(n) != row {
			return c.gatherBroadcast(n)
		}
		return n.each(3, func(at position) bool { return c.gatherLines(at, row, line) })
	}
	c.noteBlocks(n)
	if k := c.planeOf(n, srcOp); k >= 0 {
		return c.movePlanes(n, k, srcOp)
	}
	return c.gatherBlocks(n)
}

// gatherTuples gathers a line of single elements that tuples name, and reports whether all of them
// are in range.
func (c *call) gatherTuples(at position, line *loop) bool {
	dst := lanes.Window{Memory: c.dst, At: at.dst, Row: line.s[dstOp]}
	tuples := lanes.Window{Memory: c.idx, At: at.idx, Row: line.s[idxOp], Col: c.tuples.step}
	return lanes.GatherTuplesRaw(dst, c.src, at.src, tuples, c.tuples.sizes, c.tuples.all(), line.n) < 0
}

// gathersTuples reports whether gatherTuples takes the lines of an arranged nest: they are long,
// and lead into one slice.
func (c *call) gathersTuples(n *nest) bool {
	line, run := n.inner()
	return len(c.tuples.sizes) > 0 && run.n == 1 && line.n >= leastTuples && line.s[srcOp] == 0 && line.s[dstOp] == 1 &&
		resolvable(c.idx.Kind) && c.policy.usual()
}

// leastTuples is the least number of tuples for which a line is gathered by itself.
var leastTuples = 32

// gatherBlocks gathers by offsets, block by block.
func (c *call) gatherBlocks(n *nest) bool {
	if c.gathersAlong(n) {
		return c.gatherAlong(n)
	}
	return c.eachBlock(n, srcOp, func(base int, offsets []int, dst lanes.Window, run loop) {
		lanes.GatherRowsRaw(dst, c.src, base, run.s[srcOp], offsets, run.n)
	})
}

// rowsOf returns the loop of an arranged nest that a fused primitive takes as rows: the one around
// the line, or the next one if indices are broadcast along the first and that has few lines (see
// gatherBroadcast). That reads and writes with gaps, so a cache has to hold the operands.
// (BenchmarkGatherBroadcast. Zen 4, ns an element of float32, with rows of the first loop and of
// the next one, for 392, 3920 and 39,200 of these: 2 lines of 17 1.1 1.1 1.3 and 0.5 0.5 0.6, 5 of
// 8 1.2 1.2 1.7 and 0.6 0.6 1.4, 5 of 40 0.43 0.45 0.61 and 0.27 0.27 0.76, 16 of 17 0.8 0.6 0.6
// and 0.6 0.6 2.5.)
func (c *call) rowsOf(n *nest) *loop {
	row := n.last(3)
	if c.work == gatherWork && row.n > 1 && row.s[idxOp] == 0 && row.n*n.last(2).n < fusedPlane && len(n.loops()) > 3 &&
		sizeOf(c.dst)+sizeOf(c.src) <= int64(dispatch.Default.StreamReach) {
		return n.last(4)
	}
	return row
}

// gatherBroadcast gathers where a few lines have the same indices, as those of a batch have:
//
//	for each few rows { for each line { gather it from these rows } }
func (c *call) gatherBroadcast(n *nest) bool {
	row, lines, line := n.last(4), n.last(3), n.last(2)
	rows := max(1, 2*fusedPlane/line.n)
	return n.each(4, func(at position) bool {
		part := *row
		for left := row.n; left > 0; left -= rows {
			part.n = min(left, rows)
			from := at
			for range lines.n {
				if !c.gatherLines(from, &part, line) {
					return false
				}
				from = lines.after(from, 1)
			}
			at = row.after(at, part.n)
		}
		return true
	})
}

// gatherLines gathers rows of a line with the fused primitive, where the policy allows it.
func (c *call) gatherLines(at position, row, line *loop) bool {
	if c.policy.usual() {
		return c.gatherFused(at, row, line) < 0
	}
	return c.eachPart(at, row, line, c.gatherFused, c.gatherBlocks)
}

func (c *call) gatherFused(at position, row, line *loop) (bad int) {
	return lanes.GatherRaw(window(c.dst, dstOp, at, row, line, c.stream), window(c.src, srcOp, at, row, line, false), c.size, c.step,
		window(c.idx, idxOp, at, row, line, false), row.n, line.n)
}

// fuses reports whether a fused primitive takes the line of an arranged nest: single elements with
// contiguous indices of 32 or 64 bits.
func (c *call) fuses(n *nest) bool {
	line, run := n.inner()
	least, indexed, other := fusedLine, srcOp, dstOp
	if c.work == scatterWork {
		indexed, other = dstOp, srcOp
	}
	if line.s[indexed] == 0 && c.step == 1 && (!c.elem.reduces() || c.elem.kind.Width() >= 4) { // indices are used as they are
		least /= 4
	}
	row := c.rowsOf(n)
	follow, plane := row.continues(line, other), row.n*line.n
	if plane < fusedPlanes[c.work] && len(n.loops()) > 3 {
		return false
	}
	switch {
	case plane >= eachPlane && c.joins(row, line):
		least = joinedLine
	case c.work == gatherWork && follow && c.alongPattern(n, line) && c.gathersAlong(n):
		return false
	case dispatch.TakesIndices() && (plane >= eachPlane || len(n.loops()) <= 3) && c.takesIndices(line.s[indexed]):
		least = min(least, eachLine)
	case c.work == gatherWork && plane >= fusedPlane && dispatch.GathersShortLines():
		least = min(least, shortLine)
	case c.work == scatterWork && plane >= updatesPlane && follow && dispatch.ScattersShortLines():
		least = min(least, shortUpdates)
	case !follow:
		least = min(least, cutLine)
	}
	return run.n == 1 && line.n >= least && len(c.tuples.sizes) == 0 && c.elem.refs == nil && resolvable(c.idx.Kind) &&
		line.s[idxOp] == 1
}

// joins reports whether registers may hold the tables of several rows of a gather: they are short,
// and follow each other.
func (c *call) joins(row, line *loop) bool {
	most := 4 * line.n // entries of a table: as many rows as fit the registers then fill a vector
	if c.elem.kind.Width() >= 4 {
		most *= 2
	}
	return c.work == gatherWork && line.s == [3]int{dstOp: 1, idxOp: 1} && c.step == 1 && c.size <= most && row.s[srcOp] == c.size &&
		row.s[dstOp] == line.n && (row.s[idxOp] == line.n || row.s[idxOp] == 0) && dispatch.JoinsRows()
}

// takesIndices reports whether levels with bodies have one that takes the indices of a line as they
// are. column is the step of the table along the line: 0 if all indices lead into one row.
func (c *call) takesIndices(column int) bool {
	kind := c.elem.kind
	switch {
	case c.work == gatherWork:
		return kind.Width() <= 8 && (column == 0 && c.step == 1 || column == 1)
	case column != 0 || c.step != 1:
		return false
	case !c.elem.reduces():
		return kind.Width() <= 8
	}
	return kind.Real() && (c.attrs.Reduction == Sum || c.attrs.Reduction == Min || c.attrs.Reduction == Max)
}

// farPacked is the most bytes of a table that are packed for each element that is moved. An element
// that is not packed is most of the time in a cache line of its own. nearPacked is the same where
// the last-level cache holds the table, or nearly; of a gather, all of its tables.
// (BenchmarkStrips. Zen 4, ns an element, packed and not: float32 from 256 MB into an eighth of the
// rows 4.4 and 12, into a 16th 7.0 and 10; float64 from 305 MB into a quarter 6.3 and 12; uint8
// from 16 MB into a 16th 1.9 and 3.4. Calls of bench, the speedup by packing, 594 tables of 0.5 MB,
// 520001.443, 2.2; 7 of 7 MB, 520007.806, 1.4.)
const farPacked, nearPacked = 32, 8

// leastPacked is the least number of rows of a table that is packed. Fewer are read in as many
// sequences, which the hardware prefetches. (BenchmarkStrips. Zen 4, float32 from 61 MB, ns an
// element, packed and not: 4 rows 0.9 and 0.8, 8 rows 1.2 and 2.0, 32 rows 1.9 and 9.5.)
var leastPacked = 8

// leastStrip is the least length, in bytes, of a strip's rows, of a scatter and of a gather whose
// bodies do not loop over rows. (Zen 4, tables of 14,000 and 5,000 rows of float32: with rows of 72
// bytes strips gain nowhere, with 208 they take 0.4 to 0.8 of the time.)
var leastStrip = 128

// Rows of other gathers' strips have narrowStrip to wideStrip bytes: rows that lie apart are
// prefetched. (BenchmarkStripWidths. Zen 4, ns an element of float32, with rows of 32, 64, 128, 256
// and 512 bytes, and without strips: from 1024 × 4096 3.0 2.9 1.9 1.5 1.5, 5.0; 4096 × 1024 3.4 3.1
// 2.1 2.0 2.3, 4.8; 16384 × 256 3.0 3.0 3.3 3.4 3.4, 5.0; 65536 × 128 3.4 3.9 4.2 6.3 7.7, 6.5;
// 262144 × 64 5.3 6.7 8.8 10.9, 9.0.)
var narrowStrip, wideStrip = 32, 256

// A gather's strip has leastNear bytes at least of a table that the last-level cache holds. Of a
// larger one it has runsOf at least, or leastFar if that is less. Of a larger one with fewer than
// fewPacked rows, or fewer than fewIndices rows of indices, it has StripBytes at least, because
// rows are copied in long runs then. (Calls of bench, Zen 4: 31 rows of 2.4 MB and 4 of indices,
// 284001.407, in strips of 256 KiB 0.79 times as fast as of 1 MiB, of 8 KB 0.55; 62 rows of 383 KB
// and 45 of indices, 700001.154, ns an element with 1 MiB, 256, 128 and 64 KiB 2.2 1.17 1.13 1.13;
// 24 others of 48 to 255 rows 128 KiB 1.0 to 1.7 times as fast as 1 MiB; of 442 rows of float64 1.6
// 1.6 1.8 1.9.)
//
// A scatter's strip of fewPacked rows or more has runsOf at most. (79 rows of complex64, ns an
// update with 1 MiB, 512, 256 and 128 KiB 4.3 3.6 3.4 3.1, 82 of int32 3.4 3.0 2.9 2.7, 681 of
// float16 2.8 2.5 2.4 2.2, 631 of int64 3.7 3.2 3.5 4.4, 15 of float32 2.2 2.3 2.4 2.6.)
const leastNear, leastFar, runBytes, fewPacked, fewIndices = 16 << 10, 256 << 10, 512, 48, 16

// runsOf returns the bytes of a strip of so many rows that are copied in runs long enough.
func runsOf(rows int) int { return max(leastFar/2, runBytes*rows) }

// Strips of smaller tables are packed where rows lie far apart: apartRow bytes or more from row to
// row, in a table of apartTable bytes and leastApart rows or more. (BenchmarkStripWidths. Zen 4, ns
// an element of float32, packed and not: 64 × 512 0.61 and 0.67, 128 × 1024 0.64 and 0.72, 300 ×
// 3000 0.79 and 1.1, 512 × 1024 0.86 and 1.75; of shorter rows, 4096 × 128 1.0 and 0.9, 8192 × 100
// 1.5 and 1.2.)
//
// In a scatter the distance is a multiple of apartRow, so that rows fall into few sets of the
// first-level cache, and there are leastApart rows of indices or more. Strips have alignedStrip
// bytes. (Zen 4, calls of bench, the speedup: 412002.64 2.2, 520003.1232 1.8, 520001.1096 1.6,
// 120001.403 2.6, 120001.599 3.2, 140001.4189 1.5, 140001.1260 1.6, 140001.340 1.2.)
var (
	leastApart                         = [...]int{gatherWork: 24, scatterWork: 8}
	apartRow, apartTable, alignedStrip = 2 << 10, 64 << 10, 64 << 10
)

// fewLong is the least number of such rows.
var fewLong = 8

// tableBytes is how many bytes lie between the first and the last row that an index may choose.
func (c *call) tableBytes() int { return c.table() * c.elem.kind.Width() }

// table is tableBytes in elements.
func (c *call) table() int {
	table := c.size * max(c.step, -c.step)
	for d, step := range c.tuples.all() {
		table = max(table, c.tuples.sizes[d]*max(step, -step))
	}
	return table
}

// stripOf returns how many columns of an arranged gather or scatter to pack at a time, 0 for none.
// Packing pays if there are enough rows and all of them lead into one large table whose own rows
// lie far apart. indexed is the operand that is the table. The loop over rows is moved to the
// inside of those that change tables.
func (c *call) stripOf(indexed int) int {
	loops, line := c.loops(), c.last(2)
	k := len(loops) - 3
	for k > 0 && loops[k].s[indexed] != 0 {
		k--
	}
	row := &loops[k]
	if c.tiles || !c.fuses(&c.nest) || row.s[indexed] != 0 || line.s[srcOp] != 1 || line.s[dstOp] != 1 || line.n < 2 || c.columnStrip().steps > 0 {
		return 0
	}
	table := c.size * c.elem.kind.Width() // a column of it
	whole := c.tableBytes()
	most := nearPacked
	if whole >= dispatch.Default.StreamReach || indexed == srcOp && sizeOf(c.src) >= int64(dispatch.Default.StreamReach) {
		most = farPacked
	}
	if table == 0 || c.size < leastPacked || row.n*most < table {
		return 0
	}
	apart := 0 // bytes from row to row, of a table that is packed because its rows lie far apart
	if whole < c.leastTable(indexed) {
		least := leastApart[c.work]
		if apart = max(c.step, -c.step) * c.elem.kind.Width(); apart < apartRow || whole < apartTable || c.size < least || indexed == dstOp && row.n < least {
			return 0
		}
	}
	strip := 0
	if indexed == srcOp {
		strip = c.gatherStrip(table, whole, row.n)
		if table > dispatch.Near.Last/max(strip, 1) || c.nearby(row, line) {
			return 0
		}
	} else {
		strip = c.scatterStrip(table, apart, row.n)
	}
	if strip > 0 {
		c.insideOf(k)
	}
	return strip
}

// leastTable returns the least size, in bytes, of a table that is packed wherever its rows lie. A
// gather reads what the last-level cache holds, beside indices and dst, from where it is.
// (BenchmarkNearTables. Zen 4 with 32 MiB, tables of 6.5 to 16 MB with rows of 128 to 1200 bytes,
// the time packed over that not packed, by size: 1.0 to 1.9, from 12.5 MB on 0.8 to 1.0, from 14.5
// on 0.65 to 0.9; with two workers 0.8 to 1.9, 0.8 to 1.1, 0.7 to 1.1. In an hour when others used
// that cache: 0.5 to 0.6 from 4 MiB on.) Where none is counted on, fewLong rows and more, but
// fewer than leastApart, leave the second-level cache before they fill it. (BenchmarkFewRows.
// Emerald Rapids with 2 MiB, the time not packed over that packed, 8 rows, 16 and 23 of 1, 1.5 and
// 1.9 MB: uint8 1.0 1.2 1.3, 1.4 1.3 1.1, 1.3 1.3 1.4, float32 1.0 1.0 1.5, 1.2 1.4 2.0, 2.0 2.4
// 2.7, float64 0.8 0.85 1.6, 1.1 0.95 1.8, 1.8 2.3 2.3; of 4 rows 0.8 to 1.1.)
func (c *call) leastTable(indexed int) int {
	least := dispatch.Default.StripTable
	if indexed == srcOp {
		least = max(least, dispatch.Default.StreamReach/4*3)
		if fewLong <= c.size && c.size < leastApart[gatherWork] && dispatch.Near.Last <= dispatch.Near.Second {
			least = dispatch.Default.StripTable / 4 * 3
		}
	}
	return least
}

// gatherStrip returns how many columns a strip of a gather has. The table has so many bytes a
// column, and as a whole; rows are those of indices.
func (c *call) gatherStrip(table, whole, rows int) int {
	cols, width := c.last(2).n, c.elem.kind.Width()
	narrow := leastStrip
	if dispatch.GathersShortLines() {
		narrow = max(narrowStrip, min(shortLine, fusedLine)*width)
	}
	least := leastNear
	switch {
	case whole < dispatch.Default.StreamReach:
	case c.size < fewPacked || rows < fewIndices:
		least = dispatch.Default.StripBytes
	default:
		least = min(runsOf(c.size), leastFar)
	}
	strip := min(dispatch.Default.StripBytes/table, wideStrip/width)
	return min(cols, max(strip, narrow/width, least/table))
}

// scatterStrip is gatherStrip for a scatter. It returns 0 if strips would be narrow, because
// columns are few, too, unless as many rows of updates go into them as they have. apart is 0, or
// the bytes from row to row of a table that is packed because of them. (Zen 4, 5 rows of 9 float32
// into each of 18,285 tables of 22 that lie side by side, call 3620001.1098 of bench: 19 ms packed,
// 6 not.)
func (c *call) scatterStrip(table, apart, rows int) int {
	cols, width := c.last(2).n, c.elem.kind.Width()
	bytes, narrow := dispatch.Default.StripBytes, leastStrip
	if apart > 0 {
		if apart%apartRow != 0 {
			return 0
		}
		bytes = alignedStrip
	}
	if c.size >= fewPacked {
		bytes = min(bytes, runsOf(c.size))
	}
	strip := min(cols, bytes/table)
	if strip*width < narrow && (strip < cols || rows < c.size) {
		return 0
	}
	return strip
}

// nearby reports whether indices that follow each other along a column are near each other, as
// sorted ones are, judged by a sample. Rows of their tables are in a cache then, and strips cost
// more than they gain. (BenchmarkStripWidths. Zen 4, ns an element of float32, in strips and
// without, tables of 512 × 1024 0.62 and 0.47, of 4096 × 1024 1.4 and 0.9, of 262144 × 64 3.2 and
// 0.7.)
func (c *call) nearby(row, line *loop) bool {
	const samples = 32
	near := 0
	for k := range min(samples, row.n-1) {
		x := c.at.idx + share(row.n-1, k, samples)*row.s[idxOp] + share(line.n, 7*k%samples, samples)*line.s[idxOp]
		if d := indexAt(c.idx, x) - indexAt(c.idx, x+row.s[idxOp]); max(d, -d) <= int64(c.size/16) {
			near++
		}
	}
	return near >= 3*samples/4
}

// insideOf moves loop k next to the line.
func (c *call) insideOf(k int) {
	loops := c.loops()
	row := loops[k]
	copy(loops[k:], loops[k+1:len(loops)-2])
	*c.last(3) = row
}

// gatherStrips gathers in columns from a table, a strip of columns at a time, which it copies to a
// buffer that a cache holds:
//
//	for each strip
//		for k := range size { buffer[k] = the strip of the table's row k }
//		for i := range rows { dst(i, j) = buffer[indices(i, j)][j], for j in the strip }
func (c *call) gatherStrips(n *nest) bool {
	c.note("gather, packed strips")
	row, line := n.last(3), n.last(2)
	table := *c // whose src is the strip
	table.strip, table.observer = 0, nil
	var buffer *[]uint64
	buffer, table.src = bufferFor(c.size*c.strip, c.elem.kind)
	defer buffers.Put(buffer)
	part := nest{rank: 3}
	return n.each(3, func(at position) bool {
		for left := line.n; left > 0; {
			strips := (left-1)/c.strip + 1
			cols := (left-1)/strips + 1 // as many in each
			part.array[0], part.array[1], part.array[2] = *row, loop{cols, line.s}, one
			part.at = position{at.dst, 0, at.idx}
			lanes.CopyRaw(lanes.Window{Memory: table.src, Row: cols, Col: 1}, lanes.Window{Memory: c.src, At: at.src, Row: c.step, Col: 1}, c.size, cols)
			if table.step = cols; !table.gatherWhole(&part) {
				return false
			}
			at = line.after(at, cols)
			left -= cols
		}
		return true
	})
}

// gatherCost estimates what a gather takes.
func (c *call) gatherCost() float64 {
	t, n := &dispatch.Costs, float64(c.steps())
	if c.last(1).neighbours() {
		return c.indexCost(n) + c.runsCost(n, t.Byte)
	}
	return c.indexCost(n) + n*t.Gather
}

// splitGather splits a gather.
func (c *call) splitGather(parts int) split {
	switch {
	case c.strip > 0:
		return c.splitStrips(parts)
	case c.tiles:
		return c.splitTiles(parts)
	case c.tables.packed:
		return c.splitPacked(parts)
	}
	if k := c.planeOf(&c.nest, srcOp); k >= 0 {
		return c.splitOther(k, parts)
	} else if c.tables.steps > 0 {
		return c.splitLoop(c.tables.loop, parts)
	}
	return c.splitLoop(c.longest(0, len(c.loops()), false), parts)
}
