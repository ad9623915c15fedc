package main

import (
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An arith is a type with an operation. Its bodies are bit-equal to package
// generic's loops, with one rounding a step.
type arith struct {
	elem, op string
	// combine returns the result in place of cell, or of update. Without it there
	// is a body for single cells alone.
	combine func(c *combiner, cell, update VecVirtual) VecVirtual
	// scalar is the instruction for single floats.
	scalar instruction
}

// A combiner is where arithmetic is made: with AVX-512 or without.
type combiner struct {
	*gen
	wide   bool // masks and vectors of 64 bytes
	single bool // vectors hold one number, the lowest
	zero   VecVirtual
	consts map[uint32]VecVirtual
}

// arithmetic lists how amd64 combines elements of each type by each operation.
var arithmetic = []arith{
	{"F32", "Sum", plain((*gen).VADDPS), (*gen).VADDSS},
	{"F32", "Prod", plain((*gen).VMULPS), (*gen).VMULSS},
	{"F32", "Min", plain((*gen).VMINPS), (*gen).VMINSS},
	{"F32", "Max", plain((*gen).VMAXPS), (*gen).VMAXSS},
	{"F64", "Sum", plain((*gen).VADDPD), (*gen).VADDSD},
	{"F64", "Prod", plain((*gen).VMULPD), (*gen).VMULSD},
	{"F64", "Min", plain((*gen).VMINPD), (*gen).VMINSD},
	{"F64", "Max", plain((*gen).VMAXPD), (*gen).VMAXSD},
	{"C64", "Sum", nil, (*gen).VADDPS}, // of both parts

	{"I8", "Sum", plain((*gen).VPADDB), nil},
	{"I8", "Prod", product8, nil},
	{"I8", "Min", plain((*gen).VPMINSB), nil},
	{"I8", "Max", plain((*gen).VPMAXSB), nil},
	{"U8", "Min", plain((*gen).VPMINUB), nil},
	{"U8", "Max", plain((*gen).VPMAXUB), nil},
	{"I16", "Sum", plain((*gen).VPADDW), nil},
	{"I16", "Prod", plain((*gen).VPMULLW), nil},
	{"I16", "Min", plain((*gen).VPMINSW), nil},
	{"I16", "Max", plain((*gen).VPMAXSW), nil},
	{"U16", "Min", plain((*gen).VPMINUW), nil},
	{"U16", "Max", plain((*gen).VPMAXUW), nil},
	{"I32", "Sum", plain((*gen).VPADDD), nil},
	{"I32", "Prod", plain((*gen).VPMULLD), nil},
	{"I32", "Min", plain((*gen).VPMINSD), nil},
	{"I32", "Max", plain((*gen).VPMAXSD), nil},
	{"U32", "Min", plain((*gen).VPMINUD), nil},
	{"U32", "Max", plain((*gen).VPMAXUD), nil},
	{"I64", "Sum", plain((*gen).VPADDQ), nil},
	{"I64", "Prod", product64, nil},
	{"I64", "Min", select64((*gen).VPMINSQ, false, false), nil},
	{"I64", "Max", select64((*gen).VPMAXSQ, false, true), nil},
	{"U64", "Min", select64((*gen).VPMINUQ, true, false), nil},
	{"U64", "Max", select64((*gen).VPMAXUQ, true, true), nil},

	{"F16", "Sum", halfPlain(binary16, (*gen).VADDPS), nil},
	{"F16", "Prod", halfPlain(binary16, (*gen).VMULPS), nil},
	{"F16", "Min", halfSelect(binary16, notLess), nil},
	{"F16", "Max", halfSelect(binary16, notGreater), nil},
	{"BF16", "Sum", halfPlain(brain16, (*gen).VADDPS), nil},
	{"BF16", "Prod", halfPlain(brain16, (*gen).VMULPS), nil},
	{"BF16", "Min", halfSelect(brain16, notLess), nil},
	{"BF16", "Max", halfSelect(brain16, notGreater), nil},
}

// arithOf returns the arithmetic of a type and an operation. UMin and UMax are those without a
// sign.
func arithOf(elem, op string) arith {
	if rest, ok := strings.CutPrefix(op, "U"); ok {
		elem, op = "U"+elem[1:], rest
	}
	i := slices.IndexFunc(arithmetic, func(a arith) bool { return a.elem == elem && a.op == op })
	return arithmetic[i]
}

func (a arith) width() int { return bytesOf(a.elem) }

func (a arith) half() bool { return a.elem == "F16" || a.elem == "BF16" }

// integer reports whether single numbers are combined in general registers.
func (a arith) integer() bool { return a.scalar == nil && !a.half() }

type instruction = func(g *gen, ops ...Op)

// plain is an operation that one instruction does, with the cell as first
// operand: MINPS and MAXPS return their second one for NaN and for equal zeros, as
// cell < update ? cell : update does.
func plain(f instruction) func(c *combiner, cell, update VecVirtual) VecVirtual {
	return func(c *combiner, cell, update VecVirtual) VecVirtual {
		f(c.gen, update, cell, cell)
		return cell
	}
}

// constant is a vector with a 32-bit number in every 4-byte lane, made once a
// body, before its loops.
func (c *combiner) constant(x uint32, size uint) VecVirtual {
	if v, ok := c.consts[x]; ok {
		return v
	}
	r, t := c.GP32(), c.XMM()
	c.MOVL(U32(x), r)
	c.VMOVD(r, t)
	v := c.gen.vector(int(size))
	c.VPBROADCASTD(t, v)
	c.consts[x] = v
	return v
}

// prepare makes the constants that combining vectors of this size takes.
func (c *combiner) prepare(a arith, size uint) {
	if a.elem != "BF16" || a.op != "Sum" && a.op != "Prod" {
		return
	}
	quiet := uint32(brainQuiet)
	if c.single {
		quiet <<= 16
		c.zero = c.XMM()
		c.VPXOR(c.zero, c.zero, c.zero)
	}
	for _, x := range []uint32{brainBias, brainOne, quiet} {
		c.constant(x, 2*size)
	}
}

// product8 is the low half of 8-bit products, put together from those of 16 bits. High bytes are
// multiplied where they are, by what is shifted down:
//
//	a*b & 0x00FF | (a>>8)*(b & 0xFF00)
//
// (Call 6610001.130 of bench, Emerald Rapids, 3.7 times as fast as package generic.)
func product8(c *combiner, cell, update VecVirtual) VecVirtual {
	x, y := same(c.gen, cell), same(c.gen, cell)
	c.VPSRLW(Imm(8), cell, x)
	c.VPSRLW(Imm(8), update, y)
	c.VPSLLW(Imm(8), y, y)
	c.VPMULLW(y, x, x)
	c.VPMULLW(update, cell, cell)
	c.VPSLLW(Imm(8), cell, cell)
	c.VPSRLW(Imm(8), cell, cell)
	if c.wide {
		c.VPORQ(x, cell, cell)
	} else {
		c.VPOR(x, cell, cell)
	}
	return cell
}

// product64 is the low half of 64-bit products. AVX2 puts it together from
// 32-bit ones:
//
//	low(a)*low(b) + (high(a)*low(b) + low(a)*high(b))<<32
func product64(c *combiner, cell, update VecVirtual) VecVirtual {
	if c.wide {
		c.VPMULLQ(update, cell, cell)
		return cell
	}
	x, y := same(c.gen, cell), same(c.gen, cell)
	c.VPSRLQ(Imm(32), cell, x)
	c.VPMULUDQ(update, x, x)
	c.VPSRLQ(Imm(32), update, y)
	c.VPMULUDQ(y, cell, y)
	c.VPADDQ(x, y, y)
	c.VPSLLQ(Imm(32), y, y)
	c.VPMULUDQ(update, cell, cell)
	c.VPADDQ(y, cell, cell)
	return cell
}

// select64 is the smaller or larger of 64-bit integers. AVX2 compares signed
// ones only, so that the sign bits of unsigned ones are turned for it.
func select64(f instruction, unsigned, largest bool) func(c *combiner, cell, update VecVirtual) VecVirtual {
	return func(c *combiner, cell, update VecVirtual) VecVirtual {
		if c.wide {
			f(c.gen, update, cell, cell)
			return cell
		}
		x, y, m := cell, update, same(c.gen, cell)
		if unsigned {
			x, y = same(c.gen, cell), same(c.gen, cell)
			c.VPCMPEQQ(m, m, m)
			c.VPSLLQ(Imm(63), m, m)
			c.VPXOR(m, cell, x)
			c.VPXOR(m, update, y)
		}
		if largest {
			x, y = y, x
		}
		c.VPCMPGTQ(y, x, m) // x > y: the update is wanted
		c.VBLENDVPD(m, update, cell, cell)
		return cell
	}
}

// A halfFormat widens the 16-bit numbers of a vector to float32, and rounds
// them back to nearest even.
type halfFormat struct {
	widen func(c *combiner, h VecVirtual) VecVirtual
	round func(c *combiner, f, h VecVirtual)
}

// widened returns a new vector for what is widened from h: of twice its length, or of the same for
// a single number. Shorter vectors are converted sooner: sums of float16 into few cells, each
// waiting for the one before, are 1.3 times as fast (Zen 4, call 7101.15 of bench).
func (c *combiner) widened(h VecVirtual) VecVirtual {
	if c.single {
		return c.XMM()
	}
	return c.vector(int(2 * h.Size()))
}

var binary16 = halfFormat{
	widen: func(c *combiner, h VecVirtual) VecVirtual {
		f := c.widened(h)
		c.VCVTPH2PS(h, f)
		return f
	},
	round: func(c *combiner, f, h VecVirtual) { c.VCVTPS2PH(Imm(0), f, h) },
}

// What rounding to a bfloat16 adds, the bit that decides a tie, and the one
// that makes a NaN quiet.
const brainBias, brainOne, brainQuiet = 0x7FFF, 1, 0x40

var brain16 = halfFormat{
	widen: func(c *combiner, h VecVirtual) VecVirtual {
		f := c.widened(h)
		if c.single { // it is in all words
			c.VPSLLD(Imm(16), h, f)
			return f
		}
		c.VPMOVZXWD(h, f)
		c.VPSLLD(Imm(16), f, f)
		return f
	},
	// The upper half of f + 0x7FFF + the lowest bit of that half; of a NaN, the
	// upper half made quiet.
	round: func(c *combiner, f, h VecVirtual) {
		const unordered = 3
		upper, bit := same(c.gen, f), same(c.gen, f)
		one, bias, quiet := c.consts[brainOne], c.consts[brainBias], c.consts[brainQuiet]
		c.VPSRLD(Imm(16), f, upper)
		if c.wide && f.Size() == 64 {
			nan := c.K()
			c.VCMPPS(Imm(unordered), f, f, nan)
			c.VPANDD(one, upper, bit)
			c.VPADDD(f, bit, bit)
			c.VPADDD(bias, bit, bit)
			c.VPSRLD(Imm(16), bit, bit)
			c.VPORD(quiet, upper, nan, bit)
			c.VPMOVDW(bit, h)
			return
		}
		nan := same(c.gen, f)
		c.VCMPPS(Imm(unordered), f, f, nan)
		c.VPAND(one, upper, bit)
		c.VPADDD(f, bit, bit)
		c.VPADDD(bias, bit, bit)
		c.VPSRLD(Imm(16), bit, bit)
		c.VPOR(quiet, upper, upper)
		c.VBLENDVPS(nan, upper, bit, bit)
		packWords(c, bit, h)
	},
}

// packWords puts the low words of eight dwords, whose high ones are 0, together.
func packWords(c *combiner, x, h VecVirtual) {
	high := c.XMM()
	c.VEXTRACTI128(Imm(1), x, high)
	c.VPACKUSDW(high, x.AsX(), h)
}

func halfPlain(f halfFormat, op instruction) func(c *combiner, cell, update VecVirtual) VecVirtual {
	return func(c *combiner, cell, update VecVirtual) VecVirtual {
		x := f.widen(c, cell)
		op(c.gen, f.widen(c, update), x, x)
		f.round(c, x, cell)
		return cell
	}
}

// The compares that say that the update is wanted, true of NaN.
const notLess, notGreater = 0x15, 0x1A

// halfSelect compares values, and keeps the bits: widening makes a signalling
// NaN quiet.
func halfSelect(f halfFormat, compare uint64) func(c *combiner, cell, update VecVirtual) VecVirtual {
	return func(c *combiner, cell, update VecVirtual) VecVirtual {
		x, y := f.widen(c, cell), f.widen(c, update)
		if c.wide && x.Size() == 64 {
			k := c.K()
			c.VCMPPS(Imm(compare), y, x, k)
			c.VMOVDQU16(update, k, cell)
			return cell
		}
		c.VCMPPS(Imm(compare), y, x, x)
		wanted := x
		if !c.single {
			wanted = c.XMM()
			c.VEXTRACTI128(Imm(1), x, wanted)
			c.VPACKSSDW(wanted, x.AsX(), wanted)
		}
		c.VPBLENDVB(wanted, update, cell, cell)
		return cell
	}
}
