package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// A line of the table.
type line struct {
	name                 string
	generic, clang, body *cost
}

// slower reports whether the body is slower than Go's loop on the i-th processor.
func (l *line) slower(i int) bool {
	return l.generic != nil && l.body.cycles[i] > 1.02*l.generic.cycles[i]
}

// slow marks a body in the table that is slower than Go's loop.
const slow = " slower"

func markdown(lines []line) string {
	var b strings.Builder
	b.WriteString("| body | instructions: Go, clang, body |")
	for _, cpu := range cpus {
		fmt.Fprintf(&b, " %s |", strings.ToUpper(cpu))
	}
	b.WriteString("\n|---|---|---|---|---|---|\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "| %s | %s |", l.name, l.cell(func(c *cost) float64 { return c.instructions }))
		for i := range cpus {
			mark := ""
			if l.slower(i) {
				mark = slow
			}
			fmt.Fprintf(&b, " %s%s |", l.cell(func(c *cost) float64 { return c.cycles[i] }), mark)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cell is one figure of the three loops.
func (l *line) cell(of func(*cost) float64) string {
	figure := func(c *cost) string {
		if c == nil {
			return "–"
		}
		return fmt.Sprintf("%.2f", of(c))
	}
	return figure(l.generic) + ", " + figure(l.clang) + ", **" + figure(l.body) + "**"
}

// Marks of the place for the table in README.md.
const begin, end = "<!-- table -->\n", "<!-- end -->"

// replaceTable puts the table between the marks of a file.
func replaceTable(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the table", path)
	}
	return os.WriteFile(path, []byte(head+begin+"\n"+table+"\n"+end+tail), 0o644)
}

var body = regexp.MustCompile(`(?m)^TEXT ·(\w+NEON)\(SB\)`)

// problems returns what is amiss with the table: a body without a row, or one that is
// slower than the loop that it replaces.
func problems() (found []string, err error) {
	source, err := os.ReadFile("../../kernels_arm64.s")
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return nil, err
	}
	_, table, _ := strings.Cut(string(readme), begin)
	lines := map[string]string{}
	for l := range strings.Lines(table) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(l, "| "), " |"); ok {
			lines[name] = l
		}
	}
	modelled := map[string]bool{}
	for _, r := range rows() {
		modelled[r.body] = true
		switch l, ok := lines[r.name()]; {
		case !ok:
			found = append(found, r.name()+" is not in README.md")
		case strings.Contains(l, slow):
			found = append(found, r.name()+" is slower than the loop that it replaces")
		}
	}
	for _, m := range body.FindAllStringSubmatch(string(source), -1) {
		if name := m[1]; modelled[name] == (apart[name] != "") {
			found = append(found, name+" has no row, or is both in a row and apart")
		}
	}
	return found, nil
}
