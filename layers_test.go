package lanes

import (
	"testing"

	"github.com/lanes-go/lanes/internal/layers"
)

// TestLayers checks that functions refer to those of their own file and of lower layers alone.
func TestLayers(t *testing.T) {
	table := layers.Table{Apart: true, Files: [][]string{ // the highest layer first
		{"gather_pattern.go"},
		{"gather.go", "scatter_indexed.go"},                // primitives that take indices
		{"runs.go"},                                        // what scatters do with runs of equal indices
		{"mask.go", "mean.go", "resolve.go", "scatter.go"}, // primitives that make offsets, or take them
		{"copy.go"},
		{"isa.go"},                            // the level in use, and what is measured for it
		{"race.go", "race_off.go", "rows.go"}, // what primitives share
		{"bounds.go"},                         // guards
		{"doc.go", "plane.go"},                // types
		{"bodies_amd64.go", "bodies_arm64.go", "bodies_other.go"}, // generated, as those below
		{"kernels_amd64.go", "kernels_arm64.go"},
	}}
	table.Test(t, "mask.go",
		"func planted(c *gatherCall) { c.run() }",
		"var planted = (*tables).scatter",
		"func planted() { CountRaw(Memory{}, 0, nil, 0) }", // of its own layer
	)
}
