package lanes

import (
	"fmt"
	"math"
	"testing"
	"unsafe"
)

// BenchmarkSpaced copies elements that lie a step apart, one by one where there is a body for that,
// and permuted.
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

// BenchmarkShortCopies copies rows of a few bytes in reverse order.
func BenchmarkShortCopies(b *testing.B) {
	for _, total := range []int{8 << 10, 512 << 10} {
		for _, n := range []int{4, 5, 6, 8, 12, 16} {
			rows := total / n
			dst, src := Plane[uint8]{Data: make([]uint8, rows*n), Row: n, Col: 1}, Plane[uint8]{Data: make([]uint8, rows*n), At: (rows - 1) * n, Row: -n, Col: 1}
			b.Run(fmt.Sprintf("%d bytes/%d", total, n), func(b *testing.B) {
				for b.Loop() {
					Copy(dst, src, rows, n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*n), "ns/byte")
			})
		}
	}
}

// BenchmarkGaps copies rows with gaps between them, with and without a prefetch of rows to come.
func BenchmarkGaps(b *testing.B) {
	src, dst := make([]uint8, 260<<20), make([]uint8, 32<<20)
	for i := range src {
		src[i] = uint8(i) // zeros would be written faster
	}
	copy(dst, src)
	for _, bytes := range []int{4 << 20, len(dst)} {
		for _, cols := range []int{36, 100, 200, 400, 900, 1200, 1800} {
			for _, gap := range []int{20, 64, 160, 256, 384, 512, 800} {
				for _, sign := range []int{1, -1} {
					rows := min(bytes, len(src)*cols/(cols+gap)) / cols
					from := Plane[uint8]{Data: src, Row: sign * (cols + gap), Col: 1}
					if sign < 0 {
						from.At = (rows - 1) * (cols + gap)
					}
					for _, fetched := range []bool{true, false} {
						b.Run(fmt.Sprintf("bytes=%d/row=%d/gap=%d/backward=%t/fetched=%t", bytes, cols, gap, sign < 0, fetched), func(b *testing.B) {
							gap, backward := leastGap, leastBackward
							defer func() { leastGap, leastBackward = gap, backward }()
							if leastGap, leastBackward = math.MaxInt, math.MaxInt; fetched {
								leastGap, leastBackward = 0, 0
							}
							for b.Loop() {
								Copy(Plane[uint8]{Data: dst, Row: cols, Col: 1}, from, rows, cols)
							}
						})
					}
				}
			}
		}
	}
}

// BenchmarkReversed copies rows in reverse: one of 16 KB, 256 KB and 3 MB, and as many bytes in
// shorter ones; then every second and third element of one row. They begin at a whole vector of dst,
// or one element later.
func BenchmarkReversed(b *testing.B) {
	for _, bytes := range []int{16 << 10, 256 << 10, 3 << 20} {
		for _, row := range []int{20, 32, 48, 56, 64, 400, bytes} {
			benchReversedEach(b, bytes, row, -1)
		}
		benchReversedEach(b, bytes, bytes, -2)
		benchReversedEach(b, bytes, bytes, -3)
	}
}

func benchReversedEach(b *testing.B, bytes, row, step int) {
	for _, at := range []int{0, 1} {
		benchReversed[uint8](b, bytes, row, step, at)
		benchReversed[uint16](b, bytes, row, step, at)
		benchReversed[uint32](b, bytes, row, step, at)
		benchReversed[uint64](b, bytes, row&^7, step, at)
	}
}

func benchReversed[T uint8 | uint16 | uint32 | uint64](b *testing.B, bytes, row, step, at int) {
	width := int(unsafe.Sizeof(*new(T)))
	rows, cols := bytes/row, row/width
	dst, src := written[T](rows*cols+at), written[T](rows*cols*-step+3)
	b.Run(fmt.Sprintf("bytes=%d/rows=%d/cols=%d/step=%d/at=%d", width, rows, cols, step, at), func(b *testing.B) {
		for b.Loop() {
			Copy(Plane[T]{Data: dst, At: at, Row: cols, Col: 1}, Plane[T]{Data: src, At: cols*-step + 2, Row: cols, Col: step}, rows, cols)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
	})
}

// BenchmarkCompacted exchanges rows and columns where rows lie two to seven elements apart in src,
// as they are and by way of a buffer.
func BenchmarkCompacted(b *testing.B) {
	for _, shape := range [][3]int{{40, 300, 3}, {64, 64, 3}, {128, 16, 5}, {300, 8, 4}, {1000, 80, 3}, {10655, 80, 2}, {200, 200, 7}} {
		benchCompacted[uint8](b, shape[0], shape[1], shape[2])
		benchCompacted[uint16](b, shape[0], shape[1], shape[2])
		benchCompacted[uint32](b, shape[0], shape[1], shape[2])
	}
}

func benchCompacted[T uint8 | uint16 | uint32 | uint64](b *testing.B, rows, cols, apart int) {
	dst, src := written[T](rows*cols), written[T](rows*cols*apart)
	for _, buffer := range []bool{false, true} {
		b.Run(fmt.Sprintf("bytes=%d/rows=%d/cols=%d/apart=%d/buffer=%t", unsafe.Sizeof(src[0]), rows, cols, apart, buffer), func(b *testing.B) {
			defer func(least, most int) { leastCompacted, mostCompacted = least, most }(leastCompacted, mostCompacted)
			if leastCompacted, mostCompacted = 1, 0; buffer {
				mostCompacted = 64
			}
			for b.Loop() {
				Copy(Plane[T]{Data: dst, Row: cols, Col: 1}, Plane[T]{Data: src, Row: apart, Col: rows * apart}, rows, cols)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
		})
	}
}

// BenchmarkFarRows copies every third to thirteenth element of rows out of 4, 16 and 64 MB, with no
// bytes and 400 between rows, one at a time and permuted.
func BenchmarkFarRows(b *testing.B) {
	for _, bytes := range []int{4 << 20, 16 << 20, 64 << 20} {
		for _, cols := range []int{8, 32, 100} {
			for _, gap := range []int{0, 400} {
				benchFarRows[uint16](b, bytes, cols, 13, gap)
				benchFarRows[uint32](b, bytes, cols, 6, gap)
				benchFarRows[uint64](b, bytes, cols, 3, gap)
			}
		}
	}
}

func benchFarRows[T uint8 | uint16 | uint32 | uint64](b *testing.B, bytes, cols, step, gap int) {
	width := int(unsafe.Sizeof(*new(T)))
	row := cols*step + gap/width
	rows := bytes / width / row
	dst, src := written[T](rows*cols), written[T](rows*row)
	for _, permuted := range []bool{false, true} {
		b.Run(fmt.Sprintf("bytes=%d/of=%d/cols=%d/step=%d/gap=%d/permuted=%t", width, bytes, cols, step, gap, permuted), func(b *testing.B) {
			if !permuted {
				defer func(n int) { leastFar = n }(leastFar)
				leastFar = 1 << 10
			}
			for b.Loop() {
				Copy(Plane[T]{Data: dst, Row: cols, Col: 1}, Plane[T]{Data: src, Row: row, Col: step}, rows, cols)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
		})
	}
}

// BenchmarkTransposed exchanges rows and columns: rows of 2000 bytes side by side, and of a page, and
// more of both than caches hold; then rows with gaps between their elements.
func BenchmarkTransposed(b *testing.B) {
	for _, bytes := range []int{2000, 4096} {
		for _, cols := range []int{64, 384, 4096} {
			benchTransposed[uint8](b, bytes, cols, 1)
			benchTransposed[uint16](b, bytes/2, cols, 1)
			benchTransposed[uint32](b, bytes/4, cols, 1)
			benchTransposed[uint64](b, bytes/8, cols, 1)
		}
	}
	for _, shape := range [][3]int{{3000, 1500, 1}, {1000, 8100, 1}, {2353, 9514, 1}, {128, 1561, 5}, {5, 27048, 4}, {40, 300, 3},
		{4000, 2, 1}, {4000, 3, 1}, {4000, 5, 1}, {4000, 7, 1}, {150, 5, 1}, {5, 4000, 1}, {7, 4000, 1}, {12, 4000, 1}} {
		benchTransposed[uint8](b, shape[0], shape[1], shape[2])
		benchTransposed[uint16](b, shape[0], shape[1], shape[2])
		benchTransposed[uint32](b, shape[0], shape[1], shape[2])
		benchTransposed[uint64](b, shape[0], shape[1], shape[2])
	}
}

// BenchmarkSeparated exchanges rows and columns of fewer rows than a tile has, one by one and by way
// of a buffer.
func BenchmarkSeparated(b *testing.B) {
	for _, cols := range []int{64, 768, 4000} {
		for _, step := range []int{0, 300} {
			benchSeparated[uint8](b, 5, cols, step)
			benchSeparated[uint8](b, 12, cols, step)
			benchSeparated[uint16](b, 5, cols, step)
			benchSeparated[uint32](b, 3, cols, step)
		}
	}
}

func benchSeparated[T uint8 | uint16 | uint32](b *testing.B, rows, cols, step int) {
	step = max(step, rows)
	dst, src := written[T](rows*cols), written[T](step*cols)
	for _, least := range []int{math.MaxInt, leastSeparated} {
		b.Run(fmt.Sprintf("bytes=%d/rows=%d/cols=%d/step=%d/separated=%t", unsafe.Sizeof(src[0]), rows, cols, step, least < math.MaxInt), func(b *testing.B) {
			defer func(least int) { leastSeparated = least }(leastSeparated)
			leastSeparated = least
			for b.Loop() {
				Copy(Plane[T]{Data: dst, Row: cols, Col: 1}, Plane[T]{Data: src, Row: 1, Col: step}, rows, cols)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
		})
	}
}

// BenchmarkPast is BenchmarkTransposed of large planes, into the caches and past them.
func BenchmarkPast(b *testing.B) {
	for _, shape := range [][2]int{{224, 149800}, {3000, 12000}, {8100, 8000}, {18725, 1792}, {18725, 616}, {40000, 192}} {
		for _, past := range []bool{false, true} {
			benchPast[uint8](b, shape[0], shape[1], past)
			benchPast[uint16](b, shape[0], shape[1]/2, past)
			benchPast[uint32](b, shape[0], shape[1]/4, past)
			benchPast[uint64](b, shape[0], shape[1]/8, past)
		}
	}
}

func benchPast[T uint8 | uint16 | uint32 | uint64](b *testing.B, rows, cols int, past bool) {
	dst, src := written[T](rows*cols), written[T](rows*cols)
	b.Run(fmt.Sprintf("bytes=%d/rows=%d/cols=%d/past=%t", unsafe.Sizeof(src[0]), rows, cols, past), func(b *testing.B) {
		for b.Loop() {
			Copy(Plane[T]{Data: dst, Row: cols, Col: 1, Stream: past}, Plane[T]{Data: src, Row: 1, Col: rows}, rows, cols)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
	})
}

// written returns memory that was written: what never was is one page of zeros.
func written[T uint8 | uint16 | uint32 | uint64](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(i) | 1
	}
	return s
}

func benchTransposed[T uint8 | uint16 | uint32 | uint64](b *testing.B, rows, cols, gap int) {
	dst, src := written[T](rows*cols), written[T](rows*cols*gap)
	b.Run(fmt.Sprintf("bytes=%d/rows=%d/cols=%d/gap=%d", unsafe.Sizeof(src[0]), rows, cols, gap), func(b *testing.B) {
		for b.Loop() {
			Copy(Plane[T]{Data: dst, Row: cols, Col: 1}, Plane[T]{Data: src, Row: gap, Col: rows * gap}, rows, cols)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
	})
}

// BenchmarkUneven copies a run of bytes, and rows, from a src that is not at a whole word to a dst
// that is, by memmove and by vectors.
func BenchmarkUneven(b *testing.B) {
	for _, shape := range [][2]int{{1, 3000}, {1, 12_000}, {1, 240_000}, {1, 1_500_000}, {60, 6000}, {500, 6000}} {
		rows, bytes := shape[0], shape[1]
		pitch := (bytes + 127) / 64 * 64
		dst, src := make([]byte, rows*pitch+64), make([]byte, rows*pitch+64)
		for i := range src {
			src[i] = byte(i)
		}
		at := func(m []byte) int { return int(-uintptr(unsafe.Pointer(&m[0])) & 63) }
		to, from := dst[at(dst):], src[at(src)+4:]
		for _, uneven := range []bool{false, true} {
			b.Run(fmt.Sprintf("rows=%d/bytes=%d/vectors=%t", rows, bytes, uneven), func(b *testing.B) {
				before := leastUneven
				defer func() { leastUneven = before }()
				if !uneven {
					leastUneven = math.MaxInt
				}
				b.SetBytes(int64(rows * bytes))
				for b.Loop() {
					Copy(Plane[byte]{Data: to, Row: pitch, Col: 1}, Plane[byte]{Data: from, Row: pitch, Col: 1}, rows, bytes)
				}
			})
		}
	}
}
