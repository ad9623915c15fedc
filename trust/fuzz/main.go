// Command fuzz runs every fuzz target of the repository in turn, until they have been executed so
// often in all, and adds the executions up.
//
//	go run -C trust ./fuzz -execs 100000000     # hours
//	go run -C trust ./fuzz -execs 1000000 -run Hostile
//	go run -C trust ./fuzz -execs 100000000 -for 1h -slice 100000     # as many as an hour has
//
// An interrupt ends it after the target that is running.
//
// It counts executions, and does not measure time: before Go 1.27 the end of a -fuzztime may be
// taken for a failure (golang/go#75804). It asks go test for the targets, so that a new one is run
// without being named anywhere. The exit status is 1 if one of them fails; what it failed on is in
// its testdata/fuzz then, for go test to run from there on.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

type options struct {
	root  string
	execs int
	match *regexp.Regexp
	slice int           // the most executions of a target at a time
	limit time.Duration // after which no target is begun; 0: none
}

func main() {
	log.SetFlags(0)
	role()
	var o options
	match := ""
	flag.StringVar(&o.root, "root", "..", "the `directory` of the module")
	flag.IntVar(&o.execs, "execs", 1_000_000, "how many executions of all targets together")
	flag.StringVar(&match, "run", "", "only targets that match this `pattern`")
	flag.IntVar(&o.slice, "slice", 2_000_000, "how many of one target before the next one's turn")
	flag.DurationVar(&o.limit, "for", 0, "no target is begun after this `time`; 0: no limit")
	flag.Parse()
	var err error
	if o.match, err = regexp.Compile(match); err != nil {
		log.Fatal(err)
	}
	if err := o.run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// A target is a fuzz target, and what has been done with it.
type target struct {
	pkg, name string
	execs     int
	found     int // inputs that reached code which none before had
	took      time.Duration
	failure   string
}

func (o *options) run(out io.Writer) error {
	targets, err := o.targets()
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return errors.New("no fuzz target: nothing is tested")
	}
	tools, err := o.tools()
	if err != nil {
		return err
	}
	sum, began := 0, time.Now()
	stop, forget := signal.NotifyContext(context.Background(), os.Interrupt)
	defer forget()
	over := func() bool {
		return sum >= o.execs || o.limit > 0 && time.Since(began) > o.limit || stop.Err() != nil
	}
	for !over() {
		var turn []*target
		for _, t := range targets {
			if t.failure == "" {
				turn = append(turn, t)
			}
		}
		if len(turn) == 0 {
			break
		}
		// What is left goes in equal parts to those that are behind.
		share := min((o.execs-sum+len(turn)-1)/len(turn), o.slice)
		for _, t := range turn {
			n, err := t.fuzz(o.root, share, tools)
			if err != nil {
				return err
			}
			sum += n
			fmt.Fprintf(out, "%s: %d executions, %d of %d in all\n", t.name, n, sum, o.execs)
			if t.failure != "" {
				fmt.Fprintf(out, "FAIL: %s\n", t.failure)
			}
			if over() {
				break
			}
		}
	}
	fmt.Fprintln(out)
	return summary(out, targets)
}

// summary prints a table of the targets. Its error says that some of them have failed.
func summary(out io.Writer, targets []*target) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "target\tpackage\texecutions\tseconds\tper second\tnew inputs\t")
	var all target
	failed := 0
	row := func(t *target) {
		fmt.Fprintf(w, "%s\t%s\t%d\t%.0f\t%.0f\t%d\t\n", t.name, t.pkg, t.execs, t.took.Seconds(), float64(t.execs)/max(t.took.Seconds(), 0.001), t.found)
	}
	for _, t := range targets {
		row(t)
		all.execs, all.found, all.took = all.execs+t.execs, all.found+t.found, all.took+t.took
		if t.failure != "" {
			failed++
		}
	}
	all.name = "all"
	row(&all)
	w.Flush()
	fmt.Fprintf(out, "\n%d executions of %d targets, %d of them failed\n", all.execs, len(targets), failed)
	if failed > 0 {
		return fmt.Errorf("%d fuzz targets failed", failed)
	}
	return nil
}

var declaration = regexp.MustCompile(`(?m)^func Fuzz\w+\(`)

// targets asks go test for those of each package with a test that declares one.
func (o *options) targets() (all []*target, err error) {
	var packages []string
	err = filepath.WalkDir(o.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if _, other := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != o.root && (other == nil || strings.HasPrefix(d.Name(), ".")) {
				return fs.SkipDir // another module
			}
			return err
		}
		pkg, err := filepath.Rel(o.root, filepath.Dir(name))
		if err != nil || !strings.HasSuffix(name, "_test.go") || slices.Contains(packages, pkg) {
			return err
		}
		text, err := os.ReadFile(name)
		if declaration.Match(text) {
			packages = append(packages, pkg)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, pkg := range packages {
		out, err := command(o.root, "test", "-list", "^Fuzz", "./"+filepath.ToSlash(pkg)).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", pkg, err, out)
		}
		for line := range strings.Lines(string(out)) {
			if name := strings.TrimSpace(line); strings.HasPrefix(name, "Fuzz") && o.match.MatchString(name) {
				all = append(all, &target{pkg: "./" + filepath.ToSlash(pkg), name: name})
			}
		}
	}
	return all, nil
}

func command(root string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	return cmd
}

// progress is what go test prints every three seconds, and at the end, which may come before all
// inputs of the corpus have been executed once.
var progress = regexp.MustCompile(`(?m)^fuzz: elapsed: .*, (?:gathering baseline coverage: (\d+)/\d+ completed$|execs: (\d+) \(\d+/sec\), new interesting: (\d+) )`)

// fuzz executes the target n times, or until it fails, and returns how often it was executed.
func (t *target) fuzz(root string, n int, tools []string) (int, error) {
	began := time.Now()
	args := append([]string{"test", "-run", "^$", "-fuzz", "^" + t.name + "$", "-fuzztime", strconv.Itoa(n) + "x",
		"-parallel", strconv.Itoa(runtime.GOMAXPROCS(0))}, tools...)
	out, failed := command(root, append(args, t.pkg)...).CombinedOutput()
	t.took += time.Since(began)
	last := progress.FindAllSubmatch(out, -1)
	if last == nil && failed == nil {
		return 0, fmt.Errorf("%s: go test does not say how often it was executed:\n%s", t.name, out)
	}
	execs, found := 0, 0
	if last != nil {
		line := last[len(last)-1]
		execs, _ = strconv.Atoi(string(line[1]) + string(line[2])) // one of them is empty
		found, _ = strconv.Atoi(string(line[3]))
	}
	if failed != nil {
		t.failure = fmt.Sprintf("%s: %v\n%s", t.name, failed, bytes.TrimSpace(out[max(0, len(out)-4000):]))
	} else if execs < n {
		return 0, fmt.Errorf("%s: %d executions, and not %d:\n%s", t.name, execs, n, out)
	}
	t.execs, t.found = t.execs+execs, t.found+found
	return execs, nil
}
