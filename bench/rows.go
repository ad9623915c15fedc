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

// rowWorkloads are the workloads of the operators that move rows.
var rowWorkloads = []workload{
	{"W24", "", "recommendations", bagSum(256<<10, 128, 16<<10, 20)},
	{"W25", "", "embedding", gatherRows(100000, 64, 200000)},
	{"W26", "", "its gradient", addRows(100000, 64, 200000)},
	{"W27", "", "padding left out", compressRows(200000, 64)},
	{"W28", "", "a mask of elements", takeElements(4 << 20)},
	{"W29", "", "crop", cropped(2048, 2048)},
}

// siblings is a call of one of the operators that choose rows of float32:
// EmbeddingBag, Gather, ScatterNDUpdate, Compress, Take, Slice, TensorScatter, SliceScatter and GeneralGather. Peers don't get it.
type siblings struct {
	name, shapes string
	fill         func(rng *rand.Rand, j *siblingsJob)
}

func (s siblings) operator() string { return s.name }
func (s siblings) what() string     { return s.shapes }

func (s siblings) job(rng *rand.Rand) job {
	j := &siblingsJob{}
	s.fill(rng, j)
	if j.initial == nil {
		j.initial = make([]f32, size(j.out))
	}
	j.dst, j.hand = slices.Clone(j.initial), slices.Clone(j.initial)
	return j
}

// A siblingsJob is its tensors, in the calls that use them.
type siblingsJob struct {
	out                dims
	dst, hand, initial []f32 // initial is what dst holds before a run
	count              int   // of the elements that are moved
	moved              traffic

	call func(dst []f32, workers int) error
	loop func(dst []f32) error
	// define writes rows of dst, from one on, as the definition has them.
	define func(dst []f32, from, rows int) error
}

func (j *siblingsJob) run(workers int) error { return j.call(j.dst, workers) }

func (j *siblingsJob) plain() func() error {
	copy(j.hand, j.initial) // as dst is before a run that is checked
	return func() error { return j.loop(j.hand) }
}

func (j *siblingsJob) reset()            { copy(j.dst, j.initial) }
func (j *siblingsJob) elements() int     { return j.count }
func (j *siblingsJob) traffic() traffic  { return j.moved }
func (j *siblingsJob) table() int        { return 0 }
func (j *siblingsJob) forPeers() peerJob { return peerJob{result: protocol.Bytes(j.dst)} }

func (j *siblingsJob) check(rng *rand.Rand) error {
	row := size(j.out[1:])
	grain := slices.Concat(dims{min(j.out[0], max(1, inParts/16/row))}, j.out[1:])
	for b := range boxes(rng, j.out, grain) {
		want := make([]f32, size(b.shape))
		if err := j.define(want, b.at[0], b.shape[0]); err != nil {
			return err
		}
		if err := compare(j.dst, contiguous(j.out), b, want); err != nil {
			return err
		}
	}
	return compareAll(j.dst, j.out, j.hand)
}

// part returns n of a tensor's rows, from one on.
func part(shape dims, from, n int) generic.View {
	return generic.View{Shape: slices.Concat(dims{n}, shape[1:]), Offset: from * size(shape[1:])}
}

// rowLines returns the bytes in the lines of a table's rows.
func rowLines(rows, cols int, named []i64) int {
	touched := newLineSet(rows*cols, unsafe.Sizeof(f32(0)))
	for _, k := range named {
		touched.add(int(k)*cols, cols)
	}
	return touched.bytes()
}

// bagSum is a sum over bags of one length.
func bagSum(rows, cols, bags, length int) siblings {
	n := bags * length
	return siblings{"EmbeddingBag", fmt.Sprintf("sum, table [%d,%d], %d bags of %d", rows, cols, bags, length), func(rng *rand.Rand, j *siblingsJob) {
		table, indices, offsets := values[f32](rng, rows*cols), uniform[i64](rng, n, rows), make([]i64, bags)
		for b := range offsets {
			offsets[b] = i64(b * length)
		}
		shape := dims{rows, cols}
		j.out, j.count = dims{bags, cols}, n*cols
		j.moved = traffic{Read: bytesOf(indices) + bytesOf(offsets) + rowLines(rows, cols, indices), Write: bags * cols * 4}
		j.call = func(dst []f32, workers int) error {
			return kernels.EmbeddingBag(kernels.New(dst, j.out...), kernels.New(table, shape...), kernels.New(indices, n), kernels.New(offsets, bags),
				kernels.Tensor[f32]{}, kernels.BagAttrs{Reduction: kernels.Sum}, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error { return plainBags(dst, table, indices, offsets, shape) }
		j.define = func(dst []f32, from, rows int) error {
			return generic.EmbeddingBag(dst, generic.View{Shape: dims{rows, cols}}, table, contiguous(shape), indices, part(dims{n}, 0, (from+rows)*length),
				offsets, part(dims{bags}, from, rows), nil, generic.View{}, generic.Sum, -1)
		}
	}}
}

// gatherRows is ONNX's Gather of rows, axis 0.
func gatherRows(rows, cols, n int) siblings {
	return siblings{"Gather", fmt.Sprintf("axis 0, data [%d,%d], indices [%d]", rows, cols, n), func(rng *rand.Rand, j *siblingsJob) {
		data, indices, shape := values[f32](rng, rows*cols), uniform[i64](rng, n, rows), dims{rows, cols}
		j.out, j.count = dims{n, cols}, n*cols
		j.moved = traffic{Read: bytesOf(indices) + rowLines(rows, cols, indices), Write: n * cols * 4}
		j.call = func(dst []f32, workers int) error {
			return kernels.Gather(kernels.New(dst, j.out...), kernels.New(data, shape...), kernels.New(indices, n), 0, 0, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error { return plainGatherRows(dst, data, indices, shape, nil) }
		j.define = func(dst []f32, from, rows int) error {
			return generic.GatherSlices(dst, generic.View{Shape: dims{rows, cols}}, data, contiguous(shape), indices, part(dims{n}, from, rows), 0, 0)
		}
	}}
}

// addRows is a ScatterNDUpdate that adds rows, in place.
func addRows(rows, cols, n int) siblings {
	return siblings{"ScatterNDUpdate", fmt.Sprintf("sum, data [%d,%d], indices [%d,1]", rows, cols, n), func(rng *rand.Rand, j *siblingsJob) {
		updates, indices, shape := values[f32](rng, n*cols), uniform[i64](rng, n, rows), dims{rows, cols}
		j.initial = values[f32](rng, rows*cols)
		j.out, j.count = shape, n*cols
		j.moved = traffic{Read: bytesOf(indices) + bytesOf(updates), Again: bytesOf(indices), Update: rowLines(rows, cols, indices)}
		j.call = func(dst []f32, workers int) error {
			t := kernels.New(dst, shape...)
			return kernels.ScatterNDUpdate(t, t, kernels.New(indices, n, 1), kernels.New(updates, n, cols), kernels.ScatterAttrs{Reduction: kernels.Sum}, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error { return plainAddRows(dst, indices, updates, shape) }
		var all []f32
		j.define = func(dst []f32, from, rows int) error {
			if all == nil { // it has no parts
				all = slices.Clone(j.initial)
				v, index := contiguous(shape), generic.View{Shape: dims{n, 1}}
				if err := generic.ScatterNDUpdate(all, v, all, v, indices, index, updates, generic.View{Shape: dims{n, cols}}, generic.Sum, false); err != nil {
					return err
				}
			}
			copy(dst, all[from*cols:(from+rows)*cols])
			return nil
		}
	}}
}

// cropped is ONNX's Slice of the rows and columns in the middle.
func cropped(rows, cols int) siblings {
	r := kernels.Ranges{Starts: []int64{20, 20}, Ends: []int64{-20, -20}}
	return siblings{"Slice", fmt.Sprintf("[20:-20,20:-20] of [%d,%d]", rows, cols), func(rng *rand.Rand, j *siblingsJob) {
		data, shape := values[f32](rng, rows*cols), dims{rows, cols}
		j.out = dims{rows - 40, cols - 40}
		j.count = size(j.out)
		touched := newLineSet(rows*cols, unsafe.Sizeof(f32(0)))
		for i := range rows - 40 {
			touched.add((20+i)*cols+20, cols-40)
		}
		j.moved = traffic{Read: touched.bytes(), Write: j.count * 4}
		j.call = func(dst []f32, workers int) error {
			return kernels.Slice(kernels.New(dst, j.out...), kernels.New(data, shape...), r, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error {
			for i := range rows - 40 {
				copy(dst[i*(cols-40):(i+1)*(cols-40)], data[(20+i)*cols+20:])
			}
			return nil
		}
		j.define = func(dst []f32, from, n int) error {
			return generic.SliceRanges(dst, generic.View{Shape: dims{n, cols - 40}}, data, part(shape, from, n+40), generic.Ranges(r))
		}
	}}
}

// halfTrue is a mask, random, and where in data what it chooses is.
func halfTrue(rng *rand.Rand, n int) (mask []bool, chosen []i64) {
	mask = make([]bool, n)
	for i := range mask {
		if mask[i] = rng.IntN(2) == 0; mask[i] {
			chosen = append(chosen, i64(i))
		}
	}
	return mask, chosen
}

// compressRows keeps every other row or so.
func compressRows(rows, cols int) siblings {
	return siblings{"Compress", fmt.Sprintf("axis 0, data [%d,%d], half of them", rows, cols), func(rng *rand.Rand, j *siblingsJob) {
		data, shape := values[f32](rng, rows*cols), dims{rows, cols}
		mask, chosen := halfTrue(rng, rows)
		j.out, j.count = dims{len(chosen), cols}, len(chosen)*cols
		j.moved = traffic{Read: len(mask) + rowLines(rows, cols, chosen), Write: j.count * 4}
		j.call = func(dst []f32, workers int) error {
			return kernels.Compress(kernels.New(dst, j.out...), kernels.New(data, shape...), kernels.New(mask, rows), 0, kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error { return plainCompressRows(dst, data, mask, shape) }
		j.define = func(dst []f32, from, n int) error {
			low := int(chosen[from])
			high := int(chosen[from+n-1]) + 1
			generic.Compress(dst, generic.View{Shape: dims{n, cols}}, data, part(shape, low, high-low), mask, part(dims{rows}, low, high-low), 0)
			return nil
		}
	}}
}

// takeElements keeps every other element or so.
func takeElements(n int) siblings {
	return siblings{"Take", fmt.Sprintf("data [%d], half of them", n), func(rng *rand.Rand, j *siblingsJob) {
		data, shape := values[f32](rng, n), dims{n}
		mask, chosen := halfTrue(rng, n)
		j.out, j.count = dims{len(chosen)}, len(chosen)
		j.moved = traffic{Read: len(mask) + rowLines(n, 1, chosen), Write: j.count * 4}
		j.call = func(dst []f32, workers int) error {
			return kernels.Take(kernels.New(dst, j.out...), kernels.New(data, n), kernels.New(mask, n), kernels.Workers(workers))
		}
		j.loop = func(dst []f32) error { return plainTake(dst, data, mask) }
		j.define = func(dst []f32, from, n int) error {
			low := int(chosen[from])
			high := int(chosen[from+n-1]) + 1
			generic.Take(dst, generic.View{Shape: dims{n}}, data, part(shape, low, high-low), mask, part(shape, low, high-low))
			return nil
		}
	}}
}
