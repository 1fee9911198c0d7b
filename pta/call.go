package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
)

func (s *solver) instantiateCall(id InstID, in *instance, k int32) {
	c := &in.fn.Calls[k]
	if s.shutByType(in, c.At) {
		return
	}
	if c.Kind == CallStatic {
		s.bind(id, in, k, s.p.Func(c.Callee), -1, -1)
		return
	}
	s.watch(s.source(in, c.Fn), conRef{id, -1 - k})
}

// applyCall resolves a dynamic call for new elements of its func or interface
// value.
func (s *solver) applyCall(id InstID, in *instance, k int32, delta *bitset.Set) {
	c := &in.fn.Calls[k]
	if c.Kind == CallInvoke {
		s.applyInvoke(id, in, k, delta)
		return
	}
	for l := range delta.All() {
		oid := s.ownerOf(l)
		if oid < 0 {
			continue
		}
		o := s.object(oid)
		switch {
		case o.kind == objFunc:
			s.bind(id, in, k, s.p.Func(o.fn), -1, -1)
		case o.kind == objAlloc && s.inst(o.inst).fn.Allocs[o.alloc].Kind == AllocClosure:
			s.bind(id, in, k, s.p.Func(o.fn), -1, oid)
		case o.kind == objView:
			if v := s.object(o.view); v.kind == objAlloc && s.inst(v.inst).fn.Allocs[v.alloc].Kind == AllocClosure {
				s.bind(id, in, k, s.p.Func(v.fn), -1, oid)
			}
		}
	}
}

// applyInvoke resolves a call of a method for new elements of the interface value.
// Boxes are many and their types few: of each type the first is bound, and of the
// others the receiver passed.
func (s *solver) applyInvoke(id InstID, in *instance, k int32, delta *bitset.Set) {
	type boundType struct {
		typ TypeID
		to  *instance // nil for a type without the method
	}
	c := &in.fn.Calls[k]
	var bound []boundType
	for l := range delta.All() {
		b, ok := s.boxAt(l)
		if !ok {
			continue
		}
		if i := slices.IndexFunc(bound, func(x boundType) bool { return x.typ == b.typ }); i >= 0 {
			if to := bound[i].to; to != nil {
				s.bindReceiver(to, b.loc)
				s.passBack(in, k, to.fn, b.loc)
			}
			continue
		}
		x := boundType{typ: b.typ}
		if m := s.p.method(b.typ, c.Method); m != noFunc && c.spawns() {
			s.bind(id, in, k, s.p.Func(m), b.loc, -1)
			continue
		} else if m != noFunc {
			x.to = s.bindSide(id, in, k, s.p.Func(m), b.loc, -1, 0)
		}
		bound = append(bound, x)
	}
}

// bind connects a call with one callee: recv is the receiver's location for an
// interface call, closure the closure object, -1 for none.
func (s *solver) bind(id InstID, in *instance, k int32, callee *Func, recv, closure int32) {
	c := &in.fn.Calls[k]
	if !c.spawns() {
		s.bindSide(id, in, k, callee, recv, closure, 0)
		return
	}
	for _, side := range s.sides(in, c) {
		s.bindSide(id, in, k, callee, recv, closure, side)
	}
}

// spawns reports whether a call starts goroutines of the application.
func (c *Call) spawns() bool { return c.Mode == ModeSpawn && c.Spawn >= 0 }

// sides returns the abstract iterations that a spawn starts.
func (s *solver) sides(in *instance, c *Call) []tag {
	sp := &in.fn.Spawns[c.Spawn]
	switch {
	case in.ctx.tag != tagMain:
		return []tag{in.ctx.tag} // a nested spawn stays in the outer iteration
	case in.ctx.fill != 0 && (in.fn.Wrapper || s.ov != nil && in.spawner == nil):
		return []tag{in.ctx.fill} // spawns for the loop that called the wrapper, or the constructor
	case sp.Split >= 0:
		return []tag{c.Side}
	case sp.Self:
		return []tag{tagA, tagB}
	}
	return []tag{tagA}
}

// bindSide connects a call with one callee, run by one side, and returns the callee's
// instance; nil if the overlay does not enter it.
func (s *solver) bindSide(id InstID, in *instance, k int32, callee *Func, recv, closure int32, side tag) *instance {
	same := s.passBack(in, k, callee, recv)
	if s.ov != nil && s.ov.cut.Has(callee.ID) {
		s.ov.below(in, k, callee, same)
		return nil
	}
	c := &in.fn.Calls[k]
	var co *object
	if closure >= 0 {
		co = s.object(closure)
		if co.kind == objView {
			co = s.object(co.view)
		}
	}
	ctx := s.calleeContext(in, c, callee, side, co)
	to := s.instanceOf(callee, ctx)
	ti := s.inst(to)
	f := ti.fn
	params := f.Params
	if recv >= 0 && len(params) > 0 {
		s.bindReceiver(ti, recv)
		params = params[1:]
	}
	if !s.linkCall(id, in, k, to, closure) {
		return ti // all else is the same for every receiver
	}
	lens := f.PLen[len(f.PLen)-len(params):]
	for i, a := range c.Args {
		if i >= len(params) {
			break
		}
		if a.Node == None || params[i] == None {
			continue
		}
		for j := range min(a.Len, lens[i]) {
			s.addEdge(s.source(in, a.Node+Node(j)), ti.node(params[i])+j)
		}
	}
	if closure >= 0 {
		s.bindFree(ti, s.object(closure).loc)
	}
	if c.Result != None && f.Result != None {
		for j := range f.RLen {
			if same == nil || same[j] == noParam {
				s.addEdge(ti.node(f.Result)+j, in.node(c.Result)+j)
			}
		}
	}
	return ti
}

// linkCall records a call edge, and reports whether it is new.
func (s *solver) linkCall(id InstID, in *instance, k int32, to InstID, obj int32) bool {
	for _, e := range in.callees[k] {
		if e.callee == to && e.obj == obj {
			return false
		}
	}
	in.callees[k] = append(in.callees[k], edge{to, obj})
	s.changed = true
	ti := s.inst(to)
	site := Site{Inst: id, At: in.fn.Calls[k].At}
	for _, x := range ti.callers {
		if x == site {
			return true
		}
	}
	ti.callers = append(ti.callers, site)
	return true
}

// bindReceiver passes what a box holds to the callee's first parameter: the
// pointer itself, or the leaves of a value.
func (s *solver) bindReceiver(ti *instance, loc int32) {
	if len(ti.fn.Params) == 0 || ti.fn.Params[0] == None {
		return
	}
	n := ti.fn.Params[0]
	if ti.fn.PLen[0] == 1 && s.p.pointerLike(ti.fn) {
		s.addPts(ti.node(n), loc)
		return
	}
	for j := range ti.fn.PLen[0] {
		if x, ok := s.shift(loc, j); ok && s.leafAt(x).Ptr {
			s.loadEdges(x, ti.node(n)+j, 0)
		}
	}
}

// pointerLike reports whether a method's receiver is a pointer or another
// reference, which boxes hold as it is.
func (p *Program) pointerLike(f *Func) bool {
	lay := p.types.layout(f.Vars[0].Type)
	return lay.Len() == 1 && lay.Ptr
}

func (s *solver) bindFree(ti *instance, loc int32) {
	off := int32(0)
	for i, n := range ti.fn.Free {
		for j := range ti.fn.FLen[i] {
			if n != None {
				if x, ok := s.shift(loc, off+j); ok {
					s.loadEdges(x, ti.node(n)+j, 0)
				}
			}
		}
		off += ti.fn.FLen[i]
	}
}
