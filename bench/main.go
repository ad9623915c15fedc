// Command bench measures the operators of package kernels on the workloads
// W1-W34, against hand-written Go loops and against what the machine allows.
// From the root of the repository:
//
//	go run -C bench .                                    all of them, a few minutes
//	go run -C bench . -run 'W1$|W9' -workers 1 -time 5s  some of them, longer
//	go run -C bench . -list                              what there is
//	go run -C bench . -json run.json                     every sample as well, for other programs
//	go run -C bench . -max-ratio 1.3                     fail if one is slower than that against its hand-written loop
//	go run -C bench . -isa generic,avx2,avx512           levels of package dispatch, timed in turn
//	go run -C bench . -isa generic,avx512 -targets       fail if one gains less over generic than targets.go wants
//	go run -C bench . -calibrate                         where the thresholds of package dispatch start to pay here
//	go run -C bench . -random 200 -seed 7                random calls in place of the workloads
//	go run -C bench . -random 200 -against DIR           the same with another checkout of lanes, timed in turn
//	go run -C bench . -report machine.json               all of this, the thresholds and the peers as one file to send
//
// Every result is compared with the operator's definition before it is timed,
// at each level. LANES_ISA caps the instruction set, as in every program that
// uses lanes; -isa may go above it.
//
// The table's limit is the time that the compulsory traffic takes at the best
// streaming rate, or the time of the random accesses: see limits.go. Share is
// the limit over the median, so 100 % is what the machine was measured to give.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
)

func main() {
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	if o.report != "" {
		return o.writeEverything(args, stdout, stderr)
	}
	if o.calibrate {
		return o.runCalibration(args, stdout, stderr)
	}
	if o.against != "" {
		return o.runAgainst(args, stdout, stderr)
	}
	chosen := o.choose(workloads)
	if o.sweep {
		chosen = o.choose(sweeps())
	}
	if o.random != nil {
		chosen = randomWorkloads(o.random)
	}
	if o.list {
		return writeList(stdout, chosen)
	}

	if err := o.checkTargets(chosen); err != nil {
		return err
	}
	if err := findTraits(o.levels); err != nil {
		return err
	}

	var c *peerSet
	if o.peers != nil {
		if c, err = newPeerSet(o.peers, o.workers, stderr); err != nil {
			return err
		}
		defer c.close()
		n := slices.Max(o.workers)
		runtime.GOMAXPROCS(min(n, runtime.GOMAXPROCS(0)))
		confine(n)
	}

	report := report{Machine: thisMachine(), Command: commandLine(args), Date: today(), cliff: o.cliff}
	if c != nil {
		report.Peers = c.known
	}
	progress := newProgress(stderr, len(chosen))
	for i, w := range chosen {
		if o.over(stderr, i, len(chosen)) {
			break
		}
		progress.next(w.name())
		for _, o := range o.turns() {
			r, err := measure(w, o, c)
			if err != nil {
				progress.stop()
				return fmt.Errorf("%s: %s, %s: %w", w.name(), w.call.operator(), w.call.what(), err)
			}
			if o.cliffs {
				if r.Cliffs, err = o.measureCliffs(w, r); err != nil {
					progress.stop()
					return fmt.Errorf("%s: %w", w.name(), err)
				}
			}
			report.Results = append(report.Results, r)
			debug.FreeOSMemory() // collects the workload's buffers, too: some have 130 MB
		}
	}
	progress.stop()

	if err := report.write(stdout, o.json); err != nil {
		return err
	}
	if err := report.draw(o.charts); err != nil {
		return err
	}
	err = errors.Join(report.slowerThan(o.maxRatio, o.judged()), report.steeperThan(o.maxCliff))
	if o.targets {
		err = errors.Join(err, report.missed())
	}
	return err
}
