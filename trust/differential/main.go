// Command differential makes random calls with lanes, ONNX Runtime, OpenVINO and PyTorch, and
// compares what comes of them. A mismatch is explained by a row of the table of known differences,
// or it fails. README.md has the table and what a full run found.
//
//	go run -C trust ./differential -cases 100000 -seed 1
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/trust/calls"
)

// fullRun is from how many calls on each known difference has to show.
const fullRun = 100_000

type options struct {
	cases int
	seed  uint64
	group int
	peers string
	plant string
}

func main() {
	var o options
	flag.IntVar(&o.cases, "cases", fullRun, "how many calls to compare at least")
	flag.Uint64Var(&o.seed, "seed", 1, "which calls")
	flag.IntVar(&o.group, "group", -1, "compare the calls of this group alone")
	flag.StringVar(&o.peers, "peers", "onnxruntime,openvino,torch", "the libraries, of these and jax; one that can't be had is an error")
	flag.StringVar(&o.plant, "plant", "", "spoil results of this library, which has to fail")
	flag.Parse()
	if err := o.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "FAIL:", err)
		os.Exit(1)
	}
}

func (o *options) run(w io.Writer) error {
	r := &contest{seed: o.seed, cases: o.cases, known: differences, variants: calls.Variants(), log: os.Stderr}
	if err := calls.NotRun(r.variants); err != nil {
		return err
	}
	e, err := newEnvironment(os.Stderr)
	if err != nil {
		return err
	}
	defer e.close()
	var versions []string
	var workers []*worker
	for name := range strings.SplitSeq(o.peers, ",") {
		i := slices.IndexFunc(peers, func(p peer) bool { return p.name == name })
		if i < 0 {
			return fmt.Errorf("no library %q", name)
		}
		argv, err := peers[i].obtain(e, name)
		if err != nil {
			return fmt.Errorf("%s: NOT RUN: %w", name, err)
		}
		worker, err := startWorker(argv)
		if err != nil {
			return fmt.Errorf("%s: NOT RUN: %w", name, err)
		}
		defer worker.close()
		workers = append(workers, worker)
		versions = append(versions, name+" "+worker.version)
		c := contestant{peers[i], worker}
		if name == o.plant {
			c.library = &planted{library: worker}
		}
		r.libraries = append(r.libraries, c)
	}
	if o.plant != "" && !slices.ContainsFunc(r.libraries, func(c contestant) bool { return c.name == o.plant }) {
		return fmt.Errorf("no library %q to spoil", o.plant)
	}
	fmt.Fprintf(w, "seed %d; %s; lanes at %v\n", o.seed, strings.Join(versions, ", "), r.variants)
	if o.group >= 0 {
		r.cases = 0
		t := newTally(r.known)
		err := r.judge(t, []*group{newGroup(o.seed, o.group)})
		t.report(w, r)
		return errors.Join(err, t.verdict(r, false))
	}
	t, err := r.run()
	t.report(w, r)
	for i, worker := range workers {
		if worker.restarts > 0 {
			fmt.Fprintf(w, "%s was started again %d times\n", r.libraries[i].name, worker.restarts)
		}
	}
	full := t.total() >= fullRun && (len(r.libraries) > 1 || o.peers == "jax")
	return errors.Join(err, t.verdict(r, full))
}

// planted spoils a bit of one result in some hundreds.
type planted struct {
	library
	results int
}

func (p *planted) answer(group []*calls.Call) ([]outcome, error) {
	outcomes, err := p.library.answer(group)
	for _, o := range outcomes {
		if p.results++; p.results%300 == 0 && len(o.result.Data) > 0 {
			o.result.Data[p.results%len(o.result.Data)] ^= 1
		}
	}
	return outcomes, err
}
