package index

import "crypto/sha256"

// assemble makes a problem of constraints, of those facts that share an
// unknown with it, and of the axioms of all unknowns in it; also names what has
// been executed besides what the frames' own instructions imply.
func (e *env) assemble(goal []con, facts []con, ors []disj, also []point) *problem {
	n := &problem{}
	seen := make([]bool, len(e.atoms))
	var work []atom
	visit := func(p poly) {
		p.atoms(func(a atom) {
			if !seen[a] {
				seen[a] = true
				work = append(work, a)
			}
		})
	}
	put := func(c con) {
		if c.def == isEq {
			n.eqs = append(n.eqs, con{c.p, c.why, noAtom})
		} else {
			n.cons = append(n.cons, con{c.p.tighten(), c.why, noAtom})
		}
		visit(c.p)
	}
	putOr := func(d disj) {
		n.ors = append(n.ors, d)
		for _, alt := range d.alts {
			for _, x := range alt {
				visit(x.p)
			}
		}
	}
	for _, c := range goal {
		put(c)
	}
	usedC := make([]bool, len(facts))
	usedO := make([]bool, len(ors))
	touches := func(p poly) (yes bool) {
		p.atoms(func(a atom) { yes = yes || seen[a] })
		return yes
	}
	for again := true; again; {
		for len(work) > 0 {
			a := work[0]
			work = work[1:]
			i := &e.atoms[a]
			for _, c := range i.cons {
				put(c)
			}
			for _, d := range i.ors {
				putOr(d)
			}
			if i.choice != nil && i.choice.made(also) {
				putOr(i.choice.d)
			}
			if i.app != nil {
				n.apps = append(n.apps, *i.app)
				for _, p := range i.app.args {
					visit(p)
				}
			}
		}
		again = false
		for k, c := range facts {
			_, isC := c.p.isConst()
			if !usedC[k] && (isC || touches(c.p)) {
				usedC[k], again = true, true
				put(c)
			}
		}
		for k, d := range ors {
			if usedO[k] {
				continue
			}
			for _, alt := range d.alts {
				for _, x := range alt {
					usedO[k] = usedO[k] || touches(x.p)
				}
			}
			if usedO[k] {
				again = true
				putOr(d)
			}
		}
	}
	return n
}

// impossible reports whether the facts exclude the goal. It has a small budget
// of its own, taken from the query's.
func (e *env) impossible(goal, facts []con, ors []disj, also []point) (whySet, bool) {
	return e.work.refute(e.assemble(goal, facts, ors, also), sideNodes)
}

// Budgets: case splits, and units of work of about a microsecond each.
const (
	queryNodes  = 1500
	queryPivots = 100000
	caseNodes   = 400
	sideNodes   = 40
	easyNodes   = 8
	easyPivots  = 15000
	evalSteps   = 20000
)

// A work is what is left of a query's budget.
type work struct {
	nodes, pivots, steps int
	out                  bool
	prover               *Prover
	memory               *Memory
	text                 []byte // of a problem, to be used again
}

func newWork(pr *Prover) *work {
	return &work{prover: pr, nodes: queryNodes, pivots: queryPivots, steps: evalSteps, memory: pr.memory}
}

// step counts one evaluation.
func (w *work) step() {
	if w.steps--; w.steps < 0 {
		panic(giveUp{"budget"})
	}
}

// refuteEasily is refute within a small part of the budget, which costs the same whatever is remembered.
func (w *work) refuteEasily(n *problem) (whySet, bool) {
	nodes, spared := w.nodes, max(w.pivots-easyPivots, 0)
	w.pivots -= spared
	why, ok := w.refute(n, easyNodes)
	w.nodes, w.pivots = nodes-min(nodes, easyNodes), max(w.pivots, 0)+spared
	return why, ok
}

// refute refutes a problem with at most so many case splits. An answer that is
// remembered costs as much of the budget as it did when it was found, so that
// what a query comes to does not depend on the queries before it.
func (w *work) refute(n *problem, nodes int) (whySet, bool) {
	nodes = min(nodes, w.nodes)
	if nodes <= 0 || w.pivots <= 0 {
		w.out = true
		return whySet{}, false
	}
	var sum [sha256.Size]byte
	sum, w.text = n.sum(w.text)
	r, ok := w.memory.get(sum, nodes, w.pivots)
	if !ok {
		pr := &prover{nodes: nodes, pivots: w.pivots}
		r.why, r.refuted = pr.refute(n)
		r.out, r.nodes, r.pivots = pr.out, nodes-max(pr.nodes, 0), w.pivots-max(pr.pivots, 0)
		w.memory.put(sum, nodes, w.pivots, r)
	}
	w.out = r.out
	w.nodes -= r.nodes
	w.pivots -= r.pivots
	return r.why, r.refuted && !w.out
}
