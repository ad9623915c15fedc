//go:build !race

package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

// TestIndexPolicyAllocations: a policy costs no allocation, neither for good indices nor for bad
// ones.
func TestIndexPolicyAllocations(t *testing.T) {
	const n = 4096
	r := rand.New(rand.NewPCG(1, 1))
	data, dst := kernels.New(numbers[float32](n), n), kernels.New(make([]float32, n), n)
	table, sums := kernels.New(data.Data, n, 1), kernels.New(make([]float32, 3), 3, 1)
	offsets := kernels.New([]int64{0, 7, 9}, 3)
	for _, wild := range []int{0, 100} {
		x := kernels.New(make([]int64, n), n)
		for i := range x.Data {
			x.Data[i] = int64(r.IntN(n + wild))
		}
		for _, p := range []kernels.IndexPolicy{wrapClamp, skipSkip} {
			opts := []kernels.Option{kernels.Workers(1), kernels.Indices(p)}
			what := fmt.Sprintf("%+v, up to %d out of range", p, wild)
			requireNoAllocs(t, what, func() error { return kernels.GatherElements(dst, data, x, 0, opts...) })
			requireNoAllocs(t, what, func() error {
				return kernels.ScatterElementsUpdate(dst, dst, x, data, 0, kernels.ScatterAttrs{Reduction: kernels.Max}, opts...)
			})
			requireNoAllocs(t, what, func() error {
				return kernels.EmbeddingBag(sums, table, x, offsets, kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: kernels.Sum}, opts...)
			})
		}
	}
}
