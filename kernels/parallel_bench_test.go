package kernels_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// busy has a goroutine compute for some time.
func busy(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// BenchmarkHelpers prints what docs/workers.md has tables of: the time of a call, and the processor
// time that all goroutines spend on one, by what lies between calls and by how long
// helpers look for the next one.
//
//	go test ./kernels -run '^$' -bench Helpers -benchtime 2000x
func BenchmarkHelpers(b *testing.B) {
	const rows, cols = 512, 1024
	from, to := kernels.New(numbers[float32](rows*cols), rows, cols), kernels.New(make([]float32, rows*cols), rows, cols)
	indices := kernels.New(square[int64](anywhere, rows*cols/2, cols), rows/2, cols)
	gathered := kernels.New(to.Data[:rows*cols/2], rows/2, cols)
	for _, c := range []struct {
		name string
		call func(opts ...kernels.Option) error
	}{
		{"copy of 2 MiB", func(opts ...kernels.Option) error {
			return kernels.StridedSlice(to, from, kernels.SliceSpec{}, opts...)
		}},
		{"gather of 256 Ki", func(opts ...kernels.Option) error {
			return kernels.GatherElements(gathered, from, indices, 1, opts...)
		}},
	} {
		for _, gap := range []time.Duration{0, 30, 100, 300} {
			gap *= time.Microsecond
			for _, spin := range []int{-1, 0, 20, 50, 100, 200} {
				b.Run(fmt.Sprintf("call=%s/gap=%v/spin=%dµs", c.name, gap, spin), func(b *testing.B) {
					opt := kernels.Workers(2)
					if spin < 0 {
						opt = kernels.Workers(1)
					}
					defer func(was int) { dispatch.Default.WakeTime = was }(dispatch.Default.WakeTime)
					if spin == 0 {
						defer kernels.SetSpinning(kernels.SetSpinning(false))
					} else {
						dispatch.Default.WakeTime = max(spin, 1) * 1000
					}
					times := make([]time.Duration, 0, b.N)
					spent := -processorTime()
					b.ResetTimer()
					for range b.N {
						start := time.Now()
						if err := c.call(opt); err != nil {
							b.Fatal(err)
						}
						times = append(times, time.Since(start))
						busy(gap)
					}
					spent += processorTime()
					slices.Sort(times)
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, "µs/call")
					b.ReportMetric((spent-time.Duration(b.N)*gap).Seconds()*1e6/float64(b.N), "cpu-µs/call")
				})
			}
		}
	}
}
