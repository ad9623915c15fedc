package selftest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

// Faults of the definitions and of what they are made of, beside those that spoil a result.
// Each is in the code always, and happens when LANES_PLANTED has its name.
var wrongRules = []struct{ name, file, old, new string }{
	{"an index as large as the axis is allowed", "generic/bad_index.go", "uint64(k) < uint64(d)", `uint64(k) < uint64(d+one("an index as large as the axis is allowed"))`},
	{"negative indices are one too small", "generic/bad_index.go", "int(int64(k) + int64(d))", `int(int64(k)+int64(d)) - one("negative indices are one too small")`},
	{"the first update wins", "generic/arithmetic.go", "return updates[len(updates)-1]", `return updates[(len(updates)-1)*(1-one("the first update wins"))]`},
	{"means of integers round toward zero", "generic/arithmetic.go", "\t\t\tfloor := sum.Div",
		"\t\t\tif planted(\"means of integers round toward zero\") {\n\t\t\t\treturn N(sum.Quo(sum, big.NewInt(int64(count))).Int64())\n\t\t\t}\n\t\t\tfloor := sum.Div"},
	{"the initial value is not counted", "generic/arithmetic.go", "\t\t\t\tcount++\n", "\t\t\t\tcount += 1 - one(\"the initial value is not counted\")\n"},
	{"NaN stays the least", "generic/arithmetic.go", "func lesser[N cmp.Ordered](acc, upd N) N {\n", "func lesser[N cmp.Ordered](acc, upd N) N {\n\tif planted(\"NaN stays the least\") && acc != acc {\n\t\treturn acc\n\t}\n"},
	{"ties of float16 are rounded up", "generic/half.go", "+b>>13&1)", `+(b>>13&1|uint32(one("ties of float16 are rounded up"))))`},
	{"an end is the last element", "generic/strided_slice.go", "size = 1 + (end-begin-1)/stride", `size = 1 + (end-begin-1+int64(one("an end is the last element")))/stride`},
}

// best is the best level of this machine.
func best() string {
	variants := dispatch.Variants()
	return variants[len(variants)-1].Level.String()
}

// faulty is the tests of a package with all faults, none of which happens before LANES_PLANTED says so.
func faulty(t *testing.T, pkg string) *suite {
	if built[pkg] == nil {
		c := copy{}
		for _, w := range wrongRules {
			c.replace(t, w.file, w.old, w.new)
		}
		definitions, loops = c.spoilable(t)
		c.replace(t, "dispatch/variant.go", "if !Available(r.level) {", `if planted := os.Getenv("LANES_PLANTED"); !Available(r.level) || planted == "no "+r.name || planted == "no level" {`)
		built[pkg] = c.build(t, pkg)
	}
	return built[pkg]
}

var (
	built              = map[string]*suite{}
	definitions, loops []string // that can be spoiled
)

// A failure of the random calls says which call it was and how to make it again.
const randomFailure = `(?s)case \d+: .*LANES_SEED=1 LANES_CASES=\d+:\d+ go test \./kernels -run '.*--- FAIL: TestRandom`

// operatorOf returns the operator that has a definition. Its own name, unless a loop has that.
func operatorOf(definition string) string {
	switch definition {
	case "GatherSlices":
		return "Gather"
	case "SliceRanges":
		return "Slice"
	}
	return definition
}

// TestWrongDefinitions: operators that are right, beside definitions that are wrong, fail.
func TestWrongDefinitions(t *testing.T) {
	kernels := faulty(t, "kernels")

	// Every operator of the random calls is compared with something that can be wrong.
	out, failed := kernels.run(t, "^TestRandom$/^blocks$", "LANES_CASES=300")
	require.False(t, failed, "without a fault:\n%s", tail(out))
	operators := map[string]bool{}
	for _, m := range regexp.MustCompile(`op=(\w+)`).FindAllStringSubmatch(out, -1) {
		operators[m[1]] = true
	}
	require.GreaterOrEqual(t, len(operators), 4)
	var defined []string
	for _, name := range definitions {
		defined = append(defined, operatorOf(name))
	}
	for op := range operators {
		require.Contains(t, defined, op, "no definition has the operator's name")
	}

	for _, name := range definitions {
		t.Run("result="+name, func(t *testing.T) {
			kernels.fails(t, "^TestRandom$/^blocks$/^op="+operatorOf(name)+"$", randomFailure, "LANES_PLANTED="+name)
		})
	}
	// And with what was known before, which the operators are held to as well.
	for _, name := range definitions {
		t.Run("golden="+name, func(t *testing.T) {
			kernels.fails(t, "^Test(.*Examples|Masks)$", "the definition", "LANES_PLANTED="+name)
		})
	}
	for _, w := range wrongRules {
		t.Run("rule="+w.name, func(t *testing.T) {
			kernels.fails(t, "^TestRandom$/^blocks$", randomFailure, "LANES_PLANTED="+w.name)
		})
	}
	// The loops are what runs without assembly: what is wrong with one of them shows beside the definitions.
	for _, name := range loops {
		t.Run("loop="+name, func(t *testing.T) {
			kernels.fails(t, "^TestRandom(InParts)?$", randomFailure, "LANES_ISA=generic", "LANES_PLANTED="+name)
		})
	}
}

// TestWrongLoops: assembly that is right, beside loops of package generic that are wrong, fails.
func TestWrongLoops(t *testing.T) {
	best := best()
	if best == "generic" {
		t.Skip("NOT RUN: there is no assembly for this machine")
	}
	primitives := faulty(t, ".")
	// A loop that has bodies is named by the operations of TestFence, at the best level or at one of its traits.
	withBodies := []string{"Copy", "Count", "Divide", "Gather", "GatherRows", "Resolve", "ResolveTuples", "Scatter", "ScatterReduce"}
	if best == "avx512" {
		withBodies = append(withBodies, "ResolveOwned")
	}
	if best == "neon" {
		withBodies = slices.DeleteFunc(withBodies, func(name string) bool { return name == "Count" || name == "Divide" })
	}
	for _, name := range withBodies {
		require.Contains(t, loops, name)
		t.Run("loop="+name, func(t *testing.T) {
			pattern := "^TestFence$/^impl=" + best + "(\\+.*)?$/^op=" + name + "$"
			primitives.passes(t, pattern)
			primitives.fails(t, pattern, `elements differ|changed the input|returned -?\d+, want`, "LANES_PLANTED="+name)
		})
	}
}

// TestSkippedLevel: a level that is required and did not run fails, whatever the reason.
func TestSkippedLevel(t *testing.T) {
	best := best()
	const quick = "^Test(EachLevel|Required.*)$"
	for _, pkg := range []string{".", "dispatch", "kernels"} {
		t.Run("package="+pkg, func(t *testing.T) {
			tests := faulty(t, pkg)
			tests.passes(t, quick, "LANES_REQUIRE_ISA=generic,"+best)
			tests.fails(t, quick, "LANES_REQUIRE_ISA: .*avx1024", "LANES_REQUIRE_ISA=generic,avx1024")
			tests.fails(t, quick, "LANES_REQUIRE_ISA: .*sve2", "LANES_REQUIRE_ISA=sve2")
			if best != "generic" && pkg == "kernels" { // whose tests run at one level
				tests.fails(t, quick, "LANES_REQUIRE_ISA: .*"+best, "LANES_ISA=generic", "LANES_REQUIRE_ISA="+best)
			}
		})
	}
	const primitives = "^TestGatherRowsFar$"
	t.Run("left out of the loop", func(t *testing.T) {
		faulty(t, ".").passes(t, primitives, "LANES_REQUIRE_ISA="+best)
		faulty(t, ".").fails(t, primitives, "LANES_REQUIRE_ISA: "+best+" was not run", "LANES_REQUIRE_ISA="+best, "LANES_PLANTED=no "+best)
		faulty(t, ".").fails(t, "^TestEachLevel$", best+": available true, run false", "LANES_PLANTED=no "+best)
	})
	t.Run("no level at all", func(t *testing.T) {
		faulty(t, ".").fails(t, primitives, "no level can be run", "LANES_PLANTED=no level")
	})
}

// TestTruncatedVectors: ONNX's vectors are all there, or the test fails. (Its .pb files are TestBadWheel's.)
func TestTruncatedVectors(t *testing.T) {
	file := os.Getenv("LANES_CONFORMANCE")
	kernels := faulty(t, "kernels")
	fails := func(t *testing.T, vectors, message string) {
		name := filepath.Join(t.TempDir(), "onnx.jsonl")
		require.NoError(t, os.WriteFile(name, []byte(vectors), 0o666))
		kernels.fails(t, "^TestConformance$", message, "LANES_CONFORMANCE="+name)
	}
	const counts = `(?s)expected: \d+.*actual  : \d+.*cases of \w+`
	t.Run("empty", func(t *testing.T) { fails(t, "", counts) })
	t.Run("no vector", func(t *testing.T) { fails(t, "[]\n", "a line that is no vector") })
	t.Run("no file", func(t *testing.T) {
		kernels.fails(t, "^TestConformance$", "no such file|cannot find", "LANES_CONFORMANCE="+filepath.Join(t.TempDir(), "onnx.jsonl"))
	})
	if file == "" {
		t.Skip("the vectors themselves, cut short: NOT RUN: LANES_CONFORMANCE does not name onnx.jsonl")
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	out, failed := kernels.run(t, "^TestConformance$", "LANES_CONFORMANCE="+file)
	require.False(t, failed, "without a fault:\n%s", tail(out))
	all := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
	left, op := 0, regexp.MustCompile(`"op": ?"(\w+)"`)
	for i, line := range all {
		// An operator that lanes has not is none that it runs.
		if name := op.FindStringSubmatch(line)[1]; strings.Contains(out, name+":") {
			left++
			t.Run("line "+strconv.Itoa(i+1)+" is missing", func(t *testing.T) { fails(t, strings.Join(slices.Delete(slices.Clone(all), i, i+1), ""), counts) })
		}
	}
	require.GreaterOrEqual(t, left, 23)
	last := all[len(all)-1]
	t.Run("cut in a line", func(t *testing.T) { fails(t, string(text[:len(text)*2/3]), "unexpected end of JSON input") })
	t.Run("cut after a line", func(t *testing.T) { fails(t, strings.Join(all[:len(all)/2], ""), counts) })
	t.Run("one line twice", func(t *testing.T) { fails(t, string(text)+last, counts) })
	t.Run("another value", func(t *testing.T) {
		value := regexp.MustCompile(`"outputs":\[\{.*?"values":\[`).FindStringIndex(last)
		require.NotNil(t, value)
		fails(t, strings.Join(all[:len(all)-1], "")+last[:value[1]]+"1"+last[value[1]:], "of shape")
	})
}
