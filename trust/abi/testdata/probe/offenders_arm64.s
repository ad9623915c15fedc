#include "textflag.h"

// Planted offenders: each spoils one thing that a body must leave alone, and the
// first spoils nothing. offenders.go says what has to be found.

#define ZERO4(a, b, c, d) MOVD ZR, a; MOVD ZR, b; MOVD ZR, c; MOVD ZR, d

// All that the bodies may use.
TEXT ·innocentScratch(SB), NOSPLIT, $0-8
	ZERO4(R0, R1, R2, R3)
	ZERO4(R4, R5, R6, R7)
	ZERO4(R8, R9, R10, R11)
	ZERO4(R12, R13, R14, R15)
	ZERO4(R16, R17, R19, R20)
	ZERO4(R21, R22, R23, R24)
	MOVD ZR, R25
	VEOR V8.B16, V8.B16, V8.B16
	MOVD R25, ret+0(FP)
	RET

TEXT ·offendR18(SB), NOSPLIT, $0-0
	MOVD $1, R18_PLATFORM
	RET

TEXT ·offendR26(SB), NOSPLIT, $0-0
	MOVD $1, R26
	RET

TEXT ·offendR27(SB), NOSPLIT, $0-0
	MOVD $1, R27
	RET

TEXT ·offendR28(SB), NOSPLIT, $0-0
	MOVD $1, g
	RET

TEXT ·offendR29(SB), NOSPLIT, $0-0
	MOVD $1, R29
	RET

TEXT ·offendR30(SB), NOSPLIT, $0-0
	MOVD R30, R9
	MOVD $1, R30
	JMP (R9)

// ADD SP, SP, #16
TEXT ·offendSP(SB), NOSPLIT, $0-0
	WORD $0x910043FF
	RET

TEXT ·offendFPCR(SB), NOSPLIT, $0-0
	MOVD ZR, FPCR
	RET

// It writes past its results.
TEXT ·offendStack(SB), NOSPLIT, $0-8
	MOVD ZR, ret+0(FP)
	MOVD ZR, beyond+8(FP)
	RET
