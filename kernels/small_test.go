package kernels_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestIsSmall: units count, and so many that an int cannot count them are no small call.
func TestIsSmall(t *testing.T) {
	most := dispatch.Default.SmallElements
	for _, c := range []struct {
		elements, units int
		want            bool
	}{
		{most, 1, true}, {most + 1, 1, false}, {most / 2, 2, true}, {most/2 + 1, 2, false}, {1, most, true}, {1, most + 1, false},
		{math.MaxInt/2 + 1, 4, false}, // as of updates that a view repeats
	} {
		require.Equal(t, c.want, kernels.IsSmall(c.elements, c.units), "%d elements of %d units", c.elements, c.units)
	}
}
