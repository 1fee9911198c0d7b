package index

import "slices"

// This file holds what is added to the linear view of a problem: the axioms of
// the function symbols and products of constraints.

func (f *app) value() poly {
	if f.hasVal {
		return f.val
	}
	return variable(f.res)
}

// maxApps bounds the pairs of equal symbols that are compared.
const maxApps = 14

// lemmas returns the instances of the axioms whose premises are entailed and
// whose conclusion is new.
func (n *problem) lemmas(l *lp) []con {
	var news []con
	emit := func(p poly, why whySet) {
		if c, isC := p.isConst(); isC && c >= 0 {
			return
		}
		if _, known := l.entails(p); !known {
			news = append(news, con{p, why, noAtom})
		}
	}
	for i := range n.apps {
		news = n.apps[i].bounds(n.cons, l, news)
		for j := range n.apps[:i] {
			f, g := &n.apps[i], &n.apps[j]
			if i-j > maxApps || f.tag != g.tag || len(f.args) != len(g.args) {
				continue
			}
			f.pair(g, l, emit, func(x, y poly, why whySet) {
				if _, known := l.equal(x, y); !known {
					news = append(news, con{x.sub(y), why, isEq})
				}
			})
		}
	}
	return news
}

// pair emits what the axioms of one symbol say about two of its uses.
func (f *app) pair(g *app, l *lp, emit func(poly, whySet), equal func(x, y poly, why whySet)) {
	base := f.argWhy.or(g.argWhy)
	rest, same := base, true // all arguments but the first are equal
	for k := 1; k < len(f.args) && same; k++ {
		var w whySet
		w, same = l.equal(f.args[k], g.args[k])
		rest = rest.or(w)
	}
	if !same {
		return
	}
	x, y := f.args[0], g.args[0]
	le, xy := l.entails(x.atMost(y))
	ge, yx := l.entails(y.atMost(x))
	F, G := f.value(), g.value()
	if xy && yx {
		if f.noCong {
			return
		}
		w := rest.or(le).or(ge)
		emit(F.atMost(G), w)
		emit(G.atMost(F), w)
		return
	}
	rise := func(up bool, w whySet) { // F is below or above G
		if up {
			emit(F.atMost(G), w)
		} else {
			emit(G.atMost(F), w)
		}
	}
	trend, trendWhy := f.trend, f.why
	if trend == either && f.den != nil {
		if w, ok := l.entails(f.den.plus(-1)); ok {
			trend, trendWhy = rising, w.or(f.why)
		}
	}
	if trend == rising || trend == falling {
		if xy {
			rise(trend == rising, rest.or(le).or(trendWhy))
		}
		if yx {
			rise(trend != rising, rest.or(ge).or(trendWhy))
		}
		// The converse: results strictly ordered order the arguments.
		if w, ok := l.entails(F.below(G)); ok {
			w = w.or(rest).or(trendWhy)
			if trend == rising {
				emit(x.below(y), w)
			} else {
				emit(y.below(x), w)
			}
		}
		if w, ok := l.entails(G.below(F)); ok {
			w = w.or(rest).or(trendWhy)
			if trend == rising {
				emit(y.below(x), w)
			} else {
				emit(x.below(y), w)
			}
		}
	}
	if f.inj && len(f.args) == 1 {
		if w, ok := l.equal(F, G); ok {
			equal(x, y, w.or(rest).or(f.why))
		}
	}
}

// bounds adds what the bounds of x say of x/k: from k*y <= x < k*y + k follows
// x/k = y. A linear program takes one of the two for entailed, by rounding, and has
// no use of both.
func (f *app) bounds(cons []con, l *lp, news []con) []con {
	if f.per == 0 {
		return news
	}
	x, F := f.args[0], f.value()
	if _, _, ok := x.ratio(f.per); ok {
		return news
	}
	add := func(p poly, why whySet) {
		same := func(c con) bool { return c.p.equal(p) }
		if c, isC := p.isConst(); isC && c >= 0 || slices.ContainsFunc(cons, same) || slices.ContainsFunc(news, same) {
			return
		}
		news = append(news, con{p, why.or(f.argWhy), noAtom})
	}
	for _, c := range cons {
		if y, _, ok := x.sub(c.p).ratio(f.per); ok { // which is at most x
			add(y.atMost(F), c.why)
		}
		if y, r, ok := x.add(c.p).ratio(f.per); ok { // at least x
			w, positive := whySet{}, f.floor || r == 0
			if !positive {
				w, positive = l.entails(x)
			}
			if positive {
				add(F.atMost(y), c.why.or(w))
			}
		}
	}
	return news
}

// ratio takes p apart into k*q + r with 0 <= r < k, if that can be done.
func (p poly) ratio(k int64) (q poly, r int64, ok bool) {
	for _, t := range p {
		switch {
		case t.m == (mono{}):
			n := floorDiv(t.c, k)
			if r = t.c - n*k; n != 0 {
				q = append(q, term{t.m, n})
			}
		case t.c%k != 0:
			return nil, 0, false
		default:
			q = append(q, term{t.m, t.c / k})
		}
	}
	return q, r, true
}

// equal reports whether p = q is entailed.
func (l *lp) equal(p, q poly) (whySet, bool) {
	d := p.sub(q)
	if len(d) == 0 {
		return whySet{}, true
	}
	v, ok := l.entails(d)
	if !ok {
		return v, false
	}
	w, ok := l.entails(d.neg())
	return v.or(w), ok
}

// sign of an atom, as far as it is entailed.
type sign struct {
	low  int64 // a >= low, or a <= low where neg
	neg  bool
	ok   bool
	why  whySet
	atom atom
}

// cofactors lists the atoms that occur in products, in order.
func (n *problem) cofactors() []atom {
	seen := make(map[atom]bool)
	var list []atom
	n.eachPoly(func(p poly) {
		for _, t := range p {
			if t.m[1] == 0 {
				continue
			}
			for _, x := range t.m {
				if a := atom(x - 1); x != 0 && !seen[a] {
					seen[a] = true
					list = append(list, a)
				}
			}
		}
	})
	return list
}

func (n *problem) eachPoly(f func(poly)) {
	for _, c := range n.cons {
		f(c.p)
	}
	for _, c := range n.eqs {
		f(c.p)
	}
}

// signOf returns the best of some bounds of an atom: those that tell its sign, or that of the factor a + shift, see factor.
func (l *lp) signOf(a atom, shift int64) sign {
	bounds := []sign{{low: 1}, {low: -1, neg: true}, {}, {neg: true}}
	switch at := -shift; {
	case at > 0:
		bounds = append([]sign{{low: at}}, append(bounds, sign{low: at, neg: true})...)
	case at < 0:
		bounds = append([]sign{{low: at, neg: true}}, append(bounds, sign{low: at})...)
	}
	for _, s := range bounds {
		p := variable(a).plus(-s.low)
		if s.neg {
			p = p.neg()
		}
		if w, ok := l.entails(p); ok {
			return sign{low: s.low, neg: s.neg, ok: true, why: w, atom: a}
		}
	}
	return sign{atom: a}
}

// factor returns the constant c of a factor a + c of some product, as in w*(h-2): it is what tells how
// that grows with w, and not the sign of h. Of several the first is returned, and 0 if there is none.
func (n *problem) factor(a atom) int64 {
	var found int64
	n.eachPoly(func(p poly) {
		for _, t := range p {
			if found != 0 || t.m.degree() != 2 || !t.m.has(a) {
				continue
			}
			x := t.m.without(a)
			if x == one(a) {
				continue
			}
			for _, u := range p {
				if u.m == x && u.c%t.c == 0 {
					found = u.c / t.c
				}
			}
		}
	})
	return found
}

// products returns (a-low)*p for co-factors a >= low and constraints p >= 0
// if that brings in no new product.
func (n *problem) products(l *lp) []con { return n.multiply(l, false) }

// maxWide bounds the products that bring in new monomials.
const maxWide = 40

// multiply returns products of co-factors and constraints; wide allows new
// products of two atoms.
func (n *problem) multiply(l *lp, wide bool) []con {
	cof := n.cofactors()
	if len(cof) == 0 {
		return nil
	}
	has := make(map[mono]bool)
	n.eachPoly(func(p poly) {
		for _, t := range p {
			has[t.m] = true
		}
	})
	known := func(p poly, a atom) bool { // all monomials of a*p
		for _, t := range p {
			if m, ok := t.m.times(one(a)); !ok || m[1] != 0 && !has[m] && (!wide || m.degree() > 2) {
				return false
			}
		}
		return true
	}
	var news []con
	for _, a := range cof {
		s := sign{atom: a}
		asked := false
		try := func(p poly, why whySet, eq bool) {
			if len(news) > 60 || wide && len(news) > maxWide || !known(p, a) {
				return
			}
			q, ok := p.times(variable(a))
			if !ok {
				return
			}
			if !asked {
				asked = true
				s = l.signOf(a, n.factor(a))
			}
			if !s.ok {
				return
			}
			// (a-low)*p, or (low-a)*p for a <= low
			q = q.addScaled(p, -s.low)
			if s.neg {
				q = q.neg()
			}
			w := why.or(s.why)
			for _, r := range []poly{q, q.neg()} {
				if _, old := l.entails(r.tighten()); !old {
					news = append(news, con{r, w, noAtom})
				}
				if !eq {
					break
				}
			}
		}
		for _, c := range n.cons {
			if c.p.isLinear() || len(c.p) < 6 {
				try(c.p, c.why, false)
			}
		}
		for _, c := range n.eqs {
			try(c.p, c.why, true)
		}
	}
	return news
}

// isLinear reports whether p has no product of atoms.
func (p poly) isLinear() bool {
	for _, t := range p {
		if t.m[1] != 0 {
			return false
		}
	}
	return true
}
