package order

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about workers of which each job is answered, where who collects the answers
// knows how many jobs there are:
//
//	go func() { for i := range n { jobs <- i } }()
//	for range workers { go func() { for j := range jobs { answers <- work(j) } }() }
//	for range n { <-answers }
//
// Before each answer its worker has received a job of its own. There are no more jobs than
// answers have been collected, so each job has been answered: no worker is between a receive
// and its answer. (As in tasks.go that is no edge from one step to another.)

// A collection is a channel of jobs with that of their answers, both made by one function,
// which collects the answers.
type collection struct {
	jobs, answers pta.Loc
	inst          pta.InstID // of the function
	f             *flow.Func
	many          bool // runs of the function may go on beside each other, each with its own
	closed        bool
	sent          []*op                // answers
	idle          map[pta.InstID]*walk // by worker: what it comes to without a job
	open          *walk                // what follows until all has been collected
}

// allAnswered reports whether x belongs to a job, and y comes when all have been answered.
func (a *Analysis) allAnswered(x, y access) bool {
	t, ok := a.sole(x.inst)
	if !ok {
		return false
	}
	for _, c := range a.collections() {
		if y.inst != c.inst {
			p, ok := a.sole(y.inst)
			q, ok2 := a.sole(c.inst)
			if !ok || !ok2 || p != q || a.multi(p, noSite) {
				continue
			}
		}
		if c.many && x.birth.Inst != c.inst {
			continue // another run's worker may have it, too
		}
		if !a.unemployed(c, t).reaches(x.inst, x.at) && !c.open.reaches(y.inst, y.at) {
			return true
		}
	}
	return false
}

// collections lists those of the view.
func (a *Analysis) collections() []*collection {
	if a.collects != nil {
		return a.collects
	}
	a.collects = []*collection{}
	type pair struct {
		inst          pta.InstID
		jobs, answers pta.Loc
	}
	seen := make(map[pair]bool)
	for _, n := range a.allOps {
		if n.kind != opRecv || len(n.locs) != 1 || !a.madeInRun(n.locs[0], n.inst) {
			continue
		}
		if l := n.f.Innermost(a.blockOf(n)); l < 0 || n.f.Loops[l].Trip.Kind == flow.TripUnknown {
			continue
		}
		answers := n.locs[0]
		for _, s := range a.ops[answers] {
			if s.kind != opSend {
				continue
			}
			for _, j := range a.allOps {
				if j.kind != opRecv || len(j.locs) != 1 || j.locs[0] == answers || !slices.Equal(a.threadsOf(j.inst), a.threadsOf(s.inst)) {
					continue
				}
				k := pair{n.inst, j.locs[0], answers}
				if seen[k] || !a.madeInRun(j.locs[0], n.inst) {
					continue
				}
				seen[k] = true
				if c := a.collectionOf(n, j.locs[0], answers); c != nil {
					a.collects = append(a.collects, c)
				}
			}
		}
	}
	return a.collects
}

// madeInRun reports whether each run of a function makes one channel at l, as far as
// anyone has it.
func (a *Analysis) madeInRun(l pta.Loc, i pta.InstID) bool {
	o := a.w.Object(l)
	f := a.w.Flow(i)
	return o.Part == 0 && !indexed(o.Field) && !a.external(l) && !a.isTimer(l) && o.Alloc.Inst == i && o.Alloc.At >= 0 && f.Innermost(f.Block(o.Alloc.At)) < 0
}

// collectionOf returns the collection of two channels at n's function, which receives the
// answers by n; nil if there is none.
func (a *Analysis) collectionOf(n *op, jobs, answers pta.Loc) *collection {
	c := &collection{jobs: jobs, answers: answers, inst: n.inst, f: n.f, idle: make(map[pta.InstID]*walk)}
	c.many = a.w.Object(jobs).Many || a.w.Object(answers).Many
	if t, ok := a.sole(n.inst); !ok || a.multi(t, noSite) {
		c.many = true
	}
	most, ok := a.jobsOf(c)
	if !ok {
		return nil
	}
	for _, o := range a.ops[answers] {
		switch {
		case c.many && !a.oneName(o, answers, n.inst), o.kind == opClose:
			return nil
		case o.kind == opSend:
			c.sent = append(c.sent, o)
		}
	}
	for _, s := range c.sent {
		u, ok := a.sole(s.inst)
		if !ok || a.unemployed(c, u).reachesOp(s) {
			return nil
		}
	}
	count := &counting{a: a, inst: n.inst, f: n.f, loc: answers, kind: opRecv}
	count.run(-1)
	all := func(p place, _ bool) bool {
		if p.inst != c.inst || p.step >= 0 {
			return false
		}
		got, ok := count.onEdge(p.block, p.edge)
		return ok && most.atMost(got)
	}
	w := a.newWalk()
	w.avoid = all
	c.open = w.from(c.inst, c.f.GapOf(a.w.Object(jobs).Alloc.At)).run()
	return c
}

// jobsOf returns how many jobs may be sent in a run of a collection's function, if that is
// known, and notes whether their channel is closed.
func (a *Analysis) jobsOf(c *collection) (most amount, ok bool) {
	type code struct {
		fn   string
		step int32
		at   int32
	}
	seen := make(map[code]bool)
	count := &counting{a: a, inst: c.inst, f: c.f, loc: c.jobs, kind: opSend}
	for _, o := range a.ops[c.jobs] {
		if c.many && !a.oneName(o, c.jobs, c.inst) {
			return amount{}, false
		}
		switch o.kind {
		case opClose:
			c.closed = true
		case opSend:
			pr, ok := count.project(o)
			if !ok {
				return amount{}, false
			}
			// Both sides of another loop's iterations are counted where it spawns.
			k := code{o.f.Name, int32(o.site), pr.step}
			if seen[k] && o.inst != c.inst {
				continue
			}
			seen[k] = true
			m := pr.times
			for l := c.f.Innermost(pr.block); l >= 0; l = c.f.Loops[l].Parent {
				if m, ok = a.times(m, c.inst, c.f, c.f.Loops[l].Trip); !ok {
					return amount{}, false
				}
			}
			most = most.add(m)
		}
	}
	return most, len(seen) > 0
}

// oneName reports whether an operation is on the channel at l by the name that it has where
// a run of a function makes it.
func (a *Analysis) oneName(o *op, l pta.Loc, i pta.InstID) bool {
	return slices.ContainsFunc(a.names(o.inst, o.path, noSite, 0), func(n name) bool {
		at, made := n.path.Made()
		return made && n.inst == i && at == a.w.Object(l).Alloc.At && n.path.Sels == ""
	})
}

// unemployed is all that a worker may come to before it has received a job, and from an
// answer to the next one.
func (a *Analysis) unemployed(c *collection, t pta.InstID) *walk {
	return a.idleBetween(c.idle, t, c.jobs, c.closed, c.sent)
}
