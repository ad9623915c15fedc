package main

import (
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

// resolve turns indices into offsets along a pattern: that of a call, which has an entry
// for each index, or lanes that stay, where entries are evenly apart.
func resolve(g *gen, b body) {
	v, index := b.isa(), b.indexWidth()
	g.begin(b)
	o, x, n, p := g.arg("offsets"), g.arg("indices"), g.arg("n"), g.arg("pattern")
	distance := g.arg("distance")
	g.ADDQ(x, distance)
	size := v.broadcast(g, g.argMem("size"), 8)
	scale := v.broadcast(g, g.argMem("scale"), 8)
	step := v.bytes() / 8
	each, col := g.arg("each"), g.arg("col")
	g.SHLQ(Imm(log2(v.bytes())), each)
	g.SHLQ(Imm(log2(step)), col)
	cols := v.broadcast(g, col, 8)
	base := v.zero(g)
	j := g.GP64()
	g.XORQ(j, j)

	g.Label("loop")
	g.PREFETCHT0(Mem{Base: distance, Index: j, Scale: uint8(index)})
	k := v.loadIndices(g, indexed(x, j, index), index)
	v.wrap(g, k, size, 8)
	v.branchBad(g, []VecVirtual{k}, size, 8, "bad")
	v.multiply(g, scale, k)
	v.add(g, at(p, 0), k, 8)
	v.add(g, base, k, 8)
	v.store(g, k, indexed(o, j, 8))
	v.add(g, cols, base, 8)
	g.ADDQ(each, p)
	g.ADDQ(num(step), j)
	g.CMPQ(j, n)
	g.JLT(LabelRef("loop"))
	g.good()

	g.Label("bad")
	g.fail(j)
}

// resolveTuples turns tuples into offsets. The components of a step's tuples
// are gathered, which costs little: they lie in the same few cache lines.
func resolveTuples(g *gen, b body) {
	v, index := b.isa(), b.indexWidth()
	g.begin(b)
	o, x, next, n := g.arg("offsets"), g.arg("tuples"), g.arg("next"), g.arg("n")
	sizes, strides, axes := g.arg("sizes"), g.arg("strides"), g.arg("k")
	row := g.arg("row")
	at := v.multiples(g, row)
	step := v.bytes() / 8
	g.SHLQ(Imm(log2(step)), row)
	col := g.arg("col")
	lanes := v.multiples(g, col)
	v.add(g, v.broadcast(g, g.argMem("start"), 8), lanes, 8)
	g.SHLQ(Imm(log2(step)), col)
	cols := v.lasting(g, v.broadcast(g, col, 8))
	j, t, p := g.GP64(), g.GP64(), g.GP64()
	g.XORQ(j, j)

	g.Label("loop")
	sum := v.vec(g)
	v.copy(g, lanes, sum)
	g.MOVQ(x, p)
	g.XORQ(t, t)

	g.Label("component")
	k := v.gatherIndices(g, p, at, index)
	size := v.broadcast(g, indexed(sizes, t, 8), 8)
	v.wrap(g, k, size, 8)
	v.branchBad(g, []VecVirtual{k}, size, 8, "bad")
	v.multiply(g, v.broadcast(g, indexed(strides, t, 8), 8), k)
	v.add(g, k, sum, 8)
	g.ADDQ(next, p)
	g.INCQ(t)
	g.CMPQ(t, axes)
	g.JLT(LabelRef("component"))

	v.store(g, sum, indexed(o, j, 8))
	v.add(g, cols, lanes, 8)
	g.ADDQ(row, x)
	g.ADDQ(num(step), j)
	g.CMPQ(j, n)
	g.JLT(LabelRef("loop"))
	g.good()

	g.Label("bad")
	g.fail(j)
}

// resolvePairs turns tuples of two components, row bytes apart, into offsets.
func resolvePairs(g *gen, b body) {
	v, index := b.isa(), b.indexWidth()
	g.begin(b)
	o, n, p := g.arg("offsets"), g.arg("n"), g.arg("pattern")
	pairs := g.pairsOf(v, index)
	step := v.bytes() / 8
	each, col := g.arg("each"), g.arg("col")
	g.SHLQ(Imm(log2(v.bytes())), each)
	g.SHLQ(Imm(log2(step)), col)
	cols := v.broadcast(g, col, 8)
	base := v.zero(g)
	j := g.GP64()
	g.XORQ(j, j)

	g.Label("loop")
	sums := pairs.sums("bad")
	g.VPERMQ(Imm(0b11_01_10_00), sums, sums)
	v.add(g, at(p, 0), sums, 8)
	v.add(g, base, sums, 8)
	v.store(g, sums, indexed(o, j, 8))
	v.add(g, cols, base, 8)
	g.ADDQ(each, p)
	g.ADDQ(num(step), j)
	g.CMPQ(j, n)
	g.JLT(LabelRef("loop"))
	g.good()
	pairs.apart()

	g.Label("bad")
	g.fail(j)
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
	g.VMOVQ(sums.AsX(), offsets[0])
	g.VPEXTRQ(Imm(1), sums.AsX(), offsets[2])
	g.VMOVQ(high, offsets[1])
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
	v            isa
	index        int // bytes
	x, row       Register
	size, stride [2]VecVirtual
	loaded       [2]VecVirtual
}

func (g *gen) pairsOf(v isa, index int) *pairsRegs {
	r := &pairsRegs{gen: g, v: v, index: index, x: g.arg("pairs"), row: g.arg("row")}
	sizes, strides := g.arg("sizes"), g.arg("strides")
	for d := range r.size {
		r.size[d] = v.broadcast(g, at(sizes, 8*d), 8)
		r.stride[d] = v.broadcast(g, at(strides, 8*d), 8)
	}
	return r
}

// sums loads four pairs and returns their offsets, the second and the third exchanged: halves of two vectors are, so
// that one has the first components and one the second,
//
//	x0 y0 x1 y1  x2 y2 x3 y3  →  x0 x2 x1 x3  y0 y2 y1 y3
//
// Pairs that follow each other are loaded two at a time: one by one, they take 1.1 times as long.
func (r *pairsRegs) sums(bad string) VecVirtual {
	g, v, index := r.gen, r.v, r.index
	g.PREFETCHT0(at(r.x, indexDistance))
	g.CMPQ(r.row, num(2*index))
	g.JNE(LabelRef("apart"))
	low, high := v.loadIndices(g, at(r.x, 0), index), v.loadIndices(g, at(r.x, v.bytes()/8*index), index)
	r.loaded = [2]VecVirtual{low, high}
	g.Label("loaded")
	first, second := v.vec(g), v.vec(g)
	g.VPUNPCKLQDQ(high, low, first)
	g.VPUNPCKHQDQ(high, low, second)
	v.wrap(g, first, r.size[0], 8)
	v.wrap(g, second, r.size[1], 8)
	below, good, negative, bits := v.vec(g), v.vec(g), v.vec(g), g.GP32()
	g.VPCMPGTQ(first, r.size[0], below)
	g.VPCMPGTQ(second, r.size[1], good)
	g.VPAND(below, good, good)
	g.VPOR(first, second, negative)
	g.VPANDN(good, negative, good)
	g.VMOVMSKPD(good, bits)
	g.CMPL(bits, Imm(15))
	g.JNE(LabelRef(bad))
	v.multiply(g, r.stride[0], first)
	v.multiply(g, r.stride[1], second)
	v.add(g, second, first, 8)
	g.LEAQ(indexed(r.x, r.row, 4), r.x)
	return first
}

// apart loads pairs that do not follow each other, and goes on in the loop.
func (r *pairsRegs) apart() {
	third := r.GP64() // the third pair of a step
	r.Label("apart")
	r.LEAQ(indexed(r.x, r.row, 2), third)
	r.pairsApart(r.index, at(r.x, 0), indexed(r.x, r.row, 1), r.loaded[0])
	r.pairsApart(r.index, at(third, 0), indexed(third, r.row, 1), r.loaded[1])
	r.JMP(LabelRef("loaded"))
}

// pairsApart loads two pairs from different places, as numbers of 64 bits.
func (g *gen) pairsApart(index int, first, second Mem, pairs VecVirtual) {
	if index == 8 {
		g.VMOVDQU(first, pairs.AsX())
		g.VINSERTI128(Imm(1), second, pairs, pairs)
		return
	}
	g.VMOVQ(first, pairs.AsX())
	g.VPINSRQ(Imm(1), second, pairs.AsX(), pairs.AsX())
	g.VPMOVSXDQ(pairs.AsX(), pairs)
}

// indexDistance is the prefetch distance of indices that are read in one run, past
// the page that the CPU's own prefetching stops at the end of.
const indexDistance = 4096
