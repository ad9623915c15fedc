package kernels_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestGatherBroadcast: lines that share their indices are gathered with those of many rows, from
// data that a cache holds or not, in parts or not.
func TestGatherBroadcast(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	const size = 20
	for reach, want := range map[int]string{8 << 20: "gather", 0: "gather, resolved indices"} { // of planes that are small
		dispatch.Default.StreamReach = reach
		kernel := ""
		require.NoError(t, kernels.Gather(zeros[float32](97, 2, 17), zeros[float32](97, 2, size), zeros[int64](97, 17), 2, 1,
			kernels.Observe(func(f kernels.Facts) { kernel = f.Kernel })))
		require.Equal(t, want, kernel)
		for _, n := range []int{1, 2, 97, 500} {
			for _, lines := range []int{2, 5, 16} {
				for _, cols := range []int{7, 8, 17, 40} {
					what := fmt.Sprintf("%d times %d lines of %d", n, lines, cols)
					data, dst := kernels.New(numbers[float32](n*lines*size), n, lines, size), zeros[float32](n, lines, cols)
					x := randomTensor[int64](size, n, cols)
					want := make([]float32, 0, len(dst.Data))
					for i := range n * lines {
						for _, k := range x.Data[i/lines*cols:][:cols] {
							want = append(want, data.Data[i*size+int(k)])
						}
					}
					for _, workers := range []int{1, 3} {
						clear(dst.Data)
						require.NoError(t, kernels.Gather(dst, data, x, 2, 1, kernels.Workers(workers)), what)
						require.Equal(t, want, dst.Data, what)
					}
					clear(dst.Data)
					x.Data[len(x.Data)-2] -= size // counts from the end
					require.NoError(t, kernels.Gather(dst, data, x, 2, 1), what)
					require.Equal(t, want, dst.Data, what)
					x.Data[len(x.Data)-1] = size
					requireFailure(t, "Gather", &kernels.IndexError{Position: []int{n - 1, cols - 1}, Value: "20", Axis: 2, Size: size},
						kernels.Gather(dst, data, x, 2, 1))
				}
			}
		}
	}
}
