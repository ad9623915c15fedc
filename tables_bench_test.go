package lanes

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// BenchmarkTables gathers from 128 MB of tables, one a row of indices, with and without a prefetch
// of those to come.
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

// BenchmarkShortTables gathers from rows of short tables, with rows of few indices.
func BenchmarkShortTables(b *testing.B) {
	eachMove(b, func(b *testing.B, elem, index Kind) {
		for _, size := range []int{1, 2, 5, 9, 16, 23, 40, 70, 110, 200} {
			for _, cols := range []int{4, 7, 16, 24, 48, 100} {
				rows := 16 << 10 / cols
				src, idx, dst := newMemory(elem, rows*size), newIndices(index, rows*cols, size), newMemory(elem, rows*cols)
				b.Run(fmt.Sprintf("size=%d/cols=%d", size, cols), func(b *testing.B) {
					benchGather(b, Window{Memory: dst, Row: cols, Col: 1}, Window{Memory: src, Row: size}, size, 1, Window{Memory: idx, Row: cols, Col: 1}, rows, cols)
				})
			}
		}
	})
}

// BenchmarkFewEntries gathers in columns of few entries, with all of them loaded, and one by one.
func BenchmarkFewEntries(b *testing.B) {
	eachMove(b, func(b *testing.B, elem, index Kind) {
		for _, size := range []int{1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96} {
			for _, cols := range []int{64, 1000} {
				rows := 16 << 10 / cols
				src, idx, dst := newMemory(elem, cols*size), newIndices(index, rows*cols, size), newMemory(elem, rows*cols)
				for _, most := range []int{0, 1 << 20} {
					b.Run(fmt.Sprintf("size=%d/cols=%d/few=%t", size, cols, most > 0), func(b *testing.B) {
						defer func(few, far int) { fewBytes, farFew = few, far }(fewBytes, farFew)
						fewBytes, farFew = most, most
						benchGather(b, Window{Memory: dst, Row: cols, Col: 1}, Window{Memory: src, Col: 1}, size, cols, Window{Memory: idx, Row: cols, Col: 1}, rows, cols)
					})
				}
			}
		}
	})
}

// eachMove runs a benchmark for each width of elements up to 8 bytes and each kind of indices.
func eachMove(b *testing.B, run func(b *testing.B, elem, index Kind)) {
	for _, elem := range []Kind{KindX8, KindX16, KindX32, KindX64} {
		for i, index := range []Kind{KindI32, KindI64} {
			b.Run(fmt.Sprintf("bytes=%d/idx=i%d", elem.Width(), 32<<i), func(b *testing.B) { run(b, elem, index) })
		}
	}
}

func benchGather(b *testing.B, dst, src Window, size, step int, indices Window, rows, cols int) {
	for b.Loop() {
		GatherRaw(dst, src, size, step, indices, rows, cols)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
}

func newMemory(kind Kind, n int) Memory {
	words := make([]uint64, n*kind.Width()/8+1)
	return Memory{Ptr: unsafe.Pointer(&words[0]), Len: n, Kind: kind}
}

func newIndices(kind Kind, n, size int) Memory {
	m := newMemory(kind, n)
	for i := range n {
		if k := rand.IntN(size); kind == KindI32 {
			*(*int32)(unsafe.Pointer(m.elem(i))) = int32(k)
		} else {
			*(*int64)(unsafe.Pointer(m.elem(i))) = int64(k)
		}
	}
	return m
}
