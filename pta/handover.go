package pta

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// This file asks whether a function gives up what it starts a goroutine with:
//
//	go flush(w.buf)          old := w.buf           b := w.buf
//	w.buf = newBuf()         w.buf = newBuf()       go func() { flush(b) }()
//	                         go flush(old)          w.buf = nil
//
// One object is followed, from where the function has it: what values may be it, and what
// places may have it. The function gives it up if from the start on no value that may be
// it is used, but for comparing it, and at the end no place but the function's own variables
// has it. It is a matter of one function: what it has got from its parameters its
// callers must give up, too, and what has been put elsewhere before, strand.go finds.

// maxGivenUp bounds the blocks that one question looks at, counted again for each
// source.
const maxGivenUp = 400

// A handOver is a question to givesUp.
type handOver struct {
	p      *Program
	fn     *ssa.Function
	at     ssa.Instruction // a go statement, a call, a return, or the making of a closure
	given  ssa.Value       // an argument; of a closure, a variable that is captured
	places []ssa.Value     // addresses that what is given may be loaded from
	starts []ssa.Instruction
	params []ssa.Value // by which it may come in
	seen   map[ssa.Value]bool
}

// givesUp reports whether a function does no more with what an argument of a call, or a variable that
// a closure captures, refers to.
func (p *Program) givesUp(at ssa.Instruction, given ssa.Value) bool {
	h := &handOver{p: p, fn: at.Parent(), at: at, given: given, seen: make(map[ssa.Value]bool)}
	if _, ok := at.(*ssa.MakeClosure); ok {
		a, ok := given.(*ssa.Alloc)
		if !ok || !h.place(a) {
			return false
		}
	} else if !h.from(given) {
		return false
	}
	if _, returns := at.(*ssa.Return); returns && len(h.params) > 0 {
		return false // the caller has it anyway
	}
	for _, in := range h.starts {
		if !h.follow(in, nil) {
			return false
		}
	}
	for _, v := range h.params {
		if !h.follow(nil, v) {
			return false
		}
	}
	return len(h.starts)+len(h.params) > 0
}

// resultGivenUp reports whether what a call returns is its caller's alone: new, or taken out of where it
// was.
func (p *Program) resultGivenUp(c *ssa.Call, i int) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || fn.Blocks == nil {
		return false
	}
	k := givenResult{fn, i}
	out, known := p.givenUp[k]
	if known {
		return out
	}
	if p.givenUp == nil {
		p.givenUp = make(map[givenResult]bool)
	}
	p.givenUp[k] = false // where it calls itself
	some := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if _, none := ret.Results[i].(*ssa.Const); none {
			continue
		}
		if !p.givesUp(ret, ret.Results[i]) {
			return false
		}
		some = true
	}
	p.givenUp[k] = some
	return some
}

// A givenResult is a question to resultGivenUp.
type givenResult struct {
	fn *ssa.Function
	i  int
}

// from collects where a value may come from; it returns false where that is not known to be
// the function's alone.
func (h *handOver) from(v ssa.Value) bool {
	if h.seen[v] {
		return true
	}
	h.seen[v] = true
	if !refers(v.Type()) {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		h.starts = append(h.starts, v.(ssa.Instruction))
		return true
	case *ssa.Parameter:
		h.params = append(h.params, v)
		return true
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !h.from(e) })
	case *ssa.UnOp:
		switch {
		case v.Op == token.ARROW && !v.CommaOk:
			h.starts = append(h.starts, v)
			return true
		case v.Op != token.MUL:
			return false
		}
		h.starts = append(h.starts, v)
		return h.place(v.X)
	case *ssa.Call:
		if ssair.IsBuiltin(v, "append") {
			h.starts = append(h.starts, v)
			return h.from(v.Call.Args[0])
		}
		h.starts = append(h.starts, v)
		return h.p.freshResult(v, 0) || h.p.resultGivenUp(v, 0)
	case *ssa.Extract:
		c, ok := v.Tuple.(*ssa.Call)
		h.starts = append(h.starts, v)
		return ok && (h.p.freshResult(c, v.Index) || h.p.resultGivenUp(c, v.Index))
	}
	if x := sameMemory(v); x != nil {
		return h.from(x)
	}
	return false
}

// refers reports whether a value of a type refers to one object, or nothing.
func refers(t types.Type) bool {
	switch ssair.Under(t).(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// sameMemory returns what a value is another form, or a part, of.
func sameMemory(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.ChangeType:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.Slice:
		return v.X
	case *ssa.FieldAddr:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	}
	return nil
}

// place notes that what is given may be loaded from an address, and what the function stores
// there.
func (h *handOver) place(addr ssa.Value) bool {
	if slices.Contains(h.places, addr) {
		return true
	}
	switch a := addr.(type) {
	case *ssa.Alloc:
		for _, r := range *a.Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.Store:
				if r.Val == ssa.Value(a) {
					return false
				}
			default:
				if r != h.at {
					return false
				}
			}
		}
	case *ssa.FreeVar:
	case *ssa.FieldAddr:
		if fieldOf(a) == nil {
			return false
		}
	default:
		return false
	}
	h.places = append(h.places, addr)
	for _, b := range h.fn.Blocks {
		for _, in := range b.Instrs {
			if st, ok := in.(*ssa.Store); ok && mayBePlace(st.Addr, addr) && !h.from(st.Val) {
				return false
			}
		}
	}
	return true
}

// mayBePlace reports whether two addresses of places may be equal.
func mayBePlace(a, b ssa.Value) bool {
	f := fieldOf(a)
	return a == b || f != nil && f == fieldOf(b)
}

// samePlace reports whether two addresses are computed in the same way, as long as nothing is
// assigned to what leads there (soundness: stable-base).
func samePlace(a, b ssa.Value) bool {
	a, b = assigned(a), assigned(b)
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && samePlace(a.X, b.X)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == token.MUL && b.Op == token.MUL && samePlace(a.X, b.X)
	}
	return false
}

// assigned returns what a variable of the function that is assigned to once holds, for a load of it.
func assigned(v ssa.Value) ssa.Value {
	if ld, ok := v.(*ssa.UnOp); ok {
		if st, ok := ssair.AssignedBefore(ld); ok && st.Parent() == ld.Parent() {
			return st.Val
		}
	}
	return v
}

// placeRoot returns the value that an address of a place is computed from.
func placeRoot(addr ssa.Value) ssa.Value {
	for {
		switch a := assigned(addr).(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.UnOp:
			addr = a.X
		default:
			return a
		}
	}
}

// A whereabouts says what may be the object, or have it.
type whereabouts struct {
	values, places map[ssa.Value]bool
}

func newWhereabouts() *whereabouts {
	return &whereabouts{make(map[ssa.Value]bool), make(map[ssa.Value]bool)}
}

func (w *whereabouts) clone() *whereabouts {
	out := newWhereabouts()
	out.add(w)
	return out
}

// add adds what another has, and reports whether that was more.
func (w *whereabouts) add(x *whereabouts) bool {
	n := len(w.values) + len(w.places)
	for v := range x.values {
		w.values[v] = true
	}
	for v := range x.places {
		w.places[v] = true
	}
	return len(w.values)+len(w.places) > n
}

// A progress is a place in the code, before or after the object has been given.
type progress struct {
	block *ssa.BasicBlock
	given bool
}

// follow follows the object that an instruction yields, or that a parameter is, and reports whether
// the function gives it up.
func (h *handOver) follow(start ssa.Instruction, param ssa.Value) bool {
	known := make(map[progress]*whereabouts)
	var work []progress
	// run goes through a block from an instruction on.
	run := func(b *ssa.BasicBlock, from int, w *whereabouts, given bool) bool {
		for _, in := range b.Instrs[from:] {
			if _, ok := in.(*ssa.Phi); ok {
				continue // see enter
			}
			ok, now := h.step(in, w, given)
			if !ok {
				return false
			}
			given = now
		}
		for _, s := range b.Succs {
			at := progress{s, given}
			into := known[at]
			first := into == nil
			if first {
				into = newWhereabouts()
				known[at] = into
			}
			more, ok := h.enter(b, s, w, given)
			if !ok {
				return false
			}
			if into.add(more) || first && given {
				work = append(work, at)
			}
		}
		return true
	}
	w := newWhereabouts()
	if start == nil {
		w.values[param] = true
		if !run(h.fn.Blocks[0], 0, w, false) {
			return false
		}
	} else {
		w.values[start.(ssa.Value)] = true
		if ld, ok := start.(*ssa.UnOp); ok && ld.Op == token.MUL {
			w.places[ld.X] = true
		}
		if !run(start.Block(), slices.Index(start.Block().Instrs, start)+1, w, false) {
			return false
		}
	}
	for n := 0; len(work) > 0; n++ {
		if n > maxGivenUp {
			return false
		}
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if !run(at.block, 0, known[at].clone(), at.given) {
			return false
		}
	}
	return true
}

// enter returns what may be the object where control comes from one block to another.
func (h *handOver) enter(b, s *ssa.BasicBlock, w *whereabouts, given bool) (out *whereabouts, ok bool) {
	out = w.clone()
	for k, p := range s.Preds {
		if p != b {
			continue
		}
		for _, in := range s.Instrs {
			phi, isPhi := in.(*ssa.Phi)
			if !isPhi {
				break
			}
			if w.values[phi.Edges[k]] {
				out.values[phi] = true
			} else {
				delete(out.values, phi)
			}
			if !out.moves(phi, given) {
				return nil, false
			}
		}
	}
	return out, true
}

// moves notes that a value is computed anew, by which places are named; it returns false if
// one of these has what has been given.
func (w *whereabouts) moves(v ssa.Value, given bool) bool {
	for a := range w.places {
		if a == v {
			delete(w.places, a) // a new variable
		} else if placeRoot(a) == v {
			if given {
				return false
			}
			delete(w.places, a)
		}
	}
	return true
}

// step follows one instruction. It returns false if what has been given is used, or may be.
func (h *handOver) step(in ssa.Instruction, w *whereabouts, given bool) (ok, now bool) {
	if v, isValue := in.(ssa.Value); isValue {
		if _, address := v.(*ssa.FieldAddr); !address && !w.moves(v, given) {
			return false, given
		}
	}
	holds := func(v ssa.Value) bool { return w.values[v] }
	uses := slices.ContainsFunc(in.Operands(nil), func(v *ssa.Value) bool { return *v != nil && holds(*v) })
	set := func(v ssa.Value, may bool) {
		if may {
			w.values[v] = true
		} else {
			delete(w.values, v)
		}
	}
	if in == h.at {
		return h.give(in, w, given, uses)
	}
	switch in := in.(type) {
	case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.TypeAssert, *ssa.Slice, *ssa.FieldAddr, *ssa.IndexAddr:
		v := in.(ssa.Value)
		set(v, holds(sameMemory(v)))
		return true, given
	case *ssa.Extract:
		set(in, holds(in.Tuple))
		return true, given
	case *ssa.BinOp, *ssa.DebugRef, *ssa.If:
		return true, given
	case *ssa.UnOp:
		if in.Op == token.MUL && !uses {
			set(in, w.has(in.X))
			return true, given
		}
		set(in, false)
		return !uses || !given, given
	case *ssa.Store:
		return h.store(in, w, given), given
	case *ssa.MakeClosure:
		set(in, false)
		captured := slices.ContainsFunc(in.Bindings, func(v ssa.Value) bool { return w.has(v) || holds(v) })
		return !captured, given
	case *ssa.Call:
		if ssair.IsBuiltin(in, "append") {
			set(in, holds(in.Call.Args[0]))
			return !uses || !given, given
		}
		set(in, false)
		if ssair.IsBuiltin(in, "len") || ssair.IsBuiltin(in, "cap") {
			// What a slice refers to is not looked at; a map is.
			_, isMap := ssair.Under(in.Call.Args[0].Type()).(*types.Map)
			return !isMap || !uses || !given, given
		}
		return !given || !uses && !h.mayFind(&in.Call, w), given
	case *ssa.Go:
		if uses && !given && w.among(in.Call.Args) == 1 && !holds(in.Call.Value) {
			return true, true // given up to this one, on this way
		}
		return !uses && (!given || !h.mayFind(&in.Call, w)), given
	case *ssa.Defer:
		return !uses && (!given || !h.mayFind(&in.Call, w)), given
	case *ssa.RunDefers:
		return true, given
	case *ssa.Return:
		return !given || !uses && !w.left(), given
	}
	if v, isValue := in.(ssa.Value); isValue {
		set(v, false)
	}
	return !uses || !given, given
}

// give follows the instruction by which the object is given, if it is.
func (h *handOver) give(in ssa.Instruction, w *whereabouts, given, uses bool) (ok, now bool) {
	if c, isClosure := in.(*ssa.MakeClosure); isClosure {
		others := slices.ContainsFunc(c.Bindings, func(v ssa.Value) bool { return v != h.given && w.has(v) || w.values[v] })
		if !w.places[h.given] {
			return !others, given
		}
		return !given && !others, true
	}
	if ret, isReturn := in.(*ssa.Return); isReturn {
		n := w.among(ret.Results)
		return n == 0 || n == 1 && !given && !w.left(), given
	}
	c := in.(ssa.CallInstruction)
	if v, isValue := in.(ssa.Value); isValue {
		delete(w.values, v)
	}
	switch {
	case !uses:
		return !given || !h.mayFind(c.Common(), w), given
	case given || w.among(c.Common().Args) != 1 || !w.values[h.given] || w.values[c.Common().Value]:
		return false, given
	}
	return true, true
}

// store follows a store.
func (h *handOver) store(st *ssa.Store, w *whereabouts, given bool) bool {
	if w.values[st.Val] {
		if given {
			return false
		}
		w.places[st.Addr] = true
		return true
	}
	if w.values[st.Addr] {
		return !given // to the object itself
	}
	if _, isClosure := h.at.(*ssa.MakeClosure); isClosure && given && st.Addr == h.given && w.places[st.Addr] {
		return false // the goroutine finds this, too
	}
	for a := range w.places {
		if samePlace(a, st.Addr) {
			delete(w.places, a)
		}
	}
	return true
}

// among counts the values that may be the object.
func (w *whereabouts) among(vs []ssa.Value) (n int) {
	for _, v := range vs {
		if w.values[v] {
			n++
		}
	}
	return n
}

// has reports whether a load by an address may yield the object.
func (w *whereabouts) has(addr ssa.Value) bool {
	for a := range w.places {
		if mayBePlace(a, addr) {
			return true
		}
	}
	return false
}

// left reports whether a place that is not a variable of the function's own has the object.
func (w *whereabouts) left() bool {
	for a := range w.places {
		if _, own := a.(*ssa.Alloc); !own {
			return true
		}
	}
	return false
}

// mayFind reports whether a call may find the object in a place that has it.
func (h *handOver) mayFind(c *ssa.CallCommon, w *whereabouts) bool {
	if !w.left() {
		return false
	}
	fn := c.StaticCallee()
	if fn == nil {
		return true
	}
	if e := h.p.entry(fn); e != nil && h.p.blackHole(e) {
		return len(e.Calls)+len(e.Concurrent) > 0
	}
	if _, closure := c.Value.(*ssa.MakeClosure); closure {
		return true
	}
	for a := range w.places {
		if slices.ContainsFunc(c.Args, func(v ssa.Value) bool { return mayLead(v.Type(), a, placeDepth) }) {
			return true
		}
	}
	return false
}

// placeDepth bounds the types that an argument is looked through.
const placeDepth = 4

// mayLead reports whether an argument of a type leads to what has a place, as far as its type says that:
// what is behind a pointer to something else is not looked at (soundness: travels).
func mayLead(t types.Type, place ssa.Value, depth int) bool {
	for a := place; ; {
		if f, ok := a.(*ssa.FieldAddr); ok {
			if types.Identical(deref(t), deref(f.X.Type())) {
				return true
			}
			a = f.X
		} else if ld, ok := a.(*ssa.UnOp); ok {
			a = ld.X
		} else {
			break
		}
	}
	if depth == 0 {
		return true
	}
	switch u := ssair.Under(t).(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Signature, *types.Interface:
		return depth == placeDepth
	case *types.Slice:
		return mayLead(u.Elem(), place, depth-1)
	case *types.Array:
		return mayLead(u.Elem(), place, depth-1)
	case *types.Map:
		return mayLead(u.Elem(), place, depth-1)
	case *types.Struct:
		for i := range u.NumFields() {
			if mayLead(u.Field(i).Type(), place, depth-1) {
				return true
			}
		}
	}
	return false
}

// starts reports whether a call leaves a goroutine running that it starts, itself or by a function that
// it calls.
func (l *lowerer) starts(in ssa.Instruction) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if _, spawns := in.(*ssa.Go); spawns {
		return true
	}
	fn := c.Common().StaticCallee()
	return fn != nil && fn.Blocks != nil && l.p.freshInfoOf(fn).wrapper
}

// startedHere reports whether a closure is made for one goroutine, which is started at once.
func (l *lowerer) startedHere(in *ssa.MakeClosure) bool {
	refs := *in.Referrers()
	if len(refs) != 1 || refs[0].Block() != in.Block() {
		return false
	}
	c, ok := refs[0].(ssa.CallInstruction)
	if _, spawns := c.(*ssa.Go); spawns || !ok {
		return spawns
	}
	fn := c.Common().StaticCallee()
	if fn == nil {
		return false
	}
	e := l.p.entry(fn)
	return e != nil && e.Op == library.OpSpawn
}
