package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
)

// Every primitive against its documented loop, over steps of both signs, row
// counts and lengths around what a vector or a block holds. The other tests
// compare with package generic, and this is what tells that generic is right.

var lengths = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 257}

// window returns a plane of rows × cols with the given steps, in a slice that
// holds just what it reaches, and some room around that.
func window[T any](r *rand.Rand, rows, cols, row, col int) lanes.Plane[T] {
	lo, hi := 0, 0
	for _, extent := range []int{(max(rows, 1) - 1) * row, (max(cols, 1) - 1) * col} {
		lo, hi = lo+min(extent, 0), hi+max(extent, 0)
	}
	pad := r.IntN(3)
	return lanes.Plane[T]{Data: make([]T, hi-lo+1+2*pad), At: pad - lo, Row: row, Col: col}
}

func address[T any](p lanes.Plane[T], i, j int) int { return p.At + i*p.Row + j*p.Col }

func fillRandom[T any](r *rand.Rand, s []T, next func(r *rand.Rand) T) {
	for i := range s {
		s[i] = next(r)
	}
}

type steps struct{ rows, row, col int }

func layouts(cols int) []steps {
	return []steps{{1, 0, 1}, {3, cols, 1}, {2, cols + 5, 1}, {3, -cols - 1, 1}, {2, 3 * cols, 3}, {2, 2 * cols, -2}, {4, 1, 4}}
}

func testGather[T lanes.Elem, I lanes.Index](t *testing.T, next func(r *rand.Rand) T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range lengths {
		for _, l := range layouts(n) {
			for _, table := range []struct{ size, step, row, col int }{{1, 1, 0, 0}, {7, 1, 0, 0}, {7, 1, 9, 0}, {5, n, 0, 1}, {6, -3, 1, 2}} {
				dst, idx := window[T](r, l.rows, n, l.row, l.col), window[I](r, l.rows, n, l.row, l.col)
				lo := min(0, (table.size-1)*table.step)
				src := window[T](r, l.rows, max(n, 1), table.row, table.col)
				reach := (table.size - 1) * max(table.step, -table.step)
				src.Data, src.At = make([]T, len(src.Data)+reach), src.At-lo
				fillRandom(r, src.Data, next)
				fillRandom(r, dst.Data, next)
				fillRandom(r, idx.Data, func(r *rand.Rand) I { return I(r.IntN(2*table.size) - table.size) })
				bad := -1
				if n > 0 && r.IntN(3) == 0 {
					bad = r.IntN(l.rows * n)
					idx.Data[address(idx, bad/n, bad%n)] = []I{I(table.size), I(-table.size - 1), math.MaxInt32, math.MinInt32}[r.IntN(4)]
				}
				want, limit := append([]T(nil), dst.Data...), l.rows*n
				if bad >= 0 {
					limit = bad
				}
				for p := range limit {
					i, j := p/n, p%n
					k := int(idx.Data[address(idx, i, j)])
					if k < 0 {
						k += table.size
					}
					want[address(dst, i, j)] = src.Data[address(src, i, j)+k*table.step]
				}
				got := lanes.Gather(dst, src, table.size, table.step, idx, l.rows, n)
				require.Equal(t, bad, got, "n=%d layout=%v table=%v", n, l, table)
				if bad < 0 { // after a bad index only what follows it is specified
					require.Equal(t, want, dst.Data, "n=%d layout=%v table=%v", n, l, table)
				}
			}
		}
	}
}

func TestDocumentedGather(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		x8 := func(r *rand.Rand) uint8 { return uint8(r.Uint32()) }
		x16 := func(r *rand.Rand) int16 { return int16(r.Uint32()) }
		x32 := func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }
		x64 := func(r *rand.Rand) uint64 { return r.Uint64() }
		x128 := func(r *rand.Rand) complex128 { return complex(r.NormFloat64(), 1) }
		run := func(elem string, i32, i64 func(t *testing.T)) {
			t.Run(fmt.Sprintf("elem=%s/idx=i32", elem), i32)
			t.Run(fmt.Sprintf("elem=%s/idx=i64", elem), i64)
		}
		run("x8", func(t *testing.T) { testGather[uint8, int32](t, x8) }, func(t *testing.T) { testGather[uint8, int64](t, x8) })
		run("x16", func(t *testing.T) { testGather[int16, int32](t, x16) }, func(t *testing.T) { testGather[int16, int64](t, x16) })
		run("x32", func(t *testing.T) { testGather[float32, int32](t, x32) }, func(t *testing.T) { testGather[float32, int64](t, x32) })
		run("x64", func(t *testing.T) { testGather[uint64, int32](t, x64) }, func(t *testing.T) { testGather[uint64, int64](t, x64) })
		run("x128", func(t *testing.T) { testGather[complex128, int32](t, x128) }, func(t *testing.T) { testGather[complex128, int64](t, x128) })
	})
}

// Copy, GatherRows and Scatter, where only the width matters.
func testMoves[T lanes.Elem](t *testing.T, next func(r *rand.Rand) T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range lengths {
		for _, l := range layouts(n) {
			for _, col := range []int{1, 2, -1, 0, 3} {
				name := fmt.Sprintf("n=%d layout=%v col=%d", n, l, col)
				src := window[T](r, l.rows, n, 2*n+1, col)
				fillRandom(r, src.Data, next)

				dst := window[T](r, l.rows, n, l.row, l.col)
				want := append([]T(nil), dst.Data...)
				for i := range l.rows {
					for j := range n {
						want[address(dst, i, j)] = src.Data[address(src, i, j)]
					}
				}
				lanes.Copy(dst, src, l.rows, n)
				require.Equal(t, want, dst.Data, "Copy %s", name)

				offsets := make([]int, l.rows)
				for i := range offsets {
					offsets[i] = r.IntN(l.rows) * (2*n + 1)
				}
				for i, o := range offsets {
					for j := range n {
						want[address(dst, i, j)] = src.Data[src.At+o+j*col]
					}
				}
				lanes.GatherRows(dst, src.Data, src.At, col, offsets, n)
				require.Equal(t, want, dst.Data, "GatherRows %s", name)

				if col == 0 {
					continue
				}
				cells := append([]T(nil), src.Data...)
				want = append([]T(nil), cells...)
				for i, o := range offsets {
					for j := range n {
						want[src.At+o+j*col] = dst.Data[address(dst, i, j)]
					}
				}
				lanes.Scatter(cells, src.At, col, offsets, dst, n)
				require.Equal(t, want, cells, "Scatter %s", name)
			}
		}
	}
}

func TestDocumentedMoves(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		t.Run("elem=x8", func(t *testing.T) { testMoves(t, func(r *rand.Rand) bool { return r.IntN(2) == 0 }) })
		t.Run("elem=x16", func(t *testing.T) { testMoves(t, func(r *rand.Rand) uint16 { return uint16(r.Uint32()) }) })
		t.Run("elem=x32", func(t *testing.T) { testMoves(t, func(r *rand.Rand) int32 { return int32(r.Uint32()) }) })
		t.Run("elem=x64", func(t *testing.T) { testMoves(t, func(r *rand.Rand) float64 { return r.NormFloat64() }) })
		t.Run("elem=x128", func(t *testing.T) {
			testMoves(t, func(r *rand.Rand) lanes.X128 { return lanes.X128{Lo: r.Uint64(), Hi: r.Uint64()} })
		})
	})
}

// One element at a time goes through its own loops.
func TestDocumentedSingleElements(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		src := []int32{10, 11, 12, 13, 14, 15}
		dst := make([]int32, 8)
		lanes.GatherRows(lanes.Plane[int32]{Data: dst, At: 7, Row: -2}, src, 1, 0, []int{4, 0, 2}, 1)
		require.Equal(t, []int32{0, 0, 0, 13, 0, 11, 0, 15}, dst)
		lanes.Scatter(dst, 1, 0, []int{0, 5, 0}, lanes.Plane[int32]{Data: src, At: 5, Row: -1}, 1)
		require.Equal(t, []int32{0, 13, 0, 13, 0, 11, 14, 15}, dst)
	})
}

func TestDocumentedResolve(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, tt := range []struct {
			name                     string
			indices                  []int64
			at, step, size, scale, c int
			offsets                  []int
			bad                      int
		}{
			{"positive", []int64{0, 2, 1}, 0, 1, 3, 10, 0, []int{0, 20, 10}, -1},
			{"negative wraps", []int64{-1, -3, 0}, 0, 1, 3, 1, 100, []int{2, 100, 200}, -1},
			{"strided", []int64{9, 1, 9, -1, 9, 0}, 1, 2, 2, 1, 0, []int{1, 1, 0}, -1},
			{"reversed", []int64{0, 1, 2}, 2, -1, 3, 1, 0, []int{2, 1, 0}, -1},
			{"at size", []int64{0, 3}, 0, 1, 3, 1, 0, []int{0, 0}, 1},
			{"below -size", []int64{-4, 0}, 0, 1, 3, 1, 0, []int{0, 0}, 0},
			{"largest", []int64{1, 1, math.MaxInt64}, 0, 1, 3, 1, 0, []int{1, 1, 0}, 2},
			{"smallest", []int64{1, math.MinInt64, 1}, 0, 1, 3, 1, 0, []int{1, 0, 0}, 1},
			{"beyond 32 bits", []int64{1<<32 + 1}, 0, 1, 3, 1, 0, []int{0}, 0},
			{"empty axis", []int64{0}, 0, 1, 0, 1, 0, []int{0}, 0},
			{"empty axis, -1", []int64{-1}, 0, 1, 0, 1, 0, []int{0}, 0},
		} {
			t.Run(tt.name, func(t *testing.T) {
				offsets := make([]int, len(tt.offsets))
				bad := lanes.Resolve(offsets, tt.indices, tt.at, tt.step, tt.size, tt.scale, tt.c)
				require.Equal(t, tt.bad, bad)
				require.Equal(t, tt.bad, lanes.Check(tt.indices, tt.at, tt.step, len(offsets), tt.size))
				if bad < 0 {
					require.Equal(t, tt.offsets, offsets)
				}
			})
		}
	})
}

func TestDocumentedResolvePattern(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, n := range lengths {
			for bad := -1; bad < n; bad += 1 + n/5 {
				indices, pattern := make([]int32, n+2), make([]int, n+3)
				want, offsets := make([]int, n), make([]int, n)
				for j := range n {
					k := j * 7 % 10
					pattern[j] = j*j - 50
					if indices[j+2] = int32(k); j%3 == 0 {
						indices[j+2] -= 10
					}
					want[j], offsets[j] = k*1000+pattern[j], -7
				}
				if bad >= 0 {
					indices[bad+2] = 10
					for j := bad; j < n; j++ {
						want[j] = -7
					}
				}
				require.Equal(t, bad, lanes.ResolvePattern(offsets, indices, 2, 10, 1000, pattern))
				require.Equal(t, want, offsets)
			}
		}
		require.Panics(t, func() { lanes.ResolvePattern(make([]int, 40), make([]int64, 40), 0, 1, 1, make([]int, 39)) })
	})
}

func TestDocumentedResolveTuples(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		tuples := lanes.Plane[int32]{Data: []int32{0, 1, 2, -1, -2, 0}, Row: 2, Col: 1}
		offsets := make([]int, 3)
		require.Equal(t, -1, lanes.ResolveTuples(offsets, tuples, []int{3, 2}, []int{10, 100}, 1000))
		require.Equal(t, []int{100, 1120, 2010}, offsets)
		require.Equal(t, 1, lanes.ResolveTuples(offsets, tuples, []int{2, 2}, []int{1, 1}, 0))
		require.Equal(t, 2, lanes.ResolveTuples(offsets[:3], lanes.Plane[int32]{Data: []int32{0, 0, 2}, Row: 1}, []int{2}, []int{1}, 0))
	})
}

func TestDocumentedWiden(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		out := make([]int64, 3)
		lanes.Widen(out, []uint64{1, math.MaxUint64, 1 << 63}, 0, 1)
		require.Equal(t, []int64{1, math.MaxInt64, math.MaxInt64}, out)
		lanes.Widen(out, []int8{1, -2, 3, -4, 5}, 4, -2)
		require.Equal(t, []int64{5, 3, 1}, out)
		lanes.Widen(out, []uint32{math.MaxUint32, 0, 7}, 0, 1)
		require.Equal(t, []int64{math.MaxUint32, 0, 7}, out)
	})
}

func testReduce[T lanes.Number](t *testing.T, next func(r *rand.Rand) T) {
	r := rand.New(rand.NewPCG(5, 6))
	ops := []struct {
		name string
		op   lanes.Op
		f    func(a, b T) T
	}{
		{"sum", lanes.Sum, func(a, b T) T { return a + b }},
		{"prod", lanes.Prod, func(a, b T) T { return a * b }},
		{"min", lanes.Min, func(a, b T) T {
			if a < b {
				return a
			}
			return b
		}},
		{"max", lanes.Max, func(a, b T) T {
			if a > b {
				return a
			}
			return b
		}},
	}
	for _, op := range ops {
		for _, cols := range []int{1, 2, 8, 17} {
			for _, col := range []int{1, 2, -1, 0} {
				for _, step := range []int{1, 3, 0} {
					offsets := make([]int, 40)
					for i := range offsets {
						offsets[i] = r.IntN(5)
					}
					updates := window[T](r, len(offsets), cols, step*cols, step)
					fillRandom(r, updates.Data, next)
					cells := window[T](r, 5, cols, 1, col)
					fillRandom(r, cells.Data, next)
					want := append([]T(nil), cells.Data...)
					for i, o := range offsets {
						for j := range cols {
							c := cells.At + o + j*col
							want[c] = op.f(want[c], updates.Data[address(updates, i, j)])
						}
					}
					lanes.ScatterReduce(op.op, cells.Data, cells.At, col, offsets, updates, cols)
					for i := range want {
						if want[i] != cells.Data[i] && want[i] == want[i] {
							t.Fatalf("%s cols=%d col=%d step=%d: cell %d is %v, want %v", op.name, cols, col, step, i, cells.Data[i], want[i])
						}
					}
				}
			}
		}
	}
}

func TestDocumentedScatterReduce(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		t.Run("elem=f32", func(t *testing.T) { testReduce(t, func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }) })
		t.Run("elem=f64", func(t *testing.T) { testReduce(t, func(r *rand.Rand) float64 { return r.NormFloat64() }) })
		t.Run("elem=i8", func(t *testing.T) { testReduce(t, func(r *rand.Rand) int8 { return int8(r.Uint32()) }) })
		t.Run("elem=u16", func(t *testing.T) { testReduce(t, func(r *rand.Rand) uint16 { return uint16(r.Uint32()) }) })
		t.Run("elem=i64", func(t *testing.T) { testReduce(t, func(r *rand.Rand) int64 { return int64(r.Uint64()) }) })
		t.Run("elem=u32", func(t *testing.T) { testReduce(t, func(r *rand.Rand) uint32 { return r.Uint32() }) })
	})
}
