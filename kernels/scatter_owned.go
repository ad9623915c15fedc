package kernels

import (
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// A scatter along the only axis, or nearly the only one, has no loop whose
// parts own disjoint cells. Its workers own ranges of the axis instead: each
// looks at all indices and applies, in their order, those that fall into its range. So
// results are the serial ones. It pays where a cell costs more than a look at its index.

// owns reports whether the workers of an arranged scatter may own ranges of its
// axis, which is the line, and whether that pays.
func (c *call) owns() bool {
	line, run := c.inner()
	return c.body == scatterBody && run.n == 1 && line.s[dstOp] == 0 && c.attrs.Reduction != Mean && c.data.n == 0 &&
		c.step > 0 && c.size >= c.workers && dispatch.ScatterOwns(c.size*c.step*c.elem.width)
}

// An ownBlock is what a worker keeps of a block: offsets, and updates of any width.
type ownBlock struct {
	offsets [blockLen]int
	wide    [blockLen]int64
	updates [blockLen]lanes.X128 // that don't lie side by side
	own     [blockLen]lanes.X128
}

var ownBlocks = sync.Pool{New: func() any { return new(ownBlock) }}

// owned runs the updates of the cells in a part's range of the axis.
func (c *call) owned(n *nest) bool {
	c.note("scatter, owned ranges")
	switch c.elem.width {
	case 1:
		return ownedUpdates[uint8](c, n)
	case 2:
		return ownedUpdates[uint16](c, n)
	case 4:
		return ownedUpdates[uint32](c, n)
	case 8:
		return ownedUpdates[uint64](c, n)
	default:
		return ownedUpdates[lanes.X128](c, n)
	}
}

func ownedUpdates[T lanes.Elem](c *call, n *nest) bool {
	room := ownBlocks.Get().(*ownBlock)
	defer ownBlocks.Put(room)
	b := (*ownBlock)(noescape(unsafe.Pointer(room)))
	own := unsafe.Slice((*T)(unsafe.Pointer(&b.own)), blockLen)
	p := *c
	p.src = memory{ptr: unsafe.Pointer(&b.own), n: blockLen}
	cells := dim{s: [3]int{srcOp: 1}}
	pass := func(use func(at *[3]int, offsets []int)) bool {
		line, _ := n.inner()
		return each(n.dims[:len(n.dims)-2], n.at, func(at [3]int) bool {
			to := [3]int{dstOp: at[dstOp]}
			for left := line.n; left > 0; {
				count := min(left, blockLen)
				kept, ok := ownedBlock(c, b, own, at, line, count, n.low, n.high)
				if !ok {
					return false
				}
				if kept > 0 {
					use(&to, b.offsets[:kept])
				}
				at = line.after(at, count)
				left -= count
			}
			return true
		})
	}
	if c.fills() {
		if !pass(func(at *[3]int, offsets []int) { p.fill(at[dstOp], offsets, &one) }) {
			return false
		}
	}
	return pass(func(at *[3]int, offsets []int) { p.update(at, offsets, &cells, &one) })
}

// ownedBlock keeps what falls into [low, high) of a block.
func ownedBlock[T lanes.Elem](c *call, b *ownBlock, own []T, at [3]int, line *dim, n, low, high int) (kept int, ok bool) {
	updates := slice[T](&c.src)
	if line.s[srcOp] == 1 {
		updates = updates[at[srcOp]:][:n]
	} else {
		beside := unsafe.Slice((*T)(unsafe.Pointer(&b.updates)), n)
		lanes.Copy(lanes.Plane[T]{Data: beside, Col: 1}, lanes.Plane[T]{Data: updates, At: at[srcOp], Col: line.s[srcOp]}, 1, n)
		updates = beside
	}
	bad := 0
	switch x := &c.idx; {
	case x.kind == kindInt32 && line.s[idxOp] == 1:
		kept, bad = lanes.ResolveOwned(b.offsets[:], own, slice[int32](&x.memory)[at[idxOp]:][:n], updates, c.size, c.step, low, high)
	case x.kind == kindInt64 && line.s[idxOp] == 1:
		kept, bad = lanes.ResolveOwned(b.offsets[:], own, slice[int64](&x.memory)[at[idxOp]:][:n], updates, c.size, c.step, low, high)
	default:
		x.widen(b.wide[:n], at[idxOp], line.s[idxOp])
		kept, bad = lanes.ResolveOwned(b.offsets[:], own, b.wide[:n], updates, c.size, c.step, low, high)
	}
	return kept, bad < 0
}
