package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/born-ml/born/backend/cpu"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestNetwork trains a network with each backend: from what one node in ten is it learns what the others are.
func TestNetwork(t *testing.T) {
	d := newDataset(size{nodes: 400, arcs: 6000, neighbours: 8, width: 16, layers: 2, classes: 4})
	want := newNetwork(cpu.New(), d)
	chance := want.right()
	losses := want.train(25)
	assert.Less(t, losses[24], losses[0]/10)
	assert.InDelta(t, 0.25, chance, 0.05)
	assert.Greater(t, want.right(), 0.45)
	sure, taken := want.infer()

	for name, b := range map[string]*Backend{"default": New(), "1 worker": New(kernels.Workers(1))} {
		got := newNetwork(b, d)
		assert.Equal(t, losses, got.train(25), name)
		assert.Equal(t, want.state(), got.state(), name)
		gotSure, gotTaken := got.infer()
		assert.Equal(t, sure.Raw().Data(), gotSure.Raw().Data(), name)
		assert.Equal(t, taken.Raw().Data(), gotTaken.Raw().Data(), name)
	}
}

func TestCompeteTells(t *testing.T) {
	all := entrants(newDataset(size{nodes: 20, arcs: 30, neighbours: 2, width: 4, layers: 1, classes: 2}))
	_, err := compete(all, 2, func(n *network[*clock]) [][]byte {
		return [][]byte{{1}, []byte(n.backend.Inner().Backend.Name())}
	})
	assert.EqualError(t, err, "born and lanes, 1 worker don't agree")
}

// try runs the program.
func try(t *testing.T, args ...string) (status int, out, complaint string) {
	t.Helper()
	var stdout, stderr strings.Builder
	require.NotPanics(t, func() { status = run(args, &stdout, &stderr) })
	return status, stdout.String(), stderr.String()
}

func TestProgram(t *testing.T) {
	small := []string{"-nodes", "50", "-arcs", "300", "-neighbours", "3", "-width", "6", "-layers", "2", "-classes", "3", "-runs", "3"}
	status, out, complaint := try(t, small...)
	require.Zero(t, status, complaint)
	assert.Empty(t, complaint)
	assert.Contains(t, out, "50 nodes, 300 arcs; 2 layers of width 6; 3 classes; medians of 3 runs\n")
	for _, op := range timed {
		assert.Regexp(t, `\n`+op+` +\d+( +\d+\.\d\d ms)( +\d+\.\d\d ms +\d+\.\d×)+\n`, out)
	}
	assert.Regexp(t, `\ninference +calls +born +lanes, 1 worker +faster`, out)
	assert.Regexp(t, `\na step of training +calls +born +lanes, 1 worker +faster`, out)
	assert.Regexp(t, `\nloss \d\.\d{4} → \d\.\d{4}; all outputs, and all weights after each step, are the same bit for bit\n$`, out)

	status, out, complaint = try(t, "-h")
	assert.Zero(t, status)
	assert.Contains(t, out, "-neighbours int")
	assert.Empty(t, complaint)
}

func TestBadInput(t *testing.T) {
	for want, args := range map[string][]string{
		"-nodes 0 is outside 1 … 16777216":  {"-nodes", "0"},
		"-runs -1 is outside 1 … 1000":      {"-runs", "-1"},
		"-width 5000 is outside 1 … 4096":   {"-width", "5000"},
		`unexpected argument "x"`:           {"x"},
		"flag provided but not defined: -x": {"-x"},
	} {
		status, out, complaint := try(t, args...)
		assert.Equal(t, 1, status)
		assert.Empty(t, out)
		assert.Equal(t, "born: "+want+"\n", complaint)
	}
	var stderr strings.Builder
	assert.Equal(t, 1, run([]string{"-nodes", "9", "-arcs", "9", "-runs", "1"}, closed{}, &stderr))
	assert.Equal(t, "born: closed\n", stderr.String())
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }
