package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A lock may be held on some of the ways to an access only:
//
//	if shared() {
//		mu.Lock()
//		defer mu.Unlock()
//	}
//	use(m) // which asks shared() again
//
// That protects nothing, for all that is known; but that the access happens on a way
// without the lock is not shown either: often one test decides about both. Such a race
// is likely at most.

// maxAbove is how many instances above an access are asked for what they may hold.
const maxAbove = 200

const onSomeWays = " is held on some ways to the accesses only"

func saysSometimes(why model.Reason) bool { return strings.HasSuffix(why.Text, onSomeWays) }

// OnSomeWays reports whether a lock may be held at both accesses of a race, at one of them on
// some ways only.
func (a *Analysis) OnSomeWays(r *model.Race) bool { return a.onSomeWays(r) != nil }

// sometimes returns such a lock of a definite race.
func (a *Analysis) sometimes(r *model.Race) *Held {
	if r.Confidence != model.Definite {
		return nil
	}
	return a.onSomeWays(r)
}

// candidates lists the locks that are held, or acquired on a way, at an access of a race.
func (a *Analysis) candidates(r *model.Race) (hs []Held) {
	for _, x := range []*model.Access{r.A, r.B} {
		for _, h := range a.anyOf(x) {
			if isMutex(&h) {
				hs = addLock(hs, h)
			}
		}
		for _, h := range a.acquiredAbove(pta.InstID(x.Inst)) {
			hs = addLock(hs, h)
		}
	}
	return hs
}

func (a *Analysis) onSomeWays(r *model.Race) *Held {
	hs := a.candidates(r)
	for i := range hs {
		h := &hs[i]
		if a.mustHold(pta.InstID(r.A.Inst), ssair.Instr(r.A.Instr), h, false) && a.mustHold(pta.InstID(r.B.Inst), ssair.Instr(r.B.Instr), h, false) {
			if a.mayHoldAsUsed(r.A, h) && a.mayHoldAsUsed(r.B, h) {
				return h
			}
			continue // another of its kind at each
		}
		if a.mayHold(r.A, h, false) && a.mayHold(r.B, h, false) {
			return h
		}
	}
	return nil
}

// mayHoldAsUsed reports whether who holds h at an access, for reading at least, has it for writing on some ways if
// the access is a write, but not on all:
//
//	mu.RLock()
//	v, grow := m[k], false
//	if n > len(v) {
//		mu.RUnlock()
//		mu.Lock()
//		grow = true
//	}
//	if grow {
//		m[k] = append(v, n)
//	}
func (a *Analysis) mayHoldAsUsed(x *model.Access, h *Held) bool {
	return x.Kind != model.Write || !a.mustHold(pta.InstID(x.Inst), ssair.Instr(x.Instr), h, true) && a.mayHold(x, h, true)
}

// maybeOne reports whether both accesses hold a lock that excludes the other's, if they are one:
// nothing shows that they are, and nothing that they are not.
func (a *Analysis) maybeOne(r *model.Race) bool {
	mutexes := func(x *model.Access) []Held {
		return slices.DeleteFunc(slices.Clone(a.anyOf(x)), func(h Held) bool { return !isMutex(&h) })
	}
	return meet(mutexes(r.A), mutexes(r.B))
}

// acquiredAbove lists the locks that are acquired on a way to an instance, by those that lead to it or by what they call.
func (a *Analysis) acquiredAbove(to pta.InstID) (out []Held) {
	if known, ok := a.acquired[to]; ok {
		return known
	}
	seen, below := map[pta.InstID]bool{}, map[pta.InstID]bool{}
	work := []pta.InstID{to}
	for len(work) > 0 && len(seen) < maxAbove {
		i := work[0]
		work = work[1:]
		f := a.w.Flow(i)
		if seen[i] || f == nil {
			continue
		}
		seen[i] = true
		a.eachAcquired(i, f, maxLeaving, below, func(h Held) { out = addLock(out, h) })
		for _, c := range a.in.Callers(i) {
			if !a.in.IsSpawn(c) {
				work = append(work, c.Inst)
			}
		}
	}
	if a.acquired == nil {
		a.acquired = make(map[pta.InstID][]Held)
	}
	a.acquired[to] = out
	return out
}

// addLock adds a lock that is held for writing, unless one of the same places is there.
func addLock(hs []Held, h Held) []Held {
	if !h.Write || len(h.Locs) == 0 || slices.ContainsFunc(hs, func(g Held) bool { return slices.Equal(g.Locs, h.Locs) }) {
		return hs
	}
	return append(hs, h)
}

// eachAcquired visits the locks that an instance acquires, or what it calls and has not been
// looked at.
func (a *Analysis) eachAcquired(i pta.InstID, f *flow.Func, depth int, seen map[pta.InstID]bool, visit func(Held)) {
	for k := range f.Steps {
		switch st := &f.Steps[k]; {
		case a.acquires(i, st):
			visit(a.lockAt(i, f, st))
		case st.Kind == flow.Call && depth > 0:
			for _, c := range a.in.Callees(i, f, int32(k)) {
				if g := a.w.Flow(c); g != nil && a.lockish.Get(c) && !seen[c] && len(seen) < maxAbove {
					seen[c] = true
					a.eachAcquired(c, g, depth-1, seen, visit)
				}
			}
		}
	}
}

func (a *Analysis) acquires(i pta.InstID, st *flow.Step) bool {
	return st.Kind == flow.Sync && (st.Op == library.OpLock || st.Op == library.OpRLock) && a.takenAt(pta.Site{Inst: i, At: st.Site}) != never
}

// mustHold reports whether what may be h is held at an instruction; with write, for writing.
func (a *Analysis) mustHold(i pta.InstID, at ssair.Instr, h *Held, write bool) bool {
	return slices.ContainsFunc(a.at(i, at), h.isLike(write))
}

// isLike returns what tells locks that may be h, with write those held for writing.
func (h *Held) isLike(write bool) func(Held) bool {
	return func(g Held) bool { return isMutex(&g) && (g.Write || !write) && mayAlias(g.Locs, h.Locs) }
}

func isMutex(h *Held) bool { return !h.Once && !h.Flag && !h.Claim }

// mayHold reports whether on every chain of calls to an access h is held on some way; with write, for writing.
func (a *Analysis) mayHold(x *model.Access, h *Held, write bool) bool {
	type point struct {
		i  pta.InstID
		at ssair.Instr
	}
	seen := map[point]bool{}
	work := []point{{pta.InstID(x.Inst), ssair.Instr(x.Instr)}}
	for len(work) > 0 {
		p := work[0]
		work = work[1:]
		if seen[p] {
			continue
		}
		if len(seen) == maxAbove {
			return false
		}
		seen[p] = true
		if a.mustHold(p.i, p.at, h, write) || a.heldOnSome(p.i, p.at, h, write) {
			continue
		}
		cs := a.in.Callers(p.i)
		if len(cs) == 0 {
			return false
		}
		for _, c := range cs {
			if a.in.IsSpawn(c) {
				return false
			}
			work = append(work, point{c.Inst, c.At})
		}
	}
	return true
}

// heldOnSome reports whether instance i, or what it calls, acquires h on some way to an
// instruction, and does not release it on the rest of that way.
func (a *Analysis) heldOnSome(i pta.InstID, at ssair.Instr, h *Held, write bool) bool {
	f := a.w.Flow(i)
	return f != nil && a.acquiredFor(i, f, f.Gaps(at), h, write, maxLeaving)
}

// maxLeaving bounds the calls below an instance in which a lock is looked for that is left held.
const maxLeaving = 3

// acquiredFor reports whether an instance acquires h on a way to one of some gaps, and does not
// release it on the rest of that way:
//
//	func (d *db) begin(writable bool) *tx { // which of them releases it is up to the tx
//		if writable {
//			d.mu.Lock()
//		}
//		return &tx{d, writable}
//	}
func (a *Analysis) acquiredFor(i pta.InstID, f *flow.Func, goals []flow.Gap, h *Held, write bool, depth int) bool {
	for k := range f.Steps {
		st := &f.Steps[k]
		switch {
		case a.acquires(i, st):
			if g := a.lockAt(i, f, st); write && !g.Write || len(g.Locs) == 0 || !mayAlias(g.Locs, h.Locs) {
				continue
			}
		case st.Kind != flow.Call || depth == 0 || !slices.ContainsFunc(a.in.Callees(i, f, int32(k)), func(c pta.InstID) bool { return a.mayLeave(c, h, write, depth-1) }):
			continue
		}
		if a.keptTo(i, f, int32(k), goals, h) {
			return true
		}
	}
	return false
}

// mayLeave reports whether an instance that is called may return with h held, which it has acquired.
func (a *Analysis) mayLeave(i pta.InstID, h *Held, write bool, depth int) bool {
	f := a.w.Flow(i)
	if f == nil || !a.lockish.Get(i) {
		return false
	}
	k := leavingKey{i, listOf(h.Locs), write, depth}
	if yes, known := a.leaving[k]; known {
		return yes
	}
	if a.leaving == nil {
		a.leaving = make(map[leavingKey]bool)
	}
	var exits []flow.Gap
	for b := range f.Blocks {
		if blk := &f.Blocks[b]; blk.Exit {
			exits = append(exits, flow.Gap(int32(b)+blk.Hi))
		}
	}
	yes := a.acquiredFor(i, f, exits, h, write, depth)
	a.leaving[k] = yes
	return yes
}

// A leavingKey names a question of mayLeave.
type leavingKey struct {
	inst  pta.InstID
	locs  locList
	write bool
	depth int
}

// lockAt is lockOf, which is asked again for each race and each lock.
func (a *Analysis) lockAt(i pta.InstID, f *flow.Func, st *flow.Step) Held {
	k := stepAt{i, st}
	h, known := a.lockSteps[k]
	if !known {
		h = a.lockOf(i, f, st)
		if a.lockSteps == nil {
			a.lockSteps = make(map[stepAt]Held)
		}
		a.lockSteps[k] = h
	}
	return h
}

// A stepAt is a step of an instance.
type stepAt struct {
	inst pta.InstID
	step *flow.Step
}

// keptTo reports whether from step k of instance i a way leads to one of some gaps on which
// nothing releases h.
func (a *Analysis) keptTo(i pta.InstID, f *flow.Func, k int32, goals []flow.Gap, h *Held) bool {
	seen := make([]bool, len(f.Blocks))
	// along follows a block from step s on; where it is not released to the end the
	// successors are next.
	var next []int32
	along := func(b, s int32) bool {
		blk := &f.Blocks[b]
		for ; ; s++ {
			if slices.Contains(goals, flow.Gap(b+s)) {
				return true
			}
			if s >= blk.Hi {
				break
			}
			if a.mayRelease(i, f, s, h) {
				return false
			}
		}
		for e := range blk.Succs {
			if to := blk.Succs[e].To; !blk.Succs[e].Dead && !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
		return false
	}
	if along(f.BlockOf(f.BeforeStep(k)), k+1) {
		return true
	}
	for len(next) > 0 {
		b := next[0]
		next = next[1:]
		if along(b, f.Blocks[b].Lo) {
			return true
		}
	}
	return false
}

// mayRelease reports whether step s of instance i may release h for good.
func (a *Analysis) mayRelease(i pta.InstID, f *flow.Func, s int32, h *Held) bool {
	st := &f.Steps[s]
	if st.Op == library.OpUnlock || st.Op == library.OpRUnlock {
		return mayAlias(a.lockAt(i, f, st).Locs, h.Locs)
	}
	if st.Kind != flow.Call {
		return false
	}
	for _, c := range a.in.Callees(i, f, s) {
		if a.lockish.Get(c) && slices.ContainsFunc(a.summarize(c).kills, func(g *Held) bool { return isMutex(g) && mayAlias(g.Locs, h.Locs) }) {
			return true
		}
	}
	return false
}
