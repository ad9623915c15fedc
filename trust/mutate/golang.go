package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// The faults of Go code, as rules for the nodes of its syntax. The generator is Go
// too: there a statement that is dropped is an instruction of every body.
var goRules = []struct {
	name, what string
	weight     int
	faults     func(f *goFile, n ast.Node)
}{
	{"boundary", "the boundary on the other side", 2, binary(map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR})},
	{"condition", "the opposite condition", 2, binary(map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GTR: token.LEQ})},
	{"logic", "or instead of and, or the reverse", 1, binary(map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND})},
	{"arithmetic", "another operation", 2, binary(map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
		token.AND: token.OR, token.OR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL})},
	{"constant", "a constant off by one", 2, func(f *goFile, n ast.Node) {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.INT {
			if v, err := strconv.ParseInt(l.Value, 0, 64); err == nil {
				f.replace(l.Pos(), l.End(), strconv.FormatInt(v+1, 10))
			}
		}
	}},
	{"dropped", "a statement is missing", 4, func(f *goFile, n ast.Node) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		}
		for _, s := range list {
			switch s := s.(type) {
			case *ast.AssignStmt:
				if s.Tok != token.DEFINE {
					f.replace(s.Pos(), s.End(), "")
				}
			case *ast.ExprStmt, *ast.IncDecStmt:
				f.replace(s.Pos(), s.End(), "")
			}
		}
	}},
	{"check", "a check is missing", 3, func(f *goFile, n ast.Node) {
		if i, ok := n.(*ast.IfStmt); ok && i.Init == nil && i.Else == nil && len(i.Body.List) == 1 {
			switch i.Body.List[0].(type) {
			case *ast.ReturnStmt, *ast.BranchStmt:
				f.replace(i.Cond.Pos(), i.Cond.End(), "false && ("+f.text(i.Cond)+")")
			}
		}
	}},
	{"min and max", "a minimum instead of a maximum, or the reverse", 1, calls(map[string]string{"min": "max", "max": "min"})},
	{"unsigned compare", "unsigned numbers compared as signed", 2, calls(map[string]string{"uint": "int", "uint32": "int32", "uint64": "int64"})},
	{"result", "another result", 1, func(f *goFile, n ast.Node) {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
			if other := map[string]string{"true": "false", "false": "true", "-1": "0", "nil": "", "0": "1"}[f.text(r.Results[0])]; other != "" {
				f.replace(r.Results[0].Pos(), r.Results[0].End(), other)
			}
		}
	}},
	{"last wins", "updates in the reverse order", 1, func(f *goFile, n ast.Node) {
		r, ok := n.(*ast.RangeStmt)
		if !ok || r.Key == nil || r.Value != nil || r.Tok != token.DEFINE {
			return
		}
		key, over := f.text(r.Key), f.text(r.X)
		if strings.ContainsAny(over, "[]{}") || key == "_" || strings.Contains(over, "(") && !strings.HasPrefix(over, "len(") && !strings.HasPrefix(over, "min(") {
			return // not a number
		}
		f.replace(r.Pos(), r.Body.Pos(), "for "+key+" := "+over+" - 1; "+key+" >= 0; "+key+"-- ")
	}},
}

// A goFile is a file that faults are looked for in.
type goFile struct {
	*token.FileSet
	target, name, source string
	rule, what, where    string // of the next
	weight               int
	found                []*mutation
}

func (f *goFile) text(n ast.Node) string {
	return f.source[f.Position(n.Pos()).Offset:f.Position(n.End()).Offset]
}

func (f *goFile) replace(from, to token.Pos, text string) {
	start, end := f.Position(from), f.Position(to)
	f.found = append(f.found, &mutation{target: f.target, rule: f.rule, weight: f.weight, what: f.what, file: f.name, where: f.where, line: start.Line,
		start: start.Offset, end: end.Offset, old: f.source[start.Offset:end.Offset], new: text})
}

// goFaults applies the rules to a file of Go.
func goFaults(target, name, source string) ([]*mutation, error) {
	f := &goFile{FileSet: token.NewFileSet(), target: target, name: name, source: source}
	parsed, err := parser.ParseFile(f.FileSet, name, source, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		f.where = fn.Name.Name
		if fn.Recv != nil {
			f.where = strings.Trim(f.text(fn.Recv.List[0].Type), "*") + "." + f.where
		}
		for _, r := range goRules {
			f.rule, f.what, f.weight = r.name, r.what, r.weight
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				r.faults(f, n)
				return true
			})
		}
	}
	return f.found, nil
}

func binary(of map[token.Token]token.Token) func(*goFile, ast.Node) {
	return func(f *goFile, n ast.Node) {
		if b, ok := n.(*ast.BinaryExpr); ok {
			if other, ok := of[b.Op]; ok {
				old := f.text(b)
				at := f.Position(b.OpPos).Offset - f.Position(b.Pos()).Offset
				f.replace(b.Pos(), b.End(), old[:at]+other.String()+old[at+len(b.Op.String()):])
			}
		}
	}
}

// calls replaces the name of a function of one name, which may be a conversion.
func calls(of map[string]string) func(*goFile, ast.Node) {
	return func(f *goFile, n ast.Node) {
		if c, ok := n.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok && of[id.Name] != "" {
				old := f.text(c)
				f.replace(c.Pos(), c.End(), of[id.Name]+old[len(id.Name):])
			}
		}
	}
}
