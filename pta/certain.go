package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// This file tells a race of two pointers that lead to one object from one of pointers that
// may: a pointer of a function that is called for five objects leads to five of them, and
// that two accesses may both touch the third does not make it so.

// certain reports whether two accesses by pointers touch one object if both run: neither
// pointer leads to another, or both were read from one variable or field of which there is
// one. That place is returned, or -1 if it is not what decides: whether it has the same pointer
// both times is a question of order (filters/order/same.go).
func (p *pairing) certain(loc int32, a, b accRef, other model.Thread) (place int32, ok bool) {
	v := p.v
	obj := v.baseOf(loc)
	if v.leadsOnlyTo(a, obj) && v.leadsOnlyTo(b, obj) {
		return -1, true
	}
	return p.fromOnePlace(obj, a, b, other)
}

// StoresTo lists the stores to a place, by instances of the base or, of what iterations run, the
// overlay; ok is false if there are too many. The list must not be changed.
func (v *View) StoresTo(l Loc) (stores []Site, ok bool) {
	loc := v.canonical(int32(l))
	x, known := v.storesTo[loc]
	if !known {
		x.sites, x.all = v.findStores(loc)
		if v.storesTo == nil {
			v.storesTo = make(map[int32]knownStores)
		}
		v.storesTo[loc] = x
	}
	return x.sites, x.all
}

// knownStores are the stores to a place; all is false if there are too many.
type knownStores struct {
	sites []Site
	all   bool
}

func (v *View) findStores(loc int32) (stores []Site, ok bool) {
	add := func(s Site) bool {
		if !slices.Contains(stores, s) {
			stores = append(stores, s)
		}
		return len(stores) <= maxPuts
	}
	ok = true
	if loc < v.ov.first {
		v.eachStore(loc, func(ref accRef, _ Content) bool {
			ok = add(Site{v.outer(ref.inst), v.ov.base.inst(ref.inst).fn.Accesses[ref.idx].At})
			return ok
		})
	}
	v.ov.overlapping(loc, func(l int32) {
		for _, a := range v.writes()[v.canonical(l)].by {
			ok = ok && add(Site{a.inst, v.access(a).At})
		}
	})
	return stores, ok
}

// Bounds on the objects that two pointers may lead to if one of them still counts as what both
// touch: more than manyEach by each are too many and, of a single goroutine and what runs beside
// it, more than manyPairs pairs. (What the rounds of a loop make has several names.) Of 31 race
// sets of modules that nobody had run before, whose accesses had no other ground than that
// their pointers may lead to so many each, reading found none true; of 28 others, in later
// modules, none of 10 with so many pairs, and 9 of the rest.
const (
	manyEach  = 3
	manyPairs = 9
)

// scattered reports whether both accesses have their objects by pointers that lead to
// many, as those of a function that all of a program calls do, or to several by what a library
// keeps, as all loggers of a program write by one function. Those of two iterations are
// not: what leads one to an object leads the other there.
func (p *pairing) scattered(loc int32, a, b accRef, other model.Thread) bool {
	if other == model.Beta {
		return false
	}
	x, y := p.v.leadsTo(a).places, p.v.leadsTo(b).places
	if x > 1 && p.v.byLibrary(a.inst) || y > 1 && p.v.byLibrary(b.inst) {
		return true
	}
	many := func() bool { return x > manyEach && y > manyEach || p.v.Loop().Single && x*y > manyPairs }
	if !many() {
		return false
	}
	if p.passedItself(loc, a) {
		x = 1
	}
	if p.passedItself(loc, b) {
		y = 1
	}
	return many() && !p.keptAtOnePlace(loc, a, b, other)
}

// keptAtOnePlace reports whether both accesses have their pointer from one variable or field of which there is one, as fromOnePlace
// has it, whatever variable of a function has kept it since, or closure that has captured that. It may be set again meanwhile:
//
//	list := m.members // under the lock
//	return func(yield func(member) bool) {
//		for _, x := range list { // what others change under the lock
func (p *pairing) keptAtOnePlace(loc int32, a, b accRef, other model.Thread) bool {
	if p.itself++; p.itself > maxShared {
		return false
	}
	v, obj := p.v, p.v.baseOf(loc)
	c, ok := v.keptIn(obj, point{a.inst, v.access(a).Node}, maxVariables)
	if !ok {
		return false
	}
	d, ok := v.keptIn(obj, point{b.inst, v.access(b).Node}, maxVariables)
	return ok && c == d && !v.element(c) && p.oneFor(v.baseOf(c), other)
}

// maxVariables bounds the variables that a pointer has been kept in since.
const maxVariables = 3

// keptIn returns the location from which a pointer to an object comes in all ways, beyond variables that are stored to once.
func (v *View) keptIn(obj int32, at point, depth int) (cell int32, ok bool) {
	ways, ok := v.waysBy(at, obj, byHeld)
	if !ok || len(ways) == 0 {
		return 0, false
	}
	cell = -1
	for i := range ways {
		w := &ways[i]
		if len(w.cells) != 1 || w.taken || cell >= 0 && v.canonical(w.cells[0]) != cell {
			return 0, false
		}
		cell = v.canonical(w.cells[0])
	}
	owner := v.baseOf(cell)
	if depth == 0 || !v.isVariable(owner) {
		return cell, true
	}
	stored, held := v.heldIn(cell)
	if !held {
		if stored, held = v.storedIn(cell, owner); !held {
			return cell, true
		}
	}
	return v.keptIn(obj, stored, depth-1)
}

// passedItself reports whether an access has the object at a location from calls that pass the object
// itself, from where it is made on, as out.String() does where out is a variable: whatever others
// pass there, these calls pass nothing else.
func (p *pairing) passedItself(loc int32, a accRef) bool {
	if p.itself++; p.itself > maxShared {
		return false
	}
	ways, known := p.v.ways(point{a.inst, p.v.access(a).Node}, p.v.baseOf(loc))
	return known && len(ways) > 0 && !slices.ContainsFunc(ways, func(w Way) bool { return len(w.cells) > 0 || len(w.Calls) == 0 })
}

// byLibrary reports whether nothing calls an instance but a library that keeps its object for all
// threads, see forAll, or what that calls.
func (v *View) byLibrary(id InstID) bool {
	if yes, ok := v.kept[id]; ok {
		return yes
	}
	if v.kept == nil {
		v.kept = make(map[InstID]bool)
	}
	v.kept[id] = false // what calls itself alone is called by nobody
	callers := v.ov.inst(id).callers
	yes := len(callers) > 0 && !slices.ContainsFunc(callers, func(c Site) bool {
		return !v.ov.inst(c.Inst).fn.forAll() && !v.byLibrary(c.Inst)
	})
	v.kept[id] = yes
	return yes
}

// A lead is what an access's pointer leads to: how many objects of the base, and the first
// of them.
type lead struct{ object, places int32 }

// leadsOnlyTo reports whether no access can touch another object of the base by the
// pointer that it has.
func (v *View) leadsOnlyTo(a accRef, obj int32) bool {
	l := v.leadsTo(a)
	return l.places == 0 || l.places == 1 && l.object == obj
}

// leadsTo returns what an access's pointer leads to; places are counted to one more
// than manyPairs.
func (v *View) leadsTo(a accRef) lead {
	if l, ok := v.leads[a]; ok {
		return l
	}
	var seen [manyPairs + 1]int32
	n := 0
	v.ov.locations(v.ov.inst(a.inst), v.access(a), func(l int32) {
		if base := v.baseOf(l); n < len(seen) && !slices.Contains(seen[:n], base) {
			seen[n] = base
			n++
		}
	})
	if v.leads == nil {
		v.leads = make(map[accRef]lead)
	}
	l := lead{seen[0], int32(n)}
	v.leads[a] = l
	return l
}

// fromOnePlace reports whether both accesses have their pointer from one variable or field
// of which there is one, and from nowhere else, and which that is.
func (p *pairing) fromOnePlace(obj int32, a, b accRef, other model.Thread) (place int32, ok bool) {
	c, ok := p.v.onlyCell(obj, a)
	if !ok {
		return -1, false
	}
	d, ok := p.v.onlyCell(obj, b)
	if !ok || c != d || p.v.element(c) {
		return -1, false
	}
	return c, p.oneFor(p.v.baseOf(c), other)
}

// oneFor reports whether there is one of the owner of a place, for the two threads of a race.
func (p *pairing) oneFor(owner int32, other model.Thread) bool {
	return other != model.Main && p.madeBySpawner(owner) || !p.v.ov.manyObject(owner)
}

type cellKey struct {
	a   accRef
	obj int32
}

type onlyCell struct {
	cell int32
	ok   bool
}

// onlyCell returns the location from which an access has all that its pointer leads to.
// An access is in as many pairs as others touch what it touches: to look anew for each was
// an eighth of the tests of a time-series database.
func (v *View) onlyCell(obj int32, a accRef) (cell int32, ok bool) {
	k := cellKey{a, obj}
	c, asked := v.cells[k]
	if !asked {
		c.cell, c.ok = v.findOnlyCell(obj, a)
		if v.cells == nil {
			v.cells = make(map[cellKey]onlyCell)
		}
		v.cells[k] = c
	}
	return c.cell, c.ok
}

func (v *View) findOnlyCell(obj int32, a accRef) (cell int32, ok bool) {
	ways, ok := v.ways(point{a.inst, v.access(a).Node}, obj)
	if !ok || len(ways) == 0 {
		return 0, false
	}
	cell = -1
	for i := range ways {
		w := &ways[i]
		if len(w.cells) != 1 || w.taken || cell >= 0 && v.canonical(w.cells[0]) != cell {
			return 0, false
		}
		cell = v.canonical(w.cells[0])
	}
	held := make(map[int32]bool)
	for l := range v.ov.contents(ways[0].cells[0]).All() {
		if b, ok := v.ov.boxAt(l); ok {
			l = b.loc
		}
		held[v.baseOf(l)] = true
	}
	only := true
	v.ov.locations(v.ov.inst(a.inst), v.access(a), func(l int32) { only = only && held[v.baseOf(l)] })
	return cell, only
}
