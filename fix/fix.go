// Package fix proposes edits that take a race away, where the edit is safe by
// itself: it changes what the program computes only in ways in which the race
// made that depend on luck.
//
// Each rule looks for one shape of code around a reported race, on syntax and
// types, and asks for more than most programs would need: what it does not
// recognise it leaves alone.
package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/ast/astutil"
)

// A Fix is a set of edits of one file that belong together.
type Fix struct {
	Message string // what it does, in the imperative
	Edits   []Edit // ordered, not overlapping
}

// An Edit replaces the text of [Pos, End).
type Edit struct {
	Pos, End token.Pos
	New      string
}

// A Source is a type-checked package.
type Source struct {
	Fset  *token.FileSet
	Files []*ast.File
	Info  *types.Info
	// Find returns the position of a place of the report in the package's
	// files, or token.NoPos.
	Find func(model.Pos) token.Pos
}

// For proposes fixes for a race set, at most one by each rule, the one that
// changes least first.
func For(src *Source, r *model.Report) []Fix {
	s := src.site(r)
	if s == nil {
		return nil
	}
	var out []Fix
	for _, rule := range []func(*site) (Fix, bool){addBefore, copyLoopVar, ownVariable, copyPerIteration, indexed} {
		if f, ok := rule(s); ok {
			out = append(out, f)
		}
	}
	return out
}

// A site is what the rules look at: the loop, the spawn, the function literal
// that it runs, and the variable that the race is on.
type site struct {
	*Source
	file   *ast.File
	report *model.Report
	outer  ast.Node // the function that spawns: a declaration or a literal
	loop   ast.Stmt // the innermost loop around the spawn in outer, or nil
	spawn  ast.Stmt // the go statement or the call
	lit    *ast.FuncLit
	v      *types.Var // nil if the race is on something else
	decl   *ast.Ident
	parent map[ast.Node]ast.Node // in the function declaration around all of it
	uses   []*ast.Ident          // of v, in order, without its declaration
}

// site finds the syntax that a report is about, or nil.
func (src *Source) site(r *model.Report) *site {
	pos := src.Find(r.Loop.Spawn)
	if !pos.IsValid() {
		return nil
	}
	s := &site{Source: src, report: r}
	for _, f := range src.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			s.file = f
		}
	}
	if s.file == nil {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(s.file, pos, pos)
	var top ast.Node
	for _, n := range path {
		switch n := n.(type) {
		case *ast.GoStmt:
			if s.spawn == nil {
				s.spawn, s.lit = n, literal(n.Call)
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && s.spawn == nil {
				s.spawn, s.lit = n, literal(call)
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if s.spawn != nil && s.outer == nil && s.loop == nil {
				s.loop = n.(ast.Stmt)
			}
		case *ast.FuncLit, *ast.FuncDecl:
			if s.spawn != nil && s.outer == nil {
				s.outer = n
			}
			top = n
		}
	}
	if s.outer == nil || s.lit == nil {
		return nil
	}
	s.parent = parents(top)
	s.variable(top)
	return s
}

// literal returns the function literal that a spawning call runs: the last of
// its arguments, or what it calls.
func literal(call *ast.CallExpr) *ast.FuncLit {
	for i := len(call.Args) - 1; i >= 0; i-- {
		if lit, ok := call.Args[i].(*ast.FuncLit); ok {
			return lit
		}
	}
	lit, _ := call.Fun.(*ast.FuncLit)
	return lit
}

func parents(top ast.Node) map[ast.Node]ast.Node {
	out := make(map[ast.Node]ast.Node)
	var stack []ast.Node
	ast.Inspect(top, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			out[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		return true
	})
	return out
}

// variable finds the local variable of outer that the race is on, and its uses.
func (s *site) variable(top ast.Node) {
	pos := s.Find(s.report.Object.Pos)
	if !pos.IsValid() || s.report.Field != "" && s.report.Field != "[*]" {
		return
	}
	ast.Inspect(top, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() == pos {
			if v, ok := s.Info.Defs[id].(*types.Var); ok && !v.IsField() {
				s.v, s.decl = v, id
			}
		}
		return true
	})
	if s.v == nil {
		return
	}
	ast.Inspect(top, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.Info.Uses[id] == s.v {
			s.uses = append(s.uses, id)
		}
		return true
	})
}

// within reports whether one node lies in another.
func within(n, outer ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }

// inside returns the uses of the variable in a node.
func (s *site) inside(n ast.Node) []*ast.Ident {
	var out []*ast.Ident
	for _, id := range s.uses {
		if within(id, n) {
			out = append(out, id)
		}
	}
	return out
}

// assigned returns the plain assignment whose left side an identifier is, or
// nil.
func (s *site) assigned(id *ast.Ident) *ast.AssignStmt {
	a, ok := s.parent[id].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
		return nil
	}
	for _, l := range a.Lhs {
		if l == id {
			return a
		}
	}
	return nil
}

// onlyRead reports whether a use of the variable just reads its value.
func (s *site) onlyRead(id *ast.Ident) bool {
	switch p := s.parent[id].(type) {
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if l == id {
				return false
			}
		}
	case *ast.IncDecStmt:
		return false
	case *ast.UnaryExpr:
		return p.Op != token.AND
	case *ast.SelectorExpr:
		// v.f = x, &v.f and a method with a pointer receiver touch v itself.
		_, isPtr := s.v.Type().Underlying().(*types.Pointer)
		_, isIface := s.v.Type().Underlying().(*types.Interface)
		return isPtr || isIface
	case *ast.IndexExpr:
		_, isArray := s.v.Type().Underlying().(*types.Array)
		return !isArray || p.X != id
	case *ast.SliceExpr:
		_, isArray := s.v.Type().Underlying().(*types.Array)
		return !isArray || p.X != id
	case *ast.RangeStmt:
		return p.Key != id && p.Value != id
	}
	return true
}

// block returns the list of statements that a statement stands in, and its
// place there.
func (s *site) block(stmt ast.Stmt) (ast.Node, []ast.Stmt, int) {
	var list []ast.Stmt
	p := s.parent[stmt]
	switch p := p.(type) {
	case *ast.BlockStmt:
		list = p.List
	case *ast.CaseClause:
		list = p.Body
	case *ast.CommClause:
		list = p.Body
	}
	for i, x := range list {
		if x == stmt {
			return p, list, i
		}
	}
	return nil, nil, -1
}

// around reports whether a node is an ancestor of another.
func (s *site) around(outer, n ast.Node) bool {
	for ; n != nil; n = s.parent[n] {
		if n == outer {
			return true
		}
	}
	return false
}

// whole is the loop, or the spawn where there is none.
func (s *site) whole() ast.Stmt {
	if s.loop != nil {
		return s.loop
	}
	return s.spawn
}

// isResult reports whether the variable is a result of the function that
// declares it: a return reads it without a mention.
func (s *site) isResult() bool {
	for n := ast.Node(s.decl); n != nil; n = s.parent[n] {
		if f, ok := n.(*ast.FuncType); ok {
			return f.Results != nil && within(s.decl, f.Results)
		}
	}
	return false
}

// indent is the white space at the start of the line of a statement, as gofmt
// writes it.
func (s *site) indent(stmt ast.Node) string {
	col := s.Fset.Position(stmt.Pos()).Column
	out := make([]byte, 0, col)
	for range col - 1 {
		out = append(out, '\t')
	}
	return string(out)
}

// startsLine reports whether a statement is the first on its line, so that the
// column says how far it is indented.
func (s *site) startsLine(stmt ast.Stmt) bool {
	line := s.Fset.Position(stmt.Pos()).Line
	switch p := s.parent[stmt].(type) {
	case *ast.BlockStmt:
		if s.Fset.Position(p.Lbrace).Line == line {
			return false
		}
	default:
		if p == nil || s.Fset.Position(p.Pos()).Line == line {
			return false
		}
	}
	_, list, i := s.block(stmt)
	return i >= 0 && (i == 0 || s.Fset.Position(list[i-1].End()).Line != line)
}

// before inserts a statement in front of another.
func (s *site) before(stmt ast.Stmt, text string) Edit {
	return Edit{stmt.Pos(), stmt.Pos(), text + "\n" + s.indent(stmt)}
}

// remove takes a statement out, with the white space up to the next one or to
// the end of its block.
func (s *site) remove(stmt ast.Stmt) (Edit, bool) {
	p, list, i := s.block(stmt)
	switch {
	case i < 0:
		return Edit{}, false
	case i+1 < len(list):
		return Edit{stmt.Pos(), list[i+1].Pos(), ""}, s.comments(stmt.End(), list[i+1].Pos()) == 0
	}
	b, ok := p.(*ast.BlockStmt)
	if !ok || i == 0 {
		return Edit{}, false
	}
	return Edit{list[i-1].End(), stmt.End(), ""}, s.comments(list[i-1].End(), b.Rbrace) == 0
}

// comments counts the comments between two positions: an edit must not swallow
// any.
func (s *site) comments(from, to token.Pos) int {
	n := 0
	for _, g := range s.file.Comments {
		if from <= g.Pos() && g.End() <= to {
			n++
		}
	}
	return n
}
