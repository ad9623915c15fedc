package abi

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
)

// How many operands an instruction writes, from the first one on. One that isn't listed is
// a finding.
var a64Writes = func() map[string]int {
	writes := map[string]int{}
	for i, ops := range []string{
		"B CBNZ CBZ CCMN CCMP CMN CMP FCMP NOP PRFM RET ST3 STP STR STRB STRH STUR TBNZ TBZ TST",
		"ADD ADDS ADRP AND ANDS ASR BIC BIF BIT BSL CINC CMEQ CMGE CMGT CMHI CMHS CMTST CNEG CSEL CSET CSETM DUP EOR EXT FADD FCMGE FCMGT FCSEL FCVT FCVTL FCVTL2 FCVTN FCVTN2 " +
			"FMOV FMUL INS LD2 LD3 LD4 LDR LDRB LDRH LDRSB LDRSH LDRSW LDUR LSL LSR MADD MOV MOVI MOVK MOVN MOVZ MSUB MUL MVN NEG NEGS ORR REV REV64 SBFX SHL SMAX SMIN SMULL SRI SUB SUBS SXTW " +
			"TBL TBX UADDLP UBFX UMADDL UMAX UMAXV UMIN UMLAL UMOV UMULL USHR UZP1 UZP2 UXTB UXTH XTN ZIP1 ZIP2",
		"LDP",
	} {
		for op := range strings.FieldsSeq(ops) {
			writes[op] = i
		}
	}
	return writes
}()

// DecodeA64 returns what a body's machine code writes that is not its own, one line each. No
// body has a frame.
func DecodeA64(b Body, code []byte) (findings []string) {
	for pc := 0; pc+4 <= len(code); pc += 4 {
		word := binary.LittleEndian.Uint32(code[pc:])
		if word == 0 { // what a body is filled up with, after its last instruction
			continue
		}
		find := func(inst any, what string) {
			findings = append(findings, fmt.Sprintf("+%#x %v: %s", pc, inst, what))
		}
		inst, err := arm64asm.Decode(code[pc:])
		if err != nil {
			find(fmt.Sprintf("%08x", word), err.Error())
			continue
		}
		n, known := a64Writes[inst.Op.String()]
		if !known {
			find(inst, "is not known to leave all else alone")
		}
		for i, a := range inst.Args {
			written := ""
			if i < n {
				written = fmt.Sprint(a)
			} else if m, ok := a.(arm64asm.MemImmediate); ok && m.Mode != arm64asm.AddrOffset {
				written = fmt.Sprint(m.Base)
			}
			if r := forbidden(written); r != "" {
				find(inst, "writes "+r)
			}
			if m, ok := a.(arm64asm.MemImmediate); ok && m.Base == arm64asm.RegSP(arm64asm.SP) && !isArgument(b, inst, m) {
				find(inst, "reaches the caller's stack")
			}
		}
	}
	return findings
}

// forbidden returns the register that is written, if a body may not.
func forbidden(written string) string {
	if written == "SP" || written == "WSP" {
		return "SP"
	}
	if len(written) < 2 || written[0] != 'X' && written[0] != 'W' || !slices.Contains([]string{"18", "26", "27", "28", "29", "30"}, written[1:]) {
		return ""
	}
	return "R" + written[1:]
}

var offsetOfSP = regexp.MustCompile(`^\[SP,#(\d+)\]$`)

// isArgument reports whether an access by SP stays among the parameters and results, which
// begin above the slot of the return address.
func isArgument(b Body, inst arm64asm.Inst, m arm64asm.MemImmediate) bool {
	at := offsetOfSP.FindStringSubmatch(m.String())
	if at == nil {
		return false
	}
	from, _ := strconv.Atoi(at[1])
	register := fmt.Sprint(inst.Args[0])
	size := map[byte]int{'B': 1, 'H': 2, 'S': 4, 'W': 4, 'D': 8, 'X': 8, 'Q': 16}[register[0]]
	switch op := inst.Op.String(); {
	case strings.HasSuffix(op, "RB") || strings.HasSuffix(op, "SB"):
		size = 1
	case strings.HasSuffix(op, "RH") || strings.HasSuffix(op, "SH"):
		size = 2
	case strings.HasSuffix(op, "P"):
		size *= 2
	}
	return size > 0 && from >= 8 && from+size <= 8+b.ArgBytes
}
