package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Tables in registers exist for AVX-512 alone. On AVX2 a permutation reaches 8
// entries of 4 bytes or 16 of one, and the tables that users have (32 entries
// and more) take so many of them that gathers are as fast.

// tableEntries is the largest table that fits, in entries: eight vectors of 4-
// and 8-byte elements, four of narrower ones.
var tableEntries = map[int]int{1: 256, 2: 128, 4: 128, 8: 64}

// gatherTable makes a body for tables of up to tableEntries.
func gatherTable(g *gen, b body) {
	gatherFused(g, b, gatherBody{elem: b.width(), table: tableEntries[b.width()]})
}

// loadTable loads a row's table, without reading past its end.
func loadTable(r *gatherRegs) {
	each := 64 / r.elem // entries of a register
	ones, n, zero := r.GP64(), r.GP64(), r.GP64()
	r.MOVQ(I32(-1), ones)
	r.XORQ(zero, zero)
	r.MOVQ(r.argMem("entries"), n)
	for i, e := range r.entries {
		k, m := r.K(), r.GP64()
		r.fragment(fragment{name: "tableRegister", doc: "loads a register of the table, less what lies beyond its end.", registers: map[string]Register{"entries": e}}, func() {
			if i > 0 {
				r.SUBQ(num(each), n)
				r.CMOVQLT(zero, n)
			}
			if r.table < 256 {
				r.BZHIQ(n, ones, m)
			} else { // BZHI looks at the lowest byte of n alone
				most := r.GP64()
				r.MOVQ(U32(64), most)
				r.CMPQ(n, most)
				r.CMOVQLT(n, most)
				r.BZHIQ(most, ones, m)
			}
			r.KMOVQ(m, k)
			loadMasked(r.gen, at(r.s, 64*i), k, e.AsZ(), r.elem)
		})
		if i == 1 && len(r.entries) > 2 {
			r.CMPQ(r.argMem("entries"), num(2*each))
			r.JLE(LabelRef("loaded"))
		}
	}
	if len(r.entries) > 2 {
		r.Label("loaded")
	}
}

// wholeStep looks up the elements of a step in a table in registers, or in a few rows.
func (v avx512) wholeStep(r *gatherRegs) {
	var x VecVirtual
	r.fragment(fragment{name: "tableIndices", doc: "loads a step's indices, wrapped, checked and as wide as elements."}, func() {
		x = v.gathered(r, v.checkedIndices(r))
	})
	if r.few {
		r.fragment(fragment{name: "entries", doc: "stores the elements of a few rows that a step's indices name."}, func() {
			v.storeGathered(r, amongFew(r, x))
		})
		return
	}
	small := "small"
	if r.joined {
		small = "smallJoined"
		addLanes(r.gen, at(r.pattern, 0), x, r.elem)
	}
	r.fragment(fragment{name: "lookUp", doc: "stores the elements that a step's indices name."}, func() {
		v.storeGathered(r, lookUp(r, x, small))
	})
}

// addLanes adds to the lanes of x, each of an element.
func addLanes(g *gen, from Op, x Register, elem int) {
	switch elem {
	case 1:
		g.VPADDB(from, x, x)
	case 2:
		g.VPADDW(from, x, x)
	case 4:
		g.VPADDD(from, x, x)
	case 8:
		g.VPADDQ(from, x, x)
	}
}

// amongFew returns, for each lane, the element of the row that x names.
func amongFew(r *gatherRegs, x VecVirtual) VecVirtual {
	e, k, mask := r.ZMM(), r.ZMM(), r.K()
	row, left := r.GP64(), r.GP64()
	r.MOVQ(r.s, row)
	r.MOVQ(r.argMem("size"), left)
	r.VMOVDQU64(at(row, 0), e)
	r.VMOVDQA64(r.one, k)
	r.DECQ(left)
	r.JZ(LabelRef("found"))
	r.Label("entry")
	r.ADDQ(r.argMem("step"), row)
	switch r.elem {
	case 1:
		r.VPCMPEQB(k, x, mask)
	case 2:
		r.VPCMPEQW(k, x, mask)
	case 4:
		r.VPCMPEQD(k, x, mask)
	case 8:
		r.VPCMPEQQ(k, x, mask)
	}
	blend(r.gen, at(row, 0), mask, e, r.elem)
	addLanes(r.gen, r.one, k, r.elem)
	r.DECQ(left)
	r.JNZ(LabelRef("entry"))
	r.Label("found")
	return e
}

// lookUp returns table[x], in lanes of an element:
//
//	found := the entry among the first two registers, by the low bits of x
//	if the table has more {
//		found = the entry among the next two, where the next bit of x is set
//		…, and so on for four pairs of registers and two bits
//	}
func lookUp(r *gatherRegs, x VecVirtual, small string) VecVirtual {
	pairs := len(r.entries) / 2
	pair := func(p int) VecVirtual {
		out := r.ZMM()
		r.VMOVDQA64(x, out)
		permuteTwo(r.gen, r.entries[2*p+1], r.entries[2*p], out, r.elem)
		return out
	}
	found := pair(0)
	r.CMPQ(r.argMem("entries"), num(2*64/r.elem))
	r.JLE(LabelRef(small))
	masks := make([]Register, len(r.bits))
	for i, bit := range r.bits {
		masks[i] = r.K()
		testBit(r.gen, x, bit, masks[i], r.elem)
	}
	blend(r.gen, pair(1), masks[0], found, r.elem)
	if pairs == 4 {
		upper := pair(2)
		blend(r.gen, pair(3), masks[0], upper, r.elem)
		blend(r.gen, upper, masks[1], found, r.elem)
	}
	r.Label(small)
	return found
}
