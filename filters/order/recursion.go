package order

import (
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
	if a.cut != nil || len(a.spawns) != 1 || r.B.Thread != model.Main || r.Other != nil {
		return false
	}
	top := a.spawns[0]
	if a.self == nil {
		again, ok := a.selfCalls(top.Inst)
		a.self = &selfCalls{again, ok && once(a.w.Flow(top.Inst), top.At)}
	}
	if !a.self.ok || len(a.self.sites) == 0 {
		return false
	}
	if !a.ownVariable(x, y, top.Inst) && (a.leadingTo(y.inst).has(top.Inst) || !a.viaFunction(x.inst, top.Inst)) {
		return false
	}
	return !a.without(append([]pta.Site(nil), a.self.sites...)).judge(r).overlap
}

// ownVariable reports whether y is the function's access to a variable of its own,
// and x that of the goroutine, which has captured it: they then meet in one call of
// the function, since each call has another variable.
func (a *Analysis) ownVariable(x, y access, top pta.InstID) bool {
	q, p := a.addr(y), a.addr(x)
	at, made := q.Made()
	if y.inst != top || !made || q.Loads() || p.Loads() {
		return false
	}
	callers := a.in.Callers(x.inst)
	for _, c := range callers {
		f := a.w.Flow(c.Inst)
		if f == nil || f != a.w.Flow(top) || !a.in.IsSpawn(c) {
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
func (a *Analysis) viaFunction(i, top pta.InstID) bool {
	seen := map[pta.InstID]bool{i: true}
	for work := []pta.InstID{i}; len(work) > 0; {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		if a.w.Flow(j) == a.w.Flow(top) {
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
