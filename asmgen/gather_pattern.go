package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// patternRegs has the registers of a gather along a pattern.
type patternRegs struct {
	places, done GPVirtual  // the pattern, and how many elements are done
	at, limit    VecVirtual // what every place begins at, and what it is below
}

// gatherPattern makes a body that gathers along a pattern, in full steps. Places are checked as
// indices are, so that no pattern leads outside a table.
func gatherPattern(g *gen, b body) {
	v := b.isa()
	g.begin(b)
	p := &patternRegs{}
	r := &gatherRegs{gen: g, gatherBody: gatherBody{elem: b.width()}, index: b.indexWidth(), along: p}
	r.lanes = v.gatherLanes(r.gatherBody)
	n := g.GP64()
	r.fragment(fragment{name: "patternArguments", doc: "loads the arguments."}, func() {
		r.d, r.x, r.s, p.places = r.arg("dst"), r.arg("indices"), r.arg("table"), r.arg("pattern")
		r.MOVQ(r.argMem("n"), n)
		r.size = v.gatherSize(r)
	})
	v.gatherConstants(r)
	p.at = v.broadcast(g, r.argMem("at"), r.lane())
	p.limit = v.broadcast(g, r.argMem("limit"), r.lane())
	p.done = r.GP64()
	r.XORQ(p.done, p.done)

	r.align()
	r.Label("loop")
	r.prefetch()
	v.gatherStep(r)
	r.fragment(fragment{name: "alongOn", doc: "goes to the next step."}, func() {
		r.ADDQ(num(r.lanes*r.elem), r.d)
		r.ADDQ(num(r.lanes*r.index), r.x)
		r.ADDQ(num(r.lanes), p.done)
		r.CMPQ(p.done, n)
		r.JLT(LabelRef("loop"))
	})
	r.good()

	r.Label("bad")
	r.fail(p.done)
}

// intoPlaces turns checked indices into places along the pattern, and leaves the loop if one is
// outside the table.
func (r *gatherRegs) intoPlaces(v isa, x VecVirtual) {
	places, lane := indexed(r.along.places, r.along.done, 4), r.lane()
	if lane == 8 {
		wide := v.vec(r.gen)
		r.VPMOVSXDQ(places, wide)
		r.VPMULUDQ(r.step, x, x)
		r.VPADDQ(wide, x, x)
	} else {
		r.VPMULLD(sized(r.step, x), x, x)
		r.VPADDD(places, x, x)
	}
	v.add(r.gen, sized(r.along.at, x), x, lane)
	r.fragment(fragment{name: "inside", doc: "leaves the loop if a place is outside the table."}, func() {
		v.branchBad(r.gen, []VecVirtual{x}, sized(r.along.limit, x), lane, "bad")
	})
}
