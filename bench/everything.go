package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/dispatch"
)

// everything is all that can be measured of a machine, as one file: what -calibrate, random calls, and the
// workloads at every level and beside the peers write with -json.
type everything struct {
	Machine    machine             `json:"machine"`
	Date       string              `json:"date"`
	Command    string              `json:"command"`
	Thresholds dispatch.Thresholds `json:"thresholds"` // in use

	Calibration json.RawMessage `json:"calibration"`
	Workloads   json.RawMessage `json:"workloads"`
	Random      json.RawMessage `json:"random"`
}

// reportCalls is how many random calls a report has, unless -random says it.
const reportCalls = 200

// takenWithReport lists the flags that -report heeds. Each is passed on to the parts that have it.
var takenWithReport = []string{"report", "run", "workers", "time", "peer", "random", "seed", "size"}

// checkReport reports which flags that were set make no sense with -report.
func (o options) checkReport() error {
	for name := range o.given {
		if !slices.Contains(takenWithReport, name) {
			return fmt.Errorf("-report takes no -%s", name)
		}
	}
	return nil
}

// writeEverything measures all parts, and writes them to the file. The peers come last, because they
// leave the process fewer processors.
func (o options) writeEverything(args []string, stdout, stderr io.Writer) error {
	e := everything{Machine: thisMachine(), Date: today(), Command: commandLine(args), Thresholds: dispatch.Default}
	dir, remove, err := tempDir("lanes-bench")
	if err != nil {
		return err
	}
	defer remove()
	part := func(to *json.RawMessage, what []string, flags ...string) error {
		file := filepath.Join(dir, "part.json")
		own := append(what, "-json", file)
		for _, name := range flags {
			if value, ok := o.given[name]; ok {
				own = append(own, "-"+name+"="+value)
			}
		}
		if err := run(own, stdout, stderr); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(own, " "), err)
		}
		var err error
		*to, err = os.ReadFile(file)
		return err
	}

	var levels []string
	for _, l := range dispatch.Levels() {
		if dispatch.Available(l) {
			levels = append(levels, l.String())
		}
	}
	workloads := []string{"-isa", strings.Join(levels, ",")}
	if only, ok := o.given["peer"]; !ok || only != "" {
		workloads = append(workloads, "-peers")
	}
	err = errors.Join( // a part that fails costs the others nothing
		part(&e.Calibration, []string{"-calibrate"}, "time", "run"),
		part(&e.Random, []string{"-random", strconv.Itoa(reportCalls)}, "random", "seed", "size", "workers", "time"),
		part(&e.Workloads, workloads, "run", "workers", "time", "peer"),
	)
	text, problem := json.Marshal(e)
	if problem == nil {
		problem = os.WriteFile(o.report, text, 0o644)
	}
	return errors.Join(err, problem)
}
