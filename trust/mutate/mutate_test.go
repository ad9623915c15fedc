package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

func TestStatements(t *testing.T) {
	const source = "#include \"textflag.h\"\n\n#define ONE(a) MOVD (R1)(a<<3), R6; MOVD.P R6, 8(R0) // two\n" +
		"#define TWO \\\n\tSUBS $8, R4; \\\nloop: \\\n\tone; \\\n\tBLT  rest\n\n" +
		"// func addAVX2(dst *byte, n int) int\n// Requires: AVX\nTEXT ·addAVX2(SB), NOSPLIT, $8-24\n\t// A comment; and more.\n\tMOVQ n+8(FP), AX\n\nloop:\n" +
		"\tVPADDD 8(AX)(CX*4), Y1, Y2\n\tRET\n\nDATA one<>+0(SB)/8, $0x01\n"
	type row struct {
		where, text string
		args        []string
	}
	var got []row
	for _, s := range statements(source) {
		assert.Equal(t, s.text, source[s.start:s.end])
		assert.Equal(t, s.line, 1+strings.Count(source[:s.start], "\n"))
		got = append(got, row{s.where, s.text, s.args})
	}
	assert.Equal(t, []row{
		{"ONE", "MOVD (R1)(a<<3), R6", []string{"(R1)(a<<3)", "R6"}},
		{"ONE", "MOVD.P R6, 8(R0)", []string{"R6", "8(R0)"}},
		{"TWO", "SUBS $8, R4", []string{"$8", "R4"}},
		{"TWO", "one", nil},
		{"TWO", "BLT  rest", []string{"rest"}},
		{"addAVX2", "MOVQ n+8(FP), AX", []string{"n+8(FP)", "AX"}},
		{"addAVX2", "VPADDD 8(AX)(CX*4), Y1, Y2", []string{"8(AX)(CX*4)", "Y1", "Y2"}},
		{"addAVX2", "RET", nil},
		{"addAVX2", "DATA one<>+0(SB)/8, $0x01", []string{"one<>+0(SB)/8", "$0x01"}},
	}, got)
	assert.Equal(t, []string{"dst", "n"}, statements(source)[5].params)
}

// TestFaults looks at every fault that there is: it changes something, and its name is its own.
func TestFaults(t *testing.T) {
	for _, target := range targets {
		all, err := target.faults(root)
		require.NoError(t, err)
		number(all)
		names, rules := map[string]bool{}, map[string]int{}
		for _, m := range all {
			require.NotEqual(t, m.old, m.new, m.id())
			require.Equal(t, target.name, m.target)
			require.False(t, names[m.id()], "two are named %s", m.id())
			require.NotEmpty(t, target.stages(m), m.id())
			require.Positive(t, m.weight, m.id())
			names[m.id()] = true
			rules[m.rule]++
		}
		t.Logf("%s: %d faults: %v", target.name, len(all), rules)
	}
}

// TestRules makes sure that every rule still finds something to spoil.
func TestRules(t *testing.T) {
	flat := t.TempDir()
	require.NoError(t, writeOut(root, flat))
	for _, tt := range []struct {
		name, dir, file string
		rules           []rule
	}{{"amd64", flat, amd64File, x86Rules}, {"arm64", root, "kernels_arm64.s", neonRules}} {
		text, err := os.ReadFile(filepath.Join(tt.dir, tt.file))
		require.NoError(t, err)
		source := string(text)
		count := map[string]int{}
		for _, m := range apply(tt.rules, tt.name, tt.file, source) {
			assert.Equal(t, m.old, source[m.start:m.end])
			count[m.rule]++
		}
		for _, r := range tt.rules {
			assert.NotZero(t, count[r.name], "%s: %s", tt.name, r.name)
		}
	}
	count := map[string]int{}
	for _, target := range targets {
		if slices.Contains([]string{"root", "generic", "kernels"}, target.name) {
			all, err := target.faults(root)
			require.NoError(t, err)
			for _, m := range all {
				count[m.rule]++
			}
		}
	}
	for _, r := range goRules {
		assert.GreaterOrEqual(t, count[r.name], 2, r.name)
	}
}

// TestGeneratorTable makes sure that no row is out of date.
func TestGeneratorTable(t *testing.T) {
	n := 0
	for _, file := range generatorFiles() {
		all, err := planted(file, read(t, "asmgen/"+file))
		require.NoError(t, err)
		n += len(all)
	}
	assert.Len(t, generatorFaults, n)
}

// TestEquivalents makes sure that each row still covers something, and says why.
func TestEquivalents(t *testing.T) {
	var all []*mutation
	for _, target := range targets {
		of, err := target.faults(root)
		require.NoError(t, err)
		number(of)
		all = append(all, of...)
	}
	for _, e := range equivalents {
		n := 0
		for _, m := range all {
			if e.covers(m) {
				n++
			}
		}
		assert.NotZero(t, n, "%+v covers nothing", e)
		assert.NotEmpty(t, e.reason)
		t.Logf("%5d  %s, %s in %s: %s", n, e.target, e.rule, e.where, e.reason)
	}
}

func TestChangedBodies(t *testing.T) {
	const source = "#include \"textflag.h\"\n\n// one\nTEXT ·one(SB), NOSPLIT, $0-8\n\tRET\n\nDATA table<>+0(SB)/8, $0x01\nGLOBL table<>(SB), RODATA, $8\n\n" +
		"// two\nTEXT ·two(SB), NOSPLIT, $0-8\n\tRET\n"
	change := func(old, new string) []string {
		changed := strings.Replace(source, old, new, 1)
		require.NotEqual(t, source, changed)
		return changedBodies(source, changed)
	}
	assert.Empty(t, change("// two", "// three"))
	assert.Equal(t, []string{"one"}, change("\tRET", "\tNOP\n\tRET"))
	assert.Equal(t, []string{""}, change("$0x01", "$0x02"))
	assert.ElementsMatch(t, []string{"two", "three"}, change("·two", "·three"))
}

// TestGenerated: what a generator writes is known by its first line, and a fault that shows in none of it,
// or only in what this machine can't run, is told apart.
func TestGenerated(t *testing.T) {
	w := &workshop{dir: layOut(t, map[string]string{
		"go.mod":           house["go.mod"],
		"gen.go":           "//go:build ignore\n\npackage main\n\nimport \"os\"\n\nfunc main() {\n\tos.WriteFile(\"made.go\", []byte(madeGo), 0o644)\n\tos.WriteFile(\"made_plan9.go\", []byte(plan9), 0o644)\n}\n",
		"texts.go":         "//go:build ignore\n\npackage main\n\nconst madeGo = \"// Code generated \\n\\npackage house\\n\"\nconst plan9 = \"// Code generated \\n\\npackage house\\n\"\n",
		"house.go":         "package house\n\n//go:generate go run gen.go texts.go\n",
		"made.go":          "// Code generated \n\npackage house\n",
		"made_plan9.go":    "// Code generated \n\npackage house\n",
		"kernels/inner.go": "// Code generated \n\npackage inner\n",
	})}
	all, err := w.generated()
	require.NoError(t, err)
	assert.Len(t, all, 2)
	texts := filepath.Join(w.dir, "texts.go")
	sound, err := os.ReadFile(texts)
	require.NoError(t, err)
	for _, tt := range []struct {
		old, new string
		want     error
	}{
		{"madeGo", "madeGo", errSame},
		{"house\\n\"\n", "house\\n// a comment\\n\"\n", errSame},
		{"plan9 = \"// Code generated \\n", "plan9 = \"// Code generated \\n\\nconst a = 1", errElsewhere},
		{"madeGo = \"// Code generated \\n", "madeGo = \"// Code generated \\n\\nconst a = 1", nil},
	} {
		for name, text := range all {
			require.NoError(t, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644))
		}
		faulty := strings.Replace(string(sound), tt.old, tt.new, 1)
		require.NoError(t, os.WriteFile(texts, []byte(faulty), 0o644))
		assert.Equal(t, tt.want, regenerate(w), faulty)
	}
}

func TestSample(t *testing.T) {
	var all []*mutation
	for i := range 30 {
		all = append(all, &mutation{target: "amd64", rule: "step", where: fmt.Sprint("body", i/10), line: i})
	}
	lines := func(seed uint64, n int) (of []int) {
		for _, m := range sample(all, n, seed, (*mutation).place) {
			of = append(of, m.line)
		}
		return of
	}
	assert.Equal(t, lines(1, 9), lines(1, 9))
	assert.NotEqual(t, lines(1, 9), lines(2, 9))
	assert.Equal(t, lines(1, 9)[:5], lines(1, 5), "a larger sample has the smaller one in it")
	places := map[int]int{}
	for _, l := range lines(1, 9) {
		places[l/10]++
	}
	assert.Equal(t, map[int]int{0: 3, 1: 3, 2: 3}, places)
	assert.Len(t, lines(1, 100), 30)
	assert.Empty(t, sample(nil, 3, 1, (*mutation).place))
}

func TestVerdict(t *testing.T) {
	for _, tt := range []struct{ out, want string }{
		{"=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n=== RUN   TestB/n=1\n    --- FAIL: TestB/n=1 (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n", "TestB/n=1"},
		{"=== RUN   TestA\n=== RUN   TestA/x\n\npanic: runtime error\n\ngoroutine 1\n", "TestA/x panics"},
		{"=== RUN   TestA\nunexpected fault address 0x0\nfatal error: fault\n", "TestA crashes"},
		{"SIGSEGV\n", "no test crashes"},
	} {
		assert.Equal(t, tt.want, verdict([]byte(tt.out)))
	}
}

// house is a repository so small that its faults can be counted.
var house = map[string]string{
	"go.mod": "module example.com/house\n\ngo 1.26\n",
	"kernels/sum.go": "package kernels\n\nfunc Sum(n int) (sum int) {\n\tfor i := 1; i <= n; i++ {\n\t\tsum += i\n\t}\n\treturn sum\n}\n\n" +
		"func Unseen(n int) bool {\n\treturn n < 3\n}\n",
	"kernels/keys.go":     "package kernels\n\nfunc Keys(keys []int, n int) (all int) {\n\tfor k := range keys {\n\t\tall += k\n\t}\n\tfor k := range n {\n\t\tall += k\n\t}\n\treturn all\n}\n",
	"kernels/sum_test.go": "package kernels\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(4) != 10 {\n\t\tt.Error(Sum(4))\n\t}\n\tUnseen(1)\n}\n",
	"made.go":             "// Code generated by hand. DO NOT EDIT.\n\npackage house\n\nconst made = 1\n",
	"elsewhere.go":        "//go:build ignore\n\npackage house\n\nfunc elsewhere() int { return 1 }\n",
}

func layOut(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return dir
}

// TestTry plants faults in the small house: those in what its test looks at are killed, one of them for
// it hangs, and those in what it doesn't survive. Everything is as it was afterwards.
func TestTry(t *testing.T) {
	dir := layOut(t, house)
	w, err := newWorkshop(dir, t.TempDir())
	require.NoError(t, err)
	all, err := filesFaults("kernels", "kernels")(dir)
	require.NoError(t, err)
	number(all)
	got := map[string]string{}
	for _, m := range all {
		r, err := try(w, m)
		require.NoError(t, err, m.id())
		got[m.rule+": "+m.change()] = strings.TrimSpace(r.Status + " " + r.By)
		text, err := os.ReadFile(filepath.Join(w.dir, m.file))
		require.NoError(t, err)
		assert.Equal(t, house[m.file], string(text), "after %s", m.id())
	}
	assert.Equal(t, "killed kernels: TestSum", got["boundary: i <= n → i < n"])
	assert.Equal(t, "killed kernels: TestSum", got["dropped: sum += i → nothing"])
	assert.Equal(t, "survived", got["boundary: n < 3 → n <= 3"])
	assert.Equal(t, "survived", got["constant: 3 → 4"])

	hang := &mutation{target: "kernels", rule: "planted", file: "kernels/sum.go", where: "Sum", old: "i++", new: "i += 0"}
	hang.start = strings.Index(house["kernels/sum.go"], "i++")
	hang.end = hang.start + 3
	for s := range w.took {
		w.took[s] = -time.Second // so that the limit is
	}
	r, err := try(w, hang)
	require.NoError(t, err)
	assert.Equal(t, "killed kernels: TestSum hangs", r.Status+" "+r.By)

	hang.new = "i+"
	r, err = try(w, hang)
	require.NoError(t, err)
	assert.Equal(t, notBuilt, r.Status)
	assert.Contains(t, r.By, "sum.go")

	hang.start++
	_, err = try(w, hang)
	assert.ErrorContains(t, err, "not what it was")
}

// TestSoundTestsFail makes sure that tests which fail anyway are no kill.
func TestSoundTestsFail(t *testing.T) {
	files := map[string]string{}
	for name, text := range house {
		files[name] = strings.Replace(text, "!= 10", "!= 11", 1)
	}
	w, err := newWorkshop(layOut(t, files), t.TempDir())
	require.NoError(t, err)
	_, err = try(w, &mutation{target: "kernels", file: "kernels/sum.go"})
	assert.ErrorContains(t, err, "fail without a fault: TestSum")
}

// TestRun is the command as a whole: a survivor is reported, and a log is not repeated.
func TestRun(t *testing.T) {
	o := options{root: layOut(t, house), targets: "kernels", match: regexp.MustCompile(""), per: 1, seed: 1, log: filepath.Join(t.TempDir(), "log")}
	var first, second strings.Builder
	good, err := run(o, &first)
	require.NoError(t, err)
	assert.False(t, good)
	assert.Contains(t, first.String(), "SURVIVED kernels: ")
	assert.Contains(t, first.String(), "kernels: TestSum")

	began := time.Now()
	good, err = run(o, &second)
	require.NoError(t, err)
	assert.False(t, good)
	assert.Less(t, time.Since(began), 5*time.Second, "nothing is built again")
	assert.Equal(t, first.String(), second.String())

	// In the place of a fault that does not build another of its rule is planted.
	o.log, o.match = "", regexp.MustCompile("last wins in Keys")
	for {
		chosen, _, err := o.choose()
		require.NoError(t, err)
		require.Len(t, chosen, 1)
		require.Len(t, chosen[0].spares, 1)
		if strings.Contains(chosen[0].old, "keys") {
			break
		}
		o.seed++
	}
	var third strings.Builder
	_, err = run(o, &third)
	require.NoError(t, err)
	assert.Contains(t, third.String(), "1/1 not built")
	assert.Contains(t, third.String(), "\n1 planted, ")

	o.targets = "kernels,lanes"
	_, err = run(o, io.Discard)
	assert.ErrorContains(t, err, `"lanes" is none of the targets`)
}
