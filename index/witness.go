package index

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// This file looks for small numbers that satisfy all facts and make both
// indices equal. They show how the accesses collide.

// maxTries bounds the assignments that are tried.
const maxTries = 1500

// A search assigns values to atoms one by one, keeping bounds for the rest.
type search struct {
	n      *problem
	atoms  []atom
	lo, hi []int64         // by atom
	shared func(atom) bool // the same value on both sides
	tries  int
	depth  map[atom]int // of what is computed exactly, how much else must be computed before
}

// depths finds how deep the operations are nested whose results are known exactly.
func (x *search) depths() {
	x.depth = make(map[atom]int)
	for changed, n := true, 0; changed && n <= len(x.n.apps); n++ {
		changed = false
		for i := range x.n.apps {
			f := &x.n.apps[i]
			if f.exact == nil {
				continue
			}
			d := 1
			for _, p := range f.args {
				p.atoms(func(a atom) { d = max(d, x.depth[a]+1) })
			}
			if d > x.depth[f.res] {
				x.depth[f.res], changed = d, true
			}
		}
	}
}

// computed returns what an operation yields that is known exactly, once its arguments have values.
func (x *search) computed(f *app) (res int64, ok bool) {
	if f.exact == nil {
		return 0, false
	}
	var args []int64
	for _, p := range f.args {
		lo, hi := x.interval(p)
		if lo != hi {
			return 0, false
		}
		args = append(args, lo)
	}
	return f.exact(args)
}

// witness returns the text of a small model, or "".
func (s *scene) witness() string {
	e := s.e
	goal := make([]con, 0, len(s.eqs))
	for _, q := range s.eqs {
		goal = append(goal, con{q.a.sub(q.b), whySet{}, isEq})
	}
	x := &search{n: e.assemble(goal, s.facts, s.ors, s.also), lo: make([]int64, len(e.atoms)), hi: make([]int64, len(e.atoms))}
	noted := make([]bool, len(e.atoms))
	x.shared = func(a atom) bool { return e.atoms[a].side == 0 }
	note := func(p poly) {
		p.atoms(func(a atom) {
			if !noted[a] {
				noted[a] = true
				x.atoms = append(x.atoms, a)
				x.lo[a], x.hi[a] = -1, 9
				if e.atoms[a].app != nil || len(e.atoms[a].ors) > 0 || e.atoms[a].cons != nil && e.atoms[a].cons[0].def == isEq {
					x.lo[a], x.hi[a] = -20, 60
				}
			}
		})
	}
	x.n.eachPoly(note)
	for _, d := range x.n.ors {
		for _, alt := range d.alts {
			for _, l := range alt {
				note(l.p)
			}
		}
	}
	for _, f := range x.n.apps {
		for _, p := range f.args {
			note(p)
		}
	}
	x.depths()
	// What is the same on both sides first, what is computed last.
	sort.SliceStable(x.atoms, func(i, j int) bool {
		a, b := x.atoms[i], x.atoms[j]
		da, db := x.hi[a] > 9, x.hi[b] > 9
		if da != db {
			return db
		}
		if x.depth[a] != x.depth[b] {
			return x.depth[a] < x.depth[b]
		}
		return e.atoms[a].side < e.atoms[b].side
	})
	if !x.solve(0) {
		return ""
	}
	var parts []string
	said := make(map[string]bool)
	for _, a := range x.atoms {
		i := &e.atoms[a]
		if x.hi[a] != x.lo[a] || i.app != nil || strings.Contains(i.name, "…") || len(parts) == 12 {
			continue
		}
		name := i.name
		if said[name] && i.data {
			name += " as read" // what the variable holds may be something else than the round's number
		}
		said[name] = true
		if part := fmt.Sprintf("%s = %d", name, x.lo[a]); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	var at []string
	for _, q := range s.eqs {
		at = append(at, fmt.Sprint(x.value(q.a)))
	}
	both := "both touch element " + strings.Join(at, ", ")
	if len(parts) == 0 {
		return both
	}
	return strings.Join(parts, ", ") + ": " + both
}

func (x *search) value(p poly) int64 {
	lo, _ := x.interval(p)
	return lo
}

// interval bounds a polynomial by the bounds of its atoms.
func (x *search) interval(p poly) (lo, hi int64) {
	for _, t := range p {
		a, b := int64(1), int64(1)
		for _, f := range t.m {
			if f == 0 {
				break
			}
			c, d := x.lo[atom(f-1)], x.hi[atom(f-1)]
			w, y, z, v := a*c, a*d, b*c, b*d
			a, b = min(w, y, z, v), max(w, y, z, v)
		}
		if t.c < 0 {
			a, b = b, a
		}
		lo, hi = lo+t.c*a, hi+t.c*b
	}
	return lo, hi
}

// possible reports whether no constraint is violated whatever the open atoms are.
func (x *search) possible() bool {
	for _, c := range x.n.cons {
		if _, hi := x.interval(c.p); hi < 0 {
			return false
		}
	}
	for _, c := range x.n.eqs {
		if lo, hi := x.interval(c.p); lo > 0 || hi < 0 {
			return false
		}
	}
	for _, d := range x.n.ors {
		some := false
		for _, alt := range d.alts {
			all := true
			for _, l := range alt {
				lo, hi := x.interval(l.p)
				all = all && hi >= 0 && (!l.eq || lo <= 0)
			}
			some = some || all
		}
		if !some {
			return false
		}
	}
	for i := range x.n.apps {
		f := &x.n.apps[i]
		if res, ok := x.computed(f); ok && x.lo[f.res] == x.hi[f.res] && res != x.lo[f.res] {
			return false
		}
		for j := range x.n.apps[:i] {
			if !x.agree(&x.n.apps[i], &x.n.apps[j]) {
				return false
			}
		}
	}
	return true
}

// agree checks two uses of one symbol, once their arguments have values.
func (x *search) agree(f, g *app) bool {
	if f.tag != g.tag || len(f.args) != len(g.args) {
		return true
	}
	for k := range f.args {
		for _, p := range []poly{f.args[k], g.args[k]} {
			if lo, hi := x.interval(p); lo != hi {
				return true
			}
		}
		if k > 0 && x.value(f.args[k]) != x.value(g.args[k]) {
			return true
		}
	}
	a, b := x.value(f.args[0]), x.value(g.args[0])
	flo, fhi := x.lo[f.res], x.hi[f.res]
	glo, ghi := x.lo[g.res], x.hi[g.res]
	switch {
	case a == b:
		return f.noCong || flo <= ghi && glo <= fhi
	case f.inj && flo == fhi && glo == ghi && flo == glo:
		return false
	case f.trend == rising || f.trend == either: // one direction is enough for a witness
		return a < b && flo <= ghi || a > b && fhi >= glo
	case f.trend == falling:
		return a < b && fhi >= glo || a > b && flo <= ghi
	}
	return true
}

// narrow tightens the bounds of an atom by the constraints that are linear in
// it and otherwise assigned.
func (x *search) narrow(a atom) {
	use := func(p poly, eq bool) {
		if p.mentions(a) != 1 {
			return
		}
		var c int64
		for _, t := range p {
			if t.m == one(a) {
				c = t.c
			}
		}
		if c == 0 {
			return
		}
		rest := p.addScaled(variable(a), -c)
		lo, hi := x.interval(rest)
		// c*a + rest >= 0
		if c > 0 {
			x.lo[a] = max(x.lo[a], -floorDiv(hi, c))
		} else {
			x.hi[a] = min(x.hi[a], floorDiv(hi, -c))
		}
		if eq {
			if c > 0 {
				x.hi[a] = min(x.hi[a], floorDiv(-lo, c))
			} else {
				x.lo[a] = max(x.lo[a], -floorDiv(-lo, -c))
			}
		}
	}
	for _, c := range x.n.cons {
		use(c.p, false)
	}
	for _, c := range x.n.eqs {
		use(c.p, true)
	}
}

func (x *search) solve(i int) bool {
	if x.tries++; x.tries > maxTries {
		return false
	}
	if !x.possible() {
		return false
	}
	if i == len(x.atoms) {
		return true
	}
	a := x.atoms[i]
	lo, hi := x.lo[a], x.hi[a]
	for k := range x.n.apps {
		if f := &x.n.apps[k]; f.res == a {
			if res, ok := x.computed(f); ok {
				x.lo[a], x.hi[a] = res, res
				if x.solve(i + 1) {
					return true
				}
				x.lo[a], x.hi[a] = lo, hi
				return false
			}
		}
	}
	x.narrow(a)
	from, to := x.lo[a], x.hi[a]
	// Small positive numbers first.
	var order []int64
	first := max(from, 0)
	if hi-lo == 10 && x.shared(a) && from <= 2 && to >= 2 {
		order = append(order, 2, 3, 1) // more telling than 0
	}
	for v := first; v <= to; v++ {
		order = append(order, v)
	}
	for v := min(-1, to); v >= from; v-- {
		order = append(order, v)
	}
	for _, v := range order {
		x.lo[a], x.hi[a] = v, v
		if x.solve(i + 1) {
			return true
		}
		if x.tries > maxTries {
			break
		}
	}
	x.lo[a], x.hi[a] = lo, hi
	return false
}
