package kernels

import (
	"bytes"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// check checks the indices of a part: along its last loop, or tuples along the last but one.
func (c *call) check(n *nest) bool {
	c.note("index check")
	if len(c.tuples.sizes) > 0 {
		return c.eachBlock(n, dstOp, func(int, []int, lanes.Window, loop) {})
	}
	line := n.last(1)
	return n.each(1, func(at position) bool {
		return checkLine(c.idx, at.idx, line.s[idxOp], line.n, c.size, c.policy)
	})
}

// checkLine reports whether n indices, step apart, are in range.
func checkLine(x lanes.Memory, at, step, n, size int, p IndexPolicy) bool {
	if resolvable(x.Kind) && !p.NegativeIsOutOfRange {
		return lanes.CheckRaw(x, at, step, n, size) < 0
	}
	if resolvable(x.Kind) && step == 1 {
		for done := 0; done < n; done += policyPart { // while they are in a cache
			part := min(policyPart, n-done)
			if lanes.CheckRaw(x, at+done, 1, part, size) >= 0 || negative(x, at+done, part) {
				return false
			}
		}
		return true
	}
	var wide [64]int64
	for n > 0 {
		block := wide[:min(n, len(wide))]
		lanes.WidenRaw(block, x, at, step)
		if lanes.CheckRaw(wideMemory(block), 0, 1, len(block), size) >= 0 || p.NegativeIsOutOfRange && signs(block) < 0 {
			return false
		}
		at, n = at+len(block)*step, n-len(block)
	}
	return true
}

// keepEqual copies one index of each row, the last loop, while the indices of each row are equal.
func (c *call) keepEqual(n *nest) bool {
	c.note("equal indices")
	line, row, width := n.last(2), n.last(1).n, c.idx.Kind.Width()
	return n.each(2, func(at position) bool {
		for range line.n {
			if !equalIndices(c.idx, at.idx, row) {
				return false
			}
			to, from := unsafe.Add(c.dst.Ptr, at.dst*width), unsafe.Add(c.idx.Ptr, at.idx*width)
			switch width { // in bounds: the views were checked
			case 1:
				*(*uint8)(to) = *(*uint8)(from)
			case 2:
				*(*uint16)(to) = *(*uint16)(from)
			case 4:
				*(*uint32)(to) = *(*uint32)(from)
			default:
				*(*uint64)(to) = *(*uint64)(from)
			}
			at = line.after(at, 1)
		}
		return true
	})
}

// equalIndices reports whether n neighbouring indices are equal. It compares the row with itself,
// one index later.
func equalIndices(x lanes.Memory, at, n int) bool {
	width := x.Kind.Width()
	row := unsafe.Slice((*byte)(unsafe.Add(x.Ptr, at*width)), n*width)
	for len(row) > pieceBytes {
		if !bytes.Equal(row[width:pieceBytes], row[:pieceBytes-width]) {
			return false
		}
		row = row[pieceBytes-width:]
	}
	return bytes.Equal(row[width:], row[:len(row)-width])
}

// checkCost estimates what a pass takes that only reads indices.
func (c *call) checkCost() float64 {
	t := &dispatch.Costs
	return float64(c.steps()) * (t.Check + t.Resolve*float64(max(len(c.tuples.sizes)-1, 0)))
}
