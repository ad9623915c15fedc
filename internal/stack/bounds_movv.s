//go:build (loong64 || mips64 || mips64le) && !purego && !noasm

#include "textflag.h"

// func bounds() (low, high uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVV 0(g), R4
	MOVV 8(g), R5
	MOVV R4, low+0(FP)
	MOVV R5, high+8(FP)
	RET
