package flow

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file gives paths to SSA values and versions to loads.

func (b *builder) intern(n pathNode) PathID {
	if id, ok := b.made[n]; ok {
		return id
	}
	id := PathID(len(b.paths))
	b.paths = append(b.paths, n)
	b.made[n] = id
	return id
}

// path returns the path of what v holds.
func (b *builder) path(v ssa.Value) PathID {
	if v == nil {
		return 0
	}
	if id, ok := b.known[v]; ok {
		return id // 0 while it is being computed
	}
	b.known[v] = 0
	id := b.pathOf(v)
	b.known[v] = id
	return id
}

func (b *builder) pathOf(v ssa.Value) PathID {
	switch v := v.(type) {
	case *ssa.Parameter:
		for i, p := range b.ir.SSA.Params {
			if p == v {
				return b.intern(pathNode{kind: pathParam, n: int32(i)})
			}
		}
	case *ssa.FreeVar:
		for i, p := range b.ir.SSA.FreeVars {
			if p == v {
				return b.intern(pathNode{kind: pathFree, n: int32(i)})
			}
		}
	case *ssa.Global:
		return b.intern(pathNode{kind: pathGlobal, name: v.String()})
	case *ssa.Const:
		if v.Value == nil {
			return b.intern(pathNode{kind: pathConst, name: "nil"})
		}
		return b.intern(pathNode{kind: pathConst, name: v.Value.ExactString()})
	case *ssa.ChangeType:
		return b.path(v.X)
	case *ssa.MakeInterface:
		return b.path(v.X)
	case *ssa.ChangeInterface:
		return b.path(v.X)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return b.path(v.X)
		}
	case *ssa.Extract:
		// The pointer in an interface, or nil, which reaches nothing.
		switch t := v.Tuple.(type) {
		case *ssa.TypeAssert:
			if v.Index == 0 && pointer(v.Type()) {
				return b.path(t.X)
			}
		case *ssa.Lookup:
			if v.Index == 0 {
				return b.lookedUp(t, t.X, t.Index)
			}
		case *ssa.Next:
			if r, ok := t.Iter.(*ssa.Range); ok && v.Index == 2 {
				return b.lookedUp(t, r.X, nil)
			}
		}
	case *ssa.Lookup:
		if !v.CommaOk {
			return b.lookedUp(v, v.X, v.Index)
		}
	case *ssa.Convert:
		if ssair.IsInteger(v.Type()) && ssair.IsInteger(v.X.Type()) {
			return b.path(v.X)
		}
	case *ssa.FieldAddr:
		if base := b.path(v.X); base > 0 {
			return b.intern(pathNode{kind: pathField, base: base, n: int32(v.Field), name: fieldName(v.X.Type(), v.Field)})
		}
	case *ssa.Slice:
		if v.Low == nil { // same base, same indices
			base := b.path(v.X)
			if _, array := ssair.Under(v.X.Type()).(*types.Pointer); base > 0 && v.High != nil && !array {
				return b.intern(pathNode{kind: pathHead, base: base, at: b.ir.Num(v)})
			}
			return base
		}
		if base := b.path(v.X); base > 0 {
			return b.intern(pathNode{kind: pathPart, base: base, at: b.ir.Num(v)})
		}
	case *ssa.Phi:
		base := b.foundOrMade(v)
		if base <= 0 {
			base = b.grownFrom(v)
		}
		if base > 0 {
			return b.intern(pathNode{kind: pathFound, base: base, at: b.ir.Num(v), name: valueName(v)})
		}
		if base := b.path(onePart(v)); base > 0 {
			return b.intern(pathNode{kind: pathPart, base: base, at: b.ir.Num(v), name: valueName(v)})
		}
	case *ssa.IndexAddr:
		base, i := b.path(v.X), b.path(v.Index)
		if base > 0 && i > 0 {
			return b.intern(pathNode{kind: pathElem, base: base, idx: i})
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return b.load(v)
		}
	case *ssa.Call:
		if bi, ok := v.Call.Value.(*ssa.Builtin); ok && len(v.Call.Args) > 0 {
			base := b.path(v.Call.Args[0])
			switch {
			case base <= 0:
			case bi.Name() == "len":
				return b.intern(pathNode{kind: pathLen, base: base})
			case bi.Name() == "cap" && isChan(v.Call.Args[0].Type()):
				return b.intern(pathNode{kind: pathCap, base: base})
			case bi.Name() == "ssa:wrapnilchk": // of a method of a value, by a pointer
				return base
			case bi.Name() == "append": // the same array, or one that is new
				return b.intern(pathNode{kind: pathPart, base: base, at: b.ir.Num(v)})
			}
		}
	}
	if in, ok := v.(ssa.Instruction); ok && in.Parent() == b.ir.SSA {
		return b.intern(pathNode{kind: pathValue, at: b.ir.Num(in), name: valueName(v)})
	}
	return 0
}

// valueName is a source name for v where it has one.
func valueName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Alloc:
		switch v.Comment {
		case "complit", "slicelit", "new", "makeslice", "varargs":
			return "" // what kind of expression made it: the source has no name for it
		}
		return v.Comment
	case *ssa.Phi:
		return v.Comment
	}
	return ""
}

func isChan(t types.Type) bool {
	_, ok := ssair.Under(t).(*types.Chan)
	return ok
}

func fieldName(t types.Type, i int) string {
	if p, ok := ssair.Under(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := ssair.Under(t).(*types.Struct); ok && i < s.NumFields() {
		return s.Field(i).Name()
	}
	return "?"
}

// load returns the path of a loaded value: of what a variable assigned once
// holds, or of the memory at the address in its version.
func (b *builder) load(v *ssa.UnOp) PathID {
	addr := b.path(v.X)
	if addr <= 0 {
		return b.intern(pathNode{kind: pathValue, at: b.ir.Num(v)})
	}
	if cell, ok := ssair.AssignedOnce(v.X); ok && !storedByClosure(v.X, cell) && (cell == nil || b.heldBy(cell, v)) {
		if cell != nil && cell.Parent() == b.ir.SSA {
			// Its one store; before it the cell holds zero, and a nil
			// pointer guards and reaches nothing.
			if val := b.path(cell.Val); val > 0 && sameRound(b.ir, cell, v.Block()) {
				return val
			}
		}
		if b.itself(v.X, cell) {
			return b.intern(pathNode{kind: pathSelf, n: int32(len(b.ir.SSA.FreeVars))})
		}
		return b.intern(pathNode{kind: pathLoad, base: addr, at: versionStable})
	}
	if fa, ok := v.X.(*ssa.FieldAddr); ok && isCond(fa.X.Type()) {
		// The lock of a sync.Cond is set when the Cond is made, and stays.
		return b.intern(pathNode{kind: pathLoad, base: addr, at: versionStable})
	}
	ver := b.version(v)
	if a, ok := v.X.(*ssa.Alloc); ok && ver <= versionBlock && pointer(v.Type()) && ownVariable(a) {
		b.mergeCell(a, addr, ver)
	}
	id := b.intern(pathNode{kind: pathLoad, base: addr, at: ver})
	if b.loads == nil {
		b.loads = make(map[PathID]ssair.Instr)
	}
	if at, ok := b.loads[id]; !ok || b.ir.Num(v) < at {
		b.loads[id] = b.ir.Num(v)
	}
	return id
}

// itself reports whether a captured variable, which is assigned once, holds the very
// closure that has captured it: it is declared and set in one go, and no round of a loop
// can set it again.
func (b *builder) itself(v ssa.Value, st *ssa.Store) bool {
	free, ok := v.(*ssa.FreeVar)
	if !ok || st == nil {
		return false
	}
	cl, ok := st.Val.(*ssa.MakeClosure)
	cell, isAlloc := ssair.Binding(free).(*ssa.Alloc)
	return ok && cl.Fn == b.ir.SSA && isAlloc && st.Addr == cell && cell.Block() == st.Block()
}

// lookedUp returns the path of what an instruction finds in a map, under a key
// where that is known: another version each time.
func (b *builder) lookedUp(at ssa.Value, m, key ssa.Value) PathID {
	n := b.ir.Num(at.(ssa.Instruction))
	found := b.intern(pathNode{kind: pathValue, at: n})
	if !ssair.IsMap(m.Type()) {
		return found
	}
	base, k := b.path(m), found
	if key != nil {
		if p := b.path(key); p > 0 {
			k = p
		}
	}
	if base <= 0 {
		return found
	}
	return b.intern(pathNode{kind: pathLoad, base: b.intern(pathNode{kind: pathElem, base: base, idx: k}), at: n})
}

// foundOrMade returns the path of what a phi finds in memory, where it is otherwise
// what has just been put there:
//
//	w := s.windows[ip]
//	if w == nil {
//		w = new(window)
//		s.windows[ip] = w
//	}
func (b *builder) foundOrMade(phi *ssa.Phi) PathID {
	if len(phi.Edges) != 2 || !pointer(phi.Type()) && !reference(phi.Type()) {
		return 0
	}
	for i, old := range phi.Edges {
		from := phi.Block().Preds[1-i]
		if phi.Block().Dominates(from) || phi.Block().Dominates(phi.Block().Preds[i]) {
			return 0 // the head of a loop
		}
		p := b.path(old)
		if p > 0 && b.paths[p].kind == pathLoad && b.putAt(phi.Edges[1-i], b.paths[p].base, from) {
			return p
		}
	}
	return 0
}

// reference reports whether values of a type lead to memory that each of them shares.
func reference(t types.Type) bool {
	switch ssair.Under(t).(type) {
	case *types.Map, *types.Chan, *types.Slice:
		return true
	}
	return false
}

// grownFrom returns the path of the slice with which a loop begins that goes on with
// what append makes of it.
func (b *builder) grownFrom(phi *ssa.Phi) PathID {
	if !ssair.IsSlice(phi.Type()) {
		return 0
	}
	var first ssa.Value
	rounds := false
	for i, e := range phi.Edges {
		switch {
		case !phi.Block().Dominates(phi.Block().Preds[i]):
			if first != nil {
				return 0
			}
			first = e
		case !grows(e, phi, 8):
			return 0
		default:
			rounds = true
		}
	}
	if first == nil || !rounds {
		return 0
	}
	return b.path(first)
}

// grows reports whether a value is a phi, or what appends make of it on some ways.
func grows(v ssa.Value, phi *ssa.Phi, depth int) bool {
	if v == phi || depth == 0 {
		return v == phi
	}
	switch v := v.(type) {
	case *ssa.Slice:
		return grows(v.X, phi, depth-1)
	case *ssa.Call:
		return ssair.IsBuiltin(v, "append") && grows(v.Call.Args[0], phi, depth-1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !grows(e, phi, depth-1) })
	}
	return false
}

// onePart returns the slice of which a phi is the whole or a part, whichever way control has come, or nil:
//
//	if n := copy(d.rest, p); n > 0 {
//		p = p[n:]
//	}
func onePart(phi *ssa.Phi) ssa.Value {
	if !ssair.IsSlice(phi.Type()) {
		return nil
	}
	var whole ssa.Value
	for i, e := range phi.Edges {
		if phi.Block().Dominates(phi.Block().Preds[i]) {
			return nil // the head of a loop
		}
		for {
			s, ok := e.(*ssa.Slice)
			if !ok || !ssair.IsSlice(s.X.Type()) {
				break
			}
			e = s.X
		}
		if whole != nil && e != whole {
			return nil
		}
		whole = e
	}
	return whole
}

// putAt reports whether a value has been stored at an address on all ways to a block.
func (b *builder) putAt(v ssa.Value, addr PathID, at *ssa.BasicBlock) bool {
	if v.Referrers() == nil {
		return false
	}
	to := b.paths[addr]
	for _, r := range *v.Referrers() {
		if !r.Block().Dominates(at) {
			continue
		}
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Value == v && to.kind == pathElem && b.path(r.Key) == to.idx && b.Path(b.path(r.Map)).Loose() == b.Path(to.base).Loose() {
				return true
			}
		case *ssa.Store:
			if r.Val == v && b.path(r.Addr) == addr {
				return true
			}
		}
	}
	return false
}

// storedByClosure reports whether the variable at addr belongs to another
// function than its store: a closure may run many times, and find there what
// another run has stored.
func storedByClosure(addr ssa.Value, st *ssa.Store) bool {
	for range 8 {
		fv, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		addr = ssair.Binding(fv)
	}
	a, ok := addr.(*ssa.Alloc)
	return st != nil && (!ok || a.Parent() != st.Parent())
}

func isCond(t types.Type) bool {
	p, ok := ssair.Under(t).(*types.Pointer)
	return ok && p.Elem().String() == "sync.Cond"
}

// cell notes what a captured variable holds, if one store of this function
// alone writes it, once for each one that is made, and reports whether that is so.
func (b *builder) cell(a *ssa.Alloc) bool {
	st, ok := ssair.AssignedOnce(a)
	if !ok || st.Parent() != b.ir.SSA || !ssair.StoredOnce(st) {
		return false
	}
	if addr, val := b.path(a), b.path(st.Val); addr > 0 && val > 0 {
		b.cells = append(b.cells, cellValue{addr, val})
	}
	return true
}

// heldBy reports whether a load of a variable with one store finds what that has stored and no other run of it: in
// a closure, if it runs once for each variable; in the function of the store, also if each round stores first.
func (b *builder) heldBy(st *ssa.Store, ld *ssa.UnOp) bool {
	switch {
	case ssair.StoredOnce(st):
		return true
	case st.Parent() != b.ir.SSA:
		return false
	case st.Block() == ld.Block():
		return b.ir.Num(st) < b.ir.Num(ld)
	}
	return st.Block().Dominates(ld.Block())
}

// sameRound reports whether no loop around the store leaves out a block, so
// that what is loaded there is what was stored in the same round.
func sameRound(ir *ssair.Func, st *ssa.Store, in *ssa.BasicBlock) bool {
	l := ir.Innermost(st.Block())
	return l == nil || l.Contains(in)
}
