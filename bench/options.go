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
)

type options struct {
	run      *regexp.Regexp
	workers  []int
	time     time.Duration
	json     string
	list     bool
	maxRatio float64
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	all := "1"
	if n := runtime.GOMAXPROCS(0); n > 1 {
		all += "," + strconv.Itoa(n)
	}
	var o options
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	pattern := f.String("run", "", "measure the workloads whose id, or id/variant, matches this `regexp`, such as 'W1$|W9'")
	workers := f.String("workers", all, "`list` of worker counts")
	f.DurationVar(&o.time, "time", 2*time.Second, "measuring time per workload")
	f.StringVar(&o.json, "json", "", "write everything, samples included, to this `file`; - is standard output, in place of the table")
	f.BoolVar(&o.list, "list", false, "list the workloads and stop")
	f.Float64Var(&o.maxRatio, "max-ratio", 0, "fail if the median of a workload is more than this many `times` that of its hand-written loop, twice")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q: no such argument", f.Arg(0))
	}
	var err error
	if o.run, err = regexp.Compile(*pattern); err != nil {
		return o, fmt.Errorf("-run: %w", err)
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
	return o, nil
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
