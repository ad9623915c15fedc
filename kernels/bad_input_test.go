package kernels_test

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

const (
	gatherElements = "GatherElements"
	gatherND       = "GatherND"
	gather         = "Gather"
	scatter        = "ScatterElementsUpdate"
	scatterND      = "ScatterNDUpdate"
	stridedSlice   = "StridedSlice"
	slice          = "Slice"
	sliceScatter   = "SliceScatter"
	tensorScatter  = "TensorScatter"
)

// badOps are the operators whose calls are bent.
var badOps = []string{gatherElements, gatherND, gather, scatter, scatterND, stridedSlice, slice, sliceScatter, tensorScatter}

// takesPart reports whether an operator has neither indices nor updates.
func takesPart(op string) bool { return op == stridedSlice || op == slice }

// hasIndices reports whether an operator has indices.
func hasIndices(op string) bool { return !takesPart(op) && op != sliceScatter }

// updatesData reports whether an operator works in place too.
func updatesData(op string) bool { return slices.Contains(argsOf(op), "updates") }

// An arg says how to build one argument of a call.
type arg struct {
	shape, strides []int
	offset         int
	dataLen        int    // elements of its slice; 0: what the shape needs; -1: nil
	in             string // whose slice it lies in, when not its own
}

// A badCall is a call that was right until a row bent it.
type badCall struct {
	dst, data, indices, updates arg
	values                      []int64 // of indices' slice from its start, 0 beyond
	unsigned                    bool    // values are the bits of uint64
	axis                        int     // or batch dims
	mode                        kernels.CacheMode
	batchDims                   int // of Gather
	attrs                       kernels.ScatterAttrs
	spec                        kernels.SliceSpec
	ranges                      kernels.Ranges
}

// goodCall is a call of op that would succeed: every row breaks one thing alone,
// so that only one error can be right.
func goodCall(op string) badCall {
	shape := func(dims ...int) arg { return arg{shape: dims} }
	switch op {
	case gatherElements:
		return badCall{dst: shape(2, 3), data: shape(3, 5), indices: shape(2, 3), axis: 1}
	case gatherND:
		return badCall{dst: shape(2, 4), data: shape(2, 3, 4), indices: shape(2, 2)}
	case gather:
		return badCall{dst: shape(2, 3), data: shape(2, 5), indices: shape(2, 3), axis: 1, batchDims: 1}
	case scatterND:
		return badCall{dst: shape(2, 3, 4), data: shape(2, 3, 4), indices: shape(2, 2), updates: shape(2, 4)}
	case scatter:
		return badCall{dst: shape(3, 5), data: shape(3, 5), indices: shape(2, 3), updates: shape(2, 3), axis: 1}
	case tensorScatter:
		return badCall{dst: shape(2, 5), data: shape(2, 5), indices: shape(2), updates: shape(2, 3), axis: 1}
	case sliceScatter:
		return badCall{dst: shape(2, 3), data: shape(2, 3), updates: shape(2, 3)}
	default:
		return badCall{dst: shape(2, 3), data: shape(2, 3)}
	}
}

func (c *badCall) arg(name string) *arg {
	return map[string]*arg{"dst": &c.dst, "data": &c.data, "indices": &c.indices, "updates": &c.updates}[name]
}

func argsOf(op string) []string {
	switch op {
	case scatter, scatterND, tensorScatter:
		return []string{"dst", "data", "indices", "updates"}
	case sliceScatter:
		return []string{"dst", "data", "updates"}
	case stridedSlice, slice:
		return []string{"dst", "data"}
	default:
		return []string{"dst", "data", "indices"}
	}
}

// A badInput bends a good call. Fields of want that are left empty may be
// anything; or is a second error that holds as well, so that either may win.
type badInput struct {
	name     string
	op       string
	bend     func(c *badCall)
	want, or error
	shapes   bool // the shape function must find it too
}

func badAttribute(attribute, value string) error {
	return &kernels.AttributeError{Attribute: attribute, Value: value}
}
func badShape(tensor string) error { return &kernels.ShapeError{Tensor: tensor} }
func badIndex(value string, axis, size int, position ...int) error {
	return &kernels.IndexError{Position: position, Value: value, Axis: axis, Size: size}
}
func badOverlap(tensor string) error { return &kernels.OverlapError{Tensor: tensor} }

var sentinels = []error{kernels.ErrIndex, kernels.ErrShape, kernels.ErrAttribute, kernels.ErrType, kernels.ErrOverlap}

// requireFailure checks that got is the error that was wanted: one sentinel,
// one type, its fields, and a text that says them.
func requireFailure(t *testing.T, op string, want, got error) {
	t.Helper()
	require.Error(t, got)
	for _, s := range sentinels {
		require.Equal(t, errors.Is(want, s), errors.Is(got, s), "%v; is it %q?", got, s)
	}
	said := []string{"kernels: " + op + ": "}
	say := func(equal func() bool, words ...string) {
		require.True(t, equal(), "want %#v, got %#v", want, got)
		said = append(said, words...)
	}
	switch w := want.(type) {
	case *kernels.IndexError:
		var e *kernels.IndexError
		require.ErrorAs(t, got, &e)
		if op == stridedSlice || op == sliceScatter {
			require.Nil(t, e.Position, "begin has no position")
			said = append(said, "begin")
		} else {
			say(func() bool { return slices.Equal(w.Position, e.Position) }, fmt.Sprintf("at %v", w.Position))
		}
		say(func() bool { return op == e.Op && w.Axis == e.Axis && w.Size == e.Size },
			fmt.Sprintf("axis %d of size %d", w.Axis, w.Size))
		say(func() bool { return w.Value == "" || w.Value == e.Value }, w.Value)
	case *kernels.OffsetError:
		var e *kernels.OffsetError
		require.ErrorAs(t, got, &e)
		say(func() bool { return op == e.Op && slices.Equal(w.Position, e.Position) && w.Value == e.Value }, w.Value, fmt.Sprintf("at %v", w.Position))
		say(func() bool { return w.Least == e.Least && w.Most == e.Most }, fmt.Sprintf("[%d, %d]", w.Least, w.Most))
	case *kernels.ShapeError:
		var e *kernels.ShapeError
		require.ErrorAs(t, got, &e)
		say(func() bool { return op == e.Op && e.Reason != "" }, e.Reason, fmt.Sprint(e.Shape))
		say(func() bool { return w.Tensor == "" || w.Tensor == e.Tensor }, e.Tensor)
	case *kernels.AttributeError:
		var e *kernels.AttributeError
		require.ErrorAs(t, got, &e)
		say(func() bool { return op == e.Op && e.Reason != "" }, e.Reason)
		say(func() bool { return w.Attribute == "" || w.Attribute == e.Attribute }, e.Attribute)
		say(func() bool { return w.Value == "" || w.Value == e.Value }, e.Value)
	case *kernels.TypeError:
		var e *kernels.TypeError
		require.ErrorAs(t, got, &e)
		say(func() bool { return op == e.Op && w.Type == e.Type && e.Reason != "" }, w.Type, e.Reason)
	case *kernels.OverlapError:
		var e *kernels.OverlapError
		require.ErrorAs(t, got, &e)
		say(func() bool { return op == e.Op && w.Tensor == e.Tensor }, "dst", w.Tensor)
	default:
		require.Fail(t, "no such error", "%T", want)
	}
	for _, words := range said {
		require.ErrorContains(t, got, words)
	}
}

// noPanic turns a panic into an error that no row wants.
func noPanic(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return call()
}

// A fenced slice has elements before and behind it that no view may reach.
type fenced[T any] struct{ all, before []T }

const fence = 8

// need is how many elements a contiguous tensor of this shape has, 0 if the shape is hostile.
func need(shape []int) int {
	n := 1
	for _, d := range shape {
		if d < 0 || d > 1_000_000 {
			return 0
		}
		n *= d
	}
	return n
}

func fencedOf[T any](a arg, of func(i int) T) fenced[T] {
	n := a.dataLen
	if n == 0 {
		n = need(a.shape)
	}
	f := fenced[T]{all: make([]T, fence+max(n, 0)+fence)}
	for i := range f.all {
		f.all[i] = of(i)
	}
	f.before = slices.Clone(f.all)
	return f
}

func (f fenced[T]) tensor(a arg) kernels.Tensor[T] {
	v := kernels.Tensor[T]{Shape: slices.Clone(a.shape), Strides: slices.Clone(a.strides), Offset: a.offset}
	if a.dataLen >= 0 {
		v.Data = f.all[fence : len(f.all)-fence : len(f.all)-fence]
	}
	return v
}

func (f fenced[T]) requireUnchanged(t *testing.T, whose string) {
	t.Helper()
	requireBits(t, f.before, f.all, whose)
}

// fits reports whether I has the number v, or with unsigned the one that
// uint64 has in the bits of v.
func fits[I kernels.Index](v int64, unsigned bool) bool {
	x := I(v)
	if unsigned {
		return uint64(x) == uint64(v) && x >= 0
	}
	return int64(x) == v && (x < 0) == (v < 0)
}

// failWith makes the call that a row describes, with elements T and indices I,
// and checks what it says and what it left alone.
func failWith[T any, I kernels.Index](t *testing.T, row badInput, of func(i int) T) {
	c := goodCall(row.op)
	row.bend(&c)
	for _, v := range c.values {
		if !fits[I](v, c.unsigned) {
			return // this type has no such number
		}
	}

	data, updates := fencedOf(c.data, of), fencedOf(c.updates, func(i int) T { return of(i + 50) })
	out := fencedOf(c.dst, func(i int) T { return of(i + 90) })
	indices := fencedOf(c.indices, func(i int) I {
		if i -= fence; i >= 0 && i < len(c.values) {
			return I(c.values[i])
		}
		return 0
	})
	d, u, x, dst := data.tensor(c.data), updates.tensor(c.updates), indices.tensor(c.indices), out.tensor(c.dst)
	switch c.dst.in {
	case "data":
		dst.Data = d.Data
	case "updates":
		dst.Data = u.Data
	case "indices":
		shared, same := any(x.Data).([]T)
		if !same {
			return
		}
		dst.Data = shared
	}

	want := func(got error) {
		t.Helper()
		if row.or != nil && !errors.Is(got, errors.Unwrap(row.want)) {
			requireFailure(t, row.op, row.or, got)
			return
		}
		requireFailure(t, row.op, row.want, got)
	}
	call := func(dst kernels.Tensor[T]) error {
		switch row.op {
		case gatherElements:
			return kernels.GatherElements(dst, d, x, c.axis)
		case gatherND:
			return kernels.GatherND(dst, d, x, c.axis)
		case gather:
			return kernels.Gather(dst, d, x, c.axis, c.batchDims)
		case scatterND:
			return kernels.ScatterNDUpdate(dst, d, x, u, c.attrs)
		case scatter:
			return kernels.ScatterElementsUpdate(dst, d, x, u, c.axis, c.attrs)
		case slice:
			return kernels.Slice(dst, d, c.ranges)
		case tensorScatter:
			return kernels.TensorScatter(dst, d, u, x, c.axis, c.mode)
		case sliceScatter:
			return kernels.SliceScatter(dst, d, u, c.spec)
		default:
			return kernels.StridedSlice(dst, d, c.spec)
		}
	}
	unchanged := func() {
		t.Helper()
		data.requireUnchanged(t, "data")
		indices.requireUnchanged(t, "indices")
		updates.requireUnchanged(t, "updates")
		for _, v := range []struct {
			name                     string
			shape, strides, was, lay []int
		}{
			{"dst", dst.Shape, dst.Strides, c.dst.shape, c.dst.strides}, {"data", d.Shape, d.Strides, c.data.shape, c.data.strides},
			{"indices", x.Shape, x.Strides, c.indices.shape, c.indices.strides}, {"updates", u.Shape, u.Strides, c.updates.shape, c.updates.strides},
		} {
			require.True(t, slices.Equal(v.was, v.shape) && slices.Equal(v.lay, v.strides), "shape and strides of %s", v.name)
		}
	}

	want(noPanic(func() error { return call(dst) }))
	unchanged()
	if _, inIndices := row.want.(*kernels.IndexError); inIndices && hasIndices(row.op) {
		// A pure output may be partly written, but only inside its view.
		for _, p := range positions(dst) {
			out.all[fence+p] = out.before[fence+p]
		}
		out.requireUnchanged(t, "outside dst")
		if updatesData(row.op) {
			want(noPanic(func() error { return call(d) }))
			unchanged() // nothing at all, in place
		}
	}
	out.requireUnchanged(t, "dst")

	switch row.want.(type) {
	case *kernels.ShapeError, *kernels.AttributeError, *kernels.IndexError:
		if e, ok := row.want.(*kernels.ShapeError); takesPart(row.op) && !(ok && e.Tensor == "dst") {
			want(noPanic(func() (err error) {
				if row.op == slice {
					_, err = kernels.RangesView(d, c.ranges)
				} else {
					_, err = kernels.SliceView(d, c.spec)
				}
				return err
			}))
		}
	}
	if row.shapes {
		want(noPanic(func() error { return inferShape(row.op, c) }))
	}
}

func inferShape(op string, c badCall) (err error) {
	switch op {
	case gatherElements:
		_, err = kernels.GatherElementsShape(c.data.shape, c.indices.shape, c.axis)
	case gatherND:
		_, err = kernels.GatherNDShape(c.data.shape, c.indices.shape, c.axis)
	case gather:
		_, err = kernels.GatherShape(c.data.shape, c.indices.shape, c.axis, c.batchDims)
	case scatterND:
		_, err = kernels.ScatterNDUpdateShape(c.data.shape, c.indices.shape, c.updates.shape)
	case scatter:
		_, err = kernels.ScatterElementsUpdateShape(c.data.shape, c.indices.shape, c.updates.shape, c.axis)
	case slice:
		_, err = kernels.SliceShape(c.data.shape, c.ranges)
	case tensorScatter:
		_, err = kernels.TensorScatterShape(c.data.shape, c.updates.shape, c.indices.shape, c.axis)
	case sliceScatter:
		_, err = kernels.SliceScatterShape(c.data.shape, c.updates.shape, c.spec)
	default:
		_, err = kernels.StridedSliceShape(c.data.shape, c.spec)
	}
	return err
}

func TestBadInputs(t *testing.T) {
	rows := slices.Concat(attributeRows(), shapeRows(), dstRows(), viewRows(), indexRows(), shrinkRows(), overlapRows())
	names := map[string]bool{}
	for _, row := range rows {
		name := row.op + "/" + row.name
		require.False(t, names[name], "two rows %q", name)
		names[name] = true
		t.Run(name, func(t *testing.T) {
			c := goodCall(row.op)
			row.bend(&c)
			float := func(i int) float32 { return float32(i) + 0.5 }
			number := func(i int) int64 { return int64(i) }
			failWith[int64, int64](t, row, number)
			failWith[float32, int64](t, row, float)
			if hasIndices(row.op) {
				failWith[float32, int](t, row, float)
				failWith[float32, int8](t, row, float)
				failWith[float32, int16](t, row, float)
				failWith[float32, int32](t, row, float)
				failWith[float32, uint](t, row, float)
				failWith[float32, uint8](t, row, float)
				failWith[float32, uint16](t, row, float)
				failWith[float32, uint32](t, row, float)
				failWith[float32, uint64](t, row, float)
				failWith[float32, celsius](t, row, float)
				failWith[uint8, uint8](t, row, func(i int) uint8 { return uint8(i) })
				failWith[int32, int32](t, row, func(i int) int32 { return int32(i) })
			}
			if c.attrs.Reduction == kernels.None {
				failWith[string, int64](t, row, strconv.Itoa)
				failWith[rgb, int32](t, row, func(i int) rgb { return rgb{uint8(i), 1, 2} })
			}
			failWith[kernels.BFloat16, uint64](t, row, func(i int) kernels.BFloat16 { return kernels.BFloat16(i) })
		})
	}
	t.Logf("%d bad inputs", len(rows))
	require.GreaterOrEqual(t, len(rows), 170)
}

func attributeRows() (rows []badInput) {
	add := func(op, name, attribute, value string, bend func(c *badCall)) {
		rows = append(rows, badInput{name: name, op: op, bend: bend, want: badAttribute(attribute, value), shapes: attribute != "reduction" && attribute != "mode"})
	}
	for _, op := range []string{gatherElements, gather, scatter, tensorScatter} {
		for _, a := range []struct {
			name string
			axis int
		}{
			{"axis r", 2},
			{"axis below -r (TensorFlow CVE-2021-41205, CVE-2021-41211)", -3},
			{"axis -100 (TensorFlow CVE-2022-21726)", -100},
			{"axis 2^31-1 (TensorFlow CVE-2022-21726)", math.MaxInt32},
			{"axis -100000 (TensorFlow CVE-2021-37685)", -100000},
			{"axis -2^31", math.MinInt32},
			{"axis the largest int", math.MaxInt},
			{"axis the smallest int", math.MinInt},
			{"axis the smallest int and 1", math.MinInt + 1},
		} {
			add(op, a.name, "axis", strconv.Itoa(a.axis), func(c *badCall) { c.axis = a.axis })
		}
		if op == tensorScatter {
			continue
		}
		add(op, "axis 0x1337 on an empty tensor (Paddle)", "axis", "4919", func(c *badCall) {
			for _, arg := range []*arg{&c.dst, &c.data, &c.indices, &c.updates} {
				arg.shape = []int{0, 3}
			}
			c.axis = 0x1337
		})
		add(op, "axis 1 of a vector", "axis", "1", func(c *badCall) {
			for _, arg := range []*arg{&c.dst, &c.data, &c.indices, &c.updates} {
				arg.shape = []int{3}
			}
		})
	}
	for name, b := range map[string]int{
		"batch_dims -1": -1, "batch_dims beyond the rank (TensorFlow CVE-2021-37654)": 10, "batch_dims 2^31-1": math.MaxInt32,
		"batch_dims -2^31": math.MinInt32, "batch_dims the largest int": math.MaxInt, "batch_dims the smallest int": math.MinInt,
	} {
		add(gatherND, name, "batch_dims", strconv.Itoa(b), func(c *badCall) { c.axis = b })
	}
	add(gatherND, "batch_dims as large as the rank of indices", "batch_dims", "2", func(c *badCall) {
		c.axis, c.data.shape, c.indices.shape, c.dst.shape = 2, []int{2, 1, 4}, []int{2, 1}, []int{2}
	})
	for name, b := range map[string]int{
		"batch_dims 2, beyond axis": 2, "batch_dims 3, beyond the ranks (TensorFlow CVE-2021-37654)": 3, "batch_dims -3": -3, "batch_dims 2^31-1": math.MaxInt32,
		"batch_dims -2^31": math.MinInt32, "batch_dims the largest int": math.MaxInt, "batch_dims the smallest int": math.MinInt,
	} {
		add(gather, name, "batch_dims", strconv.Itoa(b), func(c *badCall) { c.batchDims = b })
	}
	add(gather, "batch_dims beyond axis 0", "batch_dims", "1", func(c *badCall) { c.axis = 0 })
	add(gather, "batch_dims -1 of indices of rank 3", "batch_dims", "-1", func(c *badCall) {
		c.batchDims, c.indices.shape, c.dst.shape = -1, []int{2, 5, 3}, []int{2, 5, 3}
	})
	add(gather, "batch_dims beyond scalar indices", "batch_dims", "1", func(c *badCall) { c.indices.shape, c.dst.shape = nil, []int{2} })
	add(gather, "batch_dims -3 of indices of rank 3, below data's", "batch_dims", "-3", func(c *badCall) {
		c.batchDims, c.indices.shape, c.dst.shape = -3, []int{2, 1, 3}, []int{2, 2, 1, 3}
	})
	add(tensorScatter, "the batch as axis", "axis", "0", func(c *badCall) { c.axis = 0 })
	add(tensorScatter, "the batch as axis, from the end", "axis", "-2", func(c *badCall) { c.axis = -2 })
	for _, m := range []kernels.CacheMode{kernels.Circular + 1, 255} {
		add(tensorScatter, fmt.Sprintf("mode %d", uint8(m)), "mode", m.String(), func(c *badCall) { c.mode = m })
	}
	for _, r := range []kernels.Reduction{kernels.Mean, kernels.Sub + 1, 99, 255} {
		add(scatterND, fmt.Sprintf("reduction %d", uint8(r)), "reduction", "", func(c *badCall) { c.attrs.Reduction = r })
	}
	for _, r := range []kernels.Reduction{kernels.Mean + 1, kernels.Sub + 1, 99, 255} {
		add(scatter, fmt.Sprintf("reduction %d", uint8(r)), "reduction", "", func(c *badCall) { c.attrs.Reduction = r })
	}

	list := func(n int) []int64 { return make([]int64, n) }
	ones := func(n int) []int64 { return repeat(n, int64(1)) }
	for _, s := range []struct {
		name, attribute string
		spec            kernels.SliceSpec
	}{
		{"begin longer than end", "", kernels.SliceSpec{Begin: list(2), End: list(1)}},
		{"end longer than begin", "", kernels.SliceSpec{Begin: list(1), End: list(2)}},
		{"end without begin", "", kernels.SliceSpec{End: list(1)}},
		{"begin without end", "", kernels.SliceSpec{Begin: list(1)}},
		{"too many strides", "strides", kernels.SliceSpec{Begin: list(1), End: list(1), Strides: ones(2)}},
		{"too few strides", "strides", kernels.SliceSpec{Begin: list(2), End: list(2), Strides: ones(1)}},
		{"strides alone", "strides", kernels.SliceSpec{Strides: ones(1)}},
		{"stride 0 on the first axis", "strides", kernels.SliceSpec{Begin: list(2), End: ones(2), Strides: []int64{0, 1}}},
		{"stride 0 on the last axis", "strides", kernels.SliceSpec{Begin: list(2), End: ones(2), Strides: []int64{1, 0}}},
		{"stride 0 under both masks", "strides", kernels.SliceSpec{Begin: list(1), End: list(1), Strides: list(1), BeginMask: mask("1"), EndMask: mask("1")}},
		{"stride 0 behind an ellipsis", "strides", kernels.SliceSpec{Begin: list(2), End: list(2), Strides: list(2), EllipsisMask: mask("1")}},
		{"stride 0 behind a new axis and a shrunk one", "strides", kernels.SliceSpec{
			Begin: list(3), End: list(3), Strides: list(3), NewAxisMask: mask("1"), ShrinkAxisMask: mask("0,1")}},
		{"two ellipses (TensorFlow CVE-2021-37686)", "ellipsis_mask", kernels.SliceSpec{Begin: list(2), End: list(2), EllipsisMask: mask("1,1")}},
		{"two ellipses apart", "ellipsis_mask", kernels.SliceSpec{Begin: list(3), End: ones(3), EllipsisMask: mask("1,0,1")}},
		{"two ellipses that are new axes too", "ellipsis_mask", kernels.SliceSpec{
			Begin: list(2), End: ones(2), EllipsisMask: mask("1,1"), NewAxisMask: mask("1,1")}},
		{"three ellipses", "ellipsis_mask", kernels.SliceSpec{Begin: list(3), End: ones(3), EllipsisMask: mask("1,1,1")}},
		{"more bounds than axes", "", kernels.SliceSpec{Begin: list(3), End: ones(3)}},
		{"more shrunk than axes", "", kernels.SliceSpec{Begin: list(3), End: ones(3), ShrinkAxisMask: mask("1,1,1")}},
		{"more bounds than axes beside an ellipsis", "", kernels.SliceSpec{Begin: list(4), End: ones(4), EllipsisMask: mask("0,0,0,1")}},
		{"more bounds than axes beside a new axis", "", kernels.SliceSpec{Begin: list(4), End: ones(4), NewAxisMask: mask("0,1")}},
		{"100 bounds", "", kernels.SliceSpec{Begin: list(100), End: ones(100)}},
	} {
		for _, op := range []string{stridedSlice, sliceScatter} {
			add(op, s.name, s.attribute, "", func(c *badCall) { c.spec = s.spec })
		}
	}
	for name, shrink := range map[string][]bool{"a bound for a scalar": nil, "a scalar shrunk": mask("1")} {
		add(stridedSlice, name, "", "", func(c *badCall) {
			c.spec = kernels.SliceSpec{Begin: list(1), End: ones(1), ShrinkAxisMask: shrink}
			c.data.shape, c.dst.shape = nil, nil
		})
	}
	add(stridedSlice, "stride 0 on an empty axis", "strides", "", func(c *badCall) {
		c.spec = kernels.SliceSpec{Begin: list(1), End: list(1), Strides: list(1)}
		c.data.shape, c.dst.shape = []int{0, 3}, []int{0, 3}
	})
	for _, s := range []struct {
		name, attribute, value string
		ranges                 kernels.Ranges
	}{
		{"starts longer than ends", "ends", "of length 1", kernels.Ranges{Starts: list(2), Ends: list(1)}},
		{"ends longer than starts", "ends", "of length 2", kernels.Ranges{Starts: list(1), Ends: list(2)}},
		{"ends without starts", "ends", "of length 1", kernels.Ranges{Ends: list(1)}},
		{"starts without ends", "ends", "of length 0", kernels.Ranges{Starts: list(1)}},
		{"too many axes", "axes", "of length 2", kernels.Ranges{Starts: list(1), Ends: ones(1), Axes: []int64{0, 1}}},
		{"too few axes", "axes", "of length 1", kernels.Ranges{Starts: list(2), Ends: ones(2), Axes: list(1)}},
		{"axes alone", "axes", "of length 1", kernels.Ranges{Axes: list(1)}},
		{"too many steps", "steps", "of length 2", kernels.Ranges{Starts: list(1), Ends: ones(1), Steps: ones(2)}},
		{"too few steps", "steps", "of length 1", kernels.Ranges{Starts: list(2), Ends: ones(2), Steps: ones(1)}},
		{"steps alone", "steps", "of length 1", kernels.Ranges{Steps: ones(1)}},
		{"more starts than axes", "starts", "of length 3", kernels.Ranges{Starts: list(3), Ends: ones(3)}},
		{"100 starts", "starts", "of length 100", kernels.Ranges{Starts: list(100), Ends: ones(100)}},
		{"more axes than there are", "axes", "[0 1 -1]", kernels.Ranges{Starts: list(3), Ends: ones(3), Axes: []int64{0, 1, -1}}},
		{"axis 2 of 2", "axes", "[2]", kernels.Ranges{Starts: list(1), Ends: ones(1), Axes: []int64{2}}},
		{"axis -3 of 2", "axes", "[1 -3]", kernels.Ranges{Starts: list(2), Ends: ones(2), Axes: []int64{1, -3}}},
		{"axis 2^32", "axes", "[4294967296]", kernels.Ranges{Starts: list(1), Ends: ones(1), Axes: []int64{1 << 32}}},
		{"the largest axis", "axes", "[9223372036854775807]", kernels.Ranges{Starts: list(1), Ends: ones(1), Axes: []int64{math.MaxInt64}}},
		{"the smallest axis", "axes", "[-9223372036854775808]", kernels.Ranges{Starts: list(1), Ends: ones(1), Axes: []int64{math.MinInt64}}},
		{"an axis twice", "axes", "[1 1]", kernels.Ranges{Starts: list(2), Ends: ones(2), Axes: ones(2)}},
		{"an axis twice, from either end", "axes", "[1 -1]", kernels.Ranges{Starts: list(2), Ends: ones(2), Axes: []int64{1, -1}}},
		{"an axis twice, whole", "axes", "[-2 0]", kernels.Ranges{Starts: list(2), Ends: []int64{2, 2}, Axes: []int64{-2, 0}}},
		{"step 0 of the first axis", "steps", "[0 1]", kernels.Ranges{Starts: list(2), Ends: ones(2), Steps: []int64{0, 1}}},
		{"step 0 of the last axis", "steps", "[0]", kernels.Ranges{Starts: list(1), Ends: ones(1), Axes: []int64{-1}, Steps: list(1)}},
	} {
		add(slice, s.name, s.attribute, s.value, func(c *badCall) { c.ranges = s.ranges })
	}
	add(slice, "a start for a scalar", "starts", "of length 1", func(c *badCall) {
		c.ranges = kernels.Ranges{Starts: list(1), Ends: ones(1)}
		c.data.shape, c.dst.shape = nil, nil
	})
	add(slice, "axis 0 of a scalar", "axes", "[0]", func(c *badCall) {
		c.ranges = kernels.Ranges{Starts: list(1), Ends: ones(1), Axes: list(1)}
		c.data.shape, c.dst.shape = nil, nil
	})
	add(slice, "step 0 of an empty axis", "steps", "[0]", func(c *badCall) {
		c.ranges = kernels.Ranges{Starts: list(1), Ends: list(1), Steps: list(1)}
		c.data.shape, c.dst.shape = []int{0, 3}, []int{0, 3}
	})
	return rows
}

// shapeRows are shapes that do not go together, or are no shapes.
func shapeRows() (rows []badInput) {
	add := func(op, name, tensor string, bend func(c *badCall)) {
		rows = append(rows, badInput{name: name, op: op, bend: bend, want: badShape(tensor), shapes: true})
	}
	// The update takes the shape of indices where there is one.
	both := func(c *badCall, shape ...int) {
		c.indices.shape = shape
		if c.updates.shape != nil {
			c.updates.shape = shape
		}
	}
	for _, op := range []string{gatherElements, scatter} {
		add(op, "indices of lower rank", "", func(c *badCall) { c.axis = 0; both(c, 3) })
		add(op, "indices of higher rank", "", func(c *badCall) { both(c, 2, 3, 1) })
		add(op, "scalar indices", "", func(c *badCall) { both(c) })
		add(op, "indices longer than data on another axis", "indices", func(c *badCall) { both(c, 4, 3) })
		add(op, "indices longer on the last axis", "indices", func(c *badCall) { c.axis = 0; both(c, 2, 6) })
		add(op, "indices far longer on another axis", "indices", func(c *badCall) { both(c, 1<<20, 0) })
		add(op, "more elements than an int beside an empty axis", "data", func(c *badCall) {
			c.axis, c.data.shape = 0, []int{0, math.MaxInt, math.MaxInt}
			c.dst.shape = []int{0, 1, 1}
			both(c, 0, 1, 1)
		})
		add(op, "indices longer than an empty axis", "indices", func(c *badCall) {
			c.axis, c.data.shape = 0, []int{3, 0}
			both(c, 2, 1)
			if op == scatter {
				c.dst.shape = c.data.shape
			} else {
				c.dst.shape = c.indices.shape
			}
		})
	}
	add(gatherND, "tuples of no component", "indices", func(c *badCall) { c.indices.shape, c.dst.shape = []int{2, 0}, []int{2, 2, 3, 4} })
	add(scatterND, "tuples of no component", "indices", func(c *badCall) { c.indices.shape, c.updates.shape = []int{2, 0}, []int{2, 2, 3, 4} })
	add(scatterND, "tuples longer than the rank", "indices", func(c *badCall) { c.indices.shape, c.updates.shape = []int{2, 4}, []int{2} })
	add(scatterND, "tuples far longer than the rank", "indices", func(c *badCall) { c.indices.shape = []int{0, math.MaxInt} })
	for name, shape := range map[string][]int{
		"updates of another shape whose count divides (TensorFlow CVE-2021-37655)": {1, 4},
		"updates of a larger shape (TensorFlow CVE-2021-37655)":                    {4, 4},
		"updates transposed":                      {4, 2},
		"updates flat":                            {8},
		"updates with an axis more":               {2, 4, 1},
		"updates with an axis less":               {2},
		"updates empty":                           {2, 0},
		"updates a scalar":                        {},
		"updates of one element for more":         {1, 1},
		"updates shaped like data":                {2, 3, 4},
		"updates of negative dims":                {-2, -4},
		"updates of the elements of whole tuples": {2, 2},
	} {
		add(scatterND, name, "updates", func(c *badCall) { c.updates.shape = shape })
	}
	for name, shape := range map[string][]int{
		"updates of the shape of data": {2, 3}, "updates with the axis that goes": {1, 2}, "updates with an axis more": {2, 1}, "updates too few": {1},
		"updates empty": {0}, "updates a scalar": {}, "updates of -2": {-2},
	} {
		add(sliceScatter, name, "updates", func(c *badCall) { // of data[1, 1:]
			c.spec = kernels.SliceSpec{Begin: []int64{1, 1}, End: []int64{0, 0}, EndMask: mask("0,1"), ShrinkAxisMask: mask("1")}
			c.updates.shape = shape
		})
	}
	for name, shape := range map[string][]int{
		"updates longer than the axis": {2, 6}, "updates of fewer batches": {1, 3}, "updates of more batches": {3, 3}, "updates of another rank": {2, 3, 1},
		"updates flat": {6}, "updates a scalar": {}, "updates of a negative length": {2, -1},
	} {
		add(tensorScatter, name, "updates", func(c *badCall) { c.updates.shape = shape })
	}
	for name, shape := range map[string][]int{
		"indices of fewer batches": {1}, "indices of more batches": {3}, "indices of no batch": {0}, "indices for each update": {2, 3}, "indices in a column": {2, 1}, "indices of a negative size": {-2},
	} {
		add(tensorScatter, name, "indices", func(c *badCall) { c.indices.shape = shape })
	}
	add(tensorScatter, "data of rank 1", "data", func(c *badCall) {
		c.data.shape, c.dst.shape, c.updates.shape, c.indices.shape = []int{5}, []int{5}, []int{3}, []int{5}
	})
	add(gatherElements, "all scalars", "data", func(c *badCall) { c.data.shape, c.dst.shape, c.indices.shape = nil, nil, nil })
	add(scatter, "all scalars", "data", func(c *badCall) {
		c.data.shape, c.dst.shape, c.indices.shape, c.updates.shape = nil, nil, nil, nil
	})
	add(tensorScatter, "data a scalar", "data", func(c *badCall) { c.data.shape, c.dst.shape, c.updates.shape = nil, nil, nil })
	for name, shape := range map[string][]int{"two elements": {2}, "no element": {0}, "two negative dims": {-1, -1}} {
		add(scatterND, "updates of "+name+" for a scalar", "updates", func(c *badCall) { c.indices.shape, c.updates.shape = []int{3}, shape })
	}
	add(scatterND, "updates with more elements than an int can count", "updates", func(c *badCall) {
		c.data = arg{shape: []int{1, math.MaxInt}, strides: []int{0, 0}, dataLen: 1}
		c.dst.shape, c.indices.shape, c.updates.shape = c.data.shape, []int{4, 1}, []int{4, math.MaxInt}
	})
	add(gatherND, "tuples longer than the rank", "indices", func(c *badCall) { c.indices.shape, c.dst.shape = []int{2, 4}, []int{2} })
	add(gatherND, "tuples longer than the rank behind the batch", "indices", func(c *badCall) {
		c.axis, c.indices.shape, c.dst.shape = 1, []int{2, 3}, []int{2}
	})
	add(gatherND, "tuples far longer than the rank", "indices", func(c *badCall) { c.indices.shape = []int{0, math.MaxInt} })
	for name, n := range map[string]int{
		"batch dims that divide but differ (ONNX Runtime)":             4,
		"batch dims that divide but differ the other way":              1,
		"batch dims that neither divide nor fit":                       3,
		"an empty batch beside a full one (TensorFlow CVE-2021-29589)": 0,
	} {
		add(gatherND, name, "", func(c *badCall) { c.axis, c.indices.shape, c.dst.shape = 1, []int{n, 1}, []int{n, 4} })
	}
	for name, n := range map[string]int{"batch dims that divide but differ": 4, "batch dims that divide but differ the other way": 1, "an empty batch": 0} {
		add(gather, name, "indices", func(c *badCall) { c.indices.shape, c.dst.shape = []int{n, 3}, []int{n, 3} })
	}
	add(gather, "a second batch dim that differs", "indices", func(c *badCall) {
		c.axis, c.batchDims = 2, 2
		c.data.shape, c.indices.shape, c.dst.shape = []int{2, 3, 4}, []int{2, 6, 1}, []int{2, 6, 1}
	})
	add(gather, "an output with more elements than an int can count", "", func(c *badCall) {
		c.axis, c.batchDims, c.data = 0, 0, arg{shape: []int{1, math.MaxInt}, strides: []int{0, 0}, dataLen: 1}
		c.indices.shape, c.dst.shape = []int{4}, []int{4, math.MaxInt}
	})
	add(gatherND, "a second batch dim that differs", "", func(c *badCall) {
		c.axis, c.indices.shape, c.dst.shape = 2, []int{2, 6, 1}, []int{2, 6}
	})
	add(gatherND, "an output with more elements than an int can count", "", func(c *badCall) {
		c.data = arg{shape: []int{1, math.MaxInt}, strides: []int{0, 0}, dataLen: 1}
		c.indices.shape, c.dst.shape = []int{4, 1}, []int{4, math.MaxInt}
	})
	for name, shape := range map[string][]int{
		"updates of another shape whose count divides (TensorFlow CVE-2021-37655)": {1, 3},
		"updates of a larger shape (TensorFlow CVE-2021-37655)":                    {4, 3},
		"updates transposed":        {3, 2},
		"updates flat":              {6},
		"updates with an axis more": {2, 3, 1},
		"updates empty":             {2, 0},
		"updates a scalar":          {},
		"updates shaped like data":  {3, 5},
		"updates of negative dims":  {-2, -3},
	} {
		add(scatter, name, "updates", func(c *badCall) { c.updates.shape = shape })
	}

	// No shapes at all.
	for _, op := range badOps {
		for _, name := range argsOf(op)[1:] {
			if good := goodCall(op); len(good.arg(name).shape) < 2 {
				continue
			}
			for fault, dims := range map[string][3]int{
				"a negative dim":            {-1, 3, 4},
				"a negative last dim":       {2, -3, -1},
				"two negative dims":         {-2, -3, 4},
				"the smallest int as dim":   {math.MinInt, 3, 4},
				"2^32 by 2^32":              {1 << (bits.UintSize / 2), 1 << (bits.UintSize / 2), 4},
				"more elements than an int": {math.MaxInt, 3, 4},
				"a product that wraps to 0": {math.MaxInt/2 + 1, 4, 4},
			} {
				add(op, name+" of "+fault, "", func(c *badCall) {
					c.arg(name).shape = slices.Clone(dims[:len(c.arg(name).shape)])
				})
			}
		}
	}
	// A scalar has no axis, so its axis is bad too: either error will do.
	scalar := func(op, name, attribute, value string, bend func(c *badCall)) {
		rows = append(rows, badInput{name: name, op: op, bend: bend, want: badShape(""), or: badAttribute(attribute, value), shapes: true})
	}
	for _, op := range []string{gatherElements, scatter} {
		scalar(op, "everything a scalar", "axis", "0", func(c *badCall) {
			c.axis, c.data.shape, c.dst.shape = 0, nil, nil
			both(c)
		})
	}
	scalar(gatherND, "scalar data", "batch_dims", "0", func(c *badCall) { c.data.shape = nil })
	scalar(gather, "scalar data", "axis", "0", func(c *badCall) { c.data.shape, c.axis, c.batchDims = nil, 0, 0 })
	for name, set := range map[string]func(c *badCall){"scalar data": func(c *badCall) { c.data.shape = nil }, "scalar indices": func(c *badCall) { c.indices.shape = nil }} {
		add(scatterND, name, "", set)
	}
	scalar(gatherND, "scalar indices", "batch_dims", "0", func(c *badCall) { c.indices.shape = nil })
	return rows
}

// dstRows are destinations of another shape than the output's.
func dstRows() (rows []badInput) {
	for _, op := range badOps {
		good := goodCall(op).dst.shape
		for name, shape := range map[string][]int{
			"dst a row too short (TensorFlow CVE-2022-35937)":      {good[0] - 1, good[1]},
			"dst a row too long (TensorFlow CVE-2022-35938)":       {good[0] + 1, good[1]},
			"dst a column too short":                               {good[0], good[1] - 1},
			"dst a column too long":                                {good[0], good[1] + 1},
			"dst transposed":                                       {good[1], good[0]},
			"dst flat, of as many elements":                        {good[0] * good[1]},
			"dst with an axis of 1 before":                         {1, good[0], good[1]},
			"dst with an axis of 1 behind":                         {good[0], good[1], 1},
			"dst empty":                                            {0, good[1]},
			"dst a scalar":                                         {},
			"dst of a negative shape whose product would be right": {-good[0], -good[1]},
			"dst of more elements than an int":                     {math.MaxInt, math.MaxInt},
		} {
			rows = append(rows, badInput{name: name, op: op, bend: func(c *badCall) { c.dst.shape = shape }, want: badShape("dst")})
		}
		rows = append(rows, badInput{name: "dst the zero Tensor", op: op, bend: func(c *badCall) { c.dst = arg{dataLen: -1} }, want: badShape("dst")})
	}
	rows = append(rows,
		badInput{name: "dst the zero Tensor for a scalar", op: gatherND, want: badShape("dst"), bend: func(c *badCall) {
			c.dst, c.indices.shape = arg{dataLen: -1}, []int{3}
		}},
		badInput{name: "dst the zero Tensor for a scalar", op: gather, want: badShape("dst"), bend: func(c *badCall) {
			c.dst, c.data.shape, c.indices.shape, c.axis, c.batchDims = arg{dataLen: -1}, []int{3}, nil, 0, 0
		}},
		badInput{name: "indices the zero Tensor", op: gather, want: badShape("indices"), bend: func(c *badCall) {
			c.dst.shape, c.indices, c.batchDims = []int{2}, arg{dataLen: -1}, 0
		}},
		badInput{name: "dst keeps the axis of a scalar", op: gather, want: badShape("dst"), bend: func(c *badCall) {
			c.dst.shape, c.indices.shape, c.batchDims = []int{2, 1}, nil, 0
		}},
		badInput{name: "dst the zero Tensor for a scalar", op: stridedSlice, want: badShape("dst"), bend: func(c *badCall) {
			c.dst, c.spec = arg{dataLen: -1}, kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, ShrinkAxisMask: mask("1,1")}
		}},
		badInput{name: "data the zero Tensor", op: stridedSlice, want: badShape("data"), bend: func(c *badCall) {
			c.data, c.dst = arg{dataLen: -1}, arg{}
		}},
		badInput{name: "dst [0,3] for [0,4]", op: gatherElements, want: badShape("dst"), bend: func(c *badCall) {
			c.indices.shape, c.dst.shape = []int{0, 4}, []int{0, 3}
		}},
		badInput{name: "dst [0,3] for [0,4]", op: stridedSlice, want: badShape("dst"), bend: func(c *badCall) {
			c.data.shape, c.dst.shape = []int{0, 4}, []int{0, 3}
		}},
		badInput{name: "dst for merged batch dims (OpenVINO GatherND-5)", op: gatherND, want: badShape("dst"), bend: func(c *badCall) {
			c.axis, c.indices.shape, c.dst.shape = 2, []int{2, 3, 1}, []int{6}
		}},
	)
	return rows
}

// viewRows are views that reach outside their slice, also by numbers whose
// products and sums wrap.
func viewRows() (rows []badInput) {
	set := func(last, stride int) func(a *arg) { // one stride, the others those of a contiguous tensor
		return func(a *arg) {
			a.strides = rowMajor(a.shape)
			a.strides[len(a.shape)-last] = stride
		}
	}
	faults := []struct {
		name string
		bend func(a *arg)
	}{
		{"one element too few", func(a *arg) { a.dataLen = need(a.shape) - 1 }},
		{"one element too few, strides written out", func(a *arg) { a.dataLen, a.strides = need(a.shape)-1, rowMajor(a.shape) }},
		{"a single element", func(a *arg) { a.dataLen = 1 }},
		{"nil data", func(a *arg) { a.dataLen = -1 }},
		{"an offset that shifts it out", func(a *arg) { a.dataLen, a.offset = need(a.shape), 1 }},
		{"an offset of -1", func(a *arg) { a.offset = -1 }},
		{"an offset of the smallest int", func(a *arg) { a.offset = math.MinInt }},
		{"an offset of the largest int", func(a *arg) { a.offset = math.MaxInt }},
		{"an offset just below the largest int", func(a *arg) { a.offset = math.MaxInt - 3 }},
		{"an offset of 2^32", func(a *arg) { a.offset = 1 << (bits.UintSize / 2) }},
		{"a reversed axis without an offset", set(1, -1)},
		{"a reversed outer axis without an offset", set(2, -3)},
		{"a row pitch too long", set(2, 100)},
		{"a stride of the largest int", set(1, math.MaxInt)},
		{"an outer stride of the largest int", set(2, math.MaxInt)},
		{"a stride of the smallest int", set(1, math.MinInt)}, // times 2 or 4, it wraps to 0
		{"an outer stride of the smallest int", set(2, math.MinInt)},
		{"strides that cancel", func(a *arg) {
			a.strides = rowMajor(a.shape)
			a.strides[len(a.shape)-2], a.strides[len(a.shape)-1] = math.MaxInt, -math.MaxInt
		}},
		{"an offset and a stride that cancel", func(a *arg) {
			set(2, -math.MaxInt)(a)
			a.offset = math.MaxInt
		}},
		{"an offset and a smallest stride that cancel but for -1", func(a *arg) {
			set(2, math.MinInt)(a)
			a.offset = math.MaxInt
		}},
		{"an offset that a wrapped extent brings back", func(a *arg) {
			set(1, math.MaxInt)(a) // 2·MaxInt wraps to -2
			a.offset = 2
		}},
		{"a quarter of the range, times 4", set(1, math.MaxInt/2+1)},
		{"too few strides", func(a *arg) { a.strides = []int{1} }},
		{"too many strides", func(a *arg) { a.strides = append(rowMajor(a.shape), 1) }},
	}
	for _, op := range badOps {
		for _, name := range argsOf(op) {
			if good := goodCall(op); len(good.arg(name).shape) < 2 {
				continue
			}
			for _, f := range faults {
				row := badInput{name: name + " with " + f.name, op: op, bend: func(c *badCall) { f.bend(c.arg(name)) }, want: badShape(name)}
				if name == "dst" {
					row.or = badOverlap("dst") // some of these entangle its axes, too
				}
				rows = append(rows, row)
			}
		}
	}
	for name, a := range map[string]arg{
		"an index too few": {dataLen: 1}, "nil data": {dataLen: -1}, "an offset of -1": {offset: -1}, "reversed without an offset": {strides: []int{-1}},
		"a stride of the largest int": {strides: []int{math.MaxInt}}, "a stride of the smallest int": {strides: []int{math.MinInt}}, "too many strides": {strides: []int{1, 1}},
		"an offset that shifts it out": {dataLen: 2, offset: 1}, "an offset of the largest int": {offset: math.MaxInt},
	} {
		a.shape = []int{2}
		rows = append(rows, badInput{name: "indices with " + name, op: tensorScatter, bend: func(c *badCall) { c.indices = a }, want: badShape("indices")})
	}
	return rows
}

// indexRows are indices that name no element.
func indexRows() (rows []badInput) {
	add := func(op, name string, want error, bend func(c *badCall)) {
		rows = append(rows, badInput{name: name, op: op, bend: bend, want: want})
	}
	at := func(c *badCall, p int, v int64) {
		c.values = make([]int64, p+1)
		c.values[p] = v
	}
	signed := []struct {
		name  string
		value int64
	}{
		{"index d", 5}, {"index d+2", 7}, {"index -d-1 (OpenVINO wrote before the buffer)", -6},
		{"index -10 (TensorFlow CVE-2021-37687)", -10}, {"index 1000 (TensorFlow CVE-2022-35939)", 1000}, {"index -1000 (TensorFlow CVE-2022-35939)", -1000},
		{"largest int8", 127}, {"smallest int8", -128}, {"largest uint8", 255}, {"index 256", 256},
		{"largest int16", math.MaxInt16}, {"smallest int16", math.MinInt16}, {"largest uint16", math.MaxUint16}, {"index 2^16", 1 << 16},
		{"largest int32", math.MaxInt32}, {"smallest int32", math.MinInt32}, {"index 2^31", 1 << 31}, {"largest uint32", math.MaxUint32},
		{"index 2^32, 0 if narrowed", 1 << 32}, {"index 2^32+1, 1 if narrowed (PyTorch)", 1<<32 + 1}, {"index -2^32, 0 if narrowed", -1 << 32},
		{"index 2^32-1, -1 if narrowed", 1<<32 - 1}, {"index -2^32-1, -1 if narrowed", -1<<32 - 1},
		{"index 2^62+1, 4 bytes in if the offset wraps (OpenVINO)", 1<<62 + 1}, {"index 2^61+1, 8 bytes in if the offset wraps", 1<<61 + 1},
		{"an index that is 1 times 5, wrapped", -3689348814741910323},
		{"largest int64", math.MaxInt64}, {"smallest int64", math.MinInt64}, {"smallest int64 and 1", math.MinInt64 + 1},
	}
	unsigned := []struct {
		name  string
		value uint64
	}{
		{"largest uint64, not -1", math.MaxUint64}, {"2^63", 1 << 63}, {"2^63+2", 1<<63 + 2}, {"uint64 -5", math.MaxUint64 - 4},
	}
	for _, v := range signed {
		add(tensorScatter, v.name, badIndex(strconv.FormatInt(v.value, 10), 1, 5, 1), func(c *badCall) { at(c, 1, v.value) })
		if v.value < 0 {
			add(tensorScatter, v.name+", circular", badIndex(strconv.FormatInt(v.value, 10), 1, 5, 1), func(c *badCall) { at(c, 1, v.value); c.mode = kernels.Circular })
		}
	}
	for _, v := range unsigned {
		add(tensorScatter, v.name, badIndex(strconv.FormatUint(v.value, 10), 1, 5, 1), func(c *badCall) {
			at(c, 1, int64(v.value))
			c.unsigned = true
		})
	}
	add(tensorScatter, "too late for the updates", badIndex("3", 1, 5, 0), func(c *badCall) { at(c, 0, 3) })
	add(tensorScatter, "-1 does not count from the end", badIndex("-1", 1, 5, 0), func(c *badCall) { at(c, 0, -1) })
	add(tensorScatter, "on axis -1, counted from 0", badIndex("3", 1, 5, 1), func(c *badCall) { c.axis = -1; at(c, 1, 3) })
	add(tensorScatter, "without an update", badIndex("6", 1, 5, 1), func(c *badCall) { c.updates.shape = []int{2, 0}; at(c, 1, 6) })
	add(tensorScatter, "for an axis of no size", badIndex("1", 1, 0, 1), func(c *badCall) {
		c.data.shape, c.dst.shape, c.updates.shape = []int{2, 0}, []int{2, 0}, []int{2, 0}
		at(c, 1, 1)
	})
	for _, op := range []string{gatherElements, scatter} {
		for _, v := range signed {
			add(op, v.name, badIndex(strconv.FormatInt(v.value, 10), 1, 5, 0, 2), func(c *badCall) { at(c, 2, v.value) })
		}
		for _, v := range unsigned {
			add(op, v.name, badIndex(strconv.FormatUint(v.value, 10), 1, 5, 0, 2), func(c *badCall) {
				at(c, 2, int64(v.value))
				c.unsigned = true
			})
		}
		add(op, "on axis 0", badIndex("3", 0, 3, 1, 2), func(c *badCall) { c.axis = 0; at(c, 5, 3) })
		add(op, "on axis -1, counted from 0", badIndex("5", 1, 5, 1, 0), func(c *badCall) { c.axis = -1; at(c, 3, 5) })
		add(op, "on axis -2, counted from 0", badIndex("4", 0, 3, 0, 1), func(c *badCall) { c.axis = -2; at(c, 1, 4) })
		add(op, "several: the first is told", badIndex("9", 1, 5, 0, 1), func(c *badCall) { c.values = []int64{4, 9, 5, 0, 77, 8} })
		add(op, "several, on axis 0: the first is told", badIndex("9", 0, 3, 0, 1), func(c *badCall) { c.axis = 0; c.values = []int64{2, 9, 5, 3, 77, 8} })
		add(op, "indices reversed: position in the view", badIndex("9", 1, 5, 0, 2), func(c *badCall) {
			c.indices.strides, c.indices.offset = []int{-3, -1}, 5
			c.values = []int64{77, 0, 0, 9, 0, 0}
		})
		add(op, "indices transposed: position in the view", badIndex("9", 1, 5, 0, 2), func(c *badCall) {
			c.indices.strides = []int{1, 2}
			c.values = []int64{0, 77, 0, 0, 9, 0}
		})
		add(op, "indices all the same", badIndex("5", 1, 5, 0, 0), func(c *badCall) {
			c.indices.strides, c.indices.dataLen = []int{0, 0}, 1
			c.values = []int64{5}
		})
		add(op, "indices constant along the inner axis", badIndex("3", 0, 3, 1, 0), func(c *badCall) {
			c.axis = 0
			c.indices.strides, c.indices.dataLen = []int{1, 0}, 2
			c.values = []int64{2, 3}
		})
		add(op, "index 0 into an empty axis", badIndex("0", 0, 0, 0, 0), func(c *badCall) {
			c.axis, c.data.shape, c.indices.shape = 0, []int{0, 3}, []int{1, 3}
			if c.dst.shape = c.indices.shape; op == scatter {
				c.updates.shape, c.dst.shape = c.indices.shape, c.data.shape
			}
		})
		add(op, "index 0 into an empty vector", badIndex("0", 0, 0, 0), func(c *badCall) {
			c.axis, c.data.shape, c.indices.shape = 0, []int{0}, []int{2}
			if c.dst.shape = c.indices.shape; op == scatter {
				c.updates.shape, c.dst.shape = c.indices.shape, c.data.shape
			}
		})
		add(op, "in a vector of vectors' length", badIndex("10", 0, 10, 63), func(c *badCall) {
			c.axis, c.data.shape, c.indices.shape = 0, []int{10}, []int{64}
			if c.dst.shape = c.indices.shape; op == scatter {
				c.updates.shape, c.dst.shape = c.indices.shape, c.data.shape
			}
			at(c, 63, 10)
		})
	}
	for _, r := range reductions[1:] {
		for _, ignore := range []bool{false, true} {
			add(scatter, fmt.Sprintf("under %v, IgnoreInit %v", r, ignore), badIndex("5", 1, 5, 1, 1), func(c *badCall) {
				c.attrs = kernels.ScatterAttrs{Reduction: r, IgnoreInit: ignore}
				c.values = []int64{0, 1, 0, 1, 5, 1}
			})
		}
	}

	for _, r := range ndReductions[1:] {
		add(scatterND, fmt.Sprintf("under %v", r), badIndex("3", 1, 3, 1, 1), func(c *badCall) {
			c.attrs = kernels.ScatterAttrs{Reduction: r}
			c.values = []int64{1, 2, 1, 3}
		})
		add(scatterND, fmt.Sprintf("rows under %v, IgnoreInit", r), badIndex("-3", 0, 2, 1, 0), func(c *badCall) {
			c.attrs = kernels.ScatterAttrs{Reduction: r, IgnoreInit: true}
			c.indices.shape, c.updates.shape = []int{2, 1}, []int{2, 3, 4}
			c.values = []int64{1, -3}
		})
	}
	for _, op := range []string{gatherND, scatterND} {
		for _, v := range signed { // a value that is bad for both axes, at either component
			if v.value == 5 {
				v.value = 3
			}
			add(op, v.name, badIndex(strconv.FormatInt(v.value, 10), 1, 3, 1, 1), func(c *badCall) { at(c, 3, v.value) })
		}
	}
	for _, v := range unsigned {
		add(scatterND, v.name, badIndex(strconv.FormatUint(v.value, 10), 0, 2, 1, 0), func(c *badCall) {
			at(c, 2, int64(v.value))
			c.unsigned = true
		})
		add(gatherND, v.name, badIndex(strconv.FormatUint(v.value, 10), 0, 2, 1, 0), func(c *badCall) {
			at(c, 2, int64(v.value))
			c.unsigned = true
		})
	}
	for _, v := range signed {
		add(gather, v.name, badIndex(strconv.FormatInt(v.value, 10), 1, 5, 0, 2), func(c *badCall) { at(c, 2, v.value) })
		add(gather, v.name+", a scalar", badIndex(strconv.FormatInt(v.value, 10), 1, 5), func(c *badCall) {
			c.indices.shape, c.dst.shape, c.batchDims = nil, []int{2}, 0
			at(c, 0, v.value)
		})
	}
	for _, v := range unsigned {
		add(gather, v.name, badIndex(strconv.FormatUint(v.value, 10), 1, 5, 1, 0), func(c *badCall) {
			at(c, 3, int64(v.value))
			c.unsigned = true
		})
	}
	add(gather, "on axis 0", badIndex("2", 0, 2, 1, 0), func(c *badCall) {
		c.axis, c.batchDims, c.indices.shape, c.dst.shape = 0, 0, []int{2, 1}, []int{2, 1, 5}
		at(c, 1, 2)
	})
	add(gather, "on axis -1, counted from 0", badIndex("5", 1, 5, 1, 0), func(c *badCall) { c.axis = -1; at(c, 3, 5) })
	add(gather, "several: the first is told", badIndex("9", 1, 5, 0, 1), func(c *badCall) { c.values = []int64{4, 9, 5, 0, 77, 8} })
	add(gather, "several, without batches: the first is told", badIndex("9", 1, 5, 1), func(c *badCall) {
		c.batchDims, c.indices.shape = 0, []int{3}
		c.values = []int64{4, 9, -7}
	})
	add(gather, "indices transposed: position in the view", badIndex("9", 1, 5, 0, 2), func(c *badCall) {
		c.indices.strides = []int{1, 2}
		c.values = []int64{0, 77, 0, 0, 9, 0}
	})
	add(gather, "index 0 into an empty axis", badIndex("0", 0, 0, 0), func(c *badCall) {
		c.axis, c.batchDims, c.data.shape, c.indices.shape, c.dst.shape = 0, 0, []int{0, 3}, []int{2}, []int{2, 3}
	})
	add(gather, "a scalar into an empty axis", badIndex("0", 0, 0), func(c *badCall) {
		c.axis, c.batchDims, c.data.shape, c.indices.shape, c.dst.shape = 0, 0, []int{0, 3}, nil, []int{3}
	})
	add(gather, "in a vector of vectors' length", badIndex("10", 0, 10, 63), func(c *badCall) {
		c.axis, c.batchDims, c.data.shape, c.indices.shape, c.dst.shape = 0, 0, []int{10}, []int{64}, []int{64}
		at(c, 63, 10)
	})
	add(scatterND, "one index a tuple", badIndex("2", 0, 2, 1, 0), func(c *badCall) {
		c.indices.shape, c.updates.shape = []int{2, 1}, []int{2, 3, 4}
		at(c, 1, 2)
	})
	add(scatterND, "whole tuples", badIndex("-5", 2, 4, 1, 2), func(c *badCall) {
		c.indices.shape, c.updates.shape = []int{2, 3}, []int{2}
		at(c, 5, -5)
	})
	add(scatterND, "a scalar of updates", badIndex("4", 2, 4, 2), func(c *badCall) {
		c.indices.shape, c.updates.shape = []int{3}, nil
		at(c, 2, 4)
	})
	add(scatterND, "several: the first is told", badIndex("3", 1, 3, 0, 1), func(c *badCall) { c.values = []int64{1, 3, 9, 9} })
	add(scatterND, "offsets that add up to an element", badIndex("4", 1, 3, 0, 1), func(c *badCall) { c.values = []int64{0, 4} })
	add(scatterND, "index 0 into an empty axis", badIndex("0", 0, 0, 0, 0), func(c *badCall) {
		c.data.shape, c.dst.shape, c.indices.shape, c.updates.shape = []int{0, 3}, []int{0, 3}, []int{1, 1}, []int{1, 3}
	})
	add(scatterND, "a bad index for rows of no elements", badIndex("2", 0, 2, 1, 0), func(c *badCall) {
		c.data.shape, c.dst.shape, c.indices.shape, c.updates.shape = []int{2, 0}, []int{2, 0}, []int{2, 1}, []int{2, 0}
		at(c, 1, 2)
	})
	add(scatterND, "a bad pair for rows of no elements", badIndex("3", 1, 3, 1, 1), func(c *badCall) {
		c.data.shape, c.dst.shape, c.indices.shape, c.updates.shape = []int{2, 3, 0}, []int{2, 3, 0}, []int{2, 2}, []int{2, 0}
		at(c, 3, 3)
	})
	add(scatterND, "indices reversed: position in the view", badIndex("2", 0, 2, 1, 0), func(c *badCall) {
		c.indices.strides, c.indices.offset = []int{-2, -1}, 3
		c.values = []int64{0, 2, 0, 0}
	})
	add(gatherND, "first component", badIndex("2", 0, 2, 0, 0), func(c *badCall) { at(c, 0, 2) })
	add(gatherND, "first component below -d", badIndex("-3", 0, 2, 0, 0), func(c *badCall) { at(c, 0, -3) })
	add(gatherND, "several: the first is told", badIndex("3", 1, 3, 0, 1), func(c *badCall) { c.values = []int64{1, 3, 9, 9} })
	add(gatherND, "the second tuple's first component", badIndex("2", 0, 2, 1, 0), func(c *badCall) { c.values = []int64{1, 2, 2, 3} })
	add(gatherND, "offsets that add up to an element", badIndex("4", 1, 3, 0, 1), func(c *badCall) { c.values = []int64{0, 4} })
	add(gatherND, "behind a batch dim: data's axis", badIndex("3", 1, 3, 1, 0), func(c *badCall) {
		c.axis, c.indices.shape = 1, []int{2, 1}
		at(c, 1, 3)
	})
	add(gatherND, "behind a batch dim: the second component", badIndex("4", 2, 4, 1, 1), func(c *badCall) {
		c.axis, c.indices.shape, c.dst.shape = 1, []int{2, 2}, []int{2}
		at(c, 3, 4)
	})
	add(gatherND, "whole tuples", badIndex("-5", 2, 4, 1, 2), func(c *badCall) {
		c.indices.shape, c.dst.shape = []int{2, 3}, []int{2}
		at(c, 5, -5)
	})
	add(gatherND, "a scalar of rank 0", badIndex("4", 2, 4, 2), func(c *badCall) {
		c.indices.shape, c.dst.shape = []int{3}, nil
		at(c, 2, 4)
	})
	add(gatherND, "index 0 into an empty axis (ONNX Runtime read the heap)", badIndex("0", 0, 0, 0, 0), func(c *badCall) {
		c.data.shape, c.indices.shape, c.dst.shape = []int{0, 3}, []int{1, 1}, []int{1, 3}
	})
	add(gatherND, "index 0 into an empty axis behind a good one", badIndex("0", 1, 0, 0, 1), func(c *badCall) {
		c.data.shape, c.indices.shape, c.dst.shape = []int{2, 0, 3}, []int{1, 2}, []int{1, 3}
	})
	add(gatherND, "index 0 into empty data (TensorFlow CVE-2021-29589)", badIndex("0", 0, 0, 0), func(c *badCall) {
		c.data.shape, c.indices.shape, c.dst.shape = []int{0}, []int{1}, nil
	})
	add(gatherND, "indices reversed: position in the view", badIndex("2", 0, 2, 1, 0), func(c *badCall) {
		c.indices.strides, c.indices.offset = []int{-2, -1}, 3
		c.values = []int64{0, 2, 0, 0}
	})
	return rows
}

// shrinkRows are shrunk axes whose begin names no element.
func shrinkRows() (rows []badInput) {
	type s = kernels.SliceSpec
	add := func(name, value string, axis, size int, data, dst []int, spec s) {
		rows = append(rows, badInput{name: "shrunk " + name, op: stridedSlice, want: badIndex(value, axis, size), shapes: true, bend: func(c *badCall) {
			c.data.shape, c.dst.shape, c.spec = data, dst, spec
		}}, badInput{name: "shrunk " + name, op: sliceScatter, want: badIndex(value, axis, size), shapes: true, bend: func(c *badCall) {
			c.data.shape, c.dst.shape, c.updates.shape, c.spec = data, data, dst, spec
		}})
	}
	full, empty := []int{2, 3}, []int{0, 3}
	for name, begin := range map[string]int64{
		"begin d": 3, "begin -d-1": -4, "begin 2^31": 1 << 31, "begin 2^32+1": 1<<32 + 1, "begin -2^32": -1 << 32,
		"begin largest": math.MaxInt64, "begin smallest": math.MinInt64, "begin smallest and 3": math.MinInt64 + 3,
	} {
		add(name, strconv.FormatInt(begin, 10), 1, 3, full, []int{2}, s{Begin: []int64{0, begin}, End: []int64{2, 3}, ShrinkAxisMask: mask("0,1")})
	}
	add("on axis 0", "2", 0, 2, full, []int{3}, s{Begin: []int64{2}, End: []int64{0}, ShrinkAxisMask: mask("1")})
	add("empty axis", "0", 0, 0, empty, []int{3}, s{Begin: []int64{0}, End: []int64{0}, ShrinkAxisMask: mask("1")})
	add("empty axis from its end", "-1", 0, 0, empty, []int{3}, s{Begin: []int64{-1}, End: []int64{0}, ShrinkAxisMask: mask("1")})
	add("empty axis under begin_mask", "", 0, 0, empty, []int{3}, s{Begin: []int64{0}, End: []int64{0}, ShrinkAxisMask: mask("1"), BeginMask: mask("1")})
	add("behind a new axis", "5", 0, 2, full, []int{1, 3}, s{Begin: []int64{0, 5}, End: []int64{0, 0}, NewAxisMask: mask("1"), ShrinkAxisMask: mask("0,1")})
	add("behind an ellipsis", "5", 1, 3, full, []int{2}, s{Begin: []int64{0, 5}, End: []int64{0, 0}, EllipsisMask: mask("1"), ShrinkAxisMask: mask("0,1")})
	add("behind a shrunk one", "-4", 1, 3, full, nil, s{Begin: []int64{1, -4}, End: []int64{0, 0}, ShrinkAxisMask: mask("1,1")})
	return rows
}

// overlapRows share memory that may not be shared.
func overlapRows() (rows []badInput) {
	add := func(op, name, tensor string, bend func(c *badCall)) {
		rows = append(rows, badInput{name: name, op: op, bend: bend, want: badOverlap(tensor)})
	}
	// Data of 100 elements, the view of the call from element 30 on.
	inside := func(c *badCall, name string) *arg {
		a := c.arg(name)
		a.dataLen, a.offset = 100, 30
		c.dst.in = name
		return a
	}
	for _, op := range badOps {
		for _, name := range argsOf(op)[1:] {
			good := goodCall(op)
			n := need(good.arg(name).shape)
			out := need(good.dst.shape)
			if !updatesData(op) || name != "data" {
				add(op, "dst begins where "+name+" begins", name, func(c *badCall) { inside(c, name); c.dst.offset = 30 })
			}
			add(op, "dst begins one behind "+name+"'s begin", name, func(c *badCall) { inside(c, name); c.dst.offset = 31 })
			add(op, "dst begins on "+name+"'s last element", name, func(c *badCall) { inside(c, name); c.dst.offset = 30 + n - 1 })
			add(op, "dst ends on "+name+"'s first element", name, func(c *badCall) { inside(c, name); c.dst.offset = 30 - out + 1 })
			add(op, "dst reversed, ends on "+name+"'s last element", name, func(c *badCall) {
				inside(c, name)
				c.dst.strides = rowMajor(c.dst.shape)
				for d := range c.dst.strides {
					c.dst.strides[d] *= -1
				}
				c.dst.offset = 30 + n - 1 + out - 1
			})
			add(op, "dst between the elements of "+name, name, func(c *badCall) {
				a := inside(c, name)
				a.strides, c.dst.strides = rowMajor(a.shape), rowMajor(c.dst.shape)
				for _, s := range [][]int{a.strides, c.dst.strides} {
					for d := range s {
						s[d] *= 2
					}
				}
				a.dataLen, a.offset, c.dst.offset = 200, 30, 31
			})
		}
		for name, l := range map[string]struct{ shape, strides []int }{
			"dst repeats a row":            {[]int{2, 3}, []int{0, 1}},
			"dst repeats a column":         {[]int{2, 3}, []int{1, 0}},
			"dst is one element":           {[]int{2, 3}, []int{0, 0}},
			"dst of strides [1,1]":         {[]int{2, 2}, []int{1, 1}},
			"dst of strides [1,-1]":        {[]int{2, 2}, []int{1, -1}},
			"dst of overlapping rows":      {[]int{2, 3}, []int{2, 1}},
			"dst entangled":                {[]int{4, 3}, []int{2, 3}}, // 3·2 = 2·3
			"dst entangled, one reversed":  {[]int{4, 3}, []int{2, -3}},
			"dst entangled on three axes":  {[]int{2, 2, 2}, []int{1, 2, 3}}, // 1+2 = 3
			"dst entangled, strides above": {[]int{3, 2, 2}, []int{10, 15, 5}},
		} {
			add(op, name, "dst", func(c *badCall) {
				c.axis, c.dst = 0, arg{shape: l.shape, strides: l.strides, offset: 50, dataLen: 100}
				c.data = arg{shape: l.shape}
				c.indices.shape = l.shape
				if op == scatterND {
					c.updates.shape = l.shape
				}
				if op == gatherND || op == scatterND {
					c.indices.shape = []int{l.shape[0], 1}
				}
				if op == gather {
					c.indices.shape, c.batchDims = l.shape[:1], 0
				}
				if op == scatter || op == sliceScatter || op == tensorScatter {
					c.updates = arg{shape: l.shape}
				}
				if op == tensorScatter {
					c.axis, c.indices.shape = 1, l.shape[:1]
				}
			})
		}
	}
	add(scatterND, "in place, shifted by an element", "data", func(c *badCall) { inside(c, "data"); c.dst.offset = 31 })
	add(scatterND, "in place, transposed", "data", func(c *badCall) { inside(c, "data"); c.dst.strides, c.dst.offset = []int{1, 2, 6}, 30 })
	add(scatterND, "in place, reversed", "data", func(c *badCall) { inside(c, "data"); c.dst.strides, c.dst.offset = []int{12, 4, -1}, 33 })
	// In place means each element in its own place.
	for name, bend := range map[string]func(c *badCall){
		"in place, rows swapped":         func(c *badCall) { c.dst.strides, c.dst.offset = []int{-5, 1}, 40 },
		"in place, reversed":             func(c *badCall) { c.dst.strides, c.dst.offset = []int{-5, -1}, 44 },
		"in place, of another row pitch": func(c *badCall) { c.dst.strides, c.dst.offset = []int{6, 1}, 30 },
		"in place, every other element":  func(c *badCall) { c.dst.strides, c.dst.offset = []int{10, 2}, 30 },
		"in place, shifted by a row":     func(c *badCall) { c.dst.offset = 35 },
		"in place, transposed":           func(c *badCall) { c.dst.strides, c.dst.offset = []int{1, 3}, 30 },
	} {
		add(scatter, name, "data", func(c *badCall) { inside(c, "data"); bend(c) })
	}
	for name, l := range map[string]arg{
		"in place, reversed":             {strides: []int{-3, -1}, offset: 35},
		"in place, of another row pitch": {strides: []int{4, 1}, offset: 30},
		"in place, shifted by a row":     {offset: 33},
		"in place, transposed":           {strides: []int{1, 2}, offset: 30},
	} {
		add(sliceScatter, name, "data", func(c *badCall) { inside(c, "data"); c.dst.strides, c.dst.offset = l.strides, l.offset })
	}
	return rows
}

// TestErrorTexts pins what a caller reads.
func TestErrorTexts(t *testing.T) {
	data, dst := make([]float32, 15), make([]float32, 15)
	grid, out := kernels.New(data, 3, 5), kernels.New(dst, 2, 3)
	view := func(spec kernels.SliceSpec) error { _, err := kernels.SliceView(grid, spec); return err }
	ranges := func(r kernels.Ranges) error { _, err := kernels.RangesView(grid, r); return err }
	reach := func(t kernels.Tensor[float32]) error { _, err := kernels.RangesView(t, kernels.Ranges{}); return err }
	for _, row := range []struct {
		name string
		err  error
		text string // ending in "…": only the beginning
	}{
		{"index", kernels.GatherElements(out, grid, kernels.New([]int64{0, 1, 7, 9, 0, 0}, 2, 3), 1),
			"kernels: GatherElements: index 7 at [0 2] is out of range for axis 1 of size 5"},
		{"negative index", kernels.ScatterElementsUpdate(kernels.New(dst, 3, 5), grid, kernels.New([]int8{0, 1, 2, -4, 0, 0}, 2, 3), kernels.New(make([]float32, 6), 2, 3), -2, kernels.ScatterAttrs{}),
			"kernels: ScatterElementsUpdate: index -4 at [1 0] is out of range for axis 0 of size 3"},
		{"large index", kernels.GatherND(kernels.New(dst, 2), grid, kernels.New([]uint64{2, 4, 0, math.MaxUint64}, 2, 2), 0),
			"kernels: GatherND: index 18446744073709551615 at [1 1] is out of range for axis 1 of size 5"},
		{"a range of no axis", ranges(kernels.Ranges{Starts: []int64{0, 1}, Ends: []int64{1, 2}, Axes: []int64{0, 5}}),
			"kernels: Slice: axes [0 5]: axis 5 is outside [-2, 1]"},
		{"two ranges of an axis", ranges(kernels.Ranges{Starts: []int64{0, 1}, Ends: []int64{1, 2}, Axes: []int64{1, -1}}),
			"kernels: Slice: axes [1 -1]: axis 1 occurs twice"},
		{"a step of 0", ranges(kernels.Ranges{Starts: []int64{0}, Ends: []int64{1}, Axes: []int64{-1}, Steps: []int64{0}}),
			"kernels: Slice: steps [0]: the step of axis 1 is 0"},
		{"begin", view(kernels.SliceSpec{Begin: []int64{0, 5}, End: []int64{0, 0}, ShrinkAxisMask: mask("1,1")}),
			"kernels: StridedSlice: begin 5 is out of range for axis 1 of size 5"},
		{"begin of a scatter", kernels.SliceScatter(grid, grid, kernels.New(make([]float32, 3), 3), kernels.SliceSpec{Begin: []int64{-4}, End: []int64{0}, ShrinkAxisMask: mask("1")}),
			"kernels: SliceScatter: begin -4 is out of range for axis 0 of size 3"},
		{"a write index", kernels.TensorScatter(grid, grid, kernels.New(make([]float32, 6), 3, 2), kernels.New([]int32{3, 0, 4}, 3), 1, kernels.Linear),
			"kernels: TensorScatter: index 4 at [2] is out of range for axis 1 of size 5, of which 2 from the index on are written"},
		{"a circular write index", kernels.TensorScatter(grid, grid, kernels.New(make([]float32, 6), 3, 2), kernels.New([]int32{7, 0, -1}, 3), -1, kernels.Circular),
			"kernels: TensorScatter: index -1 at [2] is out of range for axis 1 of size 5"},
		{"updates of a cache", kernels.TensorScatter(grid, grid, grid, kernels.Tensor[int]{}, 0, kernels.Linear), "kernels: TensorScatter: axis 0: axis 0 is the batch"},
		{"updates of a part", kernels.SliceScatter(grid, grid, out, kernels.SliceSpec{Begin: []int64{1}, End: []int64{3}}),
			"kernels: SliceScatter: updates of shape [2 3]: want shape [2 5]"},
		{"scalar index", kernels.Gather(kernels.New(dst, 3), grid, kernels.New([]int32{-6}), 1, 0),
			"kernels: Gather: index -6 at [] is out of range for axis 1 of size 5"},
		{"batch_dims beyond axis", kernels.Gather(out, grid, kernels.New(make([]int64, 3), 3), 0, 1), "kernels: Gather: batch_dims 1: …"},
		{"shape", kernels.GatherElements(kernels.New(dst, 3, 2), grid, kernels.New(make([]int64, 6), 2, 3), 1),
			"kernels: GatherElements: dst of shape [3 2]: …"},
		{"axis", kernels.GatherElements(out, grid, kernels.New(make([]int64, 6), 2, 3), 2), "kernels: GatherElements: axis 2: …"},
		{"batch_dims", kernels.GatherND(out, grid, kernels.New(make([]int64, 6), 2, 3), -1), "kernels: GatherND: batch_dims -1: …"},
		{"reduction", kernels.ScatterElementsUpdate(grid, grid, kernels.New([]int8{}, 0, 5), kernels.New([]float32{}, 0, 5), 0, kernels.ScatterAttrs{Reduction: 99}),
			"kernels: ScatterElementsUpdate: reduction Reduction(99): …"},
		{"reduction of no such operator", kernels.ScatterElementsUpdate(grid, grid, kernels.New([]int8{}, 0, 5), kernels.New([]float32{}, 0, 5), 0, kernels.ScatterAttrs{Reduction: sub}),
			"kernels: ScatterElementsUpdate: reduction sub: only ScatterNDUpdate and GeneralScatter support it"},
		{"reduction of no such operator", kernels.ScatterNDUpdate(grid, grid, kernels.New([]int8{}, 0, 1), kernels.New([]float32{}, 0, 5), kernels.ScatterAttrs{Reduction: mean}),
			"kernels: ScatterNDUpdate: reduction mean: there is no such reduction"},
		{"overlap", kernels.GatherElements(kernels.New(data, 2, 3), grid, kernels.New(make([]int64, 6), 2, 3), 1),
			"kernels: GatherElements: dst shares memory with data"},
		{"overlap of dst", kernels.StridedSlice(kernels.Tensor[float32]{Data: dst, Shape: []int{3, 5}, Strides: []int{0, 1}}, grid, kernels.SliceSpec{}),
			"kernels: StridedSlice: two coordinates of dst share an element"},
		{"type", kernels.ScatterElementsUpdate(kernels.New([]string{""}, 1), kernels.New([]string{""}, 1), kernels.New([]int{0}, 1), kernels.New([]string{""}, 1), 0, kernels.ScatterAttrs{Reduction: sum}),
			"kernels: ScatterElementsUpdate: element type string: sum: supports only None"},
		{"too few elements", reach(kernels.New(data[:3], 2, 2)),
			"kernels: Slice: data of shape [2 2]: needs 4 elements, Data has 3"},
		{"too few elements for the strides", reach(kernels.Tensor[float32]{Data: data[:8], Shape: []int{3, 2}, Strides: []int{4, -1}, Offset: 1}),
			"kernels: Slice: data of shape [3 2]: with strides [4 -1] from offset 1 needs 10 elements, Data has 8"},
		{"below Data", reach(kernels.Tensor[float32]{Data: data, Shape: []int{3}, Strides: []int{-1}, Offset: 1}),
			"kernels: Slice: data of shape [3]: with strides [-1] from offset 1 needs element -1 of Data"},
		{"beyond an int", reach(kernels.Tensor[float32]{Data: data, Shape: []int{3}, Strides: []int{math.MaxInt}}),
			fmt.Sprintf("kernels: Slice: data of shape [3]: with strides [%d] needs more elements than an int can count", math.MaxInt)},
		{"the last offset", reach(kernels.Tensor[float32]{Data: data, Shape: []int{1}, Offset: math.MaxInt}),
			fmt.Sprintf("kernels: Slice: data of shape [1]: from offset %d needs %d elements, Data has 15", math.MaxInt, uint64(math.MaxInt)+1)},
		{"strides of another rank", reach(kernels.Tensor[float32]{Data: data, Shape: []int{3, 5}, Strides: []int{1}}),
			"kernels: Slice: data of shape [3 5]: want 2 strides, have 1"},
		{"updates of tuples", kernels.ScatterNDUpdate(grid, grid, kernels.New([]int8{0, 1}, 2, 1), kernels.New(make([]float32, 4), 2, 2), kernels.ScatterAttrs{}),
			"kernels: ScatterNDUpdate: updates of shape [2 2]: want shape [2 5]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Error(t, row.err)
			want, got := row.text, row.err.Error()
			if cut := len(want) - len("…"); want[cut:] == "…" {
				require.Greater(t, len(got), cut, "the reason is missing")
				want, got = want[:cut], got[:cut]
			}
			require.Equal(t, want, got)
		})
	}
}

// TestBadTypes: reductions that an element type does not have.
func TestBadTypes(t *testing.T) {
	all := slices.Concat(reductions[1:], []kernels.Reduction{sub})
	badType[string](t, all...)
	badType[rgb](t, all...)
	badType[record](t, all...)
	badType[unit](t, all...)
	badType[[2]float32](t, all...)
	badType[[]int](t, all...)
	badType[*int](t, all...)
	badType[any](t, all...)
	badType[uintptr](t, all...)
	badType[address](t, all...)
	badType[oddHalf](t, all...)
	badType[brokenHalf](t, all...)
	badType[bool](t, mean)
	type flag bool
	badType[flag](t, mean)
	badType[complex64](t, low, high)
	badType[complex128](t, low, high)
}

func badType[T any](t *testing.T, reductions ...kernels.Reduction) {
	name := reflect.TypeFor[T]().String()
	for _, r := range reductions {
		for _, n := range []int{3, 0} { // of no update too
			t.Run(fmt.Sprintf("%s/%v/n=%d", name, r, n), func(t *testing.T) {
				data, updates, dst := make([]T, 4), make([]T, n), make([]T, 4)
				for _, out := range [][]T{dst, data} {
					for _, ignore := range []bool{false, true} {
						err := noPanic(func() error {
							return kernels.ScatterElementsUpdate(kernels.New(out, 4), kernels.New(data, 4), kernels.New(make([]int32, n), n),
								kernels.New(updates, n), 0, kernels.ScatterAttrs{Reduction: r, IgnoreInit: ignore})
						})
						requireFailure(t, scatter, &kernels.TypeError{Type: name}, err)
						if r == mean {
							continue
						}
						err = noPanic(func() error {
							return kernels.ScatterNDUpdate(kernels.New(out, 4), kernels.New(data, 4), kernels.New(make([]int32, n), n, 1),
								kernels.New(updates, n), kernels.ScatterAttrs{Reduction: r, IgnoreInit: ignore})
						})
						requireFailure(t, scatterND, &kernels.TypeError{Type: name}, err)
					}
				}
			})
		}
	}
}

// TestBadIndexAnywhere puts one bad index, or several, wherever a vector could
// end, and into tensors that several workers share.
func TestBadIndexAnywhere(t *testing.T) {
	t.Run("int64", badIndexAnywhere[int64])
	t.Run("int32", badIndexAnywhere[int32])
	t.Run("uint8", badIndexAnywhere[uint8])
	t.Run("uint64", badIndexAnywhere[uint64])
}

func badIndexAnywhere[I kernels.Index](t *testing.T) {
	const d = 100
	data := counting[float32](d)
	step := 1
	if testing.Short() {
		step = 9
	}
	for n := 1; n <= 140; n += step + n/40 {
		indices, updates, dst := make([]I, n), make([]float32, n), make([]float32, n)
		for p := range n {
			want := badIndex(strconv.Itoa(d), 0, d, p)
			indices[p] = d
			if p+1 < n {
				indices[n-1] = d + 1 // a later one
			}
			err := kernels.GatherElements(kernels.New(dst, n), kernels.New(data, d), kernels.New(indices, n), 0)
			requireFailure(t, gatherElements, want, err)
			err = kernels.GatherND(kernels.New(dst, n), kernels.New(data, d), kernels.New(indices, n, 1), 0)
			requireFailure(t, gatherND, badIndex(strconv.Itoa(d), 0, d, p, 0), err)
			err = kernels.Gather(kernels.New(dst, n), kernels.New(data, d), kernels.New(indices, n), 0, 0)
			requireFailure(t, gather, want, err)
			err = kernels.ScatterElementsUpdate(kernels.New(data, d), kernels.New(data, d), kernels.New(indices, n), kernels.New(updates, n), 0, kernels.ScatterAttrs{Reduction: sum})
			requireFailure(t, scatter, want, err)
			err = kernels.ScatterNDUpdate(kernels.New(data, d), kernels.New(data, d), kernels.New(indices, n, 1), kernels.New(updates, n), kernels.ScatterAttrs{Reduction: sub})
			requireFailure(t, scatterND, badIndex(strconv.Itoa(d), 0, d, p, 0), err)
			pairs := make([]I, 2*n)
			for j, k := range indices {
				pairs[2*j+1] = k
			}
			err = kernels.ScatterNDUpdate(kernels.New(data, 1, d), kernels.New(data, 1, d), kernels.New(pairs, n, 2), kernels.New(updates, n), kernels.ScatterAttrs{})
			requireFailure(t, scatterND, badIndex(strconv.Itoa(d), 1, d, p, 1), err)
			requireBits(t, counting[float32](d), data, "in place")
			indices[p], indices[n-1] = 0, 0
		}
	}
}

func TestFirstBadIndexOfMany(t *testing.T) {
	rows, cols := 1<<8, 1<<11
	if testing.Short() {
		rows = 1 << 5
	}
	data, dst := counting[float32](rows*cols), make([]float32, rows*cols)
	indices := make([]int32, rows*cols)
	for _, first := range []int{rows*cols/3 + 5, rows*cols - 1, 0} {
		clear(indices)
		for p := first; p < len(indices); p += 1000 + first/7 {
			indices[p] = int32(-cols - 1 - p%2)
		}
		value, position := strconv.Itoa(int(indices[first])), []int{first / cols, first % cols}
		for _, workers := range []int{1, 2, 3, 8, 64} {
			x := kernels.New(indices, rows, cols)
			out, grid := kernels.New(dst, rows, cols), kernels.New(data, rows, cols)
			for axis, size := range grid.Shape {
				requireFailure(t, gatherElements, badIndex(value, axis, size, position...), kernels.GatherElements(out, grid, x, axis, kernels.Workers(workers)))
				for _, r := range []kernels.Reduction{none, sum, mean} {
					err := kernels.ScatterElementsUpdate(grid, grid, x, out, axis, kernels.ScatterAttrs{Reduction: r}, kernels.Workers(workers))
					requireFailure(t, scatter, badIndex(value, axis, size, position...), err)
				}
			}
			flat := kernels.New(dst, rows*cols)
			requireFailure(t, gatherND, badIndex(value, 0, rows, append(position, 0)...),
				kernels.GatherND(kernels.Tensor[float32]{Data: dst, Shape: []int{rows, cols}}, kernels.New(data[:rows], rows),
					kernels.New(indices, rows, cols, 1), 0, kernels.Workers(workers)))
			column := kernels.New(data[:rows], rows)
			requireFailure(t, scatterND, badIndex(value, 0, rows, append(position, 0)...), kernels.ScatterNDUpdate(column, column,
				kernels.New(indices, rows, cols, 1), out, kernels.ScatterAttrs{Reduction: sum}, kernels.Workers(workers)))
			requireFailure(t, scatterND, badIndex(value, 0, rows, first, 0), kernels.ScatterNDUpdate(grid, grid,
				kernels.New(indices, rows*cols, 1), kernels.Tensor[float32]{Data: dst, Shape: []int{rows * cols, cols}, Strides: []int{0, 1}}, kernels.ScatterAttrs{}, kernels.Workers(workers)))
			requireFailure(t, gather, badIndex(value, 1, cols, position...), kernels.Gather(out, grid, x, 1, 1, kernels.Workers(workers)))
			requireFailure(t, gatherElements, badIndex(value, 0, cols, first),
				kernels.GatherElements(flat, kernels.New(data[:cols], cols), kernels.New(indices, rows*cols), 0, kernels.Workers(workers)))
		}
	}
	require.True(t, slices.Equal(counting[float32](rows*cols), data), "in place, nothing is written")
}

// TestHostileButValid are calls that broke others and that have a right answer.
func TestHostileButValid(t *testing.T) {
	line := kernels.New(counting[float32](10), 10)
	one := func(begin, end, stride int64) kernels.SliceSpec {
		return kernels.SliceSpec{Begin: []int64{begin}, End: []int64{end}, Strides: []int64{stride}}
	}
	// Shapes of more than 2^31 elements over one.
	huge := kernels.Tensor[float32]{Data: []float32{7}, Shape: []int{1, 46342, 46341}, Strides: []int{0, 0, 0}}
	if bits.UintSize == 32 {
		huge.Shape = []int{1, 46340, 46340}
	}
	last := int64(huge.Shape[1] - 1)
	runGolden(t, []golden[float32]{
		sliced("StridedSlice 0:2^31-1:126322568 (2026)", line, one(0, math.MaxInt32, 126322568), []int{1}, 0),
		sliced("StridedSlice 9:-2^31:-126322568", line, one(9, math.MinInt32, -126322568), []int{1}, 9),
		sliced("StridedSlice strides that overflow (XNNPACK)", line, one(1, math.MaxInt64, math.MaxInt64), []int{1}, 1),
		sliced("StridedSlice strides that overflow backwards (XNNPACK)", line, one(-1, math.MinInt64, math.MinInt64), []int{1}, 9),
		sliced("StridedSlice begin + stride overflows", line, one(3, 10, math.MaxInt64-2), []int{1}, 3),
		sliced("StridedSlice ellipsis for no axis (TensorFlow CVE-2021-37686)", line, kernels.SliceSpec{
			Begin: []int64{8, 0}, End: []int64{10, 0}, EllipsisMask: mask("0,1")}, []int{2}, 8, 9),
		sliced("StridedSlice ellipsis beyond the rank is ignored (TensorFlow CVE-2021-37686)", line, kernels.SliceSpec{
			Begin: []int64{8}, End: []int64{10}, EllipsisMask: mask("0,1,1,1")}, []int{2}, 8, 9),
		sliced("StridedSlice of [1,46342,46341]", huge, kernels.SliceSpec{
			Begin: []int64{0, last, -2}, End: []int64{1, math.MaxInt64, -1}}, []int{1, 1, 1}, 7),
		sliced("StridedSlice of [1,46342,46341], two of 2^31", huge, kernels.SliceSpec{
			Begin: []int64{0, 0, 0}, End: []int64{1, math.MaxInt64, 1}, Strides: []int64{1, last, 1}}, []int{1, 2, 1}, 7, 7),

		gathered("GatherElements from [1,46342,46341]", huge, kernels.New([]int64{last, -last - 1}, 1, 2, 1), 1, []int{1, 2, 1}, 7, 7),
		gatheredND("GatherND from [1,46342,46341]", huge, kernels.New([]int32{0, int32(last), -1}, 3), 0, nil, 7),
		gathered("int32 indices are not read as int64 (PyTorch)", line, kernels.New([]int32{1, 1, 0, 2, 9, 0}, 6), 0, []int{6}, 1, 1, 0, 2, 9, 0),
		gathered("int32 indices, an odd number of them", line, kernels.New([]int32{3, 0, 5}, 3), 0, []int{3}, 3, 0, 5),
		gatheredND("GatherND on an empty axis with no index (ONNX Runtime)", kernels.Tensor[float32]{Shape: []int{0, 3}},
			kernels.New([]int64{}, 0, 1), 0, []int{0, 3}),
		gatheredND("GatherND on empty rows reads no index (TensorFlow CVE-2021-29589)", kernels.Tensor[float32]{Shape: []int{2, 0}},
			kernels.New([]int64{1 << 40}, 1, 1), 0, []int{1, 0}),
	})
	for name, infer := range map[string]func() ([]int, error){
		"ScatterElementsUpdateShape of [1,46342,46341] (TensorFlow)": func() ([]int, error) {
			return kernels.ScatterElementsUpdateShape(huge.Shape, []int{1, 1, 1}, []int{1, 1, 1}, 1)
		},
		"GatherElementsShape of [1,46342,46341]": func() ([]int, error) { return kernels.GatherElementsShape(huge.Shape, huge.Shape, 2) },
		"StridedSliceShape of [1,46342,46341]":   func() ([]int, error) { return kernels.StridedSliceShape(huge.Shape, kernels.SliceSpec{}) },
		"GatherNDShape of [1,46342,46341]":       func() ([]int, error) { return kernels.GatherNDShape(huge.Shape, []int{1, 1}, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			shape, err := infer()
			require.NoError(t, err)
			require.Equal(t, huge.Shape, shape)
		})
	}

	t.Run("46341 by 46341 elements of no size (ONNX Runtime)", func(t *testing.T) {
		n := huge.Shape[2] // n×n is beyond 2^31 where int has 64 bits
		data := kernels.New(make([]unit, n*n), n, n)
		dst := kernels.New(make([]unit, 2), 2)
		end := int64(n - 1)
		require.NoError(t, kernels.GatherND(dst, data, kernels.New([]int64{end, end, -1, 0}, 2, 2), 0))
		requireFailure(t, gatherND, badIndex(strconv.Itoa(n), 1, n, 1, 1), kernels.GatherND(dst, data, kernels.New([]int64{end, end, 0, end + 1}, 2, 2), 0))
		require.NoError(t, kernels.StridedSlice(kernels.New(make([]unit, n), 1, n), data, kernels.SliceSpec{Begin: []int64{end}, End: []int64{math.MaxInt64}}))
	})
	t.Run("elements of no size still check their indices", func(t *testing.T) {
		data, dst := kernels.New(make([]unit, 5), 5), kernels.New(make([]unit, 3), 3)
		x := kernels.New([]int32{0, 5, -6}, 3)
		requireFailure(t, gatherElements, badIndex("5", 0, 5, 1), kernels.GatherElements(dst, data, x, 0))
		requireFailure(t, gatherND, badIndex("5", 0, 5, 1, 0), kernels.GatherND(dst, data, kernels.New(x.Data, 3, 1), 0))
		requireFailure(t, gather, badIndex("5", 0, 5, 1), kernels.Gather(dst, data, x, 0, 0))
		requireFailure(t, gather, badIndex("-6", 0, 5), kernels.Gather(kernels.New(dst.Data[:1]), data, kernels.New(x.Data[2:]), 0, 0))
		requireFailure(t, scatter, badIndex("5", 0, 5, 1), kernels.ScatterElementsUpdate(data, data, x, dst, 0, kernels.ScatterAttrs{}))
		requireFailure(t, scatterND, badIndex("5", 0, 5, 1, 0), kernels.ScatterNDUpdate(data, data, kernels.New(x.Data, 3, 1), dst, kernels.ScatterAttrs{}))
		requireFailure(t, gatherElements, badShape("data"), kernels.GatherElements(dst, kernels.New(data.Data, 6), x, 0))
	})
	t.Run("interlocked dst of elements of no size", func(t *testing.T) {
		const k = math.MaxInt / 16
		dst := kernels.Tensor[unit]{Data: make([]unit, math.MaxInt), Shape: []int{2, 3}, Strides: []int{3 * k, 2*k + 1}}
		require.NoError(t, noPanic(func() error {
			return kernels.StridedSlice(dst, kernels.New(make([]unit, 6), 2, 3), kernels.SliceSpec{})
		}))
	})
}

// TestNoShapeWithAnError: also where the output alone is too large.
func TestNoShapeWithAnError(t *testing.T) {
	const half = 1 << (bits.UintSize/2 + 8)
	for name, f := range map[string]func() ([]int, error){
		"GatherND":     func() ([]int, error) { return kernels.GatherNDShape([]int{1, half}, []int{half, 1}, 0) },
		"Gather":       func() ([]int, error) { return kernels.GatherShape([]int{1, half}, []int{half}, 0, 0) },
		"EmbeddingBag": func() ([]int, error) { return kernels.EmbeddingBagShape([]int{1, half}, []int{1}, []int{half}) },
	} {
		shape, err := f()
		require.ErrorIs(t, err, kernels.ErrShape, name)
		require.Nil(t, shape, name)
	}
}

func TestShapeFunctionsReturnTheirOwnSlice(t *testing.T) {
	data, indices := []int{2, 3}, []int{2, 1}
	for name, infer := range map[string]func() ([]int, error){
		gatherElements: func() ([]int, error) { return kernels.GatherElementsShape(data, indices, 1) },
		gatherND:       func() ([]int, error) { return kernels.GatherNDShape(data, indices, 0) },
		gather:         func() ([]int, error) { return kernels.GatherShape(data, indices, 1, 0) },
		scatter:        func() ([]int, error) { return kernels.ScatterElementsUpdateShape(data, indices, indices, 1) },
		scatterND:      func() ([]int, error) { return kernels.ScatterNDUpdateShape(data, indices, []int{2, 3}) },
		stridedSlice:   func() ([]int, error) { return kernels.StridedSliceShape(data, kernels.SliceSpec{}) },
		tensorScatter:  func() ([]int, error) { return kernels.TensorScatterShape(data, indices, []int{2}, 1) },
		slice:          func() ([]int, error) { return kernels.SliceShape(data, kernels.Ranges{}) },
		sliceScatter:   func() ([]int, error) { return kernels.SliceScatterShape(data, []int{2, 3}, kernels.SliceSpec{}) },
	} {
		shape, err := infer()
		require.NoError(t, err, name)
		for d := range shape {
			shape[d] = -1
		}
		require.Equal(t, []int{2, 3, 2, 1}, append(slices.Clone(data), indices...), name)
	}
}
