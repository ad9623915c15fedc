package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

func ranged[T any](name string, data kernels.Tensor[T], r kernels.Ranges, shape []int, want ...T) golden[T] {
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.SliceShape(data.Shape, r) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			if view, err := kernels.RangesView(data, r); err != nil || fmt.Sprint(view.Shape) != fmt.Sprint(shape) || !slices.EqualFunc(read(view), want, sameBits) {
				return fmt.Errorf("RangesView has %v of shape %v, error %v", read(view), view.Shape, err)
			}
			return kernels.Slice(dst, data, r, opts...)
		},
		func(dst []T, v generic.View) error {
			if defined, err := generic.SliceRangesShape(data.Shape, generic.Ranges(r)); err != nil || !slices.Equal(defined, shape) {
				return fmt.Errorf("the definition's shape is %v, error %v", defined, err)
			}
			return generic.SliceRanges(dst, v, data.Data, viewOf(data), generic.Ranges(r))
		}}
}

func TestSliceExamples(t *testing.T) { kernels.Ways(t, testSliceExamples) }

func testSliceExamples(t *testing.T) {
	list := func(n ...int64) []int64 { return n }
	grid := kernels.New([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4)
	cube := kernels.New(counting[int16](24), 2, 3, 4)
	five := kernels.New([]int32{10, 11, 12, 13, 14}, 5)
	ten := kernels.New(counting[int32](10), 10)
	runGolden(t, []golden[float32]{
		ranged("ONNX 13, example 1", grid, kernels.Ranges{Starts: list(1, 0), Ends: list(2, 3), Axes: list(0, 1), Steps: list(1, 2)}, []int{1, 2}, 5, 7),
		ranged("ONNX 13, example 2; ONNX 1, example 2", grid, kernels.Ranges{Starts: list(0, 1), Ends: list(-1, 1000)}, []int{1, 3}, 2, 3, 4),
		ranged("ONNX 1, example 1", grid, kernels.Ranges{Starts: list(1, 0), Ends: list(2, 3), Axes: list(0, 1)}, []int{1, 3}, 5, 6, 7),
		ranged("nothing named", grid, kernels.Ranges{}, []int{2, 4}, 1, 2, 3, 4, 5, 6, 7, 8),
		ranged("lists of no length", grid, kernels.Ranges{Starts: list(), Ends: list(), Axes: list(), Steps: list()}, []int{2, 4}, 1, 2, 3, 4, 5, 6, 7, 8),
		ranged("axes in another order", grid, kernels.Ranges{Starts: list(0, 1), Ends: list(3, 2), Axes: list(1, 0), Steps: list(2, 1)}, []int{1, 2}, 5, 7),
		ranged("negative axes", grid, kernels.Ranges{Starts: list(3, 0), Ends: list(4, 1), Axes: list(-1, -2)}, []int{1, 1}, 4),
		ranged("a scalar", kernels.New([]float32{7}), kernels.Ranges{}, nil, 7),
		ranged("a broadcast view", kernels.Tensor[float32]{Data: grid.Data, Shape: []int{3, 4}, Strides: []int{0, 1}, Offset: 4},
			kernels.Ranges{Starts: list(-1), Ends: list(math.MinInt64), Axes: list(1), Steps: list(-2)}, []int{3, 2}, 8, 6, 8, 6, 8, 6),
		ranged("a transposed view", kernels.Tensor[float32]{Data: grid.Data, Shape: []int{4, 2}, Strides: []int{1, 4}},
			kernels.Ranges{Starts: list(1), Ends: list(3)}, []int{2, 2}, 2, 6, 3, 7),
	})
	runGolden(t, []golden[int16]{
		ranged("axes that are left out are whole", cube, kernels.Ranges{Starts: list(1), Ends: list(2), Axes: list(1)}, []int{2, 1, 4}, 4, 5, 6, 7, 16, 17, 18, 19),
		ranged("axes that follow are whole", cube, kernels.Ranges{Starts: list(1), Ends: list(2)}, []int{1, 3, 4}, counting[int16](24)[12:]...),
		ranged("all reversed", cube, kernels.Ranges{Starts: list(-1, -1, -1), Ends: list(-100, -100, -100), Steps: list(-1, -1, -1)}, []int{2, 3, 4},
			reversedCopy(counting[int16](24))...),
		ranged("nothing left", cube, kernels.Ranges{Starts: list(2), Ends: list(1), Axes: list(2)}, []int{2, 3, 0}),
		ranged("an empty axis", kernels.New([]int16{}, 0, 3), kernels.Ranges{Starts: list(5, 0), Ends: list(-5, 2), Steps: list(-1, 1)}, []int{0, 2}),
	})
	runGolden(t, []golden[int32]{
		ranged("OpenVINO 8, examples 1 and 2", ten, kernels.Ranges{Starts: list(1), Ends: list(8)}, []int{7}, 1, 2, 3, 4, 5, 6, 7),
		ranged("OpenVINO 8, example 3", ten, kernels.Ranges{Starts: list(1), Ends: list(8), Axes: list(0), Steps: list(2)}, []int{4}, 1, 3, 5, 7),
		ranged("OpenVINO 8, example 4", ten, kernels.Ranges{Starts: list(-100), Ends: list(100), Steps: list(1)}, []int{10}, counting[int32](10)...),
		ranged("OpenVINO 8, example 5", ten, kernels.Ranges{Starts: list(9), Ends: list(-11), Steps: list(-1)}, []int{10}, reversedCopy(counting[int32](10))...),
		ranged("OpenVINO 8, example 6", ten, kernels.Ranges{Starts: list(9), Ends: list(0), Steps: list(-1)}, []int{9}, reversedCopy(counting[int32](10))[:9]...),
		ranged("OpenVINO 8, example 7", ten, kernels.Ranges{Starts: list(9), Ends: list(-10), Steps: list(-1)}, []int{9}, reversedCopy(counting[int32](10))[:9]...),
		ranged("OpenVINO 8, example 8", ten, kernels.Ranges{Starts: list(9), Ends: list(-11), Steps: list(-2)}, []int{5}, 9, 7, 5, 3, 1),
		ranged("OpenVINO 8, example 9", ten, kernels.Ranges{Starts: list(100), Ends: list(-100), Steps: list(-1)}, []int{10}, reversedCopy(counting[int32](10))...),
		ranged("OpenVINO 8, example 10", kernels.New(counting[int32](10), 2, 5), kernels.Ranges{Starts: list(0, 1), Ends: list(2, 4), Axes: list(0, 1), Steps: list(1, 2)},
			[]int{2, 2}, 1, 3, 6, 8),
		// As ONNX's text has it: a start is clamped to [0, d] or, for a negative step, to
		// [0, d-1], and an end to [0, d] or [-1, d-1].
		ranged("the whole axis, by INT_MAX", five, kernels.Ranges{Starts: list(0), Ends: list(math.MaxInt32)}, []int{5}, 10, 11, 12, 13, 14),
		ranged("the whole axis, by INT64_MAX", five, kernels.Ranges{Starts: list(math.MinInt64), Ends: list(math.MaxInt64)}, []int{5}, 10, 11, 12, 13, 14),
		ranged("the whole axis backwards, by INT_MIN", five, kernels.Ranges{Starts: list(math.MaxInt32), Ends: list(math.MinInt32), Steps: list(-1)}, []int{5}, 14, 13, 12, 11, 10),
		ranged("the whole axis backwards, by INT64_MIN", five, kernels.Ranges{Starts: list(-1), Ends: list(math.MinInt64), Steps: list(-1)}, []int{5}, 14, 13, 12, 11, 10),
		ranged("an end of -1 is the last element", five, kernels.Ranges{Starts: list(4), Ends: list(-1), Steps: list(-1)}, []int{0}),
		ranged("an end of -d-1 is before the first", five, kernels.Ranges{Starts: list(2), Ends: list(-6), Steps: list(-2)}, []int{2}, 12, 10),
		ranged("an end of d-1 backwards", five, kernels.Ranges{Starts: list(1000), Ends: list(4), Steps: list(-1)}, []int{0}),
		ranged("a start below -d backwards is the first", five, kernels.Ranges{Starts: list(-100), Ends: list(-100), Steps: list(-1)}, []int{1}, 10),
		ranged("a start of d", five, kernels.Ranges{Starts: list(5), Ends: list(9)}, []int{0}),
		ranged("the largest step", five, kernels.Ranges{Starts: list(3), Ends: list(5), Steps: list(math.MaxInt64)}, []int{1}, 13),
		ranged("the smallest step", five, kernels.Ranges{Starts: list(3), Ends: list(math.MinInt64), Steps: list(math.MinInt64)}, []int{1}, 13),
	})
	runGolden(t, []golden[string]{
		ranged("strings", kernels.New([]string{"a", "b", "c", "d"}, 2, 2), kernels.Ranges{Starts: list(1), Ends: list(2), Axes: list(-1)}, []int{2, 1}, "b", "d"),
	})
}

func reversedCopy[T any](s []T) []T {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

// TestSliceOfManyAxes: the time for a rank that nobody has is in proportion to it, also to
// find that an axis occurs twice.
func TestSliceOfManyAxes(t *testing.T) {
	const rank = 200_000
	data := kernels.New([]int8{5}, repeat(rank, 1)...)
	r := kernels.Ranges{Starts: make([]int64, rank), Ends: repeat(rank, int64(1)), Axes: make([]int64, rank)}
	for i := range r.Axes {
		r.Axes[i] = int64(i - rank)
	}
	dst := kernels.New([]int8{0}, data.Shape...)
	require.NoError(t, kernels.Slice(dst, data, r))
	require.Equal(t, []int8{5}, dst.Data)
	r.Axes[rank-1] = rank - 2
	requireFailure(t, slice, badAttribute("axes", ""), kernels.Slice(dst, data, r))
}

// ranges returns the ranges of a random slice of a tensor of that shape.
func (c *randomCall) ranges(shape []int) (r kernels.Ranges) {
	axes := c.Perm(len(shape))[:c.IntN(len(shape)+1)]
	if c.chance(30) {
		slices.Sort(axes)
	}
	inOrder := true
	for i, axis := range axes {
		inOrder = inOrder && i == axis
		r.Starts, r.Ends = append(r.Starts, c.bound(shape[axis])), append(r.Ends, c.bound(shape[axis]))
		r.Steps = append(r.Steps, pick[int64](c, 1, 1, 1, -1, -1, 2, -2, 3, -3, 5, -7, 1<<31, 1<<32+1, -1<<33, math.MaxInt64, math.MinInt64))
		if c.chance(40) {
			axis -= len(shape)
		}
		r.Axes = append(r.Axes, int64(axis))
	}
	if inOrder && c.chance(50) {
		r.Axes = pick(c, nil, []int64{})
	}
	if c.chance(20) {
		r.Steps = pick(c, nil, []int64{})
	}
	if n := len(axes); c.chance(4) { // what is not allowed
		switch c.IntN(5) {
		case 0:
			r.Ends = append(r.Ends, 1)
		case 1:
			r.Steps = make([]int64, max(n, 1))
		case 2:
			r.Axes = repeat(n+1, int64(0))
		case 3:
			if n > 0 {
				r.Axes = repeat(n, pick(c, int64(len(shape)), math.MinInt64, math.MaxInt64))
			}
		case 4:
			if n > 1 {
				r.Axes = repeat(n, int64(-1))
			}
		}
	}
	return r
}

func (e *elementRow[T]) slice(c *randomCall) error {
	rank := c.rank()
	if c.chance(5) {
		rank = 0
	}
	data := e.place(c, "data", c.shape(rank), false)
	r := c.ranges(data.Shape)
	c.tell("%+v", r)

	shape, wantErr := generic.SliceRangesShape(data.Shape, generic.Ranges(r))
	got, err := kernels.SliceShape(data.Shape, r)
	if err := sameError("Slice", err, wantErr, nil); err != nil {
		return fmt.Errorf("SliceShape: %w", err)
	} else if !slices.Equal(got, shape) {
		return fmt.Errorf("SliceShape: %v, want %v", got, shape)
	}
	s, _ := generic.Ranges(r).Slice(rank)
	view, err := e.rangesViewBy(data.Tensor, r)
	if err := checkView("Slice", data.Tensor, view, err, s, shape, wantErr, nil); err != nil {
		return fmt.Errorf("RangesView: %w", err)
	}
	dst := e.place(c, "dst", shape, true)
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data}, unchangedOnError: true,
		define: func(array []T) error {
			return generic.SliceRanges(dst.in(array).Data, dst.View(), data.Data, data.View(), generic.Ranges(r))
		},
		run: func(array []T, opts []kernels.Option) error { return e.sliceBy(dst.in(array), data.Tensor, r, opts) },
	})
}

func FuzzSlice(f *testing.F) { fuzz(f, hostileOperators.hostileSlice) }

// ranges reads ranges for a rank: mostly such as there can be.
func (in *hostileInput) ranges(rank int) (r kernels.Ranges) {
	n := int(in.next()) % (rank + 1)
	if in.rare() {
		n = int(in.next() % 8)
	}
	r = kernels.Ranges{Starts: in.list(n, in.int64), Ends: in.list(n, in.int64)}
	if in.next()%2 == 0 {
		r.Steps = in.list(n, in.int64)
	}
	if in.next()%2 == 0 && rank > 0 {
		perm := rand.New(rand.NewPCG(uint64(in.next()), 0)).Perm(rank)
		r.Axes = in.list(n, func() int64 {
			if len(perm) == 0 || in.rare() {
				return in.int64()
			}
			axis := perm[0]
			perm = perm[1:]
			return int64(axis - int(in.next()%2)*rank)
		})
	}
	return r
}

func (e *elementRow[T]) hostileSlice(t *testing.T, in *hostileInput) {
	data := e.hostilePlacement(in, in.dims(), false)
	r := in.ranges(len(data.Shape))
	shape, shapeErr := kernels.SliceShape(data.Shape, r)
	view, viewErr := e.rangesViewBy(data.Tensor, r)
	if tooMuch(shape) {
		return
	}
	s, sErr := generic.Ranges(r).Slice(len(data.Shape))
	if viewErr == nil {
		require.NoError(t, shapeErr, "RangesView succeeded")
		require.NoError(t, sErr, "RangesView succeeded")
		require.True(t, slices.Equal(shape, view.Shape), "shape %v of RangesView, want %v", view.Shape, shape)
		require.NoError(t, checkView("Slice", data.Tensor, view, nil, s, shape, nil, nil))
	} else {
		documented(t, "Slice", viewErr)
	}
	dst := e.placeInto(in, in.or(shape), data)
	e.attempt(t, hostileTrial[T]{
		op: "Slice", dst: dst, inputs: []placement[T]{data}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return e.sliceBy(dst, inputs[0], r, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return generic.SliceRanges(dst.Data, viewOf(dst), inputs[0].Data, viewOf(inputs[0]), generic.Ranges(r))
		},
	})
}
