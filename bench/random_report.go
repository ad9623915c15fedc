package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/lanes-go/lanes/bench/calls"
)

// ofRandomCalls writes how near random calls come to their limits, and their cliffs.
func (r report) ofRandomCalls() string {
	t := newTable(append([]string{"isa", "workers", "operator", "calls"}, distributionHeader...)...)
	var worst strings.Builder
	for _, s := range r.Results[0].Lines {
		var all []timed
		for _, res := range r.Results {
			for _, l := range res.Lines {
				if l.ISA == s.ISA && l.Workers == s.Workers {
					all = append(all, timed{l, res})
				}
			}
		}
		for op, some := range byOperator(all, func(p timed) string { return p.Operator }) {
			t.AppendRow(append(table.Row{s.ISA, s.Workers, op, len(some)}, distribution(each(some, timed.share), percent)...))
		}
		small := slices.DeleteFunc(slices.Clone(all), func(p timed) bool { return p.Elements >= calls.Small })
		if len(small) > 0 {
			t.AppendRow(append(table.Row{s.ISA, s.Workers, fmt.Sprintf("below %s elements", binary(calls.Small)), len(small)}, distribution(each(small, timed.share), percent)...))
		}
		t.AppendSeparator()
		slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.Share, b.Share) })
		fmt.Fprintf(&worst, "\n\nThe furthest from the limit, %s, %d workers; -call repeats them:\n", s.ISA, s.Workers)
		for _, p := range all[:min(10, len(all))] {
			fmt.Fprintf(&worst, "%6s  %s ms  %s  %s: %s\n", percent(p.Share), digits(p.Median/1e6), p.ID, p.Operator, p.What)
		}
	}
	parts := []string{"The share of the limit.\n" + t.Render() + strings.TrimRight(worst.String(), "\n")}
	if cliffs := r.steep(r.cliff); cliffs != nil {
		parts = append(parts, fmt.Sprintf("The cliffs of more than %v times.", r.cliff))
		for _, p := range cliffs {
			parts[len(parts)-1] += "\n" + p.String()
		}
	}
	return strings.Join(parts, "\n\n")
}

// A timed is a line and the call that it is of.
type timed struct {
	line
	result
}

func (t timed) share() float64 { return t.Share }
