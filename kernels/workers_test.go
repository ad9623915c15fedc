package kernels_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestWorkersBitEqual makes runs of all jobs, the reductions among them, on tensors of some size
// and by 1 to 64 workers, with any GOMAXPROCS: every bit of the results is the same. Small calls
// are cut into parts that only large ones have otherwise, but in every tenth run, whose calls are
// large. LANES_WORKER_RUNS is how many runs there are.
func TestWorkersBitEqual(t *testing.T) {
	const most = 64
	runs := 5
	if testing.Short() {
		runs = 1
	}
	if s := os.Getenv("LANES_WORKER_RUNS"); s != "" {
		var err error
		runs, err = strconv.Atoi(s)
		require.NoError(t, err, "LANES_WORKER_RUNS")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	compared := map[string]int{} // results, by reduction
	total := 0
	for run := range runs {
		r := rand.New(rand.NewPCG(13, uint64(run)))
		rows, cols, step := 3+r.IntN(60), 3+r.IntN(60), 1
		large := run%10 == 9
		if large {
			rows, cols, step = 200+r.IntN(200), 1000+r.IntN(200), 7
		}
		t.Run(fmt.Sprintf("run=%d/n=%d", run, rows*cols), func(t *testing.T) {
			if !large {
				kernels.CutSmall(t)
			}
			list := jobs(rows, cols)
			wants := make([]any, len(list))
			runtime.GOMAXPROCS(1)
			for i, j := range list {
				var err error
				wants[i], err = j.run(kernels.Workers(1))
				require.NoError(t, err, j.name)
			}
			for workers := 1; workers <= most; workers += step {
				procs := 1 + r.IntN(8)
				if r.IntN(4) == 0 {
					procs = 1 + r.IntN(most)
				}
				runtime.GOMAXPROCS(procs)
				for i, j := range list {
					got, err := j.run(kernels.Workers(workers))
					require.NoError(t, err, j.name)
					require.True(t, equalBits(wants[i], got), "%s of %d×%d: workers=%d GOMAXPROCS=%d", j.name, rows, cols, workers, procs)
					total++
					for _, reduction := range reductions {
						if strings.Contains(j.name, "Update "+reduction.String()+",") {
							compared[reduction.String()]++
						}
					}
				}
			}
		})
	}
	require.Len(t, compared, len(reductions))
	for _, n := range compared {
		require.GreaterOrEqual(t, n, runs*most/7)
	}
	t.Logf("%d runs by 1 to %d workers with GOMAXPROCS of 1 to %d: %d results bit-equal, of reductions %v", runs, most, most, total, compared)
}

// equalBits is sameResults with NaN like any other number.
func equalBits(want, got any) bool {
	switch w := want.(type) {
	case []float32:
		return bytes.Equal(asBytes(w), asBytes(got.([]float32)))
	case []kernels.Float16:
		return bytes.Equal(asBytes(w), asBytes(got.([]kernels.Float16)))
	}
	return sameResults(want, got)
}
