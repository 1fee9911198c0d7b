package pta

import (
	"fmt"
	"slices"

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
	sc.more = r.nearestRoots(r.base.loops[loop].spawners, &sc.roots)
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
	for _, runs := range []bool{true, false} {
		roots, some := Nearest(from, func(id InstID, visit func(InstID)) {
			for _, c := range s.inst(id).callers {
				visit(c.Inst)
			}
		}, func(id InstID) (int32, bool) {
			n, ok := r.rootNumber[id]
			return n, ok && runs == (n < r.running)
		})
		for _, x := range roots {
			out.Add(x)
		}
		more = more || some
	}
	return more
}

// Nearest returns the entries that are the fewest steps up from some functions,
// at most maxRoots: those of equal distance by their ranks. It reports whether
// there are more.
func Nearest[T comparable](from []T, up func(x T, visit func(T)), entry func(T) (rank int32, ok bool)) (ranks []int32, more bool) {
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
		for _, x := range level {
			if rank, ok := entry(x); ok {
				found = append(found, rank)
			}
			up(x, visit)
		}
		slices.Sort(found)
		ranks = append(ranks, found...)
		if len(ranks) > maxRoots {
			return ranks[:maxRoots], true
		}
	}
	return ranks, false
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
