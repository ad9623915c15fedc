package kernels_test

import (
	"math"
	"math/bits"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestRepeatedMasks: what a stride of 0 repeats in a mask is read once.
func TestRepeatedMasks(t *testing.T) {
	const big = math.MaxInt / 4
	repeated := func(on bool) kernels.Tensor[bool] {
		return kernels.Tensor[bool]{Data: []bool{on}, Shape: []int{big}, Strides: []int{0}}
	}
	data := kernels.Tensor[int8]{Data: []int8{1}, Shape: []int{big}, Strides: []int{0}}
	none, empty := kernels.New([]int8{}, 0), kernels.New([]int8{}, big, 0)
	for name, call := range map[string]func() error{
		"Compress":      func() error { return kernels.Compress(none, data, repeated(false), 0) },
		"Compress, all": func() error { return kernels.Compress(empty, empty, repeated(true), 0) },
		"Flattened": func() error {
			_, err := kernels.CompressShape([]int{big}, repeated(false), kernels.Flattened)
			return err
		},
		"Take":      func() error { return kernels.Take(none, data, repeated(false)) },
		"Take, all": func() error { return kernels.Take(empty, empty, repeated(true)) },
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() { done <- call() }()
			select {
			case err := <-done:
				require.NoError(t, err)
			case <-time.After(10 * time.Second):
				t.Error("the call does not end")
			}
		})
	}
}

// TestPaddedConditionOfTooSmallDst: a condition that a stride of 0 repeats, and that ends within a
// row, is not padded before dst is checked: it may be longer than there is memory.
func TestPaddedConditionOfTooSmallDst(t *testing.T) {
	const big = 1 << (bits.UintSize/64*15 + 27) // rows of as many bytes: 4 TiB, or 128 MiB where an int has 32 bits
	data := kernels.Tensor[int8]{Data: []int8{1, 2}, Shape: []int{2, big}, Strides: []int{1, 0}}
	always := kernels.Tensor[bool]{Data: []bool{true}, Shape: []int{big + 1}, Strides: []int{0}}
	require.ErrorIs(t, kernels.Compress(kernels.New([]int8{}, 0), data, always, kernels.Flattened), kernels.ErrShape)
	never := kernels.Tensor[bool]{Data: []bool{false}, Shape: []int{big + 1}, Strides: []int{0}}
	require.NoError(t, kernels.Compress(kernels.New([]int8{}, 0), data, never, kernels.Flattened))
}
