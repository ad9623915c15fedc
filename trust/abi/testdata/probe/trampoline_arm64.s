#include "textflag.h"
#include "funcdata.h"

// call calls a body as Go does by ABI0, with its arguments on the stack, from a
// state in which everything is poisoned that the body could spoil. R28 alone keeps
// what it has: a signal finds its goroutine there.

// Where the state is kept: RSP, R29, R28, FPCR.
GLOBL state<>(SB), NOPTR, $32

// func call(fn uintptr, frame *[48]uint64, zmm bool, got *state)
TEXT ·call(SB), 0, $512-32
	NO_LOCAL_POINTERS
	MOVD fn+0(FP), R9

	// The arguments, and above them words that are the caller's own.
	MOVD frame+8(FP), R0
	ADD  $8, RSP, R1
	MOVD $48, R2
in:
	MOVD.P 8(R0), R3
	MOVD.P R3, 8(R1)
	SUBS $1, R2
	BNE  in

	MOVD $state<>(SB), R0
	MOVD RSP, R1
	MOVD R1, 0(R0)
	MOVD R29, 8(R0)
	MOVD g, 16(R0)
	MOVD FPCR, R1
	MOVD R1, 24(R0)
	MOVD $0x400000, R1 // rounds up
	MOVD R1, FPCR

	MOVD $0x5A5A5A5A00000012, R18_PLATFORM
	MOVD $0x5A5A5A5A0000001A, R26
	MOVD $0x5A5A5A5A0000001D, R29
	MOVD $0x5A5A5A5A0000001B, R27
	CALL (R9)

	MOVD $result<>(SB), R0
	MOVD R18_PLATFORM, 0(R0)
	MOVD R26, 8(R0)
	MOVD R27, 16(R0)
	MOVD g, 24(R0)
	MOVD R29, 32(R0)
	MOVD R30, 40(R0)
	MOVD RSP, R1
	MOVD R1, 48(R0)
	MOVD FPCR, R1
	MOVD R1, 56(R0)

	MOVD $state<>(SB), R2
	MOVD 0(R2), R1
	MOVD R1, RSP
	MOVD 8(R2), R29
	MOVD 16(R2), g
	MOVD 24(R2), R1
	MOVD R1, FPCR
	MOVD 16(R2), R1
	MOVD R1, 64(R0)
	MOVD 0(R2), R1
	MOVD R1, 72(R0)

	MOVD frame+8(FP), R0
	ADD  $8, RSP, R1
	MOVD $48, R2
out:
	MOVD.P 8(R1), R3
	MOVD.P R3, 8(R0)
	SUBS $1, R2
	BNE  out
	MOVD got+24(FP), R0
	MOVD $result<>(SB), R1
	MOVD $10, R2
copy:
	MOVD.P 8(R1), R3
	MOVD.P R3, 8(R0)
	SUBS $1, R2
	BNE  copy
	RET

// What call found, as the Go side reads it: R18, R26, R27, R28, R29, R30, RSP, FPCR,
// and what R28 and RSP had to be.
GLOBL result<>(SB), NOPTR, $80
