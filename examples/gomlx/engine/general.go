//go:build patched

package engine

import (
	"slices"

	"github.com/lanes-go/lanes/kernels"
)

// XLA's gather and scatter as GatherND and ScatterNDUpdate on views: a vector of indices is a tuple, which
// names where a window begins. The operand is seen with two axes for each of its own that is indexed: one of
// the places where a window can begin, and one of the window, with the same stride.

// dims are dimension numbers. For a scatter they are those of the gather that reads what it writes.
type dims struct {
	vector                     int // the axis of a vector's components in the indices; their rank: there is none
	offset, collapsed, indexed []int
	sizes                      []int // of windows
}

// gather takes windows. One that would not fit is moved until it does: the nearest place where it can begin.
func (d dims) gather(dst, operand, indices kernels.Raw, options []kernels.Option) error {
	windows, output := d.windows(operand, dst)
	return kernels.GatherNDRaw(output, windows, d.tuples(indices), 0, slices.Concat(options, outOfRange(kernels.Clamp))...)
}

// scatter combines updates into windows, and skips those that do not fit. Windows may be the same, but they
// must not overlap otherwise, or the call is an error.
func (d dims) scatter(dst, operand, indices, updates kernels.Raw, reduction kernels.Reduction, options []kernels.Option) error {
	data, u := d.windows(operand, updates)
	out, _ := d.windows(dst, updates)
	return kernels.ScatterNDUpdateRaw(out, data, d.tuples(indices), u, kernels.ScatterAttrs{Reduction: reduction},
		slices.Concat(options, outOfRange(kernels.Skip))...)
}

// outOfRange is what XLA does with an index that is negative, or too large.
func outOfRange(o kernels.OutOfRange) []kernels.Option {
	return []kernels.Option{kernels.Indices(kernels.IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: o})}
}

// windows returns the operand with the axes that tuples index first, then those of windows, and the output of
// a gather, or the updates of a scatter, with the axes of windows last.
func (d dims) windows(operand, output kernels.Raw) (w, o kernels.Raw) {
	w, o = operand, output
	from, to := strides(operand.Shape), strides(output.Shape)
	w.Shape, w.Strides, o.Shape, o.Strides = nil, nil, nil, nil
	for _, a := range d.indexed {
		w.Shape, w.Strides = append(w.Shape, operand.Shape[a]-d.sizes[a]+1), append(w.Strides, from[a])
	}
	for a, n := range output.Shape {
		if !slices.Contains(d.offset, a) {
			o.Shape, o.Strides = append(o.Shape, n), append(o.Strides, to[a])
		}
	}
	k := 0
	for a, n := range d.sizes {
		if !slices.Contains(d.collapsed, a) {
			w.Shape, w.Strides = append(w.Shape, n), append(w.Strides, from[a])
			o.Shape, o.Strides = append(o.Shape, n), append(o.Strides, to[d.offset[k]])
			k++
		}
	}
	return w, o
}

// tuples returns the indices with the components of a vector side by side as the last axis.
func (d dims) tuples(indices kernels.Raw) kernels.Raw {
	t := indices
	t.Shape, t.Strides = slices.Clone(indices.Shape), strides(indices.Shape)
	n, step := 1, 1
	if at := d.vector; at < len(t.Shape) {
		n, step = t.Shape[at], t.Strides[at]
		t.Shape, t.Strides = slices.Delete(t.Shape, at, at+1), slices.Delete(t.Strides, at, at+1)
	}
	t.Shape, t.Strides = append(t.Shape, n), append(t.Strides, step)
	return t
}

// strides returns those of row-major order.
func strides(shape []int) []int {
	s, n := make([]int, len(shape)), 1
	for d := len(s) - 1; d >= 0; d-- {
		s[d], n = n, n*shape[d]
	}
	return s
}

// windowSizes returns the sizes of a scatter's windows on each axis of the operand.
func windowSizes(d dims, rank int, updates []int) []int {
	sizes, k := make([]int, rank), 0
	for a := range sizes {
		if sizes[a] = 1; !slices.Contains(d.collapsed, a) {
			sizes[a] = updates[d.offset[k]]
			k++
		}
	}
	return sizes
}
