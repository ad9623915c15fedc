package kernels_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestMeanOf64Bits: means of integers of 64 bits are exact, whether or not the sum of a cell's
// updates fits 64 bits, and with cells that are as large as can be.
func TestMeanOf64Bits(t *testing.T) {
	const cols = 40
	r := rand.New(rand.NewPCG(3, 4))
	for _, length := range []int{3, 50, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64} {
		for _, ignore := range []bool{false, true} {
			rows, small := 7, 0 // numbers that come before the others
			if length%2 == 0 {
				rows, small = 120, 118*cols
			}
			number := func(i int) uint64 {
				if i < small {
					return r.Uint64() >> 61
				}
				return r.Uint64() >> (64 - length)
			}
			t.Run(fmt.Sprintf("bits=%d/ignore=%t", length, ignore), func(t *testing.T) {
				attrs := kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: ignore}
				testMean64(t, r, rows, cols, attrs, func(i int) int64 { return int64(number(i)) * int64(1-i%cols&2) }, big.NewInt)
				testMean64(t, r, rows, cols, attrs, number, func(v uint64) *big.Int { return new(big.Int).SetUint64(v) })
			})
		}
	}
}

func testMean64[T int64 | uint64](t *testing.T, r *rand.Rand, rows, cols int, attrs kernels.ScatterAttrs, number func(i int) T, exact func(T) *big.Int) {
	data, updates, x := make([]T, 2*cols), make([]T, rows*cols), make([]int32, rows*cols)
	top := T(1)
	top <<= 63
	extremes := []T{0, 1, ^T(0), top, ^top}
	for i := range data {
		data[i] = extremes[r.IntN(len(extremes))]
	}
	for i := range x {
		x[i], updates[i] = int32(r.IntN(2)), number(i) // numbers of a column have one sign
	}
	want := slices.Clone(data)
	for c := range want {
		sum, n := new(big.Int), int64(0)
		for i, k := range x {
			if int(k)*cols+i%cols == c {
				sum.Add(sum, exact(updates[i]))
				n++
			}
		}
		if n == 0 {
			continue
		}
		if !attrs.IgnoreInit {
			sum.Add(sum, exact(data[c]))
			n++
		}
		sum.Div(sum, big.NewInt(n)) // rounds down, as n is positive
		want[c] = T(new(big.Int).And(sum, new(big.Int).SetUint64(math.MaxUint64)).Uint64())
	}
	for _, workers := range []int{1, 3} {
		dst := make([]T, len(data))
		require.NoError(t, kernels.ScatterElementsUpdate(kernels.New(dst, 2, cols), kernels.New(data, 2, cols), kernels.New(x, rows, cols),
			kernels.New(updates, rows, cols), 0, attrs, kernels.Workers(workers)))
		require.Equal(t, want, dst)
	}
}
