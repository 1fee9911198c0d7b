package pta

import (
	"sync"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
)

// This file tells which objects there is one of in each run of a function by whose calls
// alone a loop runs, its home: what the home makes, or what it calls does, once in a run.
//
//	func TestTwice(t *testing.T) { work(); work() }
//
//	func work() {
//		c := newCounter()
//		parallel(4, func(int) { c.n++ })
//	}
//
// There are two counters, and one for all that a run of work starts. If none of it is left where the
// next run may find it, iterations that meet at such an object have one, as they would if work were
// an entry point. So has what runs beside them: it is in the thread of the run, or in a goroutine of it.

// maxHomes bounds the functions, one the caller of the other, that are tried as the home of an object.
const maxHomes = 12

// maxLedTo bounds the objects that are looked at to find what is left behind by a run.
const maxLedTo = 20_000

// homes is what is asked of the base about homes, once for all loops.
type homes struct {
	mu      sync.Mutex
	idoms   []InstID               // by instance: the nearest one through which all calls to it lead, -1 if there is none
	levels  []int32                // by instance: how many of those there are above it
	globals *bitset.Set            // objects that package variables lead to
	ledTo   map[InstID]*bitset.Set // what callers of an instance may have after its run, but for these; nil if that is too much
	keepers map[int32]InstID       // by object, see KeptBy; -1 for none
}

// oneInRun reports whether an object of the base, which may be one of many, is one in each run of a home
// of the loop, and is not there for another run.
func (ov *overlay) oneInRun(oid int32) bool {
	if oid < 0 || ov.loop < 0 || int(oid) >= len(ov.base.objects) { // of none in the view of no loop
		return false
	}
	return ov.inRun.At(oid).ask(func() bool {
		home := ov.homeOf(oid, -1)
		if home >= 0 {
			ov.homes[oid] = home
		}
		return home >= 0
	})
}

// ofOneRun reports whether there is one of what both accesses of a pair touch in each run of a home: whoever has it has
// it from one run. Where many calls lie between, more often than not a lock does, too, or a join, of which it is
// not known that they are that run's.
func (p *pairing) ofOneRun(loc int32, a, b accRef) bool {
	return (p.dist == nil || p.dist(b.inst)+p.depth.of(a.inst) <= MaxNear) && p.v.ov.oneInRun(p.v.baseOf(loc))
}

// homeOf returns a home of the loop in each run of which an object is one, or asks that of one home only; -1 if
// there is none.
func (ov *overlay) homeOf(oid int32, only InstID) InstID {
	r, o := ov.res, ov.base.object(oid)
	if o.kind != objAlloc || !r.many(oid) || r.reaches(o.inst, ov.loop) || r.s.inst(o.inst).fn.Allocs[o.alloc].InLoop {
		return -1
	}
	r.homes.mu.Lock()
	defer r.homes.mu.Unlock()
	all := ov.allHome()
	id := o.inst
	for range maxHomes {
		if all < 0 || r.s.inst(id).fn.initialises() {
			return -1
		}
		if (only < 0 || id == only) && r.callsLeadBy(id, all) && !r.reaches(id, ov.loop) && r.startedOnceFrom(id, o.inst) && r.keeps(id, oid) {
			return id
		}
		s, once := r.calledOnce(id)
		if !once || r.s.inst(id).root || id == only {
			return -1
		}
		id = s.Inst
	}
	return -1
}

// Home returns a home of the loop in each run of which there is one of what a race is about, if that
// stands for many.
func (v *View) Home(r *model.Race) (home InstID, ok bool) {
	obj, ok := v.describedBase(r.Object)
	if !ok || !v.ov.oneInRun(obj) {
		return -1, false
	}
	return v.ov.homes[obj], true
}

// OneIn reports whether the object at a location, which stands for many, is one in each run of a home.
func (v *View) OneIn(home InstID, l Loc) bool {
	obj := v.baseOf(int32(l))
	return obj >= 0 && obj < v.ov.firstObj && v.ov.homeOf(obj, home) >= 0
}

// KeptBy returns the nearest instance that alone leads to where the object of a race is made, and of which
// no run leaves it to anybody when it is over: who has such an object has it from a run that
// goes on, or is in a goroutine that the run has started.
func (v *View) KeptBy(r *model.Race) (keeper InstID, ok bool) {
	obj, ok := v.describedBase(r.Object)
	if !ok || obj < 0 || obj >= v.ov.firstObj {
		return -1, false
	}
	keeper = v.ov.res.keeperOf(obj)
	return keeper, keeper >= 0
}

// keeperOf is KeptBy of an object of the base, -1 if there is none.
func (r *baseResult) keeperOf(oid int32) InstID {
	r.homes.mu.Lock()
	defer r.homes.mu.Unlock()
	if keeper, known := r.homes.keepers[oid]; known {
		return keeper
	}
	keeper := InstID(-1)
	if o := r.s.object(oid); o.kind == objAlloc {
		if r.homes.idoms == nil {
			r.findDominators()
		}
		id := o.inst
		for range maxHomes {
			if id < 0 || r.s.inst(id).fn.initialises() {
				break
			}
			if r.keeps(id, oid) {
				keeper = id
				break
			}
			id = r.homes.idoms[id]
		}
	}
	if r.homes.keepers == nil {
		r.homes.keepers = make(map[int32]InstID)
	}
	r.homes.keepers[oid] = keeper
	return keeper
}

// allHome returns the nearest instance by which all calls to the spawners lead.
func (ov *overlay) allHome() InstID {
	r := ov.res
	if r.homes.idoms == nil {
		r.findDominators()
	}
	home := ov.spawners[0]
	for _, id := range ov.spawners[1:] {
		for home >= 0 && !r.callsLeadBy(home, id) {
			home = r.homes.idoms[home]
		}
	}
	return home
}

// callsLeadBy reports whether all calls to an instance lead by another, or by itself.
func (r *baseResult) callsLeadBy(by, to InstID) bool {
	for to >= 0 && r.homes.levels[to] > r.homes.levels[by] {
		to = r.homes.idoms[to]
	}
	return to == by
}

// calledOnce returns the call that runs an instance, if that is one, which a run of its function does once at most.
func (r *baseResult) calledOnce(id InstID) (at Site, once bool) {
	in := r.s.inst(id)
	if len(in.callers) != 1 {
		return at, false
	}
	at = in.callers[0]
	n, caller := 0, r.s.inst(at.Inst)
	for k := range caller.fn.Calls {
		c := &caller.fn.Calls[k]
		if c.At != at.At {
			continue
		}
		for _, e := range caller.callees[k] {
			if e.callee == id {
				n++
				once = !c.InLoop
			}
		}
	}
	return at, once && n == 1
}

// startedOnceFrom reports whether between a home and an instance only goroutines are started of which a run of
// the home starts one.
func (r *baseResult) startedOnceFrom(home, id InstID) bool {
	for l := range r.reach[id].All() {
		if pl := r.loops[l]; !r.reach[home].Has(l) && (pl.split >= 0 || pl.spawn < 0 || pl.fn.Spawns[pl.spawn].Self) {
			return false
		}
	}
	return true
}

// findDominators finds the dominators of the call graph, by the method of Cooper, Harvey and Kennedy.
func (r *baseResult) findDominators() {
	s, h := r.s, &r.homes
	n := len(s.insts)
	const top = -1 // calls all roots
	order := make([]InstID, 0, n)
	number := make([]int32, n) // in postorder, from 1; 0 for what is not reached
	seen := make([]bool, n)
	type frame struct {
		id      InstID
		call, e int
	}
	for id, in := range s.insts {
		if !in.root && len(in.callers) > 0 || seen[id] {
			continue
		}
		seen[id] = true
		stack := []frame{{id: InstID(id)}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			in := s.inst(f.id)
			switch {
			case f.call == len(in.callees):
				order = append(order, f.id)
				number[f.id] = int32(len(order))
				stack = stack[:len(stack)-1]
			case f.e == len(in.callees[f.call]):
				f.call, f.e = f.call+1, 0
			default:
				to := in.callees[f.call][f.e].callee
				f.e++
				if !seen[to] {
					seen[to] = true
					stack = append(stack, frame{id: to})
				}
			}
		}
	}
	h.idoms = make([]InstID, n)
	known := make([]bool, n)
	for i := range h.idoms {
		h.idoms[i] = top
	}
	meet := func(a, b InstID) InstID {
		for a != b {
			switch {
			case a == top || b == top:
				return top
			case number[a] < number[b]:
				a = h.idoms[a]
			default:
				b = h.idoms[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 1; i >= 0; i-- {
			id := order[i]
			in := s.inst(id)
			dom, some := InstID(top), in.root || len(in.callers) == 0
			for _, c := range in.callers {
				switch {
				case !known[c.Inst]:
				case !some:
					dom, some = c.Inst, true
				default:
					dom = meet(dom, c.Inst)
				}
			}
			if some && (!known[id] || h.idoms[id] != dom) {
				h.idoms[id], known[id], changed = dom, true, true
			}
		}
	}
	h.levels = make([]int32, n)
	for i := len(order) - 1; i >= 0; i-- {
		if id := order[i]; h.idoms[id] >= 0 {
			h.levels[id] = h.levels[h.idoms[id]] + 1
		}
	}
}

// keeps reports whether nobody has an object of a run of an instance when it is over: it is not left where package
// variables lead, or what the instance has been given, and not returned.
func (r *baseResult) keeps(id InstID, oid int32) bool {
	h := &r.homes
	if h.globals == nil {
		h.globals = new(bitset.Set)
		var from []int32
		for oid := range r.s.objects {
			if r.s.objects[oid].kind == objGlobal {
				from = append(from, int32(oid))
			}
		}
		r.follow(h.globals, nil, from, len(r.s.objects))
	}
	if h.globals.Has(oid) {
		return false
	}
	led, known := h.ledTo[id]
	if !known {
		led = r.leadsTo(id)
		if h.ledTo == nil {
			h.ledTo = make(map[InstID]*bitset.Set)
		}
		h.ledTo[id] = led
	}
	return led != nil && !led.Has(oid)
}

// leadsTo returns the objects that the parameters of an instance, what it has captured and its results lead to, but for
// those that package variables lead to; nil if they are too many.
func (r *baseResult) leadsTo(id InstID) *bitset.Set {
	in, out := r.s.inst(id), new(bitset.Set)
	var from []int32
	add := func(first Node, n int32) {
		for i := range n {
			if first == None {
				return
			}
			if set := r.s.set(in.node(first + Node(i))); set != nil {
				r.s.behindBoxes(set, func(l int32) { from = append(from, r.s.ownerOf(l)) })
			}
		}
	}
	for k, first := range in.fn.Params {
		add(first, in.fn.PLen[k])
	}
	for k, first := range in.fn.Free {
		add(first, in.fn.FLen[k])
	}
	add(in.fn.Result, in.fn.RLen)
	if !r.follow(out, r.homes.globals, from, maxLedTo) {
		return nil
	}
	return out
}

// follow adds to out what some objects lead to, themselves too, but for what is left out and what that leads to. It
// reports whether that is no more than so many.
func (r *baseResult) follow(out, left *bitset.Set, work []int32, most int) bool {
	s := r.s
	looked := make(map[int32]bool) // by set
	reached := func(l int32) {
		if oid := s.ownerOf(l); out.Len() <= most && (left == nil || !left.Has(oid)) && out.Add(oid) {
			work = append(work, oid)
		}
	}
	from := work
	work = nil
	for _, oid := range from {
		reached(s.object(oid).loc)
	}
	for len(work) > 0 {
		o := s.object(work[len(work)-1])
		work = work[:len(work)-1]
		for l := o.loc; l < o.loc+o.layout.Len(); l++ {
			if id := s.setOf[l]; id >= 0 && !looked[id] {
				looked[id] = true
				s.behindBoxes(&s.sets[id], reached)
			}
			for _, c := range s.children[l] {
				s.behindBoxes(bitset.Of(c), reached)
			}
		}
	}
	return out.Len() <= most
}
