package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A row is a check of the bar. Its command runs by sh, at the root of the repository, with {n} for
// how many and {seed} for which.
type row struct {
	id, check, command string
	unit               string
	least              int // what the bar asks for
	full               int // what a full run goes for
	eachLevel          bool
	again              bool // with further seeds until there are so many
	read               func(out string) (count int, note string)
	ci                 string // what continuous integration runs of it
}

// goal is how many to do at a scale, one at least.
func (r row) goal(scale float64) int { return max(int(float64(r.full)*scale), min(r.full, 1)) }

func (r row) line(n int, seed string) string {
	return strings.NewReplacer("{n}", strconv.Itoa(n), "{seed}", seed).Replace(r.command)
}

// sum adds up what a pattern finds: numbers, or lengths of time in seconds.
func sum(pattern string) func(string) (int, string) {
	re := regexp.MustCompile(pattern)
	return func(out string) (n int, note string) {
		for _, m := range re.FindAllStringSubmatch(out, -1) {
			n += number(m[1])
			if len(m) > 2 {
				note = m[2]
			}
		}
		return n, note
	}
}

func number(s string) int {
	if d, err := time.ParseDuration(s); err == nil && s != "0" {
		return int(d.Seconds())
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return n
}

// passes counts tests, and the tests in them, that have passed.
func passes(pattern string) func(string) (int, string) {
	re := regexp.MustCompile(`(?m)^ *--- PASS: ` + pattern)
	return func(out string) (int, string) { return len(re.FindAllString(out, -1)), "" }
}

// longest counts what a pattern finds, and notes the longest length of time.
func longest(pattern string) func(string) (int, string) {
	re := regexp.MustCompile(pattern)
	return func(out string) (n int, note string) {
		var most time.Duration
		for _, m := range re.FindAllStringSubmatch(out, -1) {
			d, _ := time.ParseDuration(m[1])
			most = max(most, d)
			n += number(m[2])
		}
		return n, fmt.Sprintf("the longest took %v", most)
	}
}

// mutations counts the faults of a run, by its last lines.
func mutations(out string) (int, string) {
	m := regexp.MustCompile(`(?m)^(\d+) planted, (\d+ killed, \d+ survived \([^)]*\))`).FindStringSubmatch(out)
	if m == nil {
		return 0, ""
	}
	return number(m[1]), m[2]
}

// ports counts what .ci/run runs and builds.
func ports(out string) (int, string) {
	run := regexp.MustCompile(`(?m)^-- passed in \d+s: (level .*|386|emulated: .*)$`).FindAllString(out, -1)
	built := regexp.MustCompile(`(?m)^\w+/\w+$`).FindAllString(out, -1)
	return len(run), fmt.Sprintf("%d built", len(built))
}

var rows = []row{
	{id: "R1", check: "ONNX's own node tests, as shipped in its wheels, at every level", unit: "runs of them", least: 1, full: 1,
		command: "go test -C trust ./backend -count=1 -v", read: sum(`(?m)^ +backend_test\.go:\d+: (\d+) runs: `), ci: "the same"},
	{id: "R1b", check: "the examples of the operators' documents, and ONNX's vectors in JSON", unit: "tests passed", least: 1, full: 1, eachLevel: true,
		command: "test -s \"$LANES_CONFORMANCE\" && go test ./kernels -count=1 -v -run 'Examples$|TestConformance|Rules$'", read: passes(`Test`), ci: "the same"},
	{id: "R2", check: "random calls against the definitions, bit for bit", unit: "calls", least: 10_000_000, full: 10_000_000, eachLevel: true, again: true,
		command: "LANES_SEED={seed} LANES_CASES=30000 go test ./kernels -count=1 -v -timeout 0 -run '^TestRandom'", read: sum(`(\d+) random calls at `), ci: "at least 200 thousand"},
	{id: "R3", check: "bad inputs: a typed error, and nothing written elsewhere", unit: "tests passed", least: 300, full: 1, eachLevel: true,
		command: "go test ./kernels -count=1 -v -run '^Test(BadInputs|ErrorTexts|BadIndex.*)$'", read: passes(`TestBad\w+/`), ci: "the same"},
	{id: "R4", check: "extreme bounds of slices", unit: "bounds", least: 300, full: 1, eachLevel: true,
		command: "go test ./kernels -count=1 -v -run '^TestStridedSlice'", read: sum(`(\d+) bounds\n`), ci: "the same"},
	{id: "R5, R6", check: "every buffer between protected pages, inputs read-only, canaries around outputs", unit: "placements", least: 1_000_000, full: 20_000_000,
		command: "LANES_FENCE_PLACEMENTS={n} go test . -count=1 -v -timeout 0 -run '^TestFence$'", read: sum(`(\d+) placements between fences \((by protected pages)`), ci: "some 100 thousand"},
	{id: "R7", check: "registers and frames that must survive, and the planted offenders", unit: "bodies", least: 1, full: 1,
		command: "go test -C trust ./abi -count=1 -v", read: sum(`: (\d+) bodies, \d+ bytes`), ci: "the same"},
	{id: "R8", check: "planted faults that the ordinary tests have to find: two of every rule, in assembly, its generator, and the Go of the root, generic and kernels", unit: "planted", least: 300, full: 1,
		command: "go run -C trust ./mutate -per 2", read: mutations, ci: "the tool's own tests"},
	{id: "R9", check: "stops of the world while 256 MiB move", unit: "stops", least: 1, full: 1,
		command: "LANES_PAUSES=all go test ./kernels -count=1 -v -run '^TestPauses$'", read: longest(`longest (\S+) of (\d+)`), ci: "the median"},
	{id: "R10", check: "collections without a break, strings, stacks that move", unit: "seconds", least: 600, full: 600,
		command: "LANES_STORM={n}s go test ./kernels -count=1 -v -timeout 0 -run '^TestStorm$'", read: sum(`rounds in (\S+), (\d+ goroutines)`), ci: "1 s"},
	{id: "R11", check: "ports", unit: "run", least: 8, full: 1, command: ".ci/run", read: ports, ci: "the same"},
	{id: "R12", check: "fuzzing, valid calls and hostile ones", unit: "executions", least: 100_000_000, full: 100_000_000,
		command: "go run -C trust ./fuzz -execs {n}", read: sum(`(?m)^(\d+) executions of (\d+ targets)`), ci: "20 thousand of each target"},
	{id: "R13", check: "1 to 64 workers with any GOMAXPROCS, bit-equal", unit: "results", least: 100 * 6, full: 100,
		command: "LANES_WORKER_RUNS={n} go test ./kernels -count=1 -v -timeout 0 -run '^TestWorkersBitEqual$'", read: sum(`: (\d+) results bit-equal`), ci: "a run of the 100, and TestWorkersGiveOneResult"},
	{id: "R14", check: "data past 2^31 elements", unit: "tests passed", least: 4, full: 1,
		command: "LANES_HUGE=1 go test ./kernels -count=1 -v -run '^TestHuge$'", read: passes(`TestHuge/`), ci: "the same"},
	{id: "R15", check: "concurrent calls under the race detector", unit: "tests passed", least: 1, full: 1,
		command: "CGO_ENABLED=1 go test ./kernels -race -count=1 -v -timeout 0 -run 'Concurrent|TestNestedPools|TestExecutors'", read: passes(`Test`), ci: "the same, and all else"},
	{id: "AVX-512", check: "random calls on an emulated CPU, for machines whose own lacks it", unit: "calls", least: 1000, full: 1,
		command: "LANES_CASES=400 trust/bochs/run ./kernels '-run=^TestRandom(InParts|Large)?$'", read: sum(`(\d+) random calls at (avx512)`), ci: "–"},
	{id: "others", check: "the same calls by other libraries", unit: "calls", least: 100_000, full: 250_000,
		command: "go run -C trust ./differential -cases {n} -seed 1", read: sum(`(?m)^(\d+) calls, (0 mismatches that nothing explains)`), ci: "6 thousand, and that a wrong result is noticed"},
	{id: "tests", check: "faults planted in the tests themselves: definitions, loops, levels, vectors", unit: "tests passed", least: 30, full: 1,
		command: "go test -C trust ./selftest -count=1 -v -timeout 60m", read: passes(`Test\w+/`), ci: "the same"},
}
