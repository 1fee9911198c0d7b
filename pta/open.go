package pta

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// This file is about calls of interface methods of which no implementation is
// seen: those on what an entry point is given, and on what modelled functions
// return. The model's entry for the method then says what the call does to its
// arguments; without one it is taken to do nothing, and a notice says so.

// openCall lowers what the model says of an interface method whatever
// implements it. It holds at a call where the receiver is not known; where
// implementations are seen, their bodies tell.
func (l *lowerer) openCall(in ssa.CallInstruction) {
	c := in.Common()
	if l.p.Library == nil || l.val(c.Value) == None {
		return
	}
	e := l.p.Library.InterfaceMethod(c.Method.FullName())
	if e == nil {
		return
	}
	l.openResult(in, e)
	n := len(l.f.Accesses)
	l.effects(in, in.Common().Signature(), e, append([]ssa.Value{c.Value}, c.Args...))
	for k := n; k < len(l.f.Accesses); k++ {
		l.f.Accesses[k].Flags |= FlagOpen
		l.f.Accesses[k].Recv = l.valueOf(c.Value) // a value is not unknown where tests leave nothing of it
	}
}

// isLocker reports whether a call of a method of an interface takes or releases a lock, whatever that is
// (soundness: lockers).
func (c *Call) isLocker(method string) bool {
	return flow.LockerOp(method[strings.LastIndexByte(method, '.')+1:]) != library.OpNone && len(c.Args) == 0 && c.Result == None
}

// openResult lets a method that the model says returns its receiver return what
// that is known to hold: a context's values, of which each is the context
// (soundness: context-values).
func (l *lowerer) openResult(in ssa.CallInstruction, e *library.Func) {
	v, s := in.Value(), l.val(in.Common().Value)
	if v == nil || !slices.Contains(e.Returns, 0) || !types.IsInterface(v.Type()) {
		return
	}
	l.emit(Constraint{Op: OpFilter, Dst: l.dst(v), Src: s, Arg: int32(l.p.types.id(v.Type()))})
}

// open reports whether the interface value in a node of an instance may be one
// of which nothing is known.
func (s *solver) open(in *instance, recv Node) bool {
	set := s.pts(in.node(recv))
	if set.Empty() {
		return true
	}
	for l := range set.All() {
		if b, ok := s.boxAt(l); ok && s.p.isInterface(b.typ) {
			return true
		}
	}
	return false
}

// isInterface reports whether a box of a type stands for a value of unknown
// dynamic type.
func (p *Program) isInterface(t TypeID) bool { return p.types.layout(t).IsInterface() }

// IsInterface reports whether the layout is that of an interface value.
func (l *Layout) IsInterface() bool { return len(l.Leaves) == 1 && l.Leaves[0].Kind == LeafInterface }

// maxSealed bounds the types that a value of unknown origin is tried with, and
// maxNested the interfaces inside each other: their product is what it costs.
const (
	maxSealed = 4
	maxNested = 2
)

// someOf returns what an interface value from outside may be: a value of
// unknown type, or one of each type that implements the interface where only
// its own package can, because its name or one of its methods is not exported.
// Other interfaces may be implemented anywhere, and what a caller passes is
// then most likely not what the package happens to have (soundness: symbolic-opaque).
func (s *solver) someOf(inst InstID, param, parent int32, x *Leaf, text string, side uint8) []int32 {
	impls := s.p.sealed(x.Elem)
	for up, n := parent, 0; up >= 0 && s.object(s.ownerOf(up)).refs == 0; up = s.object(s.ownerOf(up)).parent {
		if s.leafAt(up).Kind == LeafInterface {
			if n++; n == maxNested {
				impls = nil
			}
		}
	}
	var out []int32
	for _, t := range impls {
		elem := t
		if p, ok := s.p.types.typ(t).(*types.Pointer); ok {
			elem = s.p.types.id(p.Elem())
		}
		as := Leaf{Kind: LeafPointer, Elem: elem, Part: x.Part, PartSize: x.PartSize}
		for _, o := range s.symbolic(inst, param, parent, &as, s.p.types.layout(elem), text, side) {
			out = append(out, s.box(box{t, s.object(o).loc}))
		}
	}
	if out == nil {
		out = append(out, s.box(box{x.Elem, s.object(s.constObject(x.Elem)).loc}))
	}
	return out
}

// sealed returns the types that implement an interface of the application which
// only the types of its package can implement; none if there are too many.
func (p *Program) sealed(t TypeID) []TypeID {
	return remembered(&p.mu, p.seals, t, func() []TypeID { return p.findSealed(t) })
}

func (p *Program) findSealed(t TypeID) []TypeID {
	var out []TypeID
	if named, ok := p.types.typ(t).(*types.Named); ok && closedInterface(named) && p.Application(named.Obj().Pkg().Path()) {
		iface := named.Underlying().(*types.Interface)
		scope := named.Obj().Pkg().Scope()
		for _, name := range scope.Names() { // in order
			obj, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || obj.IsAlias() || types.IsInterface(obj.Type()) {
				continue
			}
			if n, ok := obj.Type().(*types.Named); !ok || n.TypeParams().Len() > 0 {
				continue
			}
			switch ptr := types.NewPointer(obj.Type()); {
			case types.Implements(obj.Type(), iface):
				out = append(out, p.types.id(obj.Type()))
			case types.Implements(ptr, iface):
				out = append(out, p.types.id(ptr))
			}
		}
	}
	if len(out) > maxSealed {
		out = nil
	}
	return out
}

// closedInterface reports whether only types of its own package are given as
// values of a named interface: it has methods, and is not exported or has a
// method that is not.
func closedInterface(t *types.Named) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || t.Obj().Pkg() == nil || t.TypeParams().Len() > 0 || iface.NumMethods() == 0 {
		return false
	}
	if !t.Obj().Exported() {
		return true
	}
	for m := range iface.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}

// openNotices tells which interface methods iterations call on values of which
// nothing is known, where the model says nothing either.
func (r *Result) openNotices() []model.Notice {
	type method struct {
		pos   model.Pos
		calls int
	}
	found := make(map[string]*method)
	seen := make(map[model.Pos]bool)
	s := r.base.s
	for _, in := range s.insts {
		if !in.fn.App || in.ctx.tag == tagMain {
			continue
		}
		for k := range in.fn.Calls {
			c := &in.fn.Calls[k]
			if c.Kind != CallInvoke || c.Args == nil || !s.open(in, c.Fn) {
				continue
			}
			name := r.Prog.methods[c.Method].full
			if seen[c.Pos] || r.Prog.Library != nil && r.Prog.Library.InterfaceMethod(name) != nil || c.isLocker(name) {
				continue
			}
			seen[c.Pos] = true
			m := found[name]
			if m == nil {
				m = &method{pos: c.Pos}
				found[name] = m
			}
			m.calls++
			if c.Pos.Compare(m.pos) < 0 {
				m.pos = c.Pos
			}
		}
	}
	var out []model.Notice
	for name, m := range found {
		msg := "no implementation of " + name + " is known here: the call is taken to do nothing"
		if m.calls > 1 {
			msg = fmt.Sprintf("no implementation of %s is known at any of %d calls, of which this is the first: they are taken to do nothing", name, m.calls)
		}
		out = append(out, model.Notice{Pos: m.pos, Code: model.SoundnessNumber("symbolic-opaque"), Message: msg})
	}
	slices.SortFunc(out, func(a, b model.Notice) int { return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Message, b.Message)) })
	return out
}
