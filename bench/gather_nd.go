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

// gatherND is a call of GatherND on contiguous tensors, with uniform random indices.
type gatherND[T element, I kernels.Index] struct {
	data, indices dims
	batchDims     int
	beyondL2      bool // single elements are taken from data, which is larger than L2
	plain         func(dst, data []T, indices []I, ds, is dims) error
}

func (s gatherND[T, I]) operator() string { return "GatherND" }

func (s gatherND[T, I]) what() string {
	return fmt.Sprintf("batch_dims %d, data %s, indices %s", s.batchDims, shapeString(s.data), shapeString(s.indices))
}

// tuples is the shape of indices without the axis of length k that holds a tuple.
func (s gatherND[T, I]) tuples() (shape dims, k int) {
	q := len(s.indices) - 1
	return s.indices[:q], s.indices[q]
}

// row is the shape of what a tuple names.
func (s gatherND[T, I]) row() dims {
	_, k := s.tuples()
	return s.data[s.batchDims+k:]
}

func (s gatherND[T, I]) output() dims {
	tuples, _ := s.tuples()
	return slices.Concat(tuples, s.row())
}

func (s gatherND[T, I]) job(rng *rand.Rand) job {
	tuples, k := s.tuples()
	j := &gatherNDJob[T, I]{spec: s, dst: make([]T, size(s.output())), data: values[T](rng, size(s.data))}
	for range size(tuples) {
		for i := range k {
			j.indices = append(j.indices, I(rng.IntN(s.data[s.batchDims+i])))
		}
	}
	if s.plain != nil {
		j.hand = make([]T, len(j.dst))
	}
	return j
}

type gatherNDJob[T element, I kernels.Index] struct {
	spec            gatherND[T, I]
	dst, hand, data []T // hand is the hand-written loop's dst
	indices         []I
}

func (j *gatherNDJob[T, I]) run(workers int) error {
	s := &j.spec
	return kernels.GatherND(kernels.Tensor[T]{Data: j.dst, Shape: s.output()}, kernels.New(j.data, s.data...),
		kernels.New(j.indices, s.indices...), s.batchDims, kernels.Workers(workers))
}

func (j *gatherNDJob[T, I]) plain() func() error {
	if j.spec.plain == nil {
		return nil
	}
	return func() error { return j.spec.plain(j.hand, j.data, j.indices, j.spec.data, j.spec.indices) }
}

func (j *gatherNDJob[T, I]) reset()        { clear(j.dst) }
func (j *gatherNDJob[T, I]) elements() int { return len(j.dst) }

func (j *gatherNDJob[T, I]) table() int {
	if !j.spec.beyondL2 {
		return 0
	}
	return bytesOf(j.data)
}

func (j *gatherNDJob[T, I]) traffic() traffic {
	tuples, _ := j.spec.tuples()
	row := size(j.spec.row())
	touched := newLineSet(len(j.data), unsafe.Sizeof(j.data[0]))
	for o := range generic.Coordinates(tuples) {
		touched.add(flat(j.spec.data, j.from(o, make([]int, len(j.spec.row())))), row)
	}
	return traffic{Read: bytesOf(j.indices) + touched.bytes(), Write: bytesOf(j.dst)}
}

// from returns the coordinate in data of the element at s in what the tuple at o names.
func (j *gatherNDJob[T, I]) from(o, s []int) []int {
	tuples, k := j.spec.tuples()
	at := flat(tuples, o) * k
	c := slices.Clone(o[:j.spec.batchDims])
	for _, x := range j.indices[at : at+k] {
		c = append(c, int(x))
	}
	return append(c, s...)
}

func (j *gatherNDJob[T, I]) forPeers() peerJob {
	return peerJob{
		call: protocol.Call{
			Operator: protocol.GatherND, BatchDims: j.spec.batchDims,
			Output: protocol.Tensor{Type: typeOf[T](), Shape: j.spec.output()},
		},
		data: peerTensorOf(j.data, j.spec.data), indices: peerTensorOf(j.indices, j.spec.indices),
		result: protocol.Bytes(j.dst),
	}
}

func (j *gatherNDJob[T, I]) check(rng *rand.Rand) error {
	s := &j.spec
	tuples, k := s.tuples()
	last := len(tuples) - 1
	for b := range boxes(rng, s.output(), slices.Concat(along(ones(last+1), last, min(tuples[last], 1024)), s.row())) {
		index := box{slices.Concat(b.at[:last+1], []int{0}), slices.Concat(b.shape[:last+1], []int{k})}
		data := box{make([]int, len(s.data)), slices.Clone(s.data)}
		copy(data.at, b.at[:s.batchDims])
		copy(data.shape, b.shape[:s.batchDims])
		want := make([]T, size(b.shape))
		if err := generic.GatherND(want, generic.View{Shape: b.shape}, j.data, data.of(contiguous(s.data)),
			j.indices, index.of(contiguous(s.indices)), s.batchDims); err != nil {
			return err
		}
		if err := compare(j.dst, contiguous(s.output()), b, want); err != nil {
			return err
		}
	}
	formula := func(c []int) T { return j.data[flat(s.data, j.from(c[:last+1], c[last+1:]))] }
	if err := spotCheck(rng, j.dst, s.output(), formula); err != nil {
		return err
	}
	return compareAll(j.dst, s.output(), j.hand)
}
