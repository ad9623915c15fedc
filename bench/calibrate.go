package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/dispatch"
)

// Calibration measures where the thresholds of package dispatch start to pay
// on this machine, and holds the values in use against that. It makes a call both
// ways, in turn, over a range of sizes, or with several values of an amount.

// A calibration is a run of it.
type calibration struct {
	Machine  machine   `json:"machine"`
	Date     string    `json:"date"`
	Command  string    `json:"command"`
	L2       int       `json:"l2_bytes"` // a core's share
	Findings []finding `json:"findings"`
}

// A sampler makes a call with each of some settings of a threshold, in turn,
// and returns the times of each, in ns. at is what the call is made for.
type sampler func(t threshold, c measuredCall, at int, ways []int) ([][]float64, error)

// takenWith lists the flags that -calibrate heeds.
var takenWith = []string{"calibrate", "run", "isa", "time", "json", "list"}

// checkCalibration reports which flags that were set make no sense with -calibrate.
func (o options) checkCalibration(f *flag.FlagSet) error {
	if !o.calibrate {
		return nil
	}
	var other []string
	f.Visit(func(x *flag.Flag) {
		if !slices.Contains(takenWith, x.Name) {
			other = append(other, "-"+x.Name)
		}
	})
	switch {
	case other != nil:
		return fmt.Errorf("-calibrate takes no %s", strings.Join(other, ", "))
	case len(o.levels) > 1:
		return errors.New("-calibrate takes one level of -isa: thresholds are the same for all")
	}
	return nil
}

// runCalibration measures the thresholds that are chosen and prints what it found.
func (o options) runCalibration(args []string, stdout, stderr io.Writer) error {
	l2, _ := dispatch.L2()
	var chosen []threshold
	for _, t := range thresholds(l2) {
		switch {
		case !o.run.MatchString(t.name):
		case t.times != nil && protocol.CPUTime() == 0 && !o.list: // that is half of what a wake-up costs
			fmt.Fprintf(stderr, "%s is not measured: this system has no call for processor time\n", t.name)
		default:
			chosen = append(chosen, t)
		}
	}
	if chosen == nil {
		return fmt.Errorf("-run: no threshold matches %s; -list shows them", o.run)
	}
	if o.list {
		return writeThresholds(stdout, chosen)
	}
	if err := findTraits(o.levels); err != nil {
		return err
	}
	defer enter(o.levels[0])()
	report := calibration{Machine: thisMachine(), Date: today(), Command: commandLine(args), L2: l2}
	var err error
	if report.Findings, err = calibrate(chosen, dispatch.Default, runtime.GOMAXPROCS(0), o.sample, stderr); err != nil {
		return err
	}
	return report.write(stdout, o.json)
}

// calibrate measures thresholds. One whose value in use seems to cost time is
// measured once more, and that counts: machines are noisy.
func calibrate(list []threshold, inUse dispatch.Thresholds, cores int, s sampler, log io.Writer) ([]finding, error) {
	calls := 0
	for _, t := range list {
		calls += len(t.calls)
	}
	progress := newProgress(log, calls)
	defer progress.stop()

	var findings []finding
	for _, t := range list {
		use := *t.field(&inUse)
		if t.cores > cores {
			findings = append(findings, finding{Name: t.name, InUse: use, Value: use, Skipped: fmt.Sprintf("it takes %d cores", t.cores)})
			continue
		}
		begin := func(c measuredCall) { progress.next(t.name + " " + c.name) }
		f, err := t.find(use, s, begin)
		if err == nil && f.Differs {
			f, err = t.find(use, s, func(measuredCall) {})
		}
		if err != nil {
			return nil, err
		}
		findings = append(findings, f)
	}
	return findings, nil
}

// A trial is one call, timed with several settings of a threshold.
type trial struct {
	Call    string      `json:"call"`
	At      int         `json:"at,omitempty"` // the threshold that decides on it; 0: it is one call for all amounts
	Ways    []int       `json:"settings"`
	Samples [][]float64 `json:"ns"` // of each way; the same round has the same index
}

// find times all calls of a threshold and judges the value in use by them.
func (t threshold) find(inUse int, s sampler, begin func(measuredCall)) (finding, error) {
	var trials []trial
	for _, c := range t.calls {
		begin(c)
		points := t.values
		if t.kind == amount {
			points = []int{0}
		}
		for _, at := range points {
			ways := t.ways(at, inUse)
			samples, err := s(t, c, at, ways)
			if err != nil {
				return finding{}, fmt.Errorf("%s: %s at %d: %w", t.name, c.name, at, err)
			}
			trials = append(trials, trial{c.name, at, ways, samples})
		}
	}
	return t.judge(inUse, trials), nil
}

// sample is the sampler that measures. Each result is compared with its
// definition before it is timed. A way to make the call gets a quarter of -time.
func (o options) sample(t threshold, c measuredCall, at int, ways []int) ([][]float64, error) {
	if t.times != nil {
		return t.times(o, ways), nil
	}
	defer debug.FreeOSMemory()
	setting := t.field(&dispatch.Default)
	defer func(was dispatch.Thresholds) { dispatch.Default = was }(dispatch.Default)
	if t.with != nil {
		t.with(&dispatch.Default)
	}
	rng := workload{id: t.name, variant: c.name}.rng()
	j := c.at(at).job(rng)
	level := o.levels[0]
	var output []byte
	if c.reads {
		output = j.forPeers().result
	}
	var field []*contender
	for _, w := range ways {
		*setting = w
		if err := verify(j, []setup{{level, c.workers}}, rng); err != nil {
			return nil, err
		}
		field = append(field, &contender{Kind: lanes, level: level, call: func() error {
			*setting = w
			err := j.run(c.workers)
			bytes.Count(output, separator)
			return err
		}})
	}
	if err := race(field, time.Duration(len(ways))*o.time/4); err != nil {
		return nil, err
	}
	samples := make([][]float64, len(ways))
	for i, c := range field {
		samples[i] = c.Samples
	}
	return samples, nil
}

// separator is a byte to count, so that all of an output is read.
var separator = []byte{0}

// write prints what was found, and writes the JSON.
func (c calibration) write(stdout io.Writer, jsonFile string) error {
	alone, failed := writeJSON(c, jsonFile, stdout)
	if alone {
		return failed
	}
	_, err := fmt.Fprintf(stdout, "%s\n%s\n%s\n\n%s", c.Machine, c.Date, c.Command, c.text())
	return errors.Join(err, failed)
}
