package kernels

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStridesOfManyAxes: they are written out once, for an empty view too, as each would take time by the rank.
func TestStridesOfManyAxes(t *testing.T) {
	for _, n := range []int{0, 1} {
		v := view{shape: make([]int, maxLoops+2), len: 1}
		for d := range v.shape {
			v.shape[d] = 1
		}
		v.shape[1], v.shape[5] = n, 1
		require.NoError(t, v.check("Slice"))
		require.Len(t, v.strides, len(v.shape))
	}
}

// TestShare: parts follow each other without gaps, whatever their number.
func TestShare(t *testing.T) {
	for _, n := range []int{0, 1, 1_079_999, math.MaxInt32} {
		for _, parts := range []int{1, 7, 46_342, 60_000, 1 << 20} {
			if got := share(n, parts, parts); got != n {
				t.Errorf("share(%d, %d, %d) = %d", n, parts, parts, got)
			}
			for last, i := 0, 1; i <= parts; i++ {
				next := share(n, i, parts)
				if next < last || next-last-1 > n/parts {
					t.Fatalf("share(%d, %d, %d) = %d, the one before %d", n, i, parts, next, last)
				}
				last = next
			}
		}
	}
}

// TestMeanWindow: a window's bytes fit an int, and grow with the updates, not with the axis.
func TestMeanWindow(t *testing.T) {
	for _, size := range []int{1, 9, 1 << 20, 64 << 20, math.MaxInt32 - 15, math.MaxInt32 - 7, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt} {
		for _, updates := range []int{0, 1, 200, 1 << 20, math.MaxInt32, math.MaxInt} {
			w := meanWindow(size, updates)
			assert.Positive(t, w)
			assert.Positive(t, (w+1)*24, "%d cells, %d updates", size, updates) // a counter and the widest sum
			assert.LessOrEqual(t, w/4-1, updates, "%d cells", size)
			if updates >= size && size < 1<<24 {
				assert.GreaterOrEqual(t, 8*w, size, "at most eight passes")
			}
		}
	}
}
