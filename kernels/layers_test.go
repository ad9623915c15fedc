package kernels

import (
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

	"github.com/stretchr/testify/require"
)

// layers are the package's files, the highest layer first. A function refers to
// functions and methods of its own layer and of those below.
var layers = [][]string{
	{ // operators: they describe and check tensors, and list loops
		"check_indices.go", "compress.go", "constant_rows.go", "copy_view.go", "embedding_bag.go", "gather_elements.go", "gather_nd.go",
		"gather_slices.go", "general_gather.go", "general_scatter.go", "masking.go", "plan.go", "raw.go", "raw_align.go", "raw_memory.go", "scatter_elements_update.go",
		"scatter_nd_update.go", "slice.go", "slice_scatter.go", "slicing.go", "strided_slice.go", "take.go", "tensor_scatter.go", "windows.go",
	},
	{ // a call: how many workers it is worth, and its parts
		"call.go", "cost.go", "parallel.go", "processor_linux.go", "processor_other.go", "run.go", "split.go",
	},
	{ // passes: what is done with a part
		"bags.go", "copy.go", "gather.go", "index_passes.go", "mask.go", "planes.go", "read_first.go", "scatter.go", "scatter_mean.go", "scatter_owned.go", "table_strips.go", "tiles.go",
	},
	{ // how passes go through short loops, and update cells
		"blocks.go", "dirty_indices.go", "small.go", "update.go",
	},
	{ // what all share
		"doc.go", "dtype.go", "elem.go", "errors.go", "half.go", "index_policy.go", "indices.go", "memory.go", "nest.go", "observe.go", "option.go",
		"reduction.go", "shape.go", "tensor.go", "view.go",
	},
}

// TestLayers checks that no function refers to one of a higher layer.
func TestLayers(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	require.ElementsMatch(t, files, slices.Concat(layers...), "each file stands in one layer")

	sources := make(map[string]string)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		sources[f] = string(b)
	}
	require.Empty(t, upward(t, sources))

	for _, planted := range []string{ // or the test could not fail
		"func planted(c *call) { c.runCopy() }",
		"var planted = (*call).runCopy",
		"func planted() { blocks.Get().(*call).runCopy() }",
		"func planted() { slices.Clone([]call{})[0].runCopy() }",
	} {
		wrong := maps.Clone(sources)
		wrong["shape.go"] += "\n" + planted
		require.NotEmpty(t, upward(t, wrong), planted)
	}
}

// upward lists the references to functions of higher layers.
func upward(t *testing.T, sources map[string]string) (list []string) {
	layerOf := make(map[string]int)
	for i, files := range layers {
		for _, f := range files {
			layerOf[f] = i
		}
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for name, src := range sources {
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}

	info := types.Info{Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: declared{fset}, Error: func(error) {}}
	config.Check("kernels", fset, files, &info) //nolint:errcheck // what imports declare is unknown, and isn't needed

	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				from := fset.Position(n.Pos())
				if f, ok := info.Uses[n].(*types.Func); ok {
					to := fset.Position(f.Origin().Pos())
					if layer, ours := layerOf[to.Filename]; ours && layer < layerOf[from.Filename] {
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
	return list
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
