// The loops that the bodies are compared with, as clang compiles them. Each is the
// loop of generic/, with its checks: a position is returned for a bad index.
#include <stdint.h>
#include <stddef.h>

typedef uint8_t x8;
typedef uint16_t x16;
typedef uint32_t x32;
typedef uint64_t x64;
typedef struct { uint64_t lo, hi; } x128;
typedef int32_t i32;
typedef int64_t i64;

#define FAR __attribute__((noinline))
#define R restrict

#define CHECK(I) \
FAR i64 check_##I(const I *R x, i64 n, i64 size) { \
	for (i64 j = 0; j < n; j++) { i64 k = x[j]; if (k < 0) k += size; if ((uint64_t)k >= (uint64_t)size) return j; } \
	return -1; }
FAR i64 check_offsets(const i64 *R o, i64 n, i64 at, i64 limit) {
	for (i64 j = 0; j < n; j++) if ((uint64_t)(at + o[j]) >= (uint64_t)limit) return 0;
	return 1; }
#define RESOLVE(I) \
FAR i64 resolve_##I(i64 *R o, const I *R x, i64 n, i64 size, i64 scale, i64 col) { \
	for (i64 j = 0; j < n; j++) { i64 k = x[j]; if (k < 0) k += size; if ((uint64_t)k >= (uint64_t)size) return j; o[j] = k*scale + j*col; } \
	return -1; }
#define TUPLES(I) \
FAR i64 tuples_##I(i64 *R o, const I *R x, i64 row, i64 next, i64 n, const i64 *R sizes, const i64 *R strides, i64 m, i64 col) { \
	for (i64 i = 0; i < n; i++) { i64 s = i*col; \
		for (i64 t = 0; t < m; t++) { i64 k = x[i*row + t*next]; if (k < 0) k += sizes[t]; if ((uint64_t)k >= (uint64_t)sizes[t]) return i; s += k*strides[t]; } \
		o[i] = s; } \
	return -1; }
#define GATHER(T, I) \
FAR i64 gather_##T##_##I(T *R d, const T *R s, const I *R x, i64 n, i64 size) { \
	for (i64 j = 0; j < n; j++) { i64 k = x[j]; if (k < 0) k += size; if ((uint64_t)k >= (uint64_t)size) return j; d[j] = s[k]; } \
	return -1; } \
FAR i64 columns_##T##_##I(T *R d, const T *R s, const I *R x, i64 n, i64 size, i64 step) { \
	for (i64 j = 0; j < n; j++) { i64 k = x[j]; if (k < 0) k += size; if ((uint64_t)k >= (uint64_t)size) return j; d[j] = s[k*step + j]; } \
	return -1; }
#define MOVE(T) \
FAR void offsets_##T(T *R d, const T *R s, const i64 *R o, i64 n) { for (i64 j = 0; j < n; j++) d[j] = s[o[j]]; } \
FAR void scatter_##T(T *R d, const i64 *R o, const T *R u, i64 n) { for (i64 j = 0; j < n; j++) d[o[j]] = u[j]; }
#define ROWS(B) \
FAR void rows_##B(x8 *R d, const x8 *R s, const i64 *R o, i64 n, i64 row) { \
	for (i64 i = 0; i < n; i++) for (i64 j = 0; j < B; j++) d[i*row + j] = s[4*o[i] + j]; } \
FAR void set_rows_##B(x8 *R d, const x8 *R s, const i64 *R o, i64 n, i64 row) { \
	for (i64 i = 0; i < n; i++) for (i64 j = 0; j < B; j++) d[4*o[i] + j] = s[i*row + j]; } \
FAR void copy_##B(x8 *R d, const x8 *R s, i64 n, i64 row, i64 from) { \
	for (i64 i = 0; i < n; i++) for (i64 j = 0; j < B; j++) d[i*row + j] = s[i*from + j]; }
#define COMBINE(OP, E, T, EXPR) \
FAR void cells_##OP##_##E(T *R d, const i64 *R o, const T *R u, i64 n) { for (i64 j = 0; j < n; j++) { T c = d[o[j]], v = u[j]; d[o[j]] = EXPR; } } \
FAR void combine_##OP##_##E(T *R d, const i64 *R o, const T *R u, i64 n) { for (i64 j = 0; j < n; j++) { T c = d[j], v = u[j]; d[j] = EXPR; } }
#define NUMBER(E, T) COMBINE(Sum, E, T, c + v) COMBINE(Prod, E, T, c * v) COMBINE(Min, E, T, c < v ? c : v) COMBINE(Max, E, T, c > v ? c : v)

static inline float f16(x16 b) { __fp16 h; __builtin_memcpy(&h, &b, 2); return h; }
static inline x16 to16(float f) { __fp16 h = f; x16 b; __builtin_memcpy(&b, &h, 2); return b; }
static inline float bf16(x16 b) { x32 w = (x32)b << 16; float f; __builtin_memcpy(&f, &w, 4); return f; }
static inline x16 tobf16(float f) { x32 b; __builtin_memcpy(&b, &f, 4); return f != f ? 0x7FC0 : (b + 0x7FFF + (b >> 16 & 1)) >> 16; }
#define HALF(E, W, N) COMBINE(Sum, E, x16, N(W(c) + W(v))) COMBINE(Prod, E, x16, N(W(c) * W(v))) COMBINE(Min, E, x16, W(c) < W(v) ? c : v) COMBINE(Max, E, x16, W(c) > W(v) ? c : v)

#define STEP(T, NAME, S) FAR void steps_##T##_##NAME(T *R d, const T *R s, i64 n) { for (i64 j = 0; j < n; j++) d[j] = s[j*S]; }
#define STEPS(T) STEP(T, 2, 2) STEP(T, 3, 3) STEP(T, 4, 4) STEP(T, 5, 5) STEP(T, m1, -1) STEP(T, m2, -2) STEP(T, m3, -3) STEP(T, m4, -4)
#define REVERSED(T, C) FAR void reversed_##T##_##C(T *R d, const T *R s, i64 n) { for (i64 i = 0; i < n; i++) for (i64 j = 0; j < C; j++) d[i*C + j] = s[i*C + C-1 - j]; }
#define FIRST(T, OF) FAR void first_##T##_##OF(T *R d, const T *R s, i64 n) { for (i64 i = 0; i < n; i++) for (i64 j = 0; j < 3; j++) d[i*3 + j] = s[i*OF + j]; }
#define SHORTROWS(T) REVERSED(T, 3) REVERSED(T, 4) FIRST(T, 4) FIRST(T, 8)

CHECK(i32) RESOLVE(i32) TUPLES(i32)
CHECK(i64) RESOLVE(i64) TUPLES(i64)
#define MOVES(T) GATHER(T, i32) GATHER(T, i64) MOVE(T)
MOVES(x8) MOVES(x16) MOVES(x32) MOVES(x64) MOVES(x128)
ROWS(12) ROWS(64) ROWS(100) ROWS(256) ROWS(512)
NUMBER(F32, float) NUMBER(F64, double)
NUMBER(I8, int8_t) NUMBER(I16, int16_t) NUMBER(I32, int32_t) NUMBER(I64, int64_t)
NUMBER(U8, uint8_t) NUMBER(U16, uint16_t) NUMBER(U32, uint32_t) NUMBER(U64, uint64_t)
HALF(F16, f16, to16) HALF(BF16, bf16, tobf16)
STEPS(x8) STEPS(x16) STEPS(x32) STEPS(x64) STEPS(x128)
SHORTROWS(x8) SHORTROWS(x16) SHORTROWS(x32) SHORTROWS(x64)

static x8 d[1 << 20] __attribute__((aligned(64))), s[1 << 25] __attribute__((aligned(64))), x[1 << 20] __attribute__((aligned(64)));
static i64 three[3] = {4096, 4096, 4096};

// Each function is called twice, as the bodies are.
#define TWICE(CALL) for (int k = 0; k < 2; k++) { i64 n = k ? LONG : SHORT; CALL; }
#define CALL_INDEXED(I) \
	TWICE(check_##I((I *)x, n, 4096)) \
	TWICE(resolve_##I((i64 *)d, (I *)x, n, 4096, 3, 0)) \
	TWICE(tuples_##I((i64 *)d, (I *)x, 3, 1, n, three, three, 3, 0))
#define CALL_GATHER(T, I) \
	TWICE(gather_##T##_##I((T *)d, (T *)s, (I *)x, n, 4096)) \
	TWICE(columns_##T##_##I((T *)d, (T *)s, (I *)x, n, 4096, 2000))
#define CALL_MOVES(T) CALL_GATHER(T, i32) CALL_GATHER(T, i64) \
	TWICE(offsets_##T((T *)d, (T *)s, (i64 *)x, n)) \
	TWICE(scatter_##T((T *)d, (i64 *)x, (T *)s, n))
#define CALL_ROWS(B) \
	TWICE(rows_##B(d, s, (i64 *)x, n/32, B + 4)) \
	TWICE(set_rows_##B(d, s, (i64 *)x, n/32, B + 4)) \
	TWICE(copy_##B(d, s, n/32, B + 4, B + 8))
#define CALL_COMBINE(OP, E, T) \
	TWICE(cells_##OP##_##E((T *)d, (i64 *)x, (T *)s, n)) \
	TWICE(combine_##OP##_##E((T *)d, (i64 *)x, (T *)s, n))
#define CALL_NUMBER(E, T) CALL_COMBINE(Sum, E, T) CALL_COMBINE(Prod, E, T) CALL_COMBINE(Min, E, T) CALL_COMBINE(Max, E, T)
#define CALL_STEP(T, NAME) TWICE(steps_##T##_##NAME((T *)d, (T *)(s + (1 << 24)), n))
#define CALL_STEPS(T) CALL_STEP(T, 2) CALL_STEP(T, 3) CALL_STEP(T, 4) CALL_STEP(T, 5) CALL_STEP(T, m1) CALL_STEP(T, m2) CALL_STEP(T, m3) CALL_STEP(T, m4)
#define CALL_SHORTROWS(T) \
	TWICE(reversed_##T##_3((T *)d, (T *)s, n)) \
	TWICE(reversed_##T##_4((T *)d, (T *)s, n)) \
	TWICE(first_##T##_4((T *)d, (T *)s, n)) \
	TWICE(first_##T##_8((T *)d, (T *)s, n))

void _start(void) {
	CALL_INDEXED(i32)
	CALL_INDEXED(i64)
	TWICE(check_offsets((i64 *)x, n, 0, 4096))
	CALL_MOVES(x8) CALL_MOVES(x16) CALL_MOVES(x32) CALL_MOVES(x64) CALL_MOVES(x128)
	CALL_ROWS(12) CALL_ROWS(64) CALL_ROWS(100) CALL_ROWS(256) CALL_ROWS(512)
	CALL_NUMBER(F32, float) CALL_NUMBER(F64, double)
	CALL_NUMBER(I8, int8_t) CALL_NUMBER(I16, int16_t) CALL_NUMBER(I32, int32_t) CALL_NUMBER(I64, int64_t)
	CALL_NUMBER(U8, uint8_t) CALL_NUMBER(U16, uint16_t) CALL_NUMBER(U32, uint32_t) CALL_NUMBER(U64, uint64_t)
	CALL_NUMBER(F16, x16) CALL_NUMBER(BF16, x16)
	CALL_STEPS(x8) CALL_STEPS(x16) CALL_STEPS(x32) CALL_STEPS(x64) CALL_STEPS(x128)
	CALL_SHORTROWS(x8) CALL_SHORTROWS(x16) CALL_SHORTROWS(x32) CALL_SHORTROWS(x64)
	register i64 zero __asm__("x0") = 0;
	register i64 exit __asm__("x8") = 93;
	__asm__ volatile("svc #0" : : "r"(zero), "r"(exit));
	__builtin_unreachable();
}
