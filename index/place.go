package index

import (
	"slices"
	"strings"
)

// A place is a memory location: a root value and the way from what it points
// to, through fields, elements and pointers.
type place struct {
	root string // equal for the same pointer, on both sides where it is shared
	name string // in source terms
	path []pstep
	// fresh is set if the root is an allocation that each side executes itself.
	fresh bool
	home  thing // the allocation, if the root is one
	phi   thing // what the loop around it carries, if the root is that
	maker thing // what makes the memory, if the root is that
	got   bool  // the root is, or is a part of, what a channel has handed on
	above thing // the allocation, or what a loop carries, by way of which the root was found
}

// A pstep is one step of a place.
type pstep struct {
	kind  byte // 'f' field, 'i' element, 'd' what is stored there points to
	n     int  // field number
	name  string
	form  poly // element index, from the start of the array
	slice bool // of a 'd': what is stored is a slice
	own   bool // of an 'i': no other element refers to what is stored in this one
}

// A ref is a pointer or slice value as far as it is understood.
type ref struct {
	ok       bool
	place    place // what it points to; for a slice the start of its array
	slice    bool
	asked    bool // used while being evaluated
	off      poly // of a slice: index of its first element
	len, cap poly
}

func (p place) with(s pstep) place {
	p.path = append(append([]pstep(nil), p.path...), s)
	return p
}

// shape is the place with holes for the element indices, and these.
func (p place) shape() (string, []poly) {
	var b strings.Builder
	var args []poly
	b.WriteString(p.root)
	for _, s := range p.path {
		b.WriteByte(s.kind)
		switch s.kind {
		case 'f':
			b.WriteString(fieldStep(s.n))
		case 'i':
			args = append(args, s.form)
		}
	}
	return b.String(), args
}

// madeIn reports whether the frame of a step that both chains share has made the memory, before they part.
func (p place) madeIn(step int) bool {
	t := p.maker
	return t.f != nil && t.f.call == 0 && t.f.ghost == nil && t.f.no == step && t.f.sideOf(t.f.c.vals[t.r].blk) == 0
}

// fields selects fields of what the ref points to.
func (x *ref) fields(path string) *ref {
	y := *x
	for _, s := range path {
		if s != '.' {
			y.place = y.place.with(pstep{kind: 'f', n: int(s - '0')})
		}
	}
	return &y
}

// element is the address of an element.
func (x *ref) element(i poly) *ref {
	y := &ref{ok: x.ok}
	if x.slice {
		i = i.add(x.off)
	}
	y.place = x.place.with(pstep{kind: 'i', form: i})
	return y
}

func (x *ref) text() string { return x.place.name }

// ref evaluates a pointer or slice.
func (t thing) ref() *ref {
	t = t.chase()
	if t.path != "" {
		return t.refField()
	}
	f := t.f
	if x, ok := f.refs[t.r]; ok {
		x.asked = true
		return x
	}
	f.e.work.step()
	// Entered first, so that a cycle ends in something not understood.
	first := f.unknownRef(t.r, "")
	f.refs[t.r] = first
	x := f.refer(t.r)
	f.refs[t.r] = x
	if first.asked && x != first && first.slice && x.slice {
		// What was evaluated meanwhile knows the length by another name.
		f.e.link(first.len, x.len)
		f.e.link(first.cap, x.cap)
	}
	return x
}

// link records that an unknown has a value.
func (e *env) link(unknown, value poly) {
	if !unknown.equal(value) {
		i := &e.atoms[unknown[0].m[0]-1]
		i.cons = append(i.cons, con{unknown.sub(value), whySet{}, isEq})
	}
}

// received reports whether a value is a part of what a channel has handed on.
func (c *code) received(r vref) bool {
	for {
		v := c.get(r)
		switch v.op {
		case opRecv:
			return true
		case opField, opExtract, opConv:
			r = v.a[0]
		default:
			return false
		}
	}
}

// unknownRef is a pointer or slice that is nothing but itself. It is the same
// on both sides if it was computed before they part.
func (f *frame) unknownRef(r vref, path string) *ref {
	v := &f.c.vals[r]
	x := &ref{ok: r != 0, place: place{root: f.key(v.blk, "p"+path, int(r)), name: f.text(r)}}
	if (v.op == opAlloc || v.op == opMakeSlice) && path == "" && f.sideOf(v.blk) != 0 {
		x.place.fresh = !f.vague() && !f.ofAnyRound(v.blk)
	}
	x.place.got = f.c.received(r)
	if v.op == opAlloc && path == "" {
		x.place.home = thing{f, r, ""}
	}
	if (v.op == opAlloc || v.op == opMakeSlice || v.op == opCall) && path == "" {
		x.place.maker = thing{f, r, ""}
	}
	if v.op == opPhi && path == "" {
		x.place.phi = thing{f, r, ""}
	}
	if v.kind == kSlice || path != "" {
		x.slice = true
		x.lengths(f.e, x.place.root, x.place.name, nil)
	} else if v.kind == kString {
		x.lengths(f.e, x.place.root, x.place.name, nil)
	}
	return x
}

// origin is the allocation, or what a loop carries, that the place lies in or was
// found by way of.
func (p place) origin() thing {
	switch {
	case p.phi.f != nil:
		return p.phi
	case p.home.f != nil:
		return p.home
	}
	return p.above
}

// vague reports whether some frame up the chain is of an unknown round.
func (f *frame) vague() bool {
	for ; f != nil; f = f.up {
		if f.loose {
			return true
		}
	}
	return false
}

// lengths gives a slice the unknowns len and cap.
func (x *ref) lengths(e *env, shape, name string, args []poly) {
	x.len = e.function("len "+shape, "len("+name+")", args, anyhow, func(a atom, i *atomInfo) {
		e.know(i, variable(a), i.name+" >= 0")
	})
	l := x.len
	x.cap = e.function("cap "+shape, "cap("+name+")", args, anyhow, func(a atom, i *atomInfo) {
		e.know(i, variable(a).sub(l), i.name+" >= "+e.polyText(l))
	})
}

// hasRoom reports whether it is plain that a slice has the capacity for n elements: what is left
// is a sum of lengths.
func (e *env) hasRoom(x *ref, n poly) bool {
	return !slices.ContainsFunc(x.cap.sub(n), func(t term) bool {
		if t.c < 0 || t.m.degree() == 0 {
			return t.c < 0
		}
		a := atom(t.m[0] - 1)
		return t.m.degree() > 1 || !slices.ContainsFunc(e.atoms[a].cons, func(c con) bool { return c.p.equal(variable(a)) })
	})
}

func (f *frame) refer(r vref) *ref {
	v := &f.c.vals[r]
	sub := func(i int) *ref { return thing{f, v.a[i], ""}.ref() }
	switch v.op {
	case opGlobal:
		return &ref{ok: true, place: place{root: "g" + v.s, name: short(v.s)}}
	case opIndexAddr:
		return sub(0).element(f.eval(v.a[1]))
	case opFieldAddr:
		x := sub(0)
		return &ref{ok: x.ok, place: x.place.with(pstep{kind: 'f', n: int(v.n), name: v.s})}
	case opSlice:
		return f.sliced(v, sub(0))
	case opMakeSlice:
		x := f.unknownRef(r, "")
		x.off, x.len, x.cap = nil, f.eval(v.a[0]), f.eval(v.a[1])
		return x
	case opAppend:
		if len(v.a) == 2 && v.a[0] != 0 && v.a[1] != 0 {
			if x, y := sub(0), sub(1); x.ok && x.slice && (y.slice || y.len != nil) {
				if n := x.len.add(y.len); f.e.hasRoom(x, n) {
					return &ref{ok: true, slice: true, place: x.place, off: x.off, len: n, cap: x.cap}
				}
			}
		}
	case opLoad:
		return f.stored(r, sub(0))
	case opLookup:
		return f.stored(r, sub(0).element(f.eval(v.a[1])))
	case opFreeVal:
		return f.stored(r, sub(0).fields(v.s))
	case opPhi:
		if v.kind == kSlice {
			return f.slicePhi(r)
		}
	case opConv:
		return sub(0)
	case opString:
		x := f.unknownRef(r, "")
		x.len, x.cap = number(v.n), number(v.n)
		return x
	}
	return f.unknownRef(r, "")
}

// stored is the pointer or slice that load r finds at a place.
func (f *frame) stored(r vref, x *ref) *ref {
	v := &f.c.vals[r]
	if !x.ok {
		return f.unknownRef(r, "")
	}
	if t, known := f.initial(v, x); known {
		return t.orNil(v.kind)
	}
	if !f.steady(v) {
		if y, ok := f.ticketRef(r, v, x); ok {
			return y
		}
		y := f.unknownRef(r, "")
		if k := f.inEpoch(v, x); k != "" {
			if y.place.root = k; y.slice {
				y.lengths(f.e, k, y.place.name, nil)
			}
		}
		if f.oneOrNil(v) {
			// Who finds nil does not come to an element.
			y.place = f.pointee(x, v.kind).place
			return y
		}
		y.place.above = x.place.origin()
		return y
	}
	y := f.pointee(x, v.kind)
	if n := len(y.place.path) - 2; n >= 0 && y.place.path[n].kind == 'i' && f.ownElements(v) {
		y.place.path[n].own = true
	}
	return y
}

// nilRoot is the root of what no access can go through.
const nilRoot = "nil"

// orNil is the pointer or slice that a field was given, nil if none.
func (t thing) orNil(k kind) *ref {
	if t.f == nil {
		return &ref{ok: true, slice: k == kSlice, place: place{root: nilRoot, name: "nil"}}
	}
	return t.ref()
}

// pointee is what is stored at a place that keeps its value.
func (f *frame) pointee(x *ref, k kind) *ref {
	y := &ref{ok: true, place: x.place.with(pstep{kind: 'd', slice: k == kSlice}), slice: k == kSlice}
	if k == kSlice || k == kString {
		shape, args := y.place.shape()
		y.lengths(f.e, shape, f.e.placeText(x.place), args)
	}
	return y
}

// refField is a pointer or slice in a field of a struct value.
func (t thing) refField() *ref {
	f, v := t.f, t.val()
	if v.op == opLoad || v.op == opFreeVal {
		x := thing{f, v.a[0], ""}.ref()
		if v.op == opFreeVal {
			x = x.fields(v.s)
		}
		if x.ok {
			if t, known := f.initial(v, x.fields(t.path)); known {
				return t.orNil(kSlice)
			}
		}
		if x.ok && f.steady(v) {
			return f.pointee(x.fields(t.path), kSlice)
		}
	}
	x := f.unknownRef(t.r, t.path)
	x.place.name += t.fieldText()
	return x
}

// sliced is x[lo:hi:max].
func (f *frame) sliced(v *val, x *ref) *ref {
	y := &ref{ok: x.ok, slice: true, place: x.place, off: x.off}
	base, top := x.len, x.cap
	if v.n >= 0 { // of an array
		y.off, base, top = nil, number(v.n), number(v.n)
	} else if !x.slice && v.n != -2 {
		return &ref{}
	}
	var lo poly
	hi := base
	if v.a[1] != 0 {
		lo = f.eval(v.a[1])
	}
	if v.a[2] != 0 {
		hi = f.eval(v.a[2])
	}
	if v.a[3] != 0 {
		top = f.eval(v.a[3])
	}
	if v.n == -2 {
		top = hi
	}
	y.off, y.len, y.cap = y.off.add(lo), hi.sub(lo), top.sub(lo)
	return y
}

// short is the last element of a qualified name.
func short(s string) string {
	s = s[strings.LastIndexByte(s, '/')+1:]
	return s[strings.IndexByte(s, '.')+1:]
}
