package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
)

// This file says what runs after an initialiser. What different entry points do happens
// at different times (soundness: roots-apart), but a goroutine that a package's
// initialiser starts, itself or by what makes a package variable, runs beside main, or
// beside whatever test or function of a client comes next.

// findNext finds, for initialisers that start goroutines, the entry points that run
// after them: those of their packages, and of packages whose initialisers run them. Of
// those that run by themselves, and of exported functions, there are so many that stand
// for the rest (soundness: nearest-roots).
func (r *Result) findNext() {
	var starting bitset.Set
	for i, pl := range r.base.loops {
		if !r.atOnce(i) {
			continue
		}
		for _, id := range pl.spawners {
			starting.Union(r.roots[id].And(&r.inits), nil)
		}
	}
	r.next = make(map[int32][]int32)
	for n := range starting.All() {
		first := r.rootInsts[n]
		found := [2]int{}
		for k, id := range r.rootInsts {
			k := int32(k)
			if r.inits.Has(k) || !slices.ContainsFunc(r.rootInsts, func(up InstID) bool {
				// The package's initialiser is first, or runs it.
				m := r.rootNumber[up]
				return r.inits.Has(m) && r.roots[first].Has(m) && samePackage(r.base.s.inst(up).fn.Pkg, r.base.s.inst(id).fn.Pkg)
			}) {
				continue
			}
			kind := 0
			if k >= r.running {
				kind = 1
			}
			if found[kind]++; found[kind] <= maxRoots {
				r.next[n] = append(r.next[n], k)
			}
		}
	}
}

// atOnce reports whether a loop's goroutines start where the code says so, and not, as
// far as is known, when a server is run: a handler that an initialiser registers waits
// for main to run one, which has then made what handlers use.
func (r *Result) atOnce(loop int) bool {
	pl := r.base.loops[loop]
	return pl.spawn < 0 || !pl.fn.Spawns[pl.spawn].Self
}

// nextInsts lists the instances of the base in which those entry points start that run
// after one, which an instance is, and beside a loop that this starts.
func (r *Result) nextInsts(loop int, id InstID) []InstID {
	n, ok := r.rootNumber[id]
	if !ok || !r.atOnce(loop) {
		return nil
	}
	var out []InstID
	for _, k := range r.next[n] {
		out = append(out, r.rootInsts[k])
	}
	return out
}

// addBeside adds to the entry points of a scope those that run after its initialisers,
// and initialisers that start goroutines beside them. It reports whether there are more
// than are added.
func (r *Result) addBeside(loop int, roots *bitset.Set) (more bool) {
	had := roots.Copy()
	for _, n := range r.inits.Elems() {
		after := r.next[n]
		if had.Has(n) && !r.atOnce(loop) {
			continue
		}
		if had.Has(n) {
			for _, k := range after {
				roots.Add(k)
			}
			more = more || len(after) >= maxRoots
		} else if slices.ContainsFunc(after, had.Has) {
			roots.Add(n)
		}
	}
	return more
}

// Next lists the entry points that run after an initialiser, as instances of the view.
func (v *View) Next(id InstID) []InstID {
	b, ok := v.baseInst(id)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(v.res.nextInsts(v.loop, b), func(k InstID) bool { return !v.inScope(k) })
}
