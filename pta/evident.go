package pta

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
)

// This file looks for what shows that two iterations touch one object, where
// the analysis has one name for many objects. That the name is the same shows
// nothing: a node of each iteration's own tree has it, too. It is evident if
// both can be seen to get at the object from one place: a package variable, a
// variable of the function that starts the iterations, an object that there is
// one of.

// maxEvidence bounds the questions of one loop. It is a variable for tests.
var maxEvidence = 4000

// evident reports whether two accesses of many objects under one name can be
// followed up to one place from which both have the object at a location
// (soundness: many-objects).
func (p *pairing) evident(loc int32, a, b accRef) bool {
	v := p.v
	if p.madeBySpawner(v.ov.ownerOf(loc)) {
		return true
	}
	p.common = p.nearBelow(a, b)
	defer func() { p.common = false }()
	return p.meetUp(v.baseOf(loc), point{a.inst, v.access(a).Node}, point{b.inst, v.access(b).Node}, maxOwners)
}

// evidenceMode says how ways are followed for what evidence is looked for.
func (p *pairing) evidenceMode() wayMode {
	if p.common {
		return byRun
	}
	return byCalls
}

// maxBelowStart bounds the calls from where an iteration starts, or a frame has an object, to an access that is
// followed there by what closures have captured and objects have been given. Further down an access is more
// often guarded by what its callers hold, or have waited for: which lock or channel that is, is known of an
// object that there is one of, but in many cases not of one of many. Of 12 race sets of servers, clients and their
// tests that accesses further down brought, reading found 8 false.
const maxBelowStart = 2

// nearBelow reports whether two iterations' accesses are not further down, and in view.
func (p *pairing) nearBelow(a, b accRef) bool {
	return p.inView(a, b) && max(p.depth.of(a.inst), p.depth.of(b.inst)) <= maxBelowStart
}

// inView reports whether one of two accesses is in the application's code. Where libraries make both, in what
// they have for themselves, it is as for those far down.
func (p *pairing) inView(a, b accRef) bool {
	ov := p.v.ov
	return ov.inst(a.inst).fn.App || ov.inst(b.inst).fn.App
}

// evidentBeside is evident for an iteration, or a goroutine, and what runs beside
// it.
func (p *pairing) evidentBeside(loc int32, a, b accRef) bool {
	v := p.v
	p.beside = true
	defer func() { p.beside = false }()
	return p.meetUp(v.baseOf(loc), point{a.inst, v.access(a).Node}, point{b.inst, v.access(b).Node}, maxOwners) ||
		p.givenByMaker(v.baseOf(loc), a, b) || p.givenByMaker(v.baseOf(loc), b, a)
}

// mayMeetUp reports whether alpha's use of one of many objects has it from a
// place that others can be seen to have it from.
func (p *pairing) mayMeetUp(u use) bool {
	if p.shared++; p.shared > maxShared {
		return false
	}
	v := p.v
	ways, ok := v.ways(point{u.inst, v.access(u.accRef).Node}, v.baseOf(u.loc))
	return ok && (loaded(ways) || p.mayBeGiven(v.baseOf(u.loc), u.accRef))
}

// loaded reports whether some of an access's ways to an object come from where it
// is kept, rather than from where it is made: who makes an object most likely
// touches it before others have it, but who makes it only where there is none yet
// touches what others have.
func loaded(ways []Way) bool {
	return slices.ContainsFunc(ways, func(w Way) bool { return len(w.cells) > 0 })
}

// takenOff reports whether both sides have an object from lists that they take it
// off, or make it: nobody else has it then, until it is put back (soundness:
// tenure).
func (p *pairing) takenOff(loc int32, a, b accRef) bool {
	v := p.v
	if p.takings++; p.takings > maxEvidence {
		return false
	}
	obj := v.baseOf(loc)
	x, y := point{a.inst, v.access(a).Node}, point{b.inst, v.access(b).Node}
	return v.takes(x, obj) && v.takes(y, obj) || p.takenWith(loc, a, b, x, y)
}

// takenWith reports whether both sides have what an iteration makes by what they take off a list, or make,
// in which it lies:
//
//	c := p.get()                     // off p.idle
//	c.buf = append(c.buf[:0], q...) // what another iteration has made lies in c alone
//	p.put(c)
func (p *pairing) takenWith(loc int32, a, b accRef, x, y point) bool {
	v := p.v
	oid, obj := v.ov.ownerOf(loc), v.baseOf(loc)
	if oid < v.ov.firstObj || v.ov.object(oid).kind != objAlloc || !v.takesOwner(x, obj) || !v.takesOwner(y, obj) {
		return false
	}
	if !p.evident(loc, a, b) {
		return true
	}
	p.late = p.onlyByOwners(loc, a, b)
	return false
}

// maxThrough bounds the questions of one loop that are asked again without some objects.
const maxThrough = 100

// onlyByOwners returns the objects of which there is one, and which Main makes, without which it would not be evident that two
// accesses touch one object, as both may have it from them; none if it would be evident all the same.
func (p *pairing) onlyByOwners(loc int32, a, b accRef) []int32 {
	if p.throughs++; p.throughs > maxThrough {
		return nil
	}
	known := p.evidence
	p.evidence, p.leaves, p.left = nil, true, nil
	stays := p.evident(loc, a, b)
	left := p.left
	p.evidence, p.leaves, p.left = known, false, nil
	if stays {
		return nil
	}
	return left
}

// takesOwner is takes for the objects in which alone a thread finds an object that it has not made.
func (v *View) takesOwner(at point, obj int32) bool {
	ways, ok := v.ways(at, obj)
	if !ok || !loaded(ways) {
		return false
	}
	for _, w := range ways {
		for _, l := range w.cells {
			if !v.takes(w.from, v.baseOf(l)) || !v.putOnce(l, obj) {
				return false
			}
		}
	}
	return true
}

func (v *View) takes(at point, obj int32) bool {
	ways, ok := v.ways(at, obj)
	kept := func(w Way) bool { return len(w.cells) > 0 && !w.taken }
	return ok && slices.ContainsFunc(ways, func(w Way) bool { return w.taken }) && !slices.ContainsFunc(ways, kept)
}

// A question to meetUp, about two iterations or others.
type question struct {
	ownerPair
	beside, common bool
	other          *model.Loop // whose iterations, or goroutine, one of them is; nil if that makes no difference
}

// byPools reports whether nothing shows that two accesses touch one object but
// that a pool may yield it, or what leads to it. Between a Get and a Put it is
// then one thread's (soundness: tenure): the order stage says whether the code
// uses it, or what hangs on it, after it was put back.
func (p *pairing) byPools(loc int32, a, b accRef, other model.Thread) bool {
	obj := p.v.baseOf(loc)
	if obj < 0 || obj >= p.v.ov.firstObj {
		return false
	}
	sh, l := p.v.scope(), p.v.canonical(loc)
	if sh.byPools(l) || other == model.Beta && sh.byIteration(l) && p.v.startedByMain() && p.yielded(loc) {
		return true
	}
	if other == model.Beta && p.v.ov.manyObject(p.v.ov.ownerOf(loc)) && p.yielded(loc) && !p.evident(loc, a, b) {
		return true
	}
	return p.yielded(loc) && p.v.gotten(obj, point{a.inst, p.v.access(a).Node}, maxOwners) && p.v.gotten(obj, point{b.inst, p.v.access(b).Node}, maxOwners)
}

// yielded reports whether a pool may yield the object at a location, or what leads
// to it, while there is anything left to be asked.
func (p *pairing) yielded(loc int32) bool {
	return len(p.evidence) <= maxEvidence && p.v.pooled(p.v.baseOf(loc))
}

func (p *pairing) meetUp(obj int32, a, b point, depth int) bool {
	k := question{ownerPair: ownerPair{obj, a, b}, beside: p.beside, common: p.common}
	if p.other != nil && (p.strays(a, obj) || p.strays(b, obj)) {
		k.other = p.other
	}
	if known, ok := p.evidence[k]; ok {
		return known
	}
	if p.evidence == nil {
		p.evidence = make(map[question]bool)
	}
	if len(p.evidence) > maxEvidence {
		return false
	}
	p.evidence[k] = false // round a list
	p.evidence[k] = p.meetUpNow(obj, a, b, depth)
	if p.evidence[k] {
		p.evidentOf[obj] = true
	}
	return p.evidence[k]
}

// unevident reports whether no use of alpha and one of beta, at one location, are
// known to touch one object, and nothing will be found out any more: no pair of them
// is more than assumed then, or looked at all the same, as confidence and handedOn
// have it. In loops that reach a database's tests there were 23 million such pairs, to 9
// thousand others.
func (p *pairing) unevident(as, bs *uses) bool {
	if len(p.evidence) <= maxEvidence || p.takings <= maxEvidence || !p.v.res.cfg.Sure {
		return false
	}
	seen := int32(-1)
	open := func(u use) bool {
		return p.v.access(u.accRef).Flags&(FlagSpent|FlagShown) != 0 || p.v.ov.cut != nil && p.depth.of(u.inst) > MaxNear
	}
	about := func(u use) bool {
		if u.loc == seen {
			return false
		}
		seen = u.loc
		oid := p.v.ov.ownerOf(u.loc)
		return p.touched[oid] || !p.v.ov.manyObject(oid) || p.evidentOf[p.v.baseOf(u.loc)] || p.madeBySpawner(oid)
	}
	return !as.any(about) && !as.any(open) && !bs.any(open)
}

func (p *pairing) meetUpNow(obj int32, a, b point, depth int) bool {
	v := p.v
	if p.eachOwn(obj, a, b) {
		return false
	}
	xs, okx := v.waysBy(a, obj, p.evidenceMode())
	ys, oky := v.waysBy(b, obj, p.evidenceMode())
	if !okx || !oky || p.beside && (!loaded(xs) || !loaded(ys)) {
		return false
	}
	xs, ys = p.own(xs, a.inst), p.own(ys, b.inst)
	sx, sy := p.sourcesOf(obj, xs, a, b, depth), p.sourcesOf(obj, ys, b, a, depth)
	for i := range xs {
		for j := range ys {
			x, y := &xs[i], &ys[j]
			if x.taken || y.taken {
				continue // out of the place where others find it
			}
			cs, ds := sx.by(i), sy.by(j)
			switch {
			case p.beside && (len(x.cells) == 0 || len(y.cells) == 0):
				continue
			case len(x.cells) == 0 && len(y.cells) == 0:
				if p.iterations(obj, x) && p.iterations(obj, y) {
					continue // each has made one
				}
				return true
			case len(x.cells) == 0:
				x, cs = y, ds
			case len(y.cells) == 0:
				y, ds = x, cs
			}
			for _, c := range cs {
				for _, d := range ds {
					if !c.apart(d) && p.meetIn(obj, c, d, x.from, y.from, depth) {
						return true
					}
				}
			}
		}
	}
	return false
}

// own leaves out ways to an instance that another goroutine goes than the one at hand. Beside the loop what several
// run is one instance:
//
//	func (l *logger) add(s string) { l.current.buf.WriteString(s) } // resets the buffer, too, if that is empty
//	func (l *logger) write()       { b := <-l.full; b.buf.Reset() }
func (p *pairing) own(ways []Way, at InstID) []Way {
	if !p.stray(ways, at) {
		return ways
	}
	return slices.DeleteFunc(slices.Clone(ways), func(w Way) bool { return !p.ownWay(&w, at) })
}

// stray reports whether another goroutine than the one at hand goes some ways to an instance.
func (p *pairing) stray(ways []Way, at InstID) bool {
	return p.other != nil && slices.ContainsFunc(ways, func(w Way) bool { return !p.ownWay(&w, at) })
}

// strays reports whether other goroutines go some of the ways to an object by which an access gets at it.
func (p *pairing) strays(at point, obj int32) bool {
	ways, _ := p.v.waysBy(at, obj, p.evidenceMode())
	return p.stray(ways, at.inst)
}

// ownWay reports whether the goroutine at hand may go a way to an instance: each call is its own (soundness:
// many-objects).
func (p *pairing) ownWay(w *Way, at InstID) bool {
	base := p.v.ov.base
	runs := func(id InstID) bool { return p.v.res.base.reaches(id, p.by) }
	for _, c := range slices.Backward(w.Calls) {
		if at >= p.v.ov.firstInst || c.Inst >= p.v.ov.firstInst {
			return true
		}
		if !OwnCall(c, base.inst(at).callers, runs) {
			return false
		}
		at = c.Inst
	}
	return true
}

// OwnCall reports whether a call is one of who runs some instances: he makes it himself, or is started by it, as he makes
// none of the callee's callers' calls.
func OwnCall(c Site, callers []Site, runs func(InstID) bool) bool {
	return runs(c.Inst) || !slices.ContainsFunc(callers, func(c Site) bool { return runs(c.Inst) })
}

// sources are the places that one of two accesses has an object from.
type sources struct {
	p           *pairing
	obj         int32
	ways        []Way
	user, other point
	depth       int
	of          [][]*source // by way, once asked for
	at          map[int32]*source
	room        []source // for the next ones
}

// A source is one of them, by whatever ways the object comes from there. Each comes with all of the other
// access: what is asked of it alone is asked once. These pairs were two thirds of what a search engine's
// loops took.
type source struct {
	all              *sources
	loc, owner       int32
	pool             bool // see byPools
	spawners         bool // among iterations: see pairing.spawners
	put, again, maps answer
	copy, others     answer
	alone            bool // all that is asked of it alone was asked, and says nothing
}

func (p *pairing) sourcesOf(obj int32, ways []Way, user, other point, depth int) *sources {
	return &sources{p: p, obj: obj, ways: ways, user: user, other: other, depth: depth, of: make([][]*source, len(ways)), at: make(map[int32]*source)}
}

func (s *sources) by(k int) []*source {
	w := &s.ways[k]
	if s.of[k] == nil && len(w.cells) > 0 {
		v := s.p.v
		s.of[k] = make([]*source, len(w.cells))
		for i, l := range w.cells {
			c := s.at[l]
			if c == nil {
				if len(s.room) == 0 {
					s.room = make([]source, len(w.cells)-i)
				}
				c, s.room = &s.room[0], s.room[1:]
				*c = source{all: s, loc: l, owner: v.baseOf(l), pool: v.ov.leafAt(l).Pool, spawners: !s.p.beside && s.p.spawners(l)}
				s.at[l] = c
			}
			s.of[k][i] = c
		}
	}
	return s.of[k]
}

func (c *source) putThere() bool {
	return c.put.ask(func() bool { return c.all.p.putThere(c.all.obj, c.loc, c.all.user, c.all.other, c.all.depth) })
}

func (c *source) storedAgain() bool {
	return c.again.ask(func() bool { return c.all.p.v.storedAgain(c.loc, c.all.obj) })
}

func (c *source) isMap() bool {
	return c.maps.ask(func() bool { return c.all.p.v.isMap(c.owner) })
}

func (c *source) copied() bool {
	return c.copy.ask(func() bool { return c.all.p.copied(c.all.obj, c.loc, c.all.user, c.all.other, c.all.depth) })
}

// apart reports whether two sources are of two owners, and nothing that is asked of either alone says that
// both accesses have the object: of sixteen million pairs on a search engine nearly all.
func (c *source) apart(d *source) bool {
	return c.alone && d.alone && c.owner != d.owner && (c.all.p.beside || !(c.isMap() && d.isMap()))
}

// meetIn reports whether what lies at one source, which was read at x, is evidently what lies in
// another, which was read at y.
func (p *pairing) meetIn(obj int32, c, d *source, x, y point, depth int) bool {
	v := p.v
	if c.pool || d.pool {
		return false
	}
	if c.spawners || d.spawners || !p.beside && depth > 1 && (c.putThere() || d.putThere()) {
		return true
	}
	if c.owner != d.owner {
		if !p.beside && (c.storedAgain() || d.storedAgain()) || (p.beside || c.isMap() && d.isMap()) && (c.copied() || d.copied()) {
			return true
		}
		if p.putTogether(obj, c, d, x, y, depth) {
			return true
		}
		c.alone, d.alone = !c.isTogether(), !d.isTogether()
		return false
	}
	if !v.sameField(c.loc, d.loc) || p.beside && depth < maxOwners && v.element(c.loc) {
		return false
	}
	if p.beside && !v.element(c.loc) && v.storedFresh(c.loc, obj) {
		depth++ // what an object keeps for itself is met where the object is
	}
	return p.isOne(c.owner) || depth > 1 && p.meetUp(c.owner, x, y, depth-1)
}

// iterations reports whether a way begins where an iteration makes the object. What an iteration of
// another loop makes, which runs the loop, is one for all that the loop starts.
func (p *pairing) iterations(obj int32, w *Way) bool {
	ov, id := p.v.ov, w.from.inst
	return ov.object(obj).kind == objAlloc && ov.inst(id).ctx.tag != tagMain && (!p.common || id >= ov.firstInst || ov.res.reaches(id, ov.loop))
}

// eachOwn reports whether two values of two iterations point to an object that each of them
// has made, and to none that another may have: a variable of a function that both call. Two
// values of one iteration, which are compared where the other one has made the object that is kept
// there, must not be such, either.
func (p *pairing) eachOwn(obj int32, a, b point) bool {
	names := p.v.namesOf(obj)
	x, y := p.makerOf(names, a), p.makerOf(names, b)
	return x == tagA && y == tagB || x == tagB && y == tagA || x != tagMain && x == y && p.v.ov.inst(a.inst).ctx.tag == p.v.ov.inst(b.inst).ctx.tag
}

// makerOf returns the iteration that has made whatever a value points to among some
// locations; tagMain if there is no one such.
func (p *pairing) makerOf(names *bitset.Set, at point) tag {
	ov := p.v.ov
	maker := tagMain
	for l := range ov.pts(ov.inst(at.inst).node(at.node)).All() {
		if !names.Has(l) {
			continue
		}
		if b, ok := ov.boxAt(l); ok {
			l = b.loc
		}
		oid := ov.ownerOf(l)
		if oid < ov.firstObj {
			return tagMain
		}
		o := ov.object(oid)
		if o.kind != objAlloc {
			return tagMain
		}
		t := ov.inst(o.inst).ctx.tag
		if t == tagMain || maker != tagMain && maker != t {
			return tagMain
		}
		maker = t
	}
	return maker
}

// putThere reports whether what an iteration has from an object that it has made itself was
// put there by it, and it had that from where other has it: a copy of a list, or a field of
// what works on one of a list. What it has made itself the other must have from elsewhere.
func (p *pairing) putThere(obj, l int32, by, other point, depth int) bool {
	v := p.v
	side := v.ov.inst(by.inst).ctx.tag
	oid := v.ov.ownerOf(l)
	if side == tagMain || oid < v.ov.firstObj || v.ov.object(oid).kind != objAlloc || v.ov.inst(v.ov.object(oid).inst).ctx.tag != side {
		return false
	}
	return slices.ContainsFunc(p.putsOf(obj, l, side), func(from point) bool { return p.meetUp(obj, from, other, depth-1) })
}

// A putKey is a question to putsOf.
type putKey struct {
	obj, loc int32
	side     tag
	common   bool
}

// putsOf lists the values by which an iteration may put an object at a location of its own that it has
// from elsewhere. It is the same whatever the other iteration's access.
func (p *pairing) putsOf(obj, l int32, side tag) []point {
	k := putKey{obj, l, side, p.common}
	out, known := p.puts[k]
	if known {
		return out
	}
	v, names := p.v, p.v.namesOf(obj)
	for _, from := range v.putters(l, side) {
		if v.ov.pts(v.ov.inst(from.inst).node(from.node)).Intersects(names) && (p.makerOf(names, from) != side || p.common && p.foundOutside(obj, from)) {
			out = append(out, from)
		}
	}
	if p.puts == nil {
		p.puts = make(map[putKey][]point)
	}
	p.puts[k] = out
	return out
}

// foundOutside reports whether all that a value may have an object from are places that no iteration has made.
func (p *pairing) foundOutside(obj int32, from point) bool {
	ways, ok := p.v.waysBy(from, obj, p.evidenceMode())
	return ok && len(ways) > 0 && !slices.ContainsFunc(ways, func(w Way) bool {
		return len(w.cells) == 0 || slices.ContainsFunc(w.cells, func(c int32) bool {
			owner := p.v.baseOf(c)
			return owner < 0 || owner >= p.v.ov.firstObj || p.v.ov.base.object(owner).inst >= 0 && p.v.ov.res.reaches(p.v.ov.base.object(owner).inst, p.v.ov.loop)
		})
	})
}

// putters lists the values that an iteration puts at a location of its own. One is asked about for each
// object that it may hold: of a search engine with 30 thousand such questions
// these were all that its loops took.
func (v *View) putters(l int32, side tag) []point {
	if out, known := v.putting[l]; known {
		return out
	}
	var out []point
	if c := v.canonical(l); c < v.ov.first {
		for _, s := range v.ov.base.storesTo(c) {
			in := v.ov.base.inst(s.inst)
			n := Node(s.src - in.base)
			if n < 0 || int32(n) >= in.fn.NNodes {
				continue
			}
			for _, id := range v.instancesOf(in.fn.ID) {
				if x := v.ov.inst(id); x.ctx.tag == side && v.putsAt(x, n, l) {
					out = append(out, point{id, n})
				}
			}
		}
	}
	if v.putting == nil {
		v.putting = make(map[int32][]point)
	}
	v.putting[l] = out
	return out
}

// putsAt reports whether an instance puts a value at a location.
func (v *View) putsAt(x *instance, n Node, l int32) bool {
	ov := v.ov
	for k := range x.fn.Constraints {
		c := &x.fn.Constraints[k]
		if c.Op != OpStore || c.Src != n {
			continue
		}
		for at := range ov.pts(x.node(c.Dst)).All() {
			if to, ok := ov.shift(at, c.Off); ok {
				hit := false
				ov.overlapping(to, func(y int32) { hit = hit || y == l })
				if hit {
					return true
				}
			}
		}
	}
	return false
}

// instancesOf lists the instances of a function that the overlay enters.
func (v *View) instancesOf(f FuncID) []InstID {
	if v.entered == nil {
		v.entered = make(map[FuncID][]InstID)
		for k := range v.ov.insts {
			id := v.ov.firstInst + InstID(k)
			fn := v.ov.inst(id).fn.ID
			v.entered[fn] = append(v.entered[fn], id)
		}
	}
	return v.entered[f]
}

// copied reports whether what by has from a location was put there from where other has it: a list of what a map
// holds. Its own thread has put it there, or who has made the collection, or anyone if there is one such.
// What is taken away there is told by the way.
func (p *pairing) copied(obj, l int32, by, other point, depth int) bool {
	return p.v.putBy(obj, l, by, p.isOne(p.v.baseOf(l)), func(from point) bool { return p.meetUp(obj, from, other, depth) })
}

// putBy reports whether something holds of some value that the thread of a point, or who has made it, as a copy, or,
// with anyone, others have put at a location of a collection, and that may be an object.
func (v *View) putBy(obj, l int32, by point, anyone bool, holds func(point) bool) bool {
	base := v.ov.base
	if l = v.canonical(l); l >= v.ov.first || !v.collects(v.ov.ownerOf(l)) {
		return false
	}
	main := v.ov.inst(by.inst).ctx.tag == tagMain
	maker := InstID(-1)
	if o := base.object(base.ownerOf(l)); base.inst(o.inst).fn.Allocs[o.alloc].Word != "append" {
		maker = o.inst // what append makes is filled by whoever appends, to a queue too
	}
	names := v.namesOf(obj)
	for _, s := range base.storesTo(l) {
		in := base.inst(s.inst)
		n := Node(s.src - in.base)
		if n >= 0 && int32(n) < in.fn.NNodes && (anyone || s.inst == maker || main == (in.ctx.tag == tagMain)) && base.pts(s.src).Intersects(names) &&
			holds(point{s.inst, n}) {
			return true
		}
	}
	return false
}

// withCopies adds to the ways in which a point has an object those of what its own thread, or who has made the
// list, has put where it finds the object (soundness: many-objects):
//
//	mu.Lock()
//	for _, j := range jobs {
//		list = append(list, j)
//	}
//	mu.Unlock()
//	for _, j := range list {
//		use(j)
//	}
//
// What is appended lies in an array of its own first. What is taken away where it comes from is told by the way.
func (v *View) withCopies(at point, obj int32) []Way {
	k := wayKey{at, obj, byCalls}
	if out, known := v.copies[k]; known {
		return out
	}
	ways, _ := v.ways(at, obj)
	out := slices.Clip(ways)
	seen := make(map[int32]bool)
	for i := 0; i < len(out) && len(seen) < maxPutBy; i++ {
		for _, l := range out[i].cells {
			if seen[l] {
				continue
			}
			seen[l] = true
			v.putBy(obj, l, at, false, func(from point) bool {
				if more, ok := v.ways(from, obj); ok {
					out = append(out, more...)
				}
				return false
			})
		}
	}
	if v.copies == nil {
		v.copies = make(map[wayKey][]Way)
	}
	v.copies[k] = out
	return out
}

// maxPutBy bounds the places in which an object is looked for that a thread has put there.
const maxPutBy = 20

// isMap reports whether an object is a map.
func (v *View) isMap(oid int32) bool {
	if oid < 0 {
		return false
	}
	o := v.ov.object(oid)
	return o.kind == objAlloc && v.ov.inst(o.inst).fn.Allocs[o.alloc].Kind == AllocMap
}

// collects reports whether an object is a map, an array or a struct, rather than a
// variable, or a channel, which passes on what it is given.
func (v *View) collects(oid int32) bool {
	if oid < 0 {
		return false
	}
	o := v.ov.object(oid)
	if o.kind != objAlloc {
		return false
	}
	a := &v.ov.inst(o.inst).fn.Allocs[o.alloc]
	return a.Kind != AllocChan && a.Kind != AllocClosure && a.Word != "var"
}

// gotten reports whether the thread of an access has its object by Gets, or Gets of what leads
// to it, of its own, or has made it, wherever else the object is known. What leads to it must be
// made with it: the object is stored there by who has made it, and nowhere else.
func (v *View) gotten(obj int32, at point, depth int) bool {
	ways, ok := v.ways(at, obj)
	return ok && len(ways) > 0 && !slices.ContainsFunc(ways, func(w Way) bool {
		return w.loose || slices.ContainsFunc(w.Calls, v.ov.spawnsAt) || slices.ContainsFunc(w.cells, func(c int32) bool {
			owner := v.baseOf(c)
			return !v.ov.leafAt(c).Pool && !(depth > 1 && v.pooled(owner) && v.storedFresh(c, obj) && v.gotten(owner, w.from, depth-1))
		})
	})
}

// storedFresh reports whether all that puts an object at a location is who has just made it, and
// puts it nowhere else.
func (v *View) storedFresh(l, obj int32) bool {
	base := v.ov.base
	if l = v.canonical(l); l >= v.ov.first {
		return false
	}
	names := v.namesOf(obj)
	return !slices.ContainsFunc(base.storesTo(l), func(s pred) bool {
		return base.pts(s.src).Intersects(names) && (s.fact < 0 || !base.inst(s.inst).fn.Facts[s.fact].Fresh)
	})
}

// maxPooled bounds the objects that are looked for behind pools.
const maxPooled = 2000

// pooled reports whether an object lies in a sync.Pool, which gives it to anyone,
// or behind what lies there.
func (v *View) pooled(obj int32) bool {
	if v.pools == nil {
		v.pools = new(bitset.Set)
		ov := v.ov
		work := slices.Clone(v.res.poolLeaves())
		seen := make(map[int32]bool)
		for len(work) > 0 && len(seen) < maxPooled {
			l := work[0]
			work = work[1:]
			for x := range ov.contents(l).All() {
				v.pools.Add(x)
				if b, ok := ov.boxAt(x); ok {
					x = b.loc
				}
				oid := ov.ownerOf(x)
				if oid < 0 || seen[oid] {
					continue
				}
				seen[oid] = true
				o := ov.object(oid)
				for i := range o.layout.Leaves {
					if o.layout.Leaves[i].Ptr {
						work = append(work, o.loc+int32(i))
					}
				}
			}
		}
	}
	return v.pools.Intersects(v.namesOf(obj))
}

// poolLeaves lists the locations of the base in which pools keep what they have.
func (r *Result) poolLeaves() []int32 {
	r.onces.pools.Do(func() {
		for k := range r.base.s.objects {
			o := &r.base.s.objects[k]
			for i := range o.layout.Leaves {
				if o.layout.Leaves[i].Pool {
					r.pools = append(r.pools, o.loc+int32(i))
				}
			}
		}
	})
	return r.pools
}

// putOnce reports whether one store alone puts an object into a location, new memory each time or
// what an append has made of what was there.
func (v *View) putOnce(l, obj int32) bool {
	names, base := v.namesOf(obj), v.ov.base
	if l = v.canonical(l); l >= v.ov.first {
		return false
	}
	var by *StoreFact
	for _, p := range base.storesTo(l) {
		if !base.pts(p.src).Intersects(names) {
			continue
		}
		if p.fact < 0 {
			return false
		}
		f := &base.inst(p.inst).fn.Facts[p.fact]
		if !f.Fresh && !f.Back || f.Again || by != nil && by != f {
			return false
		}
		by = f
	}
	return by != nil
}

// storedAgain reports whether one store puts one object into several places, of
// which a location is one.
func (v *View) storedAgain(l, obj int32) bool { return v.setAgain(l, v.namesOf(obj)) }

// setAgain is storedAgain for the objects that some locations name.
func (v *View) setAgain(l int32, names *bitset.Set) bool {
	base := v.ov.base
	if l = v.canonical(l); l >= v.ov.first {
		return false
	}
	return slices.ContainsFunc(base.storesTo(l), func(p pred) bool {
		return p.fact >= 0 && base.inst(p.inst).fn.Facts[p.fact].Again && base.pts(p.src).Intersects(names)
	})
}

// sameField reports whether two locations of an object may be the same, or are
// elements of one array: what is put into one may be put into another.
func (v *View) sameField(c, d int32) bool {
	if v.canonical(c) == v.canonical(d) || v.meet(c, d) {
		return true
	}
	return v.partOf(c) != 0 && v.partOf(d) != 0
}

// element reports whether a location is an element, one of many.
func (v *View) element(l int32) bool { return strings.Contains(v.ov.leafAt(l).Name, "[*]") }

func (v *View) partOf(l int32) uint8 { return v.ov.leafAt(l).Part }

// spawners reports whether a location is a variable of the function that starts
// the iterations: what it holds is one object for all of them, or was found by it
// in a collection, where one object may lie twice.
func (p *pairing) spawners(l int32) bool {
	oid := p.v.ov.ownerOf(l)
	return p.madeBySpawner(oid) && p.v.isVariable(oid)
}

// isVariable reports whether an object is a variable.
func (v *View) isVariable(oid int32) bool {
	if oid < 0 {
		return false
	}
	o := v.ov.object(oid)
	return o.kind == objAlloc && v.ov.inst(o.inst).fn.Allocs[o.alloc].Word == "var"
}

// isOne reports whether there is one object of a name, as far as the iterations
// can see: what the function that starts them makes is that of the one call.
// Beside them there are the other rounds of loops that are told apart.
func (p *pairing) isOne(oid int32) bool {
	if oid < 0 || !p.beside && p.madeBySpawner(oid) {
		return true
	}
	if p.beside && p.ofSomeRound(oid) {
		return false
	}
	if p.v.ov.manyObject(oid) {
		return false
	}
	if p.leaves && oid < p.v.ov.firstObj && p.v.ov.object(oid).kind == objAlloc {
		if !slices.Contains(p.left, oid) {
			p.left = append(p.left, oid)
		}
		return false
	}
	return true
}

// ofSomeRound reports whether an object is that of one round of a loop, which
// stands for any.
func (p *pairing) ofSomeRound(oid int32) bool { return p.roundOf(oid) != 0 }

// ofAnotherRound reports whether an object is that of a round of the spawner which is not
// alpha's: it may be that of any of them.
func (p *pairing) ofAnotherRound(oid int32) bool {
	return p.roundOf(oid) == tagB && p.v.ov.inst(p.v.ov.object(oid).inst).ctx.tag == tagMain
}

// roundOf returns the side of the copy of a loop's body that makes an object, itself or
// by a call; 0 for none.
func (p *pairing) roundOf(oid int32) uint8 {
	o := p.v.ov.object(oid)
	if o.kind != objAlloc {
		return 0
	}
	in := p.v.ov.inst(o.inst)
	return cmp.Or(in.fn.Allocs[o.alloc].Side, in.ctx.fill)
}

// foundShared reports whether alpha's access has an object from where others put it: from
// an object that there is one of, or what hangs on it.
func (p *pairing) foundShared(loc int32, a accRef) bool {
	p.beside = true
	defer func() { p.beside = false }()
	return p.foundIn(p.v.baseOf(loc), point{a.inst, p.v.access(a).Node}, maxOwners)
}

// A finding is a question to foundIn.
type finding struct {
	obj   int32
	at    point
	depth int
}

func (p *pairing) foundIn(obj int32, at point, depth int) bool {
	k := finding{obj, at, depth}
	if known, ok := p.findings[k]; ok || len(p.findings) > maxEvidence {
		return known
	}
	if p.findings == nil {
		p.findings = make(map[finding]bool)
	}
	ways, ok := p.v.ways(at, obj)
	p.findings[k] = ok && slices.ContainsFunc(ways, func(w Way) bool {
		return slices.ContainsFunc(w.cells, func(c int32) bool {
			owner := p.v.baseOf(c)
			return p.isOne(owner) || depth > 1 && p.foundIn(owner, w.from, depth-1)
		})
	})
	return p.findings[k]
}

// startedByMain reports whether no iteration of another loop starts the loop's.
func (v *View) startedByMain() bool {
	return !slices.ContainsFunc(v.res.base.loops[v.loop].spawners, func(id InstID) bool { return v.res.base.s.inst(id).ctx.tag != tagMain })
}
