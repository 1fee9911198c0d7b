package pta

import (
	"path"
	"strings"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
)

// This file tells what libraries keep to themselves: what they make and never
// let the application have a pointer to, and the standard library's own
// variables. Who writes a library sees to their synchronisation, and the
// application can neither cause nor mend a race there (soundness:
// library-internals).

// Internal reports whether an object is kept by libraries to themselves.
func (v *View) Internal(o *model.Object) bool {
	d := v.res.described(v.ov, o)
	if d.oid < 0 {
		return false
	}
	oid := d.oid
	x := v.ov.object(oid)
	if x.kind == objView {
		oid = x.view
		x = v.ov.object(oid)
	}
	switch x.kind {
	case objGlobal:
		return v.res.Prog.standardVar(v.res.Prog.globals[x.global].full)
	case objAlloc:
		if v.ov.inst(x.inst).fn.App {
			return false
		}
	default:
		return false
	}
	return !v.ov.visible(oid)
}

// standardVar reports whether a variable, by its full name, is the standard
// library's.
func (p *Program) standardVar(full string) bool {
	dir, name := path.Split(full)
	pkg, _, _ := strings.Cut(name, ".")
	return standard(dir+pkg) && !p.Application(dir+pkg)
}

// visible reports whether a value of the application may point to an object.
func (ov *overlay) visible(oid int32) bool {
	ov.base.appOnce.Do(func() { ov.base.seenByApp = ov.base.appObjects() })
	if ov.seenByApp == nil {
		ov.seenByApp = ov.appObjects()
	}
	return ov.base.seenByApp.Has(oid) || ov.seenByApp.Has(oid)
}

// appObjects lists the objects that values of the application's functions point
// to.
func (s *solver) appObjects() *bitset.Set {
	out := new(bitset.Set)
	done := make(map[*bitset.Set]bool)
	for _, in := range s.insts {
		if !in.fn.App {
			continue
		}
		for n := range in.fn.NNodes {
			set := s.pts(in.node(Node(n)))
			if set == nil || done[set] {
				continue
			}
			done[set] = true
			for l := range set.All() {
				if b, ok := s.boxAt(l); ok {
					l = b.loc
				}
				if oid := s.ownerOf(l); oid >= 0 {
					out.Add(oid)
					if o := s.object(oid); o.kind == objView {
						out.Add(o.view)
					}
				}
			}
		}
	}
	return out
}
