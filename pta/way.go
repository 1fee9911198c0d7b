package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
)

// This file asks by which ways an access gets the pointer to the object that it
// touches. A function is analysed once for all its callers in a context; the
// callers that pass another object do not count where one object is in
// question.

// A Way is one way to an object: the calls that pass its address down to the
// access, the outermost first, from the frame that gets it in another way.
type Way struct {
	Calls []Site
	cells []int32 // what the pointer was loaded from; none if it was not loaded
	from  point   // the address of the cells, as far up as calls that return what they load are known
	load  point   // the address of the cells in the frame that loads
	taken bool    // the load takes the object out of them, see taken.go
	whole bool    // the load takes away all that is there
	off   int32   // of what is loaded, behind from
	into  []Node  // what the loads yield
	// open is set if the frame in which the way begins is the one that makes the
	// first call, or the access; otherwise the pointer came by another function.
	open bool
	// loose is set if the way leads through a closure, or down by a call that is not among Calls.
	loose bool
	// returned has the calls that return the pointer to the frame in which the way begins, the outermost
	// first, if it is found there by such: only of ways byFrame.
	returned []returnSite
	// Up is the number of owners that the way was followed up, obj the object that
	// it leads to: the last of them, or the object itself; and Passed the first
	// call that passes a pointer to that, if any does.
	Up     int
	Passed []Site
	obj    int32
	inner  int32 // with Up, what the object has that the way leads to: the object itself, or an owner of it
}

// away reports whether the load takes the object away from where it was.
func (w *Way) away() bool { return w.whole || w.taken }

// A point is a value in a frame.
type point struct {
	inst InstID
	node Node
}

const (
	maxWays     = 100 // by which one access gets at one object
	maxWaySteps = 600 // values looked at to find them
	maxCells    = 32  // from which one load may have its pointer: more are of too many owners
)

// A tracer follows the pointers to one object of the base back to where a frame
// gets them.
type tracer struct {
	v      *View
	obj    int32
	names  *bitset.Set // of the object, see namesOf
	steps  int
	busy   map[visit]bool
	ways   []Way
	mode   wayMode
	loose  int // closures, and calls that are not told, on the way at hand
	places int // see common

	returns map[returning]*returning // see returnTo
}

// A visit is a value that is looked at for a call to which it is returned, or for all.
type visit struct {
	point
	to *returning
}

// returning is a call of which a value is the result, or what the result was found by:
// the callee's parameters are what that call passes. up is the one to which the caller
// returns it, and open what it was there.
type returning struct {
	site returnSite
	up   *returning
	open bool
}

// returnSite names a call by the frame and the number that it has there.
type returnSite struct {
	inst InstID
	call int32
}

// maxReturning bounds the calls that are matched at once; beyond, values come from any caller.
const maxReturning = 3

// A wayMode says what of the ways is asked for.
type wayMode uint8

const (
	byCalls wayMode = iota
	// throughClosures follows what closures have captured, too. As evidence that two
	// iterations meet it would not do: closures of many rounds are one object.
	throughClosures
	// fromWhere is that without the calls: each value is looked at once.
	fromWhere
	// byRun follows what closures have captured that are the same for all iterations of one run
	// of the loop, see byrun.go.
	byRun
	// byFrame follows what closures have captured as far as these are passed down by calls, too, and what
	// is kept in a place that is set once, by who makes it: where such a way begins, and which
	// call there leads to the access, is known.
	byFrame
	// byHeld is byFrame, which knows also what a variable of a function holds that one store alone sets, whichever
	// frames of the function there are. As evidence that two accesses meet it would say too much: an index that
	// is opened in a frame of its own was met by what opens the next one.
	byHeld
	// byStart is byFrame, which knows also what the iteration's own frames hold: a parameter of the goroutine, for
	// instance, that a literal in it has captured. As evidence that the two met in any frame above it would say too much.
	byStart
	// onlyGiven gives up at a way that is not all calls.
	onlyGiven
)

// framed reports whether the ways say in which frame they begin.
func (t *tracer) framed() bool { return t.mode == byFrame || t.mode == byHeld || t.mode == byStart }

// A wayKey names a question to ways, and a wayAnswer its answer.
type wayKey struct {
	point
	obj  int32
	mode wayMode
}

type wayAnswer struct {
	ways []Way
	ok   bool
}

// ways returns the ways in which the pointers to an object come to p; ok is
// false where there are too many, or where one of them cannot be followed.
func (v *View) ways(p point, obj int32) (out []Way, ok bool) { return v.waysBy(p, obj, byCalls) }

// givenWays is ways where each of them has calls, and begins where the object is
// made; ok is false otherwise. Most pointers are loaded somewhere, and the first load
// that may yield the object settles it: to list all was 7 % of the tests of a
// key-value store.
func (v *View) givenWays(p point, obj int32) (out []Way, ok bool) {
	out, ok = v.waysBy(p, obj, onlyGiven)
	return out, ok && len(out) > 0
}

func (v *View) waysBy(p point, obj int32, mode wayMode) (out []Way, ok bool) {
	k := wayKey{p, obj, mode}
	a, asked := v.answers[k]
	if !asked {
		t := &tracer{v: v, obj: obj, names: v.namesOf(obj), busy: make(map[visit]bool), mode: mode}
		if t.value(p, nil, mode != fromWhere, nil) && t.steps <= maxWaySteps && len(t.ways) <= maxWays {
			a = wayAnswer{t.ways, true}
		}
		if v.answers == nil {
			v.answers = make(map[wayKey]wayAnswer)
		}
		v.answers[k] = a
	}
	return a.ways, a.ok
}

// namesOf returns what sets have for an object of the base: its locations, those
// of views of it, and of what an iteration makes in its place; and boxes of them.
// A set that meets it may hold a pointer to the object.
func (v *View) namesOf(obj int32) *bitset.Set {
	if n, ok := v.names[obj]; ok {
		return n
	}
	ov := v.ov
	if v.names == nil {
		v.names, v.inPlace = make(map[int32]*bitset.Set), make(map[int32][]int32)
		for k := range ov.objects {
			base := v.baseOf(ov.objects[k].loc)
			v.inPlace[base] = append(v.inPlace[base], ov.firstObj+int32(k))
		}
	}
	out := new(bitset.Set)
	ids := v.inPlace[obj]
	if obj < ov.firstObj {
		ids = append([]int32{obj}, ids...)
	}
	for _, id := range ids {
		o := ov.object(id)
		for l := o.loc; l < o.loc+o.layout.Len(); l++ {
			out.Add(l)
		}
		for _, b := range v.res.boxesOf(ov.base)[id] {
			out.Add(b)
		}
		for _, b := range v.boxesOf()[id] {
			out.Add(b)
		}
	}
	v.names[obj] = out
	return out
}

// boxesOf lists the boxes of the overlay by the object that they hold.
func (v *View) boxesOf() map[int32][]int32 {
	if v.boxes == nil {
		v.boxes = v.ov.boxesByOwner()
	}
	return v.boxes
}

func (r *Result) boxesOf(base *solver) map[int32][]int32 {
	r.onces.boxes.Do(func() { r.boxes = base.boxesByOwner() })
	return r.boxes
}

func (s *solver) boxesByOwner() map[int32][]int32 {
	out := make(map[int32][]int32)
	for _, b := range s.boxes {
		id := s.ownerOf(b.loc)
		out[id] = append(out[id], s.boxIDs[b])
	}
	return out
}

// in reports whether a value may be a pointer to the object.
func (t *tracer) in(id InstID, n Node) bool {
	ov := t.v.ov
	return ov.pts(ov.inst(id).node(n)).Intersects(t.names)
}

// holds reports whether a location may hold a pointer to the object.
func (t *tracer) holds(y int32) bool {
	ov := t.v.ov
	if y >= ov.first {
		if ov.pts(y).Intersects(t.names) {
			return true
		}
		if y = t.v.canonical(y); y >= ov.first {
			return false
		}
	}
	if ov.base.pts(y).Intersects(t.names) {
		return true
	}
	n, ok := ov.shadows[y]
	return ok && ov.pts(n).Intersects(t.names)
}

func (t *tracer) found(calls []Site, w Way, to *returning) {
	for ; to != nil && t.framed(); to = to.up {
		w.returned, w.open = append(w.returned, to.site), to.open
	}
	slices.Reverse(w.returned)
	w.Calls = slices.Clone(calls)
	slices.Reverse(w.Calls)
	w.loose = t.loose > 0
	same := func(x Way) bool {
		return slices.Equal(x.Calls, w.Calls) && slices.Equal(x.cells, w.cells) && x.from == w.from && x.load == w.load && x.off == w.off &&
			x.open == w.open && x.loose == w.loose && x.taken == w.taken && x.whole == w.whole && slices.Equal(x.returned, w.returned)
	}
	k := slices.IndexFunc(t.ways, same)
	if k < 0 {
		t.ways = append(t.ways, w)
	} else if x := &t.ways[k]; len(w.into) > 0 && !slices.Contains(x.into, w.into[0]) {
		x.into = append(x.into, w.into[0])
	}
}

// MayPass reports whether operand k of the first call by which a way's object is
// passed may be a pointer to it.
func (v *View) MayPass(w Way, k int) bool { return v.mayPass(w.Passed[0], k, w.obj) }

// MayPassObject reports whether operand k of a call may be a pointer to an object.
func (v *View) MayPassObject(s Site, k int, o *model.Object) bool {
	obj, ok := v.describedBase(o)
	return !ok || v.mayPass(s, k, obj)
}

// mayPassAny reports whether some argument of a call may be a pointer to an object.
func (v *View) mayPassAny(s Site, obj int32) bool {
	names := v.namesOf(obj)
	for in, i := range v.callsAt(s) {
		if slices.ContainsFunc(in.fn.Calls[i].Args, func(x Arg) bool { return v.anyMeets(in, x.Node, x.Len, names) }) {
			return true
		}
	}
	return false
}

// anyMeets reports whether some leaves of a value may hold what has one of some names.
func (v *View) anyMeets(in *instance, n Node, size int32, names *bitset.Set) bool {
	for j := range size {
		if n != None && v.ov.pts(in.node(n+Node(j))).Intersects(names) {
			return true
		}
	}
	return false
}

func (v *View) mayPass(s Site, k int, obj int32) bool {
	names := v.namesOf(obj)
	for in, i := range v.callsAt(s) {
		c := &in.fn.Calls[i]
		arg := k
		if c.Kind == CallInvoke {
			arg--
		}
		if arg >= len(c.Args) {
			continue
		}
		n, size := c.Fn, int32(1)
		if arg >= 0 {
			n, size = c.Args[arg].Node, c.Args[arg].Len
		} else if slices.ContainsFunc(in.callees[i], func(e edge) bool { return !v.res.base.s.p.pointerLike(v.ov.inst(e.callee).fn) }) {
			return true // a receiver that is copied out of its box
		}
		if v.anyMeets(in, n, size, names) {
			return true
		}
	}
	return false
}

// value follows a value; calls are those that passed it down so far, innermost
// first, open is set while each frame got it as an argument, and to is the call that it
// is returned to, if one is known. It returns false if the pointer comes from where it
// cannot be followed.
func (t *tracer) value(p point, calls []Site, open bool, to *returning) bool {
	v := t.v
	p = t.outside(p)
	now := visit{p, to}
	if t.busy[now] || !t.in(p.inst, p.node) {
		return true
	}
	if t.steps++; t.steps > maxWaySteps || len(t.ways) > maxWays {
		return false
	}
	t.busy[now] = true
	if t.mode != fromWhere {
		defer delete(t.busy, now)
	}
	in := v.ov.inst(p.inst)
	explained := false
	follow := func(q point, calls []Site, open bool, to *returning) bool {
		if !t.in(q.inst, q.node) {
			return true
		}
		explained = true
		return t.value(q, calls, open, to)
	}
	for _, k := range v.res.defs(in.fn)[p.node] {
		c := &in.fn.Constraints[k]
		switch c.Op {
		case OpFunc, OpBoxConst: // no pointer to an object
		default:
			if !follow(point{p.inst, c.Src}, calls, open, to) {
				return false
			}
		case OpLoad, OpUnboxVal:
			if t.mode == onlyGiven {
				if t.loads(p.inst, c) {
					return false
				}
				continue
			}
			at := point{p.inst, c.Src}
			from := t.given(at, to)
			cells := t.cells(from, c)
			if len(cells) > maxCells && t.mode != fromWhere {
				return false
			} else if q, owners, ok := t.setOnce(from, cells); ok {
				explained = true
				if !t.valueIn(p, q, owners, calls, open, to) {
					return false
				}
			} else if cells != nil {
				explained = true
				load := c.Op == OpLoad
				t.found(calls, Way{open: open, cells: cells, from: from, load: at, off: c.Off, into: []Node{p.node}, taken: load && c.Arg == takenLoad, whole: load && c.Arg == takenWhole}, to)
			} else if from != at {
				explained = true // other calls of the function have the object from it
			}
		case OpAddr, OpBoxVal, OpGlobal:
			if t.makes(in.fn, c) {
				if t.mode == onlyGiven && len(calls) == 0 {
					return false
				}
				explained = true
				t.found(calls, Way{open: open, from: p, load: p}, to)
			}
		}
	}
	for k := range in.fn.Params {
		if first := in.fn.Params[k]; first != None && first <= p.node && p.node < first+Node(in.fn.PLen[k]) {
			if q, ok := t.passedBy(to, in.fn, k, p.node-first); ok {
				if q.node != None && t.in(q.inst, q.node) && !t.value(q, calls, to.open, to.up) {
					return false
				}
				explained = true
				continue
			}
			seen, ok := t.argument(p, k, int32(p.node-first), calls, open)
			if !ok {
				return false
			}
			explained = explained || seen
		}
	}
	for k, first := range in.fn.Free {
		if first == None || p.node < first || p.node >= first+Node(in.fn.FLen[k]) {
			continue
		}
		var seen, ok bool
		switch leaf := p.node - first; {
		case t.framed():
			seen, ok = t.capturedBelow(p, k, leaf, calls, open)
		case t.follows(p, k, leaf):
			seen, ok = t.captured(p, k, leaf, calls)
		case in.fn.Between:
			seen, ok = t.boundBy(p, k, leaf, calls, open)
		default:
			continue
		}
		if !ok {
			return false
		}
		explained = explained || seen
	}
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		if c.Result == None || p.node < c.Result {
			continue
		}
		for _, e := range in.callees[k] {
			f := v.ov.inst(e.callee).fn
			if j := p.node - c.Result; f.Result != None && int32(j) < f.RLen && !follow(point{e.callee, f.Result + j}, calls, false, t.returnTo(p.inst, int32(k), to, open)) {
				return false
			}
		}
	}
	return explained
}

// argument follows a parameter's leaf to the calls.
func (t *tracer) argument(p point, k int, leaf int32, calls []Site, open bool) (explained, ok bool) {
	if !open {
		t.loose++
		defer func() { t.loose-- }()
	}
	ok = t.arguments(p, k, leaf, func(q point, s Site, initial bool) bool {
		explained = true
		up := calls
		if open {
			up = append(slices.Clip(calls), s)
		}
		if t.mode == onlyGiven && open && initial && t.v.res.loaded(t.v.ov.inst(q.inst).fn, q.node) {
			t.found(up, Way{open: open, from: q, load: q}, nil) // what is loaded, and new, the frame has made
			return true
		}
		return t.value(q, up, open, nil)
	})
	return explained && ok, ok
}

// arguments calls follow for the arguments that calls pass as a parameter's leaf and that may
// be pointers to the object, as long as it returns true; initial is set for new memory. It
// returns whether it always did, and all calls are known.
func (t *tracer) arguments(p point, k int, leaf int32, follow func(q point, s Site, initial bool) bool) bool {
	v := t.v
	if o := v.ov.object(t.obj); o.kind == objSym && o.parent < 0 && v.ov.inst(p.inst).root {
		return false // given by who calls a root
	}
	for _, s := range v.Callers(p.inst) {
		for _, id := range v.frameIDs(s.Inst) {
			in := v.ov.inst(id)
			for j := range in.fn.Calls {
				c := &in.fn.Calls[j]
				if c.At != s.At {
					continue
				}
				arg, node, copied := k, None, false
				if c.Kind == CallInvoke {
					arg--
				}
				switch {
				case arg < 0 && v.res.base.s.p.pointerLike(v.ov.inst(p.inst).fn):
					node = c.Fn
				case arg < 0:
					copied = true // a receiver that is copied out of its box
				case arg < len(c.Args) && c.Args[arg].Node != None && leaf < c.Args[arg].Len:
					node = c.Args[arg].Node + Node(leaf)
				}
				// A call may have hundreds of callees: whether this is one is asked last.
				if !copied && (node == None || !t.in(id, node)) || !slices.ContainsFunc(in.callees[j], func(e edge) bool { return e.callee == p.inst }) {
					continue
				}
				if copied || !follow(point{id, node}, s, arg >= 0 && c.Args[arg].Init) {
					return false
				}
			}
		}
	}
	return true
}

// loaded reports whether a value of a function is loaded from memory, or lies in what is.
func (r *Result) loaded(fn *Func, n Node) bool {
	c := r.origin(fn, n, OpOffset, OpElem)
	return c != nil && c.Op == OpLoad
}

// origin returns the one constraint that a value of a function is from, behind some that only hand it on; nil if there is
// not one.
func (r *Result) origin(fn *Func, n Node, past ...Op) *Constraint {
	for range maxPast + 1 {
		ds := r.defs(fn)[n]
		if len(ds) != 1 {
			return nil
		}
		c := &fn.Constraints[ds[0]]
		if !slices.Contains(past, c.Op) {
			return c
		}
		n = c.Src
	}
	return nil
}

// maxPast bounds the constraints that origin looks behind.
const maxPast = 7

// follows reports whether a leaf of a free variable is followed.
func (t *tracer) follows(p point, k int, leaf Node) bool {
	switch t.mode {
	case throughClosures, fromWhere:
		return true
	case byRun:
		return t.of(t.obj).alike(p, k, leaf)
	}
	return false
}

// captured follows a leaf of a free variable to where its closures are made.
func (t *tracer) captured(p point, k int, leaf Node, calls []Site) (explained, ok bool) {
	t.loose++
	defer func() { t.loose-- }()
	ok = t.bindings(p, k, leaf, func(q point) bool {
		explained = true
		return t.value(q, calls, false, nil)
	})
	return explained && ok, ok
}

// boundBy follows the receiver of a method value to the frames that make one and call it, or start a goroutine with it: that
// passes the receiver as a call of the method does.
//
//	time.AfterFunc(d, x.expire)
func (t *tracer) boundBy(p point, k int, leaf Node, calls []Site, open bool) (explained, ok bool) {
	ov := t.v.ov
	if !open {
		t.loose++
		defer func() { t.loose-- }()
	}
	ok = t.v.eachClosure(p.inst, func(caller, call Site, value point, closure int32) bool {
		if closure < 0 || value.node == None {
			return false
		}
		fn := ov.inst(value.inst).fn
		o, ok := ov.allocated(closure)
		if !ok || ov.inst(o.inst).fn != fn || !t.v.res.isMade(fn, value.node, o.alloc) {
			return false
		}
		q, ok := t.bound(o, value.inst, k, leaf)
		if !ok {
			return true
		}
		up := calls
		if open {
			up = append(slices.Clip(calls), caller)
		}
		explained = true
		return t.value(q, up, open, nil)
	})
	return explained && ok, ok
}

// isMade reports whether a value of a function is what one of its instructions makes, and nothing else.
func (r *Result) isMade(fn *Func, n Node, alloc int32) bool {
	c := r.origin(fn, n, OpCopy)
	return c != nil && c.Op == OpAddr && c.Arg == alloc
}

// bindings calls follow for what closures have captured as a leaf of a free variable, as arguments does.
func (t *tracer) bindings(p point, k int, leaf Node, follow func(point) bool) bool {
	return t.v.eachClosure(p.inst, func(_, _ Site, _ point, obj int32) bool {
		if obj < 0 {
			return true
		}
		o, ok := t.v.ov.allocated(obj)
		if !ok {
			return false
		}
		q, ok := t.bound(o, o.inst, k, leaf)
		return !ok || follow(q)
	})
}

// bound returns a leaf of what a closure has for free variable k, in the frame that makes it or another one of the same
// function, if it may be the object.
func (t *tracer) bound(closure *object, frame InstID, k int, leaf Node) (q point, ok bool) {
	binds := t.v.ov.inst(closure.inst).fn.Allocs[closure.alloc].Binds
	if k >= len(binds) || binds[k] == None {
		return point{}, false
	}
	q = point{frame, binds[k] + leaf}
	return q, t.in(q.inst, q.node)
}

// eachClosure calls f for the closures by which an instance is called, negative where there is none: from
// what frame, by which of its calls, and by what value. It ends, and is false, if f is.
func (v *View) eachClosure(callee InstID, f func(caller, call Site, value point, closure int32) bool) bool {
	for _, s := range v.Callers(callee) {
		for _, id := range v.frameIDs(s.Inst) {
			in := v.ov.inst(id)
			for j, edges := range in.callees {
				c := &in.fn.Calls[j]
				for _, e := range edges {
					if e.callee == callee && !f(s, Site{id, c.At}, point{id, c.Fn}, e.obj) {
						return false
					}
				}
			}
		}
	}
	return true
}

// returnTo returns the call of a frame that returns to another one, each of which is one
// place in memory.
func (t *tracer) returnTo(id InstID, k int32, up *returning, open bool) *returning {
	depth := 0
	for u := up; u != nil; u = u.up {
		depth++
	}
	if depth >= maxReturning {
		return nil
	}
	x := returning{returnSite{id, k}, up, open}
	if r := t.returns[x]; r != nil {
		return r
	}
	if t.returns == nil {
		t.returns = make(map[returning]*returning)
	}
	t.returns[x] = &x
	return &x
}

// passedBy returns what a call that is known passes for a leaf of parameter k of its callee;
// ok is false where that is not one value of the caller.
func (t *tracer) passedBy(to *returning, callee *Func, k int, leaf Node) (q point, ok bool) {
	if to == nil {
		return q, false
	}
	c := &t.v.ov.inst(to.site.inst).fn.Calls[to.site.call]
	if c.Kind == CallInvoke {
		if k == 0 {
			return t.outside(point{to.site.inst, c.Fn}), t.v.res.base.s.p.pointerLike(callee)
		}
		k--
	}
	if k >= len(c.Args) || c.Args[k].Node != None && int32(leaf) >= c.Args[k].Len {
		return q, false
	}
	if c.Args[k].Node == None {
		return point{to.site.inst, None}, true
	}
	return t.outside(point{to.site.inst, c.Args[k].Node + leaf}), true
}

// outside returns where a value of a spawner is found that is not computed by its rounds.
func (t *tracer) outside(p point) point {
	if sp := t.v.ov.inst(p.inst).spawner; sp != nil && !sp.defined[p.node] {
		p.inst = sp.base
	}
	return p
}

// given follows an address that a frame loads from to the caller that it returns to, as far as
// it is a parameter.
func (t *tracer) given(p point, to *returning) point {
	for to != nil {
		in := t.v.ov.inst(p.inst)
		k := slices.IndexFunc(in.fn.Params, func(n Node) bool { return n == p.node })
		if k < 0 || t.v.ov.inst(to.site.inst).fn.Calls[to.site.call].Kind == CallInvoke && k == 0 {
			return p
		}
		q, ok := t.passedBy(to, in.fn, k, 0)
		if !ok || q.node == None {
			return p
		}
		p, to = q, to.up
	}
	return p
}

// cells returns what a load by an address may have read a pointer to the object from.
func (t *tracer) cells(from point, c *Constraint) []int32 {
	var out []int32
	t.read(from, c, func(y int32) bool {
		if t.holds(y) {
			out = append(out, y)
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// loads reports whether a load may yield a pointer to the object.
func (t *tracer) loads(id InstID, c *Constraint) bool {
	return !t.read(point{id, c.Src}, c, func(y int32) bool { return !t.holds(y) })
}

// read calls f for the locations that a load by an address may read, until it returns
// false, and returns whether it never did.
func (t *tracer) read(from point, c *Constraint, f func(int32) bool) bool {
	ov := t.v.ov
	for l := range ov.pts(ov.inst(from.inst).node(from.node)).All() {
		if c.Op == OpUnboxVal {
			b, ok := ov.boxAt(l)
			if !ok {
				continue
			}
			l = b.loc
		}
		x, ok := ov.shift(l, c.Off)
		if !ok {
			continue
		}
		more := true
		ov.overlapping(x, func(y int32) { more = more && f(y) })
		if !more {
			return false
		}
	}
	return true
}

// makes reports whether a constraint yields the object itself.
func (t *tracer) makes(f *Func, c *Constraint) bool {
	o := t.v.ov.object(t.obj)
	switch {
	case c.Op == OpGlobal:
		return o.kind == objGlobal && o.global == GlobalID(c.Arg)
	case o.kind != objAlloc || t.v.ov.inst(o.inst).fn != f:
		return false
	case c.Op == OpBoxVal:
		return o.alloc == c.Off
	}
	return o.alloc == c.Arg
}

// defs returns the constraints of a template by the node that they add to.
func (r *Result) defs(f *Func) map[Node][]int32 {
	return remembered(&r.mu, r.definitions, f.ID, func() map[Node][]int32 {
		d := make(map[Node][]int32)
		for k := range f.Constraints {
			if c := &f.Constraints[k]; c.Op != OpStore {
				d[c.Dst] = append(d[c.Dst], int32(k))
			}
		}
		return d
	})
}
