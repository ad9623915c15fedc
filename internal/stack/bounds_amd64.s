//go:build !purego && !noasm

#include "textflag.h"

// func bounds() (low, high uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVQ TLS, CX
	MOVQ 0(CX)(TLS*1), AX // g
	MOVQ 0(AX), BX
	MOVQ 8(AX), CX
	MOVQ BX, low+0(FP)
	MOVQ CX, high+8(FP)
	RET
