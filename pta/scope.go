package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
)

// maxRoots is the number of roots from which a loop is looked at: those that
// are fewest calls above it. A function that a thousand tests call is no
// different in the last of them (soundness: nearest-roots).
const maxRoots = 12

// A scope is the part of the base in which a loop is looked at: what runs in
// the same programs as the loop's spawners.
type scope struct {
	roots bitset.Set
	in    []bool // by instance of the base
}

// scopeOf returns the scope of a loop.
func (r *Result) scopeOf(loop int) *scope {
	if sc := r.scopes[loop]; sc != nil {
		return sc
	}
	sc := &scope{in: make([]bool, len(r.roots))}
	r.scopes[loop] = sc
	cut := r.nearestRoots(r.base.loops[loop].spawners, &sc.roots)
	if cut > 0 {
		r.Notices = append(r.Notices, model.Notice{
			Pos: r.Loops[loop].Pos, Code: model.SoundnessNumber("nearest-roots"),
			Message: "more entry points lead to this loop than are looked at: the nearest ones stand for the rest",
		})
	}
	for id := range r.roots {
		sc.in[id] = r.roots[id].Intersects(&sc.roots)
	}
	return sc
}

// nearestRoots adds to out the roots that are the fewest calls above some
// instances, and returns how many it left out.
func (r *Result) nearestRoots(from []InstID, out *bitset.Set) (cut int) {
	s := r.base.s
	seen := make(map[InstID]bool)
	level := slices.Clone(from)
	for _, id := range level {
		seen[id] = true
	}
	n := 0
	for len(level) > 0 {
		var next []InstID
		var found []int32
		for _, id := range level {
			if s.inst(id).root {
				found = append(found, r.rootNumber[id])
			}
			for _, c := range s.inst(id).callers {
				if !seen[c.Inst] {
					seen[c.Inst] = true
					next = append(next, c.Inst)
				}
			}
		}
		slices.Sort(found)
		for _, x := range found {
			if n < maxRoots {
				out.Add(x)
				n++
			} else {
				cut++
			}
		}
		level = next
	}
	return cut
}

// scope returns the scope of the view's loop.
func (v *View) scope() *scope { return v.res.scopeOf(v.loop) }

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
