package index

// This file holds the case splits: alternatives of disjunctions, directions of
// monotone symbols, signs of co-factors, orders of unknowns.

// propagate drops alternatives of disjunctions that are excluded already. It
// reports a contradiction if none is left, and whether something was asserted.
func (n *problem) propagate(l *lp) (w whySet, done, again bool) {
	keep := n.ors[:0:0]
	for _, d := range n.ors {
		var left [][]literal
		why := d.why
		holds := false
		for _, alt := range d.alts {
			x, no := l.excludes(alt)
			if no {
				why = why.or(x)
				continue
			}
			left = append(left, alt)
			holds = holds || l.holds(alt)
		}
		switch {
		case len(left) == 0:
			return why, true, false
		case holds:
			continue // says nothing new
		case len(left) == 1:
			n.add(left[0], why)
			again = true
		default:
			keep = append(keep, disj{left, why})
		}
	}
	n.ors = keep
	return w, false, again
}

// excludes reports whether the conjunction contradicts the constraints.
func (l *lp) excludes(alt []literal) (w whySet, no bool) {
	l.with(func() {
		for _, x := range alt {
			if x.eq {
				g := x.p.content()
				if g != 0 && x.p.constTerm()%g != 0 || g == 0 && x.p.constTerm() != 0 {
					no = true
					return
				}
				l.assert(x.p.neg().tighten(), whySet{})
			}
			l.assert(x.p.tighten(), whySet{})
		}
		w, no = l.infeasible()
	})
	return w, no
}

// holds reports whether the conjunction is entailed and defines nothing.
func (l *lp) holds(alt []literal) bool {
	for _, x := range alt {
		if x.eq {
			return false
		}
		if _, ok := l.entails(x.p); !ok {
			return false
		}
	}
	return true
}

// chooseSplit returns the cases to try next, or nil.
func (n *problem) chooseSplit(l *lp) *disj {
	if d := n.splitOr(); d != nil {
		return d
	}
	if n.wide {
		return nil // every new product would ask for another order
	}
	if d := n.splitSign(l); d != nil {
		return d
	}
	if d := n.splitTrend(); d != nil {
		return d
	}
	return n.splitProductOrder(l)
}

// lateSplit is tried when nothing else is left.
func (n *problem) lateSplit(l *lp) *disj {
	if d := n.splitArgs(l); d != nil {
		return d
	}
	if n.cuts++; n.cuts > maxCuts {
		return nil
	}
	return n.splitFraction(l)
}

// maxCuts bounds the branches on one path that only make a value integral.
const maxCuts = 6

// splitOr takes the first of the disjunctions with the fewest alternatives.
func (n *problem) splitOr() *disj {
	best := -1
	for i, d := range n.ors {
		if best < 0 || len(d.alts) < len(n.ors[best].alts) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	d := n.ors[best]
	n.ors = append(append([]disj(nil), n.ors[:best]...), n.ors[best+1:]...)
	return &d
}

func ge(p poly) []literal { return []literal{{p: p, def: noAtom}} }

// splitTrend takes a symbol that is monotone in an unknown direction.
func (n *problem) splitTrend() *disj {
	for i, f := range n.apps {
		if f.trend != either || f.den != nil {
			continue
		}
		for j, g := range n.apps {
			if i != j && g.tag == f.tag {
				return &disj{alts: [][]literal{{{trend: rising, tag: f.tag}}, {{trend: falling, tag: f.tag}}}, why: f.why}
			}
		}
	}
	return nil
}

// splitSign takes a co-factor of unknown sign.
func (n *problem) splitSign(l *lp) *disj {
	for _, a := range n.cofactors() {
		if s := l.signOf(a, 0); s.ok {
			continue
		}
		v := variable(a)
		return &disj{alts: [][]literal{
			ge(v.plus(-1)),
			{{p: v, eq: true, def: a}},
			ge(v.neg().plus(-1)),
		}}
	}
	return nil
}

// trichotomy returns the cases x < y, x = y, x > y if at least two are open.
func (l *lp) trichotomy(x, y poly, def atom) *disj {
	d := x.sub(y)
	if _, isC := d.isConst(); isC {
		return nil
	}
	cases := [][]literal{ge(d.neg().plus(-1)), {{p: d, eq: true, def: def}}, ge(d.plus(-1))}
	var open [][]literal
	var why whySet
	for _, c := range cases {
		w, no := l.excludes(c)
		if no {
			why = why.or(w)
		} else {
			open = append(open, c)
		}
	}
	if len(open) < 2 {
		return nil
	}
	return &disj{alts: open, why: why}
}

// splitProductOrder takes two unknowns that are multiplied by the same one.
func (n *problem) splitProductOrder(l *lp) *disj {
	for _, a := range n.cofactors() {
		var others []atom
		seen := make(map[atom]bool)
		n.eachPoly(func(p poly) {
			for _, t := range p {
				if t.m.degree() == 2 && t.m.has(a) {
					if o := atom(t.m.without(a)[0] - 1); o != a && !seen[o] {
						seen[o] = true
						others = append(others, o)
					}
				}
			}
		})
		for i, x := range others {
			for _, y := range others[:i] {
				if d := l.trichotomy(variable(x), variable(y), anySolve); d != nil {
					return d
				}
			}
		}
	}
	return nil
}

// splitArgs takes two uses of a symbol whose first arguments are not ordered.
func (n *problem) splitArgs(l *lp) *disj {
	for i := range n.apps {
		for j := range n.apps[:i] {
			f, g := &n.apps[i], &n.apps[j]
			if i-j > maxApps || f.tag != g.tag || f.trend == anyhow && !f.inj {
				continue
			}
			if d := l.trichotomy(f.args[0], g.args[0], noAtom); d != nil {
				return d
			}
		}
	}
	return nil
}

// splitFraction branches on an unknown whose rational value is no integer.
func (n *problem) splitFraction(l *lp) *disj {
	if a, _ := l.s.check(); a != feasible {
		return nil
	}
	var best *mono
	var cut int64
	for i := range l.s.rows {
		r := &l.s.rows[i]
		num, ok := l.s.value(r)
		if !ok || num%r.den == 0 {
			continue
		}
		for m, v := range l.monos {
			if v == r.v && m[1] == 0 && (best == nil || m.less(*best)) {
				m := m
				best, cut = &m, floorDiv(num, r.den)
			}
		}
	}
	if best == nil {
		return nil
	}
	v := poly{{m: *best, c: 1}}
	return &disj{alts: [][]literal{ge(v.neg().plus(cut)), ge(v.plus(-cut - 1))}}
}
