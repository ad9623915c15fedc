package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// What became of a mutation.
const (
	killed   = "killed"
	survived = "survived"
	notBuilt = "not built"  // or, of the generator, changes no instruction: does not count
	notRun   = "not run"    // this machine lacks the level
	noChange = "equivalent" // is known to change nothing: does not count
)

// A result is a line of the log.
type result struct {
	ID      string  `json:"id"`
	What    string  `json:"what"`
	Place   string  `json:"place"`
	Status  string  `json:"status"`
	By      string  `json:"by,omitempty"` // the tests that killed it, or why it wasn't built
	Seconds float64 `json:"seconds"`

	target, rule string
}

// append writes the result to a log, if there is one.
func (r *result) append(log string) error {
	if log == "" {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// readLog returns the results of an earlier run, which are not repeated.
func readLog(name string) (map[string]*result, error) {
	all := map[string]*result{}
	f, err := os.Open(name)
	if name == "" || errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		r := new(result)
		if err := json.Unmarshal(lines.Bytes(), r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[r.ID] = r
	}
	return all, lines.Err()
}

// summary prints a table of targets and rules, the survivors, and the tests that
// killed most. It reports whether none survived.
func summary(out io.Writer, results []*result) bool {
	type key struct{ target, rule string }
	counts, order := map[key]map[string]int{}, []key{}
	killers := map[string]int{}
	for _, r := range results {
		for _, k := range []key{{r.target, r.rule}, {r.target, ""}, {"", ""}} {
			if counts[k] == nil {
				counts[k] = map[string]int{}
				order = append(order, k)
			}
			counts[k][r.Status]++
		}
		if r.Status == killed {
			stage, test, _ := strings.Cut(r.By, ": ")
			test, _, _ = strings.Cut(test, "/")
			test, _, _ = strings.Cut(test, " ")
			killers[stage+": "+test]++
		}
	}
	rank := func(t string) int {
		i := slices.IndexFunc(targets, func(x target) bool { return x.name == t })
		if i < 0 {
			return len(targets)
		}
		return i
	}
	slices.SortStableFunc(order, func(a, b key) int {
		if a.target != b.target {
			return rank(a.target) - rank(b.target)
		}
		if (a.rule == "") != (b.rule == "") {
			return strings.Compare(b.rule, a.rule)
		}
		return strings.Compare(a.rule, b.rule)
	})
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "target\trule\tplanted\tkilled\tsurvived\tnot built\tequivalent\tnot run\t")
	for _, k := range order {
		c := counts[k]
		name, rule := k.target, k.rule
		if rule == "" {
			rule = "all"
		}
		if name == "" {
			name = "all"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, rule, c[killed]+c[survived], c[killed], c[survived], c[notBuilt], c[noChange], c[notRun])
	}
	w.Flush()
	all := counts[key{"", ""}]
	var each []string
	for _, t := range targets {
		c := counts[key{t.name, ""}]
		each = append(each, fmt.Sprintf("%s %d of %d", t.name, c[killed], c[killed]+c[survived]))
	}
	fmt.Fprintf(out, "\n%d planted, %d killed, %d survived (%s); not planted: %d equivalent, %d in bodies for other machines; %d did not build\n",
		all[killed]+all[survived], all[killed], all[survived], strings.Join(each, ", "), all[noChange], all[notRun], all[notBuilt])

	names := slices.SortedFunc(maps.Keys(killers), func(a, b string) int {
		return cmp.Or(killers[b]-killers[a], strings.Compare(a, b))
	})
	fmt.Fprintln(out, "\nkilled by")
	for _, n := range names {
		fmt.Fprintf(out, "%6d  %s\n", killers[n], n)
	}
	good := true
	for _, r := range results {
		if r.Status == survived {
			good = false
			fmt.Fprintf(out, "\nSURVIVED %s\n  %s, at %s\n", r.ID, r.What, r.Place)
		}
	}
	return good
}
