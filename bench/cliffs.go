package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/calls"
)

// A cliff is how much slower a call is than another that should be as fast.
type cliff struct {
	Than    string  `json:"than"`
	Workers int     `json:"workers"`
	NS      float64 `json:"ns_per_element"`
	Other   float64 `json:"other_ns_per_element"`
	Times   float64 `json:"times"`
}

// The calls that a call is held against.
const (
	thanWide       = "longest axis innermost"
	thanOne        = "one worker"
	thanNil        = "nil strides"
	thanWrittenOut = "strides written out"
	thanForward    = "no negative steps"
)

// explained says why random calls, by their ids, are more than three times as slow as those that they
// are held against. CI has those of seed 1.
var explained = map[[2]string]string{
	{"1.44", thanWide}:     "cells of far rows are set one by one, where the other call sets whole rows",
	{"1.72", thanForward}:  "64 rows of 5 bytes, a plane after the other, where the other call copies each plane at once",
	{"1.111", thanForward}: "each row of 16 bytes is reversed, where the other call copies everything at once",
	{"1.147", thanWide}:    "12 of 64 bytes are read, and a cache line for them, where the other call copies three long rows",
}

// measureCliffs compares the time of a call, which has been measured, with the times of similar
// calls.
func (o options) measureCliffs(w workload, r result) ([]cliff, error) {
	c := w.call.(randomSpec).Call
	found := o.workerCliffs(r)
	hold := func(than string, other calls.Call, ok bool) error {
		if !ok {
			return nil
		}
		steep, err := o.holdAgainst(than, c, other)
		if err == nil && slices.ContainsFunc(steep, o.tooSteep) {
			var again []cliff
			again, err = o.holdAgainst(than, c, other)
			for i, x := range again { // the same one has to be steep twice
				if x.Times < steep[i].Times {
					steep[i] = x
				}
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %v: %w", than, other, err)
		}
		found = append(found, steep...)
		return nil
	}
	other, ok := c.OtherStrides()
	than := thanWrittenOut
	if c.Strides == calls.WrittenStrides {
		than = thanNil
	}
	if err := hold(than, other, ok); err != nil || !ok || c.Elements() < calls.Small {
		return found, err
	}
	other, ok = c.Forward()
	if err := hold(thanForward, other, ok); err != nil {
		return nil, err
	}
	other, ok = c.Wide()
	return found, hold(thanWide, other, ok)
}

func (o options) tooSteep(x cliff) bool { return o.maxCliff > 0 && x.Times > o.maxCliff }

// workerCliffs holds the most workers against one.
func (o options) workerCliffs(r result) []cliff {
	var one, most *line
	for i := range r.Lines {
		if l := &r.Lines[i]; l.ISA == o.judged().String() {
			if l.Workers == 1 {
				one = l
			}
			if most == nil || l.Workers > most.Workers {
				most = l
			}
		}
	}
	if one == nil || most == one {
		return nil
	}
	n := float64(r.Elements)
	return []cliff{{thanOne, most.Workers, most.Min / n, one.Min / n, most.Min / one.Min}}
}

// holdAgainst times two calls in turn. Their results are checked as any other's.
func (o options) holdAgainst(than string, c, other calls.Call) ([]cliff, error) {
	var field []*contender
	for _, call := range []calls.Call{c, other} {
		j := randomSpec{call}.job(nil)
		if err := verify(j, o.setups(), nil); err != nil {
			return nil, err
		}
		for _, n := range o.workers {
			field = append(field, &contender{Kind: lanes, Threads: n, level: o.judged(), call: func() error { return j.run(n) }})
		}
	}
	if err := race(field, o.time/4); err != nil {
		return nil, err
	}
	var found []cliff
	for i, n := range o.workers {
		ns := slices.Min(field[i].Samples) / float64(c.Elements())
		others := slices.Min(field[len(o.workers)+i].Samples) / float64(other.Elements())
		found = append(found, cliff{than, n, ns, others, ns / others})
	}
	return found, nil
}

// A place is a cliff and the call that it is in.
type place struct {
	cliff
	result
}

// steep lists the cliffs of more than some times, the steepest first.
func (r report) steep(more float64) []place {
	var all []place
	for _, res := range r.Results {
		for _, x := range res.Cliffs {
			if x.Times > more {
				all = append(all, place{x, res})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.Times, a.Times) })
	return all
}

func (p place) String() string {
	workers := "1 worker"
	if p.Workers > 1 {
		workers = fmt.Sprint(p.Workers, " workers")
	}
	why := ""
	if because := p.explanation(); because != "" {
		why = "\n\t" + because
	}
	return fmt.Sprintf("%.1f times %s: %s ns an element, not %s, %s  %s  %s: %s%s",
		p.Times, p.Than, digits(p.NS), digits(p.Other), workers, p.ID, p.Operator, p.What, why)
}

func (p place) explanation() string { return explained[[2]string{p.ID, p.Than}] }

func (r report) steeperThan(most float64) error {
	if most <= 0 {
		return nil
	}
	var lines []string
	for _, p := range r.steep(most) {
		if p.explanation() == "" {
			lines = append(lines, p.String())
		}
	}
	if lines == nil {
		return nil
	}
	return fmt.Errorf("cliffs of more than %v times:\n\t%s", most, strings.Join(lines, "\n\t"))
}
