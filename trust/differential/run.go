package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// A contest is a run: random calls, made by lanes and by libraries.
type contest struct {
	seed      uint64
	cases     int
	libraries []contestant
	known     []difference
	variants  []calls.Variant
	log       io.Writer // of how far it is
}

type contestant struct {
	peer
	library
}

// A tally is what a run found.
type tally struct {
	made       map[calls.Op]int            // calls that were compared with one library at least
	compared   map[string]map[calls.Op]int // of each library
	failed     map[string]int              // of those, on how many both had an error
	explained  []int                       // mismatches, by the differences that explain them
	unknown    map[string][]*mismatch      // by signature; the smallest is the first
	mismatches int                         // that are unknown, of the variants of lanes among themselves too
}

func newTally(known []difference) *tally {
	return &tally{made: map[calls.Op]int{}, compared: map[string]map[calls.Op]int{}, failed: map[string]int{},
		explained: make([]int, len(known)), unknown: map[string][]*mismatch{}}
}

func (t *tally) total() (n int) {
	for _, made := range t.made {
		n += made
	}
	return n
}

// batch is how many groups the libraries work on at a time.
const batch = 12

// run makes calls, group by group, until there are enough.
func (r *contest) run() (*tally, error) {
	t := newTally(r.known)
	told := 0
	for first := 0; t.total() < r.cases; first += batch {
		var groups []*group
		for n := range batch {
			if g := newGroup(r.seed, first+n); slices.ContainsFunc(r.libraries, func(l contestant) bool { return l.has(g.shared()) }) {
				groups = append(groups, g)
			}
		}
		if err := r.judge(t, groups); err != nil {
			return t, err
		}
		if t.total()-told >= r.cases/10 {
			told = t.total()
			fmt.Fprintf(r.log, "%d of %d calls, %d mismatches that nothing explains\n", told, r.cases, t.mismatches)
		}
	}
	return t, nil
}

// judge has all make the calls of groups, and counts what comes of it.
func (r *contest) judge(t *tally, groups []*group) error {
	theirs := make([][][]*outcome, len(r.libraries)) // by library, group and case; nil: not asked
	errs := make([]error, len(r.libraries))
	var all sync.WaitGroup
	for i := range r.libraries {
		theirs[i] = make([][]*outcome, len(groups))
		all.Go(func() {
			for j, g := range groups {
				if theirs[i][j], errs[i] = r.libraries[i].ask(g); errs[i] != nil {
					return
				}
			}
		})
	}
	ours := make([][]outcome, len(groups))
	for j, g := range groups {
		ours[j] = r.lanes(t, g)
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("%s: %w", r.libraries[i].name, err)
		}
	}
	for j, g := range groups {
		for k := range g.cases {
			asked := false
			for i, l := range r.libraries {
				if their := theirs[i][j][k]; their != nil {
					asked = true
					r.count(t, l.name, g, k, ours[j][k], *their)
				}
			}
			if asked {
				t.made[g.cases[k].Op]++
			}
		}
	}
	return nil
}

// ask has the library make those calls of a group that it has.
func (l contestant) ask(g *group) ([]*outcome, error) {
	outcomes := make([]*outcome, len(g.cases))
	if !l.has(g.shared()) {
		return outcomes, nil
	}
	var asked []*calls.Call
	var places []int
	for k := range g.cases {
		if c := &g.cases[k]; l.takes(c) {
			asked, places = append(asked, c), append(places, k)
		}
	}
	if asked == nil {
		return outcomes, nil
	}
	answers, err := l.answer(asked)
	if err != nil {
		return nil, err
	}
	if len(answers) != len(asked) {
		return nil, fmt.Errorf("%d answers to %d calls", len(answers), len(asked))
	}
	for i, k := range places {
		outcomes[k] = &answers[i]
	}
	return outcomes, nil
}

// lanes makes the calls of a group at every variant, which must not differ, and scatters in place,
// too.
func (r *contest) lanes(t *tally, g *group) []outcome {
	outcomes := make([]outcome, len(g.cases))
	for i, v := range r.variants {
		restore := v.Use()
		for k := range g.cases {
			c := &g.cases[k]
			o := outcomeOf(c.Run())
			if i == 0 {
				outcomes[k] = o
			}
			r.same(t, v.String(), g, k, outcomes[k], o)
			if c.Op.Scatters() {
				r.same(t, v.String()+" in place", g, k, outcomes[k], outcomeOf(c.RunInPlace()))
			}
		}
		restore()
	}
	return outcomes
}

func outcomeOf(result calls.Tensor, err error) outcome {
	switch {
	case err == nil:
		return outcome{result: result}
	case errors.Is(err, kernels.ErrIndex): // the only thing that may be wrong with a call
		return outcome{err: err.Error()}
	}
	return outcome{err: err.Error(), crashed: true}
}

// same counts a mismatch between lanes and itself, which nothing explains.
func (r *contest) same(t *tally, name string, g *group, k int, first, o outcome) {
	if first.err == o.err && !o.crashed && bytes.Equal(first.result.Data, o.result.Data) {
		return
	}
	kind, elements := compare(&g.cases[k], first, o)
	if kind != "" {
		t.add(&mismatch{"lanes at " + name, g.number, k, &g.cases[k], first, o, kind, elements})
	}
}

// count compares an outcome of a library with ours.
func (r *contest) count(t *tally, name string, g *group, k int, ours, theirs outcome) {
	c := &g.cases[k]
	if t.compared[name] == nil {
		t.compared[name] = map[calls.Op]int{}
	}
	t.compared[name][c.Op]++
	kind, elements := compare(c, ours, theirs)
	if kind == "" {
		if ours.failed() {
			t.failed[name]++
		}
		return
	}
	m := &mismatch{name, g.number, k, c, ours, theirs, kind, elements}
	rows, all := explain(r.known, m)
	if !all {
		t.add(m)
		return
	}
	for _, i := range rows {
		t.explained[i]++
	}
}

// explain returns the rows of the table that explain something of a mismatch, and
// whether they explain all of it.
func explain(known []difference, m *mismatch) (rows []int, all bool) {
	elements := m.elements
	if m.kind != differs {
		elements = []int{-1}
	}
	for _, e := range elements {
		i := slices.IndexFunc(known, func(d difference) bool {
			return d.library == m.library && slices.Contains(d.kinds, m.kind) && d.explains(m, e)
		})
		if i < 0 {
			return rows, false
		}
		if !slices.Contains(rows, i) {
			rows = append(rows, i)
		}
	}
	return rows, true
}

func (t *tally) add(m *mismatch) {
	t.mismatches++
	s := m.signature()
	list := append(t.unknown[s], m)
	if last := len(list) - 1; m.size() < list[0].size() {
		list[0], list[last] = list[last], list[0]
	}
	t.unknown[s] = list
}
