package lanes_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// Benchmarks of the primitives, with names that benchstat takes apart:
//
//	go test -run '^$' -bench . -count 10 > old.txt   … change …   > new.txt
//	benchstat old.txt new.txt
//	benchstat -col /impl generic.txt avx2.txt   (runs with LANES_ISA=generic and avx2)
//
// op=Memmove is the ceiling: as many bytes as each row's output, copied.

// name puts a benchmark's name together; op stands first, in every benchmark of the module.
func name(op, elem, idx string, n int, pattern string) string {
	return fmt.Sprintf("op=%s/elem=%s/idx=%s/n=%d/pattern=%s/impl=%s", op, elem, idx, n, pattern, dispatch.Active())
}

// A table of 4 Ki entries stays in the first cache, one of 1 Mi does not.
var benchSizes = []int{4 << 10, 1 << 20}

// indexPatterns are the orders that indices come in.
var indexPatterns = []struct {
	name string
	at   func(r *rand.Rand, j, n int) int
}{
	{"random", func(r *rand.Rand, _, n int) int { return r.IntN(n) }},
	{"sorted", func(_ *rand.Rand, j, _ int) int { return j }},
	{"equal", func(_ *rand.Rand, _, n int) int { return n / 2 }},
}

func indices[I lanes.Index](n int, at func(r *rand.Rand, j, n int) int) []I {
	r := rand.New(rand.NewPCG(1, 1))
	x := make([]I, n)
	for j := range x {
		x[j] = I(at(r, j, n))
	}
	return x
}

func ints(n, scale int, at func(r *rand.Rand, j, n int) int) []int {
	out := make([]int, n)
	for j, k := range indices[int64](n, at) {
		out[j] = int(k) * scale
	}
	return out
}

func benchGather[T lanes.Elem, I lanes.Index](b *testing.B, elem, idx string, width int) {
	for _, n := range benchSizes {
		for _, p := range indexPatterns {
			b.Run(name("Gather", elem, idx, n, p.name), func(b *testing.B) {
				dst, src, x := make([]T, n), make([]T, n), indices[I](n, p.at)
				b.SetBytes(int64(n * width))
				for b.Loop() {
					lanes.Gather(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src}, n, 1, lanes.Plane[I]{Data: x, Col: 1}, 1, n)
				}
			})
		}
		b.Run(name("Gather", elem, idx, n, "columns"), func(b *testing.B) {
			const cols = 64
			dst, src, x := make([]T, n), make([]T, n), indices[I](n, func(r *rand.Rand, _, n int) int { return r.IntN(n / cols) })
			b.SetBytes(int64(n * width))
			for b.Loop() {
				lanes.Gather(lanes.Plane[T]{Data: dst, Row: cols, Col: 1}, lanes.Plane[T]{Data: src, Col: 1}, n/cols, cols,
					lanes.Plane[I]{Data: x, Row: cols, Col: 1}, n/cols, cols)
			}
		})
	}
}

func BenchmarkGather(b *testing.B) {
	benchGather[uint8, int64](b, "x8", "i64", 1)
	benchGather[uint16, int64](b, "x16", "i64", 2)
	benchGather[uint32, int32](b, "x32", "i32", 4)
	benchGather[uint32, int64](b, "x32", "i64", 4)
	benchGather[uint64, int64](b, "x64", "i64", 8)
}

func BenchmarkGatherRows(b *testing.B) {
	for _, cols := range []int{1, 16, 64} {
		n := 1 << 20
		b.Run(name("GatherRows", "x32", "offset", n, fmt.Sprintf("rows%d", cols)), func(b *testing.B) {
			dst, src, offsets := make([]uint32, n), make([]uint32, n), ints(n/cols, cols, func(r *rand.Rand, _, n int) int { return r.IntN(n) })
			b.SetBytes(int64(n * 4))
			for b.Loop() {
				lanes.GatherRows(lanes.Plane[uint32]{Data: dst, Row: cols, Col: 1}, src, 0, 1, offsets, cols)
			}
		})
	}
}

func BenchmarkCopy(b *testing.B) {
	for _, p := range []struct {
		name    string
		at, col int
	}{{"run", 0, 1}, {"reversed", 1<<20 - 1, -1}, {"step2", 0, 2}, {"step3", 0, 3}, {"step4", 0, 4}, {"step17", 0, 17}} {
		n := 1 << 20
		b.Run(name("Copy", "x32", "none", n, p.name), func(b *testing.B) {
			dst, src := make([]uint32, n), make([]uint32, n*max(p.col, 1))
			b.SetBytes(int64(n * 4))
			for b.Loop() {
				lanes.Copy(lanes.Plane[uint32]{Data: dst, Col: 1}, lanes.Plane[uint32]{Data: src, At: p.at, Col: p.col}, 1, n)
			}
		})
	}
}

func BenchmarkScatter(b *testing.B) {
	for _, n := range benchSizes {
		for _, p := range indexPatterns {
			b.Run(name("Scatter", "x32", "offset", n, p.name), func(b *testing.B) {
				dst, src, offsets := make([]uint32, n), make([]uint32, n), ints(n, 1, p.at)
				b.SetBytes(int64(n * 4))
				for b.Loop() {
					lanes.Scatter(dst, 0, 0, offsets, lanes.Plane[uint32]{Data: src, Row: 1}, 1)
				}
			})
		}
	}
}

func benchReduce[T lanes.Number](b *testing.B, elem string, sizes []int, patterns []string) {
	for _, op := range []struct {
		name string
		op   lanes.Op
	}{{"Sum", lanes.Sum}, {"Prod", lanes.Prod}, {"Min", lanes.Min}, {"Max", lanes.Max}} {
		for _, n := range sizes {
			for _, p := range indexPatterns {
				if !slices.Contains(patterns, p.name) {
					continue
				}
				b.Run(name("Scatter"+op.name, elem, "offset", n, p.name), func(b *testing.B) {
					dst, src, offsets := make([]T, n), make([]T, n), ints(n, 1, p.at)
					for i := range src {
						src[i] = T(i * 97)
					}
					b.SetBytes(int64(n) * int64(unsafe.Sizeof(src[0])))
					for b.Loop() {
						lanes.ScatterReduce(op.op, dst, 0, 0, offsets, lanes.Plane[T]{Data: src, Row: 1}, 1)
					}
				})
			}
		}
	}
}

func BenchmarkScatterReduce(b *testing.B) {
	benchReduce[float32](b, "f32", benchSizes, []string{"random", "sorted", "equal"})
	small, random := benchSizes[:1], []string{"random"}
	benchReduce[int8](b, "i8", small, random)
	benchReduce[uint8](b, "u8", small, random)
	benchReduce[int16](b, "i16", small, random)
	benchReduce[uint16](b, "u16", small, random)
	benchReduce[int32](b, "i32", small, random)
	for _, elem := range []struct {
		name string
		half lanes.Half
	}{{"f16", lanes.Binary16}, {"bf16", lanes.Brain16}} {
		n := 4 << 10
		b.Run(name("ScatterSum", elem.name, "offset", n, "random"), func(b *testing.B) {
			dst, src, offsets := make([]uint16, n), make([]uint16, n), ints(n, 1, indexPatterns[0].at)
			b.SetBytes(int64(n * 2))
			for b.Loop() {
				lanes.ScatterReduceHalf(lanes.Sum, elem.half, dst, 0, 0, offsets, lanes.Plane[uint16]{Data: src, Row: 1}, 1)
			}
		})
	}
	n := 4 << 10
	b.Run(name("ScatterProd", "c64", "offset", n, "random"), func(b *testing.B) {
		dst, src, offsets := make([]complex64, n), make([]complex64, n), ints(n, 1, indexPatterns[0].at)
		b.SetBytes(int64(n * 8))
		for b.Loop() {
			lanes.ScatterReduceComplex(lanes.Prod, dst, 0, 0, offsets, lanes.Plane[complex64]{Data: src, Row: 1}, 1)
		}
	})
	b.Run(name("ScatterSums", "i32", "offset", n, "random"), func(b *testing.B) {
		sums, src, offsets := make([]int64, n), make([]int32, n), ints(n, 1, indexPatterns[0].at)
		b.SetBytes(int64(n * 4))
		for b.Loop() {
			scatterSums(sums, 0, 0, 0, offsets, lanes.Plane[int32]{Data: src, Row: 1}, 1)
		}
	})
	b.Run(name("ScatterSums", "i64", "offset", n, "random"), func(b *testing.B) {
		sums, src, offsets := make([]generic.Exact, n), make([]int64, n), ints(n, 1, indexPatterns[0].at)
		b.SetBytes(int64(n * 8))
		for b.Loop() {
			scatterSums(sums, 0, 0, 0, offsets, lanes.Plane[int64]{Data: src, Row: 1}, 1)
		}
	})
}

func BenchmarkDivide(b *testing.B) {
	benchDivide[float32, float32](b, "f32")
	benchDivide[float64, float64](b, "f64")
	benchDivide[int32, int64](b, "i32")
	benchDivide[int64, generic.Exact](b, "i64")
}

// benchDivide divides cells in order, with as many updates as there are, and
// rows of cells that share a counter. The counters are set anew each time.
func benchDivide[T lanes.Number, S any](b *testing.B, elem string) {
	const n = 4 << 10
	dst, sums, counts, counted := make([]T, n), make([]S, n), make([]uint32, n), make([]uint32, n)
	for _, k := range ints(n, 1, indexPatterns[0].at) {
		counted[k]++
	}
	cells := generic.Cells[T, S, uint32]{Dst: dst, Sums: sums, Counts: counts, Rows: 1, Cols: n, Init: 1,
		DstAt: lanes.Place{Col: 1}, SumsAt: lanes.Place{Col: 1}, CountsAt: lanes.Place{Col: 1}}
	b.Run(name("Divide", elem, "none", n, "random"), func(b *testing.B) {
		b.SetBytes(n * int64(unsafe.Sizeof(dst[0])))
		for b.Loop() {
			copy(counts, counted)
			divide(cells)
		}
	})
	const cols = 64
	cells.Rows, cells.Cols, cells.DstAt.Row, cells.SumsAt.Row, cells.CountsAt = n/cols, cols, cols, cols, lanes.Place{Row: 1}
	b.Run(name("Divide", elem, "none", n, "rows"), func(b *testing.B) {
		b.SetBytes(n * int64(unsafe.Sizeof(dst[0])))
		for b.Loop() {
			copy(counts, counted)
			divide(cells)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	n := 4 << 10
	offsets := make([]int, n)
	x32, x64 := indices[int32](n, indexPatterns[0].at), indices[int64](n, indexPatterns[0].at)
	run := func(op, idx string, f func()) {
		b.Run(name(op, "offset", idx, n, "random"), func(b *testing.B) {
			b.SetBytes(int64(n * 8))
			for b.Loop() {
				f()
			}
		})
	}
	run("Resolve", "i32", func() { lanes.Resolve(offsets, x32, 0, 1, n, 4, 0) })
	run("Resolve", "i64", func() { lanes.Resolve(offsets, x64, 0, 1, n, 4, 0) })
	pattern := make([]int, n)
	run("ResolvePattern", "i32", func() { lanes.ResolvePattern(offsets, x32, 0, n, 4, pattern) })
	run("ResolvePattern", "i64", func() { lanes.ResolvePattern(offsets, x64, 0, n, 4, pattern) })
	run("ResolveColumns", "i64", func() { lanes.Resolve(offsets, x64, 0, 1, n, 4, 3) })
	run("Check", "i64", func() { lanes.Check(x64, 0, 1, n, n) })
	wide := make([]int64, n)
	run("Widen", "i32", func() { lanes.Widen(wide, x32, 0, 1) })
	tuples := indices[int64](3*n, func(r *rand.Rand, _, _ int) int { return r.IntN(128) })
	run("ResolveTuples", "i64", func() {
		lanes.ResolveTuples(offsets, lanes.Plane[int64]{Data: tuples, Row: 3, Col: 1}, []int{128, 128, 128}, []int{128 * 128, 128, 1}, 0)
	})
}

func BenchmarkMemmove(b *testing.B) {
	for _, n := range benchSizes {
		for _, elem := range []struct {
			name  string
			width int
		}{{"x8", 1}, {"x16", 2}, {"x32", 4}, {"x64", 8}} {
			b.Run(fmt.Sprintf("op=Memmove/elem=%s/idx=none/n=%d/pattern=run/impl=runtime", elem.name, n), func(b *testing.B) {
				dst, src := make([]byte, n*elem.width), make([]byte, n*elem.width)
				b.SetBytes(int64(len(dst)))
				for b.Loop() {
					copy(dst, src)
				}
			})
		}
	}
}
