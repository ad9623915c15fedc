package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stale returns why a generated file is not what the generator makes, or "".
func stale(name, file, made string) string {
	if file == made {
		return ""
	}
	return name + " is stale: run `go generate .` in the root of the repository (- file, + made now)\n" +
		cmp.Diff(strings.Split(file, "\n"), strings.Split(made, "\n"))
}

// TestFresh makes the generated files again and compares.
func TestFresh(t *testing.T) {
	for name, make := range files {
		made, err := make()
		require.NoError(t, err)
		if why := stale(name, read(t, "../"+name), string(made)); why != "" {
			t.Error(why)
		}
	}
}

// TestSame makes them twice: no order of a map shows.
func TestSame(t *testing.T) {
	for name, make := range files {
		first, err := make()
		require.NoError(t, err)
		second, err := make()
		require.NoError(t, err)
		assert.Empty(t, stale(name, string(first), string(second)))
	}
}

func TestStale(t *testing.T) {
	file := read(t, assemblyFile)
	assert.Empty(t, stale(assemblyFile, file, file))
	edited := strings.Replace(file, "\tVZEROUPPER\n", "", 1)
	require.NotEqual(t, file, edited)
	why := stale(assemblyFile, edited, file)
	assert.Contains(t, why, "go generate .")
	assert.Contains(t, why, "VZEROUPPER")
	assert.Less(t, strings.Count(why, "\n"), 40, "the diff leaves out what is equal")
}
