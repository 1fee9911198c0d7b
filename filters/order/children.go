package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about what the goroutines do that a thread starts when an access of it is over:
//
//	func newSession() *session {
//		s := &session{events: make(chan event)}
//		go s.handle() // receives from s.events, and reads s.names
//		s.names = load()
//		go s.connect() // sends to s.events
//		return s
//	}
//
// Whoever has received something has been told by connect, which was started after the access.

// A childOp is an operation of goroutines that a thread starts, or that these start.
type childOp struct {
	op   *op
	own  bool         // the thread itself does it, too
	tops []pta.InstID // those that the thread starts itself
}

// childOps returns the useful operations that only a thread and the goroutines below it do, but for those of
// the thread alone.
func (a *Analysis) childOps(t pta.InstID) []childOp {
	if out, known := a.children[t]; known {
		return out
	}
	var out []childOp
	tops := make(map[pta.InstID][]pta.InstID)
	for _, o := range a.allOps {
		if !a.isUseful(o) {
			continue
		}
		c := childOp{op: o}
		ok := true
		for _, u := range a.threadsOf(o.inst) {
			if u == t {
				c.own = true
				continue
			}
			more := a.topsOf(u, t, tops)
			if ok = len(more) > 0; !ok {
				break
			}
			c.tops = append(c.tops, more...)
		}
		if ok && len(c.tops) > 0 {
			slices.Sort(c.tops)
			c.tops = slices.Compact(c.tops)
			out = append(out, c)
		}
	}
	if a.children == nil {
		a.children = make(map[pta.InstID][]childOp)
	}
	a.children[t] = out
	return out
}

// topsOf returns the goroutines that t starts, by which alone u comes about; none if others start it, too.
func (a *Analysis) topsOf(u, t pta.InstID, known map[pta.InstID][]pta.InstID) []pta.InstID {
	if tops, ok := known[u]; ok {
		return tops
	}
	var out []pta.InstID
	seen := map[pta.InstID]bool{u: true}
	var lists idset.Set[int32] // of threads, that were looked at
	for work := []pta.InstID{u}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		sites := a.spawnsOf(v)
		if len(sites) == 0 {
			known[u] = nil // another entry point
			return nil
		}
		for _, s := range sites {
			n := a.in.ThreadsID(s.Inst)
			list := a.in.ThreadList(n)
			if _, starts := slices.BinarySearch(list, t); starts && !slices.Contains(out, v) {
				out = append(out, v)
			}
			if !lists.Add(n) {
				continue
			}
			for _, by := range list {
				if by != t && !seen[by] {
					seen[by] = true
					work = append(work, by)
				}
			}
		}
	}
	known[u] = out
	return out
}

// maxChildFuel bounds the nodes of walks that are spent on that for one loop: where the thread is all of a site generator they
// used up what its races were to be decided with.
const maxChildFuel = 100_000

// overByChildren adds to over the operations that goroutines do which the thread of x starts when x
// is over.
func (a *Analysis) overByChildren(x access, t pta.InstID, over map[int32]bool) {
	if a.multi(t, noSite) {
		return
	}
	defer a.spending(&a.childFuel)()
	for _, c := range a.childOps(t) {
		later, earlier := false, false
		for _, u := range c.tops {
			switch {
			case !a.comesAfterStart(u, x):
				later = true
			case !a.doubtful || !a.receivesFirst(u, c.op):
				earlier = true
			}
		}
		if (later || a.doubtful) && !earlier && !(c.own && a.comesAfter(c.op, x)) {
			over[c.op.id] = true
		}
	}
}

// comesAfterStart reports whether x may come, in the thread that starts goroutine u, after that.
func (a *Analysis) comesAfterStart(u pta.InstID, x access) bool {
	return a.kept(walkKey{kind: 'c', inst: u}, func() *walk {
		w := a.newWalk()
		for _, s := range a.spawnsOf(u) {
			w.fromSpawn(s)
		}
		return w.run()
	}).reaches(x.inst, x.at)
}

// receivesFirst reports whether goroutine u and those below it do r only when u has received something. It is asked
// in doubt, of goroutines that are started before the access: what they have received may be what the others send.
func (a *Analysis) receivesFirst(u pta.InstID, r *op) bool {
	return !a.kept(walkKey{kind: 'r', inst: u}, func() *walk {
		w := a.newWalk()
		w.spawns = true
		w.avoid = func(p place, _ bool) bool {
			if p.step >= 0 {
				return p.f.Steps[p.step].Kind == flow.Recv
			}
			return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
				return ev.Kind == flow.CaseTaken && !ev.Send || ev.Kind == flow.RecvSent || ev.Kind == flow.RecvClosed
			})
		}
		return w.fromEntry(u).run()
	}).reachesOp(r)
}
