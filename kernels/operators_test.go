package kernels_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOperators: each operator has what belongs to it. docs/adding.md goes through it.
func TestOperators(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	exported, tests := map[string]*ast.FuncDecl{}, ""
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") {
			tests += string(text)
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				exported[f.Name.Name] = f
			}
		}
	}
	pages, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	docs := ""
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		docs += string(text)
	}
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	operators := 0
	for name, f := range exported {
		if !takesOptions(f) || strings.HasSuffix(name, "Raw") || strings.HasPrefix(name, "New") { // a plan is none
			continue
		}
		operators++
		for _, form := range []string{"Shape", "Raw"} {
			assert.NotNil(t, exported[name+form], "%s has no %s", name, name+form)
		}
		for _, want := range []struct{ what, pattern string }{
			{"random calls: one of randomRows", `\{"` + name + `", (randomOperators\.|func\()`},
			{"a fuzz target", `func Fuzz` + name + `\(`},
			{"an example", `func Example` + name + `(_\w+)?\(`},
			{"a page", `(?m)^func ` + name + `\[`},
			{"a row in README.md", `(?m)^\| .*\x60` + name + `\x60`},
		} {
			assert.True(t, regexp.MustCompile(want.pattern).MatchString(tests+docs+string(readme)), "%s lacks %s", name, want.what)
		}
	}
	assert.GreaterOrEqual(t, operators, 4)
}

// takesOptions reports whether the last parameter is ...Option.
func takesOptions(f *ast.FuncDecl) bool {
	params := f.Type.Params.List
	if len(params) == 0 {
		return false
	}
	list, ok := params[len(params)-1].Type.(*ast.Ellipsis)
	if !ok {
		return false
	}
	name, ok := list.Elt.(*ast.Ident)
	return ok && name.Name == "Option"
}
