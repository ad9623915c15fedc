//go:build !purego && !noasm

package lanes

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// What stops a body that takes indices as they are: all that is out of range. It has done all
// before, and nothing after.

// withStop returns n indices below size, of which two in three are counted from the end, from
// negative on. One of them is wrong, unless stop is n. The second is 0, so that the first, read
// from a byte too far, is another that is good.
func withStop[I Index](n, size, stop, negative int, wrong I) []I {
	x := make([]I, n+16)
	for j := range x {
		x[j] = I((j + size - 1) * 5 % size)
		if j >= negative && j%3 != 2 {
			x[j] -= I(size)
		}
	}
	if stop < n {
		x[stop] = wrong
	}
	return x
}

// fromStart returns the index of a cell that k names, from the start or the end.
func fromStart[I Index](k I, size int) int { return (int(k) + size) % size }

// far is where there is no memory: what is prefetched need not be there.
const far = 1 << 44

// paces are one for each loop of a body.
var paces = [...]int{0, 24, farPace}

func eachStop[I Index](t *testing.T, size int, check func(x []I, n, stop int) (done int)) {
	t.Helper()
	for n := 1; n <= mostCells; n++ {
		for stop := 0; stop <= n; stop++ {
			for _, wrong := range []I{I(-size - 1), I(size), math.MinInt32, math.MaxInt32} {
				for _, negative := range []int{n, 0, 3, 9} {
					if done := check(withStop(n, size, stop, negative, wrong), n, stop); done != stop {
						t.Fatalf("of %d it is done with %d, want %d (index %d, negative ones from %d on)", n, done, stop, wrong, negative)
					}
				}
			}
		}
	}
}

func testEachPieces[T uint8 | uint16 | uint32 | uint64, I Index](t *testing.T) {
	var z T
	var i I
	width, index := int(unsafe.Sizeof(z)), int(unsafe.Sizeof(i))
	t.Run(fmt.Sprintf("elem=x%d/idx=i%d", 8*width, 8*index), func(t *testing.T) {
		const size = 13
		table, updates := make([]T, size), make([]T, mostCells)
		for j := range table {
			table[j] = T(j + 1)
		}
		for j := range updates {
			updates[j] = T(100 + j)
		}
		eachStop(t, size, func(x []I, n, stop int) int {
			got, want := make([]T, n+1), make([]T, n+1)
			for j := range stop {
				want[j] = table[fromStart(x[j], size)]
			}
			done := found[int](t)(gatherEachPiece(current(), width, index, elem(got, 0), elem(table, 0), elem(x, 0), 0, 0, 0, size, 1, n, far, paces[n%3]))
			same(t, "gather", n, got, want, func(a, b T) bool { return a == b })
			return done
		})
		eachStop(t, size, func(x []I, n, stop int) int {
			got, want := make([]T, size), make([]T, size)
			for j := range stop {
				want[fromStart(x[j], size)] = updates[j]
			}
			done := found[int](t)(scatterEachPiece(current(), width, index, elem(got, 0), elem(x, 0), elem(updates, 0), 0, 0, 0, size, 1, n, far, paces[n%3]))
			same(t, "scatter", n, got, want, func(a, b T) bool { return a == b })
			return done
		})
	})
}

// testPairsPieces: pairs that follow each other and pairs that lie apart, with a bad component in
// each place: a step with one is where the body stops. Those that follow each other have vectors of
// so many bytes.
func testPairsPieces[T uint8 | uint16 | uint32 | uint64, I Index](t *testing.T, vector int) {
	width, index := int(unsafe.Sizeof(*new(T))), int(unsafe.Sizeof(*new(I)))
	sizes, strides := [2]int{3, 5}, [2]int{5, 1}
	table := make([]T, 15)
	for j := range table {
		table[j] = T(j + 1)
	}
	for n := gatherPairsStep; n <= 5*gatherPairsStep; n += gatherPairsStep {
		for row := 2; row <= 3; row++ {
			step := 4
			if row == 2 && vector == 64 {
				step = min(16, 64/width)
			}
			for bad := -1; bad < 2*n; bad++ {
				x, got, want := make([]I, n*row), make([]T, n+1), make([]T, n+1)
				whole := n
				if bad >= 0 {
					whole = bad / 2 / step * step
				}
				for i := range n {
					a, b := I(i*2%3-i%2*3), I(i*3%5-i%3/2*5)
					x[i*row], x[i*row+1] = a, b
					if i < whole {
						want[i] = table[fromStart(a, 3)*5+fromStart(b, 5)]
					}
				}
				if bad >= 0 {
					x[bad/2*row+bad%2] = [...]I{3, 5}[bad%2]
					if bad%3 == 0 {
						x[bad/2*row+bad%2] = [...]I{-4, -6}[bad%2]
					}
					if far := [...]int64{1 << 32, -1 << 32, math.MaxInt64, math.MinInt64}[bad%4]; index == 8 && bad%5 == 0 {
						x[bad/2*row+bad%2] = I(far)
					}
				}
				at := found[int](t)(gatherPairsPiece(current(), width, index, elem(got, 0), elem(table, 0), 0, elem(x, 0), row*index, n, &sizes[0], &strides[0], len(table)-1))
				if bad < 0 && at != -1 || bad >= 0 && at != whole || !slices.Equal(got, want) {
					t.Fatalf("%d bytes, indices of %d, %d pairs %d apart, %d bad: stopped at %d, got %v, want %v", width, index, n, row, bad, at, got, want)
				}
			}
		}
	}
}

// TestEachRows: several rows, apart in dst, table and indices, up to an index that stops the body.
// Columns step through a table.
func TestEachRows(t *testing.T) {
	needs(t, dispatch.AVX2)
	defer dispatch.Use(dispatch.AVX2, 0)()
	t.Run("idx=i32", testEachRows[int32])
	t.Run("idx=i64", testEachRows[int64])
}

func testEachRows[I Index](t *testing.T) {
	const size, rows, gap = 5, 3, 2
	index := int(unsafe.Sizeof(*new(I)))
	for cols := 1; cols <= 13; cols++ {
		row := cols + gap
		for stop := 0; stop <= rows*cols; stop++ {
			x, table := make([]I, rows*row), make([]uint32, size*row*rows)
			for i := range x {
				x[i] = I(i%size - i%2*size)
			}
			if stop < rows*cols {
				x[stop/cols*row+stop%cols] = size
			}
			for i := range table {
				table[i] = uint32(i + 1)
			}
			for _, columns := range []bool{false, true} {
				got, want := make([]uint32, rows*row), make([]uint32, rows*row)
				done := 0
				if columns {
					done = found[int](t)(gatherEachColumnsPiece(current(), 4, index, elem(got, 0), elem(table, 0), elem(x, 0), 4*gap, 4*gap, gap*index, size, 4*row, rows, cols, far, far))
				} else {
					done = found[int](t)(gatherEachPiece(current(), 4, index, elem(got, 0), elem(table, 0), elem(x, 0), 4*gap, 4*row, gap*index, size, rows, cols, far, paces[cols%3]))
				}
				for k := range stop {
					i, j := k/cols, k%cols
					at := i*row + fromStart(x[i*row+j], size)
					if columns {
						at = i*row + j + fromStart(x[i*row+j], size)*row
					}
					want[i*row+j] = table[at]
				}
				if done != stop || !slices.Equal(got, want) {
					t.Fatalf("%d columns, to stop at %d, columns %t: done %d, got %v, want %v", cols, stop, columns, done, got, want)
				}
			}
		}
	}
}

// TestScatterEachRows: several rows, apart in dst, updates and indices, up to an index that stops
// the body.
func TestScatterEachRows(t *testing.T) {
	needs(t, dispatch.AVX2)
	defer dispatch.Use(dispatch.AVX2, 0)()
	t.Run("idx=i32", testScatterEachRows[int32])
	t.Run("idx=i64", testScatterEachRows[int64])
}

func testScatterEachRows[I Index](t *testing.T) {
	const size, table, rows, gap = 5, 7, 3, 2
	index := int(unsafe.Sizeof(*new(I)))
	for cols := 1; cols <= 13; cols++ {
		row := cols + gap
		for stop := 0; stop <= rows*cols; stop++ {
			x, updates := make([]I, rows*row), make([]int32, rows*row)
			for i := range x {
				x[i], updates[i] = I(i*i%size-i%2*size), int32(i+1)
			}
			if stop < rows*cols {
				x[stop/cols*row+stop%cols] = size
			}
			for _, adds := range []bool{false, true} {
				got, want := make([]int32, rows*table), make([]int32, rows*table)
				done := 0
				if adds {
					done = found[int](t)(combineEachPiece(current(), Sum, KindI32, index, elem(got, 0), elem(x, 0), elem(updates, 0), 4*table, gap*index, 4*gap, size, rows, cols, far, paces[cols%3]))
				} else {
					done = found[int](t)(scatterEachPiece(current(), 4, index, elem(got, 0), elem(x, 0), elem(updates, 0), 4*table, gap*index, 4*gap, size, rows, cols, far, paces[cols%3]))
				}
				for k := range stop {
					i, at := k/cols, k/cols*row+k%cols
					if cell := &want[i*table+fromStart(x[at], size)]; adds {
						*cell += updates[at]
					} else {
						*cell = updates[at]
					}
				}
				if done != stop || !slices.Equal(got, want) {
					t.Fatalf("%d columns, to stop at %d, adds %t: done %d, got %v, want %v", cols, stop, adds, done, got, want)
				}
			}
		}
	}
}

func testCombineEach[T Number, I Index](t *testing.T) {
	index := int(unsafe.Sizeof(*new(I)))
	t.Run(fmt.Sprintf("elem=%T/idx=i%d", *new(T), 8*index), func(t *testing.T) {
		const size = 13
		updates := make([]T, mostCells)
		for j := range updates {
			updates[j] = T(j*j%31) - 3
		}
		for _, op := range []Op{Sum, Min, Max} {
			eachStop(t, size, func(x []I, n, stop int) int {
				got := make([]T, size)
				for j := range got {
					got[j] = T(2*j) - 7
				}
				want := slices.Clone(got)
				generic.ScatterReduceIndexed(op, Plane[T]{Data: want}, size, 1, Plane[I]{Data: x, Col: 1}, Plane[T]{Data: updates, Col: 1}, 1, stop)
				done := found[int](t)(combineEachPiece(current(), op, KindOf[T](), index, elem(got, 0), elem(x, 0), elem(updates, 0), 0, 0, 0, size, 1, n, far, paces[n%3]))
				same(t, fmt.Sprint("operation ", op), n, got, want, func(a, b T) bool { return a == b })
				return done
			})
		}
	})
}

// specialHalves is what rounding, overflow and NaN differ for: zeros, the least and the largest
// numbers of both formats, infinities, NaN of both kinds, and neighbours that make ties.
var specialHalves = []uint16{0, 1, 2, 0x7F, 0x80, 0x81, 0x3FF, 0x400, 0x3C00, 0x3C01, 0x3F80, 0x3F81, 0x4380, 0x4381, 0x4B00, 0x4B01, 0x6400, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7F7F, 0x7F80, 0x7F81, 0x7FC0, 0x7FFF}

// testCombineEachHalf combines every special number, of both signs, with every other.
func testCombineEachHalf[I Index](t *testing.T, kind Kind, h Half) {
	index := int(unsafe.Sizeof(*new(I)))
	nan := func(b uint16) bool { f := h.Float32(b); return f != f }
	var all []uint16
	for _, b := range specialHalves {
		all = append(all, b, b|1<<15)
	}
	x := make([]I, len(all))
	for j := range x {
		x[j] = I(j)
	}
	for _, op := range []Op{Sum, Min, Max} {
		for _, update := range all {
			updates, want := slices.Repeat([]uint16{update}, len(all)), slices.Clone(all)
			generic.ScatterReduceIndexedHalf(op, h, Plane[uint16]{Data: want}, len(all), 1, Plane[I]{Data: x, Col: 1}, Plane[uint16]{Data: updates, Col: 1}, 1, len(all))
			for _, pace := range paces {
				got := slices.Clone(all)
				done := found[int](t)(combineEachPiece(current(), op, kind, index, elem(got, 0), elem(x, 0), elem(updates, 0), 0, 0, 0, len(all), 1, len(all), far, pace))
				if done != len(all) {
					t.Fatalf("done with %d", done)
				}
				for j := range got {
					if got[j] != want[j] && (op != Sum || !nan(got[j]) || !nan(want[j])) {
						t.Errorf("%v, operation %d, index %d bytes, pace %d: %#04x and %#04x: have %#04x, want %#04x", h, op, index, pace, all[j], update, got[j], want[j])
					}
				}
			}
		}
	}
}

func TestEachPieces(t *testing.T) {
	needs(t, dispatch.AVX2)
	defer dispatch.Use(dispatch.AVX2, 0)()
	testEachPieces[uint8, int32](t)
	testPairsPieces[uint8, int32](t, 32)
	testEachPieces[uint8, int64](t)
	testPairsPieces[uint8, int64](t, 32)
	testEachPieces[uint16, int32](t)
	testPairsPieces[uint16, int32](t, 32)
	testEachPieces[uint16, int64](t)
	testPairsPieces[uint16, int64](t, 32)
	testEachPieces[uint32, int32](t)
	testPairsPieces[uint32, int32](t, 32)
	testEachPieces[uint32, int64](t)
	testPairsPieces[uint32, int64](t, 32)
	testEachPieces[uint64, int32](t)
	testPairsPieces[uint64, int32](t, 32)
	testEachPieces[uint64, int64](t)
	testPairsPieces[uint64, int64](t, 32)
	testCombineEach[float32, int32](t)
	testCombineEach[float32, int64](t)
	testCombineEach[float64, int32](t)
	testCombineEach[float64, int64](t)
	testCombineEach[int8, int32](t)
	testCombineEach[int8, int64](t)
	testCombineEach[uint8, int32](t)
	testCombineEach[uint8, int64](t)
	testCombineEach[int16, int32](t)
	testCombineEach[int16, int64](t)
	testCombineEach[uint16, int32](t)
	testCombineEach[uint16, int64](t)
	testCombineEach[int32, int32](t)
	testCombineEach[int32, int64](t)
	testCombineEach[uint32, int32](t)
	testCombineEach[uint32, int64](t)
	testCombineEach[int64, int32](t)
	testCombineEach[int64, int64](t)
	testCombineEach[uint64, int32](t)
	testCombineEach[uint64, int64](t)
	for h, kind := range map[Half]Kind{Binary16: KindF16, Brain16: KindBF16} {
		testCombineEachHalf[int32](t, kind, h)
		testCombineEachHalf[int64](t, kind, h)
	}
}

func TestPairsPieces(t *testing.T) {
	needs(t, dispatch.AVX512)
	defer dispatch.Use(dispatch.AVX512, dispatch.FastGather)()
	testPairsPieces[uint8, int32](t, 64)
	testPairsPieces[uint8, int64](t, 64)
	testPairsPieces[uint16, int32](t, 64)
	testPairsPieces[uint16, int64](t, 64)
	testPairsPieces[uint32, int32](t, 64)
	testPairsPieces[uint32, int64](t, 64)
	testPairsPieces[uint64, int32](t, 64)
	testPairsPieces[uint64, int64](t, 64)
}
