package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A graph is a list of arcs: arc e goes from node from[e] to node to[e]. An edge
// without a direction is two arcs. No two arcs are the same.
type graph struct {
	directed bool
	edges    int
	names    []string // of the nodes; nil: their numbers
	from, to []int32
	number   map[string]int32 // while they are read
}

//go:embed testdata/karate.txt
var karate []byte

//go:embed testdata/karate-sides.txt
var karateSides []byte

// load reads or makes the graph that the options ask for, and the sides of its nodes, if known.
func (o options) load() (g *graph, sides []string, err error) {
	switch {
	case o.edges > 0:
		return randomGraph(o.nodes, o.edges, o.directed), nil, nil
	case o.in == "":
		if g, err = readGraph(bytes.NewReader(karate), o.directed); err == nil {
			sides, err = g.readSides(bytes.NewReader(karateSides))
		}
		return g, sides, err
	}
	err = open(o.in, func(r io.Reader) error {
		g, err = readGraph(r, o.directed)
		return err
	})
	if err != nil || o.sides == "" {
		return g, nil, err
	}
	err = open(o.sides, func(r io.Reader) error {
		sides, err = g.readSides(r)
		return err
	})
	return g, sides, err
}

func open(name string, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := read(f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readGraph reads an edge a line: two names, and what follows them is left
// alone. Lines that start with # or % are comments.
func readGraph(r io.Reader, directed bool) (*graph, error) {
	g := &graph{directed: directed, number: map[string]int32{}}
	var arcs []uint64
	err := pairs(r, func(a, b string) error {
		if len(arcs) >= maxEdges {
			return fmt.Errorf("more than %d edges", maxEdges)
		}
		arcs = append(arcs, arc(g.node(a), g.node(b)))
		return nil
	})
	if err == nil && len(arcs) == 0 {
		err = errors.New("no edge in it")
	}
	g.normalise(arcs)
	return g, err
}

// pairs calls f with the first two words of each line that is no comment.
func pairs(r io.Reader, f func(a, b string) error) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == '%' {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 2 {
			return fmt.Errorf("line %d: want two words, not %q", n, line)
		}
		if err := f(words[0], words[1]); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// node returns the number of a node, which are counted as they are first met.
func (g *graph) node(name string) int32 {
	i, known := g.number[name]
	if !known {
		i = int32(len(g.names))
		g.number[name] = i
		g.names = append(g.names, name)
	}
	return i
}

// An arc as one number sorts by where it starts.
func arc(from, to int32) uint64 { return uint64(from)<<32 | uint64(to) }

// normalise makes the graph's arcs of a list of edges, of which some may be the same.
func (g *graph) normalise(arcs []uint64) {
	if !g.directed {
		for i, e := range arcs {
			if from, to := e>>32, e&math.MaxUint32; from > to {
				arcs[i] = to<<32 | from
			}
		}
	}
	slices.Sort(arcs)
	arcs = slices.Compact(arcs)
	g.edges = len(arcs)
	if !g.directed {
		for _, e := range arcs {
			if from, to := e>>32, e&math.MaxUint32; from != to {
				arcs = append(arcs, to<<32|from)
			}
		}
		slices.Sort(arcs)
	}
	g.from, g.to = make([]int32, len(arcs)), make([]int32, len(arcs))
	for i, e := range arcs {
		g.from[i], g.to[i] = int32(e>>32), int32(e&math.MaxUint32)
	}
}

// randomGraph has some nodes with many more edges than others, as the graphs of life have.
func randomGraph(nodes, edges int, directed bool) *graph {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func() int32 {
		x := random.Float64()
		return int32(x * x * float64(nodes))
	}
	arcs := make([]uint64, edges)
	for i := range arcs {
		arcs[i] = arc(pick(), pick())
	}
	g := &graph{directed: directed, names: make([]string, nodes)}
	for i := range g.names {
		g.names[i] = strconv.Itoa(i)
	}
	g.normalise(arcs)
	return g
}

// readSides reads a node and its side a line, and returns each node's side; "" where nothing is
// said.
func (g *graph) readSides(r io.Reader) ([]string, error) {
	sides := make([]string, len(g.names))
	err := pairs(r, func(name, side string) error {
		i, known := g.number[name]
		if !known {
			return fmt.Errorf("no node is called %q", name)
		}
		sides[i] = side
		return nil
	})
	return sides, err
}

// find returns the numbers of nodes.
func (g *graph) find(names []string) ([]int32, error) {
	found := make([]int32, len(names))
	for k, name := range names {
		i := slices.Index(g.names, name)
		if i < 0 {
			return nil, fmt.Errorf("-seeds: no node is called %q", name)
		}
		found[k] = int32(i)
	}
	if sorted := slices.Sorted(slices.Values(found)); len(slices.Compact(sorted)) < len(found) {
		return nil, fmt.Errorf("-seeds: a node twice in %s", strings.Join(names, ","))
	}
	return found, nil
}
