package kernels_test

import (
	"fmt"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

// BenchmarkCells sets and adds to cells of tables, one a row of indices, up to 300,000 at random.
func BenchmarkCells(b *testing.B) {
	for _, shape := range [][3]int{ // rows, their cells and their indices
		{1, 8 << 10, 8 << 10}, {1, 64 << 10, 64 << 10}, {1, 375_000, 300_000}, {1, 750_000, 300_000}, {1, 1_250_000, 300_000}, {1, 2 << 20, 300_000},
		{1, 3 << 20, 300_000}, {1, 4 << 20, 300_000}, {1, 16 << 20, 300_000}, {1024, 1024, 1024}, {1024, 4096, 4096},
		{30, 10_000, 10_000}, {30, 10_000, 2000}, {256, 16 << 10, 16 << 10}, {256, 16 << 10, 4000}, {100, 20_000, 20_000},
	} {
		rows, size, many := shape[0], shape[1], shape[2]
		data, indices, updates := numbers[float32](rows*size), randomTensor[int32](size, rows, many), kernels.New(numbers[float32](rows*many), rows, many)
		table := kernels.New(data, rows, size)
		for _, reduction := range []kernels.Reduction{kernels.None, kernels.Sum} {
			for workers := 1; workers <= 2; workers++ {
				b.Run(fmt.Sprintf("rows=%d/size=%d/indices=%d/%v/workers=%d", rows, size, many, reduction, workers), func(b *testing.B) {
					for b.Loop() {
						if err := kernels.ScatterElementsUpdate(table, table, indices, updates, 1, kernels.ScatterAttrs{Reduction: reduction}, kernels.Workers(workers)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*many), "ns/element")
				})
			}
		}
	}
}

// BenchmarkPages gathers elements at random out of one row. LANES_TRAITS=-fastgather loads them one by
// one where gather instructions are used.
func BenchmarkPages(b *testing.B) {
	for _, mb := range []int{1, 4, 8, 16, 32, 64, 256} {
		pages[float32](b, mb<<20/4)
		pages[uint64](b, mb<<20/8)
	}
}

func pages[T float32 | uint64](b *testing.B, size int) {
	const many = 1_000_000
	data, dst, indices := zeros[T](1, size), zeros[T](1, many), randomTensor[int64](size, 1, many)
	for i := range data.Data {
		data.Data[i] = T(i) // or all its memory is one page
	}
	b.Run(fmt.Sprintf("elem=%T/size=%d", T(0), size), func(b *testing.B) {
		for b.Loop() {
			if err := kernels.GatherElements(dst, data, indices, 1, kernels.Workers(1)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/many, "ns/element")
	})
}
