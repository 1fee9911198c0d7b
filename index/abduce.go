package index

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
