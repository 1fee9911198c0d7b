package pta

import (
	"strconv"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta/flow"
)

// Passed reports whether an access may have got at an object along a call
// chain. A function that several calls share has the objects of all of them;
// where it reaches what it accesses from a parameter, without a load, the call
// of the chain must be one that passes the object.
func (v *View) Passed(c Chain, a *model.Access, o *model.Object) bool {
	d := v.res.described(v.ov, o)
	if d.oid < 0 {
		return true
	}
	want := v.ov.ownerOf(v.canonical(v.ov.object(d.oid).loc))
	last := len(c.Sites) - 1
	f := v.Flow(c.Sites[last].Inst)
	if f == nil {
		return true
	}
	p := f.Addr(c.Sites[last].At)
	for n := last; n > 0; n-- {
		k, ok := direct(p)
		if !ok {
			return true
		}
		call := c.Sites[n-1]
		if !v.mayPass(call, len(v.Func(c.Sites[n].Inst).Params), k, want) {
			return false
		}
		if p, ok = v.Flow(call.Inst).UpAt(call.At, p); !ok {
			return true
		}
	}
	return true
}

// direct returns the number of the parameter from which a path is reached
// without a load.
func direct(p flow.Path) (int, bool) {
	if !strings.HasPrefix(p.Root, "p") || strings.ContainsAny(p.Sels, "*~") {
		return 0, false
	}
	k, err := strconv.Atoi(p.Root[1:])
	return k, err == nil
}

// mayPass reports whether a call may pass an object of the base, or a part of
// it, as parameter k of so many.
func (v *View) mayPass(s Site, params, k int, oid int32) bool {
	known := false
	for _, in := range v.frames(s.Inst) {
		for i := range in.fn.Calls {
			c := &in.fn.Calls[i]
			if c.At != s.At {
				continue
			}
			arg := k - (params - len(c.Args))
			if arg < 0 || arg >= len(c.Args) || c.Args[arg].Node == None {
				return true
			}
			known = true
			for l := range v.ov.pts(in.node(c.Args[arg].Node)).All() {
				x := v.ov.ownerOf(v.canonical(int32(v.unbox(l))))
				if x == oid || x < 0 {
					return true
				}
			}
		}
	}
	return !known
}
