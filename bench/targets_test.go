package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

func TestEveryTargetHasAWorkload(t *testing.T) {
	for _, x := range targets {
		assert.True(t, slices.ContainsFunc(workloads, x.appliesTo), x)
	}
}

func TestTargets(t *testing.T) {
	type lines = []line
	for _, test := range []struct {
		name string
		r    result
		want []string
	}{
		{"gain", result{ID: "W1", Lines: lines{{ISA: "avx512", Workers: 1, Gain: 1.3, Share: 0.5}}}, nil},
		{"share", result{ID: "W1", Lines: lines{{ISA: "avx512", Workers: 1, Gain: 0.9, Share: 0.85}}}, nil},
		{"neither", result{ID: "W1", Lines: lines{{ISA: "avx512", Workers: 1, Gain: 1.25, Share: 0.5}}},
			[]string{"W1 avx512: 1.25 times generic, 50 % of the limit; wanted 1.30 times, or 85 %"}},
		{"another level", result{ID: "W1", Lines: lines{
			{ISA: "generic", Workers: 1, Gain: 1, Share: 0.5},
			{ISA: "avx2", Workers: 1, Gain: 1.25, Share: 0.5},
		}}, nil},
		{"more workers", result{ID: "W1", Lines: lines{{ISA: "avx512", Workers: 2, Gain: 1, Share: 0.5}}}, nil},
		{"no target", result{ID: "W3", Lines: lines{{ISA: "avx512", Workers: 1, Gain: 0.1, Share: 0.1}}}, nil},
		{"id is no prefix", result{ID: "W10", Lines: lines{{ISA: "avx512", Workers: 1, Gain: 0.1, Share: 0.1}}}, nil},
		{"both levels, any variant", result{ID: "W12", Variant: "in place", Lines: lines{
			{ISA: "avx2", Workers: 1, Gain: 0.96, Share: 0.2},
			{ISA: "avx512", Workers: 1, Gain: 1.19, Share: 0.25},
		}}, []string{
			"W12 in place avx2: 0.96 times generic, 20 % of the limit; wanted 0.97 times, or 85 %",
			"W12 in place avx512: 1.19 times generic, 25 % of the limit; wanted 1.20 times, or 85 %",
		}},
		{"noise", result{ID: "W14", Lines: lines{{ISA: "avx2", Workers: 1, Gain: 0.98, Share: 0.2}}}, nil},
		{"one variant", result{ID: "W7", Variant: "u8, 256 entries", Lines: lines{{ISA: "avx512", Workers: 1, Gain: 2.5}}},
			[]string{"W7 u8, 256 entries avx512: 2.50 times generic, 0 % of the limit; wanted 3.00 times, or 85 %"}},
		{"the other variant", result{ID: "W7", Variant: "u8, 4096 entries", Lines: lines{{ISA: "avx512", Workers: 1, Gain: 2.5}}}, nil},
	} {
		assert.Equal(t, test.want, test.r.missed(), test.name)
		err := report{Results: []result{{ID: "W21"}, test.r}}.missed()
		if test.want == nil {
			assert.NoError(t, err, test.name)
			continue
		}
		for _, w := range test.want {
			assert.ErrorContains(t, err, w, test.name)
		}
	}
}

// Targets that nothing is measured for must not pass for met.
func TestTargetsNeedSomethingToCheck(t *testing.T) {
	both := []dispatch.Level{dispatch.Generic, dispatch.AVX512}
	w1, w3 := []workload{workloadNamed(t, "W1")}, []workload{workloadNamed(t, "W3")}
	for _, test := range []struct {
		o      options
		chosen []workload
		err    string
	}{
		{options{levels: both, workers: []int{1, 2}, targets: true}, w1, ""},
		{options{levels: both[1:], workers: []int{2}}, w3, ""},
		{options{levels: both[1:], workers: []int{1}, targets: true}, w1, "-isa lacks generic"},
		{options{levels: both, workers: []int{2}, targets: true}, w1, "-workers lacks 1"},
		{options{levels: both[:1], workers: []int{1}, targets: true}, w1, "there are none"},
		{options{levels: both, workers: []int{1}, targets: true}, w3, "there are none"},
	} {
		err := test.o.checkTargets(test.chosen)
		if test.err == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, test.err)
		}
	}
}

// What decides on another measurement is asked for by -targets alone.
func TestPasses(t *testing.T) {
	r := result{ID: "W1", Lines: []line{{ISA: "avx512", Workers: 1, Gain: 1.2, Ratio: 1.2}}}
	o := options{levels: []dispatch.Level{dispatch.AVX512}}
	require.True(t, o.passes(r))
	o.targets = true
	assert.False(t, o.passes(r))
	r.Lines[0].Gain = 1.3
	assert.True(t, o.passes(r))
	o.maxRatio = 1.1
	assert.False(t, o.passes(r))
}
