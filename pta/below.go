package pta

import (
	"slices"
	"sync/atomic"

	"github.com/iterace/iterace/internal/bitset"
)

// This file is about what a loop's iterations run and its overlay does not enter,
// see cone. What such code stores, and what it returns to those that are entered,
// is as the base has it: it is not run again, so its stores are imported like
// other code's. What entered functions have made has the overlay's names there.

// below lets a call have what a function that is not entered returns, but for what it
// has been given.
func (ov *overlay) below(in *instance, k int32, callee *Func, same []paramLeaf) {
	c := &in.fn.Calls[k]
	if c.Result == None || callee.Result == None {
		return
	}
	key := leftKey{in.base, k, callee.ID}
	if ov.left[key] {
		return
	}
	if ov.left == nil {
		ov.left = make(map[leftKey]bool)
	}
	ov.left[key] = true
	for _, b := range ov.standIns(in) {
		for _, e := range b.callees[k] {
			to := ov.base.inst(e.callee)
			if to.fn != callee {
				continue
			}
			for j := range to.fn.RLen {
				if same != nil && same[j] != noParam {
					continue
				}
				how := importFrom{below: true, side: in.ctx.tag, fresh: int(j) < len(to.fn.RFresh) && to.fn.RFresh[j]}
				ov.addShared(in.node(c.Result)+j, ov.importSet(to.node(to.fn.Result)+j, how))
			}
		}
	}
}

// leftKey names a call of a function that is not entered.
type leftKey struct {
	base   int32 // first node of the caller
	call   int32
	callee FuncID
}

// standIns returns the base's instances of an instance of the overlay: the one of
// its context, or else all that the iterations run.
func (ov *overlay) standIns(in *instance) []*instance {
	if in.spawner != nil {
		return []*instance{ov.base.inst(in.spawner.base)}
	}
	if b, ok := ov.base.byCtx[instKey{in.fn.ID, ov.baseContext(in.ctx)}]; ok {
		return []*instance{ov.base.inst(b)}
	}
	if ov.byFunc == nil {
		ov.byFunc = make(map[FuncID][]*instance)
		for id, b := range ov.base.insts {
			if ov.res.reaches(InstID(id), ov.loop) {
				ov.byFunc[b.fn.ID] = append(ov.byFunc[b.fn.ID], b)
			}
		}
	}
	return ov.byFunc[in.fn.ID]
}

// baseContext returns the context that the base has for one of the overlay:
// inside another loop's iteration both sides are one, and so are the copies of what starts the iterations.
func (ov *overlay) baseContext(ctx context) context {
	if main := ov.base.inst(ov.spawners[0]).ctx.tag; main != tagMain {
		ctx.tag = main
	}
	return ctx
}

// isBelow reports whether iterations run an instance of the base that the overlay
// does not enter.
func (ov *overlay) isBelow(id InstID) bool {
	return ov.cut != nil && ov.res.reaches(id, ov.loop) && ov.cut.Has(ov.base.inst(id).fn.ID)
}

// importBelow returns what code that is not entered has stored in an object that
// iterations have made, by its name in the base.
func (ov *overlay) importBelow(loc int32, side uint8) imported {
	k := importKey{ov.base.predOf[loc], side}
	if e, ok := ov.seen.below[k]; ok {
		return e
	}
	set := new(bitset.Set)
	for _, p := range ov.base.predList[k.list] {
		if !ov.isBelow(p.inst) {
			continue
		}
		from := importFrom{below: true, side: side, fresh: p.fact < 0 || ov.base.inst(p.inst).fn.Facts[p.fact].Fresh}
		if x := ov.importSet(p.src, from); !x.Empty() {
			set.Union(x, nil)
		}
	}
	e := imported{number: ov.seen.number(set)}
	if ov.seen.below == nil {
		ov.seen.below = make(map[importKey]imported)
	}
	ov.seen.below[k] = e
	return e
}

// importAnswers returns what others have sent by a channel that iterations have made, by
// its name in the base: such a channel goes to another goroutine with a request, and
// comes back with what that one may keep. Of other objects not all stores count, but those of
// threads of Main: what iterations of other loops fill, of objects that are theirs, has the
// same name.
func (ov *overlay) importAnswers(loc int32, side uint8, all bool) imported {
	k := importKey{ov.base.predOf[loc], side}
	if e, ok := ov.seen.answers[k]; ok {
		return e
	}
	set := new(bitset.Set)
	for _, p := range ov.base.predList[k.list] {
		if !all && ov.base.inst(p.inst).ctx.tag != tagMain || ov.res.reaches(p.inst, ov.loop) || !ov.done(loc, p.inst) || ov.spawns[p.inst] && ov.rerunOrAfter(p) {
			continue
		}
		from := importFrom{main: true, side: side, fresh: p.fact < 0 || ov.base.inst(p.inst).fn.Facts[p.fact].Fresh}
		if x := ov.importSet(p.src, from); !x.Empty() {
			set.Union(x, nil)
		}
	}
	e := imported{number: ov.seen.number(set)}
	if ov.seen.answers == nil {
		ov.seen.answers = make(map[importKey]imported)
	}
	ov.seen.answers[k] = e
	return e
}

// addBelow adds to the table of a loop what its iterations do below the cone: for
// iterations of other loops it does not matter how deep that is. Only what the
// application itself does counts, on an object of which there is one: of others
// nothing shows that both mean the same. All of it was half as many pairs again on
// a site generator, most of them on the connections of a server.
func (v *View) addBelow(table *accessTable) {
	ov := v.ov
	if ov.cut == nil {
		return
	}
	side, sharing := ov.baseContext(context{tag: tagA}).tag, v.scope().sharing
	for id, in := range ov.base.insts {
		if in.ctx.tag != side || !in.fn.App || !ov.isBelow(InstID(id)) {
			continue
		}
		for _, x := range v.res.singleTouches(InstID(id)) {
			if v.res.base.isShared(sharing, x.loc) {
				table.add(x.loc, accRef{InstID(id), x.k}, x.write)
			}
		}
	}
}

// A touch is a location that access k of some instance may touch.
type touch struct {
	k, loc, oid int32
	write       bool
}

// singleTouches lists what an instance of the base touches of objects of which there
// is one. Loops that share what is below them ask for the same: finding it anew was a
// tenth of the time of a key-value store's loops.
func (r *Result) singleTouches(id InstID) []touch {
	s := r.base.s
	r.onces.touches.Do(func() { r.touches = make([]atomic.Pointer[[]touch], len(s.insts)) })
	if list := r.touches[id].Load(); list != nil {
		return *list
	}
	list := []touch{}
	in := s.inst(id)
	for k := range in.fn.Accesses {
		a := &in.fn.Accesses[k]
		if r.cfg.Sure && a.Flags&FlagInit != 0 {
			continue
		}
		s.locations(in, a, func(loc int32) {
			if oid := s.ownerOf(loc); !r.base.many(oid) {
				list = append(list, touch{int32(k), loc, oid, a.Flags&FlagWrite != 0})
			}
		})
	}
	list = slices.Clip(list)
	r.touches[id].Store(&list) // or another goroutine's, which is the same
	return list
}
