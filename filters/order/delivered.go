package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what a goroutine hands on when it is done with it:
//
//	for _, t := range tasks {
//		go func() {
//			t.err = t.run()
//			done <- t
//		}()
//	}
//	for range tasks {
//		t := <-done
//		use(t.err)
//	}
//
// Whoever has an object from a channel finds it as the sender has left it, whichever iteration
// that was, if nobody but the other access's thread sends that object, and it does so after the
// access. Which thread sends which object is a question to points-to.

// A delivery says how sure it is that an object is sent when an access to it is over.
type delivery int

const (
	notDelivered delivery = iota
	mayBeDelivered
	sentOnce // unless two iterations send one object (soundness: sent-once)
	delivered
)

// delivered tells whether y has the object of a race from a channel on which x's thread alone
// sends it, and only when x is over. Where the other iteration's copy of x's thread may send the object in
// the same place, it is not known to be one thread, but each sends what it has written: if the two meet at
// that, the race between them is told, and if nothing shows that, nothing shows that the object is sent twice.
func (a *Analysis) delivered(r *model.Race, x, y access) delivery {
	t, ok := a.sole(x.inst)
	if !ok || a.sameThread(x.inst, y.inst) || a.multi(t, noSite) {
		return notDelivered
	}
	from := a.receivesOf(y)
	known := notDelivered
	twins := false
	itself := true // sends the pointer by which x has the object
	for _, get := range from {
		for _, s := range a.handedOver(get) {
			if !a.w.MaySend(pta.Site{Inst: s.inst, At: s.site}, r.Object) {
				continue
			}
			by, ok := a.sole(s.inst)
			if ok && by != t && r.B.Thread == model.Main && a.twins(t, by) {
				twins = true
				continue
			}
			if !ok || by != t || a.newWalk().startAfter(s).run().reaches(x.inst, x.at) {
				return notDelivered
			}
			known, itself = delivered, itself && a.sendsOf(s, x)
		}
	}
	if known == notDelivered || !twins {
		return known
	}
	switch meet := a.meetsItself(r); {
	case !itself || r.A.Kind != model.Write || meet == model.Definite:
		return notDelivered
	case meet == model.Likely:
		return mayBeDelivered
	case len(a.locksets.At(r.A)) > 0:
		return notDelivered // a lock may be why they do not meet
	}
	return sentOnce
}

// sendsOf reports whether a send is of the pointer by which an access has its object.
func (a *Analysis) sendsOf(s *op, x access) bool {
	by := a.addr(x).Pointer()
	if s.inst == x.inst && by.Known() && by == s.value {
		return true
	}
	i, p, okP := a.origin(x.inst, by, 0)
	j, q, okQ := a.origin(s.inst, s.value, 0)
	return okP && okQ && i == j && p == q
}

// meetsItself returns the highest confidence of a race of two iterations at the object of a race, by the
// first access of each.
func (a *Analysis) meetsItself(r *model.Race) (most model.Confidence) {
	f := a.w.Flow(pta.InstID(r.A.Inst))
	for _, o := range a.set.Races {
		if o.B.Thread == model.Beta && o.Object == r.Object && o.A.Instr == r.A.Instr && o.B.Instr == r.A.Instr &&
			a.w.Flow(pta.InstID(o.A.Inst)) == f && a.w.Flow(pta.InstID(o.B.Inst)) == f {
			most = max(most, o.Confidence)
		}
	}
	return most
}

// twins reports whether two threads are an iteration and what stands for any other one.
func (a *Analysis) twins(t, u pta.InstID) bool {
	return a.w.Thread(t) != model.Main && a.w.Thread(u) != model.Main && a.w.Thread(t) != a.w.Thread(u) &&
		a.w.Flow(t) != nil && a.w.Flow(t) == a.w.Flow(u) &&
		slices.Contains(a.w.Bodies(a.w.Thread(t)), t) && slices.Contains(a.w.Bodies(a.w.Thread(u)), u)
}

// receivesOf lists the receives from which the pointer of an access is, if it is that alone.
func (a *Analysis) receivesOf(y access) []*op {
	p := a.addr(y)
	if !p.Known() || p.Base().Loads() {
		return nil
	}
	i, q, ok := a.origin(y.inst, p.Base(), 0)
	if !ok || flow.Through(q.Sels) {
		return nil
	}
	at, _ := q.Made()
	from, ok := a.taken(pta.Site{Inst: i, At: at}, maxTaken)
	if !ok {
		return nil
	}
	for _, get := range from {
		if get.kind != opRecv {
			return nil
		}
	}
	return from
}
