package kernels_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// A bound is one sliced axis of size d.
type bound struct {
	d                  int
	begin, end, stride int64
	beginMask, endMask bool
}

func (b bound) spec() kernels.SliceSpec {
	return kernels.SliceSpec{Begin: []int64{b.begin}, End: []int64{b.end}, Strides: []int64{b.stride},
		BeginMask: []bool{b.beginMask}, EndMask: []bool{b.endMask}}
}

// ranges is b for Slice, which has no masks.
func (b bound) ranges() (r kernels.Ranges, ok bool) {
	return kernels.Ranges{Starts: []int64{b.begin}, Ends: []int64{b.end}, Axes: []int64{-2}, Steps: []int64{b.stride}}, !b.beginMask && !b.endMask
}

// walk lists the elements that b names, step by step as the definition has it,
// in numbers that cannot overflow. It gives up after 20.
func (b bound) walk() (elements []int) {
	if b.d == 0 {
		return nil
	}
	d, at, end, stride := big.NewInt(int64(b.d)), big.NewInt(b.begin), big.NewInt(b.end), big.NewInt(b.stride)
	forward := stride.Sign() > 0
	clamp := func(x *big.Int, low, high int64) {
		if x.Sign() < 0 {
			x.Add(x, d)
		}
		if l := big.NewInt(low); x.Cmp(l) < 0 {
			x.Set(l)
		}
		if h := new(big.Int).Add(d, big.NewInt(high)); x.Cmp(h) > 0 {
			x.Set(h)
		}
	}
	switch {
	case b.beginMask && forward:
		at.SetInt64(0)
	case b.beginMask:
		at.Sub(d, big.NewInt(1))
	case forward:
		clamp(at, 0, 0)
	default:
		clamp(at, 0, -1)
	}
	switch {
	case b.endMask && forward:
		end.Set(d)
	case b.endMask:
		end.SetInt64(-1)
	case forward:
		clamp(end, 0, 0)
	default:
		clamp(end, -1, -1)
	}
	for len(elements) <= 20 && (forward && at.Cmp(end) < 0 || !forward && at.Cmp(end) > 0) {
		elements = append(elements, int(at.Int64()))
		at.Add(at, stride)
	}
	return elements
}

// eachBound makes every combination of extreme bounds for axes of size d.
func eachBound(d int, do func(b bound)) {
	n := int64(d)
	ends := []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt64 + n, -1 << 32, math.MinInt32, -n - 2, -n - 1, -n, -n + 1, -2, -1, 0, 1, 2,
		n - 1, n, n + 1, math.MaxInt32, 1 << 31, 1 << 32, math.MaxInt64 - n, math.MaxInt64 - 1, math.MaxInt64}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	strides := []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt32, -126322568, -3, -2, -1, 1, 2, 3, 126322568, math.MaxInt32, 1 << 31, math.MaxInt64}
	for _, stride := range strides {
		for _, begin := range ends {
			for _, end := range ends {
				do(bound{d, begin, end, stride, false, false})
			}
			do(bound{d, begin, -begin, stride, true, false})
			do(bound{d, -begin, begin, stride, true, false})
			do(bound{d, begin, ^begin, stride, false, true})
			do(bound{d, ^begin, begin, stride, true, true})
		}
	}
}

func TestStridedSliceBounds(t *testing.T) {
	cases, ranges := 0, 0
	for _, d := range []int{0, 1, 2, 5, 7} {
		t.Run(fmt.Sprintf("d=%d", d), func(t *testing.T) {
			// Two columns, one of them reversed, between rows that belong to nobody.
			data := lay(counting[int32](2*d), []int{d, 2}, []int{5, -2})
			dst := make([]int32, 2*d+1)
			eachBound(d, func(b bound) {
				cases++
				elements := b.walk()
				want := []int32{}
				for _, i := range elements {
					want = append(want, int32(2*i), int32(2*i+1))
				}
				shape, err := kernels.StridedSliceShape(data.Shape, b.spec())
				if err != nil || !slices.Equal(shape, []int{len(elements), 2}) {
					require.Failf(t, "StridedSliceShape", "%+v: want %d rows, got %v, error %v", b, len(elements), shape, err)
				}
				view, err := kernels.SliceView(data, b.spec())
				if err != nil || !slices.Equal(view.Shape, shape) || !slices.Equal(read(view), want) {
					require.Failf(t, "SliceView", "%+v: want %v, got %v, error %v", b, want, view.Shape, err)
				}
				for i := range dst {
					dst[i] = -1
				}
				err = kernels.StridedSlice(kernels.New(dst[:len(want)], shape...), data, b.spec())
				if err != nil || !slices.Equal(dst[:len(want)], want) || dst[len(want)] != -1 {
					require.Failf(t, "StridedSlice", "%+v: want %v, got %v, error %v", b, want, dst, err)
				}
				// What SliceView made is a sound view: an operator takes it.
				if err := kernels.StridedSlice(kernels.New(dst[:len(want)], shape...), view, kernels.SliceSpec{}); err != nil {
					require.Failf(t, "SliceView", "%+v: %+v is no view: %v", b, view, err)
				}
				if r, ok := b.ranges(); ok {
					ranges++
					part, err := kernels.RangesView(data, r)
					if err != nil || !slices.Equal(part.Shape, shape) || !slices.Equal(part.Strides, view.Strides) || part.Offset != view.Offset {
						require.Failf(t, "RangesView", "%+v: want %+v, got %+v, error %v", b, view, part, err)
					}
					for i := range dst {
						dst[i] = -1
					}
					err = kernels.Slice(kernels.New(dst[:len(want)], shape...), data, r)
					if err != nil || !slices.Equal(dst[:len(want)], want) || dst[len(want)] != -1 {
						require.Failf(t, "Slice", "%+v: want %v, got %v, error %v", b, want, dst, err)
					}
				}
			})
		})
	}
	t.Logf("%d without masks", ranges)
	t.Logf("%d bounds", cases)
	require.GreaterOrEqual(t, cases, 400)
	require.GreaterOrEqual(t, ranges, 400)
}

// TestStridedSliceBoundsOfHugeAxes slices axes of up to the largest int, with
// a stride of 0, so that one element is all of them.
func TestStridedSliceBoundsOfHugeAxes(t *testing.T) {
	const top = math.MaxInt64
	for _, d := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt/2 + 1, math.MaxInt32, math.MaxInt32 - 1} {
		n := int64(d)
		data := kernels.Tensor[int8]{Data: []int8{1, 2}, Shape: []int{d, 1}, Strides: []int{0, top & math.MaxInt}, Offset: 1}
		cases := 0
		for _, b := range []bound{
			{d, 0, 3, 1, false, false}, {d, -3, top, 1, false, false}, {d, -3, -1, 1, false, false}, {d, n - 1, n, 1, false, false}, {d, n, top, 1, false, false},
			{d, math.MinInt64, -n + 2, 1, false, false}, {d, top, top, 1, true, true}, {d, 0, 0, n/3 + 1, true, true}, {d, 0, 0, -(n/3 + 1), true, true},
			{d, 0, top, n - 1, false, false}, {d, 0, top, n, false, false}, {d, 1, top, n - 2, false, false}, {d, 0, top, top, false, false},
			{d, -1, math.MinInt64, -n + 1, false, false}, {d, -1, math.MinInt64, -n, false, false}, {d, top, 0, -n + 1, false, false}, {d, top, -top, math.MinInt64, false, false},
			{d, top, n - 4, -1, false, false}, {d, 3, math.MinInt64, -1, false, false}, {d, 3, 0, -2, false, true}, {d, n / 2, n/2 + 4, 3, false, false},
			{d, math.MinInt64, math.MinInt64, -1, false, false}, {d, math.MinInt64, 2, 1, false, false},
		} {
			elements := b.walk()
			if len(elements) > 20 { // the whole axis: too long to walk
				require.True(t, b.beginMask && b.endMask && b.stride == 1, "%+v", b)
				elements = nil
			}
			cases++
			shape, err := kernels.StridedSliceShape(data.Shape, b.spec())
			require.NoError(t, err, "%+v", b)
			view, err := kernels.SliceView(data, b.spec())
			require.NoError(t, err, "%+v", b)
			if b.stride == 1 && b.beginMask {
				require.Equal(t, []int{d, 1}, shape, "%+v", b)
				require.Equal(t, shape, view.Shape, "%+v", b)
				continue
			}
			require.Equal(t, []int{len(elements), 1}, shape, "%+v", b)
			require.Equal(t, repeat(len(elements), int8(2)), read(view), "%+v", b)
			dst := make([]int8, len(elements))
			require.NoError(t, kernels.StridedSlice(kernels.New(dst, shape...), data, b.spec()), "%+v", b)
			require.Equal(t, repeat(len(elements), int8(2)), dst, "%+v", b)
			if r, ok := b.ranges(); ok {
				shape, err := kernels.SliceShape(data.Shape, r)
				require.NoError(t, err, "%+v", b)
				clear(dst)
				require.NoError(t, kernels.Slice(kernels.New(dst, shape...), data, r), "%+v", b)
				require.Equal(t, repeat(len(elements), int8(2)), dst, "%+v", b)
			}
		}
		for _, begin := range []int64{n - 1, -n, -1, 0} {
			spec := kernels.SliceSpec{Begin: []int64{begin, -1}, End: []int64{0, 0}, ShrinkAxisMask: mask("1,1")}
			dst := []int8{0}
			require.NoError(t, kernels.StridedSlice(kernels.New(dst), data, spec), "shrunk at %d of %d", begin, d)
			require.Equal(t, []int8{2}, dst)
		}
	}
}

// TestStridedSliceShrinkBounds takes one element at every extreme, or says that there is none.
func TestStridedSliceShrinkBounds(t *testing.T) {
	for _, d := range []int{0, 1, 2, 5, 7} {
		data := kernels.New(counting[int32](d), d)
		seen := map[int64]bool{}
		eachBound(d, func(b bound) {
			if seen[b.begin] {
				return
			}
			seen[b.begin] = true
			spec := kernels.SliceSpec{Begin: []int64{b.begin}, End: []int64{b.end}, Strides: []int64{0}, ShrinkAxisMask: mask("1")}
			dst := []int32{-1}
			err := kernels.StridedSlice(kernels.New(dst), data, spec)
			view, viewErr := kernels.SliceView(data, spec)
			at := new(big.Int).SetInt64(b.begin)
			if at.Sign() < 0 {
				at.Add(at, big.NewInt(int64(d)))
			}
			if at.Sign() < 0 || at.Cmp(big.NewInt(int64(d))) >= 0 {
				want := badIndex(fmt.Sprint(b.begin), 0, d)
				requireFailure(t, stridedSlice, want, err)
				requireFailure(t, stridedSlice, want, viewErr)
				return
			}
			require.NoError(t, err)
			require.NoError(t, viewErr)
			require.Equal(t, []int32{int32(at.Int64())}, dst)
			require.Equal(t, dst, read(view))
		})
	}
}
