package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/pta"
)

// Walks note that they have passed the making of an object which each round has anew: what is
// waited for from there on is the next round's. That is one note for all such objects, and one
// that a helper makes for itself says nothing of the round's own:
//
//	done := make(chan struct{})
//	go s.watch(in, done)
//	do(func() { in <- 1 }) // makes a channel, by which it waits for a goroutine of its own
//	close(in)
//	<-done
//
// So the making of what lies aside is not noted. What is done with that counts as the next
// round's, wherever the walk has come from.

// aside reports whether a channel or a group is one that only the function which makes it works
// on, and its literals, where that function neither leads to a spawn of the loop nor is of an
// iteration, and no goroutine that uses it holds an access.
func (a *Analysis) aside(l pta.Loc) bool {
	v, known := a.asides[l]
	if !known {
		v = a.findAside(l)
		if a.asides == nil {
			a.asides = make(map[pta.Loc]bool)
		}
		a.asides[l] = v
	}
	return v
}

func (a *Analysis) findAside(l pta.Loc) bool {
	made := a.w.Object(l).Alloc
	f := a.w.Flow(made.Inst)
	if made.Inst < 0 || f == nil || !a.byMain(made.Inst) {
		return false
	}
	holds := func(t pta.InstID) bool { return a.relevant.Has(t) && !slices.Contains(a.threadsOf(made.Inst), t) }
	if slices.ContainsFunc(a.ops[l], func(o *op) bool {
		return o.f.Name != f.Name && !strings.HasPrefix(o.f.Name, f.Name+"$") || slices.ContainsFunc(a.threadsOf(o.inst), holds) ||
			a.in.IsSpawn(pta.Site{Inst: o.inst, At: o.site}) && slices.ContainsFunc(a.in.CalleesAt(o.inst, o.site), holds)
	}) {
		return false
	}
	return !slices.ContainsFunc(a.spawns, func(top pta.Site) bool {
		return slices.ContainsFunc(a.starts(top), func(s pta.Site) bool {
			return slices.ContainsFunc(a.copiesOf(made.Inst), a.leadingTo(s.Inst).Has) ||
				slices.ContainsFunc(a.in.CalleesAt(s.Inst, s.At), func(t pta.InstID) bool { return a.uses(t, l) })
		})
	})
}

// crossedFor reports whether operation n counts as the next round's.
func (a *Analysis) crossedFor(n *op, crossed bool) bool { return crossed || a.meaningOf(n).aside }
