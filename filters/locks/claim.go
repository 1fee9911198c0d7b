package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for claims: who is the first to set a flag has for itself
// what the flag stands for.
//
//	if x.claimed.CompareAndSwap(false, true) { x.n++ }
//
//	for !x.owner.CompareAndSwap(nobody, me) { runtime.Gosched() }
//	x.n++
//	x.owner.Store(nobody)
//
//	mu.Lock()
//	if visited[x] { mu.Unlock(); return }
//	visited[x] = true
//	mu.Unlock()
//	x.n++
//
// A claim is a lock that is held from then on, by one thread only: it is acquired
// by the operation that finds the flag free and sets it, or, with plain accesses,
// by a store under the lock under which the flag was found to be zero. Free is a flag
// that is zero, or that is the constant which the operation expects to find. Who has it
// may give it back by setting the flag free, under the same lock if there is
// one. Anybody else who sets it free, or to what is not known, breaks it. Who claims it
// with a mark of his own, which is no constant, takes one that is not that of a free
// flag (soundness: own-marks).

// A claimKey names what a claim was found to be.
type claimKey struct {
	at   pta.Site
	path flow.Path
}

// claimedBy is s on an edge that proves something about a flag by which something
// may be claimed, and which was looked at then.
func (a *Analysis) claimedBy(i pta.InstID, f *flow.Func, ev *flow.Event, then look, s *state) *state {
	if ev.Kind != flow.FlagTest {
		return a.found(i, f, ev, then, s)
	}
	st := syncAt(f, ev.Site)
	if st == nil {
		return s
	}
	if countsDown(ev) {
		h := a.claim(i, f, ev.Site, ev.Path)
		h.last = true
		if ev.Cmp == "==" {
			h.delta = ev.Delta
		}
		return a.acquire(s, h)
	}
	if ev.Cmp != "==" {
		return s
	}
	switch ev.Op {
	case library.OpAtomicCAS, library.OpAtomicSwap:
		h := a.claim(i, f, ev.Site, ev.Path)
		h.free = ev.Const
		return a.acquire(s, h)
	case library.OpAtomicAdd:
		if ev.HasDelta && ev.Delta != 0 {
			h := a.claim(i, f, ev.Site, ev.Path)
			h.delta = ev.Delta
			return a.acquire(s, h)
		}
	}
	return s
}

// found is s where a plain test has found a flag to be zero, or not, under a lock.
func (a *Analysis) found(i pta.InstID, f *flow.Func, ev *flow.Event, then look, s *state) *state {
	p := f.Path(ev.Path)
	if len(s.held) == 0 || !p.Known() {
		return s
	}
	if ev.Kind == flow.PlainTest {
		for _, to := range a.settings(flow.LastField(p)) {
			s = a.foundPlain(i, f, ev, to, then, s)
		}
	}
	if !a.setBy(f, p) || !ev.Allows(0) || ev.Allows(1) || ev.Allows(-1) {
		return s
	}
	for k := range s.held {
		g := &s.held[k]
		if g.Once || g.Claim || !g.Write || g.conditional() || !heldSince(g, then) {
			continue
		}
		h := a.claim(i, f, ev.Site, ev.Path)
		if _, _, near := besides(g.Path, h.Path); near || a.oneCell(g, g) {
			h.Write, h.Guard = false, g
			return a.acquire(s, h)
		}
	}
	return s
}

// took is s where a test tells that a flag was zero when the same block has looked at it, under a lock, and has set it right
// afterwards; ok is false elsewhere:
//
//	start := !q.busy
//	q.busy = true
//	q.mu.Unlock()
//	if start {
func (a *Analysis) took(i pta.InstID, f *flow.Func, b int32, ev *flow.Event, states []*state, s *state) (out *state, ok bool) {
	p, g := f.Path(ev.Path), f.GapOf(ev.Site)
	if s == nil || ev.Kind != flow.PlainTest || !p.Known() || f.BlockOf(g) != b || !ev.Allows(0) || ev.Allows(1) || ev.Allows(-1) {
		return s, false
	}
	if states[g] == nil || !slices.ContainsFunc(f.Stores, func(st flow.Store) bool {
		return st.Const != 0 && st.At > ev.Site && f.GapOf(st.At) == g && f.Path(st.Path) == p // whatever frees it then has no claim
	}) {
		return s, false
	}
	for k := range states[g].held {
		by := states[g].held[k]
		if by.Once || by.Claim || by.Flag || !by.Write || by.conditional() {
			continue
		}
		h := a.claim(i, f, ev.Site, ev.Path)
		if _, _, near := besides(by.Path, h.Path); near || a.oneCell(&by, &by) {
			h.Guard = &by
			return a.acquire(s, h), true
		}
	}
	return s, false
}

// claim names the flag that is tested at a site.
func (a *Analysis) claim(i pta.InstID, f *flow.Func, site ssair.Instr, path flow.PathID) Held {
	h := named(i, f, site, path)
	h.Claim, h.Write = true, true
	if h.Locs = a.operands(i, site); len(h.Locs) == 0 {
		h.Locs = slices.Clone(a.cells(pta.Site{Inst: i, At: site}))
	}
	h.key, h.cells = keyOf(h.Path), h.Locs
	if h.Elem && len(h.Locs) > 1 {
		// The parts of an array that the analysis tells apart are one array.
		one := a.w.Object(h.Locs[0]).Object
		if !slices.ContainsFunc(h.Locs, func(l pta.Loc) bool { return a.w.Object(l).Object != one }) {
			h.Locs = h.Locs[:1:1]
		}
	}
	return h
}

// keyOf returns the index of the element that a path leads to.
func keyOf(p flow.Path) flow.Path {
	if !indexed(p) {
		return flow.Path{}
	}
	k := strings.TrimSuffix(strings.TrimPrefix(lastIndex(p.Sels), "["), "]")
	n := strings.IndexAny(k, ".[*~#")
	if n < 0 {
		n = len(k)
	}
	return flow.Path{Root: k[:n], Sels: k[n:]}
}

// setBy reports whether a function sets the flag of a path.
func (a *Analysis) setBy(f *flow.Func, p flow.Path) bool {
	return p.Known() && slices.ContainsFunc(f.Stores, func(st flow.Store) bool { return st.Const != 0 && f.Path(st.Path) == p })
}

// bySet reports whether a plain store may change what is known of a claim or flag.
func bySet(h Held) bool { return h.Claim || h.plain != "" }

// stored is s after the plain stores of a function from one instruction to another,
// between which there is no step.
func (a *Analysis) stored(f *flow.Func, from, to ssair.Instr, s *state) *state {
	if s == nil || len(f.Stores) == 0 || !slices.ContainsFunc(s.held, bySet) {
		return s
	}
	for k := range f.Stores {
		st := &f.Stores[k]
		if st.At < from || st.At >= to {
			continue
		}
		p := f.Path(st.Path)
		s = storedPlain(s, p, st.Const)
		for j := range s.held {
			h := s.held[j]
			if !h.Claim || !p.Known() || h.Path != p {
				continue
			}
			if st.Const == 0 {
				s = a.unclaim(s, h)
			} else if !h.Write {
				s = s.clone()
				s.held[j].Write = true
			}
			break
		}
	}
	return s
}

// before is s, which is found at the beginning of the gap before step k, right before the
// step.
func (a *Analysis) before(f *flow.Func, k int32, s *state) *state {
	if s == nil || len(f.Stores) == 0 || !slices.ContainsFunc(s.held, bySet) {
		return s
	}
	st := &f.Steps[k]
	from := f.Blocks[f.BlockOf(f.BeforeStep(k))].First
	if k > 0 {
		from = max(from, f.Steps[k-1].At)
	}
	s = a.stored(f, from, st.At, s)
	if st.Kind == flow.Spawn && a.lender != nil {
		s = a.claimedNext(f, k, s)
	}
	return s
}

// unclaim is s after a claim may have been given back.
func (a *Analysis) unclaim(s *state, h Held) *state {
	out := s.clone()
	out.held = slices.DeleteFunc(out.held, func(g Held) bool { return mayBeClaim(&g, &h) })
	out.miss(h)
	return out
}

// mayBeClaim reports whether g is a claim, and h may be the same.
func mayBeClaim(g, h *Held) bool {
	return g.Claim && g.free == h.free && (g.Path.Known() && g.Path == h.Path || !(g.Path.Known() && h.Path.Known()) && mayAlias(g.Locs, h.Locs))
}

// notClaimed forgets which flags are zero: others may set them.
func notClaimed(s *state) *state {
	free := func(h Held) bool { return h.Claim && !h.Write }
	if !slices.ContainsFunc(s.held, free) {
		return s
	}
	out := s.clone()
	out.held = slices.DeleteFunc(out.held, free)
	return out
}

// valid reports whether only who has a claim ever gives it back. Two claims of one flag
// that are valid exclude one another also if the flag is free to them when it is something
// else: who has the one would have to set it free for the other, and has not that.
func (a *Analysis) valid(h *Held) bool {
	if !h.Write {
		return false // the flag was found to be zero, and is not set yet
	}
	k := claimKey{h.Acq, h.Orig}
	if ok, known := a.claims[k]; known {
		return ok
	}
	if a.claims == nil {
		a.claims = make(map[claimKey]bool)
	}
	a.claims[k] = false
	writers, ok := a.w.WritersOf(h.cells)
	ok = ok && !slices.ContainsFunc(writers, func(w pta.Site) bool { return !a.keepsClaim(h, w) })
	a.claims[k] = ok
	return ok
}

// keepsClaim reports whether what writes a flag leaves claims to those who have
// them.
func (a *Analysis) keepsClaim(h *Held, w pta.Site) bool {
	f := a.w.Flow(w.Inst)
	if f == nil {
		return false
	}
	if st := syncAt(f, w.At); st != nil {
		switch {
		case h.Guard != nil || len(st.Args) == 0:
			return false
		case !st.HasConst:
			return h.delta == 0 && claimsMarked(st) && st.Old == h.free
		case st.Op == library.OpAtomicAdd:
			return h.delta != 0 && st.Const > 0 == (h.delta > 0) && st.Const != 0
		case h.delta != 0 || !changesAtomic(st.Op) || st.Op == library.OpAtomicAnd:
			return false
		case st.Op == library.OpAtomicOr:
			return st.Const != 0 && h.free == 0
		}
		return st.Const != h.free || a.hasClaim(w, f.Path(st.Args[0]), h.free)
	}
	some := false
	for k := range f.Stores {
		st := &f.Stores[k]
		p := f.Path(st.Path)
		if st.At != w.At || strings.HasSuffix(p.Sels, ".?") != strings.HasSuffix(h.Orig.Sels, ".?") {
			continue
		}
		if h.Guard == nil || !a.heldAt(w, p, h) || st.Const == 0 && !a.hasClaim(w, p, 0) {
			return false
		}
		some = true
	}
	return some
}

// hasClaim reports whether a claim of a name is held at a site, of a flag for which free
// is what it is when nobody has it.
func (a *Analysis) hasClaim(s pta.Site, p flow.Path, free int64) bool {
	return p.Known() && slices.ContainsFunc(a.AtSite(s), func(h Held) bool { return h.Claim && h.Write && h.Path == p && h.free == free })
}

// claimsMarked reports whether a step claims a flag, if it is free, with what is no constant.
func claimsMarked(st *flow.Step) bool {
	return st.Op == library.OpAtomicCAS && st.HasOld && !st.HasConst
}

// ownMarks reports whether a claim may be made with a mark of which it is not known that it
// is none of a free flag.
func (a *Analysis) ownMarks(h *Held) bool {
	marks := func(w pta.Site) bool {
		f := a.w.Flow(w.Inst)
		if f == nil {
			return false
		}
		st := syncAt(f, w.At)
		return st != nil && claimsMarked(st) && !st.Differs
	}
	writers, _ := a.w.WritersOf(h.cells)
	return slices.ContainsFunc(writers, marks) || slices.ContainsFunc(a.w.WritersBeside(h.cells), marks)
}

// frees reports whether a step may set free a flag for which what it stores means that.
func (a *Analysis) frees(st *flow.Step) bool {
	switch st.Op {
	case library.OpAtomicStore, library.OpAtomicSwap, library.OpAtomicCAS:
		return st.HasConst && len(st.Args) > 0 && slices.Contains(a.free, st.Const)
	}
	return false
}

// syncAt returns the operation on an atomic at an instruction, or nil.
func syncAt(f *flow.Func, at ssair.Instr) *flow.Step {
	for _, k := range f.StepsAt(at) {
		if st := &f.Steps[k]; st.Kind == flow.Sync && st.Site == at {
			return st
		}
	}
	return nil
}

// byKey decides whether to meet at the datum is to meet at a claim that has it, or
// what points to it, for its key. The map is one object, whatever leads to it.
func (a *Analysis) byKey(dx flow.Path, g *Held, dy flow.Path, h *Held) verdict {
	if !g.Claim || !h.Claim || !g.Elem || !h.Elem || len(g.Locs) != 1 || len(h.Locs) != 1 || g.Locs[0] != h.Locs[0] ||
		a.object(g.Locs[0]).Many || !isOf(dx, g.key) || !isOf(dy, h.key) {
		return unprotected
	}
	return proven
}

// isOf reports whether a datum is a part of what a key points to.
func isOf(datum, key flow.Path) bool {
	if !key.Known() || datum.Root != key.Root {
		return false
	}
	rest, ok := strings.CutPrefix(datum.Sels, key.Sels)
	return ok && !through(rest) && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// findClaims marks the functions that claim something by an atomic operation, or give it
// back.
func (a *Analysis) findClaims(mark func(pta.InstID)) {
	a.free = []int64{0}
	a.eachSync(func(i pta.InstID, f *flow.Func) {
		for b := range f.Blocks {
			for _, e := range f.Blocks[b].Succs {
				for k := range e.Events {
					switch ev := &e.Events[k]; ev.Op {
					case library.OpAtomicCAS, library.OpAtomicSwap, library.OpAtomicAdd:
						if ev.Kind == flow.FlagTest {
							mark(i)
							if ev.Cmp == "==" && ev.Op != library.OpAtomicAdd && !slices.Contains(a.free, ev.Const) {
								a.free = append(a.free, ev.Const)
							}
						}
					}
				}
			}
		}
	})
	a.eachSync(func(i pta.InstID, f *flow.Func) {
		if slices.ContainsFunc(f.Steps, func(st flow.Step) bool { return a.frees(&st) }) {
			mark(i)
		}
	})
}
