package pta

import (
	"iter"
	"slices"

	"github.com/iterace/iterace/pta/flow"
)

// This file tells which places keep what they have once something is there: whatever
// is stored there is something other than zero. A test that finds such a place at zero
// comes before all that happens after a store to it (filters/order/lazily.go).

// Settled lists the stores to a place of which there is one, if all that code in view
// puts there, but for what the object's maker does before anyone else has it, is something
// other than zero. It is not sure of what functions return that the model describes, of package
// variables of what has no main function and no test, nor of fields that only their package can
// name in an object that others may have (soundness: set-before).
func (v *View) Settled(l Loc) (stores []Site, sure, ok bool) { return v.settled(l, false) }

// MaySettle is Settled where that of what is stored nothing is known, or who else has the object,
// does not count: it is enough that nothing in view stores zero.
func (v *View) MaySettle(l Loc) (stores []Site, ok bool) {
	stores, _, ok = v.settled(l, true)
	return stores, ok
}

func (v *View) settled(l Loc, maybe bool) (stores []Site, sure, ok bool) {
	loc := v.canonical(int32(l))
	if loc >= v.ov.first || !v.res.Complete() {
		return nil, false, false
	}
	s := v.ov.base
	oid := s.ownerOf(loc)
	o := s.object(oid)
	switch {
	case !maybe && (v.res.base.many(oid) || v.res.base.ofARound(o)) || s.leafAt(loc).PartSize > 0:
		return nil, false, false
	case o.kind == objGlobal || s.madeHere(o) && v.res.roots[o.inst].Intersects(&v.res.inits):
		sure = v.ScopeRuns()
	case s.madeHere(o) && v.res.closed(oid):
		sure = true
	case s.leafAt(loc).Private:
	case maybe:
	default:
		return nil, false, false
	}
	ok = true
	v.eachPut(loc, func(ref accRef, p Content) bool {
		in := s.inst(ref.inst)
		switch {
		case p.isSet():
		case p.First && s.madeBy(o, ref, &p):
			return true
		case p.Kind == ContentCall && in.returnsMade(&p):
			sure = false
		case maybe && p.Kind != ContentZero:
		default:
			ok = false
		}
		stores = append(stores, Site{v.outer(ref.inst), in.fn.Accesses[ref.idx].At})
		ok = ok && len(stores) <= maxPuts
		return ok
	})
	return stores, sure, ok && len(stores) > 0
}

// eachPut calls visit for each of the base's stores to a location, with what is known of what
// it puts there, as long as that returns true.
func (v *View) eachPut(loc int32, visit func(accRef, Content) bool) {
	v.eachStore(loc, func(ref accRef, p Content) bool {
		if p.Kind == ContentVar && v.findsSet(ref.inst, &p) {
			p.Kind = ContentNotZero
		}
		return visit(ref, p)
	})
}

// eachStore is eachPut but for what is found in package variables.
func (v *View) eachStore(loc int32, visit func(accRef, Content) bool) {
	s := v.ov.base
	seen, more := make(map[accRef]bool), true
	s.overlapping(loc, func(l int32) {
		v.res.baseTable().at(l, false, nil, func(ref accRef, _ bool) {
			if !more || seen[ref] {
				return
			}
			seen[ref] = true
			in := s.inst(ref.inst)
			p := in.fn.Accesses[ref.idx].Puts
			if p.Kind == ContentCall && s.returnsSet(in, &p) {
				p.Kind = ContentNotZero
			}
			more = visit(ref, p)
		})
	})
}

// madeBy reports whether a store comes right after its instance has made an object.
func (s *solver) madeBy(o *object, ref accRef, p *Content) bool {
	return o.kind == objAlloc && ref.inst == o.inst && p.Of == s.inst(ref.inst).fn.Allocs[o.alloc].At
}

// returnsMade reports whether a content is the only result of a call that the model describes,
// which yields new memory.
func (in *instance) returnsMade(c *Content) bool {
	return slices.ContainsFunc(in.fn.Allocs, func(a Alloc) bool { return a.At == c.Call && a.Word == "result" }) &&
		in.fn.Flow != nil && !slices.ContainsFunc(in.fn.Flow.Extracts, func(x flow.Extracted) bool { return x.Call == c.Call })
}

// ScopeRuns reports whether all entry points of the view run by themselves.
func (v *View) ScopeRuns() bool {
	for fn := range v.entries() {
		if !fn.Test && !fn.isMain() {
			return false
		}
	}
	return true
}

// entries yields the entry points of the view, but for those that run before others.
func (v *View) entries() iter.Seq[*Func] {
	return func(yield func(*Func) bool) {
		for n := range v.scope().roots.All() {
			if !v.res.inits.Has(n) && !yield(v.ov.base.inst(v.res.rootInsts[n]).fn) {
				return
			}
		}
	}
}

// ScopeTests reports whether all entry points of the view, but for those that run before others, are tests.
func (v *View) ScopeTests() bool {
	some := false
	for fn := range v.entries() {
		if some = fn.Test; !some {
			break
		}
	}
	return some
}

// Stored returns where a store may store, sorted, by canonical names.
func (v *View) Stored(store Site) []Loc {
	var out []Loc
	v.anyTouched(store, true, func(l int32) bool {
		out = append(out, Loc(l))
		return false
	})
	return sortedUnique(out)
}

// Before lists the initialisers that run before an entry point, as instances of the base: that
// of its package, which runs those of the packages that it imports.
func (v *View) Before(id InstID) (out []InstID) {
	b, ok := v.baseInst(id)
	n, root := v.res.rootNumber[b]
	if !ok || !root {
		return nil
	}
	for k := range v.res.inits.All() {
		first := v.ov.base.inst(v.res.rootInsts[k]).fn
		if k != n && first.initialises() && samePackage(first.Pkg, v.ov.base.inst(b).fn.Pkg) {
			out = append(out, v.res.rootInsts[k])
		}
	}
	slices.Sort(out)
	return out
}
