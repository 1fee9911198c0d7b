package order

import (
	"maps"
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for tenure: what iterations get from each other through
// pools and channels only, and keep in memory of their own meanwhile, one of
// them has at a time, from the Get or receive until the Put or send.
//
// The rule of ownership (own.go) asks for a path from the access up to the Get.
// This one does not know which object an iteration takes out of its memory, only
// that it came there by a Get of its own. What it asks is that no access comes
// after a Put unless the memory that it takes the object from is made anew in
// between; that this is not filled with what was put back is assumed (soundness:
// tenure), and so the race is kept with low confidence.
//
// To let a Get in between do would be simpler, and would hide that the old object
// is used when there is a new one.

// inTenure reports whether the two accesses of r go to an object of which each
// iteration has a tenure.
func (a *Analysis) inTenure(r *model.Race) bool {
	if r.B.Thread != model.Beta || r.Other != nil {
		return false
	}
	media := a.media()
	if len(media) == 0 {
		return false
	}
	by, ok := a.w.PassedBy(r.Object, media)
	return ok && a.withinTenure(r.A, by) && a.withinTenure(r.B, by) && !a.anyGivenTwice(by, true) && (a.pooled(by) || !a.w.PutTwice(r.Object))
}

// pooled reports whether some of the media are pools.
func (a *Analysis) pooled(by []pta.Loc) bool {
	return slices.ContainsFunc(a.poolOps(), func(o *op) bool { return overlaps(o.locs, by) })
}

// anyGivenTwice reports whether some operation may give away through one of the
// media what was given away before. The code must show it, but, where that is asked,
// of what code beside the loop sends on a channel that iterations receive from: a Put
// says that the object is not used any more, a send does not.
func (a *Analysis) anyGivenTwice(by []pta.Loc, sent bool) bool {
	defer a.spending(&a.twiceFuel)()
	taken := make(map[pta.Loc]bool)
	for _, o := range a.takings() {
		for _, l := range o.locs {
			taken[l] = taken[l] || a.w.Thread(o.inst) != model.Main
		}
	}
	by = slices.DeleteFunc(slices.Clone(by), func(l pta.Loc) bool { return !taken[l] })
	for _, o := range a.handOvers() {
		if !overlaps(o.locs, by) {
			continue
		}
		if a.givenTwice(o) || sent && o.lib != library.OpPoolPut && a.w.Thread(o.inst) == model.Main && !a.sendsOwn(o) {
			return true
		}
	}
	return false
}

// maxTwiceFuel is what of its own the question above may spend on one loop: it is asked for all that a pool or a channel
// takes, and not for the pair alone by which it comes up. A site generator's loops need up to 138 thousand.
const maxTwiceFuel = 400_000

// givenTwice reports whether an operation gives away what another, or the same
// again, gives away after it.
func (a *Analysis) givenTwice(o *op) bool {
	if v, ok := a.twice[o.id]; ok {
		return v
	}
	v := false
	if i, p, ok := a.origin(o.inst, o.value, 0); ok && p.Sels == "" {
		at, _ := p.Made()
		src := pta.Site{Inst: i, At: at}
		w := a.newWalk()
		w.birth = a.calledFor(o.inst, src)
		if _, ok := a.taken(src, maxTaken); ok {
			w.within = src.Inst // another run of the function takes another one
		}
		w.startAfter(o).run()
		for _, again := range a.handOvers() {
			v = v || a.handsOver(again, src, flow.Path{Root: p.Root}) && w.reachesOp(again)
		}
	}
	if a.twice == nil {
		a.twice = make(map[int32]bool)
	}
	a.twice[o.id] = v
	return v
}

// calledFor returns where what a site yields is made anew in the frames above an
// instance: at the call of the function that makes it, if that is not one of them.
// Such a call may return without making it, and yields nothing then.
func (a *Analysis) calledFor(i pta.InstID, s pta.Site) pta.Site {
	above := new(idset.Set[pta.InstID])
	a.in.LeadTo(above, a.copiesOf(i))
	up := s
	for range maxClimb {
		if slices.ContainsFunc(a.copiesOf(up.Inst), above.Has) {
			return up
		}
		callers := a.in.Callers(up.Inst)
		if len(callers) != 1 {
			break
		}
		up = callers[0]
	}
	return s
}

// media lists the pools and channels of the view.
func (a *Analysis) media() []pta.Loc {
	if a.mediaLocs == nil {
		set := make(map[pta.Loc]bool)
		for _, list := range [][]*op{a.handOvers(), a.takings()} {
			for _, o := range list {
				for _, l := range o.locs {
					set[l] = true
				}
			}
		}
		a.mediaLocs = slices.Sorted(maps.Keys(set))
	}
	return a.mediaLocs
}

// takings lists the operations by which a thread gets an object.
func (a *Analysis) takings() []*op {
	if a.takes == nil {
		a.takes = []*op{}
		for _, o := range a.allOps {
			if o.kind == opRecv {
				a.takes = append(a.takes, o)
			}
		}
		for _, o := range a.poolOps() {
			if o.lib == library.OpPoolGet {
				a.takes = append(a.takes, o)
			}
		}
	}
	return a.takes
}

// withinTenure reports whether an access comes after no operation of its
// iteration that may give its object away.
func (a *Analysis) withinTenure(m *model.Access, by []pta.Loc) bool {
	x := a.accessOf(m)
	if a.w.Flow(x.inst) == nil {
		return false
	}
	x.own = a.ownBirth(x)
	k := x.touch()
	if v, ok := a.tenures[k]; ok {
		return v
	}
	v := true
	for _, o := range a.handOvers() {
		if a.w.Thread(o.inst) == a.w.Thread(x.inst) && overlaps(o.locs, by) && !a.beforeGiving(x, o) {
			v = false
			break
		}
	}
	if a.tenures == nil {
		a.tenures = make(map[touch]bool)
	}
	a.tenures[k] = v
	return v
}

// beforeGiving reports whether x does not come after o.
func (a *Analysis) beforeGiving(x access, o *op) bool {
	if !a.sameThread(o.inst, x.inst) {
		return false
	}
	b := a.withMedia()
	b.fuel, b.floor = a.fuel, a.floor
	defer func() { a.fuel = b.fuel }()
	w := b.newWalk()
	w.birth = a.holderOf(x)
	if o.step < 0 || !a.sameParameter(x, o) {
		return !w.startAfter(o).run().reaches(x.inst, x.at)
	}
	// Both go to what the function is called with: what another call gives
	// away is another object, unless it is called with the same.
	w.push(node{o.inst, o.f.AfterStep(o.step), fresh, false, noSite})
	return !w.run().reaches(x.inst, x.at) && !b.calledAgain(o)
}

// withMedia returns an analysis whose walks see the operations on pools and
// channels, which others pass by where they order nothing.
func (a *Analysis) withMedia() *Analysis {
	if a.mediaWalks == nil {
		b := a.comingTo(nil)
		b.outer, b.mediaWalks = a, b
		b.seeMedia()
		a.mediaWalks = b
	}
	return a.mediaWalks
}

// comingTo returns a copy of the analysis whose walks have frames of their own, and come to some
// more instances.
func (a *Analysis) comingTo(insts []pta.InstID) *Analysis {
	b := *a
	b.mediaWalks, b.tells, b.asks = nil, nil, nil
	b.frames = new(frameTable)
	b.syncful = a.syncful.Copy()
	b.in.LeadTo(b.syncful, insts)
	return &b
}

// seeMedia lets walks come to all operations on pools and channels.
func (a *Analysis) seeMedia() {
	a.seesMedia = true
	var insts []pta.InstID
	for _, list := range [][]*op{a.handOvers(), a.takings()} {
		for _, o := range list {
			insts = append(insts, o.inst)
		}
	}
	a.in.LeadTo(a.syncful, insts)
}

// holderOf returns where the memory is made through which x reaches its object:
// made again, it holds what was put there since. It is what an allocation, a call
// or a receive yields, in the frame of x or one that calls it.
func (a *Analysis) holderOf(x access) pta.Site { return a.rootMade(x.inst, a.addr(x).Root) }

// rootMade is holderOf for the root of a path of an instance.
func (a *Analysis) rootMade(i pta.InstID, root string) pta.Site {
	for range maxClimb {
		f := a.w.Flow(i)
		if f == nil || root == "" {
			return noSite
		}
		if at, made := (flow.Path{Root: root}).Made(); made {
			call, _ := f.ResultOf(at)
			if !f.MakesMemory(at) && len(f.StepsAt(f.ReceiveOf(call))) == 0 {
				_, web := f.Leaves(at)
				if _, ok := a.taken(pta.Site{Inst: i, At: at}, maxTaken); !ok || web {
					return noSite // a choice between old and new
				}
			}
			return pta.Site{Inst: a.copyOf(i), At: at}
		}
		callers := a.in.Callers(i)
		if len(callers) == 0 {
			return noSite
		}
		up := ""
		for k, c := range callers {
			q, ok := a.w.Flow(c.Inst).UpAt(c.At, flow.Path{Root: root})
			if !ok || c.Inst != callers[0].Inst || k > 0 && q.Root != up {
				return noSite
			}
			up = q.Root
		}
		i, root = callers[0].Inst, up
	}
	return noSite
}

// maxClimb bounds the calls between a function that has an object, or gives it
// away, and one that works on it.
const maxClimb = 6

// sameParameter reports whether x reaches its object through the parameter that
// o gives away, in the frame of o.
func (a *Analysis) sameParameter(x access, o *op) bool {
	p := a.addr(x)
	i := x.inst
	for range maxClimb {
		if !p.Known() {
			return false
		}
		if i == o.inst {
			return p.Root[0] == 'p' && p.Root == o.value.Root && o.value.Sels == ""
		}
		callers := a.in.Callers(i)
		if len(callers) == 0 {
			return false
		}
		var up flow.Path
		for k, c := range callers {
			q, ok := a.w.Flow(c.Inst).UpAt(c.At, flow.Path{Root: p.Root})
			if !ok || c.Inst != callers[0].Inst || k > 0 && q.Root != up.Root {
				return false
			}
			up = q
		}
		i, p = callers[0].Inst, up
	}
	return false
}

// calledAgain reports whether the function of o, which gives away a parameter,
// may be called for the same object again, as far as paths tell.
func (a *Analysis) calledAgain(o *op) bool {
	callers := a.in.Callers(o.inst)
	for _, c := range callers {
		f := a.w.Flow(c.Inst)
		if f == nil || a.in.IsSpawn(c) {
			return true
		}
		p, ok := f.UpAt(c.At, flow.Path{Root: o.value.Root})
		if !ok {
			continue
		}
		w := a.newWalk()
		w.birth = a.rootMade(c.Inst, p.Root)
		w.fromSite(c).run()
		for _, d := range callers {
			if d.Inst != c.Inst {
				continue
			}
			q, ok := f.UpAt(d.At, flow.Path{Root: o.value.Root})
			if !ok || q.Loose() != p.Loose() {
				continue
			}
			for _, k := range f.StepsAt(d.At) {
				if w.reachesStep(d.Inst, k) {
					return true
				}
			}
		}
	}
	return false
}
