package pta

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// RootKind says where a pointer comes from.
type RootKind uint8

// Kinds of root.
const (
	RootNone   RootKind = iota
	RootElem            // loaded from an element of an array, slice or map, by instruction At
	RootRecv            // received from a channel, operand K, by instruction At
	RootRound           // yielded by the step At of a range over a map
	RootParam           // parameter K
	RootFree            // content of captured variable K, or its value
	RootResult          // result K of the call At, or of another call of the same function; of a function that is called only
)

// A Root says where the pointer of an access or an argument comes from, as far
// as its own function tells. Where two iterations load it from different
// elements, they most likely work on different objects.
type Root struct {
	Kind RootKind
	Row  bool // of the slice that an access indexes, not of a pointer to its object
	K    int32
	At   ssair.Instr
}

const rootDepth = 8

// receivedFrom returns which case of a select its result of a number is received by.
func receivedFrom(sel *ssa.Select, result int) int32 {
	n := 2 // after the index of the case, and whether a value was received
	for k, st := range sel.States {
		if st.Dir == types.RecvOnly {
			if n == result {
				return int32(k)
			}
			n++
		}
	}
	return 0
}

// rootOf returns the root of a pointer.
func (l *lowerer) rootOf(v ssa.Value, depth int) Root {
	if depth == 0 {
		return Root{}
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		for k, p := range l.fn.Params {
			if p == v {
				return Root{Kind: RootParam, K: int32(k)}
			}
		}
	case *ssa.FreeVar:
		return Root{Kind: RootFree, K: int32(l.free[v])}
	case *ssa.FieldAddr:
		return l.rootOf(v.X, depth-1)
	case *ssa.Slice:
		return l.rootOf(v.X, depth-1)
	case *ssa.ChangeType:
		return l.rootOf(v.X, depth-1)
	case *ssa.ChangeInterface:
		return l.rootOf(v.X, depth-1)
	case *ssa.MakeInterface:
		return l.rootOf(v.X, depth-1)
	case *ssa.TypeAssert:
		return l.rootOf(v.X, depth-1)
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			return Root{Kind: RootRecv, At: l.ir.Num(v)}
		}
		if v.Op != token.MUL {
			return Root{}
		}
		if elemOf(v.X) {
			return Root{Kind: RootElem, At: l.ir.Num(v)}
		}
		// A variable, or a field of a variable that holds a copy of an element.
		switch a := stripFields(v.X).(type) {
		case *ssa.FreeVar:
			return l.rootOf(a, depth-1)
		case *ssa.Alloc:
			return l.rootOfCell(a, depth-1)
		}
	case *ssa.Field:
		return l.rootOf(v.X, depth-1)
	case *ssa.Lookup:
		if ssair.IsMap(v.X.Type()) {
			return Root{Kind: RootElem, At: l.ir.Num(v)}
		}
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			return l.rootOf(t, depth-1)
		}
		switch t := v.Tuple.(type) {
		case *ssa.TypeAssert:
			if v.Index == 0 {
				return l.rootOf(t, depth-1)
			}
		case *ssa.UnOp:
			return Root{Kind: RootRecv, At: l.ir.Num(t)}
		case *ssa.Select:
			return Root{Kind: RootRecv, At: l.ir.Num(t), K: receivedFrom(t, v.Index)}
		}
		if next, ok := v.Tuple.(*ssa.Next); ok && !next.IsString && v.Index == 2 && l.oneRange(next) {
			return Root{Kind: RootRound, At: l.ir.Num(next)}
		}
	}
	return Root{}
}

// rootOfCalled returns the root of a function value that is called; if that is loaded from a field of what a pointer leads to,
// the root of the pointer, and the load plus one, else 0.
func (l *lowerer) rootOfCalled(v ssa.Value) (root Root, through ssair.Instr) {
	if r := l.rootOfTaken(v); r.Kind != RootNone {
		return r, 0
	}
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return Root{}, 0
	}
	if a, variable := stripFields(ld.X).(*ssa.Alloc); variable {
		return l.rootOfTaken(a), 0
	}
	if fa, ok := ld.X.(*ssa.FieldAddr); ok {
		return l.rootOfTaken(fa.X), l.ir.Num(ld) + 1
	}
	return Root{}, 0
}

// rootOfTaken returns the root of a function value that is called, or of a pointer to what holds it.
func (l *lowerer) rootOfTaken(v ssa.Value) Root {
	if r := l.rootOf(v, rootDepth); r.Kind != RootNone {
		return r
	}
	if a, ok := v.(*ssa.Alloc); ok {
		if x := l.heldOnly(a); x != nil {
			return l.rootOfTaken(x) // a copy of what holds it
		}
		return Root{}
	}
	call, k := resultOf(v)
	if phi, ok := v.(*ssa.Phi); ok {
		// for f := q.pop(); f != nil; f = q.pop() { f() }
		call, k = resultOf(phi.Edges[0])
		for _, e := range phi.Edges {
			if other, n := resultOf(e); call == nil || other == nil || n != k || other.Call.StaticCallee() == nil || other.Call.StaticCallee() != call.Call.StaticCallee() {
				return Root{}
			}
		}
	}
	if call == nil {
		return Root{}
	}
	return Root{Kind: RootResult, At: l.ir.Num(call), K: int32(k)}
}

// resultOf returns the call, and which of its results, that yields a value; nil if none does.
func resultOf(v ssa.Value) (call *ssa.Call, k int) {
	if x, ok := v.(*ssa.Extract); ok {
		v, k = x.Tuple, x.Index
	}
	call, _ = v.(*ssa.Call)
	return call, k
}

// rootOfAccess returns the root of an address that is accessed, or of the slice
// that it is an element of.
func (l *lowerer) rootOfAccess(addr ssa.Value) Root {
	if x, ok := stripFields(addr).(*ssa.IndexAddr); ok {
		return l.rowRoot(x.X)
	}
	return l.rootOf(addr, rootDepth)
}

// rowRoot returns the root of a slice whose elements are accessed.
func (l *lowerer) rowRoot(s ssa.Value) Root {
	root := l.rootOf(s, rootDepth)
	root.Row = true
	return root
}

func stripFields(v ssa.Value) ssa.Value {
	for {
		fa, ok := v.(*ssa.FieldAddr)
		if !ok {
			return v
		}
		v = fa.X
	}
}

// elemOf reports whether an address lies in an element.
func elemOf(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			return true
		default:
			return false
		}
	}
}

// rootOfCell returns the root of a variable's content.
func (l *lowerer) rootOfCell(a *ssa.Alloc, depth int) Root {
	if x := l.heldOnly(a); x != nil {
		return l.rootOf(x, depth)
	}
	return Root{}
}

// heldOnly returns what a variable holds if it is stored once, by the function, and neither those that have
// captured it nor anybody else store it, or a pointer in a part of it, anew; nil otherwise.
func (l *lowerer) heldOnly(a *ssa.Alloc) ssa.Value {
	var stores []*ssa.Store
	if !l.onlyWhole(a, &stores, maxCellDepth) || len(stores) != 1 || stores[0].Parent() != l.fn {
		return nil
	}
	return stores[0].Val
}

// maxCellDepth bounds the fields, closures and calls through which the uses of a variable are followed.
const maxCellDepth = 6

// onlyWhole reports whether all uses of a variable are known, and pointers in it are stored with all of it
// only; it adds these stores.
func (l *lowerer) onlyWhole(cell ssa.Value, stores *[]*ssa.Store, depth int) bool {
	if depth == 0 || cell.Referrers() == nil {
		return false
	}
	within := func(v ssa.Value) bool {
		var parts []*ssa.Store
		return !l.p.types.layoutOf(deref(v.Type())).Ptr || l.onlyWhole(v, &parts, depth-1) && len(parts) == 0
	}
	for _, r := range *cell.Referrers() {
		ok := true
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if ok = r.Addr == cell && r.Val != cell; ok {
				*stores = append(*stores, r)
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			ok = within(r.(ssa.Value))
		case *ssa.MakeClosure:
			fn, _ := r.Fn.(*ssa.Function)
			for i, bound := range r.Bindings {
				ok = ok && (bound != cell || l.onlyWhole(fn.FreeVars[i], stores, depth-1))
			}
		case ssa.CallInstruction:
			fn := r.Common().StaticCallee()
			if ok = fn != nil && fn.Blocks != nil && len(r.Common().Args) == len(fn.Params); !ok {
				break
			}
			for i, arg := range r.Common().Args {
				ok = ok && (arg != cell || l.onlyWhole(fn.Params[i], stores, depth-1))
			}
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return true
}

// bound returns the root of what a closure captures: of a variable's content,
// since variables are captured by reference.
func (l *lowerer) bound(v ssa.Value) Root {
	if a, ok := v.(*ssa.Alloc); ok {
		return l.rootOfCell(a, rootDepth)
	}
	return l.rootOf(v, rootDepth)
}

// Origin follows the pointer of an access up its call chain to the element
// that it was loaded from. It returns the chain to that load; ok is false where
// the pointer comes from elsewhere.
func (v *View) Origin(c Chain, index int32) (Chain, bool) { return v.origin(c, index, false) }

// RowOrigin does the same for the slice of which an access goes to an element.
func (v *View) RowOrigin(c Chain, index int32) (Chain, bool) { return v.origin(c, index, true) }

// RowLoad returns the load of the slice of which an access goes to an element, which may also come before the
// rounds of the loop.
func (v *View) RowLoad(c Chain, index int32) (Site, bool) {
	if from, ok := v.RowOrigin(c, index); ok {
		return from.Sites[len(from.Sites)-1], !c.Made && !from.Round && !from.Recv
	}
	n := len(c.Sites) - 1
	last := v.ov.inst(c.Sites[n].Inst).fn
	if index < 0 || int(index) >= len(last.Accesses) || !last.Accesses[index].Root.Row {
		return Site{}, false
	}
	n, root, ok := v.loadedBy(c, n, last.Accesses[index].Root)
	return Site{c.Sites[max(n, 0)].Inst, root.At}, ok && !c.Made && root.Kind == RootElem
}

// RowAt is RowOrigin for the instruction that a chain ends with.
func (v *View) RowAt(c Chain) (Chain, bool) {
	s := c.Sites[len(c.Sites)-1]
	fn := v.ov.inst(s.Inst).fn
	for k := range fn.Accesses {
		if x := &fn.Accesses[k]; x.At == s.At && x.Root.Row {
			return v.origin(c, int32(k), true)
		}
	}
	return Chain{}, false
}

func (v *View) origin(c Chain, index int32, row bool) (Chain, bool) {
	n := len(c.Sites) - 1
	last := v.ov.inst(c.Sites[n].Inst).fn
	if index < 0 || int(index) >= len(last.Accesses) {
		return Chain{}, false
	}
	root := last.Accesses[index].Root
	if root.Row != row {
		return Chain{}, false
	}
	return v.follow(c, n, root)
}

// FuncOrigin returns the chain to the load of the function value that the first
// dynamic call of a chain runs, from the start of the iteration on, and the call's
// place in the chain.
func (v *View) FuncOrigin(c Chain) (from Chain, call int, ok bool) {
	for n := c.Spawn; n+1 < len(c.Sites); n++ {
		s := c.Sites[n]
		f := v.ov.inst(s.Inst).fn
		for k := range f.Calls {
			if x := &f.Calls[k]; x.At == s.At && x.Kind == CallDynamic && x.Recv.Kind != RootNone {
				if from, ok = v.follow(c, n, x.Recv); ok {
					return from, n, true
				}
			}
		}
	}
	return Chain{}, 0, false
}

// follow follows a root in step n of a chain up to the element that it was loaded
// from.
func (v *View) follow(c Chain, n int, root Root) (Chain, bool) {
	n, root, ok := v.loadedBy(c, n, root)
	if !ok || n < c.Spawn || n == c.Spawn && !c.Made && !v.InRounds(root.At) || root.Kind == RootRound && (n != c.Spawn || c.Made) {
		return Chain{}, false // loaded before the rounds of the loop, or in another loop
	}
	sites := append([]Site{}, c.Sites[:n+1]...)
	sites[n].At = root.At
	return Chain{Sites: sites, Spawn: c.Spawn, Round: root.Kind == RootRound, Recv: root.Kind == RootRecv, Chan: root.K, Made: c.Made}, true
}

// loadedBy returns the step of a chain, from n up, that loads what a root leads to, and the load.
func (v *View) loadedBy(c Chain, n int, root Root) (int, Root, bool) {
	for {
		switch root.Kind {
		case RootElem, RootRound, RootRecv:
			// Of several calls it may be any that has loaded it.
			return n, root, len(c.Again) == 0 || c.Again[0] > n
		case RootParam:
			if slices.Contains(c.Again, n) && !v.passesOn(c.Sites[n].Inst, root.K) {
				return n, root, false
			}
			n--
			if n < 0 {
				return n, root, false
			}
			root = v.argRoot(c.Sites[n], root.K)
		case RootFree:
			fn := v.ov.inst(c.Sites[n].Inst).fn.ID
			found := false
			for n--; n >= 0 && !found; n-- {
				if root, found = v.bindRoot(c.Sites[n].Inst, fn, root.K); found {
					break
				}
			}
			if !found {
				return n, root, false
			}
		default:
			return n, root, false
		}
	}
}

// argRoot returns the root of argument k of the call at a site.
func (v *View) argRoot(s Site, k int32) Root {
	f := v.ov.inst(s.Inst).fn
	for i := range f.Calls {
		c := &f.Calls[i]
		if c.At != s.At {
			continue
		}
		if c.Kind == CallInvoke {
			if k == 0 {
				return c.Recv
			}
			k--
		}
		if int(k) < len(c.Args) {
			return c.Args[k].Root
		}
	}
	return Root{}
}

// bindRoot returns the root of what a closure of fn made by an instance
// captures as its free variable k.
func (v *View) bindRoot(id InstID, fn FuncID, k int32) (Root, bool) {
	f := v.ov.inst(id).fn
	for i := range f.Allocs {
		if a := &f.Allocs[i]; a.Kind == AllocClosure && a.Func == fn && int(k) < len(a.Roots) {
			return a.Roots[k], true
		}
	}
	return Root{}, false
}

func (v *View) unboxed(l int32) int32 { return int32(v.unbox(l)) }
