//go:build !race

package kernels_test

import (
	"fmt"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

func TestBagsDoNotAllocate(t *testing.T) {
	t.Run("float32", bagsDoNotAllocate[float32, int64])
	t.Run("Float16", bagsDoNotAllocate[kernels.Float16, int32])
	t.Run("int8", bagsDoNotAllocate[int8, uint16])
	t.Run("uint64", bagsDoNotAllocate[uint64, int64])
}

func bagsDoNotAllocate[T any, I kernels.Index](t *testing.T) {
	for _, shape := range [][]int{{8}, {2, 4}, {2, 1, 2, 2}, {2, 2, 1, 2, 2, 1, 3, 2}, {64, 100}, {20, 3, 70}, {4, 5000}} {
		for _, bags := range []int{1, 3, 100} {
			count := 4 * bags
			row := need(shape[1:])
			dst, table, weights := make([]T, bags*row), make([]T, need(shape)), make([]T, count)
			indices, offsets := make([]I, count), make([]I, bags)
			for b := range offsets {
				offsets[b] = I(4 * b)
			}
			for _, r := range bagReductions {
				for _, opts := range [][]kernels.Option{{kernels.Workers(1)}, nil} {
					if opts == nil && count*row > 4096 {
						continue // it may have work for more goroutines
					}
					out, counts, starts := append([]int{bags}, shape[1:]...), []int{count}, []int{bags}
					call := func(w kernels.Tensor[T], attrs kernels.BagAttrs) func() error {
						return func() error {
							return kernels.EmbeddingBag(kernels.New(dst, out...), kernels.New(table, shape...), kernels.New(indices, counts...), kernels.New(offsets, starts...), w, attrs, opts...)
						}
					}
					requireNoAllocs(t, fmt.Sprintf("%v of %d bags, shape %v", r, bags, shape), call(kernels.Tensor[T]{}, kernels.BagAttrs{Reduction: r, HasDefault: true}))
					if r == kernels.Sum {
						requireNoAllocs(t, fmt.Sprintf("weights of %d bags, shape %v", bags, shape), call(kernels.New(weights, counts...), kernels.BagAttrs{Reduction: r}))
					}
				}
			}
		}
	}
}
