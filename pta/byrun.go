package pta

import "slices"

// This file asks what all iterations that one run of a loop's function starts have in common:
// what the function had before it began, and what hangs on that by places that are set once.
// A closure made per call of some function stands for many, and so does what it has
// captured; but all iterations that call the one that their starter was given have what that one has:
//
//	func forEach(n int, do func(int)) {
//		for i := range n {
//			go func() { do(i) }()
//		}
//	}

// maxCommon bounds the places that a value is followed through.
const maxCommon = 4

// common reports whether an iteration's pointer to the object is the same in all iterations of
// one run of the loop. Where a value is one of several it is enough that each of them is.
func (t *tracer) common(p point) bool {
	v := t.v
	p = t.outside(p)
	if p.inst < v.ov.firstInst {
		k := slices.Index(v.ov.spawners, p.inst)
		return k >= 0 && !v.ov.inst(v.ov.reruns[k]).spawner.defined[p.node]
	}
	in := v.ov.inst(p.inst)
	if in.spawner != nil || t.places > maxCommon {
		return false // the round has found it
	}
	now := visit{p, nil}
	if t.busy[now] {
		return true
	}
	if t.steps++; t.steps > maxWaySteps {
		return false
	}
	t.busy[now] = true
	explained := false
	for _, k := range v.res.defs(in.fn)[p.node] {
		explained = true
		switch c := &in.fn.Constraints[k]; c.Op {
		case OpGlobal:
		case OpCopy, OpOffset, OpBox, OpUnbox, OpFilter, OpNotMade, OpNotGlobal, OpNotType, OpOfType:
			if q := (point{p.inst, c.Src}); t.in(q.inst, q.node) && !t.common(q) {
				return false
			}
		case OpLoad:
			if !t.commonPlace(p.inst, c) {
				return false
			}
		default:
			return false
		}
	}
	for k := range in.fn.Params {
		if first := in.fn.Params[k]; first != None && first <= p.node && p.node < first+Node(in.fn.PLen[k]) {
			explained = true
			if !t.arguments(p, k, int32(p.node-first), func(q point, _ Site, _ bool) bool { return t.common(q) }) {
				return false
			}
		}
	}
	for k, first := range in.fn.Free {
		if first != None && first <= p.node && p.node < first+Node(in.fn.FLen[k]) {
			explained = true
			if !t.alike(p, k, p.node-first) {
				return false
			}
		}
	}
	return explained
}

// commonPlace reports whether a load yields the same pointer to the object in all iterations: from
// a place of something that they have in common, in which it is stored once (S35).
func (t *tracer) commonPlace(id InstID, c *Constraint) bool {
	v := t.v
	owners := make(map[int32]bool)
	cells := t.cells(point{id, c.Src}, c)
	for _, l := range cells {
		if l = v.canonical(l); l >= v.ov.first || v.element(l) || v.ov.leafAt(l).Pool || len(v.ov.base.storesTo(l)) != 1 {
			return false
		}
		owner := v.baseOf(l)
		if !owners[owner] && !t.of(owner).common(point{id, c.Src}) {
			return false
		}
		owners[owner] = true
	}
	return len(cells) > 0
}

// of returns a tracer of what leads to the object.
func (t *tracer) of(obj int32) *tracer {
	return &tracer{v: t.v, obj: obj, names: t.v.namesOf(obj), busy: make(map[visit]bool), mode: t.mode, steps: t.steps, places: t.places + 1}
}

// alike reports whether a leaf of a captured variable, as far as it points to the object, is the same in
// all iterations: since each calls the same closure, or one of its own that has captured what all have.
func (t *tracer) alike(p point, k int, leaf Node) bool {
	return t.v.eachClosure(p.inst, func(_, _ Site, value point, closure int32) bool {
		return closure >= 0 && t.alikeBy(value, closure, k, leaf)
	})
}

func (t *tracer) alikeBy(call point, closure int32, k int, leaf Node) bool {
	v := t.v
	o := v.ov.object(closure)
	if o.kind == objView {
		closure = o.view
		o = v.ov.object(closure)
	}
	if obj := v.baseOf(o.loc); obj >= 0 && call.node != None && t.of(obj).common(call) {
		return true
	}
	if o.kind != objAlloc || o.inst < v.ov.firstInst && !v.ov.isSpawner(o.inst) {
		return false
	}
	binds := v.ov.inst(o.inst).fn.Allocs[o.alloc].Binds
	return k < len(binds) && (binds[k] == None || t.common(point{o.inst, binds[k] + leaf}))
}
