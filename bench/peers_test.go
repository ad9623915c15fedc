package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/bench/calls"
	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// The peers of the tests are this program, which knows one gather.

const fakePeer = "LANES_BENCH_FAKE_PEER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(fakePeer); kind != "" {
		os.Exit(serveFake(kind))
	}
	os.Exit(m.Run())
}

func serveFake(kind string) (status int) {
	if kind == "dumb" {
		os.Stderr.WriteString("no library\n")
		return 3
	}
	if kind == "interrupted" {
		one, _, _ := tempDir("lanes-test")
		two, _, _ := tempDir("lanes-test")
		fmt.Println(one, two)
		time.Sleep(time.Minute)
	}
	err := protocol.Serve(os.Stdin, os.Stdout, "v0", func(c protocol.Call) ([]protocol.Way, error) {
		if c.Operator != protocol.GatherElements || kind == "lacking" {
			return nil, protocol.Lacks("%s", c.Operator)
		}
		data, err := protocol.Load[f32](c.Data)
		if err != nil {
			return nil, err
		}
		indices, err := protocol.Load[i64](*c.Indices)
		if err != nil {
			return nil, err
		}
		dst := make([]f32, len(indices))
		runs := 0
		honest := protocol.Way{
			Used: "fake gather",
			Run: func() error {
				if runs++; kind == "mortal" && runs == 4 {
					os.Exit(4)
				}
				if err := plainGatherAxis1(dst, data, indices, c.Data.Shape, c.Indices.Shape); err != nil {
					return err
				}
				return nil
			},
			Result: func() []byte { return protocol.Bytes(dst) },
		}
		wrong := honest
		wrong.Used = "quick gather"
		wrong.Run = func() error {
			copy(dst, data[:8])
			return nil
		}
		switch kind {
		case "wrong":
			return []protocol.Way{wrong}, nil
		case "partly wrong":
			return []protocol.Way{honest, wrong}, nil
		default:
			return []protocol.Way{honest}, nil
		}
	})
	if err != nil {
		return 1
	}
	return 0
}

// fake is a peer of a kind that serveFake knows.
func fake(t *testing.T, kind string) peer {
	t.Setenv(fakePeer, kind)
	return peer{kind, oneThread, func(*workshop) ([]string, error) { return os.Args[:1], nil }, false}
}

func newTestPeerSet(t *testing.T, list ...peer) *peerSet {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c, err := newPeerSet(list, []int{1, 2}, io.Discard)
	require.NoError(t, err)
	t.Cleanup(c.close)
	return c
}

var fakeWorkload = workload{id: "W0", call: gatherF32{data: dims{3, 5}, indices: dims{3, 7}, axis: 1}}

func peerOptions() options {
	o := portableOptions(time.Millisecond)
	o.workers, o.peers = []int{1, 2}, peers
	return o
}

func contenderNamed(field []*contender, name string) *contender {
	for _, c := range field {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func TestAPeerIsComparedAndTimed(t *testing.T) {
	c := newTestPeerSet(t, fake(t, "honest"))
	assert.Equal(t, []known{{Name: "honest", Version: "v0"}}, c.known)
	require.Len(t, c.sessions, 1, "it has one thread, whatever the workers")
	r, err := measure(fakeWorkload, peerOptions(), c)
	require.NoError(t, err)
	for _, x := range r.Contenders {
		assert.True(t, x.call == nil && x.remote == nil && x.settled == nil, "%s keeps its tensors until the report", x.Name)
	}
	x := contenderNamed(r.Contenders, "honest")
	require.NotNil(t, x)
	assert.Equal(t, "fake gather", x.Used)
	assert.Equal(t, bitForBit, x.Agrees)
	assert.Empty(t, x.Without)
	assert.GreaterOrEqual(t, len(x.Samples), minLongRounds)
	for _, l := range r.Lines {
		assert.Equal(t, "honest", l.Peer)
		assert.InDelta(t, median(x.Samples)/l.Median, l.Lead, 1e-9)
	}
}

// A peer that can't take part says why, and has no figure.
func TestAPeerWithoutFigures(t *testing.T) {
	for kind, why := range map[string]string{
		"lacking": "no such call: GatherElements",
		"wrong":   "quick gather: another result: dst[0 0] is",
		"mortal":  "failed: the process has ended: exit status 4",
	} {
		t.Run(kind, func(t *testing.T) {
			c := newTestPeerSet(t, fake(t, kind))
			for range 2 { // a process that has ended is started again
				r, err := measure(fakeWorkload, peerOptions(), c)
				require.NoError(t, err)
				x := contenderNamed(r.Contenders, kind)
				require.NotNil(t, x)
				assert.Contains(t, x.Without, why)
				assert.Empty(t, x.Samples)
				assert.Empty(t, r.Lines[0].Peer)
				assert.Equal(t, kind == "mortal", c.sessions[0].process == nil, "it starts for the next call alone")
			}
		})
	}
}

// A way with another result is named and left out, however fast it is.
func TestAnotherWayIsTakenInPlaceOfAWrongOne(t *testing.T) {
	w := workload{id: "W0", call: gatherF32{data: dims{1000, 50}, indices: dims{1000, 70}, axis: 1}}
	r, err := measure(w, peerOptions(), newTestPeerSet(t, fake(t, "partly wrong")))
	require.NoError(t, err)
	x := contenderNamed(r.Contenders, "partly wrong")
	assert.Equal(t, "fake gather", x.Used)
	assert.Equal(t, bitForBit, x.Agrees)
	require.Len(t, x.Wrong, 1)
	assert.Contains(t, x.Wrong[0], "quick gather: another result: dst[0 ")
	assert.NotEmpty(t, x.Samples)
	assert.Contains(t, report{Results: []result{r}}.calls(), "quick gather: another")
}

func TestAMissingPeerIsNamed(t *testing.T) {
	c := newTestPeerSet(t,
		fake(t, "dumb"),
		peer{"nowhere", 0, func(*workshop) ([]string, error) { return nil, errors.New("no network") }, false},
	)
	assert.Empty(t, c.sessions)
	assert.Equal(t, []known{
		{Name: "dumb", Missing: "the process has ended: exit status 3: no library"},
		{Name: "nowhere", Missing: "no network"},
	}, c.known)
	r, err := measure(fakeWorkload, peerOptions(), c)
	require.NoError(t, err)
	report := report{Peers: c.known, Results: []result{r}}
	assert.Regexp(t, `nowhere +│ +│ MISSING: no network`, report.besidePeers())
	b, err := json.Marshal(report)
	require.NoError(t, err)
	assert.Contains(t, string(b), `{"name":"nowhere","missing":"no network"}`)
}

// A peer that is stopped takes no time, and goes on when it is asked.
func TestASessionIsStoppedBetweenRequests(t *testing.T) {
	c := newTestPeerSet(t, fake(t, "honest"))
	for range 3 {
		a, err := c.sessions[0].ask(protocol.Request{Do: "release"})
		require.NoError(t, err)
		assert.Equal(t, protocol.Reply{}, a)
	}
	_, err := c.sessions[0].ask(protocol.Request{Do: "dance"})
	assert.EqualError(t, err, `"dance": no such request`)
}

func TestThreadCounts(t *testing.T) {
	assert.Equal(t, []int{1, 2}, peer{threads: 0}.threadCounts([]int{1, 2}))
	assert.Equal(t, []int{1}, peer{threads: oneThread}.threadCounts([]int{1, 2}))
	assert.Equal(t, []int{1}, peer{threads: oneThread}.threadCounts([]int{2}))
}

func TestParsePeers(t *testing.T) {
	got, err := parsePeers("torch, numpy")
	require.NoError(t, err)
	assert.Equal(t, "torch,numpy", peerNames(got))
	_, err = parsePeers("torch,matlab")
	assert.EqualError(t, err, `"matlab" is not one of onnxruntime,openvino,torch,numpy,gomlx,born,gorgonia,arrow`)
	_, err = parseOptions([]string{"-peers", "-peer", "x"}, new(bytes.Buffer))
	assert.ErrorContains(t, err, "-peer")
	o, err := parseOptions(nil, new(bytes.Buffer))
	require.NoError(t, err)
	assert.Nil(t, o.peers)
}

// What a peer gets is the workload's call in full.
func TestPeerJobs(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		spec spec
		want string
	}{
		{gatherElements[u8, i32]{data: dims{3, 5}, indices: dims{3, 7}, axis: 1},
			`{"operator":"GatherElements","axis":1,"batch_dims":0,"in_place":false,"data":{"file":"data","type":"uint8","shape":[3,5]},` +
				`"indices":{"file":"indices","type":"int32","shape":[3,7]},"output":{"type":"uint8","shape":[3,7]}}`},
		{gatherND[f32, i64]{data: dims{2, 5, 3}, indices: dims{2, 4, 1}, batchDims: 1},
			`{"operator":"GatherND","axis":0,"batch_dims":1,"in_place":false,"data":{"file":"data","type":"float32","shape":[2,5,3]},` +
				`"indices":{"file":"indices","type":"int64","shape":[2,4,1]},"output":{"type":"float32","shape":[2,4,3]}}`},
		{scatterF32{data: dims{4, 6}, indices: dims{5, 6}, axis: 0, rows: stride0, reduction: kernels.Mean, inPlace: true},
			`{"operator":"ScatterElementsUpdate","axis":0,"batch_dims":0,"reduction":"mean","in_place":true,"data":{"file":"data","type":"float32","shape":[4,6]},` +
				`"indices":{"file":"indices","type":"int64","shape":[5,6],"strides":[1,0]},"updates":{"file":"updates","type":"float32","shape":[5,6]},` +
				`"output":{"type":"float32","shape":[4,6]}}`},
		{slice[f32]{data: dims{3, 4, 5}, cuts: cuts{span(1, 3), only(2), step(-2)}},
			`{"operator":"StridedSlice","axis":0,"batch_dims":0,"in_place":false,"cuts":[{"begin":1,"count":2,"stride":1,"shrunk":false},` +
				`{"begin":2,"count":1,"stride":1,"shrunk":true},{"begin":4,"count":3,"stride":-2,"shrunk":false}],` +
				`"data":{"file":"data","type":"float32","shape":[3,4,5]},"output":{"type":"float32","shape":[2,3]}}`},
	} {
		e := test.spec.job(newRNG()).forPeers()
		call, err := e.write(dir)
		require.NoError(t, err)
		b, err := json.Marshal(call)
		require.NoError(t, err)
		assert.Equal(t, test.want, strings.ReplaceAll(string(b), dir+string(filepath.Separator), ""))
	}
}

func TestCompareWithAPeer(t *testing.T) {
	three := []f32{1, 2, 4}
	nudged := []f32{1, 2, math.Nextafter32(4, 5)}
	f := func(v []f32) []byte { return protocol.Bytes(v) }
	for _, test := range []struct {
		name      string
		typ       string
		additions int
		want, got []byte
		agree     string
		err       string
	}{
		{"equal", "float32", 0, f(three), f(three), bitForBit, ""},
		{"a move must be equal", "float32", 0, f(three), f(nudged), "", "dst[2] is 4.0000005; lanes gives 4"},
		{"a sum may differ", "float32", 3, f(three), f(nudged), "within 1e-07", ""},
		{"but not by more than its additions allow", "float32", 3, f(three), f([]f32{1, 2.00001, 4}), "", "dst[1]"},
		{"NaN is another result", "float32", 1000, f(three), f([]f32{1, 2, f32(math.NaN())}), "", "dst[2] is NaN"},
		{"bytes", "uint8", 0, []byte{1, 2, 3}, []byte{1, 9, 3}, "", "dst[1] is 9; lanes gives 2"},
		{"integers are exact", "int64", 5, protocol.Bytes([]int64{1, 2, 1 << 53}), protocol.Bytes([]int64{1, 2, 1<<53 + 1}), "", "dst[2] is 9007199254740993; lanes gives 9007199254740992"},
		{"zero has no sign in a sum", "float32", 2, f([]f32{0, 2, 4}), f([]f32{f32(math.Copysign(0, -1)), 2, 4}), "within 0", ""},
		{"too short", "uint8", 0, []byte{1, 2, 3}, []byte{1, 2}, "", "the result has 2 bytes, not 3"},
	} {
		e := peerJob{call: protocol.Call{Output: protocol.Tensor{Type: test.typ, Shape: []int{3}}}, additions: test.additions}
		agree, err := e.compare(test.want, test.got)
		assert.Equal(t, test.agree, agree, test.name)
		if test.err == "" {
			assert.NoError(t, err, test.name)
		} else {
			assert.ErrorContains(t, err, test.err, test.name)
		}
	}
}

func TestAdditionsAreThoseOfTheCellWithMost(t *testing.T) {
	j := scatterF32{data: dims{4, 2}, indices: dims{5, 2}, axis: 0, reduction: kernels.Sum}.job(newRNG()).(*scatterJob[f32, i64])
	copy(j.indices, []i64{0, 1, 0, 1, 3, 1, 0, 2, 2, 1})
	assert.Equal(t, 4, j.forPeers().additions) // column 1: four updates of row 1
	j.spec.reduction = kernels.Max
	assert.Zero(t, j.forPeers().additions)
}

// rivals returns a result as it would be measured: lanes, two peers and a loop.
func rivals(id string, elements int, ours, torch, numpy, limit float64) result {
	field := []*contender{
		{Kind: lanes, ISA: "avx512", Threads: 1, Samples: []float64{ours, ours, ours / 2}},
		{Kind: handWritten, Name: "hand-written loop", Threads: 1, Samples: []float64{3 * ours}},
		{Kind: streaming, Name: "stream", Threads: 1, Samples: []float64{limit}},
		{Kind: rival, Name: "torch", Threads: 1, Used: "torch.gather", Agrees: bitForBit, Samples: []float64{torch, torch, torch / 2}},
		{Kind: rival, Name: "torch", Threads: 2, Used: "torch.gather", Agrees: bitForBit, Samples: []float64{torch / 4}},
		{Kind: rival, Name: "numpy", Threads: 1, Without: "no such call: mean"},
	}
	if numpy > 0 {
		field[5] = &contender{Kind: rival, Name: "numpy", Threads: 1, Used: "np.take", Agrees: "within 2e-07", Samples: []float64{numpy}}
	}
	w := workload{id: id, call: gatherF32{data: dims{elements}, indices: dims{elements}}}
	return newResult(w, elements, traffic{}, field, []setup{{dispatch.AVX512, 1}})
}

func testReport() report {
	return report{
		Peers: []known{{Name: "torch", Version: "2"}, {Name: "numpy", Version: "1"}, {Name: "arrow", Missing: "no network"}},
		Results: []result{
			rivals("W1", 1<<20, 1e6, 4e6, 9e6, 1e5),
			rivals("W2", 1<<20, 1e6, 1e6, 0, 9e5),
			rivals("W3", 1<<20, 1e6, 5e5, 0, 1e5),
			rivals("W4", 1<<14, 1e4, 3e4, 0, 1e3),
		},
	}
}

func TestRatios(t *testing.T) {
	var got []float64
	var verdicts []string
	for _, v := range testReport().rivalries() {
		got = append(got, v.ratio())
		verdicts = append(verdicts, v.verdict())
		assert.Equal(t, "torch", v.Peer, "the one with no more threads")
	}
	assert.Equal(t, []float64{4, 1, 0.5, 3}, got)
	assert.Equal(t, []string{"", "at the limit", "behind", ""}, verdicts)
	near := rivals("W5", 1<<20, 1e6, 9e5, 0, 9.5e5) // the peer's time is the limit
	assert.Equal(t, "behind, at the limit", near.rivalry(near.Lines[0], []string{"torch"}).verdict())
}

func TestTablesBesidePeers(t *testing.T) {
	got := testReport().besidePeers()
	for _, want := range []string{
		`arrow +│ +│ MISSING: no network`,
		`1 │ W1 +│ +0\.500 │ +1\.00 │ torch +│ +2\.00 │ +4\.00 │ +4\.00 │ +4\.00 │ +0\.100 │ stream +│ +10 % │ +3\.00 │`,
		`W3 .* behind`,
		`3 large +│ 1\.26 +│ 1\.26 +│ 0\.50 W3 +│ +2 │ +1 │ +1 │ +0 │`, // the third root of 4 × 1 × 0.5
		`1 small, below 64 Ki elements +│ 3\.00 +│ 3\.00 +│ 3\.00 W4`,
		`W1 +│ 0\.500 / 1\.00 +│ 2\.00 / 4\.00 +│ 9\.00 / 9\.00 +│ 3\.00 / 3\.00`,
		`W2 +│ 0\.500 / 1\.00 +│ 0\.500 / 1\.00 +│ – `,
		`torch +│ torch\.gather +│ bit for bit +│ W1; W2; W3; W4`,
		`numpy +│ np\.take +│ within 2e-07 +│ W1`,
		`no such call: mean +│ +│ W2; W3; W4`,
	} {
		assert.Regexp(t, want, got)
	}
}

// Each level has tables and charts of its own: a mean over several is that of none.
func TestLevelsBesidePeers(t *testing.T) {
	r := testReport()
	r.Results = r.Results[:1]
	field := append(r.Results[0].Contenders, &contender{Kind: lanes, ISA: "avx2", Threads: 1, Samples: []float64{2e6}})
	r.Results[0].Lines = append(r.Results[0].Lines, newLine(1<<20, traffic{}, field, setup{dispatch.AVX2, 1}))
	got := r.besidePeers()
	assert.Regexp(t, `(?s)LEVEL avx512.*1 large +│ 4\.00 .*LEVEL avx2.*1 large +│ 2\.00 .*The calls`, got)
	assert.Len(t, r.charts(), 2)
	assert.Contains(t, r.charts(), "ratio-1-thread-avx2")
	assert.NotContains(t, testReport().besidePeers(), "LEVEL")

	r.Results[0].Random = &calls.Call{}
	assert.Regexp(t, `(?s)LEVEL avx512.*4\.00 .*LEVEL avx2.* 2\.00 .*-workers 1 -isa avx2`, r.randomBesidePeers())
}

func TestNoPeerHasTheCall(t *testing.T) {
	r := testReport()
	r.Results = r.Results[:1]
	r.Results[0].Contenders = r.Results[0].Contenders[:3]
	v := r.rivalries()[0]
	assert.Zero(t, v.ratio())
	assert.Empty(t, v.verdict())
	assert.Contains(t, r.besidePeers(), "none has it")
}

func TestPeerWithFewerThreadsIsNamedSo(t *testing.T) {
	r := testReport()
	r.Results[0].Lines[0].Workers = 8
	r.Results[0].Contenders[4].Samples = []float64{1e9}
	assert.Contains(t, r.besidePeers(), "torch (1 thread)")
}

func TestCharts(t *testing.T) {
	r := testReport()
	for i := range 3 {
		x := rivals("S1", 1<<(10+2*i), 1e6, 4e6, 2e6, 1e5)
		x.Sweep = &point{"a sweep", elementsAxis, float64(x.Elements)}
		d := rivals("S6", 1<<20, 1e6, 4e6, 2e6, 1e5)
		d.Sweep = &point{"duplicates", duplicatesAxis, float64(i) / 2}
		r.Results = append(r.Results, x, d)
	}
	dir := filepath.Join(t.TempDir(), "charts")
	require.NoError(t, r.draw(dir))
	for name, texts := range map[string][]string{
		"ratio-1-thread": {"W1", "W4", "torch", "numpy", "hand-written"},
		"S1-1-thread":    {"a sweep, 1 thread", "1 Ki", "4 Ki", "limit", "torch"},
		"S6-1-thread":    {"duplicates, 1 thread", "50 %", "ns an element"},
	} {
		svg, err := os.ReadFile(filepath.Join(dir, name+".svg"))
		require.NoError(t, err)
		for _, text := range texts {
			assert.Contains(t, string(svg), ">"+text+"<", name)
		}
		png, err := os.ReadFile(filepath.Join(dir, name+".png"))
		require.NoError(t, err)
		assert.Equal(t, "\x89PNG", string(png[:4]))
	}
	require.NoError(t, r.draw(""))
}

func TestSweeps(t *testing.T) {
	sizes := map[string]bool{}
	for _, w := range sweeps() {
		p := w.sweep()
		require.NotEmpty(t, p.Name)
		if p.Axis != elementsAxis {
			continue
		}
		sizes[w.variant] = true
		if p.X <= 1<<16 {
			j := w.call.job(w.rng())
			assert.Equal(t, int(p.X), j.elements(), w.name())
			require.NoError(t, verify(j, portable(1, 2), newRNG()), w.name())
		}
	}
	for _, n := range []string{"1 Ki", "4 Ki", "1 Mi", "64 Mi"} {
		assert.True(t, sizes[n], n)
	}
	assert.Empty(t, workloads[0].sweep().Name)
}

func TestDuplicates(t *testing.T) {
	most := func(share float64) int {
		counts, most := map[int]int{}, 0
		for _, k := range duplicates(share)(newRNG(), 4000, 4000) {
			require.True(t, 0 <= k && k < 4000)
			counts[k]++
			most = max(most, counts[k])
		}
		return most
	}
	assert.Equal(t, 1, most(0))
	assert.InDelta(t, 2000, most(0.5), 200)
	assert.Equal(t, 4000, most(1))
	assert.Len(t, duplicates(0)(newRNG(), 10, 4), 10)
}

func TestATurnForEachNumberOfWorkersInASweep(t *testing.T) {
	o := options{workers: []int{1, 2}}
	assert.Len(t, o.turns(), 1)
	o.sweep = true
	require.Len(t, o.turns(), 2)
	assert.Equal(t, []int{2}, o.turns()[1].workers)
}

// A peer that may need more memory than there is would have the run killed.
func TestTooLarge(t *testing.T) {
	e := peerJob{data: peerTensor{memory: make([]byte, 10)}, indices: peerTensor{memory: make([]byte, 20)}, updates: peerTensor{memory: make([]byte, 5)}, result: make([]byte, 10)}
	require.False(t, e.tooLarge(4*45))
	require.True(t, e.tooLarge(4*45-1))
	require.Greater(t, available(), uint64(1<<20))
}
