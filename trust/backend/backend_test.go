package backend_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/trust/backend"
	"github.com/lanes-go/lanes/trust/calls"
)

// TestBackend runs the node tests of each wheel at every level, and each
// combination of traits, that this machine has. The wheels come from pip and
// stay in the user's cache directory, in lanes-trust. Where they can't be had
// nothing is tested: LANES_REQUIRE_ONNX=1 makes that a failure.
func TestBackend(t *testing.T) {
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	variants := calls.Variants()
	require.NoError(t, calls.NotRun(variants))
	reductions, opsets, runs := map[string]int{}, map[string]int{}, 0
	for _, w := range backend.Wheels {
		file, err := w.Obtain(filepath.Join(cache, "lanes-trust", "onnx"))
		if err != nil && os.Getenv("LANES_REQUIRE_ONNX") == "" {
			t.Skipf("the ONNX backend node tests: NOT RUN: %v", err)
		}
		require.NoError(t, err)
		cases, err := w.Read(file)
		require.NoError(t, err)
		for _, v := range variants {
			restore := v.Use()
			for _, c := range cases {
				if err := c.Run(); err != nil {
					t.Errorf("onnx %s, %s, opset %d, at %v: %v", w.Version, c.Name, c.Opset, v, err)
				}
				runs++
			}
			restore()
		}
		for _, c := range cases {
			opsets[c.Op+" at opset "+strconv.FormatInt(c.Opset, 10)]++
			reductions[c.Op+" "+c.Reduction]++
		}
		t.Logf("onnx %s: %d tests, each at %v", w.Version, len(cases), variants)
	}
	t.Logf("%d runs: %v", runs, opsets)
	for _, op := range []string{"ScatterElements", "ScatterND"} {
		for _, name := range []string{"", "add", "mul", "min", "max"} {
			require.NotZero(t, reductions[op+" "+name], "no test of %s with reduction %q", op, name)
		}
	}
}
