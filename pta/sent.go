package pta

import "github.com/iterace/iterace/model"

// MaySend reports whether what is sent at a site may be a pointer to the object of a race. What
// one iteration has from its own element, or makes, is not what another one has so
// (soundness: many-objects).
func (v *View) MaySend(s Site, o *model.Object) bool {
	d := v.res.described(v.ov, o)
	if d.oid < 0 {
		return true
	}
	base := v.baseOf(v.ov.object(d.oid).loc)
	is := func(l int32) bool {
		oid := v.ov.ownerOf(v.unboxed(l))
		if oid < v.ov.firstObj || d.oid < v.ov.firstObj {
			return oid == d.oid || oid >= 0 && v.baseOf(v.ov.object(oid).loc) == base
		}
		return oid == d.oid
	}
	for _, in := range v.frames(s.Inst) {
		for k := range in.fn.Constraints {
			c := &in.fn.Constraints[k]
			if c.Op != OpStore || c.Arg < 0 || in.fn.Facts[c.Arg].At != s.At {
				continue
			}
			for l := range v.ov.pts(in.node(c.Src)).All() {
				if is(l) {
					return true
				}
			}
		}
	}
	return false
}
