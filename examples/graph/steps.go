package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/kernels"
)

// A step is what a computation over the graph has found.
type step struct {
	name   string
	found  string
	rounds int
	arcs   int // that messages went along in each round
	took   time.Duration
}

// A mesh passes messages along arcs that stay the same, so their ends are checked
// and compacted once.
type mesh[T any] struct {
	gather   *kernels.GatherPlan[T]
	scatter  *kernels.ScatterPlan[T]
	messages kernels.Tensor[T] // [arcs, columns]
}

// newMesh returns a mesh for tensors [nodes, columns]. All columns of a row take
// the same way: the ends of the arcs are indices [arcs, columns] with a stride of 0.
func newMesh[T any](nodes, columns int, from, to []int32) (*mesh[T], error) {
	data, arcs := []int{nodes, columns}, len(from)
	ends := func(of []int32) kernels.Tensor[int32] {
		return kernels.Tensor[int32]{Data: of, Shape: []int{arcs, columns}, Strides: []int{1, 0}}
	}
	gather, err := kernels.NewGatherPlan[T](data, ends(from), 0)
	if err != nil {
		return nil, err
	}
	scatter, err := kernels.NewScatterPlan[T](data, ends(to), 0)
	if err != nil {
		return nil, err
	}
	return &mesh[T]{gather, scatter, kernels.New(make([]T, arcs*columns), arcs, columns)}, nil
}

// pass sends the row of each node along its arcs and combines start with what arrives:
//
//	dst[to[e], c] = reduction(dst[to[e], c], x[from[e], c])    for every arc e
//
// dst may be x and start.
func (m *mesh[T]) pass(dst, start, x kernels.Tensor[T], attrs kernels.ScatterAttrs) error {
	if err := m.gather.Run(m.messages, x); err != nil {
		return err
	}
	return m.scatter.Run(dst, start, m.messages, attrs)
}

// outDegrees counts the arcs that leave each node: a histogram of their starts. The 1
// that each adds is a single number, seen with a stride of 0.
func outDegrees(g *graph) ([]float64, error) {
	nodes, arcs := len(g.names), len(g.from)
	counts := kernels.New(make([]float64, nodes), nodes)
	one := kernels.Tensor[float64]{Data: []float64{1}, Shape: []int{arcs}, Strides: []int{0}}
	sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
	err := kernels.ScatterElementsUpdate(counts, counts, kernels.New(g.from, arcs), one, 0, sum)
	return counts.Data, err
}

func degrees(g *graph) (step, error) {
	began := time.Now()
	counts, err := outDegrees(g)
	if err != nil {
		return step{}, err
	}
	s := step{name: "degrees", rounds: 1, arcs: len(g.from), took: time.Since(began)}
	s.found = fmt.Sprintf("from %v to %v, %.1f on average", slices.Min(counts), slices.Max(counts), float64(len(g.from))/float64(len(counts)))
	return s, nil
}

// componentsOf gives every node a label that is the same for all that hang
// together, whichever way the arcs go: the smallest number of a node among them.
//
// In each round a node takes the smallest label of its neighbours, and then the
// label of the node that its own label names, for which the labels are indices into
// themselves. So labels jump, and there are few rounds even where the way is long.
func componentsOf(g *graph) (labels []int32, rounds int, err error) {
	nodes := len(g.names)
	forth, err := newMesh[int32](nodes, 1, g.from, g.to)
	if err != nil {
		return nil, 0, err
	}
	back := forth
	if g.directed {
		if back, err = newMesh[int32](nodes, 1, g.to, g.from); err != nil {
			return nil, 0, err
		}
	}
	now, next := kernels.New(make([]int32, nodes), nodes, 1), kernels.New(make([]int32, nodes), nodes, 1)
	for i := range now.Data {
		now.Data[i] = int32(i)
	}
	least := kernels.ScatterAttrs{Reduction: kernels.Min}
	before := make([]int32, nodes)
	for {
		rounds++
		copy(before, now.Data)
		if err := forth.pass(now, now, now, least); err != nil {
			return nil, 0, err
		}
		if g.directed {
			if err := back.pass(now, now, now, least); err != nil {
				return nil, 0, err
			}
		}
		if err := kernels.GatherElements(next, now, now, 0); err != nil {
			return nil, 0, err
		}
		now, next = next, now
		if slices.Equal(now.Data, before) {
			return now.Data, rounds, nil
		}
	}
}

func components(g *graph) (step, error) {
	began := time.Now()
	labels, rounds, err := componentsOf(g)
	if err != nil {
		return step{}, err
	}
	s := step{name: "components", rounds: rounds, arcs: len(g.from), took: time.Since(began)}
	sizes := make([]int, len(labels))
	for _, label := range labels {
		sizes[label]++
	}
	count := 0
	for _, n := range sizes {
		count += min(n, 1)
	}
	s.found = fmt.Sprintf("%d, the largest of %s", count, plural(slices.Max(sizes), "node"))
	return s, nil
}

const (
	damping    = 0.85
	goodEnough = 1e-12 // how much a number may still change
	maxRounds  = 1000
)

// rank computes PageRank: where a walk along the arcs is found that at
// each step starts again anywhere with probability 1 - damping, as it does where no
// arc leaves. The ranks add up to 1.
func rank(g *graph) (ranks []float64, rounds int, err error) {
	nodes := len(g.names)
	out, err := outDegrees(g)
	if err != nil {
		return nil, 0, err
	}
	arcs, err := newMesh[float64](nodes, 1, g.from, g.to)
	if err != nil {
		return nil, 0, err
	}
	now, next := kernels.New(make([]float64, nodes), nodes, 1), kernels.New(make([]float64, nodes), nodes, 1)
	shares := kernels.New(make([]float64, nodes), nodes, 1)
	for i := range now.Data {
		now.Data[i] = 1 / float64(nodes)
	}
	everywhere := kernels.Tensor[float64]{Data: make([]float64, 1), Shape: []int{nodes, 1}, Strides: []int{0, 0}}
	sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
	for rounds < maxRounds {
		rounds++
		lost := 1 - damping
		for i, r := range now.Data {
			if out[i] == 0 {
				lost += float64(damping * r)
				continue
			}
			shares.Data[i] = damping * r / out[i]
		}
		everywhere.Data[0] = lost / float64(nodes)
		if err := arcs.pass(next, everywhere, shares, sum); err != nil {
			return nil, 0, err
		}
		change := distance(now.Data, next.Data)
		now, next = next, now
		if change < goodEnough {
			break
		}
	}
	return now.Data, rounds, nil
}

// distance is the sum of the differences.
func distance(a, b []float64) (sum float64) {
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum
}

func pageRank(g *graph) (step, error) {
	began := time.Now()
	ranks, rounds, err := rank(g)
	if err != nil {
		return step{}, err
	}
	s := step{name: "pagerank", rounds: rounds, arcs: len(g.from), took: time.Since(began)}
	var top []string
	for _, i := range largest(ranks, 5) {
		top = append(top, fmt.Sprintf("%s %.4f", g.names[i], ranks[i]))
	}
	s.found = strings.Join(top, ", ")
	return s, nil
}

// largest returns the places of the k largest values, the largest first; of
// equal ones the first.
func largest(values []float64, k int) []int {
	var top []int
	for i, v := range values {
		at := len(top)
		for at > 0 && values[top[at-1]] < v {
			at--
		}
		if at < k {
			top = slices.Insert(top, at, i)
			top = top[:min(len(top), k)]
		}
	}
	return top
}

// split gives every node its seed, a place in seeds; -1 where no arcs lead to it from any.
//
// A row [nodes, seeds] says how much a node leans to each seed. Seeds lean to
// themselves, whatever happens, and in each round all others take the mean of those
// whose arcs lead to them, until nothing changes. What counts is the larger number.
func split(g *graph, seeds []int32) (factions []int, rounds int, err error) {
	nodes, k := len(g.names), len(seeds)
	arcs, err := newMesh[float64](nodes, k, g.from, g.to)
	if err != nil {
		return nil, 0, err
	}
	lean, next := kernels.New(make([]float64, nodes*k), nodes, k), kernels.New(make([]float64, nodes*k), nodes, k)
	own := kernels.New(make([]float64, k*k), k, k)
	for c := range k {
		own.Data[c*k+c] = 1
	}
	rows := kernels.Tensor[int32]{Data: seeds, Shape: []int{k, k}, Strides: []int{1, 0}}
	if err := kernels.ScatterElementsUpdate(lean, lean, rows, own, 0, kernels.ScatterAttrs{}); err != nil {
		return nil, 0, err
	}
	// A node that hears from nobody stays as it is.
	mean := kernels.ScatterAttrs{Reduction: kernels.Mean, IgnoreInit: true}
	for rounds < maxRounds {
		rounds++
		if err := arcs.pass(next, lean, lean, mean); err != nil {
			return nil, 0, err
		}
		if err := kernels.ScatterElementsUpdate(next, next, rows, own, 0, kernels.ScatterAttrs{}); err != nil {
			return nil, 0, err
		}
		change := distance(lean.Data, next.Data)
		lean, next = next, lean
		if change < goodEnough {
			break
		}
	}
	factions = make([]int, nodes)
	for i := range factions {
		row := lean.Data[i*k:][:k]
		factions[i] = slices.Index(row, slices.Max(row))
		if row[factions[i]] == 0 {
			factions[i] = -1
		}
	}
	return factions, rounds, nil
}

// factions splits the graph and compares with the sides that the nodes took, where they are known.
func factions(g *graph, seeds []int32, sides []string) (step, error) {
	began := time.Now()
	of, rounds, err := split(g, seeds)
	if err != nil {
		return step{}, err
	}
	s := step{name: "factions", rounds: rounds, arcs: len(g.from), took: time.Since(began)}
	sizes := make([]int, len(seeds)+1)
	for _, c := range of {
		sizes[1+c]++
	}
	var found []string
	for c, seed := range seeds {
		found = append(found, fmt.Sprintf("%s with %s", plural(sizes[1+c], "node"), g.names[seed]))
	}
	if sizes[0] > 0 {
		found = append(found, fmt.Sprintf("%d with none", sizes[0]))
	}
	s.found = strings.Join(found, ", ")
	if sides != nil {
		known, wrong := compare(g, of, seeds, sides)
		s.found += fmt.Sprintf("; %d of %d as it happened", known-len(wrong), known)
		if n := len(wrong); n > 0 && n <= 5 {
			s.found += ", but for " + strings.Join(wrong, ", ")
		}
	}
	return s, nil
}

// compare says of how many nodes the side is known, and which of them are in
// a faction whose seed took another.
func compare(g *graph, of []int, seeds []int32, sides []string) (known int, wrong []string) {
	for i, side := range sides {
		if side == "" {
			continue
		}
		known++
		if c := of[i]; c < 0 || sides[seeds[c]] != side {
			wrong = append(wrong, g.names[i])
		}
	}
	return known, wrong
}
