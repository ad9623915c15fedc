package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The functions that choose a body are read back as Go, and run for every key, level and set
// of traits.

// levelNumbers are the levels in the order of package dispatch, and one above all of them.
var levelNumbers = func() map[string]int {
	numbers := map[string]int{"Generic": 0, "made up": len(levelOrder) + 1}
	for i, level := range levelOrder {
		numbers[level] = len(levelOrder) - i
	}
	return numbers
}()

// A machine is what a choice depends on.
type machine struct {
	level  int
	traits []string
	keys   map[string]string // the value of each parameter that is a key
	fits   bool              // what conditions on the other arguments say
}

// chosen returns the body that a function calls on a machine, or "".
func (m *machine) chosen(t *testing.T, list []ast.Stmt) (symbol string, returned bool) {
	calls := func(x ast.Expr) {
		if c, ok := x.(*ast.CallExpr); ok {
			symbol = c.Fun.(*ast.Ident).Name
		}
	}
	for _, s := range list {
		var inner []ast.Stmt
		switch s := s.(type) {
		case *ast.IfStmt:
			if !m.holds(t, s.Cond) {
				continue
			}
			inner = s.Body.List
		case *ast.SwitchStmt:
			value, ok := m.keys[s.Tag.(*ast.Ident).Name]
			require.True(t, ok, "a switch over %s, which is no key", s.Tag)
			for _, c := range s.Body.List {
				clause := c.(*ast.CaseClause)
				require.NotEmpty(t, clause.List, "a default")
				if slices.ContainsFunc(clause.List, func(x ast.Expr) bool { return text(x) == value }) {
					inner = clause.Body
				}
			}
		case *ast.ExprStmt:
			calls(s.X)
			continue
		case *ast.AssignStmt:
			calls(s.Rhs[0])
			continue
		case *ast.ReturnStmt:
			calls(s.Results[0])
			if ok := text(s.Results[len(s.Results)-1]); ok == "false" {
				require.Empty(t, symbol, "a body ran, and the result says that none did")
			}
			return symbol, true
		default:
			t.Fatalf("a statement of type %T", s)
		}
		if symbol, returned = m.chosen(t, inner); returned {
			return symbol, true
		}
	}
	return "", false
}

// holds evaluates a condition.
func (m *machine) holds(t *testing.T, x ast.Expr) bool {
	b := x.(*ast.BinaryExpr)
	switch b.Op {
	case token.LAND:
		return m.holds(t, b.X) && m.holds(t, b.Y)
	case token.LOR:
		return m.holds(t, b.X) || m.holds(t, b.Y)
	}
	left, right := text(b.X), text(b.Y)
	trait, ofTraits := strings.CutPrefix(left, "on.traits&dispatch.")
	switch {
	case left == "on.level":
		level, ok := levelNumbers[strings.TrimPrefix(right, "dispatch.")]
		require.True(t, ok, right)
		require.Contains(t, []token.Token{token.GEQ, token.LSS}, b.Op, "a level is at least another, or below it, so that a new one has the bodies below")
		return (m.level >= level) == (b.Op == token.GEQ)
	case ofTraits:
		return slices.Contains(m.traits, trait) == (b.Op == token.NEQ)
	}
	require.NotContains(t, left+right, "on.", "a condition that is not understood")
	return m.fits
}

// text writes an expression of names and numbers.
func text(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.BasicLit:
		return x.Value
	case *ast.SelectorExpr:
		return text(x.X) + "." + x.Sel.Name
	case *ast.BinaryExpr:
		return text(x.X) + x.Op.String() + text(x.Y)
	}
	return "…"
}

// functions returns the functions of a file of the root.
func functions(t *testing.T, name string) map[string]*ast.FuncDecl {
	f, err := parser.ParseFile(token.NewFileSet(), "../"+name, nil, parser.ParseComments)
	require.NoError(t, err)
	all := map[string]*ast.FuncDecl{}
	for _, d := range f.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all[f.Name.Name] = f
		}
	}
	return all
}

// values returns what a key can be: every case of a body of either architecture.
func (f *family) values(k key) (list []string) {
	for _, a := range []arch{amd64, arm64} {
		for _, b := range f.bodiesOf(a) {
			list = append(list, k.of(b)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// each calls test with every value of each key.
func (f *family) each(keys []key, chosen map[string]string, test func()) {
	if len(keys) == 0 {
		test()
		return
	}
	for _, v := range f.values(keys[0]) {
		chosen[keys[0].param] = v
		f.each(keys[1:], chosen, test)
	}
}

// best is the body that a machine is to run, by the table.
func (f *family) best(a arch, m *machine) string {
	var found []body
	for _, b := range f.bodiesOf(a) {
		ok := m.level >= levelNumbers[b.level] && (b.trait == "" || slices.Contains(m.traits, b.trait)) && (b.when == "" || m.fits)
		for _, k := range f.keys {
			cases := k.of(b)
			ok = ok && (cases == nil || slices.Contains(cases, m.keys[k.param]))
		}
		if ok {
			found = append(found, b)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MinFunc(found, func(x, y body) int { return x.place - y.place }).symbol
}

// lacking is the families without a body for some key, at a level that has others of them.
// The guards of all others count on a body.
var lacking = map[string]bool{
	"resolveOwned": true, "resolvePairs": true, "resolveTriples": true, "resolveTuples": true, "gather": true, "gatherColumns": true, "gatherTable": true, "gatherFew": true, "gatherEach": true, "gatherEachColumns": true, "gatherPairs": true, "gatherPattern": true, "scatterEach": true,
	"combine": true, "combineEach": true, "combineRows": true, "count": true, "scatterWords": true, "divide": true, "divideCounted": true, "divideWide": true,
	"copyTransposed": true, "copyEvery": true, "copyReversed": true, "copyThrees": true, "copySpaced": true, "copyTriples": true,
	"copyLong": true, "copySteps": true, "copyPeriods": true, // permuterOf says which there are
}

// TestChoices runs the choice of a body for every key, level and set of traits. A level above all
// others gets the bodies of the best, and one below has no body at all.
func TestChoices(t *testing.T) {
	for _, a := range []arch{amd64, arm64} {
		funcs := functions(t, "bodies_"+a.name+".go")
		for i := range families {
			f := &families[i]
			t.Run(a.name+"/"+f.name, func(t *testing.T) {
				d := funcs[f.name+"Piece"]
				require.NotNil(t, d)
				reached := map[string]bool{}
				levels := []string{"Generic", "made up"}
				levels = append(levels, a.levels...)
				for _, level := range levels {
					for _, traits := range [][]string{nil, {vbmi}, {fastGather}, {vbmi, fastGather}, {vbmi, fastGather, fastMovs}} {
						for _, fits := range []bool{true, false} {
							m := &machine{levelNumbers[level], traits, map[string]string{}, fits}
							f.each(f.keys, m.keys, func() {
								got, _ := m.chosen(t, d.Body.List)
								require.Equal(t, f.best(a, m), got, "level %s, traits %v, keys %v, fits %t", level, traits, m.keys, fits)
								reached[got] = true
								switch {
								case level == "Generic":
									require.Empty(t, got)
								case level == "made up":
									top := *m
									top.level = levelNumbers[a.levels[0]]
									same, _ := top.chosen(t, d.Body.List)
									require.Equal(t, same, got, "a level above %s", a.levels[0])
								case fits && !lacking[f.name]:
									require.NotEmpty(t, got, "no body at %s for %v", level, m.keys)
								}
							})
						}
					}
				}
				for _, b := range f.bodiesOf(a) {
					assert.True(t, reached[b.symbol], "nothing chooses %s", b.symbol)
				}
			})
		}
	}
}

// TestChoicesStop holds every function that runs bodies to a prologue where a goroutine can be
// stopped: it is not inlined, and has a frame. No body is called from anywhere else.
func TestChoicesStop(t *testing.T) {
	for _, a := range []arch{amd64, arm64} {
		t.Run(a.name, func(t *testing.T) {
			cmd := exec.Command("go", "build", "-gcflags=-S", ".")
			cmd.Dir = ".."
			cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARCH="+a.name)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			listings := map[string]string{}
			for _, part := range regexp.MustCompile(`(?m)^github\.com/lanes-go/lanes\.`).Split(string(out), -1)[1:] {
				name, _, _ := strings.Cut(part, " ")
				listings[name] = part
			}
			head := regexp.MustCompile(`TEXT\s+github\.com/lanes-go/lanes\.\w+\(SB\), ([\w|]+), \$(\d+)-\d+`)
			callers := map[string]string{}
			for name, listing := range listings {
				for _, m := range regexp.MustCompile(`(?:CALL|BL)\s+github\.com/lanes-go/lanes\.(\w+(?:`+strings.Join(levelOrder, "|")+`))\(SB\)`).FindAllStringSubmatch(listing, -1) {
					callers[m[1]] += name + " "
				}
			}
			for i := range families {
				f := &families[i]
				bodies := f.bodiesOf(a)
				if len(bodies) == 0 {
					continue
				}
				name := f.name + "Piece"
				m := head.FindStringSubmatch(listings[name])
				require.NotNil(t, m, "%s is not compiled", name)
				frame, err := strconv.Atoi(m[2])
				require.NoError(t, err)
				assert.NotContains(t, m[1], "NOSPLIT", name)
				assert.Positive(t, frame, "%s has no frame", name)
				assert.Contains(t, listings[name], "runtime.morestack", name)
				for _, b := range bodies {
					by := slices.DeleteFunc(strings.Fields(callers[b.symbol]), func(caller string) bool { return caller == b.symbol }) // an ABI wrapper
					assert.NotEmpty(t, by, "nothing calls %s", b.symbol)
					for _, caller := range by {
						assert.Equal(t, name, caller, "%s is called by another function", b.symbol)
					}
				}
			}
		})
	}
	for _, a := range []arch{amd64, arm64} {
		for name, d := range functions(t, "bodies_"+a.name+".go") {
			if strings.HasSuffix(name, "Piece") && len(d.Body.List) > 1 {
				assert.Contains(t, d.Doc.List[len(d.Doc.List)-1].Text, "//go:noinline", name)
			}
		}
	}
}

// TestTable holds the table to what both sides make of it.
func TestTable(t *testing.T) {
	for _, a := range []arch{amd64, arm64} {
		var names []string
		for i := range families {
			for _, b := range families[i].bodiesOf(a) {
				names = append(names, b.symbol)
			}
		}
		slices.Sort(names)
		assert.Equal(t, slices.Compact(slices.Clone(names)), names, "named twice")

		var written []string
		for _, m := range regexp.MustCompile(`(?m)^TEXT\s+·(\w+)\(SB\)`).FindAllStringSubmatch(read(t, "../kernels_"+a.name+".s"), -1) {
			written = append(written, m[1])
		}
		slices.Sort(written)
		assert.Equal(t, names, written, "the table, and kernels_%s.s", a.name)
	}
	for i := range families {
		f := &families[i]
		for place, r := range f.rows { // of equal traits, the more capable level comes first
			for _, before := range f.rows[:place] {
				if before.trait == r.trait && slices.Contains(amd64.levels, r.level) && slices.Contains(amd64.levels, before.level) {
					assert.LessOrEqual(t, levelNumbers[r.level], levelNumbers[before.level], "%s: row %d", f.name, place)
				}
			}
		}
	}
}

// TestOwnLevels: what chooses the bodies of an architecture names no level of another.
func TestOwnLevels(t *testing.T) {
	for _, c := range []struct {
		arch  arch
		other string
	}{{amd64, "dispatch.NEON"}, {arm64, "dispatch.AVX"}} {
		text, err := switches(c.arch)
		require.NoError(t, err)
		require.NotContains(t, string(text), c.other)
	}
}
