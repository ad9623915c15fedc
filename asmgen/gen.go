package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gen is avo's context with the methods that all bodies share.
type gen struct {
	*build.Context
	constants map[string]Mem
	fragments []fragment
}

// bits names a width as symbols do: X32, I64.
func bits(prefix string, bytes int) string { return fmt.Sprint(prefix, 8*bytes) }

// begin begins a body.
func (g *gen) begin(b body) {
	g.Function(b.symbol)
	g.Attributes(attr.NOSPLIT)
	g.SignatureExpr(b.sig)
}

// isa returns the mnemonics of a body's level.
func (b body) isa() isa { return amd64Levels[b.level].isa }

// width returns the bytes of a body's elements, and indexWidth those of its indices.
func (b body) width() int      { return bytesOf(b.elem) }
func (b body) indexWidth() int { return bytesOf(b.index) }

// bytesOf returns the bytes of X32, I64 or C64.
func bytesOf(elem string) int {
	bits, err := strconv.Atoi(strings.TrimLeft(elem, "XIUBFC"))
	if err != nil {
		panic(err)
	}
	return bits / 8
}

func (g *gen) arg(name string) GPVirtual {
	r := g.GP64()
	g.Load(g.Param(name), r)
	return r
}

// based loads a pointer and adds the parameter at to it, in bytes: what offsets
// count from may itself lie outside a slice, where no Go pointer may point.
func (g *gen) based(name string) GPVirtual {
	r := g.arg(name)
	g.ADDQ(g.argMem("at"), r)
	return r
}

// argMem returns a parameter in its place on the stack.
func (g *gen) argMem(name string) Mem {
	c, err := g.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return c.Addr
}

func (g *gen) resultMem() Mem {
	c, err := g.ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	return c.Addr
}

// ret ends a body. The upper halves of vector registers are cleared, or SSE
// code elsewhere would be slowed down.
func (g *gen) ret() {
	g.VZEROUPPER()
	g.RET()
}

// fail returns where a bad index is, or a place soon before it: the Go side looks for it from
// there.
func (g *gen) fail(at Register) {
	g.Store(at, g.ReturnIndex(0))
	g.ret()
}

// good returns -1, for no bad index.
func (g *gen) good() {
	none := g.GP64()
	g.MOVQ(I32(-1), none)
	g.fail(none)
}

// log2 of a width in bytes.
func log2(n int) uint64 {
	k := uint64(0)
	for ; 1<<k < n; k++ {
	}
	return k
}

// at returns a memory operand.
func at(base Register, disp int) Mem { return Mem{Base: base, Disp: disp} }

func indexed(base, index Register, scale int) Mem {
	return Mem{Base: base, Index: index, Scale: uint8(scale)}
}

// constant returns a read-only datum of 64 bytes or fewer.
func (g *gen) constant(name string, bytes []byte) Mem {
	if m, ok := g.constants[name]; ok {
		return m
	}
	m := g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := 0; i < len(bytes); i += 8 {
		var v uint64
		for k := range 8 {
			v |= uint64(bytes[i+k]) << (8 * k)
		}
		g.AppendDatum(U64(v))
	}
	g.constants[name] = m
	return m
}

// num returns an immediate operand as additions and compares take it.
func num(n int) Op {
	if -128 <= n && n <= 127 {
		return I8(n)
	}
	return I32(n)
}

// align begins the next loop on a boundary that instructions are fetched from. (Zen 5, maxima of
// uint8 at offsets, a loop of 62 bytes from such a boundary on and 16 bytes before one: 0.57 and
// 0.67 ns.)
func (g *gen) align() {
	g.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(64)}})
}
