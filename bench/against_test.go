package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/bench/calls"
)

// This checkout against itself, from the flags to the table and the file.
func TestAgainstItself(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.json")
	var out, log bytes.Buffer
	require.NoError(t, run([]string{"-random", "2", "-size", "small", "-workers", "1,2", "-time", "1ms", "-against", "..", "-json", file}, &out, &log))
	assert.Contains(t, out.String(), "geometric mean")
	var c comparison
	require.NoError(t, json.Unmarshal(readFile(t, file), &c))
	require.Len(t, c.Timings, 4)
	for _, b := range c.Timings {
		assert.Less(t, b.Elements, calls.Small)
		assert.GreaterOrEqual(t, len(b.This), 2*minAgainstRounds)
		assert.Zero(t, len(b.This)%minAgainstRounds, "each side is as often first, and on each core, as the other")
		assert.Len(t, b.Other, len(b.This))
	}
	assert.Error(t, c.belowMean(1e9))
	assert.Error(t, run([]string{"-random", "1", "-against", t.TempDir()}, &out, &log), "no checkout")
}

func TestDistribution(t *testing.T) {
	var numbers []float64
	for i := range 200 {
		numbers = append(numbers, float64(200-i))
	}
	for p, want := range map[float64]float64{1: 2, 5: 10, 50: 100, 100: 200} {
		assert.Equal(t, want, percentile(numbers, p))
	}
	assert.Equal(t, 3.0, percentile([]float64{3}, 1))
	assert.InDelta(t, 2, geometricMean([]float64{1, 4}), 1e-9)
}

func TestRandomFlags(t *testing.T) {
	for _, args := range [][]string{{"-random", "3", "-size", "huge"}, {"-call", "x"}, {"-against", ".."}, {"-random", "1", "-against", "..", "-cliffs"}, {"-random", "1", "-against", "..", "-peers"},
		{"-random", "1", "-max-cliff", "6"}, {"-random", "1", "-min-mean", "0.9"}} {
		_, err := parseOptions(args, new(bytes.Buffer))
		assert.Error(t, err, args)
	}
	o, err := parseOptions([]string{"-random", "3", "-seed", "5", "-size", "large", "-against", ".."}, new(bytes.Buffer))
	require.NoError(t, err)
	require.Len(t, o.random, 3)
	again, err := parseOptions([]string{"-call", o.random[2].ID(), "-against", ".."}, new(bytes.Buffer))
	require.NoError(t, err)
	assert.Equal(t, o.random[2:], again.random)
	assert.Equal(t, randomTime, o.time)
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return b
}

// TestTurns: in the rounds that each call has, each side is as often first, on each of two cores, as the other.
func TestTurns(t *testing.T) {
	times := map[[2]int]int{}
	for round := range minAgainstRounds {
		first, core := turn(round)
		times[[2]int{first, core % 2}]++
	}
	for first := range 2 {
		for core := range 2 {
			assert.Equal(t, minAgainstRounds/4, times[[2]int{first, core}], "side %d on core %d", first, core)
		}
	}
}
