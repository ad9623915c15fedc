package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// scatter makes a body that sets single elements at offsets, one by one and so
// in order.
func scatter(g *gen, elem int) {
	g.body("scatter"+bits("X", elem)+"AVX2", "func(dst *byte, offsets *int, updates *byte, n int)",
		"",
		"\tfor j := range n { dst[offsets[j]] = updates[j] }")
	d, o, u, n := g.arg("dst"), g.arg("offsets"), g.arg("updates"), g.arg("n")
	g.unrolled(n, func(j int) {
		t := g.GP64()
		g.MOVQ(at(o, 8*j), t)
		x := g.loadElem(at(u, elem*j), elem)
		g.storeElem(x, g.address(d, t, elem), elem)
	}, func(by int) {
		g.ADDQ(num(8*by), o)
		g.ADDQ(num(elem*by), u)
	})
}

// scatterVector makes a body that sets eight elements at a time. Where lanes
// meet in a cell they are written from the lowest to the highest, so that the
// last wins without looking for conflicts.
func scatterVector(g *gen, elem int) {
	v := avx512{}
	g.body("scatter"+bits("X", elem)+v.name(), "func(dst *byte, offsets *int, updates *byte, n int)",
		"",
		"\tfor j := range n { dst[offsets[j]] = updates[j] }",
		"",
		"n is a multiple of 8.")
	d, o, u, n := g.arg("dst"), g.arg("offsets"), g.arg("updates"), g.arg("n")
	g.Label("loop")
	to := g.ZMM()
	v.load(g, at(o, 0), to)
	cells := Mem{Base: d, Index: to, Scale: uint8(elem)}
	x, k := g.ZMM(), allOnes(g)
	if elem == 4 {
		g.VMOVDQU(at(u, 0), x.AsY())
		g.VPSCATTERQD(x.AsY(), k, cells)
	} else {
		v.load(g, at(u, 0), x)
		g.VPSCATTERQQ(x, k, cells)
	}
	g.ADDQ(num(64), o)
	g.ADDQ(num(8*elem), u)
	g.SUBQ(num(8), n)
	g.JNZ(LabelRef("loop"))
	g.ret()
}
