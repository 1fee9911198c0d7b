package order

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file looks at what there is one of in each run of a function by itself:
//
//	func work() {
//		c, left := newCounter(), new(atomic.Int32)
//		left.Store(4)
//		parallel(4, func(int) {
//			if left.Add(-1) == 0 {
//				c.n++
//			}
//		})
//	}
//
// However often work is called, who meets at a counter meets in one run, and has the flag, the channel or
// the group of that. Elsewhere these are many, and the race may be with who has another one.

// A runWorld is a view in which what there is one of in each run of a function is one.
type runWorld struct {
	World
	home pta.InstID
}

func (w *runWorld) Object(l pta.Loc) pta.ObjectInfo {
	o := w.World.Object(l)
	o.Many = o.Many && !w.OneIn(w.home, l)
	return o
}

// apartInRun reports whether the accesses of a race on what there is one of in each run of a function do not
// overlap in a run.
func (a *Analysis) apartInRun(r *model.Race) bool {
	home, ok := a.w.Home(r)
	if !ok || a.fuel < 0 {
		return false
	}
	b := a.homes[home]
	if b == nil {
		b = newAnalysis(&runWorld{a.w, home}, a.locksets, a.set, a.tenured)
		b.fuel = min(maxDoubtFuel, a.fuel)
		if a.homes == nil {
			a.homes = make(map[pta.InstID]*Analysis)
		}
		a.homes[home] = b
	}
	return b.fuel >= 0 && !b.judge(r).overlap && b.fuel >= 0
}
