package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx2 generates AVX2. It has neither masks nor unsigned compares: the tail of a loop goes element
// by element, which costs less than making masks.
type avx2 struct{}

func (avx2) bytes() int                            { return 32 }
func (avx2) vec(g *gen) VecVirtual                 { return g.YMM() }
func (avx2) load(g *gen, m Mem, v Register)        { g.VMOVDQU(m, v) }
func (avx2) store(g *gen, v Register, m Mem)       { g.VMOVDQU(v, m) }
func (avx2) storeStream(g *gen, v Register, m Mem) { g.VMOVNTDQ(v, m) }

func (avx2) zero(g *gen) VecVirtual {
	v := g.YMM()
	g.VPXOR(v, v, v)
	return v
}

// broadcast is for lanes of 4 and 8 bytes, as no body asks for others.
func (avx2) broadcast(g *gen, x Op, width int) VecVirtual {
	v := g.YMM()
	if r, ok := x.(GPVirtual); ok { // only memory and vectors can be spread
		t := g.XMM()
		g.VMOVQ(r, t)
		x = t
	}
	if width == 4 {
		g.VPBROADCASTD(x, v)
	} else {
		g.VPBROADCASTQ(x, v)
	}
	return v
}

// wrap emits x += size where x < 0; of 4 bytes min(x, x+size), unsigned, as on AVX-512.
func (avx2) wrap(g *gen, x VecVirtual, size Register, width int) {
	t := same(g, x)
	if width == 4 {
		g.VPADDD(size, x, t)
		g.VPMINUD(t, x, x)
		return
	}
	g.VPADDQ(size, x, t)
	g.VBLENDVPD(x, t, x, x) // the sign bit chooses
}

func (v avx2) branchBad(g *gen, xs []VecVirtual, size Register, width int, label string) {
	if width == 8 {
		g.branchBad64(xs, size, label)
		return
	}
	var bad VecVirtual // x is bad if it is the larger of x and size
	for _, x := range xs {
		above := same(g, x)
		g.VPMAXUD(sized(size, x), x, above)
		g.VPCMPEQD(x, above, above)
		if bad == nil {
			bad = above
		} else {
			g.VPOR(above, bad, bad)
		}
	}
	bits := g.GP32()
	g.VMOVMSKPS(bad, bits)
	g.TESTL(bits, bits)
	g.JNZ(LabelRef(label))
}

// branchBad64 is branchBad of numbers of 64 bits, which compare with a sign.
func (g *gen) branchBad64(xs []VecVirtual, size Register, label string) {
	good, bits := g.YMM(), g.GP32()
	g.fragment(fragment{name: "checkedEach", doc: "leaves the loop if an index is not below its size.", registers: map[string]Register{"size": size, "good": good}}, func() {
		for d, x := range xs {
			in := g.YMM()
			if d == 0 {
				in = good
			}
			g.VPCMPGTQ(x, size, in) // the size is larger than x, and x has no sign
			g.VPANDN(in, x, in)
			if d > 0 {
				g.VPAND(in, good, good)
			}
		}
		g.VMOVMSKPD(good, bits)
		g.CMPL(bits, Imm(15))
		g.JNE(LabelRef(label))
	})
}

func (avx2) add(g *gen, x Op, into VecVirtual, width int) {
	if width == 4 {
		g.VPADDD(x, into, into)
	} else {
		g.VPADDQ(x, into, into)
	}
}

func (avx2) multiply(g *gen, x, into VecVirtual) { g.VPMULUDQ(x, into, into) }

func (avx2) loadIndices(g *gen, m Mem, width int) VecVirtual {
	x := g.YMM()
	if width == 4 {
		g.VPMOVSXDQ(m, x)
	} else {
		g.VMOVDQU(m, x)
	}
	return x
}

func (avx2) gatherLanes(b gatherBody) int {
	if b.elem == 8 {
		return 4
	}
	return 8
}

// gatherSize keeps register 4 from being the index of a gather, which QEMU 7 takes for none:
// emulated CPUs are tested with.
func (v avx2) gatherSize(r *gatherRegs) Register {
	r.VMOVDQA(v.broadcast(r.gen, r.argMem("size"), r.index), Y4)
	return Y4
}

func (v avx2) gatherConstants(r *gatherRegs) {
	if r.columns {
		r.step = v.broadcast(r.gen, r.argMem("step"), r.lane())
		r.column = r.YMM()
		r.VMOVDQU(r.iota(r.lane()), r.column)
	}
	if r.elem < 4 {
		last := r.GP64()
		r.MOVQ(r.argMem("size"), last)
		r.SUBQ(Imm(uint64(4/r.elem)), last)
		r.clamp = v.broadcast(r.gen, last, 4)
		r.order = r.YMM()
		r.VBROADCASTI128(r.lowParts(r.elem), r.order)
	}
}

// lowParts returns the shuffle that moves the low parts of four dwords together.
func (g *gen) lowParts(width int) Mem {
	b := make([]byte, 16)
	for i := range b {
		b[i] = 0x80 // nothing
	}
	for i := range 4 {
		for k := range width {
			b[i*width+k] = byte(4*i + k)
		}
	}
	return g.constant(bits("lowParts", width), b)
}

func (v avx2) gatherStep(r *gatherRegs) {
	per := min(32/r.index, r.lanes)
	var xs []VecVirtual
	for j := 0; j < r.lanes; j += per {
		x := r.YMM()
		if per*r.index == 16 {
			x = r.XMM()
		}
		r.VMOVDQU(at(r.x, j*r.index), x)
		xs = append(xs, x)
	}
	r.check(v, xs)
	x := xs[0]
	if len(xs) == 2 { // the low halves of both, which come mixed by pairs
		r.VSHUFPS(Imm(0x88), xs[1], x, x)
		r.VPERMQ(Imm(0xD8), x, x)
	}
	if r.elem < 4 {
		v.gatherNarrow(r, x)
		return
	}
	if r.columns {
		r.intoColumns(x)
	}
	from := Mem{Base: r.s, Index: x, Scale: uint8(r.elem)}
	e, k := r.YMM(), r.YMM()
	r.VPXOR(e, e, e) // or the gather would wait for what was there
	r.VPCMPEQD(k, k, k)
	switch {
	case r.elem == 4:
		r.VPGATHERDD(k, from, e)
	case r.lane() == 4:
		r.VPGATHERDQ(k, from, e)
	default:
		r.VPGATHERQQ(k, from, e)
	}
	r.storeStep(v, e)
}

// gatherNarrow is gatherNarrow of AVX-512.
func (v avx2) gatherNarrow(r *gatherRegs, x VecVirtual) {
	p, e, k := r.YMM(), r.YMM(), r.YMM()
	r.fragment(fragment{name: "gatherNarrow", doc: "gathers four bytes for each narrower element, and stores that."}, func() {
		r.VPMINUD(r.clamp, x, p)
		r.VPSUBD(p, x, x)
		r.VPSLLD(Imm(3+log2(r.elem)), x, x)
		r.VPXOR(e, e, e)
		r.VPCMPEQD(k, k, k)
		r.VPGATHERDD(k, Mem{Base: r.s, Index: p, Scale: uint8(r.elem)}, e)
		r.VPSRLVD(x, e, e)
		r.VPSHUFB(r.order, e, e)
		high := r.XMM()
		r.VEXTRACTI128(Imm(1), e, high)
		if r.elem == 1 {
			r.VPUNPCKLDQ(high, e.AsX(), e.AsX())
			r.VMOVQ(e.AsX(), at(r.d, 0))
		} else {
			r.VPUNPCKLQDQ(high, e.AsX(), e.AsX())
			r.VMOVDQU(e.AsX(), at(r.d, 0))
		}
	})
}

func (avx2) gatherPartial(r *gatherRegs) {
	k, t := r.GP64(), r.GP64()
	name := "gatherOne"
	if r.columns {
		name = "gatherOneColumn"
	}
	r.fragment(fragment{name: name, doc: "gathers element by element, to the end of a row."}, func() {
		r.Label("one")
		if r.index == 4 {
			r.MOVLQSX(at(r.x, 0), k)
		} else {
			r.MOVQ(at(r.x, 0), k)
		}
		r.MOVQ(r.argMem("size"), t)
		r.ADDQ(k, t)
		r.TESTQ(k, k)
		r.CMOVQLT(t, k)
		r.CMPQ(k, r.argMem("size"))
		r.JCC(LabelRef("bad"))
		if r.columns {
			r.IMULQ(r.argMem("step"), k)
		}
		r.storeElem(r.loadElem(indexed(r.s, k, r.elem), r.elem), at(r.d, 0), r.elem)
		r.ADDQ(Imm(uint64(r.elem)), r.d)
		r.ADDQ(Imm(uint64(r.index)), r.x)
		if r.columns {
			r.ADDQ(Imm(uint64(r.elem)), r.s)
		}
		r.DECQ(r.left)
		r.DECQ(r.count)
		r.JNZ(LabelRef("one"))
	})
}

// movePartial moves 32, 16, 8, 4, 2 and 1 bytes, for each bit of count.
func (v avx2) movePartial(g *gen, d, s, p, count Register) {
	for n := 32; n >= 1; n /= 2 {
		skip := bits("no", n)
		g.fragment(fragment{name: "moveBit", doc: "moves n bytes if the count has that bit.", registers: map[string]Register{"count": count, "p": p}}, func() {
			g.TESTQ(U32(uint32(n)), count)
			g.JZ(LabelRef(skip))
			g.storeElem(g.loadElem(indexed(s, p, 1), n), indexed(d, p, 1), n)
			g.ADDQ(num(n), p)
			g.Label(skip)
		})
	}
}
