package kernels_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestReadFirst: tables of an operand larger than a cache are read first where indices lead to most
// of their lines, and results are those of the definition.
func TestReadFirst(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	dispatch.Default.SmallElements = 0
	dispatch.Default.StreamReach, dispatch.Default.StreamBytes, dispatch.Default.StripTable = 40_000, 0, 1<<30
	kernels.ReadAlong(t, 1<<10)
	near := dispatch.Near
	t.Cleanup(func() { dispatch.Near = near })
	dispatch.Near.Second, dispatch.Near.OwnTable = 1, 1
	jumping := func(i, j int) int { return int(uint32(64*i+j) * 2654435761 >> 8) }
	type form struct {
		planes, size, cols int // of data, float32
		rows, width        int // of indices
		index              func(i, j int) int
		read               bool
	}
	for k, f := range []form{
		{10, 16, 64, 10, 64, jumping, true},
		{6, 16, 64, 10, 64, jumping, false},  // 24,576 bytes, and 70,656 of all operands
		{9, 16, 64, 10, 64, jumping, true},   // 36,864 and 105,984
		{2, 80, 64, 50, 64, jumping, false},  // a table is more than half of the cache
		{10, 16, 64, 10, 63, jumping, false}, // with gaps
		{20, 8, 64, 10, 64, jumping, true},
		{23, 7, 64, 10, 64, jumping, false}, // 7 rows
		{40, 8, 32, 10, 32, jumping, true},
		{42, 8, 31, 10, 31, jumping, false}, // 992 bytes
		{4, 50, 64, 3, 64, jumping, false},  // 200 lines, 192 elements
		{4, 50, 64, 4, 64, jumping, true},
		{10, 16, 64, 1, 64, jumping, true}, // each row has another table
		{10, 16, 64, 10, 64, func(i, j int) int { return 3 }, false},
		{10, 16, 64, 10, 64, func(i, j int) int { return i }, false},           // equal along rows
		{40, 64, 16, 64, 16, func(i, j int) int { return 5 * i }, true},        // rows of a cache line
		{10, 16, 64, 10, 64, func(i, j int) int { return (i + j) % 2 }, false}, // few lines
		{10, 16, 64, 10, 64, func(i, j int) int { return -1 - jumping(i, j)%16 }, true},
	} {
		data, indices := zeros[float32](f.planes, f.size, f.cols), zeros[int64](f.planes, f.rows, f.width)
		for i := range data.Data {
			data.Data[i] = float32(i)
		}
		for i := range indices.Data {
			indices.Data[i] = int64(f.index(i/f.width%f.rows, i%f.width) % f.size)
		}
		for _, op := range []string{"gather", "in place", "copied"} {
			for _, workers := range []int{1, 2} {
				t.Run(fmt.Sprintf("%d/%s/%d", k, op, workers), func(t *testing.T) {
					out, updates := zeros[float32](f.planes, f.rows, f.width), zeros[float32](f.planes, f.rows, f.width)
					cells := kernels.New(slices.Clone(data.Data), data.Shape...)
					want, wantCells := make([]float32, len(out.Data)), slices.Clone(data.Data)
					for i := range out.Data {
						updates.Data[i] = float32(i % 7)
						p, j := i/f.width/f.rows, i%f.width
						at := p*f.size*f.cols + (int(indices.Data[i])+f.size)%f.size*f.cols + j
						want[i] = data.Data[at]
						wantCells[at] += updates.Data[i]
					}
					sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
					kernel := facts(t, func(o kernels.Option) error {
						switch op {
						case "gather":
							return kernels.GatherElements(out, data, indices, 1, kernels.Workers(workers), o)
						case "in place":
							return kernels.ScatterElementsUpdate(cells, cells, indices, updates, 1, sum, kernels.Workers(workers), o)
						}
						return kernels.ScatterElementsUpdate(cells, data, indices, updates, 1, sum, kernels.Workers(workers), o)
					}).Kernel
					if op == "gather" {
						require.Equal(t, want, out.Data)
					} else {
						require.Equal(t, wantCells, cells.Data)
					}
					require.Equal(t, f.read && op != "copied", strings.HasSuffix(kernel, "tables read first"), kernel)
				})
			}
		}
	}
	apart := zeros[float32](11, 16, 64) // elements of a row lie 2 apart, and rows overlap
	apart.Shape, apart.Strides = []int{10, 16, 64}, []int{16 * 64, 64, 2}
	indices := zeros[int64](10, 10, 64)
	for i := range indices.Data {
		indices.Data[i] = int64(jumping(i/64, i%64) % 16)
	}
	kernel := facts(t, func(o kernels.Option) error {
		return kernels.GatherElements(zeros[float32](10, 10, 64), apart, indices, 1, kernels.Workers(1), o)
	}).Kernel
	require.NotContains(t, kernel, "read first")
}

// TestReadAlong: the same along an axis, where each row of indices has a table of its own.
func TestReadAlong(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	dispatch.Default.SmallElements, dispatch.Default.OwnedTable = 0, 1<<30
	dispatch.Default.StreamReach, dispatch.Default.StreamBytes, dispatch.Default.StripTable = 40_000, 0, 1<<30
	kernels.ReadAlong(t, 1000)
	near := dispatch.Near
	t.Cleanup(func() { dispatch.Near = near })
	dispatch.Near.Second, dispatch.Near.OwnTable = 1, 2000
	jumping := func(i int) int { return int(uint32(i*i) * 2654435761 >> 8) }
	for k, f := range []struct {
		tables, size, cols int // of data, float32, and of indices
		index              func(i int) int
		gather, scatter    bool
	}{
		{20, 500, 100, jumping, true, true},
		{19, 500, 100, jumping, false, false}, // 38,000 bytes, and 60,800 of all operands
		{19, 500, 250, jumping, true, true},   // 95,000
		{20, 500, 30, jumping, false, false},  // 31 lines, 30 indices
		{20, 500, 31, jumping, true, true},
		{25, 499, 100, jumping, false, true}, // 1996 bytes
		{50, 250, 100, jumping, false, true},
		{50, 249, 100, jumping, false, false}, // 996 bytes
		{5, 2500, 1000, jumping, true, true},
		{5, 2501, 1000, jumping, false, false}, // a table is more than a quarter of the cache
		{1, 2500, 6000, jumping, true, true},
		{20, 500, 100, func(i int) int { return i / 100 }, false, false}, // one entry a row
		{20, 500, 100, func(i int) int { return i % 100 }, false, false}, // 7 lines of 31
		{20, 500, 100, func(i int) int { return -1 - jumping(i)%500 }, true, true},
	} {
		for _, op := range []string{"gather", "in place", "copied"} {
			for _, workers := range []int{1, 2} {
				t.Run(fmt.Sprintf("%d/%s/%d", k, op, workers), func(t *testing.T) {
					data, indices := zeros[float32](f.tables, f.size), zeros[int64](f.tables, f.cols)
					out, updates := zeros[float32](f.tables, f.cols), zeros[float32](f.tables, f.cols)
					for i := range data.Data {
						data.Data[i] = float32(i)
					}
					want, wantCells := make([]float32, len(out.Data)), slices.Clone(data.Data)
					for i := range indices.Data {
						indices.Data[i], updates.Data[i] = int64(f.index(i)%f.size), float32(i%7)
						at := i/f.cols*f.size + (int(indices.Data[i])+f.size)%f.size
						want[i] = data.Data[at]
						wantCells[at] += updates.Data[i]
					}
					read, sum := f.scatter, kernels.ScatterAttrs{Reduction: kernels.Sum}
					kernel := facts(t, func(o kernels.Option) error {
						switch op {
						case "gather":
							read = f.gather
							return kernels.GatherElements(out, data, indices, 1, kernels.Workers(workers), o)
						case "in place":
							return kernels.ScatterElementsUpdate(data, data, indices, updates, 1, sum, kernels.Workers(workers), o)
						}
						read = f.tables == 1 // which is copied as a whole
						cells := zeros[float32](f.tables, f.size)
						defer func() { data = cells }()
						return kernels.ScatterElementsUpdate(cells, data, indices, updates, 1, sum, kernels.Workers(workers), o)
					}).Kernel
					if op == "gather" {
						require.Equal(t, want, out.Data)
					} else {
						require.Equal(t, wantCells, data.Data)
					}
					require.Equal(t, read, strings.HasSuffix(kernel, "tables read first"), kernel)
				})
			}
		}
	}
}

// TestReadNear: the same of operands that the last cache may hold, and of rows.
func TestReadNear(t *testing.T) {
	table, near := dispatch.Default, dispatch.Near
	t.Cleanup(func() { dispatch.Default, dispatch.Near = table, near })
	dispatch.Default.SmallElements, dispatch.Default.StripTable = 0, 1<<30
	dispatch.Default.StreamReach, dispatch.Default.StreamBytes = 1<<20, 0
	dispatch.Near.Second, dispatch.Near.OwnTable = 4096, 2048
	kernels.ReadAlong(t, 1024)
	type reads struct{ gather, set, sum bool }
	all, none := reads{true, true, true}, reads{}
	for k, f := range []struct {
		tables, size, row, count int // of data, float32: tables, rows of each and their elements; of indices in a table
		want                     reads
	}{
		{8, 512, 1, 64, all},
		{8, 512, 1, 63, none}, // less than two for each of 32 lines
		{3, 512, 1, 64, none}, // 6144 bytes in all, less than twice the cache
		{4, 1024, 1, 128, all},
		{4, 1025, 1, 200, none}, // 4100 bytes
		{8, 511, 1, 64, reads{false, true, true}},
		{8, 256, 1, 64, reads{false, true, true}},
		{9, 255, 1, 64, none}, // 1020 bytes
		{8, 128, 4, 64, all},
		{8, 128, 4, 63, reads{sum: true}},
		{4, 256, 4, 32, reads{sum: true}}, // one for two of 64 lines
		{4, 256, 4, 31, none},
		{8, 64, 8, 64, all},
		{8, 64, 9, 80, reads{true, false, true}}, // of 36 bytes
		{8, 32, 32, 80, reads{true, false, true}},
		{8, 31, 33, 80, none}, // of 132 bytes
	} {
		data, indices := zeros[float32](f.tables, f.size, f.row), zeros[int64](f.tables, f.count, f.row)
		out, updates := zeros[float32](f.tables, f.count, f.row), zeros[float32](f.tables, f.count, f.row)
		indices.Data, indices.Strides = indices.Data[:f.tables*f.count], []int{f.count, 1, 0}
		for i := range indices.Data {
			indices.Data[i] = int64(uint32(i*i) * 2654435761 >> 8 % uint32(f.size))
		}
		for i := range data.Data {
			data.Data[i] = float32(i)
		}
		gathered, set, summed := make([]float32, len(out.Data)), slices.Clone(data.Data), slices.Clone(data.Data)
		for i := range updates.Data {
			updates.Data[i] = float32(i%7 + 1)
			at := (i/f.row/f.count*f.size+int(indices.Data[i/f.row]))*f.row + i%f.row
			gathered[i], set[at] = data.Data[at], updates.Data[i]
			summed[at] += updates.Data[i]
		}
		for _, workers := range []int{1, 2} {
			check := func(name string, read bool, want, got []float32, run func(o kernels.Option) error) {
				t.Run(fmt.Sprintf("%d/%s/%d", k, name, workers), func(t *testing.T) {
					kernel := facts(t, run).Kernel
					require.Equal(t, want, got)
					require.Equal(t, read, strings.HasSuffix(kernel, "tables read first"), kernel)
				})
			}
			check("gather", f.want.gather, gathered, out.Data, func(o kernels.Option) error {
				return kernels.GatherElements(out, data, indices, 1, kernels.Workers(workers), o)
			})
			cells := kernels.New(slices.Clone(data.Data), data.Shape...)
			check("set", f.want.set, set, cells.Data, func(o kernels.Option) error {
				return kernels.ScatterElementsUpdate(cells, cells, indices, updates, 1, kernels.ScatterAttrs{}, kernels.Workers(workers), o)
			})
			sums := kernels.New(slices.Clone(data.Data), data.Shape...)
			check("sum", f.want.sum, summed, sums.Data, func(o kernels.Option) error {
				return kernels.ScatterElementsUpdate(sums, sums, indices, updates, 1, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers), o)
			})
		}
	}
}

// TestReadGaps: the same of tables whose rows lie apart, if a core's cache holds a table with its
// gaps.
func TestReadGaps(t *testing.T) {
	table, near := dispatch.Default, dispatch.Near
	t.Cleanup(func() { dispatch.Default, dispatch.Near = table, near })
	dispatch.Default.SmallElements, dispatch.Default.StripTable = 0, 1<<30
	dispatch.Default.StreamReach, dispatch.Default.StreamBytes = 40_000, 0
	kernels.ReadAlong(t, 1<<10)
	const planes = 40
	for _, f := range []struct {
		size, cols, apart int  // of a table, float32: rows, their elements, and from one to the next
		count             int  // of indices
		rows              bool // that indices choose as a whole
		second            int  // bytes of the cache
		read              bool
	}{
		{16, 64, 128, 12, false, (15*128 + 64) * 4, true},
		{16, 64, 128, 12, false, (15*128+64)*4 - 1, false},
		{16, 64, 129, 12, false, 1 << 14, false},
		{16, 64, 65, 12, false, 1 << 13, true},
		{64, 16, 32, 130, true, (63*32 + 16) * 4, true},
		{64, 16, 32, 130, true, (63*32+16)*4 - 1, false},
		{64, 16, 33, 140, true, 1 << 14, false},
	} {
		dispatch.Near.Second, dispatch.Near.OwnTable = f.second, 1
		whole := zeros[float32](planes, f.size, f.apart)
		for i := range whole.Data {
			whole.Data[i] = float32(i)
		}
		last := ((planes-1)*f.size+f.size-1)*f.apart + f.cols // behind which is nothing
		data := kernels.Tensor[float32]{Data: whole.Data[:last:last], Shape: []int{planes, f.size, f.cols}, Strides: []int{f.size * f.apart, f.apart, 1}}
		indices := zeros[int64](planes, f.count, f.cols)
		if f.rows {
			indices.Data, indices.Strides = indices.Data[:planes*f.count], []int{f.count, 1, 0}
		}
		for i := range indices.Data {
			indices.Data[i] = int64(uint32(i) * 2654435761 >> 8 % uint32(f.size))
		}
		want := make([]float32, planes*f.count*f.cols)
		for i := range want {
			x := i
			if f.rows {
				x /= f.cols
			}
			want[i] = data.Data[(i/f.cols/f.count*f.size+int(indices.Data[x]))*f.apart+i%f.cols]
		}
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%d of %d/%d/%d", f.cols, f.apart, f.second, workers), func(t *testing.T) {
				out := zeros[float32](planes, f.count, f.cols)
				kernel := facts(t, func(o kernels.Option) error {
					return kernels.GatherElements(out, data, indices, 1, kernels.Workers(workers), o)
				}).Kernel
				require.Equal(t, want, out.Data)
				require.Equal(t, f.read, strings.HasSuffix(kernel, "tables read first"), kernel)
			})
		}
	}
}
