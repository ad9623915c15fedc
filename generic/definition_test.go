package generic_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
)

// The definitions' results are held to the golden tables of package kernels, as the operators are.
// Here are views, and what the definitions refuse.

func shaped(shape ...int) generic.View { return generic.View{Shape: shape} }

// numbers returns 0, 1, … n-1.
func numbers[T int | int32 | float32](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(i)
	}
	return s
}

func TestView(t *testing.T) {
	for _, c := range []struct {
		name string
		view generic.View
		want []int // addresses in row-major order
	}{
		{"contiguous", shaped(2, 3), []int{0, 1, 2, 3, 4, 5}},
		{"contiguous at an offset", generic.View{Shape: []int{2, 2}, Strides: []int{}, Offset: 5}, []int{5, 6, 7, 8}},
		{"transposed", generic.View{Shape: []int{2, 3}, Strides: []int{1, 2}}, []int{0, 2, 4, 1, 3, 5}},
		{"interleaved", generic.View{Shape: []int{2, 3}, Strides: []int{3, 2}}, []int{0, 2, 4, 3, 5, 7}},
		{"reversed", generic.View{Shape: []int{3}, Strides: []int{-2}, Offset: 4}, []int{4, 2, 0}},
		{"broadcast", generic.View{Shape: []int{2, 2}, Strides: []int{0, 1}}, []int{0, 1, 0, 1}},
		{"scalar", generic.View{Offset: 3}, []int{3}},
		{"empty", shaped(2, 0, 3), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []int
			for p := range generic.Coordinates(c.view.Shape) {
				got = append(got, c.view.Address(p))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestCoordinatesOfAnEmptyTensor(t *testing.T) {
	for range generic.Coordinates([]int{math.MaxInt, math.MaxInt, 0}) {
		t.Fatal("there are none")
	}
}

func TestCoordinatesStopsEarly(t *testing.T) {
	n := 0
	for p := range generic.Coordinates([]int{2, 2, 2}) {
		if n++; p[1] == 1 {
			break
		}
	}
	require.Equal(t, 3, n)
}

func TestBadBag(t *testing.T) {
	table, indices := numbers[float32](10), []int64{0, 2, 3, 4}
	for _, c := range []struct {
		offsets, indices []int64
		want             error
	}{
		{[]int64{0, 3, 2}, indices, &generic.BadOffset{Position: []int{2}, Value: "2", Least: 3, Most: 4}},
		{[]int64{0, 0, 5}, indices, &generic.BadOffset{Position: []int{2}, Value: "5", Least: 0, Most: 4}},
		{[]int64{-1, 0, 0}, indices, &generic.BadOffset{Position: []int{0}, Value: "-1", Least: 0, Most: 4}},
		{[]int64{2, 2, 2}, []int64{9, 9, 1, -6}, &generic.BadIndex{Position: []int{3}, Value: "-6", Axis: 0, Size: 5}},
	} {
		got := make([]float32, 6)
		require.Equal(t, c.want, generic.EmbeddingBag(got, shaped(3, 2), table, shaped(5, 2), c.indices, shaped(4), c.offsets, shaped(3), nil, shaped(), generic.Sum, -1))
		require.Equal(t, make([]float32, 6), got)
	}
}

// fixed16 has the method of half types, but neither format.
type fixed16 uint16

func (h fixed16) Float32() float32 { return float32(h) / 256 }

// reduce scatters all updates into one cell that holds init.
func reduce[T any](op generic.Op, init T, updates ...T) (T, error) {
	cell, one, all := []T{init}, shaped(1), shaped(len(updates))
	err := generic.ScatterElementsUpdate(cell, one, cell, one, make([]uint8, len(updates)), all, updates, all, 0, op, false)
	return cell[0], err
}

func TestTypesWithoutReduction(t *testing.T) {
	var bad *generic.BadType
	check := func(name string, err error) { assert.ErrorAs(t, err, &bad, name) }
	_, err := reduce(generic.Mean, true, true)
	check("mean of bool", err)
	_, err = reduce(generic.Min, 1i, 1i)
	check("min of complex128", err)
	_, err = reduce(generic.Max, complex64(1), 1)
	check("max of complex64", err)
	_, err = reduce(generic.Sum, "a", "b")
	check("sum of string", err)
	_, err = reduce(generic.Sum, uintptr(1), 1)
	check("sum of uintptr", err)
	_, err = reduce(generic.Sum, fixed16(1), 1)
	check("sum of an unknown half type", err)
	_, err = reduce[string](generic.Sum, "a")
	check("no updates", err)

	for _, v := range []fixed16{0, 0x3C00, 0x3F80} {
		got, err := reduce(generic.Replace, fixed16(1), v)
		require.NoError(t, err)
		assert.Equal(t, v, got)
	}
}

type named int16

// String must not be what an error says.
func (named) String() string { return "seven" }

func TestBadIndex(t *testing.T) {
	data, two := numbers[int32](6), shaped(2, 3)
	expect := func(run func(dst []int32) error, want generic.BadIndex) {
		t.Helper()
		dst := make([]int32, 6)
		var bad *generic.BadIndex
		require.ErrorAs(t, run(dst), &bad)
		require.Equal(t, want, *bad)
		require.Equal(t, make([]int32, 6), dst, "found before anything is written")
	}
	expect(func(dst []int32) error {
		return generic.GatherElements(dst, two, data, two, []int64{0, -3, 2, 3, -4, 0}, two, 1)
	}, generic.BadIndex{Position: []int{1, 0}, Value: "3", Axis: 1, Size: 3})
	expect(func(dst []int32) error {
		return generic.GatherElements(dst, two, data, two, []named{0, 1, 0, -1, 0, -3}, two, -2)
	}, generic.BadIndex{Position: []int{1, 2}, Value: "-3", Axis: 0, Size: 2})
	expect(func(dst []int32) error {
		return generic.GatherND(dst, shaped(2), data, two, []int64{1, 2, 1, -4}, shaped(2, 2), 0)
	}, generic.BadIndex{Position: []int{1, 1}, Value: "-4", Axis: 1, Size: 3})
	expect(func(dst []int32) error {
		return generic.GatherND(dst, shaped(2), data, two, []int64{2, 3}, shaped(2, 1), 1)
	}, generic.BadIndex{Position: []int{1, 0}, Value: "3", Axis: 1, Size: 3})
	expect(func(dst []int32) error {
		return generic.ScatterElementsUpdate(dst, two, data, two, []int64{2}, shaped(1, 1), []int32{9}, shaped(1, 1), 0, generic.Replace, false)
	}, generic.BadIndex{Position: []int{0, 0}, Value: "2", Axis: 0, Size: 2})
	expect(func(dst []int32) error { // a scatter into empty data checks its indices
		return generic.ScatterElementsUpdate(dst, shaped(2, 0), nil, shaped(2, 0), []int64{0}, shaped(1, 1), []int32{9}, shaped(1, 1), 1, generic.Replace, false)
	}, generic.BadIndex{Position: []int{0, 0}, Value: "0", Axis: 1, Size: 0})

	expect(func(dst []int32) error {
		return generic.GatherSlices(dst, shaped(2), data, two, []int64{1, 3}, shaped(2), -1, 1)
	}, generic.BadIndex{Position: []int{1}, Value: "3", Axis: 1, Size: 3})
	expect(func(dst []int32) error {
		return generic.GatherSlices(dst, shaped(2), data, two, []int64{-4}, shaped(), 1, 0)
	}, generic.BadIndex{Position: []int{}, Value: "-4", Axis: 1, Size: 3})
	expect(func(dst []int32) error {
		return generic.ScatterNDUpdate(dst, two, data, two, []int64{0, 0, 1, 3}, shaped(2, 2), []int32{9, 9}, shaped(2), generic.Replace, false)
	}, generic.BadIndex{Position: []int{1, 1}, Value: "3", Axis: 1, Size: 3})
	inPlace := numbers[int32](6)
	require.Error(t, generic.ScatterNDUpdate(inPlace, two, inPlace, two, []int64{0, -3}, shaped(2, 1), numbers[int32](6), two, generic.Sum, true))
	require.Equal(t, data, inPlace)
	require.Error(t, generic.ScatterElementsUpdate(inPlace, two, inPlace, two, []int64{0, 1, 2}, shaped(1, 3), []int32{9, 9, 9}, shaped(1, 3), 0, generic.Sum, true))
	require.Equal(t, data, inPlace)
}

// Every value is read as the 64-bit integer that it is.
func TestIndexRange(t *testing.T) {
	rangeOf[int](t, math.MinInt, math.MaxInt)
	rangeOf[int8](t, math.MinInt8, math.MaxInt8)
	rangeOf[int16](t, math.MinInt16, math.MaxInt16)
	rangeOf[int32](t, math.MinInt32, math.MaxInt32)
	rangeOf[int64](t, math.MinInt64, math.MaxInt64)
	rangeOf[int64](t, 1<<32+1, -1<<32)
	rangeOf[uint](t, math.MaxUint, 1<<31)
	rangeOf[uint8](t, 3, math.MaxUint8)
	rangeOf[uint16](t, 3, math.MaxUint16)
	rangeOf[uint32](t, 1<<31, math.MaxUint32)
	rangeOf[uint64](t, 1<<63, math.MaxUint64)
	rangeOf[uint64](t, 1<<32+1, 1<<63-1)
	rangeOf[named](t, -4, 3)
}

// rangeOf requires 0, 1, 2 and, in signed types, -1, -2, -3 to be the indices of an axis of
// size 3, and the given values not to be.
func rangeOf[I generic.AnyIndex](t *testing.T, outside ...I) {
	t.Helper()
	data, one := []string{"a", "b", "c"}, shaped(1)
	dst := make([]string, 1)
	gather := func(k I) error {
		return generic.GatherElements(dst, one, data, shaped(3), []I{k}, one, 0)
	}
	for k := I(0); k < 3; k++ {
		require.NoError(t, gather(k))
		require.Equal(t, data[k], dst[0])
		if fromEnd := k - 3; fromEnd < 0 {
			require.NoError(t, gather(fromEnd))
			require.Equal(t, data[k], dst[0])
		}
	}
	for _, k := range outside {
		var bad *generic.BadIndex
		require.ErrorAs(t, gather(k), &bad)
		require.Equal(t, fmt.Sprintf("%d", k), bad.Value)
	}
}

func bits(s string) []bool {
	mask := make([]bool, len(s))
	for i := range s {
		mask[i] = s[i] == '1'
	}
	return mask
}

func TestLargestSlice(t *testing.T) {
	shape, err := generic.StridedSliceShape([]int{math.MaxInt}, generic.Slice{Begin: []int64{0}, End: []int64{math.MaxInt64}, Strides: []int64{2}})
	require.NoError(t, err)
	require.Equal(t, []int{math.MaxInt/2 + 1}, shape)
}

func TestBadRanges(t *testing.T) {
	ints := func(v ...int64) []int64 { return v }
	for name, r := range map[string]generic.Ranges{
		"ends":          {Starts: ints(0)},
		"axes":          {Starts: ints(0), Ends: ints(1), Axes: ints(0, 1)},
		"steps":         {Starts: ints(0), Ends: ints(1), Steps: ints(1, 1)},
		"too many":      {Starts: ints(0, 0, 0), Ends: ints(1, 1, 1)},
		"no such axis":  {Starts: ints(0), Ends: ints(1), Axes: ints(-3)},
		"an axis twice": {Starts: ints(0, 0), Ends: ints(1, 1), Axes: ints(1, -1)},
		"step 0":        {Starts: ints(0), Ends: ints(1), Steps: ints(0)},
	} {
		_, err := generic.SliceRangesShape([]int{2, 4}, r)
		require.ErrorIs(t, err, generic.ErrSlice, name)
		require.ErrorIs(t, generic.SliceRanges(make([]int32, 8), shaped(2, 4), make([]int32, 8), shaped(2, 4), r), generic.ErrSlice, name)
	}
}

func TestBadSlice(t *testing.T) {
	one, two := []int64{0}, []int64{0, 0}
	for _, c := range []struct {
		name  string
		shape []int
		slice generic.Slice
	}{
		{"begin and end differ in length", []int{2, 2}, generic.Slice{Begin: one, End: two}},
		{"strides differ in length", []int{2, 2}, generic.Slice{Begin: two, End: two, Strides: []int64{1}}},
		{"stride 0", []int{2}, generic.Slice{Begin: one, End: one, Strides: []int64{0}}},
		{"stride 0 on an empty axis", []int{0}, generic.Slice{Begin: one, End: one, Strides: []int64{0}}},
		{"two ellipses", []int{2}, generic.Slice{Begin: two, End: two, EllipsisMask: bits("11")}},
		{"too many axes", []int{2}, generic.Slice{Begin: two, End: two}},
		{"too many axes beside an ellipsis", []int{}, generic.Slice{Begin: two, End: two, EllipsisMask: bits("10")}},
		{"an axis of a scalar", []int{}, generic.Slice{Begin: one, End: one, ShrinkAxisMask: bits("1")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := generic.StridedSliceShape(c.shape, c.slice)
			require.ErrorIs(t, err, generic.ErrSlice)
		})
	}
	for _, c := range []struct {
		name  string
		shape []int
		slice generic.Slice
		want  generic.BadIndex
	}{
		{"beyond the axis", []int{2, 3}, generic.Slice{Begin: []int64{0, 3}, End: two, ShrinkAxisMask: bits("01")}, generic.BadIndex{Value: "3", Axis: 1, Size: 3}},
		{"below -d", []int{2}, generic.Slice{Begin: []int64{-3}, End: one, ShrinkAxisMask: bits("1")}, generic.BadIndex{Value: "-3", Size: 2}},
		{"the math.MinInt64 int64", []int{2}, generic.Slice{Begin: []int64{math.MinInt64}, End: one, ShrinkAxisMask: bits("1")}, generic.BadIndex{Value: "-9223372036854775808", Size: 2}},
		{"axis after an ellipsis", []int{2, 3, 4}, generic.Slice{Begin: []int64{0, 4}, End: two, EllipsisMask: bits("1"), ShrinkAxisMask: bits("01")}, generic.BadIndex{Value: "4", Axis: 2, Size: 4}},
		{"begin_mask on an empty axis", []int{0}, generic.Slice{Begin: []int64{7}, End: one, BeginMask: bits("1"), ShrinkAxisMask: bits("1")}, generic.BadIndex{Value: "0"}},
	} {
		t.Run("shrunk begin "+c.name, func(t *testing.T) {
			_, err := generic.StridedSliceShape(c.shape, c.slice)
			var bad *generic.BadIndex
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.want, *bad)
		})
	}
}
