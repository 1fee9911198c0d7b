package index

import "fmt"

// This file holds arithmetic that may well wrap around: of unsigned and of small
// integer types.

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
	return f.orHuge("-u", []poly{x, y}, x.sub(y), "("+f.e.polyText(x)+" - "+f.e.polyText(y)+")")
}

// huge is less than any unsigned number that stands for a negative one, as
// long as index arithmetic keeps away from the ends of its types.
const huge = 1 << 31

// toUnsigned is x if that is not negative, else some large number.
func (f *frame) toUnsigned(x poly) poly {
	if c, ok := x.isConst(); ok && c >= 0 {
		return x
	}
	return f.orHuge("uint", []poly{x}, x, f.e.polyText(x))
}

// orHuge is the function tag of args, an unsigned number: p if that is not
// negative, else some large number.
func (f *frame) orHuge(tag string, args []poly, p poly, text string) poly {
	e := f.e
	return e.function(tag, "", args, anyhow, func(a atom, i *atomInfo) {
		i.name = text
		v := variable(a)
		e.know(i, v, "")
		i.ors = append(i.ors, disj{alts: [][]literal{
			{{p: p, def: noAtom}, {p: v.sub(p), eq: true, def: a}},
			{{p: p.neg().plus(-1), def: noAtom}, {p: v.plus(-huge), def: noAtom}},
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
