package order

import (
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for groups that run one body at a time: with a limit of
// one, set before the first body starts, each body is over when the next one
// starts.

// oneAtATime reports whether x and y belong to bodies of one group that runs
// them one after the other.
func (a *Analysis) oneAtATime(x, y access) bool {
	g, ok := a.groupBehind(x)
	if !ok {
		return false
	}
	h, ok := a.groupBehind(y)
	return ok && g == h && a.limitedToOne(g)
}

// groupBehind returns the group that starts x's thread: one single object, and
// nothing else starts that thread.
func (a *Analysis) groupBehind(x access) (pta.Loc, bool) {
	t, ok := a.sole(x.inst)
	if !ok {
		return 0, false
	}
	group, some := pta.Loc(0), false
	for _, s := range a.spawnsOf(t) {
		o := a.joinable(s)
		if o == nil || len(o.locs) != 1 || some && o.locs[0] != group {
			return 0, false
		}
		group, some = o.locs[0], true
	}
	if !some {
		return 0, false
	}
	o := a.w.Object(group)
	return group, oneCell(o) && !a.external(group)
}

// joinable returns the operation at a site that starts a body of a group.
func (a *Analysis) joinable(s pta.Site) *op {
	for _, o := range a.allOps {
		if o.joins && o.inst == s.Inst && o.site == s.At {
			return o
		}
	}
	return nil
}

// limitedToOne reports whether no body of the group starts before its limit is
// set to one, and it is never set to anything else.
func (a *Analysis) limitedToOne(g pta.Loc) bool {
	if v, ok := a.limits[g]; ok {
		return v
	}
	if a.limits == nil {
		a.limits = make(map[pta.Loc]bool)
	}
	v := a.limitedNow(g)
	a.limits[g] = v
	return v
}

func (a *Analysis) limitedNow(g pta.Loc) bool {
	var set []*op
	for _, o := range a.ops[g] {
		if o.lib == library.OpLimit {
			if !o.has || o.delta != 1 {
				return false
			}
			if len(o.locs) == 1 {
				set = append(set, o)
			}
		}
	}
	if len(set) == 0 {
		return false
	}
	sets := func(p place, _ bool) bool {
		return slices.ContainsFunc(set, func(o *op) bool { return p.inst == o.inst && p.step == o.step })
	}
	for _, o := range a.ops[g] {
		if !o.joins {
			continue
		}
		w := a.newWalk()
		w.forbids(sets, set)
		for _, t := range a.threadsOf(o.inst) {
			w.fromEntry(t)
		}
		if w.run().reachesOp(o) {
			return false
		}
	}
	return true
}
