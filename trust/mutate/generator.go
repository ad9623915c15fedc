package main

import (
	"fmt"
	"slices"
	"strings"
)

// Faults of the generator that no rule makes: what an author could get wrong in a primitive, in
// all its bodies at once. old stands once in the file.
var generatorFaults = []struct{ file, what, old, new string }{
	{"gen.go", "VZEROUPPER dropped from every body", "\tg.VZEROUPPER()\n", ""},
	{"gen.go", "a good result is 0, the first position", "g.MOVQ(I32(-1), none)", "g.MOVQ(I32(0), none)"},
	{"gather.go", "a bad index is reported at the end of its row", "r.SUBQ(r.left, r.row)\n", "\n"},
	{"gather.go", "a bad index is reported a row too early", "r.Label(\"bad\")\n\t\tr.INCQ(r.row)", "r.Label(\"bad\")"},
	{"gather.go", "the last row is gathered twice", "r.CMPQ(r.row, r.argMem(\"rows\"))\n\t\tr.JLT", "r.CMPQ(r.row, r.argMem(\"rows\"))\n\t\tr.JLE"},
	{"gather.go", "the table stays that of the first row", "r.ADDQ(r.argMem(\"tableRow\"), r.rowTable)\n", "\n"},
	{"gather.go", "bytes are counted as elements before an aligned store", "r.SHRQ(Imm(log2(r.elem)), r.count)", "r.SHRQ(Imm(0), r.count)"},
	{"gather.go", "more is gathered before an aligned store than a row has", "\t\tr.CMOVQGT(r.left, r.count)\n", ""},
	{"gather.go", "stores past the caches at addresses that aren't aligned to a vector", "r.ANDQ(Imm(63), r.count)", "r.ANDQ(Imm(15), r.count)"},
	{"gather.go", "SFENCE dropped before a good return", "\t\tif r.streams() {\n\t\t\tr.SFENCE()\n\t\t}\n\t\tr.good()", "\t\tr.good()"},
	{"gather.go", "SFENCE dropped before a bad index is returned", "\t\tif r.streams() {\n\t\t\tr.SFENCE()\n\t\t}\n\t\tr.fail(r.row)", "\t\tr.fail(r.row)"},
	{"gather.go", "pairs in reverse: the first update wins", "\tbody(0)\n\tg.Label(\"odd\")\n\tbody(1)\n", "\tbody(1)\n\tg.Label(\"odd\")\n\tbody(0)\n"},
	{"gather.go", "an odd number of elements begins with the second", "\tadvance(-1)\n", ""},
	{"gather.go", "the last step with a table in registers is not moved back", "r.SUBQ(num(r.lanes), r.count)", "r.XORQ(r.count, r.count)"},
	{"gather.go", "the tail is one short", "g.ADDQ(num(4), n)", "g.ADDQ(num(3), n)"},
	{"gather.go", "the tail stands still", "\tbody(0)\n\tadvance(1)", "\tbody(0)"},
	{"gather.go", "offsets of 16-byte elements are not scaled", "g.SHLQ(Imm(1), index)", "g.SHLQ(Imm(0), index)"},
	{"gather.go", "16-bit elements loaded with their sign as bytes are", "g.MOVWLZX(m, x.As32())", "g.MOVBLZX(m, x.As32())"},
	{"gather.go", "4-byte elements stored as 8 bytes", "g.MOVL(x.(GPVirtual).As32(), m)", "g.MOVQ(x, m)"},
	{"gather.go", "columns: the prefetch of a step is a load", "r.PREFETCHT0(indexed(r.x, r.distance, 1).Offset(d))", "r.CMPB(indexed(r.x, r.distance, 1).Offset(d), Imm(0))"},
	{"gather.go", "the prefetch of a step is a load", "r.PREFETCHT0(at(r.x, indexDistance+d))", "r.CMPB(at(r.x, indexDistance+d), Imm(0))"},
	{"gather_table.go", "a table in registers is loaded as if it were full", "r.CMOVQLT(zero, n)", "r.CMOVQLT(ones, n)"},
	{"gather_table.go", "a table of two registers and one entry loses that", "r.JLE(LabelRef(\"loaded\"))", "r.JNZ(LabelRef(\"loaded\"))"},
	{"gather_table.go", "a long table's count loses bits", "r.CMOVQLT(n, most)\n", "r.MOVQ(n, most)\n"},
	{"gather_table.go", "a table is loaded from one vector further", "at(r.s, 64*i)", "at(r.s, 64*i+64)"},
	{"gather_table.go", "entries of the first two registers swapped", "permuteTwo(r.gen, r.entries[2*p+1], r.entries[2*p], out, r.elem)", "permuteTwo(r.gen, r.entries[2*p], r.entries[2*p+1], out, r.elem)"},
	{"gather_table.go", "the upper half of a long table is not looked up", "blend(r.gen, upper, masks[1], found, r.elem)", "_ = upper"},
	{"gather_table.go", "the table is taken for a small one at one entry more", "num(2*64/r.elem)", "num(2*64/r.elem+1)"},
	{"resolve.go", "every other line of indices is unchecked", "v.branchBad(g, ks, size, index, \"bad\")\n\tg.ADDQ(num(step), j)", "v.branchBad(g, ks, size, index, \"bad\")\n\tg.ADDQ(num(2*step), j)"},
	{"resolve.go", "one vector alone of a line of indices is checked", "v.branchBad(g, ks, size, index, \"bad\")", "v.branchBad(g, ks[:1], size, index, \"bad\")"},
	{"resolve.go", "negative indices are not wrapped in a check", "\tv.wrap(g, k, size, index)\n", ""},
	{"resolve.go", "negative indices are not wrapped", "\tv.wrap(g, k, size, 8)\n\tv.branchBad(g, []VecVirtual{k}, size, 8, \"bad\")\n\tv.multiply(g, scale, k)", "\tv.branchBad(g, []VecVirtual{k}, size, 8, \"bad\")\n\tv.multiply(g, scale, k)"},
	{"resolve.go", "the pattern is left out", "\tr.v.add(r.gen, at(r.p, 0), k, 8)\n", ""},
	{"resolve.go", "the second vector of offsets repeats the first one's pattern", "\tr.ADDQ(r.each, r.p)\n", ""},
	{"resolve.go", "pairs apart are loaded as if they were side by side", "\tg.JNE(LabelRef(\"apart\"))\n", "\tg.JEQ(LabelRef(\"apart\"))\n"},
	{"resolve.go", "the third of pairs apart is the first", "r.LEAQ(indexed(r.x, r.row, 2), third)", "r.MOVQ(r.x, third)"},
	{"resolve.go", "pairs stay in the order of the exchange", "\tg.VPERMQ(Imm(0b11_01_10_00), sums, sums)\n", ""},
	{"resolve.go", "gathered pairs stay in the order of the exchange", "\t\tsecond, third = third, second\n", ""},
	{"resolve.go", "both components of pairs have the first one's size", "Imm(0b10101010), second", "Imm(0), second"},
	{"resolve.go", "high halves of pairs do not count", "\t\tg.VPOR(high, above, above)\n", ""},
	{"resolve.go", "the fourth of pairs apart is the second", "r.VPINSRQ(Imm(1), indexed(third, r.row, 1), high, high)", "r.VPINSRQ(Imm(1), indexed(r.x, r.row, 1), high, high)"},
	{"resolve.go", "the second components of pairs do not count", "\tv.add(g, second, k, 8)\n", ""},
	{"avx2.go", "an index of exactly size passes", "g.VPCMPGTQ(x, size, in)", "g.VPCMPGTQ(size, x, in)"},
	{"avx2.go", "an index below -size passes", "\t\t\tg.VPANDN(in, x, in)\n", ""},
	{"avx2.go", "the last of four lanes is unchecked", "g.CMPL(bits, Imm(15))\n\t\tg.JNE", "g.ANDL(Imm(7), bits)\n\t\tg.CMPL(bits, Imm(7))\n\t\tg.JNE"},
	{"avx2.go", "only the last vector of indices is checked", "g.VPAND(in, good, good)", "g.VMOVDQA(in, good)"},
	{"avx2.go", "the last vector of indices is unchecked", "for d, x := range xs {", "for d, x := range xs[:max(1, len(xs)-1)] {"},
	{"resolve.go", "only the first component of a triple counts", "\t\t\tv.add(g, k, sum, 4)\n", ""},
	{"resolve.go", "the third vector of triples is the second", "g.VPBLENDD(Imm(tripleBlend(d, 2, index)), xs[2], k, k)", "g.VPBLENDD(Imm(tripleBlend(d, 2, index)), xs[1], k, k)"},
	{"resolve.go", "only the first component of a triple is checked", "\t\t\tg.VPOR(above, bad, bad)\n", ""},
	{"resolve.go", "an index of a triple is taken for its low half", "\tg.VPXOR(sign, high, high)\n", "\tg.VPXOR(high, high, high)\n"},
	{"resolve.go", "only the first of three vectors of triples is checked beyond its low halves", "\tg.VPOR(high, bad, bad)\n", ""},
	{"resolve.go", "the second vector of offsets repeats the first one's columns", "\tr.v.add(r.gen, r.cols, r.base, 8)\n", ""},
	{"resolve.go", "the check of offsets leaves out where they count from", "\tv.add(g, from, k, 8)\n", ""},
	{"resolve.go", "an offset outside is said to be inside", "g.MOVB(Imm(0), g.resultMem())", "g.MOVB(Imm(1), g.resultMem())"},
	{"avx512.go", "an index of exactly size passes", "const atLeast = 5", "const atLeast = 6"},
	{"avx512.go", "the second of two vectors of indices is unchecked", "g.KORTESTW(k, l)", "g.KORTESTW(k, k)"},
	{"avx512.go", "one of several vectors of indices is unchecked", "range xs[1:] {\n\t\t\tif width", "range xs[2:] {\n\t\t\tif width"},
	{"avx512.go", "negative indices of 64 bits wrap as signed numbers", "g.VPMINUQ(t, x, x)", "g.VPMINSQ(t, x, x)"},
	{"avx512.go", "negative indices of 32 bits wrap as signed numbers", "g.VPMINUD(t, x, x)", "g.VPMINSD(t, x, x)"},
	{"avx512.go", "the mask of the second vector of a tail is that of the first", "if lane > 0 {", "if lane > 64 {"},
	{"avx512.go", "a tail's mask covers the whole row", "r.BZHIQ(r.count, ones, mask)", "r.BZHIQ(r.left, ones, mask)"},
	{"avx512.go", "a tail is stored whole", "blend(r.gen, x, r.maskFrom(0), m, r.elem)", "v.store(r.gen, x, m)"},
	{"avx512.go", "a narrow element is read past the table's end", "r.SUBQ(Imm(uint64(4/r.elem)), last)", "r.SUBQ(Imm(1), last)"},
	{"avx512.go", "a narrow element is shifted by the wrong unit", "r.VPSLLD(Imm(3+log2(r.elem)), x, x)", "r.VPSLLD(Imm(4+log2(r.elem)), x, x)"},
	{"avx512.go", "packed lanes lie on each other", "uint64(8 * lane * (j + 1))", "uint64(8 * lane * j)"},
	{"gather.go", "columns all take the first column's element", "\t\tr.VPADDD(sized(r.column, x), x, x)\n", ""},
	{"avx512.go", "a row's tail is moved without a mask", "g.VMOVDQU8(x, k, indexed(d, p, 1))", "g.VMOVDQU64(x, indexed(d, p, 1))"},
	{"avx512.go", "a row's tail is read without a mask", "g.VMOVDQU8_Z(indexed(s, p, 1), k, x)", "g.VMOVDQU64(indexed(s, p, 1), x)"},
	{"avx512.go", "32-bit indices are widened without their sign", "g.VPMOVSXDQ(m, x)", "g.VPMOVZXDQ(m, x)"},
	{"avx2.go", "32-bit indices are widened without their sign", "g.VPMOVSXDQ(m, x)", "g.VPMOVZXDQ(m, x)"},
	{"avx2.go", "a single index is compared as signed", "r.JCC(LabelRef(\"bad\"))", "r.JGE(LabelRef(\"bad\"))"},
	{"avx2.go", "a single negative index is not wrapped", "\tr.CMOVQLT(t, k)\n", ""},
	{"avx2.go", "the count of a row is not brought down in its tail", "\tr.DECQ(r.left)\n", ""},
	{"avx2.go", "columns: the tail stays in the first column", "\t\tif r.columns {\n\t\t\tr.ADDQ(Imm(uint64(r.elem)), r.s)\n\t\t}\n", ""},
	{"avx2.go", "halves of two vectors stay mixed", "\t\tr.VPERMQ(Imm(0xD8), x, x)\n", ""},
	{"avx2.go", "a row's tail repeats its first bytes", "\t\tg.ADDQ(num(n), p)\n", ""},
	{"rows.go", "the row to prefetch may lie beyond the last offset", "\t\tg.CMOVQGT(last, ahead)\n", ""},
	{"rows.go", "offsets of rows are not scaled", "g.SHLXQ(shift, s, s)\n\tg.ADDQ", "g.ADDQ"},
	{"rows.go", "offsets of rows that are written are not scaled", "\t\tg.SHLXQ(shift, d, d)\n", ""},
	{"rows.go", "all rows that are written are the first", "\t\tg.ADDQ(g.argMem(\"updatesRow\"), s)\n", ""},
	{"rows.go", "one row too many", "g.CMPQ(i, last)\n\tg.JLE", "g.CMPQ(i, last)\n\tg.JNE"},
	{"rows.go", "what comes before an aligned store is longer than the row", "\tg.CMOVQGT(left, count)\n", ""},
	{"rows.go", "a row of one vector is left out", "g.Label(label)\n\t\t\tg.SUBQ(num(64), left)\n\t\t\tg.JLT", "g.Label(label)\n\t\t\tg.SUBQ(num(64), left)\n\t\t\tg.JLE"},
	{"rows.go", "half of each 64 bytes is not copied", "for b := 0; b < 64; b += v.bytes() {", "for b := 0; b < 64; b += 64 {"},
	{"scatter.go", "the updates of a step are all the first", "x := g.loadElem(at(u, elem*j), elem)\n\t\tcell := g.address", "x := g.loadElem(at(u, 0), elem)\n\t\tcell := g.address"},
	{"scatter.go", "by indices as they are: the updates of a step are all the first", "g.storeElem(g.loadElem(at(u, elem*j), elem)", "g.storeElem(g.loadElem(at(u, 0), elem)"},
	{"scatter_reduce.go", "by indices as they are: the updates of a step are all the first", "indexed(d, k, a.width()), at(u, j*a.width())", "indexed(d, k, a.width()), at(u, 0)"},
	{"gather.go", "by indices as they are: an index as large as the table is used", "g.CMPQ(k, size)\n\t\tg.JCC(", "g.CMPQ(k, size)\n\t\tg.JHI("},
	{"gather.go", "by indices as they are: a negative index is used", "g.CMPQ(k, size)\n\t\tg.JCC(", "g.CMPQ(k, size)\n\t\tg.JGE("},
	{"gather.go", "by indices as they are: a negative index is not counted from the end", "\t\tg.CMOVQLT(fromEnd, k)\n", ""},
	{"gather.go", "by indices as they are: a negative index of 32 bits is read without its sign", "g.MOVLQSX(at(x, 4*j), k)", "g.MOVL(at(x, 4*j), k.As32())"},
	{"gather.go", "by indices as they are: what precedes a bad index in a step is left out", "wrap, 0, \"tail\")", "wrap, 0, \"stop\")"},
	{"gather.go", "by indices as they are: the elements of a step are all stored in the first place", "indexed(s, k, elem), elem), at(d, elem*j), elem)", "indexed(s, k, elem), elem), at(d, 0), elem)"},
	{"gather.go", "columns by indices as they are: the columns of a step are all the first", "Offset(elem*j), elem), at(d", "Offset(0), elem), at(d"},
	{"gather.go", "by indices as they are: the table of the second row is that of the first", "\t\tg.ADDQ(g.argMem(\"tableRow\"), s)\n", ""},
	{"gather.go", "by indices as they are: a row too few is done", "g.INCQ(done)\n", ""},
	{"gather.go", "by indices as they are: the prefetch is a load", "\tg.PREFETCHT1(at(x, indexDistance))\n", "\tg.CMPB(at(x, indexDistance), Imm(0))\n"},
	{"gather.go", "columns by indices as they are: the prefetch of dst is a load", "g.PREFETCHT0(indexed(d, dstAhead, 1))", "g.CMPB(indexed(d, dstAhead, 1), Imm(0))"},
	{"gather.go", "by indices as they are: the prefetch of a table is a load", "g.PREFETCHT0(at(ahead, 64))", "g.CMPB(at(ahead, 64), Imm(0))"},
	{"avx2.go", "the first of several vectors of 32-bit indices is checked alone", "\t\t\tg.VPOR(above, bad, bad)\n", ""},
	{"scatter_reduce.go", "the mask of a row's tail is of one byte less", "r.ANDQ(Imm(uint64(r.size-1)), r.t)", "r.ANDQ(Imm(uint64(r.size-2)), r.t)"},
	{"scatter_reduce.go", "the next row's updates are the first row's", "\tr.ADDQ(r.argMem(\"updatesRow\"), r.u)\n", ""},
	{"scatter_reduce.go", "one byte too many goes by vectors", "r.SUBQ(num(r.size), r.left)\n\tr.JLT", "r.SUBQ(num(r.size-1), r.left)\n\tr.JLT"},
	{"scatter_reduce.go", "the tail of a row is stored without a mask", "blend(r.gen, cell, r.mask, at(r.p, 0), 1)", "r.storePart(cell, at(r.p, 0), r.size)"},
	{"scatter_reduce.go", "the rest of a row ends with its first part", "r.TESTB(Imm(uint64(bytes-1)), r.left.As8())", "r.TESTB(Imm(0), r.left.As8())"},
	{"scatter_reduce.go", "a part of 4 bytes of a row's tail replaces that of 8", "g.VPINSRD(Imm(2), m", "g.VPINSRD(Imm(0), m"},
	{"scatter_reduce.go", "rows: minima without a sign are maxima", "\"UMin\": unsignedMin, \"UMax\": unsignedMax", "\"UMin\": unsignedMax, \"UMax\": unsignedMin"},
	{"scatter_reduce.go", "an integer is combined with itself", "y := c.loadInteger(a, update)", "y := c.loadInteger(a, cell)"},
	{"scatter_reduce.go", "8-byte cells are stored as 4 bytes", "c.VMOVSD(x, cell)", "c.VMOVSS(x, cell)"},
	{"scatter_reduce.go", "a single maximum of unsigned 64-bit integers compares as signed", `"UMax": c.CMOVQCS`, `"UMax": c.CMOVQLT`},
	{"scatter_reduce.go", "a single minimum of signed integers compares as unsigned", `"IMin": c.CMOVLGT`, `"IMin": c.CMOVLHI`},
	{"scatter_reduce.go", "NaN and equal zeros of 4 bytes: the cell instead of the update", "c.VMOVSS(cell, x)\n\t\ta.scalar(c.gen, update, x, x)", "c.VMOVSS(update, x)\n\t\ta.scalar(c.gen, cell, x, x)"},
	{"resolve_owned.go", "the cell at the end of a worker's range is its own, too", "const below = 1", "const below = 2"},
	{"resolve_owned.go", "updates are not compressed with their offsets", "g.VPCOMPRESSD_Z(moved, mine, moved)", "g.VPCOMPRESSD_Z(moved, mine, g.YMM())"},
	{"resolve_owned.go", "ranges count from the wrong end", "g.VPSUBQ(low, span, span)", "g.VPADDQ(low, span, span)"},
	{"mean.go", "sums are not cleared", "\t\tg.VMOVUPS(sized(zero, q), at(s, b))\n\t\tg.VMOVUPS(q, at(d, b))", "\t\tg.VMOVUPS(q, at(d, b))"},
	{"mean.go", "cells without updates are divided, too", "\t\tg.VPBLENDVB(none, old, q, q)\n", ""},
	{"mean.go", "the initial value isn't counted", "g.VPADDD(init, counts, counts)", "g.VPADDD(zero, counts, counts)"},
	{"mean.go", "counts are taken for those of cells twice as far", "at(k, 4*j)", "at(k, 2*j)"},
	{"mean.go", "counters are 8 bytes apart", "indexed(d, t, 4))\n\t}, func", "indexed(d, t, 8))\n\t}, func"},
	{"mean.go", "quotients of integers are rounded to nearest", "g.VROUNDPD(Imm(9), x, x)", "g.VROUNDPD(Imm(8), x, x)"},
	{"mean.go", "sums that float64 does not hold are divided as such", "g.VPCMPEQQ(exponent, small, small)", "g.VPCMPEQQ(small, small, small)"},
	{"mean.go", "means of integers leave out the initial value", "g.VPAND(initMask, x, x)", "g.VPXOR(x, x, x)"},
	{"mean.go", "sums without updates are cleared", "g.VPAND(left, sum, sum)", "g.VPXOR(sum, sum, sum)"},
	{"arithmetic.go", "NaN and equal zeros: the cell instead of the update", "f(c.gen, update, cell, cell)\n\t\treturn cell", "f(c.gen, cell, update, cell)\n\t\treturn cell"},
	{"arithmetic.go", "halves: NaN is never wanted of an update", "const notLess, notGreater = 0x15, 0x1A", "const notLess, notGreater = 0x1D, 0x12"},
	{"arithmetic.go", "halves: equal zeros of two signs are not exchanged", "const notLess, notGreater = 0x15, 0x1A", "const notLess, notGreater = 0x16, 0x19"},
	{"arithmetic.go", "bfloat16: ties are rounded away from zero", "const brainBias, brainOne, brainQuiet = 0x7FFF, 1, 0x40", "const brainBias, brainOne, brainQuiet = 0x8000, 0, 0x40"},
	{"arithmetic.go", "bfloat16: rounded towards zero", "const brainBias, brainOne, brainQuiet = 0x7FFF, 1, 0x40", "const brainBias, brainOne, brainQuiet = 0, 1, 0x40"},
	{"mean.go", "halves: the mask of the upper four is that of the lower", "g.VPACKSSDW(high, none.AsX(), words)", "g.VPACKSSDW(none.AsX(), none.AsX(), words)"},
	{"mean.go", "bfloat16 is divided as float16", "\"BF16\": brain16", "\"BF16\": binary16"},
	{"arithmetic.go", "float16: rounded towards zero", "c.VCVTPS2PH(Imm(0), f, h)", "c.VCVTPS2PH(Imm(3), f, h)"},
	{"arithmetic.go", "unsigned 64-bit minima compare as signed", "select64((*gen).VPMINUQ, true, false)", "select64((*gen).VPMINSQ, false, false)"},
	{"arithmetic.go", "signed 64-bit maxima are minima with AVX2", "select64((*gen).VPMAXSQ, false, true)", "select64((*gen).VPMAXSQ, false, false)"},
	{"arithmetic.go", "the sign bits of unsigned numbers are not turned", "c.VPXOR(m, update, y)", "c.VMOVDQA(update, y)"},
	{"arithmetic.go", "64-bit products lose one of their crosswise parts", "\tc.VPADDQ(x, y, y)\n", ""},
	{"arithmetic.go", "unsigned bytes compare as signed", "plain((*gen).VPMINUB)", "plain((*gen).VPMINSB)"},
	{"arithmetic.go", "signed words compare as unsigned", "plain((*gen).VPMAXSW)", "plain((*gen).VPMAXUW)"},
	{"arithmetic.go", "sums of words carry into the next", "plain((*gen).VPADDW)", "plain((*gen).VPADDD)"},
	{"copy.go", "the last step of a row in reverse is left out", "\tstep(indexed(s, left, 1), at(dst, 0))\n", ""},
	{"copy.go", "a short row in reverse lacks its first elements", "\thalf(indexed(s, left, 1).Offset(16), at(dst, 0))\n", ""},
	{"copy.go", "bytes are reversed, not elements", "byte(16 - width - i/width*width + i%width)", "byte(15 - i)"},
	{"copy.go", "the third window is the fourth", "g.VINSERTI128(Imm(1), w[2], x, x)", "g.VINSERTI128(Imm(1), w[3], x, x)"},
	{"copy.go", "the last step is not moved back into the row", "\tg.SUBQ(made, t)\n\tshift(\"back\")", "\tg.XORQ(t, t)\n\tshift(\"back\")"},
	{"copy.go", "a row that goes down is aligned as one that goes up", "\tg.JGT(LabelRef(\"above\"))\n\tg.LEAQ(indexed(d, made, 1), t)\n", "\tg.JGT(LabelRef(\"above\"))\n"},
	{"copy.go", "the permutation is that of the next entry", "entryPermute = 32", "entryPermute = 40"},
	{"copy.go", "the last vector of a period repeats", "\tg.ADDQ(num(entryBytes), entry)\n", ""},
	{"copy.go", "the source does not move on after a period", "\tg.ADDQ(advance, s)\n\tg.JMP(LabelRef(\"period\"))", "\tg.JMP(LabelRef(\"period\"))"},
	{"copy.go", "a step of a part of a vector is stored whole", "g.VMOVDQU8(x, mask, at(d, 0))", "g.VMOVDQU64(x, at(d, 0))"},
	{"copy.go", "steps of quarters leave out two windows", "\t\tg.VPOR(high, x.AsX(), high)\n", ""},
}

// generatorFiles is the files of the table.
func generatorFiles() (files []string) {
	for _, f := range generatorFaults {
		if !slices.Contains(files, f.file) {
			files = append(files, f.file)
		}
	}
	return files
}

// planted returns the faults of the table that are in a file of the generator.
func planted(file, source string) (all []*mutation, err error) {
	for _, f := range generatorFaults {
		if f.file != file {
			continue
		}
		if n := strings.Count(source, f.old); n != 1 {
			return nil, fmt.Errorf("asmgen/%s has %q %d times: the table of generator.go is out of date", file, f.old, n)
		}
		at := strings.Index(source, f.old)
		all = append(all, &mutation{target: "generator", rule: "planted", weight: len(generatorFaults), what: f.what, file: "asmgen/" + file, where: file,
			line: 1 + strings.Count(source[:at], "\n"), start: at, end: at + len(f.old), old: f.old, new: f.new})
	}
	return all, nil
}
