package pta

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// This file tells appends that write nothing to the array they are given. The array
// of a literal, var flags = []string{"-v"}, has no room behind its elements, nor has that
// of make([]string, n). As long as no slice of it ends earlier, append(flags, file) copies them: no slice of
// it is cut anywhere, or none that comes to the append.

// cutCopy is the Arg of an OpCopy of a slice to one that may end before its array
// does.
const cutCopy = 1

// cuts reports whether a slice may end before what it is a slice of.
func cuts(in *ssa.Slice) bool {
	if in.High == nil || full(in) {
		return false
	}
	p, ok := ssair.Under(in.X.Type()).(*types.Pointer)
	if !ok {
		return true
	}
	n, ok := intValue(in.High)
	return !ok || n != ssair.Under(p.Elem()).(*types.Array).Len()
}

// maxRoom bounds the values looked at to see that a slice was never cut.
const maxRoom = 100

// NoRoom reports whether an access is the write of an append to an array which has
// no room for it.
func (v *View) NoRoom(a *model.Access, o *model.Object) bool {
	if a.Index < 0 || a.Kind != model.Write {
		return false
	}
	obj, ok := v.describedBase(o)
	if !ok || obj >= v.ov.firstObj || !v.full(obj) {
		return false
	}
	x, fn := v.accessOf(a), v.ov.inst(InstID(a.Inst)).fn
	if x.Arg != 0 || !appends(fn, x.At) {
		return false
	}
	r := v.res
	r.onces.cut.Do(func() { r.cut = r.base.s.ownersOf(func(f *Func) []Node { return f.Cut }) })
	if !r.cut[obj] {
		return true
	}
	w := &wholeness{tracer{v: v, obj: obj, names: v.namesOf(obj), busy: make(map[visit]bool)}}
	return w.whole(point{InstID(a.Inst), x.Node})
}

// mayCopy reports whether an access is that of an append to an array of which nothing tells
// whether it has room: what a function returns that the model describes, strings.Fields for instance.
// Such an append may copy all, and write nothing to it.
func (v *View) mayCopy(loc int32, a accRef) bool {
	o := v.ov.object(v.baseOf(loc))
	x, fn := v.access(a), v.ov.inst(a.inst).fn
	return o.kind == objAlloc && v.ov.inst(o.inst).fn.Allocs[o.alloc].Word == "result" && x.Flags&FlagWrite != 0 && appends(fn, x.At)
}

// full reports whether an object is what a composite literal makes, or a make without a capacity of its
// own, or a constant string that a package variable is given as a slice.
func (v *View) full(obj int32) bool {
	o := v.ov.object(obj)
	if o.kind != objAlloc {
		return false
	}
	a := &v.ov.inst(o.inst).fn.Allocs[o.alloc]
	return a.Full || a.Word == "literal" || a.Word == "makeslice"
}

func appends(f *Func, at ssair.Instr) bool {
	for i := range f.Allocs {
		if f.Allocs[i].At == at && f.Allocs[i].Word == "append" {
			return true
		}
	}
	return false
}

// A wholeness follows the slices of an array back to where it is made.
type wholeness struct{ tracer }

// whole reports whether a value, if it is a slice of the array, ends where that does.
func (w *wholeness) whole(p point) bool {
	v := w.v
	if sp := v.ov.inst(p.inst).spawner; sp != nil && !sp.defined[p.node] {
		p.inst = sp.base
	}
	if w.busy[visit{point: p}] || !w.in(p.inst, p.node) {
		return true
	}
	if w.steps++; w.steps > maxRoom {
		return false
	}
	w.busy[visit{point: p}] = true
	in, explained := v.ov.inst(p.inst), false
	for _, k := range v.res.defs(in.fn)[p.node] {
		c := &in.fn.Constraints[k]
		switch c.Op {
		case OpFunc, OpBoxConst:
			continue
		case OpCopy:
			if w.in(p.inst, c.Src) && (c.Arg == cutCopy || !w.whole(point{p.inst, c.Src})) {
				return false
			}
		case OpLoad:
			if !w.loaded(p.inst, c) {
				return false
			}
		case OpAddr, OpGlobal:
		default:
			return false
		}
		explained = true
	}
	also := func(q point) bool { explained = true; return w.whole(q) }
	for k, first := range in.fn.Params {
		if first != None && first <= p.node && p.node < first+Node(in.fn.PLen[k]) &&
			!w.arguments(p, k, int32(p.node-first), func(q point, _ Site, _ bool) bool { return also(q) }) {
			return false
		}
	}
	for k, first := range in.fn.Free {
		if first != None && first <= p.node && p.node < first+Node(in.fn.FLen[k]) && !w.bindings(p, k, p.node-first, also) {
			return false
		}
	}
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		if c.Result == None || p.node < c.Result {
			continue
		}
		for _, e := range in.callees[k] {
			f := v.ov.inst(e.callee).fn
			if j := p.node - c.Result; f.Result != None && int32(j) < f.RLen && w.in(e.callee, f.Result+j) && !also(point{e.callee, f.Result + j}) {
				return false
			}
		}
	}
	return explained
}

// loaded is whole for what a load yields: for all that is stored there.
func (w *wholeness) loaded(id InstID, c *Constraint) bool {
	v := w.v
	base, ok := v.ov.base, true
	for _, y := range w.cells(point{id, c.Src}, c) {
		if y = v.canonical(y); y >= v.ov.first {
			return false
		}
		base.overlapping(y, func(z int32) {
			for _, p := range base.storesTo(z) {
				if !ok || !base.pts(p.src).Intersects(w.names) {
					continue
				}
				in := base.inst(p.inst)
				n := Node(p.src - in.base)
				ok = p.fact >= 0 && n >= 0 && int32(n) < in.fn.NNodes && w.whole(point{p.inst, n})
			}
		})
	}
	return ok
}
