package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// Policies of the tests: their names say what becomes of -1 on an axis of size 3, and of 3.
var (
	wrapError  = kernels.IndexPolicy{}
	wrapClamp  = kernels.IndexPolicy{OutOfRange: kernels.Clamp}
	wrapSkip   = kernels.IndexPolicy{OutOfRange: kernels.Skip}
	errorError = kernels.IndexPolicy{NegativeIsOutOfRange: true}
	clampClamp = kernels.IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: kernels.Clamp}
	skipSkip   = kernels.IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: kernels.Skip}
)

// TestIndexPolicy: each operator on data of size 3 with indices on both sides of each border.
func TestIndexPolicy(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		indices := []int64{-4, -3, -1, 0, 2, 3, math.MinInt64, math.MaxInt64}
		for _, row := range []struct {
			policy kernels.IndexPolicy
			want   []int // elements that the indices name; -1: none
		}{
			{wrapClamp, []int{0, 0, 2, 0, 2, 2, 0, 2}},
			{wrapSkip, []int{-1, 0, 2, 0, 2, -1, -1, -1}},
			{clampClamp, []int{0, 0, 0, 0, 2, 2, 0, 2}},
			{skipSkip, []int{-1, -1, -1, 0, 2, -1, -1, -1}},
		} {
			opt := kernels.Indices(row.policy)
			x, n := kernels.New(indices, 8), 8
			data := kernels.New([]float32{10, 20, 30}, 3)
			gathered, cells, bags := make([]float32, n), []float32{10, 20, 30}, []float32{0}
			last := []float32{10, 20, 30}
			for i, k := range row.want {
				if k >= 0 {
					gathered[i] = data.Data[k]
					cells[k] += float32(i)
					last[k] = float32(i)
					bags[0] += data.Data[k]
				}
			}
			updates := kernels.New([]float32{0, 1, 2, 3, 4, 5, 6, 7}, 8)
			tuples, sum := kernels.New(indices, 8, 1), kernels.ScatterAttrs{Reduction: kernels.Sum}
			same := func(want []float32, run func(dst kernels.Tensor[float32]) error) {
				t.Helper()
				dst := kernels.New(make([]float32, len(want)), len(want))
				for i := range dst.Data {
					dst.Data[i] = 99
				}
				require.NoError(t, run(dst))
				require.Equal(t, want, dst.Data, "%+v", row.policy)
			}
			same(gathered, func(d kernels.Tensor[float32]) error { return kernels.GatherElements(d, data, x, 0, opt) })
			same(gathered, func(d kernels.Tensor[float32]) error { return kernels.GatherND(d, data, tuples, 0, opt) })
			same(gathered, func(d kernels.Tensor[float32]) error { return kernels.Gather(d, data, x, 0, 0, opt) })
			same(cells, func(d kernels.Tensor[float32]) error {
				return kernels.ScatterElementsUpdate(d, data, x, updates, 0, sum, opt)
			})
			same(cells, func(d kernels.Tensor[float32]) error {
				return kernels.ScatterNDUpdate(d, data, tuples, updates, sum, opt)
			})
			same(last, func(d kernels.Tensor[float32]) error {
				copy(d.Data, data.Data)
				return kernels.ScatterElementsUpdate(d, d, x, updates, 0, kernels.ScatterAttrs{}, opt)
			})
			same(bags, func(d kernels.Tensor[float32]) error {
				return kernels.EmbeddingBag(d, data, x, kernels.New([]int64{0}, 1), kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: kernels.Sum}, opt)
			})
			same(gathered, func(d kernels.Tensor[float32]) error {
				plan, err := kernels.NewGatherPlan[float32](data.Shape, x, 0, opt)
				require.NoError(t, err)
				return plan.Run(d, data)
			})
			same(cells, func(d kernels.Tensor[float32]) error {
				plan, err := kernels.NewScatterPlan[float32](data.Shape, x, 0, opt)
				require.NoError(t, err)
				return plan.Run(d, data, updates, sum, kernels.Indices(errorError)) // which comes too late
			})
			for i, k := range row.want { // one index of a Gather is a copy
				same(gathered[i:i+1], func(d kernels.Tensor[float32]) error {
					return kernels.Gather(d, data, kernels.New(indices[i:i+1], 1), 0, 0, opt)
				})
				_ = k
			}
		}
	})
}

// TestIndexPolicyOfTuples: a tuple is clamped component by component, and skipped as a whole.
func TestIndexPolicyOfTuples(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		data := kernels.New([]int32{1, 2, 3, 4, 5, 6}, 2, 3)
		tuples := kernels.New([]int32{5, 1, -1, -9, 0, 2}, 3, 2)
		for policy, want := range map[kernels.IndexPolicy][]int32{
			wrapClamp: {5, 4, 3}, clampClamp: {5, 1, 3}, wrapSkip: {0, 0, 3}, skipSkip: {0, 0, 3},
		} {
			dst := kernels.New([]int32{9, 9, 9}, 3)
			require.NoError(t, kernels.GatherND(dst, data, tuples, 0, kernels.Indices(policy)))
			require.Equal(t, want, dst.Data, "%+v", policy)
		}
	})
}

// TestIndexPolicyOfMeans: what is skipped is not counted, and its cell has no identity.
func TestIndexPolicyOfMeans(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		data, x := kernels.New([]int32{10, 20, 30}, 3), kernels.New([]int8{0, 3, 0, -1, -1}, 5)
		updates := kernels.New([]int32{1, 2, 4, 8, 16}, 5)
		dst := kernels.New(make([]int32, 3), 3)
		for _, row := range []struct {
			policy kernels.IndexPolicy
			attrs  kernels.ScatterAttrs
			want   []int32
		}{
			{skipSkip, kernels.ScatterAttrs{Reduction: kernels.Mean}, []int32{5, 20, 30}},
			{skipSkip, kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: true}, []int32{2, 20, 30}},
			{wrapSkip, kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: true}, []int32{2, 20, 12}},
			{wrapClamp, kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: true}, []int32{2, 20, 8}},
			{skipSkip, kernels.ScatterAttrs{Reduction: kernels.Max, IgnoreInit: true}, []int32{4, 20, 30}},
		} {
			require.NoError(t, kernels.ScatterElementsUpdate(dst, data, x, updates, 0, row.attrs, kernels.Indices(row.policy)))
			require.Equal(t, row.want, dst.Data, "%+v", row)
		}
	})
}

// TestIndexPolicyOfBags: a bag of which nothing is left is an empty one.
func TestIndexPolicyOfBags(t *testing.T) {
	table := kernels.New([]float32{1, 2, 3, 4, 5, 6}, 3, 2)
	x, offsets := kernels.New([]int64{-1, 0, 2, -1, 7}, 5), kernels.New([]int64{0, 3, 3}, 3)
	dst := kernels.New(make([]float32, 6), 3, 2)
	run := func(attrs kernels.BagAttrs, weights ...float32) []float32 {
		var w kernels.Tensor[float32]
		if weights != nil {
			w = kernels.New(weights, len(weights))
		}
		require.NoError(t, kernels.EmbeddingBag(dst, table, x, offsets, w, attrs, kernels.Indices(skipSkip)))
		return dst.Data
	}
	require.Equal(t, []float32{6, 8, 0, 0, 0, 0}, run(kernels.BagAttrs{Reduction: kernels.Sum}))
	require.Equal(t, []float32{3, 4, 3, 4, 3, 4}, run(kernels.BagAttrs{Reduction: kernels.Mean, HasDefault: true, DefaultIndex: 1}))
	require.Equal(t, []float32{5, 6, 0, 0, 0, 0}, run(kernels.BagAttrs{Reduction: kernels.Max}))
	require.Equal(t, []float32{15 + 2, 18 + 4, 0, 0, 0, 0}, run(kernels.BagAttrs{Reduction: kernels.Sum}, 9, 2, 3, 9, 9))
	empty := kernels.New([]float32{}, 0, 2)
	require.NoError(t, kernels.EmbeddingBag(dst, empty, x, offsets, kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: kernels.Sum}, kernels.Indices(skipSkip)))
	require.Equal(t, make([]float32, 6), dst.Data)
	err := kernels.EmbeddingBag(dst, empty, x, offsets, kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: kernels.Sum}, kernels.Indices(clampClamp))
	requireFailure(t, embeddingBag, &kernels.IndexError{Position: []int{0}, Value: "-1", Size: 0}, err)
}

// TestIndexPolicyOfCaches: TensorScatter clamps to where the updates fit. Its own policy is that
// nothing counts from the end.
func TestIndexPolicyOfCaches(t *testing.T) {
	data, updates := kernels.New([]string{"a", "b", "c", "d", "e", "f"}, 2, 3), kernels.New([]string{"u", "v", "w", "x"}, 2, 2)
	run := func(mode kernels.CacheMode, k ...int64) func(p kernels.IndexPolicy, want ...string) {
		return func(p kernels.IndexPolicy, want ...string) {
			t.Helper()
			dst := kernels.New(make([]string, 6), 2, 3)
			require.NoError(t, kernels.TensorScatter(dst, data, updates, kernels.New(k, 2), 1, mode, kernels.Indices(p)))
			require.Equal(t, want, dst.Data)
		}
	}
	run(kernels.Linear, 2, -1)(clampClamp, "a", "u", "v", "w", "x", "f")
	run(kernels.Linear, 2, -1)(wrapClamp, "a", "u", "v", "d", "w", "x")
	run(kernels.Linear, 2, -1)(skipSkip, "a", "b", "c", "d", "e", "f")
	run(kernels.Linear, 1, -3)(wrapError, "a", "u", "v", "w", "x", "f")
	run(kernels.Circular, 8, -1)(wrapError, "v", "b", "u", "x", "e", "w")
	run(kernels.Circular, 8, -1)(skipSkip, "v", "b", "u", "d", "e", "f")
	all := kernels.New([]string{"u", "v", "w", "x", "y", "z"}, 2, 3) // which would replace everything
	dst := kernels.New(make([]string, 6), 2, 3)
	require.NoError(t, kernels.TensorScatter(dst, data, all, kernels.New([]int8{0, 1}, 2), 1, kernels.Linear, kernels.Indices(wrapSkip)))
	require.Equal(t, []string{"u", "v", "w", "d", "e", "f"}, dst.Data)
}

// TestIndexPolicyErrors: what remains an error, and what was written by then.
func TestIndexPolicyErrors(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		data, none := kernels.New([]float32{1, 2, 3}, 3), kernels.New([]float32{}, 0)
		x := kernels.New([]int64{1, -1, 3}, 3)
		dst := kernels.New(make([]float32, 3), 3)
		updates := kernels.New([]float32{7, 8, 9}, 3)
		requireFailure(t, gatherElements, &kernels.IndexError{Position: []int{1}, Value: "-1", Size: 3}, kernels.GatherElements(dst, data, x, 0, kernels.Indices(errorError)))
		requireFailure(t, gatherND, &kernels.IndexError{Position: []int{1, 0}, Value: "-1", Size: 3}, kernels.GatherND(dst, data, kernels.New(x.Data, 3, 1), 0, kernels.Indices(errorError)))
		requireFailure(t, scatter, &kernels.IndexError{Position: []int{1}, Value: "-1", Size: 3}, kernels.ScatterElementsUpdate(data, data, x, updates, 0, kernels.ScatterAttrs{}, kernels.Indices(errorError)))
		requireFailure(t, scatterND, &kernels.IndexError{Position: []int{1, 0}, Value: "-1", Size: 3}, kernels.ScatterNDUpdate(data, data, kernels.New(x.Data, 3, 1), updates, kernels.ScatterAttrs{}, kernels.Indices(errorError)))
		require.Equal(t, []float32{1, 2, 3}, data.Data, "in place")

		// An axis of size 0 has no nearest index.
		for _, p := range []kernels.IndexPolicy{wrapClamp, clampClamp} {
			opt := kernels.Indices(p)
			want := &kernels.IndexError{Position: []int{0}, Value: "1", Size: 0}
			requireFailure(t, gatherElements, want, kernels.GatherElements(dst, none, x, 0, opt))
			requireFailure(t, gather, want, kernels.Gather(dst, none, x, 0, 0, opt))
			requireFailure(t, scatter, want, kernels.ScatterElementsUpdate(none, none, x, updates, 0, kernels.ScatterAttrs{}, opt))
			_, err := kernels.NewGatherPlan[float32]([]int{0}, x, 0, opt)
			requireFailure(t, gatherElements, want, err)
			second := kernels.New([]float32{}, 2, 0)
			requireFailure(t, gatherND, &kernels.IndexError{Position: []int{0, 1}, Value: "0", Axis: 1, Size: 0},
				kernels.GatherND(kernels.New(dst.Data[:1], 1), second, kernels.New([]int64{9, 0}, 1, 2), 0, opt))
		}
		for _, p := range []kernels.IndexPolicy{wrapSkip, skipSkip} {
			opt := kernels.Indices(p)
			for _, run := range []func(d kernels.Tensor[float32]) error{
				func(d kernels.Tensor[float32]) error { return kernels.GatherElements(d, none, x, 0, opt) },
				func(d kernels.Tensor[float32]) error {
					return kernels.GatherND(d, none, kernels.New(x.Data, 3, 1), 0, opt)
				},
				func(d kernels.Tensor[float32]) error { return kernels.Gather(d, none, x, 0, 0, opt) },
				func(d kernels.Tensor[float32]) error {
					plan, err := kernels.NewGatherPlan[float32]([]int{0}, x, 0, opt)
					require.NoError(t, err)
					return plan.Run(d, none)
				},
			} {
				d := kernels.New([]float32{9, 9, 9}, 3)
				require.NoError(t, run(d))
				require.Equal(t, []float32{0, 0, 0}, d.Data)
			}
			require.NoError(t, kernels.ScatterElementsUpdate(none, none, x, updates, 0, kernels.ScatterAttrs{}, opt))
			words := kernels.New([]string{"a", "b", "c"}, 3)
			require.NoError(t, kernels.GatherElements(words, kernels.New([]string{}, 0), x, 0, opt))
			require.Equal(t, []string{"", "", ""}, words.Data)
		}

		opt := kernels.Indices(kernels.IndexPolicy{OutOfRange: 3})
		want := &kernels.AttributeError{Attribute: "out_of_range", Value: "OutOfRange(3)"}
		requireFailure(t, gatherElements, want, kernels.GatherElements(dst, data, x, 0, opt))
		requireFailure(t, gatherND, want, kernels.GatherND(dst, data, kernels.New(x.Data, 3, 1), 0, opt))
		requireFailure(t, gather, want, kernels.Gather(dst, data, x, 0, 0, opt))
		requireFailure(t, scatter, want, kernels.ScatterElementsUpdate(dst, data, x, updates, 0, kernels.ScatterAttrs{}, opt))
		requireFailure(t, scatterND, want, kernels.ScatterNDUpdate(dst, data, kernels.New(x.Data, 3, 1), updates, kernels.ScatterAttrs{}, opt))
		requireFailure(t, embeddingBag, want, kernels.EmbeddingBag(dst, data, x, x, kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: kernels.Sum}, opt))
		square := kernels.New(make([]float32, 9), 3, 3)
		requireFailure(t, tensorScatter, want, kernels.TensorScatter(square, square, kernels.New(updates.Data, 3, 1), x, 1, kernels.Linear, opt))
		_, err := kernels.NewScatterPlan[float32]([]int{3}, x, 0, opt)
		requireFailure(t, scatter, want, err)
		require.NoError(t, kernels.Slice(dst, data, kernels.Ranges{}, opt), "an operator without indices")
		require.Equal(t, "RangeError Clamp Skip", fmt.Sprint(kernels.RangeError, " ", kernels.Clamp, " ", kernels.Skip))
	})
}

// A cache of pages: -1 stands for a page that a sequence does not have.
func ExampleIndices() {
	pages := kernels.New([]float32{
		1, 2,
		3, 4,
		5, 6,
	}, 3, 2)
	table := kernels.New([]int32{2, 0, -1, -1}, 4)
	dst := kernels.New(make([]float32, 8), 4, 2)
	skip := kernels.Indices(kernels.IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: kernels.Skip})
	err := kernels.Gather(dst, pages, table, 0, 0, skip)
	fmt.Println(dst.Data, err)
	// Output: [5 6 1 2 0 0 0 0] <nil>
}

// The edges of a graph are padded with a node that it does not have.
func ExampleIndices_scatter() {
	nodes := kernels.New([]float32{0, 0, 0}, 3)
	targets := kernels.New([]int64{1, 0, 1, 3, 3}, 5)
	messages := kernels.New([]float32{1, 2, 4, 100, 100}, 5)
	sum, drop := kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Indices(kernels.IndexPolicy{OutOfRange: kernels.Skip})
	err := kernels.ScatterElementsUpdate(nodes, nodes, targets, messages, 0, sum, drop)
	fmt.Println(nodes.Data, err)
	// Output: [2 5 0] <nil>
}

// TestIndexPolicyFromABadIndex: rows with bad indices here and there, of which some are parts of a
// row and some are several to a part. What is before the first bad index of a part is done only
// once, and what is after it, too.
func TestIndexPolicyFromABadIndex(t *testing.T) {
	const size = 50
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][]int{{1, 100}, {9, 70}, {2, 40000}} {
		rows, cols := shape[0], shape[1]
		for _, bad := range []int{1, 2, 5} {
			for _, policy := range []kernels.IndexPolicy{wrapClamp, wrapSkip, clampClamp, skipSkip} {
				x, updates := make([]int64, rows*cols), numbers[int32](rows*cols)
				for i := range x {
					x[i] = int64(r.IntN(size))
				}
				for range bad {
					x[r.IntN(len(x))] = []int64{-1, -size - 3, size, size + 9}[r.IntN(4)]
				}
				sums, last, gathered := make([]int32, rows*size), make([]int32, rows*size), make([]int32, rows*cols)
				table := numbers[int32](rows * size)
				for i, k := range x {
					at := int(k)
					if k < 0 && !policy.NegativeIsOutOfRange {
						at += size
					}
					if at < 0 || at >= size {
						if policy.OutOfRange == kernels.Skip {
							continue
						}
						at = min(max(at, 0), size-1)
					}
					at += i / cols * size
					sums[at] += updates[i]
					last[at] = updates[i]
					gathered[i] = table[at]
				}
				opt, indices, u := kernels.Indices(policy), kernels.New(x, rows, cols), kernels.New(updates, rows, cols)
				cells := kernels.New(make([]int32, rows*size), rows, size)
				require.NoError(t, kernels.ScatterElementsUpdate(cells, cells, indices, u, 1, kernels.ScatterAttrs{Reduction: kernels.Sum}, opt))
				require.Equal(t, sums, cells.Data, "%v %+v", shape, policy)
				clear(cells.Data)
				require.NoError(t, kernels.ScatterElementsUpdate(cells, cells, indices, u, 1, kernels.ScatterAttrs{}, opt))
				require.Equal(t, last, cells.Data, "%v %+v", shape, policy)
				dst := kernels.New(make([]int32, rows*cols), rows, cols)
				require.NoError(t, kernels.GatherElements(dst, kernels.New(table, rows, size), indices, 1, opt))
				require.Equal(t, gathered, dst.Data, "%v %+v", shape, policy)
			}
		}
	}
}
