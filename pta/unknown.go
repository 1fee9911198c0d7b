package pta

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/ssa"
)

// This file lists the library calls of parallel bodies and says of each what
// the analysis knows of it. It reads SSA and not templates, in which a call of
// a function that the model describes leaves only its effects: the list is for
// people who write models, and is not worth a word in every template.

// A LibraryCall is a call, in application code that iterations run, of code
// outside the application.
type LibraryCall struct {
	Name     string // as go/ssa writes it; of an interface's method, "(io.Reader).Read"
	Pos      model.Pos
	Known    bool   // the model says what it does
	Analysed bool   // its body is analysed
	Why      string // why neither
}

// Why a call is neither known nor analysed.
const (
	whyNoBody = "no Go body"
	whyNoImpl = "an interface's method, of which no implementation is seen here"
)

// LibraryCalls lists the library calls that iterations of parallel loops and
// spawned goroutines make, and those that start them, by position and name.
func (r *Result) LibraryCalls() []LibraryCall {
	var out []LibraryCall
	for _, f := range r.base.appCalls() {
		n := ssair.NoInstr
		for _, b := range r.Prog.fns[f.id].Blocks {
			for _, in := range b.Instrs {
				n++
				if c, ok := in.(ssa.CallInstruction); ok {
					out = r.Prog.libraryCalls(out, c, f.calls[n], f.parallel)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b LibraryCall) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Name, b.Name))
	})
	return slices.CompactFunc(out, func(a, b LibraryCall) bool { return a.Pos == b.Pos && a.Name == b.Name })
}

// calledBy is an application function, and what its calls run.
type calledBy struct {
	id       FuncID
	parallel bool // iterations run it
	calls    map[ssair.Instr]resolved
}

// resolved is what the instances of a function see at one call.
type resolved struct {
	callees []FuncID
	spawns  bool // the callees run on goroutines of their own
}

// appCalls returns the application functions with instances, by number, with
// the callees that those see which iterations run, or at a spawn.
func (r *baseResult) appCalls() []*calledBy {
	byID := make(map[FuncID]*calledBy)
	var out []*calledBy
	for _, in := range r.s.insts {
		if !in.fn.App {
			continue
		}
		f := byID[in.fn.ID]
		if f == nil {
			f = &calledBy{id: in.fn.ID, calls: make(map[ssair.Instr]resolved)}
			byID[in.fn.ID] = f
			out = append(out, f)
		}
		f.parallel = f.parallel || in.ctx.tag != tagMain
		for k := range in.fn.Calls {
			c := &in.fn.Calls[k]
			if in.ctx.tag == tagMain && c.Mode != ModeSpawn {
				continue
			}
			x := f.calls[c.At]
			x.spawns = x.spawns || c.Mode == ModeSpawn
			for _, e := range in.callees[k] {
				x.callees = append(x.callees, r.s.inst(e.callee).fn.ID)
			}
			f.calls[c.At] = x
		}
	}
	slices.SortFunc(out, func(a, b *calledBy) int { return cmp.Compare(a.id, b.id) })
	return out
}

// libraryCalls adds what one call instruction calls outside the application.
func (p *Program) libraryCalls(out []LibraryCall, in ssa.CallInstruction, x resolved, parallel bool) []LibraryCall {
	c := in.Common()
	pos := p.pos(c.Pos())
	add := func(fn *ssa.Function) {
		if lc, ok := p.libraryCall(fn); ok {
			lc.Pos = pos
			out = append(out, lc)
		}
	}
	fn := c.StaticCallee()
	if fn != nil && (parallel || x.spawns) {
		add(fn)
	}
	if parallel || x.spawns {
		for _, id := range sortedUnique(x.callees) {
			if p.fns[id] != fn {
				add(p.fns[id])
			}
		}
	}
	if parallel && c.IsInvoke() && len(x.callees) == 0 {
		if pkg := c.Method.Pkg(); pkg == nil || !p.Application(pkg.Path()) {
			lc := LibraryCall{Name: c.Method.FullName(), Pos: pos, Why: whyNoImpl}
			lc.Known = p.Library != nil && p.Library.InterfaceMethod(lc.Name) != nil
			out = append(out, lc)
		}
	}
	return out
}

// libraryCall says what is known of a function, unless it is the
// application's.
func (p *Program) libraryCall(fn *ssa.Function) (LibraryCall, bool) {
	pkg := pkgPath(fn)
	if pkg == "" || p.Application(pkg) {
		return LibraryCall{}, false
	}
	c := LibraryCall{Name: libraryName(fn), Known: p.entry(fn) != nil, Analysed: fn.Blocks != nil}
	if !c.Known && !c.Analysed {
		c.Why = whyNoBody
	}
	return c, true
}
