package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An isa emits the instructions of one instruction set. Widths are in bytes.
type isa interface {
	bytes() int // of a vector
	vec(g *gen) VecVirtual

	// broadcast fills a vector's lanes with the number in a register or in memory.
	broadcast(g *gen, x Op, width int) VecVirtual
	zero(g *gen) VecVirtual
	load(g *gen, m Mem, v Register)
	store(g *gen, v Register, m Mem)
	storeStream(g *gen, v Register, m Mem) // past the caches, to an aligned address

	// wrap adds size to the negative lanes of x. What was in range is then below
	// size, taken as unsigned; nothing else is.
	wrap(g *gen, x VecVirtual, size Register, width int)
	// branchBad jumps if a lane of xs is not below size.
	branchBad(g *gen, xs []VecVirtual, size Register, width int, label string)
	add(g *gen, x Op, into VecVirtual, width int)
	// multiply is into *= x for 64-bit lanes whose upper halves are 0.
	multiply(g *gen, x, into VecVirtual)
	// loadIndices loads 64-bit lanes from indices of a width.
	loadIndices(g *gen, m Mem, width int) VecVirtual

	// gatherLanes is how many elements a step of a gather takes.
	gatherLanes(b gatherBody) int
	// gatherSize returns the size in lanes of an index.
	gatherSize(r *gatherRegs) Register
	gatherConstants(r *gatherRegs)
	// gatherStep gathers that many elements from s by the indices at x and stores them at d.
	gatherStep(r *gatherRegs)
	// gatherPartial does so for count elements, fewer than a step unless the
	// instruction set takes them one by one, and moves d and x (and s in columns) on.
	gatherPartial(r *gatherRegs)

	// movePartial copies count < 64 bytes from s+p to d+p, and moves p on.
	movePartial(g *gen, d, s, p, count Register)
}

// iota returns the lanes 0, 1, 2, … of a width, as a constant.
func (g *gen) iota(width int) Mem {
	b := make([]byte, 64)
	for i := range 64 / width {
		b[i*width] = byte(i)
	}
	return g.constant(bits("iota", width), b)
}

// evens returns the dwords 0, 2, 4, … of two vectors.
func (g *gen) evens() Mem {
	b := make([]byte, 64)
	for i := range 16 {
		b[4*i] = byte(2 * i)
	}
	return g.constant("evens32", b)
}

// transposed returns the permutation of lanes of a width that puts in order what n
// interleaved vectors left: lane j*(lanes/n)+i of the result is lane i*n+j.
func (g *gen) transposed(n, width int) Mem {
	b := make([]byte, 64)
	each := 64 / width / n
	for j := range n {
		for i := range each {
			b[(j*each+i)*width] = byte(i*n + j)
		}
	}
	return g.constant(bits("transpose", width)+bits("of", width*n), b)
}
