package order

import (
	"fmt"
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A class may be awaited in two places to which eight thousand instances lead. In
// nearly all of these a walk does what one does that stops nowhere: they are calm.
// A table takes such an instance from its interior, and goes on with what it calls;
// only the others are gone through gap by gap. Of a language server's loops the walks that fill
// tables were half of all nodes.

// stops are where walks of a class may stop.
type stops struct {
	insts []pta.InstID
	// births are where objects of each round's own are made of which it matters whether a walk
	// has passed their making, sorted. All others that are made on the way say nothing of what the class is
	// awaited by, as the groups of a library that works out how to encode each type:
	//
	//	done := make(chan struct{})
	//	go func() {
	//		defer close(done)
	//		err = client.beat(ctx)
	//	}()
	//	client.post(ctx, request) // encodes it
	//	<-done
	births []pta.Site
	makers *idset.Set[pta.InstID] // once asked for: crosses(births)
	marks  map[*frame][]bool
	astir  map[stirKey]*idset.Set[pta.InstID]
}

// marked returns where a frame makes objects of which it matters, by gap; nil for nowhere.
func (s *stops) marked(a *Analysis, fr *frame) []bool {
	marks, ok := s.marks[fr]
	if !ok {
		marks = fr.gapsOf(a.bornAt(fr.inst, s.births))
		if s.marks == nil {
			s.marks = make(map[*frame][]bool)
		}
		s.marks[fr] = marks
	}
	return marks
}

// crossesAt reports whether a walk at a gap of a frame passes the making of an object of each round's own.
func (w *walk) crossesAt(fr *frame, g flow.Gap) bool {
	if fr.birth == nil || !fr.birth[g] {
		return false
	}
	if w.stops == nil {
		return true
	}
	marks := w.stops.marked(w.a, fr)
	return marks != nil && marks[g]
}

type stirKey struct {
	frames *frameTable // see withMedia
	birth  pta.Site
}

// stirred returns the instances in which a walk of the class, which ends at a birth,
// may do something else than one that stops nowhere: it may stop there, or in what
// they call without returning, or not return from it.
func (s *stops) stirred(a *Analysis, birth pta.Site) *idset.Set[pta.InstID] {
	k := stirKey{a.frames, birth}
	if set := s.astir[k]; set != nil {
		return set
	}
	work := slices.Clone(s.insts)
	if birth.Inst >= 0 {
		work = append(work, a.copiesOf(birth.Inst)...)
	}
	held := new(idset.Set[pta.InstID]) // what is known of their return rests on what stops
	set := new(idset.Set[pta.InstID])
	for _, i := range work {
		held.Add(i)
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		set.Add(i)
		for _, c := range a.in.Callers(i) {
			if a.frameOf(c.Inst) == nil || a.in.IsSpawn(c) {
				continue
			}
			set.Add(c.Inst)
			if !held.Has(c.Inst) && slices.Contains(a.returnsBy(c.Inst), i) {
				held.Add(c.Inst)
				work = append(work, c.Inst)
			}
		}
	}
	if s.astir == nil {
		s.astir = make(map[stirKey]*idset.Set[pta.InstID])
	}
	s.astir[k] = set
	return set
}

// returnsBy returns callees from which an instance's way to its end returns: with
// all of them it returns, too, whatever happens in the others.
func (a *Analysis) returnsBy(i pta.InstID) []pta.InstID {
	in := a.interiorOf(i)
	if in.exits && !in.wayKnown {
		in.way, in.wayKnown = a.wayOut(i, in), true
	}
	return in.way
}

// wayOut finds a way to the end of an instance on calls that returned before its
// interior did.
func (a *Analysis) wayOut(i pta.InstID, in *interior) []pta.InstID {
	fr := a.frameOf(i)
	type arrival struct {
		from flow.Gap // plus one
		by   pta.InstID
	}
	came := make([]arrival, len(fr.block))
	work := []flow.Gap{fr.f.Entry()}
	came[work[0]] = arrival{work[0] + 1, noThread}
	for k := 0; k < len(work); k++ {
		g := work[k]
		to := func(h flow.Gap, by pta.InstID) {
			if came[h].from == 0 {
				came[h] = arrival{g + 1, by}
				work = append(work, h)
			}
		}
		if next := fr.next[g]; next != g {
			to(next, noThread)
			continue
		}
		b := fr.block[g]
		blk := &fr.f.Blocks[b]
		if s := int32(g) - b; s < blk.Hi {
			if by, ok := a.passesBy(fr, s, in.rank); ok {
				to(g+1, by)
			}
			continue
		}
		if blk.Exit {
			var way []pta.InstID
			for h := g; ; {
				c := came[h]
				if c.by != noThread && !slices.Contains(way, c.by) {
					way = append(way, c.by)
				}
				if c.from-1 == h {
					return way
				}
				h = c.from - 1
			}
		}
		for k := range blk.Succs {
			if next, ok := a.follows(i, fr.f, &blk.Succs[k]); ok {
				to(fr.f.First(next), noThread)
			}
		}
	}
	return nil
}

// passesBy reports whether control passes a step, and the call that has to return
// for it, which did so before a rank; noThread for none.
func (a *Analysis) passesBy(fr *frame, s, rank int32) (by pta.InstID, ok bool) {
	passes, enter := a.freeStep(fr, s)
	if passes || fr.f.Steps[s].Optional {
		return noThread, true
	}
	for _, c := range enter {
		if in := a.interiorOf(c); in.exits && in.rank < rank {
			return c, true
		}
	}
	return noThread, false
}

// calm reports whether a table takes an instance from its interior when it enters
// it in a mode.
func (w *walk) calm(i pta.InstID, mode uint8) bool {
	if w.tab == nil || w.stops == nil || w.stops.stirred(w.a, w.birth).Has(i) {
		return false
	}
	if len(w.stops.births) == 0 || mode == crossed {
		return true
	}
	if w.stops.makers == nil {
		w.stops.makers = w.a.crosses(w.stops.births)
	}
	return !w.stops.makers.Has(i)
}

// crosses returns the instances that make an object at one of some births, themselves
// or by calls: behind a call of theirs a walk may mean the next round's.
func (a *Analysis) crosses(births []pta.Site) *idset.Set[pta.InstID] {
	k := fmt.Sprint(births)
	set := a.crossing[k]
	if set == nil {
		set = new(idset.Set[pta.InstID])
		a.callersBy(set, a.born(births), func(c pta.Site) bool { return !a.in.IsSpawn(c) })
		if a.crossing == nil {
			a.crossing = make(map[string]*idset.Set[pta.InstID])
		}
		a.crossing[k] = set
	}
	return set
}

// stay notes that a table has come to a calm instance.
func (w *walk) stay(n node) {
	fr := w.a.frameOf(n.inst)
	e := w.entry(fr, n.mode, noSite)
	if e.calm {
		return
	}
	e.calm = true
	if w.a.interiorOf(n.inst).exits {
		e.exits |= 1 << (n.mode - fresh)
	}
	row := w.rowOf(fr, n.mode, noSite)
	w.tab.rows[row-1].calm = true
	w.calms = append(w.calms, row)
}

// goOn takes a table on to what a calm instance calls, and spawns if asked for.
func (w *walk) goOn(row int32) {
	r := w.tab.rows[row-1]
	in := w.a.interiorOf(r.fr.inst)
	n := node{inst: r.fr.inst, mode: r.mode, crossed: r.mode == crossed, via: noSite}
	for _, c := range in.calls {
		w.goInto(n, r.fr, row, c)
	}
	if w.spawns {
		for _, c := range in.spawns {
			w.goInto(n, r.fr, row, c)
		}
	}
}

func (w *walk) goInto(n node, fr *frame, row int32, c callee) {
	if !w.goesThrough(c.inst) {
		w.tab.absorbs(row, c.inst)
		return
	}
	in := w.entryOf(c.inst, n, w.viaOf(n.inst, fr, c))
	w.begin(in)
	w.tab.calls(row, w.rowOf(w.a.frameOf(c.inst), in.mode, in.via))
}
