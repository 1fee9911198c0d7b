package index

import (
	"fmt"
	"strings"
)

// This file holds operations that are no polynomials: division, shifts, bit
// operations, minimum and maximum. Each becomes an unknown with axioms.

// quotient is x/d, rounded towards zero.
func (f *frame) quotient(v *val, x, d poly) poly {
	e := f.e
	k, isC := d.isConst()
	if isC {
		switch {
		case k == 1:
			return x
		case k == 0:
			return f.opaque(0, 0)
		}
		if c, ok := x.isConst(); ok {
			return number(c / k)
		}
	}
	dir := either
	if isC && k > 0 {
		dir = rising
	}
	unsigned := v.kind.isUnsigned()
	return e.function("/|"+d.key(), "", []poly{x}, dir, func(a atom, i *atomInfo) {
		i.name = paren(e.polyText(x)) + "/" + paren(e.polyText(d))
		if e.sideOfPoly(d) > i.side {
			i.side = e.sideOfPoly(d)
		}
		d.atoms(func(x atom) { i.loops = append(i.loops, e.atoms[x].loops...) })
		if !isC {
			i.app.den = d
		} else if k > 0 {
			i.app.per = k
		}
		q := variable(a)
		dq, ok := d.times(q)
		if !ok {
			return
		}
		why := e.fact(i.name+" rounds down", "")
		geq := func(ps ...poly) (out []literal) {
			for _, p := range ps {
				out = append(out, literal{p: p, def: noAtom})
			}
			return out
		}
		// 0 <= x:  d*q <= x < d*q + d;  x < 0:  d*q >= x > d*q - d
		alts := [][]literal{geq(x, d.plus(-1), q, x.sub(dq), dq.add(d).sub(x).plus(-1))}
		if !unsigned {
			alts = append(alts, geq(x.neg().plus(-1), d.plus(-1), q.neg(), dq.sub(x), x.sub(dq).add(d).plus(-1)))
			if !isC {
				alts = append(alts, geq(d.neg().plus(-1)))
			} else if k < 0 {
				alts = [][]literal{geq(d.neg().plus(-1))}
			}
		}
		if !isC {
			// Where the division is not executed, d may be anything.
			alts = append(alts, []literal{{p: d, eq: true, def: noAtom}})
		}
		i.ors = append(i.ors, disj{alts, why})
	})
}

// floor is x / 2^k rounded down, as >> does.
func (f *frame) floor(x poly, k int64) poly {
	if k == 0 {
		return x
	}
	e, d := f.e, int64(1)<<k
	return e.function(fmt.Sprintf(">>%d", k), "", []poly{x}, rising, func(a atom, i *atomInfo) {
		i.name = fmt.Sprintf("%s>>%d", paren(e.polyText(x)), k)
		i.app.per, i.app.floor = d, true
		q := variable(a)
		text := i.name + " rounds down"
		e.know(i, x.addScaled(q, -d), text)
		e.know(i, q.scale(d).plus(d-1).sub(x), text)
	})
}

func (f *frame) shiftLeft(r vref, x, y poly) poly {
	if k, ok := y.isConst(); ok && k >= 0 && k < 40 {
		return x.scale(1 << k)
	}
	e := f.e
	p := e.function("1<<", "1<<"+paren(e.polyText(y)), []poly{y}, rising, func(a atom, i *atomInfo) {
		e.know(i, variable(a).plus(-1), i.name+" >= 1")
		i.app.exact = func(args []int64) (int64, bool) { return compute(opShl, 1, args[0]) }
	})
	if q, ok := x.times(p); ok {
		return q
	}
	return e.function("<<", f.text(r), []poly{x, y}, anyhow, computes(opShl))
}

// bits evaluates & and friends: those with low bits, which a mask leaves, sets, or turns over, by the remainder of the
// floor, anything else as a function of the operands.
func (f *frame) bits(r vref, v *val, x, y poly) poly {
	e := f.e
	if _, ok := x.isConst(); ok && v.op != opAndNot {
		x, y = y, x
	}
	if v.op == opOr || v.op == opXor {
		if c, ok := y.isConst(); ok && c == 0 {
			return x
		}
		if f.apart(v.a[0], y) || f.apart(v.a[1], x) {
			return x.add(y)
		}
	}
	if m, ok := y.isConst(); ok && m > 0 {
		if k := log2(m + 1); k > 0 {
			high := f.floor(x, k).scale(m + 1)
			switch v.op {
			case opAnd:
				return x.sub(high)
			case opAndNot:
				return high
			case opOr:
				return high.plus(m)
			case opXor: // the low bits x - high become m - (x - high)
				return high.scale(2).plus(m).sub(x)
			}
		}
		if v.op == opAnd {
			return e.function("&", f.text(r), []poly{x, y}, anyhow, func(a atom, i *atomInfo) {
				e.know(i, variable(a), "")
				e.know(i, variable(a).neg().plus(m), "")
				computes(opAnd)(a, i)
			})
		}
	}
	return e.function(fmt.Sprintf("bits%d", v.op), f.text(r), []poly{x, y}, anyhow, computes(v.op))
}

// computes has witnesses know what an operation yields.
func computes(what op) func(a atom, i *atomInfo) {
	return func(a atom, i *atomInfo) {
		i.app.exact = func(args []int64) (int64, bool) { return compute(what, args[0], args[1]) }
	}
}

// compute returns what an operation yields for numbers.
func compute(what op, x, y int64) (int64, bool) {
	switch what {
	case opShl:
		return x << uint64(y&63), y >= 0 && y < 20
	case opAnd:
		return x & y, true
	case opOr:
		return x | y, true
	case opXor:
		return x ^ y, true
	case opAndNot:
		return x &^ y, true
	}
	return 0, false
}

// apart reports whether value r is in [0, 2^k) by its mask, and p a multiple of
// 2^k, so that they have no bit in common.
func (f *frame) apart(r vref, p poly) bool {
	v := f.c.get(r)
	m := int64(0)
	switch v.op {
	case opConst:
		m = v.n
	case opAnd:
		for _, a := range v.a {
			if x := f.c.get(a); x.op == opConst {
				m = x.n
			}
		}
	}
	if m <= 0 || len(p) == 0 {
		return false
	}
	k := int64(1)
	for k <= m {
		k *= 2
	}
	for _, t := range p {
		if t.c%k != 0 {
			return false
		}
	}
	return true
}

// log2 returns k if n is 2^k, else 0.
func log2(n int64) (k int64) {
	for n > 1 && n%2 == 0 {
		n /= 2
		k++
	}
	if n != 1 {
		return 0
	}
	return k
}

// extreme is the minimum or maximum of the arguments.
func (f *frame) extreme(r vref, least bool, args []poly) poly {
	e := f.e
	tag := fmt.Sprintf("min%d", len(args))
	if !least {
		tag = fmt.Sprintf("max%d", len(args))
	}
	return e.function(tag, "", args, anyhow, func(a atom, i *atomInfo) {
		var names []string
		for _, p := range args {
			names = append(names, e.polyText(p))
		}
		i.name = tag[:3] + "(" + strings.Join(names, ", ") + ")"
		v := variable(a)
		why := e.fact(i.name, "")
		var alts [][]literal
		for _, p := range args {
			if least {
				i.cons = append(i.cons, con{p.sub(v), why, noAtom})
			} else {
				i.cons = append(i.cons, con{v.sub(p), why, noAtom})
			}
			alts = append(alts, []literal{{p: v.sub(p), eq: true, def: a}})
		}
		i.ors = append(i.ors, disj{alts, why})
	})
}
