package locks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file relates a lock and a datum that are variables of one frame. A
// function that starts goroutines may itself run many times; its variables
// then stand for many, but a closure sees those of one run only: who meets at
// one variable of that run meets at the others.

// A maker is where a closure is made.
type maker struct {
	in *flow.Func
	c  *flow.Closure
}

// makerOf returns where closures that run fn are made.
func (a *Analysis) makerOf(fn string) (maker, bool) {
	if a.makers == nil {
		a.makers = make(map[string]maker)
		for _, i := range a.in.Instances() {
			f := a.w.Flow(i)
			if f == nil {
				continue
			}
			for k := range f.Closures {
				a.makers[f.Closures[k].Fn] = maker{f, &f.Closures[k]}
			}
		}
	}
	m, ok := a.makers[fn]
	return m, ok
}

// A cell is a variable of a frame: there is one for each run of the function,
// or for each round of the loop that declares it.
type cell struct {
	in   *flow.Func
	at   ssair.Instr
	loop int32       // innermost around it, or -1
	use  ssair.Instr // in the function: where it is used, or captured by what uses it
}

// variable returns the variable of f made at an instruction, as used at another.
func variable(f *flow.Func, at, use ssair.Instr) (cell, bool) {
	if !f.MakesMemory(at) || f.CellsOf(at) != nil {
		return cell{}, false
	}
	c := cell{f, at, f.Innermost(f.Block(at)), use}
	// Within a round the variables are those of the round.
	return c, c.loop < 0 || f.Loops[c.loop].Has(f.Block(use))
}

// beside reports whether there is one of c for all runs and rounds that have one datum.
func (c cell) beside(datum cell) bool {
	return c.in.Name == datum.in.Name && (c.loop < 0 || c.loop == datum.loop)
}

// cellOf returns the variable that root denotes in f, where it is used at an
// instruction: in f itself or in a function around it.
func (a *Analysis) cellOf(f *flow.Func, root string, use ssair.Instr) (cell, bool) {
	for range 8 {
		if at, ok := (flow.Path{Root: root}).Made(); ok {
			return variable(f, at, use)
		}
		if len(root) < 2 || root[0] != 'f' {
			return cell{}, false
		}
		k, err := strconv.Atoi(root[1:])
		m, ok := a.makerOf(f.Name)
		if err != nil || !ok || k >= len(m.c.Binds) {
			return cell{}, false
		}
		p := m.in.Path(m.c.Binds[k])
		if p.Sels != "" {
			return cell{}, false
		}
		f, root, use = m.in, p.Root, m.c.At
	}
	return cell{}, false
}

// besideLock reports whether an access gets at an object through variables of the run that
// makes lock h alone, and how many loads lead from there: at an entry of a table
//
//	func (s *store) collect(keys []string) map[string]*entry {
//		var mu sync.Mutex
//		table := make(map[string]*entry)
//		for _, k := range keys {
//			go func() { mu.Lock(); e := table[k]; …; mu.Unlock() }()
//		}
//		…
//
// by the table, however many run the function: who meets at the entry has one table, and
// one lock (soundness: owner-lock).
func (a *Analysis) besideLock(x side, o *model.Object, h *Held) (n int, ok bool) {
	f := a.w.Flow(h.Acq.Inst)
	if f == nil || h.Orig.Loads() {
		return 0, false
	}
	lock, ok := a.cellOf(f, h.Orig.Root, h.Acq.At)
	if !ok || lock.loop >= 0 {
		return 0, false
	}
	owners := a.w.MadeBeside(h.Locs)
	if len(owners) == 0 {
		return 0, false
	}
	loads, ok := a.w.Behind(x.Access, o, owners)
	return len(loads), ok && !slices.ContainsFunc(loads, func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		c, ok := a.cellOf(f, f.Memory(s.At, -1).Root, s.At)
		return !ok || !lock.beside(c) || c.loop >= 0
	})
}

// ofOneRun relates lock h and the datum of x, at path d, as variables of one
// frame. Both are named in the frame of the access, so that they are seen
// through one chain of closures.
func (a *Analysis) ofOneRun(x *model.Access, d flow.Path, h *Held) (distance, bool) {
	f := a.w.Flow(pta.InstID(x.Inst))
	if f == nil || !h.Path.Known() {
		return distance{}, false
	}
	at := ssair.Instr(x.Instr)
	datum, ok := a.cellOf(f, d.Root, at)
	if !ok {
		return distance{}, false
	}
	path, own := h.Path, f
	if c, ok := a.cellOf(f, path.Root, at); ok {
		f, path, at = c.in, flow.Path{Root: flow.ValueAt(c.at).Root, Sels: path.Sels}, c.use
	}
	// What the closure has by the variable of a parameter, the function itself has by the
	// parameter. Versions and indices are those of the frame of the access.
	if f == own || !strings.ContainsAny(path.Sels, "~[") {
		path = f.ByVariable(path)
	}
	root, ok := path.Made()
	if !ok {
		return distance{}, false
	}
	lock, ok := variable(f, root, at)
	if !ok || !lock.beside(datum) {
		return distance{}, false
	}
	// What a variable holds that is assigned once is no other later on.
	sels := path.Loose().Sels
	if strings.HasPrefix(path.Sels, "*") {
		sels = sels[1:]
	}
	l, p, _ := apart(flow.Path{Root: f.Name, Sels: sels}, flow.Path{Root: f.Name, Sels: "^" + d.Loose().Sels})
	return distance{lock: l, datum: p, frame: fmt.Sprintf("%s:%d:%d", f.Name, lock.at, datum.at)}, true
}
