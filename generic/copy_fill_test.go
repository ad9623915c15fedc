package generic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFill: rows that repeat one element are filled, up to their ends and not beyond.
func TestFill(t *testing.T) {
	src := []uint16{7, 8, 9}
	for _, cols := range []int{1, 2, 7, 8, 9, 15, 16, 17, 33, 100, 1023, 1024, 1025, 2047, 2048, 2049, 5000} {
		const gap = 3
		dst := make([]uint16, 2*(cols+gap)+gap)
		GatherRows(Plane[uint16]{Data: dst, At: gap, Row: cols + gap, Col: 1}, src, 1, 0, []int{1, 0}, cols)
		want := make([]uint16, len(dst))
		for j := range cols {
			want[gap+j], want[gap+cols+gap+j] = 9, 8
		}
		require.Equal(t, want, dst, "%d columns", cols)
	}
}
