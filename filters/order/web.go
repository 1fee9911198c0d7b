package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file extends the rule of ownership (own.go) to variables that are given
// away and set anew, round by round:
//
//	batch = append(batch, x)
//	if len(batch) == n {
//		ch <- batch
//		batch = nil
//	}
//
// What such a variable holds comes from one of several places, and whether it has
// been given away depends on the way that control took (flow/gone.go).

// maxTaken bounds the calls that are followed down to where an object comes from.
const maxTaken = 4

// taken returns the receives and Gets that the value at a site may come from; ok is
// false if it may be anything else than these yield and new memory. A function that
// takes an object from a channel or makes one, and returns it, counts as either.
func (a *Analysis) taken(s pta.Site, depth int) (from []*op, ok bool) {
	f := a.w.Flow(s.Inst)
	if f == nil || depth == 0 {
		return nil, false
	}
	if r := a.receivedFrom(s); r != nil {
		return []*op{r}, true
	}
	if f.MakesMemory(s.At) || a.w.Makes(s) {
		return nil, true
	}
	all := func(i pta.InstID, at ssair.Instr) bool {
		more, ok := a.taken(pta.Site{Inst: i, At: at}, depth-1)
		from = append(from, more...)
		return ok
	}
	if leaves, web := f.Leaves(s.At); web {
		for _, at := range leaves {
			if !all(s.Inst, at) {
				return nil, false
			}
		}
		return from, true
	}
	call, k := f.ResultOf(s.At)
	steps := f.StepsAt(call)
	if len(steps) != 1 || f.Steps[steps[0]].Kind != flow.Call {
		return nil, false
	}
	callees := a.in.CalleesAt(s.Inst, call)
	for _, c := range callees {
		g := a.w.Flow(c)
		if g == nil || k >= len(g.Yields) {
			return nil, false
		}
		for _, y := range g.Yields[k] {
			p := g.Path(y)
			at, made := p.Made()
			if !made || p.Sels != "" || !all(c, at) {
				return nil, false
			}
		}
	}
	return from, len(callees) > 0
}

// webSent reports whether a send of a value that is chosen, cut or grown is the
// last that is done to it.
func (a *Analysis) webSent(src pta.Site, s *op) bool {
	if s.inst != src.Inst || a.givenBelow(src) {
		return false
	}
	after, known := s.f.AfterGone(s.site, s.k)
	if !known {
		return false
	}
	for _, o := range a.handOvers() {
		if o.inst == s.inst && slices.Contains(after, o.site) {
			return false
		}
	}
	return true
}

// givenBelow reports whether a function called by that of src may give away what
// it is passed: then what follows is not looked at.
func (a *Analysis) givenBelow(src pta.Site) bool {
	for _, o := range a.handOvers() {
		if o.inst == src.Inst {
			continue
		}
		if i, p, ok := a.origin(o.inst, o.value.Base(), 0); ok && i == src.Inst {
			if at, made := p.Made(); made && !a.w.Flow(i).MakesMemory(at) {
				return true
			}
		}
	}
	return false
}

// usedAfterGiving reports whether x, in the frame of instance i or one that it
// calls, may come to memory that i has given away.
func (a *Analysis) usedAfterGiving(i pta.InstID, x access) bool {
	for _, o := range a.handOvers() {
		if o.inst == i && a.spentBy(o, x) {
			return true
		}
	}
	return false
}

// spentBy reports whether x may come to what o has given away before, through a
// value of o's frame.
func (a *Analysis) spentBy(o *op, x access) bool {
	after, _ := o.f.AfterGone(o.site, o.k)
	if x.inst == o.inst {
		return slices.Contains(after, x.at)
	}
	return slices.ContainsFunc(after, func(at ssair.Instr) bool {
		return len(o.f.StepsAt(at)) > 0 && a.calledFrom(x.inst, pta.Site{Inst: o.inst, At: at})
	})
}

// calledFrom reports whether instance i is run, on the same thread, by what is
// called at a site.
func (a *Analysis) calledFrom(i pta.InstID, s pta.Site) bool {
	seen := map[pta.InstID]bool{i: true}
	for work := []pta.InstID{i}; len(work) > 0; work = work[1:] {
		for _, c := range a.in.Callers(work[0]) {
			if c == s {
				return true
			}
			if !seen[c.Inst] && !a.in.IsSpawn(c) {
				seen[c.Inst] = true
				work = append(work, c.Inst)
			}
		}
	}
	return false
}

// handedToOther reports whether the two sides of r come to one object by way of a
// channel or pool, though it is assumed that they have different ones.
func (a *Analysis) handedToOther(r *model.Race) bool {
	for _, s := range r.Assumes {
		if s != "many-objects" && s != "sent-once" {
			return false
		}
	}
	x := a.accessOf(r.A)
	y := a.accessOf(r.B)
	b := a.withMedia()
	b.fuel, b.floor = a.fuel, a.floor
	defer func() { a.fuel = b.fuel }()
	return b.stillUsed(x, y) || b.stillUsed(y, x) || b.givenToBoth(x, y)
}

// stillUsed reports whether x may touch what its thread has given away before,
// while y's thread has taken it: no assumption that they have different objects
// can then be upheld. What lies between the giving and x must not wait for
// what may be the other thread's answer that it is done.
func (a *Analysis) stillUsed(x, y access) bool {
	var t *told
	for _, o := range a.handOvers() {
		if !a.sameThread(o.inst, x.inst) || !a.spentBy(o, x) && !a.keptBeyond(o, x) && !a.lentBeyond(o, x) && !a.contentUsed(o, x, y) && !a.keptInField(o, x) || !a.takenFrom(o, y) {
			continue
		}
		if t == nil {
			t = a.toldOf(x, y)
		}
		if a.unawaited(o, x, y, t) {
			return true
		}
	}
	return false
}

// keptBeyond is spentBy where o is in a function that is called with the object.
func (a *Analysis) keptBeyond(o *op, x access) bool {
	i, p, ok := a.origin(x.inst, a.addr(x).Base(), 0)
	if !ok || o.inst == i {
		return false
	}
	at, _ := p.Made()
	src, root := pta.Site{Inst: i, At: at}, flow.Path{Root: p.Root}
	if !a.sameThread(i, x.inst) || !a.handsOver(o, src, root) {
		return false
	}
	w := a.newWalk()
	w.birth = src
	return w.startAfter(o).run().reaches(x.inst, x.at)
}

// lentBeyond is spentBy for what a method of the library has yielded of what its receiver keeps, as
// the Bytes of a buffer, and x is done by the receiver: such a result is good until then. What
// the application's own types keep may be another slice by then.
func (a *Analysis) lentBeyond(o *op, x access) bool {
	at, made := (flow.Path{Root: o.value.Root}).Made()
	if !made || a.w.App(x.inst) {
		return false
	}
	call, n := o.f.ResultOf(at)
	for _, c := range a.in.CalleesAt(o.inst, call) {
		g := a.w.Flow(c)
		if g == nil || a.w.App(c) || n >= len(g.Yields) {
			continue
		}
		for _, y := range g.Yields[n] {
			from := g.Path(y)
			if !from.Known() || from.Root[0] != 'p' || !from.Loads() {
				continue
			}
			of, ok := o.f.UpAt(call, flow.Path{Root: from.Root})
			if ok && a.reachedLater(a.roots(o.inst, of, o.site), x, func(_, _ rooted) bool { return true }) {
				return true
			}
		}
	}
	return false
}

// reachedLater reports whether x reaches its object from one of some roots in a way that fits, after
// the places at which they stand and before the root is made anew.
func (a *Analysis) reachedLater(given []rooted, x access, fits func(given, use rooted) bool) bool {
	for _, use := range a.useRootsOf(x) {
		for _, g := range given {
			at, made := (flow.Path{Root: g.root}).Made()
			if a.copyOf(g.Inst) != a.copyOf(use.Inst) || g.root != use.root || use.started || g.started || !fits(g, use) {
				continue
			}
			birth := noSite
			if made {
				birth = pta.Site{Inst: a.copyOf(g.Inst), At: at}
			}
			if a.after(g.Site, birth, false).reaches(use.Inst, use.At) {
				return true
			}
		}
	}
	return false
}

// takenFrom reports whether y's thread takes what o gives before it comes to y.
func (a *Analysis) takenFrom(o *op, y access) bool {
	if _, got := a.owned(y); !got {
		if i, p, ok := a.origin(y.inst, a.addr(y).Base(), 0); ok && a.sameThread(i, y.inst) {
			if at, _ := p.Made(); a.w.Flow(i).MakesMemory(at) {
				return false // y's thread has made it
			}
		}
	}
	for _, r := range a.takings() {
		if (o.lib == library.OpPoolPut) == (r.lib == library.OpPoolGet) && overlaps(o.locs, r.locs) && a.sameThread(r.inst, y.inst) {
			if a.newWalk().startAfter(r).run().reaches(y.inst, y.at) {
				return true
			}
		}
	}
	return false
}

// givenToBoth reports whether one object may be given away twice, and the threads
// of x and y each take it once.
func (a *Analysis) givenToBoth(x, y access) bool {
	return slices.ContainsFunc(a.givenAgain(), func(g [2]*op) bool {
		return a.takenFrom(g[0], x) && a.takenFrom(g[1], y) || a.takenFrom(g[0], y) && a.takenFrom(g[1], x)
	})
}

// givenAgain lists the pairs of operations by which one object may be given away twice: those of one
// frame, and a Put of what a function returns and the send of that.
func (a *Analysis) givenAgain() [][2]*op {
	if a.regiven == nil {
		a.regiven = [][2]*op{}
		for _, o := range a.handOvers() {
			after, _ := o.f.AfterGone(o.site, o.k)
			for _, again := range a.handOvers() {
				if again.inst == o.inst && slices.Contains(after, again.site) {
					a.regiven = append(a.regiven, [2]*op{o, again})
				}
			}
			if o.lib == library.OpPoolPut {
				continue
			}
			for _, put := range a.poolOps() {
				if put.lib == library.OpPoolPut && a.returnedInto(put, a.putRootsOf(o)) {
					a.regiven = append(a.regiven, [2]*op{put, o})
				}
			}
		}
	}
	return a.regiven
}

// ownersOwned is bothOwned for memory that an owner keeps to itself: the array of a
// buffer is whose the buffer is (see pta/owner.go).
func (a *Analysis) ownersOwned(r *model.Race, x, y access) bool {
	if len(a.handOvers()) == 0 {
		return false
	}
	ms, ok := a.w.MeetingsByStores(r)
	ok = ok && len(ms) > 0
	for _, m := range ms {
		gx, okx := a.waysOwned(r, x, m.A)
		gy, oky := a.waysOwned(r, y, m.B)
		ok = ok && okx && oky && (gx || gy)
	}
	return ok
}

// waysOwned is wayOwned for all of some ways.
func (a *Analysis) waysOwned(r *model.Race, x access, ways []pta.Way) (received, ok bool) {
	received = true
	for _, w := range ways {
		got, own := a.wayOwned(r, x, w)
		if !own {
			return false, false
		}
		received = received && got
	}
	return received, true
}

// wayOwned reports whether x's thread owns what a way to x leads from.
func (a *Analysis) wayOwned(r *model.Race, x access, w pta.Way) (received, ok bool) {
	at := pta.Site{Inst: x.inst, At: x.at}
	if len(w.Passed) == 0 && len(w.Calls) > 0 {
		return a.partOwned(r, x, w)
	}
	if len(w.Passed) == 0 {
		p := a.addr(x)
		if strings.Count(p.Sels, "~") != w.Up {
			return false, false
		}
		if i := strings.IndexByte(p.Sels, '~'); i >= 0 {
			p.Sels = p.Sels[:i]
		}
		return a.ownedAs(ownedKey{at, x.inst, p})
	}
	s := w.Passed[0]
	f := a.w.Flow(s.Inst)
	if f == nil {
		return false, false
	}
	steps := f.StepsAt(s.At)
	if len(steps) != 1 {
		return false, false
	}
	for k, arg := range f.Steps[steps[0]].Args {
		if !a.w.MayPass(w, k) {
			continue
		}
		got, own := a.ownedAs(ownedKey{at, s.Inst, f.Path(arg)})
		if !own {
			return false, false
		}
		received, ok = received || got, true
	}
	return received, ok
}

// partOwned is wayOwned where not the owner is passed to the function with the
// access, but what it owns.
func (a *Analysis) partOwned(r *model.Race, x access, w pta.Way) (received, ok bool) {
	s := w.Calls[0]
	f := a.w.Flow(s.Inst)
	if f == nil || strings.Contains(a.addr(x).Sels, "~") {
		return false, false // more owners below
	}
	steps := f.StepsAt(s.At)
	if len(steps) != 1 {
		return false, false
	}
	for k, arg := range f.Steps[steps[0]].Args {
		if !a.w.MayPassObject(s, k, r.Object) {
			continue
		}
		p := f.Path(arg)
		if !p.Known() || strings.Count(p.Sels, "~") != w.Up {
			return false, false
		}
		if i := strings.IndexByte(p.Sels, '~'); i >= 0 {
			p.Sels = p.Sels[:i]
		}
		got, own := a.ownedAs(ownedKey{pta.Site{Inst: x.inst, At: x.at}, s.Inst, p})
		if !own {
			return false, false
		}
		received, ok = received || got, true
	}
	return received, ok
}
