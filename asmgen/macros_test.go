package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMacros: to the assembler, the file with macros is the same as the bodies written out.
func TestMacros(t *testing.T) {
	text, err := flatAssembly()
	require.NoError(t, err)
	flat := filepath.Join(t.TempDir(), assemblyName)
	require.NoError(t, os.WriteFile(flat, text, 0o644))
	want, got := instructions(t, flat), instructions(t, assemblyFile)
	assert.Len(t, got, len(want))
	for name, body := range want {
		assert.Equal(t, body, got[name], name)
	}
	assert.NotEmpty(t, want["gatherX32I32AVX2"])
}

var positions = regexp.MustCompile(` \(\S+:\d+\)`)

// instructions returns what the assembler makes of a file, by symbol: instructions and bytes,
// without lines.
func instructions(t *testing.T, file string) map[string]string {
	out, err := assemble(t, file, "-S")
	require.NoError(t, err)
	symbols := map[string]string{}
	name := ""
	for _, l := range strings.Split(positions.ReplaceAllString(out, ""), "\n") {
		if l != "" && l[0] != '\t' {
			name = strings.TrimPrefix(strings.Fields(l)[0], "lanes.")
		}
		symbols[name] += l + "\n"
	}
	return symbols
}
