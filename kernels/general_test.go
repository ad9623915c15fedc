package kernels_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

const (
	generalGather  = "GeneralGather"
	generalScatter = "GeneralScatter"
)

// generalDims are random dimension numbers of a general gather, or of a general scatter, whose
// names are others.
type generalDims struct {
	operand, indices, result []int // shapes
	dims                     kernels.GatherDims
}

// scatter returns the dimension numbers under their names of a scatter.
func (g *generalDims) scatter() kernels.ScatterDims {
	d := g.dims
	return kernels.ScatterDims{UpdateWindowDims: d.OffsetDims, InsertedWindowDims: d.CollapsedSliceDims, InputBatchingDims: d.OperandBatchingDims,
		ScatterIndicesBatchingDims: d.StartIndicesBatchingDims, ScatterDimsToOperandDims: d.StartIndexMap, IndexVectorDim: d.IndexVectorDim}
}

// general draws shapes and dimension numbers that fit.
func (c *randomCall) general() (g generalDims) {
	g.operand = c.shape(c.IntN(5) + c.IntN(2))
	d := &g.dims
	var others []int // axes that are no batching ones
	for axis, n := range g.operand {
		switch {
		case n > 0 && n <= 7 && c.chance(20):
			d.OperandBatchingDims = append(d.OperandBatchingDims, axis)
			d.SliceSizes = append(d.SliceSizes, 1)
			continue
		case c.chance(35):
			d.CollapsedSliceDims = append(d.CollapsedSliceDims, axis)
			d.SliceSizes = append(d.SliceSizes, min(n, 1))
		case c.chance(40):
			d.SliceSizes = append(d.SliceSizes, n)
		default:
			d.SliceSizes = append(d.SliceSizes, c.IntN(min(n, 8)+1))
		}
		others = append(others, axis)
	}
	c.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	d.StartIndexMap = others[:c.IntN(len(others)+1)]
	for _, axis := range d.CollapsedSliceDims { // of size 0, without a start, is not allowed
		if g.operand[axis] == 0 && !slices.Contains(d.StartIndexMap, axis) {
			d.StartIndexMap = append(d.StartIndexMap, axis)
		}
	}
	// The positions: batching axes and others, in any order; then the axis of the components among
	// them.
	window := 1
	for axis, n := range d.SliceSizes {
		if !slices.Contains(d.CollapsedSliceDims, axis) && !slices.Contains(d.OperandBatchingDims, axis) {
			window *= n
		}
	}
	batches := 1
	type position struct{ n, batching int }
	var positions []position
	for i, axis := range d.OperandBatchingDims {
		positions, batches = append(positions, position{g.operand[axis], i}), batches*g.operand[axis]
	}
	for _, n := range c.tuples(batches, window) {
		positions = append(positions, position{n, -1})
	}
	c.Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
	d.StartIndicesBatchingDims = make([]int, len(d.OperandBatchingDims))
	d.IndexVectorDim = c.IntN(len(positions) + 1)
	implicit := len(d.StartIndexMap) == 1 && c.chance(30)
	if implicit {
		d.IndexVectorDim = len(positions)
	}
	var sizes []int
	for i, p := range positions {
		if i == d.IndexVectorDim {
			g.indices = append(g.indices, len(d.StartIndexMap))
		}
		if p.batching >= 0 {
			d.StartIndicesBatchingDims[p.batching] = len(g.indices)
		}
		g.indices, sizes = append(g.indices, p.n), append(sizes, p.n)
	}
	if d.IndexVectorDim == len(positions) && !implicit {
		g.indices = append(g.indices, len(d.StartIndexMap))
	}
	// The result: positions, and windows among them.
	var kept []int
	for axis, n := range d.SliceSizes {
		if !slices.Contains(d.CollapsedSliceDims, axis) && !slices.Contains(d.OperandBatchingDims, axis) {
			kept = append(kept, n)
		}
	}
	behind := c.chance(40)
	for len(sizes)+len(kept) > 0 {
		if len(kept) > 0 && (len(sizes) == 0 || !behind && c.chance(50)) {
			d.OffsetDims = append(d.OffsetDims, len(g.result))
			g.result, kept = append(g.result, kept[0]), kept[1:]
		} else {
			g.result, sizes = append(g.result, sizes[0]), sizes[1:]
		}
	}
	return g
}

// starts draws starts, some of which lie outside.
func (c *randomCall) starts(limits indexLimits, g *generalDims) randomIndices {
	d := &g.dims
	x := c.indices(limits, g.indices, func(p []int) int {
		i := 0
		if d.IndexVectorDim < len(g.indices) {
			i = p[d.IndexVectorDim]
		}
		axis := d.StartIndexMap[i]
		return g.operand[axis] - max(d.SliceSizes[axis], 1) + 1
	})
	c.tell("%+v", *d)
	return x
}

func (e *elementRow[T]) generalGather(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	g := c.general()
	operand := e.place(c, "operand", g.operand, false)
	x := c.starts(by.limits, &g)
	dst := e.place(c, "dst", g.result, true)
	if shape, err := kernels.GeneralGatherShape(g.operand, g.indices, g.dims); err != nil || !slices.Equal(shape, g.result) {
		return fmt.Errorf("GeneralGatherShape: %v, %v; want %v", shape, err, g.result)
	}
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{operand},
		define: func(array []T) error {
			return by.defineGeneralGather(dst.in(array), operand.Tensor, x, g.dims)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.generalGather(dst.in(array), operand.Tensor, x, g.dims, opts)
		},
	})
}

func (e *elementRow[T]) generalScatter(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	inPlace := c.chance(40)
	g := c.general()
	dims := g.scatter()
	input := e.place(c, "input", g.operand, inPlace)
	x := c.starts(by.limits, &g)
	updates := e.place(c, "updates", g.result, false)
	dst := input.respelled(c)
	if !inPlace {
		dst = e.place(c, "dst", g.operand, true)
	}
	attrs := kernels.ScatterAttrs{Reduction: pick(c, ndReductions...), IgnoreInit: c.chance(30)}
	op := map[kernels.Reduction]generic.Op{
		kernels.None: generic.Replace, kernels.Sum: generic.Sum, kernels.Prod: generic.Prod,
		kernels.Min: generic.Min, kernels.Max: generic.Max, kernels.Sub: generic.Sub,
	}[attrs.Reduction]
	c.tell("indices %s, %v, IgnoreInit %t, in place %t", by.name, attrs.Reduction, attrs.IgnoreInit, inPlace)
	if shape, err := kernels.GeneralScatterShape(g.operand, g.indices, g.result, dims); err != nil || !slices.Equal(shape, g.operand) {
		return fmt.Errorf("GeneralScatterShape: %v, %v", shape, err)
	}
	source := func(array []T) kernels.Tensor[T] {
		if inPlace {
			return input.in(array)
		}
		return input.Tensor
	}
	trial := trial[T]{
		dst: dst, inputs: []placement[T]{input, updates}, unchangedOnError: inPlace,
		define: func(array []T) error {
			return by.defineGeneralScatter(dst.in(array), source(array), x, updates.Tensor, dims, op, attrs.IgnoreInit)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.generalScatter(dst.in(array), source(array), x, updates.Tensor, dims, attrs, opts)
		},
	}
	if makesNaN := op == generic.Sum || op == generic.Prod || op == generic.Sub; makesNaN && e.sameNumber != nil {
		trial.reduced = reducedCells(dst, func(marks []bool, v generic.View) error {
			return by.defineGeneralMarks(marks, v, x, []bool{true}, repeated(g.result), dims)
		})
	}
	return e.compare(c, trial)
}

func FuzzGeneralGather(f *testing.F)  { fuzz(f, hostileOperators.hostileGeneralGather) }
func FuzzGeneralScatter(f *testing.F) { fuzz(f, hostileOperators.hostileGeneralScatter) }

// hostileGeneral reads dimension numbers: those that fit, mostly, with a list or a shape spoiled.
func (in *hostileInput) hostileGeneral() generalDims {
	in.randomCall.large = false
	g := in.general()
	list := func(s *[]int) {
		if in.rare() {
			switch *s = slices.Clone(*s); {
			case in.next()%2 == 0 || len(*s) == 0:
				*s = append(*s, in.int())
			case in.next()%2 == 0:
				*s = (*s)[1:]
			default:
				(*s)[int(in.next())%len(*s)] = in.int()
			}
		}
	}
	d := &g.dims
	for _, s := range []*[]int{&d.OffsetDims, &d.CollapsedSliceDims, &d.OperandBatchingDims, &d.StartIndicesBatchingDims, &d.StartIndexMap, &d.SliceSizes} {
		list(s)
	}
	if in.rare() {
		d.IndexVectorDim = in.int()
	}
	g.operand, g.indices = in.or(g.operand), in.or(g.indices)
	return g
}

func (e *elementRow[T]) hostileGeneralGather(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	g := in.hostileGeneral()
	shape, shapeErr := kernels.GeneralGatherShape(g.operand, g.indices, g.dims)
	if tooMuch(g.operand) || tooMuch(g.indices) || tooMuch(shape) {
		return
	}
	operand := e.hostilePlacement(in, g.operand, false)
	x := in.hostileIndices(g.indices)
	dst := e.placeInto(in, in.or(shape), operand)
	e.attempt(t, hostileTrial[T]{
		op: generalGather, dst: dst, inputs: []placement[T]{operand}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.generalGather(dst, inputs[0], x, g.dims, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineGeneralGather(dst, inputs[0], x, g.dims)
		},
	})
}

func (e *elementRow[T]) hostileGeneralScatter(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	g := in.hostileGeneral()
	dims, window := g.scatter(), in.or(g.result)
	if tooMuch(g.operand) || tooMuch(g.indices) || tooMuch(window) {
		return
	}
	input := e.hostilePlacement(in, g.operand, in.next()%2 == 0)
	x := in.hostileIndices(g.indices)
	updates := e.hostilePlacement(in, window, false)
	dst := e.placeInto(in, in.or(g.operand), input, input, updates)
	attrs := kernels.ScatterAttrs{Reduction: ndReductions[int(in.next())%len(ndReductions)], IgnoreInit: in.next()%2 == 0}
	if in.rare() {
		attrs.Reduction = kernels.Reduction(in.next())
	}
	want, shapeErr := kernels.GeneralScatterShape(g.operand, g.indices, window, dims)
	e.attempt(t, hostileTrial[T]{
		op: generalScatter, dst: dst, inputs: []placement[T]{input, updates}, shape: want, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.generalScatter(dst, inputs[0], x, inputs[1], dims, attrs, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineGeneralScatter(dst, inputs[0], x, inputs[1], dims, generic.Op(attrs.Reduction), attrs.IgnoreInit)
		},
	})
}

// generalExample is the example of StableHLO's text.
func generalExample() (operand kernels.Tensor[int32], starts kernels.Tensor[int64], dims kernels.GatherDims) {
	operand = kernels.New(make([]int32, 48), 2, 3, 4, 2)
	for i := range operand.Data {
		operand.Data[i] = int32(i + 1)
	}
	starts = kernels.New([]int64{0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0}, 2, 2, 3, 2)
	return operand, starts, kernels.GatherDims{
		OffsetDims: []int{3, 4}, CollapsedSliceDims: []int{1}, OperandBatchingDims: []int{0}, StartIndicesBatchingDims: []int{1},
		StartIndexMap: []int{2, 1}, IndexVectorDim: 3, SliceSizes: []int{1, 1, 2, 2},
	}
}

// scatterExample is the other half of it, which adds ones to the windows.
func scatterExample() (updates kernels.Tensor[int32], dims kernels.ScatterDims) {
	return kernels.New(repeat[int32](48, 1), 2, 2, 3, 2, 2), kernels.ScatterDims{
		UpdateWindowDims: []int{3, 4}, InsertedWindowDims: []int{1}, InputBatchingDims: []int{0}, ScatterIndicesBatchingDims: []int{1},
		ScatterDimsToOperandDims: []int{2, 1}, IndexVectorDim: 3,
	}
}

// TestGeneralExamples compares the examples of StableHLO's text.
func TestGeneralExamples(t *testing.T) { kernels.Ways(t, testGeneralExamples) }

func testGeneralExamples(t *testing.T) {
	operand, starts, gd := generalExample()
	ones, sd := scatterExample()
	runGolden(t, []golden[int32]{
		{
			"StableHLO 1, gather", []int{2, 2, 3, 2, 2},
			[]int32{1, 2, 3, 4, 3, 4, 5, 6, 13, 14, 15, 16, 33, 34, 35, 36, 35, 36, 37, 38, 41, 42, 43, 44,
				1, 2, 3, 4, 13, 14, 15, 16, 21, 22, 23, 24, 43, 44, 45, 46, 33, 34, 35, 36, 27, 28, 29, 30},
			func() ([]int, error) { return kernels.GeneralGatherShape(operand.Shape, starts.Shape, gd) },
			func(dst kernels.Tensor[int32], opts ...kernels.Option) error {
				return kernels.GeneralGather(dst, operand, starts, gd, opts...)
			},
			func(dst []int32, v generic.View) error {
				return generic.GeneralGather(dst, v, operand.Data, viewOf(operand), starts.Data, viewOf(starts), generic.GatherDims(gd))
			},
		},
		{
			"StableHLO 1, scatter", operand.Shape,
			[]int32{3, 4, 6, 7, 6, 7, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 17, 18, 19, 20, 22, 23, 24, 25,
				25, 26, 28, 29, 30, 31, 31, 32, 35, 36, 38, 39, 38, 39, 39, 40, 41, 42, 44, 45, 46, 47, 47, 48},
			func() ([]int, error) {
				return kernels.GeneralScatterShape(operand.Shape, starts.Shape, ones.Shape, sd)
			},
			func(dst kernels.Tensor[int32], opts ...kernels.Option) error {
				return kernels.GeneralScatter(dst, operand, starts, ones, sd, kernels.ScatterAttrs{Reduction: kernels.Sum}, opts...)
			},
			func(dst []int32, v generic.View) error {
				return generic.GeneralScatter(dst, v, operand.Data, viewOf(operand), starts.Data, viewOf(starts), ones.Data, viewOf(ones), generic.ScatterDims(sd), generic.Sum, false)
			},
		},
	})
}

// TestGeneral compares errors by another policy, and windows that do not fit.
func TestGeneral(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		operand, starts, dims := generalExample()
		ones, sd := scatterExample()
		dst, sum := kernels.New(make([]int32, 48), 2, 2, 3, 2, 2), kernels.ScatterAttrs{Reduction: kernels.Sum}
		want := &kernels.IndexError{Position: []int{0, 1, 2, 1}, Value: "9", Axis: 1, Size: 3}
		requireFailure(t, generalGather, want, kernels.GeneralGather(dst, operand, starts, dims, kernels.Indices(errorError)))
		before := slices.Clone(operand.Data)
		requireFailure(t, generalScatter, want, kernels.GeneralScatter(operand, operand, starts, ones, sd, sum, kernels.Indices(errorError)))
		require.Equal(t, before, operand.Data, "in place")

		// A window that sticks out is skipped whole, or moved inside, or an error that says its
		// length.
		row, one := kernels.New([]int32{1, 2, 3, 4}, 4), kernels.New([]int8{3}, 1)
		wd := kernels.ScatterDims{UpdateWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 0}
		two, moved := kernels.New([]int32{8, 9}, 2), kernels.New(make([]int32, 4), 4)
		require.NoError(t, kernels.GeneralScatter(moved, row, one, two, wd, kernels.ScatterAttrs{}))
		require.Equal(t, []int32{1, 2, 3, 4}, moved.Data)
		require.NoError(t, kernels.GeneralScatter(moved, row, one, two, wd, kernels.ScatterAttrs{}, kernels.Indices(clampClamp)))
		require.Equal(t, []int32{1, 2, 8, 9}, moved.Data)
		err := kernels.GeneralScatter(moved, row, one, two, wd, kernels.ScatterAttrs{}, kernels.Indices(wrapError))
		require.EqualError(t, err, "kernels: GeneralScatter: index 3 at [0] is out of range for axis 0 of size 4, of which 2 from the index on are written")
		gd := kernels.GatherDims{OffsetDims: []int{0}, StartIndexMap: []int{0}, SliceSizes: []int{2}}
		err = kernels.GeneralGather(two, row, one, gd, kernels.Indices(wrapError))
		require.EqualError(t, err, "kernels: GeneralGather: index 3 at [0] is out of range for axis 0 of size 4, of which 2 from the index on are read")
	})
}

// TestGeneralOrder: windows that overlap are applied one after the other.
func TestGeneralOrder(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		const n, windows, length = 300, 400, 5
		starts, updates := kernels.New(make([]int32, windows), windows, 1), kernels.New(make([]float32, windows*length), windows, length)
		want := make([]float32, n)
		for i := range windows {
			starts.Data[i] = int32(i * 7919 % (n - length + 1))
			for j := range length {
				v := float32(1) / float32(i*length+j+3)
				updates.Data[i*length+j] = v
				want[int(starts.Data[i])+j] += v
			}
		}
		dims := kernels.ScatterDims{UpdateWindowDims: []int{1}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}
		for _, workers := range workerCounts {
			dst := kernels.New(make([]float32, n), n)
			require.NoError(t, kernels.GeneralScatter(dst, dst, starts, updates, dims, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers)))
			require.Equal(t, want, dst.Data)
		}
	})
}

// TestGeneralErrors spoils each dimension number of StableHLO's example.
func TestGeneralErrors(t *testing.T) {
	operand, starts, good := generalExample()
	for _, row := range []struct {
		attribute string
		gather    string // its name in a gather's error, if it has one
		spoil     func(d *kernels.GatherDims)
	}{
		{"update_window_dims", "offset_dims", func(d *kernels.GatherDims) { d.OffsetDims = []int{3} }},
		{"update_window_dims", "offset_dims", func(d *kernels.GatherDims) { d.OffsetDims = []int{4, 3} }},
		{"update_window_dims", "offset_dims", func(d *kernels.GatherDims) { d.OffsetDims = []int{3, 3} }},
		{"update_window_dims", "offset_dims", func(d *kernels.GatherDims) { d.OffsetDims = []int{3, 5} }},
		{"update_window_dims", "offset_dims", func(d *kernels.GatherDims) { d.OffsetDims = []int{-1, 3} }},
		{"inserted_window_dims", "collapsed_slice_dims", func(d *kernels.GatherDims) { d.CollapsedSliceDims = []int{4} }},
		{"inserted_window_dims", "collapsed_slice_dims", func(d *kernels.GatherDims) { d.CollapsedSliceDims = []int{-1} }},
		{"input_batching_dims", "operand_batching_dims", func(d *kernels.GatherDims) { d.CollapsedSliceDims = []int{0} }},
		{"input_batching_dims", "operand_batching_dims", func(d *kernels.GatherDims) { d.OperandBatchingDims = []int{4} }},
		{"scatter_indices_batching_dims", "start_indices_batching_dims", func(d *kernels.GatherDims) { d.StartIndicesBatchingDims = []int{4} }},
		{"scatter_indices_batching_dims", "start_indices_batching_dims", func(d *kernels.GatherDims) { d.StartIndicesBatchingDims = []int{3} }},
		{"scatter_indices_batching_dims", "start_indices_batching_dims", func(d *kernels.GatherDims) { d.StartIndicesBatchingDims = nil }},
		{"scatter_dims_to_operand_dims", "start_index_map", func(d *kernels.GatherDims) { d.StartIndexMap = []int{2} }},
		{"scatter_dims_to_operand_dims", "start_index_map", func(d *kernels.GatherDims) { d.StartIndexMap = []int{2, 2} }},
		{"scatter_dims_to_operand_dims", "start_index_map", func(d *kernels.GatherDims) { d.StartIndexMap = []int{2, 4} }},
		{"scatter_dims_to_operand_dims", "start_index_map", func(d *kernels.GatherDims) { d.StartIndexMap = []int{2, 0} }},
		{"index_vector_dim", "index_vector_dim", func(d *kernels.GatherDims) { d.IndexVectorDim = 5 }},
		{"index_vector_dim", "index_vector_dim", func(d *kernels.GatherDims) { d.IndexVectorDim = -1 }},
		{"", "slice_sizes", func(d *kernels.GatherDims) { d.SliceSizes = []int{1, 1, 2} }},
		{"", "slice_sizes", func(d *kernels.GatherDims) { d.SliceSizes = []int{1, 2, 2, 2} }},
		{"", "slice_sizes", func(d *kernels.GatherDims) { d.SliceSizes = []int{2, 1, 2, 2} }},
		{"", "slice_sizes", func(d *kernels.GatherDims) { d.SliceSizes = []int{1, 1, 5, 2} }},
		{"", "slice_sizes", func(d *kernels.GatherDims) { d.SliceSizes = []int{1, 1, -1, 2} }},
	} {
		g := generalDims{dims: good}
		row.spoil(&g.dims)
		dst := kernels.New(make([]int32, 48), 2, 2, 3, 2, 2)
		check := func(op, attribute string, err error) {
			t.Helper()
			var bad *kernels.AttributeError
			require.ErrorAs(t, err, &bad)
			require.ErrorIs(t, err, kernels.ErrAttribute)
			require.Equal(t, op, bad.Op)
			require.Equal(t, attribute, bad.Attribute, err.Error())
		}
		check(generalGather, row.gather, kernels.GeneralGather(dst, operand, starts, g.dims))
		_, err := kernels.GeneralGatherShape(operand.Shape, starts.Shape, g.dims)
		check(generalGather, row.gather, err)
		if row.attribute != "" {
			check(generalScatter, row.attribute, kernels.GeneralScatter(operand, operand, starts, dst, g.scatter(), kernels.ScatterAttrs{}))
			_, err := kernels.GeneralScatterShape(operand.Shape, starts.Shape, dst.Shape, g.scatter())
			check(generalScatter, row.attribute, err)
		}
	}
	g := generalDims{dims: good}
	dst := kernels.New(make([]int32, 48), 2, 2, 3, 2, 2)
	for _, r := range []kernels.Reduction{kernels.Mean, 99} {
		var bad *kernels.AttributeError
		require.ErrorAs(t, kernels.GeneralScatter(operand, operand, starts, dst, g.scatter(), kernels.ScatterAttrs{Reduction: r}), &bad)
		require.Equal(t, "reduction", bad.Attribute)
	}
	for _, updates := range [][]int{{2, 2, 3, 2}, {2, 2, 3, 5, 2}, {3, 2, 3, 2, 2}, {2, 2, 3, -1, 2}} {
		_, err := kernels.GeneralScatterShape(operand.Shape, starts.Shape, updates, g.scatter())
		require.ErrorIs(t, err, kernels.ErrShape, "%v", updates)
	}
	_, err := kernels.GeneralGatherShape([]int{3, 3, 4, 2}, starts.Shape, good)
	require.ErrorIs(t, err, kernels.ErrShape, "batching axes of two sizes")
	_, err = kernels.GeneralGatherShape([]int{2, -3, 4, 2}, starts.Shape, good)
	require.ErrorIs(t, err, kernels.ErrShape)
	_, err = kernels.GeneralGatherShape([]int{0, 2}, []int{3, 1}, kernels.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{1}, IndexVectorDim: 1, SliceSizes: []int{0, 2}})
	require.ErrorIs(t, err, kernels.ErrShape, "no element on an axis without starts")
	require.ErrorIs(t, kernels.GeneralGather(kernels.New(dst.Data[:6], 6), operand, starts, good), kernels.ErrShape)
	require.ErrorIs(t, kernels.GeneralGather(kernels.New(operand.Data, 2, 2, 3, 2, 2), operand, starts, good), kernels.ErrOverlap)
}

// Windows of two elements from three starts. The last does not fit, and is moved inside.
func ExampleGeneralGather() {
	row := kernels.New([]float32{10, 20, 30, 40, 50}, 5)
	starts := kernels.New([]int32{0, 2, 4}, 3, 1)
	dims := kernels.GatherDims{
		OffsetDims:     []int{1}, // of dst: along a window
		StartIndexMap:  []int{0}, // of operand: what starts count along
		IndexVectorDim: 1,        // of starts: their components
		SliceSizes:     []int{2},
	}
	dst := kernels.New(make([]float32, 6), 3, 2)
	err := kernels.GeneralGather(dst, row, starts, dims)
	fmt.Println(dst.Data, err)
	// Output: [10 20 30 40 40 50] <nil>
}

// Windows that overlap are added one after the other. The last does not fit, and is skipped.
func ExampleGeneralScatter() {
	row := kernels.New([]float32{0, 0, 0, 0, 0}, 5)
	starts := kernels.New([]int32{0, 1, 4}, 3, 1)
	updates := kernels.New([]float32{1, 2, 10, 20, 100, 200}, 3, 2)
	dims := kernels.ScatterDims{
		UpdateWindowDims:         []int{1}, // of updates: along a window
		ScatterDimsToOperandDims: []int{0}, // of input: what starts count along
		IndexVectorDim:           1,        // of starts: their components
	}
	err := kernels.GeneralScatter(row, row, starts, updates, dims, kernels.ScatterAttrs{Reduction: kernels.Sum})
	fmt.Println(row.Data, err)
	// Output: [1 12 20 0 0] <nil>
}
