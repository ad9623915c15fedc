package kernels

import "github.com/lanes-go/lanes/dispatch"

// A row of indices may go through many tables, as it does through all columns of one that is
// transposed, and finds none of their cache lines still in a cache where the row before has been.
// So all rows go through some tables, which a core's cache holds, before the next ones:
//
//	for each strip of tables { for each row { for j in the strip { dst(row, j) = table(j)[index(row, j)] } } }
//
// A scatter's updates of a cell keep their order. (Zen 4, ns an element, in rows and in strips: 448
// rows of 73,892 uint8 out of columns of 2168 3.9 and 0.9.)

// A tableStrip says how a nest is cut into strips of tables: at which loop, into pieces of how many
// steps, that are how many elements of a row. With no steps it is not cut.
type tableStrip struct{ loop, steps, elements int }

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
	}
	table := c.size * max(c.step, -c.step)
	for d, step := range c.tuples.all() {
		table = max(table, c.tuples.sizes[d]*max(step, -step))
	}
	row := 0
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
			t = tableStrip{k, most / tables, most / tables}
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
