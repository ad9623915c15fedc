package main

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// slice makes groups of StridedSlices with the same masks. In half of them
// there are no masks but those of begin and end, as in ONNX's Slice; in half,
// the strides are positive, as in PyTorch.
func (r *random) slice() func() calls.Call {
	rank, typ := r.rank(), pick(r, calls.Types...)
	masks, consumed := r.masks(rank)
	forward := r.oneIn(2)
	return func() calls.Call {
		c := calls.Call{Op: calls.StridedSlice, Spec: masks, Data: r.tensor(typ, r.shape(rank))}
		n := len(masks.BeginMask)
		s := &c.Spec
		s.Begin, s.End, s.Strides = make([]int64, n), make([]int64, n), make([]int64, n)
		for i := range n {
			d := int64(5)
			if consumed[i] >= 0 {
				d = int64(c.Data.Shape[consumed[i]])
			}
			s.Begin[i], s.End[i], s.Strides[i] = r.bound(d), r.bound(d), r.stride()
			if forward && s.Strides[i] < 0 {
				s.Strides[i] = -max(s.Strides[i], -math.MaxInt64) // INT64_MIN has no opposite
			}
			if s.ShrinkAxisMask[i] && d > 0 && !r.oneIn(200) {
				s.Begin[i] = r.Int64N(2*d) - d // names an element
			}
		}
		return c
	}
}

// ranges makes groups of Slices by the same axes.
func (r *random) ranges() func() calls.Call {
	rank, typ := r.rank(), pick(r, calls.Types...)
	var axes []int64
	for _, axis := range r.Perm(rank)[:r.IntN(rank+1)] {
		if r.oneIn(3) {
			axis -= rank
		}
		axes = append(axes, int64(axis))
	}
	forward := r.oneIn(2)
	return func() calls.Call {
		c := calls.Call{Op: calls.Slice, Ranges: kernels.Ranges{Axes: axes}, Data: r.tensor(typ, r.shape(rank))}
		s := &c.Ranges
		for _, axis := range axes {
			d := int64(c.Data.Shape[fromFront(int(axis), rank)])
			step := r.stride()
			if forward && step < 0 {
				step = -max(step, -math.MaxInt64)
			}
			s.Starts, s.Ends, s.Steps = append(s.Starts, r.bound(d)), append(s.Ends, r.bound(d)), append(s.Steps, step)
		}
		return c
	}
}

// intoRanges makes groups of SliceScatters: the slices of ranges, with updates of their shape.
func (r *random) intoRanges() func() calls.Call {
	next := r.ranges()
	return func() calls.Call {
		for {
			c := next()
			shape, err := kernels.SliceShape(c.Data.Shape, c.Ranges)
			if err != nil {
				continue
			}
			c.Op, c.Updates = calls.SliceScatter, r.tensor(c.Data.Type, shape)
			if c.Spec, err = c.Ranges.Spec(len(c.Data.Shape)); err == nil {
				return c
			}
		}
	}
}

// masks returns masks of one length, and for each entry the axis of data that
// it consumes, or -1.
func (r *random) masks(rank int) (s kernels.SliceSpec, consumed []int) {
	plain := r.oneIn(2)
	left := rank // axes that no entry consumes
	add := func(ellipsis, inserted, shrunk bool) {
		s.EllipsisMask = append(s.EllipsisMask, ellipsis)
		s.NewAxisMask = append(s.NewAxisMask, inserted)
		s.ShrinkAxisMask = append(s.ShrinkAxisMask, shrunk)
		s.BeginMask = append(s.BeginMask, r.oneIn(4))
		s.EndMask = append(s.EndMask, r.oneIn(4))
	}
	for range r.IntN(rank + 1) {
		switch {
		case !plain && r.oneIn(5):
			add(false, true, r.oneIn(4)) // new_axis wins over shrink_axis
			continue
		case !plain && r.oneIn(5):
			add(false, false, true)
		default:
			add(false, false, false)
		}
		left--
	}
	if n := len(s.EllipsisMask); !plain && n > 0 && r.oneIn(3) {
		i := r.IntN(n)
		if !s.NewAxisMask[i] {
			left++
		}
		s.EllipsisMask[i] = true // which wins over all
	}
	axis := 0
	for i := range s.EllipsisMask {
		switch {
		case s.EllipsisMask[i]:
			consumed = append(consumed, -1)
			axis += left
		case s.NewAxisMask[i]:
			consumed = append(consumed, -1)
		default:
			consumed = append(consumed, axis)
			axis++
		}
	}
	return s, consumed
}

// bound returns a begin or an end for an axis of size d: near it, or anywhere.
func (r *random) bound(d int64) int64 {
	if r.oneIn(30) {
		return pick(r, math.MinInt64, math.MinInt64+1, math.MaxInt64, math.MaxInt64-1, math.MinInt32, math.MaxInt32, int64(1)<<32, -(int64(1) << 32))
	}
	return r.Int64N(4*d+8) - 2*d - 4
}

// stride returns any stride but 0.
func (r *random) stride() int64 {
	switch r.IntN(30) {
	case 0, 1:
		return pick(r, math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32, int64(1)<<32, -(int64(1) << 32))
	case 2, 3, 4, 5, 6, 7, 8, 9, 10, 11:
		return 1
	}
	if s := r.Int64N(15) - 7; s != 0 {
		return s
	}
	return -1
}
