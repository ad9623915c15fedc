package main

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/dispatch"
)

// A contender is one of the things that are timed in turn.
type contender struct {
	Kind    kind      `json:"kind"`
	Name    string    `json:"name"`
	ISA     string    `json:"isa,omitempty"` // of lanes
	Threads int       `json:"threads"`
	Samples []float64 `json:"ns"` // per call

	// Of a peer.
	Used    string   `json:"used,omitempty"`    // its call
	Agrees  string   `json:"agrees,omitempty"`  // how its result agrees with that of lanes
	Without string   `json:"without,omitempty"` // why it has no samples
	Wrong   []string `json:"wrong,omitempty"`   // calls with another result, and what differed

	level   dispatch.Level // that samples are taken at
	call    func() error
	remote  func(calls int) (time.Duration, error) // in another process, in place of call
	settled func(ns float64) error                 // is told the median; nil: nobody wants it
	confine bool                                   // to one core; with more threads it has those of the process
	calls   int                                    // in a sample
	last    time.Duration                          // of a call, of those that are not remote
	spent   time.Duration
}

// A kind says what a contender is there for.
type kind string

const (
	lanes       kind = "lanes"        // what is measured
	handWritten kind = "hand-written" // what it is compared with
	streaming   kind = "streaming"    // what the machine allows
	random      kind = "random reads" // the same, in tables beyond L2
	rival       kind = "peer"         // another library
)

const (
	shortest  = 200 * time.Microsecond // a sample's length, so that the clock and its call don't count
	minRounds = 7
	maxRounds = 1000

	minLongRounds = 3               // for a peer that has had the whole time, and for calls longer than protocol.Long
	tooLong       = 3 * time.Second // for a peer's call in a sweep
)

// measure verifies a workload and times it, with the peers' if there are any. A workload that is
// slower than o.maxRatio, o.maxCliff or its targets allow is timed once more: machines are noisy.
func measure(w workload, o options, c *peerSet) (result, error) {
	rng := w.rng()
	j := w.call.job(rng)
	if err := verify(j, o.setups(), rng); err != nil {
		return result{}, err
	}
	t := j.traffic()
	field := contenders(j, t, o)
	rivals, err := c.contenders(w, j, o)
	if err != nil {
		return result{}, err
	}
	defer c.release()
	field = append(field, rivals...)
	defer forget(field)
	for again := false; ; again = true {
		if err := race(field, o.time); err != nil {
			return result{}, err
		}
		r := newResult(w, j.elements(), t, field, o.setups())
		if again || o.passes(r) {
			return r, nil
		}
	}
}

// forget drops what contenders call, and its tensors: results have the contenders until the report.
func forget(field []*contender) {
	for _, c := range field {
		c.call, c.remote, c.settled = nil, nil, nil
	}
}

// contenders lists what is timed for a job: it in each setup, its hand-written
// loop, and the rates that make its limit.
func contenders(j job, t traffic, o options) []*contender {
	var field []*contender
	for _, s := range o.setups() {
		field = append(field, &contender{
			Kind: lanes, Name: "lanes", ISA: s.level.String(), Threads: s.workers,
			level: s.level, call: func() error { return j.run(s.workers) }, confine: o.peers != nil && s.workers == 1,
		})
	}
	add := func(k kind, name string, threads int, call func() error) {
		field = append(field, &contender{Kind: k, Name: name, Threads: threads, level: bestLevel(), call: call, confine: o.peers != nil && threads == 1})
	}
	if plain := j.plain(); plain != nil {
		add(handWritten, "hand-written loop", 1, plain)
	}
	s := newStream(t)
	for _, m := range methods {
		if m.piece > methods[0].piece && t.Write < 2*m.piece {
			continue // its pieces would be no larger than the first method's
		}
		for _, n := range o.workers {
			add(streaming, m.name, n, func() error { s.pass(m, n); return nil })
		}
	}
	if b := j.table(); b > 0 {
		table := newRandomTable(b)
		for _, n := range o.workers {
			add(random, "random reads", n, func() error { table.pass(j.elements(), n); return nil })
		}
	}
	return field
}

// race takes samples of each contender in turn for about the given time, in another order each
// round: a contender that always ran after one with the same tensors in the caches would be up to
// 10 % faster. The garbage collector does not run meanwhile.
func race(field []*contender, budget time.Duration) error {
	settle := protocol.Settle
	if !slices.ContainsFunc(field, func(c *contender) bool { return c.remote != nil }) { // which have it, too
		settle = min(settle, 4*budget) // a quick look has no time for more
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, c := range field {
		if c.Samples, c.spent = nil, 0; c.Without != "" {
			continue
		}
		once, err := c.sample(1, settle)
		if err != nil {
			return err
		}
		c.calls = 1 + int(shortest/max(once, 1))
	}
	order := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	for round := range maxRounds {
		if round >= minRounds && time.Since(start) > budget {
			break
		}
		for _, i := range order.Perm(len(field)) {
			c := field[i]
			if c.Without != "" || c.spent > budget && round >= minLongRounds && (c.remote != nil || c.last > protocol.Long) {
				continue
			}
			d, err := c.sample(c.calls, settle)
			if err != nil {
				return err
			}
			if c.Without == "" {
				c.Samples = append(c.Samples, float64(d.Nanoseconds())/float64(c.calls))
				c.spent += d
			}
		}
	}
	for _, c := range field {
		if c.settled != nil && c.Samples != nil {
			if err := c.settled(median(c.Samples)); err != nil {
				c.Samples, c.Without = nil, c.Used+": "+why(err)
			}
		}
	}
	return nil
}

// sample times calls of c, after others that are not timed unless calls are long: they bring caches
// and threads into the state that calls in a row find, whatever ran before.
func (c *contender) sample(calls int, settle time.Duration) (time.Duration, error) {
	if c.remote != nil {
		d, err := c.remote(calls)
		if err != nil {
			c.Samples, c.Without = nil, why(err)
		}
		return d, nil
	}
	if c.confine {
		defer onCores(1)()
	}
	defer enter(c.level)()
	if c.last < protocol.Long {
		if err := protocol.SettleBy(c.call, settle); err != nil {
			return 0, err
		}
	}
	start := protocol.Clock()
	for range calls {
		if err := c.call(); err != nil {
			return 0, err
		}
	}
	d := protocol.Clock() - start
	c.last = d / time.Duration(calls)
	return d, nil
}

func median(samples []float64) float64 {
	s := slices.Sorted(slices.Values(samples))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
