package kernels

import (
	"testing"

	"github.com/lanes-go/lanes/internal/layers"
)

// files are the package's files, the highest layer first. A function refers to
// functions and methods of its own layer and of those below.
var files = [][]string{
	{ // operators: they describe and check tensors, and list loops
		"check_indices.go", "compress.go", "constant_rows.go", "copy_view.go", "embedding_bag.go", "gather_elements.go", "gather_nd.go",
		"gather_slices.go", "general_gather.go", "general_scatter.go", "masking.go", "plan.go", "raw.go", "raw_align.go", "raw_memory.go", "scatter_elements_update.go",
		"scatter_nd_update.go", "slice.go", "slice_scatter.go", "slicing.go", "strided_slice.go", "take.go", "tensor_scatter.go", "windows.go",
	},
	{ // a call: how many workers it is worth
		"call.go", "parallel.go", "processor_linux.go", "processor_other.go", "run.go",
	},
	{ // passes: what is done with a part
		"bags.go", "copy.go", "gather.go", "gather_along.go", "index_passes.go", "mask.go", "planes.go", "read_first.go", "scatter.go", "scatter_mean.go", "scatter_owned.go", "scatter_split.go", "table_strips.go", "tiles.go",
	},
	{ // what passes share: what they cost, how they are cut, go through short loops, and update cells
		"blocks.go", "cost.go", "dirty_indices.go", "small.go", "split.go", "update.go",
	},
	{ // what all share
		"doc.go", "dtype.go", "elem.go", "errors.go", "half.go", "index_policy.go", "indices.go", "memory.go", "nest.go", "observe.go", "option.go",
		"reduction.go", "shape.go", "tensor.go", "view.go",
	},
}

// TestLayers checks that no function refers to one of a higher layer.
func TestLayers(t *testing.T) {
	layers.Table{Files: files}.Test(t, "shape.go",
		"func planted(c *call) { c.runCopy() }",
		"var planted = (*call).runCopy",
		"func planted() { blocks.Get().(*call).runCopy() }",
		"func planted() { slices.Clone([]call{})[0].runCopy() }",
	)
}
