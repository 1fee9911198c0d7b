package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for two goroutines that are started as a pair and talk by channels that are made for them, where one tells
// others that it is done:
//
//	in, out := make(chan *job), make(chan *job)
//	go func() {
//		defer close(out)
//		for j := range in {
//			x(j)
//			out <- j
//		}
//	}()
//	go func() {
//		defer wg.Done()
//		for range rounds {
//			in <- j
//			<-out
//		}
//		close(in)
//		<-out
//	}()
//
// They are followed together, as in lockstep.go. If x cannot happen in any state in which the other one may come to the Done, nor in what
// follows, x is over when that happens.

// maxPairs bounds the pairs that a loop is looked at for.
const maxPairs = 12

// overByPair adds to over the operations of other threads that come only when x, of thread t, is over, by what t and they tell each other.
func (a *Analysis) overByPair(x access, t pta.InstID, over map[int32]bool) {
	for _, u := range a.pairsOf(t) {
		if a.doubtful {
			a.perhapsOverByPair(x, t, u, over)
			continue
		}
		k := a.pairOf(t, u)
		if k == nil {
			continue
		}
		for i, r := range k.sides[1].ops {
			if k.isFree(a, r) && !over[r.id] && !k.meets(x, int32(i)) {
				over[r.id] = true
			}
		}
	}
}

// pairsOf lists the threads that receive what a goroutine sends, or see that it closes a channel, and do something else that is of use.
func (a *Analysis) pairsOf(t pta.InstID) []pta.InstID {
	out, known := a.pairs[t]
	if known {
		return out
	}
	for _, o := range a.opsOf(t) {
		if !isTell(o) || len(a.spawnsOf(t)) != 1 {
			continue
		}
		for _, l := range o.locs {
			for _, r := range a.ops[l] {
				u, ok := a.sole(r.inst)
				if ok && r.kind == opRecv && u != t && len(a.spawnsOf(u)) == 1 && !slices.Contains(out, u) && len(out) < maxPairs {
					out = append(out, u)
				}
			}
		}
	}
	if a.pairs == nil {
		a.pairs = make(map[pta.InstID][]pta.InstID)
	}
	a.pairs[t] = out
	return out
}

// isFree reports whether an operation is on none of a talk's channels.
func (k *talk) isFree(a *Analysis, o *op) bool { return len(k.on(a, o)) == 0 }

// meets reports whether x, of a talk's first thread, may happen when the second one has done its n-th operation.
func (k *talk) meets(x access, n int32) bool {
	seen := make(map[talkState]bool)
	var work []talkState
	for s := range k.after {
		if k.sides[1].positions[s.at[1]].key.op == n {
			seen[s] = true
			work = append(work, s)
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if k.sides[0].positions[s.at[0]].walk.reaches(x.inst, x.at) {
			return true
		}
		for _, next := range k.after[s] {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// pairOf returns the talk of two goroutines that are started as a pair, nil if there is none.
func (a *Analysis) pairOf(t, u pta.InstID) *talk {
	key := [2]pta.InstID{t, u}
	k, known := a.talks[key]
	if !known {
		if k = a.findPair(t, u); k != nil && !a.follow(k) {
			k = nil
		}
		if a.talks == nil {
			a.talks = make(map[[2]pta.InstID]*talk)
		}
		a.talks[key] = k
	}
	return k
}

// findPair finds what two goroutines do to the channels that are theirs alone.
func (a *Analysis) findPair(t, u pta.InstID) *talk {
	s, p := a.spawnsOf(t)[0], a.spawnsOf(u)[0]
	m, ok := a.sole(s.Inst)
	if s.Inst != p.Inst || !ok || a.w.Thread(u) == other(a.w.Thread(t)) && a.w.Thread(u) != model.Main || len(a.spawnsOf(m)) > 0 && a.multi(m, noSite) {
		return nil
	}
	k := &talk{paired: true}
	k.sides[0].thread, k.sides[1].thread = t, u
	for i, v := range []pta.InstID{t, u} {
		for _, o := range a.allOps {
			if len(o.locs) != 1 || !a.isPlain(o) {
				continue
			}
			if w, ok := a.sole(o.inst); !ok || w != v || !a.isOfPair(o.locs[0], t, u, s, p) {
				continue
			}
			k.sides[i].ops = append(k.sides[i].ops, o)
			if c := (talkChan{o.locs[0], a.capacity(o.locs[0]), false}); !slices.Contains(k.chans, c) {
				k.chans = append(k.chans, c)
			}
		}
	}
	if len(k.sides[0].ops) == 0 || len(k.sides[1].ops) == 0 {
		return nil
	}
	for _, o := range a.opsOf(u) { // what it tells others
		if !slices.Contains(k.sides[1].ops, o) {
			k.sides[1].ops = append(k.sides[1].ops, o)
		}
	}
	if k.isTooMuch() {
		return nil
	}
	return k
}

// isOfPair reports whether a channel is made for one pair of goroutines, which are started at s and p, and nobody else has it.
func (a *Analysis) isOfPair(l pta.Loc, t, u pta.InstID, s, p pta.Site) bool {
	o := a.w.Object(l)
	if a.capacity(l) < 0 || a.isTimer(l) || a.external(l) || o.Part != 0 || indexed(o.Field) || o.Alloc.Inst < 0 || o.Alloc.At < 0 {
		return false
	}
	side := a.w.Thread(t)
	for _, r := range a.allOps {
		if !slices.ContainsFunc(r.locs, func(m pta.Loc) bool { return a.w.Object(m).Canon == o.Canon }) {
			continue
		}
		if side != model.Main && a.w.Thread(r.inst) == other(side) && !slices.Contains(r.locs, l) {
			continue // another round's
		}
		if v, ok := a.sole(r.inst); !ok || v != t && v != u || len(r.locs) != 1 || r.locs[0] != l || !a.isPlain(r) {
			return false
		}
	}
	return !a.comesRound(s, o.Alloc) && !a.comesRound(p, o.Alloc) && a.startedTogether(s, p, o.Alloc)
}

// startedTogether reports whether p starts a goroutine for each channel, made at an allocation, with which s starts one.
func (a *Analysis) startedTogether(s, p, made pta.Site) bool {
	f := a.w.Flow(s.Inst)
	if f == nil {
		return false
	}
	one := func(s pta.Site) (int32, bool) {
		steps := f.StepsAt(s.At)
		return append(steps, -1)[0], len(steps) == 1 && f.Steps[steps[0]].Kind == flow.Spawn && !f.Steps[steps[0]].Repeat && !f.Steps[steps[0]].Optional
	}
	k, ok := one(s)
	n, both := one(p)
	if !ok || !both {
		return false
	}
	// Before it, or else in any case after it.
	w := a.newWalk()
	w.avoid = func(at place, _ bool) bool { return at.inst == s.Inst && at.step == n }
	for _, i := range a.copiesOf(made.Inst) {
		w.fromGaps(pta.Site{Inst: i, At: made.At})
	}
	return !w.run().reachesStep(s.Inst, k) || !f.Returns(f.AfterStep(k), p.At) && !f.Reaches(f.AfterStep(k), f.BeforeStep(k), p.At, -1)
}

// perhapsOverByPair adds the operations of u that come only when it has received what t tells, if t, having told, comes to x only by
// a receive from what u sends to: as many may be received as were sent.
func (a *Analysis) perhapsOverByPair(x access, t, u pta.InstID, over map[int32]bool) {
	mine, theirs := a.opsOf(t), a.opsOf(u)
	starts := receivesFrom(mine, theirs, isTell)
	waits := a.heardOver(x, mine, theirs, starts, isTell)
	if len(waits) == 0 {
		return
	}
	w := a.newWalk()
	w.edges = true
	w.forbids(func(p place, _ bool) bool { return acquiredBy(p, waits, opRecv) || a.passesLoopOf(p, waits) }, waits)
	w.fromEntry(u).run()
	again := a.newWalk() // from where t is let go on, so that it has to be waited for again
	again.forbids(func(p place, _ bool) bool { return acquiredBy(p, waits, opRecv) }, waits)
	for _, s := range theirs {
		if isTell(s) && slices.ContainsFunc(starts, func(o *op) bool { return overlaps(o.locs, s.locs) }) {
			again.startAfter(s)
		}
	}
	again.run()
	for _, r := range theirs {
		if r.kind != opRecv && !w.reachesOp(r) && !again.reachesOp(r) {
			over[r.id] = true
		}
	}
}
