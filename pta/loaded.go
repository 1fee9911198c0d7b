package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// Loaded says from where an access has loaded the pointer to an object: from fields, by
// some accesses.
type Loaded struct {
	From  []*model.Access
	Made  []*model.Access // where, instead, who accesses the object makes it, or the owner that has it
	Taken bool            // each of those loads takes away what is there, see taken.go
	Sole  bool            // what is in one of those fields never is in another one
	cells []fieldPlace
}

// A fieldPlace is a field: its location, and which one of all that one allocation makes. What
// is put into the field of one of these is not in that of another (soundness: taken-whole).
type fieldPlace struct {
	loc   int32
	fn    FuncID
	alloc int32 // -1 where it is no part of what a function allocates
	off   int32
}

// Within reports whether all that l was loaded from is among what m was loaded from, or the
// same field of an object that is made where one of those is.
func (l *Loaded) Within(m *Loaded) bool {
	return !slices.ContainsFunc(l.cells, func(c fieldPlace) bool {
		return !slices.ContainsFunc(m.cells, func(d fieldPlace) bool {
			return c.loc == d.loc || c.alloc >= 0 && c.fn == d.fn && c.alloc == d.alloc && c.off == d.off
		})
	})
}

// placeOf returns the field at a location.
func (v *View) placeOf(l int32) fieldPlace {
	l = v.canonical(l)
	c := fieldPlace{loc: l, alloc: -1}
	if oid := v.ov.ownerOf(l); oid >= 0 {
		if o := v.ov.object(oid); o.kind == objAlloc {
			c.fn, c.alloc, c.off = v.ov.inst(o.inst).fn.ID, o.alloc, l-o.loc
		}
	}
	return c
}

// Loaded returns where an access has loaded the pointer to an object, or to the owner so far up that has
// it, and false where the pointer may come from elsewhere, or, with taken, where not all loads take it
// away. An owner alone has what it has. What append makes is no one's before append has written to it.
func (v *View) Loaded(x *model.Access, o *model.Object, up int, taken bool) (*Loaded, bool) {
	obj, ok := v.describedBase(o)
	if !ok || x.Index < 0 || v.accessOf(x).Flags&FlagDeep != 0 {
		return nil, false
	}
	type pointer struct {
		at  point
		obj int32
	}
	ps := []pointer{{point{InstID(x.Inst), v.accessOf(x).Node}, obj}}
	l := &Loaded{Taken: true, Sole: true}
	for range up {
		var owners []pointer
		for _, p := range ps {
			ways, ok := v.waysHeld(p.at, p.obj)
			if !ok {
				return nil, false
			}
			for i := range ways {
				w := &ways[i]
				if len(w.cells) == 0 {
					if taken || !v.addMade(l, x, w, p.obj) {
						return nil, false
					}
					continue
				}
				if !v.sole(p.obj, w.cells) {
					return nil, false
				}
				for _, c := range w.cells {
					if q := (pointer{w.from, v.baseOf(c)}); !slices.Contains(owners, q) {
						owners = append(owners, q)
					}
				}
			}
		}
		if ps = owners; len(ps) > maxHavers {
			return nil, false
		}
	}
	for _, p := range ps {
		if !v.addLoads(l, x, p.at, p.obj, taken) {
			return nil, false
		}
	}
	return l, len(l.From)+len(l.Made) > 0
}

// maxHavers bounds the objects that may have one: a list lies in as many arrays as there are places where it grows, for
// each iteration and call that the analysis tells apart.
const maxHavers = maxCells

// waysHeld returns the ways to an object, also those by what a function literal has captured that nobody else sets.
func (v *View) waysHeld(at point, obj int32) ([]Way, bool) {
	if ways, ok := v.waysBy(at, obj, byHeld); ok {
		return ways, true
	}
	return v.ways(at, obj)
}

// addLoads adds where a pointer to an object was loaded for an access.
func (v *View) addLoads(l *Loaded, x *model.Access, at point, obj int32, taken bool) bool {
	ways, ok := v.waysHeld(at, obj)
	if !ok || taken && slices.ContainsFunc(ways, func(w Way) bool { return len(w.cells) > 0 && !w.away() }) {
		return false
	}
	for i := range ways {
		w := &ways[i]
		if len(w.cells) == 0 {
			if n := len(l.Made); !v.addMade(l, x, w, obj) || taken && len(l.Made) > n {
				return false
			}
			continue
		}
		sites := v.loadSites(w)
		if len(sites) == 0 {
			return false
		}
		for _, s := range sites {
			l.From = append(l.From, &model.Access{Inst: int32(s.Inst), Instr: int32(s.At), Thread: v.Thread(w.load.inst), Index: -1})
		}
		l.Taken = l.Taken && w.away()
		l.Sole = l.Sole && (taken || v.sole(obj, w.cells))
		for _, c := range w.cells {
			l.cells = append(l.cells, v.placeOf(c))
		}
	}
	return true
}

// addMade adds where an object is made by who then accesses it, by a way that begins there, and reports whether it
// begins in the function that makes it. Who makes it, under the lock, has not put it anywhere before.
func (v *View) addMade(l *Loaded, x *model.Access, w *Way, obj int32) bool {
	in, made := v.ov.inst(w.load.inst), v.ov.object(obj)
	if made.kind != objAlloc || v.ov.inst(made.inst).fn != in.fn {
		return false
	}
	if at := in.fn.Allocs[made.alloc].At; at != v.accessOf(x).At {
		l.Made = append(l.Made, &model.Access{Inst: int32(v.outer(w.load.inst)), Instr: int32(at), Thread: v.Thread(w.load.inst), Index: -1})
		l.Taken = false
	}
	return true
}
