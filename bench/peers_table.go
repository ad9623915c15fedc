package main

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// A rivalry is a workload with a number of threads, and its peers with at most as many.
type rivalry struct {
	line
	id, name       string
	operator, what string
	elements       int
	views          bool
	sweep          *point
	fastest        *contender // of the peers, by medians; nil: none has the call
	quickest       *contender // by the least times
	contests       []contest
}

// A contest is one contender's part in a rivalry.
type contest struct {
	name        string
	without     string // why there are no times
	min, median float64
}

// small calls count apart: a call from Python alone takes some µs.
const small = 1 << 16 // elements

func (r result) name() string { return workload{id: r.ID, variant: r.Variant}.name() }

// best returns the fastest of the contenders of a kind that have samples and
// no more threads than that, by a measure of their samples.
func best(field []*contender, k kind, name string, threads int, by func([]float64) float64) *contender {
	var found *contender
	for _, c := range field {
		if c.Kind == k && (name == "" || c.Name == name) && c.Threads <= threads && c.Samples != nil &&
			(found == nil || by(c.Samples) < by(found.Samples)) {
			found = c
		}
	}
	return found
}

func (r result) rivalry(l line, names []string) rivalry {
	v := rivalry{
		line: l, id: r.ID, name: r.name(), operator: r.Operator, what: r.What, elements: r.Elements, views: r.Random != nil && r.Random.Views(), sweep: r.Sweep,
		fastest: best(r.Contenders, rival, "", l.Workers, median), quickest: best(r.Contenders, rival, "", l.Workers, slices.Min),
	}
	for _, name := range names {
		x := contest{name: name, without: "not run"}
		if c := best(r.Contenders, rival, name, l.Workers, median); c != nil {
			x = contest{name: name, min: slices.Min(c.Samples), median: median(c.Samples)}
		} else if i := slices.IndexFunc(r.Contenders, func(c *contender) bool { return c.Kind == rival && c.Name == name }); i >= 0 {
			x.without = r.Contenders[i].Without
		}
		v.contests = append(v.contests, x)
	}
	if c := best(r.Contenders, handWritten, "", 1, median); c != nil {
		v.contests = append(v.contests, contest{name: string(handWritten), min: slices.Min(c.Samples), median: median(c.Samples)})
	} else {
		v.contests = append(v.contests, contest{name: string(handWritten), without: "none"})
	}
	return v
}

// ratio is the fastest peer's median over that of lanes; 0: there is none.
func (v rivalry) ratio() float64 {
	if v.fastest == nil {
		return 0
	}
	return median(v.fastest.Samples) / v.Median
}

// ratioOfMins is the same of the least times, which others on the machine
// disturb less.
func (v rivalry) ratioOfMins() float64 {
	if v.quickest == nil {
		return 0
	}
	return slices.Min(v.quickest.Samples) / v.Min
}

// ahead is the goal of a workload, as a multiple of the fastest peer's speed; or nearLimit is.
const ahead = 1.2

// verdict says where the goal is missed, or met by the limit alone. Where a peer beats the limit, its
// time is the limit, so a workload may be near it and behind.
func (v rivalry) verdict() string {
	switch x, near := v.ratio(), v.Share >= nearLimit; {
	case x == 0, x >= ahead:
		return ""
	case x < 1 && near:
		return "behind, at the limit"
	case x < 1:
		return "behind"
	case near:
		return "at the limit"
	default:
		return fmt.Sprintf("below %.1f", ahead)
	}
}

// countBelow counts the rivalries with a ratio below some number, and those of them at the limit.
func countBelow(all []rivalry, most float64) (below, near int) {
	for _, v := range all {
		if v.ratio() < most {
			below++
			if v.Share >= nearLimit {
				near++
			}
		}
	}
	return below, near
}

func (r report) rivalries() []rivalry {
	var names []string
	for _, k := range r.Peers {
		if k.Missing == "" {
			names = append(names, k.Name)
		}
	}
	var all []rivalry
	for _, res := range r.Results {
		for _, l := range res.Lines {
			all = append(all, res.rivalry(l, names))
		}
	}
	slices.SortStableFunc(all, func(a, b rivalry) int { return cmp.Compare(a.Workers, b.Workers) })
	return all
}

// besidePeers writes the comparison with peers: who they are, the fastest for each workload, all
// figures, and the calls.
func (r report) besidePeers() string {
	parts := []string{r.whoIsThere()}
	for level, all := range byLevel(r.rivalries()) {
		parts = append(parts, levelTitle(level), overview(all), means(all), figures(all))
	}
	parts = append(parts, r.calls())
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// byLevel yields the rivalries of each level, since a mean over several is that of none. The name is ""
// if there is one level alone.
func byLevel(all []rivalry) iter.Seq2[string, []rivalry] {
	return func(yield func(string, []rivalry) bool) {
		var levels []string
		for _, v := range all {
			if !slices.Contains(levels, v.ISA) {
				levels = append(levels, v.ISA)
			}
		}
		if len(levels) < 2 {
			yield("", all)
			return
		}
		for _, l := range levels {
			if !yield(l, slices.DeleteFunc(slices.Clone(all), func(v rivalry) bool { return v.ISA != l })) {
				return
			}
		}
	}
}

func levelTitle(level string) string {
	if level == "" {
		return ""
	}
	return "LEVEL " + level
}

func (r report) whoIsThere() string {
	t := newTable("peer", "version", "")
	for _, k := range r.Peers {
		missing := ""
		if k.Missing != "" {
			missing = "MISSING: " + k.Missing
		}
		t.AppendRow(table.Row{k.Name, k.Version, missing})
	}
	return "The peers; " + pinned + ".\n" + t.Render()
}

func overview(all []rivalry) string {
	t := newTable("threads", "workload", "lanes min ms", "median ms", "fastest peer", "its min ms", "median ms", "ratio", "of mins", "limit ms", "limited by", "share", "hand-written", "")
	workers := 0
	for _, v := range all {
		if workers != 0 && workers != v.Workers {
			t.AppendSeparator()
		}
		workers = v.Workers
		row := table.Row{v.Workers, v.name, digits(v.Min / 1e6), digits(v.Median / 1e6)}
		if v.fastest == nil {
			row = append(row, "none has it", "", "", "", "")
		} else {
			name := v.fastest.Name
			if v.fastest.Threads != v.Workers {
				name += fmt.Sprintf(" (%d thread)", v.fastest.Threads)
			}
			row = append(row, name, digits(slices.Min(v.fastest.Samples)/1e6), digits(median(v.fastest.Samples)/1e6), times(v.ratio()), times(v.ratioOfMins()))
		}
		hand := ""
		if x := v.contests[len(v.contests)-1]; x.without == "" {
			hand = times(x.median / v.Median)
		}
		t.AppendRow(append(row, digits(v.Limit/1e6), v.LimitBy, percent(v.Share), hand, v.verdict()))
	}
	var right []table.ColumnConfig
	for _, column := range []int{1, 3, 4, 6, 7, 8, 9, 10, 12, 13} {
		right = append(right, table.ColumnConfig{Number: column, Align: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	return "Lanes beside the fastest peer. Ratio: its median over that of lanes; above 1 lanes is faster. Of mins: the least time of\n" +
		"any peer over that of lanes.\n" + t.Render()
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// means writes the geometric means of the ratios, large calls and small ones
// apart.
func means(all []rivalry) string {
	t := newTable("threads", "workloads", "geometric mean", "of mins", "least", "below "+fmt.Sprint(ahead), "of these at the limit", "behind", "of these at the limit")
	for _, workers := range threadsOf(all) {
		for _, apart := range []bool{false, true} {
			var some []rivalry
			for _, v := range all {
				if v.Workers == workers && (v.elements < small) == apart && v.ratio() > 0 {
					some = append(some, v)
				}
			}
			if len(some) == 0 {
				continue
			}
			label := fmt.Sprintf("%d large", len(some))
			if apart {
				label = fmt.Sprintf("%d small, below %s elements", len(some), binary(small))
			}
			below, near := countBelow(some, ahead)
			behind, behindNear := countBelow(some, 1)
			worst := slices.MinFunc(some, func(a, b rivalry) int { return cmp.Compare(a.ratio(), b.ratio()) })
			t.AppendRow(table.Row{workers, label, times(geometricMean(each(some, rivalry.ratio))), times(geometricMean(each(some, rivalry.ratioOfMins))), times(worst.ratio()) + " " + worst.name, below, near, behind, behindNear})
		}
	}
	return "Ratios together.\n" + t.Render()
}

func threadsOf(all []rivalry) []int {
	var counts []int
	for _, v := range all {
		counts = append(counts, v.Workers)
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// figures writes the times of all in one table.
func figures(all []rivalry) string {
	if len(all) == 0 {
		return ""
	}
	header := []string{"threads", "workload", "lanes"}
	for _, x := range all[0].contests {
		header = append(header, x.name)
	}
	t := newTable(header...)
	workers := 0
	for _, v := range all {
		if workers != 0 && workers != v.Workers {
			t.AppendSeparator()
		}
		workers = v.Workers
		row := table.Row{v.Workers, v.name, digits(v.Min/1e6) + " / " + digits(v.Median/1e6)}
		for _, x := range v.contests {
			cell := "–"
			switch {
			case x.without == "":
				cell = digits(x.min/1e6) + " / " + digits(x.median/1e6)
			case strings.Contains(x.without, "another result"):
				cell = "another result"
			case !strings.HasPrefix(x.without, "no such call") && x.without != "none":
				cell, _, _ = strings.Cut(x.without, ":")
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	return "Every figure: min / median ms. –: no such call. The hand-written loop has one thread, always.\n" + t.Render()
}

// calls writes which call each peer used, or why it has none, and how its
// results agree with those of lanes.
func (r report) calls() string {
	type use struct{ peer, call, agrees string }
	var uses []use
	of := map[use][]string{}
	for _, res := range r.Results {
		for _, c := range slices.SortedStableFunc(slices.Values(res.Contenders), byPeer) {
			if c.Kind != rival {
				continue
			}
			found := []use{{c.Name, c.Used, c.Agrees}}
			if c.Without != "" {
				found = []use{{c.Name, c.Without, ""}}
			}
			for _, w := range c.Wrong {
				if w != c.Without {
					found = append(found, use{c.Name, w, ""})
				}
			}
			for _, u := range found {
				if !slices.Contains(uses, u) {
					uses = append(uses, u)
				}
				if names := of[u]; len(names) == 0 || names[len(names)-1] != res.name() {
					of[u] = append(of[u], res.name())
				}
			}
		}
	}
	slices.SortStableFunc(uses, func(a, b use) int { return cmp.Compare(orderOf(a.peer), orderOf(b.peer)) })
	t := newTable("peer", "call", "result", "workloads")
	before := ""
	for _, u := range uses {
		peer := u.peer // once
		if before == peer {
			peer = ""
		} else if before != "" {
			t.AppendSeparator()
		}
		before = u.peer
		t.AppendRow(table.Row{peer, u.call, u.agrees, strings.Join(r.shorten(of[u]), "; ")})
	}
	t.SetColumnConfigs([]table.ColumnConfig{
		{Name: "call", WidthMax: 72, WidthMaxEnforcer: text.WrapSoft},
		{Name: "workloads", WidthMax: 72, WidthMaxEnforcer: text.WrapSoft},
	})
	return "The calls; of several ways to make one, the fastest was taken. Result: compared with that of lanes, element by\n" +
		"element; within: the largest difference, relative, of sums that are added in another order or type.\n" + t.Render()
}

// shorten writes the names of all of a workload's variants as its id.
func (r report) shorten(names []string) []string {
	variants := map[string][]string{}
	for _, res := range r.Results {
		if v := variants[res.ID]; !slices.Contains(v, res.name()) {
			variants[res.ID] = append(v, res.name())
		}
	}
	var short []string
	for _, res := range r.Results {
		all := variants[res.ID]
		missing := slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(names, name) })
		name := res.name()
		if !missing {
			name = res.ID
		}
		if slices.Contains(names, res.name()) && !slices.Contains(short, name) {
			short = append(short, name)
		}
	}
	return short
}
