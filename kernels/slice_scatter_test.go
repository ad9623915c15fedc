package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

func slicedInto[T any](name string, data, updates kernels.Tensor[T], spec kernels.SliceSpec, want ...T) golden[T] {
	return golden[T]{name, data.Shape, want,
		func() ([]int, error) { return kernels.SliceScatterShape(data.Shape, updates.Shape, spec) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.SliceScatter(dst, data, updates, spec, opts...)
		},
		func(dst []T, v generic.View) error {
			return generic.SliceScatter(dst, v, data.Data, viewOf(data), updates.Data, viewOf(updates), generic.Slice(spec))
		}}
}

func TestSliceScatterExamples(t *testing.T) { kernels.Ways(t, testSliceScatterExamples) }

func testSliceScatterExamples(t *testing.T) {
	list := func(n ...int64) []int64 { return n }
	spec := func(r kernels.Ranges, rank int) kernels.SliceSpec {
		s, err := r.Spec(rank)
		require.NoError(t, err)
		return s
	}
	grid := kernels.New(counting[float32](10), 2, 5)
	runGolden(t, []golden[float32]{
		slicedInto("OpenVINO 15, example 1", grid, kernels.New([]float32{10, 20, 30, 40, 50}, 1, 5),
			spec(kernels.Ranges{Starts: list(0), Ends: list(1), Axes: list(0), Steps: list(1)}, 2), 10, 20, 30, 40, 50, 5, 6, 7, 8, 9),
		slicedInto("OpenVINO 15, example 2", grid, kernels.New([]float32{10, 20, 30, 40, 50, 60}, 2, 3),
			spec(kernels.Ranges{Starts: list(-25), Ends: list(25), Axes: list(1), Steps: list(2)}, 2), 10, 1, 20, 3, 30, 40, 6, 50, 8, 60),
		slicedInto("OpenVINO 15, example 3", kernels.New(counting[float32](15), 3, 5), kernels.New([]float32{50, 60, 70, 80}, 2, 2),
			spec(kernels.Ranges{Starts: list(0, 1), Ends: list(3, 5), Steps: list(2, 2)}, 2), 0, 50, 2, 60, 4, 5, 6, 7, 8, 9, 10, 70, 12, 80, 14),
		slicedInto("backward", grid, kernels.New([]float32{10, 20, 30, 40}, 2, 2),
			spec(kernels.Ranges{Starts: list(-1), Ends: list(math.MinInt64), Axes: list(-1), Steps: list(-3)}, 2), 0, 20, 2, 3, 10, 5, 40, 7, 8, 30),
		slicedInto("everything, reversed", grid, grid, kernels.SliceSpec{Begin: list(0, 0), End: list(0, 0), Strides: list(-1, -1), BeginMask: mask("1,1"), EndMask: mask("1,1")},
			9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
		slicedInto("nothing", grid, kernels.New([]float32{}, 0, 5), kernels.SliceSpec{Begin: list(1), End: list(1)}, counting[float32](10)...),
		slicedInto("a shrunk axis", grid, kernels.New([]float32{-1, -2}, 2), kernels.SliceSpec{Begin: list(-1, 1), End: list(0, 3), ShrinkAxisMask: mask("1")},
			0, 1, 2, 3, 4, 5, -1, -2, 8, 9),
		slicedInto("a new axis and an ellipsis", grid, kernels.New([]float32{-1, -2}, 2, 1), kernels.SliceSpec{
			Begin: list(0, 0, 2), End: list(0, 0, 3), NewAxisMask: mask("0,1"), EllipsisMask: mask("1"), ShrinkAxisMask: mask("0,0,1")}, 0, 1, -1, 3, 4, 5, 6, -2, 8, 9),
		slicedInto("a scalar", kernels.New([]float32{7}), kernels.New([]float32{8}, 1), kernels.SliceSpec{Begin: list(0), End: list(0), NewAxisMask: mask("1")}, 8),
		slicedInto("an element of broadcast updates", grid, kernels.Tensor[float32]{Data: []float32{-1}, Shape: []int{2, 2}, Strides: []int{0, 0}},
			kernels.SliceSpec{Begin: list(0, 3), End: list(2, 5)}, 0, 1, 2, -1, -1, 5, 6, 7, -1, -1),
		slicedInto("a broadcast view", kernels.Tensor[float32]{Data: grid.Data, Shape: []int{2, 3}, Strides: []int{0, 1}}, kernels.New([]float32{-1, -2, -3}, 3),
			kernels.SliceSpec{Begin: list(1), End: list(0), ShrinkAxisMask: mask("1")}, 0, 1, 2, -1, -2, -3),
	})
	runGolden(t, []golden[string]{
		slicedInto("strings", kernels.New([]string{"a", "b", "c", "d"}, 2, 2), kernels.New([]string{"x", "y"}, 2, 1),
			kernels.SliceSpec{Begin: list(0, 1), End: list(2, 2)}, "a", "x", "c", "y"),
	})
	runGolden(t, []golden[[3]uint8]{
		slicedInto("pixels", kernels.New([][3]uint8{{1}, {2}, {3}}, 3), kernels.New([][3]uint8{{7}, {8}}, 2),
			kernels.SliceSpec{Begin: list(0), End: list(3), Strides: list(2)}, [3]uint8{7}, [3]uint8{2}, [3]uint8{8}),
	})
}

// TestRangesSpec: a spec of ranges takes what Slice takes, and fails as Slice does.
func TestRangesSpec(t *testing.T) {
	c := &randomCall{Rand: rand.New(rand.NewPCG(7, 0))}
	for range 3000 {
		shape := c.shape(c.IntN(5))
		r := c.ranges(shape)
		want, wantErr := kernels.SliceShape(shape, r)
		spec, err := r.Spec(len(shape))
		if err != nil {
			require.Equal(t, wantErr, err)
			continue
		}
		require.NoError(t, wantErr)
		data := kernels.New(counting[int32](elements(shape)), shape...)
		got, err := kernels.StridedSliceShape(shape, spec)
		require.NoError(t, err)
		require.True(t, slices.Equal(want, got), "%+v of %v: %v and %v", r, shape, want, got)
		byRanges, err := kernels.RangesView(data, r)
		require.NoError(t, err)
		bySpec, err := kernels.SliceView(data, spec)
		require.NoError(t, err)
		require.Equal(t, read(byRanges), read(bySpec), "%+v of %v", r, shape)
	}
	_, err := kernels.Ranges{}.Spec(-1)
	requireFailure(t, slice, badAttribute("rank", "-1"), err)
	_, err = kernels.Ranges{}.Spec(math.MaxInt) // of which nothing can be made
	requireFailure(t, slice, badAttribute("rank", strconv.Itoa(math.MaxInt)), err)
	_, err = kernels.Ranges{Starts: []int64{0}, Ends: []int64{1}}.Spec(0)
	requireFailure(t, slice, badAttribute("starts", "of length 1"), err)
	_, err = kernels.Ranges{Starts: []int64{0}, Ends: []int64{1}, Axes: []int64{2}}.Spec(2)
	requireFailure(t, slice, badAttribute("axes", "[2]"), err)
}

func (e *elementRow[T]) sliceScatter(c *randomCall) error {
	inPlace := c.chance(40)
	rank := c.rank()
	if c.chance(5) {
		rank = 0
	}
	data := e.place(c, "data", c.shape(rank), inPlace)
	s, expect := c.slice(data.Shape)
	spec := kernels.SliceSpec(s)
	c.tell("%+v", spec)
	part, shapeErr := generic.StridedSliceShape(data.Shape, s)
	updates := e.place(c, "updates", part, false)
	if v, length := c.view(part, false); !inPlace && shapeErr == nil && length <= len(data.Data) && c.chance(10) {
		updates = placementOf(data.array, data.at, len(data.Data), v) // inputs may share memory
		c.tell("updates in data's memory: strides %v offset %d", v.Strides, v.Offset)
	}
	dst := data.respelled(c)
	if inPlace {
		c.tell("dst in place: strides %v offset %d, its slice %d on", dst.Strides, dst.Offset, dst.at-data.at)
	} else {
		dst = e.place(c, "dst", data.Shape, true)
	}

	got, err := kernels.SliceScatterShape(data.Shape, updates.Shape, spec)
	if err := sameError("SliceScatter", err, shapeErr, expect); err != nil {
		return fmt.Errorf("SliceScatterShape: %w", err)
	} else if err == nil && shapeErr == nil && !slices.Equal(got, data.Shape) {
		return fmt.Errorf("SliceScatterShape: %v, want %v", got, data.Shape)
	}
	source := func(array []T) kernels.Tensor[T] {
		if inPlace {
			return data.in(array)
		}
		return data.Tensor
	}
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data, updates}, unchangedOnError: true, errors: expect,
		define: func(array []T) error {
			return generic.SliceScatter(dst.in(array).Data, dst.View(), source(array).Data, data.View(), updates.Data, updates.View(), s)
		},
		run: func(array []T, opts []kernels.Option) error {
			return e.sliceScatterBy(dst.in(array), source(array), updates.Tensor, spec, opts)
		},
	})
}

func FuzzSliceScatter(f *testing.F) { fuzz(f, hostileOperators.hostileSliceScatter) }

func (e *elementRow[T]) hostileSliceScatter(t *testing.T, in *hostileInput) {
	data := e.hostilePlacement(in, in.dims(), in.next()%2 == 0)
	spec := in.spec()
	part, _ := kernels.StridedSliceShape(data.Shape, spec)
	if tooMuch(part) || tooMuch(data.Shape) {
		return
	}
	updates := e.hostilePlacement(in, in.or(part), false)
	dst := e.placeInto(in, in.or(data.Shape), data, data, updates)
	shape, shapeErr := kernels.SliceScatterShape(data.Shape, updates.Shape, spec)
	e.attempt(t, hostileTrial[T]{
		op: "SliceScatter", dst: dst, inputs: []placement[T]{data, updates}, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return e.sliceScatterBy(dst, inputs[0], inputs[1], spec, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return generic.SliceScatter(dst.Data, viewOf(dst), inputs[0].Data, viewOf(inputs[0]), inputs[1].Data, viewOf(inputs[1]), generic.Slice(spec))
		},
	})
}
