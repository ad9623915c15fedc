package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unmatched compares what is there with what is called in a Go file: a body
// that nothing calls is dead, and a call may be to a body that is gone.
func unmatched(t *testing.T, all []listing, name, source string) (dead []string) {
	f, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
	require.NoError(t, err)
	called := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok {
				called[f.Name] = true
			}
		}
		return true
	})
	for _, b := range all {
		if !called[b.name] {
			dead = append(dead, b.name)
		}
	}
	return dead
}

// TestNoDeadBody looks for bodies that bodies_amd64.go does not call.
func TestNoDeadBody(t *testing.T) {
	const switches = "../bodies_amd64.go"
	all := bodies(t, written(t))
	assert.Empty(t, unmatched(t, all, switches, read(t, switches)), "bodies that %s never calls", switches)

	const source = `package lanes
		// deadAVX2 is named in a comment.
		func f() { live1AVX2(); g(func() { live2AVX2() }); _ = "deadAVX2()"; x := notCalledAVX2; _ = x }`
	var planted []listing
	for _, name := range []string{"live1AVX2", "deadAVX2", "live2AVX2", "notCalledAVX2"} {
		planted = append(planted, listing{name: name})
	}
	assert.Equal(t, []string{"deadAVX2", "notCalledAVX2"}, unmatched(t, planted, "planted.go", source))
}

// TestNamedOnce looks for names that are there twice, or end like no level.
func TestNamedOnce(t *testing.T) {
	var names []string
	for _, b := range bodies(t, written(t)) {
		names = append(names, b.name)
	}
	slices.Sort(names)
	assert.Equal(t, slices.Compact(slices.Clone(names)), names)
}
