package pta

import (
	"slices"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
)

// A Chain is a call path: each site's instruction enters the function of the
// next; the last one is where the path leads to.
type Chain struct {
	Sites []Site
	Spawn int // the step that starts the iteration
	Above int // so many of the first steps lead to the run of a function that starts all iterations, and waits
	// Round is set by Origin where the last step yields each round of the loop
	// something else: a range over a map.
	Round bool
	// Recv is set by Origin where the last step receives from a channel, its operand Chan.
	Recv bool
	Chan int32
	// Made is set by FromMaker: the first step makes the function that the next one runs. It is Once if
	// it is in no loop.
	Made, Once bool
	// Taken is set by FromMaker: where what the thread has received is loaded from a list, each element of which it cuts off.
	Taken []Site
	// Again lists the steps whose function has called itself, perhaps: the calls
	// between are left out.
	Again []int
}

// Index returns the index forms of an instance's function, or nil.
func (v *View) Index(id InstID) *index.Func { return v.ov.inst(id).fn.Index }

// LoopIndex returns the parallel loop's index among the natural loops of the
// spawner's function, -1 for a single spawn.
func (v *View) LoopIndex() int {
	pl := v.res.base.loops[v.loop]
	if pl.split < 0 {
		return -1
	}
	return int(pl.fn.Splits[pl.split].Region)
}

// SentOnce reports whether no send to the channels that a receive may receive
// from sends a value that the code shows to be sent again, or as part of a struct what is the pointer to the
// object.
func (v *View) SentOnce(recv Site, operand int32, of *model.Object) bool {
	obj, known := v.describedBase(of)
	kept, sends := false, 0
	chans := v.Operand(recv.Inst, recv.At, int(operand))
	for _, l := range chans {
		c := v.canonical(int32(l))
		if c >= v.ov.first || v.ov.ownerOf(c) < 0 {
			return false
		}
		o := v.ov.object(v.ov.ownerOf(c))
		for y := o.loc; y < o.loc+o.layout.Len(); y++ {
			for _, p := range v.ov.base.storesTo(y) {
				if p.fact < 0 {
					return false
				}
				f := &v.ov.base.inst(p.inst).fn.Facts[p.fact]
				if f.Again && !(f.Once && known) {
					return false
				}
				if !known || !v.hasPart(p.src, obj) {
					continue
				}
				if f.Part {
					return false
				}
				kept = kept || f.Once
				sends++
			}
		}
	}
	// What is kept elsewhere, too, may be found there and sent by another one.
	return len(chans) > 0 && !(kept && sends > 1)
}

// hasPart reports whether a value of the base may be a pointer to an object, or an interface that has one in it.
func (v *View) hasPart(n, obj int32) bool {
	names := v.namesOf(obj)
	for l := range v.ov.base.pts(n).All() {
		if names.Has(l) {
			return true
		}
		b, ok := v.ov.base.boxAt(l)
		if !ok {
			continue
		}
		if oid := v.ov.base.ownerOf(b.loc); oid >= 0 {
			o := v.ov.base.object(oid)
			for y := o.loc; y < o.loc+o.layout.Len(); y++ {
				if v.ov.contents(y).Intersects(names) {
					return true
				}
			}
		}
	}
	return false
}

// InRounds reports whether an instruction of the spawner runs in the rounds of
// the loop; for a single spawn there are none, and everything does.
func (v *View) InRounds(at ssair.Instr) bool {
	pl := v.res.base.loops[v.loop]
	return pl.split < 0 || within(pl.fn.Splits[pl.split].spans, at)
}

// StartsInRound reports whether an instruction of the spawner starts goroutines in the rounds of
// the loop. Two that one round starts are paired as siblings (see startsAnother).
func (v *View) StartsInRound(at ssair.Instr) bool {
	pl := v.res.base.loops[v.loop]
	return pl.split >= 0 && slices.ContainsFunc(pl.fn.Spawns, func(sp Spawn) bool { return sp.At == at && sp.Split == pl.split })
}

func (v *View) isSpawner(id InstID) bool { return v.ov.isSpawner(id) }

// maxChainSteps bounds the calls that a search for chains looks at: most paths
// up from deep library code lead nowhere, and there are exponentially many.
const maxChainSteps = 2000

// Chains returns the call chains from the loop's spawner down to a site, as
// the given thread runs it. Where the spawner is a helper, the chains start at
// its callers. It reports false if there is no chain, or more than the limit, or
// if finding out takes too long.
func (v *View) Chains(t model.Thread, to Site, limit int) ([]Chain, bool) {
	out, ok := v.ChainsAgain(t, to, limit)
	return out, ok && !slices.ContainsFunc(out, func(c Chain) bool { return c.Again != nil })
}

// ChainsAgain is Chains where functions may call themselves on the way: of what
// they pass themselves only what they were given is known there.
func (v *View) ChainsAgain(t model.Thread, to Site, limit int) ([]Chain, bool) {
	var out []Chain
	ok, steps := true, 0
	onPath := make(map[InstID]bool)
	again := make(map[InstID]bool)
	var up func(s Site, below []Site)
	up = func(s Site, below []Site) {
		if !v.belowSpawner(s.Inst) {
			return // no chain comes by here
		}
		if steps++; steps > maxChainSteps {
			ok = false
		}
		if !ok || onPath[s.Inst] || len(below) > 24 {
			ok = ok && !onPath[s.Inst] && len(below) <= 24
			return
		}
		path := append([]Site{s}, below...)
		if v.isSpawner(s.Inst) && (t == model.Main || len(below) > 0) {
			for _, h := range v.heads(s.Inst) {
				full := append(append([]Site{}, h.sites...), path...)
				out = append(out, Chain{Sites: full, Spawn: len(h.sites), Above: h.above})
				if len(out) > limit {
					ok = false
				}
			}
			return
		}
		onPath[s.Inst] = true
		for _, c := range v.Callers(s.Inst) {
			switch {
			case c.Inst == s.Inst:
				again[s.Inst] = true
			case v.Thread(c.Inst) == t || v.Thread(c.Inst) == model.Main:
				up(c, path)
			}
		}
		onPath[s.Inst] = false
	}
	up(to, nil)
	if ok {
		// What is said of a race is what is found on the first of them.
		slices.SortStableFunc(out, func(x, y Chain) int { return slices.CompareFunc(x.Sites, y.Sites, v.compareSites) })
	}
	for i := range out {
		for k, s := range out[i].Sites {
			if again[s.Inst] {
				out[i].Again = append(out[i].Again, k)
			}
		}
	}
	return out, ok && len(out) > 0
}

// compareSites orders sites by what they are, and not by when the solver met them.
func (v *View) compareSites(x, y Site) int {
	if c := v.Compare(x.Inst, y.Inst); c != 0 {
		return c
	}
	return int(x.At) - int(y.At)
}

// passesOn reports whether a function that calls itself passes itself the
// parameter that it was given.
func (v *View) passesOn(id InstID, k int32) bool {
	return !slices.ContainsFunc(v.Callers(id), func(s Site) bool {
		return s.Inst == id && v.argRoot(s, k) != Root{Kind: RootParam, K: k}
	})
}

// belowSpawner reports whether the loop's spawner leads to an instance.
// Without it, the search for chains would try all paths to the roots.
func (v *View) belowSpawner(id InstID) bool {
	if id >= v.ov.firstInst {
		return true
	}
	if v.below == nil {
		v.below = make(map[InstID]bool)
		work := slices.Clone(v.ov.spawners)
		for _, id := range work {
			v.below[id] = true
		}
		for len(work) > 0 {
			in := v.ov.inst(work[len(work)-1])
			work = work[:len(work)-1]
			for k := range in.fn.Calls {
				for _, e := range in.callees[k] {
					if !v.below[e.callee] {
						v.below[e.callee] = true
						work = append(work, e.callee)
					}
				}
			}
		}
	}
	return v.below[id]
}

// maxHead bounds the frames through which a function literal is passed.
const maxHead = 4

// literalOf reports whether f is a function literal that g makes.
func (f *Func) literalOf(g *Func) bool {
	return slices.ContainsFunc(g.Allocs, func(a Alloc) bool { return a.Kind == AllocClosure && a.Func == f.ID })
}

// passedBy returns the ways from where a function literal is made, which an instance
// runs, down to the calls of it at the end: who passes other functions does not count. A
// function that is told apart by call tells apart what it makes.
func (v *View) passedBy(id InstID, way []Site) (out [][]Site) {
	in := v.ov.inst(id)
	if len(in.fn.Free) == 0 {
		return nil
	}
	top := v.ov.inst(way[0].Inst)
	if in.fn.literalOf(top.fn) {
		if in.ctx.site == top.ctx.site {
			return [][]Site{way}
		}
		return nil
	}
	if len(way) == maxHead {
		return nil
	}
	for _, up := range v.Callers(way[0].Inst) {
		if up.Inst != id && !slices.ContainsFunc(way, func(s Site) bool { return s.Inst == up.Inst }) {
			if out = append(out, v.passedBy(id, append([]Site{up}, way...))...); len(out) > 1 {
				break
			}
		}
	}
	return out
}

// A head is the frames above a spawner; of the first ones the loops around the calls start no iterations.
type head struct {
	sites []Site
	above int
}

// heads returns the frames above a spawner that matter to index forms: none,
// or the callers of a helper.
func (v *View) heads(id InstID) []head {
	in := v.ov.inst(id)
	callers := v.Callers(id)
	if len(callers) == 0 || len(callers) > 2 {
		return []head{{}}
	}
	if !in.fn.Helper && !in.fn.Wrapper && len(in.fn.Free) == 0 && len(callers) > 1 {
		return []head{{}}
	}
	var out []head
	for _, c := range callers {
		h := head{sites: []Site{c}}
		// One more level up where that is unique: a helper's helper.
		if up := v.Callers(c.Inst); len(up) == 1 && up[0].Inst != c.Inst && up[0].Inst != id {
			h.sites = []Site{up[0], c}
		}
		if made := v.passedBy(id, []Site{c}); len(made) == 1 {
			h = v.underCallers(made[0]) // a literal, from where it was made
		}
		out = append(out, h)
	}
	return out
}

// underCallers puts the callers of a function before a way that begins there, where they are unique: what it has
// been given, a function that the iterations run perhaps, is then known. If it waits, the iterations are all of one
// run of it; if not, they may be of several that a caller has called it for before that waits.
func (v *View) underCallers(way []Site) head {
	h := head{sites: way}
	waits := v.ov.inst(way[0].Inst).fn.waits()
	for range 2 {
		up := v.Callers(h.sites[0].Inst)
		if len(up) != 1 || slices.ContainsFunc(h.sites, func(s Site) bool { return s.Inst == up[0].Inst }) {
			break
		}
		h.sites = append([]Site{up[0]}, h.sites...)
		if waits {
			h.above++
		}
		waits = waits || v.ov.inst(up[0].Inst).fn.waits()
	}
	return h
}

// accessOf returns the template's access behind a model access.
func (v *View) accessOf(a *model.Access) *Access {
	return &v.ov.inst(InstID(a.Inst)).fn.Accesses[a.Index]
}

// Element reports whether an access goes to an element of an array or slice.
func (v *View) Element(a *model.Access) bool {
	return a.Index >= 0 && v.accessOf(a).Flags&FlagElem != 0
}

// Beyond reports whether an access is that of a call which gets at an object through what
// lies in a slice that the iteration has made: of two of these the elements are never the same,
// and what they lead to may be. It is next if an element points to it.
func (v *View) Beyond(a *model.Access, o *model.Object) (yes, next bool) {
	if a.Index < 0 {
		return false, false
	}
	x := v.accessOf(a)
	if x.Flags&FlagElem == 0 || x.Flags&FlagDeep == 0 {
		return false, false
	}
	ov := v.ov
	obj := v.res.described(ov, o).oid
	for l := range ov.pts(ov.inst(InstID(a.Inst)).node(x.Node)).All() {
		oid := ov.ownerOf(v.unboxed(l))
		if oid < 0 || oid == obj {
			return false, false
		}
		if s := ov.object(oid); s.kind != objAlloc || ov.inst(s.inst).ctx.tag == tagMain {
			return false, false
		}
		ov.overlapping(l, func(l int32) {
			for y := range ov.contents(l).All() {
				next = next || ov.ownerOf(v.unboxed(y)) == obj
			}
		})
	}
	return true, next
}

// Argument returns which argument of a call an access reads or writes through,
// -1 where it is unknown or the access is no call's.
func (v *View) Argument(a *model.Access) int { return int(v.accessOf(a).Arg) }

// Sliced returns which argument of a call is the slice whose elements an access
// reads or writes, -1 where there is none.
func (v *View) Sliced(a *model.Access) int {
	if a.Index < 0 || v.accessOf(a).Flags&(FlagElem|FlagDeep) != FlagElem {
		return -1
	}
	return v.Argument(a)
}

// WithinLen reports whether an access, the effect of a call on a slice, stays
// within the slice's length: so says the model (soundness: model).
func (v *View) WithinLen(a *model.Access) bool {
	return a.Index >= 0 && v.accessOf(a).Flags&FlagWithin != 0
}

// Written reports whether the parallel region may write what a load reads: the
// iterations, or the spawner in the rounds of the loop.
func (v *View) Written(load Site) bool {
	return v.anyRead(load, func(l int32) bool { return v.writes()[l].some })
}

// OtherStored reports whether it may write anything but nil there.
func (v *View) OtherStored(load Site) bool {
	return v.anyRead(load, func(l int32) bool { return v.writes()[l].other })
}

// WrittenBeside reports whether what the spawner's thread runs beside the iterations may
// write the variable or field that a load reads, but for who makes the memory. Of an element
// that is another question, which is answered if elements is set: the elements that it sets may be others.
func (v *View) WrittenBeside(load Site, elements bool) bool {
	return v.anyBeside(load, elements, func(accRef) bool { return true })
}

// OtherBeside reports whether it may write anything but nil there.
func (v *View) OtherBeside(load Site, elements bool) bool {
	return v.anyBeside(load, elements, func(a accRef) bool { return v.access(a).Flags&FlagNil == 0 })
}

// anyBeside reports whether f holds for an access that WrittenBeside asks for.
func (v *View) anyBeside(load Site, elements bool, f func(accRef) bool) bool {
	return v.anyRead(load, func(l int32) (found bool) {
		if l >= v.ov.first || !elements && v.element(l) {
			return false
		}
		v.eachBeside(l, func(a accRef) { found = found || f(a) })
		return found
	})
}

// eachBeside calls f for what the spawner's thread does beside the iterations that may write a
// location of the base, but for who makes the memory.
func (v *View) eachBeside(l int32, f func(accRef)) {
	r, base := v.res, v.ov.base
	scope, region := v.scope(), v.beside()
	base.overlapping(l, func(l int32) {
		r.baseTable().at(l, false, nil, func(ref accRef, _ bool) {
			a := &base.inst(ref.inst).fn.Accesses[ref.idx]
			if a.Flags&FlagInit == 0 && region.has(ref.inst, a.At) && r.runsBeside(v.loop, ref.inst, scope) && !v.initial(ref, l) {
				f(ref)
			}
		})
	})
}

// Writers returns what may write what a load reads while the parallel region
// runs, one site for each instance; ok is false if nothing is known of the load.
func (v *View) Writers(load Site) (by []Site, ok bool) {
	unknown := v.anyRead(load, func(l int32) bool {
		by = v.addWriters(by, l)
		return len(by) > maxWriters
	})
	return by, !unknown
}

// WritersOf does so for locations; ok is false if there are none.
func (v *View) WritersOf(locs []Loc) (by []Site, ok bool) {
	for _, l := range locs {
		v.ov.overlapping(int32(l), func(l int32) { by = v.addWriters(by, v.canonical(l)) })
	}
	return by, len(locs) > 0 && len(by) <= maxWriters
}

// WritersBeside lists what the spawner's thread does beside the iterations that may write
// locations, but for who makes the memory and what iterations do, too.
func (v *View) WritersBeside(locs []Loc) (by []Site) {
	iterations, _ := v.WritersOf(locs)
	for _, l := range locs {
		if c := v.canonical(int32(l)); c < v.ov.first {
			v.eachBeside(c, func(ref accRef) {
				if !v.alsoWrites(iterations, ref) && v.comesBeside(ref, c) {
					by = v.addWriter(by, ref)
				}
			})
		}
	}
	return by
}

func (v *View) addWriters(by []Site, l int32) []Site {
	for _, a := range v.writes()[l].by {
		by = v.addWriter(by, a)
	}
	return by
}

// alsoWrites reports whether one of some sites is that of an access in another context.
func (v *View) alsoWrites(by []Site, a accRef) bool {
	fn, at := v.ov.inst(a.inst).fn, v.access(a).At
	return slices.ContainsFunc(by, func(s Site) bool { return s.At == at && v.ov.inst(s.Inst).fn == fn })
}

// comesBeside reports whether an access of the spawner's thread comes to a location beside the
// iterations: by a call that is made after the spawn, or from a frame which that comes back to.
func (v *View) comesBeside(a accRef, loc int32) bool {
	ways, ok := v.ways(point{a.inst, v.access(a).Node}, v.baseOf(loc))
	region := v.beside()
	return !ok || slices.ContainsFunc(ways, func(w Way) bool {
		for k, c := range w.Calls {
			entered := a.inst
			if k+1 < len(w.Calls) {
				entered = w.Calls[k+1].Inst
			}
			from, known := v.baseInst(c.Inst) // of what is solved again the base has another
			to, also := v.baseInst(entered)
			if !known || !also || region.has(from, c.At) {
				return true
			}
			if _, back := region.part[to]; !back {
				return false
			}
		}
		return true
	})
}

func (v *View) addWriter(by []Site, a accRef) []Site {
	s := Site{a.inst, v.access(a).At}
	if !slices.Contains(by, s) {
		by = append(by, s)
	}
	return by
}

// Cells returns what a load may read, sorted.
func (v *View) Cells(load Site) []Loc {
	var out []Loc
	v.anyRead(load, func(l int32) bool {
		out = append(out, Loc(l))
		return false
	})
	return sortedUnique(out)
}

// maxWriters bounds the writers of one location that are told apart.
const maxWriters = 64

// Renewed reports whether what a load reads may be written while the loop runs,
// but by who has just made the memory: nobody else reads it before that is over
// (soundness: handed-on).
func (v *View) Renewed(load Site) bool {
	return v.anyRead(load, func(l int32) bool {
		w := v.writes()[l]
		return w.later || w.filled || slices.ContainsFunc(w.passed, func(a accRef) bool { return !v.initial(a, l) })
	})
}

// Replaced reports whether what a load has found, which is not zero, may be replaced while the
// loop runs: Renewed, but for who sets only what is zero. To do that twice at once is a race of
// its own (soundness: set-once).
func (v *View) Replaced(load Site) bool {
	return v.anyRead(load, func(l int32) bool {
		w := v.writes()[l]
		return w.later || slices.ContainsFunc(w.passed, func(a accRef) bool {
			return !v.ov.inst(a.inst).fn.onlyFills(v.access(a)) && !v.initial(a, l)
		})
	})
}

// onlyFills reports whether a store is done only where the same place is found to be zero.
func (f *Func) onlyFills(store *Access) bool {
	k, _ := slices.BinarySearchFunc(f.Guards, store.At, func(g Guard, at ssair.Instr) int { return int(g.Store - at) })
	for ; k < len(f.Guards) && f.Guards[k].Store == store.At; k++ {
		if g := &f.Guards[k]; g.Same && g.Comparison == (Comparison{guardEQL, 0}) {
			return true
		}
	}
	return false
}

// anyRead reports whether f holds for a location that a load may read, by its
// canonical name, or nothing is known of the load.
func (v *View) anyRead(load Site, f func(loc int32) bool) bool { return v.anyTouched(load, false, f) }

// anyTouched is anyRead for what is read, or written, at a site.
func (v *View) anyTouched(s Site, write bool, f func(loc int32) bool) bool {
	found := false
	for _, in := range v.frames(s.Inst) {
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if a.At != s.At || a.Flags&FlagWrite != 0 != write {
				continue
			}
			found = true
			hit := false
			v.ov.locations(in, a, func(loc int32) {
				v.ov.overlapping(loc, func(l int32) { hit = hit || f(v.canonical(l)) })
			})
			if hit {
				return true
			}
		}
	}
	return !found
}

// A writing says who writes a location while the loop runs.
type writing struct {
	some   bool     // anybody
	other  bool     // anybody, and not nil
	by     []accRef // those, but for who makes the memory; maxWriters and one more at most
	later  bool     // others than those who have just made the memory
	filled bool     // those who find that it is zero
	passed []accRef // those to whom it is passed, perhaps when it is new
}

func (v *View) writes() map[int32]writing {
	if v.written != nil {
		return v.written
	}
	v.written = make(map[int32]writing)
	for i := range v.ov.insts {
		in := v.ov.insts[i]
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if a.Flags&FlagWrite == 0 || in.spawner != nil && !in.spawner.reruns(a.Loop) {
				continue
			}
			v.ov.locations(in, a, func(loc int32) {
				l := v.canonical(loc)
				w := v.written[l]
				w.some = true
				w.other = w.other || a.Flags&FlagNil == 0
				if a.Flags&FlagInit == 0 && len(w.by) <= maxWriters {
					w.by = append(w.by, accRef{v.ov.firstInst + InstID(i), int32(k)})
				}
				switch {
				case a.Flags&FlagInit != 0:
				case a.Flags&FlagPassed != 0:
					w.passed = append(w.passed, accRef{v.ov.firstInst + InstID(i), int32(k)})
				case in.fn.onlyFills(a):
					w.filled = true
				default:
					w.later = true
				}
				v.written[l] = w
			})
		}
	}
	return v.written
}

// Maker returns what the model says of the function that made an object.
func (v *View) Maker(o *model.Object) *library.Func { return v.res.described(v.ov, o).maker }

// Receiver returns the type whose method an instance runs, or "".
func (v *View) Receiver(id InstID) string { return v.ov.inst(id).fn.Recv }

// Injective reports whether the model declares a function injective.
func (v *View) Injective(string) bool { return false }

// Rising reports whether the model declares a function monotone.
func (v *View) Rising(string) bool { return false }

// Indices returns the argument of a function of which the integers that it gives its
// callbacks are indices, or which they are below: so says the model (soundness: model).
// It is -1 where the model says nothing.
func (v *View) Indices(function string) int {
	if e := v.res.base.s.p.Library.Func(function); e != nil && len(e.Indices) == 1 {
		return e.Indices[0]
	}
	return -1
}
