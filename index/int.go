package index

import "strings"

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

// factor gives one of two factors a name if it is a sum of several unknowns that are
// the same on both sides, and the other is not: multiplied out, the width of a row in
// (y-b.Min.Y)*(b.Max.X-b.Min.X) would be found no more.
func (e *env) factor(x, y poly) (poly, poly) {
	named := func(p, other poly) poly {
		n := 0
		for _, t := range p {
			if t.m != (mono{}) {
				n++
			}
		}
		if n < 2 || e.sideOfPoly(p) != 0 || e.sideOfPoly(other) == 0 {
			return p
		}
		return e.function("sum "+p.key(), "("+e.polyText(p)+")", nil, anyhow, func(a atom, i *atomInfo) {
			i.cons = append(i.cons, con{variable(a).sub(p), whySet{}, isEq})
		})
	}
	return named(x, y), named(y, x)
}

// compute evaluates by operation. Arithmetic in types of 32 bits and more is
// taken not to wrap around (soundness: no-wrap).
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
		x, y := e.factor(arg(0), arg(1))
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
	case opLookup:
		return f.loadFrom(r, thing{f, v.a[0], ""}.ref().element(f.eval(v.a[1])))
	case opKey:
		return f.keyOf(r, v)
	case opIndex:
		return f.indexed(r, v)
	case opRecv:
		return f.received(r, v)
	case opCall:
		return f.called(r, v)
	case opExtract:
		if s := f.sub(v.a[0]); s != nil {
			return f.inlined(v.blk, f.text(v.a[0]), s, int(v.n))
		}
	case opParam:
		p := f.unique(r, int(v.n))
		f.asIndex(v, p)
		return p
	}
	return f.opaque(r, 0)
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
	if x.ok {
		if t, known := f.initial(v, x); known {
			return t.orZero()
		}
	}
	if x.ok && f.steady(v) {
		shape, args := x.place.shape()
		return f.e.function("*"+shape, f.text(r), args, anyhow, func(a atom, i *atomInfo) {
			f.e.typed(a, i, v.kind)
			i.got = x.place.got
			if i.app != nil {
				i.data = true
				f.e.table(i)
			}
		})
	}
	if x.ok {
		if p, ok := f.ticket(r, v, x); ok {
			return p
		}
	}
	if k := f.inEpoch(v, x); k != "" {
		return variable(f.e.atom(k, f.text(r), f.sideOf(v.blk), func(a atom, i *atomInfo) {
			i.loops, i.data, i.got = f.loopsAt(v.blk), true, x.place.got
			f.e.typed(a, i, v.kind)
		}))
	}
	return f.opaque(r, 0)
}

// orZero is the integer that a field was given, 0 if none.
func (t thing) orZero() poly {
	if t.f == nil {
		return number(0)
	}
	return t.int()
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
			if t, known := t.f.initial(v, x); known {
				return t.orZero()
			}
			if t.f.steady(v) {
				return t.f.loadFrom(t.r, x)
			}
		}
	}
	f := t.f
	return variable(f.e.atom(f.key(v.blk, "s"+t.path+".", int(t.r)), f.text(t.r)+t.fieldText(), f.sideOf(v.blk), func(a atom, i *atomInfo) {
		i.loops = f.loopsAt(v.blk)
		i.data = v.op.reads()
	}))
}

// indexed is an element of an array value.
func (f *frame) indexed(r vref, v *val) poly {
	t := thing{f, v.a[0], ""}.chase()
	if l := t.val(); l.op == opLoad && t.f == f {
		x := thing{f, l.a[0], ""}.ref()
		if x.ok && f.steady(l) {
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
