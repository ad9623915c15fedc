package lanes

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInside compares with every element that the loops reach, forward and backward.
func TestInside(t *testing.T) {
	r, good := rand.New(rand.NewPCG(1, 2)), 0
	for range 20_000 {
		n, at := 1+r.IntN(40), r.IntN(44)-2
		row, col, step := r.IntN(13)-6, r.IntN(7)-3, r.IntN(5)-2
		rows, cols, size := 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(3)
		want := true
		for i := range rows {
			for j := range cols {
				for k := range size {
					o := at + i*row + j*col + k*step
					want = want && 0 <= o && o < n
				}
			}
		}
		require.Equal(t, want, inside(n, at, row, rows, col, cols, step, size), "%d elements at %d, %d × %d, %d × %d, %d × %d", n, at, rows, row, cols, col, size, step)
		if want {
			good++
		}
	}
	require.Greater(t, good, 1000)
}
