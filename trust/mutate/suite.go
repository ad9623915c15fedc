package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A stage is some of the ordinary tests: those of a package that a pattern names.
type stage struct {
	name string
	dir  string // of the package
	arch string // "" for this machine's
	run  string // as -test.run
	skip string // as -test.skip
}

// A workshop is a copy of the repository to plant faults in, with the tests that
// are to find them.
type workshop struct {
	dir      string
	binaries string
	seed     string                  // as LANES_SEED
	took     map[stage]time.Duration // of CPU time, on the sound copy
}

// skipped is what needs no look: the benchmark harness, the trust module itself, what
// no stage runs.
var skipped = []string{".git", "bench", "trust", "examples"}

// newWorkshop copies the repository, but for what isn't tested here.
func newWorkshop(root, dir string) (*workshop, error) {
	w := &workshop{dir: filepath.Join(dir, "copy"), binaries: filepath.Join(dir, "tests"), seed: "1", took: map[stage]time.Duration{}}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, d := range []string{w.dir, w.binaries} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	for _, e := range entries {
		if slices.Contains(skipped, e.Name()) {
			continue
		}
		to := filepath.Join(w.dir, e.Name())
		switch from := filepath.Join(root, e.Name()); {
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		case e.Type().IsRegular() && !strings.HasSuffix(e.Name(), ".test"):
			var text []byte
			if text, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, text, 0o644)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(w.dir, amd64File)); err == nil {
		return w, writeOut(w.dir, w.dir)
	}
	return w, nil
}

// generated returns the files of the root that the generator writes, which a fault of its changes
// besides its own.
func (w *workshop) generated() (map[string]string, error) {
	texts := map[string]string{}
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".go" && ext != ".s" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(w.dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(text, []byte("// Code generated ")) {
			texts[e.Name()] = string(text)
		}
	}
	return texts, nil
}

// plant writes a fault into the copy, and returns what puts it right again.
func (w *workshop) plant(m *mutation) (restore func() error, err error) {
	sound, err := w.generated()
	restore = func() (err error) {
		for name, text := range sound {
			err = errors.Join(err, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644))
		}
		return err
	}
	if err != nil {
		return restore, err
	}
	text, err := os.ReadFile(filepath.Join(w.dir, m.file))
	if err != nil {
		return restore, err
	}
	sound[m.file] = string(text)
	if m.end > len(text) || string(text[m.start:m.end]) != m.old {
		return restore, fmt.Errorf("%s:%d is not what it was when faults were looked for", m.file, m.line)
	}
	faulty := bytes.Join([][]byte{text[:m.start], text[m.end:]}, []byte(m.new))
	return restore, os.WriteFile(filepath.Join(w.dir, m.file), faulty, 0o644)
}

// errBuild says that a fault does not compile.
var errBuild = errors.New("does not build")

// command runs a program of the toolchain in a directory of the copy.
func (w *workshop) command(dir, arch, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour) // of the wall clock, which goes on where the machine has other work
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join(w.dir, dir)
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0", "GOWORK=off")
	if arch != "" {
		cmd.Env = append(cmd.Env, "GOARCH="+arch)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", errBuild, bytes.TrimSpace(out[:min(len(out), 400)]))
	}
	return nil
}

// build compiles a stage's tests, and returns the executable.
func (w *workshop) build(s stage) (string, error) {
	binary := filepath.Join(w.binaries, strings.NewReplacer("/", "_", ".", "root").Replace(s.dir)+s.arch)
	return binary, w.command(s.dir, s.arch, "go", "test", "-vet=off", "-ldflags=-s -w", "-c", "-o", binary, ".")
}

// time runs a stage on the sound copy: it must pass, and takes so long.
func (w *workshop) time(s stage) error {
	binary, err := w.build(s)
	if err != nil {
		return err
	}
	killer, took, err := w.test(s, binary, time.Hour)
	if killer != "" {
		err = fmt.Errorf("the tests of %s fail without a fault: %s", s.name, killer)
	}
	w.took[s] = took
	return err
}

// limit is how much CPU time a stage may take before it is taken to hang. What else the
// machine does has no part in it.
func (w *workshop) limit(s stage) time.Duration { return 4*w.took[s] + 5*time.Second }

var emulators = map[string]string{"arm64": "qemu-aarch64"}

// test runs a stage, up to its first failure. killer is the test that failed, "" if
// none did, with what happened to it.
func (w *workshop) test(s stage, binary string, limit time.Duration) (killer string, took time.Duration, err error) {
	args := []string{"-c", `ulimit -t "$0" && exec "$@"`, strconv.Itoa(int(limit.Seconds()))}
	if e := emulators[s.arch]; e != "" {
		args = append(args, e)
	}
	args = append(args, binary, "-test.short", "-test.failfast", "-test.v", "-test.run="+s.run)
	if s.skip != "" {
		args = append(args, "-test.skip="+s.skip)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir = filepath.Join(w.dir, s.dir)
	cmd.Env = append(os.Environ(), "LANES_SEED="+w.seed, "GOWORK=off") // go.work names modules that are not in the copy
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if cmd.ProcessState != nil {
		took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", took, nil
	case took > limit-time.Second || ctx.Err() != nil:
		return running(out.Bytes()) + " hangs", took, nil
	case errors.As(err, &exit):
		return verdict(out.Bytes()), took, nil
	}
	return "", took, err
}

var (
	runLine  = regexp.MustCompile(`(?m)^=== RUN +(\S+)$`)
	failLine = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)
)

// running returns the test that began last.
func running(out []byte) string {
	all := runLine.FindAllSubmatch(out, -1)
	if all == nil {
		return "no test"
	}
	return string(all[len(all)-1][1])
}

// verdict returns the test that failed, by its longest name, or the one that was running when
// the process came to its end.
func verdict(out []byte) string {
	killer := ""
	for _, m := range failLine.FindAllSubmatch(out, -1) {
		if len(m[1]) > len(killer) {
			killer = string(m[1])
		}
	}
	switch {
	case killer != "":
		return killer
	case bytes.Contains(out, []byte("\npanic: ")):
		return running(out) + " panics"
	}
	return running(out) + " crashes"
}
