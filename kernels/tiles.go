package kernels

import (
	"math"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// Passes go through a transposed tensor in tiles. In a tile, indices, rows and what primitives read
// and write lie side by side, and a cache line stays in the first-level cache until all of it is
// used. A copy reads a tile and writes it. A gather into such a dst goes through a buffer:
//
//	for each tile
//		for i := range tile { buffer[i] = src[index(i)] }   // in the order of the indices
//		for i := range tile { dst[i] = buffer[i] }          // in that of dst
//
// (Zen 5, ns an element, before and with tiles: copies of [3,17,2560,4] in other orders, of each
// width, 4 and 0.3-0.5, of [7,64,3,5,9] 2 and 0.3; gathers into a transposed dst, of uint8
// [4,256,3,16] 2.1 and 0.31, of float32 [2,10923,384] 9.7 and 3.4, of [256,64,12,8] 1.4 and 0.8.
// BenchmarkPermuted, and calls 95001.1078, 95001.1181 and 95001.1337 of bench.)

// leastTransposed is the least number of elements of a gather for which tables are copied to
// buffers, and rows gathered in tiles, leastTiled that of single elements for tiles. (Calls of bench,
// Emerald Rapids, the speedup by tiles: single elements 6220001.47732 2.1, .63886 1.9, .57590 1.8,
// .55415 1.6, .59238 1.5; rows .60637 0.5, .9535 0.7, .30567 0.4, .47719 3.2.)
var leastTransposed, leastTiled = 4096, 1024

// gatherTile and copyTile are the bytes of a tile; that of a gather is larger, because it costs
// more to begin. gatherRun is how many bytes the tile of a gather has side by side in dst, if there
// are as many, tileRun how many elements that of a copy has, and tileLines how many bytes in src.
// (BenchmarkGatherTiles. Zen 4, gathers of float32 into a transposed dst, ns an element with tiles
// of 128, 256 and 512 KiB and 1 and 2 MiB: 10 of 13 in 4608 rows 1.19 0.97 0.96 0.97 0.96, 2000 of
// 3000 in 3000 rows 2.1 1.7 2.0 1.5 1.4, 100 of 300 rows of 40 in 64 tables 1.2 1.0 1.0 0.84 0.86,
// 384 × 3736 by pairs 2.9 2.5 2.8 2.35 2.1. Emerald Rapids, calls of bench, ms with runs of 128
// elements and 1, 2 and 4 KB: 5410001.2026 9.6 3.7 3.2 3.4, two workers 4.6 6.3 1.7 2.0;
// 5410001.4252 4.9 3.4 3.2 2.9, 2.6 1.7 1.8 1.9; 5410001.1830 1.41 1.79 1.77 1.72, 0.92 1.07 0.89
// 0.94.)
var gatherTile, gatherRun, copyTile, tileRun, tileLines = 1 << 20, 2 << 10, 64 << 10, 128, 256

// gathersTiles reports whether a gather into dst goes through tiles. loops are those of its nest: in
// none of them do single elements share an index, as those of a row do.
func (c *call) gathersTiles(loops []loop, dst *view) bool {
	least := leastTiled
	if rowsShare(loops) {
		least = leastTransposed
	}
	return dst.count >= least && !isSmall(&c.elem, dst.count) && c.elem.refs == nil && len(dst.shape) < maxLoops && dst.transposed()
}

// byColumns returns the loops of an arranged gather of rows whose elements lie apart in src, in the
// order of its columns, in which indices lead to elements that lie together. It goes in tiles, too.
// Of other gathers, and of those of wide elements that tuples name, which would be resolved for each
// column, it returns nil. (Zen 3, calls of bench, the speedup with one worker and two: rows that
// indices name 8450001.14652 3.5 3.7, 8420001.2794 1.9, .2663 1.9, 8430001.14535 2.3, 8450001.13443
// 1.2 1.4; tuples .3673 2.2 1.8, .4758 1.8 1.4, 8430001.5971 1.3, .6803 1.1; wide ones 8450001.15300
// 0.5 0.4, .8922 0.6 0.4, but 8420001.493 1.2.)
func (c *call) byColumns(loops []loop, dst *view) []loop {
	wide := c.elem.kind.Width() >= 8 && len(c.tuples.sizes) > 0
	if wide || dst.count < leastTiled || c.elem.refs != nil || len(dst.shape) >= maxLoops || isSmall(&c.elem, dst.count) {
		return nil
	}
	loops = collapse(append(loops, c.loops()...))
	nearest, apart := max(c.step, -c.step), math.MaxInt // of what an index names, and of a row
	for d, s := range c.tuples.all() {
		if s = max(s, -s); d == 0 || s < nearest {
			nearest = s
		}
	}
	for i := range loops {
		if l := &loops[i]; l.s[idxOp] == 0 {
			apart = min(apart, l.distance(srcOp))
		}
	}
	switch {
	case len(loops) == 0 || loops[least(loops, dstOp)].s[idxOp] != 0 || apart <= max(nearest, (cacheLine-1)/c.elem.kind.Width()):
		return nil
	case c.packedTables().packed:
		return nil
	}
	ascending(loops, func(l loop) int {
		if l.s[idxOp] == 0 {
			return -l.distance(srcOp)
		}
		return 0
	})
	return loops
}

// gatherTiles gathers into a dst that is transposed.
func (c *call) gatherTiles(n *nest) bool {
	loops := n.loops()
	box, elements := c.box(loops)
	buffer, memory := bufferFor(elements, c.elem.kind)
	defer buffers.Put(buffer)
	gather, copied := *c, *c
	var g, t call // outside of the closure, which would make one for each tile
	gather.dst, gather.stream, gather.tiles, gather.observer = memory, false, false, nil
	copied.src, copied.work, copied.tiles, copied.observer = memory, copyWork, false, nil
	return box.each(loops, n.at, func(at position, box *tile) bool {
		g, t = gather, copied
		from, to := box.buffered(loops)
		g.at, t.at = position{0, at.src, at.idx}, position{at.dst, 0, 0}
		g.set(arrange(collapse(from[:len(loops)]), leastRun))
		g.widen()
		if !g.gather(&g.nest) {
			return false
		}
		t.copyLoops(sequential(to[:len(loops)], &t.at))
		t.copyLarge(&t.nest)
		return true
	})
}

// buffered returns the loops of a tile from src to a buffer, and from there to dst.
func (t *tile) buffered(loops []loop) (from, to [maxLoops]loop) {
	step := 1
	for k := len(loops) - 1; k >= 0; k-- {
		l := &loops[k]
		from[k] = loop{t[k], [3]int{step, l.s[srcOp], l.s[idxOp]}}
		to[k] = loop{t[k], [3]int{l.s[dstOp], step}}
		step *= t[k]
	}
	return from, to
}

// rowsAsInDst brings the loops around rows of two cache lines or more into the order of dst, so that
// the columns of a tile's buffer follow each other. (Zen 3, calls of bench, the speedup, one worker
// and two: 7020001.58 2.0 2.4, 8070001.7259 2.4 2.1, .15757 1.5 1.5; rows of 64 and 96 bytes .11812
// 0.7, .7721 0.7.)
func rowsAsInDst(loops []loop, width int) []loop {
	rows := len(loops)
	for rows > 0 && loops[rows-1].s[idxOp] == 0 {
		rows--
	}
	if steps(loops[rows:])*width >= 2*cacheLine {
		ascending(loops[:rows], func(l loop) int { return -l.distance(dstOp) })
	}
	return loops
}

// copyTiles copies tile by tile.
func (c *call) copyTiles(n *nest) {
	loops := n.loops()
	box, _ := c.box(loops)
	box.each(loops, n.at, func(at position, box *tile) bool {
		var in [maxLoops]loop
		for k := range loops {
			in[k].assign(box[k], &loops[k])
		}
		inner := pad(collapse(in[:len(loops)]), 2)
		if c.exchangeTile(inner, at) {
			return true
		}
		part := nest{at: at}
		part.set(inner)
		if part.last(1).n < shortRow {
			c.copyBlocks(&part, true)
		} else {
			c.copyPlanes(&part)
		}
		return true
	})
}

// exchangeTile copies a tile in which rows lie together in src, and columns in dst. Where they are
// those of several loops, or do not follow each other, the tile goes by way of buffers:
//
//	for j := range cols { for i := range rows { fetched[j][i] = src(i, j) } }
//	for i := range rows { for j := range cols { turned[i][j] = fetched[j][i] } }
//	for i := range rows { copy(dst(i, :), turned[i]) }
//
// It reports whether there are rows and columns enough. (BenchmarkPermuted. Zen 4, ns an element of
// [3,512,512] whose axes lie in the reverse order, in blocks and so: uint8 0.80 and 0.10, uint16
// 1.1 and 0.16, float32 2.3 and 0.30; [12,200,80] of uint8 0.49 and 0.08. Calls of bench, Emerald
// Rapids, the speedup over blocks and single elements: columns of several loops 6510001.19350 7.3,
// .6566 3.0, .24398 3.4, 6520001.13244 2.8; rows a step apart 6520001.5118 12, .13230 4.6,
// 6510001.39924 4.8, .17795 2.2, but .2709 0.8; rows of several loops 6510001.29632 2.2.)
func (c *call) exchangeTile(loops []loop, at position) bool {
	width := c.elem.kind.Width()
	var x exchanged
	if !x.set(loops, width, &at) {
		return false
	}
	turned := *c
	turned.at = at
	if x.fetches {
		var in [maxLoops]loop
		buffer, memory := bufferFor(x.fetch(&in), c.elem.kind)
		defer buffers.Put(buffer)
		fetched := *c
		fetched.dst, fetched.at, fetched.stream = memory, position{0, at.src, 0}, false
		fetched.set(in[:x.rest+1])
		fetched.copyPlanes(&fetched.nest)
		turned.src, turned.at.src = memory, 0
	}
	if !x.places {
		turned.set(x.turn[:x.first+2])
		turned.copyPlanes(&turned.nest)
		return true
	}
	var out [maxLoops]loop
	buffer, memory := bufferFor(x.place(&out), c.elem.kind)
	defer buffers.Put(buffer)
	turned.dst, turned.at.dst, turned.stream = memory, 0, false
	turned.set(x.turn[:x.first+2])
	turned.copyPlanes(&turned.nest)
	placed := *c
	placed.src, placed.at, placed.tiles = memory, position{at.dst, 0, 0}, false
	placed.copyLoops(sequential(out[:x.first+x.n-x.rest+1], &placed.at))
	placed.copyLarge(&placed.nest)
	return true
}

// exchanged is how the rows and columns of a tile are exchanged.
type exchanged struct {
	loops          [maxLoops]loop // those of columns from first on, of rows from rest on, n in all
	first, rest, n int
	width          int
	rows, cols     int // rows are at least those of a body's tile
	fetches        bool
	places         bool
	turn           [maxLoops + 1]loop // the others, rows, columns: from src or the first buffer to dst or the second
}

// set chooses rows and columns, and reports whether they are enough. It moves at to where reversed
// loops start.
func (x *exchanged) set(loops []loop, width int, at *position) bool {
	x.n, x.width = copy(x.loops[:], loops), width
	x.first, x.rest = rowsLast(x.loops[:x.n], width)
	if x.rest == x.n || width > 8 || x.loops[x.rest-1].s[dstOp] != 1 {
		return false
	}
	least, run, line := bodyRows(width), &x.loops[x.n-1], &x.loops[x.rest-1]
	x.rows, x.cols = steps(x.loops[x.rest:x.n]), steps(x.loops[x.first:x.rest])
	several, few := x.n-x.rest > 1, x.cols < bodyColumns(width)
	if !few && !several && run.s[srcOp] < 0 {
		run.reverse(at)
	}
	x.fetches = x.rest-x.first > 1 || run.s[srcOp] != 1 || x.rows < least
	x.places = several || x.rows < least || few && run.s[dstOp] != x.cols
	enough := leastExchanged
	if few || x.fetches || x.places {
		enough = leastBuffered
	}
	if few && width > 2 || x.rows*x.cols < enough || x.fetches && (x.rows < x.fewest() || x.rows*x.loops[x.longest()].n < enough) {
		return false
	}
	x.rows = max(x.rows, least)
	copy(x.turn[:], x.loops[:x.first])
	x.turn[x.first] = loop{x.rows, [3]int{run.s[dstOp], 1}}
	x.turn[x.first+1] = loop{x.cols, [3]int{1, line.s[srcOp]}}
	return true
}

// fewest returns the least rows for which columns are fetched.
func (x *exchanged) fewest() int {
	switch {
	case lanes.ExchangesRows():
		return fewestRows
	case x.rest-x.first > 1:
		return bodyRows(x.width) // a body's tile, of which the others cost more than they save
	default:
		return math.MaxInt
	}
}

// longest returns the longest of the loops but those of rows.
func (x *exchanged) longest() (k int) {
	for i := range x.loops[:x.rest] {
		if x.loops[i].n > x.loops[k].n {
			k = i
		}
	}
	return k
}

// fetch sets the loops that bring columns to a buffer, where they are read from, and returns how
// many elements that has. Columns that are not short have an odd number of cache lines from one to
// the next, so that they are in different sets of a cache.
func (x *exchanged) fetch(in *[maxLoops]loop) (elements int) {
	run, pitch, line := &x.loops[x.n-1], x.rows, cacheLine/x.width
	if pitch > line/2 {
		pitch = ((pitch-1)/line + 1 | 1) * line
	}
	x.turn[x.first+1].s[srcOp] = pitch
	step := pitch
	for i := x.rest - 1; i >= 0; i-- {
		l := &x.loops[i]
		in[i] = loop{l.n, [3]int{step, l.s[srcOp]}}
		if i < x.first {
			x.turn[i].s[srcOp] = step
		}
		step *= l.n
	}
	in[x.rest] = loop{steps(x.loops[x.rest:x.n]), [3]int{1, run.s[srcOp]}}
	beside(in[:x.rest+1], x.longest())
	return step
}

// place sets the loops that bring rows to dst from a buffer, where they are written first, and
// returns how many elements that has.
func (x *exchanged) place(out *[maxLoops]loop) (elements int) {
	step, end := x.cols, x.first+x.n-x.rest
	for i := x.n - 1; i >= x.rest; i-- {
		l := &x.loops[i]
		out[x.first+i-x.rest] = loop{l.n, [3]int{l.s[dstOp], step}}
		step *= l.n
	}
	step = x.rows * x.cols
	x.turn[x.first].s[dstOp] = x.cols
	for i := x.first - 1; i >= 0; i-- {
		l := &x.loops[i]
		out[i] = loop{l.n, [3]int{l.s[dstOp], step}}
		x.turn[i].s[dstOp] = step
		step *= l.n
	}
	out[end] = loop{x.cols, [3]int{1, 1}}
	return step
}

// rowsLast moves the loops of a tile's rows behind the others, and those of its columns before
// them. It returns where these and those begin. Rows are what src has together, if it has it closer
// than the innermost loop: those of one loop, or of several that follow each other if one has too
// few. Columns are what dst has together, of as many loops as are needed, or of all if they are
// fetched anyway.
func rowsLast(loops []loop, width int) (cols, rows int) {
	rows = len(loops)
	count, least := 1, bodyRows(width)
	for count < least || rows < len(loops)-1 && count*width < 2*cacheLine {
		last, k, nearest := rows-1, -1, min(cacheLine/width, loops[rows-1].distance(srcOp))
		for i := range loops[:last] {
			l := &loops[i]
			if rows == len(loops) && l.n > 1 && l.distance(srcOp) < nearest {
				k, nearest = i, l.distance(srcOp)
			} else if rows < len(loops) && l.s[srcOp] == count*loops[len(loops)-1].s[srcOp] {
				k = i
			}
		}
		if k < 0 {
			break
		}
		l := loops[k]
		copy(loops[k:], loops[k+1:rows])
		loops[last] = l
		rows = last
		count *= l.n
	}
	if rows == len(loops) {
		return rows, rows
	}
	fetches := loops[len(loops)-1].s[srcOp] != 1 || count < least
	cols = rows - 1
	for n := loops[cols].n; cols > 0 && loops[cols-1].s[dstOp] == n && (fetches || cols < rows-1 || n < bodyColumns(width)); n *= loops[cols].n {
		cols--
	}
	return cols, rows
}

// leastExchanged is the least number of elements of rows and columns that are exchanged in a tile,
// leastBuffered that where they go by way of a buffer, or where there are few columns, and fewestRows
// the least rows. (Calls of bench, Emerald Rapids, the speedup over blocks with 64, 128 and 256:
// 6510001.46050 0.73 1.2 0.96, .10993 0.29 0.39 1.09, .486 0.8 1.1 1.0, .22406 1.8 1.5 1.7;
// BenchmarkInterleaved, ns an element of few columns in blocks and exchanged, into [400,300,3],
// [20,100,6] and [40,1000,3]: uint8 0.68 0.28, 0.57 0.31, 0.47 0.21, uint16 0.47 0.40, 0.61 0.35,
// 0.45 0.30. Float32 gains nothing, float64 loses.)
var leastExchanged, leastBuffered, fewestRows = 64, 192, 7

// bodyRows and bodyColumns are the numbers of rows and columns of a body's tile.
func bodyRows(width int) int    { return 16 / width }
func bodyColumns(width int) int { return min(16/width, 8) }

// A tile is how many steps of each loop of a nest it has.
type tile [maxLoops]int

// box returns a tile of the call's loops, and how many elements it has.
func (c *call) box(loops []loop) (t tile, elements int) {
	for k := range loops {
		t[k] = 1
	}
	width := c.elem.kind.Width()
	if c.work == gatherWork {
		t.extend(loops, dstOp, c.gatherRunOf(loops)/width)
		if !columnwise(loops) {
			return t, t.extend(loops, idxOp, gatherTile/width)
		}
		most := gatherTile // all that the indices name in each table
		if c.tableBytes() > dispatch.Near.Second {
			most *= 4 // so that few tiles read a table (8430001.6803 0.8 and 1.1, 8430001.14535 1.5 and 1.8)
		}
		return t, t.extend(loops, srcOp, most/width)
	}
	run := t.extend(loops, dstOp, tileRun)
	t.extend(loops, srcOp, run*tileLines/width)
	return t, t.extend(loops, dstOp, copyTile/width)
}

// gatherRunOf returns the bytes that the tile of a gather has side by side in dst: fewer where these
// come from as many tables, in which single elements are gathered, so that a core's cache holds the
// tables until all of them are. (Zen 3, calls of bench, the speedup, one worker and two:
// 8010001.1477 2.0 2.1, 8050001.2440 1.8 1.9, .7538 1.6 2.0, .13579 1.4 1.4.)
func (c *call) gatherRunOf(loops []loop) int {
	width, table := c.elem.kind.Width(), max(1, c.tableBytes()) // strides may be 0
	if own := loops[least(loops, dstOp)].distance(srcOp)*width >= table; !own || rowsShare(loops) && !columnwise(loops) {
		return gatherRun
	}
	return min(gatherRun, max(cacheLine, dispatch.Near.Second/table*width))
}

// rowsShare reports whether several elements have one index, as those of a row do.
func rowsShare(loops []loop) bool {
	for i := range loops {
		if loops[i].n > 1 && loops[i].s[idxOp] == 0 {
			return true
		}
	}
	return false
}

// columnwise reports whether the elements of rows are gathered column by column.
func columnwise(loops []loop) bool { return loops[len(loops)-1].s[idxOp] != 0 && rowsShare(loops) }

// extend makes the tile longer, along the loops that move an operand least first, until it has so
// many elements, and returns how many it has.
func (t *tile) extend(loops []loop, op, elements int) (n int) {
	n = 1
	for k := range loops {
		n *= t[k]
	}
	var done [maxLoops]bool
	for range loops {
		k := -1
		for i := range loops {
			if !done[i] && (k < 0 || loops[i].distance(op) <= loops[k].distance(op)) {
				k = i
			}
		}
		n /= t[k]
		t[k] = min(loops[k].n, max(t[k], elements/n))
		n *= t[k]
		done[k] = true
	}
	return n
}

// each calls use for each tile of the loops, with what is left for the last ones, until use returns
// false.
func (t *tile) each(loops []loop, at position, use func(at position, t *tile) bool) bool {
	rest := *t
	return t.eachOf(loops, 0, at, &rest, use)
}

func (t *tile) eachOf(loops []loop, k int, at position, rest *tile, use func(at position, t *tile) bool) bool {
	if k == len(loops) {
		return use(at, rest)
	}
	for left := loops[k].n; left > 0; left -= t[k] {
		rest[k] = min(left, t[k])
		if !t.eachOf(loops, k+1, at, rest, use) {
			return false
		}
		at = loops[k].after(at, t[k])
	}
	return true
}

// splitTiles splits a call along the outermost loop with two tiles for every worker, or else along
// that with the most tiles, so that no part has narrower tiles. If these are too few it splits the
// loop that moves dst furthest, so that two parts have few cache lines of it in common.
// (BenchmarkGatherTiles. Zen 4, rows of 941 float32 that 3 × 7 tuples name, into a transposed dst,
// µs: one worker 12, two with parts of the 7 32 to 160, of the 941 9.)
func (c *call) splitTiles(parts int) split {
	loops := c.loops()
	box, _ := c.box(loops)
	k, most, far := -1, 0, -1
	for i := range loops {
		if tiles := (loops[i].n-1)/box[i] + 1; tiles > most && most < 2*c.workers {
			k, most = i, tiles
		}
		if loops[i].n >= c.workers && (far < 0 || loops[i].distance(dstOp) > loops[far].distance(dstOp)) {
			far = i
		}
	}
	if most >= c.workers {
		return c.splitLoop(k, min(parts, most))
	}
	return c.splitLoop(far, parts)
}
