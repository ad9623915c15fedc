//go:build patched

// Command table prints how long gomlx's gathers and scatters take by its own executors and by lanes.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/lanes-go/lanes/examples/gomlx/engine"
	"github.com/lanes-go/lanes/examples/gomlx/graph"
	"github.com/lanes-go/lanes/kernels"
)

type workload struct {
	name      string
	inputs    []graph.Input
	operation func(f compute.Function, x []compute.Value) (compute.Value, error)
}

// workloads are the operations as a model has them. scale divides their sizes.
func workloads(scale int) []workload {
	r := rand.New(rand.NewPCG(1, 2))
	n := func(size int) int { return max(16, size/scale) }
	floats := func(n int) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = r.Float32()
		}
		return s
	}
	indices := func(n, size int) []int32 {
		s := make([]int32, n)
		for i := range s {
			s[i] = int32(r.IntN(size))
		}
		return s
	}
	vocabulary, tokens, width := n(50_000), n(4096), 256
	side := n(1024)
	image, windows, window := n(512), n(4096), 16
	nodes, edges, features := n(20_000), n(200_000), 64
	pairs := make([]int32, 0, 2*side*side) // all coordinates of elements that one axis indexes
	for i := range side {
		for _, k := range indices(side, side) {
			pairs = append(pairs, int32(i), k)
		}
	}
	gather := func(vector int, offset, dropped, indexed, sizes []int) func(compute.Function, []compute.Value) (compute.Value, error) {
		return func(f compute.Function, x []compute.Value) (compute.Value, error) {
			return f.Gather(x[0], x[1], vector, offset, dropped, indexed, sizes, false)
		}
	}
	sum := func(vector int, window, inserted, indexed []int) func(compute.Function, []compute.Value) (compute.Value, error) {
		return func(f compute.Function, x []compute.Value) (compute.Value, error) {
			return f.ScatterSum(x[0], x[1], x[2], vector, window, inserted, indexed, false, false)
		}
	}
	return []workload{
		{fmt.Sprintf("gather, %d embeddings of %d", tokens, width),
			[]graph.Input{graph.In(floats(vocabulary*width), vocabulary, width), graph.In(indices(tokens, vocabulary), tokens, 1)},
			gather(1, []int{1}, []int{0}, []int{0}, []int{1, width})},
		{fmt.Sprintf("gather, %d × %d elements", side, side),
			[]graph.Input{graph.In(floats(side*side), side, side), graph.In(pairs, side, side, 2)},
			gather(2, nil, []int{0, 1}, []int{0, 1}, []int{1, 1})},
		{fmt.Sprintf("gather, %d windows of %d × %d", windows, window, window),
			[]graph.Input{graph.In(floats(image*image), image, image), graph.In(indices(2*windows, image), windows, 2)},
			gather(1, []int{1, 2}, nil, []int{0, 1}, []int{window, window})},
		{fmt.Sprintf("scatter-sum, %d rows of %d", edges, features),
			[]graph.Input{graph.In(make([]float32, nodes*features), nodes, features), graph.In(indices(edges, nodes), edges, 1), graph.In(floats(edges*features), edges, features)},
			sum(1, []int{1}, []int{0}, []int{0})},
		{fmt.Sprintf("scatter-sum, %d × %d elements", side, side),
			[]graph.Input{graph.In(make([]float32, side*side), side, side), graph.In(pairs, side, side, 2), graph.In(floats(side*side), side, side)},
			sum(2, nil, []int{0, 1}, []int{0, 1})},
	}
}

func main() {
	runs := flag.Int("runs", 7, "how often each way runs, in turn with the others")
	scale := flag.Int("scale", 1, "divide the sizes by this")
	flag.Parse()
	if err := table(*runs, *scale); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func table(runs, scale int) error {
	backend, err := gobackend.New("")
	if err != nil {
		return err
	}
	one := kernels.Workers(1)
	ways := []func() (restore func()){
		func() func() { return func() {} },
		func() func() { return engine.Use(one) },
		func() func() { return engine.Use() },
	}
	fmt.Printf("%-40s %12s %18s %8s %14s %8s\n", "", "gomlx", "lanes, 1 worker", "faster", "lanes", "faster")
	for _, w := range workloads(scale) {
		p, err := graph.Compile(backend, w.inputs, w.operation)
		if err != nil {
			return err
		}
		var times [3][]time.Duration
		var own any
		for i := range runs + 1 { // the first run is not counted
			for k, use := range ways {
				restore := use()
				start := time.Now()
				out, err := p.Run(false)
				took := time.Since(start)
				restore()
				if err != nil {
					return err
				}
				flat, err := out.Data()
				if err != nil {
					return err
				}
				if i == 0 {
					if k == 0 {
						own = slices.Clone(flat.([]float32))
					} else if !reflect.DeepEqual(own, flat) {
						return fmt.Errorf("%s: lanes has another result", w.name)
					}
				} else {
					times[k] = append(times[k], took)
				}
				if err := out.Finalize(); err != nil {
					return err
				}
			}
		}
		var ms [3]float64
		for k, t := range times {
			slices.Sort(t)
			ms[k] = float64(t[len(t)/2].Nanoseconds()) / 1e6
		}
		fmt.Printf("%-40s %9.2f ms %15.2f ms %7.1f× %11.2f ms %7.1f×\n", w.name, ms[0], ms[1], ms[0]/ms[1], ms[2], ms[0]/ms[2])
	}
	fmt.Println("\nall outputs are the same bit for bit")
	return nil
}
