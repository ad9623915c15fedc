package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// TestStorm calls operators on strings, on arrays of a goroutine's own stack
// and on slices, from many goroutines, while the collector runs without a break,
// which stops all of them all the time. LANES_STORM=10m is how long.
func TestStorm(t *testing.T) {
	length := time.Second
	if testing.Short() {
		length = 200 * time.Millisecond
	}
	if s := os.Getenv("LANES_STORM"); s != "" {
		var err error
		length, err = time.ParseDuration(s)
		require.NoError(t, err)
	}
	kernels.CutSmall(t)
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	end := time.Now().Add(length)
	failures := make(chan string, 64)
	var left sync.WaitGroup
	calls := make([]int, 2+2*runtime.GOMAXPROCS(0))
	for g := range calls {
		left.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(g)))
			for time.Now().Before(end) {
				if s := stormy(r, 1+g%4); s != "" {
					failures <- s
					return
				}
				calls[g]++
			}
		})
	}
	left.Go(func() {
		for time.Now().Before(end) {
			runtime.GC()
		}
	})
	left.Wait()
	close(failures)
	for f := range failures {
		t.Error(f)
	}
	sum := 0
	for _, n := range calls {
		sum += n
	}
	t.Logf("%d rounds in %v, %d goroutines", sum, length, len(calls))
	require.NotZero(t, sum)
}

// stormy makes a round of calls and says what was wrong.
func stormy(r *rand.Rand, workers int) string {
	const rows, cols = 13, 21
	opt := kernels.Workers(workers)
	words := make([]string, rows*cols)
	for i := range words {
		words[i] = fmt.Sprint("word ", i) // on the heap, and nowhere else
	}
	var indices [rows * cols]int64 // on the stack
	for i := range indices {
		indices[i] = int64(r.IntN(2*cols) - cols)
	}
	at := func(i int) int { return i/cols*cols + int(indices[i]+cols)%cols }

	gathered := make([]string, rows*cols)
	if err := kernels.GatherElements(kernels.New(gathered, rows, cols), kernels.New(words, rows, cols), kernels.New(indices[:], rows, cols), 1, opt); err != nil {
		return err.Error()
	}
	for i, s := range gathered {
		if s != fmt.Sprint("word ", at(i)) {
			return fmt.Sprintf("gathered %q at %d", s, i)
		}
	}
	scattered := make([]string, rows*cols)
	if err := kernels.ScatterElementsUpdate(kernels.New(scattered, rows, cols), kernels.New(words, rows, cols), kernels.New(indices[:], rows, cols), kernels.New(gathered, rows, cols),
		1, kernels.ScatterAttrs{}, opt); err != nil {
		return err.Error()
	}
	for i, s := range scattered { // each word went back to where it came from
		if s != words[i] {
			return fmt.Sprintf("scattered %q at %d", s, i)
		}
	}

	var data [rows * cols]float32 // on the stack; a small output there would never leave its goroutine but for CutSmall
	dst, sums := make([]float32, rows*cols+r.IntN(2)), make([]float32, rows*cols+r.IntN(2))
	for i := range data {
		data[i] = float32(i)
	}
	grow(r.IntN(200)) // the stack moves
	if err := kernels.GatherElements(kernels.New(dst, rows, cols), kernels.New(data[:], rows, cols), kernels.New(indices[:], rows, cols), 1, opt); err != nil {
		return err.Error()
	}
	if err := kernels.ScatterElementsUpdate(kernels.New(sums, rows, cols), kernels.New(sums, rows, cols), kernels.New(indices[:], rows, cols), kernels.New(dst, rows, cols),
		1, kernels.ScatterAttrs{Reduction: kernels.Max}, opt); err != nil {
		return err.Error()
	}
	for i := range data {
		if dst[i] != float32(at(i)) || sums[at(i)] != float32(at(i)) {
			return fmt.Sprintf("element %d: gathered %v, largest %v", i, dst[i], sums[at(i)])
		}
	}
	reversed := make([]string, rows*cols)
	if err := kernels.StridedSlice(kernels.New(reversed, rows, cols), kernels.New(words, rows, cols),
		kernels.SliceSpec{Begin: []int64{0, 0}, End: []int64{0, 0}, Strides: []int64{-1, -1}, BeginMask: []bool{true, true}, EndMask: []bool{true, true}}, opt); err != nil {
		return err.Error()
	}
	for i, s := range reversed {
		if s != words[len(words)-1-i] {
			return fmt.Sprintf("reversed %q at %d", s, i)
		}
	}
	return ""
}
