package kernels_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// A golden is one call whose result was known before it was made. The operator
// and its definition in package generic are both held to it.
type golden[T any] struct {
	name   string
	shape  []int // of the result
	want   []T   // row-major
	infer  func() ([]int, error)
	call   func(dst kernels.Tensor[T], opts ...kernels.Option) error
	define func(dst []T, v generic.View) error
}

// wide returns the indices of a tensor as the definitions are given them here. Every type of
// indices is the business of their own tests.
func wide[I kernels.Index](x kernels.Tensor[I]) []int64 {
	all := make([]int64, len(x.Data))
	for i, k := range x.Data {
		all[i] = int64(k)
	}
	return all
}

func gathered[T any, I kernels.Index](name string, data kernels.Tensor[T], indices kernels.Tensor[I], axis int, shape []int, want ...T) golden[T] {
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.GatherElementsShape(data.Shape, indices.Shape, axis) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.GatherElements(dst, data, indices, axis, opts...)
		},
		func(dst []T, v generic.View) error {
			return generic.GatherElements(dst, v, data.Data, viewOf(data), wide(indices), viewOf(indices), axis)
		}}
}

func gatheredND[T any, I kernels.Index](name string, data kernels.Tensor[T], indices kernels.Tensor[I], batchDims int, shape []int, want ...T) golden[T] {
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.GatherNDShape(data.Shape, indices.Shape, batchDims) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.GatherND(dst, data, indices, batchDims, opts...)
		},
		func(dst []T, v generic.View) error {
			return generic.GatherND(dst, v, data.Data, viewOf(data), wide(indices), viewOf(indices), batchDims)
		}}
}

func gatheredSlices[T any, I kernels.Index](name string, data kernels.Tensor[T], indices kernels.Tensor[I], axis, batchDims int, shape []int, want ...T) golden[T] {
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.GatherShape(data.Shape, indices.Shape, axis, batchDims) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.Gather(dst, data, indices, axis, batchDims, opts...)
		},
		func(dst []T, v generic.View) error {
			return generic.GatherSlices(dst, v, data.Data, viewOf(data), wide(indices), viewOf(indices), axis, batchDims)
		}}
}

func scattered[T any, I kernels.Index](name string, data kernels.Tensor[T], indices kernels.Tensor[I], updates kernels.Tensor[T], axis int, attrs kernels.ScatterAttrs, want ...T) golden[T] {
	return golden[T]{name, data.Shape, want,
		func() ([]int, error) {
			return kernels.ScatterElementsUpdateShape(data.Shape, indices.Shape, updates.Shape, axis)
		},
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.ScatterElementsUpdate(dst, data, indices, updates, axis, attrs, opts...)
		},
		func(dst []T, v generic.View) error {
			return generic.ScatterElementsUpdate(dst, v, data.Data, viewOf(data), wide(indices), viewOf(indices), updates.Data, viewOf(updates),
				axis, generic.Op(attrs.Reduction), attrs.IgnoreInit)
		}}
}

func scatteredND[T any, I kernels.Index](name string, data kernels.Tensor[T], indices kernels.Tensor[I], updates kernels.Tensor[T], attrs kernels.ScatterAttrs, want ...T) golden[T] {
	return golden[T]{name, data.Shape, want,
		func() ([]int, error) { return kernels.ScatterNDUpdateShape(data.Shape, indices.Shape, updates.Shape) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.ScatterNDUpdate(dst, data, indices, updates, attrs, opts...)
		},
		func(dst []T, v generic.View) error {
			return generic.ScatterNDUpdate(dst, v, data.Data, viewOf(data), wide(indices), viewOf(indices), updates.Data, viewOf(updates),
				generic.Op(attrs.Reduction), attrs.IgnoreInit)
		}}
}

func sliced[T any](name string, data kernels.Tensor[T], spec kernels.SliceSpec, shape []int, want ...T) golden[T] {
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.StridedSliceShape(data.Shape, spec) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			if view, err := kernels.SliceView(data, spec); err != nil || fmt.Sprint(view.Shape) != fmt.Sprint(shape) || !slices.EqualFunc(read(view), want, sameBits) {
				return fmt.Errorf("SliceView has %v of shape %v, error %v", read(view), view.Shape, err)
			}
			return kernels.StridedSlice(dst, data, spec, opts...)
		},
		func(dst []T, v generic.View) error {
			if defined, err := generic.StridedSliceShape(data.Shape, generic.Slice(spec)); err != nil || !slices.Equal(defined, shape) {
				return fmt.Errorf("the definition's shape is %v, error %v", defined, err)
			}
			return generic.StridedSlice(dst, v, data.Data, viewOf(data), generic.Slice(spec))
		}}
}

// runGolden writes each row's result through every layout that dst may have, and has its definition
// do so.
func runGolden[T any](t *testing.T, rows []golden[T]) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			shape, err := row.infer()
			require.NoError(t, err)
			requireShape(t, row.shape, shape)
			for _, l := range layouts(row.shape) {
				dst := lay(repeat(len(row.want), filler[T]()), row.shape, l.strides)
				require.NoError(t, row.call(dst), l.name)
				requireBits(t, row.want, read(dst), l.name)
				requireFrame(t, dst, l.name)

				dst = lay(repeat(len(row.want), filler[T]()), row.shape, l.strides)
				require.NoError(t, row.define(dst.Data, viewOf(dst)), "the definition, "+l.name)
				requireBits(t, row.want, read(dst), "the definition, "+l.name)
				requireFrame(t, dst, "the definition, "+l.name)
			}
		})
	}
}

type layout struct {
	name    string
	strides []int
}

// layouts are ways to lay out a tensor so that no two coordinates meet.
func layouts(shape []int) []layout {
	row := rowMajor(shape)
	column := make([]int, len(shape))
	padded := make([]int, len(shape))
	for d, c, p := 0, 1, 1; d < len(shape); d++ {
		column[d] = c
		c *= max(shape[d], 1)
		e := len(shape) - 1 - d
		padded[e] = p
		p = p*max(shape[e], 1) + d + 1
	}
	times := func(strides []int, factors ...int) []int {
		out := slices.Clone(strides)
		for d := range out {
			out[d] *= factors[d%len(factors)]
		}
		return out
	}
	all := []layout{
		{"contiguous", nil},
		{"no strides", []int{}},
		{"strides written out", row},
		{"padded rows", padded},
		{"reversed", times(row, -1)},
		{"every third", times(row, 3)},
		{"transposed", column},
		{"transposed, some axes reversed", times(column, -2, 2)},
	}
	if slices.Equal(shape, []int{2, 3}) {
		all = append(all, layout{"interlocked", []int{3, 2}}) // 0 2 4 and 3 5 7
	}
	return all
}

func rowMajor(shape []int) []int {
	strides := make([]int, len(shape))
	for d, s := len(shape)-1, 1; d >= 0; d-- {
		strides[d] = s
		s *= max(shape[d], 1)
	}
	return strides
}

// positions lists where a view's elements lie, in row-major order.
func positions[T any](v kernels.Tensor[T]) []int {
	strides := v.Strides
	if len(strides) == 0 {
		strides = rowMajor(v.Shape)
	}
	at := []int{v.Offset}
	for d, n := range v.Shape {
		next := make([]int, 0, len(at)*n)
		for _, p := range at {
			for i := range n {
				next = append(next, p+i*strides[d])
			}
		}
		at = next
	}
	return at
}

func read[T any](v kernels.Tensor[T]) []T {
	out := []T{}
	for _, p := range positions(v) {
		out = append(out, v.Data[p])
	}
	return out
}

// lay puts values into a slice of fillers as a view with these strides, a few
// elements from either end.
func lay[T any](values []T, shape, strides []int) kernels.Tensor[T] {
	const margin = 3
	low, high := 0, 0
	view := kernels.Tensor[T]{Shape: slices.Clone(shape), Strides: slices.Clone(strides)}
	for _, p := range positions(view) {
		low, high = min(low, p), max(high, p)
	}
	view.Data = repeat(margin-low+high+1+margin, filler[T]())
	view.Offset = margin - low
	for i, p := range positions(view) {
		view.Data[p] = values[i]
	}
	return view
}

// requireFrame checks that nothing but the view's own elements was written.
func requireFrame[T any](t *testing.T, v kernels.Tensor[T], msg ...any) {
	rest := slices.Clone(v.Data)
	for _, p := range positions(v) {
		rest[p] = filler[T]()
	}
	requireBits(t, repeat(len(rest), filler[T]()), rest, msg...)
}

// repeat is not inlined, so that what it makes is always on the heap.
//
//go:noinline
func repeat[T any](n int, v T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// counting returns 0, 1, 2, … as T.
func counting[T int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64](n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = T(i)
	}
	return out
}

// filler is an element that no row expects.
func filler[T any]() T {
	var v T
	switch r := reflect.ValueOf(&v).Elem(); {
	case r.CanInt():
		r.SetInt(0x5A)
	case r.CanUint():
		r.SetUint(0xA5)
	case r.CanFloat():
		r.SetFloat(-7777.25)
	case r.CanComplex():
		r.SetComplex(complex(-7777.25, 7777.25))
	case r.Kind() == reflect.String:
		r.SetString("filler")
	}
	return v
}

// sameBits compares floats by their bits, so that -0 is not 0 and a NaN equals
// itself alone.
func sameBits[T any](a, b T) bool {
	switch x := any(a).(type) {
	case float32:
		return math.Float32bits(x) == math.Float32bits(any(b).(float32))
	case float64:
		return math.Float64bits(x) == math.Float64bits(any(b).(float64))
	case complex64:
		y := any(b).(complex64)
		return sameBits(real(x), real(y)) && sameBits(imag(x), imag(y))
	case complex128:
		y := any(b).(complex128)
		return sameBits(real(x), real(y)) && sameBits(imag(x), imag(y))
	}
	if x := reflect.ValueOf(a); x.CanFloat() { // a named type
		return sameBits(x.Float(), reflect.ValueOf(b).Float())
	}
	return reflect.DeepEqual(a, b)
}

// sameOrNaN is sameBits for results of arithmetic, where a NaN is some NaN.
func sameOrNaN[T any](a, b T) bool {
	isNaN := func(v any) bool {
		if h, ok := v.(interface{ Float32() float32 }); ok {
			v = h.Float32()
		}
		f := reflect.ValueOf(v)
		return f.CanFloat() && math.IsNaN(f.Float())
	}
	switch x := any(a).(type) {
	case complex64:
		y := any(b).(complex64)
		return sameOrNaN(real(x), real(y)) && sameOrNaN(imag(x), imag(y))
	case complex128:
		y := any(b).(complex128)
		return sameOrNaN(real(x), real(y)) && sameOrNaN(imag(x), imag(y))
	}
	return sameBits(a, b) || isNaN(a) && isNaN(b)
}

func requireBits[T any](t *testing.T, want, got []T, msg ...any) {
	requireEach(t, want, got, sameBits, msg...)
}

func requireEach[T any](t *testing.T, want, got []T, same func(a, b T) bool, msg ...any) {
	if len(got) != len(want) { // t.Helper and require.Len on each call would take a tenth of the tests' time
		require.Failf(t, "not as long", "%d elements: want %d; %v", len(got), len(want), msg)
	}
	for i := range want {
		if !same(want[i], got[i]) {
			require.Failf(t, "not the same", "element %d of %d: want %v (%#v), got %v (%#v); %v", i, len(want), want[i], want[i], got[i], got[i], msg)
		}
	}
}

func requireShape(t *testing.T, want, got []int, msg ...any) {
	t.Helper()
	if len(want) == 0 {
		require.Empty(t, got, msg...)
		return
	}
	require.Equal(t, want, got, msg...)
}

// The examples of the operators' documents.

func TestGatherElementsExamples(t *testing.T) { kernels.Ways(t, testGatherElementsExamples) }

func testGatherElementsExamples(t *testing.T) {
	runGolden(t, []golden[float32]{
		gathered("OpenVINO 6, example 1", kernels.New([]float32{1, 2, 3, 4}, 2, 2),
			kernels.New([]int32{0, 1, 0, 0}, 2, 2), 0, []int{2, 2}, 1, 4, 1, 2),
		gathered("OpenVINO 6, example 2: indices larger", kernels.New([]float32{1, 7, 4, 3}, 2, 2),
			kernels.New([]int32{1, 1, 0, 1, 0, 1}, 2, 3), 1, []int{2, 3}, 7, 7, 1, 3, 4, 3),
		gathered("OpenVINO 6, example 3: indices smaller", kernels.New([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3),
			kernels.New([]int64{1, 0, 1, 1, 2, 0}, 2, 3), 0, []int{2, 3}, 4, 2, 6, 4, 8, 3),
		gathered("ONNX 13, example 1", kernels.New([]float32{1, 2, 3, 4}, 2, 2),
			kernels.New([]int64{0, 0, 1, 0}, 2, 2), 1, []int{2, 2}, 1, 1, 4, 3),
		gathered("ONNX 13, example 2", kernels.New([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3),
			kernels.New([]int64{1, 2, 0, 2, 0, 0}, 2, 3), 0, []int{2, 3}, 4, 8, 3, 7, 2, 3),
		gathered("ONNX 13, negative indices", kernels.New([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3),
			kernels.New([]int64{-1, -2, 0, -2, 0, 0}, 2, 3), 0, []int{2, 3}, 7, 5, 3, 4, 2, 3),
		// Version 11 prints its outputs with one pair of brackets too many; the shape is that of
		// indices.
		gathered("ONNX 11, example 1", kernels.New([]float32{1, 2, 3, 4}, 2, 2),
			kernels.New([]int32{0, 0, 1, 0}, 2, 2), -1, []int{2, 2}, 1, 1, 4, 3),
		gathered("ONNX 11, example 2", kernels.New([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3),
			kernels.New([]int32{1, 2, 0, 2, 0, 0}, 2, 3), -2, []int{2, 3}, 4, 8, 3, 7, 2, 3),
		// Other axes of indices may be shorter: the elements beyond are left alone.
		gathered("both other axes shorter", kernels.New(counting[float32](2*3*4), 2, 3, 4),
			kernels.New([]int64{2, 0, -3, -1}, 1, 2, 2), 1, []int{1, 2, 2}, 8, 1, 0, 9),
	})
	shape, err := kernels.GatherElementsShape([]int{3, 7, 5}, []int{3, 10, 5}, 1)
	require.NoError(t, err)
	require.Equal(t, []int{3, 10, 5}, shape, "the document's layer")
}

func TestGatherNDExamples(t *testing.T) { kernels.Ways(t, testGatherNDExamples) }

func testGatherNDExamples(t *testing.T) {
	square := kernels.New([]int64{0, 1, 2, 3}, 2, 2)
	cube := kernels.New(counting[int64](8), 2, 2, 2)
	runGolden(t, []golden[int64]{
		gatheredND("example 1", square, kernels.New([]int64{0, 0, 1, 1}, 2, 2), 0, []int{2}, 0, 3),
		gatheredND("example 2", square, kernels.New([]int64{1, 0}, 2, 1), 0, []int{2, 2}, 2, 3, 0, 1),
		gatheredND("example 3", cube, kernels.New([]int64{0, 1, 1, 0}, 2, 2), 0, []int{2, 2}, 2, 3, 4, 5),
		gatheredND("example 4", cube, kernels.New([]int64{0, 1, 1, 0}, 2, 1, 2), 0, []int{2, 1, 2}, 2, 3, 4, 5),
		gatheredND("example 5", cube, kernels.New([]int64{1, 0}, 2, 1), 1, []int{2, 2}, 2, 3, 4, 5),
		gatheredND("negative indices", cube, kernels.New([]int32{-1, -2, -2, -1}, 2, 2), 0, []int{2, 2}, 4, 5, 2, 3),
		gatheredND("a scalar of rank 0", cube, kernels.New([]int32{1, 0, 1}, 3), 0, nil, 5),
		gatheredND("one row", cube, kernels.New([]int32{1}, 1), 0, []int{2, 2}, 4, 5, 6, 7),
		gatheredND("two batch dims stay two", kernels.New(counting[int64](12), 2, 2, 3),
			kernels.New([]int32{0, 2, 1, -1}, 2, 2, 1), 2, []int{2, 2}, 0, 5, 7, 11),
		gatheredND("a batch dim, several picks", kernels.New(counting[int64](12), 2, 3, 2),
			kernels.New([]int32{2, 0, 0, -3}, 2, 2, 1), 1, []int{2, 2, 2}, 4, 5, 0, 1, 6, 7, 6, 7),
		gatheredND("a batch dim, whole tuples", kernels.New(counting[int64](12), 2, 3, 2),
			kernels.New([]int32{2, 1, 0, -1}, 2, 1, 2), 1, []int{2, 1}, 5, 7),
	})
}

func TestGatherExamples(t *testing.T) { kernels.Ways(t, testGatherExamples) }

func testGatherExamples(t *testing.T) {
	five := kernels.New([]float32{1, 2, 3, 4, 5}, 5)
	ten := kernels.New([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 2, 5)
	twoRows := kernels.New([]int64{0, 0, 4, 4, 0, 0}, 2, 3)
	// The documents' examples count from 1, so element i holds i+1.
	from1 := func(shape ...int) kernels.Tensor[float32] {
		data := counting[float32](need(shape))
		for i := range data {
			data[i]++
		}
		return kernels.New(data, shape...)
	}
	runGolden(t, []golden[float32]{
		gatheredSlices("OpenVINO 8, example 1", five, kernels.New([]int32{0, 0, 4}, 3), 0, 0, []int{3}, 1, 1, 5),
		gatheredSlices("OpenVINO 8, example 2: batch_dims", ten, twoRows, 1, 1, []int{2, 3}, 1, 1, 5, 10, 6, 6),
		gatheredSlices("OpenVINO 8, example 3: two batch dims", from1(2, 2, 5),
			kernels.New([]int64{0, 0, 4, 4, 0, 0, 1, 2, 4, 4, 3, 2}, 2, 2, 3), 2, 2, []int{2, 2, 3}, 1, 1, 5, 10, 6, 6, 12, 13, 15, 20, 19, 18),
		gatheredSlices("OpenVINO 8, example 4: axis beyond batch_dims", from1(2, 1, 5, 4),
			kernels.New([]int32{1, 2, 4, 4, 3, 2}, 2, 3), 2, 1, []int{2, 1, 3, 4},
			5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 19, 20, 37, 38, 39, 40, 33, 34, 35, 36, 29, 30, 31, 32),
		gatheredSlices("OpenVINO 8, example 5: batch_dims from the end", ten, twoRows, 1, -1, []int{2, 3}, 1, 1, 5, 10, 6, 6),
		gatheredSlices("OpenVINO 8, example 6: negative indices", five, kernels.New([]int8{0, -2, -1}, 3), 0, 0, []int{3}, 1, 4, 5),
		gatheredSlices("ONNX 13, example 1", kernels.New([]float32{1.0, 1.2, 2.3, 3.4, 4.5, 5.7}, 3, 2),
			kernels.New([]int64{0, 1, 1, 2}, 2, 2), 0, 0, []int{2, 2, 2}, 1.0, 1.2, 2.3, 3.4, 2.3, 3.4, 4.5, 5.7),
		gatheredSlices("ONNX 13, example 2", kernels.New([]float32{1.0, 1.2, 1.9, 2.3, 3.4, 3.9, 4.5, 5.7, 5.9}, 3, 3),
			kernels.New([]int64{0, 2}, 1, 2), 1, 0, []int{3, 1, 2}, 1.0, 1.9, 2.3, 3.9, 4.5, 5.9),
		gatheredSlices("ONNX 1, axis from the end", ten, kernels.New([]int32{4, 0}, 2), -1, 0, []int{2, 2}, 5, 1, 10, 6),

		gatheredSlices("a scalar: the axis goes", ten, kernels.New([]int32{-2}), 1, 0, []int{2}, 4, 9),
		gatheredSlices("a scalar on the first axis", ten, kernels.New([]uint8{1}), -2, 0, []int{5}, 6, 7, 8, 9, 10),
		gatheredSlices("a scalar of a vector is a scalar", five, kernels.New([]int16{3}), 0, 0, nil, 4),
		gatheredSlices("a scalar in the middle, at an offset", from1(2, 2, 3), kernels.Tensor[int64]{Data: []int64{9, -1}, Offset: 1}, 1, 0, []int{2, 3}, 4, 5, 6, 10, 11, 12),
		gatheredSlices("one index of rank 3", from1(2, 3, 2), kernels.New([]int64{-1}, 1, 1, 1), 1, 0, []int{2, 1, 1, 1, 2}, 5, 6, 11, 12),
		gatheredSlices("one index behind a batch of one", from1(1, 2, 3), kernels.New([]int64{1}, 1, 1), 2, 1, []int{1, 2, 1}, 2, 5),
		gatheredSlices("every axis of indices a batch dim", from1(2, 3), kernels.New([]int64{2, 0}, 2), 1, 1, []int{2}, 3, 4),
		gatheredSlices("every axis of indices a batch dim, slices", from1(2, 2, 3), kernels.New([]int64{1, -2}, 2), 1, 1, []int{2, 3}, 4, 5, 6, 7, 8, 9),
		gatheredSlices("batch_dims -q is 0", ten, kernels.New([]int64{1, 1}, 2, 1), 0, -2, []int{2, 1, 5}, 6, 7, 8, 9, 10, 6, 7, 8, 9, 10),
	})
	shape, err := kernels.GatherShape([]int{2, 64, 128}, []int{2, 32, 21}, 1, 1)
	require.NoError(t, err)
	require.Equal(t, []int{2, 32, 21, 128}, shape, "the document's layer")
}

func TestScatterElementsUpdateExamples(t *testing.T) {
	kernels.Ways(t, testScatterElementsUpdateExamples)
}

func testScatterElementsUpdateExamples(t *testing.T) {
	sum, prod := kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.ScatterAttrs{Reduction: kernels.Prod}
	table := func(v int32) kernels.Tensor[int32] { return kernels.New(repeat(12, v), 3, 4) }
	updates := kernels.New([]int32{11, 12, 13, 14}, 2, 2)
	runGolden(t, []golden[float32]{
		scattered("example 1: sum", kernels.New([]float32{2, 3, 4, 6}, 4),
			kernels.New([]int32{1, 0, 0, -2, -1, 2}, 6), kernels.New([]float32{10, 20, 30, 40, 70, 60}, 6), 0, sum, 52, 13, 104, 76),
		scattered("example 2: sum without the initial value", kernels.New([]float32{2, 3, 4, 6}, 4),
			kernels.New([]int32{1, 0, 0, 2, 3, 2}, 6), kernels.New([]float32{10, 20, 30, 40, 70, 60}, 6), 0,
			kernels.ScatterAttrs{Reduction: kernels.Sum, IgnoreInit: true}, 50, 10, 100, 70),
	})
	runGolden(t, []golden[int32]{
		scattered("example 3: none", table(0), kernels.New([]int64{1, 2, 0, 3}, 2, 2), updates, 1, kernels.ScatterAttrs{},
			0, 11, 12, 0, 13, 0, 0, 14, 0, 0, 0, 0),
		scattered("example 4: sum", table(1), kernels.New([]int64{1, 1, 0, 3}, 2, 2), updates, 1, sum,
			1, 24, 1, 1, 14, 1, 1, 15, 1, 1, 1, 1),
		scattered("example 5: prod", table(2), kernels.New([]int64{1, 1, 0, 3}, 2, 2), updates, 1, prod,
			2, 264, 2, 2, 26, 2, 2, 28, 2, 2, 2, 2),
		scattered("on axis 0, indices longer than data", kernels.New([]int32{1, 2, 3, 4}, 2, 2),
			kernels.New([]int8{0, -1, -2, 1, 0, 0}, 3, 2), kernels.New([]int32{10, 20, 30, 40, 50, 60}, 3, 2), -2, sum,
			91, 62, 3, 64),
		scattered("none: the last of equal indices wins", kernels.New([]int32{1, 2, 3}, 3),
			kernels.New([]int64{1, -2, 1, 0, -2}, 5), kernels.New([]int32{10, 20, 30, 40, 50}, 5), 0, kernels.ScatterAttrs{},
			40, 50, 3),
		scattered("none takes no notice of IgnoreInit", kernels.New([]int32{1, 2, 3}, 3),
			kernels.New([]int64{1}, 1), kernels.New([]int32{10}, 1), 0, kernels.ScatterAttrs{IgnoreInit: true}, 1, 10, 3),
	})
	shape, err := kernels.ScatterElementsUpdateShape([]int{1000, 256, 7, 7}, []int{125, 20, 7, 6}, []int{125, 20, 7, 6}, 0)
	require.NoError(t, err)
	require.Equal(t, []int{1000, 256, 7, 7}, shape, "example 6")
}

// mask reads a mask as the documents write it.
func mask(list string) []bool {
	var out []bool
	for _, b := range strings.Split(list, ",") {
		out = append(out, b == "1")
	}
	return out
}

func TestScatterNDUpdateExamples(t *testing.T) { kernels.Ways(t, testScatterNDUpdateExamples) }

func testScatterNDUpdateExamples(t *testing.T) {
	eight := kernels.New([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 8)
	four := kernels.New([]float32{1, 2, 3, 4}, 4)
	five := kernels.New([]int32{0, 2, -3, -3, 0}, 5, 1)
	tens := kernels.New([]float32{10, 20, 30, 40, 50}, 5)
	up, down := []float32{1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1}, []float32{8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8}
	cube := kernels.New(slices.Concat(up, up, down, down), 4, 4, 4)
	rows := func(of ...float32) (out []float32) {
		for _, v := range of {
			out = append(out, repeat(4, v)...)
		}
		return out
	}
	fives, ones := rows(5, 6, 7, 8), rows(1, 2, 3, 4)
	twoParts := kernels.New(slices.Concat(fives, ones), 2, 4, 4)
	attrs := func(r kernels.Reduction) kernels.ScatterAttrs { return kernels.ScatterAttrs{Reduction: r} }
	combined := func(a []float32, f func(a, b float32) float32, updates ...[]float32) []float32 {
		a = slices.Clone(a)
		for _, u := range updates {
			for i := range a {
				a[i] = f(a[i], u[i])
			}
		}
		return a
	}
	runGolden(t, []golden[float32]{
		scatteredND("OpenVINO 3, example 1; ONNX 11, example 1", eight, kernels.New([]int64{4, 3, 1, 7}, 4, 1), kernels.New([]float32{9, 10, 11, 12}, 4), attrs(none),
			1, 11, 3, 10, 9, 6, 7, 12),
		// Cell 4 has two updates, 9 by index 4 and then 14 by index -4. The document's output has a
		// 4 there, which is neither.
		scatteredND("OpenVINO 15, example 1: negative indices", eight, kernels.New([]int64{4, 3, 1, 7, -2, -4}, 6, 1), kernels.New([]float32{9, 10, 11, 12, 13, 14}, 6), attrs(none),
			1, 11, 3, 10, 14, 6, 13, 12),
		scatteredND("OpenVINO 3, example 2; ONNX 11, example 2", cube, kernels.New([]int32{0, 2}, 2, 1), twoParts, attrs(none), slices.Concat(fives, up, ones, down)...),
		// Cell 1 has two updates, 30 and then 40. The document's layer 1 has 20 there, which is
		// cell 2's, and its layer 4 has 3600 and, in cell 2, 40.
		scatteredND("OpenVINO 15, layer 1: the last wins", four, five, tens, attrs(none), 50, 40, 20, 4),
		scatteredND("OpenVINO 15, layer 2: sum", four, five, tens, attrs(sum), 61, 72, 23, 4),
		scatteredND("OpenVINO 15, layer 3: sub", four, five, tens, attrs(sub), -59, -68, -17, 4),
		scatteredND("OpenVINO 15, layer 4: prod", four, five, tens, attrs(prod), 500, 2400, 60, 4),
		scatteredND("max", four, five, tens, attrs(high), 50, 40, 20, 4),
		scatteredND("min", four, kernels.New([]int32{0, 2, -1, -1}, 4, 1), kernels.New([]float32{3, 2, 9, -5}, 4), attrs(low), 1, 2, 2, -5),
		scatteredND("ONNX 18, both into the first part: add", cube, kernels.New([]int64{0, 0}, 2, 1), twoParts, attrs(sum),
			slices.Concat(combined(up, func(a, b float32) float32 { return a + b }, fives, ones), up, down, down)...),
		scatteredND("ONNX 18, both into the first part: mul", cube, kernels.New([]int64{0, 0}, 2, 1), twoParts, attrs(prod),
			slices.Concat(combined(up, func(a, b float32) float32 { return a * b }, fives, ones), up, down, down)...),
		scatteredND("ONNX 18, both into the first part: max", cube, kernels.New([]int64{0, 0}, 2, 1), twoParts, attrs(high),
			slices.Concat(combined(up, func(a, b float32) float32 { return max(a, b) }, fives, ones), up, down, down)...),
		scatteredND("both into the first part: sub", cube, kernels.New([]int64{0, -4}, 2, 1), twoParts, attrs(sub),
			slices.Concat(combined(up, func(a, b float32) float32 { return a - b }, fives, ones), up, down, down)...),

		scatteredND("a scalar of updates", four, kernels.New([]int8{-2}, 1), kernels.New([]float32{7}), attrs(none), 1, 2, 7, 4),
		scatteredND("one element of updates for a scalar", four, kernels.New([]int8{2}, 1), kernels.New([]float32{7}, 1, 1), attrs(sum), 1, 2, 10, 4),
		scatteredND("one element of updates for a scalar, by wild strides", four, kernels.New([]int8{2}, 1),
			kernels.Tensor[float32]{Data: []float32{5, 7}, Shape: []int{1, 1}, Strides: []int{99, -99}, Offset: 1}, attrs(sum), 1, 2, 10, 4),
		scatteredND("whole tuples", kernels.New(counting[float32](6), 2, 3), kernels.New([]int32{1, 2, 0, -1, 1, 2}, 3, 2), kernels.New([]float32{10, 20, 30}, 3), attrs(sum),
			0, 1, 22, 3, 4, 45),
		scatteredND("rows by pairs", kernels.New(counting[float32](8), 2, 2, 2), kernels.New([]int32{1, 0, 0, 1, 1, -2}, 3, 2), kernels.New(counting[float32](6), 3, 2), attrs(sum),
			0, 1, 4, 6, 8, 11, 6, 7),
		scatteredND("tuples of rank 2", kernels.New(counting[float32](6), 3, 2), kernels.New([]int32{2, 0, 2, 2}, 2, 2, 1), kernels.New(counting[float32](8), 2, 2, 2), attrs(none),
			2, 3, 2, 3, 6, 7),
		scatteredND("IgnoreInit", four, five, tens, kernels.ScatterAttrs{Reduction: sum, IgnoreInit: true}, 60, 70, 20, 4),
		scatteredND("IgnoreInit, sub", four, five, tens, kernels.ScatterAttrs{Reduction: sub, IgnoreInit: true}, -60, -70, -20, 4),
		// The same tuple for whole rows of updates: b before a would be another sum.
		scatteredND("indices that stand still along the inner tuples", kernels.New([]float32{0, 0}, 1, 2),
			kernels.Tensor[int64]{Data: []int64{0, 0}, Shape: []int{2, 2, 1}, Strides: []int{1, 0, 0}}, kernels.New([]float32{1, 1, 2, 2, 3, 3, 4, 4}, 2, 2, 2), attrs(none), 4, 4),
		scatteredND("indices that stand still along the inner tuples, of columns apart", kernels.New([]float32{1e8, 1e8}, 1, 2),
			kernels.Tensor[int64]{Data: []int64{0, 0}, Shape: []int{2, 2, 1}, Strides: []int{1, 0, 0}}, kernels.New([]float32{1, 1, -1e8, -1e8, 1, 1, 1, 1}, 2, 2, 2), attrs(sum), 2, 2),
	})
	shape, err := kernels.ScatterNDUpdateShape([]int{1000, 256, 10, 15}, []int{25, 125, 3}, []int{25, 125, 15})
	require.NoError(t, err)
	require.Equal(t, []int{1000, 256, 10, 15}, shape, "the document's layer")
}

func TestStridedSliceExamples(t *testing.T) { kernels.Ways(t, testStridedSliceExamples) }

func testStridedSliceExamples(t *testing.T) {
	data := kernels.New(counting[int32](24), 2, 3, 4)
	three := kernels.New([]int32{1, 2, 3}, 3)
	runGolden(t, []golden[int32]{
		// The example's ports say dim 2 where its lists have three entries.
		sliced("begin_mask and end_mask", data, kernels.SliceSpec{
			Begin: []int64{1, 0, 0}, End: []int64{0, 0, 2}, Strides: []int64{1, 1, 1},
			BeginMask: mask("0,1,1"), EndMask: mask("1,1,0"), NewAxisMask: mask("0,0,0"), ShrinkAxisMask: mask("0,0,0"), EllipsisMask: mask("0,0,0"),
		}, []int{1, 3, 2}, 12, 13, 16, 17, 20, 21),
		sliced("new_axis_mask", data, kernels.SliceSpec{
			Begin: []int64{0, 0, 0}, End: []int64{0, 0, 0}, Strides: []int64{1, 1, 1},
			BeginMask: mask("0,1,1"), EndMask: mask("0,1,1"), NewAxisMask: mask("1,0,0"), ShrinkAxisMask: mask("0,0,0"), EllipsisMask: mask("0,0,0"),
		}, []int{1, 2, 3, 4}, counting[int32](24)...),
		// A negative bound has d added: -1 is the last element, not the end.
		sliced("begin -1 on [1,2,3]", three, kernels.SliceSpec{Begin: []int64{-1}, End: []int64{0}, EndMask: mask("1")}, []int{1}, 3),
		sliced("end -1 on [1,2,3]", three, kernels.SliceSpec{Begin: []int64{0}, End: []int64{-1}}, []int{2}, 1, 2),
		sliced("shrink_axis_mask, with less of the other axes", kernels.New([]int32{0, 1, 2, 3}, 1, 2, 1, 2, 1), kernels.SliceSpec{
			Begin: []int64{0, 0, 0, 0, 0}, End: []int64{0, 0, 0, 0, 0}, BeginMask: mask("1,0,1,1,1"), EndMask: mask("1,0,1,1,1"), ShrinkAxisMask: mask("0,1"),
		}, []int{1, 1, 2, 1}, 0, 1),
		sliced("shrunk begin -1 on [1,2,3]", three, kernels.SliceSpec{Begin: []int64{-1}, End: []int64{0}, ShrinkAxisMask: mask("1")}, nil, 3),
	})

	shrink := kernels.SliceSpec{
		Begin: []int64{0, 1, 0, 0, 0}, End: []int64{0, 2, 0, 0, 0}, Strides: []int64{1, 1, 1, 1, 1},
		BeginMask: mask("1,0,1,1,1"), EndMask: mask("1,0,1,1,1"), NewAxisMask: mask("0,0,0,0,0"), ShrinkAxisMask: mask("0,1,0,0,0"), EllipsisMask: mask("0,0,0,0,0"),
	}
	t.Run("shrink_axis_mask", func(t *testing.T) {
		const half = 384 * 640 * 8
		frames := make([]uint8, 2*half)
		for i := range frames {
			frames[i] = uint8(i * 167 >> 4)
		}
		data := kernels.New(frames, 1, 2, 384, 640, 8)
		shape, err := kernels.StridedSliceShape(data.Shape, shrink)
		require.NoError(t, err)
		require.Equal(t, []int{1, 384, 640, 8}, shape)
		out := make([]uint8, half)
		require.NoError(t, kernels.StridedSlice(kernels.New(out, shape...), data, shrink))
		require.True(t, slices.Equal(frames[half:], out))
	})
}

// What the documents leave open.

func TestStridedSliceRules(t *testing.T) { kernels.Ways(t, testStridedSliceRules) }

func testStridedSliceRules(t *testing.T) {
	one := func(begin, end, stride int64) kernels.SliceSpec {
		return kernels.SliceSpec{Begin: []int64{begin}, End: []int64{end}, Strides: []int64{stride}}
	}
	five := kernels.New([]int32{10, 11, 12, 13, 14}, 5)
	grid := kernels.New(counting[int32](6), 2, 3)
	cube := kernels.New(counting[int32](24), 2, 3, 4)
	runGolden(t, []golden[int32]{
		sliced("no bounds at all", grid, kernels.SliceSpec{}, []int{2, 3}, 0, 1, 2, 3, 4, 5),
		sliced("strides absent", five, kernels.SliceSpec{Begin: []int64{1}, End: []int64{3}}, []int{2}, 11, 12),
		sliced("step 2", five, one(0, 5, 2), []int{3}, 10, 12, 14),
		sliced("step 3 from 1", five, one(1, 5, 3), []int{2}, 11, 14),
		sliced("step beyond the axis", five, one(1, 5, 100), []int{1}, 11),
		sliced("end before begin", five, one(3, 1, 1), []int{0}),
		sliced("both clamp", five, one(-100, 100, 1), []int{5}, 10, 11, 12, 13, 14),
		sliced("begin past the end", five, one(5, 100, 1), []int{0}),
		sliced("from -d+2 to -1", five, one(-3, -1, 1), []int{2}, 12, 13),
		sliced("INT64 ends", five, one(math.MinInt64, math.MaxInt64, 1), []int{5}, 10, 11, 12, 13, 14),
		sliced("INT64 ends, the longest step", five, one(math.MinInt64, math.MaxInt64, math.MaxInt64), []int{1}, 10),
		sliced("INT64 ends, reversed", five, one(math.MaxInt64, math.MinInt64, -1), []int{5}, 14, 13, 12, 11, 10),
		sliced("INT64 ends, the longest step back", five, one(math.MaxInt64, math.MinInt64, math.MinInt64), []int{1}, 14),
		sliced("INT64 ends, the other way round", five, one(math.MaxInt64, math.MinInt64, 1), []int{0}),
		sliced("start 0, stop 2³¹-1 and a step whose multiples overflow 32 bits", five, one(0, math.MaxInt32, 126322568), []int{1}, 10),
		sliced("reversed to -d-1", five, one(4, -6, -1), []int{5}, 14, 13, 12, 11, 10),
		sliced("reversed to -1, which is the last", five, one(4, -1, -1), []int{0}),
		sliced("reversed by 2 from beyond", five, one(100, 0, -2), []int{2}, 14, 12),
		sliced("reversed, begin below -d clamps to 0", five, one(-6, -100, -1), []int{1}, 10),
		sliced("reversed, begin far below -d", five, one(math.MinInt64, math.MinInt64, -1), []int{1}, 10),
		sliced("reversed, begin below -d, end 0", five, one(-6, 0, -1), []int{0}),
		sliced("masks in the direction of a negative stride", five, kernels.SliceSpec{
			Begin: []int64{1}, End: []int64{3}, Strides: []int64{-2}, BeginMask: mask("1"), EndMask: mask("1")}, []int{3}, 14, 12, 10),
		sliced("begin mask alone, reversed", five, kernels.SliceSpec{
			Begin: []int64{1}, End: []int64{2}, Strides: []int64{-1}, BeginMask: mask("1")}, []int{2}, 14, 13),
		sliced("end mask alone, reversed", five, kernels.SliceSpec{
			Begin: []int64{1}, End: []int64{3}, Strides: []int64{-1}, EndMask: mask("1")}, []int{2}, 11, 10),
		sliced("short mask is padded with 0, long mask cut", grid, kernels.SliceSpec{
			Begin: []int64{1, 1}, End: []int64{2, 2}, BeginMask: mask("1"), EndMask: mask("1,0,1,1"), EllipsisMask: mask("0,0,1,1")},
			[]int{2, 1}, 1, 4),
		sliced("axes left over are whole", cube, one(1, 2, 1), []int{1, 3, 4}, counting[int32](24)[12:]...),
		sliced("ellipsis for two axes", cube, kernels.SliceSpec{
			Begin: []int64{0, 3}, End: []int64{0, 4}, EllipsisMask: mask("1,0")}, []int{2, 3, 1}, 3, 7, 11, 15, 19, 23),
		sliced("ellipsis between", cube, kernels.SliceSpec{
			Begin: []int64{1, 0, 2}, End: []int64{2, 0, 3}, EllipsisMask: mask("0,1,0")}, []int{1, 3, 1}, 14, 18, 22),
		sliced("ellipsis for no axis", grid, kernels.SliceSpec{
			Begin: []int64{1, 7, 1}, End: []int64{2, 7, 2}, EllipsisMask: mask("0,1,0")}, []int{1, 1}, 4),
		sliced("ellipsis alone", grid, kernels.SliceSpec{
			Begin: []int64{9}, End: []int64{-9}, Strides: []int64{0}, EllipsisMask: mask("1")}, []int{2, 3}, 0, 1, 2, 3, 4, 5),
		sliced("ellipsis and a new axis behind", grid, kernels.SliceSpec{
			Begin: []int64{0, 0}, End: []int64{0, 0}, EllipsisMask: mask("1"), NewAxisMask: mask("0,1")}, []int{2, 3, 1}, 0, 1, 2, 3, 4, 5),
		sliced("entries that are all new axes", grid, kernels.SliceSpec{
			Begin: []int64{0, 0}, End: []int64{0, 0}, NewAxisMask: mask("1,1")}, []int{1, 1, 2, 3}, 0, 1, 2, 3, 4, 5),
		sliced("ellipsis wins over new axis and shrink", grid, kernels.SliceSpec{
			Begin: []int64{9}, End: []int64{9}, EllipsisMask: mask("1"), NewAxisMask: mask("1"), ShrinkAxisMask: mask("1")},
			[]int{2, 3}, 0, 1, 2, 3, 4, 5),
		sliced("new axis wins over shrink", grid, kernels.SliceSpec{
			Begin: []int64{9}, End: []int64{9}, NewAxisMask: mask("1"), ShrinkAxisMask: mask("1")}, []int{1, 2, 3}, 0, 1, 2, 3, 4, 5),
		sliced("new axes before, between and behind", grid, kernels.SliceSpec{
			Begin: []int64{0, 1, 0, 2, 0}, End: []int64{0, 2, 0, 3, 0}, NewAxisMask: mask("1,0,1,0,1")}, []int{1, 1, 1, 1, 1}, 5),
		sliced("stride 0 where nothing is sliced", grid, kernels.SliceSpec{
			Begin: []int64{0, 1, 0}, End: []int64{0, 0, 0}, Strides: []int64{0, 0, 0}, NewAxisMask: mask("1"),
			ShrinkAxisMask: mask("0,1"), EllipsisMask: mask("0,0,1")}, []int{1, 3}, 3, 4, 5),
		sliced("shrink ignores end and stride", five, kernels.SliceSpec{
			Begin: []int64{-4}, End: []int64{-100}, Strides: []int64{-3}, EndMask: mask("1"), ShrinkAxisMask: mask("1")}, nil, 11),
		sliced("shrink with begin_mask takes element 0", five, kernels.SliceSpec{
			Begin: []int64{77}, End: []int64{0}, BeginMask: mask("1"), ShrinkAxisMask: mask("1")}, nil, 10),
		sliced("shrink with begin_mask and a negative stride", five, kernels.SliceSpec{
			Begin: []int64{77}, End: []int64{0}, Strides: []int64{-1}, BeginMask: mask("1"), ShrinkAxisMask: mask("1")}, nil, 10),
		sliced("shrink the middle axis", cube, kernels.SliceSpec{
			Begin: []int64{0, -1, 0}, End: []int64{2, 0, 4}, Strides: []int64{1, 1, 3}, ShrinkAxisMask: mask("0,1")}, []int{2, 2}, 8, 11, 20, 23),
		sliced("shrink by an ellipsis's right", cube, kernels.SliceSpec{
			Begin: []int64{0, -2}, End: []int64{0, 0}, EllipsisMask: mask("1"), ShrinkAxisMask: mask("0,1")}, []int{2, 3}, 2, 6, 10, 14, 18, 22),
		sliced("every axis reversed", grid, kernels.SliceSpec{
			Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{-1, -1}, BeginMask: mask("1,1"), EndMask: mask("1,1")},
			[]int{2, 3}, 5, 4, 3, 2, 1, 0),
		sliced("scalar", kernels.New([]int32{42}), kernels.SliceSpec{}, nil, 42),
		sliced("scalar, ellipsis", kernels.New([]int32{42}), kernels.SliceSpec{Begin: []int64{0}, End: []int64{0}, EllipsisMask: mask("1")}, nil, 42),
		sliced("scalar, two new axes", kernels.New([]int32{42}), kernels.SliceSpec{
			Begin: []int64{0, 0}, End: []int64{0, 0}, NewAxisMask: mask("1,1")}, []int{1, 1}, 42),
		sliced("a view of a view", kernels.Tensor[int32]{Data: counting[int32](24), Shape: []int{4, 2}, Strides: []int{-5, 3}, Offset: 16},
			kernels.SliceSpec{Begin: []int64{1, -1}, End: []int64{4, -100}, Strides: []int64{2, -1}}, []int{2, 2}, 14, 11, 4, 1),
		sliced("a broadcast axis", kernels.Tensor[int32]{Data: []int32{7, 8}, Shape: []int{1000, 2}, Strides: []int{0, 1}},
			kernels.SliceSpec{Begin: []int64{999, 1}, End: []int64{0, 2}, Strides: []int64{-400, 1}}, []int{3, 1}, 8, 8, 8),
	})
}

func TestEmptyTensors(t *testing.T) { kernels.Ways(t, testEmptyTensors) }

func testEmptyTensors(t *testing.T) {
	// A view that reaches no element has no use for a slice, nor for sane strides.
	none := func(shape ...int) kernels.Tensor[string] { return kernels.Tensor[string]{Shape: shape} }
	wild := func(shape ...int) kernels.Tensor[string] {
		strides := []int{math.MinInt, math.MaxInt, -1, 0}[:len(shape)]
		return kernels.Tensor[string]{Data: []string{"x"}, Shape: shape, Strides: strides, Offset: math.MinInt}
	}
	grid := kernels.New([]string{"a", "b", "c", "d", "e", "f"}, 2, 3)
	far := func(shape ...int) kernels.Tensor[int64] { // indices that nobody may read
		return kernels.New([]int64{99, -99, math.MaxInt64, math.MinInt64}, shape...)
	}
	runGolden(t, []golden[string]{
		gathered("GatherElements, no row asked for", grid, kernels.New([]int64{}, 0, 3), 0, []int{0, 3}),
		gathered("GatherElements, no column asked for", grid, kernels.New([]int64(nil), 2, 0), 1, []int{2, 0}),
		gathered("GatherElements, another axis cut to nothing", grid, kernels.New([]int64{}, 5, 0), 0, []int{5, 0}),
		gathered("GatherElements, empty data, indices empty on axis", none(0, 3), kernels.New([]int64{}, 0, 3), 0, []int{0, 3}),
		gathered("GatherElements, empty data on the other axis", none(2, 0), kernels.New([]int64{}, 7, 0), 0, []int{7, 0}),
		gathered("GatherElements, rank 1", none(0), kernels.New([]int64{}, 0), -1, []int{0}),
		gathered("GatherElements, wild strides", wild(2, 0), kernels.New([]int64{}, 7, 0), 0, []int{7, 0}),
		gathered("GatherElements, wild indices", grid,
			kernels.Tensor[int64]{Shape: []int{0, 3}, Strides: []int{math.MinInt, math.MinInt}, Offset: math.MaxInt}, 0, []int{0, 3}),

		gatheredND("GatherND, rows of no elements read no index", none(3, 0), far(2, 1), 0, []int{2, 0}),
		gatheredND("GatherND, an empty axis behind a bad index", none(3, 4, 0), far(2, 2), 0, []int{2, 0}),
		gatheredND("GatherND, an empty axis that is indexed, behind it another", none(0, 0), far(4, 1), 0, []int{4, 0}),
		gatheredND("GatherND, no index", none(0, 2), kernels.New([]int64{}, 0, 1), 0, []int{0, 2}),
		gatheredND("GatherND, no index into full data", grid, kernels.New([]int64{}, 3, 0, 2), 0, []int{3, 0}),
		gatheredND("GatherND, no batch", none(0, 3), kernels.New([]int64{}, 0, 5, 1), 1, []int{0, 5}),
		gatheredND("GatherND, wild strides", wild(3, 0), far(2, 1), 0, []int{2, 0}),

		gatheredSlices("Gather, rows of no elements read no index", none(3, 0), far(2), 0, 0, []int{2, 0}),
		gatheredSlices("Gather, an empty axis before the bad index", none(0, 3), far(1, 2), 1, 0, []int{0, 1, 2}),
		gatheredSlices("Gather, a bad scalar that nobody reads", none(3, 0), kernels.New([]int64{99}), 0, 0, []int{0}),
		gatheredSlices("Gather, an empty axis that is indexed, behind it another", none(0, 0), far(4), 0, 0, []int{4, 0}),
		gatheredSlices("Gather, no index", none(0, 2), kernels.New([]int64{}, 0), 0, 0, []int{0, 2}),
		gatheredSlices("Gather, no index into full data", grid, kernels.New([]int64{}, 3, 0), 1, 0, []int{2, 3, 0}),
		gatheredSlices("Gather, no batch", none(0, 3), kernels.New([]int64{}, 0, 5), 1, 1, []int{0, 5}),
		gatheredSlices("Gather, wild strides", wild(3, 0), far(2, 1), 0, 0, []int{2, 1, 0}),

		scattered("ScatterElementsUpdate, no update", grid, kernels.New([]int64{}, 0, 3), none(0, 3), 0, kernels.ScatterAttrs{}, grid.Data...),
		scattered("ScatterElementsUpdate, no update on another axis", grid, kernels.New([]int64{}, 9, 0), none(9, 0), 0, kernels.ScatterAttrs{}, grid.Data...),
		scattered("ScatterElementsUpdate, empty data", none(0), kernels.New([]int64{}, 0), none(0), 0, kernels.ScatterAttrs{}),
		scattered("ScatterElementsUpdate, empty data on another axis", none(2, 0), kernels.New([]int64{}, 5, 0), none(5, 0), 0, kernels.ScatterAttrs{}),
		scattered("ScatterElementsUpdate, wild strides", wild(2, 0), kernels.New([]int64{}, 5, 0), wild(5, 0), 0, kernels.ScatterAttrs{}),

		scatteredND("ScatterNDUpdate, no tuple", grid, kernels.New([]int64{}, 0, 2), none(0), kernels.ScatterAttrs{}, grid.Data...),
		scatteredND("ScatterNDUpdate, no tuple of a row", grid, kernels.New([]int64{}, 3, 0, 1), none(3, 0, 3), kernels.ScatterAttrs{}, grid.Data...),
		scatteredND("ScatterNDUpdate, empty data, no tuple", none(0, 2), kernels.New([]int64{}, 0, 1), none(0, 2), kernels.ScatterAttrs{}),
		scatteredND("ScatterNDUpdate, rows of no elements", none(3, 0), kernels.New([]int64{2, -3}, 2, 1), none(2, 0), kernels.ScatterAttrs{}),
		scatteredND("ScatterNDUpdate, wild strides", wild(3, 0), kernels.New([]int64{2, -3}, 2, 1), wild(2, 0), kernels.ScatterAttrs{}),

		sliced("StridedSlice, empty axis", none(0, 3), kernels.SliceSpec{Begin: []int64{-5, 0}, End: []int64{5, 2}, Strides: []int64{-1, 1}}, []int{0, 2}),
		sliced("StridedSlice, empty axis, reversed by masks", none(0, 2), kernels.SliceSpec{
			Begin: []int64{0}, End: []int64{0}, Strides: []int64{-1}, BeginMask: mask("1"), EndMask: mask("1")}, []int{0, 2}),
		sliced("StridedSlice, nothing left", grid, kernels.SliceSpec{Begin: []int64{2}, End: []int64{9}}, []int{0, 3}),
		sliced("StridedSlice, new axis on nothing", none(0), kernels.SliceSpec{Begin: []int64{0}, End: []int64{0}, NewAxisMask: mask("1")}, []int{1, 0}),
		sliced("StridedSlice, shrink beside an empty axis", none(2, 0), kernels.SliceSpec{Begin: []int64{1}, End: []int64{0}, ShrinkAxisMask: mask("1")}, []int{0}),
		sliced("StridedSlice, wild strides", wild(3, 0), kernels.SliceSpec{Begin: []int64{2}, End: []int64{-9}, Strides: []int64{-2}}, []int{2, 0}),
	})
	for _, r := range reductions {
		for _, ignore := range []bool{false, true} {
			runGolden(t, []golden[float32]{scattered(fmt.Sprintf("%v of no update, IgnoreInit %v", r, ignore),
				kernels.New([]float32{1, 2}, 2), kernels.New([]uint8{}, 0), kernels.New([]float32{}, 0), 0,
				kernels.ScatterAttrs{Reduction: r, IgnoreInit: ignore}, 1, 2)})
		}
	}
}

var (
	reductions   = []kernels.Reduction{kernels.None, kernels.Sum, kernels.Prod, kernels.Min, kernels.Max, kernels.Mean}
	ndReductions = []kernels.Reduction{kernels.None, kernels.Sum, kernels.Prod, kernels.Min, kernels.Max, kernels.Sub} // of ScatterNDUpdate
)

// Element types of every size, with and without pointers.

type (
	rgb    struct{ r, g, b uint8 }
	pair   struct{ a, b uint64 }
	record struct {
		name string
		at   *int
		tags []string
	}
	unit    = struct{}
	celsius int32
	column  uint8 // an index type of one's own
)

// movement checks the operators on elements made by of, which must differ for 0…23.
func movement[T any](t *testing.T, of func(i int) T) {
	t.Run(strings.ReplaceAll(reflect.TypeFor[T]().String(), " ", ""), func(t *testing.T) {
		values := make([]T, 24)
		for i := range values {
			values[i] = of(i)
		}
		pick := func(at ...int) (out []T) {
			for _, i := range at {
				out = append(out, values[i])
			}
			return out
		}
		data := kernels.New(values, 2, 3, 4)
		runGolden(t, []golden[T]{
			gathered("GatherElements axis 2", data, kernels.New([]int64{3, -4, 1, 1, 2, -1}, 1, 3, 2), 2, []int{1, 3, 2},
				pick(3, 0, 5, 5, 10, 11)...),
			gathered("GatherElements axis 0", data, kernels.New([]uint16{1, 0, 1, 0, 0, 1}, 1, 2, 3), 0, []int{1, 2, 3},
				pick(12, 1, 14, 4, 5, 18)...),
			gatheredND("GatherND rows", data, kernels.New([]int32{1, -1, 0, 0}, 2, 2), 0, []int{2, 4}, pick(20, 21, 22, 23, 0, 1, 2, 3)...),
			gatheredND("GatherND elements", data, kernels.New([]int8{1, -1, 2, 0, 0, -1}, 2, 3), 0, []int{2}, pick(22, 3)...),
			gatheredND("GatherND batch", data, kernels.New([]int8{-1, 1}, 2, 1), 1, []int{2, 4}, pick(8, 9, 10, 11, 16, 17, 18, 19)...),
			gatheredSlices("Gather rows", data, kernels.New([]int32{1, -1, 0, 0}, 2, 2), 1, 0, []int{2, 2, 2, 4},
				pick(4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 12, 13, 14, 15, 12, 13, 14, 15)...),
			gatheredSlices("Gather elements", data, kernels.New([]int8{1, -4}, 2), 2, 0, []int{2, 3, 2}, pick(1, 0, 5, 4, 9, 8, 13, 12, 17, 16, 21, 20)...),
			gatheredSlices("Gather batch", data, kernels.New([]uint16{2, 0}, 2, 1), 1, 1, []int{2, 1, 4}, pick(8, 9, 10, 11, 12, 13, 14, 15)...),
			gatheredSlices("Gather a scalar", data, kernels.New([]int64{-2}), 1, 0, []int{2, 4}, pick(4, 5, 6, 7, 16, 17, 18, 19)...),
			scattered("ScatterElementsUpdate", kernels.New(values[:6], 2, 3), kernels.New([]int64{2, 2, -3, 0}, 2, 2), kernels.New(values[20:], 2, 2), 1,
				kernels.ScatterAttrs{}, pick(0, 1, 21, 23, 4, 5)...),
			scatteredND("ScatterNDUpdate rows", kernels.New(values[:6], 3, 2), kernels.New([]int64{2, -3, 2}, 3, 1), kernels.New(values[18:], 3, 2),
				kernels.ScatterAttrs{}, pick(20, 21, 2, 3, 22, 23)...),
			scatteredND("ScatterNDUpdate elements", kernels.New(values[:6], 2, 3), kernels.New([]int8{1, -1, 0, 1, 1, 2}, 3, 2), kernels.New(values[20:], 3),
				kernels.ScatterAttrs{}, pick(0, 21, 2, 3, 4, 22)...),
			scatteredND("ScatterNDUpdate of a vector", kernels.New(values[:6], 6), kernels.New([]uint32{5, 0, 5}, 3, 1), kernels.New(values[20:], 3),
				kernels.ScatterAttrs{}, pick(21, 1, 2, 3, 4, 22)...),
			sliced("StridedSlice", data, kernels.SliceSpec{Begin: []int64{0, 2, 3}, End: []int64{2, -4, 0}, Strides: []int64{1, -2, -2}},
				[]int{2, 2, 2}, pick(11, 9, 3, 1, 23, 21, 15, 13)...),
		})
	})
}

func TestElementTypes(t *testing.T) { kernels.Ways(t, testElementTypes) }

func testElementTypes(t *testing.T) {
	movement(t, func(i int) bool { return i%3 == 1 }) // not all different, but different enough
	movement(t, func(i int) int8 { return int8(-i) })
	movement(t, func(i int) int16 { return int16(-300 * i) })
	movement(t, func(i int) int32 { return int32(i) << 20 })
	movement(t, func(i int) int64 { return int64(i) << 50 })
	movement(t, func(i int) int { return -i })
	movement(t, func(i int) uint8 { return uint8(10 * i) })
	movement(t, func(i int) uint16 { return uint16(2000 * i) })
	movement(t, func(i int) uint32 { return uint32(i) << 27 })
	movement(t, func(i int) uint64 { return uint64(i) << 59 })
	movement(t, func(i int) uint { return uint(i) })
	movement(t, func(i int) uintptr { return uintptr(i) })
	// Signalling NaNs and -0 among them: moving must not touch a bit.
	movement(t, func(i int) kernels.Float16 { return kernels.Float16(0x7C01 + 0x400*i) })
	movement(t, func(i int) kernels.BFloat16 { return kernels.BFloat16(0x7F81 + 0x100*i) })
	movement(t, func(i int) float32 { return math.Float32frombits(0x7F800001 + uint32(i)<<27) })
	movement(t, func(i int) float64 { return math.Float64frombits(0x7FF0000000000001 + uint64(i)<<59) })
	movement(t, func(i int) complex64 {
		return complex(math.Float32frombits(0x7F800001+uint32(i)), math.Float32frombits(1<<31))
	})
	movement(t, func(i int) complex128 { return complex(float64(i), math.Copysign(0, -1)) })
	movement(t, func(i int) string { return strings.Repeat("lane", i) })
	movement(t, func(i int) []int { return counting[int](i) })
	movement(t, func(i int) *int { return &i })
	movement(t, func(i int) any { return i })
	movement(t, func(i int) record { return record{fmt.Sprint(i), &i, []string{"a", fmt.Sprint(-i)}} })
	movement(t, func(i int) rgb { return rgb{uint8(i), uint8(2 * i), uint8(3 * i)} })
	movement(t, func(i int) pair { return pair{uint64(i), ^uint64(i)} })
	movement(t, func(i int) [5]uint16 { return [5]uint16{uint16(i), 1, 2, 3, uint16(-i)} })
	movement(t, func(i int) [100]uint8 { return [100]uint8{uint8(i), 99: uint8(i)} })
	movement(t, func(i int) celsius { return celsius(-i) })
	movement(t, func(int) unit { return unit{} })
	movement(t, func(int) [0]string { return [0]string{} })
}

// indexType gathers and scatters with one index type. The numbers are indices
// into 200 elements and where they lead.
func indexType[I kernels.Index](t *testing.T, indices []I, want ...int32) {
	t.Run(reflect.TypeFor[I]().String(), func(t *testing.T) {
		data := kernels.New(counting[int32](200), 200)
		updates := []int32{-1, -2, -3, -4}
		cells := counting[int32](200)
		for i, w := range want {
			cells[w] = updates[i]
		}
		runGolden(t, []golden[int32]{
			gathered("GatherElements", data, kernels.New(indices, 4), 0, []int{4}, want...),
			gatheredND("GatherND", data, kernels.New(indices, 2, 2, 1), 0, []int{2, 2}, want...),
			gatheredSlices("Gather", data, kernels.New(indices, 2, 2), 0, 0, []int{2, 2}, want...),
			gatheredSlices("Gather a scalar", data, kernels.New(indices[3:]), 0, 0, nil, want[3]),
			scattered("ScatterElementsUpdate", data, kernels.New(indices, 4), kernels.New(updates, 4), 0, kernels.ScatterAttrs{}, cells...),
			scatteredND("ScatterNDUpdate", data, kernels.New(indices, 2, 2, 1), kernels.New(updates, 2, 2), kernels.ScatterAttrs{}, cells...),
			scatteredND("ScatterNDUpdate, pairs", kernels.New(data.Data, 1, 200), kernels.New([]I{0, indices[0], 0, indices[1], 0, indices[2], 0, indices[3]}, 4, 2),
				kernels.New(updates, 4), kernels.ScatterAttrs{}, cells...),
		})
	})
}

func TestIndexTypes(t *testing.T) { kernels.Ways(t, testIndexTypes) }

func testIndexTypes(t *testing.T) {
	indexType(t, []int{0, -1, 100, -128}, 0, 199, 100, 72)
	indexType(t, []int8{0, -1, 100, -128}, 0, 199, 100, 72)
	indexType(t, []int16{0, -1, 100, -200}, 0, 199, 100, 0)
	indexType(t, []int32{0, -1, 100, -128}, 0, 199, 100, 72)
	indexType(t, []int64{0, -1, 100, -128}, 0, 199, 100, 72)
	indexType(t, []celsius{0, -1, 100, -128}, 0, 199, 100, 72)
	indexType(t, []uint{0, 199, 100, 128}, 0, 199, 100, 128) // 128 and 199: negative if read as int8
	indexType(t, []uint8{0, 199, 100, 128}, 0, 199, 100, 128)
	indexType(t, []uint16{0, 199, 100, 128}, 0, 199, 100, 128)
	indexType(t, []uint32{0, 199, 100, 128}, 0, 199, 100, 128)
	indexType(t, []uint64{0, 199, 100, 128}, 0, 199, 100, 128)
	indexType(t, []column{0, 199, 100, 128}, 0, 199, 100, 128)

	// The same for 16 bits: 40000 is negative if read as int16.
	data := kernels.New(counting[int32](50000), 50000)
	runGolden(t, []golden[int32]{
		gathered("uint16 above the largest int16", data, kernels.New([]uint16{40000, 49999, 32768}, 3), 0, []int{3}, 40000, 49999, 32768),
		gatheredND("GatherND, uint16 above the largest int16", data, kernels.New([]uint16{40000, 49999}, 2, 1), 0, []int{2}, 40000, 49999),
	})
}

// TestManyAxes reverses one axis in four ways; the answer is the reversed view.
func TestManyAxes(t *testing.T) { kernels.Ways(t, testManyAxes) }

func testManyAxes(t *testing.T) {
	for _, shape := range [][]int{
		{7}, {3, 5}, {2, 3, 2, 3, 2, 1, 2, 2},
		{2, 1, 3, 1, 2, 2, 1, 2, 3},          // rank 9
		{2, 1, 2, 1, 3, 1, 2, 1, 2, 1, 2, 2}, // rank 12
		append(slices.Repeat([]int{1}, 30), 4),
	} {
		t.Run(fmt.Sprintf("rank=%d", len(shape)), func(t *testing.T) {
			n := 1
			for _, d := range shape {
				n *= d
			}
			data := kernels.New(counting[int32](n), shape...)
			for axis, size := range shape {
				view := kernels.Tensor[int32]{Data: data.Data, Shape: shape, Strides: rowMajor(shape)}
				view.Offset = (size - 1) * view.Strides[axis]
				inner := view.Strides[axis]
				view.Strides[axis] = -inner
				want := read(view)
				along := make([]int64, n) // along[p] is d-1-(p's coordinate on axis), odd ones counted from behind
				for p := range along {
					c := p / inner % size
					along[p] = int64(size - 1 - c)
					if p%2 == 1 {
						along[p] -= int64(size)
					}
				}
				indices := kernels.New(along, shape...)
				tuples := make([]int32, 0, n*len(shape))
				for _, p := range want {
					for d, s := range rowMajor(shape) {
						tuples = append(tuples, p/int32(s)%int32(shape[d]))
					}
				}
				back := make([]int16, size)
				for i := range back {
					back[i] = int16(-1 - i)
				}
				spec := kernels.SliceSpec{Begin: make([]int64, axis+1), End: make([]int64, axis+1), Strides: repeat(axis+1, int64(1)),
					BeginMask: repeat(axis+1, true), EndMask: repeat(axis+1, true)}
				spec.Strides[axis] = -1
				name := func(op string) string { return fmt.Sprintf("%s/axis=%d", op, axis) }
				runGolden(t, []golden[int32]{
					gathered(name("GatherElements"), data, indices, axis, shape, want...),
					gatheredND(name("GatherND"), data, kernels.New(tuples, append(slices.Clone(shape), len(shape))...), 0, shape, want...),
					gatheredSlices(name("Gather"), data, kernels.New(back[:size], size), axis, 0, shape, want...),
					gatheredSlices(name("Gather, one index"), data, kernels.New(back[:1]), axis, 0, slices.Delete(slices.Clone(shape), axis, axis+1),
						read(kernels.Tensor[int32]{Data: data.Data, Shape: slices.Delete(slices.Clone(shape), axis, axis+1),
							Strides: slices.Delete(rowMajor(shape), axis, axis+1), Offset: view.Offset})...),
					scattered(name("ScatterElementsUpdate"), kernels.New(repeat(n, int32(-1)), shape...), indices, data, axis-len(shape), kernels.ScatterAttrs{}, want...),
					scatteredND(name("ScatterNDUpdate"), kernels.New(repeat(n, int32(-1)), shape...),
						kernels.New(tuples, append(slices.Clone(shape), len(shape))...), kernels.New(want, shape...), kernels.ScatterAttrs{}, data.Data...),
					sliced(name("StridedSlice"), data, spec, shape, want...),
				})
			}
		})
	}
}

// TestThousandAxes: there is no largest rank.
func TestThousandAxes(t *testing.T) {
	shape := repeat(1000, 1)
	shape[3], shape[500], shape[999] = 2, 3, 2
	data := kernels.New(counting[int32](12), shape...)
	reversed := kernels.SliceSpec{Begin: make([]int64, 501), End: make([]int64, 501), Strides: repeat(501, int64(-1)),
		BeginMask: repeat(501, true), EndMask: repeat(501, true)}
	ends := []int32{10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1} // both axes reversed, but not the last
	tuples := make([]int16, 1000)
	tuples[3], tuples[500], tuples[999] = 1, -1, 0
	runGolden(t, []golden[int32]{
		gathered("GatherElements", data, kernels.New([]int8{2, 2, 1, 1, 0, 0, -1, -1, -2, -2, -3, -3}, shape...), 500, shape, 4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 6, 7),
		gatheredND("GatherND", data, kernels.New(tuples, 1000), 0, nil, 10),
		gatheredSlices("Gather", data, kernels.New([]int8{2, -3, 1}, 3), 500, 0, shape, 4, 5, 0, 1, 2, 3, 10, 11, 6, 7, 8, 9),
		gatheredSlices("Gather, one index", data, kernels.New([]int8{2}), 500, 0, slices.Delete(slices.Clone(shape), 500, 501), 4, 5, 10, 11),
		gatheredSlices("Gather, a batch dim", data, kernels.New([]int8{0, 2}, 1, 1, 1, 2), 500, 4, slices.Delete(slices.Clone(shape), 500, 501), 0, 1, 10, 11),
		scattered("ScatterElementsUpdate", data, kernels.New([]int8{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, shape...), data, 500, kernels.ScatterAttrs{Reduction: kernels.Sum},
			6, 10, 2, 3, 4, 5, 30, 34, 8, 9, 10, 11),
		scatteredND("ScatterNDUpdate", data, kernels.New(tuples, 1000), kernels.New([]int32{7}), kernels.ScatterAttrs{Reduction: kernels.Sub}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 11),
		scatteredND("ScatterNDUpdate, rows", data, kernels.New(tuples[:501], 501), kernels.New([]int32{7, 8}, shape[501:]...), kernels.ScatterAttrs{}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 8),
		sliced("StridedSlice", data, reversed, shape, ends...),
	})
}

// TestLargeCalls compares calls that are large enough for whatever large
// calls do with plain loops.
func TestLargeCalls(t *testing.T) {
	const rows, cols, n = 1024, 1000, 1024 * 1000
	data, dst, want := counting[float32](n), make([]float32, n), make([]float32, n)
	byRow, byCol := make([]int64, n), make([]int32, n)
	for i := range n {
		k := int64(i) * 7919 // more than an int of 32 bits holds
		byRow[i], byCol[i] = k%(2*rows)-rows, int32(k%(2*cols)-cols)
	}
	grid, out := kernels.New(data, rows, cols), kernels.New(dst, rows, cols)
	cell := func(i, j int) int { return (i+rows)%rows*cols + (j+cols)%cols }
	expect := func(name string, err error, of func(i, j int) float32) {
		require.NoError(t, err, name)
		for p := range want {
			want[p] = of(p/cols, p%cols)
		}
		require.True(t, slices.Equal(want, dst), name)
	}
	expect("GatherElements axis 0", kernels.GatherElements(out, grid, kernels.New(byRow, rows, cols), 0),
		func(i, j int) float32 { return data[cell(int(byRow[i*cols+j]), j)] })
	expect("GatherElements axis 1", kernels.GatherElements(out, grid, kernels.New(byCol, rows, cols), 1),
		func(i, j int) float32 { return data[cell(i, int(byCol[i*cols+j]))] })
	expect("GatherND", kernels.GatherND(out, grid, kernels.New(byRow[:rows], rows, 1), 0),
		func(i, j int) float32 { return data[cell(int(byRow[i]), j)] })
	expect("Gather axis 0", kernels.Gather(out, grid, kernels.New(byRow[:rows], rows), 0, 0),
		func(i, j int) float32 { return data[cell(int(byRow[i]), j)] })
	expect("Gather axis 1", kernels.Gather(out, grid, kernels.New(byCol[:cols], cols), 1, 0),
		func(i, j int) float32 { return data[cell(i, int(byCol[j]))] })
	expect("Gather batch", kernels.Gather(out, grid, kernels.New(byCol, rows, cols), 1, 1),
		func(i, j int) float32 { return data[cell(i, int(byCol[i*cols+j]))] })
	expect("Gather one row", kernels.Gather(kernels.New(dst, 1, n), kernels.New(data, 1, n), kernels.New([]int64{-1}, 1), 0, 0),
		func(i, j int) float32 { return data[i*cols+j] })
	expect("ScatterElementsUpdate axis 0", kernels.ScatterElementsUpdate(out, grid, kernels.New(byRow[:rows*cols/2], rows/2, cols), kernels.New(data[:rows*cols/2], rows/2, cols), 0, kernels.ScatterAttrs{}),
		func(i, j int) float32 {
			for k := rows/2 - 1; k >= 0; k-- { // the last wins
				if (int(byRow[k*cols+j])+rows)%rows == i {
					return data[k*cols+j]
				}
			}
			return data[i*cols+j]
		})
	halfRows := kernels.New(byRow[:rows/2], rows/2, 1)
	expect("ScatterNDUpdate rows", kernels.ScatterNDUpdate(out, grid, halfRows, kernels.New(data[:rows*cols/2], rows/2, cols), kernels.ScatterAttrs{}),
		func(i, j int) float32 {
			for k := rows/2 - 1; k >= 0; k-- {
				if (int(byRow[k])+rows)%rows == i {
					return data[k*cols+j]
				}
			}
			return data[i*cols+j]
		})
	pairs := make([]int64, 2*n)
	for p := range n {
		pairs[2*p], pairs[2*p+1] = byRow[p], int64(byCol[p])
	}
	scatteredByPairs := slices.Clone(data)
	for p := range n {
		scatteredByPairs[cell(int(pairs[2*p]), int(pairs[2*p+1]))] = float32(-p)
	}
	negative := make([]float32, n)
	for p := range negative {
		negative[p] = float32(-p)
	}
	expect("ScatterNDUpdate pairs", kernels.ScatterNDUpdate(out, grid, kernels.New(pairs, n, 2), kernels.New(negative, n), kernels.ScatterAttrs{}),
		func(i, j int) float32 { return scatteredByPairs[i*cols+j] })
	expect("StridedSlice", kernels.StridedSlice(out, grid, kernels.SliceSpec{Begin: []int64{-1, -1}, End: []int64{-rows - 1, -cols - 1}, Strides: []int64{-1, -1}}),
		func(i, j int) float32 { return data[n-1-i*cols-j] })
	columns := kernels.Tensor[float32]{Data: data, Shape: []int{rows, cols}, Strides: []int{1, rows}}
	expect("StridedSlice of a transposed view", kernels.StridedSlice(out, columns, kernels.SliceSpec{}),
		func(i, j int) float32 { return data[i+j*rows] })
}

// TestInputLayouts gives every input every layout; the result is always that
// of contiguous ones.
func TestInputLayouts(t *testing.T) { kernels.Ways(t, testInputLayouts) }

func testInputLayouts(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6}
	indices := []int16{1, 0, -1, -2, 1, 1}
	updates := []float64{10, 20, 30, 40, 50, 60}
	shape := []int{2, 3}
	for _, d := range layouts(shape) {
		data := lay(values, shape, d.strides)
		runGolden(t, []golden[float64]{
			sliced("StridedSlice/data="+d.name, data, kernels.SliceSpec{Begin: []int64{-1, 2}, End: []int64{-9, -9}, Strides: []int64{-1, -2}},
				[]int{2, 2}, 6, 4, 3, 1),
		})
		for _, x := range layouts(shape) {
			at := lay(indices, shape, x.strides)
			tuple := slices.Clone(x.strides) // the same layout with an axis of size 1 behind
			if len(tuple) > 0 {
				tuple = append(tuple, -99)
			}
			name := "/data=" + d.name + "/indices=" + x.name
			runGolden(t, []golden[float64]{
				gathered("GatherElements"+name, data, at, 0, shape, 4, 2, 6, 1, 5, 6),
				gathered("GatherElements axis 1"+name, data, lay([]int16{2, 0, -1, -2, 1, 1}, shape, x.strides), 1, shape, 3, 1, 3, 5, 5, 5),
				gatheredND("GatherND"+name, data, lay([]int16{1, 0, -1, -2, 1, 1}, []int{3, 2}, nil), 0, []int{3}, 4, 5, 5),
				gatheredSlices("Gather"+name, data, at, 0, 0, []int{2, 3, 3}, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 4, 5, 6),
				gatheredSlices("Gather axis 1"+name, data, at, 1, 0, []int{2, 2, 3}, 2, 1, 3, 2, 2, 2, 5, 4, 6, 5, 5, 5),
				gatheredSlices("Gather batch"+name, data, at, 1, 1, []int{2, 3}, 2, 1, 3, 5, 5, 5),
				gatheredND("GatherND rows"+name, data, lay(indices, []int{2, 3, 1}, tuple), 0, []int{2, 3, 3},
					4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 4, 5, 6),
			})
			for _, u := range layouts(shape) {
				up := lay(updates, shape, u.strides)
				runGolden(t, []golden[float64]{
					scattered("ScatterElementsUpdate"+name+"/updates="+u.name, data, at, up, 0, kernels.ScatterAttrs{Reduction: kernels.Sum},
						41, 22, 3, 14, 55, 96),
					scatteredND("ScatterNDUpdate"+name+"/updates="+u.name, data, kernels.New([]int16{1, -2}, 2, 1), up, kernels.ScatterAttrs{Reduction: kernels.Sum},
						41, 52, 63, 14, 25, 36),
					scatteredND("ScatterNDUpdate elements"+name+"/updates="+u.name, data, lay(indices, []int{2, 3, 1}, tuple), lay(repeat(18, 1.0), []int{2, 3, 3}, nil),
						kernels.ScatterAttrs{Reduction: kernels.Sum}, 3, 4, 5, 8, 9, 10),
				})
			}
		}
	}
}

// TestBroadcastInputs has inputs whose coordinates share elements.
func TestBroadcastInputs(t *testing.T) { kernels.Ways(t, testBroadcastInputs) }

func testBroadcastInputs(t *testing.T) {
	row := kernels.Tensor[int32]{Data: []int32{10, 11, 12}, Shape: []int{4, 3}, Strides: []int{0, 1}}
	column := kernels.Tensor[int32]{Data: []int32{10, 11, 12, 13}, Shape: []int{4, 3}, Strides: []int{1, 0}}
	point := kernels.Tensor[int32]{Data: []int32{5}, Shape: []int{4, 3}, Strides: []int{0, 0}}
	whole := kernels.New(counting[int32](12), 4, 3)
	perRow := kernels.Tensor[int64]{Data: []int64{3, -4}, Shape: []int{2, 3}, Strides: []int{1, 0}}
	windows := kernels.Tensor[int32]{Data: counting[int32](6), Shape: []int{4, 3}, Strides: []int{1, 1}} // rows overlap
	sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
	runGolden(t, []golden[int32]{
		gathered("data repeats a row", row, perRow, 0, []int{2, 3}, 10, 11, 12, 10, 11, 12),
		gathered("data repeats a column", column, perRow, 0, []int{2, 3}, 13, 13, 13, 10, 10, 10),
		gathered("data is one element", point, perRow, 0, []int{2, 3}, 5, 5, 5, 5, 5, 5),
		gathered("data is windows on a line", windows, perRow, 0, []int{2, 3}, 3, 4, 5, 0, 1, 2),
		gathered("indices constant along the inner axis", whole, perRow, 0, []int{2, 3}, 9, 10, 11, 0, 1, 2),
		gathered("indices constant along the outer axis", whole,
			kernels.Tensor[int64]{Data: []int64{2, -3}, Shape: []int{3, 2}, Strides: []int{0, 1}}, 1, []int{3, 2}, 2, 0, 5, 3, 8, 6),
		gatheredSlices("Gather, data repeats a row", row, kernels.New([]int64{3, 0}, 2), 0, 0, []int{2, 3}, 10, 11, 12, 10, 11, 12),
		gatheredSlices("Gather, data repeats a column", column, kernels.New([]int64{2, 0}, 2), 1, 0, []int{4, 2}, 10, 10, 11, 11, 12, 12, 13, 13),
		gatheredSlices("Gather, indices of stride 0", whole, perRow, 0, 0, []int{2, 3, 3}, 9, 10, 11, 9, 10, 11, 9, 10, 11, 0, 1, 2, 0, 1, 2, 0, 1, 2),
		gatheredND("one tuple many times", whole,
			kernels.Tensor[int64]{Data: []int64{3, -1}, Shape: []int{3, 2}, Strides: []int{0, 1}}, 0, []int{3}, 11, 11, 11),
		gatheredND("one number as the whole tuple", whole,
			kernels.Tensor[int64]{Data: []int64{2, 0}, Shape: []int{2, 2}, Strides: []int{1, 0}}, 0, []int{2}, 8, 0),
		scattered("one update everywhere", whole, perRow, kernels.Tensor[int32]{Data: []int32{100}, Shape: []int{2, 3}, Strides: []int{0, 0}}, 0, sum,
			100, 101, 102, 3, 4, 5, 6, 7, 8, 109, 110, 111),
		scattered("broadcast data and indices", row, kernels.Tensor[int64]{Data: []int64{1}, Shape: []int{5, 3}, Strides: []int{0, 0}},
			kernels.New(counting[int32](15), 5, 3), 0, sum, 10, 11, 12, 40, 46, 52, 10, 11, 12, 10, 11, 12),
		sliced("windows, reversed", windows, kernels.SliceSpec{Begin: []int64{3}, End: []int64{-9}, Strides: []int64{-2}}, []int{2, 3}, 3, 4, 5, 1, 2, 3),
	})

	// Strides whose sums are all different: no two coordinates meet, though no
	// axis is clear of the others.
	t.Run("dst of interlocked axes", func(t *testing.T) {
		dst := lay(repeat(16, filler[int32]()), []int{2, 2, 2, 2}, []int{3, 5, 6, 7})
		require.NoError(t, kernels.StridedSlice(dst, kernels.New(counting[int32](16), 2, 2, 2, 2), kernels.SliceSpec{}))
		require.Equal(t, counting[int32](16), read(dst))
		requireFrame(t, dst)
	})
}

// TestSliceViewSharesMemory writes through the view and sees the original change.
func TestSliceViewSharesMemory(t *testing.T) {
	data := kernels.New(counting[int32](12), 3, 4)
	spec := kernels.SliceSpec{Begin: []int64{-1, 3}, End: []int64{-9, 0}, Strides: []int64{-2, -2}}
	view, err := kernels.SliceView(data, spec)
	require.NoError(t, err)
	require.Equal(t, []int{2, 2}, view.Shape)
	require.Equal(t, []int32{11, 9, 3, 1}, read(view))

	copied := make([]int32, 4)
	require.NoError(t, kernels.StridedSlice(kernels.New(copied, 2, 2), data, spec))
	require.Equal(t, read(view), copied)

	for i, p := range positions(view) {
		view.Data[p] = int32(-i - 1)
	}
	require.Equal(t, []int32{0, -4, 2, -3, 4, 5, 6, 7, 8, -2, 10, -1}, data.Data)
	require.Equal(t, []int32{11, 9, 3, 1}, copied, "the copy is a copy")

	// A view is a destination too.
	require.NoError(t, kernels.GatherElements(view, kernels.New([]int32{70, 71, 72, 73}, 2, 2), kernels.New([]int8{0, 0, 1, -1}, 2, 2), 0))
	require.Equal(t, []int32{0, 73, 2, 72, 4, 5, 6, 7, 8, 71, 10, 70}, data.Data)

	// Its shape and strides are its own.
	whole, err := kernels.SliceView(view, kernels.SliceSpec{})
	require.NoError(t, err)
	whole.Shape[0], whole.Strides[0] = 99, 99
	require.Equal(t, []int{2, 2}, view.Shape)
	require.Equal(t, []int{-8, -2}, view.Strides)
}

// TestUnaligned moves elements that lie at odd addresses, on the ports whose
// loads and stores permit them.
func TestUnaligned(t *testing.T) { kernels.Ways(t, testUnaligned) }

func testUnaligned(t *testing.T) {
	shifts := []int{0}
	switch runtime.GOARCH {
	case "amd64", "386", "arm64", "ppc64le", "s390x":
		shifts = append(shifts, 1, 2, 3, 5, 7)
	}
	for _, shift := range shifts {
		t.Run(fmt.Sprintf("shift=%d", shift), func(t *testing.T) {
			unaligned(t, shift, func(i int) uint16 { return uint16(100 * i) })
			unaligned(t, shift, func(i int) int32 { return int32(-i) })
			unaligned(t, shift, func(i int) float32 { return float32(i) / 4 })
			unaligned(t, shift, func(i int) float64 { return float64(i) / 8 })
			unaligned(t, shift, func(i int) complex128 { return complex(float64(i), -1) })
		})
	}
}

// shifted returns n elements that start shift bytes after an aligned address.
func shifted[T any](n, shift int) []T {
	var z T
	words := make([]uint64, (n*int(unsafe.Sizeof(z))+shift)/8+1)
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(&words[0]), shift)), n)
}

func unaligned[T any](t *testing.T, shift int, of func(i int) T) {
	const rows, cols, n = 9, 67, 9 * 67 // longer than any vector, with a tail
	data, dst, updates := shifted[T](n, shift), shifted[T](n, shift), shifted[T](n, shift)
	indices, tuples := shifted[int64](n, shift), shifted[int64](rows, shift)
	back, heads, thirds := make([]T, n), make([]T, n), []T{}
	for i := range n {
		row := rows - 1 - i/cols
		data[i], updates[i] = of(i), of(i+7)
		indices[i] = int64(row)
		tuples[i/cols] = int64(row)
		back[i], heads[i] = of(row*cols+i%cols), of(row)
		if i%cols%3 == 0 {
			thirds = append(thirds, of(i))
		}
	}
	grid := func(s []T) kernels.Tensor[T] { return kernels.New(s, rows, cols) }

	require.NoError(t, kernels.GatherElements(grid(dst), grid(data), kernels.New(indices, rows, cols), 0))
	requireBits(t, back, dst, "GatherElements axis 0")
	require.NoError(t, kernels.GatherElements(kernels.New(dst, n), kernels.New(data, n), kernels.New(indices, n), 0))
	requireBits(t, heads, dst, "GatherElements of rank 1")
	require.NoError(t, kernels.GatherND(grid(dst), grid(data), kernels.New(tuples, rows, 1), 0))
	requireBits(t, back, dst, "GatherND")
	require.NoError(t, kernels.ScatterElementsUpdate(grid(dst), grid(updates), kernels.New(indices, rows, cols), grid(data), 0, kernels.ScatterAttrs{}))
	requireBits(t, back, dst, "ScatterElementsUpdate")
	require.NoError(t, kernels.StridedSlice(kernels.New(dst, rows, (cols+2)/3), grid(data), kernels.SliceSpec{
		Begin: []int64{0, 0}, End: []int64{rows, cols}, Strides: []int64{1, 3}}))
	requireBits(t, thirds, dst[:len(thirds)], "StridedSlice")
}
