package kernels_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/lanes-go/lanes/kernels"
)

// BenchmarkIndexPolicy makes the calls of bench's workloads W1, W3, W9, W12 and W16 by each policy
// in turn, on one goroutine. It reports how many times as long each took as the default, by 25th
// percentiles. With strict, negative indices are out of range. 1% and 50% are so many indices out
// of range; the others are all in range.
//
//	go test -run '^$' -bench IndexPolicy -benchtime 40x ./kernels
func BenchmarkIndexPolicy(b *testing.B) {
	type policy = kernels.IndexPolicy
	for _, w := range []struct {
		name    string
		size    int // of the indexed axis
		indices []int
		strides []int
		call    func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error
	}{
		{"W1", 4096, []int{1024, 4096}, nil, func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error {
			dst, data := kernels.New(make([]float32, 1024*4096), 1024, 4096), kernels.New(numbers[float32](1024*4096), 1024, 4096)
			return func(opts ...kernels.Option) error { return kernels.GatherElements(dst, data, x, 1, opts...) }
		}},
		{"W3", 4096, []int{4096, 1024}, nil, func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error {
			dst, data := kernels.New(make([]float32, 4096*1024), 4096, 1024), kernels.New(numbers[float32](4096*1024), 4096, 1024)
			return func(opts ...kernels.Option) error { return kernels.GatherElements(dst, data, x, 0, opts...) }
		}},
		{"W9", 100000, []int{200000, 1}, nil, func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error {
			dst, data := kernels.New(make([]float32, 200000*64), 200000, 64), kernels.New(numbers[float32](100000*64), 100000, 64)
			return func(opts ...kernels.Option) error { return kernels.GatherND(dst, data, x, 0, opts...) }
		}},
		{"W12 in place", 4096, []int{1024, 4096}, nil, func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error {
			data, updates := kernels.New(numbers[float32](1024*4096), 1024, 4096), kernels.New(numbers[float32](1024*4096), 1024, 4096)
			return func(opts ...kernels.Option) error {
				return kernels.ScatterElementsUpdate(data, data, x, updates, 1, kernels.ScatterAttrs{Reduction: kernels.Sum}, opts...)
			}
		}},
		{"W12 fresh dst", 4096, []int{1024, 4096}, nil, func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error {
			data, updates := kernels.New(numbers[float32](1024*4096), 1024, 4096), kernels.New(numbers[float32](1024*4096), 1024, 4096)
			dst := kernels.New(make([]float32, 1024*4096), 1024, 4096)
			return func(opts ...kernels.Option) error {
				return kernels.ScatterElementsUpdate(dst, data, x, updates, 1, kernels.ScatterAttrs{Reduction: kernels.Sum}, opts...)
			}
		}},
		{"W16 stride 0", 19717, []int{88648, 128}, []int{1, 0}, func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error {
			data, updates := kernels.New(numbers[float32](19717*128), 19717, 128), kernels.New(numbers[float32](88648*128), 88648, 128)
			return func(opts ...kernels.Option) error {
				return kernels.ScatterElementsUpdate(data, data, x, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Sum}, opts...)
			}
		}},
		{"W16 written out", 19717, []int{88648, 128}, nil, func(x kernels.Tensor[int64]) func(opts ...kernels.Option) error {
			data, updates := kernels.New(numbers[float32](19717*128), 19717, 128), kernels.New(numbers[float32](88648*128), 88648, 128)
			return func(opts ...kernels.Option) error {
				return kernels.ScatterElementsUpdate(data, data, x, updates, 0, kernels.ScatterAttrs{Reduction: kernels.Sum}, opts...)
			}
		}},
	} {
		rows := []struct {
			name  string
			bad   int // percent
			given bool
			policy
		}{
			{"default", 0, false, policy{}},
			{"strict-error", 0, true, policy{NegativeIsOutOfRange: true}},
			{"clamp", 0, true, policy{OutOfRange: kernels.Clamp}},
			{"strict-clamp", 0, true, policy{NegativeIsOutOfRange: true, OutOfRange: kernels.Clamp}},
			{"skip", 0, true, policy{OutOfRange: kernels.Skip}},
			{"strict-skip", 0, true, policy{NegativeIsOutOfRange: true, OutOfRange: kernels.Skip}},
			{"clamp-1%", 1, true, policy{OutOfRange: kernels.Clamp}},
			{"skip-1%", 1, true, policy{OutOfRange: kernels.Skip}},
			{"clamp-50%", 50, true, policy{OutOfRange: kernels.Clamp}},
			{"skip-50%", 50, true, policy{OutOfRange: kernels.Skip}},
		}
		b.Run(w.name, func(b *testing.B) {
			n := w.indices[0]
			if w.strides == nil {
				n *= w.indices[1]
			}
			r := rand.New(rand.NewPCG(1, 1))
			good := make([]int64, n)
			for i := range good {
				if good[i] = int64(r.IntN(w.size)); w.name == "W16 written out" {
					good[i] = good[i-i%w.indices[1]]
				}
			}
			values := map[int][]int64{0: good}
			for _, percent := range []int{1, 50} {
				values[percent] = slices.Clone(good)
				for i := range good {
					if r.IntN(100) < percent {
						values[percent][i] = int64(w.size + i%7)
					}
				}
			}
			x := kernels.Tensor[int64]{Data: make([]int64, n), Shape: w.indices, Strides: w.strides}
			call, times := w.call(x), make([][]time.Duration, len(rows))
			for range b.N {
				for i, row := range rows {
					copy(x.Data, values[row.bad])
					opts := []kernels.Option{kernels.Workers(1)}
					if row.given {
						opts = append(opts, kernels.Indices(row.policy))
					}
					start := time.Now()
					if err := call(opts...); err != nil {
						b.Fatal(err)
					}
					times[i] = append(times[i], time.Since(start))
				}
			}
			for i, row := range rows {
				slices.Sort(times[i])
				quarter := float64(times[i][b.N/4])
				if i == 0 {
					b.ReportMetric(quarter/float64(w.indices[0]*w.indices[1]), "ns-an-index")
				} else {
					b.ReportMetric(quarter/float64(times[0][b.N/4]), row.name)
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
