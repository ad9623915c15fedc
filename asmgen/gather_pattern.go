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

// gatherPairsWide makes a body that gathers what pairs name, a vector of elements at a time:
//
//	x0 y0 x1 y1 …  of 32 bits  →  x0*s y0*t x1*s y1*t …  →  x0*s+y0*t  x1*s+y1*t …
//
// Components of 64 bits that do not fit 32 become the largest or the least number that does, which
// is out of range.
func gatherPairsWide(g *gen, b body) {
	v, index := avx512{}, b.indexWidth()
	g.begin(b)
	r := &gatherRegs{gen: g, gatherBody: gatherBody{elem: b.width()}, index: 4, along: &patternRegs{done: g.GP64()}}
	r.lanes = v.gatherLanes(r.gatherBody)
	n := g.GP64()
	var sizes, strides VecVirtual
	r.fragment(fragment{name: "pairsArguments", doc: "loads the arguments."}, func() {
		r.MOVQ(r.argMem("n"), n)
		r.d, r.s, r.x = g.arg("dst"), g.based("src"), g.arg("pairs")
		sizes, strides = g.inTurn("sizes"), g.inTurn("strides")
	})
	if r.lanes == 16 {
		r.order = r.ZMM()
		r.VMOVDQU64(r.evens(), r.order)
	}
	if r.elem < 4 {
		r.clamp = v.narrowest(r, "last", 4/r.elem-1)
	}
	r.XORQ(r.along.done, r.along.done)

	r.align()
	r.Label("loop")
	var places VecVirtual
	r.fragment(fragment{name: "pairPlaces", doc: "loads the pairs of a step, checks them, and adds up their offsets."}, func() {
		places = v.pairPlaces(r, index, sizes, strides)
	})
	v.storeGathered(r, v.elements(r, places))
	r.fragment(fragment{name: "pairsOn", doc: "goes to the next step."}, func() {
		r.ADDQ(num(2*r.lanes*index), r.x)
		r.ADDQ(num(r.lanes*r.elem), r.d)
		r.ADDQ(num(r.lanes), r.along.done)
		r.CMPQ(r.along.done, n)
		r.JLT(LabelRef("loop"))
	})
	r.good()

	r.Label("bad")
	r.fail(r.along.done)
}

// pairPlaces returns the offsets of a step's pairs, and leaves the loop if a component is out of range.
func (v avx512) pairPlaces(r *gatherRegs, index int, sizes, strides VecVirtual) (places VecVirtual) {
	for d := 0; d < 2*r.lanes*index; d += 64 {
		r.PREFETCHT0(at(r.x, indexDistance+d))
	}
	var xs []VecVirtual
	for i := 0; i < 2*r.lanes; i += 16 {
		x := r.ZMM()
		if index == 4 {
			r.VMOVDQU64(at(r.x, 4*i), x)
		} else {
			high := r.ZMM()
			r.VMOVDQU64(at(r.x, 8*i), x)
			r.VMOVDQU64(at(r.x, 8*i+64), high)
			r.VPMOVSQD(x, x.AsY())
			r.VPMOVSQD(high, high.AsY())
			r.VINSERTI64X4(Imm(1), high.AsY(), x, x)
		}
		v.wrap(r.gen, x, sizes, 4)
		xs = append(xs, x)
	}
	v.branchBad(r.gen, xs, sizes, 4, "bad")
	for _, x := range xs {
		second := r.ZMM()
		r.VPMULLD(strides, x, x)
		r.VPSRLQ(Imm(32), x, second)
		r.VPADDD(second, x, x)
	}
	if r.lanes == 16 {
		r.VPERMT2D(xs[1], r.order, xs[0])
		return xs[0]
	}
	places = r.YMM()
	r.VPMOVQD(xs[0], places)
	return places
}

// inTurn loads two numbers that an argument points to, in turn in the lanes of a vector.
func (g *gen) inTurn(name string) VecVirtual {
	from, odd, k, x := g.arg(name), g.GP64(), g.K(), g.ZMM()
	g.MOVQ(U32(0xAAAA), odd)
	g.KMOVQ(odd, k)
	g.VPBROADCASTD(at(from, 0), x)
	g.VPBROADCASTD(at(from, 8), k, x)
	return x
}
