package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what a function returns only when the goroutine is over to which it has given that:
//
//	func (p *pool) dial(ctx context.Context, c *conn) (*conn, error) {
//		done := make(chan error)
//		go func() {
//			c.open() // x
//			done <- nil
//		}()
//		select {
//		case err := <-done:
//			return c, err
//		case <-ctx.Done():
//			return nil, ctx.Err()
//		}
//	}
//
// Who is given up on may go on for long, but then nobody has the connection: who comes to it by what dial has returned has waited.
// However many dial, each connection is made for one run of it. To use what is nil panics (soundness: panic-paths).

// A giver is a function that may have started x's thread for the object that it returns, and the path of that in it.
type giver struct {
	inst pta.InstID
	path flow.Path
}

// returnedWhenOver reports whether y comes to the object of a race only by the results of functions that do not return it before x's
// thread, which they have started for it, is past x. Some is set if it does so on some ways, and others are not known.
func (a *Analysis) returnedWhenOver(r *model.Race, x, y access) (all, some bool) {
	if a.cut != nil || a.inRuns > maxRunWalks {
		return false, false
	}
	x.birth, x.own = noSite, noSite
	all = true
	for _, t := range a.threadsOfAccess(x) {
		givers, spawns := a.giversBy(x, t)
		if len(givers) == 0 {
			return false, some
		}
		x.by = t + 1
		c := a.classOf(x)
		f := follow{a: a, r: r, seen: make(map[giver]bool), waits: func(g giver, result int) bool {
			return a.yieldsOnly(g, result) && !a.untilOverIn(g.inst, c, spawns, false).gives(g.inst, result)
		}, givers: givers}
		f.from(y.inst, a.addr(y).Base(), 0)
		all, some = all && f.some && !f.other, some || f.some
	}
	return all && some, some
}

// yieldsOnly reports whether a function returns as a result nothing but what it was given, or has made, for x's thread.
func (a *Analysis) yieldsOnly(g giver, result int) bool {
	f := a.w.Flow(g.inst)
	return result < len(f.Yields) && !slices.ContainsFunc(f.Yields[result], func(id flow.PathID) bool {
		return id <= 0 || f.Path(id).Root != g.path.Root
	})
}

// giversBy lists the functions that may return what x touches in a thread, whose runs start the thread at some spawns, and each for another
// object.
func (a *Analysis) giversBy(x access, t pta.InstID) (givers []giver, spawns []pta.Site) {
	if spawns = a.spawnsOf(t); len(spawns) == 0 {
		return nil, nil
	}
	i, p := x.inst, a.addr(x).Base()
	for depth := 0; i != t; depth++ {
		calls := slices.DeleteFunc(slices.Clone(a.in.Callers(i)), func(c pta.Site) bool {
			return a.in.IsSpawn(c) || !slices.Contains(a.threadsOf(c.Inst), t)
		})
		var ok bool
		if i, p, ok = a.upBy(i, p, calls); !ok || depth > maxClimb {
			return nil, nil
		}
	}
	if slices.ContainsFunc(a.in.Callers(t), func(c pta.Site) bool { return !a.in.IsSpawn(c) && slices.Contains(a.threadsOf(c.Inst), t) }) {
		return nil, nil
	}
	for calls := spawns; len(givers) < maxGivers; {
		var ok bool
		if i, p, ok = a.upBy(i, p, calls); !ok {
			break
		}
		if a.newForEach(i, p, 0) {
			givers = append(givers, giver{i, p})
		}
		calls = a.in.Callers(i)
		if _, made := p.Made(); made || len(calls) != 1 || a.in.IsSpawn(calls[0]) {
			break
		}
	}
	return givers, spawns
}

// maxGivers bounds the functions above a spawn that are looked at.
const maxGivers = 4

// upBy translates a path to the frame from which a function is called, or started, at some sites, if that is the same for all. What is
// loaded on the way may be another's.
func (a *Analysis) upBy(i pta.InstID, p flow.Path, calls []pta.Site) (in pta.InstID, q flow.Path, ok bool) {
	for k, c := range calls {
		j, up, ok := a.in.Up(i, c, p)
		if !ok || flow.Through(up.Sels) || k > 0 && (j != in || up != q) || j != c.Inst {
			return 0, flow.Path{}, false
		}
		in, q = j, up
	}
	return in, q, len(calls) > 0
}

// newForEach reports whether no two runs of an instance have one object at a path: the run makes it, or is given one that was made for it.
func (a *Analysis) newForEach(i pta.InstID, p flow.Path, depth int) bool {
	if depth > maxClimb || flow.Through(p.Sels) {
		return false
	}
	if _, made := p.Made(); made {
		b := a.birthAt(i, p)
		return b != noSite && (b.Inst == a.copyOf(i) || a.upCalls(b.Inst).Has(i))
	}
	calls := a.in.Callers(i)
	for _, c := range calls {
		if a.in.IsSpawn(c) {
			return false
		}
		j, up, ok := a.in.Up(i, c, p)
		if !ok || j != c.Inst || a.comesAgain(i, c, up) || !a.newForEach(j, up, depth+1) {
			return false
		}
	}
	return len(calls) > 0
}

// comesAgain reports whether a run that has called what leads to an instance may do so again with what it has at a path then.
func (a *Analysis) comesAgain(i pta.InstID, c pta.Site, p flow.Path) bool {
	f := a.w.Flow(c.Inst)
	at, made := p.Made()
	calls := f.StepsAt(c.At)
	if len(calls) != 1 {
		return true
	}
	up := a.upCalls(i)
	for s := range f.Steps {
		if f.Steps[s].Kind == flow.Sync || !slices.ContainsFunc(a.in.Callees(c.Inst, f, int32(s)), up.Has) {
			continue
		}
		from, to := f.AfterStep(calls[0]), f.BeforeStep(int32(s))
		if !made && f.Reaches(from, to, ssair.NoInstr, -1) || made && f.ReachesOlder(from, to, at) {
			return true
		}
	}
	return false
}

// A follow goes back from an access to the results of functions by which it may have its object.
type follow struct {
	a           *Analysis
	r           *model.Race
	givers      []giver
	waits       func(g giver, result int) bool
	seen        map[giver]bool
	some, other bool // it may have it from a function that waits, or otherwise
}

func (f *follow) from(i pta.InstID, p flow.Path, depth int) {
	if f.seen[giver{i, p}] {
		return
	}
	f.seen[giver{i, p}] = true
	if !p.Known() || flow.Through(p.Sels) || depth > maxClimb {
		f.other = true
		return
	}
	if at, made := p.Made(); made {
		f.result(i, at, p, depth)
		return
	}
	k, param := parameter(p)
	none := true
	for _, c := range f.a.in.Callers(i) {
		if param && !f.a.w.MayPassObject(c, k, f.r.Object) {
			continue
		}
		none = false
		if j, up, ok := f.a.in.Up(i, c, p); ok {
			f.from(j, up, depth+1)
		} else {
			f.other = true
		}
	}
	f.other = f.other || none
}

// result goes on where what an access has is what a call yields.
func (f *follow) result(i pta.InstID, at ssair.Instr, p flow.Path, depth int) {
	call, k := f.a.w.Flow(i).ResultOf(at)
	callees := f.a.in.CalleesAt(i, call)
	f.other = f.other || len(callees) == 0
	for _, c := range callees {
		if n := slices.IndexFunc(f.givers, func(g giver) bool { return f.a.copyOf(g.inst) == f.a.copyOf(c) }); n >= 0 && f.waits(f.givers[n], k) {
			f.some = true
			continue
		}
		g := f.a.w.Flow(c)
		if g == nil || k >= len(g.Yields) {
			f.other = true
			continue
		}
		for _, id := range g.Yields[k] {
			q := g.Path(id)
			q.Sels += p.Sels
			if _, made := q.Made(); made || !q.Known() {
				f.from(c, q, depth+1)
			} else if j, up, ok := f.a.in.Up(c, pta.Site{Inst: i, At: call}, q); ok {
				f.from(j, up, depth+1)
			} else {
				f.other = true
			}
		}
	}
}
