package order

import (
	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/pages"
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

// maxTable is maxWalk for a table, which stands for many walks.
const maxTable = 4 * maxWalk

// A row is what an entry leads to.
type row struct {
	fr    *frame
	mode  uint8
	via   pta.Site
	calm  bool         // see calm
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

// A tableKind says which walks share a table of a class.
type tableKind struct {
	frames *frameTable // see withMedia
	spawns bool
	birth  pta.Site
}

// tableOf returns a table of the class; nil if walks of their own have to tell.
// That is so while a place is being decided, which counts as one that awaits
// nothing: the table would keep what comes after it.
func (a *Analysis) tableOf(c *class, k tableKind) *walk {
	if c.asking > 0 || a.plain {
		return nil
	}
	w := c.tables[k]
	if w == nil {
		w = a.newWalk()
		w.until(c).spawns, w.birth = k.spawns, k.birth
		w.tab, w.budget = new(table), maxTable
		if c.tables == nil {
			c.tables = make(map[tableKind]*walk)
		}
		c.tables[k] = w
	}
	return w
}

// inTable takes a table to what the entry of a function leads to, and returns
// the number of its row, plus one.
func (w *walk) inTable(n node) int32 {
	fr := w.a.frameOf(n.inst)
	if !w.exhausted {
		w.begin(n)
		w.run()
	}
	return w.rowOf(fr, n.mode, n.via)
}

// tabled returns what thread t may come to before it waits for the class; nil if
// a walk of its own has to tell.
func (a *Analysis) tabled(t pta.InstID, c *class) *walk {
	fr := a.frameOf(t)
	if fr == nil {
		return nil
	}
	w := a.tableOf(c, tableKind{frames: a.frames, birth: noSite})
	if w == nil {
		return nil
	}
	row := w.inTable(node{t, fr.f.Entry(), fresh, false, noSite})
	if w.entry(fr, fresh, noSite).exits != 0 && a.called(t) {
		return nil // it returns to where the table has not begun
	}
	out := a.newWalk()
	out.sub, out.exhausted = w, w.exhausted
	out.leadsTo([]int32{row})
	return out
}

// sharing lets a walk that stops at what awaits the class take from a table what
// the functions that it calls lead to: of those that start in the middle of a
// thread, only the frames that they start in and return to are their own.
func (w *walk) sharing(c *class) *walk {
	if w.avoid != nil {
		w.sub = w.a.tableOf(c, tableKind{w.a.frames, w.spawns, w.birth})
	}
	return w
}

// lookUp enters the function of n, by what the table knows of it, and returns how
// it may return.
func (w *walk) lookUp(n node) (exits uint8) {
	w.rows = append(w.rows, w.sub.inTable(n))
	w.exhausted = w.exhausted || w.sub.exhausted
	return w.sub.entry(w.a.frameOf(n.inst), n.mode, n.via).exits
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

// A tablePart is what some rows of a table lead to.
type tablePart struct {
	of    *walk
	modes pages.Table[int32, uint8] // by frame: the modes of its rows, as bits
	calms pages.Table[int32, uint8] // the same of those that are calm
	vias  map[frameID][]int32       // rows with a call site as context
}

// leadsTo adds to a walk what rows of its table lead to.
func (w *walk) leadsTo(rows []int32) {
	p := &tablePart{of: w.sub}
	w.part = p
	seen := new(idset.Set[int32])
	var work []int32
	for _, r := range rows {
		if seen.Add(r - 1) {
			work = append(work, r-1)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		r := &p.of.tab.rows[n]
		work = work[:len(work)-1]
		if r.calm {
			*p.calms.At(int32(r.fr.id)) |= 1 << r.mode
		} else if r.via == noSite {
			*p.modes.At(int32(r.fr.id)) |= 1 << r.mode
		} else {
			if p.vias == nil {
				p.vias = make(map[frameID][]int32)
			}
			p.vias[r.fr.id] = append(p.vias[r.fr.id], n)
		}
		for _, c := range r.calls {
			if seen.Add(c) {
				work = append(work, c)
			}
		}
		for _, c := range r.whole {
			w.absorb(c)
		}
	}
	w.a.fuel -= seen.Words()
}

// at is walk.at for what the table has, without what is absorbed.
func (p *tablePart) at(fr *frame, g flow.Gap) uint8 {
	v := uint8(0)
	if modes := p.modes.Get(int32(fr.id)); modes != 0 {
		bits := p.of.visited.Get(fr.gaps + int32(g))
		for m := fresh; m <= crossed; m++ {
			if modes&(1<<m) != 0 {
				v |= bits & (3<<(2*m) | passedBelow)
			}
		}
	}
	if calms := p.calms.Get(int32(fr.id)); calms != 0 && p.of.a.interiorOf(fr.inst).gaps[g] {
		for m := fresh; m <= crossed; m++ {
			if calms&(1<<m) != 0 {
				v |= 1 << (2*m + m - fresh)
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
