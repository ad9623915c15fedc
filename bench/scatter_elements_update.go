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

// scatter is a call of ScatterElementsUpdate on tensors whose shapes differ
// along axis alone, with uniform random indices.
type scatter[T element, I kernels.Index] struct {
	data, indices dims
	axis          int
	rows          rows
	pick          pick
	reduction     kernels.Reduction
	inPlace       bool
	beyondL2      bool // data is a table larger than L2
}

// rows says whether the indices of a row, along the last axis, are all the same.
type rows uint8

const (
	different  rows = iota
	writtenOut      // the same, each in its place
	stride0         // the same, in a view that has one for the whole row
)

// The oracle's name of each reduction.
var oracleOp = map[kernels.Reduction]generic.Op{
	kernels.None: generic.Replace,
	kernels.Sum:  generic.Sum,
	kernels.Prod: generic.Prod,
	kernels.Min:  generic.Min,
	kernels.Max:  generic.Max,
	kernels.Mean: generic.Mean,
}

func (s scatter[T, I]) operator() string { return "ScatterElementsUpdate" }

func (s scatter[T, I]) what() string {
	return fmt.Sprintf("%v, axis %d, data %s, indices and updates %s", s.reduction, s.axis, shapeString(s.data), shapeString(s.indices))
}

func (s scatter[T, I]) job(rng *rand.Rand) job {
	n, d := size(s.indices), s.data[s.axis]
	j := &scatterJob[T, I]{
		spec: s, view: contiguous(s.indices),
		data: values[T](rng, size(s.data)), updates: values[T](rng, n),
	}
	width := s.indices[len(s.indices)-1]
	switch s.rows {
	case different:
		j.indices = indices[I](rng, n, d, s.pick)
	case writtenOut:
		for _, k := range indices[I](rng, n/width, d, s.pick) {
			j.indices = append(j.indices, slices.Repeat([]I{k}, width)...)
		}
	case stride0:
		j.indices = uniform[I](rng, n/width, d)
		j.view.Strides = []int{1, 0}
	}
	j.initial = j.data
	j.dst = make([]T, len(j.data))
	if s.inPlace {
		j.data = j.dst
	}
	j.reset()
	return j
}

type scatterJob[T element, I kernels.Index] struct {
	spec               scatter[T, I]
	initial            []T // what data holds before a run
	dst, data, updates []T // dst is data in place
	indices            []I
	view               generic.View // of indices
}

func (j *scatterJob[T, I]) run(workers int) error {
	s := &j.spec
	return kernels.ScatterElementsUpdate(kernels.New(j.dst, s.data...), kernels.New(j.data, s.data...),
		kernels.Tensor[I]{Data: j.indices, Shape: j.view.Shape, Strides: j.view.Strides}, kernels.New(j.updates, s.indices...),
		s.axis, kernels.ScatterAttrs{Reduction: s.reduction}, kernels.Workers(workers))
}

func (j *scatterJob[T, I]) plain() func() error { return nil }
func (j *scatterJob[T, I]) elements() int       { return len(j.updates) }

func (j *scatterJob[T, I]) reset() {
	clear(j.dst)
	if j.spec.inPlace {
		copy(j.dst, j.initial)
	}
}

func (j *scatterJob[T, I]) table() int {
	if !j.spec.beyondL2 {
		return 0
	}
	return bytesOf(j.data)
}

func (j *scatterJob[T, I]) traffic() traffic {
	arguments := bytesOf(j.indices) + bytesOf(j.updates)
	if !j.spec.inPlace {
		return traffic{Read: arguments + bytesOf(j.data), Write: bytesOf(j.dst)}
	}
	indices := j.indices
	if j.spec.rows == stride0 { // each stands for a row
		indices = nil
		for _, k := range j.indices {
			indices = append(indices, slices.Repeat([]I{k}, len(j.updates)/len(j.indices))...)
		}
	}
	// All indices are checked before the first write, so they are read twice.
	return traffic{
		Read: arguments, Again: bytesOf(j.indices),
		Update: linesTouched(j.spec.data, j.spec.indices, j.spec.axis, indices, unsafe.Sizeof(j.data[0])),
	}
}

func (j *scatterJob[T, I]) forPeers() peerJob {
	s := &j.spec
	indices := peerTensorOf(j.indices, s.indices)
	if s.rows == stride0 {
		indices.tensor.Strides = j.view.Strides
	}
	e := peerJob{
		call: protocol.Call{
			Operator: protocol.ScatterElementsUpdate, Axis: s.axis, InPlace: s.inPlace, Reduction: fmt.Sprint(s.reduction),
			Output: protocol.Tensor{Type: typeOf[T](), Shape: s.data},
		},
		data: peerTensorOf(j.initial, s.data), indices: indices, updates: peerTensorOf(j.updates, s.indices),
		result: protocol.Bytes(j.dst),
	}
	if s.reduction == kernels.Sum || s.reduction == kernels.Mean {
		e.additions = j.additions()
	}
	return e
}

// additions returns the largest number of updates that a cell gets.
func (j *scatterJob[T, I]) additions() int {
	s := &j.spec
	strides := contiguous(s.data).Strides
	counts, most := make([]int32, len(j.data)), int32(0)
	for c := range generic.Coordinates(s.indices) {
		k := int(j.indices[j.view.Address(c)])
		at := 0
		for d, i := range c {
			if d == s.axis {
				i = k
			}
			at += i * strides[d]
		}
		counts[at]++
		most = max(most, counts[at])
	}
	return int(most)
}

// check compares whole lines along axis, on each of which the definition
// depends on no other.
func (j *scatterJob[T, I]) check(rng *rand.Rand) error {
	s := &j.spec
	for b := range boxes(rng, s.indices, along(ones(len(s.indices)), s.axis, s.indices[s.axis])) {
		cells := b.stretched(s.axis, s.data[s.axis])
		want := make([]T, size(cells.shape))
		if err := generic.ScatterElementsUpdate(want, generic.View{Shape: cells.shape},
			j.initial, cells.of(contiguous(s.data)), j.indices, b.of(j.view),
			j.updates, b.of(contiguous(s.indices)), s.axis, oracleOp[s.reduction], false); err != nil {
			return err
		}
		if err := compare(j.dst, contiguous(s.data), cells, want); err != nil {
			return err
		}
	}
	return nil
}
