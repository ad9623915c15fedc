package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A gatherBody is one of the fused gathers: indices are checked and used in one
// pass. Lanes look into one row of a table, or each into a column of its own. Left out:
// elements of 16 bytes, which have no gather instruction, and columns of 1 and 2 bytes.
type gatherBody struct {
	elem    int
	columns bool
	table   int  // entries that a table in registers may have, 0 for one in memory
	few     bool // columns of a few entries, all of which are loaded
}

// gatherRegs holds the registers of a gather.
type gatherRegs struct {
	*gen
	gatherBody
	index int // bytes
	lanes int // of a step

	row          GPVirtual    // how many are done
	rowTable     GPVirtual    // the row's table
	d, x, s      GPVirtual    // where a step writes, reads indices, and has its table
	size         Register     // in lanes of an index
	step, column VecVirtual   // of columns: from one entry to the next, and 0, 1, 2, … (lanes of an index)
	clamp        VecVirtual   // of elements narrower than 4 bytes: the last place that 4 bytes can be read from
	left, count  GPVirtual    // of a row; of a partial step
	distance     GPVirtual    // of columns: the prefetch distance of indices
	mask         Register     // of a partial step: count ones
	entries      []VecVirtual // of a table in registers,
	bits         []VecVirtual // and the bits of an index above those that choose in two registers
	pattern      GPVirtual    // of a table in registers that several rows have joined: what is added to the indices of a step
	advance      GPVirtual    // of such a table: from the pattern of a step to the next
	joined       bool         // a step of such a table
	one          VecVirtual   // of few entries
	order        VecVirtual   // that pack leaves lanes in, undone
	along        *patternRegs // of a gather along a pattern
}

// streams reports whether stores may go past the caches.
func (b gatherBody) streams() bool { return b.elem >= 4 && !b.whole() }

// whole reports whether every step is a full one.
func (b gatherBody) whole() bool { return b.table > 0 || b.few }

func gather(g *gen, b body) { gatherFused(g, b, gatherBody{elem: b.width()}) }

func gatherColumns(g *gen, b body) { gatherFused(g, b, gatherBody{elem: b.width(), columns: true}) }

// gatherFew makes a body for columns of a few entries. It loads the step's part of each row of the
// table:
//
//	e := table[0]
//	for k := 1; k < size; k++ { e = table[k] where the index is k }
func gatherFew(g *gen, b body) {
	gatherFused(g, b, gatherBody{elem: b.width(), columns: true, few: true})
}

// gatherFused makes a body that loops over rows, and over a row in full steps with a
// partial one for what is left over, or for what comes before an aligned store. With a
// table in registers a partial step would be as long as a full one: rows are of a step at
// least, and the last step overlaps the one before.
func gatherFused(g *gen, made body, b gatherBody) {
	v := made.isa()
	g.begin(made)
	r := &gatherRegs{gen: g, gatherBody: b, index: made.indexWidth(), lanes: v.gatherLanes(b)}
	r.arguments(v)
	r.beginRow()
	if b.streams() {
		r.alignRow()
	}
	r.loop(v, "loop")
	if b.table > 0 {
		r.joined = true
		r.loop(v, "joined")
	}
	r.restOfRow(v)
	r.nextRow()
}

// arguments loads what all rows have in common.
func (r *gatherRegs) arguments(v isa) {
	r.fragment(fragment{name: "gatherArguments", doc: "loads the arguments."}, func() {
		r.d, r.x, r.rowTable = r.arg("dst"), r.arg("indices"), r.arg("table")
		r.size = v.gatherSize(r)
	})
	r.s = r.rowTable
	if r.columns {
		r.s = r.GP64()
	}
	r.left, r.count, r.pattern = r.GP64(), r.GP64(), r.GP64()
	v.gatherConstants(r)
	if r.columns {
		r.distance = r.GP64()
	}
	r.row, r.advance = r.GP64(), r.GP64()
}

// beginRow begins a row, the first one with what is needed once.
func (r *gatherRegs) beginRow() {
	switch {
	case r.columns: // a row is short, and the next one far
		r.fragment(fragment{name: "columnRows", doc: "finds the prefetch distance of indices, and begins a row."}, func() {
			r.MOVQ(r.argMem("indicesRow"), r.distance)
			r.SHLQ(Imm(2), r.distance)
			r.XORQ(r.row, r.row)
			r.Label("row")
			r.MOVQ(r.rowTable, r.s)
			r.MOVQ(r.argMem("cols"), r.left)
		})
	case r.table > 0:
		r.XORQ(r.row, r.row)
		r.MOVQ(r.argMem("advance"), r.advance)
		r.scale(r.advance, r.lanes)
		r.fragment(fragment{name: "tableRow", doc: "loads a row's table, and goes to the loop for joined rows or on with the other."}, func() {
			r.Label("row")
			loadTable(r)
			r.MOVQ(r.argMem("pattern"), r.pattern)
			r.MOVQ(r.argMem("cols"), r.left)
			r.TESTQ(r.advance, r.advance)
			r.JNZ(LabelRef("joined"))
		})
	default:
		r.XORQ(r.row, r.row)
		r.Label("row")
		r.MOVQ(r.argMem("cols"), r.left)
	}
}

// alignRow begins with the elements before an aligned store, where stores go past the caches.
func (r *gatherRegs) alignRow() {
	r.fragment(fragment{name: "alignRow", doc: "begins with the elements before an aligned store, where stores go past the caches.", registers: map[string]Register{"count": r.count, "left": r.left}}, func() {
		r.CMPB(r.argMem("stream"), Imm(0))
		r.JEQ(LabelRef("loop"))
		r.MOVQ(r.d, r.count)
		r.NEGQ(r.count)
		r.ANDQ(Imm(63), r.count)
		r.SHRQ(Imm(log2(r.elem)), r.count)
		r.JZ(LabelRef("loop"))
		r.CMPQ(r.count, r.left)
		r.CMOVQGT(r.left, r.count)
		r.JMP(LabelRef("partial"))
	})
}

// loop goes through a row in full steps.
func (r *gatherRegs) loop(v isa, label string) {
	r.align()
	r.Label(label)
	r.CMPQ(r.left, num(r.lanes))
	r.JLT(LabelRef("rest"))
	if r.columns || !r.streams() {
		r.prefetch()
	}
	v.gatherStep(r)
	r.fragment(fragment{name: "stepOn", doc: "goes to the next step."}, func() {
		r.ADDQ(num(r.lanes*r.elem), r.d)
		r.ADDQ(num(r.lanes*r.index), r.x)
		if r.columns {
			r.ADDQ(num(r.lanes*r.elem), r.s)
		}
		if r.joined {
			r.ADDQ(r.advance, r.pattern)
		}
		r.SUBQ(num(r.lanes), r.left)
		r.JMP(LabelRef(label))
	})
}

// restOfRow goes back to the loop after a partial step, or for a last one that overlaps the one
// before.
func (r *gatherRegs) restOfRow(v isa) {
	r.fragment(fragment{name: "restOfRow", doc: "begins with what is left of a row, if anything is."}, func() {
		r.Label("rest")
		r.MOVQ(r.left, r.count)
		r.TESTQ(r.left, r.left)
		r.JZ(LabelRef("next"))
	})
	if r.whole() {
		r.fragment(fragment{name: "lastStep", doc: "moves the last step back into the row."}, func() {
			r.SUBQ(num(r.lanes), r.count)
			r.LEAQ(indexed(r.d, r.count, r.elem), r.d)
			r.LEAQ(indexed(r.x, r.count, r.index), r.x)
			r.MOVQ(U32(uint32(r.lanes)), r.left)
			if r.few {
				r.LEAQ(indexed(r.s, r.count, r.elem), r.s)
				return
			}
			r.IMULQ(r.argMem("advance"), r.count)
			r.ADDQ(r.count, r.pattern)
			r.TESTQ(r.advance, r.advance)
			r.JNZ(LabelRef("joined"))
		})
	} else {
		r.Label("partial")
		v.gatherPartial(r)
	}
	r.JMP(LabelRef("loop"))
}

// nextRow goes to the next row, and ends.
func (r *gatherRegs) nextRow() {
	r.fragment(fragment{name: "nextRow", doc: "goes to the next row, and ends.", registers: map[string]Register{"rows": r.row, "left": r.left}}, func() {
		r.Label("next")
		r.Comment("d and x stand at the ends of their rows.")
		t := r.GP64()
		cols := r.argMem("cols")
		r.MOVQ(cols, t)
		r.scale(t, r.elem)
		r.SUBQ(t, r.d)
		r.ADDQ(r.argMem("dstRow"), r.d)
		r.MOVQ(cols, t)
		r.scale(t, r.index)
		r.SUBQ(t, r.x)
		r.ADDQ(r.argMem("indicesRow"), r.x)
		r.ADDQ(r.argMem("tableRow"), r.rowTable)
		r.INCQ(r.row)
		r.CMPQ(r.row, r.argMem("rows"))
		r.JLT(LabelRef("row"))
		if r.streams() {
			r.SFENCE()
		}
		r.good()

		r.Label("bad")
		r.INCQ(r.row)
		r.IMULQ(cols, r.row)
		r.SUBQ(r.left, r.row)
		if r.streams() {
			r.SFENCE()
		}
		r.fail(r.row)
	})
}

// prefetch fetches indices of a step to come.
func (r *gatherRegs) prefetch() {
	for d := 0; d < r.lanes*r.index; d += 64 {
		if r.columns {
			r.PREFETCHT0(indexed(r.x, r.distance, 1).Offset(d))
		} else {
			r.PREFETCHT0(at(r.x, indexDistance+d))
		}
	}
}

// check wraps indices, and leaves the loop if one is out of range.
func (r *gatherRegs) check(v isa, xs []VecVirtual) {
	r.fragment(fragment{name: "checked", doc: "adds the size to negative indices, and leaves the loop if one is out of range."}, func() {
		for _, x := range xs {
			v.wrap(r.gen, x, sized(r.size, x), r.index)
		}
		v.branchBad(r.gen, xs, r.size, r.index, "bad")
	})
}

// intoColumns turns checked indices into places in a table of which each lane has a column.
func (r *gatherRegs) intoColumns(x VecVirtual) {
	if r.lane() == 4 {
		r.VPMULLD(sized(r.step, x), x, x)
		r.VPADDD(sized(r.column, x), x, x)
	} else {
		r.VPMULUDQ(r.step, x, x)
		r.VPADDQ(r.column, x, x)
	}
}

// storeStep stores a step's vector, past the caches if the caller wants so.
func (r *gatherRegs) storeStep(v isa, x VecVirtual) {
	if !r.streams() || r.along != nil {
		v.store(r.gen, x, at(r.d, 0))
		return
	}
	r.fragment(fragment{name: "storeStep", doc: "stores a vector, past the caches if the caller wants so.", registers: map[string]Register{"x": x}}, func() {
		r.CMPB(r.argMem("stream"), Imm(0))
		r.JNE(LabelRef("stream"))
		v.store(r.gen, x, at(r.d, 0))
		r.JMP(LabelRef("stored"))
		r.Label("stream")
		if !r.columns { // what is not large is in a cache already
			r.prefetch()
		}
		v.storeStream(r.gen, x, at(r.d, 0))
		r.Label("stored")
	})
}

// gatherOffsets makes a body for elements at offsets that are known to be good. It uses no gather
// instruction, so that it also serves CPUs that have a slow one.
func gatherOffsets(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, s, o, n := g.arg("dst"), g.based("src"), g.arg("offsets"), g.arg("n")
	g.fours(n, func(j int) {
		t := g.GP64()
		g.MOVQ(at(o, 8*j), t)
		x := g.loadElem(g.address(s, t, elem), elem)
		g.storeElem(x, at(d, elem*j), elem)
	}, func(by int) {
		g.ADDQ(num(8*by), o)
		g.ADDQ(num(elem*by), d)
	})
}

// gatherEach makes a body that loads elements of one table. Each index is checked in the register
// that it is used from, and never stored as an offset. It serves CPUs whose gather instructions are
// slow. (Zen 3: 0.37-0.43 ns an element; 0.61-0.66 when the offsets of a block are written first
// and read again.)
func gatherEach(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, s := g.arg("dst"), g.arg("table")
	g.directRows(direct{b.indexWidth(), s, 0, nil, func(j int, k Register) {
		g.storeElem(g.loadElem(indexed(s, k, elem), elem), at(d, elem*j), elem)
	}, func(by int) { g.ADDQ(num(elem*by), d) }, func() {
		g.ADDQ(g.argMem("dstGap"), d)
		g.ADDQ(g.argMem("tableRow"), s)
	}})
}

// gatherEachColumns is gatherEach for columns: the table moves on with the elements. Its rows lie
// in memory, as a rule, so indices are asked for as for a far table.
func gatherEachColumns(g *gen, b body) {
	elem := b.width()
	g.begin(b)
	d, s, step := g.arg("dst"), g.arg("table"), g.arg("step")
	ahead, dstAhead := g.arg("ahead"), g.arg("dstAhead")
	g.directRows(direct{b.indexWidth(), nil, 0, func(x Register) {
		g.PREFETCHT1(indexed(x, ahead, 1))
		g.PREFETCHT0(at(x, nearDistance))
		g.PREFETCHT0(indexed(d, dstAhead, 1))
	}, func(j int, k Register) {
		g.IMULQ(step, k)
		g.storeElem(g.loadElem(indexed(s, k, 1).Offset(elem*j), elem), at(d, elem*j), elem)
	}, func(by int) {
		g.ADDQ(num(elem*by), d)
		g.ADDQ(num(elem*by), s)
	}, func() {
		g.ADDQ(g.argMem("dstGap"), d)
		g.ADDQ(g.argMem("tableGap"), s)
	}})
}

// pairs runs body n ≥ 1 times, two at a time: one at a time costs 10-15 % more in the first-level
// cache. An odd number begins in the middle of a pair:
//
//	if n is odd { move back by one; n++; goto odd }
//	for n > 0 {
//		body(0)
//	odd:
//		body(1)
//		move on by two; n -= 2
//	}
func (g *gen) pairs(n Register, body func(j int), advance func(by int)) {
	g.pairLoop(n, body, advance)
	g.ret()
}

// pairLoop is pairs without an end.
func (g *gen) pairLoop(n Register, body func(j int), advance func(by int)) {
	g.fragment(fragment{name: "odd", doc: "begins in the middle of a pair if the number is odd.", registers: map[string]Register{"n": n}}, func() {
		g.TESTQ(U32(1), n)
		g.JZ(LabelRef("loop"))
		advance(-1)
		g.INCQ(n)
		g.JMP(LabelRef("odd"))
	})
	g.align()
	g.Label("loop")
	body(0)
	g.Label("odd")
	body(1)
	advance(2)
	g.SUBQ(num(2), n)
	g.JNZ(LabelRef("loop"))
}

// fours runs body n ≥ 1 times, four at a time, then one at a time: pairs cost gathers up to a third
// more.
func (g *gen) fours(n Register, body func(j int), advance func(by int)) {
	g.SUBQ(num(4), n)
	g.JLT(LabelRef("rest"))
	g.align()
	g.Label("loop")
	for j := range 4 {
		body(j)
	}
	advance(4)
	g.SUBQ(num(4), n)
	g.JGE(LabelRef("loop"))
	g.Label("rest")
	g.ADDQ(num(4), n)
	g.JZ(LabelRef("done"))
	g.Label("tail")
	body(0)
	advance(1)
	g.DECQ(n)
	g.JNZ(LabelRef("tail"))
	g.Label("done")
	g.ret()
}

// direct is what a body does with the indices of rows, each in the register that it is checked in.
type direct struct {
	index    int                     // bytes of an index
	table    Register                // of a row, after which tables are prefetched; or nil
	cell     int                     // bytes of a cell, which is written and in a far table prefetched; or 0
	prefetch func(x Register)        // without a table, with every step, whose indices begin at x
	body     func(j int, k Register) // for index k, the jth of a step
	advance  func(by int)            // after so many indices
	next     func()                  // after a row
}

// directRows runs body for each index of rows until one is bad, and returns how many it has run. A
// step checks all its indices before it uses one. From the first negative one on, size is added to
// those that are, without a branch, and in the rows after it, too: if each row began without, a
// branch would be mispredicted in each. (Zen 4, call 3500001.161 of bench, rows of 4, half of them
// negative, ns an index: 2.3 and 1.1.) The indices of a step with a bad one, and those after the
// last whole step, go one by one. (A loop of single indices alone costs 8-30 % more.)
//
//	signs = false
//	for range rows {
//		left = cols
//		for ; !signs && left >= 4 && every x[:4] is below size and not negative; left -= 4 { few() }
//		signs = signs || left >= 4
//		for ; left >= 4 && every x[:4] is good; left -= 4 { few() }
//		for ; left > 0 && x[0] is good; left-- {
//			body(0)
//			x = x[1:]
//		}
//		if left > 0 { break }
//		next()
//		x = the next row, indicesGap bytes on
//	}
//	return how many have run
//
//	few() {
//		if pace == 0 { prefetch indices } // each of the three is a loop of its own
//		if pace < 0 { prefetch indices for a large table }
//		if pace > 0 { fetch two cache lines at ahead bytes after the table; ahead += pace }
//		body(0), …, body(3)
//		x = x[4:]
//	}
func (g *gen) directRows(r direct) {
	rows, x, size, left, signs := g.arg("rows"), g.arg("indices"), g.arg("size"), g.GP64(), g.GP64()
	g.XORQ(signs, signs)
	g.Label("row")
	g.MOVQ(g.argMem("cols"), left)
	g.directRow(r, x, size, left, signs)
	g.Label("next")
	r.next()
	g.fragment(fragment{name: "rowsDone", doc: "goes to the next row, and returns how many indices were used.", registers: map[string]Register{"rows": rows, "x": x, "left": left}}, func() {
		g.ADDQ(g.argMem("indicesGap"), x)
		g.DECQ(rows)
		g.JNZ(LabelRef("row"))
		g.MOVQ(g.argMem("cols"), left)
		g.Label("stop")
		done := g.arg("rows")
		g.SUBQ(rows, done)
		g.INCQ(done)
		g.IMULQ(g.argMem("cols"), done)
		g.SUBQ(left, done)
		g.fail(done)
	})
}

// indicesAhead prefetches indices that are read in one run: far ahead into the second-level cache,
// and near into the first. Far ahead into the first they would wait for memory in the places that a
// core has for misses of that cache, and which loads of the table want.
func (g *gen) indicesAhead(x Register) {
	g.PREFETCHT1(at(x, indexDistance))
	g.PREFETCHT0(at(x, nearDistance))
}

// directRow is the loops of directRows over a row. It goes on at next after the last index, and at
// stop where one is bad. In the caches a loop without the fetch is 10 % faster.
func (g *gen) directRow(r direct, x, size, left, signs Register) {
	const step = 4
	var indices [step]GPVirtual
	for j := range indices {
		indices[j] = g.GP64()
	}
	check := func(k Register, otherwise string) Register {
		g.CMPQ(k, size)
		g.JCC(LabelRef(otherwise))
		return k
	}
	load := func(j int, otherwise string) Register {
		k := indices[j]
		if r.index == 4 { // what is negative becomes large
			g.MOVL(at(x, 4*j), k.As32())
		} else {
			g.MOVQ(at(x, 8*j), k)
		}
		return check(k, otherwise)
	}
	wrap := func(j int, otherwise string) Register {
		k, fromEnd := indices[j], g.GP64()
		g.fragment(fragment{name: "fromEnd", doc: "loads an index, counted from the end if it is negative, and checks it."}, func() {
			if r.index == 4 {
				g.MOVLQSX(at(x, 4*j), k)
			} else {
				g.MOVQ(at(x, 8*j), k)
			}
			g.LEAQ(indexed(size, k, 1), fromEnd)
			g.TESTQ(k, k)
			g.CMOVQLT(fromEnd, k)
			check(k, otherwise)
		})
		return k
	}
	move := func(by int) {
		g.ADDQ(num(r.index*by), x)
		r.advance(by)
	}
	loop := func(label string, fetch func(x Register), f fragment, load func(int, string) Register, cell int, otherwise string) {
		g.align()
		g.Label(label)
		g.CMPQ(left, num(step))
		g.JLT(LabelRef("rest"))
		fetch(x)
		g.fragment(f, func() {
			for j := range indices {
				load(j, otherwise)
			}
			for _, k := range indices {
				if cell > 0 {
					g.PREFETCHT0(indexed(r.table, k, cell))
				}
			}
			for j, k := range indices {
				r.body(j, k)
			}
			move(step)
		})
		g.SUBQ(num(step), left)
		g.JMP(LabelRef(label))
	}
	few := fragment{name: "fewIndices", doc: "uses some indices, if all of them are good and not negative."}
	near, fetch := r.prefetch, r.prefetch
	if r.table != nil {
		ahead, pace := g.GP64(), g.GP64()
		g.fragment(fragment{name: "chooseAhead", doc: "chooses the loop by what it prefetches.", registers: map[string]Register{"table": r.table, "ahead": ahead, "pace": pace}}, func() {
			g.MOVQ(g.argMem("ahead"), ahead)
			g.ADDQ(r.table, ahead)
			g.MOVQ(g.argMem("pace"), pace)
			g.TESTQ(signs, signs)
			g.JNZ(LabelRef("wrap"))
			g.TESTQ(pace, pace)
			g.JLT(LabelRef("far"))
			g.JNZ(LabelRef("fetch"))
		})
		near = func(x Register) { g.PREFETCHT0(at(x, indexDistance)) }
		fetch = func(x Register) {
			g.fragment(fragment{name: "tableAhead", doc: "prefetches indices, and a part of a table to come.", registers: map[string]Register{"x": x, "ahead": ahead, "pace": pace}}, func() {
				near(x)
				g.PREFETCHT0(at(ahead, 0))
				g.PREFETCHT0(at(ahead, 64))
				g.ADDQ(pace, ahead)
			})
		}
	} else {
		g.TESTQ(signs, signs)
		g.JNZ(LabelRef("wrap"))
	}
	loop("loop", near, few, load, 0, "negative")
	if r.table != nil {
		far := few
		if r.cell > 0 {
			far = fragment{name: "fewFar", doc: "is fewIndices for cells that are not in the first-level cache."}
		}
		loop("far", g.indicesAhead, far, load, r.cell, "negative")
		loop("fetch", fetch, few, load, 0, "negative")
	}
	g.Label("negative")
	g.MOVQ(I32(1), signs)
	loop("wrap", fetch, fragment{name: "fewFromEnd", doc: "uses some indices, if all of them are good."}, wrap, 0, "tail")

	g.Label("rest")
	g.TESTQ(left, left)
	g.JZ(LabelRef("next"))
	g.Label("tail")
	r.body(0, wrap(0, "stop"))
	move(1)
	g.DECQ(left)
	g.JNZ(LabelRef("tail"))
}

// scale emits r *= width.
func (g *gen) scale(r Register, width int) {
	if width > 1 {
		g.SHLQ(Imm(log2(width)), r)
	}
}

// address returns base[index] for elements of a width; of 16 bytes, index is scaled in place.
func (g *gen) address(base, index Register, elem int) Mem {
	if elem == 16 {
		g.SHLQ(Imm(1), index)
		elem = 8
	}
	return indexed(base, index, elem)
}

// loadElem loads one element into a general register, or of 16 or 32 bytes into a vector of so
// many.
func (g *gen) loadElem(m Mem, elem int) Register {
	if elem >= 16 {
		x := g.vector(elem)
		g.VMOVDQU(m, x)
		return x
	}
	x := g.GP64()
	switch elem {
	case 1:
		g.MOVBLZX(m, x.As32())
	case 2:
		g.MOVWLZX(m, x.As32())
	case 4:
		g.MOVL(m, x.As32())
	case 8:
		g.MOVQ(m, x)
	}
	return x
}

func (g *gen) storeElem(x Register, m Mem, elem int) {
	switch elem {
	case 1:
		g.MOVB(x.(GPVirtual).As8(), m)
	case 2:
		g.MOVW(x.(GPVirtual).As16(), m)
	case 4:
		g.MOVL(x.(GPVirtual).As32(), m)
	case 8:
		g.MOVQ(x, m)
	case 16, 32:
		g.VMOVDQU(x, m)
	}
}
