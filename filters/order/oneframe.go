package order

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a variable of a function that is run by several at a
// time, by its own goroutines for instance: each run has another one. A goroutine
// shares that of the run which has started it, and the run itself waits for it or
// does not.

// ofOneFrame reports whether y goes to a variable of its own frame, before that
// starts the goroutines in which x goes to the variable, or when they are over.
func (a *Analysis) ofOneFrame(x, y access) bool {
	p := a.addr(y)
	at, made := p.Made()
	f := a.w.Flow(y.inst)
	if !made || p.Loads() || !f.MakesMemory(at) || f.Innermost(f.Block(at)) >= 0 {
		return false
	}
	if a.touchesSeveral(x) || a.touchesSeveral(y) {
		return false // it may be about the other slice
	}
	x.birth = noSite
	apart := func(spawn, cell pta.Site) bool {
		if cell.At != at || a.copyOf(cell.Inst) != a.copyOf(y.inst) {
			return true // another variable, or that of another run
		}
		return spawn.Inst == y.inst && !a.untilOver(x, spawn).comesInFrame(y)
	}
	for _, t := range a.threadsOf(x.inst) {
		x.by = t + 1
		if !a.cells(x.inst, t, a.addr(x).Base(), apart) {
			return false
		}
	}
	return true
}

// touchesSeveral reports whether the call that is an access reads or writes elements
// of slices: its address is that of the first.
func (a *Analysis) touchesSeveral(x access) bool {
	_, _, ok := a.w.Flow(x.inst).Touched(x.at, 0)
	return ok
}

// cells calls keep for the variables in which a path of an instance, or one that
// leads to it, may be rooted by thread t, each with what starts t. It returns false
// if keep does, or if the path cannot be followed to the frame of a spawn.
func (a *Analysis) cells(i, t pta.InstID, p flow.Path, keep func(spawn, cell pta.Site) bool) bool {
	return a.atSpawns(i, t, p, 0, func(pta.Site) bool { return true }, func(c pta.Site, j pta.InstID, up flow.Path) bool {
		at, made := up.Made()
		if j != c.Inst || !made || up.Loads() || !a.w.Flow(j).MakesMemory(at) {
			return false
		}
		return !slices.ContainsFunc(append(slices.Clip(a.resetsOf(c)), c), func(s pta.Site) bool { return !keep(s, pta.Site{Inst: j, At: at}) })
	})
}

// atSpawns follows a path of an instance that thread t runs up to the frames that start
// t, at the spawns that are wanted, and reports whether keep holds for each: of the spawn,
// and of the frame and the path there. It does not where a path cannot be followed, or
// nothing is found.
func (a *Analysis) atSpawns(i, t pta.InstID, p flow.Path, depth int, wanted func(spawn pta.Site) bool, keep func(spawn pta.Site, j pta.InstID, p flow.Path) bool) bool {
	if !p.Known() || p.Loads() || depth > maxClimb {
		return false
	}
	some := false
	for _, c := range a.in.Callers(i) {
		starts := a.in.IsSpawn(c)
		if starts != (i == t) || starts && !wanted(c) {
			continue // another thread's, or started by another
		}
		j, up, ok := a.in.Up(i, c, p)
		if !ok || starts && !keep(c, j, up) || !starts && !a.atSpawns(j, t, up, depth+1, wanted, keep) {
			return false
		}
		some = true
	}
	return some
}
