// Command mutate plants faults in a copy of this repository, one at a time, and
// runs the ordinary tests: each fault should make one of them fail. From the root
// of the repository:
//
//	go run -C trust ./mutate             # a handful
//	go run -C trust ./mutate -per 2      # 2 of every rule and target, or a multiple, some hours
//
// Faults are planted in the AMD64 assembly, in its generator, which then writes its files anew, in
// the ARM64 assembly, whose tests an emulator runs, and in the Go of packages lanes, generic and
// kernels that this machine is built with. They come of rules that match single instructions or
// nodes of Go's syntax, of which a seeded sample is taken, and of a table. The tests of what a
// fault is planted in run first, and the first failure ends it. A fault that doesn't compile does
// not count, nor one that is known to change nothing but time (equivalent.go).
//
// The exit status is 1 if a fault survives or a test fails without one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

type options struct {
	root, log, targets string
	match              *regexp.Regexp
	per, total         int
	seed               uint64
	list, equivalent   bool
}

func main() {
	log.SetFlags(0)
	var o options
	match := ""
	flag.StringVar(&o.root, "root", "..", "the `directory` of the repository")
	flag.StringVar(&o.targets, "targets", "", "only these of "+names()+", with commas")
	flag.StringVar(&match, "run", "", "only faults whose name matches this `pattern`")
	flag.IntVar(&o.per, "per", 0, "so many `faults` of every rule, or a multiple; 0: a handful in all")
	flag.IntVar(&o.total, "handful", 12, "how many a handful is")
	flag.Uint64Var(&o.seed, "seed", 1, "of the sample")
	flag.StringVar(&o.log, "log", "", "append results to this `file`, and do not repeat those that are in it")
	flag.BoolVar(&o.equivalent, "equivalent", false, "plant what is listed as equivalent, as a test of the list: all has to survive")
	flag.BoolVar(&o.list, "list", false, "print the sample, and plant nothing")
	flag.Parse()
	var err error
	if o.match, err = regexp.Compile(match); err != nil {
		log.Fatal(err)
	}
	good, err := run(o, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	if !good {
		os.Exit(1)
	}
}

func names() string {
	var all []string
	for _, t := range targets {
		all = append(all, t.name)
	}
	return strings.Join(all, ", ")
}

// run reports whether no fault survived.
func run(o options, out io.Writer) (bool, error) {
	chosen, left, err := o.choose()
	if err != nil {
		return false, err
	}
	if o.list {
		for _, m := range chosen {
			fmt.Fprintf(out, "%s:%d: %s (%s)\n", m.file, m.line, m.id(), m.what)
		}
		return true, nil
	}
	before, err := readLog(o.log)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	w, err := newWorkshop(o.root, dir)
	if err != nil {
		return false, err
	}
	results := left
	for i, m := range chosen {
		for _, m := range append([]*mutation{m}, m.spares...) {
			r := before[m.id()]
			if r == nil {
				if r, err = try(w, m); err != nil {
					return false, fmt.Errorf("%s: %w", m.id(), err)
				}
				if err := r.append(o.log); err != nil {
					return false, err
				}
			}
			r.target, r.rule = m.target, m.rule
			results = append(results, r)
			fmt.Fprintf(out, "%d/%d %-9s %4.0fs  %s  (%s)\n", i+1, len(chosen), r.Status, r.Seconds, r.ID, r.By)
			if r.Status == killed || r.Status == survived {
				break
			}
		}
	}
	fmt.Fprintln(out)
	good := summary(out, results)
	if o.equivalent {
		return !slices.ContainsFunc(results, func(r *result) bool { return r.Status == killed }), nil
	}
	return good, nil
}

// choose returns the sample, and what is left out because it is known to be equivalent, or
// is in a body that this machine can't run.
func (o options) choose() (chosen []*mutation, left []*result, err error) {
	for name := range strings.SplitSeq(o.targets, ",") {
		if name != "" && !slices.ContainsFunc(targets, func(t target) bool { return t.name == name }) {
			return nil, nil, fmt.Errorf("%q is none of the targets %s", name, names())
		}
	}
	for _, t := range targets {
		if o.targets != "" && !slices.Contains(strings.Split(o.targets, ","), t.name) {
			continue
		}
		all, err := t.faults(o.root)
		if err != nil {
			return nil, nil, err
		}
		number(all)
		groups, order := map[string][]*mutation{}, []string{}
		for _, m := range all {
			if !o.match.MatchString(m.id()) {
				continue
			}
			group, reason := m.rule, equivalence(m)
			if o.equivalent {
				group = reason
			}
			switch {
			case (reason != "") != o.equivalent:
				if !o.equivalent {
					left = append(left, &result{Status: noChange, target: m.target, rule: m.rule})
				}
				continue
			case !runnable(m):
				left = append(left, &result{Status: notRun, target: m.target, rule: m.rule})
				continue
			case groups[group] == nil:
				order = append(order, group)
			}
			groups[group] = append(groups[group], m)
		}
		for _, g := range order {
			n := o.per * groups[g][0].weight
			if o.per == 0 {
				n = 1
			}
			in := sample(groups[g], len(groups[g]), o.seed, (*mutation).place)
			n = min(n, len(in))
			for i, m := range in[n:min(4*n, len(in))] {
				in[i%n].spares = append(in[i%n].spares, m)
			}
			chosen = append(chosen, in[:n]...)
		}
	}
	if o.per == 0 {
		chosen = sample(chosen, o.total, o.seed, (*mutation).kind)
	}
	return chosen, left, nil
}

// try plants a fault, and runs tests until one fails.
func try(w *workshop, m *mutation) (r *result, err error) {
	r = &result{ID: m.id(), What: m.what, Place: fmt.Sprintf("%s:%d", m.file, m.line)}
	t := targets[slices.IndexFunc(targets, func(t target) bool { return t.name == m.target })]
	began := time.Now()
	sound := func() error { return nil } // what makes the copy so again
	defer func() {
		r.Seconds = float64(int(time.Since(began).Seconds()))
		err = errors.Join(err, sound())
	}()
	planted := false
	for _, s := range t.stages(m) {
		if w.took[s] == 0 { // the first time, or after faults that no stage has come so far with
			if err := errors.Join(sound(), w.time(s)); err != nil {
				return r, err
			}
			planted = false
		}
		if !planted {
			if sound, err = w.plant(m); err != nil {
				return r, err
			}
			if t.prepare != nil {
				err = t.prepare(w)
			}
			planted = true
		}
		binary := ""
		if err == nil {
			binary, err = w.build(s)
		}
		if errors.Is(err, errElsewhere) {
			r.Status, r.By = notRun, err.Error()
			return r, nil
		}
		if err != nil {
			r.Status, r.By = notBuilt, err.Error()
			return r, nil
		}
		killer, _, err := w.test(s, binary, w.limit(s))
		if err != nil {
			return r, err
		}
		if killer != "" {
			r.Status, r.By = killed, s.name+": "+killer
			return r, nil
		}
	}
	r.Status = survived
	return r, nil
}

// runnable reports whether this machine can run the body that a fault is in.
func runnable(m *mutation) bool {
	switch {
	case m.target == "arm64":
		_, err := exec.LookPath(emulators["arm64"])
		return err == nil || runtime.GOARCH == "arm64"
	case upperData.MatchString(m.old): // of tables of 64 bytes, of which AVX2 has the lower half
		return dispatch.Available(dispatch.AVX512)
	case m.target == "generator":
		return dispatch.Available(dispatch.AVX2)
	}
	return runnableBody(m.where)
}

var upperData = regexp.MustCompile(`^DATA \w+<>\+(32|40|48|56)\(`)

// runnableBody reports whether this machine has the level that the body's name ends in.
func runnableBody(name string) bool {
	for _, l := range dispatch.Levels() {
		if strings.HasSuffix(name, strings.ToUpper(l.String())) {
			return dispatch.Available(l)
		}
	}
	return true
}
