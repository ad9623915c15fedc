package main

import (
	"encoding/binary"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// count makes a body that adds to the counters at offsets.
func count(g *gen, b body) {
	g.begin(b)
	d, o, n := g.based("counts"), g.arg("offsets"), g.arg("n")
	by := g.arg("by")
	g.pairs(n, func(j int) {
		t := g.GP64()
		g.MOVQ(at(o, 8*j), t)
		g.ADDL(by.As32(), indexed(d, t, 4))
	}, func(by int) { g.ADDQ(num(8*by), o) })
}

// scatterWords makes a body that adds numbers to the words at offsets, and unit, which counts them.
func scatterWords(g *gen, b body) {
	g.begin(b)
	d, o, u, n := g.cells("words")
	unit := g.arg("unit")
	extend := map[string]func(from, to Op){
		"I8": g.MOVBQSX, "U8": g.MOVBQZX, "I16": g.MOVWQSX, "U16": g.MOVWQZX, "I32": g.MOVLQSX, "U32": func(from, to Op) { g.MOVL(from, to.(GPVirtual).As32()) },
	}[b.elem]
	g.pairs(n, func(j int) {
		t, x := g.GP64(), g.GP64()
		g.MOVQ(at(o, 8*j), t)
		extend(at(u, j*b.width()), x)
		g.ADDQ(unit, x)
		g.ADDQ(x, indexed(d, t, 8))
	}, func(by int) {
		g.ADDQ(num(8*by), o)
		g.ADDQ(num(b.width()*by), u)
	})
}

// Divisions by AVX-512 are left out: a vector of twice the length takes twice
// as long to divide, or longer.

// divide makes a body that divides cells by one count.
func divide(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, s, n := g.arg("dst"), g.arg("sums"), g.arg("n")
	count, counts, zero := g.XMM(), g.YMM(), g.YMM()
	g.VXORPS(zero, zero, zero)
	if elem == 8 {
		g.VCVTSI2SDQ(g.argMem("count"), zero.AsX(), count)
		g.VBROADCASTSD(count, counts)
	} else {
		g.VCVTSI2SSQ(g.argMem("count"), zero.AsX(), count)
		g.VBROADCASTSS(count, counts)
	}
	quotient := g.quotient(b)
	g.Label("loop")
	step := min(8*elem, 32)
	for b := 0; b < 8*elem; b += step {
		q := g.vector(step)
		g.VMOVUPS(at(s, b), q)
		quotient(q, counts)
		g.VMOVUPS(sized(zero, q), at(s, b))
		g.VMOVUPS(q, at(d, b))
	}
	g.ADDQ(num(8*elem), d)
	g.ADDQ(num(8*elem), s)
	g.SUBQ(num(8), n)
	g.JNZ(LabelRef("loop"))
	g.ret()
}

// divideCounted makes a body that divides those cells that have been counted.
func divideCounted(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, s, k, n := g.arg("dst"), g.arg("sums"), g.arg("counts"), g.arg("n")
	zero, init := g.YMM(), g.YMM()
	g.VXORPS(zero, zero, zero)
	g.VPBROADCASTD(g.argMem("init"), init)
	quotient := g.quotient(b)
	g.Label("loop")
	step := min(8*elem, 32)
	for j := 0; j < 8; j += step / elem {
		sum, cell := at(s, j*elem), at(d, j*elem)
		q, left, old := g.vector(step), g.vector(step), g.vector(step)
		counts, none := g.counted(at(k, 4*j), zero, init, elem)
		g.VMOVUPS(sum, q)
		g.VMOVUPS(cell, old)
		g.VANDPS(none, q, left)
		quotient(q, counts)
		g.VPBLENDVB(none, old, q, q)
		g.Comment("The sum goes first: the cell may be it.")
		g.VMOVUPS(left, sum)
		g.VMOVUPS(q, cell)
	}
	g.VMOVUPS(zero, at(k, 0))
	g.ADDQ(num(8*elem), d)
	g.ADDQ(num(8*elem), s)
	g.ADDQ(num(8*4), k)
	g.SUBQ(num(8), n)
	g.JNZ(LabelRef("loop"))
	g.ret()
}

// counted returns a vector of counts with init added, as the floats that divide elements of so many
// bytes, and a mask as wide as these elements of which counts were 0.
func (g *gen) counted(m Mem, zero, init VecVirtual, elem int) (counts, none VecVirtual) {
	counts, none = g.YMM(), g.YMM()
	if elem == 8 {
		g.VMOVDQU(m, counts.AsX())
		g.VPCMPEQD(zero.AsX(), counts.AsX(), none.AsX())
		g.VPMOVSXDQ(none.AsX(), none)
		g.VPADDD(init.AsX(), counts.AsX(), counts.AsX())
		g.VCVTDQ2PD(counts.AsX(), counts)
		return counts, none
	}
	g.VMOVDQU(m, counts)
	g.VPCMPEQD(zero, counts, none)
	g.VPADDD(init, counts, counts)
	g.VCVTDQ2PS(counts, counts)
	if elem == 2 {
		words, high := g.XMM(), g.XMM()
		g.VEXTRACTI128(Imm(1), none, high)
		g.VPACKSSDW(high, none.AsX(), words)
		none = words
	}
	return counts, none
}

// quotient prepares a division, and returns what divides a vector of elements. Halves are divided
// as float32, and rounded once.
func (g *gen) quotient(b body) func(q, by VecVirtual) {
	switch b.elem {
	case "F32":
		return func(q, by VecVirtual) { g.VDIVPS(by, q, q) }
	case "F64":
		return func(q, by VecVirtual) { g.VDIVPD(by, q, q) }
	}
	format := map[string]halfFormat{"F16": binary16, "BF16": brain16}[b.elem]
	c := &combiner{gen: g, consts: map[uint32]VecVirtual{}}
	c.prepare(arithOf(b.elem, "Sum"), 16)
	return func(q, by VecVirtual) {
		f := format.widen(c, q)
		g.VDIVPS(by, f, f)
		format.round(c, f, q)
	}
}

// magicDouble is 1<<52 + 1<<51 as a float64. An integer below 1<<51 that is added to its bits
// becomes the float64 of the sum, and the other way round.
const magicDouble = 0x4338 << 48

// qwords is a constant of four 64-bit numbers that are the same.
func (g *gen) qwords(name string, x uint64) Mem {
	var b []byte
	for range 4 {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return g.constant(name, b)
}

// divideWide makes a body that divides sums of 64 bits, four at a time, as float64.
func divideWide(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, s, k, n := g.arg("dst"), g.arg("sums"), g.arg("counts"), g.arg("n")
	each, init := g.arg("each"), g.GP64()
	magic, exponent, zero, inits, initMask := g.YMM(), g.YMM(), g.XMM(), g.XMM(), g.YMM()
	g.VMOVDQU(g.qwords("magic64", magicDouble), magic)
	g.VPSRLQ(Imm(52), magic, exponent)
	g.VPXOR(zero, zero, zero)
	g.VPBROADCASTD(g.argMem("init"), inits)
	g.MOVQ(g.argMem("init"), init)
	g.NEGQ(init)
	g.VMOVQ(init, initMask.AsX())
	g.VPBROADCASTQ(initMask.AsX(), initMask)
	counts := g.XMM()
	g.VPBROADCASTD(at(k, 0), counts)
	shift, half := g.XMM(), g.YMM()
	if elem < 8 {
		g.VMOVQ(g.argMem("shift"), shift)
		g.VPBROADCASTQ(g.argMem("half"), half)
	}

	g.Label("loop")
	none, old, sum, x := g.XMM(), g.YMM(), g.YMM(), g.YMM()
	g.VMOVDQU(at(s, 0), sum)
	g.TESTQ(each, each)
	g.JZ(LabelRef("shared"))
	g.VMOVDQU(at(k, 0), counts)
	g.Label("shared")
	if elem < 8 {
		g.CMPQ(g.argMem("half"), num(0))
		g.JEQ(LabelRef("counted"))
		g.Comment("A sum below 0 has taken 1 from its count.")
		above, high := g.YMM(), g.XMM()
		g.VPADDQ(half, sum, above)
		g.VPSRLQ(shift, above, above)
		g.VEXTRACTI128(Imm(1), above, high)
		g.VSHUFPS(Imm(0x88), high, above.AsX(), counts)
		g.VPSLLQ(shift, above, above)
		g.VPSUBQ(above, sum, sum)
	}
	g.Label("counted")
	g.VPCMPEQD(zero, counts, none)
	g.loadPart(at(d, 0), old, 4*elem)
	small, bits := g.YMM(), g.GP32()
	if elem == 8 {
		g.Comment("A sum that wraps has another sign than both its parts. An unsigned cell of 1<<63 or more has one here.")
		cell, apart, wraps := g.YMM(), g.YMM(), g.YMM()
		g.VPAND(initMask, old, cell)
		g.VPADDQ(sum, cell, x)
		g.VPXOR(sum, x, apart)
		g.VPXOR(cell, x, wraps)
		g.VPAND(apart, wraps, wraps)
		if b.elem == "U64" {
			g.VPOR(cell, wraps, wraps)
		}
		g.VMOVMSKPD(wraps, bits)
		g.TESTL(bits, bits)
		g.JNZ(LabelRef("stop"))
	} else {
		map[string]func(...Op){
			"I8": g.VPMOVSXBQ, "U8": g.VPMOVZXBQ, "I16": g.VPMOVSXWQ, "U16": g.VPMOVZXWQ, "I32": g.VPMOVSXDQ, "U32": g.VPMOVZXDQ,
		}[b.elem](old.AsX(), x)
		g.VPAND(initMask, x, x)
		g.VPADDQ(sum, x, x)
	}
	by, high := g.YMM(), g.XMM()
	g.fragment(fragment{name: "wideQuotients", doc: "divides sums by their counts as float64, or stops where one is too large."}, func() {
		g.VPADDQ(magic, x, x)
		g.VPSRLQ(Imm(52), x, small)
		g.VPCMPEQQ(exponent, small, small)
		g.VMOVMSKPD(small, bits)
		g.CMPL(bits, Imm(15))
		g.JNE(LabelRef("stop"))
		g.VSUBPD(magic, x, x)
		g.VPADDD(inits, counts, by.AsX())
		g.VCVTDQ2PD(by.AsX(), by)
		g.VDIVPD(by, x, x)
		g.VROUNDPD(Imm(9), x, x) // down
		g.VADDPD(magic, x, x)
	})
	left := g.YMM()
	g.VPMOVSXDQ(none, left)
	g.VPAND(left, sum, sum)
	g.VMOVDQU(sum, at(s, 0))
	if elem == 8 {
		g.VPSUBQ(magic, x, x)
		g.VPBLENDVB(left, old, x, x)
		g.VMOVDQU(x, at(d, 0))
	} else {
		g.VEXTRACTF128(Imm(1), x, high)
		g.VSHUFPS(Imm(0x88), high, x.AsX(), high)
		if elem < 4 {
			g.VPSHUFB(g.lowParts(elem), high, high)
			g.VPSHUFB(g.lowParts(elem), none, none)
		}
		g.VPBLENDVB(none, old.AsX(), high, high)
		g.storePart(high, at(d, 0), 4*elem)
	}
	g.ADDQ(num(4*elem), d)
	g.ADDQ(num(4*8), s)
	g.TESTQ(each, each)
	g.JZ(LabelRef("next"))
	g.VMOVDQU(zero, at(k, 0))
	g.ADDQ(num(4*4), k)
	g.Label("next")
	g.SUBQ(num(4), n)
	g.JNZ(LabelRef("loop"))
	g.Label("stop")
	done := g.arg("n")
	g.SUBQ(n, done)
	g.fail(done)
}
