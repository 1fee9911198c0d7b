package index

import "strings"

// This file looks for what is missing: one premise under which the accesses
// would be disjoint, so that a report can say "disjoint if x < Stride".

// maxPremises bounds the candidates that are tried.
const maxPremises = 14

// A premise is a conjunction with its text.
type premise struct {
	cons []con
	text string
}

// abduce returns the text of the first candidate that excludes equality and
// does not contradict the facts by itself.
func (s *scene) abduce() string {
	e := s.e
	saved := *e.work
	defer func() {
		// Looking for a premise costs at most as much again as the query.
		saved.steps = e.work.steps
		*e.work = saved
	}()
	e.work.nodes, e.work.pivots = queryNodes/10, queryPivots/10
	goal := make([]con, 0, len(s.eqs))
	for _, q := range s.eqs {
		goal = append(goal, con{q.a.sub(q.b), whySet{}, isEq})
	}
	tried := 0
	for _, p := range s.premises() {
		if tried++; tried > maxPremises {
			break
		}
		t := *s
		t.facts = append(append([]con(nil), s.facts...), p.cons...)
		t.goal = nil
		if _, ok := t.refute(); !ok {
			continue
		}
		if _, vain := e.work.refute(e.assemble(p.cons, s.facts, s.ors, s.also), sideNodes); vain {
			continue
		}
		return p.text
	}
	return ""
}

// premises lists candidates: digits that stay below their radix, invariants
// that are positive, or ordered.
func (s *scene) premises() []premise {
	e := s.e
	var out []premise
	for _, q := range s.eqs {
		for _, radix := range s.radixes(q.a, q.b) {
			_, r := divide(q.a, radix)
			_, r2 := divide(q.b, radix)
			if len(r) == 0 && len(r2) == 0 {
				continue
			}
			if _, isC := radix.isConst(); isC {
				continue
			}
			for _, t := range s.widths(r, r2) {
				p := radix.sub(t)
				out = append(out, premise{[]con{{p, whySet{}, noAtom}}, e.polyText(t) + " <= " + e.polyText(radix)})
			}
			both := []con{{r.below(radix), whySet{}, noAtom}, {r2.below(radix), whySet{}, noAtom}}
			text := e.polyText(r) + " < " + e.polyText(radix)
			out = append(out, premise{both, text})
			both = append(both, con{r, whySet{}, noAtom}, con{r2, whySet{}, noAtom})
			out = append(out, premise{both, "0 <= " + text})
		}
	}
	var shared []atom
	seen := make(map[atom]bool)
	n := e.assemble(s.goal, s.facts, s.ors, s.also)
	note := func(p poly) {
		p.atoms(func(a atom) {
			if !seen[a] && e.atoms[a].side == 0 {
				seen[a] = true
				shared = append(shared, a)
			}
		})
	}
	n.eachPoly(note)
	for _, a := range shared {
		if n.cofactor(a) {
			v := variable(a)
			out = append(out, premise{[]con{{v.plus(-1), whySet{}, noAtom}}, e.polyText(v) + " > 0"})
		}
	}
	for _, a := range shared {
		for _, b := range shared {
			if a != b && len(shared) <= 5 {
				p := variable(a).atMost(variable(b))
				out = append(out, premise{[]con{{p, whySet{}, noAtom}}, e.polyText(variable(a)) + " <= " + e.polyText(variable(b))})
			}
		}
	}
	return out
}

// widths bounds a digit from above by what both sides share: from r = 4*x+3 and
// x < w follows r < 4*w. The bound is rounded up to a multiple of the factor,
// as a row has whole columns.
func (s *scene) widths(digits ...poly) []poly {
	e := s.e
	var out []poly
	for _, r := range digits {
		for _, f := range s.facts {
			if f.def == isEq || e.sideOfPoly(f.p) == 0 {
				continue
			}
			for _, t := range r {
				c := t.c
				if t.m == (mono{}) || c <= 0 || e.sideOfPoly(poly{t}) == 0 {
					continue
				}
				top := r.addScaled(f.p, c)
				if e.sideOfPoly(top) != 0 {
					continue
				}
				k := top.constTerm()
				top = top.plus(floorDiv(k, c)*c + c - k)
				known := false
				for _, o := range out {
					known = known || o.equal(top)
				}
				if !known && len(out) < 4 {
					out = append(out, top)
				}
			}
		}
	}
	return out
}

// strides assumes that rows are not wider than a field called Stride, or than the
// field of one object whose like in another bounds them (soundness: row-stride), and
// returns what that gives for the equations.
func (s *scene) strides() []con {
	e := s.e
	var out []con
	for _, q := range s.eqs {
		for _, radix := range s.radixes(q.a, q.b) {
			if len(radix) != 1 || radix[0].c != 1 || radix[0].m[1] != 0 {
				continue
			}
			n := e.atoms[radix[0].m[0]-1].name
			stride := strings.HasSuffix(n, ".Stride") || strings.HasSuffix(n, ".stride")
			_, r := divide(q.a, radix)
			_, r2 := divide(q.b, radix)
			for _, t := range s.widths(r, r2) {
				if t.constTerm() != 0 || !stride && !e.oneField(t, n) {
					continue // one column more, as in x <= w, is a slip
				}
				why := e.fact(e.polyText(t)+" <= "+n+", as rows are no wider than the stride", AssumeStride)
				out = append(out, con{radix.sub(t), why, noAtom})
			}
		}
	}
	return out
}

// oneField reports whether a bound is the field that a stride is, of another object:
// x < cur.w, and next.cells[y*next.w+x]. The same field, read twice, may have been
// set in between.
func (e *env) oneField(t poly, stride string) bool {
	if len(t) != 1 || t[0].c != 1 || t[0].m[0] == 0 || t[0].m[1] != 0 {
		return false
	}
	n := e.atoms[t[0].m[0]-1].name
	i, j := strings.LastIndexByte(n, '.'), strings.LastIndexByte(stride, '.')
	return i >= 0 && j >= 0 && n != stride && n[i:] == stride[j:]
}
