package pta

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds what is taken out of a list by hand:
//
//	x := p.free[n-1]
//	p.free = p.free[:n-1]
//
// or x := q.head; q.head = x.next, or x := m[k]; delete(m, k), where k may be what a range over m has
// found, too; of rings, see ring.go. Out of the middle of a list it is taken by slices.Delete, or
// append(list[:i], list[i+1:]...). Whoever takes it is
// the only one who has it from there, until it is put back (soundness: tenure).
//
// A list may also be taken as a whole:
//
//	xs := p.queue
//	p.queue = nil
//
// Who finds it there under the lock under which it is taken is done with it by then, or
// finds another one.
//
// Only fields that no other package can set are looked at, and only if nothing but new
// lists and what is left of the old one is stored there.

// The Arg of an OpLoad.
const (
	takenLoad  = 1 // of what is taken out of a list
	takenWhole = 2 // of a list, a map or an object that is taken away
)

// takes returns takenLoad if the function of a load removes what it has loaded, with
// nothing called in between: a lock that is held stays held.
func (p *Program) takes(in *ssa.UnOp) int32 {
	if p.takesElement(in) {
		return takenLoad
	}
	var list ssa.Value
	switch from := in.X.(type) {
	case *ssa.IndexAddr:
		ld, ok := from.X.(*ssa.UnOp)
		if !ok {
			return 0
		}
		list = ld.X
	case *ssa.FieldAddr:
		list = from
	default:
		return 0
	}
	stores := func(removes func(*ssa.Store) bool) func(ssa.Instruction) bool {
		return func(i ssa.Instruction) bool {
			st, ok := i.(*ssa.Store)
			return ok && sameAddr(list, st.Addr) && removes(st)
		}
	}
	switch {
	case p.removedAfter(in, stores(func(st *ssa.Store) bool { return removes(st, in) })) && p.keepsList(list), p.takesSlot(in, list):
		return takenLoad
	case list == in.X && p.emptiedIn(in.Parent(), list) && p.removedAfter(in, stores(p.empties)) && p.keepsList(list):
		return takenWhole
	}
	return 0
}

// takesElement is takes for what an element of a container/list holds that is removed from its list where it has been
// found there, and for what Remove returns (soundness: tenure).
//
//	e := q.list.Front()
//	q.list.Remove(e)
//	x := e.Value
func (p *Program) takesElement(in *ssa.UnOp) bool {
	f, ok := in.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	if v := fieldOf(f); v == nil || v.Name() != "Value" || v.Pkg() == nil || v.Pkg().Path() != "container/list" {
		return false
	}
	if libraryName(in.Parent()) == "(*container/list.List).Remove" {
		return true
	}
	found, ok := f.X.(*ssa.Call)
	if !ok || !isListMethod(found, "Front", "Back") {
		return false
	}
	return p.removedAfter(found, func(i ssa.Instruction) bool {
		c, ok := i.(*ssa.Call)
		return ok && isListMethod(c, "Remove") && c.Call.Args[1] == ssa.Value(found)
	})
}

// isListMethod reports whether a call is of a method of a container/list.List, one of some or, where none is named, of any.
func isListMethod(c *ssa.Call, names ...string) bool {
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	name, ok := strings.CutPrefix(libraryName(fn), "(*container/list.List).")
	return ok && (len(names) == 0 || slices.Contains(names, name))
}

// emptiedIn reports whether a function empties the field at an address: few do.
func (p *Program) emptiedIn(fn *ssa.Function, addr ssa.Value) bool {
	if p.sites == nil {
		p.countSites()
	}
	return slices.ContainsFunc(p.fieldStores[fieldOf(addr)], func(st *ssa.Store) bool { return st.Parent() == fn && p.empties(st) })
}

// empties reports whether a store puts nothing, or something new, in place of what was
// there.
func (p *Program) empties(st *ssa.Store) bool {
	c, ok := st.Val.(*ssa.Const)
	return ok && c.Value == nil || p.isNew(st.Val, nil, freshDepth)
}

// takesKey is takes for what is looked up in a map.
func (p *Program) takesKey(in *ssa.Lookup) int32 {
	m, ok := in.X.(*ssa.UnOp)
	if !ok {
		return 0
	}
	return p.takesFrom(m, in, func(key ssa.Value) bool { return sameExpr(key, in.Index, freshDepth) })
}

// takesStep is takes for what a range over a map yields.
func (p *Program) takesStep(in *ssa.Next) int32 {
	m, ok := in.Iter.(*ssa.Range).X.(*ssa.UnOp)
	if !ok {
		return 0
	}
	return p.takesFrom(m, in, func(key ssa.Value) bool {
		x, ok := key.(*ssa.Extract)
		return ok && x.Tuple == ssa.Value(in) && x.Index == 1
	})
}

// takesFrom is takes for what a load yields of the map that m loads, if a key is that of it.
func (p *Program) takesFrom(m *ssa.UnOp, load ssa.Instruction, isKey func(ssa.Value) bool) int32 {
	removing := func(i ssa.Instruction) bool {
		c, ok := i.(*ssa.Call)
		return ok && ssair.IsBuiltin(c, "delete") && sameExpr(c.Call.Args[0], m, freshDepth) && isKey(c.Call.Args[1])
	}
	if !p.removedAfter(load, removing) || !p.keepsList(m.X) {
		return 0
	}
	return takenLoad
}

// removedAfter reports whether what a load yields is removed after it, before any
// other code runs, and not used where it is not removed but for comparing it.
func (p *Program) removedAfter(load ssa.Instruction, removing func(ssa.Instruction) bool) bool {
	var at *ssa.BasicBlock
	for _, b := range load.Parent().Blocks {
		if b == load.Block() || load.Block().Dominates(b) {
			if slices.ContainsFunc(b.Instrs, removing) {
				if at != nil {
					return false
				}
				at = b
			}
		}
	}
	if at == nil {
		return false
	}
	leads := leadsTo(at)
	for _, b := range load.Parent().Blocks {
		from := 0
		switch {
		case b == load.Block():
			from = slices.Index(b.Instrs, load)
		case !load.Block().Dominates(b) || b != at && at.Dominates(b) || !leads[b.Index]:
			continue
		}
		for _, i := range b.Instrs[from:] {
			if removing(i) {
				break
			}
			if p.calls(i) {
				return false
			}
		}
	}
	return usedIn(load.(ssa.Value), at, leads)
}

// leadsTo tells, by block, from where control may come to one.
func leadsTo(at *ssa.BasicBlock) []bool {
	leads := make([]bool, len(at.Parent().Blocks))
	leads[at.Index] = true
	for work := []*ssa.BasicBlock{at}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range b.Preds {
			if !leads[p.Index] {
				leads[p.Index] = true
				work = append(work, p)
			}
		}
	}
	return leads
}

// usedIn reports whether what a load yields is used in a block or behind it alone, but for comparing
// it, or, of what lies in a map, for what it has in its fields, before: where control leads to the block.
func usedIn(v ssa.Value, at *ssa.BasicBlock, leads []bool) bool {
	_, element := v.(*ssa.Extract)
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp, *ssa.DebugRef:
			continue
		case *ssa.Extract:
			if key := keyOf(r); !key && !usedIn(r, at, leads) {
				return false
			}
			continue
		case *ssa.FieldAddr:
			if element && onlyLoaded(r, leads) {
				continue
			}
		case *ssa.Phi:
			if fromBehind(r, v, at) {
				continue // it is nil, or another one, where this was not taken
			}
		case *ssa.Call:
			if ssair.IsBuiltin(r, "len") {
				continue
			}
		case *ssa.Store:
			if x, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v && keptIn(x, at, leads) {
				continue
			}
		}
		if r.Block() != at && !at.Dominates(r.Block()) {
			return false
		}
	}
	return true
}

// fromBehind reports whether a phi has a value only where control has come by a block.
func fromBehind(phi *ssa.Phi, v ssa.Value, at *ssa.BasicBlock) bool {
	for i, e := range phi.Edges {
		if b := phi.Block().Preds[i]; e == v && b != at && !at.Dominates(b) {
			return false
		}
	}
	return true
}

// keptIn is usedIn for what a variable holds that is assigned to once.
func keptIn(x *ssa.Alloc, at *ssa.BasicBlock, leads []bool) bool {
	if _, once := ssair.AssignedOnce(x); !once {
		return false
	}
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.Store, *ssa.DebugRef:
			continue
		case *ssa.UnOp:
			if usedIn(r, at, leads) {
				continue
			}
		}
		if r.Block() != at && !at.Dominates(r.Block()) {
			return false
		}
	}
	return true
}

// keyOf reports whether an extracted value says which element a load from a map has found, or
// whether there is one.
func keyOf(e *ssa.Extract) bool {
	if _, ok := e.Tuple.(*ssa.Next); ok {
		return e.Index < 2
	}
	return e.Index > 0
}

// onlyLoaded reports whether a field is read, in some blocks, by all that is done with its address.
func onlyLoaded(a *ssa.FieldAddr, in []bool) bool {
	return !slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.UnOp:
			return r.Op != token.MUL || !in[r.Block().Index]
		}
		return true
	})
}

// calls reports whether an instruction runs other code, which may release a lock.
func (p *Program) calls(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Call:
		_, builtin := in.Call.Value.(*ssa.Builtin)
		return !builtin && !p.aside(&in.Call) && !isSlicesDelete(in) && !isListMethod(in)
	case *ssa.Send, *ssa.Select, *ssa.Go:
		return true
	case *ssa.UnOp:
		return in.Op == token.ARROW
	}
	return false
}

// aside reports whether a call is of a library's function that is given values only, none of them a function, as
// t.Before(u) is: it gives back no lock of the caller's (soundness: tenure).
func (p *Program) aside(c *ssa.CallCommon) bool {
	fn := c.StaticCallee()
	if fn == nil || fn.Pkg == nil || p.Application(fn.Pkg.Pkg.Path()) {
		return false
	}
	value := func(v *types.Var) bool {
		switch ssair.Under(v.Type()).(type) {
		case *types.Basic, *types.Struct:
			return !holdsFunc(v.Type(), typeDepth)
		}
		return false
	}
	for i := range fn.Signature.Params().Len() {
		if !value(fn.Signature.Params().At(i)) {
			return false
		}
	}
	return fn.Signature.Recv() == nil || value(fn.Signature.Recv())
}

// removes reports whether a store makes a list begin behind, or end before, what a
// load has yielded.
func removes(st *ssa.Store, load *ssa.UnOp) bool {
	switch from := load.X.(type) {
	case *ssa.IndexAddr:
		if list, at := deletes(st.Val); list != nil {
			return sameExpr(list, from.X, freshDepth) && sameExpr(at, from.Index, freshDepth)
		}
		cut, ok := st.Val.(*ssa.Slice)
		if !ok || !sameExpr(cut.X, from.X, freshDepth) {
			return false
		}
		if cut.Low == nil {
			return cut.High != nil && sameExpr(cut.High, from.Index, freshDepth)
		}
		return constIs(cut.Low, 1) && constIs(from.Index, 0)
	case *ssa.FieldAddr:
		return nextOf(st.Val, load)
	}
	return false
}

// deletes returns from which list a value leaves out one element, and at which index: slices.Delete(list, i, i+1), or
// append(list[:i], list[i+1:]...); nil if it is none such.
func deletes(v ssa.Value) (list, at ssa.Value) {
	c, ok := v.(*ssa.Call)
	switch {
	case !ok:
	case isSlicesDelete(c):
		if args := c.Call.Args; isNext(args[2], args[1]) {
			return args[0], args[1]
		}
	case ssair.IsBuiltin(c, "append"):
		head, ok := c.Call.Args[0].(*ssa.Slice)
		tail, ok2 := c.Call.Args[1].(*ssa.Slice)
		if ok && ok2 && head.Low == nil && head.High != nil && tail.Low != nil && tail.High == nil && isNext(tail.Low, head.High) &&
			sameExpr(head.X, tail.X, freshDepth) {
			return head.X, head.High
		}
	}
	return nil, nil
}

// isSlicesDelete reports whether a call is one of slices.Delete.
func isSlicesDelete(c *ssa.Call) bool {
	fn := c.Call.StaticCallee()
	return fn != nil && libraryName(fn) == "slices.Delete"
}

// isNext reports whether a value is another one and one more.
func isNext(v, of ssa.Value) bool {
	if n, ok := of.(*ssa.Const); ok {
		return constIs(v, n.Int64()+1)
	}
	sum, ok := v.(*ssa.BinOp)
	return ok && sum.Op == token.ADD && constIs(sum.Y, 1) && sameExpr(sum.X, of, freshDepth)
}

// nextOf reports whether a value is loaded from a field of what a load yields.
func nextOf(v ssa.Value, load ssa.Value) bool {
	next, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	a, ok := next.X.(*ssa.FieldAddr)
	return ok && sameExpr(a.X, load, freshDepth)
}

// noteFieldStore lists a store to a field that only its own package can set.
func (p *Program) noteFieldStore(st *ssa.Store) {
	if f := fieldOf(st.Addr); f != nil && !f.Exported() {
		if p.fieldStores == nil {
			p.fieldStores = make(map[*types.Var][]*ssa.Store)
		}
		p.fieldStores[f] = append(p.fieldStores[f], st)
	}
}

func fieldOf(addr ssa.Value) *types.Var {
	a, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	s, ok := ssair.Under(deref(a.X.Type())).(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(a.Field).Origin()
}

// keepsList reports whether all that is stored to a list's field is new, nothing,
// what the list has been grown or cut to, or another first element.
func (p *Program) keepsList(addr ssa.Value) bool {
	f := fieldOf(addr)
	if f == nil || f.Exported() {
		return false
	}
	if p.sites == nil {
		p.countSites()
	}
	for _, st := range p.fieldStores[f] {
		if !p.isNew(st.Val, nil, freshDepth) && !p.ofField(st.Val, f, nil, freshDepth) {
			return false
		}
	}
	return true
}

// ofField reports whether a value is what a field holds, cut, grown or followed, or a
// parameter that is not a list itself. What a loop keeps of a list is, too:
//
//	keep := p.free[:0]
//	for _, x := range p.free {
//		if x.used() {
//			keep = append(keep, x)
//		}
//	}
//	p.free = keep
//
// Of the phis by which such a value comes around, the outer ones are taken to be right.
func (p *Program) ofField(v ssa.Value, f *types.Var, outer []*ssa.Phi, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		if slices.Contains(outer, v) {
			return true
		}
		outer = append(slices.Clip(outer), v)
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool {
			return !p.ofField(e, f, outer, depth-1) && !p.isNew(e, nil, depth-1)
		})
	case *ssa.Parameter:
		_, ok := ssair.Under(v.Type()).(*types.Pointer)
		return ok
	case *ssa.Slice:
		return p.ofField(v.X, f, outer, depth-1)
	case *ssa.Call:
		return (ssair.IsBuiltin(v, "append") || isSlicesDelete(v)) && p.ofField(v.Call.Args[0], f, outer, depth-1)
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.FieldAddr)
		if !ok || fieldOf(a) == f {
			return ok
		}
		first, ok := a.X.(*ssa.UnOp)
		return ok && p.ofField(first, f, outer, depth-1)
	}
	return false
}

// sameExpr reports whether two values are computed in the same way. What happens
// between is not looked at: it is a matter of a list that is held under a lock.
func sameExpr(a, b ssa.Value, depth int) bool {
	if a == b {
		return true
	}
	if depth == 0 {
		return false
	}
	switch a := a.(type) {
	case *ssa.Const:
		b, ok := b.(*ssa.Const)
		return ok && a.Value != nil && b.Value != nil && constant.Compare(a.Value, token.EQL, b.Value)
	case *ssa.BinOp:
		b, ok := b.(*ssa.BinOp)
		return ok && a.Op == b.Op && sameExpr(a.X, b.X, depth-1) && sameExpr(a.Y, b.Y, depth-1)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == b.Op && (sameAddr(a.X, b.X) || sameExpr(a.X, b.X, depth-1))
	case *ssa.Call:
		b, ok := b.(*ssa.Call)
		return ok && ssair.IsBuiltin(a, "len") && ssair.IsBuiltin(b, "len") && sameExpr(a.Call.Args[0], b.Call.Args[0], depth-1)
	}
	return false
}

func constIs(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == n
}
