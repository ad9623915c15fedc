package lanes

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkFewEntries gathers in columns of few entries, with all of them loaded, and one by one.
func BenchmarkFewEntries(b *testing.B) {
	b.Run("elem=u8", benchFewEntries[uint8])
	b.Run("elem=u16", benchFewEntries[uint16])
	b.Run("elem=u32", benchFewEntries[uint32])
	b.Run("elem=u64", benchFewEntries[uint64])
}

func benchFewEntries[T Elem](b *testing.B) {
	b.Run("idx=i32", benchFewEntriesOf[T, int32])
	b.Run("idx=i64", benchFewEntriesOf[T, int64])
}

func benchFewEntriesOf[T Elem, I Index](b *testing.B) {
	for _, size := range []int{1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96} {
		for _, cols := range []int{64, 1000} {
			rows := 16 << 10 / cols
			table, indices, dst := make([]T, cols*size), make([]I, rows*cols), make([]T, rows*cols)
			for i := range indices {
				indices[i] = I(rand.IntN(size))
			}
			for _, most := range []int{0, 1 << 20} {
				b.Run(fmt.Sprintf("size=%d/cols=%d/few=%t", size, cols, most > 0), func(b *testing.B) {
					defer func(n, far int) { fewBytes, farFew = n, far }(fewBytes, farFew)
					fewBytes, farFew = most, most
					for b.Loop() {
						Gather(Plane[T]{Data: dst, Row: cols, Col: 1}, Plane[T]{Data: table, Col: 1}, size, cols, Plane[I]{Data: indices, Row: cols, Col: 1}, rows, cols)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
				})
			}
		}
	}
}
