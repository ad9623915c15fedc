package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The peers are other libraries' operators. Each runs in its own process, which shares nothing with
// others and gets its calls by package protocol.

// A peer is a library.
type peer struct {
	name    string
	threads int                                        // that it uses at most; 0: as many as it is told
	obtain  func(*workshop) (argv []string, err error) // makes its command, but for the number of threads
	draws   bool                                       // makes random calls, too
}

const oneThread = 1

var peers = []peer{
	{"onnxruntime", 0, wheel("onnxruntime", "onnx"), true}, // onnx writes its models
	{"openvino", 0, wheel("openvino"), true},
	{"torch", 0, wheel("torch"), true},
	{"numpy", oneThread, wheel("numpy"), true},
	{"gomlx", 0, module("gomlx"), false},
	{"born", oneThread, module("born"), false},
	{"gorgonia", oneThread, module("gorgonia"), false},
	{"arrow", oneThread, module("arrow"), false},
}

// parsePeers reads a list of names.
func parsePeers(list string) ([]peer, error) {
	var parsed []peer
	for s := range strings.SplitSeq(list, ",") {
		name := strings.TrimSpace(s)
		i := slices.IndexFunc(peers, func(p peer) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%q is not one of %s", name, peerNames(peers))
		}
		parsed = append(parsed, peers[i])
	}
	return parsed, nil
}

func peerNames(list []peer) string {
	var names []string
	for _, p := range list {
		names = append(names, p.name)
	}
	return strings.Join(names, ",")
}

// threadCounts returns how many threads the peer is run with, for each of the
// numbers of workers.
func (p peer) threadCounts(workers []int) []int {
	var counts []int
	for _, n := range workers {
		if p.threads > 0 {
			n = min(n, p.threads)
		}
		counts = append(counts, n)
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// A workshop makes what peers need, where it is missing.
type workshop struct {
	source string    // the folder peers of this module
	cache  string    // kept from run to run
	log    io.Writer // says what takes time
	python func() (string, error)

	missing map[string]error // the wheels that can't be had, once python was asked for
}

func newWorkshop(log io.Writer) (*workshop, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	source, err := filepath.Abs("peers")
	if err != nil {
		return nil, err
	}
	w := &workshop{source: source, cache: filepath.Join(cache, "lanes-bench"), log: log}
	w.python = sync.OnceValues(w.environment)
	return w, os.MkdirAll(w.cache, 0o777)
}

// wheels are what the Python peers need. PyPI's torch does not start without CUDA's libraries, which
// are gigabytes.
var wheels = []string{"numpy", "onnx", "onnxruntime", "openvino", "torch"}

// environment returns the interpreter of a Python environment with the wheels,
// the newest that there were when it was made. Those that can't be had are in missing,
// and the next run tries them again.
func (w *workshop) environment() (python string, err error) {
	dir := filepath.Join(w.cache, "wheels")
	python = filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	ready := filepath.Join(dir, "ready")
	b, _ := os.ReadFile(ready)
	have := strings.Fields(string(b))
	wanted := slices.DeleteFunc(slices.Clone(wheels), func(name string) bool { return slices.Contains(have, name) })
	if len(wanted) == 0 {
		return python, nil
	}
	fmt.Fprintf(w.log, "making a Python environment with %s in %s\n", strings.Join(wheels, ", "), dir)
	if len(have) == 0 {
		if err := w.run("", "python3", "-m", "venv", "--clear", dir); err != nil {
			return "", err
		}
	}
	install := func(names ...string) error {
		return w.run("", python, append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, names...)...)
	}
	if install(wanted...) == nil {
		have = wheels
	} else { // one that is missing costs the others nothing
		w.missing = map[string]error{}
		for _, name := range wanted {
			if err := install(name); err == nil {
				have = append(have, name)
			} else if name == "numpy" {
				return "", err // all need it
			} else {
				w.missing[name] = err
			}
		}
	}
	return python, os.WriteFile(ready, []byte(strings.Join(have, " ")), 0o666)
}

// run runs a command to its end; the last line that it wrote is in the error.
func (w *workshop) run(dir, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off") // the libraries keep the versions that they require
	out, err := c.CombinedOutput()
	if err == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, lines[len(lines)-1])
}

// wheel is a peer that the Python environment has, with other wheels that it needs.
func wheel(name string, needs ...string) func(*workshop) ([]string, error) {
	return func(w *workshop) ([]string, error) {
		python, err := w.python()
		if err != nil {
			return nil, err
		}
		for _, n := range append(needs, name) {
			if err := w.missing[n]; err != nil {
				return nil, err
			}
		}
		script := filepath.Join(w.source, "worker.py")
		if _, err := os.Stat(script); err != nil {
			return nil, fmt.Errorf("%w: run this program as go run -C bench", err)
		}
		return []string{python, script, name}, nil
	}
}

// module is a peer that is a Go module here, and is built.
func module(name string) func(*workshop) ([]string, error) {
	return func(w *workshop) ([]string, error) {
		program := filepath.Join(w.cache, name)
		if runtime.GOOS == "windows" {
			program += ".exe"
		}
		dir := filepath.Join(w.source, name)
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: run this program as go run -C bench", err)
		}
		if err := w.run(dir, "go", "build", "-o", program, "."); err != nil {
			return nil, err
		}
		return []string{program}, nil
	}
}

// start starts the peer with a number of threads, on as many cores.
func (p peer) start(argv []string, threads int) (*session, error) {
	return startSession(p, threads, append(slices.Clone(argv), strconv.Itoa(threads)))
}
