package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about loops whose iterations are started by a call, as of a
// constructor:
//
//	w := newWriter() // go w.drain()
//	…
//	w.Close()        // waits
//
// The loop's solution has two copies of what such a call runs, for the round at
// hand and for others. What they make is known by other names to the code that
// is solved once, and is one place of birth.

// rename gives the operands of operations the names that the copies use.
func (a *Analysis) rename() {
	for _, o := range a.allOps {
		for _, l := range o.locs {
			if x := a.w.Object(l); x.Again && x.Canon != l {
				if a.renamed == nil {
					a.renamed = make(map[pta.Loc]pta.Loc)
				}
				a.renamed[x.Canon] = l
			}
		}
	}
	if a.renamed == nil {
		return
	}
	for _, o := range a.allOps {
		o.locs = a.asRenamed(o.locs)
	}
}

func (a *Analysis) asRenamed(locs []pta.Loc) []pta.Loc {
	if a.renamed == nil {
		return locs
	}
	for k, l := range locs {
		if m, ok := a.renamed[l]; ok {
			locs[k] = m
		}
	}
	slices.Sort(locs)
	return slices.Compact(locs)
}

// copyOf returns the one that stands for all copies of an instance: those of the
// same function that the same call runs, or copies of it.
func (a *Analysis) copyOf(i pta.InstID) pta.InstID {
	if i < 0 || a.w.Thread(i) != model.Main {
		return i
	}
	if c, ok := a.copies[i]; ok {
		return c
	}
	if a.copies == nil {
		a.copies = make(map[pta.InstID]pta.InstID)
	}
	a.copies[i] = i // while it is looked at: recursion has no copies
	out := i
	if callers := a.in.Callers(i); len(callers) == 1 {
		c := callers[0]
		// What the first caller runs stands for all, whatever the numbers are: the copies
		// need not be numbered as their callers are.
		for _, j := range a.in.CalleesAt(a.copyOf(c.Inst), c.At) {
			if a.w.Flow(j) == a.w.Flow(i) && a.w.Thread(j) == model.Main && len(a.in.Callers(j)) == 1 {
				out = j
				break
			}
		}
	}
	a.copies[i] = out
	return out
}

// copiesOf lists the copies of an instance, itself among them.
func (a *Analysis) copiesOf(i pta.InstID) []pta.InstID {
	c := a.copyOf(i)
	if list, ok := a.copyLists[c]; ok {
		return list
	}
	if a.copyLists == nil {
		a.copyLists = make(map[pta.InstID][]pta.InstID)
		a.listed = make(map[string]bool)
	}
	// Those of all instances of the function, of which there may be a thousand.
	if f := a.w.Flow(i); f != nil && !a.listed[f.Name] {
		a.listed[f.Name] = true
		for _, j := range a.w.Named(f.Name) {
			if a.in.Runs(j) {
				k := a.copyOf(j)
				a.copyLists[k] = append(a.copyLists[k], j)
			}
		}
	}
	if len(a.copyLists[c]) == 0 {
		a.copyLists[c] = []pta.InstID{i}
	}
	return a.copyLists[c]
}

// starts returns where goroutines are really started by spawn s of the loop: in
// what it calls, if it is a plain call.
func (a *Analysis) starts(s pta.Site) []pta.Site {
	f := a.w.Flow(s.Inst)
	for _, k := range f.StepsAt(s.At) {
		if f.Steps[k].Kind != flow.Call {
			return []pta.Site{s}
		}
	}
	var out []pta.Site
	for _, side := range []model.Thread{model.Alpha, model.Beta} {
		for _, b := range a.w.Bodies(side) {
			for _, c := range a.in.Callers(b) {
				if a.in.IsSpawn(c) && !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	if len(out) == 0 {
		return []pta.Site{s}
	}
	return out
}
