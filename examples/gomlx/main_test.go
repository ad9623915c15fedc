package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPatched runs the tests of package engine, gomlx's own among them, and a small table in the workspace
// with the patched copy.
func TestPatched(t *testing.T) {
	w, err := patched(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"vet", "-tags", "patched", "./..."},
		{"test", "-tags", "patched", "-count=1", "./engine"},
		{"run", "-tags", "patched", "./table", "-scale", "32", "-runs", "1"},
	} {
		var out bytes.Buffer
		if err := w.command(&out, args...).Run(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &out)
		}
		t.Log(&out)
	}
}

// TestApply: a patch adds files, and does nothing else.
func TestApply(t *testing.T) {
	const head, body = "what it is for\n\n--- /dev/null\n+++ b/", "\n@@ -0,0 +1,2 @@\n+package a\n+\n"
	dir := t.TempDir()
	if err := apply(dir, head+"a.go"+body); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.go")); err != nil || string(text) != "package a\n\n" {
		t.Fatalf("%q, %v", text, err)
	}
	for name, patch := range map[string]string{
		"a file that is there":   head + "a.go" + body,
		"a file elsewhere":       head + "../b.go" + body,
		"other lines":            head + "b.go" + body + "-package b\n",
		"lines that are missing": head + "c.go" + strings.TrimSuffix(body, "+\n"),
		"a change":               "--- a/d.go\n+++ b/d.go\n@@ -1,1 +1,1 @@\n-a\n+b\n",
	} {
		if apply(dir, patch) == nil {
			t.Errorf("%s is applied", name)
		}
	}
}
