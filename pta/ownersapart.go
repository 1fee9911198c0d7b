package pta

import "github.com/iterace/iterace/model"

// This file follows the object of a race up to its owners, and asks whether these
// are different ones: what each job keeps to itself, two workers do not share if
// they have taken two jobs out of a list.

// An Owner is an object that keeps the object of a race, or another owner of it,
// to itself.
type Owner struct {
	v   *View
	obj int32
}

// Many reports whether the owner stands for many objects.
func (o Owner) Many() bool { return o.v.ov.manyObject(o.obj) }

// StoredOnce is View.StoredOnce for the owner.
func (o Owner) StoredOnce(load Site) bool { return o.v.fillingOf(load, o.obj).filledOnce() }

// StoredAgain is View.StoredAgain for the owner.
func (o Owner) StoredAgain(load Site) bool { return o.v.fillingOf(load, o.obj).again }

// OwnersApart reports whether the accesses of a race get at its object only
// through owners that are different. An owner keeps an object to itself if each
// store puts a new one there, see sole; whether two are different apart decides,
// by the chains to the loads of elements from which the sides have their pointers to
// them.
func (v *View) OwnersApart(r *model.Race, apart func(o Owner, xs, ys []Chain) bool) bool {
	obj, ok := v.describedBase(r.Object)
	if !ok || r.A.Index < 0 || r.B.Index < 0 || r.A.Thread == model.Main || r.B.Thread == model.Main {
		return false
	}
	a, b := v.accessOf(r.A), v.accessOf(r.B)
	if (a.Flags|b.Flags)&FlagDeep != 0 {
		return false
	}
	c := &comparison{v: v, seen: make(map[ownerPair]bool)}
	return c.apart(obj, point{InstID(r.A.Inst), a.Node}, point{InstID(r.B.Inst), b.Node}, maxOwners, func(k ownerPair) bool {
		xs, ok := v.originsAt(k.a, k.obj, r.A.Thread)
		if !ok {
			return false
		}
		ys, ok := v.originsAt(k.b, k.obj, r.B.Thread)
		return ok && apart(Owner{v, k.obj}, xs, ys)
	})
}

// apart reports whether the pointers to an object at two points are never those of
// one concrete object, because it has owners that settled says are different.
func (c *comparison) apart(obj int32, a, b point, depth int, settled func(ownerPair) bool) bool {
	xs, ok := c.v.ways(a, obj)
	if !ok || depth == 0 {
		return false
	}
	ys, ok := c.v.ways(b, obj)
	if !ok {
		return false
	}
	for i := range xs {
		for k := range ys {
			if c.asked++; c.asked > maxAsked || !c.ownersApart(obj, &xs[i], &ys[k], depth, settled) {
				return false
			}
		}
	}
	return len(xs) > 0 && len(ys) > 0
}

func (c *comparison) ownersApart(obj int32, x, y *Way, depth int, settled func(ownerPair) bool) bool {
	if len(x.cells) == 0 || len(y.cells) == 0 || !c.v.sole(obj, x.cells) || !c.v.sole(obj, y.cells) {
		return false
	}
	for _, owner := range c.v.commonOwners(x, y) {
		k := ownerPair{owner, x.from, y.from}
		if c.seen[k] {
			return false
		}
		c.seen[k] = true
		ok := settled(k) || c.apart(owner, x.from, y.from, depth-1, settled)
		delete(c.seen, k)
		if !ok {
			return false
		}
	}
	return true
}

// originsAt returns the chains to the loads of elements from which a side has the
// pointer to an object that it has at a point, see Origins.
func (v *View) originsAt(p point, obj int32, t model.Thread) (out []Chain, ok bool) {
	fn := v.ov.inst(p.inst).fn
	for k := range fn.Accesses {
		a := &fn.Accesses[k]
		if a.Node != p.node || a.Root.Kind == RootNone || a.Root.Row {
			continue
		}
		chains, ok := v.Chains(t, Site{p.inst, a.At}, maxCarryChains)
		for _, c := range chains {
			x, found := v.Origin(c, int32(k))
			ok = ok && found
			out = append(out, x)
		}
		if ok {
			return out, true
		}
		break
	}
	return v.originsOf(v.carriedTo(p, obj, tag(t)), t)
}
