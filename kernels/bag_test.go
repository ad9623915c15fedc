package kernels_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

const embeddingBag = "EmbeddingBag"

func bagsOf[T any, I kernels.Index](name string, table kernels.Tensor[T], indices, offsets []I, weights []T, attrs kernels.BagAttrs, shape []int, want ...T) golden[T] {
	x, o, w := kernels.New(indices, len(indices)), kernels.New(offsets, len(offsets)), kernels.Tensor[T]{}
	if weights != nil {
		w = kernels.New(weights, len(weights))
	}
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.EmbeddingBagShape(table.Shape, x.Shape, o.Shape) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.EmbeddingBag(dst, table, x, o, w, attrs, opts...)
		},
		func(dst []T, v generic.View) error {
			row := -1
			if attrs.HasDefault {
				row = attrs.DefaultIndex
			}
			return generic.EmbeddingBag(dst, v, table.Data, viewOf(table), wide(x), viewOf(x), wide(o), viewOf(o), w.Data, viewOf(w), generic.Op(attrs.Reduction), row)
		}}
}

func TestEmbeddingBagExamples(t *testing.T) {
	inf, nan, negative := float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
	attrs := func(r kernels.Reduction) kernels.BagAttrs { return kernels.BagAttrs{Reduction: r} }
	row := func(r kernels.Reduction, k int) kernels.BagAttrs {
		return kernels.BagAttrs{Reduction: r, HasDefault: true, DefaultIndex: k}
	}
	// The example of OpenVINO's EmbeddingBagOffsets and EmbeddingBagOffsetsSum.
	table := kernels.New([]float32{-0.2, -0.6, -0.1, -0.4, -1.9, -1.8, -1.0, 1.5, 0.8, -0.7}, 5, 2)
	x, o := []int32{0, 2, 3, 4}, []int32{0, 2, 2}
	sevenths := kernels.New([]int8{-1, 1, -2, 2, -4, 3, -8, 5, 127, -128}, 5, 2)
	cube := kernels.New(counting[float32](12), 3, 2, 2)
	runGolden(t, []golden[float32]{
		bagsOf("OpenVINO", table, x, o, []float32{0.5, 0.5, 0.5, 0.5}, row(kernels.Sum, 0), []int{3, 2}, -1.05, -1.2, -0.2, -0.6, -0.099999994, 0.4),
		bagsOf("sum", table, x, o, nil, attrs(kernels.Sum), []int{3, 2}, -0.2+float32(-1.9), -0.6+float32(-1.8), 0, 0, -1+float32(0.8), 1.5-float32(0.7)),
		bagsOf("mean", cube, []int64{0, 1, 2, -1, 0}, []int64{0, 2, 2}, nil, attrs(kernels.Mean), []int{3, 2, 2},
			2, 3, 4, 5, 0, 0, 0, 0, 16./3, 19./3, 22./3, 25./3),
		bagsOf("max", table, x, o, nil, attrs(kernels.Max), []int{3, 2}, -0.2, -0.6, 0, 0, 0.8, 1.5),
		bagsOf("max, a default row", table, x, o, nil, row(kernels.Max, 4), []int{3, 2}, -0.2, -0.6, 0.8, -0.7, 0.8, 1.5),
		bagsOf("a default of -1: zeros", table, x, o, nil, row(kernels.Mean, -1), []int{3, 2}, (-0.2+float32(-1.9))/2, (-0.6+float32(-1.8))/2, 0, 0,
			(-1+float32(0.8))/2, (1.5-float32(0.7))/2),
		bagsOf("indices before the first offset", table, []uint8{99, 1, 99, 3}, []uint8{3}, nil, attrs(kernels.Sum), []int{1, 2}, -1, 1.5),
		bagsOf("no bag has indices", table, []int8{99, -99}, []int8{2, 2}, nil, row(kernels.Sum, 1), []int{2, 2}, -0.1, -0.4, -0.1, -0.4),
		bagsOf("no bags", table, []int8{99}, []int8{}, nil, attrs(kernels.Sum), []int{0, 2}),
		bagsOf("no indices", table, []int8{}, []int8{0, 0}, nil, attrs(kernels.Max), []int{2, 2}, 0, 0, 0, 0),
		bagsOf("no rows", kernels.New([]float32{}, 0, 2), []int8{}, []int8{0}, nil, row(kernels.Sum, -1), []int{1, 2}, 0, 0),
		bagsOf("rows of no elements", kernels.New([]float32{}, 5, 0), []int8{99}, []int8{99}, nil, attrs(kernels.Sum), []int{1, 0}),
		bagsOf("rows of rank 0", kernels.New([]float32{1, 2, 4}, 3), []int64{2, 1, 0, -1, 1}, []int64{0, 3}, nil, attrs(kernels.Sum), []int{2}, 7, 6),
		bagsOf("a sum begins with +0, a default row is copied", kernels.New([]float32{negative}, 1), []int64{0}, []int64{0, 1}, nil, row(kernels.Sum, 0), []int{2}, 0, negative),
		bagsOf("max of infinities and NaN", kernels.New([]float32{-inf, nan, 1, inf}, 4), []int8{0, 1, 2, 2, 1, 0, 0}, []int8{0, 1, 3, 5}, nil,
			attrs(kernels.Max), []int{4}, -inf, 1, nan, -inf),
		bagsOf("in order", kernels.New([]float32{1, 1 << 24, -1 << 24}, 3), []int8{0, 1, 2, 1, 2, 0}, []int8{0, 3}, nil, attrs(kernels.Sum), []int{2}, 0, 1),
	})
	runGolden(t, []golden[int8]{
		bagsOf("an exact mean, rounded down", sevenths, []int16{0, 1, 3, 4, 4, 4}, []int16{0, 3}, nil, attrs(kernels.Mean), []int{2, 2}, -4, 2, 127, -128),
		bagsOf("a sum wraps", sevenths, []int16{4, 4, 0}, []int16{0}, []int8{1, 2, 3}, attrs(kernels.Sum), []int{1, 2}, 122, -125), // 127+254-3, -128-256+3
	})
	runGolden(t, []golden[bool]{
		bagsOf("OR of AND", kernels.New([]bool{true, false, true, true}, 2, 2), []int8{0, 1, 1}, []int8{0, 1, 2}, []bool{true, true, false}, attrs(kernels.Sum),
			[]int{3, 2}, true, false, true, true, false, false),
	})
	// A product is rounded before it is added.
	third := kernels.New([]kernels.Float16{kernels.NewFloat16(1. / 3), kernels.NewFloat16(-1)}, 2)
	runGolden(t, []golden[kernels.Float16]{
		bagsOf("halves", third, []int8{1, 0}, []int8{0}, []kernels.Float16{kernels.NewFloat16(1), kernels.NewFloat16(3)}, attrs(kernels.Sum), []int{1}, 0),
	})
}

// A badBag bends a call of EmbeddingBag that is right: five indices in three
// bags of a table of three rows.
type badBag struct {
	dst, table, indices, offsets, weights arg
	weighted                              bool
	x, o                                  []int64
	attrs                                 kernels.BagAttrs
}

func TestBadBags(t *testing.T) {
	of := func(dims ...int) arg { return arg{shape: dims} }
	reduction := func(r kernels.Reduction) func(c *badBag) { return func(c *badBag) { c.attrs.Reduction = r } }
	start := func(v ...int64) func(c *badBag) { return func(c *badBag) { c.o = v } }
	row := func(k int) func(c *badBag) {
		return func(c *badBag) { c.attrs.HasDefault, c.attrs.DefaultIndex = true, k }
	}
	offset := func(position int, value string, least int) error {
		return &kernels.OffsetError{Position: []int{position}, Value: value, Least: least, Most: 5}
	}
	rows := []struct {
		name   string
		bend   func(c *badBag)
		want   error
		shapes bool // the shape function must find it too
	}{
		{"a table of rank 0", func(c *badBag) { c.table = of() }, badShape("table"), true},
		{"a negative dimension of the table", func(c *badBag) { c.table = of(3, -4) }, badShape("table"), true},
		{"a table with too many elements", func(c *badBag) { c.table = of(3, math.MaxInt) }, badShape("table"), true},
		{"indices of rank 0", func(c *badBag) { c.indices = of() }, badShape("indices"), true},
		{"indices of rank 2", func(c *badBag) { c.indices = of(5, 1) }, badShape("indices"), true},
		{"a negative number of indices", func(c *badBag) { c.indices = of(-5) }, badShape("indices"), true},
		{"offsets of rank 0", func(c *badBag) { c.offsets = of() }, badShape("offsets"), true},
		{"offsets of rank 2", func(c *badBag) { c.offsets = of(1, 3) }, badShape("offsets"), true},
		{"a negative number of offsets", func(c *badBag) { c.offsets = of(-3) }, badShape("offsets"), true},
		{"a dst with too many elements", func(c *badBag) { c.offsets = arg{shape: []int{math.MaxInt / 2}, strides: []int{0}, dataLen: 1} }, badShape("dst"), true},
		{"a table that reaches outside", func(c *badBag) { c.table = arg{shape: []int{3, 4}, dataLen: 11} }, badShape("table"), false},
		{"a table with one stride", func(c *badBag) { c.table.strides = []int{4} }, badShape("table"), false},
		{"indices that reach outside", func(c *badBag) { c.indices.offset = 1 }, badShape("indices"), false},
		{"indices without data", func(c *badBag) { c.indices.dataLen = -1 }, badShape("indices"), false},
		{"offsets that reach outside", func(c *badBag) { c.offsets.strides = []int{-1} }, badShape("offsets"), false},
		{"a stride that overflows", func(c *badBag) { c.offsets.strides = []int{math.MaxInt} }, badShape("offsets"), false},
		{"no reduction", reduction(kernels.None), badAttribute("reduction", "none"), false},
		{"a product", reduction(kernels.Prod), badAttribute("reduction", "prod"), false},
		{"min", reduction(kernels.Min), badAttribute("reduction", "min"), false},
		{"sub", reduction(kernels.Sub), badAttribute("reduction", "sub"), false},
		{"the reduction 99", reduction(99), badAttribute("reduction", "Reduction(99)"), false},
		{"default row 3", row(3), badAttribute("default_index", "3"), false},
		{"default row -2", row(-2), badAttribute("default_index", "-2"), false},
		{"the largest default row", row(math.MaxInt), badAttribute("default_index", ""), false},
		{"the smallest default row", row(math.MinInt), badAttribute("default_index", ""), false},
		{"weights of a mean", func(c *badBag) { c.weighted, c.attrs.Reduction = true, kernels.Mean }, badAttribute("weights", ""), false},
		{"weights of max", func(c *badBag) { c.weighted, c.attrs.Reduction = true, kernels.Max }, badAttribute("weights", ""), false},
		{"fewer weights", func(c *badBag) { c.weighted, c.weights = true, of(4) }, badShape("weights"), false},
		{"no weights, of rank 1", func(c *badBag) { c.weighted, c.weights = true, arg{shape: []int{0}, dataLen: -1} }, badShape("weights"), false},
		{"weights of rank 2", func(c *badBag) { c.weighted, c.weights = true, of(5, 1) }, badShape("weights"), false},
		{"weights that reach outside", func(c *badBag) { c.weighted, c.weights = true, arg{shape: []int{5}, dataLen: 4} }, badShape("weights"), false},
		{"a dst of two bags", func(c *badBag) { c.dst = of(2, 4) }, badShape("dst"), false},
		{"a dst of narrow rows", func(c *badBag) { c.dst = of(3, 3) }, badShape("dst"), false},
		{"a dst of rank 1", func(c *badBag) { c.dst = of(12) }, badShape("dst"), false},
		{"a dst that reaches outside", func(c *badBag) { c.dst.dataLen = 11 }, badShape("dst"), false},
		{"a dst with elements twice", func(c *badBag) { c.dst.strides = []int{1, 1} }, badOverlap("dst"), false},
		{"dst in the table", func(c *badBag) { c.dst.in = "table" }, badOverlap("table"), false},
		{"dst in the weights", func(c *badBag) { c.weighted, c.weights.dataLen, c.dst.in = true, 20, "weights" }, badOverlap("weights"), false},
		{"dst in the indices", func(c *badBag) { c.indices.dataLen, c.dst.in = 20, "indices" }, badOverlap("indices"), false},
		{"dst in the offsets", func(c *badBag) { c.offsets.dataLen, c.dst.in = 20, "offsets" }, badOverlap("offsets"), false},
		{"a negative first offset", start(-1, 0, 5), offset(0, "-1", 0), false},
		{"an offset less than the one before", start(0, 3, 2), offset(2, "2", 3), false},
		{"a negative offset", start(0, -1, 5), offset(1, "-1", 0), false},
		{"an offset behind the indices", start(0, 2, 6), offset(2, "6", 2), false},
		{"a first offset behind the indices", start(6, 6, 6), offset(0, "6", 0), false},
		{"an offset of 32 bits too many", start(0, 1<<32, 5), offset(1, "4294967296", 0), false},
		{"the largest offset", start(0, 0, math.MaxInt64), offset(2, "9223372036854775807", 0), false},
		{"the smallest offset", start(0, math.MinInt64, 5), offset(1, "-9223372036854775808", 0), false},
		{"an index 3", func(c *badBag) { c.x = []int64{0, 1, 3, 0, 0} }, badIndex("3", 0, 3, 2), false},
		{"an index -4", func(c *badBag) { c.x = []int64{0, 1, 2, 0, -4} }, badIndex("-4", 0, 3, 4), false},
		{"the first of two bad indices", func(c *badBag) { c.x = []int64{-4, 1, 2, 0, 3} }, badIndex("-4", 0, 3, 0), false},
		{"bad indices before the bags and in them", func(c *badBag) { c.o, c.x = []int64{1, 2, 2}, []int64{99, 1, 2, 99, 0} }, badIndex("99", 0, 3, 3), false},
		{"an index into an empty table", func(c *badBag) { c.table = of(0, 4) }, badIndex("0", 0, 0, 0), false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			c := badBag{dst: of(3, 4), table: of(3, 4), indices: of(5), offsets: of(3), weights: of(5), x: []int64{0, 1, 2, -1, 0}, o: []int64{0, 2, 2},
				attrs: kernels.BagAttrs{Reduction: kernels.Sum}}
			row.bend(&c)
			failBag[float32, int64](t, c, row.want, row.shapes)
			failBag[kernels.BFloat16, int8](t, c, row.want, row.shapes)
			failBag[int64, int64](t, c, row.want, row.shapes)
			failBag[complex128, int32](t, c, row.want, row.shapes)
		})
	}
	var e *kernels.TypeError
	for _, r := range []kernels.Reduction{kernels.Sum, kernels.Mean, kernels.Max} {
		x := kernels.New([]int64{0}, 1)
		err := kernels.EmbeddingBag(kernels.New(make([]string, 1), 1), kernels.New(make([]string, 1), 1), x, x, kernels.Tensor[string]{}, kernels.BagAttrs{Reduction: r})
		require.ErrorAs(t, err, &e)
		requireFailure(t, embeddingBag, &kernels.TypeError{Type: "string"}, err)
	}
}

func failBag[T any, I kernels.Index](t *testing.T, c badBag, want error, shapes bool) {
	for _, v := range append(slices.Clone(c.x), c.o...) {
		if !fits[I](v, false) {
			return // this type has no such number
		}
	}
	if r := c.attrs.Reduction; r == kernels.Min || r == kernels.Max { // which are another error of complex numbers
		if _, is := any(*new(T)).(complex128); is {
			return
		}
	}
	integers := func(values []int64) func(i int) I {
		return func(i int) I {
			if i -= fence; i >= 0 && i < len(values) {
				return I(values[i])
			}
			return 0
		}
	}
	zero := func(int) (z T) { return z }
	out, table, weights := fencedOf(c.dst, zero), fencedOf(c.table, zero), fencedOf(c.weights, zero)
	indices, offsets := fencedOf(c.indices, integers(c.x)), fencedOf(c.offsets, integers(c.o))
	dst, s, x, o, w := out.tensor(c.dst), table.tensor(c.table), indices.tensor(c.indices), offsets.tensor(c.offsets), kernels.Tensor[T]{}
	if c.weighted {
		w = weights.tensor(c.weights)
	}
	switch shared := any(nil); c.dst.in {
	case "table":
		dst.Data = s.Data
	case "weights":
		dst.Data = w.Data
	case "indices", "offsets":
		if shared = any(x.Data); c.dst.in == "offsets" {
			shared = any(o.Data)
		}
		data, same := shared.([]T)
		if !same {
			return
		}
		dst.Data = data
	}
	for _, workers := range []int{0, 1, 3} {
		requireFailure(t, embeddingBag, want, noPanic(func() error { return kernels.EmbeddingBag(dst, s, x, o, w, c.attrs, kernels.Workers(workers)) }))
		table.requireUnchanged(t, "table")
		weights.requireUnchanged(t, "weights")
		indices.requireUnchanged(t, "indices")
		offsets.requireUnchanged(t, "offsets")
		if _, bad := want.(*kernels.IndexError); bad { // dst may have been begun
			for _, p := range positions(dst) {
				out.all[fence+p] = out.before[fence+p]
			}
		}
		out.requireUnchanged(t, "dst")
	}
	_, err := kernels.EmbeddingBagShape(c.table.shape, c.indices.shape, c.offsets.shape)
	if shapes {
		requireFailure(t, embeddingBag, want, err)
	} else {
		require.NoError(t, err)
	}
}

// TestBagsByWorkers: one bit pattern, for bags of one size, of any, and one that
// has nearly all indices, whose columns are shared out.
func TestBagsByWorkers(t *testing.T) {
	kernels.CutAlone(t)
	const rows, cols, count = 1000, 48, 40_000
	table := randomTensor[int32](1<<30, rows, cols)
	floats := zeros[float32](rows, cols)
	for i, v := range table.Data {
		floats.Data[i] = float32(v) / float32(1+i%1000)
	}
	x := randomTensor[int64](rows, count)
	weights := zeros[float32](count)
	for i := range weights.Data {
		weights.Data[i] = 1 / float32(1+i%7)
	}
	for name, starts := range map[string]func(b int) int64{
		"even":      func(b int) int64 { return int64(b * 20) },
		"some long": func(b int) int64 { return int64(b/100*100) * 20 },
		"one":       func(b int) int64 { return int64(min(b, 1) * (count - 3)) },
	} {
		offsets := zeros[int64](count / 20)
		for b := range offsets.Data {
			offsets.Data[b] = starts(b)
		}
		for _, r := range bagReductions {
			for _, w := range []kernels.Tensor[float32]{{}, weights} {
				if w.Data != nil && r != kernels.Sum {
					continue
				}
				t.Run(fmt.Sprintf("%s/%v/%d weights", name, r, len(w.Data)), func(t *testing.T) {
					want := zeros[float32](count/20, cols)
					require.NoError(t, kernels.EmbeddingBag(want, floats, x, offsets, w, kernels.BagAttrs{Reduction: r}, kernels.Workers(1)))
					for _, opt := range []kernels.Option{kernels.Workers(2), kernels.Workers(3), kernels.Workers(8), kernels.Workers(64), kernels.Executor(5, backwards)} {
						dst := zeros[float32](count/20, cols)
						f := facts(t, func(o kernels.Option) error {
							return kernels.EmbeddingBag(dst, floats, x, offsets, w, kernels.BagAttrs{Reduction: r}, opt, o)
						})
						require.NoError(t, f.Err)
						require.Greater(t, f.Workers, 1)
						requireBits(t, want.Data, dst.Data, "workers")
					}
				})
			}
		}
	}
}

// TestBadBagsInParts: the first bad index is reported, whoever meets which.
func TestBadBagsInParts(t *testing.T) {
	kernels.CutSmall(t)
	table, x, offsets := zeros[float32](3, 5), zeros[int32](40), kernels.New([]int32{3, 10, 20, 30}, 4)
	x.Data[35], x.Data[12], x.Data[1] = 3, -4, 9
	for range 20 {
		err := kernels.EmbeddingBag(zeros[float32](4, 5), table, x, offsets, kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: kernels.Mean}, kernels.Workers(4))
		requireFailure(t, embeddingBag, badIndex("-4", 0, 3, 12), err)
	}
}

// TestBagsOfNoTable: a table without rows has an error for each index, and parts
// on its other columns nothing to read; bags without indices are zeros.
func TestBagsOfNoTable(t *testing.T) {
	kernels.CutSmall(t)
	table := kernels.Tensor[float32]{Shape: []int{0, 10}, Strides: []int{1, 1}} // rows side by side
	for _, r := range []kernels.Reduction{kernels.Sum, kernels.Mean, kernels.Max} {
		for offset, want := range map[int32]error{0: badIndex("0", 0, 0, 0), 3: badIndex("0", 0, 0, 3), 8: nil} {
			dst := kernels.New(slices.Repeat([]float32{7}, 20), 2, 10)
			err := kernels.EmbeddingBag(dst, table, zeros[int32](8), kernels.New([]int32{offset, 8}, 2), kernels.Tensor[float32]{}, kernels.BagAttrs{Reduction: r}, kernels.Workers(4))
			if want == nil {
				require.NoError(t, err)
				require.Equal(t, make([]float32, 20), dst.Data)
				continue
			}
			requireFailure(t, embeddingBag, want, err)
		}
	}
}
