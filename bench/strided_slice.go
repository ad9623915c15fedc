package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unsafe"

	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// slice is a call of StridedSlice on a contiguous tensor, with a cut for each axis.
type slice[T element] struct {
	data  dims
	cuts  cuts
	plain func(dst, data []T, ds, out dims) error
}

// A cut is what is taken of an axis: begin:end:stride, and all of it in that
// direction if whole, or the element at begin alone if shrunk.
type cut struct {
	begin, end, stride int64
	whole, shrunk      bool
}

type cuts []cut

var all = step(1)

func step(stride int64) cut     { return cut{stride: stride, whole: true} }
func span(begin, end int64) cut { return cut{begin: begin, end: end, stride: 1} }
func only(at int64) cut         { return cut{begin: at, stride: 1, shrunk: true} }

func (c cut) String() string {
	switch {
	case c.shrunk:
		return fmt.Sprint(c.begin)
	case c.whole && c.stride == 1:
		return ":"
	case c.whole:
		return fmt.Sprintf("::%d", c.stride)
	default:
		return fmt.Sprintf("%d:%d", c.begin, c.end)
	}
}

// read returns where a cut of an axis of size d begins and how many elements it takes.
func (c cut) read(d int) (begin, n int) {
	switch {
	case c.whole && c.stride < 0:
		return d - 1, (d-1)/int(-c.stride) + 1
	case c.whole:
		return 0, (d-1)/int(c.stride) + 1
	case c.shrunk:
		return int(c.begin), 1
	default:
		return int(c.begin), int((c.end-c.begin-1)/c.stride) + 1
	}
}

func (s slice[T]) operator() string { return "StridedSlice" }

func (s slice[T]) what() string {
	cuts := make([]string, len(s.cuts))
	for d, c := range s.cuts {
		cuts[d] = c.String()
	}
	return fmt.Sprintf("data %s [%s]", shapeString(s.data), strings.Join(cuts, ", "))
}

// view returns the output's elements as a view of data.
func (s slice[T]) view() (v generic.View) {
	strides := contiguous(s.data).Strides
	for d, c := range s.cuts {
		begin, n := c.read(s.data[d])
		v.Offset += begin * strides[d]
		if !c.shrunk {
			v.Shape = append(v.Shape, n)
			v.Strides = append(v.Strides, int(c.stride)*strides[d])
		}
	}
	return v
}

func (s slice[T]) job(rng *rand.Rand) job {
	j := &sliceJob[T]{spec: s, view: s.view(), data: values[T](rng, size(s.data))}
	j.dst = make([]T, size(j.view.Shape))
	for _, c := range s.cuts {
		j.arguments.Begin = append(j.arguments.Begin, c.begin)
		j.arguments.End = append(j.arguments.End, c.end)
		j.arguments.Strides = append(j.arguments.Strides, c.stride)
		j.arguments.BeginMask = append(j.arguments.BeginMask, c.whole)
		j.arguments.EndMask = append(j.arguments.EndMask, c.whole)
		j.arguments.ShrinkAxisMask = append(j.arguments.ShrinkAxisMask, c.shrunk)
	}
	if s.plain != nil {
		j.hand = make([]T, len(j.dst))
	}
	return j
}

type sliceJob[T element] struct {
	spec            slice[T]
	view            generic.View // the output's elements in data
	arguments       kernels.SliceSpec
	dst, hand, data []T // hand is the hand-written loop's dst
}

func (j *sliceJob[T]) run(workers int) error {
	return kernels.StridedSlice(kernels.New(j.dst, j.view.Shape...), kernels.New(j.data, j.spec.data...),
		j.arguments, kernels.Workers(workers))
}

func (j *sliceJob[T]) plain() func() error {
	if j.spec.plain == nil {
		return nil
	}
	return func() error { return j.spec.plain(j.hand, j.data, j.spec.data, j.view.Shape) }
}

func (j *sliceJob[T]) reset()        { clear(j.dst) }
func (j *sliceJob[T]) elements() int { return len(j.dst) }
func (j *sliceJob[T]) table() int    { return 0 }

func (j *sliceJob[T]) traffic() traffic {
	touched := newLineSet(len(j.data), unsafe.Sizeof(j.data[0]))
	for c := range generic.Coordinates(j.view.Shape) {
		touched.add(j.view.Address(c), 1)
	}
	return traffic{Read: touched.bytes(), Write: bytesOf(j.dst)}
}

func (j *sliceJob[T]) forPeers() peerJob {
	e := peerJob{
		call: protocol.Call{
			Operator: protocol.StridedSlice,
			Output:   protocol.Tensor{Type: typeOf[T](), Shape: j.view.Shape},
		},
		data: peerTensorOf(j.data, j.spec.data), result: protocol.Bytes(j.dst),
	}
	for d, c := range j.spec.cuts {
		begin, n := c.read(j.spec.data[d])
		e.call.Cuts = append(e.call.Cuts, protocol.Cut{Begin: begin, Count: n, Stride: int(c.stride), Shrunk: c.shrunk})
	}
	return e
}

// check compares boxes that lie in one place along the leading axes that are
// taken whole, as many of these as it takes to make a box small.
func (j *sliceJob[T]) check(rng *rand.Rand) error {
	s := &j.spec
	data := append(dims(nil), s.data...) // of a box
	var shape dims                       // of its output
	for d, c := range s.cuts {
		if c.whole && c.stride == 1 && size(data) > 1<<16 {
			data[d] = 1
		}
		if _, n := c.read(data[d]); !c.shrunk {
			shape = append(shape, n)
		}
	}
	for b := range boxes(rng, j.view.Shape, shape) {
		from := box{make([]int, len(data)), append(dims(nil), s.data...)}
		axis := 0
		for d, c := range s.cuts {
			if c.whole && c.stride == 1 {
				from.at[d], from.shape[d] = b.at[axis], b.shape[axis]
			}
			if !c.shrunk {
				axis++
			}
		}
		want := make([]T, size(b.shape))
		if err := generic.StridedSlice(want, generic.View{Shape: b.shape}, j.data, from.of(contiguous(s.data)),
			generic.Slice(j.arguments)); err != nil {
			return err
		}
		if err := compare(j.dst, contiguous(j.view.Shape), b, want); err != nil {
			return err
		}
	}
	if err := spotCheck(rng, j.dst, j.view.Shape, func(c []int) T { return j.data[j.view.Address(c)] }); err != nil {
		return err
	}
	return compareAll(j.dst, j.view.Shape, j.hand)
}
