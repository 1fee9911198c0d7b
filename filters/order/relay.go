package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for relays: a function starts a goroutine, which closes a channel when
// it is done, and leaves the channel in a field. Before it does so it waits for the one that
// it finds there, of the goroutine that was started last for this object, which came after
// all others in the same way. So there is one of them at a time.
//
//	func (s *session) start() {
//		if s.done != nil {
//			<-s.done
//		}
//		done := make(chan struct{})
//		s.done = done
//		go func() { defer close(done); s.read() }()
//	}
//
// Two runs of the function for one object that overlap race for the field, and are reported
// there, unless they do this under a lock, which then keeps them apart.

// inRelay reports whether all goroutines that come to x and to y are of one relay, which they
// give on after the accesses. If the objects that have the field are many, owned says that x and
// y reach what is of one of them by the same (soundness: owner-lock).
func (a *Analysis) inRelay(r *model.Race, x, y access) (held, owned bool) {
	lx, ly := a.relayOf(x), a.relayOf(y)
	if len(lx) == 0 || !slices.Equal(lx, ly) {
		return false, false
	}
	if len(lx) == 1 && !a.w.Object(lx[0]).Many && !indexed(a.w.Object(lx[0]).Field) {
		return true, false
	}
	return false, r.Object.Many || r.Either
}

// relayOf returns the fields by which those threads that come to x wait for each other; nil if
// one of them may not, or may come to x after it has told that it is done.
func (a *Analysis) relayOf(x access) (fields []pta.Loc) {
	for k, t := range a.threadsOfAccess(x) {
		for n, s := range a.spawnsOf(t) {
			locs := a.relayBy(s, t)
			if len(locs) == 0 || k+n > 0 && !slices.Equal(locs, fields) {
				return nil
			}
			fields = locs
		}
		if len(fields) == 0 || !a.tellsAfter(t, x) {
			return nil
		}
	}
	return fields
}

// relayBy returns the fields of the relay by which a site starts a thread.
func (a *Analysis) relayBy(s pta.Site, t pta.InstID) []pta.Loc {
	f := a.w.Flow(s.Inst)
	if f == nil || len(f.Relays) != 1 {
		return nil
	}
	rl := &f.Relays[0]
	steps := f.StepsAt(s.At)
	if len(steps) != 1 || f.Steps[steps[0]].Kind != flow.Spawn || f.Steps[steps[0]].Repeat {
		return nil
	}
	// Each start is after a store of its own.
	before, stored := f.BeforeStep(steps[0]), f.GapOf(rl.Store)
	if stored != before && (stored != f.Entry() && f.Reaches(f.Entry(), before, ssair.NoInstr, stored) ||
		f.Reaches(f.AfterStep(steps[0]), before, ssair.NoInstr, stored)) {
		return nil
	}
	fields := a.w.Stored(pta.Site{Inst: s.Inst, At: rl.Store})
	for _, l := range fields {
		stores, ok := a.w.StoresTo(l)
		if !ok || slices.ContainsFunc(stores, func(o pta.Site) bool {
			g := a.w.Flow(o.Inst)
			return g == nil || g.Name != f.Name || o.At != rl.Store
		}) {
			return nil
		}
	}
	return fields
}

// tellsAfter reports whether what is done to the channels of the relay that t is started by is
// that their goroutines close them, each its own, and t never comes to x after that.
func (a *Analysis) tellsAfter(t pta.InstID, x access) bool {
	for _, s := range a.spawnsOf(t) {
		f := a.w.Flow(s.Inst)
		made := f.Relays[0].Made
		c := a.classOf(access{inst: x.inst, at: x.at, birth: x.birth, own: x.own, by: t + 1})
		closed := false
		for _, o := range a.allOps {
			if o.kind != opSend && o.kind != opClose || !slices.ContainsFunc(o.locs, func(l pta.Loc) bool { return a.madeAt(l, f, made) }) {
				continue
			}
			i, p, ok := a.origin(o.inst, o.path, 0)
			at, own := p.Made()
			if !ok || !own || p.Sels != "" || at != made || a.w.Flow(i).Name != f.Name || o.kind != opClose {
				return false
			}
			ts := a.threadsOf(o.inst)
			if slices.Contains(ts, t) {
				if closed = true; len(ts) > 1 || !a.over(c, o) {
					return false
				}
			} else if slices.ContainsFunc(ts, func(u pta.InstID) bool { return !a.startedLike(u, s) }) {
				return false // someone else tells
			}
		}
		if !closed {
			return false
		}
	}
	return true
}

// madeAt reports whether an object is made at an instruction of a function.
func (a *Analysis) madeAt(l pta.Loc, f *flow.Func, at ssair.Instr) bool {
	o := a.w.Object(l)
	if o.Alloc.Inst < 0 || o.Alloc.At != at {
		return false
	}
	g := a.w.Flow(o.Alloc.Inst)
	return g != nil && g.Name == f.Name
}

// startedLike reports whether a thread is what a site of the same function starts in another
// context.
func (a *Analysis) startedLike(u pta.InstID, s pta.Site) bool {
	sites := a.spawnsOf(u)
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(o pta.Site) bool {
		return o.At != s.At || a.w.Flow(o.Inst).Name != a.w.Flow(s.Inst).Name
	})
}
