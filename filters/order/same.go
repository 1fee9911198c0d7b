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
// since both have it from one value of the frame that starts the goroutine, or of one that
// calls it.

// maxSameSteps bounds the calls that are followed for one race.
const maxSameSteps = 200

// sameObject reports whether both accesses of a race have their pointer from one value of
// a frame.
func (a *Analysis) sameObject(r *model.Race) bool {
	x, y := pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)
	p, q := a.pointerOf(r.A), a.pointerOf(r.B)
	steps := maxSameSteps
	for _, s := range a.spawns {
		i := s.Inst
		for range maxClimb {
			if from, ok := a.inFrame(x, p, i, &steps); ok && a.steady(i, from) {
				if to, ok := a.inFrame(y, q, i, &steps); ok && from == to {
					return true
				}
			}
			up, ok := a.onlyCaller(i)
			if !ok {
				break
			}
			i = up
		}
	}
	return false
}

// pointerOf is the path of the pointer by which an access goes to its object.
func (a *Analysis) pointerOf(x *model.Access) flow.Path {
	f := a.w.Flow(pta.InstID(x.Inst))
	if f == nil {
		return flow.Path{}
	}
	return f.Addr(ssair.Instr(x.Instr)).Pointer()
}

// onlyCaller returns the frame that calls instance i, if there is one call.
func (a *Analysis) onlyCaller(i pta.InstID) (pta.InstID, bool) {
	callers := a.in.Callers(i)
	if len(callers) != 1 {
		return 0, false
	}
	return callers[0].Inst, true
}

// inFrame translates a path of instance i to the frame from which it is called, at
// whatever depth; ok is false where not all calls have it from there, as one path.
func (a *Analysis) inFrame(i pta.InstID, p flow.Path, frame pta.InstID, steps *int) (out flow.Path, ok bool) {
	if *steps--; i == frame || !p.Known() || *steps < 0 {
		return p, i == frame && p.Known()
	}
	for _, c := range a.in.Callers(i) {
		j, up, ok := a.in.Up(i, c, p)
		if !ok {
			return flow.Path{}, false
		}
		if up, ok = a.inFrame(j, up, frame, steps); !ok || out.Known() && up != out {
			return flow.Path{}, false
		}
		out = up
	}
	return out, out.Known()
}

// steady reports whether a path means the same in all rounds of the loops of a frame.
func (a *Analysis) steady(i pta.InstID, p flow.Path) bool {
	f := a.w.Flow(i)
	return f != nil && !slices.ContainsFunc(p.Defined(), func(at ssair.Instr) bool { return f.Innermost(f.Block(at)) >= 0 })
}
