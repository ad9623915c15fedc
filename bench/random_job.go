package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/bench/calls"
	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// randomSpec is a random call as a workload.
type randomSpec struct{ calls.Call }

func (s randomSpec) operator() string { return s.Operator }
func (s randomSpec) what() string     { return s.String() }

func (s randomSpec) job(*rand.Rand) job {
	switch s.Elem {
	case "float32":
		return newRandomJob[float32](s.Call)
	case "float16":
		return newRandomJob[kernels.Float16](s.Call)
	case "bfloat16":
		return newRandomJob[kernels.BFloat16](s.Call)
	case "uint8":
		return newRandomJob[uint8](s.Call)
	case "int32":
		return newRandomJob[int32](s.Call)
	case "int64":
		return newRandomJob[int64](s.Call)
	case "float64":
		return newRandomJob[float64](s.Call)
	case "int16":
		return newRandomJob[int16](s.Call)
	default:
		return newRandomJob[complex64](s.Call)
	}
}

func newRandomJob[T comparable](c calls.Call) job {
	if c.Index == "int32" {
		return &randomJob[T, int32]{Tensors: calls.New[T, int32](c)}
	}
	return &randomJob[T, int64]{Tensors: calls.New[T, int64](c)}
}

type randomJob[T comparable, I int32 | int64] struct {
	*calls.Tensors[T, I]
	checked *uint32 // the hash of a result that was right
}

func (j *randomJob[T, I]) run(workers int) error { return j.Run(workers) }
func (j *randomJob[T, I]) plain() func() error   { return nil }
func (j *randomJob[T, I]) reset()                { j.Reset() }
func (j *randomJob[T, I]) elements() int         { return j.Elements() }

// A nest is the loops over what a call moves: elements of the output, or of a scatter's updates.
type nest[I int32 | int64] struct {
	loops   []loop
	at      addresses // of the first
	indices []I
	sizes   []int // of the axes of data that components of an index go into
	steps   []int // of them in data
	apart   int   // how far components lie from each other
}

// addresses are where something is in what is moved, in data (a scatter's dst) and in indices.
type addresses struct{ moved, data, index int }

type loop struct {
	n    int
	step addresses
}

// each calls visit for each element that is moved, in row-major order.
func (n *nest[I]) each(visit func(moved, data int)) { n.from(0, n.at, visit) }

func (n *nest[I]) from(k int, at addresses, visit func(moved, data int)) {
	l := &n.loops[k]
	for range l.n {
		if k < len(n.loops)-1 {
			n.from(k+1, at, visit)
		} else {
			data := at.data
			for c, size := range n.sizes {
				x := int(n.indices[at.index+c*n.apart])
				if x < 0 {
					x += size
				}
				data += x * n.steps[c]
			}
			visit(at.moved, data)
		}
		at.moved, at.data, at.index = at.moved+l.step.moved, at.data+l.step.data, at.index+l.step.index
	}
}

// nest returns the loops of the call.
func (j *randomJob[T, I]) nest() *nest[I] {
	moved, data := view(j.Dst), view(j.Data)
	if j.Scatters() {
		moved, data = view(j.Updates), view(j.Dst)
	}
	n := &nest[I]{at: addresses{moved.Offset, data.Offset, 0}}
	for d, size := range j.Moved {
		n.loops = append(n.loops, loop{size, addresses{moved: moved.Strides[d]}})
	}
	if j.Slices() {
		for d, cut := range j.Cuts {
			n.at.data += cut.Begin * data.Strides[d]
			n.loops[d].step.data = cut.Step * data.Strides[d]
		}
		return n
	}

	x := view(j.Indices).Strides
	first, components := j.Axis, 1 // of the axes of data that are indexed
	last := first                  // of moved's axes, those that indices alone have end here
	switch n.indices = j.Indices.Data; j.Operator {
	case calls.GatherElements, calls.ScatterElementsUpdate:
		last = first + 1
		for d := range x {
			n.loops[d].step.index = x[d]
		}
	case calls.Gather:
		last = first + len(x) - j.BatchDims
		for d := range j.BatchDims {
			n.loops[d].step.index = x[d]
		}
		for d := first; d < last; d++ {
			n.loops[d].step.index = x[j.BatchDims+d-first]
		}
	default:
		last, components = len(x)-1, j.Indices.Shape[len(x)-1]
		first, n.apart = j.BatchDims, x[last]
		for d := range last {
			n.loops[d].step.index = x[d]
		}
	}
	n.sizes, n.steps = j.Data.Shape[first:first+components], data.Strides[first:first+components]
	for d := range first {
		n.loops[d].step.data = data.Strides[d]
	}
	for d := last; d < len(n.loops); d++ {
		n.loops[d].step.data = data.Strides[d-last+first+components]
	}
	return n
}

// view returns where a tensor's elements are, with the strides that it has or nil stands for.
func view[T any](t kernels.Tensor[T]) generic.View {
	v := generic.View{Shape: t.Shape, Strides: t.Strides, Offset: t.Offset}
	if t.Strides == nil {
		v.Strides = contiguous(t.Shape).Strides
	}
	return v
}

func (j *randomJob[T, I]) traffic() traffic {
	elem := j.ElemSize()
	moved, indices := j.Elements()*elem, bytesOf(j.Indices.Data)
	if j.Scatters() && !j.InPlace {
		all := size(j.Data.Shape) * elem
		return traffic{Read: indices + moved + all, Write: all}
	}
	touched := newLineSet(len(j.Data.Data), uintptr(elem))
	j.nest().each(func(_, data int) { touched.add(data, 1) })
	if j.InPlace {
		return traffic{Read: indices + moved, Again: indices, Update: touched.bytes()}
	}
	return traffic{Read: indices + touched.bytes(), Write: moved}
}

// table is for uniform indices that name single elements: on other axes packing makes the
// table small, and other patterns find much of it in the cache.
func (j *randomJob[T, I]) table() int {
	if j.Slices() || j.Pattern != calls.Uniform && j.Pattern != calls.Negative {
		return 0
	}
	sizes, k := j.Indexed()
	behind := j.Data.Shape[j.Axis+1:]
	if j.Operator == calls.GatherND || j.Operator == calls.ScatterNDUpdate {
		behind = j.Data.Shape[j.BatchDims+k:]
	}
	if b := size(sizes) * j.ElemSize(); size(behind) == 1 && b > someL2 {
		return b
	}
	return 0
}

const (
	// definedUpTo is how large data and what is moved are at most where the operator's definition
	// gives the whole result. Of larger calls the addresses come from nest, and the definition
	// reduces some of the cells.
	definedUpTo  = 1 << 15
	reducedInAll = 1 << 16 // updates
)

// check compares all of dst's memory with what it should hold, or with a result that was right.
func (j *randomJob[T, I]) check(*rand.Rand) error {
	if hash := j.Hash(); j.checked == nil {
		defer func() { j.checked = &hash }()
	} else if *j.checked != hash {
		return fmt.Errorf("the result differs from one that was right")
	} else {
		return nil
	}
	find := j.found
	if len(j.Data.Data) <= definedUpTo && j.Elements() <= definedUpTo {
		find = j.defined
	}
	want, err := find()
	if err != nil {
		return err
	}
	calls.SameNaN(want)
	got := protocol.Bytes(j.Dst.Data)
	if should := protocol.Bytes(want); !bytes.Equal(got, should) {
		size := int(unsafe.Sizeof(want[0]))
		for i := range want {
			if at := i * size; !bytes.Equal(got[at:at+size], should[at:at+size]) {
				return fmt.Errorf("element %d of dst's memory is %v; the definition gives %v", i, j.Dst.Data[i], want[i])
			}
		}
	}
	return nil
}

// memory returns what dst's memory holds before a run.
func (j *randomJob[T, I]) memory() []T {
	if j.InPlace {
		return j.Initial()
	}
	return make([]T, len(j.Dst.Data))
}

// defined returns what dst's memory should hold, from the operator's definition.
func (j *randomJob[T, I]) defined() ([]T, error) {
	want, data := j.memory(), j.Initial()
	dv, sv, xv, uv := view(j.Dst), view(j.Data), view(j.Indices), view(j.Updates)
	begin, end, steps := make([]int64, len(j.Cuts)), make([]int64, len(j.Cuts)), make([]int64, len(j.Cuts))
	for d, cut := range j.Cuts {
		begin[d], end[d] = cut.Bounds()
		steps[d] = int64(cut.Step)
	}
	switch x, op := j.Indices.Data, oracleOp[j.Reduction]; j.Operator {
	case calls.GatherElements:
		return want, generic.GatherElements(want, dv, data, sv, x, xv, j.Axis)
	case calls.GatherND:
		return want, generic.GatherND(want, dv, data, sv, x, xv, j.BatchDims)
	case calls.Gather:
		return want, generic.GatherSlices(want, dv, data, sv, x, xv, j.Axis, j.BatchDims)
	case calls.ScatterElementsUpdate:
		return want, generic.ScatterElementsUpdate(want, dv, data, sv, x, xv, j.Updates.Data, uv, j.Axis, op, j.IgnoreInit)
	case calls.ScatterNDUpdate:
		return want, generic.ScatterNDUpdate(want, dv, data, sv, x, xv, j.Updates.Data, uv, op, j.IgnoreInit)
	case calls.StridedSlice:
		return want, generic.StridedSlice(want, dv, data, sv, generic.Slice{Begin: begin, End: end, Strides: steps})
	default:
		return want, generic.SliceRanges(want, dv, data, sv, generic.Ranges{Starts: begin, Ends: end, Steps: steps})
	}
}

// found returns what dst's memory should hold. Of a reduction some cells are reduced by the
// definition, in all their updates; the others that have updates are taken as they are.
func (j *randomJob[T, I]) found() ([]T, error) {
	want, all := j.memory(), j.nest()
	if !j.Scatters() {
		all.each(func(moved, data int) { want[moved] = j.Data.Data[data] })
		return want, nil
	}
	if !j.InPlace {
		copies := &nest[I]{at: addresses{moved: view(j.Dst).Offset, data: view(j.Data).Offset}}
		for d, n := range j.Data.Shape {
			copies.loops = append(copies.loops, loop{n, addresses{view(j.Dst).Strides[d], view(j.Data).Strides[d], 0}})
		}
		copies.each(func(to, from int) { want[to] = j.Data.Data[from] })
	}
	if j.Reduction == kernels.None {
		all.each(func(moved, data int) { want[data] = j.Updates.Data[moved] })
		return want, nil
	}

	number := map[int]int64{} // of the cells that are reduced; the first and the last to be updated are among them
	var cells []T
	var indices []int64
	var updates []T
	some := ^uint64(0)
	if n := j.Elements(); n > reducedInAll {
		some /= uint64(n) / reducedInAll
	}
	first, last := -1, -1
	all.each(func(_, data int) {
		if first < 0 {
			first = data
		}
		last = data
	})
	taken := slices.Clone(want)
	all.each(func(moved, data int) {
		if data != first && data != last && uint64(data)*0x9E3779B97F4A7C15 > some {
			taken[data] = j.Dst.Data[data]
			return
		}
		i, ok := number[data]
		if !ok {
			i = int64(len(cells))
			number[data], cells = i, append(cells, want[data])
		}
		indices, updates = append(indices, i), append(updates, j.Updates.Data[moved])
	})
	cv, uv := contiguous([]int{len(cells)}), contiguous([]int{len(updates)})
	if err := generic.ScatterElementsUpdate(cells, cv, cells, cv, indices, uv, updates, uv, 0, oracleOp[j.Reduction], j.IgnoreInit); err != nil {
		return nil, err
	}
	for cell, i := range number {
		taken[cell] = cells[i]
	}
	return taken, nil
}

// forPeers returns the call with row-major tensors; indices keep strides of 0.
func (j *randomJob[T, I]) forPeers() peerJob {
	e := peerJob{
		call: protocol.Call{
			Drawn: j.ID(), Operator: j.Operator, Axis: j.Axis, BatchDims: j.BatchDims, InPlace: j.InPlace,
			Output: protocol.Tensor{Type: j.Elem, Shape: j.Dst.Shape},
		},
		data:    peerTensor{protocol.Tensor{Type: j.Elem, Shape: j.Data.Shape}, protocol.Bytes(rowMajor(j.Initial(), view(j.Data)))},
		written: func() []byte { return slices.Clone(protocol.Bytes(rowMajor(j.Dst.Data, view(j.Dst)))) },
	}
	if j.Slices() {
		e.call.Operator = protocol.StridedSlice
		for _, c := range j.Cuts {
			e.call.Cuts = append(e.call.Cuts, protocol.Cut{Begin: c.Begin, Count: c.Count, Stride: c.Step})
		}
		return e
	}
	e.indices = peerTensorOf(j.Indices.Data, j.Indices.Shape)
	if j.Pattern == calls.Stride0 {
		e.indices.tensor.Strides = view(j.Indices).Strides
	}
	if j.Scatters() {
		e.call.Reduction, e.call.IgnoreInit = j.Reduction.String(), j.IgnoreInit
		e.updates = peerTensor{protocol.Tensor{Type: j.Elem, Shape: j.Moved}, protocol.Bytes(j.Updates.Data)}
		if j.Reduction == kernels.Sum || j.Reduction == kernels.Mean || j.Reduction == kernels.Prod {
			e.additions = j.additions()
		}
	}
	return e
}

// additions returns the largest number of updates that a cell gets.
func (j *randomJob[T, I]) additions() int {
	counts, most := make([]int32, len(j.Dst.Data)), int32(0)
	j.nest().each(func(_, data int) {
		counts[data]++
		most = max(most, counts[data])
	})
	return int(most)
}

// rowMajor returns a tensor's elements one after the other: itself if they are.
func rowMajor[T any](data []T, v generic.View) []T {
	if v.Offset == 0 && len(data) == size(v.Shape) && slices.Equal(v.Strides, contiguous(v.Shape).Strides) {
		return data
	}
	out := make([]T, 0, size(v.Shape))
	n := nest[int64]{at: addresses{data: v.Offset}}
	for d, size := range v.Shape {
		n.loops = append(n.loops, loop{size, addresses{data: v.Strides[d]}})
	}
	n.each(func(_, at int) { out = append(out, data[at]) })
	return out
}
