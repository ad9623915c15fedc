package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// module is gomlx's Go backend.
const module = "github.com/gomlx/compute"

//go:embed executors.patch
var patch string

// A workspace has this module, lanes, and a patched copy of gomlx's.
type workspace struct{ file string }

// patched copies gomlx's module to a directory, applies the patch, and returns a workspace that has
// the copy.
func patched(dir string) (workspace, error) {
	download := exec.Command("go", "mod", "download", module)
	download.Stderr = os.Stderr
	if err := download.Run(); err != nil {
		return workspace{}, fmt.Errorf("%s: %w", download, err)
	}
	find := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module)
	find.Stderr = os.Stderr
	out, err := find.Output()
	if err != nil {
		return workspace{}, fmt.Errorf("%s: %w", find, err)
	}
	copied := filepath.Join(dir, "compute")
	if err := os.CopyFS(copied, os.DirFS(strings.TrimSpace(string(out)))); err != nil {
		return workspace{}, err
	}
	if err := apply(copied, patch); err != nil {
		return workspace{}, err
	}
	here, err := os.Getwd()
	if err != nil {
		return workspace{}, err
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return workspace{}, err
	}
	required := regexp.MustCompile(`github.com/lanes-go/lanes (v\S+)`).FindSubmatch(mod) // lanes stands in for that version
	if required == nil {
		return workspace{}, errors.New("go.mod requires no version of lanes")
	}
	w := workspace{filepath.Join(dir, "go.work")}
	lanes := filepath.Join(here, "..", "..")
	text := fmt.Sprintf("go 1.26.0\n\nuse (\n\t%q\n\t%q\n\t%q\n)\n\nreplace github.com/lanes-go/lanes %s => %q\n", here, lanes, copied, required[1], lanes)
	return w, os.WriteFile(w.file, []byte(text), 0o644)
}

// command returns a go command in the workspace. It trims paths, so that what is built of the copy is
// kept from one run to the next.
func (w workspace) command(output io.Writer, args ...string) *exec.Cmd {
	c := exec.Command("go", append(args[:1:1], append([]string{"-trimpath"}, args[1:]...)...)...)
	c.Env = append(os.Environ(), "GOWORK="+w.file, "GOFLAGS=")
	c.Stdout, c.Stderr = output, os.Stderr
	return c
}

// apply adds the files of a patch to a directory. It applies no other patches than those that add
// files.
func apply(dir, patch string) error {
	_, rest, ok := strings.Cut(patch, "--- /dev/null\n")
	if !ok {
		return errors.New("the patch adds no files")
	}
	for file := range strings.SplitSeq(rest, "--- /dev/null\n") {
		head, body, _ := strings.Cut(file, "\n")
		name, ok := strings.CutPrefix(head, "+++ b/")
		counts, lines, cut := strings.Cut(body, "\n")
		if !ok || !cut || !filepath.IsLocal(name) || !strings.HasPrefix(counts, "@@ -0,0 +1,") {
			return fmt.Errorf("the patch is no addition of files: %q", head)
		}
		var text strings.Builder
		n := 0
		for line := range strings.Lines(lines) {
			added, ok := strings.CutPrefix(line, "+")
			if !ok {
				return fmt.Errorf("%s: the patch does more than add lines: %q", name, line)
			}
			text.WriteString(added)
			n++
		}
		if counts != fmt.Sprintf("@@ -0,0 +1,%d @@", n) {
			return fmt.Errorf("%s: the patch adds %d lines, and says %s", name, n, counts)
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text.String())
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
