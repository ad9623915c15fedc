package lanes

import (
	"fmt"
	"math"
	"testing"
	"unsafe"
)

// BenchmarkSpaced copies elements that lie a step apart, one by one where there is a body for that, and permuted.
func BenchmarkSpaced(b *testing.B) {
	for _, shape := range [][2]int{{40, 24}, {40, 100}, {4000, 64}} {
		benchSpaced[uint8](b, shape[0], shape[1])
		benchSpaced[uint16](b, shape[0], shape[1])
		benchSpaced[uint32](b, shape[0], shape[1])
		benchSpaced[uint64](b, shape[0], shape[1])
	}
}

func benchSpaced[T uint8 | uint16 | uint32 | uint64](b *testing.B, rows, cols int) {
	width := int(unsafe.Sizeof(*new(T)))
	for _, step := range []int{2, 3, 4, 5, 6, 8, 12, 16} {
		row := cols * step
		dst, src := make([]T, rows*cols), make([]T, rows*row)
		for i := range src {
			src[i] = T(i) // zeros would be written faster
		}
		for _, oneByOne := range []bool{true, false} {
			b.Run(fmt.Sprintf("bytes=%d/rows=%d/cols=%d/step=%d/onebyone=%t", width, rows, cols, step, oneByOne), func(b *testing.B) {
				before := leastSpaced
				defer func() { leastSpaced = before }()
				for by := range leastSpaced {
					for i := range leastSpaced[by] {
						if leastSpaced[by][i] = math.MaxInt; oneByOne {
							leastSpaced[by][i] = 2
						}
					}
				}
				for b.Loop() {
					Copy(Plane[T]{Data: dst, Row: cols, Col: 1}, Plane[T]{Data: src, Row: row, Col: step}, rows, cols)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
			})
		}
	}
}
