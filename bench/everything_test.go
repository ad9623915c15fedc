package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

// A small report has all parts.
func TestReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "machine.json")
	args := []string{"-report", file, "-run", "W4$|SmallElements", "-random", "2", "-size", "small", "-workers", "1", "-time", "1ms", "-peer", ""}
	require.NoError(t, run(args, new(bytes.Buffer), new(bytes.Buffer)))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var e everything
	require.NoError(t, json.Unmarshal(text, &e))
	assert.Contains(t, e.Machine.Dispatch, dispatch.Active().String())
	assert.Equal(t, dispatch.Default, e.Thresholds)

	var c calibration
	require.NoError(t, json.Unmarshal(e.Calibration, &c))
	require.Len(t, c.Findings, 1)
	assert.Equal(t, "SmallElements", c.Findings[0].Name)
	var random, workloads report
	require.NoError(t, json.Unmarshal(e.Random, &random))
	assert.Len(t, random.Results, 2)
	require.NoError(t, json.Unmarshal(e.Workloads, &workloads))
	require.Len(t, workloads.Results, 1)
	levels := 0
	for _, l := range dispatch.Levels() {
		if dispatch.Available(l) {
			levels++
		}
	}
	assert.Len(t, workloads.Results[0].Lines, levels)

	// A part that fails leaves the others in the file.
	args[3] = "W4$" // matches no threshold
	assert.ErrorContains(t, run(args, new(bytes.Buffer), new(bytes.Buffer)), "no threshold")
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	e = everything{}
	require.NoError(t, json.Unmarshal(text, &e))
	assert.Equal(t, "null", string(e.Calibration))
	assert.NotEmpty(t, e.Workloads)

	assert.ErrorContains(t, run([]string{"-report", file, "-sweep"}, new(bytes.Buffer), new(bytes.Buffer)), "-report takes no -sweep")
}
