package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/kernels"
)

// BenchmarkRows times rows that are gathered from, set in, and combined into random places of
// tables that lie in the second-level cache, beyond it, and in memory: how far ahead they are
// prefetched, and which body combines short ones.
func BenchmarkRows(b *testing.B) {
	b.Run("elem=u8", benchmarkRows[uint8])
	b.Run("elem=f16", benchmarkRows[kernels.Float16])
	b.Run("elem=i32", benchmarkRows[int32])
	b.Run("elem=f64", benchmarkRows[float64])
}

func benchmarkRows[T uint8 | kernels.Float16 | int32 | float64](b *testing.B) {
	var z T
	width := int(unsafe.Sizeof(z))
	for _, bytes := range []int{16, 24, 32, 40, 96, 128, 136, 200, 512, 1 << 10, 2 << 10, 4 << 10, 16 << 10} {
		for _, table := range []int{256 << 10, 8 << 20, 64 << 20} {
			cols, rows := bytes/width, table/bytes
			n := min(rows, 8<<20/bytes)
			r, x := rand.New(rand.NewPCG(1, 2)), make([]int64, n)
			for i := range x {
				x[i] = int64(r.IntN(rows))
			}
			data, dense, indices := kernels.New(make([]T, rows*cols), rows, cols), kernels.New(make([]T, n*cols), n, cols), kernels.New(x, n, 1)
			for i := range data.Data {
				data.Data[i] = T(i % 100)
			}
			for i := range dense.Data {
				dense.Data[i] = T(i % 3)
			}
			run := func(op string, call func() error) {
				b.Run(fmt.Sprintf("bytes=%d/table=%dKiB/op=%s", bytes, table>>10, op), func(b *testing.B) {
					for b.Loop() {
						if err := call(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
				})
			}
			run("gather", func() error { return kernels.GatherND(dense, data, indices, 0, kernels.Workers(1)) })
			for _, op := range []kernels.Reduction{kernels.None, kernels.Max} {
				run(op.String(), func() error {
					return kernels.ScatterNDUpdate(data, data, indices, dense, kernels.ScatterAttrs{Reduction: op}, kernels.Workers(1))
				})
			}
		}
	}
}

// BenchmarkShortRows times sums of short rows into tables of 800 rows, 4 and 64 MB, in random
// places, and in sorted ones, where each of 800 rows is updated some 11 times in a row, and waits
// for itself.
func BenchmarkShortRows(b *testing.B) {
	b.Run("elem=u8", benchmarkShortRows[uint8])
	b.Run("elem=i16", benchmarkShortRows[int16])
	b.Run("elem=f16", benchmarkShortRows[kernels.Float16])
	b.Run("elem=bf16", benchmarkShortRows[kernels.BFloat16])
	b.Run("elem=f32", benchmarkShortRows[float32])
	b.Run("elem=f64", benchmarkShortRows[float64])
}

func benchmarkShortRows[T any](b *testing.B) {
	const n, near = 8870, 800
	var z T
	memory := slices.Repeat([]T{z}, 64<<20/int(unsafe.Sizeof(z))) // written, or all pages are one
	for _, bytes := range []int{4, 6, 8, 10, 12, 14, 15, 16, 20, 24, 28, 32, 36, 48, 60, 64, 72, 100, 120, 124, 160, 200, 240, 300} {
		cols := bytes / int(unsafe.Sizeof(z))
		if cols < 2 || cols*int(unsafe.Sizeof(z)) != bytes {
			continue
		}
		updates := kernels.New(make([]T, n*cols), n, cols)
		for _, rows := range []int{near, 4 << 20 / bytes, 64 << 20 / bytes} {
			for _, sorted := range []bool{false, true}[:1+near/rows] {
				r, x := rand.New(rand.NewPCG(1, 2)), make([]int64, n)
				for i := range x {
					if x[i] = int64(i * rows / n); !sorted {
						x[i] = int64(r.IntN(rows))
					}
				}
				data, indices := kernels.New(memory[:rows*cols], rows, cols), kernels.New(x, n, 1)
				b.Run(fmt.Sprintf("bytes=%d/rows=%d/sorted=%v", bytes, rows, sorted), func(b *testing.B) {
					for b.Loop() {
						if err := kernels.ScatterNDUpdate(data, data, indices, updates, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
				})
			}
		}
	}
}

// BenchmarkUnevenRows gathers rows that are no whole cache lines, out of tables of 4 and 32 MB.
func BenchmarkUnevenRows(b *testing.B) {
	for _, table := range []int{4 << 20, 32 << 20} {
		for _, out := range []int{5 << 20, 12 << 20, 16 << 20, 24 << 20, 32 << 20} {
			for _, cols := range []int{7, 25, 50, 196, 375} {
				data, dst := zeros[float32](table/4/cols, cols), zeros[float32](out/4/cols, cols)
				x := randomTensor[int64](data.Shape[0], dst.Shape[0])
				fill(data.Data)
				fill(dst.Data)
				b.Run(fmt.Sprintf("table=%dM/out=%dM/row=%d", table>>20, out>>20, 4*cols), func(b *testing.B) {
					for b.Loop() {
						if err := kernels.Gather(dst, data, x, 0, 0, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
				})
			}
		}
	}
}

// BenchmarkTransposedTables gathers rows of transposed tables, from packed strips and not, with
// each number of workers.
func BenchmarkTransposedTables(b *testing.B) {
	transposedTables[uint8](b, 1, 20_000, 500, 5000)
	transposedTables[uint16](b, 1, 188_499, 100, 52_590)
	transposedTables[uint16](b, 64, 1000, 24, 300)
	transposedTables[float32](b, 1, 4168, 5120, 1638)
	transposedTables[float32](b, 1, 1000, 5000, 250)
	transposedTables[float32](b, 1, 3000, 300, 1500)
	transposedTables[float32](b, 64, 300, 100, 100)
	transposedTables[uint64](b, 1, 20_000, 200, 5000)
	for _, rows := range []int{2, 4} { // times as many as the table has
		transposedTables[uint16](b, 1, 45, 33_747, 45*rows)
		transposedTables[uint8](b, 1, 20_000, 100, 20_000*rows)
		transposedTables[float32](b, 1, 1000, 2000, 1000*rows)
		transposedTables[float32](b, 64, 300, 100, 300*rows)
		transposedTables[uint64](b, 1, 500, 1000, 500*rows)
	}
}

// transposedTables gathers some rows of each of several tables.
func transposedTables[T uint8 | uint16 | uint64 | float32](b *testing.B, tables, size, cols, some int) {
	data := kernels.Tensor[T]{Data: make([]T, tables*size*cols), Shape: []int{tables, size, cols}, Strides: []int{size * cols, 1, size}}
	for i := range data.Data {
		data.Data[i] = T(i % 100)
	}
	r, x := rand.New(rand.NewPCG(1, 2)), make([]int32, some)
	for i := range x {
		x[i] = int32(r.IntN(size))
	}
	dst, indices := kernels.New(make([]T, tables*some*cols), tables, some, cols), kernels.New(x, some)
	for _, workers := range []int{1, 2} {
		for _, packed := range []bool{false, true} {
			b.Run(fmt.Sprintf("elem=%T/tables=%dx%dx%d/rows=%d/workers=%d/packed=%v", T(0), tables, size, cols, some, workers, packed), func(b *testing.B) {
				if !packed {
					kernels.PackNoRows(b)
				}
				for b.Loop() {
					if err := kernels.Gather(dst, data, indices, 1, 0, kernels.Workers(workers)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/elem")
			})
		}
	}
}

// BenchmarkTurned gathers rows, and elements along them, from transposed tables that a cache holds,
// as they are and from a copy: from half as many elements as are gathered to eight times as many.
func BenchmarkTurned(b *testing.B) {
	turned[uint8](b, turnedNear, []float64{0.5, 1, 2, 4, 8})
	turned[uint16](b, turnedNear, []float64{0.5, 1, 2, 4, 8})
	turned[uint32](b, turnedNear, []float64{0.5, 1, 2, 4, 8})
	turned[uint64](b, turnedNear, []float64{0.5, 1, 2, 4, 8})
}

// BenchmarkTurnedFar is BenchmarkTurned of tables that no cache holds.
func BenchmarkTurnedFar(b *testing.B) {
	turned[uint8](b, [][2]int{{2364414, 17}, {300000, 200}, {40000, 1000}, {400, 100000}}, []float64{2, 4, 8})
	turned[uint16](b, [][2]int{{1182207, 17}, {150000, 200}, {20000, 1000}, {200, 100000}}, []float64{2, 4, 8})
	turned[uint32](b, [][2]int{{591103, 17}, {75000, 200}, {10000, 1000}, {100, 100000}}, []float64{2, 4, 8})
	turned[uint64](b, [][2]int{{295551, 17}, {37500, 200}, {5000, 1000}, {50, 100000}}, []float64{2, 4, 8})
}

var turnedNear = [][2]int{{4928, 17}, {500, 60}, {64, 327}, {2000, 40}, {128, 1915}}

func turned[T uint8 | uint16 | uint32 | uint64](b *testing.B, shapes [][2]int, ofs []float64) {
	for _, shape := range shapes {
		rows, cols := shape[0], shape[1]
		data := kernels.Tensor[T]{Data: make([]T, rows*cols), Shape: shape[:], Strides: []int{1, rows}}
		for i := range data.Data {
			data.Data[i] = T(i)
		}
		for _, of := range ofs {
			some, each := int(float64(rows)/of), max(1, int(float64(cols)/of))
			x, along := randomTensor[int32](rows, some), randomTensor[int32](cols, rows, each)
			sorted := kernels.New(slices.Clone(x.Data), some)
			slices.Sort(sorted.Data)
			dst, elements := zeros[T](some, cols), zeros[T](rows, each)
			fill(dst.Data)
			fill(elements.Data)
			run := func(what string, n int, call func() error) {
				for _, copies := range []bool{false, true} {
					b.Run(fmt.Sprintf("elem=%T/%dx%d/of=%v/%s/copy=%v", T(0), rows, cols, of, what, copies), func(b *testing.B) {
						kernels.CopyTables(b, copies)
						for b.Loop() {
							if err := call(); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
					})
				}
			}
			run("rows", some*cols, func() error { return kernels.Gather(dst, data, x, 0, 0, kernels.Workers(1)) })
			run("rows-sorted", some*cols, func() error { return kernels.Gather(dst, data, sorted, 0, 0, kernels.Workers(1)) })
			run("elements", rows*each, func() error { return kernels.GatherElements(elements, data, along, 1, kernels.Workers(1)) })
		}
	}
}

// fill sets elements, because memory that was never written is one page of zeros.
func fill[T uint8 | uint16 | uint32 | uint64 | float32](s []T) {
	for i := range s {
		s[i] = 1
	}
}

// BenchmarkRowsAside scatters rows into a small dst that is transposed, as it lies and to a
// row-major copy of it.
func BenchmarkRowsAside(b *testing.B) {
	for _, shape := range [][3]int{{4, 20, 4}, {4, 20, 16}, {12, 64, 16}, {6, 256, 16}, {64, 12, 64}} {
		dst := kernels.Tensor[float32]{Data: make([]float32, shape[0]*shape[1]), Shape: shape[:2], Strides: []int{1, shape[0]}}
		data, updates := zeros[float32](dst.Shape...), zeros[float32](shape[2], shape[1])
		x := randomTensor[int64](shape[0], shape[2], 1)
		for _, reduction := range []kernels.Reduction{kernels.None, kernels.Sum} {
			for _, aside := range []bool{false, true} {
				b.Run(fmt.Sprintf("cells=%dx%d/rows=%d/reduction=%v/aside=%v", shape[0], shape[1], shape[2], reduction, aside), func(b *testing.B) {
					kernels.ScatterRowsAside(b, aside)
					for b.Loop() {
						if err := kernels.ScatterNDUpdate(dst, data, x, updates, kernels.ScatterAttrs{Reduction: reduction}, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkFreshRows adds rows to a copy of a table, which goes into the caches or past them.
func BenchmarkFreshRows(b *testing.B) {
	for _, mb := range []int{8, 16, 24, 32, 64, 256} {
		dst, data := zeros[float32](mb<<12, 64), zeros[float32](mb<<12, 64)
		fill(dst.Data)
		fill(data.Data)
		for _, of := range []int{64, 4, 1} {
			x, updates := randomTensor[int64](mb<<12, mb<<12/of, 1), zeros[float32](mb<<12/of, 64)
			fill(updates.Data)
			for _, past := range []int{math.MaxInt, 1} {
				b.Run(fmt.Sprintf("dst=%dM/of=%d/past=%t", mb, of, past == 1), func(b *testing.B) {
					kernels.UpdatedPast(b, past)
					for b.Loop() {
						if err := kernels.ScatterNDUpdate(dst, data, x, updates, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkUnevenBytes slices a few thousand elements from a place that is not at a whole word, by
// copy and with the first bytes by themselves.
func BenchmarkUnevenBytes(b *testing.B) {
	for _, n := range []int{600, 1000, 2000, 4000} {
		dst, data := zeros[float32](n), zeros[float32](n+1)
		for _, least := range []int{math.MaxInt, 2 << 10} {
			b.Run(fmt.Sprintf("bytes=%d/head=%t", 4*n, least < math.MaxInt), func(b *testing.B) {
				kernels.LeastUneven(b, least)
				for b.Loop() {
					if err := kernels.StridedSlice(dst, data, kernels.SliceSpec{Begin: []int64{1}, End: []int64{int64(n + 1)}}, kernels.Workers(1)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkCellsApart updates runs of cells that lie apart in dst, every second one there, column by
// column and run by run.
func BenchmarkCellsApart(b *testing.B) {
	b.Run("float64", benchCellsApart[float64])
	b.Run("int16", benchCellsApart[int16])
}

func benchCellsApart[T int16 | float64](b *testing.B) {
	const rows, updates = 1000, 600
	for _, cells := range []int{16, 32, 64, 200} {
		dst := kernels.Tensor[T]{Data: make([]T, 2*rows*cells), Shape: []int{2, rows, cells}, Strides: []int{1, 2 * cells, 2}}
		values := kernels.New(make([]T, 2*updates*cells), 2, updates, cells)
		indices := kernels.Tensor[int32]{Data: make([]int32, 2*updates), Shape: values.Shape, Strides: []int{updates, 1, 0}}
		for i := range indices.Data {
			indices.Data[i] = int32(uint32(i) * 2654435761 >> 8 % rows)
		}
		for _, least := range []int{1 << 30, 1} {
			b.Run(fmt.Sprintf("cells=%d/runs=%t", cells, least == 1), func(b *testing.B) {
				kernels.LeastCells(b, least)
				for b.Loop() {
					if err := kernels.ScatterElementsUpdate(dst, dst, indices, values, 1, kernels.ScatterAttrs{Reduction: kernels.Max}, kernels.Workers(1)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values.Data)), "ns/element")
			})
		}
	}
}
