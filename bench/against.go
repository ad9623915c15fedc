package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/lanes-go/lanes/bench/calls"
	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/dispatch"
)

// Two checkouts of lanes are timed in turn, on the same random calls. Each is
// built with the program in the folder against, and runs in a process of its own.

// A comparison is a run of it.
type comparison struct {
	Machine machine  `json:"machine"`
	Date    string   `json:"date"`
	Command string   `json:"command"`
	Against string   `json:"against"`
	Timings []timing `json:"calls"`
}

// A timing is a call with a number of workers. Times are ns a call, a round each.
type timing struct {
	ID       string     `json:"id"`
	Call     calls.Call `json:"call"`
	What     string     `json:"what"`
	Elements int        `json:"elements"`
	Workers  int        `json:"workers"`
	This     []float64  `json:"this_ns"`
	Other    []float64  `json:"other_ns"`
}

// ratio is the other's median over this one's.
func (t timing) ratio() float64 { return median(t.Other) / median(t.This) }

// ratioOfMins is the same of the least times, which others on the machine disturb less.
func (t timing) ratioOfMins() float64 { return slices.Min(t.Other) / slices.Min(t.This) }

const (
	minAgainstRounds = 4                     // one if a call takes longer than a second
	inRound          = 10 * time.Millisecond // of which the least time counts
)

// A side is a checkout that is timed.
type side struct {
	*session
	checkout     string
	program      []string
	once         time.Duration // a call
	calls, times int           // of a round
	ns           []float64
}

func (o options) runAgainst(args []string, stdout, stderr io.Writer) error {
	dir, remove, err := tempDir("lanes-against")
	if err != nil {
		return err
	}
	defer remove()
	if err := sameTraits(); err != nil {
		return err
	}
	var sides [2]*side
	for i, checkout := range []string{"..", o.against} {
		program := filepath.Join(dir, fmt.Sprint("checkout", i))
		if err := buildAgainst(checkout, program); err != nil {
			return err
		}
		sides[i] = &side{checkout: checkout, program: []string{program}}
	}

	c := comparison{Machine: thisMachine(), Date: today(), Command: commandLine(args), Against: o.against}
	progress := newProgress(stderr, len(o.random))
	for i, call := range o.random {
		if o.over(stderr, i, len(o.random)) {
			break
		}
		progress.next(call.ID())
		timings, err := o.timeCall(call, sides, filepath.Join(dir, "result"))
		if err != nil {
			progress.stop()
			return fmt.Errorf("-call %s: %s, %v: %w", call.ID(), call.Operator, call, err)
		}
		c.Timings = append(c.Timings, timings...)
	}
	progress.stop()
	if err := c.write(stdout, o.json); err != nil {
		return err
	}
	return c.belowMean(o.minMean)
}

// sameTraits has this process measure what the CPU does not say of itself, and both sides go by it:
// each alone could find something else on a busy machine.
func sameTraits() error {
	if os.Getenv("LANES_TRAITS") != "" {
		return nil
	}
	if err := findTraits(nil); err != nil {
		return err
	}
	gather, movs := "-fastgather", "-fastmovs"
	if dispatch.Has(dispatch.FastGather) {
		gather = gather[1:]
	}
	if dispatch.Has(dispatch.FastMovs) {
		movs = movs[1:]
	}
	return os.Setenv("LANES_TRAITS", gather+","+movs)
}

// buildAgainst builds the program with a checkout of lanes in place of this one.
func buildAgainst(checkout, program string) error {
	checkout, err := filepath.Abs(checkout)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(checkout, "kernels")); err != nil {
		return fmt.Errorf("-against: no checkout of lanes: %w", err)
	}
	var w workshop
	mod := program + ".mod"
	for from, to := range map[string]string{"go.mod": mod, "go.sum": program + ".sum"} {
		b, err := os.ReadFile(from)
		if err != nil {
			return fmt.Errorf("%w: run this program as go run -C bench", err)
		}
		if err := os.WriteFile(to, b, 0o666); err != nil {
			return err
		}
	}
	if err := w.run("", "go", "mod", "edit", "-replace=github.com/lanes-go/lanes="+checkout, mod); err != nil {
		return err
	}
	return w.run("", "go", "build", "-mod=mod", "-modfile="+mod, "-o", program, "./against")
}

// timeCall compares the results of the two sides for a call, and times it in two pairs of processes,
// which start in the other order: one of a pair has the luckier pages.
func (o options) timeCall(call calls.Call, sides [2]*side, file string) ([]timing, error) {
	var timings []timing
	var want []byte
	for _, workers := range o.workers {
		t := timing{call.ID(), call, call.String(), call.Elements(), workers, nil, nil}
		for turn := range sides {
			err := o.timePair(call, [...]*side{sides[turn], sides[1-turn]}, workers, file, &want)
			if err != nil {
				return nil, fmt.Errorf("%d workers: %w", workers, err)
			}
			t.This, t.Other = append(t.This, sides[0].ns...), append(t.Other, sides[1].ns...)
		}
		timings = append(timings, t)
	}
	return timings, nil
}

// turn returns which side goes first in a round, and on which core: a side that always went first on one core would
// seem faster.
func turn(round int) (first, core int) { return round % 2, round / 2 }

// timePair times both sides for half of a call's time, each as often first, and on each core, as
// the other.
func (o options) timePair(call calls.Call, sides [2]*side, workers int, file string, want *[]byte) error {
	for _, s := range sides {
		if err := s.start(); err != nil {
			return fmt.Errorf("%s: %w", s.checkout, err)
		}
		defer s.end(nil)
		got, err := s.prepare(call, workers, file)
		if err != nil {
			return fmt.Errorf("%s: %w", s.checkout, err)
		}
		if *want == nil {
			*want = got
		}
		if !bytes.Equal(got, *want) {
			return fmt.Errorf("the result of %s differs from the first", s.checkout)
		}
	}
	rounds := minAgainstRounds
	if max(sides[0].once, sides[1].once) > time.Second {
		rounds = 1
	}
	for round, start := 0, time.Now(); round == 0 || round%rounds != 0 || time.Since(start) < o.time/2; round++ {
		first, core := turn(round)
		for i := range sides {
			s := sides[(first+i)%2]
			if workers == 1 {
				moveTo(s.process.Process, core)
			}
			if err := s.sample(workers); err != nil {
				return err
			}
			moveAnywhere(s.process.Process)
		}
	}
	return nil
}

func (s *side) start() (err error) {
	s.session, err = startSession(peer{name: s.checkout}, runtime.GOMAXPROCS(0), s.program)
	return err
}

// prepare makes a side ready for a call, and returns the hash of its result.
func (s *side) prepare(call calls.Call, workers int, file string) ([]byte, error) {
	if _, err := s.ask(protocol.Request{Do: "prepare", Call: &protocol.Call{Drawn: call.ID(), Workers: workers}}); err != nil {
		return nil, err
	}
	if _, err := s.ask(protocol.Request{Do: "result", File: file}); err != nil {
		return nil, err
	}
	a, err := s.ask(protocol.Request{Do: "run", Calls: 1})
	if err != nil {
		return nil, err
	}
	s.once = max(time.Duration(a.NS), 1)
	s.calls = 1 + int(shortest/s.once)
	s.times = 1 + int(inRound/(s.once*time.Duration(s.calls)))
	s.ns = nil
	return os.ReadFile(file)
}

// sample times a round. One worker's time is that which the CPU worked for it, where the system
// tells: other programs cannot make it wait.
func (s *side) sample(workers int) error {
	a, err := s.ask(protocol.Request{Do: "run", Calls: s.calls, Times: s.times})
	if workers == 1 && a.CPU > 0 {
		a.NS = a.CPU
	}
	s.ns = append(s.ns, float64(a.NS)/float64(s.calls))
	return err
}

func (c comparison) write(stdout io.Writer, jsonFile string) error {
	alone, failed := writeJSON(c, jsonFile, stdout)
	if alone {
		return failed
	}
	_, err := fmt.Fprintf(stdout, "%s\n%s\n%s\n\nThe time of %s over this checkout's: above 1 this one is faster.\n%s\n", c.Machine, c.Date, c.Command, c.Against, c.table())
	return errors.Join(err, failed)
}

func (c comparison) table() string {
	t := newTable(append([]string{"workers", "operator", "calls", "ratio of"}, distributionHeader...)...)
	var worst strings.Builder
	for workers, timings := range byWorkers(c.Timings) {
		for op, some := range byOperator(timings, func(t timing) string { return t.Call.Operator }) {
			t.AppendRow(append(table.Row{workers, op, len(some), "medians"}, distribution(each(some, timing.ratio), times)...))
			if len(some) == len(timings) {
				t.AppendRow(append(table.Row{workers, op, len(some), "mins"}, distribution(each(some, timing.ratioOfMins), times)...))
			}
		}
		t.AppendSeparator()
		slices.SortStableFunc(timings, func(a, b timing) int { return cmp.Compare(a.ratio(), b.ratio()) })
		fmt.Fprintf(&worst, "\nThe worst with %d workers, to be repeated by -call:\n", workers)
		for _, b := range timings[:min(10, len(timings))] {
			fmt.Fprintf(&worst, "%5.2f (of mins %.2f)  %s ms, the other %s  %s  %s: %s\n", b.ratio(), b.ratioOfMins(),
				digits(median(b.This)/1e6), digits(median(b.Other)/1e6), b.ID, b.Call.Operator, b.What)
		}
	}
	return t.Render() + "\n" + worst.String()
}

// belowMean reports the geometric means that are below least, by medians and by mins.
func (c comparison) belowMean(least float64) error {
	for workers, timings := range byWorkers(c.Timings) {
		if mean := max(geometricMean(each(timings, timing.ratio)), geometricMean(each(timings, timing.ratioOfMins))); mean < least {
			return fmt.Errorf("%d workers: the geometric mean is %.3f, below %.3f", workers, mean, least)
		}
	}
	return nil
}

// byWorkers yields the timings of each number of workers, in order.
func byWorkers(all []timing) func(yield func(int, []timing) bool) {
	return func(yield func(int, []timing) bool) {
		var counts []int
		for _, b := range all {
			if !slices.Contains(counts, b.Workers) {
				counts = append(counts, b.Workers)
			}
		}
		for _, n := range counts {
			if !yield(n, slices.DeleteFunc(slices.Clone(all), func(t timing) bool { return t.Workers != n })) {
				return
			}
		}
	}
}
