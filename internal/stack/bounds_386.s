//go:build !purego && !noasm

#include "textflag.h"

// func bounds() (low, high uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-8
	MOVL TLS, CX
	MOVL 0(CX)(TLS*1), AX // g
	MOVL 0(AX), BX
	MOVL 4(AX), CX
	MOVL BX, low+0(FP)
	MOVL CX, high+4(FP)
	RET
