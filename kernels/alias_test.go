package kernels_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// A place is a view of a shared slice of 100 elements.
type place struct {
	offset  int
	strides []int
}

// TestNeighboursMayShareASlice: what counts is the interval that each view
// spans, not the slice. The shape is [2,3] throughout.
func TestNeighboursMayShareASlice(t *testing.T) { kernels.Ways(t, testNeighboursMayShareASlice) }

func testNeighboursMayShareASlice(t *testing.T) {
	row := []int{3, 1}
	for _, c := range []struct {
		name    string
		in, out place
		overlap bool
	}{
		{"right behind", place{10, row}, place{16, row}, false},
		{"right before", place{10, row}, place{4, row}, false},
		{"sharing the last", place{10, row}, place{15, row}, true},
		{"sharing the first", place{10, row}, place{5, row}, true},
		{"the same", place{10, row}, place{10, row}, true},
		{"reversed, right behind", place{10, row}, place{21, []int{-3, -1}}, false},
		{"reversed, sharing the last", place{10, row}, place{20, []int{-3, -1}}, true},
		{"reversed input, right before dst", place{15, []int{-3, -1}}, place{16, row}, false},
		{"reversed input, right behind dst", place{15, []int{-3, -1}}, place{4, row}, false},
		{"even and odd elements", place{10, []int{6, 2}}, place{11, []int{6, 2}}, true},
		{"even and odd rows", place{10, []int{6, 1}}, place{13, []int{6, 1}}, true},
		{"columns of one matrix", place{10, []int{10, 1}}, place{15, []int{10, 1}}, true},
		{"in a gap", place{10, []int{50, 1}}, place{30, row}, true},
		{"in a gap the other way", place{30, row}, place{10, []int{50, 1}}, true},
		{"strided, right behind", place{10, []int{6, 2}}, place{21, []int{6, 2}}, false},
		{"strided, on the last", place{10, []int{6, 2}}, place{20, []int{6, 2}}, true},
		{"one element as input, right before", place{10, []int{0, 0}}, place{11, row}, false},
		{"one element as input, inside", place{10, []int{0, 0}}, place{9, row}, true},
		{"broadcast row, right behind", place{10, []int{0, 1}}, place{13, row}, false},
		{"far apart", place{0, row}, place{94, row}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, op := range []string{gatherElements + "/data", gatherElements + "/indices", gatherND + "/data", gatherND + "/indices",
				gather + "/data", gather + "/indices",
				scatterND + "/indices", scatterND + "/updates", scatterND + "/data",
				scatter + "/indices", scatter + "/updates", scatter + "/data", stridedSlice + "/data", slice + "/data", sliceScatter + "/updates", sliceScatter + "/data",
				tensorScatter + "/updates", tensorScatter + "/data", take + "/data", compress + "/data"} {
				if name, input, _ := strings.Cut(op, "/"); updatesData(name) && input == "data" && c.name == "the same" {
					continue // in place
				}
				shared := make([]int64, 100) // 0 is an index for every axis
				in := kernels.Tensor[int64]{Data: shared, Shape: []int{2, 3}, Strides: c.in.strides, Offset: c.in.offset}
				out := kernels.Tensor[int64]{Data: shared, Shape: []int{2, 3}, Strides: c.out.strides, Offset: c.out.offset}
				data, indices := kernels.New(repeat(6, int64(7)), 2, 3), kernels.New(make([]int64, 6), 2, 3)
				tuples := in
				tuples.Shape, tuples.Strides = []int{2, 3, 1}, append(slices.Clone(in.Strides), 0)
				vector := kernels.New(repeat(2, int64(7)), 2)
				var err error
				switch op {
				case gatherElements + "/data":
					err = kernels.GatherElements(out, in, indices, 1)
				case gatherElements + "/indices":
					err = kernels.GatherElements(out, data, in, 1)
				case gatherND + "/data":
					err = kernels.GatherND(out, in, kernels.New([]int64{1, 0}, 2, 1), 0)
				case gatherND + "/indices":
					err = kernels.GatherND(out, vector, tuples, 0)
				case gather + "/data":
					err = kernels.Gather(out, in, kernels.New([]int64{1, 0}, 2), 0, 0)
				case gather + "/indices":
					err = kernels.Gather(out, vector, in, 0, 0)
				case scatterND + "/indices":
					err = kernels.ScatterNDUpdate(out, data, tuples, kernels.New(make([]int64, 18), 2, 3, 3), kernels.ScatterAttrs{})
				case scatterND + "/updates":
					err = kernels.ScatterNDUpdate(out, data, kernels.New([]int64{1, 0}, 2, 1), in, kernels.ScatterAttrs{})
				case scatterND + "/data":
					err = kernels.ScatterNDUpdate(out, in, kernels.New([]int64{1, 0}, 2, 1), data, kernels.ScatterAttrs{})
				case scatter + "/indices":
					err = kernels.ScatterElementsUpdate(out, data, in, data, 1, kernels.ScatterAttrs{})
				case scatter + "/updates":
					err = kernels.ScatterElementsUpdate(out, data, indices, in, 1, kernels.ScatterAttrs{})
				case scatter + "/data":
					err = kernels.ScatterElementsUpdate(out, in, indices, data, 1, kernels.ScatterAttrs{})
				case stridedSlice + "/data":
					err = kernels.StridedSlice(out, in, kernels.SliceSpec{})
				case slice + "/data":
					err = kernels.Slice(out, in, kernels.Ranges{})
				case tensorScatter + "/updates":
					err = kernels.TensorScatter(out, data, in, vector, 1, kernels.Circular)
				case tensorScatter + "/data":
					err = kernels.TensorScatter(out, in, data, vector, 1, kernels.Circular)
				case sliceScatter + "/updates":
					err = kernels.SliceScatter(out, data, in, kernels.SliceSpec{})
				case sliceScatter + "/data":
					err = kernels.SliceScatter(out, in, data, kernels.SliceSpec{})
				case take + "/data":
					err = kernels.Take(out, in, bools("11"))
				case compress + "/data":
					err = kernels.Compress(out, in, bools("111"), 1)
				}
				if !c.overlap {
					require.NoError(t, err, op)
					continue
				}
				name, input, _ := strings.Cut(op, "/")
				requireFailure(t, name, badOverlap(input), err)
				require.Equal(t, make([]int64, 100), shared, op)
			}
		})
	}
}

// TestResliceIsTheSameMemory: addresses count, not which slice names them.
func TestResliceIsTheSameMemory(t *testing.T) {
	whole := counting[float32](40)
	front, back, late := whole[:20:20], whole[20:], whole[19:]
	indices := kernels.New(make([]int64, 20), 20)
	require.NoError(t, kernels.GatherElements(kernels.New(back, 20), kernels.New(front, 20), indices, 0))
	require.Equal(t, make([]float32, 20), back)
	requireFailure(t, gatherElements, badOverlap("data"), kernels.GatherElements(kernels.New(late, 20), kernels.New(front, 20), indices, 0))
	// An offset into one slice is a start in another: this reaches 16…19.
	requireFailure(t, gatherElements, badOverlap("data"), kernels.GatherElements(
		kernels.Tensor[float32]{Data: whole, Shape: []int{4}, Offset: 16}, kernels.New(late, 20), kernels.New(make([]int64, 4), 4), 0))
}

// TestInPlace spells the same memory in every way there is.
func TestInPlace(t *testing.T) { kernels.Ways(t, testInPlace) }

func testInPlace(t *testing.T) {
	want := []int32{0, 1, 32, 14, 24, 5}
	indices := kernels.New([]int16{1, -1, 0}, 1, 3)
	updates := kernels.New([]int32{11, 20, 30}, 1, 3)
	for name, pair := range map[string]func(s []int32) (dst, data kernels.Tensor[int32]){
		"the same Tensor": func(s []int32) (_, _ kernels.Tensor[int32]) {
			v := kernels.New(s[3:9], 2, 3)
			return v, v
		},
		"offset and reslice": func(s []int32) (_, _ kernels.Tensor[int32]) {
			return kernels.Tensor[int32]{Data: s, Shape: []int{2, 3}, Offset: 3}, kernels.New(s[3:9], 2, 3)
		},
		"strides written out and left out": func(s []int32) (_, _ kernels.Tensor[int32]) {
			return kernels.Tensor[int32]{Data: s[3:], Shape: []int{2, 3}, Strides: []int{3, 1}}, kernels.New(s[3:9], 2, 3)
		},
		"no strides and nil": func(s []int32) (_, _ kernels.Tensor[int32]) {
			return kernels.New(s[3:9], 2, 3), kernels.Tensor[int32]{Data: s[1:], Shape: []int{2, 3}, Strides: []int{}, Offset: 2}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := []int32{-1, -1, -1, 0, 1, 2, 3, 4, 5, -1, -1}
			dst, data := pair(s)
			require.NoError(t, kernels.ScatterElementsUpdate(dst, data, indices, updates, 0, kernels.ScatterAttrs{Reduction: sum}))
			require.Equal(t, []int32{-1, -1, -1}, s[:3])
			require.Equal(t, want, s[3:9])
			require.Equal(t, []int32{-1, -1}, s[9:])
		})
	}
	for _, l := range layouts([]int{2, 3}) {
		v := lay(counting[int32](6), []int{2, 3}, l.strides)
		require.NoError(t, kernels.ScatterNDUpdate(v, v, kernels.New([]int16{1, -1, 0, 2, -1, 2}, 3, 2), kernels.New([]int32{11, 20, 30}, 3), kernels.ScatterAttrs{Reduction: sub}), l.name)
		require.Equal(t, []int32{0, 1, 2 - 20, 3, 4, 5 - 11 - 30}, read(v), l.name)
		requireFrame(t, v, l.name)
		require.NoError(t, kernels.SliceScatter(v, v, kernels.New([]int32{7, 8}, 2), kernels.SliceSpec{
			Begin: []int64{1, 2}, End: []int64{0, 0}, Strides: []int64{1, -2}, EndMask: mask("0,1"), ShrinkAxisMask: mask("1")}), l.name)
		require.Equal(t, []int32{0, 1, 2 - 20, 8, 4, 7}, read(v), l.name)
		requireFrame(t, v, l.name)
		require.NoError(t, kernels.TensorScatter(v, v, kernels.New([]int32{-1, -2, -3, -4}, 2, 2), kernels.New([]uint8{255, 0}, 2), 1, kernels.Circular), l.name)
		require.Equal(t, []int32{-1, -2, 2 - 20, -3, -4, 7}, read(v), l.name)
		requireFrame(t, v, l.name)
	}
	// Axes of size 1 have no stride to speak of.
	s := counting[int32](3)
	require.NoError(t, kernels.ScatterElementsUpdate(
		kernels.Tensor[int32]{Data: s, Shape: []int{1, 3, 1}, Strides: []int{100, 1, -7}}, kernels.New(s, 1, 3, 1),
		kernels.New([]uint8{2, 2}, 1, 2, 1), kernels.New([]int32{5, 6}, 1, 2, 1), 1, kernels.ScatterAttrs{Reduction: sum}))
	require.Equal(t, []int32{0, 1, 13}, s)
	// In place through views of every layout.
	for _, l := range layouts([]int{2, 3}) {
		v := lay(counting[int32](6), []int{2, 3}, l.strides)
		require.NoError(t, kernels.ScatterElementsUpdate(v, v, indices, updates, 0, kernels.ScatterAttrs{Reduction: sum}), l.name)
		require.Equal(t, want, read(v), l.name)
		requireFrame(t, v, l.name)
	}
}

// TestEmptyAndZeroSizedNeverOverlap: what reaches no memory shares none.
func TestEmptyAndZeroSizedNeverOverlap(t *testing.T) {
	kernels.Ways(t, testEmptyAndZeroSizedNeverOverlap)
}

func testEmptyAndZeroSizedNeverOverlap(t *testing.T) {
	s := counting[int64](10)
	whole, empty := kernels.New(s, 2, 5), kernels.New(s, 0, 5)
	require.NoError(t, kernels.GatherElements(empty, whole, kernels.New(s[:0], 0, 5), 0))
	require.NoError(t, kernels.GatherElements(empty, empty, empty, 0))
	require.NoError(t, kernels.GatherND(empty, empty, kernels.New(s, 0, 1), 0))
	require.NoError(t, kernels.Gather(empty, empty, kernels.New(s[:0], 0), 0, 0))
	require.NoError(t, kernels.StridedSlice(empty, whole, kernels.SliceSpec{Begin: []int64{0}, End: []int64{0}}))
	require.NoError(t, kernels.StridedSlice(kernels.Tensor[int64]{Data: s, Shape: []int{0, 5}, Strides: []int{0, 0}}, whole, kernels.SliceSpec{Begin: []int64{2}, End: []int64{0}}))
	// Empty indices and updates over dst's own memory.
	require.NoError(t, kernels.ScatterElementsUpdate(whole, whole, empty, empty, 0, kernels.ScatterAttrs{Reduction: sum}))
	require.NoError(t, kernels.ScatterElementsUpdate(empty, empty, empty, empty, 0, kernels.ScatterAttrs{}))
	require.NoError(t, kernels.ScatterNDUpdate(whole, whole, kernels.New(s[:0], 0, 1), empty, kernels.ScatterAttrs{Reduction: sub}))
	require.NoError(t, kernels.ScatterNDUpdate(empty, empty, kernels.New(s[:0], 0, 1), empty, kernels.ScatterAttrs{}))
	require.NoError(t, kernels.SliceScatter(whole, whole, empty, kernels.SliceSpec{Begin: []int64{2}, End: []int64{2}}))
	require.NoError(t, kernels.SliceScatter(empty, empty, empty, kernels.SliceSpec{}))
	require.NoError(t, kernels.TensorScatter(whole, whole, kernels.New(s[:0], 2, 0), kernels.New([]int8{5, 0}, 2), 1, kernels.Linear))
	require.NoError(t, kernels.TensorScatter(empty, empty, empty, kernels.New([]int8{}, 0), 1, kernels.Linear))
	none := kernels.New(s, 2, 0)
	require.NoError(t, kernels.TensorScatter(none, none, none, kernels.New([]uint64{math.MaxUint64, 0}, 2), 1, kernels.Circular))
	require.NoError(t, kernels.TensorScatter(none, none, none, kernels.Tensor[int]{}, 1, kernels.Linear))
	require.Equal(t, counting[int64](10), s)

	units := make([]unit, 4)
	u, x := kernels.New(units, 4), kernels.New([]int8{3, -4, 0, 0}, 4)
	require.NoError(t, kernels.GatherElements(u, u, x, 0))
	require.NoError(t, kernels.GatherND(u, u, kernels.New(x.Data, 4, 1), 0))
	require.NoError(t, kernels.Gather(u, u, x, 0, 0))
	require.NoError(t, kernels.Gather(kernels.New(units), u, kernels.New([]int8{-4}), 0, 0))
	require.NoError(t, kernels.ScatterElementsUpdate(u, u, x, u, 0, kernels.ScatterAttrs{}))
	require.NoError(t, kernels.ScatterNDUpdate(u, u, kernels.New(x.Data, 4, 1), u, kernels.ScatterAttrs{}))
	require.NoError(t, kernels.SliceScatter(u, u, u, kernels.SliceSpec{}))
	require.NoError(t, kernels.TensorScatter(kernels.New(units, 2, 2), kernels.New(units, 2, 2), kernels.New(units, 2, 1), kernels.New([]int8{1, 0}, 2), 1, kernels.Linear))
	require.NoError(t, kernels.StridedSlice(u, u, kernels.SliceSpec{Begin: []int64{0}, End: []int64{0}, Strides: []int64{-1}, BeginMask: mask("1"), EndMask: mask("1")}))
}

// TestInputsMayShareMemory: only dst is written, so inputs may lie on one another.
func TestInputsMayShareMemory(t *testing.T) { kernels.Ways(t, testInputsMayShareMemory) }

func testInputsMayShareMemory(t *testing.T) {
	s := []int64{2, 0, 1}
	v, dst := kernels.New(s, 3), kernels.New(make([]int64, 3), 3)
	require.NoError(t, kernels.GatherElements(dst, v, v, 0))
	require.Equal(t, []int64{1, 2, 0}, dst.Data)
	require.NoError(t, kernels.GatherND(dst, v, kernels.New(s, 3, 1), 0))
	require.Equal(t, []int64{1, 2, 0}, dst.Data)
	require.NoError(t, kernels.Gather(dst, v, v, 0, 0))
	require.Equal(t, []int64{1, 2, 0}, dst.Data)
	require.NoError(t, kernels.ScatterElementsUpdate(dst, v, v, v, 0, kernels.ScatterAttrs{Reduction: sum}))
	require.Equal(t, []int64{2 + 0, 0 + 1, 1 + 2}, dst.Data)
	require.NoError(t, kernels.ScatterNDUpdate(dst, v, kernels.New(s, 3, 1), v, kernels.ScatterAttrs{Reduction: sub}))
	require.Equal(t, []int64{2 - 0, 0 - 1, 1 - 2}, dst.Data)
	require.NoError(t, kernels.SliceScatter(dst, v, kernels.New(s[1:2], 1), kernels.SliceSpec{Begin: []int64{2}, End: []int64{3}}))
	require.Equal(t, []int64{2, 0, 0}, dst.Data)
	require.Equal(t, []int64{2, 0, 1}, s)
	shared := kernels.New([]float32{1, 2, 3, 4}, 2, 2)
	require.NoError(t, kernels.ScatterElementsUpdate(shared, shared, kernels.New([]int32{}, 0, 2), kernels.New(shared.Data[:0], 0, 2), 0, kernels.ScatterAttrs{}))
	require.Equal(t, []float32{1, 2, 3, 4}, shared.Data)
}

// TestTransposedIsNotInPlace: a view of dst with other strides, also one that begins where dst
// does, is not dst.
func TestTransposedIsNotInPlace(t *testing.T) {
	memory := make([]float32, 16)
	rows := kernels.New(memory, 4, 4)
	columns := kernels.Tensor[float32]{Data: memory, Shape: []int{4, 4}, Strides: []int{1, 4}}
	for _, c := range []struct{ dst, data kernels.Tensor[float32] }{{rows, columns}, {columns, rows}} {
		var overlap *kernels.OverlapError
		err := kernels.ScatterElementsUpdate(c.dst, c.data, zeros[int64](4, 4), zeros[float32](4, 4), 0, kernels.ScatterAttrs{})
		require.ErrorAs(t, err, &overlap)
		require.Equal(t, "data", overlap.Tensor)
		dims := kernels.ScatterDims{InsertedWindowDims: []int{0, 1}, ScatterDimsToOperandDims: []int{0, 1}, IndexVectorDim: 1}
		require.ErrorAs(t, kernels.GeneralScatter(c.dst, c.data, zeros[int64](1, 2), zeros[float32](1), dims, kernels.ScatterAttrs{}), &overlap)
		require.Equal(t, "input", overlap.Tensor)
	}
}

// TestListsInDst: a dst that has a shape, strides or dimension numbers of the call in its memory is
// an error. The call would read them after it has written there, and check indices by numbers that
// it moved.
func TestListsInDst(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		memory := func(values ...int) []int { return append(values, make([]int, 8-len(values))...)[:8:8] }
		overlap := func(err error, list string) {
			t.Helper()
			var o *kernels.OverlapError
			require.ErrorAs(t, err, &o)
			require.Equal(t, list, o.Tensor)
			require.ErrorContains(t, err, "dst shares memory with "+list)
		}
		many := func(n int) []int { return slices.Repeat([]int{1000}, n) }

		m := memory(2, 2)
		overlap(kernels.GatherND(kernels.New(m, 8), kernels.New(many(4), m[:2]...), kernels.New([]int64{0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 500, 0, 0, 0, 0, 0}, 8, 2), 0), "data.Shape")
		m = memory(4, 2)
		overlap(kernels.GatherElements(kernels.New(m[:4], 4), kernels.Tensor[int]{Data: many(2), Shape: m[1:2]}, kernels.New([]int64{0, 0, 0, 5}, 4), 0), "data.Shape")
		overlap(kernels.GatherElements(kernels.New(m[:4], 4), kernels.New(many(2), 2), kernels.Tensor[int64]{Data: []int64{0, 0, 0, 5}, Shape: m[:1]}, 0), "indices.Shape")
		m = memory(4, 2, 1)
		overlap(kernels.Gather(kernels.New(m[:4], 4), kernels.Tensor[int]{Data: many(4), Shape: []int{2}, Strides: m[1:2]}, kernels.New([]int64{0, 0, 0, 5}, 4), 0, 0), "data.Strides")
		for _, attrs := range []kernels.ScatterAttrs{{}, {Reduction: kernels.Sum}} {
			m = memory(4)
			overlap(kernels.ScatterNDUpdate(kernels.Tensor[int]{Data: m[:4], Shape: m[:1]}, kernels.New([]int{1000, 1, 2, 3}, 4), kernels.New([]int64{500}, 1, 1), kernels.New([]int{7}, 1), attrs), "dst.Shape")
			overlap(kernels.ScatterNDUpdate(kernels.New(m[:4], 4), kernels.Tensor[int]{Data: []int{1000, 1, 2, 3}, Shape: m[:1]}, kernels.New([]int64{500}, 1, 1), kernels.New([]int{7}, 1), attrs), "data.Shape")
			m = memory(4, 0, 1)
			overlap(kernels.ScatterElementsUpdate(kernels.New(m[:4], 4), kernels.New(many(4), 4), kernels.New([]int64{0}, 1), kernels.Tensor[int]{Data: []int{7}, Shape: m[2:3]}, 0, attrs), "updates.Shape")
		}
		m = memory(2, 2)
		overlap(kernels.GeneralScatter(kernels.New(m[:4], 2, 2), kernels.Tensor[int]{Data: many(4), Shape: m[:2]}, kernels.New([]int64{500, 0}, 1, 2), kernels.New([]int{7}, 1),
			kernels.ScatterDims{InsertedWindowDims: []int{0, 1}, ScatterDimsToOperandDims: []int{0, 1}, IndexVectorDim: 1}, kernels.ScatterAttrs{}), "input.Shape")
		overlap(kernels.GeneralGather(kernels.New(m[:1], 1), kernels.Tensor[int]{Data: many(4), Shape: m[:2]}, kernels.New([]int64{500, 0}, 1, 2),
			kernels.GatherDims{CollapsedSliceDims: []int{0, 1}, StartIndexMap: []int{0, 1}, IndexVectorDim: 1, SliceSizes: []int{1, 1}}, kernels.Indices(kernels.IndexPolicy{})), "operand.Shape")
		m = memory(1, 1, 2)
		overlap(kernels.TensorScatter(kernels.New(m[:4], 1, 2, 2), kernels.New([]int{1, 1, 1 << 20, 0}, 1, 2, 2), kernels.Tensor[int]{Data: []int{7, 7}, Shape: m[:3]}, kernels.Tensor[int64]{}, 1, kernels.Linear), "updates.Shape")
		m = memory(2, 2)
		overlap(kernels.SliceScatter(kernels.New(m[:6], 2, 3), kernels.New(many(6), 2, 3), kernels.Tensor[int]{Data: many(4), Shape: m[:2]}, kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{2, 2}}), "updates.Shape")
		m = memory(2, 2)
		overlap(kernels.Slice(kernels.New(m[:4], 2, 2), kernels.Tensor[int]{Data: many(4), Shape: m[:2]}, kernels.Ranges{}), "data.Shape")

		zero := make([]int, 8) // dimension numbers
		gather := func(list func(*kernels.GatherDims)) error {
			dims := kernels.GatherDims{CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1}}
			list(&dims)
			return kernels.GeneralGather(kernels.New(zero[:2], 2), kernels.New(many(4), 4), kernels.New([]int64{1, 2}, 2, 1), dims)
		}
		one := []int{1, 0}
		for name, list := range map[string]func(*kernels.GatherDims){
			"collapsed_slice_dims": func(d *kernels.GatherDims) { d.CollapsedSliceDims = zero[1:2] },
			"start_index_map":      func(d *kernels.GatherDims) { d.StartIndexMap = zero[:1] },
		} {
			requireFailure(t, "GeneralGather", &kernels.AttributeError{Attribute: name, Value: "[0]", Reason: "it lies in the memory of dst"}, gather(list))
		}
		err := kernels.GeneralGather(kernels.New(one, 2), kernels.New(many(4), 4), kernels.New([]int64{1, 2}, 2, 1),
			kernels.GatherDims{CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: one[:1]})
		requireFailure(t, "GeneralGather", &kernels.AttributeError{Attribute: "slice_sizes", Value: "[1]", Reason: "it lies in the memory of dst"}, err)
		err = kernels.GeneralScatter(kernels.New(zero[:4], 4), kernels.New(many(4), 4), kernels.New([]int64{1}, 1, 1), kernels.New([]int{7}, 1),
			kernels.ScatterDims{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: zero[:1], IndexVectorDim: 1}, kernels.ScatterAttrs{})
		requireFailure(t, "GeneralScatter", &kernels.AttributeError{Attribute: "scatter_dims_to_operand_dims", Value: "[0]", Reason: "it lies in the memory of dst"}, err)

		m = memory(4) // beside what dst reaches, or of length 0, or not written, they may
		require.NoError(t, kernels.GatherElements(kernels.New(m[1:5], 4), kernels.New(many(4), m[:1]...), kernels.New([]int64{0, 0, 0, 3}, 4), 0))
		require.NoError(t, kernels.Gather(kernels.New(m[:3], 3), kernels.New(many(6), 2, 3), kernels.Tensor[int64]{Data: []int64{1}, Shape: m[1:1]}, 0, 0))
	})
}

// TestListsInBytesOfDst: a list may lie in a dst of bytes, too, that a tensor of ints is read as.
func TestListsInBytesOfDst(t *testing.T) {
	bytes := func(ints ...int) kernels.Raw {
		raw, err := kernels.RawOf(kernels.New(ints, len(ints)))
		require.NoError(t, err)
		return kernels.Raw{Type: kernels.DTypeUint8, Data: raw.Data, Shape: []int{len(raw.Data)}}
	}
	overlap := func(err error, list string) {
		t.Helper()
		var o *kernels.OverlapError
		require.ErrorAs(t, err, &o)
		require.Equal(t, list, o.Tensor)
	}
	memory := make([]int, 1024)
	memory[0] = len(bytes(0, 0).Data)
	dst := bytes(memory...)
	dst.Data, dst.Shape = dst.Data[:memory[0]:memory[0]], memory[:1]
	index, err := kernels.RawOf(kernels.New([]int64{1000}, 1, 1))
	require.NoError(t, err)
	update := kernels.Raw{Type: kernels.DTypeUint8, Data: []byte{7}, Shape: []int{1}}
	overlap(kernels.ScatterNDUpdateRaw(dst, bytes(1<<20, 0), index, update, kernels.ScatterAttrs{}), "dst.Shape")
	require.Equal(t, make([]int, 1022), memory[2:], "written behind dst")

	shape := []int{2, 8}
	dst = bytes(shape...)
	dst.Shape = []int{2, len(dst.Data) / 2}
	shape[1] = len(dst.Data) / 2
	indices := make([]int8, 32)
	indices[7] = 99 // a bad one, whose position would be looked for by what was written to shape
	x, err := kernels.RawOf(kernels.New(indices, 32))
	require.NoError(t, err)
	x.Shape, x.Strides = shape, []int{1, 2}
	data := kernels.Raw{Type: kernels.DTypeUint8, Data: slices.Repeat([]byte{1}, 32), Shape: []int{2, 16}}
	overlap(kernels.GatherElementsRaw(dst, data, x, 1), "indices.Shape")
}
