package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about the locks of all elements of a list:
//
//	for _, a := range accounts {
//		a.mu.Lock()
//		defer a.mu.Unlock()
//	}
//	for _, a := range accounts {
//		sum += a.balance
//	}
//
// Each round of the first loop ends with the lock of its own element, and none gives one back. When the
// list is at its end all are held, by a name in which any index may stand for the one that is not said.

// everyIndex stands for any index in the path of such a lock.
const everyIndex = "[@]"

// An afterLoop is the locks that a loop leaves held when it has come to the end of its list.
type afterLoop struct {
	loop  int32
	locks []Held
}

// lockedByLoops finds the loops of f that lock all of a list, given the states of f without that.
func (a *Analysis) lockedByLoops(i pta.InstID, f *flow.Func, states []*state) (out []afterLoop) {
	for k := range f.Loops {
		l := &f.Loops[k]
		if len(l.Each) == 0 || l.ExitFrom != l.Header || !locksIn(f, l) {
			continue
		}
		if locks := a.lockedInRounds(f, l, states); len(locks) > 0 && !a.releasesIn(i, f, l, locks) {
			out = append(out, afterLoop{int32(k), locks})
		}
	}
	return out
}

// locksIn reports whether a loop itself locks something.
func locksIn(f *flow.Func, l *flow.Loop) bool {
	return slices.ContainsFunc(l.Blocks, func(b int32) bool {
		blk := &f.Blocks[b]
		return slices.ContainsFunc(f.Steps[blk.Lo:blk.Hi], func(st flow.Step) bool { return acquires(st.Op) || acquires(st.Locker) })
	})
}

func acquires(op library.Op) bool { return op == library.OpLock || op == library.OpRLock }

// lockedInRounds lists the locks of the round's own element that are held where any round ends, by the names that
// they have for all elements.
func (a *Analysis) lockedInRounds(f *flow.Func, l *flow.Loop, states []*state) (out []Held) {
	some := false
	for _, b := range l.Blocks {
		blk := &f.Blocks[b]
		if !slices.ContainsFunc(blk.Succs, func(e flow.Edge) bool { return e.To == l.Header && !e.Dead }) {
			continue
		}
		s := states[b+blk.Hi]
		if s == nil {
			continue // no round ends so
		}
		var held []Held
		for _, h := range s.held {
			if !h.outright() || h.mixed || len(h.lent) > 0 || !l.Has(f.Block(h.Acq.At)) {
				continue
			}
			if p, ok := everyOf(f, l, h.Path); ok {
				h.Path, h.Orig, h.Through = p, p, nil
				held = append(held, h)
			}
		}
		if some {
			held = inBoth(out, held)
		}
		out, some = held, true
	}
	return out
}

// everyOf returns the name that a path of the round's own element has for all elements of the list that a loop goes over.
func everyOf(f *flow.Func, l *flow.Loop, p flow.Path) (flow.Path, bool) {
	for _, id := range l.Each {
		elem := f.Path(id)
		rest, ok := strings.CutPrefix(p.Sels, elem.Sels)
		if !ok || elem.Root != p.Root || rest == "" {
			continue
		}
		list, ok := withoutLast(elem)
		if !ok || slices.ContainsFunc(list.Defined(), func(at ssair.Instr) bool { return l.Has(f.Block(at)) }) {
			continue
		}
		return flow.Path{Root: list.Root, Sels: list.Sels + everyIndex + rest}, true
	}
	return flow.Path{}, false
}

// withoutLast returns the path of a list of which p is an element.
func withoutLast(p flow.Path) (flow.Path, bool) {
	sels := selectors(p.Sels)
	if len(sels) == 0 || sels[len(sels)-1][0] != '[' {
		return p, false
	}
	return flow.Path{Root: p.Root, Sels: strings.Join(sels[:len(sels)-1], "")}, true
}

// releasesIn reports whether a round may give back a lock that an earlier one has taken.
func (a *Analysis) releasesIn(i pta.InstID, f *flow.Func, l *flow.Loop, locks []Held) bool {
	hits := func(h *Held) bool {
		return slices.ContainsFunc(locks, func(g Held) bool { return mayAlias(g.Locs, h.Locs) })
	}
	for _, b := range l.Blocks {
		blk := &f.Blocks[b]
		for k := blk.Lo; k < blk.Hi; k++ {
			st := &f.Steps[k]
			if st.Op == library.OpUnlock || st.Op == library.OpRUnlock {
				if h := a.lockOf(i, f, st); hits(&h) {
					return true
				}
			}
			for _, c := range a.in.Callees(i, f, k) {
				if lib := a.w.Library(c); lib != nil && isLockOp(lib.Op) {
					if !acquires(lib.Op) {
						return true
					}
				} else if a.lockish.Get(c) && slices.ContainsFunc(a.summarize(c).kills, hits) {
					return true
				}
			}
		}
	}
	return false
}

// atEnd is a state on an edge, with the locks that a loop leaves held which ends there.
func (a *Analysis) atEnd(f *flow.Func, after []afterLoop, from, to int32, s *state) *state {
	for k := range after {
		if l := &f.Loops[after[k].loop]; from == l.ExitFrom && to == l.ExitTo {
			for _, h := range after[k].locks {
				s = a.acquire(s, h)
			}
		}
	}
	return s
}

// ofElement is a lock of all elements of a list as that of the one by which an access gets at its datum.
func (a *Analysis) ofElement(h *Held, x side) *Held {
	list, rest, ok := strings.Cut(h.Path.Sels, everyIndex)
	if !ok {
		return h
	}
	datum := a.addr(x.Access)
	behind, ok := strings.CutPrefix(datum.Sels, list)
	if sels := selectors(behind); ok && datum.Root == h.Path.Root && len(sels) > 0 && sels[0][0] == '[' {
		g := *h
		g.Path.Sels = list + sels[0] + rest
		g.Orig = g.Path
		return &g
	}
	return h
}
