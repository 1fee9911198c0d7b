// Package bubbleup moves races inside library code to the calls in the
// application that lead to them, as the IteRace paper does: a user can read
// and mend a call, not the inside of a library.
//
// An access in library code becomes one access for each application call site
// that reaches it on the same abstract thread. Where both sides become calls on
// a common receiver, that receiver is the subject of the race; otherwise, and where
// it is a package variable, the deep object stays the subject, so that a race on a
// library's global is not lost because it is reached through different receivers.
// The deep pair stays attached.
//
// No race is lost on the way: for each deep pair there is one at application
// level, as certain as it, or likely; assumed, if it is about what libraries
// keep to themselves (soundness: library-internals). What a later stage says of the calls that
// are shown it does not say of those that are not; so where there are too many
// calls to show all, or a library's global is raced on through other receivers
// as well, the deep pair stays beside them, until Settle.
package bubbleup

import (
	"cmp"
	"slices"

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
	// Compare orders instances, copies of one function too, by what they are.
	Compare(x, y pta.InstID) int
	// Receivers returns what the first argument of a call may point to.
	Receivers(pta.Site) []pta.Loc
	Object(pta.Loc) pta.ObjectInfo
	// Leads returns the calls that pass the address of an object down to an access
	// of it, those of each way from the outermost in, and false where they cannot
	// be followed.
	Leads(*model.Access, *model.Object) ([][]pta.Site, bool)
	// RunBy reports whether what another loop starts runs an instance.
	RunBy(pta.InstID, *model.Loop) bool
	// Stated reports whether an access is what the model says a function does to an argument.
	Stated(*model.Access) bool
	// Internal reports whether an object is one that libraries keep to themselves.
	Internal(*model.Object) bool
}

// maxCalls bounds the application calls that one deep access is shown at, and
// maxSites the calls in different contexts: each pair of them is a question to
// the lock stage.
const (
	maxCalls = 6
	maxSites = 18
)

// Field is the field of a race that is shown at calls on its object.
const Field = " (inside library code)"

// A Rest has the deep pairs that stay because more pairs of calls lead to them
// than are shown, and for each the races at those that are.
type Rest map[*model.Race][]*model.Race

// Settle drops, when later stages have looked at the calls that are shown, the
// pairs that stayed, unless nothing else is left of them.
func (rest Rest) Settle(rs *model.RaceSet) *model.RaceSet {
	left := make(map[*model.Race]bool, len(rs.Races))
	for _, r := range rs.Races {
		left[r] = true
	}
	return rs.Filter(func(r *model.Race) bool {
		return !slices.ContainsFunc(rest[r], func(up *model.Race) bool { return left[up] })
	})
}

// Filter returns the races as the application sees them.
func Filter(w World, rs *model.RaceSet) (*model.RaceSet, Rest) {
	b := &bubbler{
		w: w, calls: make(map[start]*calls), seen: make(map[key]*model.Race),
		accs: make(map[accKey]*model.Access), rest: make(Rest),
	}
	out := &model.RaceSet{Races: make([]*model.Race, 0, len(rs.Races))}
	for _, r := range rs.Races {
		if !r.A.Library && !r.B.Library {
			out.Races = append(out.Races, r)
			continue
		}
		out.Races = append(out.Races, b.lift(r)...)
	}
	return out, b.rest
}

type key struct {
	obj   *model.Object
	field string
	a, b  *model.Access
	other *model.Loop
}

type accKey struct {
	site   pta.Site
	thread model.Thread
	kind   model.AccessKind
}

type bubbler struct {
	w     World
	calls map[start]*calls
	seen  map[key]*model.Race
	accs  map[accKey]*model.Access
	rest  Rest
}

// A start is where the search for calls starts: at an access of an object, or at
// an instance, whatever it touches.
type start struct {
	inst pta.InstID
	acc  *model.Access
	obj  *model.Object
	by   *model.Loop // what this starts has the access; nil for the loop at hand, and for its spawner's thread
}

// calls are the application calls that lead to a start on its thread.
type calls struct {
	sites []pta.Site
	more  bool // there are others
}

// lift returns the application-level races of one deep race that have not been
// seen yet.
func (b *bubbler) lift(r *model.Race) []*model.Race {
	as, moreA := b.sites(r.A, r.Object, nil)
	bs, moreB := b.sites(r.B, r.Object, r.Other)
	var out, ups []*model.Race
	hidden := false
	add := func(obj *model.Object, field string, x, y pta.Site) {
		k := key{obj, field, b.access(x, r.A), b.access(y, r.B), r.Other}
		up := b.seen[k]
		if up == nil {
			up = new(model.Race)
			b.seen[k] = up
			out = append(out, up)
		}
		ups = append(ups, up)
		// The most certain of the deep pairs that come up here tells of them.
		conf := min(r.Confidence, model.Likely)
		if hidden {
			conf = model.Assumed
		}
		if up.Deep == nil || up.Confidence < conf {
			*up = *r
			up.Object, up.Field, up.A, up.B, up.Deep, up.Confidence = obj, field, k.a, k.b, r, conf
			// Later stages add to these, and change them in place.
			up.Why, up.Assumes = slices.Clone(r.Why), slices.Clone(r.Assumes)
			if hidden && r.Confidence > model.Assumed {
				up.Assumes = append(up.Assumes, "library-internals")
			}
		}
	}
	// What is said to be done to an argument is done to it, and not to the receiver.
	inside := r.A.Library && r.B.Library && !b.w.Stated(r.A) && !b.w.Stated(r.B)
	var apart [][2]pta.Site // calls without a common receiver
	for _, x := range as {
		for _, y := range bs {
			if obj := b.common(x, y); obj != nil && inside {
				if r.Object.Kind == "global" && !b.w.Internal(r.Object) {
					obj = r.Object // which is no part of a receiver
				}
				add(obj, Field, x, y)
			} else {
				apart = append(apart, [2]pta.Site{x, y})
			}
		}
	}
	stays := moreA || moreB
	if len(ups) == 0 {
		hidden = r.A.Library && r.B.Library && b.w.Internal(r.Object)
		for _, s := range apart {
			add(r.Object, r.Field, s[0], s[1])
		}
	} else if len(apart) > 0 {
		// What is no global is taken to belong to the receiver through which it
		// is reached: where some calls meet at it on one receiver, those on
		// different ones do not (soundness: receiver-owns).
		stays = stays || r.Object.Kind == "global"
	}
	if stays {
		b.rest[r] = ups
		out = append(out, r)
	}
	return out
}

// sites returns the application calls that lead to an access of an object on its
// thread, the nearest first, and whether there are more; an access that no
// application call leads to stays where it is.
func (b *bubbler) sites(a *model.Access, o *model.Object, by *model.Loop) (sites []pta.Site, more bool) {
	own := pta.SiteOf(a)
	if !a.Library {
		return []pta.Site{own}, false
	}
	k := start{inst: own.Inst, by: by}
	leads, ok := b.w.Leads(a, o)
	if ok {
		k = start{own.Inst, a, o, by}
	}
	c := b.calls[k]
	if c == nil {
		c = b.find(own.Inst, leads, by)
		b.calls[k] = c
	}
	if len(c.sites) == 0 {
		return []pta.Site{own}, false
	}
	return c.sites, c.more
}

// find searches breadth first for the calls that lead to an instance. A function
// that is called with many objects (the method of a buffer) is searched from the
// calls that pass the one in question. What several goroutines run is one
// instance beside the loop: only the calls count that the goroutine at hand makes.
func (b *bubbler) find(inst pta.InstID, leads [][]pta.Site, by *model.Loop) *calls {
	t := b.w.Thread(inst)
	out := new(calls)
	shown := make(map[model.Pos]bool)
	taken := make(map[pta.Site]bool)
	show := func(c pta.Site) {
		// Also on another thread: the body itself is library code, and its go
		// statement is the call.
		pos := b.w.Pos(c.Inst, c.At)
		switch {
		case taken[c]:
		case len(out.sites) == maxSites || len(shown) == maxCalls && !shown[pos]:
			out.more = true
		default:
			shown[pos], taken[c] = true, true
			out.sites = append(out.sites, c)
		}
	}
	makes := func(c pta.Site, callee pta.InstID) bool {
		return by == nil || pta.OwnCall(c, b.w.Callers(callee), func(i pta.InstID) bool { return b.w.RunBy(i, by) })
	}
	seen := make(map[pta.InstID]bool)
	var work []pta.InstID
	enter := func(i pta.InstID) {
		if !seen[i] && (i == inst || b.w.Thread(i) == t) {
			seen[i] = true
			work = append(work, i)
		}
	}
	led := false
lead:
	for _, calls := range leads {
		top := inst
		for k := len(calls) - 1; k >= 0; k-- {
			if !makes(calls[k], top) {
				continue lead
			}
			if b.w.App(calls[k].Inst) {
				led = true
				show(calls[k])
				continue lead
			}
			top = calls[k].Inst
		}
		led = true
		enter(top)
	}
	if !led {
		enter(inst)
	}
	for len(work) > 0 && !(out.more && len(out.sites) == maxSites) {
		id := work[0]
		work = work[1:]
		callers := slices.Clone(b.w.Callers(id))
		slices.SortStableFunc(callers, func(x, y pta.Site) int {
			return cmp.Or(b.w.Pos(x.Inst, x.At).Compare(b.w.Pos(y.Inst, y.At)), b.w.Compare(x.Inst, y.Inst))
		})
		for _, c := range callers {
			switch {
			case !makes(c, id):
			case b.w.App(c.Inst):
				show(c)
			default:
				enter(c.Inst)
			}
		}
	}
	return out
}

// access returns the application-level access at a call site.
func (b *bubbler) access(s pta.Site, deep *model.Access) *model.Access {
	if s == pta.SiteOf(deep) {
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
// one that both iterations share: what each has made for itself is not, though the
// base has one name for it.
func (b *bubbler) common(x, y pta.Site) *model.Object {
	type shared struct {
		canon pta.Loc
		by    model.Thread
	}
	ys := make(map[shared]bool)
	for _, l := range b.w.Receivers(y) {
		o := b.w.Object(l)
		ys[shared{o.Canon, o.Made}] = true
	}
	// Of several the least, whatever numbers they have: of two iterations' it may be either.
	var first *model.Object
	for _, l := range b.w.Receivers(x) {
		o := b.w.Object(l)
		if ys[shared{o.Canon, o.Made}] && (first == nil || cmp.Or(
			o.Object.Pos.Compare(first.Pos), cmp.Compare(o.Object.Kind, first.Kind), cmp.Compare(o.Object.Name, first.Name),
			cmp.Compare(o.Object.Type, first.Type), cmp.Compare(o.Object.Thread, first.Thread)) < 0) {
			first = o.Object
		}
	}
	return first
}
