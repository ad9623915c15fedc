package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// gatherElements is a call of GatherElements on contiguous tensors whose
// shapes differ along axis alone.
type gatherElements[T element, I kernels.Index] struct {
	data, indices dims
	axis          int
	index         func(c []int) int // of the coordinate c; nil: pick's
	pick          pick
	beyondL2      bool // data is a table larger than L2
	plain         func(dst, data []T, indices []I, ds, is dims) error
}

func (s gatherElements[T, I]) operator() string { return "GatherElements" }

func (s gatherElements[T, I]) what() string {
	return fmt.Sprintf("axis %d, data %s, indices %s", s.axis, shapeString(s.data), shapeString(s.indices))
}

func (s gatherElements[T, I]) job(rng *rand.Rand) job {
	n := size(s.indices)
	j := &gatherElementsJob[T, I]{spec: s, dst: make([]T, n), data: values[T](rng, size(s.data))}
	if s.index == nil {
		j.indices = indices[I](rng, n, s.data[s.axis], s.pick)
	} else {
		for c := range generic.Coordinates(s.indices) {
			j.indices = append(j.indices, I(s.index(c)))
		}
	}
	if s.plain != nil {
		j.hand = make([]T, n)
	}
	return j
}

type gatherElementsJob[T element, I kernels.Index] struct {
	spec            gatherElements[T, I]
	dst, hand, data []T // hand is the hand-written loop's dst
	indices         []I
}

func (j *gatherElementsJob[T, I]) run(workers int) error {
	s := &j.spec
	return kernels.GatherElements(kernels.New(j.dst, s.indices...), kernels.New(j.data, s.data...),
		kernels.New(j.indices, s.indices...), s.axis, kernels.Workers(workers))
}

func (j *gatherElementsJob[T, I]) plain() func() error {
	if j.spec.plain == nil {
		return nil
	}
	return func() error { return j.spec.plain(j.hand, j.data, j.indices, j.spec.data, j.spec.indices) }
}

func (j *gatherElementsJob[T, I]) reset()        { clear(j.dst) }
func (j *gatherElementsJob[T, I]) elements() int { return len(j.dst) }

func (j *gatherElementsJob[T, I]) table() int {
	if !j.spec.beyondL2 {
		return 0
	}
	return bytesOf(j.data)
}

func (j *gatherElementsJob[T, I]) traffic() traffic {
	touched := linesTouched(j.spec.data, j.spec.indices, j.spec.axis, j.indices, unsafe.Sizeof(j.data[0]))
	return traffic{Read: bytesOf(j.indices) + touched, Write: bytesOf(j.dst)}
}

func (j *gatherElementsJob[T, I]) forPeers() peerJob {
	return peerJob{
		call: protocol.Call{
			Operator: protocol.GatherElements, Axis: j.spec.axis,
			Output: protocol.Tensor{Type: typeOf[T](), Shape: j.spec.indices},
		},
		data: peerTensorOf(j.data, j.spec.data), indices: peerTensorOf(j.indices, j.spec.indices),
		result: protocol.Bytes(j.dst),
	}
}

func (j *gatherElementsJob[T, I]) check(rng *rand.Rand) error {
	s := &j.spec
	grain := along(ones(len(s.indices)), s.axis, min(s.indices[s.axis], 4096))
	for b := range boxes(rng, s.indices, grain) {
		want := make([]T, size(b.shape))
		if err := generic.GatherElements(want, generic.View{Shape: b.shape},
			j.data, b.stretched(s.axis, s.data[s.axis]).of(contiguous(s.data)),
			j.indices, b.of(contiguous(s.indices)), s.axis); err != nil {
			return err
		}
		if err := compare(j.dst, contiguous(s.indices), b, want); err != nil {
			return err
		}
	}
	if err := spotCheck(rng, j.dst, s.indices, j.formula); err != nil {
		return err
	}
	return compareAll(j.dst, s.indices, j.hand)
}

// formula returns the element of the output at c.
func (j *gatherElementsJob[T, I]) formula(c []int) T {
	k := int(j.indices[flat(j.spec.indices, c)])
	return j.data[flat(j.spec.data, along(slices.Clone(c), j.spec.axis, k))]
}
