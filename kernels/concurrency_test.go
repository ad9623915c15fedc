package kernels_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// A job is a call on shared inputs that writes to a dst of its own and returns
// what it wrote.
type job struct {
	name   string
	run    func(opts ...kernels.Option) (any, error)
	serial bool // even a large one may be left to one goroutine
}

// TestInParts has every golden call cut into parts for four goroutines.
func TestInParts(t *testing.T) {
	kernels.CutSmall(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"GatherElements", TestGatherElementsExamples}, {"GatherND", TestGatherNDExamples}, {"Gather", TestGatherExamples},
		{"ScatterElementsUpdate", TestScatterElementsUpdateExamples}, {"StridedSlice", TestStridedSliceExamples},
		{"ScatterNDUpdate", TestScatterNDUpdateExamples}, {"StridedSliceRules", TestStridedSliceRules}, {"SliceExamples", TestSliceExamples},
		{"SliceScatter", TestSliceScatterExamples}, {"TensorScatter", TestTensorScatterExamples},
		{"ElementTypes", TestElementTypes}, {"IndexTypes", TestIndexTypes},
		{"EmbeddingBag", TestEmbeddingBagExamples}, {"BadBags", TestBadBags},
		{"ManyAxes", TestManyAxes}, {"InputLayouts", TestInputLayouts}, {"BroadcastInputs", TestBroadcastInputs},
		{"Unaligned", TestUnaligned}, {"ReduceFloats", TestReduceFloats}, {"ReduceRounding", TestReduceRounding},
		{"ReduceIntegers", TestReduceIntegers}, {"MeanCounts", TestMeanCounts}, {"ReduceBools", TestReduceBools},
		{"ReduceComplex", TestReduceComplex}, {"ReductionOrder", TestReductionOrder},
		{"BadInputs", TestBadInputs}, {"BadIndexAnywhere", TestBadIndexAnywhere}, {"InPlace", TestInPlace},
	} {
		t.Run(c.name, c.test)
	}
}

// jobs are calls of every operator on tensors of rows × cols elements. The
// floats differ so much in size that each order of additions has its own sum.
func jobs(rows, cols int) (out []job) {
	rng := rand.New(rand.NewPCG(1, uint64(rows)))
	n := rows * cols
	few := min(n/4, 1000) // the elements of a small table
	data, updates := make([]float32, n), make([]float32, n)
	halves, bytes, words := make([]kernels.Float16, n), make([]uint8, n), make([]string, n/4)
	byRow, byCol, cells := make([]int32, n), make([]int64, n), make([]uint16, n)
	constant := make([]int64, rows)
	for i := range n {
		data[i] = float32(math.Ldexp(rng.Float64()-0.5, rng.IntN(40)))
		updates[i] = float32(math.Ldexp(rng.Float64()-0.5, rng.IntN(40)))
		halves[i] = kernels.NewFloat16(float32(rng.NormFloat64()))
		bytes[i] = uint8(rng.Uint32())
		byRow[i], byCol[i] = int32(rng.IntN(2*rows)-rows), int64(rng.IntN(2*cols)-cols)
		cells[i] = uint16(rng.IntN(few))
	}
	for i := range constant {
		constant[i] = int64(rng.IntN(rows))
	}
	for i := range words {
		words[i] = fmt.Sprint(i)
	}
	grid := kernels.New(data, rows, cols)
	rowIndices, colIndices := kernels.New(byRow, rows, cols), kernels.New(byCol, rows, cols)
	tuples := make([]int32, 0, 2*rows)
	for i := range rows {
		tuples = append(tuples, byRow[i], int32(byCol[i]))
	}

	add := func(name string, run func(opts ...kernels.Option) (any, error)) {
		out = append(out, job{name: name, run: run})
	}
	add("GatherElements axis 0", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.GatherElements(kernels.New(dst, rows, cols), grid, rowIndices, 0, opts...)
	})
	add("GatherElements axis 1", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.GatherElements(kernels.New(dst, rows, cols), grid, colIndices, 1, opts...)
	})
	add("GatherElements of rank 1", func(opts ...kernels.Option) (any, error) {
		dst := make([]uint8, n)
		return dst, kernels.GatherElements(kernels.New(dst, n), kernels.New(bytes[:few], few), kernels.New(cells, n), 0, opts...)
	})
	add("GatherElements of rows", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.GatherElements(kernels.New(dst, rows, cols), grid,
			kernels.Tensor[int64]{Data: constant, Shape: []int{rows, cols}, Strides: []int{1, 0}}, 0, opts...)
	})
	add("GatherElements of strings", func(opts ...kernels.Option) (any, error) {
		dst := make([]string, n/4)
		return dst, kernels.GatherElements(kernels.New(dst, n/4), kernels.New(words, n/4), kernels.New(cells[:n/4], n/4), 0, opts...)
	})
	out[len(out)-1].serial = true // pointers need the caller's own writes
	add("GatherElements transposed", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.GatherElements(kernels.Tensor[float32]{Data: dst, Shape: []int{rows, cols}, Strides: []int{-1, rows}, Offset: rows - 1},
			grid, rowIndices, 0, opts...)
	})
	add("GatherND rows", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.GatherND(kernels.New(dst, rows, cols), grid, kernels.New(byRow[:rows], rows, 1), 0, opts...)
	})
	add("GatherND elements", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.GatherND(kernels.New(dst, cols, rows), grid,
			kernels.Tensor[int32]{Data: tuples, Shape: []int{cols, rows, 2}, Strides: []int{0, 2, 1}}, 0, opts...)
	})
	add("GatherND batch", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.GatherND(kernels.New(dst, rows, cols), grid, kernels.New(byCol, rows, cols, 1), 1, opts...)
	})
	add("Gather rows", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.Gather(kernels.New(dst, rows, cols), grid, kernels.New(byRow[:rows], rows), 0, 0, opts...)
	})
	add("Gather columns", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.Gather(kernels.New(dst, rows, cols), grid, kernels.New(byCol[:cols], cols), 1, 0, opts...)
	})
	add("Gather batch", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.Gather(kernels.New(dst, rows, cols), grid, colIndices, 1, 1, opts...)
	})
	add("Gather one part", func(opts ...kernels.Option) (any, error) {
		dst := make([]float32, n)
		return dst, kernels.Gather(kernels.New(dst, n), kernels.New(data, 1, n), kernels.New([]int8{-1}), 0, 0, opts...)
	})
	for _, r := range reductions {
		for _, ignore := range []bool{false, true} {
			attrs := kernels.ScatterAttrs{Reduction: r, IgnoreInit: ignore}
			name := fmt.Sprintf("ScatterElementsUpdate %v, IgnoreInit %v, ", r, ignore)
			add(name+"axis 0", func(opts ...kernels.Option) (any, error) {
				dst := make([]float32, n)
				return dst, kernels.ScatterElementsUpdate(kernels.New(dst, rows, cols), grid, rowIndices, kernels.New(updates, rows, cols), 0, attrs, opts...)
			})
			add(name+"axis 1, in place", func(opts ...kernels.Option) (any, error) {
				own := append([]float32(nil), data...)
				home := kernels.New(own, rows, cols)
				return own, kernels.ScatterElementsUpdate(home, home, colIndices, kernels.New(updates, rows, cols), 1, attrs, opts...)
			})
			add(name+"rank 1", func(opts ...kernels.Option) (any, error) {
				dst := make([]float32, few)
				return dst, kernels.ScatterElementsUpdate(kernels.New(dst, few), kernels.New(data, few), kernels.New(cells, n), kernels.New(updates, n), 0, attrs, opts...)
			})
			out[len(out)-1].serial = true // all updates may meet in one cell
			add(name+"halves", func(opts ...kernels.Option) (any, error) {
				dst := make([]kernels.Float16, n)
				return dst, kernels.ScatterElementsUpdate(kernels.New(dst, rows, cols), kernels.New(halves, rows, cols), rowIndices, kernels.New(halves, rows, cols), 0, attrs, opts...)
			})
			add(name+"rows", func(opts ...kernels.Option) (any, error) {
				dst := make([]float32, n)
				return dst, kernels.ScatterElementsUpdate(kernels.New(dst, rows, cols), grid,
					kernels.Tensor[int64]{Data: constant, Shape: []int{rows, cols}, Strides: []int{1, 0}}, kernels.New(updates, rows, cols), 0, attrs, opts...)
			})
		}
	}
	pairs := kernels.New(make([]int32, 0, 2*n), rows, cols, 2)
	for i := range n {
		pairs.Data = append(pairs.Data, byRow[i], int32(byCol[i]))
	}
	for _, r := range ndReductions {
		attrs := kernels.ScatterAttrs{Reduction: r, IgnoreInit: r == kernels.Max}
		name := fmt.Sprintf("ScatterNDUpdate %v, ", r)
		add(name+"rows", func(opts ...kernels.Option) (any, error) {
			dst := make([]float32, n)
			return dst, kernels.ScatterNDUpdate(kernels.New(dst, rows, cols), grid, kernels.New(constant, rows, 1), kernels.New(updates, rows, cols), attrs, opts...)
		})
		add(name+"rows, in place", func(opts ...kernels.Option) (any, error) {
			own := append([]float32(nil), data...)
			home := kernels.New(own, rows, cols)
			return own, kernels.ScatterNDUpdate(home, home, kernels.New(byRow[:rows], rows, 1), kernels.New(updates, rows, cols), attrs, opts...)
		})
		add(name+"elements", func(opts ...kernels.Option) (any, error) {
			dst := make([]float32, n)
			return dst, kernels.ScatterNDUpdate(kernels.New(dst, rows, cols), grid, pairs, kernels.New(updates, rows, cols), attrs, opts...)
		})
		out[len(out)-1].serial = true
		add(name+"elements of a vector", func(opts ...kernels.Option) (any, error) {
			own := append([]kernels.Float16(nil), halves[:few]...)
			home := kernels.New(own, few)
			return own, kernels.ScatterNDUpdate(home, home, kernels.New(cells, n, 1), kernels.New(halves, n), attrs, opts...)
		})
		out[len(out)-1].serial = true
	}
	bagged := kernels.New(byRow[:min(n, 4*rows)], min(n, 4*rows)) // in bags of any length, and but for three in one
	for name, start := range map[string]func(b int) int{
		"bags": func(b int) int { return b*4 + b%3 },
		"one":  func(b int) int { return min(b, 1) * (bagged.Shape[0] - 3) },
	} {
		starts := kernels.New(make([]int32, rows/2), rows/2)
		for b := range starts.Data {
			starts.Data[b] = int32(min(start(b), bagged.Shape[0]))
		}
		for _, r := range bagReductions {
			add(fmt.Sprintf("EmbeddingBag %v, %s", r, name), func(opts ...kernels.Option) (any, error) {
				dst, weights := make([]float32, rows/2*cols), kernels.Tensor[float32]{}
				if r == kernels.Sum {
					weights = kernels.New(updates[:bagged.Shape[0]], bagged.Shape[0])
				}
				return dst, kernels.EmbeddingBag(kernels.New(dst, rows/2, cols), grid, bagged, starts, weights, kernels.BagAttrs{Reduction: r}, opts...)
			})
		}
	}
	for _, mode := range []kernels.CacheMode{kernels.Linear, kernels.Circular} {
		most := rows * cols / 8
		places := []uint16{uint16(7 % most), 0, uint16(most / 2), uint16(3 % most)}
		for name, at := range map[string]kernels.Tensor[uint16]{"everywhere": {}, "in places": kernels.New(places, 4)} {
			add(fmt.Sprintf("TensorScatter %v, %s", mode, name), func(opts ...kernels.Option) (any, error) {
				dst := make([]float32, n)
				return dst, kernels.TensorScatter(kernels.New(dst, 4, rows*cols/4), kernels.New(grid.Data, 4, rows*cols/4), kernels.New(updates, 4, most), at, 1, mode, opts...)
			})
			out[len(out)-1].serial = true // the batches come one after the other
		}
	}
	for name, strides := range map[string][]int64{"reversed": {1, -1}, "every other": {1, 2}, "upside down": {-1, 1}} {
		add("StridedSlice "+name, func(opts ...kernels.Option) (any, error) {
			spec := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: strides, BeginMask: mask("1,1"), EndMask: mask("1,1")}
			shape, err := kernels.StridedSliceShape(grid.Shape, spec)
			if err != nil {
				return nil, err
			}
			dst := make([]float32, shape[0]*shape[1])
			return dst, kernels.StridedSlice(kernels.New(dst, shape...), grid, spec, opts...)
		})
		add("SliceScatter "+name, func(opts ...kernels.Option) (any, error) {
			spec := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: strides, BeginMask: mask("1,1"), EndMask: mask("1,1")}
			shape, err := kernels.StridedSliceShape(grid.Shape, spec)
			if err != nil {
				return nil, err
			}
			dst := make([]float32, n)
			return dst, kernels.SliceScatter(kernels.New(dst, rows, cols), grid, kernels.New(updates, shape...), spec, opts...)
		})
		add("Slice "+name, func(opts ...kernels.Option) (any, error) {
			r := kernels.Ranges{Starts: []int64{0, 0}, Ends: []int64{math.MaxInt64, math.MaxInt64}, Steps: strides}
			for d, step := range strides {
				if step < 0 {
					r.Starts[d], r.Ends[d] = math.MaxInt64, math.MinInt64
				}
			}
			shape, err := kernels.SliceShape(grid.Shape, r)
			if err != nil {
				return nil, err
			}
			dst := make([]float32, shape[0]*shape[1])
			return dst, kernels.Slice(kernels.New(dst, shape...), grid, r, opts...)
		})
	}
	return out
}

// sameResults compares what two runs of a job wrote, bit for bit.
func sameResults(want, got any) bool {
	switch w := want.(type) {
	case []float32:
		return slices.EqualFunc(w, got.([]float32), func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b })
	case []kernels.Float16:
		return slices.EqualFunc(w, got.([]kernels.Float16), func(a, b kernels.Float16) bool { return a == b || a&0x7FFF > 0x7C00 && b&0x7FFF > 0x7C00 })
	case []uint8:
		return slices.Equal(w, got.([]uint8))
	default:
		return slices.Equal(w.([]string), got.([]string))
	}
}

// TestWorkersGiveOneResult: results are bit-equal whatever the number of
// workers, and of processors.
func TestWorkersGiveOneResult(t *testing.T) {
	compare := func(t *testing.T, rows, cols int, workers ...int) {
		for i, j := range jobs(rows, cols) {
			if rows*cols == 1<<20 && i%2 == 1 || rows*cols == 1<<18 && i%2 == 0 {
				continue // half of them, for the time it takes, and the other half in a short run
			}
			t.Run(fmt.Sprintf("%s/n=%d", j.name, rows*cols), func(t *testing.T) {
				want, err := j.run(kernels.Workers(1))
				require.NoError(t, err)
				for _, w := range workers {
					got, err := j.run(kernels.Workers(w))
					require.NoError(t, err)
					require.True(t, sameResults(want, got), "workers=%d", w)
				}
			})
		}
	}
	t.Run("large", func(t *testing.T) {
		if testing.Short() {
			compare(t, 256, 1024, 0, 3)
			return
		}
		compare(t, 1024, 1024, 0, 3, 64)
	})
	kernels.CutSmall(t)
	t.Run("in small parts", func(t *testing.T) {
		upTo64 := []int{0, -5, 1, 2, 3, 5, 8, 31, 64}
		if !testing.Short() {
			for upTo64 = []int{-5}; len(upTo64) <= 65; {
				upTo64 = append(upTo64, len(upTo64)-1)
			}
		}
		compare(t, 24, 40, upTo64...)
		compare(t, 130, 3, upTo64...)
		compare(t, 3, 70, upTo64...)
	})
	for _, procs := range []int{1, 3, 8} {
		t.Run(fmt.Sprintf("GOMAXPROCS=%d", procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			compare(t, 40, 24, 0, 5)
		})
	}
}

// An executor is a way to run tasks, good or bad.
type executor struct {
	name string
	run  func(n int, task func(i int))
}

// all calls every task on a goroutine of its own, and waits.
func all(n int, task func(i int)) {
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { task(i) })
	}
	wait.Wait()
}

func executors() []executor {
	return []executor{
		{"nil", nil},
		{"in order", func(n int, task func(i int)) {
			for i := range n {
				task(i)
			}
		}},
		{"in reverse", func(n int, task func(i int)) {
			for i := n - 1; i >= 0; i-- {
				task(i)
			}
		}},
		{"on other goroutines", all},
		{"each twice", func(n int, task func(i int)) {
			for i := range 2 * n {
				task(i / 2)
			}
		}},
		{"each twice at the same time", func(n int, task func(i int)) { all(2*n, func(i int) { task(i % n) }) }},
		{"none", func(int, func(i int)) {}},
		{"the first alone", func(_ int, task func(i int)) { task(0) }},
		{"the last alone", func(n int, task func(i int)) { task(n - 1) }},
		{"every other", func(n int, task func(i int)) {
			for i := 1; i < n; i += 2 {
				task(i)
			}
		}},
	}
}

func TestExecutors(t *testing.T) {
	kernels.CutSmall(t)
	for _, j := range jobs(24, 40) {
		want, err := j.run(kernels.Workers(1))
		require.NoError(t, err)
		for _, e := range executors() {
			for _, workers := range []int{4, 1, 0, -5, 1000} {
				limit := workers
				if limit <= 0 {
					limit = runtime.GOMAXPROCS(0)
				}
				tooMany := 0
				run := func(n int, task func(i int)) {
					if n < 1 || n > limit {
						tooMany = n
					}
					e.run(n, task)
				}
				if e.run == nil {
					run = nil
				}
				got, err := j.run(kernels.Executor(workers, run))
				require.NoError(t, err, "%s, %s, %d workers", j.name, e.name, workers)
				require.True(t, sameResults(want, got), "%s, %s, %d workers", j.name, e.name, workers)
				require.Zero(t, tooMany, "%s, %s: tasks for %d workers", j.name, e.name, limit)
			}
		}
	}
}

// TestExecutorIsUsed: large calls do go through it, with more tasks than one.
func TestExecutorIsUsed(t *testing.T) {
	for i, j := range jobs(512, 2048) {
		if j.serial || i%2 == 1 {
			continue
		}
		tasks := 0
		_, err := j.run(kernels.Executor(4, func(n int, task func(i int)) {
			tasks = max(tasks, n)
			all(n, task)
		}))
		require.NoError(t, err)
		require.Greater(t, tasks, 1, j.name)
	}
}

// TestOptions: the zero Option is ignored, and the later of two counts.
func TestOptions(t *testing.T) {
	kernels.CutSmall(t)
	for _, j := range jobs(40, 24) {
		want, err := j.run(kernels.Workers(1))
		require.NoError(t, err)
		never := func(int, func(i int)) { t.Error("an option that was replaced is used") }
		for i, opts := range [][]kernels.Option{
			nil, {{}}, {{}, {}}, {kernels.Workers(0)}, {kernels.Workers(-5)}, {kernels.Workers(math.MinInt)}, {kernels.Workers(math.MaxInt)},
			{kernels.Executor(3, nil)}, {kernels.Executor(0, nil)}, {kernels.Workers(3), {}},
			{kernels.Executor(4, never), kernels.Workers(2)}, {kernels.Executor(4, never), {}, kernels.Executor(2, nil)},
			{kernels.Executor(4, never), kernels.Executor(4, all)},
		} {
			got, err := j.run(opts...)
			require.NoError(t, err, "%s, options %d", j.name, i)
			require.True(t, sameResults(want, got), "%s, options %d", j.name, i)
		}
		if !j.serial {
			used := false
			_, err = j.run(kernels.Executor(4, func(int, func(i int)) { used = true }), kernels.Option{})
			require.NoError(t, err)
			require.True(t, used, "%s: the zero Option replaces another", j.name)
		}
	}
}

// TestLateTasks: a task that an executor keeps and calls when the operator has
// returned does nothing.
func TestLateTasks(t *testing.T) {
	const n = 1 << 20
	dst := make([]float32, n)
	var kept []func()
	keep := kernels.Executor(4, func(n int, task func(i int)) {
		for i := range n {
			kept = append(kept, func() { task(i) })
		}
	})
	indices := kernels.New(make([]int64, n), n)
	require.NoError(t, kernels.GatherElements(kernels.New(dst, n), kernels.New([]float32{3}, 1), indices, 0, keep))
	require.NoError(t, kernels.ScatterElementsUpdate(kernels.New(dst, 8, n/8), kernels.New(dst, 8, n/8), kernels.New(make([]int8, n), 8, n/8),
		kernels.New(make([]float32, n), 8, n/8), 0, kernels.ScatterAttrs{Reduction: sum}, keep))
	require.NotEmpty(t, kept)
	clear(dst)
	for _, task := range kept {
		task()
	}
	require.Equal(t, make([]float32, n), dst)
}

// TestNestedPools: operators called by the tasks of a pool hand their own tasks
// to the same pool.
func TestNestedPools(t *testing.T) {
	tickets := make(chan struct{}, 4)
	var depth atomic.Int32
	pool := func(n int, task func(i int)) {
		var wait sync.WaitGroup
		for i := range n {
			select {
			case tickets <- struct{}{}: // somebody is free
				wait.Go(func() {
					task(i)
					<-tickets
				})
			default:
				task(i)
			}
		}
		wait.Wait()
	}
	kernels.CutSmall(t)
	list := jobs(24, 40)
	wants := make([]any, len(list))
	for i, j := range list {
		var err error
		wants[i], err = j.run(kernels.Workers(1))
		require.NoError(t, err)
	}
	errs := make([]error, len(list))
	pool(len(list), func(i int) {
		got, err := list[i].run(kernels.Executor(4, func(n int, task func(int)) {
			pool(n, func(k int) {
				// Between its tasks, the pool runs another operator on itself.
				if depth.Add(1) == 1 {
					other := (i + 1) % len(list)
					if got, err := list[other].run(kernels.Executor(4, pool)); err != nil || !sameResults(wants[other], got) {
						errs[i] = errors.Join(err, fmt.Errorf("%s, nested, differs", list[other].name))
					}
				}
				depth.Add(-1)
				task(k)
			})
		}))
		if err != nil || !sameResults(wants[i], got) {
			errs[i] = errors.Join(errs[i], err, fmt.Errorf("%s differs", list[i].name))
		}
	})
	require.NoError(t, errors.Join(errs...))
}

// TestConcurrentCalls makes many calls at once on shared inputs, each into a
// part of one slice. The race detector watches.
func TestConcurrentCalls(t *testing.T) {
	callers := 64
	if testing.Short() {
		callers = 16
	}
	many := func(t *testing.T, rows, cols int) {
		list := jobs(rows, cols)
		wants := make([]any, len(list))
		for i, j := range list {
			var err error
			wants[i], err = j.run(kernels.Workers(1))
			require.NoError(t, err)
		}
		errs := make([]error, callers)
		all(callers, func(caller int) {
			for k := range list {
				i := (caller*7 + k) % len(list)
				got, err := list[i].run(kernels.Workers(caller % 5))
				if err != nil || !sameResults(wants[i], got) {
					errs[caller] = errors.Join(errs[caller], err, fmt.Errorf("%s differs", list[i].name))
				}
			}
		})
		require.NoError(t, errors.Join(errs...))
	}
	t.Run("whole calls", func(t *testing.T) { many(t, 16, 64) })
	t.Run("calls cut into parts", func(t *testing.T) {
		kernels.CutSmall(t)
		many(t, 24, 40)
	})

	t.Run("parts of one slice", func(t *testing.T) {
		const callers, rows, cols = 16, 64, 512
		data, indices := counting[float32](rows*cols), make([]int32, rows*cols)
		for i := range indices {
			indices[i] = int32(rows - 1 - i/cols)
		}
		out := make([]float32, callers*rows*cols)
		errs := make([]error, callers)
		all(callers, func(c int) {
			// Interleaved columns would overlap by interval: whole blocks do not.
			dst := kernels.Tensor[float32]{Data: out, Shape: []int{rows, cols}, Offset: c * rows * cols}
			switch c % 3 {
			case 0:
				errs[c] = kernels.GatherElements(dst, kernels.New(data, rows, cols), kernels.New(indices, rows, cols), 0)
			case 1:
				errs[c] = kernels.StridedSlice(dst, kernels.New(data, rows, cols), kernels.SliceSpec{
					Begin: []int64{0}, End: []int64{0}, Strides: []int64{-1}, BeginMask: mask("1"), EndMask: mask("1")})
			case 2:
				errs[c] = kernels.ScatterElementsUpdate(dst, kernels.New(data, rows, cols), kernels.New(indices, rows, cols), kernels.New(data, rows, cols), 0, kernels.ScatterAttrs{})
			}
		})
		require.NoError(t, errors.Join(errs...))
		for i, v := range out {
			i %= rows * cols
			require.Equal(t, float32((rows-1-i/cols)*cols+i%cols), v)
		}
	})
}

// grow uses up to n KiB of stack, so that the goroutine's stack is moved.
//
//go:noinline
func grow(n int) int {
	var frame [1024]byte
	frame[n%1024] = byte(n)
	if n == 0 {
		return int(frame[0])
	}
	return grow(n-1) + int(frame[(n+1)%1024])
}

// litter fills n KiB of stack, so that nothing survives on one that is used again.
//
//go:noinline
func litter(n int) byte {
	var frame [1024]byte
	for i := range frame {
		frame[i] = 0xA5
	}
	if n == 0 {
		return frame[0]
	}
	return litter(n-1) + frame[n%1024]
}

// TestStackMoves has operands on the caller's stack, which moves while the
// operator runs: the executor grows it between its tasks, or the collector
// shrinks it.
func TestStackMoves(t *testing.T) {
	const n = 1 << 20
	indices, out, ones := make([]int32, n), make([]float32, n), repeat(n, float32(1))
	quarters, zeros := make([]int8, n), make([]float32, 64)
	for i := range indices {
		indices[i], quarters[i] = int32(i*7%64), int8(i/16%4)
	}
	growing := kernels.Executor(8, func(n int, task func(i int)) {
		for i := range n {
			grow(64 << (i % 6))
			all(32, func(k int) { litter(1 << (k % 7)) }) // on the stack that was left behind, among others
			task(i)
			grow(64 << ((i + 3) % 6))
		}
	})
	var stop atomic.Bool
	var collector sync.WaitGroup
	collector.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	defer collector.Wait()
	defer stop.Store(true)

	for _, opt := range []struct {
		name string
		opt  kernels.Option
	}{{"growing", growing}, {"workers", kernels.Workers(4)}, {"alone", kernels.Workers(1)}} {
		t.Run(opt.name, func(t *testing.T) {
			for _, call := range []func() error{
				func() error {
					var table [64]float32
					for i := range table {
						table[i] = float32(i) + 0.5
					}
					err := kernels.GatherElements(kernels.New(out, n), kernels.New(table[:], 64), kernels.New(indices, n), 0, opt.opt)
					for i, v := range out {
						if v != float32(i*7%64)+0.5 {
							return errors.Join(err, fmt.Errorf("GatherElements, data: element %d is %v", i, v))
						}
					}
					return err
				},
				func() error {
					var table [64]float32
					var backwards [64]int64
					for i := range table {
						table[i], backwards[i] = float32(i), int64(63-i)
					}
					err := kernels.GatherElements(kernels.New(out, n/64, 64),
						kernels.Tensor[float32]{Data: table[:], Shape: []int{n / 64, 64}, Strides: []int{0, 1}},
						kernels.Tensor[int64]{Data: backwards[:], Shape: []int{n / 64, 64}, Strides: []int{0, 1}}, 1, opt.opt)
					for i, v := range out {
						if v != float32(63-i%64) {
							return errors.Join(err, fmt.Errorf("GatherElements, data and indices: element %d is %v", i, v))
						}
					}
					return err
				},
				func() error {
					var cells [64]float32
					err := kernels.ScatterElementsUpdate(kernels.New(cells[:], 4, 16), kernels.New(zeros, 4, 16), kernels.New(quarters, n/16, 16), kernels.New(ones, n/16, 16), 0, kernels.ScatterAttrs{Reduction: sum}, opt.opt)
					for i, v := range cells {
						if v != n/64 {
							return errors.Join(err, fmt.Errorf("ScatterElementsUpdate, dst: cell %d is %v", i, v))
						}
					}
					return err
				},
			} {
				done := make(chan error)
				go func() { // on a small stack, or one that is larger than it needs to be
					done <- call()
					grow(1000)
					done <- call()
				}()
				require.NoError(t, <-done)
				require.NoError(t, <-done)
			}
		})
	}
}

// TestLargeArraysOnStacks: parameters and results are on the stack, however large
// they are. While the tasks wait the stack moves, and others get the memory that it leaves.
func TestLargeArraysOnStacks(t *testing.T) {
	const n = 256 << 10
	indices, table := make([]int64, n), make([]float32, n)
	for i := range indices {
		indices[i], table[i] = int64(n-1-i), float32(i)
	}
	var garbage [][]float32
	grows := kernels.Executor(2, func(n int, task func(i int)) {
		grow(30000)
		garbage = nil
		for range 40 {
			garbage = append(garbage, repeat(256<<10, float32(-1)))
		}
		all(n, task)
	})
	for _, opt := range []kernels.Option{grows, kernels.Workers(2), kernels.Workers(1)} {
		done := make(chan error)
		x := kernels.New(indices, n)
		go func() {
			got, err := gatherInto(kernels.New(table, n), x, opt)
			for i, v := range got {
				if v != float32(n-1-i) {
					err = errors.Join(err, fmt.Errorf("result: element %d is %v", i, v))
					break
				}
			}
			out := make([]float32, n)
			err = errors.Join(err, gatherFrom(got, kernels.New(out, n), x, opt))
			if !slices.Equal(table, out) {
				err = errors.Join(err, errors.New("parameter: other elements"))
			}
			done <- err
		}()
		require.NoError(t, <-done)
		for _, g := range garbage {
			require.False(t, slices.ContainsFunc(g, func(v float32) bool { return v != -1 }), "memory of somebody else")
		}
	}
}

//go:noinline
func gatherInto(data kernels.Tensor[float32], x kernels.Tensor[int64], opt kernels.Option) (a [256 << 10]float32, err error) {
	err = kernels.GatherElements(kernels.New(a[:], len(a)), data, x, 0, opt)
	return a, err
}

//go:noinline
func gatherFrom(a [256 << 10]float32, dst kernels.Tensor[float32], x kernels.Tensor[int64], opt kernels.Option) error {
	return kernels.GatherElements(dst, kernels.New(a[:], len(a)), x, 0, opt)
}
