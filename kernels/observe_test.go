package kernels_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// facts makes a call that is observed and returns what is told of it, which
// has to come once, on this goroutine, with the call's own error.
func facts(t *testing.T, call func(kernels.Option) error) kernels.Facts {
	t.Helper()
	var told []kernels.Facts
	own := goroutine()
	start := time.Now()
	err := call(kernels.Observe(func(f kernels.Facts) {
		told = append(told, f)
		require.Equal(t, own, goroutine())
	}))
	took := time.Since(start)
	require.Len(t, told, 1)
	f := told[0]
	require.Equal(t, err, f.Err)
	require.Equal(t, dispatch.Active().String(), f.Level)
	require.True(t, 0 <= f.Duration && f.Duration <= took, "%v of %v", f.Duration, took)
	return f
}

func goroutine() string {
	var buf [64]byte
	id, _, _ := strings.Cut(string(buf[:runtime.Stack(buf[:], false)]), " [")
	return id
}

// TestObserve: the facts of calls, on one goroutine, of each way that operators have.
func TestObserve(t *testing.T) {
	one := kernels.Workers(1)
	const n = 160
	data, dst, updates, x := zeros[float32](n, n), zeros[float32](n, n), zeros[float32](n, n), randomTensor[int64](n, n, n)
	narrow, rows := randomTensor[int16](n, n, n), kernels.Tensor[int64]{Data: x.Data, Shape: []int{n, n}, Strides: []int{1, 0}}
	words, wordsDst := zeros[string](n, n), zeros[string](n, n)
	bad := randomTensor[int64](n, n, n)
	bad.Data[n*n-1] = n
	attrs := func(r kernels.Reduction) kernels.ScatterAttrs { return kernels.ScatterAttrs{Reduction: r} }
	few, fewX := zeros[float32](2, 3), zeros[int32](2, 3)
	tuples, starts := zeros[int32](n, 2), counting[int64](n)
	halves := kernels.New(make([]int64, n), n) // two starts, one after the other
	for i := range n / 2 {
		halves.Data[i] = 1
	}
	everyOther := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{n, n}, Strides: []int64{1, 2}}
	half, whole := kernels.New(make([]bool, n), n), kernels.New(make([]bool, n*n), n*n)
	for i := 0; i < n*n; i += 2 {
		half.Data[i/2%n/2*2], whole.Data[i] = true, true
	}

	for _, c := range []struct {
		op, kernel            string
		elements, elementSize int
		call                  func(o kernels.Option) error
	}{
		{"GatherElements", "gather, resolved indices", 6, 4, func(o kernels.Option) error {
			return kernels.GatherElements(zeros[float32](2, 3), few, fewX, 1, o)
		}},
		{"GatherElements", "gather", n * n, 4, func(o kernels.Option) error { return kernels.GatherElements(dst, data, x, 1, o, one) }},
		{"GatherElements", "gather, resolved indices", n * n, 4, func(o kernels.Option) error {
			return kernels.GatherElements(dst, data, narrow, 1, one, o)
		}},
		{"GatherElements", "gather rows", n * n, 4, func(o kernels.Option) error { return kernels.GatherElements(dst, data, rows, 0, o, one) }},
		{"GatherElements", "gather, pointers", n * n, int(widthOf[string]()), func(o kernels.Option) error {
			return kernels.GatherElements(wordsDst, words, x, 1, o)
		}},
		{"GatherElements", "", 0, 0, func(o kernels.Option) error { return kernels.GatherElements(dst, data, x, 2, o) }},
		{"GatherElements", "", 0, 0, func(o kernels.Option) error {
			return kernels.GatherElements(zeros[float32](0, n), data, zeros[int64](0, n), 0, o)
		}},
		{"GatherElements", "gather", n * n, 4, func(o kernels.Option) error { return kernels.GatherElements(dst, data, bad, 1, o, one) }},
		{"GatherElements", "gather, resolved indices", 40 * 2 * 16, 4, func(o kernels.Option) error { // planes of few elements
			apart := kernels.Tensor[int64]{Data: make([]int64, 40*50), Shape: []int{40, 2, 16}, Strides: []int{50, 16, 1}}
			return kernels.GatherElements(zeros[float32](40, 2, 16), zeros[float32](40, 2, 20), apart, 2, o, one)
		}},
		{"Gather", "gather", 40 * 2 * 16, 4, func(o kernels.Option) error { // the same indices for both lines
			return kernels.Gather(zeros[float32](40, 2, 16), zeros[float32](40, 2, 20), zeros[int64](40, 16), 2, 1, o, one)
		}},
		{"Gather", "gather", 40 * 2 * 32, 4, func(o kernels.Option) error {
			return kernels.Gather(zeros[float32](40, 2, 32), zeros[float32](40, 2, 20), zeros[int64](40, 32), 2, 1, o, one)
		}},
		{"GatherND", "gather rows", 6, 4, func(o kernels.Option) error {
			return kernels.GatherND(zeros[float32](2, 3), few, zeros[int64](2, 1), 0, o)
		}},
		{"GatherND", "gather rows", n * n, 4, func(o kernels.Option) error {
			return kernels.GatherND(dst, data, kernels.New(x.Data, n, 1), 0, o, one)
		}},
		{"GatherND", "gather", n, 4, func(o kernels.Option) error {
			return kernels.GatherND(kernels.New(dst.Data, n), data, tuples, 0, o, one)
		}},
		{"GatherND", "gather, resolved indices", n, 4, func(o kernels.Option) error {
			return kernels.GatherND(kernels.Tensor[float32]{Data: dst.Data, Shape: []int{n}, Strides: []int{2}}, data, tuples, 0, o, one)
		}},
		{"GatherND", "index check", 0, 0, func(o kernels.Option) error {
			return kernels.GatherND(zeros[float32](80, 1), zeros[float32](0, 0, 1), zeros[int64](80, 2), 0, o)
		}},
		{"GatherND", "", 0, 0, func(o kernels.Option) error {
			return kernels.GatherND(zeros[float32](1, 1), zeros[float32](0, 0, 1), zeros[int64](1, 2), 0, o)
		}},
		{"Gather", "gather rows", 6, 4, func(o kernels.Option) error {
			return kernels.Gather(zeros[float32](2, 3), few, zeros[int64](2), 0, 0, o)
		}},
		{"Gather", "gather rows", n * n, 4, func(o kernels.Option) error { return kernels.Gather(dst, data, kernels.New(x.Data, n), 0, 0, o, one) }},
		{"Gather", "copy", n * n, 4, func(o kernels.Option) error {
			return kernels.Gather(dst, kernels.New(data.Data, 1, n, n), zeros[int64](), 0, 0, o, one)
		}},
		{"ScatterElementsUpdate", "copy on the way + scatter, resolved indices", 6, 4, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(zeros[float32](2, 3), few, fewX, few, 1, attrs(sum), o)
		}},
		{"ScatterElementsUpdate", "copy on the way + scatter, fused", n * n, 4, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, attrs(sum), o, one)
		}},
		{"ScatterElementsUpdate", "index check + scatter, fused", n * n, 4, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, dst, x, updates, 1, attrs(none), o, one)
		}},
		{"ScatterElementsUpdate", "index check", 0, 0, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, dst, bad, updates, 1, attrs(none), o, one)
		}},
		{"ScatterElementsUpdate", "index check + scatter rows", n * n, 4, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, dst, rows, updates, 0, attrs(high), o, one)
		}},
		{"ScatterElementsUpdate", "copy on the way + scatter, mean", n * n, 4, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, attrs(mean), o, one)
		}},
		{"ScatterElementsUpdate", "copy, pointers + scatter, pointers", n * n, int(widthOf[string]()), func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(wordsDst, words, x, zeros[string](n, n), 1, attrs(none), o)
		}},
		{"ScatterElementsUpdate", "copy", n * n, 4, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, data, zeros[int64](0, n), zeros[float32](0, n), 0, attrs(none), o, one)
		}},
		{"ScatterElementsUpdate", "", 0, 0, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(wordsDst, words, x, zeros[string](n, n), 1, attrs(sum), o)
		}},
		{"EmbeddingBag", "bags", n * n, 4, func(o kernels.Option) error {
			return kernels.EmbeddingBag(dst, data, kernels.New(x.Data, n*n), kernels.New(starts, n), kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: sum}, o, one)
		}},
		{"EmbeddingBag", "", 0, 0, func(o kernels.Option) error {
			return kernels.EmbeddingBag(dst, data, kernels.New(x.Data, n*n), kernels.New(x.Data, n), kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: sum}, o)
		}},
		{"Compress", "compact rows", n * n / 2, 4, func(o kernels.Option) error {
			return kernels.Compress(kernels.New(dst.Data, n/2, n), data, half, 0, o, one)
		}},
		{"Compress", "compact", n * n / 2, 4, func(o kernels.Option) error {
			return kernels.Compress(kernels.New(dst.Data, n*n/2), data, whole, kernels.Flattened, one, o)
		}},
		{"Take", "compact rows", n * n / 2, 4, func(o kernels.Option) error { return kernels.Take(kernels.New(dst.Data, n/2, n), data, half, o, one) }},
		{"Take", "compact, pointers", n * n / 2, int(widthOf[string]()), func(o kernels.Option) error {
			return kernels.Take(kernels.New(wordsDst.Data, n/2, n), words, half, o)
		}},
		{"Take", "", 0, 0, func(o kernels.Option) error { return kernels.Take(dst, data, half, o) }},
		{"StridedSlice", "copy", 6, 4, func(o kernels.Option) error {
			return kernels.StridedSlice(zeros[float32](2, 3), few, kernels.SliceSpec{}, o)
		}},
		{"StridedSlice", "copy", n * n, 4, func(o kernels.Option) error { return kernels.StridedSlice(dst, data, kernels.SliceSpec{}, o, one) }},
		{"Slice", "copy", 2, 4, func(o kernels.Option) error {
			return kernels.Slice(zeros[float32](2, 1), few, kernels.Ranges{Starts: []int64{2}, Ends: []int64{3}, Axes: []int64{1}}, o)
		}},
		{"Slice", "copy", n * n / 2, 4, func(o kernels.Option) error {
			return kernels.Slice(kernels.New(dst.Data, n/2, n), data, kernels.Ranges{Starts: []int64{0}, Ends: []int64{n}, Steps: []int64{2}}, o, one)
		}},
		{"TensorScatter", "copy + copy + copy", n * n / 4, 4, func(o kernels.Option) error {
			return kernels.TensorScatter(dst, data, kernels.New(updates.Data, n, n/2), halves, 1, kernels.Linear, o, one)
		}},
		{"TensorScatter", "copy", n * n / 2, 4, func(o kernels.Option) error {
			return kernels.TensorScatter(dst, dst, kernels.New(updates.Data, n, n/2), kernels.Tensor[int8]{}, 1, kernels.Linear, o, one)
		}},
		{"TensorScatter", "", 0, 0, func(o kernels.Option) error {
			return kernels.TensorScatter(dst, dst, updates, kernels.New(starts, n), 1, kernels.Linear, o)
		}},
		{"SliceScatter", "copy + copy", n * n / 2, 4, func(o kernels.Option) error {
			return kernels.SliceScatter(dst, data, kernels.New(updates.Data, n, n/2), everyOther, o, one)
		}},
		{"SliceScatter", "copy", n * n / 2, 4, func(o kernels.Option) error {
			return kernels.SliceScatter(dst, dst, kernels.New(updates.Data, n, n/2), everyOther, o, one)
		}},
		{"SliceScatter", "copy", n * n, 4, func(o kernels.Option) error {
			return kernels.SliceScatter(dst, data, updates, kernels.SliceSpec{}, o, one)
		}},
		{"SliceScatter", "", 0, 0, func(o kernels.Option) error { return kernels.SliceScatter(dst, data, updates, everyOther, o) }},
		{"StridedSlice", "", 0, 0, func(o kernels.Option) error {
			return kernels.StridedSlice(dst, data, kernels.SliceSpec{Begin: []int64{0}}, o)
		}},
	} {
		f := facts(t, c.call)
		require.Equal(t, c.op, f.Op)
		require.Equal(t, c.kernel, f.Kernel, c.op)
		require.Equal(t, c.elements, f.Elements, "%s: %s", c.op, c.kernel)
		require.Equal(t, c.elements*c.elementSize, f.Bytes, "%s: %s", c.op, c.kernel)
		if c.kernel != "" {
			require.Equal(t, []int{1, 1, 0}, []int{f.Workers, f.Parts, f.Strip}, "%s: %s", c.op, c.kernel)
		}
	}
}

// TestObserveParts: what is said of calls that are cut into parts.
func TestObserveParts(t *testing.T) {
	const n = 64
	data, dst, updates := zeros[float32](n, n), zeros[float32](n, n), zeros[float32](n, n)
	table, places, rows := zeros[float32](4, n), randomTensor[int64](4, n, n), zeros[int64](n, n)
	for i := range rows.Data {
		rows.Data[i] = int64(i / n)
	}
	line, cells, many := randomTensor[int64](n, n*n), zeros[float32](n*n/2), zeros[float32](n*n)
	pairs, ofPairs, manyPairs := zeros[float32](n*n/4, 2), randomTensor[int64](n*n/4, n*n/2, 2), zeros[float32](n*n/2, 2)
	three, cut := kernels.Workers(3), 3*dispatch.Default.TasksPerWorker
	pool := kernels.Executor(3, backwards)
	for _, large := range []bool{false, true} {
		if large {
			kernels.CutSmall(t)
			dispatch.Default.StripBytes = 16 * 4 * n // columns of a cache line
		}
		for _, c := range []struct {
			kernel string // of many parts
			parts  int
			packs  bool
			call   func(o ...kernels.Option) error
		}{
			{"gather, packed strips", 3, true, func(o ...kernels.Option) error { return kernels.GatherElements(dst, table, places, 0, o...) }},
			{"index check + scatter, owned ranges", 3, false, func(o ...kernels.Option) error {
				return kernels.ScatterElementsUpdate(cells, cells, line, many, 0, kernels.ScatterAttrs{Reduction: sum}, o...)
			}},
			{"index check + scatter, owned ranges", 3, false, func(o ...kernels.Option) error { // two columns
				return kernels.ScatterElementsUpdate(pairs, pairs, ofPairs, manyPairs, 0, kernels.ScatterAttrs{Reduction: sum}, o...)
			}},
			{"equal indices + copy + scatter rows", 3, false, func(o ...kernels.Option) error {
				return kernels.ScatterElementsUpdate(dst, data, rows, updates, 0, kernels.ScatterAttrs{Reduction: sum}, o...)
			}},
			{"equal indices + copy + scatter rows", 1, false, func(o ...kernels.Option) error { // all updates of one row: workers would wait for its cache lines
				return kernels.ScatterElementsUpdate(dst, data, zeros[int64](n, n), updates, 0, kernels.ScatterAttrs{Reduction: sum}, o...)
			}},
			{"copy", cut, false, func(o ...kernels.Option) error { return kernels.StridedSlice(dst, data, kernels.SliceSpec{}, o...) }},
		} {
			for _, o := range []kernels.Option{three, pool} {
				f := facts(t, func(observe kernels.Option) error { return c.call(o, observe) })
				require.NoError(t, f.Err)
				require.NotEmpty(t, f.Kernel)
				if !large {
					require.Equal(t, []int{1, 1, 0}, []int{f.Workers, f.Parts, f.Strip}, c.kernel)
					continue
				}
				require.Equal(t, c.kernel, f.Kernel)
				require.Equal(t, []int{min(3, c.parts), c.parts}, []int{f.Workers, f.Parts}, c.kernel)
				require.Equal(t, c.packs, f.Strip > 0, c.kernel)
			}
		}
	}
}

// TestColumnCuts: a scatter along the outer axis is cut into columns where a second core gains:
// wide ones if a core's cache holds the table, and if rows have one index only where no cache holds
// it.
func TestColumnCuts(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	dispatch.Default.SmallElements, dispatch.Default.WorkerTime, dispatch.Default.PartTime, dispatch.Default.WakeTime = 0, 1, 1, 20_000
	dispatch.Default.OwnedTable, dispatch.Default.StripTable = 1<<30, 4<<20
	kernels.CutAlone(t)
	const few, many, updates = 101, 20_000, 300 // rows of a table in a second-level cache of 512 KiB, and of another
	for _, c := range []struct {
		rows, cols int
		view       bool // indices are constant along columns, with a stride of 0
		reach      int  // of the caches
		parts      int
		planes     int // if not 0, of two times so many columns each: the table has more, so that their loops do not merge
	}{
		{few, 1024, true, 1 << 30, 1, 0}, {few, 2048, true, 1 << 30, 2, 0}, {few, 256, true, 0, 3, 0}, {few, 100, true, 0, 2, 0}, {few, 48, true, 0, 1, 0}, {few, 20, true, 0, 1, 0},
		{few, 516, false, 0, 6, 0}, {few, 400, false, 0, 5, 0}, {few, 320, false, 0, 4, 0}, {few, 319, false, 0, 1, 0}, {few, 20, false, 0, 1, 0},
		{few, 8, false, 0, 4, 20}, {few, 9, false, 0, 1, 19}, {few, 50, false, 0, 6, 6},
		{many, 256, false, 0, 4, 0}, {many, 100, false, 0, 3, 0}, {many, 64, false, 0, 2, 0}, {many, 48, false, 0, 1, 0}, {many, 8, false, 0, 3, 8}, {many, 4, false, 0, 1, 6},
	} {
		rows := c.rows
		shape, of := []int{rows, c.cols}, []int{updates, c.cols}
		if c.planes > 0 {
			shape, of = []int{rows, c.planes, 3, c.cols + 4}, []int{updates, c.planes, 2, c.cols}
		}
		if cache, _ := dispatch.L2(); cache == 0 || (rows == many) == (elements(shape)*4 <= cache) {
			continue
		}
		dispatch.Default.StreamReach = c.reach
		data, by := kernels.New(numbers[float32](elements(shape)), shape...), kernels.New(numbers[float32](elements(of)), of...)
		indices := randomTensor[int64](rows, of...)
		if c.view {
			indices.Data, indices.Strides = indices.Data[:updates], make([]int, len(of))
			indices.Strides[0] = 1
		}
		alone := kernels.New(slices.Clone(data.Data), shape...)
		attrs := kernels.ScatterAttrs{Reduction: sum}
		require.NoError(t, kernels.ScatterElementsUpdate(alone, alone, indices, by, 0, attrs, kernels.Workers(1)))
		f := facts(t, func(o kernels.Option) error {
			return kernels.ScatterElementsUpdate(data, data, indices, by, 0, attrs, o, kernels.Workers(3))
		})
		require.Equal(t, c.parts, f.Parts, "%+v", c)
		require.Equal(t, alone.Data, data.Data, "%+v", c)
	}

	// Columns of a table that lie apart: a quarter as many are in a cache line.
	const cols, apart = 512, 4
	dispatch.Default.StreamReach = 1 << 30
	data := kernels.Tensor[float32]{Data: numbers[float32](few * cols * apart), Shape: []int{few, cols}, Strides: []int{cols * apart, apart}}
	indices := kernels.Tensor[int64]{Data: randomTensor[int64](few, updates).Data, Shape: []int{updates, cols}, Strides: []int{1, 0}}
	f := facts(t, func(o kernels.Option) error {
		return kernels.ScatterElementsUpdate(data, data, indices, kernels.New(numbers[float32](updates*cols), updates, cols), 0, kernels.ScatterAttrs{Reduction: sum}, o, kernels.Workers(3))
	})
	require.NoError(t, f.Err)
	require.Equal(t, 2, f.Parts)
}

// TestPartsPerWorker: workers have as many parts each, at most TasksPerWorker, and one where there
// is less than PartTime for two.
func TestPartsPerWorker(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	kernels.CutAlone(t)
	dispatch.Default.WorkerTime = 1
	const n = 1 << 15
	data, dst, x := zeros[float32](n), zeros[float32](n), randomTensor[int64](n, n)
	work := int(n * dispatch.Costs.Gather)
	for _, each := range []int{1, 2, 5, dispatch.Default.TasksPerWorker, 100} {
		dispatch.Default.PartTime = work/(3*each+3) + 1 // two parts more would be large enough, three would not
		f := facts(t, func(o kernels.Option) error { return kernels.GatherElements(dst, data, x, 0, o, kernels.Workers(3)) })
		require.Equal(t, 3*min(each, dispatch.Default.TasksPerWorker), f.Parts)
	}
	dispatch.Default.PartTime = 2 * work
	f := facts(t, func(o kernels.Option) error { return kernels.GatherElements(dst, data, x, 0, o, kernels.Workers(3)) })
	require.Equal(t, 3, f.Parts)
}

// TestObserveRaw: calls on Raw are observed as typed ones are, and so are plans.
func TestObserveRaw(t *testing.T) {
	for _, n := range []int{2, 100} {
		data, dst, x := zeros[float32](n, n), zeros[float32](n, n), randomTensor[int64](n, n, n)
		r, w, i := rawOf(data), rawOf(dst), rawOf(x)
		attrs := kernels.ScatterAttrs{Reduction: low}
		gathers, err := kernels.NewGatherPlan[float32]([]int{n, n}, x, 1)
		require.NoError(t, err)
		scatters, err := kernels.NewScatterPlan[float32]([]int{n, n}, x, 1)
		require.NoError(t, err)
		rows, all := kernels.New(x.Data[:n], n, 1), kernels.New(slices.Repeat([]bool{true}, n), n)
		for _, c := range []struct{ typed, other func(o kernels.Option) error }{
			{func(o kernels.Option) error { return kernels.GatherElements(dst, data, x, 1, o) },
				func(o kernels.Option) error { return kernels.GatherElementsRaw(w, r, i, 1, o) }},
			{func(o kernels.Option) error { return kernels.GatherND(dst, data, rows, 0, o) },
				func(o kernels.Option) error { return kernels.GatherNDRaw(w, r, rawOf(rows), 0, o) }},
			{func(o kernels.Option) error { return kernels.Gather(dst, data, kernels.New(x.Data[:n], n), 1, 0, o) },
				func(o kernels.Option) error {
					return kernels.GatherRaw(w, r, rawOf(kernels.New(x.Data[:n], n)), 1, 0, o)
				}},
			{func(o kernels.Option) error { return kernels.ScatterElementsUpdate(dst, dst, x, data, 1, attrs, o) },
				func(o kernels.Option) error { return kernels.ScatterElementsUpdateRaw(w, w, i, r, 1, attrs, o) }},
			{func(o kernels.Option) error { return kernels.StridedSlice(dst, data, kernels.SliceSpec{}, o) },
				func(o kernels.Option) error { return kernels.StridedSliceRaw(w, r, kernels.SliceSpec{}, o) }},
			{func(o kernels.Option) error { return kernels.Slice(dst, data, kernels.Ranges{}, o) },
				func(o kernels.Option) error { return kernels.SliceRaw(w, r, kernels.Ranges{}, o) }},
			{func(o kernels.Option) error { return kernels.ScatterNDUpdate(dst, dst, rows, data, attrs, o) },
				func(o kernels.Option) error { return kernels.ScatterNDUpdateRaw(w, w, rawOf(rows), r, attrs, o) }},
			{func(o kernels.Option) error { return kernels.Take(dst, data, all, o) },
				func(o kernels.Option) error { return kernels.TakeRaw(w, r, rawOf(all), o) }},
			{func(o kernels.Option) error { return kernels.Compress(dst, data, all, 0, o) },
				func(o kernels.Option) error { return kernels.CompressRaw(w, r, rawOf(all), 0, o) }},
			{func(o kernels.Option) error { return kernels.GatherElements(dst, data, x, 7, o) },
				func(o kernels.Option) error { return kernels.GatherElementsRaw(w, r, i, 7, o) }},
		} {
			typed, other := facts(t, c.typed), facts(t, c.other)
			typed.Duration, other.Duration = 0, 0
			require.Equal(t, typed, other)
		}
		f := facts(t, func(o kernels.Option) error { return gathers.Run(dst, data, o) })
		require.Equal(t, "GatherElements", f.Op)
		require.Equal(t, n*n, f.Elements)
		f = facts(t, func(o kernels.Option) error { return scatters.Run(dst, dst, data, attrs, o) })
		require.Equal(t, "ScatterElementsUpdate", f.Op)
		require.NotContains(t, f.Kernel, "index check")
		f = facts(t, func(o kernels.Option) error { return scatters.Run(dst, dst, zeros[float32](1), attrs, o) })
		require.ErrorIs(t, f.Err, kernels.ErrShape)
	}
}

// TestOptionKinds: of several options of a kind the last counts, and the
// kinds don't disturb each other.
func TestOptionKinds(t *testing.T) {
	kernels.CutSmall(t)
	data, dst := zeros[float32](64, 64), zeros[float32](64, 64)
	var told []string
	tell := func(name string) kernels.Option {
		return kernels.Observe(func(f kernels.Facts) { told = append(told, fmt.Sprint(name, f.Workers)) })
	}
	labels := kernels.Labels(context.Background())
	var none context.Context
	ran := 0
	pool := kernels.Executor(4, func(n int, task func(int)) { ran++; backwards(n, task) })
	for _, c := range []struct {
		opts []kernels.Option
		want string // who was told, of how many workers
		ran  int
	}{
		{[]kernels.Option{tell("a"), kernels.Workers(3)}, "a3", 0},
		{[]kernels.Option{kernels.Workers(2), tell("a"), kernels.Workers(3)}, "a3", 0},
		{[]kernels.Option{tell("a"), {}, tell("b"), kernels.Workers(2), {}}, "b2", 0},
		{[]kernels.Option{tell("a"), tell("b"), kernels.Observe(nil), kernels.Workers(2)}, "", 0},
		{[]kernels.Option{kernels.Observe(nil), labels, tell("b"), kernels.Workers(1)}, "b1", 0},
		{[]kernels.Option{tell("a"), kernels.Workers(1), pool, labels, {}}, "a4", 1},
		{[]kernels.Option{pool, kernels.Workers(1), tell("a")}, "a1", 0},
		{[]kernels.Option{kernels.Labels(none), pool}, "", 1},
	} {
		told, ran = nil, 0
		require.NoError(t, kernels.StridedSlice(dst, data, kernels.SliceSpec{}, c.opts...))
		require.Equal(t, c.want, strings.Join(told, " "))
		require.Equal(t, c.ran, ran)
	}
}

// goroutineLabels returns the labels of all goroutines that have any, as the
// goroutine profile writes them.
func goroutineLabels() (labels []string) {
	var profile strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&profile, 1)
	for line := range strings.Lines(profile.String()) {
		if _, after, ok := strings.Cut(line, "# labels: "); ok {
			labels = append(labels, strings.TrimSpace(after))
		}
	}
	return labels
}

// TestLabels looks at the goroutines that work on calls, until it has seen
// them at it, and at all afterwards.
func TestLabels(t *testing.T) {
	const n = 512
	data, dst, x := zeros[float32](n, n), zeros[float32](n, n), randomTensor[int64](n, n, n)
	scatter := func(opts ...kernels.Option) error {
		return kernels.ScatterElementsUpdate(dst, dst, x, data, 1, kernels.ScatterAttrs{Reduction: sum}, opts...)
	}
	var idle sync.WaitGroup // goroutines of a pool, which outlive the calls
	tasks := make(chan func())
	for range 2 {
		idle.Add(1)
		go func() {
			defer idle.Done()
			for task := range tasks {
				task()
			}
		}()
	}
	pool := func(n int, task func(int)) {
		var left sync.WaitGroup
		for i := range n {
			left.Add(1)
			tasks <- func() { defer left.Done(); task(i) }
		}
		left.Wait()
	}
	kernels.CutSmall(t)
	for name, o := range map[string]kernels.Option{"one": kernels.Workers(1), "own": kernels.Workers(3), "pool": kernels.Executor(3, pool)} {
		pprof.Do(context.Background(), pprof.Labels("test", name), func(ctx context.Context) {
			stop, seen := make(chan struct{}), make(map[string]int)
			var looking sync.WaitGroup
			looking.Add(1)
			want := fmt.Sprintf(`{"kernel":"scatter, fused", "op":"ScatterElementsUpdate", "test":%q}`, name)
			go func() {
				defer looking.Done()
				pprof.SetGoroutineLabels(context.Background())
				for {
					for _, l := range goroutineLabels() {
						seen[l]++
					}
					select {
					case <-stop:
						return
					default:
						if seen[want] > 0 {
							return
						}
						runtime.Gosched()
					}
				}
			}()
			done := make(chan struct{})
			go func() { looking.Wait(); close(done) }()
			for limit := time.Now().Add(time.Minute); ; {
				require.NoError(t, scatter(o, kernels.Labels(ctx)))
				select {
				case <-done:
				default:
					if time.Now().Before(limit) {
						continue
					}
				}
				break
			}
			close(stop)
			looking.Wait()
			require.Positive(t, seen[want], "seen: %v", seen)

			require.Error(t, kernels.GatherElements(dst, data, x, 9, kernels.Labels(ctx)))
			after := goroutineLabels()
			require.True(t, slices.Contains(after, fmt.Sprintf(`{"test":%q}`, name)), "this goroutine has not its own labels again: %v", after)
			// A goroutine of the call's own may still be on its way out.
			require.Eventually(t, func() bool {
				return !slices.ContainsFunc(goroutineLabels(), func(l string) bool { return strings.Contains(l, `"op"`) })
			}, time.Minute, time.Millisecond, "labels are left")
		})
	}
	close(tasks)
	idle.Wait()
}

// TestLabelsAfterPanic: an Executor that panics leaves the caller's labels as they were.
func TestLabelsAfterPanic(t *testing.T) {
	kernels.CutSmall(t)
	data, dst := zeros[float32](64, 64), zeros[float32](64, 64)
	pprof.Do(context.Background(), pprof.Labels("test", "panic"), func(ctx context.Context) {
		require.Panics(t, func() {
			_ = kernels.StridedSlice(dst, data, kernels.SliceSpec{}, kernels.Labels(ctx), kernels.Executor(3, func(int, func(int)) { panic("no") }))
		})
		require.Contains(t, goroutineLabels(), `{"test":"panic"}`)
	})
}
