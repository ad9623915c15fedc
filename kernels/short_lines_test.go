package kernels_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestShortLines: lines of four elements are passed to bodies that take indices as they are, where
// there is one for the call: of one plane, or of planes that are not small.
func TestShortLines(t *testing.T) {
	type form struct {
		op           string
		axis         int
		planes, rows int
		cols         int
		fused        bool // where there are bodies
		joined       bool // with AVX-512, which has the tables of several lines in registers
	}
	small := dispatch.Default.SmallElements
	t.Cleanup(func() { dispatch.Default.SmallElements = small })
	dispatch.Default.SmallElements = 0
	for _, f := range []form{
		{"gather", 0, 1, 32, 4, true, false}, {"gather", 1, 1, 32, 4, true, false}, {"gather", 0, 1, 44, 3, false, false},
		{"gather", 1, 1, 96, 2, false, true}, {"gather", 1, 1, 95, 2, false, false}, {"shared", 1, 1, 96, 2, false, true},
		{"gather", 0, 9, 48, 4, true, false}, {"gather", 0, 9, 46, 4, false, false},
		{"none", 1, 1, 32, 4, true, false}, {"sum", 1, 1, 32, 4, true, false}, {"max", 1, 1, 32, 4, true, false},
		{"none", 0, 1, 32, 4, false, false}, {"prod", 1, 1, 32, 4, false, false},
	} {
		for _, level := range []dispatch.Level{dispatch.Generic, dispatch.NEON, dispatch.AVX2, dispatch.AVX512} {
			if !dispatch.Available(level) {
				continue
			}
			t.Run(fmt.Sprintf("%v/%+v", level, f), func(t *testing.T) {
				defer dispatch.Use(level, 0)()
				size := 5
				table := []int{f.planes, size, f.cols}
				if f.axis == 1 {
					table = []int{f.planes, f.rows, size}
				}
				data, indices, moved := zeros[float32](table...), zeros[int32](f.planes, f.rows, f.cols), zeros[float32](f.planes, f.rows, f.cols)
				for i := range indices.Data {
					indices.Data[i] = int32(i*7%(2*size) - size)
				}
				reduction, scatters := map[string]kernels.Reduction{"none": kernels.None, "sum": kernels.Sum, "max": kernels.Max, "prod": kernels.Prod}[f.op]
				kernel := facts(t, func(o kernels.Option) error {
					if f.op == "shared" {
						return kernels.Gather(moved, data, kernels.New(indices.Data[:f.cols], f.cols), f.axis+1, 0, o, kernels.Workers(1))
					}
					if !scatters {
						return kernels.GatherElements(moved, data, indices, f.axis+1, o, kernels.Workers(1))
					}
					return kernels.ScatterElementsUpdate(data, data, indices, moved, f.axis+1, kernels.ScatterAttrs{Reduction: reduction}, o, kernels.Workers(1))
				}).Kernel
				fused := strings.HasSuffix(kernel, "fused") || kernel == "gather"
				require.Equal(t, f.fused && level >= dispatch.AVX2 || f.joined && level >= dispatch.AVX512, fused, kernel)
			})
		}
	}
}
