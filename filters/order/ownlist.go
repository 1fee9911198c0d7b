package order

import (
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what a function makes for its goroutines to fill, and hands
// on when they are done:
//
//	var errs []error
//	for _, a := range addrs {
//		wg.Go(func() { …; mu.Lock(); errs = append(errs, err); mu.Unlock() })
//	}
//	wg.Wait()
//	return join(errs)
//
// Each run of the function has another list. Whoever reads one, in whatever thread, has
// it from a run that has waited for its goroutines before it handed the list on
// (soundness: handed-on): that all lists have one name, and are read by one function, shows
// nothing.

// ofOwnList reports whether x, of a goroutine, goes to what a variable of the frame that
// has started it holds, and y can have that only when x is over.
func (a *Analysis) ofOwnList(r *model.Race, x, y access) bool {
	if a.cut != nil {
		return false
	}
	p := a.addr(x)
	root, ok := variableOf(p)
	if !ok || a.touchesSeveral(x) && a.w.Sliced(r.A) != 0 {
		return false
	}
	g := a.w.Flow(y.inst)
	if g == nil {
		return false
	}
	x.birth, x.own = noSite, noSite
	late := func(spawn, cell pta.Site) bool {
		if spawn.Inst != cell.Inst {
			return false
		}
		f := a.w.Flow(cell.Inst)
		v := f.FilledAt(cell.At)
		if v == nil || g.Name == f.Name || strings.HasPrefix(g.Name, f.Name+"$") {
			return false // y may have it from the variable, whenever that was loaded
		}
		w := a.untilOver(x, spawn)
		for _, at := range v.Uses {
			if w.comesInFrame(access{inst: cell.Inst, at: at}) {
				return false
			}
		}
		for _, at := range v.Ons {
			if f.Reaches(f.GapOf(at), f.GapOf(spawn.At), -1, -1) {
				return false // others may have it when the goroutine starts
			}
		}
		return true
	}
	for _, t := range a.threadsOf(x.inst) {
		x.by = t + 1
		if !a.cells(x.inst, t, root, late) {
			return false
		}
	}
	return len(a.threadsOf(x.inst)) > 0
}

// variableOf returns the captured variable that a path leads through, if it loads that and
// nothing behind it.
func variableOf(p flow.Path) (flow.Path, bool) {
	if !strings.HasPrefix(p.Root, "f") || flow.Derefs(p.Sels) != 1 || !strings.HasPrefix(p.Sels, "~") && !strings.HasPrefix(p.Sels, "*") {
		return flow.Path{}, false
	}
	return flow.Path{Root: p.Root}, true
}
