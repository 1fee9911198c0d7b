package pta

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file names functions and types across programs: templates that are
// stored refer to what they call and mention by symbol.

// A symbol names a function.
type symbol struct {
	name   string // as go/ssa writes it, made unique in the program
	pkg    string // package that has the code: path
	origin string // of an instance: the symbol of the generic function
}

// symbolOf returns the symbol of a function.
func (p *Program) symbolOf(id FuncID) symbol {
	for int(id) >= len(p.symbols) {
		p.symbols = append(p.symbols, symbol{})
	}
	if s := p.symbols[id]; s.name != "" {
		return s
	}
	fn := p.fns[id]
	s := symbol{name: symbolName(fn), pkg: pkgPath(fn)}
	if o := ssair.Origin(fn); o != nil && o != fn {
		s.origin = symbolName(o)
	}
	// Types that are declared in functions may share a name.
	for n, name := 2, s.name; ; n++ {
		if other, taken := p.bySymbol[s.name]; !taken || other == id {
			break
		}
		s.name = name + "·" + strconv.Itoa(n)
	}
	p.setSymbol(id, s)
	return s
}

func (p *Program) setSymbol(id FuncID, s symbol) {
	for int(id) >= len(p.symbols) {
		p.symbols = append(p.symbols, symbol{})
	}
	p.symbols[id] = s
	p.bySymbol[s.name] = id
}

// symbolName is the name of a function with, for a method of a type declared
// in a function, what tells the type from others.
func symbolName(fn *ssa.Function) string {
	name := fn.String()
	if r := fn.Signature.Recv(); r != nil {
		if n, ok := types.Unalias(deref(r.Type())).(*types.Named); ok {
			name += localSuffix(n.Obj(), fn.Prog)
		}
	}
	return name
}

func localSuffix(obj *types.TypeName, prog *ssa.Program) string {
	if !isLocal(obj) {
		return ""
	}
	q := prog.Fset.Position(obj.Pos())
	return "@" + strconv.Itoa(q.Line) + ":" + strconv.Itoa(q.Column)
}

// sharedInstance reports whether fn is an instance of a generic function, or a
// function literal in one, of which other packages may have stored the same: one
// whose type arguments have names that mean one type.
func sharedInstance(fn *ssa.Function) bool {
	top := ssair.Top(fn)
	if top.Origin() == nil || top.Pkg != nil {
		return false
	}
	for _, t := range top.TypeArgs() {
		if mentionsLocal(t, maxInstance) {
			return false
		}
	}
	return true
}

// mentionsLocal reports whether a type that is declared in a function is part of
// t, as its name is written, or may be: names nest as deep as one likes.
func mentionsLocal(t types.Type, depth int) bool {
	if depth == 0 {
		return true
	}
	some := func(ts ...types.Type) bool {
		return slices.ContainsFunc(ts, func(t types.Type) bool { return mentionsLocal(t, depth-1) })
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return false
	case *types.Named:
		return isLocal(t.Obj()) || some(slices.Collect(t.TypeArgs().Types())...)
	case *types.Pointer:
		return some(t.Elem())
	case *types.Slice:
		return some(t.Elem())
	case *types.Array:
		return some(t.Elem())
	case *types.Map:
		return some(t.Key(), t.Elem())
	case *types.Chan:
		return some(t.Elem())
	case *types.Interface:
		return !t.Empty()
	}
	return true // structs and functions: rare, and not looked into
}

// isLocal reports whether a type is declared in a function.
func isLocal(obj *types.TypeName) bool {
	return obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() && obj.Parent() != nil
}

// symbolID returns the number of the function with a symbol.
func (p *Program) symbolID(s symbol) FuncID {
	if id, ok := p.bySymbol[s.name]; ok {
		return id
	}
	id := FuncID(len(p.fns))
	p.fns = append(p.fns, nil)
	p.funcs = append(p.funcs, nil)
	p.setSymbol(id, s)
	return id
}

// methodSymbol is the symbol of method name of dynamic type t, whose code is
// elsewhere: its own method, or a wrapper that is stored with it.
func methodSymbol(t types.Type, name, local string) symbol {
	s := symbol{name: "(" + types.TypeString(t, nil) + ")." + name + local}
	star := ""
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		star, t = "*", ptr.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return s
	}
	s.pkg = n.Obj().Pkg().Path()
	if o := n.Origin(); o != n {
		s.origin = "(" + star + types.TypeString(o, nil) + ")." + name
	}
	return s
}

// name is the symbol without what makes it unique.
func (s symbol) String() string {
	out := s.name
	if i := strings.LastIndexAny(out, "·@"); i > 0 {
		out = out[:i]
	}
	return out
}
