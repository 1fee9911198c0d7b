package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what is found in a promise, and filled as it lies there:
//
//	c.text = new(text)
//	c.text.tags = append(c.text.tags, "new")
//	close(c.done)
//
// Whoever has loaded the pointer after the receive from c.done uses what is filled, however far from
// there he does so, if what one promise has no other one ever has.

// maxPromised bounds the owners between what is touched and what the promise has.
const maxPromised = 1

// filledBehind reports whether x goes by a promise to what that has, before its channel is closed,
// and y's pointer was loaded from one after a receive from it, or where x's own promise is looked at by who made it, after x; or
// whether y does as x does, since who closes a channel once more panics.
func (a *Analysis) filledBehind(r *model.Race, x, y access, at *model.Access) bool {
	for up := range maxPromised + 1 {
		fill, p, closes := a.fillsPromise(x, up)
		if len(closes) == 0 {
			continue
		}
		found, ok := a.w.Loaded(at, r.Object, up, false)
		if !ok || !found.Sole {
			continue
		}
		if _, _, twice := a.fillsPromise(y, up); closesBoth(closes, twice) {
			return true
		}
		if len(found.Made) == 0 && !slices.ContainsFunc(found.From, func(s *model.Access) bool { return !a.foundFilled(accessAt(pta.SiteOf(s)), fill, p, closes) }) {
			return true
		}
	}
	return false
}

// fillsPromise returns the access x, or the call that leads to it, in the frame in which the pointer to what is filled,
// or to the owner so far up, is loaded from a promise; with the path of that place there, and the closes that come later.
func (a *Analysis) fillsPromise(x access, up int) (fill access, p flow.Path, closes []promiseOp) {
	q := a.addr(x)
	fill = x
	for range promiseDepth {
		if !q.Known() {
			break
		}
		p, ok := q, true
		for range up + 1 {
			if ok {
				p, ok = p.Cell()
			}
		}
		if ok {
			if closes := a.closedIn(fill.inst, fill.at, p); len(closes) > 0 {
				return fill, p, closes
			}
		} else {
			q = q.Loose() // whenever an owner is asked what it has
		}
		c, above, ok := a.onlyCall(fill.inst, q)
		if !ok {
			break
		}
		fill, q = accessAt(c), above
	}
	return fill, p, nil
}

// foundFilled reports whether a load from a promise comes after its channel was closed, or after what fills the promise
// that both have made.
func (a *Analysis) foundFilled(s, fill access, p flow.Path, closes []promiseOp) bool {
	q := a.addr(s)
	f, here, ok := a.gap(s.inst, s.at)
	if !ok || !q.Known() {
		return false
	}
	own := func() bool {
		return a.makes(fill.inst, p) && !flow.Through(p.Sels) && a.comesBefore(fill, p, pta.Site{Inst: s.inst, At: s.at})
	}
	if a.makes(s.inst, q) && !flow.Through(q.Sels) {
		return own()
	}
	if a.alsoCloses(s.inst, f, here, q, closes) {
		return true
	}
	rs := a.receivedBefore(s.inst, f, here, q, promiseDepth, false, waits)
	if rs.own && !own() || len(rs.handed) > 0 {
		return false
	}
	return a.closedFor(rs.ops, closes, fill, p)
}
