package pta

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
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
// the root of the pointer, and the load.
func (l *lowerer) rootOfCalled(v ssa.Value) (root Root, through ssair.Instr) {
	through = ssair.NoInstr
	if r := l.rootOf(v, rootDepth); r.Kind != RootNone {
		return r, through
	}
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
		if _, variable := stripFields(ld.X).(*ssa.Alloc); variable {
			return l.rootOfTaken(stripFields(ld.X)), through
		}
		if fa, ok := ld.X.(*ssa.FieldAddr); ok {
			v, through = fa.X, l.ir.Num(ld)
		}
	}
	return l.rootOfTaken(v), through
}

// rootOfTaken returns the root of a function value that is called, or of a pointer to what holds it.
func (l *lowerer) rootOfTaken(v ssa.Value) Root {
	if r := l.rootOf(v, rootDepth); r.Kind != RootNone {
		return r
	}
	if a, ok := v.(*ssa.Alloc); ok {
		var stores []*ssa.Store
		if !l.onlyWhole(a, &stores, maxCellDepth) || len(stores) != 1 || stores[0].Parent() != l.fn {
			return Root{}
		}
		return l.rootOfTaken(stores[0].Val) // a copy of what holds it
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

// rootOfCell returns the root of a variable's content, if it is stored once, by the function, and neither those that have
// captured it nor anybody else store it, or a pointer in a part of it, anew.
func (l *lowerer) rootOfCell(a *ssa.Alloc, depth int) Root {
	var stores []*ssa.Store
	if !l.onlyWhole(a, &stores, maxCellDepth) || len(stores) != 1 || stores[0].Parent() != l.fn {
		return Root{}
	}
	return l.rootOf(stores[0].Val, depth)
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

// maxBelowMade bounds the calls between a function that was received and what it touches, and
// maxRunners the calls that may run it.
const (
	maxBelowMade = 4
	maxRunners   = 64
)

// FromMaker returns the chain to a site that begins where the function was made that the thread has received
// and runs, and by which alone it comes there; ok is false if it may have been sent twice, or made in several
// places, or not in the one run of a function that has made the object.
//
//	for i, x := range xs { tasks <- func() { out[i] = f(x) } }
func (v *View) FromMaker(t model.Thread, to Site, of *model.Object) (Chain, bool) {
	c, ok := v.FromMakers(t, to, of)
	obj, known := v.describedBase(of)
	return c, ok && known && v.ofOneRun(c.Sites[0].Inst, obj)
}

// FromMakers is FromMaker whichever runs of the function have made the functions that two threads have received, and the object.
func (v *View) FromMakers(t model.Thread, to Site, of *model.Object) (Chain, bool) {
	sites := []Site{to}
	for range maxBelowMade {
		callers := v.callersOn(t, sites[0].Inst)
		if made, taken, ok := v.madeBy(callers, sites[0].Inst, of); ok {
			return Chain{Sites: append([]Site{made}, sites...), Made: true, Once: v.inNoLoop(made), Taken: taken}, true
		}
		if len(callers) != 1 {
			break
		}
		sites = append(callers, sites...)
	}
	return Chain{}, false
}

// maxAbove bounds the calls above what makes a function, and the ways by which these lead there.
const maxAbove = 4

// FromCallers returns the chains by which calls lead to the beginning of one that FromMakers has found: what has made the
// function may have been given what that calls by who has called it.
func (v *View) FromCallers(c Chain) []Chain {
	out := []Chain{c}
	for range maxAbove {
		var next []Chain
		for _, x := range out {
			callers := v.Callers(x.Sites[0].Inst)
			if x.Spawn == c.Spawn {
				callers = v.givenBy(x, callers)
			}
			met := func(s Site) bool {
				return slices.ContainsFunc(x.Sites[:x.Spawn+1], func(y Site) bool { return y.Inst == s.Inst })
			}
			spawns := func(s Site) bool {
				return slices.ContainsFunc(v.ov.inst(s.Inst).fn.Spawns, func(sp Spawn) bool { return sp.At == s.At })
			}
			if len(callers) == 0 || slices.ContainsFunc(callers, met) || slices.ContainsFunc(callers, spawns) {
				next = append(next, x)
				continue
			}
			for _, s := range callers {
				y := x
				y.Sites = append([]Site{s}, x.Sites...)
				y.Spawn++
				next = append(next, y)
			}
		}
		if len(next) > maxAbove {
			break
		}
		out = next
	}
	return out
}

// givenBy returns those callers of the function that a chain begins in that may give it what the chain calls further down as
// what it was given.
func (v *View) givenBy(c Chain, callers []Site) []Site {
	for n := 1; n+1 < len(c.Sites); n++ {
		in := v.ov.inst(c.Sites[n].Inst)
		for k := range in.fn.Calls {
			call := &in.fn.Calls[k]
			if call.At != c.Sites[n].At || call.Kind != CallDynamic {
				continue
			}
			top, root, _ := v.loadedBy(c, n, call.Recv)
			if top >= 0 || root.Kind != RootParam {
				continue
			}
			var made []Site
			for _, e := range in.callees[k] {
				if at, ok := v.closureMade(e); ok && e.callee == c.Sites[n+1].Inst {
					made = append(made, at)
				} else if e.callee == c.Sites[n+1].Inst {
					return callers
				}
			}
			return slices.DeleteFunc(slices.Clone(callers), func(s Site) bool { return !v.mayGive(s, root.K, made) })
		}
	}
	return callers
}

// mayGive reports whether a call may pass one of some function literals, by where they are made, as an argument.
func (v *View) mayGive(s Site, arg int32, made []Site) bool {
	in := v.ov.base.inst(v.outer(s.Inst))
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		if c.At != s.At || c.Kind == CallInvoke || int(arg) >= len(c.Args) || c.Args[arg].Node == None {
			continue
		}
		return slices.ContainsFunc(made, func(m Site) bool { return v.holdsMade(in, c.Args[arg].Node, m) })
	}
	return true
}

// callersOn returns what calls an instance on a thread.
func (v *View) callersOn(t model.Thread, id InstID) (out []Site) {
	for _, c := range v.Callers(id) {
		if v.Thread(c.Inst) == t {
			out = append(out, c)
		}
	}
	return out
}

// inNoLoop reports whether what is made at a site of the base is made once in a run of its function.
func (v *View) inNoLoop(s Site) bool {
	return !slices.ContainsFunc(v.ov.base.inst(s.Inst).fn.Allocs, func(a Alloc) bool { return a.At == s.At && (a.InLoop || a.Loop >= 0) })
}

// madeBy returns where the function literal is made that an instance runs, if all that call it have received
// it, and it is sent once; or have taken it from a list into which it is put once, by the loads that are returned.
func (v *View) madeBy(callers []Site, id InstID, of *model.Object) (made Site, taken []Site, ok bool) {
	if len(callers) > maxRunners {
		return made, nil, false
	}
	some := false
	for _, c := range callers {
		in := v.ov.inst(c.Inst)
		for k := range in.fn.Calls {
			call := &in.fn.Calls[k]
			if call.At != c.At || !slices.ContainsFunc(in.callees[k], func(e edge) bool { return e.callee == id }) {
				continue
			}
			for _, e := range in.callees[k] {
				if e.callee != id {
					continue
				}
				at, known := v.closureMade(e)
				if !known || some && at != made {
					return made, nil, false
				}
				made, some = at, true
			}
			loads, ok := v.receives(in, c.Inst, call, of, made)
			if !ok {
				return made, nil, false
			}
			taken = append(taken, loads...)
		}
	}
	return made, taken, some && v.passedOnce(made)
}

// receives reports whether a call runs what was received from a channel, and is sent once, or what was taken from a list,
// by the loads that are returned, and is put there once; or what is kept so in an object of which that holds.
func (v *View) receives(in *instance, id InstID, call *Call, of *model.Object, made Site) (taken []Site, ok bool) {
	if call.Kind != CallDynamic || call.Through != ssair.NoInstr && !v.listedOnce(Site{Inst: id, At: call.Through}, made) {
		return nil, false
	}
	return v.receivesAt(in, id, call.Recv, of, made, maxBelowMade)
}

// receivesAt is receives for what has a root in an instance.
func (v *View) receivesAt(in *instance, id InstID, root Root, of *model.Object, made Site, depth int) (taken []Site, ok bool) {
	switch root.Kind {
	case RootRecv:
		return nil, v.SentOnce(Site{Inst: id, At: root.At}, root.K, of)
	case RootElem:
		taken = []Site{{Inst: id, At: root.At}}
	case RootParam:
		callers := v.Callers(id)
		if depth == 0 || len(callers) == 0 || len(callers) > maxRunners {
			return nil, false
		}
		for _, s := range callers {
			loads, ok := v.receivesAt(v.ov.inst(s.Inst), s.Inst, v.argRoot(s, root.K), of, made, depth-1)
			if !ok {
				return nil, false
			}
			taken = append(taken, loads...)
		}
		return taken, true
	case RootResult:
		for k := range in.fn.Calls {
			if in.fn.Calls[k].At != root.At {
				continue
			}
			for _, e := range in.callees[k] {
				loads, known := v.Index(e.callee).Returns(int(root.K))
				if !known {
					return nil, false
				}
				for _, at := range loads {
					taken = append(taken, Site{Inst: e.callee, At: at})
				}
			}
		}
	}
	return taken, len(taken) > 0 && !slices.ContainsFunc(taken, func(s Site) bool { return !v.listedOnce(s, made) })
}

// listedOnce reports whether nothing that lies where a load finds it is put there twice, as far as the code shows, and what is
// made at a site by one instruction only.
func (v *View) listedOnce(load, made Site) bool {
	base := v.ov.base
	ok, some := true, false
	var put []Site
	v.everStored(load, func(c int32) bool {
		if ok = ok && c < v.ov.first && v.ov.ownerOf(c) >= 0 && v.ov.object(v.ov.ownerOf(c)).kind == objAlloc; !ok {
			return false
		}
		base.overlapping(c, func(l int32) {
			for _, p := range base.storesTo(l) {
				if p.fact < 0 {
					ok = false
					continue
				}
				f := &base.inst(p.inst).fn.Facts[p.fact]
				ok, some = ok && !f.Again, true
				if s := (Site{Inst: p.inst, At: f.At}); v.namesMade(base.pts(p.src), made) && !slices.Contains(put, s) {
					put = append(put, s)
				}
			}
		})
		return false
	}, nil)
	return ok && some && len(put) <= 1
}

// passedOnce reports whether the function that makes a closure passes it on by one call at most, once each time.
func (v *View) passedOnce(made Site) bool {
	s := v.ov.base
	in := s.inst(made.Inst)
	last := ssair.NoInstr
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		passes := slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Node != None && v.holdsMade(in, a.Node, made) })
		if !passes {
			continue
		}
		if last != ssair.NoInstr && c.At != last || in.fn.Index.InLoopWithout(c.At, made.At) {
			return false
		}
		last = c.At
	}
	return true
}

// holdsMade reports whether a node of an instance may hold what the instance makes at a site.
func (v *View) holdsMade(in *instance, n Node, made Site) bool {
	return v.namesMade(v.ov.base.pts(in.node(n)), made)
}

// namesMade reports whether a set of the base has what is made at a site.
func (v *View) namesMade(set *bitset.Set, made Site) bool {
	s := v.ov.base
	for l := range set.All() {
		if oid := s.ownerOf(l); oid >= 0 {
			if o := s.object(oid); o.kind == objAlloc && o.inst == made.Inst && s.inst(o.inst).fn.Allocs[o.alloc].At == made.At {
				return true
			}
		}
	}
	return false
}

// closureMade returns where the closure is made that an edge enters.
func (v *View) closureMade(e edge) (Site, bool) {
	if e.obj < 0 {
		return Site{}, false
	}
	s := v.ov.base
	oid := v.baseOf(v.ov.object(e.obj).loc)
	if oid < 0 || oid >= v.ov.firstObj || s.object(oid).kind != objAlloc {
		return Site{}, false
	}
	o := s.object(oid)
	return Site{Inst: o.inst, At: s.inst(o.inst).fn.Allocs[o.alloc].At}, true
}

// ofOneRun reports whether two uses of an object by what runs of a function have made are by what one
// run has made: there is one, or each makes the object, itself or by what it alone calls. What an iteration of another
// loop runs once, others run, too.
func (v *View) ofOneRun(id InstID, obj int32) bool {
	s := v.ov.base
	if s.inst(id).ctx.tag == tagMain && v.res.base.once(id) {
		return true
	}
	if obj < 0 || obj >= v.ov.firstObj || s.object(obj).kind != objAlloc {
		return false
	}
	maker := s.object(obj).inst
	for range maxHead {
		if maker == id {
			return true
		}
		callers := s.inst(maker).callers
		if len(callers) != 1 {
			return false
		}
		maker = callers[0].Inst
	}
	return false
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
