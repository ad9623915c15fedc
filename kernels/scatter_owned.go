package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A scatter along the only axis, or nearly so, has no loop whose parts own disjoint cells. Its
// workers own ranges of the axis instead. Each reads all indices and applies, in order, those in
// its range, so results are the serial ones. It pays where updating a cell costs more than reading
// its index.

// owns reports whether workers of an arranged scatter can own ranges of its axis, which is the
// line, and whether that pays.
func (c *call) owns() bool {
	line, run := c.inner()
	return run.n == 1 && !line.disjoint() && len(c.tuples.sizes) == 0 && c.attrs.Reduction != Mean && c.data.Len == 0 &&
		c.step > 0 && c.size >= c.workers && dispatch.ScatterOwns(c.size*c.step*c.elem.kind.Width())
}

// An ownBlock is the scratch of a block: the offsets and updates that a worker keeps, of any width.
type ownBlock struct {
	offsets [blockLen]int
	wide    [blockLen]int64
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
	line, _ := n.inner()
	pass := func(use func(at int, offsets []int)) bool {
		return n.each(2, func(at position) bool {
			to := at.dst
			for left := line.n; left > 0; {
				count := min(left, blockLen)
				kept, ok := c.ownedBlock(b, own.Memory, at, line, count, n.low, n.high)
				if !ok {
					return false
				}
				if kept > 0 {
					use(to, b.offsets[:kept])
				}
				at = line.after(at, count)
				left -= count
			}
			return true
		})
	}
	if c.fills() && !pass(func(at int, offsets []int) { c.fill(at, 1, offsets, 1) }) {
		return false
	}
	return pass(func(at int, offsets []int) { c.update(at, 1, offsets, own, 1) })
}

// ownedBlock keeps the offsets in [low, high) of a block and their updates.
func (c *call) ownedBlock(b *ownBlock, own lanes.Memory, at position, line *loop, n, low, high int) (kept int, ok bool) {
	updates, indices := part(c.src, at.src, n), lanes.Memory{}
	if line.s[srcOp] != 1 {
		updates = lanes.Memory{Ptr: unsafe.Pointer(&b.updates), Len: n, Kind: c.elem.kind}
		lanes.CopyRaw(lanes.Window{Memory: updates, Col: 1}, lanes.Window{Memory: c.src, At: at.src, Col: line.s[srcOp]}, 1, n)
	}
	if line.s[idxOp] == 1 && resolvable(c.idx.Kind) {
		indices = part(c.idx, at.idx, n)
	} else {
		lanes.WidenRaw(b.wide[:n], c.idx, at.idx, line.s[idxOp])
		indices = wideMemory(b.wide[:n])
	}
	if !c.policy.NegativeIsOutOfRange || !negative(indices, 0, n) {
		kept, bad := lanes.ResolveOwnedRaw(b.offsets[:], own, indices, updates, c.size, c.step, low, high)
		if bad < 0 || c.policy.fails() {
			return kept, bad < 0
		}
	}
	if c.policy.fails() {
		return 0, false
	}
	named, places := 0, b.offsets[:n] // of updates
	lanes.WidenRaw(b.wide[:n], c.idx, at.idx, line.s[idxOp])
	for i, k := range b.wide[:n] {
		if place, ok, _ := c.policy.place(k, c.size); ok {
			b.wide[named], places[named] = int64(place), i*line.s[srcOp]
			named++
		}
	}
	if named == 0 {
		return 0, true
	}
	updates = lanes.Memory{Ptr: unsafe.Pointer(&b.updates), Len: named, Kind: c.elem.kind}
	lanes.GatherRowsRaw(lanes.Window{Memory: updates, Row: 1, Col: 1}, c.src, at.src, 1, places[:named], 1)
	kept, bad := lanes.ResolveOwnedRaw(b.offsets[:], own, wideMemory(b.wide[:named]), updates, c.size, c.step, low, high)
	return kept, bad < 0
}
