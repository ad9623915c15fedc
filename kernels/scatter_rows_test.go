package kernels_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestRowsWithoutInit combines rows of several lengths into cells that start from the identity.
func TestRowsWithoutInit(t *testing.T) {
	for _, cols := range []int{1, 3, 5, 16, 511, 512, 513, 1500} {
		t.Run(fmt.Sprint(cols), func(t *testing.T) {
			rowsWithoutInit[uint8](t, cols)
			rowsWithoutInit[float32](t, cols)
			rowsWithoutInit[int64](t, cols)
		})
	}
}

func rowsWithoutInit[T uint8 | float32 | int64](t *testing.T, cols int) {
	x := []int32{4, 1, 4, -1, 4}
	updates, sums, products := make([]T, len(x)*cols), make([]T, 7*cols), make([]T, 7*cols)
	for i := range sums {
		sums[i], products[i] = 50, 50 // the cells before
	}
	for i, k := range x {
		for j := range cols {
			u := T(1 + (i+j)%3)
			at := (int(k)+7)%7*cols + j
			if updates[i*cols+j] = u; i == 2 || i == 4 { // not the first of its row
				sums[at] += u
				products[at] *= u
			} else {
				sums[at], products[at] = u, u
			}
		}
	}
	for reduction, want := range map[kernels.Reduction][]T{kernels.Sum: sums, kernels.Prod: products} {
		dst := kernels.New(make([]T, 7*cols), 7, cols)
		for i := range dst.Data {
			dst.Data[i] = 50
		}
		attrs := kernels.ScatterAttrs{Reduction: reduction, IgnoreInit: true}
		require.NoError(t, kernels.ScatterNDUpdate(dst, dst, kernels.New(x, len(x), 1), kernels.New(updates, len(x), cols), attrs))
		require.Equal(t, want, dst.Data, "%v", reduction)
	}
}

// TestCellsApart combines rows into every second cell, also from updates that lie column by column.
func TestCellsApart(t *testing.T) {
	for _, cols := range []int{2, 47, 48, 600, 1300} {
		x := []int64{4, 1, 4, -1, 4}
		data := kernels.Tensor[int32]{Data: make([]int32, 2*7*cols), Shape: []int{7, cols}, Strides: []int{2 * cols, 2}, Offset: 1}
		rows := kernels.New(make([]int32, len(x)*cols), len(x), cols)
		columns := kernels.Tensor[int32]{Data: make([]int32, len(x)*cols), Shape: rows.Shape, Strides: []int{1, len(x)}}
		want := make([]int32, len(data.Data))
		for i, k := range x {
			for j := range cols {
				u := int32(1000*i + j)
				rows.Data[i*cols+j], columns.Data[i+j*len(x)] = u, u
				want[1+2*((int(k)+7)%7*cols+j)] += u
			}
		}
		indices := kernels.Tensor[int64]{Data: x, Shape: rows.Shape, Strides: []int{1, 0}}
		for _, updates := range []kernels.Tensor[int32]{rows, columns} {
			clear(data.Data)
			require.NoError(t, kernels.ScatterElementsUpdate(data, data, indices, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Sum}))
			require.Equal(t, want, data.Data, "elements: %d columns, strides %v", cols, updates.Strides)
			clear(data.Data)
			require.NoError(t, kernels.ScatterNDUpdate(data, data, kernels.New(x, len(x), 1), updates, kernels.ScatterAttrs{Reduction: kernels.Sum}))
			require.Equal(t, want, data.Data, "tuples: %d columns, strides %v", cols, updates.Strides)
		}
	}
}
