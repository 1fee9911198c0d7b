package order

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file recognises what is sent when an access is over, to who does the other one, whoever else sends it, too:
//
//	j.id = next() // x
//	queue <- j
//
//	for j := range queue {
//		if !j.run() { // y
//			go func() {
//				time.Sleep(wait)
//				queue <- j
//			}()
//		}
//	}
//
// It is asked in doubt: that who sends it again has it by then from nobody else is not shown.

// handedOn reports whether one of the accesses has the object from a channel on which the other one's thread sends it, and does not come
// to that access again.
func (a *Analysis) handedOn(r *model.Race) bool {
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	return a.handsTo(r, x, y) || a.handsTo(r, y, x)
}

func (a *Analysis) handsTo(r *model.Race, x, y access) bool {
	ts := a.threadsOf(x.inst)
	made := a.w.Made(r.Object)
	if made.Inst >= 0 {
		made.Inst = a.copyOf(made.Inst)
	}
	some := false
	for _, get := range a.receivesOf(y) {
		for _, s := range a.handedOver(get) {
			if !a.anyRuns(ts, s.inst) || !a.w.MaySend(pta.Site{Inst: s.inst, At: s.site}, r.Object) {
				continue
			}
			w := a.newWalk()
			if made.Inst >= 0 && made.At >= 0 {
				w.birth = made
			}
			if w.startAfter(s).run().reaches(x.inst, x.at) {
				return false
			}
			some = true
		}
	}
	return some
}
