//go:build (amd64 || arm64) && !purego && !noasm

package lanes

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// What is not inside goes the slow way and ends in a panic, so that no result of a primitive
// tells a check that refuses good offsets; one that lets bad ones pass shows if all are bad.
func TestOffsetsInside(t *testing.T) {
	for _, level := range []dispatch.Level{dispatch.NEON, dispatch.AVX2, dispatch.AVX512} {
		if !dispatch.Available(level) {
			continue
		}
		t.Run("impl="+level.String(), func(t *testing.T) {
			defer dispatch.Use(level, 0)()
			const at, limit = 100, 1000
			last := []int{-at, limit - 1 - at, 0, 7}
			outside := []int{-at - 1, limit - at, limit - at + 1, math.MaxInt, math.MaxInt - at, math.MinInt, math.MinInt + at, math.MaxInt32, math.MinInt32, 1 << 32, 1<<32 - at - 1}
			for n := range 40 {
				offsets := make([]int, n)
				for j := range offsets {
					offsets[j] = last[j%len(last)]
				}
				expect := func(want bool, note string) {
					if got := offsetsInside(slices.Clone(offsets), at, limit); got != want {
						t.Errorf("n=%d, %s: %v", n, note, got)
					}
				}
				expect(true, "all inside")
				for j := range offsets {
					good := offsets[j]
					for _, bad := range outside {
						offsets[j] = bad
						expect(false, fmt.Sprintf("%d at %d", bad, j))
					}
					offsets[j] = good
				}
				for _, bad := range outside {
					for j := range offsets {
						offsets[j] = bad
					}
					expect(n == 0, fmt.Sprintf("all are %d", bad))
				}
			}
			if offsetsInside([]int{0}, 0, 0) || offsetsInside([]int{0}, 0, -1) {
				t.Error("nothing is inside of nothing")
			}
		})
	}
}
