//go:build (arm || mips || mipsle) && !purego && !noasm

#include "textflag.h"

// func bounds() (low, high uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-8
	MOVW 0(g), R3
	MOVW 4(g), R4
	MOVW R3, low+0(FP)
	MOVW R4, high+4(FP)
	RET
