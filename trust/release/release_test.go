// Package release tests that what is published can be installed by those who have nothing but Go.
package release

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	root   = "../.."
	lanes  = "github.com/lanes-go/lanes"
	models = lanes + "/onnx"
)

// TestInstall serves the root and onnx, as they are in this checkout, from a file proxy as the version that onnx
// requires of the root. In an empty module, and with no workspace, which would hide requirements that are too
// old, it gets and builds package onnx, installs the command, and runs the first program of README.md.
func TestInstall(t *testing.T) {
	version := ""
	for _, r := range goMod(t, "onnx").Require {
		if r.Mod.Path == lanes {
			version = r.Mod.Version
		}
	}
	require.NotEmpty(t, version, "onnx requires no version of the root")

	p := publish(t, version)
	hello := p.module(t)
	p.run(t, hello, "go", "get", models+"@"+version)
	p.run(t, hello, "go", "build", models+"/...")
	p.run(t, hello, "go", "install", models+"/cmd/lanes@"+version)
	assert.Contains(t, p.run(t, hello, filepath.Join(p.bin, "lanes"), "-help"), "usage: lanes ", "the command")

	program, want := firstProgram(t)
	hello = p.module(t)
	p.run(t, hello, "go", "get", lanes+"@"+version)
	require.NoError(t, os.WriteFile(filepath.Join(hello, "main.go"), program, 0o644))
	assert.Equal(t, want, strings.TrimSpace(p.run(t, hello, "go", "run", ".")))

	// What an importer gets is the library and what it needs.
	sums, err := os.ReadFile(filepath.Join(hello, "go.sum"))
	require.NoError(t, err)
	for line := range strings.Lines(string(sums)) {
		path, _, _ := strings.Cut(line, " ")
		assert.Contains(t, []string{lanes, "golang.org/x/sys"}, path, "in an importer's go.sum")
	}
}

// firstProgram returns the program of README.md, and what its comment says that it prints.
func firstProgram(t *testing.T) (program []byte, want string) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```go\n(package main.*?)```\n").FindSubmatch(text)
	require.NotNil(t, found)
	prints := regexp.MustCompile(`fmt.Println\(dst.Data\) // (.*)`).FindSubmatch(found[1])
	require.NotNil(t, prints)
	return found[1], string(prints[1])
}

// goMod reads the go.mod of a module that users install. It has no directives that the go command
// minds in the main module alone: `go install` of a version refuses them.
func goMod(t *testing.T, dir string) *modfile.File {
	name := filepath.Join(root, dir, "go.mod")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	mod, err := modfile.Parse(name, text, nil)
	require.NoError(t, err)
	require.Empty(t, mod.Replace, name)
	require.Empty(t, mod.Exclude, name)
	return mod
}

// A place is where modules are published, and installed from.
type place struct {
	bin string
	env []string
}

// publish makes a proxy of the root and onnx.
func publish(t *testing.T, version string) place {
	proxy := t.TempDir()
	for _, dir := range []string{".", "onnx"} {
		v := module.Version{Path: goMod(t, dir).Module.Mod.Path, Version: version}
		to := filepath.Join(proxy, filepath.FromSlash(v.Path), "@v")
		require.NoError(t, os.MkdirAll(to, 0o755))
		write := func(name, text string) {
			require.NoError(t, os.WriteFile(filepath.Join(to, name), []byte(text), 0o644))
		}
		text, err := os.ReadFile(filepath.Join(root, dir, "go.mod"))
		require.NoError(t, err)
		write("list", version+"\n")
		write(version+".mod", string(text))
		write(version+".info", fmt.Sprintf(`{"Version": %q, "Time": %q}`, version, time.Now().UTC().Format(time.RFC3339)))
		f, err := os.Create(filepath.Join(to, version+".zip"))
		require.NoError(t, err)
		require.NoError(t, zip.CreateFromDir(f, v, filepath.Join(root, dir)))
		require.NoError(t, f.Close())
	}
	p := place{bin: t.TempDir()}
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	cache, others, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	p.env = append(os.Environ(), "GOWORK=off", "GOBIN="+p.bin, "GOMODCACHE="+t.TempDir(), "GOSUMDB=off", "GOTOOLCHAIN=local", "GO111MODULE=",
		"GOFLAGS=-modcacherw -trimpath", // so that the cache can be removed, and that what is built is kept from one run to the next
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(cache)+"/cache/download,"+others)
	return p
}

// module returns the directory of an empty module.
func (p place) module(t *testing.T) string {
	dir := t.TempDir()
	p.run(t, dir, "go", "mod", "init", "example.com/hello")
	return dir
}

// run runs a command, and returns what it printed.
func (p place) run(t *testing.T, dir, name string, args ...string) string {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, p.env
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s: %s", c, out)
	return string(out)
}
