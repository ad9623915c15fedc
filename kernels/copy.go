package kernels

import "github.com/lanes-go/lanes"

// copy runs a part of a copy, two loops at a time.
func (c *call) copy(n *nest) {
	if c.elem.refs != nil {
		c.note("copy, pointers")
		line := n.last(1)
		n.each(1, func(at [3]int) bool {
			c.moveRun(at[dstOp], at[srcOp], line)
			return true
		})
		return
	}
	c.note("copy")
	if c.small {
		c.copySmall(n)
		return
	}
	if c.copyBlocks(n) {
		return
	}
	row, col := n.inner()
	n.each(2, func(at [3]int) bool {
		lanes.CopyRaw(window(c.dst, dstOp, &at, row, col, c.stream), window(c.src, srcOp, &at, row, col, false), row.n, col.n)
		return true
	})
}

// shortPlane is up to how many elements two loops are too short to be copied alone, if there are
// more loops.
const shortPlane = 256

// copyBlocks copies short loops block by block, by a pattern of offsets in src (see blocks.go). It
// reports whether the loops are short enough, and has copied them then.
func (c *call) copyBlocks(n *nest) bool {
	row, run := n.inner()
	loops := n.loops()
	if len(loops) < 3 || row.n*run.n > shortPlane {
		return false
	}
	inner := 1
	if run.s[dstOp] != 1 || run.s[srcOp] != 1 || run.n*c.elem.kind.Width() < 16 {
		inner, run = 0, &one
	}
	loops = loops[:len(loops)-inner]
	shape := blockingOf(loops, srcOp, [3]bool{dstOp: true})
	if shape.loop == len(loops)-1 {
		return false
	}
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	pattern := shape.fill(b.patterns[srcOp][:], loops, srcOp)
	last, cut := &loops[len(loops)-1], &loops[shape.loop]
	n.each(len(loops)-shape.loop+inner, func(at [3]int) bool {
		for left := cut.n; left > 0; left -= shape.chunk {
			count := min(left, shape.chunk) * shape.inner
			lanes.GatherRowsRaw(lanes.Window{Memory: c.dst, At: at[dstOp], Row: last.s[dstOp], Col: 1, Stream: c.stream}, c.src, at[srcOp], 1, pattern[:count], run.n)
			at = cut.after(at, shape.chunk)
		}
		return true
	})
	return true
}

// pieceRefs and pieceRefBytes bound one move of elements with pointers, because a copy is not
// pre-empted.
const pieceRefs, pieceRefBytes = 8 << 10, 256 << 10

// moveRun moves elements with pointers along one loop.
func (c *call) moveRun(d, s int, run *loop) {
	if run.s[dstOp] == 1 && run.s[srcOp] == 1 {
		most := max(1, min(pieceRefs, pieceRefBytes/c.elem.size))
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
