// Package bubbleup moves races inside library code to the calls in the
// application that lead to them, as the IteRace paper does: a user can read
// and mend a call, not the inside of a library.
//
// An access in library code becomes one access for each application call site
// that reaches it on the same abstract thread. Where both sides become calls on
// a common receiver, that receiver is the subject of the race; otherwise the
// deep object stays the subject, so that a race on a library's global is not
// lost because it is reached through different receivers. The deep pair stays
// attached.
package bubbleup

import (
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// A World is what bubble-up asks of a points-to result.
type World interface {
	App(pta.InstID) bool
	Callers(pta.InstID) []pta.Site
	Thread(pta.InstID) model.Thread
	FuncName(pta.InstID) string
	Pos(pta.InstID, ssair.Instr) model.Pos
	// Receivers returns what the first argument of a call may point to.
	Receivers(pta.Site) []pta.Loc
	Object(pta.Loc) pta.ObjectInfo
}

// maxCalls bounds the application calls that one deep access is shown at.
const maxCalls = 6

// Field is the field of a race that is shown at calls on its object.
const Field = " (inside library code)"

// Filter returns the races as the application sees them.
func Filter(w World, rs *model.RaceSet) *model.RaceSet {
	b := &bubbler{w: w, calls: make(map[pta.InstID][]pta.Site), seen: make(map[key]bool), accs: make(map[accKey]*model.Access)}
	out := &model.RaceSet{Races: make([]*model.Race, 0, len(rs.Races))}
	for _, r := range rs.Races {
		if !r.A.Library && !r.B.Library {
			out.Races = append(out.Races, r)
			continue
		}
		out.Races = append(out.Races, b.lift(r)...)
	}
	return out
}

type key struct {
	obj  *model.Object
	a, b *model.Access
}

type accKey struct {
	site   pta.Site
	thread model.Thread
	kind   model.AccessKind
}

type bubbler struct {
	w     World
	calls map[pta.InstID][]pta.Site
	seen  map[key]bool
	accs  map[accKey]*model.Access
}

// lift returns the application-level races of one deep race that have not been
// seen yet.
func (b *bubbler) lift(r *model.Race) []*model.Race {
	as, bs := b.sites(r.A), b.sites(r.B)
	var out []*model.Race
	add := func(obj *model.Object, field string, x, y *model.Access) {
		k := key{obj, x, y}
		if b.seen[k] {
			return
		}
		b.seen[k] = true
		up := *r
		up.Object, up.Field, up.A, up.B, up.Deep = obj, field, x, y, r
		up.Confidence = min(r.Confidence, model.Likely)
		out = append(out, &up)
	}
	common := false
	if r.A.Library && r.B.Library {
		for _, x := range as {
			for _, y := range bs {
				if obj := b.common(x, y); obj != nil {
					common = true
					add(obj, Field, b.access(x, r.A), b.access(y, r.B))
				}
			}
		}
	}
	if common {
		return out
	}
	for _, x := range as {
		for _, y := range bs {
			ax, by := r.A, r.B
			if r.A.Library {
				ax = b.access(x, r.A)
			}
			if r.B.Library {
				by = b.access(y, r.B)
			}
			add(r.Object, r.Field, ax, by)
		}
	}
	return out
}

// sites returns the application calls that lead to an access on its thread;
// an access that no application call leads to stays where it is.
func (b *bubbler) sites(a *model.Access) []pta.Site {
	own := pta.Site{Inst: pta.InstID(a.Inst), At: ssair.Instr(a.Instr)}
	if !a.Library {
		return []pta.Site{own}
	}
	if s, ok := b.calls[own.Inst]; ok {
		return orSelf(s, own)
	}
	t := b.w.Thread(own.Inst)
	var found []pta.Site
	seen := map[pta.InstID]bool{own.Inst: true}
	work := []pta.InstID{own.Inst}
	for len(work) > 0 && len(found) < maxCalls {
		id := work[0]
		work = work[1:]
		for _, c := range b.w.Callers(id) {
			if b.w.Thread(c.Inst) != t {
				// The body itself is library code: its go statement is the call.
				if b.w.App(c.Inst) && len(found) < maxCalls {
					found = append(found, c)
				}
				continue
			}
			if b.w.App(c.Inst) {
				if len(found) < maxCalls {
					found = append(found, c)
				}
			} else if !seen[c.Inst] {
				seen[c.Inst] = true
				work = append(work, c.Inst)
			}
		}
	}
	b.calls[own.Inst] = found
	return orSelf(found, own)
}

func orSelf(s []pta.Site, own pta.Site) []pta.Site {
	if len(s) == 0 {
		return []pta.Site{own}
	}
	return s
}

// access returns the application-level access at a call site.
func (b *bubbler) access(s pta.Site, deep *model.Access) *model.Access {
	if s.Inst == pta.InstID(deep.Inst) && s.At == ssair.Instr(deep.Instr) {
		return deep
	}
	k := accKey{s, deep.Thread, deep.Kind}
	if a := b.accs[k]; a != nil {
		return a
	}
	a := &model.Access{
		Thread: deep.Thread, Kind: deep.Kind,
		Pos: b.w.Pos(s.Inst, s.At), Func: b.w.FuncName(s.Inst),
		Inst: int32(s.Inst), Instr: int32(s.At), Index: -1,
	}
	b.accs[k] = a
	return a
}

// common returns the object that both calls have for their receiver, if it is
// one that both iterations share.
func (b *bubbler) common(x, y pta.Site) *model.Object {
	ys := make(map[pta.Loc]bool)
	for _, l := range b.w.Receivers(y) {
		ys[b.w.Object(l).Canon] = true
	}
	for _, l := range b.w.Receivers(x) {
		if o := b.w.Object(l); ys[o.Canon] {
			return o.Object
		}
	}
	return nil
}
