package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file finds races that are certain although the pointers of both accesses may lead
// to several objects: what the code does with one of them it does with that of the other,
//
//	func poll(c *client) { // called for many
//		go func() { c.n++ }()
//		c.n++
//	}
//
// since both have it from one value of a frame, or one is passed the same variable as the
// other.

// oneObject reports whether both accesses of a race have their pointer from one value of
// a frame, the other one by a call that may happen beside the iteration's.
func (a *Analysis) oneObject(r *model.Race) bool {
	x, y := pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)
	mine, theirs := a.origins(x, a.pointerOf(r.A)), a.origins(y, a.pointerOf(r.B))
	if len(mine) == 0 || len(theirs) == 0 {
		return false
	}
	return slices.ContainsFunc(theirs, func(o origin) bool {
		return slices.ContainsFunc(mine, func(m origin) bool { return m.value == o.value }) &&
			(o.call == noSite || a.overlap(r, access{x, ssair.Instr(r.A.Instr), noSite, noSite, 0}, access{o.call.Inst, o.call.At, noSite, noSite, 0}).overlap)
	})
}

// A value is a path in a frame, or anywhere if it is that of a package variable.
type value struct {
	inst pta.InstID
	path flow.Path
}

// An origin is a value that an access has its pointer from, and the first call of the
// access's own goroutine by which it is passed down; noSite if there is none.
type origin struct {
	value
	call pta.Site
}

// maxOrigins bounds the values that are looked at for one access.
const maxOrigins = 64

// origins lists the values that are passed down to a frame as a path of it, the nearest
// first. One that means another thing in each round of a loop is none.
func (a *Analysis) origins(i pta.InstID, p flow.Path) []origin {
	if !p.Known() {
		return nil
	}
	out := []origin{{value{i, p}, noSite}}
	for k := 0; k < len(out) && len(out) < maxOrigins; k++ {
		o := out[k]
		for _, c := range a.in.Callers(o.inst) {
			j, up, ok := a.in.Up(o.inst, c, o.path)
			if !ok {
				continue
			}
			if a.in.IsSpawn(c) {
				c = o.call
			}
			if n := (origin{value{j, up}, c}); !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	for k := range out {
		if out[k].path.Global() {
			out[k].inst = noThread
		}
	}
	return slices.DeleteFunc(out, func(o origin) bool {
		return o.inst != noThread && !(a.starting(o.inst) && a.steady(o.inst, o.path))
	})
}

// starting reports whether instance i starts iterations, or calls what does: one run of it
// is beside the other access. (What an iteration and others call is run anew by each.)
func (a *Analysis) starting(i pta.InstID) bool {
	if a.spawners == nil {
		a.spawners = new(idSet[pta.InstID])
		var work []pta.InstID
		for _, s := range a.spawns {
			work = append(work, s.Inst)
		}
		a.callersBy(a.spawners, work, func(s pta.Site) bool { return !a.in.IsSpawn(s) })
	}
	return a.spawners.has(i) && a.byMain(i)
}

// pointerOf is the path of the pointer by which an access goes to its object.
func (a *Analysis) pointerOf(x *model.Access) flow.Path {
	f := a.w.Flow(pta.InstID(x.Inst))
	if f == nil {
		return flow.Path{}
	}
	return f.Addr(ssair.Instr(x.Instr)).Pointer()
}

// steady reports whether a path means the same in all rounds of the loops of a frame.
func (a *Analysis) steady(i pta.InstID, p flow.Path) bool {
	f := a.w.Flow(i)
	return f != nil && !slices.ContainsFunc(p.Defined(), func(at ssair.Instr) bool { return f.Innermost(f.Block(at)) >= 0 })
}
