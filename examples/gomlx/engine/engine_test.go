//go:build patched

package engine

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/support/backendtest"

	"github.com/lanes-go/lanes/examples/gomlx/graph"
	"github.com/lanes-go/lanes/kernels"
)

// counting counts the calls that lanes has served.
func counting(calls *atomic.Int64) kernels.Option {
	return kernels.Observe(func(f kernels.Facts) {
		if f.Err == nil {
			calls.Add(1)
		}
	})
}

// TestCompliance runs gomlx's own tests of backends with lanes in place.
func TestCompliance(t *testing.T) {
	var calls atomic.Int64
	defer Use(counting(&calls))()
	backendtest.TestSpecialOps(t, gobackend.GetBackend()) // the gathers and scatters among them
	if calls.Load() < 3 {
		t.Fatalf("lanes has served %d calls", calls.Load())
	}
}

// TestSame runs random gathers and scatters by gomlx and by lanes, and compares all bits.
func TestSame(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var calls atomic.Int64
	for range 1000 {
		inputs, operation, changes := randomCall(r)
		own := result(t, inputs, operation, false)
		restore := Use(counting(&calls))
		for _, donate := range []bool{false, changes}[:1+r.IntN(2)] {
			if got := result(t, inputs, operation, donate); !reflect.DeepEqual(own, got) {
				t.Fatalf("gomlx %v\nlanes %v\ninputs %v", own, got, inputs)
			}
		}
		restore()
	}
	if calls.Load() < 1000 {
		t.Fatalf("lanes has served %d calls", calls.Load())
	}
}

func result(t *testing.T, inputs []graph.Input, operation func(compute.Function, []compute.Value) (compute.Value, error), donate bool) any {
	p, err := graph.Compile(gobackend.GetBackend(), inputs, operation)
	if err != nil {
		t.Fatalf("%v: %+v", inputs, err)
	}
	out, err := p.Run(donate)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := out.Data()
	if err != nil {
		t.Fatal(err)
	}
	return flat
}

// randomCall returns a gather or a scatter with random dimension numbers. changes says that the operation
// may write to its first input. Indices of a gather may be out of range, where both clamp them. A scatter
// of gomlx 0.1.4 does not check its indices, and is right for windows that are as long as the operand
// alone; the calls here have no others.
func randomCall(r *rand.Rand) (inputs []graph.Input, operation func(compute.Function, []compute.Value) (compute.Value, error), changes bool) {
	rank := 1 + r.IntN(3)
	gather := r.IntN(2) == 0
	var shape, sizes, dropped, window []int // of the operand, of windows, axes that are dropped from them, the others' sizes
	for d := range rank {
		shape = append(shape, 1+r.IntN(5))
		n := 1 + r.IntN(shape[d])
		if !gather {
			n = shape[d]
		}
		if r.IntN(2) == 0 {
			sizes, dropped = append(sizes, 1), append(dropped, d)
		} else {
			sizes, window = append(sizes, n), append(window, n)
		}
	}
	var indexed []int // the axes of the operand that the components of a vector index
	for _, d := range r.Perm(rank) {
		if slices.Contains(dropped, d) || r.IntN(2) == 0 {
			indexed = append(indexed, d)
		}
	}
	if len(indexed) == 0 {
		indexed = []int{0}
	}
	batch := make([]int, r.IntN(3))
	for d := range batch {
		batch[d] = 1 + r.IntN(4)
	}
	vector := r.IntN(len(batch) + 1)
	indices := slices.Insert(slices.Clone(batch), vector, len(indexed))
	x := make([]int32, product(indices))
	inner := product(indices[vector+1:])
	for i := range x {
		d := indexed[i/inner%len(indexed)]
		x[i] = int32(r.IntN(shape[d] - sizes[d] + 1))
		if gather && r.IntN(4) == 0 {
			x[i] = int32(r.IntN(20) - 10)
		}
	}
	output := make([]int, len(batch)+len(window))
	offset := r.Perm(len(output))[:len(window)] // the axes of windows in the output, or in the updates
	slices.Sort(offset)
	for d, o := range offset {
		output[o] = window[d]
	}
	b := 0
	for d := range output {
		if !slices.Contains(offset, d) {
			output[d] = batch[b]
			b++
		}
	}
	inputs = []graph.Input{graph.In(values(r, product(shape)), shape...), graph.In(x, indices...)}
	if gather {
		return inputs, func(f compute.Function, in []compute.Value) (compute.Value, error) {
			return f.Gather(in[0], in[1], vector, offset, dropped, indexed, sizes, false)
		}, false
	}
	inputs = append(inputs, graph.In(values(r, product(output)), output...))
	kind := r.IntN(3)
	return inputs, func(f compute.Function, in []compute.Value) (compute.Value, error) {
		scatter := [...]func(_, _, _ compute.Value, vector int, window, inserted, operand []int, sorted, unique bool) (compute.Value, error){
			f.ScatterSum, f.ScatterMin, f.ScatterMax,
		}[kind]
		return scatter(in[0], in[1], in[2], vector, offset, dropped, indexed, false, false)
	}, true
}

func product(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

func values(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = r.Float32()
	}
	return s
}
