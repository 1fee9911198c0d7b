package pta

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
)

// maxRoots is the number of entry points from which a loop, or a function that
// starts goroutines, is looked at: those that are the fewest calls above it. A
// function that a thousand tests call is no different in the last of them
// (soundness: nearest-roots). What runs by itself, a test or main, and what
// only might be called count apart: in a library of fifty exported functions a
// test, which calls two of them one after the other, is never among the nearest,
// and alone shows what the one does beside the other.
const maxRoots = 12

// A scope is the part of the base in which a loop is looked at: what runs in
// the same programs as the loop's spawners.
type scope struct {
	roots bitset.Set
	in    []bool // by instance of the base
	more  bool   // more roots lead to the loop
	*sharing
	*runs
}

// runs lists what runs in a scope, once for all loops that have it.
type runs struct{ all, syncing []InstID }

func (s *solver) runsIn(in []bool) *runs {
	out := new(runs)
	for id, ok := range in {
		if !ok {
			continue
		}
		out.all = append(out.all, InstID(id))
		if s.insts[id].syncs() {
			out.syncing = append(out.syncing, InstID(id))
		}
	}
	return out
}

// syncs reports whether an instance synchronises, or is what the model says is an
// operation.
func (in *instance) syncs() bool {
	return in.fn.Flow != nil && in.fn.Flow.Sync || in.fn.Lib != nil && in.fn.Lib.Op != library.OpNone
}

// scopeOf returns the scope of a loop.
func (r *Result) scopeOf(loop int) *scope {
	r.mu.RLock()
	sc := r.scopes[loop]
	r.mu.RUnlock()
	if sc == nil {
		sc = r.makeScope(loop)
		r.mu.Lock()
		r.scopes[loop] = sc
		r.mu.Unlock()
	}
	return sc
}

func (r *Result) makeScope(loop int) *scope {
	sc := new(scope)
	spawners := r.base.loops[loop].spawners
	sc.more = r.nearestRoots(spawners, &sc.roots) || slices.ContainsFunc(spawners, func(id InstID) bool { return r.cfg.Cut[r.base.s.inst(id).fn.Name] })
	if r.addBeside(loop, &sc.roots) {
		sc.more = true
	}
	key := fmt.Sprint(sc.roots.Elems())
	r.mu.RLock()
	same := r.sameRoots[key] // the loops of one test have the same
	r.mu.RUnlock()
	if same != nil {
		sc.in, sc.sharing, sc.runs = same.in, same.sharing, same.runs
	} else {
		sc.in = make([]bool, len(r.roots))
		for id := range r.roots {
			sc.in[id] = r.roots[id].Intersects(&sc.roots)
		}
		sc.sharing, sc.runs = r.base.sharingIn(sc.in), r.base.s.runsIn(sc.in)
		r.mu.Lock()
		r.sameRoots[key] = sc
		r.mu.Unlock()
	}
	return sc
}

// scopeNotice says that a loop is not looked at from all entry points.
func (r *Result) scopeNotice(loop int) {
	if r.scopeOf(loop).more {
		r.notice(model.Notice{
			Pos: r.Loops[loop].Pos, Code: model.SoundnessNumber("nearest-roots"),
			Message: "more entry points lead to this loop than are looked at: the nearest ones stand for the rest",
		})
	}
}

// nearestRoots adds to out the roots that are the fewest calls above some
// instances, and reports whether there are more.
func (r *Result) nearestRoots(from []InstID, out *bitset.Set) (more bool) {
	s := r.base.s
	pkgs := make(map[string]bool)
	for _, id := range from {
		pkgs[s.inst(id).fn.Pkg] = true
	}
	g := Graph[InstID]{
		Up: func(id InstID, visit func(InstID)) {
			for _, c := range s.inst(id).callers {
				visit(c.Inst)
			}
		},
		Inner: func(id InstID) bool { return strings.Contains(s.inst(id).fn.Name, "$") },
		Calls: func(n int32, visit func(int32)) { r.eachRun(r.rootInsts[n], pkgs, visit) },
	}
	for _, runs := range []bool{true, false} {
		g.Entry = func(id InstID) (int32, bool) {
			n, ok := r.rootNumber[id]
			return n, ok && runs == (n < r.running)
		}
		roots, some := g.Nearest(from)
		for _, x := range roots {
			out.Add(x)
		}
		more = more || some
	}
	return more
}

// eachRun calls visit for the functions of some packages that an instance calls, itself or
// by a function that is declared in it: once more where it does so in a loop, see Repeated.
func (r *Result) eachRun(id InstID, pkgs map[string]bool, visit func(int32)) {
	in := r.base.s.inst(id)
	for k, es := range in.callees {
		c := &in.fn.Calls[k]
		for _, e := range es {
			fn := r.base.s.inst(e.callee).fn
			if pkgs[fn.Pkg] {
				visit(int32(fn.ID))
				if c.InLoop || c.Loop >= 0 {
					visit(Repeated(int32(fn.ID)))
				}
			}
			if strings.HasPrefix(fn.Name, in.fn.Name+"$") {
				r.eachRun(e.callee, pkgs, visit)
			}
		}
	}
}

// Repeated is what a callee counts as, beside itself, where it is called in a loop: of a server
// that is started again and again others see more than of one.
func Repeated(callee int32) int32 { return -1 - callee }

// A Graph is what Nearest asks of the functions of a program.
type Graph[T comparable] struct {
	Up    func(x T, visit func(T))                   // who calls x
	Entry func(x T) (rank int32, ok bool)            // whether x is an entry
	Inner func(x T) bool                             // x is declared in a function, and part of that
	Calls func(rank int32, visit func(callee int32)) // what an entry calls that tells it from others
}

// Nearest returns the entries that are the fewest calls above some functions, at most
// maxRoots. Of those of equal distance it takes the ones that call most that none before them
// does, and then by their ranks: of forty tests that start one server, the one that asks it for
// its statistics shows something that others do not. It reports whether there are more.
func (g *Graph[T]) Nearest(from []T) (ranks []int32, more bool) {
	seen := make(map[T]bool)
	var level, next []T
	visit := func(x T) {
		if !seen[x] {
			seen[x] = true
			next = append(next, x)
		}
	}
	for _, x := range from {
		visit(x)
	}
	for len(next) > 0 {
		level, next = next, level[:0]
		var found []int32
		inward := func(x T) {
			if !seen[x] {
				seen[x] = true
				level = append(level, x)
			}
		}
		for i := 0; i < len(level); i++ {
			x := level[i]
			if rank, ok := g.Entry(x); ok {
				found = append(found, rank)
			}
			if g.Inner(x) {
				g.Up(x, inward)
			} else {
				g.Up(x, visit)
			}
		}
		slices.Sort(found)
		if len(ranks)+len(found) > maxRoots {
			return append(ranks, g.unlike(ranks, found, maxRoots-len(ranks))...), true
		}
		ranks = append(ranks, found...)
	}
	return ranks, false
}

// unlike chooses n of some entries: each is the one that calls most that neither those chosen
// before it nor others call.
func (g *Graph[T]) unlike(others, from []int32, n int) []int32 {
	known := make(map[int32]bool)
	for _, x := range others {
		g.Calls(x, func(f int32) { known[f] = true })
	}
	news := make([][]int32, len(from))
	for i, x := range from {
		g.Calls(x, func(f int32) { news[i] = append(news[i], f) })
		slices.Sort(news[i])
		news[i] = slices.Compact(news[i])
	}
	var out []int32
	for len(out) < n {
		best := -1
		for i := range from {
			if news[i] = slices.DeleteFunc(news[i], func(f int32) bool { return known[f] }); from[i] >= 0 && (best < 0 || len(news[i]) > len(news[best])) {
				best = i
			}
		}
		for _, f := range news[best] {
			known[f] = true
		}
		out, from[best] = append(out, from[best]), -1
	}
	return out
}

// scope returns the scope of the view's loop.
func (v *View) scope() *scope {
	if v.in == nil {
		v.in = v.res.scopeOf(v.loop)
	}
	return v.in
}

// Apart reports whether no entry point leads to both of two instances, and none that
// runs before others, whose work is there for all (an initialiser, TestMain), to
// either: what different entry points make, or are given, is there at different
// times (soundness: roots-apart).
func (v *View) Apart(i, j InstID) bool {
	a, b, inits := v.rootsOf(i), v.rootsOf(j), &v.res.inits
	return !a.Empty() && !b.Empty() && !a.Intersects(b) && !a.Intersects(inits) && !b.Intersects(inits)
}

// rootsOf returns the entry points that lead to an instance, by number.
func (v *View) rootsOf(id InstID) *bitset.Set {
	switch {
	case id < 0:
		return new(bitset.Set)
	case id >= v.ov.firstInst:
		return &v.scope().roots
	}
	return &v.res.roots[id]
}

// inScope reports whether an instance runs in the programs that the view is
// about.
func (v *View) inScope(id InstID) bool {
	return id >= v.ov.firstInst || v.scope().in[id]
}

// first returns the first of some instances that is in the scope.
func (sc *scope) first(ids []InstID) (InstID, bool) {
	for _, id := range ids {
		if sc.in[id] {
			return id, true
		}
	}
	return -1, false
}
