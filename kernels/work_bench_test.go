package kernels_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// A costed is a call on one worker that shows one of dispatch.Costs.
type costed struct {
	cost  string
	units int // that it has of that kind
	rest  func(c dispatch.Work) float64
	call  func() error
}

// costedCalls has a call for each of dispatch.Costs, in order; some are taken off those that come
// later.
func costedCalls() []costed {
	const n, side = 64 << 10, 256
	one := kernels.Workers(1)
	square := func() kernels.Tensor[float32] { return kernels.New(numbers[float32](n), side, side) }
	dst, data, updates := square(), square(), square()
	halves := func() kernels.Tensor[kernels.Float16] { return kernels.New(make([]kernels.Float16, n), side, side) }
	hdst, hdata, hupdates := halves(), halves(), halves()
	x, small := randomTensor[int64](side, side, side), randomTensor[int16](side, side, side)
	rows := kernels.Tensor[int64]{Data: x.Data, Shape: []int{side, side}, Strides: []int{1, 0}}
	whole, mask := kernels.New(make([]bool, n), side, side), kernels.New(make([]bool, n), side, side)
	for i := range n / 2 {
		mask.Data[i*2+i/7%2] = true
	}
	wide, narrow := kernels.New(numbers[float32](2*n), side, 2*side), kernels.New(numbers[float32](n), n/4, 4)
	quads := kernels.Tensor[float32]{Data: wide.Data, Shape: []int{n / 4, 4}, Strides: []int{8, 1}}
	sums := func(r kernels.Reduction) kernels.ScatterAttrs { return kernels.ScatterAttrs{Reduction: r} }
	every := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{1, 2}, BeginMask: []bool{true, true}, EndMask: []bool{true, true}}
	none := func(dispatch.Work) float64 { return 0 }
	return []costed{
		{"Byte", 4 * n, none, func() error { return kernels.StridedSlice(dst, data, kernels.SliceSpec{}, one) }},
		{"Run", n / 4, func(c dispatch.Work) float64 { return 4 * n * c.Byte }, func() error {
			return kernels.StridedSlice(narrow, quads, kernels.SliceSpec{}, one)
		}},
		{"Strided", n, none, func() error { return kernels.StridedSlice(dst, wide, every, one) }},
		{"Scatter", n, func(c dispatch.Work) float64 { return 4 * n * c.Byte }, func() error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, sums(kernels.None), one)
		}},
		{"Check", n, func(c dispatch.Work) float64 { return n * c.Scatter }, func() error {
			return kernels.ScatterElementsUpdate(dst, dst, x, updates, 1, sums(kernels.None), one)
		}},
		{"Gather", n, none, func() error { return kernels.GatherElements(dst, data, x, 1, one) }},
		{"Resolve", n, func(c dispatch.Work) float64 { return n * c.Gather }, func() error { return kernels.GatherElements(dst, data, small, 1, one) }},
		{"Reduce", n, func(c dispatch.Work) float64 { return 4 * n * c.Byte }, func() error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, sums(kernels.Max), one)
		}},
		{"Combine", 4 * n, func(c dispatch.Work) float64 { return side*c.Run + 4*n*c.Byte }, func() error {
			return kernels.ScatterElementsUpdate(dst, data, rows, updates, 0, sums(kernels.Max), one)
		}},
		{"Half", n, func(c dispatch.Work) float64 { return n*c.Reduce + 2*n*c.Byte }, func() error {
			return kernels.ScatterElementsUpdate(hdst, hdata, x, hupdates, 1, sums(kernels.Max), one)
		}},
		{"Divide", n, func(c dispatch.Work) float64 { return side*c.Mean + 4*n*c.Byte }, func() error {
			return kernels.ScatterElementsUpdate(dst, data, kernels.New(x.Data[:side], side, 1), kernels.New(updates.Data[:side], side, 1), 1, sums(kernels.Mean), one)
		}},
		{"Mean", n, func(c dispatch.Work) float64 { return n*c.Divide + 4*n*c.Byte }, func() error {
			return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, sums(kernels.Mean), one)
		}},
		{"Mask", n, none, func() error {
			_, err := kernels.TakeShape(data.Shape, whole)
			return err
		}},
		{"Compact", n / 2, func(c dispatch.Work) float64 { return n * c.Mask }, func() error {
			return kernels.Take(kernels.New(dst.Data[:n/2], n/2), data, mask, one)
		}},
	}
}

// BenchmarkWork prints what each of dispatch.Costs is here, and what the table says.
//
//	go test ./kernels -run '^$' -bench Work -benchtime 300x
func BenchmarkWork(b *testing.B) {
	costs := dispatch.Costs
	fields := reflect.ValueOf(&costs).Elem()
	for _, c := range costedCalls() {
		b.Run("cost="+c.cost, func(b *testing.B) {
			times := make([]float64, 0, b.N)
			for range b.N {
				start := time.Now()
				require.NoError(b, c.call())
				times = append(times, float64(time.Since(start).Nanoseconds()))
			}
			slices.Sort(times)
			f := fields.FieldByName(c.cost)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(reflect.ValueOf(dispatch.Costs).FieldByName(c.cost).Float(), "ns-in-table")
			f.SetFloat(max(0, (times[len(times)/2]-c.rest(costs))/float64(c.units)))
			b.ReportMetric(f.Float(), "ns-measured")
		})
	}
}

// TestEveryCostIsMeasured: a cost that is added needs a call that shows it.
func TestEveryCostIsMeasured(t *testing.T) {
	var names []string
	for _, c := range costedCalls() {
		names = append(names, c.cost)
	}
	costs := reflect.TypeFor[dispatch.Work]()
	for i := range costs.NumField() {
		require.Contains(t, names, costs.Field(i).Name)
	}
	require.Len(t, names, costs.NumField())
}
