//go:build !purego && !noasm

#include "textflag.h"

// func bounds() (low, high uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOV 0(g), X5
	MOV 8(g), X6
	MOV X5, low+0(FP)
	MOV X6, high+8(FP)
	RET
