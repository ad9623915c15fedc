package kernels_test

import (
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
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

// BenchmarkBusyProgram prints what other goroutines of a program get done beside one that makes
// calls in close succession: how many turns a second, and how long the slowest of
// a hundred takes.
//
//	go test ./kernels -run '^$' -bench BusyProgram -benchtime 1s
func BenchmarkBusyProgram(b *testing.B) {
	const rows, cols = 512, 1024
	from, to := kernels.New(numbers[float32](rows*cols), rows, cols), kernels.New(make([]float32, rows*cols), rows, cols)
	for _, program := range []struct {
		name string
		turn func(b *testing.B) func() // of a goroutine that has one after the other
	}{
		{"sums of 50 µs", func(*testing.B) func() { return func() { busy(50 * time.Microsecond) } }},
		{"messages", func(b *testing.B) func() {
			there, back := make(chan int), make(chan int)
			go func() {
				for v := range there {
					busy(5 * time.Microsecond)
					back <- v
				}
			}()
			b.Cleanup(func() { close(there) })
			return func() { there <- 1; <-back }
		}},
		{"a network", func(b *testing.B) func() {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Skip(err)
			}
			b.Cleanup(func() { l.Close() })
			go func() {
				c, err := l.Accept()
				if err == nil {
					io.Copy(c, c)
				}
			}()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { c.Close() })
			var word [8]byte
			return func() {
				if _, err := c.Write(word[:]); err == nil {
					io.ReadFull(c, word[:])
				}
			}
		}},
	} {
		for _, calls := range []struct {
			name string
			gap  time.Duration
			opts []kernels.Option
		}{
			{"none", 0, nil},
			{"one worker", 0, []kernels.Option{kernels.Workers(1)}},
			{"two, no spinning", 0, []kernels.Option{kernels.Workers(2), kernels.Spinning(false)}},
			{"two", 0, []kernels.Option{kernels.Workers(2)}},
			{"one worker", 30 * time.Microsecond, []kernels.Option{kernels.Workers(1)}},
			{"two, no spinning", 30 * time.Microsecond, []kernels.Option{kernels.Workers(2), kernels.Spinning(false)}},
			{"two", 30 * time.Microsecond, []kernels.Option{kernels.Workers(2)}},
		} {
			b.Run(fmt.Sprintf("program=%s/calls=%s/gap=%v", program.name, calls.name, calls.gap), func(b *testing.B) {
				turn := program.turn(b)
				var stop atomic.Bool
				var caller sync.WaitGroup
				made := 0
				if calls.opts != nil {
					caller.Go(func() {
						for ; !stop.Load(); made++ {
							if err := kernels.StridedSlice(to, from, kernels.SliceSpec{}, calls.opts...); err != nil {
								b.Error(err)
							}
							busy(calls.gap)
						}
					})
				}
				var times []time.Duration
				start := time.Now()
				for b.Loop() {
					begin := time.Now()
					turn()
					times = append(times, time.Since(begin))
				}
				took := time.Since(start).Seconds()
				stop.Store(true)
				caller.Wait()
				slices.Sort(times)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(len(times))/took, "turns/s")
				b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e3, "µs/turn-p99")
				b.ReportMetric(float64(made)/took, "calls/s")
			})
		}
	}
}

// BenchmarkAfterPause times the first calls after a pause of 10 ms, in which threads sleep: the
// medians of the first, second, third and ninth.
//
//	go test ./kernels -run '^$' -bench AfterPause -benchtime 200x
func BenchmarkAfterPause(b *testing.B) {
	for _, rows := range []int{60, 100, 300} {
		dst, data, x := zeros[float32](rows, 4096), kernels.New(numbers[float32](rows*8192), rows, 8192), randomTensor[int64](8192, rows, 4096)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rows=%d/workers=%d", rows, workers), func(b *testing.B) {
				var times [9][]float64
				for b.Loop() {
					time.Sleep(10 * time.Millisecond)
					for i := range times {
						begin := time.Now()
						if err := kernels.GatherElements(dst, data, x, 1, kernels.Workers(workers)); err != nil {
							b.Fatal(err)
						}
						times[i] = append(times[i], float64(time.Since(begin).Nanoseconds())/1e3)
					}
				}
				b.ReportMetric(0, "ns/op")
				for _, i := range []int{0, 1, 2, 8} {
					slices.Sort(times[i])
					b.ReportMetric(times[i][len(times[i])/2], fmt.Sprintf("µs/call-%d", i+1))
				}
			})
		}
	}
}
