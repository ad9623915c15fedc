package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Strided copies are permutations of bytes: a step loads windows of the source
// and puts the wanted bytes of them in order. Which ones is up to the Go
// side, which fills an entry: the windows' places, and the permutation. So one
// body serves every width of element, both directions, and all small strides. No window
// reaches beyond the bytes that are wanted: the last one ends with the last of them.

// A permutation is how an instruction set does a step.
type permutation struct {
	name  string // as the Go side has it
	level string
	trait string
	elem  string // the unit that is permuted, as bodies are named
	unit  int    // and its bytes
	made  int    // bytes of a vector
	isa
	// load puts an entry's permutation into registers.
	load func(g *gen, entry Register) []VecVirtual
	// make returns a step's vector, of so many windows.
	make    func(g *gen, windows []Mem, p []VecVirtual) VecVirtual
	windows int
}

// Where the parts of an entry are: places of windows, then the permutation.
const (
	entryWindows = 0  // [4]int
	entryPermute = 32 // [64]byte
	entryBytes   = 96
)

// permuters lists the permutations, the best first. AVX-512 permutes dwords over two windows of
// 64 bytes, and with VBMI bytes; AVX2 shuffles bytes of 16 in four windows, each half of the
// result from two of them, or a quarter from each. NEON looks bytes up in four windows of 16.
var permuters = []permutation{
	{"permuteDwords", avx512Level, "", "X32", 4, 64, avx512{}, loadPermute, permute(4), 2},
	{"permuteBytes", avx512Level, vbmi, "X8", 1, 64, avx512{}, loadPermute, permute(1), 2},
	{"shuffleBytes", avx2Level, "", "X8", 1, 32, avx2{}, loadShuffle, makeShuffled, 4},
	{name: "lookUpBytes", level: neon, elem: "X8", unit: 1, made: 16},
}

// permuterOf returns the permutation of a body.
func permuterOf(b body) permutation {
	return permuters[slices.IndexFunc(permuters, func(p permutation) bool { return p.level == b.level && p.elem == b.elem })]
}

// places loads the places of an entry's windows, which are counted from s.
func (v permutation) places(g *gen, entry, s Register) []Mem {
	out := make([]Mem, v.windows)
	for i := range out {
		w := g.GP64()
		g.MOVQ(at(entry, entryWindows+8*i), w)
		out[i] = indexed(s, w, 1)
	}
	return out
}

func loadPermute(g *gen, entry Register) []VecVirtual {
	p := g.ZMM()
	g.VMOVDQU64(at(entry, entryPermute), p)
	return []VecVirtual{p}
}

func permute(width int) func(g *gen, w []Mem, p []VecVirtual) VecVirtual {
	return func(g *gen, w []Mem, p []VecVirtual) VecVirtual {
		x, low, high := g.ZMM(), g.ZMM(), g.ZMM()
		registers := map[string]Register{"s": w[0].Base, "first": w[0].Index, "second": w[1].Index, "x": x}
		g.fragment(fragment{name: "permuted", doc: "puts the wanted elements of two windows in order.", registers: registers}, func() {
			g.VMOVDQA64(p[0], x)
			g.VMOVDQU64(w[0], low)
			g.VMOVDQU64(w[1], high)
			permuteTwo(g, high, low, x, width)
		})
		return x
	}
}

func loadShuffle(g *gen, entry Register) []VecVirtual {
	p, q := g.YMM(), g.YMM()
	g.VMOVDQU(at(entry, entryPermute), p)
	g.VMOVDQU(at(entry, entryPermute+32), q)
	return []VecVirtual{p, q}
}

// makeShuffled returns, for windows a, b, c and d of 16 bytes,
//
//	shuffle(a | c<<128, p) | shuffle(b | d<<128, q)
//
// Each shuffle writes zeros to the bytes that come from the other.
func makeShuffled(g *gen, w []Mem, p []VecVirtual) VecVirtual {
	x, y := g.YMM(), g.YMM()
	registers := map[string]Register{"s": w[0].Base, "a": w[0].Index, "b": w[1].Index, "c": w[2].Index, "d": w[3].Index, "x": x, "y": y}
	g.fragment(fragment{name: "shuffled", doc: "puts the wanted bytes of four windows in order.", registers: registers}, func() {
		g.VMOVDQU(w[0], x.AsX())
		g.VINSERTI128(Imm(1), w[2], x, x)
		g.VMOVDQU(w[1], y.AsX())
		g.VINSERTI128(Imm(1), w[3], y, y)
		g.VPSHUFB(p[0], x, x)
		g.VPSHUFB(p[1], y, y)
		g.VPOR(y, x, x)
	})
	return x
}

// copySteps makes a body for rows with an even step.
func copySteps(g *gen, b body) {
	v := permuterOf(b)
	g.begin(b)
	dst, src := g.arg("dst"), g.arg("src")
	entry := g.arg("entry")
	p := v.load(g, entry)
	d, s := g.GP64(), g.GP64()
	w := v.places(g, entry, s)
	left, made, advance, t := g.GP64(), g.arg("made"), g.arg("move"), g.GP64()
	g.IMULQ(g.argMem("step"), advance)
	distance := g.arg("distance")
	rows := g.arg("rows")
	var mask Register
	if v.made == 64 {
		ones := g.GP64()
		mask = g.K()
		g.MOVQ(I32(-1), ones)
		g.BZHIQ(made, ones, ones)
		g.KMOVQ(ones, mask)
	}
	store := func(x VecVirtual, suffix string) {
		if v.made == 64 {
			g.VMOVDQU8(x, mask, at(d, 0))
			return
		}
		g.fragment(fragment{name: "storeShuffled", doc: "stores a step: two halves, or quarters put together.", registers: map[string]Register{"x": x}}, func() {
			g.CMPQ(made, num(16))
			g.JEQ(LabelRef("quarters" + suffix))
			v.store(g, x, at(d, 0))
			g.JMP(LabelRef("stored" + suffix))
			g.Label("quarters" + suffix)
			high := g.XMM()
			g.VEXTRACTI128(Imm(1), x, high)
			g.VPOR(high, x.AsX(), high)
			g.VMOVDQU(high, at(d, 0))
			g.Label("stored" + suffix)
		})
	}
	// shift moves d and s on by t bytes of dst, in the direction of the row.
	shift := func(direction string) {
		g.fragment(fragment{name: "shift", doc: "moves on by t bytes of dst, in the direction of the row.", registers: map[string]Register{"d": d, "s": s, "t": t}}, func() {
			g.CMPQ(g.argMem("move"), Imm(0))
			g.JGT(LabelRef(direction))
			g.NEGQ(t)
			g.Label(direction)
			g.ADDQ(t, d)
			g.IMULQ(g.argMem("step"), t)
			g.ADDQ(t, s)
		})
	}
	// forward goes to the next step.
	forward := func() {
		registers := map[string]Register{
			"d": d, "s": s, "left": left, "t": t, "distance": distance, "first": w[0].Index, "second": w[1].Index, "advance": advance, "made": made,
		}
		g.fragment(fragment{name: "forward", doc: "goes to the next step.", registers: registers}, func() {
			g.LEAQ(indexed(s, distance, 1), t)
			for _, m := range w[:2] {
				g.PREFETCHT0(indexed(t, m.Index, 1))
			}
			g.ADDQ(g.argMem("move"), d)
			g.ADDQ(advance, s)
			g.SUBQ(made, left)
		})
	}

	g.Label("row")
	g.MOVQ(dst, d)
	g.MOVQ(src, s)
	g.MOVQ(g.argMem("bytes"), left)
	g.CMPB(g.argMem("stream"), Imm(0))
	g.JEQ(LabelRef("loop"))
	g.Comment("Bytes to an aligned address, above d or below d+made.")
	g.MOVQ(d, t)
	g.NEGQ(t)
	g.CMPQ(g.argMem("move"), Imm(0))
	g.JGT(LabelRef("above"))
	g.LEAQ(indexed(d, made, 1), t)
	g.Label("above")
	g.ANDQ(Imm(uint64(v.made-1)), t)
	g.JZ(LabelRef("streamTest"))
	v.store(g, v.make(g, w, p), at(d, 0))
	g.SUBQ(t, left)
	shift("aligned")
	g.JMP(LabelRef("streamTest"))
	g.Label("stream")
	v.storeStream(g, v.make(g, w, p), at(d, 0))
	forward()
	g.Label("streamTest")
	g.CMPQ(left, made)
	g.JGE(LabelRef("stream"))
	g.JMP(LabelRef("rest"))

	g.Label("loop")
	store(v.make(g, w, p), "")
	forward()
	g.CMPQ(left, made)
	g.JGE(LabelRef("loop"))

	g.Label("rest")
	g.TESTQ(left, left)
	g.JZ(LabelRef("next"))
	g.Comment("The last step, back in the row.")
	g.MOVQ(left, t)
	g.SUBQ(made, t)
	shift("back")
	store(v.make(g, w, p), "Last")

	g.Label("next")
	g.nextRow(dst, src, rows)
	g.SFENCE()
	g.ret()
}

// nextRow goes on to the next rows of dst and src, if any is left.
func (g *gen) nextRow(dst, src, rows Register) {
	g.ADDQ(g.argMem("dstRow"), dst)
	g.ADDQ(g.argMem("srcRow"), src)
	g.DECQ(rows)
	g.JNZ(LabelRef("row"))
}

// copyReversed makes a body for rows in reverse. It reads src upwards, which the hardware
// prefetches best, and writes dst downwards.
//
//	for range rows {
//		s, d, left := src, dst+bytes, bytes
//		if left >= leastAligned { begin with a step to a whole vector of dst }
//		for ; left > 0; left -= 32 { // the last step back in the row
//			copy(d[-32:], what is in s[:32] in reverse)
//			s, d = s[32:], d-32
//		}
//		dst, src = the next rows
//	}
//
// Downwards, stores across two cache lines are slow. (BenchmarkReversed at f027382 and here. Emerald
// Rapids, ns an element of float32 in rows that begin at element 1: of 400 bytes in 16 KB 0.16 0.10,
// in 256 KB 0.26 0.16, in 3 MB 0.40 0.32; one of 16 KB 0.104 0.083, of 256 KB 0.29 0.13, of 3 MB 0.46
// 0.34.)
func copyReversed(g *gen, b body) {
	g.begin(b)
	dst, src, rows, bytes := g.arg("dst"), g.arg("src"), g.arg("rows"), g.arg("bytes")
	order := g.YMM()
	g.VBROADCASTI128(g.reversed(b.width()), order)
	d, s, left := g.GP64(), g.GP64(), g.GP64()
	step := func(from, to Mem) {
		x := g.YMM()
		g.VMOVDQU(from, x)
		g.VPSHUFB(order, x, x)
		g.VPERMQ(Imm(0x4E), x, x)
		g.VMOVDQU(x, to)
	}
	half := func(from, to Mem) {
		x := g.XMM()
		g.VMOVDQU(from, x)
		g.VPSHUFB(order.AsX(), x, x)
		g.VMOVDQU(x, to)
	}
	g.Label("row")
	g.MOVQ(src, s)
	g.LEAQ(indexed(dst, bytes, 1), d)
	g.MOVQ(bytes, left)
	g.SUBQ(Imm(32), left)
	g.JL(LabelRef("short"))
	g.CMPQ(left, num(leastAligned-32))
	g.JL(LabelRef("loop"))
	g.Comment("A step that brings d to a whole vector.")
	step(at(s, 0), at(d, -32))
	beyond := g.GP64()
	g.MOVQ(d, beyond)
	g.ANDQ(num(32-b.width()), beyond)
	g.ADDQ(beyond, s)
	g.SUBQ(beyond, d)
	g.SUBQ(beyond, left)
	g.align()
	g.Label("loop")
	step(at(s, 0), at(d, -32))
	g.ADDQ(Imm(32), s)
	g.SUBQ(Imm(32), d)
	g.SUBQ(Imm(32), left)
	g.JGE(LabelRef("loop"))
	g.CMPQ(left, I8(-32))
	g.JEQ(LabelRef("next"))
	g.Comment("The last step, back in the row.")
	step(indexed(s, left, 1), at(dst, 0))
	g.JMP(LabelRef("next"))
	g.Label("short")
	g.Comment("16 bytes from each end.")
	half(at(s, 0), at(d, -16))
	half(indexed(s, left, 1).Offset(16), at(dst, 0))
	g.Label("next")
	g.nextRow(dst, src, rows)
	g.ret()
}

// leastAligned is the least number of bytes of a row whose stores are aligned.
const leastAligned = 128

// reversed returns the shuffle that reverses the elements of 16 bytes.
func (g *gen) reversed(width int) Mem {
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(16 - width - i/width*width + i%width)
	}
	return g.constant(bits("reversed", width), b)
}

// copySpaced makes a body for rows whose elements lie any step apart, which it moves one by one, so
// that src is read upwards. (Zen 4: elements that are inserted into a vector first, which is stored
// as a whole, take twice as long; four in each step take as long in the caches, and 1.1 to 1.3
// times beyond them, where one load with one step is prefetched better.)
//
//	if step < 0 { begin with the last elements of the rows; step = -step; move = -width }
//	for range rows {
//		for d, s, left := dst, src, bytes; left > 0; left -= width {
//			*d = *s
//			d, s = d + move, s + step
//		}
//		dst, src = the next rows
//	}
func copySpaced(g *gen, b body) {
	width := b.width()
	g.begin(b)
	dst, src, rows, step := g.arg("dst"), g.arg("src"), g.arg("rows"), g.arg("step")
	d, s, left, move, t := g.GP64(), g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(I32(width), move)
	g.TESTQ(step, step)
	g.JGE(LabelRef("row"))
	g.MOVQ(g.argMem("bytes"), t)
	g.SUBQ(num(width), t)
	g.ADDQ(t, dst)
	g.SHRQ(Imm(log2(width)), t)
	g.IMULQ(step, t)
	g.ADDQ(t, src)
	g.NEGQ(step)
	g.NEGQ(move)
	g.Label("row")
	g.MOVQ(dst, d)
	g.MOVQ(src, s)
	g.MOVQ(g.argMem("bytes"), left)
	g.align()
	g.Label("loop")
	g.storeElem(g.loadElem(at(s, 0), width), at(d, 0), width)
	g.ADDQ(move, d)
	g.ADDQ(step, s)
	g.SUBQ(num(width), left)
	g.JGT(LabelRef("loop"))
	g.nextRow(dst, src, rows)
	g.ret()
}

// copyPeriods makes a body for short rows that follow each other in dst: the
// permutation of one vector after another repeats after a period.
func copyPeriods(g *gen, b body) {
	v := permuterOf(b)
	g.begin(b)
	d, s, steps := g.arg("dst"), g.arg("src"), g.arg("steps")
	entries, period, advance := g.arg("entries"), g.arg("period"), g.arg("advance")
	entry, k := g.GP64(), g.GP64()
	stream := g.GP64()
	g.MOVBLZX(g.argMem("stream"), stream.As32())

	g.Label("period")
	g.MOVQ(entries, entry)
	g.MOVQ(period, k)
	g.Label("loop")
	x := v.make(g, v.places(g, entry, s), v.load(g, entry))
	g.TESTQ(stream, stream)
	g.JNZ(LabelRef("stream"))
	v.store(g, x, at(d, 0))
	g.JMP(LabelRef("stored"))
	g.Label("stream")
	v.storeStream(g, x, at(d, 0))
	g.Label("stored")
	g.ADDQ(num(v.made), d)
	g.ADDQ(num(entryBytes), entry)
	g.DECQ(steps)
	g.JZ(LabelRef("done"))
	g.DECQ(k)
	g.JNZ(LabelRef("loop"))
	g.ADDQ(advance, s)
	g.JMP(LabelRef("period"))

	g.Label("done")
	g.SFENCE()
	g.ret()
}

// copyTransposed makes a body that exchanges rows and columns. A tile is 16 bytes of as many columns
// of src as one interleaves in registers, or of twice as many in both lanes, if there are and ahead
// is not -1:
//
//	for each tile { // rows first
//		if it is a column's first && ahead != 0 { prefetch columns so far on }
//		v := the columns' vectors
//		for range log2(len(v)) { // exchanges a bit of the place in v for one of the place in a lane
//			for k := range len(v)/2 { v[2*k], v[2*k+1] = interleaved halves of v[k] and v[k+len(v)/2] }
//		}
//		dst rows := v, two of them in a vector of bytes
//	}
//
// The last tile of a row or a column is moved back, and repeats elements.
func copyTransposed(g *gen, b body) {
	g.begin(b)
	rows := 16 / b.width()
	x := transposer{gen: g, width: b.width(), rows: rows, cols: min(rows, 8)}
	x.dst, x.src, x.step, x.dstRow = g.arg("dst"), g.arg("src"), g.arg("step"), g.arg("dstRow")
	x.ahead, x.colsLeft = g.arg("ahead"), g.arg("cols")
	x.rowsLeft, x.from, x.to, x.t = g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.CMPQ(x.colsLeft, num(2*x.cols))
	g.JLT(LabelRef("column"))
	g.CMPQ(x.ahead, num(-1))
	g.JEQ(LabelRef("column"))
	x.tiles(true, "columnWide", "tileWide", "nextWide")
	x.tiles(false, "column", "tile", "next")
	g.Label("done")
	g.ret()
}

// A transposer makes the loops of copyTransposed.
type transposer struct {
	*gen
	width, rows, cols int // of elements; of a tile, whose columns wide ones double

	dst, src, dstRow, step Register // src and dst move on along columns
	from, to               Register // a tile's place in them
	rowsLeft, colsLeft     Register
	ahead                  Register // from a tile's columns to those that are prefetched, in bytes
	t                      Register
}

// tiles goes through tiles, the last of which ends the body.
func (x *transposer) tiles(wide bool, column, tile, next string) {
	across := x.cols
	if wide {
		across *= 2
	}
	x.Label(column)
	if wide {
		x.MOVQ(x.ahead, x.t)
		x.TESTQ(x.t, x.t)
		x.JZ(LabelRef("fetched"))
		x.ADDQ(x.src, x.t)
		x.fours(fragment{name: "fetchColumns", doc: "prefetches columns."}, across, x.step, func(int) { x.PREFETCHT0(at(x.t, 0)) })
		x.Label("fetched")
	}
	x.MOVQ(x.src, x.from)
	x.MOVQ(x.dst, x.to)
	x.MOVQ(x.argMem("rows"), x.rowsLeft)

	x.Label(tile)
	v := x.interleave(x.load(wide), wide)
	x.store(v, wide)
	x.onward(x.rowsLeft, x.rows, tile, next, x.from, x.to, x.dstRow)
	x.Label(next)
	x.onward(x.colsLeft, across, column, "done", x.dst, x.src, x.step)
}

// fours emits what is done at t for n rows or columns, and moves t on to the next one, in fragments
// of four.
func (x *transposer) fours(f fragment, n int, apart Register, emit func(k int)) {
	for k := 0; k < n; k += 4 {
		x.fragment(f, func() {
			for i := k; i < min(k+4, n); i++ {
				emit(i)
				x.ADDQ(apart, x.t)
			}
		})
	}
}

// load loads the columns of a tile, those of its second half to the upper lanes.
func (x *transposer) load(wide bool) []VecVirtual {
	v := make([]VecVirtual, x.cols)
	for k := range v {
		v[k] = x.YMM()
	}
	x.MOVQ(x.from, x.t)
	x.fours(fragment{name: "loadColumns", doc: "loads columns."}, len(v), x.step, func(k int) { x.VMOVDQU(at(x.t, 0), v[k].AsX()) })
	if wide {
		x.fours(fragment{name: "loadUpper", doc: "loads columns to upper lanes."}, len(v), x.step, func(k int) { x.VINSERTI128(Imm(1), at(x.t, 0), v[k], v[k]) })
	}
	return v
}

// interleave turns columns into rows.
func (x *transposer) interleave(v []VecVirtual, wide bool) []VecVirtual {
	low, high := interleaves(x.gen, x.width)
	for range log2(len(v)) {
		turned := make([]VecVirtual, len(v))
		for k := range len(v) / 2 {
			a, b, c := v[k], v[k+len(v)/2], x.YMM()
			low(lanesOf(b, wide), lanesOf(a, wide), lanesOf(c, wide))
			high(lanesOf(b, wide), lanesOf(a, wide), lanesOf(a, wide))
			turned[2*k], turned[2*k+1] = c, a
		}
		v = turned
	}
	return v
}

// store stores the rows of a tile.
func (x *transposer) store(v []VecVirtual, wide bool) {
	x.MOVQ(x.to, x.t)
	if x.width > 1 {
		x.fours(fragment{name: "storeRows", doc: "stores rows."}, len(v), x.dstRow, func(k int) { x.VMOVDQU(lanesOf(v[k], wide), at(x.t, 0)) })
		return
	}
	name := "storeTwo"
	if wide {
		name = "storeTwoWide"
	}
	for _, two := range v { // rows, in 8 bytes of each lane
		x.fragment(fragment{name: name, doc: "stores two rows of bytes."}, func() {
			if wide {
				x.VPERMQ(Imm(0xD8), two, two)
				x.VMOVDQU(two.AsX(), at(x.t, 0))
			} else {
				x.VMOVQ(two.AsX(), at(x.t, 0))
			}
			x.ADDQ(x.dstRow, x.t)
			if wide {
				x.VEXTRACTI128(Imm(1), two, at(x.t, 0))
			} else {
				x.VPEXTRQ(Imm(1), two.AsX(), at(x.t, 0))
			}
			x.ADDQ(x.dstRow, x.t)
		})
	}
}

// lanesOf returns a vector with both lanes, or with the lower one.
func lanesOf(v VecVirtual, both bool) Op {
	if both {
		return v.AsY()
	}
	return v.AsX()
}

// onward goes again by a tile, or by what is left: along the one operand's rows, and across the
// other's, which are distance apart.
func (x *transposer) onward(left Register, by int, again, end string, along, across, distance Register) {
	whole := x.GP64()
	registers := map[string]Register{"along": along, "across": across, "distance": distance, "left": left, "whole": whole}
	x.fragment(fragment{name: "onward", doc: "goes to the next tile, or moves back by what it lacks.", registers: registers}, func() {
		x.SUBQ(num(by), left)
		x.JZ(LabelRef(end))
		x.MOVQ(U32(uint32(by)), x.t)
		x.MOVQ(x.t, whole)
		x.CMPQ(left, x.t)
		x.CMOVQLT(left, x.t)
		x.CMOVQLT(whole, left)
		x.LEAQ(indexed(along, x.t, x.width), along)
		x.IMULQ(distance, x.t)
		x.ADDQ(x.t, across)
		x.JMP(LabelRef(again))
	})
}

// interleaves returns the instructions that interleave the lower and the upper halves of vectors,
// of elements of a width.
func interleaves(g *gen, width int) (low, high func(...Op)) {
	switch width {
	case 1:
		return g.VPUNPCKLBW, g.VPUNPCKHBW
	case 2:
		return g.VPUNPCKLWD, g.VPUNPCKHWD
	case 4:
		return g.VPUNPCKLDQ, g.VPUNPCKHDQ
	}
	return g.VPUNPCKLQDQ, g.VPUNPCKHQDQ
}
