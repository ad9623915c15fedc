package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vectorBytes returns how many bytes a step combines: halves fill a vector when they are widened.
func (a arith) vectorBytes(v isa) int {
	if a.half() {
		return v.bytes() / 2
	}
	return v.bytes()
}

func (g *gen) vector(bytes int) VecVirtual {
	switch bytes {
	case 16:
		return g.XMM()
	case 32:
		return g.YMM()
	}
	return g.ZMM()
}

// operations are the numbers of operations that bodies take: those of lanes.Op, and two more.
var operations = map[string]int{"Sum": 1, "Prod": 2, "Min": 3, "Max": 4, "UMin": unsignedMin, "UMax": unsignedMax}

const unsignedMin, unsignedMax = 11, 12

// scatterRows makes a body that combines whole rows into those at offsets. All operations share
// it, but for the loop over whole vectors:
//
//	for each row {
//		switch op { case Sum: for left >= size { p[:size] += t[:size]; … } … }
//		cell, update := p[:left], t[:left] // in parts of 16, 8, 4, 2 and 1 bytes, in one vector
//		switch op { case Sum: cell += update … }
//		p[:left] = cell
//	}
//
// A switch in the loop over vectors made rows of 256 bytes in the first-level cache half as
// fast. AVX-512 has a mask for what is less than a vector.
func scatterRows(g *gen, b body) {
	g.begin(b)
	ops := words(b.asks)
	r := &rowsRegs{gen: g, elem: b.elem, ops: ops, width: b.width(), size: arithOf(b.elem, ops[0]).vectorBytes(b.isa()), wide: b.isa() == avx512{}}
	r.arguments()
	r.beginRow()
	r.vectors()
	r.rest()
	r.nextRow()
}

// rowsRegs has the registers of rows that are combined.
type rowsRegs struct {
	*gen
	elem        string
	ops         []string
	width, size int // bytes of an element and of a vector
	wide        bool
	combiner    *combiner

	d, o, u, n Register  // cells, the offsets and updates of a row, how many rows are left
	op         GPVirtual // the operation
	p, t       GPVirtual // where in a row and in its updates
	left       GPVirtual // bytes of the row
	bytes      GPVirtual // of each row
	distance   GPVirtual // from a row to the one to prefetch
	mask       Register  // AVX-512: what a row has beyond whole vectors
}

// arguments loads what all rows have in common.
func (r *rowsRegs) arguments() {
	r.d, r.o, r.u, r.n = r.cells("dst")
	r.op = r.GP32()
	r.MOVBLZX(r.argMem("by"), r.op)
	r.combiner = &combiner{gen: r.gen, wide: r.wide, consts: map[uint32]VecVirtual{}}
	r.combiner.prepare(arithOf(r.elem, r.ops[0]), uint(r.size))
	r.p, r.left, r.bytes, r.t = r.GP64(), r.GP64(), r.GP64(), r.GP64()
	r.distance = r.GP64()
	r.MOVQ(r.argMem("cols"), r.bytes)
	r.scale(r.bytes, r.width)
	if r.wide {
		ones := r.GP64()
		r.mask = r.K()
		r.Comment("Ones for what a row has beyond whole vectors.")
		r.MOVQ(r.bytes, r.t)
		r.ANDQ(Imm(uint64(r.size-1)), r.t)
		r.MOVQ(I32(-1), ones)
		r.BZHIQ(r.t, ones, ones)
		r.KMOVQ(ones, r.mask)
	}
}

// beginRow finds a row, and the one to prefetch.
func (r *rowsRegs) beginRow() {
	r.fragment(fragment{name: "rowBegins", doc: "finds the cells of a row, and the distance to those that are prefetched."}, func() {
		r.Label("row")
		r.MOVQ(at(r.o, 0), r.p)
		r.MOVQ(r.argMem("ahead"), r.left)
		r.LEAQ(at(r.n, -1), r.t)
		r.CMPQ(r.left, r.t)
		r.CMOVQGT(r.t, r.left)
		r.MOVQ(indexed(r.o, r.left, 8), r.distance)
		r.SUBQ(r.p, r.distance)
		r.scale(r.distance, r.width)
		r.scale(r.p, r.width)
		r.ADDQ(r.d, r.p)
		r.MOVQ(r.u, r.t)
		r.MOVQ(r.bytes, r.left)
	})
}

// vectors combines the whole vectors of a row, in a loop for each operation.
func (r *rowsRegs) vectors() {
	loop := func(op string) string { return "loop" + op }
	r.SUBQ(num(r.size), r.left)
	r.JLT(LabelRef("rest"))
	r.choose(loop)
	for _, name := range r.ops {
		cell, update := r.vector(r.size), r.vector(r.size)
		r.fragment(fragment{name: "rowLoop", doc: "combines whole vectors of a row.", registers: map[string]Register{"cell": cell, "update": update}}, func() {
			r.Label(loop(name))
			r.PREFETCHT0(indexed(r.p, r.distance, 1))
			r.loadPart(at(r.p, 0), cell, r.size)
			r.loadPart(at(r.t, 0), update, r.size)
			r.combine(name, cell, update)
			r.storePart(cell, at(r.p, 0), r.size)
			r.ADDQ(num(r.size), r.p)
			r.ADDQ(num(r.size), r.t)
			r.SUBQ(num(r.size), r.left)
			r.JGE(LabelRef(loop(name)))
		})
		if name != r.ops[len(r.ops)-1] {
			r.JMP(LabelRef("rest"))
		}
	}
}

// rest combines what a row has beyond whole vectors, in one vector.
func (r *rowsRegs) rest() {
	lower := func(op string) string { return strings.ToLower(op[:1]) + op[1:] }
	r.Label("rest")
	r.ADDQ(num(r.size), r.left)
	r.JZ(LabelRef("next"))

	cell, update := r.vector(r.size), r.vector(r.size)
	if r.wide {
		loadMasked(r.gen, at(r.p, 0), r.mask, cell, 1)
		loadMasked(r.gen, at(r.t, 0), r.mask, update, 1)
	} else {
		r.PREFETCHT0(indexed(r.p, r.distance, 1))
		r.loadParts(cell, update)
	}
	r.choose(lower)
	for i, name := range r.ops {
		if i > 0 {
			r.Label(lower(name))
		}
		r.combine(name, cell, update)
		if i < len(r.ops)-1 {
			r.JMP(LabelRef("store"))
		}
	}
	r.Label("store")
	if r.wide {
		blend(r.gen, cell, r.mask, at(r.p, 0), 1)
	} else {
		r.storeParts(cell)
	}
}

// nextRow goes to the next row, and ends.
func (r *rowsRegs) nextRow() {
	r.fragment(fragment{name: "nextCells", doc: "goes to the next row, and ends."}, func() {
		r.Label("next")
		r.ADDQ(num(8), r.o)
		r.ADDQ(r.argMem("updatesRow"), r.u)
		r.DECQ(r.n)
		r.JNZ(LabelRef("row"))
		r.ret()
	})
}

// choose goes to the label of an operation, or on with the first one.
func (r *rowsRegs) choose(label func(op string) string) {
	r.fragment(fragment{name: "choose", doc: "goes to the loop of an operation, or on with the sum."}, func() {
		for _, name := range r.ops[1:] {
			r.CMPL(r.op, Imm(uint64(operations[name])))
			r.JEQ(LabelRef(label(name)))
		}
	})
}

// combine combines vectors of cells and updates.
func (r *rowsRegs) combine(op string, cell, update VecVirtual) {
	r.fragment(fragment{name: "combine", doc: "combines vectors of cells and updates.", registers: map[string]Register{"cell": cell, "update": update}}, func() {
		if arithOf(r.elem, op).combine(r.combiner, cell, update) != cell {
			panic("the result is not in the cell's register")
		}
	})
}

// What a row has beyond whole vectors goes through one vector: 16 bytes of it into the lower half,
// and parts of 8, 4, 2 and 1 into places of the upper half, or of an X register where a vector has
// 16 bytes. (In a loop over the parts, rows of 28 bytes took twice as long.)

// part moves a part of so many bytes, if the row has it, and goes on behind it, or to a label if
// that was all.
func (r *rowsRegs) part(name, doc string, bytes int, done string, registers map[string]Register, move func(), pointers ...GPVirtual) {
	r.fragment(fragment{name: name, doc: doc, registers: registers}, func() {
		not := bits(name+"Not", bytes)
		r.TESTB(Imm(uint64(bytes)), r.left.As8())
		r.JZ(LabelRef(not))
		move()
		if bytes > r.width {
			r.TESTB(Imm(uint64(bytes-1)), r.left.As8())
			r.JZ(LabelRef(done))
			for _, p := range pointers {
				r.ADDQ(num(bytes), p)
			}
		}
		r.Label(not)
	})
}

// loadParts loads the parts of a row of cells and of one of updates. It ends at the label combine.
func (r *rowsRegs) loadParts(cell, update VecVirtual) {
	q := r.GP64()
	r.MOVQ(r.p, q)
	part := func(bytes int, done string, move func()) {
		r.part("loadPart", "loads n bytes of a cell and of an update, if the row has these.", bytes, done, map[string]Register{"q": q}, move, q, r.t)
	}
	clear := func(x VecVirtual) { r.VPXOR(x.AsX(), x.AsX(), x.AsX()) }
	clear(cell)
	clear(update)
	x, y := cell, update
	if r.size == 32 {
		part(16, "combine", func() {
			r.VMOVDQU(at(q, 0), cell.AsX())
			r.VMOVDQU(at(r.t, 0), update.AsX())
		})
		x, y = r.XMM(), r.XMM()
		clear(x)
		clear(y)
	}
	for bytes := 8; bytes >= r.width; bytes /= 2 {
		part(bytes, "loaded", func() {
			r.insert(at(q, 0), x, bytes)
			r.insert(at(r.t, 0), y, bytes)
		})
	}
	r.Label("loaded")
	if r.size == 32 {
		r.VINSERTI128(Imm(1), x.AsX(), cell, cell)
		r.VINSERTI128(Imm(1), y.AsX(), update, update)
	}
	r.Label("combine")
}

// storeParts stores the parts of a row, and goes to the label next.
func (r *rowsRegs) storeParts(cell VecVirtual) {
	part := func(bytes int, move func()) {
		r.part("storePart", "stores n bytes of a cell, if the row has these.", bytes, "next", nil, move, r.p)
	}
	x := cell
	if r.size == 32 {
		part(16, func() { r.VMOVDQU(cell.AsX(), at(r.p, 0)) })
		x = r.XMM()
		r.VEXTRACTI128(Imm(1), cell, x.AsX())
	}
	for bytes := 8; bytes >= r.width; bytes /= 2 {
		part(bytes, func() { r.extract(x, at(r.p, 0), bytes) })
	}
}

// insert loads a part into its place, behind the larger ones.
func (g *gen) insert(m Mem, x VecVirtual, part int) {
	switch part {
	case 8:
		g.VMOVQ(m, x.AsX())
	case 4:
		g.VPINSRD(Imm(2), m, x.AsX(), x.AsX())
	case 2:
		g.VPINSRW(Imm(6), m, x.AsX(), x.AsX())
	case 1:
		g.VPINSRB(Imm(14), m, x.AsX(), x.AsX())
	}
}

// extract stores a part from its place.
func (g *gen) extract(x VecVirtual, m Mem, part int) {
	switch part {
	case 8:
		g.VMOVQ(x.AsX(), m)
	case 4:
		g.VPEXTRD(Imm(2), x.AsX(), m)
	case 2:
		g.VPEXTRW(Imm(6), x.AsX(), m)
	case 1:
		g.VPEXTRB(Imm(14), x.AsX(), m)
	}
}

// loadPart loads so many bytes, and zeros above them.
func (g *gen) loadPart(m Mem, x VecVirtual, bytes int) {
	switch bytes {
	case 64:
		g.VMOVDQU64(m, x)
	case 32:
		g.VMOVDQU(m, x.AsY())
	case 16:
		g.VMOVDQU(m, x.AsX())
	case 8:
		g.VMOVQ(m, x.AsX())
	case 4:
		g.VMOVD(m, x.AsX())
	}
}

// storePart stores so many bytes.
func (g *gen) storePart(x VecVirtual, m Mem, bytes int) {
	switch bytes {
	case 64:
		g.VMOVDQU64(x, m)
	case 32:
		g.VMOVDQU(x.AsY(), m)
	case 16:
		g.VMOVDQU(x.AsX(), m)
	case 8:
		g.VMOVQ(x.AsX(), m)
	case 4:
		g.VMOVD(x.AsX(), m)
	}
}

var combineOne = fragment{name: "combineOne", doc: "combines one half."}

// combineOne combines one element.
func (c *combiner) combineOne(a arith, cell, update Mem) {
	switch {
	case a.integer():
		c.combineInteger(a, cell, update)
	case a.elem == "BF16" && (a.op == "Sum" || a.op == "Prod"):
		c.fragment(combineOne, func() { c.combineBrain(a, cell, update) })
	case a.half():
		c.fragment(combineOne, func() {
			x, y := c.loadHalf(cell), c.loadHalf(update)
			c.VPEXTRW(Imm(0), a.combine(c, x, y), cell)
		})
	case a.width() == 4:
		x := c.XMM()
		c.VMOVSS(cell, x)
		a.scalar(c.gen, update, x, x)
		c.VMOVSS(x, cell)
	default:
		x := c.XMM()
		c.VMOVSD(cell, x)
		y := Op(update)
		if a.elem == "C64" { // VADDPS would load 16 bytes
			y = c.XMM()
			c.VMOVSD(update, y)
		}
		a.scalar(c.gen, y, x, x)
		c.VMOVSD(x, cell)
	}
}

// combineBrain adds or multiplies one bfloat16. It stays in the upper half of a float32, which is
// rounded as brain16 does it.
func (c *combiner) combineBrain(a arith, cell, update Mem) {
	x, y, bit, nan := c.XMM(), c.XMM(), c.XMM(), c.XMM()
	c.VPINSRW(Imm(1), cell, c.zero, x)
	c.VPINSRW(Imm(1), update, c.zero, y)
	if a.op == "Sum" {
		c.VADDSS(y, x, x)
	} else {
		c.VMULSS(y, x, x)
	}
	c.VPSRLD(Imm(16), x, bit)
	c.VPAND(c.consts[brainOne], bit, bit)
	c.VPADDD(c.consts[brainBias], x, y)
	c.VPADDD(bit, y, y)
	const unordered = 3
	c.VCMPPS(Imm(unordered), x, x, nan)
	c.VPOR(c.consts[brainQuiet<<16], x, x)
	c.VBLENDVPS(nan, x, y, y)
	c.VPEXTRW(Imm(1), y, cell)
}

func (c *combiner) loadHalf(m Mem) VecVirtual {
	x := c.XMM()
	c.VPBROADCASTW(m, x)
	return x
}

// combineInteger is combineOne in general registers, in 32 bits where they are enough: an extension
// to 64 is one instruction more for each of both.
func (c *combiner) combineInteger(a arith, cell, update Mem) {
	y := c.loadInteger(a, update)
	if a.op == "Sum" {
		c.addTo(y, cell, a.width())
		return
	}
	x := c.loadInteger(a, cell)
	if a.op == "Prod" {
		c.IMULQ(y, x)
	} else {
		compare, move := c.CMPL, map[string]func(a, b Op){"IMin": c.CMOVLGT, "IMax": c.CMOVLLT, "UMin": c.CMOVLHI, "UMax": c.CMOVLCS}
		from, to := y.As32(), x.As32()
		if a.width() == 8 {
			compare, move = c.CMPQ, map[string]func(a, b Op){"IMin": c.CMOVQGT, "IMax": c.CMOVQLT, "UMin": c.CMOVQHI, "UMax": c.CMOVQCS}
			from, to = y, x
		}
		compare(to, from)
		move[a.elem[:1]+a.op](from, to)
	}
	c.storeElem(x, cell, a.width())
}

// addTo emits m += x.
func (g *gen) addTo(x GPVirtual, m Mem, width int) {
	switch width {
	case 1:
		g.ADDB(x.As8(), m)
	case 2:
		g.ADDW(x.As16(), m)
	case 4:
		g.ADDL(x.As32(), m)
	case 8:
		g.ADDQ(x, m)
	}
}

// loadInteger loads an integer as one of 32 bits or, if it has them, of 64.
func (g *gen) loadInteger(a arith, m Mem) GPVirtual {
	x := g.GP64()
	switch a.elem {
	case "I8":
		g.MOVBLSX(m, x.As32())
	case "U8":
		g.MOVBLZX(m, x.As32())
	case "I16":
		g.MOVWLSX(m, x.As32())
	case "U16":
		g.MOVWLZX(m, x.As32())
	case "I32", "U32":
		g.MOVL(m, x.As32())
	default:
		g.MOVQ(m, x)
	}
	return x
}

// scatterCells makes a body that combines single elements at offsets, one by
// one. Eight at a time by gather and scatter instructions are left out: looking for
// conflicts among them costs more than it saves, and in columns, where there are
// none, they take 0.43 ns an element against 0.39 in the first-level cache, and 1.42 against
// 1.43 in the second.
func scatterCells(g *gen, b body) {
	a := arithOf(b.elem, b.op)
	g.begin(b)
	d, o, u, n := g.cells("dst")
	c := &combiner{gen: g, single: true, consts: map[uint32]VecVirtual{}}
	c.prepare(a, 8) // four numbers in 16 bytes
	g.pairs(n, func(j int) {
		t := g.GP64()
		g.MOVQ(at(o, 8*j), t)
		c.combineOne(a, indexed(d, t, a.width()), at(u, j*a.width()))
	}, func(by int) {
		g.ADDQ(num(8*by), o)
		g.ADDQ(num(a.width()*by), u)
	})
}

// scatterHalves makes a body that combines single halves at offsets: eight at a time, as it takes
// as long to convert one, unless two of them go to the same cell.
//
//	for n > 0 {
//		if n >= 8 && no two of offsets[:8] are equal {
//			dst[offsets[:8]] = op(dst[offsets[:8]], updates[:8])
//			n, wait = n-8, wait/2|8
//			continue
//		}
//		wait *= 2
//		for range min(n, wait) { one by one }
//	}
//
// After two equal offsets more go one by one, twice as many each time, so that few branches are
// mispredicted. (Emerald Rapids, call 5800001.66 of bench, products of float16, 1.7 times as fast as
// one by one, where six of an update's instructions wait for the port that shuffles.)
func scatterHalves(g *gen, b body) {
	const eight = 8
	a := arithOf(b.elem, b.op)
	g.begin(b)
	d, o, u, n := g.cells("dst")
	one := &combiner{gen: g, single: true, consts: map[uint32]VecVirtual{}}
	one.prepare(a, 8)
	all := &combiner{gen: g, consts: map[uint32]VecVirtual{}}
	all.prepare(a, 16)
	left := g.GP64()
	advance := func(by int) {
		g.ADDQ(num(8*by), o)
		g.ADDQ(num(2*by), u)
	}
	wait := g.GP64()
	g.MOVQ(U32(eight), wait)
	g.JMP(LabelRef("more"))
	g.align()
	g.Label("eight")
	g.branchEqual(o, "equal")
	g.combineEight(all, a, d, o, u)
	advance(eight)
	g.SHRQ(Imm(1), wait)
	g.ORQ(num(eight), wait)
	g.SUBQ(num(eight), n)
	g.JZ(LabelRef("done"))
	g.Label("more")
	g.CMPQ(n, num(eight))
	g.JGE(LabelRef("eight"))
	g.Label("equal")
	g.ADDQ(wait, wait)
	g.MOVQ(wait, left)
	g.CMPQ(n, left)
	g.CMOVQLT(n, left)
	g.SUBQ(left, n)
	g.pairLoop(left, func(j int) {
		t := g.GP64()
		g.MOVQ(at(o, 8*j), t)
		one.combineOne(a, indexed(d, t, 2), at(u, 2*j))
	}, advance)
	g.TESTQ(n, n)
	g.JNZ(LabelRef("more"))
	g.Label("done")
	g.ret()
}

// branchEqual branches if the low halves of two of eight offsets are equal:
//
//	a0 a1 a2 a3 | b0 b1 b2 b3   each half with itself, rotated by one and two,
//	b0 b1 b2 b3 | a0 a1 a2 a3   and with the other, rotated by none, one and two: as each is compared
//	                            with the other, one is three, too
func (g *gen) branchEqual(o Register, label string) {
	x, other, any, t := g.YMM(), g.YMM(), g.YMM(), g.YMM()
	g.fragment(fragment{name: "branchEqual", doc: "branches if two of eight offsets are equal."}, func() {
		g.VMOVUPS(at(o, 0), x)
		g.VSHUFPS(Imm(0x88), at(o, 32), x, x)
		g.VPERMQ(Imm(0x4E), x, other)
		g.VPCMPEQD(x, other, any)
		for _, y := range []Register{x, other} {
			for _, rotated := range []uint64{0x39, 0x4E} { // by one and two
				g.VPSHUFD(Imm(rotated), y, t)
				g.VPCMPEQD(x, t, t)
				g.VPOR(t, any, any)
			}
		}
		g.VPTEST(any, any)
		g.JNZ(LabelRef(label))
	})
}

// combineEight combines eight halves into different cells.
func (g *gen) combineEight(c *combiner, a arith, d, o, u Register) {
	cell := func(i int) Mem {
		t := g.GP64()
		g.MOVQ(at(o, 8*i), t)
		return indexed(d, t, 2)
	}
	g.fragment(fragment{name: "combineEight", doc: "combines eight halves."}, func() {
		cells, updates := g.XMM(), g.XMM()
		g.fragment(fragment{name: "loadEight", doc: "loads eight halves.", registers: map[string]Register{"cells": cells}}, func() {
			var halves [2]VecVirtual
			for k := range halves {
				x := g.XMM()
				g.VPXOR(x, x, x)
				for i := range 4 {
					g.VPINSRW(Imm(uint64(i)), cell(4*k+i), x, x)
				}
				halves[k] = x
			}
			g.VPUNPCKLQDQ(halves[1], halves[0], cells)
		})
		g.VMOVDQU(at(u, 0), updates)
		cells = a.combine(c, cells, updates)
		word := g.GP64()
		g.fragment(fragment{name: "storeEight", doc: "stores eight halves.", registers: map[string]Register{"cells": cells}}, func() {
			for k := range 2 {
				g.VPEXTRQ(Imm(uint64(k)), cells, word)
				for i := range 4 {
					m := cell(4*k + i)
					g.MOVW(word.As16(), m)
					if i < 3 {
						g.SHRQ(Imm(16), word)
					}
				}
			}
		})
	})
}

// scatterCellsEach makes scatterCells for a table a row, whose indices are not resolved to offsets
// first.
func scatterCellsEach(g *gen, b body) {
	a := arithOf(b.elem, b.op)
	g.begin(b)
	d, u := g.arg("dst"), g.arg("updates")
	c := &combiner{gen: g, single: true, consts: map[uint32]VecVirtual{}}
	c.prepare(a, 8)
	g.directRows(direct{b.indexWidth(), d, 0, nil, func(j int, k Register) {
		c.combineOne(a, indexed(d, k, a.width()), at(u, j*a.width()))
	}, func(by int) { g.ADDQ(num(a.width()*by), u) }, func() {
		g.ADDQ(g.argMem("dstRow"), d)
		g.ADDQ(g.argMem("updatesGap"), u)
	}})
}
