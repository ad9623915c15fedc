package kernels_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// A story is what happens to one cell of ScatterElementsUpdate and ScatterNDUpdate.
type story[T any] struct {
	name      string
	reduction kernels.Reduction
	ignore    bool // IgnoreInit
	init      T
	updates   []T
	want      T
}

const sum, sub, prod, low, high, mean, none = kernels.Sum, kernels.Sub, kernels.Prod, kernels.Min, kernels.Max, kernels.Mean, kernels.None

// tell lets every story happen wherever a kernel may treat cells differently:
// alone, in many columns or rows at once, on a middle axis, with indices that
// are constant along the inner axis, in a fresh dst and in place. The middle
// one of three cells is told about; the others must keep their bits. The operators' definitions
// are held to the same.
func tell[T any](t *testing.T, stories []story[T]) {
	for _, s := range stories {
		t.Run(fmt.Sprintf("%s/%v/%s", reflect.TypeFor[T](), s.reduction, s.name), func(t *testing.T) {
			same := sameBits[T]
			if s.reduction == sum || s.reduction == sub || s.reduction == prod || s.reduction == mean {
				same = sameOrNaN[T]
			}
			attrs, op := kernels.ScatterAttrs{Reduction: s.reduction, IgnoreInit: s.ignore}, generic.Op(s.reduction)
			for _, place := range []struct{ outer, inner int }{{1, 1}, {1, 37}, {5, 1}, {3, 19}} {
				msg := fmt.Sprintf("outer %d, inner %d", place.outer, place.inner)
				shape := []int{place.outer, 3, place.inner}
				long := []int{place.outer, len(s.updates), place.inner}
				cells := repeat(place.outer*3*place.inner, s.init)
				var want, updates []T
				var indices, steps []int64
				for range place.outer {
					want = append(want, repeat(place.inner, s.init)...)
					want = append(want, repeat(place.inner, s.want)...)
					want = append(want, repeat(place.inner, s.init)...)
					for i, u := range s.updates {
						updates = append(updates, repeat(place.inner, u)...)
						step := int64(1 - 3*(i%2)) // 1, -2, 1, …
						indices = append(indices, repeat(place.inner, step)...)
						steps = append(steps, step)
					}
				}
				full := kernels.New(indices, long...)
				thin := kernels.Tensor[int64]{Data: steps, Shape: long, Strides: []int{len(s.updates), 1, 0}}
				middle := func(got []T) { // NaNs that nothing made are compared exactly
					requireBits(t, want[:place.inner], got[:place.inner], msg)
					requireEach(t, want, got, same, msg)
				}

				if s.reduction != mean { // by tuples: of the rows, and of the elements
					var pairs, triples []int64
					for o := range place.outer {
						for i := range s.updates {
							pairs = append(pairs, int64(o), steps[i])
							for j := range place.inner {
								triples = append(triples, int64(o), steps[i], int64(j-j%2*place.inner))
							}
						}
					}
					for _, tuples := range []kernels.Tensor[int64]{kernels.New(pairs, place.outer, len(s.updates), 2), kernels.New(triples, place.outer, len(s.updates), place.inner, 3)} {
						out := repeat(len(cells), filler[T]())
						require.NoError(t, kernels.ScatterNDUpdate(kernels.New(out, shape...), kernels.New(cells, shape...), tuples, kernels.New(updates, long...), attrs))
						middle(out)
						copy(out, cells)
						home := kernels.New(out, shape...)
						require.NoError(t, kernels.ScatterNDUpdate(home, home, tuples, kernels.New(updates, long...), attrs))
						middle(out)
						copy(out, cells)
						cell := generic.View{Shape: shape}
						require.NoError(t, generic.ScatterNDUpdate(out, cell, out, cell, tuples.Data, viewOf(tuples), updates, generic.View{Shape: long}, op, s.ignore))
						middle(out)
					}
				}
				if s.reduction == sub {
					continue
				}

				out, cell := slices.Clone(cells), generic.View{Shape: shape}
				require.NoError(t, generic.ScatterElementsUpdate(out, cell, out, cell, indices, viewOf(full), updates, viewOf(full), 1, op, s.ignore))
				middle(out)
				out = repeat(len(cells), filler[T]())
				require.NoError(t, kernels.ScatterElementsUpdate(kernels.New(out, shape...), kernels.New(cells, shape...),
					full, kernels.New(updates, long...), 1, attrs))
				middle(out)
				out = repeat(len(cells), filler[T]())
				require.NoError(t, kernels.ScatterElementsUpdate(kernels.New(out, shape...), kernels.New(cells, shape...),
					thin, kernels.New(updates, long...), -2, attrs, kernels.Workers(1)))
				middle(out)

				for k, l := range layouts(shape) {
					if l.name == "transposed" || l.name == "every third" || l.strides == nil {
						home := lay(cells, shape, l.strides)
						strided := layouts(long)[k].strides
						at := thin
						if l.name == "transposed" {
							at = lay(indices, long, strided)
						}
						require.NoError(t, kernels.ScatterElementsUpdate(home, home, at, lay(updates, long, strided), 1, attrs))
						middle(read(home))
						requireFrame(t, home, msg)
					}
				}
			}
		})
	}
}

// floatStories are those that all float formats share; of converts a number
// that each of them has.
func floatStories[T any](of func(float64) T) []story[T] {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	rows := []struct {
		reduction kernels.Reduction
		ignore    bool
		init      float64
		updates   []float64
		want      float64
	}{
		{none, false, 1, []float64{2, zero}, zero},
		{none, true, 1, []float64{2, nan}, nan},
		{none, false, nan, []float64{-inf}, -inf},

		{sum, false, 1, []float64{2, 3}, 6},
		{sum, false, zero, []float64{zero}, zero},
		{sum, false, zero, []float64{0}, 0},
		{sum, false, 0, []float64{zero}, 0},
		{sum, false, 3, []float64{-3}, 0},
		{sum, false, inf, []float64{1}, inf},
		{sum, false, inf, []float64{-inf}, nan},
		{sum, false, 1, []float64{nan, 2}, nan},
		{sum, false, nan, []float64{1, 1}, nan},
		{sum, true, 5, []float64{2, 3}, 5},
		{sum, true, 5, []float64{zero, zero}, 0}, // from the identity +0
		{sum, true, nan, []float64{1, 2}, 3},
		{sum, true, inf, []float64{-inf}, -inf},
		{sub, false, 1, []float64{2, 3}, -4},
		{sub, false, 0, []float64{0}, 0},
		{sub, false, zero, []float64{0}, zero},
		{sub, false, zero, []float64{zero}, 0},
		{sub, false, inf, []float64{inf}, nan},
		{sub, false, 1, []float64{inf, inf}, -inf},
		{sub, false, 1, []float64{nan, 2}, nan},
		{sub, false, nan, []float64{1}, nan},
		{sub, true, 5, []float64{2, 3}, -5},
		{sub, true, nan, []float64{zero}, 0}, // from the identity +0

		{prod, false, 2, []float64{3, -1}, -6},
		{prod, false, zero, []float64{1}, zero},
		{prod, false, 0, []float64{-2}, zero},
		{prod, false, zero, []float64{-2, 4}, 0},
		{prod, false, inf, []float64{-2}, -inf},
		{prod, false, inf, []float64{0, 1}, nan},
		{prod, false, nan, []float64{0}, nan},
		{prod, true, 7, []float64{zero}, zero},
		{prod, true, 7, []float64{3}, 3},
		{prod, true, nan, []float64{4, 0.5}, 2},
		{prod, true, 0, []float64{-inf, 2}, -inf},

		// acc < upd ? acc : upd
		{low, false, 3, []float64{1, 2}, 1},
		{low, false, 3, []float64{4, 5}, 3},
		{low, false, 0, []float64{zero}, zero},
		{low, false, zero, []float64{0}, 0},
		{low, false, zero, []float64{0, zero, 0}, 0},
		{low, false, 1, []float64{nan}, nan},
		{low, false, 1, []float64{nan, 2}, 2},
		{low, false, 1, []float64{nan, 2, nan}, nan},
		{low, false, nan, []float64{5, 7}, 5},
		{low, false, nan, []float64{nan}, nan},
		{low, false, inf, []float64{inf}, inf},
		{low, false, 1, []float64{-inf, inf}, -inf},
		{low, true, -5, []float64{3, 4}, 3},
		{low, true, -5, []float64{inf}, inf}, // not the largest finite number
		{low, true, -5, []float64{nan}, nan},
		{low, true, -5, []float64{inf, nan}, nan},
		{low, true, -5, []float64{nan, 2}, 2},
		{low, true, nan, []float64{zero, 0}, 0},

		// acc > upd ? acc : upd
		{high, false, 1, []float64{3, 2}, 3},
		{high, false, 9, []float64{4, 5}, 9},
		{high, false, zero, []float64{0}, 0},
		{high, false, 0, []float64{zero}, zero},
		{high, false, 1, []float64{nan}, nan},
		{high, false, 5, []float64{nan, 2}, 2},
		{high, false, nan, []float64{5, 3}, 5},
		{high, false, -inf, []float64{-inf}, -inf},
		{high, false, 1, []float64{inf, -inf}, inf},
		{high, true, 5, []float64{-4, -3}, -3},
		{high, true, 5, []float64{-inf}, -inf},
		{high, true, 5, []float64{nan}, nan},
		{high, true, 5, []float64{nan, -2}, -2},
		{high, true, nan, []float64{0, zero}, zero},

		{mean, false, 1, []float64{2, 6}, 3}, // the initial value is one of three
		{mean, false, 1, []float64{2}, 1.5},
		{mean, false, zero, []float64{zero}, zero},
		{mean, false, inf, []float64{1}, inf},
		{mean, false, inf, []float64{-inf}, nan},
		{mean, false, 1, []float64{nan}, nan},
		{mean, false, nan, []float64{1}, nan},
		{mean, true, 100, []float64{1, 2}, 1.5},
		{mean, true, 100, []float64{7}, 7},
		{mean, true, 5, []float64{zero}, 0},
		{mean, true, nan, []float64{-1, -2}, -1.5},
		{mean, true, 0, []float64{-inf, 1}, -inf},
		{mean, false, 1, []float64{0, 0}, 1.0 / 3}, // rounded once
		{mean, true, 9, []float64{1, 1, 0}, 2.0 / 3},
	}
	var out []story[float64]
	for _, r := range rows {
		name := fmt.Sprintf("init=%v ignore=%v updates=%v", r.init, r.ignore, r.updates)
		out = append(out, story[float64]{name, r.reduction, r.ignore, r.init, r.updates, r.want})
	}
	return retell(out, of)
}

// retell tells stories in another element type.
func retell[S, T any](stories []story[S], of func(S) T) (out []story[T]) {
	for _, s := range stories {
		r := story[T]{s.name, s.reduction, s.ignore, of(s.init), nil, of(s.want)}
		for _, u := range s.updates {
			r.updates = append(r.updates, of(u))
		}
		out = append(out, r)
	}
	return out
}

// keptNaN are stories of a signalling NaN and of a NaN with a payload, which
// must come through none, min and max untouched.
func keptNaN[T any](one T, nans ...T) (out []story[T]) {
	for _, nan := range nans {
		for _, r := range []kernels.Reduction{none, low, high} {
			for _, ignore := range []bool{false, true} {
				out = append(out, story[T]{fmt.Sprintf("NaN %#v, ignore=%v", nan, ignore), r, ignore, one, []T{one, nan}, nan})
			}
			out = append(out, story[T]{fmt.Sprintf("one after NaN %#v", nan), r, false, nan, []T{nan, one}, one})
		}
		// The cells beside it hold the NaN and must keep it.
		out = append(out, story[T]{fmt.Sprintf("beside NaN %#v", nan), prod, true, nan, []T{one}, one})
	}
	return out
}

type (
	ieeeHalf  uint16 // another library's float16
	brainHalf uint16 // and its bfloat16
	plain16   uint16 // no method: an integer
	double16  uint16 // a method of another type: an integer
)

func (h ieeeHalf) Float32() float32  { return kernels.Float16(h).Float32() }
func (h brainHalf) Float32() float32 { return kernels.BFloat16(h).Float32() }
func (h double16) Float32() float64  { return float64(h) }

func toFloat16[T ~uint16](f float64) T  { return T(kernels.NewFloat16(float32(f))) }
func toBFloat16[T ~uint16](f float64) T { return T(kernels.NewBFloat16(float32(f))) }

func TestReduceFloats(t *testing.T) { kernels.Ways(t, testReduceFloats) }

func testReduceFloats(t *testing.T) {
	tell(t, floatStories(func(f float64) float32 { return float32(f) }))
	tell(t, floatStories(func(f float64) float64 { return f }))
	type metres float32
	tell(t, floatStories(func(f float64) metres { return metres(f) })[:20])
	tell(t, floatStories(toFloat16[kernels.Float16]))
	tell(t, floatStories(toBFloat16[kernels.BFloat16]))
	tell(t, floatStories(toFloat16[ieeeHalf]))
	tell(t, floatStories(toBFloat16[brainHalf]))

	tell(t, keptNaN(1, math.Float32frombits(0x7F800001), math.Float32frombits(0xFFC12345)))
	tell(t, keptNaN(1, math.Float64frombits(0x7FF0000000000001), math.Float64frombits(0xFFF8123456789ABC)))
	tell(t, keptNaN[kernels.Float16](0x3C00, 0x7C01, 0xFE12))
	tell(t, keptNaN[kernels.BFloat16](0x3F80, 0x7F81, 0xFFD2))
	tell(t, keptNaN[ieeeHalf](0x3C00, 0x7C01, 0xFE12))
	tell(t, keptNaN[brainHalf](0x3F80, 0x7F81, 0xFFD2))
}

// TestReduceRounding has sums and products that another order, a wider
// accumulator or a single rounding would give another bit pattern.
func TestReduceRounding(t *testing.T) { kernels.Ways(t, testReduceRounding) }

func testReduceRounding(t *testing.T) {
	tell(t, []story[float32]{
		{"in order: 1e8+1 is 1e8", sum, false, 0, []float32{1e8, 1, -1e8}, 0},
		{"in order: the 1 comes last", sum, false, 0, []float32{1e8, -1e8, 1}, 1},
		{"the initial value comes first", sum, false, 1, []float32{1e8, -1e8}, 0},
		{"no wider accumulator", sum, true, 0, []float32{1 << 24, 1, 1, 1}, 1 << 24},
		{"subtracted in order", sub, false, 1e8, []float32{-1, 1e8}, 0},
		{"subtracted in steps", sub, true, 0, []float32{1 << 24, 1, 1, 1}, -1 << 24},
		{"overflow stays", sum, false, math.MaxFloat32, []float32{math.MaxFloat32, -math.MaxFloat32}, float32(math.Inf(1))},
		{"prod rounds each step", prod, false, 1 + 0x1p-23, []float32{1 + 0x1p-23, 1 - 0x1p-24}, 1 + 0x1p-23},
		{"prod overflows on the way", prod, false, 1e30, []float32{1e30, 1e-30}, float32(math.Inf(1))},
		{"prod underflows on the way", prod, false, 1e-30, []float32{1e-30, 1e30}, 0},
		{"no flush of subnormals", prod, false, 0x1p-126, []float32{0.5}, 0x1p-127},
		{"subnormal sum", sum, false, 0x1p-149, []float32{0x1p-149}, 0x1p-148},
		{"subnormal min", low, false, 0x1p-148, []float32{0x1p-149}, 0x1p-149},
		{"mean of a sum in order", mean, true, 0, []float32{1e8, 1, -1e8, 0}, 0},
		{"mean of a sum that overflows", mean, true, 0, []float32{math.MaxFloat32, math.MaxFloat32}, float32(math.Inf(1))},
		{"mean divides, it does not multiply by 1/3", mean, false, 3, []float32{2, 0}, float32(5) / 3},
		{"mean of 7", mean, true, 0, []float32{1, 0, 0, 0, 0, 0, 0}, float32(1) / 7},
	})
	tell(t, []story[float64]{
		{"in order: 1e17+1 is 1e17", sum, false, 0, []float64{1e17, 1, -1e17}, 0},
		{"in order: the 1 comes last", sum, false, 0, []float64{1e17, -1e17, 1}, 1},
		{"no wider accumulator", sum, true, 0, []float64{1 << 53, 1, 1, 1}, 1 << 53},
		{"no flush of subnormals", prod, false, 0x1p-1022, []float64{0.5}, 0x1p-1023},
		{"not by way of float32", prod, false, 1 + 0x1p-52, []float64{1}, 1 + 0x1p-52},
	})
	halves := []story[float64]{
		{"2048+1+1, each step even", sum, false, 2048, []float64{1, 1}, 2048}, // 2050 rounded once
		{"-2048-1-1, each step even", sub, false, -2048, []float64{1, 1}, -2048},
		{"2050+1+1, each step even", sum, false, 2050, []float64{1, 1}, 2052},
		{"overflow at the tie", sum, false, 65504, []float64{16}, math.Inf(1)},
		{"below the tie", sum, false, 65504, []float64{15.9921875}, 65504},
		{"overflow on the way", sum, false, 65504, []float64{32, -65504}, math.Inf(1)},
		{"prod rounds each step", prod, false, 1 + 0x1p-10, []float64{1 + 0x1p-10, 1 - 0x1p-11}, 1 + 0x1p-10}, // kept in float32, a tie that goes up
		{"subnormal result", prod, false, 0x1p-14, []float64{0.5}, 0x1p-15},
		{"tie among subnormals, down to 0", prod, false, 0x1p-24, []float64{0.5}, 0},
		{"tie among subnormals, up to 2", prod, false, 0x3p-24, []float64{0.5}, 0x2p-24},
		{"mean of a sum in steps", mean, true, 0, []float64{2048, 1, 1, 1}, 512},
		{"mean divides the rounded sum", mean, true, 0, []float64{2047, 2, 0}, 682.5}, // 2049 is 2048; 2048/3 is 682.67
	}
	tell(t, retell(halves, toFloat16[kernels.Float16]))
	tell(t, retell(halves, toFloat16[ieeeHalf]))
	halves = []story[float64]{
		{"256+1+1, each step even", sum, false, 256, []float64{1, 1}, 256}, // 258 rounded once
		{"258+1+1, each step even", sum, false, 258, []float64{1, 1}, 260},
		{"as wide as float32", sum, false, 65504, []float64{65504}, 131072},
		{"overflow", sum, false, 0x1.fep127, []float64{0x1p119}, math.Inf(1)},
		{"below the tie of overflow", sum, false, 0x1.fep127, []float64{0x1.fep118}, 0x1.fep127},
		{"prod rounds each step", prod, false, 1 + 0x1p-7, []float64{1 + 0x1p-7, 1 - 0x1p-8}, 1 + 0x1p-7},
		{"subnormal result", prod, false, 0x1p-126, []float64{0.5}, 0x1p-127},
		{"tie among subnormals, down to 0", prod, false, 0x1p-133, []float64{0.5}, 0},
		{"tie among subnormals, up to 2", prod, false, 0x3p-133, []float64{0.5}, 0x2p-133},
		{"mean of a sum in steps", mean, true, 0, []float64{256, 1, 1, 1}, 64},
	}
	tell(t, retell(halves, toBFloat16[kernels.BFloat16]))
	tell(t, retell(halves, toBFloat16[brainHalf]))
}

type signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

type unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func signedStories[T signed]() []story[T] {
	hi := T(1)<<(8*unsafe.Sizeof(T(0))-1) - 1
	lo := -hi - 1
	return []story[T]{
		{"last wins", none, false, 1, []T{2, lo}, lo},
		{"adds", sum, false, -100, []T{3, 4}, -93},
		{"wraps up", sum, false, hi, []T{1}, lo},
		{"wraps down", sum, false, lo, []T{-1}, hi},
		{"from 0", sum, true, 77, []T{3, -4}, -1},
		{"subtracts", sub, false, 100, []T{3, -4}, 101},
		{"subtracts, wraps down", sub, false, lo, []T{1}, hi},
		{"subtracts the lowest", sub, false, 0, []T{lo}, lo},
		{"subtracts from 0", sub, true, 77, []T{3, -4}, 1},
		{"multiplies", prod, false, -2, []T{3, 5}, -30},
		{"wraps", prod, false, hi, []T{2}, -2},
		{"wraps at the lowest", prod, false, lo, []T{-1}, lo},
		{"from 1", prod, true, 0, []T{3, -4}, -12},
		{"smaller", low, false, 3, []T{-1, 2}, -1},
		{"kept", low, false, -3, []T{-1, 2}, -3},
		{"to the lowest", low, false, 0, []T{lo, hi}, lo},
		{"from the largest", low, true, -5, []T{hi}, hi},
		{"from the largest", low, true, -5, []T{7, 6}, 6},
		{"larger", high, false, -3, []T{-1, -2}, -1},
		{"kept", high, false, 3, []T{-1, 2}, 3},
		{"to the largest", high, false, 0, []T{lo, hi}, hi},
		{"from the smallest", high, true, 5, []T{lo}, lo},
		{"from the smallest", high, true, 5, []T{-7, -6}, -6},
		{"of three", mean, false, 1, []T{2, 6}, 3},
		{"rounds down", mean, false, 1, []T{2}, 1},
		{"rounds down below 0", mean, false, -1, []T{-2}, -2},
		{"-3.5 is -4", mean, false, -7, []T{0}, -4},
		{"-1/3 is -1", mean, true, 100, []T{-1, 0, 0}, -1},
		{"-3/3 is -1", mean, true, 100, []T{-1, -1, -1}, -1},
		{"1/3 is 0", mean, true, 100, []T{1, 0, 0}, 0},
		{"-2/3 is -1", mean, true, 100, []T{-1, 0, -1}, -1},
		{"alone", mean, true, 100, []T{-7}, -7},
		{"of the exact sum", mean, false, hi, []T{hi, hi}, hi},
		{"of the exact sum below", mean, false, lo, []T{lo, lo, lo, lo}, lo},
		{"of the exact sum, remainder", mean, true, 0, []T{hi, hi - 1}, hi - 1},
		{"of the exact sum below, remainder", mean, true, 0, []T{lo, lo + 1}, lo},
		{"of both ends", mean, false, hi, []T{lo}, -1},
		{"of more than 255", mean, true, 0, repeat(300, hi), hi},
		{"of 256, initial value among them", mean, false, 0, repeat(255, lo), lo + 1<<(8*unsafe.Sizeof(T(0))-9)},
	}
}

func unsignedStories[T unsigned]() []story[T] {
	top := ^T(0)
	half := top>>1 + 1 // negative if read as signed
	return []story[T]{
		{"last wins", none, false, 1, []T{2, top}, top},
		{"adds", sum, false, 100, []T{3, 4}, 107},
		{"wraps", sum, false, top, []T{1}, 0},
		{"wraps beyond", sum, false, top, []T{top}, top - 1},
		{"from 0", sum, true, 77, []T{3, 4}, 7},
		{"subtracts", sub, false, 100, []T{3, 4}, 93},
		{"subtracts, wraps", sub, false, 0, []T{1}, top},
		{"subtracts from 0, wraps", sub, true, 77, []T{3, 4}, top - 6},
		{"multiplies", prod, false, 2, []T{3, 5}, 30},
		{"wraps", prod, false, top, []T{2}, top - 1},
		{"wraps to 1", prod, false, top, []T{top}, 1},
		{"from 1", prod, true, 0, []T{3, 4}, 12},
		{"smaller", low, false, half, []T{1, 2}, 1},
		{"kept, unsigned", low, false, 1, []T{half, top}, 1},
		{"from the largest", low, true, 5, []T{top}, top},
		{"from the largest", low, true, 5, []T{half}, half},
		{"larger, unsigned", high, false, 1, []T{half, 2}, half},
		{"kept, unsigned", high, false, top, []T{1, half}, top},
		{"from 0", high, true, 5, []T{0}, 0},
		{"from 0", high, true, 5, []T{2, 3}, 3},
		{"of three", mean, false, 1, []T{2, 6}, 3},
		{"rounds down", mean, false, 1, []T{2}, 1},
		{"2/3 is 0", mean, true, 100, []T{1, 0, 1}, 0},
		{"alone", mean, true, 100, []T{7}, 7},
		{"of the exact sum", mean, false, top, []T{top, top}, top},
		{"of the exact sum, remainder", mean, true, 0, []T{top, top - 1}, top - 1},
		{"of half the range", mean, false, top, []T{0}, top / 2},
		{"of more than 255", mean, true, 0, repeat(300, top), top},
	}
}

func TestReduceIntegers(t *testing.T) { kernels.Ways(t, testReduceIntegers) }

func testReduceIntegers(t *testing.T) {
	tell(t, signedStories[int]())
	tell(t, signedStories[int8]())
	tell(t, signedStories[int16]())
	tell(t, signedStories[int32]())
	tell(t, signedStories[int64]())
	tell(t, signedStories[celsius]())
	tell(t, unsignedStories[uint]())
	tell(t, unsignedStories[uint8]())
	tell(t, unsignedStories[uint16]())
	tell(t, unsignedStories[uint32]())
	tell(t, unsignedStories[uint64]())
	tell(t, unsignedStories[column]())
	tell(t, unsignedStories[plain16]())
	tell(t, unsignedStories[double16]())
}

// TestMeanAgainstBig compares integer means with the exact ones, of numbers
// whose sum needs more bits than T has.
func TestMeanAgainstBig(t *testing.T) {
	exact := func(sum *big.Int, n int64) *big.Int { return sum.Div(sum, big.NewInt(n)) } // Euclid's: floor for n > 0
	for n := 1; n <= 70; n++ {
		ints, uints := make([]int64, n), make([]uint64, n)
		is, us := big.NewInt(0), big.NewInt(0)
		for i := range n {
			uints[i] = math.MaxUint64 - uint64(i*i*n)
			ints[i] = math.MaxInt64 - int64(i*n)
			if n%3 == 1 {
				ints[i] = math.MinInt64 + int64(i*i)
			}
			is.Add(is, big.NewInt(ints[i]))
			us.Add(us, new(big.Int).SetUint64(uints[i]))
		}
		zeros := make([]uint16, n)
		attrs := kernels.ScatterAttrs{Reduction: mean, IgnoreInit: true}
		gotInt, gotUint := []int64{0}, []uint64{0}
		i1, u1 := kernels.New(gotInt, 1), kernels.New(gotUint, 1)
		require.NoError(t, kernels.ScatterElementsUpdate(i1, i1, kernels.New(zeros, n), kernels.New(ints, n), 0, attrs))
		require.NoError(t, kernels.ScatterElementsUpdate(u1, u1, kernels.New(zeros, n), kernels.New(uints, n), 0, attrs))
		require.Equal(t, exact(is, int64(n)).Int64(), gotInt[0], "int64, n=%d", n)
		require.Equal(t, exact(us, int64(n)).Uint64(), gotUint[0], "uint64, n=%d", n)
	}
}

// TestMeanCounts has more updates than a count in T could hold.
func TestMeanCounts(t *testing.T) {
	many(t, 70_000, func(int) uint16 { return 65_000 }, 65_000)
	many(t, 70_000, func(i int) int8 { return int8(-100 - i%2) }, -101) // -100.5
	many(t, 70_000, func(int) uint8 { return 255 }, 255)
	// 1/70000 is 239.67 × 2^-24, among the subnormals; 70000 itself would be +Inf.
	many(t, 70_000, func(i int) kernels.Float16 { return 0x3C00 * kernels.Float16(max(1-i, 0)) }, 240)
	// 257 is no bfloat16: it would count as 256.
	many(t, 257, func(i int) kernels.BFloat16 { return 0x3F80 * kernels.BFloat16(max(1-i, 0)) }, kernels.NewBFloat16(float32(1)/257))
}

func many[T any](t *testing.T, n int, of func(i int) T, want T) {
	t.Run(fmt.Sprintf("%v/%d", reflect.TypeFor[T](), n), func(t *testing.T) {
		updates := make([]T, n)
		for i := range updates {
			updates[i] = of(i)
		}
		cell := kernels.New(repeat(1, filler[T]()), 1)
		require.NoError(t, kernels.ScatterElementsUpdate(cell, cell, kernels.New(make([]int32, n), n), kernels.New(updates, n), 0,
			kernels.ScatterAttrs{Reduction: mean, IgnoreInit: true}))
		require.Equal(t, []T{want}, cell.Data)
	})
}

func TestReduceBools(t *testing.T) { kernels.Ways(t, testReduceBools) }

func testReduceBools(t *testing.T) {
	const f = false
	var stories []story[bool]
	add := func(r kernels.Reduction, ignore, init, want bool, updates ...bool) {
		stories = append(stories, story[bool]{fmt.Sprintf("init=%v ignore=%v updates=%v", init, ignore, updates), r, ignore, init, updates, want})
	}
	for _, or := range []kernels.Reduction{sum, high} {
		add(or, f, f, f, f)
		add(or, f, f, true, true)
		add(or, f, f, true, true, true) // not 2
		add(or, f, f, true, true, f)
		add(or, f, true, true, f, f)
		add(or, true, true, f, f)
		add(or, true, f, true, f, true)
	}
	for _, and := range []kernels.Reduction{prod, low} {
		add(and, f, true, true, true)
		add(and, f, true, f, true, f)
		add(and, f, true, f, f, true)
		add(and, f, f, f, true, true)
		add(and, true, f, true, true)
		add(and, true, f, f, true, f)
	}
	add(sub, f, f, f, f)
	add(sub, f, f, true, true)
	add(sub, f, true, f, true)
	add(sub, f, true, true, true, true)
	add(sub, f, true, f, f, true, f)
	add(sub, true, true, true, true)
	add(sub, true, true, f, true, f, true)
	add(none, f, f, true, f, true)
	add(none, true, true, f, true, f)
	for _, a := range []bool{f, true} { // the whole of each operation's table
		for _, b := range []bool{f, true} {
			for r, want := range map[kernels.Reduction]bool{sum: a || b, prod: a && b, low: a && b, high: a || b, sub: a != b, none: b} {
				add(r, f, a, want, b)
				add(r, true, a, b, b)
			}
		}
	}
	tell(t, stories)
	type flag bool
	tell(t, []story[flag]{{"named", sum, false, false, []flag{true, false}, true}, {"named", low, true, false, []flag{true}, true}})
}

func TestReduceComplex(t *testing.T) { kernels.Ways(t, testReduceComplex) }

func testReduceComplex(t *testing.T) {
	nan, inf, zero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	stories := []story[complex128]{
		{"last wins", none, false, 1, []complex128{complex(nan, zero)}, complex(nan, zero)},
		{"by components", sum, false, 1 + 2i, []complex128{3 - 5i, 10i}, 4 + 7i},
		{"from 0", sum, true, 9 + 9i, []complex128{complex(zero, zero)}, 0},
		{"NaN in one component", sum, false, 1 + 2i, []complex128{complex(nan, 1)}, complex(nan, 3)},
		{"Inf less Inf", sum, false, complex(inf, 0), []complex128{complex(-inf, 1)}, complex(nan, 1)},
		{"subtracted by components", sub, false, 1 + 2i, []complex128{3 - 5i, 10i}, -2 - 3i},
		{"subtracted from 0", sub, true, 9 + 9i, []complex128{complex(zero, 1)}, -1i},
		{"(1+2i)(3+4i)", prod, false, 1 + 2i, []complex128{3 + 4i}, -5 + 10i},
		{"three factors", prod, false, 1 + 2i, []complex128{3 + 4i, 1i}, -10 - 5i},
		{"from 1", prod, true, 9, []complex128{3 + 4i, 1 + 2i}, -5 + 10i},
		// (1+0i)(-0-0i): real 1·-0 - 0·-0 = -0 + 0 = 0, imag 1·-0 + 0·-0 = -0
		{"signs of zero", prod, true, 9, []complex128{complex(zero, zero)}, complex(0, zero)},
		// By the formula, with no rescue of infinities: Inf·1 - 0·0, Inf·0 + 0·1.
		{"Inf by the formula", prod, false, complex(inf, 0), []complex128{1}, complex(inf, nan)},
		{"of three", mean, false, 1 + 2i, []complex128{3 - 5i, 2}, 2 - 1i},
		{"without the initial value", mean, true, 100, []complex128{1 + 2i, 2 + 4i}, 1.5 + 3i},
	}
	tell(t, stories)
	tell(t, retell(stories, func(c complex128) complex64 { return complex64(c) }))

	a, b := 1+0x1p-30, 1-0x1p-30
	c := 1 + 0x1p-12
	tell(t, []story[complex128]{
		// ac and bd round to the same number; a fused ac-bd would leave what
		// the rounding of bd lost, 2^-60.
		{"no fused multiply-add, real", prod, false, complex(a, a), []complex128{complex(a, a)}, complex(0, 2*(1+0x1p-29))},
		{"no fused multiply-add, imaginary", prod, false, complex(a, a), []complex128{complex(a, -a)}, complex(2*(1+0x1p-29), 0)},
		// bd = 1 - 2^-60 rounds to 1.
		{"no fused multiply-add, products near 1", prod, true, 0, []complex128{complex(1, a), complex(1, b)}, complex(0, 2)},
		{"components overflow on their own", prod, false, complex(1e200, 1), []complex128{complex(1e200, 0)}, complex(inf, 1e200)},
	})
	tell(t, []story[complex64]{
		// ac = 1 + 2^-11 + 2^-24 keeps its last bit in float64 and would lose it in float32.
		{"computed in float64", prod, false, complex(float32(c), 1), []complex64{complex(float32(c), 1)}, complex(0x1p-11+0x1p-24, 2*float32(c))},
		{"large products cancel in float64", prod, false, complex(1e30, 1e30), []complex64{complex(1e30, 1e30)}, complex(0, float32(math.Inf(1)))},
		{"rounded after each factor", prod, true, 0, []complex64{complex(float32(c), 0), complex(float32(c), 0), complex(float32(c), 0)},
			complex(float32(float64(float32(c*c))*c), 0)},
		{"mean rounds once", mean, true, 0, []complex64{1, 1i, 0}, complex(float32(1)/3, float32(1)/3)},
	})
}

type (
	oddHalf    uint16
	brokenHalf uint16
	address    uintptr
)

// Float32 fits neither format: 1.0 would be 0x0001.
func (h oddHalf) Float32() float32 { return float32(h) }

func (h brokenHalf) Float32() float32 { panic("no such number") }

// TestMovementOfUnreducedTypes: what cannot be reduced can still be moved.
func TestMovementOfUnreducedTypes(t *testing.T) { kernels.Ways(t, testMovementOfUnreducedTypes) }

func testMovementOfUnreducedTypes(t *testing.T) {
	tell(t, []story[oddHalf]{{"moves", none, false, 1, []oddHalf{2, 3}, 3}})
	tell(t, []story[address]{{"moves", none, true, 1, []address{2, 3}, 3}})
	tell(t, []story[string]{{"moves", none, false, "a", []string{"b", "c"}, "c"}})
	tell(t, []story[[2]float32]{{"moves", none, false, [2]float32{1}, [][2]float32{{2}, {3, 4}}, [2]float32{3, 4}}})
	movement(t, func(i int) oddHalf { return oddHalf(i) })
	movement(t, func(i int) brokenHalf { return brokenHalf(i) })
	movement(t, func(i int) address { return address(i) })
	movement(t, func(i int) ieeeHalf { return ieeeHalf(i) })
}

// TestReductionOrder sums in an order that only row-major traversal of indices
// gives, whatever the layout of the tensors is.
func TestReductionOrder(t *testing.T) { kernels.Ways(t, testReductionOrder) }

func testReductionOrder(t *testing.T) {
	// Down each column: 1e8 + 1 - 1e8 = 0; any other order leaves 1 somewhere.
	values := []float32{1e8, 1, -1e8, 1, -1e8, 1e8, -1e8, 1e8, 1}
	want := []float32{0, 0, 1, 5, 5, 5, 5, 5, 5}
	// Column 1 is 1, -1e8, 1e8: 1 is lost. Column 2 is -1e8, 1e8, 1: 1 stays.
	for _, l := range layouts([]int{3, 3}) {
		updates := lay(values, []int{3, 3}, l.strides)
		indices := lay(make([]int32, 9), []int{3, 3}, l.strides)
		out := make([]float32, 9)
		data := kernels.New([]float32{9, 9, 9, 5, 5, 5, 5, 5, 5}, 3, 3)
		attrs := kernels.ScatterAttrs{Reduction: sum, IgnoreInit: true}
		require.NoError(t, kernels.ScatterElementsUpdate(kernels.New(out, 3, 3), data, indices, updates, 0, attrs), l.name)
		requireBits(t, want, out, l.name)

		flipped := lay(transpose(values, 3), []int{3, 3}, l.strides)
		require.NoError(t, kernels.ScatterElementsUpdate(kernels.New(out, 3, 3), kernels.New(transpose(data.Data, 3), 3, 3), indices, flipped, 1, attrs), l.name)
		requireBits(t, transpose(want, 3), out, l.name)
		// By tuples: all nine rows of one column, and all three rows of three.
		tuples := kernels.Tensor[int32]{Data: make([]int32, 2), Shape: []int{3, 3, 2}, Strides: []int{0, 0, 1}}
		one := []float32{9, 5}
		require.NoError(t, kernels.ScatterNDUpdate(kernels.New(one, 1, 2), kernels.New(one, 1, 2), tuples, updates, attrs), l.name)
		requireBits(t, []float32{1, 5}, one, l.name)
		require.NoError(t, kernels.ScatterNDUpdate(kernels.New(out, 3, 3), data, lay(make([]int32, 3), []int{3, 1}, nil), updates, attrs), l.name)
		requireBits(t, want, out, l.name)
	}
}

func transpose[T any](s []T, n int) []T {
	out := slices.Clone(s)
	for i := range s {
		out[i] = s[i%n*n+i/n]
	}
	return out
}
