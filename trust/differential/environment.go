package main

import (
	"bytes"
	_ "embed" // worker.py
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

//go:embed worker.py
var workerSource []byte

// wheels are the releases that the table of differences is about; onnx writes
// onnxruntime's models.
var wheels = []string{"numpy==2.4.6", "onnx==1.23.2", "onnxruntime==1.31.1", "openvino==2026.4.1"}

// An environment is where the libraries are: interpreters of Python, and the
// program that they run.
type environment struct {
	cache  string    // the user's directory for caches
	script string    // worker.py
	log    io.Writer // says what takes time
	python func() (string, error)
}

func newEnvironment(log io.Writer) (*environment, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "worker-*.py")
	if err != nil {
		return nil, err
	}
	e := &environment{cache: cache, script: f.Name(), log: log}
	e.python = sync.OnceValues(e.interpreter)
	_, err = f.Write(workerSource)
	return e, errors.Join(err, f.Close())
}

func (e *environment) close() { os.Remove(e.script) }

// wheel returns the command of a library that is a wheel.
func (e *environment) wheel(name string) ([]string, error) {
	python, err := e.python()
	return []string{python, e.script, name}, err
}

// pythonIn returns the interpreter of a Python environment.
func pythonIn(dir string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(dir, "Scripts", "python.exe")
	}
	return filepath.Join(dir, "bin", "python")
}

// create makes a Python environment with some wheels.
func (e *environment) create(dir string, wheels ...string) error {
	fmt.Fprintf(e.log, "making a Python environment with %s in %s\n", strings.Join(wheels, ", "), dir)
	if err := run("python3", "-m", "venv", "--clear", dir); err != nil {
		return err
	}
	return run(pythonIn(dir), append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, wheels...)...)
}

// interpreter returns one that has the wheels.
func (e *environment) interpreter() (string, error) {
	dir := filepath.Join(e.cache, "lanes-trust", "python")
	python := pythonIn(dir)
	if hasWheels(python) {
		return python, nil
	}
	return python, e.create(dir, wheels...)
}

func hasWheels(python string) bool {
	out, err := exec.Command(python, "-m", "pip", "list", "--format=freeze", "--disable-pip-version-check").Output()
	if err != nil {
		return false
	}
	have := map[string]bool{}
	for line := range bytes.Lines(out) {
		have[strings.TrimSpace(string(line))] = true
	}
	for _, w := range wheels {
		if !have[w] {
			return false
		}
	}
	return true
}

// jaxWheel is the release of JAX that is compared with.
const jaxWheel = "jax==0.10.2"

// jax returns the command with an environment of its own that has JAX for the CPU.
func (e *environment) jax(name string) ([]string, error) {
	dir := filepath.Join(e.cache, "lanes-trust", "jax")
	python := pythonIn(dir)
	if run(python, "-c", "import jax; assert 'jax=='+jax.__version__ == '"+jaxWheel+"'") != nil {
		if err := e.create(dir, jaxWheel); err != nil {
			return nil, err
		}
	}
	return []string{python, e.script, name}, nil
}

// torch returns the command with an interpreter on the path that has PyTorch: a package of the
// system, which root gets where there is apt.
func (e *environment) torch(name string) ([]string, error) {
	python, err := interpreterWith(name)
	if err != nil {
		if _, missing := exec.LookPath("apt-get"); missing != nil || os.Getuid() != 0 {
			return nil, fmt.Errorf("%w; where there is apt: apt-get install python3-torch", err)
		}
		fmt.Fprintln(e.log, "installing python3-torch")
		for _, args := range [][]string{{"update", "-qq"}, {"install", "-qq", "-y", "python3-torch"}} {
			if err := run("apt-get", args...); err != nil {
				return nil, err
			}
		}
		if python, err = interpreterWith(name); err != nil {
			return nil, err
		}
	}
	return []string{python, e.script, name}, nil
}

func interpreterWith(name string) (python string, err error) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		python := filepath.Join(dir, "python3")
		if run(python, "-c", "import numpy, "+name) == nil {
			return python, nil
		}
	}
	return "", fmt.Errorf("no python3 on the path has both %s and numpy", name)
}

// run runs a command to its end; the last line that it wrote is in the error.
func run(name string, args ...string) error {
	c := exec.Command(name, args...)
	out, err := c.CombinedOutput()
	if err == nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, lines[len(lines)-1])
}
