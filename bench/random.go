package main

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/calls"
)

// Random calls measure lanes on calls that it was not tuned for. Package calls has their
// distribution.

// randomOptions are the flags for random calls.
type randomOptions struct {
	random   []calls.Call // nil: workloads are measured
	against  string       // the directory of another checkout
	minMean  float64
	cliffs   bool
	cliff    float64
	maxCliff float64
}

const randomTime = 200 * time.Millisecond // the default of -time

// randomFlags defines the flags, and returns what reads them once they are parsed.
func (o *options) randomFlags(f *flag.FlagSet) (read func(*options) error) {
	n := f.Int("random", 0, "measure this many random calls in place of the workloads, for "+randomTime.String()+" each unless -time is set")
	seed := f.Uint64("seed", 1, "of the random calls")
	ids := f.String("call", "", "measure the random calls of this `list` of ids, such as 7.123,7.200")
	size := f.String("size", "all", fmt.Sprintf("with -random: large calls, of %d elements and more, small ones, or all", calls.Small))
	of := f.String("of", "", "with -random: those whose description matches this `regexp`, such as '^GatherND.*data cut'")
	f.StringVar(&o.against, "against", "", "with -random or -call: time another checkout of lanes, in this `directory`, in turn with this one")
	f.Float64Var(&o.minMean, "min-mean", 0, "with -against: fail if the geometric mean of the other's times over this one's is below this `ratio`")
	f.BoolVar(&o.cliffs, "cliffs", false, "with -random or -call: time each call beside others that should be as fast, too")
	f.Float64Var(&o.cliff, "cliff", 3, "with -cliffs: list those that are more than this many `times` as slow")
	f.Float64Var(&o.maxCliff, "max-cliff", 0, "with -cliffs: fail if one is more than this many `times` as slow, twice")
	return func(o *options) (err error) {
		if o.random, err = randomCalls(*n, *seed, *size, *of, *ids); err != nil {
			return err
		}
		switch {
		case o.random == nil && (o.against != "" || o.cliffs):
			return errors.New("-against and -cliffs are for random calls: set -random or -call as well")
		case o.maxCliff > 0 && !o.cliffs:
			return errors.New("-max-cliff is for what -cliffs measures: set that as well")
		case o.minMean > 0 && o.against == "":
			return errors.New("-min-mean is for what -against measures: set that as well")
		case o.against != "" && (o.cliffs || o.peers != nil):
			return errors.New("-against takes no -cliffs and no -peers")
		case o.random != nil && o.given["time"] == "":
			o.time = randomTime
		}
		if o.random != nil && o.peers != nil && o.given["peer"] == "" {
			o.peers = slices.DeleteFunc(slices.Clone(peers), func(p peer) bool { return !p.draws })
		}
		return nil
	}
}

// randomCalls draws n calls of a size and a description, or those of the ids.
func randomCalls(n int, seed uint64, size, of, ids string) (drawn []calls.Call, err error) {
	if ids != "" {
		for id := range strings.SplitSeq(ids, ",") {
			c, err := calls.ByID(strings.TrimSpace(id))
			if err != nil {
				return nil, fmt.Errorf("-call: %w", err)
			}
			drawn = append(drawn, c)
		}
		return drawn, nil
	}
	if size != "large" && size != "small" && size != "all" {
		return nil, fmt.Errorf("-size: %q is not large, small or all", size)
	}
	described, err := regexp.Compile(of)
	if err != nil {
		return nil, fmt.Errorf("-of: %w", err)
	}
	for number := uint64(0); len(drawn) < n; number++ {
		if number == rarest*uint64(n) {
			return nil, fmt.Errorf("-of: %d of %d calls match %q", len(drawn), number, of)
		}
		c := calls.Draw(seed, number)
		if !described.MatchString(c.Operator + ": " + c.String()) {
			continue
		}
		if small := c.Elements() < calls.Small; size == "all" || small == (size == "small") {
			drawn = append(drawn, c)
		}
	}
	return drawn, nil
}

// rarest is how many calls are drawn for each that matches, at most.
const rarest = 10_000

// randomWorkloads makes workloads of random calls.
func randomWorkloads(drawn []calls.Call) []workload {
	var all []workload
	for _, c := range drawn {
		all = append(all, workload{id: c.ID(), call: randomSpec{c}})
	}
	return all
}
