//go:build (arm64 || ppc64 || ppc64le || s390x) && !purego && !noasm

#include "textflag.h"

// func bounds() (low, high uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVD 0(g), R3
	MOVD 8(g), R4
	MOVD R3, low+0(FP)
	MOVD R4, high+8(FP)
	RET
