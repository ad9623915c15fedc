package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

// BenchmarkReadFirst times rows of float32 in random places of tables of their own, 192 MiB in all,
// read first and not. per is how many cache lines are asked for, over those that a table has.
func BenchmarkReadFirst(b *testing.B) {
	const total, line = 192 << 20, 16
	for _, table := range []int{64 << 10, 1 << 20, 4 << 20} {
		for _, cols := range []int{1, 4, 16} {
			for _, per := range []float64{1, 2} {
				tables, rows := total/table, table/4/cols
				n := int(per * float64(table/4/max(line, cols)))
				r, x := rand.New(rand.NewPCG(1, 2)), make([]int64, n*tables)
				for i := range x {
					x[i] = int64(r.IntN(rows))
				}
				data, dense := kernels.New(make([]float32, tables*rows*cols), tables, rows, cols), kernels.New(make([]float32, tables*n*cols), tables, n, cols)
				for i := range data.Data {
					data.Data[i] = float32(i % 100)
				}
				for i := range dense.Data {
					dense.Data[i] = float32(i % 3)
				}
				indices := kernels.Tensor[int64]{Data: x, Shape: dense.Shape, Strides: []int{n, 1, 0}}
				for _, op := range []string{"gather", "none", "sum"} {
					for _, workers := range []int{1, 2} {
						for _, least := range []int{1 << 30, 1} {
							b.Run(fmt.Sprintf("table=%dKiB/row=%d/per=%g/op=%s/workers=%d/read=%v", table>>10, 4*cols, per, op, workers, least == 1), func(b *testing.B) {
								kernels.ReadAlong(b, least)
								for b.Loop() {
									var err error
									switch op {
									case "gather":
										err = kernels.GatherElements(dense, data, indices, 1, kernels.Workers(workers))
									case "none":
										err = kernels.ScatterElementsUpdate(data, data, indices, dense, 1, kernels.ScatterAttrs{}, kernels.Workers(workers))
									default:
										err = kernels.ScatterElementsUpdate(data, data, indices, dense, 1, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers))
									}
									if err != nil {
										b.Fatal(err)
									}
								}
								b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*tables), "ns/row")
							})
						}
					}
				}
			}
		}
	}
}
