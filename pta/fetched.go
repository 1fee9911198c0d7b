package pta

import "github.com/iterace/iterace/model"

// maxFetched bounds the pointers that are followed for one access.
const maxFetched = 200

// Fetched reports whether each pointer by which an access gets at object o is one that
// was loaded at a site of which at holds, or has been stored where it is loaded by who
// had such a one: what a function looks up in a cell, and others keep in fields and
// interfaces. A pointer to o that comes from where o is made is none.
func (v *View) Fetched(x *model.Access, o *model.Object, at func(Site) bool) bool {
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
			if v.loadsAt(w, at) {
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
	found := false
	in := v.ov.inst(w.load.inst)
	for k := range in.fn.Accesses {
		a := &in.fn.Accesses[k]
		if a.Node != w.load.node || a.Off != w.off || a.Flags&(FlagWrite|FlagCall) != 0 {
			continue
		}
		if found = true; !at(Site{v.outer(w.load.inst), a.At}) {
			return false
		}
	}
	return found
}
