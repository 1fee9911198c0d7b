package index

import "strconv"

// This file holds the integers that are handed out: by atomic counters,
// through channels, by functions declared injective. Where the oracle does not
// know, uniqueness is an assumption (soundness: counter-only-adds,
// unique-channel-items, call-injective).

// called is the integer result of a call.
func (f *frame) called(r vref, v *val) poly {
	if s := f.sub(r); s != nil {
		return f.inlined(v.blk, f.text(r), s, 0)
	}
	if v.s == "(*sync.Pool).Get" && len(v.a) == 2 {
		return f.taken(r, v, thing{f, v.a[1], ""}.ref())
	}
	if family, delta, ok := f.counter(v); ok {
		return f.counted(r, v, family, delta)
	}
	if v.n&callFlags != 0 || v.s == "" {
		return f.opaque(r, 0)
	}
	inj := f.e.q.Oracle != nil && f.e.q.Oracle.Injective(v.s)
	up := f.e.q.Oracle != nil && f.e.q.Oracle.Rising(v.s)
	return f.mapped(r, v, inj, up)
}

// mapped is the result of a call of which the model may know that it is a
// function of its arguments; without that, it may be assumed to be injective.
func (f *frame) mapped(r vref, v *val, inj, up bool) poly {
	e := f.e
	var vary []poly
	tag := "call " + v.s
	for _, x := range v.a[1:] {
		k := f.c.get(x).kind
		if !k.isInt() {
			if f.sideOf(f.c.get(x).blk) != 0 || f.sideOf(v.blk) != 0 && !inj && !up {
				return f.opaque(r, 0)
			}
			continue
		}
		if p := f.eval(x); e.sideOfPoly(p) != 0 {
			vary = append(vary, p)
		} else {
			tag += "," + p.key()
		}
	}
	if len(vary) == 1 {
		e.could[rising1] = true
	}
	if len(vary) != 1 || !inj && !up && e.unassuming() {
		return f.opaque(r, 0)
	}
	dir := anyhow
	if up {
		dir = rising
	}
	// Two calls of a function that is only assumed to be injective need not
	// agree on equal arguments: the unknown is the call's own.
	if !inj && !up {
		x := f.opaque(r, 0)
		a := atom(x[0].m[0] - 1)
		i := &e.atoms[a]
		if i.app == nil {
			i.app = &app{res: a, tag: e.tag(tag), args: vary, inj: true, noCong: true, why: e.fact(v.s+" is injective", AssumeInjectiveCall)}
		}
		return x
	}
	return e.function(tag, f.text(r), vary, dir, func(a atom, i *atomInfo) {
		i.app.inj = inj
		what := " is declared to be injective"
		if up {
			what = " is declared to be rising"
		}
		i.app.why = e.fact(v.s+what, "")
	})
}

// inlined is result n of a callee that is looked into, which has run by the end
// of block blk: that of one of its returns.
func (f *frame) inlined(blk int32, text string, s *frame, n int) poly {
	e := f.e
	if i, ok := s.returned(false); ok {
		if ret := s.c.vals[s.c.rets[i]].a; n < len(ret) {
			return s.eval(ret[n])
		}
	}
	key := s.key(0, "result", n)
	if a, ok := e.byKey[key]; ok {
		return variable(a)
	}
	a := e.atom(key, text, f.sideOf(blk), func(a atom, i *atomInfo) { i.loops = f.loopsAt(blk) })
	d := disj{why: e.fact("result of "+text, "")}
	for _, ret := range s.c.rets {
		x := s.c.vals[ret]
		if n >= len(x.a) {
			return variable(a)
		}
		alt := append([]literal{{p: variable(a).sub(s.eval(x.a[n])), eq: true, def: a}}, s.inside(x.blk)...)
		d.alts = append(d.alts, s.tells(x.a, alt)...)
	}
	if len(d.alts) > 0 {
		f.choose(a, blk, d)
	}
	return variable(a)
}

// tells returns what holds where the callee comes back by a return, whose truth values
// its caller may test: constants, or the outcomes of comparisons.
func (s *frame) tells(results []vref, alt []literal) [][]literal {
	alts := [][]literal{alt}
	for k, y := range results {
		if s.c.get(y).kind != kBool {
			continue
		}
		var out [][]literal
		for _, more := range s.outcomes(k, y) {
			for _, alt := range alts {
				out = append(out, append(alt[:len(alt):len(alt)], more...))
			}
		}
		if len(out) > maxAlts {
			break
		}
		alts = out
	}
	return alts
}

// outcomes returns what truth value y, result k of a callee, may be, with what
// that means.
func (s *frame) outcomes(k int, y vref) [][]literal {
	is := func(n int64) literal { return literal{p: variable(s.truth(k)).plus(-n), eq: true, def: noAtom} }
	if z := s.c.get(y); z.op == opBool {
		return [][]literal{{is(z.n)}}
	}
	var out [][]literal
	for n, yes := range []bool{false, true} {
		cs, ors := s.condition(y, yes)
		alt := []literal{is(int64(n))}
		for _, c := range cs {
			alt = append(alt, literal{p: c.p, eq: c.def == isEq, def: noAtom})
		}
		if len(ors) == 0 {
			out = append(out, alt)
			continue
		}
		for _, more := range ors[0].alts {
			out = append(out, append(alt[:len(alt):len(alt)], more...))
		}
	}
	return out
}

// counter recognises an atomic add; the family is the counter's place.
func (f *frame) counter(v *val) (x *ref, delta poly, ok bool) {
	if v.n != 0 || len(v.a) != 3 || !isAtomic(v.s, "Add") {
		return nil, nil, false
	}
	x = thing{f, v.a[1], ""}.ref()
	return x, f.eval(v.a[2]), x.ok
}

func (f *frame) counted(r vref, v *val, x *ref, delta poly) poly {
	p := f.opaque(r, 0)
	if why, ok := f.onlyCounts(r, v, delta, x); ok {
		if f.hand(x, v.blk, p, delta, why) {
			f.wasBefore(p, v, delta, x)
		}
	}
	return p
}

// wasBefore says of p, what add v to counter x yields, that this was not below its least value before: so
// next.Add(1)-1 is one less, and no large number where its type has no sign (soundness: no-wrap).
func (f *frame) wasBefore(p poly, v *val, delta poly, x *ref) {
	d, ok := delta.isConst()
	if !ok || d <= 0 || d >= huge {
		return
	}
	i := p[0].m[0] - 1
	if from, ok := f.begins(v, x); ok {
		f.e.know(&f.e.atoms[i], p.plus(-d).sub(from), "the counter begins with "+f.e.polyText(from))
		return
	}
	least, what := int64(0), ""
	if !v.kind.isUnsigned() {
		if f.e.q.Oracle == nil {
			return
		}
		if least, ok = f.e.q.Oracle.Least(f.chainAt(v), v.at); !ok {
			return
		}
		what = "the counter begins with " + strconv.FormatInt(least, 10) + " or more"
	}
	f.e.know(&f.e.atoms[i], p.plus(-d-least), what)
}

// begins returns what counter x begins with where add v comes to it, if a frame has made it for itself, sets it once
// before it goes on to the add, and nobody sets it again:
//
//	var next atomic.Int32
//	next.Store(int32(k))
//	for range workers {
//		wg.Go(func() { take(next.Add(1)) })
//	}
func (f *frame) begins(v *val, x *ref) (from poly, ok bool) {
	h, o := x.place.home.f, f.e.q.Oracle
	if h == nil || o == nil || h.call != 0 || h.ghost != nil || h.loose || len(x.place.path) > 0 {
		return nil, false
	}
	fn, set := o.Begins(f.chainAt(v), v.at)
	if fn == nil || fn.body() != h.c {
		return nil, false
	}
	s, next := h.c.get(h.c.at[set]), h.at
	if h == f {
		next = v.at
	}
	// Both are in one loop: what is made in a round is set once.
	if home := x.place.home.r; h.c.resolve(s.a[len(s.a)-2]) != home || h.c.inner[s.blk] != h.c.inner[h.c.vals[home].blk] || next < 0 ||
		!h.c.dominates(s.blk, h.c.blockOf(next)) || s.blk == h.c.blockOf(next) && set > next {
		return nil, false
	}
	return h.eval(s.a[len(s.a)-1]), true
}

// onlyCounts reports whether counter x of add r may be taken to change by such
// adds only.
func (f *frame) onlyCounts(r vref, v *val, delta poly, x *ref) (why whySet, ok bool) {
	e := f.e
	know := Unknown
	if o := e.q.Oracle; o != nil {
		know = o.OnlyAdds(f.chainAt(v), v.at)
	}
	if _, ok := f.begins(v, x); ok {
		know = Yes
	}
	d, isC := delta.isConst()
	e.could[rising1] = true
	if know == No || isC && d == 0 || know == Unknown && e.unassuming() {
		return why, false
	}
	text, assume := "every "+f.text(r)+" gives another value", ""
	if know == Unknown || !isC {
		assume = AssumeCounter
	}
	return e.fact(text, assume), true
}

// fetched is a variable of a loop that is a counter's next value before the loop
// and after each round: for i := next(); i < n; i = next(). Whichever add it
// comes from, no other iteration has its value.
func (f *frame) fetched(r vref, v *val) (poly, bool) {
	var from *ref
	var add *val
	var delta, plus poly
	var why whySet
	for i, a := range v.a {
		call, off := f.offset(a)
		c := &f.c.vals[call]
		if c.op != opCall {
			return nil, false
		}
		x, d, ok := f.counter(c)
		if !ok || f.sideOf(c.blk) == 0 {
			return nil, false
		}
		if i > 0 && (!samePlace(x.place, from.place) || !d.equal(delta) || !off.equal(plus)) {
			return nil, false
		}
		w, ok := f.onlyCounts(call, c, d, x)
		if !ok {
			return nil, false
		}
		from, add, delta, plus, why = x, c, d, off, why.or(w)
	}
	e := f.e
	a := e.atom(f.key(v.blk, "fetched", int(r)), f.text(r), f.sideOf(v.blk), func(a atom, i *atomInfo) { i.loops = f.loopsAt(v.blk) })
	if f.hand(from, v.blk, variable(a), delta, why) {
		f.wasBefore(variable(a), add, delta, from)
	}
	return variable(a).add(plus), true
}

// offset takes a constant off a value.
func (f *frame) offset(r vref) (vref, poly) {
	plus := number(0)
	for range 8 {
		r = f.c.resolve(r)
		v := &f.c.vals[r]
		switch {
		case v.op == opConv && v.kind.narrow() == 0:
		case v.op == opAdd && f.c.get(v.a[1]).op == opConst:
			plus = plus.plus(f.c.get(v.a[1]).n)
		case v.op == opSub && f.c.get(v.a[1]).op == opConst && !v.kind.isUnsigned():
			plus = plus.plus(-f.c.get(v.a[1]).n)
		default:
			return r, plus
		}
		r = v.a[0]
	}
	return r, plus
}

// received is an integer that comes from a channel.
func (f *frame) received(r vref, v *val) poly {
	return f.taken(r, v, thing{f, v.a[0], ""}.ref())
}

// taken is an integer taken out of x, a channel or a pool.
func (f *frame) taken(r vref, v *val, x *ref) poly {
	e := f.e
	p := f.opaque(r, 0)
	know := Unknown
	if o := e.q.Oracle; o != nil {
		know = o.UniqueItems(f.chainAt(v), v.at)
	}
	e.could[rising1] = true
	if !x.ok || know == No || know == Unknown && e.unassuming() {
		return p
	}
	assume := ""
	if know == Unknown {
		assume = AssumeChannel
	}
	f.hand(x, v.blk, p, nil, e.fact("no value is handed out twice by "+x.text(), assume))
	return p
}

// keyOf is the key that a step of a range over a map yields: no other step of the
// same range yields it.
func (f *frame) keyOf(r vref, v *val) poly {
	p := f.opaque(r, 0)
	x := f.c.get(v.a[0])
	if x.op == opRange {
		of := &ref{place: place{root: "keys " + f.key(x.blk, "range", int(x.at))}}
		f.hand(of, v.blk, p, nil, f.e.fact("a range yields no key twice", ""))
	}
	return p
}

// unique is a parameter of an iteration's body whose argument is not known.
func (f *frame) unique(r vref, n int) poly {
	p := f.opaque(r, 0)
	if f.no != f.e.nest.last+1 || f.call != 0 {
		return p
	}
	for _, u := range f.e.q.Unique {
		if u == n {
			f.e.hand(&ref{place: place{root: "unique " + f.c.params[n]}}, f.side, p, nil,
				f.e.fact(f.c.params[n]+" differs from iteration to iteration", ""))
		}
	}
	return p
}

// hand records what a block is handed out, and reports whether it is new.
func (f *frame) hand(x *ref, blk int32, p poly, delta poly, why whySet) bool {
	return !f.ofAnyRound(blk) && f.e.hand(x, f.sideOf(blk), p, delta, why)
}

// hand records a value that differs from the other side's of its family, and reports whether it is new.
func (e *env) hand(x *ref, side int8, p poly, delta poly, why whySet) bool {
	if side == 0 || len(p) != 1 {
		return false
	}
	shape, args := x.place.shape()
	a := atom(p[0].m[0] - 1)
	for _, t := range e.tokens {
		if t.a == a {
			return false
		}
	}
	e.tokens = append(e.tokens, handout{family: shape, index: args, side: side, a: a, delta: delta, why: why})
	return true
}

// differ returns what tokens of one family on the two sides imply.
func (e *env) differ() []disj {
	var out []disj
	for _, s := range e.tokens {
		for _, t := range e.tokens {
			if s.side != 1 || t.side != 2 || s.family != t.family || len(s.index) != len(t.index) {
				continue
			}
			x, y := variable(s.a), variable(t.a)
			d := disj{why: s.why.or(t.why)}
			for i := range s.index {
				d.alts = append(d.alts, ge(s.index[i].below(t.index[i])), ge(t.index[i].below(s.index[i])))
			}
			if s.left != nil || t.left != nil {
				if alts, ok := s.apart(&t); ok {
					d.alts = append(d.alts, alts...)
					out = append(out, d)
				}
				continue
			}
			up, down, ok := steps(s.delta, t.delta)
			if !ok {
				continue
			}
			d.alts = append(d.alts, ge(y.sub(x).sub(up)), ge(x.sub(y).sub(down)))
			out = append(out, d)
		}
	}
	return out
}

func (f *frame) chainAt(v *val) []Step {
	chain := append([]Step(nil), f.chain...)
	chain[len(chain)-1].At = v.at
	return chain
}

// steps returns by how much y exceeds x at least if t's add is the later one,
// and x exceeds y if s's is: the later of two adds of one sign has at least
// its own amount more. Values that are not counted just differ.
func steps(s, t poly) (up, down poly, ok bool) {
	if s == nil || t == nil {
		return number(1), number(1), true
	}
	c, isC := s.isConst()
	d, isD := t.isConst()
	const most = 1 << 31 // larger ones are negative numbers of a 32-bit type
	switch {
	case isC && (c == 0 || c >= most || c <= -most), isD && (d == 0 || d >= most || d <= -most):
		return nil, nil, false
	case isC && isD && (c < 0) != (d < 0), isC != isD && (c < 0 || d < 0):
		return nil, nil, false
	case isC && c < 0:
		return s.neg(), t.neg(), true
	}
	return t, s, true
}
