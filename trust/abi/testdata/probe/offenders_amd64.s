#include "textflag.h"

// Planted offenders: each spoils one thing that a body must leave alone, and the
// first two spoil nothing. offenders.go says what has to be found.

// All that ABI0 leaves to the callee.
TEXT ·innocentScratch(SB), NOSPLIT, $0-0
	XORQ AX, AX
	XORQ BX, BX
	XORQ CX, CX
	XORQ DX, DX
	XORQ SI, SI
	XORQ DI, DI
	XORQ R8, R8
	XORQ R9, R9
	XORQ R10, R10
	XORQ R11, R11
	XORQ R12, R12
	XORQ R13, R13
	XORQ R14, R14
	XORQ R15, R15
	VZEROUPPER
	RET

// A frame, in which the assembler saves BP.
TEXT ·innocentFrame(SB), NOSPLIT, $8-8
	MOVQ $1, BP
	MOVQ BP, x-8(SP)
	CMPQ BP, $1
	JNE  other
	VZEROUPPER
	RET

other:
	MOVQ BP, ret+0(FP)
	VZEROUPPER
	RET

TEXT ·offendBP(SB), NOSPLIT, $0-0
	MOVQ $1, BP
	VZEROUPPER
	RET

// RET $8
TEXT ·offendSP(SB), NOSPLIT, $0-0
	VZEROUPPER
	BYTE $0xC2; BYTE $0x08; BYTE $0x00
	RET

TEXT ·offendDF(SB), NOSPLIT, $0-0
	STD
	VZEROUPPER
	RET

TEXT ·offendMXCSR(SB), NOSPLIT, $8-0
	MOVL $0x1F80, x-8(SP) // the default of Go, which is not what the caller had
	LDMXCSR x-8(SP)
	VZEROUPPER
	RET

TEXT ·offendFCW(SB), NOSPLIT, $8-0
	MOVL $0x037F, x-8(SP)
	FLDCW x-8(SP)
	VZEROUPPER
	RET

TEXT ·offendMMX(SB), NOSPLIT, $0-0
	MOVQ AX, M3
	VZEROUPPER
	RET

// It writes past its results.
TEXT ·offendStack(SB), NOSPLIT, $0-8
	MOVQ $1, ret+0(FP)
	MOVQ $1, beyond+8(FP)
	VZEROUPPER
	RET

TEXT ·offendForgetful(SB), NOSPLIT, $0-0
	RET

#define DIRTYY(name, y) \
TEXT name(SB), NOSPLIT, $0-0; \
	VZEROUPPER; \
	VPCMPEQD y, y, y; \
	RET

DIRTYY(·offendY0, Y0)
DIRTYY(·offendY1, Y1)
DIRTYY(·offendY2, Y2)
DIRTYY(·offendY3, Y3)
DIRTYY(·offendY4, Y4)
DIRTYY(·offendY5, Y5)
DIRTYY(·offendY6, Y6)
DIRTYY(·offendY7, Y7)
DIRTYY(·offendY8, Y8)
DIRTYY(·offendY9, Y9)
DIRTYY(·offendY10, Y10)
DIRTYY(·offendY11, Y11)
DIRTYY(·offendY12, Y12)
DIRTYY(·offendY13, Y13)
DIRTYY(·offendY14, Y14)
DIRTYY(·offendY15, Y15)

// The upper 256 bits alone.
#define DIRTYZ(name, z) \
TEXT name(SB), NOSPLIT, $0-0; \
	VZEROUPPER; \
	MOVQ $0xF0, AX; \
	KMOVW AX, K1; \
	VPTERNLOGQ $0xFF, z, z, K1, z; \
	RET

DIRTYZ(·offendZ0, Z0)
DIRTYZ(·offendZ1, Z1)
DIRTYZ(·offendZ2, Z2)
DIRTYZ(·offendZ3, Z3)
DIRTYZ(·offendZ4, Z4)
DIRTYZ(·offendZ5, Z5)
DIRTYZ(·offendZ6, Z6)
DIRTYZ(·offendZ7, Z7)
DIRTYZ(·offendZ8, Z8)
DIRTYZ(·offendZ9, Z9)
DIRTYZ(·offendZ10, Z10)
DIRTYZ(·offendZ11, Z11)
DIRTYZ(·offendZ12, Z12)
DIRTYZ(·offendZ13, Z13)
DIRTYZ(·offendZ14, Z14)
DIRTYZ(·offendZ15, Z15)
