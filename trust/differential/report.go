package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// report writes what a run found.
func (t *tally) report(w io.Writer, r *contest) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "\nlibrary")
	for _, op := range contested {
		fmt.Fprintf(table, "\t%s", op)
	}
	fmt.Fprint(table, "\tboth have an error\ncalls")
	for _, op := range contested {
		fmt.Fprintf(table, "\t%d", t.made[op])
	}
	fmt.Fprintln(table, "\t")
	for _, l := range r.libraries {
		fmt.Fprint(table, l.name)
		for _, op := range contested {
			fmt.Fprintf(table, "\t%d", t.compared[l.name][op])
		}
		fmt.Fprintf(table, "\t%d\n", t.failed[l.name])
	}
	fmt.Fprint(table, "\ncalls\tknown difference\n")
	for i, d := range r.known {
		fmt.Fprintf(table, "%d\t%s: %s\n", t.explained[i], d.library, d.name)
	}
	table.Flush()
	fmt.Fprintf(w, "\n%d calls, %d mismatches that nothing explains\n", t.total(), t.mismatches)
	for _, s := range slices.Sorted(maps.Keys(t.unknown)) {
		list := t.unknown[s]
		fmt.Fprintf(w, "\n%d times %s; the smallest is call %d of -seed %d -group %d:\n%s", len(list), s, list[0].place, r.seed, list[0].number, list[0])
	}
}

// verdict returns why a run has failed: a mismatch that no row explains, a
// library that was not asked, or in a full run a row that explained nothing.
func (t *tally) verdict(r *contest, full bool) error {
	var errs []error
	if t.mismatches > 0 {
		errs = append(errs, fmt.Errorf("%d mismatches", t.mismatches))
	}
	if r.cases > 0 && t.total() < r.cases {
		errs = append(errs, fmt.Errorf("%d calls, and not %d", t.total(), r.cases))
	}
	for _, l := range r.libraries {
		for _, op := range contested {
			if r.cases > 0 && !slices.Contains(l.lacks, op) && t.compared[l.name][op] == 0 {
				errs = append(errs, fmt.Errorf("no %s of %s was compared", op, l.name))
			}
		}
	}
	for i, d := range r.known {
		asked := slices.ContainsFunc(r.libraries, func(c contestant) bool { return c.name == d.library })
		if full && asked && t.explained[i] == 0 {
			errs = append(errs, fmt.Errorf("%s: %q has not shown: it is no longer a difference", d.library, d.name))
		}
	}
	return errors.Join(errs...)
}
