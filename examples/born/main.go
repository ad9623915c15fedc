// Command born runs a graph network on the engine born, with its own CPU backend and with one whose
// elements are moved by lanes, holds what they compute against each other, bit for bit, and prints
// how long both take.
//
//	go run -C examples/born .
//	go run -C examples/born . -nodes 100000 -arcs 1000000 -runs 3
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/born-ml/born/backend/cpu"
	"github.com/born-ml/born/tensor"

	"github.com/lanes-go/lanes/kernels"
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
		fmt.Fprintln(stderr, "born:", err)
		return 1
	}
	return 0
}

type options struct {
	size
	runs int
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("born", flag.ContinueOnError)
	f.SetOutput(io.Discard) // run prints errors, on one line
	numbers := []struct {
		n           *int
		name        string
		value, most int
		usage       string
	}{
		{&o.nodes, "nodes", 20_000, 1 << 24, "nodes of the graph"},
		{&o.arcs, "arcs", 640_000, 1 << 28, "arcs of the graph, which inference goes along"},
		{&o.neighbours, "neighbours", 10, 1 << 10, "neighbours of a node that training looks at"},
		{&o.width, "width", 16, 1 << 12, "numbers that a node is known by"},
		{&o.layers, "layers", 3, 100, "layers of the network"},
		{&o.classes, "classes", 10, 1 << 10, "classes of nodes"},
		{&o.runs, "runs", 5, 1000, "runs that the medians are of"},
	}
	for _, n := range numbers {
		f.IntVar(n.n, n.name, n.value, n.usage)
	}
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(stdout)
		f.Usage()
	}
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	for _, n := range numbers {
		if err == nil && (*n.n < 1 || *n.n > n.most) {
			err = fmt.Errorf("-%s %d is outside 1 … %d", n.name, *n.n, n.most)
		}
	}
	return o, err
}

// An entrant is a backend with a network of its own.
type entrant struct {
	name    string
	clock   *clock
	network *network[*clock]
}

func entrants(d *dataset) []entrant {
	var all []entrant
	add := func(name string, b tensor.Backend) {
		c := newClock(b)
		all = append(all, entrant{name, c, newNetwork(c, d)})
	}
	add("born", cpu.New())
	add("lanes, 1 worker", New(kernels.Workers(1)))
	if n := runtime.GOMAXPROCS(0); n > 1 {
		add(fmt.Sprintf("lanes, %d workers", n), New())
	}
	return all
}

// show runs the network on all backends, forwards and as it is trained.
func show(o options, stdout io.Writer) error {
	d := newDataset(o.size)
	all := entrants(d)
	w := &writer{out: stdout}
	w.printf("%d nodes, %d arcs; %d layers of width %d; %d classes; medians of %d runs\n", o.nodes, o.arcs, o.layers, o.width, o.classes, o.runs)

	inference, err := compete(all, o.runs, func(n *network[*clock]) [][]byte {
		sure, taken := n.infer()
		return [][]byte{sure.Raw().Data(), taken.Raw().Data()}
	})
	if err != nil {
		return fmt.Errorf("inference: %w", err)
	}
	w.table("inference", all, inference)

	var losses []float32
	training, err := compete(all, o.runs, func(n *network[*clock]) [][]byte {
		loss := n.train(1)
		if n == all[0].network {
			losses = append(losses, loss...)
		}
		return n.state()
	})
	if err != nil {
		return fmt.Errorf("training: %w", err)
	}
	w.table("a step of training", all, training)
	w.printf("\nloss %.4f → %.4f; all outputs, and all weights after each step, are the same bit for bit\n", losses[0], losses[len(losses)-1])
	return w.err
}

// A round is what one entrant's run took.
type round struct {
	spent map[string]time.Duration // by operation
	calls map[string]int
	whole time.Duration
}

// compete has all entrants run in turn, and returns each one's rounds. It
// fails if an output is not that of the first, bit for bit.
func compete(all []entrant, runs int, f func(*network[*clock]) [][]byte) ([][]round, error) {
	rounds := make([][]round, len(all))
	for range runs {
		var want [][]byte
		for i, e := range all {
			runtime.GC() // so that nobody cleans up after another
			e.clock.reset()
			began := time.Now()
			got := f(e.network)
			took := time.Since(began)
			rounds[i] = append(rounds[i], e.clock.round(took))
			if i == 0 {
				want = got
			}
			if !slices.EqualFunc(want, got, bytes.Equal) {
				return nil, fmt.Errorf("%s and %s don't agree", all[0].name, e.name)
			}
		}
	}
	return rounds, nil
}
