package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func affinity(t *testing.T, id int) unix.CPUSet {
	var set unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(id, &set))
	return set
}

func TestOnCores(t *testing.T) {
	release := onCores(1)
	set := affinity(t, 0)
	assert.Equal(t, 1, set.Count())
	release()

	few := firstCores(allowed, 1<<10)
	assert.Equal(t, allowed, few, "there are no more")
}

func TestAPeerIsPinnedAndStopped(t *testing.T) {
	c := newTestPeerSet(t, fake(t, "honest"))
	id := c.sessions[0].process.Process.Pid
	set := affinity(t, id)
	assert.Equal(t, 1, set.Count())
	assert.Eventually(t, func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
		return err == nil && regexp.MustCompile(`State:\s+T`).Match(status)
	}, 5*time.Second, time.Millisecond)
	require.NoError(t, c.sessions[0].end(nil))
}

func TestMoveTo(t *testing.T) {
	c := newTestPeerSet(t, fake(t, "honest"))
	p := c.sessions[0].process.Process
	var all unix.CPUSet
	for core := range allowed.Count() {
		moveTo(p, core)
		set := affinity(t, p.Pid)
		assert.Equal(t, 1, set.Count())
		for i := range set {
			all[i] |= set[i]
		}
	}
	assert.Equal(t, allowed, all)
	moveAnywhere(p)
	assert.Equal(t, allowed, affinity(t, p.Pid))
}

// A wheel that can't be had leaves out its peer alone, and the next run tries it again.
func TestAMissingWheel(t *testing.T) {
	bin, cache := t.TempDir(), t.TempDir()
	script := `#!/bin/sh
case "$*" in
"-m venv"*) mkdir -p "$4/bin"; cp "$0" "$4/bin/python" ;;
*openvino*) echo "no matching distribution" >&2; exit 1 ;;
esac`
	require.NoError(t, os.WriteFile(filepath.Join(bin, "python3"), []byte(script), 0o777))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", cache)
	for range 2 {
		w, err := newWorkshop(io.Discard)
		require.NoError(t, err)
		for _, p := range peers[:4] {
			_, err := p.obtain(w)
			if p.name == "openvino" {
				assert.ErrorContains(t, err, "no matching distribution")
			} else {
				assert.NoError(t, err, p.name)
			}
		}
		ready, err := os.ReadFile(filepath.Join(cache, "lanes-bench", "wheels", "ready"))
		require.NoError(t, err)
		assert.Equal(t, "numpy onnx onnxruntime torch", string(ready))
	}
}

func TestASignalLeavesNoDirectories(t *testing.T) {
	t.Setenv(fakePeer, "interrupted")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := exec.Command(os.Args[0])
		out, err := c.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		var one, two string
		_, err = fmt.Fscanln(out, &one, &two)
		require.NoError(t, err)
		assert.DirExists(t, one)
		assert.DirExists(t, two)
		require.NoError(t, c.Process.Signal(signal))
		assert.ErrorContains(t, c.Wait(), "exit status 130")
		assert.NoDirExists(t, one)
		assert.NoDirExists(t, two)
	}
}
