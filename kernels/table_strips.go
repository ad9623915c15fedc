package kernels

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/dispatch"
)

// A row of indices may go through many tables, as it does through all columns of one that is
// transposed. By the next row, the cache lines of the first tables have been evicted. So all rows
// go through some tables, which a core's cache holds, before the next ones:
//
//	for each strip of tables { for each row { for j in the strip { dst(row, j) = table(j)[index(row, j)] } } }
//
// A scatter's updates of a cell keep their order. (Zen 4, ns an element, in rows and in strips: 448
// rows of 73,892 uint8 out of columns of 2168 3.9 and 0.9.)

// A tableStrip says how a nest is cut into strips of tables: at which loop, into pieces of how many
// steps, that are how many elements of a row. With no steps it is not cut.
type tableStrip struct {
	loop, steps, elements int
	packed                bool
}

// tableStrip returns how to cut an arranged gather or scatter. It is not cut if the tables are
// large, or all of them small, or few rows go through them.
func (c *call) tableStrip() (t tableStrip) {
	loops, indexed := c.loops(), srcOp
	switch {
	case c.small || c.strip > 0 || c.tiles || c.elem.refs != nil:
		return t
	case c.work == scatterWork && c.attrs.Reduction != Mean:
		indexed = dstOp
	case c.work != gatherWork:
		return t
	default:
		if t = c.packedTables(); t.packed {
			return t
		}
		if t = c.columnStrip(); t.steps > 0 {
			return t
		}
	}
	table, row := c.table(), 0
	for row < len(loops) && (loops[row].s[indexed] != 0 || loops[row].n < leastPacked) {
		row++
	}
	tables := 1
	apart := func(l *loop) bool { return table > 0 && l.distance(indexed) >= table } // each step has a table of its own
	for i := row + 1; i < len(loops); i++ {
		if l := &loops[i]; apart(l) {
			tables *= l.n
		} else if l.spans(indexed) > table {
			return t
		}
	}
	bytes := table * c.elem.kind.Width()
	if tables == 1 || tables*bytes < dispatch.Default.StripTable {
		return t
	}
	most := dispatch.Default.StripBytes / bytes
	for k := row + 1; k < len(loops) && tables > most; k++ {
		if apart(&loops[k]) {
			tables /= loops[k].n
			t = tableStrip{loop: k, steps: most / tables, elements: most / tables}
		}
		if t.steps > 0 {
			break
		}
	}
	for _, l := range loops[t.loop+1:] {
		t.elements *= l.n
	}
	if t.elements < fusedLine {
		return tableStrip{}
	}
	return t
}

// stripLine is the least length of lines in columns for which strips are packed. Shorter ones, of
// which several follow each other, go in blocks along a pattern, some of them at a time.
var stripLine = 16

// columnStrip returns how to cut an arranged gather of such short lines: at the loop around them,
// into strips of a table that the second-level cache holds. (Call 6610001.204 of bench, lines of 4,
// Emerald Rapids, the speedup over packed strips: 6.4, two workers 12. BenchmarkColumnStrips, columns
// of 12 and 48 entries: float32, lines of 3 2.4 1.5, of 4 1.0 5.7, of 8 1.1 2.4, of 12 0.8 2.4; uint16
// 1.9 1.5, 8.6 5.8, 4.3 2.2, 3.6 1.9.)
func (c *call) columnStrip() (t tableStrip) {
	loops, line := c.loops(), c.last(2)
	if c.work != gatherWork || c.stream || line.n >= stripLine || line.s[srcOp] != 1 || c.last(1).n > 1 || !c.gathersAlong(&c.nest) || c.tableBytes() < c.leastTable(srcOp) {
		return t
	}
	row := 0
	for row < len(loops)-3 && (loops[row].s[srcOp] != 0 || loops[row].n < leastPacked) {
		row++
	}
	k := row + 1
	if l := &loops[k]; k < len(loops)-2 && l.s[srcOp] != 0 && l.distance(srcOp) < c.step {
		if steps := max(1, dispatch.Default.StripBytes/(c.size*l.distance(srcOp)*c.elem.kind.Width())); steps < l.n {
			t = tableStrip{loop: k, steps: steps, elements: steps * line.n}
		}
	}
	return t
}

// A row of a transposed table has each element in a cache line of its own. So strips of columns are
// packed before rows are gathered from them:
//
//	for each strip
//		for k := range size { buffer[k] = the strip of row k }
//		for i := range indices { the strip of dst's row i = buffer[index(i)] }
//
// (Zen 4, one worker, ns an element as it lies and so, some rows of each table: 1638 of 4168 rows
// of 5120 float32 9.8 and 1.4, 52,590 of 188,499 of 100 uint16 8.6 and 0.93, 5000 of 20,000 of 500
// uint8 1.5 and 0.37, of 200 uint64 8.0 and 2.7, 1500 of 3000 of 300 float32 1.0 and 0.44; of 64
// tables each, 100 of 300 of 100 float32 1.85 and 0.94, 300 of 1000 of 24 uint16 0.61 and 0.37, of
// 8 uint64 1.0 and 1.6. BenchmarkTransposedTables.)

// packedColumns is the least number of columns of a packed strip, and packedBytes its size if it
// has more. packedTable is the least size of a table. (Strips of 16, 64 and 256 KB, ns an element:
// 1000 of 1000 rows of 5000 float32 0.77 0.71 2.2, 5000 of 20,000 of 500 uint8 0.41 0.35 0.44, 50
// of 100 of 5000 float32 0.57 0.45 0.64; of at least 8, 16 and 32 columns, 1638 of 4168 of 5120
// float32 1.9 1.2 2.1, 52,590 of 188,499 of 100 uint16 1.6 1.0 1.9.)
var packedColumns, packedBytes, packedTable = 16, 64 << 10, 32 << 10

// rowsPerIndex is the most rows of a table that is packed for each that is gathered.
const rowsPerIndex = 4

// packedRows is the most rows, with elements of so many bytes, of a table that is packed: the
// second-level cache holds a strip.
func packedRows(width int) int { return dispatch.Default.StreamReach / (packedColumns * width) }

// packedTables returns how to cut an arranged gather whose indices name rows of a transposed table
// into strips to be packed.
func (c *call) packedTables() (t tableStrip) {
	loops, width, step := c.loops(), c.elem.kind.Width(), max(c.step, -c.step)
	if step*width >= cacheLine || c.src.Len <= packedTable/width || len(c.tuples.sizes) > 0 || c.size > packedRows(width) {
		return t
	}
	rows, row := 1, math.MaxInt // of all tables, and how far two are apart in dst
	for _, l := range loops {
		if l.s[srcOp] == 0 && l.n > 1 {
			rows, row = rows*l.n, min(row, l.distance(dstOp))
		}
	}
	columns, far, first := 1, 1, 0
	for k, l := range loops {
		switch {
		case l.s[srcOp] == 0:
		case l.s[idxOp] != 0 || l.distance(dstOp) > row: // each of its steps has a table of its own
			columns, far, first = 1, 1, k+1
		default:
			columns *= l.n
			if l.distance(srcOp) >= c.size*step {
				far *= l.n
			}
		}
	}
	if far < packedColumns || c.size/rowsPerIndex > rows || columns <= packedTable/(c.size*width) {
		return t
	}
	most := max(packedColumns, packedBytes/(c.size*width)) // columns
	for k := first; ; k++ {
		if l := &loops[k]; l.s[srcOp] == 0 {
			continue
		} else if columns /= l.n; columns <= most {
			steps := min(l.n, most/columns)
			return tableStrip{k, steps, steps * columns, true}
		}
	}
}

// gatherPacked gathers from packed strips.
func (c *call) gatherPacked(n *nest) bool {
	c.note("gather, packed strips")
	strip := c.tables
	buffer, memory := bufferFor(c.size*strip.elements, c.elem.kind)
	defer buffers.Put(buffer)
	gather, copied := *c, *c
	gather.src, gather.stream, gather.observer = memory, false, nil
	copied.dst, copied.stream, copied.work, copied.observer = memory, false, copyWork, nil
	var g, t call // outside of the closure, which would make one for each strip

	var array [maxLoops]loop
	outer, part := array[:0], n.clone() // of which a part has one step
	for k := range part.loops()[:strip.loop] {
		if l := &part.loops()[k]; l.s[srcOp] != 0 {
			outer = append(outer, *l)
			l.n = 1
		}
	}
	return each(outer, n.at, func(at position) bool {
		part.at = at
		return part.pieces(strip.loop, strip.steps, func(piece nest) bool {
			g, t = gather, copied
			var array [maxLoops + 1]loop
			piece.long = slices.Clone(piece.long) // which all pieces share
			rows, columns := piece.loops(), 1
			pack := append(append(array[:0], loop{c.size, [3]int{srcOp: c.step}}), rows...)
			for i := len(rows) - 1; i >= 0; i-- {
				if rows[i].s[srcOp] == 0 {
					pack[i+1] = one
					continue
				}
				pack[i+1].s[dstOp], rows[i].s[srcOp] = columns, columns
				columns *= rows[i].n
			}
			pack[0].s[dstOp] = columns
			t.at = position{src: piece.at.src}
			t.copyLoops(sequential(pack, &t.at))
			t.copyLarge(&t.nest)
			g.step, g.at = columns, position{dst: piece.at.dst, idx: piece.at.idx}
			g.set(arrange(collapse(rows), leastRun))
			return g.gatherWhole(&g.nest)
		})
	})
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
