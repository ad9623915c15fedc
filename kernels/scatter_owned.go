package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A scatter along the only axis, or one with a few columns, has no loop whose parts own cells in
// cache lines of their own. Its workers own ranges of the axis instead. Each reads all indices and
// applies, in order, those in its range, so results are the serial ones. It pays where updating a
// cell costs more than reading its index.

// owns reports whether workers of an arranged scatter can own ranges of its axis, and whether that
// pays: for single elements, and columns that lie within a row of the axis, but not columns whose
// indices are near each other, as sorted ones are. (Zen 4, ns an update, one worker and two, sums
// into rows of 8 float32, in 16, 32 and 64 MiB: 7.6 4.0, 9.2 5.2, 10.7 6.7; sorted 1.4 1.8, 2.1
// 2.6, 3.5 3.5.)
func (c *call) owns() bool {
	if c.last(1).n > 1 || len(c.tuples.sizes) > 0 || c.attrs.Reduction == Mean || c.data.Len > 0 || c.step <= 0 || c.size < c.workers {
		return false
	}
	loops := c.loops()
	first, reach := c.sameTable(c.size*c.step), 0
	for _, l := range loops[first:] {
		if reach += (l.n - 1) * l.s[dstOp]; l.s[dstOp] < 0 || reach >= c.step { // all of a row's columns are in it
			return false
		}
	}
	row, line := c.last(3), c.last(2)
	columns := line.disjoint()
	return first <= len(loops)-2 && dispatch.ScatterOwns(c.tableBytes(), c.elem.kind.Width(), columns) && !(columns && c.nearby(row, line))
}

// scatterPart returns the i-th part of a scatter.
func (p *pass) scatterPart(i int) nest {
	if p.split.loop != ownParts {
		return p.partOf(i)
	}
	n := p.nest
	n.low, n.high = share(p.size, i, p.split.parts), share(p.size, i+1, p.split.parts)
	return n
}

// sameTable returns the first of the loops that stay within the table which an index chooses from.
func (n *nest) sameTable(table int) (k int) {
	for i, l := range n.loops() {
		if l.distance(dstOp) >= table {
			k = i + 1
		}
	}
	return k
}

// An ownBlock is the scratch of a block: the offsets and updates that a worker keeps, of any width.
type ownBlock struct {
	offsets [blockLen]int
	updates [blockLen][2]uint64 // a dense copy of strided updates
	own     [blockLen][2]uint64
}

var ownBlocks = sync.Pool{New: func() any { return new(ownBlock) }}

// owned runs the updates of the cells in a part's range of the axis.
func (c *call) owned(n *nest) bool {
	c.note("scatter, owned ranges")
	b := ownBlocks.Get().(*ownBlock)
	defer ownBlocks.Put(b)
	own := lanes.Window{Memory: lanes.Memory{Ptr: unsafe.Pointer(&b.own), Len: blockLen, Kind: c.elem.kind}, Row: 1}
	cells := c.size * c.step
	first := n.sameTable(cells)
	table := n.clone()
	table.set(n.loops()[first:])
	line := table.last(2)
	direct := table.steps() == line.n && line.s == [3]int{srcOp: 1, idxOp: 1} && resolvable(c.idx.Kind) && c.policy.usual()
	pass := func(use func(base int, offsets []int)) bool {
		return each(n.loops()[:first], n.at, func(at position) bool {
			for left := line.n; direct && left > 0; left -= blockLen { // indices are kept without offsets of all
				count := min(left, blockLen)
				kept, bad := lanes.ResolveOwnedRaw(b.offsets[:], own.Memory, part(c.idx, at.idx, count), part(c.src, at.src, count), c.size, c.step, n.low, n.high)
				if bad >= 0 {
					return false
				}
				use(at.dst, b.offsets[:kept])
				at = line.after(at, count)
			}
			table.at = at
			return direct || c.eachBlock(&table, dstOp, func(base int, offsets []int, updates lanes.Window, _ loop) {
				count, all := len(offsets), lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(offsets)), Len: len(offsets), Kind: lanes.KindOf[int]()}
				if updates.Row != 1 {
					dense := lanes.Memory{Ptr: unsafe.Pointer(&b.updates), Len: count, Kind: c.elem.kind}
					lanes.CopyRaw(lanes.Window{Memory: dense, Col: 1}, lanes.Window{Memory: updates.Memory, At: updates.At, Col: updates.Row}, 1, count)
					updates.Memory, updates.At = dense, 0
				}
				kept, _ := lanes.ResolveOwnedRaw(b.offsets[:], own.Memory, all, part(updates.Memory, updates.At, count), cells, 1, n.low*c.step, n.high*c.step)
				use(base, b.offsets[:kept])
			})
		})
	}
	if c.attrs.fills() && !pass(func(base int, offsets []int) { c.fill(base, 1, offsets, 1) }) {
		return false
	}
	return pass(func(base int, offsets []int) { c.update(base, 1, offsets, own, 1) })
}
