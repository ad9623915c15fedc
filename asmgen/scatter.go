package main

import . "github.com/mmcloughlin/avo/reg"

// cells loads the arguments of a scatter along offsets, the first of which has this name.
func (g *gen) cells(name string) (cells, offsets, updates, n Register) {
	g.fragment(fragment{name: "cells", doc: "loads the arguments."}, func() {
		cells, offsets, updates, n = g.based(name), g.arg("offsets"), g.arg("updates"), g.arg("n")
	})
	return cells, offsets, updates, n
}

// scatter makes a body that sets single elements at offsets, one by one and so
// in order.
//
// Stores leave in order, so that one which waits for its line holds up those behind it; the
// prefetch asks for the line as soon as the offset is known (12.2 ms without, 10.2 with, for 1024 ×
// 4096 elements along axis 1). Scatter instructions are left out: 0.38 ns an element against 0.37
// here in the first-level cache, 1.4 against 1.0 beyond it.
func scatter(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, o, u, n := g.cells("dst")
	g.pairs(n, func(j int) {
		t := g.GP64()
		g.MOVQ(at(o, 8*j), t)
		x := g.loadElem(at(u, elem*j), elem)
		cell := g.address(d, t, elem)
		g.PREFETCHT0(cell)
		g.storeElem(x, cell, elem)
	}, func(by int) {
		g.ADDQ(num(8*by), o)
		g.ADDQ(num(elem*by), u)
	})
}

// scatterEach makes a body that sets single elements of a table a row. Each index is checked in the
// register that it is used from, and never stored as an offset.
func scatterEach(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, u := g.arg("dst"), g.arg("updates")
	g.directRows(direct{b.indexWidth(), d, elem, nil, func(j int, k Register) {
		g.storeElem(g.loadElem(at(u, elem*j), elem), indexed(d, k, elem), elem)
	}, func(by int) { g.ADDQ(num(elem*by), u) }, func() {
		g.ADDQ(g.argMem("dstRow"), d)
		g.ADDQ(g.argMem("updatesGap"), u)
	}})
}
