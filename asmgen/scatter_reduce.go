package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vectorBytes is what a step combines: halves fill a vector when widened.
func (a arith) vectorBytes(v isa) int {
	if a.half() {
		return v.bytes() / 2
	}
	return v.bytes()
}

func (g *gen) vector(bytes int) VecVirtual {
	switch bytes {
	case 16:
		return g.XMM()
	case 32:
		return g.YMM()
	}
	return g.ZMM()
}

// scatterRows makes a body that combines whole rows into those at offsets.
func scatterRows(g *gen, b body) {
	v, a := b.isa(), arithOf(b)
	g.begin(b)
	d, o, u, n := g.based("dst"), g.arg("offsets"), g.arg("updates"), g.arg("n")
	wide := v == avx512{}
	size := a.vectorBytes(v)
	step := size / a.width
	c := &combiner{g, wide, map[uint32]VecVirtual{}}
	c.prepare(a, uint(size))
	p, left, cols, t := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(g.argMem("cols"), cols)
	var mask Register
	if wide {
		ones := g.GP64()
		mask = g.K()
		g.Comment("Ones for what a row has beyond whole vectors.")
		g.MOVQ(cols, t)
		g.ANDQ(Imm(uint64(step-1)), t)
		g.MOVQ(I32(-1), ones)
		g.BZHIQ(t, ones, ones)
		g.KMOVQ(ones, mask)
	}

	g.Label("row")
	g.MOVQ(at(o, 0), p)
	g.MOVQ(I32(ahead), left)
	g.LEAQ(at(n, -1), t)
	g.CMPQ(left, t)
	g.CMOVQGT(t, left)
	soon := g.GP64() // from a row to the one to prefetch
	g.MOVQ(indexed(o, left, 8), soon)
	g.SUBQ(p, soon)
	g.scale(soon, a.width)
	g.scale(p, a.width)
	g.ADDQ(d, p)
	g.MOVQ(u, t)
	g.MOVQ(cols, left)
	g.SUBQ(num(step), left)
	g.JLT(LabelRef("rest"))

	g.Label("loop")
	g.PREFETCHT0(indexed(p, soon, 1))
	cell, update := g.vector(size), g.vector(size)
	g.loadVector(at(p, 0), cell)
	g.loadVector(at(t, 0), update)
	g.storeVector(a.combine(c, cell, update), at(p, 0))
	g.ADDQ(num(size), p)
	g.ADDQ(num(size), t)
	g.SUBQ(num(step), left)
	g.JGE(LabelRef("loop"))

	g.Label("rest")
	g.ADDQ(num(step), left)
	g.JZ(LabelRef("next"))
	if wide {
		cell, update := g.vector(size), g.vector(size)
		loadMasked(g, at(p, 0), mask, cell, a.width)
		loadMasked(g, at(t, 0), mask, update, a.width)
		blend(g, a.combine(c, cell, update), mask, at(p, 0), a.width)
	} else {
		g.Label("one")
		c.combineOne(a, at(p, 0), at(t, 0))
		g.ADDQ(num(a.width), p)
		g.ADDQ(num(a.width), t)
		g.DECQ(left)
		g.JNZ(LabelRef("one"))
	}

	g.Label("next")
	g.ADDQ(num(8), o)
	g.ADDQ(g.argMem("updatesRow"), u)
	g.DECQ(n)
	g.JNZ(LabelRef("row"))
	g.ret()
}

func (g *gen) loadVector(m Mem, x VecVirtual) {
	if x.Size() == 64 {
		g.VMOVDQU64(m, x)
	} else {
		g.VMOVDQU(m, x)
	}
}

func (g *gen) storeVector(x VecVirtual, m Mem) {
	if x.Size() == 64 {
		g.VMOVDQU64(x, m)
	} else {
		g.VMOVDQU(x, m)
	}
}

// combineOne combines one element.
func (c *combiner) combineOne(a arith, cell, update Mem) {
	switch {
	case a.integer():
		c.combineInteger(a, cell, update)
	case a.half():
		x, y := c.loadHalf(cell), c.loadHalf(update)
		c.VPEXTRW(Imm(0), a.combine(c, x, y), cell)
	case a.width == 4:
		x := c.XMM()
		c.VMOVSS(cell, x)
		a.scalar(c.gen, update, x, x)
		c.VMOVSS(x, cell)
	default:
		x := c.XMM()
		c.VMOVSD(cell, x)
		a.scalar(c.gen, update, x, x)
		c.VMOVSD(x, cell)
	}
}

func (c *combiner) loadHalf(m Mem) VecVirtual {
	x := c.XMM()
	c.VPXOR(x, x, x)
	c.VPINSRW(Imm(0), m, x, x)
	return x
}

// combineInteger is combineOne in general registers. Of unsigned integers
// those of 64 bits alone need a compare of their own.
func (c *combiner) combineInteger(a arith, cell, update Mem) {
	y := c.loadInteger(a, update)
	if a.op == "Sum" {
		c.addTo(y, cell, a.width)
		return
	}
	x := c.loadInteger(a, cell)
	switch {
	case a.op == "Prod":
		c.IMULQ(y, x)
	case a.op == "Min" && a.elem == "U64":
		c.CMPQ(x, y)
		c.CMOVQHI(y, x)
	case a.op == "Max" && a.elem == "U64":
		c.CMPQ(x, y)
		c.CMOVQCS(y, x)
	case a.op == "Min":
		c.CMPQ(x, y)
		c.CMOVQGT(y, x)
	case a.op == "Max":
		c.CMPQ(x, y)
		c.CMOVQLT(y, x)
	}
	c.storeElem(x, cell, a.width)
}

// addTo is m += x.
func (g *gen) addTo(x GPVirtual, m Mem, width int) {
	switch width {
	case 1:
		g.ADDB(x.As8(), m)
	case 2:
		g.ADDW(x.As16(), m)
	case 4:
		g.ADDL(x.As32(), m)
	case 8:
		g.ADDQ(x, m)
	}
}

// loadInteger loads an integer as one of 64 bits.
func (g *gen) loadInteger(a arith, m Mem) GPVirtual {
	x := g.GP64()
	switch a.elem {
	case "I8":
		g.MOVBQSX(m, x)
	case "U8":
		g.MOVBQZX(m, x)
	case "I16":
		g.MOVWQSX(m, x)
	case "U16":
		g.MOVWQZX(m, x)
	case "I32":
		g.MOVLQSX(m, x)
	case "U32":
		g.MOVL(m, x.As32())
	default:
		g.MOVQ(m, x)
	}
	return x
}

// scatterCells makes a body that combines single elements at offsets, one by
// one. Eight at a time by gather and scatter instructions are left out: looking for
// conflicts among them costs more than it saves, and in columns, where there are
// none, they take 0.43 ns an element against 0.39 in the first-level cache, and 1.42 against
// 1.43 in the second.
func scatterCells(g *gen, b body) {
	a := arithOf(b)
	g.begin(b)
	d, o, u, n := g.based("dst"), g.arg("offsets"), g.arg("updates"), g.arg("n")
	c := &combiner{g, false, map[uint32]VecVirtual{}}
	c.prepare(a, 16)
	g.unrolled(2, n, func(j int) {
		t := g.GP64()
		g.MOVQ(at(o, 8*j), t)
		c.combineOne(a, indexed(d, t, a.width), at(u, j*a.width))
	}, func(by int) {
		g.ADDQ(num(8*by), o)
		g.ADDQ(num(a.width*by), u)
	})
}

// scatterCellsEach makes scatterCells for one table, by indices as they are.
func scatterCellsEach(g *gen, b body) {
	a := arithOf(b)
	g.begin(b)
	d, u := g.arg("dst"), g.arg("updates")
	c := &combiner{g, false, map[uint32]VecVirtual{}}
	g.direct(4, b.indexWidth(), func(j int, k Register) {
		c.combineOne(a, indexed(d, k, a.width), at(u, j*a.width))
	}, func(by int) { g.ADDQ(num(a.width*by), u) })
}
