package fix

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"go/version"

	"github.com/iterace/iterace/model"
)

// addBefore moves wg.Add(n) from the start of a goroutine to before its go
// statement. Within, the wait may be over before the goroutine has counted.
func addBefore(s *site) (Fix, bool) {
	if _, ok := s.spawn.(*ast.GoStmt); !ok || len(s.lit.Body.List) < 2 || !s.startsLine(s.spawn) {
		return Fix{}, false
	}
	beside := false
	for _, r := range s.report.Races {
		beside = beside || r.B.Thread == model.Main
	}
	stmt := s.lit.Body.List[0]
	x, ok := stmt.(*ast.ExprStmt)
	if !ok || !beside {
		return Fix{}, false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || s.Info.Types[call.Args[0]].Value == nil {
		return Fix{}, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return Fix{}, false
	}
	fn, ok := s.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.FullName() != "(*sync.WaitGroup).Add" || !s.outlives(sel.X) {
		return Fix{}, false
	}
	cut, ok := s.remove(stmt)
	if !ok {
		return Fix{}, false
	}
	return Fix{"count the goroutine before it starts", []Edit{s.before(s.spawn, s.text(x)), cut}}, true
}

// outlives reports whether an expression of variables and their fields means
// the same before the goroutine as in it.
func (s *site) outlives(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := s.Info.Uses[e].(*types.Var)
		return ok && !(s.lit.Pos() <= v.Pos() && v.Pos() < s.lit.End())
	case *ast.SelectorExpr:
		return s.outlives(e.X)
	case *ast.ParenExpr:
		return s.outlives(e.X)
	}
	return false
}

// copyLoopVar gives each round its own copy of a loop variable, which has one
// for all of them before Go 1.22.
func copyLoopVar(s *site) (Fix, bool) {
	if s.v == nil || s.loop == nil || s.perIteration() || !s.declaredBy(s.loop) {
		return Fix{}, false
	}
	body := loopBody(s.loop)
	for _, id := range s.inside(body) {
		if !s.onlyRead(id) {
			return Fix{}, false // the round changes it for the next one
		}
	}
	first := body.List[0]
	if !s.startsLine(first) {
		return Fix{}, false
	}
	name := s.v.Name()
	return Fix{"give each round its own " + name, []Edit{s.before(first, name+" := "+name)}}, true
}

// perIteration reports whether the file's Go version gives each round variables
// of its own.
func (s *site) perIteration() bool {
	v := s.Info.FileVersions[s.file]
	return v == "" || version.Compare(v, "go1.22") >= 0
}

func (s *site) declaredBy(loop ast.Stmt) bool {
	switch l := loop.(type) {
	case *ast.ForStmt:
		return l.Init != nil && within(s.decl, l.Init)
	case *ast.RangeStmt:
		return l.Key == s.decl || l.Value == s.decl
	}
	return false
}

func loopBody(loop ast.Stmt) *ast.BlockStmt {
	if l, ok := loop.(*ast.ForStmt); ok {
		return l.Body
	}
	return loop.(*ast.RangeStmt).Body
}

// ownVariable declares a variable in the goroutine that assigns to one of the
// function around it before any other use, where nothing outside wants the
// value: err in "_, err = f()".
func ownVariable(s *site) (Fix, bool) {
	if s.v == nil || s.isResult() || within(s.decl, s.lit) {
		return Fix{}, false
	}
	in := s.inside(s.lit)
	if len(in) < 2 {
		return Fix{}, false // what is declared must be used too
	}
	a := s.assigned(in[0])
	if a == nil || a.Tok != token.ASSIGN {
		return Fix{}, false
	}
	var scope ast.Node
	switch p := s.parent[a].(type) {
	case *ast.IfStmt:
		if p.Init == a {
			scope = p
		}
	case *ast.SwitchStmt:
		if p.Init == a {
			scope = p
		}
	case *ast.BlockStmt:
		scope = p
	}
	if scope == nil || !s.onlyNew(a, scope) {
		return Fix{}, false
	}
	reads := false
	for _, id := range in[1:] {
		if !within(id, scope) || within(id, a) {
			return Fix{}, false
		}
		reads = reads || s.assigned(id) == nil
	}
	drop, ok := s.unwanted()
	if !reads || !ok {
		return Fix{}, false
	}
	edits := append(drop, Edit{a.TokPos, a.TokPos + token.Pos(len("=")), ":="})
	return Fix{"declare " + s.v.Name() + " in the goroutine", edits}, true
}

// onlyNew reports whether := in place of = would declare the variable in scope
// and nothing else.
func (s *site) onlyNew(a *ast.AssignStmt, scope ast.Node) bool {
	for _, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return false
		}
		if id.Name == "_" || s.Info.Uses[id] == s.v {
			continue
		}
		obj := s.Info.Uses[id]
		if obj == nil || obj.Parent() == nil || obj.Parent() != s.scopeOf(scope) {
			return false
		}
	}
	return true
}

// scopeOf returns the scope of the declarations in a block.
func (s *site) scopeOf(block ast.Node) *types.Scope {
	if lit, ok := s.parent[block].(*ast.FuncLit); ok {
		return s.Info.Scopes[lit.Type]
	}
	return s.Info.Scopes[block]
}

// unwanted reports whether no code outside the goroutine can see what that
// assigns to the variable: after the loop it is assigned anew or not mentioned.
// The edits remove a declaration that nothing would use any more.
func (s *site) unwanted() ([]Edit, bool) {
	whole, first, used := s.whole(), true, false
	for _, id := range s.uses {
		if within(id, s.lit) {
			continue
		}
		a := s.assigned(id)
		used = used || a == nil
		if id.Pos() < whole.Pos() {
			continue
		}
		if within(id, whole) {
			return nil, false
		}
		if first {
			if a == nil || !s.around(s.parent[a], whole) {
				return nil, false
			}
			for _, r := range a.Rhs {
				if len(s.inside(r)) > 0 {
					return nil, false
				}
			}
		}
		first = false
	}
	if used {
		return nil, true
	}
	spec, ok := s.parent[s.decl].(*ast.ValueSpec)
	if !ok || len(spec.Names) != 1 || len(spec.Values) > 0 {
		return nil, false
	}
	gen, _ := s.parent[spec].(*ast.GenDecl)
	stmt, ok := s.parent[gen].(*ast.DeclStmt)
	if !ok || len(gen.Specs) != 1 {
		return nil, false
	}
	for _, id := range s.uses {
		if !within(id, s.lit) {
			return nil, false // it is still assigned to
		}
	}
	cut, ok := s.remove(stmt)
	return []Edit{cut}, ok
}

// copyPerIteration copies a variable of the function before each goroutine that
// only reads it, where each round assigns to it first.
func copyPerIteration(s *site) (Fix, bool) {
	if s.v == nil || s.loop == nil || within(s.decl, s.loop) || !s.startsLine(s.spawn) || !copyable(s.v.Type()) {
		return Fix{}, false
	}
	body := loopBody(s.loop)
	if s.parent[s.spawn] != body {
		return Fix{}, false
	}
	in := s.inside(s.lit)
	if len(in) == 0 {
		return Fix{}, false
	}
	for _, id := range in {
		if !s.onlyRead(id) {
			return Fix{}, false
		}
	}
	for _, id := range s.uses {
		// A pointer to it may be how its value gets elsewhere.
		if u, ok := s.parent[id].(*ast.UnaryExpr); ok && u.Op == token.AND {
			return Fix{}, false
		}
	}
	fresh := false
	for _, id := range s.inside(body) {
		if a := s.assigned(id); a != nil && a.Tok == token.ASSIGN && s.parent[a] == body && a.Pos() < s.spawn.Pos() {
			fresh = true
		}
	}
	if !fresh {
		return Fix{}, false
	}
	name := s.v.Name()
	return Fix{"give each goroutine its own " + name, []Edit{s.before(s.spawn, name+" := "+name)}}, true
}

// copyable reports whether a copy of a value serves as well as the value: there
// is no lock or other state of package sync in it.
func copyable(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "sync", "sync/atomic":
			return false
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for i := range t.NumFields() {
			if !copyable(t.Field(i).Type()) {
				return false
			}
		}
	case *types.Array:
		return copyable(t.Elem())
	}
	return true
}

// indexed writes each round's result to its own element instead of appending to
// one slice.
func indexed(s *site) (Fix, bool) {
	loop, ok := s.loop.(*ast.RangeStmt)
	if !ok || s.v == nil || within(s.decl, loop) || s.parent[s.spawn] != loop.Body || !s.perIteration() ||
		!s.startsLine(loop) || jumps(loop.Body) {
		return Fix{}, false
	}
	in := s.inside(s.lit)
	if len(in) != 2 || len(s.inside(loop)) != 2 {
		return Fix{}, false
	}
	a := s.assigned(in[0])
	if a == nil || len(a.Lhs) != 1 || s.parent[a] != s.lit.Body || returnsBefore(s.lit.Body, a) {
		return Fix{}, false
	}
	call, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || call.Args[0] != in[1] || call.Ellipsis.IsValid() || !s.builtin(call.Fun, "append") {
		return Fix{}, false
	}
	key, ok := loop.Key.(*ast.Ident)
	if !ok || loop.Tok != token.DEFINE {
		return Fix{}, false
	}
	elem, ok := s.empty(loop)
	if !ok {
		return Fix{}, false
	}
	count, ok := s.count(loop.X)
	if !ok {
		return Fix{}, false
	}
	edits := []Edit{s.before(loop, s.v.Name()+" = make("+elem+", "+count+")")}
	name := key.Name
	if name == "_" {
		name = "i"
		if s.visible(name, a.Pos()) {
			return Fix{}, false
		}
		edits = append(edits, Edit{key.Pos(), key.End(), name})
	} else if obj := s.Info.Defs[key]; obj == nil || s.hidden(obj, a.Pos()) {
		return Fix{}, false
	}
	edits = append(edits, Edit{a.Pos(), a.End(), s.v.Name() + "[" + name + "] = " + s.text(call.Args[1])})
	return Fix{"write each round's result to its own element", edits}, true
}

// jumps reports whether rounds may be left out: the loop's own code, apart from
// function literals, has a branch or a return.
func jumps(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt, *ast.ReturnStmt:
			found = true
		}
		return true
	})
	return found
}

// returnsBefore reports whether a function may return, or jump, before a
// statement of its body.
func returnsBefore(body *ast.BlockStmt, stmt ast.Stmt) bool {
	for _, x := range body.List {
		if x == stmt {
			return false
		}
		if jumps(&ast.BlockStmt{List: []ast.Stmt{x}}) {
			return true
		}
	}
	return true
}

// empty returns the type of the variable as written, if it is an empty slice
// when the loop starts: declared so, and not mentioned until then.
func (s *site) empty(loop ast.Stmt) (string, bool) {
	for _, id := range s.uses {
		if id.Pos() < loop.Pos() {
			return "", false
		}
	}
	var typ ast.Expr
	switch p := s.parent[s.decl].(type) {
	case *ast.ValueSpec:
		if len(p.Names) != 1 || len(p.Values) > 0 {
			return "", false
		}
		typ = p.Type
	case *ast.AssignStmt:
		if len(p.Lhs) != 1 {
			return "", false
		}
		switch r := p.Rhs[0].(type) {
		case *ast.CompositeLit:
			if len(r.Elts) == 0 {
				typ = r.Type
			}
		case *ast.CallExpr:
			if s.builtin(r.Fun, "make") && len(r.Args) >= 2 {
				if v := s.Info.Types[r.Args[1]].Value; v != nil && v.ExactString() == "0" {
					typ = r.Args[0]
				}
			}
		}
	}
	// In the same block, so that the loop runs once for each declaration.
	if typ == nil || !s.sameBlock(loop) {
		return "", false
	}
	if _, ok := s.v.Type().Underlying().(*types.Slice); !ok {
		return "", false
	}
	return s.text(typ), true
}

// sameBlock reports whether the variable is declared in the block of a
// statement.
func (s *site) sameBlock(stmt ast.Stmt) bool {
	for n := ast.Node(s.decl); n != nil; n = s.parent[n] {
		if s.parent[n] == s.parent[stmt] {
			return true
		}
	}
	return false
}

// count writes how many rounds a range loop over an expression has.
func (s *site) count(x ast.Expr) (string, bool) {
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		if s.Info.Types[x].Value == nil {
			return "", false // it may not be asked twice
		}
	}
	t := s.Info.TypeOf(x).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Basic:
		if t.Info()&types.IsInteger != 0 {
			return s.text(x), true
		}
	case *types.Slice, *types.Array:
		return "len(" + s.text(x) + ")", true
	}
	return "", false
}

func (s *site) builtin(fun ast.Expr, name string) bool {
	id, ok := fun.(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := s.Info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// visible reports whether a name means anything at a position.
func (s *site) visible(name string, pos token.Pos) bool {
	scope := s.innermost(pos)
	if scope == nil {
		return true
	}
	_, obj := scope.LookupParent(name, token.NoPos)
	return obj != nil
}

// hidden reports whether the name of an object means another one at a position.
func (s *site) hidden(obj types.Object, pos token.Pos) bool {
	scope := s.innermost(pos)
	if scope == nil {
		return true
	}
	_, got := scope.LookupParent(obj.Name(), pos)
	return got != obj
}

func (s *site) innermost(pos token.Pos) *types.Scope {
	scope := s.Info.Scopes[s.file]
	if scope == nil {
		return nil
	}
	return scope.Innermost(pos)
}

// text writes a node as gofmt does.
func (s *site) text(n ast.Node) string {
	var b bytes.Buffer
	if format.Node(&b, s.Fset, n) != nil {
		return ""
	}
	return b.String()
}
