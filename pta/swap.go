package pta

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/model"
)

// This file is about fields that change places:
//
//	p.front, p.back = p.back, p.front
//
// Together they hold what they held. If all else that is stored there is new memory, no two of
// them hold one and the same at any time. Who has looked there before may have what another
// one finds afterwards, so this counts only where both look while nobody sets the fields.

// A Swapping says what makes it that the accesses of a race go to one object all the same.
type Swapping struct {
	By     []Site // exchange fields beside the iterations
	Within []Site // do so in an iteration, or put something new there
	Loads  []Site // by these loads of the fields iterations have what they go to
}

// swaps reports whether a store is one half of such an exchange of two fields of one object.
func swaps(st *ssa.Store) bool {
	to, from, ld := moved(st)
	if ld == nil || to.Field == from.Field || !sameAddr(to.X, from.X) {
		return false
	}
	all := slices.DeleteFunc(slices.Clone(st.Block().Instrs), func(in ssa.Instruction) bool {
		switch in.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
			return true
		}
		return false
	})
	k := slices.Index(all, ssa.Instruction(st))
	for _, j := range []int{k - 1, k + 1} {
		if j < 0 || j >= len(all) {
			continue
		}
		other, ok := all[j].(*ssa.Store)
		if !ok {
			continue
		}
		x, y, back := moved(other)
		if back == nil || !sameAddr(x, from) || !sameAddr(y, to) {
			continue
		}
		last := min(j, k)
		first := last
		for first > 0 && onlyLoads(all[first-1]) {
			first--
		}
		return !slices.ContainsFunc([]ssa.Value{ld, back, to, x}, func(v ssa.Value) bool { return !loadedIn(v, all[first:last]) })
	}
	return false
}

func onlyLoads(in ssa.Instruction) bool {
	ld, ok := in.(*ssa.UnOp)
	return ok && ld.Op == token.MUL
}

// loadedIn reports whether all loads that lead to a value are among some instructions.
func loadedIn(v ssa.Value, window []ssa.Instruction) bool {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.UnOp:
			if !slices.Contains(window, ssa.Instruction(x)) {
				return false
			}
			v = x.X
		default:
			return true
		}
	}
}

// moved returns the fields from which and to which a store moves something, and the load of that;
// nil for other stores.
func moved(st *ssa.Store) (to, from *ssa.FieldAddr, ld *ssa.UnOp) {
	to, ok := st.Addr.(*ssa.FieldAddr)
	ld, ok2 := st.Val.(*ssa.UnOp)
	if !ok || !ok2 || ld.Op != token.MUL {
		return nil, nil, nil
	}
	if from, ok = ld.X.(*ssa.FieldAddr); !ok {
		return nil, nil, nil
	}
	return to, from, ld
}

// Swapped reports whether two iterations never have one object where the accesses of a race are,
// unless fields change places meanwhile.
func (v *View) Swapped(r *model.Race) (s *Swapping, ok bool) {
	if r.B.Thread != model.Beta || r.Other != nil || r.A.Index < 0 || r.B.Index < 0 || !v.res.swaps() {
		return nil, false
	}
	obj, ok := v.describedBase(r.Object)
	a, b := v.accessOf(r.A), v.accessOf(r.B)
	if !ok || (a.Flags|b.Flags)&FlagDeep != 0 {
		return nil, false
	}
	c := &comparison{v: v, seen: make(map[ownerPair]bool), swap: true}
	ms, ok := c.meetings(obj, point{InstID(r.A.Inst), a.Node}, point{InstID(r.B.Inst), b.Node}, maxOwners)
	if !ok || c.asked > maxAsked || len(c.swaps.By)+len(c.swaps.Within) == 0 || len(v.byFields(obj, r, ms)) > 0 {
		return nil, false
	}
	return &c.swaps, true
}

// swaps reports whether any fields of the program change places.
func (r *Result) swaps() bool {
	r.onces.swap.Do(func() {
		r.swap = slices.ContainsFunc(r.base.s.insts, func(in *instance) bool {
			return slices.ContainsFunc(in.fn.Facts, func(f StoreFact) bool { return f.Swap })
		})
	})
	return r.swap
}

// changePlaces reports whether what an iteration itself loads from some fields is in none but these, and
// what else the exchanges that it may have come by leave them with is.
func (c *comparison) changePlaces(obj int32, w *Way) bool {
	v, base := c.v, c.v.ov.base
	if in := v.ov.inst(w.load.inst); w.load.inst < v.ov.firstInst || in.ctx.tag == tagMain || in.spawner != nil || obj >= v.ov.firstObj {
		return false
	}
	var by []Site
	alike := func(p pred) bool {
		f := &base.inst(p.inst).fn.Facts[p.fact]
		if s := (Site{p.inst, f.At}); f.Swap && !slices.Contains(by, s) {
			by = append(by, s)
		}
		return f.Sole || f.Swap
	}
	var within []Site
	for _, y := range w.cells {
		if y = v.canonical(y); y >= v.ov.first {
			return false
		}
		o := base.object(base.ownerOf(y))
		if v.writes()[y].some {
			some, ok := v.WritersOf([]Loc{Loc(y)})
			if !ok || len(some) == 0 {
				return false
			}
			within = append(within, some...)
		}
		for i := range o.layout.Leaves {
			if o.layout.Leaves[i].Ptr && !v.storedBy(obj, o.loc+int32(i), alike) {
				return false
			}
		}
	}
	add := func(to *[]Site, s Site) {
		if !slices.Contains(*to, s) {
			*to = append(*to, s)
		}
	}
	for _, s := range by {
		add(&c.swaps.By, s)
	}
	for _, s := range within {
		add(&c.swaps.Within, s)
	}
	in := v.ov.inst(w.load.inst)
	for k := range in.fn.Accesses {
		if a := &in.fn.Accesses[k]; a.Node == w.load.node && a.Flags&FlagWrite == 0 {
			add(&c.swaps.Loads, Site{w.load.inst, a.At})
		}
	}
	return true
}
