package main

import (
	"fmt"
	"io"
)

// A report is the table of what the steps have found.
type report struct {
	out io.Writer
	g   *graph
	err error // the first one
}

func (r *report) heading() {
	directed := ""
	if r.g.directed {
		directed = "directed "
	}
	_, r.err = fmt.Fprintf(r.out, "%s, %s\n\n%-12s%7s%12s%9s  %s\n",
		plural(len(r.g.names), "node"), plural(r.g.edges, directed+"edge"), "step", "rounds", "µs", "ns/arc", "found")
}

// add prints a step's row, unless something has failed. The time is that of all rounds and
// of making the plans.
func (r *report) add(s step, err error) {
	if r.err == nil {
		r.err = err
	}
	if r.err == nil {
		ns := float64(s.took.Nanoseconds())
		_, r.err = fmt.Fprintf(r.out, "%-12s%7d %11.1f %8.2f  %s\n", s.name, s.rounds, ns/1000, ns/float64(s.rounds*s.arcs), s.found)
	}
}

// plural writes a number of things.
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
