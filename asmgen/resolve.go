package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Bodies that go once through indices take whole vectors of eight or four of
// them; the Go side does what is left over.

// check looks for an index that is out of range.
func check(g *gen, b body) {
	v, index := b.isa(), b.indexWidth()
	g.begin(b)
	x, n := g.arg("indices"), g.arg("n")
	size := v.broadcast(g, g.argMem("size"), index)
	const line = 64 // bytes, whose lanes are judged together
	step := line / index
	j := g.GP64()
	g.XORQ(j, j)

	g.Label("loop")
	g.PREFETCHT0(Mem{Base: x, Index: j, Scale: uint8(index), Disp: indexDistance})
	var ks []VecVirtual
	for d := 0; d < line; d += v.bytes() {
		k := v.vec(g)
		v.load(g, indexed(x, j, index).Offset(d), k)
		v.wrap(g, k, size, index)
		ks = append(ks, k)
	}
	v.branchBad(g, ks, size, index, "bad")
	g.ADDQ(num(step), j)
	g.CMPQ(j, n)
	g.JLT(LabelRef("loop"))
	g.good()

	g.Label("bad")
	g.fail(j)
}

// checkOffsets looks for an offset that leads outside a slice.
func checkOffsets(g *gen, b body) {
	v := b.isa()
	g.begin(b)
	o, n := g.arg("offsets"), g.arg("n")
	from := v.broadcast(g, g.argMem("at"), 8)
	limit := v.broadcast(g, g.argMem("limit"), 8)
	g.Label("loop")
	k := v.vec(g)
	v.load(g, at(o, 0), k)
	v.add(g, from, k, 8)
	v.branchBad(g, []VecVirtual{k}, limit, 8, "outside")
	g.ADDQ(num(v.bytes()), o)
	g.SUBQ(num(v.bytes()/8), n)
	g.JNZ(LabelRef("loop"))
	g.MOVB(Imm(1), g.resultMem())
	g.ret()

	g.Label("outside")
	g.MOVB(Imm(0), g.resultMem())
	g.ret()
}

// resolve turns indices into offsets along a pattern.
func resolve(g *gen, b body) {
	v, index := b.isa(), b.indexWidth()
	g.begin(b)
	x := g.arg("indices")
	distance := g.arg("distance")
	g.ADDQ(x, distance)
	size := v.broadcast(g, g.argMem("size"), 8)
	scale := v.broadcast(g, g.argMem("scale"), 8)
	along := g.along(v)

	g.Label("loop")
	g.PREFETCHT0(Mem{Base: distance, Index: along.j, Scale: uint8(index)})
	k := v.loadIndices(g, indexed(x, along.j, index), index)
	v.wrap(g, k, size, 8)
	v.branchBad(g, []VecVirtual{k}, size, 8, "bad")
	v.multiply(g, scale, k)
	along.next(k)

	g.Label("bad")
	g.fail(along.j)
}

// alongRegs has the registers of offsets along a pattern: that of a call, which has an entry for
// each offset, or lanes that stay, where entries are evenly apart.
type alongRegs struct {
	*gen
	v             isa
	o, n, p, each Register
	cols, base    VecVirtual
	j             Register // the step
}

func (g *gen) along(v isa) *alongRegs {
	r := &alongRegs{gen: g, v: v, o: g.arg("offsets"), n: g.arg("n"), p: g.arg("pattern"), each: g.arg("each"), j: g.GP64()}
	col := g.arg("col")
	g.SHLQ(Imm(log2(v.bytes())), r.each)
	g.SHLQ(Imm(log2(v.bytes()/8)), col)
	r.cols = v.broadcast(g, col, 8)
	r.base = v.zero(g)
	g.XORQ(r.j, r.j)
	return r
}

// put stores offsets of a part of a step, from the start of the pattern.
func (r *alongRegs) put(k VecVirtual) {
	r.v.add(r.gen, at(r.p, 0), k, 8)
	r.v.add(r.gen, r.base, k, 8)
	r.v.store(r.gen, k, indexed(r.o, r.j, 8))
	r.v.add(r.gen, r.cols, r.base, 8)
	r.ADDQ(r.each, r.p)
	r.ADDQ(num(r.v.bytes()/8), r.j)
}

// next stores a step's last offsets, and begins the next step.
func (r *alongRegs) next(k VecVirtual) {
	r.fragment(fragment{name: "nextOffsets", doc: "stores offsets along a pattern, and goes on to the next.", registers: map[string]Register{"k": k, "base": r.base, "cols": r.cols}}, func() {
		r.put(k)
		r.CMPQ(r.j, r.n)
		r.JLT(LabelRef("loop"))
	})
	r.good()
}

// resolvePairs turns tuples of two components, row bytes apart, into offsets.
func resolvePairs(g *gen, b body) {
	v, index := b.isa(), b.indexWidth()
	g.begin(b)
	pairs := g.pairsOf(v, index)
	along := g.along(v)

	g.Label("loop")
	sums := pairs.sums("bad")
	if index == 8 {
		g.VPERMQ(Imm(0b11_01_10_00), sums, sums)
	}
	along.next(sums)
	pairs.apart()

	g.Label("bad")
	g.fail(along.j)
}

// resolveTriples turns tuples of three components, which follow each other, into offsets of less than
// 32 bits. Each component of eight tuples is blended out of the vectors that hold them, and put in
// order:
//
//	x0 y0 z0 x1 y1 z1 x2 y2  z2 x3 y3 z3 x4 y4 z4 x5  y5 z5 x6 y6 z6 x7 y7 z7
//	→  x0 x3 x6 x1 x4 x7 x2 x5  →  x0 x1 x2 x3 x4 x5 x6 x7
func resolveTriples(g *gen, b body) {
	v, index := b.isa(), b.indexWidth()
	g.begin(b)
	x, sizes, strides := g.arg("triples"), g.arg("sizes"), g.arg("strides")
	var size [3]Register
	var stride [3]VecVirtual
	for d := range size {
		size[d] = v.broadcast(g, at(sizes, 8*d), 4)
		stride[d] = v.broadcast(g, at(strides, 8*d), 4)
	}
	along := g.along(v)
	bytes := 24 * index // of a step's tuples

	g.Label("loop")
	for d := 0; d < bytes; d += 64 {
		g.PREFETCHT0(at(x, indexDistance+d))
	}
	var xs [3]VecVirtual
	var bad, sum VecVirtual
	for i := range xs {
		xs[i], bad = g.low(at(x, 8*i*index), index, bad)
	}
	for d := range size {
		k, above := g.YMM(), g.YMM()
		g.VPBLENDD(Imm(tripleBlend(d, 1, index)), xs[1], xs[0], k)
		g.VPBLENDD(Imm(tripleBlend(d, 2, index)), xs[2], k, k)
		g.VMOVDQU(g.tripleOrder(d, index), above)
		g.VPERMD(k, above, k)
		v.wrap(g, k, size[d], 4)
		g.VPMAXUD(size[d], k, above)
		g.VPCMPEQD(k, above, above)
		g.VPMULLD(stride[d], k, k)
		if bad == nil {
			bad = above
		} else {
			g.VPOR(above, bad, bad)
		}
		if sum == nil {
			sum = k
		} else {
			v.add(g, k, sum, 4)
		}
	}
	g.VPTEST(bad, bad)
	g.JNZ(LabelRef("bad"))
	low, high := g.YMM(), g.XMM()
	g.VPMOVSXDQ(sum.AsX(), low)
	g.VEXTRACTI128(Imm(1), sum, high)
	g.VPMOVSXDQ(high, sum)
	g.ADDQ(num(bytes), x)
	along.put(low)
	along.next(sum)

	g.Label("bad")
	g.fail(along.j)
}

// low loads eight indices as numbers of 32 bits. Of 64 bits they come mixed by pairs, and are bad
// where the high half is not the sign.
func (g *gen) low(m Mem, index int, bad VecVirtual) (x, alsoBad VecVirtual) {
	x = g.YMM()
	g.VMOVDQU(m, x)
	if index == 4 {
		return x, bad
	}
	high, sign := g.YMM(), g.YMM()
	g.VSHUFPS(Imm(0xDD), m.Offset(32), x, high)
	g.VSHUFPS(Imm(0x88), m.Offset(32), x, x)
	g.VPSRAD(Imm(31), x, sign)
	g.VPXOR(sign, high, high)
	if bad == nil {
		return x, high
	}
	g.VPOR(high, bad, bad)
	return x, bad
}

// tripleBlend returns which dwords of the given one of three vectors have a component d.
func tripleBlend(d, vector, index int) (mask uint64) {
	for i := d; i < 24; i += 3 {
		if i/8 == vector {
			mask |= 1 << lowPlace(i, index)
		}
	}
	return mask
}

// tripleOrder returns the dwords that have components d of eight triples after they were blended.
func (g *gen) tripleOrder(d, index int) Mem {
	b := make([]byte, 32)
	for t := range 8 {
		b[4*t] = byte(lowPlace(3*t+d, index))
	}
	return g.constant(fmt.Sprint("component", d, "of", index), b)
}

// lowPlace returns the dword that has index i after low.
func lowPlace(i, index int) int {
	if i %= 8; index == 8 {
		return [...]int{0, 1, 4, 5, 2, 3, 6, 7}[i]
	}
	return i
}

// gatherPairs loads the elements that pairs name. Offsets stay in registers.
func gatherPairs(g *gen, b body) {
	v, index, elem := b.isa(), b.indexWidth(), b.width()
	g.begin(b)
	d, s, n := g.arg("dst"), g.based("src"), g.arg("n")
	pairs := g.pairsOf(v, index)
	j := g.GP64()
	g.XORQ(j, j)

	g.Label("loop")
	sums := pairs.sums("bad")
	high := g.XMM()
	g.VEXTRACTI128(Imm(1), sums, high)
	var offsets [4]GPVirtual
	for l := range offsets {
		offsets[l] = g.GP64()
	}
	second, third := 1, 2
	if index == 8 {
		second, third = third, second
	}
	g.VMOVQ(sums.AsX(), offsets[0])
	g.VPEXTRQ(Imm(1), sums.AsX(), offsets[second])
	g.VMOVQ(high, offsets[third])
	g.VPEXTRQ(Imm(1), high, offsets[3])
	for l, o := range offsets {
		g.storeElem(g.loadElem(indexed(s, o, elem), elem), indexed(d, j, elem).Offset(l*elem), elem)
	}
	g.ADDQ(num(len(offsets)), j)
	g.CMPQ(j, n)
	g.JLT(LabelRef("loop"))
	g.good()
	pairs.apart()

	g.Label("bad")
	g.fail(j)
}

// pairsRegs has the registers of pairs that become offsets.
type pairsRegs struct {
	*gen
	v      isa
	index  int // bytes
	x, row Register
	sizes  VecVirtual // of the first and the second components in turn
	stride [2]VecVirtual
	loaded [2]VecVirtual
}

func (g *gen) pairsOf(v isa, index int) *pairsRegs {
	r := &pairsRegs{gen: g, v: v, index: index, x: g.arg("pairs"), row: g.arg("row")}
	sizes, strides := g.arg("sizes"), g.arg("strides")
	first, second := v.broadcast(g, at(sizes, 0), 4), v.broadcast(g, at(sizes, 8), 4)
	r.sizes = v.vec(g)
	g.VPBLENDD(Imm(0b10101010), second, first, r.sizes)
	for d := range r.stride {
		r.stride[d] = v.broadcast(g, at(strides, 8*d), 8)
	}
	return r
}

// sums loads four pairs and returns their offsets, of indices of 64 bits the second and the third
// exchanged. Components have 32 bits; those of 64 are bad where the high half is not the sign.
//
//	x0 y0 x1 y1  x2 y2 x3 y3  of 64 bits  →  x0 y0 x2 y2 x1 y1 x3 y3  of 32
//
// Pairs that follow each other are loaded at once: one by one, they take 1.1 times as long.
func (r *pairsRegs) sums(bad string) VecVirtual {
	g, v, index := r.gen, r.v, r.index
	g.indicesAhead(r.x)
	g.CMPQ(r.row, num(2*index))
	g.JNE(LabelRef("apart"))
	for i := range index / 4 {
		r.loaded[i] = v.vec(g)
		v.load(g, at(r.x, 32*i), r.loaded[i])
	}
	g.Label("loaded")
	k, above, second := r.loaded[0], v.vec(g), v.vec(g)
	var high VecVirtual
	if index == 8 {
		high = v.vec(g)
		g.VSHUFPS(Imm(0xDD), r.loaded[1], k, high)
		g.VSHUFPS(Imm(0x88), r.loaded[1], k, k)
		g.VPSRAD(Imm(31), k, above)
		g.VPXOR(above, high, high)
	}
	v.wrap(g, k, r.sizes, 4)
	g.VPMAXUD(r.sizes, k, above)
	g.VPCMPEQD(k, above, above)
	if index == 8 {
		g.VPOR(high, above, above)
	}
	g.VPTEST(above, above)
	g.JNZ(LabelRef(bad))
	g.VPSRLQ(Imm(32), k, second)
	g.VPMULUDQ(r.stride[0], k, k)
	g.VPMULUDQ(r.stride[1], second, second)
	v.add(g, second, k, 8)
	g.LEAQ(indexed(r.x, r.row, 4), r.x)
	return k
}

// apart loads pairs that do not follow each other, and goes on in the loop.
func (r *pairsRegs) apart() {
	third := r.GP64() // the third pair of a step
	r.Label("apart")
	r.LEAQ(indexed(r.x, r.row, 2), third)
	if k := r.loaded[0]; r.index == 4 {
		high := r.XMM()
		r.VMOVQ(at(r.x, 0), k.AsX())
		r.VPINSRQ(Imm(1), indexed(r.x, r.row, 1), k.AsX(), k.AsX())
		r.VMOVQ(at(third, 0), high)
		r.VPINSRQ(Imm(1), indexed(third, r.row, 1), high, high)
		r.VINSERTI128(Imm(1), high, k, k)
	} else {
		for i, from := range []Register{r.x, third} {
			r.VMOVDQU(at(from, 0), r.loaded[i].AsX())
			r.VINSERTI128(Imm(1), indexed(from, r.row, 1), r.loaded[i], r.loaded[i])
		}
	}
	r.JMP(LabelRef("loaded"))
}

// indexDistance is the prefetch distance of indices that are read in one run, past the page that
// the CPU's own prefetching stops at the end of. nearDistance is that from one cache to the next.
const indexDistance, nearDistance = 4096, 512
