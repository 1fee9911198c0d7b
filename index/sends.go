package index

// SendsDistinct reports whether the send instruction at the end of the chain
// sends a different integer every time that it executes during one execution
// of the chain's first function. If a channel is fed by that instruction alone,
// and the function runs once, then no item is received twice: what
// Oracle.UniqueItems asks for.
func (pr *Prover) SendsDistinct(chain []Step, o Oracle) (ok bool) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case giveUp:
			ok = false
		default:
			panic(x)
		}
	}()
	if len(chain) == 0 {
		return false
	}
	n := nest{last: len(chain) - 1}
	for i, s := range chain {
		c := s.Fn.body()
		if c == nil || s.At < 0 {
			return false
		}
		at := len(n.loops)
		for l := c.inner[c.blockOf(s.At)]; l >= 0; l = c.loops[l].parent {
			n.loops = append(n.loops[:at:at], append([]parLoop{{i, l}}, n.loops[at:]...)...)
		}
	}
	q := &Query{A: Access{Chain: chain}, B: Access{Chain: chain}, Spawn: n.last, Loop: -1, Oracle: o}
	w := newWork(pr)
	for _, c := range q.cases(n) {
		if len(n.loops) == 0 {
			break // executes once
		}
		e := newEnv(q, n, c.equal, plain0, w)
		as, bs := e.frames(&q.A, 1), e.frames(&q.B, 2)
		a, b := as[n.last], bs[n.last]
		v := a.c.get(a.c.at[a.at])
		if v.op != opSend {
			return false
		}
		s := &scene{e: e, c: c, eqs: []equation{{a.eval(v.a[1]), b.eval(v.a[1])}}}
		s.set(as, bs)
		if _, ok := s.refute(); !ok {
			return false
		}
	}
	return true
}
