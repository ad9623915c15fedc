package kernels_test

import (
	"fmt"

	"github.com/lanes-go/lanes/kernels"
)

// A decode step: the keys of one new token for each of two sequences, in place.
func ExampleTensorScatter() {
	cache := kernels.New(make([]float32, 2*4*2), 2, 4, 2) // [batch, position, width]
	token := kernels.New([]float32{
		1, 2,
		3, 4,
	}, 2, 1, 2)
	lengths := kernels.New([]int64{2, 0}, 2) // how many tokens each sequence has so far
	err := kernels.TensorScatter(cache, cache, token, lengths, -2, kernels.Linear)
	fmt.Println(cache.Data[:8], cache.Data[8:], err)
	// Output: [0 0 0 0 1 2 0 0] [3 4 0 0 0 0 0 0] <nil>
}

// A window over the last four tokens: the position after the last is the first again.
func ExampleTensorScatter_circular() {
	cache := kernels.New([]string{"a", "b", "c", "d"}, 1, 4)
	tokens := kernels.New([]string{"e", "f"}, 1, 2)
	err := kernels.TensorScatter(cache, cache, tokens, kernels.New([]int32{7}, 1), 1, kernels.Circular)
	fmt.Println(cache.Data, err)
	// Output: [f b c e] <nil>
}
