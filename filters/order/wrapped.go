package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"

	"github.com/iterace/iterace/pta"
)

// This file is the rule of replied.go for a function literal that another one runs, which tells of it:
//
//	func (h *hub) do(f func()) {
//		done := make(chan struct{})
//		h.ops <- func() { f(); close(done) }
//		<-done
//	}
//
//	h.do(func() { n = len(h.list) })
//	return n
//
// The literal that tells has captured the other one, from the function that has made both, or from
// one that was called with it. So it is made by the very run that has made the variable, or by a call of
// that run, which does not return before it has been told.

// A wrapping is a literal that runs another one: as an access to the other's variables, and where it is
// made with that.
type wrapping struct {
	as   literalAccess
	made []pta.Site
}

// overWhenWrapped reports whether x, of the run that makes a literal, comes after what tells that the
// literal, in which y is, was run, or before that is made. It is not sure if it may run again.
func (a *Analysis) overWhenWrapped(x, y access, literals []pta.InstID) (apart, sure bool) {
	z, ok := a.inLiteral(y, literals)
	if !ok {
		return false, false
	}
	made := slices.Clone(a.makings(z.literal))
	if !a.captures(x, y, z, made) {
		return false, false
	}
	made = slices.DeleteFunc(made, func(s pta.Site) bool { return a.copyOf(s.Inst) != x.own.Inst })
	if !a.byMakers(x.inst, made) {
		return false, false
	}
	for range maxNested {
		ws, ok := a.wrappings(literals, made)
		if !ok || slices.ContainsFunc(made, func(s pta.Site) bool { return s.Inst == x.inst && a.handsOn(s, x.at) }) {
			return false, false
		}
		literals, made = nil, nil
		for _, w := range ws {
			literals, made = append(literals, w.as.literal), append(made, w.made...)
		}
		if replies, sure := a.repliesToAll(ws, x.own.Inst); len(replies) > 0 {
			return !a.afterMakings(made, y, x.own, noThread, replies).reaches(x.inst, x.at), sure
		}
	}
	return false, false
}

// wrappings lists the literals that run literals of one name, as they are made at some sites. All that
// runs these must be such.
func (a *Analysis) wrappings(literals []pta.InstID, made []pta.Site) (ws []wrapping, ok bool) {
	for _, l := range literals {
		for _, c := range a.in.Callers(l) {
			k := slices.IndexFunc(ws, func(w wrapping) bool { return w.as.literal == c.Inst })
			if k >= 0 {
				ws[k].as.at = append(ws[k].as.at, c.At)
			}
			sites, ok := a.wrappedAt(c, a.w.Flow(l).Name, made)
			if !ok || len(ws) > maxLiterals {
				return nil, false
			}
			if k < 0 && len(sites) > 0 {
				ws = append(ws, wrapping{literalAccess{literal: c.Inst, at: []ssair.Instr{c.At}}, sites})
			}
		}
	}
	return ws, len(ws) > 0
}

// wrappedAt lists where the literal that does a call is made with one of a name that was made at some sites,
// and is what it calls.
func (a *Analysis) wrappedAt(call pta.Site, name string, made []pta.Site) (out []pta.Site, ok bool) {
	f := a.w.Flow(call.Inst)
	if f == nil || enclosing(f.Name) == "" || a.in.IsSpawn(call) {
		return nil, false
	}
	steps := f.StepsAt(call.At)
	if len(steps) != 1 {
		return nil, false
	}
	for _, s := range a.makings(call.Inst) {
		up, ok := a.w.Flow(s.Inst).UpCaptured(s.At, f.Callee(&f.Steps[steps[0]]))
		if !ok {
			return nil, false
		}
		from, ok := a.in.Makers(s.Inst, up, name)
		if !ok {
			return nil, false
		}
		if slices.ContainsFunc(from, func(m pta.Site) bool { return slices.Contains(made, m) }) {
			out = append(out, s)
		}
	}
	return out, true
}

// repliesToAll lists the replies of all of some literals, which are waited for before what makes the
// literal returns, but for the run that makes the variable itself.
func (a *Analysis) repliesToAll(ws []wrapping, run pta.InstID) (out []reply, sure bool) {
	sure = true
	for _, w := range ws {
		for _, s := range w.made {
			replies, proven := a.repliesTo(w.as, []pta.Site{s})
			if len(replies) == 0 || a.copyOf(s.Inst) != run && a.returnsUntold(s, replies) {
				return nil, false
			}
			sure = sure && proven
			for _, r := range replies {
				if !slices.Contains(out, r) {
					out = append(out, r)
				}
			}
		}
	}
	return out, sure
}

// returnsUntold reports whether the function that makes a literal may return before it has one of
// some replies.
func (a *Analysis) returnsUntold(s pta.Site, replies []reply) bool {
	w := a.newWalk()
	w.within = s.Inst
	w.avoid = func(p place, _ bool) bool { return a.receives(p, replies) }
	w.lookAt()
	w.fromMaking(s)
	return w.run().reachesExit(s.Inst)
}
