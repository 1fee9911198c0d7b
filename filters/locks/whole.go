package locks

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file knows what is taken away as a whole under a lock:
//
//	mu.Lock()
//	xs := q.items
//	q.items = nil
//	mu.Unlock()
//	for _, x := range xs { … }
//
// Who does q.items = append(q.items, x) under the lock has done so before xs was taken,
// or finds nothing there. So it is with what is taken out of a map or off a list, if it lies there once:
//
//	mu.Lock()
//	s, ok := t.sessions[id]
//	if !ok {
//		mu.Unlock()
//		return
//	}
//	delete(t.sessions, id)
//	mu.Unlock()
//	close(s)
//
// What is taken away may be the object that alone has what is accessed, too:
// a batch with its maps. Or it is put with others of its kind, where anybody may find it then: a list that is full.

// byTaking reports whether one access of a race is to what was taken away so, and the
// other to what was found there in the critical section that the access is in, or was
// taken away, too (soundness: taken-whole).
func (a *Analysis) byTaking(r *model.Race) bool {
	return a.takenBefore(r, r.A, r.B) || a.takenBefore(r, r.B, r.A)
}

func (a *Analysis) takenBefore(r *model.Race, x, y *model.Access) bool {
	for up := range maxTakenUp + 1 {
		if takes, ok := a.w.Loaded(x, r.Object, up, true); ok {
			return a.foundThere(r, y, takes, up, false)
		}
	}
	if len(a.At(y)) == 0 {
		return false
	}
	known, ok := a.w.TakenOn(x, r.Object)
	if !ok {
		return false
	}
	takes := *known // who else asks gets the same
	takes.From = slices.DeleteFunc(slices.Clone(takes.From), func(t *model.Access) bool { return !a.in.Runs(pta.InstID(t.Inst)) })
	return len(takes.From) > 0 && a.foundThere(r, y, &takes, 0, true)
}

// maxTakenUp bounds the owners of an object of which one is taken away.
const maxTakenUp = 2

// foundThere reports whether an access has its object, or the owner so far up, from where others take it
// away, in the critical section that it is in; or has taken it away, unless it is put on: then others may have what this one has taken.
func (a *Analysis) foundThere(r *model.Race, y *model.Access, takes *pta.Loaded, up int, on bool) bool {
	finds, ok := a.w.Loaded(y, r.Object, up, false)
	if !ok || !finds.Within(takes) {
		return false
	}
	from, sections := finds.From, [][]Held{a.At(y)}
	if len(from) == 0 {
		from = finds.Made
	} else {
		// What is made is put there in the section in which it is made.
		for _, m := range finds.Made {
			sections = append(sections, a.At(m))
		}
	}
	for _, f := range from {
		held := slices.DeleteFunc(slices.Clone(a.At(f)), func(h Held) bool {
			same := func(k Held) bool { return k.Acq == h.Acq && k.Write == h.Write }
			left := func(s []Held) bool { return !slices.ContainsFunc(s, same) }
			return h.Once || h.Flag || h.Claim || (on || !finds.Taken) && slices.ContainsFunc(sections, left)
		})
		for _, t := range takes.From {
			at := *r
			at.A, at.B = t, f
			if a.protected(&at, side{Access: t, held: a.At(t)}, side{Access: f, held: held}) == unprotected {
				return false
			}
		}
	}
	return true
}
