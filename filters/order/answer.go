package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about objects that are sent to be worked on, and answer by a channel
// of their own:
//
//	c := &call{done: make(chan struct{}, 1)}
//	calls <- c             for c := range calls {
//	<-c.done                   c.result = …
//	use(c.result)              c.done <- struct{}{}
//	                       }
//
// Who has sent one does not have it until the answer has come; who answers does not
// have it any more. A WaitGroup in the object does as well: to say Done is an answer. That
// there is one answer to each sending is assumed (soundness: answered). The code has to show all else: that one side comes by the object through
// channels alone, and that neither side touches it while it is the other's.

// answered reports whether the two sides of r have the object in turns.
func (a *Analysis) answered(r *model.Race) bool {
	if len(a.answers()) == 0 {
		return false
	}
	b := a.withMedia()
	b.fuel, b.floor = a.fuel, a.floor
	defer func() { a.fuel = b.fuel }()
	ra, oka := b.inTurn(r.A)
	rb, okb := b.inTurn(r.B)
	return oka && okb && (ra || rb)
}

// answers lists the operations by which a thread gives an object back through a
// channel of the object, or its WaitGroup.
func (a *Analysis) answers() []*op {
	if a.answerOps == nil {
		a.answerOps = []*op{}
		for _, o := range a.allOps {
			if isTell(o) && o.path.Known() && o.path.Loads() || o.lib == library.OpWGDone && ofWhole(o.path) {
				a.answerOps = append(a.answerOps, o)
			}
		}
	}
	return a.answerOps
}

// ofWhole reports whether a path leads to a part of an object that is no object itself.
func ofWhole(p flow.Path) bool {
	return p.Known() && p.Sels != "" && !flow.Through(p.Sels)
}

// inTurn reports whether an access goes to a part of an object that the thread has made
// or been given, and does not come where it has given it away; received tells that it
// has come by the object through a channel or a pool.
func (a *Analysis) inTurn(m *model.Access) (received, ok bool) {
	x := a.accessOf(m)
	if v, known := a.turns[x.touch()]; known {
		return v.received, v.owned
	}
	received, ok = a.inTurnNow(x)
	if a.turns == nil {
		a.turns = make(map[touch]ownership)
	}
	a.turns[x.touch()] = ownership{received, ok}
	return received, ok
}

func (a *Analysis) inTurnNow(x access) (received, ok bool) {
	return a.hasTurn(pta.Site{Inst: x.inst, At: x.at}, a.useRootsOf(x))
}

// hasTurn is inTurn for what uses the object at a site, by its roots.
func (a *Analysis) hasTurn(at pta.Site, uses []rooted) (received, ok bool) {
	if len(uses) == 0 || len(uses) >= maxRoots {
		return false, false
	}
	received = true
	for _, use := range uses {
		made, ok := (flow.Path{Root: use.root}).Made()
		if !ok || use.started || strings.Contains(use.sels, "*") {
			return false, false
		}
		from, ok := a.taken(pta.Site{Inst: use.Inst, At: made}, maxTaken)
		if !ok {
			return false, false
		}
		for _, r := range from {
			for _, s := range a.handedOver(r) {
				if !a.sentInTurn(s) {
					return false, false
				}
			}
		}
		received = received && len(from) > 0
	}
	for _, o := range a.handOvers() {
		if given := a.putRootsOf(o); a.touchesGiven(at, uses, o, given) || a.touchesRest(uses, o, given) {
			return false, false
		}
	}
	for _, o := range a.answers() {
		if a.touchesGiven(at, uses, o, a.roots(o.inst, flow.Path{Root: o.path.Root}, o.site)) {
			return false, false
		}
	}
	return received, true
}

// sentInTurn reports whether a send is of an object that its thread has. What goes
// round in a circle of threads came into it by one that made it.
func (a *Analysis) sentInTurn(s *op) bool {
	if v, known := a.sentTurns[s.id]; known {
		return v
	}
	if a.sentTurns == nil {
		a.sentTurns = make(map[int32]bool)
	}
	a.sentTurns[s.id] = true
	_, ok := a.hasTurn(pta.Site{Inst: s.inst, At: s.site}, a.putRootsOf(s))
	a.sentTurns[s.id] = ok
	return ok
}

// touchesGiven reports whether what uses an object at a site may come after o, which
// gives away an object with some roots, with no answer in between.
func (a *Analysis) touchesGiven(at pta.Site, uses []rooted, o *op, given []rooted) bool {
	for _, g := range given {
		if strings.Contains(g.sels, "*") {
			continue // something else that the object leads to
		}
		for _, use := range uses {
			if a.copyOf(g.Inst) != a.copyOf(use.Inst) || g.root != use.root && !a.derived(use.Inst, use.root, g.root) {
				continue
			}
			if g.started {
				return true
			}
			if w := a.untilAnswerOf(o, g, noThread); w.reaches(use.Inst, use.At) && w.reaches(at.Inst, at.At) {
				return true // and what is called there may not have waited first
			}
			if g.Inst == o.inst || g.Site != use.Site {
				continue
			}
			// One call does both.
			for _, c := range a.in.CalleesAt(g.Inst, g.At) {
				if a.untilAnswerOf(o, g, c).reaches(at.Inst, at.At) {
					return true
				}
			}
		}
	}
	return false
}

// touchesRest is touchesGiven for another value, which is cut from the object, grown or chosen:
// buf = buf[:0]. Whether it still is the object depends on the way; that is known in the
// frame of o.
func (a *Analysis) touchesRest(uses []rooted, o *op, given []rooted) bool {
	after, _ := o.f.AfterGone(o.site, o.k)
	for _, g := range given {
		if strings.Contains(g.sels, "*") || g.started {
			continue
		}
		for _, use := range uses {
			if a.copyOf(use.Inst) != a.copyOf(g.Inst) || use.root == g.root {
				continue
			}
			rest := slices.Contains(after, use.At)
			if g.Inst != o.inst {
				rest = a.oneWeb(g.Inst, use.root, g.root)
			}
			if rest && a.untilAnswer(o, g, noSite, noThread).reaches(use.Inst, use.At) {
				return true
			}
		}
	}
	return false
}

// oneWeb reports whether two roots of a frame may come from one instruction.
func (a *Analysis) oneWeb(i pta.InstID, x, y string) bool {
	leaves := func(root string) []ssair.Instr {
		at, made := (flow.Path{Root: root}).Made()
		if !made {
			return nil
		}
		if from, web := a.w.Flow(i).Leaves(at); web {
			return from
		}
		return []ssair.Instr{at}
	}
	from := leaves(x)
	return slices.ContainsFunc(leaves(y), func(at ssair.Instr) bool { return slices.Contains(from, at) })
}

// untilAnswerOf is untilAnswer for an object that is made where its root is.
func (a *Analysis) untilAnswerOf(o *op, g rooted, in pta.InstID) *walk {
	at, _ := flow.Path{Root: g.root}.Made()
	return a.untilAnswer(o, g, pta.Site{Inst: a.copyOf(g.Inst), At: at}, in)
}

// untilAnswer returns the walk from the call by which o gives away an object to where
// the object is made anew, or answers; from o itself to the end of a function that is
// called there, if one is given.
func (a *Analysis) untilAnswer(o *op, g rooted, birth pta.Site, in pta.InstID) *walk {
	key := walkKey{kind: 'a', inst: g.Inst, op: o.id, site: g.At, own: birth}
	if in != noThread {
		key.kind, key.inst = 'b', in
	}
	return a.kept(key, func() *walk {
		w := a.newWalk()
		w.birth, w.within = birth, in
		w.avoid = func(p place, _ bool) bool { return a.takesAnswer(p, g) }
		if in != noThread || g.Inst == o.inst {
			return w.startAfter(o).run()
		}
		return w.fromSite(g.Site).run()
	})
}

// takesAnswer reports whether a place is a receive from a channel of an object, or a wait
// for its WaitGroup.
func (a *Analysis) takesAnswer(p place, g rooted) bool {
	of := func(at ssair.Instr, part flow.Path) bool {
		found := false
		for _, r := range a.roots(p.inst, flow.Path{Root: part.Root}, at) {
			if a.copyOf(r.Inst) != a.copyOf(g.Inst) {
				continue
			}
			if r.root != g.root || r.started {
				return false // of another one here
			}
			found = true
		}
		return found
	}
	answers := func(at ssair.Instr, ch flow.Path) bool { return ch.Known() && ch.Loads() && of(at, ch) }
	if p.step >= 0 {
		st := &p.f.Steps[p.step]
		if len(st.Args) == 0 {
			return false
		}
		q := p.f.Path(st.Args[0])
		switch {
		case st.Kind == flow.Recv:
			return answers(st.Site, q) && !a.oneForAll(p.inst, st.Site, 0)
		case st.Kind == flow.Sync && st.Op == library.OpWGWait:
			return ofWhole(q) && of(st.Site, q) && !a.oneForAll(p.inst, st.Site, 0)
		}
		return false
	}
	for i := range p.f.Blocks[p.block].Succs[p.edge].Events {
		ev := &p.f.Blocks[p.block].Succs[p.edge].Events[i]
		if ev.Kind == flow.CaseTaken && !ev.Send && answers(ev.Site, p.f.Path(ev.Path)) && !a.oneForAll(p.inst, ev.Site, ev.Operand) {
			return true
		}
	}
	return false
}

// oneForAll reports whether iterations receive by an operation from one channel that is
// Main's: what one of them gets there may be the answer to another. What comes out of a
// pool with the object is not.
func (a *Analysis) oneForAll(i pta.InstID, at ssair.Instr, k int) bool {
	if a.w.Thread(i) == model.Main {
		return false
	}
	return slices.ContainsFunc(a.operand(i, at, k), func(l pta.Loc) bool {
		o := a.w.Object(l)
		if o.Made != model.Main || o.Many || o.Canon != l {
			return false
		}
		by, ok := a.w.PassedBy(o.Object, a.media())
		return !ok || len(by) == 0
	})
}
