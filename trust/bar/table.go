package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

const (
	tableBegins = "<!-- go run -C trust ./bar -readme writes what follows -->\n"
	tableEnds   = "<!-- until here -->\n"
)

// table is the rows with their results, as Markdown, and below it what the results are of.
func table(results map[string]*result) string {
	var b strings.Builder
	b.WriteString("| | check | command | reached | in CI |\n|---|---|---|---|---|\n")
	var runs []string // commits and machines; rows refer to them by number
	took := 0
	for _, r := range rows {
		command := r.command
		if r.full > 1 {
			command = r.line(r.full, "1")
		}
		command = strings.ReplaceAll(strings.NewReplacer(" -count=1", "", " -v", "", "{seed}", "1").Replace(command), "|", `\|`)
		reached := "*not yet*"
		if s := results[r.id]; s != nil {
			run := fmt.Sprintf("%s, commit `%s`, %s", s.Date, s.Commit, s.Machine)
			i := slices.Index(runs, run)
			if i < 0 {
				i = len(runs)
				runs = append(runs, run)
			}
			took += s.Seconds
			reached = thousands(s.Count) + " " + r.unit
			if s.Note != "" {
				reached += ", " + s.Note
			}
			switch {
			case s.Failed != "":
				reached = "**failed** after " + reached
			case s.Count < r.least:
				reached += "; *not yet* " + thousands(r.least)
			}
			if s.Seconds > 0 {
				reached += fmt.Sprintf(" (%s)", length(s.Seconds))
			}
			reached += fmt.Sprintf(" [%d]", i+1)
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s |\n", r.id, r.check, command, reached, r.ci)
	}
	for i, run := range runs {
		fmt.Fprintf(&b, "\n[%d] %s\n", i+1, run)
	}
	if took > 0 {
		fmt.Fprintf(&b, "\nThe rows with a time took %s together.\n", length(took))
	}
	return b.String()
}

func length(seconds int) string {
	switch {
	case seconds < 100:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 100*60:
		return fmt.Sprintf("%d min", (seconds+30)/60)
	}
	return fmt.Sprintf("%.1f h", float64(seconds)/3600)
}

// thousands writes a number with a comma after every third digit from the end.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// withTable returns a page with the table of results in the place of the one that it has.
func withTable(page string, results map[string]*result) (string, error) {
	before, rest, begins := strings.Cut(page, tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return "", fmt.Errorf("no place for the table, between %s and %s", strings.TrimSpace(tableBegins), strings.TrimSpace(tableEnds))
	}
	return before + tableBegins + "\n" + table(results) + "\n" + tableEnds + after, nil
}

func writeTable(name string, results map[string]*result) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := withTable(string(page), results)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}
