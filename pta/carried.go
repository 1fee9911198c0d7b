package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// This file follows a pointer back to the element that it was loaded from where
// an iteration has kept it in memory of its own meanwhile: in the request that it
// made for it, in the variable of a round.

const (
	maxCarrySteps  = 300 // values looked at for one access
	maxCarryChains = 6
)

// A carrier follows what one side's iterations carry about.
type carrier struct {
	tracer
	side  tag
	loads []loadedFrom
}

// A loadedFrom is where a frame has a pointer from: an element, or what a closure
// captures.
type loadedFrom struct {
	inst InstID
	at   ssair.Instr
	root Root
}

type carriedKey struct {
	point
	deep int32 // the access, if it is a deep one
	obj  int32
	side tag
}

// Origins returns the chains to the loads of elements from which an access may
// have its pointer to an object: Origin, or where that does not tell, those of
// what the iteration stored in its own memory. It is false where the pointer may
// come from elsewhere.
func (v *View) Origins(c Chain, a *model.Access, o *model.Object) ([]Chain, bool) {
	if x, ok := v.Origin(c, a.Index); ok {
		return []Chain{x}, true
	}
	obj, ok := v.describedBase(o)
	if !ok || a.Index < 0 || a.Thread == model.Main {
		return nil, false
	}
	loads := v.carriedFrom(accRef{InstID(a.Inst), a.Index}, obj, tag(a.Thread))
	return v.followAll(loads, func(l loadedFrom) ([]Chain, bool) { return v.chainsTo(l, c, a.Thread), true })
}

// AllOrigins is Origins for an access to which too many chains lead: of all of them
// together, there may be few to where it has its pointer from.
func (v *View) AllOrigins(a *model.Access, o *model.Object) ([]Chain, bool) {
	obj, ok := v.describedBase(o)
	if !ok || a.Index < 0 || a.Thread == model.Main {
		return nil, false
	}
	return v.originsOf(v.carriedFrom(accRef{InstID(a.Inst), a.Index}, obj, tag(a.Thread)), a.Thread)
}

// originsOf returns the chains to some loads.
func (v *View) originsOf(loads []loadedFrom, t model.Thread) ([]Chain, bool) {
	return v.followAll(loads, func(l loadedFrom) ([]Chain, bool) {
		if v.ov.inst(l.inst).spawner != nil {
			return nil, false
		}
		return v.ChainsAgain(t, Site{l.inst, l.at}, maxCarryChains)
	})
}

// followAll follows the roots of some loads up the chains to them; it is false where
// one leads nowhere, or none is left.
func (v *View) followAll(loads []loadedFrom, chains func(loadedFrom) ([]Chain, bool)) (out []Chain, ok bool) {
	for _, l := range loads {
		all, ok := chains(l)
		if !ok {
			return nil, false
		}
		for _, to := range all {
			x, ok := v.follow(to, len(to.Sites)-1, l.root)
			if !ok || len(out) == maxCarryChains {
				return nil, false
			}
			out = append(out, x)
		}
	}
	return out, len(out) > 0
}

// chainsTo returns the chains to a load that begin as c does.
func (v *View) chainsTo(l loadedFrom, c Chain, t model.Thread) []Chain {
	if v.ov.inst(l.inst).spawner != nil {
		if v.outer(l.inst) != c.Sites[c.Spawn].Inst {
			return nil
		}
		return []Chain{{Sites: slices.Clone(c.Sites[:c.Spawn+1]), Spawn: c.Spawn}}
	}
	all, ok := v.Chains(t, Site{l.inst, l.at}, maxCarryChains)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(all, func(x Chain) bool {
		return x.Spawn != c.Spawn || !slices.Equal(x.Sites[:x.Spawn+1], c.Sites[:c.Spawn+1])
	})
}

// carriedFrom returns where one side's pointers to an object come from that an
// access has; none if some come from where that cannot be told.
func (v *View) carriedFrom(at accRef, obj int32, side tag) []loadedFrom {
	a := v.access(at)
	p := point{at.inst, a.Node}
	if a.Flags&FlagDeep == 0 {
		return v.carriedTo(p, obj, side)
	}
	return v.carriedBy(carriedKey{p, at.idx, obj, side}, func(t *carrier) bool { return t.reached(at.inst, a) })
}

// carriedTo is carriedFrom for a value.
func (v *View) carriedTo(p point, obj int32, side tag) []loadedFrom {
	return v.carriedBy(carriedKey{p, -1, obj, side}, func(t *carrier) bool { return t.value(p) })
}

func (v *View) carriedBy(k carriedKey, follow func(*carrier) bool) []loadedFrom {
	if out, ok := v.carried[k]; ok {
		return out
	}
	t := &carrier{tracer: tracer{v: v, obj: k.obj, names: v.namesOf(k.obj), busy: make(map[visit]bool)}, side: k.side}
	if !follow(t) {
		t.loads = nil
	}
	if v.carried == nil {
		v.carried = make(map[carriedKey][]loadedFrom)
	}
	v.carried[k] = t.loads
	return t.loads
}

// reached follows the pointers by which a deep access comes to the object.
func (t *carrier) reached(id InstID, a *Access) bool {
	ov := t.v.ov
	if id < ov.firstInst {
		return false
	}
	set := ov.pts(ov.inst(id).node(a.Node))
	known := true
	pass := func(y int32) {
		if known && ov.leafAt(y).Ptr && t.holds(y) {
			known = t.owns(y) && t.stored(y)
		}
	}
	format := a.Flags&FlagFormat != 0
	if format { // the operands are what the elements of the variadic argument hold
		for l := range set.All() {
			if ov.ownerOf(l) >= 0 {
				ov.overlapping(l, pass)
			}
		}
	}
	from, n := ov.deepFrom(set, a)
	ov.deepLocations(from, n, a.Flags, pass)
	return known && (!set.Intersects(t.names) || !format && t.value(point{id, a.Node}))
}

func (t *carrier) from(l loadedFrom) bool {
	if !slices.Contains(t.loads, l) {
		t.loads = append(t.loads, l)
	}
	return len(t.loads) <= maxCarryChains
}

// value follows a value, and reports whether all that it may have the pointer
// from is known.
func (t *carrier) value(p point) bool {
	ov := t.v.ov
	if p.inst < ov.firstInst {
		return false // Main's
	}
	in := ov.inst(p.inst)
	if in.spawner == nil && in.ctx.tag != t.side || in.spawner != nil && !in.spawner.defined[p.node] {
		return false // the other side's, or had before the rounds
	}
	if t.busy[visit{point: p}] || !ov.pts(in.node(p.node)).Intersects(t.names) {
		return true
	}
	if t.steps++; t.steps > maxCarrySteps {
		return false
	}
	t.busy[visit{point: p}] = true
	for k := range in.fn.Received {
		if r := &in.fn.Received[k]; r.Node <= p.node && p.node < r.Node+Node(r.Len) {
			return t.from(loadedFrom{p.inst, r.At, Root{Kind: RootRecv, K: r.Operand, At: r.At}})
		}
	}
	known := false
	for _, k := range t.v.res.defs(in.fn)[p.node] {
		c := &in.fn.Constraints[k]
		ok := true
		switch c.Op {
		case OpFunc, OpBoxConst: // no pointer to an object
			continue
		case OpAddr, OpBoxVal, OpGlobal:
			ok = false
		case OpLoad, OpUnboxVal:
			ok = t.load(p.inst, c)
		default:
			ok = t.value(point{p.inst, c.Src})
		}
		if !ok {
			return false
		}
		known = true
	}
	for k, n := range in.fn.Free {
		if n != None && n <= p.node && p.node < n+Node(in.fn.FLen[k]) {
			if !t.from(loadedFrom{p.inst, 0, Root{Kind: RootFree, K: int32(k)}}) {
				return false
			}
			known = true
		}
	}
	for k, n := range in.fn.Params {
		if n != None && n <= p.node && p.node < n+Node(in.fn.PLen[k]) {
			if !t.argument(p, k, int32(p.node-n)) {
				return false
			}
			known = true
		}
	}
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		if c.Result == None || p.node < c.Result {
			continue
		}
		for _, e := range in.callees[k] {
			f := ov.inst(e.callee).fn
			if j := p.node - c.Result; f.Result != None && int32(j) < f.RLen {
				if !t.value(point{e.callee, f.Result + j}) {
					return false
				}
				known = true
			}
		}
	}
	return known
}

// argument follows a parameter's leaf to the calls.
func (t *carrier) argument(p point, k int, off int32) bool {
	ov := t.v.ov
	in := ov.inst(p.inst)
	for _, s := range in.callers {
		caller := ov.inst(s.Inst)
		for j := range caller.fn.Calls {
			c := &caller.fn.Calls[j]
			if c.At != s.At || !slices.ContainsFunc(caller.callees[j], func(e edge) bool { return e.callee == p.inst }) {
				continue
			}
			arg, node := k, None
			if c.Kind == CallInvoke {
				arg--
			}
			switch {
			case arg < 0 && t.v.res.base.s.p.pointerLike(in.fn):
				node = c.Fn
			case arg < 0:
				return false // a receiver that is copied out of its box
			case arg < len(c.Args) && c.Args[arg].Node != None && off < c.Args[arg].Len:
				node = c.Args[arg].Node + Node(off)
			}
			if node != None && !t.value(point{s.Inst, node}) {
				return false
			}
		}
	}
	return len(in.callers) > 0
}

// load follows a load from the iteration's own memory to what is stored there; one
// of an element, or of a variable that is captured, is where the pointer comes
// from.
func (t *carrier) load(id InstID, c *Constraint) bool {
	v := t.v
	in := v.ov.inst(id)
	cells := t.cells(point{id, c.Src}, c)
	for k, n := range in.fn.Free {
		if n != None && n <= c.Src && c.Src < n+Node(in.fn.FLen[k]) {
			if len(cells) > 0 && !slices.ContainsFunc(cells, func(y int32) bool { return !t.keptByCall(y) || !t.stored(y) }) {
				return true
			}
			return t.from(loadedFrom{id, 0, Root{Kind: RootFree, K: int32(k)}})
		}
	}
	var own []int32
	if len(cells) > 0 && !slices.ContainsFunc(cells, func(y int32) bool { return !t.ofItself(y) }) {
		return t.value(point{id, c.Src})
	}
	for _, y := range cells {
		if !t.owns(y) {
			own = nil
			break
		}
		own = append(own, y)
	}
	for _, y := range own {
		if !t.stored(y) {
			return false
		}
	}
	if own != nil {
		return true
	}
	for k := range in.fn.Accesses {
		a := &in.fn.Accesses[k]
		flags := a.Flags &^ (FlagInit | FlagPassed | FlagInner | FlagInnerPassed | FlagReturn)
		if a.Node == c.Src && c.Op == OpLoad && a.Off == c.Off && (flags == FlagElem || flags == 0 && t.elements(cells)) {
			return t.from(loadedFrom{id, a.At, Root{Kind: RootElem, At: a.At}})
		}
	}
	return false
}

// elements reports whether some locations are elements of one array, by a pointer to one of which a load
// reads what lies in it: own := &lanes[i]; own.codes[k]++.
func (t *carrier) elements(cells []int32) bool {
	v := t.v
	return len(cells) > 0 && !slices.ContainsFunc(cells, func(y int32) bool { return !v.element(y) || v.baseOf(y) != v.baseOf(cells[0]) })
}

// ofItself reports whether a location is one of the object, which holds nothing of it but its own address, as w.req does
// after w.req = &w.copy: who has the object from there has it from where it has that.
func (t *carrier) ofItself(y int32) bool {
	v := t.v
	b := v.canonical(y)
	if v.baseOf(y) != t.obj || b >= v.ov.first {
		return false
	}
	base := v.res.base.s
	return !slices.ContainsFunc(base.storesTo(b), func(p pred) bool {
		return (p.fact < 0 || !base.inst(p.inst).fn.Facts[p.fact].Self) && base.pts(p.src).Intersects(t.names)
	})
}

// owns reports whether a location lies in memory that an iteration of the side
// has made, or the round that starts it.
func (t *carrier) owns(y int32) bool { return t.v.ov.madeBy(y) == t.side }

// keptByCall reports whether a location is that of a variable of a call in an iteration of the side, as
// are those that the functions which a call returns have captured: its frame is on no chain to where they run.
//
//	func withLimit(l *limit) option { return func(c *config) { c.limit = l } }
func (t *carrier) keptByCall(y int32) bool {
	return t.owns(y) && t.v.ov.object(t.v.ov.ownerOf(y)).inst >= t.v.ov.firstInst
}

// stored follows what is stored at a location of own memory. Nobody else may
// store the object there; of what never leaves the iteration nobody else knows.
func (t *carrier) stored(y int32) bool {
	v := t.v
	own := v.ownStores()
	if b := v.canonical(y); b < v.ov.first && (y < v.ov.first || own.leaked.Has(v.ov.ownerOf(y))) {
		for _, p := range v.ov.base.storesTo(b) {
			if skip, _ := v.ov.skip(b, p); !skip && v.ov.base.pts(p.src).Intersects(t.names) {
				return false
			}
		}
	}
	for _, p := range own.at[y] {
		if !t.value(p) {
			return false
		}
	}
	return true
}
