package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/kernels"
)

// A workload is a call that real programs make, on the shapes they make it.
type workload struct {
	id      string
	variant string // of the workload, where it has several
	from    string // where it comes from
	call    spec
}

// A spec says how an operator is called: its shapes and attributes.
type spec interface {
	operator() string
	what() string           // shapes and attributes, for the reader
	job(rng *rand.Rand) job // its tensors, filled
}

// A job is a spec with its tensors. Every run writes the same destination.
type job interface {
	run(workers int) error      // calls the operator once
	plain() func() error        // the hand-written loop, with a destination of its own; nil if there is none
	reset()                     // makes the tensors what they were before the first run
	check(rng *rand.Rand) error // compares what the last run wrote with the definition, and with plain's
	elements() int              // moved by a run: of the output, or of a scatter's updates
	traffic() traffic           // what a run cannot but move
	forPeers() peerJob          // the same call, for a peer; without an operator there is none
	table() int                 // bytes of the table that elements are read from at random, if it is larger than L2, else 0
}

type (
	f32 = float32
	u8  = uint8
	i32 = int32
	i64 = int64

	gatherF32  = gatherElements[f32, i64]
	scatterF32 = scatter[f32, i64]
	dims       = []int
)

// The workloads. Data are f32 and indices int64, uniform random, unless a row
// says otherwise.
var workloads = slices.Concat(firstWorkloads, rowWorkloads, moreWorkloads, engineWorkloads)

var firstWorkloads = []workload{
	{"W1", "", "reordering after a sort", gatherF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, plain: plainGatherAxis1}},
	{"W2", "int32 indices", "the same", gatherElements[f32, i32]{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1}},
	{"W3", "", "", gatherF32{data: dims{4096, 1024}, indices: dims{4096, 1024}, axis: 0, plain: plainGatherAxis0}},
	{"W4", "", "in cache; call overhead", gatherF32{data: dims{64, 256}, indices: dims{64, 256}, axis: 1}},
	{"W5", "relative", "DeBERTa's relative positions", gatherF32{data: dims{12, 512, 1024}, indices: dims{12, 512, 512}, axis: 2, index: relativePosition}},
	{"W5", "uniform", "the same shapes", gatherF32{data: dims{12, 512, 1024}, indices: dims{12, 512, 512}, axis: 2}},
	{"W6", "", "tables that fit in registers", gatherF32{data: dims{1024, 32}, indices: dims{1024, 64}, axis: 1}},
	{"W7", "u8, 4096 entries", "codebooks", gatherElements[u8, i64]{data: dims{64, 4096}, indices: dims{64, 2048}, axis: 1}},
	{"W7", "u8, 256 entries", "codebooks", gatherElements[u8, i64]{data: dims{64, 256}, indices: dims{64, 2048}, axis: 1}},
	{"W8", "", "beyond the cache", gatherF32{data: dims{16 << 20}, indices: dims{4 << 20}, beyondL2: true}},

	{"W9", "", "embedding", gatherND[f32, i64]{data: dims{100000, 64}, indices: dims{200000, 1}, plain: plainGatherRows}},
	{"W10", "", "detection heads", gatherND[f32, i64]{data: dims{128, 128, 128}, indices: dims{1 << 20, 3}, beyondL2: true}},
	{"W11", "", "", gatherND[f32, i64]{data: dims{32, 4096, 64}, indices: dims{32, 256, 1}, batchDims: 1}},

	{"W12", "in place", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.Sum, inPlace: true}},
	{"W12", "fresh dst", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.Sum}},
	{"W13", "in place", "", scatterF32{data: dims{4096, 1024}, indices: dims{4096, 1024}, axis: 0, reduction: kernels.Sum, inPlace: true}},
	{"W13", "fresh dst", "", scatterF32{data: dims{4096, 1024}, indices: dims{4096, 1024}, axis: 0, reduction: kernels.Sum}},
	{"W14", "in place", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.None, inPlace: true}},
	{"W14", "fresh dst", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.None}},
	{"W15", "mean, in place", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.Mean, inPlace: true}},
	{"W15", "mean, fresh dst", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.Mean}},
	{"W15", "max, in place", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.Max, inPlace: true}},
	{"W15", "max, fresh dst", "", scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.Max}},
	{"W16", "stride 0, in place", "graph aggregation", scatterF32{data: dims{19717, 128}, indices: dims{88648, 128}, axis: 0, rows: stride0, reduction: kernels.Sum, inPlace: true}},
	{"W16", "stride 0, fresh dst", "graph aggregation", scatterF32{data: dims{19717, 128}, indices: dims{88648, 128}, axis: 0, rows: stride0, reduction: kernels.Sum}},
	{"W16", "written out, in place", "graph aggregation", scatterF32{data: dims{19717, 128}, indices: dims{88648, 128}, axis: 0, rows: writtenOut, reduction: kernels.Sum, inPlace: true}},
	{"W16", "written out, fresh dst", "graph aggregation", scatterF32{data: dims{19717, 128}, indices: dims{88648, 128}, axis: 0, rows: writtenOut, reduction: kernels.Sum}},
	{"W17", "1000 cells, in place", "histograms", scatterF32{data: dims{1000}, indices: dims{1 << 20}, reduction: kernels.Sum, inPlace: true}},
	{"W17", "1000 cells, fresh dst", "histograms", scatterF32{data: dims{1000}, indices: dims{1 << 20}, reduction: kernels.Sum}},
	{"W17", "1 Mi cells, in place", "histograms", scatterF32{data: dims{1 << 20}, indices: dims{1 << 20}, reduction: kernels.Sum, inPlace: true, beyondL2: true}},
	{"W17", "1 Mi cells, fresh dst", "histograms", scatterF32{data: dims{1 << 20}, indices: dims{1 << 20}, reduction: kernels.Sum, beyondL2: true}},

	{"W18", "", "YOLO's focus layer", slice[f32]{data: dims{8, 3, 640, 640}, cuts: cuts{all, all, step(2), step(2)}, plain: plainFocus}},
	{"W19", "", "", slice[f32]{data: dims{8, 3, 640, 640}, cuts: cuts{all, all, all, step(-1)}}},
	{"W20", "u8", "RGB to BGR", slice[u8]{data: dims{8, 640, 640, 3}, cuts: cuts{all, all, all, step(-1)}}},
	{"W20", "f32", "RGB to BGR", slice[f32]{data: dims{8, 640, 640, 3}, cuts: cuts{all, all, all, step(-1)}}},
	{"W21", "", "crop", slice[f32]{data: dims{8, 3, 640, 640}, cuts: cuts{all, all, span(20, 620), span(20, 620)}, plain: plainCrop}},
	{"W22", "", "the example of shrink_axis_mask", slice[f32]{data: dims{1, 2, 384, 640, 8}, cuts: cuts{all, only(1), all, all, all}}},
	{"W23", "", "a KV cache", slice[f32]{data: dims{32, 4096, 128}, cuts: cuts{all, span(1024, 3072), all}}},
}

// moreWorkloads come after those of rows.go.
var moreWorkloads = []workload{
	{"W30", "in place", "graph aggregation", scatterF32{data: dims{556416, 80}, indices: dims{481385, 80}, axis: 0, rows: writtenOut, reduction: kernels.Sum, inPlace: true}},
	{"W30", "fresh dst", "graph aggregation", scatterF32{data: dims{556416, 80}, indices: dims{481385, 80}, axis: 0, rows: writtenOut, reduction: kernels.Sum}},
	{"W31", "in place", "edges sorted by their target", scatterF32{data: dims{100000, 64}, indices: dims{1000000, 64}, axis: 0, rows: writtenOut, pick: ascending, reduction: kernels.Sum, inPlace: true}},
	{"W31", "fresh dst", "edges sorted by their target", scatterF32{data: dims{100000, 64}, indices: dims{1000000, 64}, axis: 0, rows: writtenOut, pick: ascending, reduction: kernels.Sum}},
}

func (w workload) name() string {
	if w.variant == "" {
		return w.id
	}
	return w.id + " " + w.variant
}

// rng returns the workload's source of random numbers, the same in every run.
func (w workload) rng() *rand.Rand {
	var seed [32]byte
	copy(seed[:], w.name())
	return rand.New(rand.NewChaCha8(seed))
}

// What tensors are filled with.

type element interface{ ~float32 | ~uint8 }

// values returns n random elements, none of them 0, so that what a run forgot
// to write shows.
//
// Floats lie in [1, 2) and use the whole mantissa, so that another order of
// additions shows. They also stay harmless when reduced in place thousands of
// times: a sum grows by a few units a call, a mean settles in [1, 2), a max at
// its largest update. No cell can become infinite, NaN or denormal, which
// would change the time. (From its second call on, an in-place max writes back
// what is there: a body that branches on the comparison looks better in place
// than into a fresh dst.)
func values[T element](rng *rand.Rand, n int) []T {
	v := make([]T, n)
	for i := range v {
		switch p := any(&v[i]).(type) {
		case *float32:
			*p = 1 + float32(rng.Uint32()>>9)*0x1p-23
		case *uint8:
			*p = 1 + uint8(rng.UintN(255))
		}
	}
	return v
}

// uniform returns n random indices into an axis of size d.
func uniform[I kernels.Index](rng *rand.Rand, n, d int) []I {
	x := make([]I, n)
	for i := range x {
		x[i] = I(rng.IntN(d))
	}
	return x
}

// A pick chooses n indices into an axis of size d; nil: uniform random.
type pick func(rng *rand.Rand, n, d int) []int

func indices[I kernels.Index](rng *rand.Rand, n, d int, by pick) []I {
	if by == nil {
		return uniform[I](rng, n, d)
	}
	x := make([]I, n)
	for i, k := range by(rng, n, d) {
		x[i] = I(k)
	}
	return x
}

// ascending picks uniform indices and sorts them.
func ascending(rng *rand.Rand, n, d int) []int {
	x := uniform[int](rng, n, d)
	slices.Sort(x)
	return x
}

// relativePosition is DeBERTa's bucket of query i and key j, clamp(i-j+512).
func relativePosition(c []int) int { return min(max(c[1]-c[2]+512, 0), 1023) }

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func shapeString(shape []int) string {
	return strings.ReplaceAll(fmt.Sprint(shape), " ", ",")
}
