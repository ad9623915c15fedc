package generic_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
)

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

func TestGatherElements(t *testing.T) {
	for _, c := range []struct {
		name    string
		data    []int32
		shape   []int
		indices []int64
		outer   int // rows of indices
		axis    int
		want    []int32
	}{
		{"OpenVINO 1", []int32{1, 2, 3, 4}, []int{2, 2}, []int64{0, 1, 0, 0}, 2, 0, []int32{1, 4, 1, 2}},
		{"OpenVINO 2", []int32{1, 7, 4, 3}, []int{2, 2}, []int64{1, 1, 0, 1, 0, 1}, 2, 1, []int32{7, 7, 1, 3, 4, 3}},
		{"OpenVINO 3", []int32{1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{3, 3}, []int64{1, 0, 1, 1, 2, 0}, 2, 0, []int32{4, 2, 6, 4, 8, 3}},
		{"ONNX 0", []int32{1, 2, 3, 4}, []int{2, 2}, []int64{0, 0, 1, 0}, 2, 1, []int32{1, 1, 4, 3}},
		{"ONNX 1", []int32{1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{3, 3}, []int64{1, 2, 0, 2, 0, 0}, 2, 0, []int32{4, 8, 3, 7, 2, 3}},
		{"ONNX negative indices", []int32{1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{3, 3}, []int64{-1, -2, 0, -2, 0, 0}, 2, 0, []int32{7, 5, 3, 4, 2, 3}},
		{"negative axis", []int32{1, 7, 4, 3}, []int{2, 2}, []int64{-2, -1}, 1, -1, []int32{1, 7}},
		{"no index", []int32{1, 2}, []int{1, 2}, []int64{}, 0, 0, []int32{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			shape := shaped(c.outer, len(c.indices)/max(c.outer, 1))
			got := make([]int32, len(c.indices))
			require.NoError(t, generic.GatherElements(got, shape, c.data, shaped(c.shape...), c.indices, shape, c.axis))
			require.Equal(t, c.want, got)
		})
	}
}

// A 3-D example a person can follow: data holds its own coordinates as digits.
func TestGatherElementsMiddleAxis(t *testing.T) {
	data := make([]int32, 0, 2*3*4)
	for c := range generic.Coordinates([]int{2, 3, 4}) {
		data = append(data, int32(100*c[0]+10*c[1]+c[2]))
	}
	got := make([]int32, 2*1*3)
	view := shaped(2, 1, 3)
	require.NoError(t, generic.GatherElements(got, view, data, shaped(2, 3, 4), []int8{2, 0, -2, -3, 1, 2}, view, 1))
	require.Equal(t, []int32{20, 1, 12, 100, 111, 122}, got)
}

func TestGatherND(t *testing.T) {
	eight := numbers[int32](8)
	for _, c := range []struct {
		name      string
		data      []int32
		shape     []int
		indices   []int64
		tuples    []int
		batchDims int
		want      []int32
		dst       []int
	}{
		{"example 1", numbers[int32](4), []int{2, 2}, []int64{0, 0, 1, 1}, []int{2, 2}, 0, []int32{0, 3}, []int{2}},
		{"example 2", numbers[int32](4), []int{2, 2}, []int64{1, 0}, []int{2, 1}, 0, []int32{2, 3, 0, 1}, []int{2, 2}},
		{"example 3", eight, []int{2, 2, 2}, []int64{0, 1, 1, 0}, []int{2, 2}, 0, []int32{2, 3, 4, 5}, []int{2, 2}},
		{"example 4", eight, []int{2, 2, 2}, []int64{0, 1, 1, 0}, []int{2, 1, 2}, 0, []int32{2, 3, 4, 5}, []int{2, 1, 2}},
		{"example 5", eight, []int{2, 2, 2}, []int64{1, 0}, []int{2, 1}, 1, []int32{2, 3, 4, 5}, []int{2, 2}},
		{"negative indices", eight, []int{2, 2, 2}, []int64{-1, -2}, []int{2}, 0, []int32{4, 5}, []int{2}},
		{"one scalar", eight, []int{2, 2, 2}, []int64{1, 0, 1}, []int{3}, 0, []int32{5}, []int{}},
		{"batch dims stay apart", eight, []int{2, 2, 2}, []int64{1, 0, 0, 1}, []int{2, 2, 1}, 2, []int32{1, 2, 4, 7}, []int{2, 2}},
		{"an empty slice reads no index", nil, []int{2, 0}, []int64{99}, []int{1, 1}, 0, []int32{}, []int{1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make([]int32, len(c.want))
			require.NoError(t, generic.GatherND(got, shaped(c.dst...), c.data, shaped(c.shape...), c.indices, shaped(c.tuples...), c.batchDims))
			require.Equal(t, c.want, got)
		})
	}
}

func TestGatherSlices(t *testing.T) {
	ten := numbers[int32](10)
	for _, c := range []struct {
		name            string
		data            []int32
		shape           []int
		indices         []int64
		picks           []int // the shape of indices
		axis, batchDims int
		want            []int32
		dst             []int
	}{
		{"OpenVINO 1", ten[:5], []int{5}, []int64{0, 0, 4}, []int{3}, 0, 0, []int32{0, 0, 4}, []int{3}},
		{"OpenVINO 2", ten, []int{2, 5}, []int64{0, 0, 4, 4, 0, 0}, []int{2, 3}, 1, 1, []int32{0, 0, 4, 9, 5, 5}, []int{2, 3}},
		{"OpenVINO 5", ten, []int{2, 5}, []int64{0, 0, 4, 4, 0, 0}, []int{2, 3}, 1, -1, []int32{0, 0, 4, 9, 5, 5}, []int{2, 3}},
		{"OpenVINO 6", ten[:5], []int{5}, []int64{0, -2, -1}, []int{3}, 0, 0, []int32{0, 3, 4}, []int{3}},
		{"ONNX 1", ten[:6], []int{3, 2}, []int64{0, 1, 1, 2}, []int{2, 2}, 0, 0, []int32{0, 1, 2, 3, 2, 3, 4, 5}, []int{2, 2, 2}},
		{"ONNX 2", ten[:9], []int{3, 3}, []int64{0, 2}, []int{1, 2}, 1, 0, []int32{0, 2, 3, 5, 6, 8}, []int{3, 1, 2}},
		{"axis beyond the batch", ten[:8], []int{2, 2, 2}, []int64{1, 0}, []int{2, 1}, -1, 1, []int32{1, 3, 4, 6}, []int{2, 2, 1}},
		{"a scalar", ten[:6], []int{2, 3}, []int64{-1}, []int{}, 1, 0, []int32{2, 5}, []int{2}},
		{"nothing but batches", ten[:6], []int{2, 3}, []int64{2, 0}, []int{2}, 1, 1, []int32{2, 3}, []int{2}},
		{"an empty slice reads no index", nil, []int{2, 0}, []int64{99}, []int{1}, 0, 0, []int32{}, []int{1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make([]int32, len(c.want))
			require.NoError(t, generic.GatherSlices(got, shaped(c.dst...), c.data, shaped(c.shape...), c.indices, shaped(c.picks...), c.axis, c.batchDims))
			require.Equal(t, c.want, got)
		})
	}
}

func TestEmbeddingBag(t *testing.T) {
	table := []float32{-0.2, -0.6, -0.1, -0.4, -1.9, -1.8, -1.0, 1.5, 0.8, -0.7} // OpenVINO's example, and its indices
	indices := []int64{0, 2, 3, 4}
	for _, c := range []struct {
		name       string
		offsets    []int64
		weights    []float32
		op         generic.Op
		defaultRow int
		want       []float32
	}{
		{"OpenVINO", []int64{0, 2, 2}, []float32{0.5, 0.5, 0.5, 0.5}, generic.Sum, 0, []float32{-1.05, -1.2, -0.2, -0.6, -0.1, 0.4}},
		{"no default", []int64{0, 2, 2}, nil, generic.Sum, -1, []float32{-2.1, -2.4, 0, 0, -0.2, 0.8}},
		{"mean", []int64{0, 4}, nil, generic.Mean, 1, []float32{-0.575, -0.4, -0.1, -0.4}},
		{"max", []int64{1, 2}, nil, generic.Max, -1, []float32{-1.9, -1.8, 0.8, 1.5}},
		{"none", nil, nil, generic.Max, -1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make([]float32, len(c.want))
			require.NoError(t, generic.EmbeddingBag(got, shaped(len(c.offsets), 2), table, shaped(5, 2), indices, shaped(4), c.offsets, shaped(len(c.offsets)),
				c.weights, shaped(4), c.op, c.defaultRow))
			for i, v := range c.want {
				require.InDelta(t, v, got[i], 1e-6, "%d", i)
			}
		})
	}
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

func TestScatterNDUpdate(t *testing.T) {
	four, tens := []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40, 50}
	layer := []int32{0, 2, -3, -3, 0} // of OpenVINO's document
	for _, c := range []struct {
		name       string
		data       []float32
		shape      []int
		indices    []int32
		tuples     []int
		updates    []float32
		counted    []int // the shape of updates
		op         generic.Op
		ignoreInit bool
		want       []float32
	}{
		{"OpenVINO's layer, none", four, []int{4}, layer, []int{5, 1}, tens, []int{5}, generic.Replace, false, []float32{50, 40, 20, 4}},
		{"OpenVINO's layer, sum", four, []int{4}, layer, []int{5, 1}, tens, []int{5}, generic.Sum, false, []float32{61, 72, 23, 4}},
		{"OpenVINO's layer, sub", four, []int{4}, layer, []int{5, 1}, tens, []int{5}, generic.Sub, false, []float32{-59, -68, -17, 4}},
		{"OpenVINO's layer, sub without the data", four, []int{4}, layer, []int{5, 1}, tens, []int{5}, generic.Sub, true, []float32{-60, -70, -20, 4}},
		{"rows", four, []int{2, 2}, []int32{-1, 1}, []int{2, 1}, tens[:4], []int{2, 2}, generic.Replace, false, []float32{1, 2, 30, 40}},
		{"elements", four, []int{2, 2}, []int32{0, -1, 1, 0}, []int{2, 2}, tens[:2], []int{2}, generic.Max, false, []float32{1, 10, 20, 4}},
		{"a scalar", four, []int{2, 2}, []int32{1, 1}, []int{2}, tens[:1], []int{}, generic.Prod, false, []float32{1, 2, 3, 40}},
		{"one element for a scalar", four, []int{2, 2}, []int32{1, 1}, []int{2}, tens[:1], []int{1, 1, 1}, generic.Min, false, []float32{1, 2, 3, 4}},
		{"tuples in two dimensions", four, []int{4}, []int32{3, 3, 3, 0}, []int{2, 2, 1}, tens[:4], []int{2, 2}, generic.Replace, false, []float32{40, 2, 3, 30}},
		{"no tuple", four, []int{4}, nil, []int{0, 1}, nil, []int{0}, generic.Sum, true, four},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := append([]float32(nil), c.data...)
			got := make([]float32, len(data))
			dv, xv, uv := shaped(c.shape...), shaped(c.tuples...), shaped(c.counted...)
			require.NoError(t, generic.ScatterNDUpdate(got, dv, data, dv, c.indices, xv, c.updates, uv, c.op, c.ignoreInit))
			require.Equal(t, c.want, got)
			require.Equal(t, c.data, data)

			require.NoError(t, generic.ScatterNDUpdate(data, dv, data, dv, c.indices, xv, c.updates, uv, c.op, c.ignoreInit))
			require.Equal(t, c.want, data, "in place")
		})
	}
}

func TestScatterElementsUpdate(t *testing.T) {
	row := []float32{2, 3, 4, 6}
	updates := []float32{10, 20, 30, 40, 70, 60}
	square := []float32{11, 12, 13, 14}
	full := func(v float32) []float32 {
		s := make([]float32, 12)
		for i := range s {
			s[i] = v
		}
		return s
	}
	for _, c := range []struct {
		name       string
		data       []float32
		shape      []int
		indices    []int32
		updates    []float32
		counted    []int // the shape of both
		axis       int
		op         generic.Op
		ignoreInit bool
		want       []float32
	}{
		{"example 1", row, []int{4}, []int32{1, 0, 0, -2, -1, 2}, updates, []int{6}, 0, generic.Sum, false, []float32{52, 13, 104, 76}},
		{"example 2", row, []int{4}, []int32{1, 0, 0, 2, 3, 2}, updates, []int{6}, 0, generic.Sum, true, []float32{50, 10, 100, 70}},
		{"example 3", full(0), []int{3, 4}, []int32{1, 2, 0, 3}, square, []int{2, 2}, 1, generic.Replace, false, []float32{0, 11, 12, 0, 13, 0, 0, 14, 0, 0, 0, 0}},
		{"example 4", full(1), []int{3, 4}, []int32{1, 1, 0, 3}, square, []int{2, 2}, 1, generic.Sum, false, []float32{1, 24, 1, 1, 14, 1, 1, 15, 1, 1, 1, 1}},
		{"example 5", full(2), []int{3, 4}, []int32{1, 1, 0, 3}, square, []int{2, 2}, 1, generic.Prod, false, []float32{2, 264, 2, 2, 26, 2, 2, 28, 2, 2, 2, 2}},
		{"the last update wins", row, []int{4}, []int32{1, 1, -3}, updates[:3], []int{3}, 0, generic.Replace, true, []float32{2, 30, 4, 6}},
		{"mean", row, []int{4}, []int32{0, 0, 3}, updates[:3], []int{3}, -1, generic.Mean, false, []float32{32.0 / 3, 3, 4, 18}},
		{"mean without the data", row, []int{4}, []int32{0, 0, 3}, updates[:3], []int{3}, -1, generic.Mean, true, []float32{15, 3, 4, 30}},
		{"axis 0", []float32{1, 2, 3, 4}, []int{2, 2}, []int32{1, -2}, updates[:2], []int{1, 2}, 0, generic.Max, false, []float32{1, 20, 10, 4}},
		{"no update", row, []int{4}, nil, nil, []int{0}, 0, generic.Prod, true, row},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := append([]float32(nil), c.data...)
			got := make([]float32, len(data))
			dv, xv := shaped(c.shape...), shaped(c.counted...)
			require.NoError(t, generic.ScatterElementsUpdate(got, dv, data, dv, c.indices, xv, c.updates, xv, c.axis, c.op, c.ignoreInit))
			require.Equal(t, c.want, got)
			require.Equal(t, c.data, data)

			require.NoError(t, generic.ScatterElementsUpdate(data, dv, data, dv, c.indices, xv, c.updates, xv, c.axis, c.op, c.ignoreInit))
			require.Equal(t, c.want, data, "in place")
		})
	}
}

type (
	binary16 uint16 // another library's
	brain16  uint16
	fixed16  uint16 // has the method, but neither format
	celsius  float32
	flag     bool
)

func (h binary16) Float32() float32 { return generic.Float16ToFloat32(uint16(h)) }
func (h brain16) Float32() float32  { return generic.BFloat16ToFloat32(uint16(h)) }
func (h fixed16) Float32() float32  { return float32(h) / 256 }

// reduce scatters all updates into one cell that holds init.
func reduce[T any](op generic.Op, ignoreInit bool, init T, updates ...T) (T, error) {
	cell, one, all := []T{init}, shaped(1), shaped(len(updates))
	err := generic.ScatterElementsUpdate(cell, one, cell, one, make([]uint8, len(updates)), all, updates, all, 0, op, ignoreInit)
	return cell[0], err
}

// A reductionCase is one cell: what it holds, its updates, and what it becomes.
type reductionCase[T any] struct {
	name       string
	op         generic.Op
	ignoreInit bool
	init       T
	updates    []T
	want       T
}

// run compares values as printed: that tells -0 from 0, and a NaN equals any NaN.
func run[T any](t *testing.T, cases []reductionCase[T]) {
	for _, c := range cases {
		t.Run(fmt.Sprintf("elem=%T/%s", c.want, c.name), func(t *testing.T) {
			got, err := reduce(c.op, c.ignoreInit, c.init, c.updates...)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(c.want), fmt.Sprint(got))
		})
	}
}

const (
	replace = generic.Replace
	sum     = generic.Sum
	prod    = generic.Prod
	least   = generic.Min
	most    = generic.Max
	mean    = generic.Mean
	sub     = generic.Sub
)

func TestReductionOfIntegers(t *testing.T) {
	run(t, []reductionCase[int8]{
		{"sum wraps", sum, false, 127, []int8{1}, -128},
		{"prod wraps", prod, false, 64, []int8{4}, 0},
		{"sub wraps", sub, false, -128, []int8{1, 1}, 126},
		{"sub without init", sub, true, 9, []int8{1, 2}, -3},
		{"mean of positive numbers is cut", mean, false, 1, []int8{2}, 1},
		{"mean of negative numbers is floored", mean, false, -1, []int8{-2}, -2},
		{"mean that is a whole number stays", mean, false, -1, []int8{-3}, -2},
		{"mean of both signs is floored", mean, false, -2, []int8{1}, -1},
		{"mean does not wrap", mean, false, 127, []int8{127, 126}, 126},
		{"mean of the smallest", mean, false, -128, []int8{-128, -128}, -128},
		{"mean without init", mean, true, 100, []int8{-3, -4}, -4},
		{"min without init", least, true, -128, []int8{127}, 127},
		{"max without init", most, true, 127, []int8{-128}, -128},
		{"sum without init", sum, true, 9, []int8{1, 2}, 3},
		{"prod without init", prod, true, 9, []int8{5, -2}, -10},
	})
	run(t, []reductionCase[uint64]{
		{"mean beyond 64 bits", mean, false, math.MaxUint64, []uint64{math.MaxUint64, math.MaxUint64 - 1}, math.MaxUint64 - 1},
		{"min is unsigned", least, false, 1 << 63, []uint64{1}, 1},
		{"max is unsigned", most, false, 1 << 63, []uint64{1}, 1 << 63},
		{"min without init", least, true, 0, []uint64{math.MaxUint64}, math.MaxUint64},
		{"sum wraps", sum, false, math.MaxUint64, []uint64{2}, 1},
	})
	run(t, []reductionCase[int64]{
		{"mean beyond 64 bits", mean, false, math.MinInt64, []int64{math.MinInt64, math.MinInt64 + 1}, math.MinInt64},
		{"mean of the ends", mean, false, math.MinInt64, []int64{math.MaxInt64}, -1},
	})
	run(t, []reductionCase[uint16]{{"no half type", sum, false, 0x3C00, []uint16{0x3C00}, 0x7800}})
}

func TestReductionOfFloats(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	negativeZero := float32(math.Copysign(0, -1))
	run(t, []reductionCase[float32]{
		{"each step rounds", sum, false, 1 << 24, []float32{1, 1}, 1 << 24},
		{"in the order of the updates", sum, false, 1, []float32{1 << 24, -(1 << 24)}, 0},
		{"min: init NaN, the update remains", least, false, nan, []float32{1}, 1},
		{"min: update NaN remains", least, false, 1, []float32{nan}, nan},
		{"min: after NaN all is forgotten", least, false, 1, []float32{nan, 7}, 7},
		{"max: init NaN, the update remains", most, false, nan, []float32{1}, 1},
		{"max: update NaN remains", most, false, 1, []float32{nan}, nan},
		{"min of 0, -0", least, false, 0, []float32{negativeZero}, negativeZero},
		{"min of -0, 0", least, false, negativeZero, []float32{0}, 0},
		{"max of 0, -0", most, false, 0, []float32{negativeZero}, negativeZero},
		{"max of -0, 0", most, false, negativeZero, []float32{0}, 0},
		{"min without init", least, true, -5, []float32{3, 2}, 2},
		{"min of +Inf without init", least, true, -5, []float32{inf}, inf},
		{"max of -Inf without init", most, true, 5, []float32{-inf}, -inf},
		{"sum of -0 without init is +0", sum, true, 5, []float32{negativeZero}, 0},
		{"sum of -0 and -0", sum, false, negativeZero, []float32{negativeZero}, negativeZero},
		{"prod of -0 without init", prod, true, 5, []float32{negativeZero}, negativeZero},
		{"mean of -0 without init is +0", mean, true, 5, []float32{negativeZero}, 0},
		{"sum of infinities", sum, false, inf, []float32{-inf}, nan},
		{"mean: the sum rounds first", mean, false, 1 << 24, []float32{1, 1}, (1 << 24) / float32(3)},
		{"mean: the sum overflows", mean, false, math.MaxFloat32, []float32{math.MaxFloat32}, inf},
	})
	run(t, []reductionCase[celsius]{{"a named type", sum, false, 1.5, []celsius{2}, 3.5}})
	run(t, []reductionCase[float64]{
		{"each step rounds", sum, false, 1 << 53, []float64{1, 1}, 1 << 53},
		{"min of +Inf without init", least, true, -5, []float64{math.Inf(1)}, math.Inf(1)},
		{"mean", mean, false, 1, []float64{2, 2}, 5.0 / 3},
	})
}

// Min and max keep the bits of a NaN, a signalling one too.
func TestMinMaxKeepNaNBits(t *testing.T) {
	for _, signalling := range []uint32{0x7F800001, 0xFFA12345} {
		v := math.Float32frombits(signalling)
		for _, op := range []generic.Op{replace, least, most} {
			got, err := reduce(op, false, 1, v)
			require.NoError(t, err)
			assert.Equal(t, signalling, math.Float32bits(got))
		}
	}
	for _, op := range []generic.Op{replace, least, most} {
		got, err := reduce[binary16](op, false, 0x3C00, 0xFD01)
		require.NoError(t, err)
		assert.EqualValues(t, 0xFD01, got)
	}
}

func TestReductionOfHalves(t *testing.T) {
	// binary16 has 11 bits: 2048 + 1 is a tie that goes to 2048.
	half := func(f float32) binary16 { return binary16(generic.Float16FromFloat32(f)) }
	run(t, []reductionCase[binary16]{
		{"each step rounds", sum, false, half(2048), []binary16{half(1), half(1)}, half(2048)},
		{"sum that fits", sum, false, half(2048), []binary16{half(3)}, half(2052)}, // 2051, a tie, to even
		{"sum overflows", sum, false, half(65504), []binary16{half(16)}, 0x7C00},
		{"prod rounds to a subnormal", prod, false, 0x0400, []binary16{half(0.5)}, 0x0200},
		{"mean divides in float32", mean, false, half(1), []binary16{half(1), half(0)}, half(2.0 / 3)},
		{"min of +Inf without init", least, true, 0, []binary16{0x7C00}, 0x7C00},
		{"max of -Inf without init", most, true, 0, []binary16{0xFC00}, 0xFC00},
		{"min is by value", least, false, half(1), []binary16{half(-2)}, half(-2)},
		{"min of 0, -0", least, false, 0, []binary16{0x8000}, 0x8000},
		{"prod without init", prod, true, half(9), []binary16{half(3)}, half(3)},
	})
	brain := func(f float32) brain16 { return brain16(generic.BFloat16FromFloat32(f)) }
	run(t, []reductionCase[brain16]{
		{"each step rounds", sum, false, brain(256), []brain16{brain(1), brain(1)}, brain(256)},
		{"beyond binary16", prod, false, brain(1 << 20), []brain16{brain(4)}, brain(1 << 22)},
		{"mean", mean, false, brain(1), []brain16{brain(2)}, brain(1.5)},
	})
}

func TestReductionOfComplexNumbers(t *testing.T) {
	run(t, []reductionCase[complex128]{
		{"sum", sum, false, 1 + 2i, []complex128{3 - 5i}, 4 - 3i},
		{"prod", prod, false, 1 + 2i, []complex128{3 - 5i}, 13 + 1i},
		{"prod without init", prod, true, 9, []complex128{1i, 1i}, -1},
		{"mean divides each component", mean, false, 1 + 2i, []complex128{2 + 3i}, 1.5 + 2.5i},
		// a*c = 1+2^-29+2^-60 rounds to 1+2^-29; fused with b*d it would leave 2^-60.
		{"products round before they meet", prod, false, complex(1+0x1p-30, 1), []complex128{complex(1+0x1p-30, 1+0x1p-29)},
			complex(0, (1+0x1p-30)*(1+0x1p-29)+(1+0x1p-30))},
	})
	run(t, []reductionCase[complex64]{
		// The products, exact in float64, differ by 2^-46, which float32 products would lose.
		{"float64 inside", prod, false, complex(1+0x1p-23, 1), []complex64{complex(1+0x1p-23, 1+0x1p-22)}, complex(0x1p-46, 2+0x1p-21)},
		{"mean", mean, true, 9, []complex64{1 + 1i, 2}, 1.5 + 0.5i},
	})
}

func TestReductionOfBooleans(t *testing.T) {
	for _, a := range []bool{false, true} {
		for _, b := range []bool{false, true} {
			for op, want := range map[generic.Op]bool{sum: a || b, prod: a && b, least: a && b, most: a || b, sub: a != b, replace: b} {
				got, err := reduce(op, false, a, b)
				require.NoError(t, err)
				assert.Equal(t, want, got, "op %d of %t, %t", op, a, b)

				got, err = reduce(op, true, a, b)
				require.NoError(t, err)
				assert.Equal(t, b, got, "op %d of the identity, %t", op, b)
			}
		}
	}
	got, err := reduce(sum, false, flag(false), true)
	require.NoError(t, err)
	assert.Equal(t, flag(true), got)
}

func TestTypesWithoutReduction(t *testing.T) {
	var bad *generic.BadType
	check := func(name string, err error) { assert.ErrorAs(t, err, &bad, name) }
	_, err := reduce(mean, false, true, true)
	check("mean of bool", err)
	_, err = reduce(least, false, 1i, 1i)
	check("min of complex128", err)
	_, err = reduce(most, false, complex64(1), 1)
	check("max of complex64", err)
	_, err = reduce(sum, false, "a", "b")
	check("sum of string", err)
	_, err = reduce(sum, false, uintptr(1), 1)
	check("sum of uintptr", err)
	_, err = reduce(sum, false, fixed16(1), 1)
	check("sum of an unknown half type", err)
	_, err = reduce[string](sum, false, "a")
	check("no updates", err)

	for _, v := range []fixed16{0, 0x3C00, 0x3F80} {
		got, err := reduce(replace, false, fixed16(1), v)
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
		return generic.ScatterElementsUpdate(dst, two, data, two, []int64{2}, shaped(1, 1), []int32{9}, shaped(1, 1), 0, replace, false)
	}, generic.BadIndex{Position: []int{0, 0}, Value: "2", Axis: 0, Size: 2})
	expect(func(dst []int32) error { // a scatter into empty data checks its indices
		return generic.ScatterElementsUpdate(dst, shaped(2, 0), nil, shaped(2, 0), []int64{0}, shaped(1, 1), []int32{9}, shaped(1, 1), 1, replace, false)
	}, generic.BadIndex{Position: []int{0, 0}, Value: "0", Axis: 1, Size: 0})

	expect(func(dst []int32) error {
		return generic.GatherSlices(dst, shaped(2), data, two, []int64{1, 3}, shaped(2), -1, 1)
	}, generic.BadIndex{Position: []int{1}, Value: "3", Axis: 1, Size: 3})
	expect(func(dst []int32) error {
		return generic.GatherSlices(dst, shaped(2), data, two, []int64{-4}, shaped(), 1, 0)
	}, generic.BadIndex{Position: []int{}, Value: "-4", Axis: 1, Size: 3})
	expect(func(dst []int32) error {
		return generic.ScatterNDUpdate(dst, two, data, two, []int64{0, 0, 1, 3}, shaped(2, 2), []int32{9, 9}, shaped(2), replace, false)
	}, generic.BadIndex{Position: []int{1, 1}, Value: "3", Axis: 1, Size: 3})
	inPlace := numbers[int32](6)
	require.Error(t, generic.ScatterNDUpdate(inPlace, two, inPlace, two, []int64{0, -3}, shaped(2, 1), numbers[int32](6), two, sum, true))
	require.Equal(t, data, inPlace)
	require.Error(t, generic.ScatterElementsUpdate(inPlace, two, inPlace, two, []int64{0, 1, 2}, shaped(1, 3), []int32{9, 9, 9}, shaped(1, 3), 0, sum, true))
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

const (
	lowest  = math.MinInt64
	highest = math.MaxInt64
)

func TestStridedSlice(t *testing.T) {
	ints := func(v ...int64) []int64 { return v }
	// data is 0, 1, 2 …, so that want says which elements are taken.
	for _, c := range []struct {
		name  string
		data  []int
		slice generic.Slice
		shape []int
		want  []int32
	}{
		{"example begin_mask and end_mask", []int{2, 3, 4}, generic.Slice{
			Begin: ints(1, 0, 0), End: ints(0, 0, 2), Strides: ints(1, 1, 1), BeginMask: bits("011"), EndMask: bits("110"),
		}, []int{1, 3, 2}, []int32{12, 13, 16, 17, 20, 21}},
		{"example new_axis_mask", []int{2, 1, 2}, generic.Slice{
			Begin: ints(0, 0, 0), End: ints(0, 0, 0), BeginMask: bits("011"), EndMask: bits("011"), NewAxisMask: bits("100"),
		}, []int{1, 2, 1, 2}, []int32{0, 1, 2, 3}},
		{"example shrink_axis_mask", []int{1, 2, 1, 2, 1}, generic.Slice{
			Begin: ints(0, 0, 0, 0, 0), End: ints(0, 0, 0, 0, 0), BeginMask: bits("10111"), EndMask: bits("10111"), ShrinkAxisMask: bits("01000"),
		}, []int{1, 1, 2, 1}, []int32{0, 1}},

		{"nothing said takes all", []int{2, 2}, generic.Slice{}, []int{2, 2}, []int32{0, 1, 2, 3}},
		{"scalar", []int{}, generic.Slice{}, []int{}, []int32{0}},
		{"scalar with new axes", []int{}, generic.Slice{Begin: ints(5, 5), End: ints(5, 5), NewAxisMask: bits("11")}, []int{1, 1}, []int32{0}},
		{"step", []int{7}, generic.Slice{Begin: ints(1), End: ints(7), Strides: ints(2)}, []int{3}, []int32{1, 3, 5}},
		{"step with a remainder", []int{7}, generic.Slice{Begin: ints(0), End: ints(7), Strides: ints(3)}, []int{3}, []int32{0, 3, 6}},
		{"negative bounds", []int{5}, generic.Slice{Begin: ints(-3), End: ints(-1)}, []int{2}, []int32{2, 3}},
		{"begin beyond the end", []int{5}, generic.Slice{Begin: ints(3), End: ints(3)}, []int{0}, nil},
		{"bounds clamp", []int{3}, generic.Slice{Begin: ints(-9), End: ints(9)}, []int{3}, []int32{0, 1, 2}},
		{"begin clamps to d", []int{3}, generic.Slice{Begin: ints(9), End: ints(9)}, []int{0}, nil},

		{"reversed by masks", []int{4}, generic.Slice{Begin: ints(2), End: ints(2), Strides: ints(-1), BeginMask: bits("1"), EndMask: bits("1")}, []int{4}, []int32{3, 2, 1, 0}},
		{"reversed, end -1 is the last element", []int{4}, generic.Slice{Begin: ints(3), End: ints(-1), Strides: ints(-1)}, []int{0}, nil},
		{"reversed to below -d", []int{4}, generic.Slice{Begin: ints(3), End: ints(-5), Strides: ints(-1)}, []int{4}, []int32{3, 2, 1, 0}},
		{"reversed, begin beyond d", []int{4}, generic.Slice{Begin: ints(9), End: ints(0), Strides: ints(-2)}, []int{2}, []int32{3, 1}},
		{"reversed, begin below -d is element 0", []int{4}, generic.Slice{Begin: ints(-9), End: ints(-9), Strides: ints(-1)}, []int{1}, []int32{0}},
		{"reversed, end beyond d", []int{4}, generic.Slice{Begin: ints(9), End: ints(9), Strides: ints(-1)}, []int{0}, nil},

		{"INT64 ends", []int{3}, generic.Slice{Begin: ints(lowest), End: ints(highest)}, []int{3}, []int32{0, 1, 2}},
		{"INT64 ends, the longest step", []int{3}, generic.Slice{Begin: ints(lowest), End: ints(highest), Strides: ints(highest)}, []int{1}, []int32{0}},
		{"INT64 ends, reversed", []int{3}, generic.Slice{Begin: ints(highest), End: ints(lowest), Strides: ints(-1)}, []int{3}, []int32{2, 1, 0}},
		{"INT64 ends, the longest step back", []int{3}, generic.Slice{Begin: ints(highest), End: ints(lowest), Strides: ints(lowest)}, []int{1}, []int32{2}},
		{"INT64 ends, the other way round", []int{3}, generic.Slice{Begin: ints(highest), End: ints(lowest)}, []int{0}, nil},
		{"start 0, stop and step of 2^31", []int{3}, generic.Slice{Begin: ints(0), End: ints(1<<31 - 1), Strides: ints(126322568)}, []int{1}, []int32{0}},

		{"an empty axis", []int{0}, generic.Slice{Begin: ints(0), End: ints(1), Strides: ints(-1)}, []int{0}, nil},
		{"an empty axis, reversed by masks", []int{0, 2}, generic.Slice{Begin: ints(0), End: ints(0), Strides: ints(-1), BeginMask: bits("1"), EndMask: bits("1")}, []int{0, 2}, nil},

		{"shrink the last element", []int{2, 3}, generic.Slice{Begin: ints(0, -1), End: ints(0, 0), Strides: ints(1, 0), EndMask: bits("1"), ShrinkAxisMask: bits("01")}, []int{2}, []int32{2, 5}},
		{"shrink with begin_mask is element 0", []int{3}, generic.Slice{Begin: ints(99), End: ints(0), BeginMask: bits("1"), ShrinkAxisMask: bits("1")}, []int{}, []int32{0}},
		{"ellipsis in the middle", []int{2, 1, 1, 3}, generic.Slice{Begin: ints(1, 99, 0), End: ints(2, 99, 2), Strides: ints(1, 0, 1), EllipsisMask: bits("010")}, []int{1, 1, 1, 2}, []int32{3, 4}},
		{"ellipsis of no axis", []int{2, 2}, generic.Slice{Begin: ints(1, 0, 1), End: ints(2, 0, 2), EllipsisMask: bits("010")}, []int{1, 1}, []int32{3}},
		{"ellipsis and a new axis behind", []int{2, 2}, generic.Slice{Begin: ints(0, 0), End: ints(0, 0), EllipsisMask: bits("1"), NewAxisMask: bits("01")}, []int{2, 2, 1}, []int32{0, 1, 2, 3}},
		{"ellipsis wins over new_axis and shrink", []int{2, 2}, generic.Slice{Begin: ints(9), End: ints(9), EllipsisMask: bits("1"), NewAxisMask: bits("1"), ShrinkAxisMask: bits("1")}, []int{2, 2}, []int32{0, 1, 2, 3}},
		{"new_axis wins over shrink", []int{2}, generic.Slice{Begin: ints(9), End: ints(9), NewAxisMask: bits("1"), ShrinkAxisMask: bits("1")}, []int{1, 2}, []int32{0, 1}},
		{"bits past the entries are ignored", []int{2}, generic.Slice{Begin: ints(1), End: ints(2), EllipsisMask: bits("0110"), NewAxisMask: bits("01")}, []int{1}, []int32{1}},
		{"entries may all be new axes", []int{2}, generic.Slice{Begin: ints(0, 0), End: ints(0, 0), NewAxisMask: bits("11")}, []int{1, 1, 2}, []int32{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			shape, err := generic.StridedSliceShape(c.data, c.slice)
			require.NoError(t, err)
			require.Equal(t, c.shape, append([]int{}, shape...)) // a scalar's may be nil

			elements := 1
			for _, d := range c.data {
				elements *= d
			}
			dst := make([]int32, len(c.want))
			require.NoError(t, generic.StridedSlice(dst, shaped(shape...), numbers[int32](elements), shaped(c.data...), c.slice))
			require.Equal(t, append([]int32{}, c.want...), dst)
		})
	}
}

// The shapes that the document gives are too large to list elements.
func TestStridedSliceShape(t *testing.T) {
	five := make([]int64, 5)
	shape, err := generic.StridedSliceShape([]int{1, 2, 384, 640, 8}, generic.Slice{
		Begin: five, End: five, BeginMask: bits("10111"), EndMask: bits("10111"), ShrinkAxisMask: bits("01000"),
	})
	require.NoError(t, err)
	require.Equal(t, []int{1, 384, 640, 8}, shape)

	shape, err = generic.StridedSliceShape([]int{2, 3, 4}, generic.Slice{
		Begin: five[:3], End: five[:3], BeginMask: bits("011"), EndMask: bits("011"), NewAxisMask: bits("100"),
	})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 3, 4}, shape)

	shape, err = generic.StridedSliceShape([]int{math.MaxInt}, generic.Slice{Begin: []int64{0}, End: []int64{math.MaxInt64}, Strides: []int64{2}})
	require.NoError(t, err)
	require.Equal(t, []int{math.MaxInt/2 + 1}, shape)
}

// TestSliceRanges has the two examples of ONNX's Slice-13, and what is not allowed.
func TestSliceRanges(t *testing.T) {
	ints := func(v ...int64) []int64 { return v }
	for _, c := range []struct {
		name   string
		ranges generic.Ranges
		shape  []int
		want   []int32
	}{
		{"example 1", generic.Ranges{Starts: ints(1, 0), Ends: ints(2, 3), Axes: ints(0, 1), Steps: ints(1, 2)}, []int{1, 2}, []int32{4, 6}},
		{"example 2", generic.Ranges{Starts: ints(0, 1), Ends: ints(-1, 1000)}, []int{1, 3}, []int32{1, 2, 3}},
		{"the last axis, backwards", generic.Ranges{Starts: ints(2), Ends: ints(lowest), Axes: ints(-1), Steps: ints(-1)}, []int{2, 3}, []int32{2, 1, 0, 6, 5, 4}},
	} {
		shape, err := generic.SliceRangesShape([]int{2, 4}, c.ranges)
		require.NoError(t, err, c.name)
		require.Equal(t, c.shape, shape, c.name)
		dst := make([]int32, len(c.want))
		require.NoError(t, generic.SliceRanges(dst, shaped(shape...), numbers[int32](8), shaped(2, 4), c.ranges), c.name)
		require.Equal(t, c.want, dst, c.name)
	}
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
		{"the lowest int64", []int{2}, generic.Slice{Begin: []int64{lowest}, End: one, ShrinkAxisMask: bits("1")}, generic.BadIndex{Value: "-9223372036854775808", Size: 2}},
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
