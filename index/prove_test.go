package index

import (
	"math/rand"
	"testing"
)

// A system is a random problem over few unknowns with small domains, so that
// all assignments can be tried.
type system struct {
	n      int // unknowns
	lo, hi []int64
	prob   problem
}

func randomPoly(r *rand.Rand, n int) poly {
	p := number(int64(r.Intn(9) - 4))
	for range 1 + r.Intn(3) {
		m := variable(atom(r.Intn(n)))
		for r.Intn(3) == 0 {
			if q, ok := m.times(variable(atom(r.Intn(n)))); ok {
				m = q
			}
		}
		p = p.addScaled(m, int64(r.Intn(5)-2))
	}
	return p
}

func randomSystem(r *rand.Rand) *system {
	s := &system{n: 3 + r.Intn(3)}
	for a := range s.n {
		lo := int64(r.Intn(4) - 2)
		hi := lo + int64(1+r.Intn(4))
		s.lo, s.hi = append(s.lo, lo), append(s.hi, hi)
		v := variable(atom(a))
		s.prob.cons = append(s.prob.cons,
			con{v.plus(-lo), whyOf(2 * a), noAtom}, con{v.neg().plus(hi), whyOf(2*a + 1), noAtom})
	}
	bit := 2 * s.n
	next := func() whySet { bit++; return whyOf(bit) }
	for range 1 + r.Intn(4) {
		s.prob.cons = append(s.prob.cons, con{randomPoly(r, s.n), next(), noAtom})
	}
	for range r.Intn(3) {
		s.prob.eqs = append(s.prob.eqs, con{randomPoly(r, s.n), next(), noAtom})
	}
	for range r.Intn(3) {
		d := disj{why: next()}
		for range 1 + r.Intn(3) {
			var alt []literal
			for range 1 + r.Intn(2) {
				alt = append(alt, literal{p: randomPoly(r, s.n), eq: r.Intn(3) == 0, def: noAtom})
			}
			d.alts = append(d.alts, alt)
		}
		s.prob.ors = append(s.prob.ors, d)
	}
	if r.Intn(2) == 0 {
		tag := int32(1)
		t, inj := trend(r.Intn(4)), r.Intn(2) == 0
		for range 2 + r.Intn(2) {
			f := app{res: atom(r.Intn(s.n)), tag: tag, trend: t, inj: inj}
			f.args = append(f.args, randomPoly(r, s.n))
			if r.Intn(4) == 0 && !inj {
				f.args = append(f.args, randomPoly(r, s.n))
			}
			s.prob.apps = append(s.prob.apps, f)
		}
		for i := range s.prob.apps { // one arity for one symbol
			if f := &s.prob.apps[i]; len(f.args) != len(s.prob.apps[0].args) {
				f.args = append(f.args[:1:1], s.prob.apps[0].args[1:]...)
			}
		}
	}
	return s
}

func eval(p poly, x []int64) int64 {
	sum := int64(0)
	for _, t := range p {
		v := t.c
		for _, a := range t.m {
			if a != 0 {
				v *= x[a-1]
			}
		}
		sum += v
	}
	return sum
}

// model reports whether x satisfies the problem.
func (s *system) model(x []int64) bool {
	for _, c := range s.prob.cons {
		if eval(c.p, x) < 0 {
			return false
		}
	}
	for _, c := range s.prob.eqs {
		if eval(c.p, x) != 0 {
			return false
		}
	}
	for _, d := range s.prob.ors {
		some := false
		for _, alt := range d.alts {
			all := true
			for _, l := range alt {
				v := eval(l.p, x)
				all = all && (v >= 0 && !l.eq || v == 0)
			}
			some = some || all
		}
		if !some {
			return false
		}
	}
	up, down := true, true
	for _, f := range s.prob.apps {
		for _, g := range s.prob.apps {
			rest := true
			for k := 1; k < len(f.args); k++ {
				rest = rest && eval(f.args[k], x) == eval(g.args[k], x)
			}
			if !rest {
				continue
			}
			X, Y, F, G := eval(f.args[0], x), eval(g.args[0], x), x[f.res], x[g.res]
			if X == Y && F != G || f.inj && F == G && X != Y {
				return false
			}
			if X < Y {
				up, down = up && F <= G, down && F >= G
			}
		}
	}
	if len(s.prob.apps) > 0 {
		switch s.prob.apps[0].trend {
		case rising:
			return up
		case falling:
			return down
		case either:
			return up || down
		}
	}
	return true
}

// solve looks for a model by trying everything.
func (s *system) solve() []int64 {
	x := append([]int64(nil), s.lo...)
	for {
		if s.model(x) {
			return x
		}
		i := 0
		for ; i < s.n; i++ {
			if x[i]++; x[i] <= s.hi[i] {
				break
			}
			x[i] = s.lo[i]
		}
		if i == s.n {
			return nil
		}
	}
}

// try refutes a copy of the system and the part of it that the reasons name.
func (s *system) try(t *testing.T) (refuted, unsat bool) {
	t.Helper()
	pr := &prover{nodes: 300, pivots: 20000}
	w, ok := pr.refute(&s.prob)
	x := s.solve()
	if ok && x != nil {
		t.Fatalf("refuted, but %v is a solution of %+v", x, s.prob)
	}
	if ok {
		core := s.core(w)
		if y := core.solve(); y != nil {
			t.Fatalf("the named facts alone have the solution %v: %v of %+v", y, w, s.prob)
		}
	}
	return ok, x == nil
}

// core is s with only the constraints in w. Domains stay, widened a little
// where the reasons do not name them.
func (s *system) core(w whySet) *system {
	c := &system{n: s.n, lo: append([]int64(nil), s.lo...), hi: append([]int64(nil), s.hi...)}
	for a := range s.n {
		if !w.has(2 * a) {
			c.lo[a] -= 2
		}
		if !w.has(2*a + 1) {
			c.hi[a] += 2
		}
	}
	in := func(x whySet) bool { return x.or(w) == w }
	for _, k := range s.prob.cons {
		if in(k.why) {
			c.prob.cons = append(c.prob.cons, k)
		}
	}
	for _, k := range s.prob.eqs {
		if in(k.why) {
			c.prob.eqs = append(c.prob.eqs, k)
		}
	}
	for _, k := range s.prob.ors {
		if in(k.why) {
			c.prob.ors = append(c.prob.ors, k)
		}
	}
	c.prob.apps = s.prob.apps
	return c
}

// TestProverAgainstBruteForce pins soundness: what is refuted has no solution,
// nor have the facts that the refutation names. A floor on the number of
// refutations keeps it from passing by proving nothing.
func TestProverAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	refuted, unsat := 0, 0
	for range 600 {
		a, b := randomSystem(r).try(t)
		if a {
			refuted++
		}
		if b {
			unsat++
		}
	}
	t.Logf("refuted %d of %d", refuted, unsat)
	if refuted*10 < unsat*8 {
		t.Errorf("refuted %d of %d unsatisfiable systems, want 80 %%", refuted, unsat)
	}
}

func FuzzProver(f *testing.F) {
	for seed := range int64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		randomSystem(rand.New(rand.NewSource(seed))).try(t)
	})
}

// TestMemory pins that an answer that is remembered is the one that would be found, with what is left of the same budget,
// whatever was asked before with another one.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	shared := NewProver(nil)
	kept := 0
	for range 300 {
		n := &randomSystem(r).prob
		for range 6 {
			nodes, pivots := 1+r.Intn(12), 1+r.Intn(400)
			ask := func(pr *Prover) (why whySet, ok bool, w *work) {
				w = newWork(pr)
				w.pivots = pivots
				why, ok = w.refute(n, nodes)
				return why, ok, w
			}
			sum, _ := n.sum(nil)
			if _, ok := shared.memory.get(sum, nodes, pivots); ok {
				kept++
			}
			why, ok, w := ask(NewProver(nil))
			why2, ok2, w2 := ask(shared)
			if why != why2 || ok != ok2 || w.out != w2.out || w.nodes != w2.nodes || w.pivots != w2.pivots {
				t.Fatalf("%d nodes, %d pivots: %v %v %v %d %d, remembered %v %v %v %d %d", nodes, pivots, why, ok, w.out, w.nodes, w.pivots, why2, ok2, w2.out, w2.nodes, w2.pivots)
			}
		}
	}
	if kept < 200 {
		t.Errorf("only %d answers were remembered", kept)
	}
}
