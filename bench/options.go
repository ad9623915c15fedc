package main

import (
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

type options struct {
	run      *regexp.Regexp
	levels   []dispatch.Level
	workers  []int
	time     time.Duration
	json     string
	list     bool
	maxRatio float64
	targets  bool
	peers    []peer // nil: none
	sweep    bool
	charts   string
	within   time.Duration // 0: no end
	began    time.Time

	calibrate bool

	report string            // a file for everything; "": none
	given  map[string]string // the flags that were set

	randomOptions
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	all := "1"
	if n := runtime.GOMAXPROCS(0); n > 1 {
		all += "," + strconv.Itoa(n)
	}
	o := options{began: time.Now()}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	pattern := f.String("run", "", "measure the workloads whose id, or id/variant, matches this `regexp`, such as 'W1$|W9'")
	workers := f.String("workers", all, "`list` of worker counts")
	isa := f.String("isa", dispatch.Active().String(), "`list` of instruction set levels, such as generic,avx512, to compare in this run")
	f.DurationVar(&o.time, "time", 2*time.Second, "measuring time per workload")
	f.StringVar(&o.json, "json", "", "write everything, samples included, to this `file`; - is standard output, in place of the table")
	f.BoolVar(&o.list, "list", false, "list the workloads and stop")
	f.Float64Var(&o.maxRatio, "max-ratio", 0, "fail if the median of a workload is more than this many `times` that of its hand-written loop, twice;\nit is for the active level, or the first of -isa if that lacks it")
	f.BoolVar(&o.targets, "targets", false, "fail if a level of -isa misses what targets.go wants of it against generic with one worker, twice")
	beside := f.Bool("peers", false, "run other libraries beside lanes; those that are missing are installed where that is possible")
	only := f.String("peer", peerNames(peers), "`list` of them, with -peers")
	f.BoolVar(&o.sweep, "sweep", false, "measure sweeps of the size and of duplicates, in place of the workloads")
	f.StringVar(&o.charts, "charts", "", "with -peers or -sweep, draw charts in this `directory`, as SVG and PNG")
	f.DurationVar(&o.within, "for", 0, "begin no other workload or call after so long, and report those that were measured; 0: measure all")
	f.BoolVar(&o.calibrate, "calibrate", false, "measure where the thresholds of package dispatch start to pay, in place of the workloads; -run chooses among them")
	f.StringVar(&o.report, "report", "", "measure everything (thresholds, random calls, the workloads at every level and beside the peers) and write it to this `file`, to be sent")
	chosen := o.randomFlags(f)
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q: no such argument", f.Arg(0))
	}
	o.given = map[string]string{}
	f.Visit(func(x *flag.Flag) { o.given[x.Name] = x.Value.String() })
	if o.report != "" {
		return o, o.checkReport()
	}
	var err error
	if o.run, err = regexp.Compile(*pattern); err != nil {
		return o, fmt.Errorf("-run: %w", err)
	}
	if o.levels, err = parseLevels(*isa, dispatch.Available); err != nil {
		return o, fmt.Errorf("-isa: %w", err)
	}
	if *beside {
		if o.peers, err = parsePeers(*only); err != nil {
			return o, fmt.Errorf("-peer: %w", err)
		}
	}
	for s := range strings.SplitSeq(*workers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 1 {
			return o, fmt.Errorf("-workers: %q is not a number of workers", s)
		}
		o.workers = append(o.workers, n)
	}
	slices.Sort(o.workers)
	o.workers = slices.Compact(o.workers)
	if err := chosen(&o); err != nil {
		return o, err
	}
	return o, o.checkCalibration(f)
}

func (o options) choose(from []workload) []workload {
	var chosen []workload
	for _, w := range from {
		if o.run.MatchString(w.id) || o.run.MatchString(w.id+"/"+w.variant) {
			chosen = append(chosen, w)
		}
	}
	return chosen
}

// over reports whether no other workload or call is measured, after so many of all, and says so.
func (o options) over(log io.Writer, done, all int) bool {
	if done == 0 || o.within == 0 || time.Since(o.began) < o.within {
		return false
	}
	fmt.Fprintf(log, "-for %v is over: %d of %d were measured\n", o.within, done, all)
	return true
}

// setups lists the ways to call lanes that are compared.
func (o options) setups() []setup {
	var all []setup
	for _, l := range o.levels {
		for _, n := range o.workers {
			all = append(all, setup{l, n})
		}
	}
	return all
}

// turns returns the options of each measurement of a workload. A sweep measures each number of
// workers by itself, because its largest tensors are in memory once for each peer.
func (o options) turns() []options {
	if !o.sweep {
		return []options{o}
	}
	var all []options
	for _, n := range o.workers {
		turn := o
		turn.workers = []int{n}
		all = append(all, turn)
	}
	return all
}

// judged returns the level that is compared with hand-written loops.
func (o options) judged() dispatch.Level {
	if l := dispatch.Active(); slices.Contains(o.levels, l) {
		return l
	}
	return o.levels[0]
}

// passes reports whether nothing that o asks for is missed.
func (o options) passes(r result) bool {
	return len(r.slowerThan(o.maxRatio, o.judged())) == 0 && (!o.targets || r.missed() == nil) &&
		(!o.cliffs || !slices.ContainsFunc(o.workerCliffs(r), o.tooSteep))
}
