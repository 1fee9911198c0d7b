package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// This file asks how iterations come by an object. What passes from one to
// another through pools and channels alone, and in each is only kept in memory
// that no other iteration knows of or that passes in the same way, belongs to
// one of them at a time as long as nobody uses it after giving it away; that is
// for the order stage to look at.

// A passing is what is known of a view's objects in this respect.
type passing struct {
	v     *View
	media map[int32]bool
	seen  [3]*bitset.Set // by side: locations that its values may point to
	reach map[int32]map[madeAt]bool
	known map[madeAt]bool // passes, or is being looked at
	held  map[madeAt]*bitset.Set
	made  map[madeAt][]int32 // see mine
	vague bool               // some medium hands on too much: nothing is known of any object

	literals []literalMade // that rounds of loops make, and a medium hands on; nil if not asked for yet
}

// A madeAt names the objects made by one instruction, whatever the context: what
// one iteration has made another gets.
type madeAt struct {
	fn FuncID
	at ssair.Instr
}

// maxReach bounds the objects that are looked at behind a pool or channel.
const maxReach = 2000

// PassedBy returns which of the given pools and channels hand on an object, or
// something that holds it; ok is false where an iteration may come by the object
// in another way than by making it or getting it from one of them, or where several
// functions that they hand on have captured it.
func (v *View) PassedBy(o *model.Object, media []Loc) (by []Loc, ok bool) {
	d := v.res.described(v.ov, o)
	if d.oid < 0 {
		return nil, false
	}
	if v.passing == nil {
		v.passing = &passing{
			v: v, media: make(map[int32]bool), reach: make(map[int32]map[madeAt]bool),
			known: make(map[madeAt]bool), held: make(map[madeAt]*bitset.Set),
		}
		for _, m := range media {
			v.passing.media[int32(m)] = true
		}
	}
	k, ok := v.passing.key(d.oid)
	if !ok {
		return nil, false
	}
	by, ok = v.passing.handedOn(k)
	return by, ok && len(by) > 0 && !v.passing.capturedAgain(k) && v.passing.passes(k)
}

// capturedAgain reports whether one object that is made at k is captured by each of the
// function literals that rounds of a loop make, and that a medium hands on: a variable, or what
// it refers to, that is made before the loop.
//
//	for _, x := range xs { tasks <- func() { total += x } }
func (p *passing) capturedAgain(k madeAt) bool {
	for _, oid := range p.v.res.madeAt(k) {
		in := p.v.ov.base.inst(p.v.ov.base.object(oid).inst)
		for i := range in.fn.Allocs {
			c := &in.fn.Allocs[i]
			if c.Kind != AllocClosure || !in.fn.makesOftener(c, p.v.ov.base.object(oid).alloc) || !p.captures(in, c, oid) {
				continue
			}
			if by, ok := p.handedOn(madeAt{k.fn, c.At}); !ok || len(by) > 0 {
				return true
			}
		}
		if p.capturedElsewhere(oid) {
			return true
		}
	}
	return false
}

// capturedElsewhere is capturedAgain for an object that another function has made: a variable that is set once, before the
// loop, refers to it, as a method's receiver does.
//
//	func (s *summer) sumAll(xs []int) {
//		for _, x := range xs { s.tasks <- func() { s.total += x } }
//	}
func (p *passing) capturedElsewhere(oid int32) bool {
	s := p.v.ov.base
	if p.literals == nil {
		p.literals = []literalMade{}
		for id := range p.v.ov.firstInst {
			in := s.inst(id)
			if !p.v.scope().in[id] {
				continue
			}
			for i := range in.fn.Allocs {
				c := &in.fn.Allocs[i]
				if c.Kind != AllocClosure || !c.InLoop && c.Loop < 0 || in.fn.Index == nil {
					continue
				}
				if by, ok := p.handedOn(madeAt{in.fn.ID, c.At}); ok && len(by) > 0 {
					p.literals = append(p.literals, literalMade{id, c})
				}
			}
		}
	}
	return slices.ContainsFunc(p.literals, func(m literalMade) bool {
		in := s.inst(m.inst)
		return slices.ContainsFunc(m.alloc.Binds, func(b Node) bool {
			if b == None {
				return false
			}
			for l := range s.pts(in.node(b)).All() {
				id := s.ownerOf(l)
				if id < 0 || s.object(id).kind != objAlloc || s.object(id).inst != m.inst || !in.fn.makesOftener(m.alloc, s.object(id).alloc) {
					continue
				}
				set := s.storesTo(l)
				if len(set) != 1 || set[0].fact < 0 || set[0].inst != m.inst || !in.fn.Index.InLoopWithout(m.alloc.At, in.fn.Facts[set[0].fact].At) {
					continue
				}
				for x := range s.pts(l).All() {
					if s.ownerOf(x) == oid {
						return true
					}
				}
			}
			return false
		})
	})
}

// A literalMade is a function literal that an instance makes.
type literalMade struct {
	inst  InstID
	alloc *Alloc
}

// makesOftener reports whether a function makes a several times in a loop before which it has made b.
func (f *Func) makesOftener(a *Alloc, b int32) bool {
	before := &f.Allocs[b]
	if f.Index == nil { // which loops is not known
		return (a.InLoop || a.Loop >= 0) && !before.InLoop && before.Loop < 0
	}
	return f.Index.InLoopWithout(a.At, before.At)
}

// captures reports whether a closure has captured an object, or a variable that is made no more often
// than the object and refers to it.
func (p *passing) captures(in *instance, c *Alloc, oid int32) bool {
	s := p.v.ov.base
	for _, b := range c.Binds {
		if b == None {
			continue
		}
		for l := range s.pts(in.node(b)).All() {
			id := s.ownerOf(l)
			if id == oid {
				return true
			}
			if id < 0 {
				continue
			}
			o := s.object(id)
			if o.kind != objAlloc || s.inst(o.inst) != in || !in.fn.makesOftener(c, o.alloc) {
				continue
			}
			for x := range s.pts(l).All() {
				if s.ownerOf(x) == oid {
					return true
				}
			}
		}
	}
	return false
}

// key returns where an object is made.
func (p *passing) key(oid int32) (madeAt, bool) {
	ov := p.v.ov
	o, ok := ov.allocated(oid)
	if !ok {
		return madeAt{}, false
	}
	in := ov.inst(o.inst)
	return madeAt{in.fn.ID, in.fn.Allocs[o.alloc].At}, true
}

// handedOn lists the media from which what is made at k may be reached; ok is
// false where too much is.
func (p *passing) handedOn(k madeAt) (by []Loc, ok bool) {
	for m := range p.media {
		if p.vague {
			return nil, false
		}
		r := p.reached(m)
		if r == nil {
			p.vague = true
		}
		if r[k] {
			by = append(by, Loc(m))
		}
	}
	slices.Sort(by)
	return by, !p.vague
}

// reached returns where the objects are made that a medium hands on, or nil if
// they are too many.
func (p *passing) reached(m int32) map[madeAt]bool {
	if r, ok := p.reach[m]; ok {
		return r
	}
	ov := p.v.ov
	out := make(map[madeAt]bool)
	seen := make(map[int32]bool)
	looked := make(map[*bitset.Set]bool) // most contents are one of a few sets
	work := []int32{m}
	if oid := ov.ownerOf(m); oid >= 0 && p.channel(oid) {
		work = work[:0]
		for o := ov.object(oid); len(work) < len(o.layout.Leaves); {
			work = append(work, o.loc+int32(len(work)))
		}
	}
	for len(work) > 0 && len(seen) <= maxReach {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		set, own := ov.parts(l)
		if (set == nil || looked[set]) && (own == nil || looked[own]) {
			continue
		}
		looked[set], looked[own] = true, true
		for x := range ov.contents(l).All() {
			if b, ok := ov.boxAt(x); ok {
				x = b.loc
			}
			oid := ov.ownerOf(x)
			if oid < 0 || seen[oid] {
				continue
			}
			seen[oid] = true
			if k, ok := p.key(oid); ok {
				out[k] = true
			}
			o := ov.object(oid)
			for i := range o.layout.Leaves {
				if o.layout.Leaves[i].Ptr {
					work = append(work, o.loc+int32(i))
				}
			}
		}
	}
	if len(work) > 0 {
		out = nil
	}
	p.reach[m] = out
	return out
}

// pointers returns the locations and interface values that stand for pointers to
// what is made at k.
func (p *passing) pointers(k madeAt) *bitset.Set {
	if set := p.held[k]; set != nil {
		return set
	}
	v := p.v
	set := new(bitset.Set)
	for _, oid := range slices.Concat(v.res.madeAt(k), p.mine()[k]) {
		o := v.ov.object(oid)
		for l := o.loc; l < o.loc+o.layout.Len(); l++ {
			set.Add(l)
		}
		for _, b := range v.res.boxesOf(v.ov.base)[oid] {
			set.Add(b)
		}
		for _, b := range v.boxesOf()[oid] {
			set.Add(b)
		}
	}
	p.held[k] = set
	return set
}

// mine lists the overlay's objects by where they are made.
func (p *passing) mine() map[madeAt][]int32 {
	if p.made == nil {
		ov := p.v.ov
		p.made = make(map[madeAt][]int32)
		for i := range ov.objects {
			oid := ov.firstObj + int32(i)
			if k, ok := p.key(oid); ok {
				p.made[k] = append(p.made[k], oid)
			}
		}
	}
	return p.made
}

// madeAt lists the base's objects that are made at one instruction. It is the same
// for all loops.
func (r *Result) madeAt(k madeAt) []int32 {
	r.onces.made.Do(func() {
		s := r.base.s
		r.made = make(map[madeAt][]int32)
		for i := range s.objects {
			if o := &s.objects[i]; o.kind == objAlloc {
				f := s.inst(o.inst).fn
				k := madeAt{f.ID, f.Allocs[o.alloc].At}
				r.made[k] = append(r.made[k], int32(i))
				if f.Allocs[o.alloc].Kind == AllocClosure {
					r.closures = append(r.closures, int32(i))
				}
			}
		}
	})
	return r.made[k]
}

// passes reports whether iterations come by what is made at k by making it, and
// from media alone. What depends on itself passes: each step of the way was
// looked at.
func (p *passing) passes(k madeAt) bool {
	if yes, ok := p.known[k]; ok {
		return yes
	}
	p.known[k] = true
	yes := p.passesNow(k)
	p.known[k] = yes
	return yes
}

func (p *passing) passesNow(k madeAt) bool {
	ov := p.v.ov
	set := p.pointers(k)
	for i, in := range ov.insts {
		if in.spawner != nil || in.ctx.tag == tagMain {
			continue
		}
		if p.startsIn(ov.firstInst+InstID(i)) && p.comesWith(in, set) {
			return false
		}
		for j := range in.fn.Constraints {
			c := &in.fn.Constraints[j]
			if c.Op != OpLoad && c.Op != OpUnboxVal || !ov.pts(in.node(c.Dst)).Intersects(set) {
				continue
			}
			for l := range ov.pts(in.node(c.Src)).All() {
				if b, ok := ov.boxAt(l); ok == (c.Op == OpLoad) {
					continue
				} else if ok {
					l = b.loc
				}
				if !p.mayLoad(l, c.Off, set, in.ctx.tag) {
					return false
				}
			}
		}
	}
	return p.captured(set)
}

// startsIn reports whether an iteration starts in an instance.
func (p *passing) startsIn(id InstID) bool {
	for _, c := range p.v.ov.inst(id).callers {
		if p.v.Thread(c.Inst) == model.Main {
			return true
		}
	}
	return false
}

// comesWith reports whether what an instance is started with may point into the
// set.
func (p *passing) comesWith(in *instance, set *bitset.Set) bool {
	meets := func(vars []Node, lens []int32) bool {
		for i, n := range vars {
			for j := range lens[i] {
				if n != None && p.v.ov.pts(in.node(n+Node(j))).Intersects(set) {
					return true
				}
			}
		}
		return false
	}
	return meets(in.fn.Params, in.fn.PLen) || meets(in.fn.Free, in.fn.FLen)
}

// holds reports whether a location may hold pointers of the set, under the
// base's name of it too: what a view shows of an object is written there.
func (p *passing) holds(l int32, set *bitset.Set) bool {
	ov := p.v.ov
	return ov.contents(l).Intersects(set) || ov.contents(p.v.canonical(l)).Intersects(set)
}

// mayLoad reports whether an iteration of a side may load pointers of the set
// where it does, at an offset from a location: from a medium, or from memory
// that is its own, unless the code shows that others hold the same.
func (p *passing) mayLoad(l, off int32, set *bitset.Set, side tag) bool {
	ov := p.v.ov
	x, ok := ov.shift(l, off)
	if !ok {
		return true
	}
	allowed := true
	ov.overlapping(x, func(y int32) {
		if allowed && p.holds(y, set) {
			allowed = p.medium(y) || p.owns(ov.ownerOf(y), side) && !p.v.setAgain(y, set)
		}
	})
	return allowed
}

// medium reports whether a location is that of a pool, or one of a channel's.
func (p *passing) medium(l int32) bool {
	if p.media[l] || p.media[p.v.canonical(l)] {
		return true
	}
	oid := p.v.ov.ownerOf(l)
	return oid >= 0 && p.channel(oid) && p.media[p.v.ov.object(oid).loc]
}

// channel reports whether an object is a channel.
func (p *passing) channel(oid int32) bool {
	ov := p.v.ov
	o := ov.object(oid)
	return o.kind == objSym && o.lkind == LeafChan || o.kind == objAlloc && ov.inst(o.inst).fn.Allocs[o.alloc].Kind == AllocChan
}

// owns reports whether an object belongs to the iteration of a side that has a
// pointer to it: nobody else's pointers lead there, or it passes from hand to
// hand itself.
func (p *passing) owns(oid int32, side tag) bool {
	if p.private(oid, side) {
		return true
	}
	k, ok := p.key(oid)
	if !ok {
		return false
	}
	by, ok := p.handedOn(k)
	return ok && len(by) > 0 && p.passes(k)
}

// private reports whether an iteration of a side made an object and no other
// iteration has a pointer to it.
func (p *passing) private(oid int32, side tag) bool {
	ov := p.v.ov
	o := ov.object(oid)
	if oid < ov.firstObj || o.kind != objAlloc || ov.inst(o.inst).ctx.tag != side {
		return false
	}
	other := tagA + tagB - side
	return !p.sees(other).HasRange(o.loc, o.loc+o.layout.Len())
}

// sees returns the locations that values of a side may point to.
func (p *passing) sees(side tag) *bitset.Set {
	if set := p.seen[side]; set != nil {
		return set
	}
	ov := p.v.ov
	all, out := new(bitset.Set), new(bitset.Set)
	for _, in := range ov.insts {
		if in.spawner != nil || in.ctx.tag != side {
			continue
		}
		for n := in.base; n < in.base+in.fn.NNodes; n++ {
			if set := ov.pts(n); !set.Empty() {
				all.Union(set, nil)
			}
		}
	}
	out.Union(all, nil)
	for l := range all.All() {
		if b, ok := ov.boxAt(l); ok {
			out.Add(b.loc)
		}
	}
	p.seen[side] = out
	return out
}

// captured reports whether no function value that iterations have brings them
// pointers of the set, but those that they made and keep for themselves.
func (p *passing) captured(set *bitset.Set) bool {
	ov := p.v.ov
	p.v.res.madeAt(madeAt{}) // lists the closures
	for _, oid := range p.v.res.closures {
		if !p.keeps(oid, set) {
			return false
		}
	}
	for i := range ov.objects {
		if o := &ov.objects[i]; o.kind == objAlloc && ov.inst(o.inst).fn.Allocs[o.alloc].Kind == AllocClosure && !p.keeps(ov.firstObj+int32(i), set) {
			return false
		}
	}
	return true
}

// keeps reports whether a closure brings no iteration pointers of the set that it
// has not made and kept for itself.
func (p *passing) keeps(oid int32, set *bitset.Set) bool {
	o := p.v.ov.object(oid)
	sees := func(side tag) bool { return p.sees(side).HasRange(o.loc, o.loc+o.layout.Len()) }
	if !sees(tagA) && !sees(tagB) {
		return true
	}
	holds := false
	for l := o.loc; l < o.loc+o.layout.Len(); l++ {
		holds = holds || p.holds(l, set)
	}
	if !holds {
		return true
	}
	for _, side := range []tag{tagA, tagB} {
		if sees(side) && !p.owns(oid, side) {
			return false
		}
	}
	return true
}
