package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

func (c *clock) round(whole time.Duration) round {
	return round{maps.Clone(c.spent), maps.Clone(c.calls), whole}
}

// A writer prints until something fails.
type writer struct {
	out io.Writer
	err error // the first one
}

func (w *writer) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format, args...)
	}
}

// table prints the median times of operations, of everything else, and of the whole.
func (w *writer) table(name string, all []entrant, rounds [][]round) {
	w.printf("\n%-22s%6s", name, "calls")
	for i, e := range all {
		w.printf("%21s", e.name)
		if i > 0 {
			w.printf("%8s", "faster")
		}
	}
	w.printf("\n")
	row := func(name, calls string, of func(round) time.Duration) {
		w.printf("%-22s%6s", name, calls)
		first := median(rounds[0], of)
		for i := range all {
			took := median(rounds[i], of)
			w.printf("%18.2f ms", float64(took.Nanoseconds())/1e6)
			if i > 0 {
				w.printf("%7.1f×", float64(first)/float64(took))
			}
		}
		w.printf("\n")
	}
	for _, op := range timed {
		if calls := rounds[0][0].calls[op]; calls > 0 {
			row(op, fmt.Sprint(calls), func(r round) time.Duration { return r.spent[op] })
		}
	}
	row("these", "", round.moved)
	row("everything else", "", func(r round) time.Duration { return r.whole - r.moved() })
	row("whole", "", func(r round) time.Duration { return r.whole })
}

// moved is the time of all operations that a clock notes.
func (r round) moved() (sum time.Duration) {
	for _, took := range r.spent {
		sum += took
	}
	return sum
}

func median(rounds []round, of func(round) time.Duration) time.Duration {
	var took []time.Duration
	for _, r := range rounds {
		took = append(took, of(r))
	}
	slices.Sort(took)
	return took[len(took)/2]
}
