package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/lanes-go/lanes/bench/calls"
	"github.com/lanes-go/lanes/dispatch"
)

// A report is a run of the program.
type report struct {
	Machine machine  `json:"machine"`
	Date    string   `json:"date"`
	Command string   `json:"command"`
	Peers   []known  `json:"peers,omitempty"`
	Results []result `json:"results"`

	cliff float64 // from where on a cliff is listed
}

// A result is what was measured of a workload.
type result struct {
	ID         string       `json:"id"`
	Variant    string       `json:"variant,omitempty"`
	Operator   string       `json:"operator"`
	What       string       `json:"what"`
	Sweep      *point       `json:"sweep,omitempty"`
	Random     *calls.Call  `json:"random,omitempty"`
	Cliffs     []cliff      `json:"cliffs,omitempty"`
	Elements   int          `json:"elements"`
	Traffic    traffic      `json:"traffic_bytes"`
	Lines      []line       `json:"lines"`
	Contenders []*contender `json:"contenders"`
}

// A line is a workload at a level with a number of workers. Times are
// nanoseconds a call.
type line struct {
	ISA        string  `json:"isa"`
	Workers    int     `json:"workers"`
	Min        float64 `json:"min_ns"`
	Median     float64 `json:"median_ns"`
	PerElement float64 `json:"ns_per_element"`
	Rate       float64 `json:"gb_per_s"` // compulsory bytes over the median
	Limit      float64 `json:"limit_ns"`
	LimitBy    string  `json:"limit_by"`
	Share      float64 `json:"share_of_limit"`
	Ratio      float64 `json:"ratio_to_hand_written,omitempty"` // of medians, one worker
	Gain       float64 `json:"ratio_to_generic,omitempty"`      // generic's median over this one, with as many workers
	Peer       string  `json:"fastest_peer,omitempty"`          // with no more threads
	Lead       float64 `json:"ratio_to_fastest_peer,omitempty"` // its median over this one
	LeadOfMins float64 `json:"ratio_of_mins,omitempty"`         // the least time of any peer over this one
}

func newResult(w workload, elements int, t traffic, field []*contender, setups []setup) result {
	r := result{
		ID: w.id, Variant: w.variant, Operator: w.call.operator(), What: w.call.what(),
		Elements: elements, Traffic: t, Contenders: field,
	}
	if p := w.sweep(); p.Name != "" {
		r.Sweep = &p
	}
	if s, ok := w.call.(randomSpec); ok {
		r.Random = &s.Call
	}
	for _, s := range setups {
		r.Lines = append(r.Lines, newLine(elements, t, field, s))
	}
	return r
}

func newLine(elements int, t traffic, field []*contender, s setup) line {
	samples, workers := samplesOf(field, s), s.workers
	ours := median(samples)
	l := line{
		ISA: s.level.String(), Workers: workers, Min: slices.Min(samples), Median: ours,
		PerElement: ours / float64(elements), Rate: float64(t.bytes()) / ours,
	}
	l.Limit, l.LimitBy = fastest(field, streaming, 1, workers)
	if ns, name := fastest(field, random, 1, workers); name != "" && ns > l.Limit {
		l.Limit, l.LimitBy = ns, name
	}
	if hand, name := fastest(field, handWritten, 1, 1); name != "" && workers == 1 {
		l.Ratio = ours / hand
	}
	if portable := samplesOf(field, setup{dispatch.Generic, workers}); portable != nil {
		l.Gain = median(portable) / ours
	}
	if c := best(field, rival, "", workers, median); c != nil {
		theirs := median(c.Samples)
		l.Peer, l.Lead = c.Name, theirs/ours
		if theirs < l.Limit { // a limit that a peer beats is no limit
			l.Limit, l.LimitBy = theirs, c.Name
		}
		l.LeadOfMins = slices.Min(best(field, rival, "", workers, slices.Min).Samples) / l.Min
	}
	l.Share = l.Limit / ours
	return l
}

// samplesOf returns what was measured of lanes in a setup, if it was.
func samplesOf(field []*contender, s setup) []float64 {
	for _, c := range field {
		if c.Kind == lanes && c.ISA == s.level.String() && c.Threads == s.workers {
			return c.Samples
		}
	}
	return nil
}

// fastest returns the least median of a kind with that many threads, and whose it is.
func fastest(field []*contender, k kind, minThreads, maxThreads int) (ns float64, name string) {
	ns = math.Inf(1)
	for _, c := range field {
		if c.Kind == k && minThreads <= c.Threads && c.Threads <= maxThreads && c.Samples != nil {
			if m := median(c.Samples); m < ns {
				ns, name = m, c.Name
			}
		}
	}
	return ns, name
}

// slowerThan returns a level's lines whose ratio to the hand-written loop is
// above most; 0 allows any.
func (r result) slowerThan(most float64, level dispatch.Level) []line {
	var slow []line
	for _, l := range r.Lines {
		if most > 0 && l.Ratio > most && l.ISA == level.String() {
			slow = append(slow, l)
		}
	}
	return slow
}

func (r report) slowerThan(most float64, level dispatch.Level) error {
	var slow []string
	for _, res := range r.Results {
		for _, l := range res.slowerThan(most, level) {
			slow = append(slow, fmt.Sprintf("%s %.2f", res.ID, l.Ratio))
		}
	}
	if slow == nil {
		return nil
	}
	return fmt.Errorf("slower than %.2f times the hand-written loop: %s", most, strings.Join(slow, ", "))
}

// writeJSON writes v as JSON if a file is named. With "-" it goes to stdout, where nothing else is to be.
func writeJSON(v any, file string, stdout io.Writer) (alone bool, err error) {
	if file == "" {
		return false, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return false, err
	}
	b = append(b, '\n')
	if file == "-" {
		_, err := stdout.Write(b)
		return true, err
	}
	return false, os.WriteFile(file, b, 0o666)
}

// write prints the table, and writes the JSON. The table has what was measured if there is no JSON.
func (r report) write(stdout io.Writer, jsonFile string) error {
	alone, failed := writeJSON(r, jsonFile, stdout)
	if alone {
		return failed
	}
	body := r.table()
	switch {
	case r.random() && r.Peers != nil:
		body = strings.Join([]string{r.whoIsThere(), r.randomBesidePeers(), r.ofRandomCalls()}, "\n\n")
	case r.random():
		body = r.ofRandomCalls()
	case r.Peers != nil:
		body = r.besidePeers()
	}
	_, err := fmt.Fprintf(stdout, "%s\n%s\n%s\n\n%s\n", r.Machine, r.Date, r.Command, body)
	return errors.Join(err, failed)
}

// random reports whether random calls were measured.
func (r report) random() bool { return len(r.Results) > 0 && r.Results[0].Random != nil }

func (r report) table() string {
	t := newTable("operator", "id", "variant", "isa", "workers", "min ms", "median ms", "ns/element", "GB/s", "limit ms", "limited by", "share", "hand-written", "vs generic")
	operator, compared := "", false
	for _, res := range r.Results {
		if operator != "" && operator != res.Operator {
			t.AppendSeparator()
		}
		operator = res.Operator
		for _, l := range res.Lines {
			compared = compared || l.Gain > 0
			t.AppendRow(table.Row{
				res.Operator, res.ID, res.Variant, l.ISA, l.Workers,
				digits(l.Min / 1e6), digits(l.Median / 1e6), digits(l.PerElement), digits(l.Rate),
				digits(l.Limit / 1e6), l.LimitBy, fmt.Sprintf("%.0f %%", 100*l.Share), times(l.Ratio), times(l.Gain),
			})
		}
	}
	t.SetColumnConfigs([]table.ColumnConfig{
		{Name: "operator", AutoMerge: true},
		{Name: "min ms", Align: text.AlignRight}, {Name: "median ms", Align: text.AlignRight},
		{Name: "ns/element", Align: text.AlignRight}, {Name: "GB/s", Align: text.AlignRight},
		{Name: "limit ms", Align: text.AlignRight}, {Name: "share", Align: text.AlignRight},
		{Name: "hand-written", Align: text.AlignRight}, {Name: "vs generic", Align: text.AlignRight, Hidden: !compared},
	})
	return t.Render()
}

func writeList(w io.Writer, list []workload) error {
	t := newTable("id", "variant", "operator", "what", "from")
	for _, x := range list {
		t.AppendRow(table.Row{x.id, x.variant, x.call.operator(), x.call.what(), x.from})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func newTable(header ...string) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	row := table.Row{}
	for _, h := range header {
		row = append(row, h)
	}
	t.AppendHeader(row)
	return t
}

// times writes a ratio, if there is one.
func times(ratio float64) string {
	if ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", ratio)
}

// digits writes x with three significant digits, and no exponent.
func digits(x float64) string {
	decimals := 2 - int(math.Floor(math.Log10(max(x, 1e-9))))
	return fmt.Sprintf("%.*f", min(max(decimals, 0), 6), x)
}

func today() string { return time.Now().UTC().Format("2006-01-02 15:04 UTC") }

// commandLine returns what was typed, quoted where a shell needs it.
func commandLine(args []string) string {
	var b strings.Builder
	b.WriteString("go run -C bench .")
	for _, a := range args {
		if strings.ContainsAny(a, " |$*?&;<>()[]\\\"'") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		b.WriteString(" " + a)
	}
	return b.String()
}
