package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/bench/calls"
	"github.com/lanes-go/lanes/dispatch"
)

// What nest finds for large calls is what the definitions give for small ones.
func TestRandomCallsAreWhatTheDefinitionsGive(t *testing.T) {
	seen := map[string]int{}
	for number := uint64(0); len(seen) < 7 || number < 2000; number++ {
		c := calls.Draw(3, number)
		if c.Elements() > 1<<10 || size(c.Data) > 1<<12 {
			continue
		}
		seen[c.Operator]++
		switch j := (randomSpec{c}).job(nil).(type) {
		case *randomJob[float32, int64]:
			checkBoth(t, j)
		case *randomJob[float32, int32]:
			checkBoth(t, j)
		case *randomJob[int64, int64]:
			checkBoth(t, j)
		case *randomJob[uint8, int32]:
			checkBoth(t, j)
		case *randomJob[complex64, int64]:
			checkBoth(t, j)
		}
	}
}

func checkBoth[T comparable, I int32 | int64](t *testing.T, j *randomJob[T, I]) {
	require.NoError(t, j.run(1))
	defined, err := j.defined()
	require.NoError(t, err)
	found, err := j.found()
	require.NoError(t, err)
	calls.SameNaN(defined)
	calls.SameNaN(found)
	require.Equal(t, defined, found, "%s %s: %v", j.ID(), j.Operator, j.Call)

	require.NoError(t, j.check(nil))
	require.NoError(t, j.check(nil))
	was := j.Dst.Data[j.Dst.Offset]
	var other T
	j.Dst.Data[j.Dst.Offset] = other
	if was != other {
		assert.Error(t, j.check(nil), "compared with a result that was right")
		j.checked = nil
		assert.Error(t, j.check(nil), "%s %s: %v", j.ID(), j.Operator, j.Call)
	}
	j.reset()
	require.NoError(t, j.run(2))
	require.Equal(t, defined, j.Dst.Data)
}

// Cliffs are looked for between calls that move as many elements, and can be made.
func TestCliffs(t *testing.T) {
	seen := map[string]int{}
	variants := map[string]func(calls.Call) (calls.Call, bool){"wide": calls.Call.Wide, "forward": calls.Call.Forward, "strides": calls.Call.OtherStrides}
	for number := uint64(0); number < 2000; number++ {
		c := calls.Draw(4, number)
		if c.Elements() > 1<<14 || size(c.Data) > 1<<15 {
			continue
		}
		for name, variant := range variants {
			other, ok := variant(c)
			if !ok || seen[name] > 30 {
				continue
			}
			seen[name]++
			require.Equal(t, c.Elements(), other.Elements())
			require.Equal(t, size(c.Data), size(other.Data))
			j := randomSpec{other}.job(nil)
			require.NoError(t, verify(j, options{levels: []dispatch.Level{dispatch.Active()}, workers: []int{1}}.setups(), nil), "%s %s: %v", c.ID(), name, other)
		}
	}
	for name := range variants {
		assert.Greater(t, seen[name], 10, name)
	}
}

func TestRandomRun(t *testing.T) {
	var out, log bytes.Buffer
	require.NoError(t, run([]string{"-random", "4", "-seed", "11", "-size", "small", "-workers", "1,2", "-time", "1ms", "-cliffs", "-cliff", "0"}, &out, &log))
	for _, want := range []string{"The share of the limit", "below 4 Ki", "-call repeats them", "times " + thanWrittenOut, "times " + thanOne} {
		assert.Contains(t, out.String(), want)
	}
	err := run([]string{"-random", "1", "-seed", "11", "-size", "small", "-workers", "1,2", "-time", "1ms", "-cliffs", "-max-cliff", "0.001"}, &out, &log)
	assert.ErrorContains(t, err, "cliffs of more than 0.001 times")
}
