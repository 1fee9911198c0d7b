package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what function literals do that are handed to other threads:
//
//	x := new(item)
//	x.n = v
//	h.ops <- func(h *hub) { h.list = append(h.list, x) }
//
// A literal runs after it was made, whoever runs it, however often, and however it has come
// there. What the thread that makes it did before, and those that had started this thread, is over
// by then. The receive need not be known, nor whether the channel has other senders. Where nothing
// orders the way that the function itself takes, that is a race on where it is kept.

// afterMade reports whether y is done by function literals alone, or by what these call and
// start, which are made when x is over, or which tell x's thread that they are done. It is not
// sure of that if they might be run again.
func (a *Analysis) afterMade(x, y access) (apart, sure bool) {
	if a.cut != nil {
		return false, false
	}
	from := []pta.InstID{y.inst}
	for range maxNested {
		literals, ok := a.literalsAbove(from)
		if !ok {
			return false, false
		}
		if apart, sure := a.overWhenMade(x, y, literals); apart {
			return true, sure
		}
		if apart, sure := a.overWhenWrapped(x, y, literals); apart {
			return true, sure
		}
		// A literal inside another one is made by a run of that.
		from = from[:0]
		for _, l := range literals {
			for _, s := range a.makings(l) {
				from = append(from, s.Inst)
			}
		}
	}
	return false, false
}

// Bounds on the search for literals: their number, which is that of the callers of what makes one,
// too, the instances looked at, and how deep they are nested.
const (
	maxLiterals   = 8
	maxAboveFuncs = 200
	maxNested     = 3

	// What walks from makings may visit for one loop: that there are many must not leave others
	// undecided.
	maxMadeFuel = 500_000
)

// literalsAbove returns the function literals of which one is, or has called or started, each of
// some instances, whichever way leads there.
func (a *Analysis) literalsAbove(from []pta.InstID) (literals []pta.InstID, ok bool) {
	seen := new(idset.Set[pta.InstID])
	n := 0
	for work := slices.Clone(from); len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen.Add(i) {
			continue
		}
		if n++; n > maxAboveFuncs || len(literals) > maxLiterals {
			return nil, false
		}
		if f := a.w.Flow(i); f != nil && enclosing(f.Name) != "" {
			literals = append(literals, i)
			continue
		}
		callers := a.in.Callers(i)
		if len(callers) == 0 {
			return nil, false
		}
		for _, c := range callers {
			work = append(work, c.Inst)
		}
	}
	slices.Sort(literals)
	return literals, len(literals) > 0
}

// enclosing returns the name of the function around a function literal, "" for what is none.
func enclosing(fn string) string {
	k := strings.LastIndexByte(fn, '$')
	if k < 0 || k+1 == len(fn) || strings.Trim(fn[k+1:], "0123456789") != "" {
		return ""
	}
	return fn[:k]
}

// makings lists where a literal is made.
func (a *Analysis) makings(literal pta.InstID) []pta.Site {
	fn := a.w.Flow(literal).Name
	out, known := a.madeBy[fn]
	if known {
		return out
	}
	for _, j := range a.w.Named(enclosing(fn)) {
		if g := a.w.Flow(j); g != nil && a.in.Runs(j) {
			for _, at := range g.MadeAt(fn) {
				out = append(out, pta.Site{Inst: j, At: at})
			}
		}
	}
	if a.madeBy == nil {
		a.madeBy = make(map[string][]pta.Site)
	}
	a.madeBy[fn] = out
	return out
}

// overWhenMade reports whether x comes before all makings of literals, or when the one of which y
// is part has told that it is done.
func (a *Analysis) overWhenMade(x, y access, literals []pta.InstID) (apart, sure bool) {
	var made []pta.Site
	for _, l := range literals {
		sites := a.makings(l)
		if len(sites) == 0 {
			return false, false
		}
		made = append(made, sites...)
	}
	birth := noSite
	z, own := a.inLiteral(y, literals)
	if own = own && a.captures(x, y, z, made); own {
		// What has made the variable has made the literal then, and another run of it another
		// variable.
		birth = x.own
		made = slices.DeleteFunc(made, func(s pta.Site) bool { return a.copyOf(s.Inst) != birth.Inst })
	}
	once := a.inRunOf(made)
	if (once == noThread || a.initialiserOf(x.inst) != once) && !a.byMakers(x.inst, made) && !a.overBy(x, made) {
		return false, false
	}
	if slices.ContainsFunc(made, func(s pta.Site) bool { return s.Inst == x.inst && a.handsOn(s, x.at) }) {
		return false, false
	}
	if !a.afterMakings(made, y, birth, once, nil).reaches(x.inst, x.at) {
		return true, true
	}
	if !own {
		return false, false
	}
	replies, sure := a.repliesTo(z, made)
	return len(replies) > 0 && !a.afterMakings(made, y, birth, once, replies).reaches(x.inst, x.at), sure
}

// handsOn reports whether an instruction is, or is part of, the next step after a literal was made.
func (a *Analysis) handsOn(s pta.Site, at ssair.Instr) bool {
	f := a.w.Flow(s.Inst)
	k := f.StepAfter(f.GapOf(s.At))
	return k >= 0 && (f.Steps[k].At == at || f.Steps[k].Site == at)
}

// A literalAccess is an access as it is seen in a function literal: where that makes it, or the
// calls that lead to it, and by which path it goes to the object.
type literalAccess struct {
	literal pta.InstID
	at      []ssair.Instr
	path    flow.Path
}

// inLiteral returns how an access is seen in the literal below which alone it lies, in its thread.
func (a *Analysis) inLiteral(y access, literals []pta.InstID) (z literalAccess, ok bool) {
	if len(literals) != 1 {
		return z, false
	}
	z = literalAccess{literal: literals[0]}
	add := func(at ssair.Instr, p flow.Path) bool {
		if len(z.at) > 0 && p != z.path {
			return false
		}
		z.at, z.path = append(z.at, at), p
		return true
	}
	var climb func(i pta.InstID, p flow.Path, depth int) bool
	climb = func(i pta.InstID, p flow.Path, depth int) bool {
		callers := a.in.Callers(i)
		if depth > maxClimb || len(callers) > maxLiterals {
			return false
		}
		for _, c := range callers {
			j, up, ok := a.in.Up(i, c, p)
			if !ok || j != c.Inst || a.in.IsSpawn(c) || j == z.literal && !add(c.At, up) || j != z.literal && !climb(j, up, depth+1) {
				return false
			}
		}
		return true
	}
	p := a.addr(y).Base()
	if y.inst == z.literal {
		return z, add(y.at, p)
	}
	return z, climb(y.inst, p, 0)
}

// captures reports whether y, seen in a literal as z, goes to the variable of x's that x.own makes,
// and the literal has captured that where it is made by what has made the variable.
func (a *Analysis) captures(x, y access, z literalAccess, made []pta.Site) bool {
	if x.own == noSite || a.touchesSeveral(x) || a.touchesSeveral(y) {
		return false
	}
	some := false
	for _, s := range made {
		if a.copyOf(s.Inst) != x.own.Inst {
			continue // which has made another variable
		}
		g := a.w.Flow(s.Inst)
		up, ok := g.UpCaptured(s.At, z.path)
		at, root := up.Made()
		if !ok || !root || up.Loads() || at != x.own.At && !slices.Contains(g.CellsOf(x.own.At), at) {
			return false
		}
		some = true
	}
	return some
}

// byMakers reports whether the threads that run instance i are those that make literals, or have
// started them: what the others do may be beside.
func (a *Analysis) byMakers(i pta.InstID, made []pta.Site) bool {
	ts := a.threadsOf(i)
	if len(ts) == 0 {
		return false
	}
	for _, s := range made {
		makers := a.threadsOf(s.Inst)
		if len(makers) == 0 {
			return false
		}
		for _, u := range makers {
			for _, t := range ts {
				if t != u && !a.startedBy(u, t) && !a.precedes(t, u) {
					return false
				}
			}
		}
	}
	return true
}

// overBy reports whether x, of an iteration, is over wherever the spawner's threads make a literal.
func (a *Analysis) overBy(x access, made []pta.Site) bool {
	return a.w.Thread(x.inst) != model.Main && !slices.ContainsFunc(made, func(s pta.Site) bool {
		return slices.ContainsFunc(a.threadsOf(s.Inst), func(t pta.InstID) bool { return !a.up[t] }) ||
			a.opensTo(x, s, nil)
	})
}

// opensTo is open for what an instance does that walks may pass over: then the calls of it count.
func (a *Analysis) opensTo(x access, s pta.Site, seen []pta.InstID) bool {
	if a.enters(s.Inst) {
		return a.open(x, accessAt(s))
	}
	callers := a.in.Callers(s.Inst)
	return len(callers) == 0 || len(callers) > maxLiterals || len(seen) > maxClimb || slices.ContainsFunc(callers, func(c pta.Site) bool {
		return !slices.Contains(seen, c.Inst) && a.opensTo(x, c, append(slices.Clip(seen), s.Inst))
	})
}

// precedes reports whether thread t is that of an initialiser, and u is not, nor was it started by
// one.
func (a *Analysis) precedes(t, u pta.InstID) bool {
	return a.initialises(t) && len(a.spawnsOf(t)) == 0 && !slices.ContainsFunc(a.rootsOf(u), a.initialises)
}

// initialises reports whether an instance runs the initialiser of a package.
func (a *Analysis) initialises(i pta.InstID) bool {
	f := a.w.Flow(i)
	return f != nil && strings.HasSuffix(f.Name, ".init") && f.Name[0] != '('
}

// initialiserOf returns the initialiser below which alone an instance runs, in its thread, or
// noThread. There is one run of that.
func (a *Analysis) initialiserOf(i pta.InstID) pta.InstID {
	out := noThread
	seen := new(idset.Set[pta.InstID])
	n := 0
	for work := []pta.InstID{i}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen.Add(i) {
			continue
		}
		if a.initialises(i) {
			if out != noThread && out != i {
				return noThread
			}
			out = i
			continue
		}
		callers := a.in.Callers(i)
		if n++; n > maxAboveFuncs || len(callers) == 0 || slices.ContainsFunc(callers, a.in.IsSpawn) {
			return noThread
		}
		for _, c := range callers {
			work = append(work, c.Inst)
		}
	}
	return out
}

// inRunOf returns the initialiser that makes all of some literals, or noThread.
func (a *Analysis) inRunOf(made []pta.Site) pta.InstID {
	out := a.initialiserOf(made[0].Inst)
	for _, s := range made[1:] {
		if a.initialiserOf(s.Inst) != out {
			return noThread
		}
	}
	return out
}

// imported lists an initialiser and those of the packages that its package imports, through others
// too: when it makes something, these have run, and when others call it, it does nothing any more.
func (a *Analysis) imported(first pta.InstID) []pta.InstID {
	out := []pta.InstID{first}
	for k := 0; k < len(out); k++ {
		f := a.w.Flow(out[k])
		for s := range f.Steps {
			for _, c := range a.in.Callees(out[k], f, int32(s)) {
				if a.initialises(c) && !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// afterMakings is all that may happen after literals are made, or beside that, before one of
// some replies is received. Nobody else has a literal before the next step of who makes it: what is
// done up to there does not count.
func (a *Analysis) afterMakings(made []pta.Site, y access, birth pta.Site, once pta.InstID, replies []reply) *walk {
	key := fmt.Sprint(made, a.in.ThreadsID(y.inst), birth, replies)
	if w := a.made[key]; w != nil {
		return w
	}
	if a.made == nil {
		a.made = make(map[string]*walk)
	}
	w := a.newWalk()
	a.made[key] = w
	w.spawns, w.birth = true, birth
	done := new(idset.Set[pta.InstID])
	if once != noThread {
		for _, i := range a.imported(once) {
			if a.enters(i) {
				done.Add(i)
				w.toward(i)
			}
		}
	}
	if once != noThread || len(replies) > 0 {
		w.avoid = func(p place, _ bool) bool {
			return p.step < 0 && done.Has(p.inst) && initialises(p.f, &p.f.Blocks[p.block].Succs[p.edge], "==") || a.receives(p, replies)
		}
	}
	for _, s := range made {
		w.toward(s.Inst)
	}
	w.lookAt()
	for _, s := range made {
		w.fromMaking(s)
		threads := slices.Clone(a.threadsOf(s.Inst))
		w.besideThread(threads...)
		for k := 0; k < len(threads); k++ {
			for _, c := range a.spawnsOf(threads[k]) {
				if a.together(c) {
					w.fromEntry(threads[k]) // another one of those
				}
				for _, t := range a.threadsOf(c.Inst) {
					if !slices.Contains(threads, t) {
						threads = append(threads, t)
					}
				}
			}
		}
		w.comesAgain(threads, y)
	}
	defer a.spending(&a.madeFuel)()
	return w.run()
}

// fromMaking lets the walk start with what sends a literal in a select, the next step after it was made, or where its block
// ends: the variables that it has captured may be made in the same gap.
func (w *walk) fromMaking(s pta.Site) {
	if sent := w.a.sentInSelect(s); len(sent) > 0 {
		for _, o := range sent {
			w.startAfter(o)
		}
		return
	}
	fr := w.a.frameOf(s.Inst)
	g := fr.f.GapOf(s.At)
	n := node{s.Inst, g, top, false, noSite}
	if k := fr.f.StepAfter(g); k >= 0 {
		w.step(n, fr, k)
		return
	}
	for _, to := range afterNext(fr.f, s.At, -1) {
		w.from(s.Inst, to)
	}
	blk := &fr.f.Blocks[fr.f.BlockOf(g)]
	if blk.Exit {
		w.exit(n, fr, blk.Outcome)
	}
}

// sentInSelect lists the cases of a select that send a literal, if nothing else is done with it: by the other cases
// nobody has it.
//
//	select {
//	case h.ops <- func() { f(); close(done) }:
//		<-done
//	case <-ctx.Done():
//	}
func (a *Analysis) sentInSelect(s pta.Site) (out []*op) {
	c := a.w.Flow(s.Inst).ClosureAt(s.At)
	if c == nil || c.Used == ssair.NoInstr {
		return nil
	}
	for _, o := range a.opsIn(s.Inst) {
		if o.kind == opSend && o.step < 0 && o.site == c.Used {
			out = append(out, o)
		}
	}
	return out
}

// comesAgain lets the walk start at the entry points that come after an initialiser which has
// started y's thread, if one of them is among the threads that make the literals: but for main, they
// may come again.
func (w *walk) comesAgain(threads []pta.InstID, y access) {
	a := w.a
	for _, t := range a.threadsOf(y.inst) {
		for _, r := range a.rootsOf(t) {
			next := a.w.Next(r)
			if slices.ContainsFunc(next, func(n pta.InstID) bool {
				return slices.Contains(threads, n) && !strings.HasSuffix(a.w.Flow(n).Name, ".main")
			}) {
				for _, n := range next {
					w.fromEntry(n)
				}
			}
		}
	}
}
