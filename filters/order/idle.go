package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// Most steps and edges await nothing whatever the class: they work on objects
// that are not useful, or test what may have been so all along. That is decided
// once for each of them and not for each class, and functions that hold nothing
// else need not be walked through, see interior.go.

// idle reports whether no class makes decide say yes at a place.
func (a *Analysis) idle(p place) bool {
	fr := a.frameOf(p.inst)
	var v *answer
	if p.step >= 0 {
		v = &fr.idleStep[p.step]
	} else {
		v = &fr.idleEdge[fr.edge[p.block]+p.edge]
	}
	if *v == unasked {
		if p.step >= 0 {
			*v = answerOf(a.idleStep(p.inst, p.f, p.step))
		} else {
			*v = answerOf(a.idleEdge(p))
		}
	}
	return *v == yes
}

func (a *Analysis) idleStep(i pta.InstID, f *flow.Func, s int32) bool {
	st := &f.Steps[s]
	switch st.Kind {
	case flow.Recv:
		return len(f.Chains) == 0 && a.useless(i, st.Site, 0)
	case flow.Send:
		return a.useless(i, st.Site, 0)
	case flow.Parallel:
		return false
	case flow.Call:
		if st.Op == library.OpOnce || st.Op == library.OpBubble {
			return false
		}
		waits := false
		if a.mayBeOneOfSeveral(i, st) {
			return false
		}
		for _, c := range a.in.Callees(i, f, s) {
			lib := a.w.Library(c)
			waits = waits || lib != nil && (lib.Op == library.OpWGWait || lib.Op == library.OpJoin)
		}
		return !waits || a.useless(i, st.Site, 0)
	case flow.Sync:
		switch st.Op {
		case library.OpWGWait, library.OpJoin:
			return a.useless(i, st.Site, 0)
		case library.OpSemAcquire:
			return a.useless(i, st.Site, 0) || !a.succeeds(i, st)
		case library.OpTimerStop:
			return !a.bold
		case library.OpBubbleWait:
			return false
		}
	}
	return true
}

func (a *Analysis) idleEdge(p place) bool {
	i, f, e := p.inst, p.f, &p.f.Blocks[p.block].Succs[p.edge]
	for k := range e.Events {
		if ev := &e.Events[k]; !a.idleEvent(i, ev) || ev.Kind == flow.Tallied && a.mayTell(p, ev) {
			return false
		}
	}
	if e.Counts == 0 {
		return true
	}
	l := &f.Loops[e.Counts-1]
	return len(a.elementOps(i, f, e.Counts-1)) == 0 && len(a.eachCalls[frameLoop{i, e.Counts - 1}]) == 0 && !slices.ContainsFunc(a.opsIn(i), func(o *op) bool {
		return (o.kind == opRecv || o.kind == opSend) && l.Has(a.blockOf(o)) && !a.useless(i, o.site, o.k)
	})
}

func (a *Analysis) idleEvent(i pta.InstID, ev *flow.Event) bool {
	switch ev.Kind {
	case flow.CaseTaken, flow.RecvSent, flow.RecvClosed, flow.Since:
		return a.useless(i, ev.Site, ev.Operand)
	case flow.FlagTest:
		// What it yields may have been there all along: the zero value, if nothing counts down to it.
		return ev.Op != library.OpAtomicAdd && ev.Allows(0) && !a.countedDown(i, ev.Site) || a.useless(i, ev.Site, ev.Operand)
	case flow.Returned:
		return ev.Op != library.OpSemAcquire || flow.Outcome(ev.Const) != flow.Zero || a.useless(i, ev.Site, 0)
	case flow.PlainTest:
		cell, ok := a.tests[pta.Site{Inst: i, At: ev.Site}]
		return !ok || ev.Allows(0) && !slices.ContainsFunc(a.flags[cell], lowers)
	case flow.CountTest:
		_, ok := a.tests[pta.Site{Inst: i, At: ev.Site}]
		return !ok && a.useless(i, ev.Site, ev.Operand)
	case flow.Prevented:
		return false
	}
	return true
}

// countedDown reports whether something counts down the atomic that an operation works on.
func (a *Analysis) countedDown(i pta.InstID, at ssair.Instr) bool {
	return slices.ContainsFunc(a.operand(i, at, 0), func(l pta.Loc) bool { return slices.ContainsFunc(a.ops[l], lowers) })
}

// useless reports whether an operand is none of the objects by which an access
// may be awaited.
func (a *Analysis) useless(i pta.InstID, at ssair.Instr, k int) bool {
	return !slices.ContainsFunc(a.operand(i, at, k), func(l pta.Loc) bool { return a.useful[l] })
}

// opsIn returns the operations of an instance itself.
func (a *Analysis) opsIn(i pta.InstID) []*op {
	if a.opsByInst == nil {
		a.opsByInst = make(map[pta.InstID][]*op)
		for _, o := range a.allOps {
			a.opsByInst[o.inst] = append(a.opsByInst[o.inst], o)
		}
	}
	return a.opsByInst[i]
}
