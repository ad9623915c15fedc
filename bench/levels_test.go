package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

func TestParseLevels(t *testing.T) {
	noNEON := func(l dispatch.Level) bool { return l != dispatch.NEON }
	for _, test := range []struct {
		list string
		want []dispatch.Level
		err  string
	}{
		{"generic", []dispatch.Level{dispatch.Generic}, ""},
		{"avx512, generic,avx2", []dispatch.Level{dispatch.AVX512, dispatch.Generic, dispatch.AVX2}, ""},
		{"avx2,generic,avx2", []dispatch.Level{dispatch.AVX2, dispatch.Generic}, ""},
		{"generic,neon", nil, "neon is not available: this CPU lacks it, or this build has no bodies for it"},
		{"generic,AVX2", nil, `"AVX2" is not one of the levels [generic neon avx2 avx512]`},
		{"generic,", nil, `"" is not one of the levels [generic neon avx2 avx512]`},
	} {
		got, err := parseLevels(test.list, noNEON)
		assert.Equal(t, test.want, got, test.list)
		if test.err == "" {
			assert.NoError(t, err, test.list)
		} else {
			assert.EqualError(t, err, test.err, test.list)
		}
	}
}

func TestTheActiveLevelIsTheDefault(t *testing.T) {
	o, err := parseOptions([]string{"-workers", "2,1"}, new(bytes.Buffer))
	require.NoError(t, err)
	assert.Equal(t, []setup{{dispatch.Active(), 1}, {dispatch.Active(), 2}}, o.setups())
	assert.Equal(t, dispatch.Active(), o.judged())
}

func TestTheFirstLevelIsJudgedWithoutTheActiveOne(t *testing.T) {
	defer enter(dispatch.Generic)()
	assert.Equal(t, dispatch.Generic, options{levels: []dispatch.Level{dispatch.AVX2, dispatch.Generic}}.judged())
	assert.Equal(t, dispatch.AVX2, options{levels: []dispatch.Level{dispatch.AVX2, dispatch.AVX512}}.judged())
}

// A run of every level that can be had here.
func TestRunOfLevels(t *testing.T) {
	available := slices.DeleteFunc(dispatch.Levels(), func(l dispatch.Level) bool { return !dispatch.Available(l) })
	var names []string
	for _, l := range available {
		names = append(names, l.String())
	}
	before := dispatch.Active()
	var out bytes.Buffer
	require.NoError(t, run([]string{"-run", "W4", "-workers", "1,2", "-time", "1ms", "-isa", strings.Join(names, ","), "-json", "-"},
		&out, new(bytes.Buffer)))
	assert.Equal(t, before, dispatch.Active())

	var r report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r))
	require.Len(t, r.Results, 1)
	res := r.Results[0]
	require.Len(t, res.Lines, 2*len(names))
	for i, l := range res.Lines {
		assert.Equal(t, names[i/2], l.ISA)
		assert.Equal(t, i%2+1, l.Workers)
		assert.Positive(t, l.Gain)
	}
	for _, c := range res.Contenders {
		assert.Equal(t, c.Kind == lanes, c.ISA != "", c.Name)
	}
}

func TestFasterWith(t *testing.T) {
	for _, trait := range []dispatch.Trait{dispatch.FastGather, dispatch.FastMovs} {
		if dispatch.Possible()&trait == 0 {
			require.False(t, dispatch.Available(dispatch.AVX512) || trait == dispatch.FastGather && dispatch.Available(dispatch.AVX2), "it is possible there")
			t.Skip("no trait that is measured")
		}
		slow := func(on bool) func() {
			return func() {
				if dispatch.Has(trait) == on {
					time.Sleep(time.Millisecond)
				}
			}
		}
		faster, _ := fasterWith(dispatch.Active(), trait, slow(false), 0.8)
		assert.True(t, faster)
		faster, _ = fasterWith(dispatch.Active(), trait, slow(true), 1)
		assert.False(t, faster)
	}
}

// A seen job notes the levels that it runs at.
type seen struct {
	job
	at *[]dispatch.Level
}

func (s seen) run(workers int) error {
	*s.at = append(*s.at, dispatch.Active())
	return s.job.run(workers)
}

func TestEachLevelIsVerifiedAndSampledAtThatLevel(t *testing.T) {
	for _, l := range dispatch.Levels() {
		if !dispatch.Available(l) {
			continue
		}
		var at []dispatch.Level
		j := seen{gatherF32{data: dims{3, 5}, indices: dims{3, 7}, axis: 1}.job(newRNG()), &at}
		before := dispatch.Active()
		o := options{levels: []dispatch.Level{l}, workers: []int{1}}
		require.NoError(t, verify(j, o.setups(), newRNG()))
		field := contenders(j, j.traffic(), o)
		_, err := field[0].sample(1, 0)
		require.NoError(t, err)
		assert.Equal(t, bestLevel(), field[len(field)-1].level, "the limit is the machine's")
		assert.GreaterOrEqual(t, len(at), 3, "to be verified, to settle, to be timed")
		assert.Equal(t, []dispatch.Level{l}, slices.Compact(at))
		assert.Equal(t, before, dispatch.Active())
	}
}
