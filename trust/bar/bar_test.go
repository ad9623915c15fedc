package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadme: the page says what the file of results does.
func TestReadme(t *testing.T) {
	results, err := readResults("results.json")
	require.NoError(t, err)
	page, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	want, err := withTable(string(page), results)
	require.NoError(t, err)
	require.Equal(t, want, string(page), "go run -C trust ./bar -readme")
	for id := range results {
		require.True(t, func() bool {
			for _, r := range rows {
				if r.id == id {
					return true
				}
			}
			return false
		}(), "a result of no row: %s", id)
	}
}

// TestRows: every check of the bar has a row, and its name is its own.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows {
		require.False(t, seen[r.id], r.id)
		for id := range strings.SplitSeq(r.id, ", ") {
			seen[id] = true
		}
		require.Positive(t, r.least, r.id)
		require.Positive(t, r.full, r.id)
		require.NotEmpty(t, r.unit, r.id)
		require.NotNil(t, r.read, r.id)
		require.Equal(t, 1, r.goal(1e-9), r.id)
		require.Equal(t, r.full, r.goal(1), r.id)
		require.Equal(t, strings.Contains(r.command, "{n}"), r.full > 1 && !r.again, r.id)
	}
	for _, id := range []string{"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"} {
		require.True(t, seen[id], id)
	}
}

// TestNames: every test that a command names is there.
func TestNames(t *testing.T) {
	var tests []string
	for _, dir := range []string{"../..", "../../kernels", "../backend", "../abi", "../selftest"} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		require.NoError(t, err)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(text), -1) {
				tests = append(tests, m[1])
			}
		}
	}
	for _, r := range rows {
		m := regexp.MustCompile(`-run '([^']*)'`).FindStringSubmatch(r.command)
		if m == nil {
			continue
		}
		for pattern := range strings.SplitSeq(strings.NewReplacer("(", "", ")", "").Replace(m[1]), "|") {
			named := 0
			for _, name := range tests {
				if regexp.MustCompile(strings.TrimPrefix(pattern, "^")).MatchString(name) {
					named++
				}
			}
			require.NotZero(t, named, "%s: no test is named %s", r.id, pattern)
		}
	}
}

func TestReaders(t *testing.T) {
	for _, tt := range []struct {
		id, out string
		count   int
		note    string
	}{
		{"R1", "    backend_test.go:51: 320 runs: map[Slice at opset 13:16]\n", 320, ""},
		{"R2", "=== NAME\n    random_test.go:80: 480 random calls at avx2, seed 1\n    random_test.go:80: 500 random calls at avx2, seed 1\n", 980, ""},
		{"R3", "--- PASS: TestBadInputs (0.1s)\n    --- PASS: TestBadInputs/one (0.1s)\n    --- PASS: TestBadInputs/two (0.1s)\n    --- FAIL: TestBadInputs/no (0.1s)\n", 2, ""},
		{"R4", "    slice_bounds_test.go:130: 7012 bounds\n", 7012, ""},
		{"R5, R6", "    fence_test.go:426: 20000800 placements between fences (by protected pages) at 3 variants: map[FenceCopy:800]\n", 20_000_800, "by protected pages"},
		{"R5, R6", "    fence_test.go:426: 800 placements between fences (by canaries alone) at 3 variants\n", 0, ""},
		{"R7", "    abi_test.go:107: 169 bodies, 12 bytes of machine code; 3 offenders caught\n", 169, ""},
		{"R8", "x\n70 planted, 69 killed, 1 survived (amd64 60 of 60, kernels 9 of 10); not planted: 3\n", 70, "69 killed, 1 survived (amd64 60 of 60, kernels 9 of 10)"},
		{"R9", "stops of the world: median 30µs, nine in ten 60µs, longest 312.5µs of 40\nstops of the world: median 30µs, nine in ten 60µs, longest 1.5ms of 40\n", 80, "the longest took 1.5ms"},
		{"R10", "    storm_test.go:63: 812 rounds in 10m0s, 6 goroutines\n", 600, "6 goroutines"},
		{"R11", "linux/amd64\nlinux/arm64\n-- passed in 3s: format\n-- passed in 9s: level avx2\n-- passed in 9s: 386\n-- passed in 9s: emulated: arm64\n", 3, "2 built"},
		{"R12", "\n1000004 executions of 12 targets, 0 of them failed\n", 1_000_004, "12 targets"},
		{"R13", "    workers_test.go:79: 10 runs by 1 to 64 workers with GOMAXPROCS of 1 to 64: 42192 results bit-equal, of reductions map[]\n", 42_192, ""},
		{"AVX-512", "init: 0\n    random_test.go:80: 480 random calls at avx512, seed 1\n    random_test.go:80: 500 random calls at avx2, seed 1\n", 480, "avx512"},
		{"others", "250206 calls, 0 mismatches that nothing explains\n", 250_206, "0 mismatches that nothing explains"},
		{"others", "250206 calls, 3 mismatches that nothing explains\n", 0, ""},
	} {
		for _, r := range rows {
			if r.id == tt.id {
				count, note := r.read(tt.out)
				require.Equal(t, tt.count, count, tt.id)
				require.Equal(t, tt.note, note, tt.id)
			}
		}
	}
}

func TestTable(t *testing.T) {
	text := table(map[string]*result{
		"R2":  {Count: 10_234_567, Seconds: 7300, Date: "2026-11-22", Commit: "abc", Machine: "one"},
		"R12": {Count: 1_000_004, Note: "12 targets", Seconds: 99, Date: "2026-11-22", Commit: "abd", Machine: "one"},
		"R15": {Count: 3, Failed: "exit status 1", Seconds: 120, Date: "2026-11-22", Commit: "abd", Machine: "one"},
	})
	require.Contains(t, text, "| 10,234,567 calls (2.0 h) [1] |")
	require.Contains(t, text, "| 1,000,004 executions, 12 targets; *not yet* 100,000,000 (99 s) [2] |")
	require.Contains(t, text, "| **failed** after 3 tests passed (2 min) [2] |")
	require.Contains(t, text, "| R9 | stops of the world while 256 MiB move |")
	require.Contains(t, text, "| *not yet* |")
	require.Contains(t, text, "[2] 2026-11-22, commit `abd`, one\n")
	require.Equal(t, "1,234", thousands(1234))
	require.Equal(t, "123", thousands(123))
}

// TestRun: a row's command runs until there is enough, its failure is a result too, and the others stay.
func TestRun(t *testing.T) {
	was := rows
	defer func() { rows = was }()
	rows = []row{
		{id: "a", check: "a check", command: "echo seed {seed}: 40 done", unit: "done", full: 100, least: 1, again: true, read: sum(`(\d+) done`)},
		{id: "b", check: "another", command: "echo 5 done; exit 3", unit: "done", full: 1, least: 1, read: sum(`(\d+) done`)},
		{id: "c", check: "silent", command: "true", unit: "done", full: 1, least: 1, read: sum(`(\d+) done`)},
		{id: "d", check: "not chosen", command: "true", unit: "done", full: 1, least: 1, read: sum(`(\d+) done`)},
	}
	o := options{root: "../..", results: filepath.Join(t.TempDir(), "results.json"), only: "a,b,c", scale: 1}
	require.NoError(t, writeResults(o.results, map[string]*result{"d": {Count: 7}, "a": {Count: 3}}))
	var out strings.Builder
	require.ErrorContains(t, o.run(&out), "failed: b, c")
	results, err := readResults(o.results)
	require.NoError(t, err)
	require.Equal(t, 120, results["a"].Count)
	require.Equal(t, "seeds 1 to 3", results["a"].Note)
	require.Equal(t, 5, results["b"].Count)
	require.Contains(t, results["b"].Failed, "exit status 3")
	require.Contains(t, results["c"].Failed, "nothing is said to be done")
	require.Equal(t, 7, results["d"].Count)
	require.NotEmpty(t, results["a"].Commit)

	printed := filepath.Join(t.TempDir(), "printed")
	require.NoError(t, os.WriteFile(printed, []byte("8 done"), 0o644))
	o.only, o.from, o.commit = "c", printed, "of then"
	require.NoError(t, o.run(&out))
	results, err = readResults(o.results)
	require.NoError(t, err)
	require.Equal(t, 8, results["c"].Count)
	require.Equal(t, "of then", results["c"].Commit)
	o.only = "a,c"
	require.ErrorContains(t, o.run(&out), "one row")
	o.only = "e"
	require.ErrorContains(t, o.run(&out), "no row e")
}
