package order

import (
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

// delivered reports whether y has the object of a race from a channel on which x's thread alone
// sends it, and only when x is over.
func (a *Analysis) delivered(r *model.Race, x, y access) bool {
	t, ok := a.sole(x.inst)
	if !ok || a.sameThread(x.inst, y.inst) || a.multi(t, noSite) {
		return false
	}
	from := a.receivesOf(y)
	some := false
	for _, get := range from {
		for _, s := range a.handedOver(get) {
			if !a.w.MaySend(pta.Site{Inst: s.inst, At: s.site}, r.Object) {
				continue
			}
			if by, ok := a.sole(s.inst); !ok || by != t || a.newWalk().startAfter(s).run().reaches(x.inst, x.at) {
				return false
			}
			some = true
		}
	}
	return some
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
