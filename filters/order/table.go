package order

import (
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// What threads come to before they wait for a class is asked of hundreds of
// threads, which call the same functions. How a walk goes on in a function that
// it has entered depends on nothing that came before, so one walk with many
// starts goes through each function once, and notes which calls lead where. What
// one thread comes to is then what its row of that table leads to. On a site
// generator these walks were 37 of the 60 million nodes of all.

// A table has a row for each function that a walk entered, by mode and context.
type table struct{ rows []row }

// A row is what an entry leads to.
type row struct {
	fr    *frame
	mode  uint8
	via   pta.Site
	calls []int32      // rows
	whole []pta.InstID // functions that hold nothing of interest
}

// rowOf returns the number of the row of an entry, plus one.
func (w *walk) rowOf(fr *frame, mode uint8, via pta.Site) int32 {
	e := w.entry(fr, mode, via)
	if e.row == 0 {
		w.tab.rows = append(w.tab.rows, row{fr: fr, mode: mode, via: via})
		e.row = int32(len(w.tab.rows))
	}
	return e.row
}

func (t *table) calls(from, to int32) {
	r := &t.rows[from-1]
	if n := len(r.calls); n == 0 || r.calls[n-1] != to-1 {
		r.calls = append(r.calls, to-1)
	}
}

func (t *table) absorbs(from int32, c pta.InstID) {
	r := &t.rows[from-1]
	if n := len(r.whole); n == 0 || r.whole[n-1] != c {
		r.whole = append(r.whole, c)
	}
}

// tabled returns what thread t may come to before it waits for the class; nil if
// a walk of its own has to tell. That is so while a place is being decided, which
// counts as one that awaits nothing: the table would keep what comes after it.
func (a *Analysis) tabled(t pta.InstID, c *class) *walk {
	fr := a.frameOf(t)
	if c.asking > 0 || fr == nil {
		return nil
	}
	if c.table == nil {
		c.table = a.newWalk()
		c.table.avoid, c.table.tab = a.avoiding(c), new(table)
	}
	w := c.table
	if !w.exhausted {
		w.push(node{t, fr.f.Entry(), fresh, false, noSite})
		w.run()
	}
	if w.entry(fr, fresh, noSite).exits != 0 && a.called(t) {
		return nil // it returns to where the table has not begun
	}
	return w.startingAt(w.rowOf(fr, fresh, noSite))
}

// called reports whether t is not only spawned.
func (a *Analysis) called(t pta.InstID) bool {
	for _, c := range a.in.Callers(t) {
		f := a.w.Flow(c.Inst)
		if f == nil {
			continue
		}
		for _, k := range f.StepsAt(c.At) {
			if kind := f.Steps[k].Kind; kind != flow.Spawn && kind != flow.Parallel {
				return true
			}
		}
	}
	return false
}

// A tablePart is what one row of a table leads to.
type tablePart struct {
	of    *walk
	modes pages[uint8]        // by frame: the modes of its rows, as bits
	vias  map[frameID][]int32 // rows with a call site as context
}

// startingAt returns what a row leads to as a walk.
func (w *walk) startingAt(first int32) *walk {
	out := w.a.newWalk()
	p := &tablePart{of: w}
	out.part, out.exhausted = p, w.exhausted
	seen := new(idSet[int32])
	work := []int32{first - 1}
	seen.add(first - 1)
	for len(work) > 0 {
		r := &w.tab.rows[work[len(work)-1]]
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if r.via == noSite {
			*p.modes.at(int32(r.fr.id)) |= 1 << r.mode
		} else {
			if p.vias == nil {
				p.vias = make(map[frameID][]int32)
			}
			p.vias[r.fr.id] = append(p.vias[r.fr.id], n)
		}
		for _, c := range r.calls {
			if seen.add(c) {
				work = append(work, c)
			}
		}
		for _, c := range r.whole {
			out.absorb(c)
		}
	}
	w.a.fuel -= len(seen.bits)
	return out
}

// at is walk.at without what is absorbed.
func (p *tablePart) at(fr *frame, g flow.Gap) uint8 {
	v := uint8(0)
	if modes := p.modes.get(int32(fr.id)); modes != 0 {
		bits := p.of.visited.get(fr.gaps + int32(g))
		for m := fresh; m <= crossed; m++ {
			if modes&(1<<m) != 0 {
				v |= bits & (3 << (2 * m))
			}
		}
	}
	for _, n := range p.vias[fr.id] {
		r := &p.of.tab.rows[n]
		for _, over := range []bool{false, true} {
			if p.of.seen[node{fr.inst, g, r.mode, over, r.via}] {
				v |= 1 << (2 * r.mode)
			}
		}
	}
	return v
}
