// Command bar runs what stands behind the table of trust/README.md in its long form, a row after
// the other, and writes how far each came, with the date, the commit and the machine, to a file
// from which the table is made.
//
//	go run -C trust ./bar                        # all of it, hours
//	go run -C trust ./bar -only R2,R13           # some rows, and the others stay what they were
//	go run -C trust ./bar -scale 0.001 -o /dev/null   # a rehearsal
//	go run -C trust ./bar -only R11 -from ci.log # what a row's command has printed before
//	go run -C trust ./bar -readme                # write the table to README.md, run nothing
//
// A row whose command fails, or says of nothing how often it was done, fails; the rows after it
// still run.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

type options struct {
	root, results string
	only          string
	from, commit  string
	scale         float64
	readme, list  bool
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.root, "root", "..", "the `directory` of the repository")
	flag.StringVar(&o.results, "o", "bar/results.json", "the `file` of results; those of rows that aren't run stay")
	flag.StringVar(&o.only, "only", "", "only these `rows`, with commas")
	flag.StringVar(&o.from, "from", "", "instead of running the command of the one row, read what it printed to this `file`")
	flag.StringVar(&o.commit, "commit", "", "the `commit` that it ran on; else this one")
	flag.Float64Var(&o.scale, "scale", 1, "this part of the counts, for a rehearsal")
	flag.BoolVar(&o.readme, "readme", false, "make the table of README.md of the results, and run nothing")
	flag.BoolVar(&o.list, "list", false, "print the commands, and run nothing")
	flag.Parse()
	if err := o.run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// A result is what a row reached.
type result struct {
	Count   int     `json:"count"`
	Note    string  `json:"note,omitempty"`
	Failed  string  `json:"failed,omitempty"` // the end of what the command printed
	Seconds int     `json:"seconds"`
	Scale   float64 `json:"scale"`
	Date    string  `json:"date"`
	Commit  string  `json:"commit"`
	Machine string  `json:"machine"`
}

func (o *options) run(out io.Writer) error {
	results, err := readResults(o.results)
	if err != nil {
		return err
	}
	if o.readme {
		return writeTable(filepath.Join(o.root, "trust", "README.md"), results)
	}
	chosen := rows
	if o.only != "" {
		chosen = nil
		for id := range strings.SplitSeq(o.only, ",") {
			i := slices.IndexFunc(rows, func(r row) bool { return slices.Contains(strings.Split(r.id, ", "), id) })
			if i < 0 {
				return fmt.Errorf("no row %s", id)
			}
			chosen = append(chosen, rows[i])
		}
	}
	if o.from != "" && len(chosen) != 1 {
		return errors.New("-from takes one row")
	}
	here, failed := machine(), []string{}
	commit, err := commitOf(o.root)
	if err != nil {
		return err
	}
	commit = cmp.Or(o.commit, commit)
	for _, r := range chosen {
		fmt.Fprintf(out, "== %s: %s\n   %s\n", r.id, r.check, r.line(r.goal(o.scale), "1"))
		if o.list {
			continue
		}
		began := time.Now()
		n, note, err := o.reach(r)
		s := &result{Count: n, Note: note, Seconds: int(time.Since(began).Seconds()), Scale: o.scale,
			Date: began.UTC().Format("2006-01-02"), Commit: commit, Machine: here}
		if err != nil {
			s.Failed = err.Error()
			failed = append(failed, r.id)
			fmt.Fprintf(out, "   FAILED: %v\n", err)
		}
		fmt.Fprintf(out, "   %s %s in %ds; %s\n", thousands(n), r.unit, s.Seconds, note)
		results[r.id] = s
		if err := writeResults(o.results, results); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

// reach runs the row's command, at each level that it asks for and again with other seeds until
// there is enough of it.
func (o *options) reach(r row) (count int, note string, err error) {
	if o.from != "" {
		text, err := os.ReadFile(o.from)
		if count, note = r.read(string(text)); err == nil && count == 0 {
			err = errors.New("nothing is said to be done")
		}
		return count, note, err
	}
	goal := r.goal(o.scale)
	levels := []string{""}
	if r.eachLevel {
		levels = available()
	}
	for seed := 1; ; seed++ {
		before := count
		for _, level := range levels {
			cmd := exec.Command("sh", "-c", r.line(goal, fmt.Sprint(seed)))
			cmd.Dir = o.root
			cmd.Env = append(os.Environ(), "LANES_REQUIRE_ONNX=1")
			if level != "" {
				cmd.Env = append(cmd.Env, "LANES_ISA="+level, "LANES_REQUIRE_ISA="+level)
			}
			text, err := cmd.CombinedOutput()
			n, said := r.read(string(text))
			if count += n; said != "" {
				note = said
			}
			if err != nil {
				return count, note, fmt.Errorf("%s: %w\n%s", level, err, text[max(0, len(text)-2000):])
			}
			if n == 0 {
				return count, note, fmt.Errorf("%s: nothing is said to be done\n%s", level, text[max(0, len(text)-2000):])
			}
		}
		if r.eachLevel {
			note = strings.TrimPrefix(note+", at "+strings.Join(levels, ", "), ", ")
		}
		if r.again && count < goal && count > before {
			note = ""
			continue
		}
		if r.again && seed > 1 {
			note = strings.TrimPrefix(note+fmt.Sprintf(", seeds 1 to %d", seed), ", ")
		}
		return count, note, nil
	}
}

func available() (names []string) {
	for _, l := range dispatch.Levels() {
		if dispatch.Available(l) {
			names = append(names, l.String())
		}
	}
	return names
}

// machine describes what the results are of.
func machine() string {
	name := "unknown CPU"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, levels %s", name, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), strings.Join(available(), ", "))
}

// commitOf names the commit, with a plus sign if the files are others.
func commitOf(root string) (string, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "--short=12", "HEAD")
	changed, err2 := git("status", "--porcelain", "--untracked-files=no")
	if changed != "" {
		commit += "+"
	}
	return commit, errors.Join(err, err2)
}

func readResults(name string) (map[string]*result, error) {
	results := map[string]*result{}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) || len(text) == 0 && err == nil {
		return results, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &results)
	}
	return results, err
}

func writeResults(name string, results map[string]*result) error {
	text, err := json.MarshalIndent(results, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o666)
}
