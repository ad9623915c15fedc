package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/lanes-go/lanes/kernels"
)

// BenchmarkRaw times calls on tensors whose types are known at run time beside
// typed calls on the same memory, in turns, so that what else the machine does
// weighs on both. raw/typed is the ratio of the fastest turns:
//
//	go test -run '^$' -bench Raw ./kernels
//
// The sizes are those of the workloads W1, W9, W12 and W18 of bench/, rows of 64 float32, of which
// some 100 thousand are moved, 4 Mi elements under a mask, and 16 elements.
func BenchmarkRaw(b *testing.B) {
	one := kernels.Workers(1)
	{
		dst, data, x := zeros[float32](1024, 4096), zeros[float32](1024, 4096), randomTensor[int64](4096, 1024, 4096)
		d, s, i := rawOf(dst), rawOf(data), rawOf(x)
		inTurns(b, "op=GatherElements/size=W1",
			func() error { return kernels.GatherElements(dst, data, x, 1, one) },
			func() error { return kernels.GatherElementsRaw(d, s, i, 1, one) })
		attrs := kernels.ScatterAttrs{Reduction: kernels.Sum}
		inTurns(b, "op=ScatterElementsUpdate/reduction=sum/size=W12",
			func() error { return kernels.ScatterElementsUpdate(dst, dst, x, data, 1, attrs, one) },
			func() error { return kernels.ScatterElementsUpdateRaw(d, d, i, s, 1, attrs, one) })
	}
	{
		dst, data, x := zeros[float32](200_000, 64), zeros[float32](100_000, 64), randomTensor[int64](100_000, 200_000, 1)
		d, s, i := rawOf(dst), rawOf(data), rawOf(x)
		inTurns(b, "op=GatherND/size=W9",
			func() error { return kernels.GatherND(dst, data, x, 0, one) },
			func() error { return kernels.GatherNDRaw(d, s, i, 0, one) })
		rows := kernels.New(x.Data, len(x.Data))
		r := rawOf(rows)
		inTurns(b, "op=Gather/size=rows",
			func() error { return kernels.Gather(dst, data, rows, 0, 0, one) },
			func() error { return kernels.GatherRaw(d, s, r, 0, 0, one) })
		attrs := kernels.ScatterAttrs{Reduction: kernels.Sum}
		inTurns(b, "op=ScatterNDUpdate/reduction=sum/size=rows",
			func() error { return kernels.ScatterNDUpdate(data, data, x, dst, attrs, one) },
			func() error { return kernels.ScatterNDUpdateRaw(s, s, i, d, attrs, one) })
		half := randomMask(200_000)
		chosen := kernels.New(data.Data, 100_000, 64)
		m, c := rawOf(half), rawOf(chosen)
		inTurns(b, "op=Compress/size=rows",
			func() error { return kernels.Compress(chosen, dst, half, 0, one) },
			func() error { return kernels.CompressRaw(c, d, m, 0, one) })
	}
	{
		dst, data, mask := zeros[float32](2<<20), zeros[float32](4<<20), randomMask(4<<20)
		d, s, m := rawOf(dst), rawOf(data), rawOf(mask)
		inTurns(b, "op=Take/size=4Mi",
			func() error { return kernels.Take(dst, data, mask, one) },
			func() error { return kernels.TakeRaw(d, s, m, one) })
	}
	{
		dst, data := zeros[float32](8, 3, 320, 320), zeros[float32](8, 3, 640, 640)
		d, s := rawOf(dst), rawOf(data)
		spec := kernels.SliceSpec{Begin: []int64{0, 0, 0}, End: []int64{0, 640, 640}, Strides: []int64{1, 2, 2}, EllipsisMask: []bool{true}}
		inTurns(b, "op=StridedSlice/size=W18",
			func() error { return kernels.StridedSlice(dst, data, spec, one) },
			func() error { return kernels.StridedSliceRaw(d, s, spec, one) })
		r := kernels.Ranges{Starts: []int64{0, 0}, Ends: []int64{640, 640}, Axes: []int64{2, 3}, Steps: []int64{2, 2}}
		inTurns(b, "op=Slice/size=W18",
			func() error { return kernels.Slice(dst, data, r, one) },
			func() error { return kernels.SliceRaw(d, s, r, one) })
	}
	rawSmall[int64](b, "i64")
	rawSmall[int32](b, "i32")
	rawSmall[uint8](b, "u8")
	rawSmallParts(b)
}

// randomMask returns a mask of which half is true.
func randomMask(n int) kernels.Tensor[bool] {
	m := kernels.New(make([]bool, n), n)
	for i := range n / 2 {
		m.Data[i] = true
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { m.Data[i], m.Data[j] = m.Data[j], m.Data[i] })
	return m
}

// rawSmallParts times calls without indices on 16 elements.
func rawSmallParts(b *testing.B) {
	dst, data, half := zeros[float32](4, 4), zeros[float32](4, 8), kernels.New(slices.Repeat([]bool{true, false}, 4), 8)
	d, s, m := rawOf(dst), rawOf(data), rawOf(half)
	small := func(name string, typed, raw func() error) { inTurns(b, name+"/n=16", typed, raw) }
	spec := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{1, -2}, BeginMask: []bool{true, true}, EndMask: []bool{true, true}}
	small("op=StridedSlice",
		func() error { return kernels.StridedSlice(dst, data, spec) },
		func() error { return kernels.StridedSliceRaw(d, s, spec) })
	r := kernels.Ranges{Starts: []int64{-1}, Ends: []int64{math.MinInt64}, Axes: []int64{1}, Steps: []int64{-2}}
	small("op=Slice",
		func() error { return kernels.Slice(dst, data, r) },
		func() error { return kernels.SliceRaw(d, s, r) })
	small("op=Compress",
		func() error { return kernels.Compress(dst, data, half, 1) },
		func() error { return kernels.CompressRaw(d, s, m, 1) })
	rows, table, some := kernels.New(dst.Data, 2, 8), data, kernels.New([]bool{true, false, false, true}, 4)
	rr, rt, rs := rawOf(rows), rawOf(table), rawOf(some)
	small("op=Take",
		func() error { return kernels.Take(rows, table, some) },
		func() error { return kernels.TakeRaw(rr, rt, rs) })
}

// rawSmall times calls with indices on 16 elements.
func rawSmall[I kernels.Index](b *testing.B, index string) {
	dst, data, updates, x, rows := zeros[float32](4, 4), zeros[float32](4, 4), zeros[float32](4, 4), randomTensor[I](4, 4, 4), randomTensor[I](4, 4, 1)
	d, s, u, i, r := rawOf(dst), rawOf(data), rawOf(updates), rawOf(x), rawOf(rows)
	small := func(name string, typed, raw func() error) { inTurns(b, name+"/idx="+index+"/n=16", typed, raw) }
	small("op=GatherElements",
		func() error { return kernels.GatherElements(dst, data, x, 1) },
		func() error { return kernels.GatherElementsRaw(d, s, i, 1) })
	small("op=GatherND",
		func() error { return kernels.GatherND(dst, data, rows, 0) },
		func() error { return kernels.GatherNDRaw(d, s, r, 0) })
	for _, reduction := range []kernels.Reduction{kernels.None, kernels.Sum} {
		attrs := kernels.ScatterAttrs{Reduction: reduction}
		small(fmt.Sprintf("op=ScatterElementsUpdate/reduction=%v", reduction),
			func() error { return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, attrs) },
			func() error { return kernels.ScatterElementsUpdateRaw(d, s, i, u, 1, attrs) })
	}
	line := kernels.New(x.Data[:4], 4)
	l := rawOf(line)
	small("op=Gather",
		func() error { return kernels.Gather(dst, data, line, 1, 0) },
		func() error { return kernels.GatherRaw(d, s, l, 1, 0) })
	for _, reduction := range []kernels.Reduction{kernels.None, kernels.Sum} {
		attrs := kernels.ScatterAttrs{Reduction: reduction}
		small(fmt.Sprintf("op=ScatterNDUpdate/reduction=%v", reduction),
			func() error { return kernels.ScatterNDUpdate(dst, data, rows, updates, attrs) },
			func() error { return kernels.ScatterNDUpdateRaw(d, s, r, u, attrs) })
	}
}

func zeros[T any](shape ...int) kernels.Tensor[T] {
	return kernels.New(make([]T, elements(shape)), shape...)
}

// randomTensor returns indices into an axis of size d.
func randomTensor[I kernels.Index](d int, shape ...int) kernels.Tensor[I] {
	return kernels.New(square[I](anywhere, elements(shape), d), shape...)
}

// inTurns times two calls that do the same, 100 µs of the one at least and then of the other:
// less than what the machine gives to another program at a time.
func inTurns(b *testing.B, name string, typed, raw func() error) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		time1 := func(call func() error, n int) time.Duration {
			start := time.Now()
			for range n {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
			return time.Since(start)
		}
		n := 1
		for time1(typed, n) < 100*time.Microsecond {
			n *= 2
		}
		time1(raw, n)
		var times [2][]float64
		for b.Loop() {
			times[0] = append(times[0], float64(time1(typed, n))/float64(n))
			times[1] = append(times[1], float64(time1(raw, n))/float64(n))
		}
		for _, t := range times {
			slices.Sort(t)
		}
		b.ReportMetric(0, "ns/op") // of two turns, which means nothing
		b.ReportMetric(times[0][0], "typed-ns/call")
		b.ReportMetric(times[1][0], "raw-ns/call")
		b.ReportMetric(times[1][0]/times[0][0], "raw/typed")
		b.ReportMetric(times[1][len(times[1])/2]/times[0][len(times[0])/2], "of-medians")
	})
}
