package abi

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// What the general instructions do with their first operand. One that isn't listed is a
// finding, as is each vector instruction that touches a control word. (MOVSB also changes RDI, RSI and,
// repeated, RCX, which are a body's own.)
var (
	x86Writes = strings.Fields("ADD AND BZHI CMOVA CMOVAE CMOVB CMOVBE CMOVE CMOVG CMOVGE CMOVL CMOVLE CMOVNE DEC IMUL INC LEA MOV MOVSB MOVSX MOVSXD MOVZX NEG NOT OR POPCNT " +
		"ROL ROR SAR SARX SETE SETNE SHL SHLX SHR SHRX SUB XOR")
	x86Reads = strings.Fields("CMP JA JAE JB JBE JE JG JGE JL JLE JMP JNE JNO JNS JO JS NOP PREFETCHT0 PREFETCHT1 RET SFENCE TEST")
)

// An x86Stack is what the stack is like before an instruction: how many bytes lie on it
// above the return address, and whether the first eight are the caller's BP.
type x86Stack struct {
	depth   int64
	savedBP bool
}

// DecodeX86 returns what a body's machine code writes that is not its own, on any
// path, one line each.
func DecodeX86(b Body, code []byte) (findings []string) {
	d := &x86Decoder{body: b, code: code, before: map[int]x86Stack{}}
	paths := []int{0}
	d.before[0] = x86Stack{}
	for len(paths) > 0 {
		pc := paths[len(paths)-1]
		paths = paths[:len(paths)-1]
		for _, next := range d.step(pc) {
			if was, ok := d.before[next]; !ok {
				d.before[next] = d.after
				paths = append(paths, next)
			} else if was != d.after {
				d.find(pc, "comes with another stack than other paths do")
			}
		}
	}
	slices.Sort(d.findings)
	return slices.Compact(d.findings)
}

type x86Decoder struct {
	body     Body
	code     []byte
	before   map[int]x86Stack // of the instructions seen
	after    x86Stack         // of the last one
	inst     x86asm.Inst
	findings []string
}

func (d *x86Decoder) find(pc int, format string, args ...any) {
	d.findings = append(d.findings, fmt.Sprintf("+%#x %s: ", pc, d.inst)+fmt.Sprintf(format, args...))
}

// step takes one instruction, and returns where those that follow it begin.
func (d *x86Decoder) step(pc int) (next []int) {
	d.after = d.before[pc]
	if bytes.HasPrefix(d.code[pc:], []byte{0xC5, 0xF8, 0x77}) { // VZEROUPPER, of which x86asm takes a fourth byte
		return []int{pc + 3}
	}
	var err error
	if d.inst, err = x86asm.Decode(d.code[pc:], 64); err != nil {
		d.find(pc, "% x: %v", d.code[pc:min(pc+8, len(d.code))], err)
		return nil
	}
	d.operands(pc)
	end := pc + d.inst.Len
	if d.inst.Op == x86asm.RET {
		d.leave(pc)
		return nil
	}
	if to, ok := d.inst.Args[0].(x86asm.Rel); ok {
		if next = append(next, end+int(to)); d.inst.Op == x86asm.JMP {
			end = -1
		}
	}
	if end >= 0 {
		next = append(next, end)
	}
	for _, pc := range next {
		if pc < 0 || pc >= len(d.code) {
			d.find(pc, "leaves the body")
			return nil
		}
	}
	return next
}

// operands looks at what the instruction writes.
func (d *x86Decoder) operands(pc int) {
	op := d.inst.Op.String()
	for _, a := range d.inst.Args {
		if m, ok := a.(x86asm.Mem); ok && m.Base == x86asm.RSP && op != "LEA" {
			d.stackAccess(pc, m)
		}
	}
	to, isReg := d.inst.Args[0].(x86asm.Reg)
	switch {
	case d.frame(to):
	case slices.Contains(x86Reads, op):
	case !slices.Contains(x86Writes, op) && op[0] != 'K' && (op[0] != 'V' || strings.HasSuffix(op, "MXCSR")):
		d.find(pc, "is not known to leave all else alone")
	case isReg && (to == x86asm.RSP || to == x86asm.ESP || to == x86asm.SP):
		d.find(pc, "writes SP")
	case isReg && (to == x86asm.RBP || to == x86asm.EBP || to == x86asm.BP) && !d.after.savedBP:
		d.find(pc, "writes BP")
	}
}

// frame follows the instructions that the assembler makes and removes a frame with.
func (d *x86Decoder) frame(to x86asm.Reg) bool {
	s := &d.after
	size, immediate := d.inst.Args[1].(x86asm.Imm)
	switch op := d.inst.Op; {
	case op == x86asm.PUSH && to == x86asm.RBP && s.depth == 0:
		*s = x86Stack{8, true}
	case op == x86asm.POP && to == x86asm.RBP && s.depth == 8 && s.savedBP:
		*s = x86Stack{}
	case op == x86asm.SUB && to == x86asm.RSP && immediate && s.savedBP:
		s.depth += int64(size)
	case op == x86asm.ADD && to == x86asm.RSP && immediate && s.depth-int64(size) >= 8:
		s.depth -= int64(size)
	default:
		return false
	}
	return true
}

// stackAccess checks an address that is given by SP: it is in the frame below the saved
// BP, or among the parameters and results.
func (d *x86Decoder) stackAccess(pc int, m x86asm.Mem) {
	if m.Index != 0 {
		d.find(pc, "an index into the stack")
		return
	}
	s := d.before[pc]
	args := s.depth + 8 // above the return address
	from, to := m.Disp, m.Disp+int64(d.inst.MemBytes)
	inFrame := from >= 0 && to <= s.depth-8
	isArg := from >= args && to <= args+int64(d.body.ArgBytes)
	if !inFrame && !isArg {
		d.find(pc, "reaches the caller's stack")
	}
}

// leave checks the stack that a body returns with.
func (d *x86Decoder) leave(pc int) {
	if d.after != (x86Stack{}) {
		d.find(pc, "returns with %d bytes on the stack", d.after.depth)
	}
	if d.inst.Args[0] != nil {
		d.find(pc, "pops arguments")
	}
}
