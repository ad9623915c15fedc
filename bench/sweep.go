package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/lanes-go/lanes/kernels"
)

// Sweeps show how the time of a call depends on its size, and on how many of
// its indices are the same.

// A point is one call of a sweep.
type point struct {
	Name string  `json:"name"` // of the sweep
	Axis string  `json:"axis"` // what X is
	X    float64 `json:"x"`
}

// swept is a spec that is a point of a sweep.
type swept struct {
	spec
	point
}

func (w workload) sweep() point {
	s, _ := w.call.(swept)
	return s.point
}

const (
	elementsAxis   = "elements"
	duplicatesAxis = "updates to one cell"
)

// sizeSweeps are calls that move n elements, a multiple of 1024.
var sizeSweeps = []struct {
	id, name string
	call     func(n int) spec
}{
	{"S1", "GatherElements, rows of 1024", func(n int) spec {
		return gatherF32{data: dims{n / 1024, 1024}, indices: dims{n / 1024, 1024}, axis: 1}
	}},
	{"S2", "GatherElements, rank 1", func(n int) spec {
		return gatherF32{data: dims{n}, indices: dims{n}, beyondL2: 4*n > someL2}
	}},
	{"S3", "GatherND, rows of 64", func(n int) spec {
		return gatherND[f32, i64]{data: dims{n / 64, 64}, indices: dims{n / 64, 1}}
	}},
	{"S4", "ScatterElementsUpdate sum, rows of 1024", func(n int) spec {
		return scatterF32{data: dims{n / 1024, 1024}, indices: dims{n / 1024, 1024}, axis: 1, reduction: kernels.Sum}
	}},
	{"S5", "StridedSlice, every other of 2048", func(n int) spec {
		return slice[f32]{data: dims{n / 1024, 2048}, cuts: cuts{all, step(2)}}
	}},
}

const (
	smallest = 1 << 10
	largest  = 64 << 20
	someL2   = 2 << 20 // bytes
)

// duplicateSweeps are calls in which a share of the indices is one and the
// same, and the others are all different.
var duplicateSweeps = []struct {
	id, name string
	call     func(by pick) spec
}{
	{"S6", "ScatterElementsUpdate sum, 1 Mi updates, rank 1", func(by pick) spec {
		return scatterF32{data: dims{1 << 20}, indices: dims{1 << 20}, reduction: kernels.Sum, pick: by, beyondL2: true}
	}},
	{"S7", "ScatterElementsUpdate sum, rows of 1024 updates", func(by pick) spec {
		return scatterF32{data: dims{1024, 1024}, indices: dims{1024, 1024}, axis: 1, reduction: kernels.Sum, pick: by}
	}},
}

var shares = []float64{0, 0.25, 0.5, 0.75, 0.9, 0.99, 1}

func sweeps() []workload {
	var all []workload
	for _, s := range sizeSweeps {
		for n := smallest; n <= largest; n *= 4 {
			all = append(all, workload{s.id, binary(n), s.name, swept{s.call(n), point{s.name, elementsAxis, float64(n)}}})
		}
	}
	for _, s := range duplicateSweeps {
		for _, x := range shares {
			all = append(all, workload{s.id, fmt.Sprintf("%.0f %% the same", 100*x), s.name, swept{s.call(duplicates(x)), point{s.name, duplicatesAxis, x}}})
		}
	}
	return all
}

// duplicates picks a permutation for each d indices, and puts the same index
// in place of a share of it, at random.
func duplicates(share float64) pick {
	return func(rng *rand.Rand, n, d int) []int {
		x := make([]int, 0, n)
		for len(x) < n {
			x = append(x, rng.Perm(d)[:min(d, n-len(x))]...)
		}
		for i := range x {
			if rng.Float64() < share {
				x[i] = d / 2
			}
		}
		return x
	}
}

// binary writes 4096 as 4 Ki.
func binary(n int) string {
	units := []string{"", " Ki", " Mi", " Gi"}
	i := 0
	for ; n >= 1024 && n%1024 == 0; i++ {
		n /= 1024
	}
	return fmt.Sprint(n, units[i])
}
