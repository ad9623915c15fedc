//go:build !purego && !noasm

#include "textflag.h"

// func bounds() (low, high uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVD 0(g), R0
	MOVD 8(g), R1
	MOVD R0, low+0(FP)
	MOVD R1, high+8(FP)
	RET
