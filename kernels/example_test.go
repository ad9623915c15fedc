package kernels_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/kernels"
)

func ExampleGatherElements() {
	data := kernels.New([]string{
		"a", "b", "c",
		"d", "e", "f",
	}, 2, 3)
	indices := kernels.New([]int64{
		2, 0, -1, -1,
		1, 1, 0, 2,
	}, 2, 4)

	shape, err := kernels.GatherElementsShape(data.Shape, indices.Shape, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := kernels.New(make([]string, 8), shape...)
	if err := kernels.GatherElements(dst, data, indices, 1); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dst.Data[:4])
	fmt.Println(dst.Data[4:])
	// Output:
	// [c a c c]
	// [e e d f]
}

// An embedding look-up: whole rows of a table, by token.
func ExampleGatherND() {
	table := kernels.New([]float32{
		0.0, 0.1,
		1.0, 1.1,
		2.0, 2.1,
	}, 3, 2)
	tokens := kernels.New([]int32{2, 0, 2, 1}, 4, 1) // a tuple of one index each
	rows := kernels.New(make([]float32, 8), 4, 2)
	if err := kernels.GatherND(rows, table, tokens, 0); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rows.Data)
	// Output: [2 2.1 0 0.1 2 2.1 1 1.1]
}

// Each row of data is a batch, with indices of its own.
func ExampleGatherND_batchDims() {
	scores := kernels.New([]float32{
		0.1, 0.7, 0.2,
		0.5, 0.2, 0.3,
	}, 2, 3)
	best := kernels.New([]int64{1, 0}, 2, 1)
	dst := kernels.New(make([]float32, 2), 2)
	if err := kernels.GatherND(dst, scores, best, 1); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dst.Data)
	// Output: [0.7 0.5]
}

// Words by their numbers, and one axis less by a scalar.
func ExampleGather() {
	table := kernels.New([]float32{
		0.0, 0.1,
		1.0, 1.1,
		2.0, 2.1,
	}, 3, 2)
	sentences := kernels.New([]int64{
		2, 0,
		-1, 1,
	}, 2, 2)
	shape, err := kernels.GatherShape(table.Shape, sentences.Shape, 0, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	words := kernels.New(make([]float32, 8), shape...)
	err = kernels.Gather(words, table, sentences, 0, 0)
	fmt.Println(words.Shape, words.Data, err)

	column := kernels.New(make([]float32, 3), 3)
	err = kernels.Gather(column, table, kernels.New([]int64{1}), 1, 0)
	fmt.Println(column.Data, err)
	// Output:
	// [2 2 2] [2 2.1 0 0.1 2 2.1 1 1.1] <nil>
	// [0.1 1.1 2.1] <nil>
}

func ExampleScatterElementsUpdate() {
	data := kernels.New([]float32{2, 3, 4, 6}, 4)
	indices := kernels.New([]int64{1, 0, 0, -2, -1, 2}, 6)
	updates := kernels.New([]float32{10, 20, 30, 40, 70, 60}, 6)

	dst := kernels.New(make([]float32, 4), 4)
	for _, attrs := range []kernels.ScatterAttrs{
		{}, // the last update wins
		{Reduction: kernels.Sum},
		{Reduction: kernels.Sum, IgnoreInit: true}, // use_init_val = false
		{Reduction: kernels.Mean},
	} {
		if err := kernels.ScatterElementsUpdate(dst, data, indices, updates, 0, attrs); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(attrs.Reduction, dst.Data)
	}
	// Output:
	// none [30 10 60 70]
	// sum [52 13 104 76]
	// sum [50 10 100 70]
	// mean [17.333334 6.5 34.666668 38]
}

// A mean of integers is the exact one, rounded down, though its sum fits no int8.
func ExampleScatterElementsUpdate_mean() {
	data := kernels.New([]int8{0, 7}, 2)
	indices := kernels.New([]int64{0, 0, 0}, 3)
	dst := kernels.New(make([]int8, 2), 2)
	for _, updates := range [][]int8{{100, 100, 101}, {-1, 0, 0}} {
		err := kernels.ScatterElementsUpdate(dst, data, indices, kernels.New(updates, 3), 0,
			kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: true})
		fmt.Println(dst.Data, err)
	}
	// Output:
	// [100 7] <nil>
	// [-1 7] <nil>
}

// Rows of a table change, and one row more than once.
func ExampleScatterNDUpdate() {
	table := kernels.New([]float32{
		1, 1,
		2, 2,
		3, 3,
	}, 3, 2)
	rows := kernels.New([]int64{2, 0, -1}, 3, 1) // a tuple of one index each
	changes := kernels.New([]float32{
		10, 11,
		20, 21,
		30, 31,
	}, 3, 2)
	dst := kernels.New(make([]float32, 6), 3, 2)
	for _, r := range []kernels.Reduction{kernels.None, kernels.Sum, kernels.Sub} {
		err := kernels.ScatterNDUpdate(dst, table, rows, changes, kernels.ScatterAttrs{Reduction: r})
		fmt.Println(r, dst.Data, err)
	}
	// Single elements, by a tuple of both indices each, in place.
	err := kernels.ScatterNDUpdate(table, table, kernels.New([]int32{0, 1, 2, 0}, 2, 2), kernels.New([]float32{7, 8}, 2), kernels.ScatterAttrs{})
	fmt.Println(table.Data, err)
	// Output:
	// none [20 21 2 2 30 31] <nil>
	// sum [21 22 2 2 43 45] <nil>
	// sub [-19 -20 2 2 -37 -39] <nil>
	// [1 7 2 2 8 3] <nil>
}

// A histogram, in place: dst and data are the same tensor, and the updates are
// a single 1 that a stride of 0 repeats.
func ExampleScatterElementsUpdate_inPlace() {
	pixels := []uint8{3, 0, 3, 3, 1, 0}
	counts := kernels.New(make([]int, 4), 4)
	ones := kernels.Tensor[int]{Data: []int{1}, Shape: []int{len(pixels)}, Strides: []int{0}}
	err := kernels.ScatterElementsUpdate(counts, counts, kernels.New(pixels, len(pixels)), ones, 0,
		kernels.ScatterAttrs{Reduction: kernels.Sum})
	fmt.Println(counts.Data, err)
	// Output: [2 1 0 3] <nil>
}

func ExampleStridedSlice() {
	data := kernels.New([]int{
		0, 1, 2, 3,
		4, 5, 6, 7,
		8, 9, 10, 11,
	}, 3, 4)
	// data[::-1, 1::2]: all rows, from the last to the first, and every second column.
	spec := kernels.SliceSpec{
		Begin: []int64{0, 1}, End: []int64{0, 0}, Strides: []int64{-1, 2},
		BeginMask: []bool{true}, EndMask: []bool{true, true},
	}
	shape, err := kernels.StridedSliceShape(data.Shape, spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := kernels.New(make([]int, 6), shape...)
	err = kernels.StridedSlice(dst, data, spec)
	fmt.Println(dst.Shape, dst.Data, err)
	// Output: [3 2] [9 11 5 7 1 3] <nil>
}

func ExampleSlice() {
	frames := kernels.New([]int{
		0, 1, 2, 3,
		4, 5, 6, 7,
		8, 9, 10, 11,
	}, 3, 4)
	// The last two columns, of the frames from the last to the first.
	r := kernels.Ranges{
		Starts: []int64{-2, math.MaxInt64},
		Ends:   []int64{math.MaxInt64, math.MinInt64},
		Axes:   []int64{1, 0},
		Steps:  []int64{1, -1},
	}
	shape, err := kernels.SliceShape(frames.Shape, r)
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := kernels.New(make([]int, 6), shape...)
	err = kernels.Slice(dst, frames, r)
	fmt.Println(dst.Shape, dst.Data, err)
	// Output: [3 2] [10 11 6 7 2 3] <nil>
}

// An axis may be named once.
func ExampleRangesView() {
	data := kernels.New([]int8{1, 2, 3, 4, 5, 6}, 2, 3)
	column, err := kernels.RangesView(data, kernels.Ranges{Starts: []int64{1}, Ends: []int64{2}, Axes: []int64{-1}})
	fmt.Println(column.Shape, column.Strides, column.Offset, err)

	_, err = kernels.RangesView(data, kernels.Ranges{Starts: []int64{0, 1}, Ends: []int64{1, 2}, Axes: []int64{1, -1}})
	fmt.Println(err)
	// Output:
	// [2 1] [3 1] 1 <nil>
	// kernels: Slice: axes [1 -1]: axis 1 occurs twice
}

// A slice without a copy shares its data, so that an operator can write into a part.
func ExampleSliceView() {
	data := kernels.New(make([]int8, 8), 2, 4)
	// data[:, 2], a column: the axis goes.
	column, err := kernels.SliceView(data, kernels.SliceSpec{
		Begin: []int64{0, 2}, End: []int64{0, 0}, EndMask: []bool{true}, ShrinkAxisMask: []bool{false, true},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(column.Shape, column.Strides, column.Offset)
	err = kernels.GatherElements(column, kernels.New([]int8{5, 7}, 2), kernels.New([]uint8{1, 0}, 2), 0)
	fmt.Println(data.Data, err)
	// Output:
	// [2] [4] 2
	// [0 0 7 0 0 0 5 0] <nil>
}

// Views need no copy: here the transpose of data, and one row of indices for
// all of its rows.
func ExampleTensor() {
	data := kernels.New([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	transposed := kernels.Tensor[float64]{Data: data.Data, Shape: []int{3, 2}, Strides: []int{1, 3}}
	swap := kernels.Tensor[int64]{Data: []int64{1, 0}, Shape: []int{3, 2}, Strides: []int{0, 1}}
	dst := kernels.New(make([]float64, 6), 3, 2)
	err := kernels.GatherElements(dst, transposed, swap, 1)
	fmt.Println(dst.Data, err)
	// Output: [4 1 5 2 6 3] <nil>
}

func ExampleIndexError() {
	data := kernels.New([]float32{1, 2, 3, 4, 5}, 1, 5)
	indices := kernels.New([]int64{0, 4, 7}, 1, 3)
	err := kernels.GatherElements(kernels.New(make([]float32, 3), 1, 3), data, indices, 1)

	fmt.Println(err)
	fmt.Println(errors.Is(err, kernels.ErrIndex))
	var bad *kernels.IndexError
	if errors.As(err, &bad) {
		fmt.Println(bad.Position, bad.Value, bad.Axis, bad.Size)
	}
	// Output:
	// kernels: GatherElements: index 7 at [0 2] is out of range for axis 1 of size 5
	// true
	// [0 2] 7 1 5
}

// An engine that has its own pool of goroutines lends it to the operators.
func ExampleExecutor() {
	pool := func(n int, task func(i int)) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { task(i) })
		}
		wg.Wait()
	}
	const rows, cols = 512, 512
	data, indices := make([]float32, rows*cols), make([]int32, rows*cols)
	for i := range data {
		data[i], indices[i] = float32(i), int32(cols-1-i%cols)
	}
	dst := make([]float32, rows*cols)
	err := kernels.GatherElements(kernels.New(dst, rows, cols), kernels.New(data, rows, cols), kernels.New(indices, rows, cols), 1,
		kernels.Executor(4, pool))
	fmt.Println(dst[0], dst[1], dst[rows*cols-1], err)
	// Output: 511 510 261632 <nil>
}

// One permutation of columns, for one batch after another.
func ExampleNewGatherPlan() {
	reverse := kernels.Tensor[int64]{Data: []int64{-1, -2, -3}, Shape: []int{2, 3}, Strides: []int{0, 1}} // the same for both rows
	plan, err := kernels.NewGatherPlan[float32]([]int{2, 3}, reverse, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := kernels.New(make([]float32, 6), 2, 3)
	for _, batch := range [][]float32{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}} {
		err := plan.Run(dst, kernels.New(batch, 2, 3))
		fmt.Println(dst.Data, err)
	}
	// Output:
	// [3 2 1 6 5 4] <nil>
	// [9 8 7 12 11 10] <nil>
}

// Messages along the edges of a graph are summed at the nodes that they lead to, round after round.
func ExampleScatterPlan() {
	to := kernels.New([]int64{2, 0, 2, 1}, 4) // where each edge leads
	plan, err := kernels.NewScatterPlan[float32]([]int{3}, to, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	nodes := kernels.New(make([]float32, 3), 3)
	for round := range 2 {
		messages := kernels.New([]float32{1, 2, 3, 4}, 4)
		if err := plan.Run(nodes, nodes, messages, kernels.ScatterAttrs{Reduction: kernels.Sum}); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(round, nodes.Data)
	}
	// Output:
	// 0 [2 4 4]
	// 1 [4 8 8]
}

// A round of sums over the edges of a graph, which are sorted by where they lead.
func ExampleEmbeddingBag_edges() {
	nodes := kernels.New([]float32{
		1, 10,
		2, 20,
		3, 30,
	}, 3, 2)
	from, to := []int32{0, 2, 1, 2}, []int{2, 1, 2, 0}
	// Once for the graph: where each node's edges begin, and the edges in that order.
	begin := make([]int32, 3+1)
	for _, k := range to {
		begin[k+1]++
	}
	for k := range 3 {
		begin[k+1] += begin[k]
	}
	offsets, next, sorted := begin[:3], slices.Clone(begin), make([]int32, len(to))
	for i, k := range to {
		sorted[next[k]] = from[i]
		next[k]++
	}
	// Each round:
	sums := kernels.New(make([]float32, 6), 3, 2)
	err := kernels.EmbeddingBag(sums, nodes, kernels.New(sorted, len(sorted)), kernels.New(offsets, 3), kernels.Tensor[float32]{},
		kernels.BagAttrs{Reduction: kernels.Sum})
	fmt.Println(offsets, sorted, sums.Data, err)
	// Output: [0 1 2] [2 2 0 1] [3 30 3 30 3 30] <nil>
}

// Three texts of words, each the mean of its words' vectors; the second has none.
func ExampleEmbeddingBag() {
	vectors := kernels.New([]float32{
		1, 0,
		0, 1,
		4, 4,
	}, 3, 2)
	words := kernels.New([]int32{0, 1, 2, 2, 0}, 5)
	texts := kernels.New([]int32{0, 2, 2}, 3) // where each begins

	shape, err := kernels.EmbeddingBagShape(vectors.Shape, words.Shape, texts.Shape)
	if err != nil {
		fmt.Println(err)
		return
	}
	means := kernels.New(make([]float32, shape[0]*shape[1]), shape...)
	err = kernels.EmbeddingBag(means, vectors, words, texts, kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: kernels.Mean})
	fmt.Println(means.Data, err)
	// Output: [0.5 0.5 0 0 3 2.6666667] <nil>
}

// The rows of a batch that are not padding.
func ExampleCompress() {
	batch := kernels.New([]float32{
		1, 2,
		0, 0,
		3, 4,
	}, 3, 2)
	filled := kernels.New([]bool{true, false, true}, 3)

	shape, err := kernels.CompressShape(batch.Shape, filled, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := kernels.New(make([]float32, shape[0]*shape[1]), shape...)
	err = kernels.Compress(rows, batch, filled, 0)
	fmt.Println(rows.Shape, rows.Data, err)
	// Output: [2 2] [1 2 3 4] <nil>
}

// What NumPy writes data[data < 0], with a mask made by the caller.
func ExampleTake() {
	data := kernels.New([]int{3, -1, 0, -4, 5, -9}, 2, 3)
	mask := kernels.New(make([]bool, len(data.Data)), data.Shape...)
	for i, v := range data.Data {
		mask.Data[i] = v < 0
	}

	shape, err := kernels.TakeShape(data.Shape, mask)
	if err != nil {
		fmt.Println(err)
		return
	}
	negative := kernels.New(make([]int, shape[0]), shape...)
	err = kernels.Take(negative, data, mask)
	fmt.Println(negative.Data, err)
	// Output: [-1 -4 -9] <nil>
}
