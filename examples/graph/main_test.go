package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// club is the karate club.
func club(t *testing.T) (*graph, []string) {
	g, sides, err := options{}.load()
	require.NoError(t, err)
	return g, sides
}

// graphs are of every kind, by name.
func graphs(t *testing.T) map[string]*graph {
	made := map[string]*graph{
		"random":         randomGraph(300, 700, false), // some nodes are left alone
		"randomDirected": randomGraph(300, 500, true),
		"dense":          randomGraph(20, 2000, true), // nearly every arc, and arcs from a node to itself
	}
	made["karate"], _ = club(t)
	var path strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&path, i, i+1)
	}
	for name, edges := range map[string]string{
		"one":    "a b",
		"loop":   "a a",
		"twice":  "a b\nb a\n a  b 7 8\n",
		"apart":  "a b\nc d\nd e",
		"sink":   "a b\nb c\na c",
		"path":   path.String(),
		"marked": "% text\n# text\n\n  x\ty\n",
	} {
		for _, directed := range []bool{false, true} {
			g, err := readGraph(strings.NewReader(edges), directed)
			require.NoError(t, err)
			made[fmt.Sprintf("%s/directed=%v", name, directed)] = g
		}
	}
	return made
}

func TestKarate(t *testing.T) {
	g, sides := club(t)
	assert.Len(t, g.names, 34)
	assert.Equal(t, 78, g.edges)
	assert.Len(t, g.from, 2*78)

	labels, _, err := componentsOf(g)
	require.NoError(t, err)
	assert.Equal(t, make([]int32, 34), labels, "all hang together")

	// By networkx 3.6.1: pagerank(karate_club_graph(), weight=None, tol=1e-14).
	ranks, _, err := rank(g)
	require.NoError(t, err)
	for name, want := range map[string]float64{
		"34": 0.1009191823, "1": 0.0969972854, "33": 0.0716932260, "3": 0.0570785095, "2": 0.0528769241, "32": 0.0371580871, "12": 0.0095647455,
	} {
		assert.InDelta(t, want, ranks[g.number[name]], 1e-9, name)
	}

	// Zachary's own model is wrong about member 9 alone, too.
	seeds, err := g.find([]string{"1", "34"})
	require.NoError(t, err)
	of, _, err := split(g, seeds)
	require.NoError(t, err)
	known, wrong := compare(g, of, seeds, sides)
	assert.Equal(t, 34, known)
	assert.Equal(t, []string{"9"}, wrong)
}

// TestDefinitions compares with the definitions of the steps, written as
// loops, bit for bit: what a node hears is combined in the order of the arcs.
func TestDefinitions(t *testing.T) {
	for name, g := range graphs(t) {
		t.Run(name, func(t *testing.T) {
			nodes := len(g.names)
			out := make([]float64, nodes)
			for _, i := range g.from {
				out[i]++
			}
			counts, err := outDegrees(g)
			require.NoError(t, err)
			assert.Equal(t, out, counts)

			labels, rounds, err := componentsOf(g)
			require.NoError(t, err)
			assert.Equal(t, flood(g), labels)
			assert.LessOrEqual(t, rounds, 40)

			ranks, rounds, err := rank(g)
			require.NoError(t, err)
			assert.Equal(t, walk(g, out, rounds), ranks)
			total := 0.0
			for _, r := range ranks {
				total += r
			}
			assert.InDelta(t, 1, total, 1e-9)

			seeds := []int32{g.to[0]}
			if last := g.from[len(g.from)-1]; last != seeds[0] {
				seeds = append(seeds, last)
			}
			of, rounds, err := split(g, seeds)
			require.NoError(t, err)
			assert.Equal(t, spread(g, seeds, rounds), of)
		})
	}
}

// flood labels components by walking along arcs, both ways.
func flood(g *graph) []int32 {
	near := make([][]int32, len(g.names))
	for e := range g.from {
		a, b := g.from[e], g.to[e]
		near[a], near[b] = append(near[a], b), append(near[b], a)
	}
	labels := make([]int32, len(g.names))
	for i := range labels {
		labels[i] = -1
	}
	for i := range labels {
		for todo := []int32{int32(i)}; len(todo) > 0; {
			j := todo[0]
			if todo = todo[1:]; labels[j] < 0 {
				labels[j] = int32(i)
				todo = append(todo, near[j]...)
			}
		}
	}
	return labels
}

// walk is so many rounds of PageRank.
func walk(g *graph, out []float64, rounds int) []float64 {
	nodes := float64(len(g.names))
	ranks := make([]float64, len(g.names))
	for i := range ranks {
		ranks[i] = 1 / nodes
	}
	for range rounds {
		lost := 1 - damping
		for i, r := range ranks {
			if out[i] == 0 {
				lost += float64(damping * r)
			}
		}
		next := make([]float64, len(ranks))
		for i := range next {
			next[i] = lost / nodes
		}
		for e, i := range g.from {
			next[g.to[e]] += damping * ranks[i] / out[i]
		}
		ranks = next
	}
	return ranks
}

// spread is so many rounds of split, one seed at a time.
func spread(g *graph, seeds []int32, rounds int) []int {
	nodes := len(g.names)
	best, of := make([]float64, nodes), make([]int, nodes)
	for i := range of {
		of[i] = -1
	}
	for c, seed := range seeds {
		lean := make([]float64, nodes)
		lean[seed] = 1
		for range rounds {
			sum, heard := make([]float64, nodes), make([]float64, nodes)
			for e, i := range g.from {
				sum[g.to[e]] += lean[i]
				heard[g.to[e]]++
			}
			for i := range lean {
				if heard[i] > 0 {
					lean[i] = sum[i] / heard[i]
				}
			}
			for _, other := range seeds {
				lean[other] = 0
			}
			lean[seed] = 1
		}
		for i, v := range lean {
			if v > best[i] {
				best[i], of[i] = v, c
			}
		}
	}
	return of
}

func TestNormalise(t *testing.T) {
	g, err := readGraph(strings.NewReader("b a\na b\nb b\na c x\n"), false)
	require.NoError(t, err)
	assert.Equal(t, []string{"b", "a", "c"}, g.names)
	assert.Equal(t, 3, g.edges)
	assert.Equal(t, []int32{0, 0, 1, 1, 2}, g.from)
	assert.Equal(t, []int32{0, 1, 0, 2, 1}, g.to)

	g, err = readGraph(strings.NewReader("b a\na b\nb b\nb a\n"), true)
	require.NoError(t, err)
	assert.Equal(t, 3, g.edges)
	assert.Equal(t, []int32{0, 0, 1}, g.from)
	assert.Equal(t, []int32{0, 1, 0}, g.to)
}

func TestLargest(t *testing.T) {
	assert.Equal(t, []int{1, 3, 2}, largest([]float64{1, 5, 3, 5, 2, 3}, 3))
	assert.Equal(t, []int{0, 1}, largest([]float64{2, 2}, 5))
}

// try runs the program.
func try(t *testing.T, args ...string) (status int, out, complaint string) {
	t.Helper()
	var stdout, stderr strings.Builder
	require.NotPanics(t, func() { status = run(args, &stdout, &stderr) })
	return status, stdout.String(), stderr.String()
}

func write(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "input")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

// rows are the names and findings of the steps.
func rows(t *testing.T, out string) (heading string, found []string) {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Greater(t, len(lines), 3, out)
	for _, line := range lines[3:] {
		fields := strings.Fields(line)
		require.Greater(t, len(fields), 4, line)
		found = append(found, fields[0]+": "+strings.Join(fields[4:], " "))
	}
	return lines[0], found
}

func TestProgram(t *testing.T) {
	t.Run("unasked", func(t *testing.T) {
		status, out, complaint := try(t)
		require.Zero(t, status, complaint)
		assert.Empty(t, complaint)
		heading, found := rows(t, out)
		assert.Equal(t, "34 nodes, 78 edges", heading)
		assert.Equal(t, []string{
			"degrees: from 1 to 17, 4.6 on average",
			"components: 1, the largest of 34 nodes",
			"pagerank: 34 0.1009, 1 0.0970, 33 0.0717, 3 0.0571, 2 0.0529",
			"factions: 16 nodes with 1, 18 nodes with 34; 33 of 34 as it happened, but for 9",
		}, found)
	})
	t.Run("directed", func(t *testing.T) {
		edges, sides := write(t, "# a comment\na b\nb c\nd e\n"), write(t, "a left\nb left\nc right\nd right\n")
		status, out, complaint := try(t, "-in", edges, "-directed", "-seeds", "a,d", "-sides", sides)
		require.Zero(t, status, complaint)
		heading, found := rows(t, out)
		assert.Equal(t, "5 nodes, 3 directed edges", heading)
		assert.Equal(t, []string{
			"degrees: from 0 to 1, 0.6 on average",
			"components: 2, the largest of 3 nodes",
			"pagerank: c 0.3110, b 0.2236, e 0.2236, a 0.1209, d 0.1209",
			"factions: 3 nodes with a, 2 nodes with d; 3 of 4 as it happened, but for c",
		}, found)
	})
	t.Run("backwards", func(t *testing.T) { // nobody hears from c
		status, out, complaint := try(t, "-in", write(t, "a b\nb c\n"), "-directed", "-seeds", "c")
		require.Zero(t, status, complaint)
		assert.Contains(t, out, "1 node with c, 2 with none\n")
	})
	t.Run("random", func(t *testing.T) {
		status, out, complaint := try(t, "-random", "2000,5000", "-seeds", "0")
		require.Zero(t, status, complaint)
		heading, found := rows(t, out)
		assert.Regexp(t, `^2000 nodes, 49\d\d edges$`, heading)
		assert.Len(t, found, 4)
	})
	t.Run("help", func(t *testing.T) {
		status, out, complaint := try(t, "-h")
		assert.Zero(t, status)
		assert.Contains(t, out, "-random nodes,edges")
		assert.Empty(t, complaint)
	})
}

func TestBadInput(t *testing.T) {
	folder, edge := t.TempDir(), write(t, "a b\n")
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"missing", []string{"-in", filepath.Join(folder, "none.txt")}, "none.txt"},
		{"folder", []string{"-in", folder}, "directory"},
		{"empty", []string{"-in", write(t, "# nothing\n")}, "no edge in it"},
		{"half", []string{"-in", write(t, "a b\n\nc\n")}, `line 3: want two words, not "c"`},
		{"longLine", []string{"-in", write(t, strings.Repeat("a ", 1<<16))}, "too long"},
		{"argument", []string{"edges.txt"}, "-in"},
		{"both", []string{"-in", edge, "-random", "3,3"}, "don't go together"},
		{"sidesAlone", []string{"-sides", edge}, "-sides needs -in and -seeds"},
		{"sidesMissing", []string{"-in", edge, "-seeds", "a", "-sides", filepath.Join(folder, "none.txt")}, "none.txt"},
		{"sidesOfOthers", []string{"-in", edge, "-seeds", "a", "-sides", write(t, "c left\n")}, `line 1: no node is called "c"`},
		{"noSuchSeed", []string{"-seeds", "1,35"}, `no node is called "35"`},
		{"seedTwice", []string{"-seeds", "1,34,1"}, "a node twice in 1,34,1"},
		{"noSizes", []string{"-random", "7"}, "want nodes,edges"},
		{"negative", []string{"-random", "7,-1"}, "want nodes,edges"},
		{"none", []string{"-random", "0,1"}, "want nodes,edges"},
		{"tooMany", []string{"-random", "2,300000000"}, "want nodes,edges"},
		{"unknown", []string{"-x"}, "-x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, complaint := try(t, c.args...)
			assert.Equal(t, 1, status)
			assert.Empty(t, out)
			assert.Regexp(t, `^graph: [^\n]+\n$`, complaint)
			assert.Contains(t, complaint, c.want)
		})
	}
	t.Run("closedOutput", func(t *testing.T) {
		var stderr strings.Builder
		assert.Equal(t, 1, run(nil, closed{}, &stderr))
		assert.Equal(t, "graph: closed\n", stderr.String())
	})
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }
