package index

// This file takes an equation between two indices apart like a number in a
// mixed radix: from S*q + r = S*q' + r' and |r - r'| < S follow q = q' and
// r = r'. Rows and columns are then equal one by one.

// maxDigits bounds how often an index is taken apart.
const maxDigits = 3

// digits returns equalities that follow from a = b: those that are easy to see, or else those that some effort shows.
func (s *scene) digits(a, b poly, why whySet, depth int, effort bool) []con {
	if depth >= maxDigits {
		return nil
	}
	rs := s.radixes(a, b)
	rounds := len(rs)
	if effort {
		rounds *= 2 // first without
	}
	for k := range rounds {
		radix, nodes := rs[k%len(rs)], 3
		if k >= len(rs) {
			nodes = sideNodes
		}
		q, r := divide(a, radix)
		q2, r2 := divide(b, radix)
		if q.equal(q2) || len(r) == 0 && len(r2) == 0 {
			continue
		}
		// r - r' >= S and r' - r >= S must both be impossible.
		w := why
		ok := true
		for _, d := range []poly{r.sub(r2), r2.sub(r)} {
			goal := append(append([]con(nil), s.goal...), con{d.sub(radix), whySet{}, noAtom})
			var x whySet
			if x, ok = s.e.work.refute(s.e.assemble(goal, s.facts, s.ors, s.also), nodes); !ok {
				break
			}
			w = w.or(x)
		}
		if !ok {
			continue
		}
		out := []con{{q.sub(q2), w, isEq}, {r.sub(r2), w, isEq}}
		out = append(out, s.digits(q, q2, w, depth+1, effort)...)
		return append(out, s.digits(r, r2, w, depth+1, effort)...)
	}
	return nil
}

// radixes lists candidates for S: unknowns that are the same on both sides and
// constants, largest degree first in order of appearance.
func (s *scene) radixes(a, b poly) []poly {
	var out []poly
	seen := make(map[string]bool)
	add := func(p poly) {
		if k := p.key(); !seen[k] && len(out) < 6 {
			seen[k] = true
			out = append(out, p)
		}
	}
	for _, p := range []poly{a, b} {
		for _, t := range p {
			if t.m[1] == 0 {
				continue
			}
			// The product of all shared factors, then each of them.
			var shared mono
			n := 0
			for _, x := range t.m {
				if x != 0 && s.e.atoms[x-1].side == 0 {
					shared[n] = x
					n++
				}
			}
			if n > 1 {
				add(multiples(shared, a, b))
			}
			for _, x := range shared {
				if x != 0 {
					add(multiples(one(atom(x-1)), a, b))
				}
			}
		}
	}
	for _, p := range []poly{a, b} {
		for _, t := range p {
			if c := int64(abs(t.c)); c > 1 && t.m != (mono{}) {
				add(number(c))
			}
		}
	}
	for _, p := range []poly{a, b} {
		for _, t := range p {
			if t.m != (mono{}) && t.m[1] == 0 && s.e.atoms[t.m[0]-1].side == 0 {
				add(variable(atom(t.m[0] - 1)))
			}
		}
	}
	return out
}

// multiples is the largest multiple of a product that divides all terms with it: rows that begin at 8*(n/8)*y are
// that wide, and not n/8.
func multiples(m mono, ps ...poly) poly {
	c := int64(0)
	for _, p := range ps {
		for _, t := range p {
			if rest, ok := t.m.over(m); ok && rest.degree() > 0 {
				c = gcd(c, t.c)
			}
		}
	}
	return poly{{m, max(c, 1)}}
}

// over divides a product by another; ok is false if it has not all of its factors.
func (m mono) over(by mono) (rest mono, ok bool) {
	for _, x := range by {
		if x == 0 {
			break
		}
		if !m.has(atom(x - 1)) {
			return m, false
		}
		m = m.without(atom(x - 1))
	}
	return m, true
}

// divide splits p into q*radix + r by terms.
func divide(p, radix poly) (q, r poly) {
	if c, ok := radix.isConst(); ok {
		for _, t := range p {
			if t.m != (mono{}) && t.c%c == 0 {
				q = append(q, term{t.m, t.c / c})
			} else {
				r = append(r, t)
			}
		}
		return q, r
	}
	by := radix[0]
	for _, t := range p {
		if m, ok := t.m.over(by.m); ok && t.c%by.c == 0 {
			q = q.add(poly{{m, t.c / by.c}})
		} else {
			r = append(r, t)
		}
	}
	return q, r
}
