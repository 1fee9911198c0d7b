package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A class is awaited in few places, most classes nowhere, but walks had to go gap
// by gap wherever something might be awaited. So all these places are asked first,
// and walks then go through what leads to those that do await the class: on the
// tests of a key-value store thirty thousand answers for a loop were no, and the
// walks that asked for them were two of its three million nodes.

// candidates are the places that may await some class, and their instances.
type candidates struct {
	places []place
	insts  []pta.InstID
}

// placeOps has the operations of a place, see opAt.
type placeOps struct{ list []*op }

// places lists the places at which decide can say yes. A function that works on
// what it is passed is asked for each of its calls.
func (a *Analysis) places() *candidates {
	if a.asks != nil {
		return a.asks
	}
	a.asks = new(candidates)
	for _, i := range a.in.Instances() {
		f := a.w.Flow(i)
		if f == nil || !a.enters(i) {
			continue
		}
		before := len(a.asks.places)
		a.placesIn(i, f)
		if len(a.asks.places) > before {
			a.asks.insts = append(a.asks.insts, i)
		}
	}
	return a.asks
}

func (a *Analysis) placesIn(i pta.InstID, f *flow.Func) {
	vias := []pta.Site{noSite}
	add := func(p place) {
		if a.idle(p) {
			return
		}
		if len(vias) == 1 && a.byArgument(i) {
			vias = append(vias, a.in.Callers(i)...)
		}
		for _, v := range vias {
			p.via, p.ops = v, nil
			ops := new(placeOps)
			n := 1
			if p.step < 0 {
				n = len(f.Blocks[p.block].Succs[p.edge].Events)
			}
			for k := range n {
				ops.list = append(ops.list, newOpAt(p, k))
			}
			p.ops = ops
			a.asks.places = append(a.asks.places, p)
		}
	}
	for b := range f.Blocks {
		for k := range f.Blocks[b].Succs {
			if e := &f.Blocks[b].Succs[k]; len(e.Events) > 0 || e.Counts > 0 {
				add(place{i, f, -1, int32(b), int32(k), noSite, nil})
			}
		}
	}
	for s := range f.Steps {
		add(place{i, f, int32(s), 0, 0, noSite, nil})
		if f.Steps[s].Op == library.OpBubble {
			a.asks.places = append(a.asks.places, place{inst: i, f: f, step: int32(s), edge: returning})
		}
	}
}

// askAll finds out where the class is awaited. The object of another round awaits
// nothing that this round's does not, so that is asked for only where this one's
// awaits the class; if it does so, too, everywhere, it does not matter where
// objects are made, and otherwise where those are made by which it is awaited there. Goroutines
// that themselves wait for the class are looked for only among those that come to what is known to await it.
func (a *Analysis) askAll(c *class) {
	if c.hopeless {
		return
	}
	if a.plain {
		_, births := a.awaiting(c)
		c.stops = &stops{births: births}
		return
	}
	for {
		work, births := a.awaiting(c)
		if a.fuel < 0 {
			return // nothing is decided any more
		}
		if len(work) == 0 {
			c.silent = true
			return
		}
		c.stops = &stops{insts: slices.Clip(work), births: births}
		work = append(work, a.born(births)...)
		c.through = new(idset.Set[pta.InstID])
		a.in.LeadTo(c.through, work)
		if !c.bodies {
			return
		}
		more := a.askAgain(c)
		c.inward, c.tables = make(map[pta.InstID]*walk), nil
		if !more {
			return
		}
	}
}

// awaiting lists the instances in which something awaits the class, and, sorted, where the objects
// are made by which it does so only while a walk has not passed their making.
func (a *Analysis) awaiting(c *class) (in []pta.InstID, births []pta.Site) {
	for _, p := range a.places().places {
		if a.fuel < 0 {
			break
		}
		if !a.awaits(p, c, false) {
			continue
		}
		if len(in) == 0 || in[len(in)-1] != p.inst {
			in = append(in, p.inst)
		}
		if p.step >= 0 && p.edge == returning || a.awaits(p, c, true) {
			continue
		}
		for _, n := range a.waitsAt(p) {
			for _, l := range a.meaningOf(n).locs {
				// Of what its own threads do nothing with the class is told by others, who wait for it by
				// something else: it is that of which it matters whether it has been made anew (soundness: told-before).
				if slices.ContainsFunc(c.threads, func(t pta.InstID) bool { return a.uses(t, l) }) {
					births = append(births, a.birthOf(l))
				}
			}
		}
	}
	slices.SortFunc(births, compareSites)
	return in, slices.Compact(births)
}

// waitsAt lists the operations by which a place may await something.
func (a *Analysis) waitsAt(p place) []*op {
	out := slices.Clone(p.ops.list)
	if p.step >= 0 {
		return out
	}
	e := &p.f.Blocks[p.block].Succs[p.edge]
	for _, n := range a.opsIn(p.inst) {
		counted := e.Counts > 0 && p.f.Loops[e.Counts-1].Has(a.blockOf(n))
		if counted || slices.ContainsFunc(e.Events, func(ev flow.Event) bool { return ev.Site == n.site }) {
			out = append(out, n)
		}
	}
	return out
}

// until lets a walk stop at what awaits the class.
func (w *walk) until(c *class) *walk {
	if c.hopeless || c.silent {
		return w
	}
	a := w.a
	w.avoid = func(p place, crossed bool) bool { return a.awaits(p, c, crossed) }
	w.stops = c.stops
	if c.through != nil {
		w.through = append(w.through, c.through)
	}
	return w
}
