//go:build !purego && !noasm

#include "textflag.h"

// The NEON bodies. kernels_arm64.go says what each one does, as a loop in Go.
//
// Registers, wherever they are not named otherwise:
//
//	R0       where a step writes       R17      rows in all
//	R1       where it reads elements   R19-R21  from a row to the next, of R0, R1 and R2
//	R2       where it reads indices    R22      columns
//	R3       the size of an axis       R23      rows left
//	R4       what is left of a row     R24      of columns: from one entry to the next
//	R5-R12   eight indices, offsets or elements
//	R13-R16  scratch                   V30, V31 constants
//
// R18 and R26-R30 are left alone. No body has a frame, or calls another.
//
// What Go's assembler lacks is a WORD with the instruction as its comment, in GNU
// order; trust/abi compares the two.

#define umaxvS2 WORD $0x6EB0A842 // UMAXV S2, V2.4S

#define NOTHING

// Wrapping. An index k of 32 bits becomes min(k, k+size), unsigned: a negative k
// is the larger of the two if k+size is not negative, and what names no element
// stays at size or above. One of 64 bits becomes k + (size if k < 0).

// INDICES32 takes eight indices. Their checks are one comparison of the largest.
// The even ones have rubbish in their upper halves.
#define INDICES32(bad) \
	FMOVQ (R2), F0; \
	FMOVQ 16(R2), F1; \
	ADD   $32, R2; \
	VADD  V30.S4, V0.S4, V2.S4; \
	VADD  V30.S4, V1.S4, V3.S4; \
	VUMIN V2.S4, V0.S4, V0.S4; \
	VUMIN V3.S4, V1.S4, V1.S4; \
	VUMAX V1.S4, V0.S4, V2.S4; \
	umaxvS2; \
	VMOV  V2.S[0], R13; \
	CMPW  R3, R13; \
	BHS   bad; \
	VMOV  V0.D[0], R5; \
	VMOV  V0.D[1], R7; \
	VMOV  V1.D[0], R9; \
	VMOV  V1.D[1], R11; \
	LSR   $32, R5, R6; \
	LSR   $32, R7, R8; \
	LSR   $32, R9, R10; \
	LSR   $32, R11, R12

// WRAP4 wraps four indices of 64 bits.
#define WRAP4(a, b, c, d) \
	AND a->63, R3, R13; \
	AND b->63, R3, R14; \
	AND c->63, R3, R15; \
	AND d->63, R3, R16; \
	ADD R13, a; \
	ADD R14, b; \
	ADD R15, c; \
	ADD R16, d

// CHECK8 leaves the condition HS if one of eight numbers is not below limit.
#define CHECK8(limit) \
	CMP  limit, R5; \
	CCMP LO, R6, limit, $2; \
	CCMP LO, R7, limit, $2; \
	CCMP LO, R8, limit, $2; \
	CCMP LO, R9, limit, $2; \
	CCMP LO, R10, limit, $2; \
	CCMP LO, R11, limit, $2; \
	CCMP LO, R12, limit, $2

// SHIFTED takes eight indices of 64 bits and adds by to each.
#define SHIFTED(by) \
	LDP (R2), (R5, R6); \
	LDP 16(R2), (R7, R8); \
	LDP 32(R2), (R9, R10); \
	LDP 48(R2), (R11, R12); \
	ADD $64, R2; \
	ADD by, R5; \
	ADD by, R6; \
	ADD by, R7; \
	ADD by, R8; \
	ADD by, R9; \
	ADD by, R10; \
	ADD by, R11; \
	ADD by, R12

// INDICES64 takes eight indices, two of them by way of a vector: a pair of
// general registers costs two loads on Neoverse N1, a vector one.
#define INDICES64(bad) \
	LDP   (R2), (R5, R6); \
	LDP   16(R2), (R7, R8); \
	LDP   32(R2), (R9, R10); \
	FMOVQ 48(R2), F0; \
	ADD   $64, R2; \
	VMOV  V0.D[0], R11; \
	VMOV  V0.D[1], R12; \
	WRAP4(R5, R6, R7, R8); \
	WRAP4(R9, R10, R11, R12); \
	CHECK8(R3); \
	BHS   bad

// INDEX32 and INDEX64 take one index.
#define INDEX32 MOVW.P 4(R2), R5; WRAP1
#define INDEX64 MOVD.P 8(R2), R5; WRAP1
#define WRAP1 AND R5->63, R3, R13; ADD R13, R5

// Loads of eight elements at table[k]. Of the even indices, 0, 2, 4 and 6, only what is
// named counts: R5.UXTW after INDICES32.
#define TABLE8(e0, e2, e4, e6) \
	MOVBU (R1)(e0), R5; \
	MOVBU (R1)(R6), R6; \
	MOVBU (R1)(e2), R7; \
	MOVBU (R1)(R8), R8; \
	MOVBU (R1)(e4), R9; \
	MOVBU (R1)(R10), R10; \
	MOVBU (R1)(e6), R11; \
	MOVBU (R1)(R12), R12

#define TABLE16(e0, e2, e4, e6) \
	MOVHU (R1)(e0<<1), R5; \
	MOVHU (R1)(R6<<1), R6; \
	MOVHU (R1)(e2<<1), R7; \
	MOVHU (R1)(R8<<1), R8; \
	MOVHU (R1)(e4<<1), R9; \
	MOVHU (R1)(R10<<1), R10; \
	MOVHU (R1)(e6<<1), R11; \
	MOVHU (R1)(R12<<1), R12

#define TABLE32(e0, e2, e4, e6) \
	MOVWU (R1)(e0<<2), R5; \
	MOVWU (R1)(R6<<2), R6; \
	MOVWU (R1)(e2<<2), R7; \
	MOVWU (R1)(R8<<2), R8; \
	MOVWU (R1)(e4<<2), R9; \
	MOVWU (R1)(R10<<2), R10; \
	MOVWU (R1)(e6<<2), R11; \
	MOVWU (R1)(R12<<2), R12

#define TABLE64(e0, e2, e4, e6) \
	MOVD (R1)(e0<<3), R5; \
	MOVD (R1)(R6<<3), R6; \
	MOVD (R1)(e2<<3), R7; \
	MOVD (R1)(R8<<3), R8; \
	MOVD (R1)(e4<<3), R9; \
	MOVD (R1)(R10<<3), R10; \
	MOVD (R1)(e6<<3), R11; \
	MOVD (R1)(R12<<3), R12

// COLUMN8 makes eight addresses, table + k*step. What lies j elements on is the
// entry of column j. Indices are below 2³¹, steps below 2³².
#define COLUMN8 \
	UMADDL R5, R1, R24, R5; \
	UMADDL R6, R1, R24, R6; \
	UMADDL R7, R1, R24, R7; \
	UMADDL R8, R1, R24, R8; \
	UMADDL R9, R1, R24, R9; \
	UMADDL R10, R1, R24, R10; \
	UMADDL R11, R1, R24, R11; \
	UMADDL R12, R1, R24, R12

#define COLUMNS(mov, width) \
	COLUMN8; \
	mov (R5), R5; \
	mov (1*width)(R6), R6; \
	mov (2*width)(R7), R7; \
	mov (3*width)(R8), R8; \
	mov (4*width)(R9), R9; \
	mov (5*width)(R10), R10; \
	mov (6*width)(R11), R11; \
	mov (7*width)(R12), R12; \
	ADD $(8*width), R1

// Stores of eight elements. Narrow ones are put together first: two stores a cycle
// are all there is.
#define STORE8 \
	ORR  R6<<8, R5; \
	ORR  R8<<8, R7; \
	ORR  R10<<8, R9; \
	ORR  R12<<8, R11; \
	ORR  R7<<16, R5; \
	ORR  R11<<16, R9; \
	ORR  R9<<32, R5; \
	MOVD R5, (R0); \
	ADD  $8, R0

#define STORE16 \
	ORR R6<<16, R5; \
	ORR R8<<16, R7; \
	ORR R10<<16, R9; \
	ORR R12<<16, R11; \
	ORR R7<<32, R5; \
	ORR R11<<32, R9; \
	STP (R5, R9), (R0); \
	ADD $16, R0

#define STORE32 \
	ORR R6<<32, R5; \
	ORR R8<<32, R7; \
	ORR R10<<32, R9; \
	ORR R12<<32, R11; \
	STP (R5, R7), (R0); \
	STP (R9, R11), 16(R0); \
	ADD $32, R0

// PAIRS32 is STORE32 beside indices of 64 bits, which need the adders.
#define PAIRS32 \
	STPW (R5, R6), (R0); \
	STPW (R7, R8), 8(R0); \
	STPW (R9, R10), 16(R0); \
	STPW (R11, R12), 24(R0); \
	ADD  $32, R0

#define STORE64 \
	STP (R5, R6), (R0); \
	STP (R7, R8), 16(R0); \
	STP (R9, R10), 32(R0); \
	STP (R11, R12), 48(R0); \
	ADD $64, R0

// MOVE128 copies eight elements of 16 bytes from addresses, each of them so many
// bytes behind its own.
#define MOVE128(behind) \
	LDP (R5), (R13, R14); \
	STP (R13, R14), (R0); \
	LDP (1*behind)(R6), (R15, R16); \
	STP (R15, R16), 16(R0); \
	LDP (2*behind)(R7), (R13, R14); \
	STP (R13, R14), 32(R0); \
	LDP (3*behind)(R8), (R15, R16); \
	STP (R15, R16), 48(R0); \
	LDP (4*behind)(R9), (R13, R14); \
	STP (R13, R14), 64(R0); \
	LDP (5*behind)(R10), (R15, R16); \
	STP (R15, R16), 80(R0); \
	LDP (6*behind)(R11), (R13, R14); \
	STP (R13, R14), 96(R0); \
	LDP (7*behind)(R12), (R15, R16); \
	STP (R15, R16), 112(R0); \
	ADD $128, R0

#define COLUMNS128 COLUMN8; MOVE128(16); ADD $128, R1

#define TABLE128(e0, e2, e4, e6) \
	ADD e0<<4, R1, R5; \
	ADD R6<<4, R1, R6; \
	ADD e2<<4, R1, R7; \
	ADD R8<<4, R1, R8; \
	ADD e4<<4, R1, R9; \
	ADD R10<<4, R1, R10; \
	ADD e6<<4, R1, R11; \
	ADD R12<<4, R1, R12

// What moves one element: that of a table, or of a column.
#define ONE8 MOVBU (R1)(R5), R6; MOVB.P R6, 1(R0)
#define ONE16 MOVHU (R1)(R5<<1), R6; MOVH.P R6, 2(R0)
#define ONE32 MOVWU (R1)(R5<<2), R6; MOVW.P R6, 4(R0)
#define ONE64 MOVD (R1)(R5<<3), R6; MOVD.P R6, 8(R0)
#define ONE128 ADD R5<<4, R1, R5; LDP (R5), (R6, R7); STP.P (R6, R7), 16(R0)

#define COLUMN(load, store, width) \
	UMADDL R5, R1, R24, R5; \
	load (R5), R6; \
	store.P R6, width(R0); \
	ADD $width, R1

#define COLUMN128 \
	UMADDL R5, R1, R24, R5; \
	LDP (R5), (R6, R7); \
	STP.P (R6, R7), 16(R0); \
	ADD $16, R1

// GATHER is the fused gathers: what they do first in a row, for a step of so many
// elements, and for one. The shifts are those of an element, and of an index. It
// leaves the result in R4.
#define GATHER(elem, index, begin, count, step, index1, one) \
	SUB  R22<<elem, R19; \
	SUB  R22<<index, R21; \
	MOVD R23, R17; \
row: \
	begin; \
	SUBS $count, R22, R4; \
	BLT  rest; \
loop: \
	step; \
	SUBS $count, R4; \
	BGE  loop; \
rest: \
	ADDS $count, R4; \
	BEQ  next; \
tail: \
	index1; \
	CMP  R3, R5; \
	BHS  bad; \
	one; \
	SUBS $1, R4; \
	BNE  tail; \
next: \
	ADD  R19, R0; \
	ADD  R20, R1; \
	ADD  R21, R2; \
	SUBS $1, R23; \
	BNE  row; \
	MOVD $-1, R4; \
	B    done; \
badStep: \
	ADD  $count, R4; \
bad: \
	SUB  R23, R17; \
	ADD  $1, R17; \
	MUL  R22, R17; \
	SUB  R4, R17, R4; \
done:

// WINDOW loads bytes n to n+15 of a table into a register of its own. Of the last part
// of a table it loads what ends with it, and moves that into its place.
#define WINDOW(n, f, v) \
	SUB   $16, R3, R13; \
	MOVD  $n, R14; \
	CMP   R14, R13; \
	CSEL  LT, R13, R14, R13; \
	SUB   R13, R14; \
	ADD   R13, R1, R13; \
	FMOVQ (R13), f; \
	VDUP  R14, V0.B16; \
	VADD  V31.B16, V0.B16, V0.B16; \
	VTBL  V0.B16, [v], v

// TABLE loads up to 128 bytes, 16 at least, into V16-V23.
#define TABLE \
	WINDOW(0, F16, V16.B16); \
	WINDOW(16, F17, V17.B16); \
	WINDOW(32, F18, V18.B16); \
	WINDOW(48, F19, V19.B16); \
	WINDOW(64, F20, V20.B16); \
	WINDOW(80, F21, V21.B16); \
	WINDOW(96, F22, V22.B16); \
	WINDOW(112, F23, V23.B16)

// VECTORS32 and VECTORS64 load 16 indices into V0-V3. Of indices of 64 bits these
// are the lower halves. An upper half says nothing more than the sign of the lower
// one if the two signs add up to 0; V28 is not 0 for others.
#define VECTORS32 \
	FLDPQ (R2), (F0, F1); \
	FLDPQ 32(R2), (F2, F3); \
	ADD   $64, R2

#define HALVES(first, second, low, high) \
	VUZP1 second, first, low; \
	VUZP2 second, first, high; \
	VUSHR $31, low, first; \
	VADD  first, high, high

#define VECTORS64 \
	FLDPQ (R2), (F4, F5); \
	FLDPQ 32(R2), (F6, F7); \
	FLDPQ 64(R2), (F24, F25); \
	FLDPQ 96(R2), (F26, F27); \
	ADD   $128, R2; \
	HALVES(V4.S4, V5.S4, V0.S4, V28.S4); \
	HALVES(V6.S4, V7.S4, V1.S4, V4.S4); \
	HALVES(V24.S4, V25.S4, V2.S4, V5.S4); \
	HALVES(V26.S4, V27.S4, V3.S4, V6.S4); \
	VORR  V4.B16, V28.B16, V28.B16; \
	VORR  V6.B16, V5.B16, V5.B16; \
	VORR  V5.B16, V28.B16, V28.B16; \
	VCMTST V28.S4, V28.S4, V28.S4

// LOOKUP16 looks 16 indices up, which are in V0-V3, in the table of bytes in
// V16-V23. Their checks are one comparison of the largest.
#define LOOKUP16 \
	VADD  V30.S4, V0.S4, V4.S4; \
	VADD  V30.S4, V1.S4, V5.S4; \
	VADD  V30.S4, V2.S4, V6.S4; \
	VADD  V30.S4, V3.S4, V7.S4; \
	VUMIN V4.S4, V0.S4, V0.S4; \
	VUMIN V5.S4, V1.S4, V1.S4; \
	VUMIN V6.S4, V2.S4, V2.S4; \
	VUMIN V7.S4, V3.S4, V3.S4; \
	VUMAX V1.S4, V0.S4, V4.S4; \
	VUMAX V3.S4, V2.S4, V5.S4; \
	VUZP1 V1.H8, V0.H8, V0.H8; \
	VUZP1 V3.H8, V2.H8, V1.H8; \
	VUMAX V5.S4, V4.S4, V2.S4; \
	VORR  V28.B16, V2.B16, V2.B16; \
	umaxvS2; \
	VMOV  V2.S[0], R13; \
	CMPW  R3, R13; \
	BHS   badStep; \
	VUZP1 V1.B16, V0.B16, V0.B16; \
	VTBL  V0.B16, [V16.B16, V17.B16, V18.B16, V19.B16], V1.B16; \
	CMP   $64, R3; \
	BLE   found; \
	VSUB  V29.B16, V0.B16, V0.B16; \
	VTBX  V0.B16, [V20.B16, V21.B16, V22.B16, V23.B16], V1.B16; \
found: \
	FMOVQ F1, (R0); \
	ADD   $16, R0

// OFFSETS is the gathers at offsets.
#define OFFSETS(eight, one) \
	SUBS $8, R4; \
	BLT  rest; \
loop: \
	LDP  (R2), (R5, R6); \
	LDP  16(R2), (R7, R8); \
	LDP  32(R2), (R9, R10); \
	LDP  48(R2), (R11, R12); \
	ADD  $64, R2; \
	eight; \
	SUBS $8, R4; \
	BGE  loop; \
rest: \
	ADDS $8, R4; \
	BEQ  done; \
tail: \
	MOVD.P 8(R2), R5; \
	one; \
	SUBS $1, R4; \
	BNE  tail; \
done:

// ALONG makes two offsets of indices, along a pattern's entries that are n bytes on.
#define ALONG(n, first, second) \
	LDP    n(R1), (R13, R14); \
	ADD    R19, R13; \
	ADD    R19, R14; \
	UMADDL first, R13, R24, first; \
	UMADDL second, R14, R24, second

// RESOLVE is indices to offsets along the pattern at R1, which moves on by R20 bytes a step.
// R19 is what evenly spaced entries have gained, and R21 what they gain in a step.
#define RESOLVE(indices) \
	LSL    $6, R20; \
	LSL    $3, R21; \
	MOVD   $0, R19; \
	MOVD   R4, R17; \
loop: \
	indices; \
	ALONG(0, R5, R6); \
	ALONG(16, R7, R8); \
	ALONG(32, R9, R10); \
	ALONG(48, R11, R12); \
	ADD    R20, R1; \
	ADD    R21, R19; \
	STORE64; \
	SUBS   $8, R4; \
	BNE    loop; \
	MOVD   $-1, R4; \
	B      done; \
bad: \
	SUB    R4, R17, R4; \
done:

// TUPLES is tuples to offsets, four at a time: R1, R2, R23 and R25 stand at a component of
// each, R9-R12 are their sums. V27 keeps the negative number of components, V28
// what a tuple of zeros becomes, V29 the number of tuples. R19 and R20 are the ends
// of the sizes and strides, R21 is from a component to the next, R24 from the last to the first of
// the next four tuples, and R17 what each further offset gains.
#define TUPLES(load) \
	VMOV   R4, V29.D[0]; \
	ADD    R22<<3, R19; \
	ADD    R22<<3, R20; \
	ADD    R24, R1, R2; \
	ADD    R24, R2, R23; \
	ADD    R24, R23, R25; \
	LSL    $2, R24; \
	MSUB   R22, R24, R21, R24; \
	NEG    R22, R22; \
	VMOV   R22, V27.D[0]; \
loop: \
	VMOV   V27.D[0], R22; \
	VMOV   V28.D[0], R9; \
	ADD    R17, R9, R10; \
	ADD    R17, R10, R11; \
	ADD    R17, R11, R12; \
	ADD    R17, R12, R13; \
	VMOV   R13, V28.D[0]; \
component: \
	load   (R1), R5; \
	load   (R2), R6; \
	load   (R23), R7; \
	load   (R25), R8; \
	MOVD   (R19)(R22<<3), R3; \
	ADD    R21, R1; \
	ADD    R21, R2; \
	ADD    R21, R23; \
	ADD    R21, R25; \
	WRAP4(R5, R6, R7, R8); \
	CMP    R3, R5; \
	CCMP   LO, R6, R3, $2; \
	CCMP   LO, R7, R3, $2; \
	CCMP   LO, R8, R3, $2; \
	BHS    bad; \
	MOVD   (R20)(R22<<3), R13; \
	UMADDL R5, R9, R13, R9; \
	UMADDL R6, R10, R13, R10; \
	UMADDL R7, R11, R13, R11; \
	UMADDL R8, R12, R13, R12; \
	ADDS   $1, R22; \
	BNE    component; \
	STP    (R9, R10), (R0); \
	STP    (R11, R12), 16(R0); \
	ADD    $32, R0; \
	ADD    R24, R1; \
	ADD    R24, R2; \
	ADD    R24, R23; \
	ADD    R24, R25; \
	SUBS   $4, R4; \
	BNE    loop; \
	MOVD   $-1, R4; \
	B      done; \
bad: \
	VMOV   V29.D[0], R13; \
	SUB    R4, R13, R4; \
done:

// SCATTER is elements to offsets, in their order. The prefetch asks for a cell's line
// as soon as its address is known: stores leave in order, and one that waits for its line
// holds up those behind it.
#define SCATTER(shift, load4, load1, set) \
	SUBS $4, R4; \
	BLT  rest; \
loop: \
	LDP  (R2), (R5, R6); \
	LDP  16(R2), (R7, R8); \
	ADD  $32, R2; \
	load4; \
	ADD  $(4<<shift), R1; \
	ADD  R5<<shift, R0, R5; \
	ADD  R6<<shift, R0, R6; \
	ADD  R7<<shift, R0, R7; \
	ADD  R8<<shift, R0, R8; \
	PRFM (R5), PSTL1KEEP; \
	PRFM (R6), PSTL1KEEP; \
	PRFM (R7), PSTL1KEEP; \
	PRFM (R8), PSTL1KEEP; \
	set(R9, R13, R5); \
	set(R10, R14, R6); \
	set(R11, R15, R7); \
	set(R12, R16, R8); \
	SUBS $4, R4; \
	BGE  loop; \
rest: \
	ADDS $4, R4; \
	BEQ  done; \
tail: \
	MOVD.P 8(R2), R5; \
	load1; \
	ADD  $(1<<shift), R1; \
	ADD  R5<<shift, R0, R5; \
	set(R9, R13, R5); \
	SUBS $1, R4; \
	BNE  tail; \
done:

// Loads of four updates, and of one.
#define FOUR8 MOVBU (R1), R9; MOVBU 1(R1), R10; MOVBU 2(R1), R11; MOVBU 3(R1), R12
#define FOUR16 MOVHU (R1), R9; MOVHU 2(R1), R10; MOVHU 4(R1), R11; MOVHU 6(R1), R12
#define FOUR32 LDPW (R1), (R9, R10); LDPW 8(R1), (R11, R12)
#define FOUR64 LDP (R1), (R9, R10); LDP 16(R1), (R11, R12)
#define FOUR128 LDP (R1), (R9, R13); LDP 16(R1), (R10, R14); LDP 32(R1), (R11, R15); LDP 48(R1), (R12, R16)
#define UPDATE8 MOVBU (R1), R9
#define UPDATE16 MOVHU (R1), R9
#define UPDATE32 MOVWU (R1), R9
#define UPDATE64 MOVD (R1), R9
#define UPDATE128 LDP (R1), (R9, R13)

#define SET8(low, high, cell) MOVB low, (cell)
#define SET16(low, high, cell) MOVH low, (cell)
#define SET32(low, high, cell) MOVW low, (cell)
#define SET64(low, high, cell) MOVD low, (cell)
#define SET128(low, high, cell) STP (low, high), (cell)

// AHEAD asks for what lies R21 bytes from where a row is read: the same part of a later row.
#define AHEAD WORD $0xF8B56820 // PRFM PLDL1KEEP, [X1, X21]

// MOVEROWS copies R23 rows of R22 bytes. begin says where a row comes from, soon is done for
// each 64 bytes of it, and last moves on. What is left of a row over 16 bytes or more ends with
// a vector that shares bytes with the one before: branches are what short rows cost.
#define MOVEROWS(begin, soon, last) \
	CMP   $16, R22; \
	BLT   narrow8; \
	CMP   $64, R22; \
	BEQ   row64; \
	AND   $-16, R22, R5; \
	SUB   R5, R19; \
	SUB   R5, R20; \
row: \
	begin; \
	SUBS  $64, R22, R4; \
	BLT   rest; \
loop: \
	FLDPQ (R1), (F0, F1); \
	FLDPQ 32(R1), (F2, F3); \
	soon; \
	ADD   $64, R1; \
	FSTPQ (F0, F1), (R0); \
	FSTPQ (F2, F3), 32(R0); \
	ADD   $64, R0; \
	SUBS  $64, R4; \
	BGE   loop; \
rest: \
	ANDS  $63, R4; \
	BEQ   next; \
	soon; \
	TBZ   $5, R4, rest16; \
	FLDPQ (R1), (F0, F1); \
	ADD   $32, R1; \
	FSTPQ (F0, F1), (R0); \
	ADD   $32, R0; \
rest16: \
	TBZ   $4, R4, rest1; \
	FMOVQ (R1), F0; \
	ADD   $16, R1; \
	FMOVQ F0, (R0); \
	ADD   $16, R0; \
rest1: \
	ANDS  $15, R4; \
	BEQ   next; \
	ADD   R4, R1, R5; \
	ADD   R4, R0, R6; \
	FMOVQ -16(R5), F0; \
	FMOVQ F0, -16(R6); \
next: \
	ADD   R19, R0; \
	last; \
	SUBS  $1, R23; \
	BNE   row; \
	B     moved; \
row64: \
	begin; \
	FLDPQ (R1), (F0, F1); \
	FLDPQ 32(R1), (F2, F3); \
	soon; \
	FSTPQ (F0, F1), (R0); \
	FSTPQ (F2, F3), 32(R0); \
	ADD   R19, R0; \
	last; \
	SUBS  $1, R23; \
	BNE   row64; \
	B     moved; \
narrow8: \
	SUBS  $8, R22, R5; \
	BLT   narrow4; \
row8: \
	begin; \
	soon; \
	MOVD  (R1), R6; \
	MOVD  (R1)(R5), R7; \
	MOVD  R6, (R0); \
	MOVD  R7, (R0)(R5); \
	ADD   R19, R0; \
	last; \
	SUBS  $1, R23; \
	BNE   row8; \
	B     moved; \
narrow4: \
	SUBS  $4, R22, R5; \
	BLT   narrow1; \
row4: \
	begin; \
	soon; \
	MOVWU (R1), R6; \
	MOVWU (R1)(R5), R7; \
	MOVW  R6, (R0); \
	MOVW  R7, (R0)(R5); \
	ADD   R19, R0; \
	last; \
	SUBS  $1, R23; \
	BNE   row4; \
	B     moved; \
narrow1: \
	LSR   $1, R22, R5; \
	SUB   $1, R22, R6; \
row1: \
	begin; \
	soon; \
	MOVBU (R1), R7; \
	MOVBU (R1)(R5), R8; \
	MOVBU (R1)(R6), R9; \
	MOVB  R7, (R0); \
	MOVB  R8, (R0)(R5); \
	MOVB  R9, (R0)(R6); \
	ADD   R19, R0; \
	last; \
	SUBS  $1, R23; \
	BNE   row1; \
moved:

#define NEXTROW ADD R20, R1

// ATOFFSET goes to where the next row is. ATOFFSETS reads the offset that lies R25 bytes on as well.
#define ATOFFSET \
	MOVD.P 8(R2), R1; \
	LSL    R24, R1; \
	ADD    R3, R1

#define ATOFFSETS \
	MOVD (R2)(R25), R21; \
	MOVD.P 8(R2), R1; \
	SUB  R1, R21; \
	LSL  R24, R21; \
	LSL  R24, R1; \
	ADD  R3, R1

// SETOFFSETS is ATOFFSETS for rows that go to offsets, and SOON asks for what AHEAD does where a row is
// written.
#define SETOFFSETS \
	MOVD (R2)(R25), R21; \
	MOVD.P 8(R2), R0; \
	SUB  R0, R21; \
	LSL  R24, R21; \
	LSL  R24, R0; \
	ADD  R3, R0

#define SOON WORD $0xF8B56810 // PRFM PSTL1KEEP, [X0, X21]

// ROWSAHEAD is MOVEROWS for R17 rows, each of which asks for the one that is R15 rows on. The last ones ask for
// themselves, since nothing is known of those after them. step is the register of what MOVEROWS brings down.
#define ROWSAHEAD(step, begin, soon, last) \
	MOVD step, R16; \
	LSL  $3, R15, R25; \
	SUBS R15, R17, R23; \
	BGT  rows; \
lastRows: \
	CMP  R15, R17; \
	CSEL LT, R17, R15, R23; \
	MOVD ZR, R25; \
	MOVD R16, step; \
rows: \
	MOVEROWS(begin, soon, last); \
	CBNZ R25, lastRows

// Combining. Cells are in V0-V3, updates in V4-V7, and the results in V0-V3. An
// instruction that stands for all four is written out for each.

#define faddS0 WORD $0x4E24D400 // FADD V0.4S, V0.4S, V4.4S
#define faddS1 WORD $0x4E25D421 // FADD V1.4S, V1.4S, V5.4S
#define faddS2 WORD $0x4E26D442 // FADD V2.4S, V2.4S, V6.4S
#define faddS3 WORD $0x4E27D463 // FADD V3.4S, V3.4S, V7.4S
#define faddD0 WORD $0x4E64D400 // FADD V0.2D, V0.2D, V4.2D
#define faddD1 WORD $0x4E65D421 // FADD V1.2D, V1.2D, V5.2D
#define faddD2 WORD $0x4E66D442 // FADD V2.2D, V2.2D, V6.2D
#define faddD3 WORD $0x4E67D463 // FADD V3.2D, V3.2D, V7.2D
#define fmulS0 WORD $0x6E24DC00 // FMUL V0.4S, V0.4S, V4.4S
#define fmulS1 WORD $0x6E25DC21 // FMUL V1.4S, V1.4S, V5.4S
#define fmulS2 WORD $0x6E26DC42 // FMUL V2.4S, V2.4S, V6.4S
#define fmulS3 WORD $0x6E27DC63 // FMUL V3.4S, V3.4S, V7.4S
#define fmulD0 WORD $0x6E64DC00 // FMUL V0.2D, V0.2D, V4.2D
#define fmulD1 WORD $0x6E65DC21 // FMUL V1.2D, V1.2D, V5.2D
#define fmulD2 WORD $0x6E66DC42 // FMUL V2.2D, V2.2D, V6.2D
#define fmulD3 WORD $0x6E67DC63 // FMUL V3.2D, V3.2D, V7.2D
#define flessS0 WORD $0x6EA0E490 // FCMGT V16.4S, V4.4S, V0.4S
#define flessS1 WORD $0x6EA1E4B1 // FCMGT V17.4S, V5.4S, V1.4S
#define flessS2 WORD $0x6EA2E4D2 // FCMGT V18.4S, V6.4S, V2.4S
#define flessS3 WORD $0x6EA3E4F3 // FCMGT V19.4S, V7.4S, V3.4S
#define fmoreS0 WORD $0x6EA4E410 // FCMGT V16.4S, V0.4S, V4.4S
#define fmoreS1 WORD $0x6EA5E431 // FCMGT V17.4S, V1.4S, V5.4S
#define fmoreS2 WORD $0x6EA6E452 // FCMGT V18.4S, V2.4S, V6.4S
#define fmoreS3 WORD $0x6EA7E473 // FCMGT V19.4S, V3.4S, V7.4S
#define flessD0 WORD $0x6EE0E490 // FCMGT V16.2D, V4.2D, V0.2D
#define flessD1 WORD $0x6EE1E4B1 // FCMGT V17.2D, V5.2D, V1.2D
#define flessD2 WORD $0x6EE2E4D2 // FCMGT V18.2D, V6.2D, V2.2D
#define flessD3 WORD $0x6EE3E4F3 // FCMGT V19.2D, V7.2D, V3.2D
#define fmoreD0 WORD $0x6EE4E410 // FCMGT V16.2D, V0.2D, V4.2D
#define fmoreD1 WORD $0x6EE5E431 // FCMGT V17.2D, V1.2D, V5.2D
#define fmoreD2 WORD $0x6EE6E452 // FCMGT V18.2D, V2.2D, V6.2D
#define fmoreD3 WORD $0x6EE7E473 // FCMGT V19.2D, V3.2D, V7.2D
#define sminB0 WORD $0x4E246C00 // SMIN V0.16B, V0.16B, V4.16B
#define sminB1 WORD $0x4E256C21 // SMIN V1.16B, V1.16B, V5.16B
#define sminB2 WORD $0x4E266C42 // SMIN V2.16B, V2.16B, V6.16B
#define sminB3 WORD $0x4E276C63 // SMIN V3.16B, V3.16B, V7.16B
#define smaxB0 WORD $0x4E246400 // SMAX V0.16B, V0.16B, V4.16B
#define smaxB1 WORD $0x4E256421 // SMAX V1.16B, V1.16B, V5.16B
#define smaxB2 WORD $0x4E266442 // SMAX V2.16B, V2.16B, V6.16B
#define smaxB3 WORD $0x4E276463 // SMAX V3.16B, V3.16B, V7.16B
#define sminH0 WORD $0x4E646C00 // SMIN V0.8H, V0.8H, V4.8H
#define sminH1 WORD $0x4E656C21 // SMIN V1.8H, V1.8H, V5.8H
#define sminH2 WORD $0x4E666C42 // SMIN V2.8H, V2.8H, V6.8H
#define sminH3 WORD $0x4E676C63 // SMIN V3.8H, V3.8H, V7.8H
#define smaxH0 WORD $0x4E646400 // SMAX V0.8H, V0.8H, V4.8H
#define smaxH1 WORD $0x4E656421 // SMAX V1.8H, V1.8H, V5.8H
#define smaxH2 WORD $0x4E666442 // SMAX V2.8H, V2.8H, V6.8H
#define smaxH3 WORD $0x4E676463 // SMAX V3.8H, V3.8H, V7.8H
#define sminS0 WORD $0x4EA46C00 // SMIN V0.4S, V0.4S, V4.4S
#define sminS1 WORD $0x4EA56C21 // SMIN V1.4S, V1.4S, V5.4S
#define sminS2 WORD $0x4EA66C42 // SMIN V2.4S, V2.4S, V6.4S
#define sminS3 WORD $0x4EA76C63 // SMIN V3.4S, V3.4S, V7.4S
#define smaxS0 WORD $0x4EA46400 // SMAX V0.4S, V0.4S, V4.4S
#define smaxS1 WORD $0x4EA56421 // SMAX V1.4S, V1.4S, V5.4S
#define smaxS2 WORD $0x4EA66442 // SMAX V2.4S, V2.4S, V6.4S
#define smaxS3 WORD $0x4EA76463 // SMAX V3.4S, V3.4S, V7.4S
#define mulB0 WORD $0x4E249C00 // MUL V0.16B, V0.16B, V4.16B
#define mulB1 WORD $0x4E259C21 // MUL V1.16B, V1.16B, V5.16B
#define mulB2 WORD $0x4E269C42 // MUL V2.16B, V2.16B, V6.16B
#define mulB3 WORD $0x4E279C63 // MUL V3.16B, V3.16B, V7.16B
#define mulH0 WORD $0x4E649C00 // MUL V0.8H, V0.8H, V4.8H
#define mulH1 WORD $0x4E659C21 // MUL V1.8H, V1.8H, V5.8H
#define mulH2 WORD $0x4E669C42 // MUL V2.8H, V2.8H, V6.8H
#define mulH3 WORD $0x4E679C63 // MUL V3.8H, V3.8H, V7.8H
#define mulS0 WORD $0x4EA49C00 // MUL V0.4S, V0.4S, V4.4S
#define mulS1 WORD $0x4EA59C21 // MUL V1.4S, V1.4S, V5.4S
#define mulS2 WORD $0x4EA69C42 // MUL V2.4S, V2.4S, V6.4S
#define mulS3 WORD $0x4EA79C63 // MUL V3.4S, V3.4S, V7.4S
#define slessD0 WORD $0x4EE03490 // CMGT V16.2D, V4.2D, V0.2D
#define slessD1 WORD $0x4EE134B1 // CMGT V17.2D, V5.2D, V1.2D
#define slessD2 WORD $0x4EE234D2 // CMGT V18.2D, V6.2D, V2.2D
#define slessD3 WORD $0x4EE334F3 // CMGT V19.2D, V7.2D, V3.2D
#define smoreD0 WORD $0x4EE43410 // CMGT V16.2D, V0.2D, V4.2D
#define smoreD1 WORD $0x4EE53431 // CMGT V17.2D, V1.2D, V5.2D
#define smoreD2 WORD $0x4EE63452 // CMGT V18.2D, V2.2D, V6.2D
#define smoreD3 WORD $0x4EE73473 // CMGT V19.2D, V3.2D, V7.2D
#define ulessD0 WORD $0x6EE03490 // CMHI V16.2D, V4.2D, V0.2D
#define ulessD1 WORD $0x6EE134B1 // CMHI V17.2D, V5.2D, V1.2D
#define ulessD2 WORD $0x6EE234D2 // CMHI V18.2D, V6.2D, V2.2D
#define ulessD3 WORD $0x6EE334F3 // CMHI V19.2D, V7.2D, V3.2D
#define umoreD0 WORD $0x6EE43410 // CMHI V16.2D, V0.2D, V4.2D
#define umoreD1 WORD $0x6EE53431 // CMHI V17.2D, V1.2D, V5.2D
#define umoreD2 WORD $0x6EE63452 // CMHI V18.2D, V2.2D, V6.2D
#define umoreD3 WORD $0x6EE73473 // CMHI V19.2D, V3.2D, V7.2D

// KEEP keeps the cells that the masks in V16-V19 name, and takes the updates for the others.
#define KEEPx1 VBIF V16.B16, V4.B16, V0.B16
#define KEEPx4 \
	VBIF V16.B16, V4.B16, V0.B16; \
	VBIF V17.B16, V5.B16, V1.B16; \
	VBIF V18.B16, V6.B16, V2.B16; \
	VBIF V19.B16, V7.B16, V3.B16

#define SUMF32x1 faddS0
#define SUMF32x4 \
	faddS0; \
	faddS1; \
	faddS2; \
	faddS3
#define SUMF64x1 faddD0
#define SUMF64x4 \
	faddD0; \
	faddD1; \
	faddD2; \
	faddD3
#define PRODF32x1 fmulS0
#define PRODF32x4 \
	fmulS0; \
	fmulS1; \
	fmulS2; \
	fmulS3
#define PRODF64x1 fmulD0
#define PRODF64x4 \
	fmulD0; \
	fmulD1; \
	fmulD2; \
	fmulD3
#define MINF32x1 flessS0; KEEPx1
#define MINF32x4 \
	flessS0; \
	flessS1; \
	flessS2; \
	flessS3; \
	KEEPx4
#define MAXF32x1 fmoreS0; KEEPx1
#define MAXF32x4 \
	fmoreS0; \
	fmoreS1; \
	fmoreS2; \
	fmoreS3; \
	KEEPx4
#define MINF64x1 flessD0; KEEPx1
#define MINF64x4 \
	flessD0; \
	flessD1; \
	flessD2; \
	flessD3; \
	KEEPx4
#define MAXF64x1 fmoreD0; KEEPx1
#define MAXF64x4 \
	fmoreD0; \
	fmoreD1; \
	fmoreD2; \
	fmoreD3; \
	KEEPx4
#define SUMI8x1 VADD V4.B16, V0.B16, V0.B16
#define SUMI8x4 \
	VADD V4.B16, V0.B16, V0.B16; \
	VADD V5.B16, V1.B16, V1.B16; \
	VADD V6.B16, V2.B16, V2.B16; \
	VADD V7.B16, V3.B16, V3.B16
#define SUMI16x1 VADD V4.H8, V0.H8, V0.H8
#define SUMI16x4 \
	VADD V4.H8, V0.H8, V0.H8; \
	VADD V5.H8, V1.H8, V1.H8; \
	VADD V6.H8, V2.H8, V2.H8; \
	VADD V7.H8, V3.H8, V3.H8
#define SUMI32x1 VADD V4.S4, V0.S4, V0.S4
#define SUMI32x4 \
	VADD V4.S4, V0.S4, V0.S4; \
	VADD V5.S4, V1.S4, V1.S4; \
	VADD V6.S4, V2.S4, V2.S4; \
	VADD V7.S4, V3.S4, V3.S4
#define SUMI64x1 VADD V4.D2, V0.D2, V0.D2
#define SUMI64x4 \
	VADD V4.D2, V0.D2, V0.D2; \
	VADD V5.D2, V1.D2, V1.D2; \
	VADD V6.D2, V2.D2, V2.D2; \
	VADD V7.D2, V3.D2, V3.D2
#define PRODI8x1 mulB0
#define PRODI8x4 \
	mulB0; \
	mulB1; \
	mulB2; \
	mulB3
#define PRODI16x1 mulH0
#define PRODI16x4 \
	mulH0; \
	mulH1; \
	mulH2; \
	mulH3
#define PRODI32x1 mulS0
#define PRODI32x4 \
	mulS0; \
	mulS1; \
	mulS2; \
	mulS3

// A product of 64-bit lanes: the two products of a low and a high half are added and shifted up,
// and that of the low halves is added.
#define crossI64 WORD $0x4EA49E10 // MUL V16.4S, V16.4S, V4.4S
#define crossesI64 WORD $0x6EA02A10 // UADDLP V16.2D, V16.4S
#define lowCells WORD $0x0EA12811 // XTN V17.2S, V0.2D
#define lowUpdates WORD $0x0EA12884 // XTN V4.2S, V4.2D
#define lowI64 WORD $0x2EA48220 // UMLAL V0.2D, V17.2S, V4.2S
#define PRODI64x1 \
	VREV64 V0.S4, V16.S4; \
	crossI64; \
	crossesI64; \
	lowCells; \
	lowUpdates; \
	VSHL $32, V16.D2, V0.D2; \
	lowI64

// PRODI64 is 32 bytes of them: half by lanes, and half by the multiplier of the general
// registers, which is as slow on Neoverse N1 as it is fast elsewhere.
#define PRODI64(at) \
	LDP   at(R5), (R9, R10); \
	LDP   at(R6), (R11, R12); \
	FMOVQ (at+16)(R5), F0; \
	FMOVQ (at+16)(R6), F4; \
	MUL   R11, R9; \
	MUL   R12, R10; \
	PRODI64x1; \
	STP   (R9, R10), at(R5); \
	FMOVQ F0, (at+16)(R5)

#define PRODI64BY64 \
	CMP  $0, R4; \
	BLT  rest; \
loop: \
	PRODI64(0); \
	PRODI64(32); \
	ADD  $64, R5; \
	ADD  $64, R6; \
	SUBS $64, R4; \
	BGE  loop; \
rest:

#define MINI8x1 sminB0
#define MINI8x4 \
	sminB0; \
	sminB1; \
	sminB2; \
	sminB3
#define MAXI8x1 smaxB0
#define MAXI8x4 \
	smaxB0; \
	smaxB1; \
	smaxB2; \
	smaxB3
#define MINU8x1 VUMIN V4.B16, V0.B16, V0.B16
#define MINU8x4 \
	VUMIN V4.B16, V0.B16, V0.B16; \
	VUMIN V5.B16, V1.B16, V1.B16; \
	VUMIN V6.B16, V2.B16, V2.B16; \
	VUMIN V7.B16, V3.B16, V3.B16
#define MAXU8x1 VUMAX V4.B16, V0.B16, V0.B16
#define MAXU8x4 \
	VUMAX V4.B16, V0.B16, V0.B16; \
	VUMAX V5.B16, V1.B16, V1.B16; \
	VUMAX V6.B16, V2.B16, V2.B16; \
	VUMAX V7.B16, V3.B16, V3.B16
#define MINI16x1 sminH0
#define MINI16x4 \
	sminH0; \
	sminH1; \
	sminH2; \
	sminH3
#define MAXI16x1 smaxH0
#define MAXI16x4 \
	smaxH0; \
	smaxH1; \
	smaxH2; \
	smaxH3
#define MINU16x1 VUMIN V4.H8, V0.H8, V0.H8
#define MINU16x4 \
	VUMIN V4.H8, V0.H8, V0.H8; \
	VUMIN V5.H8, V1.H8, V1.H8; \
	VUMIN V6.H8, V2.H8, V2.H8; \
	VUMIN V7.H8, V3.H8, V3.H8
#define MAXU16x1 VUMAX V4.H8, V0.H8, V0.H8
#define MAXU16x4 \
	VUMAX V4.H8, V0.H8, V0.H8; \
	VUMAX V5.H8, V1.H8, V1.H8; \
	VUMAX V6.H8, V2.H8, V2.H8; \
	VUMAX V7.H8, V3.H8, V3.H8
#define MINI32x1 sminS0
#define MINI32x4 \
	sminS0; \
	sminS1; \
	sminS2; \
	sminS3
#define MAXI32x1 smaxS0
#define MAXI32x4 \
	smaxS0; \
	smaxS1; \
	smaxS2; \
	smaxS3
#define MINU32x1 VUMIN V4.S4, V0.S4, V0.S4
#define MINU32x4 \
	VUMIN V4.S4, V0.S4, V0.S4; \
	VUMIN V5.S4, V1.S4, V1.S4; \
	VUMIN V6.S4, V2.S4, V2.S4; \
	VUMIN V7.S4, V3.S4, V3.S4
#define MAXU32x1 VUMAX V4.S4, V0.S4, V0.S4
#define MAXU32x4 \
	VUMAX V4.S4, V0.S4, V0.S4; \
	VUMAX V5.S4, V1.S4, V1.S4; \
	VUMAX V6.S4, V2.S4, V2.S4; \
	VUMAX V7.S4, V3.S4, V3.S4
#define MINI64x1 slessD0; KEEPx1
#define MINI64x4 \
	slessD0; \
	slessD1; \
	slessD2; \
	slessD3; \
	KEEPx4
#define MAXI64x1 smoreD0; KEEPx1
#define MAXI64x4 \
	smoreD0; \
	smoreD1; \
	smoreD2; \
	smoreD3; \
	KEEPx4
#define MINU64x1 ulessD0; KEEPx1
#define MINU64x4 \
	ulessD0; \
	ulessD1; \
	ulessD2; \
	ulessD3; \
	KEEPx4
#define MAXU64x1 umoreD0; KEEPx1
#define MAXU64x4 \
	umoreD0; \
	umoreD1; \
	umoreD2; \
	umoreD3; \
	KEEPx4

// Halves are widened to V1 and V2, and their updates to V5 and V6.
#define widenCellLow WORD $0x0E217801 // FCVTL V1.4S, V0.4H
#define widenCellHigh WORD $0x4E217802 // FCVTL2 V2.4S, V0.8H
#define widenUpdateLow WORD $0x0E217885 // FCVTL V5.4S, V4.4H
#define widenUpdateHigh WORD $0x4E217886 // FCVTL2 V6.4S, V4.8H
#define narrowLow WORD $0x0E216820 // FCVTN V0.4H, V1.4S
#define narrowHigh WORD $0x4E216840 // FCVTN2 V0.8H, V2.4S

#define WIDENF16 widenCellLow; widenCellHigh; widenUpdateLow; widenUpdateHigh
#define SUMF16x1 WIDENF16; faddS1; faddS2; narrowLow; narrowHigh
#define PRODF16x1 WIDENF16; fmulS1; fmulS2; narrowLow; narrowHigh
#define KEEPF16 VUZP1 V18.H8, V17.H8, V16.H8; KEEPx1
#define MINF16x1 WIDENF16; flessS1; flessS2; KEEPF16
#define MAXF16x1 WIDENF16; fmoreS1; fmoreS2; KEEPF16

// A pair of BFloat16 in a lane of 32 bits is widened by a shift, the lower one to V1, and a mask
// (V30), the upper one to V2.
#define WIDENBF16 \
	VSHL $16, V0.S4, V1.S4; \
	VSHL $16, V4.S4, V5.S4; \
	VAND V30.B16, V0.B16, V2.B16; \
	VAND V30.B16, V4.B16, V6.B16

// ROUNDBF16 rounds to nearest even: it adds 0x7FFF (V28) and the lowest bit that stays
// (V29 is 1). A sum or a product that is not a number comes out right: its lower half
// is 0, since those of what it was made of are.
#define ROUNDBF16 \
	VUSHR $16, V1.S4, V16.S4; \
	VUSHR $16, V2.S4, V18.S4; \
	VAND  V29.B16, V16.B16, V16.B16; \
	VAND  V29.B16, V18.B16, V18.B16; \
	VADD  V28.S4, V16.S4, V16.S4; \
	VADD  V28.S4, V18.S4, V18.S4; \
	VADD  V1.S4, V16.S4, V16.S4; \
	VADD  V2.S4, V18.S4, V0.S4; \
	VSRI  $16, V16.S4, V0.S4

#define SUMBF16x1 WIDENBF16; faddS1; faddS2; ROUNDBF16
#define PRODBF16x1 WIDENBF16; fmulS1; fmulS2; ROUNDBF16
#define KEEPBF16 VSRI $16, V17.S4, V18.S4; VBIF V18.B16, V4.B16, V0.B16
#define MINBF16x1 WIDENBF16; flessS1; flessS2; KEEPBF16
#define MAXBF16x1 WIDENBF16; fmoreS1; fmoreS2; KEEPBF16

#define CONSTANTSBF16 \
	MOVD $0xFFFF0000, R13; \
	VDUP R13, V30.S4; \
	MOVD $1, R14; \
	VDUP R14, V29.S4; \
	MOVD $0x7FFF, R14; \
	VDUP R14, V28.S4

// BY64 combines 64 bytes at a time. Before and after it, R4 is what is left, less 64.
#define BY64(four) \
	CMP   $0, R4; \
	BLT   rest; \
loop: \
	FLDPQ (R5), (F0, F1); \
	FLDPQ 32(R5), (F2, F3); \
	FLDPQ (R6), (F4, F5); \
	FLDPQ 32(R6), (F6, F7); \
	ADD   $64, R6; \
	four; \
	FSTPQ (F0, F1), (R5); \
	FSTPQ (F2, F3), 32(R5); \
	ADD   $64, R5; \
	SUBS  $64, R4; \
	BGE   loop; \
rest:

// ROWS combines rows of 16 bytes or more into those at offsets. The last vector of
// a row is made before the others and stored after them, so that what it shares with the one
// before is combined once.
#define ROWS(shift, wide, one) \
	LSL     $shift, R22; \
row: \
	MOVD.P  8(R2), R5; \
	ADD     R5<<shift, R0, R5; \
	MOVD    R1, R6; \
	ADD     R22, R5, R7; \
	ADD     R22, R6, R8; \
	FMOVQ   -16(R7), F0; \
	FMOVQ   -16(R8), F4; \
	one; \
	VMOV    V0.B16, V26.B16; \
	SUB     $64, R22, R4; \
	wide; \
	ADDS    $48, R4; \
	BLT     last; \
whole: \
	FMOVQ   (R5), F0; \
	FMOVQ   (R6), F4; \
	ADD     $16, R6; \
	one; \
	FMOVQ   F0, (R5); \
	ADD     $16, R5; \
	SUBS    $16, R4; \
	BGE     whole; \
last: \
	FMOVQ   F26, -16(R7); \
	ADD     R19, R1; \
	SUBS    $1, R23; \
	BNE     row

// CELLS combines single cells of so many bytes, in their order.
#define CELLS(width, combine) \
	SUBS $4, R4; \
	BLT  rest; \
loop: \
	LDP  (R2), (R5, R6); \
	LDP  16(R2), (R7, R8); \
	ADD  $32, R2; \
	combine(R5, 0*width); \
	combine(R6, 1*width); \
	combine(R7, 2*width); \
	combine(R8, 3*width); \
	ADD  $(4*width), R1; \
	SUBS $4, R4; \
	BGE  loop; \
rest: \
	ADDS $4, R4; \
	BEQ  done; \
tail: \
	MOVD (R2), R5; \
	ADD  $8, R2; \
	combine(R5, 0); \
	ADD  $width, R1; \
	SUBS $1, R4; \
	BNE  tail; \
done:

#define CELLSUMF32(o, at) FMOVS (R0)(o<<2), F0; FMOVS (at)(R1), F1; FADDS F1, F0, F0; FMOVS F0, (R0)(o<<2)
#define CELLPRODF32(o, at) FMOVS (R0)(o<<2), F0; FMOVS (at)(R1), F1; FMULS F1, F0, F0; FMOVS F0, (R0)(o<<2)
#define CELLMINF32(o, at) FMOVS (R0)(o<<2), F0; FMOVS (at)(R1), F1; FCMPS F1, F0; FCSELS MI, F0, F1, F0; FMOVS F0, (R0)(o<<2)
#define CELLMAXF32(o, at) FMOVS (R0)(o<<2), F0; FMOVS (at)(R1), F1; FCMPS F1, F0; FCSELS GT, F0, F1, F0; FMOVS F0, (R0)(o<<2)
#define CELLSUMF64(o, at) FMOVD (R0)(o<<3), F0; FMOVD (at)(R1), F1; FADDD F1, F0, F0; FMOVD F0, (R0)(o<<3)
#define CELLPRODF64(o, at) FMOVD (R0)(o<<3), F0; FMOVD (at)(R1), F1; FMULD F1, F0, F0; FMOVD F0, (R0)(o<<3)
#define CELLMINF64(o, at) FMOVD (R0)(o<<3), F0; FMOVD (at)(R1), F1; FCMPD F1, F0; FCSELD MI, F0, F1, F0; FMOVD F0, (R0)(o<<3)
#define CELLMAXF64(o, at) FMOVD (R0)(o<<3), F0; FMOVD (at)(R1), F1; FCMPD F1, F0; FCSELD GT, F0, F1, F0; FMOVD F0, (R0)(o<<3)
#define CELLSUMI8(o, at) MOVBU (R0)(o), R13; MOVBU (at)(R1), R14; ADDW R14, R13; MOVB R13, (R0)(o)
#define CELLPRODI8(o, at) MOVBU (R0)(o), R13; MOVBU (at)(R1), R14; MULW R14, R13, R13; MOVB R13, (R0)(o)
#define CELLMINI8(o, at) MOVB (R0)(o), R13; MOVB (at)(R1), R14; CMPW R14, R13; CSELW LT, R13, R14, R13; MOVB R13, (R0)(o)
#define CELLMAXI8(o, at) MOVB (R0)(o), R13; MOVB (at)(R1), R14; CMPW R14, R13; CSELW GT, R13, R14, R13; MOVB R13, (R0)(o)
#define CELLMINU8(o, at) MOVBU (R0)(o), R13; MOVBU (at)(R1), R14; CMPW R14, R13; CSELW LO, R13, R14, R13; MOVB R13, (R0)(o)
#define CELLMAXU8(o, at) MOVBU (R0)(o), R13; MOVBU (at)(R1), R14; CMPW R14, R13; CSELW HI, R13, R14, R13; MOVB R13, (R0)(o)
#define CELLSUMI16(o, at) MOVHU (R0)(o<<1), R13; MOVHU (at)(R1), R14; ADDW R14, R13; MOVH R13, (R0)(o<<1)
#define CELLPRODI16(o, at) MOVHU (R0)(o<<1), R13; MOVHU (at)(R1), R14; MULW R14, R13, R13; MOVH R13, (R0)(o<<1)
#define CELLMINI16(o, at) MOVH (R0)(o<<1), R13; MOVH (at)(R1), R14; CMPW R14, R13; CSELW LT, R13, R14, R13; MOVH R13, (R0)(o<<1)
#define CELLMAXI16(o, at) MOVH (R0)(o<<1), R13; MOVH (at)(R1), R14; CMPW R14, R13; CSELW GT, R13, R14, R13; MOVH R13, (R0)(o<<1)
#define CELLMINU16(o, at) MOVHU (R0)(o<<1), R13; MOVHU (at)(R1), R14; CMPW R14, R13; CSELW LO, R13, R14, R13; MOVH R13, (R0)(o<<1)
#define CELLMAXU16(o, at) MOVHU (R0)(o<<1), R13; MOVHU (at)(R1), R14; CMPW R14, R13; CSELW HI, R13, R14, R13; MOVH R13, (R0)(o<<1)
#define CELLSUMI32(o, at) MOVWU (R0)(o<<2), R13; MOVWU (at)(R1), R14; ADDW R14, R13; MOVW R13, (R0)(o<<2)
#define CELLPRODI32(o, at) MOVWU (R0)(o<<2), R13; MOVWU (at)(R1), R14; MULW R14, R13, R13; MOVW R13, (R0)(o<<2)
#define CELLMINI32(o, at) MOVWU (R0)(o<<2), R13; MOVWU (at)(R1), R14; CMPW R14, R13; CSELW LT, R13, R14, R13; MOVW R13, (R0)(o<<2)
#define CELLMAXI32(o, at) MOVWU (R0)(o<<2), R13; MOVWU (at)(R1), R14; CMPW R14, R13; CSELW GT, R13, R14, R13; MOVW R13, (R0)(o<<2)
#define CELLMINU32(o, at) MOVWU (R0)(o<<2), R13; MOVWU (at)(R1), R14; CMPW R14, R13; CSELW LO, R13, R14, R13; MOVW R13, (R0)(o<<2)
#define CELLMAXU32(o, at) MOVWU (R0)(o<<2), R13; MOVWU (at)(R1), R14; CMPW R14, R13; CSELW HI, R13, R14, R13; MOVW R13, (R0)(o<<2)
#define CELLSUMI64(o, at) MOVD (R0)(o<<3), R13; MOVD (at)(R1), R14; ADD R14, R13; MOVD R13, (R0)(o<<3)
#define CELLPRODI64(o, at) MOVD (R0)(o<<3), R13; MOVD (at)(R1), R14; MUL R14, R13, R13; MOVD R13, (R0)(o<<3)
#define CELLMINI64(o, at) MOVD (R0)(o<<3), R13; MOVD (at)(R1), R14; CMP R14, R13; CSEL LT, R13, R14, R13; MOVD R13, (R0)(o<<3)
#define CELLMAXI64(o, at) MOVD (R0)(o<<3), R13; MOVD (at)(R1), R14; CMP R14, R13; CSEL GT, R13, R14, R13; MOVD R13, (R0)(o<<3)
#define CELLMINU64(o, at) MOVD (R0)(o<<3), R13; MOVD (at)(R1), R14; CMP R14, R13; CSEL LO, R13, R14, R13; MOVD R13, (R0)(o<<3)
#define CELLMAXU64(o, at) MOVD (R0)(o<<3), R13; MOVD (at)(R1), R14; CMP R14, R13; CSEL HI, R13, R14, R13; MOVD R13, (R0)(o<<3)

// Halves by way of floating-point registers, the cell at R15 and the update at R16.
#define halfCell WORD $0x7D4001E0 // LDR H0, [X15]
#define halfUpdate WORD $0x7D400201 // LDR H1, [X16]
#define setHalf WORD $0x7D0001E0 // STR H0, [X15]
#define CELLH(o, at) ADD o<<1, R0, R15; halfCell; ADD $at, R1, R16; halfUpdate
#define VALUESF16 FCVTHS F0, F2; FCVTHS F1, F3
#define CELLSUMF16(o, at) CELLH(o, at); VALUESF16; FADDS F3, F2, F2; FCVTSH F2, F0; setHalf
#define CELLPRODF16(o, at) CELLH(o, at); VALUESF16; FMULS F3, F2, F2; FCVTSH F2, F0; setHalf
#define CELLMINF16(o, at) CELLH(o, at); VALUESF16; FCMPS F3, F2; FCSELS MI, F0, F1, F0; setHalf
#define CELLMAXF16(o, at) CELLH(o, at); VALUESF16; FCMPS F3, F2; FCSELS GT, F0, F1, F0; setHalf

#define CELLBF16(o, at) MOVHU (R0)(o<<1), R13; MOVHU (at)(R1), R14; LSL $16, R13, R15; LSL $16, R14, R16; FMOVS R15, F0; FMOVS R16, F1
#define BITSBF16(o) \
	FMOVS F0, R13; \
	UBFX  $16, R13, $1, R14; \
	ADD   R17, R14; \
	ADD   R14, R13; \
	LSR   $16, R13; \
	MOVH  R13, (R0)(o<<1)

#define CELLSUMBF16(o, at) CELLBF16(o, at); FADDS F1, F0, F0; BITSBF16(o)
#define CELLPRODBF16(o, at) CELLBF16(o, at); FMULS F1, F0, F0; BITSBF16(o)
#define VALUESBF16 VSHL $16, V0.S2, V2.S2; VSHL $16, V1.S2, V3.S2
#define CELLMINBF16(o, at) CELLH(o, at); VALUESBF16; FCMPS F3, F2; FCSELS MI, F0, F1, F0; setHalf
#define CELLMAXBF16(o, at) CELLH(o, at); VALUESBF16; FCMPS F3, F2; FCSELS GT, F0, F1, F0; setHalf

// EVERY is every second, third or fourth element of so many bytes, 32 bytes of them at a
// time, as long as more than that is left: what is loaded goes on behind the last one.
// R7 is where the last vector of a row goes, and R8 where it comes from, which ends with the last
// element. A row is longer than a vector.
#define EVERY(step, width, two, one, last) \
	MOVD  $step, R13; \
	MUL   R13, R22, R24; \
	SUB   $(16*step+(step-1)*width), R24; \
	SUB   R22, R19; \
	ADD   $16, R19; \
	SUB   R24, R20; \
row: \
	ADD   R22, R0, R7; \
	SUB   $16, R7; \
	ADD   R24, R1, R8; \
	SUBS  $33, R22, R4; \
	BLT   rest; \
loop: \
	two; \
	ADD   $(32*step), R1; \
	ADD   $32, R0; \
	SUBS  $32, R4; \
	BGE   loop; \
rest: \
	ADDS  $16, R4; \
	BLT   final; \
	one; \
	FMOVQ F0, (R0); \
final: \
	last; \
	ADD   R19, R7, R0; \
	ADD   R20, R8, R1; \
	SUBS  $1, R23; \
	BNE   row

// Two vectors of every second or fourth element are made by VUZP1: by the model that is
// as fast as VLD2 and VLD4 on Neoverse N1 and V1, and faster on N2 and V2.
#define EVERY2(of, width) EVERY(2, width, TWO2(of), ONE2(of), LAST2(of))
#define EVERY3(of, width) EVERY(3, width, TWO3(of), ONE3(of), LAST3(of))
#define EVERY4(of, width) EVERY(4, width, TWO4(of), ONE4(of), LAST4(of))

#define ONE2(of) VLD2 (R1), [V0.of, V1.of]
#define ONE3(of) VLD3 (R1), [V0.of, V1.of, V2.of]
#define ONE4(of) VLD4 (R1), [V0.of, V1.of, V2.of, V3.of]

#define LAST2(of) VLD2 (R8), [V0.of, V1.of]; FMOVQ F1, (R7)
#define LAST3(of) VLD3 (R8), [V0.of, V1.of, V2.of]; FMOVQ F2, (R7)
#define LAST4(of) VLD4 (R8), [V0.of, V1.of, V2.of, V3.of]; FMOVQ F3, (R7)

#define TWO2(of) \
	FLDPQ (R1), (F0, F1); \
	FLDPQ 32(R1), (F2, F3); \
	VUZP1 V1.of, V0.of, V0.of; \
	VUZP1 V3.of, V2.of, V2.of; \
	FSTPQ (F0, F2), (R0)

#define TWO3(of) \
	ADD   $48, R1, R5; \
	VLD3  (R1), [V0.of, V1.of, V2.of]; \
	VLD3  (R5), [V3.of, V4.of, V5.of]; \
	FSTPQ (F0, F3), (R0)

#define TWO4(of) \
	FLDPQ (R1), (F0, F1); \
	FLDPQ 32(R1), (F2, F3); \
	FLDPQ 64(R1), (F4, F5); \
	FLDPQ 96(R1), (F6, F7); \
	VUZP1 V1.of, V0.of, V0.of; \
	VUZP1 V3.of, V2.of, V2.of; \
	VUZP1 V5.of, V4.of, V4.of; \
	VUZP1 V7.of, V6.of, V6.of; \
	VUZP1 V2.of, V0.of, V0.of; \
	VUZP1 V6.of, V4.of, V4.of; \
	FSTPQ (F0, F4), (R0)

// REVERSED is rows in steps of -1, from their ends: R5 and R6 are where the vectors to come
// end and begin. A row is a vector at least.
#define REVERSED(flip, of) \
row: \
	ADD   R22, R0, R5; \
	MOVD  R1, R6; \
	SUBS  $64, R22, R4; \
	BLT   rest; \
loop: \
	FLDPQ (R6), (F0, F1); \
	FLDPQ 32(R6), (F2, F3); \
	ADD   $64, R6; \
	flip(V0, of); \
	flip(V1, of); \
	flip(V2, of); \
	flip(V3, of); \
	FSTPQ (F1, F0), -32(R5); \
	FSTPQ (F3, F2), -64(R5); \
	SUB   $64, R5; \
	SUBS  $64, R4; \
	BGE   loop; \
rest: \
	ADDS  $48, R4; \
	BLT   last; \
whole: \
	FMOVQ (R6), F0; \
	ADD   $16, R6; \
	flip(V0, of); \
	SUB   $16, R5; \
	FMOVQ F0, (R5); \
	SUBS  $16, R4; \
	BGE   whole; \
last: \
	ADDS  $16, R4; \
	BEQ   next; \
	ADD   R22, R1, R6; \
	FMOVQ -16(R6), F0; \
	flip(V0, of); \
	FMOVQ F0, (R0); \
next: \
	ADD   R19, R0; \
	ADD   R20, R1; \
	SUBS  $1, R23; \
	BNE   row

#define FLIP(v, of) VREV64 v.of, v.of; VEXT $8, v.B16, v.B16, v.B16
#define SWAP(v, of) VEXT $8, v.of, v.of, v.of

// THREES is rows of three that follow each other, each reversed; count of them at a time.
#define THREES(of, count, load, store, width) \
	SUBS $count, R4; \
	BLT  rest; \
loop: \
	VLD3.P 48(R1), [V0.of, V1.of, V2.of]; \
	VMOV V1.B16, V3.B16; \
	VMOV V0.B16, V4.B16; \
	VST3.P [V2.of, V3.of, V4.of], 48(R0); \
	SUBS $count, R4; \
	BGE  loop; \
rest: \
	ADDS $count, R4; \
	BEQ  done; \
tail: \
	load (R1), R5; \
	load width(R1), R6; \
	load (2*width)(R1), R7; \
	ADD  $(3*width), R1; \
	store R7, (R0); \
	store R6, width(R0); \
	store R5, (2*width)(R0); \
	ADD  $(3*width), R0; \
	SUBS $1, R4; \
	BNE  tail; \
done:

// SPACED is rows in steps of any length, R13 bytes, eight elements at a time.
#define SPACED(shift, eight, load, store, width) \
	SUB  R22, R19; \
	LSR  $shift, R22; \
	MUL  R13, R22, R5; \
	SUB  R5, R20; \
	ADD  R13, R13, R14; \
	ADD  R13, R14, R15; \
	ADD  R14, R14, R16; \
row: \
	SUBS $8, R22, R4; \
	BLT  rest; \
loop: \
	eight; \
	SUBS $8, R4; \
	BGE  loop; \
rest: \
	ADDS $8, R4; \
	BEQ  next; \
tail: \
	load (R1), R5; \
	ADD  R13, R1; \
	store.P R5, width(R0); \
	SUBS $1, R4; \
	BNE  tail; \
next: \
	ADD  R19, R0; \
	ADD  R20, R1; \
	SUBS $1, R23; \
	BNE  row

#define EIGHT(load) \
	load (R1), R5; \
	load (R1)(R13), R6; \
	load (R1)(R14), R7; \
	load (R1)(R15), R8; \
	ADD  R16, R1; \
	load (R1), R9; \
	load (R1)(R13), R10; \
	load (R1)(R14), R11; \
	load (R1)(R15), R12; \
	ADD  R16, R1

#define EIGHT64 \
	FMOVD (R1), F0; \
	FMOVD (R1)(R13), F1; \
	FMOVD (R1)(R14), F2; \
	FMOVD (R1)(R15), F3; \
	ADD   R16, R1; \
	FMOVD (R1), F4; \
	FMOVD (R1)(R13), F5; \
	FMOVD (R1)(R14), F6; \
	FMOVD (R1)(R15), F7; \
	ADD   R16, R1; \
	VZIP1 V1.D2, V0.D2, V0.D2; \
	VZIP1 V3.D2, V2.D2, V2.D2; \
	VZIP1 V5.D2, V4.D2, V4.D2; \
	VZIP1 V7.D2, V6.D2, V6.D2; \
	FSTPQ (F0, F2), (R0); \
	FSTPQ (F4, F6), 32(R0); \
	ADD   $64, R0

// Permuting. The windows of a step are at X10 + R5 to R8, and V16 says where each byte
// of the result is in them.
#define window0 WORD $0x3CE56940 // LDR Q0, [X10, X5]
#define window1 WORD $0x3CE66941 // LDR Q1, [X10, X6]
#define window2 WORD $0x3CE76942 // LDR Q2, [X10, X7]
#define window3 WORD $0x3CE86943 // LDR Q3, [X10, X8]

#define window4 WORD $0x3CEB6944 // LDR Q4, [X10, X11]
#define window5 WORD $0x3CEC6945 // LDR Q5, [X10, X12]

#define TABLE1 window0; VTBL V16.B16, [V0.B16], V0.B16
#define TABLE2 window0; window1; VTBL V16.B16, [V0.B16, V1.B16], V0.B16
#define TABLE3 window0; window1; window2; VTBL V16.B16, [V0.B16, V1.B16, V2.B16], V0.B16
#define TABLE4 window0; window1; window2; window3; VTBL V16.B16, [V0.B16, V1.B16, V2.B16, V3.B16], V0.B16

// STEPS makes steps of a row, 16 bytes each, until less than that is left.
#define STEPS(loop, table) \
loop: \
	table; \
	FMOVQ F0, (R9); \
	ADD   R19, R9; \
	ADD   R20, R10; \
	SUBS  $16, R4; \
	BGE   loop; \
	B     rest


// checkI32: k+size, unsigned, is below 2*size exactly for a good k.
TEXT ·checkI32NEON(SB), NOSPLIT, $0-32
	LDP  indices+0(FP), (R2, R4)
	MOVD size+16(FP), R3
	VDUP R3, V30.S4
	LSL  $1, R3
	MOVD R4, R17

loop:
	FMOVQ (R2), F0
	FMOVQ 16(R2), F1
	FMOVQ 32(R2), F2
	FMOVQ 48(R2), F3
	ADD   $64, R2
	VADD  V30.S4, V0.S4, V0.S4
	VADD  V30.S4, V1.S4, V1.S4
	VADD  V30.S4, V2.S4, V2.S4
	VADD  V30.S4, V3.S4, V3.S4
	VUMAX V1.S4, V0.S4, V0.S4
	VUMAX V3.S4, V2.S4, V2.S4
	VUMAX V0.S4, V2.S4, V2.S4
	umaxvS2
	VMOV  V2.S[0], R13
	CMPW  R3, R13
	BHS   bad
	SUBS  $16, R4
	BNE   loop
	MOVD  $-1, R4
	B     done

bad:
	SUB R4, R17, R4

done:
	MOVD R4, ret+24(FP)
	RET

TEXT ·checkI64NEON(SB), NOSPLIT, $0-32
	LDP  indices+0(FP), (R2, R4)
	MOVD size+16(FP), R3
	LSL  $1, R3, R16
	MOVD R4, R17

loop:
	SHIFTED(R3)
	CHECK8(R16)
	BHS  bad
	SUBS $8, R4
	BNE  loop
	MOVD $-1, R4
	B    done

bad:
	SUB R4, R17, R4

done:
	MOVD R4, ret+24(FP)
	RET

TEXT ·checkOffsetsNEON(SB), NOSPLIT, $0-33
	LDP offsets+0(FP), (R2, R4)
	LDP at+16(FP), (R3, R16)

loop:
	SHIFTED(R3)
	CHECK8(R16)
	BHS  done
	SUBS $8, R4
	BNE  loop
	CMP  $1, R4 // less, so that the result is true

done:
	CSET LO, R4
	MOVB R4, ret+32(FP)
	RET

TEXT ·resolveI32NEON(SB), NOSPLIT, $0-80
	LDP  offsets+0(FP), (R0, R2)
	LDP  n+16(FP), (R4, R3)
	LDP  scale+32(FP), (R24, R1)
	LDP  each+48(FP), (R20, R21)
	VDUP R3, V30.S4
	RESOLVE(INDICES32(bad))
	MOVD R4, ret+72(FP)
	RET

TEXT ·resolveI64NEON(SB), NOSPLIT, $0-80
	LDP  offsets+0(FP), (R0, R2)
	LDP  n+16(FP), (R4, R3)
	LDP  scale+32(FP), (R24, R1)
	LDP  each+48(FP), (R20, R21)
	RESOLVE(INDICES64(bad))
	MOVD R4, ret+72(FP)
	RET

TEXT ·resolveTuplesI32NEON(SB), NOSPLIT, $0-88
	LDP  offsets+0(FP), (R0, R1)
	LDP  row+16(FP), (R24, R21)
	LDP  n+32(FP), (R4, R19)
	LDP  strides+48(FP), (R20, R22)
	LDP  col+64(FP), (R17, R13)
	VMOV R13, V28.D[0]
	TUPLES(MOVW)
	MOVD R4, ret+80(FP)
	RET

TEXT ·resolveTuplesI64NEON(SB), NOSPLIT, $0-88
	LDP  offsets+0(FP), (R0, R1)
	LDP  row+16(FP), (R24, R21)
	LDP  n+32(FP), (R4, R19)
	LDP  strides+48(FP), (R20, R22)
	LDP  col+64(FP), (R17, R13)
	VMOV R13, V28.D[0]
	TUPLES(MOVD)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherX8I32NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	VDUP R3, V30.S4
	GATHER(0, 2, NOTHING, 8, INDICES32(badStep); TABLE8(R5.UXTW, R7.UXTW, R9.UXTW, R11.UXTW); STORE8, INDEX32, ONE8)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherX8I64NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	GATHER(0, 3, NOTHING, 8, INDICES64(badStep); TABLE8(R5, R7, R9, R11); STORE8, INDEX64, ONE8)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherColumnsX8I32NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	SUB  R22<<0, R20
	VDUP R3, V30.S4
	GATHER(0, 2, NOTHING, 8, INDICES32(badStep); COLUMNS(MOVBU, 1); STORE8, INDEX32, COLUMN(MOVBU, MOVB, 1))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherColumnsX8I64NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	SUB  R22<<0, R20
	GATHER(0, 3, NOTHING, 8, INDICES64(badStep); COLUMNS(MOVBU, 1); STORE8, INDEX64, COLUMN(MOVBU, MOVB, 1))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherX16I32NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	VDUP R3, V30.S4
	GATHER(1, 2, NOTHING, 8, INDICES32(badStep); TABLE16(R5.UXTW, R7.UXTW, R9.UXTW, R11.UXTW); STORE16, INDEX32, ONE16)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherX16I64NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	GATHER(1, 3, NOTHING, 8, INDICES64(badStep); TABLE16(R5, R7, R9, R11); STORE16, INDEX64, ONE16)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherColumnsX16I32NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $1, R24
	SUB  R22<<1, R20
	VDUP R3, V30.S4
	GATHER(1, 2, NOTHING, 8, INDICES32(badStep); COLUMNS(MOVHU, 2); STORE16, INDEX32, COLUMN(MOVHU, MOVH, 2))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherColumnsX16I64NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $1, R24
	SUB  R22<<1, R20
	GATHER(1, 3, NOTHING, 8, INDICES64(badStep); COLUMNS(MOVHU, 2); STORE16, INDEX64, COLUMN(MOVHU, MOVH, 2))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherX32I32NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	VDUP R3, V30.S4
	GATHER(2, 2, NOTHING, 8, INDICES32(badStep); TABLE32(R5.UXTW, R7.UXTW, R9.UXTW, R11.UXTW); STORE32, INDEX32, ONE32)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherX32I64NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	GATHER(2, 3, NOTHING, 8, INDICES64(badStep); TABLE32(R5, R7, R9, R11); PAIRS32, INDEX64, ONE32)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherColumnsX32I32NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $2, R24
	SUB  R22<<2, R20
	VDUP R3, V30.S4
	GATHER(2, 2, NOTHING, 8, INDICES32(badStep); COLUMNS(MOVWU, 4); STORE32, INDEX32, COLUMN(MOVWU, MOVW, 4))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherColumnsX32I64NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $2, R24
	SUB  R22<<2, R20
	GATHER(2, 3, NOTHING, 8, INDICES64(badStep); COLUMNS(MOVWU, 4); PAIRS32, INDEX64, COLUMN(MOVWU, MOVW, 4))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherX64I32NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	VDUP R3, V30.S4
	GATHER(3, 2, NOTHING, 8, INDICES32(badStep); TABLE64(R5.UXTW, R7.UXTW, R9.UXTW, R11.UXTW); STORE64, INDEX32, ONE64)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherX64I64NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	GATHER(3, 3, NOTHING, 8, INDICES64(badStep); TABLE64(R5, R7, R9, R11); STORE64, INDEX64, ONE64)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherColumnsX64I32NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $3, R24
	SUB  R22<<3, R20
	VDUP R3, V30.S4
	GATHER(3, 2, NOTHING, 8, INDICES32(badStep); COLUMNS(MOVD, 8); STORE64, INDEX32, COLUMN(MOVD, MOVD, 8))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherColumnsX64I64NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $3, R24
	SUB  R22<<3, R20
	GATHER(3, 3, NOTHING, 8, INDICES64(badStep); COLUMNS(MOVD, 8); STORE64, INDEX64, COLUMN(MOVD, MOVD, 8))
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherX128I32NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	VDUP R3, V30.S4
	GATHER(4, 2, NOTHING, 8, INDICES32(badStep); TABLE128(R5.UXTW, R7.UXTW, R9.UXTW, R11.UXTW); MOVE128(0), INDEX32, ONE128)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherX128I64NEON(SB), NOSPLIT, $0-88
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	GATHER(4, 3, NOTHING, 8, INDICES64(badStep); TABLE128(R5, R7, R9, R11); MOVE128(0), INDEX64, ONE128)
	MOVD R4, ret+80(FP)
	RET

TEXT ·gatherColumnsX128I32NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $4, R24
	SUB  R22<<4, R20
	VDUP R3, V30.S4
	GATHER(4, 2, NOTHING, 8, INDICES32(badStep); COLUMNS128, INDEX32, COLUMN128)
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherColumnsX128I64NEON(SB), NOSPLIT, $0-96
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R24)
	LDP  rows+64(FP), (R23, R22)
	LSL  $4, R24
	SUB  R22<<4, R20
	GATHER(4, 3, NOTHING, 8, INDICES64(badStep); COLUMNS128, INDEX64, COLUMN128)
	MOVD R4, ret+88(FP)
	RET

TEXT ·gatherTableX8I32NEON(SB), NOSPLIT, $0-104
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	VDUP R3, V30.S4
	MOVD $0x0706050403020100, R13
	MOVD $0x0F0E0D0C0B0A0908, R14
	VMOV R13, V31.D[0]
	VMOV R14, V31.D[1]
	VMOVI $64, V29.B16
	VMOVI $0, V28.B16
	GATHER(0, 2, TABLE, 16, VECTORS32; LOOKUP16, INDEX32, ONE8)
	MOVD R4, ret+96(FP)
	RET

TEXT ·gatherTableX8I64NEON(SB), NOSPLIT, $0-104
	LDP  dst+0(FP), (R0, R1)
	LDP  indices+16(FP), (R2, R19)
	LDP  tableRow+32(FP), (R20, R21)
	LDP  size+48(FP), (R3, R23)
	MOVD cols+64(FP), R22
	VDUP R3, V30.S4
	MOVD $0x0706050403020100, R13
	MOVD $0x0F0E0D0C0B0A0908, R14
	VMOV R13, V31.D[0]
	VMOV R14, V31.D[1]
	VMOVI $64, V29.B16
	VMOVI $0, V28.B16
	GATHER(0, 3, TABLE, 16, VECTORS64; LOOKUP16, INDEX64, ONE8)
	MOVD R4, ret+96(FP)
	RET

TEXT ·gatherOffsetsX8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R1)
	LDP  at+16(FP), (R3, R2)
	MOVD n+32(FP), R4
	ADD  R3, R1
	OFFSETS(TABLE8(R5, R7, R9, R11); STORE8, ONE8)
	RET

TEXT ·gatherOffsetsX16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R1)
	LDP  at+16(FP), (R3, R2)
	MOVD n+32(FP), R4
	ADD  R3, R1
	OFFSETS(TABLE16(R5, R7, R9, R11); STORE16, ONE16)
	RET

TEXT ·gatherOffsetsX32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R1)
	LDP  at+16(FP), (R3, R2)
	MOVD n+32(FP), R4
	ADD  R3, R1
	OFFSETS(TABLE32(R5, R7, R9, R11); STORE32, ONE32)
	RET

TEXT ·gatherOffsetsX64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R1)
	LDP  at+16(FP), (R3, R2)
	MOVD n+32(FP), R4
	ADD  R3, R1
	OFFSETS(TABLE64(R5, R7, R9, R11); STORE64, ONE64)
	RET

TEXT ·gatherOffsetsX128NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R1)
	LDP  at+16(FP), (R3, R2)
	MOVD n+32(FP), R4
	ADD  R3, R1
	OFFSETS(TABLE128(R5, R7, R9, R11); MOVE128(0), ONE128)
	RET

TEXT ·gatherRowsNEON(SB), NOSPLIT, $0-73
	LDP dst+0(FP), (R0, R3)
	LDP at+16(FP), (R5, R2)
	LDP n+32(FP), (R23, R24)
	LDP bytes+48(FP), (R22, R19)
	ADD R5, R3
	MOVEROWS(ATOFFSET, NOTHING, NOTHING)
	RET

TEXT ·gatherRowsAheadNEON(SB), NOSPLIT, $0-73
	LDP  dst+0(FP), (R0, R3)
	LDP  at+16(FP), (R5, R2)
	LDP  n+32(FP), (R17, R24)
	LDP  bytes+48(FP), (R22, R19)
	ADD  R5, R3
	MOVD ahead+64(FP), R15
	ROWSAHEAD(R19, ATOFFSETS, AHEAD, NOTHING)
	RET

TEXT ·scatterRowsNEON(SB), NOSPLIT, $0-72
	LDP  dst+0(FP), (R3, R5)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R17, R24)
	LDP  bytes+48(FP), (R22, R20)
	ADD  R5, R3
	MOVD ahead+64(FP), R15
	ROWSAHEAD(R20, SETOFFSETS, SOON, NEXTROW)
	RET

TEXT ·scatterX8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	SCATTER(0, FOUR8, UPDATE8, SET8)
	RET

TEXT ·scatterX16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	SCATTER(1, FOUR16, UPDATE16, SET16)
	RET

TEXT ·scatterX32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	SCATTER(2, FOUR32, UPDATE32, SET32)
	RET

TEXT ·scatterX64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	SCATTER(3, FOUR64, UPDATE64, SET64)
	RET

TEXT ·scatterX128NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	SCATTER(4, FOUR128, UPDATE128, SET128)
	RET

TEXT ·scatterSumF32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLSUMF32)
	RET

TEXT ·scatterSumRowsF32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(SUMF32x4), SUMF32x1)
	RET

TEXT ·scatterProdF32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLPRODF32)
	RET

TEXT ·scatterProdRowsF32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(PRODF32x4), PRODF32x1)
	RET

TEXT ·scatterMinF32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLMINF32)
	RET

TEXT ·scatterMinRowsF32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(MINF32x4), MINF32x1)
	RET

TEXT ·scatterMaxF32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLMAXF32)
	RET

TEXT ·scatterMaxRowsF32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(MAXF32x4), MAXF32x1)
	RET

TEXT ·scatterSumF64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLSUMF64)
	RET

TEXT ·scatterSumRowsF64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(SUMF64x4), SUMF64x1)
	RET

TEXT ·scatterProdF64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLPRODF64)
	RET

TEXT ·scatterProdRowsF64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(PRODF64x4), PRODF64x1)
	RET

TEXT ·scatterMinF64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLMINF64)
	RET

TEXT ·scatterMinRowsF64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(MINF64x4), MINF64x1)
	RET

TEXT ·scatterMaxF64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLMAXF64)
	RET

TEXT ·scatterMaxRowsF64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(MAXF64x4), MAXF64x1)
	RET

TEXT ·scatterSumI8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(1, CELLSUMI8)
	RET

TEXT ·scatterSumRowsI8NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(0, BY64(SUMI8x4), SUMI8x1)
	RET

TEXT ·scatterProdI8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(1, CELLPRODI8)
	RET

TEXT ·scatterProdRowsI8NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(0, BY64(PRODI8x4), PRODI8x1)
	RET

TEXT ·scatterMinI8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(1, CELLMINI8)
	RET

TEXT ·scatterMinRowsI8NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(0, BY64(MINI8x4), MINI8x1)
	RET

TEXT ·scatterMaxI8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(1, CELLMAXI8)
	RET

TEXT ·scatterMaxRowsI8NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(0, BY64(MAXI8x4), MAXI8x1)
	RET

TEXT ·scatterMinU8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(1, CELLMINU8)
	RET

TEXT ·scatterMinRowsU8NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(0, BY64(MINU8x4), MINU8x1)
	RET

TEXT ·scatterMaxU8NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(1, CELLMAXU8)
	RET

TEXT ·scatterMaxRowsU8NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(0, BY64(MAXU8x4), MAXU8x1)
	RET

TEXT ·scatterSumI16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLSUMI16)
	RET

TEXT ·scatterSumRowsI16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, BY64(SUMI16x4), SUMI16x1)
	RET

TEXT ·scatterProdI16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLPRODI16)
	RET

TEXT ·scatterProdRowsI16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, BY64(PRODI16x4), PRODI16x1)
	RET

TEXT ·scatterMinI16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMINI16)
	RET

TEXT ·scatterMinRowsI16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, BY64(MINI16x4), MINI16x1)
	RET

TEXT ·scatterMaxI16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMAXI16)
	RET

TEXT ·scatterMaxRowsI16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, BY64(MAXI16x4), MAXI16x1)
	RET

TEXT ·scatterMinU16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMINU16)
	RET

TEXT ·scatterMinRowsU16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, BY64(MINU16x4), MINU16x1)
	RET

TEXT ·scatterMaxU16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMAXU16)
	RET

TEXT ·scatterMaxRowsU16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, BY64(MAXU16x4), MAXU16x1)
	RET

TEXT ·scatterSumI32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLSUMI32)
	RET

TEXT ·scatterSumRowsI32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(SUMI32x4), SUMI32x1)
	RET

TEXT ·scatterProdI32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLPRODI32)
	RET

TEXT ·scatterProdRowsI32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(PRODI32x4), PRODI32x1)
	RET

TEXT ·scatterMinI32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLMINI32)
	RET

TEXT ·scatterMinRowsI32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(MINI32x4), MINI32x1)
	RET

TEXT ·scatterMaxI32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLMAXI32)
	RET

TEXT ·scatterMaxRowsI32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(MAXI32x4), MAXI32x1)
	RET

TEXT ·scatterMinU32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLMINU32)
	RET

TEXT ·scatterMinRowsU32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(MINU32x4), MINU32x1)
	RET

TEXT ·scatterMaxU32NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(4, CELLMAXU32)
	RET

TEXT ·scatterMaxRowsU32NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(2, BY64(MAXU32x4), MAXU32x1)
	RET

TEXT ·scatterSumI64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLSUMI64)
	RET

TEXT ·scatterSumRowsI64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(SUMI64x4), SUMI64x1)
	RET

TEXT ·scatterProdI64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLPRODI64)
	RET

TEXT ·scatterProdRowsI64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, PRODI64BY64, PRODI64x1)
	RET

TEXT ·scatterMinI64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLMINI64)
	RET

TEXT ·scatterMinRowsI64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(MINI64x4), MINI64x1)
	RET

TEXT ·scatterMaxI64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLMAXI64)
	RET

TEXT ·scatterMaxRowsI64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(MAXI64x4), MAXI64x1)
	RET

TEXT ·scatterMinU64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLMINU64)
	RET

TEXT ·scatterMinRowsU64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(MINU64x4), MINU64x1)
	RET

TEXT ·scatterMaxU64NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(8, CELLMAXU64)
	RET

TEXT ·scatterMaxRowsU64NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(3, BY64(MAXU64x4), MAXU64x1)
	RET

TEXT ·scatterSumF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLSUMF16)
	RET

TEXT ·scatterSumRowsF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, NOTHING, SUMF16x1)
	RET

TEXT ·scatterProdF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLPRODF16)
	RET

TEXT ·scatterProdRowsF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, NOTHING, PRODF16x1)
	RET

TEXT ·scatterMinF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMINF16)
	RET

TEXT ·scatterMinRowsF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, NOTHING, MINF16x1)
	RET

TEXT ·scatterMaxF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMAXF16)
	RET

TEXT ·scatterMaxRowsF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	ROWS(1, NOTHING, MAXF16x1)
	RET

TEXT ·scatterSumBF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	MOVD $0x7FFF, R17
	CELLS(2, CELLSUMBF16)
	RET

TEXT ·scatterSumRowsBF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	CONSTANTSBF16
	ROWS(1, NOTHING, SUMBF16x1)
	RET

TEXT ·scatterProdBF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	MOVD $0x7FFF, R17
	CELLS(2, CELLPRODBF16)
	RET

TEXT ·scatterProdRowsBF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	CONSTANTSBF16
	ROWS(1, NOTHING, PRODBF16x1)
	RET

TEXT ·scatterMinBF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMINBF16)
	RET

TEXT ·scatterMinRowsBF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	CONSTANTSBF16
	ROWS(1, NOTHING, MINBF16x1)
	RET

TEXT ·scatterMaxBF16NEON(SB), NOSPLIT, $0-40
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	MOVD n+32(FP), R4
	ADD  R3, R0
	CELLS(2, CELLMAXBF16)
	RET

TEXT ·scatterMaxRowsBF16NEON(SB), NOSPLIT, $0-65
	LDP  dst+0(FP), (R0, R3)
	LDP  offsets+16(FP), (R2, R1)
	LDP  n+32(FP), (R23, R19)
	MOVD cols+48(FP), R22
	ADD  R3, R0
	CONSTANTSBF16
	ROWS(1, NOTHING, MAXBF16x1)
	RET

TEXT ·prefetchNEON(SB), NOSPLIT, $0-16
	LDP p+0(FP), (R1, R4)

loop:
	PRFM (R1), PLDL1KEEP
	ADD  $64, R1
	SUBS $64, R4
	BGT  loop
	RET

TEXT ·copyRowsNEON(SB), NOSPLIT, $0-57
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	MOVEROWS(NOTHING, NOTHING, NEXTROW)
	RET

TEXT ·copyEvery2X8NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY2(B16, 1)
	RET

TEXT ·copyEvery2X16NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY2(H8, 2)
	RET

TEXT ·copyEvery2X32NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY2(S4, 4)
	RET

TEXT ·copyEvery3X8NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY3(B16, 1)
	RET

TEXT ·copyEvery3X16NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY3(H8, 2)
	RET

TEXT ·copyEvery3X32NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY3(S4, 4)
	RET

TEXT ·copyEvery4X8NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY4(B16, 1)
	RET

TEXT ·copyEvery4X16NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY4(H8, 2)
	RET

TEXT ·copyEvery4X32NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	EVERY4(S4, 4)
	RET

TEXT ·copyReversedX8NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	REVERSED(FLIP, B16)
	RET

TEXT ·copyReversedX16NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	REVERSED(FLIP, H8)
	RET

TEXT ·copyReversedX32NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	REVERSED(FLIP, S4)
	RET

TEXT ·copyReversedX64NEON(SB), NOSPLIT, $0-48
	LDP dst+0(FP), (R0, R1)
	LDP dstRow+16(FP), (R19, R20)
	LDP rows+32(FP), (R23, R22)
	REVERSED(SWAP, B16)
	RET

TEXT ·copyThreesX8NEON(SB), NOSPLIT, $0-24
	LDP  dst+0(FP), (R0, R1)
	MOVD rows+16(FP), R4
	THREES(B16, 16, MOVBU, MOVB, 1)
	RET

TEXT ·copyThreesX16NEON(SB), NOSPLIT, $0-24
	LDP  dst+0(FP), (R0, R1)
	MOVD rows+16(FP), R4
	THREES(H8, 8, MOVHU, MOVH, 2)
	RET

TEXT ·copyThreesX32NEON(SB), NOSPLIT, $0-24
	LDP  dst+0(FP), (R0, R1)
	MOVD rows+16(FP), R4
	THREES(S4, 4, MOVWU, MOVW, 4)
	RET

TEXT ·copySpacedX8NEON(SB), NOSPLIT, $0-56
	LDP  dst+0(FP), (R0, R1)
	LDP  dstRow+16(FP), (R19, R20)
	LDP  rows+32(FP), (R23, R22)
	MOVD step+48(FP), R13
	SPACED(0, EIGHT(MOVBU); STORE8, MOVBU, MOVB, 1)
	RET

TEXT ·copySpacedX16NEON(SB), NOSPLIT, $0-56
	LDP  dst+0(FP), (R0, R1)
	LDP  dstRow+16(FP), (R19, R20)
	LDP  rows+32(FP), (R23, R22)
	MOVD step+48(FP), R13
	SPACED(1, EIGHT(MOVHU); STORE16, MOVHU, MOVH, 2)
	RET

TEXT ·copySpacedX32NEON(SB), NOSPLIT, $0-56
	LDP  dst+0(FP), (R0, R1)
	LDP  dstRow+16(FP), (R19, R20)
	LDP  rows+32(FP), (R23, R22)
	MOVD step+48(FP), R13
	SPACED(2, EIGHT(MOVWU); STORE32, MOVWU, MOVW, 4)
	RET

TEXT ·copySpacedX64NEON(SB), NOSPLIT, $0-56
	LDP  dst+0(FP), (R0, R1)
	LDP  dstRow+16(FP), (R19, R20)
	LDP  rows+32(FP), (R23, R22)
	MOVD step+48(FP), R13
	SPACED(3, EIGHT64, MOVD, MOVD, 8)
	RET

TEXT ·copyStepsX8NEON(SB), NOSPLIT, $0-97
	LDP  dst+0(FP), (R0, R1)
	LDP  dstRow+16(FP), (R21, R24)
	LDP  rows+32(FP), (R23, R22)
	LDP  step+48(FP), (R17, R13)
	MOVD windows+64(FP), R25
	MOVD move+80(FP), R19
	LDP  (R13), (R5, R6)
	LDP  16(R13), (R7, R8)
	FMOVQ 32(R13), F16
	MUL  R17, R19, R20 // from a step to the next, in src

row:
	MOVD R0, R9
	MOVD R1, R10
	SUB  $16, R22, R4

begin:
	CMP $2, R25
	BLT loop1
	BEQ loop2
	CMP $3, R25
	BEQ loop3
	STEPS(loop4, TABLE4)
	STEPS(loop3, TABLE3)
	STEPS(loop2, TABLE2)
	STEPS(loop1, TABLE1)

rest:
	ADDS $16, R4
	BEQ  next
	SUB  $16, R4, R13 // the last step, back in the row
	CMP  $0, R19
	CNEG LT, R13, R13
	ADD  R13, R9
	MADD R17, R10, R13, R10
	MOVD ZR, R4
	B    begin

next:
	ADD  R21, R0
	ADD  R24, R1
	SUBS $1, R23
	BNE  row
	RET

TEXT ·copyTriplesX8NEON(SB), NOSPLIT, $0-40
	LDP   dst+0(FP), (R9, R10)
	LDP   steps+16(FP), (R4, R13)
	MOVD  advance+32(FP), R24
	LDP   (R13), (R5, R6)
	LDP   96(R13), (R7, R8)
	LDP   192(R13), (R11, R12)
	FMOVQ 32(R13), F16
	FMOVQ 128(R13), F17
	FMOVQ 224(R13), F18

loop:
	window0
	window1
	window2
	window3
	window4
	window5
	ADD   R24, R10
	VTBL  V16.B16, [V0.B16, V1.B16], V0.B16
	VTBL  V17.B16, [V2.B16, V3.B16], V1.B16
	VTBL  V18.B16, [V4.B16, V5.B16], V2.B16
	FSTPQ (F0, F1), (R9)
	FMOVQ F2, 32(R9)
	ADD   $48, R9
	SUBS  $1, R4
	BNE   loop
	RET

TEXT ·copyPeriodsX8NEON(SB), NOSPLIT, $0-57
	LDP  dst+0(FP), (R9, R10)
	LDP  steps+16(FP), (R4, R3)
	LDP  windows+32(FP), (R25, R23)
	MOVD advance+48(FP), R24

period:
	MOVD R3, R13
	MOVD R23, R22

loop:
	LDP   (R13), (R5, R6)
	FMOVQ 32(R13), F16
	CMP   $2, R25
	BGT   wide
	TABLE2
	B     store

wide:
	LDP 16(R13), (R7, R8)
	TABLE4

store:
	FMOVQ F0, (R9)
	ADD   $16, R9
	ADD   $96, R13
	SUBS  $1, R4
	BEQ   done
	SUBS  $1, R22
	BNE   loop
	ADD   R24, R10
	B     period

done:
	RET
