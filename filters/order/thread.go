package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// threadsOf returns the threads that run instance i.
func (a *Analysis) threadsOf(i pta.InstID) []pta.InstID { return a.in.Threads(i) }

// anyRuns reports whether one of some threads runs instance i.
func (a *Analysis) anyRuns(ts []pta.InstID, i pta.InstID) bool {
	return slices.ContainsFunc(a.threadsOf(i), func(t pta.InstID) bool { return slices.Contains(ts, t) })
}

// spawnsOf returns the sites that start thread t.
func (a *Analysis) spawnsOf(t pta.InstID) []pta.Site {
	if out, ok := a.started[t]; ok {
		return out
	}
	var out []pta.Site
	for _, s := range a.in.Callers(t) {
		if a.in.IsSpawn(s) {
			if !a.startedByResets(s) {
				out = append(out, s)
			}
			out = append(out, a.resetsOf(s)...)
		}
	}
	if a.started != nil {
		a.started[t] = out
	}
	return out
}

// A begun has the threads that something starts, and who starts whom.
type begun struct {
	list []pta.InstID
	has  idset.Set[pta.InstID]

	// Once asked for: by the threads that do so, as a list of them, the threads that instances of these start; by
	// thread, those lists that it is in; and by thread, all that it starts, directly or not.
	starts  map[int32][]pta.InstID
	listsOf map[pta.InstID][]int32
	below   map[pta.InstID]*idset.Set[pta.InstID]
}

// findBegun finds the threads that something starts.
func (a *Analysis) findBegun() {
	a.synchronising(func(i pta.InstID, f *flow.Func) {
		for s := range f.Steps {
			if k := f.Steps[s].Kind; k == flow.Spawn || k == flow.Parallel {
				for _, c := range a.in.Callees(i, f, int32(s)) {
					if a.begun.has.Add(c) {
						a.begun.list = append(a.begun.list, c)
					}
				}
			}
		}
	})
}

// begunBy returns the threads that thread t starts, and those that these start. Where a few threads are asked about all
// others that is less than to go up from each of these, as startedBy does.
func (a *Analysis) begunBy(t pta.InstID) *idset.Set[pta.InstID] {
	b := &a.begun
	if b.starts == nil {
		b.starts, b.below = make(map[int32][]pta.InstID), make(map[pta.InstID]*idset.Set[pta.InstID])
		for _, u := range b.list {
			for _, s := range a.spawnsOf(u) {
				n := a.in.ThreadsID(s.Inst)
				b.starts[n] = append(b.starts[n], u)
			}
		}
		b.listsOf = listsByThread(a, b.starts)
	}
	below := b.below[t]
	if below == nil {
		below = new(idset.Set[pta.InstID])
		var lists idset.Set[int32]
		for work := []pta.InstID{t}; len(work) > 0; {
			u := work[len(work)-1]
			work = work[:len(work)-1]
			for _, n := range b.listsOf[u] {
				if !lists.Add(n) {
					continue
				}
				for _, v := range b.starts[n] {
					if below.Add(v) {
						work = append(work, v)
					}
				}
			}
		}
		b.below[t] = below
	}
	return below
}

// listsByThread returns, by thread, those lists of threads that it is in which a table has.
func listsByThread[V any](a *Analysis, table map[int32]V) map[pta.InstID][]int32 {
	out := make(map[pta.InstID][]int32)
	for _, n := range sortedKeys(table) {
		for _, t := range a.in.ThreadList(n) {
			out[t] = append(out[t], n)
		}
	}
	return out
}

// findAncestors computes the threads that the loop's spawner belongs to, and
// those from which they were spawned.
func (a *Analysis) findAncestors() {
	a.up = make(map[pta.InstID]bool)
	var work []pta.InstID
	add := func(i pta.InstID) {
		for _, t := range a.threadsOf(i) {
			if !a.up[t] {
				a.up[t] = true
				work = append(work, t)
			}
		}
	}
	for _, s := range a.spawns {
		add(s.Inst)
	}
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range a.spawnsOf(t) {
			add(s.Inst)
		}
	}
}

// findAgain decides whether there is more than one iteration at all.
func (a *Analysis) findAgain() {
	if a.again = slices.ContainsFunc(a.spawns, a.together); a.again {
		return
	}
	w := a.newWalk()
	if len(a.spawns) == 1 {
		w.goal = a.spawns[0] // no more is asked
	}
	for _, s := range a.spawns {
		w.fromSite(s).beside(s.Inst)
	}
	w.spawns = true
	w.run()
	for _, s := range a.spawns {
		f := a.w.Flow(s.Inst)
		for _, k := range f.StepsAt(s.At) {
			a.again = a.again || w.reachesStep(s.Inst, k)
		}
	}
}

// beside adds as starting points all that may run beside what instance i does
// after it was spawned: the continuation of each spawn of its threads, and of
// the spawns of the threads that those belong to.
func (w *walk) beside(i pta.InstID) *walk {
	return w.besideThread(w.a.threadsOf(i)...)
}

func (w *walk) besideThread(work ...pta.InstID) *walk {
	work = slices.Clone(work)
	seen := make(map[pta.InstID]bool)
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		for _, s := range w.a.spawnsOf(t) {
			w.fromSpawn(s)
			work = append(work, w.a.threadsOf(s.Inst)...)
		}
	}
	return w
}

// byMain reports whether only threads that are no part of an iteration run
// instance i. (The call that starts an iteration may do things for it before
// it spawns.)
func (a *Analysis) byMain(i pta.InstID) bool {
	for _, t := range a.threadsOf(i) {
		if a.w.Thread(t) != model.Main {
			return false
		}
	}
	return true
}

// sole returns the only thread that runs instance i, if there is one.
func (a *Analysis) sole(i pta.InstID) (pta.InstID, bool) {
	if ts := a.threadsOf(i); len(ts) == 1 {
		return ts[0], true
	}
	return 0, false
}

// noThread stands for none or several.
const noThread = pta.InstID(-1)

// multi reports whether thread t may be one of several started at one site
// between two births of an object. Of the loop's own iterations alpha is one
// and beta stands for the rest.
func (a *Analysis) multi(t pta.InstID, birth pta.Site) bool {
	k := severalKey{t, birth}
	v := a.several[k]
	if v == unasked {
		a.several[k] = yes // what starts itself, or what has started it, is several
		v = answerOf(a.findMulti(t, birth))
		a.several[k] = v
	}
	return v == yes
}

// severalKey names a question of multi.
type severalKey struct {
	thread pta.InstID
	birth  pta.Site
}

func (a *Analysis) findMulti(t pta.InstID, birth pta.Site) bool {
	sites := a.spawnsOf(t)
	if len(sites) == 0 {
		return false
	}
	if a.w.Thread(t) != model.Main && len(a.w.Bodies(model.Beta)) > 0 && slices.Contains(a.w.Bodies(a.w.Thread(t)), t) {
		return false
	}
	for _, s := range sites {
		w := a.newWalk()
		w.birth = birth
		w.fromSite(s).run()
		f := a.w.Flow(s.Inst)
		for _, k := range f.StepsAt(s.At) {
			if f.Steps[k].Kind == flow.Parallel || f.Steps[k].Repeat || w.reachesStep(s.Inst, k) {
				return true
			}
		}
		if len(sites) > 1 {
			return true
		}
		up, ok := a.sole(s.Inst)
		if !ok && !a.oneByRoot(s.Inst, birth) || ok && a.w.Thread(up) == a.w.Thread(t) && len(a.spawnsOf(up)) > 0 && a.multi(up, birth) {
			return true
		}
	}
	return false
}

// oneByRoot reports whether the threads that run instance i belong to different
// entry points, which happen at different times (soundness: roots-apart), and are
// one each between two births of an object.
func (a *Analysis) oneByRoot(i pta.InstID, birth pta.Site) bool {
	seen := make(map[pta.InstID]bool)
	for _, t := range a.threadsOf(i) {
		for _, root := range a.rootsOf(t) {
			if seen[root] {
				return false
			}
			seen[root] = true
		}
	}
	// What starts itself again has an entry point in common with what started it
	// first: this comes to an end.
	return !slices.ContainsFunc(a.threadsOf(i), func(t pta.InstID) bool { return len(a.spawnsOf(t)) > 0 && a.multi(t, birth) })
}

// rootsOf returns the entry points from which thread t is started, directly or
// not.
func (a *Analysis) rootsOf(t pta.InstID) []pta.InstID {
	var out []pta.InstID
	seen := map[pta.InstID]bool{t: true}
	for work := []pta.InstID{t}; len(work) > 0; {
		u := work[len(work)-1]
		work = work[:len(work)-1]
		sites := a.spawnsOf(u)
		if len(sites) == 0 {
			out = append(out, u)
		}
		for _, s := range sites {
			for _, v := range a.threadsOf(s.Inst) {
				if !seen[v] {
					seen[v] = true
					work = append(work, v)
				}
			}
		}
	}
	return out
}

// commonBirth returns where the object of both accesses is made, if both reach
// it by what they capture or are passed, and not by message or through shared
// memory.
func (a *Analysis) commonBirth(x, y access) pta.Site {
	bx, by := x.own, y.own
	if bx.Inst < 0 || bx.Inst != by.Inst {
		return noSite
	}
	// The cell of a loop variable is made where the next round's is.
	f := a.w.Flow(bx.Inst)
	switch {
	case bx == by:
		return bx
	case slices.Contains(f.CellsOf(bx.At), by.At):
		return by
	case slices.Contains(f.CellsOf(by.At), bx.At):
		return bx
	}
	return noSite
}

// addressIn returns the path of what x touches, up to where its object's memory begins: where one
// thread of several is meant, as the first frame has it that this thread alone runs, or that it
// enters by several calls.
func (a *Analysis) addressIn(x access) (i pta.InstID, p flow.Path, ok bool) {
	i, p, ok = x.inst, a.addr(x).Base(), true
	for depth := 0; x.by > 0 && i != x.by-1 && depth < maxClimb; depth++ {
		calls := slices.DeleteFunc(slices.Clone(a.in.Callers(i)), func(c pta.Site) bool {
			return a.in.IsSpawn(c) || !slices.Contains(a.threadsOf(c.Inst), x.by-1)
		})
		if len(calls) != 1 || len(a.threadsOf(i)) == 1 {
			break
		}
		if i, p, ok = a.in.Up(i, calls[0], p); !ok {
			break
		}
	}
	return i, p, ok
}

func (a *Analysis) addr(x access) flow.Path {
	f := a.w.Flow(x.inst)
	if f == nil {
		return flow.Path{}
	}
	if x.arg > 0 {
		if p, _, ok := f.Touched(x.at, int(x.arg)-1); ok && p.Known() {
			return p // append(all, out...) reads out
		}
	}
	return f.Addr(x.at)
}

// findBirth sets where the objects of two accesses of a race are made.
func (a *Analysis) findBirth(r *model.Race, x, y *access) {
	b := a.sharedBirth(r, x, y)
	if r.B.Thread == model.Main && b == noSite {
		b = a.roundOf(r.B)
	}
	x.birth, y.birth = b, b
}

// sharedBirth sets where each of the accesses of a race has its object from, and returns where that is one place.
//
//	for _, p := range parts {
//		s := newStore(p) // makes s.out
//		for i := range p.n {
//			go func() { s.out[i] = f(i) }()
//		}
//		use(s.out)
//	}
//
// Of what is known to be of one round it is where that is made from which both have it, if they have not made it themselves:
// the next round has another one.
func (a *Analysis) sharedBirth(r *model.Race, x, y *access) pta.Site {
	x.own, y.own = a.ownBirth(*x), a.ownBirth(*y)
	b := a.commonBirth(*x, *y)
	if b == noSite && r.Round {
		own, other := *x, *y
		own.own, other.own = a.holderBirth(*x), a.holderBirth(*y)
		b = a.commonBirth(own, other)
	}
	return b
}

// ownBirth returns where the object is made that x reaches by what it captures
// or is passed.
func (a *Analysis) ownBirth(x access) pta.Site {
	i, p, ok := a.addressIn(x)
	if !ok {
		return noSite
	}
	return a.birthAt(i, p)
}

// holderBirth is ownBirth for what an access has its object from.
func (a *Analysis) holderBirth(x access) pta.Site { return a.birthAt(x.inst, a.addr(x).Holder()) }

// birthAt returns where the object is made that a path in a frame leads to.
func (a *Analysis) birthAt(i pta.InstID, p flow.Path) pta.Site {
	i, p, ok := a.origin(i, p, 0)
	if !ok || p.Loads() {
		return noSite
	}
	at, _ := p.Made()
	f := a.w.Flow(i)
	if f == nil || !f.MakesMemory(at) && !(a.tenured && a.gotFrom(pta.Site{Inst: i, At: at}) != nil) {
		return noSite
	}
	return pta.Site{Inst: a.copyOf(i), At: at}
}

// makers lists the instances that make what accesses of the race set reach by what
// they capture or are passed: walks have to go into a constructor that does nothing
// else to find that the next round has another object.
func (a *Analysis) makers() []pta.InstID {
	type base struct {
		inst pta.InstID
		path flow.Path
	}
	seen := make(map[base]bool)
	var out []pta.InstID
	for _, r := range a.set.Races {
		for _, m := range []*model.Access{r.A, r.B} {
			x := a.accessOf(m)
			b := base{x.inst, a.addr(x).Base()}
			if seen[b] {
				continue
			}
			seen[b] = true
			s := a.ownBirth(x)
			if r.Round && s == noSite {
				s = a.holderBirth(x)
			}
			if s.Inst >= 0 && !a.relevant.Has(s.Inst) {
				out = append(out, a.copiesOf(s.Inst)...)
			}
		}
	}
	return out
}

// origin follows a path up through calls and spawns to the frame in which its
// root is made, and down into the function that returns it. All callers must
// agree.
func (a *Analysis) origin(i pta.InstID, p flow.Path, depth int) (pta.InstID, flow.Path, bool) {
	if !p.Known() || p.Loads() || depth > 12 {
		return 0, p, false
	}
	if at, ok := p.Made(); ok {
		if j, q, ok := a.returnedBy(i, at, p.Sels, depth); ok {
			return j, q, true
		}
		return i, p, true
	}
	callers := a.givers(i, p)
	if len(callers) == 0 || len(callers) > 4 {
		return 0, p, false
	}
	var in pta.InstID
	var out flow.Path
	for k, c := range callers {
		j, q, ok := a.above(i, c, p, depth)
		if !ok || k > 0 && (j != in || q != out) {
			return 0, p, false
		}
		in, out = j, q
	}
	return in, out, true
}

// givers returns the calls by which a frame is given what a path in it begins with, but for those by which it gives that to another
// run of its own function.
func (a *Analysis) givers(i pta.InstID, p flow.Path) []pta.Site {
	own := func(c pta.Site) bool {
		j, up, ok := a.in.Up(i, c, p)
		return ok && j == i && up == p
	}
	callers := a.in.Callers(i)
	if !slices.ContainsFunc(callers, own) {
		return callers
	}
	return slices.DeleteFunc(slices.Clone(callers), own)
}

// returnedBy is origin for what a call of the frame at an instruction returns, if
// that is one function, which nothing else calls: then each run of the call has
// what this run of the function has made, or was given.
func (a *Analysis) returnedBy(i pta.InstID, at ssair.Instr, sels string, depth int) (pta.InstID, flow.Path, bool) {
	f := a.w.Flow(i)
	call, k := f.ResultOf(at)
	steps := f.StepsAt(call)
	if len(steps) != 1 || f.Steps[steps[0]].Kind != flow.Call {
		return 0, flow.Path{}, false
	}
	callees := a.in.CalleesAt(i, call)
	if len(callees) == 0 {
		return 0, flow.Path{}, false
	}
	for _, c := range callees {
		if len(a.in.Callers(c)) != 1 || a.copyOf(c) != a.copyOf(callees[0]) {
			return 0, flow.Path{}, false
		}
	}
	g := a.w.Flow(callees[0])
	if g == nil || k >= len(g.Returned) {
		return 0, flow.Path{}, false
	}
	p := g.Path(g.Returned[k])
	p.Sels += sels
	c := a.copyOf(callees[0])
	if _, made := p.Made(); made {
		return a.origin(c, p, depth+1)
	}
	// It returns what the call gives it.
	up, given, ok := a.in.Up(c, pta.Site{Inst: i, At: call}, p)
	if !ok || up != i {
		return 0, flow.Path{}, false
	}
	return a.origin(i, given, depth+1)
}

// above is origin for one call of the frame.
func (a *Analysis) above(i pta.InstID, c pta.Site, p flow.Path, depth int) (pta.InstID, flow.Path, bool) {
	if j, up, ok := a.in.Up(i, c, p); ok {
		return a.origin(j, up, depth+1)
	}
	f := a.w.Flow(c.Inst)
	if f == nil {
		return 0, p, false
	}
	steps := f.StepsAt(c.At)
	if len(steps) == 0 {
		return 0, p, false
	}
	st := &f.Steps[steps[0]]
	if p.Root[0] != 'f' {
		return 0, p, false
	}
	// A closure made elsewhere: follow the function value.
	j, fn, ok := a.origin(c.Inst, f.Callee(st), depth+1)
	if !ok || fn.Sels != "" {
		return 0, p, false
	}
	at, _ := fn.Made()
	g := a.w.Flow(j)
	up, ok := g.UpCaptured(at, p)
	if !ok {
		return 0, p, false
	}
	return a.origin(j, up, depth+1)
}

// spawnLine names the loop's spawn, for messages.
func (a *Analysis) spawnLine() string {
	if len(a.spawns) == 0 {
		return "the spawn"
	}
	return a.line(a.spawns[0].Inst, a.spawns[0].At)
}
