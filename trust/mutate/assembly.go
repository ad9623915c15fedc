package main

import (
	"regexp"
	"strings"
)

// A statement is an instruction of Go's assembler, wherever it stands: on a line of a TEXT,
// or among others in a macro.
type statement struct {
	where      string // the TEXT or macro
	line       int
	start, end int // in the file
	text       string
	op         string
	args       []string
	params     []string // of the TEXT, where its declaration is a comment above it
}

// with returns the statement with other arguments.
func (s *statement) with(op string, args ...string) string {
	return strings.TrimSpace(op + " " + strings.Join(args, ", "))
}

// replaced returns the statement with argument i another one.
func (s *statement) replaced(i int, arg string) string {
	args := append([]string(nil), s.args...)
	args[i] = arg
	return s.with(s.op, args...)
}

var (
	textLine    = regexp.MustCompile(`^TEXT\s+·(\w+)\(SB\)`)
	defineLine  = regexp.MustCompile(`^#define\s+(\w+)(\([^)]*\))?`)
	labelLine   = regexp.MustCompile(`^\w+:$`)
	paramsLine  = regexp.MustCompile(`^// func \w+\((.*?)\)`)
	instruction = regexp.MustCompile(`^[A-Z][A-Z0-9.]*$`)
)

// statements reads a file of assembly.
func statements(source string) (all []*statement) {
	where, macro := "", ""
	var params []string
	at := 0
	for i, line := range strings.SplitAfter(source, "\n") {
		from := at
		at += len(line)
		body := strings.TrimRight(line, " \t\n\\")
		if m := paramsLine.FindStringSubmatch(body); m != nil {
			params = paramNames(m[1])
		}
		if k := strings.Index(body, "//"); k >= 0 {
			body = body[:k]
		}
		if m := textLine.FindStringSubmatch(body); m != nil {
			where = m[1]
			continue
		}
		name := where
		if m := defineLine.FindString(body); m != "" {
			macro = defineLine.FindStringSubmatch(body)[1]
			body, from = body[len(m):], from+len(m)
		}
		if macro != "" {
			name = macro
		}
		if !strings.HasSuffix(strings.TrimRight(line, " \t\n"), `\`) {
			macro = ""
		}
		for part := range strings.SplitSeq(body, ";") {
			text := strings.TrimSpace(part)
			start := from + strings.Index(part, text)
			from += len(part) + 1
			if text == "" || labelLine.MatchString(text) || text[0] == '#' {
				continue
			}
			s := &statement{where: name, line: i + 1, start: start, end: start + len(text), text: text, params: params}
			op, args, _ := strings.Cut(text, " ")
			s.op, s.args = op, split(args)
			all = append(all, s)
		}
	}
	return all
}

// split takes arguments apart at commas outside brackets.
func split(args string) (all []string) {
	depth, from := 0, 0
	for i, c := range args {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			all = append(all, strings.TrimSpace(args[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(args[from:]); last != "" {
		all = append(all, last)
	}
	return all
}

func paramNames(list string) (names []string) {
	for p := range strings.SplitSeq(list, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(p), " ")
		names = append(names, name)
	}
	return names
}

// A rule makes faults of statements: the replacements of one, "" to leave it out.
type rule struct {
	name, what string
	weight     int // how many times as often as others it is sampled
	faults     func(s *statement) []string
}

// apply applies rules to a file of assembly.
func apply(rules []rule, target, file, source string) (all []*mutation) {
	list := statements(source)
	for _, r := range rules {
		for _, s := range list {
			for _, text := range r.faults(s) {
				if flat(text) == flat(s.text) {
					continue
				}
				all = append(all, &mutation{target: target, rule: r.name, weight: r.weight, what: r.what, file: file, where: s.where, line: s.line,
					start: s.start, end: s.end, old: s.text, new: text})
			}
		}
	}
	return all
}
