package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/bench/calls"
	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// What nest finds for large calls is what the definitions give for small ones.
func TestRandomCallsAreWhatTheDefinitionsGive(t *testing.T) {
	seen := map[string]int{}
	for number := uint64(0); len(seen) < 7 || number < 2000; number++ {
		c := calls.Draw(3, number)
		if c.Elements() > 1<<10 || size(c.Data) > 1<<12 {
			continue
		}
		seen[c.Operator]++
		switch j := (randomSpec{c}).job(nil).(type) {
		case *randomJob[float32, int64]:
			checkBoth(t, j)
		case *randomJob[float32, int32]:
			checkBoth(t, j)
		case *randomJob[int64, int64]:
			checkBoth(t, j)
		case *randomJob[uint8, int32]:
			checkBoth(t, j)
		case *randomJob[complex64, int64]:
			checkBoth(t, j)
		}
	}
}

func TestDescribedCalls(t *testing.T) {
	drawn, err := randomCalls(20, 3, "large", "^(Gather|GatherND): .*data cut", "")
	require.NoError(t, err)
	require.Len(t, drawn, 20)
	for _, c := range drawn {
		require.Contains(t, []string{calls.Gather, calls.GatherND}, c.Operator)
		require.Equal(t, calls.DataCut, c.Strides)
		require.GreaterOrEqual(t, c.Elements(), calls.Small)
	}
	_, err = randomCalls(1, 3, "all", "no such call", "")
	require.EqualError(t, err, `-of: 0 of 10000 calls match "no such call"`)
	_, err = randomCalls(1, 3, "all", "(", "")
	require.ErrorContains(t, err, "-of: error parsing regexp")
}

func checkBoth[T comparable, I int32 | int64](t *testing.T, j *randomJob[T, I]) {
	require.NoError(t, j.run(1))
	defined, err := j.defined()
	require.NoError(t, err)
	found, err := j.found()
	require.NoError(t, err)
	calls.SameNaN(defined)
	calls.SameNaN(found)
	require.Equal(t, defined, found, "%s %s: %v", j.ID(), j.Operator, j.Call)

	require.NoError(t, j.check(nil))
	require.NoError(t, j.check(nil))
	was := j.Dst.Data[j.Dst.Offset]
	var other T
	j.Dst.Data[j.Dst.Offset] = other
	if was != other {
		assert.Error(t, j.check(nil), "compared with a result that was right")
		j.checked = nil
		assert.Error(t, j.check(nil), "%s %s: %v", j.ID(), j.Operator, j.Call)
	}
	j.reset()
	require.NoError(t, j.run(2))
	require.Equal(t, defined, j.Dst.Data)
}

// Cliffs are looked for between calls that move as many elements, and can be made.
func TestCliffs(t *testing.T) {
	seen := map[string]int{}
	variants := map[string]func(calls.Call) (calls.Call, bool){"wide": calls.Call.Wide, "forward": calls.Call.Forward, "strides": calls.Call.OtherStrides}
	for number := uint64(0); number < 2000; number++ {
		c := calls.Draw(4, number)
		if c.Elements() > 1<<14 || size(c.Data) > 1<<15 {
			continue
		}
		for name, variant := range variants {
			other, ok := variant(c)
			if !ok || seen[name] > 30 {
				continue
			}
			seen[name]++
			require.Equal(t, c.Elements(), other.Elements())
			require.Equal(t, size(c.Data), size(other.Data))
			j := randomSpec{other}.job(nil)
			require.NoError(t, verify(j, options{levels: []dispatch.Level{dispatch.Active()}, workers: []int{1}}.setups(), nil), "%s %s: %v", c.ID(), name, other)
		}
	}
	for name := range variants {
		assert.Greater(t, seen[name], 10, name)
	}
}

// A call that more workers make slower is timed again before it counts as a cliff.
func TestWorkerCliffIsMeasuredTwice(t *testing.T) {
	o := options{levels: []dispatch.Level{dispatch.Active()}, workers: []int{1, 2}}
	isa := dispatch.Active().String()
	r := result{Elements: 1, Lines: []line{{ISA: isa, Workers: 1, Min: 1}, {ISA: isa, Workers: 2, Min: 7}}}
	assert.True(t, o.passes(r))
	o.cliffs, o.maxCliff = true, 6
	assert.False(t, o.passes(r))
	r.Lines[1].Min = 6
	assert.True(t, o.passes(r))
}

// What is explained is listed with the reason, and does not fail a run; another cliff of the same call
// does.
func TestExplainedCliffs(t *testing.T) {
	steep := func(than string) report {
		return report{cliff: 3, Results: []result{{ID: "1.72", Lines: []line{{}}, Cliffs: []cliff{{Than: than, Workers: 1, NS: 7, Other: 1, Times: 7}}}}}
	}
	for key, why := range explained {
		assert.Contains(t, place{cliff{Than: key[1]}, result{ID: key[0]}}.String(), why)
	}
	assert.NoError(t, steep(thanForward).steeperThan(6))
	assert.Contains(t, steep(thanForward).ofRandomCalls(), explained[[2]string{"1.72", thanForward}])
	assert.ErrorContains(t, steep(thanWide).steeperThan(6), "1.72")
	assert.NoError(t, steep(thanWide).steeperThan(7))
}

func TestRandomRun(t *testing.T) {
	var out, log bytes.Buffer
	require.NoError(t, run([]string{"-random", "4", "-seed", "11", "-size", "small", "-workers", "1,2", "-time", "1ms", "-cliffs", "-cliff", "0"}, &out, &log))
	for _, want := range []string{"The share of the limit", "below 4 Ki", "-call repeats them", "times " + thanWrittenOut, "times " + thanOne} {
		assert.Contains(t, out.String(), want)
	}
	err := run([]string{"-random", "1", "-seed", "11", "-size", "small", "-workers", "1,2", "-time", "1ms", "-cliffs", "-max-cliff", "0.001"}, &out, &log)
	assert.ErrorContains(t, err, "cliffs of more than 0.001 times")
}

// What a peer gets of a random call is row-major, and what it gives is compared with lanes' written out.
func TestRunThatEnds(t *testing.T) {
	var out, log bytes.Buffer
	file := filepath.Join(t.TempDir(), "results")
	args := []string{"-random", "1000", "-seed", "11", "-size", "small", "-workers", "1", "-time", "1ms", "-json", file}
	for _, args := range [][]string{append(args, "-for", "50ms"), append(args, "-for", "50ms", "-against", "..")} {
		require.NoError(t, run(args, &out, &log))
		var found struct{ Results, Calls []struct{} }
		require.NoError(t, json.Unmarshal(readFile(t, file), &found))
		assert.True(t, len(found.Results)+len(found.Calls) > 0 && len(found.Results)+len(found.Calls) < 1000)
		assert.Contains(t, log.String(), "of 1000 were measured")
		log.Reset()
	}
}
func TestRandomPeerJobs(t *testing.T) {
	c := calls.Call{Seed: 1, Operator: calls.ScatterElementsUpdate, Elem: "float32", Index: "int64", Data: []int{5, 3}, Indices: []int{4, 3}, Moved: []int{4, 3},
		Pattern: calls.Stride0, Reduction: kernels.Sum, IgnoreInit: true, Strides: calls.DstTransposed}
	j := randomSpec{c}.job(nil).(*randomJob[float32, int64])
	require.NoError(t, j.run(1))
	e := j.forPeers()
	e.call.Data, e.call.Indices, e.call.Updates = e.data.tensor, &e.indices.tensor, &e.updates.tensor
	b, err := json.Marshal(e.call)
	require.NoError(t, err)
	assert.Equal(t, `{"operator":"ScatterElementsUpdate","axis":0,"batch_dims":0,"reduction":"sum","in_place":false,"ignore_init":true,`+
		`"data":{"type":"float32","shape":[5,3]},"indices":{"type":"int64","shape":[4,3],"strides":[1,0]},"updates":{"type":"float32","shape":[4,3]},`+
		`"output":{"type":"float32","shape":[5,3]},"drawn":"1.0"}`, string(b))
	assert.Positive(t, e.additions)

	got := make([]float32, 15)
	copy(protocol.Bytes(got), e.lanes())
	for i := range got {
		assert.Equal(t, j.Dst.Data[i/3+i%3*5], got[i]) // dst is column-major
	}
}

func TestValuesOfElements(t *testing.T) {
	for typ, b := range map[string][]byte{
		"float32": protocol.Bytes([]float32{1.5}), "float64": protocol.Bytes([]float64{1.5}), "complex64": protocol.Bytes([]complex64{1.5}),
		"float16": protocol.Bytes([]kernels.Float16{0x3E00}), "bfloat16": protocol.Bytes([]kernels.BFloat16{0x3FC0}),
	} {
		assert.Equal(t, complex(1.5, 0), valueOf(typ, b), typ)
	}
	for typ, b := range map[string][]byte{
		"int16": protocol.Bytes([]int16{-3}), "int32": protocol.Bytes([]int32{-3}), "int64": protocol.Bytes([]int64{-3}),
	} {
		assert.Equal(t, complex(-3, 0), valueOf(typ, b), typ)
	}
}

// Of a call that NumPy alone has, and of one that no peer has, there is no mean; at the limit a call meets its percentile.
func TestRandomBesidePeers(t *testing.T) {
	list := []result{
		rivals("1.1", 1<<20, 1e6, 4e6, 9e6, 1e5),
		rivals("1.2", 1<<20, 1e6, 5e5, 0, 4e5),
		rivals("1.3", 1<<10, 1e6, 1e6, 0, 9.9e5),
		rivals("1.4", 1<<20, 1e6, 1e6, 2e6, 1e5),
		rivals("1.5", 1<<20, 1e6, 1e6, 0, 1e5),
	}
	for i := 3; i < 5; i++ {
		for _, c := range list[i].Contenders[3:5] {
			c.Samples, c.Without = nil, "failed: no memory"
		}
	}
	for i := range list {
		list[i].Random = &calls.Call{Strides: calls.NilStrides}
	}
	list[1].Random.Strides = calls.DataCut
	r := report{Peers: testReport().Peers, Results: list}
	got := r.randomBesidePeers()
	for _, want := range []string{
		`1 │ all +│ +3 │ medians +│ 1\.26 +│ 0\.50 +│`,
		`1 │ all +│ +3 │ medians, at the limit: met +│ met +│ 0\.50 +│ 0\.50 │ 0\.50 │ 0\.50 │ 0\.50 │ 4\.00 │ 33 % +│ 33 % `,
		`1 │ small +│ +1 │ medians +│ 1\.00 `,
		`1 │ no views +│ +2 │ medians +│ 2\.00 `,
		`1 │ views +│ +1 │ medians +│ 0\.50 `,
		`1 │ NumPy alone has +│ +1 │ medians +│ 2\.00 `,
		`With 1 thread 1 calls are lanes' alone`,
		`torch +│ failed +│ +2 │`,
		`numpy +│ no such call: mean +│ +3 │`,
		`0\.50 \(of mins 0\.50\).* -call 1\.2 -workers 1`,
	} {
		assert.Regexp(t, want, got)
	}
	near := rivals("1.6", 1<<20, 1e6, 9e5, 0, 9.5e5)
	near.Random = &calls.Call{}
	assert.Contains(t, report{Peers: r.Peers, Results: []result{near}}.randomBesidePeers(), "With 1 thread 1 calls at the limit are behind a peer.")
	assert.Contains(t, r.charts(), "random-1-thread")
	assert.Equal(t, "torch", newLine(1, traffic{}, rivals("", 1, 1e6, 5e5, 0, 6e5).Contenders, setup{dispatch.AVX512, 1}).LimitBy, "a limit that a peer beats is none")
}
