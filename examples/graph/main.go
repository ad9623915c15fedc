// Command graph passes messages over the edges of a graph: it finds what hangs
// together, ranks the nodes as PageRank does, and splits them into factions round
// a few of them. One round of each is a gather of rows, an operation on them, and a
// scatter with a reduction.
//
//	go run ./examples/graph
//	go run ./examples/graph -in web-Google.txt -directed
//	go run ./examples/graph -random 1000000,8000000
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = show(o, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "graph:", err)
		return 1
	}
	return 0
}

// show takes a graph through the steps and prints what they find.
func show(o options, stdout io.Writer) error {
	g, sides, err := o.load()
	if err != nil {
		return err
	}
	seeds, err := g.find(o.seeds)
	if err != nil {
		return err
	}
	r := &report{out: stdout, g: g}
	r.heading()
	r.add(degrees(g))
	r.add(components(g))
	r.add(pageRank(g))
	if len(seeds) > 0 {
		r.add(factions(g, seeds, sides))
	}
	return r.err
}

// options are what the command line asks for.
type options struct {
	in, sides    string
	directed     bool
	nodes, edges int // of a random graph, if edges > 0
	seeds        []string
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("graph", flag.ContinueOnError)
	f.SetOutput(io.Discard) // run prints errors, on one line
	f.StringVar(&o.in, "in", "", "read the edges from this `file`, two names a line (default: the karate club)")
	f.BoolVar(&o.directed, "directed", false, "an edge goes from the first node to the second alone")
	f.StringVar(&o.sides, "sides", "", "read the sides that nodes took from this `file`, a name and a side a line")
	f.Func("seeds", "split the nodes round these, `a,b,…` (default: none; 1,34 in the karate club)", func(s string) error {
		o.seeds = strings.Split(s, ",")
		return nil
	})
	f.Func("random", "make a random graph of so many `nodes,edges`", func(s string) (err error) {
		o.nodes, o.edges, err = parseSizes(s)
		return err
	})
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(stdout)
		f.Usage()
	}
	switch {
	case err != nil:
	case f.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q (a graph is read with -in)", f.Arg(0))
	case o.in != "" && o.edges > 0:
		err = errors.New("-in and -random don't go together")
	case o.sides != "" && (o.in == "" || len(o.seeds) == 0):
		err = errors.New("-sides needs -in and -seeds")
	case o.in == "" && o.edges == 0 && len(o.seeds) == 0:
		o.seeds = []string{"1", "34"}
	}
	return o, err
}

// maxEdges bounds the memory that a graph can ask for.
const maxEdges = 1 << 28

func parseSizes(s string) (nodes, edges int, err error) {
	a, b, found := strings.Cut(s, ",")
	n, errN := strconv.ParseInt(a, 10, 32)
	m, errM := strconv.ParseInt(b, 10, 32)
	if !found || errN != nil || errM != nil || n < 1 || m < 1 || n > maxEdges || m > maxEdges {
		return 0, 0, fmt.Errorf("want nodes,edges, each from 1 to %d", maxEdges)
	}
	return int(n), int(m), nil
}
