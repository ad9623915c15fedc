package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherPattern makes a body that gathers along a pattern, in full steps. Places are checked as
// indices are, so that no pattern leads outside a table.
func gatherPattern(g *gen, b body) {
	v := avx512{}
	g.begin(b)
	r := &gatherRegs{gen: g, gatherBody: gatherBody{elem: b.width(), along: true}, index: b.indexWidth()}
	r.lanes = v.gatherLanes(r.gatherBody)
	p := patternRegs{gatherRegs: r}
	r.fragment(fragment{name: "patternArguments", doc: "loads the arguments."}, func() {
		r.d, r.x, r.s = r.arg("dst"), r.arg("indices"), r.arg("table")
		p.places, p.n = r.arg("pattern"), r.arg("n")
	})
	r.size = v.gatherSize(r)
	lane := r.lane()
	if lane < r.index {
		r.order = r.ZMM()
		r.VMOVDQU64(r.evens(), r.order)
	}
	r.step = v.broadcast(g, r.argMem("step"), lane)
	p.at = v.broadcast(g, r.argMem("at"), lane)
	p.limit = v.broadcast(g, r.argMem("limit"), lane)
	if r.elem < 4 {
		last := r.GP64()
		r.MOVQ(r.argMem("limit"), last)
		r.SUBQ(Imm(uint64(4/r.elem)), last)
		r.clamp = v.broadcast(g, last, 4)
	}
	p.done = r.GP64()
	r.XORQ(p.done, p.done)

	r.align()
	r.Label("loop")
	for d := 0; d < r.lanes*r.index; d += 64 {
		r.PREFETCHT0(at(r.x, indexDistance+d))
	}
	p.along()
	r.fragment(fragment{name: "alongOn", doc: "goes to the next step."}, func() {
		r.ADDQ(num(r.lanes*r.elem), r.d)
		r.ADDQ(num(r.lanes*r.index), r.x)
		r.ADDQ(num(r.lanes), p.done)
		r.CMPQ(p.done, p.n)
		r.JLT(LabelRef("loop"))
	})
	r.good()

	r.Label("bad")
	r.fail(p.done)
}

// patternRegs has the registers of a gather along a pattern.
type patternRegs struct {
	*gatherRegs
	places, n, done GPVirtual  // the pattern, how many elements, and how many of them are done
	at, limit       VecVirtual // what every place begins at, and what it is below
}

// along gathers the elements of a step.
func (p *patternRegs) along() {
	v, r := avx512{}, p.gatherRegs
	x, lane := pack(r, v.checkedIndices(r), r.lane()), r.lane()
	places := indexed(p.places, p.done, 4)
	if lane == 8 {
		wide := r.ZMM()
		r.VPMULUDQ(r.step, x, x)
		r.VPMOVSXDQ(places, wide)
		r.VPADDQ(wide, x, x)
	} else {
		r.VPMULLD(sized(r.step, x), x, x)
		r.VPADDD(places, x, x)
	}
	v.add(r.gen, sized(p.at, x), x, lane)
	r.fragment(fragment{name: "inside", doc: "leaves the loop if a place is outside the table."}, func() {
		v.branchBad(r.gen, []VecVirtual{x}, sized(p.limit, x), lane, "bad")
	})
	v.storeGathered(r, v.gathered(r, []VecVirtual{x}))
}
