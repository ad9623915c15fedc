package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// avo writes each body out. Here what several bodies have in common becomes a macro, and what
// differs its parameters: first the fragments that the generator marks, then whole bodies. Two
// stretches of code share a macro if they have as many lines, each with as many tokens, and differ
// in few of them. To the assembler nothing changes (TestMacros).

// A fragment is code that is emitted several times.
type fragment struct {
	name, doc string
	registers map[string]reg.Register // those that may differ, by what they are for
}

// fragment emits code that becomes a macro if it is emitted several times.
func (g *gen) fragment(p fragment, emit func()) {
	g.Comment(fragmentBegins + strconv.Itoa(len(g.fragments)))
	g.fragments = append(g.fragments, p)
	emit()
	g.Comment(fragmentEnds)
}

const (
	fragmentBegins, fragmentEnds = "fragment ", "end of fragment"
	mostParameters               = 9 // or a macro is harder to read than what it stands for
)

// withoutMarks takes the marks of fragments out of a file.
func withoutMarks(f *ir.File) {
	for _, fn := range f.Functions() {
		fn.Nodes = slices.DeleteFunc(fn.Nodes, func(n ir.Node) bool {
			c, ok := n.(*ir.Comment)
			return ok && (c.Lines[0] == fragmentEnds || strings.HasPrefix(c.Lines[0], fragmentBegins))
		})
	}
}

// A stretch is the code of a body or of a fragment.
type stretch struct {
	name         string // of the fragment, or the symbol
	doc          string
	lines        []string          // "\tMOVQ AX, BX", "label:", "\t// comment"
	inner        map[int]*stretch  // fragments, by the line where they are
	registers    map[string]string // what registers are for
	width, index int               // bytes of the body's elements and of its indices, 0 if it has none
	fn           *ir.Function
	macro        *macro // that stands for it, if any
	call         string // and how
}

// A macro is what stretches have in common.
type macro struct {
	name   string
	params []string
	args   [][]string // of each of the stretches
	lines  []string
	of     []*stretch
}

// sharer collects the stretches of a file.
type sharer struct {
	fragments []fragment
	found     []*stretch        // of fragments, those within others first, in each body
	macros    map[string]*macro // that are not printed yet, by name
	out       []string
}

// share prints a file with macros.
func share(f *ir.File, fragments []fragment) (string, error) {
	s := &sharer{fragments: fragments, macros: map[string]*macro{}}
	of := map[string]body{}
	for i := range families {
		for _, b := range families[i].bodiesOf(amd64) {
			of[b.symbol] = b
		}
	}
	var bodies []*stretch
	for _, fn := range f.Functions() {
		bodies = append(bodies, s.read(fn, of[fn.Name]))
	}
	byName := map[string][]*stretch{}
	for _, p := range s.found {
		byName[p.name] = append(byName[p.name], p)
	}
	var group func(name string)
	group = func(name string) { // after those that are within them, in any body
		all := byName[name]
		delete(byName, name)
		for _, p := range all {
			for k := range p.lines { // in order, which names macros
				if within := p.inner[k]; within != nil {
					group(within.name)
				}
			}
		}
		s.group(all)
	}
	for _, p := range s.found {
		group(p.name)
	}
	s.group(bodies)

	constants := map[string]string{}
	for _, section := range f.Sections {
		if c, ok := section.(*ir.Global); ok {
			text, err := printer.NewGoAsm(printer.Config{}).Print(&ir.File{Sections: []ir.Section{c}})
			if err != nil {
				return "", err
			}
			constants[c.Symbol.Name] = string(text[bytes.Index(text, []byte("DATA")) : len(text)-1])
		}
	}
	head := *f
	head.Sections = nil
	text, err := printer.NewGoAsm(printer.Config{Name: "asmgen", Pkg: "lanes"}).Print(&head)
	s.out = []string{strings.TrimSpace(string(text)), strings.TrimSpace(legend)}
	for _, b := range bodies { // vet takes a macro after a TEXT for a part of it
		if b.macro != nil {
			s.define(b.call)
		} else {
			s.define(b.lines...)
		}
	}
	for _, b := range bodies {
		for _, l := range b.lines {
			if m := constantPattern.FindStringSubmatch(l); m != nil && constants[m[1]] != "" {
				s.out = append(s.out, constants[m[1]])
				delete(constants, m[1])
			}
		}
		s.print(b)
	}
	return strings.Join(s.out, "\n\n") + "\n", err
}

const legend = `
// kernels_amd64.go says what each body does, as a loop in Go.
//
// A macro is what several bodies have in common. Its parameters are, unless their names say more:
//
//	w, i    bytes of an element, and of an index
//	mov, …  an instruction, by how it begins
//	r, v    a general register, and one of vectors
//	n, at   a number, and one that is added to an address
`

// The 0 of an address is written out until it is printed: it may be a parameter.
var addressPattern, zeroPattern = regexp.MustCompile(`([ ,])\(`), regexp.MustCompile(`([ ,])0\(`)

var constantPattern = regexp.MustCompile(`(\w+)<>\+`)

// read returns the stretch of a function.
func (s *sharer) read(fn *ir.Function, b body) *stretch {
	whole := &stretch{name: fn.Name, inner: map[int]*stretch{}, fn: fn}
	if b.elem != "" {
		whole.width = b.width()
	}
	if b.index != "" {
		whole.index = b.indexWidth()
	}
	open := []*stretch{whole} // and the fragments that have begun and not ended
	for _, l := range linesOf(fn) {
		in := open[len(open)-1]
		number, begins := strings.CutPrefix(l, "\t// "+fragmentBegins)
		switch {
		case begins:
			k, err := strconv.Atoi(number)
			if err != nil {
				panic(err)
			}
			p := &stretch{name: s.fragments[k].name, doc: s.fragments[k].doc, inner: map[int]*stretch{}, registers: map[string]string{}, width: whole.width, index: whole.index, fn: fn}
			for name, r := range s.fragments[k].registers {
				p.registers[fn.Allocation.LookupRegister(r).Asm()] = name
			}
			in.inner[len(in.lines)] = p
			in.lines = append(in.lines, "")
			open = append(open, p)
		case l == "\t// "+fragmentEnds:
			s.found = append(s.found, in)
			open = open[:len(open)-1]
		default:
			in.lines = append(in.lines, l)
		}
	}
	return whole
}

func linesOf(fn *ir.Function) (lines []string) {
	for _, n := range fn.Nodes {
		switch n := n.(type) {
		case *ir.Instruction:
			l, between := "\t"+n.OpcodeWithSuffixes(), " "
			for _, o := range n.Operands {
				l += between + strings.Replace(o.Asm(), "$+", "$", 1)
				between = ", "
			}
			lines = append(lines, addressPattern.ReplaceAllString(l, "${1}0("))
		case ir.Label:
			lines = append(lines, string(n)+":")
		case *ir.Comment:
			for _, c := range n.Lines {
				lines = append(lines, "\t// "+c)
			}
		}
	}
	return lines
}

// settle puts the fragments of a stretch, or their macros, in their places.
func (t *stretch) settle() {
	var lines []string
	for k, l := range t.lines {
		p := t.inner[k]
		switch {
		case p == nil:
			lines = append(lines, l)
		case p.macro != nil:
			lines = append(lines, p.call)
		default:
			lines = append(lines, p.lines...)
		}
	}
	t.lines, t.inner = lines, nil
}

// group makes macros for stretches: each takes the first of them and all others that it can.
func (s *sharer) group(all []*stretch) {
	byShape := map[string][]*macro{}
	var order []*macro
next:
	for _, t := range all {
		t.settle()
		key := t.shape()
		for _, m := range byShape[key] {
			if wider := unify(append(slices.Clone(m.of), t)); wider != nil {
				*m = *wider
				continue next
			}
		}
		m := unify([]*stretch{t})
		byShape[key] = append(byShape[key], m)
		order = append(order, m)
	}
	for _, m := range order {
		if len(m.of) == 1 || len(m.lines) < 4 {
			continue
		}
		s.name(m)
		for k, t := range m.of {
			t.macro, t.call = m, "\t"+m.name
			if len(m.params) > 0 {
				t.call += "(" + strings.Join(m.args[k], ", ") + ")"
			}
		}
	}
}

// name gives a macro a name that no other has.
func (s *sharer) name(m *macro) {
	var names, owners []string
	for _, t := range m.of {
		names, owners = append(names, t.name), append(owners, t.fn.Name)
	}
	words := sharedWords(names)
	name := strings.Join(words, "_")
	if s.macros[name] != nil { // the kinds or the level that it is for may tell it apart
		for _, w := range sharedWords(owners) {
			if (kind(w) != "" || strings.HasPrefix(w, "AVX")) && !slices.Contains(words, w) {
				name += "_" + w
			}
		}
	}
	m.name = name
	for k := 2; s.macros[m.name] != nil; k++ {
		m.name = fmt.Sprint(name, "_", k)
	}
	s.macros[m.name] = m
}

var (
	// A number has its sign, an immediate its $, and a parameter of a body its place.
	tokenPattern    = regexp.MustCompile(`\w+[-+]\d+\(FP\)|\$?[-+]?(?:0x[0-9a-f]+|\d+)|[A-Za-z_·][\w.·<>]*|\S`)
	numberPattern   = regexp.MustCompile(`^(\$?)([-+]?(?:0x[0-9a-f]+|\d+))$`)
	registerPattern = regexp.MustCompile(`^(?:([XYZK])|R)\d+$|^[A-D]X$|^[SD]I$|^BP$`)
	kindPattern     = regexp.MustCompile(`^(X|I|U|F|BF)\d*$`)
	camelPattern    = regexp.MustCompile(`[A-Z]+[0-9]*[a-z]*|[a-z]+`)
)

// shape returns what stretches have in common that may share a macro.
func (t *stretch) shape() string {
	var b strings.Builder
	for _, l := range t.lines {
		fmt.Fprint(&b, len(tokenPattern.FindAllString(l, -1)), strings.HasSuffix(l, ":"), " ")
	}
	return b.String()
}

// unify returns what stretches of one shape have in common, or nil if they differ in too much.
func unify(of []*stretch) *macro {
	m := &macro{of: of, args: make([][]string, len(of))}
	used := map[string]bool{} // words that stay
	for n, line := range of[0].lines {
		for j, token := range tokenPattern.FindAllString(line, -1) {
			if !slices.ContainsFunc(of, func(t *stretch) bool { return tokenPattern.FindAllString(t.lines[n], -1)[j] != token }) {
				name, _, _ := strings.Cut(token, "+")
				used[name] = true
			}
		}
	}
	known := map[string]string{} // parameters, by their arguments
	param := func(name string, args []string) string {
		key := strings.Join(args, " ")
		if p, ok := known[key]; ok {
			return p
		}
		p := name
		for k := 2; used[p]; k++ {
			p = fmt.Sprint(name, k)
		}
		used[p], known[key] = true, p
		m.params = append(m.params, p)
		for k := range of {
			m.args[k] = append(m.args[k], args[k])
		}
		return p
	}
	for n, line := range of[0].lines {
		places := tokenPattern.FindAllStringIndex(line, -1)
		columns := make([][]string, len(places)) // each token of the line, of all stretches
		for _, t := range of {
			for j, token := range tokenPattern.FindAllString(t.lines[n], -1) {
				columns[j] = append(columns[j], token)
			}
		}
		var b strings.Builder
		end := 0
		for j, column := range columns {
			b.WriteString(line[end:places[j][0]])
			end = places[j][1]
			if token := column[0]; !slices.ContainsFunc(column, func(t string) bool { return t != token }) {
				b.WriteString(token)
				continue
			}
			c := context{opcode: j == 0 && !strings.HasSuffix(line, ":"), scale: j > 0 && columns[j-1][0] == "*", address: strings.HasPrefix(line[end:], "("), shift: strings.HasPrefix(line, "\tSH")}
			b.WriteString(c.parameter(column, of, param))
		}
		m.lines = append(m.lines, b.String()+line[end:])
	}
	if len(m.params) > mostParameters {
		return nil
	}
	return m
}

// context is where a token stands.
type context struct{ opcode, scale, address, shift bool }

// parameter returns what stands for tokens that differ: a parameter, or a multiple of a width.
func (c context) parameter(column []string, of []*stretch, param func(name string, args []string) string) string {
	var numbers []int
	immediate := ""
	for _, token := range column {
		if m := numberPattern.FindStringSubmatch(token); m != nil {
			n, err := strconv.ParseInt(m[2], 0, 64)
			if err != nil {
				panic(err)
			}
			numbers, immediate = append(numbers, int(n)), m[1]
		}
	}
	if len(numbers) < len(column) {
		return param(c.word(column, of), column)
	}
	if p, ok := c.multiple(numbers, of, "w", func(t *stretch) int { return t.width }, param); ok {
		return immediate + p
	}
	if p, ok := c.multiple(numbers, of, "i", func(t *stretch) int { return t.index }, param); ok {
		return immediate + p
	}
	plain := make([]string, len(column))
	for k, n := range numbers {
		plain[k] = strconv.Itoa(n)
	}
	switch {
	case c.shift:
		return immediate + param("shift", plain)
	case c.address:
		return immediate + param("at", plain)
	}
	return immediate + param("n", plain)
}

// multiple returns numbers as one multiple of a width, if they are.
func (c context) multiple(numbers []int, of []*stretch, name string, width func(t *stretch) int, param func(name string, args []string) string) (string, bool) {
	by := 0
	widths := make([]string, len(of))
	for k, t := range of {
		w := width(t)
		if w == 0 || numbers[k]%w != 0 || k > 0 && numbers[k]/w != by {
			return "", false
		}
		by, widths[k] = numbers[k]/w, strconv.Itoa(w)
	}
	if by == 0 || by != 1 && c.scale {
		return "", false
	}
	p := param(name, widths)
	switch {
	case by == -1:
		p = "-" + p
	case by != 1 && c.address:
		p = fmt.Sprint(by, "*", p)
	case by != 1:
		p = fmt.Sprint("(", by, "*", p, ")")
	}
	return p, true
}

// word names a parameter.
func (c context) word(column []string, of []*stretch) string {
	prefix := column[0]
	for _, t := range column {
		for !strings.HasPrefix(t, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	prefix = strings.TrimRight(prefix, "0123456789.")
	if strings.ToUpper(prefix) == prefix { // an opcode
		prefix = strings.ToLower(prefix)
	}
	m := registerPattern.FindStringSubmatch(column[0])
	switch {
	case c.opcode && len(prefix) > 1:
		return strings.TrimRight(prefix, "_")
	case c.opcode:
		return "op"
	case strings.HasSuffix(column[0], "(FP)"):
		name, _, _ := strings.Cut(column[0], "+")
		return name
	case strings.Contains(column[0], "<>"):
		return prefix
	case m != nil:
		if name, ok := of[0].registers[column[0]]; ok {
			return name
		}
		if m[1] != "" {
			return "v"
		}
		return "r"
	case strings.ToUpper(column[0]) == column[0]: // an argument of a macro within
		if len(prefix) > 1 {
			return strings.TrimRight(prefix, "_")
		}
		return "op"
	case len(prefix) > 2: // labels
		return prefix
	}
	return "label"
}

// sharedWords returns the words of names that all of them have, in capitals: of kinds that differ,
// what they share.
func sharedWords(names []string) []string {
	var words [][]string
	for _, name := range names {
		words = append(words, camelPattern.FindAllString(name, -1))
	}
	every := func(is func(other []string) bool) bool {
		return !slices.ContainsFunc(words, func(other []string) bool { return !is(other) })
	}
	aligned := every(func(other []string) bool { return len(other) == len(words[0]) })
	var shared []string
	for k, w := range words[0] {
		switch {
		case every(func(other []string) bool { return slices.Contains(other, w) }):
			shared = append(shared, w)
		case aligned && kind(w) != "" && every(func(other []string) bool { return kind(other[k]) == kind(w) }):
			shared = append(shared, kind(w))
		}
	}
	return strings.Split(strings.ToUpper(strings.Join(shared, " ")), " ")
}

// kind returns the letters of a kind, without its bits, or "".
func kind(word string) string {
	if m := kindPattern.FindStringSubmatch(word); m != nil {
		return m[1]
	}
	return ""
}

// define prints the macros that lines use and none before them.
func (s *sharer) define(lines ...string) {
	for _, name := range tokenPattern.FindAllString(strings.Join(lines, "\n"), -1) {
		m := s.macros[name]
		if m == nil {
			continue
		}
		delete(s.macros, name)
		s.define(m.lines...)
		doc := m.of[0].doc
		if doc == "" {
			doc = "is the body of " + m.of[0].name + " and " + m.of[1].name + "."
			if n := len(m.of) - 1; n > 1 {
				doc = fmt.Sprintf("is the body of %s and %d others.", m.of[0].name, n)
			}
		}
		define := "#define " + m.name
		if len(m.params) > 0 {
			define += "(" + strings.Join(m.params, ", ") + ")"
		}
		s.out = append(s.out, "// "+m.name+" "+doc+"\n"+define+strings.ReplaceAll("\n"+arranged(m.lines, "/* ", " */"), "\n", " \\\n"))
	}
}

// print prints a body, or with the first of those that share a macro all of them.
func (s *sharer) print(b *stretch) {
	if b.macro == nil {
		s.out = append(s.out, header(b.fn)+"\n"+opening(b.fn)+"\n"+arranged(b.lines, "// ", ""))
		return
	}
	if b.macro.of[0] != b {
		return
	}
	for k, t := range b.macro.of {
		head := header(t.fn)
		if k > 0 && requires(t.fn) == requires(b.fn) && parameters(t.fn) == parameters(b.fn) {
			head = ""
		}
		s.out = append(s.out, strings.TrimPrefix(head+"\n"+opening(t.fn)+"\n"+t.call, "\n"))
	}
}

// parameters is a body's, without its name.
func parameters(fn *ir.Function) string { return strings.TrimPrefix(fn.Stub(), "func "+fn.Name) }

// header says how a body is called, and what it needs.
func header(fn *ir.Function) string { return "// " + fn.Stub() + "\n" + requires(fn) }

func requires(fn *ir.Function) string { return "// Requires: " + strings.Join(fn.ISA, ", ") }

func opening(fn *ir.Function) string {
	return fmt.Sprintf("TEXT ·%s(SB), %s, $%d-%d", fn.Name, fn.Attributes.Asm(), fn.FrameBytes(), fn.ArgumentBytes())
}

// arranged puts the operands of the lines between labels in one column, and a blank line before
// labels and comments.
func arranged(lines []string, comment, end string) string {
	var out []string
	var column []int // lines of out since a label
	widest := 0
	align := func() {
		for _, k := range column {
			op, args, _ := strings.Cut(out[k], " ")
			out[k] = fmt.Sprintf("%-*s %s", widest, op, args)
		}
		column, widest = nil, 0
	}
	for k, l := range lines {
		l = zeroPattern.ReplaceAllString(l, "${1}(")
		text, isComment := strings.CutPrefix(l, "\t// ")
		if isComment || strings.HasSuffix(l, ":") {
			align()
			if k > 0 {
				out = append(out, "")
			}
			if isComment {
				l = "\t" + comment + text + end
			}
		} else if op, _, ok := strings.Cut(l, " "); ok && !strings.Contains(op, "(") {
			column, widest = append(column, len(out)), max(widest, len(op))
		}
		out = append(out, l)
	}
	align()
	return strings.Join(out, "\n")
}
