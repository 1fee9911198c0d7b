package index

// This file holds the search for a contradiction: given constraints in integer
// unknowns, show that they have no solution. Every step adds only what
// follows, so "refuted" is never wrong; "not refuted" means nothing.

// A con is p >= 0, or p = 0 in the list of equalities.
type con struct {
	p   poly
	why whySet
	def atom // in an equality: the atom that it defines and that may be replaced, or -1
}

// A literal is p >= 0, or p = 0 that defines def if that is >= 0, or the
// direction of a symbol.
type literal struct {
	p     poly
	eq    bool
	def   atom
	trend trend // rising or falling: says so of tag, p is not used
	tag   int32
}

// A disj says that one of the alternatives, each a conjunction, holds.
type disj struct {
	alts [][]literal
	why  whySet
}

// trend tells how the result of an app follows its first argument.
type trend int8

const (
	anyhow  trend = iota
	rising        // X <= Y gives F(X) <= F(Y)
	falling       // X <= Y gives F(X) >= F(Y)
	either        // one of the two, the same for all arguments
)

// An app is the atom res = tag(args): equal tags and arguments, equal results.
type app struct {
	res    atom
	tag    int32
	args   []poly
	trend  trend
	inj    bool   // equal results, equal arguments
	why    whySet // what trend and inj rest on
	argWhy whySet // the equalities substituted into args and val
	val    poly   // what res was replaced by, if hasVal
	hasVal bool
	den    poly // trend is rising where den > 0
	noCong bool // not a function of its arguments: two evaluations may differ
}

// A problem is what is to be refuted.
type problem struct {
	cons []con
	eqs  []con
	ors  []disj
	apps []app
	cuts int
	wide bool // products with new monomials have been added
}

func (n *problem) clone() *problem {
	return &problem{
		cuts: n.cuts,
		wide: n.wide,
		cons: append([]con(nil), n.cons...),
		eqs:  append([]con(nil), n.eqs...),
		ors:  append([]disj(nil), n.ors...),
		apps: append([]app(nil), n.apps...),
	}
}

// A prover refutes one problem within a budget.
type prover struct {
	nodes  int // case splits left
	pivots int // simplex steps left
	out    bool
}

// refute reports whether the problem has no integer solution, and which facts
// are to blame.
func (pr *prover) refute(n *problem) (w whySet, ok bool) {
	return pr.node(n.clone(), 0)
}

func (pr *prover) node(n *problem, depth int) (whySet, bool) {
	for {
		pr.nodes--
		if pr.nodes < 0 || pr.pivots <= 0 || depth >= maxDepth {
			pr.out = true
			return whySet{}, false
		}
		if w, ok := n.eliminate(); ok {
			return w, true
		}
		pr.pivots -= 2 * (len(n.cons) + len(n.eqs))
		l := pr.load(n)
		w, ok := l.infeasible()
		for round := 0; !ok && round < 4; round++ {
			news := n.lemmas(l)
			news = append(news, n.products(l)...)
			if len(news) == 0 {
				break
			}
			for _, c := range news {
				c.p = c.p.tighten()
				n.cons = append(n.cons, c)
				l.assert(c.p, c.why)
			}
			w, ok = l.infeasible()
		}
		if ok {
			pr.spend(l)
			return w, true
		}
		w, ok, again := n.propagate(l)
		if ok {
			pr.spend(l)
			return w, true
		}
		if again {
			pr.spend(l)
			continue
		}
		cases := n.chooseSplit(l)
		if cases == nil && !n.wide {
			n.wide = true
			if news := n.multiply(l, true); len(news) > 0 {
				for _, c := range news {
					n.cons = append(n.cons, con{c.p.tighten(), c.why, noAtom})
				}
				pr.spend(l)
				continue
			}
		}
		if cases == nil {
			cases = n.lateSplit(l)
		}
		pr.spend(l)
		if cases == nil {
			return whySet{}, false
		}
		return pr.split(n, *cases, depth)
	}
}

// load makes the linear program of the node.
func (pr *prover) load(n *problem) *lp {
	l := newLP(pr.pivots)
	for _, c := range n.cons {
		l.assert(c.p, c.why)
	}
	for _, c := range n.eqs {
		l.assert(c.p.tighten(), c.why)
		l.assert(c.p.neg().tighten(), c.why)
	}
	return l
}

func (pr *prover) spend(l *lp) { pr.pivots = l.s.lim }

// split refutes every case; the union of the reasons, without the cases' own
// assumptions, is the reason of the whole. A case refuted without its
// assumption refutes the node at once.
func (pr *prover) split(n *problem, cases disj, depth int) (whySet, bool) {
	bit := maxFacts + depth
	all := cases.why
	for _, alt := range cases.alts {
		m := n.clone()
		m.add(alt, whyOf(bit))
		w, ok := pr.node(m, depth+1)
		if !ok {
			return whySet{}, false
		}
		if !w.has(bit) {
			return w, true
		}
		all = all.or(w.drop(bit))
	}
	return all, true
}

// add asserts a conjunction.
func (n *problem) add(alt []literal, why whySet) {
	for _, x := range alt {
		switch {
		case x.trend != anyhow:
			for i := range n.apps {
				if f := &n.apps[i]; f.tag == x.tag {
					f.trend, f.why = x.trend, f.why.or(why)
				}
			}
		case x.eq:
			n.eqs = append(n.eqs, con{x.p, why, x.def})
		default:
			n.cons = append(n.cons, con{x.p.tighten(), why, -1})
		}
	}
}

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
		if c.p.mentions(a) == 0 {
			continue
		}
		var ok bool
		if c.p, ok = c.p.subst(a, by); !ok {
			n.refuse(e)
			return
		}
		c.p, c.why = c.p.tighten(), c.why.or(e.why)
	}
	for i := range m.eqs {
		c := &m.eqs[i]
		if c.p.mentions(a) == 0 {
			continue
		}
		var ok bool
		if c.p, ok = c.p.subst(a, by); !ok {
			n.refuse(e)
			return
		}
		c.why = c.why.or(e.why)
		if c.def == kept {
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
		key := body.key()
		if i, ok := at[key]; ok {
			if k < keep[i].p.constTerm() {
				keep[i] = c
			}
			continue
		}
		at[key] = len(keep)
		keep = append(keep, c)
	}
	n.cons = keep
	return whySet{}, false
}
