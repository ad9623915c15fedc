package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// ahead is how many rows a gather of rows prefetches ahead.
const ahead = 8

// gatherRows makes a body that copies whole rows from offsets.
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

	g.Label("row")
	g.MOVQ(indexed(o, i, 8), s)
	g.SHLXQ(shift, s, s)
	soon := g.GP64() // from a row to the one to prefetch
	g.LEAQ(at(i, ahead), soon)
	g.CMPQ(soon, last)
	g.CMOVQGT(last, soon)
	g.MOVQ(indexed(o, soon, 8), soon)
	g.SHLXQ(shift, soon, soon)
	g.SUBQ(s, soon)
	g.ADDQ(src, s)
	moveRow(g, v, d, s, soon)
	g.ADDQ(g.argMem("dstRow"), d)
	g.INCQ(i)
	g.CMPQ(i, last)
	g.JLE(LabelRef("row"))
	g.SFENCE()
	g.ret()
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
	d, s, rows, soon := g.arg("dst"), g.arg("src"), g.arg("rows"), g.arg("soon")
	g.Label("row")
	moveRow(g, v, d, s, soon)
	g.ADDQ(g.argMem("dstRow"), d)
	g.ADDQ(g.argMem("srcRow"), s)
	g.DECQ(rows)
	g.JNZ(LabelRef("row"))
	g.SFENCE()
	g.ret()
}

// moveRow copies a row 64 bytes at a time; what is left over, and what comes
// before an aligned store, is a partial step. d and s stay where they are.
func moveRow(g *gen, v isa, d, s, soon Register) {
	left, count, p := g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(g.argMem("bytes"), left)
	g.XORQ(p, p)
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
	g.Label("aligned")
	g.CMPQ(left, num(64))
	g.JLT(LabelRef("rest"))
	move64(g, v, indexed(d, p, 1), indexed(s, p, 1), true)
	prefetch(g, s, p, soon)
	g.ADDQ(num(64), p)
	g.SUBQ(num(64), left)
	g.JMP(LabelRef("aligned"))

	g.Label("loop")
	g.CMPQ(left, num(64))
	g.JLT(LabelRef("rest"))
	move64(g, v, indexed(d, p, 1), indexed(s, p, 1), false)
	prefetch(g, s, p, soon)
	g.ADDQ(num(64), p)
	g.SUBQ(num(64), left)
	g.JMP(LabelRef("loop"))

	g.Label("rest")
	g.MOVQ(left, count)
	g.TESTQ(left, left)
	g.JZ(LabelRef("moved"))

	g.Label("partial")
	prefetch(g, s, p, soon)
	g.SUBQ(count, left)
	v.movePartial(g, d, s, p, count)
	g.CMPB(g.argMem("stream"), Imm(0))
	g.JNE(LabelRef("aligned"))
	g.Label("moved")
}

// prefetch fetches what stands at the same place of a row to come.
func prefetch(g *gen, s, p, soon Register) {
	t := g.GP64()
	g.LEAQ(indexed(s, p, 1), t)
	g.PREFETCHT0(indexed(t, soon, 1))
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
