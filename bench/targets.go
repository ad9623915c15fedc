package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/dispatch"
)

// A target is what a level owes on a workload with one worker: to be so many
// times as fast as the generic level, or to take no longer than nearLimit allows.
type target struct {
	level   dispatch.Level
	id      string
	variant string // "": each of the workload's
	gain    float64
}

const (
	nearLimit   = 0.85 // of the limit, whatever the gain
	mustNotLose = 0.97 // 1, but for noise
)

var targets = []target{
	{dispatch.AVX512, "W1", "", 1.3},
	{dispatch.AVX512, "W2", "", 1.5},
	{dispatch.AVX512, "W4", "", 2.2},
	{dispatch.AVX512, "W6", "", 3.5},
	{dispatch.AVX512, "W7", "u8, 4096 entries", 2},
	{dispatch.AVX512, "W7", "u8, 256 entries", 3},
	{dispatch.AVX512, "W12", "", 1.2},
	{dispatch.AVX512, "W14", "", 1.4},
	{dispatch.AVX512, "W18", "", 1.8},
	{dispatch.AVX512, "W19", "", 2.5},
	{dispatch.AVX512, "W20", "", 4},

	{dispatch.AVX2, "W1", "", 1.2},
	{dispatch.AVX2, "W2", "", 1.2},
	{dispatch.AVX2, "W4", "", 1.2},
	{dispatch.AVX2, "W6", "", 1.2},
	{dispatch.AVX2, "W7", "", 1.2},
	{dispatch.AVX2, "W12", "", mustNotLose},
	{dispatch.AVX2, "W14", "", mustNotLose},
	{dispatch.AVX2, "W18", "", 1.2},
	{dispatch.AVX2, "W19", "", 1.2},
	{dispatch.AVX2, "W20", "", 1.2},
}

func (t target) appliesTo(w workload) bool {
	return t.id == w.id && (t.variant == "" || t.variant == w.variant)
}

func (t target) met(l line) bool { return l.Gain >= t.gain || l.Share >= nearLimit }

// checkTargets reports why the targets can't be checked with these options.
func (o options) checkTargets(chosen []workload) error {
	due := func(t target) bool {
		return slices.Contains(o.levels, t.level) && slices.ContainsFunc(chosen, t.appliesTo)
	}
	switch {
	case !o.targets:
		return nil
	case !slices.Contains(o.levels, dispatch.Generic):
		return errors.New("-targets: -isa lacks generic, which the others are compared with")
	case !slices.Contains(o.workers, 1):
		return errors.New("-targets: -workers lacks 1, which targets are for")
	case !slices.ContainsFunc(targets, due):
		return errors.New("-targets: there are none for these workloads and levels")
	}
	return nil
}

// missed says which targets a result misses, and by how much.
func (r result) missed() []string {
	var missed []string
	w := workload{id: r.ID, variant: r.Variant}
	for _, l := range r.Lines {
		for _, t := range targets {
			if l.Workers == 1 && l.ISA == t.level.String() && t.appliesTo(w) && !t.met(l) {
				missed = append(missed, fmt.Sprintf("%s %s: %.2f times generic, %.0f %% of the limit; wanted %.2f times, or %.0f %%",
					w.name(), l.ISA, l.Gain, 100*l.Share, t.gain, 100*nearLimit))
			}
		}
	}
	return missed
}

func (r report) missed() error {
	var missed []string
	for _, res := range r.Results {
		missed = append(missed, res.missed()...)
	}
	if missed == nil {
		return nil
	}
	return fmt.Errorf("targets missed:\n\t%s", strings.Join(missed, "\n\t"))
}
