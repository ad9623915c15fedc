package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// The generated Go code: the declarations of the bodies, and the functions that choose one.
// A family's function is
//
//	//go:noinline
//	func resolvePiece(on isa, index int, …) (int, bool) {
//		if on.level < the least level of a body {
//			return 0, false
//		}
//		switch index {
//		case 4:
//			if on.level >= dispatch.AVX512 {
//				return resolveI32AVX512(…), true
//			}
//			return resolveI32AVX2(…), true
//		}
//		return 0, false
//	}
//
// Calls are static, since one through a table of functions would make the callers' slices
// escape to the heap. Each family has a function, so that a program has no body that it never
// calls. It is not inlined, and has a frame: its prologue is where a goroutine that has
// been asked to stop does so.

// A decl is a declaration below its comment.
type decl struct {
	doc  string
	node ast.Decl
}

// declarations returns kernels_<arch>.go.
func declarations(a arch) ([]byte, error) {
	var decls []decl
	for i := range families {
		f := &families[i]
		for j, b := range f.bodiesOf(a) {
			doc := b.symbol + " is a body of " + f.name + ".\n\n//go:noescape"
			if j == 0 {
				doc = f.doc() + "\n" + doc
			}
			decls = append(decls, decl{doc, &ast.FuncDecl{Name: ast.NewIdent(b.symbol), Type: signature(f.sig)}})
		}
	}
	return source(a.constraint(), decls)
}

// doc returns the comment of a family.
func (f *family) doc() string {
	s := "The bodies of " + f.name + " are\n\n\t" + strings.ReplaceAll(strings.TrimSpace(f.loop), "\n", "\n\t") + "\n"
	note := f.note
	if f.step > 0 {
		note = fmt.Sprintf("n is a multiple of %d. %s", f.step, note)
	}
	return s + "\n" + wrapped(note)
}

// wrapped breaks a text into lines.
func wrapped(s string) string {
	const most = 90
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(s) {
		switch {
		case n+len(word) >= most:
			b.WriteString("\n")
			n = 0
		case n > 0:
			b.WriteString(" ")
		}
		b.WriteString(word)
		n += len(word) + 1
	}
	if n > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// switches returns bodies_<arch>.go.
func switches(a arch) ([]byte, error) { return switchesOf(a, false) }

// maskable returns bodies_<arch>.go in which any body can be masked: each is asked for by
// allowed(symbol), which a test provides. It is for the measurement of gains (gains_test.go
// in the root), and not a part of the library.
func maskable(a arch) ([]byte, error) { return switchesOf(a, true) }

func switchesOf(a arch, masks bool) ([]byte, error) {
	decls := constantsOf(a)
	for i := range families {
		f := &families[i]
		if f.asked {
			decls = append(decls, f.runs(a))
		}
		decls = append(decls, f.choice(a, masks))
	}
	decls = append(decls, permuterChoice(a, masks))
	if masks {
		var symbols []string
		for i := range families {
			for _, b := range families[i].bodiesOf(a) {
				symbols = append(symbols, b.symbol)
			}
		}
		decls = append(decls, decl{"symbols is the bodies of this port.", &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{
			&ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent("symbols")}, Values: exprs(fmt.Sprintf("%#v", symbols))},
		}}})
	}
	return source(a.constraint(), decls)
}

// choice returns the function that chooses among a family's bodies.
func (f *family) choice(a arch, masks bool) decl {
	name := f.name + "Piece"
	d := &ast.FuncDecl{Name: ast.NewIdent(name), Type: signature(f.sig), Body: &ast.BlockStmt{}}
	c := chooser{masks: masks, results: d.Type.Results.NumFields(), missing: returns(append(f.zeros(), "false")...)}
	list, results, _ := strings.Cut(strings.TrimPrefix(f.sig, "func("), ")")
	params := "on isa, "
	for _, k := range f.keys {
		params += k.param + " " + k.typ + ", "
	}
	for _, p := range d.Type.Params.List {
		for _, n := range p.Names {
			c.args = append(c.args, n)
		}
	}
	results = strings.Trim(results, " ()")
	switch {
	case results == "":
		results = "bool"
	case c.results > 1: // they have names
		results = "(" + results + ", ok bool)"
	default:
		results = "(" + results + ", bool)"
	}
	d.Type = signature("func(" + params + list + ") " + results)

	bodies := f.bodiesOf(a)
	if len(bodies) == 0 {
		d.Body.List = []ast.Stmt{c.missing}
		return decl{name + " has no body here.", d}
	}
	c.least, c.trait = common(bodies)
	lacks := "on.level < dispatch." + c.least
	if c.trait != "" {
		lacks += " || on.traits&dispatch." + c.trait + " == 0"
	}
	d.Body.List = append(d.Body.List, &ast.IfStmt{Cond: expr(lacks), Body: block(c.missing)})
	d.Body.List = append(d.Body.List, c.over(f.keys, preferred(bodies))...)
	return decl{name + " runs a body of " + f.name + ", if there is one.\n\n//go:noinline", d}
}

// common returns the least level that a body needs, and the trait that all need.
func common(bodies []body) (level, trait string) {
	level, trait = bodies[0].level, bodies[0].trait
	for _, b := range bodies {
		if slices.Index(levelOrder, b.level) > slices.Index(levelOrder, level) {
			level = b.level
		}
		if b.trait != trait {
			trait = ""
		}
	}
	return level, trait
}

// condition returns the test that a CPU has a level and a trait.
func condition(level, trait string) string {
	c := "on.level >= dispatch." + level
	if trait != "" {
		c += " && on.traits&dispatch." + trait + " != 0"
	}
	return c
}

// runs returns a function that reports whether a family may have a body, before the arguments are
// at hand.
func (f *family) runs(a arch) decl {
	name, answer := f.name+"Runs", "false"
	if bodies := f.bodiesOf(a); len(bodies) > 0 {
		answer = condition(common(bodies))
	}
	return decl{name + " reports whether some body of " + f.name + " can run.", &ast.FuncDecl{
		Name: ast.NewIdent(name), Type: signature("func(on isa) bool"), Body: block(returns(answer)),
	}}
}

// zeros returns a family's results where there is no body.
func (f *family) zeros() (list []string) {
	results := signature(f.sig).Results
	if results == nil {
		return nil
	}
	for _, r := range results.List {
		for range max(1, len(r.Names)) {
			list = append(list, map[string]string{"int": "0", "bool": "false"}[r.Type.(*ast.Ident).Name])
		}
	}
	return list
}

// preferred puts the bodies for one thing in the order in which they are to be taken, which is that
// of the rows.
func preferred(bodies []body) []body {
	bodies = slices.Clone(bodies)
	order := map[string]int{} // of what bodies are for
	what := func(b body) string { return b.op + " " + b.elem + " " + b.index }
	for _, b := range bodies {
		if _, ok := order[what(b)]; !ok {
			order[what(b)] = len(order)
		}
	}
	slices.SortStableFunc(bodies, func(x, y body) int {
		return cmp.Or(order[what(x)]-order[what(y)], x.place-y.place)
	})
	return bodies
}

// A chooser makes the statements of a choice.
type chooser struct {
	least   string // the level that is known to be there,
	trait   string // and the trait
	args    []ast.Expr
	results int
	missing ast.Stmt
	masks   bool
}

// over returns a switch over the first of the keys.
func (c *chooser) over(keys []key, bodies []body) []ast.Stmt {
	if len(keys) == 0 {
		return c.byLevel(bodies)
	}
	type choice struct {
		cases  []string
		bodies []body
	}
	var choices []choice
	for _, b := range bodies {
		cases := keys[0].of(b)
		i := slices.IndexFunc(choices, func(o choice) bool { return slices.Equal(o.cases, cases) })
		if i < 0 {
			i = len(choices)
			choices = append(choices, choice{cases: cases})
		}
		choices[i].bodies = append(choices[i].bodies, b)
	}
	if len(choices) == 1 && choices[0].cases == nil {
		return c.over(keys[1:], bodies)
	}
	s := &ast.SwitchStmt{Tag: expr(keys[0].param), Body: &ast.BlockStmt{}}
	for _, o := range choices {
		clause := &ast.CaseClause{Body: c.over(keys[1:], o.bodies)}
		for _, x := range o.cases {
			clause.List = append(clause.List, expr(x))
		}
		if last := len(clause.Body) - 1; len(keys) > 1 && clause.Body[last] == c.missing {
			clause.Body = clause.Body[:last] // it stands behind the outermost switch
		}
		s.Body.List = append(s.Body.List, clause)
	}
	return []ast.Stmt{s, c.missing}
}

// byLevel returns calls of the first of bodies whose level and trait are there.
func (c *chooser) byLevel(bodies []body) (list []ast.Stmt) {
	for _, b := range bodies {
		var conds []string
		if b.level != c.least {
			conds = append(conds, "on.level >= dispatch."+b.level)
		}
		if b.trait != c.trait {
			conds = append(conds, "on.traits&dispatch."+b.trait+" != 0")
		}
		if b.when != "" {
			conds = append(conds, b.when)
		}
		if c.masks {
			conds = append(conds, allowed(b.symbol))
		}
		call := c.call(b)
		if conds == nil {
			return append(list, call...)
		}
		list = append(list, &ast.IfStmt{Cond: expr(strings.Join(conds, " && ")), Body: block(call...)})
	}
	return append(list, c.missing)
}

// call returns the call of a body, with its results.
func (c *chooser) call(b body) []ast.Stmt {
	call := &ast.CallExpr{Fun: ast.NewIdent(b.symbol), Args: c.args}
	yes := expr("true")
	switch c.results {
	case 0:
		return []ast.Stmt{&ast.ExprStmt{X: call}, &ast.ReturnStmt{Results: []ast.Expr{yes}}}
	case 1:
		return []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{call, yes}}}
	}
	// Several results have names.
	assign := &ast.AssignStmt{Tok: token.ASSIGN, Rhs: []ast.Expr{call}}
	for _, r := range signature(b.sig).Results.List {
		for _, n := range r.Names {
			assign.Lhs = append(assign.Lhs, n)
		}
	}
	return []ast.Stmt{assign, &ast.ReturnStmt{Results: append(slices.Clone(assign.Lhs), yes)}}
}

// allowed asks whether a body is not masked.
func allowed(symbol string) string { return fmt.Sprintf("allowed(%q)", symbol) }

// permuterChoice returns the function that chooses how elements are permuted.
func permuterChoice(a arch, masks bool) decl {
	d := &ast.FuncDecl{
		Name: ast.NewIdent("permuterOf"),
		Type: signature("func(on isa, width int) (by permuter, made int, ok bool)"),
		Body: &ast.BlockStmt{},
	}
	for _, p := range permuters {
		if !slices.Contains(a.levels, p.level) {
			continue
		}
		cond := condition(p.level, p.trait)
		if p.unit > 1 {
			cond += fmt.Sprintf(" && width >= %d", p.unit)
		}
		if masks { // both are of this permutation
			cond += " && " + allowed("copySteps"+p.elem+p.level) + " && " + allowed("copyPeriods"+p.elem+p.level)
		}
		d.Body.List = append(d.Body.List, &ast.IfStmt{Cond: expr(cond), Body: block(returns(p.name, strconv.Itoa(p.made), "true"))})
	}
	d.Body.List = append(d.Body.List, returns("0", "0", "false"))
	return decl{"permuterOf returns how elements of a width are permuted, and how many bytes a step makes.", d}
}

// constantsOf returns the constants of an architecture.
func constantsOf(a arch) (decls []decl) {
	add := func(name, value, doc string) {
		decls = append(decls, decl{strings.TrimSpace(wrapped(name + " " + doc)), &ast.GenDecl{Tok: token.CONST, Specs: []ast.Spec{
			&ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent(name)}, Values: exprs(value)},
		}}})
	}
	add("assembled", strconv.FormatBool(a.levels != nil), "says whether there are bodies at all.")
	for _, f := range families {
		if f.step > 0 {
			add(f.name+"Step", strconv.Itoa(f.step), "is what n is a multiple of in a call of "+f.name+"Piece.")
		}
	}
	for _, c := range constants {
		add(c.name, c.value(a), c.doc)
	}
	return decls
}

// constraint returns the build constraint of an architecture's files, where their names are not
// enough.
func (a arch) constraint() string {
	if a.levels == nil {
		return "!(amd64 || arm64) || purego || noasm"
	}
	return "!purego && !noasm"
}

// source prints a file.
func source(constraint string, decls []decl) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by asmgen. DO NOT EDIT.\n\n//go:build %s\n\npackage lanes\n\n", constraint)
	if slices.ContainsFunc(decls, func(d decl) bool { return uses(d.node, "dispatch") }) {
		b.WriteString("import \"github.com/lanes-go/lanes/dispatch\"\n")
	}
	for _, d := range decls {
		b.WriteString("\n" + comment(d.doc))
		if err := format.Node(&b, token.NewFileSet(), d.node); err != nil {
			return nil, err
		}
		b.WriteString("\n")
	}
	return format.Source(b.Bytes())
}

// uses reports whether a declaration has a name.
func uses(d ast.Decl, name string) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		x, ok := n.(*ast.Ident)
		found = found || ok && x.Name == name
		return true
	})
	return found
}

// expr parses an expression.
func expr(s string) ast.Expr {
	x, err := parser.ParseExpr(s)
	if err != nil {
		panic(fmt.Errorf("%q: %w", s, err))
	}
	return x
}

// signature parses the type of a function.
func signature(s string) *ast.FuncType { return expr(s).(*ast.FuncType) }

// exprs parses each of several.
func exprs(list ...string) (all []ast.Expr) {
	for _, s := range list {
		all = append(all, expr(s))
	}
	return all
}

func returns(list ...string) *ast.ReturnStmt { return &ast.ReturnStmt{Results: exprs(list...)} }

func block(list ...ast.Stmt) *ast.BlockStmt { return &ast.BlockStmt{List: list} }

// comment makes a comment of lines. Directives stand as they are.
func comment(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		switch {
		case strings.HasPrefix(line, "//go:"):
			b.WriteString(line)
		case line == "\n" || line[0] == '\t':
			b.WriteString("//" + line)
		default:
			b.WriteString("// " + line)
		}
	}
	return b.String() + "\n"
}
