package pta

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// This file lowers what is registered, and called by who asks for it himself:
//
//	mux := http.NewServeMux()
//	mux.HandleFunc("/", s.list)
//	mux.ServeHTTP(httptest.NewRecorder(), req)
//
// Wherever it is registered, handlers are taken to run on goroutines of a server. In a main program or
// a test where nothing serves, they run in such calls, as far as the program shows (soundness: own-dispatch);
// so there the mux holds them, and the call runs what the mux holds.

// keepsRegistered reports whether what the function registers is found by who dispatches: only where nobody can
// import the code, and neither its package nor what that imports serves.
func (l *lowerer) keepsRegistered(in ssa.CallInstruction) bool {
	if in == nil || !l.f.App || l.fn.Pkg == nil {
		return false
	}
	pkg := l.fn.Pkg.Pkg
	return (pkg.Name() == "main" || strings.HasSuffix(l.p.fset.Position(in.Pos()).Filename, "_test.go")) && !l.p.serves(pkg)
}

// registers puts what a call registers into what it is registered with.
func (l *lowerer) registers(in ssa.CallInstruction, e *library.Func, args []ssa.Value) {
	if !e.Later || e.Service != "" || len(args) == 0 || l.val(args[0]) == None || !l.keepsRegistered(in) {
		return
	}
	put := func(k int) {
		if k > 0 && k < len(args) && l.val(args[k]) != None {
			l.emit(Constraint{Op: OpStore, Dst: l.val(args[0]), Src: l.val(args[k]), Arg: l.fact(args[k])})
			for i := range l.f.Spawns {
				l.f.Spawns[i].Kept = l.f.Spawns[i].Kept || l.f.Spawns[i].At == l.at
			}
		}
	}
	for _, k := range e.Concurrent {
		put(k)
	}
	for _, m := range e.ConcurrentMethods {
		put(m.Arg)
	}
}

// dispatches runs what the first argument holds, with the others.
func (l *lowerer) dispatches(in ssa.CallInstruction, e *library.Func, args []ssa.Value) {
	if len(e.Dispatches) == 0 || len(args) == 0 || l.val(args[0]) == None {
		return
	}
	held := l.newNodes(1)
	if in == nil {
		l.f.Operands = append(l.f.Operands, Operand{At: l.at, Node: l.val(args[0]), Pos: l.f.Pos}) // calls have theirs already
	}
	l.emit(Constraint{Op: OpLoad, Dst: held, Src: l.val(args[0])})
	passed := make([]Arg, 0, len(args))
	for _, v := range args[1:] {
		passed = append(passed, Arg{Node: l.val(v), Len: l.leaves(v.Type()), Each: None})
	}
	l.addCall(in, Call{Kind: CallDynamic, Fn: held, Args: passed, Result: None})
	for _, name := range e.Dispatches {
		l.addCall(in, Call{Kind: CallInvoke, Fn: held, Method: l.p.methodNamed(name), Args: passed, Result: None})
	}
}

// Dispatched reports whether what is registered at a site is found by who dispatches.
func (v *View) Dispatched(s Site) bool {
	return slices.ContainsFunc(v.ov.inst(s.Inst).fn.Spawns, func(sp Spawn) bool { return sp.At == s.At && sp.Kept })
}

// serves reports whether code of the application calls what serves: that of a package, or of one that it
// imports.
func (p *Program) serves(pkg *types.Package) bool {
	if p.servers == nil {
		p.servers = make(map[*types.Package]bool)
		p.sitesOf(nil) // finds the functions
		for fn := range p.Functions {
			if g := cmp.Or(ssair.Origin(fn), fn); g.Pkg != nil && p.Application(g.Pkg.Pkg.Path()) && p.callsServer(fn) {
				p.servers[g.Pkg.Pkg] = true
			}
		}
	}
	yes, known := p.servers[pkg]
	if known {
		return yes
	}
	p.servers[pkg] = false
	for _, below := range pkg.Imports() {
		yes = yes || p.Application(below.Path()) && p.serves(below)
	}
	p.servers[pkg] = yes
	return yes
}

// callsServer reports whether a function calls, or starts, what serves.
func (p *Program) callsServer(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if e := (holes{p}).Called(c.Common()); e != nil && e.ServesAny() {
				return true
			}
		}
	}
	return false
}
