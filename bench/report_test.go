package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

func TestListShowsEveryWorkload(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run([]string{"-list"}, &out, new(bytes.Buffer)))
	for i := 1; i <= 23; i++ {
		assert.Regexp(t, fmt.Sprintf(`(?m)^│ W%d +│`, i), out.String())
	}
	assert.Contains(t, out.String(), "data [8,3,640,640] [:, :, ::2, ::2]")
}

func TestRunFlagChooses(t *testing.T) {
	for pattern, want := range map[string][]string{
		`W1$|W9`:   {"W1", "W9"},
		`^W20/u8$`: {"W20 u8"},
		`W17/1000`: {"W17 1000 cells, in place", "W17 1000 cells, fresh dst"},
		`W99`:      nil,
	} {
		var got []string
		for _, w := range (options{run: regexp.MustCompile(pattern)}).choose(workloads) {
			got = append(got, w.name())
		}
		assert.Equal(t, want, got, pattern)
	}
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"-run", "("}, {"-workers", "1,x"}, {"-workers", "0"}, {"-isa", "mmx"}, {"-isa", ""}, {"-targets", "-isa", "generic"}, {"W1"}, {"-check=false"}} {
		assert.Error(t, run(args, new(bytes.Buffer), new(bytes.Buffer)), args)
	}
}

// A small run, from the flags to the table and the file.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.json")
	var out, progress bytes.Buffer
	require.NoError(t, run([]string{"-run", "W4", "-workers", "1,2", "-time", "1ms", "-json", file}, &out, &progress))
	assert.Equal(t, "1/1 W4\n", progress.String())
	assert.Contains(t, out.String(), "go run -C bench . -run W4")
	assert.Contains(t, out.String(), "GatherElements")

	var r report
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &r))
	require.Len(t, r.Results, 1)
	assert.Len(t, r.Results[0].Lines, 2)
	assert.NotEmpty(t, r.Machine.CPU)
	for _, c := range r.Results[0].Contenders {
		assert.GreaterOrEqual(t, len(c.Samples), minRounds, c.Name)
	}

	out.Reset()
	require.Error(t, run([]string{"-run", "W4", "-workers", "1", "-time", "1ms", "-json", filepath.Join(t.TempDir(), "none", "run.json")}, &out, &progress))
	assert.Contains(t, out.String(), "GatherElements", "the table is not lost with the file")

	out.Reset()
	require.NoError(t, run([]string{"-run", "W4", "-workers", "1", "-time", "1ms", "-json", "-"}, &out, &progress))
	assert.True(t, json.Valid(out.Bytes()))
}

func TestLine(t *testing.T) {
	field := []*contender{
		{Kind: lanes, ISA: "avx2", Threads: 1, Samples: []float64{300, 200, 100, 400}},
		{Kind: lanes, ISA: "avx2", Threads: 2, Samples: []float64{150}},
		{Kind: handWritten, Name: "loop", Threads: 1, Samples: []float64{200, 200, 900}},
		{Kind: streaming, Name: "slow", Threads: 1, Samples: []float64{120}},
		{Kind: streaming, Name: "fast", Threads: 1, Samples: []float64{100}},
		{Kind: streaming, Name: "fast", Threads: 2, Samples: []float64{60}},
	}
	mix := traffic{Read: 500, Again: 100, Write: 200, Update: 100} // 1000 bytes
	one := newLine(50, mix, field, setup{dispatch.AVX2, 1})
	assert.Equal(t, line{
		ISA: "avx2", Workers: 1, Min: 100, Median: 250, PerElement: 5, Rate: 4,
		Limit: 100, LimitBy: "fast", Share: 0.4, Ratio: 1.25,
	}, one)
	two := newLine(50, mix, field, setup{dispatch.AVX2, 2})
	assert.Equal(t, 60.0, two.Limit)
	assert.Zero(t, two.Ratio, "the hand-written loop has one thread")

	field = append(field, &contender{Kind: random, Name: "random reads", Threads: 1, Samples: []float64{125}})
	one = newLine(50, mix, field, setup{dispatch.AVX2, 1})
	assert.Equal(t, "random reads", one.LimitBy)
	assert.Equal(t, 0.5, one.Share)

	field[len(field)-1].Samples = []float64{90}
	assert.Equal(t, "fast", newLine(50, mix, field, setup{dispatch.AVX2, 1}).LimitBy, "random reads that are faster do not count")
}

// Levels are compared at the same number of workers, in rows of their own.
func TestLevelsAreComparedWithGeneric(t *testing.T) {
	field := []*contender{
		{Kind: lanes, ISA: "generic", Threads: 1, Samples: []float64{600, 500, 600}},
		{Kind: lanes, ISA: "generic", Threads: 2, Samples: []float64{300}},
		{Kind: lanes, ISA: "avx512", Threads: 1, Samples: []float64{100, 200, 300}},
		{Kind: lanes, ISA: "avx512", Threads: 2, Samples: []float64{200}},
		{Kind: handWritten, Name: "loop", Threads: 1, Samples: []float64{400}},
		{Kind: streaming, Name: "stream", Threads: 1, Samples: []float64{100}},
	}
	o := options{levels: []dispatch.Level{dispatch.Generic, dispatch.AVX512}, workers: []int{1, 2}}
	r := newResult(workloads[0], 1, traffic{}, field, o.setups())
	type row struct {
		isa                 string
		workers             int
		median, ratio, gain float64
	}
	var got []row
	for _, l := range r.Lines {
		got = append(got, row{l.ISA, l.Workers, l.Median, l.Ratio, l.Gain})
	}
	assert.Equal(t, []row{
		{"generic", 1, 600, 1.5, 1}, {"generic", 2, 300, 0, 1},
		{"avx512", 1, 200, 0.5, 3}, {"avx512", 2, 200, 0, 1.5},
	}, got)
	table := report{Results: []result{r}}.table()
	assert.Contains(t, table, "vs generic")
	assert.Regexp(t, `avx512 +│ +2 .* 1\.50 │\n`, table)

	o.levels = o.levels[1:]
	r = newResult(workloads[0], 1, traffic{}, field[2:], o.setups())
	assert.Zero(t, r.Lines[0].Gain, "generic was not measured")
	assert.NotContains(t, report{Results: []result{r}}.table(), "vs generic")

	b, err := json.Marshal(newResult(workloads[0], 1, traffic{}, field, o.setups()))
	require.NoError(t, err)
	assert.Contains(t, string(b), `{"isa":"avx512","workers":1,`)
	assert.Contains(t, string(b), `"ratio_to_generic":1.5}`)
	assert.Contains(t, string(b), `{"kind":"lanes","name":"","isa":"avx512","threads":1,`)
}

func TestMaxRatio(t *testing.T) {
	slow := result{ID: "W1", Lines: []line{{ISA: "generic", Workers: 1, Ratio: 1.31}, {ISA: "generic", Workers: 2}}}
	good := result{ID: "W3", Lines: []line{{ISA: "generic", Workers: 1, Ratio: 1.29}, {ISA: "avx2", Workers: 1, Ratio: 9}}}
	assert.NoError(t, report{Results: []result{good}}.slowerThan(1.3, dispatch.Generic), "of this level")
	assert.NoError(t, report{Results: []result{slow, good}}.slowerThan(0, dispatch.Generic), "no limit was asked for")
	err := report{Results: []result{slow, good}}.slowerThan(1.3, dispatch.Generic)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "W1 1.31")
	assert.NotContains(t, err.Error(), "W3")
}

// A workload above -max-ratio is timed twice before the program fails.
func TestMaxRatioMeasuresAgain(t *testing.T) {
	w := workload{id: "W0", call: gatherF32{data: dims{40, 50}, indices: dims{40, 50}, axis: 1, plain: plainGatherAxis1}}
	o := portableOptions(30 * time.Millisecond)
	start := time.Now()
	_, err := measure(w, o, nil)
	require.NoError(t, err)
	once := time.Since(start)

	o.maxRatio = 1e-9
	start = time.Now()
	r, err := measure(w, o, nil)
	require.NoError(t, err)
	assert.Greater(t, time.Since(start), once+o.time/2)
	assert.Error(t, report{Results: []result{r}}.slowerThan(o.maxRatio, o.judged()))
}

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{0.01234: "0.0123", 3.756: "3.76", 33.44: "33.4", 1234: "1234", 0: "0.000000"} {
		assert.Equal(t, want, digits(x))
	}
}

func TestCommandLineIsQuoted(t *testing.T) {
	got := commandLine(strings.Fields(`-run W1$|W9 -time 1s`))
	assert.Equal(t, `go run -C bench . -run 'W1$|W9' -time 1s`, got)
}
