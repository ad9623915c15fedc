package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx512 has masks for tails: a partial step is a step whose loads, gathers
// and stores leave out the lanes beyond its count. A masked lane does not fault.
type avx512 struct{}

func (avx512) bytes() int            { return 64 }
func (avx512) vec(g *gen) VecVirtual { return g.ZMM() }

func (avx512) load(g *gen, m Mem, v Register)        { g.VMOVDQU64(m, v) }
func (avx512) store(g *gen, v Register, m Mem)       { g.VMOVDQU64(v, m) }
func (avx512) storeStream(g *gen, v Register, m Mem) { g.VMOVNTDQ(v, m) }

func (avx512) zero(g *gen) VecVirtual {
	v := g.ZMM()
	g.VPXORQ(v, v, v)
	return v
}

func (avx512) broadcast(g *gen, x Op, width int) VecVirtual {
	v := g.ZMM()
	switch width {
	case 1:
		g.VPBROADCASTB(narrow(x), v)
	case 2:
		g.VPBROADCASTW(narrow(x), v)
	case 4:
		g.VPBROADCASTD(narrow(x), v)
	case 8:
		g.VPBROADCASTQ(x, v)
	}
	return v
}

// narrow returns the lower half of a general register, and all else as it is.
func narrow(x Op) Op {
	if r, ok := x.(GPVirtual); ok {
		return r.As32()
	}
	return x
}

// wrap emits x = min(x, x+size), unsigned: an index ≥ 0 is the smaller one, a
// negative one above -size becomes small, and all others stay large.
func (avx512) wrap(g *gen, x VecVirtual, size Register, width int) {
	t := same(g, x)
	if width == 4 {
		g.VPADDD(size, x, t)
		g.VPMINUD(t, x, x)
	} else {
		g.VPADDQ(size, x, t)
		g.VPMINUQ(t, x, x)
	}
}

// same returns a new vector of x's length.
func same(g *gen, x VecVirtual) VecVirtual { return g.vector(int(x.Size())) }

func (v avx512) branchBad(g *gen, xs []VecVirtual, size Register, width int, label string) {
	const atLeast = 5
	above := func(x VecVirtual) Register {
		k := g.K()
		if width == 4 {
			g.VPCMPUD(Imm(atLeast), sized(size, x), x, k)
		} else {
			g.VPCMPUQ(Imm(atLeast), sized(size, x), x, k)
		}
		return k
	}
	switch {
	case len(xs) == 1:
		k := above(xs[0])
		g.KORTESTW(k, k)
	case len(xs) == 2 && width == 8:
		k, l := above(xs[0]), above(xs[1])
		g.KORTESTW(k, l)
	default:
		most := g.ZMM()
		g.VMOVDQA64(xs[0], most)
		for _, x := range xs[1:] {
			if width == 4 {
				g.VPMAXUD(x, most, most)
			} else {
				g.VPMAXUQ(x, most, most)
			}
		}
		k := above(most)
		g.KORTESTW(k, k)
	}
	g.JNZ(LabelRef(label))
}

// sized returns v with the length of x.
func sized(v Register, x VecVirtual) Register {
	all := v.(Vec)
	switch x.Size() {
	case 16:
		return all.AsX()
	case 32:
		return all.AsY()
	}
	return all.AsZ()
}

func (avx512) add(g *gen, x Op, into VecVirtual, width int) {
	if width == 4 {
		g.VPADDD(x, into, into)
	} else {
		g.VPADDQ(x, into, into)
	}
}

func (avx512) multiply(g *gen, x, into VecVirtual) { g.VPMULUDQ(x, into, into) }

func (avx512) loadIndices(g *gen, m Mem, width int) VecVirtual {
	x := g.ZMM()
	if width == 4 {
		g.VPMOVSXDQ(m, x)
	} else {
		g.VMOVDQU64(m, x)
	}
	return x
}

// loadMasked loads the elements whose bits are set, and zeros for the others.
func loadMasked(g *gen, m Mem, k, x Register, elem int) {
	switch elem {
	case 1:
		g.VMOVDQU8_Z(m, k, x)
	case 2:
		g.VMOVDQU16_Z(m, k, x)
	case 4:
		g.VMOVDQU32_Z(m, k, x)
	case 8:
		g.VMOVDQU64_Z(m, k, x)
	}
}

// blend copies the elements of from whose bits are set, in a vector or to memory.
func blend(g *gen, from Op, k Register, to Op, elem int) {
	switch elem {
	case 1:
		g.VMOVDQU8(from, k, to)
	case 2:
		g.VMOVDQU16(from, k, to)
	case 4:
		g.VMOVDQU32(from, k, to)
	case 8:
		g.VMOVDQU64(from, k, to)
	}
}

// permuteTwo replaces the indices in x by elements of two vectors.
func permuteTwo(g *gen, high, low, x VecVirtual, elem int) {
	switch elem {
	case 1:
		g.VPERMI2B(high, low, x)
	case 2:
		g.VPERMI2W(high, low, x)
	case 4:
		g.VPERMI2D(high, low, x)
	case 8:
		g.VPERMI2Q(high, low, x)
	}
}

func testBit(g *gen, x, bit VecVirtual, k Register, elem int) {
	switch elem {
	case 1:
		g.VPTESTMB(x, bit, k)
	case 2:
		g.VPTESTMW(x, bit, k)
	case 4:
		g.VPTESTMD(x, bit, k)
	case 8:
		g.VPTESTMQ(x, bit, k)
	}
}

// lane is the width that a step works on its indices in, once they are
// checked. Tables in registers take an element's own width. Gathers take 4 bytes but
// for 8-byte elements: one of 16 lanes costs less than two of 8, and with AVX2
// far less (0.27 ns an element against 0.45).
func (r *gatherRegs) lane() int {
	switch {
	case r.whole():
		return r.elem
	case r.elem < 8:
		return 4
	}
	return r.index
}

func (avx512) gatherLanes(b gatherBody) int {
	if b.whole() || b.elem >= 4 {
		return 64 / b.elem
	}
	return 16
}

func (v avx512) gatherSize(r *gatherRegs) Register {
	return v.broadcast(r.gen, r.argMem("size"), r.index)
}

func (v avx512) gatherConstants(r *gatherRegs) {
	lane := r.lane()
	if n := r.index / lane; n > 1 {
		r.order = r.ZMM()
		if n == 2 && lane == 4 {
			r.VMOVDQU64(r.evens(), r.order)
		} else {
			r.VMOVDQU64(r.transposed(n, lane), r.order)
		}
	}
	switch {
	case r.few:
		one := r.GP64()
		r.MOVQ(U32(1), one)
		r.one = v.broadcast(r.gen, one, r.elem)
	case r.columns:
		r.step = v.broadcast(r.gen, r.argMem("step"), lane)
		r.column = r.ZMM()
		r.VMOVDQU64(r.iota(lane), r.column)
	case r.along != nil:
		r.step = v.broadcast(r.gen, r.argMem("step"), lane)
	}
	if !r.whole() && r.elem < 4 {
		entries := "size"
		if r.along != nil {
			entries = "limit"
		}
		r.clamp = v.narrowest(r, entries, 4/r.elem)
	}
	if r.table > 0 {
		r.entries = make([]VecVirtual, r.table*r.elem/64)
		for i := range r.entries {
			r.entries[i] = r.ZMM()
		}
		for bit := 2 * 64 / r.elem; bit < r.table; bit *= 2 {
			b := r.GP64()
			r.MOVQ(U32(uint32(bit)), b)
			r.bits = append(r.bits, v.broadcast(r.gen, b, r.elem))
		}
	}
}

// narrowest returns in all lanes how much an argument is above n.
func (v avx512) narrowest(r *gatherRegs, name string, n int) VecVirtual {
	last := r.GP64()
	r.MOVQ(r.argMem(name), last)
	r.SUBQ(num(n), last)
	return v.broadcast(r.gen, last, 4)
}

func (v avx512) gatherStep(r *gatherRegs) {
	if r.whole() {
		v.wholeStep(r)
		return
	}
	v.storeGathered(r, v.gathered(r, v.checkedIndices(r)))
}

func (v avx512) gatherPartial(r *gatherRegs) {
	ones := r.GP64()
	mask := r.GP64()
	r.MOVQ(I32(-1), ones)
	r.BZHIQ(r.count, ones, mask)
	r.mask = mask
	e := v.gathered(r, v.checkedIndices(r))
	r.fragment(fragment{name: "storePartial", doc: "stores a partial step, and goes on behind it."}, func() {
		v.storeGathered(r, e)
		r.SUBQ(r.count, r.left)
		r.LEAQ(indexed(r.d, r.count, r.elem), r.d)
		r.LEAQ(indexed(r.x, r.count, r.index), r.x)
		if r.columns {
			r.LEAQ(indexed(r.s, r.count, r.elem), r.s)
		}
	})
	r.mask = nil
}

// maskFrom returns the mask of a partial step for vectors from lane on, or of all lanes. A gather
// clears its mask, so that each needs a new one.
func (r *gatherRegs) maskFrom(lane int) Register {
	k := r.K()
	if r.mask == nil {
		r.KXNORQ(k, k, k)
		return k
	}
	r.KMOVQ(r.mask, k)
	if lane > 0 {
		r.KSHIFTRQ(Imm(uint64(lane)), k, k)
	}
	return k
}

// checkedIndices loads a step's indices, wrapped and checked. Beyond the count
// of a partial step they are 0, which is good where anything is.
func (v avx512) checkedIndices(r *gatherRegs) []VecVirtual {
	per := min(64/r.index, r.lanes)
	var xs []VecVirtual
	for j := 0; j < r.lanes; j += per {
		x := r.ZMM()
		if per*r.index == 32 {
			x = r.YMM()
		}
		m := at(r.x, j*r.index)
		switch {
		case r.mask != nil:
			loadMasked(r.gen, m, r.maskFrom(j), x, r.index)
		case x.Size() == 32:
			r.VMOVDQU(m, x)
		default:
			r.VMOVDQU64(m, x)
		}
		xs = append(xs, x)
	}
	r.check(v, xs)
	return xs
}

// pack puts vectors of indices, each below 1<<8*lane, into one vector with
// narrower lanes: two by a permutation of both, more shifted beside each other first
// and then put in order.
func pack(r *gatherRegs, xs []VecVirtual, lane int) VecVirtual {
	if len(xs) == 1 {
		return xs[0]
	}
	if len(xs) == 2 && lane == 4 {
		r.VPERMT2D(xs[1], r.order, xs[0])
		return xs[0]
	}
	for j, x := range xs[1:] {
		shift := Imm(uint64(8 * lane * (j + 1)))
		if r.index == 4 {
			r.VPSLLD(shift, x, x)
		} else {
			r.VPSLLQ(shift, x, x)
		}
		r.VPORQ(x, xs[0], xs[0])
	}
	switch lane {
	case 1:
		r.VPERMB(xs[0], r.order, xs[0])
	case 2:
		r.VPERMW(xs[0], r.order, xs[0])
	case 4:
		r.VPERMD(xs[0], r.order, xs[0])
	}
	return xs[0]
}

// gathered returns the elements at checked indices.
func (v avx512) gathered(r *gatherRegs, xs []VecVirtual) VecVirtual {
	if r.whole() {
		x := pack(r, xs, r.lane())
		if len(xs) == 1 && r.index < r.elem {
			wide := r.ZMM()
			r.VPMOVZXDQ(x, wide)
			x = wide
		}
		return x
	}
	x := pack(r, xs, r.lane())
	switch {
	case r.along != nil:
		r.intoPlaces(v, x)
	case r.columns:
		r.intoColumns(x)
	}
	return v.elements(r, x)
}

// elements returns the elements at places of a table.
func (v avx512) elements(r *gatherRegs, x VecVirtual) VecVirtual {
	if r.elem < 4 {
		return v.gatherNarrow(r, x)
	}
	from := Mem{Base: r.s, Index: x, Scale: uint8(r.elem)}
	e, k := r.ZMM(), r.maskFrom(0)
	r.VPXORQ(e, e, e) // or the gather would wait for what was there
	switch {
	case r.elem == 4:
		r.VPGATHERDD(from, k, e)
	case r.lane() == 4:
		r.VPGATHERDQ(from, k, e)
	default:
		r.VPGATHERQQ(from, k, e)
	}
	return e
}

// gatherNarrow gathers four bytes for each narrower element, and from no
// further than the table's last four:
//
//	p := min(x, size - 4/elem)
//	element = *(*uint32)(table[p:]) >> (8*elem * (x-p))
func (v avx512) gatherNarrow(r *gatherRegs, x VecVirtual) VecVirtual {
	p, e := r.ZMM(), r.ZMM()
	r.fragment(fragment{name: "gatherNarrow", doc: "gathers four bytes for each narrower element."}, func() {
		k := r.maskFrom(0)
		r.VPMINUD(r.clamp, x, p)
		r.VPSUBD(p, x, x)
		r.VPSLLD(Imm(3+log2(r.elem)), x, x)
		r.VPXORQ(e, e, e)
		r.VPGATHERDD(Mem{Base: r.s, Index: p, Scale: uint8(r.elem)}, k, e)
		r.VPSRLVD(x, e, e)
	})
	return e
}

// storeGathered stores what gathered returned.
func (v avx512) storeGathered(r *gatherRegs, x VecVirtual) {
	m, partial := at(r.d, 0), r.mask != nil
	switch {
	case r.whole():
		r.storeStep(v, x)
	case r.elem == 1 && partial:
		r.VPMOVDB(x, r.maskFrom(0), m)
	case r.elem == 1:
		r.VPMOVDB(x, m)
	case r.elem == 2 && partial:
		r.VPMOVDW(x, r.maskFrom(0), m)
	case r.elem == 2:
		r.VPMOVDW(x, m)
	case partial:
		blend(r.gen, x, r.maskFrom(0), m, r.elem)
	default:
		r.storeStep(v, x)
	}
}

func (avx512) movePartial(g *gen, d, s, p, count Register) {
	ones, k, x := g.GP64(), g.K(), g.ZMM()
	g.MOVQ(I32(-1), ones)
	g.BZHIQ(count, ones, ones)
	g.KMOVQ(ones, k)
	g.VMOVDQU8_Z(indexed(s, p, 1), k, x)
	g.VMOVDQU8(x, k, indexed(d, p, 1))
	g.ADDQ(count, p)
}
