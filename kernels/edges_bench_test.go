package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// BenchmarkEdges sums the rows of nodes over 1,000,000 edges at random between 100,000 nodes, in
// three ways that have the same bits, and times what is made once for a graph. docs/engines.md has
// the figures.
func BenchmarkEdges(b *testing.B) {
	const nodes, edges = 100_000, 1_000_000
	r := rand.New(rand.NewPCG(3, 5))
	from, to := make([]int32, edges), make([]int32, edges)
	for i := range edges {
		from[i], to[i] = r.Int32N(nodes), r.Int32N(nodes)
	}
	sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
	for _, width := range []int{1, 16, 64} {
		rows := func(n int) kernels.Tensor[float32] { return kernels.New(numbers[float32](n*width), n, width) }
		along := func(x []int32) kernels.Tensor[int32] { // an index for each row
			return kernels.Tensor[int32]{Data: x, Shape: []int{edges, width}, Strides: []int{1, 0}}
		}
		table, messages, dst := rows(nodes), rows(edges), rows(nodes)
		var want []float32
		run := func(way string, call func() error) {
			b.Run(fmt.Sprintf("width=%d/%s", width, way), func(b *testing.B) {
				for b.Loop() {
					clear(dst.Data)
					if err := call(); err != nil {
						b.Fatal(err)
					}
				}
			})
			if want == nil {
				want = append(want, dst.Data...)
			}
			require.Equal(b, want, dst.Data)
		}
		run("way=scatter", func() error {
			if err := kernels.GatherElements(messages, table, along(from), 0); err != nil {
				return err
			}
			return kernels.ScatterElementsUpdate(dst, dst, along(to), messages, 0, sum)
		})

		gather, err := kernels.NewGatherPlan[float32](table.Shape, along(from), 0)
		require.NoError(b, err)
		scatter, err := kernels.NewScatterPlan[float32](dst.Shape, along(to), 0)
		require.NoError(b, err)
		run("way=plans", func() error {
			if err := gather.Run(messages, table); err != nil {
				return err
			}
			return scatter.Run(dst, dst, messages, sum)
		})

		sorted, offsets := byTarget(from, to, nodes)
		run("way=bag", func() error {
			return kernels.EmbeddingBag(dst, table, kernels.New(sorted, edges), kernels.New(offsets, nodes), kernels.Tensor[float32]{},
				kernels.BagAttrs{Reduction: kernels.Sum})
		})
	}
	b.Run("make=plans", func(b *testing.B) {
		for b.Loop() {
			_, err := kernels.NewGatherPlan[float32]([]int{nodes}, kernels.New(from, edges), 0)
			require.NoError(b, err)
			_, err = kernels.NewScatterPlan[float32]([]int{nodes}, kernels.New(to, edges), 0)
			require.NoError(b, err)
		}
	})
	b.Run("make=bag", func(b *testing.B) {
		for b.Loop() {
			byTarget(from, to, nodes)
		}
	})
}

// byTarget returns where the edges come from, sorted by where they lead, and where those of each
// node begin.
func byTarget(from, to []int32, nodes int) (sorted, offsets []int32) {
	begin := make([]int32, nodes+1)
	for _, k := range to {
		begin[k+1]++
	}
	for k := range nodes {
		begin[k+1] += begin[k]
	}
	offsets = append(offsets, begin[:nodes]...)
	sorted = make([]int32, len(to))
	for i, k := range to {
		sorted[begin[k]] = from[i]
		begin[k]++
	}
	return sorted, offsets
}
