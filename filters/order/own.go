package order

import (
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// bothOwned is the rule for ownership by message (M): an object that threads
// hand on through channels belongs, between a receive or its allocation and
// the next send, to one thread alone. Both sides must reach the object so, and
// nobody may send it twice (soundness: sent-once).
func (a *Analysis) bothOwned(x, y access) bool {
	rx, okx := a.owned(x)
	if !okx {
		return false
	}
	ry, oky := a.owned(y)
	return oky && (rx || ry)
}

// owned reports whether x's thread owns the object at x; received tells that
// it came by message.
func (a *Analysis) owned(x access) (received, ok bool) {
	k := ownedKey{pta.Site{Inst: x.inst, At: x.at}, x.inst, a.addr(x)}
	return a.ownedAs(k)
}

// ownedAs is owned for what a path of a frame refers to when an instruction is
// run.
func (a *Analysis) ownedAs(k ownedKey) (received, ok bool) {
	if v, ok := a.ownership[k]; ok {
		return v.received, v.owned
	}
	received, ok = a.ownedNow(accessAt(k.Site), k.frame, k.path)
	a.ownership[k] = ownership{received, ok}
	return received, ok
}

type ownedKey struct {
	pta.Site
	frame pta.InstID
	path  flow.Path
}

type ownership struct{ received, owned bool }

func (a *Analysis) ownedNow(x access, frame pta.InstID, p flow.Path) (received, ok bool) {
	if !p.Known() || p.Base().Loads() {
		return false, false
	}
	i, q, ok := a.origin(frame, p.Base(), 0)
	if !ok || q.Loads() {
		return false, false
	}
	root, _ := q.Made()
	f := a.w.Flow(i)
	if f == nil || !a.sameThread(i, x.inst) {
		return false, false // captured at the spawn: shared from the start
	}
	src := pta.Site{Inst: i, At: root}
	from, ok := a.taken(src, maxTaken)
	if !ok || !a.sendOwn(from) || a.usedAfterGiving(i, x) {
		return false, false
	}
	if _, web := f.Leaves(root); web {
		return len(from) > 0, !a.givenBelow(src)
	}
	return len(from) > 0, a.handsOnOnce(src, flow.Path{Root: q.Root}, x)
}

// sendOwn reports whether what others give away to these takings is theirs to
// give.
func (a *Analysis) sendOwn(from []*op) bool {
	for _, r := range from {
		for _, s := range a.handedOver(r) {
			if !a.sendsOwn(s) {
				return false
			}
		}
	}
	return true
}

// sameThread reports whether one thread runs both instances. One that starts itself again
// is several under one name.
func (a *Analysis) sameThread(i, j pta.InstID) bool {
	s, ok := a.sole(i)
	t, ok2 := a.sole(j)
	return ok && ok2 && s == t && !a.startedBy(s, s)
}

// receivedFrom returns the receive whose value is made at the site.
func (a *Analysis) receivedFrom(s pta.Site) *op {
	f := a.w.Flow(s.Inst)
	at := f.ReceiveOf(s.At)
	for _, o := range a.opsIn(s.Inst) {
		if o.kind == opRecv && o.site == at {
			return o
		}
	}
	return a.gotFrom(s)
}

// handsOnOnce reports whether x, which reaches what src yields, comes after no
// send of it, and nothing else is spawned with it on the way.
func (a *Analysis) handsOnOnce(src pta.Site, root flow.Path, x access) bool {
	for _, o := range a.handOvers() {
		if !a.handsOver(o, src, root) {
			continue
		}
		w := a.newWalk()
		w.birth = src
		if w.startAfter(o).run().reaches(x.inst, x.at) {
			return false
		}
	}
	return true
}

// sendsOwn reports whether send s sends what its frame has made, or received from
// others that do so, and not twice. What goes round in a circle of threads came
// into it by one that made it.
func (a *Analysis) sendsOwn(s *op) bool {
	v, ok := a.sends[s.id]
	if !ok {
		a.sends[s.id] = true
		v = a.sendsOwnNow(s)
		a.sends[s.id] = v
	}
	return v
}

func (a *Analysis) sendsOwnNow(s *op) bool {
	if !s.value.Known() || s.value.Sels != "" {
		return false
	}
	i, p, ok := a.origin(s.inst, s.value, 0)
	if !ok || p.Sels != "" || !a.sameThread(i, s.inst) {
		return false
	}
	at, _ := p.Made()
	src := pta.Site{Inst: i, At: at}
	from, ok := a.taken(src, maxTaken)
	if !ok || !a.sendOwn(from) {
		return false
	}
	if _, web := a.w.Flow(i).Leaves(at); web {
		return a.webSent(src, s)
	}
	w := a.newWalk()
	w.birth = src
	w.startAfter(s).run()
	for _, o := range a.handOvers() {
		if a.handsOver(o, src, flow.Path{Root: p.Root}) && w.reachesOp(o) {
			return false
		}
	}
	return true
}
