package index

// This file uses up equalities: an unknown that one defines is replaced by its
// value everywhere.

// eliminate substitutes equalities. It reports a contradiction found on the way.
func (n *problem) eliminate() (whySet, bool) {
	for again := true; again; {
		again = false
		keep := n.eqs[:0:0]
		for i, e := range n.eqs {
			c, isC := e.p.isConst()
			g := e.p.content()
			switch {
			case isC && c != 0, !isC && e.p.constTerm()%g != 0:
				return e.why, true
			case isC:
				continue
			}
			if g > 1 {
				e.p = e.p.tighten()
			}
			a, by := n.solvable(e)
			if a < 0 {
				keep = append(keep, e)
				continue
			}
			keep = append(keep, n.eqs[i+1:]...)
			n.eqs = keep
			n.replace(a, by, e)
			again = true
			break
		}
		if !again {
			n.eqs = keep
		}
	}
	return n.simplify()
}

const (
	noAtom   atom = -1 // defines nothing, but may be used to eliminate
	kept     atom = -2 // tried, and must not be used to eliminate
	anySolve atom = -3 // may eliminate any atom, co-factor or not
)

// solvable picks an atom that the equality can replace, and its value. Only a
// defined atom may be a co-factor elsewhere: replacing an invariant step by a
// difference of two unknowns would hide the products it occurs in.
func (n *problem) solvable(e con) (atom, poly) {
	if e.def == kept {
		return -1, nil
	}
	best := atom(-1)
	var coef int64
	for _, t := range e.p {
		if t.m.degree() != 1 || t.c != 1 && t.c != -1 {
			continue
		}
		a := atom(t.m[0] - 1)
		if e.p.mentions(a) != 1 {
			continue
		}
		if a == e.def {
			best, coef = a, t.c
			break
		}
		if best < 0 && (e.def == anySolve || !n.cofactor(a)) {
			best, coef = a, t.c
		}
	}
	if best < 0 {
		return -1, nil
	}
	by := e.p.addScaled(variable(best), -coef)
	return best, by.scale(-coef)
}

// cofactor reports whether a occurs in a product.
func (n *problem) cofactor(a atom) bool {
	in := func(p poly) bool {
		for _, t := range p {
			if t.m[1] != 0 && t.m.has(a) {
				return true
			}
		}
		return false
	}
	for _, c := range n.cons {
		if in(c.p) {
			return true
		}
	}
	for _, c := range n.eqs {
		if in(c.p) {
			return true
		}
	}
	for _, d := range n.ors {
		for _, alt := range d.alts {
			for _, x := range alt {
				if in(x.p) {
					return true
				}
			}
		}
	}
	return false
}

// replace substitutes a everywhere; nothing is changed if it cannot be done.
func (n *problem) replace(a atom, by poly, e con) {
	m := n.clone()
	for i := range m.cons {
		c := &m.cons[i]
		hit, ok := c.subst(a, by, e.why)
		if !ok {
			n.refuse(e)
			return
		}
		if hit {
			c.p = c.p.tighten()
		}
	}
	for i := range m.eqs {
		c := &m.eqs[i]
		hit, ok := c.subst(a, by, e.why)
		if !ok {
			n.refuse(e)
			return
		}
		if hit && c.def == kept {
			c.def = noAtom
		}
	}
	for i := range m.ors {
		d, ok := m.ors[i].subst(a, by, e.why)
		if !ok {
			n.refuse(e)
			return
		}
		m.ors[i] = d
	}
	for i := range m.apps {
		f, ok := m.apps[i].subst(a, by, e.why)
		if !ok {
			n.refuse(e)
			return
		}
		m.apps[i] = f
	}
	*n = *m
}

// refuse keeps an equality that could not be substituted as two inequalities.
func (n *problem) refuse(e con) {
	n.eqs = append(n.eqs, con{e.p, e.why, kept})
}

// subst replaces a in the constraint, if it is there; ok is false if that cannot
// be done.
func (c *con) subst(a atom, by poly, why whySet) (hit, ok bool) {
	if c.p.mentions(a) == 0 {
		return false, true
	}
	p, ok := c.p.subst(a, by)
	if !ok {
		return true, false
	}
	c.p, c.why = p, c.why.or(why)
	return true, true
}

func (d disj) subst(a atom, by poly, why whySet) (disj, bool) {
	hit := false
	alts := make([][]literal, len(d.alts))
	for i, alt := range d.alts {
		alts[i] = alt
		for j, x := range alt {
			if x.p.mentions(a) == 0 {
				continue
			}
			p, ok := x.p.subst(a, by)
			if !ok {
				return d, false
			}
			if &alts[i][0] == &alt[0] { // still shared
				alts[i] = append([]literal(nil), alts[i]...)
			}
			hit = true
			alts[i][j].p = p
		}
	}
	if !hit {
		return d, true
	}
	return disj{alts, d.why.or(why)}, true
}

func (f app) subst(a atom, by poly, why whySet) (app, bool) {
	hit := false
	for j, p := range f.args {
		if p.mentions(a) == 0 {
			continue
		}
		q, ok := p.subst(a, by)
		if !ok {
			return f, false
		}
		if !hit {
			f.args = append([]poly(nil), f.args...)
			f.argWhy = f.argWhy.or(why)
			hit = true
		}
		f.args[j] = q
	}
	if f.den.mentions(a) > 0 {
		q, ok := f.den.subst(a, by)
		if !ok {
			return f, false
		}
		f.den, f.argWhy = q, f.argWhy.or(why)
	}
	if f.res == a {
		f.val, f.hasVal = by, true
		f.argWhy = f.argWhy.or(why)
	} else if f.hasVal && f.val.mentions(a) > 0 {
		q, ok := f.val.subst(a, by)
		if !ok {
			return f, false
		}
		f.val = q
		f.argWhy = f.argWhy.or(why)
	}
	return f, true
}

// simplify drops what says nothing and of constraints that differ in the
// constant only keeps the strongest. It reports a constant contradiction.
func (n *problem) simplify() (whySet, bool) {
	at := make(map[string]int, len(n.cons))
	var key []byte
	keep := n.cons[:0:0]
	for _, c := range n.cons {
		if k, isC := c.p.isConst(); isC {
			if k < 0 {
				return c.why, true
			}
			continue
		}
		body, k := c.p, c.p.constTerm()
		if k != 0 {
			body = body[1:]
		}
		key = body.appendTo(key[:0])
		if i, ok := at[string(key)]; ok {
			if k < keep[i].p.constTerm() {
				keep[i] = c
			}
			continue
		}
		at[string(key)] = len(keep)
		keep = append(keep, c)
	}
	n.cons = keep
	return whySet{}, false
}
