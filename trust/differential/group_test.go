package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

func TestGroupsAreReproducible(t *testing.T) {
	require.Equal(t, newGroup(3, 5), newGroup(3, 5))
	require.NotEqual(t, newGroup(3, 5), newGroup(4, 5))
	require.NotEqual(t, newGroup(3, 5), newGroup(3, 11))
}

// The groups have all that there is to compare. What they share is shared.
func TestGroupsCoverAll(t *testing.T) {
	seen := map[string]int{}
	for n := range 2400 {
		g := newGroup(1, n)
		require.Len(t, g.cases, groupSize)
		for i := range g.cases {
			c := &g.cases[i]
			first := g.shared()
			if isGeneral(c.Op) { // which nobody compiles by group
				require.Equal(t, []any{first.Op, first.Attrs, first.Data.Type, first.Indices.Type}, []any{c.Op, c.Attrs, c.Data.Type, c.Indices.Type})
				for _, f := range generalFeatures(c) {
					seen[f]++
				}
				continue
			}
			require.Equal(t, []any{first.Op, first.Axis, first.BatchDims, first.Attrs, first.Data.Type, first.Indices.Type, len(first.Data.Shape), len(first.Indices.Shape)},
				[]any{c.Op, c.Axis, c.BatchDims, c.Attrs, c.Data.Type, c.Indices.Type, len(c.Data.Shape), len(c.Indices.Shape)})
			for _, f := range features(c) {
				seen[f]++
			}
		}
	}
	var want []string
	for _, op := range contested {
		if isGeneral(op) {
			for _, f := range []string{"by int32", "by int64", "a start too large", "a negative start", "windows", "batching axes", "components not last", "no axis of components", "more components than one", "windows before positions"} {
				want = append(want, fmt.Sprint(op, " ", f))
			}
			continue
		}
		for _, typ := range calls.Types {
			if op != calls.EmbeddingBag || typ != kernels.DTypeString {
				want = append(want, fmt.Sprint(op, " of ", typ))
			}
		}
		want = append(want, string(op)+" into nothing")
		if op.Indexes() {
			want = append(want, fmt.Sprint(op, " by int32"), fmt.Sprint(op, " by int64"), fmt.Sprint(op, " from the end"), fmt.Sprint(op, " out of range"), fmt.Sprint(op, " of an index twice"))
		}
	}
	for rank := range 6 {
		want = append(want, fmt.Sprint("rank ", rank+1))
	}
	for _, r := range reductions {
		want = append(want, "reduction "+r.String(), "without the initial value "+r.String())
	}
	want = append(want, "reduction sub", "batch 0", "batch 1", "batch 2", "NaN", "begin mask", "end mask", "new axis", "shrunk axis", "ellipsis", "new axis over shrunk axis",
		"ellipsis over all", "backward", "begin past 32 bits", "end past 32 bits", "stride past 32 bits", "begin out of range", "no entry", "shorter indices", "hundreds of updates a cell",
		"Slice backward by axes", "SliceScatter backward by axes", "axis from the end", "flattened", "shorter condition", "bags sum", "bags mean", "bags max", "weights", "default row", "empty bag", "indices before the first bag")
	for _, f := range want {
		if f == "without the initial value none" {
			require.Zero(t, seen[f], "it has no effect")
			continue
		}
		require.GreaterOrEqual(t, seen[f], 3, f)
	}
}

// generalFeatures is features for a general gather or scatter.
func generalFeatures(c *calls.Call) (all []string) {
	add := func(is bool, text ...any) {
		if is {
			all = append(all, fmt.Sprint(c.Op, " ", fmt.Sprint(text...)))
		}
	}
	along, batching, starts, vector := c.Gather.OffsetDims, c.Gather.OperandBatchingDims, c.Gather.StartIndexMap, c.Gather.IndexVectorDim
	if s := &c.Scatter; c.Op == calls.GeneralScatter {
		along, batching, starts, vector = s.UpdateWindowDims, s.InputBatchingDims, s.ScatterDimsToOperandDims, s.IndexVectorDim
	}
	add(true, "by ", c.Indices.Type)
	add(len(along) > 0, "windows")
	add(len(along) > 0 && along[0] == 0 && c.Indices.Count() > 1, "windows before positions")
	add(len(batching) > 0, "batching axes")
	add(vector < len(c.Indices.Shape)-1, "components not last")
	add(vector == len(c.Indices.Shape), "no axis of components")
	add(len(starts) > 1, "more components than one")
	for i := range c.Indices.Count() {
		k := indexAt(c.Indices, i)
		add(k < 0, "a negative start")
		add(k >= int64(slices.Max(c.Data.Shape)), "a start too large")
	}
	return all
}

// features returns what a call has of what there is to cover.
func features(c *calls.Call) []string {
	all := []string{fmt.Sprint(c.Op, " of ", c.Data.Type), fmt.Sprint("rank ", len(c.Data.Shape))}
	add := func(is bool, text ...any) {
		if is {
			all = append(all, fmt.Sprint(text...))
		}
	}
	out, err := c.Shape()
	add(err == nil && calls.Tensor{Shape: out}.Count() == 0, c.Op, " into nothing")
	for i := range c.Data.Count() {
		if part := calls.Part(c.Data.Type); part > 0 {
			add(calls.NaN(c.Data.Type, c.Data.Data[i*calls.Size(c.Data.Type):][:part]), "NaN")
		}
	}
	if c.Op == calls.StridedSlice {
		s := &c.Spec
		add(len(s.Begin) == 0, "no entry")
		add(err != nil, "begin out of range")
		for i := range s.Begin {
			plain := !s.EllipsisMask[i] && !s.NewAxisMask[i] && !s.ShrinkAxisMask[i]
			add(s.BeginMask[i], "begin mask")
			add(s.EndMask[i], "end mask")
			add(s.NewAxisMask[i], "new axis")
			add(shrinks(s, i), "shrunk axis")
			add(s.EllipsisMask[i], "ellipsis")
			add(s.NewAxisMask[i] && s.ShrinkAxisMask[i] && !s.EllipsisMask[i], "new axis over shrunk axis")
			add(s.EllipsisMask[i] && (s.NewAxisMask[i] || s.ShrinkAxisMask[i]), "ellipsis over all")
			add(plain && s.Strides[i] < 0, "backward")
			add(plain && s.Begin[i] != int64(int32(s.Begin[i])), "begin past 32 bits")
			add(plain && s.End[i] != int64(int32(s.End[i])), "end past 32 bits")
			add(plain && s.Strides[i] != int64(int32(s.Strides[i])), "stride past 32 bits")
		}
		return all
	}
	switch c.Op {
	case calls.Slice, calls.SliceScatter:
		for i, s := range c.Ranges.Steps {
			add(s < 0, c.Op, " backward by axes")
			add(c.Ranges.Axes[i] < 0, "axis from the end")
		}
		return all
	case calls.Compress:
		add(c.Axis == kernels.Flattened, "flattened")
		add(c.Axis != kernels.Flattened && c.Condition.Count() < c.Data.Shape[fromFront(c.Axis, len(c.Data.Shape))], "shorter condition")
		return all
	}
	add(true, c.Op, " by ", c.Indices.Type)
	add(!indicesInRange(c), c.Op, " out of range")
	times := map[int64]bool{}
	for i := range c.Indices.Count() {
		k := indexAt(c.Indices, i)
		add(k < 0, c.Op, " from the end")
		add(times[k], c.Op, " of an index twice")
		times[k] = true
	}
	if c.Op == calls.EmbeddingBag {
		add(true, "bags ", c.Bag.Reduction)
		add(c.Updates.Type != 0, "weights")
		add(c.Bag.HasDefault, "default row")
		for i := range c.Offsets.Count() {
			add(i > 0 && indexAt(c.Offsets, i) == indexAt(c.Offsets, i-1), "empty bag")
		}
		add(c.Offsets.Count() > 0 && indexAt(c.Offsets, 0) > 0, "indices before the first bag")
		return all
	}
	if c.Op == calls.GatherND || c.Op == calls.Gather {
		add(true, "batch ", c.BatchDims)
		add(c.Policy.OutOfRange == kernels.Skip && !indicesInRange(c), "skipped indices")
		return all
	}
	if c.Op.Scatters() {
		add(true, "reduction ", c.Reduction())
	}
	if c.Op == calls.ScatterNDUpdate {
		return all
	}
	for d, n := range c.Data.Shape {
		add(d != fromFront(c.Axis, len(c.Data.Shape)) && c.Indices.Shape[d] < n, "shorter indices")
	}
	if c.Op == calls.ScatterElementsUpdate {
		add(c.Reduction() == kernels.Mean && c.Data.Count() > 0 && c.Indices.Count() > 300*c.Data.Count(), "hundreds of updates a cell")
		add(c.Attrs.IgnoreInit, "without the initial value ", c.Reduction())
	}
	return all
}
