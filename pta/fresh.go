package pta

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// This file decides which stored pointers are fresh and which functions are
// worth cloning; both are facts of the code, found without points-to.

// freshInfo is what callers ask of a function.
type freshInfo struct {
	results []bool // by result: every value returned is new memory, or nil
	factory bool   // some pointer result is new memory or a parameter, or a struct with new memory in it
	small   bool
	wrapper bool // starts a goroutine outside a loop and does not wait
}

const (
	freshDepth = 6  // calls followed to see that a result is new
	smallInstr = 24 // instructions of a constructor that is cloned everywhere
	smallCalls = 3

	// A function with more static call sites than this is not told apart by
	// site: on a module with many tests, constructors that hundreds of them call
	// made 926 instances of one function and half of all nodes.
	maxSites = 16
	// Of a small one, what it makes is most of what an instance costs.
	maxSmallSites = 80
)

var errorType = types.Universe.Lookup("error").Type()

// ofNew reports whether a call is one of a method of memory that the function has
// made, or of its own receiver: what fills an object after it was made.
func (l *lowerer) ofNew(c *ssa.CallCommon) bool {
	recv := c.Value
	if !c.IsInvoke() {
		fn := c.StaticCallee()
		if fn == nil || fn.Signature.Recv() == nil || len(c.Args) == 0 {
			return false
		}
		recv = c.Args[0]
	}
	for {
		f, ok := recv.(*ssa.FieldAddr)
		if !ok {
			break
		}
		recv = f.X
	}
	if p, ok := recv.(*ssa.Parameter); ok {
		return l.fn.Signature.Recv() != nil && p == l.fn.Params[0]
	}
	return l.p.looksNew(recv, freshDepth)
}

// looksNew reports whether a value may well be memory that the function has made, or has
// had made: the result of a constructor, itself or out of a variable. It decides only what
// is told apart.
func (p *Program) looksNew(v ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	made := v
	switch v := v.(type) {
	case *ssa.Const:
		return false
	case *ssa.Extract:
		made = v.Tuple
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return e != v && p.looksNew(e, depth-1) })
	case *ssa.UnOp:
		if p.heldNew(v, depth-1) {
			return true
		}
	}
	if c, ok := made.(*ssa.Call); ok {
		if fn := c.Call.StaticCallee(); fn != nil && p.isFactory(fn) {
			return true
		}
	}
	return p.isNew(v, nil, depth)
}

// heldNew reports whether a value is loaded from a variable of the function, one that a
// closure captures, say, into which it puts what looks new.
func (p *Program) heldNew(load *ssa.UnOp, depth int) bool {
	a, ok := load.X.(*ssa.Alloc)
	if !ok || load.Op != token.MUL {
		return false
	}
	k := newKey{a, depth}
	held, asked := p.held[k]
	if !asked {
		held = slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			return ok && st.Addr == ssa.Value(a) && p.looksNew(st.Val, depth)
		})
		if p.held == nil {
			p.held = make(map[newKey]bool)
		}
		p.held[k] = held
	}
	return held
}

// A newKey names a question to heldNew: of the variables of generated code, each is loaded
// hundreds of times, which were an eighth of the lowering of a task runner's 901 packages.
type newKey struct {
	cell  *ssa.Alloc
	depth int
}

// isFactory reports whether a function returns new memory, or passes a parameter on.
func (p *Program) isFactory(fn *ssa.Function) bool {
	if e := p.entry(fn); e != nil && p.blackHole(e) {
		return e.Fresh
	}
	if fn.Blocks == nil {
		s, _ := p.summary(fn)
		return s.Factory
	}
	return p.freshInfoOf(fn).factory
}

// sitesOf returns the number of calls that name fn.
func (p *Program) sitesOf(fn *ssa.Function) int {
	if p.sites == nil {
		p.countSites()
	}
	return p.sites[fn]
}

func (p *Program) countSites() {
	p.sites, p.promoted, p.named = make(map[*ssa.Function]int), make(map[*ssa.Function]int), make(map[string]int)
	if p.Functions == nil {
		p.Functions = ssautil.AllFunctions(p.ssa)
	}
	for f := range p.Functions {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if st, ok := in.(*ssa.Store); ok {
					p.noteFieldStore(st)
				}
				if c, ok := in.(ssa.CallInstruction); ok {
					if callee := c.Common().StaticCallee(); callee != nil {
						p.sites[callee]++
						if strings.HasPrefix(f.Synthetic, "wrapper") {
							p.promoted[callee]++
						}
					}
				}
			}
		}
	}
	if p.View != nil {
		for fn, n := range p.sites { // a sum: the order does not matter
			if fn.Blocks == nil {
				p.named[symbolName(fn)] += n
			}
		}
	}
}

// sitesIn returns the number of calls that name the function of a symbol, in view
// and in stored packages.
func (p *Program) sitesIn(symbol string) int {
	if p.sites == nil {
		p.countSites()
	}
	n := p.named[symbol]
	if c, ok := p.Source.(Callers); ok {
		n += c.Sites(symbol)
	}
	return n
}

// crowded reports whether calls of a function are so many that they are not told
// apart.
func (p *Program) crowded(sites int, small bool) bool {
	return sites > maxSites && !(small && sites <= maxSmallSites)
}

// freshInfoOf summarises fn; recursion answers "not fresh".
func (p *Program) freshInfoOf(fn *ssa.Function) *freshInfo {
	if fi, ok := p.fresh[fn]; ok {
		return fi
	}
	fi := &freshInfo{results: make([]bool, fn.Signature.Results().Len())}
	p.fresh[fn] = fi
	instrs, calls := 0, 0
	returned := make([]bool, len(fi.results))
	for i := range returned {
		returned[i] = true
	}
	seen, getter, grower := false, false, false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			instrs++
			switch in := in.(type) {
			case *ssa.Call:
				if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
					calls++
				}
			case *ssa.Store:
				grower = grower || growsParam(in)
			case *ssa.Return:
				seen = true
				for i, v := range in.Results {
					fresh := p.isNew(v, nil, freshDepth)
					returned[i] = returned[i] && fresh
					if !p.types.layoutOf(v.Type()).Ptr || types.Identical(v.Type(), errorType) {
						continue // errors are not what goroutines share
					}
					if _, nilConst := v.(*ssa.Const); nilConst {
						continue
					}
					if fresh || fromParam(v, freshDepth) || p.holdsNew(v) || p.looksNew(v, freshDepth) {
						fi.factory = true
					}
					getter = getter || readsParam(v, freshDepth)
				}
			}
		}
	}
	if seen {
		fi.results = returned
	}
	fi.wrapper = p.leavesGoroutine(fn)
	fi.small = instrs <= smallInstr && calls <= smallCalls && !fn.Signature.Variadic()
	fi.factory = fi.factory || fi.small && (getter || grower)
	return fi
}

// growsParam reports whether a store puts a list that is made there, or grown, where a parameter
// points to: each caller has one of its own, or each of its fields has.
func growsParam(st *ssa.Store) bool {
	if _, ok := st.Addr.(*ssa.Parameter); !ok {
		return false
	}
	made := st.Val
	if c, ok := made.(*ssa.ChangeType); ok {
		made = c.X
	}
	switch v := made.(type) {
	case *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append"
	}
	return false
}

// leavesGoroutine reports whether fn starts a goroutine outside a loop, itself
// or through a function of that kind, and does not wait for it: a wrapper like
// the Go method of a group. A loop that calls it is a parallel loop.
func (p *Program) leavesGoroutine(fn *ssa.Function) bool {
	starts := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Go:
				starts = true
			case *ssa.Call:
				callee := in.Call.StaticCallee()
				if callee == nil {
					continue
				}
				if e := p.entry(callee); e != nil {
					if e.Op == library.OpWGWait || e.Op == library.OpJoin {
						return false
					}
					starts = starts || isSpawn(e.Op)
				} else if callee != fn && !starts {
					starts = p.wrapperOutside(callee) || p.freshInfoOf(callee).wrapper
				}
			case *ssa.UnOp:
				if in.Op == token.ARROW && starts {
					return false // waits for a message, most likely the goroutine's
				}
			}
		}
	}
	return starts && len(ssair.New(fn).Loops) == 0
}

// isNew reports whether v is memory made by this call of its function: an
// allocation, or the fresh result of a call. Where in is not nil, v must also
// have been made in the same round of the innermost loop around block in.
func (p *Program) isNew(v ssa.Value, sameRound func(ssa.Instruction) bool, depth int) bool {
	if depth == 0 {
		return false
	}
	made := func(in ssa.Instruction) bool { return sameRound == nil || sameRound(in) }
	switch v := v.(type) {
	case *ssa.Const:
		return true // nil
	case *ssa.Alloc:
		return made(v)
	case *ssa.MakeSlice:
		return made(v)
	case *ssa.MakeMap:
		return made(v)
	case *ssa.MakeChan:
		return made(v)
	case *ssa.MakeClosure:
		return made(v)
	case *ssa.MakeInterface:
		return p.isNew(v.X, sameRound, depth-1)
	case *ssa.ChangeInterface:
		return p.isNew(v.X, sameRound, depth-1)
	case *ssa.ChangeType:
		return p.isNew(v.X, sameRound, depth-1)
	case *ssa.TypeAssert:
		return p.isNew(v.X, sameRound, depth-1)
	case *ssa.Slice:
		return p.isNew(v.X, sameRound, depth-1)
	case *ssa.UnOp:
		vals, ok := cellValues(v)
		return ok && !slices.ContainsFunc(vals, func(x ssa.Value) bool { return !p.isNew(x, sameRound, depth-1) })
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return made(c) && p.freshResult(c, v.Index)
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "append" && p.isNew(v.Call.Args[0], sameRound, depth-1)
		}
		return made(v) && p.freshResult(v, 0)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if sameRound == nil && grows(e, v) {
				continue
			}
			if e == v || !p.isNew(e, sameRound, depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

// holdsNew reports whether a value is a struct into which the function puts new
// memory: Matrix{n, make([]float64, n*n)}, a constructor as good as one that
// returns a pointer.
func (p *Program) holdsNew(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	if vals, ok := cellValues(load); ok {
		return slices.ContainsFunc(vals, p.holdsNew)
	}
	a, ok := load.X.(*ssa.Alloc)
	return ok && p.putsNew(a, freshDepth)
}

func (p *Program) putsNew(addr ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if _, nilConst := r.Val.(*ssa.Const); r.Addr == addr && !nilConst && p.isNew(r.Val, nil, depth) && p.types.layoutOf(r.Val.Type()).Ptr {
				return true
			}
		case *ssa.FieldAddr:
			if p.putsNew(r, depth-1) {
				return true
			}
		}
	}
	return false
}

// grows reports whether a value is what a loop has appended to phi, which it
// carries from round to round: new if phi was before the loop.
func grows(v ssa.Value, phi *ssa.Phi) bool {
	for range freshDepth {
		c, ok := v.(*ssa.Call)
		if !ok || !ssair.IsBuiltin(c, "append") {
			break
		}
		v = c.Call.Args[0]
	}
	return v == phi
}

func (p *Program) freshResult(c *ssa.Call, i int) bool {
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if e := p.entry(fn); e != nil && p.blackHole(e) {
		return e.Fresh && len(e.Returns) == 0 || e.MakesResult()
	}
	if fn.Blocks == nil {
		return p.freshOutside(fn, i)
	}
	fi := p.freshInfoOf(fn)
	return i < len(fi.results) && fi.results[i]
}

func fromParam(v ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.MakeInterface:
		return fromParam(v.X, depth-1)
	case *ssa.ChangeInterface:
		return fromParam(v.X, depth-1)
	case *ssa.ChangeType:
		return fromParam(v.X, depth-1)
	case *ssa.Slice:
		return fromParam(v.X, depth-1)
	case *ssa.TypeAssert:
		return fromParam(v.X, depth-1)
	case *ssa.UnOp:
		vals, ok := cellValues(v)
		return ok && slices.ContainsFunc(vals, func(x ssa.Value) bool { return fromParam(x, depth-1) })
	case *ssa.Extract:
		a, ok := v.Tuple.(*ssa.TypeAssert)
		return ok && v.Index == 0 && fromParam(a.X, depth-1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if e != v && fromParam(e, depth-1) {
				return true
			}
		}
	}
	return false
}

// readsParam reports whether v is loaded from what a parameter points to, or has
// in it: what a getter returns, a row of a matrix, say.
func readsParam(v ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.UnOp:
		if vals, ok := cellValues(v); ok {
			return slices.ContainsFunc(vals, func(x ssa.Value) bool { return readsParam(x, depth-1) })
		}
		return v.Op == token.MUL && readsParam(v.X, depth-1)
	case *ssa.FieldAddr:
		return readsParam(v.X, depth-1)
	case *ssa.IndexAddr:
		return readsParam(v.X, depth-1)
	case *ssa.Field:
		return readsParam(v.X, depth-1)
	case *ssa.Slice:
		return readsParam(v.X, depth-1)
	case *ssa.Alloc: // a parameter that is a struct
		if v.Heap {
			return false
		}
		for _, r := range *v.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == v && readsParam(st.Val, 1) {
				return true
			}
		}
	}
	return false
}

// storedFresh reports whether the value stored by the current instruction was
// made in this frame and in this round of the innermost loop around the store,
// and goes into memory by this instruction only. One fresh object stored twice
// is shared by two elements.
func (l *lowerer) storedFresh(v ssa.Value) bool {
	if !l.p.types.layoutOf(v.Type()).Ptr {
		return false
	}
	b := l.fn.Blocks[l.ir.Block(l.at)]
	nat := l.ir.Innermost(b)
	same := func(in ssa.Instruction) bool { return l.ir.Innermost(in.Block()) == nat }
	if l.appendsInPlace(v) {
		return true
	}
	return l.p.isNew(v, same, freshDepth) && timesStored(v) <= 1
}

// storedAgain reports whether the code shows that a value is stored more than
// once: by several instructions, or in each round of a loop that did not make it.
func (l *lowerer) storedAgain(v ssa.Value) bool {
	if !l.p.types.layoutOf(v.Type()).Ptr {
		return false
	}
	if timesStoredBut(v, passes, nil) > 1 {
		return true
	}
	return l.madeBeforeLoop(v)
}

// madeBeforeLoop reports whether each round of a loop stores a value by the current instruction that it has not made.
func (l *lowerer) madeBeforeLoop(v ssa.Value) bool {
	nat := l.repeats(v)
	if nat == nil {
		return false
	}
	in, ok := v.(ssa.Instruction)
	return !ok || in.Block() == nil || !nat.Contains(in.Block())
}

// repeats returns the innermost loop in the rounds of which the current instruction stores a value. A select that sends it
// is left by that where its case leads out of the loop:
//
//	for {
//		select {
//		case out <- v:
//			return
//		case <-tick:
//		}
//	}
func (l *lowerer) repeats(v ssa.Value) *ssair.Loop {
	nat := l.ir.Innermost(l.fn.Blocks[l.ir.Block(l.at)])
	sel, ok := l.ir.At(l.at).(*ssa.Select)
	if !ok {
		return nat
	}
	var sends []*ssa.BasicBlock // where control goes on that has sent it
	for k, st := range sel.States {
		if st.Send != v {
			continue
		}
		to := caseOf(sel, k)
		if to == nil {
			return nat
		}
		sends = append(sends, to)
	}
	for nat != nil && len(sends) > 0 && !slices.ContainsFunc(sends, nat.Contains) {
		nat = nat.Parent
	}
	return nat
}

// caseOf returns the block to which a case of a select leads, nil if there is no such block.
func caseOf(sel *ssa.Select, k int) *ssa.BasicBlock {
	for _, r := range *sel.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok || x.Index != 0 {
			continue
		}
		for _, u := range *x.Referrers() {
			is, ok := u.(*ssa.BinOp)
			if !ok || is.Op != token.EQL {
				continue
			}
			if n, ok := is.Y.(*ssa.Const); !ok || n.Value == nil || n.Int64() != int64(k) {
				continue
			}
			for _, w := range *is.Referrers() {
				if cond, ok := w.(*ssa.If); ok {
					return cond.Block().Succs[0]
				}
			}
		}
	}
	return nil
}

// sentOnce reports whether the current instruction is a send, and the only one of the frame that sends a value, which is
// made in the round of the innermost loop around it.
func (l *lowerer) sentOnce(v ssa.Value) bool {
	switch l.ir.At(l.at).(type) {
	case *ssa.Send, *ssa.Select:
	default:
		return false
	}
	if l.madeBeforeLoop(v) {
		return false
	}
	sends := 0
	eachUse(v, func(of ssa.Value, r ssa.Instruction) []ssa.Value {
		switch r := r.(type) {
		case *ssa.Send:
			if r.X == of {
				sends++
			}
		case *ssa.Select:
			for _, st := range r.States {
				if st.Send == of {
					sends++
				}
			}
		}
		return nil
	})
	return sends == 1
}

// appendsInPlace reports whether the store being lowered is x = append(x, …):
// what x referred to before was reached through the same place.
func (l *lowerer) appendsInPlace(v ssa.Value) bool {
	st, ok := l.ir.At(l.at).(*ssa.Store)
	if !ok || st.Val != v {
		return false
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if !ssair.IsBuiltin(c, "append") {
		return false
	}
	old, ok := c.Call.Args[0].(*ssa.UnOp)
	return ok && sameAddr(old.X, st.Addr)
}

// sameAddr reports whether two addresses are computed in the same way from the
// same values.
func sameAddr(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && sameAddr(a.X, b.X)
	case *ssa.IndexAddr:
		b, ok := b.(*ssa.IndexAddr)
		return ok && a.Index == b.Index && sameAddr(a.X, b.X)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == b.Op && sameAddr(a.X, b.X)
	}
	return false
}

// passes reports whether a store puts a value among the arguments of a variadic call: it is then
// passed, as others are. What an append is passed it stores.
func passes(st *ssa.Store) bool {
	ia, ok := st.Addr.(*ssa.IndexAddr)
	if !ok || !isVarargs(ia.X) {
		return false
	}
	for _, r := range *ia.X.Referrers() {
		s, ok := r.(*ssa.Slice)
		if ok && slices.ContainsFunc(*s.Referrers(), func(u ssa.Instruction) bool {
			c, ok := u.(*ssa.Call)
			return ok && ssair.IsBuiltin(c, "append")
		}) {
			return false
		}
	}
	return true
}

// timesStored counts the instructions of the frame that put v, or a
// conversion of it, into memory: 0, 1 or 2 for more.
func timesStored(v ssa.Value) int { return timesStoredBut(v, nil, nil) }

// timesStoredBut leaves out the stores for which skip holds, and counts those of
// what calls give back.
func timesStoredBut(v ssa.Value, skip func(*ssa.Store) bool, back func(*ssa.Call, ssa.Value) bool) int {
	n := 0
	variables := make(map[*ssa.Alloc]bool)
	eachUse(v, func(of ssa.Value, r ssa.Instruction) (loads []ssa.Value) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val != of || skip != nil && skip(r) {
				return nil
			}
			a, ok := r.Addr.(*ssa.Alloc)
			if ok && !a.Heap && resultCell(a) {
				return nil // returned, that is all
			}
			n++
			if ok && !variables[a] {
				// A variable: what is loaded from it may be stored again.
				variables[a] = true
				for _, u := range *a.Referrers() {
					if ld, ok := u.(*ssa.UnOp); ok {
						loads = append(loads, ld)
					}
				}
			}
		case *ssa.MapUpdate:
			if r.Value == of || r.Key == of {
				n++
			}
		case *ssa.Send:
			if r.X == of {
				n++
			}
		case *ssa.Call:
			if back != nil && back(r, of) {
				loads = append(loads, r)
			}
		}
		return loads
	})
	return min(n, 2)
}

// eachUse calls use for the instructions of the frame that have v, or a
// conversion of it, as an operand; what use returns is v by another name.
func eachUse(v ssa.Value, use func(of ssa.Value, r ssa.Instruction) []ssa.Value) {
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		refs := v.Referrers()
		if refs == nil || seen[v] {
			return
		}
		seen[v] = true
		for _, r := range *refs {
			for _, x := range use(v, r) {
				visit(x)
			}
			switch r := r.(type) {
			case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Slice, *ssa.Phi, *ssa.TypeAssert:
				visit(r.(ssa.Value))
			}
		}
	}
	visit(v)
}

// decorates reports whether a function takes a function and returns functions.
func decorates(sig *types.Signature) bool {
	function := func(v *types.Var) bool {
		_, ok := v.Type().Underlying().(*types.Signature)
		return ok
	}
	for v := range sig.Results().Variables() {
		if !function(v) {
			return false
		}
	}
	return sig.Results().Len() > 0 && slices.ContainsFunc(slices.Collect(sig.Params().Variables()), function)
}

// policy fills in what the context policy asks of a function.
func (l *lowerer) policy() {
	fi := l.p.freshInfoOf(l.fn)
	l.f.Decorates = fi.factory && decorates(l.fn.Signature)
	l.f.Crowded = !l.f.Decorates && l.p.crowded(l.p.sitesOf(l.fn), fi.small)
	l.f.Factory, l.f.Small, l.f.RFresh, l.f.Wrapper = fi.factory, fi.small, fi.results, fi.wrapper
	for i := range l.fn.Signature.Results().Len() {
		l.f.Born = append(l.f.Born, l.fn.Blocks != nil && l.p.born(l.fn, i, freshDepth))
	}
	l.f.Recurses = l.p.cycles.on(l.fn)
	l.f.Helper = takesFunc(l.fn) && l.startsIn(l.fn)
	l.f.Iterates = iterates(l.fn.Signature)
	if l.fn.Synthetic == yieldBody {
		of := l.fn
		for of.Synthetic == yieldBody && of.Parent() != nil {
			of = of.Parent()
		}
		l.f.Round = takesFunc(of) && l.startsIn(l.fn)
	}
	l.f.Linker, l.f.Looper = l.distinct()
	l.f.Runner = l.runner()
}

// takesFunc reports whether a parameter of a function is one, or holds some.
func takesFunc(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(v *ssa.Parameter) bool { return HasFunc(v.Type()) })
}

// iterates reports whether a function returns what a range over a function calls.
func iterates(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	seq, ok := ssair.Under(sig.Results().At(0).Type()).(*types.Signature)
	if !ok || seq.Params().Len() != 1 || seq.Results().Len() != 0 {
		return false
	}
	yield, ok := ssair.Under(seq.Params().At(0).Type()).(*types.Signature)
	return ok && yield.Results().Len() == 1
}

// startsIn reports whether a function starts goroutines, be it in the rounds of a range over a function, which go/ssa
// makes a function of.
func (l *lowerer) startsIn(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if l.spawns(in) {
				return true
			}
			if mc, ok := in.(*ssa.MakeClosure); ok {
				if body := mc.Fn.(*ssa.Function); body.Synthetic == yieldBody && l.startsIn(body) {
					return true
				}
			}
		}
	}
	return false
}

// yieldBody is what go/ssa says of the body of a range over a function.
const yieldBody = "range-over-func yield"

// HasFunc reports whether a parameter's type is, or directly holds, a func.
func HasFunc(t types.Type) bool { return hasFunc(t, 2) }

func hasFunc(t types.Type, depth int) bool {
	switch u := ssair.Under(t).(type) {
	case *types.Signature:
		return true
	case *types.Slice:
		return depth > 0 && hasFunc(u.Elem(), depth-1)
	}
	return false
}
