package kernels_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

const (
	compress = "Compress"
	take     = "Take"
)

func compressed[T any](name string, data kernels.Tensor[T], condition kernels.Tensor[bool], axis int, shape []int, want ...T) golden[T] {
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.CompressShape(data.Shape, condition, axis) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.Compress(dst, data, condition, axis, opts...)
		},
		func(dst []T, v generic.View) error {
			generic.Compress(dst, v, data.Data, viewOf(data), condition.Data, viewOf(condition), axis)
			return nil
		}}
}

func taken[T any](name string, data kernels.Tensor[T], mask kernels.Tensor[bool], shape []int, want ...T) golden[T] {
	return golden[T]{name, shape, want,
		func() ([]int, error) { return kernels.TakeShape(data.Shape, mask) },
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.Take(dst, data, mask, opts...)
		},
		func(dst []T, v generic.View) error {
			generic.Take(dst, v, data.Data, viewOf(data), mask.Data, viewOf(mask))
			return nil
		}}
}

// digits reads bools: 1 is true.
func digits(s string) (out []bool) {
	for _, digit := range s {
		out = append(out, digit == '1')
	}
	return out
}

func bools(s string, shape ...int) kernels.Tensor[bool] {
	if len(shape) == 0 {
		shape = []int{len(s)}
	}
	return kernels.New(digits(s), shape...)
}

func TestMasks(t *testing.T) { kernels.Ways(t, testMasks) }

func testMasks(t *testing.T) {
	pairs := kernels.New([]float32{1, 2, 3, 4, 5, 6}, 3, 2)
	cube := kernels.New(counting[int16](12), 2, 3, 2)
	words := kernels.New([]string{"a", "b", "c", "d"}, 2, 2)
	runGolden(t, []golden[float32]{
		compressed("ONNX axis 0", pairs, bools("011"), 0, []int{2, 2}, 3, 4, 5, 6),
		compressed("ONNX axis 1", pairs, bools("01"), 1, []int{3, 1}, 2, 4, 6),
		compressed("ONNX flattened", pairs, bools("01001"), kernels.Flattened, []int{2}, 2, 5),
		compressed("ONNX negative axis", pairs, bools("01"), -1, []int{3, 1}, 2, 4, 6),
		compressed("a shorter condition", pairs, bools("1"), 0, []int{1, 2}, 1, 2),
		compressed("an empty condition", pairs, kernels.New([]bool{}, 0), 0, []int{0, 2}),
		compressed("nothing true", pairs, bools("00"), 1, []int{3, 0}),
		compressed("all of it", pairs, bools("111"), 0, []int{3, 2}, 1, 2, 3, 4, 5, 6),
		compressed("a transposed view, flattened",
			kernels.Tensor[float32]{Data: pairs.Data, Shape: []int{2, 3}, Strides: []int{1, 2}}, bools("0111"), kernels.Flattened, []int{3}, 3, 5, 2),
		compressed("a condition reversed",
			pairs, kernels.Tensor[bool]{Data: digits("011"), Shape: []int{3}, Strides: []int{-1}, Offset: 2}, 0, []int{2, 2}, 1, 2, 3, 4),
		compressed("one element as condition", pairs, kernels.Tensor[bool]{Data: digits("1"), Shape: []int{3}, Strides: []int{0}}, 0, []int{3, 2}, 1, 2, 3, 4, 5, 6),
		taken("NumPy data[mask]", pairs, bools("100110", 3, 2), []int{3}, 1, 4, 5),
		taken("rows", pairs, bools("101"), []int{2, 2}, 1, 2, 5, 6),
		taken("a mask of rank 0, true", pairs, kernels.New([]bool{true}), []int{1, 3, 2}, 1, 2, 3, 4, 5, 6),
		taken("a mask of rank 0, false", pairs, kernels.New([]bool{false}), []int{0, 3, 2}),
		taken("a scalar", kernels.New([]float32{7}), kernels.New([]bool{true}), []int{1}, 7),
	})
	runGolden(t, []golden[int16]{
		compressed("a middle axis", cube, bools("101"), 1, []int{2, 2, 2}, 0, 1, 4, 5, 6, 7, 10, 11),
		taken("two leading axes", cube, bools("010110", 2, 3), []int{3, 2}, 2, 3, 6, 7, 8, 9),
		taken("a transposed mask", cube, kernels.Tensor[bool]{Data: digits("010110"), Shape: []int{2, 3}, Strides: []int{1, 2}}, []int{3, 2}, 4, 5, 6, 7, 8, 9),
	})
	runGolden(t, []golden[string]{
		compressed("strings", words, bools("01"), 1, []int{2, 1}, "b", "d"),
		taken("strings", words, bools("0110", 2, 2), []int{2}, "b", "c"),
	})
}

// TestMaskBytes: any byte but 0 is true, to the count as to the copy.
func TestMaskBytes(t *testing.T) {
	for _, n := range []int{5, 100, 1000} {
		bytes, want := make([]byte, n), []int32(nil)
		for i := range bytes {
			if bytes[i] = byte(i * i / 3); bytes[i] != 0 {
				want = append(want, int32(i))
			}
		}
		mask := kernels.New(unsafe.Slice((*bool)(unsafe.Pointer(&bytes[0])), n), n)
		shape, err := kernels.TakeShape([]int{n}, mask)
		require.NoError(t, err)
		require.Equal(t, []int{len(want)}, shape)
		dst := kernels.New(make([]int32, len(want)), shape...)
		require.NoError(t, kernels.Take(dst, kernels.New(counting[int32](n), n), mask))
		require.Equal(t, want, dst.Data)
	}
}

// A badMask bends a call of Compress or Take that is right: data [3,4], a mask
// [3] with two true, axis 0, dst [2,4].
type badMask struct {
	name            string
	op              string // both if empty
	dst, data, mask arg
	axis            int
	want            error
	shapes          bool // the shape function must find it too
}

func TestBadMasks(t *testing.T) {
	of := func(dims ...int) arg { return arg{shape: dims} }
	dst, data, mask := of(2, 4), of(3, 4), of(3)
	rows := []badMask{
		{"data of rank 0", compress, dst, of(), mask, 0, badShape("data"), true},
		{"a negative dimension of data", "", dst, of(3, -1), mask, 0, badShape("data"), true},
		{"too many elements", "", dst, of(3, math.MaxInt), mask, 0, badShape("data"), true},
		{"a negative dimension of the mask", "", dst, data, of(-3), 0, badShape("mask"), true},
		{"a mask without data", "", dst, data, arg{shape: []int{3}, dataLen: -1}, 0, badShape("mask"), true},
		{"a mask that reaches outside", "", dst, data, arg{shape: []int{3}, strides: []int{2}, dataLen: 4}, 0, badShape("mask"), true},
		{"a mask that begins outside", "", dst, data, arg{shape: []int{3}, offset: -1, dataLen: 4}, 0, badShape("mask"), true},
		{"a mask with strides for two axes", "", dst, data, arg{shape: []int{3}, strides: []int{3, 1}, dataLen: 9}, 0, badShape("mask"), true},
		{"a stride that overflows", "", dst, data, arg{shape: []int{3}, strides: []int{math.MaxInt}}, 0, badShape("mask"), true},
		{"a condition of rank 2", compress, dst, data, of(3, 1), 0, badShape("mask"), true},
		{"a condition of rank 0", compress, dst, data, of(), 0, badShape("mask"), true},
		{"a condition longer than the axis", compress, dst, data, of(4), 0, badShape("mask"), true},
		{"a condition longer than data", compress, of(2), data, of(13), kernels.Flattened, badShape("mask"), true},
		{"a shorter mask", take, dst, data, of(2), 0, badShape("mask"), true},
		{"a longer mask", take, dst, data, of(4), 0, badShape("mask"), true},
		{"a mask of higher rank", take, of(2), data, of(3, 4, 1), 0, badShape("mask"), true},
		{"axis r", compress, dst, data, mask, 2, badAttribute("axis", "2"), true},
		{"axis -r-1", compress, dst, data, mask, -3, badAttribute("axis", "-3"), true},
		{"the largest axis", compress, dst, data, mask, math.MaxInt, badAttribute("axis", ""), true},
		{"the smallest axis and 1, which is not Flattened", compress, dst, data, mask, math.MinInt + 1, badAttribute("axis", ""), true},
		{"a dst that is too short", "", of(1, 4), data, mask, 0, badShape("dst"), false},
		{"a dst that is too long", "", of(3, 4), data, mask, 0, badShape("dst"), false},
		{"a dst for axis 1", compress, of(3, 2), data, mask, 0, badShape("dst"), false},
		{"a dst for Flattened", compress, of(2), data, mask, 0, badShape("dst"), false},
		{"a dst of rank 2 for Flattened", compress, dst, data, mask, kernels.Flattened, badShape("dst"), false},
		{"a dst for all axes", take, of(2), data, mask, 0, badShape("dst"), false},
		{"a dst that reaches outside", "", arg{shape: []int{2, 4}, dataLen: 7}, data, mask, 0, badShape("dst"), false},
		{"a dst with elements twice", "", arg{shape: []int{2, 4}, strides: []int{1, 1}, dataLen: 9}, data, mask, 0, badOverlap("dst"), false},
		{"a dst in data", "", arg{shape: []int{2, 4}, in: "data"}, data, mask, 0, badOverlap("data"), false},
		{"a dst in the mask", "", arg{shape: []int{2, 4}, in: "mask"}, data, arg{shape: []int{3}, dataLen: 20}, 0, badOverlap("mask"), false},
		{"data that reaches outside", "", dst, arg{shape: []int{3, 4}, dataLen: 11}, mask, 0, badShape("data"), false},
		{"data with one stride", "", dst, arg{shape: []int{3, 4}, strides: []int{4}}, mask, 0, badShape("data"), false},
	}
	count := 0
	for _, row := range rows {
		for _, op := range []string{compress, take} {
			if row.op == "" || row.op == op {
				t.Run(op+"/"+row.name, func(t *testing.T) {
					failMask(t, op, row, func(i int) float64 { return float64(i) })
					failMask(t, op, row, func(i int) string { return fmt.Sprint(i) })
					failMask(t, op, row, func(i int) bool { return i%2 == 0 })
				})
				count++
			}
		}
	}
	require.GreaterOrEqual(t, count, 45)
}

func failMask[T any](t *testing.T, op string, row badMask, of func(i int) T) {
	out, data := fencedOf(row.dst, of), fencedOf(row.data, of)
	chosen := fencedOf(row.mask, func(i int) bool { return i-fence == 0 || i-fence == 2 })
	dst, d, m := out.tensor(row.dst), data.tensor(row.data), chosen.tensor(row.mask)
	switch row.dst.in {
	case "data":
		dst.Data = d.Data
	case "mask":
		shared, same := any(m.Data).([]T)
		if !same {
			return
		}
		dst.Data = shared
	}
	want := row.want
	renamed := func(s string) string {
		if s == "mask" && op == compress {
			return "condition"
		}
		return s
	}
	switch w := want.(type) {
	case *kernels.ShapeError:
		want = badShape(renamed(w.Tensor))
	case *kernels.OverlapError:
		want = badOverlap(renamed(w.Tensor))
	}
	call := func() error { return kernels.Compress(dst, d, m, row.axis) }
	shape := func() error { _, err := kernels.CompressShape(row.data.shape, m, row.axis); return err }
	if op == take {
		call = func() error { return kernels.Take(dst, d, m) }
		shape = func() error { _, err := kernels.TakeShape(row.data.shape, m); return err }
	}
	for range 2 { // and nothing is left behind by the first
		requireFailure(t, op, want, noPanic(call))
		out.requireUnchanged(t, "dst")
		data.requireUnchanged(t, "data")
		chosen.requireUnchanged(t, "mask")
	}
	if err := noPanic(shape); row.shapes {
		requireFailure(t, op, want, err)
	} else {
		require.NoError(t, err)
	}
}

// TestMasksOfABroadcastAxis: a condition that ends early is work for its own
// length alone, however many elements data is said to have.
func TestMasksOfABroadcastAxis(t *testing.T) {
	data := kernels.Tensor[int8]{Data: []int8{1, 2, 3}, Shape: []int{2, math.MaxInt32 * (math.MaxInt >> 62), 3}, Strides: []int{0, 0, 1}}
	if math.MaxInt == math.MaxInt32 {
		data.Shape[1] = math.MaxInt32 / 8
	}
	dst := kernels.New(make([]int8, 3), 3)
	require.NoError(t, kernels.Compress(dst, data, bools("01011"), kernels.Flattened))
	require.Equal(t, []int8{2, 1, 2}, dst.Data)
	// Nor does an axis of size 0 make the others matter.
	empty := kernels.Tensor[int8]{Shape: []int{math.MaxInt / 2, 2, 0}}
	require.NoError(t, kernels.Take(kernels.New([]int8{}, 0), empty, kernels.Tensor[bool]{Shape: empty.Shape}))
}

// TestMasksByWorkers: what each goroutine writes begins where the one before it ends.
func TestMasksByWorkers(t *testing.T) {
	const n = 1 << 20
	data := counting[uint32](n)
	for name, on := range map[string]func(i int) bool{
		"half":           func(i int) bool { return uint32(i)*2654435761>>16&1 != 0 },
		"few":            func(i int) bool { return i%1000 == 999 },
		"at one end":     func(i int) bool { return i > n-1000 },
		"all but a part": func(i int) bool { return i < n/3 || i > n/2 },
	} {
		t.Run(name, func(t *testing.T) {
			mask := make([]bool, n)
			var want []uint32
			for i := range mask {
				if mask[i] = on(i); mask[i] {
					want = append(want, data[i])
				}
			}
			for _, workers := range []int{1, 2, 3, 8, 64} {
				dst := make([]uint32, len(want))
				require.NoError(t, kernels.Take(kernels.New(dst, len(dst)), kernels.New(data, n), kernels.New(mask, n), kernels.Workers(workers)))
				require.True(t, slices.Equal(want, dst), "%d workers", workers)
				clear(dst)
				require.NoError(t, kernels.Compress(kernels.New(dst, len(dst)), kernels.New(data, n), kernels.New(mask, n), kernels.Flattened, kernels.Executor(workers, backwards)))
				require.True(t, slices.Equal(want, dst), "an executor with %d workers", workers)
			}
			// Rows of 64, of which some are chosen.
			rows := mask[:n/64]
			want = nil
			for i, chosen := range rows {
				if chosen {
					want = append(want, data[64*i:64*i+64]...)
				}
			}
			for _, workers := range []int{1, 2, 8} {
				dst := make([]uint32, len(want))
				require.NoError(t, kernels.Compress(kernels.New(dst, len(dst)/64, 64), kernels.New(data, n/64, 64), kernels.New(rows, n/64), 0, kernels.Workers(workers)))
				require.True(t, slices.Equal(want, dst), "rows, %d workers", workers)
			}
		})
	}
}

// TestTakeNothingFirst: parts of a mask that choose nothing write nothing, before
// the first that chooses something either.
func TestTakeNothingFirst(t *testing.T) {
	kernels.CutSmall(t)
	const rows, cols = 64, 15
	data := kernels.New(make([]int32, rows*2*cols), rows, 2*cols)
	mask := kernels.New(make([]bool, rows*2*cols), rows, 2*cols)
	mask.Shape[1], data.Shape[1] = cols, cols // every other run of a row, so that rows stay loops of their own
	mask.Strides, data.Strides = []int{2 * cols, 1}, []int{2 * cols, 1}
	var want []int32
	for i := range rows {
		for j := range cols {
			at := 2*cols*i + j
			data.Data[at] = int32(at)
			if mask.Data[at] = i >= rows/2; mask.Data[at] {
				want = append(want, data.Data[at])
			}
		}
	}
	for range 300 {
		dst := kernels.New(make([]int32, len(want)), len(want))
		require.NoError(t, kernels.Take(dst, data, mask, kernels.Workers(4)))
		require.Equal(t, want, dst.Data)
	}
}
