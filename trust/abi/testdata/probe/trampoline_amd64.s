#include "textflag.h"
#include "funcdata.h"

// call calls a body as Go does by ABI0, with its arguments on the stack, from a
// state in which everything is poisoned that the body could spoil.
//
// What must survive is kept in memory of its own, for a body may spoil the stack
// pointer, too. All vectors are set to ones before the call, so that a body without
// VZEROUPPER is seen even if it touches none of them.

// Where the state is kept.
#define keptSP state<>+0(SB)
#define keptBP state<>+8(SB)
#define keptG state<>+16(SB)
#define keptMXCSR state<>+24(SB)
#define keptFCW state<>+28(SB)
#define target state<>+32(SB)
#define wide state<>+40(SB)
#define poisonedMXCSR state<>+48(SB)
#define poisonedFCW state<>+52(SB)
GLOBL state<>(SB), NOPTR, $64

// The layout of the result, a struct of the Go side.
#define gotSP result<>+0(SB)
#define gotBP result<>+8(SB)
#define gotFlags result<>+16(SB)
#define gotMXCSR result<>+24(SB)
#define gotFCW result<>+32(SB)
#define gotENV result<>+40(SB)
GLOBL result<>(SB), NOPTR, $1104

#define poison(i, r) MOVQ $(0x5A5A5A5A00000000+i), r

#define EACH16(f) \
	f(0, Y0, Z0); f(1, Y1, Z1); f(2, Y2, Z2); f(3, Y3, Z3); \
	f(4, Y4, Z4); f(5, Y5, Z5); f(6, Y6, Z6); f(7, Y7, Z7); \
	f(8, Y8, Z8); f(9, Y9, Z9); f(10, Y10, Z10); f(11, Y11, Z11); \
	f(12, Y12, Z12); f(13, Y13, Z13); f(14, Y14, Z14); f(15, Y15, Z15)

#define onesY(i, y, z) VPCMPEQD y, y, y
#define onesZ(i, y, z) VPTERNLOGD $0xFF, z, z, z
#define storeY(i, y, z) VMOVDQU y, result<>+(80+64*i)(SB)
#define storeZ(i, y, z) VMOVDQU64 z, result<>+(80+64*i)(SB)

// func call(fn uintptr, frame *[48]uint64, zmm bool, got *state)
TEXT ·call(SB), 0, $512-32
	NO_LOCAL_POINTERS
	MOVBQZX zmm+16(FP), AX
	MOVQ AX, wide
	MOVQ fn+0(FP), AX
	MOVQ AX, target

	// The arguments, and above them words that are the caller's own.
	MOVQ frame+8(FP), SI
	XORQ CX, CX
in:
	MOVQ (SI)(CX*8), AX
	MOVQ AX, 0(SP)(CX*8)
	INCQ CX
	CMPQ CX, $48
	JLT  in

	MOVQ SP, keptSP
	MOVQ BP, keptBP
	MOVQ R14, keptG
	STMXCSR keptMXCSR
	FSTCW keptFCW
	MOVL $0x5F80, poisonedMXCSR // rounds up
	LDMXCSR poisonedMXCSR
	MOVL $0x0A7F, poisonedFCW // rounds up, to 53 bits
	FLDCW poisonedFCW

	CMPQ wide, $0
	JEQ  narrow
	EACH16(onesZ)
	KXNORW K1, K1, K1
	KXNORW K2, K2, K2
	KXNORW K3, K3, K3
	KXNORW K4, K4, K4
	KXNORW K5, K5, K5
	KXNORW K6, K6, K6
	KXNORW K7, K7, K7
	JMP  poisoned
narrow:
	EACH16(onesY)
poisoned:
	poison(1, BX)
	poison(2, CX)
	poison(3, DX)
	poison(4, SI)
	poison(5, DI)
	poison(6, BP)
	poison(8, R8)
	poison(9, R9)
	poison(10, R10)
	poison(11, R11)
	poison(12, R12)
	poison(13, R13)
	poison(14, R14)
	poison(15, R15)
	MOVQ target, AX
	CALL AX

	MOVQ SP, gotSP
	MOVQ keptSP, SP
	MOVQ BP, gotBP
	MOVQ keptBP, BP
	MOVQ keptG, R14
	PUSHFQ
	POPQ AX
	MOVQ AX, gotFlags
	CLD
	STMXCSR gotMXCSR
	LDMXCSR keptMXCSR
	FSTCW gotFCW
	FSTENV gotENV
	EMMS
	FLDCW keptFCW
	MOVQ keptSP, AX
	SUBQ AX, gotSP
	MOVQ $0x5A5A5A5A00000006, AX
	SUBQ AX, gotBP
	CMPQ wide, $0
	JEQ  narrowed
	EACH16(storeZ)
	JMP  stored
narrowed:
	EACH16(storeY)
stored:
	VZEROUPPER

	MOVQ frame+8(FP), DI
	XORQ CX, CX
out:
	MOVQ 0(SP)(CX*8), AX
	MOVQ AX, (DI)(CX*8)
	INCQ CX
	CMPQ CX, $48
	JLT  out
	MOVQ got+24(FP), DI
	LEAQ result<>(SB), SI
	XORQ CX, CX
copy:
	MOVQ (SI)(CX*8), AX
	MOVQ AX, (DI)(CX*8)
	INCQ CX
	CMPQ CX, $138
	JLT  copy
	RET
