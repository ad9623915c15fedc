//go:build patched

package engine

import (
	"errors"
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

var errNotServed = errors.New("not served by lanes")

// gather takes windows, which it moves into the operand where they would not fit.
func (d dims) gather(dst, operand, indices kernels.Raw, options []kernels.Option) error {
	tuples, err := d.tuples(indices, operand.Shape, true)
	if err != nil {
		return err
	}
	windows, output := d.windows(operand, dst)
	return kernels.GatherNDRaw(output, windows, tuples, 0, options...)
}

// scatter combines updates into windows, which have to lie in the operand and must not overlap but where they
// are the same.
func (d dims) scatter(dst, operand, indices, updates kernels.Raw, reduction kernels.Reduction, options []kernels.Option) error {
	for _, a := range d.indexed {
		if d.sizes[a] > 1 {
			return errNotServed
		}
	}
	tuples, err := d.tuples(indices, operand.Shape, false)
	if err != nil {
		return err
	}
	data, u := d.windows(operand, updates)
	out, _ := d.windows(dst, updates)
	return kernels.ScatterNDUpdateRaw(out, data, tuples, u, kernels.ScatterAttrs{Reduction: reduction}, options...)
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

// tuples returns the indices with the components of a vector side by side as the last axis. Indices that are
// out of range are clamped, or an error.
func (d dims) tuples(indices kernels.Raw, shape []int, clamp bool) (kernels.Raw, error) {
	t := indices
	t.Shape, t.Strides = slices.Clone(indices.Shape), strides(indices.Shape)
	step := 1
	if d.vector < len(t.Shape) {
		n, s := t.Shape[d.vector], t.Strides[d.vector]
		t.Shape = append(slices.Delete(t.Shape, d.vector, d.vector+1), n)
		t.Strides = append(slices.Delete(t.Strides, d.vector, d.vector+1), s)
		step = s
	} else {
		t.Shape, t.Strides = append(t.Shape, 1), append(t.Strides, 1)
	}
	last := make([]int64, len(d.indexed)) // the last place where a window fits
	for k, a := range d.indexed {
		last[k] = int64(shape[a] - d.sizes[a])
	}
	if x, err := kernels.TensorOf[int32](indices); err == nil && fit(x.Data, step, last) {
		return t, nil
	}
	if x, err := kernels.TensorOf[int64](indices); err == nil && fit(x.Data, step, last) {
		return t, nil
	}
	wide := widened(indices)
	if wide == nil || !clamp && !fit(wide, step, last) {
		return t, errNotServed
	}
	for i, k := range wide {
		wide[i] = min(max(k, 0), last[i/step%len(last)])
	}
	c, err := kernels.RawOf(kernels.New(wide, indices.Shape...))
	c.Shape, c.Strides = t.Shape, t.Strides
	return c, err
}

// fit reports whether indices are in range. Components of a vector lie step apart.
func fit[I int32 | int64](x []I, step int, last []int64) bool {
	for i, k := 0, 0; i < len(x); i, k = i+step, k+1 {
		most := I(last[k%len(last)])
		for _, v := range x[i:min(i+step, len(x))] {
			if v < 0 || v > most {
				return false
			}
		}
	}
	return true
}

// widened returns indices of any type as int64, in new memory.
func widened(x kernels.Raw) []int64 {
	switch x.Type {
	case kernels.DTypeInt8:
		return as64[int8](x)
	case kernels.DTypeInt16:
		return as64[int16](x)
	case kernels.DTypeInt32:
		return as64[int32](x)
	case kernels.DTypeInt64:
		return as64[int64](x)
	case kernels.DTypeUint8:
		return as64[uint8](x)
	case kernels.DTypeUint16:
		return as64[uint16](x)
	case kernels.DTypeUint32:
		return as64[uint32](x)
	}
	return nil
}

func as64[I kernels.Index](x kernels.Raw) []int64 {
	t, err := kernels.TensorOf[I](x)
	if err != nil {
		return nil
	}
	wide := make([]int64, len(t.Data))
	for i, k := range t.Data {
		wide[i] = int64(k)
	}
	return wide
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
