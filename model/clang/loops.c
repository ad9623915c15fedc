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
#define PERIOD(T, C) FAR void periods_##T##_##C(T *R d, const T *R s, i64 n) { for (i64 i = 0; i < n; i++) for (i64 j = 0; j < C; j++) d[i*C + j] = s[i*C + C-1 - j]; }
#define COPY(T) STEP(T, m1, -1) STEP(T, m2, -2) STEP(T, 2, 2) STEP(T, 3, 3) STEP(T, 4, 4) PERIOD(T, 3) PERIOD(T, 4)

CHECK(i32) RESOLVE(i32) TUPLES(i32)
CHECK(i64) RESOLVE(i64) TUPLES(i64)
GATHER(x8, i32)
GATHER(x8, i64)
MOVE(x8)
GATHER(x16, i32)
GATHER(x16, i64)
MOVE(x16)
GATHER(x32, i32)
GATHER(x32, i64)
MOVE(x32)
GATHER(x64, i32)
GATHER(x64, i64)
MOVE(x64)
GATHER(x128, i32)
GATHER(x128, i64)
MOVE(x128)
ROWS(64)
ROWS(256)
ROWS(512)
NUMBER(F32, float)
NUMBER(F64, double)
NUMBER(I8, int8_t)
NUMBER(U8, uint8_t)
NUMBER(I16, int16_t)
NUMBER(U16, uint16_t)
NUMBER(I32, int32_t)
NUMBER(U32, uint32_t)
NUMBER(I64, int64_t)
NUMBER(U64, uint64_t)
HALF(F16, f16, to16)
HALF(BF16, bf16, tobf16)
COPY(x8)
COPY(x16)
COPY(x32)
COPY(x64)

static x8 d[1 << 20] __attribute__((aligned(64))), s[1 << 25] __attribute__((aligned(64))), x[1 << 20] __attribute__((aligned(64)));
static i64 three[3] = {4096, 4096, 4096};

void _start(void) {
	i64 n;
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; check_i32((i32 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; resolve_i32((i64 *)d, (i32 *)x, n, 4096, 3, 0); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; tuples_i32((i64 *)d, (i32 *)x, 3, 1, n, three, three, 3, 0); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; check_i64((i64 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; resolve_i64((i64 *)d, (i64 *)x, n, 4096, 3, 0); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; tuples_i64((i64 *)d, (i64 *)x, 3, 1, n, three, three, 3, 0); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x8_i32((x8 *)d, (x8 *)s, (i32 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x8_i32((x8 *)d, (x8 *)s, (i32 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x8_i64((x8 *)d, (x8 *)s, (i64 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x8_i64((x8 *)d, (x8 *)s, (i64 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; offsets_x8((x8 *)d, (x8 *)s, (i64 *)x, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; scatter_x8((x8 *)d, (i64 *)x, (x8 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x16_i32((x16 *)d, (x16 *)s, (i32 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x16_i32((x16 *)d, (x16 *)s, (i32 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x16_i64((x16 *)d, (x16 *)s, (i64 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x16_i64((x16 *)d, (x16 *)s, (i64 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; offsets_x16((x16 *)d, (x16 *)s, (i64 *)x, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; scatter_x16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x32_i32((x32 *)d, (x32 *)s, (i32 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x32_i32((x32 *)d, (x32 *)s, (i32 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x32_i64((x32 *)d, (x32 *)s, (i64 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x32_i64((x32 *)d, (x32 *)s, (i64 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; offsets_x32((x32 *)d, (x32 *)s, (i64 *)x, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; scatter_x32((x32 *)d, (i64 *)x, (x32 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x64_i32((x64 *)d, (x64 *)s, (i32 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x64_i32((x64 *)d, (x64 *)s, (i32 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x64_i64((x64 *)d, (x64 *)s, (i64 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x64_i64((x64 *)d, (x64 *)s, (i64 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; offsets_x64((x64 *)d, (x64 *)s, (i64 *)x, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; scatter_x64((x64 *)d, (i64 *)x, (x64 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x128_i32((x128 *)d, (x128 *)s, (i32 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x128_i32((x128 *)d, (x128 *)s, (i32 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; gather_x128_i64((x128 *)d, (x128 *)s, (i64 *)x, n, 4096); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; columns_x128_i64((x128 *)d, (x128 *)s, (i64 *)x, n, 4096, 2000); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; offsets_x128((x128 *)d, (x128 *)s, (i64 *)x, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; scatter_x128((x128 *)d, (i64 *)x, (x128 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; rows_64(d, s, (i64 *)x, n/32, 68); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; copy_64(d, s, n/32, 68, 72); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; rows_256(d, s, (i64 *)x, n/32, 260); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; copy_256(d, s, n/32, 260, 264); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; rows_512(d, s, (i64 *)x, n/32, 516); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; copy_512(d, s, n/32, 516, 520); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_F32((float *)d, (i64 *)x, (float *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_F64((double *)d, (i64 *)x, (double *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_I8((int8_t *)d, (i64 *)x, (int8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_U8((uint8_t *)d, (i64 *)x, (uint8_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_I16((int16_t *)d, (i64 *)x, (int16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_U16((uint16_t *)d, (i64 *)x, (uint16_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_I32((int32_t *)d, (i64 *)x, (int32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_U32((uint32_t *)d, (i64 *)x, (uint32_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_I64((int64_t *)d, (i64 *)x, (int64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_U64((uint64_t *)d, (i64 *)x, (uint64_t *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_F16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Sum_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Sum_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Prod_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Prod_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Min_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Min_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; cells_Max_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; combine_Max_BF16((x16 *)d, (i64 *)x, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x8_m1((x8 *)d, (x8 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x8_m2((x8 *)d, (x8 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x8_2((x8 *)d, (x8 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x8_3((x8 *)d, (x8 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x8_4((x8 *)d, (x8 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x8_3((x8 *)d, (x8 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x8_4((x8 *)d, (x8 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x16_m1((x16 *)d, (x16 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x16_m2((x16 *)d, (x16 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x16_2((x16 *)d, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x16_3((x16 *)d, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x16_4((x16 *)d, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x16_3((x16 *)d, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x16_4((x16 *)d, (x16 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x32_m1((x32 *)d, (x32 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x32_m2((x32 *)d, (x32 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x32_2((x32 *)d, (x32 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x32_3((x32 *)d, (x32 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x32_4((x32 *)d, (x32 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x32_3((x32 *)d, (x32 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x32_4((x32 *)d, (x32 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x64_m1((x64 *)d, (x64 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x64_m2((x64 *)d, (x64 *)(s + 65536), n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x64_2((x64 *)d, (x64 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x64_3((x64 *)d, (x64 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; steps_x64_4((x64 *)d, (x64 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x64_3((x64 *)d, (x64 *)s, n); }
	for (int k = 0; k < 2; k++) { n = k ? LONG : SHORT; periods_x64_4((x64 *)d, (x64 *)s, n); }
	register i64 zero __asm__("x0") = 0;
	register i64 exit __asm__("x8") = 93;
	__asm__ volatile("svc #0" : : "r"(zero), "r"(exit));
	__builtin_unreachable();
}
