package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// resolveOwned makes a body that resolves indices and keeps those in a range,
// with the updates that go with them. Compressing both costs less than a step's
// stores would, one by one. AVX2 can't compress: there the loop in Go serves.
func resolveOwned(g *gen, b body) {
	elem, index := b.width(), b.indexWidth()
	v := avx512{}
	g.begin(b)
	o, w, x, u, n := g.arg("offsets"), g.arg("own"), g.arg("indices"), g.arg("updates"), g.arg("n")
	size := v.broadcast(g, g.argMem("size"), 8)
	scale := v.broadcast(g, g.argMem("scale"), 8)
	low, span := g.ZMM(), g.ZMM()
	g.VPBROADCASTQ(g.argMem("low"), low)
	g.VPBROADCASTQ(g.argMem("high"), span)
	g.VPSUBQ(low, span, span)
	j, kept, count := g.GP64(), g.GP64(), g.GP64()
	g.XORQ(j, j)
	g.XORQ(kept, kept)

	g.Label("loop")
	g.PREFETCHT0(Mem{Base: x, Index: j, Scale: uint8(index), Disp: indexDistance})
	g.PREFETCHT0(Mem{Base: u, Index: j, Scale: uint8(elem), Disp: indexDistance})
	k := v.loadIndices(g, indexed(x, j, index), index)
	v.wrap(g, k, size, 8)
	v.branchBad(g, []VecVirtual{k}, size, 8, "bad")
	g.Comment("Whose cell it is: below the span, counted from low.")
	from, mine := g.ZMM(), g.K()
	g.VPSUBQ(low, k, from)
	const below = 1
	g.VPCMPUQ(Imm(below), span, from, mine)
	v.multiply(g, scale, k)
	g.VPCOMPRESSQ_Z(k, mine, k)
	g.VMOVDQU64(k, indexed(o, kept, 8))
	if elem == 8 {
		moved := g.ZMM()
		g.VMOVDQU64(indexed(u, j, 8), moved)
		g.VPCOMPRESSQ_Z(moved, mine, moved)
		g.VMOVDQU64(moved, indexed(w, kept, 8))
	} else {
		moved := g.YMM()
		from, to := indexed(u, j, elem), indexed(w, kept, elem)
		switch elem { // bytes and words are compressed as double words
		case 1:
			g.VPMOVZXBD(from, moved)
		case 2:
			g.VPMOVZXWD(from, moved)
		default:
			g.VMOVDQU(from, moved)
		}
		g.VPCOMPRESSD_Z(moved, mine, moved)
		switch elem {
		case 1:
			g.VPMOVDB(moved, moved.AsX())
			g.VMOVQ(moved.AsX(), to)
		case 2:
			g.VPMOVDW(moved, moved.AsX())
			g.VMOVDQU(moved.AsX(), to)
		default:
			g.VMOVDQU(moved, to)
		}
	}
	g.KMOVB(mine, count.As32())
	g.POPCNTL(count.As32(), count.As32())
	g.ADDQ(count, kept)
	g.ADDQ(num(8), j)
	g.CMPQ(j, n)
	g.JLT(LabelRef("loop"))
	g.MOVQ(I32(-1), j)

	g.Label("bad")
	g.Store(j, g.ReturnIndex(1))
	g.fail(kept)
}
