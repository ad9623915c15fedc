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
	jumping := func(i, j int) int { return int(uint32(64*i+j) * 2654435761 >> 8) }
	type form struct {
		planes, size, cols int // of data, float32
		rows, width        int // of indices
		index              func(i, j int) int
		read               bool
	}
	for k, f := range []form{
		{10, 16, 64, 10, 64, jumping, true},
		{9, 16, 64, 10, 64, jumping, false},  // 36,864 bytes
		{2, 80, 64, 50, 64, jumping, false},  // a table is more than half of the cache
		{10, 16, 64, 10, 63, jumping, false}, // with gaps
		{20, 8, 64, 10, 64, jumping, true},
		{23, 7, 64, 10, 64, jumping, false}, // 7 rows
		{40, 8, 32, 10, 32, jumping, true},
		{42, 8, 31, 10, 31, jumping, false}, // 992 bytes
		{4, 50, 64, 3, 64, jumping, false},  // 200 lines, 192 elements
		{4, 50, 64, 4, 64, jumping, true},
		{10, 16, 64, 1, 64, jumping, false}, // each row has another table
		{10, 16, 64, 10, 64, func(i, j int) int { return 3 }, false},
		{10, 16, 64, 10, 64, func(i, j int) int { return i }, false},           // equal along rows
		{40, 64, 16, 40, 16, func(i, j int) int { return i }, true},            // rows of a cache line
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
					fused := f.cols >= 64 || op == "gather" && dispatch.TakesIndices()
					require.Equal(t, f.read && fused && op != "copied", strings.HasSuffix(kernel, "tables read first"), kernel)
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
