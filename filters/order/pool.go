package order

import (
	"strings"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for pools (L3): what Get returns belongs to the thread
// that got it until it is put back, as what is received does until it is sent.
// To the rules of ownership, Get is a receive and Put a send.

// findPools lists the operations on pools.
func (a *Analysis) findPools() {
	a.pools, a.gets = []*op{}, make(map[pta.Site]*op)
	a.synchronising(func(i pta.InstID, f *flow.Func) {
		for s := range f.Steps {
			st := &f.Steps[s]
			if st.Op != library.OpPoolGet && st.Op != library.OpPoolPut {
				continue
			}
			o := &op{
				id: int32(len(a.allOps) + len(a.pools)), inst: i, f: f, step: int32(s), site: st.Site, lib: st.Op,
				kind: opOther, via: noSite, locs: a.operand(i, st.Site, 0),
			}
			if st.Op == library.OpPoolPut && len(st.Args) > 1 {
				o.value = f.Path(st.Args[1])
			}
			a.pools = append(a.pools, o)
			if at := (pta.Site{Inst: i, At: st.Site}); st.Op == library.OpPoolGet && a.gets[at] == nil {
				a.gets[at] = o
			}
		}
	})
}

func (a *Analysis) poolOps() []*op {
	if a.pools == nil {
		a.findPools()
	}
	return a.pools
}

// gotFrom returns the Get whose result is made at the site.
func (a *Analysis) gotFrom(s pta.Site) *op {
	a.poolOps()
	return a.gets[s]
}

// handOvers lists the operations by which a thread gives an object away: who sends
// nil does not.
func (a *Analysis) handOvers() []*op {
	if a.gives == nil {
		a.gives = []*op{}
		for _, o := range a.allOps {
			if o.kind == opSend && !strings.HasPrefix(o.value.Root, "c:") {
				a.gives = append(a.gives, o)
			}
		}
		for _, o := range a.poolOps() {
			if o.lib == library.OpPoolPut {
				a.gives = append(a.gives, o)
			}
		}
	}
	return a.gives
}

// handedOver lists the operations that may have given away what r gets.
func (a *Analysis) handedOver(r *op) []*op {
	var out []*op
	for _, o := range a.handOvers() {
		if (o.lib == library.OpPoolPut) == (r.lib == library.OpPoolGet) && (overlaps(o.locs, r.locs) || a.otherwiseNamed(o, r)) {
			out = append(out, o)
		}
	}
	return out
}

// otherwiseNamed reports whether two operations may be on one channel or pool that a
// thread beside the loop knows by the name of the whole program: one that an iteration
// has made for the reply to its request, above all.
func (a *Analysis) otherwiseNamed(o, r *op) bool {
	for _, x := range o.locs {
		for _, y := range r.locs {
			if c := a.w.Object(x).Canon; c == a.w.Object(y).Canon && (x == c || y == c) {
				return true
			}
		}
	}
	return false
}

// overlaps reports whether two sorted lists share a location.
func overlaps(x, y []pta.Loc) bool {
	for i, k := 0, 0; i < len(x) && k < len(y); {
		switch {
		case x[i] == y[k]:
			return true
		case x[i] < y[k]:
			i++
		default:
			k++
		}
	}
	return false
}

// handsOver reports whether o gives away the object that src yields, in its
// own frame or as what it is passed.
func (a *Analysis) handsOver(o *op, src pta.Site, root flow.Path) bool {
	if o.inst == src.Inst {
		return o.value.Root == root.Root
	}
	i, p, ok := a.origin(o.inst, o.value.Base(), 0)
	return ok && i == src.Inst && p.Root == root.Root
}
