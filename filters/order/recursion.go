package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for forks and joins by recursion, where one half is the
// caller's own:
//
//	wg.Go(func() { f(a[:m]) })
//	f(a[m:])
//	wg.Wait()
//
// A walk from the spawn enters f again, and cannot tell then whose group it is that
// f waits for. It need not enter: it starts after the spawn in any call of f,
// the inner ones too, and goes on to all that call f, which are the outer ones and
// who comes from outside. So for an access that is in none of them the calls of f by
// itself can be passed.

// outsideRecursion reports whether y, an access outside the function that has the
// spawn, is ordered with x of the goroutine if the function's calls of itself are
// not entered.
func (a *Analysis) outsideRecursion(r *model.Race, x, y access) bool {
	self := a.recursion()
	if self == nil || len(self.sites) == 0 || r.B.Thread != model.Main {
		return false
	}
	if !a.ownVariable(x, y, self) && !a.outside(self, x, y) {
		return false
	}
	return !a.without(self.cuts()).judge(r).overlap
}

// besideRecursion is outsideRecursion where y belongs to goroutines that a recursion
// starts, other than the one that is looked at.
func (a *Analysis) besideRecursion(r *model.Race, x, y access) bool {
	if r.B.Thread != model.Main {
		return false
	}
	var cut []pta.Site
	for _, t := range a.threadsOf(y.inst) {
		if a.up[t] {
			continue
		}
		self := a.recursionOf(t, a.spawnsOf(t))
		if self == nil || !a.outside(self, y, x) {
			return false
		}
		cut = append(cut, self.cuts()...)
	}
	return len(cut) > 0 && !a.without(cut).judge(r).overlap
}

// outside reports whether y is not below a recursion, of which x is.
func (a *Analysis) outside(self *recursion, x, y access) bool {
	leads := func(top pta.InstID) bool { return a.in.LeadingTo(y.inst).Has(top) }
	return !slices.ContainsFunc(self.tops, leads) && a.viaFunction(x.inst, self)
}

// ownVariable reports whether y is the function's access to a variable of its own,
// and x that of the goroutine, which has captured it: they then meet in one call of
// the function, since each call has another variable.
func (a *Analysis) ownVariable(x, y access, self *recursion) bool {
	q, p := a.addr(y), a.addr(x)
	at, made := q.Made()
	if !slices.Contains(self.tops, y.inst) || !made || q.Loads() || p.Loads() {
		return false
	}
	callers := a.in.Callers(x.inst)
	for _, c := range callers {
		f := a.w.Flow(c.Inst)
		if f == nil || f != self.f || !a.in.IsSpawn(c) {
			return false
		}
		up, ok := f.UpAt(c.At, p)
		if b, local := up.Made(); !ok || !local || b != at || up.Loads() {
			return false
		}
	}
	return len(callers) > 0
}

// viaFunction reports whether the goroutine comes to an instance only through calls
// of the function itself. What it does there the spawner does too, in its own
// calls, and if that is a race it is found there; what the goroutine's own code does
// might race with the same of other goroutines only, which are not looked at.
func (a *Analysis) viaFunction(i pta.InstID, self *recursion) bool {
	seen := map[pta.InstID]bool{i: true}
	for work := []pta.InstID{i}; len(work) > 0; {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		if a.w.Flow(j) == self.f {
			continue
		}
		callers := a.in.Callers(j)
		if len(callers) == 0 {
			return false
		}
		for _, s := range callers {
			if a.in.IsSpawn(s) {
				return false
			}
			if !seen[s.Inst] {
				seen[s.Inst] = true
				work = append(work, s.Inst)
			}
		}
	}
	return true
}

// byOneChild reports whether of the goroutines that may do r only one does it to
// an object made at a site: that which the making frame starts, once. The others
// are started with what their own spawners have made. They are waited for
// by those: each goroutine of a class is followed from its own spawn.
func (a *Analysis) byOneChild(r *op, birth pta.Site) bool {
	found := false
	for _, c := range a.in.Callers(r.inst) {
		f := a.w.Flow(c.Inst)
		if f == nil || !a.in.IsSpawn(c) {
			return false
		}
		p, ok := f.UpAt(c.At, r.path)
		if !ok || p.Loads() || p.Sels != "" {
			return false
		}
		at, made := p.Made()
		if !made {
			return false
		}
		if c.Inst != birth.Inst || at != birth.At {
			continue
		}
		if found || a.comesRound(c, birth) {
			return false
		}
		found = true
	}
	return found
}
