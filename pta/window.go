package pta

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file lowers sub-slices. A loop that cuts a slice into windows, one per
// round, hands each round its own part of the elements: the window is then a
// pointer to the side's part of the whole array, whatever the index inside it.
// What leaves the window again goes to any part.

// slice lowers dst = x[lo:hi:max].
func (l *lowerer) slice(in *ssa.Slice) {
	d, s := l.dst(in), l.val(in.X)
	if s == None || roomless(in) {
		return
	}
	if cuts(in) {
		l.f.Cut = append(l.f.Cut, s)
	}
	if ssair.IsSlice(in.X.Type()) {
		if in.High != nil && !withinLen(in.X, in.High) {
			l.f.Longer = append(l.f.Longer, s)
		}
		lay := l.p.types.layout(l.elem(in.X.Type()))
		if l.window(in) && splits(lay) {
			l.emit(Constraint{Op: OpElem, Dst: d, Src: s, Part: l.side, Off: lay.Len()})
			return
		}
		if in.High != nil && !withinLen(in.X, in.High) {
			l.widen(d, s, lay)
		}
	}
	l.shiftedBy(in, s)
	if d != None && cuts(in) {
		l.emit(Constraint{Op: OpCopy, Dst: d, Src: s, Arg: cutCopy})
		return
	}
	l.copyLeaves(d, s, 1)
}

// roomless reports whether a slice has no capacity, so that nothing is reached
// through it: x[:0:0], or of an array of no elements.
func roomless(in *ssa.Slice) bool {
	if n, ok := intValue(in.Max); ok && n == 0 {
		return true
	}
	p, ok := ssair.Under(in.X.Type()).(*types.Pointer)
	if !ok {
		return false
	}
	a, ok := ssair.Under(p.Elem()).(*types.Array)
	return ok && a.Len() == 0
}

// full reports whether a slice ends where its capacity does, x[:n:n], so that an
// append to it copies it.
func full(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return full(v.X)
	case *ssa.UnOp:
		if st, ok := ssair.AssignedBefore(v); ok {
			return full(st.Val)
		}
		return foundFull(v)
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return fn != nil && (isClip(fn) || givesFull(v.Parent(), fn))
	case *ssa.Slice:
		return v.Max != nil && (v.Max == v.High || sameLength(v.Max, v.High))
	}
	return false
}

func isClip(fn *ssa.Function) bool {
	o := ssair.Origin(fn)
	return o != nil && o.String() == "slices.Clip"
}

// givesFull reports whether all that a function returns, to another one of its package, is such a slice, cut
// where it is returned, or nil, as a getter's view of a list is: return l.all[:len(l.all):len(l.all)]. What
// another package's function returns its callers' templates may not depend on.
func givesFull(caller, fn *ssa.Function) bool {
	if fn.Signature.Results().Len() != 1 || pkgPath(fn) != pkgPath(caller) {
		return false
	}
	returns := 0
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if !isNil(ret.Results[0]) && !clipped(ret.Results[0]) {
			return false
		}
		returns++
	}
	return returns > 0
}

// clipped is full for what a function returns of its own.
func clipped(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.Alloc)
		return ok && resultCell(a) && !slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			return ok && !isNil(st.Val) && !loads(st.Val, a) && !clipped(st.Val)
		})
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return fn != nil && isClip(fn)
	case *ssa.Slice:
		return full(v)
	}
	return false
}

// emptied reports whether a slice has neither elements nor room for any, x[:0:0]: what is appended to it
// is new, and if that is nothing, there is nothing.
func emptied(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok || s.High == nil || s.Max == nil {
		return false
	}
	high, ok1 := intValue(s.High)
	limit, ok2 := intValue(s.Max)
	return ok1 && ok2 && high == 0 && limit == 0
}

// foundFull reports whether a closure loads a variable that nothing stores to after it was made, and that then holds
// such a slice, whatever was stored there before: parts = parts[:n:n].
func foundFull(v *ssa.UnOp) bool {
	fv, ok := v.X.(*ssa.FreeVar)
	if !ok || !ssair.IsSlice(v.Type()) {
		return false
	}
	cell, ok := ssair.Binding(fv).(*ssa.Alloc)
	if !ok {
		return false
	}
	maker := ssair.New(cell.Parent())
	var last []*ssa.Store
	for _, r := range *cell.Referrers() {
		mc, ok := r.(*ssa.MakeClosure)
		if !ok || mc.Fn != ssa.Value(fv.Parent()) {
			continue
		}
		if !maker.Settled(mc, cell) {
			return false
		}
		stores, _ := maker.Seen(mc, cell)
		last = append(last, stores...)
	}
	return len(last) > 0 && !slices.ContainsFunc(last, func(st *ssa.Store) bool { return !full(st.Val) })
}

// sameLength reports whether two bounds are the same constant, or the length of
// the same slice.
func sameLength(a, b ssa.Value) bool {
	m, ok1 := intValue(a)
	n, ok2 := intValue(b)
	if ok1 || ok2 {
		return ok1 && ok2 && m == n
	}
	x, ok1 := a.(*ssa.Call)
	y, ok2 := b.(*ssa.Call)
	if !ok1 || !ok2 || !ssair.IsBuiltin(x, "len") || !ssair.IsBuiltin(y, "len") {
		return false
	}
	return sameRead(x.Call.Args[0], y.Call.Args[0])
}

// sameRead reports whether two values are one, or loads of one variable between
// which nothing is stored, or parts of such.
func sameRead(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	if f, ok := a.(*ssa.FieldAddr); ok {
		g, ok := b.(*ssa.FieldAddr)
		return ok && f.Field == g.Field && sameRead(f.X, g.X)
	}
	x, ok1 := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	if !ok1 || !ok2 || x.Op != token.MUL || y.Op != token.MUL || x.Block() != y.Block() || !sameRead(x.X, y.X) {
		return false
	}
	between := false
	for _, in := range x.Block().Instrs {
		switch in := in.(type) {
		case *ssa.UnOp:
			if in == x || in == y {
				if between {
					return true
				}
				between = true
			}
		case *ssa.Store, *ssa.Send, *ssa.Select, *ssa.Defer, *ssa.Go, *ssa.MapUpdate, *ssa.RunDefers:
			if between {
				return false
			}
		case *ssa.Call:
			if _, builtin := in.Call.Value.(*ssa.Builtin); between && !builtin {
				return false
			}
		}
	}
	return false
}

func intValue(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(c.Value))
}

// widen lets d refer to any part of what s refers to a part of: a slice of x
// beyond its length, or an append to it, reaches what lies behind the window.
func (l *lowerer) widen(d, s Node, lay *Layout) {
	if d != None && s != None && lay.Ptr && splits(lay) {
		l.emit(Constraint{Op: OpElem, Dst: d, Src: s, Part: partWiden, Off: lay.Len()})
	}
}

// withinLen reports whether the bound of a sub-slice of x is at most len(x), as
// far as its form shows.
func withinLen(x, hi ssa.Value) bool {
	switch v := hi.(type) {
	case *ssa.Const:
		return v.Value != nil && constant.Sign(v.Value) == 0
	case *ssa.Call:
		switch {
		case ssair.IsBuiltin(v, "len"):
			return sameAddr(v.Call.Args[0], x)
		case ssair.IsBuiltin(v, "min"):
			for _, a := range v.Call.Args {
				if withinLen(x, a) {
					return true
				}
			}
		}
	case *ssa.BinOp:
		c, ok := v.Y.(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.Int || constant.Sign(c.Value) <= 0 {
			return false
		}
		return (v.Op == token.SUB || v.Op == token.QUO || v.Op == token.SHR) && withinLen(x, v.X)
	}
	return false
}

// window reports whether two rounds of the split loop cut out different
// elements, and nothing else in a round reaches the slice in another way; what
// is different is the index prover's answer (soundness: no-wrap,
// loop-terminates).
func (l *lowerer) window(in *ssa.Slice) bool {
	if l.loop == nil || in.Low == nil && in.High == nil || l.f.Index == nil {
		return false
	}
	if l.ir.Innermost(in.Block()) != l.loop.loop || !l.p.types.layout(l.elem(in.X.Type())).Ptr {
		return false
	}
	if yes, asked := l.windows[in]; asked {
		return yes
	}
	l.windows[in] = false // asked again by another window's question
	yes := l.apart(in, in) && l.onlyWindow(in)
	l.windows[in] = yes
	return yes
}

// apart reports whether what two instructions access is different in different
// rounds of the split loop.
func (l *lowerer) apart(a, b ssa.Instruction) bool {
	access := func(in ssa.Instruction) index.Access {
		return index.Access{Chain: []index.Step{{Fn: l.f.Index, At: l.ir.Num(in)}}}
	}
	v := index.NewProver(nil).Overlap(&index.Query{
		A: access(a), B: access(b), Loop: l.loop.loop.Index, Rounds: true, RowsMayAlias: true, Brief: true,
	})
	return v.Answer == index.Disjoint && !v.Weak()
}

// onlyWindow reports whether a round reaches elements of the slice that a
// window is cut from by this window only, or by others that no other round's
// meets. Of two windows that may meet it is enough that the later one goes to
// any part.
func (l *lowerer) onlyWindow(w *ssa.Slice) bool {
	base := l.filled(w.X)
	for _, b := range l.fn.Blocks {
		if !l.loop.loop.Contains(b) {
			continue
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Slice:
				if ssair.IsSlice(in.X.Type()) && l.ir.Num(in) < l.ir.Num(w) && base.meets(l.filled(in.X)) && l.window(in) && !l.apart(w, in) {
					return false
				}
			case *ssa.IndexAddr:
				if l.ownOf(in.Index).loop == l.loop && base.meets(l.filled(in.X)) && !l.apart(w, in) {
					return false
				}
			case *ssa.MakeClosure:
				for k, x := range in.Bindings {
					if base.has(x) && !onlyMeasured(in.Fn.(*ssa.Function).FreeVars[k]) {
						return false
					}
				}
			case ssa.CallInstruction:
				if _, builtin := in.Common().Value.(*ssa.Builtin); builtin {
					continue
				}
				for _, x := range in.Common().Args {
					if base.values[x] {
						return false // it may go to the element of its own index
					}
				}
			}
		}
	}
	return true
}

// has reports whether v is the slice, or a variable that held it.
func (f *filled) has(v ssa.Value) bool {
	for _, a := range f.addrs {
		if a == v {
			return true
		}
	}
	return f.values[v]
}

// onlyMeasured reports whether of a captured slice nothing but the length is
// used.
func onlyMeasured(fv *ssa.FreeVar) bool {
	for _, r := range *fv.Referrers() {
		ld, ok := r.(*ssa.UnOp)
		if !ok {
			return false
		}
		for _, u := range *ld.Referrers() {
			if c, ok := u.(*ssa.Call); !ok || !ssair.IsBuiltin(c, "len") {
				return false
			}
		}
	}
	return true
}
