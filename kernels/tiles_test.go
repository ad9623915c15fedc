package kernels_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// permutations returns all orders of n axes.
func permutations(n int) (orders [][]int) {
	if n == 1 {
		return [][]int{{0}}
	}
	for _, p := range permutations(n - 1) {
		for i := range n {
			orders = append(orders, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return orders
}

// permuted returns a tensor whose axes lie in memory in an order.
func permuted[T any](shape, order []int) kernels.Tensor[T] {
	t, n := kernels.Tensor[T]{Shape: shape, Strides: make([]int, len(shape))}, 1
	for _, axis := range slices.Backward(order) {
		t.Strides[axis] = n
		n *= shape[axis]
	}
	t.Data = make([]T, n)
	return t
}

// inOrder returns the elements of a tensor in row-major order, one by one.
func inOrder[T any](x kernels.Tensor[T]) (all []T) {
	at := make([]int, len(x.Shape))
	for {
		o := x.Offset
		for d, i := range at {
			o += i * x.Strides[d]
		}
		all = append(all, x.Data[o])
		d := len(at) - 1
		for ; d >= 0 && at[d]+1 == x.Shape[d]; d-- {
			at[d] = 0
		}
		if d < 0 {
			return all
		}
		at[d]++
	}
}

// TestTiles copies, also backwards, and gathers with axes in each order, in tiles as long as they
// are and in short ones.
func TestTiles(t *testing.T) {
	t.Run("whole", func(t *testing.T) { testTiles[uint8](t); testTiles[float64](t) })
	t.Run("small", func(t *testing.T) { kernels.CutSmall(t); testTiles[uint16](t); testTiles[float32](t) })
}

func testTiles[T uint8 | uint16 | float32 | float64](t *testing.T) {
	shape := []int{19, 2, 37, 9}
	for _, order := range permutations(len(shape)) {
		for _, workers := range []int{1, 3} {
			from, want := permuted[T](shape, order), make([]T, 19*2*37*9)
			for i := range from.Data {
				from.Data[i] = T(i*7 + i/251)
			}
			copied := kernels.New(make([]T, len(want)), shape...)
			require.NoError(t, kernels.StridedSlice(copied, from, kernels.SliceSpec{}, kernels.Workers(workers)))
			require.Equal(t, inOrder(from), copied.Data, "%v", order)
			flipped := kernels.New(make([]T, len(want)), shape...)
			for axis := range shape { // one after the other, until all go backwards
				from.Strides[axis] *= -1
				from.Offset -= from.Strides[axis] * (shape[axis] - 1)
				require.NoError(t, kernels.StridedSlice(flipped, from, kernels.SliceSpec{}, kernels.Workers(workers)))
				require.Equal(t, inOrder(from), flipped.Data, "%v, axes to %d backwards", order, axis)
			}

			x := make([]int32, len(want))
			for i := range x {
				x[i] = int32(i*i%74 - 37)
			}
			indices := kernels.New(x, shape...)
			for i, data := 0, copied.Data; i < len(want); i++ { // along axis 2, of 37
				want[i] = data[i/333*333+(int(x[i])+37)%37*9+i%9]
			}
			to, kernel := permuted[T](shape, order), ""
			tell := kernels.Observe(func(f kernels.Facts) { kernel = f.Kernel })
			require.NoError(t, kernels.GatherElements(to, copied, indices, 2, kernels.Workers(workers), tell))
			require.Equal(t, want, inOrder(to), "%v", order)
			require.Equal(t, !slices.IsSorted(order), kernel == "gather, tiles", "%v: %s", order, kernel)

			bad := slices.Clone(x)
			bad[len(bad)-1] = 37
			require.ErrorContains(t, kernels.GatherElements(to, copied, kernels.New(bad, shape...), 2, kernels.Workers(workers)), "37")
		}
	}
}

// TestTilesOfManyAxes gathers elements of three words, which are one more loop, into as many axes
// as the arrays of a tile have loops.
func TestTilesOfManyAxes(t *testing.T) {
	shape, order, n := make([]int, 12), make([]int, 12), 1<<12
	for d := range shape {
		shape[d], order[d] = 2, len(shape)-1-d
	}
	data, x, want := make([][3]uint32, n), make([]int8, n), make([][3]uint32, n)
	for i := range data {
		data[i], x[i] = [3]uint32{uint32(i), uint32(2 * i), uint32(3 * i)}, int8(i%3%2)
	}
	for i := range want { // along the last axis
		want[i] = data[i&^1+int(x[i])]
	}
	dst := permuted[[3]uint32](shape, order)
	require.NoError(t, kernels.GatherElements(dst, kernels.New(data, shape...), kernels.New(x, shape...), -1))
	require.Equal(t, want, inOrder(dst))
}

// TestRowsByColumns gathers rows, whose elements lie apart in data, column by column in tiles: one
// of many rows that an index names, or a tuple, of several tables, also backwards.
func TestRowsByColumns(t *testing.T) {
	t.Run("whole", testRowsByColumns)
	t.Run("small", func(t *testing.T) { kernels.CutSmall(t); testRowsByColumns(t) })
}

func testRowsByColumns(t *testing.T) {
	const tables, high, wide, cols, rows = 2, 30, 40, 7, 150
	shape := []int{tables, high, wide, cols}
	data := permuted[uint32](shape, []int{3, 0, 1, 2})
	for i := range data.Data {
		data.Data[i] = uint32(i * i)
	}
	pairs, single := zeros[int32](tables, rows, 2), zeros[int64](tables, rows)
	for i := range single.Data {
		pairs.Data[2*i], pairs.Data[2*i+1] = int32(i*i%(2*high)-high), int32(i*7%wide)
		single.Data[i] = int64(i*i%(2*high) - high)
	}
	for range 2 {
		var paired, one []uint32
		at := func(i, j, k, l int) uint32 {
			return data.Data[data.Offset+i*data.Strides[0]+(j+high)%high*data.Strides[1]+k*data.Strides[2]+l*data.Strides[3]]
		}
		for i := range single.Data {
			for l := range cols {
				paired = append(paired, at(i/rows, int(pairs.Data[2*i]), int(pairs.Data[2*i+1]), l))
			}
			for k := range wide {
				for l := range cols {
					one = append(one, at(i/rows, int(single.Data[i]), k, l))
				}
			}
		}
		for _, workers := range []int{1, 3} {
			o, dst, kernel := kernels.Workers(workers), zeros[uint32](tables, rows, cols), ""
			tell := kernels.Observe(func(f kernels.Facts) { kernel = f.Kernel })
			require.NoError(t, kernels.GatherND(dst, data, pairs, 1, o, tell))
			require.Equal(t, paired, dst.Data)
			require.Equal(t, "gather, tiles", kernel)
			dst = zeros[uint32](tables, rows, wide, cols)
			require.NoError(t, kernels.Gather(dst, data, single, 1, 1, o))
			require.Equal(t, one, dst.Data)

			last, dst := &pairs.Data[len(pairs.Data)-1], zeros[uint32](tables, rows, cols)
			was := *last
			*last = wide
			requireFailure(t, "GatherND", &kernels.IndexError{Position: []int{tables - 1, rows - 1, 1}, Value: "40", Axis: 2, Size: wide}, kernels.GatherND(dst, data, pairs, 1, o))
			require.NoError(t, kernels.GatherND(dst, data, pairs, 1, o, kernels.Indices(kernels.IndexPolicy{OutOfRange: kernels.Clamp})))
			require.Equal(t, paired[:len(paired)-cols], dst.Data[:len(paired)-cols])
			require.Equal(t, at(tables-1, int(pairs.Data[len(pairs.Data)-2]), wide-1, cols-1), dst.Data[len(paired)-1])
			*last = was
		}
		data.Offset, data.Strides[3] = (cols-1)*data.Strides[3], -data.Strides[3]
	}
}

// TestDenseTables gathers rows of tables whose axes lie in each order.
func TestDenseTables(t *testing.T) {
	shape, x := []int{5, 7, 11}, make([]int64, 640)
	for i := range x {
		x[i] = int64(i*i%14 - 7)
	}
	for _, order := range permutations(len(shape)) {
		data, dst := permuted[float32](shape, order), kernels.New(make([]float32, 5*640*11), 5, 640, 11)
		for i := range data.Data {
			data.Data[i] = float32(i)
		}
		require.NoError(t, kernels.Gather(dst, data, kernels.New(x, 640), 1, 0))
		all, want := inOrder(data), make([]float32, 0, len(dst.Data))
		for i := range 5 {
			for _, k := range x {
				row := i*77 + (int(k)+7)%7*11
				want = append(want, all[row:row+11]...)
			}
		}
		require.Equal(t, want, dst.Data, "%v", order)
		pairs := make([]int32, 2*640)
		want = want[:0]
		for i := range 640 {
			pairs[2*i], pairs[2*i+1] = int32(i%10-5), int32(x[i])
			row := i%10%5*77 + (int(x[i])+7)%7*11
			want = append(want, all[row:row+11]...)
		}
		dst = kernels.New(make([]float32, 640*11), 640, 11)
		require.NoError(t, kernels.GatherND(dst, data, kernels.New(pairs, 640, 2), 0))
		require.Equal(t, want, dst.Data, "%v", order)
	}
}

// TestDenseRows gathers elements along each axis of tables whose axes lie in each order, from a
// corner that is shorter than the table.
func TestDenseRows(t *testing.T) {
	testDenseRows(t, func(i int) float32 { return float32(i) })
	testDenseRows(t, func(i int) [3]uint32 { return [3]uint32{uint32(i), uint32(2 * i), uint32(3 * i)} }) // several units
}

func testDenseRows[T any](t *testing.T, element func(i int) T) {
	kernels.CopyTables(t, true)
	shape, corner := []int{24, 17, 40}, []int{22, 15, 39}
	copied := 0
	for _, order := range permutations(len(shape)) {
		data := permuted[T](shape, order)
		for i := range data.Data {
			data.Data[i] = element(i)
		}
		all := inOrder(data)
		for axis := range shape {
			within := slices.Clone(corner)
			within[axis] = 60
			x := make([]int64, within[0]*within[1]*within[2])
			want := make([]T, len(x))
			for i := range x {
				at := [3]int{i / (within[1] * within[2]), i / within[2] % within[1], i % within[2]}
				k := i % 997
				x[i] = int64(k*k%(2*shape[axis]) - shape[axis])
				at[axis] = (int(x[i]) + shape[axis]) % shape[axis]
				want[i] = all[(at[0]*shape[1]+at[1])*shape[2]+at[2]]
			}
			indices := kernels.New(x, within...)
			if kernels.CopiesRows(data, indices, axis) {
				copied++
			}
			dst := kernels.New(make([]T, len(x)), within...)
			require.NoError(t, kernels.GatherElements(dst, data, indices, axis), "%v %d", order, axis)
			require.True(t, reflect.DeepEqual(want, dst.Data), "%v %d", order, axis)
			x[len(x)-2] = int64(shape[axis])
			var bad *kernels.IndexError
			require.ErrorAs(t, kernels.GatherElements(dst, data, indices, axis), &bad)
			require.Equal(t, shape[axis], bad.Size)
			x[len(x)-2] = 0
		}
	}
	require.Equal(t, 4, copied, "the last axis, where it lies first or second")
}

// TestManyComponents gathers rows that tuples of more components than a call holds name into a dst
// that is transposed, tile by tile. Each tile makes wider units of the rows.
func TestManyComponents(t *testing.T) {
	const tuples, components, row = 40_000, 13, 8
	shape := append(slices.Repeat([]int{2}, components), row)
	data := kernels.New(numbers[float32](row<<components), shape...)
	x, want := make([]int64, tuples*components), make([]float32, tuples*row)
	for i := range tuples {
		place := i * 5 % (1 << components)
		for k := range components {
			x[i*components+k] = int64(place >> (components - 1 - k) & 1)
		}
		for j := range row {
			want[j*tuples+i] = data.Data[place*row+j]
		}
	}
	dst := kernels.Tensor[float32]{Data: make([]float32, tuples*row), Shape: []int{tuples, row}, Strides: []int{1, tuples}}
	for _, workers := range []int{1, 2} {
		clear(dst.Data)
		require.NoError(t, kernels.GatherND(dst, data, kernels.New(x, tuples, components), 0, kernels.Workers(workers)))
		require.True(t, slices.Equal(want, dst.Data), "%d workers", workers)
	}
}

// BenchmarkPermuted copies tensors whose axes lie in another order.
func BenchmarkPermuted(b *testing.B) {
	for _, shape := range [][]int{{100, 300}, {17, 3000}, {5, 5000}, {3, 17, 2560, 4}, {256, 64, 12, 8}, {2, 5, 2, 1024}, {17, 39, 48}, {60, 16, 4, 32}, {7, 64, 3, 5, 9}, {300, 3, 100}, {3, 512, 512}, {12, 200, 80}} {
		benchPermuted[uint8](b, shape)
		benchPermuted[uint16](b, shape)
		benchPermuted[float32](b, shape)
		benchPermuted[float64](b, shape)
	}
}

func benchPermuted[T any](b *testing.B, shape []int) {
	for _, order := range permutations(len(shape)) {
		src := permuted[T](shape, order)
		dst := kernels.New(make([]T, len(src.Data)), shape...)
		b.Run(fmt.Sprintf("%T %v %v", src.Data, shape, order), func(b *testing.B) {
			copied := func() {
				if err := kernels.StridedSlice(dst, src, kernels.SliceSpec{}, kernels.Workers(1)); err != nil {
					b.Fatal(err)
				}
			}
			for copied(); b.Loop(); copied() {
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src.Data)), "ns/element")
		})
	}
}

// BenchmarkShortRuns copies runs of a few elements that lie in another order.
func BenchmarkShortRuns(b *testing.B) {
	b.Run("uint8", benchShortRuns[uint8])
	b.Run("uint16", benchShortRuns[uint16])
}

func benchShortRuns[T uint8 | uint16](b *testing.B) {
	for _, n := range []int{2, 3, 5, 7, 9, 12, 15} {
		src := kernels.Tensor[T]{Data: make([]T, 32*48*(n+2)), Shape: []int{32, 48, n}, Strides: []int{n + 2, 32 * (n + 2), 1}}
		dst := kernels.New(make([]T, 32*48*n), src.Shape...)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if err := kernels.StridedSlice(dst, src, kernels.SliceSpec{}, kernels.Workers(1)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
		})
	}
}

// BenchmarkInterleaved copies every third row of a few planes into a dst whose innermost axis is that
// of the planes, exchanged and not.
func BenchmarkInterleaved(b *testing.B) {
	b.Run("uint8", benchInterleaved[uint8])
	b.Run("uint16", benchInterleaved[uint16])
}

func benchInterleaved[T uint8 | uint16](b *testing.B) {
	for _, shape := range [][]int{{400, 300, 3}, {20, 100, 6}, {40, 1000, 3}} {
		rows, cols, planes := shape[0], shape[1], shape[2]
		dst, src := kernels.New(make([]T, rows*cols*planes), shape...), zeros[T](planes, 3*rows, cols)
		src.Shape, src.Strides = []int{3 * rows, cols, planes}, []int{cols, 1, 3 * rows * cols}
		for i := range src.Data {
			src.Data[i] = T(i)
		}
		spec := kernels.SliceSpec{Begin: []int64{0}, End: []int64{int64(3 * rows)}, Strides: []int64{3}}
		for _, least := range []int{math.MaxInt, 192} {
			b.Run(fmt.Sprintf("%v/exchanged=%t", shape, least == 192), func(b *testing.B) {
				kernels.LeastBuffered(b, least)
				for b.Loop() {
					if err := kernels.StridedSlice(dst, src, spec, kernels.Workers(1)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
			})
		}
	}
}

// BenchmarkTransposedParts gathers into a dst in every order of axes, on one worker and two.
func BenchmarkTransposedParts(b *testing.B) {
	shape := []int{3112, 5, 80}
	data, x := kernels.New(numbers[int32](3112*5*230), 3112, 5, 230), randomTensor[int64](230, shape...)
	for _, order := range permutations(len(shape)) {
		for workers := 1; workers <= 2; workers++ {
			b.Run(fmt.Sprintf("order=%v/workers=%d", order, workers), func(b *testing.B) {
				dst := permuted[int32](shape, order)
				for b.Loop() {
					if err := kernels.GatherElements(dst, data, x, 2, kernels.Workers(workers)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x.Data)), "ns/element")
			})
		}
	}
}

// BenchmarkGatherTiles gathers into a transposed dst, in tiles of several sizes.
func BenchmarkGatherTiles(b *testing.B) {
	call := func(name string, shape []int, gather func(dst kernels.Tensor[float32], o kernels.Option) error) {
		order := make([]int, len(shape))
		for d := range order {
			order[d] = len(shape) - 1 - d
		}
		dst := permuted[float32](shape, order)
		for _, tile := range []int{128 << 10, 512 << 10, 1 << 20, 2 << 20} {
			for workers := 1; workers <= 2; workers++ {
				b.Run(fmt.Sprintf("%s/tile=%d/workers=%d", name, tile, workers), func(b *testing.B) {
					kernels.SetGatherTile(b, tile)
					for b.Loop() {
						if err := gather(dst, kernels.Workers(workers)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
				})
			}
		}
	}
	for _, c := range []struct {
		data, indices []int
		axis          int
	}{
		{[]int{3, 64, 24, 13}, []int{3, 64, 24, 10}, 3}, {[]int{64, 300, 40}, []int{64, 100, 40}, 1},
		{[]int{500, 300}, []int{500, 300}, 1}, {[]int{3000, 3000}, []int{3000, 2000}, 1},
	} {
		data, x := kernels.New(numbers[float32](elements(c.data)), c.data...), randomTensor[int64](c.data[c.axis], c.indices...)
		call(fmt.Sprint("elements ", c.data, c.indices), c.indices, func(dst kernels.Tensor[float32], o kernels.Option) error {
			return kernels.GatherElements(dst, data, x, c.axis, o)
		})
	}
	for _, c := range []struct{ data, indices, shape []int }{
		{[]int{169, 3786}, []int{384, 3736, 2}, []int{384, 3736}}, {[]int{7, 7, 941}, []int{3, 7, 2}, []int{3, 7, 941}},
	} {
		data, x := kernels.New(numbers[float32](elements(c.data)), c.data...), randomTensor[int64](c.data[0], c.indices...)
		call(fmt.Sprint("pairs ", c.data, c.indices), c.shape, func(dst kernels.Tensor[float32], o kernels.Option) error {
			return kernels.GatherND(dst, data, x, 0, o)
		})
	}
}

// BenchmarkPairLines gathers single elements by lines of pairs that do not follow each other.
func BenchmarkPairLines(b *testing.B) {
	data, all := kernels.New(numbers[float32](300*300), 300, 300), randomTensor[int64](300, 100, 100, 2)
	for _, line := range []int{48, 49, 50, 51} {
		b.Run(fmt.Sprintf("line=%d", line), func(b *testing.B) {
			x, dst := all, kernels.New(make([]float32, 100*line), 100, line)
			x.Shape, x.Strides = []int{100, line, 2}, []int{200, 2, 1}
			for b.Loop() {
				if err := kernels.GatherND(dst, data, x, 0, kernels.Workers(1)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(100*line), "ns/element")
		})
	}
}

func TestCopyOrder(t *testing.T) {
	for _, tt := range []struct {
		what  string
		kind  lanes.Kind
		loops [][3]int
		tiles bool
		order [][3]int // nil: as they are
	}{
		{"two loops are exchanged", lanes.KindX32, [][3]int{{5, 9, 1}, {9, 1, 5}}, false, nil},
		{"the rows go backwards", lanes.KindX32, [][3]int{{5, 9, -1}, {9, 1, 5}}, false, [][3]int{{5, -9, 1}, {9, 1, 5}}},
		{"rows of both", lanes.KindX32, [][3]int{{6, 64, 32}, {3, 32, 1600}, {32, 1, 1}}, false, nil},
		{"long rows and columns", lanes.KindX32, [][3]int{{16, 1600, 1}, {100, 16, 16}, {16, 1, 1600}}, false, [][3]int{{100, 16, 16}, {16, 1600, 1}, {16, 1, 1600}}},
		{"short rows of dst", lanes.KindX32, [][3]int{{16, 1500, 1}, {100, 15, 16}, {15, 1, 1600}}, true, nil},
		{"short rows of src, far from each other", lanes.KindX32, [][3]int{{15, 1600, 1}, {100, 16, 15}, {16, 1, 1500}}, true, nil},
		{"short rows of src, in a line", lanes.KindX32, [][3]int{{15, 1600, 1}, {100, 16, 320}, {16, 1, 16}}, false, [][3]int{{100, 16, 320}, {15, 1600, 1}, {16, 1, 16}}},
		{"short rows of src, beyond a line", lanes.KindX32, [][3]int{{15, 1600, 1}, {100, 16, 320}, {16, 1, 17}}, true, nil},
		{"the same of bytes", lanes.KindX8, [][3]int{{63, 6400, 1}, {100, 64, 4200}, {64, 1, 65}}, true, nil},
		{"dst is not dense", lanes.KindX32, [][3]int{{3, 4000, 1}, {100, 40, 12}, {4, 2, 1200}}, false, nil},
		{"a loop that does not move src", lanes.KindX32, [][3]int{{3, 500, 0}, {100, 5, 20}, {5, 1, 3}}, false, nil},
		{"two reversed lines", lanes.KindX32, [][3]int{{9, 3808, 9000}, {119, 32, -80}, {2, 16, 16}, {16, 1, -1}}, false, [][3]int{{9, 3808, 9000}, {2, 16, 16}, {119, 32, -80}, {16, 1, -1}}},
		{"two short reversed lines", lanes.KindX32, [][3]int{{9, 3808, 9000}, {119, 32, -80}, {2, 15, 16}, {15, 1, -1}}, false, nil},
		{"many reversed lines", lanes.KindX32, [][3]int{{9, 495040, 990000}, {119, 4160, -8000}, {65, 64, 64}, {64, 1, -1}}, false, nil},
		{"nearly as many", lanes.KindX32, [][3]int{{9, 1920, 9000}, {15, 128, -800}, {8, 16, 16}, {16, 1, -1}}, false, nil},
		{"two lines", lanes.KindX32, [][3]int{{9, 3808, 9000}, {119, 32, -80}, {2, 16, 17}, {16, 1, 1}}, false, nil},
	} {
		tiles, order := kernels.CopyOrder(tt.kind, tt.loops...)
		if tt.order == nil {
			tt.order = tt.loops
		}
		require.Equal(t, tt.tiles, tiles, tt.what)
		require.Equal(t, tt.order, order, tt.what)
	}
}

func TestTileOf(t *testing.T) {
	const dst, src = 0, 1
	loops := [][3]int{{50, 1200, 1}, {40, 30, 1500}, {30, 1, 50}}
	require.Equal(t, []int{1, 1, 1}, kernels.TileOf(loops))
	require.Equal(t, []int{1, 1, 20}, kernels.TileOf(loops, [2]int{dst, 20}))
	require.Equal(t, []int{1, 3, 30}, kernels.TileOf(loops, [2]int{dst, 100}))
	require.Equal(t, []int{8, 1, 20}, kernels.TileOf(loops, [2]int{dst, 20}, [2]int{src, 160}))
	require.Equal(t, []int{8, 2, 30}, kernels.TileOf(loops, [2]int{dst, 20}, [2]int{src, 160}, [2]int{dst, 500}))
	require.Equal(t, []int{50, 40, 30}, kernels.TileOf(loops, [2]int{src, 1 << 20}))
	require.Equal(t, []int{8, 1, 20}, kernels.TileOf(loops, [2]int{dst, 20}, [2]int{src, 160}, [2]int{src, 10}), "no tile becomes shorter")
}

// TestTiledLoop: a part has whole tiles; if there are too few, parts lie apart in dst.
func TestTiledLoop(t *testing.T) {
	for _, tt := range []struct {
		what                 string
		workers, loop, parts int
		loops                [][3]int
	}{
		{"few tiles: not along the loop on which dst is dense", 2, 1, 16, [][3]int{{12, 1, 40}, {40, 12, 1}}},
		{"few tiles", 2, 0, 16, [][3]int{{40, 12, 1}, {12, 1, 40}}},
		{"the other loop is too short", 4, 0, 12, [][3]int{{12, 1, 40}, {3, 12, 1}}},
		{"that which moves dst furthest", 2, 0, 3, [][3]int{{3, 400, 1}, {12, 1, 40}, {2, 12, 1}}},
		{"a tile has 80 columns and 3276 rows", 2, 1, 16, [][3]int{{80, 124_480, 1}, {124_480, 1, 80}}},
		{"and there are five of them", 2, 1, 5, [][3]int{{80, 16_000, 1}, {16_000, 1, 80}}},
		{"five tiles, and a hundred along an inner loop", 2, 0, 5, [][3]int{{2560, 51_200, 1}, {51_200, 1, 2560}}},
		{"a tile has 128 rows and 2048 columns", 2, 0, 16, [][3]int{{100_000, 128, 1}, {128, 1, 100_000}}},
	} {
		loop, parts := kernels.TiledLoop(tt.workers, tt.loops...)
		require.Equal(t, []int{tt.loop, tt.parts}, []int{loop, parts}, tt.what)
	}
}

func TestTablesThatAreCopied(t *testing.T) {
	l2, _ := dispatch.L2()
	rows := l2 / 2 / 400
	turned := permuted[float32]([]int{rows, 100}, []int{1, 0})
	require.True(t, kernels.CopiesTable(turned, 40*rows, 1, 1))
	require.False(t, kernels.CopiesTable(turned, 40*rows-1, 1, 1), "the table has more than two and a half elements for each that is gathered")
	bytes := permuted[uint8]([]int{rows, 100}, []int{1, 0})
	require.True(t, kernels.CopiesTable(bytes, 13*rows, 1, 1))
	require.False(t, kernels.CopiesTable(bytes, 12*rows, 1, 1), "more than eight bytes")
	wide := permuted[float64]([]int{rows / 2, 100}, []int{1, 0})
	require.True(t, kernels.CopiesTable(wide, rows/2*100, 1, 1))
	require.False(t, kernels.CopiesTable(wide, rows/2*100-1, 1, 1), "more than one of 8 bytes")
	large := permuted[float32]([]int{rows + 2, 100}, []int{1, 0})
	least := (200*(rows+2) + 2) / 3
	require.True(t, kernels.CopiesTable(large, least, 1, 2))
	require.False(t, kernels.CopiesTable(large, least-1, 1, 2), "the table has more than one and a half times what is gathered, and is too large for the cache")
	near := permuted[float32]([]int{rows, 5, 100}, []int{0, 2, 1})
	require.True(t, kernels.CopiesTable(near, 500*rows, 1, 1))
	require.False(t, kernels.CopiesTable(near, 500*rows-1, 1, 1), "elements that share cache lines, and are fewer than those of the table")
	require.Equal(t, rows+2 > 341, kernels.CopiesTable(large, 200*(rows+2), 1, 1), "or wide strips are as fast")
	require.False(t, kernels.CopiesTable(large, 200*(rows+2)-1, 1, 1), "packed strips are faster")
	low := permuted[float32]([]int{100, rows + 2}, []int{1, 0})
	require.False(t, kernels.CopiesTable(low, 200*(rows+2), 1, 1), "wide strips are faster")
	batches := permuted[float32]([]int{200, rows/200 + 2, 100}, []int{2, 0, 1})
	require.True(t, kernels.CopiesTable(batches, 200*100*(rows/200+2), 2, 1), "rows in cache lines of their own")
	defer func(reach int) { dispatch.Default.StreamReach = reach }(dispatch.Default.StreamReach)
	dispatch.Default.StreamReach = l2 / 2
	far := permuted[uint8]([]int{8 * rows, 100}, []int{1, 0})
	require.True(t, kernels.CopiesTable(far, 100*rows, 1, 2))
	require.False(t, kernels.CopiesTable(far, 100*rows-1, 1, 2), "more than eight of a table that no cache holds")
	require.True(t, kernels.CopiesTable(far, 200*rows-1, 1, 1), "more than four rows of a table for one are not packed")
	require.False(t, kernels.CopiesTable(far, 200*rows, 1, 1), "packed strips are faster")
	tall := permuted[uint8]([]int{l2/2/16 + 1, 20}, []int{1, 0})
	require.True(t, kernels.CopiesTable(tall, 20*(l2/2/16+1), 1, 1), "no cache holds a strip of 16 columns")
	require.False(t, kernels.CopiesTable(permuted[uint8]([]int{l2 / 2 / 16, 20}, []int{1, 0}), 20*l2/2/16, 1, 1), "one does")
	small := permuted[float32]([]int{5, 10}, []int{1, 0})
	require.True(t, kernels.CopiesTable(small, 4096, 1, 1))
	require.False(t, kernels.CopiesTable(small, 4096, 2, 1), "single elements")
	require.False(t, kernels.CopiesTable(small, 4095, 1, 1), "a copy costs more")
	require.False(t, kernels.CopiesTable(permuted[float32]([]int{5, 10, 20}, []int{1, 0, 2}), 5000, 1, 1), "its rows lie side by side")
	require.False(t, kernels.CopiesTable(permuted[float32]([]int{5, 10}, []int{0, 1}), 5000, 1, 1), "it is not transposed")
	for _, cols := range []int{1024, 500} { // of which half are gathered
		table := permuted[float32]([]int{32, cols}, []int{1, 0})
		require.Equal(t, cols > 512, kernels.CopiesRows(table, kernels.New(make([]int64, 16*cols), 32, cols/2), 1), "%d cache lines of a row", cols)
	}
	for _, cols := range []int{l2/4/64 + 1, l2 / 4 / 64} {
		table := permuted[uint8]([]int{400, cols}, []int{1, 0})
		require.Equal(t, cols > l2/4/64, kernels.CopiesRows(table, kernels.New(make([]int64, 400*(cols/2)), 400, cols/2), 1), "%d cache lines of a row", cols)
	}
	require.False(t, kernels.CopiesTable(permuted[string]([]int{5, 10}, []int{1, 0}), 5000, 1, 1), "elements with pointers")
}

// TestTransposedTables: a transposed table that would be copied, but for packed strips, has its rows
// packed. None falls between the two ways.
func TestTransposedTables(t *testing.T) {
	l2, _ := dispatch.L2()
	most := dispatch.Default.StreamReach / 16
	for _, rows := range []int{100, 400, 3000, 40_000, most, most + 1} {
		for _, cols := range []int{1, 7, 15, 16, 17, 60, 400} {
			for _, of := range []int{1, 2, 3, 4, 5, 8} {
				if rows*cols < l2/8 || rows*cols > 8*l2 {
					continue
				}
				table, dst := permuted[uint8]([]int{rows, cols}, []int{1, 0}), zeros[uint8](rows/of, cols)
				copied, packs := kernels.CopiesTable(table, dst.Shape[0]*cols, 1, 2), !kernels.CopiesTable(table, dst.Shape[0]*cols, 1, 1)
				if !copied || !packs || cols == 1 {
					continue
				}
				kernel := facts(t, func(o kernels.Option) error {
					return kernels.Gather(dst, table, zeros[int64](rows/of), 0, 0, o, kernels.Workers(1))
				}).Kernel
				require.Contains(t, kernel, "packed strips", "one of %d of %d rows of %d", of, rows, cols)
			}
		}
	}
}

// TestScattersAside: a scatter into a dst that is transposed goes to a row-major copy of it, and
// back, if there are at most two cells for each update; of rows in any case, of single elements
// with data of its own, if the transposed dst has the axis farther apart, or if there are five
// updates for two cells. A bad index leaves it as it was.
func TestScattersAside(t *testing.T) {
	reduction := kernels.Sum
	rows := func(cells, updates int, inPlace bool, order ...int) string {
		dst, data := permuted[float32]([]int{cells, 64}, order), permuted[float32]([]int{cells, 64}, []int{0, 1})
		if inPlace {
			data = dst
		}
		return facts(t, func(o kernels.Option) error {
			return kernels.ScatterNDUpdate(dst, data, zeros[int64](updates, 1), zeros[float32](updates, 64), kernels.ScatterAttrs{Reduction: reduction}, o)
		}).Kernel
	}
	elements := func(cells, updates, axis int, inPlace bool) string {
		return elementsScattered[float32](t, cells, updates, axis, inPlace)
	}
	aside := func(kernel string) bool { return strings.HasSuffix(kernel, "+ copy") }
	require.True(t, aside(rows(64, 32, false, 1, 0)))
	require.True(t, aside(rows(64, 32, true, 1, 0)))
	require.False(t, aside(rows(64, 31, true, 1, 0)), "more than two cells for an update")
	require.True(t, aside(rows(2, 4, true, 1, 0)))
	require.False(t, aside(rows(2, 3, true, 1, 0)), "few updates")
	reduction = kernels.None
	require.True(t, aside(rows(2, 16, true, 1, 0)))
	require.False(t, aside(rows(2, 15, true, 1, 0)), "few that are set")
	reduction = kernels.Sum
	require.False(t, aside(rows(64, 64, true, 0, 1)), "dst is row-major")
	require.True(t, aside(elements(128, 64, 1, false)))
	require.True(t, aside(elements(128, 128, 1, true)))
	require.False(t, aside(elements(128, 127, 1, true)), "more than a cell for an update in place")
	require.False(t, aside(elementsScattered[float64](t, 128, 319, 1, true)), "wide elements in place")
	require.False(t, aside(elements(128, 64, 0, false)), "the axis lies side by side in dst")
	for axis := range 2 {
		require.True(t, aside(elements(128, 320, axis, true)))
		require.Equal(t, axis == 1, aside(elements(128, 319, axis, true)), "few updates")
		require.False(t, aside(elements(63, 320, axis, true)), "few cells")
	}

	dst, indices := permuted[float32]([]int{128, 128}, []int{1, 0}), zeros[int64](320, 128)
	indices.Data[len(indices.Data)-1] = 128
	updates, before := zeros[float32](320, 128), slices.Clone(dst.Data)
	updates.Data[0] = 1
	err := kernels.ScatterElementsUpdate(dst, dst, indices, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Sum})
	require.IsType(t, new(kernels.IndexError), err)
	require.Equal(t, before, dst.Data)
}

// elementsScattered returns how updates of a square of cells whose columns are dense are scattered.
func elementsScattered[T float32 | float64](t *testing.T, cells, updates, axis int, inPlace bool) string {
	t.Helper()
	shape, x := []int{cells, cells}, []int{updates, cells}
	if axis == 1 {
		x = []int{cells, updates}
	}
	dst, data := permuted[T](shape, []int{1, 0}), permuted[T](shape, []int{0, 1})
	if inPlace {
		data = dst
	}
	return facts(t, func(o kernels.Option) error {
		return kernels.ScatterElementsUpdate(dst, data, zeros[int64](x...), zeros[T](x...), axis, kernels.ScatterAttrs{Reduction: kernels.Sum}, o)
	}).Kernel
}

// TestReachedAside: a scatter in place has a copy of the rows that indices reach alone, of which
// there have to be enough.
func TestReachedAside(t *testing.T) {
	const rows, size = 300, 128
	for _, f := range []struct {
		reached, updates int // rows, and in each
		aside            bool
	}{{32, 128, true}, {31, 128, false}, {64, 127, false}, {64, 200, true}, {300, 128, true}} {
		dst := permuted[float32]([]int{rows, size}, []int{1, 0})
		indices, updates := zeros[int64](f.reached, f.updates), zeros[float32](f.reached, f.updates)
		for i := range dst.Data {
			dst.Data[i] = float32(i % 1000)
		}
		want := slices.Clone(dst.Data)
		for i := range indices.Data {
			x := i * 7 % size
			indices.Data[i], updates.Data[i] = int64(x), float32(i%5)
			want[i/f.updates+x*rows] += updates.Data[i]
		}
		scatter := func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, dst, indices, updates, 1, kernels.ScatterAttrs{Reduction: kernels.Sum}, o)
		}
		require.Equal(t, f.aside, strings.HasSuffix(facts(t, scatter).Kernel, "+ copy"), "%+v", f)
		require.Equal(t, want, dst.Data, "%+v", f)
		indices.Data[len(indices.Data)-1] = size
		bad := new(kernels.IndexError)
		require.ErrorAs(t, scatter(kernels.Workers(2)), &bad)
		require.Equal(t, []int{f.reached - 1, f.updates - 1}, bad.Position)
		require.Equal(t, want, dst.Data, "%+v", f)
	}
}

// TestScattersAsideOfIndices: a scatter in place by indices of 1 MiB and more, which have six times
// the bytes of dst, goes to a copy of it, and back, in place of a check of all indices. A bad index
// leaves it as it was.
func TestScattersAsideOfIndices(t *testing.T) {
	const many = 1 << 17 // of int64, 1 MiB
	sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
	elements := func(cells, updates int, o ...kernels.Option) string {
		dst, x, u := zeros[float32](cells), zeros[int64](updates), zeros[float32](updates)
		if cells == 2 { // all indices are one
			x.Strides, x.Offset = []int{0}, updates-1
		}
		return facts(t, func(see kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, dst, x, u, 0, sum, append(o, see)...)
		}).Kernel
	}
	tuples := func(cells, updates int) string {
		dst, x, u := zeros[float32](cells), zeros[int64](updates, 1), zeros[float32](updates)
		return facts(t, func(see kernels.Option) error { return kernels.ScatterNDUpdate(dst, dst, x, u, sum, see) }).Kernel
	}
	aside := func(kernel string) bool { return strings.HasSuffix(kernel, "+ copy") }
	const cells = (many + 1) * 8 / 6 / 4 // without a remainder
	for _, scatter := range []func(cells, updates int) string{tuples, func(c, u int) string { return elements(c, u) }} {
		require.True(t, aside(scatter(cells, many+1)))
		require.False(t, aside(scatter(cells+1, many+1)), "dst has too many bytes")
		require.True(t, aside(scatter(1, many)))
		require.False(t, aside(scatter(1, many-1)), "indices have too few bytes")
	}
	require.False(t, aside(elements(2, 2*many)), "one index")
	skip := kernels.Indices(kernels.IndexPolicy{OutOfRange: kernels.Skip})
	require.False(t, aside(elements(cells, many, skip)), "no index is an error")

	dst, x, u := zeros[float32](3), zeros[int64](many, 1), zeros[float32](many)
	x.Data[many-1], u.Data[0] = -4, 1
	bad := new(kernels.IndexError)
	require.ErrorAs(t, kernels.ScatterNDUpdate(dst, dst, x, u, sum), &bad)
	require.Equal(t, []int{many - 1, 0}, bad.Position)
	x.Shape = []int{many}
	require.ErrorAs(t, kernels.ScatterElementsUpdate(dst, dst, x, u, 0, sum), &bad)
	require.Equal(t, []int{many - 1}, bad.Position)
	require.Equal(t, make([]float32, 3), dst.Data)
	x.Data[many-1] = -3
	require.NoError(t, kernels.ScatterElementsUpdate(dst, dst, x, u, 0, sum))
	require.Equal(t, []float32{1, 0, 0}, dst.Data)
}
