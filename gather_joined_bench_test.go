package lanes

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkShortTables gathers from rows of short tables, with rows of as many or fewer indices.
func BenchmarkShortTables(b *testing.B) {
	b.Run("elem=u8", benchShortTables[uint8])
	b.Run("elem=u16", benchShortTables[uint16])
	b.Run("elem=u32", benchShortTables[uint32])
	b.Run("elem=u64", benchShortTables[uint64])
}

func benchShortTables[T Elem](b *testing.B) {
	b.Run("idx=i32", benchShortTablesOf[T, int32])
	b.Run("idx=i64", benchShortTablesOf[T, int64])
}

func benchShortTablesOf[T Elem, I Index](b *testing.B) {
	const n = 16 << 10
	for _, size := range []int{1, 2, 5, 9, 16, 23, 40, 70, 110, 200} {
		for _, cols := range []int{4, 7, 16, 24, 48, 100} {
			rows := n / cols
			table, indices, dst := make([]T, rows*size), make([]I, rows*cols), make([]T, rows*cols)
			for i := range indices {
				indices[i] = I(rand.IntN(size))
			}
			b.Run(fmt.Sprintf("size=%d/cols=%d", size, cols), func(b *testing.B) {
				for b.Loop() {
					Gather(Plane[T]{Data: dst, Row: cols, Col: 1}, Plane[T]{Data: table, Row: size}, size, 1, Plane[I]{Data: indices, Row: cols, Col: 1}, rows, cols)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
			})
		}
	}
}
