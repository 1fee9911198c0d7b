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
	den    poly  // trend is rising where den > 0
	per    int64 // res is the argument divided by this constant, if it is not 0
	floor  bool  // and rounded down, not towards zero
	noCong bool  // not a function of its arguments: two evaluations may differ
	// exact computes res from the arguments, for a witness; nil where it is not known how.
	exact func(args []int64) (res int64, ok bool)
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
		solve := false
		for round := 0; !ok && round < 4; round++ {
			news := n.lemmas(l)
			news = append(news, n.products(l)...)
			if len(news) == 0 {
				break
			}
			for _, c := range news {
				if c.def == isEq {
					n.eqs, solve = append(n.eqs, con{c.p, c.why, noAtom}), true
					continue
				}
				c.p = c.p.tighten()
				n.cons = append(n.cons, c)
				l.assert(c.p, c.why)
			}
			if solve {
				break // what whole numbers cannot satisfy is found when it is eliminated
			}
			w, ok = l.infeasible()
		}
		if ok {
			pr.spend(l)
			return w, true
		}
		if solve {
			pr.spend(l)
			continue
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
