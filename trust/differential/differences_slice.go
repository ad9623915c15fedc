package main

import (
	"bytes"
	"math"
	"reflect"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// instead reports whether the library has what lanes has of another slice, if other makes it
// another. Of updates of a slice it has to be an empty one.
func instead(other func(*kernels.SliceSpec) *reducer) func(*mismatch, int) bool {
	return func(m *mismatch, _ int) bool {
		c := *m.call
		var r *reducer
		switch c.Op {
		case calls.StridedSlice:
			r = other(&c.Spec)
		case calls.SliceScatter: // without the masks that change the rank
			s := &c.Spec
			s.NewAxisMask = make([]bool, len(s.Begin))
			s.ShrinkAxisMask, s.EllipsisMask = s.NewAxisMask, s.NewAxisMask
			r = other(s)
			shape, err := kernels.StridedSliceShape(c.Data.Shape, *s)
			if c.Updates = (calls.Tensor{Type: c.Updates.Type, Shape: shape}); err != nil || c.Updates.Count() > 0 {
				return false
			}
		case calls.Slice: // without masks
			s := &kernels.SliceSpec{Begin: c.Ranges.Starts, End: c.Ranges.Ends, Strides: c.Ranges.Steps}
			s.BeginMask, s.EndMask = make([]bool, len(s.Begin)), make([]bool, len(s.Begin))
			s.NewAxisMask, s.ShrinkAxisMask, s.EllipsisMask = s.BeginMask, s.BeginMask, s.BeginMask
			r = other(s)
			c.Ranges.Starts, c.Ranges.Ends, c.Ranges.Steps = s.Begin, s.End, s.Strides
		}
		if reflect.DeepEqual(&c, m.call) {
			return false
		}
		ours, err := c.Run()
		if err != nil || !slices.Equal(ours.Shape, m.theirs.result.Shape) {
			return false
		}
		if bytes.Equal(ours.Data, m.theirs.result.Data) {
			return true
		}
		for i := range ours.Count() {
			if t := c.Data.Type; isComplex(t) || !m.theirsIs(i, r.through(t, bitsAt(ours, i))) {
				return false
			}
		}
		return true
	}
}

// onnxruntimeEnd makes an end of INT32_MAX or INT64_MAX the end of the axis in the direction of the
// step.
func onnxruntimeEnd(s *kernels.SliceSpec) *reducer {
	s.End = slices.Clone(s.End)
	for i, end := range s.End {
		if s.Strides[i] < 0 && (end == math.MaxInt32 || end == math.MaxInt64) {
			s.End[i] = math.MinInt64
		}
	}
	return &reducer{works: own}
}

// openvinoBounds keeps 32 bits of each bound.
func openvinoBounds(s *kernels.SliceSpec) *reducer {
	cut := func(list []int64) []int64 {
		list = slices.Clone(list)
		for i, x := range list {
			list[i] = int64(int32(x))
		}
		return list
	}
	s.Begin, s.End = cut(s.Begin), cut(s.End)
	return openvino
}

// torchStrides has no element where a stride is so large that the distance and the stride overflow.
func torchStrides(s *kernels.SliceSpec) *reducer {
	s.Begin, s.End, s.BeginMask, s.EndMask = slices.Clone(s.Begin), slices.Clone(s.End), slices.Clone(s.BeginMask), slices.Clone(s.EndMask)
	for i, stride := range s.Strides {
		if stride > 1<<62 && !shrinks(s, i) {
			s.Begin[i], s.End[i], s.BeginMask[i], s.EndMask[i] = 0, 0, false, false
		}
	}
	return torch
}

// extremeBounds: PyTorch takes INT64_MIN for a symbol, and adds to bounds and strides.
func extremeBounds(m *mismatch, _ int) bool {
	for _, list := range [][]int64{m.call.Spec.Begin, m.call.Spec.End, m.call.Spec.Strides, m.call.Ranges.Starts, m.call.Ranges.Ends, m.call.Ranges.Steps} {
		if slices.ContainsFunc(list, func(x int64) bool { return x < -1<<62 || x >= 1<<62 }) {
			return true
		}
	}
	return false
}
