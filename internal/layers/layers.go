// Package layers tests that the files of a package form layers, in which a function refers to
// functions and methods of its own layer and of those below.
package layers

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Table is the layers of a package.
type Table struct {
	Files [][]string // the highest layer first
	Apart bool       // no file of a layer refers to another one of it either
}

// Test checks the package in the working directory. Each planted declaration, added to a file,
// refers to a function that the file must not: a test that passes such a file could not fail.
func (l Table) Test(t *testing.T, file string, planted ...string) {
	layerOf := make(map[string]int)
	for i, files := range l.Files {
		for _, f := range files {
			layerOf[f] = i
		}
	}
	sources := make(map[string]string)
	files, err := filepath.Glob("*.go")
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		b, readErr := os.ReadFile(f)
		err = errors.Join(err, readErr)
		sources[f] = string(b)
	}
	if err != nil {
		t.Fatal(err)
	}
	listed, found := slices.Sorted(slices.Values(slices.Concat(l.Files...))), slices.Sorted(maps.Keys(sources))
	if !slices.Equal(listed, found) {
		t.Fatalf("each file stands in one layer:\nwant %q,\nhave %q", found, listed)
	}

	list, err := l.upward(layerOf, sources)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) > 0 {
		t.Errorf("want references to lower layers alone, have\n%s", strings.Join(list, "\n"))
	}
	for _, p := range planted {
		wrong := maps.Clone(sources)
		wrong[file] += "\n" + p
		if list, err := l.upward(layerOf, wrong); err != nil || len(list) == 0 {
			t.Errorf("want a reference that is not allowed in %q, have %q, %v", p, list, err)
		}
	}
}

// upward lists the references that are not allowed.
func (l Table) upward(layerOf map[string]int, sources map[string]string) (list []string, err error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		f, err := parser.ParseFile(fset, name, sources[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}

	// The files of all ports are checked as one package. Errors do not matter: ports declare the same
	// functions, and what imports declare is unknown and isn't needed.
	info := types.Info{Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: declared{fset}, Error: func(error) {}}
	config.Check("p", fset, files, &info) //nolint:errcheck // see above

	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				from := fset.Position(n.Pos())
				if f, ok := info.Uses[n].(*types.Func); ok {
					to := fset.Position(f.Origin().Pos())
					own := layerOf[from.Filename]
					layer, ours := layerOf[to.Filename]
					if ours && (layer < own || l.Apart && layer == own && to.Filename != from.Filename) {
						list = append(list, fmt.Sprintf("%s: %s of %s", from, f.Name(), to.Filename))
					}
				}
			case *ast.SelectorExpr:
				if info.Uses[n.Sel] == nil && !n.Sel.IsExported() {
					list = append(list, fmt.Sprintf("%s: %s is of a type that is not known", fset.Position(n.Pos()), n.Sel.Name))
				}
			}
			return true
		})
	}
	slices.Sort(list)
	return list, nil
}

// declared imports packages as far as they return what the caller gave them, and
// no package's files: the test runs where there are none.
type declared struct{ fset *token.FileSet }

func (d declared) Import(path string) (*types.Package, error) {
	name := filepath.Base(path)
	src := map[string]string{
		"sync":        "type Pool struct { New func() any }; func (*Pool) Get() any; func (*Pool) Put(any)",
		"sync/atomic": "type Pointer[T any] struct{}; func (*Pointer[T]) Load() *T",
	}[path]
	f, err := parser.ParseFile(d.fset, path, "package "+name+";"+src, 0)
	if err != nil {
		return nil, err
	}
	config := types.Config{Error: func(error) {}, IgnoreFuncBodies: true}
	p, _ := config.Check(path, d.fset, []*ast.File{f}, nil)
	return p, nil
}
