package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// This file finds the places of synchronisation in code, and how the code reads
// without them.

// A place is one use of synchronisation that can be taken away: the lock that a
// function takes, a wait, a receive, an atomic operation, a Once.
type place struct {
	kind string
	file string // as the go command names it
	line int    // of the first edit
	fn   string // function it is in
	what string // the lock, group or channel as the source writes it
	// from and to are the lines of the file whose accesses the place protects.
	from, to int
	edits    []edit
	// tail is code for the end of the file, which is protected by nothing.
	tail string
	pkg  *packages.Package
}

// An edit replaces bytes of a file. It adds no lines and takes none away.
type edit struct {
	from, to int
	text     string
}

// apply returns the file without the synchronisation.
func (p *place) apply(src []byte) []byte {
	var b strings.Builder
	at := 0
	edits := slices.SortedFunc(slices.Values(p.edits), func(x, y edit) int { return cmp.Compare(x.from, y.from) })
	for _, e := range edits {
		b.Write(src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(src[at:])
	if p.tail != "" {
		b.WriteString("\n" + p.tail)
	}
	return []byte(b.String())
}

// tailLine is the line of the changed file from which on its tail stands.
func (p *place) tailLine(src []byte) int { return strings.Count(string(src), "\n") + 1 }

// A finder collects the places of one file.
type finder struct {
	pkg    *packages.Package
	file   *ast.File
	src    []byte
	places []*place
}

// findPlaces returns the places of a package's files, in the order of the source.
func findPlaces(pkg *packages.Package, texts map[string][]byte) []*place {
	var out []*place
	for _, file := range pkg.Syntax {
		name := pkg.Fset.Position(file.Package).Filename
		src := texts[name]
		if src == nil || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f := &finder{pkg: pkg, file: file, src: src}
		f.types()
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				f.function(funcName(fn), fn.Body)
			}
		}
		out = append(out, f.places...)
	}
	slices.SortStableFunc(out, func(x, y *place) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line))
	})
	return out
}

func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	switch g := t.(type) {
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	return types.ExprString(t) + "." + fn.Name.Name
}

// A section is what one function does with one lock in one mode.
type section struct {
	lock            ast.Expr
	read, rw        bool
	calls           []*ast.CallExpr
	stmts           []ast.Stmt
	locks           int
	from, to        token.Pos
	fn              *ast.BlockStmt
	given, toTheEnd bool // it is given back, by a defer
}

// function finds the places in one function, and those of the literals in it. A
// literal that is deferred where it stands is part of the function.
func (f *finder) function(name string, body *ast.BlockStmt) {
	var sections []*section
	var visit func(n ast.Node, deferred bool)
	visit = func(n ast.Node, deferred bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				f.function(name, n.Body)
				return false
			case *ast.CommClause: // what a select waits for is more than one thing
				for _, s := range n.Body {
					visit(s, deferred)
				}
				return false
			case *ast.DeferStmt:
				if lit, ok := n.Call.Fun.(*ast.FuncLit); ok && len(n.Call.Args) == 0 {
					visit(lit.Body, true)
					return false
				}
				f.statement(name, body, n, n.Call, true, &sections)
			case *ast.ExprStmt:
				f.statement(name, body, n, n.X, deferred, &sections)
			case *ast.CallExpr:
				f.atomicCall(name, n)
			}
			return true
		})
	}
	visit(body, false)
	for _, s := range sections {
		f.section(name, s)
	}
}

func (f *finder) statement(name string, body *ast.BlockStmt, stmt ast.Stmt, x ast.Expr, deferred bool, sections *[]*section) {
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		if _, call := ast.Unparen(u.X).(*ast.CallExpr); !call { // else it waits for a clock or a context
			f.add(&place{kind: "receive", what: types.ExprString(u.X), fn: name,
				edits: []edit{f.replace(stmt, "_ = "+f.text(u.X))}}, stmt.Pos(), body.End())
		}
		return
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch m := f.method(sel); m {
	case "(*sync.Mutex).Lock", "(*sync.RWMutex).Lock", "(*sync.Mutex).Unlock", "(*sync.RWMutex).Unlock",
		"(*sync.RWMutex).RLock", "(*sync.RWMutex).RUnlock":
		s := sectionOf(sections, sel, strings.HasPrefix(sel.Sel.Name, "R"), body)
		s.rw = strings.Contains(m, "RWMutex")
		s.calls, s.stmts = append(s.calls, call), append(s.stmts, stmt)
		if strings.HasSuffix(sel.Sel.Name, "Unlock") {
			s.given = true
			s.to = max(s.to, stmt.End())
			s.toTheEnd = s.toTheEnd || deferred
			return
		}
		s.locks++
		if !s.from.IsValid() || stmt.Pos() < s.from {
			s.from = stmt.Pos()
		}
	case "(*sync.WaitGroup).Wait":
		f.add(&place{kind: "Wait", what: types.ExprString(sel.X), fn: name,
			edits: []edit{f.replace(stmt, f.blank(sel.X))}}, stmt.Pos(), body.End())
	case "(*sync.Once).Do":
		arg := call.Args[0]
		f.add(&place{kind: "Once", what: types.ExprString(sel.X), fn: name, edits: []edit{
			{f.offset(stmt.Pos()), f.offset(arg.Pos()), f.blank(sel.X) + "; ("},
			{f.offset(arg.End()), f.offset(stmt.End()), ")()"},
		}}, stmt.Pos(), body.End())
	}
}

func sectionOf(sections *[]*section, sel *ast.SelectorExpr, read bool, body *ast.BlockStmt) *section {
	what := types.ExprString(sel.X)
	for _, s := range *sections {
		if s.read == read && types.ExprString(s.lock) == what {
			return s
		}
	}
	s := &section{lock: sel.X, read: read, fn: body}
	*sections = append(*sections, s)
	return s
}

// section adds what is to be taken away of a lock that a function both takes and
// gives back.
func (f *finder) section(name string, s *section) {
	if s.locks == 0 || !s.given {
		return
	}
	to := s.to
	if s.toTheEnd {
		to = s.fn.End()
	}
	p := &place{kind: "Lock", what: types.ExprString(s.lock), fn: name}
	if s.read {
		p.kind = "RLock"
	}
	for i, stmt := range s.stmts {
		p.edits = append(p.edits, f.replace(stmt, f.blank(s.calls[i].Fun.(*ast.SelectorExpr).X)))
	}
	f.add(p, s.from, to)
	if s.rw && !s.read && writes(s.fn, s.from, to) {
		weak := &place{kind: "RLock for Lock", what: p.what, fn: name}
		for _, c := range s.calls {
			sel := c.Fun.(*ast.SelectorExpr).Sel
			weak.edits = append(weak.edits, f.replace(sel, "R"+sel.Name))
		}
		f.add(weak, s.from, to)
	}
}

// writes reports whether something other than a variable is assigned to between
// two places.
func writes(body *ast.BlockStmt, from, to token.Pos) bool {
	found := false
	memory := func(x ast.Expr) bool {
		switch ast.Unparen(x).(type) {
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			return true
		}
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			found = found || from < n.Pos() && n.End() <= to && slices.ContainsFunc(n.Lhs, memory)
		case *ast.IncDecStmt:
			found = found || from < n.Pos() && n.End() <= to && memory(n.X)
		}
		return true
	})
	return found
}

// atomicCall adds an operation of sync/atomic on a plain variable.
func (f *finder) atomicCall(name string, call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := f.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || fn.Signature().Recv() != nil {
		return
	}
	plain := plainOp(fn.Name())
	if plain == "" {
		return
	}
	p := &place{kind: "atomic", what: types.ExprString(call), fn: name, tail: plain, edits: []edit{f.replace(call.Fun, plainName)}}
	p.tail += f.keepImport(sel.X)
	f.add(p, call.Pos(), call.End())
}

// types adds the variables and fields of the types of sync/atomic.
func (f *finder) types() {
	at := func(what, owner string, t ast.Expr) {
		arg := ""
		x := t
		if g, ok := t.(*ast.IndexExpr); ok {
			x, arg = g.X, "["+f.text(g.Index)+"]"
		}
		sel, ok := x.(*ast.SelectorExpr)
		if !ok {
			return
		}
		tn, ok := f.pkg.TypesInfo.Uses[sel.Sel].(*types.TypeName)
		if !ok || tn.Pkg() == nil || tn.Pkg().Path() != "sync/atomic" {
			return
		}
		p := &place{kind: "atomic", what: what, fn: owner, tail: plainType(tn.Name()), edits: []edit{f.replace(t, plainName+arg)}}
		if p.tail == "" {
			return
		}
		p.tail += f.keepImport(sel.X)
		f.add(p, t.Pos(), t.End())
	}
	for _, d := range f.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				if spec.Type != nil {
					at(spec.Names[0].Name, "", spec.Type)
				}
			case *ast.TypeSpec:
				ast.Inspect(spec, func(n ast.Node) bool {
					if field, ok := n.(*ast.Field); ok && len(field.Names) > 0 {
						at(field.Names[0].Name, spec.Name.Name, field.Type)
					}
					return true
				})
			}
		}
	}
}

// keepImport uses the package that a name stands for, in case that nothing else does.
func (f *finder) keepImport(pkg ast.Expr) string { return "var _ " + f.text(pkg) + ".Int32\n" }

const plainName = "withoutAtomic"

// plainOp is the declaration of what an operation does, if nothing makes it atomic.
func plainOp(name string) string {
	for _, op := range []struct{ name, body string }{
		{"Add", "(p *T, d T) T { *p += d; return *p }"},
		{"Load", "(p *T) T { return *p }"},
		{"Store", "(p *T, v T) { *p = v }"},
		{"Swap", "(p *T, v T) T { old := *p; *p = v; return old }"},
		{"CompareAndSwap", "(p *T, old, v T) bool { if *p != old { return false }; *p = v; return true }"},
	} {
		if t, ok := strings.CutPrefix(name, op.name); ok && slices.Contains([]string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr"}, t) {
			return "func " + plainName + strings.ReplaceAll(op.body, "T", strings.ToLower(t)) + "\n"
		}
	}
	return ""
}

// plainType is the declaration of a type with the methods of one of sync/atomic
// that are not atomic.
func plainType(name string) string {
	params, recv, elem := "", plainName, strings.ToLower(name)
	switch name {
	case "Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Bool":
	case "Pointer":
		params, recv, elem = "[T any]", plainName+"[T]", "*T"
	case "Value":
		elem = "any"
	default:
		return ""
	}
	methods := []string{
		"Load() E { return p.v }",
		"Store(v E) { p.v = v }",
		"Swap(v E) E { old := p.v; p.v = v; return old }",
		"CompareAndSwap(old, v E) bool { if p.v != old { return false }; p.v = v; return true }",
	}
	if elem != "bool" && elem != "*T" && elem != "any" {
		methods = append(methods, "Add(d E) E { p.v += d; return p.v }")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "type %s%s struct { v %s }\n", plainName, params, elem)
	for _, m := range methods {
		fmt.Fprintf(&b, "func (p *%s) %s\n", recv, strings.ReplaceAll(m, "E", elem))
	}
	return b.String()
}

func (f *finder) add(p *place, from, to token.Pos) {
	at := f.pkg.Fset.Position(from)
	p.pkg, p.file, p.line, p.from, p.to = f.pkg, at.Filename, at.Line, at.Line, f.pkg.Fset.Position(to).Line
	f.places = append(f.places, p)
}

// method is the full name of the method that is called, wherever it is promoted from.
func (f *finder) method(sel *ast.SelectorExpr) string {
	if fn, ok := f.pkg.TypesInfo.Uses[sel.Sel].(*types.Func); ok {
		return fn.FullName()
	}
	return ""
}

// blank is a statement that uses the operand of a method and does nothing.
func (f *finder) blank(x ast.Expr) string {
	if _, ok := f.pkg.TypesInfo.TypeOf(x).Underlying().(*types.Pointer); ok {
		return "_ = " + f.text(x)
	}
	return "_ = &" + f.text(x)
}

// text is an expression on one line.
func (f *finder) text(x ast.Expr) string {
	from, to := f.offset(x.Pos()), f.offset(x.End())
	if s := string(f.src[from:to]); !strings.Contains(s, "\n") {
		return s
	}
	var b strings.Builder
	if printer.Fprint(&b, token.NewFileSet(), x) != nil {
		return types.ExprString(x)
	}
	return b.String()
}

func (f *finder) replace(n ast.Node, text string) edit {
	from, to := f.offset(n.Pos()), f.offset(n.End())
	return edit{from, to, text + strings.Repeat("\n", strings.Count(string(f.src[from:to]), "\n"))}
}

func (f *finder) offset(p token.Pos) int { return f.pkg.Fset.Position(p).Offset }
