package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// maxFetched bounds the pointers that are followed for one access.
const maxFetched = 200

// Fetched reports whether each pointer by which an access gets at object o is one that
// was loaded at a site of which at holds, or has been stored where it is loaded by who
// had such a one: what a function looks up in a cell, and others keep in fields and
// interfaces. A pointer to o that comes from where o is made is none.
func (v *View) Fetched(x *model.Access, o *model.Object, at func(Site) bool) bool {
	return v.fetchedBy(x, o, func(w *Way) bool { return v.loadsAt(w, at) })
}

// TakenOn returns the loads that have taken away what an access has: each pointer by which it gets at object o is one that one of
// them has yielded, or has been stored where it is loaded by who had such a one. So it is with a list that is full, and
// is put with others. The loads are those of all instances of the functions that have them:
//
//	s.full = append(s.full, &block{s.rows})
//	s.rows = make(map[string]int)
func (v *View) TakenOn(x *model.Access, o *model.Object) (*Loaded, bool) {
	obj, ok := v.describedBase(o)
	if !ok || x.Index < 0 || v.accessOf(x).Flags&FlagDeep != 0 {
		return nil, false
	}
	k := takenKey{point{InstID(x.Inst), v.accessOf(x).Node}, obj}
	l, known := v.takenOn[k]
	if !known {
		l = v.findTakenOn(x, o)
		if v.takenOn == nil {
			v.takenOn = make(map[takenKey]*Loaded)
		}
		v.takenOn[k] = l
	}
	return l, l != nil
}

// A takenKey is a pointer by which an object is accessed. Of a message broker's 13 thousand pairs of a loop most are
// by the same few: 45 of the 83 s that a loop took for locks were one question.
type takenKey struct {
	by  point
	obj int32
}

func (v *View) findTakenOn(x *model.Access, o *model.Object) *Loaded {
	l := &Loaded{Taken: true}
	ok := v.fetchedBy(x, o, func(w *Way) bool {
		if !w.away() || !v.loadsAt(w, func(s Site) bool {
			for _, i := range v.Named(v.FuncName(s.Inst)) {
				l.From = append(l.From, &model.Access{Inst: int32(i), Instr: int32(s.At), Thread: v.Thread(i), Index: -1})
			}
			return true
		}) {
			return false
		}
		for _, c := range w.cells {
			l.cells = append(l.cells, v.placeOf(c))
		}
		return true
	})
	if !ok || len(l.From) == 0 {
		return nil
	}
	return l
}

// fetchedBy is Fetched for ways that begin as by says.
func (v *View) fetchedBy(x *model.Access, o *model.Object, by func(*Way) bool) bool {
	obj, ok := v.describedBase(o)
	if !ok || x.Index < 0 || v.accessOf(x).Flags&FlagDeep != 0 {
		return false
	}
	b := v.behindOf(nil, "", true) // stored is all that is asked of it
	first := point{InstID(x.Inst), v.accessOf(x).Node}
	seen := map[point]bool{first: true}
	work := []point{first}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		ways, ok := v.waysBy(p, obj, fromWhere)
		if !ok {
			return false
		}
		for i := range ways {
			w := &ways[i]
			if len(w.cells) == 0 {
				return false
			}
			if by(w) {
				continue
			}
			for _, c := range w.cells {
				stores := b.stored(c, obj)
				if len(stores) == 0 {
					return false
				}
				for _, q := range stores {
					if !seen[q] {
						seen[q] = true
						work = append(work, q)
					}
				}
				if len(seen) > maxFetched {
					return false
				}
			}
		}
	}
	return true
}

// loadsAt reports whether a way begins with loads at sites of which at holds.
func (v *View) loadsAt(w *Way, at func(Site) bool) bool {
	sites := v.loadSites(w)
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(s Site) bool { return !at(s) })
}

// loadSites lists the loads with which a way begins.
func (v *View) loadSites(w *Way) (sites []Site) {
	off := w.off
	if len(w.cells) > 0 && v.isMap(v.ov.ownerOf(w.cells[0])) {
		off = 0 // an access to a map is one to the map as a whole
	}
	in := v.ov.inst(w.load.inst)
	for k := range in.fn.Accesses {
		if a := &in.fn.Accesses[k]; a.Node == w.load.node && a.Off == off && a.Flags&(FlagWrite|FlagCall) == 0 && a.yields(w.into) {
			sites = append(sites, Site{v.outer(w.load.inst), a.At})
		}
	}
	return sites
}

// yields reports whether a load may yield one of some values.
func (a *Access) yields(into []Node) bool {
	return a.Into == 0 || len(into) == 0 || slices.ContainsFunc(into, func(n Node) bool { return a.Into-1 <= n && n < a.Into-1+Node(a.N) })
}
