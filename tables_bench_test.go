package lanes

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// BenchmarkTables gathers from 128 MB of tables, one a row of indices, with and without a prefetch of those to come.
func BenchmarkTables(b *testing.B) {
	const total, line = 128 << 20, 64
	table := make([]float32, total/4)
	for i := range table {
		table[i] = float32(i) // zeros would be written faster
	}
	for _, workers := range []int{1, 2} {
		for _, row := range []int{512, 4 << 10, 32 << 10, 128 << 10, 512 << 10} {
			for _, lines := range []float64{0.3, 0.6, 1, 2, 3} { // for each index
				size, cols := row/4, int(float64(row/line)/lines)
				if cols < 4 {
					continue
				}
				rows := min(total/row, 4<<20/cols)
				indices, dst := make([]int32, rows*cols), make([]float32, rows*cols)
				for i := range indices {
					indices[i] = int32(rand.IntN(size))
				}
				for _, fetched := range []bool{false, true} {
					b.Run(fmt.Sprintf("workers=%d/bytes=%d/lines=%.1f/fetched=%t", workers, row, lines, fetched), func(b *testing.B) {
						most, ratio := dispatch.Near.OwnTable, linesPerIndex
						defer func() { dispatch.Near.OwnTable, linesPerIndex = most, ratio }()
						if dispatch.Near.OwnTable, linesPerIndex = 0, 4; fetched {
							dispatch.Near.OwnTable = row
						}
						for b.Loop() {
							var wait sync.WaitGroup
							for w := range workers {
								low, high := rows*w/workers, rows*(w+1)/workers
								wait.Go(func() {
									Gather(Plane[float32]{Data: dst, At: low * cols, Row: cols, Col: 1}, Plane[float32]{Data: table, At: low * size, Row: size}, size, 1,
										Plane[int32]{Data: indices, At: low * cols, Row: cols, Col: 1}, high-low, cols)
								})
							}
							wait.Wait()
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
					})
				}
			}
		}
	}
}
