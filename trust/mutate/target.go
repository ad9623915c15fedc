package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A target is a kind of code to plant faults in.
type target struct {
	name    string
	faults  func(root string) ([]*mutation, error)
	prepare func(w *workshop) error // after planting; nil for nothing
	stages  func(m *mutation) []stage
}

var targets = []target{
	{"amd64", amd64Faults, nil, assemblyStages("")},
	{"generator", generatedFaults, regenerate, generatorStages},
	{"arm64", assemblyFaults("arm64", "kernels_arm64.s", neonRules), nil, assemblyStages("arm64")},
	{"root", filesFaults("root", "."), nil, packageStages(".", "arm64 .")},
	{"generic", filesFaults("generic", "generic"), nil, packageStages("generic", ".", "kernels")},
	{"kernels", filesFaults("kernels", "kernels"), nil, packageStages("kernels")},
}

func assemblyFaults(name, file string, rules []rule) func(string) ([]*mutation, error) {
	return func(root string) ([]*mutation, error) {
		source, err := os.ReadFile(filepath.Join(root, file))
		return apply(rules, name, file, string(source)), err
	}
}

// amd64Faults is those of the bodies of amd64 without macros: a fault is in one of them.
func amd64Faults(root string) ([]*mutation, error) {
	dir, err := os.MkdirTemp("", "flat")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writeOut(root, dir); err != nil {
		return nil, err
	}
	return assemblyFaults("amd64", amd64File, x86Rules)(dir)
}

const amd64File = "kernels_amd64.s"

// writeOut writes the assembly of amd64 without macros to a directory.
func writeOut(root, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "run", "-C", filepath.Join(root, "asmgen"), ".", "-flat", "-dir", dir)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", errBuild, bytes.TrimSpace(out[:min(len(out), 400)]))
	}
	return nil
}

// filesFaults looks for faults in the Go files of a directory, of those that this machine's tests
// are built with.
func filesFaults(name, dir string) func(string) ([]*mutation, error) {
	return func(root string) (all []*mutation, err error) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		for _, f := range files {
			base := filepath.Base(f)
			if here, err := build.Default.MatchFile(filepath.Join(root, dir), base); err != nil {
				return nil, err
			} else if !here || strings.HasSuffix(base, "_test.go") {
				continue
			}
			source, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			found, err := goFaults(name, filepath.ToSlash(filepath.Join(dir, base)), string(source))
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
		return all, err
	}
}

// generatedFaults is those of the generator: the table's, and the rules'.
func generatedFaults(root string) ([]*mutation, error) {
	all, err := filesFaults("generator", "asmgen")(root)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m *mutation) bool { // they write what the others make
		return m.file == "asmgen/main.go" || m.file == "asmgen/macros.go"
	})
	for _, file := range generatorFiles() {
		source, err := os.ReadFile(filepath.Join(root, "asmgen", file))
		if err != nil {
			return nil, err
		}
		found, err := planted(file, string(source))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// regenerate has the faulty generator write its files anew.
func regenerate(w *workshop) error {
	before, err := w.generated()
	if err != nil {
		return err
	}
	if err := w.command(".", "", "go", "generate", "."); err != nil {
		return err
	}
	if _, real := before[amd64File]; real {
		if err := writeOut(w.dir, w.dir); err != nil {
			return err
		}
	}
	after, err := w.generated()
	if err != nil {
		return err
	}
	err = errSame
	for name, text := range before {
		here, wrong := build.Default.MatchFile(w.dir, name)
		if wrong != nil {
			return wrong
		}
		switch changed := changedBodies(text, after[name]); {
		case len(changed) == 0:
		case here && (strings.HasSuffix(name, ".go") || slices.ContainsFunc(changed, runnableBody)):
			return nil
		default:
			err = errElsewhere
		}
	}
	return err
}

var (
	// errSame says that a fault of the generator shows in nothing that it writes.
	errSame = errors.New("makes the same assembly")
	// errElsewhere says that it shows in none that this machine can run.
	errElsewhere = errors.New("changes bodies alone that can't be run here")
)

var dataLines = regexp.MustCompile(`(?m)^(DATA|GLOBL)\s.*\n`)

var comments = regexp.MustCompile(`(?m)^[ \t]*//.*\n|[ \t]*//.*$|^\s*\n`)

// changedBodies returns the names of the TEXTs that differ, "" for data and what comes before the
// first of them. Comments don't count.
func changedBodies(before, after string) (names []string) {
	bodies := func(source string) map[string]string {
		all := map[string]string{}
		for i, part := range strings.Split(comments.ReplaceAllString(source, ""), "TEXT ·") {
			name := ""
			if i > 0 {
				name, _, _ = strings.Cut(part, "(")
			}
			data := dataLines.FindAllString(part, -1)
			all[name] += dataLines.ReplaceAllString(part, "")
			all[""] += strings.Join(data, "")
		}
		return all
	}
	a, b := bodies(before), bodies(after)
	for name := range a {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	return names
}

// own is the tests of a primitive, by the verb that its bodies' names, and the macros
// for them, begin with.
var own = []struct{ body, tests string }{
	{"SETOFFSETS", "^Test(Documented)?Scatter|Piece"},
	{"gatherRows|MOVEROW|SOON", "^Test(GatherRows|DocumentedMoves|Copy)|Piece"},
	{"gatherOffsets|OFFSETS", "^Test(Gather|DocumentedMoves)|Piece"},
	{"(?i)gather|INDICES|INDEX|TABLE|COLUMN|LOOKUP|WINDOW|VECTORS|HALVES|ONE\\d|STORE|PAIRS|MOVE128", "^Test(Documented)?Gather|Piece"},
	{"(?i)checkOffsets", "^TestOffsetsInside|^Test(Documented)?Gather|Piece"},
	{"(?i)check|resolve|TUPLES|SHIFTED|WRAP", "^Test(Documented)?(Resolve|Gather)|Piece"},
	{"(?i)divide|count|mean", "Mean|Count|Divide|Piece"},
	{"(?i)^copy|prefetch|STEPS|window", "^Test(Documented)?(Copy|ScatterIndexed)|Piece"},
	{"(?i)scatter|CELL|ROWS|BY64|SUM|PROD|MIN|MAX|KEEP|WIDEN|ROUND|CONSTANTS|FOUR|UPDATE|SET\\d|BITS", "^Test(Documented)?Scatter|Piece"},
}

// ownTests returns the tests of what a fault is planted in.
func ownTests(where string) string {
	for _, o := range own {
		if matches(".*("+o.body+").*", where) {
			return o.tests
		}
	}
	return ""
}

// narrow is the primitive's own tests, and then all others of the root.
func narrow(where, arch string) []stage {
	name := strings.TrimPrefix(arch+" root", " ")
	if tests := ownTests(where); tests != "" {
		return []stage{{name: name, dir: ".", arch: arch, run: tests}, {name: name + ", all others", dir: ".", arch: arch, skip: tests}}
	}
	return []stage{{name: name, dir: ".", arch: arch}}
}

// sourceRules are those whose faults show in the source alone, to asmgen's own tests: they come
// first.
var sourceRules = []string{"VZEROUPPER", "SFENCE", "gather mask"}

// ofTheFile is the tests that compare the file with the generator, or are of its macros.
const ofTheFile = "^Test(Fresh|Stale|Macros|Size)$"

// assemblyStages is the tests for a fault in assembly. The operators' tests are left out: what
// the primitives' own let pass is a gap in them. That the assembly is not what the generator
// makes isn't a kill either: whoever made the fault would make it there.
func assemblyStages(arch string) func(*mutation) []stage {
	return func(m *mutation) []stage {
		all := narrow(m.where, arch)
		if arch == "" {
			all = append(all, stage{name: "asmgen", dir: "asmgen", skip: ofTheFile})
			if slices.Contains(sourceRules, m.rule) {
				all = append(all[len(all)-1:], all[:len(all)-1]...)
			}
		}
		return all
	}
}

// generatorStages is the tests for a fault in the generator, which has written the assembly anew.
func generatorStages(m *mutation) []stage {
	asmgen := stage{name: "asmgen", dir: "asmgen", skip: ofTheFile}
	if strings.Contains(m.old, "SFENCE") || strings.Contains(m.old, "VZEROUPPER") {
		return append([]stage{asmgen}, assemblyStages("")(m)...)
	}
	return append(narrow("", ""), asmgen)
}

// packageStages is the tests of packages, in directories or, by an emulator, "arm64 .".
func packageStages(packages ...string) func(*mutation) []stage {
	return func(m *mutation) (all []stage) {
		for _, p := range packages {
			arch, dir, emulated := strings.Cut(p, " ")
			if !emulated {
				arch, dir = "", p
			} else if _, err := exec.LookPath(emulators[arch]); err != nil {
				continue // a fault that these tests alone would find is said to survive
			}
			all = append(all, stage{name: strings.Replace(p, ".", "root", 1), dir: dir, arch: arch})
		}
		return all
	}
}
