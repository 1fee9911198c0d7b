package order

import (
	"slices"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for a lock that a function makes for its goroutines:
//
//	func (s *store) fill(keys []string) {
//		var mu sync.Mutex
//		for _, k := range keys {
//			go func() { …; mu.Lock(); s.m[k] = v; mu.Unlock() }()
//		}
//		wg.Wait()
//	}
//
// Each run of the function has another lock, and what it guards is there for all
// runs. But if a run waits for its goroutines before another one may begin, in any
// thread, then whoever meets is of one run, and has one lock.

// underRunsLock reports whether both accesses of a race hold one lock of a run of
// a function, and two runs do not overlap as far as the accesses go. Where a constructor makes the
// lock, it is that of an object; another one that others than the starter have made meanwhile
// guards what is its own (owner: soundness: owner-lock).
func (a *Analysis) underRunsLock(r *model.Race, x, y access) (protected, owner bool) {
	if a.cut != nil || len(r.A.Locks) == 0 || len(r.B.Locks) == 0 {
		return false, false // none, or locks are not to count
	}
	gs, hs := a.locksets.At(r.A), a.locksets.At(r.B)
	for i := range gs {
		g, p, made := a.madeAs(&gs[i])
		if !made {
			continue
		}
		for k := range hs {
			if !gs[i].Write && !hs[k].Write {
				continue
			}
			if h, q, ok := a.madeAs(&hs[k]); ok && g == h && p == q && a.runsApart(g, x) && a.runsApart(g, y) {
				switch calls := a.constructed(g, x, y); {
				case len(calls) == 0:
					return true, false
				case !slices.ContainsFunc(calls, func(c pta.Site) bool { return a.isSpawner(c.Inst) }):
					owner = true
				}
			}
		}
	}
	return false, owner
}

// constructed lists the calls by which another lock may be made at a site before an access of a race is
// over, if walks do not go in there: they leave out what orders nothing, as many a constructor.
func (a *Analysis) constructed(made pta.Site, xs ...access) (calls []pta.Site) {
	for _, x := range xs {
		x.birth, x.own = noSite, noSite
		w := a.classOf(x).outward
		seen := new(idset.Set[pta.InstID])
		work := slices.Clone(a.w.Named(a.w.Flow(made.Inst).Name))
		for len(work) > 0 {
			i := work[len(work)-1]
			work = work[:len(work)-1]
			if a.enters(i) || seen.Has(i) {
				continue
			}
			seen.Add(i)
			for _, c := range a.in.Callers(i) {
				if w.reaches(c.Inst, c.At) {
					calls = append(calls, c)
				}
				work = append(work, c.Inst)
			}
		}
	}
	return calls
}

func (a *Analysis) isSpawner(i pta.InstID) bool {
	return slices.ContainsFunc(a.spawns, func(s pta.Site) bool { return a.copyOf(s.Inst) == a.copyOf(i) })
}

// madeAs returns where a lock is made, and which part of what is made there it is, if
// that is a variable or new memory of a frame that has come to who locks it by
// captures and arguments alone.
func (a *Analysis) madeAs(h *locks.Held) (site pta.Site, part string, ok bool) {
	if h.Once || h.Flag || h.Claim || h.Elem || h.Mixed() || !h.Orig.Known() || h.Orig.Loads() {
		return noSite, "", false
	}
	i, p, ok := a.origin(h.Acq.Inst, h.Orig, 0)
	if !ok || p.Loads() {
		return noSite, "", false
	}
	at, _ := p.Made()
	f := a.w.Flow(i)
	if f == nil || !f.MakesMemory(at) {
		return noSite, "", false
	}
	site = pta.Site{Inst: a.copyOf(i), At: at}
	elsewhere := func(l pta.Loc) bool { // as where the acquisition is that of several contexts
		made := a.w.Object(l).Alloc
		return made.At != at || a.copyOf(made.Inst) != site.Inst
	}
	return site, p.Sels, !slices.ContainsFunc(h.Locs, elsewhere)
}

// runsApart reports whether an access is over before the frame that makes something
// at a site can make it again, or another one of the same function begins.
func (a *Analysis) runsApart(made pta.Site, x access) bool {
	f := a.w.Flow(made.Inst)
	x.birth, x.own = noSite, noSite
	c := a.classOf(x)
	a.solve(c)
	return !slices.ContainsFunc(a.w.Named(f.Name), func(i pta.InstID) bool {
		if !a.in.Runs(i) {
			return false
		}
		return a.w.Thread(i) != model.Main || c.outward.enters(i) || c.outward.reaches(i, made.At)
	})
}
