package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// Benchmarks of each operator, with names that benchstat can group by:
//
//	go test -run '^$' -bench . -count 10 ./kernels | tee new.txt
//	benchstat -col /n new.txt
//
// MB/s are the bytes of the elements that are moved: of the output, or of a
// scatter's updates. The rows op=memmove of BenchmarkMemmove move as many, and
// are the ceiling. The workloads of real programs are in bench/.

var benchmarkSizes = []int{1 << 10, 1 << 16, 1 << 20}

// benchmark times a call for each size n, which stands in name as %d. The call
// moves n elements of the given width; tensors makes what it needs.
func benchmark(b *testing.B, name string, width uintptr, tensors func(n int) (call func() error)) {
	for _, n := range benchmarkSizes {
		b.Run(fmt.Sprintf(name, n), func(b *testing.B) {
			call := tensors(n)
			b.SetBytes(int64(n) * int64(width))
			b.ReportAllocs()
			for b.Loop() {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A pattern says what indices are like.
type pattern string

const (
	anywhere pattern = "random"
	sameRow  pattern = "rows"     // random, and equal along the last axis
	eitherOf pattern = "negative" // random, half of them counted from the end
)

// square returns indices into an axis of size d, in rows of d.
func square[I kernels.Index](p pattern, n, d int) []I {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]I, n)
	for i := range x {
		switch x[i] = I(rng.IntN(d)); {
		case p == sameRow:
			x[i] = x[i-i%d]
		case p == eitherOf && rng.IntN(2) == 0:
			x[i] -= I(d)
		}
	}
	return x
}

// side returns the square root of a size.
func side(n int) int {
	s := 1
	for s*s < n {
		s *= 2
	}
	return s
}

func widthOf[T any]() uintptr {
	var z T
	return unsafe.Sizeof(z)
}

// numbers are not all alike, and positive: however often they are reduced in
// place, nothing becomes denormal, infinite or NaN, which would change the time.
func numbers[T uint8 | int32 | float32 | float64](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(1 + i%100)
	}
	return s
}

func BenchmarkMemmove(b *testing.B) {
	memmove := func(elem string, width int) {
		benchmark(b, "op=memmove/elem="+elem+"/n=%d", uintptr(width), func(n int) func() error {
			dst, src := numbers[uint8](n*width), numbers[uint8](n*width)
			return func() error { copy(dst, src); return nil }
		})
	}
	memmove("u8", 1)
	memmove("f32", 4)
	memmove("f64", 8)
}

func BenchmarkGatherElements(b *testing.B) {
	benchmarkGatherElements[float32, int64](b, "elem=f32/idx=i64", 1, anywhere)
	benchmarkGatherElements[float32, int32](b, "elem=f32/idx=i32", 1, anywhere)
	benchmarkGatherElements[uint8, int64](b, "elem=u8/idx=i64", 1, anywhere)
	benchmarkGatherElements[float64, int64](b, "elem=f64/idx=i64", 1, anywhere)
	benchmarkGatherElements[float32, int64](b, "elem=f32/idx=i64", 0, anywhere)
	benchmarkGatherElements[float32, int64](b, "elem=f32/idx=i64", 0, sameRow)
}

func benchmarkGatherElements[T uint8 | float32 | float64, I kernels.Index](b *testing.B, types string, axis int, p pattern) {
	benchmark(b, fmt.Sprintf("%s/axis=%d/n=%%d/pattern=%s", types, axis, p), widthOf[T](), func(n int) func() error {
		d := side(n)
		dst, data, indices := make([]T, n), numbers[T](n), square[I](p, n, d)
		return func() error {
			return kernels.GatherElements(kernels.New(dst, d, d), kernels.New(data, d, d), kernels.New(indices, d, d), axis)
		}
	})
}

func BenchmarkGatherND(b *testing.B) {
	benchmark(b, "elem=f32/idx=i64/k=1/row=64/n=%d/pattern=random", 4, func(n int) func() error {
		const row = 64
		rows := n / row
		dst, data, indices := make([]float32, n), numbers[float32](n), square[int64](anywhere, rows, rows)
		return func() error {
			return kernels.GatherND(kernels.New(dst, rows, row), kernels.New(data, rows, row), kernels.New(indices, rows, 1), 0)
		}
	})
	benchmark(b, "elem=f32/idx=i64/k=2/row=1/n=%d/pattern=random", 4, func(n int) func() error {
		d := side(n)
		dst, data, indices := make([]float32, n), numbers[float32](n), square[int64](anywhere, 2*n, d)
		return func() error {
			return kernels.GatherND(kernels.New(dst, n), kernels.New(data, d, d), kernels.New(indices, n, 2), 0)
		}
	})
}

func BenchmarkGather(b *testing.B) {
	for _, c := range []struct {
		name string
		axis int
	}{{"rows", 0}, {"columns", 1}} {
		benchmark(b, "elem=f32/idx=i64/n=%d/pattern="+c.name, 4, func(n int) func() error {
			d := side(n)
			dst, data, indices := make([]float32, n), numbers[float32](n), square[int64](anywhere, d, d)
			return func() error {
				return kernels.Gather(kernels.New(dst, d, d), kernels.New(data, d, d), kernels.New(indices, d), c.axis, 0)
			}
		})
	}
}

func BenchmarkScatterElementsUpdate(b *testing.B) {
	for _, c := range []struct {
		reduction kernels.Reduction
		axis      int
		pattern   pattern
	}{
		{kernels.None, 1, anywhere},
		{kernels.Sum, 1, anywhere},
		{kernels.Sum, 1, eitherOf},
		{kernels.Max, 1, anywhere},
		{kernels.Mean, 1, anywhere},
		{kernels.Sum, 0, anywhere},
		{kernels.Sum, 0, sameRow},
	} {
		name := fmt.Sprintf("elem=f32/idx=i64/reduction=%v/axis=%d/n=%%d/pattern=%s", c.reduction, c.axis, c.pattern)
		benchmark(b, name, 4, func(n int) func() error {
			d := side(n)
			data, indices, updates := numbers[float32](n), square[int64](c.pattern, n, d), numbers[float32](n)
			return func() error { // in place
				x := kernels.New(data, d, d)
				return kernels.ScatterElementsUpdate(x, x, kernels.New(indices, d, d), kernels.New(updates, d, d),
					c.axis, kernels.ScatterAttrs{Reduction: c.reduction})
			}
		})
	}
}

func BenchmarkScatterNDUpdate(b *testing.B) {
	for _, r := range []kernels.Reduction{kernels.None, kernels.Sum, kernels.Sub} {
		benchmark(b, fmt.Sprintf("elem=f32/idx=i64/reduction=%v/k=1/row=64/n=%%d/pattern=random", r), 4, func(n int) func() error {
			const row = 64
			rows := n / row
			data, updates, indices := numbers[float32](n), numbers[float32](n), square[int64](anywhere, rows, rows)
			return func() error { // in place
				x := kernels.New(data, rows, row)
				return kernels.ScatterNDUpdate(x, x, kernels.New(indices, rows, 1), kernels.New(updates, rows, row), kernels.ScatterAttrs{Reduction: r})
			}
		})
		benchmark(b, fmt.Sprintf("elem=f32/idx=i64/reduction=%v/k=2/row=1/n=%%d/pattern=random", r), 4, func(n int) func() error {
			d := side(n)
			data, updates, indices := numbers[float32](n), numbers[float32](n), square[int64](anywhere, 2*n, d)
			return func() error {
				x := kernels.New(data, d, d)
				return kernels.ScatterNDUpdate(x, x, kernels.New(indices, n, 2), kernels.New(updates, n), kernels.ScatterAttrs{Reduction: r})
			}
		})
	}
}

func BenchmarkStridedSlice(b *testing.B) {
	whole := []bool{true, true}
	for _, c := range []struct {
		pattern string
		cut     func(d int) (data int, spec kernels.SliceSpec) // to d × d elements, from data × data
	}{
		{"step2", func(d int) (int, kernels.SliceSpec) {
			return 2 * d, kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{2, 2}, BeginMask: whole, EndMask: whole}
		}},
		{"reversed", func(d int) (int, kernels.SliceSpec) {
			return d, kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{1, -1}, BeginMask: whole, EndMask: whole}
		}},
		{"crop", func(d int) (int, kernels.SliceSpec) {
			return d + 10, kernels.SliceSpec{Begin: []int64{5, 5}, End: []int64{-5, -5}}
		}},
	} {
		benchmark(b, "elem=f32/n=%d/pattern="+c.pattern, 4, func(n int) func() error {
			d := side(n)
			from, spec := c.cut(d)
			dst, data := make([]float32, n), numbers[float32](from*from)
			return func() error { return kernels.StridedSlice(kernels.New(dst, d, d), kernels.New(data, from, from), spec) }
		})
	}
}

// BenchmarkSmall times calls on 16 elements, which are all overhead. The tensors are kept, with nil
// strides and with the same strides written out.
func BenchmarkSmall(b *testing.B) {
	numbers, x := numbers[float32](16), square[int64](anywhere, 16, 4)
	reversed := kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{1, -1}, BeginMask: []bool{true, true}, EndMask: []bool{true, true}}
	for _, written := range []bool{false, true} {
		name := "strides=nil"
		kept := func(d []float32, shape ...int) kernels.Tensor[float32] { return kernels.New(d, shape...) }
		indices := func(shape ...int) kernels.Tensor[int64] {
			return kernels.New(x[:shape[0]*shape[len(shape)-1]], shape...)
		}
		if written {
			name = "strides=written"
			kept = func(d []float32, shape ...int) kernels.Tensor[float32] {
				return kernels.Tensor[float32]{Data: d, Shape: shape, Strides: []int{shape[1], 1}}
			}
			contiguous := indices
			indices = func(shape ...int) kernels.Tensor[int64] {
				t := contiguous(shape...)
				t.Strides = []int{shape[1], 1}
				return t
			}
		}
		dst, data, updates := kept(make([]float32, 16), 4, 4), kept(numbers, 4, 4), kept(numbers, 4, 4)
		square, single, pairs := indices(4, 4), indices(4, 1), indices(8, 2)
		line := kernels.New(dst.Data[:8], 8)
		rows := kernels.New(x[:4], 4)
		scatter := func(data kernels.Tensor[float32], r kernels.Reduction) error {
			return kernels.ScatterElementsUpdate(dst, data, square, updates, 1, kernels.ScatterAttrs{Reduction: r})
		}
		for _, c := range []struct {
			name string
			call func() error
		}{
			{"op=GatherElements", func() error { return kernels.GatherElements(dst, data, square, 1) }},
			{"op=GatherND", func() error { return kernels.GatherND(dst, data, single, 0) }},
			{"op=GatherND/pairs", func() error { return kernels.GatherND(line, data, pairs, 0) }},
			{"op=Gather", func() error { return kernels.Gather(dst, data, rows, 0, 0) }},
			{"op=Gather/axis=1", func() error { return kernels.Gather(dst, data, rows, 1, 0) }},
			{"op=ScatterElementsUpdate/reduction=none", func() error { return scatter(data, kernels.None) }},
			{"op=ScatterElementsUpdate/reduction=none/in-place", func() error { return scatter(dst, kernels.None) }},
			{"op=ScatterElementsUpdate/reduction=sum/in-place", func() error { return scatter(dst, kernels.Sum) }},
			{"op=ScatterNDUpdate/reduction=none", func() error {
				return kernels.ScatterNDUpdate(dst, data, single, updates, kernels.ScatterAttrs{})
			}},
			{"op=ScatterNDUpdate/reduction=sum", func() error {
				return kernels.ScatterNDUpdate(dst, data, single, updates, kernels.ScatterAttrs{Reduction: kernels.Sum})
			}},
			{"op=StridedSlice", func() error { return kernels.StridedSlice(dst, data, reversed) }},
		} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMean times sums and means of the same updates, in place.
func BenchmarkMean(b *testing.B) {
	b.Run("elem=f32", benchmarkMean[float32])
	b.Run("elem=f64", benchmarkMean[float64])
	b.Run("elem=f16", benchmarkMean[kernels.Float16])
	b.Run("elem=u8", benchmarkMean[uint8])
	b.Run("elem=i32", benchmarkMean[int32])
	b.Run("elem=i64", benchmarkMean[int64])
}

func benchmarkMean[T float32 | float64 | kernels.Float16 | uint8 | int32 | int64](b *testing.B) {
	for _, c := range []struct {
		data, updates []int
		axis          int
	}{
		{[]int{5, 14581, 17}, []int{5, 14581, 17}, 2},
		{[]int{64, 1000, 19}, []int{64, 1000, 19}, 1},
		{[]int{64, 16384}, []int{64, 16384}, 1},
		{[]int{1000, 512}, []int{4000, 512}, 0},
		{[]int{100000, 16}, []int{100000, 16}, 0},
	} {
		cells, n := 1, 1
		for d := range c.data {
			cells, n = cells*c.data[d], n*c.updates[d]
		}
		r, x := rand.New(rand.NewPCG(1, 2)), make([]int64, n)
		for i := range x {
			x[i] = int64(r.IntN(c.data[c.axis]))
		}
		dst, updates, indices := kernels.New(make([]T, cells), c.data...), kernels.New(make([]T, n), c.updates...), kernels.New(x, c.updates...)
		for i := range updates.Data { // memory that nothing was written to is a page that all share
			updates.Data[i] = T(r.IntN(3))
		}
		for i := range dst.Data {
			dst.Data[i] = T(r.IntN(3))
		}
		for _, op := range []kernels.Reduction{kernels.Sum, kernels.Mean} {
			b.Run(fmt.Sprintf("updates=%v/cells=%v/reduction=%v", c.updates, c.data, op), func(b *testing.B) {
				for b.Loop() {
					if err := kernels.ScatterElementsUpdate(dst, dst, indices, updates, c.axis, kernels.ScatterAttrs{Reduction: op}, kernels.Workers(1)); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/update")
			})
		}
	}
}

// BenchmarkPlan times scatters whose indices are known beforehand beside plain
// calls: the edges of a graph, and histograms. In place.
func BenchmarkPlan(b *testing.B) {
	for _, c := range []struct {
		name          string
		data, indices []int
		strides       []int // of indices
	}{
		{"graph/indices=view", []int{19717, 128}, []int{88648, 128}, []int{1, 0}},
		{"graph/indices=written-out", []int{19717, 128}, []int{88648, 128}, nil},
		{"histogram/cells=1000", []int{1000}, []int{1 << 20}, nil},
		{"histogram/cells=1Mi", []int{1 << 20}, []int{1 << 20}, nil},
	} {
		count := c.indices[0] * c.indices[len(c.indices)-1]
		if len(c.indices) == 1 {
			count = c.indices[0]
		}
		r := rand.New(rand.NewPCG(1, 1))
		indices := kernels.Tensor[int64]{Data: make([]int64, count), Shape: c.indices, Strides: c.strides}
		for row := range c.indices[0] {
			v := int64(r.IntN(c.data[0]))
			if c.strides != nil {
				indices.Data[row] = v
				continue
			}
			for j := range count / c.indices[0] {
				indices.Data[row*(count/c.indices[0])+j] = v
			}
		}
		data, updates := kernels.New(numbers[float32](c.data[0]*count/c.indices[0]), c.data...), kernels.New(numbers[float32](count), c.indices...)
		attrs := kernels.ScatterAttrs{Reduction: kernels.Sum}
		plan, err := kernels.NewScatterPlan[float32](c.data, indices, 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, workers := range []int{1, 2} {
			for _, impl := range []struct {
				name string
				call func() error
			}{
				{"call", func() error {
					return kernels.ScatterElementsUpdate(data, data, indices, updates, 0, attrs, kernels.Workers(workers))
				}},
				{"plan", func() error { return plan.Run(data, data, updates, attrs, kernels.Workers(workers)) }},
			} {
				b.Run(fmt.Sprintf("op=ScatterElementsUpdate/%s/workers=%d/impl=%s", c.name, workers, impl.name), func(b *testing.B) {
					b.SetBytes(int64(count) * 4)
					for b.Loop() {
						if err := impl.call(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkStores copies slices of many sizes past the caches and into them. Of rows of cols
// elements in groups of lines, every step-th group is copied.
func BenchmarkStores(b *testing.B) {
	table := dispatch.Default
	defer func() { dispatch.Default = table }()
	for _, c := range []struct{ step, lines, cols, along int }{{3, 1, 2560, 1}, {3, 1, 128, 1}, {8, 10, 256, -1}, {1, 10, 256, -1}} {
		for _, mb := range []int{6, 8, 10, 12, 14, 16, 20, 24} {
			groups := mb << 18 / (c.lines * c.cols)
			src, dst := zeros[float32](groups*c.step, c.lines, c.cols), zeros[float32](groups, c.lines, c.cols)
			for i := range src.Data {
				src.Data[i] = 1 // memory that nobody has written is one page of zeros
			}
			spec := kernels.SliceSpec{Strides: []int64{int64(c.step), 1, int64(c.along)}}
			spec.Begin, spec.End = []int64{0, 0, 0}, []int64{int64(groups * c.step), int64(c.lines), int64(c.cols)}
			if c.along < 0 {
				spec.Begin[2], spec.End[2] = int64(c.cols-1), math.MinInt64
			}
			for workers := 1; workers <= 2; workers++ {
				for way, reach := range map[string]int{"past": 0, "into": math.MaxInt} {
					b.Run(fmt.Sprintf("step=%d/lines=%d/cols=%d/along=%d/MB=%d/workers=%d/stores=%s", c.step, c.lines, c.cols, c.along, mb, workers, way), func(b *testing.B) {
						dispatch.Default.StreamReach = reach
						b.SetBytes(int64(mb) << 20)
						for b.Loop() {
							if err := kernels.StridedSlice(dst, src, spec, kernels.Workers(workers)); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}

// BenchmarkPlanes gathers and adds planes of few elements, with the fused primitives and in blocks.
func BenchmarkPlanes(b *testing.B) {
	for _, lines := range []int{2, 3, 5} {
		for _, cols := range []int{16, 24, 32, 48, 64, 128} {
			n := 40000 / (lines * cols)
			data, dst, longer := zeros[float32](n, lines, 64), zeros[float32](n, lines, cols), zeros[float32](n, lines+1, 64)
			shared, each := randomTensor[int64](64, n, cols), randomTensor[int64](64, n, lines, cols)
			for _, fused := range []bool{true, false} {
				for op, call := range map[string]func() error{
					"Gather": func() error { return kernels.Gather(dst, data, shared, 2, 1, kernels.Workers(1)) },
					"sum": func() error {
						return kernels.ScatterElementsUpdate(longer, longer, each, dst, 2, kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(1))
					},
				} {
					b.Run(fmt.Sprintf("op=%s/lines=%d/cols=%d/fused=%t", op, lines, cols, fused), func(b *testing.B) {
						kernels.FusePlanes(b, fused)
						for b.Loop() {
							if err := call(); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*lines*cols), "ns/element")
					})
				}
			}
		}
	}
}

// BenchmarkRuns reduces single elements by sorted indices, of which some that follow each other are
// equal.
func BenchmarkRuns(b *testing.B) {
	for _, length := range []int{1, 16, 32, 64, 1024} {
		benchmarkRuns[float32](b, "float32", length, kernels.Sum)
		benchmarkRuns[float64](b, "float64", length, kernels.Min)
		benchmarkRuns[int32](b, "int32", length, kernels.Sum)
		benchmarkRuns[int32](b, "int32", length, kernels.Max)
		benchmarkRuns[int64](b, "int64", length, kernels.Sum)
		benchmarkRuns[int64](b, "int64", length, kernels.Min)
		benchmarkRuns[uint8](b, "uint8", length, kernels.Sum)
	}
}

func benchmarkRuns[T any](b *testing.B, elem string, length int, op kernels.Reduction) {
	const n = 1 << 18
	dst, updates, indices := zeros[T](n/length), zeros[T](n), randomTensor[int64](n/length, n)
	slices.Sort(indices.Data)
	b.Run(fmt.Sprintf("elem=%s/op=%s/run=%d", elem, op, length), func(b *testing.B) {
		for b.Loop() {
			if err := kernels.ScatterElementsUpdate(dst, dst, indices, updates, 0, kernels.ScatterAttrs{Reduction: op}, kernels.Workers(1)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/update")
	})
}

// BenchmarkCut gathers what lies apart in a table that is cut, or eight such parts out of each of
// many small tables: in planes that are moved by themselves, and in blocks.
func BenchmarkCut(b *testing.B) {
	for _, shape := range [][2]int{{4, 200}, {8, 121}, {24, 12}, {24, 56}, {64, 3}, {64, 60}, {96, 14}, {1000, 4}, {1000, 40}} {
		rows, cols := shape[0], shape[1]
		for _, elements := range []int{500_000, 20_000_000, 0} {
			tables, nodes, n, pitch := 1, elements/(rows*cols), 3_000_000/(rows*cols), cols+2
			if elements == 0 {
				tables, nodes, n = n/8, 8, 8
			}
			node := rows * pitch
			data := kernels.Tensor[int16]{Data: make([]int16, tables*nodes*node), Shape: []int{tables, nodes, rows, cols}, Strides: []int{nodes * node, node, pitch, 1}}
			indices, dst := randomTensor[int64](nodes, tables, n, 1), zeros[int16](tables, n, rows, cols)
			for _, planes := range []bool{true, false} {
				b.Run(fmt.Sprintf("rows=%d/cols=%d/table=%d/planes=%t", rows, cols, elements, planes), func(b *testing.B) {
					kernels.MovePlanes(b, planes)
					for b.Loop() {
						if err := kernels.GatherND(dst, data, indices, 1, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tables*n*rows*cols), "ns/element")
				})
			}
		}
	}
}

// BenchmarkAlong gathers lines in blocks along a pattern, and otherwise.
func BenchmarkAlong(b *testing.B) {
	for _, cols := range []int{3, 5, 8, 13, 17, 24, 33, 40, 72, 200, 1000} {
		for axis := range 2 {
			alongLines[uint8](b, cols, axis, 300)
			alongLines[uint16](b, cols, axis, 150)
			alongLines[float32](b, cols, axis, 150)
			alongLines[float64](b, cols, axis, 70)
		}
	}
}

func alongLines[T any](b *testing.B, cols, axis, size int) {
	rows := 20000 / cols
	table := [][]int{{size, cols}, {rows, size}}[axis]
	data, dst, indices := zeros[T](table...), zeros[T](rows, cols), randomTensor[int64](size, rows, cols)
	for _, along := range []bool{true, false} {
		b.Run(fmt.Sprintf("elem=%T/axis=%d/cols=%d/along=%t", *new(T), axis, cols, along), func(b *testing.B) {
			kernels.GatherAlong(b, along)
			for b.Loop() {
				if err := kernels.GatherElements(dst, data, indices, axis, kernels.Workers(1)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows*cols), "ns/element")
		})
	}
}

// BenchmarkShortLines gathers, sets and adds lines of few elements in place, by bodies that take
// indices as they are where there is one (of two and three elements, those that join rows of a
// gather), and as if lines were too short for them.
func BenchmarkShortLines(b *testing.B) {
	for _, way := range []struct {
		op        string
		reduction kernels.Reduction
		axis      int
	}{{"gather", 0, 0}, {"gather", 0, 1}, {"none", kernels.None, 1}, {"sum", kernels.Sum, 1}} {
		for _, cols := range []int{2, 3, 4, 6, 8, 15} {
			for _, total := range []int{80, 384, 3000, 30000} {
				rows, table := total/cols, []int{16, cols}
				if way.axis == 1 {
					table = []int{rows, 16}
				}
				data, moved, indices := zeros[float32](table...), zeros[float32](rows, cols), randomTensor[int64](16, rows, cols)
				for _, least := range []int{4, math.MaxInt} {
					b.Run(fmt.Sprintf("op=%s/axis=%d/cols=%d/elements=%d/bodies=%t", way.op, way.axis, cols, rows*cols, least == 4), func(b *testing.B) {
						kernels.ShortLines(b, least)
						for b.Loop() {
							var err error
							if way.op == "gather" {
								err = kernels.GatherElements(moved, data, indices, way.axis, kernels.Workers(1))
							} else {
								err = kernels.ScatterElementsUpdate(data, data, indices, moved, way.axis, kernels.ScatterAttrs{Reduction: way.reduction}, kernels.Workers(1))
							}
							if err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}

// BenchmarkGatherBroadcast gathers lines by indices that several lines share, from data that a
// cache holds and that none does.
func BenchmarkGatherBroadcast(b *testing.B) {
	for _, n := range []int{392, 3920, 39200} {
		for _, lines := range []int{2, 5, 16} {
			for _, cols := range []int{8, 17, 40} {
				data, dst, shared := kernels.New(numbers[float32](n*lines*20), n, lines, 20), zeros[float32](n, lines, cols), randomTensor[int64](20, n, cols)
				b.Run(fmt.Sprintf("n=%d/lines=%d/cols=%d", n, lines, cols), func(b *testing.B) {
					for b.Loop() {
						if err := kernels.Gather(dst, data, shared, 2, 1, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
				})
			}
		}
	}
}

// BenchmarkFewElements times calls of about dispatch.Default.SmallElements elements, by their loops
// and by primitives.
func BenchmarkFewElements(b *testing.B) {
	small := dispatch.Default.SmallElements
	defer func() { dispatch.Default.SmallElements = small }()
	const cols = 8
	for _, n := range []int{64, 96, 128} {
		data, dst, updates := zeros[float32](n/cols, cols), zeros[float32](n/cols, cols), zeros[float32](n/cols, cols)
		indices, rows := square[int64](anywhere, n, cols), square[int64](anywhere, n/cols, n/cols)
		each := kernels.New(indices[:n], n/cols, cols)
		for op, call := range map[string]func() error{
			"GatherElements": func() error { return kernels.GatherElements(dst, data, each, 1) },
			"ScatterNDUpdate": func() error {
				return kernels.ScatterNDUpdate(dst, data, kernels.New(rows[:n/cols], n/cols, 1), updates, kernels.ScatterAttrs{})
			},
			"sum": func() error {
				return kernels.ScatterElementsUpdate(dst, data, each, updates, 1, kernels.ScatterAttrs{Reduction: kernels.Sum})
			},
		} {
			for _, most := range []int{0, 128} {
				b.Run(fmt.Sprintf("op=%s/elements=%d/small=%d", op, n, most), func(b *testing.B) {
					dispatch.Default.SmallElements = most
					for b.Loop() {
						if err := call(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkFewRows gathers single elements in columns of a few long rows, which the second-level
// cache holds, in packed strips and not.
func BenchmarkFewRows(b *testing.B) {
	b.Run("uint8", benchFewRows[uint8])
	b.Run("float32", benchFewRows[float32])
	b.Run("float64", benchFewRows[float64])
}

func benchFewRows[T uint8 | float32 | float64](b *testing.B) {
	table := dispatch.Default
	defer func() { dispatch.Default = table }()
	var z T
	for _, kb := range []int{512, 1024, 1536, 1900} {
		for _, size := range []int{4, 8, 16, 23} {
			for _, rows := range []int{size, 4 * size} {
				cols := kb << 10 / size / int(unsafe.Sizeof(z))
				data, dst, indices := zeros[T](size, cols), zeros[T](rows, cols), zeros[int64](rows, cols)
				for i := range indices.Data {
					indices.Data[i] = int64((uint32(i) * 2654435761 >> 8) % uint32(size))
				}
				for i := range data.Data {
					data.Data[i] = 1
				}
				for way, least := range map[string]int{"packed": 0, "not": math.MaxInt} {
					b.Run(fmt.Sprintf("KB=%d/size=%d/rows=%d/strips=%s", kb, size, rows, way), func(b *testing.B) {
						dispatch.Default.StripTable = least
						dispatch.Default.StreamReach = kb<<10 + 1
						for b.Loop() {
							if err := kernels.GatherElements(dst, data, indices, 0, kernels.Workers(1)); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
					})
				}
			}
		}
	}
}

// BenchmarkNearTables gathers single elements in columns of tables that the last cache may hold, in
// packed strips and not.
func BenchmarkNearTables(b *testing.B) {
	table := dispatch.Default
	defer func() { dispatch.Default = table }()
	for _, mb := range []int{6, 9, 12, 15} {
		for _, cols := range []int{32, 128, 300} {
			size := mb << 18 / cols
			data, dst, indices := zeros[float32](size, cols), zeros[float32](size, cols), zeros[int32](size, cols)
			for i := range data.Data {
				data.Data[i] = 1 // memory that nobody has written is one page of zeros
				indices.Data[i] = int32((uint32(i) * 2654435761 >> 8) % uint32(size))
			}
			for way, least := range map[string]int{"packed": table.StripTable, "not": math.MaxInt} {
				b.Run(fmt.Sprintf("MB=%d/cols=%d/strips=%s", mb, cols, way), func(b *testing.B) {
					dispatch.Default.StripTable = least
					dispatch.Default.StreamReach = size * cols * 4 // 3/4 of it is less than the table
					for b.Loop() {
						if err := kernels.GatherElements(dst, data, indices, 0, kernels.Workers(1)); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkPlanesOfRows copies planes of whole rows, which lie apart, out of planes that do: plane
// by plane, and in blocks.
func BenchmarkPlanesOfRows(b *testing.B) {
	data := make([]uint8, 64<<20)
	for i := range data {
		data[i] = uint8(i) // zeros are one page
	}
	out := slices.Clone(data)
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} { // of data
		for _, bytes := range []int{32, 96, 400, 1600} {
			for _, rows := range []int{16, 32, 64, 128, 256, 512} {
				for _, gap := range []int{16, 160, 800} { // between rows
					shape := []int{size / (2 * rows * (bytes + gap)), 2 * rows, bytes + gap}
					if shape[0] < 4 {
						continue
					}
					part := []int{shape[0], rows, bytes}
					n := shape[0] * rows * bytes
					if n > size {
						continue
					}
					for way := range 4 {
						workers, blocks := 1+way/2, way%2 > 0
						b.Run(fmt.Sprintf("size=%d/row=%d/gap=%d/rows=%d/workers=%d/blocks=%t", size, bytes, gap, rows, workers, blocks), func(b *testing.B) {
							kernels.FewRows(b, 0)
							if blocks {
								kernels.FewRows(b, 1<<20)
							}
							dst, src := kernels.New(out[:n], part...), kernels.New(data[:shape[0]*shape[1]*shape[2]], shape...)
							ranges := kernels.Ranges{Starts: []int64{3, 7}, Ends: []int64{3 + int64(rows), 7 + int64(bytes)}, Axes: []int64{1, 2}}
							for b.Loop() {
								if err := kernels.Slice(dst, src, ranges, kernels.Workers(workers)); err != nil {
									b.Fatal(err)
								}
							}
							b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/byte")
						})
					}
				}
			}
		}
	}
}

// BenchmarkReversedRows copies planes of a few short rows in reverse: by a pattern, and by a buffer.
func BenchmarkReversedRows(b *testing.B) {
	b.Run("bytes=1", benchmarkReversedRows[uint8])
	b.Run("bytes=2", benchmarkReversedRows[uint16])
	b.Run("bytes=4", benchmarkReversedRows[uint32])
}

func benchmarkReversedRows[T uint8 | uint16 | uint32](b *testing.B) {
	var z T
	data := zeros[T](8 << 20).Data
	for i := range data {
		data[i] = T(i)
	}
	for _, size := range []int{128 << 10, 8 << 20} { // of data, in bytes
		for _, rows := range []int{2, 6, 20} {
			for _, cols := range []int{2, 3, 5, 8, 12, 24} {
				shape := []int{size / int(unsafe.Sizeof(z)) / (2 * rows * cols), 2 * rows, cols}
				if rows*cols > 256 {
					continue
				}
				src, dst := kernels.New(data[:shape[0]*shape[1]*shape[2]], shape...), zeros[T](shape[0], rows, cols)
				ranges := kernels.Ranges{Starts: []int64{1, -1}, Ends: []int64{int64(rows) + 1, math.MinInt64}, Axes: []int64{1, 2}, Steps: []int64{1, -1}}
				for _, buffer := range []bool{false, true} {
					b.Run(fmt.Sprintf("size=%d/rows=%d/cols=%d/buffer=%t", size, rows, cols, buffer), func(b *testing.B) {
						kernels.LeastReversed(b, math.MaxInt)
						if buffer {
							kernels.LeastReversed(b, 1)
						}
						for b.Loop() {
							if err := kernels.Slice(dst, src, ranges, kernels.Workers(1)); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(dst.Data)), "ns/element")
					})
				}
			}
		}
	}
}
