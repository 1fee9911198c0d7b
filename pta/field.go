package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// byFields leaves out of the ways in which two accesses may get at an object those by which
// they touch different fields of it. A method whose receiver is a field has the addresses of
// all the fields for which it is called:
//
//	func (q *queue) pop() { q.head = q.head[1:] }
//
//	p.idle.pop()
//	p.fresh.pop()
//
// On the way by one of the calls it has one of them.
func (v *View) byFields(obj int32, r *model.Race, ms []Meeting) []Meeting {
	if !v.hasSeveral(r.A, obj) && !v.hasSeveral(r.B, obj) {
		return ms
	}
	out := []Meeting{}
	for _, m := range ms {
		as, bs := v.splitByFields(r.A, m.A, obj), v.splitByFields(r.B, m.B, obj)
		for _, a := range as {
			var met []Way
			for _, b := range bs {
				if len(a.fields) == 0 || len(b.fields) == 0 || slices.ContainsFunc(a.fields, func(f int32) bool { return slices.Contains(b.fields, f) }) {
					met = append(met, b.ways...)
				}
			}
			if len(met) > 0 {
				out = append(out, Meeting{a.ways, met})
			}
		}
	}
	return out
}

// A fieldWays is ways by which an access touches the same fields of an object, none where
// they are not known.
type fieldWays struct {
	fields []int32
	ways   []Way
}

// splitByFields parts the ways in which an access gets at an object by the fields of it that
// it touches.
func (v *View) splitByFields(x *model.Access, ways []Way, obj int32) (out []fieldWays) {
	for i := range ways {
		fields := v.fieldsBy(x, &ways[i], obj)
		k := slices.IndexFunc(out, func(o fieldWays) bool { return slices.Equal(o.fields, fields) })
		if k < 0 {
			k = len(out)
			out = append(out, fieldWays{fields: fields})
		}
		out[k].ways = append(out[k].ways, ways[i])
	}
	return out
}

// hasSeveral reports whether the pointer by which an access is made may lead to several
// fields of an object.
func (v *View) hasSeveral(x *model.Access, obj int32) bool {
	places := v.placesIn(point{InstID(x.Inst), v.accessOf(x).Node}, obj)
	return len(places) > 1 && slices.ContainsFunc(places, func(l int32) bool { return v.leafOf(l) != v.leafOf(places[0]) })
}

// leafOf returns the number of a location in its object, without the side.
func (v *View) leafOf(l int32) int32 {
	o := v.ov.object(v.ov.ownerOf(l))
	leaf := &o.layout.Leaves[l-o.loc]
	return l - o.loc - int32(leaf.Part)*leaf.PartSize
}

// fieldsBy lists the leaves of an object that an access may touch which gets at it by a way,
// without sides; none where that is not known.
func (v *View) fieldsBy(x *model.Access, w *Way, obj int32) []int32 {
	acc := v.accessOf(x)
	if acc.Flags&FlagDeep != 0 {
		return nil
	}
	ov := v.ov
	id, n := InstID(x.Inst), acc.Node
	at := v.placesIn(point{id, n}, obj)
	offs := []int32{}
	for _, s := range slices.Backward(w.Calls) {
		k, leaf, by, ok := v.res.offParam(ov.inst(id).fn, n)
		if !ok {
			break
		}
		arg, ok := v.passedAt(s, id, k, leaf)
		if !ok {
			break
		}
		offs = append(by, offs...)
		var passed []int32
		for _, l := range v.placesIn(arg, obj) {
			ok := true
			for _, off := range offs {
				if l, ok = ov.shift(l, off); !ok {
					break
				}
			}
			if ok {
				passed = append(passed, l)
			}
		}
		at = slices.DeleteFunc(at, func(l int32) bool { return !slices.Contains(passed, l) })
		id, n = arg.inst, arg.node
	}
	var out []int32
	for _, l := range at {
		l, ok := ov.shift(l, acc.Off)
		if !ok {
			return nil
		}
		o := ov.object(ov.ownerOf(l))
		for end := min(l+acc.N, o.loc+o.layout.Len()); l < end; l++ {
			out = append(out, v.leafOf(l))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// placesIn lists the locations of an object that a value may point to.
func (v *View) placesIn(p point, obj int32) []int32 {
	var out []int32
	for l := range v.ov.pts(v.ov.inst(p.inst).node(p.node)).And(v.namesOf(obj)).All() {
		if _, box := v.ov.boxAt(l); !box {
			out = append(out, l)
		}
	}
	return out
}

// offParam returns the leaf of a parameter that a value always is, but for some offsets, in
// the order in which they are added.
func (r *Result) offParam(fn *Func, n Node) (k int, leaf Node, by []int32, ok bool) {
	for range maxOffsets {
		ds := r.defs(fn)[n]
		if len(ds) == 0 {
			for k, first := range fn.Params {
				if first != None && first <= n && n < first+Node(fn.PLen[k]) {
					return k, n - first, by, true
				}
			}
			return 0, 0, nil, false
		}
		if len(ds) > 1 {
			return 0, 0, nil, false
		}
		switch c := &fn.Constraints[ds[0]]; c.Op {
		case OpCopy:
			n = c.Src
		case OpOffset:
			n, by = c.Src, append([]int32{c.Off}, by...)
		default:
			return 0, 0, nil, false
		}
	}
	return 0, 0, nil, false
}

// maxOffsets bounds the copies and offsets between a parameter and what is found from it.
const maxOffsets = 8

// passedAt returns what the call at a site passes to an instance for a leaf of parameter k;
// ok is false where that is not one value.
func (v *View) passedAt(s Site, callee InstID, k int, leaf Node) (argument point, ok bool) {
	for _, id := range v.frameIDs(s.Inst) {
		in := v.ov.inst(id)
		for j := range in.fn.Calls {
			c := &in.fn.Calls[j]
			if c.At != s.At || !slices.ContainsFunc(in.callees[j], func(e edge) bool { return e.callee == callee }) {
				continue
			}
			arg := k
			if c.Kind == CallInvoke {
				arg--
			}
			if ok || arg < 0 || arg >= len(c.Args) || c.Args[arg].Node == None || int32(leaf) >= c.Args[arg].Len {
				return point{}, false
			}
			argument, ok = point{id, c.Args[arg].Node + leaf}, true
		}
	}
	return argument, ok
}
