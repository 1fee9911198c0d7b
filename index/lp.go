package index

import "math/bits"

// A whySet is a set of fact numbers: what a derived constraint rests on. The
// upper half is for the assumptions of case splits, by depth.
type whySet [4]uint64

const (
	maxFacts = 192
	maxDepth = 64
)

func whyOf(i int) (w whySet) {
	w[i/64] = 1 << (i % 64)
	return w
}

func (w whySet) or(x whySet) whySet {
	for i := range w {
		w[i] |= x[i]
	}
	return w
}

func (w whySet) has(i int) bool { return w[i/64]>>(i%64)&1 != 0 }

func (w whySet) drop(i int) whySet {
	w[i/64] &^= 1 << (i % 64)
	return w
}

// facts calls f for every fact number in w, in order.
func (w whySet) facts(f func(int)) {
	for i := range maxFacts / 64 {
		for x := w[i]; x != 0; x &= x - 1 {
			f(i*64 + bits.TrailingZeros64(x))
		}
	}
}

// An lp is a set of polynomial constraints seen as linear ones: every monomial
// is a variable of its own.
type lp struct {
	s     simplex
	monos map[mono]int32
	sums  map[string]int32
	whys  []whySet
	text  []byte  // to look up a sum
	clash *whySet // set when two bounds already exclude each other
}

func newLP(pivots int) *lp {
	l := &lp{monos: make(map[mono]int32), sums: make(map[string]int32)}
	l.s.lim = pivots
	l.whys = append(l.whys, whySet{})
	return l
}

func (l *lp) mono(m mono) int32 {
	v, ok := l.monos[m]
	if !ok {
		v = l.s.newVar()
		l.monos[m] = v
		if square(m) {
			l.s.atLeast(v, 0, 0)
		}
	}
	return v
}

// square reports whether every factor of m occurs an even number of times.
func square(m mono) bool {
	for i := 0; i < maxDegree; i += 2 {
		if m[i] != m[i+1] {
			return false
		}
	}
	return true
}

// assert adds p >= 0, p tightened. Constraints with numbers too large for the
// simplex are left out.
func (l *lp) assert(p poly, why whySet) {
	if l.clash != nil {
		return
	}
	k := p.constTerm()
	if k > 1<<40 || k < -1<<40 {
		return
	}
	body := p
	if k != 0 {
		body = p[1:]
	}
	if len(body) == 0 {
		if k < 0 {
			l.clash = &why
		}
		return
	}
	sign := int64(1)
	if body[0].c < 0 {
		sign = -1
	}
	var v int32
	if len(body) == 1 && body[0].c*sign == 1 {
		v = l.mono(body[0].m)
	} else {
		var ok bool
		if v, ok = l.sum(body, sign); !ok {
			return
		}
	}
	id := int32(len(l.whys))
	l.whys = append(l.whys, why)
	var pair []int32
	if sign > 0 {
		pair = l.s.atLeast(v, -k, id)
	} else {
		pair = l.s.atMost(v, k, id)
	}
	if pair != nil {
		w := l.union(pair)
		l.clash = &w
	}
}

func (l *lp) sum(body poly, sign int64) (int32, bool) {
	if sign < 0 {
		body = body.neg()
	}
	l.text = body.appendTo(l.text[:0])
	if v, ok := l.sums[string(l.text)]; ok {
		return v, v >= 0
	}
	terms := make([]lterm, 0, len(body))
	for _, t := range body {
		if !ok31(t.c) {
			return 0, false
		}
		terms = append(terms, lterm{l.mono(t.m), t.c})
	}
	v, ok := l.s.newSum(terms)
	if !ok {
		v = -1
	}
	l.sums[string(l.text)] = v
	return v, ok
}

func (l *lp) union(ids []int32) (w whySet) {
	for _, i := range ids {
		w = w.or(l.whys[i])
	}
	return w
}

// infeasible reports whether the constraints exclude each other, and why.
func (l *lp) infeasible() (whySet, bool) {
	if l.clash != nil {
		return *l.clash, true
	}
	a, ids := l.s.check()
	if a != infeasible {
		return whySet{}, false
	}
	return l.union(ids), true
}

// with runs f with more constraints and takes them back.
func (l *lp) with(f func()) {
	m, n, c := l.s.mark(), len(l.whys), l.clash
	f()
	l.s.release(m)
	l.whys = l.whys[:n]
	l.clash = c
}

// entails reports whether p >= 0 follows, and from what.
func (l *lp) entails(p poly) (w whySet, ok bool) {
	if c, isC := p.isConst(); isC {
		return whySet{}, c >= 0
	}
	q := p.less1().tighten()
	l.with(func() {
		l.assert(q, whySet{})
		w, ok = l.infeasible()
	})
	return w, ok
}
