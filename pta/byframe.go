package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
)

// This file follows pointers to the run of a function that they come from: the frame that has made the
// object, or has got it as the result of a call, and has passed it on by calls, by function literals that it
// passes on, or in a variable or field that it sets once.
//
//	func (f *fan) start() {
//		go func() { f.n++ }()
//	}
//
//	func run() {
//		f := new(fan)
//		f.start()
//		f.n++
//	}
//
// Whoever calls run, and how often, the goroutine has the object of the run that has started it.

// setOnce returns the value that is stored in the places that a load may read, if that is one place, which is
// stored to once, by who makes the object that has it; and the ways in which that is there.
func (t *tracer) setOnce(from point, cells []int32) (stored point, owners []Way, ok bool) {
	v := t.v
	if !t.framed() || len(cells) == 0 || t.places >= maxCommon {
		return stored, nil, false
	}
	c := v.canonical(cells[0])
	if slices.ContainsFunc(cells, func(l int32) bool { return v.canonical(l) != c }) || v.element(c) || v.ov.leafAt(c).Pool {
		return stored, nil, false
	}
	owner := v.baseOf(c)
	held := false
	if t.mode == byHeld {
		stored, held = v.heldIn(c)
	}
	if !held {
		if stored, ok = v.storedIn(c, owner); !ok {
			return stored, nil, false
		}
	}
	o := t.of(owner)
	if !o.value(from, nil, true, nil) || o.steps > maxWaySteps || len(o.ways) > maxWays || len(o.ways) == 0 {
		return stored, nil, false
	}
	t.steps = o.steps
	fn := v.ov.inst(stored.inst).fn
	if held || t.mode == byStart && v.ownCopy(o.ways[0].from.inst, stored.inst) {
		stored.inst = o.ways[0].from.inst // the frame that has this one
	}
	for i := range o.ways {
		w := &o.ways[i]
		if !w.open || w.loose || len(w.cells) > 0 || len(w.returned) > 0 || v.outer(w.from.inst) != v.outer(stored.inst) || v.ov.inst(w.from.inst).fn != fn {
			return stored, nil, false
		}
	}
	return stored, o.ways, true
}

// ownCopy reports whether an instance is an iteration's own copy of one of the base.
func (v *View) ownCopy(id, base InstID) bool {
	b, ok := v.baseInst(id)
	return ok && b == base && v.outer(id) == id
}

// heldIn returns what a variable that is stored to once holds at a location.
func (v *View) heldIn(c int32) (stored point, ok bool) {
	o := v.ov.object(v.ov.ownerOf(c))
	if o.kind != objAlloc {
		return stored, false
	}
	held := v.ov.inst(o.inst).fn.Allocs[o.alloc].Held
	return point{o.inst, held + Node(c-o.loc)}, held != None
}

// storedIn returns what is stored in a place of an object of the base, if that is done once, by who makes the object.
func (v *View) storedIn(c, owner int32) (stored point, ok bool) {
	base := v.ov.base
	if c >= v.ov.first || base.object(owner).kind != objAlloc {
		return stored, false
	}
	stores := base.storesTo(c)
	if len(stores) != 1 || base.object(owner).inst != stores[0].inst {
		return stored, false
	}
	in := base.inst(stores[0].inst)
	n := Node(stores[0].src - in.base)
	return point{stores[0].inst, n}, n >= 0 && int32(n) < in.fn.NNodes
}

// valueIn follows what is stored in a place, as setOnce has it, that was loaded at p.
func (t *tracer) valueIn(p, stored point, owners []Way, calls []Site, open bool, to *returning) bool {
	for i := range owners {
		down, back := owners[i].Calls, to
		if len(down) > 0 && to != nil {
			open, back = false, nil // who is returned to is another frame
		}
		if !t.value(stored, above(calls, down), open, back) {
			return false
		}
	}
	return true
}

// above adds the calls of a way to those below it, innermost first.
func above(calls, way []Site) []Site {
	out := slices.Clip(calls)
	for i := range way {
		out = append(out, way[len(way)-1-i])
	}
	return out
}

// capturedBelow follows a leaf of a free variable to where the closures are made by which the function is called,
// as far as these are passed down from there by calls.
func (t *tracer) capturedBelow(p point, k int, leaf Node, calls []Site, open bool) (explained, ok bool) {
	ok = t.v.eachClosure(p.inst, func(caller, call Site, value point, closure int32) bool {
		if call.At != caller.At {
			return true
		}
		seen, known := t.capturedBy(value, closure, k, leaf, append(slices.Clip(calls), caller), open)
		explained = explained || seen
		return known
	})
	return explained && ok, ok
}

func (t *tracer) capturedBy(call point, closure int32, k int, leaf Node, calls []Site, open bool) (explained, ok bool) {
	v := t.v
	if closure < 0 || call.node == None || t.places >= maxCommon {
		return false, false
	}
	o, ok := v.ov.allocated(closure)
	if !ok {
		return false, false
	}
	from, ok := t.bound(o, o.inst, k, leaf)
	if !ok {
		return false, true
	}
	c := t.of(v.baseOf(o.loc))
	if !c.value(call, nil, true, nil) || c.steps > maxWaySteps || len(c.ways) > maxWays {
		return false, false
	}
	t.steps = c.steps
	for i := range c.ways {
		w := &c.ways[i]
		if !w.open || w.loose || len(w.cells) > 0 || len(w.returned) > 0 {
			return false, false
		}
		if !t.value(from, above(calls, w.Calls), open, nil) {
			return false, false
		}
		explained = true
	}
	return explained, true
}

// A pointerUse is a pointer, and where its frame does something with it.
type pointerUse struct {
	point
	by Site
}

// ofOneFrame reports whether both accesses of a pair can be followed to one run of a function, which has
// started the goroutine, and whose object both have: alpha's, and what Main, or another goroutine that the
// run has started, does after that, or, with what the run has returned, later (soundness: many-objects).
func (p *pairing) ofOneFrame(loc int32, a, b accRef) bool {
	use := func(r accRef) pointerUse {
		x := p.v.access(r)
		return pointerUse{point{r.inst, x.Node}, Site{p.v.outer(r.inst), x.At}}
	}
	return p.inView(a, b) && p.depth.of(a.inst) < maxBelowStart && p.metBelow(p.v.baseOf(loc), use(a), use(b), maxOwners)
}

// ofOneRound is ofOneFrame for what a round of a loop in that function makes. Whether both accesses are to what one
// round has made, and not to what an earlier one has, is for the paths to say that the function has for them: see
// model.Race.Round.
func (p *pairing) ofOneRound(loc int32, a, b accRef) bool {
	p.rounds = true
	defer func() { p.rounds = false }()
	return p.ofOneFrame(loc, a, b)
}

func (p *pairing) metBelow(obj int32, a, b pointerUse, depth int) bool {
	if p.shared++; p.shared > maxShared || obj < 0 || obj >= p.v.ov.firstObj {
		return false
	}
	v := p.v
	xs, ok := v.waysBy(a.point, obj, byFrame)
	if !ok {
		return false
	}
	ys, ok := v.waysBy(b.point, obj, byFrame)
	if !ok {
		return false
	}
	for i := range xs {
		for j := range ys {
			x, y := &xs[i], &ys[j]
			switch {
			case x.loose || y.loose || x.taken || y.taken || !x.open:
			case len(x.cells) == 0 && len(y.cells) == 0:
				if p.fromOneRun(obj, x, y, a.by, b.by) {
					return true
				}
			case len(x.cells) > 0 && len(y.cells) > 0 && y.open && depth > 1 && len(x.returned)+len(y.returned) == 0:
				if p.inOnePlace(x, y, a.by, b.by, depth) {
					return true
				}
			case len(x.cells) == 0 && y.open && depth > 1 && len(x.returned)+len(y.returned) == 0:
				if p.keptInRun(obj, x, y, a.by, b.by) {
					return true
				}
			}
		}
	}
	return false
}

// inOnePlace reports whether two ways begin with loads from one place of an object that is one run's.
func (p *pairing) inOnePlace(x, y *Way, a, b Site, depth int) bool {
	v := p.v
	for _, c := range x.cells {
		owner := v.baseOf(c)
		meets := slices.ContainsFunc(y.cells, func(d int32) bool {
			return v.baseOf(d) == owner && v.sameField(c, d) && !v.ov.leafAt(c).Pool && !(depth < maxOwners && v.element(c))
		})
		if meets && p.metBelow(owner, pointerUse{x.from, firstCall(x, a)}, pointerUse{y.from, firstCall(y, b)}, depth-1) {
			return true
		}
	}
	return false
}

// keptInRun reports whether a run of a function, which makes the object that x begins with, has put it into another one that
// it has made, for good, and y begins with a load from there:
//
//	func render(n int) *sheet {
//		s := &sheet{rows: make([]row, n)}
//		go func() { s.rows[0] = row{} }()
//		return s
//	}
//
//	use(render(n).rows)
func (p *pairing) keptInRun(obj int32, x, y *Way, a, b Site) bool {
	v := p.v
	o := v.ov.base.object(obj)
	if o.kind != objAlloc || !v.ov.inst(o.inst).fn.Allocs[o.alloc].once() {
		return false
	}
	for _, c := range y.cells {
		owner := v.baseOf(c)
		if owner < 0 || owner >= v.ov.firstObj || v.element(c) || v.ov.leafAt(c).Pool {
			continue
		}
		stored, ok := v.storedIn(c, owner)
		if !ok || v.outer(stored.inst) != v.outer(x.from.inst) {
			continue
		}
		here := func(w Way) bool {
			return !w.loose && !w.taken && len(w.cells)+len(w.returned)+len(w.Calls) == 0 && v.outer(w.from.inst) == v.outer(x.from.inst)
		}
		if ws, ok := v.waysBy(stored, obj, byFrame); !ok || len(ws) != 1 || !here(ws[0]) {
			continue
		}
		ws, ok := v.waysBy(y.from, owner, byFrame)
		if ok && slices.ContainsFunc(ws, func(w Way) bool {
			return !w.loose && !w.taken && len(w.cells) == 0 && p.fromOneRun(owner, x, &w, a, firstCall(y, b))
		}) {
			return true
		}
	}
	return false
}

// firstCall returns where the frame in which a way begins does what the way leads to.
func firstCall(w *Way, use Site) Site {
	if len(w.Calls) > 0 {
		return w.Calls[0]
	}
	return use
}

// fromOneRun reports whether two ways begin with what one run of a function makes, or a call of it returns; a and
// b are where the accesses are, if there are no calls.
func (p *pairing) fromOneRun(obj int32, x, y *Way, a, b Site) bool {
	v := p.v
	if v.outer(x.from.inst) != v.outer(y.from.inst) {
		return false
	}
	made, once := p.madeAt(obj, x)
	if !once {
		return false
	}
	if max(p.callsToStart(x), len(y.Calls)) > maxBelowStart {
		return false
	}
	if n := len(y.returned) - len(x.returned); n != 0 {
		return n > 0 && slices.Equal(x.returned, y.returned[n:])
	}
	if !y.open || !slices.Equal(x.returned, y.returned) {
		return false
	}
	n := 0
	for n < len(x.Calls) && n < len(y.Calls) && x.Calls[n] == y.Calls[n] {
		n++
	}
	if n > 0 {
		made = ssair.NoInstr // a function that has been passed it
	}
	if n < len(x.Calls) {
		a = x.Calls[n]
	}
	if n < len(y.Calls) {
		b = y.Calls[n]
	}
	fn := v.ov.inst(a.Inst).fn
	return v.outer(a.Inst) == v.outer(b.Inst) && (fn.goesOn(a.At, b.At, made) || p.other != nil && fn.goesOn(b.At, a.At, made))
}

// callsToStart counts the calls of a way down to where the goroutine is started; all of them if it is not on the way.
func (p *pairing) callsToStart(w *Way) int {
	for k, c := range w.Calls {
		if p.v.ov.spawnsAt(c) {
			return k
		}
	}
	return len(w.Calls)
}

// madeAt returns where the frame in which a way begins makes the object, or calls what returns it; once is set if it
// does so once in each run, or in alpha's round of the loop.
func (p *pairing) madeAt(obj int32, w *Way) (at ssair.Instr, once bool) {
	if len(w.returned) > 0 {
		c := &p.v.ov.inst(w.returned[0].inst).fn.Calls[w.returned[0].call]
		return c.At, (p.rounds || !c.InLoop) && c.Side == 0 && c.Loop < 0
	}
	o := p.v.ov.base.object(obj)
	if o.kind != objAlloc {
		return ssair.NoInstr, false
	}
	a := &p.v.ov.inst(o.inst).fn.Allocs[o.alloc]
	return a.At, a.once() || p.ofStartersRound(obj) || p.rounds && a.Side == 0 && a.Loop < 0
}

// mayBeOfOneFrame reports whether alpha's use of one of many objects can be followed to a run of a function.
func (p *pairing) mayBeOfOneFrame(u use) bool {
	if p.depth.of(u.inst) >= maxBelowStart { // the start is a call, too
		return false
	}
	if p.shared++; p.shared > maxShared {
		return false
	}
	ways, ok := p.v.waysBy(point{u.inst, p.v.access(u.accRef).Node}, p.v.baseOf(u.loc), byFrame)
	return ok && slices.ContainsFunc(ways, func(w Way) bool { return w.open && !w.loose })
}
