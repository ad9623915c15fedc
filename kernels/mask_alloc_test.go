//go:build !race

package kernels_test

import (
	"fmt"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

func TestMasksDoNotAllocate(t *testing.T) {
	t.Run("float32", masksDoNotAllocate[float32])
	t.Run("string", masksDoNotAllocate[string])
	t.Run("rgb", masksDoNotAllocate[rgb])
	t.Run("uint8", masksDoNotAllocate[uint8])
}

func masksDoNotAllocate[T any](t *testing.T) {
	for _, shape := range [][]int{{8}, {2, 4}, {2, 1, 2, 2}, {2, 2, 1, 2, 2, 1, 3, 2}, {1000}, {64, 100}, {20, 3, 70}} {
		n := need(shape)
		dst, data, mask, flat := make([]T, n), make([]T, n), repeat(n, true), []int{n}
		for _, opts := range [][]kernels.Option{{kernels.Workers(1)}, nil} {
			name := func(op string) string { return fmt.Sprintf("%s of shape %v, %d options", op, shape, len(opts)) }
			requireNoAllocs(t, name("Compress flattened"), func() error {
				return kernels.Compress(kernels.New(dst, flat...), kernels.New(data, shape...), kernels.New(mask, flat...), kernels.Flattened, opts...)
			})
			for axis, size := range shape {
				requireNoAllocs(t, name("Compress"), func() error {
					return kernels.Compress(kernels.New(dst, shape...), kernels.New(data, shape...), kernels.New(mask[:size], shape[axis:axis+1]...), axis, opts...)
				})
				lead := need(shape[:axis])
				taken := append([]int{lead}, shape[axis:]...)
				requireNoAllocs(t, name("Take"), func() error {
					return kernels.Take(kernels.New(dst, taken...), kernels.New(data, shape...), kernels.New(mask[:lead], shape[:axis]...), opts...)
				})
			}
		}
	}
}
