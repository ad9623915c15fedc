package main

import (
	"slices"

	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherRows makes a body that copies whole rows, of 2 bytes and more, from offsets.
func gatherRows(g *gen, b body) {
	v := b.isa()
	g.begin(b)
	d, s, o := g.arg("dst"), g.GP64(), g.arg("offsets")
	src := g.based("src")
	i, last := g.GP64(), g.GP64()
	shift := g.arg("shift")
	g.MOVQ(g.argMem("n"), last)
	g.DECQ(last)
	g.XORQ(i, i)
	bytes, dstRow, tail, ahead := g.arg("bytes"), g.arg("dstRow"), g.GP64(), g.GP64()
	shortRows(g, v, d, bytes, true, func(part int) {
		g.LEAQ(indexed(src, bytes, 1).Offset(-part), tail)
	}, func(part int) (first, end Mem) {
		offsetAhead(g, ahead, i, last, o, shift)
		g.PREFETCHT0(indexed(src, ahead, 1))
		if part > 16 {
			g.PREFETCHT0(indexed(tail, ahead, 1).Offset(part - 1))
		}
		g.MOVQ(indexed(o, i, 8), s)
		g.SHLXQ(shift, s, s)
		return indexed(src, s, 1), indexed(tail, s, 1)
	}, func(loop LabelRef) {
		g.ADDQ(dstRow, d)
		g.INCQ(i)
		g.CMPQ(i, last)
		g.JLE(loop)
	})

	g.Label("row")
	g.MOVQ(indexed(o, i, 8), s)
	g.SHLXQ(shift, s, s)
	g.ADDQ(src, s)
	far := g.GP64() // the row to prefetch
	offsetAhead(g, far, i, last, o, shift)
	g.ADDQ(src, far)
	moveRowFragment(g, v, d, s, far, true)
	g.ADDQ(g.argMem("dstRow"), d)
	g.INCQ(i)
	g.CMPQ(i, last)
	g.JLE(LabelRef("row"))
	g.Label("done")
	g.SFENCE()
	g.ret()
}

// setRows makes a body that copies whole rows, of 2 bytes and more, to offsets. It prefetches what
// is written, because fewer stores than prefetches wait for the caches at a time.
func setRows(g *gen, b body) {
	v := b.isa()
	g.begin(b)
	s, o, d := g.arg("updates"), g.arg("offsets"), g.GP64()
	dst := g.based("dst")
	i, last := g.GP64(), g.GP64()
	shift := g.arg("shift")
	g.MOVQ(g.argMem("n"), last)
	g.DECQ(last)
	g.XORQ(i, i)
	bytes, ahead := g.arg("bytes"), g.GP64()
	toRow := func() {
		g.MOVQ(indexed(o, i, 8), d)
		g.SHLXQ(shift, d, d)
		g.ADDQ(dst, d)
	}
	next := func(loop LabelRef) {
		g.ADDQ(g.argMem("updatesRow"), s)
		g.INCQ(i)
		g.CMPQ(i, last)
		g.JLE(loop)
	}
	shortRows(g, v, d, bytes, false, func(int) {}, func(part int) (first, end Mem) {
		offsetAhead(g, ahead, i, last, o, shift)
		g.ADDQ(dst, ahead)
		g.PREFETCHT0(at(ahead, 0))
		g.PREFETCHT0(indexed(ahead, bytes, 1).Offset(-1))
		toRow()
		return at(s, 0), indexed(s, bytes, 1).Offset(-part)
	}, next)

	g.Label("row")
	toRow()
	far := g.GP64() // the row to prefetch
	offsetAhead(g, far, i, last, o, shift)
	g.ADDQ(dst, far)
	moveRowFragment(g, v, d, s, far, false)
	next(LabelRef("row"))
	g.Label("done")
	g.ret()
}

// offsetAhead loads the offset of the row that is ahead of row i, or of the last one.
func offsetAhead(g *gen, ahead, i, last, offsets, shift Register) {
	g.fragment(fragment{name: "offsetAhead", doc: "loads the offset of the row to prefetch."}, func() {
		g.MOVQ(g.argMem("ahead"), ahead)
		g.ADDQ(i, ahead)
		g.CMPQ(ahead, last)
		g.CMOVQGT(last, ahead)
		g.MOVQ(indexed(offsets, ahead, 8), ahead)
		g.SHLXQ(shift, ahead, ahead)
	})
}

// shortRows makes loops over rows of 2 to 128 bytes, which are not streamed: each moves two parts,
// which overlap.
//
//	for each row {
//		d[:part], d[bytes-part:] = s[:part], s[bytes-part:]
//	}
//
// streams says that the body has a parameter for it, begin stands before a loop, row says where the
// parts are, and next goes to the next row and to the loop's label.
func shortRows(g *gen, v isa, d, bytes Register, streams bool, begin func(part int), row func(part int) (first, last Mem), next func(loop LabelRef)) {
	if streams {
		g.CMPB(g.argMem("stream"), Imm(0))
		g.JNE(LabelRef("row"))
	}
	parts := []int{64, 32, 16, 8, 4, 2}
	g.fragment(fragment{name: "byLength", doc: "goes to the loop over rows of this length, or on with the shortest.", registers: map[string]Register{"bytes": bytes}}, func() {
		g.CMPQ(bytes, num(128))
		g.JG(LabelRef("row"))
		for _, part := range parts[:len(parts)-1] {
			g.CMPQ(bytes, num(part))
			g.JG(LabelRef(bits("parts", part)))
		}
	})
	for _, part := range slices.Backward(parts) {
		g.fragment(fragment{name: "shortRows", doc: "moves rows of up to twice a part: the first part and the last, which overlap."}, func() {
			g.Label(bits("parts", part))
			begin(part)
			loop := bits("rows", part)
			g.Label(loop)
			first, last := row(part)
			end := indexed(d, bytes, 1).Offset(-part)
			if part == 64 {
				move64(g, v, at(d, 0), first, false)
				move64(g, v, end, last, false)
			} else {
				x, y := g.loadElem(first, part), g.loadElem(last, part)
				g.storeElem(x, at(d, 0), part)
				g.storeElem(y, end, part)
			}
			next(LabelRef(loop))
			g.JMP(LabelRef("done"))
		})
	}
}

// prefetchRow makes a body that fetches a part of a row to come.
func prefetchRow(g *gen, b body) {
	g.begin(b)
	p, n := g.arg("p"), g.arg("bytes")
	g.Label("loop")
	g.PREFETCHT0(at(p, 0))
	g.ADDQ(num(64), p)
	g.SUBQ(num(64), n)
	g.JG(LabelRef("loop"))
	g.ret()
}

// copyRows makes a body that copies rows which lie evenly apart.
func copyRows(g *gen, b body) {
	v := b.isa()
	g.begin(b)
	d, s, rows, distance := g.arg("dst"), g.arg("src"), g.arg("rows"), g.arg("distance")
	bytes, dstRow, srcRow := g.arg("bytes"), g.arg("dstRow"), g.arg("srcRow")
	g.CMPQ(bytes, num(2))
	g.JLT(LabelRef("row"))
	shortRows(g, v, d, bytes, true, func(int) {}, func(part int) (first, last Mem) {
		g.PREFETCHT0(indexed(s, distance, 1))
		return at(s, 0), indexed(s, bytes, 1).Offset(-part)
	}, func(loop LabelRef) {
		g.ADDQ(dstRow, d)
		g.ADDQ(srcRow, s)
		g.DECQ(rows)
		g.JNZ(loop)
	})

	g.Label("row")
	far := g.GP64() // the row to prefetch
	g.LEAQ(indexed(s, distance, 1), far)
	moveRowFragment(g, v, d, s, far, true)
	g.ADDQ(dstRow, d)
	g.ADDQ(srcRow, s)
	g.DECQ(rows)
	g.JNZ(LabelRef("row"))
	g.Label("done")
	g.SFENCE()
	g.ret()
}

func moveRowFragment(g *gen, v isa, d, s, far Register, streams bool) {
	g.fragment(fragment{name: "moveRow", doc: "copies a row of any length, vector by vector.", registers: map[string]Register{"far": far}}, func() { moveRow(g, v, d, s, far, streams) })
}

// moveRow copies a row 64 bytes at a time; what is left over, and what comes before an aligned
// store of a row that is streamed, is a partial step. d and s stay where they are. Another row is
// prefetched from far on.
func moveRow(g *gen, v isa, d, s, far Register, streams bool) {
	left, count, p := g.GP64(), g.GP64(), g.GP64()
	vectors := func(label string, stream bool) {
		g.fragment(fragment{name: "vectors", doc: "moves whole vectors of a row.", registers: map[string]Register{"left": left, "p": p, "far": far}}, func() {
			g.Label(label)
			g.SUBQ(num(64), left)
			g.JLT(LabelRef("rest"))
			g.Label(label + "64")
			move64(g, v, indexed(d, p, 1), indexed(s, p, 1), stream)
			g.PREFETCHT0(indexed(far, p, 1))
			g.ADDQ(num(64), p)
			g.SUBQ(num(64), left)
			g.JGE(LabelRef(label + "64"))
		})
	}
	g.MOVQ(g.argMem("bytes"), left)
	g.XORQ(p, p)
	if streams {
		g.CMPB(g.argMem("stream"), Imm(0))
		g.JEQ(LabelRef("loop"))
		g.Comment("What comes before an aligned store.")
		g.MOVQ(d, count)
		g.NEGQ(count)
		g.ANDQ(Imm(63), count)
		g.CMPQ(count, left)
		g.CMOVQGT(left, count)
		g.TESTQ(count, count)
		g.JNZ(LabelRef("partial"))
		vectors("aligned", true)
		g.JMP(LabelRef("rest"))
	}

	vectors("loop", false)

	g.Label("rest")
	g.ADDQ(num(64), left)
	g.JZ(LabelRef("moved"))
	g.MOVQ(left, count)

	g.Label("partial")
	g.PREFETCHT0(indexed(far, p, 1))
	g.SUBQ(count, left)
	v.movePartial(g, d, s, p, count)
	if streams {
		g.CMPB(g.argMem("stream"), Imm(0))
		g.JNE(LabelRef("aligned"))
	}
	g.Label("moved")
}

func move64(g *gen, v isa, to, from Mem, stream bool) {
	for b := 0; b < 64; b += v.bytes() {
		x := v.vec(g)
		v.load(g, from.Offset(b), x)
		if stream {
			v.storeStream(g, x, to.Offset(b))
		} else {
			v.store(g, x, to.Offset(b))
		}
	}
}

// copyLong makes a body that copies a run by REP MOVSB, which wants dst aligned: on Zen 5 4 MiB to
// a dst 16 bytes off a line run at 44 GB/s, and at 63 aligned.
func copyLong(g *gen, b body) {
	v := b.isa()
	g.begin(b)
	g.Load(g.Param("dst"), RDI)
	g.Load(g.Param("src"), RSI)
	g.Load(g.Param("bytes"), RCX)
	move64(g, v, at(RDI, 0), at(RSI, 0), false)
	head := g.GP64()
	g.MOVQ(RDI, head)
	g.NEGQ(head)
	g.ANDQ(Imm(63), head)
	g.ADDQ(head, RDI)
	g.ADDQ(head, RSI)
	g.SUBQ(head, RCX)
	g.Instruction(&ir.Instruction{Opcode: "REP"})
	g.Instruction(&ir.Instruction{Opcode: "MOVSB", Inputs: []Op{RDI, RSI, RCX}, Outputs: []Op{RDI, RSI, RCX}})
	g.ret()
}
