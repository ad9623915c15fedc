package kernels

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
	for i := range loops {
		if loops[i].n > 1 && loops[i].s[idxOp] == 0 {
			least = leastTransposed
		}
	}
	return dst.count >= least && !isSmall(&c.elem, dst.count) && c.elem.refs == nil && len(dst.shape) < maxLoops && dst.transposed()
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
		var from, to [maxLoops]loop
		step := 1
		for k := len(loops) - 1; k >= 0; k-- {
			l := &loops[k]
			from[k] = loop{box[k], [3]int{step, l.s[srcOp], l.s[idxOp]}}
			to[k] = loop{box[k], [3]int{l.s[dstOp], step}}
			step *= box[k]
		}
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

// copyTiles copies tile by tile.
func (c *call) copyTiles(n *nest) {
	loops, width := n.loops(), c.elem.kind.Width()
	box, _ := c.box(loops)
	box.each(loops, n.at, func(at position, box *tile) bool {
		var in [maxLoops]loop
		for k := range loops {
			in[k].assign(box[k], &loops[k])
		}
		inner := pad(collapse(in[:len(loops)]), 2)
		exchanged := exchanges(inner, width)
		if exchanged {
			exchange(inner, &at)
		} else if c.copyThroughBuffer(inner, at) {
			return true
		}
		part := nest{at: at}
		part.set(inner)
		if exchanged {
			c.copyPlanes(&part)
		} else {
			c.copyBlocks(&part, true)
		}
		return true
	})
}

// copyThroughBuffer copies a tile by way of a buffer whose rows are in the order of src, so that a
// loop that is too short to be exchanged joins the one around it, and reports whether one does:
//
//	for each row in the order of src { for j := range cols { buffer[row][j] = src(row, j) } } // exchanged
//	for each row in the order of dst { copy(dst(row), buffer[row]) }
//
// (BenchmarkPermuted. Zen 4, ns an element of [3,512,512] whose axes lie in the reverse order, in
// blocks and so: uint8 0.80 and 0.10, uint16 1.1 and 0.16, float32 2.3 and 0.30; [12,200,80] of
// uint8 0.49 and 0.08.)
func (c *call) copyThroughBuffer(loops []loop, at position) bool {
	var to, from [maxLoops]loop
	last, step := len(loops)-1, 1
	copy(to[:], loops)
	ascending(to[:last], func(l loop) int { return -l.distance(srcOp) })
	for k := last; k >= 0; k-- {
		l := &to[k]
		from[k] = loop{l.n, [3]int{l.s[dstOp], step}}
		l.s[dstOp] = step
		step *= l.n
	}
	rows := collapse(to[:len(loops)])
	if len(rows) == len(loops) || len(rows) < 2 || !exchanges(rows, c.elem.kind.Width()) || rows[least(rows, srcOp)].distance(srcOp) != 1 {
		return false
	}
	buffer, memory := bufferFor(step, c.elem.kind)
	defer buffers.Put(buffer)
	buffered, copied := *c, *c
	buffered.dst, buffered.stream, buffered.at = memory, false, position{0, at.src, 0}
	exchange(rows, &buffered.at)
	buffered.set(rows)
	buffered.copyPlanes(&buffered.nest)
	copied.src, copied.tiles, copied.at = memory, false, position{at.dst, 0, 0}
	copied.copyLoops(sequential(from[:len(loops)], &copied.at))
	copied.copyLarge(&copied.nest)
	return true
}

// leastExchanged is the least number of elements of rows and columns that are exchanged in a tile.
var leastExchanged = 64

// leastInterleaved is the least number of bytes of columns of 1 or 2 bytes that are too few to be
// exchanged, but interleave in dst. (BenchmarkInterleaved. Emerald Rapids, ns an element in blocks
// and so, into [400,300,3], [20,100,6] and [40,1000,3]: uint8 0.68 0.28, 0.57 0.31, 0.47 0.21,
// uint16 0.47 0.40, 0.61 0.35, 0.45 0.30. Float32 gains nothing, float64 loses.)
var leastInterleaved = 512

// exchanges reports whether a tile has rows and columns enough for a body that exchanges them.
func exchanges(loops []loop, width int) bool {
	row, col := &loops[least(loops, srcOp)], loops[len(loops)-1].n
	several := col >= min(16/width, 8) || width <= 2 && row.s[dstOp] == col && row.distance(srcOp) == 1 && row.n*col*width >= leastInterleaved
	return width <= 8 && row.n >= 16/width && several && row.n*col >= leastExchanged
}

// A tile is how many steps of each loop of a nest it has.
type tile [maxLoops]int

// box returns a tile of the call's loops, and how many elements it has.
func (c *call) box(loops []loop) (t tile, elements int) {
	for k := range loops {
		t[k] = 1
	}
	width := c.elem.kind.Width()
	if c.work == gatherWork {
		t.extend(loops, dstOp, gatherRun/width)
		return t, t.extend(loops, idxOp, gatherTile/width)
	}
	run := t.extend(loops, dstOp, tileRun)
	t.extend(loops, srcOp, run*tileLines/width)
	return t, t.extend(loops, dstOp, copyTile/width)
}

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
