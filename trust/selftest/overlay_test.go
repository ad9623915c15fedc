package selftest

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// A copy is files of the repository as they are with faults in them, by their names from its root.
type copy map[string]string

func (c copy) text(t *testing.T, name string) string {
	if _, changed := c[name]; !changed {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		c[name] = string(text)
	}
	return c[name]
}

// replace puts text in the place of some that stands in the file once.
func (c copy) replace(t *testing.T, name, old, new string) {
	text := c.text(t, name)
	require.Equal(t, 1, strings.Count(text, old), "%s has this other than once, so that the fault is out of date:\n%s", name, old)
	c[name] = strings.Replace(text, old, new, 1)
}

// build compiles the tests of a package with the copy's files instead of the repository's.
func (c copy) build(t *testing.T, pkg string) *suite {
	dir, err := os.MkdirTemp(temporary, "")
	require.NoError(t, err)
	base, err := filepath.Abs(root)
	require.NoError(t, err)
	replace := map[string]string{}
	for name, text := range c {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		replace[filepath.Join(base, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o666))
	s := &suite{dir: filepath.Join(base, pkg), binary: filepath.Join(dir, "tests.exe")}
	out, err := exec.Command("go", "test", "-C", base, "-c", "-vet=off", "-overlay", file, "-o", s.binary, "./"+pkg).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return s
}

// temporary is a directory for what is built.
var temporary string

func TestMain(m *testing.M) {
	var err error
	if temporary, err = os.MkdirTemp("", "selftest"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(temporary)
	os.Exit(code)
}

// A suite is the tests of a package, compiled.
type suite struct{ dir, binary string }

// run runs those that match a pattern, with these settings and no others of this repository, up to the first that
// fails. LANES_PLANTED is the fault, if there is to be one.
func (s *suite) run(t *testing.T, pattern string, settings ...string) (out string, failed bool) {
	cmd := exec.Command(s.binary, "-test.short", "-test.failfast", "-test.v", "-test.timeout=20m", "-test.run="+pattern)
	cmd.Dir = s.dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "LANES_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, settings...)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil {
		require.True(t, errors.As(err, &exit), "%v", err)
	}
	return string(b), err != nil
}

// passes requires that the tests pass, and that there is one at least.
func (s *suite) passes(t *testing.T, pattern string, settings ...string) {
	t.Helper()
	out, failed := s.run(t, pattern, settings...)
	require.False(t, failed, "without a fault:\n%s", tail(out))
	require.Contains(t, out, "--- PASS: ", "without a fault")
}

// fails requires that the tests fail, and say so.
func (s *suite) fails(t *testing.T, pattern, message string, settings ...string) {
	t.Helper()
	out, failed := s.run(t, pattern, settings...)
	require.True(t, failed, "the fault is not noticed: %s passes", pattern)
	require.True(t, regexp.MustCompile(message).MatchString(out), "the failure does not say %s:\n%s", message, tail(out))
}

func tail(out string) string { return out[max(0, len(out)-4000):] }

// outputs is what the parameters are called by which the loops and definitions of package generic return something.
var outputs = []string{"dst", "offsets", "out", "sums", "words", "counts"}

// spoilable has every exported function of package generic whose first parameter is an output
// lose the first element of it when LANES_PLANTED has its name. It returns those names: of
// definitions, which take views, and of loops.
func (c copy) spoilable(t *testing.T) (definitions, loops []string) {
	c["generic/planted.go"] = `package generic

import "os"

var fault = os.Getenv("LANES_PLANTED")

func planted(name string) bool { return fault == name }

func one(name string) int {
	if planted(name) {
		return 1
	}
	return 0
}

func spoil[T any](name string, out []T) {
	if planted(name) && len(out) > 0 {
		var zero T
		out[0] = zero
	}
}
`
	files, err := filepath.Glob(filepath.Join(root, "generic", "*.go"))
	require.NoError(t, err)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		name := "generic/" + filepath.Base(f)
		text := c.text(t, name)
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, text, 0)
		require.NoError(t, err)
		slices.Reverse(parsed.Decls) // so that places before stay what they are
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !fn.Name.IsExported() || len(fn.Type.Params.List) == 0 || fn.Type.Params.List[0].Names == nil {
				continue
			}
			source := func(n ast.Node) string { return text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset] }
			params := fn.Type.Params
			first := params.List[0]
			if k := slices.IndexFunc(params.List, func(f *ast.Field) bool { return slices.Contains(outputs, f.Names[0].Name) }); k >= 0 {
				first = params.List[k]
			}
			output := ""
			switch kind := source(first.Type); {
			case strings.HasPrefix(kind, "Cells["):
				output = first.Names[0].Name + ".Dst"
			case !slices.Contains(outputs, first.Names[0].Name):
				continue
			case strings.HasPrefix(kind, "Plane["):
				output = first.Names[0].Name + ".Data"
			case strings.HasPrefix(kind, "[]"):
				output = first.Names[0].Name
			}
			require.NotEmpty(t, output, "%s: an output of type %s", fn.Name.Name, source(first.Type))
			at := set.Position(fn.Body.Lbrace).Offset + 1
			c[name] = c[name][:at] + "\n\tdefer spoil(\"" + fn.Name.Name + "\", " + output + ")" + c[name][at:]
			if bytes.Contains([]byte(source(params)), []byte(" View")) {
				definitions = append(definitions, fn.Name.Name)
			} else {
				loops = append(loops, fn.Name.Name)
			}
		}
	}
	slices.Sort(definitions)
	slices.Sort(loops)
	return definitions, loops
}
