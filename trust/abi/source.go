package abi

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/dispatch"
)

// A Body is a TEXT of the assembly, with its declaration in Go.
type Body struct {
	Name     string
	Level    string   // such as AVX2 or AVX512VBMI: what a CPU needs to run it
	Params   []string // each takes a word of the stack
	ArgBytes int      // of parameters and results, as the TEXT says
}

// words is the words of the stack that parameters and results take.
func (b Body) words() int { return (b.ArgBytes + 7) / 8 }

var (
	textLine = regexp.MustCompile(`(?m)^TEXT\s+·(\w+)\(SB\),[^$]*\$\d+(?:-(\d+))?`)
	anyText  = regexp.MustCompile(`(?m)^\s*TEXT\b|\\\n\s*TEXT\b`)
)

// levelOf returns the level that a body is named after, or "".
func levelOf(name string) string {
	for _, l := range dispatch.Levels() {
		if level := strings.ToUpper(l.String()); strings.HasSuffix(name, level) {
			return level
		}
	}
	return ""
}

// Bodies reads kernels_<arch>.s and its stubs in the directory of package lanes.
// A TEXT that it can't read, or that has no stub, is an error: none is left out.
func Bodies(root, arch string) ([]Body, error) {
	source, err := os.ReadFile(filepath.Join(root, "kernels_"+arch+".s"))
	if err != nil {
		return nil, err
	}
	stubs, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "kernels_"+arch+".go"), nil, 0)
	if err != nil {
		return nil, err
	}
	return bodies(string(source), stubs)
}

func bodies(source string, stubs *ast.File) ([]Body, error) {
	params := map[string][]string{}
	for _, d := range stubs.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
			params[f.Name.Name] = names(f.Type.Params)
		}
	}
	var all []Body
	requires := ""
	for line := range strings.Lines(source) {
		if list, ok := strings.CutPrefix(line, "// Requires: "); ok {
			requires = list
		}
		m := textLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		b := Body{Name: m[1], Level: levelOf(m[1]), Params: params[m[1]]}
		b.ArgBytes, _ = strconv.Atoi(m[2])
		switch {
		case b.Level == "":
			return nil, fmt.Errorf("%s is named after no level", b.Name)
		case b.Params == nil:
			return nil, fmt.Errorf("%s has no declaration in Go", b.Name)
		case b.words() < len(b.Params):
			return nil, fmt.Errorf("%s has %d bytes of arguments for %d parameters", b.Name, b.ArgBytes, len(b.Params))
		case strings.Contains(requires, "VBMI"):
			b.Level += "VBMI"
		}
		all = append(all, b)
		requires = ""
	}
	if n := len(anyText.FindAllString(source, -1)); n != len(all) {
		return nil, fmt.Errorf("there are %d TEXTs, and %d of them can be read", n, len(all))
	}
	return all, nil
}

func names(fields *ast.FieldList) []string {
	all := []string{}
	for _, f := range fields.List {
		for _, n := range f.Names {
			all = append(all, n.Name)
		}
	}
	return all
}
