package main

import (
	"math"
	"math/bits"
	"slices"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// A threshold is a field of dispatch.Thresholds, and the calls that show what
// it is worth.
type threshold struct {
	name         string
	field        func(*dispatch.Thresholds) *int
	with         func(*dispatch.Thresholds) // sets others that would decide before it; nil: there are none
	kind         thresholdKind
	bytes        bool                                    // it counts bytes
	ofCache      bool                                    // it is a part of the second-level cache, or some of them
	below, above string                                  // how a call is made that is smaller than a start, or up to a limit; and how others are
	values       []int                                   // to try, ascending
	cores        int                                     // that it takes to measure
	times        func(o options, ways []int) [][]float64 // in place of calls' times; nil: those
	calls        []measuredCall
}

type thresholdKind uint8

const (
	start  thresholdKind = iota // the least size that another way is for
	limit                       // the largest size that a way is for
	amount                      // how much of something: what is best, not where something begins
)

// A measuredCall is a call that a threshold decides on.
type measuredCall struct {
	name    string
	at      func(v int) spec // so large that a start of v is reached, and none of v+1; or just within a limit of v
	workers int              // 0: as many as there are cores
	reads   bool             // the output is read after the call, as its caller would
}

// never is a start that no call reaches.
const never = math.MaxInt

// ways lists the settings that a call at v is timed with: both sides of a
// start or a limit, or all amounts with the one in use.
func (t threshold) ways(v, inUse int) []int {
	switch t.kind {
	case start:
		return []int{never, v}
	case limit:
		return []int{v, v - 1}
	default:
		ways := append([]int{inUse}, t.values...)
		slices.Sort(ways)
		return slices.Compact(ways)
	}
}

// powers returns from, step*from, … up to to.
func powers(from, to, step int) []int {
	var all []int
	for v := from; v <= to; v *= step {
		all = append(all, v)
	}
	return all
}

// Tables and outputs of so many bytes, a power of two, of f32:

// tall is four times, or twice, as high as wide.
func tall(bytes int) dims {
	rows := 1 << ((bits.Len(uint(bytes/4)) + 1) / 2)
	return dims{rows, bytes / 4 / rows}
}

func wide(bytes int) dims { return dims{bytes / 4 / 1024, 1024} }

// crop takes rows of 1024 out of 1280.
func crop(bytes int) spec {
	return slice[f32]{data: dims{bytes / 4 / 1024, 1280}, cuts: cuts{all, span(128, 1152)}}
}

// rowsOfSame names one of so many rows along each row.
func rowsOfSame(rows int) func(c []int) int {
	return func(c []int) int { return int(uint32(c[0]) * 2654435761 >> 7 % uint32(rows)) } // Knuth's multiplicative hash
}

// thresholds is the table. Sizes that depend on caches are around a core's
// share of the second level.
func thresholds(l2 int) []threshold {
	type fields = dispatch.Thresholds
	l2 = 1 << (bits.Len(uint(min(max(l2, 256<<10), 8<<20))) - 1) // shapes are powers of two
	return []threshold{
		{
			name: "SmallElements", field: func(t *fields) *int { return &t.SmallElements }, kind: limit,
			below: "one by one", above: "by primitives", values: powers(16, 1<<10, 2),
			calls: []measuredCall{
				{name: "GatherElements, 4 rows", workers: 1, at: func(n int) spec {
					return gatherF32{data: dims{4, n / 4}, indices: dims{4, n / 4}, axis: 1}
				}},
				{name: "GatherND, rows of 4", workers: 1, at: func(n int) spec {
					return gatherND[f32, i64]{data: dims{64, 4}, indices: dims{n / 4, 1}}
				}},
				{name: "StridedSlice, every other", workers: 1, at: func(n int) spec {
					return slice[f32]{data: dims{4, n / 2}, cuts: cuts{all, step(2)}}
				}},
			},
		},
		{
			name: "WorkerTime", field: func(t *fields) *int { return &t.WorkerTime }, kind: start, cores: 2,
			below: "1 goroutine", above: "2 goroutines", values: powers(1_500, 48_000, 2),
			calls: []measuredCall{ // of twice that work, as dispatch.Costs has it
				{name: "GatherElements, rank 1", workers: 2, at: func(ns int) spec {
					return gatherF32{data: dims{4 << 10}, indices: dims{int(math.Ceil(float64(2*ns) / dispatch.Costs.Gather))}}
				}},
				{name: "StridedSlice, one run", workers: 2, at: func(ns int) spec {
					n := int(math.Ceil((float64(2*ns) - dispatch.Costs.Run) / (4 * dispatch.Costs.Byte)))
					return slice[f32]{data: dims{n + 16}, cuts: cuts{span(16, int64(n)+16)}}
				}},
			},
		},
		{
			name: "PartTime", field: func(t *fields) *int { return &t.PartTime }, kind: amount, cores: 2,
			values: powers(2_500, 80_000, 2),
			calls: []measuredCall{
				{name: "GatherElements, rows", workers: 2, at: func(int) spec {
					return gatherF32{data: dims{64, 1024}, indices: dims{64, 1024}, axis: 1}
				}},
				{name: "StridedSlice, crop", workers: 2, at: func(int) spec { return crop(1 << 20) }},
			},
		},
		{
			name: "WakeTime", field: func(t *fields) *int { return &t.WakeTime }, kind: amount, cores: 2,
			values: powers(25_000, 400_000, 2), times: options.wakes,
			calls: []measuredCall{{name: "no call: a multiple of the best choice in hindsight, at worst", at: func(int) spec {
				return gatherF32{data: dims{1}, indices: dims{1}}
			}}},
		},
		{
			name: "TasksPerWorker", field: func(t *fields) *int { return &t.TasksPerWorker }, kind: amount, cores: 2,
			values: powers(1, 16, 2),
			calls: []measuredCall{
				{name: "GatherElements, rows", at: func(int) spec {
					return gatherF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1}
				}},
				{name: "StridedSlice, crop", at: func(int) spec { return crop(16 << 20) }},
			},
		},
		{
			name: "StripTable", field: func(t *fields) *int { return &t.StripTable }, kind: start, bytes: true, ofCache: true,
			below: "where it is", above: "packed", values: powers(l2/8, 8*l2, 2),
			calls: []measuredCall{
				{name: "GatherElements, columns", workers: 1, at: func(b int) spec {
					return gatherF32{data: tall(b), indices: tall(b), axis: 0}
				}},
				{name: "ScatterElementsUpdate sum, columns, in place", workers: 1, at: func(b int) spec {
					return scatterF32{data: tall(b), indices: tall(b), axis: 0, reduction: kernels.Sum, inPlace: true}
				}},
			},
		},
		{
			name: "StripBytes", field: func(t *fields) *int { return &t.StripBytes }, kind: amount, bytes: true, ofCache: true,
			values: powers(l2/16, 2*l2, 2),
			calls: []measuredCall{
				{name: "GatherElements, columns of 4096", workers: 1, at: func(int) spec {
					return gatherF32{data: dims{4096, 1024}, indices: dims{4096, 1024}, axis: 0}
				}},
				{name: "GatherElements, columns of 1024", workers: 1, at: func(int) spec {
					return gatherF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 0}
				}},
				{name: "ScatterElementsUpdate sum, columns of 4096, in place", workers: 1, at: func(int) spec {
					return scatterF32{data: dims{4096, 1024}, indices: dims{4096, 1024}, axis: 0, reduction: kernels.Sum, inPlace: true}
				}},
			},
		},
		{
			name: "StreamBytes", field: func(t *fields) *int { return &t.StreamBytes }, kind: start, bytes: true, ofCache: true,
			with:  func(t *fields) { t.StreamReach = 0 },
			below: "stored", above: "past the caches", values: powers(l2/4, 16*l2, 2),
			calls: []measuredCall{
				{name: "GatherElements, rows, output read", workers: 1, reads: true, at: func(b int) spec {
					return gatherF32{data: wide(b), indices: wide(b), axis: 1}
				}},
				{name: "StridedSlice, crop, output read", workers: 1, reads: true, at: crop},
			},
		},
		{
			name: "StreamReach", field: func(t *fields) *int { return &t.StreamReach }, kind: start, bytes: true,
			below: "stored", above: "past the caches", values: powers(16<<20, 128<<20, 2), // with outputs of StreamBytes
			calls: []measuredCall{
				{name: "GatherElements, rows, output read", workers: 1, reads: true, at: func(b int) spec {
					return gatherF32{data: wide(b / 4), indices: wide(b / 4), axis: 1}
				}},
				{name: "StridedSlice, reversed rows, output read", workers: 1, reads: true, at: func(b int) spec {
					return slice[f32]{data: wide(b / 2), cuts: cuts{all, step(-1)}}
				}},
			},
		},
		{
			name: "SlabBytes", field: func(t *fields) *int { return &t.SlabBytes }, kind: amount, bytes: true, ofCache: true,
			values: powers(l2/64, 2*l2, 2),
			calls: []measuredCall{
				{name: "ScatterElementsUpdate sum, rows of 4096, fresh dst", workers: 1, at: func(int) spec {
					return scatterF32{data: dims{1024, 4096}, indices: dims{1024, 4096}, axis: 1, reduction: kernels.Sum}
				}},
				{name: "ScatterElementsUpdate none, rows of 256, fresh dst", workers: 1, at: func(int) spec {
					return scatterF32{data: dims{16 << 10, 256}, indices: dims{16 << 10, 256}, axis: 1, reduction: kernels.None}
				}},
			},
		},
		{
			name: "ConstantRow", field: func(t *fields) *int { return &t.ConstantRow }, kind: start,
			below: "element by element", above: "whole rows", values: powers(2, 128, 2),
			calls: []measuredCall{
				{name: "GatherElements, indices written out", workers: 1, at: func(n int) spec {
					return gatherF32{data: dims{1024, n}, indices: dims{256 << 10 / n, n}, axis: 0, index: rowsOfSame(1024)}
				}},
				{name: "ScatterElementsUpdate sum, indices written out", workers: 1, at: func(n int) spec {
					return scatterF32{data: dims{1024, n}, indices: dims{256 << 10 / n, n}, axis: 0, rows: writtenOut, reduction: kernels.Sum, inPlace: true}
				}},
			},
		},
		{
			name: "OwnedTable", field: func(t *fields) *int { return &t.OwnedTable }, kind: start, bytes: true, ofCache: true, cores: 2,
			below: "1 goroutine", above: "2 goroutines", values: powers(max(l2/8, 256<<10), 8*l2, 2), // on no stack either
			calls: []measuredCall{
				{name: "ScatterElementsUpdate sum, rank 1, in place", workers: 2, at: func(b int) spec {
					return scatterF32{data: dims{b / 4}, indices: dims{1 << 20}, reduction: kernels.Sum, inPlace: true}
				}},
				{name: "ScatterElementsUpdate none, rank 1, in place", workers: 2, at: func(b int) spec {
					return scatterF32{data: dims{b / 4}, indices: dims{1 << 20}, reduction: kernels.None, inPlace: true}
				}},
			},
		},
		{
			name: "MeanCells", field: func(t *fields) *int { return &t.MeanCells }, kind: amount,
			values: powers(64<<10, 4<<20, 4),
			calls: []measuredCall{ // with fewer updates than cells, since they are slow
				{name: "ScatterElementsUpdate mean, columns of 4 Ki, in place", workers: 1, at: func(int) spec {
					return scatterF32{data: dims{4 << 10, 512}, indices: dims{1 << 10, 512}, axis: 0, reduction: kernels.Mean, inPlace: true}
				}},
				{name: "ScatterElementsUpdate mean, columns of 64 Ki, in place", workers: 1, at: func(int) spec {
					return scatterF32{data: dims{64 << 10, 32}, indices: dims{8 << 10, 32}, axis: 0, reduction: kernels.Mean, inPlace: true}
				}},
			},
		},
		{
			name: "MeanSparse", field: func(t *fields) *int { return &t.MeanSparse }, kind: limit,
			below: "all cells, in order", above: "the cells that indices name", values: powers(2, 32, 2),
			calls: []measuredCall{
				{name: "ScatterElementsUpdate mean, rows of 16 Ki, in place", workers: 1, at: func(n int) spec {
					return scatterF32{data: dims{16, 16 << 10}, indices: dims{16, 16 << 10 / n}, axis: 1, reduction: kernels.Mean, inPlace: true}
				}},
			},
		},
	}
}
