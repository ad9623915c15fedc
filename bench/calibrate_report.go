package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// text returns all of a calibration: the times, the findings, and the table for package dispatch.
func (c calibration) text() string {
	list := make([]threshold, 0, len(c.Findings)) // of the findings, in their order
	for _, t := range thresholds(c.L2) {
		if slices.ContainsFunc(c.Findings, func(f finding) bool { return f.Name == t.name }) {
			list = append(list, t)
		}
	}
	return fmt.Sprintf("%s\n%s\n%s%s\n%s", c.cutTimes(list), c.amountTimes(list), c.summary(list), c.doubts(), c.literal(list))
}

// doubts says what makes the findings worth less. Times taken in turn bear
// noise, but not that a core is never free.
func (c calibration) doubts() string {
	if c.Machine.Load < 0.5 {
		return ""
	}
	return fmt.Sprintf("Other programs were running (load %.1f): what a second goroutine gains, and what fits a shared cache, is not to be trusted.\n", c.Machine.Load)
}

// cutTimes is the table of what starts or ends at a threshold.
func (c calibration) cutTimes(list []threshold) string {
	w := newTable("threshold", "call", "at", "way below", "µs", "way above", "µs", "below/above", "98 %")
	for i, t := range list {
		if t.kind == amount {
			continue
		}
		w.AppendSeparator()
		for _, x := range c.Findings[i].Trials {
			g := gainOf(x.Samples[0], x.Samples[1])
			w.AppendRow(table.Row{t.name, x.Call, t.format(x.At), t.below, micros(x.Samples[0]), t.above, micros(x.Samples[1]), times(math.Exp(g.mid)), g.interval()})
		}
	}
	return rendered(w)
}

// amountTimes is the table of amounts.
func (c calibration) amountTimes(list []threshold) string {
	w := newTable("threshold", "call", "value", "µs", "in use/this", "98 %")
	for i, t := range list {
		if t.kind != amount {
			continue
		}
		f := c.Findings[i]
		for _, x := range f.Trials {
			w.AppendSeparator()
			used := x.Samples[slices.Index(x.Ways, f.InUse)]
			for k, v := range x.Ways {
				g := gainOf(used, x.Samples[k])
				w.AppendRow(table.Row{t.name, x.Call, t.format(v), micros(x.Samples[k]), times(math.Exp(g.mid)), g.interval()})
			}
		}
	}
	return rendered(w)
}

// summary is the table of findings, and of what each call alone would say.
func (c calibration) summary(list []threshold) string {
	w := newTable("threshold", "call", "in use", "measured", "as good", "time with the value in use", "")
	row := func(t threshold, call string, f finding, verdict string) {
		w.AppendRow(table.Row{
			t.name, call, t.format(f.InUse), t.label(f.Best), t.label(f.Low) + " - " + t.label(f.High), f.Cost, verdict,
		})
	}
	for i, t := range list {
		w.AppendSeparator()
		f := c.Findings[i]
		if f.Skipped != "" {
			w.AppendRow(table.Row{t.name, "", t.format(f.InUse), "", "", "", "not measured: " + f.Skipped})
			continue
		}
		verdict := "agrees"
		if f.Differs {
			verdict = "DIFFERS by more than noise"
		}
		row(t, "all", f, verdict)
		for k, own := range t.alone(f) {
			verdict := ""
			if own.Differs {
				verdict = "differs"
			}
			row(t, t.calls[k].name, own, verdict)
		}
	}
	return w.Render() + "\n"
}

// literal is the table for package dispatch, with what was measured on both sides of each value. A
// value is the one in use where another isn't better by more than noise.
func (c calibration) literal(list []threshold) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s, %s/%s, second-level cache of %sB a core (l2), %s, %s\nThresholds{\n",
		c.Machine.CPU, c.Machine.OS, c.Machine.Arch, binary(c.L2), c.Date, c.Command)
	for i, t := range list {
		f := c.Findings[i]
		for _, line := range t.reasons(f) {
			fmt.Fprintf(&b, "\t// %s\n", line)
		}
		fmt.Fprintf(&b, "\t%s: %s,", t.name, t.expression(f.Value, c.L2))
		if f.Differs {
			fmt.Fprintf(&b, " // not %s, with which these calls take %v times as long", t.expression(f.InUse, c.L2), f.Cost)
		}
		b.WriteString("\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// reasons lists the times round the value of a finding, a line for each call.
func (t threshold) reasons(f finding) []string {
	if f.Skipped != "" {
		return []string{"Not measured: " + f.Skipped + "."}
	}
	var lines []string
	for _, c := range t.calls {
		var times []string
		for _, x := range f.Trials {
			if x.Call == c.name {
				times = append(times, t.timesRound(f.Value, x)...)
			}
		}
		lines = append(lines, c.name+": "+strings.Join(times, "; "))
	}
	return lines
}

// timesRound says what a trial measured, if it is next to a value: at it, or at
// the sizes just below and above it.
func (t threshold) timesRound(value int, x trial) []string {
	if t.kind == amount {
		var parts []string
		for k := range x.Ways {
			if near := slices.Index(x.Ways, value) - k; near >= -1 && near <= 1 {
				parts = append(parts, fmt.Sprintf("with %s %s µs", t.format(x.Ways[k]), micros(x.Samples[k])))
			}
		}
		return parts
	}
	if i := slices.Index(t.values, x.At) - t.cut(value); i < -1 || i > 0 {
		return nil
	}
	return []string{fmt.Sprintf("at %s %s µs %s, %s %s", t.format(x.At), micros(x.Samples[0]), t.below, micros(x.Samples[1]), t.above)}
}

// format writes a value of the threshold.
func (t threshold) format(v int) string {
	if t.bytes {
		return binary(v) + "B"
	}
	return binary(v)
}

// label writes a value that was found; beyond what was tried, it says so.
func (t threshold) label(v int) string {
	first, last := t.values[0], t.values[len(t.values)-1]
	switch {
	case t.kind == start && v <= first:
		return "≤ " + t.format(first)
	case t.kind == start && v > last:
		return "> " + t.format(last)
	case t.kind == limit && v < first:
		return "< " + t.format(first)
	case t.kind == limit && v >= last:
		return "≥ " + t.format(last)
	default:
		return t.format(v)
	}
}

// expression writes a value in Go, as a part of the cache if it counts bytes
// and is one.
func (t threshold) expression(v, l2 int) string {
	if t.ofCache {
		switch {
		case v == l2:
			return "l2"
		case v > l2 && v%l2 == 0:
			return fmt.Sprintf("%d * l2", v/l2)
		case v > 0 && l2%v == 0:
			return fmt.Sprintf("l2 / %d", l2/v)
		}
	}
	for shift := 40; shift >= 10; shift -= 10 {
		if unit := int64(1) << shift; v > 0 && int64(v)%unit == 0 {
			return fmt.Sprintf("%d << %d", int64(v)/unit, shift)
		}
	}
	return strconv.Itoa(v)
}

// micros writes the median of times in ns.
func micros(ns []float64) string { return digits(median(ns) / 1e3) }

func (g gain) interval() string { return fmt.Sprintf("%.2f - %.2f", math.Exp(g.lo), math.Exp(g.hi)) }

func (c cost) String() string { return fmt.Sprintf("%.2f (%.2f - %.2f)", c.Median, c.Low, c.High) }

// rendered is a table with its numbers to the right, or nothing if it has no rows.
func rendered(w table.Writer) string {
	if w.Length() == 0 {
		return ""
	}
	var columns []table.ColumnConfig
	for _, name := range []string{"at", "value", "µs", "below/above", "in use/this"} {
		columns = append(columns, table.ColumnConfig{Name: name, Align: text.AlignRight})
	}
	w.SetColumnConfigs(columns)
	return w.Render() + "\n"
}

// writeThresholds lists thresholds and how each is measured.
func writeThresholds(w io.Writer, list []threshold) error {
	t := newTable("threshold", "way below", "way above", "values", "call", "first")
	for _, x := range list {
		t.AppendSeparator()
		for _, c := range x.calls {
			values := x.format(x.values[0]) + " - " + x.format(x.values[len(x.values)-1])
			first := c.at(x.values[0])
			t.AppendRow(table.Row{x.name, x.below, x.above, values, c.name, first.what()})
		}
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}
