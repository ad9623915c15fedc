package main

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

func newRNG() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// portable returns the setups of the generic level.
func portable(workers ...int) []setup {
	return options{levels: []dispatch.Level{dispatch.Generic}, workers: workers}.setups()
}

func portableOptions(budget time.Duration) options {
	return options{levels: []dispatch.Level{dispatch.Generic}, workers: []int{1}, time: budget}
}

// A spoiled job is one whose operator gives a wrong result.
type spoiled struct {
	job
	spoil func()
}

func (s spoiled) run(workers int) error {
	err := s.job.run(workers)
	s.spoil()
	return err
}

// Small results are compared whole, large ones in parts that include both
// ends. Index is where the error is planted, and at the coordinate reported.
func TestCheckCatchesPlantedErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		spec  spec
		index int
		at    []int
	}{
		{"GatherElements first", gatherF32{data: dims{3, 5}, indices: dims{3, 7}, axis: 1}, 0, []int{0, 0}},
		{"GatherElements last", gatherF32{data: dims{3, 5}, indices: dims{3, 7}, axis: 1}, 20, []int{2, 6}},
		{"GatherElements large, last", gatherF32{data: dims{1000}, indices: dims{3 << 19}}, 3<<19 - 1, []int{3<<19 - 1}},
		{"GatherElements u8", gatherElements[u8, i64]{data: dims{4, 9}, indices: dims{3, 9}, axis: 0}, 12, []int{1, 3}},
		{"GatherND element", gatherND[f32, i64]{data: dims{4, 5}, indices: dims{6, 2}}, 3, []int{3}},
		{"GatherND row, batch", gatherND[f32, i64]{data: dims{2, 5, 3}, indices: dims{2, 4, 1}, batchDims: 1}, 17, []int{1, 1, 2}},
		{"GatherND large, last", gatherND[f32, i64]{data: dims{50, 64}, indices: dims{20000, 1}}, 20000*64 - 1, []int{19999, 63}},
		{"Scatter in place", scatterF32{data: dims{4, 6}, indices: dims{5, 6}, axis: 0, reduction: kernels.Sum, inPlace: true}, 9, []int{1, 3}},
		{"Scatter stride 0", scatterF32{data: dims{4, 6}, indices: dims{5, 6}, axis: 0, rows: stride0, reduction: kernels.Sum}, 23, []int{3, 5}},
		{"Scatter mean", scatterF32{data: dims{4, 6}, indices: dims{4, 9}, axis: 1, reduction: kernels.Mean}, 0, []int{0, 0}},
		{"Scatter large, last line", scatterF32{data: dims{300, 100}, indices: dims{300, 5000}, axis: 1, reduction: kernels.Max}, 29999, []int{299, 99}},
		{"StridedSlice reversed", slice[f32]{data: dims{3, 4}, cuts: cuts{all, step(-1)}}, 7, []int{1, 3}},
		{"StridedSlice shrunk", slice[f32]{data: dims{3, 4, 5}, cuts: cuts{span(1, 3), only(2), all}}, 6, []int{1, 1}},
		{"StridedSlice large, last", slice[u8]{data: dims{1100, 1000, 2}, cuts: cuts{all, all, step(-1)}}, 2200000 - 1, []int{1099, 999, 1}},
		{"EmbeddingBag", bagSum(50, 3, 10, 4), 29, []int{9, 2}},
		{"EmbeddingBag large, last", bagSum(100, 64, 20000, 2), 20000*64 - 1, []int{19999, 63}},
		{"Gather rows", gatherRows(50, 3, 10), 3, []int{1, 0}},
		{"ScatterNDUpdate rows", addRows(50, 3, 80), 149, []int{49, 2}},
		{"Compress rows", compressRows(80, 3), 5, []int{1, 2}},
		{"Take elements", takeElements(100), 3, []int{3}},
		{"Slice rows", cropped(43, 45), 14, []int{2, 4}},
		{"Take large, first", takeElements(3 << 20), 0, []int{0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := test.spec.job(newRNG())
			require.NoError(t, verify(j, portable(1, 2), newRNG()))
			err := verify(spoiled{j, func() { plant(j, test.index) }}, portable(1), newRNG())
			var m mismatch
			require.ErrorAs(t, err, &m)
			assert.Equal(t, test.at, m.at)
		})
	}
}

// plant changes one element of a job's result by the least that can be.
func plant(j job, i int) {
	switch j := j.(type) {
	case *gatherElementsJob[f32, i64]:
		j.dst[i] += 0x1p-20
	case *gatherElementsJob[u8, i64]:
		j.dst[i]++
	case *gatherNDJob[f32, i64]:
		j.dst[i] += 0x1p-20
	case *scatterJob[f32, i64]:
		j.dst[i] += 0x1p-20
	case *siblingsJob:
		j.dst[i] += 0x1p-20
	case *sliceJob[f32]:
		j.dst[i] += 0x1p-20
	case *sliceJob[u8]:
		j.dst[i]++
	default:
		panic("no such job")
	}
}

// A single wrong element anywhere in a workload with a hand-written loop is
// found, however large the result.
func TestCheckCatchesWhatDiffersFromTheHandWrittenLoop(t *testing.T) {
	for _, w := range workloads {
		j, ok := w.call.(gatherF32)
		if !ok || j.plain == nil {
			continue
		}
		t.Run(w.name(), func(t *testing.T) {
			j.data, j.indices = dims{1100, 1000}, dims{1100, 1000}
			j := j.job(newRNG()).(*gatherElementsJob[f32, i64])
			require.NoError(t, verify(j, portable(1), newRNG()))
			for _, i := range []int{0, 123456, len(j.dst) - 1} {
				assert.Error(t, verify(spoiled{j, func() { plant(j, i) }}, portable(1), newRNG()), "at %d", i)
			}
		})
	}
}

type spoiledSpec struct{ spec }

func (s spoiledSpec) job(rng *rand.Rand) job {
	j := s.spec.job(rng)
	return spoiled{j, func() { plant(j, 5) }}
}

func TestNothingIsTimedAfterAMismatch(t *testing.T) {
	w := workload{id: "W0", call: spoiledSpec{gatherF32{data: dims{3, 5}, indices: dims{3, 7}, axis: 1}}}
	r, err := measure(w, portableOptions(0), nil)
	require.ErrorAs(t, err, new(mismatch))
	assert.Empty(t, r.Contenders)
}

// A second run must not be checked against what the first one left behind.
func TestCheckCatchesElementsThatWereNotWritten(t *testing.T) {
	j := gatherF32{data: dims{3, 5}, indices: dims{3, 7}, axis: 1}.job(newRNG())
	require.NoError(t, verify(j, portable(1), newRNG()))
	lazy := idle{j}
	require.ErrorAs(t, verify(lazy, portable(1), newRNG()), new(mismatch))
}

type idle struct{ job }

func (idle) run(int) error { return nil }

func TestVerifyReportsTheOperatorsError(t *testing.T) {
	j := gatherF32{data: dims{3, 5}, indices: dims{3, 7}, axis: 1}.job(newRNG()).(*gatherElementsJob[f32, i64])
	j.indices[4] = 5
	assert.True(t, errors.Is(verify(j, portable(1), newRNG()), kernels.ErrIndex))
}

// Every hand-written loop refuses bad indices and wraps negative ones, as the
// operators do.
func TestPlainLoopsCheckIndices(t *testing.T) {
	type loop func(dst, data []f32, indices []i64, ds, is dims) error
	for _, test := range []struct {
		name           string
		loop           loop
		data, indices  dims
		negative, same int64 // indices that name the same element
	}{
		{"axis 1", plainGatherAxis1, dims{2, 4}, dims{2, 4}, -1, 3},
		{"axis 0", plainGatherAxis0, dims{4, 2}, dims{4, 2}, -4, 0},
		{"rows", plainGatherRows, dims{4, 2}, dims{8, 1}, -2, 2},
		{"bags", func(dst, data []f32, indices []i64, ds, _ dims) error {
			return plainBags(dst, data, indices, []i64{0, 3, 3}, ds)
		}, dims{4, 2}, dims{8}, -2, 2},
		{"added rows", func(dst, data []f32, indices []i64, ds, _ dims) error {
			return plainAddRows(dst, indices, append(data, data...), ds)
		}, dims{4, 2}, dims{8}, -1, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := values[f32](newRNG(), 8)
			gather := func(k int64) ([]f32, error) {
				dst, indices := make([]f32, 16), make([]i64, 8)
				indices[5] = k
				return dst, test.loop(dst, data, indices, test.data, test.indices)
			}
			want, err := gather(test.same)
			require.NoError(t, err)
			got, err := gather(test.negative)
			require.NoError(t, err)
			assert.Equal(t, want, got)
			for _, k := range []int64{4, -5, 1 << 32, -1 << 63, 1<<63 - 1} {
				_, err := gather(k)
				assert.Error(t, err, "index %d", k)
			}
		})
	}
}
