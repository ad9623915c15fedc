package kernels_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestGatherNDTuples: single elements that tuples name, in lines that are gathered by themselves
// and in shorter ones, with every tuple bad in turn.
func TestGatherNDTuples(t *testing.T) {
	for _, n := range []int{65, 70, 100} {
		testGatherNDTuples[int32](t, n)
		testGatherNDTuples[int64](t, n)
	}
}

func testGatherNDTuples[I int32 | int64](t *testing.T, n int) {
	data := zeros[float32](4, 5, 6)
	for i := range data.Data {
		data.Data[i] = float32(i)
	}
	for k := 2; k <= 3; k++ {
		table, indices, dst := kernels.New(data.Data, data.Shape[3-k:]...), zeros[I](n, k), zeros[float32](n)
		if k == 2 {
			table.Data = table.Data[:30]
		}
		want := make([]float32, n)
		for i := range n {
			at := 0
			for d, size := range table.Shape {
				x := (i*7 + d*3) % size
				at = at*size + x
				indices.Data[i*k+d] = I(x - i%2*size)
			}
			want[i] = table.Data[at]
		}
		require.NoError(t, kernels.GatherND(dst, table, indices, 0))
		require.Equal(t, want, dst.Data)
		for i := range n {
			for d, size := range table.Shape {
				good := indices.Data[i*k+d]
				indices.Data[i*k+d] = I(size)
				var bad *kernels.IndexError
				require.ErrorAs(t, kernels.GatherND(dst, table, indices, 0), &bad, "component %d of tuple %d", d, i)
				require.Equal(t, []int{i, d}, bad.Position)
				require.Equal(t, strconv.Itoa(size), bad.Value)
				indices.Data[i*k+d] = good
			}
		}
	}
}

// TestGatherCut: rows out of a table that is cut, whose pieces lie apart: such that are moved as
// one unit, and others.
func TestGatherCut(t *testing.T) {
	const nodes, n = 7, 40
	for _, shape := range [][2]int{{3, 2}, {8, 2}, {9, 4}, {70, 3}, {70, 8}} {
		rows, cols := shape[0], shape[1]
		pitch := 2 * cols
		data := kernels.Tensor[float32]{Data: make([]float32, nodes*rows*pitch), Shape: []int{nodes, rows, cols}, Strides: []int{rows * pitch, pitch, 1}}
		for i := range data.Data {
			data.Data[i] = float32(i)
		}
		indices, dst, want := zeros[int64](n, 1), zeros[float32](n, rows, cols), make([]float32, 0, n*rows*cols)
		for i := range n {
			k := i * 5 % nodes
			indices.Data[i] = int64(k - i%2*nodes)
			for j := range rows * cols {
				want = append(want, data.Data[(k*rows+j/cols)*pitch+j%cols])
			}
		}
		require.NoError(t, kernels.GatherND(dst, data, indices, 0))
		require.Equal(t, want, dst.Data, shape)
		for i := range n {
			good := indices.Data[i]
			indices.Data[i] = nodes
			var bad *kernels.IndexError
			require.ErrorAs(t, kernels.GatherND(dst, data, indices, 0), &bad, "index %d, %v", i, shape)
			require.Equal(t, []int{i, 0}, bad.Position)
			indices.Data[i] = good
		}
	}
}
