package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a function literal that tells who has made it that it is done:
//
//	done := make(chan struct{})
//	h.ops <- func(h *hub) { n = len(h.list); close(done) }
//	<-done
//	return n
//
// Who runs it runs others, too, and comes by the same code again: but for others' variables. The
// run of the function that makes the channel is that which makes n, and the literal. It may be a
// wait group, too.

// A reply is a channel or a wait group that a run of a function makes, and by which a literal that
// this run makes alone tells that it has come past an access.
type reply struct {
	inst pta.InstID  // see copyOf
	made ssair.Instr // where the channel or the group is
}

// replies reports whether an operation may tell someone that something is over, and whether it
// is one that goes wrong if it is done twice: a panic, which is not followed (soundness: panic-paths).
func (o *op) replies() (yes, once bool) {
	once = o.kind == opClose || o.lib == library.OpWGDone
	return once || o.kind == opSend && o.lib == library.OpNone, once
}

// repliesTo lists the replies of the literal that does y, which is made at sites of copies of one
// instance. They are not sure if the literal may run twice (soundness: answered).
func (a *Analysis) repliesTo(y literalAccess, made []pta.Site) (out []reply, sure bool) {
	if slices.ContainsFunc(a.in.Callers(y.literal), a.in.IsSpawn) {
		return nil, false // what waits for goroutines has rules of its own
	}
	f := a.w.Flow(y.literal)
	sure = true
	for _, o := range a.allOps {
		if yes, _ := o.replies(); !yes || o.inst != y.literal || o.step < 0 {
			continue
		}
		at, ok := a.madeWith(o, made)
		re := reply{a.copyOf(made[0].Inst), at}
		if !ok || slices.Contains(out, re) {
			continue
		}
		told, once := true, true
		for _, r := range a.allOps {
			yes, fails := r.replies()
			if !yes && !(r.lib == library.OpWGAdd && (!r.has || r.delta <= 0)) || !a.inCommon(r.locs, o.locs) {
				continue
			}
			if c, ok := a.madeWith(r, made); r.f.Name != f.Name || r.step < 0 || !ok || c != at || !tellsOf(f, r, y) {
				told = false
				break
			}
			once = once && fails && !slices.ContainsFunc(y.gaps(f), func(g flow.Gap) bool { return f.Returns(g, r.site) })
		}
		if told && !once {
			var proven bool
			told, proven = a.runsOnce(y.literal, made)
			sure = sure && proven
		}
		if told {
			out = append(out, re)
		}
	}
	return out, sure
}

// tellsOf reports whether the literal f does not come to y any more when it has done r.
func tellsOf(f *flow.Func, r *op, y literalAccess) bool {
	return !slices.ContainsFunc(y.gaps(f), func(g flow.Gap) bool { return f.Reaches(f.AfterStep(r.step), g, -1, -1) })
}

// gaps are where the literal, whose skeleton is f, comes to the access.
func (y literalAccess) gaps(f *flow.Func) (out []flow.Gap) {
	for _, at := range y.at {
		out = append(out, f.Gaps(at)...)
	}
	return out
}

// afterNext lists what comes after the next step after a literal was made, or where its block ends, as with the select
// that sends it.
func afterNext(f *flow.Func, made ssair.Instr, next int32) (out []flow.Gap) {
	if next >= 0 {
		return []flow.Gap{f.AfterStep(next)}
	}
	blk := &f.Blocks[f.BlockOf(f.GapOf(made))]
	for k := range blk.Succs {
		if e := &blk.Succs[k]; !e.Dead {
			out = append(out, f.First(e.To))
		}
	}
	return out
}

// madeWith returns where the run of a function that makes a literal makes the channel on which
// the literal does o, anew before it makes the literal again, or the group, to which it has added by
// then.
func (a *Analysis) madeWith(o *op, made []pta.Site) (at ssair.Instr, ok bool) {
	if slices.ContainsFunc(o.locs, a.external) {
		return 0, false
	}
	for k, s := range made {
		g := a.w.Flow(s.Inst)
		up, known := g.UpCaptured(s.At, o.path)
		c, root := up.Made()
		if !known || !root || up.Sels != "" || !g.MakesMemory(c) || k > 0 && c != at {
			return 0, false
		}
		wait, next, added := ssair.Instr(-1), g.StepAfter(g.GapOf(s.At)), o.lib == library.OpNone
		for n := range g.Steps {
			if st := &g.Steps[n]; len(st.Args) > 0 && g.Path(st.Args[0]) == up {
				if waitsFor(st) && st.Site == st.At {
					wait = st.Site
				}
				added = added || st.Op == library.OpWGAdd && st.HasConst && st.Const > 0 && next >= 0 && g.Leads(int32(n), next)
			}
		}
		comesTo := func(to ssair.Instr) bool {
			return slices.ContainsFunc(afterNext(g, s.At, next), func(from flow.Gap) bool { return g.Reaches(from, g.GapOf(to), wait, -1) })
		}
		again := o.lib == library.OpNone && comesTo(s.At) // and one reply may be either's
		if !added || again || comesTo(c) {
			return 0, false
		}
		at = c
	}
	return at, true
}

// waitsFor reports whether a step may wait for a reply.
func waitsFor(st *flow.Step) bool {
	return st.Kind == flow.Recv || st.Kind == flow.Sync && st.Op == library.OpWGWait
}

// receives reports whether a place waits for one of some replies, in the run that makes the channel.
func (a *Analysis) receives(p place, replies []reply) bool {
	of := func(id flow.PathID) bool {
		c, ok := p.f.Path(id).Made()
		return ok && p.f.Path(id).Sels == "" && slices.Contains(replies, reply{a.copyOf(p.inst), c})
	}
	if p.step >= 0 {
		st := &p.f.Steps[p.step]
		return waitsFor(st) && !st.Optional && len(st.Args) > 0 && of(st.Args[0])
	}
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		return ev.Kind == flow.CaseTaken && !ev.Send && of(ev.Path)
	})
}

// runsOnce reports whether each literal that is made runs once at most: it is only sent, once, and
// what is received is called once. If it is handed on otherwise it may be so as long as the code
// does not show that it is used, or called, twice.
func (a *Analysis) runsOnce(literal pta.InstID, made []pta.Site) (may, sure bool) {
	sure = true
	for _, s := range made {
		g := a.w.Flow(s.Inst)
		c := g.ClosureAt(s.At)
		if c == nil || c.Used < 0 {
			return false, false
		}
		steps := g.StepsAt(c.Used)
		sure = sure && len(steps) == 1 && g.Steps[steps[0]].Kind == flow.Send
		for _, k := range steps {
			if g.BeforeStep(k) != g.GapOf(s.At) && g.Reaches(g.AfterStep(k), g.BeforeStep(k), -1, g.GapOf(s.At)) {
				return false, false
			}
		}
	}
	callers := a.in.Callers(literal)
	for _, call := range callers {
		h := a.w.Flow(call.Inst)
		if h == nil {
			return false, false
		}
		for _, k := range h.StepsAt(call.At) {
			from, known := a.yieldedBy(call, &h.Steps[k])
			sure = sure && known
			w := a.newWalk()
			w.avoid = func(p place, _ bool) bool { return receivesAt(p, from) }
			w.toward(from.Inst)
			w.fromStep(call.Inst, k).run()
			if slices.ContainsFunc(callers, func(c pta.Site) bool { return w.reaches(c.Inst, c.At) }) {
				return false, false
			}
		}
	}
	return len(callers) > 0, sure
}

// yieldedBy returns the receive, or the select, that yields the function which a call runs; where
// that is not known, the function that calls stands for it, and any receive there.
func (a *Analysis) yieldedBy(call pta.Site, st *flow.Step) (recv pta.Site, known bool) {
	i, p, ok := a.origin(call.Inst, a.w.Flow(call.Inst).Callee(st), 0)
	at, root := p.Made()
	if ok && root && p.Sels == "" {
		s := pta.Site{Inst: i, At: a.w.Flow(i).ReceiveOf(at)}
		if slices.ContainsFunc(a.opsIn(i), func(o *op) bool { return o.kind == opRecv && o.site == s.At }) {
			return s, true
		}
	}
	return pta.Site{Inst: call.Inst, At: ssair.NoInstr}, false
}

// receivesAt reports whether a place is that of a receive, or of a case of a select; of any in its
// function where the site does not say which.
func receivesAt(p place, s pta.Site) bool {
	is := func(at ssair.Instr) bool { return p.inst == s.Inst && (s.At == ssair.NoInstr || s.At == at) }
	if p.step >= 0 {
		return p.f.Steps[p.step].Kind == flow.Recv && is(p.f.Steps[p.step].Site)
	}
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		return ev.Kind == flow.CaseTaken && !ev.Send && is(ev.Site)
	})
}
