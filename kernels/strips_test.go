package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestStripsOfTables: where a call has several tables, the loop over its rows is moved inside of
// the loops that change tables, so that strips of each are packed.
func TestStripsOfTables(t *testing.T) {
	const size, rows, cols = 6, 9, 33
	table, places := []int{size, 3, 5, 40}, []int{rows, 3, 4, cols} // in each table, cols of 40 columns
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]int32, rows*3*4*cols)
	for i := range x {
		x[i] = int32(r.IntN(2*size) - size)
	}
	at := func(i int) int { // the element of a table that index i names
		j, b, a := i%cols, i/cols%4, i/cols/4%3
		k := (int(x[i]) + size) % size
		return ((k*3+a)*5+b)*40 + j
	}
	data, updates := make([]int64, size*3*5*40), make([]int64, len(x))
	for i := range data {
		data[i] = r.Int64N(1000)
	}
	gathered, set, sums := make([]int64, len(x)), slices.Clone(data), slices.Clone(data)
	for i := range x {
		updates[i] = r.Int64N(1000)
		from := at(i)
		gathered[i] = data[from]
		set[from] = updates[i]
		sums[from] += updates[i]
	}
	indices := kernels.New(x, places...)
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			kernels.CutSmall(t)
			dispatch.Default.StripBytes = 16 * 8 * size // columns
			run := func(want []int64, call func(dst kernels.Tensor[int64], o ...kernels.Option) error, shape ...int) {
				dst, kernel := make([]int64, len(want)), ""
				tell := kernels.Observe(func(f kernels.Facts) { kernel = f.Kernel })
				require.NoError(t, call(kernels.New(dst, shape...), tell, kernels.Workers(workers)))
				require.Equal(t, want, dst)
				if !strings.HasPrefix(kernel, "gather") {
					require.Equal(t, dispatch.ScatterPacks(), strings.HasSuffix(kernel, "packed strips"), kernel)
				} else {
					require.Equal(t, "gather, packed strips", kernel)
				}
			}
			of := kernels.New(data, table...)
			run(gathered, func(dst kernels.Tensor[int64], o ...kernels.Option) error {
				return kernels.GatherElements(dst, of, indices, 0, o...)
			}, places...)
			for reduction, want := range map[kernels.Reduction][]int64{kernels.None: set, kernels.Sum: sums} {
				run(want, func(dst kernels.Tensor[int64], o ...kernels.Option) error {
					return kernels.ScatterElementsUpdate(dst, of, indices, kernels.New(updates, places...), 0, kernels.ScatterAttrs{Reduction: reduction}, o...)
				}, table...)
			}
		})
	}
}

// TestPackedRows: rows of transposed tables, whose axes lie in each order, are gathered from packed
// strips where indices are along an axis of single elements, also from its end, and a bad index is
// found.
func TestPackedRows(t *testing.T) {
	kernels.PackRows(t, 10_000)
	shape, r, packed := []int{3, 120, 6, 17}, rand.New(rand.NewPCG(5, 6)), 0
	x := make([]int16, 8*5)
	for i := range x {
		x[i] = int16(r.IntN(240) - 120)
	}
	indices := kernels.New(x, 8, 5)
	for _, order := range permutations(len(shape)) {
		for _, flip := range []bool{false, true} {
			data := permuted[int32](shape, order)
			for i := range data.Data {
				data.Data[i] = int32(i)
			}
			if flip {
				data.Offset, data.Strides[1] = 119*data.Strides[1], -data.Strides[1]
			}
			all := inOrder(data)
			var want []int32
			for outer := range 3 {
				for _, k := range x {
					row := (outer*120 + (int(k)+120)%120) * 6 * 17
					want = append(want, all[row:row+6*17]...)
				}
			}
			for _, workers := range []int{1, 3} {
				dst := zeros[int32](3, 8, 5, 6, 17)
				f := facts(t, func(o kernels.Option) error {
					return kernels.Gather(dst, data, indices, 1, 0, o, kernels.Workers(workers))
				})
				require.Equal(t, want, dst.Data, "%v", order)
				if f.Kernel == "gather, packed strips" {
					require.Contains(t, []int{17, 20}, f.Strip, "%v", order)
					packed++
				}
			}
			bad := kernels.New([]int16{0, 0, -121, 0}, 4)
			var index *kernels.IndexError
			require.ErrorAs(t, kernels.Gather(zeros[int32](3, 4, 6, 17), data, bad, 1, 0), &index)
			require.Equal(t, []int{2}, index.Position)
		}
	}
	require.Equal(t, 40, packed, "ten orders of the axes have rows that share cache lines")
}

// TestPackedRowsOfManyAxes: a strip of packed rows changes its loops. Those of a nest that an array
// does not hold are the next strip's as well.
func TestPackedRowsOfManyAxes(t *testing.T) {
	const rows, columns = 40, 1 << 14
	shape, order := []int{rows}, []int{0}
	for i := range 14 {
		shape, order = append(shape, 2), append([]int{1 + (5*i+3)%14}, order...)
	}
	data := permuted[int32](shape, order) // no two axes merge, and the rows lie apart by an element
	for i := range data.Data {
		data.Data[i] = int32(i)
	}
	all, x := inOrder(data), make([]int64, rows/2)
	var want []int32
	for i := range x {
		x[i] = int64(7 * i % rows)
		want = append(want, all[x[i]*columns:][:columns]...)
	}
	for _, workers := range []int{1, 2} {
		dst := zeros[int32](slices.Concat([]int{len(x)}, shape[1:])...)
		f := facts(t, func(o kernels.Option) error {
			return kernels.Gather(dst, data, kernels.New(x, len(x)), 0, 0, o, kernels.Workers(workers))
		})
		require.Equal(t, "gather, packed strips", f.Kernel)
		require.Less(t, f.Strip, columns, "there are several strips")
		require.True(t, slices.Equal(want, dst.Data), "%d workers", workers)
	}
}

// TestEntangledCells: a cell of a column may lie between two rows of the axis, and beyond the last:
// workers own no ranges of such an axis, whose updates another would take for its own.
func TestEntangledCells(t *testing.T) {
	kernels.CutAlone(t)
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	dispatch.Default.SmallElements, dispatch.Default.WorkerTime, dispatch.Default.PartTime, dispatch.Default.OwnedTable = 0, 1, 1, 0
	const size, rows = 300, 200
	indices, updates := randomTensor[int64](size, rows, 2), kernels.New(numbers[float32](2*rows), rows, 2)
	sums := func(apart, workers int) []float32 {
		dst := kernels.Tensor[float32]{Data: make([]float32, 2*size+apart), Shape: []int{size, 2}, Strides: []int{2, apart}}
		require.NoError(t, kernels.ScatterElementsUpdate(dst, dst, indices, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers)))
		return dst.Data
	}
	for _, apart := range []int{1, 3, 301} {
		require.Equal(t, sums(apart, 1), sums(apart, 2), "columns %d apart", apart)
	}

	// Cells 0, 2, 4, 3, 5 and 7 of a row: each loop of columns by itself stays in a row of 6.
	places := zeros[int64](rows, 2, 3)
	for i := range places.Data {
		places.Data[i] = int64(i % size)
	}
	updates = kernels.New(numbers[float32](6*rows), rows, 2, 3)
	both := func(workers int) []float32 {
		dst := kernels.Tensor[float32]{Data: make([]float32, 6*size+2), Shape: []int{size, 2, 3}, Strides: []int{6, 3, 2}}
		require.NoError(t, kernels.ScatterElementsUpdate(dst, dst, places, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers)))
		return dst.Data
	}
	require.Equal(t, both(1), both(4))
}

// TestUnpackedStrips: rows of indices go through many tables, such as the columns of a transposed
// one, in strips that are not packed.
func TestUnpackedStrips(t *testing.T) {
	kernels.ScatterRowsAside(t, false)
	kernels.NoGatherTiles(t)
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	const size, cols = 6, 200
	for _, c := range []struct {
		what                            string
		rows, table, strip, step, apart int
		strips                          bool
	}{
		{"strips of 70 columns", 9, 0, 70, 1, size, true},
		{"columns with gaps", 9, 0, 70, 2, 2*size + 3, true},
		{"backward", 9, 0, 70, -1, -size, true},
		{"few rows", 7, 0, 70, 1, size, false},
		{"a large table", 9, size * cols * 8, 70, 1, size, true},
		{"a small table", 9, size*cols*8 + 1, 70, 1, size, false},
		{"narrow strips", 9, 0, 63, 1, size, false},
		{"rows that are dense but for every second element", 9, 0, 70, 2 * cols, 2, false},
	} {
		dispatch.Default.SmallElements, dispatch.Default.WorkerTime, dispatch.Default.PartTime = 0, 1, 1
		dispatch.Default.StripTable, dispatch.Default.StripBytes = c.table, c.strip*size*max(c.step, -c.step)*8
		view := func() kernels.Tensor[int64] {
			step, apart := max(c.step, -c.step), max(c.apart, -c.apart)
			v := kernels.Tensor[int64]{Data: make([]int64, step*size+apart*cols), Shape: []int{size, cols}, Strides: []int{c.step, c.apart}}
			if c.step < 0 {
				v.Offset = (size-1)*step + (cols-1)*apart
			}
			for i := range v.Data {
				v.Data[i] = int64(i)
			}
			return v
		}
		data := view()
		x, of := randomTensor[int32](size, c.rows, cols), randomTensor[int32](size, c.rows)
		values, rows := zeros[int64](c.rows, cols), zeros[int64](c.rows, cols)
		elements, byRow, sums, sumsByRow := make([]int64, len(x.Data)), make([]int64, len(x.Data)), view(), view()
		for i, k := range x.Data {
			at := func(k int32) int { return data.Offset + i%cols*c.apart + int(k)*c.step }
			elements[i], byRow[i] = int64(at(k)), int64(at(of.Data[i/cols]))
			sums.Data[at(k)] += elements[i]
			sumsByRow.Data[at(of.Data[i/cols])] += elements[i]
			if i%3 == 0 {
				x.Data[i] -= size // counts from the end
			}
		}
		updates, pairs := kernels.New(elements, c.rows, cols), kernels.Tensor[int32]{Data: of.Data, Shape: []int{c.rows, 1}}
		for _, workers := range []int{1, 3} {
			run := func(op func(o ...kernels.Option) error) (strips bool) {
				var f kernels.Facts
				require.NoError(t, op(kernels.Executor(workers, func(workers int, task func(i int)) {
					for i := range workers {
						task(i)
					}
				}), kernels.Observe(func(is kernels.Facts) { f = is })), "%s, %d workers", c.what, workers)
				require.Equal(t, strings.HasSuffix(f.Kernel, ", strips"), f.Strip == c.strip, "%s: %+v", c.what, f)
				return strings.HasSuffix(f.Kernel, ", strips")
			}
			gather := func(o ...kernels.Option) error { return kernels.GatherElements(values, data, x, 0, o...) }
			is := []bool{run(gather)}
			require.Equal(t, elements, values.Data, c.what)
			is = append(is, run(func(o ...kernels.Option) error { return kernels.Gather(rows, data, of, 0, 0, o...) }))
			require.Equal(t, byRow, rows.Data, c.what)
			clear(rows.Data)
			is = append(is, run(func(o ...kernels.Option) error { return kernels.GatherND(rows, data, pairs, 0, o...) }))
			require.Equal(t, byRow, rows.Data, c.what)
			dst, sum := view(), kernels.ScatterAttrs{Reduction: kernels.Sum}
			is = append(is, run(func(o ...kernels.Option) error {
				return kernels.ScatterElementsUpdate(dst, dst, x, updates, 0, sum, o...)
			}))
			require.Equal(t, sums.Data, dst.Data, c.what)
			dst = view()
			is = append(is, run(func(o ...kernels.Option) error {
				return kernels.ScatterNDUpdate(dst, dst, pairs, updates, sum, o...)
			}))
			require.Equal(t, sumsByRow.Data, dst.Data, c.what)
			if workers == 1 { // a part of the columns may be too small
				require.Equal(t, []bool{c.strips, c.strips, c.strips, c.strips, c.strips}, is, c.what)
			}
			first, second := &x.Data[3*cols+150], &x.Data[4*cols+2]
			was := [2]int32{*first, *second}
			*first, *second = size, size
			requireFailure(t, "GatherElements", &kernels.IndexError{Position: []int{3, 150}, Value: "6", Size: size}, gather())
			*first, *second = was[0], was[1]
		}
	}
}

// BenchmarkStrips gathers along axis 0 from tables, packed in strips or not, as stripOf chooses
// between.
func BenchmarkStrips(b *testing.B) {
	benchStrips[float32](b, 1024, 65536, 8, 16)
	benchStrips[float64](b, 2000, 20000, 4)
	benchStrips[uint8](b, 4096, 4096, 16)
	benchStrips[float32](b, 32, 500_003, 1)
}

// benchStrips gathers into each of these parts of as many rows as the table has.
func benchStrips[T uint8 | float32 | float64](b *testing.B, size, cols int, parts ...int) {
	data := kernels.New(make([]T, size*cols), size, cols)
	for _, part := range parts {
		rows, r := size/part, rand.New(rand.NewPCG(1, 2))
		x, dst := make([]int32, rows*cols), kernels.New(make([]T, rows*cols), rows, cols)
		for i := range x {
			x[i] = r.Int32N(int32(size))
		}
		for _, packed := range []bool{false, true} {
			b.Run(fmt.Sprintf("%T=%dx%d/rows=%d/packed=%t", data.Data[0], size, cols, rows, packed), func(b *testing.B) {
				if !packed {
					kernels.StripWidth(b, 0)
				}
				for b.Loop() {
					if err := kernels.GatherElements(dst, data, kernels.New(x, rows, cols), 0, kernels.Workers(1)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/element")
			})
		}
	}
}

// BenchmarkStripWidths is what the width of a gather's strips was chosen by: as many random indices
// as a table has elements, and sorted ones, with rows of so many bytes, without strips, and as it
// is chosen.
func BenchmarkStripWidths(b *testing.B) {
	for _, table := range [][2]int{
		{64, 512}, {128, 1024}, {300, 3000}, {512, 1024}, {1024, 4096}, {2048, 2048}, {4096, 128}, {4096, 1024}, {8192, 100},
		{8192, 512}, {16384, 256}, {65536, 128}, {262144, 64},
	} {
		rows, cols := table[0], table[1]
		for _, sorted := range []bool{false, true} {
			r := rand.New(rand.NewPCG(1, 2))
			x, data := make([]int64, rows*cols), make([]float32, rows*cols)
			for i := range x {
				data[i] = 1
				if x[i] = r.Int64N(int64(rows)); sorted {
					x[i] = min(int64(i/cols)+r.Int64N(3), int64(rows-1))
				}
			}
			dst := kernels.New(slices.Clone(data), rows, cols)
			for _, width := range []int{32, 64, 128, 256, 512, 0, -1} {
				name := map[int]string{0: "none", -1: "chosen"}[width]
				if width > 0 {
					name = fmt.Sprint(width)
				}
				b.Run(fmt.Sprintf("%dx%d/sorted=%t/width=%s", rows, cols, sorted, name), func(b *testing.B) {
					if width >= 0 {
						kernels.StripWidth(b, width)
					}
					for b.Loop() {
						if err := kernels.GatherElements(dst, kernels.New(data, rows, cols), kernels.New(x, rows, cols), 0, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/element")
				})
			}
		}
	}
}

// BenchmarkMeanTiles is what the size of a mean's tiles was chosen by.
func BenchmarkMeanTiles(b *testing.B) {
	benchTiles[uint8](b, false)
	benchTiles[int32](b, false)
	benchTiles[int64](b, false)
	benchTiles[float32](b, true)
}

func benchTiles[T uint8 | int32 | int64 | float32](b *testing.B, ignore bool) {
	const n = 1000
	data, updates, x := kernels.New(make([]T, n*n), n, n), kernels.New(make([]T, n*n), n, n), make([]int32, n*n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = r.Int32N(n)
	}
	b.Run(fmt.Sprintf("%T", data.Data[0]), func(b *testing.B) {
		for b.Loop() {
			attrs := kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: ignore}
			if err := kernels.ScatterElementsUpdate(data, data, kernels.New(x, n, n), updates, 0, attrs, kernels.Workers(1)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n*n), "ns/element")
	})
}

// TestStripChoice: strips are packed where few bytes are copied for each element that is moved,
// fewer if the last cache holds the table, and none if it holds more beside that; of 8 rows and
// more.
func TestStripChoice(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	const cols = 200
	for _, c := range []struct {
		size, rows int
		reach      int // StreamReach; the table has 800 bytes for each of size
		columns    int // of a strip, as its bytes allow
		packs      bool
	}{
		{64, 32, 60_000, 100, true}, {65, 32, 60_000, 100, false}, {64, 8, 0, 100, true}, {65, 8, 0, 100, false},
		{8, 8, 0, 100, true}, {7, 8, 0, 100, false}, {64, 64, 0, 2, true}, // as narrow as strips are: 8 columns
		{60, 32, 64_000, 100, true}, {59, 32, 64_000, 100, false}, // a smaller table is gathered from where it is
	} {
		dispatch.Default.SmallElements, dispatch.Default.StripTable = 0, 0
		dispatch.Default.StripBytes, dispatch.Default.StreamReach = 4*c.size*c.columns, c.reach
		indices := zeros[int32](c.rows, cols)
		for i := range indices.Data {
			indices.Data[i] = int32(i % c.size) // not constant along rows
		}
		f := facts(t, func(o kernels.Option) error {
			return kernels.GatherElements(zeros[float32](c.rows, cols), zeros[float32](c.size, cols), indices, 0, kernels.Workers(1), o)
		})
		require.Equal(t, c.packs, f.Strip > 0, "%+v", c)
		if c.reach == 64_000 { // a scatter packs either
			data := zeros[float32](c.size, cols)
			f := facts(t, func(o kernels.Option) error {
				return kernels.ScatterElementsUpdate(data, data, indices, zeros[float32](c.rows, cols), 0, kernels.ScatterAttrs{}, kernels.Workers(1), o)
			})
			require.Equal(t, dispatch.ScatterPacks(), f.Strip > 0, "%+v", c)
		}
	}
}

// farTable is a scatter of rows of cols updates into the columns of a table of size rows. Its rows
// of indices and of updates lie so many elements further apart than they are long.
func farTable(size, rows, cols int, apart [2]int) (data kernels.Tensor[float32], indices kernels.Tensor[int32], updates kernels.Tensor[float32]) {
	r := rand.New(rand.NewPCG(1, 2))
	x, u := make([]int32, rows*(cols+apart[0])), make([]float32, rows*(cols+apart[1]))
	for i := range x {
		x[i] = r.Int32N(int32(size))
	}
	for i := range u {
		u[i] = 1
	}
	return zeros[float32](size, cols), kernels.Tensor[int32]{Data: x, Shape: []int{rows, cols}, Strides: []int{cols + apart[0], 1}},
		kernels.Tensor[float32]{Data: u, Shape: []int{rows, cols}, Strides: []int{cols + apart[1], 1}}
}

// TestColumnsOfFarTables: a table far beyond a core's cache gets blocks instead of short lines that
// do not follow each other, and its columns are cut into parts, however few there are. Short lines
// that do follow each other are fused where bodies take several, if there are enough elements.
func TestColumnsOfFarTables(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	kernels.CutAlone(t)
	dispatch.Default.SmallElements, dispatch.Default.WorkerTime, dispatch.Default.PartTime = 0, 1, 1
	const size, rows = 1000, 3000
	run := func(rows, cols int, apart [2]int, times, workers int) kernels.Facts { // times is the table by the least one that is packed
		data, indices, updates := farTable(size, rows, cols, apart)
		dispatch.Default.StripTable, dispatch.Default.StripBytes = size*cols*4/times, 0 // no strips
		return facts(t, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(data, data, indices, updates, 0, kernels.ScatterAttrs{}, kernels.Workers(workers), o)
		})
	}
	follow, both := [2]int{}, [2]int{1, 1}
	short := dispatch.ScattersShortLines()
	for _, c := range []struct {
		rows, cols int
		apart      [2]int
		times      int
		fused      bool
	}{
		{rows, 16, both, 1, true}, {rows, 16, both, 2, false}, {rows, 47, both, 2, false}, {rows, 48, both, 2, true},
		{rows, 64, follow, 1, true}, {rows, 64, follow, 2, true}, {1, 127, follow, 2, true},
		{rows, 64, [2]int{1, 0}, 2, true}, {rows, 64, [2]int{0, 1}, 2, true}, {2, 64, both, 2, true},
		{1024, 4, follow, 2, short}, {1023, 4, follow, 2, false}, {rows, 3, follow, 2, false}, {rows, 4, follow, 1, short},
	} {
		kernel := run(c.rows, c.cols, c.apart, c.times, 1).Kernel
		require.Equal(t, c.fused, strings.HasSuffix(kernel, "scatter, fused"), "%+v: %s", c, kernel)
	}
	dispatch.Default.StripTable = 1
	along := facts(t, func(o kernels.Option) error { // a row is near, however large
		data := zeros[float32](2, size)
		return kernels.ScatterElementsUpdate(data, data, zeros[int32](2, 80), zeros[float32](2, 80), 1, kernels.ScatterAttrs{}, kernels.Workers(1), o)
	})
	require.Equal(t, "index check + scatter, fused", along.Kernel)
	require.Equal(t, 1, run(rows, 2, follow, 3, 2).Parts)
	dispatch.Default.OwnedTable = 1 << 30
	require.Equal(t, 2, run(rows, 2, follow, 4, 2).Parts, "columns in one cache line")
	dispatch.Default.OwnedTable = 0
	require.Equal(t, "index check + scatter, owned ranges", run(rows, 2, follow, 4, 2).Kernel, "or better ranges")
	data, indices, updates := farTable(size, rows, 2, follow)
	slices.Sort(indices.Data)
	sorted := facts(t, func(o kernels.Option) error {
		return kernels.ScatterElementsUpdate(data, data, indices, updates, 0, kernels.ScatterAttrs{}, kernels.Workers(2), o)
	})
	require.Equal(t, 1, sorted.Parts, "one after the other in cache lines")
	require.Equal(t, 2, run(rows, 48, follow, 4, 2).Parts)
}

// BenchmarkColumns adds to the columns of tables of many sizes, in lines that follow each other and
// not.
func BenchmarkColumns(b *testing.B) {
	for _, mb := range []int{2, 8, 16, 64} {
		for _, cols := range []int{2, 24, 48, 64, 128} {
			for _, apart := range []int{0, 1} {
				rows := 1 << 18 / cols
				data, indices, updates := farTable(mb<<18/cols, rows, cols, [2]int{apart, apart})
				for workers := 1; workers <= 2; workers++ {
					b.Run(fmt.Sprintf("table=%dMB/line=%d/apart=%t/workers=%d", mb, cols, apart > 0, workers), func(b *testing.B) {
						for b.Loop() {
							if err := kernels.ScatterElementsUpdate(data, data, indices, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers)); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
					})
				}
			}
		}
	}
}

// transposedRows returns what a scatter along axis 1 adds to a table whose rows lie in each other,
// an element apart.
func transposedRows(rows, size int) (data kernels.Tensor[float32], indices kernels.Tensor[int32], updates kernels.Tensor[float32]) {
	many := min(size-1, 1<<18/rows) // with as many updates as cells these went to a row-major copy
	data = kernels.Tensor[float32]{Data: numbers[float32](size * rows), Shape: []int{rows, size}, Strides: []int{1, rows}}
	return data, randomTensor[int32](size, rows, many), kernels.New(numbers[float32](rows*many), rows, many)
}

// TestTransposedRowsAreShared: rows that lie in each other are shared out where parts have cache
// lines of their own, or where no core's cache holds the table.
func TestTransposedRowsAreShared(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	kernels.CutAlone(t)
	dispatch.Default.SmallElements, dispatch.Default.WorkerTime, dispatch.Default.PartTime = 0, 1, 1
	parts := func(rows, size int) int {
		data, indices, updates := transposedRows(rows, size)
		return facts(t, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(data, data, indices, updates, 1, kernels.ScatterAttrs{}, kernels.Workers(3), o)
		}).Parts
	}
	cache, _ := dispatch.L2()
	for _, c := range []struct{ rows, parts int }{{12, 1}, {63, 1}, {64, 2}, {127, 3}} {
		size := min(300, cache/(c.rows*4))
		if size > 0 {
			require.Equal(t, c.parts, parts(c.rows, size), "%+v", c)
		}
		dispatch.Default.OwnedTable = 1 << 28 // too large a part of the table to own, and few rows in a cache line
		if c.rows < 32 {
			require.Equal(t, 1, parts(c.rows, cache/(c.rows*4)+100), "%+v", c)
		}
		dispatch.Default.OwnedTable = 1 // for the number of rows alone
		large := parts(c.rows, cache/(c.rows*4)+100)
		dispatch.Default.OwnedTable = table.OwnedTable
		if owned := dispatch.ScatterOwns(1<<30, 4, false); c.rows < 32 && owned {
			require.Equal(t, 3, large, "%+v", c) // each worker's range
		} else {
			require.Greater(t, large, 3, "%+v", c)
		}
	}
}

// BenchmarkTransposedRows adds to rows that lie in each other.
func BenchmarkTransposedRows(b *testing.B) {
	for _, size := range []int{200, 917, 10_000, 100_000} {
		for _, rows := range []int{4, 12, 32, 64, 128} {
			data, indices, updates := transposedRows(rows, size)
			for workers := 1; workers <= 2; workers++ {
				b.Run(fmt.Sprintf("size=%d/rows=%d/workers=%d", size, rows, workers), func(b *testing.B) {
					for b.Loop() {
						if err := kernels.ScatterElementsUpdate(data, data, indices, updates, 1, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(updates.Data)), "ns/element")
				})
			}
		}
	}
}

// TestEqualIndicesArePackedInNoStrip: where each row has one index, a table is read as it lies.
func TestEqualIndicesArePackedInNoStrip(t *testing.T) {
	kernels.CutSmall(t)
	dispatch.Default.StripBytes = 64 << 10
	const size, rows, cols = 64, 48, 200
	data, dst := zeros[float32](size, cols), zeros[float32](rows, cols)
	x := make([]int64, rows*cols)
	strip := func() int {
		return facts(t, func(o kernels.Option) error {
			return kernels.GatherElements(dst, data, kernels.New(x, rows, cols), 0, kernels.Workers(1), o)
		}).Strip
	}
	for i := range x {
		x[i] = int64(i / cols)
	}
	require.Zero(t, strip())
	for i := range x {
		x[i] = int64(i % size)
	}
	require.NotZero(t, strip())
}

// TestRowsThatLookEqual: rows whose indices are equal where they are sampled, and not in between, are
// gathered and combined element by element.
func TestRowsThatLookEqual(t *testing.T) {
	const size, rows, cols = 50, 20, 700
	table, updates, indices := numbers[float32](size*cols), numbers[float32](rows*cols), zeros[int32](rows, cols)
	for i := range rows {
		for j := range cols {
			indices.Data[i*cols+j] = int32(i)
		}
		indices.Data[i*cols+300+i] = size - 1
	}
	want, sums := make([]float32, rows*cols), slices.Clone(table)
	for k, x := range indices.Data {
		want[k] = table[int(x)*cols+k%cols]
		sums[int(x)*cols+k%cols] += updates[k]
	}
	kernels.Ways(t, func(t *testing.T) {
		got, dst := zeros[float32](rows, cols), zeros[float32](size, cols)
		require.NoError(t, kernels.GatherElements(got, kernels.New(table, size, cols), indices, 0))
		require.Equal(t, want, got.Data)
		require.NoError(t, kernels.ScatterElementsUpdate(dst, kernels.New(table, size, cols), indices, kernels.New(updates, rows, cols), 0, kernels.ScatterAttrs{Reduction: kernels.Sum}))
		require.Equal(t, sums, dst.Data)
	})
}

// TestEqualIndicesAreCompacted: a gather of rows with one index each copies the rows if these are
// long or the table is large, and on AVX-512 not where registers hold a column of the table.
func TestEqualIndicesAreCompacted(t *testing.T) {
	near := dispatch.Near
	t.Cleanup(func() { dispatch.Near = near })
	dispatch.Near.Last = 1 << 20
	portable, registers := dispatch.Active() == dispatch.Generic, dispatch.Active() >= dispatch.AVX512
	const rows = 500
	kernel := func(gather func(x kernels.Tensor[int64], o kernels.Option) error, size, cols int) string {
		x := make([]int64, rows*cols)
		for i := range x {
			x[i] = int64(7 * (i / cols) % size)
		}
		return facts(t, func(o kernels.Option) error { return gather(kernels.New(x, rows, cols), o) }).Kernel
	}
	for _, c := range []struct {
		size, cols    int
		floats, bytes bool // are compacted
	}{
		{100, 32, true, true},
		{100, 24, portable, portable},
		{100, 15, false, false},
		{4 << 20 / 24, 24, true, true},
		{8, 256, portable || !registers, portable || !registers},
		{20, 256, true, portable || !registers},
	} {
		floats := kernel(func(x kernels.Tensor[int64], o kernels.Option) error {
			return kernels.GatherElements(zeros[float32](rows, c.cols), zeros[float32](c.size, c.cols), x, 0, o)
		}, c.size, c.cols)
		require.Equal(t, c.floats, strings.HasPrefix(floats, "equal indices + "), "%+v: %s", c, floats)
		bytes := kernel(func(x kernels.Tensor[int64], o kernels.Option) error {
			return kernels.GatherElements(zeros[uint8](rows, c.cols), zeros[uint8](c.size, c.cols), x, 0, o)
		}, c.size, c.cols)
		require.Equal(t, c.bytes, strings.HasPrefix(bytes, "equal indices + "), "%+v: %s", c, bytes)
	}
}

// TestApartStrips: strips of a table that is smaller than others are packed where its rows are 2
// KiB apart or more, of a scatter a multiple of that, unless it is small or a scatter's strips
// would be narrow.
func TestApartStrips(t *testing.T) {
	strips := func(size, rows, cols int) (gather, scatter int) {
		indices := zeros[int32](rows, cols)
		for i := range indices.Data {
			indices.Data[i] = int32((i%23 + i/cols*101) % size) // not constant along rows, nor near each other along columns
		}
		table, values := zeros[float32](size, cols), zeros[float32](rows, cols)
		return facts(t, func(o kernels.Option) error {
				return kernels.GatherElements(values, table, indices, 0, kernels.Workers(1), o)
			}).Strip, facts(t, func(o kernels.Option) error {
				return kernels.ScatterElementsUpdate(table, table, indices, values, 0, kernels.ScatterAttrs{}, kernels.Workers(1), o)
			}).Strip
	}
	for _, c := range []struct{ size, rows, cols, gather, scatter int }{
		{64, 128, 1024, 64, 256}, {64, 128, 512, 64, 256}, {64, 128, 1000, 64, 0}, {64, 128, 256, 0, 0}, // apart, and aligned, or not
		{32, 128, 512, 128, 512}, {31, 128, 512, 0, 0}, {24, 128, 1024, 170, 682}, {23, 128, 1024, 0, 712}, // few bytes, few rows
		{8, 8, 2048, 0, 2048}, {7, 8, 4096, 0, 0}, {8, 7, 2048, 0, 0},
		{256, 128, 1024, 64, 64}, {257, 128, 1024, 0, 0}, // a table of many rows for its indices
		{512, 512, 512, 64, 32}, {513, 512, 512, 64, 0}, // a scatter's narrow
	} {
		gather, scatter := strips(c.size, c.rows, c.cols)
		if !dispatch.ScatterPacks() {
			c.scatter = 0
		}
		require.Equal(t, [2]int{c.gather, c.scatter}, [2]int{gather, scatter}, "%d rows of %d by %d", c.size, c.cols, c.rows)
	}
}

// TestNarrowStrips: strips of few columns are packed where indices jump about, and not where they
// are sorted, nor where the strip would be larger than the last cache.
func TestNarrowStrips(t *testing.T) {
	table, near := dispatch.Default, dispatch.Near
	t.Cleanup(func() { dispatch.Default, dispatch.Near = table, near })
	dispatch.Default.StripTable, dispatch.Default.StripBytes, dispatch.Default.StreamReach = 1<<10, 1<<10, 250_000
	const size, rows, cols = 1000, 1000, 50
	indices := zeros[int64](rows, cols)
	strip := func(index func(i, j int) int) int {
		for k := range indices.Data {
			indices.Data[k] = int64(index(k/cols, k%cols) % size)
		}
		return facts(t, func(o kernels.Option) error {
			return kernels.GatherElements(zeros[float32](rows, cols), zeros[float32](size, cols), indices, 0, kernels.Workers(1), o)
		}).Strip
	}
	jumping := func(i, j int) int { return i*377 + j*91 }
	want := 8
	if !dispatch.GathersShortLines() { // a line of 50 is not fused
		want = 0
	}
	require.Equal(t, want, strip(jumping))
	require.Zero(t, strip(func(i, j int) int { return i + j%3 }))
	dispatch.Near.Last = 8*size*4 - 1
	require.Zero(t, strip(jumping))
}

// BenchmarkColumnStrips gathers 16 rows of short lines in columns of tables that the second-level
// cache may not hold, packed as elsewhere and along a pattern.
func BenchmarkColumnStrips(b *testing.B) {
	b.Run("float32", benchColumnStrips[float32])
	b.Run("uint16", benchColumnStrips[uint16])
}

func benchColumnStrips[T uint16 | float32](b *testing.B) {
	const out = 16
	for _, line := range []int{3, 4, 8, 12} {
		for _, rows := range []int{12, 48} {
			cols := 5 << 18 / rows / (line + 2)
			src := kernels.Tensor[T]{Data: make([]T, rows*cols*(line+2)), Shape: []int{rows, cols, line}, Strides: []int{cols * (line + 2), line + 2, 1}}
			x, dst := kernels.New(make([]int64, out*cols*line), out, cols, line), kernels.New(make([]T, out*cols*line), out, cols, line)
			for i := range src.Data {
				src.Data[i] = T(i)
			}
			for i := range x.Data {
				x.Data[i] = int64(uint32(i) * 2654435761 >> 7 % uint32(rows))
			}
			for _, least := range []int{2, 16} {
				b.Run(fmt.Sprintf("lines of %d, %d entries/along=%t", line, rows, least > line), func(b *testing.B) {
					kernels.StripLine(b, least)
					for b.Loop() {
						if err := kernels.GatherElements(dst, src, x, 0, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
				})
			}
		}
	}
}
