package index

import (
	"strconv"
	"strings"
)

// This file renders values, forms and facts in source terms.

var infix = map[op]string{
	opAdd: "+", opSub: "-", opMul: "*", opQuo: "/", opRem: "%", opShl: "<<", opShr: ">>",
	opAnd: "&", opOr: "|", opXor: "^", opAndNot: "&^",
	opFloatAdd: "+", opFloatSub: "-", opFloatMul: "*", opFloatQuo: "/",
	opLess: "<", opLessEq: "<=", opGreater: ">", opGreaterEq: ">=", opEqual: "==", opNotEqual: "!=",
}

// allocNames says what memory is for which go/ssa has a word of its own, rather
// than a variable's name.
var allocNames = map[string]string{"complit": "literal", "slicelit": "literal", "varargs": "arguments"}

// text renders a value as the source may have written it.
func (f *frame) text(r vref) string { return f.textTo(r, 6) }

func (f *frame) textTo(r vref, depth int) string {
	r = f.c.resolve(r)
	v := &f.c.vals[r]
	if depth == 0 || r == 0 {
		return "…"
	}
	arg := func(i int) string {
		if i >= len(v.a) {
			return "…"
		}
		return f.textTo(v.a[i], depth-1)
	}
	tight := func(i int) string {
		s := arg(i)
		if x := f.c.get(v.a[i]); infix[x.op] != "" && strings.ContainsAny(s, "+-*/%<>&|^") {
			return "(" + s + ")"
		}
		return s
	}
	if s, ok := infix[v.op]; ok {
		if x := f.c.get(v.a[0]); v.op == opAdd && x.op == opPhi {
			if kind, name, ok := rangeVar(x.s); ok && kind == "rangeindex" {
				return name
			}
		}
		if v.op == opAdd || v.op == opSub || v.op >= opLess {
			return arg(0) + s + tight(1)
		}
		return tight(0) + s + tight(1)
	}
	switch v.op {
	case opConst:
		return strconv.FormatInt(v.n, 10)
	case opFloatConst, opParam, opFree:
		return v.s
	case opGlobal:
		return short(v.s)
	case opAlloc:
		return name(allocNames[v.s], name(v.s, "variable"))
	case opPhi:
		if _, name, ok := rangeVar(v.s); ok {
			return name
		}
		return name(v.s, "value")
	case opFreeVal:
		return f.c.frees[v.n] + f.fieldNames(v.s)
	case opNeg, opFloatNeg:
		return "-" + tight(0)
	case opNot:
		return "^" + tight(0)
	case opBoolNot:
		return "!" + tight(0)
	case opMin, opMax, opCall, opLen, opCap, opAppend, opCopy:
		return f.callText(v, depth)
	case opConv, opIntToFloat, opFloatToInt:
		return arg(0)
	case opLoad:
		if a := f.c.get(v.a[0]).op; a == opIndexAddr || a == opFieldAddr || a == opAlloc || a == opGlobal || a == opFree {
			return arg(0)
		}
		return "*" + arg(0)
	case opIndexAddr, opIndex, opLookup:
		return arg(0) + "[" + arg(1) + "]"
	case opFieldAddr, opField:
		if strings.HasPrefix(v.s, "[") { // of a small array
			return arg(0) + v.s
		}
		return arg(0) + "." + name(v.s, "field"+strconv.Itoa(int(v.n)))
	case opSlice:
		lo, hi := "", ""
		if v.a[1] != 0 {
			lo = arg(1)
		}
		if v.a[2] != 0 {
			hi = arg(2)
		}
		return arg(0) + "[" + lo + ":" + hi + "]"
	case opMakeSlice:
		return name(v.s, "make(…, "+arg(0)+")")
	case opRecv:
		return "<-" + arg(0)
	case opExtract:
		return arg(0)
	}
	return "…"
}

func (f *frame) callText(v *val, depth int) string {
	fn, args := "", v.a
	switch v.op {
	case opMin:
		fn = "min"
	case opMax:
		fn = "max"
	case opLen:
		fn = "len"
	case opCap:
		fn = "cap"
	case opAppend:
		fn = "append"
	case opCopy:
		fn = "copy"
	default:
		args = v.a[1:]
		whole := generic(v.s)
		fn = name(whole[strings.LastIndexByte(whole, '.')+1:], "call")
		if strings.HasPrefix(v.s, "(") && len(args) > 0 {
			fn, args = f.textTo(args[0], depth-1)+"."+fn, args[1:]
		} else if v.s == "" {
			fn = f.textTo(v.a[0], depth-1)
		}
	}
	var parts []string
	for _, a := range args {
		parts = append(parts, f.textTo(a, depth-1))
	}
	return fn + "(" + strings.Join(parts, ", ") + ")"
}

func name(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// fieldNames renders a field path; the names are not known, so numbers.
func (f *frame) fieldNames(path string) string {
	var b strings.Builder
	for _, s := range path {
		if s != '.' {
			b.WriteString(".f" + strconv.Itoa(int(s-'0')))
		}
	}
	return b.String()
}

func (t thing) fieldText() string { return t.f.fieldNames(t.path) }

// polyText renders a polynomial over the names of its atoms.
func (e *env) polyText(p poly) string {
	if len(p) == 0 {
		return "0"
	}
	var b strings.Builder
	for i := len(p) - 1; i >= 0; i-- {
		t := p[i]
		c := t.c
		switch {
		case c < 0 && b.Len() == 0:
			b.WriteString("-")
			c = -c
		case c < 0:
			b.WriteString(" - ")
			c = -c
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		var fs []string
		for _, x := range t.m {
			if x != 0 {
				fs = append(fs, paren(e.atoms[x-1].name))
			}
		}
		if c != 1 || len(fs) == 0 {
			fs = append([]string{strconv.FormatInt(c, 10)}, fs...)
		}
		b.WriteString(strings.Join(fs, "*"))
	}
	return b.String()
}

// placeText renders a place.
func (e *env) placeText(p place) string {
	var b strings.Builder
	b.WriteString(p.name)
	for _, s := range p.path {
		switch s.kind {
		case 'f':
			b.WriteString("." + name(s.name, "f"+strconv.Itoa(s.n)))
		case 'i':
			b.WriteString("[" + e.polyText(s.form) + "]")
		}
	}
	return b.String()
}
