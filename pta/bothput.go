package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
)

// This file tells which places one object is put into both of. That two threads have an object from
// different places, each of them one, shows that they have the same one if some function puts it into
// both, or has made it and gives it to one of them itself:
//
//	job := &Job{}
//	s.mu.Lock()
//	s.jobs[id] = job // who asks for its state finds it here
//	s.mu.Unlock()
//	s.queue <- job // and who works on it gets it from there, or by
//	go s.run(job)
//
// What it calls may do so, and what it returns to.

// Bounds on the puts of one strand that are compared, and on those that one object has.
const (
	maxPutsOfStrand = 24
	maxPlacings     = 2000
)

// A placing is an event by which a strand is put into a location.
type placing struct {
	touching
	loc int32
}

// A placement has where an object is put.
type placement struct {
	by       map[*strand][]placing // by the strand itself, in what it is passed to, or in what has returned it
	together map[int32][]int32     // by location: the others that a function puts the object into before or after
}

// placement finds where the object is put.
func (t *traveller) placement() *placement {
	if t.placed != nil {
		return t.placed
	}
	out := &placement{make(map[*strand][]placing), make(map[int32][]int32)}
	t.placed = out
	var all []placing
	seen := make(map[placing]bool)
	add := func(p placing) {
		if len(all) < maxPlacings && !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	for _, f := range t.order {
		f.placings(add)
	}
	var strands []*strand
	for i := 0; i < len(all); i++ {
		p := all[i]
		if out.by[p.w] == nil {
			strands = append(strands, p.w)
		}
		out.by[p.w] = append(out.by[p.w], p)
		for _, up := range p.w.above {
			if up.e.does&doesStart == 0 { // when a goroutine does it is not known
				add(placing{up, p.loc})
			}
		}
		if p.w.isReturned(&p.e) {
			for _, up := range p.w.callers {
				add(placing{up, p.loc})
			}
		}
	}
	for _, w := range strands {
		list := out.by[w]
		if len(list) > maxPutsOfStrand || w.f.in.fn.Flow == nil {
			continue
		}
		for i := range list {
			for j := range list {
				x, y := &list[i], &list[j]
				if x.loc != y.loc && x.e != y.e && !slices.Contains(out.together[x.loc], y.loc) && w.f.reaches(&x.e, &y.e, w.f.anew(&y.e)) {
					out.together[x.loc] = append(out.together[x.loc], y.loc)
					out.together[y.loc] = append(out.together[y.loc], x.loc)
				}
			}
		}
	}
	return out
}

// placings calls add for what the function itself puts into places that are not its own, and into variables.
func (f *frameStrands) placings(add func(placing)) {
	fn, s := f.in.fn, f.t.s
	for k := range fn.Constraints {
		c := &fn.Constraints[k]
		if c.Op != OpStore || c.Arg < 0 || f.of[c.Src] == nil || f.variadic(c.Dst) {
			continue
		}
		for _, n := range f.appended(c.Src) {
			e := event{at: fn.Facts[c.Arg].At, operand: f.caseOf(c.Arg), value: n}
			for l := range s.pts(f.in.node(c.Dst)).All() {
				if x, ok := s.shift(l, c.Off); ok {
					add(placing{touching{f.of[n], e}, x})
				}
			}
		}
	}
}

// appended returns a node, or, where it is what an append finds among its arguments, those that are put there.
func (f *frameStrands) appended(n Node) []Node {
	fn := f.in.fn
	x := f.loadOf(n)
	if x == nil || !f.variadic(x.Src) {
		return []Node{n}
	}
	at := f.argumentsAt(x.Src)
	var out []Node
	for k := range fn.Constraints {
		c := &fn.Constraints[k]
		if _, holds := f.union[c.Src]; holds && c.Op == OpStore && f.variadic(c.Dst) && f.argumentsAt(c.Dst) == at {
			out = append(out, c.Src)
		}
	}
	return out
}

// putTogether reports whether the code shows that an object lies at two locations, which were read at x and at y,
// of different objects. Each of these is one, or found in one, or a variable of the function that puts it into the other,
// which a goroutine has captured.
func (p *pairing) putTogether(obj int32, c, d *source, x, y point, depth int) bool {
	return c.isTogether() && d.isTogether() &&
		slices.Contains(p.placementOf(obj).together[p.v.canonical(c.loc)], p.v.canonical(d.loc)) &&
		!(p.v.isVariable(c.owner) && p.v.isVariable(d.owner)) && p.keeps(c.owner, x, depth) && p.keeps(d.owner, y, depth)
}

// keeps reports whether what lies in an object that was found at a value is there for others: it is one, or found in
// one, or a variable that a goroutine has captured.
func (p *pairing) keeps(owner int32, from point, depth int) bool {
	if p.v.isVariable(owner) {
		return p.v.startsGoroutine(from.inst)
	}
	return p.oneOwner(owner, from, depth)
}

// oneOwner reports whether there is one of an object, or it is found in one that there is one of.
func (p *pairing) oneOwner(owner int32, from point, depth int) bool {
	return p.isOne(owner) || depth > 1 && p.foundIn(owner, from, depth-1)
}

// startsGoroutine reports whether goroutines start in an instance, and nothing else calls it.
func (v *View) startsGoroutine(id InstID) bool {
	callers := v.ov.inst(id).callers
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(c Site) bool { return !v.ov.spawnsAt(c) })
}

// isTogether reports whether what lies at a source is put into some other place, too.
func (c *source) isTogether() bool {
	return c.others.ask(func() bool {
		return len(c.all.p.placementOf(c.all.obj).together[c.all.p.v.canonical(c.loc)]) > 0
	})
}

// placementOf finds where an object of the base is put that the application makes, and threads may hand on. What libraries
// make for themselves is three quarters of what is asked for on a search engine, and four fifths of the work.
func (p *pairing) placementOf(obj int32) *placement {
	t := p.handedAbout(obj)
	if t == nil {
		return new(placement)
	}
	return t.placement()
}

// handedAbout returns what has pointers to such an object; nil if it is none.
func (p *pairing) handedAbout(obj int32) *traveller {
	v := p.v
	if obj < 0 || obj >= v.ov.firstObj || !v.res.base.s.mayTravel(obj) {
		return nil
	}
	if o := v.res.base.s.object(obj); o.kind != objAlloc || !v.res.base.s.inst(o.inst).fn.App {
		return nil
	}
	return v.travellerOf(v.res.madeWith(obj)[0]) // all that one place makes have the same
}

// givenByMaker reports whether who has made an object has it put where b has it from, and then comes to a, or gives it to a
// goroutine that does.
func (p *pairing) givenByMaker(obj int32, a, b accRef) bool {
	v := p.v
	puts := p.putsByWay(obj, a)
	if len(puts) == 0 {
		return false // as of nearly all
	}
	from := point{b.inst, v.access(b).Node}
	ys, ok := v.ways(from, obj)
	if !ok || !loaded(ys) {
		return false
	}
	ys = p.own(v.withCopies(from, obj), b.inst)
	for i := range puts {
		x := &puts[i]
		for j := range ys {
			y := &ys[j]
			if !y.taken && slices.ContainsFunc(y.cells, func(l int32) bool {
				c, owner := v.canonical(l), v.baseOf(l)
				// What the maker does itself after it has sent the object is another matter, see handed.go.
				return slices.Contains(x.locs, c) && !v.ov.leafAt(l).Pool &&
					(x.started && p.oneOwner(owner, y.from, maxOwners) || !x.started && p.isOne(owner) && !v.res.base.s.isChan(owner))
			}) {
				return true
			}
		}
	}
	return false
}

// mayBeGiven reports whether givenByMaker may hold of an access and another.
func (p *pairing) mayBeGiven(obj int32, a accRef) bool { return len(p.putsByWay(obj, a)) > 0 }

// wayPuts is what putsBefore returns for a frame of a way.
type wayPuts struct {
	locs    []int32
	started bool
}

// A usedObject is an object that an access may be to.
type usedObject struct {
	accRef
	obj int32
}

// putsByWay returns what putsBefore does for each way to an access that has any. It is asked for each pair that the
// access is in.
func (p *pairing) putsByWay(obj int32, a accRef) []wayPuts {
	v := p.v
	k := usedObject{a, obj}
	out, known := v.puts[k]
	if known {
		return out
	}
	if ways, ok := v.ways(point{a.inst, v.access(a).Node}, obj); ok {
		for i := range ways {
			out = append(out, p.putsBefore(obj, a, &ways[i])...)
		}
	}
	if v.puts == nil {
		v.puts = make(map[usedObject][]wayPuts)
	}
	v.puts[k] = out
	return out
}

// putsBefore returns the locations that an object was put into before an access is come to by a way that begins where the
// object is made, or to which it is returned, by each frame that the way leads through: who has made an object may have
// it put where others find it by what goes on with it.
//
//	func (s *store) install(c *config) {
//		s.current.Store(c)
//		c.hosts = sorted(c.rules)
//	}
//
// Where the way leads on through the start of a goroutine, those into which it is put later are among them.
func (p *pairing) putsBefore(obj int32, a accRef, w *Way) (out []wayPuts) {
	v := p.v
	if len(w.cells) > 0 || w.loose {
		return nil
	}
	t := p.handedAbout(obj)
	if t == nil {
		return nil
	}
	by := t.placement().by
	if len(by) == 0 {
		return nil
	}
	for k := range len(w.Calls) + 1 {
		at, called := Site{a.inst, v.access(a).At}, k < len(w.Calls)
		if called {
			at = w.Calls[k] // where the way leads on from the frame
		}
		id, ok := v.baseInst(at.Inst)
		f := t.frames[id]
		if !ok || f == nil || f.in.fn.Flow == nil {
			continue
		}
		puts := wayPuts{started: called && v.ov.spawnsAt(at)}
		to := event{at: at.At, operand: -1}
		for _, s := range f.strands {
			if !s.comesTo(at.At, called, v.access(a).Node) {
				continue
			}
			for i := range by[s] {
				put := &by[s][i]
				if !slices.Contains(puts.locs, put.loc) && (puts.started || f.reaches(&put.e, &to, f.anew(&put.e))) {
					puts.locs = append(puts.locs, put.loc)
				}
			}
		}
		if len(puts.locs) > 0 {
			out = append(out, puts)
		}
	}
	return out
}

// comesTo reports whether a call at an instruction passes a strand, or, where there is no call, an access of a node goes by it.
func (w *strand) comesTo(at ssair.Instr, called bool, n Node) bool {
	if !called {
		return slices.Contains(w.nodes, n)
	}
	passes := func(x Arg) bool {
		return x.Node != None && slices.ContainsFunc(w.nodes, func(n Node) bool { return x.Node <= n && n < x.Node+Node(x.Len) })
	}
	return slices.ContainsFunc(w.f.in.fn.Calls, func(c Call) bool { return c.At == at && slices.ContainsFunc(c.Args, passes) })
}
