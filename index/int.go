package index

import (
	"fmt"
	"strings"
)

// eval returns the form of an integer value of the frame.
func (f *frame) eval(r vref) poly { return thing{f, r, ""}.int() }

// int returns the form of an integer thing.
func (t thing) int() poly {
	t = t.chase()
	if t.path != "" {
		return t.loadField()
	}
	f, p := t.f, part{t.r, 0}
	if x, ok := f.ints[p]; ok {
		return x
	}
	f.e.work.step()
	if t.r == 0 {
		return f.opaque(0, 0)
	}
	if busy, in := f.busy[p]; in && busy != done {
		f.busy[p] = asked
		return f.opaque(t.r, 0)
	}
	f.busy[p] = entered
	x := f.compute(t.r)
	if f.busy[p] == asked {
		// What was evaluated meanwhile knows the value by another name.
		f.e.link(f.opaque(t.r, 0), x)
	}
	f.busy[p] = done
	f.ints[p] = x
	return x
}

// States of an evaluation that may come back to itself.
const (
	entered = iota + 1
	asked   // came back
	done
)

// compute evaluates by operation.
func (f *frame) compute(r vref) poly {
	e, v := f.e, &f.c.vals[r]
	arg := func(i int) poly { return f.eval(v.a[i]) }
	if n := v.kind.narrow(); n != 0 && v.op >= opAdd && v.op <= opConv {
		return f.wraps(r, v)
	}
	switch v.op {
	case opConst:
		return number(v.n)
	case opAdd:
		return arg(0).add(arg(1))
	case opSub:
		if v.kind.isUnsigned() {
			return f.unsignedSub(arg(0), arg(1))
		}
		return arg(0).sub(arg(1))
	case opNeg:
		return arg(0).neg()
	case opNot:
		return arg(0).neg().plus(-1)
	case opMul:
		x, y := arg(0), arg(1)
		if p, ok := x.times(y); ok {
			return p
		}
		return e.function("*", f.text(r), []poly{x, y}, anyhow, nil)
	case opQuo:
		return f.quotient(v, arg(0), arg(1))
	case opRem:
		x, y := arg(0), arg(1)
		if p, ok := f.quotient(v, x, y).times(y); ok {
			return x.sub(p)
		}
		return e.function("%", f.text(r), []poly{x, y}, anyhow, nil)
	case opShl:
		return f.shiftLeft(r, arg(0), arg(1))
	case opShr:
		x, y := arg(0), arg(1)
		if k, ok := y.isConst(); ok && k >= 0 && k < 50 {
			return f.floor(x, k)
		}
		return e.function(">>|"+y.key(), f.text(r), []poly{x}, rising, nil)
	case opAnd, opAndNot, opOr, opXor:
		return f.bits(r, v, arg(0), arg(1))
	case opMin, opMax:
		var args []poly
		for i := range v.a {
			args = append(args, arg(i))
		}
		return f.extreme(r, v.op == opMin, args)
	case opConv:
		if from := f.c.get(v.a[0]).kind; v.kind.isUnsigned() && !from.isUnsigned() {
			return f.toUnsigned(arg(0))
		} else if from.mayExceed(v.kind) {
			return f.toSigned(v.a[0], 0)
		}
		return arg(0)
	case opFloatToInt:
		return f.fromFloat(r, v.a[0])
	case opLen, opCap:
		return f.length(r, v)
	case opPhi:
		return f.phi(r, 0)
	case opLoad, opFreeVal:
		return f.load(r)
	case opIndex:
		return f.indexed(r, v)
	case opRecv:
		return f.received(r, v)
	case opCall:
		return f.called(r, v)
	case opExtract:
		if s := f.sub(v.a[0]); s != nil {
			return f.inlined(v.a[0], s, int(v.n))
		}
	case opParam:
		return f.unique(r, int(v.n))
	}
	return f.opaque(r, 0)
}

// wraps evaluates arithmetic in a type of 8 or 16 bits: a function of the
// operands, in the type's range.
func (f *frame) wraps(r vref, v *val) poly {
	var args []poly
	for _, a := range v.a {
		args = append(args, f.eval(a))
	}
	if v.op == opConv {
		if from := f.c.get(v.a[0]).kind; from == v.kind || from == kUint8 && v.kind == kInt16 || from == kUint8 && v.kind == kUint16 {
			return args[0]
		}
	}
	tag := fmt.Sprintf("wrap%d.%d", v.op, v.kind)
	return f.e.function(tag, f.text(r), args, anyhow, func(a atom, i *atomInfo) { f.e.typed(a, i, v.kind) })
}

// unsignedSub is x-y if that is not negative, else some large number.
func (f *frame) unsignedSub(x, y poly) poly {
	if d, ok := x.sub(y).isConst(); ok && d >= 0 {
		return number(d)
	}
	e := f.e
	return e.function("-u", "", []poly{x, y}, anyhow, func(a atom, i *atomInfo) {
		i.name = "(" + e.polyText(x) + " - " + e.polyText(y) + ")"
		v := variable(a)
		e.know(i, v, "")
		i.ors = append(i.ors, disj{alts: [][]literal{
			{{p: x.sub(y), def: noAtom}, {p: v.sub(x.sub(y)), eq: true, def: a}},
			{{p: x.below(y), def: noAtom}, {p: v.plus(-huge), def: noAtom}},
		}})
	})
}

// huge is less than any unsigned number that stands for a negative one, as
// long as index arithmetic keeps away from the ends of its types.
const huge = 1 << 31

// toUnsigned is x if that is not negative, else some large number.
func (f *frame) toUnsigned(x poly) poly {
	if c, ok := x.isConst(); ok && c >= 0 {
		return x
	}
	e := f.e
	return e.function("uint", "", []poly{x}, anyhow, func(a atom, i *atomInfo) {
		i.name = e.polyText(x)
		v := variable(a)
		e.know(i, v, "")
		i.ors = append(i.ors, disj{alts: [][]literal{
			{{p: x, def: noAtom}, {p: v.sub(x), eq: true, def: a}},
			{{p: x.neg().plus(-1), def: noAtom}, {p: v.plus(-huge), def: noAtom}},
		}})
	})
}

// mayExceed reports whether an unsigned value of kind k may be too large for
// the signed kind to.
func (k kind) mayExceed(to kind) bool {
	return k == kUint && (to == kInt || to == kInt32) || k == kUint32 && to == kInt32
}

// toSigned is the unsigned value r as a signed number. Sums, differences and
// products are the same modulo 2^64 whether computed with or without sign.
func (f *frame) toSigned(r vref, depth int) poly {
	r = f.c.resolve(r)
	v := &f.c.vals[r]
	if depth < 8 && v.kind.isUnsigned() {
		switch v.op {
		case opAdd:
			return f.toSigned(v.a[0], depth+1).add(f.toSigned(v.a[1], depth+1))
		case opSub:
			return f.toSigned(v.a[0], depth+1).sub(f.toSigned(v.a[1], depth+1))
		case opMul:
			if p, ok := f.toSigned(v.a[0], depth+1).times(f.toSigned(v.a[1], depth+1)); ok {
				return p
			}
		case opConv:
			if from := f.c.get(v.a[0]).kind; !from.isUnsigned() && from.narrow() == 0 {
				return f.eval(v.a[0])
			}
		}
	}
	x := f.eval(r)
	if c, ok := x.isConst(); ok && c >= 0 {
		return x
	}
	e := f.e
	return e.function("int", "", []poly{x}, anyhow, func(a atom, i *atomInfo) {
		i.name = e.polyText(x)
		s := variable(a)
		i.ors = append(i.ors, disj{alts: [][]literal{
			{{p: s.sub(x), eq: true, def: a}},
			{{p: s.neg().plus(-1), def: noAtom}, {p: x.plus(-huge), def: noAtom}},
		}})
	})
}

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
	})
	if q, ok := x.times(p); ok {
		return q
	}
	return e.function("<<", f.text(r), []poly{x, y}, anyhow, nil)
}

// bits evaluates & and friends: masks of low bits by the remainder of the
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
			}
		}
		if v.op == opAnd {
			return e.function("&", f.text(r), []poly{x, y}, anyhow, func(a atom, i *atomInfo) {
				e.know(i, variable(a), "")
				e.know(i, variable(a).neg().plus(m), "")
			})
		}
	}
	return e.function(fmt.Sprintf("bits%d", v.op), f.text(r), []poly{x, y}, anyhow, nil)
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

// length is len(x) or cap(x).
func (f *frame) length(r vref, v *val) poly {
	if v.n >= 0 {
		return number(v.n)
	}
	x := thing{f, v.a[0], ""}.ref()
	if v.op == opCap {
		return x.cap
	}
	return x.len
}

// load is the value of an integer variable, field or element.
func (f *frame) load(r vref) poly {
	v := &f.c.vals[r]
	x := thing{f, v.a[0], ""}.ref()
	if v.op == opFreeVal {
		x = x.fields(v.s)
	}
	return f.loadFrom(r, x)
}

// loadFrom is what the load val r finds at a place. If the place keeps its
// value, equal places give equal values; otherwise the load has a value of its
// own.
func (f *frame) loadFrom(r vref, x *ref) poly {
	v := &f.c.vals[r]
	if x.ok && f.sideOf(v.blk) != 0 && f.invariant(v.at) {
		shape, args := x.place.shape()
		return f.e.function("*"+shape, f.text(r), args, anyhow, func(a atom, i *atomInfo) {
			f.e.typed(a, i, v.kind)
			if i.app != nil {
				f.e.table(i)
			}
		})
	}
	return f.opaque(r, 0)
}

// loadField is a field of a struct value that is not taken apart further.
func (t thing) loadField() poly {
	v := t.val()
	if v.op == opLoad || v.op == opFreeVal {
		x := thing{t.f, v.a[0], ""}.ref()
		if v.op == opFreeVal {
			x = x.fields(v.s)
		}
		if x.ok {
			x = x.fields(t.path)
			if t.f.sideOf(v.blk) != 0 && t.f.invariant(v.at) {
				return t.f.loadFrom(t.r, x)
			}
		}
	}
	f := t.f
	return variable(f.e.atom(f.key(v.blk, "s"+t.path+".", int(t.r)), f.text(t.r)+t.fieldText(), f.sideOf(v.blk), func(a atom, i *atomInfo) {
		i.loops = f.loopsAt(v.blk)
	}))
}

// indexed is an element of an array value.
func (f *frame) indexed(r vref, v *val) poly {
	t := thing{f, v.a[0], ""}.chase()
	if l := t.val(); l.op == opLoad && t.f == f {
		x := thing{f, l.a[0], ""}.ref()
		if x.ok && f.sideOf(v.blk) != 0 && f.invariant(l.at) {
			return f.loadFrom(r, x.element(f.eval(v.a[1])))
		}
	}
	return f.opaque(r, 0)
}

func paren(s string) string {
	if strings.ContainsAny(s, " +-*/") {
		return "(" + s + ")"
	}
	return s
}
