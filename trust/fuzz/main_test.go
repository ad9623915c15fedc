package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var house = map[string]string{
	"go.mod": "module example.com/house\n\ngo 1.26\n",
	"good_test.go": "package house\n\nimport \"testing\"\n\nfunc FuzzGood(f *testing.F) {\n\tfor n := range 500 {\n\t\tf.Add(n)\n\t}\n\tf.Fuzz(func(t *testing.T, n int) {})\n}\n\n" +
		"func FuzzOther(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n uint8) {})\n}\n\nfunc TestNone(t *testing.T) {}\n",
	"deep/bad_test.go": "package deep\n\nimport \"testing\"\n\nfunc FuzzBad(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, b []byte) {\n\t\tif len(b) > 2 {\n\t\t\tt.Error(\"too long\")\n\t\t}\n\t})\n}\n",
	"module/go.mod":    "module example.com/module\n\ngo 1.26\n",
	"module/x_test.go": "package module\n\nimport \"testing\"\n\nfunc FuzzElsewhere(f *testing.F) {}\n",
}

func TestMain(m *testing.M) {
	role()
	os.Exit(m.Run())
}

func build(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range house {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return dir
}

// TestRun: all targets are run as often as they should be, and one that fails makes the whole fail.
func TestRun(t *testing.T) {
	var out strings.Builder
	o := options{root: build(t), execs: 3000, match: regexp.MustCompile("Good|Other"), slice: 1000}
	require.NoError(t, o.run(&out))
	sum := regexp.MustCompile(`(?m)^(\d+) executions of 2 targets, 0 of them failed$`).FindStringSubmatch(out.String())
	require.NotNil(t, sum, out.String())
	require.GreaterOrEqual(t, sum[1], "3000")
	require.Regexp(t, `(?m)^ *FuzzGood +\./\. +\d+ `, out.String())

	out.Reset()
	o.execs, o.limit = 1e9, time.Second
	require.NoError(t, o.run(&out))
	require.Regexp(t, `(?m)^[1-9]\d* executions of 2 targets, 0 of them failed$`, out.String(), "time is up")

	out.Reset()
	o = options{root: o.root, execs: 100, match: regexp.MustCompile("Good"), slice: 1000}
	require.NoError(t, o.run(&out), "fewer than its corpus has inputs")
	require.Regexp(t, `(?m)^1\d\d executions of 1 targets, 0 of them failed$`, out.String())

	out.Reset()
	o = options{root: o.root, execs: 100_000, match: regexp.MustCompile("Bad"), slice: 1e6}
	require.ErrorContains(t, o.run(&out), "1 fuzz targets failed")
	require.Contains(t, out.String(), "too long")
	found, err := filepath.Glob(filepath.Join(o.root, "deep/testdata/fuzz/FuzzBad/*"))
	require.NoError(t, err)
	require.NotEmpty(t, found)

	o.match = regexp.MustCompile("Elsewhere")
	require.ErrorContains(t, o.run(&out), "no fuzz target")
}

// TestEdges: the module's packages and their tests are instrumented, and no others.
func TestEdges(t *testing.T) {
	for pkg, own := range map[string]bool{
		"example.com/house": true, "example.com/house/deep": true, "example.com/house_test": true, "example.com/house/deep_test": true,
		"example.com/household": false, "main": false, "net/http": false,
	} {
		args := []string{"-o", "x", "-p", pkg, "-d=libfuzzer", "x.go"}
		require.Equal(t, own, slices.Contains(edgesOf("example.com/house", args), "-d=libfuzzer"), pkg)
	}
	require.Equal(t, []string{"-V=full"}, edgesOf("example.com/house", []string{"-V=full"}))
}
