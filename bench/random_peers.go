package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/lanes-go/lanes/bench/calls"
)

// Random calls, compared with the peers. Means and percentiles are over the calls that an engine
// can make: a call that only NumPy makes has no peer that is chosen for its speed.

var engines = []string{"onnxruntime", "openvino", "torch"}

const (
	clearlyFaster = 1.3
	worstShown    = 25
)

// engine reports whether one of them has the call, with no more threads than lanes.
func (v rivalry) engine() bool {
	return slices.ContainsFunc(v.contests, func(x contest) bool { return x.without == "" && slices.Contains(engines, x.name) })
}

// ratioOrMet is the ratio, or no bound where lanes is at the limit: nothing could be much faster
// there. That may be a peer's time, so calls that are a little behind one are met, too.
func (v rivalry) ratioOrMet() float64 {
	if v.Share >= nearLimit {
		return math.Inf(1)
	}
	return v.ratio()
}

func timesOrMet(ratio float64) string {
	if math.IsInf(ratio, 1) {
		return "met"
	}
	return times(ratio)
}

func (r report) randomBesidePeers() string {
	var parts []string
	for level, all := range byLevel(r.rivalries()) {
		parts = append(parts, levelTitle(level), randomOfLevel(level, all))
	}
	parts = append(parts, r.reasons())
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

func randomOfLevel(level string, all []rivalry) string {
	isa := "" // as a flag
	if level != "" {
		isa = " -isa " + level
	}
	t := newTable(slices.Concat([]string{"threads", "operator", "calls", "ratio of"}, distributionHeader, []string{"below 1", fmt.Sprint("below ", clearlyFaster)})...)
	var parts, worst []string
	for _, threads := range threadsOf(all) {
		var some, numpy []rivalry
		alone := 0
		for _, v := range all {
			switch {
			case v.Workers != threads:
			case v.engine():
				some = append(some, v)
			case v.fastest != nil:
				numpy = append(numpy, v)
			default:
				alone++
			}
		}
		row := func(name, of string, list []rivalry, ratio func(rivalry) float64) {
			if len(list) == 0 {
				return
			}
			ratios := each(list, ratio)
			below := func(most float64) string {
				n := 0
				for _, x := range ratios {
					if x < most {
						n++
					}
				}
				return percent(float64(n) / float64(len(ratios)))
			}
			t.AppendRow(append(append(table.Row{threads, name, len(list), of}, distribution(ratios, timesOrMet)...), below(1), below(clearlyFaster)))
		}
		for op, list := range byOperator(some, func(v rivalry) string { return v.operator }) {
			row(op, "medians", list, rivalry.ratio)
			row(op, "mins", list, rivalry.ratioOfMins)
		}
		row("all", "medians, at the limit: met", some, rivalry.ratioOrMet)
		those := func(is func(rivalry) bool, want bool) []rivalry {
			return slices.DeleteFunc(slices.Clone(some), func(v rivalry) bool { return is(v) != want })
		}
		isSmall := func(v rivalry) bool { return v.elements < calls.Small }
		row("large", "medians", those(isSmall, false), rivalry.ratio)
		row("small", "medians", those(isSmall, true), rivalry.ratio)
		isView := func(v rivalry) bool { return v.views }
		row("no views", "medians", those(isView, false), rivalry.ratio)
		row("no views", "medians, at the limit: met", those(isView, false), rivalry.ratioOrMet)
		row("views", "medians", those(isView, true), rivalry.ratio)
		row("NumPy alone has", "medians", numpy, rivalry.ratio)
		t.AppendSeparator()
		if alone > 0 {
			parts = append(parts, fmt.Sprintf("With %s %d calls are lanes' alone.", threadString(threads, " "), alone))
		}
		if _, near := countBelow(some, 1); near > 0 {
			parts = append(parts, fmt.Sprintf("With %s %d calls at the limit are behind a peer.", threadString(threads, " "), near))
		}

		slices.SortStableFunc(some, func(a, b rivalry) int { return cmp.Compare(a.ratio(), b.ratio()) })
		lines := []string{fmt.Sprintf("The worst with %s:", threadString(threads, " "))}
		for _, v := range some[:min(worstShown, len(some))] {
			lines = append(lines, fmt.Sprintf("%5.2f (of mins %.2f)  %s ms, %s %s, share %s  go run -C bench . -peers -call %s -workers %d%s  %s: %s",
				v.ratio(), v.ratioOfMins(), digits(v.Median/1e6), v.fastest.Name, digits(median(v.fastest.Samples)/1e6), percent(v.Share), v.id, threads, isa, v.operator, v.what))
		}
		worst = append(worst, strings.Join(lines, "\n"))
	}
	head := "The fastest peer's time over that of lanes; above 1 lanes is faster. Calls that one of " + strings.Join(engines, ", ") +
		"\nmakes; at the limit: " + percent(nearLimit) + " of it or more.\n" + t.Render()
	return strings.Join(slices.Concat([]string{head}, parts, worst), "\n\n")
}

// reasons counts why peers did not make calls.
func (r report) reasons() string {
	type reason struct{ peer, why string }
	calls := map[reason]map[string]bool{}
	for _, res := range r.Results {
		for _, c := range res.Contenders {
			if c.Kind != rival || c.Without == "" {
				continue
			}
			why := c.Without
			if strings.Contains(why, "another result") {
				why = "another result"
			} else if strings.HasPrefix(why, "failed") {
				why = "failed"
			}
			k := reason{c.Name, why}
			if calls[k] == nil {
				calls[k] = map[string]bool{}
			}
			calls[k][res.ID] = true
		}
	}
	list := slices.SortedFunc(maps.Keys(calls), func(a, b reason) int {
		return cmp.Or(cmp.Compare(orderOf(a.peer), orderOf(b.peer)), cmp.Compare(len(calls[b]), len(calls[a])), cmp.Compare(a.why, b.why))
	})
	t := newTable("peer", "why it has no time", "calls")
	for _, k := range list {
		t.AppendRow(table.Row{k.peer, k.why, len(calls[k])})
	}
	return fmt.Sprintf("Of %d calls.\n", len(r.Results)) + t.Render()
}
