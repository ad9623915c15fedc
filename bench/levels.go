package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	root "github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// Levels of package dispatch are compared in one run: each is a contender, and
// primitives run at it while its samples are taken.

// A setup is a way to call lanes.
type setup struct {
	level   dispatch.Level
	workers int
}

func (s setup) run(j job) error {
	defer enter(s.level)()
	return j.run(s.workers)
}

// parseLevels reads a list of levels, each of which has to be available.
func parseLevels(list string, available func(dispatch.Level) bool) ([]dispatch.Level, error) {
	levels := dispatch.Levels()
	var parsed []dispatch.Level
	for s := range strings.SplitSeq(list, ",") {
		name := strings.TrimSpace(s)
		i := slices.IndexFunc(levels, func(l dispatch.Level) bool { return l.String() == name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("%q is not one of the levels %v", name, levels)
		case !available(levels[i]):
			return nil, fmt.Errorf("%s is not available: this CPU lacks it, or this build has no bodies for it", name)
		case !slices.Contains(parsed, levels[i]):
			parsed = append(parsed, levels[i])
		}
	}
	return parsed, nil
}

// bestLevel is that of the limits, which are the machine's whatever LANES_ISA is.
func bestLevel() dispatch.Level {
	return slices.Max(slices.DeleteFunc(dispatch.Levels(), func(l dispatch.Level) bool { return !dispatch.Available(l) }))
}

// enter makes primitives run at a level, and returns a function that undoes it. The active level
// stays as it is; others get the traits that the process has found.
func enter(l dispatch.Level) (leave func()) {
	if l == dispatch.Active() {
		return func() {}
	}
	return dispatch.Use(l, dispatch.Traits())
}

// findTraits has the process measure its traits before the first enter: traits that the CPU does
// not report are measured at first use, and must not be while a level is entered.
func findTraits(entered []dispatch.Level) error {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range []spec{
		gatherF32{data: dims{64, 256}, indices: dims{64, 256}, axis: 1},
		scatterF32{data: dims{64, 256}, indices: dims{64, 256}, axis: 1, reduction: kernels.None},
	} {
		if err := s.job(rng).run(1); err != nil {
			return err
		}
	}
	const large = 1 << 20
	run := root.Plane[byte]{Data: make([]byte, 2*large), Col: 1}
	root.Copy(run, root.Plane[byte]{Data: run.Data, At: large, Col: 1}, 1, large)
	best := slices.Max(append([]dispatch.Level{dispatch.Generic}, entered...))
	if dispatch.Active() == dispatch.Generic && best != dispatch.Generic {
		// The portable bodies depend on no trait, so none was measured. Calls like those that lanes measures show them.
		const row = 64 << 10
		rows := 2 * dispatch.Near.Second / row
		gather := gatherF32{data: dims{64, 1024}, indices: dims{64, 1024}, axis: 1}.job(rng)
		to, from := root.Plane[byte]{Data: make([]byte, rows*row), Row: row, Col: 1}, root.Plane[byte]{Data: make([]byte, row), Col: 1}
		dispatch.Calibrate(dispatch.FastGather|dispatch.FastMovs, func(t dispatch.Trait) (bool, string) {
			if t == dispatch.FastMovs {
				return fasterWith(best, t, func() { root.Copy(to, from, rows, row) }, 0.8) // by a quarter, as there
			}
			return fasterWith(best, t, func() { gather.run(1) }, 1)
		})
	}
	return nil
}

// fasterWith reports whether a call at a level takes less than a share of its time with a trait. The
// least times count, since interruptions only add time.
func fasterWith(l dispatch.Level, t dispatch.Trait, call func(), share float64) (bool, string) {
	best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for range 20 {
		for i, traits := range []dispatch.Trait{dispatch.Traits() &^ t, dispatch.Traits() | t} {
			leave := dispatch.Use(l, traits)
			start := protocol.Clock()
			call()
			best[i] = min(best[i], protocol.Clock()-start)
			leave()
		}
	}
	return float64(best[1]) < share*float64(best[0]), fmt.Sprintf("measured: %v, %v without it", best[1], best[0])
}
